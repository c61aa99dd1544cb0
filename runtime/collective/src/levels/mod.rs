//! Collectives of teams with members on several nodes, composed of the schedules for one node. Each starts on the
//! nodes, continues between their leaders, and ends on the nodes.

mod gather;
mod moves;
mod reduce;

pub use gather::gather_words;
pub use moves::{alltoall, alltoalls, broadcast, collect, fcollect};
pub use reduce::{reduce, scan};

use crate::step::{arrive, meet, release};
use crate::{Flags, Layout, Stages};

/// Which object of the members a phase reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The object with their contribution.
    Source,
    /// The object for their result.
    Dest,
}

/// The members that the methods of [`Group`](crate::Group) and its subtraits refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The members of this member's node, numbered in the team's order. Number 0 is the leader.
    Node,
    /// The leaders, each with the number of its node. Only leaders enter this level.
    Leaders,
    /// The whole team. This level has no flags and no stages.
    Team,
}

/// A member of a team on several nodes. Each level has its own flags, stages and [`Progress`](crate::Progress).
///
/// Between nodes:
/// * a flag that is put to a PE guarantees the arrival of what the same PE put to it before, and of nothing else;
/// * [`post`](Flags::post) puts a flag to all other leaders, after the data of its stage; [`wait`](Flags::wait) and the
///   methods that read stages look at what has arrived here;
/// * [`put`](Copies::put) and [`give`](crate::Fold::give) return at once. Dest is written before the next flag, if
///   leaders put to each other, and otherwise before [`complete`](Self::complete) returns. The source and the
///   accumulator are read before [`settle`](Self::settle) returns, and before another call changes the accumulator.
///   [`get`](Copies::get) and [`take`](crate::Fold::take) return when the data have arrived here.
pub trait Levels: Flags {
    /// How the members are distributed over nodes.
    fn layout(&self) -> &Layout;
    /// From now on the methods refer to this level. `source_at` is an offset in the object `from` of any member, and
    /// `dest_at` in the object `to`.
    fn enter(&mut self, level: Level, from: Side, to: Side);
    /// Returns when everything that this member put to other nodes has been read, and has arrived unless it was put by
    /// one leader to another.
    fn complete(&mut self);
    /// Returns when everything that this member put to other nodes has been read, so that its source may change.
    fn settle(&mut self);
}

/// Returns when all members have called it. Does not complete puts.
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

/// Enters the level of this member's node, with the members' own source and dest.
fn enter_node<G: Levels>(group: &mut G) {
    assert!(group.layout().nodes() > 1, "a team on one node has one level");
    group.enter(Level::Node, Side::Source, Side::Dest);
}

/// The leader's dest is copied to the other members of the node.
fn share_out<G: Levels + Stages>(group: &mut G, bytes: usize) {
    group.enter(Level::Node, Side::Dest, Side::Dest);
    if group.size() > 1 {
        crate::broadcast(group, bytes, 0, false);
    }
}
