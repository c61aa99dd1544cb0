//! What the PEs of all hosts have recorded, at the launcher that the user started.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use cushmem_bootstrap::PeList;
use cushmem_record::{Host, Reading};

use super::Head;
use crate::hosts::clock::Clocks;
use crate::hosts::frame::Frame;
use crate::hosts::remote::Remote;
use crate::supervisor::{Known, Records};

/// How many bytes of records may be on their way from a host.
const WINDOW: u32 = 1 << 20;

/// How long hosts whose PEs have ended wait for the others before they send: while records are on their way, answers to
/// the question for the time are slow.
const TOGETHER: Duration = Duration::from_secs(1);

/// How a launcher breaks the protocol that sends records which nobody has asked for, or not yet.
const UNWANTED: &str = "it sent records that nobody wanted";

/// The records of all PEs, and how far they have come.
pub struct Recorded {
    records: Records,
    /// The clocks of hosts, for a timeline.
    clocks: Option<Clocks>,
    progress: Progress,
    /// PEs whose counts could not be kept while the job runs.
    unkept: BTreeSet<u32>,
}

impl Recorded {
    pub fn new(records: Records, has_timeline: bool, hosts: usize) -> Self {
        let clocks = has_timeline.then(|| Clocks::new(hosts));
        let progress = Progress { hosts: vec![Coming::NotYet; hosts], until: None };
        Self { records, clocks, progress, unkept: BTreeSet::new() }
    }

    /// The counts so far of all PEs, as lines. Those of these have not all come since the question.
    pub fn so_far(&self, n_pes: u32, uncounted: &[u32]) -> Vec<String> {
        let older = self.unkept.iter().chain(uncounted).copied().collect();
        let table = self.records.so_far(0..n_pes, &older);
        table.iter().flat_map(|table| table.lines()).map(str::to_owned).collect()
    }

    /// When clocks have to be compared next, or records may come.
    pub fn next(&self) -> Option<Instant> {
        let compare_at = self.clocks.as_ref().and_then(Clocks::next);
        [compare_at, self.progress.next()].into_iter().flatten().min()
    }
}

/// How far the records of each host have come.
struct Progress {
    hosts: Vec<Coming>,
    /// Until when those that are ready wait for the others.
    until: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coming {
    /// Its PEs run.
    NotYet,
    /// They have ended, and its clock is compared.
    Asked,
    /// It may send when all hosts are as far.
    Ready,
    /// Its records are on their way.
    Sending,
    /// The same, but some could not be kept.
    Dropping,
    /// All of them are here.
    Here,
    /// Some could not be kept.
    Lost,
    /// A signal has stopped them.
    Stopped,
}

impl Progress {
    /// The PEs of a host have ended. Returns whether that was news.
    fn ended(&mut self, host: usize) -> bool {
        let is_new = self.hosts[host] == Coming::NotYet;
        if is_new {
            self.hosts[host] = Coming::Asked;
        }
        is_new
    }

    /// The clock of a host has been compared for the last time, if its PEs have ended.
    fn compared(&mut self, host: usize, now: Instant) {
        if self.hosts[host] == Coming::Asked {
            self.hosts[host] = Coming::Ready;
            self.until.get_or_insert(now + TOGETHER);
        }
    }

    /// When hosts need no longer wait for others.
    fn next(&self) -> Option<Instant> {
        self.until.filter(|_| self.hosts.contains(&Coming::Ready))
    }

    /// The hosts that send from now on: all that are ready, if each one that `is_there` is, or they have waited long
    /// enough.
    fn start(&mut self, now: Instant, is_there: impl Fn(usize) -> bool) -> Vec<usize> {
        let is_awaited =
            |(host, state): (usize, &Coming)| matches!(state, Coming::NotYet | Coming::Asked) && is_there(host);
        if self.next().is_none_or(|until| now < until) && self.hosts.iter().enumerate().any(is_awaited) {
            return vec![];
        }
        let ready = (0..self.hosts.len()).filter(|host| self.hosts[*host] == Coming::Ready).collect::<Vec<_>>();
        ready.iter().for_each(|host| self.hosts[*host] = Coming::Sending);
        ready
    }

    /// Whether a piece of a host's records may come. Each that comes lets another one leave.
    fn may_come(&self, host: usize) -> bool {
        matches!(self.hosts[host], Coming::Sending | Coming::Dropping | Coming::Stopped)
    }

    /// A host has sent a piece, which was kept or not. Returns whether it has to be said that it was not.
    fn has_come(&mut self, host: usize, is_kept: bool) -> bool {
        let is_news = !is_kept && self.hosts[host] == Coming::Sending;
        if is_news {
            self.hosts[host] = Coming::Dropping;
        }
        is_news
    }

