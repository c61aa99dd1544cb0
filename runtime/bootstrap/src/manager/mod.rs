//! Process managers of other projects: Open MPI's mpirun, Slurm's srun, MPICH's mpiexec, flux. They give each process a
//! number, and keys and values that all processes of the job can read, by PMIx ([`pmix`]) or PMI ([`pmi`]).
//!
//! That is enough for a unique id to travel. Process 0 makes one, and all join with it as they would without a manager:
//!
//! ```text
//!   all:       put the name of this host     fence
//!   process 0: get the hosts, make an id that processes of all of them can use, put it and its addresses
//!   all:       fence, get what process 0 has put, join
//! ```
//!
//! The id is as secret as the manager keeps its values. Two processes share memory if their own answers about the host
//! are equal: managers number and name hosts each in its own way.

mod pmi;
#[expect(unsafe_code, reason = "calls a C library that is opened at run time")]
mod pmix;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use cushmem_environment as environment;
use cushmem_environment::MAX_PES;

use crate::env;
use crate::error::{BootstrapError, Seconds};
use crate::meeting::{Place, Reach};
use crate::node;
use crate::unique_id::{hex, mark};
use pmi::Pmi;
use pmix::Pmix;

/// What process 0 puts in place of an id that it could not make.
const NO_ID: &str = "none";
/// The keys. Each is put once in the life of a process: later jobs use the same id.
const ID: &str = "cushmem.id";
fn host_of(process: u32) -> String {
    format!("cushmem.host.{process}")
}

/// What the manager has told this process. Later jobs of the same processes meet at the same place, and MPI may have
/// taken leave of the manager by then.
static TOLD: Mutex<Option<Managed>> = Mutex::new(None);

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
#[derive(Clone, Debug)]
pub(crate) struct Managed {
    pub(crate) rank: u32,
    pub(crate) size: u32,
    /// Where the processes meet, unless this process is the only one.
    pub(crate) place: Option<Place>,
}

/// Asks the process manager that has started this process. `None` if there is none.
pub(crate) fn ask(limit: Duration) -> Result<Option<Managed>, BootstrapError> {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.is_none() {
        *told = ask_now(limit)?;
    }
    Ok(told.clone())
}

fn ask_now(limit: Duration) -> Result<Option<Managed>, BootstrapError> {
    let is_set = |variable: &environment::Variable| -> Result<bool, BootstrapError> {
        Ok(env::text(variable.name)?.is_some_and(|text| !text.is_empty()))
    };
    let has_pmix = is_set(&environment::PMIX_NAMESPACE)? && is_set(&environment::PMIX_RANK)?;
    if is_set(&environment::PMI_FD)? {
        // Started through PMI by something that was itself started through PMIx, or the other way round: the variables
        // of the outer manager are inherited, its connection is not.
        match pmi::Environment::read() {
            Ok(found) if !has_pmix || found.is_connected() => {
                return within(limit, "PMI", move |waits| agree(&mut Pmi::connect(&found)?, waits)).map(Some);
            }
            Err(error) if !has_pmix => return Err(error),
            _ => {}
        }
    }
    if has_pmix {
        return within(limit, "PMIx", |waits| agree(&mut Pmix::connect()?, waits)).map(Some);
    }
    Ok(None)
}

/// Runs a conversation with a manager, whose calls have no limit of their own, in a thread that is left behind after
/// the limit. The process ends then.
fn within(
    limit: Duration,
    protocol: &'static str,
    run: impl FnOnce(&dyn Fn()) -> Result<Managed, String> + Send + 'static,
) -> Result<Managed, BootstrapError> {
    let is_waiting = Arc::new(AtomicBool::new(false));
    let of_thread = is_waiting.clone();
    let (done, result) = mpsc::channel();
    let thread = Builder::new().name("cushmem-manager".into());
    let run = move || {
        // Relaxed: it only chooses a message.
        let waits = || of_thread.store(true, Ordering::Relaxed);
        // The receiver may have gone: nobody waits for a result after the limit.
        drop(done.send(run(&waits)));
    };
    let meeting = |cause| BootstrapError::Meeting { cause };
    cushmem_thread::start(thread, run).map_err(|error| meeting(format!("start a thread: {error}")))?;
    match result.recv_timeout(limit) {
        Ok(result) => result.map_err(|cause| meeting(format!("the process manager ({protocol}): {cause}"))),
        // Relaxed: as above.
        Err(RecvTimeoutError::Timeout) if is_waiting.load(Ordering::Relaxed) => Err(meeting(format!(
            "the process manager ({protocol}) has not connected the processes after {}: some of them have not called \
             shmem_init; it does not say which",
            Seconds(limit)
        ))),
        _ => Err(meeting(format!(
            "the process manager ({protocol}), whose variables this process has, has not answered after {}",
            Seconds(limit)
        ))),
    }
}

