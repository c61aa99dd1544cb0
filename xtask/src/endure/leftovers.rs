//! What a step has left behind on the machine: processes, files and sockets.
//!
//! The processes of a step have a mark in their environment, and the step's folder is their working directory and their
//! folder for temporary files. A process that changed one of the two is still found by the other.

use crate::machine::is_root;
use crate::process::output_of;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The environment variable that holds the mark.
pub const MARK: &str = "ENDURE_STEP";
/// Where the operating system shows shared memory files.
pub const SHARED_MEMORY: &str = "/dev/shm";
/// How long leftovers may take to disappear at most: usually milliseconds, but longer on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(40);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What existed before a step.
pub struct Before {
    /// `ENDURE_STEP=…`
    mark: String,
    folder: PathBuf,
    shared_memory: PathBuf,
    files: BTreeSet<String>,
    sockets: BTreeSet<u64>,
    on_gpus: Option<OnGpus>,
}

/// The lines that `nvidia-smi` prints about processes on GPUs.
pub type OnGpus = BTreeSet<String>;

impl Before {
    /// Looks at the machine; `folder` is the step's own. The processes on the GPUs are queried once for all steps,
    /// because the query takes a while. `on_gpus` is `None` if no step uses GPUs.
    pub fn look(mark: &str, folder: &Path, shared_memory: &Path, on_gpus: Option<OnGpus>) -> Self {
        Self {
            mark: format!("{MARK}={mark}"),
            folder: folder.into(),
            shared_memory: shared_memory.into(),
            files: names(shared_memory),
            sockets: sockets(&socket_table()),
            on_gpus,
        }
    }

    /// The processes of the step, except those that have ended but were not waited for.
    pub fn processes(&self) -> Vec<u32> {
        let of_step = |pid: &u32| {
            let has_mark = environment(*pid).split('\0').any(|variable| variable == self.mark);
            let is_there = || fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd.starts_with(&self.folder));
            has_mark || is_there()
        };
        all_processes().filter(of_step).collect()
    }

    /// Describes what is left, unless it disappears within the limit.
    pub fn left(&self, limit: Duration) -> Vec<String> {
        let deadline = Instant::now() + limit;
        let mut orphans: Option<BTreeSet<u64>> = None;
        loop {
            let mut left = self.processes().into_iter().map(describe).collect::<Vec<_>>();
            // Other programs have sockets, too. A socket counts as left behind if no process holds it in any of the
            // checks.
            if left.is_empty() {
                let now = self.orphaned_sockets();
                let still = orphans.map_or_else(|| now.clone(), |earlier| &earlier & &now);
                left.extend(still.iter().map(|inode| format!("socket {inode}, which no process has open")));
                orphans = Some(still);
            }
            left.extend(names(&self.folder).into_iter().map(|name| format!("temporary file {name}")));
            let of_library = |name: &String| name.contains("shmem") || name.contains("fault-");
            let files: BTreeSet<_> = &names(&self.shared_memory) - &self.files;
            left.extend(files.into_iter().filter(of_library).map(|name| format!("shared memory {name}")));
            left.extend(dead_launchers(&socket_table(), exists).map(|name| format!("socket {name}")));
            if let (true, Some(before)) = (left.is_empty(), &self.on_gpus) {
                left.extend((&on_gpus() - before).into_iter().map(|line| format!("process on a GPU: {line}")));
            }
            if left.is_empty() || Instant::now() >= deadline {
                return left;
            }
            sleep(LOOK_EVERY);
        }
    }

    /// Kills the processes that are left.
    pub fn kill(&self) {
        while let pids @ [_, ..] = &*self.processes() {
            signal("KILL", pids);
            sleep(LOOK_EVERY);
        }
    }

    fn orphaned_sockets(&self) -> BTreeSet<u64> {
        // An ordinary user does not see which sockets the processes of others hold: theirs would look left behind.
        if !is_root() {
            return BTreeSet::new();
        }
        let mut new = &sockets(&socket_table()) - &self.sockets;
        if !new.is_empty() {
            for inode in all_processes().flat_map(held_sockets) {
                new.remove(&inode);
            }
        }
        new
    }
}

/// Sends a signal to these processes, if they still exist. It uses the shell, which every machine has.
pub fn signal(name: &str, pids: &[u32]) {
    let line = pids.iter().fold(format!("kill -{name}"), |line, pid| format!("{line} {pid}"));
    // It fails if a process has ended by itself.
    let _ = Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status();
}

/// The environment with which a process was started; empty if it has ended.
pub fn environment(pid: u32) -> String {
    text(pid, "environ")
}

/// The name of a process.
pub fn name(pid: u32) -> String {
    text(pid, "comm").trim_end().to_owned()
}

