//! One operation among many fails. Nothing that was posted behind it on its lane, for its peer, takes effect.

use super::*;
use crate::loopback::memory::ProcessMemory;
use cushmem_numbers::mixed;

/// The operations of a round, which fit into a ring.
const MANY: usize = 200;
/// Each operation has a place of its own, which is zero before.
const PLACE: usize = 8192;
/// The value of each byte of a place that an operation has reached.
const FULL: u8 = 0x5a;
/// A word of this value.
const FULL_WORD: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    /// By a fault of the settings.
    Fault,
    /// Its region is not registered.
    NoRegion,
    /// It ends outside of its region.
    Outside,
    /// Its region is that of a process that does not exist any more.
    NoProcess,
    /// It is an atomic operation on a word that is not aligned.
    Misaligned,
}

const NO_REGION: u32 = REGION + 1;
const NO_PROCESS: u32 = REGION + 2;

impl How {
    const ALL: [Self; 5] = [Self::Fault, Self::NoRegion, Self::Outside, Self::NoProcess, Self::Misaligned];

    fn applied(self, work: Work) -> Work {
        match self {
            Self::Fault => work,
            Self::NoRegion => Work { region: NO_REGION, ..work },
            Self::Outside => Work { at: (MANY * PLACE) as u64 + 63, ..work },
            Self::NoProcess => Work { region: NO_PROCESS, ..work },
            Self::Misaligned => Work { at: work.at + 1, ..work },
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Fault => "make it fail",
            Self::NoRegion => "is not registered",
            Self::Outside => "are outside of the valid range",
            Self::NoProcess => "the system does not copy between the processes",
            Self::Misaligned => "it needs an aligned word",
        }
    }
}

/// The operation number `at` of a round, and what a failure calls it.
fn operation(kind: u64, peer: u32, at: usize, source: &[u8], to: &mut [u8]) -> (Work, &'static str) {
    let place = at * PLACE;
    match kind {
        0 => (put(peer, place, &source[..100]), "put of 100 bytes"),
        1 => (put(peer, place, source), "put of 8000 bytes"),
        2 => (inline(peer, place, &FULL_WORD), "put of 8 bytes"),
        3 => (delivered(inline(peer, place, &FULL_WORD)), "put of 8 bytes"),
        4 => {
            let work = Work { at: (MANY * PLACE) as u64, ..get(peer, place, &mut to[..64]) };
            (work, "get of 64 bytes")
        }
        _ => {
            let mut old = 0;
            let work = amo(peer, place, WordOp::Add, FULL_WORD, &mut old);
            let Operation::Amo { op, width, operand, condition, .. } = work.operation else { unreachable!() };
            (
                Work { operation: Operation::Amo { op, width, operand, condition, to: 0 }, ..work },
                "atomic operation on 8 bytes",
            )
        }
    }
}

