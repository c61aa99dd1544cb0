//! Collectives that combine data: reductions and scans. Contributions are always combined in the order of the members,
//! so all members get the same bits.

use crate::stage::{Round, WINDOW, write_round};
use crate::{FAR_STAGE_BYTES, Fold, Group, StagedFold, Take, cost};
use std::ops::Range;

/// Combines the sources of all members on all members. Source and dest may be the same.
#[inline]
pub fn reduce<G: StagedFold>(group: &mut G, bytes: usize) {
    if cost::reduce_staged(bytes, group.size()) {
        reduce_staged(group, bytes, cost::group(group.size()));
    } else {
        reduce_direct(group, bytes);
    }
}

/// Each member combines the contributions of all. If groups are smaller than the team, it first combines those of its
/// group, and then the results of the groups, reading each from one member of that group.
#[inline]
pub(crate) fn reduce_staged<G: StagedFold>(group: &mut G, bytes: usize, in_group: u32) {
    let (me, size) = (group.me(), group.size());
    let mut round = write_round(group);
    group.stage(round.stage, 0, 0, bytes);
    round.publish(group);
    let first = me / in_group * in_group;
    for member in first..size.min(first + in_group) {
        take_contribution(group, round, take(member == first), member, bytes);
    }
    if in_group < size {
        round.done(group);
        round = write_round(group);
        group.give_stage(round.stage, bytes);
        round.publish(group);
        for first in (0..size).step_by(in_group as usize) {
            // The last group may have fewer members.
            let member = first + (me % in_group) % in_group.min(size - first);
            let stage = round.wait(group, member);
            group.take_stage(take(first == 0), member, stage, bytes);
        }
        round.done_after_groups(group);
    } else {
        round.done_by_all(group);
    }
    group.give(me, 0, bytes);
}

/// Each member combines the contributions of all, in pieces that each fit into a stage. Those of a window are on their
/// way together.
pub(crate) fn reduce_in_pieces<G: StagedFold>(group: &mut G, bytes: usize) {
    let (me, size) = (group.me(), group.size());
    let piece = FAR_STAGE_BYTES / group.element() * group.element();
    for window in (0..bytes.max(1)).step_by(WINDOW * piece) {
        let pieces = |from: usize| (from..bytes.max(1).min(window + WINDOW * piece)).step_by(piece);
        let length = |at: usize| piece.min(bytes - at);
        let mut rounds = [Round::default(); WINDOW];
        for (at, round) in pieces(window).zip(&mut rounds) {
            *round = write_round(group);
            group.stage(round.stage, 0, at, length(at));
            round.publish(group);
        }
        let last = pieces(window).count() - 1;
        for (index, at) in pieces(window).enumerate() {
            for member in 0..size {
                let how = take(member == 0);
                if member == me {
                    group.take(how, me, at, length(at));
                } else {
                    let stage = rounds[index].wait_before(group, member, last - index);
                    group.take_stage(how, member, stage, length(at));
                }
            }
            group.give(me, at, length(at));
        }
        rounds[0].window_done_by_all(group);
    }
}

/// Takes a member's contribution from its stage, or this member's own from its source.
#[inline(always)]
fn take_contribution<G: StagedFold>(group: &mut G, round: Round, how: Take, member: u32, bytes: usize) {
    if member == group.me() {
        group.take(how, member, 0, bytes);
    } else {
        let stage = round.wait(group, member);
        group.take_stage(how, member, stage, bytes);
    }
}

#[inline]
pub(crate) fn take(first: bool) -> Take {
    if first { Take::First } else { Take::Next }
}

/// Like [`reduce`], without stages.
pub fn reduce_direct<G: Fold>(group: &mut G, bytes: usize) {
    group.sync();
    reduce_shares(group, bytes, 0..group.size());
    group.sync();
}

/// Each member combines a share of the elements and gives it to the receivers. Nobody else touches that share, so
/// source and dest may be the same.
pub(crate) fn reduce_shares<G: Fold>(group: &mut G, bytes: usize, receivers: Range<u32>) {
    let me = group.me();
    for chunk in chunks(group, bytes) {
        for member in 0..group.size() {
            group.take(take(member == 0), member, chunk.start, chunk.len());
        }
        // The others first, so that a network moves the data while this member copies its own.
        let others = receivers.clone().filter(|&member| member != me);
        for member in others.chain(receivers.contains(&me).then_some(me)) {
            group.give(member, chunk.start, chunk.len());
        }
    }
}

/// Member `i` gets the sum of the sources of all members before it, and its own if `inclusive`; an exclusive scan gives
/// zero to the first. Source and dest may be the same.
#[inline]
pub fn scan<G: StagedFold>(group: &mut G, bytes: usize, inclusive: bool) {
    if !cost::reduce_staged(bytes, group.size()) {
        return scan_direct(group, bytes, inclusive);
    }
    let me = group.me();
    let round = write_round(group);
    group.stage(round.stage, 0, 0, bytes);
    round.publish(group);
    let end = if inclusive { me + 1 } else { me };
    for member in 0..end {
        take_contribution(group, round, take(member == 0), member, bytes);
    }
    if end == 0 {
        group.zero(bytes);
    }
    // Not all members have heard from all.
    round.done(group);
    group.give(me, 0, bytes);
}

/// Like [`scan`], without stages.
pub fn scan_direct<G: Fold>(group: &mut G, bytes: usize, inclusive: bool) {
    group.sync();
    scan_shares(group, bytes, inclusive);
    group.sync();
}

/// Each member scans its share of the elements for all members.
pub(crate) fn scan_shares<G: Fold>(group: &mut G, bytes: usize, inclusive: bool) {
    for chunk in chunks(group, bytes) {
        scan_chunk(group, chunk.start, chunk.len(), inclusive);
    }
}

/// Scans a part of the elements: the accumulator passes through the members.
fn scan_chunk<G: Fold>(group: &mut G, at: usize, bytes: usize, inclusive: bool) {
    if !inclusive {
        group.zero(bytes);
    }
    for member in 0..group.size() {
        let how = take(member == 0);
        if inclusive {
            group.take(how, member, at, bytes);
            group.give(member, at, bytes);
        } else {
            group.give_and_take(how, member, at, bytes);
        }
    }
}

/// The bytes that this member combines: whole elements, and whole cache lines if the buffers are aligned to them.
fn share<G: Fold + Group>(group: &G, bytes: usize) -> Range<usize> {
    let unit = line_of(group.element());
    let (units, size) = (bytes.div_ceil(unit), group.size() as usize);
    let start = |member: usize| (units * member / size * unit).min(bytes);
    start(group.me() as usize)..start(group.me() as usize + 1)
}

/// The least multiple of an element's size that fills a cache line.
fn line_of(element: usize) -> usize {
    element * 64usize.div_ceil(element)
}

/// The parts of its share that this member combines at a time.
fn chunks<G: Fold>(group: &G, bytes: usize) -> impl Iterator<Item = Range<usize>> + use<G> {
    let (share, element) = (share(group, bytes), group.element());
    let step = group.chunk() / element * element;
    share.clone().step_by(step).map(move |at| at..share.end.min(at + step))
}
