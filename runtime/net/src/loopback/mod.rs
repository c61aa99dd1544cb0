//! A network within one machine: the engine's thread copies between shared files, as a NIC would.

pub(crate) mod amo;
pub(crate) mod faults;
pub(crate) mod flow;
pub(crate) mod gate;
pub(crate) mod memory;
pub(crate) mod profile;
pub(crate) mod wire;
