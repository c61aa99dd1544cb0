//! Operations on streams. A kernel starts when everything before it on its stream has finished, and a captured kernel
//! runs again at each replay. What changes from one run to the next, such as the number of barriers so far, is
//! therefore in GPU memory and not among the arguments.

use cushmem_device::{
    Block, Cmp, DevPtr, DeviceTeam, Scope, SignalOp, Word, arch, block_dim_x, block_idx_x, fence, grid_dim_x, my_pe,
    thread_idx_x, wait_until, wait_until_for,
};

const fn signal_op(op: u32) -> SignalOp {
    if op == SignalOp::Add as u32 { SignalOp::Add } else { SignalOp::Set }
}

/// This block's part: its first byte, and its number of bytes. Parts start at multiples of 16.
#[inline(always)]
fn part(bytes: usize) -> (usize, usize) {
    let blocks = grid_dim_x() as usize;
    let each = bytes.div_ceil(blocks).next_multiple_of(16);
    let first = (block_idx_x() as usize * each).min(bytes);
    (first, each.min(bytes - first))
}

/// Spends time, in which the CPU enqueues what is to follow without a gap.
#[inline(always)]
pub(crate) fn pause(ns: u64) {
    let start = arch::globaltimer();
    while arch::globaltimer().wrapping_sub(start) < ns {}
}

#[inline(always)]
pub(crate) unsafe fn put_signal(
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    sig: DevPtr<u64>,
    value: u64,
    op: u32,
    pe: u32,
) {
    if arch::far() {
        // Complete what the CPU was asked for before.
        fence();
    }
    // SAFETY: whoever launches the kernel guarantees that both ranges and the word are valid.
    unsafe { Block.put_signal(dst, src, bytes, sig, value, signal_op(op), pe) }
}

/// Puts words and sets a signal, at addresses that the CPU has looked up. Such a short kernel would spend a tenth of
/// its time loading what it needs for the look-up.
#[inline(always)]
pub(crate) unsafe fn put_words(there: DevPtr<u64>, src: DevPtr<u64>, words: u32, sig: DevPtr<u64>, value: u64) {
    let i = thread_idx_x();
    // SAFETY: whoever launches the kernel guarantees that both ranges and the signal are valid.
    unsafe {
        if i < words {
            u64::store_relaxed_sys(there.add(i as usize), src.add(i as usize).read());
        }
        Block.sync();
        if i == 0 {
            // SYNC(signal) release.sys: pairs with the acquire loads of whoever waits for the signal; the barrier of
            // the block before it makes the release cumulative over the other lanes' stores.
            arch::st_release_sys_u64(sig.raw(), value);
        }
    }
}

#[inline(always)]
pub(crate) unsafe fn put(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, pe: u32) {
    let (first, bytes) = part(bytes);
    // SAFETY: whoever launches the kernel guarantees that both ranges are valid; this is a part of them.
    unsafe { Block.put(dst.add(first), src.add(first), bytes, pe) }
}

#[inline(always)]
pub(crate) unsafe fn get(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, pe: u32) {
    let (first, bytes) = part(bytes);
    // SAFETY: whoever launches the kernel guarantees that both ranges are valid; this is a part of them.
    unsafe { Block.get(dst.add(first), src.add(first), bytes, pe) }
}

#[inline(always)]
pub(crate) unsafe fn blocks<T: Word>(
    [(dst, dst_step), (src, src_step)]: [(DevPtr<u8>, isize); 2],
    words: usize,
    count: usize,
    pe: u32,
    to_peer: bool,
) {
    let lanes = grid_dim_x() as usize * block_dim_x() as usize;
    let mut i = block_idx_x() as usize * block_dim_x() as usize + thread_idx_x() as usize;
    while i < words * count {
        let (block, word) = ((i / words) as isize, i % words);
        let dst = dst.byte_offset(block * dst_step).cast::<T>().add(word);
        let src = src.byte_offset(block * src_step).cast::<T>().add(word);
        // SAFETY: whoever launches the kernel guarantees that all blocks are valid and their words aligned.
        unsafe {
            if to_peer {
                cushmem_device::p(dst, src.read(), pe);
            } else {
                dst.write(cushmem_device::g(src, pe));
            }
        }
        i += lanes;
    }
}

#[inline(always)]
pub(crate) unsafe fn p(dst: DevPtr<u8>, value: u64, width: u32, pe: u32) {
    // SAFETY: whoever launches the kernel guarantees that there is an aligned word of this width.
    unsafe {
        match width {
            1 => cushmem_device::p(dst, value as u8, pe),
            2 => cushmem_device::p(dst.cast(), value as u16, pe),
            4 => cushmem_device::p(dst.cast(), value as u32, pe),
            _ => cushmem_device::p(dst.cast(), value, pe),
        }
    }
}