/// A file of a process in `/proc`; empty if the process has ended.
pub fn text(pid: u32, file: &str) -> String {
    let bytes = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn exists(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

fn describe(pid: u32) -> String {
    format!("process {pid} ({})", text(pid, "cmdline").replace('\0', " ").trim_end())
}

fn all_processes() -> impl Iterator<Item = u32> {
    names(Path::new("/proc")).into_iter().filter_map(|name| name.parse().ok())
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn socket_table() -> String {
    fs::read_to_string("/proc/net/unix").unwrap_or_default()
}

/// Inodes of all SOCK_SEQPACKET Unix sockets, which `shmemrun` and its PEs use. One that nobody has accepted yet has
/// the number 0, and counts with the socket that listens.
fn sockets(table: &str) -> BTreeSet<u64> {
    const SEQPACKET: &str = "0005";
    let rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| row.get(4) == Some(&SEQPACKET))
        .filter_map(|row| row.get(6)?.parse().ok())
        .filter(|inode| *inode != 0)
        .collect()
}

fn held_sockets(pid: u32) -> impl Iterator<Item = u64> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let inode = |link: PathBuf| link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok();
    entries.filter_map(move |entry| inode(fs::read_link(entry.path()).ok()?))
}

/// The names of sockets for `shmemrun --status` whose launcher no longer runs. The launcher's process ID is part of the
/// name.
fn dead_launchers(table: &str, is_alive: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let names = table.lines().filter_map(|line| Some(line.split_once(" @")?.1).filter(|n| n.starts_with("cushmem/")));
    names.filter(move |name| name.split('/').nth(2).is_some_and(|pid| !is_alive(pid)))
}

/// The processes on the GPUs now; none without `nvidia-smi`.
pub fn on_gpus() -> OnGpus {
    let mut ask = Command::new("nvidia-smi");
    let said = output_of(ask.args(["--query-compute-apps=pid,name", "--format=csv,noheader"]));
    said.unwrap_or_default().lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;

    /// A folder for a step, another one for its shared memory, and what existed before.
    fn planted(test: &str) -> (Before, Folder) {
        let folder = Folder::new(test).expect("room for a folder");
        let (own, shared) = (folder.join("own"), folder.join("shared"));
        fs::create_dir_all(&own).and_then(|()| fs::create_dir_all(&shared)).expect("room for folders");
        fs::write(shared.join("shmem-old"), "").expect("room for a file");
        (Before::look(&format!("{test}-{}", std::process::id()), &own, &shared, None), folder)
    }

    /// A process that starts another one, such as another test, has sockets that look left behind until it has closed
    /// them.
    const SOME_LOOKS: Duration = Duration::from_millis(500);

    #[test]
    fn files_that_are_new_are_found() {
        let (before, folder) = planted("files");
        assert_eq!(before.left(LIMIT), [""; 0]);
        fs::write(folder.join("own/core"), "").expect("room for a file");
        assert_eq!(before.left(SOME_LOOKS), ["temporary file core"]);
        fs::rename(folder.join("own/core"), folder.join("shared/cushmem-heap")).expect("room for a file");
        fs::write(folder.join("shared/of-another-program"), "").expect("room for a file");
        assert_eq!(before.left(SOME_LOOKS), ["shared memory cushmem-heap"]);
    }

    /// Catches a process that is missed because it has lost the mark or has changed its working directory.
    #[test]
    fn processes_are_found_by_mark_and_by_folder_until_they_have_ended() {
        let (before, folder) = planted("processes");
        let mut sleeper = Command::new("sleep");
        let mark = before.mark.split_once('=').expect("a variable").1.to_owned();
        let mut marked = sleeper.arg("100").env(MARK, &mark).spawn().expect("sleep starts");
        let mut there = sleeper.env_clear().current_dir(folder.join("own")).spawn().expect("sleep starts");
        let expected: BTreeSet<_> = [&marked, &there].map(|child| format!("process {} (sleep 100)", child.id())).into();
        // The children are copies of this process until they execute the program.
        let (start, mut left) = (Instant::now(), BTreeSet::new());
        while left != expected {
            assert!(start.elapsed() < LIMIT, "{left:?} instead of {expected:?}");
            left = before.left(Duration::ZERO).into_iter().collect();
        }
        before.kill();
        // The children have ended, but have not been waited for.
        assert_eq!(before.left(LIMIT), [""; 0]);
        assert!(!marked.wait().expect("our child").success() && !there.wait().expect("our child").success());
    }

    #[test]
    fn sockets_are_read_from_the_table() {
        let row = "0: 00000002 00000000 00010000 0005 01";
        let table = format!(
            "Num RefCount Protocol Flags Type St Inode Path\n{row} 7 @cushmem/0/71/ab\n{row} 8\n{row} 9 @cushmem/0/72/ab\n{row} 0 @cushmem/0/72/ab\n\
                             0: 00000002 00000000 00010000 0001 01 10 /run/x\n"
        );
        assert_eq!(sockets(&table), [7, 8, 9].into());
        assert_eq!(dead_launchers(&table, |pid| pid == "72").collect::<Vec<_>>(), ["cushmem/0/71/ab"]);
    }
}
