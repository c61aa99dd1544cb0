//! Atomic operations of kernels on words in GPU memory, which a GPU changes, and on words in host memory, which CPUs
//! change.

use crate::rig::Rig;
use cushmem::{DevPtr, Grid, Kernel, Shmem, SymSlice};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::{self as kernels, AMO_WORDS};

conformance! { soft, cuda => {
    all_lanes_of_all_pes: 1, 2, 4;
    on_host_memory: 1, 2, 4;
    kernels_and_cpus_add: 1, 2, 4;
    kernels_and_cpus_add_on_gpus: 1, 2, 4;
    signals_on_host_memory: 1, 2;
} }

/// GPUs that do not reach each other: only the owners change the words of other PEs.
mod apart {
    use super::{kernels_and_cpus_add_on_gpus, on_gpus_that_are_not_mapped};
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    cushmem_conformance::conformance! { with APART: soft, cuda => {
        kernels_and_cpus_add_on_gpus: 2, 4;
        on_gpus_that_are_not_mapped: 2, 4;
    } }
}

mod on_nodes {
    use super::{kernels_and_cpus_add_on_gpus, on_gpus_that_are_not_mapped};
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: {
        kernels_and_cpus_add_on_gpus: 3 on 2;
        on_gpus_that_are_not_mapped: 2 on 2;
    } }
}

type Args = (DevPtr<u64>, u32, u32, usize, DevPtr<u64>, DevPtr<u64>);
/// Each lane has one bit of a 32-bit word.
const LANES: u32 = 32;

/// Catches an operation that overwrites another's result, one with the wrong width or sign, and a result that differs
/// from what was in the word. All lanes of all PEs work on the same words, of each PE in turn.
fn all_lanes_of_all_pes(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (new, times): (New, _) = (|rig, words| rig.counters(words), rig.times(40, 1000));
    words(&rig, kernels::amo_u32, u32::MAX.into(), new, times);
    words(&rig, kernels::amo_i32, u32::MAX.into(), new, times);
    words(&rig, kernels::amo_u64, u64::MAX, new, times);
    words(&rig, kernels::amo_i64, u64::MAX, new, times);
}

/// All operations of kernels that the CPU carries out: catches a command that is lost, carried out twice, or answered
/// with another command's result.
fn on_host_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (new, times): (New, _) = (|rig, words| rig.on_host(words), rig.times(10, 200));
    words(&rig, kernels::amo_u32, u32::MAX.into(), new, times);
    words(&rig, kernels::amo_i32, u32::MAX.into(), new, times);
    words(&rig, kernels::amo_u64, u64::MAX, new, times);
    words(&rig, kernels::amo_i64, u64::MAX, new, times);
}

/// All operations of kernels on words of GPUs that only their owners reach.
fn on_gpus_that_are_not_mapped(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let new: New = |rig, words| rig.symmetric(words);
    words(&rig, kernels::amo_u32, u32::MAX.into(), new, 3);
    words(&rig, kernels::amo_i64, u64::MAX, new, 3);
}

/// Catches an addition of a kernel that is not atomic with those of a CPU, and a quiet of the CPU after the kernel's
/// end that does not wait for the kernel's commands.
fn kernels_and_cpus_add(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let by_cpu = rig.times(500, 100_000);
    add_together(&rig, rig.on_host(&[0]), by_cpu);
}

/// Catches additions of kernels and CPUs that are lost on words in GPU memory, which the GPU that owns them changes on
/// behalf of everybody.
fn kernels_and_cpus_add_on_gpus(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let by_cpu = rig.times(60, 2000);
    add_together(&rig, rig.symmetric(&[0]), by_cpu);
}

fn add_together(rig: &Rig<'_>, counter: SymSlice<'_, u64>, by_cpu: u64) {
    let shmem = rig.shmem;
    rig.barrier();
    let (blocks, lanes) = (rig.times(4, 256), 32);
    for owner in 0..shmem.n_pes() {
        rig.start(kernels::add_signals, Grid::linear(blocks, lanes), (counter.device_ptr(), 3, owner));
        for _ in 0..by_cpu {
            shmem.fetch_add(counter.at(0), 1, owner).expect("fetch_add");
        }
        rig.wait();
    }
    rig.barrier();
    let all = u64::from(blocks * lanes);
    let each = 3 * all * (all + 1) / 2 + by_cpu;
    assert_eq!(counter.to_vec().expect("read"), [u64::from(shmem.n_pes()) * each]);
    rig.barrier();
    shmem.free(counter).expect("free");
}

