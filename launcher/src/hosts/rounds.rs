//! The rounds of a job on several hosts, as a state machine without I/O, at the launcher that started the job.
//!
//! Each host sends the contributions of its PEs in one message when the last of them has arrived. When all hosts have
//! done so, each gets those of all PEs. A host that asks who is late is answered when every host that has not arrived
//! has said which of its PEs it is waiting for. So no host keeps another one from an answer unless its launcher does
//! not run, which ends the job in another way.

use std::time::{Duration, Instant};

use cushmem_bootstrap::rendezvous::Gathered;
use cushmem_bootstrap::wire::MessageKind;

use super::frame::Frame;

/// A frame to send.
#[derive(Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// To the host with this number.
    One(usize, Frame),
    /// To all hosts.
    All(Frame),
}

/// The rounds of a job.
pub struct Rounds {
    /// By host: its PEs, in the order of their numbers.
    pes: Vec<Vec<u32>>,
    /// Number of the open round, or of the next one to open.
    seq: u64,
    open: Option<Open>,
    is_broken: bool,
}

/// A round in which some hosts have arrived, or somebody asks about it.
struct Open {
    /// The first host that arrived, and what its PEs called.
    first: Option<(usize, MessageKind, String)>,
    arrived: Vec<Option<Vec<Vec<u8>>>>,
    /// When the last host arrived.
    last: Option<Instant>,
    /// Hosts that wait for an answer to the question who is late.
    askers: Vec<usize>,
    /// What each host has answered since the first question.
    late: Vec<Option<(Vec<u32>, Duration)>>,
}

impl Rounds {
    /// The rounds of a job whose hosts have these PEs.
    pub fn new(pes: Vec<Vec<u32>>) -> Self {
        Self { pes, seq: 1, open: None, is_broken: false }
    }

