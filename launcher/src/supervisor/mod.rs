//! The third process: it starts the PEs, serves their rendezvous, relays their output, and ends the job.
//!
//! One thread runs one `poll` over the signals, the socket to the front, the PEs' sockets and pipes, and the news of
//! stdout and stderr. Nothing in the loop waits for a PE or for a reader: sockets and pipes are non-blocking, messages
//! that a PE does not take stay in its queue, and threads of their own write stdout and stderr.

mod console;
mod deaths;
mod ending;
mod exchange;
mod inquiry;
mod output;
mod records;
mod relay;
mod start;
mod status_server;
mod uplink;

use std::ffi::{CStr, OsStr};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use cushmem_bootstrap::FLUSH_LIMIT;
use cushmem_bootstrap::rendezvous::{Rendezvous, Stage};
use cushmem_bootstrap::socket::{Progress, SeqPacket, inherit_descriptor, timeout_until};
use cushmem_bootstrap::virtual_nodes;
use cushmem_bootstrap::wire::{MAX_MESSAGE_BYTES, Message, MessageKind};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};

use crate::args::{Args, BindTo};
use crate::host_list;
use crate::hosts;
use crate::outlet::Outlet;
use crate::spawn::Failures;
use crate::{binding, keeper, processes, signals, spawn};
pub use console::Console;
pub use ending::{Cause, Ending};
use inquiry::Inquiry;
pub use records::{Known, Records};
use relay::Stream;
use start::{StartError, Started, Template, foreground, new_job_id, raise_open_files};
pub use status_server::StatusServer;
pub use uplink::Uplink;

/// Time between a failure and the end of the other PEs, in which they can report what they saw of it. Then they are
/// asked to flush their output and end, and killed if they do not.
const GRACE: Duration = Duration::from_millis(100);
/// The time that takes the place of [`GRACE`] after a signal was passed on, so that PEs can finish handling it.
const GRACE_AFTER_SIGNAL: Duration = Duration::from_secs(2);
/// How long PEs may take to end when they are asked. Usually they take milliseconds.
const END_LIMIT: Duration = FLUSH_LIMIT.saturating_add(GRACE);
/// How long killed processes may take to end.
const KILL_LIMIT: Duration = Duration::from_secs(5);
/// How often to check everything else while PEs are being started.
const SERVE_EVERY: Duration = Duration::from_millis(10);
/// Why a host ends its PEs if its front has ended.
pub const FRONT_IS_GONE: &str = "its shmemrun was killed";
/// How often to retry sending descriptors when too many are in flight.
const RETRY: Duration = Duration::from_millis(10);

struct Pe {
    /// Its number in the job.
    number: u32,
    pid: Pid,
    socket: Option<SeqPacket>,
    /// Open as long as the supervisor lives. When it closes, the PE ends itself.
    lifeline: SeqPacket,
    /// Whether it was asked over the lifeline and has not answered yet.
    owes_answer: bool,
    stdout: Option<Stream>,
    stderr: Option<Stream>,
    has_ended: bool,
    /// Its virtual node, if there are several.
    node: Option<u32>,
}

struct Supervisor {
    /// Called by their index everywhere, and named by their number.
    pes: Vec<Pe>,
    rendezvous: Rendezvous,
    console: Console,
    status_server: Option<StatusServer>,
    inquiry: Option<Inquiry>,
    /// The PE in gdb, which has the terminal.
    gdb: Option<u32>,
    foreground: Option<Pid>,
    /// While PEs are being started: the signals that have been passed on, which PEs that start later are to get too.
    early_signals: Option<Vec<Signal>>,
    /// To the launcher that started the job, on a host of several.
    uplink: Option<Uplink>,
    /// What PEs have in common.
    template: Template<'static>,
    /// The exit status if a PE could not be started.
    not_started: Option<u8>,
    /// The exit status if what the PEs have recorded was not written, or not all of it.
    lost_records: Option<u8>,
    ending: Option<Ending>,
    buffer: Vec<u8>,
}

