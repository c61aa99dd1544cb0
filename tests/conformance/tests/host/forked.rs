//! Children that a PE forks: they are not PEs, and what they do with what they inherited does not affect the job.

use cushmem::raw::Completion;
use cushmem::{Cmp, ContextOptions, Grid, Operation, PeSet, Shmem, SignalOp};
use cushmem_conformance::{Backend, expect_status, run_owned};
use cushmem_conformance_kernels as kernels;
use cushmem_gpu::soft::leave_places_for;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use xtask::launch::is_on_hosts;
use xtask::left_out::record;

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
    let words = shmem.malloc_gpu::<u64>(2).expect("malloc_gpu");
    words.copy_from(&[0; 2]).expect("write");
    let (me, [running, end]) = (shmem.my_pe(), [on_host.slice(..1), on_host.slice(1..2)]);
    let put = || shmem.put_nbi(words.slice(1..), on_host.slice(2..), me);
    let add = || shmem.fetch_add(words.at(0), 1, me).map(drop);
    for (round, call) in [&put as &dyn Fn() -> cushmem::Result<()>, &add].into_iter().enumerate() {
        on_host.copy_from(&[0, 0, 9]).expect("write");
        let (mut told, mut tell) = std::io::pipe().expect("a pipe");
        // SAFETY: the child does nothing but what is tested, and ends; no other thread of this process holds a lock for
        // long.
        match unsafe { fork() }.expect("fork") {
            ForkResult::Child => {
                if told.read_exact(&mut [0]).is_ok() {
                    // The library ends the child.
                    let _ = call();
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
                    assert_eq!(adding.join().expect("no panic"), 5 * round as u64);
                    assert_eq!(ended, Some(WaitStatus::Exited(child, 134)), "the child's commands");
                });
                stream.synchronize().expect("the kernel ends");
                leave_places_for(u32::MAX);
            }
        }
    }
    assert_eq!(shmem.g(words.at(0), me).expect("g"), 10);
    shmem.barrier_all().expect("barrier");
}

#[test]
fn commands_of_a_child_soft() {
    if is_on_hosts() {
        let why = "a PE of a job on several hosts is not told that its command is posted";
        return record("conformance::commands_of_a_child_soft", why);
    }
    let name = format!("{}::commands_of_a_child_soft", module_path!());
    run_owned(&name, Backend::named("soft"), &[1, 2], &[("CUSHMEM_PATH", "gpu-agent")], commands_of_a_child);
}

/// How a child ends that makes this call, and what it says on its standard error. `None` if it does not end.
fn said_by_child(call: impl FnOnce() -> cushmem::Result<()>) -> (Option<WaitStatus>, String) {
    let (mut told, tell) = std::io::pipe().expect("a pipe");
    // SAFETY: the child does nothing but what is tested, and ends; no other thread of this process holds a lock for
    // long.
    match unsafe { fork() }.expect("fork") {
        ForkResult::Child => {
            let status = nix::unistd::dup2_stderr(&tell).map_or(9, |()| match call() {
                Ok(()) => 7,
                Err(error) => {
                    let _ = nix::unistd::write(&tell, format!("{error}\n").as_bytes());
                    8
                }
            });
            // SAFETY: this ends the process without the parent's exit handlers.
            unsafe { nix::libc::_exit(status) };
        }
        ForkResult::Parent { child } => {
            drop(tell);
            let (ended, mut said) = (end_of(child), String::new());
            told.read_to_string(&mut said).expect("read what the child says");
            (ended, said)
        }
    }
}

