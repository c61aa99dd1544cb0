//! Collectives of teams with members on several nodes: the schedules of one node, composed. Each begins on the nodes, goes on between their
//! leaders, and ends on the nodes.

use crate::moves::{self, others, others_of};
use crate::reduce::{reduce_shares, reduce_staged, scan_shares, take};
use crate::stage::{round_of, write_round};
use crate::step::{arrive, meet, post_step, release, wait_step};
use crate::{Copies, Flags, Layout, STAGE_BYTES, StagedFold, Stages, cost};
use std::ops::Range;

/// Which object of the members a phase reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What they contribute.
    Source,
    /// What they get.
    Dest,
}

/// Whom the methods of [`Group`](crate::Group) and its kin are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The members of this one's node, numbered in the team's order. Number 0 is the leader.
    Node,
    /// The leaders, each numbered as its node. Only leaders enter it.
    Leaders,
    /// The whole team. There are no flags here, and no stages.
    Team,
}

/// A member of a team on several nodes. The levels have flags, stages and [`Progress`](crate::Progress) of their own.
///
/// Between nodes:
/// * a flag that is put to a PE vouches for what the same PE put to it before, and for nothing else;
/// * [`post`](Flags::post) puts a flag to all other leaders, after the data of its stage, and [`wait`](Flags::wait) and what reads stages look
///   at what has come;
/// * [`put`](Copies::put) returns at once: the source is read, and dest written, at any time before [`complete`](Self::complete) returns.
///   [`get`](Copies::get) and [`take`](crate::Fold::take) return when the data are here, and [`give`](crate::Fold::give) once the
///   accumulator may change.
pub trait Levels: Flags {
    /// Which members are on which node.
    fn layout(&self) -> &Layout;
    /// From now on the methods are about this level; `source_at` counts in the object `from`, this member's and the others', and `dest_at` in
    /// the object `to`.
    fn enter(&mut self, level: Level, from: Side, to: Side);
    /// Returns when what this member put to other nodes has arrived.
    fn complete(&mut self);
}

/// Returns when all have called it. It does not complete puts.
pub fn sync<G: Levels>(group: &mut G) {
    enter_node(group);
    arrive(group);
    if group.layout().is_leader() {
        group.enter(Level::Leaders, Side::Dest, Side::Dest);
        meet(group);
        enter_node(group);
    }
    release(group);
}

/// The members of this one's node, with their own source and dest.
fn enter_node<G: Levels>(group: &mut G) {
    assert!(group.layout().nodes() > 1, "a team on one node has one level");
    group.enter(Level::Node, Side::Source, Side::Dest);
}

/// The members of the node get what their leader has.
fn share_out<G: Levels + Stages>(group: &mut G, bytes: usize) {
    group.enter(Level::Node, Side::Dest, Side::Dest);
    if group.size() > 1 {
        moves::broadcast(group, bytes, 0, false);
    }
}

/// Numbers in a stage.
const STAGE_WORDS: usize = STAGE_BYTES / 8;

/// Tells all members some numbers and combines theirs, in the order of the members.
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

/// What each member writes on its stage, `width` numbers, in the order of the members.
fn gather<G: Levels>(group: &mut G, width: usize, write: impl FnOnce(&mut G, usize)) -> Vec<u64> {
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
        round.done_by_all(group);
        group.enter(Level::Leaders, Side::Dest, Side::Dest);
        gather_between(group, width, &mut words);
    } else {
        round.done(group);
    }
    enter_node(group);
    if group.size() > 1 {
        broadcast_words(group, &mut words);
    }
    words
}

/// The leaders tell each other the numbers of their nodes' members, of as many at a time as a stage has room for.
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

/// The members of the node get the numbers of their leader.
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

/// A member of a node, as a number of the team.
fn nth<G: Levels>(group: &G, node: u32, inner: u32) -> usize {
    group.layout().members(node)[inner as usize] as usize
}

fn write_words<G: Flags>(group: &mut G, stage: usize, index: usize, words: &[u64]) {
    for (i, &word) in words.iter().enumerate() {
        group.stage_word(stage, index + i, word);
    }
}

fn read_words<G: Flags>(group: &mut G, from: u32, stage: usize, index: usize, words: &mut [u64]) {
    for (i, word) in words.iter_mut().enumerate() {
        *word = group.staged_word(from, stage, index + i);
    }
}

