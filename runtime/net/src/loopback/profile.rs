//! The kinds of network, and what each of them promises.

use std::fmt;
use std::str::FromStr;

/// A kind of network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// InfiniBand and RoCE with reliable connections: ordered, but a put may overtake an earlier get; completion of a
    /// put means that its source was read.
    Verbs,
    /// Messages over TCP, which a thread of the target takes: ordered; delivery is reported on request; bytes of a put
    /// are stored in any pieces; a process that is stopped gets nothing, and gives nothing.
    Tcp,
    /// A fabric with reliable datagrams: not ordered; delivery is reported on request.
    Efa,
}

/// How an initiator learns that a put has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// A put is complete when its bytes are in the target's memory.
    Always,
    /// A put that requests it (`Work::delivery_complete`) is complete when its bytes are in the target's memory; any
    /// other put is complete once its source was read.
    OnRequest,
    /// A put is complete once its source was read. A later get or AMO on the same lane to the same peer completes after
    /// all earlier puts have arrived.
    Flushed,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::Verbs, Self::Tcp, Self::Efa];

    /// Whether operations of a lane to one peer take effect in the order of their posts. With [`Profile::Verbs`], a put
    /// may still overtake a get.
    pub fn ordered(self) -> bool {
        self != Self::Efa
    }

    /// Whether a put may overtake an earlier get of its lane from the same peer.
    pub(crate) fn overtakes_gets(self) -> bool {
        self != Self::Tcp
    }

    /// Whether a put stores each aligned word of up to 8 bytes as a whole.
    pub fn whole_words(self) -> bool {
        self != Self::Tcp
    }

    /// Whether operations on a process need that process to poll.
    pub(crate) fn target_polls(self) -> bool {
        self == Self::Tcp
    }

    /// How an initiator learns that a put has arrived.
    pub fn delivery(self) -> Delivery {
        match self {
            Self::Verbs => Delivery::Flushed,
            Self::Tcp | Self::Efa => Delivery::OnRequest,
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
