//! The GPU agent: carries out commands of the CPU with this GPU's own loads, stores and atomic operations.
//! [`cushmem_protocol::agent`] has the protocol.
//!
//! *Layout*: one block, whose first warp serves commands. All lanes of the warp load a slot together, because one lane
//! would load its words one after the other, each with a round trip over the bus. A command of a few bytes is carried
//! out by the first lanes, one for each word. A copy is carried out by the warp, or by the block if it is long. The
//! other warps sleep at a barrier until there is such a copy, or until the end.
//!
//! *Addresses*: the memory is at addresses of this GPU; the CPU has looked up where its PEs have it.
//!
//! *Order*: a copy loads after the command has arrived, and past the caches. A put is complete when `done` says so.
//! `done` is stored as a release, to which the barrier adds what other lanes have stored. The words of an answer name
//! the command, so an answer needs no release. A signal, or a word of a lock, is preceded by a fence, so it comes after
//! everything that the CPU had seen complete and after the puts before it.
//!
//! *Timelines*: the first lane records a command once it has reported it, so that the CPU does not wait for that.

use core::mem::offset_of;
use cushmem_abi::{AgentArea, CommandHead, CommandKind, KernelOperation, KernelWork, WordOp};
use cushmem_device::{
    Atomic, AtomicNumber, Begun, DevPtr, Word, agent_copy, arch, block_dim_x, syncthreads, thread_idx_x,
};
use cushmem_protocol::agent::{self, Life, Serving};
use cushmem_protocol::ring::{Command, WORDS};

/// The most words that a command carries.
const MOST: usize = cushmem_abi::SLOT_BYTES / 8;
/// Copies longer than this are carried out by the whole block.
const WARPS_BYTES: usize = 2 << 10;
/// Vectors of 16 bytes that a lane has in flight; a block has 64 KiB.
const VECTORS: usize = 8;
const ALL_LANES: u32 = !0;
const PUT: u8 = CommandKind::Put.number();
const GET: u8 = CommandKind::Get.number();
const PUT_HERE: u8 = CommandKind::PutHere.number();

/// One block, of whole warps.
///
/// # Safety
/// `area` is an [`AgentArea`], from which one kernel at a time takes commands. The memory that commands name is valid
/// until they are carried out.
#[inline(always)]
pub(crate) unsafe fn serve(area: DevPtr<u64>, life: &Life) {
    if thread_idx_x() < 32 {
        agent::serve(&Lane(area), life);
        // SAFETY: this is not a copy: it makes the other warps leave.
        unsafe { all_copy(Some([0; 3])) };
    } else {
        // SAFETY: the first warp guarantees the copies that it hands over.
        while unsafe { all_copy(None) } {}
    }
}

/// Takes part in the block's next copy, which the first warp names by bytes, target and source. Returns whether there
/// was one.
#[inline(always)]
unsafe fn all_copy(named: Option<[u64; 3]>) -> bool {
    let words = agent_copy();
    if let Some(copy) = named
        && thread_idx_x() == 0
    {
        let mut i = 0;
        while i < 3 {
            // SAFETY: the agent's own words.
            unsafe { arch::st_relaxed_sys_u64(words.add(i).raw(), copy[i]) };
            i += 1;
        }
    }
    syncthreads();
    // SAFETY: the agent's own words, which change only after the next barrier.
    let word = |i| unsafe { arch::ld_relaxed_sys_u64(words.add(i).raw()) };
    let [bytes, to, from] = named.unwrap_or_else(|| [word(0), word(1), word(2)]);
    if bytes == 0 {
        return false;
    }
    // SAFETY: the caller, or the first warp, guarantees that both ends are valid.
    unsafe { copy(First(block_dim_x()), to, from, bytes as usize) };
    true
}

