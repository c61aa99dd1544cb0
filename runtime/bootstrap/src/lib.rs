//! Rendezvous of the PEs of a job, through the launcher that started them or through a thread in one of their
//! processes.
//!
//! A PE has two channels. One connects all PEs. The other connects the PEs of its node and also passes file
//! descriptors. Both channels are served by the party that keeps the job together.
//!
//! **Under `shmemrun`**, that party is the launcher. For each PE that it starts, `shmemrun` makes a nameless
//! `SOCK_SEQPACKET` socket pair and keeps one end. The PE inherits the other end and reads the number of its descriptor
//! from the environment ([`mod@env`]). The launcher is the server of the rendezvous ([`rendezvous`]), the PE is a
//! client ([`Bootstrap`]), and [`wire`] defines the messages between them.
//!
//! ```text
//!   PE 0: Bootstrap ── socket pair ──┐
//!   PE 1: Bootstrap ── socket pair ──┼── shmemrun: Rendezvous
//!   PE 2: Bootstrap ── socket pair ──┘      │
//!      └── lifeline: one pair for each PE ──┘
//! ```
//!
//! Each collective call is a round. Every PE sends one message with the number of the round, the name of the operation
//! and its bytes, and optionally a file descriptor. When the last message has arrived, the launcher sends every PE all
//! contributions (allgather) or a confirmation (fence, finalize). Descriptors travel by `SCM_RIGHTS`, so a shared heap
//! needs no name in the file system.
//!
//! **Failures.** If a PE dies, the operating system closes its end of the socket pair. The launcher sees that the
//! process has ended, refuses the open round to the PEs that wait in it, and ends the job. If a PE is stopped or late,
//! the PEs that wait for it ask the launcher when the wait limit has passed, and report the late PE's number. If the
//! launcher dies, each PE receives its parent-death signal; the library's lifeline thread ends the processes that the
//! signal does not reach. A message is sent whole or not at all, so a process that dies in the middle of a call leaves
//! no partial message.
//!
//! **With a unique id**, the server of the first channel is a thread of the process that created the id
//! ([`UniqueId::create`]), to which PEs connect by TCP. The server of a node's channel is a thread of PE 0. **Under
//! torchrun**, on one host, the server is a thread of the process of rank 0, which the others find by the name of a
//! local socket; on several hosts, they derive a unique id from what torchrun tells them. The messages are the same.
//!
//! **Under a process manager** with PMIx or PMI (mpirun, srun, mpiexec, flux), process 0 makes a unique id, and the
//! manager carries it to the others.
//!
//! Without a launcher, a process is a job of one PE, and every call returns at once.

mod channel;
mod client;
mod connection;
mod descriptors;
pub mod env;
mod error;
#[expect(unsafe_code, reason = "registers a handler of `exit`, and asks MPI whether it runs")]
mod exit;
#[expect(unsafe_code, reason = "registers a handler of `fork`")]
mod forked;
#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz;
pub mod interfaces;
mod launchers;
mod lifeline;
mod manager;
mod meeting;
mod members;
mod node;
#[expect(unsafe_code, reason = "flushes the streams of the C library")]
mod output;
pub mod rendezvous;
mod said;
mod server;
pub mod socket;
mod start;
mod tcp;
mod torchrun;
mod unique_id;
pub mod virtual_nodes;
pub mod waits;
pub mod wire;

pub use channel::{Contribution, WaitLimit};
pub use client::{Bootstrap, Job};
pub use descriptors::fill_standard_streams;
pub use error::{BootstrapError, PeList, Seconds};
pub use meeting::connection_retries;
pub use output::{FLUSH_LIMIT, flush_stdout};
pub use said::{Words, name_of_pipe};
pub use start::joined_here;
pub use unique_id::{UNIQUE_ID_BYTES, UniqueId};
