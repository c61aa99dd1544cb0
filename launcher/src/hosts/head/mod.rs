//! The supervisor of a job on several hosts, on the machine where the user started `shmemrun`, and on each host with
//! others behind it. Its children are the programs that connect it to hosts. On a host, one of them is the launcher of
//! the PEs there, and the head does not decide why the job ends: it reports to the launcher above what it hears from
//! below, ends what is below if something there fails, and does what the one above says.

mod above;
mod below;
mod recorded;

use std::io::IsTerminal;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};

use cushmem_bootstrap::socket::timeout_until;

use super::frame::{Frame, NotStarted};
use super::remote::{Remote, is_here};
use super::rounds::{Outgoing, Rounds, Side};
use crate::args::Args;
use crate::host_list::{Branch, branches, height, pes_of};
use crate::spawn::{Failures, reap};
use crate::supervisor::{Cause, Console, Ending, FRONT_IS_GONE, Records, StatusServer, Uplink};
use crate::{processes, signals};
use recorded::Recorded;

/// Time between a failure and the moment from which nothing that follows can be its reason.
const GRACE: Duration = Duration::from_millis(300);
/// How long hosts may take to end their PEs before they are told to kill them.
const END_LIMIT: Duration = Duration::from_secs(5);
/// How long they may take after that. Then the connections are cut.
const KILL_LIMIT: Duration = Duration::from_secs(7);
/// How much longer a launcher waits for the answers to an inquiry than those below it.
const ANSWER_STEP: Duration = Duration::from_millis(500);

/// How long the hosts have, at the time limit, to end when their records have come.
const FETCHED: Duration = Duration::from_secs(1);

/// The supervisor of a job on several hosts.
pub struct Head {
    args: &'static Args,
    job_id: String,
    console: Console,
    status_server: Option<StatusServer>,
    /// To the launcher above, on a host with others behind it.
    uplink: Option<Uplink>,
    /// The launchers below.
    remotes: Vec<Remote>,
    /// By host of the job: the numbers of its PEs.
    pes: Vec<Vec<u32>>,
    rounds: Rounds,
    failures: Failures,
    /// When the answers to an inquiry must have come.
    inquiry: Option<Instant>,
    /// How long they may take.
    answer_limit: Duration,
    /// Why the job could not be started.
    not_started: Option<NotStarted>,
    ending: Option<Ending>,
    /// The last lines of PEs that have failed.
    tails: Vec<(u32, Vec<String>)>,
    /// Standard input for PE 0, until its host gets it.
    input: Option<OwnedFd>,
    /// Whether somebody reads standard output.
    has_reader: bool,
    /// What the PEs of all hosts record, at the launcher that the user started.
    recorded: Option<Recorded>,
    /// Questions for the time of hosts, by their numbers, whose launchers have not got the job.
    early: Vec<(usize, Frame)>,
    /// The exit status if what the PEs have recorded was not written, or not all of it.
    lost_records: Option<u8>,
}

