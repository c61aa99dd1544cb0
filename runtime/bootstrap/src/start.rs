//! The ways in which a process becomes a PE: started by `shmemrun`, started by torchrun, with a unique id, or alone.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use cushmem_topology::{CpuSet, Machine};

use crate::channel::{Alone, NodeChannel, WaitLimit};
use crate::client::{Bootstrap, Job, Keeper};
use crate::connection::{join, system};
use crate::env;
use crate::error::BootstrapError;
use crate::launchers::{self, Torchrun};
use crate::lifeline::{self, Watched};
use crate::meeting::{CONNECT_LIMIT, LocalMeeting, connect, connect_locally, server_of};
use crate::node;
use crate::server::{MAX_PES, Server};
use crate::socket::{MessageSocket, Progress, SeqPacket};
use crate::unique_id::UniqueId;
use crate::wire::{Message, MessageKind, check_lengths};

/// The operation's name in errors.
const JOIN: &str = "join the job";

/// The process that joined, or 0. It ensures that a process joins only once: if inherited descriptors were taken twice,
/// they would be closed twice. The rule also holds without a launcher, so that an incorrect program fails there too.
static JOINED: AtomicU32 = AtomicU32::new(0);

/// Whether this process is the one that joined: a forked child has a copy of its parent's memory, but it is not a PE.
pub fn joined_here() -> bool {
    // Relaxed: the process that joined stored its own number; every other process compares with a number that is not
    // its own.
    JOINED.load(Ordering::Relaxed) == std::process::id()
}

fn join_once() -> Result<(), BootstrapError> {
    // Relaxed: only one caller finds 0, and the exchange publishes nothing else.
    match JOINED.compare_exchange(0, std::process::id(), Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(_) => Err(BootstrapError::AlreadyJoined),
    }
}

impl Bootstrap {
    /// Joins the job that the environment names: that of `shmemrun`, or that of torchrun on one host. Without a
    /// launcher, this is a job of one PE. Fails if another launcher has started several processes, because nothing
    /// connects them.
    ///
    /// A process can join only once, whether or not the call succeeds. The call fails if the inherited socket is
    /// missing or nobody answers.
    pub fn from_env() -> Result<Bootstrap, BootstrapError> {
        let wait_limit = env::wait_limit()?;
        join_once()?;
        let Some(socket_number) = env::descriptor(env::BOOTSTRAP_FD)? else {
            if let Some(torchrun) = Torchrun::from_env()? {
                return under_torchrun(&torchrun, wait_limit);
            }
            launchers::refuse_unknown()?;
            let job = Job { my_pe: 0, n_pes: 1, local_pe: 0, oversubscribed: false, id: String::new() };
            return Ok(Bootstrap::new(job, Arc::new(Alone), Arc::new(Alone), Keeper::Elsewhere));
        };
        let absent = |variable| BootstrapError::Environment { variable, cause: "it is not set".into() };
        let lifeline_number = env::descriptor(env::LIFELINE_FD)?.ok_or_else(|| absent(env::LIFELINE_FD))?;
        let id = env::text(env::JOB)?.ok_or_else(|| absent(env::JOB))?;
        check_lengths("", id.as_bytes()).map_err(|cause| BootstrapError::Environment { variable: env::JOB, cause })?;
        let socket = SeqPacket::inherit(socket_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::BOOTSTRAP_FD, cause })?;
        let lifeline = SeqPacket::inherit(lifeline_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::LIFELINE_FD, cause })?;
        lifeline::watch(lifeline).map_err(|error| system("start the lifeline's watcher", error))?;
        let (job, connection) = join(socket, wait_limit, &id, (0, 0))?;
        let connection = Arc::new(connection);
        Ok(Bootstrap::new(job, connection.clone(), connection, Keeper::Launcher))
    }

    /// Joins the job of a unique id as PE `pe` of `n_pes`. All PEs pass the same id and number of PEs, and each a
    /// different PE number. The process that made the id must run until the end of the job.
    ///
    /// A process can join only once, whether or not the call succeeds.
    pub fn with_id(pe: u32, n_pes: u32, id: &UniqueId) -> Result<Bootstrap, BootstrapError> {
        let argument = |cause| BootstrapError::Argument { operation: JOIN.into(), cause };
        if n_pes == 0 || n_pes > MAX_PES {
            return Err(argument(format!("{n_pes} PEs: the valid range is 1 to {MAX_PES}")));
        }
        if pe >= n_pes {
            return Err(argument(format!("PE {pe} of {n_pes} PEs: the valid range is 0 to {}", n_pes - 1)));
        }
        let wait_limit = env::wait_limit()?;
        join_once()?;
        let identity = node::identity();
        let connect = || {
            let deadline = Instant::now() + wait_limit;
            connect(id, &identity, deadline, CONNECT_LIMIT).map_err(|cause| BootstrapError::Meeting { cause })
        };
        let job_id = id.job_id();
        let (mut job, all) = join(connect()?, wait_limit, &job_id, (pe, n_pes))?;
        // `watched` is declared after `all`, so it is dropped first.
        let all = Arc::new(all);
        let server = server_of(&job_id);
        let watched = watch(connect()?, &job, "the process that made the unique id", server.clone())?;
        let together = Bootstrap::new(job.clone(), all.clone(), Arc::new(Alone), Keeper::Elsewhere);
        one_node(&together, &identity)?;
        let name = format!("cushmem-node-{job_id}");
        let meeting = if pe == 0 { Some(LocalMeeting::new(&name)) } else { None };
        let problem = meeting.as_ref().and_then(|meeting| meeting.as_ref().err()).map(ToString::to_string);
        let problems = together.allgather("node", problem.unwrap_or_default().as_bytes())?;
        if let Some(problem) = problems.first().filter(|problem| !problem.is_empty()) {
            let cause = format!("PE 0: take the name @{name}: {}", String::from_utf8_lossy(problem));
            return Err(BootstrapError::Meeting { cause });
        }
        if let Some(Ok(meeting)) = meeting {
            Server::start(meeting, job_id.clone(), Some(n_pes)).map_err(|error| system("start a thread", error))?;
        }
        let socket = local_socket(&name, wait_limit)?;
        let (_, node) = join(socket, wait_limit, &job_id, (pe, n_pes))?;
        let node = Arc::new(node);
        job.oversubscribed = is_oversubscribed(&*node, n_pes)?;
        let keeper = server.map_or(Keeper::Elsewhere, Keeper::Here);
        Ok(Bootstrap::new(job, all, node, keeper).watched(watched))
    }
}