    /// A host has sent all of its records. The error says how it broke the protocol.
    fn is_complete(&mut self, host: usize) -> Result<(), String> {
        self.hosts[host] = match self.hosts[host] {
            Coming::Sending => Coming::Here,
            Coming::Dropping => Coming::Lost,
            Coming::Stopped => Coming::Stopped,
            _ => return Err(UNWANTED.into()),
        };
        Ok(())
    }

    /// Whether records of a host are on their way, or about to be.
    fn is_on_its_way(&self, host: usize) -> bool {
        matches!(self.hosts[host], Coming::Asked | Coming::Ready | Coming::Sending | Coming::Dropping)
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
        let Some(Recorded { clocks: Some(clocks), progress, .. }) = &mut self.recorded else { return };
        match clocks.take(host, reading) {
            Some(question) => self.send_to_host(host, question),
            None => progress.compared(host, Instant::now()),
        }
    }

    /// The PEs of a host have ended: compares its clock, if that is wanted.
    pub(super) fn ask_last(&mut self, host: usize) {
        let Some(recorded) = self.recorded.as_mut() else { return };
        if !recorded.progress.ended(host) {
            return;
        }
        match recorded.clocks.as_mut().map(|clocks| clocks.begin(host, true)) {
            Some(Some(question)) => self.send_to_host(host, question),
            // An answer is still to come.
            Some(None) => {}
            None => recorded.progress.compared(host, Instant::now()),
        }
    }

    /// Lets hosts send what their PEs have recorded, when all of them are ready.
    pub(super) fn fetch(&mut self) {
        let Some(recorded) = &mut self.recorded else { return };
        let is_there = |host| is_there(&self.remotes, host);
        let ready = recorded.progress.start(Instant::now(), is_there);
        for host in ready {
            self.send_to_host(host, Frame::Take { host: host as u32, bytes: WINDOW });
        }
    }

    /// Takes a piece of what a PE of this host has recorded. The error says how the launcher broke the protocol.
    pub(super) fn take_record(&mut self, host: usize, pe: u32, at: u64, bytes: &[u8]) -> Result<(), String> {
        let recorded = self.recorded_of(host, pe, at, bytes.len())?;
        if !recorded.progress.may_come(host) {
            return Err(UNWANTED.into());
        }
        let stored = match recorded.progress.hosts[host] {
            Coming::Dropping | Coming::Stopped => Ok(()),
            _ => recorded.records.store(pe, at, bytes),
        };
        let is_news = recorded.progress.has_come(host, stored.is_ok());
        let is_wanted = matches!(recorded.progress.hosts[host], Coming::Sending | Coming::Dropping);
        if let Err(error) = stored
            && is_news
        {
            self.console.say(&format!("there is no room for what PE {pe} has recorded: {error}"));
        }
        if is_wanted {
            self.send_to_host(host, Frame::Take { host: host as u32, bytes: bytes.len() as u32 });
        }
        Ok(())
    }

    /// Takes a piece of what a PE of this host has counted so far. Whether the host sends records too makes no
    /// difference: counts have a window of their own. The error says how the launcher broke the protocol.
    pub(super) fn take_counts(&mut self, host: usize, pe: u32, at: u64, bytes: &[u8]) -> Result<(), String> {
        let recorded = self.recorded_of(host, pe, at, bytes.len())?;
        if let Err(error) = recorded.records.store(pe, at, bytes) {
            // Once for the job: there are many pieces, and more at each look.
            let is_news = recorded.unkept.is_empty();
            recorded.unkept.insert(pe);
            if is_news {
                self.console.say(&format!("there is no room for what PE {pe} has counted: {error}"));
            }
        }
        self.send_to_host(host, Frame::Counted { host: host as u32, bytes: bytes.len() as u32 });
        Ok(())
    }

    /// The records, if so many bytes of one of a PE of this host can be there.
    fn recorded_of(&mut self, host: usize, pe: u32, at: u64, bytes: usize) -> Result<&mut Recorded, String> {
        let is_there = self.pes[host].contains(&pe);
        let is_one = |recorded: &&mut Recorded| is_there && recorded.records.has(at, bytes);
        let recorded = self.recorded.as_mut().filter(is_one);
        recorded.ok_or_else(|| format!("it sent {bytes} bytes of a record of PE {pe} that are not there"))
    }

    /// All records of this host are here.
    pub(super) fn has_recorded(&mut self, host: usize) -> Result<(), String> {
        self.recorded.as_mut().map_or(Ok(()), |recorded| recorded.progress.is_complete(host))
    }

    /// Whether records of a host are on their way.
    fn is_coming(&self, host: usize) -> bool {
        let is_coming = |recorded: &Recorded| recorded.progress.is_on_its_way(host) && is_there(&self.remotes, host);
        self.recorded.as_ref().is_some_and(is_coming)
    }

