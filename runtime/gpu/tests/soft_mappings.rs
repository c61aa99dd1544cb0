//! A test that has a process to itself, because it counts the process's mappings.

mod rig;

use cushmem_gpu::{Gpu, Grid, LaunchKind};
use rig::{Rig, barrier, place};
use std::ffi::c_void;

unsafe fn meets(_: *const *const c_void) {
    barrier(0, 0);
}

unsafe fn some_trap(_: *const *const c_void) {
    barrier(0, 0);
    if place() == (31, 3) {
        (cushmem_abi::lane::current().trap)();
    }
    barrier(0, 0);
}

fn mappings() -> usize {
    std::fs::read_to_string("/proc/self/maps").unwrap().lines().count()
}

/// Catches stacks that are not reused after a normal end, after a trap, or when a stream comes and goes.
#[test]
fn launches_do_not_grow_mappings() {
    let rig = Rig::new();
    rig.run(meets, Grid::linear(256, 32), LaunchKind::Cooperative, &[]).unwrap();
    let before = mappings();
    for n in 0..10_000 {
        rig.launch(meets, Grid::linear(1 + n % 4, 32), LaunchKind::Plain, &[]).unwrap();
    }
    rig.stream.synchronize().unwrap();
    for _ in 0..100 {
        let other = Rig::new();
        assert!(other.run(some_trap, Grid::linear(4, 64), LaunchKind::Plain, &[]).is_err());
        let data = rig.gpu.alloc(100).unwrap();
        rig.gpu.free(data).unwrap();
    }
    rig.run(meets, Grid::linear(256, 32), LaunchKind::Cooperative, &[]).unwrap();
    // An allocator may keep a heap or two of the threads that came and went.
    assert!(mappings() < before + 50, "{before} mappings grew to {}", mappings());
}
