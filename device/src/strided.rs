//! Copies of elements at equal distances (OpenSHMEM 1.6, section 9.6: `shmem_iput` and `shmem_iget`).
//!
//! The lanes of a scope take the elements in turn, so that those that are next to each other at one end are loaded or
//! stored together. An element is copied in the largest words that its alignment allows, up to 8 bytes. For memory that
//! this GPU does not reach, the CPU gets one command for the whole copy. If the end on this PE is in shared memory or
//! on a lane's stack, which the CPU does not reach, it gets one for each word instead, or for adjacent words of a warp.

use crate::command::{self, Ring, track};
use crate::fail::fail;
use crate::recorded::Begun;
use crate::{Ctx, DevPtr, Need, Scope, Word, arch, far, peer};
use cushmem_abi::{CommandHead, CommandKind, ErrorCode, KernelOperation, WordOp};
use cushmem_protocol::ring::{self, Command};

/// How many words a lane has in flight.
const UNROLL: usize = 4;

impl Ctx {
    /// Copies with the lanes of `scope`, like [`Scope::iput`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::iput`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // the specification's
    pub unsafe fn iput<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: isize,
        src_stride: isize,
        n: usize,
        pe: u32,
    ) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.iput_plain(scope, dst, src, dst_stride, src_stride, n, pe) };
        from.end(KernelOperation::Put, pe, n * size_of::<T>(), 0);
    }

    /// # Safety
    /// The conditions of [`Ctx::iput`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of the call
    unsafe fn iput_plain<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: isize,
        src_stride: isize,
        n: usize,
        pe: u32,
    ) {
        check(dst_stride, src_stride, n, pe);
        if far::is_needed_at_once(dst, pe) {
            let head = self.head::<()>(CommandKind::Iput);
            return ask(head, scope, pe, [dst, src], [dst_stride, src_stride], n);
        }
        let there = peer::direct_at_once(dst, pe, Need::LoadStore);
        // SAFETY: the caller guarantees that all elements are valid; the target is at that address on `pe`.
        unsafe { elements::<S, Put, T>(scope, there, src, dst_stride, src_stride, n) };
        scope.sync();
    }

    /// Copies with the lanes of `scope`, like [`Scope::iget`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::iget`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // the specification's
    pub unsafe fn iget<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: isize,
        src_stride: isize,
        n: usize,
        pe: u32,
    ) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.iget_plain(scope, dst, src, dst_stride, src_stride, n, pe) };
        from.end(KernelOperation::Get, pe, n * size_of::<T>(), 0);
    }

    /// # Safety
    /// The conditions of [`Ctx::iget`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of the call
    unsafe fn iget_plain<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: isize,
        src_stride: isize,
        n: usize,
        pe: u32,
    ) {
        check(dst_stride, src_stride, n, pe);
        if far::is_needed_at_once(src, pe) {
            let head = self.head::<()>(CommandKind::Iget);
            return ask(head, scope, pe, [src, dst], [dst_stride, src_stride], n);
        }
        let there = peer::direct_at_once(src, pe, Need::LoadStore);
        // SAFETY: the caller guarantees that all elements are valid; the source is at that address on `pe`.
        unsafe { elements::<S, Get, T>(scope, dst, there, dst_stride, src_stride, n) };
        scope.sync();
    }
}

/// Ends the kernel if a distance is not at least one element.
#[inline(always)]
fn check(dst_stride: isize, src_stride: isize, n: usize, pe: u32) {
    if n > 0 && (dst_stride < 1 || src_stride < 1) {
        refuse_strides(pe, dst_stride as u64, src_stride as u64);
    }
}

/// It is generic because a function called from another crate must be.
#[cold]
#[inline(never)]
pub(crate) fn refuse_strides<N: Word + Into<u64>>(pe: u32, dst: N, src: N) -> ! {
    fail(ErrorCode::Stride, pe, dst.into(), src.into())
}

