//! Rendezvous of the PEs of a job: through the launcher that started them, or through a thread of one of them.
//!
//! A PE has two channels: one between all PEs, and one between those of its node, which also passes file descriptors.
//! Whoever keeps the job together is the server of both.
//!
//! **Under `shmemrun`** that is the launcher. For each PE that it starts, `shmemrun` makes a nameless `SOCK_SEQPACKET`
//! socket pair and keeps one end. The PE inherits the other end and learns its descriptor's number from the environment
//! ([`mod@env`]). The launcher is the server of the rendezvous ([`rendezvous`]), the PE is a client ([`Bootstrap`]),
//! and [`wire`] defines the messages between them.
//!
//! ```text
//!   PE 0: Bootstrap ── socket pair ──┐
//!   PE 1: Bootstrap ── socket pair ──┼── shmemrun: Rendezvous
//!   PE 2: Bootstrap ── socket pair ──┘      │
//!      └── lifeline: one pair for each PE ──┘
//! ```
//!
//! A collective call is a round: each PE sends one message with the round's number, the operation's name and its bytes,
//! perhaps with a file descriptor. When the last has arrived, the launcher sends every PE all contributions (allgather)
//! or a confirmation (fence, finalize). Descriptors travel by `SCM_RIGHTS`, so a shared heap needs no name in the file
//! system.
//!
//! **Failures.** If a PE dies, the kernel closes its end; the launcher sees the end of the process, refuses the open
//! round to the PEs that wait in it, and ends the job. If a PE is stopped or late, the PEs that wait for it ask the
//! launcher after the wait limit and report its number. If the launcher dies, each PE has a parent-death signal, and
//! the library's thread at the lifeline ends the processes that the signal does not reach. A message is sent whole or
//! not at all, so a death in the middle of a call leaves no part of one.
//!
//! **With a unique id** that is a thread of the process that made the id ([`UniqueId::create`]), to which PEs connect
//! by TCP, and, for the channel of a node, a thread of PE 0. **Under torchrun**, on one host, it is a thread of the
//! process of rank 0, which others find by the name of a local socket. The messages are the same.
//!
//! Without a launcher a process is a job of one PE, and every call returns at once.

mod channel;
mod client;
mod connection;
pub mod env;
mod error;
#[expect(unsafe_code, reason = "a handler of fork")]
mod forked;
mod launchers;
mod lifeline;
mod meeting;
mod node;
pub mod rendezvous;
mod server;
pub mod socket;
mod start;
mod tcp;
mod unique_id;
pub mod virtual_nodes;
pub mod waits;
pub mod wire;

pub use channel::{Contribution, WaitLimit};
pub use client::{Bootstrap, Job};
pub use error::{BootstrapError, PeList, Seconds};
pub use start::joined_here;
pub use unique_id::{UNIQUE_ID_BYTES, UniqueId};
