use super::block::Visit;
use std::thread;
use std::time::{Duration, Instant};

/// How many rounds in which lanes only poll may pass before the clock is read.
const FREE_ROUNDS: u32 = 64;
/// How long a kernel polls at full speed, apart from yielding the core to others.
const PATIENCE: Duration = Duration::from_millis(1);
/// How long it naps then: a part of the time that it has polled, between a minimum and a maximum.
const NAP: (Duration, Duration) = (Duration::from_micros(20), Duration::from_micros(500));
const NAP_PART: u32 = 32;
/// A resumed lane that takes longer than this did more than look at a word.
const LOOK: Duration = Duration::from_nanos(500);

/// Makes naps of this thread as short as requested; the operating system adds up to 50 µs by default.
pub(in super::super) fn prepare_thread() {
    const SLACK_NS: libc::c_ulong = 1000;
    // SAFETY: this sets a number of the calling thread. If it fails, naps are longer.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, SLACK_NS) };
}

/// Keeps kernels that poll memory from taking the cores of those for which they wait.
#[derive(Default)]
pub(super) struct Idle {
    rounds: u32,
    since: Option<Instant>,
    round_start: Option<Instant>,
}

impl Idle {
    /// Called after each resident block has had its turn.
    pub fn after_round(&mut self, round: &Visit) {
        if round.polls == 0 || round.progressed {
            *self = Self::default();
            if round.polls > 0 {
                thread::yield_now();
            }
            return;
        }
        self.rounds += 1;
        if self.rounds <= FREE_ROUNDS {
            thread::yield_now();
            return;
        }
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        let worked = self.round_start.is_some_and(|start| now - start > LOOK * round.polls.saturating_add(8));
        if worked {
            // Without this, a kernel that receives something in each round would look idle.
            *self = Self::default();
            thread::yield_now();
            return;
        }
        match now - since {
            polled if polled < PATIENCE => thread::yield_now(),
            polled => thread::sleep((polled / NAP_PART).clamp(NAP.0, NAP.1)),
        }
        self.round_start = Some(Instant::now());
    }
}
