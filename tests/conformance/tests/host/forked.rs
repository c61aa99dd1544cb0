//! Children that a PE forks: they are not PEs, and what they do with what they inherited does not affect the job.

use cushmem::{Grid, Shmem};
use cushmem_conformance::{Backend, expect_status, run_owned};
use cushmem_conformance_kernels as kernels;
use cushmem_gpu::soft::leave_places_for;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// How a child ended; `None` if it did not, and was killed.
fn end_of(child: Pid) -> Option<WaitStatus> {
    let start = Instant::now();
    loop {
        match waitpid(child, Some(WaitPidFlag::WNOHANG)).expect("wait for the child") {
            WaitStatus::StillAlive if start.elapsed() < Duration::from_secs(30) => std::thread::yield_now(),
            WaitStatus::StillAlive => break,
            ended => return Some(ended),
        }
    }
    kill(child, Signal::SIGKILL).expect("kill the child");
    None
}

/// Catches a child that leaves the job in its parent's place, or that waits for something that only its parent is told,
/// or for threads that it does not have.
fn dropping_leaves_the_job_alone(shmem: Shmem) {
    let word = shmem.malloc::<u64>(1).expect("malloc");
    // SAFETY: the child does nothing but what is tested, and ends; no other thread of this process holds a lock for
    // long.
    match unsafe { fork() }.expect("fork") {
        ForkResult::Child => {
            drop(shmem);
            // SAFETY: this ends the process without the parent's exit handlers.
            unsafe { nix::libc::_exit(7) };
        }
        ForkResult::Parent { child } => {
            assert_eq!(waitpid(child, None), Ok(WaitStatus::Exited(child, 7)));
        }
    }
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    shmem.p(word.at(0), u64::from(me) + 1, (me + 1) % n).expect("p");
    shmem.barrier_all().expect("barrier");
    assert_eq!(shmem.g(word.at(0), me).expect("g"), u64::from((me + n - 1) % n) + 1);
}

fn drops(backend: &str) {
    let name = format!("{}::dropping_in_a_child_{backend}", module_path!());
    run_owned(&name, Backend::named(backend), &[1, 3], &[("CUSHMEM_CHECK", "1")], dropping_leaves_the_job_alone);
}

#[test]
fn dropping_in_a_child_host() {
    drops("host");
}

#[test]
fn dropping_in_a_child_soft() {
    drops("soft");
}

#[test]
fn dropping_in_a_child_cuda() {
    drops("cuda");
}

/// Catches a child that waits for commands of its parent's kernels: it has no thread that carries them out, and is not
/// told about them.
fn quiet_in_a_child(shmem: Shmem) {
    let (module, stream) = (shmem.load(&kernels::IMAGE).expect("load"), shmem.stream().expect("stream"));
    let counts = shmem.malloc::<u64>(1).expect("malloc");
    counts.copy_from(&[0]).expect("write");
    let report = shmem.device_alloc::<u64>(2).expect("device_alloc");
    let (mut told, mut tell) = std::io::pipe().expect("a pipe");
    // SAFETY: the child does nothing but what is tested, and ends; no other thread of this process holds a lock for
    // long.
    match unsafe { fork() }.expect("fork") {
        ForkResult::Child => {
            let heard = told.read_exact(&mut [0]);
            let quiet = shmem.quiet();
            // SAFETY: this ends the process without the parent's exit handlers.
            unsafe { nix::libc::_exit(if heard.is_ok() && quiet.is_ok() { 7 } else { 8 }) };
        }
        ForkResult::Parent { child } => {
            let args = (counts.device_ptr(), 0, 3, shmem.my_pe(), report.device_ptr());
            // SAFETY: the single lane has a word of both until the stream has been waited for.
            unsafe { stream.launch(&module, kernels::quiet_for_commands, Grid::linear(1, 1), args) }.expect("launch");
            stream.synchronize().expect("the kernel ends");
            tell.write_all(&[0]).expect("write to the child");
            assert_eq!(end_of(child), Some(WaitStatus::Exited(child, 7)), "the child's quiet");
        }
    }
    shmem.quiet().expect("quiet");
    assert_eq!(counts.to_vec().expect("read"), [3]);
    shmem.barrier_all().expect("barrier");
}

#[test]
fn quiet_in_a_child_soft() {
    let name = format!("{}::quiet_in_a_child_soft", module_path!());
    run_owned(&name, Backend::named("soft"), &[1, 2], &[], quiet_in_a_child);
}

/// Catches a child whose put or atomic operation becomes a command of the GPU agent: it shares the commands with its
/// parent, but counts them on its own, so it overwrites one that its parent has posted since the fork. That one is an
/// atomic operation, which would be lost; it waits for a place on the GPU until the child has ended.
fn commands_of_a_child(shmem: Shmem) {
    let (module, stream) = (shmem.load(&kernels::IMAGE).expect("load"), shmem.stream().expect("stream"));
    // How many kernels run, the word that ends them, and what the child puts.
    let on_host = shmem.malloc::<u64>(3).expect("malloc");
    on_host.copy_from(&[0, 0, 9]).expect("write");
    let words = shmem.malloc_gpu::<u64>(2).expect("malloc_gpu");
    words.copy_from(&[0; 2]).expect("write");
    let (me, [running, end]) = (shmem.my_pe(), [on_host.slice(..1), on_host.slice(1..2)]);
    let (mut told, mut tell) = std::io::pipe().expect("a pipe");
    // SAFETY: the child does nothing but what is tested, and ends; no other thread of this process holds a lock for
    // long.
    match unsafe { fork() }.expect("fork") {
        ForkResult::Child => {
            let heard = told.read_exact(&mut [0]);
            let put = shmem.put_nbi(words.slice(1..), on_host.slice(2..), me);
            if heard.is_ok() && put.is_ok() {
                // No other way than the agent's: the library ends the child.
                let _ = shmem.fetch_add(words.at(0), 1, me);
            }
            // SAFETY: this ends the process without the parent's exit handlers.
            unsafe { nix::libc::_exit(8) };
        }
        ForkResult::Parent { child } => {
            leave_places_for(1);
            let args = (running.device_ptr(), end.device_ptr(), 60_000_000_000);
            // SAFETY: the kernel has a word of both until the stream has been waited for.
            unsafe { stream.launch(&module, kernels::occupy, Grid::linear(1, 1), args) }.expect("launch");
            while running.to_vec().expect("read") != [1] {
                assert!(!stream.is_idle().expect("the kernel runs"), "the kernel has ended at its limit");
            }
            std::thread::scope(|scope| {
                let adding = scope.spawn(|| shmem.fetch_add(words.at(0), 5, me).expect("fetch_add"));
                expect_status(&[&format!("PE {me}: atomic operation on GPU memory, by the GPU agent")]);
                tell.write_all(&[0]).expect("write to the child");
                let ended = end_of(child);
                end.copy_from(&[1]).expect("write");
                assert_eq!(adding.join().expect("no panic"), 0);
                assert_eq!(ended, Some(WaitStatus::Exited(child, 134)), "the child's commands");
            });
            leave_places_for(u32::MAX);
        }
    }
    assert_eq!(shmem.g(words.at(0), me).expect("g"), 5);
    shmem.barrier_all().expect("barrier");
}

#[test]
fn commands_of_a_child_soft() {
    let name = format!("{}::commands_of_a_child_soft", module_path!());
    run_owned(&name, Backend::named("soft"), &[1, 2], &[("CUSHMEM_PATH", "gpu-agent")], commands_of_a_child);
}