impl Head {
    /// Starts the launchers below. `uplink` leads to the one above, and `input` is what comes of standard input from
    /// there.
    pub fn new(
        args: &'static Args,
        job_id: String,
        console: Console,
        status_server: Option<Result<StatusServer, String>>,
        uplink: Option<Uplink>,
        input: Option<OwnedFd>,
    ) -> Result<Head, String> {
        let numbers = |pes: Vec<(u32, u32)>| pes.into_iter().map(|(pe, _)| pe).collect();
        let pes: Vec<Vec<u32>> = pes_of(&args.hosts, args.options.map).into_iter().map(numbers).collect();
        let status_server = console.take_status_server(status_server);
        // The launcher that the user started has said it.
        for name in args.unset_variables().filter(|_| args.part.is_none()) {
            console.say(&format!("-x {name}: the variable is not set"));
        }
        let records = if args.part.is_none() { Records::without_pes(args, args.n_pes())? } else { None };
        let has_timeline = args.options.trace.is_some();
        let recorded = records.map(|records| Recorded::new(records, has_timeline, args.hosts.len()));
        let own = std::env::current_exe().map_err(|error| format!("find the file of shmemrun: {error}"))?;
        let there = args.options.remote_path.as_ref().unwrap_or(&own);
        let failures = Failures::new().map_err(|error| format!("make a pipe: {error}"))?;
        let mut remotes = Vec::new();
        for (branch, is_here) in launchers_below(args) {
            // The launcher of this host's own PEs is this one once more.
            let path = if is_here && args.part.is_some() { &own } else { there };
            let name = &args.hosts[branch.host].name;
            let hosts = std::iter::once(&branch.host).chain(&branch.behind);
            let mut of_branch: Vec<u32> = hosts.flat_map(|host| pes[*host].iter().copied()).collect();
            of_branch.sort_unstable();
            let started = Remote::start(name, branch, of_branch, path, is_here, &failures);
            remotes.push(started.map_err(|error| format!("host {name}: {error}"))?);
        }
        let height_of = |remote: &Remote| 1 + height(remote.branch.behind.len(), args.options.fan_out as usize);
        let answer_limit = ANSWER_STEP * (1 + remotes.iter().map(height_of).max().unwrap_or(0));
        let pes_below = remotes.iter().map(|remote| remote.pes.clone()).collect();
        let rounds = if uplink.is_some() { Rounds::below_another(pes_below) } else { Rounds::new(pes_below) };
        let stdin = std::io::stdin();
        let input = if uplink.is_some() || stdin.is_terminal() {
            input
        } else {
            Some(stdin.as_fd().try_clone_to_owned().map_err(|error| format!("copy standard input: {error}"))?)
        };
        Ok(Head {
            args,
            job_id,
            console,
            status_server,
            uplink,
            remotes,
            pes,
            rounds,
            failures,
            inquiry: None,
            answer_limit,
            not_started: None,
            ending: None,
            tails: vec![],
            input,
            has_reader: true,
            recorded,
            early: vec![],
            lost_records: None,
        })
    }

    /// Runs the job and returns the exit status.
    pub fn run(mut self) -> Result<u8, String> {
        while !self.is_over() {
            self.turn();
        }
        self.clean_up();
        let lost_output = self.console.stdout_error().map(|_| crate::STATUS_LAUNCHER);
        let all_went_well = lost_output.or(self.lost_records).unwrap_or(0);
        let of_ending = self.ending.as_ref().map(|ending| ending.cause.status());
        let not_started = self.not_started.as_ref().map(|why| why.status);
        let status = not_started.or(of_ending).unwrap_or(all_went_well);
        self.uplink.iter().for_each(|uplink| uplink.leave(status));
        Ok(status)
    }

    fn is_over(&self) -> bool {
        let killed_at = self.ending.as_ref().and_then(|ending| ending.killed_at);
        let gave_up = killed_at.is_some_and(|at| at.elapsed() > KILL_LIMIT) && !self.have_pes_ended();
        gave_up || self.remotes.iter().all(Remote::is_gone)
    }

    /// Whether only output is still to come.
    fn have_pes_ended(&self) -> bool {
        self.remotes.iter().all(Remote::have_pes_ended)
    }

    /// Does without the output that has not come.
    fn leave_output(&mut self) {
        for remote in 0..self.remotes.len() {
            self.remotes[remote].is_over = true;
            self.cut(remote);
        }
    }

    /// Handles everything that has arrived.
    fn turn(&mut self) {
        self.wait();
        let arrived = signals::arrived(&self.console.signals);
        arrived.into_iter().for_each(|signal| self.take_signal(signal));
        self.reap();
        for remote in 0..self.remotes.len() {
            self.hear(remote);
        }
        self.hear_above();
        if self.status_server.as_mut().is_some_and(StatusServer::serve) {
            self.inquire();
        }
        self.look_at_the_clock();
        self.compare_again();
        self.fetch();
        self.conclude_inquiry();
    }

