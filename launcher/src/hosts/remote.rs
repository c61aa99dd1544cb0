//! A host of a job, as the launcher sees it that has started the one there. It speaks for the hosts behind it too.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{Pid, read};

use super::frame::{Frame, Standard};
use super::link::{End, Link, WINDOW};
use super::{AGENT, agent};
use crate::host_list::Branch;
use crate::outlet::Outlet;
use crate::spawn::{Failures, spawn};

/// How a launcher on another host is started, unless the user says otherwise.
const SSH: &str = "ssh -o BatchMode=yes -o ConnectTimeout=10 -o ControlMaster=no -o ControlPath=none";
/// How long a launcher may take to greet.
const START_LIMIT: Duration = Duration::from_secs(30);
/// How much text may come before the greeting: start files of shells may print something.
const MAX_BEFORE_GREETING: usize = 64 * 1024;
/// How much of a host's stderr is kept before it has greeted.
const MAX_EARLY: usize = 16 * 1024;
/// A line of output that is longer is passed on in parts.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// A host.
pub struct Remote {
    /// Its name, as the user typed it.
    pub name: String,
    /// Its number, and those of the hosts behind it.
    pub branch: Branch,
    /// The numbers of the PEs of all of these.
    pub pes: Vec<u32>,
    /// Those of these hosts whose PEs have not all ended. When they have, output may still come.
    pub running: Vec<usize>,
    /// The process that connects to it, until that has been reaped.
    pub process: Option<Pid>,
    state: State,
    /// Whether the owner knows that its link has ended.
    has_said_all: bool,
    /// Standard error of that process.
    stderr: Option<OwnedFd>,
    /// What has come of it before the greeting.
    early: Vec<u8>,
    /// The part of a line of stdout and stderr that has arrived, and how many bytes the host still counts.
    lines: [(Vec<u8>, usize); 2],
    /// Whether the launcher there has ended, as it should.
    pub is_over: bool,
    /// Whether it has been reported lost.
    pub is_lost: bool,
    /// Whether it knows that nobody reads standard output any more.
    knows_of_broken_stdout: bool,
    /// The lines about its PEs, in answer to an inquiry, and those whose counts have not all come since then.
    pub states: Option<(Vec<String>, Vec<u32>)>,
}

enum State {
    /// It has not greeted. The job goes to `to` after that.
    Greets { from: OwnedFd, to: OwnedFd, text: Vec<u8>, has_ended: bool, since: Instant },
    /// It has the job.
    Runs(Link),
    /// It could not be started.
    Failed,
}

/// What a host has done.
pub enum News {
    /// Nothing that matters.
    None,
    /// It has greeted: it gets the job.
    Greeted(Link),
    /// It could not be started, for this reason.
    Failed(String),
}

/// Whether this name means the machine of this process, which needs no ssh.
pub fn is_here(name: &str) -> bool {
    let own = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name == "localhost" || own.trim() == name
}

/// The command that starts the launcher on a host.
fn command(name: &str, path: &Path, is_here: bool) -> io::Result<Command> {
    if is_here {
        let mut command = Command::new(path);
        command.arg(AGENT);
        return Ok(command);
    }
    let given = std::env::var(cushmem_environment::RSH.name).ok().filter(|text| !text.trim().is_empty());
    let text = given.as_deref().unwrap_or(SSH);
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("ssh"));
    let mut line = OsString::from("exec ");
    line.push(quoted(path));
    line.push(" ");
    line.push(AGENT);
    command.args(words).arg(name).arg(line);
    Ok(command)
}

/// A path as a word for a shell.
fn quoted(path: &Path) -> OsString {
    let text = path.to_string_lossy();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
    if text.bytes().all(is_plain) {
        return path.into();
    }
    format!("'{}'", text.replace('\'', "'\\''")).into()
}

