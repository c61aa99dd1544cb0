//! The rounds of a job on several hosts, as a state machine without I/O, at a launcher with hosts below it.
//!
//! Each host sends the contributions of its PEs in one message when the last of them has arrived. When all hosts have
//! done so, each gets those of all PEs. A host that asks who is late is answered when every host that has not arrived
//! has said which of its PEs it is waiting for. So no host keeps another one from an answer unless its launcher does
//! not run, which ends the job in another way.
//!
//! A launcher in the middle of a tree of them ([`Rounds::below_another`]) is to the one above it what a host is: it
//! sends the contributions of all PEs below it in one message, passes on what comes back, and says which of these PEs
//! are late. A question from below goes up, because PEs of other hosts may be late too.

use std::time::{Duration, Instant};

use cushmem_bootstrap::rendezvous::Gathered;
use cushmem_bootstrap::wire::MessageKind;

use super::frame::{Frame, too_long};

/// Where a frame comes from, or goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The launcher above.
    Above,
    /// The launcher below with this number among those below.
    Below(usize),
}

/// A frame to send.
#[derive(Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// To one side.
    To(Side, Frame),
    /// To all hosts below.
    All(Frame),
}

/// The rounds of a job.
pub struct Rounds {
    /// By launcher below: the PEs there, in the order of their numbers.
    pes: Vec<Vec<u32>>,
    has_above: bool,
    /// Number of the open round, or of the next one to open.
    seq: u64,
    open: Option<Open>,
    is_broken: bool,
    /// Whether all know a PE that has ended after finalize.
    is_gone_known: bool,
}

/// A round in which some hosts have arrived, or somebody asks about it.
struct Open {
    /// The first host that arrived, and what its PEs called.
    first: Option<(usize, MessageKind, String)>,
    arrived: Vec<Option<Vec<Vec<u8>>>>,
    /// When the last host arrived.
    last: Option<Instant>,
    /// Who waits for an answer to the question who is late.
    askers: Vec<Side>,
    /// What each host has answered since the first question.
    late: Vec<Option<(Vec<u32>, Duration)>>,
    /// Whether each host has been asked and has not answered yet.
    is_asked: Vec<bool>,
    /// Whether the launcher above has the contributions.
    is_passed_on: bool,
}

impl Rounds {
    /// The rounds of a job at the launcher that has started it. These are the PEs of each host.
    pub fn new(pes: Vec<Vec<u32>>) -> Self {
        Self { pes, has_above: false, seq: 1, open: None, is_broken: false, is_gone_known: false }
    }

    /// The rounds at a launcher with another one above it, which completes them. These are the PEs below each launcher
    /// below this one.
    pub fn below_another(pes: Vec<Vec<u32>>) -> Self {
        Self { has_above: true, ..Self::new(pes) }
    }

    fn open(&mut self) -> &mut Open {
        let hosts = self.pes.len();
        self.open.get_or_insert_with(|| Open {
            first: None,
            arrived: vec![None; hosts],
            last: None,
            askers: vec![],
            late: vec![None; hosts],
            is_asked: vec![false; hosts],
            is_passed_on: false,
        })
    }

    /// Takes what a host has gathered. The error says how it broke the protocol.
    pub fn gathered(&mut self, host: usize, gathered: Gathered) -> Result<Vec<Outgoing>, String> {
        if self.is_broken {
            return Ok(vec![]);
        }
        let Gathered { seq, kind, tag, contributions } = gathered;
        if seq != self.seq || contributions.len() != self.pes[host].len() {
            return Err(format!("it sent {} contributions to round {seq} in round {}", contributions.len(), self.seq));
        }
        let open = self.open();
        if open.is_passed_on || open.arrived[host].is_some() {
            return Err(format!("it arrived twice in round {seq}"));
        }
        (open.arrived[host], open.last) = (Some(contributions), Some(Instant::now()));
        let (first, first_kind, first_tag) = open.first.get_or_insert_with(|| (host, kind, tag.clone())).clone();
        if (first_kind, first_tag.as_str()) != (kind, tag.as_str()) {
            let (one, other) = (self.pes[first][0], self.pes[host][0]);
            let reason = format!(
                "PE {one} called {} '{first_tag}' while PE {other} called {} '{tag}'",
                first_kind.word(),
                kind.word()
            );
            return Ok(self.broken(None, reason));
        }
        if open.arrived.iter().all(Option::is_some) {
            return Ok(self.all_have_arrived(kind, tag));
        }
        // It has nobody left who could be late.
        Ok(self.answer())
    }