/// Runs the job and returns the exit status, in the supervisor and in its keeper, which is this process. `socket` is
/// the number of the inherited socket to the front.
pub fn run(args: &'static Args, socket: &OsStr) -> Result<u8, String> {
    let number = socket.to_str().and_then(|text| text.parse().ok()).ok_or("invalid number of the front's socket")?;
    // SAFETY: the front left this socket open for the supervisor, and this is the only place that takes it.
    let socket =
        unsafe { inherit_descriptor(number) }.map_err(|cause| format!("take over the socket to the front: {cause}"))?;
    let front = getppid();
    be_part_of_launcher(c"cushmem-keeper")?;
    let signals = signals::take()?;
    // Keeper and supervisor have process groups of their own, so they are always in the background.
    signals::write_from_background()?;
    // `--status` trusts a socket whose owner is a child of the front.
    let job_id = args.part.as_ref().map_or_else(new_job_id, |part| part.job_id.clone());
    // The launcher that started the job answers for all hosts.
    let status_server = if args.part.is_some() { None } else { Some(StatusServer::open(&job_id)) };
    let foreground = foreground();
    // SAFETY: no thread has been started.
    let supervisor = unsafe { spawn::divide() }.map_err(|error| format!("start the supervisor: {}", error.desc()))?;
    if let Some(supervisor) = supervisor {
        // They are open in the supervisor only, so that its end closes them.
        drop((socket, status_server));
        return Ok(keeper::run(supervisor, front, &signals));
    }
    let front = SeqPacket::from(socket);
    be_part_of_launcher(c"cushmem-superv")?;
    let open_files = raise_open_files()?;
    let link = args.part.is_some().then(hosts::link_to_launcher).transpose()?;
    let (stdout, stderr) = link.as_ref().map_or_else(Outlet::pair, Outlet::pair_over)?;
    let time_limit = args.options.timeout.map(|limit| (limit, Instant::now() + limit));
    let host = args.part.as_ref().map(|part| part.own().name.clone());
    let console = Console {
        signals,
        front,
        stdout,
        stderr,
        // The launcher that started the job looks at the clock for all hosts.
        time_limit: time_limit.filter(|_| args.part.is_none()),
        was_signalled: false,
        host,
    };
    let (input, to_input) = hosts::input_of(args)?;
    let uplink = link.zip(args.part.as_ref()).map(|(link, part)| Uplink::new(link, part.branch.host, to_input));
    if args.part.as_ref().map_or(!args.hosts.is_empty(), |part| !part.branch.behind.is_empty()) {
        return hosts::Head::new(args, job_id, console, status_server, uplink, input)?.run();
    }
    uplink.iter().for_each(|uplink| uplink.link().tell_time());
    let here = args.part.as_ref().map_or_else(|| args.n_pes(), |part| part.own().pes);
    let binding = binding::choose(here, args.options.bind_to == BindTo::Core, args.options.oversubscribe);
    let nodes = virtual_nodes::sizes(here, args.options.nodes);
    let has_nodes = nodes.len() > 1;
    let pes = match &args.part {
        Some(part) => host_list::pes_of(&part.hosts, args.options.map).swap_remove(part.branch.host),
        None => {
            let per_node = if has_nodes { &nodes } else { &binding.per_node };
            (0..).zip(args.options.map.places(here, per_node)).collect()
        }
    };
    let (unbound, oversubscribed) = (binding.note.clone(), binding.oversubscribed);
    let rendezvous = Rendezvous::part_of(args.n_pes(), &pes, &job_id, oversubscribed)
        .on_nodes(args.options.nodes)
        .on_host(args.part.as_ref().map_or(0, |part| part.branch.host as u32));
    let failures = Failures::new().map_err(|error| format!("make a pipe: {error}"))?;
    let records = Records::new(args, here)?;
    let template = Template { args, job_id, binding, pes, foreground, open_files, failures, input, records };
    let mut supervisor = Supervisor {
        pes: Vec::new(),
        rendezvous,
        console,
        uplink,
        status_server: None,
        inquiry: None,
        gdb: args.options.gdb,
        foreground,
        early_signals: Some(Vec::new()),
        template,
        not_started: None,
        lost_records: None,
        ending: None,
        buffer: vec![0; MAX_MESSAGE_BYTES],
    };
    if let Some(note) = unbound {
        supervisor.console.say(&note);
    }
    // The launcher that started the job has said it.
    for name in args.unset_variables().filter(|_| args.part.is_none()) {
        supervisor.console.say(&format!("-x {name}: the variable is not set"));
    }
    supervisor.status_server = supervisor.console.take_status_server(status_server);
    let mut served_at = Instant::now();
    for index in 0..here {
        if served_at.elapsed() >= SERVE_EVERY {
            supervisor.turn(PollTimeout::ZERO);
            served_at = Instant::now();
        }
        if supervisor.ending.is_some() || supervisor.not_started.is_some() {
            break;
        }
        match supervisor.template.start(index) {
            Ok(Started { pid, socket, lifeline, stdout, stderr }) => {
                let (socket, owes_answer, has_ended) = (Some(socket), false, false);
                let (number, place) = supervisor.template.pes[index as usize];
                let node = has_nodes.then(|| virtual_nodes::split(place, here, args.options.nodes).0);
                let new = Pe { number, pid, socket, lifeline, owes_answer, stdout, stderr, has_ended, node };
                for signal in supervisor.early_signals.iter().flatten() {
                    processes::signal_group(new.pid, *signal);
                }
                supervisor.pes.push(new);
            }
            Err(error) => supervisor.cannot_start(error),
        }
    }
    supervisor.early_signals = None;
    supervisor.template.input = None;
    Ok(supervisor.watch())
}

