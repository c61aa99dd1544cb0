//! cushmem: OpenSHMEM for hosts with GPUs.
//!
//! The processes of a job (PEs) share a symmetric heap in host memory and one in GPU memory. [`init`] joins the job that
//! `shmemrun` started; [`Shmem`] is the way to everything else. No call returns a reference to memory that a peer can write.

#![warn(missing_docs)]

mod active_set;
mod address;
mod agreement;
mod amo;
mod check;
mod collective;
mod config;
mod context;
mod error;
mod flags;
mod fold;
mod futex;
mod globals;
mod gpu_heap;
mod heap;
mod host_heap;
mod lock;
mod mapped;
mod members;
mod memory;
mod order;
mod pe_set;
pub mod raw;
mod rma;
mod shmem;
mod signal;
mod spin;
mod stream;
mod strided;
mod sym;
mod team;

pub use address::Misuse;
pub use amo::Amo;
pub use context::{Context, ContextOptions};
pub use cushmem_device::{Cmp, DevPtr, Kernel, SignalOp, Word};
pub use cushmem_gpu::{Grid, Properties as GpuProperties};
pub use error::{Error, Result};
pub use fold::{Arithmetic, Bitwise, Combine, Fold, Reduction};
pub use pe_set::PeSet;
pub use shmem::{Shmem, init, run};
pub use stream::{Event, Module, Stream};
pub use strided::Blocks;
pub use sym::{DeviceBuffer, DeviceSlice, NbiSource, Sink, Source, SymPtr, SymSlice};
pub use team::Team;