/// Carries out this lane's part of a copy, whose end the lanes wait for. It is a separate function because it needs
/// many registers.
#[inline(never)]
unsafe fn copy(lanes: First, to: u64, from: u64, bytes: usize) {
    let (to_at, from_at) = (DevPtr::<u8>::from_address(to), DevPtr::<u8>::from_address(from));
    // SAFETY: the caller guarantees that both ends are valid; these are parts of them, with words at multiples of their
    // size.
    let word = |at: usize, unit: usize| unsafe {
        store_part(to_at.add(at).cast(), load_part(from_at.add(at).cast(), unit, unit), unit, unit);
    };
    if (to ^ from).is_multiple_of(16) {
        let head = (to.wrapping_neg() % 16) as usize;
        let head = if head < bytes { head } else { bytes };
        let end = bytes - (bytes - head) % 16;
        let lane = lanes.lane();
        // In the words of which start and length are multiples, so that nobody sees a part of one.
        let unit = unit(to, bytes);
        let mut edge = unit * lane;
        while edge < head + bytes - end {
            word(if edge < head { edge } else { end + edge - head }, unit);
            edge += unit * lanes.lanes();
        }
        // SAFETY: sixteen bytes inside the source, at a multiple of 16: both ends are equal modulo 16, and the head
        // ends at such a multiple.
        let load = |at: usize| unsafe { arch::ld_relaxed_sys_v2_u64(from_at.add(at).cast().raw()) };
        // SAFETY: the same for the target.
        let store = |at: usize, vector| unsafe { arch::st_stream_v2_u64(to_at.add(at).cast().raw(), vector) };
        let (mut at, step) = (head + 16 * lane, 16 * lanes.lanes());
        while at + (VECTORS - 1) * step < end {
            let vectors: [_; VECTORS] = core::array::from_fn(|i| load(at + i * step));
            let mut i = 0;
            while i < VECTORS {
                store(at + i * step, vectors[i]);
                i += 1;
            }
            at += VECTORS * step;
        }
        while at < end {
            store(at, load(at));
            at += step;
        }
    } else {
        let unit = unit(to | from, bytes);
        let mut at = unit * lanes.lane();
        while at < bytes {
            word(at, unit);
            at += unit * lanes.lanes();
        }
    }
    lanes.sync();
}

/// The first lanes of the block, which copy together.
#[derive(Clone, Copy)]
struct First(u32);

impl First {
    /// A warp, or the whole block if it is smaller.
    #[inline(always)]
    fn warp() -> Self {
        First(if block_dim_x() < 32 { block_dim_x() } else { 32 })
    }

    #[inline(always)]
    fn lane(self) -> usize {
        thread_idx_x() as usize
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        self.0 as usize
    }
    #[inline(always)]
    fn sync(self) {
        if self.0 <= 32 { arch::syncwarp(ALL_LANES) } else { syncthreads() }
    }
}

/// A lane of the first warp.
struct Lane(DevPtr<u64>);

impl Lane {
    #[inline(always)]
    fn at(&self, offset: usize) -> DevPtr<u64> {
        self.0.byte_offset(offset as isize)
    }

    /// Reports the result of a command.
    #[inline(always)]
    fn answer(&self, number: u64, word: usize, found: u64) {
        let to = self.at(offset_of!(AgentArea, answer) + 16 * word).raw().cast();
        let tag = number << 32;
        // SAFETY: the area has a pair of words for each eight bytes, aligned to 16.
        unsafe { arch::st_relaxed_sys_v2_u64(to, [tag | found & 0xffff_ffff, tag | found >> 32]) };
    }

    /// Reports that all puts up to this one are complete.
    #[inline(always)]
    fn complete(&self, number: u64) {
        // SYNC(gpu-agent) release.sys: pairs with the acquire in the CPU's `is_complete`; the stores of the commands
        // come first. SAFETY: a word of the area.
        unsafe { arch::st_release_sys_u64(self.at(offset_of!(AgentArea, done)).raw(), number) };
    }
}