/// Checks that all PEs are on one node; this version supports no more.
fn one_node(together: &Bootstrap, identity: &str) -> Result<(), BootstrapError> {
    let all = together.allgather("nodes", identity.as_bytes())?;
    let Some(first) = all.first() else { return Ok(()) };
    let Some(other) = all.iter().position(|one| one != first) else { return Ok(()) };
    let name = |pe: usize| node::host_name(&String::from_utf8_lossy(&all[pe])).to_owned();
    let (here, there) = (name(0), name(other));
    let which = if here == there { format!("another container of '{here}'") } else { format!("'{there}'") };
    let reason =
        format!("PE 0 runs on '{here}' and PE {other} on {which}: this version joins the PEs of one machine only");
    Err(BootstrapError::Refused { operation: JOIN.into(), reason })
}

/// Joins the other processes that torchrun has started on this host. The process of rank 0 keeps the job together.
fn under_torchrun(torchrun: &Torchrun, wait_limit: Duration) -> Result<Bootstrap, BootstrapError> {
    let (rank, size) = (torchrun.rank, torchrun.size);
    let name = torchrun.socket_name(nix::unistd::geteuid().as_raw());
    let job_id = torchrun.job_id();
    let mut server = None;
    if rank == 0 {
        let meeting = LocalMeeting::new(&name).map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => BootstrapError::Meeting {
                cause: format!(
                    "the name @{name} is taken: another job of torchrun has the same MASTER_PORT and run id"
                ),
            },
            _ => system(&format!("take the name @{name}"), error),
        })?;
        let started = Server::start(meeting, job_id.clone(), Some(size));
        server = Some(started.map_err(|error| system("start a thread", error))?);
    }
    let (mut job, connection) = join(local_socket(&name, wait_limit)?, wait_limit, &job_id, (rank, size))?;
    let watched = watch(local_socket(&name, wait_limit)?, &job, "the process of rank 0", server.clone())?;
    job.oversubscribed = is_oversubscribed(&connection, size)?;
    let connection = Arc::new(connection);
    let keeper = server.map_or(Keeper::Elsewhere, Keeper::Here);
    Ok(Bootstrap::new(job, connection.clone(), connection, keeper).watched(watched))
}

/// Connects to the name. This may take up to the limit: PE 0 may be late, or many PEs may connect at once.
fn local_socket(name: &str, limit: Duration) -> Result<node::LocalSocket, BootstrapError> {
    let found =
        connect_locally(name, Instant::now() + limit).map_err(|error| system(&format!("connect to @{name}"), error))?;
    found.ok_or_else(|| BootstrapError::Meeting { cause: format!("PE 0 has not joined: nobody listens at @{name}") })
}

/// Opens the lifeline: identifies this PE over the connection `socket`, and starts the thread that watches it.
fn watch(
    socket: impl MessageSocket + 'static,
    job: &Job,
    keeper: &'static str,
    server: Option<Server>,
) -> Result<Watched, BootstrapError> {
    let watch =
        Message { pe: job.my_pe, value: job.n_pes, body: job.id.as_bytes(), ..Message::new(MessageKind::Watch, 0) };
    // A new connection has room for it.
    match socket.try_send(&watch.encode(), None) {
        Ok(Progress::Done(())) => {}
        Ok(_) => return Err(BootstrapError::LauncherGone { operation: JOIN.into() }),
        Err(error) => return Err(system(JOIN, error.into())),
    }
    let who = format!("PE {}", job.my_pe);
    lifeline::watch_server(socket, who, keeper, server).map_err(|error| system("start the lifeline's watcher", error))
}

/// Collective among the PEs of a node. Whether there are more PEs than hardware threads that they may use together, or
/// more than their quota allows.
fn is_oversubscribed(node: &dyn NodeChannel, n_pes: u32) -> Result<bool, BootstrapError> {
    let machine = Machine::discover(Path::new("/")).ok();
    let own = machine.as_ref().map(Machine::cpus).unwrap_or_default();
    let mut all = CpuSet::default();
    node.share("hardware threads", own.to_string().as_bytes(), None, WaitLimit::Limited, &mut |_, theirs| {
        let theirs = str::from_utf8(&theirs.bytes).ok().and_then(|list| list.parse::<CpuSet>().ok());
        all = all.iter().chain(theirs.unwrap_or_default().iter()).collect();
    })?;
    // An unknown machine is treated as crowded, as in the launcher.
    Ok(machine.map_or(n_pes > 1, |machine| n_pes as usize > machine.usable_of(&all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Alone;

    /// Catches PEs that spin although two of them share a hardware thread.
    #[test]
    fn one_pe_more_than_hardware_threads() {
        let threads = Machine::discover(Path::new("/")).expect("a machine").usable_cpus() as u32;
        assert!(!is_oversubscribed(&Alone, threads).expect("shared"), "{threads} PEs");
        assert!(is_oversubscribed(&Alone, threads + 1).expect("shared"), "{threads} PEs and one more");
    }
}
