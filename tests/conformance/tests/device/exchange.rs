//! Data with a signal between kernels: a kernel that sees the signal sees the data.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::raw::{Memory, Wanted};
use cushmem::{DevPtr, Grid, Kernel, Shmem};
use cushmem_conformance::{conformance, on_nodes};
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    put_signal: 1, 2, 4;
    put_signal_nbi: 1, 2, 4;
    signals_without_data: 1, 2;
    forwarded: 2, 4;
} }

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

/// GPUs that do not reach each other.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { put_signal_nbi: 2; signals_without_data: 2; } }
}

on_nodes! { with SOFT: {
    put_signal_nbi: 2 on 2;
    signals_without_data: 2 on 2;
    signals_of_the_network: 2 on 2;
} }

pub type Args = (DevPtr<u64>, DevPtr<u64>, usize, DevPtr<u64>, u64, u32, DevPtr<u64>, u64, u32);

/// Fails if a lane saw a wrong word, or if a signal did not arrive.
pub fn check_report(name: &str, n: usize, report: &[u64]) {
    let (late, wrong) = report.split_last().expect("a report");
    assert_eq!(*late, 0, "{name}: {n} words: the signal of this round did not come");
    assert_eq!(wrong.iter().sum::<u64>(), 0, "{name}: {n} words: wrong words after the signal, by lane: {wrong:?}");
}

fn exchange<K: Kernel<Args = Args>>(rig: &Rig<'_>, kernel: K, lanes: usize, add: u32) {
    exchange_of(rig, &[1, 2, 3, 31, 32, 64, 257, 1000, 5000], kernel, lanes, add);
}

/// Exchanges so many words, for each of these numbers.
fn exchange_of<K: Kernel<Args = Args>>(rig: &Rig<'_>, sizes: &[usize], kernel: K, lanes: usize, add: u32) {
    exchange_by(rig, sizes, kernel, Grid::linear(1, lanes as u32), add);
}

/// As [`exchange_of`], by the lanes of this block.
pub fn exchange_by<K: Kernel<Args = Args>>(rig: &Rig<'_>, sizes: &[usize], kernel: K, grid: Grid, add: u32) {
    let lanes = grid.threads_per_block() as usize;
    for &n in sizes {
        let sig = if add == 0 { rig.symmetric(&[0u64]) } else { rig.counters(&[0]) };
        let dst = rig.symmetric(&vec![0u64; 2 * n.max(1)]);
        let (src, report) = (rig.private(&vec![0u64; n]), rig.private(&vec![0u64; lanes + 1]));
        let rounds = rig.times(200, if n <= 64 { 3000 } else { 300 });
        rig.barrier();
        let args = (
            dst.device_ptr(),
            src.device_ptr(),
            n,
            sig.device_ptr(),
            rounds,
            rig.partner(),
            report.device_ptr(),
            LIMIT_NS,
            add,
        );
        rig.run(kernel, grid, args);
        check_report(K::NAME, n, &report.to_vec().expect("read"));
        rig.barrier();
        assert_eq!(sig.to_vec().expect("read"), [rounds], "the signal in the end");
        rig.shmem.free(dst).expect("free");
        rig.shmem.free(sig).expect("free");
    }
}

/// Catches a signal that overtakes data of its own lane or of other lanes, and data that is read from a stale L1 cache
/// line.
fn put_signal(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    exchange(&rig, kernels::exchange_thread, 1, 0);
    exchange(&rig, kernels::exchange_warp, 32, 0);
    exchange(&rig, kernels::exchange_block, rig.times(64, 1024), 0);
    exchange(&rig, kernels::exchange_block, 96, 1);
    exchange(&rig, kernels::exchange_wide, rig.times(64, 256), 0);
}

/// Catches a signal that does not wait for the data of a put that nobody waits for, and a quiet that lets the source
/// change too early.
pub(crate) fn put_signal_nbi(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for add in [0, 1] {
        exchange_of(&rig, &[1, 33, 5000], kernels::exchange_nbi_thread, 1, add);
        exchange_of(&rig, &[3, 1000], kernels::exchange_nbi_warp, 32, add);
        exchange_of(&rig, &[64, 5000], kernels::exchange_nbi_block, rig.times(64, 1024), add);
    }
}

/// Catches a signal that does not come because its put has no data.
pub(crate) fn signals_without_data(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for add in [0, 1] {
        exchange_of(&rig, &[0], kernels::exchange_thread, 1, add);
        exchange_of(&rig, &[0], kernels::exchange_warp, 32, add);
        exchange_of(&rig, &[0], kernels::exchange_block, 96, add);
        exchange_of(&rig, &[0], kernels::exchange_nbi_thread, 1, add);
        exchange_of(&rig, &[0], kernels::exchange_nbi_warp, 32, add);
        exchange_of(&rig, &[0], kernels::exchange_nbi_block, 96, add);
    }
}

/// Catches a put that reads data that a peer has just put from a stale L1 cache line.
fn forwarded(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (n, lanes) in [(1, 32), (2, 32), (64, 64), (257, 128), (2000, 128)] {
        let (dst, sig) = (rig.symmetric(&vec![0u64; n]), rig.symmetric(&[0u64]));
        let (src, report) = (rig.private(&vec![0u64; n]), rig.private(&vec![0u64; lanes + 1]));
        let rounds = rig.times(200, 2000);
        rig.barrier();
        let ends = (dst.device_ptr(), src.device_ptr(), sig.device_ptr(), report.device_ptr());
        let args = (ends.0, ends.1, n, ends.2, rounds, rig.partner(), ends.3, LIMIT_NS);
        rig.run(kernels::relay_block, Grid::linear(1, lanes as u32), args);
        check_report("relay_block", n, &report.to_vec().expect("read"));
        rig.barrier();
    }
}

/// Catches a signal in memory for network atomics that goes to an address in the host heap, or that arrives before data
/// that the proxy stages.
fn signals_of_the_network(shmem: &Shmem) {
    let (rig, raw) = (Rig::new(shmem), shmem.raw());
    let heap = rig.on_host(&[7; 64]);
    for (n, add) in [(1, 0), (1, 1), (1000, 0), (1000, 1), (200_000, 0)] {
        let arguments = [("bytes", 8), ("", 0)];
        let memory = Memory::ForNetwork;
        let wanted = Wanted { routine: "malloc", arguments, memory, bytes: 8, alignment: 8, cleared: false };
        let sig = raw.malloc(&wanted).expect("malloc").expect("bytes are wanted").cast::<u64>();
        raw.p(sig, 0, shmem.my_pe()).expect("clear");
        let (dst, src) = (rig.symmetric(&vec![0u64; 2 * n]), rig.private(&vec![0u64; n]));
        let (report, rounds) = (rig.private(&[0u64; 2]), if n > 1000 { 2 } else { 50 });
        rig.barrier();
        let ends = (
            dst.device_ptr(),
            src.device_ptr(),
            DevPtr::from_address(sig.expose_provenance() as u64),
            report.device_ptr(),
        );
        let args = (ends.0, ends.1, n, ends.2, rounds, rig.partner(), ends.3, LIMIT_NS, add);
        rig.run(kernels::exchange_thread, Grid::linear(1, 1), args);
        check_report("exchange_thread", n, &report.to_vec().expect("read"));
        rig.barrier();
        assert_eq!(raw.fetch(sig.cast_const(), shmem.my_pe()), Ok(rounds), "the signal in the end");
        rig.shmem.free(dst).expect("free");
    }
    assert_eq!(heap.to_vec().expect("read"), [7; 64], "the host heap");
}
