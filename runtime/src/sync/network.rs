//! The network between nodes: this PE's handle of it (`cushmem_net::Nic`), with which it registers the segments of all
//! PEs, and the list of its lanes ([`NetLane`]). Each context has a lane, collectives have one, and so does the thread
//! that carries out atomic operations for other nodes.
//!
//! *When a PE dies*, the launcher ends the job; a network that notices earlier fails the operation. As most operations
//! are not waited for, a thread of the library looks for failures on all lanes ([`Watch`]), and ends the job.

use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::sync::locked;
use crate::sync::network_lane::{NetLane, Region};
use crate::sync::spin::WaitPolicy;
use cushmem_net::{Loopback, Memory, Nic, ProcessMemory, Profile, Provider, Settings};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// This PE's handle of the network.
pub(crate) struct Network {
    nic: Nic,
    profile: Profile,
    wait_policy: WaitPolicy,
    lanes: Arc<Mutex<Vec<Weak<NetLane>>>>,
    /// The lane of collectives.
    collective: Arc<NetLane>,
}

/// How long the network's thread spins for work before it sleeps, if it has a core of its own.
const SPIN: Duration = Duration::from_micros(50);

impl Network {
    /// Starts the network of a job of several nodes. Returns `None` if the job has one node.
    pub(crate) fn start(job: &Job, wait_policy: WaitPolicy) -> Result<Option<Self>> {
        if job.nodes() == 1 {
            return Ok(None);
        }
        let operation = "start the network between nodes";
        let value = cushmem_environment::net()?;
        let wrong = |why: String| {
            let variable = cushmem_environment::NET.name;
            Error::new(operation, Cause::Environment(format!("{variable}='{value}': {why}")))
        };
        let valid = "valid are loopback:verbs, loopback:tcp and loopback:efa, and :SEED after them";
        let loopback = value.strip_prefix("loopback:").ok_or_else(|| wrong(valid.into()))?;
        let settings: Settings = loopback.parse().map_err(|why: cushmem_net::BadSettings| wrong(why.to_string()))?;
        let profile = settings.profile;
        let spin = if job.is_oversubscribed() { Duration::ZERO } else { SPIN };
        let nic = Nic::over(Provider::Loopback(Loopback::new(settings, job.my_pe())), spin)
            .map_err(|error| Error::new(operation, Cause::System(error.to_string())))?;
        let collective = Arc::new(NetLane::new(nic.lane(), job.my_pe(), profile, wait_policy));
        let lanes = Arc::new(Mutex::new(vec![Arc::downgrade(&collective)]));
        Ok(Some(Self { nic, profile, wait_policy, lanes, collective }))
    }

    /// Registers a region of all PEs. The regions of a node are in its file from `start` on, in the order of places:
    /// each has `bytes` bytes, and they are `stride` bytes apart.
    pub(crate) fn register(
        &self,
        job: &Job,
        region: Region,
        files: &[Arc<OwnedFd>],
        start: u64,
        stride: u64,
        bytes: u64,
    ) -> Result<()> {
        for pe in job.pes() {
            let (node, place) = (job.node(pe), job.place_there(pe));
            let memory =
                Memory { file: files[node as usize].clone(), offset: start + u64::from(place) * stride, bytes };
            self.learn(pe, region, &memory.card())?;
        }
        Ok(())
    }

    /// Registers a region that only the first PE of each node has, at the start of the node's file.
    pub(crate) fn register_once(&self, job: &Job, region: Region, files: &[Arc<OwnedFd>], bytes: u64) -> Result<()> {
        for (node, file) in files.iter().enumerate() {
            let memory = Memory { file: file.clone(), offset: 0, bytes };
            self.learn(job.leader(node as u32), region, &memory.card())?;
        }
        Ok(())
    }

