//! Fences and quiets of kernels by a scope, and quiets for some PEs.

use crate::rig::{LIMIT_NS, Rig, check_lanes};
use cushmem::{DevPtr, Grid, Kernel, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    one_lane_fences_for_all: 1, 2, 4;
    quiets_wait_for_commands: 1, 2, 4;
    quiets_for_listed_pes: 1, 2, 4;
    a_list_with_a_wrong_number: 1, 2;
} }

/// Catches a fence or a quiet of a scope that covers only the operations of the lane that executes it, and one that
/// lets other lanes go on before it is over: loads and stores of the GPU and commands, in GPU and host memory.
fn one_lane_fences_for_all(shmem: &Shmem) {
    type News = (DevPtr<u64>, DevPtr<u64>, DevPtr<u64>, u64, u32, DevPtr<u64>, u64);
    fn by(rig: &Rig<'_>, kernel: impl Kernel<Args = News>, on_host: bool) {
        let lanes = rig.times(64, 256);
        let n = lanes as usize;
        let zeros = vec![0u64; n];
        let memory = || if on_host { rig.on_host(&zeros) } else { rig.symmetric(&zeros) };
        let (data, flags, counts) = (memory(), memory(), rig.on_host(&zeros));
        let report = rig.private(&vec![0u64; 2 * n]);
        rig.barrier();
        let (data, counts, flags) = (data.device_ptr(), counts.device_ptr(), flags.device_ptr());
        let args = (data, counts, flags, rig.times(40, 2000), rig.partner(), report.device_ptr(), LIMIT_NS);
        rig.run(kernel, Grid::linear(2, lanes / 2), args);
        check_lanes(&report.to_vec().expect("read"));
        rig.barrier();
    }
    let rig = Rig::new(shmem);
    for on_host in [false, true] {
        by(&rig, kernels::news_by_thread, on_host);
        by(&rig, kernels::news_by_warp, on_host);
        by(&rig, kernels::news_by_block, on_host);
    }
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

/// Catches a quiet for some PEs that does not wait for what the CPU was asked to do on one of them.
fn quiets_for_listed_pes(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let lanes = rig.times(8, 128);
    let n = lanes as usize;
    let (counts, report) = (rig.on_host(&vec![0u64; n]), rig.private(&vec![0u64; 2 * n]));
    // Each PE has words of its own on every PE: the list names them all, from this PE on.
    let all: Vec<u32> = (0..shmem.n_pes()).map(|pe| (pe + shmem.my_pe()) % shmem.n_pes()).collect();
    for turn in 0..shmem.n_pes() {
        counts.copy_from(&vec![0; n]).expect("write");
        rig.barrier();
        if turn == shmem.my_pe() {
            let list = rig.private(&all);
            let args = (counts.device_ptr(), list.device_ptr(), all.len(), rig.times(50, 500), report.device_ptr());
            rig.run(kernels::quiet_for_list, Grid::linear(2, lanes / 2), args);
            check_lanes(&report.to_vec().expect("read"));
        }
        rig.barrier();
    }
}

/// Catches a number in the list that is not a PE and is passed over. An empty list is no mistake.
fn a_list_with_a_wrong_number(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let n = shmem.n_pes();
    let list = rig.private(&[0, n + 3]);
    rig.run(kernels::pe_quiet_once, Grid::linear(1, 1), (list.device_ptr(), 0));
    rig.run(kernels::pe_quiet_once, Grid::linear(1, 1), (list.device_ptr(), 1));
    rig.start(kernels::pe_quiet_once, Grid::linear(1, 1), (list.device_ptr(), 2));
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    let part = format!("PE {} is out of range (0 to {})", n + 3, n - 1);
    assert!(text.contains(&part), "'{part}' is not in '{text}'");
    rig.barrier();
}

mod apart {
    use super::{one_lane_fences_for_all, quiets_for_listed_pes};
    use crate::rig::Rig;
    use cushmem::{Grid, Shmem};
    use cushmem_conformance::{conformance, expect_status, wait_until_stopped};
    use cushmem_conformance_kernels as kernels;
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::{Pid, getpid};
    use xtask::launch::is_on_hosts;

    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

    conformance! { with APART: soft, cuda => {
        one_lane_fences_for_all: 2;
        quiets_for_listed_pes: 2;
        a_quiet_of_a_block_is_named: 2;
    } }

    /// Catches a quiet of a scope that hangs without a report: PE 1, which has to copy what the block has put, is
    /// stopped.
    fn a_quiet_of_a_block_is_named(shmem: &Shmem) {
        const N: usize = 100;
        let rig = Rig::new(shmem);
        let (words, process) = (rig.symmetric(&[0u64; N]), rig.on_host(&[0i32]));
        let source = rig.private(&[7u64; N]);
        rig.barrier();
        shmem.p(process.at(0), getpid().as_raw(), rig.next()).expect("p");
        rig.barrier();
        if shmem.my_pe() == 0 {
            let other = Pid::from_raw(process.to_vec().expect("read")[0]);
            // On several hosts, the other process has its number elsewhere.
            let stops = !is_on_hosts();
            let signal = |signal| {
                if stops {
                    kill(other, signal).expect("PE 1 runs")
                }
            };
            signal(Signal::SIGSTOP);
            if stops {
                wait_until_stopped(other.as_raw());
            }
            rig.start(kernels::put_and_quiet, Grid::linear(1, 64), (words.device_ptr(), source.device_ptr(), N, 1));
            expect_status(&[
                "PE 0: kernel put_and_quiet: block 0, thread 0 is in a quiet or a fence, for commands whose word is at 0x",
                " (now 0, wanted >= ",
            ]);
            signal(Signal::SIGCONT);
            rig.wait();
        }
        rig.barrier();
        if shmem.my_pe() == 1 {
            assert_eq!(words.to_vec().expect("read"), [7; N]);
        }
        rig.barrier();
    }
}