    fn open(&mut self) -> &mut Open {
        let hosts = self.pes.len();
        self.open.get_or_insert_with(|| Open {
            first: None,
            arrived: vec![None; hosts],
            last: None,
            askers: vec![],
            late: vec![None; hosts],
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
        if open.arrived[host].is_some() {
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
            return Ok(self.complete());
        }
        // It has nobody left who could be late.
        Ok(self.answer())
    }

    /// Sends everybody the contributions of all.
    fn complete(&mut self) -> Vec<Outgoing> {
        let Some(Open { first: Some((_, kind, _)), arrived, .. }) = self.open.take() else { return vec![] };
        let mut all = vec![];
        if kind == MessageKind::Gather {
            all = vec![vec![]; self.pes.iter().map(Vec::len).sum()];
            for (pes, arrived) in self.pes.iter().zip(arrived) {
                for (pe, bytes) in pes.iter().zip(arrived.into_iter().flatten()) {
                    all[*pe as usize] = bytes;
                }
            }
        }
        let frame = Frame::Complete { seq: self.seq, all };
        self.seq += 1;
        vec![Outgoing::All(frame)]
    }

    /// Records that no round can complete any more, as the host `from` has said, and tells the others.
    pub fn broken(&mut self, from: Option<usize>, reason: String) -> Vec<Outgoing> {
        if std::mem::replace(&mut self.is_broken, true) {
            return vec![];
        }
        self.open = None;
        let others = (0..self.pes.len()).filter(|host| Some(*host) != from);
        others.map(|host| Outgoing::One(host, Frame::Broken { reason: reason.clone() })).collect()
    }

    /// Takes a host's question who is late.
    pub fn who_is_late(&mut self, host: usize, seq: u64) -> Vec<Outgoing> {
        // Otherwise, an answer is on its way.
        if seq != self.seq || self.is_broken {
            return vec![];
        }
        let open = self.open();
        if !open.askers.contains(&host) {
            open.askers.push(host);
        }
        let asked = (0..open.arrived.len()).filter(|host| open.arrived[*host].is_none() && open.late[*host].is_none());
        asked.map(|host| Outgoing::One(host, Frame::WhoIsLate { seq })).collect()
    }

    /// Takes a host's answer: the PEs for which it waits, and the time since the last one arrived.
    pub fn late(&mut self, host: usize, seq: u64, pes: Vec<u32>, since: Duration) -> Vec<Outgoing> {
        // A host may be asked twice before it answers. What comes when nobody waits for it is not kept: it would be old
        // when somebody asks again.
        let is_wanted = self.open.as_ref().is_some_and(|open| !open.askers.is_empty());
        if seq != self.seq || self.is_broken || !is_wanted {
            return vec![];
        }
        self.open().late[host] = Some((pes, since));
        self.answer()
    }

    /// Answers those who have asked, if every host has arrived or answered.
    fn answer(&mut self) -> Vec<Outgoing> {
        let seq = self.seq;
        let open = self.open();
        let is_known = |host: usize| open.arrived[host].is_some() || open.late[host].is_some();
        if open.askers.is_empty() || !(0..open.arrived.len()).all(is_known) {
            return vec![];
        }
        let (mut pes, mut since) = (vec![], open.last.map_or(Duration::MAX, |last| last.elapsed()));
        for (late, arrived) in open.late.iter_mut().zip(&open.arrived) {
            if let (Some((late, ago)), None) = (late.take(), arrived) {
                pes.extend(late);
                since = since.min(ago);
            }
        }
        pes.sort_unstable();
        let answer = Frame::Late { seq, since, pes };
        std::mem::take(&mut open.askers).into_iter().map(|host| Outgoing::One(host, answer.clone())).collect()
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
        let broken = |host| Outgoing::One(host, Frame::Broken { reason: reason.into() });
        assert_eq!(told, [broken(0), broken(1)]);
        assert_eq!(rounds.gathered(0, call(9, "z", &[])), Ok(vec![]), "nothing follows");
        assert_eq!(rounds.broken(Some(1), "again".into()), [], "it is told once");
    }

    #[test]
    fn who_is_late_is_answered_when_all_hosts_have_said_it() {
        let mut rounds = two_hosts();
        rounds.gathered(0, call(1, "x", &[0, 0])).unwrap();
        let asked = |host| Outgoing::One(host, Frame::WhoIsLate { seq: 1 });
        let late = |told: Vec<Outgoing>| -> Vec<(usize, Vec<u32>, Duration)> {
            let one = |frame| match frame {
                Outgoing::One(host, Frame::Late { seq: 1, pes, since }) => (host, pes, since),
                other => panic!("{other:?}"),
            };
            told.into_iter().map(one).collect()
        };
        assert_eq!(rounds.who_is_late(0, 2), [], "another round");
        // Two PEs of a host ask in turn, and its question is passed on twice.
        assert_eq!(rounds.who_is_late(0, 1), [asked(1)]);
        assert_eq!(rounds.who_is_late(0, 1), [asked(1)]);
        // Nobody has arrived there, but a host has a moment ago.
        let told = late(rounds.late(1, 1, vec![1, 2], Duration::MAX));
        assert!(told.len() == 1 && told[0].1 == [1, 2] && told[0].2 < Duration::from_secs(1000), "{told:?}");
        assert_eq!(rounds.late(1, 1, vec![2], Duration::ZERO), [], "nobody waits for it");
        assert_eq!(rounds.late(1, 3, vec![2], Duration::ZERO), [], "another round");
        assert_eq!(rounds.who_is_late(0, 1), [asked(1)], "the old answer does not count");
        assert_eq!(late(rounds.late(1, 1, vec![2], Duration::ZERO)), [(0, vec![2], Duration::ZERO)]);
        // Both hosts ask, before either has arrived.
        let mut rounds = two_hosts();
        rounds.who_is_late(0, 1);
        assert_eq!(rounds.who_is_late(1, 1).len(), 2);
        assert_eq!(rounds.late(0, 1, vec![3], Duration::from_millis(5)), []);
        let told = late(rounds.late(1, 1, vec![1, 2], Duration::from_millis(4)));
        let wanted = |host| (host, vec![1, 2, 3], Duration::from_millis(4));
        assert_eq!(told, [wanted(0), wanted(1)]);
    }
}