/// Catches a child that waits for ever for the threads of its parent's GPU, or whose operation on GPU memory is lost.
fn gpu_memory_in_a_child(shmem: Shmem) {
    let (module, stream) = (shmem.load(&kernels::IMAGE).expect("load"), shmem.stream().expect("stream"));
    let (me, other) = (shmem.my_pe(), (shmem.my_pe() + 1) % shmem.n_pes());
    let on_gpu = shmem.malloc_gpu::<u64>(1 << 17).expect("malloc_gpu");
    let here = shmem.malloc::<u64>(1 << 17).expect("malloc");
    here.copy_from(&vec![7; 1 << 17]).expect("write");
    let (word, private) = (on_gpu.at(0), shmem.device_alloc::<u64>(8).expect("device_alloc"));
    let context = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context");
    let put = shmem.prepare(Operation::put(on_gpu, here, me).expect("describe")).expect("prepare");
    let trigger = shmem.trigger(Operation::put(on_gpu, here, me).expect("describe"), 1).expect("trigger");
    let event = stream.record().expect("record");
    // The lanes that the child inherits.
    shmem.put(on_gpu, here, other).expect("put");
    shmem.barrier_all().expect("barrier");
    let eight = |address: u64| std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    let calls: [(&str, &dyn Fn() -> cushmem::Result<()>); 22] = [
        ("put", &|| shmem.put(on_gpu, here, me)),
        ("put to another PE", &|| shmem.put(on_gpu, here, other)),
        ("short put", &|| shmem.put(on_gpu.slice(..1), here.slice(..1), other)),
        ("put of pageable memory", &|| shmem.put(on_gpu, &vec![1; 1 << 17], other)),
        ("put_nbi", &|| shmem.put_nbi(on_gpu, here, me).and_then(|()| shmem.quiet())),
        ("get", &|| shmem.get(&mut vec![0; 1 << 17], on_gpu, me)),
        ("short get", &|| shmem.get(&mut [0], on_gpu.slice(..1), other)),
        ("put from the GPU", &|| shmem.put(here, on_gpu, other)),
        ("p", &|| shmem.p(word, 1, me)),
        ("g", &|| shmem.g(word, other).map(drop)),
        ("fetch_add", &|| shmem.fetch_add(word, 1, me).map(drop)),
        ("put_signal", &|| shmem.put_signal(on_gpu, here, word, 1, SignalOp::Set, me)),
        ("wait_until", &|| shmem.wait_until(word, Cmp::Eq, 7).map(drop)),
        ("a context's get", &|| {
            let raw = shmem.raw().on(&context);
            let mut seen = 0u64;
            // SAFETY: both ends have 8 bytes.
            unsafe { raw.get((&raw mut seen).cast(), eight(word.device_ptr().address()), 8, me, Completion::Blocking) }
                .expect("the arguments are right");
            Ok(())
        }),
        ("copy_from", &|| private.copy_from(&[1; 8])),
        ("device_alloc", &|| shmem.device_alloc::<u64>(8).map(drop)),
        ("stream", &|| shmem.stream().map(drop)),
        ("launch", &|| {
            let args = (here.device_ptr(), 0, 3, me, private.device_ptr());
            // SAFETY: the single lane has a word of both until the stream has been waited for.
            unsafe { stream.launch(&module, kernels::quiet_for_commands, Grid::linear(1, 1), args) }?;
            stream.synchronize()
        }),
        ("synchronize", &|| stream.synchronize()),
        ("an event", &|| event.elapsed_ms(&event).map(drop)),
        ("post of a prepared operation", &|| stream.post(&put).and_then(|()| stream.synchronize())),
        ("arm", &|| trigger.arm().and_then(|()| shmem.quiet())),
    ];
    for (name, call) in calls {
        let (ended, said) = said_by_child(call);
        let is_right = matches!(ended, Some(WaitStatus::Exited(_, 8 | 134)));
        assert!(
            is_right && said.lines().count() == 1 && said.contains(": a forked child "),
            "{name}: {ended:?}: {said}"
        );
    }
    // Neither is what the parent does affected, nor what a child does without a GPU.
    let (ended, said) = said_by_child(|| shmem.put(here.slice(..1), &[9], me).and_then(|()| shmem.quiet()));
    assert_eq!((ended, &*said), (ended.filter(|e| matches!(e, WaitStatus::Exited(_, 7))), ""), "a put to host memory");
    shmem.barrier_all().expect("barrier");
    assert_eq!(here.to_vec().expect("read")[..2], [9, 7]);
    assert!(on_gpu.to_vec().expect("read").iter().all(|seen| *seen == 7), "words of GPU memory have changed");
    shmem.barrier_all().expect("barrier");
}

#[test]
fn gpu_memory_in_a_child_soft() {
    let name = format!("{}::gpu_memory_in_a_child_soft", module_path!());
    run_owned(&name, Backend::named("soft"), &[1, 2], &[], gpu_memory_in_a_child);
}
