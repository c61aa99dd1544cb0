//! How the proxy waits.

use std::time::{Duration, Instant};

/// How long the thread looks for commands after the last one before it naps: where it has a core, and where PEs share cores.
const AWAKE: (Duration, Duration) = (Duration::from_millis(2), Duration::from_micros(50));
/// How long it naps: a sixteenth of the time since the last command, at least and at most; at most so long where PEs share cores.
const NAP: (Duration, Duration, Duration) =
    (Duration::from_micros(20), Duration::from_millis(1), Duration::from_millis(10));
/// Looks between two yields, where it has a core.
const LOOKS: u32 = 256;
/// How the thread waits while there is nothing to do.
pub(super) struct Idle {
    since: Option<Instant>,
    looks: u32,
    pub(super) shares: bool,
}

impl Idle {
    pub(super) fn new(shares: bool) -> Self {
        Self { since: None, looks: 0, shares }
    }

    /// Between two looks; says whether it was a nap.
    pub(super) fn pause(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        if !self.shares && !self.looks.is_multiple_of(LOOKS) {
            std::hint::spin_loop();
            return false;
        }
        let idle = self.since.get_or_insert_with(Instant::now).elapsed();
        let awake = if self.shares { AWAKE.1 } else { AWAKE.0 };
        if idle < awake {
            std::thread::yield_now();
            return false;
        }
        // Whoever has mail wakes it.
        std::thread::park_timeout((idle / 16).clamp(NAP.0, if self.shares { NAP.2 } else { NAP.1 }));
        true
    }
}
