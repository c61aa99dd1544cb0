//! The ways for bytes to travel.

use crate::request::words;
use std::fmt;

words! {
    /// A way for bytes to travel. Where two cost the same, the earlier one of this list is taken.
    Path {
        /// The CPU loads and stores memory that is mapped from the peer.
        Mapped = "mapped",
        /// The kernel's threads load, store and change memory themselves; for a stream, those of a kernel of the
        /// library.
        GpuDirect = "gpu-direct",
        /// A copy engine of this PE's GPU, on a stream.
        CopyEngine = "copy-engine",
        /// A small resident kernel, which takes commands from the CPU.
        GpuAgent = "gpu-agent",
        /// The CPU loads and stores GPU memory that is mapped for it.
        Bar = "bar",
        /// The operating system copies between processes (`process_vm_writev`).
        CrossMemory = "cross-memory",
        /// `CopyEngine` and `CrossMemory`, one after the other, through a host buffer.
        CrossMemoryStaged = "cross-memory-staged",
        /// A NIC, between host memories.
        Nic = "nic",
        /// A NIC that reads and writes GPU memory.
        Gdr = "gdr",
        /// Chunks through pinned host memory: a copy engine where memory is a GPU's, a NIC between nodes.
        Staged = "staged",
        /// A thread of the runtime carries it out: for kernels and streams this PE's, by a path of its own; for AMOs
        /// the owner's, where they are atomic.
        Proxy = "proxy",
    }
}

impl Path {
    /// The number of paths.
    pub const COUNT: usize = Self::ALL.len();

    /// Whether a GPU takes part in it.
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

    /// Whether a signal that is posted behind data on this path is seen after them, wherever the signal's word is.
    /// Otherwise the data are completed first.
    pub const fn orders_signal(self) -> bool {
        match self {
            // The CPU or the kernel stores the signal with release; a NIC delivers in order into one kind of memory;
            // the proxy of the target writes the signal behind the last chunk.
            Self::Mapped | Self::GpuDirect | Self::GpuAgent | Self::Bar | Self::Nic | Self::Staged | Self::Proxy => {
                true
            }
            // The data are there when the system call returns.
            Self::CrossMemory | Self::CrossMemoryStaged => true,
            // A stream orders its own copies only, and data for a GPU may pass a signal for the host.
            Self::CopyEngine | Self::Gdr => false,
        }
    }
}
