//! What the PEs of all hosts have recorded, at the launcher that the user started.

use std::time::Instant;

use cushmem_bootstrap::PeList;
use cushmem_record::{Host, Reading};

use super::Head;
use crate::hosts::clock::Clocks;
use crate::hosts::frame::Frame;
use crate::supervisor::{Known, Records};

/// How many bytes of records may be on their way from a host.
const WINDOW: u32 = 1 << 20;

/// The records of all PEs, and how far they have come.
pub struct Recorded {
    records: Records,
    /// The clocks of hosts, for a timeline.
    clocks: Option<Clocks>,
    /// By host: how far its records have come.
    hosts: Vec<Coming>,
    /// Whether a signal has stopped them.
    is_stopped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Coming {
    /// Its PEs run.
    NotYet,
    /// They have ended, and its clock is compared.
    Asked,
    /// Its records are on their way.
    Sending,
    /// The same, but some could not be kept.
    Dropping,
    /// All of them are here.
    Here,
}

impl Recorded {
    pub fn new(records: Records, has_timeline: bool, hosts: usize) -> Self {
        let clocks = has_timeline.then(|| Clocks::new(hosts));
        Self { records, clocks, hosts: vec![Coming::NotYet; hosts], is_stopped: false }
    }

    /// The counts so far of all PEs, as lines.
    pub fn so_far(&self, n_pes: u32) -> Vec<String> {
        let table = self.records.so_far(0..n_pes);
        table.iter().flat_map(|table| table.lines()).map(str::to_owned).collect()
    }

    /// When clocks have to be compared next.
    pub fn next(&self) -> Option<Instant> {
        self.clocks.as_ref().and_then(Clocks::next)
    }
}

impl Head {
    /// Sends a frame to the launcher below that is or leads to this host. A question for the time waits until that one
    /// has got the job.
    pub(super) fn send_to_host(&mut self, host: usize, frame: Frame) {
        let Some(remote) = self.remotes.iter().find(|remote| remote.hosts().any(|one| one == host)) else { return };
        if remote.is_starting() {
            self.early.push((host, frame));
        } else {
            remote.send(&frame);
        }
    }

    /// Compares the clocks of the hosts of a launcher below, which has got the job.
    pub(super) fn compare_first(&mut self, remote: usize) {
        let hosts: Vec<usize> = self.remotes[remote].hosts().collect();
        let (mut frames, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.early).into_iter().partition(|(host, _)| hosts.contains(host));
        self.early = others;
        if let Some(Recorded { clocks: Some(clocks), .. }) = &mut self.recorded {
            frames.extend(hosts.into_iter().filter_map(|host| Some((host, clocks.begin(host, false)?))));
        }
        frames.into_iter().for_each(|(host, frame)| self.send_to_host(host, frame));
    }

    /// Compares clocks again, if it is time for that.
    pub(super) fn compare_again(&mut self) {
        let clocks = self.recorded.as_mut().and_then(|recorded| recorded.clocks.as_mut());
        let frames = clocks.map(Clocks::due).unwrap_or_default();
        frames.into_iter().for_each(|(host, frame)| self.send_to_host(host, frame));
    }

    /// Takes an answer of a host to the question for its time.
    pub(super) fn take_time(&mut self, host: usize, reading: Reading) {
        let Some(Recorded { clocks: Some(clocks), hosts, .. }) = &mut self.recorded else { return };
        if let Some(question) = clocks.take(host, reading) {
            self.send_to_host(host, question);
        } else if hosts[host] == Coming::Asked {
            self.fetch(host);
        }
    }

    /// Lets a host send what its PEs have recorded, all of which have ended.
    pub(super) fn fetch_from(&mut self, host: usize) {
        let Some(recorded) = &mut self.recorded else { return };
        if recorded.hosts[host] != Coming::NotYet {
            return;
        }
        recorded.hosts[host] = Coming::Asked;
        match recorded.clocks.as_mut().map(|clocks| clocks.begin(host, true)) {
            Some(Some(question)) => self.send_to_host(host, question),
            // An answer is still to come.
            Some(None) => {}
            None => self.fetch(host),
        }
    }

