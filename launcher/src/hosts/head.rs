//! The supervisor of a job on several hosts, on the machine where the user started `shmemrun`. Its children are the
//! programs that connect it to the hosts.

use std::io::{IsTerminal, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};

use cushmem_bootstrap::socket::timeout_until;

use super::frame::{Frame, Job, Standard};
use super::link::{End, Link};
use super::remote::{News, Remote};
use super::rounds::{Outgoing, Rounds, Side};
use crate::args::Args;
use crate::host_list::{Part, pes_of};
use crate::spawn::{Failures, reap};
use crate::supervisor::{Cause, Console, Ending, StatusServer};
use crate::{processes, signals};

/// Time between a failure and the moment from which nothing that follows can be its reason.
const GRACE: Duration = Duration::from_millis(300);
/// How long hosts may take to end their PEs before they are told to kill them.
const END_LIMIT: Duration = Duration::from_secs(5);
/// How long they may take after that. Then the connections are cut.
const KILL_LIMIT: Duration = Duration::from_secs(7);
/// How long hosts may take to answer an inquiry: a little longer than each gives its PEs.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// The variables that PEs on other hosts get besides those that the user names.
const PASSED_ON: [&[u8]; 3] = [b"CUSHMEM_", b"SHMEM_", b"FI_"];

/// The supervisor of a job on several hosts.
pub struct Head {
    args: &'static Args,
    job_id: String,
    console: Console,
    status_server: Option<StatusServer>,
    hosts: Vec<Remote>,
    rounds: Rounds,
    failures: Failures,
    /// When the answers to an inquiry must have come.
    inquiry: Option<Instant>,
    /// The exit status if the job could not be started.
    not_started: Option<u8>,
    ending: Option<Ending>,
    has_input: bool,
}

impl Head {
    /// Starts a launcher on each host.
    pub fn new(
        args: &'static Args,
        job_id: String,
        console: Console,
        status_server: Option<Result<StatusServer, String>>,
    ) -> Result<Head, String> {
        let pes: Vec<Vec<u32>> = pes_of(&args.hosts, args.options.map)
            .into_iter()
            .map(|pes| pes.into_iter().map(|(pe, _)| pe).collect())
            .collect();
        let status_server = console.take_status_server(status_server);
        for name in args.unset_variables() {
            console.say(&format!("-x {name}: the variable is not set"));
        }
        let own = std::env::current_exe().map_err(|error| format!("find the file of shmemrun: {error}"))?;
        let path = args.options.remote_path.as_ref().unwrap_or(&own);
        let failures = Failures::new().map_err(|error| format!("make a pipe: {error}"))?;
        let mut hosts = Vec::new();
        for (host, pes) in args.hosts.iter().zip(&pes) {
            let started = Remote::start(&host.name, pes.clone(), path, &failures);
            hosts.push(started.map_err(|error| format!("host {}: {error}", host.name))?);
        }
        let has_input = !std::io::stdin().is_terminal();
        let rounds = Rounds::new(pes);
        Ok(Head {
            args,
            job_id,
            console,
            status_server,
            hosts,
            rounds,
            failures,
            inquiry: None,
            not_started: None,
            ending: None,
            has_input,
        })
    }

    /// Runs the job and returns the exit status.
    pub fn run(mut self) -> Result<u8, String> {
        while !self.is_over() {
            self.turn();
        }
        self.clean_up();
        let all_went_well = if self.console.stdout_error().is_some() { crate::STATUS_LAUNCHER } else { 0 };
        let of_ending = self.ending.as_ref().map(|ending| ending.cause.status());
        Ok(self.not_started.or(of_ending).unwrap_or(all_went_well))
    }

    fn is_over(&self) -> bool {
        let killed_at = self.ending.as_ref().and_then(|ending| ending.killed_at);
        let gave_up = killed_at.is_some_and(|at| at.elapsed() > KILL_LIMIT) && !self.have_pes_ended();
        gave_up || self.hosts.iter().all(Remote::is_gone)
    }

    /// Whether only output is still to come.
    fn have_pes_ended(&self) -> bool {
        self.hosts.iter().all(|host| host.have_pes_ended || host.is_gone())
    }

