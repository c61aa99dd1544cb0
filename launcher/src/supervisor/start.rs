//! Starts one PE.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, IsTerminal};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::process::Command;

use cushmem_bootstrap::socket::SeqPacket;
use cushmem_bootstrap::{env, name_of_pipe};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal, sigprocmask};
use nix::unistd::{AccessFlags, Pid, access, getpgid, getpid, getppid};

use super::records::Records;
use super::relay::Stream;
use crate::args::{Args, Part};
use crate::binding::{Binding, Share};
use crate::spawn::{Failures, spawn};
use crate::terminal;

/// Exit status when the program was not found.
pub const STATUS_NOT_FOUND: u8 = 127;
/// Exit status when the program was found but cannot be executed.
pub const STATUS_NOT_EXECUTABLE: u8 = 126;

/// A PE that has just been started, from the launcher's side.
pub struct Started {
    /// The process; it leads a process group of its own.
    pub pid: Pid,
    /// The launcher's end of its rendezvous.
    pub socket: SeqPacket,
    /// The launcher's end of its lifeline. When this process ends, whatever the cause, the operating system closes it.
    pub lifeline: SeqPacket,
    /// Its stdout, if it goes through the launcher.
    pub stdout: Option<Stream>,
    /// Its stderr, unless it has the terminal.
    pub stderr: Option<Stream>,
}

/// Why a PE could not be started, and the exit status for it.
pub struct StartError {
    /// The reason in words.
    pub message: String,
    /// The launcher's exit status.
    pub status: u8,
}

/// What the PEs of a job have in common.
pub struct Template<'a> {
    /// The command line.
    pub args: &'a Args,
    /// The job's identifier.
    pub job_id: String,
    /// The cores of each place.
    pub binding: Binding,
    /// The PEs to start, in the order of their numbers: each with its number and its place.
    pub pes: Vec<(u32, u32)>,
    /// The front's process group, if standard input is a terminal that belongs to the job.
    pub foreground: Option<Pid>,
    /// The limits on open files (soft, hard) that the launcher was started with.
    pub open_files: (u64, u64),
    /// PEs that could not execute their programs.
    pub failures: Failures,
    /// Standard input of PE 0, if it comes from another launcher.
    pub input: Option<OwnedFd>,
    /// What they record, if they do.
    pub records: Option<Records>,
}

/// An identifier that no other job has.
pub fn new_job_id() -> String {
    let half = || RandomState::new().hash_one((std::process::id(), std::time::SystemTime::now()));
    format!("{:016x}{:016x}", half(), half())
}

/// The front's process group, if it is in the foreground of the terminal that is standard input.
pub fn foreground() -> Option<Pid> {
    let front = getpgid(Some(getppid())).ok();
    front.filter(|front| terminal::owner() == Some(*front))
}

/// Raises this process's soft limit on open files to the hard limit. Returns the previous limits.
pub fn raise_open_files() -> Result<(u64, u64), String> {
    let (soft, hard) =
        getrlimit(Resource::RLIMIT_NOFILE).map_err(|error| format!("read the limit of open files: {error}"))?;
    // If this fails, the limit stays as it is, and starting too many PEs reports it.
    let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
    Ok((soft, hard))
}

