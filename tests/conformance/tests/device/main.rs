//! What kernels call: puts and gets of every scope, words, signals, waits, barriers, order, errors.

mod barriers;
mod copies;
mod cpu;
mod errors;
mod exchange;
mod grids;
mod order;
mod rig;
mod unmapped;
mod words;
