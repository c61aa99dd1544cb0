//! Rounds: data that travel beside their flag.

use crate::{Flag, Flags, STAGES};

/// The most rounds that a member begins before it reads what the others wrote. When it has heard from all in the first
/// one, they are done with what came before the window. So a stage is overwritten in the next window at the earliest,
/// whose stages are others.
pub(crate) const WINDOW: usize = STAGES as usize / 2;

/// A round in which this member writes or reads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    pub(crate) number: u64,
    /// The stage into which this member writes, if it does.
    pub(crate) stage: usize,
}

/// Starts the next round, which all members write; this member may write its stage at once.
#[inline]
pub(crate) fn write_round<G: Flags>(group: &mut G) -> Round {
    begin(group, None)
}

/// Starts the next round, which only `writer` writes.
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

/// Waits until all members are done with these rounds.
#[cold]
#[inline(never)]
fn hear_of_readers<G: Flags>(group: &mut G, rounds: u64) {
    // This member itself is done with them: it has come further.
    let (me, mut least) = (group.me(), u64::MAX);
    for member in (0..group.size()).filter(|&m| m != me) {
        least = least.min(group.wait(member, Flag::Done, rounds));
    }
    group.progress().set_heard(least);
}

impl Round {
    /// Lets others read what this member wrote.
    #[inline]
    pub(crate) fn publish<G: Flags>(self, group: &mut G) {
        group.post(Flag::Stage(self.stage), self.number);
    }

    /// Waits until a member has published; returns its stage.
    #[inline]
    pub(crate) fn wait<G: Flags>(self, group: &mut G, member: u32) -> usize {
        let stage = group.progress().stage_of(member);
        if member != group.me() {
            group.wait(member, Flag::Stage(stage), self.number);
        }
        stage
    }

    /// Like [`Round::wait`], if this member has begun so many rounds of a window since, which all members write.
    #[inline]
    pub(crate) fn wait_before<G: Flags>(self, group: &mut G, member: u32, later: usize) -> usize {
        let stage = group.progress().stage_before(member, later as u64);
        group.wait(member, Flag::Stage(stage), self.number);
        stage
    }

    /// Records that this member is done with a window that began with this round, and has heard that all members have
    /// reached this round and are therefore done with what came before.
    #[inline]
    pub(crate) fn window_done_by_all<G: Flags>(self, group: &mut G) {
        group.progress().set_heard(self.number - 1);
    }

    /// Announces that this member reads nothing of this round any more.
    #[inline]
    pub(crate) fn done<G: Flags>(self, group: &mut G) {
        group.post(Flag::Done, self.number);
    }

    /// Records that this member reads nothing of this round any more, and has heard that all members have reached it
    /// and are therefore done with the round before. This needs no flag if all members hear from all: before a stage
    /// that holds this round is overwritten there is another round, whose end implies it.
    #[inline]
    pub(crate) fn done_by_all<G: Flags>(self, group: &mut G) {
        group.progress().set_heard(self.number - 1);
    }

    /// Announces that this member reads nothing of this round any more. Members heard from all in the last two rounds
    /// together, so all have reached the round before this one.
    #[inline]
    pub(crate) fn done_after_groups<G: Flags>(self, group: &mut G) {
        self.done(group);
        group.progress().set_heard(self.number - 2);
    }
}

/// Gives all members `N` numbers of each member, and combines them in the order of the members.
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

/// Members that can exchange a number without stages.
pub trait Counts {
    /// Announces this member's number to all; returns the sum over the members before this one, and over all. The
    /// announced numbers are not overwritten until all members have left the next `sync`.
    fn sums(&mut self, mine: usize) -> (usize, usize);
}
