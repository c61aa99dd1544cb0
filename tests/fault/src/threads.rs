//! Single threads of a job's processes.

use crate::eventually;
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::fs;

/// Returns the thread of a process with this name.
pub fn thread(process: Pid, name: &str) -> Option<Pid> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?.filter_map(Result::ok);
    let is_it = |task: &fs::DirEntry| fs::read_to_string(task.path().join("comm")).is_ok_and(|c| c.trim() == name);
    let id = tasks.into_iter().find(is_it)?.file_name();
    Some(Pid::from_raw(id.to_str()?.parse().ok()?))
}

/// Stops this one thread, as a debugger does, until `ptrace::detach`. A signal would stop the whole process.
pub fn stop_thread(thread: Pid) {
    ptrace::attach(thread).expect("a test may trace what it started");
    eventually("the thread stops", || {
        let flags = WaitPidFlag::__WALL | WaitPidFlag::WNOHANG;
        let state = waitpid(thread, Some(flags)).expect("the thread is traced");
        matches!(state, WaitStatus::Stopped(..)).then_some(())
    });
}
