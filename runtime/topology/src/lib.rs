//! What the machine looks like to this process, as plain values (cores, hardware threads, NUMA nodes, a CPU quota), and
//! how PEs share the cores.
//!
//! One function, [`Machine::discover`], reads everything. It takes the root of the file tree, so that tests can pass it
//! the trees of other machines. [`Sharing::new`] does no I/O.
#![forbid(unsafe_code)]

mod cpu_list;
mod error;
mod machine;
mod quota;
mod share;

pub use cpu_list::CpuSet;
pub use error::TopologyError;
pub use machine::{Core, Machine};
pub use share::Sharing;
