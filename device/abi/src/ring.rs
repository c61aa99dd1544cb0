use crate::WordOp;
use core::fmt;

/// Slots of the command ring; `cushmem-protocol` has the protocol.
pub const RING_SLOTS: usize = 4096;
/// The most replies that are under way at a time.
pub const RING_REPLIES: usize = 1024;
/// Contexts of kernels that can be completed separately.
pub const RING_CONTEXTS: usize = 1024;
/// Words of a slot.
pub const SLOT_WORDS: usize = 8;
/// The most bytes that a command itself carries.
pub const SLOT_BYTES: usize = 48;
/// Chunks of the memory in which puts leave more bytes than a command carries, and the CPU what it got for lanes; a
/// power of two.
pub const RING_CHUNKS: usize = 64;
/// Bytes of a chunk.
pub const CHUNK_BYTES: usize = 64 << 10;

/// A number in a cache line of its own.
#[repr(C, align(128))]
#[derive(Debug, Default)]
pub struct RingCounter(pub u64);

/// A number that lanes of one context poll. It has a cache line of its own, because each poll takes the line from the
/// CPU.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub struct ContextDone(pub u64);

/// The half of the command ring that is in the PE's host memory. All zero at the start.
#[repr(C, align(4096))]
pub struct HostRing {
    /// Commands that the CPU has read.
    pub read: RingCounter,
    /// For each context, the ticket below which all of its commands are complete.
    pub done: [ContextDone; RING_CONTEXTS],
    /// The results of operations.
    pub replies: [[u64; 2]; RING_REPLIES],
    /// Commands.
    pub slots: [[u64; SLOT_WORDS]; RING_SLOTS],
    /// Chunks that the CPU has freed.
    pub freed: RingCounter,
    /// The bytes of puts that do not fit into a slot, of gets into memory that the CPU does not reach, and of files.
    pub chunks: [RingChunk; RING_CHUNKS],
}

/// The bytes of a put or a get.
#[repr(C, align(4096))]
pub struct RingChunk(pub [u8; CHUNK_BYTES]);

/// The half that is in the PE's GPU memory. All zero at the start.
#[repr(C, align(128))]
pub struct DeviceRing {
    /// Tickets of commands that lanes have taken.
    pub tickets: RingCounter,
    /// What a lane has seen of [`HostRing::read`].
    pub read_seen: RingCounter,
    /// Tickets of replies that lanes have taken.
    pub reply_tickets: RingCounter,
    /// The commands of each context.
    pub contexts: [RingContext; RING_CONTEXTS],
    /// For each reply, how often it has been given back.
    pub given_back: [u64; RING_REPLIES],
    /// Tickets of chunks that lanes have taken.
    pub chunk_tickets: RingCounter,
    /// What a lane has seen of [`HostRing::freed`].
    pub freed_seen: RingCounter,
}

/// The commands of one context.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub struct RingContext {
    /// Twice the sum of 1 and the highest ticket of a command of the context.
    pub posted: u64,
    /// Twice the sum of 1 and the highest ticket of a command that a lane has seen complete. It is 1 less unless any
    /// lane that reads this number and fences sees what the commands did.
    pub seen_done: u64,
}

/// Slots of the ring of a GPU's command processor; a power of two.
pub const PROCESSOR_SLOTS: usize = 1024;

/// The ring of a GPU's command processor, all of it in this GPU's memory. All zero at the start, except for `reports`.
/// Its commands are puts and gets, whose first argument is where the other PE's memory is mapped here, `a` the address
/// in memory of this PE, and `b` the number of bytes. The fourth is 0. A put whose head has a width updates a signal
/// afterwards: the fifth argument is where the signal is mapped here, the sixth the value, the width the number of its
/// [`SignalOp`](crate::SignalOp) plus 1.
#[repr(C, align(128))]
pub struct ProcessorRing {
    /// Tickets of commands that lanes have taken.
    pub tickets: RingCounter,
    /// Commands that the processor has read.
    pub read: RingCounter,
    /// The ticket below which all commands are complete.
    pub done: RingCounter,
    /// Address in host memory of the number of the launch that ended last.
    pub reports: RingCounter,
    /// For each context, the sum of 1 and the highest ticket of its commands.
    pub posted: [u64; RING_CONTEXTS],
    /// Commands.
    pub slots: [[u64; SLOT_WORDS]; PROCESSOR_SLOTS],
}

