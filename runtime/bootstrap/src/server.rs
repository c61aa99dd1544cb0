//! Keeps together a job that no launcher of ours has started. A thread of one of the job's processes does for the
//! rendezvous what `shmemrun` does for its PEs.
//!
//! Each PE connects twice: for rounds, and for the lifeline. The thread feeds messages to [`Rendezvous`] and sends its
//! answers. It never waits for a PE, so a stopped PE delays only those that need it.
//!
//! | what happens | what follows |
//! |---|---|
//! | a PE's connection for rounds closes before finalize | the thread tells all others over their lifelines, and each ends with status 1 and a line that names the PE |
//! | a PE aborts | the same, with the PE's status |
//! | this process ends before finalize | all lifelines close, which ends the other PEs |
//! | all PEs have finalized | the thread says so over the lifelines, and ends when all connections have closed; that of a unique id waits for the next job instead |
//!
//! Anybody on the machine can connect to a TCP port. A connection without a greeting, which shows that its other end
//! has the secret, costs one descriptor and a few bytes, and only for a while: there are at most [`max_strangers`] of
//! them, and the oldest makes room for the next. A connection with a greeting, from a PE that may be slow, does not:
//! it has a limit of its own ([`MAX_GREETED`]), which only greetings that somebody has recorded and repeats can reach.
//!
//! The process may exit as soon as it has finalized or aborted, so before that it waits until everybody has been told
//! ([`Server::wait_until_told`]).

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::descriptors::{max_strangers, room_for};
use crate::members::{Connected, Members};
use crate::rendezvous::{Request, Stage};
use crate::said::ended_by;
use crate::socket::{MessageSocket, Progress, SeqPacket, timeout_until};
use crate::unique_id::NONCE_BYTES;
use crate::wire::{MAX_MESSAGE_BYTES, Message, MessageKind};
use cushmem_environment::MAX_PES;

/// How long a new connection may take for its greeting, and again for its proof. After that it stays open until the
/// other end closes it: a PE may be stopped for any time.
pub(crate) const PROOF_LIMIT: Duration = Duration::from_secs(10);
/// The most connections with a greeting whose proof is outstanding. They are bounded because somebody may have recorded
/// greetings. Of a large job more PEs may connect at once; those that are dropped connect again.
const MAX_GREETED: usize = 2048;
/// A connection is not dropped for another before this time has passed; until then, others wait in the listener's
/// queue. A PE sends its greeting as soon as it is connected, which is before it is accepted here.
const GREETING_TIME: Duration = Duration::from_millis(5);
/// How long a process that keeps its job together waits until all PEs have been told of the end.
pub(crate) const TELL_LIMIT: Duration = Duration::from_secs(5);
/// How many messages of one PE are taken before it is the others' turn. Usually only a few are waiting.
const MAX_MESSAGES_A_TURN: usize = 64;
/// The longest reason for an early end, in bytes.
const MAX_REASON_BYTES: usize = 8 * 1024;
/// The pause before a retry when the operating system has run out of something.
const RETRY: Duration = Duration::from_millis(1);

/// Where connections come from.
pub(crate) trait Listener: AsFd + Send + 'static {
    /// A connection whose other end has proved that it belongs to the job.
    type Socket: MessageSocket + 'static;
    /// A connection whose proof is still outstanding.
    type Pending: AsFd + Send + 'static;

    /// The next connection, without waiting.
    fn accept(&self) -> io::Result<Option<Self::Pending>>;

    /// Continues the proof, without waiting. `Closed` if it has failed.
    fn prove(&self, pending: &mut Self::Pending) -> Progress<()>;

    /// The greeting's random bytes, once it has come. They show that the other end is no stranger, unless it repeats
    /// somebody else's greeting.
    fn greeting(_: &Self::Pending) -> Option<[u8; NONCE_BYTES]> {
        None
    }

    /// The connection after the proof.
    fn proved(pending: Self::Pending) -> Self::Socket;
}

/// A handle to the thread, for the process in which it runs.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    told: Arc<Told>,
    /// Which of the thread's jobs the handle is about.
    job: u64,
}

#[derive(Debug, Default)]
struct Told {
    /// The number of jobs of whose end everybody has been told.
    jobs: Mutex<u64>,
    changed: Condvar,
}

