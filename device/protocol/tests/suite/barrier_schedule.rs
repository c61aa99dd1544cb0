//! The barrier's schedule for job sizes that the model checker cannot reach: every PE hears from every PE, directly or
//! through others, and each PE waits for as many signals of a step as are sent to it.

use cushmem_protocol::barrier::{self, MAX_PES, MAX_STEPS, Memory};
use std::cell::RefCell;

/// What a lane does in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Step {
    releases: u32,
    /// The PEs that it signals.
    to: Vec<u32>,
    /// The PEs for which it waits.
    from: Vec<u32>,
}

/// Records what a lane of a PE does, without waiting.
struct Recorder {
    me: u32,
    n: u32,
    lane: u32,
    lanes: u32,
    steps: RefCell<Vec<Step>>,
}

impl Recorder {
    fn with_last(&self, note: impl FnOnce(&mut Step)) {
        note(self.steps.borrow_mut().last_mut().expect("lanes meet first"));
    }
}

impl Memory for Recorder {
    fn lane(&self) -> u32 {
        self.lane
    }
    fn lanes(&self) -> u32 {
        self.lanes
    }
    fn sync_lanes(&self) {
        self.steps.borrow_mut().push(Step::default());
    }
    fn release(&self) {
        self.with_last(|step| step.releases += 1);
    }
    fn signal(&self, pe: u32, step: u32) {
        assert_eq!(self.steps.borrow().len(), step as usize + 1);
        self.with_last(|step| {
            assert_eq!(step.releases, 1, "a signal vouches for what was written before");
            step.to.push(pe);
        });
    }
    fn wait(&self, step: u32, signals: u32, distance: u32) {
        assert_eq!(self.steps.borrow().len(), step as usize + 1);
        let senders = (1..=signals).map(|j| barrier::sender(self.me, self.n, distance, j));
        self.with_last(|step| step.from.extend(senders));
    }
}

fn steps_of_lane(me: u32, n: u32, lane: u32, lanes: u32) -> Vec<Step> {
    let recorder = Recorder { me, n, lane, lanes, steps: RefCell::default() };
    barrier::enter(&recorder, me, n);
    let mut steps = recorder.steps.into_inner();
    assert_eq!(steps.pop(), Some(Step::default()), "lanes meet last");
    steps
}

fn steps(me: u32, n: u32) -> Vec<Step> {
    steps_of_lane(me, n, 0, 1)
}

#[test]
fn every_pe_hears_of_every_pe() {
    for n in (1..=70).chain([100, 255, 256, 257]) {
        let pes: Vec<_> = (0..n).map(|me| steps(me, n)).collect();
        let mut known: Vec<Vec<bool>> = (0..n).map(|me| (0..n).map(|q| q == me).collect()).collect();
        for step in 0..pes[0].len() {
            let before = known.clone();
            for (me, pe) in pes.iter().enumerate() {
                for &to in &pe[step].to {
                    assert!(pes[to as usize][step].from.contains(&(me as u32)), "no PE waits for this signal");
                    for q in 0..n as usize {
                        known[to as usize][q] |= before[me][q];
                    }
                }
                for &from in &pe[step].from {
                    assert!(
                        pes[from as usize][step].to.contains(&(me as u32)),
                        "PE {me} of {n} waits for a signal that is not sent"
                    );
                }
            }
        }
        assert!(known.iter().flatten().all(|&k| k), "{n} PEs: a PE did not hear from every PE");
    }
}

/// Catches a lane that omits its part or does another lane's part, and one that signals before its own release.
#[test]
fn lanes_share_the_signals_and_one_waits() {
    for n in [1, 2, 3, 16, 17, 20, 32, 65] {
        for (me, lanes) in (0..n).flat_map(|me| [(me, 2), (me, 3), (me, 32)]) {
            let by_lane: Vec<_> = (0..lanes).map(|lane| steps_of_lane(me, n, lane, lanes)).collect();
            for (at, alone) in steps(me, n).into_iter().enumerate() {
                let mut to: Vec<u32> = by_lane.iter().flat_map(|steps| steps[at].to.clone()).collect();
                to.sort_unstable();
                let mut expected = alone.to;
                expected.sort_unstable();
                assert_eq!(to, expected, "PE {me} of {n}, {lanes} lanes, step {at}");
                for (lane, step) in by_lane.iter().map(|steps| &steps[at]).enumerate() {
                    // A fence costs more than everything else here.
                    assert_eq!(step.releases, u32::from(!step.to.is_empty()), "lane {lane} of {lanes}");
                    assert_eq!(step.from, if lane == 0 { alone.from.clone() } else { vec![] });
                }
            }
        }
    }
}

#[test]
fn few_pes_meet_in_one_step_and_many_in_few() {
    for (n, expected) in [(1, 0), (2, 1), (16, 1), (17, 3), (64, 3), (65, 4), (1024, 5), (MAX_PES, MAX_STEPS)] {
        assert_eq!(steps(0, n).len(), expected as usize, "{n} PEs");
    }
}
