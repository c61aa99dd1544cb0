//! For tests: an emulated GPU that is much faster or slower than the thread that gives it work
//! (`CUSHMEM_TEST_GPU_PACE`). Programs may rely on neither.

use std::str::FromStr;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

static PACE: LazyLock<Pace> = LazyLock::new(|| match std::env::var(cushmem_environment::TEST_GPU_PACE.name) {
    Ok(text) => text.parse().unwrap_or_else(|()| panic!("{text} is no pace of an emulated GPU")),
    Err(_) => Pace::Own,
});

/// How long a call waits for its operation, which may itself wait for something that the caller does next.
const EARLY: Duration = Duration::from_millis(20);

/// How long an operation waits before it starts: each of the first ones of a stream, and each later one, of which some
/// tests have thousands.
const LATE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(1));
const FIRST: u64 = 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pace {
    /// As fast as the machine.
    Own,
    /// An operation is done before the call that starts it returns.
    Early,
    /// An operation starts long after the call has returned.
    Late,
    /// One of the three for each operation, drawn from the seed.
    Drawn(u64),
}

impl FromStr for Pace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "" => Self::Own,
            "early" => Self::Early,
            "late" => Self::Late,
            _ => Self::Drawn(text.parse().map_err(drop)?),
        })
    }
}

impl Pace {
    /// The pace of the operation at this position of its stream.
    fn of(self, position: u64) -> Self {
        let Self::Drawn(seed) = self else {
            return self;
        };
        let mixed = (seed ^ position.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40;
        match mixed % 16 {
            0 => Self::Late,
            1..=3 => Self::Early,
            _ => Self::Own,
        }
    }
}

/// For the thread that has appended the operation at `position`.
pub(super) fn after_push(position: u64, is_done: impl Fn() -> bool) {
    if PACE.of(position) != Pace::Early {
        return;
    }
    let start = Instant::now();
    while !is_done() && start.elapsed() < EARLY {
        thread::yield_now();
    }
}

/// For the worker, before it carries out the operation at `position`.
pub(super) fn before_work(position: u64) {
    if PACE.of(position) == Pace::Late {
        thread::sleep(if position <= FIRST { LATE.0 } else { LATE.1 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_seed_draws_every_pace() {
        for (text, pace) in [("", Pace::Own), ("early", Pace::Early), ("late", Pace::Late), ("7", Pace::Drawn(7))] {
            assert_eq!(text.parse(), Ok(pace));
        }
        assert_eq!("soon".parse::<Pace>(), Err(()));
        let drawn = |seed| (1..1000).map(|position| Pace::Drawn(seed).of(position)).collect::<Vec<_>>();
        assert_eq!(drawn(1).into_iter().collect::<HashSet<_>>(), [Pace::Own, Pace::Early, Pace::Late].into());
        assert!(drawn(1) == drawn(1) && drawn(1) != drawn(2));
        assert_eq!(Pace::Late.of(3), Pace::Late);
    }
}
