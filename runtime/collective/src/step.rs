//! Synchronisation of all members.

use crate::{Flag, Flags, cost};

/// Returns when all members have called it.
///
/// Member `i` waits for the members `i - j*d` and not, as in most barriers, for words that they wrote here: a member then stores once
/// a round, however many look.
#[inline]
pub fn sync<G: Flags>(group: &mut G) {
    let (me, size) = (group.me(), group.size());
    let radix = cost::radix(size);
    let mut distance = 1;
    while distance < size {
        let step = post_step(group);
        let mut j = 1;
        // In the last round, if the number of members is not a power of the radix, some distances would reach around.
        while j < radix && j * distance < size {
            let reach = j * distance;
            let member = if me >= reach { me - reach } else { me + size - reach };
            group.wait(member, Flag::step(step, size), step);
            j += 1;
        }
        distance *= radix;
    }
}

/// Says that this member has come a step further.
#[inline]
pub(crate) fn post_step<G: Flags>(group: &mut G) -> u64 {
    let (step, size) = (group.progress().step(), group.size());
    group.post(Flag::step(step, size), step);
    step
}
