//! Process managers of other projects: Open MPI's mpirun, Slurm's srun, MPICH's mpiexec, flux. They give each process a
//! number, and keys and values that all processes of the job can read, by PMIx ([`pmix`]) or PMI ([`pmi`]).
//!
//! That is enough for a unique id to travel. Process 0 makes one, and all join with it as they would without a manager:
//!
//! ```text
//!   all:       put the name of this host     fence
//!   process 0: get the hosts, make an id that processes of all of them can use, put it
//!   all:       fence, get the id of process 0, join
//! ```
//!
//! The manager sees to it that only processes of the job read the id. Two processes share memory if their own answers
//! about the host are equal: managers number and name hosts each in its own way.

mod pmi;
#[expect(unsafe_code, reason = "calls a C library that is opened at run time")]
mod pmix;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use cushmem_environment as environment;
use cushmem_environment::MAX_PES;

use crate::env;
use crate::error::{BootstrapError, Seconds};
use crate::meeting::Reach;
use crate::node;
use crate::unique_id::{UniqueId, hex, mark};
use pmi::Pmi;
use pmix::Pmix;

/// What process 0 puts in place of an id that it could not make.
const NO_ID: &str = "none";

/// How many jobs these processes have had. Each has keys of its own: a late process must not find those of the job
/// before.
static JOBS: AtomicU32 = AtomicU32::new(0);

/// What a process manager does for the processes of a job. The errors say what failed and why.
trait Manager {
    /// This process's number, and the number of processes.
    fn numbers(&self) -> (u32, u32);
    /// Sets a value, which other processes can read after the next fence.
    fn put(&mut self, key: &str, value: &str) -> Result<(), String>;
    /// Waits until all processes have called it.
    fn fence(&mut self) -> Result<(), String>;
    /// The value that a process has put.
    fn get(&mut self, process: u32, key: &str) -> Result<String, String>;
}

/// What a process manager has told this process.
pub(crate) struct Managed {
    pub(crate) rank: u32,
    pub(crate) size: u32,
    /// The id of the job, unless this process is its only one.
    pub(crate) id: Option<UniqueId>,
}

/// Asks the process manager that has started this process. `None` if there is none.
pub(crate) fn ask(limit: Duration) -> Result<Option<Managed>, BootstrapError> {
    let is_set = |variable: &environment::Variable| -> Result<bool, BootstrapError> {
        Ok(env::text(variable.name)?.is_some_and(|text| !text.is_empty()))
    };
    if is_set(&environment::PMIX_NAMESPACE)? && is_set(&environment::PMIX_RANK)? {
        return within(limit, "PMIx", || agree(&mut Pmix::connect()?)).map(Some);
    }
    if is_set(&environment::PMI_FD)? {
        let number = |name| Ok(env::text(name)?.and_then(|text| text.trim().parse().ok()));
        let (rank, size) = (number(environment::PMI_RANK.name)?, number(environment::PMI_SIZE.name)?);
        let Some(fd) = env::descriptor(environment::PMI_FD.name)? else { return Ok(None) };
        return within(limit, "PMI", move || agree(&mut Pmi::connect(fd, rank, size)?)).map(Some);
    }
    Ok(None)
}

/// Runs a conversation with a manager, whose calls have no limit of their own, in a thread that is left behind after
/// the limit. The process ends then.
fn within(
    limit: Duration,
    protocol: &'static str,
    run: impl FnOnce() -> Result<Managed, String> + Send + 'static,
) -> Result<Managed, BootstrapError> {
    let (done, result) = mpsc::channel();
    let thread = Builder::new().name("cushmem-manager".into());
    // The receiver may have gone: nobody waits for a result after the limit.
    let meeting = |cause| BootstrapError::Meeting { cause };
    let started = cushmem_thread::start(thread, move || drop(done.send(run())));
    started.map_err(|error| meeting(format!("start a thread: {error}")))?;
    match result.recv_timeout(limit) {
        Ok(result) => result.map_err(|cause| meeting(format!("the process manager ({protocol}): {cause}"))),
        Err(RecvTimeoutError::Timeout) => Err(meeting(format!(
            "the process manager ({protocol}) has not connected the processes after {}: some of them have not called \
             shmem_init; it does not say which",
            Seconds(limit)
        ))),
        Err(RecvTimeoutError::Disconnected) => Err(meeting(format!("the process manager ({protocol}): no answer"))),
    }
}

/// Agrees on an id with the other processes. Collective.
fn agree(manager: &mut impl Manager) -> Result<Managed, String> {
    let (rank, size) = manager.numbers();
    if size == 0 || size > MAX_PES || rank >= size {
        return Err(format!("process {rank} of {size}: the valid range is 1 to {MAX_PES} processes"));
    }
    // Relaxed: a process joins one job at a time.
    let job = JOBS.fetch_add(1, Ordering::Relaxed);
    if size == 1 {
        return Ok(Managed { rank, size, id: None });
    }
    let host_of = |process| format!("cushmem.{job}.host.{process}");
    let key = format!("cushmem.{job}.id");
    manager.put(&host_of(rank), &hex(&mark(&node::identity())))?;
    manager.fence()?;
    let mut failure = None;
    if rank == 0 {
        let id = UniqueId::create_for(if is_one_host(manager, host_of)? { Reach::Host } else { Reach::Hosts });
        failure = id.as_ref().err().map(ToString::to_string);
        manager.put(&key, &id.map_or_else(|_| NO_ID.to_owned(), |id| id.to_string()))?;
    }
    manager.fence()?;
    if let Some(failure) = failure {
        return Err(format!("make a unique id: {failure}"));
    }
    let text = manager.get(0, &key)?;
    if text == NO_ID {
        return Err("process 0 could not make a unique id; its own message says why".into());
    }
    let id = text.parse().map_err(|cause| format!("the value {key} of process 0: {cause}"))?;
    Ok(Managed { rank, size, id: Some(id) })
}

