//! Arithmetic that crates of both sides need and `core` lacks: random numbers, which are the same on CPUs and GPUs, and
//! medians.
#![no_std]
#![forbid(unsafe_code)]

mod median;
mod random;

pub use median::{median, middle_by, quantile};
pub use random::{Random, mixed};
