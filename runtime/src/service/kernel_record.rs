//! What this PE's kernels record of their operations, for the timeline: a [`KernelRecord`] in GPU memory, and behind it
//! one of the GPU agent. They are read when the PE leaves the job.
//!
//! *Clocks.* Kernels have the GPU's clock, everything else the monotonic one. Both are read together when the GPU
//! starts and when the record is read ([`Reading`]), so that a difference and a drift are known, and by how much they
//! may be wrong.

use super::Services;
use crate::error::{Error, Result};
use crate::job::record;
use crate::sync::pinned::PinnedWords;
use crate::transport::library::Library;
use cushmem_abi::{KernelEvent, KernelOperation, KernelRecord, KernelWork};
use cushmem_device::DevPtr;
use cushmem_environment::log;
use cushmem_gpu::{Gpu, GpuError, Grid, LaunchKind};
use cushmem_kernels::stream_clock;
use cushmem_record::Recorder;
use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The most events that are kept in each of the two, of a timeline with four times as many at least.
const MOST_SLOTS: usize = 1 << 16;
/// How often both clocks are read together, of which the fastest time counts.
const READINGS: u64 = 32;
/// How long one of these may take. Another process may keep the GPU busy.
const LIMIT: Duration = Duration::from_millis(500);

/// Both clocks at one time, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    gpu: u64,
    host: u64,
    /// By how much the host's time may be wrong.
    error: u64,
}

/// The records in GPU memory.
pub(super) struct InGpu {
    address: u64,
    slots: usize,
    library: Library,
    begun: Reading,
}

impl Services {
    /// Makes room for the records, if there is a timeline and its user wants kernels in it; otherwise the address is 0.
    /// Returns the address, of how many blocks the first one records, the number of slots of each, and the bytes at the
    /// start.
    pub(super) fn make_kernel_record(
        &self,
        operation: &'static str,
        gpu: &dyn Gpu,
    ) -> Result<(u64, [u32; 2], Vec<u8>)> {
        let slots = record::active().map_or(0, |recorder| recorder.slots() / 4).min(MOST_SLOTS);
        let every = cushmem_environment::trace_blocks()?;
        if slots == 0 || every == 0 {
            return Ok((0, [1, 1], vec![]));
        }
        let slots = 1 << slots.ilog2();
        let empty = vec![0; 2 * KernelRecord::bytes(slots)];
        let address = gpu.alloc(empty.len() as u64).map_err(Error::of(operation))?;
        Ok((address, [every, slots as u32], empty))
    }

    /// Kernels may record from now on. Without the times of both clocks they do so in vain, and a line says it.
    pub(super) fn begin_kernel_record(&self, (address, slots): (u64, u32), gpu: &Arc<dyn Gpu>, library: &Library) {
        if address == 0 {
            return;
        }
        let slots = slots as usize;
        match read_clocks(gpu, library) {
            Ok(begun) => drop(self.kernel_record.set(InGpu { address, slots, library: library.clone(), begun })),
            Err(why) => self.say_that_kernels_are_missing(&why),
        }
    }

    /// Puts what kernels have recorded into the timeline. Only the GPU agent may still run, for other PEs: what it does
    /// from now on is in no timeline.
    pub(crate) fn end_kernel_record(&self) {
        let (Some(InGpu { address, slots, library, begun }), Some(recorder)) =
            (self.kernel_record.get(), record::active())
        else {
            return;
        };
        let read = || -> Result<()> {
            let gpu = self.memory().own_gpu("read what kernels have recorded")?.clone();
            // The agent may have carried out this PE's last commands just now.
            gpu.synchronize().map_err(Error::of("wait for the GPU agent"))?;
            let ended = read_clocks(&gpu, library)?;
            let bytes = KernelRecord::bytes(*slots);
            let mut words = vec![0u64; 2 * bytes / 8];
            // SAFETY: the records have that many bytes, and the words live until the copy is complete.
            unsafe {
                let to = words.as_mut_ptr().expose_provenance() as u64;
                self.transfers.copy_and_wait(to, *address, 2 * bytes)?;
            }
            let clock = Clock { begun: *begun, ended };
            words.chunks_exact(bytes / 8).for_each(|words| self.put_into_timeline(recorder, words, &clock));
            Ok(())
        };
        if let Err(why) = read() {
            self.say_that_kernels_are_missing(&why);
        }
    }

