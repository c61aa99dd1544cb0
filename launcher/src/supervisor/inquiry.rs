//! Asks the PEs what they are waiting in: at the time limit, and for `shmemrun --status`.
//!
//! Each PE is asked over its lifeline, where a thread of the library answers. On a host of several, the other hosts are
//! asked which of their PEs are late. The supervisor never waits: it collects answers as they arrive, and the inquiry
//! is over when all have answered or [`ANSWER_LIMIT`] has passed. A PE that still owes an answer is not asked again, so
//! that questions do not fill the socket of a stopped PE. Its answer describes the moment at which it answers, so it is
//! current whenever it arrives. What the PEs have counted leaves a host of several in the meantime.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use cushmem_bootstrap::PeList;
use cushmem_bootstrap::rendezvous::Stage;
use cushmem_bootstrap::socket::Progress;
use cushmem_bootstrap::wire::{Message, MessageKind};

use super::Supervisor;
use super::ending::Cause;
use crate::hosts::Frame;
use crate::processes;

/// How long PEs may take to answer. They need microseconds, or tens of milliseconds on a crowded machine.
pub const ANSWER_LIMIT: Duration = Duration::from_millis(500);

/// An inquiry in progress.
pub struct Inquiry {
    /// When it ends.
    pub until: Instant,
    /// The answer of each PE.
    answers: Vec<Option<String>>,
}

impl Supervisor {
    /// Starts an inquiry, unless one is in progress.
    pub(super) fn inquire(&mut self) {
        if self.inquiry.is_some() {
            return;
        }
        let until = Instant::now() + ANSWER_LIMIT;
        self.inquiry = Some(Inquiry { until, answers: vec![None; self.pes.len()] });
        self.begin_counts();
        self.rendezvous.inquire();
        let question = Message::new(MessageKind::Ask, 0).encode();
        for (index, pe) in (0u32..).zip(&mut self.pes) {
            if !pe.has_ended && !pe.owes_answer && self.rendezvous.stage(index) != Stage::Silent {
                pe.owes_answer = matches!(pe.lifeline.try_send(&question, None), Ok(Progress::Done(())));
            }
        }
    }

    /// Takes the PE's answer, if it has arrived.
    pub(super) fn take_answer(&mut self, pe: u32) {
        let peer = &mut self.pes[pe as usize];
        if !peer.owes_answer || peer.has_ended {
            return;
        }
        let received = match peer.lifeline.try_receive(&mut self.buffer) {
            Ok(Progress::Done(received)) => received,
            Ok(Progress::WouldBlock) => return,
            // Its process is ending, or the program has closed a descriptor that does not belong to it.
            Ok(Progress::Closed) | Err(_) => {
                peer.owes_answer = false;
                return;
            }
        };
        peer.owes_answer = false;
        let number = peer.number;
        match Message::decode(&self.buffer[..received.bytes], received.descriptors.len()) {
            Ok(message) if message.kind == MessageKind::Doing => {
                if let Some(inquiry) = &mut self.inquiry {
                    inquiry.answers[pe as usize] = Some(String::from_utf8_lossy(message.body).into_owned());
                }
            }
            Ok(message) => {
                let what = format!("a message of kind {:?} on the lifeline", message.kind);
                self.end(Cause::Violation { pe: number, what });
            }
            Err(error) => self.end(Cause::Violation { pe: number, what: error.to_string() }),
        }
    }

    /// Ends the inquiry if it is over: answers the clients, and kills the PEs if it was for the time limit.
    pub(super) fn conclude_inquiry(&mut self) {
        if self.inquiry.is_none() {
            return;
        }
        let uncounted = self.send_counts();
        let Some(inquiry) = &self.inquiry else { return };
        let is_missing = |pe: &super::Pe| pe.owes_answer && !pe.has_ended;
        let is_complete = uncounted.is_empty() && !self.pes.iter().any(is_missing) && !self.rendezvous.is_inquiring();
        if !is_complete && Instant::now() < inquiry.until {
            return;
        }
        let answers = || (0u32..).zip(inquiry.answers.iter().map(Option::as_deref));
        let states = answers().map(|(pe, answer)| self.state(pe, answer));
        let rest = self.early_signals.as_ref().map(|_| "the other PEs have not started yet".to_owned());
        let notes = answers().flat_map(|(pe, answer)| self.notes(pe, answer));
        let host = self.console.host.iter().map(|host| format!("host {host}, ")).next().unwrap_or_default();
        let states: Vec<String> = states.chain(rest).chain(notes).map(|line| format!("{host}{line}")).collect();
        self.inquiry = None;
        if let Some(status_server) = &mut self.status_server {
            let pes = self.template.pes.iter().map(|(pe, _)| *pe);
            let counts = self.template.records.as_ref().and_then(|records| records.so_far(pes, &BTreeSet::new()));
            let counts = counts.iter().flat_map(|table| table.lines()).map(str::to_owned);
            status_server.answer(&states.iter().cloned().chain(counts).collect::<Vec<_>>());
        }
        self.tell(&Frame::States { lines: states.clone(), uncounted });
        if let Some(ending) = &mut self.ending
            && matches!(ending.cause, Cause::TimeLimit { .. })
            && ending.killed_at.is_none()
        {
            ending.states = states;
            self.kill_pes();
        }
    }

    /// The PE, and its virtual node if there are several.
    fn name(&self, pe: u32) -> String {
        let pe = &self.pes[pe as usize];
        let node = pe.node.map(|node| format!("node {node}, ")).unwrap_or_default();
        format!("{node}PE {}", pe.number)
    }

    /// One line that says what the PE is waiting in.
    fn state(&self, pe: u32, answer: Option<&str>) -> String {
        let peer = &self.pes[pe as usize];
        let stage = self.rendezvous.stage(pe);
        let late = self.rendezvous.awaited_by(pe);
        // The other lines are notes.
        let what: String = match answer.map(|answer| answer.lines().next().unwrap_or_default()) {
            _ if peer.has_ended => "has ended".into(),
            _ if stage == Stage::Silent => "has not joined the job".into(),
            None if processes::is_stopped(peer.pid) => "does not answer: its process is stopped".into(),
            None => "does not answer".into(),
            Some("") if stage == Stage::Finalized => "has finalized".into(),
            Some("") => "computing".into(),
            Some(waits) if !late.is_empty() => format!("{waits}, waiting for {}", PeList(&late)),
            Some(waits) => waits.into(),
        };
        format!("{}: {what}", self.name(pe))
    }

    /// The notes on the PE that are not about waits: all lines of its answer after the first.
    fn notes(&self, pe: u32, answer: Option<&str>) -> Vec<String> {
        let answer = answer.filter(|_| !self.pes[pe as usize].has_ended).unwrap_or_default();
        answer.lines().skip(1).map(|note| format!("{}: {note}", self.name(pe))).collect()
    }
}