    /// Does without the output that has not come.
    fn leave_output(&mut self) {
        for host in 0..self.hosts.len() {
            self.hosts[host].is_over = true;
            self.cut(host);
        }
    }

    /// Handles everything that has arrived.
    fn turn(&mut self) {
        self.wait();
        let arrived = signals::arrived(&self.console.signals);
        arrived.into_iter().for_each(|signal| self.take_signal(signal));
        self.reap();
        for host in 0..self.hosts.len() {
            self.hear(host);
        }
        if self.status_server.as_mut().is_some_and(StatusServer::serve) {
            self.inquire();
        }
        self.look_at_the_clock();
        self.conclude_inquiry();
    }

    /// Polls everything until a deadline, and hears the front.
    fn wait(&mut self) {
        let was_alone = self.ending.as_ref().is_some_and(|ending| ending.cause == Cause::FrontGone);
        let fds = [
            self.console.signals.as_fd(),
            self.failures.as_fd(),
            self.console.stdout.news(),
            self.console.stderr.news(),
        ];
        let fds = fds.into_iter().chain(self.hosts.iter().flat_map(Remote::polled));
        // With a closed socket, the poll would not wait.
        let fds = fds.chain((!was_alone).then(|| self.console.front.as_fd()));
        let mut polled: Vec<PollFd<'_>> = fds.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
        polled.extend(self.status_server.iter().flat_map(StatusServer::polled));
        if poll(&mut polled, self.poll_timeout()).is_err() {
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(polled);
        self.console.take_news();
        let (signals, front_is_gone) = self.console.hear_front();
        signals.into_iter().for_each(|signal| self.take_signal(signal));
        if front_is_gone && !was_alone {
            self.ending = None;
            self.end(Cause::FrontGone, vec![]);
            self.kill_pes();
        }
    }

    /// The time until the next deadline.
    fn poll_timeout(&self) -> PollTimeout {
        let ending = self.ending.as_ref();
        let ending_pes = ending.filter(|_| !self.have_pes_ended());
        let kill_at = ending_pes.filter(|ending| ending.killed_at.is_none()).map(|ending| ending.kill_at);
        let give_up_at = ending_pes.and_then(|ending| ending.killed_at).map(|at| at + KILL_LIMIT);
        let limit_at = self.console.time_limit.filter(|_| ending.is_none()).map(|(_, at)| at);
        let greets_until = self.hosts.iter().filter_map(Remote::greets_until).min();
        let hang_up_at = self.status_server.as_ref().and_then(StatusServer::next_limit);
        let all = [kill_at, give_up_at, limit_at, greets_until, hang_up_at, self.inquiry];
        all.into_iter().flatten().min().map_or(PollTimeout::NONE, timeout_until)
    }

    fn take_signal(&mut self, signal: Signal) {
        match signal {
            Signal::SIGCHLD => {}
            Signal::SIGTSTP => self.pass_on(Signal::SIGSTOP),
            ending if signals::ENDING.contains(&ending) => {
                let is_second = std::mem::replace(&mut self.console.was_signalled, true);
                if self.have_pes_ended() {
                    self.leave_output();
                } else if is_second {
                    self.end(Cause::SecondSignal { signal }, vec![]);
                    self.kill_pes();
                } else if self.hosts.iter().any(Remote::is_starting) {
                    let status = 128 + signal as i32;
                    let text = format!("{} came before all hosts had answered", signal.as_str());
                    self.cannot_start(text, status.to_le_bytes()[0]);
                } else {
                    self.pass_on(signal);
                }
            }
            other => self.pass_on(other),
        }
    }

    fn pass_on(&self, signal: Signal) {
        self.tell_all(&Frame::Signal(signal as i32));
    }

    fn tell_all(&self, frame: &Frame) {
        let bytes: Arc<[u8]> = frame.encode().into();
        self.hosts.iter().filter_map(Remote::link).for_each(|link| link.send_encoded(bytes.clone()));
    }

    fn send(&self, frames: Vec<Outgoing>) {
        for frame in frames {
            match frame {
                Outgoing::To(Side::Below(host), frame) => self.hosts[host].send(&frame),
                // There is no launcher above.
                Outgoing::To(Side::Above, _) => {}
                Outgoing::All(frame) => self.tell_all(&frame),
            }
        }
    }

    /// Reaps the programs that have ended, and orphans of them.
    fn reap(&mut self) {
        while let Some((process, error)) = self.failures.next() {
            if let Some(host) = self.hosts.iter().position(|host| host.process == Some(process)) {
                let name = &self.hosts[host].name;
                self.cannot_start(format!("host {name}: start the program that connects to it: {error}"), 1);
            }
        }
        // A status that nix cannot express, that of a real-time signal, is an error of a child that has been reaped.
        while !matches!(waitpid(None, Some(WaitPidFlag::WNOHANG)), Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD)) {}
        for host in &mut self.hosts {
            host.process = host.process.filter(|process| matches!(reap(*process), Ok(None)));
        }
    }