/// Whether all processes are on the host of process 0, which this one is.
fn is_one_host(manager: &mut impl Manager, host_of: impl Fn(u32) -> String) -> Result<bool, String> {
    let (rank, size) = manager.numbers();
    let own = manager.get(rank, &host_of(rank))?;
    for process in (0..size).rev().filter(|process| *process != rank) {
        if manager.get(process, &host_of(process))? != own {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::{Arc, Barrier, Mutex};

    /// A manager within this process, whose processes are threads. Values can be read after a fence only.
    #[derive(Clone)]
    struct Threads {
        rank: u32,
        size: u32,
        put: Arc<Mutex<HashMap<(u32, String), String>>>,
        fenced: HashMap<(u32, String), String>,
        barrier: Arc<Barrier>,
        /// What this process says about its host.
        host: Option<&'static str>,
    }

    impl Manager for Threads {
        fn numbers(&self) -> (u32, u32) {
            (self.rank, self.size)
        }

        fn put(&mut self, key: &str, value: &str) -> Result<(), String> {
            let value = self.host.filter(|_| key.contains("host")).unwrap_or(value).to_owned();
            self.put.lock().unwrap().insert((self.rank, key.to_owned()), value);
            Ok(())
        }

        fn fence(&mut self) -> Result<(), String> {
            self.barrier.wait();
            self.fenced = self.put.lock().unwrap().clone();
            self.barrier.wait();
            Ok(())
        }

        fn get(&mut self, process: u32, key: &str) -> Result<String, String> {
            self.fenced.get(&(process, key.to_owned())).cloned().ok_or_else(|| format!("no {key} of {process}"))
        }
    }

    fn agreed(hosts: &[Option<&'static str>]) -> Vec<Result<UniqueId, String>> {
        let size = hosts.len() as u32;
        let (put, barrier) = (Arc::default(), Arc::new(Barrier::new(hosts.len())));
        let start = |(rank, host): (u32, &Option<&'static str>)| {
            let (put, barrier, fenced) = (Arc::clone(&put), Arc::clone(&barrier), HashMap::new());
            Threads { rank, size, put, fenced, barrier, host: *host }
        };
        let threads = (0..).zip(hosts).map(start).map(|mut manager| {
            std::thread::spawn(move || {
                let managed = agree_as(&mut manager)?;
                assert_eq!((managed.rank, managed.size), manager.numbers());
                managed.id.ok_or_else(|| "no id".to_owned())
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    }

    /// The threads are processes of one job, so they have one number for it.
    fn agree_as(manager: &mut Threads) -> Result<Managed, String> {
        struct Numbered<'a>(&'a mut Threads);
        fn plain(key: &str) -> String {
            key.split('.').enumerate().filter(|(at, _)| *at != 1).map(|(_, part)| part).collect()
        }
        impl Manager for Numbered<'_> {
            fn numbers(&self) -> (u32, u32) {
                self.0.numbers()
            }
            fn put(&mut self, key: &str, value: &str) -> Result<(), String> {
                self.0.put(&plain(key), value)
            }
            fn fence(&mut self) -> Result<(), String> {
                self.0.fence()
            }
            fn get(&mut self, process: u32, key: &str) -> Result<String, String> {
                self.0.get(process, &plain(key))
            }
        }
        agree(&mut Numbered(manager))
    }

    #[test]
    fn all_get_the_id_of_process_0() {
        let ids = agreed(&[None; 4]);
        let first = ids[0].as_ref().expect("an id");
        assert!(ids.iter().all(|id| id.as_ref() == Ok(first)), "{ids:?}");
        assert!(first.addresses().iter().all(|address| address.ip().is_loopback()), "one host: {first:?}");
    }

    /// Catches an id of a job on several hosts with the loopback address.
    #[test]
    fn other_hosts_can_use_the_id() {
        let ids = agreed(&[Some("a"), Some("a"), Some("b")]);
        match &ids[0] {
            Ok(id) => assert!(id.addresses().iter().all(|address| !address.ip().is_loopback()), "{id:?}"),
            // A machine without a network.
            Err(cause) => assert!(cause.contains("no address for other hosts"), "{cause}"),
        }
    }

    #[test]
    fn a_process_that_does_not_come_is_not_waited_for_for_ever() {
        let (_never, wait) = mpsc::channel::<()>();
        let limit = Duration::from_millis(10);
        let result = within(limit, "PMI", move || wait.recv().map(|()| unreachable!()).map_err(|e| e.to_string()));
        let text = result.err().expect("a limit").to_string();
        assert!(text.contains("have not called") && text.contains("0.01 s"), "{text}");
    }
}
