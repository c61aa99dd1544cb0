//! The C API: `extern "C"` only, on top of [`cushmem::raw`]. Which routines there are is in `cushmem-capi-table`.
//!
//! `cargo xtask library` links `libcushmem.so` and `libcushmem.a` from this crate and `c/longdouble.c`.

mod atomic;
mod context;
mod memory;
mod report;
mod rma;
mod setup;
mod state;
mod sync;
