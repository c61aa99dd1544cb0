//! One program, so that the tests run at once: each builds crates, and one links while the other compiles.

mod candle;
mod cxx;
mod cxx_arrays;
mod cxx_linked;
mod cxx_tasks;
mod nvshmem;
mod tutorial;