    /// Passes the contributions on, or completes the round.
    fn all_have_arrived(&mut self, kind: MessageKind, tag: String) -> Vec<Outgoing> {
        let open = self.open.as_mut().expect("hosts have arrived in it");
        let arrived = open.arrived.iter_mut().map(|arrived| arrived.replace(vec![]).unwrap_or_default());
        let of_host = |(pes, arrived): (&Vec<u32>, Vec<Vec<u8>>)| pes.iter().copied().zip(arrived).collect::<Vec<_>>();
        let mut all: Vec<(u32, Vec<u8>)> = self.pes.iter().zip(arrived).flat_map(of_host).collect();
        all.sort_unstable_by_key(|(pe, _)| *pe);
        let contributions: Vec<Vec<u8>> = all.into_iter().map(|(_, bytes)| bytes).collect();
        if let Some(reason) = too_long(&tag, &contributions) {
            return self.broken(None, reason);
        }
        if !self.has_above {
            let is_gather = kind == MessageKind::Gather;
            return self.complete(if is_gather { contributions } else { vec![] });
        }
        open.is_passed_on = true;
        let mut frames =
            vec![Outgoing::To(Side::Above, Frame::Gathered(Gathered { seq: self.seq, kind, tag, contributions }))];
        // If it has asked, its question has crossed the contributions, and nobody here is late.
        frames.extend(self.answer());
        frames
    }

    /// Sends everybody the contributions of all PEs of the job, by number; none for a fence and for finalize.
    fn complete(&mut self, all: Vec<Vec<u8>>) -> Vec<Outgoing> {
        self.open = None;
        let frame = Frame::Complete { seq: self.seq, all };
        self.seq += 1;
        vec![Outgoing::All(frame)]
    }

    /// Takes the completion of the round from the launcher above. The error says that it never sends this.
    pub fn complete_with(&mut self, seq: u64, all: Vec<Vec<u8>>) -> Result<Vec<Outgoing>, String> {
        if self.is_broken {
            return Ok(vec![]);
        }
        if seq != self.seq || !self.open.as_ref().is_some_and(|open| open.is_passed_on) {
            return Err(format!("the end of round {seq} in round {}", self.seq));
        }
        Ok(self.complete(all))
    }

    /// Records that no round can complete any more, as `from` has said, and tells the others.
    pub fn broken(&mut self, from: Option<Side>, reason: String) -> Vec<Outgoing> {
        if std::mem::replace(&mut self.is_broken, true) {
            return vec![];
        }
        self.open = None;
        self.to_others(from, &Frame::Broken { reason })
    }

    /// Takes the end of a PE after finalize, for which no other one can wait any more, and tells the others. One is
    /// enough: at the end of a job, all PEs end.
    pub fn gone(&mut self, from: Side, pe: u32) -> Vec<Outgoing> {
        if std::mem::replace(&mut self.is_gone_known, true) {
            return vec![];
        }
        self.to_others(Some(from), &Frame::Gone { pe })
    }

    fn to_others(&self, from: Option<Side>, frame: &Frame) -> Vec<Outgoing> {
        let below = (0..self.pes.len()).map(Side::Below);
        let others = below.chain(self.has_above.then_some(Side::Above)).filter(|side| Some(*side) != from);
        others.map(|side| Outgoing::To(side, frame.clone())).collect()
    }

    /// Takes a question who is late.
    pub fn who_is_late(&mut self, from: Side, seq: u64) -> Vec<Outgoing> {
        // Otherwise, an answer is on its way.
        if seq != self.seq || self.is_broken {
            return vec![];
        }
        let is_answered_here = self.is_answered_here(from);
        let open = self.open();
        // One question is enough for all askers.
        let is_first = !open.askers.iter().any(|asker| *asker != Side::Above);
        if !open.askers.contains(&from) {
            open.askers.push(from);
        }
        let ask = |side| Outgoing::To(side, Frame::WhoIsLate { seq });
        if !is_answered_here {
            return if is_first { vec![ask(Side::Above)] } else { vec![] };
        }
        let mut frames = vec![];
        for host in 0..open.arrived.len() {
            let is_unknown = open.arrived[host].is_none() && open.late[host].is_none();
            if is_unknown && !std::mem::replace(&mut open.is_asked[host], true) {
                frames.push(ask(Side::Below(host)));
            }
        }
        // All may have arrived, if the launcher above has asked.
        frames.extend(self.answer());
        frames
    }

    /// Whether what the hosts below say answers this asker: it has all PEs of the job below it, or asks for those below
    /// this launcher.
    fn is_answered_here(&self, asker: Side) -> bool {
        !self.has_above || asker == Side::Above
    }

