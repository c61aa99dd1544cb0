//! Collectives of a team whose members' memory is mapped. On each member, a *crew* of lanes carries one out: the lanes
//! of a scope, all blocks of a kernel, or the blocks of a kernel of the library. All members call it with the same
//! arguments and crews of the same size. What changes from one collective to the next is in GPU memory, so a captured
//! launch is right at each replay.
//!
//! **Long collectives** have two meetings, in which groups of lanes with the same number synchronise across the members
//! ([`Crew::meet`]); the blocks of a kernel of the library are a group each, and any other crew is one group. *The
//! first meeting*: when a group leaves it, each member's group of its number has started, so everything that came
//! earlier on that member has finished: its source is ready, and its dest may be written. *The second meeting*: when a
//! group leaves it, everything that the other members' groups of its number wrote has arrived. So when all groups of a
//! member have ended, its dest is complete and nobody reads its source.
//!
//! *In place*: in a reduction or scan, one lane reads an element of each member before it writes the result there, so
//! source and dest may be the same. The same holds for a broadcast, whose root writes to itself what it has read. Where
//! each member gets a block of a reduction, its dest may be that block of its own source, which no other member reads.
//! In all other collectives a member would write what another one has not read yet.
//!
//! **Short collectives** have no meeting (`inbox`). An exchange of unequal size has the second one (`unequal`).
//!
//! *When a member does not arrive*, the others end with its number after the limit that holds for all collectives.

mod copy;
mod crew;
mod fold;
mod inbox;
mod number;
mod unequal;
mod words;

pub use crate::scope::Group;
pub use copy::{copy, strided, strided_words};
pub use crew::{Blocks, Crew};
pub use fold::fold;
pub use inbox::{broadcast_short, copy_short, reduce_short};
pub use number::{And, Combiner, Max, Min, Number, Operation, Or, Prod, Sum, Xor, each_word, word};
pub use unequal::{Unequal, unequal};

pub(crate) use number::typed;

use crate::{DevPtr, DeviceTeam, arch};

/// The address at which this GPU has a member's object.
#[inline(always)]
fn of_member(team: DeviceTeam, object: DevPtr<u8>, member: u32) -> DevPtr<u8> {
    object.byte_offset(arch::locate_loads_stores(object.address(), team.pe(member)).0 as isize)
}

/// Calls `each` with all members, starting after this one, so that not all members access the same one.
#[inline(always)]
fn each_member(team: DeviceTeam, mut each: impl FnMut(u32)) {
    let mut k = 1;
    while k <= team.n_pes {
        let j = team.my_pe + k;
        each(if j < team.n_pes { j } else { j - team.n_pes });
        k += 1;
    }
}

/// Calls `each` with all members but this one, like [`each_member`].
#[inline(always)]
fn each_other(team: DeviceTeam, mut each: impl FnMut(u32)) {
    let mut k = 1;
    while k < team.n_pes {
        let j = team.my_pe + k;
        each(if j < team.n_pes { j } else { j - team.n_pes });
        k += 1;
    }
}

/// Part `i` of `n` of `count` elements: the first one, and the one behind the last.
#[inline(always)]
fn share(count: usize, i: u32, n: u32) -> (usize, usize) {
    (count * i as usize / n as usize, count * (i as usize + 1) / n as usize)
}
