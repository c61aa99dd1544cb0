//! The command ring: lanes of kernels ask a thread of the CPU to do what the GPU cannot do itself.
//!
//! ```text
//!   lanes, GPU memory          host memory                                        the thread
//!   tickets ─ take t ───▶ slots[t mod n]: 8 words, each with the lap of t ──────▶ reads slots in the order of tickets
//!   read_seen ◀────────── read: tickets below it are free again ◀──────────────── counts on
//!                         done[context]: tickets below it are complete ◀───────── when operations are
//!   reply_tickets ─ r ─▶  replies[r mod m]: 2 words, each with the number of r's lap ◀ what an operation found
//!   given_back[r mod m]
//!   chunk_tickets ─ c ─▶  chunks[c mod k]: bytes that a put carries ─────────────▶ copies them, or has them copied
//!                         chunks[c mod k]: bytes for a lane's own memory ◀──────── gets them
//!   freed_seen ◀───────── freed: chunks of tickets below it are free again ◀────── when nobody needs them
//! ```
//!
//! *Who writes what*: the lane that has a ticket writes the ticket's slot, once per lap. Only the thread writes `read`,
//! `done`, `replies` and `freed`. The lane that had a reply writes its `given_back`. The lanes of a scope write the
//! chunk whose ticket one of them has, until that lane posts the command that names the chunk. If that is a get, the
//! thread writes the chunk until it replies, and the lanes read it until one of them posts the command that frees it.
//!
//! *A slot is complete when all of its words belong to the lap.* The stores of a GPU lane become visible to the CPU in
//! any order, word by word. So one bit of each word is the lap's; it changes from one lap to the next. The bits that it
//! displaces are in the first word ([`Command::encode`]). The thread trusts no word of a slot until all of them have
//! arrived, so the stores need no order among themselves.
//!
//! *What a command refers to*, such as the source of a put, was written before the command: in that case the lane
//! stores the slot after a release fence, and the thread loads the words as acquires.
//!
//! *Nothing is overwritten*: a lane stores into its slot once `read` says that the ticket one lap before has been read.
//! The thread has the words of that command by then. `read` is in host memory, far from the lanes, so only one lane
//! polls it: the first of those that wait. It leaves what it saw in `read_seen`, in GPU memory, which may lag behind
//! but is never ahead. If that first lane has not arrived yet, nobody needs to poll: those behind it wait for it
//! anyway, and it polls when it arrives.
//!
//! *`read_seen` is relaxed*, so PTX's memory model does not order a lane that goes by it behind the lane that had the
//! slot one lap before: the older words might stay, and the command be lost. That this does not happen rests on what
//! the GPU does: it performs no store before the load that decides on it has returned, and the thread had found the
//! older words in memory before it counted them.
//!
//! *Completion*: `done` of a context is a ticket below which all operations of the context are complete. It only grows.
//! A lane whose ticket is below it knows that its operation is complete. So does every lane that synchronised with that
//! lane and read the context's last ticket.
//!
//! *A reply is reused* when the lane that had it has given it back, which the lane does once it has the words. The
//! thread writes a reply only because a command named it, and the new owner posts that command afterwards. The words
//! hold the number of the lap rather than one bit of it, because each lap belongs to another lane: a lane that looks
//! there for the first time may find the words of any lap.
//!
//! *Chunks*: a put that returns before the thread has read its source leaves the bytes in a chunk. A lane may fill its
//! chunk once `freed` says that the ticket `k` before has been freed; the rule is the one for slots. The command is
//! posted after a release fence, so a thread that finds the command also finds the bytes. Commands arrive in another
//! order than the tickets of their chunks, and copies end in any order. So the thread tracks the last `k` tickets
//! ([`Chunks`]), and `freed` is the first ticket that is not free. *A get into memory that only lanes reach* goes
//! through a chunk too. The reply, a release, comes after the bytes; the lane that has it fences before the other lanes
//! read. The command that frees the chunk is posted after a release fence, so that whoever learns from `freed` that the
//! chunk is free writes it after these reads. *No cyclic wait*: a lane that has a chunk waits for a reply and a slot at
//! most, in this order; slots are read in their order; and no lane that has a reply or a slot's ticket waits for a
//! chunk. The thread's copies wait for no kernel.
//!
//! *Lanes as consumers*: the command processor of a GPU is a kernel that takes the place of the thread for a ring of
//! its own, all of which is in GPU memory. One warp reads its slots. Each lane acquires some of the words, and the
//! lanes agree that all of the slot have arrived ([`Taking::words`]). All words are stored after the release fence, so
//! any of them orders the lane that acquires it behind what the command refers to. One lane then publishes `read`; the
//! others have the words of that command by then, because they have agreed. It carries out commands in their order, so
//! one `done` serves all contexts: the ticket below which all commands are complete. When the block has met behind its
//! copies, one lane fences and stores it, so whoever acquires it sees what all lanes of the block have copied. The
//! processor is a sequence of launches on one stream. Each publishes `read` before it ends, completes what it has
//! taken, and the next one continues there ([`Reader::starting_at`]): a slot that was stored in between waits for it.
//! If none is launched, `done` stops, and lanes wait up to a limit.
//!
//! *When the thread dies*, the counts stop. Lanes wait up to a limit and then end their kernel; the process ends before
//! that.

