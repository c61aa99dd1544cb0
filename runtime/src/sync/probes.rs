//! Questions to PEs of other nodes for which threads of this PE wait.
//!
//! Only an operation that is under way to a PE shows that it has fallen silent (`silence.rs`). A thread that waits for
//! a PE's flag, or for what the PE carries out, may have nothing under way to it: the PE had answered everything. So
//! each long wait asks the PEs that are late for a word ([`Probes::ask`]), unless something is under way to them.
//!
//! *Nobody waits for an answer*, because it may not come as long as the PE is stopped. So these questions have lanes of
//! their own, and no quiet or fence waits for them. A lane takes new operations only as long as its oldest ones are
//! complete, so if it is full behind the question to a PE that is stopped, another lane takes those to the others.
//!
//! *At the end of the job* a question must not be under way to a PE that leaves. So each PE waits for the answers when
//! all PEs have completed their operations, and for nobody afterwards ([`Probes::await_answers`]).

use crate::error::Result;
use crate::job::Pe;
use crate::sync::locked;
use crate::sync::network_lane::NetLane;
use crate::sync::spin::WaitPolicy;
use cushmem_net::Nic;
use std::sync::{Arc, Mutex, Weak};

/// See the module's documentation.
pub(crate) struct Probes {
    /// It ends with the network, although threads may still hold this.
    nic: Weak<Nic>,
    me: u32,
    /// By PE: whether it is on another node.
    is_far: Box<[bool]>,
    /// How a thread waits for answers, without asking for others.
    wait_policy: WaitPolicy,
    /// None at the end of the job.
    lanes: Mutex<Option<Vec<Arc<NetLane>>>>,
}

impl Probes {
    pub(super) fn new(
        nic: &Arc<Nic>,
        me: u32,
        is_far: impl IntoIterator<Item = bool>,
        wait_policy: WaitPolicy,
    ) -> Self {
        let is_far = is_far.into_iter().collect();
        Self { nic: Arc::downgrade(nic), me, is_far, wait_policy, lanes: Mutex::new(Some(vec![])) }
    }

    /// Makes sure that something is under way to each of these PEs that is on another node. Waits for nothing.
    pub(super) fn ask(&self, pes: &[u32]) {
        let far = |pe: &&u32| self.is_far.get(**pe as usize).is_some_and(|is_far| *is_far);
        if !pes.iter().any(|pe| far(&pe)) {
            return;
        }
        let Some(nic) = self.nic.upgrade() else { return };
        // Another thread must not ask the same PE.
        let mut lanes = locked(&self.lanes);
        let Some(lanes) = &mut *lanes else { return };
        let under_way = nic.under_way();
        for &pe in pes.iter().filter(far).filter(|pe| under_way.iter().all(|operation| operation.peer != **pe)) {
            if !lanes.iter().any(|lane| lane.try_probe(Pe::member(pe))) {
                let lane = NetLane::new(nic.lane(), self.me, nic.promises(), self.wait_policy.clone());
                lane.try_probe(Pe::member(pe));
                lanes.push(Arc::new(lane));
            }
        }
    }

    /// Waits until all PEs have answered; returns the first error. Nobody is asked any more.
    pub(super) fn await_answers(&self) -> Result<()> {
        let lanes = locked(&self.lanes).take();
        lanes.iter().flatten().map(|lane| lane.drain()).fold(Ok(()), Result::and)
    }

    /// Fails if a PE cannot answer.
    pub(super) fn check(&self) -> Result<()> {
        locked(&self.lanes).iter().flatten().try_for_each(|lane| lane.check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_net::{Loopback, MOST_UNDER_WAY, Profile, Provider, Settings, UnderWay};
    use std::time::{Duration, Instant};

    /// This PE is 0, and 3 is on its node. PE 1 answers nothing. Questions to PE 2 fail at once.
    fn with_probes(test: impl Fn(&Nic, &Probes)) {
        let faults = "0,silent=1@0".parse().ok();
        let loopback = Loopback::new(Settings { profile: Profile::Tcp, faults }, 0);
        let nic = Arc::new(Nic::over(Provider::Loopback(loopback), Duration::ZERO).unwrap());
        let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
        let probes = Probes::new(&nic, 0, [false, true, true, false], wait_policy);
        test(&nic, &probes);
        nic.lost(1, "the test is over");
    }

    /// What is under way, once the network has taken it.
    fn under_way(nic: &Nic) -> Vec<UnderWay> {
        let limit = Instant::now() + Duration::from_secs(60);
        std::iter::repeat_with(|| nic.under_way()).find(|all| !all.is_empty() || Instant::now() > limit).unwrap()
    }

    #[test]
    fn only_pes_of_other_nodes_are_asked_and_each_only_once() {
        with_probes(|nic, probes| {
            probes.ask(&[0, 3]);
            assert!(locked(&probes.lanes).as_ref().unwrap().is_empty());
            probes.ask(&[3, 1, 0]);
            assert_eq!(under_way(nic).iter().map(|operation| operation.peer).collect::<Vec<_>>(), [1]);
            probes.ask(&[1]);
            probes.ask(&[1, 1]);
            let posted: Vec<_> = locked(&probes.lanes).iter().flatten().map(|lane| lane.posted()).collect();
            assert_eq!(posted, [1]);
        });
    }

    /// Catches a question to a PE that never comes to be posted, because another one stands before it.
    #[test]
    fn a_pe_that_does_not_answer_keeps_nobody_from_being_asked() {
        with_probes(|nic, probes| {
            probes.ask(&[1]);
            under_way(nic);
            let posted = || locked(&probes.lanes).iter().flatten().map(|lane| lane.posted()).sum::<u64>();
            let limit = Instant::now() + Duration::from_secs(60);
            // More than a lane takes.
            while posted() <= 1 + MOST_UNDER_WAY && Instant::now() < limit {
                probes.ask(&[2]);
            }
            assert!(posted() > 1 + MOST_UNDER_WAY);
        });
    }

    #[test]
    fn nobody_is_asked_at_the_end_of_the_job() {
        with_probes(|nic, probes| {
            probes.await_answers().unwrap();
            probes.ask(&[1]);
            assert!(nic.under_way().is_empty() && locked(&probes.lanes).is_none());
        });
    }
}
