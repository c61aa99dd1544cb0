//! Rounds: data that travel beside their flag.

use crate::{Flag, Flags};

/// A round of which this member writes or reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) number: u64,
    /// This member's, if it writes.
    pub(crate) stage: usize,
}

/// The next round, which all members write, this one at once.
#[inline]
pub(crate) fn write_round<G: Flags>(group: &mut G) -> Round {
    begin(group, None)
}

/// The next round, which only `writer` writes.
#[inline]
pub(crate) fn round_of<G: Flags>(group: &mut G, writer: u32) -> Round {
    begin(group, Some(writer))
}

#[inline]
fn begin<G: Flags>(group: &mut G, writer: Option<u32>) -> Round {
    let (me, progress) = (group.me(), group.progress());
    let number = progress.round(writer);
    let stage = progress.stage_of(me);
    if writer.is_none_or(|writer| writer == me) {
        let held = progress.hold(stage, number);
        if held > progress.heard() {
            hear_of_readers(group, held);
        }
    }
    Round { number, stage }
}

/// Waits until all are done with these rounds.
#[cold]
#[inline(never)]
fn hear_of_readers<G: Flags>(group: &mut G, rounds: u64) {
    // This member is: it has come further.
    let (me, mut least) = (group.me(), u64::MAX);
    for member in (0..group.size()).filter(|&m| m != me) {
        least = least.min(group.wait(member, Flag::Done, rounds));
    }
    group.progress().set_heard(least);
}

impl Round {
    /// What this member wrote may be read.
    #[inline]
    pub(crate) fn publish<G: Flags>(self, group: &mut G) {
        group.post(Flag::Stage(self.stage), self.number);
    }

    /// Waits until a member has published; returns in which stage.
    #[inline]
    pub(crate) fn wait<G: Flags>(self, group: &mut G, member: u32) -> usize {
        let stage = group.progress().stage_of(member);
        if member != group.me() {
            group.wait(member, Flag::Stage(stage), self.number);
        }
        stage
    }

    /// This member reads nothing of this round any more.
    #[inline]
    pub(crate) fn done<G: Flags>(self, group: &mut G) {
        group.post(Flag::Done, self.number);
    }

    /// This member reads nothing of this round any more, and has heard that all have come to it, so that they are done
    /// with the one before. Needs no flag, if all hear of all: before a stage that holds this round is written again
    /// there is a next one, whose end says more.
    #[inline]
    pub(crate) fn done_by_all<G: Flags>(self, group: &mut G) {
        group.progress().set_heard(self.number - 1);
    }

    /// This member reads nothing of this round any more, and members heard of all in the last two rounds: all have come
    /// to the one before this.
    #[inline]
    pub(crate) fn done_after_groups<G: Flags>(self, group: &mut G) {
        self.done(group);
        group.progress().set_heard(self.number - 2);
    }
}

/// Tells all members some numbers and combines theirs, in the order of the members.
pub fn gather_words<G: Flags, const N: usize>(group: &mut G, mine: [u64; N], mut combine: impl FnMut(u32, [u64; N])) {
    let round = write_round(group);
    for (index, &word) in mine.iter().enumerate() {
        group.stage_word(round.stage, index, word);
    }
    round.publish(group);
    for member in 0..group.size() {
        let stage = round.wait(group, member);
        combine(member, std::array::from_fn(|index| group.staged_word(member, stage, index)));
    }
    round.done_by_all(group);
}

/// Members that can tell each other a number without stages.
pub trait Counts {
    /// Tells all members a number; gives the sum of those of the members before this one, and of all. What was told
    /// before the call is not disturbed before all have come out of the next `sync`.
    fn sums(&mut self, mine: usize) -> (usize, usize);
}