#[inline(always)]
pub(crate) unsafe fn signal(sig: DevPtr<u64>, value: u64, op: u32, pe: u32) {
    // Whoever sees the signal sees what the stream did before, by whatever engine.
    fence();
    // SAFETY: whoever launches the kernel guarantees that the word is valid.
    unsafe { cushmem_device::signal_op(sig, value, signal_op(op), pe) }
}

/// The lane for PE `first + i` has bit `i` of both masks. A word is changed only by additions, and its PE waits for it
/// before it takes 1 away. So no signal is lost, however early it comes, and the count never falls below 0.
#[inline(always)]
pub(crate) unsafe fn exchange(sigs: DevPtr<u64>, first: u32, to: u64, from: u64) {
    let (pe, me) = (first + thread_idx_x(), my_pe());
    let has = |mask: u64| mask >> thread_idx_x() & 1 != 0;
    // SAFETY: whoever launches the kernel guarantees that there is a word for each PE.
    unsafe {
        if has(to) {
            // Whoever sees the signal sees what the stream did before, by whatever engine.
            fence();
            cushmem_device::signal_op(sigs.add(me as usize), 1, SignalOp::Add, pe);
        }
        if has(from) {
            let word = sigs.add(pe as usize);
            wait_until(word, Cmp::Ge, 1);
            cushmem_device::signal_op(word, u64::MAX, SignalOp::Add, me);
        }
    }
}

#[inline(always)]
pub(crate) unsafe fn wait(word: DevPtr<u64>, kind: (u32, bool), cmp: u32, value: u64) {
    let cmp = match cmp {
        0 => Cmp::Eq,
        1 => Cmp::Ne,
        2 => Cmp::Gt,
        3 => Cmp::Le,
        4 => Cmp::Lt,
        _ => Cmp::Ge,
    };
    // SAFETY: whoever launches the kernel guarantees that the word is valid.
    unsafe {
        match kind {
            (2, false) => {
                wait_until(word.cast(), cmp, value as u16);
            }
            (2, true) => {
                wait_until(word.cast(), cmp, value as i16);
            }
            (4, false) => {
                wait_until(word.cast(), cmp, value as u32);
            }
            (4, true) => {
                wait_until(word.cast(), cmp, value as i32);
            }
            (_, false) => {
                wait_until(word, cmp, value);
            }
            (_, true) => {
                wait_until(word.cast(), cmp, value as i64);
            }
        }
    }
}

#[inline(always)]
pub(crate) unsafe fn deputy(words: DevPtr<u64>, what: u64) {
    // The thread that is asked sees what the stream did before, by whatever engine.
    fence();
    // SAFETY: whoever launches the kernel guarantees that there are three words, which no other kernel uses at the same
    // time.
    unsafe {
        let (asked, done) = (words.add(1), words.add(2));
        let number = u64::load_acquire_sys(asked) + 1;
        u64::store_relaxed_sys(words, what);
        // SYNC(stream-asks) release.sys: pairs with the acquire of the thread that is asked.
        arch::st_release_sys_u64(asked.raw(), number);
        wait_until(done, Cmp::Ge, number);
    }
}

/// How long the host may take to ask for the next time.
const ASK_LIMIT_NS: u64 = 1_000_000_000;

#[inline(always)]
pub(crate) unsafe fn clock(words: DevPtr<u64>, n: u64) {
    let mut number = 1;
    // SAFETY: whoever launches the kernel guarantees that there are three words, of which the host writes the first.
    unsafe {
        while number <= n && wait_until_for(words, Cmp::Ge, number, ASK_LIMIT_NS).is_some() {
            u64::store_relaxed_sys(words.add(2), arch::globaltimer());
            // SYNC(clock-read) release.sys: pairs with the acquire of the host that asks.
            arch::st_release_sys_u64(words.add(1).raw(), number);
            number += 1;
        }
    }
}

#[inline(always)]
pub(crate) fn quiet() {
    cushmem_device::quiet();
}

#[inline(always)]
pub(crate) fn barrier_all() {
    Block.barrier_all();
}

#[inline(always)]
pub(crate) unsafe fn team_sync(team: DeviceTeam) {
    // SAFETY: the launching host made the team, and keeps it until the kernel has ended.
    unsafe { Block.team_sync(team) }
}
