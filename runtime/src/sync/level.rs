//! A member of a team on several nodes: the flags of `cushmem_collective` within its node, and between the leaders of
//! the nodes.
//!
//! ```text
//!   node 0                                            node 1
//!   member ── flags, stages ── leader                 leader ── flags, stages ── member
//!              (control areas)   │ replica of node 1   ▲ │ replica of node 0
//!                                ▲                     │ ▼
//!                                └── put ── network ── put
//! ```
//!
//! **Within a node**, members write flags and stages in their own areas, and the others look there, as in a team on one
//! node.
//!
//! **Between nodes**, each leader's area has *replicas* (`replica.rs`): for each slot and node, the flags and stages of
//! the leader on that node. They are registered when a team needs them (`replicas.rs`). A leader writes its stage in
//! its own area, in the replica of its own node. To post a flag, it writes it there, and puts it to the same offset of
//! all other leaders' areas. The new part of a stage lies behind its flag and is put with it: one message.
//!
//! * *One writer.* Only the leader of the team on a node puts that node's replica, in the area of any leader; a slot
//!   has one team at a time.
//! * *A flag guarantees the arrival of data* that the same leader put before to the same leader, because it is put
//!   behind them ([`NetLane::send_long_behind`]). So those puts do not report their arrival. The flag may arrive in
//!   pieces, so it has a seal (`sealed.rs`), which also covers the data that it brings.
//! * *A stage is not overwritten* by its leader before all others are done with the round that it holds.
//! * *A flag that is believed may not be written completely*: bytes that were the same before may be written later, and
//!   may be read later, too, when its leader writes the next round into the stage. So parts of that round may come
//!   early, in any state, to a leader that is done with the stage. They come before the message of that round, which is
//!   put behind everything before it, and which the others believe when all of its bytes are there.
//! * *Knowledge is passed on.* A leader posts after what its node's members stored, which it has seen through their
//!   flags.
//!
//! *Late puts.* A leader that leaves a round knows that the flags that it waited for have arrived, but other flags may
//! still be in flight to it. They are lower numbers of the same writer, and no lower number follows a higher one. Only
//! when a slot gets another team can there be another writer; but a team ends with a synchronisation, in which each
//! leader hears from each other one directly, after everything that the other put before.

use super::Sync;
use super::control::TeamArea;
use super::flags::Awaited;
use super::network::Network;
use super::network_lane::{NetLane, Region, RemoteAddr};
use super::replica::Replica;
use super::team::{Team, TeamNodes};
use crate::job::Pe;
use cushmem_collective::{FAR_STAGE_BYTES, Flag, Flags, Group, Layout, Level, Levels, Progress, STAGE_BYTES, Side};
use std::sync::atomic::{AtomicU64, Ordering};

/// This PE as a member of a team on several nodes, in a collective.
pub(crate) struct LevelPoint<'a> {
    pub(crate) sync: &'a Sync,
    pub(crate) team: &'a Team,
    nodes: &'a TeamNodes,
    network: &'a Network,
    operation: &'static str,
    level: Level,
    /// The objects that the current phase reads and writes.
    pub(crate) sides: (Side, Side),
    /// Bytes of this leader's stage that have not been put yet.
    staged: usize,
}

impl<'a> LevelPoint<'a> {
    pub(super) fn new(sync: &'a Sync, operation: &'static str, team: &'a Team, nodes: &'a TeamNodes) -> Self {
        super::child::refuse_children(sync.me().number(), operation);
        let network = sync.network.as_ref().expect("a team on several nodes has a network between them");
        Self { sync, team, nodes, network, operation, level: Level::Team, sides: (Side::Source, Side::Dest), staged: 0 }
    }

