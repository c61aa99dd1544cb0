//! What holds for the PTX of all kernels, and what the lint finds.

mod bulk;
mod lint_catches;
mod modules;
mod order;
