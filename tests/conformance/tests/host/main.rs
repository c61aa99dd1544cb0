//! What the CPU calls: remote memory access, signals, atomics, order, barriers, allocation.

mod allocation;
mod amo;
mod barrier;
mod check;
mod collective;
mod driver;
mod errors;
mod forked;
mod get;
mod locks;
mod one_sided;
mod order;
mod place;
mod put;
mod resize;
mod signal;
mod status;
mod team;
mod threads;
mod waits;
