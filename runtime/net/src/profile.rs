//! What kinds of network there are, and what each promises.

use std::fmt;
use std::str::FromStr;

/// A kind of network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// InfiniBand and RoCE, reliable connections: ordered, and a put's completion says that the source was read.
    Verbs,
    /// Messages over TCP with a thread at the target: ordered, and complete is delivered.
    Tcp,
    /// A fabric of reliable datagrams: no order, and delivery is told on demand.
    Efa,
}

/// How an initiator learns that a put has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// A put is complete when its bytes are in the target's memory.
    Always,
    /// So is a put that asks for it (`Work::delivered`); any other is complete once its source was read.
    Asked,
    /// A put is complete once its source was read. A later get or AMO on the same lane to the same peer completes after
    /// all puts before it have arrived.
    Flushed,
}

impl Profile {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Verbs, Self::Tcp, Self::Efa];

    /// Whether operations of a lane to one peer take effect in the order of their posts.
    pub fn ordered(self) -> bool {
        self != Self::Efa
    }

    /// How an initiator learns that a put has arrived.
    pub fn delivery(self) -> Delivery {
        match self {
            Self::Verbs => Delivery::Flushed,
            Self::Tcp => Delivery::Always,
            Self::Efa => Delivery::Asked,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Verbs => "verbs",
            Self::Tcp => "tcp",
            Self::Efa => "efa",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = crate::BadSettings;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|profile| profile.name() == text);
        named.ok_or_else(|| crate::BadSettings::of(text, "a profile: verbs, tcp or efa"))
    }
}