impl Template<'_> {
    /// Starts the PE at this index.
    pub fn start(&self, index: u32) -> Result<Started, StartError> {
        let (pe, place) = self.pes[index as usize];
        let system = |message| StartError { message, status: crate::STATUS_LAUNCHER };
        let pair = || {
            let pair = SeqPacket::pair();
            pair.map_err(|error| system(format!("start PE {pe}: create a socket pair: {}", error.desc())))
        };
        let ((socket, theirs), (lifeline, their_lifeline)) = (pair()?, pair()?);
        let part = self.args.part_of(pe);
        let wrapper = self.args.wrapper_of(pe).map(OsString::from);
        let words: Vec<OsString> =
            wrapper.chain([find_program(part)]).chain(part.command[1..].iter().cloned()).collect();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        if let Some(folder) = &part.wdir {
            command.current_dir(folder);
        }
        self.set_environment(&mut command, (pe, place), theirs.as_fd(), their_lifeline.as_fd());
        let gdb = self.args.options.gdb;
        let has_terminal = gdb == Some(pe);
        // Standard input and output of a launcher on a host of several belong to its link.
        let has_link = self.args.part.is_some();
        let reads = !has_link && (has_terminal || gdb.is_none() && pe == 0 && !std::io::stdin().is_terminal());
        let tag = self.args.options.tag && !has_terminal;
        let cannot = |error: std::io::Error| cannot_start(pe, part, &words[0], &error);
        let stdin = match &self.input {
            Some(input) if pe == 0 => Some(input.try_clone().map_err(cannot)?),
            _ if reads => None,
            _ => Some(std::fs::File::open("/dev/null").map_err(cannot)?.into()),
        };
        let (stdout, their_stdout) = pipe(tag || has_link).map_err(cannot)?;
        let (stderr, their_stderr) = pipe(!has_terminal).map_err(cannot)?;
        if let Some(pipe) = &their_stderr {
            command.env(env::STDERR, name_of_pipe(pipe).map_err(cannot)?);
        }
        let record = self.records.as_ref().map(|records| records.file().as_raw_fd());
        if let Some(records) = &self.records {
            command.env(env::RECORD, records.told(index)).env(env::STATS, "1");
        }
        let inherited = [Some(theirs.as_fd().as_raw_fd()), Some(their_lifeline.as_fd().as_raw_fd()), record];
        let files = [stdin, their_stdout, their_stderr];
        // SAFETY: the closure only makes system calls.
        let pid = unsafe { spawn(&command, None, files, &self.failures, self.set_up(pe, place, inherited)) }
            .map_err(cannot)?;
        let prefix = if self.args.options.tag { format!("[{pe}] ") } else { String::new() };
        let stream = |pipe: OwnedFd| Stream::new(pipe, prefix.clone()).map_err(system);
        let (stdout, stderr) = (stdout.map(stream).transpose()?, stderr.map(stream).transpose()?);
        Ok(Started { pid, socket, lifeline, stdout, stderr })
    }

    /// The error for the PE at this index, which could not execute its program.
    pub fn cannot_start(&self, index: u32, error: &std::io::Error) -> StartError {
        let (pe, _) = self.pes[index as usize];
        let part = self.args.part_of(pe);
        let program = self.args.wrapper_of(pe).next().map_or_else(|| find_program(part), OsString::from);
        cannot_start(pe, part, &program, error)
    }

    /// The CPUs of a place, if PEs are bound.
    fn share(&self, place: u32) -> Option<&Share> {
        self.binding.shares.get(place as usize)
    }

    fn set_environment(
        &self,
        command: &mut Command,
        (pe, place): (u32, u32),
        socket: BorrowedFd<'_>,
        lifeline: BorrowedFd<'_>,
    ) {
        let part = self.args.part_of(pe);
        command
            .envs(part.environment())
            .env_remove(env::SUPERVISOR_FD)
            .env_remove(env::STDERR)
            .env_remove(env::RECORD)
            .env_remove(env::CPUS)
            .env_remove(env::NODES)
            .env_remove(env::HOST_PART)
            .env_remove(env::HOST_INPUT)
            .env_remove(env::HOST_VARIABLES)
            .env(env::BOOTSTRAP_FD, socket.as_raw_fd().to_string())
            .env(env::LIFELINE_FD, lifeline.as_raw_fd().to_string())
            .env(env::JOB, &self.job_id)
            .env(env::PE, pe.to_string())
            .env(env::LOCAL_PE, place.to_string())
            .env(env::N_PES, self.args.n_pes().to_string())
            .env(env::OVERSUBSCRIBED, if self.binding.oversubscribed { "1" } else { "0" });
        if let Some(share) = self.share(place) {
            command.env(env::CPUS, share.cpus.to_string());
        }
        if let Some(what) = &self.args.options.explain {
            command.env(env::EXPLAIN, what.as_deref().unwrap_or("1"));
        }
        if self.args.options.nodes > 1 {
            command.env(env::NODES, self.args.options.nodes.to_string());
        }
        if part.variable(env::CUDA_MODULE_LOADING).is_none() {
            command.env(env::CUDA_MODULE_LOADING, "EAGER");
        }
        for limit in [env::WAIT_LIMIT_S, env::KERNEL_LIMIT_S] {
            if self.args.options.gdb.is_some() && part.variable(limit).is_none_or(|value| value.is_empty()) {
                command.env(limit, env::LONGEST_WAIT_LIMIT_S);
            }
        }
    }

    /// The work of the child between fork and exec, which only makes system calls.
    fn set_up(&self, pe: u32, place: u32, inherited: [Option<RawFd>; 3]) -> impl Fn() -> std::io::Result<()> + use<> {
        let mask = self.share(place).map(|share| share.mask);
        let (soft, hard) = self.open_files;
        let is_piped = self.args.options.tag || self.args.part.is_some();
        let writes_to_terminal = !is_piped && std::io::stdout().is_terminal();
        let takes_terminal = self.args.options.gdb == Some(pe) && self.foreground.is_some();
        let stdin = std::io::stdin();
        move || {
            if let Some(mask) = &mask {
                nix::sched::sched_setaffinity(Pid::from_raw(0), mask)?;
            }
            setrlimit(Resource::RLIMIT_NOFILE, soft, hard)?;
            for number in inherited.into_iter().flatten() {
                // SAFETY: the launcher holds them open until the fork.
                fcntl(unsafe { BorrowedFd::borrow_raw(number) }, FcntlArg::F_SETFD(FdFlag::empty()))?;
            }
            if writes_to_terminal {
                // Every PE is in the background, in a process group of its own: `stty tostop` must not stop it.
                // SAFETY: ignoring a signal runs no code.
                unsafe { signal(Signal::SIGTTOU, SigHandler::SigIgn) }?;
            }
            if takes_terminal {
                // This process is still in the background, and may change that only while SIGTTOU is blocked.
                sigprocmask(SigmaskHow::SIG_BLOCK, Some(&SigSet::from(Signal::SIGTTOU)), None)?;
                terminal::give_to(getpid(), &stdin)?;
            }
            sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?;
            Ok(())
        }
    }
}

