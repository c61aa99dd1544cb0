//! The thread that serves a PE's kernels dies. Nobody would answer the kernels any more, so the job ends.

#[cfg(target_arch = "x86_64")]
mod dead {
    use cushmem_fault_tests::{Job, children, eventually};
    use nix::sys::ptrace;
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::Pid;
    use std::fs;
    use std::time::Instant;

    /// Returns the thread with this name.
    fn thread(process: Pid, name: &str) -> Option<Pid> {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?.filter_map(Result::ok);
        let is_it = |task: &fs::DirEntry| fs::read_to_string(task.path().join("comm")).is_ok_and(|c| c.trim() == name);
        let id = tasks.into_iter().find(is_it)?.file_name();
        Some(Pid::from_raw(id.to_str()?.parse().ok()?))
    }

    /// Sends this one thread to an address at which nothing is mapped, as a debugger could. A signal would go to the
    /// whole process, and the thread blocks signals that programs handle.
    fn crash(thread: Pid) {
        ptrace::attach(thread).expect("a test may trace what it started");
        eventually("the thread stops", || {
            let flags = WaitPidFlag::__WALL | WaitPidFlag::WNOHANG;
            let state = waitpid(thread, Some(flags)).expect("the thread is traced");
            matches!(state, WaitStatus::Stopped(..)).then_some(())
        });
        let mut registers = ptrace::getregs(thread).expect("it is stopped");
        registers.rip = 0;
        // The thread must not restart a system call.
        registers.orig_rax = u64::MAX;
        ptrace::setregs(thread, registers).expect("it is stopped");
        ptrace::detach(thread, None).expect("it is traced");
    }

    /// Catches a job that goes on without the thread until its kernels give up.
    #[test]
    fn a_proxy_that_crashes_ends_the_job() {
        let steps = ["init", "malloc_gpu=1000", "sleep"];
        let job = Job::steps(2, &["--timeout", "30"], &steps).env("CUSHMEM_GPU", "soft").start();
        job.wait_for_output("malloc_gpu: ok", 2);
        let pe = *children(job.supervisor()).get(1).expect("PE 1 runs");
        let proxy = thread(pe, "cushmem-proxy").expect("PE 1 serves kernels");
        let start = Instant::now();
        crash(proxy);
        let job = job.finish();
        println!("the job ended {:?} after its proxy", start.elapsed());
        job.expect(128 + 11, &["PE 1 was killed by signal 11 (SIGSEGV)"]);
    }
}
