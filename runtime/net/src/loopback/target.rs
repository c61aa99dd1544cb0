//! The processes of peers, for a network on which they have to poll. A process polls as long as it runs.

use crate::Process;
use std::time::{Duration, Instant};

/// How long the answer of the system is believed.
const AGAIN: Duration = Duration::from_millis(1);

/// By peer: its process. A peer without one is taken for one that polls.
#[derive(Default)]
pub(crate) struct Targets(Vec<Option<Target>>);

struct Target {
    process: u32,
    /// What it was doing, and when.
    seen: Option<(Process, Instant)>,
}

impl Targets {
    /// How many peers there are.
    pub(crate) fn peers(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn add(&mut self, processes: Vec<u32>) {
        self.0.extend(processes.into_iter().map(|process| Some(Target { process, seen: None })));
    }

    /// What a peer does now, or did a moment ago.
    pub(crate) fn look(&mut self, peer: u32, now: Instant) -> Process {
        let Some(Some(Target { process, seen })) = self.0.get_mut(peer as usize) else { return Process::Runs };
        match *seen {
            Some((state, then)) if now < then + AGAIN => state,
            _ => seen.insert((Process::of(*process), now)).0,
        }
    }

    /// When to look again at a peer that does not poll.
    pub(crate) fn next_look(&self, peer: u32) -> Option<Instant> {
        match self.0.get(peer as usize)?.as_ref()?.seen? {
            (Process::Runs, _) => None,
            (_, then) => Some(then + AGAIN),
        }
    }

    /// Operations for a peer that is lost do not wait for it.
    pub(crate) fn lose(&mut self, peer: u32) {
        if let Some(target) = self.0.get_mut(peer as usize) {
            *target = None;
        }
    }
}
