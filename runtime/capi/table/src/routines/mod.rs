//! The routines, each listed once, in one file per area.

mod amo;
mod collective;
mod kernel;
mod legacy;
mod lock;
mod memory;
mod order;
mod rma;
mod setup;
mod shmemx;
mod signal;
mod stream;
mod stream_collective;
mod team;
mod wait;

use crate::routine::{Family, Prototype};
pub use legacy::ALIASES;

/// The families of the specification's routines, in the order of the header.
pub const AREAS: &[&[Family]] = &[
    setup::FAMILIES,
    memory::FAMILIES,
    team::FAMILIES,
    rma::FAMILIES,
    amo::FAMILIES,
    signal::FAMILIES,
    wait::FAMILIES,
    order::FAMILIES,
    collective::FAMILIES,
    lock::FAMILIES,
    legacy::FAMILIES,
];

/// The families of `shmemx.h`.
pub const SHMEMX: &[&[Family]] = &[shmemx::FAMILIES, stream::FAMILIES, stream_collective::FAMILIES];

/// The families of routines that only kernels have, without their forms for warps and blocks.
pub(crate) const KERNEL: &[Family] = kernel::FAMILIES;

/// All prototypes of the specification's routines.
pub fn prototypes() -> Vec<Prototype> {
    AREAS.iter().copied().flatten().flat_map(Family::prototypes).collect()
}

/// What only code in our headers calls.
pub(crate) const OF_HEADERS: [&str; 3] =
    ["shmemx_impl_add_image", "shmemx_impl_add_recorded_image", "shmemx_impl_remove_image"];

/// What shmemx_tasks.cuh and shmemx_arrays.cuh call.
const OF_EXTENSIONS: [&str; 2] = ["shmemx_impl_task_queue_create", "shmemx_impl_array_elements"];

/// What only the library with NVSHMEM's names calls.
const OF_LIBRARIES: [&str; 6] = [
    "shmemx_impl_launch_begins",
    "shmemx_impl_launched",
    "shmemx_impl_pes_on_my_gpu",
    "shmemx_impl_ready_kernels",
    "shmemx_impl_start_chosen_gpus",
    "shmemx_impl_team_across_nodes",
];

/// The names that the libraries export, in alphabetical order: those of the specification, their twins, second names,
/// those of `shmemx.h`, and those that headers call.
pub fn names() -> Vec<String> {
    let specified = prototypes().into_iter().flat_map(|p| [p.twin(), p.name]);
    let more = SHMEMX.iter().copied().flatten().flat_map(Family::prototypes).map(|p| p.name);
    let second = ALIASES.iter().map(|(routine, _)| routine.name.to_owned());
    let mut names: Vec<String> = specified
        .chain(more)
        .chain(second)
        .chain(OF_HEADERS.map(str::to_owned))
        .chain(OF_EXTENSIONS.map(str::to_owned))
        .chain(OF_LIBRARIES.map(str::to_owned))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A routine in two families would be declared twice.
    #[test]
    fn a_name_stands_once() {
        let names = names();
        let doubled: Vec<_> = names.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
    }
}
