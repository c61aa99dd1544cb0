//! Collectives that move data. `bytes` is the same on all members, except in `collect`.

use crate::stage::{round_of, write_round};
use crate::step::{others, post_step};
use crate::{Copies, Counts, Flag, Flags, STAGE_BYTES, Stages, cost};

/// Copies the root's source to all dests; to its own dest only if `root_too`.
#[inline]
pub fn broadcast<G: Stages>(group: &mut G, bytes: usize, root: u32, root_too: bool) {
    let is_root = group.me() == root;
    if cost::broadcast_staged(bytes, group.size()) {
        let round = round_of(group, root);
        if is_root {
            group.stage(round.stage, 0, 0, bytes);
            round.publish(group);
            round.done(group);
            if root_too {
                group.get(root, 0, 0, bytes);
            }
        } else {
            let stage = round.wait(group, root);
            group.unstage(root, stage, 0, 0, bytes);
            round.done(group);
        }
    } else {
        broadcast_steps(group, bytes, root, root_too);
    }
}

fn broadcast_steps<G: Flags + Copies>(group: &mut G, bytes: usize, root: u32, root_too: bool) {
    let size = group.size();
    let pushed = cost::broadcast_pushed(bytes, size);
    if group.me() == root {
        if pushed {
            group.put(1 - root, 0, 0, bytes);
        }
        let step = post_step(group);
        // While the others copy.
        if root_too {
            group.get(root, 0, 0, bytes);
        }
        for member in others(group).filter(|_| !pushed) {
            group.wait(member, Flag::step(step, size), step);
        }
    } else {
        let step = group.progress().step();
        group.wait(root, Flag::step(step, size), step);
        if !pushed {
            pull(group, bytes, root);
            group.post(Flag::step(step, size), step);
        }
    }
}

/// Members start at different positions, so that they do not all want the same cache lines at once.
fn pull<G: Copies>(group: &mut G, bytes: usize, root: u32) {
    let start = bytes / group.size() as usize * group.me() as usize / 64 * 64;
    group.get(root, start, start, bytes - start);
    group.get(root, 0, 0, start);
}

/// Whether the root of [`broadcast_direct`] puts the data, without waiting for the others. Otherwise they get it.
pub fn root_puts(size: u32, bytes: usize) -> bool {
    size <= 4 || bytes <= STAGE_BYTES
}

/// Like [`broadcast`], without stages. The root's dest does not change.
pub fn broadcast_direct<G: Copies>(group: &mut G, bytes: usize, root: u32) {
    if root_puts(group.size(), bytes) {
        if group.me() == root {
            for member in others(group) {
                group.put(member, 0, 0, bytes);
            }
        }
    } else {
        group.sync();
        if group.me() != root {
            pull(group, bytes, root);
        }
    }
    group.sync();
}

/// Collects the blocks of all members on all members, in the members' order.
#[inline]
pub fn fcollect<G: Stages>(group: &mut G, bytes: usize) {
    if !cost::fcollect_staged(bytes) {
        return fcollect_direct(group, bytes);
    }
    let round = write_round(group);
    group.stage(round.stage, 0, 0, bytes);
    round.publish(group);
    let me = group.me();
    group.get(me, me as usize * bytes, 0, bytes);
    for member in others(group) {
        let stage = round.wait(group, member);
        group.unstage(member, stage, 0, member as usize * bytes, bytes);
    }
    round.done_by_all(group);
}

/// Like [`fcollect`], without stages.
pub fn fcollect_direct<G: Copies>(group: &mut G, bytes: usize) {
    push_to_all(group, group.me() as usize * bytes, bytes);
    group.sync();
}

fn push_to_all<G: Copies>(group: &mut G, dest_at: usize, bytes: usize) {
    for member in others(group).chain([group.me()]) {
        group.put(member, dest_at, 0, bytes);
    }
}

/// Collects the blocks of all members on all members, in the members' order. Blocks may differ in length; this member's
/// has `bytes` bytes. Dest has room for `room` bytes; if that is not enough, all members get the length that is needed.
pub fn collect<G: Stages>(group: &mut G, bytes: usize, room: usize) -> Result<(), usize> {
    const ROOM: usize = cost::LINE_BYTES - 8;
    let (me, size) = (group.me(), group.size());
    let round = write_round(group);
    group.stage_word(round.stage, 0, bytes as u64);
    // A short block travels with its length.
    if (1..=ROOM).contains(&bytes) {
        group.stage(round.stage, 8, 0, bytes);
    }
    round.publish(group);
    let (mut end, mut own_at, mut pushed) = (0usize, 0, false);
    for member in 0..size {
        let stage = round.wait(group, member);
        let theirs = if member == me {
            own_at = end;
            bytes
        } else {
            group.staged_word(member, stage, 0) as usize
        };
        if (1..=ROOM).contains(&theirs) && theirs <= room.saturating_sub(end) {
            if member == me {
                group.get(me, end, 0, bytes);
            } else {
                group.unstage(member, stage, 8, end, theirs);
            }
        }
        pushed |= theirs > ROOM;
        end = end.saturating_add(theirs);
    }
    round.done_by_all(group);
    if end > room {
        return Err(end);
    }
    if bytes > ROOM {
        push_to_all(group, own_at, bytes);
    }
    // All members know all lengths, so they agree on whether to synchronise.
    if pushed {
        group.sync();
    }
    Ok(())
}

/// Like [`collect`], without stages.
pub fn collect_direct<G: Copies + Counts>(group: &mut G, bytes: usize, room: usize) -> Result<(), usize> {
    let (before, all) = group.sums(bytes);
    if all > room {
        // All must have read these lengths before any member announces its next one.
        group.sync();
        return Err(all);
    }
    if bytes > 0 {
        push_to_all(group, before, bytes);
    }
    group.sync();
    Ok(())
}

/// Member `i`'s block `j` becomes member `j`'s block `i`.
#[inline]
pub fn alltoall<G: Stages>(group: &mut G, bytes: usize) {
    let (me, size) = (group.me(), group.size());
    if !cost::alltoall_staged(bytes, size) {
        return alltoall_direct(group, bytes);
    }
    let own_at = me as usize * bytes;
    let round = write_round(group);
    group.stage(round.stage, 0, 0, size as usize * bytes);
    round.publish(group);
    group.get(me, own_at, own_at, bytes);
    for member in others(group) {
        let stage = round.wait(group, member);
        group.unstage(member, stage, own_at, member as usize * bytes, bytes);
    }
    round.done_by_all(group);
}

/// Like [`alltoall`], without stages.
pub fn alltoall_direct<G: Copies>(group: &mut G, bytes: usize) {
    let me = group.me();
    for member in others(group).chain([me]) {
        group.put(member, me as usize * bytes, member as usize * bytes, bytes);
    }
    group.sync();
}

/// Like [`alltoall`], for `elements` elements of `bytes` bytes with gaps between them: `strides` are the distances, in
/// elements, between neighbouring elements of dest and of source.
pub fn alltoalls<G: Copies>(group: &mut G, bytes: usize, elements: usize, strides: (usize, usize)) {
    let me = group.me();
    for member in others(group).chain([me]) {
        for element in 0..elements {
            let at = |block: u32, stride: usize| (block as usize * elements + element) * stride * bytes;
            group.put(member, at(me, strides.0), at(member, strides.1), bytes);
        }
    }
    group.sync();
}
