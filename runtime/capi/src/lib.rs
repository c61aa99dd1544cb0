//! The C API: `extern "C"` functions on top of [`cushmem::raw`]. The list of routines is in `cushmem-capi-table`.
//!
//! `cargo xtask library` links `libcushmem.so` and `libcushmem.a` from this crate and the C files in `c`.

#[macro_use]
mod forms;

mod arrays;
mod atomic;
mod collective;
mod context;
mod described;
mod handles;
mod legacy;
mod lock;
mod memory;
mod modules;
mod own_stream;
mod reduction;
mod registered;
mod report;
mod rma;
mod setup;
mod signal;
mod state;
mod stream;
mod stream_collective;
mod strided;
mod sync;
mod tasks;
mod team;
mod wait;
