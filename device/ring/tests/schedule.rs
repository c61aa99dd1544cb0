//! The barrier's schedule for job sizes that the model checker cannot reach: every PE hears, directly or through others,
//! from every PE, and no word has two writers.

use cushmem_ring::barrier::{self, Memory};
use std::cell::RefCell;
use std::collections::HashMap;

/// The PEs and words that are signalled, and those that are waited for.
type Step = (Vec<(u32, u32)>, Vec<(u32, u32)>);

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
    fn signal(&self, pe: u32, step: u32, j: u32) {
        self.steps.borrow_mut().last_mut().unwrap().0.push((pe, barrier::word(step, j)));
    }
    fn wait(&self, step: u32, signals: u32, distance: u32) {
        let mut steps = self.steps.borrow_mut();
        steps
            .last_mut()
            .unwrap()
            .1
            .extend((1..=signals).map(|j| (barrier::sender(self.me, self.n, distance, j), barrier::word(step, j))));
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
        let mut writer = HashMap::new();
        let mut known: Vec<Vec<bool>> = (0..n).map(|me| (0..n).map(|q| q == me).collect()).collect();
        for step in 0..pes[0].len() {
            let before = known.clone();
            for (me, pe) in pes.iter().enumerate() {
                for &(to, slot) in &pe[step].0 {
                    assert!(slot < barrier::MAX_WORDS, "word {slot} of {n} PEs is out of range");
                    assert!(writer.insert((to, slot), me).is_none_or(|w| w == me), "two writers of one word, {n} PEs");
                    assert!(pes[to as usize][step].1.contains(&(me as u32, slot)), "nobody waits for this signal");
                    for q in 0..n as usize {
                        known[to as usize][q] |= before[me][q];
                    }
                }
                for &(from, slot) in &pe[step].1 {
                    assert!(pes[from as usize][step].0.contains(&(me as u32, slot)), "PE {me} of {n} waits for nobody");
                }
            }
        }
        assert!(known.iter().flatten().all(|&k| k), "{n} PEs: somebody did not hear from somebody");
    }
}
