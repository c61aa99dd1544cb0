//! The second process: starts the PEs, serves their rendezvous, relays their output, and ends the job.
//!
//! One thread, one `poll` over the signals, the pipe to the front, the PEs' sockets and pipes, and stdout and stderr. Nothing in the
//! loop waits for a PE: sockets and pipes are non-blocking, what a PE does not take stays in its queue.

mod ending;
mod relay;
mod start;

use std::ffi::OsStr;
use std::io::PipeWriter;
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::time::{Duration, Instant};

use cushmem_bootstrap::rendezvous::{Rendezvous, Request};
use cushmem_bootstrap::socket::{Progress, SeqPacket, inherit_descriptor};
use cushmem_bootstrap::wire::MAX_MESSAGE_BYTES;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

use crate::args::Args;
use crate::{binding, processes, signals};
use ending::{Cause, Ending};
use relay::{Outlet, Stream};
use start::{Started, Template, new_job_id, raise_open_files};

/// Between a failure and the end of the other PEs, so that they can say what they saw of it.
const GRACE: Duration = Duration::from_millis(100);
/// The same after a signal was passed on, so that PEs can finish what they do about it.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_secs(2);
/// How long killed processes may take to end.
const KILL_LIMIT: Duration = Duration::from_secs(5);
/// How often to try again to send descriptors when too many are in flight.
const RETRY: Duration = Duration::from_millis(10);
/// How long output may take at the end if the front is gone.
const LAST_OUTPUT_LIMIT: Duration = Duration::from_secs(1);

struct Pe {
    child: Child,
    socket: Option<SeqPacket>,
    stdout: Option<Stream>,
    stderr: Stream,
    has_ended: bool,
}

impl Pe {
    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().cast_signed())
    }
}

struct Supervisor {
    pes: Vec<Pe>,
    rendezvous: Rendezvous,
    signals: SignalFd,
    front: OwnedFd,
    /// Closed by the kernel when this process ends, however it does.
    _lifeline: PipeWriter,
    stdout: Outlet,
    stderr: Outlet,
    time_limit: Option<(Duration, Instant)>,
    was_signalled: bool,
    ending: Option<Ending>,
    buffer: Vec<u8>,
}

/// Runs the job and returns the exit status. `front` is the number of the inherited pipe to the front.
pub fn run(args: &Args, front: &OsStr) -> Result<u8, String> {
    let number = front.to_str().and_then(|text| text.parse().ok()).ok_or("bad number of the pipe to the front")?;
    // SAFETY: the front left this pipe open for the supervisor, and this is the only place that takes it.
    let front =
        unsafe { inherit_descriptor(number) }.map_err(|cause| format!("take over the pipe to the front: {cause}"))?;
    // The name in `ps`; without it the process would be called after /proc/self/exe.
    let _ = prctl::set_name(c"cushmem-superv");
    prctl::set_child_subreaper(true).map_err(|error| format!("become a subreaper: {}", error.desc()))?;
    let signals = signals::take()?;
    let open_files = raise_open_files()?;
    let binding = binding::choose(args.n, !args.no_bind);
    let job_id = new_job_id();
    let (lifeline, _lifeline) = std::io::pipe().map_err(|error| format!("make a pipe: {error}"))?;
    let mut supervisor = Supervisor {
        pes: Vec::new(),
        rendezvous: Rendezvous::new(args.n, &job_id, binding.oversubscribed),
        signals,
        front,
        _lifeline,
        stdout: Outlet::new(std::io::stdout().as_fd())?,
        stderr: Outlet::new(std::io::stderr().as_fd())?,
        time_limit: args.timeout.map(|limit| (limit, Instant::now() + limit)),
        was_signalled: false,
        ending: None,
        buffer: vec![0; MAX_MESSAGE_BYTES],
    };
    if let Some(note) = &binding.note {
        supervisor.say(note);
    }
    let template = Template { args, job_id, binding, lifeline, open_files };
    for pe in 0..args.n {
        match template.start(pe) {
            Ok(Started { child, socket, stdout, stderr }) => {
                supervisor.pes.push(Pe { child, socket: Some(socket), stdout, stderr, has_ended: false });
            }
            Err(error) => {
                supervisor.say(&error.message);
                supervisor.clean_up();
                return Ok(error.status);
            }
        }
    }
    drop(template);
    Ok(supervisor.watch())
}