const _: () = assert!(core::mem::offset_of!(ProcessorRing, slots).is_multiple_of(64));
const _: () = assert!(size_of::<DeviceRing>() == 5 * 128 + 16 * RING_CONTEXTS + 8 * RING_REPLIES);
const _: () = assert!(core::mem::offset_of!(HostRing, chunks).is_multiple_of(4096));

/// What a command asks for. The first argument is the address of the symmetric end, on the PE that asks. The second and
/// third depend on the kind, and are called `a` and `b` here. The fourth is the ticket of a reply plus 1, or 0 if
/// nobody waits for a reply; for [`CommandKind::PutHere`] it is data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Carry out an operation on a word, with the operand `a` and the condition `b`; reply with the old value. A word
    /// that is fetched or set has 1, 2, 4 or 8 bytes, any other 4 or 8.
    Word(WordOp),
    /// Add `a` to a signal, after what the lane wrote and after all earlier commands of the context for the same PE,
    /// except strided copies.
    AddBehind,
    /// Store `a` into a signal; otherwise like [`CommandKind::AddBehind`].
    SetBehind,
    /// Copy `b` bytes from the address `a` of the PE that asks; reply when the source may change.
    Put,
    /// Copy `b` bytes to the address `a` of the PE that asks; reply when they have arrived.
    Get,
    /// Reply when all PEs of a team have asked for this. The lower half of the first argument is the team's first PE,
    /// the upper half its stride. The lower half of `a` is the number of PEs in the team, the upper half the number in
    /// the team of the PE that asks; `b` is the team's slot. The head's PE is 0.
    Sync,
    /// Carry out an operation that the CPU described before. The first argument is its index, `a` its generation, `b`
    /// is 0; PE and width in the head are 0. Reply when the operation's memory may be reused.
    Prepared,
    /// Carry out the operation of a trigger whose epoch is due. The first argument is its index, `a` its generation,
    /// `b` the epoch. No reply.
    Fire,
    /// Store the bytes that the command carries: as many as the width says, from the second argument on, 8 in each
    /// argument. No reply.
    PutHere,
    /// Copy `b` bytes from the chunk whose ticket is `a`, which is free afterwards. No reply.
    PutChunk,
    /// Carry out a collective of a team; reply when it is complete for this PE. The first argument is the dest, `a` the
    /// source, `b` the number of elements; the three behind the reply are those of a [`crate::CollectiveCommand`]. PE,
    /// width and context in the head are 0.
    Collective,
    /// End the job. The first argument is the exit status, as a number of 32 bits; `a`, `b` and the rest of the head
    /// are 0. The reply never comes.
    GlobalExit,
    /// A piece of a line that a lane prints; see [`PrintedPiece`](crate::PrintedPiece). Reply when it is printed.
    Print,
    /// Copy `b` elements at equal distances from the address `a` of the PE that asks; reply when the source may change.
    /// The fifth and sixth arguments are the distances at the target and at the source in elements, the seventh is the
    /// size of an element in bytes.
    Iput,
    /// Copy elements to the address `a` of the PE that asks; reply when they have arrived. Otherwise like
    /// [`CommandKind::Iput`].
    Iget,
    /// Copy `b` bytes to the chunk whose ticket is `a`; reply when they have arrived. The lanes then have the chunk.
    GetChunk,
    /// The lanes no longer need the chunk whose ticket is `a`, which is free. The first argument, `b` and the head's
    /// width are 0. No reply.
    FreeChunk,
    /// Read `b` bytes of a file to the chunk whose ticket is `a`; reply when they have arrived. The lanes then have the
    /// chunk. The first argument is the file's number, with the generation in the upper half, the fifth where to begin
    /// in the file. PE and width in the head are 0.
    ReadFile,
    /// Write `b` bytes of the chunk whose ticket is `a`, which is free afterwards, to a file; reply when the file has
    /// them. Otherwise like [`CommandKind::ReadFile`].
    WriteFile,
}

