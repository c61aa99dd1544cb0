//! What kernels record of their operations, for a timeline.

use crate::RingCounter;

/// The start of a GPU's record, in its memory; the [`KernelEvent`]s follow. All zero at the start.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct KernelRecord {
    /// Events that lanes have taken a slot for. Event `i` has slot `i` modulo their number, so the latest ones stay.
    pub taken: RingCounter,
}

/// An operation of a kernel, or a wait.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelEvent {
    /// When it began, in nanoseconds of the GPU's clock.
    pub from: u64,
    /// 1 more than the number of the event.
    pub number: u64,
    /// When it ended; 0 if it has not.
    pub until: u64,
    /// A [`KernelWork`].
    pub what: u64,
    /// Its bytes, below 2⁴⁸; of a wait for several words, those of all. The bits above say how often each slot had been
    /// taken before, as the lane knows that has ended it.
    pub bytes: u64,
    /// The address here of the word that it changes or waits for; 0 if there is none.
    pub word: u64,
}

const _: () = assert!(size_of::<KernelRecord>() == 128 && size_of::<KernelEvent>() == 48);

impl KernelEvent {
    /// The first bit of [`KernelEvent::bytes`] that says how often each slot had been taken before.
    pub const ROUND_SHIFT: u32 = 48;

    /// The event with this number from the words of its slot, one of so many. None if it has not ended, or if the lane
    /// whose event had the slot before has ended that one since: then the times of both are mixed.
    pub fn of_words(words: [u64; 6], number: u64, slots: u64) -> Option<Self> {
        let [from, last, until, what, bytes, word] = words;
        let round = number / slots % (1 << (64 - Self::ROUND_SHIFT));
        let is_whole = last == number + 1 && from <= until && bytes >> Self::ROUND_SHIFT == round;
        let bytes = bytes % (1 << Self::ROUND_SHIFT);
        is_whole.then_some(Self { from, number: last, until, what, bytes, word })
    }
}

impl KernelRecord {
    /// The size of a record with so many slots.
    pub const fn bytes(slots: usize) -> usize {
        size_of::<Self>() + slots * size_of::<KernelEvent>()
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
}

/// What was done, by whom, and on which PE, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelWork {
    /// The number of a [`KernelOperation`].
    pub operation: u8,
    /// The warp in its block: less than 32, or that of [`KernelWork::PROCESSOR`].
    pub warp: u8,
    /// The block in its grid, modulo 2¹⁶.
    pub block: u16,
    /// The PE that it is on; [`KernelWork::NO_PE`] if there is none.
    pub pe: u32,
}

impl KernelWork {
    /// Stands for a PE where there is none.
    pub const NO_PE: u32 = u32::MAX;
    /// The block and warp of the command processor, which no kernel of a program has. The word of its events is where a
    /// command is carried out, on any PE.
    pub const PROCESSOR: (u16, u8) = (u16::MAX, 32);

    /// As one word.
    pub const fn bits(self) -> u64 {
        self.operation as u64 | (self.warp as u64) << 8 | (self.block as u64) << 16 | (self.pe as u64) << 32
    }

    /// The work with these bits.
    pub const fn of_bits(bits: u64) -> Self {
        Self { operation: bits as u8, warp: (bits >> 8) as u8, block: (bits >> 16) as u16, pe: (bits >> 32) as u32 }
    }
}
