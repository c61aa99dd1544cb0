//! `shmemrun`: starts, binds, supervises and ends the PEs of a job.
//!
//! ```text
//!   front ("shmemrun", the process that the user started)
//!     └── keeper (its own process group)
//!           └── supervisor (its own process group)
//!                 ├── PE 0 (its own process group) ── whatever it starts
//!                 └── PE 1 …
//! ```
//!
//! The **supervisor** does the work: it starts the PEs, serves their rendezvous, relays their output and ends the job.
//! The **front** passes signals on and returns the exit status. The **keeper** waits. There are three processes so that
//! one can clean up when any two others die, even by SIGKILL. All are child subreapers: when a process below them dies,
//! its orphans become their children. A process cannot escape by starting a session of its own or clearing its
//! environment.
//!
//! | what dies | what happens |
//! |---|---|
//! | a PE | the supervisor sees it end and kills its process group; after a short grace period, it kills all other groups; then every remaining descendant |
//! | the front | the supervisor finds its socket to the front closed, and does the same without the grace period; the keeper lets a stopped supervisor continue, and does its work if it has not ended within 5 s |
//! | the supervisor | the PEs get SIGKILL by their parent-death signal; orphans become children of the keeper, which kills them all and reports |
//! | the keeper, or the keeper and the supervisor | the front does the same |
//! | the front and the keeper | the supervisor does the same as without the front |
//! | the keeper is stopped | signals for the end of the job reach the supervisor as messages; after such a signal, and when it finds the socket to the supervisor closed, the front lets the keeper continue |
//! | the supervisor is stopped or stuck | each signal that asks for the end of the job reaches the supervisor as a message of the front, which the supervisor returns; if it does not return it within 2 s while it is stopped, or within 15 s otherwise, the front kills both processes below it and everything else |
//! | all three at once | the PEs end by their parent-death signal; the library's lifeline thread kills the process groups of PEs below a wrapper; other children of PEs go on |
//!
//! Nothing waits for a process to execute its program (`spawn`): one that is stopped before, or waits
//! for the file of its program, would make the launcher deaf to time limits and signals.
//!
//! Races at the start: a PE asks for its parent-death signal before it executes the program, and then checks that the
//! supervisor is still its parent. So no PE is left behind if the supervisor dies in between. If the front dies before
//! the supervisor runs, the supervisor still finds the socket closed. Nothing has a name in the file system: sockets
//! come in pairs, the socket for `--status` has an abstract name, and shared memory travels as descriptors. So the
//! operating system frees all of it with the last process.
//!
//! The launcher never blocks on a reader: threads write stdout and stderr. The launcher sets the disposition of signals
//! itself instead of inheriting it (`signals`).
//!
//! No process is killed by mistake because its number was reused: only direct children are killed, which no other
//! process can reap, and a PE is reaped only after its process group, which has the same number, has been killed.

mod args;
mod binding;
mod front;
mod help;
mod host_list;
mod hosts;
mod keeper;
mod map;
mod outlet;
mod processes;
mod signals;
mod spawn;
mod status;
mod supervisor;
mod terminal;

use std::process::ExitCode;

use args::Instead;
use cushmem_bootstrap::env;

/// Exit status for bad arguments.
const STATUS_USAGE: u8 = 2;
/// Exit status for a failure of the launcher itself.
const STATUS_LAUNCHER: u8 = 1;

fn main() -> ExitCode {
    if let Some(status) = cushmem_command_line::generate(args::command) {
        return status;
    }
    let is_supervisor = std::env::var_os(env::SUPERVISOR_FD).is_some();
    if std::env::args_os().nth(1).is_some_and(|first| first == hosts::AGENT) && !is_supervisor {
        return exit_code(hosts::run_agent());
    }
    let part = match is_supervisor.then(hosts::inherited_part).transpose().map(Option::flatten) {
        Ok(part) => part,
        Err(why) => return exit_code(Err(why)),
    };
    let args = match args::parse(std::env::args_os(), part) {
        Ok(args) => args,
        Err(Instead::Print(text)) => return exit_code(cushmem_command_line::print(text).map(|()| 0)),
        Err(Instead::Status(job)) => return exit_code(status::run(job.as_deref())),
        Err(Instead::Complain(line)) => {
            eprintln!("shmemrun: {}", cushmem_command_line::printable(&line));
            return ExitCode::from(STATUS_USAGE);
        }
    };
    exit_code(match std::env::var_os(env::SUPERVISOR_FD) {
        // The arguments are used until the process ends.
        Some(number) => supervisor::run(Box::leak(Box::new(args)), &number),
        None => front::run(args.options.gdb.is_some(), std::env::args_os().skip(1).collect(), &[]),
    })
}

fn exit_code(result: Result<u8, String>) -> ExitCode {
    result.map_or_else(
        |message| {
            outlet::write_last_line(&message);
            ExitCode::from(STATUS_LAUNCHER)
        },
        ExitCode::from,
    )
}