impl Supervisor {
    /// Turns until all PEs have ended or could not be ended.
    fn watch(&mut self) -> u8 {
        while !self.is_over() {
            self.wait();
            self.take_signals();
            for pe in 0..self.pes.len() as u32 {
                self.take_messages(pe);
                self.relay_output(pe);
                self.send_messages(pe);
            }
            self.look_at_the_clock();
        }
        self.clean_up();
        self.ending.as_ref().map_or(0, |ending| ending.cause.status())
    }

    fn is_over(&self) -> bool {
        let gave_up = self.ending.as_ref().and_then(|e| e.killed_at).is_some_and(|at| at.elapsed() > KILL_LIMIT);
        gave_up || self.pes.iter().all(|pe| pe.has_ended)
    }

    /// Polls everything, writes output that can be written, and notices the front's end.
    fn wait(&mut self) {
        let timeout = self.poll_timeout();
        let mut polled = vec![
            PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.front.as_fd(), PollFlags::POLLIN),
        ];
        for (index, pe) in (0u32..).zip(&self.pes) {
            if let Some(socket) = &pe.socket {
                let wants_out = self.rendezvous.next_outgoing(index).is_some();
                let out = if wants_out { PollFlags::POLLOUT } else { PollFlags::empty() };
                polled.push(PollFd::new(socket.as_fd(), PollFlags::POLLIN | out));
            }
            let streams = [(pe.stdout.as_ref(), &self.stdout), (Some(&pe.stderr), &self.stderr)];
            for (stream, outlet) in streams {
                if let Some(stream) = stream.filter(|stream| stream.is_open() && !outlet.is_full()) {
                    polled.push(PollFd::new(stream.as_fd(), PollFlags::POLLIN));
                }
            }
        }
        let outlets_at = polled.len();
        for outlet in [&self.stdout, &self.stderr] {
            // A descriptor that is polled for nothing still reports errors: poll only what has something to write.
            let fd = if outlet.has_waiting() { outlet.as_fd() } else { self.front.as_fd() };
            polled.push(PollFd::new(fd, if outlet.has_waiting() { PollFlags::POLLOUT } else { PollFlags::POLLIN }));
        }
        match poll(&mut polled, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => std::thread::sleep(RETRY),
        }
        let ready: Vec<bool> = polled.iter().map(|fd| fd.any().unwrap_or(false)).collect();
        drop(polled);
        for (outlet, is_ready) in [&mut self.stdout, &mut self.stderr].into_iter().zip(&ready[outlets_at..]) {
            if *is_ready && outlet.has_waiting() {
                outlet.write_piece();
            }
        }
        if ready[1] && !self.ending.as_ref().is_some_and(|ending| ending.cause == Cause::FrontGone) {
            self.ending =
                Some(Ending { cause: Cause::FrontGone, kill_at: Instant::now(), killed_at: None, suspects: vec![] });
        }
    }

    /// Until the next thing that happens by time alone.
    fn poll_timeout(&self) -> PollTimeout {
        let kill_at = self.ending.as_ref().filter(|e| e.killed_at.is_none()).map(|e| e.kill_at);
        let give_up_at = self.ending.as_ref().and_then(|e| e.killed_at).map(|at| at + KILL_LIMIT);
        let limit_at = self.time_limit.filter(|_| self.ending.is_none()).map(|(_, at)| at);
        let has_unsent = (0..self.pes.len() as u32).any(|pe| self.rendezvous.next_outgoing(pe).is_some());
        let retry_at = has_unsent.then(|| Instant::now() + RETRY);
        match [kill_at, give_up_at, limit_at, retry_at].into_iter().flatten().min() {
            None => PollTimeout::NONE,
            Some(at) => {
                let left_ms = at.saturating_duration_since(Instant::now()).as_millis() + 1;
                PollTimeout::from(u16::try_from(left_ms).unwrap_or(u16::MAX))
            }
        }
    }

    fn take_signals(&mut self) {
        for signal in signals::arrived(&self.signals) {
            match signal {
                Signal::SIGCHLD => self.reap(),
                Signal::SIGTSTP => self.pass_on(Signal::SIGSTOP),
                ending if signals::ENDING.contains(&ending) => {
                    if std::mem::replace(&mut self.was_signalled, true) {
                        self.end(Cause::SecondSignal { signal });
                        self.kill_pes();
                    } else {
                        self.pass_on(signal);
                    }
                }
                other => self.pass_on(other),
            }
        }
    }

    fn pass_on(&self, signal: Signal) {
        for pe in self.pes.iter().filter(|pe| !pe.has_ended) {
            processes::signal_group(pe.pid(), signal);
        }
    }

    /// Looks at each process that has ended. PEs are looked at before they are reaped, adopted orphans just reaped.
    fn reap(&mut self) {
        loop {
            let status = waitid(Id::All, WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT);
            let pid = match status {
                Ok(WaitStatus::StillAlive) => return,
                Ok(status) => status.pid(),
                // A real-time signal, which `WaitStatus` cannot express: ask for each PE.
                Err(Errno::EINVAL) => None,
                Err(_) => return,
            };
            let ended = match pid {
                Some(pid) => self.pes.iter().position(|pe| pe.pid() == pid && !pe.has_ended),
                None => self.pes.iter().position(|pe| !pe.has_ended && has_ended(pe.pid())),
            };
            match (ended, pid) {
                (Some(index), _) => self.pe_has_ended(index),
                (None, Some(orphan)) => drop(waitpid(orphan, Some(WaitPidFlag::WNOHANG))),
                (None, None) => return,
            }
        }
    }

    fn pe_has_ended(&mut self, index: usize) {
        let number = index as u32;
        // What PEs said before this one ended counts: an abort, the end of finalize. It also shows who else is dying.
        for pe in 0..self.pes.len() as u32 {
            self.take_messages(pe);
        }
        let pe = &mut self.pes[index];
        pe.has_ended = true;
        pe.stderr.drain(&mut self.stderr);
        // Before it is reaped: as long as it is not, no other group can have its number.
        processes::signal_group(pe.pid(), Signal::SIGKILL);
        let status = pe.child.try_wait();
        if let Ok(Some(status)) = status
            && let Some(cause) = Cause::of_exit(number, status, self.rendezvous.stage(number))
        {
            self.end(cause);
        }
        self.rendezvous.ended(number);
        self.pes[index].socket = None;
    }

    fn take_messages(&mut self, pe: u32) {
        while let Some(socket) = &self.pes[pe as usize].socket {
            let cause = match socket.try_receive(&mut self.buffer) {
                Ok(Progress::Done(received)) => {
                    match self.rendezvous.receive(pe, &self.buffer[..received.bytes], received.descriptors) {
                        Ok(Request::Nothing) => continue,
                        Ok(Request::Abort { code, message }) => {
                            self.end(Cause::Aborted { pe, code, message });
                            continue;
                        }
                        Err(what) => Cause::Violation { pe, what },
                    }
                }
                Ok(Progress::WouldBlock) => return,
                // The end of the process will follow and tell why.
                Ok(Progress::Closed) => {
                    self.pes[pe as usize].socket = None;
                    return;
                }
                Err(error) => Cause::Violation { pe, what: error.desc().to_string() },
            };
            self.end(cause);
            self.pes[pe as usize].socket = None;
        }
    }

    fn send_messages(&mut self, pe: u32) {
        while let (Some(socket), Some(message)) = (&self.pes[pe as usize].socket, self.rendezvous.next_outgoing(pe)) {
            match socket.try_send(message.bytes(), message.descriptor()) {
                Ok(Progress::Done(())) => self.rendezvous.sent(pe),
                Ok(Progress::WouldBlock) => return,
                Ok(Progress::Closed) => {
                    self.pes[pe as usize].socket = None;
                }
                Err(error) => {
                    self.pes[pe as usize].socket = None;
                    self.end(Cause::Violation { pe, what: format!("send to it: {}", error.desc()) });
                }
            }
        }
    }

    fn relay_output(&mut self, pe: u32) {
        let pe = &mut self.pes[pe as usize];
        if !self.stderr.is_full() {
            pe.stderr.relay(&mut self.stderr);
        }
        if self.stdout.is_broken() {
            // Nobody reads: let the PE know as it would without a launcher, by SIGPIPE.
            pe.stdout = None;
        }
        if let Some(stdout) = pe.stdout.as_mut().filter(|_| !self.stdout.is_full()) {
            stdout.relay(&mut self.stdout);
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        if let Some((limit, _)) = self.time_limit.filter(|(_, at)| now >= *at && self.ending.is_none()) {
            let running = (0u32..).zip(&self.pes).filter(|(_, pe)| !pe.has_ended).map(|(pe, _)| pe).collect::<Vec<_>>();
            if !running.is_empty() {
                let round = self.rendezvous.describe_open_round();
                self.end(Cause::TimeLimit { limit, running, round });
                self.kill_pes();
            }
        }
        if self.ending.as_ref().is_some_and(|ending| ending.killed_at.is_none() && now >= ending.kill_at) {
            self.kill_pes();
        }
    }

    /// Begins the job's end, unless it has begun: the first cause counts.
    fn end(&mut self, cause: Cause) {
        if let Some(ending) = &mut self.ending {
            return ending.reconsider(cause);
        }
        let grace = if self.was_signalled { GRACE_AFTER_SIGNAL } else { GRACE };
        let dying = (0u32..).zip(&self.pes).filter(|(_, pe)| !pe.has_ended && pe.socket.is_none());
        let suspects = dying.map(|(pe, _)| pe).collect();
        self.ending = Some(Ending { cause, kill_at: Instant::now() + grace, killed_at: None, suspects });
    }

    fn kill_pes(&mut self) {
        self.pass_on(Signal::SIGKILL);
        if let Some(ending) = &mut self.ending {
            ending.killed_at.get_or_insert_with(Instant::now);
        }
    }

    /// Ends whatever is left, then reports.
    fn clean_up(&mut self) {
        let left = processes::sweep(KILL_LIMIT);
        for pe in &mut self.pes {
            pe.stderr.drain(&mut self.stderr);
            pe.stderr.close(&mut self.stderr);
            if let Some(stdout) = &mut pe.stdout {
                stdout.drain(&mut self.stdout);
                stdout.close(&mut self.stdout);
            }
        }
        if let Some(ending) = &self.ending {
            let text = ending.cause.to_string();
            let pe = ending.cause.pe().map(|pe| &self.pes[pe as usize]);
            let tail: Vec<String> =
                pe.iter().flat_map(|pe| pe.stderr.tail()).map(|line| format!("  | {line}")).collect();
            self.say(&if tail.is_empty() { text } else { format!("{text}; its last lines on stderr:") });
            tail.iter().for_each(|line| self.say(line));
        }
        if left > 0 {
            self.say(&format!("{left} processes of the job could not be ended within {} s", KILL_LIMIT.as_secs()));
        }
        self.write_all_output();
    }

    fn say(&mut self, line: &str) {
        self.stderr.put(format!("shmemrun: {line}\n").as_bytes());
    }

    /// Waits for the readers of stdout and stderr, as any program does; not for long if the front is gone.
    fn write_all_output(&mut self) {
        let deadline = Instant::now() + LAST_OUTPUT_LIMIT;
        for outlet in [&mut self.stdout, &mut self.stderr] {
            while outlet.has_waiting() {
                let mut polled = [
                    PollFd::new(outlet.as_fd(), PollFlags::POLLOUT),
                    PollFd::new(self.front.as_fd(), PollFlags::POLLIN),
                ];
                let is_polled = poll(&mut polled, PollTimeout::from(100u16)).is_ok();
                let [can_write, front_is_gone] = polled.map(|fd| is_polled && fd.any().unwrap_or(false));
                if can_write {
                    outlet.write_piece();
                } else if front_is_gone {
                    if Instant::now() >= deadline {
                        return;
                    }
                    std::thread::sleep(RETRY);
                }
            }
        }
    }
}

/// Whether a child has ended and was not reaped; also if it ended by a real-time signal.
fn has_ended(pid: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(pid), flags), Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD))
}
