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
//!   freed_seen ◀───────── freed: chunks of tickets below it are free again ◀────── when it has
//! ```
//!
//! *Who writes*: a slot the lane with the ticket, once a lap; `read`, `done`, `replies` and `freed` the thread alone;
//! `given_back` the lane that had the reply; a chunk the lanes of the scope whose lane has the ticket, until that lane
//! posts the command that names it.
//!
//! *A slot is whole when all of its words are of the lap.* A GPU's stores of one lane become visible to the CPU in any
//! order, word by word. So one bit of each word is the lap's, which changes from one lap to the next; the bits that it
//! displaces are in the first word ([`Command::encode`]). No word of a slot is believed before all of them are there,
//! and none needs an order of its own.
//!
//! *What a command names* (a source of a put, say) was written before it: the lane stores the slot behind a release
//! fence in that case, and the thread loads the words as acquires.
//!
//! *Nothing is overwritten*: a lane stores into its slot once `read` says that the ticket a lap before was read. The
//! thread has the words of that command then. `read` is in host memory, far from lanes; so one lane looks at it, the
//! first of those that wait, and leaves what it saw in `read_seen`, in GPU memory, where it may be late but never
//! ahead. If that lane has not come yet, nobody needs to look: those behind it wait for it, and it looks when it comes.
//!
//! *Complete*: `done` of a context is a ticket below which all operations of the context are complete. It grows. A lane
//! whose ticket is below it has its operation done, and so has whoever synchronised with that lane and read the
//! context's last ticket.
//!
//! *A reply is used again* when the lane that had it has given it back, by which it has the words. The thread writes a
//! reply because a command named it, which the new owner posts afterwards. Its words hold the number of the lap, and
//! not one bit of it, as each lap is another lane's: a lane that has not looked there before may find the words of any
//! lap.
//!
//! *Chunks*: a put that returns before the thread has read its source leaves the bytes in a chunk. A lane may have it
//! written once `freed` says that the ticket `k` before was freed, as it stores into a slot. Its command is posted
//! behind a release fence, so the thread, which finds the command, has the bytes. Commands come in another order than
//! the tickets of their chunks, and copies end in any order: the thread keeps what it has of the last `k` tickets
//! ([`Chunks`]), and `freed` is the first that is not free. *Nobody waits in a circle*: a lane that has a chunk waits
//! for a slot at most, slots are read in their order, and no lane that has a ticket of a slot waits for a chunk. What
//! the thread copies waits for no kernel.
//!
//! *When the thread dies* nobody counts on: lanes wait to a limit and end their kernel; the process ends before that.

/// Words of a slot.
pub const WORDS: usize = 8;
/// Words that a command carries beside its head.
pub const ARGUMENTS: usize = WORDS - 1;
/// Bits of a head.
pub const HEAD_BITS: u32 = 56;

/// What a slot carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Below 2 to the power of [`HEAD_BITS`].
    pub head: u64,
    /// Any numbers.
    pub arguments: [u64; ARGUMENTS],
}

/// The bit of all words that were written with this ticket: it differs from the lap before, and from memory that is all
/// zeros in the first lap.
#[inline(always)]
pub const fn lap(ticket: u64, slots: u64) -> u64 {
    (ticket / slots + 1) & 1
}

impl Command {
    /// Its words: bit 0 of each is the lap's, and the highest bit of argument `i`, for which there is no room, is bit
    /// `i + 1` of the first word.
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

    /// The command with these words, if all are of the lap.
    #[inline]
    pub fn decode(words: &[u64; WORDS], lap: u64) -> Option<Self> {
        let of_lap = words.iter().fold(0, |differ, word| differ | (word ^ lap)) & 1 == 0;
        let argument = |i: usize| words[i + 1] >> 1 | (words[0] >> (i + 1) & 1) << 63;
        of_lap.then(|| Self { head: words[0] >> (u64::BITS - HEAD_BITS), arguments: core::array::from_fn(argument) })
    }
}