    /// Takes what has come from a host.
    fn hear(&mut self, host: usize) {
        match self.hosts[host].advance() {
            News::None => {}
            News::Greeted(link) => self.hand_over(host, &link),
            News::Failed(why) => {
                let name = &self.hosts[host].name;
                self.cannot_start(format!("host {name}: {why}"), crate::STATUS_LAUNCHER);
                self.cut(host);
            }
        }
        let stderr = self.console.stderr.clone();
        self.hosts[host].read_stderr(Some(&stderr));
        let Some(link) = self.hosts[host].link().cloned() else { return };
        for frame in link.receive() {
            if let Err(what) = self.take_frame(host, frame) {
                self.lose(host, format!("broke the protocol: {what}"));
            }
        }
        let outlets = [&self.console.stdout, &self.console.stderr];
        self.hosts[host].pass_output(outlets);
        match link.end() {
            None => {}
            // What connects to it may not notice that the host is cut off.
            Some(_) if self.hosts[host].is_over => self.cut(host),
            Some(End::Closed) => self.lose(host, "has gone: the connection to its shmemrun ended".to_owned()),
            Some(End::Silent) => {
                self.lose(host, format!("has not answered for {} s", super::link::SILENCE.as_secs()));
            }
            Some(End::Malformed(what)) => self.lose(host, format!("broke the protocol: {what}")),
        }
    }

    /// Sends a host the job.
    fn hand_over(&mut self, host: usize, link: &Link) {
        self.hosts[host].forget_early();
        let is_ending = self.ending.is_some() || self.not_started.is_some();
        if is_ending {
            // It finds the link closed when the program that connects it has been killed.
            return self.cut(host);
        }
        let part = Part { host, job_id: self.job_id.clone(), hosts: self.args.hosts.clone() };
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let named: Vec<&str> = self.args.passed_on_variables().collect();
        let is_passed_on = |name: &[u8]| {
            let is_own = name == cushmem_environment::SUPERVISOR_FD.name.as_bytes();
            let is_known = PASSED_ON.iter().any(|prefix| name.starts_with(prefix));
            !is_own && (is_known || named.iter().any(|given| given.as_bytes() == name))
        };
        let variables = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
        let gets_input = self.has_input && self.hosts[host].pes.first() == Some(&0);
        link.send(&Frame::Job(Job {
            part: part.to_string(),
            words: std::env::args_os().skip(1).map(OsStringExt::into_vec).collect(),
            folder: folder.as_os_str().as_bytes().to_vec(),
            variables: variables.filter(|(name, _)| is_passed_on(name)).collect(),
            has_input: gets_input,
        }));
        if gets_input {
            let link = link.clone();
            // It ends with this process: a read of a terminal or a pipe cannot be interrupted.
            let reader = std::thread::Builder::new().name("cushmem-input".into());
            if let Err(error) = reader.spawn(move || send_input(&link)) {
                self.console.say(&format!("PE 0 gets no standard input: {error}"));
            }
        }
    }

