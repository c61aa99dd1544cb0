//! Ends every process below this one.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

/// Sends a signal to a process group whose leader is a child of this process.
pub fn signal_group(leader: Pid, signal: Signal) {
    // The group may have ended already; then the signal is not needed.
    let _ = killpg(leader, signal);
}

/// Kills and reaps all descendants, except the children in `spared` and, while those run, the processes below them.
/// Returns how many children were left when the limit passed.
///
/// Only direct children are killed: no other process can reap them, so their numbers cannot have been reused. This
/// process is a child subreaper, so the children of a killed process become its own, and are killed in the next turn,
/// until none is left. If some have not ended when the limit passes, what is below them is killed too. `each_turn` does
/// work that cannot wait that long.
pub fn sweep(limit: Duration, spared: &[Pid], mut each_turn: impl FnMut()) -> usize {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    loop {
        each_turn();
        let killed = kill_children(&[Pid::this()], spared);
        let left = killed.iter().filter(|child| !has_been_reaped(**child)).count();
        if killed.is_empty() {
            return 0;
        }
        if Instant::now() >= deadline {
            // What those leave behind when they end would not be found. They have been killed and reap no process any
            // more, so the numbers of their children cannot have been reused either.
            let mut all = kill_children(&[Pid::this()], spared);
            loop {
                // What a process leaves behind when it ends becomes a child of one above it, or of this process.
                let below = kill_children(&[&all[..], &[Pid::this()]].concat(), &[&all[..], spared].concat());
                if below.is_empty() {
                    break;
                }
                all.extend(below);
            }
            return left.max(1);
        }
        // The children that ended have left their own children to this process, so the next turn examines them at once.
        if left > 0 {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Kills the direct children of these processes, except those in `spared`, and returns them.
fn kill_children(parents: &[Pid], spared: &[Pid]) -> Vec<Pid> {
    let mut children = children_of(parents);
    children.retain(|child| !spared.contains(child));
    for child in &children {
        let _ = kill(*child, Signal::SIGKILL);
    }
    children
}

/// Reaps the child if it has ended; returns false if it has not.
fn has_been_reaped(child: Pid) -> bool {
    // An error counts as the end: either the child no longer exists, or a real-time signal ended it, which `WaitStatus`
    // cannot express.
    !matches!(waitpid(child, Some(WaitPidFlag::WNOHANG)), Ok(WaitStatus::StillAlive))
}

/// Whether this process has children, zombies included.
pub fn has_children() -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    waitid(Id::All, flags) != Err(Errno::ECHILD)
}

/// The direct children of this process.
pub fn children() -> Vec<Pid> {
    children_of(&[Pid::this()])
}

/// The direct children of these processes, from `/proc/*/stat`.
pub fn children_of(parents: &[Pid]) -> Vec<Pid> {
    let parents: BTreeSet<u32> = parents.iter().map(|pid| pid.as_raw().cast_unsigned()).collect();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| parent_of(*pid).is_some_and(|parent| parents.contains(&parent))).map(Pid::from_raw).collect()
}

/// The parent of a process, if it is visible.
pub fn parent_of(pid: i32) -> Option<u32> {
    stat_field(pid, 1)?.parse().ok()
}

/// Whether a process is stopped, by a signal or a debugger.
pub fn is_stopped(pid: Pid) -> bool {
    stat_field(pid.as_raw(), 0).is_some_and(|state| state == "T" || state == "t")
}

/// A field of `/proc/PID/stat`, counted from the first one after the process's name.
fn stat_field(pid: i32, index: usize) -> Option<String> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // "pid (name) state parent …": the name may contain anything, even parentheses.
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
