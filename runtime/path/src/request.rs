//! The request: an operation, its initiator, and the memory at its ends.

use std::fmt;

/// Defines an enumeration whose values have names and numbers.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$meaning])* $value,)* }

        impl $name {
            /// All values, in the order of the tables.
            pub const ALL: &[Self] = &[$(Self::$value),*];

            /// Its name in tables and in `CUSHMEM_PATH`.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$value => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The operation.
    Operation {
        /// Bytes travel to the peer.
        Put = "put",
        /// Bytes travel from the peer.
        Get = "get",
        /// Like `Put`, with a signal at the peer that guarantees the arrival of the bytes. The row is about the bytes:
        /// a path that does not order the signal after them ([`Path::orders_signal`](crate::Path::orders_signal))
        /// completes them first. The update of the signal has a row of its own: it is a put if the signal is set, or an
        /// AMO if it is added to.
        PutSignal = "put-signal",
        /// A word of the peer changes atomically. Operand and result are passed by value, so the local kind does not
        /// matter.
        Amo = "amo",
    }
}

words! {
    /// What issues the operation.
    Initiator {
        /// A CPU thread.
        Cpu = "cpu",
        /// A CUDA stream, in whose order the operation is executed.
        Stream = "stream",
        /// A thread of a running kernel.
        Kernel = "kernel",
    }
}

words! {
    /// The kind of memory at the local end.
    LocalKind {
        /// Host memory that GPUs cannot access.
        Pageable = "pageable",
        /// Host memory that is pinned and mapped for GPUs, such as the host heap of a PE with a GPU.
        Pinned = "pinned",
        /// Memory of this PE's GPU.
        Gpu = "gpu",
    }
}

words! {
    /// The kind of symmetric memory at the remote end.
    RemoteKind {
        /// The host heap.
        Host = "host",
        /// The GPU heap.
        Gpu = "gpu",
        /// The globals of a C program.
        Globals = "globals",
        /// A host buffer that the program registered.
        Registered = "registered",
    }
}

impl RemoteKind {
    /// The kind that this memory would have if it were local.
    pub const fn as_local(self) -> LocalKind {
        match self {
            Self::Host | Self::Registered => LocalKind::Pinned,
            Self::Globals => LocalKind::Pageable,
            Self::Gpu => LocalKind::Gpu,
        }
    }
}

/// How this PE can access a peer's memory of one kind. A class belongs to a pair of PEs and a kind: that two GPUs do
/// not reach each other does not change how the host heap is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It is this PE's own memory.
    Own,
    /// Loads and stores reach it: by the CPU for host memory, by this PE's GPU for GPU memory.
    Mapped {
        /// Whether atomics from here are atomic with the owner's.
        atomics: bool,
    },
    /// It is host memory of a process on this node, and only the operating system can copy it.
    Attached,
    /// It belongs to a PE of this node whose host heap is mapped here, but nothing on this PE reaches it.
    Unmapped,
    /// It belongs to a PE of another node.
    Far,
}

impl Class {
    /// All classes, in the order of the tables.
    pub const ALL: &[Self] = &[
        Self::Own,
        Self::Mapped { atomics: true },
        Self::Mapped { atomics: false },
        Self::Attached,
        Self::Unmapped,
        Self::Far,
    ];

    /// Its name in tables and in `CUSHMEM_PATH`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Mapped { atomics: true } => "mapped",
            Self::Mapped { atomics: false } => "mapped-without-atomics",
            Self::Attached => "attached",
            Self::Unmapped => "unmapped",
            Self::Far => "far",
        }
    }

    const fn number(self) -> usize {
        match self {
            Self::Own => 0,
            Self::Mapped { atomics: true } => 1,
            Self::Mapped { atomics: false } => 2,
            Self::Attached => 3,
            Self::Unmapped => 4,
            Self::Far => 5,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A question to the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// The operation.
    pub operation: Operation,
    /// What issues it.
    pub initiator: Initiator,
    /// The memory at the local end.
    pub local: LocalKind,
    /// The memory at the remote end.
    pub remote: RemoteKind,
    /// How this PE can access it.
    pub class: Class,
}

impl Request {
    /// The number of different requests.
    pub(crate) const COUNT: usize =
        Operation::ALL.len() * Initiator::ALL.len() * LocalKind::ALL.len() * RemoteKind::ALL.len() * Class::ALL.len();

    /// Its number, below [`Request::COUNT`].
    #[inline]
    pub(crate) const fn number(self) -> usize {
        let mut number = self.operation as usize;
        number = number * Initiator::ALL.len() + self.initiator as usize;
        number = number * LocalKind::ALL.len() + self.local as usize;
        number = number * RemoteKind::ALL.len() + self.remote as usize;
        number * Class::ALL.len() + self.class.number()
    }

    /// The request with this number.
    pub(crate) fn of_number(mut number: usize) -> Self {
        let mut digit = |base: usize| {
            let digit = number % base;
            number /= base;
            digit
        };
        let class = Class::ALL[digit(Class::ALL.len())];
        let remote = RemoteKind::ALL[digit(RemoteKind::ALL.len())];
        let local = LocalKind::ALL[digit(LocalKind::ALL.len())];
        let initiator = Initiator::ALL[digit(Initiator::ALL.len())];
        Self { operation: Operation::ALL[digit(Operation::ALL.len())], initiator, local, remote, class }
    }

    /// All requests, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::of_number)
    }

    /// The kinds of memory that the bytes leave and reach.
    pub(crate) const fn travels(self) -> (LocalKind, LocalKind) {
        match self.operation {
            Operation::Get => (self.remote.as_local(), self.local),
            Operation::Put | Operation::PutSignal | Operation::Amo => (self.local, self.remote.as_local()),
        }
    }

    /// Whether GPU memory is at an end that matters.
    pub(crate) fn has_gpu_end(self) -> bool {
        self.remote == RemoteKind::Gpu || (self.operation != Operation::Amo && self.local == LocalKind::Gpu)
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, initiator, local, remote, class } = self;
        match operation {
            Operation::Amo => write!(f, "{operation} by {initiator} on {remote} memory ({class})"),
            Operation::Get => write!(f, "{operation} by {initiator} from {remote} ({class}) to {local} memory"),
            _ => write!(f, "{operation} by {initiator} from {local} to {remote} memory ({class})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_one_request() {
        assert_eq!(Request::all().count(), 4 * 3 * 3 * 4 * 6);
        for (number, request) in Request::all().enumerate() {
            assert_eq!(request.number(), number, "{request}");
        }
    }
}
