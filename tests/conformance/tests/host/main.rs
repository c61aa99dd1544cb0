//! What the CPU calls: remote memory access, signals, atomics, order, barriers, allocation.

mod allocation;
mod amo;
mod barrier;
mod check;
mod collective;
mod contexts;
mod driver;
mod ends;
mod errors;
mod forked;
mod get;
mod host_heap;
mod late;
mod locks;
mod one_sided;
mod order;
mod paths;
mod place;
mod put;
mod resize;
mod signal;
mod status;
mod team;
mod threads;
mod waits;
mod whole_words;
