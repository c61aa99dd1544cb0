//! `accumulate`: adding numbers to those of another PE, as a task and as a kernel that the target's CPU launches.

use cushmem_device::DevPtr;

/// Of `n` numbers, how many a task adds that a kernel puts. There are up to 64 tasks, none of which is too short for
/// its way to pay off.
pub const fn part(n: usize) -> usize {
    let part = n.div_ceil(64);
    if part < 8192 { 8192 } else { part }
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
