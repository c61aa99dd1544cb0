//! Faults that the network injects deliberately, and the text that describes them.
//!
//! ```text
//!   settings = profile [ ":" faults ]           efa    tcp:7    verbs:7,cut=3@1000    tcp:7,fail=1@20
//!   faults   = SEED [ ",cut=" PEER "@" N ] [ ",fail=" PEER "@" N ] [ ",silent=" PEER "@" N ] [ ",stop=" PEER ] [ ",later=" MS ]
//!              [ ",refuse=" PEER "@" N ]
//! ```
//!
//! The delay of an operation depends only on the seed, the initiator, the lane and the ticket, not on time. A seed
//! therefore reproduces the delay of every operation, although not the moments at which threads post.

use crate::Profile;
use cushmem_numbers::mixed;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Faults that a NIC injects. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Seed of delays and reordering; 0: neither.
    pub seed: u64,
    /// A peer, and the number of operations to it after which all further ones fail.
    pub cut: Option<(u32, u64)>,
    /// A peer, and the number of operations to it after which one fails, and only that one.
    pub fail: Option<(u32, u64)>,
    /// A peer, and the number of operations to it after which it never answers again: further operations neither
    /// complete nor fail.
    pub silent: Option<(u32, u64)>,
    /// A peer that again and again does not answer for a while.
    pub stop: Option<u32>,
    /// How many milliseconds it takes until operations can start to a peer that was not used before.
    pub later: Option<u32>,
    /// A process, and the number of its registrations after which it refuses one, and only that one.
    pub refuse: Option<(u32, u64)>,
}

/// How a NIC behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What it promises.
    pub profile: Profile,
    /// How it treats callers that rely on more than that.
    pub faults: Option<Faults>,
}

/// Says in one line what is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {valid}")]
pub struct BadSettings {
    text: String,
    valid: &'static str,
}

/// The longest delay.
pub(crate) const LONGEST: Duration = Duration::from_millis(2);

/// What is valid.
pub(crate) const VALID: &str =
    "SEED[,cut=PEER@N][,fail=PEER@N][,silent=PEER@N][,stop=PEER][,later=MS][,refuse=PEER@N] with whole numbers";

/// How often a peer that is stopped stops: with the first of so many operations to it.
pub(crate) const BETWEEN_STOPS: u64 = 1000;
/// For how long it is stopped.
pub(crate) const STOPPED: Duration = Duration::from_millis(100);

/// One in this many operations is delayed, so that a test suite does not take much longer.
const HELD_UP: u64 = 16;

/// The part of an operation that is delayed.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Execute,
    Deliver,
}

impl BadSettings {
    pub(crate) fn of(text: &str, valid: &'static str) -> Self {
        Self { text: text.to_owned(), valid }
    }
}

impl Faults {
    /// The delay of an operation. It is zero for most; most of the others are short, and none is longer than
    /// [`LONGEST`].
    pub(crate) fn delay(&self, me: u32, lane: u32, ticket: u64, part: Part) -> Duration {
        if self.seed == 0 {
            return Duration::ZERO;
        }
        let of_lane = mixed(self.seed ^ mixed(u64::from(me) << 32 | u64::from(lane)));
        let drawn = mixed(of_lane ^ mixed(ticket << 1 | part as u64));
        if !drawn.is_multiple_of(HELD_UP) {
            return Duration::ZERO;
        }
        let even = mixed(drawn) as f64 / u64::MAX as f64;
        LONGEST.mul_f64(even.powi(4))
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.seed)?;
        if let Some((peer, after)) = self.cut {
            write!(f, ",cut={peer}@{after}")?;
        }
        if let Some((peer, after)) = self.fail {
            write!(f, ",fail={peer}@{after}")?;
        }
        if let Some((peer, after)) = self.silent {
            write!(f, ",silent={peer}@{after}")?;
        }
        if let Some(peer) = self.stop {
            write!(f, ",stop={peer}")?;
        }
        if let Some(ms) = self.later {
            write!(f, ",later={ms}")?;
        }
        if let Some((process, after)) = self.refuse {
            write!(f, ",refuse={process}@{after}")?;
        }
        Ok(())
    }
}

impl FromStr for Faults {
    type Err = BadSettings;

    fn from_str(text: &str) -> Result<Self, BadSettings> {
        parse_faults(text).ok_or_else(|| BadSettings::of(text, VALID))
    }
}

fn parse_faults(text: &str) -> Option<Faults> {
    let mut parts = text.split(',');
    let mut faults = Faults { seed: parts.next()?.parse().ok()?, ..Faults::default() };
    for part in parts {
        let (name, value) = part.split_once('=')?;
        let before = match name {
            "cut" => faults.cut.replace(place(value)?).is_some(),
            "fail" => faults.fail.replace(place(value)?).is_some(),
            "silent" => faults.silent.replace(place(value)?).is_some(),
            "stop" => faults.stop.replace(value.parse().ok()?).is_some(),
            "later" => faults.later.replace(value.parse().ok()?).is_some(),
            "refuse" => faults.refuse.replace(place(value)?).is_some(),
            _ => return None,
        };
        if before {
            return None;
        }
    }
    Some(faults)
}

/// A peer and a number of operations or registrations.
fn place(text: &str) -> Option<(u32, u64)> {
    let (peer, after) = text.split_once('@')?;
    Some((peer.parse().ok()?, after.parse().ok()?))
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.profile)?;
        self.faults.map_or(Ok(()), |faults| write!(f, ":{faults}"))
    }
}

impl FromStr for Settings {
    type Err = BadSettings;

    fn from_str(text: &str) -> Result<Self, BadSettings> {
        Ok(match text.split_once(':') {
            None => Self { profile: text.parse()?, faults: None },
            Some((profile, faults)) => Self { profile: profile.parse()?, faults: Some(faults.parse()?) },
        })
    }
}