    /// Puts the events of a record into the timeline.
    fn put_into_timeline(&self, recorder: &Recorder, words: &[u64], clock: &Clock) {
        let (head, slots) = words.split_at(size_of::<KernelRecord>() / 8);
        let slots = slots.chunks_exact(size_of::<KernelEvent>() / 8);
        let event = |words: &[u64]| {
            let event = KernelEvent::of_words(words.try_into().expect("six words"))?;
            let work = KernelWork::of_bits(event.what);
            Some((event, work, KernelOperation::of_number(work.operation)?))
        };
        let mut events: Vec<_> = slots.filter_map(event).collect();
        events.sort_by_key(|(event, ..)| event.from);
        // The agent may have carried out more for other PEs since the head was read.
        let dropped = head[offset_of!(KernelRecord, taken) / 8].saturating_sub(events.len() as u64);
        recorder.kernels_recorded(dropped, clock.error());
        for (event, KernelWork { warp, block, pe, .. }, operation) in events {
            let KernelEvent { from, bytes, word, .. } = event;
            let (subject, pe) = if KernelWork::server(block, warp).is_some() {
                (None, self.memory().pe_of(word))
            } else {
                let subject = (word != 0).then(|| self.memory().place_of_word(word as usize)).flatten();
                (subject, Some(pe).filter(|pe| *pe != KernelWork::NO_PE))
            };
            let times = (clock.host(from), clock.host(event.until()));
            recorder.in_kernel(operation, (bytes, pe, subject.map(|at| at.recorded())), times, (block, warp));
        }
    }

    fn say_that_kernels_are_missing(&self, why: &Error) {
        log!(Warn, "PE {}: the timeline lacks what its kernels have done: {why}", self.job().my_pe());
    }
}

/// Reads both clocks together, several times: a kernel answers with its time, between two times of the host.
fn read_clocks(gpu: &Arc<dyn Gpu>, library: &Library) -> Result<Reading> {
    let failed = || Error::of("compare the clock of the GPU");
    let stream = gpu.create_stream().map_err(failed())?;
    let words = PinnedWords::create(gpu, 3)?;
    let arguments = (DevPtr::from_address(words.address(0)), READINGS);
    // SAFETY: the words live until the kernel has ended, which it does at a limit of its own.
    unsafe { library.launch(&*stream, stream_clock, Grid::linear(1, 1), LaunchKind::Plain, arguments) }
        .map_err(failed())?;
    let mut best: Option<Reading> = None;
    for number in 1..=READINGS {
        let (from, start) = (record::now(), Instant::now());
        // SYNC(clock-read) release: the kernel acquires the number.
        words.word(0).store(number, Ordering::Release);
        // SYNC(clock-read) acquire: pairs with the release of the kernel, which has stored the time before.
        while words.word(1).load(Ordering::Acquire) != number {
            if start.elapsed() > LIMIT {
                stream.synchronize().map_err(failed())?;
                return Err(failed()(GpuError::new("read its clock", "it does not answer")));
            }
            // The worker of an emulated stream needs a core too.
            std::thread::yield_now();
        }
        // Relaxed: the acquire above orders it.
        let (until, gpu) = (record::now(), words.word(2).load(Ordering::Relaxed));
        let error = (until - from).div_ceil(2);
        if best.is_none_or(|best| error < best.error) {
            best = Some(Reading { gpu, host: from + (until - from) / 2, error });
        }
    }
    stream.synchronize().map_err(failed())?;
    best.ok_or_else(|| failed()(GpuError::new("read its clock", "it was not asked")))
}

/// The clock of a GPU, by two readings.
struct Clock {
    begun: Reading,
    ended: Reading,
}

impl Clock {
    /// The monotonic clock at a time of the GPU's.
    fn host(&self, gpu: u64) -> u64 {
        let there = self.ended.gpu.abs_diff(self.begun.gpu).max(1) as f64;
        let here = self.ended.host.saturating_sub(self.begun.host) as f64;
        let since = gpu.wrapping_sub(self.begun.gpu).cast_signed() as f64;
        self.begun.host.saturating_add_signed((since * here / there) as i64)
    }

    /// By how much times between both readings may be wrong.
    fn error(&self) -> u64 {
        self.begun.error.max(self.ended.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a drift that is not taken out, and times before the first reading.
    #[test]
    fn times_lie_between_both_readings() {
        let begun = Reading { gpu: 1_000_000, host: 5_000, error: 700 };
        let ended = Reading { gpu: 2_000_000, host: 1_004_000, error: 900 };
        let clock = Clock { begun, ended };
        assert_eq!([1_000_000, 1_500_000, 2_000_000].map(|at| clock.host(at)), [5_000, 504_500, 1_004_000]);
        assert_eq!((clock.host(999_000), clock.host(0), clock.error()), (4_001, 0, 900));
    }
}
