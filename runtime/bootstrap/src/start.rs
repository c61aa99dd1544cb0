//! The ways in which a process becomes a PE: started by `shmemrun`, started by torchrun, with a unique id, or alone.

use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cushmem_environment::MAX_PES;
use cushmem_topology::{CpuSet, Machine};

use crate::channel::{Alone, Each, NodeChannel, WaitLimit, gather};
use crate::client::{Bootstrap, Job, Keeper};
use crate::connection::{Connection, JOIN, join, system};
use crate::descriptors::fill_standard_streams;
use crate::env;
use crate::error::BootstrapError;
use crate::launchers;
use crate::lifeline::{self, Watched};
use crate::manager::{self, Managed};
use crate::meeting::{LocalMeeting, Place, connect, connect_locally, server_of};
use crate::node;
use crate::server::Server;
use crate::socket::{MessageSocket, Progress, SeqPacket};
use crate::torchrun::Torchrun;
use crate::unique_id::{UniqueId, random};
use crate::wire::{Message, MessageKind, check_lengths};

/// The process that joined first, or 0.
static JOINED: AtomicU32 = AtomicU32::new(0);
/// Whether the process belongs to a job, or has failed to join or to leave one. It belongs to one at a time. The rule
/// also holds without a launcher, so that an incorrect program fails there too.
static IN_JOB: AtomicBool = AtomicBool::new(false);
/// The connection to the launcher. It is kept from one job to the next, because inherited descriptors can be taken only
/// once: if they were taken twice, they would be closed twice.
static LAUNCHER: Mutex<Option<Arc<Connection<SeqPacket>>>> = Mutex::new(None);

/// How many jobs this process has joined through torchrun. Each has a name of its own, which all processes derive from
/// the number, because the server of the job before may not have ended yet.
static TORCHRUN_JOBS: AtomicU32 = AtomicU32::new(0);

/// Whether this process is the one that joined: a forked child has a copy of its parent's memory, but it is not a PE.
pub fn joined_here() -> bool {
    // Relaxed: the process that joined stored its own number; every other process compares with a number that is not
    // its own.
    JOINED.load(Ordering::Relaxed) == std::process::id()
}

/// That this process belongs to a job. After finalize, dropping it allows the process to join again.
#[derive(Debug)]
pub(crate) struct Membership {
    has_finalized: AtomicBool,
}

impl Membership {
    fn begin() -> Result<Membership, BootstrapError> {
        fill_standard_streams();
        let here = std::process::id();
        // Relaxed: only one caller finds 0, and the exchange publishes nothing else.
        let first =
            JOINED.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed).unwrap_or_else(|first| first);
        // A forked child has copies of its parent's connections, which stay the parent's.
        let is_child = first != 0 && first != here;
        // SYNC(in-job) acquire: pairs with the release of the job before.
        if is_child || IN_JOB.swap(true, Ordering::Acquire) {
            return Err(BootstrapError::AlreadyJoined);
        }
        Ok(Membership { has_finalized: AtomicBool::new(false) })
    }

    /// That of a process which has not joined.
    #[cfg(test)]
    pub(crate) fn of_a_test() -> Membership {
        Membership { has_finalized: AtomicBool::new(false) }
    }

    pub(crate) fn has_finalized(&self) {
        // Relaxed: `drop` has the value to itself, and its caller has synchronised with this one.
        self.has_finalized.store(true, Ordering::Relaxed);
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        if *self.has_finalized.get_mut() {
            // SYNC(in-job) release: pairs with the acquire in `begin`; what belonged to the job was released before.
            IN_JOB.store(false, Ordering::Release);
        }
    }
}

