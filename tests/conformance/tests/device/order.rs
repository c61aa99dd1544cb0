//! Orders of memory accesses that a GPU's memory model forbids after fences. The emulation runs on CPUs, which reorder
//! little, so a pass there shows that the programs are right; a pass on GPUs shows that the fences are.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Grid, Shmem, SymSlice};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::{self as kernels, SAW_FIRST, SAW_SECOND};

conformance! { soft, cuda => {
    message_passing: 1, 2, 4;
    signals_by_command: 1, 2, 4;
    fences_wait_for_commands: 1, 2, 4;
    quiets_wait_for_commands: 1, 2, 4;
    news_through_a_third_pe: 3;
    store_buffering: 2;
    independent_writes: 4;
} }

/// Fails if a lane saw an old word, or did not see a flag.
pub fn check_lanes(report: &[u64]) {
    for (lane, words) in report.chunks(2).enumerate() {
        assert_eq!(words[1], 0, "lane {lane}: no flag came in this round");
        assert_eq!(words[0], 0, "lane {lane}: rounds in which the flag came before the word");
    }
}

/// Catches a flag that overtakes the word stored before the fence, both ways at once, in GPU and host memory.
fn message_passing(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let lanes = rig.times(16, 128);
    let grids = [Grid::linear(1, 1), Grid::linear(2, lanes / 2)];
    let host = |n| shmem.malloc::<u64>(n).expect("malloc");
    let gpu = |n| shmem.malloc_gpu::<u64>(n).expect("malloc_gpu");
    for (on_host, grid) in [(false, grids[0]), (false, grids[1]), (true, grids[1])] {
        let n = lanes as usize;
        let [data, flag] = if on_host { [host(n), host(n)] } else { [gpu(n), gpu(n)] };
        [data, flag].iter().for_each(|o| o.copy_from(&vec![0; n]).expect("write"));
        let report = rig.private(&vec![0u64; 2 * n]);
        rig.barrier();
        let rounds = rig.times(600, if on_host { 1000 } else { 5000 });
        let args = (data.device_ptr(), flag.device_ptr(), rounds, rig.partner(), report.device_ptr(), LIMIT_NS);
        rig.run(kernels::message, grid, args);
        check_lanes(&report.to_vec().expect("read"));
        rig.barrier();
    }
}

/// Catches a signal that the CPU adds on behalf of a kernel and that overtakes the data before it, in GPU and host
/// memory, from many lanes at once.
fn signals_by_command(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let lanes = rig.times(16, 128);
    let n = lanes as usize;
    for on_host in [false, true] {
        let data = if on_host { shmem.malloc::<u64>(2 * n) } else { shmem.malloc_gpu::<u64>(2 * n) }.expect("memory");
        let flag = shmem.malloc::<u64>(n).expect("malloc");
        [data, flag].iter().for_each(|object| object.copy_from(&vec![0; object.len()]).expect("write"));
        let report = rig.private(&vec![0u64; 2 * n]);
        rig.barrier();
        let rounds = rig.times(300, 8000);
        let args = (data.device_ptr(), flag.device_ptr(), rounds, rig.partner(), report.device_ptr(), LIMIT_NS);
        rig.run(kernels::message_by_command, Grid::linear(2, lanes / 2), args);
        check_lanes(&report.to_vec().expect("read"));
        rig.barrier();
    }
}

/// Catches a fence of a kernel that lets the GPU's own store overtake an operation that the CPU was asked for.
fn fences_wait_for_commands(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let lanes = rig.times(16, 128);
    let n = lanes as usize;
    let data = shmem.malloc::<u64>(n).expect("malloc");
    data.copy_from(&vec![0; n]).expect("write");
    let (flag, report) = (rig.symmetric(&vec![0u64; n]), rig.private(&vec![0u64; 2 * n]));
    rig.barrier();
    let rounds = rig.times(300, 8000);
    let args = (data.device_ptr(), flag.device_ptr(), rounds, rig.partner(), report.device_ptr(), LIMIT_NS);
    rig.run(kernels::message_behind_command, Grid::linear(2, lanes / 2), args);
    check_lanes(&report.to_vec().expect("read"));
    rig.barrier();
}

