//! The project's chores, one module per command of `cargo xtask`. Tests use some of them too.
#![forbid(unsafe_code)]

pub mod build;
pub mod bundle;
pub mod ci;
pub mod commit;
pub mod compare;
pub mod cxx;
pub mod deb;
pub mod demo;
pub mod deny;
pub mod endure;
pub mod environment;
pub mod executable;
pub mod fuzz;
pub mod headers;
pub mod hosts;
pub mod install;
pub mod kernel_matrix;
pub mod kernels;
pub mod launch;
pub mod left_out;
pub mod library;
pub mod machine;
pub mod matrix;
pub mod messages;
pub mod mutants;
pub mod nvshmem;
pub mod outside;
pub mod packages;
pub mod perf;
pub mod registers;
pub mod report;
pub mod runner;
pub mod sanitize;
pub mod seed;
pub mod soak;
pub mod specification;
pub mod stencil_matrix;
pub mod test;
pub mod tidy;
pub mod vm;
pub mod wheel;

pub use cushmem_ptx as ptx;
pub use cushmem_ptx::{process, workspace};
