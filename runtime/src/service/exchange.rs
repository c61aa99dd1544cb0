//! Exchanges of signals on streams: in one kernel, a PE tells some PEs that its stream is there, and waits until others
//! have told it the same.
//!
//! * *Words*: PE `a` adds 1 to the word of number `a` of each PE that it tells, and takes 1 from its own word of number
//!   `b` when it has waited for PE `b`. So a word counts the signals that were sent and not yet waited for. Only one PE
//!   adds to it, and only its own PE takes away, after it has seen more than 0. No signal is lost, whichever PE comes
//!   first and however far ahead it is, and nothing has to be reset between exchanges or replays of a graph.
//! * *Order*: the kernel fences before it tells, as that of a signal does, and acquires what it waits for.
//! * *Many PEs*: a kernel has a lane for each of 64 PEs. An exchange with PEs further apart needs several kernels. The
//!   first ones only tell, and the others only wait, so none waits for what comes behind it on its own stream.

use super::Services;
use super::on_stream::Queue;
use crate::error::ArgumentError;
use crate::job::Pe;
use crate::memory::{At, Segment};
use cushmem_gpu::Grid;
use cushmem_kernels as kernels;

/// Lanes of a kernel, which have a bit each.
const LANES: u32 = u64::BITS;

/// What a kernel does: the first of its PEs, whom of them it tells, and for whom it waits.
type Part = (u32, u64, u64);

impl Services {
    /// Enqueues an exchange: tells the PEs in `to`, and waits for those in `from`. The words are at `sigs`, one for
    /// each PE of the job.
    pub(crate) fn exchange_on_stream(
        &self,
        queue: &Queue<'_>,
        sigs: At,
        to: &[Pe],
        from: &[Pe],
    ) -> Result<(), ArgumentError> {
        if sigs.segment != Segment::Gpu {
            // A kernel would leave the sums of host memory to the CPU, and end before they are made.
            return Err(ArgumentError::Global("is not in the GPU heap, where streams exchange signals".into()));
        }
        for pe in to.iter().copied().chain([self.job().me()]) {
            self.transfers.reaches_word(sigs, size_of::<u64>(), pe)?;
        }
        let numbers = [to, from].map(|pes| pes.iter().map(|pe| pe.number()).collect::<Vec<_>>());
        for (first, to, from) in parts(&numbers[0], &numbers[1]) {
            let lanes = (self.job().n_pes() - first).min(LANES);
            let args = (self.own_pointer(sigs), first, to, from);
            // SAFETY: there is a word for each PE, which the caller has checked.
            unsafe { self.launch(queue, kernels::stream_exchange, Grid::linear(1, lanes), args)? };
        }
        Ok(())
    }
}

/// The kernels of an exchange, in their order. A PE that a list names twice counts once.
fn parts(to: &[u32], from: &[u32]) -> Vec<Part> {
    let mask = |pes: &[u32], first: u32| {
        let here = pes.iter().filter_map(|pe| pe.checked_sub(first)).filter(|lane| *lane < LANES);
        here.fold(0u64, |mask, lane| mask | 1 << lane)
    };
    let end = to.iter().chain(from).max().map_or(0, |last| last + 1);
    let all = (0..end).step_by(LANES as usize).map(|first| (first, mask(to, first), mask(from, first)));
    let all: Vec<Part> = all.filter(|(_, to, from)| to | from != 0).collect();
    if all.len() < 2 {
        return all;
    }
    let tell = all.iter().map(|&(first, to, _)| (first, to, 0));
    let wait = all.iter().map(|&(first, _, from)| (first, 0, from));
    tell.chain(wait).filter(|(_, to, from)| to | from != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches PEs that are left out or told twice, and kernels that wait before all were told.
    #[test]
    fn all_are_told_before_any_is_awaited() {
        assert_eq!(parts(&[], &[]), []);
        assert_eq!(parts(&[1, 3, 3], &[0, 63]), [(0, 0b1010, 1 << 63 | 1)]);
        assert_eq!(parts(&[64], &[65]), [(64, 1, 2)]);
        assert_eq!(parts(&[200, 1], &[130]), [(0, 2, 0), (192, 1 << 8, 0), (128, 0, 4)]);
        let others: Vec<u32> = (1..150).collect();
        let all = [(0, u64::MAX - 1), (64, u64::MAX), (128, (1 << 22) - 1)];
        let told = all.map(|(first, mask)| (first, mask, 0));
        let awaited = all.map(|(first, mask)| (first, 0, mask));
        assert_eq!(parts(&others, &others), [told, awaited].concat());
    }
}