/// The ring, as a lane reaches it.
pub trait Posting {
    /// Slots: a power of two.
    fn slots(&self) -> u64;
    /// Adds 1 to the tickets; returns what they were. No order.
    fn take_ticket(&self) -> u64;
    /// What some lane has seen of `read`; no order.
    fn read_seen(&self) -> u64;
    /// Looks at `read` itself, as an acquire, and leaves it in `read_seen`.
    fn look_at_read(&self) -> u64;
    /// Stores the words of a slot; no order among them.
    fn store(&self, slot: u64, words: [u64; WORDS]);
    /// Between two looks; whether to go on.
    fn pause(&self) -> bool;
}

/// Waits until a ticket's place is free again: of so many places, where `seen` is what some lane has seen of a count in
/// host memory, and `look` looks at that itself.
#[inline(always)]
fn await_place(
    ticket: u64,
    places: u64,
    seen: impl Fn() -> u64,
    look: impl Fn() -> u64,
    pause: impl Fn() -> bool,
) -> Option<()> {
    loop {
        let ahead = ticket.wrapping_sub(seen());
        // Of all lanes that wait the one looks that gets the next free place: the others would fill the bus with their
        // looks.
        if ahead < places || (ahead == places && ticket.wrapping_sub(look()) < places) {
            return Some(());
        }
        if !pause() {
            return None;
        }
    }
}

/// Posts a command; returns its ticket. Waits while the ring is full, until [`Posting::pause`] gives up.
#[inline(always)]
pub fn post<P: Posting>(ring: &P, command: &Command) -> Option<u64> {
    let slots = ring.slots();
    let ticket = ring.take_ticket();
    await_place(ticket, slots, || ring.read_seen(), || ring.look_at_read(), || ring.pause())?;
    // The loads above decide whether this store happens, so it comes after them.
    ring.store(ticket & (slots - 1), command.encode(lap(ticket, slots)));
    Some(ticket)
}

/// The ring, as the thread reaches it.
pub trait Taking {
    /// Slots: a power of two.
    fn slots(&self) -> u64;
    /// Loads a word of a slot, as an acquire.
    fn load(&self, slot: u64, word: usize) -> u64;
    /// Says that the slots of all tickets below this one may be used again, as a release.
    fn publish_read(&self, tickets: u64);
    /// A hint that this slot is looked at soon.
    #[inline]
    fn prefetch(&self, _slot: u64) {}
}

/// How far the thread has read.
#[derive(Debug, Default)]
pub struct Reader {
    next: u64,
    published: u64,
}

impl Reader {
    /// The ticket of the next command.
    pub fn next_ticket(&self) -> u64 {
        self.next
    }

    /// The next command and its ticket, if it is there.
    #[inline]
    pub fn take<T: Taking>(&mut self, ring: &T) -> Option<(u64, Command)> {
        let (slots, ticket) = (ring.slots(), self.next);
        let (slot, lap) = (ticket & (slots - 1), lap(ticket, slots));
        let first = ring.load(slot, 0);
        if first & 1 != lap {
            return None;
        }
        ring.prefetch((ticket + 1) & (slots - 1));
        let mut words = [first; WORDS];
        for (i, word) in words.iter_mut().enumerate().skip(1) {
            *word = ring.load(slot, i);
        }
        let command = Command::decode(&words, lap)?;
        self.next += 1;
        // Lanes look at it over the bus: a quarter of the ring is soon enough.
        if self.next - self.published >= (slots / 4).max(1) {
            self.publish(ring);
        }
        Some((ticket, command))
    }

    /// Lets lanes use all slots that were read; to be called when there is nothing to take.
    #[inline]
    pub fn publish<T: Taking>(&mut self, ring: &T) {
        if self.published != self.next {
            self.published = self.next;
            ring.publish_read(self.next);
        }
    }
}

/// Replies, as a lane reaches them.
pub trait Replies {
    /// How many there are: a power of two.
    fn replies(&self) -> u64;
    /// Adds 1 to the tickets of replies; returns what they were. No order.
    fn take_reply_ticket(&self) -> u64;
    /// How often a reply has been given back; no order.
    fn given_back(&self, reply: u64) -> u64;
    /// Says how often; no order.
    fn give_back(&self, reply: u64, times: u64);
    /// Loads both words of a reply; no order.
    fn load_reply(&self, reply: u64) -> [u64; 2];
    /// Between two looks; whether to go on.
    fn pause(&self) -> bool;
}

