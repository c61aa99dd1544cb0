//! What `shmemrun --status` says about a PE whose kernel does not end.

use crate::rig::Rig;
use cushmem::{Grid, Operation, Shmem, TaskOptions};
use cushmem_conformance::{conformance, expect_status, wait_until_stopped};
use cushmem_conformance_kernels::{self as kernels, tasks::TASKS};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use xtask::launch::is_on_hosts;

conformance! { soft, cuda => {
    a_hung_kernel_is_named: 2;
    what_ends_is_withdrawn: 2;
    a_barrier_of_kernels_is_named: 2;
    a_lost_gpu_waits_for_nothing: 2;
    what_the_proxy_has_done_is_told: 2;
    a_slow_kernel_is_no_stuck_one: 2;
    what_stays_is_no_kernel_of_the_program: 2;
} }

mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { a_full_ring_is_told: 2; } }
}

/// Catches a hang that is reported only as `computing`, without kernel, block, lane, word and expected value.
fn a_hung_kernel_is_named(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let word = rig.symmetric(&[-4i64]);
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.run(kernels::wait_in_lane_3, Grid::linear(2, 32), (word.device_ptr(), 7));
    } else {
        let lane = "kernel wait_in_lane_3: block 1, thread 3 is in wait_until of the word at 0x";
        expect_status(&["PE 0: kernel wait_in_lane_3 for ", lane, " (now -4, wanted >= 7)", "PE 1: computing\n"]);
        // The new value of the word is shown too.
        shmem.p(word.at(0), 5, 0).expect("p");
        expect_status(&[lane, " (now 5, wanted >= 7)"]);
        shmem.p(word.at(0), 7, 0).expect("p");
    }
    rig.barrier();
}

/// Catches a record that outlives its wait, or keeps the next lane from writing its own.
fn what_ends_is_withdrawn(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let words = rig.symmetric(&[0i64; 2]);
    rig.barrier();
    let lane = "kernel wait_in_lane_3: block 1, thread 3 is in wait_until of the word at 0x";
    if shmem.my_pe() == 0 {
        for value in [1, 2] {
            rig.run(kernels::wait_in_lane_3, Grid::linear(2, 32), (words.device_ptr(), value));
            // The host waits here, and no kernel does.
            rig.barrier();
        }
    } else {
        for (value, waits) in [(1, " (now 0, wanted >= 1)"), (2, " (now 1, wanted >= 2)")] {
            expect_status(&[lane, waits]);
            shmem.p(words.at(0), value, 0).expect("p");
            expect_status(&["PE 0: barrier_all ", ": waiting for PE 1 for ", " s\n", "PE 1: computing\n"]);
            rig.barrier();
        }
    }
    rig.barrier();
}

/// Catches a kernel's wait in the library's own barrier that is not reported, or is reported as a wait for the
/// program's word.
fn a_barrier_of_kernels_is_named(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    rig.barrier();
    if shmem.my_pe() == 1 {
        let lane = "kernel barrier_once: block 0, thread 0 is in a barrier";
        let is_far = !rig.reaches_all();
        // What the CPU waits for and what the kernel does may be reported in either order.
        let how = match is_far {
            false => [", whose word is at 0x", ""],
            true => [" of team slot 0, which the CPUs carry out", "barrier of team slot 0: waits for PE 1"],
        };
        expect_status(&["PE 0: kernel barrier_once for ", lane, how[0], how[1], "PE 1: computing\n"]);
    }
    rig.run(kernels::barrier_once, Grid::linear(1, 1), ());
    rig.barrier();
}

/// Catches an error that does not name the kernel, and a wait that is still reported for a kernel that has died.
fn a_lost_gpu_waits_for_nothing(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let word = rig.symmetric(&[0u64]);
    let host = shmem.malloc::<u64>(1).expect("malloc");
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.start(kernels::p_from_lane_3, Grid::linear(2, 32), (word.device_ptr(), 1, 17));
        let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
        assert!(text.starts_with("kernel p_from_lane_3: PE 0: "), "{text}");
    } else {
        expect_status(&["PE 0: barrier_all", " s\n", "PE 1: computing\n"]);
    }
    shmem.p(host.at(0), 1, 0).expect("p");
    rig.barrier();
}

