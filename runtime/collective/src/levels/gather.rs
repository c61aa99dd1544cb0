//! Collects numbers from all members.

use super::{Level, Levels, Side, enter_node};
use crate::stage::{round_of, write_round};
use crate::step::others;
use crate::{Flags, STAGE_BYTES};

/// The numbers that fit into a stage.
const STAGE_WORDS: usize = STAGE_BYTES / 8;

/// Gives all members `N` numbers of each member, and combines them in the order of the members.
pub fn gather_words<G: Levels, const N: usize>(group: &mut G, mine: [u64; N], mut combine: impl FnMut(u32, [u64; N])) {
    let words = gather(group, N, |group, stage| {
        for (index, &word) in mine.iter().enumerate() {
            group.stage_word(stage, index, word);
        }
    });
    for member in 0..group.layout().size() {
        let first = member as usize * N;
        combine(member, std::array::from_fn(|index| words[first + index]));
    }
}

/// Returns what each member writes to its stage, `width` numbers each, in the order of the members.
pub(super) fn gather<G: Levels>(group: &mut G, width: usize, write: impl FnOnce(&mut G, usize)) -> Vec<u64> {
    assert!((1..=STAGE_WORDS).contains(&width), "{width} numbers on a stage");
    let mut words = vec![0; group.layout().size() as usize * width];
    enter_node(group);
    let round = write_round(group);
    write(group, round.stage);
    round.publish(group);
    if group.layout().is_leader() {
        for inner in 0..group.size() {
            let stage = round.wait(group, inner);
            let first = nth(group, group.layout().node(), inner) * width;
            read_words(group, inner, stage, 0, &mut words[first..first + width]);
        }
    }
    // Only the leader has heard from all.
    round.done(group);
    if group.layout().is_leader() {
        group.enter(Level::Leaders, Side::Dest, Side::Dest);
        gather_between(group, width, &mut words);
    }
    enter_node(group);
    if group.size() > 1 {
        broadcast_words(group, &mut words);
    }
    words
}

/// The leaders exchange the numbers of their nodes' members, as many at a time as a stage holds.
fn gather_between<G: Levels>(group: &mut G, width: usize, words: &mut [u64]) {
    let at_a_time = STAGE_WORDS / width;
    for first in (0..group.layout().most()).step_by(at_a_time) {
        let members = |group: &G, node: u32| {
            let count = group.layout().members(node).len() as u32;
            (0..at_a_time).map(move |i| (i * width, first + i as u32)).take_while(move |&(_, inner)| inner < count)
        };
        let (me, round) = (group.me(), write_round(group));
        for (index, inner) in members(group, me) {
            let at = nth(group, me, inner) * width;
            write_words(group, round.stage, index, &words[at..at + width]);
        }
        round.publish(group);
        for node in others(group) {
            let stage = round.wait(group, node);
            for (index, inner) in members(group, node) {
                let at = nth(group, node, inner) * width;
                read_words(group, node, stage, index, &mut words[at..at + width]);
            }
        }
        round.done_by_all(group);
    }
}

/// The members of the node receive the numbers of their leader.
fn broadcast_words<G: Flags>(group: &mut G, words: &mut [u64]) {
    for words in words.chunks_mut(STAGE_WORDS) {
        let round = round_of(group, 0);
        if group.me() == 0 {
            write_words(group, round.stage, 0, words);
            round.publish(group);
        } else {
            let stage = round.wait(group, 0);
            read_words(group, 0, stage, 0, words);
        }
        round.done(group);
    }
}

/// The number in the team of a member of a node.
fn nth<G: Levels>(group: &G, node: u32, inner: u32) -> usize {
    group.layout().members(node)[inner as usize] as usize
}

pub(super) fn write_words<G: Flags>(group: &mut G, stage: usize, index: usize, words: &[u64]) {
    for (i, &word) in words.iter().enumerate() {
        group.stage_word(stage, index + i, word);
    }
}

fn read_words<G: Flags>(group: &mut G, from: u32, stage: usize, index: usize, words: &mut [u64]) {
    for (i, word) in words.iter_mut().enumerate() {
        *word = group.staged_word(from, stage, index + i);
    }
}