    /// Takes an answer: the PEs for which `from` waits, and the time since the last one arrived there.
    pub fn late(&mut self, from: Side, seq: u64, pes: Vec<u32>, since: Duration) -> Vec<Outgoing> {
        if seq != self.seq || self.is_broken {
            return vec![];
        }
        let Side::Below(host) = from else {
            let askers = self.take_askers(|asker| asker != Side::Above);
            let frame = Frame::Late { seq, pes, since };
            return askers.into_iter().map(|asker| Outgoing::To(asker, frame.clone())).collect();
        };
        self.open.iter_mut().for_each(|open| open.is_asked[host] = false);
        // What comes when nobody waits for it is not kept: it would be old when somebody asks again.
        let askers = self.open.iter().flat_map(|open| &open.askers);
        if !askers.into_iter().any(|asker| self.is_answered_here(*asker)) {
            return vec![];
        }
        self.open().late[host] = Some((pes, since));
        self.answer()
    }

    /// Removes those from the askers who are meant, and returns them.
    fn take_askers(&mut self, is_meant: impl Fn(Side) -> bool) -> Vec<Side> {
        let askers = self.open.as_mut().map(|open| std::mem::take(&mut open.askers)).unwrap_or_default();
        let (meant, others) = askers.into_iter().partition(|asker| is_meant(*asker));
        self.open.iter_mut().for_each(|open| open.askers.clone_from(&others));
        meant
    }

