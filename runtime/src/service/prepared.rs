//! Operations that the program describes once, and that kernels, streams and triggers start by handle: its index in a
//! table, and the generation of the index.
//!
//! A kernel's command carries both, so that the handle of an operation that was freed is detected and ends the job,
//! like any invalid command. The proxy looks the operation up and issues it along the same common path as the CPU's own
//! operations.
//!
//! ```text
//!   pinned words by number    posted: how often a stream has posted it ◀── the stream     ──▶ the proxy, which looks at those of operations that a
//!                                                                                             stream has ever posted
//!                             completed: the epoch of a trigger that is complete ◀── proxy, CPU or stream, whoever ran it ──▶ whoever waits
//! ```
//!
//! *Posts of streams*: one stream posts an operation, in the stream's order, so the word `posted` only grows, and the
//! proxy carries out the operation as many times as the word has grown.

use super::Services;
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::memory::{At, Segment};
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use crate::transfer::context::{Context, ContextOptions};
use crate::transfer::operation::{PreparedKind, PreparedOp};
use crate::transfer::{Completion, Transfers};
use cushmem_abi::DevicePrepared;
use cushmem_bootstrap::waits::Wait;
use cushmem_record::Cause as Recorded;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The most prepared operations and triggers of a PE at a time.
const MOST: usize = 4096;

/// An operation in the table.
pub(crate) struct Entry {
    name: DevicePrepared,
    /// None for a trigger that bumps another one, which lanes do.
    operation: Option<PreparedOp>,
    is_trigger: bool,
    /// For a trigger: whether all its epochs are armed.
    always: AtomicBool,
    words: Arc<PinnedWords>,
    /// The stream that posts it.
    stream: OnceLock<usize>,
    /// The posts that were enqueued on the stream, those that the proxy has started, and those that are complete.
    asked: Mutex<u64>,
    begun: AtomicU64,
    done: AtomicU64,
}

impl Entry {
    /// The name, for kernels.
    pub(crate) fn name(&self) -> DevicePrepared {
        self.name
    }

    pub(crate) fn operation(&self) -> Option<&PreparedOp> {
        self.operation.as_ref()
    }

    pub(super) fn is_trigger(&self) -> bool {
        self.is_trigger
    }

    fn posted(&self) -> usize {
        2 * self.name.index as usize
    }

    /// The word in which a stream stores the epoch that is complete.
    pub(crate) fn completed_address(&self) -> u64 {
        self.words.address(self.posted() + 1)
    }

    /// The last complete epoch, not counting those that lanes ran.
    pub(crate) fn completed(&self) -> u64 {
        // SYNC(trigger-completed) acquire: pairs with the release in `complete`, and with a stream's write.
        self.words.word(self.posted() + 1).load(Ordering::Acquire)
    }

    /// Notes that all epochs are armed.
    pub(crate) fn fires_always(&self) {
        // Relaxed: kernels learn of it later, and the ring orders their commands.
        self.always.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_always_armed(&self) -> bool {
        // Relaxed: as in `fires_always`.
        self.always.load(Ordering::Relaxed)
    }

    /// Waits until this many posts of its stream are complete.
    fn wait_for_posts(&self, transfers: &Transfers, posts: u64) {
        let mut late = Late::new();
        let look = || {
            // SYNC(stream-posts-done) acquire: pairs with the release in `finish_posts`.
            let done = self.done.load(Ordering::Acquire) >= posts;
            (done || late.is_lost(transfers)).then_some(())
        };
        let what = || Wait { what: "operations that a stream posts".into(), late: vec![] };
        transfers.sync().wait_policy().wait_unwoken(look, (Recorded::Proxy, false), what);
    }

    /// Notes that so many posts of its stream are complete.
    pub(super) fn finish_posts(&self, posts: u64) {
        // SYNC(stream-posts-done) release: orders what the operations did before. Pairs with the acquire of whoever
        // waits for them.
        self.done.store(posts, Ordering::Release);
    }

    /// Notes that an epoch is complete.
    pub(crate) fn complete(&self, epoch: u64) {
        // SYNC(trigger-completed) release: orders what the operation did before.
        self.words.word(self.posted() + 1).store(epoch, Ordering::Release);
    }
}

/// Posts of a stream that are to be started.
pub(super) struct Posts {
    pub(super) entry: Arc<Entry>,
    pub(super) first: u64,
    pub(super) last: u64,
}

#[derive(Default)]
struct Slot {
    generation: u32,
    entry: Option<Arc<Entry>>,
}

/// The prepared operations and triggers of a PE.
#[derive(Default)]
pub(crate) struct Table {
    words: OnceLock<Arc<PinnedWords>>,
    slots: Mutex<Vec<Slot>>,
    /// Those that a stream has posted, and their number.
    streamed: Mutex<Vec<Arc<Entry>>>,
    streams: AtomicUsize,
    /// For operations that the CPU carries out in place of kernels.
    context: OnceLock<Context>,
    starting: Mutex<()>,
}

impl Table {
    pub(super) fn find(&self, name: DevicePrepared) -> Option<Arc<Entry>> {
        let slots = locked(&self.slots);
        let slot = slots.get(name.index as usize).filter(|slot| slot.generation == name.generation)?;
        slot.entry.clone()
    }