impl Serving for Lane {
    const LOOKS: u32 = 8;
    #[inline(always)]
    fn slots(&self) -> u64 {
        cushmem_abi::AGENT_SLOTS as u64
    }
    #[inline(always)]
    fn load(&self, slot: u64) -> [u64; WORDS] {
        let at = self.at(offset_of!(AgentArea, slots) + slot as usize * 8 * WORDS);
        // SAFETY: a slot of the area, which is aligned to 64 bytes; all lanes of the warp are here.
        unsafe { arch::ld_relaxed_sys_v8_u64_by_warp(at.raw().cast()) }
    }
    #[inline(always)]
    fn carry_out(&self, number: u64, command: &Command) {
        if !arch::IS_RECORDED {
            // Not a word of the rest may be in the kernel.
            return carry_out(self, number, command);
        }
        let begun = if is_first() { Begun::command() } else { Begun::none() };
        carry_out(self, number, command);
        let (operation, bytes, there) = recorded(command);
        begun.end_command(KernelWork::AGENT, operation, bytes, there);
    }
    #[inline(always)]
    fn announce(&self, state: u64) {
        if is_first() {
            // SAFETY: a word of the area.
            unsafe { arch::st_relaxed_sys_u64(self.at(offset_of!(AgentArea, state)).raw(), state) };
        }
    }
    #[inline(always)]
    fn leave(&self, state: u64) {
        if is_first() {
            // SYNC(gpu-agent) release.sys: pairs with the CPU's acquire of the state; the kernel has looked for
            // commands before. SAFETY: a word of the area.
            unsafe { arch::st_release_sys_u64(self.at(offset_of!(AgentArea, state)).raw(), state) };
        }
    }
    #[inline(always)]
    fn fence(&self) {
        // What the first lane has announced comes before what all lanes load, so that the warp acts as one thread of
        // the protocol.
        arch::syncwarp(ALL_LANES);
        arch::fence_sc_sys();
    }
    #[inline(always)]
    fn now(&self) -> u64 {
        // The warp decides as one.
        let now = arch::globaltimer();
        let half = |part| u64::from(arch::shfl_idx(ALL_LANES, part, 0));
        half(now as u32) | half((now >> 32) as u32) << 32
    }
    #[inline(always)]
    fn pause(&self) {
        arch::pause();
    }
}

#[inline(always)]
fn is_first() -> bool {
    thread_idx_x() == 0
}

/// What a timeline says of a command: the operation, its bytes, and the end of which the PE is named.
#[inline(always)]
fn recorded(command: &Command) -> (KernelOperation, usize, u64) {
    let CommandHead { kind, width, context: is_get, .. } = CommandHead::of_bits(command.head);
    let [address, a, b, ..] = command.arguments;
    match kind {
        PUT if is_get != 0 => (KernelOperation::Get, b as usize, a),
        PUT => (KernelOperation::Put, b as usize, address),
        PUT_HERE => (KernelOperation::Put, width.into(), address),
        GET => (KernelOperation::Get, width.into(), address),
        _ => (KernelOperation::Atomic, width.into(), address),
    }
}

/// Carries out the most frequent commands, which are for a single word of 8 bytes.
#[inline(always)]
fn carry_out(lane: &Lane, number: u64, command: &Command) {
    let CommandHead { kind, width, context: behind, .. } = CommandHead::of_bits(command.head);
    let [address, a, ..] = command.arguments;
    if width == 8 && behind == 0 && address.is_multiple_of(8) {
        let word = DevPtr::<u64>::from_address(address).raw();
        if kind == PUT_HERE {
            if is_first() {
                // SAFETY: the command's word, which is aligned.
                unsafe { arch::st_relaxed_sys_u64(word, a) };
                lane.complete(number);
            }
            return;
        }
        if kind == GET || kind == WordOp::Add as u8 {
            if is_first() {
                let is_get = kind == GET;
                // SAFETY: the command's word, which is aligned.
                let found = unsafe {
                    if is_get {
                        arch::ld_relaxed_sys_u64(word)
                    } else {
                        u64::fetch_add_relaxed_sys(DevPtr::from_address(address), a)
                    }
                };
                lane.answer(number, 0, found);
            }
            return;
        }
    }
    let [_, _, b, c, d, e, f] = command.arguments;
    carry_out_any(lane.0.address(), number, command.head, address, a, b, c, d, e, f);
}

