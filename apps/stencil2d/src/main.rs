//! stencil2d.
mod decomposition;
mod plan;
mod reference;
fn main() {}
