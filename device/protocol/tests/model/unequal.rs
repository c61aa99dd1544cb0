//! Exchanges of unequal size, one after the other, in the steps of `device/src/collective/unequal.rs`: how many rows
//! each member sends to each goes through the inboxes, the rows to the members' dests, and then the members meet. Two
//! lanes of each member are one block or two.

use crate::Looks;
use crate::crews::Meeting;
use cushmem_protocol::inbox::{decode, encode, flag, half};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};
use loom::thread;

const LANES: u64 = 2;

/// What the model omits.
#[derive(Clone, Copy, PartialEq)]
enum Without {
    Nothing,
    /// Lanes do not meet before one of them sends.
    Enter,
    /// The lane that sends has no fence before.
    Fence,
    /// Words are awaited without acquiring.
    Acquire,
    /// The lanes of a block do not meet when they have awaited their words.
    Block,
    /// A block awaits only the words of its member.
    Others,
    /// The members do not meet behind the rows.
    Second,
    /// Lanes do not meet at the end.
    Leave,
}

struct Member {
    /// The words of the inbox, by half, sender and receiver of the rows.
    inbox: Vec<[AtomicU64; 2]>,
    /// The rows, by sender and the sender's lane. Their places are always the same, but known only from the words.
    dest: Vec<UnsafeCell<u64>>,
    lanes: Meeting,
}

struct Job {
    members: Vec<Member>,
    /// By lane: the meetings of the lanes with this number of all members.
    second: Vec<Meeting>,
    /// Whether each lane is a block of its own.
    blocks: bool,
    without: Without,
}

/// How many rows one member sends to another one.
fn count(number: u64, from: u64, to: u64) -> u64 {
    let part = number * 100 + from * 10 + to;
    part << 32 | part
}

impl Job {
    fn n(&self) -> u64 {
        self.members.len() as u64
    }

    fn word(&self, owner: u64, number: u64, from: u64, to: u64) -> &[AtomicU64; 2] {
        &self.members[owner as usize].inbox[((half(number) * self.n() + from) * self.n() + to) as usize]
    }

    /// Returns whether no lane has dropped out. One that has still goes to all meetings, so that the others learn of
    /// it.
    fn run(&self, me: u64, lane: u64, collectives: u64) -> bool {
        (1..=collectives).fold(true, |is_in, number| self.exchange(number, me, lane, is_in))
    }

    fn exchange(&self, number: u64, me: u64, lane: u64, mut is_in: bool) -> bool {
        let (n, without, own) = (self.n(), self.without, &self.members[me as usize]);
        let meet =
            |place, meeting: &Meeting, all, is_in| if without == place { is_in } else { meeting.meet(all, is_in) };
        if is_in {
            // The program looks at what the exchange before has brought, each lane at what came from another one.
            own.dest.iter().skip((1 - lane) as usize).step_by(2).for_each(|rows| rows.with(|_| ()));
        }
        is_in = meet(Without::Enter, &own.lanes, LANES, is_in);
        if is_in && lane == 0 {
            self.send(number, me);
        }
        let awaits = |from: u64, to: u64| {
            (self.blocks || (from + to) % LANES == lane) && (without != Without::Others || from == me)
        };
        let words = || (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
        is_in = is_in
            && words().filter(|(from, to)| awaits(*from, *to)).all(|(from, to)| self.await_word(number, me, from, to));
        if !self.blocks {
            is_in = meet(Without::Block, &own.lanes, LANES, is_in);
        }
        if is_in {
            for (from, to) in words() {
                let found = self.look(number, me, from, to, Relaxed);
                assert_eq!(found, Some(count(number, from, to)), "the word has not come, or is of another collective");
            }
            for to in &self.members {
                to.dest[(me * LANES + lane) as usize].with_mut(|_| ());
            }
        }
        is_in = meet(Without::Second, &self.second[lane as usize], n, is_in);
        meet(Without::Leave, &own.lanes, LANES, is_in)
    }

    fn send(&self, number: u64, me: u64) {
        if self.without != Without::Fence {
            fence(Release);
        }
        for to in 0..self.n() {
            let words = encode(count(number, me, to), flag(number));
            // To this member last.
            for owner in (1..=self.n()).map(|step| (me + step) % self.n()) {
                let parts = self.word(owner, number, me, to).iter();
                parts.zip(words).for_each(|(part, word)| part.store(word, Relaxed));
            }
        }
    }

    /// A word of this member's inbox, if it has come.
    fn look(&self, number: u64, me: u64, from: u64, to: u64, order: loom::sync::atomic::Ordering) -> Option<u64> {
        let words = self.word(me, number, from, to).each_ref().map(|part| part.load(order));
        for word in words {
            assert!(word >> 32 <= flag(number) >> 32, "overwritten before it was read");
        }
        decode(words, flag(number))
    }

    /// Returns whether it has come.
    fn await_word(&self, number: u64, me: u64, from: u64, to: u64) -> bool {
        let order = if self.without == Without::Acquire { Relaxed } else { Acquire };
        let looks = Looks::new(crate::LOOKS);
        while self.look(number, me, from, to, order).is_none() {
            if !looks.go_on() {
                return false;
            }
        }
        true
    }
}

fn exchanges(collectives: u64, blocks: bool, preemptions: usize, without: Without) {
    const N: u64 = 2;
    crate::explore(preemptions, move || {
        let member = |_| Member {
            inbox: (0..2 * N * N).map(|_| [(); 2].map(|()| AtomicU64::new(0))).collect(),
            dest: (0..N * LANES).map(|_| UnsafeCell::new(0)).collect(),
            lanes: Meeting::new(),
        };
        let (members, second) = ((0..N).map(member).collect(), (0..LANES).map(|_| Meeting::new()).collect());
        let job = Arc::new(Job { members, second, blocks, without });
        let others: Vec<_> = (1..N * LANES)
            .map(|lane| {
                let job = job.clone();
                thread::spawn(move || job.run(lane / LANES, lane % LANES, collectives))
            })
            .collect();
        let passes = job.run(0, 0, collectives);
        others.into_iter().fold(passes, |all, lane| lane.join().expect("a lane") && all)
    });
}

#[test]
fn by_one_block() {
    exchanges(2, false, 2, Without::Nothing);
}

#[test]
fn by_blocks() {
    exchanges(2, true, 2, Without::Nothing);
}

/// Three exchanges, so that a half is used again.
#[test]
fn one_after_the_other() {
    exchanges(3, true, 1, Without::Nothing);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn lanes_meet_before_one_sends() {
    exchanges(2, false, 2, Without::Enter);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_member_releases_its_dest() {
    exchanges(2, true, 2, Without::Fence);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn words_acquire_the_dest() {
    exchanges(2, true, 2, Without::Acquire);
}

#[test]
#[should_panic(expected = "the word has not come")]
fn lanes_of_a_block_meet() {
    exchanges(1, false, 2, Without::Block);
}

#[test]
#[should_panic(expected = "the word has not come")]
fn blocks_await_all_words() {
    exchanges(1, true, 2, Without::Others);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn members_meet_behind_the_rows() {
    exchanges(2, true, 2, Without::Second);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn lanes_meet_at_the_end() {
    exchanges(2, true, 2, Without::Leave);
}