    /// Removes an entry; no name leads to it any more.
    pub(crate) fn remove(&self, entry: &Arc<Entry>) {
        let mut streamed = locked(&self.streamed);
        streamed.retain(|other| !Arc::ptr_eq(other, entry));
        // Relaxed: the lock orders the list itself.
        self.streams.store(streamed.len(), Ordering::Relaxed);
        let slot = &mut locked(&self.slots)[entry.name.index as usize];
        slot.entry = None;
        slot.generation = slot.generation.wrapping_add(1);
    }

    /// Takes posts of streams that have not been started: of each operation up to its share of `most`, and at least
    /// one. The list stays locked, so that no word passes to another operation in between.
    pub(super) fn take_posts(&self, most: u64) -> Vec<Posts> {
        // Relaxed: as in `streamed`.
        if self.streams.load(Ordering::Relaxed) == 0 {
            return vec![];
        }
        let streamed = locked(&self.streamed);
        let share = (most / streamed.len().max(1) as u64).max(1);
        let posts = |entry: &Arc<Entry>| {
            // SYNC(stream-posts) acquire: pairs with the stream's write; orders what the stream did before.
            let posted = entry.words.word(entry.posted()).load(Ordering::Acquire);
            // Relaxed: only the proxy writes it.
            let begun = entry.begun.load(Ordering::Relaxed);
            let last = posted.min(begun + share);
            entry.begun.store(last.max(begun), Ordering::Relaxed);
            (last > begun).then(|| Posts { entry: entry.clone(), first: begun + 1, last })
        };
        streamed.iter().filter_map(posts).collect()
    }

    /// Whether streams have posts enqueued that the proxy has not started.
    pub(super) fn are_awaited(&self) -> bool {
        // Relaxed: only a hint how long to nap.
        if self.streams.load(Ordering::Relaxed) == 0 {
            return false;
        }
        // Whoever posts may have `asked` locked until the proxy has made progress, so nobody waits for it here.
        let is_awaited = |entry: &Arc<Entry>| {
            let asked = entry.asked.try_lock();
            asked.map_or(true, |asked| *asked > entry.begun.load(Ordering::Relaxed))
        };
        locked(&self.streamed).iter().any(is_awaited)
    }

    fn streamed(&self) -> Vec<Arc<Entry>> {
        // Relaxed: whoever posted and wants the operation complete has synchronised with the list through its lock, or
        // with the stream.
        if self.streams.load(Ordering::Relaxed) == 0 { vec![] } else { locked(&self.streamed).clone() }
    }

    /// Waits for what synchronised streams have posted.
    pub(super) fn finish_posts(&self, transfers: &Transfers) {
        for entry in self.streamed() {
            // SYNC(stream-posts) acquire: pairs with the stream's write.
            let posted = entry.words.word(entry.posted()).load(Ordering::Acquire);
            entry.wait_for_posts(transfers, posted);
        }
    }
}

impl Services {
    /// Whether the proxy can change the word of an operation, or why not. It is checked in advance, because later there
    /// is nobody to get the error.
    pub(crate) fn proxy_can(&self, operation: &PreparedOp) -> std::result::Result<(), ArgumentError> {
        if operation.changes_gpu_word() {
            self.transfers.can_change(operation.pe)?;
        }
        match operation.what {
            PreparedKind::Put(_, Some((signal, ..))) => {
                self.transfers.reaches_word(signal, size_of::<u64>(), operation.pe)
            }
            PreparedKind::Amo { word, width, .. } => self.transfers.reaches_word(word, width, operation.pe),
            _ => Ok(()),
        }
    }

