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

/// What PE 0 says if PE 1 does not carry out a collective of `n` words in a kernel.
fn a_collective(shmem: &Shmem, n: usize) {
    let rig = Rig::new(shmem);
    let words = rig.symmetric(&vec![1u64; n]);
    rig.barrier();
    if shmem.my_pe() == 0 {
        let args = (shmem.team_world().device(), words.device_ptr(), n, 1);
        rig.start(kernels::reduce_in_place, Grid::linear(1, 32), args);
        let by_cpu = "collective of team slot 0 (reduce of all PEs): PE 1, or a PE that it waits for, has not arrived after 0.25 s";
        expect_end(&rig, "PE 1 has not arrived after 0.25 s", by_cpu);
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

/// The same with more PEs that have arrived. Catches PEs that name each other: who follows from PE to PE whom each one
/// names comes to the last one, which is late.
fn the_last_of_several(shmem: &Shmem) {
    let (rig, me, n) = (Rig::new(shmem), shmem.my_pe(), shmem.n_pes());
    let words = rig.symmetric(&[1u64; 2]);
    let named = rig.on_host(&vec![u64::MAX; n as usize]);
    rig.barrier();
    if me < n - 1 {
        let args = (shmem.team_world().device(), words.device_ptr(), 2, 1);
        rig.start(kernels::reduce_in_place, Grid::linear(1, 32), args);
        let by_cpu = "collective of team slot 0 (reduce of all PEs): PE ";
        let why = expect_end(&rig, by_cpu, by_cpu);
        let pe = why.split(by_cpu).nth(1).and_then(|rest| rest.split(',').next()).and_then(|pe| pe.parse().ok());
        let pe: u64 = pe.unwrap_or_else(|| panic!("no PE is named: {why}"));
        for other in 0..n {
            shmem.p(named.at(me as usize), pe, other).expect("p");
        }
    }
    rig.barrier();
    let named = named.to_vec().expect("read");
    for first in 0..n - 1 {
        let mut pe = u64::from(first);
        for _ in 0..n {
            if pe < u64::from(n - 1) {
                pe = named[pe as usize];
            }
        }
        assert_eq!(pe, u64::from(n - 1), "PE {first} does not lead to the PE that is late: {named:?}");
    }
    rig.barrier();
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
