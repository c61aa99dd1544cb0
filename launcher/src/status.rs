//! `shmemrun --status`: asks a running job what its PEs are waiting in, or lists the user's jobs.

use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use cushmem_command_line::{print, printable};
use nix::errno::Errno;
use nix::sys::socket::{
    self, AddressFamily, SockFlag, SockType, UnixAddr, UnixCredentials, getsockopt, socket, sockopt,
};
use nix::unistd::{Pid, getuid};

use crate::processes::{children_of, is_stopped, parent_of};

/// The first line of an answer that is not a refusal.
pub const GRANTED: &str = "cushmem status";
/// The longest answer: 1 KiB for each of 65,536 PEs.
const MOST_BYTES: usize = 1 << 26;
/// How long the supervisor may take to answer. It waits for its PEs for at most half a second.
const LIMIT: Duration = Duration::from_secs(10);
/// How long to retry connecting to sockets whose queue is full.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);
const RETRY: Duration = Duration::from_millis(10);
/// Why a job has not answered, if its socket has closed.
const ENDED: &str = "it has just ended";
const PREFIX: &str = "cushmem/";

/// The name of a job's socket: `cushmem/UID/PID/JOB`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The user who started the job.
    pub uid: u32,
    /// The `shmemrun` that the user started.
    pub pid: i32,
    /// The job's identifier.
    pub job_id: String,
}

impl Name {
    /// The name as text.
    pub fn text(&self) -> String {
        let Name { uid, pid, job_id } = self;
        format!("{PREFIX}{uid}/{pid}/{job_id}")
    }

    fn parse(text: &str) -> Option<Name> {
        let mut parts = text.strip_prefix(PREFIX)?.split('/');
        let (uid, pid, job_id) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
        let is_id = !job_id.is_empty() && job_id.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_id && parts.next().is_none()).then(|| Name { uid, pid, job_id: job_id.into() })
    }
}

/// Prints what the PEs of `job` are waiting in. Without a `job`, lists the user's jobs.
pub fn run(job: Option<&str>) -> Result<u8, String> {
    let table = std::fs::read("/proc/net/unix").map_err(|error| format!("list sockets: {error}"))?;
    let names = jobs(&table);
    let Some(wanted) = job else {
        let jobs = connect(names.into_iter().filter(|name| name.uid == getuid().as_raw())).believed;
        if jobs.is_empty() {
            eprintln!("shmemrun: no job of yours runs on this machine");
        }
        for (Name { pid, job_id, .. }, ..) in jobs {
            print(format!("{pid} {job_id} {}\n", printable(&command_of(pid))))?;
        }
        return Ok(0);
    };
    let is_meant =
        |name: &Name| Ok(name.pid) == wanted.parse() || !wanted.is_empty() && name.job_id.starts_with(wanted);
    let Jobs { mut believed, not_believed, full } = connect(names.into_iter().filter(is_meant));
    if let (true, Some(name)) = (believed.is_empty(), full.first()) {
        return Err(about(name, "shmemrun does not accept connections: its supervisor is stopped or very busy".into()));
    }
    let names: Vec<&Name> = believed.iter().map(|(name, ..)| name).collect();
    let chosen = choose(&names, wanted).map_err(|why| match not_believed.as_slice() {
        [] => why,
        [user, ..] => format!("{why}; a process of user {user} uses the name of such a job and was ignored"),
    })?;
    let (name, stream, supervisor) = believed.swap_remove(chosen);
    for line in ask(&name, stream, supervisor)?.lines() {
        print(format!("{}\n", printable(line)))?;
    }
    Ok(0)
}

/// All names on this machine. A connection carries the name of its socket too, so a job may be listed more than once.
/// Names of other sockets need not be text.
fn jobs(table: &[u8]) -> BTreeSet<Name> {
    let table = String::from_utf8_lossy(table);
    table.lines().filter_map(|line| Name::parse(line.rsplit_once(" @")?.1)).collect()
}

/// Connections to jobs.
struct Jobs {
    /// With the process that answers.
    believed: Vec<(Name, UnixStream, i32)>,
    /// The users whose processes have taken names that are not theirs.
    not_believed: Vec<u32>,
    /// Sockets whose queue has stayed full.
    full: Vec<Name>,
}

/// Connects to all of these names. Any process can take an abstract name, so a process is believed only if it belongs
/// to the user in the name and its parent is the process in the name. Nobody can delay this for long, for example by a
/// socket with a full queue.
fn connect(names: impl Iterator<Item = Name>) -> Jobs {
    let mut jobs = Jobs { believed: Vec::new(), not_believed: Vec::new(), full: Vec::new() };
    let mut waiting: Vec<Name> = names.collect();
    let deadline = Instant::now() + CONNECT_LIMIT;
    loop {
        waiting.retain(|name| match try_connect(name) {
            Ok((stream, peer)) => {
                let is_its_own = peer.uid() == name.uid && parent_of(peer.pid()) == u32::try_from(name.pid).ok();
                if is_its_own {
                    jobs.believed.push((name.clone(), stream, peer.pid()));
                } else {
                    jobs.not_believed.push(peer.uid());
                }
                false
            }
            // Any other error means that the socket has gone.
            Err(error) => error == Errno::EAGAIN,
        });
        if waiting.is_empty() || Instant::now() >= deadline {
            jobs.full = waiting;
            return jobs;
        }
        std::thread::sleep(RETRY);
    }
}

