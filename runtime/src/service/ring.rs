//! The half of the command ring that lies in this PE's host memory: what the lanes of its kernels ask of the CPU, and
//! the results. [`cushmem_protocol::ring`] has the protocol. A forked child shares the memory but does not touch it,
//! because it has no proxy.

use crate::error::Result;
use crate::sync::pinned::PinnedWords;
use cushmem_abi::{
    CHUNK_BYTES, ContextDone, HostRing, RING_CHUNKS, RING_CONTEXTS, RING_REPLIES, RING_SLOTS, SLOT_WORDS,
};
use cushmem_gpu::Gpu;
use cushmem_protocol::ring::{Command, Taking, WORDS, encode_reply, lap, words_of};
use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The memory of the ring, and how far this process has worked through it.
pub(crate) struct CommandRing {
    words: PinnedWords,
    /// How many commands the proxy has taken and, below, how many are complete, for other threads of this process.
    taken: AtomicU64,
    completed: AtomicU64,
}

impl CommandRing {
    pub(crate) fn create(gpu: &Arc<dyn Gpu>) -> Result<Self> {
        let words = PinnedWords::create(gpu, size_of::<HostRing>() / 8)?;
        Ok(Self { words, taken: AtomicU64::new(0), completed: AtomicU64::new(0) })
    }

    /// The address of the ring for kernels.
    pub(crate) fn address(&self) -> u64 {
        self.words.address(0)
    }

    #[inline]
    fn word(&self, offset: usize) -> &AtomicU64 {
        debug_assert!(offset.is_multiple_of(8));
        self.words.word(offset / 8)
    }

    /// Records that the proxy has taken all commands below this ticket.
    pub(crate) fn take_until(&self, ticket: u64) {
        // SYNC(commands-taken) release: pairs with the acquire in `pending`.
        self.taken.store(ticket, Ordering::Release);
    }

    /// Records that all commands below this ticket are complete.
    pub(crate) fn complete_until(&self, ticket: u64) {
        // SYNC(commands-taken) release: pairs with the acquire in `has_completed`.
        self.completed.store(ticket, Ordering::Release);
    }

    /// The ticket below which everything must be complete so that all commands that kernels had posted before this call
    /// are; `None` if they already are.
    ///
    /// This covers the commands that were taken and those in the slots behind them. Lanes of a running kernel may have
    /// taken a ticket without having stored their slot yet. If there can be such `gaps`, all slots are examined,
    /// because a kernel that has ended may have stored its command behind a gap; otherwise the first empty slot is the
    /// end. A slot that is reused during this search belongs to a command that was taken in the meantime. The count of
    /// taken commands is written before lanes may reuse the slots, so reading the count again at the end covers such a
    /// command.
    pub(crate) fn pending(&self, gaps: bool) -> Option<u64> {
        let first = self.taken();
        let slots = first..first + RING_SLOTS as u64;
        let is_there = |ticket: &u64| self.load(ticket % RING_SLOTS as u64, 0) & 1 == lap(*ticket, RING_SLOTS as u64);
        let end = match gaps {
            false => slots.clone().find(|ticket| !is_there(ticket)).unwrap_or(slots.end),
            true => slots.rev().find(is_there).map_or(first, |last| last + 1),
        };
        let end = end.max(self.taken());
        (!self.has_completed(end)).then_some(end)
    }

    /// How many commands the proxy has taken.
    pub(crate) fn taken(&self) -> u64 {
        // SYNC(commands-taken) acquire: pairs with the release in `take_until`.
        self.taken.load(Ordering::Acquire)
    }

    /// The head of the last command that was taken, unless there is another one in its slot already.
    pub(crate) fn last_taken(&self) -> Option<u64> {
        self.head(self.taken().checked_sub(1)?)
    }

    /// The head of the next command, if it is there.
    pub(crate) fn next(&self) -> Option<u64> {
        self.head(self.taken())
    }

    #[inline]
    fn load(&self, slot: u64, word: usize) -> u64 {
        let at = offset_of!(HostRing, slots) + slot as usize * 8 * SLOT_WORDS + 8 * word;
        // SYNC(command-ring) acquire: pairs with the kernel's fence before it posts a command that names memory.
        self.word(at).load(Ordering::Acquire)
    }

