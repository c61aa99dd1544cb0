//! The routines, each once, in a file for each area.

mod amo;
mod collective;
mod legacy;
mod lock;
mod memory;
mod order;
mod rma;
mod setup;
mod shmemx;
mod signal;
mod team;
mod wait;

use crate::routine::{Family, Prototype};
pub use shmemx::SHMEMX;

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

/// All prototypes of the specification's routines.
pub fn prototypes() -> Vec<Prototype> {
    AREAS.iter().copied().flatten().flat_map(Family::prototypes).collect()
}

/// The names of all routines, in alphabetical order.
pub fn names() -> Vec<String> {
    let more = SHMEMX.iter().flat_map(Family::prototypes);
    let mut names: Vec<String> = prototypes().into_iter().chain(more).map(|p| p.name).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A routine that two families have would be declared twice.
    #[test]
    fn a_name_stands_once() {
        let names = names();
        let doubled: Vec<_> = names.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
    }
}