    fn fetch(&mut self, host: usize) {
        if let Some(recorded) = &mut self.recorded {
            recorded.hosts[host] = Coming::Sending;
            self.send_to_host(host, Frame::Take { host: host as u32, bytes: WINDOW });
        }
    }

    /// Takes a piece of what a PE of this host has recorded. The error says how the launcher broke the protocol.
    pub(super) fn take_record(&mut self, host: usize, pe: u32, at: u64, bytes: &[u8]) -> Result<(), String> {
        let is_there = self.pes[host].contains(&pe);
        let is_one = |recorded: &&mut Recorded| is_there && recorded.records.has(at, bytes.len());
        let Some(recorded) = self.recorded.as_mut().filter(is_one) else {
            return Err(format!("it sent {} bytes of a record of PE {pe} that are not there", bytes.len()));
        };
        let state = &mut recorded.hosts[host];
        if *state != Coming::Dropping
            && let Err(error) = recorded.records.store(pe, at, bytes)
        {
            self.console.say(&format!("there is no room for what PE {pe} has recorded: {error}"));
            if *state == Coming::Sending {
                *state = Coming::Dropping;
            }
        }
        if matches!(*state, Coming::Sending | Coming::Dropping) {
            self.send_to_host(host, Frame::Take { host: host as u32, bytes: bytes.len() as u32 });
        }
        Ok(())
    }

    /// All records of this host are here.
    pub(super) fn has_recorded(&mut self, host: usize) -> Result<(), String> {
        let state = self.recorded.as_mut().map(|recorded| &mut recorded.hosts[host]);
        match state {
            Some(state @ Coming::Sending) => *state = Coming::Here,
            // They are left out.
            Some(state @ Coming::Dropping) => *state = Coming::NotYet,
            _ => return Err("it sent records that nobody wanted".into()),
        }
        Ok(())
    }

    /// Whether records are on their way.
    pub(super) fn is_fetching(&self) -> bool {
        let of_remote = |(host, state): (usize, &Coming)| {
            let is_on_its_way = matches!(state, Coming::Asked | Coming::Sending | Coming::Dropping);
            is_on_its_way
                && self.remotes.iter().any(|remote| !remote.is_gone() && remote.hosts().any(|one| one == host))
        };
        self.recorded.as_ref().is_some_and(|recorded| recorded.hosts.iter().enumerate().any(of_remote))
    }

    /// Does without the records that have not come, because of a signal.
    pub(super) fn stop_fetching(&mut self, status: u8) {
        if self.is_fetching() {
            self.lost_records = Some(status);
            self.recorded.iter_mut().for_each(|recorded| recorded.is_stopped = true);
        }
    }

    /// Prints or writes what has come, when all PEs have ended.
    pub(super) fn print_records(&mut self) {
        let Some(recorded) = self.recorded.as_ref().filter(|_| self.not_started.is_none()) else { return };
        let why = if recorded.is_stopped { ": a signal stopped its way here" } else { "" };
        let mut known = vec![];
        for (host, (pes, state)) in self.pes.iter().zip(&recorded.hosts).enumerate() {
            let name = &self.args.hosts[host].name;
            if pes.is_empty() {
                continue;
            }
            if *state != Coming::Here {
                self.console.say(&format!("what {} on host {name} recorded is left out{why}", PeList(pes)));
                self.lost_records.get_or_insert(crate::STATUS_LAUNCHER);
                continue;
            }
            let clock = recorded.clocks.as_ref().and_then(|clocks| clocks.of(host));
            let host = Host { name: name.clone(), clock };
            known.extend(pes.iter().map(|pe| Known { index: (*pe).into(), pe: *pe, host: Some(host.clone()) }));
        }
        if known.is_empty() {
            return;
        }
        known.sort_by_key(|known| known.pe);
        let failed = recorded.records.print(known, &mut self.console);
        self.lost_records = self.lost_records.or(failed);
    }
}
