//! The PEs of the job: this one, the others, and which of them share this node's memory.

pub(crate) mod config;
#[expect(unsafe_code, reason = "registers a handler for the end of the first thread")]
mod last_thread;
pub(crate) mod pe_set;
#[expect(unsafe_code, reason = "opens a profiler's library, and calls its functions")]
pub(crate) mod ranges;
#[expect(unsafe_code, reason = "maps memory that the launcher shares, and reads the clock")]
pub(crate) mod record;
mod settings;

pub(crate) use config::HugePages;
pub(crate) use settings::Settings;

use crate::error::Cause;
use crate::{Error, Result};
use config::Config;
use cushmem_bootstrap::{Bootstrap, UniqueId};
use cushmem_environment::log;
use cushmem_environment::log::{Level, is_on, set_place};

/// How this process finds its job.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// Through the launcher that started the process.
    Launched,
    /// With a unique id, as PE `pe` of `n_pes`.
    WithId { pe: u32, n_pes: u32, id: UniqueId },
}

/// A PE of this job. Only [`Job::pe`] and the sets of PEs create it, so its number is below the number of PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pe(u32);

impl Pe {
    /// A member of a set. The set was checked when it was made.
    #[inline(always)]
    pub(crate) const fn member(number: u32) -> Self {
        Self(number)
    }

    /// Its number in the job.
    #[inline(always)]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// Its number, as an index into tables with an entry for each PE.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// This PE's connection to the job, and where each PE is.
///
/// A PE's *place* is its position among the PEs of its node. It determines where the PE's segments lie in the node's
/// windows. PEs of a node may have any numbers (`shmemrun --map`), so a place says nothing about a number.
pub(crate) struct Job {
    bootstrap: Bootstrap,
    me: Pe,
    n_pes: u32,
    /// By PE: its node and its place there.
    places: Box<[(u32, u32)]>,
    /// By node: the PE at place 0.
    leaders: Box<[Pe]>,
    /// The number of hosts. Each has the same number of nodes.
    hosts: u32,
    teams: u16,
}

impl Job {
    /// Joins the job. Also returns the settings of all PEs. Collective.
    pub(crate) fn join(start: &Start, config: &Config) -> Result<(Self, Vec<Settings>)> {
        last_thread::watch();
        let bootstrap = match start {
            Start::Launched => Bootstrap::from_env(),
            Start::WithId { pe, n_pes, id } => Bootstrap::with_id(*pe, *n_pes, id),
        }?;
        let (my_pe, n_pes) = (bootstrap.job().my_pe, bootstrap.job().n_pes);
        record::begin((my_pe, n_pes), matches!(start, Start::Launched))?;
        if my_pe == 0 {
            config::warn();
            config::announce();
        }
        let all = Settings::new(config, bootstrap.job()).exchange(&bootstrap)?;
        let places = settings::places(&all)?;
        let mut leaders = vec![Pe(0); places.iter().map(|(node, _)| node + 1).max().unwrap_or(0) as usize];
        for (pe, (node, _)) in places.iter().enumerate().filter(|(_, (_, place))| *place == 0) {
            leaders[*node as usize] = Pe(pe as u32);
        }
        set_place(my_pe, places[my_pe as usize].0);
        let hosts = settings::hosts(&all);
        let job = Self { bootstrap, me: Pe(my_pe), n_pes, places, leaders: leaders.into(), hosts, teams: config.teams };
        Ok((job, all))
    }

    /// The rendezvous.
    #[inline]
    pub(crate) fn bootstrap(&self) -> &Bootstrap {
        &self.bootstrap
    }

    /// This PE.
    #[inline(always)]
    pub(crate) fn me(&self) -> Pe {
        self.me
    }

    /// This PE's number.
    #[inline(always)]
    pub(crate) fn my_pe(&self) -> u32 {
        self.me.0
    }

    /// The number of PEs in the job.
    #[inline(always)]
    pub(crate) fn n_pes(&self) -> u32 {
        self.n_pes
    }

    /// The PE with this number, if there is one.
    #[inline(always)]
    pub(crate) fn pe(&self, number: u32) -> Option<Pe> {
        (number < self.n_pes).then_some(Pe(number))
    }

