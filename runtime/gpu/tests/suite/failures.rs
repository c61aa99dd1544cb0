//! What happens when a kernel or a copy fails: an error that stays, and never a hang.

use crate::rig::{Rig, arg, barrier, place, warp, word};
use cushmem_abi::lane::{self, WarpOp};
use cushmem_abi::{ABI_VERSION, DeviceContext, HostKernel, KernelEntry, ModuleImage, Units};
use cushmem_gpu::{Gpu, Grid, LaunchKind};
use std::ffi::c_void;
use std::sync::atomic::Ordering::Relaxed;

/// Runs a kernel that must fail with `cause`, and checks that the error stays.
fn fails(entry: KernelEntry, grid: Grid, kind: LaunchKind, cause: &str) {
    let rig = Rig::new();
    let error = rig.run(entry, grid, kind, &[]).unwrap_err().to_string();
    assert!(error.contains(cause), "{error}");
    let again = rig.gpu.alloc(8).unwrap_err().to_string();
    assert!(again.starts_with("allocate 8 bytes of device memory: ") && again.contains(cause), "{again}");
    assert!(rig.stream.is_idle().is_err());
    // Another GPU of this process is not affected.
    Rig::new().run(ends, grid, kind, &[]).unwrap();
}

unsafe fn ends(_: *const *const c_void) {}

unsafe fn one_waits(_: *const *const c_void) {
    if place() == (7, 2) {
        barrier(3, 64);
    }
}

unsafe fn two_barriers(_: *const *const c_void) {
    barrier(if place().0 < 32 { 0 } else { 5 }, 0);
}

/// Catches a kernel that hangs because its lanes wait for each other at barriers.
#[test]
fn deadlocks_are_reported() {
    fails(
        one_waits,
        Grid::linear(4, 64),
        LaunchKind::Plain,
        "(block 2): kernel: deadlock of its 1 threads that have not exited: barrier 3 has 1 of 64 threads",
    );
    fails(
        two_barriers,
        Grid::linear(1, 64),
        LaunchKind::Plain,
        "barrier 0 has 32 of 64 threads, barrier 5 has 32 of 64 threads",
    );
}

unsafe fn half_warp_waits_for_all(_: *const *const c_void) {
    if place().0 < 16 {
        warp(u32::MAX, WarpOp::Sync, 0);
    }
}

unsafe fn lane_waits_at_a_barrier(_: *const *const c_void) {
    if place().0 == 0 {
        barrier(0, 0);
    } else {
        warp(0b11, WarpOp::Ballot, 0);
    }
}

unsafe fn other_operations(_: *const *const c_void) {
    let op = if place().0 == 0 { WarpOp::Ballot } else { WarpOp::Sync };
    warp(0b11, op, 0);
}

/// Catches warp operations that hang on lanes that have ended, wait elsewhere, or do something else.
#[test]
fn wrong_warp_operations_are_reported() {
    fails(half_warp_waits_for_all, Grid::linear(1, 32), LaunchKind::Plain, "lane 16 of a warp ended");
    fails(
        lane_waits_at_a_barrier,
        Grid::linear(1, 2),
        LaunchKind::Plain,
        "barrier 0 has 1 of 2 threads, warp 0: Ballot has lanes 0x00000002 of 0x00000003",
    );
    fails(other_operations, Grid::linear(1, 2), LaunchKind::Plain, "but lanes 0x00000001 want Ballot");
}

unsafe fn wrong_count(_: *const *const c_void) {
    barrier(1, if place().0 == 0 { 64 } else { 32 });
}

unsafe fn odd_count(_: *const *const c_void) {
    barrier(1, 33);
}

unsafe fn no_such_barrier(_: *const *const c_void) {
    barrier(16, 0);
}

/// Catches barriers that PTX does not allow and that would otherwise go unnoticed here.
#[test]
fn wrong_barriers_are_reported() {
    fails(wrong_count, Grid::linear(1, 64), LaunchKind::Plain, "thread 1 gave barrier 1 a count of 32, others 64");
    let odd = "thread 0 gave barrier 1 a count of 33: valid are multiples of 32 up to the block's 64 threads";
    fails(odd_count, Grid::linear(1, 64), LaunchKind::Plain, odd);
    fails(no_such_barrier, Grid::linear(1, 64), LaunchKind::Plain, "thread 0 used barrier 16: barriers are 0 to 15");
}

unsafe fn traps(_: *const *const c_void) {
    if place() == (5, 1) {
        (lane::current().trap)();
    }
    barrier(0, 0);
}

/// Catches a trap that does not end the other lanes, or whose error is forgotten.
#[test]
fn a_trap_ends_the_kernel() {
    fails(traps, Grid::linear(8, 128), LaunchKind::Cooperative, "a kernel trapped (block 1, thread 5): kernel");
}

unsafe fn panics(_: *const *const c_void) {
    if place() == (3, 4) {
        panic!("value {} is wrong", 17);
    }
    barrier(0, 0);
}