fn round(profile: Profile, seed: u64) {
    let mut state = seed;
    let mut below = |limit: u64| {
        state = mixed(state);
        state % limit
    };
    let how = How::ALL[below(5) as usize];
    let peer_of: Vec<u32> = (0..MANY).map(|_| 1 + below(2) as u32).collect();
    let mut kinds: Vec<u64> = (0..MANY).map(|_| below(6)).collect();
    let bad = below(MANY as u64) as usize;
    match how {
        // The end of an operation on one word is not its start.
        How::Misaligned => kinds[bad] = 5,
        How::NoProcess => kinds[bad] %= 5,
        _ => (),
    }
    let before = (0..bad).filter(|at| peer_of[*at] == peer_of[bad]).count();
    let fault = if how == How::Fault { format!(",fail={}@{before}", peer_of[bad]) } else { String::new() };
    let context = format!("{profile}, seed {seed}: operation {bad}, {how:?}");
    let rig = Rig::new(&format!("{profile}:{seed}{fault}"), 2, MANY * PLACE + 64);
    for peer in 1..=2 {
        // No process has this number.
        let gone = ProcessMemory { pid: i32::MAX, start: 4096, bytes: 1 << 30 };
        rig.nic.learn(peer, NO_PROCESS, 0, &gone.card()).expect("a card");
        let end = &rig.peers[peer as usize - 1];
        (0..8).for_each(|word| end.word(MANY * PLACE + word * 8).store(FULL_WORD, Ordering::Relaxed));
    }
    let source = vec![FULL; 8000];
    let mut gets = vec![[0_u8; 64]; MANY];
    let mut named = "";
    rig.hold(Step::Piece);
    for (at, to) in gets.iter_mut().enumerate() {
        let (work, name) = operation(kinds[at], peer_of[at], at, &source, to);
        if at == bad {
            named = name;
            post(&rig.lane, how.applied(work));
        } else {
            post(&rig.lane, work);
        }
    }
    rig.release(Step::Piece);
    until("the last operation", || rig.lane.done() == MANY as u64);
    let failure = rig.lane.failure().expect(&context).to_string();
    for part in [named, &format!("peer {}", peer_of[bad]), how.text()] {
        assert!(failure.contains(part), "{context}: {failure}, without {part}");
    }
    // Everything is delivered when the NIC is gone.
    let Rig { open, lane, nic, peers } = rig;
    drop((open, lane, nic));
    for at in 0..MANY {
        let (first, last) = match kinds[at] {
            0 => (0, 99),
            1 => (0, 7999),
            4 => (0, 63),
            _ => (0, 7),
        };
        let there = |byte: usize| match kinds[at] {
            4 => gets[at][byte],
            _ => peers[peer_of[at] as usize - 1].byte(at * PLACE + byte),
        };
        let expected = if at >= bad && peer_of[at] == peer_of[bad] { 0 } else { FULL };
        // An operation that fails only when it is executed cannot stop what was executed before it: anything on a
        // network without order, and on verbs the puts that have overtaken it.
        let is_behind = how == How::NoProcess && at > bad && peer_of[at] == peer_of[bad];
        let has_overtaken = profile == Profile::Verbs && kinds[bad] == 4 && kinds[at] < 4;
        let is_free = is_behind && (!profile.ordered() || has_overtaken);
        assert!(is_free || [there(first), there(last)] == [expected; 2], "{context}: operation {at}");
    }
}

/// Catches a network on which a flag arrives without the data in front of it, because only the data failed: of many
/// operations of any kind, for two peers, one fails in one of several ways.
#[test]
fn nothing_behind_a_failed_operation_takes_effect() {
    for profile in Profile::ALL {
        (1..=40).for_each(|seed| round(profile, seed));
    }
}

/// The failure of an operation stops those that are posted when it is already known, of all kinds, and no other lane.
#[test]
fn a_lane_stays_stopped_for_the_peer_alone() {
    for profile in Profile::ALL {
        let rig = Rig::new(&format!("{profile}:0,fail=1@0"), 2, 1 << 16);
        let other = rig.nic.lane();
        let source = vec![FULL; 8000];
        let fails = post(&rig.lane, put(1, 0, &source));
        until("the failure", || rig.lane.done() >= fails);
        let mut to = [0; 64];
        for kind in 0..6 {
            let (work, _) = operation(kind, 1, 1 + kind as usize, &source, &mut to);
            let ticket = post(&rig.lane, if kind == 4 { Work { at: 0, ..work } } else { work });
            until("an operation behind it", || rig.lane.done() >= ticket);
        }
        let ticket = post(&rig.lane, delivered(inline(2, 0, &FULL_WORD)));
        until("the other peer", || rig.lane.done() >= ticket && rig.peers[1].load(0) == FULL_WORD);
        wait(&other, post(&other, delivered(inline(1, 0, &FULL_WORD))));
        until("the other lane", || rig.peers[0].load(0) == FULL_WORD);
        let Rig { open, lane, nic, peers } = rig;
        drop((open, lane, other, nic));
        assert!((8..1 << 16).all(|at| peers[0].byte(at) == 0), "{profile}");
    }
}