use crate::places::await_place;
use crate::poll::poll;

/// Words of a slot.
pub const WORDS: usize = 8;
/// Words that a command carries in addition to its head.
pub const ARGUMENTS: usize = WORDS - 1;
/// Bits in a head.
pub const HEAD_BITS: u32 = 56;

/// What a slot carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Less than 2 to the power of [`HEAD_BITS`].
    pub head: u64,
    /// Arbitrary numbers.
    pub arguments: [u64; ARGUMENTS],
}

/// The lap bit of all words written with this ticket. It differs from the lap before, and in the first lap from memory
/// that is all zeros.
#[inline(always)]
pub const fn lap(ticket: u64, slots: u64) -> u64 {
    (ticket / slots + 1) & 1
}

impl Command {
    /// The command as words. Bit 0 of each is the lap's. That leaves no room for the highest bit of argument `i`, which
    /// is therefore bit `i + 1` of the first word.
    #[inline(always)]
    pub const fn encode(&self, lap: u64) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let mut first = self.head << (u64::BITS - HEAD_BITS) | lap;
        let mut i = 0;
        while i < ARGUMENTS {
            first |= (self.arguments[i] >> 63) << (i + 1);
            words[i + 1] = self.arguments[i] << 1 | lap;
            i += 1;
        }
        words[0] = first;
        words
    }

    /// The command with these words, if all belong to the lap.
    #[inline]
    pub fn decode(words: &[u64; WORDS], lap: u64) -> Option<Self> {
        let of_lap = words.iter().fold(0, |differ, word| differ | (word ^ lap)) & 1 == 0;
        let argument = |i: usize| words[i + 1] >> 1 | (words[0] >> (i + 1) & 1) << 63;
        of_lap.then(|| Self { head: words[0] >> (u64::BITS - HEAD_BITS), arguments: core::array::from_fn(argument) })
    }
}

/// The ring as a lane accesses it.
pub trait Posting {
    /// The number of slots: a power of two.
    fn slots(&self) -> u64;
    /// Adds 1 to the tickets and returns the previous value; relaxed.
    fn take_ticket(&self) -> u64;
    /// What some lane has seen of `read`; relaxed.
    fn read_seen(&self) -> u64;
    /// Loads `read` itself, as an acquire, and leaves it in `read_seen`.
    fn look_at_read(&self) -> u64;
    /// Stores the words of a slot, in any order.
    fn store(&self, slot: u64, words: [u64; WORDS]);
    /// Called between two polls; returns whether to go on.
    fn pause(&self) -> bool;
}

/// Posts a command and returns its ticket. Waits while the ring is full, until [`Posting::pause`] gives up.
#[inline(always)]
pub fn post<P: Posting>(ring: &P, command: &Command) -> Option<u64> {
    let slots = ring.slots();
    let ticket = ring.take_ticket();
    await_place(ticket, slots, || ring.read_seen(), || ring.look_at_read(), || ring.pause())?;
    // The loads above decide whether this store happens, so it comes after them.
    ring.store(ticket & (slots - 1), command.encode(lap(ticket, slots)));
    Some(ticket)
}

