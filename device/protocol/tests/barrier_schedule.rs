//! The barrier's schedule for job sizes that the model checker cannot reach: every PE hears, directly or through others,
//! from every PE, and everybody waits for as many signals of a step as are sent to it.

use cushmem_protocol::barrier::{self, Memory};
use std::cell::RefCell;

/// The PEs that are signalled, and those that are waited for.
type Step = (Vec<u32>, Vec<u32>);

/// Records what a PE does, without waiting.
struct Recorder {
    me: u32,
    n: u32,
    steps: RefCell<Vec<Step>>,
}

impl Memory for Recorder {
    fn lane(&self) -> u32 {
        0
    }
    fn lanes(&self) -> u32 {
        1
    }
    fn sync_lanes(&self) {
        self.steps.borrow_mut().push((vec![], vec![]));
    }
    fn release(&self) {}
    fn signal(&self, pe: u32, _step: u32) {
        self.steps.borrow_mut().last_mut().unwrap().0.push(pe);
    }
    fn wait(&self, _step: u32, signals: u32, distance: u32) {
        let senders = (1..=signals).map(|j| barrier::sender(self.me, self.n, distance, j));
        self.steps.borrow_mut().last_mut().unwrap().1.extend(senders);
    }
}

#[test]
fn every_pe_hears_of_every_pe() {
    for n in (1..=70).chain([100, 255, 256, 257]) {
        let pes: Vec<_> = (0..n)
            .map(|me| {
                let r = Recorder { me, n, steps: RefCell::default() };
                barrier::enter(&r, me, n);
                r.steps.into_inner()
            })
            .collect();
        let mut known: Vec<Vec<bool>> = (0..n).map(|me| (0..n).map(|q| q == me).collect()).collect();
        for step in 0..pes[0].len() {
            let before = known.clone();
            for (me, pe) in pes.iter().enumerate() {
                for &to in &pe[step].0 {
                    assert!(pes[to as usize][step].1.contains(&(me as u32)), "no PE waits for this signal");
                    for q in 0..n as usize {
                        known[to as usize][q] |= before[me][q];
                    }
                }
                for &from in &pe[step].1 {
                    assert!(
                        pes[from as usize][step].0.contains(&(me as u32)),
                        "PE {me} of {n} waits for a signal that is not sent"
                    );
                }
            }
        }
        assert!(known.iter().flatten().all(|&k| k), "{n} PEs: a PE did not hear from every PE");
    }
}
