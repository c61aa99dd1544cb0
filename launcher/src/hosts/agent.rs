//! `shmemrun --agent`: the launcher on one host of several. The launcher that the user started has started it there,
//! and tells it over standard input what to do.
//!
//! This process says who it is, reads the job, and then does what every front does. Its supervisor talks to the other
//! launcher from then on: the supervisor of the PEs of this host, or a [`Head`](super::Head) if there are hosts behind
//! this one. When standard input closes, or nothing comes for [`silence`](super::link::silence), it ends the PEs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cushmem_bootstrap::socket::timeout_until;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::memfd::{MFdFlags, memfd_create};

use super::frame::{Frame, Job, LENGTH_BYTES, NotStarted, VERSION, length_of};
use crate::args::{self, Instead};
use crate::front;
use crate::host_list::Part;

/// How long the job may take to come.
const JOB_LIMIT: Duration = Duration::from_secs(30);

/// The line with which the launcher on a host begins. What start files of the shell have written may not end with a
/// line.
pub fn greeting() -> String {
    format!("\ncushmem-agent {VERSION} {}\n", env!("CARGO_PKG_VERSION"))
}

/// Whether this text of a host has a greeting in it. The error says of which other version it is.
pub fn has_greeted(text: &[u8]) -> Result<bool, String> {
    let greeting = greeting();
    let text = String::from_utf8_lossy(text);
    // Nothing follows the greeting before the host has the job, so its end of line is the last byte.
    let line = text.split_inclusive('\n').find(|line| line.starts_with("cushmem-agent ") && line.ends_with('\n'));
    let Some(line) = line else { return Ok(false) };
    if line == greeting.trim_start() {
        return Ok(true);
    }
    let theirs = line.trim_end().trim_start_matches("cushmem-agent ");
    let own = greeting.trim().trim_start_matches("cushmem-agent ");
    Err(format!("another version of shmemrun is there: {theirs} instead of {own}"))
}

/// Runs a host's part of a job.
pub fn run() -> Result<u8, String> {
    let written = std::io::stdout().write_all(greeting().as_bytes()).and_then(|()| std::io::stdout().flush());
    written.map_err(|error| format!("greet the launcher that started this one: {error}"))?;
    let Some(job) = read_job()? else { return Ok(crate::STATUS_LAUNCHER) };
    let part: Part = job.part.parse()?;
    let host = part.branch.host as u32;
    begin(job, part).or_else(|(status, message)| {
        let why = NotStarted { host: Some(host), status, message };
        let frames = [Frame::NotStarted(why), Frame::Ended { host }, Frame::Over { status }];
        let bytes = frames.iter().flat_map(Frame::encode).collect::<Vec<u8>>();
        let written = std::io::stdout().write_all(&bytes).and_then(|()| std::io::stdout().flush());
        written.map(|()| status).map_err(|error| format!("report to the launcher that started this one: {error}"))
    })
}

/// Starts the supervisor and waits for its end. The error has the status and the reason if this is not possible.
fn begin(job: Job, part: Part) -> Result<u8, (u8, String)> {
    let failed = |message: String| (crate::STATUS_LAUNCHER, message);
    let folder = PathBuf::from(OsString::from_vec(job.folder));
    std::env::set_current_dir(&folder)
        .map_err(|error| failed(format!("go to the folder '{}': {error}", folder.display())))?;
    let text = |bytes: Vec<u8>| OsString::from_vec(bytes);
    let words: Vec<OsString> = job.words.into_iter().map(text).collect();
    let all = std::iter::once("shmemrun".into()).chain(words.iter().cloned());
    match args::parse(all, Some(part)) {
        Ok(_) => {}
        Err(Instead::Complain(line)) => return Err((crate::STATUS_USAGE, line)),
        Err(_) => return Err(failed("the job has no program".into())),
    }
    let names: Vec<&[u8]> = job.variables.iter().map(|(name, _)| name.as_slice()).collect();
    let names = text(names.join(&b'\n'));
    let mut variables: Vec<(OsString, OsString)> =
        job.variables.into_iter().map(|(name, value)| (text(name), text(value))).collect();
    variables.push((cushmem_environment::HOST_VARIABLES.name.into(), names));
    // A variable may have 128 KiB, and the list of hosts more. It stays open in the supervisor, which takes it over.
    let part = file_in_memory().map_err(std::io::Error::from);
    let part = part.and_then(|mut file| file.write_all(job.part.as_bytes()).map(|()| file));
    let part = part.map_err(|error| failed(format!("keep the list of hosts: {error}")))?;
    variables.push((cushmem_environment::HOST_PART.name.into(), part.as_raw_fd().to_string().into()));
    variables.push((cushmem_environment::HOST_INPUT.name.into(), if job.has_input { "1" } else { "0" }.into()));
    front::run(false, words, &variables).map_err(failed)
}

/// A file that a program inherits. Systems may refuse one that could be executed, and those before Linux 6.3 do not
/// know the flag that says it cannot be.
fn file_in_memory() -> nix::Result<File> {
    const NOEXEC_SEAL: MFdFlags = MFdFlags::from_bits_retain(8);
    let create = |flags| memfd_create("cushmem-part", flags);
    let created = create(NOEXEC_SEAL).or_else(|error| match error {
        Errno::EINVAL => create(MFdFlags::empty()),
        other => Err(other),
    });
    created.map(File::from)
}

/// Reads the job, and nothing behind it. `None` if the other launcher has gone.
fn read_job() -> Result<Option<Job>, String> {
    let deadline = Instant::now() + JOB_LIMIT;
    let mut length = [0; LENGTH_BYTES];
    if !read_whole(&mut length, deadline)? {
        return Ok(None);
    }
    let length =
        length_of(length).map_err(|what| format!("standard input begins with {what}: only shmemrun starts --agent"))?;
    let mut frame = vec![0; length];
    if !read_whole(&mut frame, deadline)? {
        return Ok(None);
    }
    match Frame::decode(&frame) {
        Ok(Frame::Job(job)) => Ok(Some(job)),
        _ => Err("standard input does not begin with a job: only shmemrun starts --agent".into()),
    }
}

/// Fills the bytes from standard input, without a buffer. False at its end.
fn read_whole(bytes: &mut [u8], deadline: Instant) -> Result<bool, String> {
    let stdin = std::io::stdin();
    // The supervisor reads what follows, so no buffer may take more than the job.
    let mut file = File::from(stdin.as_fd().try_clone_to_owned().map_err(|error| error.to_string())?);
    let mut filled = 0;
    while filled < bytes.len() {
        let is_late = Instant::now() >= deadline;
        let polled = poll(&mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)], timeout_until(deadline));
        match polled {
            Ok(0) if is_late => return Err(format!("no job has come within {} s", JOB_LIMIT.as_secs())),
            Ok(0) | Err(_) => continue,
            Ok(_) => {}
        }
        match file.read(&mut bytes[filled..]) {
            Ok(0) => return Ok(false),
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(format!("read the job: {error}")),
        }
    }
    Ok(true)
}