impl Server {
    /// Starts the thread. `size` is the number of PEs if it is known; otherwise the first PE that joins gives it. With
    /// `no_more`, the thread keeps one job after the other together until there is a message in this socket.
    pub(crate) fn start(
        listener: impl Listener,
        job_id: String,
        size: Option<u32>,
        no_more: Option<SeqPacket>,
    ) -> io::Result<Server> {
        let server = Server { told: Arc::default(), job: 0 };
        let told = server.clone();
        if let Some(n_pes) = size {
            room_for(n_pes).map_err(io::Error::other)?;
        }
        let thread = Builder::new().name("cushmem-server".into()).stack_size(256 * 1024);
        cushmem_thread::start(thread, move || {
            let mut job = Job::new(listener, job_id, told, no_more);
            if let Some(n_pes) = size {
                job.members = Some(Members::new(n_pes, &job.job_id));
            }
            job.serve();
        })?;
        Ok(server)
    }

    /// Waits until all PEs have been told that the job is over, or the limit has passed.
    pub(crate) fn wait_until_told(&self, limit: Duration) {
        drop(self.told.changed.wait_timeout_while(self.jobs(), limit, |jobs| *jobs <= self.job));
    }

    /// Whether this has happened for any job.
    pub(crate) fn has_told(&self) -> bool {
        *self.jobs() > 0
    }

    /// The handle for a PE of this process, which has just joined.
    pub(crate) fn of_this_job(&self) -> Server {
        // All jobs before this one are over.
        let job = *self.jobs();
        Server { told: self.told.clone(), job }
    }

    fn jobs(&self) -> MutexGuard<'_, u64> {
        self.told.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that everybody has been told of the end of this job.
    fn tell(&self) {
        *self.jobs() = self.job + 1;
        self.told.changed.notify_all();
    }
}

struct Job<L: Listener> {
    listener: L,
    job_id: String,
    /// `None` until the number of PEs is known.
    members: Option<Members<L::Socket>>,
    /// Connections without a greeting, the oldest first.
    strangers: VecDeque<Arrival<L::Pending>>,
    /// Connections with a greeting whose proof has not ended, the oldest first.
    greeted: VecDeque<Arrival<L::Pending>>,
    max_strangers: usize,
    max_greeted: usize,
    /// Connections that have proved that they belong to the job, but have not said to which PE.
    arrivals: Vec<Arrival<L::Socket>>,
    /// Connections for the next job, with their first messages, that came before the last one was over.
    early: Vec<(L::Socket, Vec<u8>)>,
    ending: Option<Ending>,
    /// The handle for the current job.
    told: Server,
    /// There is a message in it once no other job follows.
    no_more: Option<SeqPacket>,
}

/// A connection that has not identified its PE.
struct Arrival<S> {
    socket: S,
    since: Instant,
    /// Whether it had something to read when the thread last waited.
    is_ready: bool,
}

impl<S> Arrival<S> {
    fn new(socket: S, is_ready: bool) -> Self {
        Arrival { socket, since: Instant::now(), is_ready }
    }
}

/// Why the job ends early.
struct Ending {
    status: i32,
    reason: String,
    /// The PE that asked for it, which ends on its own.
    by: Option<u32>,
}

/// What a polled descriptor belongs to.
#[derive(Clone, Copy)]
enum Owner {
    NoMore,
    Listener,
    Stranger(usize),
    Greeted(usize),
    Arrival(usize),
    Rounds(u32),
    Lifeline(u32),
}

impl<L: Listener> Job<L> {
    fn new(listener: L, job_id: String, told: Server, no_more: Option<SeqPacket>) -> Self {
        Job {
            listener,
            job_id,
            members: None,
            strangers: VecDeque::new(),
            greeted: VecDeque::new(),
            max_strangers: max_strangers(),
            max_greeted: MAX_GREETED,
            arrivals: vec![],
            early: vec![],
            ending: None,
            told,
            no_more,
        }
    }