/// All get what the root has; its own dest, if `root_too`.
pub fn broadcast<G: Levels + Stages>(group: &mut G, bytes: usize, root: u32, root_too: bool) {
    let layout = group.layout();
    let (node, inner, is_leader) = (layout.node_of(root), layout.inner_of(root), layout.is_leader());
    let near = layout.node() == node;
    let on_node = |group: &mut G| {
        enter_node(group);
        moves::broadcast(group, bytes, inner, root_too);
    };
    // The way to other nodes is the longest, so a leader that has the data begins with it.
    let from = if inner == 0 { Side::Source } else { Side::Dest };
    if near && inner != 0 {
        on_node(group);
    }
    if is_leader {
        group.enter(Level::Leaders, from, Side::Dest);
        broadcast_between(group, bytes, node);
    }
    if near && inner == 0 {
        on_node(group);
    } else if !near {
        share_out(group, bytes);
    }
    if is_leader {
        // Before the data change.
        group.complete();
    }
}

/// The leaders get what one of them has.
fn broadcast_between<G: Levels + Stages>(group: &mut G, bytes: usize, root: u32) {
    let is_root = group.me() == root;
    if bytes <= STAGE_BYTES {
        moves::broadcast(group, bytes, root, false);
    } else if cost::scattered(bytes, group.size()) {
        broadcast_scattered(group, bytes, root);
    } else if is_root {
        for leader in others(group) {
            group.put(leader, 0, 0, bytes);
        }
        post_step(group);
    } else {
        let step = group.progress().step();
        wait_step(group, root, step);
    }
}

/// The root gives each other leader a share, and these give them to each other.
fn broadcast_scattered<G: Levels + Stages>(group: &mut G, bytes: usize, root: u32) {
    let (me, size) = (group.me(), group.size());
    let share = |leader: u32| {
        let number = ((leader + size - root) % size - 1) as usize;
        let start = |number: usize| (bytes.div_ceil(64) * number / (size as usize - 1) * 64).min(bytes);
        start(number)..start(number + 1)
    };
    if me == root {
        for leader in others(group) {
            put(group, leader, share(leader));
        }
        post_step(group);
        // That of the others.
        group.progress().step();
        return;
    }
    let step = group.progress().step();
    wait_step(group, root, step);
    group.enter(Level::Leaders, Side::Dest, Side::Dest);
    let rest = || others_of(me, size).filter(move |&leader| leader != root);
    for leader in rest() {
        put(group, leader, share(me));
    }
    let step = post_step(group);
    for leader in rest() {
        wait_step(group, leader, step);
    }
}

/// Puts a part to the same place.
fn put<G: Copies>(group: &mut G, to: u32, part: Range<usize>) {
    if !part.is_empty() {
        group.put(to, part.start, part.start, part.len());
    }
}

/// All get the blocks of all, in the members' order.
pub fn fcollect<G: Levels + Stages>(group: &mut G, bytes: usize) {
    let all = group.layout().size() as usize * bytes;
    collect_blocks(group, all, |member| member as usize * bytes..(member as usize + 1) * bytes);
}

/// All get the blocks of all, in the members' order; each block has a length of its own, here `bytes`. Dest has room for `room` bytes; if
/// that is not enough, all members get how many it would take.
pub fn collect<G: Levels + Stages>(group: &mut G, bytes: usize, room: usize) -> Result<(), usize> {
    let mut ends = Vec::with_capacity(group.layout().size() as usize);
    let mut end = 0usize;
    gather_words(group, [bytes as u64], |_, [theirs]| {
        end = end.saturating_add(theirs as usize);
        ends.push(end);
    });
    if end > room {
        return Err(end);
    }
    let start = |member: u32| if member == 0 { 0 } else { ends[member as usize - 1] };
    collect_blocks(group, end, |member| start(member)..ends[member as usize]);
    Ok(())
}

/// Each member's block comes to its part of all dests.
fn collect_blocks<G: Levels + Stages>(group: &mut G, bytes: usize, part: impl Fn(u32) -> Range<usize>) {
    let (own, is_leader) = (part(group.layout().me()), group.layout().is_leader());
    enter_node(group);
    if !own.is_empty() {
        group.put(0, own.start, 0, own.len());
    }
    arrive(group);
    if is_leader {
        group.enter(Level::Leaders, Side::Dest, Side::Dest);
        collect_between(group, part);
    }
    share_out(group, bytes);
    if is_leader {
        // Before the data change.
        group.complete();
    }
}

