/// Slots of the command ring; `cushmem-protocol` has the protocol.
pub const RING_SLOTS: usize = 4096;
/// Replies that are under way at a time.
pub const RING_REPLIES: usize = 1024;
/// Contexts of kernels that are completed apart from each other.
pub const RING_CONTEXTS: usize = 1024;
/// Words of a slot.
pub const SLOT_WORDS: usize = 8;
/// Bytes that a command carries itself, at most.
pub const SLOT_BYTES: usize = 48;
/// Chunks of the memory in which puts leave more bytes; a power of two.
pub const RING_CHUNKS: usize = 64;
/// Bytes of a chunk.
pub const CHUNK_BYTES: usize = 64 << 10;

/// A number in a cache line of its own.
#[repr(C, align(128))]
#[derive(Debug, Default)]
pub struct RingCounter(pub u64);

/// A number that lanes of one context look at, in a cache line of its own, as each look takes the line from the CPU.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub struct ContextDone(pub u64);

/// The half of the command ring that lies in the PE's host memory. All zero at the start.
#[repr(C, align(4096))]
pub struct HostRing {
    /// Commands that the CPU has read.
    pub read: RingCounter,
    /// By context: the ticket below which all of its commands are complete.
    pub done: [ContextDone; RING_CONTEXTS],
    /// What operations found.
    pub replies: [[u64; 2]; RING_REPLIES],
    /// Commands.
    pub slots: [[u64; SLOT_WORDS]; RING_SLOTS],
    /// Chunks that the CPU has freed.
    pub freed: RingCounter,
    /// What puts carry that do not fit into a slot. There only in jobs with PEs that are not mapped.
    pub chunks: [RingChunk; RING_CHUNKS],
}

/// What a put carries.
#[repr(C, align(4096))]
pub struct RingChunk(pub [u8; CHUNK_BYTES]);

/// The half that lies in the PE's GPU memory. All zero at the start.
#[repr(C, align(128))]
pub struct DeviceRing {
    /// Tickets of commands that lanes have taken.
    pub tickets: RingCounter,
    /// What a lane has seen of [`HostRing::read`].
    pub read_seen: RingCounter,
    /// Tickets of replies that lanes have taken.
    pub reply_tickets: RingCounter,
    /// By context.
    pub contexts: [RingContext; RING_CONTEXTS],
    /// By reply: how often it has been given back.
    pub given_back: [u64; RING_REPLIES],
    /// Tickets of chunks that lanes have taken.
    pub chunk_tickets: RingCounter,
    /// What a lane has seen of [`HostRing::freed`].
    pub freed_seen: RingCounter,
}

/// Commands of one context.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub struct RingContext {
    /// Twice the number that is 1 above the highest ticket of a command of the context.
    pub posted: u64,
    /// The same of a command that a lane has seen complete; 1 less unless whoever finds this number, and fences, sees
    /// what the commands did.
    pub seen_done: u64,
}

const _: () = assert!(size_of::<DeviceRing>() == 5 * 128 + 16 * RING_CONTEXTS + 8 * RING_REPLIES);
const _: () = assert!(core::mem::offset_of!(HostRing, chunks).is_multiple_of(4096));

/// What a command asks for. The first argument is the address of the symmetric end, on the PE that asks. The fourth is
/// the ticket of a reply plus 1, or 0 if nobody waits for one; of [`CommandKind::PutHere`] it is data. The second and
/// third are those that each kind names, here as `a` and `b`.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Store `a` if the word is `b`; reply what it was.
    CompareSwap = 1,
    /// Store `a`; reply what the word was.
    Swap = 2,
    /// Add `a`; reply what the word was.
    Add = 3,
    /// Bitwise and with `a`; reply what the word was.
    And = 4,
    /// Bitwise or with `a`; reply what the word was.
    Or = 5,
    /// Bitwise exclusive or with `a`; reply what the word was.
    Xor = 6,
    /// Add `a` to a signal, behind what the lane wrote, and behind all that came before on the context for the same PE.
    AddBehind = 7,
    /// Reply the word, of 1, 2, 4 or 8 bytes.
    Fetch = 8,
    /// Store `a` into the word, of 1, 2, 4 or 8 bytes.
    Set = 9,
    /// Store `a` into a signal; otherwise as [`CommandKind::AddBehind`].
    SetBehind = 10,
    /// Copy `b` bytes from the address `a` of the PE that asks; reply when they may change.
    Put = 11,
    /// Copy `b` bytes to the address `a` of the PE that asks; reply when they are there.
    Get = 12,
    /// Reply when all PEs of a team have asked for this. The first argument is the team's first PE in the lower half
    /// and, from one PE to the next, the stride in the higher; `a` is how many they are in the lower half and the
    /// number of the PE that asks, among them, in the higher; `b` is the team's slot. The head's PE is 0.
    Sync = 13,
    /// Carry out an operation that the CPU described before. The first argument is its index, `a` its generation, `b`
    /// is 0; PE and width of the head are 0. Reply when its memory may be used again.
    Prepared = 14,
    /// Carry out the operation of a trigger, whose epoch is due. The first argument is its index, `a` the generation,
    /// `b` the epoch. No reply.
    Fire = 15,
    /// Store bytes that the command carries: as many as the width says, from the second argument on, 8 in each. No
    /// reply.
    PutHere = 16,
    /// Copy `b` bytes from the chunk whose ticket is `a`, which is free then. No reply.
    PutChunk = 17,
}

impl CommandKind {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::CompareSwap,
        Self::Swap,
        Self::Add,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::AddBehind,
        Self::Fetch,
        Self::Set,
        Self::SetBehind,
        Self::Put,
        Self::Get,
        Self::Sync,
        Self::Prepared,
        Self::Fire,
        Self::PutHere,
        Self::PutChunk,
    ];
}

/// The head of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandHead {
    /// A [`CommandKind`].
    pub kind: u8,
    /// Bytes of the word, if the command is for one, or those that it carries.
    pub width: u8,
    /// Below [`RING_CONTEXTS`].
    pub context: u16,
    /// Target: a number of 24 bits, as a job has far fewer PEs.
    pub pe: u32,
}

const PE_BITS: u32 = 24;
const CONTEXT_BITS: u32 = 16;

impl CommandHead {
    /// As 56 bits.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        let kind = (self.kind as u64) << (CONTEXT_BITS + PE_BITS);
        kind << 8 | (self.width as u64) << (CONTEXT_BITS + PE_BITS) | (self.context as u64) << PE_BITS | self.pe as u64
    }

    /// From 56 bits.
    pub const fn of_bits(bits: u64) -> Self {
        Self {
            kind: (bits >> (CONTEXT_BITS + PE_BITS + 8)) as u8,
            width: (bits >> (CONTEXT_BITS + PE_BITS)) as u8,
            context: (bits >> PE_BITS) as u16,
            pe: bits as u32 & ((1 << PE_BITS) - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches fields that overlap, or that are longer than their room.
    #[test]
    fn a_head_keeps_its_fields() {
        for head in [
            CommandHead { kind: u8::MAX, width: 0, context: 0, pe: 0 },
            CommandHead { kind: 0, width: u8::MAX, context: 0, pe: 0 },
            CommandHead { kind: 0, width: 0, context: u16::MAX, pe: 0 },
            CommandHead { kind: 0, width: 0, context: 0, pe: (1 << PE_BITS) - 1 },
            CommandHead { kind: 7, width: 8, context: 1023, pe: 1_000_000 },
        ] {
            assert_eq!(CommandHead::of_bits(head.bits()), head);
            assert!(head.bits() < 1 << 56, "{head:?}");
        }
    }
}