/// Catches a quiet of a kernel that does not wait for operations that the CPU was asked for, and a quiet of the CPU,
/// after the kernel's end, that does not wait for what the kernel left.
fn quiets_wait_for_commands(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let lanes = rig.times(16, 128);
    let (n, peer) = (lanes as usize, rig.partner());
    let (rounds, left) = (rig.times(20, 100), rig.times(50, 100));
    let (counts, report) = (shmem.malloc::<u64>(n).expect("malloc"), rig.private(&vec![0u64; 2 * n]));
    for _ in 0..rig.times(20, 50) {
        counts.copy_from(&vec![0; n]).expect("write");
        rig.barrier();
        let args = (counts.device_ptr(), rounds, left, peer, report.device_ptr());
        rig.run(kernels::quiet_for_commands, Grid::linear(2, lanes / 2), args);
        shmem.quiet().expect("quiet");
        let mut seen = vec![0; n];
        shmem.get(&mut seen, counts, peer).expect("get");
        assert_eq!(seen, vec![rounds + left; n], "after the quiet of the CPU");
        check_lanes(&report.to_vec().expect("read"));
        rig.barrier();
    }
}

/// Catches a word that has not arrived when a third PE announces it: fences that order only what their own PE stored.
fn news_through_a_third_pe(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let lanes = rig.times(4, 64);
    let [data, flag] = [(); 2].map(|()| rig.symmetric(&vec![0u64; lanes as usize]));
    let report = rig.private(&vec![0u64; 2 * lanes as usize]);
    rig.barrier();
    let args = (data.device_ptr(), flag.device_ptr(), rig.times(300, 3000), report.device_ptr(), LIMIT_NS);
    rig.run(kernels::chain, Grid::linear(1, lanes), args);
    check_lanes(&report.to_vec().expect("read"));
    rig.barrier();
}

/// Returns what all PEs saw: `n` words of each PE.
fn gather(rig: &Rig<'_>, saw: &[u64]) -> Vec<u64> {
    let (me, n) = (rig.shmem.my_pe() as usize, saw.len());
    let all: SymSlice<'_, u64> = rig.shmem.malloc(n * rig.shmem.n_pes() as usize).expect("malloc");
    rig.shmem.put(all.slice(me * n..(me + 1) * n), saw, 0).expect("put");
    rig.barrier();
    let mut words = vec![0; all.len()];
    rig.shmem.get(&mut words, all, 0).expect("get");
    rig.barrier();
    rig.shmem.free(all).expect("free");
    words
}

/// Catches a get that overtakes an earlier put in spite of quiet: of two PEs that each store and then load, at least
/// one sees the other's word.
fn store_buffering(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (lanes, rounds) = (rig.times(8, 64), rig.times(500, 3000));
    for remote_store in [0, 1] {
        let words = rig.symmetric(&vec![0u64; lanes]);
        let saw = rig.private(&vec![0u64; lanes * rounds]);
        rig.barrier();
        let args = (words.device_ptr(), rounds as u64, remote_store, saw.device_ptr());
        rig.run(kernels::store_buffering, Grid::linear(1, lanes as u32), args);
        let all = gather(&rig, &saw.to_vec().expect("read"));
        let (first, second) = all.split_at(lanes * rounds);
        let neither = first.iter().zip(second).filter(|(a, b)| **a | **b == 0).count();
        assert_eq!(neither, 0, "of {} trials in which no PE saw the other's word", lanes * rounds);
    }
}

/// Catches two readers that see two writers' words in different orders in spite of quiet.
fn independent_writes(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (lanes, rounds) = (rig.times(8, 64), rig.times(200, 3000));
    let words = rig.symmetric(&vec![0u64; lanes]);
    let saw = rig.private(&vec![0u64; lanes * rounds]);
    rig.barrier();
    rig.run(
        kernels::independent_writes,
        Grid::linear(1, lanes as u32),
        (words.device_ptr(), rounds as u64, saw.device_ptr()),
    );
    let all = gather(&rig, &saw.to_vec().expect("read"));
    let (third, fourth) = all[2 * lanes * rounds..].split_at(lanes * rounds);
    let disagree = third.iter().zip(fourth).filter(|(a, b)| (**a, **b) == (SAW_FIRST, SAW_FIRST)).count();
    assert_eq!(disagree, 0, "of {} trials in which the readers saw different orders", lanes * rounds);
    let both = SAW_FIRST | SAW_SECOND;
    assert!(
        third.iter().chain(fourth).any(|bits| *bits == both),
        "no reader ever saw both words: the trial tries nothing"
    );
}
