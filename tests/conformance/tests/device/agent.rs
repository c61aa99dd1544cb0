//! The GPU agent beside the program's kernels: when it has no room, when they need the whole GPU, and when the program
//! waits for the GPU.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Grid, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_status};
use cushmem_conformance_kernels as kernels;
use cushmem_gpu::Gpu;
use cushmem_gpu::cuda::CudaGpu;
use cushmem_gpu::soft::{SoftGpu, leave_places_for};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    a_full_gpu: 2;
    a_kernel_that_needs_all: 1, 2;
    the_program_waits_for_the_gpu: 1, 2;
} }

/// GPUs whose memory no other PE reaches.
mod apart {
    use super::a_full_gpu;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    cushmem_conformance::conformance! { with APART: soft, cuda => { a_full_gpu: 2; } }
}

/// Puts and gets that wait for a kernel of the agent, instead of using the copy engine.
mod asked_for {
    use super::{a_full_gpu_waits_for_puts, the_program_waits_for_the_gpu};
    const AGENT: &[(&str, &str)] = &[("CUSHMEM_PATH", "gpu-agent")];
    cushmem_conformance::conformance! { with AGENT: soft, cuda => {
        the_program_waits_for_the_gpu: 1, 2;
        a_full_gpu_waits_for_puts: 1, 2;
    } }
}

/// The same where a launch returns after the kernel has run, as with `CUDA_LAUNCH_BLOCKING=1`. Catches puts that look
/// for a running kernel again and again, because they never see one.
mod launched_and_waited_for {
    use super::the_program_waits_for_the_gpu;
    const AGENT: &[(&str, &str)] = &[("CUSHMEM_PATH", "gpu-agent"), ("CUSHMEM_TEST_GPU_PACE", "early")];
    cushmem_conformance::conformance! { with AGENT: soft => { the_program_waits_for_the_gpu: 1, 2; } }
}

/// One GPU for all PEs, whose kernels take turns.
mod on_one_gpu {
    use super::{a_full_gpu, a_kernel_that_needs_all, the_program_waits_for_the_gpu};
    const ONE: &[(&str, &str)] = &[("CUDA_VISIBLE_DEVICES", "0")];
    cushmem_conformance::conformance! { with ONE: cuda => {
        a_full_gpu: 2;
        a_kernel_that_needs_all: 2;
        the_program_waits_for_the_gpu: 2;
    } }
}

fn is_emulated(shmem: &Shmem) -> bool {
    shmem.gpu().expect("a GPU").emulated
}

/// Fills the GPU with a kernel. `running` counts its blocks, and `end` ends it; both are 0. Returns when it began.
fn fill_gpu(rig: &Rig<'_>, running: SymSlice<'_, u64>, end: SymSlice<'_, u64>) -> Instant {
    // An emulated GPU has as many multiprocessors as kernels want, unless it is told otherwise.
    leave_places_for(1);
    let lanes = if is_emulated(rig.shmem) { 32 } else { 1024 };
    let most = rig.module.max_resident_blocks(kernels::occupy, lanes).expect("occupancy");
    let blocks = if is_emulated(rig.shmem) { 2 } else { most };
    let start = Instant::now();
    let words = (running.device_ptr(), end.device_ptr(), LIMIT_NS);
    rig.start(kernels::occupy, Grid::linear(blocks, lanes), words);
    // In GPU memory, each look is a get, which a kernel of the agent may answer until there is no place for one.
    while running.to_vec().expect("read") != [u64::from(blocks)] {
        assert!(start.elapsed() < Duration::from_nanos(LIMIT_NS), "not all blocks came");
    }
    start
}

/// The kernel of PE 0 fills its GPU, and waits for a word that PE 1 changes. Catches puts and gets that wait for a
/// place on the GPU as well, a word that the GPU of PE 1 does not change, an atomic operation of PE 0 that is lost or
/// carried out twice because it has to wait, and a wait that is not reported.
fn a_full_gpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let told = rig.on_host(&[0u64; 2]);
    // How many blocks run, the word that ends them, a datum, and a counter.
    let words = rig.symmetric(&[0u64; 4]);
    rig.barrier();
    for round in 1..=3 {
        if shmem.my_pe() == 0 {
            words.copy_from(&[0; 4]).expect("clear");
            let start = fill_gpu(&rig, words.slice(..1), words.slice(1..2));
            for value in [7, 8] {
                shmem.p(words.at(2), value, 0).expect("p");
                assert_eq!(shmem.g(words.at(2), 0).expect("g"), value);
            }
            shmem.p(told.at(0), round, 1).expect("p");
            assert_eq!(shmem.fetch_add(words.at(3), 5, 0).expect("fetch_add"), 0, "round {round}");
            rig.wait();
            assert!(start.elapsed() < Duration::from_nanos(LIMIT_NS), "the kernel has ended at its limit");
            leave_places_for(u32::MAX);
            assert_eq!(shmem.fetch_add(words.at(3), 1, 0).expect("fetch_add"), 5, "round {round}");
        } else {
            shmem.wait_until(told.at(0), cushmem::Cmp::Eq, round).expect("wait_until");
            shmem.p(words.at(2), 9, 0).expect("p");
            shmem.quiet().expect("quiet");
            assert_eq!(shmem.g(words.at(2), 0).expect("g"), 9);
            if shmem.pes_on_my_gpu() == Some(1) {
                let by_agent = "PE 0: atomic operation on GPU memory, by the GPU agent, which has no room beside ";
                expect_status(&[by_agent, "kernel occupy"]);
            }
            if rig.reaches_all() {
                assert_eq!(shmem.fetch_add(words.at(1), 1, 0).expect("fetch_add"), 0);
            } else {
                // Its own GPU would have to change it.
                shmem.p(words.at(1), 1, 0).expect("p");
            }
        }
        rig.barrier();
    }
}

