//! Children that a PE forks: they are not PEs, and what they do with what they inherited does not reach the job.

use cushmem::Shmem;
use cushmem_conformance::{Backend, run_owned};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};

/// Catches a child that leaves the job in its parent's place, or waits for what only its parent is told, or for threads that it does not
/// have.
fn dropping_leaves_the_job_alone(shmem: Shmem) {
    let word = shmem.malloc::<u64>(1).expect("malloc");
    // SAFETY: the child does nothing but what is tested, and ends; no other thread of this process holds a lock for long.
    match unsafe { fork() }.expect("fork") {
        ForkResult::Child => {
            drop(shmem);
            // SAFETY: ends the process without the parent's handlers.
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
