//! The device API: the functions that a kernel calls to reach other PEs.
//!
//! One source serves two targets. For `nvptx64` every operation is a few PTX instructions. On the host the same
//! functions run as lanes of the emulated GPU. A kernel crate lists its kernels in [`kernels!`]:
//!
//! ```
//! use cushmem_device::{DevPtr, kernels, my_pe, n_pes, p};
//! # // Without a build script there is no crate of kernels: the body is checked as what it is, unsafe code.
//! # macro_rules! kernels { ($($kernel:item)*) => { $(#[expect(unsafe_op_in_unsafe_fn)] $kernel)* } }
//!
//! kernels! {
//!     /// Stores this PE's number into `dst` on the next PE. `dst` is symmetric.
//!     pub unsafe fn tell_next(dst: DevPtr<u32>) {
//!         p(dst, my_pe(), (my_pe() + 1) % n_pes());
//!     }
//! }
//! ```
//!
//! Operations that move bulk data are methods of a [`Scope`]. One lane calls `Thread.put(…)` on its own; all lanes of a
//! warp or a block call `Warp.put(…)` or `Block.put(…)` together, with the same arguments.
//!
//! Pointers name symmetric memory of this PE, on the host or the GPU, and the library finds the same object on the
//! peer. How an operation gets there depends on what it needs ([`route`]). Loads and stores go wherever this GPU
//! reaches. Atomics go to the GPU that owns the word or, for words in host memory, to the CPU, as a request. In jobs in
//! which not all PEs are mapped, such as jobs of several nodes, the kernel also asks the CPU to copy, load and store
//! there, and to synchronise with the other PEs. An operation for which there is no way ends the kernel with a message.
//!
//! An operation is complete after [`Ctx::quiet`] of its context. Free functions and the methods of a scope use
//! [`Ctx::DEFAULT`]. [`Scope::trigger`] describes completion for triggers.
#![no_std]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(asm_experimental_arch, stdarch_nvptx, link_llvm_intrinsics, abi_unadjusted),
    allow(internal_features)
)]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

mod amo;
mod amo_nbi;
#[doc(hidden)]
pub mod any;
pub mod arch;
mod array;
mod array_elements;
mod array_lines;
mod atomic;
mod bulk;
mod cmp;
#[doc(hidden)]
pub mod collective;
mod collectives;
mod command;
mod complete;
mod ctx;
#[doc(hidden)]
pub mod cxx;
#[doc(hidden)]
pub mod cxx_arrays;
#[doc(hidden)]
pub mod cxx_tasks;
mod deal;
mod engine;
mod executor;
mod exit;
mod fail;
mod far;
mod fold;
mod half;
mod kernel;
mod lent;
mod math;
mod peer;
mod prepared;
mod print;
mod processor;
mod ptr;
mod recorded;
mod report;
mod rma;
mod roles;
mod scope;
mod serving;
mod shared;
mod signal;
mod strided;
mod sync;
mod task_call;
mod tasks;
mod team;
mod team_ctx;
mod trigger;
mod wait;
mod wait_many;
mod warp;

const _: () = assert!(cushmem_protocol::barrier::MAX_STEPS as usize <= cushmem_abi::BARRIER_STEPS);

#[doc(hidden)]
pub use kernel::reexport;
#[cfg(not(target_arch = "nvptx64"))]
pub use kernel::{Kernel, KernelArg, KernelArgs};

pub use amo::{
    atomic_add, atomic_and, atomic_compare_swap, atomic_fetch, atomic_fetch_add, atomic_fetch_and, atomic_fetch_inc,
    atomic_fetch_max, atomic_fetch_min, atomic_fetch_or, atomic_fetch_xor, atomic_inc, atomic_max, atomic_min,
    atomic_or, atomic_set, atomic_swap, atomic_xor,
};
pub use amo_nbi::{
    atomic_compare_swap_nbi, atomic_fetch_add_nbi, atomic_fetch_and_nbi, atomic_fetch_inc_nbi, atomic_fetch_max_nbi,
    atomic_fetch_min_nbi, atomic_fetch_nbi, atomic_fetch_or_nbi, atomic_fetch_xor_nbi, atomic_swap_nbi,
};
pub use arch::{
    activemask, ballot, block_dim_x, block_dim_y, block_dim_z, block_idx_x, block_idx_y, block_idx_z, clock,
    globaltimer, grid_dim_x, grid_dim_y, grid_dim_z, lane_id, syncthreads, syncwarp, thread_idx_x, thread_idx_y,
    thread_idx_z,
};
#[doc(hidden)]
pub use array::ArrayParts;
pub use array::DeviceArray;
pub use atomic::{Atomic, AtomicNumber};
pub use cmp::Cmp;
pub use collective::{And, Max, Min, Number, Operation, Or, Prod, Sum, Xor};
pub use collectives::Collective;
pub use complete::pe_quiet;
pub use ctx::{Ctx, fence, quiet};
pub use cushmem_abi::{ArrayMode, DevicePrepared, DeviceTaskQueue, DeviceTeam, DeviceTrigger, SignalOp};
pub use deal::Deal;
#[doc(hidden)]
pub use engine::Smem;
pub use executor::Task;
#[cfg(not(target_arch = "nvptx64"))]
pub use executor::TaskTable;
#[doc(hidden)]
pub use executor::run_tasks;
pub use exit::global_exit;
pub use fold::Fold;
#[doc(hidden)]
pub use fold::{FOLD_BYTES, FOLD_ID};
pub use half::{Bf16, F16};
pub use lent::{GiveSmem, Lent, SMEM_BYTES, SMEM_MIN_BYTES};
pub use math::{Real, abs, ceil, cos, exp, floor, fma, log, max, min, rsqrt, sin, sqrt};
pub use peer::{Need, Route, Why, my_pe, n_pes, ptr, route};
pub use prepared::post;
pub use print::Print;
#[doc(hidden)]
pub use print::{PrintText, PrintedValue, print_line_of};
pub use ptr::{DevPtr, Word};
#[doc(hidden)]
pub use recorded::Begun;
pub use rma::{g, p};
pub use roles::{Role, RolePlan, Roles, Shift, gate_add};
pub use scope::{Block, Lanes, Scope, Thread, Warp, Wide};
#[doc(hidden)]
pub use serving::{PROCESSOR_WORDS, run_processor};
#[doc(hidden)]
pub use shared::shared_id;
pub use shared::{Shared, SharedPtr, dynamic_shared, dynamic_shared_bytes};
pub use signal::{signal_fetch, signal_op};
pub use sync::{Grid, grid_sync};
#[doc(hidden)]
pub use sync::{
    agent_copy, collective_area, collective_goes_on, collective_late, collective_sync, collective_waits, meet_two,
};
pub use task_call::{TaskArgs, TaskCall, TaskFunction};
#[doc(hidden)]
pub use tasks::put_checked_task;
pub use team::{team, team_my_pe, team_n_pes, team_translate_pe, team_world};
pub use team_ctx::TeamCtx;
pub use trigger::grid_trigger;
#[doc(hidden)]
pub use wait::wait_limit_ns;
pub use wait::{signal_wait_until, signal_wait_until_for, wait_until, wait_until_for};
pub use wait_many::{
    Ivars, Values, test, test_all, test_any, test_some, wait_until_all, wait_until_all_for, wait_until_any,
    wait_until_any_for, wait_until_some, wait_until_some_for,
};
pub use warp::{match_all, match_any, shfl_down, shfl_idx, shfl_up, shfl_xor, vote_all, vote_any};
