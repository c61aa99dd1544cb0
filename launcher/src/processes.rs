//! Ending every process below this one.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// Sends a signal to a process group that a child of this process leads.
pub fn signal_group(leader: Pid, signal: Signal) {
    // The group may have ended by now; then the signal is not needed.
    let _ = killpg(leader, signal);
}

/// Kills and reaps all descendants but the children in `spared` and what is below them as long as they run, and returns
/// how many children were left when the limit passed.
///
/// Only direct children are killed: no other process can reap them, so their numbers are theirs. As this process is a
/// child subreaper, the children of those that were killed are its own in the next turn, until none is left.
/// `each_turn` is for what cannot wait until then.
pub fn sweep(limit: Duration, spared: &[Pid], each_turn: impl Fn()) -> usize {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    loop {
        each_turn();
        let mut children = children();
        children.retain(|child| !spared.contains(child));
        for child in &children {
            let _ = kill(*child, Signal::SIGKILL);
        }
        let left = children.iter().filter(|child| !has_been_reaped(**child)).count();
        if children.is_empty() {
            return 0;
        }
        if Instant::now() >= deadline {
            return left.max(1);
        }
        // Those that have ended left their own children to this process, so the next turn looks at once.
        if left > 0 {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Reaps the child if it has ended; false if it has not.
fn has_been_reaped(child: Pid) -> bool {
    // An error counts as the end: the child is not there, or a real-time signal ended it, which `WaitStatus` cannot
    // express.
    !matches!(waitpid(child, Some(WaitPidFlag::WNOHANG)), Ok(WaitStatus::StillAlive))
}

/// The direct children of this process, from `/proc/*/stat`.
pub fn children() -> Vec<Pid> {
    let own = std::process::id();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| parent_of(*pid) == Some(own)).map(Pid::from_raw).collect()
}

/// The parent of a process, if it can be seen.
pub fn parent_of(pid: i32) -> Option<u32> {
    stat_field(pid, 1)?.parse().ok()
}

/// Whether a process is stopped, by a signal or a debugger.
pub fn is_stopped(pid: Pid) -> bool {
    stat_field(pid.as_raw(), 0).is_some_and(|state| state == "T" || state == "t")
}

/// A field of a process's `/proc/PID/stat` after its name.
fn stat_field(pid: i32, index: usize) -> Option<String> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // "pid (name) state parent …": the name may hold anything, even parentheses.
    let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(stat.get(after_name..)?).ok()?;
    rest.split_whitespace().nth(index).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_found_as_ours() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = Pid::from_raw(child.id().cast_signed());
        assert!(children().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children().contains(&pid));
    }
}