/// Catches commands that are not counted, and counts that are reported for another PE or that make a PE look busy.
fn what_the_proxy_has_done_is_told(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let word = shmem.malloc::<u64>(1).expect("malloc");
    word.copy_from(&[0]).expect("write");
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.run(kernels::add_signals, Grid::linear(1, 1), (word.device_ptr(), 5, 1));
    }
    rig.barrier();
    if shmem.my_pe() == 1 {
        let (waits, work) = ("PE 0: barrier_all ", "PE 0: proxy: 5 commands of its kernels in ");
        expect_status(&[
            waits,
            " s\n",
            "PE 1: computing\n",
            work,
            "PE 1: proxy: 0 commands of its kernels in 0 batches, ",
            " naps",
        ]);
    }
    rig.barrier();
    shmem.free(word).expect("free");
}

/// Catches a stuck kernel that is not told from one that progresses slowly, and a PE that computes beside both.
fn a_slow_kernel_is_no_stuck_one(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (word, signal) = (rig.symmetric(&[-4i64]), shmem.malloc::<u64>(1).expect("malloc"));
    signal.copy_from(&[0]).expect("write");
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.run(kernels::add_signals, Grid::linear(1, 1), (signal.device_ptr(), 5, 1));
        rig.run(kernels::wait_in_lane_3, Grid::linear(2, 32), (word.device_ptr(), 1_000_000));
    } else {
        let waits = "PE 0: kernel wait_in_lane_3 for ";
        let stuck = ["PE 0: kernels: no progress seen for ", "; 5 commands so far, the last one "];
        expect_status(&[waits, stuck[0], stuck[1], "PE 1: computing\n"]);
        // In each step, the lane sees another value.
        let is_seen = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                expect_status(&[
                    waits,
                    "PE 0: kernels: progressing (the wait of a lane has changed); 5 commands so far, ",
                    "PE 1: computing\n",
                ]);
                is_seen.store(true, Ordering::Relaxed);
            });
            let mut value = 0;
            while !is_seen.load(Ordering::Relaxed) && value < 1000 {
                shmem.p(word.at(0), value, 0).expect("p");
                value += 1;
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        expect_status(&stuck);
        shmem.p(word.at(0), 1_000_000, 0).expect("p");
    }
    rig.barrier();
    shmem.free(signal).expect("free");
}

/// Catches an executor that is taken for a kernel of the program.
fn what_stays_is_no_kernel_of_the_program(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let options = TaskOptions { threads: 32, ..TaskOptions::default() };
    let queue = shmem.task_queue(&rig.module, &TASKS, options).expect("task_queue");
    rig.barrier();
    if shmem.my_pe() == 1 {
        let stays = "kernels: none of the program; the executor of tasks stays on the GPU\n";
        expect_status(&[&format!("PE 0: {stays}"), &format!("PE 1: {stays}")]);
    }
    rig.barrier();
    queue.free().expect("free");
}

/// Catches a kernel that waits because the ring is full, which is reported as any other: PE 1, which has to copy what
/// PE 0's kernel puts, is stopped.
fn a_full_ring_is_told(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (source, dest, process) = (rig.symmetric(&[7u64; 8]), rig.symmetric(&[0u64; 8]), rig.on_host(&[0i32]));
    rig.barrier();
    shmem.p(process.at(0), getpid().as_raw(), rig.next()).expect("p");
    rig.barrier();
    if shmem.my_pe() == 0 {
        let other = Pid::from_raw(process.to_vec().expect("read")[0]);
        // On several hosts, the other process has its number elsewhere.
        let signal = |signal| {
            if !is_on_hosts() {
                kill(other, signal).expect("PE 1 runs")
            }
        };
        let put = Operation::put(dest, source, 1).expect("describe");
        let put = shmem.prepare(put).expect("prepare");
        signal(Signal::SIGSTOP);
        if !is_on_hosts() {
            wait_until_stopped(other.as_raw());
        }
        // More than are staged at a time, and than the ring has room for.
        rig.start(kernels::post_prepared, Grid::linear(1, 1), (put.device(), 20_000, 1));
        expect_status(&[
            " waits for room in the command ring",
            "PE 0: kernels: no progress seen for ",
            " commands so far, the next one Prepared; the command ring is full\n",
            " stalls, ",
        ]);
        signal(Signal::SIGCONT);
        rig.wait();
    }
    rig.barrier();
    if shmem.my_pe() == 1 {
        assert_eq!(dest.to_vec().expect("read"), [7; 8]);
    }
    rig.barrier();
}
