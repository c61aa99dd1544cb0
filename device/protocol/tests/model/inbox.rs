//! Collectives through inboxes, one after the other, by members that have no barrier.

use crate::Looks;
use cushmem_protocol::inbox::{clears, decode, encode, flag, half, number, share};
use loom::sync::Arc;
use loom::sync::atomic::{
    AtomicU64,
    Ordering::{Relaxed, Release},
    fence,
};
use loom::thread;

/// What the blocks of a collective count together; a member has one block here.
const ALL: u32 = 4;

/// What the model omits.
#[derive(Clone, Copy, PartialEq)]
enum Without {
    Nothing,
    /// All collectives use one half.
    Halves,
    /// Only the first member sends.
    Answers,
    /// A word is taken when its first part has arrived.
    SecondFlag,
    /// A member sends before it clears.
    ClearingFirst,
}

struct Team {
    n: u64,
    without: Without,
    /// Indexed by owner, half and sender.
    parts: Vec<[AtomicU64; 2]>,
    counted: Vec<AtomicU64>,
}

/// The value that a member sends.
fn word(number: u64, from: u64, to: u64) -> u64 {
    let part = number % 1000 * 100 + from * 10 + to;
    part << 32 | part
}

impl Team {
    /// A team that has finished `before` collectives, of which the last two left these flags.
    fn new(n: u64, before: u64, without: Without) -> Self {
        let parts = (0..2 * n * n).map(|i| {
            // A half has `n` parts.
            let last = (before.saturating_sub(1)..=before).find(|number| half(*number) == i / n % 2);
            let word = last.filter(|number| *number > 0).map_or(0, flag);
            [(); 2].map(|()| AtomicU64::new(word))
        });
        let counted = (0..n).map(|_| AtomicU64::new(before * u64::from(ALL))).collect();
        Self { n, without, parts: parts.collect(), counted }
    }

    fn part(&self, owner: u64, number: u64, sender: u64) -> &[AtomicU64; 2] {
        let half = if self.without == Without::Halves { 0 } else { half(number) };
        &self.parts[((2 * owner + half) * self.n + sender) as usize]
    }

    fn sends(&self, member: u64) -> bool {
        self.without != Without::Answers || member == 0
    }

    /// Returns whether it did not drop out.
    fn member(&self, me: u64, collectives: u64) -> bool {
        (0..collectives).all(|_| {
            let counted = &self.counted[me as usize];
            let number = number(counted.load(Relaxed), ALL);
            if self.without != Without::ClearingFirst {
                self.clear(me, number);
            }
            for to in (0..self.n).filter(|to| *to != me && self.sends(me)) {
                let words = encode(word(number, me, to), flag(number));
                self.part(to, number, me).iter().zip(words).for_each(|(part, word)| part.store(word, Relaxed));
            }
            if self.without == Without::ClearingFirst {
                self.clear(me, number);
            }
            let all_came = (0..self.n).filter(|from| *from != me && self.sends(*from)).all(|from| {
                let Some(found) = self.receive(me, number, from) else { return false };
                assert_eq!(found, word(number, from, me), "of another collective");
                true
            });
            counted.fetch_add(share(ALL, 1), Relaxed);
            all_came
        })
    }

    fn clear(&self, me: u64, number: u64) {
        for from in (0..self.n).filter(|from| clears(number) && *from != me) {
            for part in self.part(me, number - 1, from) {
                let old = part.load(Relaxed);
                assert!(old >> 32 <= flag(number - 1) >> 32, "a later collective's word is cleared");
                part.store(0, Relaxed);
            }
        }
        fence(Release);
    }

    fn receive(&self, me: u64, number: u64, from: u64) -> Option<u64> {
        let looks = Looks::new(crate::LOOKS);
        loop {
            let words = self.part(me, number, from).each_ref().map(|part| part.load(Relaxed));
            for word in words {
                assert!(word >> 32 <= flag(number) >> 32, "overwritten before it was read");
            }
            let [a, b] = words;
            let words = if self.without == Without::SecondFlag { [a, b & 0xffff_ffff | flag(number)] } else { words };
            if let Some(word) = decode(words, flag(number)) {
                return Some(word);
            }
            if !looks.go_on() {
                return None;
            }
        }
    }
}

fn team(n: u64, collectives: u64, preemptions: usize, without: Without) {
    team_after(0, n, collectives, preemptions, without);
}

/// A team that has finished `before` collectives.
fn team_after(before: u64, n: u64, collectives: u64, preemptions: usize, without: Without) {
    crate::explore(preemptions, move || {
        let team = Arc::new(Team::new(n, before, without));
        let run = |me| {
            let team = team.clone();
            thread::spawn(move || team.member(me, collectives))
        };
        let others: Vec<_> = (1..n).map(run).collect();
        let passes = team.member(0, collectives);
        others.into_iter().fold(passes, |all, member| member.join().expect("a member") && all)
    });
}

#[test]
fn two_members() {
    team(2, 4, 3, Without::Nothing);
}

#[test]
fn three_members() {
    team(3, 3, 2, Without::Nothing);
}

#[test]
#[should_panic(expected = "overwritten before it was read")]
fn one_half_is_not_enough() {
    team(2, 3, 2, Without::Halves);
}

#[test]
#[should_panic(expected = "overwritten before it was read")]
fn who_hears_nothing_overwrites() {
    team(2, 3, 2, Without::Answers);
}

#[test]
#[should_panic(expected = "of another collective")]
fn each_part_needs_its_flag() {
    team(2, 3, 2, Without::SecondFlag);
}

/// Collectives before the first in which members clear their inboxes.
const BEFORE: u64 = (1 << 30) - 1;

#[test]
fn members_clear_their_inboxes() {
    team_after(BEFORE, 2, 3, 2, Without::Nothing);
}

#[test]
#[should_panic(expected = "a later collective's word is cleared")]
fn a_member_clears_before_it_sends() {
    team_after(BEFORE, 2, 2, 1, Without::ClearingFirst);
}
