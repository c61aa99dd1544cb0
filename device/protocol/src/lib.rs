//! The protocols by which PEs and thread blocks wait for each other. Each is written once, over a small memory trait:
//! kernels run it on GPU memory, the host runtime on shared memory, and the model checker on its own atomics.
#![no_std]
#![forbid(unsafe_code)]

pub mod agent;
pub mod barrier;
pub mod deal;
pub mod grid;
pub mod inbox;
pub mod lines;
pub mod lock;
mod places;
mod poll;
pub mod ring;
pub mod roles;
pub mod tasks;
pub mod trigger;
