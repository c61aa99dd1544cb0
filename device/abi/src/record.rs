//! What kernels record of their operations, for a timeline.

use crate::RingCounter;

/// The start of a GPU's record, in its memory; the [`KernelEvent`]s follow. All zero at the start.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct KernelRecord {
    /// Numbers that operations have taken. Event `i` has slot `i` modulo the number of slots, so the latest ones stay.
    pub taken: RingCounter,
}

/// An operation of a kernel, or a wait, as its slot has it. Whoever has ended it stores all of it, in three pieces.
/// Each has the event's mark, because two operations that end at the same time may store to one slot.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelEvent {
    /// When it began, in nanoseconds of the GPU's clock.
    pub from: u64,
    /// Its mark: the lowest 20 bits of 1 more than its number, above 44 bits of 0.
    pub mark: u64,
    /// How long it took in nanoseconds, below 2⁴⁴, and above it the mark.
    pub lasted: u64,
    /// A [`KernelWork`].
    pub what: u64,
    /// Its bytes, below 2⁴⁴, and above them the mark; of a wait for several words, the bytes of all.
    pub bytes: u64,
    /// The address here of the word that it changes or waits for; 0 if there is none.
    pub word: u64,
}

const _: () = assert!(size_of::<KernelRecord>() == 128 && size_of::<KernelEvent>() == 48);

impl KernelEvent {
    /// The first bit of the mark where it is above something else.
    const MARK_BIT: u32 = 44;
    const BELOW: u64 = (1 << Self::MARK_BIT) - 1;

    /// What an operation keeps from its begin to its end, in one word: when it began, and its mark. 0 stands for an
    /// operation that is not recorded; one in 2⁶⁴ that is would have it, and is lost.
    #[inline(always)]
    pub const fn begun(from: u64, number: u64) -> u64 {
        from & Self::BELOW | (number + 1) << Self::MARK_BIT
    }

    /// The lowest bits of the number of an operation that has [begun](KernelEvent::begun): enough to find its slot.
    #[inline(always)]
    pub const fn number(begun: u64) -> u64 {
        (begun >> Self::MARK_BIT).wrapping_sub(1)
    }

    /// The words of the event of an operation that has [begun](KernelEvent::begun) and ends at this time, within two
    /// hours.
    #[inline(always)]
    pub const fn ended(begun: u64, until: u64, what: u64, bytes: u64, word: u64) -> [u64; 6] {
        let (mark, lasted) = (begun & !Self::BELOW, until.wrapping_sub(begun) & Self::BELOW);
        [until.wrapping_sub(lasted), mark, lasted | mark, what, bytes & Self::BELOW | mark, word]
    }

    /// The event in a slot with these words, without its mark. None if there is none, if the slot has pieces of two, or
    /// if it ended before it began.
    pub fn of_words([from, mark, lasted, what, bytes, word]: [u64; 6]) -> Option<Self> {
        let has_mark = from != 0 && [lasted, bytes].iter().all(|word| word & !Self::BELOW == mark);
        let (mark, lasted, bytes) = (mark >> Self::MARK_BIT, lasted & Self::BELOW, bytes & Self::BELOW);
        (has_mark && lasted <= Self::BELOW / 2).then_some(Self { from, mark, lasted, what, bytes, word })
    }

    /// When it ended, of an event from [`KernelEvent::of_words`].
    pub const fn until(&self) -> u64 {
        self.from + self.lasted
    }
}

impl KernelRecord {
    /// The size of a record with so many slots.
    pub const fn bytes(slots: usize) -> usize {
        size_of::<Self>() + slots * size_of::<KernelEvent>()
    }

    /// Where the record of the GPU agent is, of as many slots: behind the one at this address, of all others. It has
    /// its own, so that the many short commands of a CPU do not take the slots of kernels.
    pub const fn of_agent(record: u64, slots: u32) -> u64 {
        record + Self::bytes(slots as usize) as u64
    }
}

macro_rules! kernel_operations {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a kernel does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum KernelOperation {
            $($(#[$doc])* $name),*
        }

        impl KernelOperation {
            /// All, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in timelines.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text),*
                }
            }

            /// The one with this number.
            pub fn of_number(number: u8) -> Option<Self> {
                Self::ALL.get(usize::from(number)).copied()
            }
        }
    };
}
kernel_operations! {
    /// A put of a scope.
    Put = "put",
    /// A get of a scope.
    Get = "get",
    /// A put of a scope with a signal.
    PutSignal = "put-signal",
    /// A signal without data.
    Signal = "signal",
    /// A wait for one word or several.
    Wait = "wait",
    /// Completion of a context's operations.
    Quiet = "quiet",
    /// A barrier of a team.
    Barrier = "barrier",
    /// A synchronisation of a team.
    Sync = "sync",
    /// Any other collective.
    Collective = "collective",
    /// A bump of a trigger, and the operation that it ran.
    Trigger = "trigger",
    /// A put with a task.
    PutTask = "put-task",
    /// An atomic operation on a word.
    Atomic = "atomic",
}

/// What was done, by whom, and on which PE, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelWork {
    /// The number of a [`KernelOperation`].
    pub operation: u8,
    /// The warp in its block: less than 32, or that of a [server](KernelWork::server).
    pub warp: u8,
    /// The block in its grid, modulo 2¹⁶.
    pub block: u16,
    /// The PE that it is on; [`KernelWork::NO_PE`] if there is none.
    pub pe: u32,
}

impl KernelWork {
    /// Stands for a PE where there is none.
    pub const NO_PE: u32 = u32::MAX;
    /// The block and warp of the command processor, which no kernel of a program has.
    pub const PROCESSOR: (u16, u8) = (u16::MAX, 32);
    /// Those of the GPU agent.
    pub const AGENT: (u16, u8) = (u16::MAX, 33);

    /// The name of whoever serves commands with this block and warp; none if they are of a kernel of the program. The
    /// word of a server's events is where it carries a command out, on any PE.
    pub const fn server(block: u16, warp: u8) -> Option<&'static str> {
        match (block, warp) {
            Self::PROCESSOR => Some("command processor"),
            Self::AGENT => Some("GPU agent"),
            _ => None,
        }
    }

    /// As one word.
    pub const fn bits(self) -> u64 {
        self.operation as u64 | (self.warp as u64) << 8 | (self.block as u64) << 16 | (self.pe as u64) << 32
    }

    /// The work with these bits.
    pub const fn of_bits(bits: u64) -> Self {
        Self { operation: bits as u8, warp: (bits >> 8) as u8, block: (bits >> 16) as u16, pe: (bits >> 32) as u32 }
    }
}
