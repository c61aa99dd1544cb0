//! Requests of kernels that nobody can carry out.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{DevPtr, Grid, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

conformance! { with APART: soft, cuda => {
    a_signal_in_registered_host_memory: 2;
} }

/// A kernel puts a word to GPU memory that is not mapped, with a signal in host memory that the PEs registered. Catches
/// a signal that is accepted although no owner can change its word: the thread that has to ask an owner would panic.
fn a_signal_in_registered_host_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    // It lives on: the GPU is lost, and with it what it has mapped.
    let words = vec![0u64; 100].leak();
    // SAFETY: the words live until the process ends, and nobody uses them.
    unsafe { shmem.register(words.as_mut_ptr(), words.len()).expect("register") };
    let (dst, src, report) = (rig.symmetric(&[0u64; 2]), rig.private(&[0u64]), rig.private(&[0u64; 2]));
    rig.barrier();
    if shmem.my_pe() == 0 {
        let sig = DevPtr::from_address(words.as_ptr().addr() as u64);
        let ends = (dst.device_ptr(), src.device_ptr(), report.device_ptr());
        let args = (ends.0, ends.1, 1, sig, 1, 1, ends.2, LIMIT_NS, 0);
        rig.start(kernels::exchange_thread, Grid::linear(1, 1), args);
        let error = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
        let why = "is neither in the heap of host memory nor in that of GPU memory";
        assert!(error.contains(why), "{error}");
    }
    rig.barrier();
}
