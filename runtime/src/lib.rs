//! cushmem: OpenSHMEM for hosts with GPUs.
//!
//! The processes of a job (PEs) share a symmetric heap in host memory and one in GPU memory. [`init`] joins the job that
//! `shmemrun` started; [`Shmem`] is the way to everything else. No call returns a reference to memory that a peer can write.

#![warn(missing_docs)]
// Each module that needs it says so where it is declared.
#![deny(unsafe_code)]

mod api;
mod error;
mod job;
mod memory;
mod sync;
mod transfer;
mod transport;

pub use api::amo::Amo;
pub use api::collective::reduction::{Arithmetic, Bitwise, Combine, Reducer, Reduction};
pub use api::raw;
pub use api::shmem::{Shmem, init, init_uid, run};
pub use api::stream::{Event, Image, Module, Stream};
pub use api::sym::{DeviceBuffer, DeviceSlice, NbiSource, Sink, Source, SymPtr, SymSlice};
pub use cushmem_bootstrap::{UNIQUE_ID_BYTES, UniqueId};
pub use cushmem_device::{Cmp, DevPtr, DeviceTeam, Kernel, SignalOp, Word};
pub use cushmem_gpu::{Grid, Properties as GpuProperties};
pub use error::{ArgumentError, Cause, Error, Result};
pub use job::pe_set::PeSet;
pub use sync::team::Team;
pub use transfer::context::{Context, ContextOptions};
pub use transfer::strided::Blocks;