/// The ring as the thread accesses it.
pub trait Taking {
    /// The number of slots: a power of two.
    fn slots(&self) -> u64;
    /// Loads the words of a slot; `None` if one of them is known not to have this lap. The load of at least one of them
    /// is an acquire.
    fn words(&self, slot: u64, lap: u64) -> Option<[u64; WORDS]>;
    /// Publishes, as a release, that the slots of all tickets below this one may be reused.
    fn publish_read(&self, tickets: u64);
}

/// [`Taking::words`] by a load for each word. `load` is an acquire.
#[inline]
pub fn words_of(load: impl Fn(usize) -> u64, lap: u64) -> Option<[u64; WORDS]> {
    let first = load(0);
    (first & 1 == lap).then(|| core::array::from_fn(|i| if i == 0 { first } else { load(i) }))
}

/// How far the thread has read.
#[derive(Debug, Default)]
pub struct Reader {
    next: u64,
    published: u64,
}

impl Reader {
    /// Continues where another reader has published that it ended.
    #[inline(always)]
    pub const fn starting_at(ticket: u64) -> Self {
        Self { next: ticket, published: ticket }
    }

    /// The ticket of the next command.
    #[inline]
    pub fn next_ticket(&self) -> u64 {
        self.next
    }

    /// The next command and its ticket, if it has arrived.
    #[inline]
    pub fn take<T: Taking>(&mut self, ring: &T) -> Option<(u64, Command)> {
        let (slots, ticket) = (ring.slots(), self.next);
        let (slot, lap) = (ticket & (slots - 1), lap(ticket, slots));
        let command = Command::decode(&ring.words(slot, lap)?, lap)?;
        self.next += 1;
        // Lanes poll this count over the bus: updating it every quarter of the ring is often enough.
        if self.next - self.published >= (slots / 4).max(1) {
            self.publish(ring);
        }
        Some((ticket, command))
    }

    /// Lets lanes reuse all slots that were read. Called when there is nothing to take.
    #[inline]
    pub fn publish<T: Taking>(&mut self, ring: &T) {
        if self.published != self.next {
            self.published = self.next;
            ring.publish_read(self.next);
        }
    }
}

/// Replies as a lane accesses them.
pub trait Replies {
    /// The number of replies: a power of two.
    fn replies(&self) -> u64;
    /// Adds 1 to the tickets of replies and returns the previous value; relaxed.
    fn take_reply_ticket(&self) -> u64;
    /// How often a reply has been given back; relaxed.
    fn given_back(&self, reply: u64) -> u64;
    /// Stores how often it has been given back; relaxed.
    fn give_back(&self, reply: u64, times: u64);
    /// Loads both words of a reply; relaxed.
    fn load_reply(&self, reply: u64) -> [u64; 2];
    /// Called between two polls; returns whether to go on.
    fn pause(&self) -> bool;
}

/// Claims a reply to name in a command, and returns its ticket. Waits while all are in use, until [`Replies::pause`]
/// gives up.
#[inline(always)]
pub fn claim_reply<R: Replies>(replies: &R) -> Option<u64> {
    let n = replies.replies();
    let ticket = replies.take_reply_ticket();
    let is_free = || replies.given_back(ticket & (n - 1)) == ticket / n;
    poll(|| is_free().then_some(ticket), || replies.pause())
}

/// Waits for the reply with this ticket, until [`Replies::pause`] gives up, and gives it back.
#[inline(always)]
pub fn await_reply<R: Replies>(replies: &R, ticket: u64) -> Option<u64> {
    let n = replies.replies();
    let (reply, lap) = (ticket & (n - 1), reply_lap(ticket, n));
    let look = || {
        let [low, high] = replies.load_reply(reply);
        (low as u32 == lap && high as u32 == lap).then_some(low >> 32 | high >> 32 << 32)
    };
    let found = poll(look, || replies.pause())?;
    // This lane has the words, so the reply may be written again.
    replies.give_back(reply, ticket / n + 1);
    Some(found)
}