    /// Answers those who have asked, if every host has arrived or answered.
    fn answer(&mut self) -> Vec<Outgoing> {
        let (seq, has_above) = (self.seq, self.has_above);
        let is_known = |open: &Open, host: usize| open.arrived[host].is_some() || open.late[host].is_some();
        if !self.open.as_ref().is_some_and(|open| (0..open.arrived.len()).all(|host| is_known(open, host))) {
            return vec![];
        }
        let askers = self.take_askers(|asker| !has_above || asker == Side::Above);
        if askers.is_empty() {
            return vec![];
        }
        let open = self.open();
        let (mut pes, mut since) = (vec![], open.last.map_or(Duration::MAX, |last| last.elapsed()));
        for (late, arrived) in open.late.iter_mut().zip(&open.arrived) {
            if let (Some((late, ago)), None) = (late.take(), arrived) {
                pes.extend(late);
                since = since.min(ago);
            }
        }
        pes.sort_unstable();
        let answer = Frame::Late { seq, since, pes };
        askers.into_iter().map(|asker| Outgoing::To(asker, answer.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(seq: u64, tag: &str, bytes: &[u8]) -> Gathered {
        let contributions = bytes.iter().map(|byte| vec![*byte]).collect();
        Gathered { seq, kind: MessageKind::Gather, tag: tag.into(), contributions }
    }

    fn two_hosts() -> Rounds {
        Rounds::new(vec![vec![0, 3], vec![1, 2]])
    }

    /// Catches a question for each asker and host: with hundreds of hosts, tens of thousands of messages.
    #[test]
    fn a_host_is_asked_once_for_all_askers() {
        let mut rounds = Rounds::new((0..8).map(|pe| vec![pe]).collect());
        let asked: usize = (0..8).map(|asker| rounds.who_is_late(Side::Below(asker), 1).len()).sum();
        assert_eq!(asked, 8);
        let late = |rounds: &mut Rounds, host: usize| {
            rounds.late(Side::Below(host), 1, vec![host as u32], Duration::ZERO).len()
        };
        assert_eq!((0..8).map(|host| late(&mut rounds, host)).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 0, 0, 8]);
        assert_eq!(rounds.who_is_late(Side::Below(2), 1).len(), 8, "what was said before is old");
        let mut middle = Rounds::below_another(vec![vec![0], vec![1]]);
        assert_eq!(middle.who_is_late(Side::Below(0), 1), [Outgoing::To(Side::Above, Frame::WhoIsLate { seq: 1 })]);
        assert_eq!(middle.who_is_late(Side::Below(1), 1), []);
        assert_eq!(middle.late(Side::Above, 1, vec![7], Duration::ZERO).len(), 2);
    }

    #[test]
    fn each_host_gets_the_contributions_of_all_by_number() {
        let mut rounds = two_hosts();
        for seq in 1..3 {
            assert_eq!(rounds.gathered(1, call(seq, "x", &[11, 12])), Ok(vec![]));
            let all = [10, 11, 12, 13].map(|byte| vec![byte]).to_vec();
            let complete = Frame::Complete { seq, all };
            assert_eq!(rounds.gathered(0, call(seq, "x", &[10, 13])), Ok(vec![Outgoing::All(complete)]));
        }
        let fence = |host| Gathered { kind: MessageKind::Fence, ..call(3, "y", &[host, host]) };
        rounds.gathered(0, fence(0)).unwrap();
        assert_eq!(rounds.gathered(1, fence(1)).unwrap(), [Outgoing::All(Frame::Complete { seq: 3, all: vec![] })]);
    }

    #[test]
    fn what_breaks_the_protocol_is_refused() {
        let mut rounds = two_hosts();
        assert!(rounds.gathered(0, call(2, "x", &[0, 0])).unwrap_err().contains("round 2 in round 1"));
        assert!(rounds.gathered(0, call(1, "x", &[0])).unwrap_err().contains("1 contributions"));
        rounds.gathered(0, call(1, "x", &[0, 0])).unwrap();
        assert!(rounds.gathered(0, call(1, "x", &[0, 0])).unwrap_err().contains("twice"));
        let told = rounds.gathered(1, call(1, "y", &[0, 0])).unwrap();
        let reason = "PE 0 called allgather 'x' while PE 1 called allgather 'y'";
        let broken = |host| Outgoing::To(Side::Below(host), Frame::Broken { reason: reason.into() });
        assert_eq!(told, [broken(0), broken(1)]);
        assert_eq!(rounds.gathered(0, call(9, "z", &[])), Ok(vec![]), "nothing follows");
        assert_eq!(rounds.broken(Some(Side::Below(1)), "again".into()), [], "it is told once");
    }

    #[test]
    fn who_is_late_is_answered_when_all_hosts_have_said_it() {
        let mut rounds = two_hosts();
        rounds.gathered(0, call(1, "x", &[0, 0])).unwrap();
        let asked = |host| Outgoing::To(Side::Below(host), Frame::WhoIsLate { seq: 1 });
        let late = |told: Vec<Outgoing>| -> Vec<(usize, Vec<u32>, Duration)> {
            let one = |frame| match frame {
                Outgoing::To(Side::Below(host), Frame::Late { seq: 1, pes, since }) => (host, pes, since),
                other => panic!("{other:?}"),
            };
            told.into_iter().map(one).collect()
        };
        assert_eq!(rounds.who_is_late(Side::Below(0), 2), [], "another round");
        // Two PEs of a host ask in turn, and the question is passed on once.
        assert_eq!(rounds.who_is_late(Side::Below(0), 1), [asked(1)]);
        assert_eq!(rounds.who_is_late(Side::Below(0), 1), []);
        // Nobody has arrived there, but a host has a moment ago.
        let told = late(rounds.late(Side::Below(1), 1, vec![1, 2], Duration::MAX));
        assert!(told.len() == 1 && told[0].1 == [1, 2] && told[0].2 < Duration::from_secs(1000), "{told:?}");
        assert_eq!(rounds.late(Side::Below(1), 1, vec![2], Duration::ZERO), [], "nobody waits for it");
        assert_eq!(rounds.late(Side::Below(1), 3, vec![2], Duration::ZERO), [], "another round");
        assert_eq!(rounds.who_is_late(Side::Below(0), 1), [asked(1)], "the old answer does not count");
        assert_eq!(late(rounds.late(Side::Below(1), 1, vec![2], Duration::ZERO)), [(0, vec![2], Duration::ZERO)]);
        // Both hosts ask, before either has arrived.
        let mut rounds = two_hosts();
        assert_eq!(rounds.who_is_late(Side::Below(0), 1).len(), 2);
        assert_eq!(rounds.who_is_late(Side::Below(1), 1), []);
        assert_eq!(rounds.late(Side::Below(0), 1, vec![3], Duration::from_millis(5)), []);
        let told = late(rounds.late(Side::Below(1), 1, vec![1, 2], Duration::from_millis(4)));
        let wanted = |host| (host, vec![1, 2, 3], Duration::from_millis(4));
        assert_eq!(told, [wanted(0), wanted(1)]);
    }

    /// A launcher in the middle, with its own host and another one below it.
    fn middle() -> Rounds {
        Rounds::below_another(vec![vec![2, 5], vec![4]])
    }

    fn up(frame: Frame) -> Outgoing {
        Outgoing::To(Side::Above, frame)
    }

    #[test]
    fn a_launcher_in_the_middle_sends_one_message_for_all_below_it() {
        let mut rounds = middle();
        for seq in 1..3 {
            assert_eq!(rounds.gathered(1, call(seq, "x", &[14])), Ok(vec![]));
            let gathered = call(seq, "x", &[12, 14, 15]);
            assert_eq!(rounds.gathered(0, call(seq, "x", &[12, 15])), Ok(vec![up(Frame::Gathered(gathered))]));
            assert!(rounds.gathered(0, call(seq, "x", &[12, 15])).unwrap_err().contains("twice"));
            assert!(rounds.complete_with(seq + 1, vec![]).is_err());
            let all = vec![vec![7]; 9];
            let complete = Outgoing::All(Frame::Complete { seq, all: all.clone() });
            assert_eq!(rounds.complete_with(seq, all), Ok(vec![complete]));
        }
        assert!(rounds.complete_with(3, vec![]).is_err(), "nobody has arrived");
        rounds.gathered(1, call(3, "x", &[14])).unwrap();
        assert!(rounds.complete_with(3, vec![]).is_err(), "one has not arrived");
    }

    /// Catches a frame that the other side takes for a broken protocol.
    #[test]
    fn contributions_that_no_frame_holds_break_the_rounds_with_one_line() {
        let large = |count| Gathered { contributions: vec![vec![0; 16 << 20]; count], ..call(1, "x", &[]) };
        let pes = || vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]];
        for mut rounds in [Rounds::new(pes()), Rounds::below_another(pes())] {
            rounds.gathered(0, large(4)).unwrap();
            let told = rounds.gathered(1, large(4)).unwrap();
            let reason = "allgather 'x': 8 PEs contribute 134217760 bytes; on several hosts, all may have 128 MiB";
            assert_eq!(told[0], Outgoing::To(Side::Below(0), Frame::Broken { reason: reason.into() }));
        }
    }

