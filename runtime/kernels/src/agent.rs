//! The GPU agent: carries out commands of the CPU by this GPU's own loads, stores and atomic operations. [`cushmem_protocol::agent`] has the protocol.
//!
//! Its memory is at addresses of this GPU: the CPU has looked up where its PEs have it. *Order*: a put is complete when `done` says so, behind a release. An answer
//! is words each of which names the command, so it needs none. A signal comes behind all that the CPU had seen complete, and behind the puts before it, by a fence.

use core::mem::offset_of;
use cushmem_abi::{AgentArea, CommandHead, CommandKind};
use cushmem_device::{Atomic, DevPtr, Word, arch};
use cushmem_protocol::agent::{self, Life, Serving};
use cushmem_protocol::ring::{Command, WORDS};

/// Words that a command carries at most.
const MOST: usize = cushmem_abi::SLOT_BYTES / 8;

/// One lane.
///
/// # Safety
/// `area` is an [`AgentArea`], of which one kernel at a time takes commands; what these name is valid until they are carried out.
#[inline(always)]
pub(crate) unsafe fn serve(area: DevPtr<u64>, life: &Life) {
    agent::serve(&Lane(area), life);
}

struct Lane(DevPtr<u64>);

impl Lane {
    #[inline(always)]
    fn at(&self, offset: usize) -> DevPtr<u64> {
        self.0.byte_offset(offset as isize)
    }

    /// Says what a command found.
    #[inline(always)]
    fn answer(&self, number: u64, word: usize, found: u64) {
        let to = self.at(offset_of!(AgentArea, answer) + 16 * word).raw().cast();
        let tag = number << 32;
        // SAFETY: the area has a pair of words for each eight bytes, aligned to 16.
        unsafe { arch::st_relaxed_sys_v2_u64(to, [tag | found & 0xffff_ffff, tag | found >> 32]) };
    }

