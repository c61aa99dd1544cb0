//! Kernels that give up. The process then loses its GPU, but not its host memory.

use crate::rig::Rig;
use cushmem::raw::AnyStream;
use cushmem::{DevPtr, Grid, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;
use std::ptr::with_exposed_provenance_mut;

conformance! { soft, cuda => {
    pe_out_of_range: 1, 2;
    pe_out_of_range_for_the_cpu: 1, 2;
    handed_over: 1, 2;
    private_memory: 2;
    private_memory_for_the_cpu: 2;
    private_memory_for_a_collective: 2;
    unknown_signal_op: 1;
} }

/// Catches a kernel that writes to the address of a PE that does not exist, and an error that does not say what
/// happened where.
fn pe_out_of_range(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (word, host) = (rig.symmetric(&[0u64]), shmem.malloc::<u64>(1).expect("malloc"));
    host.copy_from(&[5]).expect("write");
    rig.barrier();
    let (n, me) = (shmem.n_pes(), shmem.my_pe());
    let pe = n + 5;
    rig.start(kernels::p_from_lane_3, Grid::linear(2, 32), (word.device_ptr(), 1, pe));
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    for part in [format!("PE {pe} is out of range (0 to {})", n - 1), format!("PE {me}: "), "block 1, thread 3".into()]
    {
        assert!(text.contains(&part), "'{part}' is not in '{text}'");
    }
    // The error stays.
    rig.stream.synchronize().expect_err("the GPU is lost");
    word.to_vec().expect_err("the GPU is lost");
    // Other PEs and host memory still work.
    shmem.p(host.at(0), u64::from(me), rig.next()).expect("p");
    rig.barrier();
    assert_eq!(shmem.g(host.at(0), me).expect("g"), u64::from(rig.previous()));
    rig.barrier();
}

/// Catches a PE number that is truncated to fit into a command, and so becomes the number of an existing PE, whose word
/// would change.
fn pe_out_of_range_for_the_cpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let word = shmem.malloc::<u64>(1).expect("malloc");
    word.copy_from(&[5]).expect("write");
    rig.barrier();
    let pe = (shmem.my_pe() + 1) << 24;
    rig.start(kernels::add_signals, Grid::linear(1, 1), (word.device_ptr(), 1, pe));
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    let part = format!("PE {pe} is out of range (0 to {})", shmem.n_pes() - 1);
    assert!(text.contains(&part), "'{part}' is not in '{text}'");
    rig.barrier();
    assert_eq!(word.to_vec().expect("read"), [5]);
    rig.barrier();
}

/// Catches a thread of the library that carries out an operation that a stream has not reached, or for which the end of
/// the job waits: the kernel before it gives up.
fn handed_over(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (word, host) = (rig.symmetric(&[0u64]), rig.on_host(&[5u64]));
    let (to, data) = (with_exposed_provenance_mut::<u8>(host.device_ptr().address() as usize), [7u64]);
    // SAFETY: both ends have eight bytes, and stay valid until the end of the job.
    let put =
        || unsafe { shmem.raw().on_stream(AnyStream::Ours(&rig.stream)).put(to, data.as_ptr().cast(), 8, rig.next()) };
    rig.barrier();
    put().expect("put");
    rig.wait();
    rig.barrier();
    assert_eq!(host.to_vec().expect("read"), [7]);
    host.copy_from(&[6]).expect("write");
    rig.barrier();
    rig.start(kernels::p_from_lane_3, Grid::linear(2, 32), (word.device_ptr(), 1, shmem.n_pes()));
    // The kernel may have given up already.
    let _ = put();
    rig.stream.synchronize().expect_err("the kernel succeeded");
    put().expect_err("the GPU is lost");
    rig.barrier();
    assert_eq!(host.to_vec().expect("read"), [6]);
    rig.barrier();
}

/// Starts a kernel that takes private memory for symmetric memory, and checks that the error names the address.
fn refused(rig: &Rig<'_>, start: impl Fn(DevPtr<u64>)) {
    let private = rig.private(&[5u64]);
    let text = format!("{:#x}", private.device_ptr().address());
    rig.barrier();
    start(private.device_ptr());
    let error = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    assert!(error.contains(&text), "'{text}' is not in '{error}'");
    rig.barrier();
}

/// Catches a store to private memory that goes wherever a stride leads.
fn private_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    refused(&rig, |word| rig.start(kernels::p_from_lane_3, Grid::linear(2, 32), (word, 1, rig.next())));
}

/// The same for an addition, which may be left to the CPU.
fn private_memory_for_the_cpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    refused(&rig, |word| rig.start(kernels::add_signals, Grid::linear(1, 1), (word, 1, rig.next())));
}

/// The same for collectives, short and long: all members see it before they meet.
fn private_memory_for_a_collective(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let team = shmem.team_world().device();
    refused(&rig, |word| rig.start(kernels::reduce_in_place, Grid::linear(1, 32), (team, word, 1, 1)));
}

/// Catches a number that stands for nothing that happens to a signal, and is taken for an addition.
fn unknown_signal_op(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let found = rig.private(&[0u32]);
    for (number, expected) in [(9, 1), (10, 2)] {
        rig.start(kernels::signal_op_by_number, Grid::linear(1, 1), (number, found.device_ptr()));
        rig.wait();
        assert_eq!(found.to_vec().expect("read"), [expected]);
    }
    rig.start(kernels::signal_op_by_number, Grid::linear(1, 1), (u32::MAX, found.device_ptr()));
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    let part = "block 0, thread 0: sig_op -1 is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)";
    assert!(text.contains(part), "'{part}' is not in '{text}'");
}