    #[test]
    fn what_breaks_rounds_goes_up_and_down_once() {
        let broken = |side| Outgoing::To(side, Frame::Broken { reason: "why".into() });
        let (one, other) = (Side::Below(0), Side::Below(1));
        assert_eq!(middle().broken(Some(one), "why".into()), [broken(other), broken(Side::Above)]);
        let mut rounds = middle();
        assert_eq!(rounds.broken(Some(Side::Above), "why".into()), [broken(one), broken(other)]);
        assert_eq!(rounds.broken(Some(one), "again".into()), []);
        let mut rounds = middle();
        rounds.gathered(0, call(1, "x", &[0, 0])).unwrap();
        assert_eq!(rounds.gathered(1, call(1, "y", &[0])).unwrap().len(), 3, "both below, and the one above");
        assert_eq!(rounds.complete_with(1, vec![]), Ok(vec![]), "it had not heard of it");
    }

    /// Catches an answer that lacks the PEs of hosts elsewhere, and a question that a launcher in the middle keeps.
    #[test]
    fn a_launcher_in_the_middle_answers_for_all_below_it_and_asks_for_them() {
        let ask = |side| Outgoing::To(side, Frame::WhoIsLate { seq: 1 });
        let late = |side, pes: &[u32]| {
            Outgoing::To(side, Frame::Late { seq: 1, pes: pes.to_vec(), since: Duration::from_millis(3) })
        };
        let since = Duration::from_millis(3);
        let (one, other) = (Side::Below(0), Side::Below(1));
        let mut rounds = middle();
        assert_eq!(rounds.who_is_late(one, 1), [ask(Side::Above)]);
        // The one above asks everybody, this launcher too, before it answers.
        assert_eq!(rounds.who_is_late(Side::Above, 1), [ask(one), ask(other)]);
        assert_eq!(rounds.late(one, 1, vec![5], since), []);
        assert_eq!(rounds.late(other, 1, vec![4], since), [late(Side::Above, &[4, 5])]);
        assert_eq!(rounds.late(one, 1, vec![5], since), [], "nobody waits for it");
        assert_eq!(rounds.late(Side::Above, 1, vec![4, 5, 9], since), [late(one, &[4, 5, 9])]);
        assert_eq!(rounds.late(Side::Above, 1, vec![9], since), [], "nobody waits for it");
        // A question that crosses the contributions is answered: nobody is late here.
        rounds.gathered(0, call(1, "x", &[0, 0])).unwrap();
        rounds.gathered(1, call(1, "x", &[0])).unwrap();
        let told = rounds.who_is_late(Side::Above, 1);
        assert!(matches!(&told[..], [Outgoing::To(Side::Above, Frame::Late { pes, .. })] if pes.is_empty()));
        // So is one that has come before the last of them.
        let mut rounds = middle();
        assert_eq!(rounds.who_is_late(Side::Above, 1), [ask(one), ask(other)]);
        rounds.gathered(0, call(1, "x", &[0, 0])).unwrap();
        let told = rounds.gathered(1, call(1, "x", &[0])).unwrap();
        assert!(matches!(&told[..], [_, Outgoing::To(Side::Above, Frame::Late { pes, .. })] if pes.is_empty()));
    }
}