    /// Polls everything until a deadline, and hears the front.
    fn wait(&mut self) {
        let was_alone = self.is_alone();
        let fds = [
            self.console.signals.as_fd(),
            self.failures.as_fd(),
            self.console.stdout.news(),
            self.console.stderr.news(),
        ];
        let fds = fds.into_iter().chain(self.remotes.iter().flat_map(Remote::polled));
        // With a closed socket or link, the poll would not wait.
        let fds = fds.chain((!was_alone).then(|| self.console.front.as_fd()));
        let fds = fds.chain(self.uplink.iter().filter(|_| !was_alone).flat_map(Uplink::polled));
        let mut polled: Vec<PollFd<'_>> = fds.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
        polled.extend(self.status_server.iter().flat_map(StatusServer::polled));
        if poll(&mut polled, self.poll_timeout()).is_err() {
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(polled);
        self.console.take_news();
        self.hear_front();
    }

    /// Whether nobody is left who keeps the job together.
    fn is_alone(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| ending.cause == Cause::FrontGone)
    }

    /// Takes the front's signals, and ends the job if the front has ended.
    fn hear_front(&mut self) {
        let was_alone = self.is_alone();
        let (signals, front_is_gone) = self.console.hear_front();
        signals.into_iter().for_each(|signal| self.take_signal(signal));
        if front_is_gone && !was_alone {
            self.give_up(FRONT_IS_GONE);
        }
    }

    /// The time until the next deadline.
    fn poll_timeout(&self) -> PollTimeout {
        let ending = self.ending.as_ref();
        let ending_pes = ending.filter(|_| !self.have_pes_ended());
        let kill_at = ending_pes.filter(|ending| ending.killed_at.is_none()).map(|ending| ending.kill_at);
        let give_up_at = ending_pes.and_then(|ending| ending.killed_at).map(|at| at + KILL_LIMIT);
        let limit_at = self.console.time_limit.filter(|_| ending.is_none()).map(|(_, at)| at);
        let greets_until = self.remotes.iter().filter_map(Remote::greets_until).min();
        let hang_up_at = self.status_server.as_ref().and_then(StatusServer::next_limit);
        let compare_at = self.recorded.as_ref().and_then(Recorded::next);
        let all = [kill_at, give_up_at, limit_at, greets_until, hang_up_at, compare_at, self.inquiry];
        all.into_iter().flatten().min().map_or(PollTimeout::NONE, timeout_until)
    }

    fn take_signal(&mut self, signal: Signal) {
        match signal {
            Signal::SIGCHLD => {}
            Signal::SIGTSTP => self.pass_on(Signal::SIGSTOP),
            ending if signals::ENDING.contains(&ending) => {
                let is_second = std::mem::replace(&mut self.console.was_signalled, true);
                if self.have_pes_ended() {
                    self.stop_fetching((128 + signal as i32).to_le_bytes()[0]);
                    self.leave_output();
                } else if is_second {
                    self.end(Cause::SecondSignal { signal }, vec![]);
                    self.kill_pes();
                } else {
                    self.pass_on_to_all(signal);
                }
            }
            other => self.pass_on(other),
        }
    }

    /// Passes on a signal that asks for the end of the job, which no PE may miss.
    fn pass_on_to_all(&mut self, signal: Signal) {
        // If the job ends already, those that have not greeted are cut off.
        if self.ending.is_none() && self.remotes.iter().any(Remote::is_starting) {
            let status = 128 + signal as i32;
            let message = format!("{} came before all hosts had answered", signal.as_str());
            self.cannot_start(NotStarted { host: None, status: status.to_le_bytes()[0], message });
        } else {
            self.pass_on(signal);
        }
    }

    fn pass_on(&self, signal: Signal) {
        self.tell_all(&Frame::Signal(signal as i32));
    }

    fn tell_all(&self, frame: &Frame) {
        let bytes: Arc<[u8]> = frame.encode().into();
        self.remotes.iter().filter_map(Remote::link).for_each(|link| link.send_encoded(bytes.clone()));
    }