/// Carries out any command. It is a separate function so that the code for most commands stays together and needs fewer
/// registers. The parameters are numbers because an array would be in memory.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn carry_out_any(area: u64, number: u64, head: u64, address: u64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) {
    let (lane, CommandHead { kind, width, context: behind, .. }) =
        (&Lane(DevPtr::from_address(area)), CommandHead::of_bits(head));
    let bytes = usize::from(width);
    // For an earlier command, the first lane alone may have stored what other lanes load or store now.
    arch::syncwarp(ALL_LANES);
    if kind == PUT {
        // SAFETY: both ends of the command have this many bytes.
        unsafe {
            if b as usize <= WARPS_BYTES {
                copy(First::warp(), address, a, b as usize);
            } else {
                all_copy(Some([b, address, a]));
            }
        }
        if is_first() {
            lane.complete(number);
        }
        return;
    }
    let there = DevPtr::<u64>::from_address(address);
    let warp = First::warp();
    if kind == PUT_HERE {
        let mut word = warp.lane();
        while 8 * word < bytes {
            let value = select(&[a, b, c, d, e, f], word);
            // SAFETY: the command's target has this many bytes.
            unsafe { store_part(there.add(word), value, part(bytes, word), unit(address, bytes)) };
            word += warp.lanes();
        }
        warp.sync();
        if is_first() {
            lane.complete(number);
        }
    } else if kind == GET {
        let mut word = warp.lane();
        while 8 * word < bytes {
            // SAFETY: the command's source has this many bytes.
            let found = unsafe { load_part(there.add(word), part(bytes, word), unit(address, bytes)) };
            lane.answer(number, word, found);
            word += warp.lanes();
        }
    } else if is_first() {
        if behind != 0 {
            // SYNC(gpu-agent) fence.acq_rel.sys: what the CPU had stored, and earlier puts, come before the change, for
            // whoever acquires it.
            arch::fence_acq_rel_sys();
        }
        // SAFETY: the command's word is aligned, and valid.
        let found = unsafe {
            match width {
                4 => change::<u32, i32, f32>(kind, there.cast(), a as u32, b as u32).into(),
                8 => change::<u64, i64, f64>(kind, there, a, b),
                _ => small(kind, there, a, bytes),
            }
        };
        lane.answer(number, 0, found);
    }
}

/// Changes a word, which some operations take for a number of type `S` or `F` of the same size; returns the previous
/// value, or any value for a store.
#[inline(always)]
unsafe fn change<T: Atomic, S: Atomic, F: AtomicNumber>(kind: u8, word: DevPtr<T>, operand: T, condition: T) -> T {
    const COMPARE_SWAP: u8 = WordOp::CompareSwap as u8;
    const SWAP: u8 = WordOp::Swap as u8;
    const ADD: u8 = WordOp::Add as u8;
    const AND: u8 = WordOp::And as u8;
    const OR: u8 = WordOp::Or as u8;
    const XOR: u8 = WordOp::Xor as u8;
    const FETCH: u8 = WordOp::Fetch as u8;
    const ADD_FLOAT: u8 = WordOp::AddFloat as u8;
    const MIN_UNSIGNED: u8 = WordOp::MinUnsigned as u8;
    const MAX_UNSIGNED: u8 = WordOp::MaxUnsigned as u8;
    const MIN_SIGNED: u8 = WordOp::MinSigned as u8;
    const MAX_SIGNED: u8 = WordOp::MaxSigned as u8;
    let bits = operand.to_command();
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        match kind {
            ADD => T::fetch_add_relaxed_sys(word, operand),
            COMPARE_SWAP => T::compare_swap_relaxed_sys(word, condition, operand),
            SWAP => T::swap_relaxed_sys(word, operand),
            AND => T::fetch_and_relaxed_sys(word, operand),
            OR => T::fetch_or_relaxed_sys(word, operand),
            XOR => T::fetch_xor_relaxed_sys(word, operand),
            FETCH => T::load_relaxed_sys(word),
            MIN_UNSIGNED => T::fetch_min_relaxed_sys(word, operand),
            MAX_UNSIGNED => T::fetch_max_relaxed_sys(word, operand),
            MIN_SIGNED => T::of_command(S::fetch_min_relaxed_sys(word.cast(), S::of_command(bits)).to_command()),
            MAX_SIGNED => T::of_command(S::fetch_max_relaxed_sys(word.cast(), S::of_command(bits)).to_command()),
            ADD_FLOAT => T::of_command(F::fetch_add_relaxed_sys(word.cast(), F::of_command(bits)).to_command()),
            // A swap rather than a store, because its answer shows that it has happened.
            _ => T::swap_relaxed_sys(word, operand),
        }
    }
}

