//! Finds what a job has left on the machine: processes and sockets. Memory has no name, so it vanishes with the
//! processes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// How long leftovers may take to vanish: usually milliseconds, but longer on a busy machine. Tests print how long it
/// took; `cargo xtask endure --kills` judges it.
const LIMIT: Duration = Duration::from_secs(20);

/// What existed before a job.
#[derive(Debug)]
pub struct Before {
    /// `None` for an ordinary user, who does not see which sockets the processes of other users hold: theirs would look
    /// like leftovers.
    sockets: Option<BTreeSet<u64>>,
}

/// The names of sockets for `shmemrun --status` whose launcher, which is part of the name, is no longer running.
fn status_sockets_without_a_launcher() -> Vec<String> {
    let table = std::fs::read_to_string("/proc/net/unix").expect("the kernel lists Unix sockets");
    let names = table.lines().filter_map(|line| line.split_once(" @cushmem/").map(|(_, name)| name.to_string()));
    let is_dead = |name: &String| {
        let pid = name.split('/').nth(1).expect("the name has the process");
        !std::path::Path::new("/proc").join(pid).exists()
    };
    names.filter(is_dead).collect()
}

impl Before {
    /// Records what exists now.
    pub fn look() -> Before {
        if !nix::unistd::getuid().is_root() {
            xtask::left_out::record("sockets left behind", "only root sees which processes hold them");
            return Before { sockets: None };
        }
        Before { sockets: Some(seqpacket_sockets()) }
    }

    /// Fails if something of the job with this mark exists and does not vanish.
    pub fn expect_nothing_left(&self, mark: &str, context: &str) {
        let start = Instant::now();
        let mut sockets: Option<BTreeSet<u64>> = None;
        loop {
            let processes = pids_with_mark(mark);
            // Other tests and programs have sockets too. A socket is a leftover if no process holds it at any of the
            // looks.
            let orphans: BTreeSet<u64> = if processes.is_empty() { self.orphaned_sockets() } else { BTreeSet::new() };
            let orphans = sockets.map_or_else(|| orphans.clone(), |earlier| &earlier & &orphans);
            let names = status_sockets_without_a_launcher();
            if processes.is_empty() && orphans.is_empty() && names.is_empty() {
                println!("{context}: nothing was left after {:.1?}", start.elapsed());
                return;
            }
            if start.elapsed() >= LIMIT {
                let processes: Vec<_> = processes.into_iter().map(|pid| (pid, command_line(pid.as_raw()))).collect();
                for (pid, _) in &processes {
                    let _ = kill(*pid, Signal::SIGKILL);
                }
                panic!("{context}: left behind: processes {processes:?}, sockets {orphans:?}, names {names:?}");
            }
            sockets = processes.is_empty().then_some(orphans);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn orphaned_sockets(&self) -> BTreeSet<u64> {
        let Some(before) = &self.sockets else { return BTreeSet::new() };
        let mut new: BTreeSet<u64> = &seqpacket_sockets() - before;
        if !new.is_empty() {
            for inode in held_sockets() {
                new.remove(&inode);
            }
        }
        new
    }
}

/// The processes, other than zombies, that have the mark as an argument, or as a part of a path that is one.
///
/// # Panics
/// If the mark is empty, which many processes have as an argument.
pub fn pids_with_mark(mark: &str) -> Vec<Pid> {
    assert!(!mark.is_empty(), "only jobs of `Job::steps` and `Job::program` have a mark");
    let marked = |pid: &i32| command_line(*pid).split(['\0', '/']).any(|part| part == mark);
    all_pids().filter(marked).map(Pid::from_raw).collect()
}

/// The state of a process, as the operating system's letter: `T` if it is stopped.
pub fn state(pid: Pid) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The state follows the program's name, which is in parentheses.
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Whether a process has been sent a signal that it has not taken.
pub fn is_pending(pid: Pid, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("ShdPnd:")).map(str::trim);
    mask.is_some_and(|mask| u64::from_str_radix(mask, 16).expect("a mask") & (1 << (signal as u32 - 1)) != 0)
}

fn all_pids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn command_line(pid: i32) -> String {
    std::fs::read(format!("/proc/{pid}/cmdline"))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}

/// Inodes of all SOCK_SEQPACKET Unix sockets.
fn seqpacket_sockets() -> BTreeSet<u64> {
    const SEQPACKET: &str = "0005";
    let table = std::fs::read_to_string("/proc/net/unix").expect("the kernel lists Unix sockets");
    let rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let inodes = rows.filter(|row| row.get(4) == Some(&SEQPACKET)).filter_map(|row| row.get(6)?.parse().ok());
    // One that nobody has accepted yet has the number 0.
    inodes.filter(|inode| *inode != 0).collect()
}

/// Inodes of the sockets that some process holds.
fn held_sockets() -> Vec<u64> {
    let folders = all_pids().filter_map(|pid| std::fs::read_dir(format!("/proc/{pid}/fd")).ok());
    let targets = folders.flatten().flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
    targets.filter_map(|target| target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()).collect()
}
