//! The thread that serves a PE's kernels dies. Nobody would answer the kernels any more, so the job ends.

#[cfg(target_arch = "x86_64")]
mod dead {
    use cushmem_fault_tests::{Job, children, stop_thread, thread};
    use nix::sys::ptrace;
    use nix::unistd::Pid;
    use std::time::Instant;

    /// Sends this one thread to an address at which nothing is mapped, as a debugger could. A signal would go to the
    /// whole process, and the thread blocks signals that programs handle.
    fn crash(thread: Pid) {
        stop_thread(thread);
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