type New = for<'a, 'b> fn(&'b Rig<'a>, &[u64]) -> SymSlice<'a, u64>;

fn words<K: Kernel<Args = Args>>(rig: &Rig<'_>, kernel: K, all_ones: u64, new: New, times: usize) {
    let (n, me) = (rig.shmem.n_pes(), rig.shmem.my_pe());
    let lanes = LANES / n;
    let wrong = rig.symmetric(&[0u64]);
    // What lies beside a 32-bit word must not change.
    let beside = !all_ones & 0xabcd_ef01 << 32;
    let mut start = [beside; AMO_WORDS + LANES as usize];
    [5, 6, 8, 9].into_iter().for_each(|i| start[i] |= all_ones);
    for owner in 0..n {
        let words = new(rig, &start);
        let fetched = rig.private(&vec![u64::MAX; (times + 1) * lanes as usize]);
        rig.barrier();
        let args = (words.device_ptr(), owner, me * lanes, times, fetched.device_ptr(), wrong.device_ptr());
        rig.run(kernel, Grid::linear(1, lanes), args);
        rig.barrier();
        assert_eq!(wrong.to_vec().expect("read"), [0], "{}: results that no order of the operations explains", K::NAME);
        let seen = words.to_vec().expect("read");
        if me == owner {
            let members = u64::from(lanes * n);
            let (sum, count) = ((0..members).sum::<u64>() * times as u64, members * times as u64);
            let bits = (0..members).fold(0, |bits, lane| bits | 1 << lane);
            let masked = all_ones & !bits;
            let expected =
                [count, sum + count, sum.wrapping_neg() & all_ones, count, bits, masked, masked, bits, masked, masked];
            assert_eq!(seen[..10], expected.map(|word| word | beside), "{}", K::NAME);
            let own = |i| if i < members { (i + 7) | beside } else { beside };
            let own: Vec<_> = (0..LANES.into()).map(own).collect();
            assert_eq!(seen[AMO_WORDS..], own, "{}: each lane's own word", K::NAME);
        } else {
            assert_eq!(seen, start, "{}: words of another PE", K::NAME);
        }
        every_value_once(rig, &fetched.to_vec().expect("read"), times, seen[10] & all_ones, owner, K::NAME);
        rig.shmem.free(words).expect("free");
    }
    rig.shmem.free(wrong).expect("free");
}

/// Checks that the counter gave each value to one lane, and that each value swapped in came out once or is the last.
fn every_value_once(rig: &Rig<'_>, fetched: &[u64], times: usize, last: u64, owner: u32, name: &str) {
    let (n, me) = (rig.shmem.n_pes() as usize, rig.shmem.my_pe() as usize);
    let all = rig.shmem.malloc::<u64>(fetched.len() * n + 1).expect("malloc");
    rig.shmem.put(all.slice(me * fetched.len()..(me + 1) * fetched.len()), fetched, 0).expect("put");
    if me == owner as usize {
        rig.shmem.p(all.at(fetched.len() * n), last, 0).expect("p");
    }
    rig.barrier();
    if me == 0 {
        let words = all.to_vec().expect("read");
        let (of_lanes, last) = words.split_at(fetched.len() * n);
        let mut tickets: Vec<u64> = of_lanes.chunks(times + 1).flat_map(|lane| &lane[..times]).copied().collect();
        tickets.sort_unstable();
        assert!(tickets.iter().copied().eq(0..tickets.len() as u64), "{name}: a value of the counter twice or never");
        let mut swapped: Vec<u64> = of_lanes.chunks(times + 1).map(|lane| lane[times]).chain([last[0]]).collect();
        swapped.sort_unstable();
        assert!(swapped.iter().copied().eq(0..swapped.len() as u64), "{name}: a swapped value was lost: {swapped:?}");
    }
    rig.barrier();
    rig.shmem.free(all).expect("free");
}

/// Catches a signal that changes its neighbour, or one of another PE.
fn signals_on_host_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let words = rig.on_host(&[3, 4]);
    rig.barrier();
    rig.run(kernels::set_signal, Grid::linear(1, 32), (words.device_ptr(), 80, rig.next()));
    rig.barrier();
    assert_eq!(words.to_vec().expect("read"), [80, 4], "the signal that was set");
    rig.barrier();
    rig.run(kernels::add_signals, Grid::linear(1, 32), (words.at(1).device_ptr(), 2, rig.next()));
    rig.barrier();
    assert_eq!(words.to_vec().expect("read"), [80, 4 + 2 * 32 * 33 / 2], "the signal that was added to");
    rig.barrier();
    shmem.free(words).expect("free");
}
