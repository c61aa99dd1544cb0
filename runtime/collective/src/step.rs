//! Synchronisation of all members.

use crate::{Flag, Flags, Group, cost};

/// Returns when all members have called it.
///
/// Member `i` looks at flags of the members `i - j*d`. In most barriers these would write words here instead; this way,
/// a member stores once per round, however many look at its flag.
#[inline]
pub fn sync<G: Flags>(group: &mut G) {
    let (me, size) = (group.me(), group.size());
    let radix = cost::radix(size);
    let mut distance = 1;
    while distance < size {
        let step = post_step(group);
        let mut j = 1;
        // In the last round, if the number of members is not a power of the radix, some distances would wrap around.
        while j < radix && j * distance < size {
            let reach = j * distance;
            let member = if me >= reach { me - reach } else { me + size - reach };
            group.wait(member, Flag::step(step, size), step);
            j += 1;
        }
        distance *= radix;
    }
}

/// All other members, starting with the one after this member, so that not all members start with the same one.
pub(crate) fn others<G: Group>(group: &G) -> impl Iterator<Item = u32> + use<G> {
    others_of(group.me(), group.size())
}

/// All other members of a group of `size` members, starting with the one after `me`.
pub(crate) fn others_of(me: u32, size: u32) -> impl Iterator<Item = u32> {
    (me + 1..size).chain(0..me)
}

/// Announces that this member has come one step further.
#[inline]
pub(crate) fn post_step<G: Flags>(group: &mut G) -> u64 {
    let (step, size) = (group.progress().step(), group.size());
    group.post(Flag::step(step, size), step);
    step
}

/// Waits until a member has come this far.
#[inline]
pub(crate) fn wait_step<G: Flags>(group: &mut G, member: u32, step: u64) {
    group.wait(member, Flag::step(step, group.size()), step);
}

/// Like [`sync`], but in one round: each member hears from each other one directly.
#[inline]
pub(crate) fn meet<G: Flags>(group: &mut G) {
    let step = post_step(group);
    for member in others(group) {
        wait_step(group, member, step);
    }
}

/// Member 0 returns when all members have called it, the others at once.
#[inline]
pub(crate) fn arrive<G: Flags>(group: &mut G) {
    if group.me() != 0 {
        post_step(group);
        return;
    }
    let step = group.progress().step();
    for member in 1..group.size() {
        wait_step(group, member, step);
    }
}

/// The other members return when member 0 has called it, and member 0 returns at once.
#[inline]
pub(crate) fn release<G: Flags>(group: &mut G) {
    if group.me() == 0 {
        post_step(group);
    } else {
        let step = group.progress().step();
        wait_step(group, 0, step);
    }
}
