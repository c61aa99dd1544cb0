//! What programs call.

#[expect(unsafe_code, reason = "clears and moves objects")]
pub(crate) mod allocation;
#[expect(unsafe_code, reason = "atomics on host memory that peers write")]
pub(crate) mod amo;
#[expect(unsafe_code, reason = "copies lines of arrays, and their words, from and to the GPU")]
pub(crate) mod array;
pub(crate) mod collective;
pub mod counters;
mod explained;
pub(crate) mod gpu;
#[expect(unsafe_code, reason = "runs graphs whose work the caller guarantees to be valid")]
pub(crate) mod graph;
#[expect(unsafe_code, reason = "launches an empty kernel, and holds its stream")]
mod kernel_times;
#[expect(unsafe_code, reason = "accesses half of a word atomically")]
pub(crate) mod lock;
#[expect(unsafe_code, reason = "copies memory that outlives the stream's operations")]
pub(crate) mod on_stream;
pub(crate) mod order;
pub(crate) mod prepared;
#[expect(unsafe_code, reason = "accesses addresses that the caller guarantees to be valid")]
pub mod raw;
#[expect(unsafe_code, reason = "registers memory that the caller guarantees to be valid")]
pub(crate) mod registered;
#[expect(unsafe_code, reason = "copies to and from peers")]
pub(crate) mod rma;
pub(crate) mod shmem;
#[expect(unsafe_code, reason = "signals in memory that peers write")]
pub(crate) mod signal;
#[expect(unsafe_code, reason = "launches kernels")]
pub(crate) mod stream;
#[expect(unsafe_code, reason = "lets other threads use the names of memory")]
pub(crate) mod sym;
#[expect(unsafe_code, reason = "the caller guarantees what a task requires")]
pub(crate) mod tasks;
pub(crate) mod team;
pub(crate) mod trigger;
