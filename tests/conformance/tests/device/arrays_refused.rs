//! Arrays that are refused, and what ends a job that uses one.

use crate::arrays::{Case, LANES, Place, before, path};
use crate::rig::Rig;
use cushmem::{ArrayMode, Grid, Shmem, SymArray, TaskOptions};
use cushmem_conformance::{Backend, conformance, run_to_failure};
use cushmem_conformance_kernels::{self as kernels, ARRAY_WRITE, tasks::TASKS};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use std::fs::OpenOptions;
use std::path::Path;

conformance! { soft, cuda => {
    shapes: 2;
} }

/// GPUs that do not reach each other.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => {
        no_place: 2;
    } }
}

mod on_nodes {
    use super::*;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: { no_place: 2 on 2; } }
}

/// Catches loads and stores of memory that a GPU does not reach.
fn no_place(shmem: &Shmem) {
    let made = shmem.array(1000).slots(0).create::<u64>();
    let why = made.err().expect("it is refused").to_string();
    assert!(why.contains(": an array without a cache needs loads and stores, but gpu memory of some PEs is "), "{why}");
    let array = shmem.array(1000).create::<u64>().expect("with a cache");
    array.free().expect("free");
}

/// Catches a shape that makes no sense, and a message that does not say the valid range.
fn shapes(shmem: &Shmem) {
    let says = |made: cushmem::Result<SymArray<'_, u64>>| made.err().expect("it is refused").to_string();
    assert_eq!(
        says(shmem.array(10).line_bytes(256).create()),
        "array: a line of 256 bytes is not a power of two from 512 to 65536"
    );
    assert_eq!(
        says(shmem.array(10).line_bytes(1000).create()),
        "array: a line of 1000 bytes is not a power of two from 512 to 65536"
    );
    assert_eq!(
        says(shmem.array(10).slots(1 << 32).create()),
        "array: 4294967296 slots are out of range (0 to 4294967293)"
    );
    assert_eq!(
        says(shmem.array(10).in_file("x").slots(0).create()),
        "array: an array in a file has a cache: 0 slots are out of range (1 to 4294967293)"
    );
    assert!(says(shmem.array(0).create()).starts_with("array: 0 elements of 8 bytes are out of range (1 to "));
    assert_eq!(
        says(shmem.array(10).in_file("x").mode(ArrayMode::Accumulate).create()),
        "array: an array for accumulation is in memory: nobody adds to a file"
    );
    let missing = says(shmem.array(10).in_file("/nowhere/x").mode(ArrayMode::ReadOnly).create());
    assert!(missing.contains("/nowhere/x: No such file or directory"), "{missing}");
    // The parts are whole lines.
    let array = shmem.array(100).line_bytes(512).create::<u64>().expect("an array");
    assert_eq!((array.range(0), array.range(1), array.line_len(), array.len()), (0..64, 64..100, 64, 100));
    assert_eq!(array.part().map(|part| part.len()), Some(64));
    array.free().expect("free");
}

/// Catches an access outside of the array, and one that its mode forbids.
fn what_is_forbidden(shmem: &Shmem, index: u64, mode: ArrayMode) {
    let rig = Rig::new(shmem);
    let case = Case::<u64>::new(&rig, Place::Host, 100, 4, mode);
    let list = rig.private(&[index, 0].repeat(LANES));
    let found = rig.private(&vec![0u64; LANES]);
    rig.start(
        kernels::array_work,
        Grid::linear(2, LANES as u32 / 2),
        (case.array.device(), list.device_ptr(), 1, found.device_ptr()),
    );
    panic!("{}", rig.stream.synchronize().expect_err("the kernel succeeded"));
}

/// An array that is in a file on one PE only.
fn unlike(shmem: &Shmem) {
    let builder = shmem.array(10).mode(ArrayMode::ReadWrite);
    let builder = if shmem.my_pe() == 0 { builder.in_file(path()) } else { builder };
    panic!("created: {}", builder.create::<u64>().is_ok());
}