    /// Whether records are on their way.
    pub(super) fn is_fetching(&self) -> bool {
        (0..self.pes.len()).any(|host| self.is_coming(host))
    }

    /// Does without the records that have not come, because of a signal.
    pub(super) fn stop_fetching(&mut self, status: u8) {
        for host in 0..self.pes.len() {
            if self.is_coming(host)
                && let Some(recorded) = &mut self.recorded
            {
                self.lost_records = Some(status);
                recorded.progress.hosts[host] = Coming::Stopped;
            }
        }
    }

    /// Prints or writes what has come, when all PEs have ended.
    pub(super) fn print_records(&mut self) {
        let Some(recorded) = self.recorded.as_ref().filter(|_| self.not_started.is_none()) else { return };
        let mut known = vec![];
        for (host, (pes, state)) in self.pes.iter().zip(&recorded.progress.hosts).enumerate() {
            let name = &self.args.hosts[host].name;
            if pes.is_empty() {
                continue;
            }
            if *state != Coming::Here {
                let why = match state {
                    Coming::Stopped => ": a signal stopped its way here",
                    // Another line says why.
                    Coming::Dropping | Coming::Lost => "",
                    _ if self.ending.is_some() => "",
                    _ => ": the connection to the host ended before",
                };
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

/// Whether there is a launcher that is or leads to this host.
fn is_there(remotes: &[Remote], host: usize) -> bool {
    remotes.iter().any(|remote| !remote.is_gone() && remote.hosts().any(|one| one == host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(hosts: usize) -> Progress {
        Progress { hosts: vec![Coming::NotYet; hosts], until: None }
    }

    /// Catches hosts that send while others are still asked, and one that waits for a host that is gone or runs on.
    #[test]
    fn hosts_send_when_all_have_been_asked() {
        let (now, all) = (Instant::now(), |_| true);
        let mut progress = progress(3);
        assert_eq!((progress.start(now, all), progress.next()), (vec![], None));
        assert!(progress.ended(0) && !progress.ended(0) && progress.ended(1));
        progress.compared(0, now);
        progress.compared(2, now);
        assert_eq!(progress.hosts, [Coming::Ready, Coming::Asked, Coming::NotYet]);
        assert_eq!((progress.start(now, all), progress.next()), (vec![], Some(now + TOGETHER)));
        assert_eq!(progress.start(now, |host| host != 2), [0; 0], "host 1 is asked");
        progress.compared(1, now);
        assert_eq!(progress.start(now, all), [0; 0], "the PEs of host 2 run");
        assert_eq!(progress.start(now, |host| host != 2), [0, 1]);
        assert_eq!(progress.hosts, [Coming::Sending, Coming::Sending, Coming::NotYet]);
        assert_eq!((progress.start(now, all), progress.next()), (vec![], None));
        assert!(progress.ended(2));
        progress.compared(2, now);
        assert_eq!(progress.start(now, all), [2], "nobody is left to be asked");

        let mut progress = self::progress(2);
        assert!(progress.ended(0));
        progress.compared(0, now);
        assert_eq!(progress.start(now + TOGETHER - Duration::from_millis(1), all), [0; 0]);
        assert_eq!(progress.start(now + TOGETHER, all), [0], "it has waited long enough");
    }

    /// Catches a host without records that says so before it is asked, or whose lost records count as complete.
    #[test]
    fn records_are_complete_or_left_out() {
        let now = Instant::now();
        let mut progress = progress(4);
        for state in [Coming::NotYet, Coming::Asked, Coming::Ready, Coming::Here, Coming::Lost] {
            progress.hosts[0] = state;
            assert!(progress.is_complete(0).is_err_and(|why| why.contains("nobody wanted")), "{state:?}");
            assert!(progress.hosts[0] == state && !progress.may_come(0), "{state:?}");
        }
        progress.hosts[0] = Coming::NotYet;
        for host in 0..4 {
            assert!(progress.ended(host) && progress.is_on_its_way(host));
            progress.compared(host, now);
        }
        assert_eq!(progress.start(now, |_| true), [0, 1, 2, 3]);
        assert!(!progress.has_come(0, true) && progress.has_come(1, false) && !progress.has_come(1, false));
        progress.hosts[2] = Coming::Stopped;
        assert!(progress.is_on_its_way(1) && !progress.is_on_its_way(2));
        assert!((0..4).all(|host| progress.may_come(host)));
        for host in 0..4 {
            assert_eq!(progress.is_complete(host), Ok(()));
            assert!(!progress.is_on_its_way(host));
        }
        assert_eq!(progress.hosts, [Coming::Here, Coming::Lost, Coming::Stopped, Coming::Here]);
    }
}
