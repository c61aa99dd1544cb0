//! `accumulate`: adding numbers to those of another PE, as a task and as a kernel that the target's CPU launches.

use cushmem_device::DevPtr;

/// How a kernel puts numbers that tasks add.
#[derive(Clone, Copy)]
pub struct Parts {
    /// How many numbers there are.
    n: usize,
    /// How many a block puts.
    share: usize,
    /// How many of them are in the first task of a share.
    first: usize,
    /// How many blocks put.
    pub blocks: usize,
    /// How many tasks add.
    pub tasks: usize,
}

impl Parts {
    /// Tasks that come at the same time are taken one after another, so there are few blocks: 16 put faster than a link
    /// of an H200 is. None puts so few numbers that their way does not pay off. Long shares have two tasks: the first
    /// one adds most of the numbers while the others come; those are few, as nothing comes while they are added.
    pub const fn of(n: usize) -> Self {
        let share = if n <= 16 * 8192 { 8192 } else { n.div_ceil(16) };
        let blocks = n.div_ceil(share);
        if share <= 16384 {
            Self { n, share, first: share, blocks, tasks: blocks }
        } else {
            Self { n, share, first: share / 10 * 8, blocks, tasks: 2 * blocks }
        }
    }

    /// Which numbers a task adds: the first one, and how many.
    pub const fn of_task(&self, task: usize) -> (usize, usize) {
        let (begin, end) = if task < self.blocks {
            (task * self.share, task * self.share + self.first)
        } else {
            ((task - self.blocks) * self.share + self.first, (task - self.blocks + 1) * self.share)
        };
        let (begin, end) = (if begin < self.n { begin } else { self.n }, if end < self.n { end } else { self.n });
        (begin, end - begin)
    }
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
