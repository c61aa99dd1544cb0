//! Jobs on several hosts.
//!
//! ```text
//!   front, keeper, supervisor ("head")          on the machine where the user started shmemrun
//!     ├── ssh a exec shmemrun --agent           or the same without ssh
//!     │     └── front, keeper, supervisor       on host a
//!     │           ├── PE 0
//!     │           └── PE 1
//!     └── ssh b exec shmemrun --agent …
//! ```
//!
//! The **head** is a supervisor whose children are connections to hosts instead of PEs. On each host, the same three
//! processes as always start the PEs of that host, serve their rendezvous and clean up after them; the supervisor there
//! has a [link](Link) to the head. The head completes rounds when all hosts have gathered the contributions of their
//! PEs ([`rounds`]), passes standard input, output and signals on, and decides why the job ends. Everything that the
//! launchers say to each other goes through standard input and output of the program that connects them, so it is as
//! safe as that program makes it; nothing secret is in arguments or in the environment.
//!
//! | what dies | what happens |
//! |---|---|
//! | a PE | its launcher tells the head, which has all hosts end their PEs |
//! | the launcher on a host, ssh, sshd, or the host | the head finds the link closed or silent for 15 s, and has the other hosts end their PEs. The launcher there, if it still runs, finds the same, and ends its PEs |
//! | the head | the links close; the launcher on each host ends its PEs |

mod agent;
mod frame;
mod head;
mod link;
mod remote;
mod rounds;

use std::os::fd::{AsFd, OwnedFd};

pub use agent::run as run_agent;
pub use frame::{Frame, Standard};
pub use head::Head;
pub use link::{Link, WINDOW};

use crate::args::Args;
use crate::outlet::Outlet;

/// The option of a launcher on a host of several.
pub const AGENT: &str = "--agent";

/// The link of this process, a supervisor on a host of several, to the launcher that started the job.
pub fn link_to_launcher() -> Result<Link, String> {
    let copy =
        |fd: std::os::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map_err(|error| format!("copy a pipe: {error}"));
    Link::start(copy(std::io::stdin().as_fd())?, copy(std::io::stdout().as_fd())?)
}

/// Standard input for PE 0, if it is one of these PEs of a host of several: the end for the PE, and where to put it.
pub fn input_of(args: &Args, pes: &[(u32, u32)]) -> Result<(Option<OwnedFd>, Option<Outlet>), String> {
    let is_given = std::env::var_os(cushmem_environment::HOST_INPUT.name).is_some_and(|value| value == "1");
    if args.part.is_none() || !is_given || pes.first().is_none_or(|(pe, _)| *pe != 0) {
        return Ok((None, None));
    }
    let (reader, writer) = std::io::pipe().map_err(|error| format!("make a pipe: {error}"))?;
    Ok((Some(reader.into()), Some(Outlet::new(writer.as_fd())?)))
}
