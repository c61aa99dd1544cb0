//! How operations fail. None is reported before the device has given all its requests back.

use super::Verbs;
use super::active::{Active, State};
use super::sys::ibv_wc;
use std::net::Ipv6Addr;
use std::time::Instant;

impl Verbs {
    /// Lets an operation fail as soon as the device has none of its requests.
    pub(super) fn lose(&mut self, index: usize, why: String) {
        if self.operations[index].requests == 0 {
            self.finish(index, Err(why));
        } else {
            self.operations[index].state = State::Lost;
            self.reasons.insert(index, why);
        }
    }

    pub(super) fn end_lost(&mut self, index: usize) {
        let why = self.reasons.remove(&index).unwrap_or_default();
        self.finish(index, Err(why));
    }

    /// Lets an operation fail, and gives its peer up.
    pub(super) fn fail(&mut self, index: usize, why: String) {
        let peer = self.operations[index].work.peer;
        let later = format!("an earlier operation failed: {why}");
        self.lose(index, why);
        self.give_up(peer, &later);
    }

    /// What the device says of a request that failed.
    pub(super) fn reason(&self, peer: u32, completion: &ibv_wc) -> String {
        let about = &self.device.about;
        let status = self.device.library.status(completion.status);
        let there = &self.peers[peer as usize].address.ip();
        format!(
            "{} of {} says: {status} (status {}, {:#x} of the vendor); its peer is at {there}",
            Ipv6Addr::from(about.gid),
            about.name,
            completion.status,
            completion.vendor_err
        )
    }

    /// Ends everything, because the device does not work any more.
    pub(super) fn break_down(&mut self, why: &str) {
        self.broken.get_or_insert_with(|| why.to_owned());
        let peers: Vec<u32> = self.links.keys().copied().collect();
        for peer in peers {
            self.give_up(peer, why);
            self.cut(peer);
        }
    }

    /// Takes the queue pair of a lost peer away from the device, and with it the requests that it has not given back.
    pub(super) fn cut(&mut self, peer: u32) {
        self.ending.retain(|(other, _)| *other != peer);
        let Some(link) = self.links.remove(&peer) else { return };
        let operations = link.end();
        operations.into_iter().for_each(|index| self.request_is_over(index));
    }

    /// Looks after devices that are to give back requests; returns whether a queue pair was taken away.
    pub(super) fn end_links(&mut self) -> bool {
        let links = &self.links;
        self.ending.retain(|(peer, _)| links.get(peer).is_some_and(|link| link.requests() > 0));
        let is_late = |(_, since): &&(u32, Instant)| since.elapsed() >= self.patience;
        let late: Vec<u32> = self.ending.iter().filter(is_late).map(|(peer, _)| *peer).collect();
        late.iter().for_each(|peer| self.cut(*peer));
        !late.is_empty()
    }

    /// Uses a peer no more. Its operations fail.
    pub(super) fn give_up(&mut self, peer: u32, why: &str) {
        self.gone.entry(peer).or_insert_with(|| why.to_owned());
        let mut dropped = Vec::new();
        if let Some(link) = self.links.get_mut(&peer) {
            link.dial = None;
            dropped.extend(link.pending.drain(..).map(|request| request.operation));
            link.queue.abandon();
        }
        self.requests -= dropped.len();
        for index in dropped {
            let operation = &mut self.operations[index];
            operation.requests -= 1;
            if operation.requests == 0 && operation.state == State::Lost {
                self.end_lost(index);
            }
        }
        for index in 0..self.operations.len() {
            let Active { work, state, .. } = self.operations[index];
            if work.peer == peer && state == State::UnderWay {
                self.lose(index, why.to_owned());
            }
        }
        if self.links.get(&peer).is_some_and(|link| link.requests() > 0)
            && !self.ending.iter().any(|(other, _)| *other == peer)
        {
            self.ending.push((peer, Instant::now()));
        }
    }
}
