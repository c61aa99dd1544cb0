//! Collectives of teams with members on several nodes: the schedules of one node, composed. Each begins on the nodes,
//! goes on between their leaders, and ends on the nodes.

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
/// * [`post`](Flags::post) puts a flag to all other leaders, after the data of its stage, and [`wait`](Flags::wait) and
///   what reads stages look at what has come;
/// * [`put`](Copies::put) returns at once: the source is read, and dest written, at any time before
///   [`complete`](Self::complete) returns; [`settle`](Self::settle) waits for the source alone. [`get`](Copies::get)
///   and [`take`](crate::Fold::take) return when the data are here, and [`give`](crate::Fold::give) once the
///   accumulator may change.
pub trait Levels: Flags {
    /// Which members are on which node.
    fn layout(&self) -> &Layout;
    /// From now on the methods are about this level; `source_at` counts in the object `from`, this member's and the
    /// others', and `dest_at` in the object `to`.
    fn enter(&mut self, level: Level, from: Side, to: Side);
    /// Returns when what this member put to other nodes has arrived.
    fn complete(&mut self);
    /// Returns when what this member put to other nodes has been read, so that it may change.
    fn settle(&mut self);
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
        crate::broadcast(group, bytes, 0, false);
    }
}