/// A pipe from a PE, if it is wanted: its end here, and that of the PE.
fn pipe(is_wanted: bool) -> std::io::Result<(Option<OwnedFd>, Option<OwnedFd>)> {
    if !is_wanted {
        return Ok((None, None));
    }
    let (reader, writer) = std::io::pipe()?;
    Ok((Some(reader.into()), Some(writer.into())))
}

/// The program of a part, as it was given. A name without a slash that is not in PATH, but is in the folder where the
/// part starts, gets `./` in front.
fn find_program(part: &Part) -> OsString {
    let name = &part.command[0];
    let is_program = |path: &Path| path.is_file() && access(path, AccessFlags::X_OK).is_ok();
    let path = part.variable("PATH").unwrap_or_default();
    let is_in_path = || std::env::split_paths(&path).any(|folder| is_program(&folder.join(name)));
    if !name.as_encoded_bytes().contains(&b'/') && !is_in_path() && is_program(&part.folder().join(name)) {
        return Path::new(".").join(name).into();
    }
    name.clone()
}

fn cannot_start(pe: u32, part: &Part, program: &OsStr, error: &std::io::Error) -> StartError {
    let name = program.display();
    let has_folder = program.as_encoded_bytes().contains(&b'/');
    let path = part.variable("PATH").unwrap_or_default();
    let is_anywhere = || std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    let (reason, status) = match error.kind() {
        ErrorKind::NotFound if part.folder().join(program).is_file() => {
            ("its interpreter was not found".into(), STATUS_NOT_FOUND)
        }
        ErrorKind::NotFound if has_folder => ("not found".into(), STATUS_NOT_FOUND),
        // Also if a folder of PATH may not be searched, for which the system refuses access.
        ErrorKind::NotFound | ErrorKind::PermissionDenied if !has_folder && !is_anywhere() => {
            (format!("not found; give a path (./{name}), or a name in PATH or in the current folder"), STATUS_NOT_FOUND)
        }
        ErrorKind::NotFound => ("its interpreter was not found".into(), STATUS_NOT_FOUND),
        ErrorKind::PermissionDenied => ("not an executable file".into(), STATUS_NOT_EXECUTABLE),
        _ => (error.to_string(), STATUS_NOT_EXECUTABLE),
    };
    StartError { message: format!("start PE {pe}: program '{name}': {reason}"), status }
}