/// Gives this process the name that `ps` shows, makes it a child subreaper, and lets it continue if it is stopped when
/// its parent dies, so that it can end the job.
fn be_part_of_launcher(name: &CStr) -> Result<(), String> {
    let _ = prctl::set_name(name);
    prctl::set_child_subreaper(true).map_err(|error| format!("become a subreaper: {}", error.desc()))?;
    prctl::set_pdeathsig(Signal::SIGCONT).map_err(|error| format!("ask for a parent-death signal: {}", error.desc()))
}

impl Supervisor {
    /// Runs the loop until all PEs have ended or could not be ended.
    fn watch(&mut self) -> u8 {
        while !self.is_over() {
            self.turn(self.poll_timeout());
        }
        self.clean_up();
        let lost_output = self.console.stdout_error().map(|_| crate::STATUS_LAUNCHER);
        let all_went_well = lost_output.or(self.lost_records).unwrap_or(0);
        let of_ending = self.ending.as_ref().map(|ending| ending.cause.status());
        let status = self.not_started.or(of_ending).unwrap_or(all_went_well);
        self.uplink.iter().for_each(|uplink| uplink.leave(status));
        status
    }

    fn is_over(&self) -> bool {
        let gave_up = self.ending.as_ref().and_then(|e| e.killed_at).is_some_and(|at| at.elapsed() > KILL_LIMIT);
        gave_up || self.not_started.is_some() || self.pes.iter().all(|pe| pe.has_ended)
    }

    /// Reports that a PE could not be started, which ends the job. This counts before any other cause, which may be a
    /// consequence.
    fn cannot_start(&mut self, error: StartError) {
        if self.not_started.is_none() {
            let StartError { message, status } = &error;
            match &self.uplink {
                Some(uplink) => uplink.cannot_start(*status, message.clone()),
                None => self.console.say(message),
            }
            self.not_started = Some(error.status);
            self.ending = None;
        }
    }

    /// Looks whether a PE could not execute its program.
    fn take_failures(&mut self) {
        let failures = std::iter::from_fn(|| self.template.failures.next());
        // It is reaped after this.
        let index_of = |pid| self.pes.iter().position(|pe: &Pe| pe.pid == pid && !pe.has_ended);
        let failed = failures.filter_map(|(pid, error)| Some((index_of(pid)?, error)));
        // They report in any order.
        if let Some((index, error)) = failed.min_by_key(|(index, _)| *index) {
            let error = self.template.cannot_start(index as u32, &error);
            self.cannot_start(error);
        }
    }