/// Agrees on a place with the other processes. Collective; calls `waits` before it waits for them.
fn agree(manager: &mut impl Manager, waits: &dyn Fn()) -> Result<Managed, String> {
    let (rank, size) = manager.numbers();
    if size == 0 || size > MAX_PES || rank >= size {
        let last = size.clamp(1, MAX_PES) - 1;
        return Err(format!(
            "process {rank} of {size}: there may be 1 to {MAX_PES}, the numbers of {size} are 0 to {last}"
        ));
    }
    if size == 1 {
        return Ok(Managed { rank, size, place: None });
    }
    manager.put(&host_of(rank), &hex(&mark(&node::identity())))?;
    waits();
    manager.fence()?;
    let mut failure = None;
    if rank == 0 {
        let made = Place::create(if is_one_host(manager)? { Reach::Host } else { Reach::Hosts });
        failure = made.as_ref().err().map(ToString::to_string);
        manager.put(ID, &made.map_or_else(|_| NO_ID.to_owned(), |place| place.to_string()))?;
    }
    manager.fence()?;
    if let Some(failure) = failure {
        return Err(format!("make a unique id: {failure}"));
    }
    let text = manager.get(0, ID)?;
    if text == NO_ID {
        return Err("process 0 could not make a unique id; its own message says why".into());
    }
    let place = text.parse().map_err(|cause| format!("the value {ID} of process 0: {cause}"))?;
    Ok(Managed { rank, size, place: Some(place) })
}

/// Whether all processes are on the host of process 0, which this one is.
fn is_one_host(manager: &mut impl Manager) -> Result<bool, String> {
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

    fn agreed(hosts: &[Option<&'static str>]) -> Vec<Result<Place, String>> {
        let size = hosts.len() as u32;
        let (put, barrier) = (Arc::default(), Arc::new(Barrier::new(hosts.len())));
        let start = |(rank, host): (u32, &Option<&'static str>)| {
            let (put, barrier, fenced) = (Arc::clone(&put), Arc::clone(&barrier), HashMap::new());
            Threads { rank, size, put, fenced, barrier, host: *host }
        };
        let threads = (0..).zip(hosts).map(start).map(|mut manager| {
            std::thread::spawn(move || {
                let managed = agree(&mut manager, &|| ())?;
                assert_eq!((managed.rank, managed.size), manager.numbers());
                managed.place.ok_or_else(|| "no place".to_owned())
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    }

    #[test]
    fn all_get_the_id_of_process_0() {
        let places = agreed(&[None; 4]);
        let first = places[0].as_ref().expect("a place");
        assert!(places.iter().all(|place| place.as_ref() == Ok(first)), "{places:?}");
        assert!(first.addresses.iter().all(|address| address.ip().is_loopback()), "one host: {first:?}");
    }

    /// Catches an id of a job on several hosts with the loopback address.
    #[test]
    fn other_hosts_can_use_the_id() {
        let places = agreed(&[Some("a"), Some("a"), Some("b")]);
        match &places[0] {
            Ok(place) => assert!(place.addresses.iter().all(|address| !address.ip().is_loopback()), "{place:?}"),
            // A machine without a network.
            Err(cause) => assert!(cause.contains("no address for other hosts"), "{cause}"),
        }
    }

    #[test]
    fn what_does_not_come_is_not_waited_for_for_ever() {
        for (is_waiting, text) in [(false, "has not answered"), (true, "have not called shmem_init")] {
            let (_never, wait) = mpsc::channel::<()>();
            let limit = Duration::from_millis(100);
            let result = within(limit, "PMI", move |waits| {
                if is_waiting {
                    waits();
                }
                wait.recv().map(|()| unreachable!()).map_err(|e| e.to_string())
            });
            let found = result.map(drop).expect_err("a limit").to_string();
            assert!(found.contains(text) && found.contains("0.1 s"), "{found}");
        }
    }

    #[test]
    fn wrong_numbers_are_named_with_their_range() {
        let manager = |rank, size| Threads {
            rank,
            size,
            put: Arc::default(),
            fenced: HashMap::new(),
            barrier: Arc::new(Barrier::new(1)),
            host: None,
        };
        let text = agree(&mut manager(3, 1), &|| ()).expect_err("no number of one process");
        assert!(text.contains("process 3 of 1") && text.contains("0 to 0"), "{text}");
        assert!(agree(&mut manager(0, 0), &|| ()).is_err() && agree(&mut manager(0, MAX_PES + 1), &|| ()).is_err());
        let alone = agree(&mut manager(0, 1), &|| ()).expect("one process");
        assert!(alone.place.is_none());
    }
}
