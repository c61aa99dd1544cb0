//! The policy: which path moves the bytes of an operation, and why not another one.
//!
//! ```text
//!   Machine (which transports there are, how peers are reached, what paths cost) ─┐
//!   Overrides (CUSHMEM_PATH) ─────────────────────────────────────────────────────┴─> Policy: a table, made once
//!
//!   Request (operation, initiator, local kind, remote kind, class) ──> row ──> up to N bytes: path │ … │ any size: path
//! ```
//!
//! A machine is described by plain values, so decisions are tested against described machines (`tests/golden`).
//! [`Policy::choose`] is for the way of each operation: it computes a row's number, reads the row, and compares sizes.
//! It allocates nothing and looks at no text. [`Policy::explain`] is for people: it says of every path why it serves a
//! row, why another one is taken, or what is missing.
//!
//! If you must do without a path for a while (no room for the resident kernel, say), make a second table from a machine
//! without it.
//!
//! What a path can do is written down once, in `serve.rs`; what it costs, in the files of `costs`, and in one that the
//! user names ([`Measured`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod cost;
mod explain;
mod machine;
mod measured;
mod overrides;
mod path;
mod policy;
mod request;
mod serve;
mod shipped;

pub use cost::{Chunks, Cost, Costs, Figure, GpuLink};
pub use explain::{Explanation, State, Verdict};
pub use machine::{Machine, NOT_IN_THIS_VERSION, Presence, Reach};
pub use measured::{BadCosts, COUNT as COSTS_COUNT, HEAD as COSTS_HEAD, Measured};
pub use overrides::{BadOverride, Overrides};
pub use path::Path;
pub use policy::{Policy, Refusal, Row, Step};
pub use request::{Class, Initiator, LocalKind, Operation, RemoteKind, Request};
pub use serve::No;
