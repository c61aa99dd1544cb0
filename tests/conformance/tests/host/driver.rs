//! A job that may not use the CUDA driver does not start it, because that takes a third of a second.

use cushmem::Shmem;
use cushmem_conformance::conformance;
use xtask::left_out::record;
use xtask::machine::cuda_gpus;

conformance! { host, soft => {
    is_left_alone: 2;
} }

/// Catches a driver that is opened anyway. The test shows something only on a machine that has a driver.
fn is_left_alone(shmem: &Shmem) {
    if let (0, Err(reason)) = (shmem.my_pe(), cuda_gpus()) {
        record("conformance::the driver is left alone", &reason);
    }
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the process's mappings");
    assert!(!maps.contains("libcuda"), "the CUDA driver is loaded, although CUSHMEM_GPU forbids it");
}