    /// Gives an operation a name.
    pub(crate) fn name(
        &self,
        operation: &'static str,
        runs: Option<PreparedOp>,
        is_trigger: bool,
    ) -> Result<Arc<Entry>> {
        let table = &self.prepared;
        self.begin_proxy_lane(operation)?;
        let gpu = self.memory().own_gpu(operation)?;
        let starting = locked(&table.starting);
        if table.words.get().is_none() {
            let words = PinnedWords::create(gpu, 2 * MOST)?;
            let _ = table.words.set(Arc::new(words));
        }
        drop(starting);
        let words = table.words.get().expect("they were made above").clone();
        let mut slots = locked(&table.slots);
        let free = slots.iter().position(|slot| slot.entry.is_none()).unwrap_or(slots.len());
        if free == MOST {
            let text = format!("the limit of {MOST} prepared operations and triggers is reached");
            return Err(Error::new(operation, Cause::Exhausted(text)));
        }
        if free == slots.len() {
            slots.push(Slot::default());
        }
        let slot = &mut slots[free];
        let name = DevicePrepared { index: free as u32, generation: slot.generation };
        for word in [2 * free, 2 * free + 1] {
            // Relaxed: kernels and streams learn of it after this.
            words.word(word).store(0, Ordering::Relaxed);
        }
        let entry = Entry {
            name,
            operation: runs,
            is_trigger,
            always: AtomicBool::new(false),
            words,
            stream: OnceLock::new(),
            asked: Mutex::new(0),
            begun: AtomicU64::new(0),
            done: AtomicU64::new(0),
        };
        Ok(slot.entry.insert(Arc::new(entry)).clone())
    }

    /// Carries out and completes an operation in place of a kernel.
    ///
    /// # Safety
    /// Its local end is valid for all bytes.
    pub(crate) unsafe fn carry_out_here(&self, operation: &PreparedOp) -> std::result::Result<(), ArgumentError> {
        let context = match self.prepared.context.get() {
            Some(context) => context,
            None => {
                let context =
                    self.transfers.context(crate::PeSet::all(self.job().n_pes()), ContextOptions::default())?;
                self.prepared.context.get_or_init(|| context)
            }
        };
        // SAFETY: the caller guarantees that the local end is valid for all bytes.
        unsafe { operation.carry_out(&self.transfers, context, Completion::Blocking)? };
        Ok(self.transfers.drain(context)?)
    }

    /// Has a stream post an operation. `write` makes the stream write a value to an address.
    pub(crate) fn post_from_stream(
        &self,
        entry: &Arc<Entry>,
        stream: usize,
        write: impl FnOnce(u64, u64) -> Result<()>,
    ) -> Result<()> {
        let mut asked = locked(&entry.asked);
        if *entry.stream.get_or_init(|| stream) != stream {
            let text = "another stream, which is not ordered with this one, posts it: prepare it again";
            return Err(Error::new("post", Cause::Mismatch(text.into())));
        }
        if *asked == 0 {
            let mut streamed = locked(&self.prepared.streamed);
            streamed.push(entry.clone());
            // Relaxed: as in `streamed`.
            self.prepared.streams.store(streamed.len(), Ordering::Relaxed);
        }
        write(entry.words.address(entry.posted()), *asked + 1)?;
        *asked += 1;
        Ok(())
    }

    /// Releases an operation's name, after completing the posts that were enqueued on a stream and the commands of
    /// kernels that have ended.
    pub(crate) fn forget(&self, entry: &Arc<Entry>) {
        self.transfers.finish_commands(self.transfers.default_context());
        let asked = *locked(&entry.asked);
        entry.wait_for_posts(&self.transfers, asked);
        self.prepared.remove(entry);
    }
}

/// When such a wait first checks whether the GPU has failed, after which it posts nothing any more.
const FIRST_LOOK: Duration = Duration::from_millis(100);

/// A wait for what kernels or streams post. It checks the GPU from time to time, less and less often.
pub(super) struct Late {
    after: Duration,
    since: Instant,
}

impl Late {
    pub(crate) fn new() -> Self {
        Self { after: FIRST_LOOK, since: Instant::now() }
    }