impl Bootstrap {
    /// Joins the job that the environment names: that of `shmemrun`, that of torchrun, or that of
    /// a process manager with PMIx or PMI. Without a launcher, this is a job of one PE. Fails if another launcher has
    /// started several processes, because nothing connects them.
    ///
    /// A process can join again once it has finalized and dropped what this call returned, if all PEs do the same. It
    /// cannot after a call that has failed. The call fails if the inherited socket is missing or nobody answers.
    pub fn from_env() -> Result<Bootstrap, BootstrapError> {
        let wait_limit = env::wait_limit()?;
        let membership = Membership::begin()?;
        let Some(socket_number) = env::descriptor(env::BOOTSTRAP_FD)? else {
            if let Some(mut torchrun) = Torchrun::from_env()? {
                // Relaxed: a process joins one job at a time.
                torchrun.jobs_before = TORCHRUN_JOBS.fetch_add(1, Ordering::Relaxed);
                return under_torchrun(membership, &torchrun, wait_limit);
            }
            let managed = manager::ask(wait_limit)?;
            if let Some(Managed { rank, size, place: Some(place) }) = managed {
                return at_place(membership, (rank, size), &place, "the process of PE 0", wait_limit);
            }
            if managed.is_none() {
                launchers::refuse_unknown()?;
            }
            let job = Job { my_pe: 0, n_pes: 1, host: 0, local_pe: 0, oversubscribed: false, id: String::new() };
            return Ok(Bootstrap::new(membership, job, Arc::new(Alone), Arc::new(Alone), Keeper::Elsewhere));
        };
        let absent = |variable| BootstrapError::Environment { variable, cause: "it is not set".into() };
        let lifeline_number = env::descriptor(env::LIFELINE_FD)?.ok_or_else(|| absent(env::LIFELINE_FD))?;
        let id = env::text(env::JOB)?.ok_or_else(|| absent(env::JOB))?;
        check_lengths("", id.as_bytes()).map_err(|cause| BootstrapError::Environment { variable: env::JOB, cause })?;
        let mut launcher = LAUNCHER.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = &*launcher {
            let job = connection.join_again(&id)?;
            return Ok(Bootstrap::new(membership, job, connection.clone(), connection.clone(), Keeper::Launcher));
        }
        let socket = SeqPacket::inherit(socket_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::BOOTSTRAP_FD, cause })?;
        let lifeline = SeqPacket::inherit(lifeline_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::LIFELINE_FD, cause })?;
        lifeline::watch(lifeline).map_err(|error| system("start the lifeline's watcher", error))?;
        let (job, connection) = join(socket, wait_limit, &id, (0, 0))?;
        let connection = launcher.insert(Arc::new(connection)).clone();
        Ok(Bootstrap::new(membership, job, connection.clone(), connection, Keeper::Launcher))
    }

    /// Joins the job of a unique id as PE `pe` of `n_pes`. All PEs pass the same id and number of PEs, and each a
    /// different PE number. The process that made the id must run until the end of the job.
    ///
    /// A process can join again as with [`Self::from_env`].
    pub fn with_id(pe: u32, n_pes: u32, id: &UniqueId) -> Result<Bootstrap, BootstrapError> {
        let argument = |cause| BootstrapError::Argument { operation: JOIN.into(), cause };
        if n_pes == 0 || n_pes > MAX_PES {
            return Err(argument(format!("{n_pes} PEs: the valid range is 1 to {MAX_PES}")));
        }
        if pe >= n_pes {
            return Err(argument(format!("PE {pe} of {n_pes} PEs: the valid range is 0 to {}", n_pes - 1)));
        }
        let wait_limit = env::wait_limit()?;
        let membership = Membership::begin()?;
        let identity = node::identity();
        if !id.is_reachable_from(&identity) {
            return Err(elsewhere(&identity));
        }
        at_place(membership, (pe, n_pes), &Place::from(id), "the process that made the unique id", wait_limit)
    }
}

/// Joins the job whose processes meet at a place. `keeper` describes the process that runs the server.
fn at_place(
    membership: Membership,
    (pe, n_pes): (u32, u32),
    place: &Place,
    keeper: &'static str,
    wait_limit: Duration,
) -> Result<Bootstrap, BootstrapError> {
    let identity = node::identity();
    let connect = || {
        let deadline = Instant::now() + wait_limit;
        connect(place, deadline, place.turn()).map_err(|cause| BootstrapError::Meeting { cause })
    };
    let job_id = place.id.job_id();
    let (mut job, all) = join(connect()?, wait_limit, &job_id, (pe, n_pes))?;
    // `watched` is declared after `all`, so it is dropped first.
    let all = Arc::new(all);
    let server = server_of(&job_id);
    let watched = watch(connect()?, &job, keeper, server.clone())?;
    let host = Host::of(pe, &gather(&*all, "host", identity.as_bytes())?);
    // The server of an earlier job with this id may still have a name, so each job gets another.
    let mut name = format!("cushmem-node-{job_id}-{:016x}", u64::from_le_bytes(random().map_err(system_random)?));
    let meeting = if host.place == 0 { Some(LocalMeeting::new(&name)) } else { None };
    let own = match &meeting {
        Some(Err(error)) => error.to_string(),
        _ => format!("@{name}"),
    };
    let names = gather(&*all, "node", own.as_bytes())?;
    let leader = host.pes[0];
    let of_leader = names.get(leader as usize).map(|name| String::from_utf8_lossy(name)).unwrap_or_default();
    match of_leader.strip_prefix('@') {
        Some(taken) => taken.clone_into(&mut name),
        None => {
            let cause = format!("PE {leader}: bind @{name}: {of_leader}");
            return Err(BootstrapError::Meeting { cause });
        }
    }
    let here = host.pes.len() as u32;
    if let Some(Ok(meeting)) = meeting {
        let started = Server::start(meeting, job_id.clone(), Some(here), None);
        started.map_err(|error| system("start a thread", error))?;
    }
    let socket = local_socket(&name, wait_limit)?;
    let (_, connection) = join(socket, wait_limit, &job_id, (host.place, here))?;
    (job.host, job.local_pe) = (host.number, host.place);
    let node = Arc::new(OfHost { connection, pes: host.pes });
    job.oversubscribed = is_oversubscribed(&*node, here)?;
    let keeper = server.map_or(Keeper::Elsewhere, Keeper::Here);
    Ok(Bootstrap::new(membership, job, all, node, keeper).watched(watched))
}