/// A file that somebody truncates while kernels read it: the first lines are there, the last one is not.
fn truncated(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let case = Case::<u64>::new(&rig, Place::File, 10_000, 4, ArrayMode::ReadOnly);
    if let (Some(path), 0) = (&case.file, shmem.my_pe()) {
        OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(40_000)).expect("truncate");
    }
    rig.barrier();
    let list = |index: u64| [index, 0].repeat(LANES);
    assert_eq!(case.work(kernels::array_work, &list(100)), vec![before(100); LANES]);
    rig.barrier();
    // PEs have opened the file.
    if let (Some(path), 0) = (&case.file, shmem.my_pe()) {
        std::fs::remove_file(path).expect("remove the file");
    }
    rig.barrier();
    // The job ends here.
    case.work(kernels::array_work, &list(8_300));
    panic!("a line that is not there was read");
}

/// Bytes of a file that is a hole at first, and after how many of them it is spoilt.
const HOLE: usize = 1 << 26;
const HALF: usize = HOLE / 2;

/// How the last line of a file is written back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    KernelFlush,
    KernelMiss,
    Flush,
    Drop,
}

/// Somebody cuts off the second half of the file.
fn cut_off(path: &Path) {
    OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(HALF as u64)).expect("truncate");
}

/// This process may write no further than to the middle of a file.
fn no_room(_: &Path) {
    let hard = getrlimit(Resource::RLIMIT_FSIZE).expect("the limit").1;
    setrlimit(Resource::RLIMIT_FSIZE, HALF as u64, hard).expect("a lower limit");
    // SAFETY: a signal that is ignored runs no code.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.expect("ignore the signal");
}

/// An array in a file that is a hole, whose last element PE 0's kernel has written; then the file is spoilt.
fn spoilt<'a>(rig: &'a Rig<'a>, spoil: impl Fn(&Path)) -> Case<'a, u64> {
    let (shmem, path) = (rig.shmem, path());
    let array = shmem.array(HOLE / 8).in_file(&path).slots(1).create::<u64>().expect("an array");
    let case = Case { rig, array, file: Some(path) };
    if let (Some(path), 0) = (&case.file, shmem.my_pe()) {
        case.work(kernels::array_work, &[(HOLE / 8 - 1) as u64 | ARRAY_WRITE, 7].repeat(LANES));
        spoil(path);
        // PEs have opened it.
        std::fs::remove_file(path).expect("remove the file");
    }
    case
}

/// Catches a write-back to a file that somebody has truncated, which would turn what was cut off into zeros, and one
/// without room whose error goes unnoticed.
fn spoilt_before(shmem: &Shmem, back: Back, spoil: fn(&Path)) {
    let rig = Rig::new(shmem);
    let case = spoilt(&rig, spoil);
    if shmem.my_pe() == 0 {
        match back {
            Back::KernelFlush => rig.run(kernels::array_flush, Grid::linear(1, 32), (case.array.device(),)),
            Back::KernelMiss => drop(case.work(kernels::array_work, &[5, 0].repeat(LANES))),
            Back::Flush => println!("flush: {}", case.array.flush().expect_err("it is spoilt")),
            Back::Drop => {}
        }
    }
    if shmem.my_pe() != 0 {
        // PE 0 ends the job.
        rig.barrier();
    }
    drop(case);
    panic!("the array has been dropped");
}

/// Catches an array in a file that is dropped in a panic, with lines that are not in the file, without a word.
fn dropped_in_a_panic(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let _case = spoilt(&rig, |_| {});
    rig.barrier();
    panic!("with an array");
}

/// Catches a kernel that is blamed alone where a task may have been it.
fn truncated_beside_tasks(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let _queue = shmem.task_queue(&rig.module, &TASKS, TaskOptions::default()).expect("task_queue");
    truncated(shmem);
}

