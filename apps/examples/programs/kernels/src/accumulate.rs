//! `accumulate`: adding numbers to those of another PE, as a task and as a kernel that the target's CPU launches.

use cushmem_device::DevPtr;

/// Of `n` numbers, how many a block puts. Tasks that come at the same time are taken one after another, so there are
/// few blocks: 16 put faster than a link of an H200 is. None puts so few numbers that their way does not pay off.
const fn share(n: usize) -> usize {
    let share = n.div_ceil(16);
    if share < 8192 { 8192 } else { share }
}

/// How many blocks put `n` numbers.
pub const fn blocks(n: usize) -> usize {
    n.div_ceil(share(n))
}

/// Whether there are two tasks for each share.
const fn is_cut(n: usize) -> bool {
    share(n) > 16384
}

/// How many tasks add `n` numbers that a kernel puts.
pub const fn tasks(n: usize) -> usize {
    if is_cut(n) { 2 * blocks(n) } else { blocks(n) }
}

/// Which numbers a task adds: the first, and how many. If a share is cut, the first task adds most of it while the rest
/// is on its way. The rest is short, as nothing is on its way while it is added.
pub const fn part(n: usize, task: usize) -> (usize, usize) {
    let (share, blocks) = (share(n), blocks(n));
    let cut = if is_cut(n) { share / 10 * 8 } else { share };
    let begin = task % blocks * share;
    let (first, end) = if task < blocks { (begin, begin + cut) } else { (begin + cut, begin + share) };
    let (first, end) = (if first < n { first } else { n }, if end < n { end } else { n });
    (first, end - first)
}

/// Adds `n` numbers to sums: of `lanes` lanes, this one takes each `lanes`th.
///
/// # Safety
/// `sums` and `numbers` have `n` elements.
#[inline(always)]
pub(crate) unsafe fn add(sums: DevPtr<u64>, numbers: DevPtr<u64>, n: usize, lane: usize, lanes: usize) {
    let mut i = lane;
    // Four at once, because each load waits for memory.
    while i + 3 * lanes < n {
        let at = [i, i + lanes, i + 2 * lanes, i + 3 * lanes];
        // SAFETY: the caller guarantees the elements.
        let (old, new) = unsafe { (at.map(|i| sums.add(i).read()), at.map(|i| numbers.add(i).read())) };
        let mut which = 0;
        while which < 4 {
            // SAFETY: the caller guarantees the elements.
            unsafe { sums.add(at[which]).write(old[which].wrapping_add(new[which])) };
            which += 1;
        }
        i += 4 * lanes;
    }
    while i < n {
        // SAFETY: the caller guarantees the elements.
        unsafe { sums.add(i).write(sums.add(i).read().wrapping_add(numbers.add(i).read())) };
        i += lanes;
    }
}
