//! Explores the interleavings of the protocols, and the values that a relaxed load may return, with loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-protocol --test model --release`.
//!
//! Loops that wait have no end in a model, so a participant looks a few times and then drops out: what it does afterwards has no
//! effect, and whoever depends on it drops out as well. Executions in which all pass remain, and are checked. A count of those
//! makes sure that there are some.
#![cfg(loom)]

mod barriers;
mod chunks;
mod lock;
mod ring;
mod roles;
mod trigger;

use std::time::Duration;

/// The largest model is not explored to its end, but this long.
const LONGEST: Duration = Duration::from_secs(6);
/// Looks before a participant drops out.
const LOOKS: usize = 3;
