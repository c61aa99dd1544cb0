//! What holds for jobs on a single node only. These tests are a suite of their own because `cargo xtask endure` spreads
//! the jobs of the other one over several nodes.

mod descriptors;
mod status;
