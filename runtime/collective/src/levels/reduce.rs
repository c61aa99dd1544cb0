//! Collectives that combine data. Reductions combine nodes in their order, so all members get the same bits; scans
//! combine members in the team's order.

use super::gather::{gather, write_words};
use super::{Level, Levels, Side, enter_node, share_out, sync};
use crate::reduce::{reduce_in_pieces, reduce_shares, reduce_staged, scan_shares, take};
use crate::stage::write_round;
use crate::step::{arrive, meet};
use crate::{STAGE_BYTES, StagedFold, cost};

/// Combines the sources of all members; all get the same bits. Source and dest may be the same.
pub fn reduce<G: Levels + StagedFold>(group: &mut G, bytes: usize) {
    enter_node(group);
    let (size, alone) = (group.size(), group.layout().most() == 1);
    if alone {
        // The leaders start with their source.
    } else if size == 1 {
        group.get(0, 0, 0, bytes);
    } else if cost::reduce_staged(bytes, size) {
        reduce_staged(group, bytes, cost::group(size));
    } else {
        meet(group);
        reduce_shares(group, bytes, 0..1);
        arrive(group);
    }
    if group.layout().is_leader() {
        group.enter(Level::Leaders, if alone { Side::Source } else { Side::Dest }, Side::Dest);
        let leaders = group.size();
        if cost::far_reduce_staged(bytes, leaders) {
            reduce_in_pieces(group, bytes);
        } else {
            meet(group);
            reduce_shares(group, bytes, 0..leaders);
            meet(group);
            group.settle();
        }
    }
    share_out(group, bytes);
}

/// Member `i` gets the sum of the sources of all members before it, and its own if `inclusive`; an exclusive scan gives
/// zero to the first. Source and dest may be the same.
pub fn scan<G: Levels + StagedFold>(group: &mut G, bytes: usize, inclusive: bool) {
    if bytes <= STAGE_BYTES {
        scan_gathered(group, bytes, inclusive);
    } else {
        sync(group);
        group.enter(Level::Team, Side::Source, Side::Dest);
        scan_shares(group, bytes, inclusive);
        group.complete();
        sync(group);
    }
}

/// Each member gets the contributions of all and combines them by itself.
fn scan_gathered<G: Levels + StagedFold>(group: &mut G, bytes: usize, inclusive: bool) {
    let width = bytes.div_ceil(8).max(1);
    let words = gather(group, width, |group, stage| group.stage(stage, 0, 0, bytes));
    enter_node(group);
    // A stage of this member's own to combine from, which nobody else reads in this round.
    let (me, round) = (group.me(), write_round(group));
    let end = group.layout().me() as usize + usize::from(inclusive);
    if end == 0 {
        group.zero(bytes);
    }
    for (member, words) in words.chunks(width).take(end).enumerate() {
        write_words(group, round.stage, 0, words);
        group.take_stage(take(member == 0), me, round.stage, bytes);
    }
    round.done(group);
    group.give(me, 0, bytes);
}
