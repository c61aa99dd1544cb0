//! How the proxy, deputies, and threads that launch executors wait.

use std::time::{Duration, Instant};

/// How long the thread polls for commands after the last one before it naps: where it has a core, and where PEs share
/// cores.
const AWAKE: (Duration, Duration) = (Duration::from_millis(2), Duration::from_micros(50));
/// How long it naps: a sixteenth of the time since the last command, between a minimum and a maximum; the third value
/// is the maximum where PEs share cores.
const NAP: (Duration, Duration, Duration) =
    (Duration::from_micros(20), Duration::from_millis(1), Duration::from_millis(10));
/// The longest nap while something is under way that a kernel may wait for: where it has a core, and where PEs share
/// cores.
const AWAITED_NAP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_micros(500));
/// Polls between two yields, where it has a core.
const LOOKS: u32 = 256;

/// How the thread waits when there is nothing to do.
pub(super) struct Idle {
    since: Option<Instant>,
    looks: u32,
    pub(super) shares: bool,
}

impl Idle {
    pub(super) fn new(shares: bool) -> Self {
        Self { since: None, looks: 0, shares }
    }

    /// Pauses between two polls. Returns whether it was a nap. `awaited` says that something is under way.
    pub(super) fn pause(&mut self, awaited: bool) -> bool {
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
        // This PE's CPU wakes it. Kernels and other PEs cannot, so it looks again.
        std::thread::park_timeout(nap(idle, self.shares, awaited));
        true
    }
}

/// How long to nap after nothing has happened for the time `idle`.
fn nap(idle: Duration, shares: bool, awaited: bool) -> Duration {
    let most = match (awaited, shares) {
        (false, false) => NAP.1,
        (false, true) => NAP.2,
        (true, false) => AWAITED_NAP.0,
        (true, true) => AWAITED_NAP.1,
    };
    (idle / 16).clamp(NAP.0, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a thread that sleeps long while a kernel waits in a barrier, or that stays awake for nothing.
    #[test]
    fn naps_are_short_where_something_is_under_way() {
        let [short, long] = [Duration::from_micros(100), Duration::from_secs(100)];
        for (shares, awaited, most) in [(false, false, NAP.1), (true, false, NAP.2), (false, true, AWAITED_NAP.0)] {
            assert_eq!((nap(short, shares, awaited), nap(long, shares, awaited)), (NAP.0, most));
        }
        assert!(AWAITED_NAP.0 < NAP.1 && AWAITED_NAP.1 < NAP.2);
    }
}
