//! What programs call.

#[expect(unsafe_code, reason = "clears and moves objects")]
pub(crate) mod allocation;
#[expect(unsafe_code, reason = "atomics on host memory that peers write")]
pub(crate) mod amo;
pub(crate) mod collective;
pub(crate) mod gpu;
#[expect(unsafe_code, reason = "runs kernels that the caller vouches for")]
pub(crate) mod graph;
#[expect(unsafe_code, reason = "halves of a word, atomically")]
pub(crate) mod lock;
#[expect(unsafe_code, reason = "copies whose memory outlives the stream's operations")]
pub(crate) mod on_stream;
pub(crate) mod order;
pub(crate) mod prepared;
#[expect(unsafe_code, reason = "addresses that the caller vouches for")]
pub mod raw;
#[expect(unsafe_code, reason = "memory for which the caller vouches")]
pub(crate) mod registered;
#[expect(unsafe_code, reason = "copies to and from peers")]
pub(crate) mod rma;
pub(crate) mod shmem;
#[expect(unsafe_code, reason = "signals in memory that peers write")]
pub(crate) mod signal;
#[expect(unsafe_code, reason = "launches kernels")]
pub(crate) mod stream;
#[expect(unsafe_code, reason = "names of memory that may go to other threads")]
pub(crate) mod sym;
pub(crate) mod team;
pub(crate) mod trigger;