impl Remote {
    /// Starts the launcher at `path` on the host with this name.
    pub fn start(
        name: &str,
        branch: Branch,
        pes: Vec<u32>,
        path: &Path,
        is_here: bool,
        failures: &Failures,
    ) -> io::Result<Remote> {
        let ((their_in, to), (from, their_out), (stderr, their_err)) = (io::pipe()?, io::pipe()?, io::pipe()?);
        let mut command = command(name, path, is_here)?;
        // It would take itself for the supervisor of this job.
        command.env_remove(cushmem_environment::SUPERVISOR_FD.name);
        let files = [Some(their_in.into()), Some(their_out.into()), Some(their_err.into())];
        // SAFETY: the closure unblocks signals, which is a system call.
        let process = unsafe {
            spawn(&command, None, files, failures, || Ok(nix::sys::signal::SigSet::empty().thread_set_mask()?))
        }?;
        let (from, stderr): (OwnedFd, OwnedFd) = (from.into(), stderr.into());
        for fd in [&from, &stderr] {
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        Ok(Remote {
            name: name.to_owned(),
            running: std::iter::once(branch.host).chain(branch.behind.iter().copied()).collect(),
            branch,
            pes,
            process: Some(process),
            state: State::Greets { from, to: to.into(), text: vec![], has_ended: false, since: Instant::now() },
            has_said_all: false,
            stderr: Some(stderr),
            early: vec![],
            lines: Default::default(),
            is_over: false,
            is_lost: false,
            knows_of_broken_stdout: false,
            states: None,
        })
    }

    /// The link, once the host has the job.
    pub fn link(&self) -> Option<&Link> {
        if let State::Runs(link) = &self.state { Some(link) } else { None }
    }

    /// Whether it has neither greeted nor failed.
    pub fn is_starting(&self) -> bool {
        matches!(self.state, State::Greets { .. })
    }

    /// Why nothing more will come over the link, once all that has come was taken. The owner deals with it before
    /// [`Self::is_gone`] says so: the link may end at any moment.
    pub fn take_end(&mut self) -> Option<End> {
        let end = self.link().and_then(Link::end);
        self.has_said_all |= end.is_some();
        end
    }

    /// Whether nothing more can come from it, and the owner knows.
    pub fn is_gone(&self) -> bool {
        let has_said_all = match &self.state {
            State::Greets { .. } => false,
            State::Runs(_) => self.has_said_all,
            State::Failed => true,
        };
        self.process.is_none() && has_said_all
    }

    /// Whether all PEs have ended for which it speaks.
    pub fn have_pes_ended(&self) -> bool {
        self.running.is_empty() || self.is_gone()
    }

    /// The numbers of the hosts for which it speaks.
    pub fn hosts(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.branch.host).chain(self.branch.behind.iter().copied())
    }

    /// The host with this number in a frame, if it speaks for that.
    pub fn host(&self, number: u32) -> Result<usize, String> {
        let host = self.hosts().find(|host| u32::try_from(*host) == Ok(number));
        host.ok_or_else(|| format!("it spoke for host number {number}"))
    }

    /// Sends a frame, if the host has the job.
    pub fn send(&self, frame: &Frame) {
        self.link().into_iter().for_each(|link| link.send(frame));
    }

    /// The descriptors to poll.
    pub fn polled(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let main = match &self.state {
            State::Greets { from, has_ended: false, .. } => Some(from.as_fd()),
            State::Runs(link) => Some(link.news()),
            State::Greets { .. } | State::Failed => None,
        };
        main.into_iter().chain(self.stderr.as_ref().map(AsFd::as_fd))
    }

    /// When it must have greeted, if it has not.
    pub fn greets_until(&self) -> Option<Instant> {
        if let State::Greets { since, .. } = &self.state { Some(*since + START_LIMIT) } else { None }
    }

    /// Reads what comes before the job.
    pub fn advance(&mut self) -> News {
        let State::Greets { from, text, has_ended, since, .. } = &mut self.state else { return News::None };
        let mut piece = [0; 4096];
        let is_late = since.elapsed() >= START_LIMIT;
        while !*has_ended && text.len() <= MAX_BEFORE_GREETING {
            match read(&*from, &mut piece) {
                Ok(count) if count > 0 => text.extend_from_slice(&piece[..count]),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                _ => *has_ended = true,
            }
        }
        let has_ended = *has_ended;
        let found = agent::has_greeted(text);
        if found == Ok(true) {
            return self.greeted();
        }
        let reason = if let Err(why) = found {
            why
        } else if text.len() > MAX_BEFORE_GREETING {
            format!("{MAX_BEFORE_GREETING} bytes came before the greeting of shmemrun")
        } else if is_late {
            format!("shmemrun has not answered within {} s", START_LIMIT.as_secs())
        } else if has_ended && self.process.is_none() {
            self.read_stderr(None);
            let said = String::from_utf8_lossy(&self.early).into_owned();
            let said = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("the connection ended");
            said.trim_start_matches("shmemrun: ").to_owned()
        } else {
            return News::None;
        };
        self.state = State::Failed;
        News::Failed(reason)
    }

    fn greeted(&mut self) -> News {
        let State::Greets { from, to, .. } = std::mem::replace(&mut self.state, State::Failed) else {
            return News::None;
        };
        match Link::start(from, to) {
            Ok(link) => {
                self.state = State::Runs(link.clone());
                News::Greeted(link)
            }
            Err(why) => News::Failed(why),
        }
    }

