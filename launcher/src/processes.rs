//! Ends every process below this one.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};

/// Sends a signal to a process group whose leader is a child of this process.
pub fn signal_group(leader: Pid, signal: Signal) {
    // The group may have ended already; then the signal is not needed.
    let _ = killpg(leader, signal);
}

/// Kills and reaps all descendants, except the children in `spared` and, while those run, the processes below them.
/// Returns how many children were left when the limit passed.
///
/// Only direct children are killed. This process is a child subreaper, so the children of a killed process become its
/// own, and are killed in the next turn, until none is left. If some have not ended when the limit passes, what is
/// below them is killed too. `each_turn` does work that cannot wait that long.
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
            // What those leave behind when they end would not be found.
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
    children.iter().for_each(|child| kill_child(*child, parents));
    children
}

/// Kills a process that was a child of one of these processes when somebody looked. Since then it may have ended, and
/// another process may have its number. So it is killed by a descriptor, which keeps standing for the same process, if
/// the number still belongs to a child of theirs once there is the descriptor: then the descriptor stands for that
/// child, or for a process that has ended.
///
/// Linux before 5.3 has no such descriptors, and this process may have no descriptor left. Then the number alone is
/// used. It still belongs to the child: this process reaps its own children only after they were killed, and the other
/// parents have been killed, and reap no child any more.
fn kill_child(child: Pid, parents: &[Pid]) {
    let Some(number) = rustix::process::Pid::from_raw(child.as_raw()) else { return };
    // An error of `kill` means that the process has ended.
    match pidfd_open(number, PidfdFlags::empty()) {
        Ok(descriptor) if is_child_of(child, parents) => {
            let _ = pidfd_send_signal(&descriptor, rustix::process::Signal::KILL);
        }
        Ok(_) | Err(rustix::io::Errno::SRCH) => {}
        Err(_) => drop(kill(child, Signal::SIGKILL)),
    }
}

fn is_child_of(pid: Pid, parents: &[Pid]) -> bool {
    parent_of(pid.as_raw()).is_some_and(|parent| parents.iter().any(|pid| pid.as_raw().cast_unsigned() == parent))
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

    /// Catches the death of a process that has come to have the number of a child, or has another parent by now.
    #[test]
    fn only_children_of_the_parents_are_killed() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = Pid::from_raw(child.id().cast_signed());
        kill_child(pid, &[Pid::from_raw(1)]);
        assert!(is_child_of(pid, &[Pid::this()]) && child.try_wait().unwrap().is_none());
        kill_child(pid, &[Pid::from_raw(1), Pid::this()]);
        assert_eq!(child.wait().unwrap().to_string(), "signal: 9 (SIGKILL)");
        // Its number belongs to nobody now, or to a process that is not a child of this one.
        kill_child(pid, &[Pid::this()]);
    }
}
