//! The C API in data: which types there are, which routines each of them has, and the headers that say so.
//!
//! The macros hand the types to whoever implements the routines, so a type stands in one place only.
#![forbid(unsafe_code)]

mod header;
mod routine;
mod routines;
mod types;

pub use header::{shmem_h, shmemx_h};
pub use routine::{Family, Prototype, Routine, Types};
pub use routines::{AREAS, SHMEMX, names, prototypes};
pub use types::*;