    /// Says that all puts up to this one are complete.
    #[inline(always)]
    fn complete(&self, number: u64) {
        // SYNC(gpu-agent) release.sys: pairs with the acquire in the CPU's `has_come_to`; the stores of the commands come first.
        // SAFETY: a word of the area.
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
        // All four are under way at once.
        // SAFETY: a slot of the area, which is aligned to 16 bytes.
        let pair = |i: usize| unsafe { arch::ld_relaxed_sys_v2_u64(at.add(2 * i).raw().cast()) };
        let ([a, b], [c, d], [e, f], [g, h]) = (pair(0), pair(1), pair(2), pair(3));
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn carry_out(&self, number: u64, command: &Command) {
        carry_out(self, number, command);
    }
    #[inline(always)]
    fn announce(&self, state: u64) {
        // SAFETY: a word of the area.
        unsafe { arch::st_relaxed_sys_u64(self.at(offset_of!(AgentArea, state)).raw(), state) };
    }
    #[inline(always)]
    fn leave(&self, state: u64) {
        // SYNC(gpu-agent) release.sys: pairs with the CPU's acquire of the state; the kernel has looked for commands before.
        // SAFETY: a word of the area.
        unsafe { arch::st_release_sys_u64(self.at(offset_of!(AgentArea, state)).raw(), state) };
    }
    #[inline(always)]
    fn fence(&self) {
        arch::fence_sc_sys();
    }
    #[inline(always)]
    fn now(&self) -> u64 {
        arch::globaltimer()
    }
    #[inline(always)]
    fn pause(&self) {
        arch::pause();
    }
}

#[inline(always)]
fn carry_out(lane: &Lane, number: u64, command: &Command) {
    let CommandHead { kind, width, .. } = CommandHead::of_bits(command.head);
    let [address, a, b, words @ ..] = command.arguments;
    let bytes = usize::from(width);
    let there = DevPtr::<u64>::from_address(address);
    if kind == CommandKind::PutHere as u8 {
        let [c, d, e, f] = words;
        // SAFETY: the command's target has so many bytes.
        unsafe { store_all(there, [a, b, c, d, e, f], bytes) };
        lane.complete(number);
    } else if kind == CommandKind::Put as u8 {
        // SAFETY: both ends of the command have so many bytes.
        unsafe { store_all(there, load_all(DevPtr::from_address(a), bytes), bytes) };
        lane.complete(number);
    } else if kind == CommandKind::Get as u8 {
        // SAFETY: the command's source has so many bytes.
        let words = unsafe { load_all(there, bytes) };
        let mut word = 0;
        while 8 * word < bytes {
            lane.answer(number, word, select(&words, word));
            word += 1;
        }
    } else {
        if kind == CommandKind::AddBehind as u8 || kind == CommandKind::SetBehind as u8 {
            // SYNC(gpu-agent) fence.acq_rel.sys: what the CPU had stored, and the puts before, come before the signal, for whoever acquires it.
            arch::fence_acq_rel_sys();
        }
        // SAFETY: the command's word is aligned, and valid.
        let found = unsafe {
            match width {
                4 => change::<u32>(kind, there.cast(), a as u32, b as u32).into(),
                8 => change::<u64>(kind, there, a, b),
                _ => small(kind, there, a, bytes),
            }
        };
        lane.answer(number, 0, found);
    }
}

/// Changes a word; returns what it was, or of a store anything.
#[inline(always)]
unsafe fn change<T: Atomic>(kind: u8, word: DevPtr<T>, operand: T, condition: T) -> T {
    const COMPARE_SWAP: u8 = CommandKind::CompareSwap as u8;
    const SWAP: u8 = CommandKind::Swap as u8;
    const ADD: u8 = CommandKind::Add as u8;
    const ADD_BEHIND: u8 = CommandKind::AddBehind as u8;
    const AND: u8 = CommandKind::And as u8;
    const OR: u8 = CommandKind::Or as u8;
    const XOR: u8 = CommandKind::Xor as u8;
    const FETCH: u8 = CommandKind::Fetch as u8;
    // SAFETY: the caller vouches for the word.
    unsafe {
        match kind {
            ADD | ADD_BEHIND => T::fetch_add_relaxed_sys(word, operand),
            COMPARE_SWAP => T::compare_swap_relaxed_sys(word, condition, operand),
            SWAP => T::swap_relaxed_sys(word, operand),
            AND => T::fetch_and_relaxed_sys(word, operand),
            OR => T::fetch_or_relaxed_sys(word, operand),
            XOR => T::fetch_xor_relaxed_sys(word, operand),
            FETCH => T::load_relaxed_sys(word),
            // A swap, and no store: its answer says that it has happened.
            _ => T::swap_relaxed_sys(word, operand),
        }
    }
}

/// The same of one or two bytes, which are loaded and stored only.
#[inline(always)]
unsafe fn small(kind: u8, word: DevPtr<u64>, operand: u64, bytes: usize) -> u64 {
    // SAFETY: the caller vouches for the word.
    unsafe {
        if kind == CommandKind::Fetch as u8 {
            return load_part(word, bytes, bytes);
        }
        store_part(word, operand, bytes, bytes);
        // Its answer says that it has happened.
        arch::fence_acq_rel_sys();
        0
    }
}

/// The largest word by which so many bytes from an address can be copied.
#[inline(always)]
fn unit(address: u64, bytes: usize) -> usize {
    let odd = address | bytes as u64 | 8;
    1 << odd.trailing_zeros()
}

/// How many bytes of a word of eight are among the first so many.
#[inline(always)]
fn part(bytes: usize, word: usize) -> usize {
    let rest = bytes.saturating_sub(8 * word);
    if rest < 8 { rest } else { 8 }
}

/// One of the words, without an index: they are in registers.
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

#[inline(always)]
unsafe fn load_all(from: DevPtr<u64>, bytes: usize) -> [u64; MOST] {
    let unit = unit(from.address(), bytes);
    // SAFETY: the caller vouches for so many bytes.
    let load = |word| unsafe { load_part(from.add(word), part(bytes, word), unit) };
    [load(0), load(1), load(2), load(3), load(4), load(5)]
}

#[inline(always)]
unsafe fn store_all(to: DevPtr<u64>, words: [u64; MOST], bytes: usize) {
    let unit = unit(to.address(), bytes);
    // SAFETY: the caller vouches for so many bytes.
    let store = |word| unsafe { store_part(to.add(word), select(&words, word), part(bytes, word), unit) };
    store(0);
    store(1);
    store(2);
    store(3);
    store(4);
    store(5);
}

/// Loads so many bytes, eight at most, by words of `unit` bytes.
#[inline(always)]
unsafe fn load_part(from: DevPtr<u64>, bytes: usize, unit: usize) -> u64 {
    let (mut value, mut at) = (0, 0);
    while at < bytes {
        let here = from.byte_offset(at as isize);
        // SAFETY: the caller vouches for so many bytes, at a multiple of the unit.
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

/// Stores so many bytes, eight at most, by words of `unit` bytes.
#[inline(always)]
unsafe fn store_part(to: DevPtr<u64>, value: u64, bytes: usize, unit: usize) {
    let mut at = 0;
    while at < bytes {
        let (here, rest) = (to.byte_offset(at as isize), value >> (8 * at));
        // SAFETY: the caller vouches for so many bytes, at a multiple of the unit.
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