/// The lap's number, from 1: memory that is all zeros belongs to no lap.
#[inline(always)]
const fn reply_lap(ticket: u64, replies: u64) -> u32 {
    (ticket / replies + 1) as u32
}

/// The words of a reply with this ticket, out of `replies`: each has half of the value, and the lap.
#[inline]
pub const fn encode_reply(value: u64, ticket: u64, replies: u64) -> [u64; 2] {
    let lap = reply_lap(ticket, replies) as u64;
    [value << 32 | lap, value >> 32 << 32 | lap]
}

/// Chunks as a lane accesses them.
pub trait Carrying {
    /// The number of chunks: a power of two.
    fn chunks(&self) -> u64;
    /// Adds 1 to the tickets of chunks and returns the previous value; relaxed.
    fn take_chunk_ticket(&self) -> u64;
    /// What some lane has seen of `freed`, as an acquire: stores into a chunk come after those of the lap before, which
    /// the thread has read.
    fn freed_seen(&self) -> u64;
    /// Loads `freed` itself, as an acquire, and leaves it in `freed_seen`, as a release.
    fn look_at_freed(&self) -> u64;
    /// Called between two polls; returns whether to go on.
    fn pause(&self) -> bool;
}

/// Claims a chunk to fill and to name in a command, and returns its ticket. Waits while all are in use, until
/// [`Carrying::pause`] gives up.
#[inline(always)]
pub fn claim_chunk<C: Carrying>(ring: &C) -> Option<u64> {
    let ticket = ring.take_chunk_ticket();
    await_place(ticket, ring.chunks(), || ring.freed_seen(), || ring.look_at_freed(), || ring.pause())?;
    Some(ticket)
}

/// The thread's state for the last `N` chunks, where `N` is a power of two.
#[derive(Debug)]
pub struct Chunks<const N: usize> {
    /// All tickets below this one are free.
    freed: u64,
    has: [Has; N],
}

/// The thread's state for one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Nothing,
    /// The thread reads or fills it.
    Taken,
    /// The thread has filled it and lanes may read it, until they give it back.
    Lent,
    /// Nobody needs the bytes.
    Freed,
}

impl<const N: usize> Default for Chunks<N> {
    fn default() -> Self {
        const { assert!(N.is_power_of_two()) };
        Self { freed: 0, has: [Has::Nothing; N] }
    }
}

impl<const N: usize> Chunks<N> {
    /// Takes the chunk that a put or get names and returns its index, or `None` if no lane can have posted such a
    /// command.
    #[inline]
    pub fn take(&mut self, ticket: u64) -> Option<usize> {
        self.change(ticket, Has::Nothing, Has::Taken)
    }

    /// Frees a chunk that was taken; returns the ticket below which all chunks are free.
    #[inline]
    pub fn free(&mut self, chunk: usize) -> u64 {
        debug_assert_eq!(self.has[chunk], Has::Taken);
        self.has[chunk] = Has::Freed;
        self.first_kept()
    }

    /// Lets lanes read, and give back, a chunk that was taken and filled. Called when the thread replies, not before:
    /// it writes until then.
    #[inline]
    pub fn lend(&mut self, chunk: usize) {
        debug_assert_eq!(self.has[chunk], Has::Taken);
        self.has[chunk] = Has::Lent;
    }

    /// Frees a chunk that lanes have read; returns the ticket below which all chunks are free, or `None` if the chunk
    /// was not lent.
    #[inline]
    pub fn give_back(&mut self, ticket: u64) -> Option<u64> {
        self.change(ticket, Has::Lent, Has::Freed)?;
        Some(self.first_kept())
    }

    #[inline]
    fn change(&mut self, ticket: u64, from: Has, to: Has) -> Option<usize> {
        let chunk = ticket as usize % N;
        let is_so = ticket.wrapping_sub(self.freed) < N as u64 && self.has[chunk] == from;
        is_so.then(|| {
            self.has[chunk] = to;
            chunk
        })
    }

    /// The ticket below which all chunks are free, which grows.
    #[inline]
    fn first_kept(&mut self) -> u64 {
        while self.has[self.freed as usize % N] == Has::Freed {
            self.has[self.freed as usize % N] = Has::Nothing;
            self.freed += 1;
        }
        self.freed
    }
}