/// A kernel fills the GPU, and waits for a put, which asks for the agent: first for one after many others, then also
/// while an atomic operation of another thread waits for a place. Catches puts and gets that wait for their kernel's
/// place, or behind something that waits for one, until the program's kernel has given up; and more of them than the
/// agent has slots.
fn a_full_gpu_waits_for_puts(shmem: &Shmem) {
    let (rig, me) = (Rig::new(shmem), shmem.my_pe());
    // How many blocks run.
    let running = rig.on_host(&[0u64]);
    // Behind the first one, the word that ends them, a datum, and a counter.
    let words = rig.symmetric(&[0u64; 4]);
    rig.barrier();
    for is_beside in [false, true] {
        words.copy_from(&[0; 4]).expect("clear");
        running.copy_from(&[0]).expect("clear");
        // Nothing asks for the agent before the puts below.
        fill_gpu(&rig, running, words.slice(1..2));
        std::thread::scope(|scope| {
            if is_beside {
                scope.spawn(|| assert_eq!(shmem.fetch_add(words.at(3), 1, me).expect("fetch_add"), 0));
                let by_agent = "atomic operation on GPU memory, by the GPU agent, which has no room beside ";
                expect_status(&[&format!("PE {me}: {by_agent}")]);
            }
            for value in 1..=100 {
                shmem.p(words.at(2), value, me).expect("p");
            }
            assert_eq!(shmem.g(words.at(2), me).expect("g"), 100);
            let is_over = rig.stream.is_idle().expect("the kernel runs");
            shmem.p(words.at(1), 1, me).expect("p");
            assert!(!is_over, "the kernel has ended at its limit");
            rig.wait();
        });
        leave_places_for(u32::MAX);
        for value in 1..=100 {
            shmem.p(words.at(2), value, me).expect("p");
            assert_eq!(shmem.g(words.at(2), me).expect("g"), value, "after the kernel");
        }
        rig.barrier();
    }
}

/// Catches a GPU agent that always has commands, and keeps a kernel that needs every multiprocessor from starting.
fn a_kernel_that_needs_all(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (words, wrong) = (rig.symmetric(&[0u64; 2]), rig.symmetric(&[0u64]));
    let lanes = if is_emulated(shmem) { 32 } else { 1024 };
    let most = rig.module.max_resident_blocks(kernels::grid_rounds, lanes).expect("occupancy");
    let blocks = if is_emulated(shmem) { 2 } else { most };
    let met = rig.private(&vec![0u64; 2 * blocks as usize]);
    rig.barrier();
    let (is_over, polls, me) = (AtomicBool::new(false), AtomicU64::new(0), shmem.my_pe());
    std::thread::scope(|scope| {
        let poller = scope.spawn(|| {
            // Relaxed, here and below: nothing else depends on them.
            while !is_over.load(Ordering::Relaxed) {
                let before = shmem.fetch_add(words.at(0), 1, me).expect("fetch_add");
                assert_eq!(before, polls.fetch_add(1, Ordering::Relaxed));
                assert_eq!(shmem.g(words.at(0), me).expect("g"), before + 1);
            }
        });
        for _ in 0..rig.times(3, 20) {
            // The agent has had commands for longer than one of its kernels stays.
            let (start, before) = (Instant::now(), polls.load(Ordering::Relaxed));
            let is_busy = || poller.is_finished() || polls.load(Ordering::Relaxed) > before;
            while start.elapsed() < Duration::from_millis(3) || !is_busy() {
                std::thread::yield_now();
            }
            let args = (rig.stream.grid_counter(), met.device_ptr(), 4, wrong.device_ptr());
            rig.start_cooperative(kernels::grid_rounds, Grid::linear(blocks, lanes), args);
            rig.wait();
        }
        is_over.store(true, Ordering::Relaxed);
        poller.join().expect("the words are right");
    });
    assert_eq!(wrong.to_vec().expect("read"), [0]);
    rig.barrier();
}

/// Catches an agent that makes `cudaDeviceSynchronize`, `cudaFree` or the end of another context wait for ever right
/// after puts, and a put that is lost because of them.
fn the_program_waits_for_the_gpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let properties = shmem.gpu().expect("a GPU");
    let gpu: Arc<dyn Gpu> = if properties.emulated {
        SoftGpu::open(properties.ordinal).expect("the GPU once more")
    } else {
        CudaGpu::open(properties.ordinal).expect("the GPU once more")
    };
    let words = rig.symmetric(&[0u64; 8]);
    rig.barrier();
    for round in 1..=rig.times(6, 12) {
        let (memory, other) = (gpu.alloc(1 << 20).expect("alloc"), gpu.in_own_context().expect("a context"));
        // Fast enough for an agent to start.
        for i in 0..64 {
            shmem.p(words.at(i % 8), round * 100 + i as u64, rig.partner()).expect("p");
        }
        assert!(shmem.fetch_add(words.at(0), 0, rig.partner()).is_ok());
        match round % 3 {
            0 => gpu.synchronize().expect("synchronize"),
            1 => gpu.free(memory).expect("free"),
            _ => drop(other),
        }
        shmem.quiet().expect("quiet");
        rig.barrier();
        assert_eq!(words.to_vec().expect("read"), (56..64).map(|i| round * 100 + i).collect::<Vec<_>>());
        rig.barrier();
        if round % 3 != 1 {
            gpu.free(memory).expect("free");
        }
    }
}
