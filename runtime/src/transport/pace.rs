//! How often a thread that polls does something else.

use std::time::{Duration, Instant};

/// How often a thread polls before it reads the time.
const FIRST_LOOKS: u32 = 64;

/// When a thread that polls does something else.
#[derive(Default)]
pub(super) struct Pace {
    looks: u32,
    last: Option<Instant>,
}

impl Pace {
    /// Whether so much time has passed since this was last so, or since the first looks.
    pub(super) fn is_due(&mut self, every: Duration) -> bool {
        if self.looks < FIRST_LOOKS {
            self.looks += 1;
            return false;
        }
        let now = Instant::now();
        let is_due = now.duration_since(*self.last.get_or_insert(now)) >= every;
        if is_due {
            self.last = Some(now);
        }
        is_due
    }
}