    /// Reads standard error: passes whole lines on, or keeps them for an error before the greeting.
    pub fn read_stderr(&mut self, outlet: Option<&Outlet>) {
        let Some(stderr) = &self.stderr else { return };
        let mut piece = [0; 4096];
        for _ in 0..16 {
            match read(stderr, &mut piece) {
                Ok(count) if count > 0 => self.early.extend_from_slice(&piece[..count]),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                _ => {
                    self.stderr = None;
                    break;
                }
            }
        }
        let (Some(outlet), State::Runs(_)) = (outlet, &self.state) else {
            let surplus = self.early.len().saturating_sub(MAX_EARLY);
            self.early.drain(..surplus);
            return;
        };
        if self.early.len() > MAX_LINE_BYTES || self.stderr.is_none() && !self.early.is_empty() {
            self.early.push(b'\n');
        }
        while let Some(end) = self.early.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.early.drain(..=end).collect();
            let rest = line.strip_prefix(b"shmemrun: ").unwrap_or(&line);
            outlet.put_line(format!("shmemrun: host {}: ", self.name).as_bytes(), rest);
        }
    }

    /// Forgets what the connecting program said before the greeting: the banner of a host.
    pub fn forget_early(&mut self) {
        self.read_stderr(None);
        self.early.clear();
    }

    /// Takes a piece of output: passes whole lines on. The error says that the host sends more than it may.
    pub fn take_output(&mut self, stream: Standard, bytes: &[u8], outlet: &Outlet) -> Result<(), String> {
        let (partial, unpassed) = &mut self.lines[usize::from(stream == Standard::Err)];
        *unpassed += bytes.len();
        if *unpassed > WINDOW {
            return Err(format!("{unpassed} bytes of output at once"));
        }
        partial.extend_from_slice(bytes);
        let end = partial.iter().rposition(|byte| *byte == b'\n').map(|end| end + 1);
        let end = end.or((partial.len() > MAX_LINE_BYTES).then_some(partial.len()));
        if let Some(end) = end {
            let rest = partial.split_off(end);
            outlet.put_line(b"", &std::mem::replace(partial, rest));
        }
        Ok(())
    }

    /// Lets more output come if the outlets have room, and says when standard output has no reader.
    pub fn pass_output(&mut self, outlets: [&Outlet; 2], has_reader: bool) {
        if !has_reader && self.link().is_some() && !std::mem::replace(&mut self.knows_of_broken_stdout, true) {
            self.send(&Frame::Piece(Standard::Out, vec![]));
        }
        for (index, outlet) in outlets.into_iter().enumerate() {
            let unpassed = self.lines[index].1;
            if unpassed > 0 && !outlet.is_full() {
                self.lines[index].1 = 0;
                let stream = if index == 0 { Standard::Out } else { Standard::Err };
                self.send(&Frame::Passed(stream, unpassed as u32));
            }
        }
    }

    /// Passes on unfinished last lines.
    pub fn finish_output(&mut self, outlets: [&Outlet; 2]) {
        self.read_stderr(Some(outlets[1]));
        for ((partial, _), outlet) in self.lines.iter_mut().zip(outlets) {
            if !partial.is_empty() {
                partial.push(b'\n');
                outlet.put_line(b"", &std::mem::take(partial));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a job that ends well although a host was lost: its connection ended between the look at it and the
    /// question whether all hosts have gone.
    #[test]
    fn a_host_has_gone_once_its_end_was_heard() {
        let ((from, to_it), (_from_it, to)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let branch = Branch { host: 0, behind: vec![] };
        let failures = Failures::new().unwrap();
        let mut remote = Remote::start("here", branch, vec![0], Path::new("/bin/true"), true, &failures).unwrap();
        let process = remote.process.take().unwrap();
        nix::sys::wait::waitpid(process, None).unwrap();
        let link = Link::start(from.into(), to.into()).unwrap();
        remote.state = State::Runs(link.clone());
        assert_eq!((remote.take_end(), remote.is_gone()), (None, false));
        drop(to_it);
        let limit = Instant::now() + Duration::from_secs(60);
        while link.end().is_none() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!remote.is_gone(), "nobody has heard of it");
        assert_eq!((remote.take_end(), remote.is_gone()), (Some(End::Closed), true));
    }

    #[test]
    fn the_command_line_is_one_word_for_ssh() {
        let words = |name: &str, path: &str| {
            let command = command(name, Path::new(path), is_here(name)).unwrap();
            let arguments = command.get_args().map(|word| word.to_string_lossy().into_owned());
            std::iter::once(command.get_program().to_string_lossy().into_owned()).chain(arguments).collect::<Vec<_>>()
        };
        let found = words("b", "/opt/cushmem/bin/shmemrun");
        assert_eq!(
            (found[0].as_str(), &found[found.len() - 2..]),
            ("ssh", &["b", "exec /opt/cushmem/bin/shmemrun --agent"].map(String::from)[..])
        );
        assert_eq!(words("b", "/a b/it's").last().unwrap(), "exec '/a b/it'\\''s' --agent");
        assert_eq!(words("localhost", "/opt/shmemrun"), ["/opt/shmemrun", "--agent"]);
    }
}
