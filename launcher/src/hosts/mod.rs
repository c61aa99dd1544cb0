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
//! **A tree.** No launcher connects to more hosts than `--fan-out` says. If there are more, the head divides them into
//! branches and starts the launcher on the first host of each. This one is a head again. Below it are the launcher of
//! the PEs of its own host, which needs no ssh, and those of the hosts behind it:
//!
//! ```text
//!   front, keeper, head
//!     └── ssh a exec shmemrun --agent
//!           └── front, keeper, head             on host a
//!                 ├── shmemrun --agent
//!                 │     └── front, keeper, supervisor
//!                 │           └── PE 0 …
//!                 └── ssh b exec shmemrun --agent
//!                       └── front, keeper, supervisor
//! ```
//!
//! A head on a host has a link to the one above, for which it is like the supervisor of all PEs below. It sends one
//! message for each round, passes everything else on, and says which host each report is about. Only the first head
//! decides why the job ends and speaks to the user.
//!
//! **Records.** For `--stats` and `--trace`, the first head has room for what the PEs of all hosts record. When the PEs
//! of a host have ended, it asks the launcher there for its time once more ([`clock`]), and then lets it send what they
//! have recorded: so many bytes at a time, and more when it has taken them ([`Frame::Take`]). Heads in the middle pass
//! all of this on.
//!
//! | what dies | what happens |
//! |---|---|
//! | a PE | its launcher tells the head, which has all hosts end their PEs |
//! | the launcher on a host, ssh, sshd, or the host | the head above finds the link closed or silent for 15 s, and the other hosts end their PEs. The launcher there, if it still runs, finds the same, and ends its PEs; so do those behind it |
//! | the first head | the links close; the launcher on each host ends its PEs |

mod agent;
mod clock;
mod frame;
#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz;
mod head;
mod link;
mod remote;
mod rounds;
#[cfg(test)]
#[path = "scale_tests.rs"]
mod scale;

use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::{AsFd, OwnedFd};

use cushmem_bootstrap::env;
use cushmem_bootstrap::socket::inherit_descriptor;

pub use agent::run as run_agent;
pub use frame::{Frame, NotStarted, Standard, too_long};
pub use head::Head;
pub use link::{Link, WINDOW};

use crate::args::Args;
use crate::host_list::Part;
use crate::outlet::Outlet;

/// The option of a launcher on a host of several.
pub const AGENT: &str = "--agent";

/// The link of this process, a supervisor on a host of several, to the launcher that started the job.
pub fn link_to_launcher() -> Result<Link, String> {
    let copy =
        |fd: std::os::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map_err(|error| format!("copy a pipe: {error}"));
    Link::start(copy(std::io::stdin().as_fd())?, copy(std::io::stdout().as_fd())?)
}

/// The part of the job that the agent has left for its supervisor, which is this process: the text is in a file in
/// memory, and a variable has the number of its descriptor.
pub fn inherited_part() -> Result<Option<Part>, String> {
    let Some(number) = std::env::var_os(env::HOST_PART) else { return Ok(None) };
    let number = number.to_str().and_then(|text| text.parse().ok()).ok_or("invalid number of the host's part")?;
    // SAFETY: the agent left this file open for the supervisor, and this is the only place that takes it.
    let file = unsafe { inherit_descriptor(number) }.map_err(|why| format!("take over the host's part: {why}"))?;
    let mut text = String::new();
    let mut file = File::from(file);
    let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
    read.map_err(|error| format!("read the host's part: {error}"))?;
    text.parse().map(Some)
}

/// Standard input for PE 0, if that is on this host of several or behind it: the end to read it from, and where to put
/// it.
pub fn input_of(args: &Args) -> Result<(Option<OwnedFd>, Option<Outlet>), String> {
    let is_given = std::env::var_os(cushmem_environment::HOST_INPUT.name).is_some_and(|value| value == "1");
    if args.part.is_none() || !is_given {
        return Ok((None, None));
    }
    let (reader, writer) = std::io::pipe().map_err(|error| format!("make a pipe: {error}"))?;
    Ok((Some(reader.into()), Some(Outlet::new(writer.as_fd())?)))
}
