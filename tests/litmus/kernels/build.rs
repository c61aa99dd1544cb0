//! Finds the PTX of the kernels.

fn main() {
    cushmem_build::kernels();
}
