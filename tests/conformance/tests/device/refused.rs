//! Requests of kernels that nobody can carry out: the job ends with a line that names the kernel and the command.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{DevPtr, Grid, Shmem};
use cushmem_conformance::{Backend, run_to_failure};
use cushmem_conformance_kernels as kernels;

/// A kernel puts a word to GPU memory that is not mapped, with a signal in host memory that the PEs registered.
fn signal(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut words = vec![0u64; 100];
    // SAFETY: the vector lives until the job ends, and nobody uses it until then.
    let range = unsafe { shmem.register(words.as_mut_ptr(), words.len()).expect("register") };
    let (dst, src, report) = (rig.symmetric(&[0u64; 2]), rig.private(&[0u64]), rig.private(&[0u64; 2]));
    rig.barrier();
    if shmem.my_pe() == 0 {
        let sig = DevPtr::from_address(words.as_ptr().addr() as u64);
        let ends = (dst.device_ptr(), src.device_ptr(), report.device_ptr());
        let args = (ends.0, ends.1, 1, sig, 1, 1, ends.2, LIMIT_NS, 0);
        rig.run(kernels::exchange_thread, Grid::linear(1, 1), args);
    }
    rig.barrier();
    shmem.unregister(range).expect("unregister");
}

/// Catches a signal that is accepted with staged puts although no owner can change its word: the thread that has to ask
/// an owner would panic.
#[test]
fn a_signal_in_registered_host_memory() {
    let says = [
        "PE 0 ended the job with status 1: kernel exchange_thread: command 1 (slot 1, SetBehind, width 8, context 0) for 0x",
        " on PE 1: is memory that PE 1 registered: only put and get reach it",
    ];
    let name = concat!(module_path!(), "::a_signal_in_registered_host_memory");
    run_to_failure(name, Backend::Soft, &[("CUSHMEM_P2P", "0")], &says, &["panicked"], |shmem| signal(&shmem));
}
