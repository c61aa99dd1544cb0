//! Operations to one peer: in order, or the newest first. A delayed operation runs in the next turn, together with all
//! operations behind it.

use crate::Failure;
use crate::wire::{LATE, Op, Wire};
use std::time::{Duration, Instant};

/// Longer than the engine spins.
const HELD_UP: Duration = Duration::from_secs(3600);

#[derive(Default)]
pub(crate) struct Flow {
    ops: Vec<Op>,
    /// The operations run in the last of this many turns.
    turns: u32,
}

impl Flow {
    pub(crate) fn push(&mut self, op: Op) {
        if op.region == LATE {
            self.turns = 2;
        }
        self.ops.push(op);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    pub(crate) fn next_due(&self, _: &Wire) -> Option<Instant> {
        (self.turns > 0).then(|| Instant::now() + HELD_UP)
    }

    pub(crate) fn run(
        &mut self,
        wire: &mut Wire,
        _: Instant,
        mut complete: impl FnMut(u64, Result<(), Failure>),
    ) -> bool {
        self.turns = self.turns.saturating_sub(1);
        if self.turns > 0 {
            return false;
        }
        if !wire.profile.ordered() {
            self.ops.reverse();
        }
        let ran = !self.ops.is_empty();
        self.ops.drain(..).for_each(|op| wire.execute(&op, &mut complete));
        ran
    }
}
