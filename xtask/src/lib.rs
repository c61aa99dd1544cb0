//! The project's chores, one module per command of `cargo xtask`. The PTX reader and lint are a library because the
//! tests of the emitted PTX use them too.
#![forbid(unsafe_code)]

pub mod bundle;
pub mod ci;
pub mod deb;
pub mod demo;
pub mod environment;
pub mod headers;
pub mod install;
pub mod launch;
pub mod left_out;
pub mod library;
pub mod machine;
pub mod matrix;
pub mod outside;
pub mod packages;
pub mod perf;
pub mod process;
pub mod ptx;
pub mod sanitize;
pub mod test;
pub mod tidy;
pub mod workspace;