    /// All PEs, in the order of their numbers.
    pub(crate) fn pes(&self) -> impl Iterator<Item = Pe> + use<> {
        (0..self.n_pes).map(Pe)
    }

    /// The node of a PE.
    #[inline]
    pub(crate) fn node(&self, pe: Pe) -> u32 {
        self.places[pe.index()].0
    }

    /// This PE's node.
    pub(crate) fn my_node(&self) -> u32 {
        self.node(self.me)
    }

    /// The number of nodes of the job.
    pub(crate) fn nodes(&self) -> u32 {
        self.leaders.len() as u32
    }

    /// The number of teams that a PE can be a member of.
    pub(crate) fn teams(&self) -> usize {
        self.teams.into()
    }

    /// The number of hosts of the job.
    pub(crate) fn hosts(&self) -> u32 {
        self.hosts
    }

    /// The host of a PE.
    pub(crate) fn host(&self, pe: Pe) -> u32 {
        self.node(pe) / (self.nodes() / self.hosts)
    }

    /// The PE at place 0 of a node.
    pub(crate) fn leader(&self, node: u32) -> Pe {
        self.leaders[node as usize]
    }

    /// The place of a PE on its own node.
    pub(crate) fn place_there(&self, pe: Pe) -> u32 {
        self.places[pe.index()].1
    }

    /// The place of a PE on this node, or `None` if it is on another node.
    pub(crate) fn place(&self, pe: Pe) -> Option<u32> {
        let (node, place) = self.places[pe.index()];
        (node == self.my_node()).then_some(place)
    }

    /// The PEs that have this PE's place on their nodes.
    pub(crate) fn same_place(&self) -> Vec<u32> {
        let place = |pe: Pe| self.places[pe.index()].1;
        self.pes().filter(|pe| place(*pe) == place(self.me)).map(Pe::number).collect()
    }

    /// The number of PEs on this node.
    pub(crate) fn node_pes(&self) -> u32 {
        self.pes().filter(|pe| self.node(*pe) == self.my_node()).count() as u32
    }

    /// A table of addresses by PE: `of_place` for the PEs of this node, 0 for all others.
    pub(crate) fn by_pe(&self, of_place: impl Fn(u32) -> usize) -> Box<[usize]> {
        self.pes().map(|pe| self.place(pe).map_or(0, &of_place)).collect()
    }

    /// Collective: fails unless a step that every PE has tried has succeeded on all of them. `own` is the reason why it
    /// failed on this PE. The error names the first PE on which it failed.
    pub(crate) fn agree(&self, operation: &str, own: std::result::Result<(), String>) -> Result<()> {
        let own = own.err().unwrap_or_default();
        // If this call fails, others may continue with something that this PE does not have, so the job must end.
        let all = self.bootstrap.allgather("agreement", own.as_bytes());
        let all = all.unwrap_or_else(|error| self.bootstrap.abort(1, &format!("{operation}: {error}")));
        let Some((pe, why)) = all.iter().enumerate().find(|(_, why)| !why.is_empty()) else { return Ok(()) };
        let why = String::from_utf8_lossy(why).into_owned();
        Err(Error::new(operation.to_owned(), Cause::OnPe { pe: pe as u32, why }))
    }

    /// Ends the job because of an error that leaves the others waiting in a collective call.
    #[cold]
    pub(crate) fn end(&self, routine: &str, error: &Error) -> ! {
        // An error of the routine itself begins with its name.
        let text = if error.operation() == routine { error.to_string() } else { format!("{routine}: {error}") };
        self.bootstrap.abort(1, &text)
    }

    /// Whether the PEs of this node share cores.
    pub(crate) fn is_oversubscribed(&self) -> bool {
        self.bootstrap.job().oversubscribed
    }

    /// Prints a line if `SHMEM_DEBUG` or `CUSHMEM_LOG` asks for it.
    pub(crate) fn debug(&self, what: impl FnOnce() -> String) {
        if is_on(Level::Debug, module_path!()) {
            log!(Debug, "PE {} of {}: {}", self.my_pe(), self.n_pes, cushmem_environment::printable(&what()));
        }
    }
}

/// Reads the settings of this process.
pub(crate) fn config() -> Result<Config> {
    Config::from_env()
}