/// A connection made without waiting, and the process that listens there. `EAGAIN` if the socket's queue is full.
fn try_connect(name: &Name) -> Result<(UnixStream, UnixCredentials), Errno> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    let socket = socket(AddressFamily::Unix, SockType::Stream, flags, None)?;
    socket::connect(socket.as_raw_fd(), &UnixAddr::new_abstract(name.text().as_bytes())?)?;
    let peer = getsockopt(&socket, sockopt::PeerCredentials)?;
    Ok((socket.into(), peer))
}

/// The index of the job that the user means.
fn choose(jobs: &[&Name], wanted: &str) -> Result<usize, String> {
    let by_pid = jobs.iter().position(|name| Ok(name.pid) == wanted.parse());
    match (by_pid, jobs.len()) {
        (Some(index), _) => Ok(index),
        (None, 1) => Ok(0),
        (None, 0) => Err(format!(
            "--status '{}': no such job on this machine; 'shmemrun --status' lists yours",
            printable(wanted)
        )),
        (None, _) => Err(format!(
            "--status '{}': the identifiers of several jobs start with this; give more of it",
            printable(wanted)
        )),
    }
}

fn about(name: &Name, what: String) -> String {
    format!("--status: job {} of process {}: {what}", name.job_id, name.pid)
}

/// The keeper has opened the socket, and its child, the supervisor, answers.
fn ask(name: &Name, stream: UnixStream, keeper: i32) -> Result<String, String> {
    let about = |what: String| about(name, what);
    let stopped = || {
        let supervisor = children_of(&[Pid::from_raw(keeper)]).into_iter().find(|child| is_stopped(*child))?;
        Some(format!("its process {supervisor} is stopped and cannot answer: 'kill -CONT {supervisor}' resumes it"))
    };
    // It would not answer within the limit.
    if let Some(why) = stopped() {
        return Err(about(why));
    }
    let answered = read_answer(&stream, Instant::now() + LIMIT).map_err(|error| match error.kind() {
        // It had not accepted the connection.
        ErrorKind::ConnectionReset => about(ENDED.into()),
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            let silent = || format!("shmemrun has not answered within {} s", LIMIT.as_secs());
            about(stopped().unwrap_or_else(silent))
        }
        _ => about(format!("read the answer of shmemrun: {error}")),
    })?;
    states_in(&answered).map_err(about)
}

/// Reads up to the end of the answer, which a process of another user may have made.
fn read_answer(mut stream: &UnixStream, deadline: Instant) -> std::io::Result<Vec<u8>> {
    stream.set_nonblocking(false)?;
    let (mut bytes, mut piece) = (vec![], vec![0; 64 * 1024]);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => bytes.extend(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if bytes.len() > MOST_BYTES {
            return Err(Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20)));
        }
    }
}

/// The lines of an answer, or why there are none.
fn states_in(answer: &[u8]) -> Result<String, String> {
    let text = String::from_utf8_lossy(answer);
    match text.split_once('\n') {
        Some((GRANTED, states)) => Ok(states.into()),
        Some((reason, _)) => Err(format!("refused: {}", printable(reason))),
        None => Err(ENDED.into()),
    }
}

fn command_of(pid: i32) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').replace('\0', " ")
}

#[cfg(test)]
#[path = "status_fuzz_tests.rs"]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Catches an answer that never ends, which fills the memory or keeps the reader for ever.
    #[test]
    fn answers_end() {
        let read = |deadline| {
            let (stream, mut peer) = UnixStream::pair().unwrap();
            let writer = std::thread::spawn(move || while peer.write_all(&[7; 1 << 16]).is_ok() {});
            let why = read_answer(&stream, deadline).unwrap_err();
            drop(stream);
            writer.join().unwrap();
            why.to_string()
        };
        assert_eq!(read(Instant::now() + LIMIT * 6), "it has more than 64 MiB");
        assert_eq!(read(Instant::now()), std::io::Error::from(ErrorKind::TimedOut).to_string());
    }

    #[test]
    fn jobs_are_found_among_other_sockets_and_chosen_by_process_or_identifier() {
        let row = "0000000000000000: 00000002 00000000 00010000 0001 01 1234";
        let mut table = format!(
            "Num RefCount Protocol Flags Type St Inode Path\n{row} /run/x\n{row} @cushmem/0/71/ab12\n{row} @cushmem/0/71/ab12\n\
             {row}\n{row} @cushmem/5/12/ab99\n{row} @cushmem/0/x/1\n{row} @cushmem/0/3/g\n{row} @cushmem/0/3/1/2\n"
        )
        .into_bytes();
        // Any process can take such a name, and must not hide the others.
        table.extend(b" @\xff\n");
        let jobs = jobs(&table);
        assert_eq!(jobs.len(), 2);
        let chosen = |pids: &[i32], wanted| {
            let names: Vec<&Name> = jobs.iter().filter(|name| pids.contains(&name.pid)).collect();
            choose(&names, wanted).map(|index| names[index].pid)
        };
        assert_eq!((chosen(&[71, 12], "71"), chosen(&[71], "ab1"), chosen(&[71, 12], "12")), (Ok(71), Ok(71), Ok(12)));
        assert!(chosen(&[71, 12], "ab").unwrap_err().contains("several"));
        assert!(chosen(&[], "c").unwrap_err().contains("no such job"));
    }
}
