//! Single threads of a job's processes.

use crate::eventually;
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::fs;

/// The threads of a process; none if it has ended.
fn threads(process: Pid) -> impl Iterator<Item = Pid> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().filter_map(Result::ok);
    tasks.filter_map(|task| Some(Pid::from_raw(task.file_name().to_str()?.parse().ok()?)))
}

/// Returns the thread of a process with this name.
pub fn thread(process: Pid, name: &str) -> Option<Pid> {
    let comm = |thread: Pid| fs::read_to_string(format!("/proc/{process}/task/{thread}/comm"));
    threads(process).find(|thread| comm(*thread).is_ok_and(|comm| comm.trim() == name))
}

/// Returns the threads of a process but for its main thread, whose state counts as that of the process.
pub fn other_threads(process: Pid) -> Vec<Pid> {
    threads(process).filter(|thread| *thread != process).collect()
}

/// Stops this one thread, as a debugger does, until [`let_go`] or `ptrace::detach`. A signal would stop the whole
/// process.
pub fn stop_thread(thread: Pid) {
    ptrace::attach(thread).expect("a test may trace what it started");
    eventually("the thread stops", || {
        let flags = WaitPidFlag::__WALL | WaitPidFlag::WNOHANG;
        let state = waitpid(thread, Some(flags)).expect("the thread is traced");
        matches!(state, WaitStatus::Stopped(..)).then_some(())
    });
}

/// Lets a thread go on that was stopped. If it was killed in the meantime, its process ends only with this.
pub fn let_go(thread: Pid) {
    if ptrace::detach(thread, None).is_err() {
        waitpid(thread, Some(WaitPidFlag::__WALL)).expect("it was killed, and this process traces it");
    }
}