    /// Registers a region that a PE of another node has in a file of its own.
    pub(crate) fn register_file(&self, pe: Pe, region: Region, file: OwnedFd, bytes: u64) -> Result<()> {
        self.learn(pe, region, &Memory { file: Arc::new(file), offset: 0, bytes }.card())
    }

    /// Registers a region in the process of a PE of another node.
    pub(crate) fn register_process(&self, pe: Pe, region: Region, memory: ProcessMemory) -> Result<()> {
        self.learn(pe, region, &memory.card())
    }

    /// Forgets a region of all PEs. No operation on it may be in flight.
    pub(crate) fn forget(&self, region: Region) {
        self.nic.forget(region.number(), 0);
    }

    fn learn(&self, pe: Pe, region: Region, card: &[u8]) -> Result<()> {
        let wrong = |why| Error::new("exchange memory between nodes", Cause::Mismatch(why));
        self.nic.learn(pe.number(), region.number(), 0, card).map_err(wrong)
    }

    /// The failures of all lanes, for a thread that looks for them.
    pub(crate) fn watch(&self) -> Watch {
        Watch(self.lanes.clone())
    }

    /// A new lane.
    pub(crate) fn lane(&self) -> Arc<NetLane> {
        let lane = Arc::new(NetLane::new(self.nic.lane(), self.collective.me, self.profile, self.wait_policy));
        let mut lanes = locked(&self.lanes);
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(&lane));
        lane
    }

    /// The lane of collectives.
    pub(crate) fn collective(&self) -> &NetLane {
        &self.collective
    }

    /// Waits until everything that this PE posted has arrived; returns the first error.
    pub(crate) fn drain_all(&self) -> Result<()> {
        // Not locked during the waits, because other threads may create lanes.
        let lanes: Vec<_> = locked(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().map(|lane| lane.drain()).fold(Ok(()), Result::and)
    }

    /// Waits until everything that was posted before a fence, on any lane, has arrived; returns the first error.
    pub(crate) fn drain_fenced(&self) -> Result<()> {
        let lanes: Vec<_> = locked(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().filter(|lane| lane.waits_for_fence()).map(|lane| lane.drain()).fold(Ok(()), Result::and)
    }
}

/// The lanes of a network, to look for failures.
pub(crate) struct Watch(Arc<Mutex<Vec<Weak<NetLane>>>>);

impl Watch {
    /// The first failure that is found. Something that was posted will never arrive, and whoever waits for it would
    /// wait for ever.
    pub(crate) fn failure(&self) -> Result<()> {
        let lanes: Vec<_> = locked(&self.0).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().try_for_each(|lane| lane.check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::network_lane::RemoteAddr;

    const FAR: RemoteAddr = RemoteAddr { pe: Pe::member(1), region: Region::Host, at: 0 };

    impl Network {
        /// The network of a PE that reaches nobody. No wait for an operation succeeds.
        pub(crate) fn alone(wait_policy: WaitPolicy) -> Self {
            let profile = Profile::Verbs;
            let loopback = Loopback::new(Settings { profile, faults: None }, 0);
            let nic = Nic::over(Provider::Loopback(loopback), Duration::ZERO).unwrap();
            let collective = Arc::new(NetLane::new(nic.lane(), 0, profile, wait_policy));
            Self { nic, profile, wait_policy, lanes: Arc::default(), collective }
        }
    }

    /// Catches an atomic operation behind a fence that also waits for lanes of other contexts, or of the library.
    #[test]
    fn only_what_is_before_a_fence_is_waited_for() {
        let network = Network::alone(WaitPolicy::new(0, false, true, Duration::from_secs(60)));
        let lanes = [network.lane(), network.lane()];
        // Nobody has registered the region, so a wait for this fails.
        lanes[1].put_inline(FAR, &[7; 8]).unwrap();
        lanes[0].note_fence();
        network.drain_fenced().unwrap();
        lanes[1].note_fence();
        assert!(network.drain_fenced().is_err());
    }
}
