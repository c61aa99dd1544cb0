//! cushmem: OpenSHMEM for hosts with GPUs.
//!
//! The processes of a job (PEs) share a symmetric heap in host memory and one in GPU memory. [`init`] joins the job that
//! `shmemrun` started; [`Shmem`] is the way to everything else. No call returns a reference to memory that a peer can write.

#![warn(missing_docs)]
// Each module that needs it says so below.
#![deny(unsafe_code)]

mod active_set;
mod address;
#[expect(unsafe_code, reason = "looks at what a neighbour announces")]
mod agreement;
#[expect(unsafe_code, reason = "atomics on host memory that peers write")]
mod amo;
mod check;
mod collective;
mod config;
mod context;
mod error;
mod flags;
#[expect(unsafe_code, reason = "elements of any type, by their bytes")]
mod fold;
#[expect(unsafe_code, reason = "a system call")]
mod futex;
#[expect(unsafe_code, reason = "the program's own segments, and the system calls that share them")]
mod globals;
mod gpu_heap;
mod heap;
#[expect(unsafe_code, reason = "maps memory that all PEs share")]
mod host_heap;
#[expect(unsafe_code, reason = "halves of a word, atomically")]
mod lock;
#[expect(unsafe_code, reason = "all access to host memory that peers write")]
mod mapped;
#[expect(unsafe_code, reason = "what collectives copy")]
mod members;
#[expect(unsafe_code, reason = "clears and moves objects")]
mod memory;
mod order;
mod pe_set;
#[expect(unsafe_code, reason = "addresses that the caller vouches for")]
pub mod raw;
#[expect(unsafe_code, reason = "copies to and from peers")]
mod rma;
#[expect(unsafe_code, reason = "clears the library's own GPU memory")]
mod shmem;
#[expect(unsafe_code, reason = "signals in memory that peers write")]
mod signal;
mod spin;
#[expect(unsafe_code, reason = "launches kernels")]
mod stream;
#[expect(unsafe_code, reason = "addresses that the caller vouches for")]
mod strided;
#[expect(unsafe_code, reason = "names of memory that may go to other threads")]
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