    /// The error says how the host broke the protocol.
    fn take_frame(&mut self, host: usize, frame: Frame) -> Result<(), String> {
        match frame {
            Frame::Gathered(gathered) => {
                let frames = self.rounds.gathered(host, gathered)?;
                self.send(frames);
            }
            Frame::Broken { reason } => {
                let frames = self.rounds.broken(Some(Side::Below(host)), reason);
                self.send(frames);
            }
            Frame::WhoIsLate { seq } => {
                let frames = self.rounds.who_is_late(Side::Below(host), seq);
                self.send(frames);
            }
            Frame::Late { seq, pes, since } => {
                let frames = self.rounds.late(Side::Below(host), seq, pes, since);
                self.send(frames);
            }
            Frame::Gone { pe } => {
                let others = self.hosts.iter().enumerate().filter(|(other, _)| *other != host);
                others.for_each(|(_, other)| other.send(&Frame::Gone { pe }));
            }
            Frame::Failed { cause, suspects } => {
                let pe = cause.pe().filter(|pe| self.hosts[host].pes.contains(pe));
                pe.ok_or_else(|| "it reported the failure of a PE that is not there".to_owned())?;
                self.end(cause, suspects);
            }
            Frame::NotStarted { status, message } => {
                let name = &self.hosts[host].name;
                self.cannot_start(format!("host {name}: {message}"), status);
            }
            Frame::Tail { pe, lines } => self.hosts[host].tail = Some((pe, lines)),
            Frame::States(lines) => self.hosts[host].states = Some(lines),
            Frame::Piece(stream @ (Standard::Out | Standard::Err), bytes) => {
                let outlet = if stream == Standard::Out { &self.console.stdout } else { &self.console.stderr };
                self.hosts[host].take_output(stream, &bytes, outlet)?;
            }
            Frame::Ended => self.hosts[host].have_pes_ended = true,
            Frame::Over { status } => {
                self.hosts[host].is_over = true;
                if status != 0 && self.ending.is_none() && self.not_started.is_none() {
                    self.lose(host, format!("has ended its PEs with status {status}"));
                }
            }
            other => return Err(format!("{other:?} is not a frame of a host")),
        }
        Ok(())
    }

    /// Ends the job because a host is lost.
    fn lose(&mut self, host: usize, how: String) {
        let Remote { name, pes, .. } = &self.hosts[host];
        let cause = Cause::HostLost { host: name.clone(), pes: pes.clone(), how };
        self.end(cause, vec![]);
        self.cut(host);
    }

    /// Kills the program that connects to a host.
    fn cut(&self, host: usize) {
        if let Some(process) = self.hosts[host].process {
            // It is a child that has not been reaped, so the number is its own.
            let _ = kill(process, Signal::SIGKILL);
        }
    }

    /// Starts to end the job. If it is ending already, the first cause counts, unless this one explains it.
    fn end(&mut self, cause: Cause, suspects: Vec<u32>) {
        if let Some(ending) = &mut self.ending {
            ending.suspects.extend(suspects);
            return ending.reconsider(cause);
        }
        let frame = Frame::End { status: cause.status() };
        // At the time limit, the PEs are killed when they have answered.
        if !matches!(cause, Cause::TimeLimit { .. }) {
            self.tell_all(&frame);
        }
        // The hosts that have not begun need not.
        (0..self.hosts.len()).filter(|host| self.hosts[*host].is_starting()).for_each(|host| self.cut(host));
        let kill_at = Instant::now() + GRACE;
        self.ending = Some(Ending { cause, kill_at, asked: false, killed_at: None, suspects, states: vec![] });
    }

    /// Reports that the job could not be started, which ends it. This counts before any other cause.
    fn cannot_start(&mut self, message: String, status: u8) {
        if self.not_started.is_none() && self.ending.is_none() {
            self.console.say(&message);
            self.not_started = Some(status);
            self.end(Cause::Elsewhere { status }, vec![]);
        }
    }

