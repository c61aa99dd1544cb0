//! Starts processes without waiting for them. `Command::spawn` waits until the child executes its program; a child that
//! is stopped before, or that waits for the file of its program, would hold its caller for ever.
//!
//! A child that cannot execute its program says so through a pipe, so the caller learns it whenever it looks. From the
//! fork on, the child only makes system calls, because other threads of this process may hold locks.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::ptr::null;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::sys::prctl;
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::unistd::{ForkResult, Pid, fork, getpid, getppid, setpgid};

use crate::signals;

unsafe extern "C" {
    static mut environ: *const *const libc::c_char;
}

/// The exit status of a child that could not execute its program. Nobody sees it.
const NOT_EXECUTED: libc::c_int = 127;

/// A process number and an error code.
const REPORT_BYTES: usize = 8;

/// What children report that cannot execute their programs. One pipe serves all children of this process, so a child
/// that is slow to start costs no descriptor.
pub struct Failures {
    reader: File,
    writer: OwnedFd,
}

impl Failures {
    /// A pipe without reports.
    pub fn new() -> io::Result<Failures> {
        let (reader, writer) = io::pipe()?;
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Failures { reader: OwnedFd::from(reader).into(), writer: writer.into() })
    }

    /// The next child that could not execute its program, and why. A child reports this before it ends.
    pub fn next(&self) -> Option<(Pid, io::Error)> {
        let mut report = [0; REPORT_BYTES];
        // A report is written in one piece.
        let is_whole = matches!((&self.reader).read(&mut report), Ok(REPORT_BYTES));
        let (pid, code) = report.split_first_chunk::<4>().filter(|_| is_whole)?;
        let code = i32::from_ne_bytes(code.try_into().ok()?);
        Some((Pid::from_raw(i32::from_ne_bytes(*pid)), io::Error::from_raw_os_error(code)))
    }
}

impl AsFd for Failures {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

/// Starts the program of `command` with its arguments, its variables and its folder; nothing else of the command
/// counts. `name` replaces the first argument. `files` become the descriptors 0, 1 and 2 where they are given. The
/// child leads a process group of its own. It gets SIGKILL when the calling thread ends, unless it asks for something
/// else.
///
/// # Safety
/// `set_up`, which runs in the child before the program, only makes system calls: it does not allocate and takes no
/// lock.
pub unsafe fn spawn(
    command: &Command,
    name: Option<&OsStr>,
    files: [Option<OwnedFd>; 3],
    failures: &Failures,
    set_up: impl Fn() -> io::Result<()>,
) -> io::Result<Pid> {
    let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::other);
    let program = text(command.get_program())?;
    let name = [name.unwrap_or(command.get_program())];
    let arguments: Vec<CString> = name.into_iter().chain(command.get_args()).map(text).collect::<io::Result<_>>()?;
    let variables = variables(command)?;
    let folder = command.get_current_dir().map(|folder| text(folder.as_os_str())).transpose()?;
    let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).chain([null()]).collect::<Vec<_>>();
    let (argv, envp) = (pointers(&arguments), pointers(&variables));
    let parent = getpid();
    let child = || -> io::Result<std::convert::Infallible> {
        // This comes first, so that there is no moment at which the death of the parent would leave this process
        // behind.
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        if getppid() != parent {
            return Err(Errno::ESRCH.into());
        }
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        for (number, file) in (0..).zip(&files) {
            if let Some(file) = file {
                // SAFETY: the call only takes numbers; this process uses the descriptor for nothing else.
                Errno::result(unsafe { libc::dup2(file.as_raw_fd(), number) })?;
            }
        }
        if let Some(folder) = &folder {
            // SAFETY: a valid text.
            Errno::result(unsafe { libc::chdir(folder.as_ptr()) })?;
        }
        for own in signals::OWN {
            // SAFETY: the default action runs no code, and programs expect it.
            unsafe { signal(own, SigHandler::SigDfl) }?;
        }
        set_up()?;
        // SAFETY: valid texts, and lists of them that end with NULL. The child has no other thread that reads
        // `environ`, which is set first, because the program is searched for in the child's own PATH.
        unsafe {
            environ = envp.as_ptr();
            libc::execvp(program.as_ptr(), argv.as_ptr());
        }
        Err(io::Error::last_os_error())
    };
    // SAFETY: the child only makes system calls until it executes a program or exits.
    match unsafe { fork() }? {
        ForkResult::Parent { child: pid } => {
            // The child does the same; whoever is first, from here on a signal to its group reaches it.
            let _ = setpgid(pid, pid);
            Ok(pid)
        }
        ForkResult::Child => {
            let Err(error) = child();
            let code = error.raw_os_error().unwrap_or(libc::EINVAL);
            let report = [getpid().as_raw(), code].map(i32::to_ne_bytes);
            // SAFETY: as many bytes as the report has, and a descriptor that is open; then the process ends without
            // running handlers.
            unsafe {
                libc::write(failures.writer.as_raw_fd(), report.as_ptr().cast(), REPORT_BYTES);
                libc::_exit(NOT_EXECUTED)
            }
        }
    }
}

/// Goes on in a child as well, which leads a process group of its own. Returns the child's number, and `None` in the
/// child.
///
/// # Safety
/// This process has no other thread.
pub unsafe fn divide() -> nix::Result<Option<Pid>> {
    // SAFETY: without other threads, the child may do everything that this process may.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => {
            // The child does the same.
            let _ = setpgid(child, child);
            Ok(Some(child))
        }
        ForkResult::Child => {
            setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
            Ok(None)
        }
    }
}

/// Reaps a child if it has ended, and returns how.
pub fn reap(child: Pid) -> io::Result<Option<ExitStatus>> {
    let mut status = 0;
    // SAFETY: the call writes to the number. It is not that of `nix`, which does not express real-time signals.
    match Errno::result(unsafe { libc::waitpid(child.as_raw(), &raw mut status, libc::WNOHANG) })? {
        0 => Ok(None),
        _ => Ok(Some(ExitStatus::from_raw(status))),
    }
}

/// The child's environment, as `NAME=value`.
fn variables(command: &Command) -> io::Result<Vec<CString>> {
    let mut all: std::collections::BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => all.insert(name.to_owned(), value.to_owned()),
            None => all.remove(name),
        };
    }
    let line = |(mut name, value): (OsString, OsString)| {
        name.push("=");
        name.push(value);
        CString::new(name.into_vec()).map_err(io::Error::other)
    };
    all.into_iter().map(line).collect()
}
