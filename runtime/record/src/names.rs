//! What is told apart.

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$each])* $variant),*
        }

        impl $name {
            /// All, in the order of their numbers.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// Its name in tables, files and the API.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text),*
                }
            }

            /// The one with this number.
            pub fn of_number(number: u8) -> Option<Self> {
                Self::ALL.get(usize::from(number)).copied()
            }

            /// The one with this name.
            pub fn of_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

names! {
    /// What a PE does.
    Operation {
        /// Puts of the CPU, blocking or not, of any shape.
        Put = "put",
        /// Gets of the CPU.
        Get = "get",
        /// Atomic operations of the CPU.
        Atomic = "atomic",
        /// Puts of the CPU with a signal.
        PutSignal = "put-signal",
        /// Signals of the CPU without data.
        Signal = "signal",
        /// Fences of the CPU.
        Fence = "fence",
        /// Quiets of the CPU.
        Quiet = "quiet",
        /// Barriers of all PEs.
        Barrier = "barrier",
        /// Synchronisations of all PEs, a team or an active set.
        Sync = "sync",
        /// Broadcasts of the CPU.
        Broadcast = "broadcast",
        /// Concatenations of blocks whose sizes may differ.
        Collect = "collect",
        /// Concatenations of blocks of one size.
        Fcollect = "fcollect",
        /// Exchanges of all with all.
        Alltoall = "alltoall",
        /// Reductions, scans and scattered reductions.
        Reduce = "reduce",
        /// Allocation, reallocation and freeing of symmetric memory.
        Allocate = "allocate",
        /// Locks that are set, tested and cleared.
        Lock = "lock",
        /// Launches of kernels: the calls, not the kernels.
        Launch = "launch",
        /// Waits for streams and events.
        Synchronize = "synchronize",
        /// Puts and gets that streams carry out: the calls, like all that follow of streams.
        StreamCopy = "stream copy",
        /// Puts with a signal of streams.
        StreamPutSignal = "stream put-signal",
        /// Words and signals that streams store or change.
        StreamWord = "stream word",
        /// Waits of streams for words.
        StreamWait = "stream wait",
        /// Quiets, barriers and synchronisations of streams.
        StreamSync = "stream sync",
        /// Waits of streams for other streams.
        StreamWaitFor = "stream wait-for",
        /// Commands of kernels that put.
        CommandPut = "command put",
        /// Commands of kernels that get.
        CommandGet = "command get",
        /// Commands of kernels on words.
        CommandWord = "command word",
        /// Other commands of kernels.
        CommandOther = "command other",
    }
}

impl Operation {
    /// Whether it is a command of a kernel, which the proxy thread carries out.
    pub fn is_command(self) -> bool {
        matches!(self, Self::CommandPut | Self::CommandGet | Self::CommandWord | Self::CommandOther)
    }
}

names! {
    /// How the bytes of an operation move.
    Way {
        /// Nothing moves, or in several ways.
        None = "-",
        /// By loads and stores of the CPU.
        Mapped = "mapped",
        /// By the network.
        Nic = "nic",
        /// In chunks through host memory.
        Staged = "staged",
        /// By a copy engine.
        CopyEngine = "copy-engine",
        /// By the GPU agent.
        GpuAgent = "gpu-agent",
        /// By the operating system.
        CrossMemory = "cross-memory",
        /// By the operating system and a copy engine.
        CrossMemoryStaged = "cross-memory-staged",
        /// By the proxy thread, for a kernel, in whichever way.
        Proxy = "proxy",
        /// By the network, from or to GPU memory that the adapter reaches itself.
        Gdr = "gdr",
    }
}

names! {
    /// What a thread waits for.
    Cause {
        /// Another PE, in a barrier, a collective, or an agreement.
        Peers = "peers",
        /// A word of the program.
        Word = "word",
        /// The network.
        Network = "network",
        /// A GPU, or the copies of one.
        Gpu = "gpu",
        /// What proxy threads carry out: copies through host memory, and what kernels and streams have left to them.
        Proxy = "proxy",
    }
}

names! {
    /// What a network does, for operations of the program and for those of the library.
    Transfer {
        /// Writes bytes.
        Put = "network put",
        /// Reads bytes.
        Get = "network get",
        /// Stores a word as a whole.
        Word = "network word",
        /// Changes a word.
        Atomic = "network atomic",
    }
}

/// What an operation works on or a wait is for, so that events on the same thing are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A word of symmetric memory, of the PE of the operation or else of the PE that waits: the number of its segment,
    /// and its offset there, which all PEs use.
    Word(u8, u64),
    /// A stream of this PE, by its handle.
    Stream(u64),
}

impl Subject {
    /// Bits of an offset or a handle. Larger ones lose those above.
    const BITS: u32 = 56;
    /// Where the number of a segment would be.
    const STREAM: u8 = u8::MAX;

    /// As one word, which is not 0.
    pub(crate) fn bits(self) -> u64 {
        let (kind, number) = match self {
            Self::Word(segment, offset) => (segment.min(Self::STREAM - 2) + 1, offset),
            Self::Stream(handle) => (Self::STREAM, handle),
        };
        u64::from(kind) << Self::BITS | number & ((1 << Self::BITS) - 1)
    }

    pub(crate) fn of_bits(bits: u64) -> Option<Self> {
        let number = bits & ((1 << Self::BITS) - 1);
        match (bits >> Self::BITS) as u8 {
            0 => None,
            Self::STREAM => Some(Self::Stream(number)),
            segment => Some(Self::Word(segment - 1, number)),
        }
    }
}

names! {
    /// Other counts.
    Extra {
        /// Batches of kernels' commands that the proxy has taken.
        Batches = "batches of commands",
        /// How often it began to take none, because too much was under way.
        Stalls = "stalls behind staged copies",
        /// How often it slept.
        Naps = "naps of the proxy",
        /// Copies through host memory that this PE has started.
        Staged = "staged copies",
        /// Pairs of PEs between which it staged.
        Pairs = "pairs for staging",
        /// Batches that the proxy took from a ring with a command in every slot: lanes may have waited for room.
        FullRings = "batches from a full command ring",
        /// Attempts to connect to the rendezvous that were not the first.
        Connections = "connections",
        /// Operations, or parts of them, that the network could not start at once.
        Network = "network operations",
        /// Posts that found no room in a network lane.
        NetworkLanes = "posts to full network lanes",
        /// Posts that found no room in a lane of a copy engine.
        CopyLanes = "posts to full copy lanes",
    }
}

impl Extra {
    /// Whether it is of something that the library has tried again.
    pub fn is_retry(self) -> bool {
        matches!(self, Self::Connections | Self::Network | Self::NetworkLanes | Self::CopyLanes)
    }
}
