//! Processes that share device memory of the emulated GPU, as the PEs of a job do.

use crate::rig::{Rig, arg, child, finish, place, suspend, word};
use cushmem_abi::lane::Event;
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Chunk, Gpu, Grid, LaunchKind};
use std::ffi::c_void;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::{Duration, Instant};

const CHILD_FD: i32 = 100;
const BYTES: &str = "CUSHMEM_TEST_BYTES";
const NUMBER: &str = "CUSHMEM_TEST_NUMBER";

/// Starts an ignored test of this binary, with the chunk's descriptor as number [`CHILD_FD`].
fn start(mut command: Command, chunk: &Arc<dyn Chunk>) -> Child {
    let fd = chunk.share().unwrap();
    let raw = fd.as_raw_fd();
    command.env(BYTES, chunk.bytes().to_string());
    // SAFETY: dup2 is async-signal-safe. The copy is inherited, because it does not have the close-on-exec flag.
    unsafe {
        command.pre_exec(move || match libc::dup2(raw, CHILD_FD) {
            -1 => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
    command.spawn().unwrap()
}

fn succeeds(child: Child) {
    let output = finish(child);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Creates and maps a chunk of one unit.
fn own_chunk(rig: &Rig) -> (Arc<dyn Chunk>, u64) {
    let unit = rig.gpu.properties().granularity;
    let base = rig.gpu.reserve(unit, 0).unwrap();
    let chunk = rig.gpu.create_chunk(unit).unwrap();
    rig.gpu.map_chunk(base, &chunk).unwrap();
    (chunk, base)
}

/// Maps the parent's chunk at a different address from the parent's.
fn parents_chunk(rig: &Rig) -> u64 {
    let bytes = std::env::var(BYTES).unwrap().parse().unwrap();
    // SAFETY: the parent left this descriptor open for us.
    let fd = unsafe { BorrowedFd::borrow_raw(CHILD_FD) };
    let chunk = rig.gpu.import_chunk(fd, bytes).unwrap();
    let base = rig.gpu.reserve(4 * bytes, 0).unwrap() + 2 * bytes;
    rig.gpu.map_chunk(base, &chunk).unwrap();
    base
}

unsafe fn double(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let w = word(unsafe { arg(args, 0) }, place().0);
    w.store(2 * w.load(Relaxed), Relaxed);
}

/// Returns a word of the identity on which all processes of the machine must agree.
fn identity() -> u64 {
    u64::from_le_bytes(SoftGpu::open(3).unwrap().properties().uuid[8..].try_into().unwrap())
}

/// Catches chunks that are copied instead of shared, or mapped at the wrong place by one side.
#[test]
fn processes_share_chunks() {
    let rig = Rig::new();
    let (chunk, base) = own_chunk(&rig);
    rig.write(base, &[5, 6, 0]);
    succeeds(start(child("processes::child_doubles_a_chunk"), &chunk));
    assert_eq!(rig.read(base, 3), [10, 12, identity()]);
}

#[test]
#[ignore = "started by processes_share_chunks"]
fn child_doubles_a_chunk() {
    let rig = Rig::new();
    let base = parents_chunk(&rig);
    rig.run(double, Grid::linear(1, 2), LaunchKind::Plain, &[base]).unwrap();
    rig.write(base + 16, &[identity()]);
}

const MEMBERS: u64 = 6;
const ROUNDS: u64 = 300;

/// Passes a token round: waits for this member's word to reach each round, then advances the next member's word.
unsafe fn pass_token(args: *const *const c_void) {
    // SAFETY: the test passes two words.
    let (words, me) = unsafe { (arg(args, 0), arg(args, 1)) };
    for round in 1..=ROUNDS {
        while word(words, 8 * me as usize).load(Acquire) < round {
            suspend(Event::Yield);
        }
        let next = (me + 1) % MEMBERS;
        word(words, 8 * next as usize).store(if next == 0 { round + 1 } else { round }, Release);
    }
}

/// Catches polling kernels that keep the processes for which they wait from running: there are more of them than cores
/// here.
#[test]
fn polling_kernels_leave_room_for_each_other() {
    let rig = Rig::new();
    let (chunk, base) = own_chunk(&rig);
    let members: Vec<_> = (0..MEMBERS)
        .map(|me| {
            let mut command = child("processes::child_passes_a_token");
            command.env(NUMBER, me.to_string());
            start(command, &chunk)
        })
        .collect();
    rig.write(base, &[1]);
    members.into_iter().for_each(succeeds);
    assert_eq!(rig.read(base, 1), [ROUNDS + 1]);
}

#[test]
#[ignore = "started by polling_kernels_leave_room_for_each_other"]
fn child_passes_a_token() {
    let rig = Rig::new();
    let me = std::env::var(NUMBER).unwrap().parse().unwrap();
    let base = parents_chunk(&rig);
    rig.run(pass_token, Grid::linear(1, 1), LaunchKind::Plain, &[base, me]).unwrap();
}

unsafe fn nothing(_: *const *const c_void) {}

/// Catches a run that asks for a slow GPU, which would show that tests wait long enough, and does not get it.
#[test]
fn an_operation_starts_as_late_as_a_run_asks_for() {
    let mut command = child("processes::child_starts_late");
    succeeds(command.env("CUSHMEM_TEST_GPU_PACE", "late").spawn().unwrap());
}

#[test]
#[ignore = "started by an_operation_starts_as_late_as_a_run_asks_for"]
fn child_starts_late() {
    let (rig, start) = (Rig::new(), Instant::now());
    rig.run(nothing, Grid::linear(1, 1), LaunchKind::Plain, &[]).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(50));
}
