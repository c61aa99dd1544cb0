//! The C API as data: the types, the routines of each type, and the headers that declare them.
//!
//! Macros hand the types to the code that implements the routines, so each type is listed in one place only.
#![forbid(unsafe_code)]

mod device;
mod generic;
mod header;
mod nvshmem;
mod python;
mod routine;
mod routines;
mod types;

pub use device::{
    DEVICE_HEADER, device_calls, device_declarations, device_definitions, device_grid_calls, device_grid_forms,
};
pub use generic::device_generics;
pub use header::headers;
pub use nvshmem::{nvshmem_headers, nvshmem_library};
pub use python::python;
pub use routine::{Family, Prototype, Routine};
pub use routines::{ALIASES, AREAS, SHMEMX, names, prototypes};
pub use types::*;