    fn serve(mut self) {
        let mut buffer = vec![0; MAX_MESSAGE_BYTES];
        loop {
            let mut has_callers = false;
            for owner in self.wait() {
                match owner {
                    Owner::NoMore => self.no_more = None,
                    // After the others: it may drop some of them.
                    Owner::Listener => has_callers = true,
                    Owner::Stranger(index) => self.strangers[index].is_ready = true,
                    Owner::Greeted(index) => self.greeted[index].is_ready = true,
                    Owner::Arrival(index) => self.arrivals[index].is_ready = true,
                    Owner::Rounds(pe) => self.take_messages(pe, &mut buffer),
                    Owner::Lifeline(pe) => self.look_at_lifeline(pe, &mut buffer),
                }
            }
            self.look_at_strangers();
            self.identify_arrivals(&mut buffer);
            if has_callers {
                self.accept();
            }
            self.begin_next();
            let Some(members) = &mut self.members else {
                // With no job, the thread of a unique id waits for the next one, or for the first.
                if self.told.job > 0 && self.no_more.is_none() {
                    return;
                }
                continue;
            };
            let mut is_stuck = false;
            for pe in 0..members.n_pes() {
                is_stuck |= members.send(pe);
            }
            if is_stuck {
                // A socket that polls as writable may still refuse a message, if the operating system has run out of
                // something.
                std::thread::sleep(RETRY);
            }
            let is_finalized = (0..members.n_pes()).all(|pe| members.rendezvous.stage(pe) == Stage::Finalized);
            if is_finalized && !members.is_over {
                members.is_over = true;
                for pe in 0..members.n_pes() {
                    members.tell(pe, &Message::new(MessageKind::Done, 0));
                }
            }
            if self.ending.is_some() || is_finalized && !members.has_unsent() {
                self.told.tell();
            }
            if members.have_all_left() {
                if self.ending.is_some() || self.no_more.is_none() {
                    return;
                }
                self.forget();
            }
        }
    }

    /// Lets the next job begin if somebody wants to join it and the last one is done.
    fn begin_next(&mut self) {
        if self.early.is_empty() || !self.members.as_ref().is_none_or(Members::is_done) {
            return;
        }
        if self.members.is_some() {
            self.forget();
        }
        for (socket, bytes) in std::mem::take(&mut self.early) {
            self.identify(socket, &bytes, 0);
        }
    }

    /// Forgets a job that is over. Nothing is left to send, so all have been told.
    fn forget(&mut self) {
        self.told.tell();
        self.members = None;
        self.told.job += 1;
    }

    /// Waits until something has arrived or can be sent. Returns the owners of the ready descriptors.
    fn wait(&self) -> Vec<Owner> {
        let mut owners = vec![];
        let mut polled = vec![];
        let mut add = |fd, events, owner| {
            polled.push(PollFd::new(fd, events));
            owners.push(owner);
        };
        if let Some(no_more) = &self.no_more {
            add(no_more.as_fd(), PollFlags::POLLIN, Owner::NoMore);
        }
        let may_accept = self.may_accept();
        if may_accept {
            add(self.listener.as_fd(), PollFlags::POLLIN, Owner::Listener);
        }
        for (index, stranger) in self.strangers.iter().enumerate() {
            add(stranger.socket.as_fd(), PollFlags::POLLIN, Owner::Stranger(index));
        }
        for (index, greeted) in self.greeted.iter().enumerate() {
            add(greeted.socket.as_fd(), PollFlags::POLLIN, Owner::Greeted(index));
        }
        for (index, arrival) in self.arrivals.iter().enumerate() {
            add(arrival.socket.as_fd(), PollFlags::POLLIN, Owner::Arrival(index));
        }
        if let Some(members) = &self.members {
            for pe in 0..members.n_pes() {
                if let Some(socket) = members.rounds[pe as usize].socket() {
                    let out = if members.wants_to_send(pe) { PollFlags::POLLOUT } else { PollFlags::empty() };
                    add(socket.as_fd(), PollFlags::POLLIN | out, Owner::Rounds(pe));
                }
                if let Some(socket) = members.lifelines[pe as usize].socket() {
                    add(socket.as_fd(), PollFlags::POLLIN, Owner::Lifeline(pe));
                }
            }
        }
        let limit = if may_accept { PROOF_LIMIT } else { GREETING_TIME };
        let stranger = self.strangers.front().map(|stranger| stranger.since + limit);
        let greeted = self.greeted.front().map(|greeted| greeted.since + PROOF_LIMIT);
        let next = stranger.into_iter().chain(greeted).min();
        match poll(&mut polled, next.map_or(PollTimeout::NONE, timeout_until)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => std::thread::sleep(RETRY),
        }
        let is_ready = |fd: &PollFd<'_>| fd.any().unwrap_or(false);
        owners.into_iter().zip(&polled).filter(|(_, fd)| is_ready(fd)).map(|(owner, _)| owner).collect()
    }

    /// Whether there is room for one more connection, or one that may be dropped for it.
    fn may_accept(&self) -> bool {
        let oldest = self.strangers.front();
        self.strangers.len() < self.max_strangers
            || oldest.is_some_and(|oldest| oldest.since.elapsed() >= GREETING_TIME)
    }