/// Gets a reply to name in a command; waits while all are in use, until [`Replies::pause`] gives up. Returns its
/// ticket.
#[inline(always)]
pub fn claim_reply<R: Replies>(replies: &R) -> Option<u64> {
    let n = replies.replies();
    let ticket = replies.take_reply_ticket();
    while replies.given_back(ticket & (n - 1)) != ticket / n {
        if !replies.pause() {
            return None;
        }
    }
    Some(ticket)
}

/// Waits for the reply with this ticket, until [`Replies::pause`] gives up, and gives it back.
#[inline(always)]
pub fn await_reply<R: Replies>(replies: &R, ticket: u64) -> Option<u64> {
    let n = replies.replies();
    let (reply, lap) = (ticket & (n - 1), reply_lap(ticket, n));
    loop {
        let [low, high] = replies.load_reply(reply);
        if low as u32 == lap && high as u32 == lap {
            // The words are here, so the reply may be written again.
            replies.give_back(reply, ticket / n + 1);
            return Some(low >> 32 | high >> 32 << 32);
        }
        if !replies.pause() {
            return None;
        }
    }
}

/// Which lap it is, from 1: memory that is all zeros is of none.
#[inline(always)]
const fn reply_lap(ticket: u64, replies: u64) -> u32 {
    (ticket / replies + 1) as u32
}

/// The words of a reply with this ticket, of `replies` in all: half of the value in each, and the lap.
#[inline]
pub const fn encode_reply(value: u64, ticket: u64, replies: u64) -> [u64; 2] {
    let lap = reply_lap(ticket, replies) as u64;
    [value << 32 | lap, value >> 32 << 32 | lap]
}

/// Chunks, as a lane reaches them.
pub trait Carrying {
    /// How many there are: a power of two.
    fn chunks(&self) -> u64;
    /// Adds 1 to the tickets of chunks; returns what they were. No order.
    fn take_chunk_ticket(&self) -> u64;
    /// What some lane has seen of `freed`, as an acquire: stores into a chunk come after those of a lap before, which
    /// the thread has read.
    fn freed_seen(&self) -> u64;
    /// Looks at `freed` itself, as an acquire, and leaves it in `freed_seen`, as a release.
    fn look_at_freed(&self) -> u64;
    /// Between two looks; whether to go on.
    fn pause(&self) -> bool;
}

/// Gets a chunk to write, and to name in a command; waits while all are in use, until [`Carrying::pause`] gives up.
/// Returns its ticket.
#[inline(always)]
pub fn claim_chunk<C: Carrying>(ring: &C) -> Option<u64> {
    let ticket = ring.take_chunk_ticket();
    await_place(ticket, ring.chunks(), || ring.freed_seen(), || ring.look_at_freed(), || ring.pause())?;
    Some(ticket)
}

/// What the thread has of the last `N` chunks, `N` being a power of two.
#[derive(Debug)]
pub struct Chunks<const N: usize> {
    /// All below are free.
    freed: u64,
    has: [Has; N],
}

/// What the thread has of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Nothing,
    Bytes,
    /// It is done with them.
    Freed,
}

impl<const N: usize> Default for Chunks<N> {
    fn default() -> Self {
        const { assert!(N.is_power_of_two()) };
        Self { freed: 0, has: [Has::Nothing; N] }
    }
}

impl<const N: usize> Chunks<N> {
    /// Takes the chunk that a command names; returns which it is, or `None` if no lane can have posted that.
    #[inline]
    pub fn take(&mut self, ticket: u64) -> Option<usize> {
        let chunk = ticket as usize % N;
        let is_new = ticket.wrapping_sub(self.freed) < N as u64 && self.has[chunk] == Has::Nothing;
        is_new.then(|| {
            self.has[chunk] = Has::Bytes;
            chunk
        })
    }

    /// Frees a chunk that was taken; returns up to which ticket all are free.
    #[inline]
    pub fn free(&mut self, chunk: usize) -> u64 {
        debug_assert_eq!(self.has[chunk], Has::Bytes);
        self.has[chunk] = Has::Freed;
        while self.has[self.freed as usize % N] == Has::Freed {
            self.has[self.freed as usize % N] = Has::Nothing;
            self.freed += 1;
        }
        self.freed
    }
}
