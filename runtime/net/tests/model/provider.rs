//! What operations do in the model, in place of a network. They are executed in order, or the newest first. A delayed
//! operation runs in the next turn, together with all operations behind it.

use crate::sync::{Thread, current};
use cushmem_net::{Fabric, Failure, Local, Operation, Post, Profile, Promises, Tag, Work};
use loom::cell::UnsafeCell;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Operations on this region are delayed.
pub(crate) const LATE: u32 = 7;
/// Operations on this region are refused when they are posted.
pub(crate) const REFUSED: u32 = 8;
/// Operations on this region fail when they are executed.
pub(crate) const FAILED: u32 = 9;
/// Operations on this region cannot start when they are posted for the first time.
pub(crate) const LATER: u32 = 10;
/// Longer than the engine spins.
const HELD_UP: Duration = Duration::from_secs(3600);
/// The peer of all operations.
pub(crate) const PEER: u32 = 5;
const CELLS: usize = 4;

/// What posters and the engine share. Only the cells are loom's: nothing else here orders threads.
pub(crate) struct World {
    cells: [UnsafeCell<()>; CELLS],
    posters: [OnceLock<Thread>; 2],
    posted: Mutex<Vec<Executed>>,
    executed: Mutex<Vec<Executed>>,
}

/// An operation that was posted or executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Executed {
    pub(crate) lane: u32,
    pub(crate) ticket: u64,
    pub(crate) cell: usize,
}

impl Default for World {
    fn default() -> Self {
        let (cells, posters) = (std::array::from_fn(|_| UnsafeCell::new(())), Default::default());
        Self { cells, posters, posted: Mutex::default(), executed: Mutex::default() }
    }
}

impl World {
    /// Records that this thread is the poster of this number.
    pub(crate) fn belongs_to(&self, poster: usize) {
        assert!(self.posters[poster].set(current()).is_ok());
    }

    /// Writes the source of an operation.
    pub(crate) fn write(&self, cell: usize) {
        self.cells[cell].with_mut(|_| ());
    }

    pub(crate) fn note_post(&self, posted: Executed) {
        self.posted.lock().unwrap().push(posted);
    }

    pub(crate) fn executed_on(&self, lane: u32) -> impl Iterator<Item = Executed> {
        let executed = self.executed.lock().unwrap().clone();
        executed.into_iter().filter(move |executed| executed.lane == lane)
    }

    /// Checks that everything that was posted was executed once.
    pub(crate) fn check(&self, ordered: bool) {
        let (mut posted, mut executed) = (self.posted.lock().unwrap().clone(), self.executed.lock().unwrap().clone());
        // The sort is stable: it groups operations by lane and keeps their order.
        executed.sort_by_key(|executed| executed.lane);
        posted.sort();
        if !ordered {
            executed.sort();
        }
        assert_eq!(executed, posted, "executed, and posted");
    }
}

/// Executes operations when it is polled.
pub(crate) struct Provider {
    profile: Profile,
    polled: bool,
    world: Arc<World>,
    ops: Vec<Op>,
    /// The operations run in the last of this many turns.
    turns: u32,
    /// The operation that was told to come again.
    told_later: Option<Tag>,
    /// Whether an operation was refused.
    refused: bool,
}

struct Op {
    region: u32,
    tag: Tag,
    /// Where the slot holds the cell's number.
    from: usize,
}

impl Provider {
    pub(crate) fn new(profile: Profile, polled: bool, world: Arc<World>) -> Self {
        Self { profile, polled, world, ops: Vec::new(), turns: 0, told_later: None, refused: false }
    }

    /// Reads the operation's cell, and records that.
    fn execute(&self, op: &Op) {
        // SAFETY: the slot has enough bytes, and exists as long as the engine has its lane. Only one thread of the
        // model runs at a time.
        let cell = unsafe { std::ptr::with_exposed_provenance::<usize>(op.from).read_unaligned() };
        self.world.cells[cell].with(|_| ());
        self.world.executed.lock().unwrap().push(Executed { lane: op.tag.lane, ticket: op.tag.ticket, cell });
    }

    fn wake_posters(&self) {
        self.world.posters.iter().filter_map(OnceLock::get).for_each(Thread::unpark);
    }
}

impl Fabric for Provider {
    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post {
        let Operation::Inline { from, .. } = work.operation else { panic!("the model has inline puts only") };
        let op = Op { region: work.region, tag, from };
        match work.region {
            REFUSED => {
                self.execute(&op);
                self.refused = true;
                return Post::Refused("refused".to_owned());
            }
            LATER if self.told_later != Some(tag) => {
                self.told_later = Some(tag);
                return Post::Later;
            }
            LATE => self.turns = 2,
            _ => {}
        }
        self.ops.push(op);
        Post::Taken
    }

    /// Reports each operation to `done`, and wakes the posters.
    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        self.turns = self.turns.saturating_sub(1);
        if self.refused {
            // The engine itself completes what is behind the operation.
            self.wake_posters();
        }
        if self.turns > 0 {
            return false;
        }
        if !self.profile.ordered() {
            self.ops.reverse();
        }
        let ops = std::mem::take(&mut self.ops);
        for op in &ops {
            self.execute(op);
            let (region, operation, why) = (op.region, "put".to_owned(), "failed".to_owned());
            let failed = || Err(Failure { peer: PEER, region, operation, why });
            done(op.tag, if op.region == FAILED { failed() } else { Ok(()) });
            self.wake_posters();
        }
        !ops.is_empty()
    }

    fn next_due(&self) -> Option<Instant> {
        (self.turns > 0).then(|| Instant::now() + HELD_UP)
    }

    fn is_idle(&self) -> bool {
        self.ops.is_empty()
    }

    fn promises(&self) -> Promises {
        let (ordered, delivery) = (self.profile.ordered(), self.profile.delivery());
        Promises { ordered, delivery, whole_words: true, atomics: false, target_polls: self.polled }
    }

    fn name(&self) -> Vec<u8> {
        unreachable!("the model has no names")
    }

    fn peers(&mut self, _: &[Vec<u8>]) -> Result<(), String> {
        unreachable!("the model has no names")
    }

    unsafe fn register(&mut self, _: u32, _: u32, _: Local) -> Result<Vec<u8>, String> {
        unreachable!("the model has no memory")
    }

    fn learn(&mut self, _: u32, _: u32, _: u32, _: &[u8]) -> Result<(), String> {
        unreachable!("the model has no memory")
    }

    fn forget(&mut self, _: u32, _: u32) {
        unreachable!("the model has no memory")
    }

    fn forget_lane(&mut self, _: u32) {}

    fn hurry(&mut self) {}

    fn lost(&mut self, _: u32, _: &str) {
        unreachable!("the model loses nobody")
    }
}
