//! `shmemrun --status`: asks a running job what its PEs are waiting in, or lists the user's jobs.

use std::collections::BTreeSet;
use std::io::Read;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::time::Duration;

use nix::sys::socket::{getsockopt, sockopt};
use nix::unistd::getuid;

/// First line of an answer that is not a refusal.
pub const GRANTED: &str = "cushmem status";
/// How long the supervisor may take to answer: it waits for its PEs for half a second at most.
const LIMIT: Duration = Duration::from_secs(10);
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
    /// The socket's address.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        let Name { uid, pid, job_id } = self;
        SocketAddr::from_abstract_name(format!("{PREFIX}{uid}/{pid}/{job_id}"))
    }

    fn parse(text: &str) -> Option<Name> {
        let mut parts = text.strip_prefix(PREFIX)?.split('/');
        let (uid, pid, job_id) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
        let is_id = !job_id.is_empty() && job_id.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_id && parts.next().is_none()).then(|| Name { uid, pid, job_id: job_id.into() })
    }
}

/// Prints what the PEs of `job` are waiting in; without a `job`, lists the user's jobs.
pub fn run(job: Option<&str>) -> Result<u8, String> {
    let table = std::fs::read_to_string("/proc/net/unix").map_err(|error| format!("list sockets: {error}"))?;
    let jobs = jobs(&table);
    let Some(job) = job else {
        for Name { pid, job_id, .. } in jobs.iter().filter(|name| name.uid == getuid().as_raw()) {
            println!("{pid} {job_id} {}", command_of(*pid));
        }
        return Ok(0);
    };
    print!("{}", ask(&choose(&jobs, job)?)?);
    Ok(0)
}

/// All jobs on this machine. A connection has its socket's name too, so a job may be listed more than once.
fn jobs(table: &str) -> BTreeSet<Name> {
    table.lines().filter_map(|line| Name::parse(line.rsplit_once(" @")?.1)).collect()
}

fn choose(jobs: &BTreeSet<Name>, wanted: &str) -> Result<Name, String> {
    let by_pid = jobs.iter().find(|name| Ok(name.pid) == wanted.parse());
    let mut by_id = jobs.iter().filter(|name| !wanted.is_empty() && name.job_id.starts_with(wanted));
    match (by_pid, by_id.next(), by_id.next()) {
        (Some(name), _, _) | (None, Some(name), None) => Ok(name.clone()),
        (None, None, _) => {
            Err(format!("--status '{wanted}': no such job on this machine; 'shmemrun --status' lists yours"))
        }
        (None, Some(_), Some(_)) => Err(format!("--status '{wanted}': the identifiers of several jobs begin with it")),
    }
}

fn ask(name: &Name) -> Result<String, String> {
    let about = |what: String| format!("--status: job {} of process {}: {what}", name.job_id, name.pid);
    let stream = name.address().and_then(|address| UnixStream::connect_addr(&address));
    let mut stream = stream.map_err(|error| about(format!("connect: {error}")))?;
    // Any process can take an abstract name; only those of the job's own user and of root are believed.
    let peer = getsockopt(&stream, sockopt::PeerCredentials).map_err(|error| about(error.desc().into()))?;
    if peer.uid() != name.uid && peer.uid() != 0 {
        return Err(about(format!("user {} has taken its name", peer.uid())));
    }
    let mut text = String::new();
    let read = stream.set_read_timeout(Some(LIMIT)).and_then(|()| stream.read_to_string(&mut text));
    read.map_err(|error| about(format!("shmemrun does not answer: {error}")))?;
    match text.split_once('\n') {
        Some((GRANTED, states)) => Ok(states.into()),
        Some((reason, _)) => Err(about(format!("refused: {reason}"))),
        None => Err(about("it has just ended".into())),
    }
}

fn command_of(pid: i32) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_found_among_other_sockets_and_chosen_by_process_or_identifier() {
        let row = "0000000000000000: 00000002 00000000 00010000 0001 01 1234";
        let table = format!(
            "Num RefCount Protocol Flags Type St Inode Path\n{row} /run/x\n{row} @cushmem/0/71/ab12\n{row} @cushmem/0/71/ab12\n\
             {row}\n{row} @cushmem/5/12/ab99\n{row} @cushmem/0/x/1\n{row} @cushmem/0/3/g\n{row} @cushmem/0/3/1/2\n"
        );
        let jobs = jobs(&table);
        let chosen = |wanted| choose(&jobs, wanted).map(|name| name.pid);
        assert_eq!(jobs.len(), 2);
        assert_eq!((chosen("71"), chosen("ab1"), chosen("12")), (Ok(71), Ok(71), Ok(12)));
        assert!(chosen("ab").unwrap_err().contains("several"));
        assert!(chosen("").unwrap_err().contains("no such job"));
        assert!(chosen("c").unwrap_err().contains("no such job"));
    }
}