/// The leaders give each other the parts of their nodes.
fn collect_between<G: Levels + Stages>(group: &mut G, part: impl Fn(u32) -> Range<usize>) {
    let layout = group.layout();
    let parts = |node: u32| layout.members(node).iter().map(|&member| part(member)).filter(|part| !part.is_empty());
    let most = (0..layout.nodes()).map(|node| parts(node).map(|part| part.len()).sum::<usize>()).max();
    let staged = most.is_some_and(|most| most <= STAGE_BYTES);
    // What lies together is one.
    let runs = |node: u32| {
        let mut runs = Vec::<Range<usize>>::new();
        for part in parts(node) {
            match runs.last_mut() {
                Some(run) if run.end == part.start => run.end = part.end,
                _ => runs.push(part),
            }
        }
        runs
    };
    let own = runs(layout.node());
    if !staged {
        for leader in others(group) {
            own.iter().for_each(|run| put(group, leader, run.clone()));
        }
        return meet(group);
    }
    let theirs: Vec<_> = others(group).map(|node| (node, runs(node))).collect();
    let round = write_round(group);
    let mut at = 0;
    for run in own {
        group.stage(round.stage, at, run.start, run.len());
        at += run.len();
    }
    round.publish(group);
    for (node, runs) in theirs {
        let stage = round.wait(group, node);
        let mut at = 0;
        for run in runs {
            group.unstage(node, stage, at, run.start, run.len());
            at += run.len();
        }
    }
    round.done_by_all(group);
}

/// Member `i`'s block `j` becomes member `j`'s block `i`.
pub fn alltoall<G: Levels + Copies>(group: &mut G, bytes: usize) {
    exchange(group, |group, me, to| group.put(to, me as usize * bytes, to as usize * bytes, bytes));
}

/// As [`alltoall`], for `elements` elements of `bytes` bytes, between which dest and source have gaps: from one to the next there are
/// `strides` elements, in dest and in source.
pub fn alltoalls<G: Levels + Copies>(group: &mut G, bytes: usize, elements: usize, strides: (usize, usize)) {
    if strides == (1, 1) {
        return alltoall(group, elements * bytes);
    }
    exchange(group, |group, me, to| {
        for element in 0..elements {
            let at = |block: u32, stride: usize| (block as usize * elements + element) * stride * bytes;
            group.put(to, at(me, strides.0), at(to, strides.1), bytes);
        }
    });
}

/// Each member puts something to each.
fn exchange<G: Levels + Copies>(group: &mut G, put: impl Fn(&mut G, u32, u32)) {
    group.enter(Level::Team, Side::Source, Side::Dest);
    let (me, size, node) = (group.layout().me(), group.layout().size(), group.layout().node());
    let members = || others_of(me, size).chain([me]);
    // The copies on the node are made while the network is at work.
    for near in [false, true] {
        for member in members() {
            if (group.layout().node_of(member) == node) == near {
                put(group, me, member);
            }
        }
    }
    group.complete();
    sync(group);
}

/// All get the combination of what all have, and the same bits. Source and dest may be the same.
pub fn reduce<G: Levels + StagedFold>(group: &mut G, bytes: usize) {
    enter_node(group);
    let size = group.size();
    if size == 1 {
        group.get(0, 0, 0, bytes);
    } else if cost::reduce_staged(bytes, size) {
        reduce_staged(group, bytes, cost::group(size));
    } else {
        meet(group);
        reduce_shares(group, bytes, 0..1);
        arrive(group);
    }
    if group.layout().is_leader() {
        group.enter(Level::Leaders, Side::Dest, Side::Dest);
        let leaders = group.size();
        if bytes <= STAGE_BYTES {
            reduce_staged(group, bytes, leaders);
        } else {
            meet(group);
            reduce_shares(group, bytes, 0..leaders);
            meet(group);
        }
    }
    share_out(group, bytes);
}

/// Member `i` gets the sum of what the members up to `i` have, with its own if `inclusive`, else zero for the first. Source and dest may be
/// the same.
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
    // A stage of its own to combine from, which nobody else reads in this round.
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
