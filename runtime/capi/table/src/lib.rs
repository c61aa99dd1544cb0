//! The C API in data: which types there are, which routines each of them has, and the headers that say so.
//!
//! The macros hand the types to the code that implements the routines, so a type stands in one place only.
#![forbid(unsafe_code)]

mod generic;
mod header;
mod routine;
mod routines;
mod types;

pub use header::headers;
pub use routine::{Family, Prototype, Routine, Types};
pub use routines::{ALIASES, AREAS, SHMEMX, names, prototypes};
pub use types::*;