    fn kill_pes(&mut self) {
        self.tell_all(&Frame::Kill);
        if let Some(ending) = &mut self.ending {
            ending.killed_at.get_or_insert_with(Instant::now);
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        if let Some((limit, _)) = self.console.time_limit.filter(|(_, at)| now >= *at && self.ending.is_none()) {
            let is_running = |host: &&Remote| !host.have_pes_ended && !host.is_over;
            let mut running: Vec<u32> =
                self.hosts.iter().filter(is_running).flat_map(|host| host.pes.iter().copied()).collect();
            running.sort_unstable();
            let is_output_alone = running.is_empty();
            self.end(Cause::TimeLimit { limit, running, round: None }, vec![]);
            if is_output_alone {
                self.leave_output();
            } else {
                self.inquire();
            }
        }
        let is_waiting = !self.have_pes_ended();
        let may_kill = |ending: &&mut Ending| is_waiting && ending.killed_at.is_none() && now >= ending.kill_at;
        let Some(ending) = self.ending.as_mut().filter(may_kill) else {
            return;
        };
        let is_first = !std::mem::replace(&mut ending.asked, true);
        let is_told = !matches!(ending.cause, Cause::TimeLimit { .. });
        if is_first && is_told {
            // The hosts end their PEs by themselves.
            ending.kill_at = now + END_LIMIT;
        } else if is_told || self.inquiry.is_none() {
            self.kill_pes();
        } else {
            ending.kill_at = now + ANSWER_LIMIT;
        }
    }

    /// Asks all hosts what their PEs are waiting in.
    fn inquire(&mut self) {
        if self.inquiry.is_none() {
            self.inquiry = Some(Instant::now() + ANSWER_LIMIT);
            self.hosts.iter_mut().for_each(|host| host.states = None);
            self.tell_all(&Frame::Inquire);
        }
    }

    /// Ends the inquiry if all hosts have answered or it takes too long: answers the clients, and kills the PEs if it
    /// was for the time limit.
    fn conclude_inquiry(&mut self) {
        let Some(until) = self.inquiry else { return };
        let is_missing = |host: &Remote| host.states.is_none() && !host.is_over && host.link().is_some();
        if self.hosts.iter().any(is_missing) && Instant::now() < until {
            return;
        }
        self.inquiry = None;
        let of_host = |host: &Remote| -> Vec<String> {
            let name = &host.name;
            match &host.states {
                Some(lines) => lines.iter().map(|line| format!("host {name}, {line}")).collect(),
                None if host.is_over => vec![format!("host {name}: its PEs have ended")],
                None if host.is_starting() => vec![format!("host {name}: shmemrun has not answered yet")],
                None => vec![format!("host {name}: does not answer")],
            }
        };
        let states: Vec<String> = self.hosts.iter().flat_map(of_host).collect();
        if let Some(status_server) = &mut self.status_server {
            status_server.answer(&states);
        }
        if let Some(ending) = &mut self.ending
            && matches!(ending.cause, Cause::TimeLimit { .. })
            && ending.killed_at.is_none()
        {
            ending.states = states;
            self.kill_pes();
        }
    }

    /// Ends what is left on this machine, then reports.
    fn clean_up(&mut self) {
        let mut is_asked = false;
        let console = &self.console;
        processes::sweep(KILL_LIMIT, &[], || is_asked |= !console.hear_front().0.is_empty());
        self.console.was_signalled |= is_asked;
        for host in &mut self.hosts {
            host.finish_output([&self.console.stdout, &self.console.stderr]);
        }
        if let (Some(ending), None) = (&self.ending, self.not_started) {
            let tails = self.hosts.iter().filter_map(|host| host.tail.as_ref());
            let tail =
                tails.into_iter().find(|(pe, _)| ending.cause.pe() == Some(*pe)).map(|(_, lines)| lines.as_slice());
            self.console.report(ending, tail.unwrap_or_default());
        }
        if let Some(cause) = self.console.write_all_output(self.ending.is_none()) {
            self.end(cause, vec![]);
        }
        if let Some(error) = self.console.stdout_error() {
            self.console.say(&format!("write to stdout: {}", error.desc()));
            self.console.write_all_output(false);
        }
    }
}

/// Sends standard input to a host until it ends.
fn send_input(link: &Link) {
    let mut piece = [0; 16 * 1024];
    loop {
        let bytes = match std::io::stdin().lock().read(&mut piece) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Ok(bytes) => bytes,
            Err(_) => 0,
        };
        if bytes == 0 {
            return link.send(&Frame::Piece(Standard::In, vec![]));
        }
        let mut rest = &piece[..bytes];
        while !rest.is_empty() {
            match link.write(Standard::In, rest) {
                Ok(sent) => rest = &rest[sent..],
                Err(_) => return,
            }
        }
    }
}