    /// The lane on which collectives put.
    pub(crate) fn lane(&self) -> &'a NetLane {
        self.network.collective()
    }

    /// Whether the current level is that of this node's members.
    pub(crate) fn is_on_node(&self) -> bool {
        self.level == Level::Node
    }

    /// Whether the current level is that of the leaders, each of whose puts to another is followed by a flag.
    pub(crate) fn is_between_nodes(&self) -> bool {
        self.level == Level::Leaders
    }

    /// The number in the team of a member of the current level.
    fn member(&self, number: u32) -> u32 {
        let layout = &self.nodes.layout;
        match self.level {
            Level::Node => layout.members(layout.node())[number as usize],
            Level::Leaders => layout.leader(number),
            Level::Team => number,
        }
    }

    /// The PE of the job that is a member of the current level.
    pub(crate) fn pe(&self, number: u32) -> Pe {
        self.team.pes().at(self.member(number))
    }

    /// Ends the job if the network failed, because the others wait in the collective.
    pub(crate) fn done<T>(&self, result: crate::Result<T>) -> T {
        result.unwrap_or_else(|error| self.sync.job.end(self.operation, &error))
    }

    /// The PE in whose area this PE sees the flags and stages of a member of the current level, and their offset there.
    fn area(&self, number: u32) -> (Pe, usize) {
        match self.level {
            Level::Leaders => {
                let node = self.nodes.numbers[number as usize];
                (self.sync.me(), self.sync.control.replica(node, self.team.slot()))
            }
            Level::Node | Level::Team => (self.pe(number), self.sync.control.team(self.team.slot())),
        }
    }

    /// The offset, in such an area, of a stage's data.
    fn data_of(&self, stage: usize) -> usize {
        if self.level == Level::Leaders { Replica::data(stage) } else { TeamArea::data(stage) }
    }

    /// Bytes of data in a stage of such an area.
    fn stage_bytes(&self) -> usize {
        if self.level == Level::Leaders { FAR_STAGE_BYTES } else { STAGE_BYTES }
    }

    fn word(&self, number: u32, offset: usize) -> &AtomicU64 {
        let (pe, area) = self.area(number);
        self.sync.control.word(pe, area + offset)
    }

    /// Where this PE sees the data of a member's stage.
    pub(crate) fn stage(&self, number: u32, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        assert!(at + bytes <= self.stage_bytes());
        let (pe, area) = self.area(number);
        self.sync.control.data(pe, area + self.data_of(stage) + at)
    }

    /// Where this member writes its stage.
    pub(crate) fn own_stage(&mut self, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        self.staged = self.staged.max(at + bytes);
        self.stage(self.me(), stage, at, bytes)
    }

    /// Puts a flag to the other leaders, with the new part of its stage.
    fn put_flag(&mut self, flag: Flag, value: u64) {
        let (me, lane) = (self.me(), self.lane());
        let (own, area) = self.area(me);
        let staged = if let Flag::Stage(_) = flag { std::mem::take(&mut self.staged) } else { 0 };
        let words = staged.div_ceil(size_of::<u64>());
        self.sync.control.replica_flag(own, area, flag).seal(value, words);
        let (at, bytes) = (area + Replica::flag(flag), (2 + words) * size_of::<u64>());
        let from = self.sync.control.data(own, at).expose_provenance();
        for number in (me + 1..self.size()).chain(0..me) {
            let to = RemoteAddr { pe: self.pe(number), region: Region::Replicas, at: at as u64 };
            // SAFETY: the words are in this PE's area, which is mapped as long as the network.
            self.done(unsafe { lane.send_long_behind(to, from, bytes) });
        }
    }
}

impl Drop for LevelPoint<'_> {
    /// A schedule that a panic ends does not wait for the network, which may still use buffers that are freed next.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.lane().settle();
        }
    }
}

impl Group for LevelPoint<'_> {
    fn size(&self) -> u32 {
        let layout = &self.nodes.layout;
        match self.level {
            Level::Node => layout.members(layout.node()).len() as u32,
            Level::Leaders => layout.nodes(),
            Level::Team => self.team.n_pes(),
        }
    }

    fn me(&self) -> u32 {
        let (layout, me) = (&self.nodes.layout, self.team.my_pe());
        match self.level {
            Level::Node => layout.inner_of(me),
            Level::Leaders => layout.node(),
            Level::Team => me,
        }
    }

    fn sync(&mut self) {
        match self.level {
            Level::Team => cushmem_collective::levels::sync(self),
            Level::Node | Level::Leaders => cushmem_collective::sync(self),
        }
    }
}

impl Flags for LevelPoint<'_> {
    fn progress(&self) -> &Progress {
        match self.level {
            Level::Leaders => &self.nodes.leaders,
            Level::Node | Level::Team => &self.team.progress,
        }
    }

    fn post(&mut self, flag: Flag, value: u64) {
        if self.level == Level::Leaders {
            self.put_flag(flag, value);
        } else {
            let me = self.sync.me();
            self.sync.post(me, self.word(self.me(), TeamArea::flag(flag)), value);
        }
    }

    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        let (area, at) = self.area(member);
        let (operation, pes, pe) = (self.operation, self.team.pes(), self.pe(member));
        let by_network = self.level == Level::Leaders;
        let awaited = || Awaited { operation, pes, pe, area, by_network };
        if by_network {
            return self.sync.await_sealed(self.sync.control.replica_flag(area, at, flag), value, awaited);
        }
        self.sync.await_flag(self.word(member, TeamArea::flag(flag)), value, awaited)
    }

    fn stage_word(&mut self, stage: usize, index: usize, value: u64) {
        self.own_stage(stage, index * size_of::<u64>(), size_of::<u64>());
        // Relaxed: the round's flag orders the store.
        self.word(self.me(), self.data_of(stage) + index * size_of::<u64>()).store(value, Ordering::Relaxed);
    }

    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64 {
        assert!(index * 8 + 8 <= self.stage_bytes());
        // Relaxed: the round's flag orders the load.
        self.word(from, self.data_of(stage) + index * size_of::<u64>()).load(Ordering::Relaxed)
    }
}

impl Levels for LevelPoint<'_> {
    fn layout(&self) -> &Layout {
        &self.nodes.layout
    }

    fn enter(&mut self, level: Level, from: Side, to: Side) {
        self.level = level;
        self.sides = (from, to);
        self.staged = 0;
    }

    fn complete(&mut self) {
        self.done(self.lane().drain());
    }

    fn settle(&mut self) {
        self.done(self.lane().settle());
    }
}