/// Loads or stores a word of one or two bytes; returns the value that it loaded.
#[inline(always)]
unsafe fn small(kind: u8, word: DevPtr<u64>, operand: u64, bytes: usize) -> u64 {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        if kind == WordOp::Fetch as u8 {
            return load_part(word, bytes, bytes);
        }
        store_part(word, operand, bytes, bytes);
        // The answer shows that it has happened.
        arch::fence_acq_rel_sys();
        0
    }
}

/// The size of the largest word with which this many bytes can be copied from an address.
#[inline(always)]
fn unit(address: u64, bytes: usize) -> usize {
    let odd = address | bytes as u64 | 8;
    1 << odd.trailing_zeros()
}

/// How many bytes of a word of eight are among the first `bytes` bytes.
#[inline(always)]
fn part(bytes: usize, word: usize) -> usize {
    let rest = bytes.saturating_sub(8 * word);
    if rest < 8 { rest } else { 8 }
}

/// One of the words, without an index, because they are in registers.
#[inline(always)]
fn select(words: &[u64; MOST], word: usize) -> u64 {
    match word {
        0 => words[0],
        1 => words[1],
        2 => words[2],
        3 => words[3],
        4 => words[4],
        _ => words[5],
    }
}

/// Loads up to eight bytes, in words of `unit` bytes.
#[inline(always)]
unsafe fn load_part(from: DevPtr<u64>, bytes: usize, unit: usize) -> u64 {
    let (mut value, mut at) = (0, 0);
    while at < bytes {
        let here = from.byte_offset(at as isize);
        // SAFETY: the caller guarantees that this many bytes are valid, at a multiple of the unit.
        let more = unsafe {
            match unit {
                8 => u64::load_relaxed_sys(here),
                4 => u32::load_relaxed_sys(here.cast()).into(),
                2 => u16::load_relaxed_sys(here.cast()).into(),
                _ => u8::load_relaxed_sys(here.cast()).into(),
            }
        };
        value |= more << (8 * at);
        at += unit;
    }
    value
}

/// Stores up to eight bytes, in words of `unit` bytes.
#[inline(always)]
unsafe fn store_part(to: DevPtr<u64>, value: u64, bytes: usize, unit: usize) {
    let mut at = 0;
    while at < bytes {
        let (here, rest) = (to.byte_offset(at as isize), value >> (8 * at));
        // SAFETY: the caller guarantees that this many bytes are valid, at a multiple of the unit.
        unsafe {
            match unit {
                8 => u64::store_relaxed_sys(here, rest),
                4 => u32::store_relaxed_sys(here.cast(), rest as u32),
                2 => u16::store_relaxed_sys(here.cast(), rest as u16),
                _ => u8::store_relaxed_sys(here.cast(), rest as u8),
            }
        }
        at += unit;
    }
}