    fn send(&self, frames: Vec<Outgoing>) {
        for frame in frames {
            match frame {
                Outgoing::To(Side::Below(remote), frame) => self.remotes[remote].send(&frame),
                Outgoing::To(Side::Above, frame) => self.tell_above(&frame),
                Outgoing::All(frame) => self.tell_all(&frame),
            }
        }
    }

    /// Reaps the programs that have ended, and orphans of them.
    fn reap(&mut self) {
        while let Some((process, error)) = self.failures.next() {
            if let Some(remote) = self.remotes.iter().find(|remote| remote.process == Some(process)) {
                self.cannot_connect(remote.branch.host, format!("start the program that connects to it: {error}"));
            }
        }
        // A status that nix cannot express, that of a real-time signal, is an error of a child that has been reaped.
        while !matches!(waitpid(None, Some(WaitPidFlag::WNOHANG)), Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD)) {}
        for remote in &mut self.remotes {
            remote.process = remote.process.filter(|process| matches!(reap(*process), Ok(None)));
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
        // Those that have not begun need not.
        (0..self.remotes.len())
            .filter(|remote| self.remotes[*remote].is_starting())
            .for_each(|remote| self.cut(remote));
        let kill_at = Instant::now() + GRACE;
        self.ending = Some(Ending { cause, kill_at, asked: false, killed_at: None, suspects, states: vec![] });
    }

    /// Tells the launcher above why this one ends what is below it, and does it.
    fn give_up(&mut self, why: &str) {
        if let (Some(uplink), Some(part)) = (&self.uplink, &self.args.part) {
            uplink.give_up(&(why.to_owned() + &self.behind(&part.branch)));
        }
        self.end_alone();
    }

    /// Ends the job because there is nobody left who keeps it together.
    fn end_alone(&mut self) {
        if !self.is_alone() {
            self.ending = None;
            self.end(Cause::FrontGone, vec![]);
            self.kill_pes();
        }
    }

    /// Ends the job because there is no launcher on a host. If the job ends already, it is this one that has cut the
    /// connection: of several hosts that cannot be reached, the one whose connection fails first is named.
    fn cannot_connect(&mut self, host: usize, message: String) {
        if self.ending.is_none() {
            self.cannot_start(NotStarted { host: Some(host as u32), status: crate::STATUS_LAUNCHER, message });
        }
    }

