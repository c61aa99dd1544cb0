//! The policy: which path moves the bytes of an operation, and why not another one.
//!
//! ```text
//!   Machine (which transports there are, how peers are reached, what paths cost) ─┐
//!   Overrides (CUSHMEM_PATH) ─────────────────────────────────────────────────────┴─> Policy: a table, made once
//!
//!   Request (operation, initiator, local kind, remote kind, class) ──> row ──> up to N bytes: path │ … │ any size: path
//! ```
//!
//! A machine is described by plain values, so decisions are tested for described machines (`tests/golden`).
//! [`Policy::choose`] is called for each operation: it computes a row's number, reads the row, and compares sizes. It
//! does not allocate and handles no text. [`Policy::explain`] is for users: it says of every path why it serves a row,
//! why another one is taken, or what is missing.
//!
//! If a path is unavailable for a while (for example if there is no room for the resident kernel), make a second table
//! from a machine without it.
//!
//! The abilities of each path are defined in one place, `serve.rs`. Its costs are in the files in `costs` and in a file
//! that the user may name ([`Measured`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod array;
mod array_read;
mod cost;
mod explain;
mod gpu_nic;
mod machine;
mod measured;
mod overrides;
mod path;
mod policy;
mod processor;
mod request;
mod serve;
mod shipped;
mod thread;

pub use array::ArrayAccess;
pub use cost::{Chunks, Cost, Costs, Figure, GpuLink};
pub use explain::{Explanation, State, Verdict};
pub use gpu_nic::NicDistance;
pub use machine::{Machine, NOT_IN_THIS_VERSION, Presence, Reach};
pub use measured::{BadCosts, COUNT as COSTS_COUNT, HEAD as COSTS_HEAD, Measured};
pub use overrides::{BadOverride, Overrides};
pub use path::Path;
pub use policy::{Policy, Refusal, Row, Step};
pub use request::{Class, Initiator, LocalKind, Operation, RemoteKind, Request};
pub use serve::No;
pub use thread::{CopyBy, ThreadCopy};
