//! What `shmemrun --status` says about a PE whose kernel does not end.

use crate::rig::Rig;
use cushmem::{Grid, Shmem};
use cushmem_conformance::{conformance, expect_status};
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    a_hung_kernel_is_named: 2;
    what_ends_is_withdrawn: 2;
    a_barrier_of_kernels_is_named: 2;
    a_lost_gpu_waits_for_nothing: 2;
    what_the_proxy_has_done_is_told: 2;
} }

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