    /// Ends the job because it could not be started. Of several hosts that say so, the first one in the list counts, in
    /// whichever order they come.
    fn cannot_start(&mut self, why: NotStarted) {
        // The launcher above chooses.
        self.tell_above(&Frame::NotStarted(why.clone()));
        let is_first = self.ending.is_none();
        let counts = self.not_started.as_ref().map_or(is_first, |known| why.counts_instead_of(known));
        if counts {
            let status = why.status;
            self.not_started = Some(why);
            if is_first {
                self.end(Cause::Elsewhere { status }, vec![]);
            }
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
        if self.have_pes_ended() && self.is_fetching() {
            // As on one machine, the limit is for PEs and output, not for what was recorded.
            self.console.time_limit = self.console.time_limit.map(|(limit, at)| (limit, at.max(now + FETCHED)));
        }
        if let Some((limit, _)) = self.console.time_limit.filter(|(_, at)| now >= *at && self.ending.is_none()) {
            let hosts = self.remotes.iter().filter(|remote| !remote.is_over).flat_map(|remote| &remote.running);
            let mut running: Vec<u32> = hosts.flat_map(|host| self.pes[*host].iter().copied()).collect();
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
            ending.kill_at = now + self.answer_limit;
        }
    }

    /// Asks all hosts what their PEs are waiting in.
    fn inquire(&mut self) {
        if self.inquiry.is_none() {
            self.inquiry = Some(Instant::now() + self.answer_limit);
            self.remotes.iter_mut().for_each(|remote| remote.states = None);
            self.tell_all(&Frame::Inquire);
        }
    }

    /// Ends the inquiry if all hosts have answered or it takes too long: answers whoever has asked, and kills the PEs
    /// if it was for the time limit.
    fn conclude_inquiry(&mut self) {
        let Some(until) = self.inquiry else { return };
        let is_missing = |remote: &Remote| remote.states.is_none() && !remote.is_over && remote.link().is_some();
        if self.remotes.iter().any(is_missing) && Instant::now() < until {
            return;
        }
        self.inquiry = None;
        let of_remote = |remote: &Remote| -> Vec<String> {
            let what = match &remote.states {
                Some((lines, _)) => return lines.clone(),
                None if remote.is_over => "its PEs have ended",
                None if remote.is_starting() => "shmemrun has not answered yet",
                None => "does not answer",
            };
            remote.hosts().map(|host| format!("host {}: {what}", self.args.hosts[host].name)).collect()
        };
        let states: Vec<String> = self.remotes.iter().flat_map(of_remote).collect();
        let uncounted_of = |remote: &Remote| match &remote.states {
            Some((_, uncounted)) => uncounted.clone(),
            None if remote.is_over => vec![],
            None => remote.pes.clone(),
        };
        let uncounted: Vec<u32> = self.remotes.iter().flat_map(uncounted_of).collect();
        if let Some(status_server) = &mut self.status_server {
            let counts = self.recorded.as_ref().map(|recorded| recorded.so_far(self.args.n_pes(), &uncounted));
            status_server.answer(&states.iter().cloned().chain(counts.unwrap_or_default()).collect::<Vec<_>>());
        }
        self.tell_above(&Frame::States { lines: states.clone(), uncounted });
        if let Some(ending) = &mut self.ending
            && matches!(ending.cause, Cause::TimeLimit { .. })
            && ending.killed_at.is_none()
        {
            ending.states = states;
            self.kill_pes();
        }
    }

    /// Ends what is left on this machine, then says why the job has ended, and what the PEs have recorded.
    fn clean_up(&mut self) {
        let mut is_asked = false;
        let console = &self.console;
        processes::sweep(KILL_LIMIT, &[], || is_asked |= !console.hear_front().0.is_empty());
        self.console.was_signalled |= is_asked;
        for remote in &mut self.remotes {
            remote.finish_output([&self.console.stdout, &self.console.stderr]);
        }
        if let (Some(NotStarted { host, message, .. }), None) = (&self.not_started, &self.uplink) {
            let host = host.map(|host| format!("host {}: ", self.args.hosts[host as usize].name)).unwrap_or_default();
            self.console.say(&format!("{host}{message}"));
        }
        if let (Some(ending), None, None) = (&self.ending, &self.not_started, &self.uplink) {
            let tail = self.tails.iter().find(|(pe, _)| ending.cause.pe() == Some(*pe));
            self.console.report(ending, tail.map(|(_, lines)| lines.as_slice()).unwrap_or_default());
        }
        self.print_records();
        if let Some(cause) = self.console.write_all_output(self.ending.is_none()) {
            self.end(cause, vec![]);
        }
        if let Some(error) = self.console.stdout_error() {
            self.console.say(&format!("write to stdout: {}", error.desc()));
            self.console.write_all_output(false);
        }
    }
}

/// The launchers that this one has to start, in the order of their hosts, and whether each is on this machine, which
/// needs no ssh: on a host, the one of the PEs there; otherwise those that the user means by a name of this machine.
fn launchers_below(args: &Args) -> Vec<(Branch, bool)> {
    let (here, others): (Vec<usize>, Vec<usize>) = match &args.part {
        Some(part) => (vec![part.branch.host], part.branch.behind.clone()),
        None => (0..args.hosts.len()).partition(|host| is_here(&args.hosts[*host].name)),
    };
    let here = here.into_iter().map(|host| (Branch { host, behind: vec![] }, true));
    let others = branches(&others, args.options.fan_out as usize).into_iter().map(|branch| (branch, false));
    let mut all: Vec<(Branch, bool)> = here.chain(others).collect();
    all.sort_by_key(|(branch, _)| branch.host);
    all
}
