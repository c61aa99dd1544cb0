//! Operations that a stream hands to the proxy, because neither its copy engine nor a kernel can carry them out: those
//! on pageable memory or on globals.
//!
//! ```text
//!   pinned words by slot      asked: number of the operation  ◀── the stream, when it has come so far   ──▶ the proxy
//!                             done:  number of the operation  ◀── the proxy, when it is complete        ──▶ the stream, which is held until then
//! ```
//!
//! * *Why a slot can be reused* as soon as its operation is complete, even if the stream has not seen that yet: both
//!   words only grow, by one for each operation. The stream waits until `done` has reached its number, so a later
//!   number lets it pass as well. A later `asked` is written only by a stream that has reached its own operation, and
//!   by then the previous stream has asked.
//! * *The proxy looks at all waiting operations* in each round: 64 take 0.1 µs, and a thousand take 7 µs. Only the
//!   first one of each stream can be due, so lists by stream would pay off only where a program leaves hundreds of
//!   operations to the CPU before it waits.
//! * *When all slots are taken*, the thread that would hand over one more operation waits for a slot. Streams that are
//!   held until that thread does something would wait for ever, so the wait is reported like any other.
//! * *When the GPU fails*, its streams ask for nothing any more, and the operations are dropped at the end of the job.

use crate::error::{Error, Result};
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use crate::sync::spin::WaitPolicy;
use crate::transfer::operation::PreparedOp;
use cushmem_bootstrap::waits::Wait;
use cushmem_gpu::{Gpu, Stream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The most operations that streams have enqueued and that are not complete.
const MOST: usize = 1024;
/// A thread that waits for a slot asks the GPU for errors once in this many looks.
const LOOKS: u32 = 256;

/// An operation in its slot.
pub(super) struct StreamOp {
    pub(super) runs: PreparedOp,
    slot: usize,
    number: u64,
}

#[derive(Default)]
struct Slots {
    /// Free slots, with the number of each one's last operation; slots beyond these were never used.
    free: Vec<(usize, u64)>,
    used: usize,
    /// Operations that their streams have not reached.
    waiting: Vec<StreamOp>,
}

/// All operations of a PE that were handed over.
#[derive(Default)]
pub(super) struct StreamOps {
    words: OnceLock<PinnedWords>,
    slots: Mutex<Slots>,
    /// How many are waiting.
    waiting: AtomicUsize,
}

impl StreamOps {
    fn slots(&self) -> MutexGuard<'_, Slots> {
        // Each change is one call of a vector, so a panic elsewhere leaves it consistent.
        locked(&self.slots)
    }

    /// A free slot, and the number of its last operation.
    fn free_slot(slots: &mut Slots) -> Option<(usize, u64)> {
        let found = slots.free.pop().or_else(|| (slots.used < MOST).then_some((slots.used, 0)))?;
        slots.used = slots.used.max(found.0 + 1);
        Some(found)
    }

    /// Has the stream hand over an operation and wait for its end.
    pub(super) fn hand_over(
        &self,
        wait_policy: &WaitPolicy,
        gpu: &Arc<dyn Gpu>,
        stream: &dyn Stream,
        runs: PreparedOp,
    ) -> Result<()> {
        let operation = "hand an operation of a stream to the CPU";
        let mut slots = self.slots();
        if self.words.get().is_none() {
            let _ = self.words.set(PinnedWords::create(gpu, 2 * MOST)?);
        }
        let words = self.words.get().expect("they were made above");
        let (slot, last) = match Self::free_slot(&mut slots) {
            Some(free) => free,
            None => {
                drop(slots);
                let free = self.wait_for_slot(wait_policy, stream).map_err(Error::of(operation))?;
                slots = self.slots();
                free
            }
        };
        let number = last + 1;
        // The proxy must find it before the stream asks for it.
        slots.waiting.push(StreamOp { runs, slot, number });
        // Relaxed: the lock orders the list itself.
        self.waiting.store(slots.waiting.len(), Ordering::Relaxed);
        // The driver may wait here, for room in the stream or for another thread's call, until the proxy has made
        // progress.
        drop(slots);
        // SAFETY: a word of the library's own pinned memory, which lives until no stream runs any more, and is only
        // used as an atomic.
        if let Err(error) = unsafe { stream.write_word(words.address(2 * slot), number) } {
            // The stream will not ask, so the slot is unchanged.
            let mut slots = self.slots();
            slots.waiting.retain(|op| op.slot != slot);
            slots.free.push((slot, last));
            // Relaxed: as above.
            self.waiting.store(slots.waiting.len(), Ordering::Relaxed);
            return Err(Error::of(operation)(error));
        }
        // SAFETY: another such word, which lives as long. If it fails, the stream still asks, but does not wait.
        unsafe { stream.wait_word(words.address(2 * slot + 1), number) }.map_err(Error::of(operation))
    }

    /// Waits until an operation is complete, and takes its slot.
    #[cold]
    fn wait_for_slot(&self, wait_policy: &WaitPolicy, stream: &dyn Stream) -> cushmem_gpu::Result<(usize, u64)> {
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            let found = Self::free_slot(&mut self.slots()).map(Ok);
            found.or_else(|| if looks.is_multiple_of(LOOKS) { stream.is_idle().err().map(Err) } else { None })
        };
        let what =
            || Wait { what: format!("room beside {MOST} operations that streams left to the CPU"), late: vec![] };
        wait_policy.wait_for_gpu(look, what)
    }

    /// Whether streams have such operations enqueued.
    pub(super) fn are_awaited(&self) -> bool {
        // Relaxed: only a hint how long to nap.
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Takes the operations that their streams have reached.
    pub(super) fn take(&self) -> Vec<StreamOp> {
        // Relaxed: whoever enqueued one has published it through the lock, and its stream asks later.
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return vec![];
        }
        let Some(words) = self.words.get() else { return vec![] };
        let mut slots = self.slots();
        // SYNC(stream-asks) acquire: pairs with the stream's write; orders what the stream did before.
        let asked = |op: &mut StreamOp| words.word(2 * op.slot).load(Ordering::Acquire) >= op.number;
        let taken = slots.waiting.extract_if(.., asked).collect();
        // Relaxed: as above.
        self.waiting.store(slots.waiting.len(), Ordering::Relaxed);
        taken
    }

    /// Completes an operation: its stream continues.
    pub(super) fn finish(&self, op: &StreamOp) {
        let words = self.words.get().expect("it was handed over");
        // SYNC(stream-asks) release: orders what the operation did before the stream, and whatever is enqueued behind,
        // continues.
        words.word(2 * op.slot + 1).store(op.number, Ordering::Release);
        self.slots().free.push((op.slot, op.number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Pe;
    use crate::transfer::operation::PreparedKind;
    use cushmem_gpu::soft::SoftGpu;
    use std::time::{Duration, Instant};

    fn policy() -> WaitPolicy {
        WaitPolicy::new(0, true, false, Duration::from_secs(60))
    }

    /// Catches an operation that is started before its stream has reached it, or twice, and a stream that is released
    /// by the operation of another one.
    #[test]
    fn a_stream_waits_for_its_own_operation() {
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let [first, second] = [(); 2].map(|()| gpu.create_stream().expect("a stream"));
        let all = StreamOps::default();
        let nothing = || PreparedOp { what: PreparedKind::Get(None), pe: Pe::member(0) };
        let gate = PinnedWords::create(&gpu, 1).expect("a word");
        for round in 1..=3 {
            // SAFETY: the word lives until the streams have been synchronised.
            unsafe { first.wait_word(gate.address(0), round) }.expect("wait");
            all.hand_over(&policy(), &gpu, &*first, nothing()).expect("hand over");
            all.hand_over(&policy(), &gpu, &*second, nothing()).expect("hand over");
            let take = || loop {
                let taken = all.take();
                if !taken.is_empty() {
                    return taken;
                }
                std::thread::yield_now();
            };
            let taken = take();
            assert_eq!(taken.len(), 1, "the first stream is held");
            all.finish(&taken[0]);
            second.synchronize().expect("the second stream goes on");
            assert!(!first.is_idle().expect("query") && all.take().is_empty());
            gate.word(0).store(round, Ordering::Release);
            all.finish(&take()[0]);
            first.synchronize().expect("the first stream goes on");
        }
        assert_eq!(all.slots().used, 2, "slots are used again");
    }

    /// Catches an operation that is started though its stream never reached it because the GPU failed, and one that is
    /// lost without an error.
    #[test]
    fn a_gpu_that_fails_asks_for_nothing() {
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let [held, other] = [(); 2].map(|()| gpu.create_stream().expect("a stream"));
        let (all, gate) = (StreamOps::default(), PinnedWords::create(&gpu, 1).expect("a word"));
        let nothing = || PreparedOp { what: PreparedKind::Get(None), pe: Pe::member(0) };
        let gone = gpu.alloc(4096).expect("alloc");
        gpu.free(gone).expect("free");
        // SAFETY: the word lives until the streams have been synchronised.
        unsafe { held.wait_word(gate.address(0), 1) }.expect("wait");
        all.hand_over(&policy(), &gpu, &*held, nothing()).expect("hand over");
        // SAFETY: the source was given back, so nothing is copied, and the stream fails.
        unsafe { other.copy(gate.address(0), gone, 8) }.expect("it is found when the stream comes to it");
        other.synchronize().expect_err("nothing is there");
        held.synchronize().expect_err("the GPU is lost");
        assert!(all.take().is_empty(), "its stream has not come to it");
        let error = all.hand_over(&policy(), &gpu, &*held, nothing()).expect_err("the GPU is lost").to_string();
        assert!(error.starts_with("hand an operation of a stream to the CPU: "), "{error}");
        assert!(all.take().is_empty() && all.are_awaited());
    }

    /// Two threads hand over, each on its own stream, while a third takes. Catches an operation that is lost or taken
    /// twice, and slots that are not reused.
    #[test]
    fn threads_hand_over_at_once() {
        const LIMIT: Duration = Duration::from_secs(60);
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let all = StreamOps::default();
        let mut counts = [0; 2];
        std::thread::scope(|scope| {
            for number in 0..2 {
                let (gpu, all) = (&gpu, &all);
                scope.spawn(move || {
                    let stream = gpu.create_stream().expect("a stream");
                    for _ in 0..20 {
                        for _ in 0..50 {
                            let operation = PreparedOp { what: PreparedKind::Get(None), pe: Pe::member(number) };
                            all.hand_over(&policy(), gpu, &*stream, operation).expect("hand over");
                        }
                        stream.synchronize().expect("the stream goes on");
                    }
                });
            }
            let start = Instant::now();
            while counts.iter().sum::<usize>() < 2000 {
                assert!(start.elapsed() < LIMIT, "{counts:?}");
                for op in all.take() {
                    counts[op.runs.pe.index()] += 1;
                    all.finish(&op);
                }
                std::thread::yield_now();
            }
        });
        assert_eq!(counts, [1000; 2]);
        assert!(all.take().is_empty() && all.slots().used <= 100, "slots are used again");
    }

    /// Catches a program that gets an error because it enqueues more operations than there are slots before its streams
    /// have come to them, and a wait for a slot that nobody can see.
    #[test]
    fn the_operation_for_which_there_is_no_slot_waits() {
        const LIMIT: Duration = Duration::from_secs(60);
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let (stream, gate) = (gpu.create_stream().expect("a stream"), PinnedWords::create(&gpu, 1).expect("a word"));
        let all = StreamOps::default();
        let nothing = || PreparedOp { what: PreparedKind::Get(None), pe: Pe::member(0) };
        // SAFETY: the word lives until the stream has been synchronised.
        unsafe { stream.wait_word(gate.address(0), 1) }.expect("wait");
        for _ in 0..MOST {
            all.hand_over(&policy(), &gpu, &*stream, nothing()).expect("there is a slot");
        }
        std::thread::scope(|scope| {
            let late = scope.spawn(|| all.hand_over(&policy(), &gpu, &*stream, nothing()));
            let start = Instant::now();
            let says_so = || cushmem_bootstrap::waits::describe().contains("room beside 1024 operations");
            let mut waits = says_so();
            while !waits && !late.is_finished() && start.elapsed() < LIMIT {
                std::thread::yield_now();
                waits = says_so();
            }
            gate.word(0).store(1, Ordering::Release);
            let mut finished = 0;
            while finished <= MOST && start.elapsed() < 2 * LIMIT {
                for op in all.take() {
                    all.finish(&op);
                    finished += 1;
                }
                std::thread::yield_now();
            }
            late.join().expect("no panic").expect("it gets a slot");
            assert!(waits && finished == MOST + 1, "{finished} are complete");
        });
        stream.synchronize().expect("all are complete");
        assert_eq!(all.slots().used, MOST, "slots are used again");
    }
}