/// Which end of a copy is on the other PE. That end is accessed past the L1 cache; the end on this PE may be memory of
/// any kind, also a variable of the lane.
trait Direction {
    /// # Safety
    /// Both words are valid and aligned, and nobody else writes them.
    unsafe fn load<W: Word>(from: DevPtr<W>) -> W;
    /// # Safety
    /// Both words are valid and aligned, and nobody else writes them.
    unsafe fn store<W: Word>(to: DevPtr<W>, value: W);
}

struct Put;
struct Get;

impl Direction for Put {
    #[inline(always)]
    unsafe fn load<W: Word>(from: DevPtr<W>) -> W {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { from.read() }
    }
    #[inline(always)]
    unsafe fn store<W: Word>(to: DevPtr<W>, value: W) {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { W::store_relaxed_sys(to, value) }
    }
}

impl Direction for Get {
    #[inline(always)]
    unsafe fn load<W: Word>(from: DevPtr<W>) -> W {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { W::load_relaxed_sys(from) }
    }
    #[inline(always)]
    unsafe fn store<W: Word>(to: DevPtr<W>, value: W) {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { to.write(value) }
    }
}

/// # Safety
/// `n` elements at these distances are valid and aligned at both ends, and nobody writes them at the same time.
#[inline(always)]
unsafe fn elements<S: Scope, D: Direction, T: Copy>(
    scope: S,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    dst_stride: isize,
    src_stride: isize,
    n: usize,
) {
    // SAFETY: the caller guarantees the elements, and their alignment is at least that of the words.
    unsafe {
        match align_of::<T>() {
            1 => words::<S, D, T, u8>(scope, dst, src, dst_stride, src_stride, n),
            2 => words::<S, D, T, u16>(scope, dst, src, dst_stride, src_stride, n),
            4 => words::<S, D, T, u32>(scope, dst, src, dst_stride, src_stride, n),
            _ => words::<S, D, T, u64>(scope, dst, src, dst_stride, src_stride, n),
        }
    }
}

/// Copies elements in words of type `W`, of which each element has a whole number.
///
/// # Safety
/// The conditions of [`elements`].
#[inline(always)]
unsafe fn words<S: Scope, D: Direction, T: Copy, W: Word>(
    scope: S,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    dst_stride: isize,
    src_stride: isize,
    n: usize,
) {
    if size_of::<T>() == 0 {
        return;
    }
    let (all, lanes) = (n * (size_of::<T>() / size_of::<W>()), scope.lanes());
    // SAFETY: every index is below the number of words.
    unsafe {
        let i = batches::<D, T, W, UNROLL>(dst, src, dst_stride, src_stride, all, scope.lane(), lanes);
        batches::<D, T, W, 1>(dst, src, dst_stride, src_stride, all, i, lanes);
    }
}

/// Copies words `i, i + lanes, …` in batches of `U` as long as whole batches remain; returns the next index.
///
/// # Safety
/// The conditions of [`elements`], for `all` words.
#[inline(always)]
unsafe fn batches<D: Direction, T: Copy, W: Word, const U: usize>(
    dst: DevPtr<T>,
    src: DevPtr<T>,
    dst_stride: isize,
    src_stride: isize,
    all: usize,
    mut i: usize,
    lanes: usize,
) -> usize {
    while i + (U - 1) * lanes < all {
        // SAFETY: the largest index of the batch is below the number of words.
        unsafe {
            // Indexed, because an array's iterator would put the batch into local memory.
            let batch: [W; U] = core::array::from_fn(|k| D::load(word(src, src_stride, i + k * lanes)));
            let mut k = 0;
            while k < U {
                D::store(word(dst, dst_stride, i + k * lanes), batch[k]);
                k += 1;
            }
        }
        i += U * lanes;
    }
    i
}

/// Word `i` of the elements that start at `first`.
#[inline(always)]
fn word<T, W>(first: DevPtr<T>, stride: isize, i: usize) -> DevPtr<W> {
    let of_element = size_of::<T>() / size_of::<W>();
    first.offset((i / of_element) as isize * stride).cast::<W>().add(i % of_element)
}