    /// Takes connections, as many as there may be strangers; the others' turn comes between.
    fn accept(&mut self) {
        for _ in 0..self.max_strangers {
            if !self.may_accept() {
                return;
            }
            match self.listener.accept() {
                Ok(Some(pending)) => {
                    if self.strangers.len() >= self.max_strangers {
                        self.strangers.pop_front();
                    }
                    self.prove(Arrival::new(pending, true));
                }
                Ok(None) => return,
                // Out of descriptors, for example. The connection waits in the listener's queue until one is dropped.
                Err(_) => {
                    if self.strangers.pop_front().is_none() {
                        std::thread::sleep(RETRY);
                    }
                    return;
                }
            }
        }
    }

    /// Looks at what connections have sent to prove that they belong to the job; drops those that take too long.
    fn look_at_strangers(&mut self) {
        let greeted = std::mem::take(&mut self.greeted);
        for pending in greeted.into_iter().chain(std::mem::take(&mut self.strangers)) {
            self.prove(pending);
        }
    }

    fn prove(&mut self, mut pending: Arrival<L::Pending>) {
        // After the limit there is one more look: this process may have been stopped for a while.
        let is_late = pending.since.elapsed() >= PROOF_LIMIT;
        let had_greeted = L::greeting(&pending.socket).is_some();
        if pending.is_ready || is_late {
            pending.is_ready = false;
            match self.listener.prove(&mut pending.socket) {
                Progress::Done(()) => return self.arrivals.push(Arrival::new(L::proved(pending.socket), true)),
                Progress::Closed => return,
                Progress::WouldBlock => {}
            }
        }
        match L::greeting(&pending.socket) {
            Some(greeting) if !had_greeted => self.has_greeted(pending, &greeting),
            _ if is_late => {}
            Some(_) => self.greeted.push_back(pending),
            None => self.strangers.push_back(pending),
        }
    }

    /// Waits for the proof of a connection whose greeting has just come.
    fn has_greeted(&mut self, pending: Arrival<L::Pending>, greeting: &[u8; NONCE_BYTES]) {
        if self.greeted.iter().any(|other| L::greeting(&other.socket).as_ref() == Some(greeting)) {
            // A PE never repeats the random bytes of a greeting.
            return;
        }
        if self.greeted.len() >= self.max_greeted {
            // If it is a PE's, that PE connects again.
            self.greeted.pop_front();
        }
        self.greeted.push_back(Arrival::new(pending.socket, false));
    }

    /// Continues with the connections that have not identified their PE; drops those that fail to.
    fn identify_arrivals(&mut self, buffer: &mut [u8]) {
        for mut arrival in std::mem::take(&mut self.arrivals) {
            if arrival.is_ready {
                arrival.is_ready = false;
                match arrival.socket.try_receive(buffer) {
                    Ok(Progress::Done(received)) => {
                        self.identify(arrival.socket, &buffer[..received.bytes], received.descriptors.len());
                        continue;
                    }
                    Ok(Progress::WouldBlock) => {}
                    Ok(Progress::Closed) | Err(_) => continue,
                }
            }
            self.arrivals.push(arrival);
        }
    }

    /// Assigns a connection to the PE that its first message names. A connection that is refused is told why.
    fn identify(&mut self, socket: L::Socket, bytes: &[u8], descriptors: usize) {
        let is_hello = || Message::decode(bytes, descriptors).is_ok_and(|m| m.kind == MessageKind::Hello);
        if self.no_more.is_some() && self.members.as_ref().is_some_and(|members| members.is_over) && is_hello() {
            return self.early.push((socket, bytes.to_vec()));
        }
        if let Err((socket, reason)) = self.admit(socket, bytes, descriptors) {
            let refusal = Message { body: reason.as_bytes(), ..Message::new(MessageKind::Refused, 0) };
            let _ = socket.try_send(&refusal.encode(), None);
        }
    }