    /// A hint that this slot will be polled soon.
    #[inline]
    fn prefetch(&self, slot: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let at = offset_of!(HostRing, slots) + slot as usize * 8 * SLOT_WORDS;
            // SAFETY: a hint, for a cache line that exists.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.word(at)).cast()) };
        }
    }

    fn head(&self, ticket: u64) -> Option<u64> {
        let words = std::array::from_fn(|word| self.load(ticket % RING_SLOTS as u64, word));
        Command::decode(&words, lap(ticket, RING_SLOTS as u64)).map(|command| command.head)
    }

    /// Whether every slot has a command that the proxy has not taken.
    pub(crate) fn is_full(&self) -> bool {
        let first = self.taken();
        let slots = RING_SLOTS as u64;
        (first..first + slots).all(|ticket| self.load(ticket % slots, 0) & 1 == lap(ticket, slots))
    }

    /// Whether all commands below this ticket are complete.
    pub(crate) fn has_completed(&self, ticket: u64) -> bool {
        // SYNC(commands-taken) acquire: pairs with the release in `complete_until`.
        self.completed.load(Ordering::Acquire) >= ticket
    }

    /// Tells lanes that all commands of a context below this ticket are complete.
    pub(crate) fn publish_done(&self, context: usize, ticket: u64) {
        assert!(context < RING_CONTEXTS);
        // SYNC(command-ring) release: pairs with the acquire in the kernel's `complete`; orders what the commands did
        // before.
        self.word(offset_of!(HostRing, done) + context * size_of::<ContextDone>()).store(ticket, Ordering::Release);
    }

    /// The address of a chunk.
    pub(crate) fn chunk(&self, chunk: usize) -> usize {
        assert!(chunk < RING_CHUNKS);
        self.address() as usize + offset_of!(HostRing, chunks) + chunk * CHUNK_BYTES
    }

    /// Tells lanes that the chunks of all tickets below this one are free.
    pub(crate) fn publish_freed(&self, tickets: u64) {
        // SYNC(command-ring) release: pairs with the acquire in the kernel's `look_at_freed`; orders the copies from
        // the chunks, and what lanes read in them, before it.
        self.word(offset_of!(HostRing, freed)).store(tickets, Ordering::Release);
    }

    /// Gives a lane the result of its operation.
    pub(crate) fn reply(&self, ticket: u64, found: u64) {
        let at = offset_of!(HostRing, replies) + (ticket % RING_REPLIES as u64) as usize * 16;
        for (i, word) in encode_reply(found, ticket, RING_REPLIES as u64).into_iter().enumerate() {
            // SYNC(command-reply) release: orders the operation before it. Pairs with the fence or quiet of the lane
            // that has the reply, after which that lane informs others.
            self.word(at + 8 * i).store(word, Ordering::Release);
        }
    }
}

impl Taking for CommandRing {
    fn slots(&self) -> u64 {
        RING_SLOTS as u64
    }
    #[inline]
    fn words(&self, slot: u64, lap: u64) -> Option<[u64; WORDS]> {
        let load = |word| {
            if word == 1 {
                // There is a command in this slot.
                self.prefetch((slot + 1) % RING_SLOTS as u64);
            }
            self.load(slot, word)
        };
        words_of(load, lap)
    }
    fn publish_read(&self, tickets: u64) {
        self.take_until(tickets);
        // SYNC(command-ring) release: pairs with the acquire in the kernel's `look_at_read`.
        self.word(offset_of!(HostRing, read)).store(tickets, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_gpu::soft::SoftGpu;
    use cushmem_protocol::ring::Reader;

    fn ring() -> CommandRing {
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        CommandRing::create(&gpu).expect("a ring")
    }

    fn post(ring: &CommandRing, ticket: u64) {
        let words = Command::default().encode(lap(ticket, RING_SLOTS as u64));
        for (i, word) in words.into_iter().enumerate() {
            let at = (ticket % RING_SLOTS as u64) as usize * 8 * SLOT_WORDS + 8 * i;
            ring.word(offset_of!(HostRing, slots) + at).store(word, Ordering::Relaxed);
        }
    }

    /// Catches a quiet that does not wait for a command that was posted, taken, or is being carried out, and one that
    /// waits for nothing.
    #[test]
    fn what_is_pending_is_what_was_posted() {
        let (ring, mut reader) = (ring(), Reader::default());
        assert_eq!(ring.pending(false), None);
        (0..3).for_each(|ticket| post(&ring, ticket));
        assert_eq!(ring.pending(false), Some(3));
        for ticket in 0..3 {
            assert_eq!(reader.take(&ring).map(|(taken, _)| taken), Some(ticket));
            ring.take_until(ticket + 1);
            assert_eq!(ring.pending(false), Some(3), "it is not complete");
        }
        ring.complete_until(3);
        assert_eq!(ring.pending(false), None);
    }

    /// Catches a slot that is reused before the count of taken commands shows it: the search would miss what follows
    /// it.
    #[test]
    fn a_slot_that_is_used_again_hides_nothing() {
        let (ring, mut reader) = (ring(), Reader::default());
        let (slots, quarter) = (RING_SLOTS as u64, RING_SLOTS as u64 / 4);
        (0..slots).for_each(|ticket| post(&ring, ticket));
        for ticket in 0..quarter {
            assert!(reader.take(&ring).is_some());
            if ticket + 1 < quarter {
                ring.take_until(ticket + 1);
            }
        }
        // The proxy has let lanes reuse the slots, but has not recorded its last command as taken.
        (slots..slots + quarter).for_each(|ticket| post(&ring, ticket));
        assert_eq!(ring.pending(false), Some(slots + quarter));
    }

    /// Catches a command of a kernel that has ended that is not waited for because a lane of another kernel has not
    /// stored its slot yet, and a command of the previous lap that is mistaken for a new one.
    #[test]
    fn a_slot_that_is_not_there_hides_nothing() {
        let (ring, mut reader) = (ring(), Reader::default());
        for lap in 0..3 {
            let first = lap * RING_SLOTS as u64;
            assert_eq!(ring.pending(true), None);
            post(&ring, first + 1);
            assert_eq!(ring.pending(false), None, "without gaps nobody looks behind the first");
            assert_eq!(ring.pending(true), Some(first + 2));
            post(&ring, first + RING_SLOTS as u64 - 1);
            assert_eq!(ring.pending(true), Some(first + RING_SLOTS as u64));
            (first..first + RING_SLOTS as u64).for_each(|ticket| post(&ring, ticket));
            while let Some((ticket, _)) = reader.take(&ring) {
                ring.take_until(ticket + 1);
                ring.complete_until(ticket + 1);
            }
        }
    }
}
