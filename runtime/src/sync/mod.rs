//! How PEs wait for each other: words in memory that all PEs of a node map, the network between nodes, barriers, teams.

pub(crate) mod active_set;
mod addresses;
pub(crate) mod agreement;
pub(crate) mod call;
#[expect(unsafe_code, reason = "registers a handler of `fork`")]
pub(crate) mod child;
#[expect(unsafe_code, reason = "maps memory that all PEs share")]
pub(crate) mod control;
pub(crate) mod flags;
pub(crate) mod guard;
#[expect(unsafe_code, reason = "puts data that lies in the control area")]
pub(crate) mod level;
mod likely_gpu;
pub(crate) mod meetings;
#[expect(unsafe_code, reason = "registers memory that its callers keep mapped")]
pub(crate) mod network;
#[expect(unsafe_code, reason = "issues operations whose local ends the caller guarantees to be valid")]
pub(crate) mod network_lane;
mod network_watch;
#[expect(unsafe_code, reason = "makes a system call")]
pub(crate) mod park;
#[expect(unsafe_code, reason = "maps memory that kernels write")]
pub(crate) mod pinned;
mod points;
pub(crate) mod probes;
mod region;
mod replica;
mod replicas;
pub(crate) mod sealed;
#[expect(unsafe_code, reason = "advises the system about a mapping")]
pub(crate) mod shared_file;
pub(crate) mod shared_word;
mod silence;
mod slot_set;
pub(crate) mod spin;
pub(crate) mod team;
pub(crate) mod tracker;

use crate::Result;
use crate::job::{Job, Pe};
use control::Control;
use cushmem_bootstrap::env;
use meetings::Meetings;
use network::Network;
use replicas::Replicas;
use spin::WaitPolicy;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use team::{Team, TeamPoint, Teams};

/// Locks a mutex even after a thread panicked while holding it: what this crate's locks guard is consistent after each
/// change.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything that this PE synchronises with.
pub(crate) struct Sync {
    job: Arc<Job>,
    network: Option<Network>,
    control: Control,
    wait_policy: WaitPolicy,
    teams: Teams,
    replicas: Replicas,
    meetings: Arc<Meetings>,
    /// How many barriers of all PEs this PE has entered.
    barriers: AtomicU64,
    /// How long kernels wait in barriers and collectives.
    kernel_limit: Duration,
    /// Whether any PE has set `CUSHMEM_CHECK`.
    check: bool,
}

impl Sync {
    /// Collective: maps the words of all PEs of this node.
    pub(crate) fn create(job: &Arc<Job>, check: bool) -> Result<Self> {
        child::find_children();
        let (limit, kernel_limit) = (env::wait_limit()?, env::kernel_limit()?);
        let wait_policy = WaitPolicy::new(job.my_pe(), job.is_oversubscribed(), job.nodes() > 1, limit);
        let network = Network::start(job, &wait_policy)?;
        let wait_policy = network.as_ref().map_or(wait_policy, |network| network.wait_policy().clone());
        let control = Control::create(job, network.as_ref())?;
        job.bootstrap().share_words(control.said(job.leader(job.my_node())));
        Ok(Self {
            control,
            network,
            wait_policy,
            teams: Teams::new(job),
            replicas: Replicas::default(),
            meetings: Arc::new(Meetings::new(job.teams())),
            barriers: AtomicU64::new(0),
            job: job.clone(),
            kernel_limit,
            check,
        })
    }

    /// The network between nodes, if the job has several.
    #[inline(always)]
    pub(crate) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// The control areas.
    #[inline(always)]
    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// How this PE's threads wait.
    #[inline(always)]
    pub(crate) fn wait_policy(&self) -> &WaitPolicy {
        &self.wait_policy
    }

    /// How long kernels wait in barriers and collectives before they give up.
    pub(crate) fn kernel_limit(&self) -> Duration {
        self.kernel_limit
    }

    /// The predefined teams.
    #[inline(always)]
    pub(crate) fn teams(&self) -> &Teams {
        &self.teams
    }

    /// The barriers of this PE's kernels that the CPU carries out.
    pub(crate) fn meetings(&self) -> &Arc<Meetings> {
        &self.meetings
    }

    #[inline(always)]
    pub(crate) fn me(&self) -> Pe {
        self.job.me()
    }

    /// Returns when all PEs have called it; what they stored before is visible.
    pub(crate) fn meet(&self, operation: &'static str) {
        // Relaxed: only one thread of a PE at a time is in a barrier, and the word is this PE's own.
        self.barriers.store(self.barriers.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.sync_team(operation, self.teams.world());
    }

    /// This PE as a member of a team.
    #[inline(always)]
    pub(crate) fn point<'a>(&'a self, operation: &'static str, team: &'a Team) -> TeamPoint<'a> {
        child::refuse_children(self.me().number(), operation);
        TeamPoint { sync: self, team, operation }
    }
}
