//! Limits of other processes.

use nix::unistd::Pid;

/// Sets a process's limit on open files. Returns the previous limit.
pub fn limit_open_files(pid: Pid, files: u64) -> u64 {
    let mut before = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call writes the limits to a variable that outlives it.
    let asked = unsafe { libc::prlimit(pid.as_raw(), libc::RLIMIT_NOFILE, std::ptr::null(), &raw mut before) };
    let limit = libc::rlimit { rlim_cur: files, ..before };
    // SAFETY: the call reads the limit from a variable that outlives it.
    let set = unsafe { libc::prlimit(pid.as_raw(), libc::RLIMIT_NOFILE, &raw const limit, std::ptr::null_mut()) };
    assert_eq!((asked, set), (0, 0), "the limits of process {pid}");
    before.rlim_cur
}

/// From now on, the process cannot open anything. Returns its previous limit.
pub fn leave_no_descriptor(pid: Pid) -> u64 {
    let is_free = |number: &u64| !std::path::Path::new(&format!("/proc/{pid}/fd/{number}")).exists();
    limit_open_files(pid, (0..).find(is_free).expect("a number is free"))
}
