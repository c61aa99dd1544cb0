//! What the machine looks like to this process, as plain values: cores, hardware threads, NUMA nodes, a CPU quota; and
//! how PEs share the cores.
//!
//! Everything is read by one function, [`Machine::discover`], which takes the root of the file tree, so that tests can
//! pass it the trees of other machines. [`Sharing::new`] is pure.
#![forbid(unsafe_code)]

mod cpu_list;
mod machine;
mod quota;
mod share;

pub use cpu_list::CpuSet;
pub use machine::{Core, Machine, TopologyError};
pub use share::Sharing;
