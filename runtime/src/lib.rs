//! OpenSHMEM for hosts with GPUs. The processes of a job, called PEs, read and write each other's memory; the PE whose
//! memory is accessed takes no part in the access.
//!
//! ```
//! use cushmem::{Cmp, Result, Shmem, SignalOp};
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     cushmem::run(ring)
//! }
//!
//! fn ring(shmem: &Shmem) -> Result<()> {
//!     let next = (shmem.my_pe() + 1) % shmem.n_pes();
//!     // All PEs allocate the same, together. Each can then name the memory of all.
//!     let inbox = shmem.malloc::<u32>(4)?;
//!     let arrived = shmem.malloc::<u64>(1)?;
//!     shmem.put_signal(inbox, &[1, 2, 3, 4], arrived.at(0), 1, SignalOp::Set, next)?;
//!     // Whoever sees the signal sees the numbers too.
//!     shmem.signal_wait_until(arrived.at(0), Cmp::Eq, 1)?;
//!     println!("PE {} got {:?}", shmem.my_pe(), inbox.to_vec()?);
//!     Ok(())
//! }
//! ```
//!
//! `shmemrun -n 4 program` starts the program as four PEs. Without a launcher it runs as a job of one PE, which is its
//! own neighbour.
//!
//! # By task
//!
//! | you want to | use |
//! |---|---|
//! | start and end a job | [`run`], or [`init`] and [`init_uid`]; [`Shmem::my_pe`], [`Shmem::n_pes`], [`Shmem::global_exit`] |
//! | allocate memory that all PEs reach | [`Shmem::malloc`] on hosts, [`Shmem::malloc_gpu`] on GPUs, [`Shmem::free`]; [`SymSlice`] and [`SymPtr`] name it |
//! | make memory from another allocator symmetric | [`Shmem::register`], [`Shmem::unregister`] |
//! | fill and read this PE's own memory | [`SymSlice::copy_from`], [`SymSlice::to_vec`], [`SymSlice::slice`] |
//! | write and read another PE's memory | [`Shmem::put`], [`Shmem::get`], [`Shmem::put_nbi`]; one element: [`Shmem::p`], [`Shmem::g`] |
//! | signal a PE that its data has arrived | [`Shmem::put_signal`], [`Shmem::signal_wait_until`], [`Shmem::wait_until`] |
//! | order and complete your operations | [`Shmem::quiet`], [`Shmem::fence`]; separately from other operations: [`Shmem::context`] |
//! | wait for all PEs | [`Shmem::barrier_all`], [`Shmem::sync_all`] |
//! | count, claim or lock | [`Shmem::fetch_add`], [`Shmem::compare_swap`], [`Shmem::swap`], [`Shmem::set_lock`] |
//! | combine and share results | [`Shmem::reduce`], [`Shmem::broadcast`], [`Shmem::fcollect`], [`Shmem::alltoall`], [`Shmem::inscan`] |
//! | run collectives between kernels, without the CPU | [`Stream::reduce`], [`Stream::reducescatter`], [`Stream::broadcast`], [`Stream::fcollect`], [`Stream::alltoall`] |
//! | run collectives on some of the PEs | [`Team`], [`Shmem::team_split_strided`], [`Shmem::team_split_2d`] |
//! | run kernels that put and get | [`Shmem::load`], [`Shmem::stream`], [`Stream::launch`], [`Shmem::device_alloc`]; write them with [`cushmem_device`] |
//! | put, get, signal and synchronise between kernels, without the CPU | [`Stream::put`], [`Stream::put_signal`], [`Stream::signal_wait_until`], [`Stream::barrier_all`]; repeatedly: [`Stream::capture`] |
//! | start, from a kernel or stream, a transfer that the CPU described | [`Shmem::prepare`], [`Shmem::trigger`], [`Stream::post`] |
//! | put data and have a function of your program run on them, on the target's GPU | [`Shmem::task_queue`], [`TaskQueue::put_task`], [`Stream::put_task`], [`cushmem_device::tasks!`] |
//! | see which path your data takes | [`Shmem::paths`], [`Shmem::gpu`] |
//! | read and write, from kernels, an array that is larger than the GPU | [`Shmem::array`], [`SymArray`] |
//! | pass plain addresses, as C does | [`raw`], [`Shmem::raw`] |
//!
//! Operations on symmetric memory return a [`Result`], whose [`Error`] says what failed and why. No call returns a
//! reference to memory that a peer can write.

#![warn(missing_docs)]
// Each module that needs it says so where it is declared.
#![deny(unsafe_code)]

mod api;
mod error;
mod job;
mod memory;
mod service;
mod sync;
mod transfer;
mod transport;

pub use api::amo::Amo;
pub use api::array::{ArrayBuilder, SymArray};
pub use api::collective::reduction::{Arithmetic, Bitwise, Combine, Reducer, Reduction};
pub use api::counters;
pub use api::graph::Graph;
pub use api::prepared::{Operation, Prepared, WordUpdate};
pub use api::raw;
pub use api::shmem::{Shmem, init, init_uid, run};
pub use api::stream::{Event, Image, Module, Stream};
pub use api::sym::{DeviceBuffer, DeviceSlice, NbiSource, Sink, Source, SymPtr, SymSlice};
pub use api::tasks::{TaskExecutor, TaskOptions, TaskQueue};
pub use api::trigger::Trigger;
pub use cushmem_bootstrap::{UNIQUE_ID_BYTES, UniqueId};
pub use cushmem_device::{
    ArrayMode, Bf16, Cmp, DevPtr, DeviceArray, DevicePrepared, DeviceTaskQueue, DeviceTeam, DeviceTrigger, F16, Kernel,
    RolePlan, Roles, SignalOp, TaskCall, TaskFunction, TaskTable, Word,
};
pub use cushmem_gpu::{Grid, Properties as GpuProperties};
pub use error::{ArgumentError, Cause, Error, Result};
pub use job::pe_set::PeSet;
pub use sync::team::Team;
pub use transfer::context::{Context, ContextOptions};
pub use transfer::strided::Blocks;