    /// Handles everything that has arrived, or arrives within the timeout.
    fn turn(&mut self, timeout: PollTimeout) {
        let ready = self.wait(timeout);
        self.take_signals();
        self.leave_broken_stdout();
        self.take_failures();
        for pe in ready {
            self.take_messages(pe);
            self.take_answer(pe);
            self.relay_output(pe);
        }
        // A message from one PE may complete a round, which answers all of them.
        for pe in 0..self.pes.len() as u32 {
            self.send_messages(pe);
        }
        if self.status_server.as_mut().is_some_and(StatusServer::serve) {
            self.inquire();
        }
        self.serve_uplink();
        self.look_at_the_clock();
        self.conclude_inquiry();
    }

    /// Polls everything, and hears the front. Returns the indexes of the PEs that have sent something.
    fn wait(&mut self, timeout: PollTimeout) -> Vec<u32> {
        // The PE that each polled descriptor belongs to, after those of the job.
        let mut owners = vec![];
        let of_job = [self.console.signals.as_fd(), self.template.failures.as_fd()];
        let mut polled = of_job.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).to_vec();
        // With a closed socket, the poll would not wait.
        let was_alone = self.is_alone();
        polled.extend((!was_alone).then(|| PollFd::new(self.console.front.as_fd(), PollFlags::POLLIN)));
        // Of a link that has ended, there would be news for ever.
        let uplink = self.uplink.iter().filter(|_| !was_alone).flat_map(Uplink::polled);
        polled.extend(uplink.map(|fd| PollFd::new(fd, PollFlags::POLLIN)));
        let first = polled.len();
        for (index, pe) in (0u32..).zip(&self.pes) {
            if let Some(socket) = &pe.socket {
                let wants_out = self.rendezvous.next_outgoing(index).is_some();
                let out = if wants_out { PollFlags::POLLOUT } else { PollFlags::empty() };
                polled.push(PollFd::new(socket.as_fd(), PollFlags::POLLIN | out));
                owners.push(index);
            }
            let streams = [(pe.stdout.as_ref(), &self.console.stdout), (pe.stderr.as_ref(), &self.console.stderr)];
            for (stream, outlet) in streams {
                if let Some(stream) = stream.filter(|stream| stream.is_open() && !outlet.is_full()) {
                    polled.push(PollFd::new(stream.as_fd(), PollFlags::POLLIN));
                    owners.push(index);
                }
            }
            if pe.owes_answer && !pe.has_ended {
                polled.push(PollFd::new(pe.lifeline.as_fd(), PollFlags::POLLIN));
                owners.push(index);
            }
        }
        polled.extend(
            [&self.console.stdout, &self.console.stderr].map(|outlet| PollFd::new(outlet.news(), PollFlags::POLLIN)),
        );
        polled.extend(self.status_server.iter().flat_map(StatusServer::polled));
        match poll(&mut polled, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => std::thread::sleep(RETRY),
        }
        let ready: Vec<bool> = polled.iter().map(|fd| fd.any().unwrap_or(false)).collect();
        drop(polled);
        self.console.take_news();
        self.hear_front();
        let mut pes: Vec<u32> =
            owners.into_iter().zip(&ready[first..]).filter(|(_, is)| **is).map(|(pe, _)| pe).collect();
        pes.dedup();
        pes
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
        let kill_at = self.ending.as_ref().filter(|e| e.killed_at.is_none()).map(|e| e.kill_at);
        let give_up_at = self.ending.as_ref().and_then(|e| e.killed_at).map(|at| at + KILL_LIMIT);
        let limit_at = self.console.time_limit.filter(|_| self.ending.is_none()).map(|(_, at)| at);
        let has_unsent = (0..self.pes.len() as u32).any(|pe| self.rendezvous.next_outgoing(pe).is_some());
        let retry_at = has_unsent.then(|| Instant::now() + RETRY);
        let answers_at = self.inquiry.as_ref().map(|inquiry| inquiry.until);
        let hang_up_at = self.status_server.as_ref().and_then(StatusServer::next_limit);
        let all = [kill_at, give_up_at, limit_at, retry_at, answers_at, hang_up_at];
        all.into_iter().flatten().min().map_or(PollTimeout::NONE, timeout_until)
    }

    fn take_signals(&mut self) {
        signals::arrived(&self.console.signals).into_iter().for_each(|signal| self.take_signal(signal));
    }

    fn take_signal(&mut self, signal: Signal) {
        match signal {
            Signal::SIGCHLD => {
                self.reap();
                self.stop_with_gdb();
            }
            Signal::SIGCONT => {
                self.go_on_with_gdb();
                self.pass_on(Signal::SIGCONT);
            }
            Signal::SIGTSTP => self.pass_on(Signal::SIGSTOP),
            ending if signals::ENDING.contains(&ending) => {
                if std::mem::replace(&mut self.console.was_signalled, true) {
                    self.end(Cause::SecondSignal { signal });
                    self.kill_pes();
                } else {
                    self.pass_on(signal);
                    self.wake_stopped();
                }
            }
            other => self.pass_on(other),
        }
    }

    fn pass_on(&mut self, signal: Signal) {
        // A PE that starts later has no handler yet for the signals whose meaning the program defines.
        self.early_signals
            .iter_mut()
            .filter(|_| !signals::PLAIN.contains(&signal))
            .for_each(|early| early.push(signal));
        for pe in self.pes.iter().filter(|pe| !pe.has_ended) {
            processes::signal_group(pe.pid, signal);
        }
    }

    /// Continues stopped PEs, which could not take the signal that ends them. If no other PE is left, nothing else
    /// would end the job.
    fn wake_stopped(&self) {
        for pe in self.pes.iter().filter(|pe| !pe.has_ended && processes::is_stopped(pe.pid)) {
            processes::signal_group(pe.pid, Signal::SIGCONT);
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        if let Some((limit, _)) = self.console.time_limit.filter(|(_, at)| now >= *at && self.ending.is_none()) {
            let running: Vec<u32> = self.pes.iter().filter(|pe| !pe.has_ended).map(|pe| pe.number).collect();
            if !running.is_empty() {
                let round = self.rendezvous.describe_open_round();
                self.end(Cause::TimeLimit { limit, running, round });
                // The PEs are killed once they have answered.
                self.inquire();
            }
        }
        let Some(ending) = self.ending.as_mut().filter(|e| e.killed_at.is_none() && now >= e.kill_at) else { return };
        // Other ends must not take longer.
        let has_failed = ending.cause.pe().is_some() || matches!(ending.cause, Cause::Elsewhere { .. });
        if has_failed && !std::mem::replace(&mut ending.asked, true) {
            ending.kill_at = now + END_LIMIT;
            let status = ending.cause.status();
            self.ask_to_end(status);
        } else {
            self.kill_pes();
        }
    }

    /// Asks the PEs to flush their output and end with this status. Kills those that cannot hear it: they have not
    /// joined, or are stopped.
    fn ask_to_end(&self, status: u8) {
        let message = Message { value: status.into(), ..Message::new(MessageKind::Abort, 0) }.encode();
        for (index, pe) in (0u32..).zip(&self.pes).filter(|(_, pe)| !pe.has_ended) {
            let hears = self.rendezvous.stage(index) != Stage::Silent && !processes::is_stopped(pe.pid);
            if !hears || !matches!(pe.lifeline.try_send(&message, None), Ok(Progress::Done(()))) {
                processes::signal_group(pe.pid, Signal::SIGKILL);
            }
        }
    }

    /// Starts to end the job. If it is ending already, the first cause counts.
    fn end(&mut self, cause: Cause) {
        let dying = self.pes.iter().filter(|pe| !pe.has_ended && pe.socket.is_none());
        let suspects: Vec<u32> = dying.map(|pe| pe.number).collect();
        self.report(&cause, &suspects);
        if let Some(ending) = &mut self.ending {
            return ending.reconsider(cause);
        }
        let grace = match cause {
            // The inquiry ends earlier, and the PEs are killed then.
            Cause::TimeLimit { .. } => inquiry::ANSWER_LIMIT + GRACE,
            _ if self.console.was_signalled => GRACE_AFTER_SIGNAL,
            _ => GRACE,
        };
        let kill_at = Instant::now() + grace;
        self.ending = Some(Ending { cause, kill_at, asked: false, killed_at: None, suspects, states: vec![] });
    }

    fn kill_pes(&mut self) {
        self.pass_on(Signal::SIGKILL);
        if let Some(ending) = &mut self.ending {
            ending.killed_at.get_or_insert_with(Instant::now);
        }
    }
}