fn system_random(error: std::io::Error) -> BootstrapError {
    system("choose a name", error)
}

/// The error of a process that cannot reach the loopback address at which an id was made.
fn elsewhere(node: &str) -> BootstrapError {
    let reason = format!(
        "this process runs on '{}', but the unique id was made on another machine or in another container, for processes \
         there only; CUSHMEM_NET_INTERFACE in the process that makes it names a network interface for others",
        node::host_name(node)
    );
    BootstrapError::Refused { operation: JOIN.into(), reason }
}

/// A host of a job with a unique id, as one of its PEs sees it.
#[derive(Debug, PartialEq, Eq)]
struct Host {
    /// Hosts are numbered in the order of their first PEs.
    number: u32,
    /// The PE's place there.
    place: u32,
    /// The PEs of the host.
    pes: Vec<u32>,
}

impl Host {
    /// The host of a PE, from the identities of all.
    fn of(pe: u32, identities: &[Vec<u8>]) -> Host {
        let own = &identities[pe as usize];
        let pes: Vec<u32> = (0..).zip(identities).filter(|(_, theirs)| *theirs == own).map(|(pe, _)| pe).collect();
        let before = &identities[..pes[0] as usize];
        let firsts = before.iter().enumerate().filter(|(at, theirs)| !before[..*at].contains(theirs));
        let place = pes.iter().position(|member| *member == pe).unwrap_or(0) as u32;
        Host { number: firsts.count() as u32, place, pes }
    }
}

/// The channel of a host, whose server numbers the PEs by their places.
#[derive(Debug)]
struct OfHost {
    connection: Connection<node::LocalSocket>,
    pes: Vec<u32>,
}

impl NodeChannel for OfHost {
    fn share(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        each: Each<'_>,
    ) -> Result<(), BootstrapError> {
        let mut by_number = |place: u32, contribution| each(self.pes[place as usize], contribution);
        self.connection.share(what, bytes, fd, limit, &mut by_number)
    }
}

/// Joins the other processes that torchrun has started. The process of rank 0 keeps the job together.
fn under_torchrun(
    membership: Membership,
    torchrun: &Torchrun,
    wait_limit: Duration,
) -> Result<Bootstrap, BootstrapError> {
    let (rank, size) = (torchrun.rank, torchrun.size);
    if !torchrun.is_one_host {
        let place = torchrun.place()?;
        if rank == 0 {
            let started = place.serve(&torchrun.ports());
            started.map_err(|cause| BootstrapError::Meeting { cause: cause.to_string() })?;
        }
        return at_place(membership, (rank, size), &place, "the process of rank 0", wait_limit);
    }
    let name = torchrun.socket_name(nix::unistd::geteuid().as_raw());
    let job_id = torchrun.job_id();
    let mut server = None;
    if rank == 0 {
        let meeting = LocalMeeting::new(&name).map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => BootstrapError::Meeting {
                cause: format!("@{name} is in use: another job of torchrun has the same MASTER_PORT and run id"),
            },
            _ => system(&format!("bind @{name}"), error),
        })?;
        let started = Server::start(meeting, job_id.clone(), Some(size), None);
        server = Some(started.map_err(|error| system("start a thread", error))?);
    }
    let (mut job, connection) = join(local_socket(&name, wait_limit)?, wait_limit, &job_id, (rank, size))?;
    let watched = watch(local_socket(&name, wait_limit)?, &job, "the process of rank 0", server.clone())?;
    job.oversubscribed = is_oversubscribed(&connection, size)?;
    let connection = Arc::new(connection);
    let keeper = server.map_or(Keeper::Elsewhere, Keeper::Here);
    Ok(Bootstrap::new(membership, job, connection.clone(), connection, keeper).watched(watched))
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
    lifeline::watch_server(socket, job.my_pe, keeper, server)
        .map_err(|error| system("start the lifeline's watcher", error))
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

    #[test]
    fn hosts_are_numbered_by_their_first_pes() {
        let identities = ["b", "a", "b", "c", "a", "a"].map(|name| name.as_bytes().to_vec());
        let host = |pe| Host::of(pe, &identities);
        assert_eq!(host(0), Host { number: 0, place: 0, pes: vec![0, 2] });
        assert_eq!(host(2), Host { number: 0, place: 1, pes: vec![0, 2] });
        assert_eq!(host(5), Host { number: 1, place: 2, pes: vec![1, 4, 5] });
        assert_eq!(host(3), Host { number: 2, place: 0, pes: vec![3] });
    }

    /// Catches PEs that spin although two of them share a hardware thread.
    #[test]
    fn one_pe_more_than_hardware_threads() {
        let threads = Machine::discover(Path::new("/")).expect("a machine").usable_cpus() as u32;
        assert!(!is_oversubscribed(&Alone, threads).expect("shared"), "{threads} PEs");
        assert!(is_oversubscribed(&Alone, threads + 1).expect("shared"), "{threads} PEs and one more");
    }
}