/// Catches a panic that takes the stream's thread with it, or whose message is lost.
#[test]
fn a_panic_ends_the_kernel() {
    fails(
        panics,
        Grid::linear(5, 32),
        LaunchKind::Plain,
        "a kernel panicked (block 4, thread 3): kernel: value 17 is wrong at ",
    );
}

/// Catches a panic hook that swallows the panics of other threads.
#[test]
#[should_panic(expected = "not in a kernel")]
fn other_panics_stay() {
    let _rig = Rig::new();
    panic!("not in a kernel");
}

/// Catches copies that run past the end of an allocation or a mapping, and errors that go unnoticed.
#[test]
fn copies_of_unmapped_ranges_fail() {
    const PAGE: u64 = 1 << 16;
    for (offset, bytes) in [(0u64, 25u64), (24, 1), (PAGE, 8), (PAGE - 8, 16)] {
        let rig = Rig::new();
        // Other tests of this process allocate what follows an allocation's last page, but nothing in a reserved range.
        let address = if offset < 32 { rig.alloc_words(&[1, 2, 3]) } else { rig.gpu.reserve(2 * PAGE, PAGE).unwrap() };
        if offset >= 32 {
            let chunk = rig.gpu.create_chunk(PAGE).unwrap();
            rig.gpu.map_chunk(address, &chunk).unwrap();
        }
        let mut host = [0u8; 32];
        // SAFETY: the host range is valid. The device range is not, which the copy must detect.
        unsafe { rig.stream.copy(host.as_mut_ptr() as u64, address + offset, bytes) }.unwrap();
        let error = rig.stream.synchronize().unwrap_err().to_string();
        assert!(error.contains("no device memory is mapped at"), "{error}");
        assert!(rig.gpu.synchronize().is_err());
    }
}

unsafe fn bump(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    word(unsafe { arg(args, 0) }, 0).fetch_add(1, Relaxed);
}

/// Catches work that still runs after an error.
#[test]
fn nothing_runs_after_an_error() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0]);
    // These are enqueued together; the launches after the failed one may be refused or skipped.
    let _ = rig.launch(bump, Grid::linear(1, 1), LaunchKind::Plain, &[data]);
    let _ = rig.launch(traps, Grid::linear(2, 32), LaunchKind::Plain, &[]);
    let _ = rig.launch(bump, Grid::linear(1, 1), LaunchKind::Plain, &[data]);
    assert!(rig.stream.synchronize().is_err());
    assert_eq!(Rig::new().read(data, 1), [1]);
}

fn no_context() -> DeviceContext {
    // SAFETY: the context consists of integers only.
    let zero: DeviceContext = unsafe { std::mem::zeroed() };
    DeviceContext { abi_version: ABI_VERSION, ..zero }
}

static IMAGE: ModuleImage = ModuleImage {
    name: "some_kernels",
    ptx: "",
    sm_90_ptx: "",
    far_ptx: "",
    recorded_ptx: "",
    source: 0,
    kernels: &[HostKernel { name: "ends", entry: ends, parameter_bytes: &[] }],
};

/// Catches a module that is loaded with a context of another layout, and an unclear message about a missing kernel.
#[test]
fn modules_are_checked() {
    let rig = Rig::new();
    let context = DeviceContext { abi_version: ABI_VERSION + 1, ..no_context() };
    let error = rig.gpu.load_module(&IMAGE, Some(&context)).err().unwrap().to_string();
    assert!(error.starts_with("load module some_kernels: the context has layout version"), "{error}");
    let module = rig.gpu.load_module(&IMAGE, None).unwrap();
    let error = module.function("starts").err().unwrap().to_string();
    assert_eq!(error, "find kernel starts: module some_kernels has no kernel of this name");
}

unsafe fn reads_context(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    word(data, 0).store(lane::current().context.map_or(0, |c| c.gpu.stride.into()), Relaxed);
}

static CONTEXT_IMAGE: ModuleImage = ModuleImage {
    name: "context",
    ptx: "",
    sm_90_ptx: "",
    far_ptx: "",
    recorded_ptx: "",
    source: 0,
    kernels: &[HostKernel { name: "reads", entry: reads_context, parameter_bytes: &[8] }],
};

/// Catches a context that is dropped with the module or that changes with the caller's copy.
#[test]
fn kernels_see_their_context() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0]);
    let mut context = DeviceContext { gpu: Units { stride: 77, ..no_context().gpu }, ..no_context() };
    let function = rig.gpu.load_module(&CONTEXT_IMAGE, Some(&context)).unwrap().function("reads").unwrap();
    context.gpu.stride = 78;
    // SAFETY: the kernel takes one word.
    unsafe { rig.stream.launch(&*function, &Grid::linear(1, 1), LaunchKind::Plain, &[(&raw const data).cast()]) }
        .unwrap();
    assert_eq!((rig.read(data, 1)[0], context.gpu.stride), (77, 78));
}
