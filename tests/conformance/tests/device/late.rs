//! Members that never come, and the limit after which kernels give up.

use crate::rig::Rig;
use cushmem::{Grid, Reduction, Shmem};
use cushmem_conformance::{all_gpus_are_mapped, conformance, expect_status, on_nodes};
use cushmem_conformance_kernels as kernels;

const LIMIT: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25")];
const LIMIT_APART: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25"), ("CUSHMEM_P2P", "0")];
const LIMIT_SOFT: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25"), ("CUSHMEM_GPU", "soft")];

conformance! { with LIMIT: soft, cuda => { a_barrier: 2; a_short_collective: 2; a_long_collective: 2; } }

mod apart {
    use super::*;
    conformance! { with LIMIT_APART: soft, cuda => {
        a_barrier: 2;
        a_short_collective: 2;
        a_long_collective: 2;
        the_last_of_several: 4;
        a_collective_of_a_stream: 2;
    } }
}

on_nodes! { with LIMIT_SOFT: {
    a_barrier: 2 on 2;
    a_short_collective: 2 on 2;
    a_long_collective: 2 on 2;
    a_collective_of_a_stream: 2 on 2;
} }

/// Expects that the kernel of PE 0, which has been started, ends with this reason.
fn expect_end(rig: &Rig<'_>, mapped: &str, otherwise: &str) -> String {
    let why = if all_gpus_are_mapped(rig.shmem) { mapped } else { otherwise };
    let error = rig.stream.synchronize().expect_err("PE 1 does not come").to_string();
    assert!(error.contains(why), "'{why}' is not in '{error}'");
    error
}

/// Catches a kernel that waits for ever in a barrier that another PE does not enter, and a message without that PE.
fn a_barrier(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    if shmem.my_pe() == 0 {
        rig.start(kernels::barrier_once, Grid::linear(1, 1), ());
        let by_cpu = "barrier of team slot 0: PE 1, or a PE that it waits for, has not arrived after 0.25 s";
        expect_end(&rig, "PE 1 has not arrived after 0.25 s", by_cpu);
    }
    rig.barrier();
}

/// What the others say if only the last PE does not carry out a collective of `n` words in a kernel. The CPUs of four
/// PEs may each wait for another one.
fn a_collective(shmem: &Shmem, n: usize) {
    let rig = Rig::new(shmem);
    let words = rig.symmetric(&vec![1u64; n]);
    rig.barrier();
    let last = shmem.n_pes() - 1;
    if shmem.my_pe() < last {
        let args = (shmem.team_world().device(), words.device_ptr(), n, 1);
        rig.start(kernels::reduce_in_place, Grid::linear(1, 32), args);
        let by_kernel = format!("PE {last} has not arrived after 0.25 s");
        let by_cpu = match last {
            1 => {
                "collective of team slot 0 (reduce of all PEs): PE 1, or a PE that it waits for, has not arrived after 0.25 s"
            }
            _ => "collective of team slot 0 (reduce of all PEs): ",
        };
        let why = expect_end(&rig, &by_kernel, by_cpu);
        let own = format!("all PEs): PE {},", shmem.my_pe());
        assert!(!why.contains(&own), "this PE has arrived: {why}");
    }
    rig.barrier();
}

/// The same in a collective in which the members send each other flags.
fn a_short_collective(shmem: &Shmem) {
    a_collective(shmem, 2);
}

/// The same in a collective that begins with a barrier.
fn a_long_collective(shmem: &Shmem) {
    a_collective(shmem, 40_000);
}

/// The same with more PEs that have arrived.
fn the_last_of_several(shmem: &Shmem) {
    a_collective(shmem, 2);
}

/// Catches a stream that waits for a PE which nobody names.
fn a_collective_of_a_stream(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let words = rig.symmetric(&[1u64; 100]);
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.stream.reduce(shmem.team_world(), Reduction::Sum, words, words).expect("reduce");
        expect_status(&["reduce of all PEs: waiting for PE 1"]);
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 1 {
        rig.stream.reduce(shmem.team_world(), Reduction::Sum, words, words).expect("reduce");
    }
    rig.wait();
    assert_eq!(words.to_vec().expect("read"), [2; 100]);
    rig.barrier();
}