    pub(super) fn is_lost(&mut self, transfers: &Transfers) -> bool {
        if self.since.elapsed() < self.after {
            return false;
        }
        self.after *= 2;
        let mut word = 0u64;
        let (to, from) = ((&raw mut word).expose_provenance() as u64, transfers.memory().own(At::new(Segment::Gpu, 0)));
        // SAFETY: the first word of this PE's own GPU memory, and a word that lives until the copy is complete.
        unsafe { transfers.copy_aside(to, from, size_of::<u64>()).is_err() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_gpu::Gpu;
    use cushmem_gpu::soft::SoftGpu;

    /// Operations that streams post, by their names.
    fn table(names: &[(u32, u32)]) -> (Table, Vec<Arc<Entry>>) {
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let words = Arc::new(PinnedWords::create(&gpu, 2 * 4).expect("words"));
        let entry = |&(index, generation)| {
            let name = DevicePrepared { index, generation };
            let (asked, begun, done) = (Mutex::new(0), AtomicU64::new(0), AtomicU64::new(0));
            let (operation, stream, always, words) = (None, OnceLock::new(), AtomicBool::new(false), words.clone());
            Arc::new(Entry { name, operation, is_trigger: false, always, words, stream, asked, begun, done })
        };
        let entries: Vec<_> = names.iter().map(entry).collect();
        let table = Table::default();
        locked(&table.slots).resize_with(4, Slot::default);
        entries.iter().for_each(|entry| appear(&table, entry));
        (table, entries)
    }

    fn appear(table: &Table, entry: &Arc<Entry>) {
        locked(&table.streamed).push(entry.clone());
        table.streams.fetch_add(1, Ordering::Relaxed);
    }

    /// Acts as the stream.
    fn post(entry: &Entry, times: u64) {
        entry.words.word(entry.posted()).store(times, Ordering::Release);
    }

    fn taken(table: &Table, most: u64) -> Vec<(u32, u64, u64)> {
        table.take_posts(most).into_iter().map(|posts| (posts.entry.name.generation, posts.first, posts.last)).collect()
    }

    /// Catches a stream whose many posts keep others waiting, and posts that are lost or started twice.
    #[test]
    fn posts_are_begun_in_parts() {
        let (table, entries) = table(&[(0, 0), (1, 1)]);
        assert_eq!(taken(&table, 64), []);
        post(&entries[0], 100);
        post(&entries[1], 1);
        assert_eq!(taken(&table, 64), [(0, 1, 32), (1, 1, 1)]);
        assert_eq!(taken(&table, 64), [(0, 33, 64)]);
        post(&entries[0], 101);
        assert_eq!(taken(&table, 1), [(0, 65, 65)], "one at least");
        assert_eq!(taken(&table, 1000), [(0, 66, 101)]);
        assert_eq!(taken(&table, 1000), []);
    }

    /// Catches an operation that is started once more when its word belongs to another one.
    #[test]
    fn posts_of_a_name_that_is_used_again_are_the_new_ones() {
        let (table, entries) = table(&[(0, 0), (0, 1)]);
        let (old, new) = (&entries[0], &entries[1]);
        locked(&table.streamed).retain(|entry| Arc::ptr_eq(entry, old));
        post(old, 1);
        assert_eq!(taken(&table, 64), [(0, 1, 1)]);
        table.remove(old);
        post(new, 0);
        appear(&table, new);
        post(new, 2);
        assert_eq!(taken(&table, 64), [(1, 1, 2)]);
    }

    /// Catches a proxy that naps for up to 10 ms while a stream is about to post.
    #[test]
    fn posts_that_are_enqueued_are_awaited() {
        let (table, entries) = table(&[(0, 0), (1, 1)]);
        assert!(!table.are_awaited());
        *locked(&entries[1].asked) = 1;
        assert!(table.are_awaited());
        post(&entries[1], 1);
        assert_eq!(taken(&table, 64), [(1, 1, 1)]);
        assert!(!table.are_awaited(), "it was started");
        let posting = locked(&entries[0].asked);
        assert!(table.are_awaited(), "a thread is posting");
        drop(posting);
    }
}
