//! What operations do in the model, in place of a network.

use crate::sync::{Thread, current};
use cushmem_net::{Failure, Profile, What, Work};
use loom::cell::UnsafeCell;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Operations on this region are delayed.
pub(crate) const LATE: u32 = 7;
/// Operations on this region fail.
pub(crate) const REFUSED: u32 = 8;
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

pub(crate) struct Wire {
    pub(crate) profile: Profile,
    pub(crate) closing: bool,
    pub(crate) world: Arc<World>,
}

pub(crate) struct Op {
    pub(crate) region: u32,
    lane: u32,
    ticket: u64,
    /// Where the slot holds the cell's number.
    from: usize,
}

impl Wire {
    pub(crate) fn admit(&mut self, lane: u32, ticket: u64, work: Work, _: Instant) -> Op {
        let What::Inline { from, .. } = work.what else { panic!("the model has inline puts only") };
        Op { region: work.region, lane, ticket, from }
    }

    /// Executes an operation, reports it to `complete`, and wakes the posters.
    pub(crate) fn execute(&self, op: &Op, complete: &mut impl FnMut(u64, Result<(), Failure>)) {
        // SAFETY: the slot has enough bytes, and exists as long as the engine has its lane. Only one thread of the
        // model runs at a time.
        let cell = unsafe { std::ptr::with_exposed_provenance::<usize>(op.from).read_unaligned() };
        self.world.cells[cell].with(|_| ());
        self.world.executed.lock().unwrap().push(Executed { lane: op.lane, ticket: op.ticket, cell });
        let (region, operation, why) = (op.region, "put".to_owned(), "refused".to_owned());
        let refused = || Err(Failure { peer: PEER, region, operation, why });
        complete(op.ticket, if op.region == REFUSED { refused() } else { Ok(()) });
        self.world.posters.iter().filter_map(OnceLock::get).for_each(Thread::unpark);
    }
}
