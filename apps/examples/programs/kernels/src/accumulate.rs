//! `accumulate`: adding numbers to those of another PE, as a task and as a kernel that the target's CPU launches.

use cushmem_device::DevPtr;

/// How a kernel puts numbers that tasks add.
#[derive(Clone, Copy)]
pub struct Parts {
    /// How many numbers there are.
    n: usize,
    /// How many a block puts.
    share: usize,
    /// Where the second task of a share begins, and the third one; the end of the share if it has none.
    cuts: [usize; 2],
    /// How many blocks put.
    pub blocks: usize,
    /// How many tasks add.
    pub tasks: usize,
}

impl Parts {
    /// Tasks that come at the same time are taken one after another, so there are few blocks: 8 put as fast as a link
    /// of an H200 is, and 16 faster. None puts so few numbers that their way does not pay off. A long share has two or
    /// three tasks: the first ones add most of the numbers while the others come; those are few, as nothing comes while
    /// they are added.
    pub const fn of(n: usize) -> Self {
        let share = match n {
            0..=0x2_0000 => 8192,
            0x2_0001..=0x4_0000 => n.div_ceil(16),
            0x4_0001..=0x10_0000 => n.div_ceil(8),
            0x10_0001..=0x20_0000 => 0x2_0000,
            _ => n.div_ceil(16),
        };
        let blocks = n.div_ceil(share);
        let tenth = share / 10;
        let (cuts, each) = match share {
            0..=0x4000 => ([share; 2], 1),
            0x4001..=0x1_0000 => ([7 * tenth, share], 2),
            _ => ([5 * tenth, 8 * tenth], 3),
        };
        Self { n, share, cuts, blocks, tasks: each * blocks }
    }

    /// Which numbers a task adds: the first one, and how many.
    pub const fn of_task(&self, task: usize) -> (usize, usize) {
        let [second, third] = self.cuts;
        let (before, from, until) = if task < self.blocks {
            (0, 0, second)
        } else if task < 2 * self.blocks {
            (self.blocks, second, third)
        } else {
            (2 * self.blocks, third, self.share)
        };
        let share = (task - before) * self.share;
        let (begin, end) = (share + from, share + until);
        let (begin, end) = (if begin < self.n { begin } else { self.n }, if end < self.n { end } else { self.n });
        (begin, end - begin)
    }
}

/// Numbers that a lane adds at once, because each load waits for memory.
const AT_ONCE: usize = 8;

/// Adds `n` numbers to sums: of `lanes` lanes, this one takes each `lanes`th.
///
/// # Safety
/// `sums` and `numbers` have `n` elements.
#[inline(always)]
pub(crate) unsafe fn add(sums: DevPtr<u64>, numbers: DevPtr<u64>, n: usize, lane: usize, lanes: usize) {
    let mut i = lane;
    while i + (AT_ONCE - 1) * lanes < n {
        let (mut old, mut new, mut which) = ([0; AT_ONCE], [0; AT_ONCE], 0);
        while which < AT_ONCE {
            let at = i + which * lanes;
            // SAFETY: the caller guarantees the elements.
            (old[which], new[which]) = unsafe { (sums.add(at).read(), numbers.add(at).read()) };
            which += 1;
        }
        let mut which = 0;
        while which < AT_ONCE {
            // SAFETY: the caller guarantees the elements.
            unsafe { sums.add(i + which * lanes).write(old[which].wrapping_add(new[which])) };
            which += 1;
        }
        i += AT_ONCE * lanes;
    }
    while i < n {
        // SAFETY: the caller guarantees the elements.
        unsafe { sums.add(i).write(sums.add(i).read().wrapping_add(numbers.add(i).read())) };
        i += lanes;
    }
}