impl CommandKind {
    /// All kinds that are not for an operation on a word alone.
    const OTHERS: [Self; 18] = [
        Self::AddBehind,
        Self::SetBehind,
        Self::Put,
        Self::Get,
        Self::Sync,
        Self::Prepared,
        Self::Fire,
        Self::PutHere,
        Self::PutChunk,
        Self::Collective,
        Self::GlobalExit,
        Self::Print,
        Self::Iput,
        Self::Iget,
        Self::GetChunk,
        Self::FreeChunk,
        Self::ReadFile,
        Self::WriteFile,
    ];

    /// The kind's number in a [`CommandHead`].
    #[inline(always)]
    pub const fn number(self) -> u8 {
        match self {
            Self::Word(op) => op as u8,
            Self::AddBehind => 7,
            Self::SetBehind => 10,
            Self::Put => 11,
            Self::Get => 12,
            Self::Sync => 13,
            Self::Prepared => 14,
            Self::Fire => 15,
            Self::PutHere => 16,
            Self::PutChunk => 17,
            Self::Collective => 19,
            Self::GlobalExit => 18,
            Self::Print => 20,
            Self::Iput => 21,
            Self::Iget => 22,
            Self::GetChunk => 23,
            Self::FreeChunk => 24,
            Self::ReadFile => 28,
            Self::WriteFile => 29,
        }
    }

    /// The kind with this number.
    #[inline]
    pub fn of_number(number: u8) -> Option<Self> {
        let other = || Self::OTHERS.into_iter().find(|kind| kind.number() == number);
        WordOp::of_number(number).map(Self::Word).or_else(other)
    }

    /// What a command with this number does to a word, and whether it comes behind earlier commands; `None` if it is
    /// not for a word.
    #[inline]
    pub const fn word_op(number: u8) -> Option<(WordOp, bool)> {
        // One table for all kinds: the CPU looks up each command here.
        const LEN: usize = 1 + WordOp::MaxSigned as usize;
        const BY_NUMBER: [Option<(WordOp, bool)>; LEN] = {
            let (mut ops, mut at) = ([None; LEN], 0);
            while at < WordOp::ALL.len() {
                ops[WordOp::ALL[at] as usize] = Some((WordOp::ALL[at], false));
                at += 1;
            }
            ops[CommandKind::AddBehind.number() as usize] = Some((WordOp::Add, true));
            ops[CommandKind::SetBehind.number() as usize] = Some((WordOp::Set, true));
            ops
        };
        if (number as usize) < LEN { BY_NUMBER[number as usize] } else { None }
    }
}

impl fmt::Display for CommandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(op) => write!(f, "{op:?}"),
            other => write!(f, "{other:?}"),
        }
    }
}

/// The head of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandHead {
    /// The number of a [`CommandKind`].
    pub kind: u8,
    /// Bytes of the word, if the command is for one, or the number of bytes that it carries.
    pub width: u8,
    /// Less than [`RING_CONTEXTS`].
    pub context: u16,
    /// The target PE. 24 bits are enough, because a job has far fewer PEs.
    pub pe: u32,
}

const PE_BITS: u32 = 24;
const CONTEXT_BITS: u32 = 16;

impl CommandHead {
    /// The head in 56 bits.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        let kind = (self.kind as u64) << (CONTEXT_BITS + PE_BITS);
        kind << 8 | (self.width as u64) << (CONTEXT_BITS + PE_BITS) | (self.context as u64) << PE_BITS | self.pe as u64
    }

    /// The head that 56 bits hold.
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

    /// Catches two kinds with one number, and a kind that is not found by its number.
    #[test]
    fn a_number_is_that_of_one_kind() {
        for number in 0..=u8::MAX {
            let kind = CommandKind::of_number(number);
            assert!(kind.is_none_or(|kind| kind.number() == number));
            let expected = match kind {
                Some(CommandKind::Word(op)) => Some((op, false)),
                Some(CommandKind::AddBehind) => Some((WordOp::Add, true)),
                Some(CommandKind::SetBehind) => Some((WordOp::Set, true)),
                _ => None,
            };
            assert_eq!(CommandKind::word_op(number), expected);
        }
        let known = (0..=u8::MAX).filter_map(CommandKind::of_number).count();
        assert_eq!(known, WordOp::ALL.len() + CommandKind::OTHERS.len());
    }

    /// Catches fields that overlap or do not fit.
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