    fn admit(&mut self, socket: L::Socket, bytes: &[u8], descriptors: usize) -> Result<(), (L::Socket, String)> {
        let message = match Message::decode(bytes, descriptors) {
            Ok(message) => message,
            Err(error) => return Err((socket, error.to_string())),
        };
        let (pe, n_pes) = (message.pe, message.value);
        if message.body != self.job_id.as_bytes() {
            return Err((socket, "the PEs that meet at this address belong to another job".into()));
        }
        if n_pes == 0 || n_pes > MAX_PES || pe >= n_pes {
            return Err((socket, format!("no PE {pe} of {n_pes} PEs: PEs are 0 to N - 1, and N is 1 to {MAX_PES}")));
        }
        if self.members.is_none()
            && let Err(reason) = room_for(n_pes)
        {
            return Err((socket, reason));
        }
        let members = self.members.get_or_insert_with(|| Members::new(n_pes, &self.job_id));
        if members.n_pes() != n_pes {
            let other = members.n_pes();
            return Err((socket, format!("PE {pe} says that the job has {n_pes} PEs, others that it has {other}")));
        }
        match message.kind {
            MessageKind::Hello => {
                let slot = &mut members.rounds[pe as usize];
                if !matches!(slot, Connected::Not) {
                    return Err((socket, format!("PE {pe} has joined before: two processes have this number")));
                }
                *slot = Connected::By(socket);
                // The checks above are the ones that the rendezvous makes of a hello, so it cannot fail.
                let _ = members.rendezvous.receive(pe, bytes, vec![], false);
            }
            MessageKind::Watch if matches!(members.lifelines[pe as usize], Connected::Not) => {
                members.lifelines[pe as usize] = Connected::By(socket);
                if let Some(ending) = &self.ending {
                    members.tell(pe, &ending.message());
                } else if members.is_over {
                    members.tell(pe, &Message::new(MessageKind::Done, 0));
                }
            }
            kind => return Err((socket, format!("a message of kind {kind:?} on a new connection"))),
        }
        Ok(())
    }

    /// Takes the messages that the PE has sent. A flood of messages is taken over several turns.
    fn take_messages(&mut self, pe: u32, buffer: &mut [u8]) {
        for _ in 0..MAX_MESSAGES_A_TURN {
            let Some(members) = &mut self.members else { return };
            let Some(socket) = members.rounds[pe as usize].socket() else { return };
            let problem = match socket.try_receive(buffer) {
                Ok(Progress::Done(received)) => {
                    let bytes = &buffer[..received.bytes];
                    match members.rendezvous.receive(pe, bytes, received.descriptors, received.lost_descriptors) {
                        Ok(Request::Nothing) => continue,
                        Ok(Request::Abort { code, message }) => {
                            self.end(Ending { status: code, reason: ended_by(pe, code, &message), by: Some(pe) });
                            continue;
                        }
                        Err(what) => format!("PE {pe} violated the rendezvous protocol: {what}"),
                    }
                }
                Ok(Progress::WouldBlock) => return,
                Ok(Progress::Closed) => format!("PE {pe} has ended without finalize"),
                Err(error) => format!("the connection to PE {pe} failed: {}", error.desc()),
            };
            let has_finalized = members.rendezvous.stage(pe) == Stage::Finalized;
            members.rounds[pe as usize] = Connected::NoLonger;
            members.rendezvous.ended(pe);
            if !has_finalized {
                self.end(Ending { status: 1, reason: problem, by: None });
            }
            return;
        }
    }

    /// A lifeline carries nothing in this direction except its end. Whether the PE has ended is decided by the
    /// connection for rounds.
    fn look_at_lifeline(&mut self, pe: u32, buffer: &mut [u8]) {
        let Some(members) = &mut self.members else { return };
        let Some(socket) = members.lifelines[pe as usize].socket() else { return };
        if !matches!(socket.try_receive(buffer), Ok(Progress::WouldBlock)) {
            members.lifelines[pe as usize] = Connected::NoLonger;
        }
    }

    /// Ends the job for all PEs except the one that asked for it. Only the first cause counts.
    fn end(&mut self, ending: Ending) {
        if self.ending.is_some() {
            return;
        }
        if let Some(members) = &mut self.members {
            for pe in (0..members.n_pes()).filter(|pe| Some(*pe) != ending.by) {
                members.tell(pe, &ending.message());
            }
        }
        self.ending = Some(ending);
    }
}

impl Ending {
    fn message(&self) -> Message<'_> {
        let value = self.status.cast_unsigned();
        let end = self.reason.floor_char_boundary(MAX_REASON_BYTES);
        Message { value, body: &self.reason.as_bytes()[..end], ..Message::new(MessageKind::Abort, 0) }
    }
}

#[cfg(test)]
#[path = "server_fuzz_tests.rs"]
mod fuzz;
#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
