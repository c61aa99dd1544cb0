//! The ways in which bytes travel.

use crate::request::words;
use std::fmt;

words! {
    /// A way for bytes to travel. If two cost the same, the earlier one in this list is taken.
    Path {
        /// The CPU loads and stores mapped memory of the peer.
        Mapped = "mapped",
        /// The kernel's threads load, store and change memory themselves; for a stream, the threads of a kernel of the
        /// library do.
        GpuDirect = "gpu-direct",
        /// A copy engine of this PE's GPU, on a stream.
        CopyEngine = "copy-engine",
        /// A small resident kernel that takes commands from the CPU.
        GpuAgent = "gpu-agent",
        /// The CPU loads and stores GPU memory that is mapped into its address space.
        Bar = "bar",
        /// The operating system copies between processes (`process_vm_writev`).
        CrossMemory = "cross-memory",
        /// `CopyEngine` and `CrossMemory` in sequence, through a host buffer.
        CrossMemoryStaged = "cross-memory-staged",
        /// A NIC, between host memories.
        Nic = "nic",
        /// A NIC that reads and writes GPU memory.
        Gdr = "gdr",
        /// In chunks through pinned host memory: a copy engine at an end in GPU memory, a NIC between nodes.
        Staged = "staged",
        /// A thread of the runtime carries the operation out. For kernels and streams it is a thread of this PE, which
        /// uses another path; for AMOs it is a thread of the owner, where they are atomic.
        Proxy = "proxy",
    }
}

impl Path {
    /// The number of paths.
    pub const COUNT: usize = Self::ALL.len();

    /// Whether it involves a GPU.
    pub(crate) const fn needs_gpu(self) -> bool {
        match self {
            Self::GpuDirect
            | Self::CopyEngine
            | Self::GpuAgent
            | Self::Bar
            | Self::CrossMemoryStaged
            | Self::Gdr
            | Self::Staged => true,
            Self::Mapped | Self::CrossMemory | Self::Nic | Self::Proxy => false,
        }
    }

    /// Whether a signal that is posted after data on this path is seen after them, wherever the signal's word is. If
    /// not, the data are completed first.
    pub const fn orders_signal(self) -> bool {
        match self {
            // The CPU or the kernel stores the signal with release; a NIC delivers in order into one kind of memory;
            // the target's proxy writes the signal after the last chunk.
            Self::Mapped | Self::GpuDirect | Self::GpuAgent | Self::Bar | Self::Nic | Self::Staged | Self::Proxy => {
                true
            }
            // The data have arrived when the system call returns.
            Self::CrossMemory | Self::CrossMemoryStaged => true,
            // A stream orders only its own copies, and data for a GPU may be overtaken by a signal for the host.
            Self::CopyEngine | Self::Gdr => false,
        }
    }
}
