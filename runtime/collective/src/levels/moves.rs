//! Collectives that move data. `bytes` is the same on all members, except in `collect`.

use super::{Level, Levels, Side, enter_node, gather_words, share_out, sync};
use crate::stage::write_round;
use crate::step::{arrive, meet, others, others_of, post_step, wait_step};
use crate::{Copies, STAGE_BYTES, Stages, cost};
use std::ops::Range;

/// Copies the root's source to all dests; to its own dest only if `root_too`.
pub fn broadcast<G: Levels + Stages>(group: &mut G, bytes: usize, root: u32, root_too: bool) {
    let layout = group.layout();
    let (node, inner, is_leader) = (layout.node_of(root), layout.inner_of(root), layout.is_leader());
    let near = layout.node() == node;
    let on_node = |group: &mut G| {
        enter_node(group);
        crate::broadcast(group, bytes, inner, root_too);
    };
    // The network takes longest, so a leader that has the data starts with it.
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
        // Before the caller may change the data.
        group.settle();
    }
}

/// Copies what one leader has to the others.
fn broadcast_between<G: Levels + Stages>(group: &mut G, bytes: usize, root: u32) {
    let is_root = group.me() == root;
    if bytes <= STAGE_BYTES {
        crate::broadcast(group, bytes, root, false);
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

/// The root gives each other leader a share, and these leaders exchange their shares.
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
        // Counts the step that the other leaders post.
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

/// Puts a part to the same position.
fn put<G: Copies>(group: &mut G, to: u32, part: Range<usize>) {
    if !part.is_empty() {
        group.put(to, part.start, part.start, part.len());
    }
}

/// Collects the blocks of all members on all members, in the members' order.
pub fn fcollect<G: Levels + Stages>(group: &mut G, bytes: usize) {
    let all = group.layout().size() as usize * bytes;
    collect_blocks(group, all, |member| member as usize * bytes..(member as usize + 1) * bytes);
}

/// Collects the blocks of all members on all members, in the members' order. Blocks may differ in length; this member's
/// has `bytes` bytes. Dest has room for `room` bytes; if that is not enough, all members get the length that is needed.
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

/// Copies each member's block to its part of all dests.
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
        // Before the caller may change the data.
        group.settle();
    }
}

/// The leaders exchange the parts of their nodes.
fn collect_between<G: Levels + Stages>(group: &mut G, part: impl Fn(u32) -> Range<usize>) {
    let layout = group.layout();
    let parts = |node: u32| layout.members(node).iter().map(|&member| part(member)).filter(|part| !part.is_empty());
    let most = (0..layout.nodes()).map(|node| parts(node).map(|part| part.len()).sum::<usize>()).max();
    let staged = most.is_some_and(|most| most <= STAGE_BYTES);
    // Adjacent parts are merged.
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

/// Like [`alltoall`], for `elements` elements of `bytes` bytes with gaps between them: `strides` are the distances, in
/// elements, between neighbouring elements of dest and of source.
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

/// Each member puts something to each member.
fn exchange<G: Levels + Copies>(group: &mut G, put: impl Fn(&mut G, u32, u32)) {
    group.enter(Level::Team, Side::Source, Side::Dest);
    let (me, size, node) = (group.layout().me(), group.layout().size(), group.layout().node());
    let members = || others_of(me, size).chain([me]);
    // Puts to other nodes first, so that the copies on this node overlap with the network.
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