/// Makes the CPU copy, with one command, and waits until it has: the source of a put may change, or the data of a get
/// has arrived. All lanes of a scope call it. The ends are the symmetric one and that on this PE; the strides those of
/// the target and the source. `head` is that of the command, for PE 0. The CPU reaches only global memory: from and to
/// other memory, the lanes copy.
#[inline(always)]
fn ask<S: Scope, T>(head: u64, scope: S, pe: u32, ends: [DevPtr<T>; 2], strides: [isize; 2], n: usize) {
    // What other lanes did with the local memory comes before the command.
    scope.sync();
    let ([there, here], [dst, src]) = (ends.map(DevPtr::address), strides.map(|stride| stride as u64));
    // Without the first condition, the PTX for jobs in which all PEs are mapped would contain what is called here.
    if arch::far() && !arch::is_global(here) {
        // SAFETY: the caller guarantees the elements, and their alignment is at least that of the words.
        unsafe {
            match align_of::<T>() {
                1 => by_words::<S, T, u8>(head, scope, pe, there, here, n, dst, src),
                2 => by_words::<S, T, u16>(head, scope, pe, there, here, n, dst, src),
                4 => by_words::<S, T, u32>(head, scope, pe, there, here, n, dst, src),
                _ => by_words::<S, T, u64>(head, scope, pe, there, here, n, dst, src),
            }
        }
    } else if scope.lane() == 0 && arch::far() {
        far::await_copy(post(head, pe, there, here, n as u64, dst, src, size_of::<T>() as u64));
    }
    scope.sync();
}

/// Copies with the lanes of a scope, which ask the CPU for each word: they store those of a put, and fetch those of a
/// get. On return the source of a put may change, and this lane's words of a get have arrived. It is a call because
/// each strided copy of a kernel would otherwise contain this loop.
///
/// # Safety
/// The conditions of [`elements`].
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments)] // those of a strided copy
unsafe fn by_words<S: Scope, T, W: Word>(
    head: u64,
    scope: S,
    pe: u32,
    there: u64,
    here: u64,
    n: usize,
    dst_stride: u64,
    src_stride: u64,
) {
    far::check_copy(pe, there);
    if size_of::<T>() == 0 {
        return;
    }
    let (there, here) = (DevPtr::<T>::from_address(there), DevPtr::<T>::from_address(here));
    let (dst_stride, src_stride) = (dst_stride as isize, src_stride as isize);
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    let head_of = |op| {
        let kind = CommandKind::Word(op).number();
        CommandHead { kind, width: size_of::<W>() as u8, context, pe: 0 }.bits()
    };
    let all = n * (size_of::<T>() / size_of::<W>());
    let mut i = scope.lane();
    while i < all {
        // SAFETY: the caller guarantees that both words are valid, as their index is below the number of words.
        unsafe {
            if kind == CommandKind::Iput.number() {
                let value: W = word(here, src_stride, i).read();
                far::store(head_of(WordOp::Set), pe, word(there, dst_stride, i), value);
            } else {
                let nothing = W::of_command(0);
                let value = command::ask(head_of(WordOp::Fetch), pe, word(there, src_stride, i), nothing, nothing);
                word(here, dst_stride, i).write(value);
            }
        }
        i += scope.lanes();
    }
}

/// Posts a command for a strided copy. Returns the ticket of its reply plus 1, or 0 if there is no need to wait. It is
/// generic because a function called from another crate must be, and takes numbers because arrays would be in memory.
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments)] // those of a strided copy
pub(crate) fn post<N: Word + Into<u64>>(
    head: u64,
    pe: u32,
    there: u64,
    here: u64,
    n: N,
    dst: u64,
    src: u64,
    size: u64,
) -> u64 {
    let n = n.into();
    far::check_copy(pe, there);
    if n == 0 || size == 0 {
        return 0;
    }
    // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
    arch::fence_acq_rel_sys();
    let ring = Ring::new(None);
    let reply = ring.given(ring::claim_reply(&ring)) + 1;
    let arguments = [there, here, n, reply, dst, src, size];
    let ticket = ring.given(ring::post(&ring, &Command { head: head | u64::from(pe), arguments }));
    track(CommandHead::of_bits(head).context.into(), ticket);
    reply
}
