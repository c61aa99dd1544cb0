//! Rendezvous of the PEs of a job, through the launcher that started them.
//!
//! `shmemrun` makes a nameless `SOCK_SEQPACKET` socket pair and keeps one end for each PE that it starts; the PE inherits the
//! other end and learns its number from the environment ([`mod@env`]). The launcher is the server of the rendezvous
//! ([`rendezvous`]), the PE is a client ([`Bootstrap`]), and [`wire`] is what they say to each other.
//!
//! ```text
//!   PE 0: Bootstrap ── socket pair ──┐
//!   PE 1: Bootstrap ── socket pair ──┼── shmemrun: Rendezvous
//!   PE 2: Bootstrap ── socket pair ──┘      │
//!      └── lifeline, a socket pair a PE ────┘
//! ```
//!
//! A collective call is a round: each PE sends one message with the round's number, the operation's name and its bytes,
//! perhaps with a file descriptor; when the last has arrived the launcher sends every PE all contributions
//! (allgather) or one word (fence, finalize). Descriptors travel by `SCM_RIGHTS`, so a shared heap needs no name in the file system.
//!
//! **Who dies, and then.** A PE that dies: the kernel closes its end, the launcher sees the process's end and
//! ends the job; a round that needs it is refused at once to those who wait. A PE that is stopped or late: those who
//! wait ask the launcher after the wait limit and report its number. The launcher that dies: each PE has a parent-death
//! signal, and the library's thread at the lifeline ends whatever that misses. A message is sent whole or not at all, so
//! a death in the middle of a call cannot be mistaken for another message.
//!
//! Without a launcher a process is a job of one PE, and every call returns at once.

mod client;
pub mod env;
mod error;
mod lifeline;
mod link;
pub mod rendezvous;
pub mod socket;
pub mod waits;
pub mod wire;

pub use client::{Bootstrap, Contribution, Job, Patience, joined_here};
pub use error::{BootstrapError, PeList, Seconds};