macro_rules! failures { ($($name:ident, $backend:ident $(($variable:literal, $value:literal))?: $says:expr, $body:expr;)*) => {$(
    #[test]
    fn $name() {
        let name = concat!(module_path!(), "::", stringify!($name));
        run_to_failure(name, Backend::$backend, &[$(($variable, $value))?], $says, &[], |shmem: Shmem| $body(&shmem));
    }
)*} }
pub(crate) use failures;
const OUTSIDE: &[&str] = &["array: element 100 is out of range (0 to 99)"];
const READ_ONLY: &[&str] = &["array: it is read-only, but a kernel writes to it"];
const UNLIKE: &[&str] = &["argument kind: "];
const TRUNCATED_BESIDE_TASKS: &[&str] = &["kernel array_work or a task: read 512 bytes at 66048 of "];
const TRUNCATED: &[&str] = &["kernel array_work: read 512 bytes at 66048 of ", "it has been truncated"];
const CUT_OFF: &[&str] = &["kernel array_flush: write 4096 bytes at 67104768 of ", CUT_OFF_AT];
const CUT_OFF_AT: &str = ": the file has 33554432 bytes, but the array has 67108864: it has been truncated";
const MISS_CUT_OFF: &[&str] = &["kernel array_work: write 4096 bytes at 67104768 of ", CUT_OFF_AT];
const CPU_CUT_OFF: &[&str] = &["flush: array: write 4096 bytes at 67104768 of ", CUT_OFF_AT];
const NO_ROOM: &[&str] = &["kernel array_flush: write 4096 bytes at 67104768 of ", NO_ROOM_AT];
const NO_ROOM_AT: &str = ": File too large (os error 27)";
const MISS_NO_ROOM: &[&str] = &["kernel array_work: write 4096 bytes at 67104768 of ", NO_ROOM_AT];
const CPU_NO_ROOM: &[&str] = &["flush: array: write 4096 bytes at 67104768 of ", NO_ROOM_AT];
const DROPPED: &[&str] = &[
    "an array in /",
    "was dropped, and what kernels wrote to it may be lost: array: write 4096 bytes at 67104768 of ",
    NO_ROOM_AT,
];
const DROPPED_IN_A_PANIC: &[&str] =
    &["an array in /", "was dropped, and what kernels wrote to it may be lost: in a panic, nothing is written back"];
failures! {
    a_flush_by_a_kernel_to_a_file_that_is_cut_off_on_soft, Soft: CUT_OFF, |shmem| spoilt_before(shmem, Back::KernelFlush, cut_off);
    a_miss_that_writes_back_to_a_file_that_is_cut_off_on_soft, Soft: MISS_CUT_OFF, |shmem| spoilt_before(shmem, Back::KernelMiss, cut_off);
    a_flush_to_a_file_that_is_cut_off_on_soft, Soft: CPU_CUT_OFF, |shmem| spoilt_before(shmem, Back::Flush, cut_off);
    a_flush_by_a_kernel_without_room_on_soft, Soft: NO_ROOM, |shmem| spoilt_before(shmem, Back::KernelFlush, no_room);
    a_flush_by_a_kernel_without_room_on_cuda, Cuda: NO_ROOM, |shmem| spoilt_before(shmem, Back::KernelFlush, no_room);
    a_miss_that_writes_back_without_room_on_soft, Soft: MISS_NO_ROOM, |shmem| spoilt_before(shmem, Back::KernelMiss, no_room);
    a_flush_without_room_on_soft, Soft: CPU_NO_ROOM, |shmem| spoilt_before(shmem, Back::Flush, no_room);
    a_drop_without_room_on_soft, Soft: DROPPED, |shmem| spoilt_before(shmem, Back::Drop, no_room);
    a_drop_in_a_panic_on_soft, Soft: DROPPED_IN_A_PANIC, dropped_in_a_panic;
    an_index_outside_on_soft, Soft: OUTSIDE, |shmem| what_is_forbidden(shmem, 100, ArrayMode::ReadWrite);
    an_index_outside_on_cuda, Cuda: OUTSIDE, |shmem| what_is_forbidden(shmem, 100, ArrayMode::ReadWrite);
    a_write_to_what_is_read_only_on_soft, Soft: READ_ONLY, |shmem| what_is_forbidden(shmem, ARRAY_WRITE | 5, ArrayMode::ReadOnly);
    an_array_in_a_file_on_one_pe_on_soft, Soft: UNLIKE, unlike;
    a_truncated_file_on_soft, Soft: TRUNCATED, truncated;
    a_truncated_file_beside_tasks_on_soft, Soft: TRUNCATED_BESIDE_TASKS, truncated_beside_tasks;
    a_truncated_file_on_cuda, Cuda: TRUNCATED, truncated;
}
