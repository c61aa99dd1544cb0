//! The C API, as C and C++ programs use it.

mod align;
mod alike;
mod closed;
mod collectives;
mod counters;
mod driver;
mod errors;
mod families;
mod flush;
mod frameworks;
mod global_exit;
mod globals;
mod install;
mod launchers;
mod libfabric;
mod managers;
mod names;
mod nodes;
mod nvshmem;
mod pages;
mod pending;
mod programs;
mod python;
mod rejoin;
mod rig;
mod setup;
