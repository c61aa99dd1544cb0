//! The proxy: a thread that does what kernels of this PE cannot do themselves, through the same funnel as the CPU's own
//! operations and with a context of its own. It also carries out this PE's part of copies through host memory
//! ([`crate::transport::stage`]), both for this PE and for others.
//!
//! * *Order*: commands are started in their order. Staged operations, and copies of operations by name
//!   ([`crate::transfer::left`]), progress by themselves while later commands are carried out; a signal that comes
//!   behind staged puts is staged with them.
//! * *When a command is complete*: the thread takes the commands that are there, up to [`BATCH`], and completes what
//!   the network carries. Then it tells each context of kernels the ticket below which all of the context's commands
//!   are complete: that of the oldest one that is staged or copied, if there is one.
//! * *No circular waits*: the thread waits only for this PE's network and for the threads of other nodes that change
//!   words, and none of these waits for a proxy. Changes of words of GPU memory are left to
//!   another thread ([`crate::transport::stage::Changes`]), which wakes the proxy.
//! * *Who dies*: a command that fails or makes no sense ends the job with a line that names it. So does a panic,
//!   because nobody would answer any more.

use super::Services;
use super::commands::{self, Asked, Checked, Target, What, Word, decide, word_of};
use super::counts::Counts;
use super::described::{Late, Named, Table};
use super::device_sync::DeviceSyncs;
use super::idle::Idle;
use super::launches::Launches;
use super::ring::CommandRing;
use super::tracked::{Kept, Tracked};
use crate::error::{ArgumentError, Error, Result};
use crate::memory::{LocalEnds, Remote, Segment};
use crate::sync::locked;
use crate::transfer::context::Context;
use crate::transfer::{Completion, Local, Operation, Pending, Shape, Transfer, Transfers, unfit};
use crate::transport::stage::{self, Done, Finished, Stage, Staged};
use crate::transport::{WordOp, mapped};
use cushmem_abi::{CommandHead, CommandKind, RING_CHUNKS, RING_SLOTS};
use cushmem_bootstrap::joined_here;
use cushmem_bootstrap::waits::{Published, Wait, note};
use cushmem_path::Path;
use cushmem_protocol::ring::{Chunks, Command, Reader};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle, Thread};

/// The number of commands that are completed together.
const BATCH: usize = 64;
/// While this many copies are staged, or this many named operations are incomplete, the proxy takes no more commands.
const MOST_STAGED: usize = 4096;

/// The thread, and what it shares with kernels.
pub(super) struct Proxy {
    shared: Arc<Shared>,
    launches: Launches,
    described: Arc<Table>,
    /// The context of what it issues.
    pub(super) context: Arc<Context>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// To wake it.
    handle: Thread,
}

/// What the thread shares with other threads of this process.
struct Shared {
    ring: CommandRing,
    counts: Counts,
    stop: AtomicBool,
    /// What threads of the CPU want to have staged, and whether there is any. The list has no bound of its own: each
    /// entry is an operation that the program has started and not completed, and takes less memory than the data it
    /// moves.
    inbox: Mutex<Vec<Staged>>,
    has_mail: AtomicBool,
    /// The stage, if the proxy had none when it started. This is mail too.
    late: Mutex<Option<Stage>>,
    /// PEs with which copies were under way when the proxy last napped.
    partners: Mutex<Vec<u32>>,
}

impl Proxy {
    /// Lets the proxy copy through host memory from now on.
    pub(super) fn stage_with(&self, stage: Stage) {
        *locked(&self.shared.late) = Some(stage);
        // SYNC(proxy-mail) release: as in `stage`.
        self.shared.has_mail.store(true, Ordering::Release);
        self.wake();
    }

    /// Wakes it, because something that it waits for has happened.
    pub(super) fn wake(&self) {
        self.handle.unpark();
    }

    /// Ends the thread. No kernel of this PE posts any more.
    pub(super) fn stop(&self) {
        // Relaxed: the join orders it.
        self.shared.stop.store(true, Ordering::Relaxed);
        self.handle.unpark();
        if let Some(thread) = locked(&self.thread).take() {
            let _ = thread.join();
        }
    }
}

impl Pending for Proxy {
    #[inline]
    fn finish_commands(&self, transfers: &Transfers) {
        // A forked child has no proxy, and has asked for nothing.
        let may_ask = self.launches.may_ask();
        if let Some(ticket) = self.shared.ring.pending(may_ask).filter(|_| joined_here()) {
            let mut late = Late::new();
            let look = || (self.shared.ring.has_completed(ticket) || late.is_lost(transfers)).then_some(());
            let what = || Wait { what: "commands of kernels".into(), late: vec![] };
            transfers.sync().wait_policy().wait_for_gpu(look, what);
        }
        self.described.finish_posts(transfers);
    }

    fn stage(&self, staged: Staged) {
        locked(&self.shared.inbox).push(staged);
        // SYNC(proxy-mail) release: pairs with the acquire in `progress`; the lock orders the mail itself.
        self.shared.has_mail.store(true, Ordering::Release);
        self.wake();
    }

    fn partners(&self) -> Vec<u32> {
        locked(&self.shared.partners).clone()
    }

    fn kernels(&self) -> String {
        self.launches.describe()
    }
}

impl Services {
    /// What the proxy has done, if there is one.
    pub(crate) fn proxy_counts(&self) -> Option<String> {
        self.proxy.get().map(|proxy| proxy.shared.counts.to_string())
    }

    /// Starts the proxy unless it is running. Returns the address of its ring, for kernels.
    pub(super) fn start_proxy(self: &Arc<Self>) -> Result<u64> {
        if self.proxy.get().is_none() {
            self.begin_proxy()?;
        }
        if self.memory().is_far() {
            // Otherwise the proxy's first copy would create the lane, in the program's GPU context.
            self.let_proxy_copy("create the command ring")?;
        }
        Ok(self.proxy.get().expect("it was begun above").shared.ring.address())
    }

    fn begin_proxy(self: &Arc<Self>) -> Result<()> {
        let gpu = self.memory().own_gpu("create the command ring")?;
        let shared = Arc::new(Shared {
            ring: CommandRing::create(gpu, self.memory().is_far())?,
            counts: Counts::default(),
            stop: AtomicBool::new(false),
            inbox: Mutex::default(),
            has_mail: AtomicBool::new(false),
            late: Mutex::default(),
            partners: Mutex::default(),
        });
        let changes = self.start_changer()?;
        let context = Arc::new(self.transfers.internal_context()?.make_proxys(&changes));
        let stage = self.memory().stage().map(|area| self.transfers.make_stage(area, &context, changes)).transpose()?;
        let service = Service {
            stage,
            syncs: DeviceSyncs::new(self.sync()),
            services: self.clone(),
            transfers: self.transfers.clone(),
            shared: shared.clone(),
            context: context.clone(),
            named: Named::default(),
            local_ends: LocalEnds::default(),
            waiting: VecDeque::new(),
            tracked: Tracked::default(),
            chunks: Box::default(),
            used: Vec::with_capacity(BATCH),
        };
        let thread = Builder::new().name("cushmem-proxy".to_owned());
        let thread = cushmem_thread::start(thread, move || {
            // Without it kernels would wait for ever.
            crate::sync::guard::or_abort(|| service.run());
        });
        let thread = thread.map_err(|error| Error::new("start a thread", crate::Cause::System(error.to_string())))?;
        let handle = thread.thread().clone();
        let (launches, described, thread) = (self.launches.clone(), self.described.clone(), Mutex::new(Some(thread)));
        let proxy = Arc::new(Proxy { shared, launches, described, context, thread, handle });
        // Only one thread of a PE starts the GPUs.
        let _ = self.proxy.set(proxy.clone());
        self.transfers.leave_to(proxy);
        Ok(())
    }

    /// Gives the proxy a lane for copies.
    pub(super) fn let_proxy_copy(&self, operation: &'static str) -> Result<()> {
        self.proxy.get().map_or(Ok(()), |proxy| self.transfers.let_copy(&proxy.context, operation))
    }

    /// Collective. Enables staging in a job that has not needed it before, on all PEs or on none.
    pub(crate) fn stage_late(self: &Arc<Self>) -> Result<()> {
        let operation = "prepare copies through host memory";
        let proxy = self.proxy.get().ok_or_else(|| unfit(Path::Staged))?;
        let made = self.memory().make_stage().and_then(|area| {
            let changes = self.start_changer()?;
            Ok((self.transfers.make_stage(&area, &proxy.context, changes)?, area))
        });
        self.job().agree(operation, made.as_ref().map(drop).map_err(Error::to_string))?;
        let (stage, area) = made?;
        self.memory().keep_stage(area);
        proxy.stage_with(stage);
        Ok(())
    }

    /// Lets the launcher ask what the proxy has done, as long as the result is kept.
    pub(super) fn report_proxy(&self) -> Option<Published> {
        let shared = self.proxy.get()?.shared.clone();
        Some(note(move || Some(format!("proxy: {}", shared.counts))))
    }
}

struct Service {
    services: Arc<Services>,
    /// Those of `services`.
    transfers: Arc<Transfers>,
    shared: Arc<Shared>,
    context: Arc<Context>,
    stage: Option<Stage>,
    syncs: DeviceSyncs,
    /// What was started by name.
    named: Named,
    /// The local ends of puts and gets.
    local_ends: LocalEnds,
    /// Named commands that are staged: the number of the last part, the ticket, the context, and the reply if a lane
    /// waits for one.
    waiting: VecDeque<(u64, u64, usize, Option<u64>)>,
    tracked: Tracked,
    chunks: Box<Chunks<RING_CHUNKS>>,
    /// Chunks that become free when the context is complete.
    used: Vec<usize>,
}

/// The outcome of a command.
enum Outcome {
    /// It was carried out, and is complete when the context is. The value is what it found.
    Done(u64),
    /// It is to be staged, from what is kept for it.
    Staged(stage::What, Kept),
}

impl Service {
    fn run(mut self) {
        let (mut reader, mut finished) = (Reader::default(), vec![]);
        let mut idle = Idle::new(self.transfers.job().is_oversubscribed());
        // Relaxed: nothing else is inferred from it.
        while !self.shared.stop.load(Ordering::Relaxed) {
            let taken = self.take(&mut reader);
            // Tell now: somebody waits for the commands just taken, more urgently than for anything else.
            self.tell(reader.next_ticket());
            let moved = self.progress(&mut finished) | self.meet();
            self.tell(reader.next_ticket());
            if taken || moved {
                idle = Idle::new(idle.shares);
            } else {
                reader.publish(&self.shared.ring);
                self.rest(&mut idle);
            }
        }
        self.transfers.forget_copies(&self.context);
        if let Some(stage) = &mut self.stage {
            stage.give_back();
        }
    }

    /// Carries out the commands that are there, and what streams have posted. Returns whether there were any.
    fn take(&mut self, reader: &mut Reader) -> bool {
        let named = self.context.staged().map_or(0, |tracker| tracker.begun() - tracker.completed());
        if self.stage.as_ref().map_or(0, Stage::under_way).max(named as usize) >= MOST_STAGED {
            self.shared.counts.stalls.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        let mut taken = 0;
        while taken < BATCH
            && let Some((ticket, command)) = reader.take(&self.shared.ring)
        {
            self.carry_out(ticket, &command);
            taken += 1;
        }
        let posted = self.named.posts(&self.services, &self.context, BATCH as u64);
        if taken + posted == 0 {
            return false;
        }
        self.shared.ring.take_until(reader.next_ticket());
        self.finish_direct();
        self.finish_named();
        for chunk in self.used.drain(..) {
            self.shared.ring.publish_freed(self.chunks.free(chunk));
        }
        let counts = &self.shared.counts;
        for (count, more) in [(&counts.commands, taken as u64), (&counts.batches, 1)] {
            // Relaxed: statistics, which no other thread writes.
            count.store(count.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        }
        true
    }

    /// Completes what is neither staged nor left to the lane of copies, which continue independently.
    fn finish_direct(&self) {
        if let Err(error) = self.transfers.drain_network(&self.context) {
            self.transfers.job().end("commands of kernels", &error);
        }
    }

    /// One round of the staged operations. Returns whether anything happened.
    fn progress(&mut self, finished: &mut Vec<Finished>) -> bool {
        if self.stage.is_none() && self.shared.has_mail.load(Ordering::Relaxed) {
            self.stage = locked(&self.shared.late).take();
        }
        let Some(stage) = &mut self.stage else { return self.finish_named() };
        // SYNC(proxy-mail) acquire: pairs with the release in `stage`.
        if self.shared.has_mail.load(Ordering::Relaxed) && self.shared.has_mail.swap(false, Ordering::Acquire) {
            for staged in locked(&self.shared.inbox).drain(..) {
                stage.begin(staged, self.transfers.memory());
            }
        }
        let moved = stage.progress(self.transfers.memory(), self.transfers.sync().control(), finished);
        let moved = moved.unwrap_or_else(|error| self.transfers.job().end("copies through host memory", &error));
        // Relaxed: a statistic.
        self.shared.counts.staged.fetch_add(finished.len() as u64, Ordering::Relaxed);
        for Finished { done, found } in finished.drain(..) {
            match done {
                Done::Number(tracker, number) => tracker.finish(number),
                Done::Word(tracker, number, word) => {
                    // Relaxed: finishing the number below is a release.
                    word.store(found, Ordering::Relaxed);
                    tracker.finish(number);
                }
                Done::Command { ticket, context, reply } => {
                    if let Some(reply) = reply {
                        self.shared.ring.reply(reply, found);
                    }
                    self.close(ticket, context);
                }
            }
        }
        moved | self.finish_named()
    }

    /// Reports the completion of named operations that were not complete at once. Returns whether there were any.
    fn finish_named(&mut self) -> bool {
        let copied = self.transfers.finish_copies(&self.context);
        let copied = copied.unwrap_or_else(|error| self.transfers.job().end("copies for kernels and streams", &error));
        let staged = self.context.staged().map_or(0, |tracker| tracker.completed());
        let mut moved = self.named.finish(&self.services, staged) | copied;
        while let Some((_, ticket, context, reply)) = self.waiting.pop_front_if(|(number, ..)| *number <= staged) {
            reply.into_iter().for_each(|reply| self.shared.ring.reply(reply, 0));
            self.close(ticket, context);
            moved = true;
        }
        moved
    }

    /// Notes that a staged command is complete.
    fn close(&mut self, ticket: u64, context: usize) {
        if let Some(Kept::Chunk(chunk)) = self.tracked.close(ticket, context) {
            self.shared.ring.publish_freed(self.chunks.free(chunk));
        }
    }

    /// Advances barriers of kernels. Returns whether anything happened.
    fn meet(&mut self) -> bool {
        let ring = &self.shared.ring;
        let moved = self.syncs.progress(self.transfers.sync(), |reply| ring.reply(reply, 0));
        moved.unwrap_or_else(|error| self.transfers.job().end("barriers of kernels", &error))
    }

    /// Reports which commands below this ticket are complete.
    fn tell(&mut self, next: u64) {
        let ring = &self.shared.ring;
        let told = self.tracked.tell(|context, ticket| ring.publish_done(context, ticket));
        if told {
            self.shared.ring.complete_until(self.tracked.complete_of_all(next));
        }
    }

    /// Waits briefly for something to do.
    fn rest(&self, idle: &mut Idle) {
        let is_awaited = self.syncs.are_under_way()
            || self.services.handed.are_awaited()
            || self.transfers.has_copies(&self.context)
            || self.stage.as_ref().is_some_and(|stage| stage.under_way() > 0);
        if idle.pause(is_awaited) {
            // Relaxed: a statistic.
            self.shared.counts.naps.fetch_add(1, Ordering::Relaxed);
            if let Some(stage) = &self.stage {
                *locked(&self.shared.partners) = stage.partners();
                if let Err(error) = stage.check(self.transfers.sync().control()) {
                    self.transfers.job().end("copies through host memory", &error);
                }
            }
        }
    }

    /// Carries out a command, or has it staged.
    #[inline]
    fn carry_out(&mut self, ticket: u64, command: &Command) {
        let head = CommandHead::of_bits(command.head);
        match self.at_once(head, command) {
            Some(found) => {
                self.tracked.begun(ticket, head.context.into());
                if let Some(reply) = command.arguments[3].checked_sub(1) {
                    self.shared.ring.reply(reply, found);
                }
            }
            None => self.carry_out_slowly(ticket, head, command),
        }
    }

    /// A fast path for the most common commands: loads or changes a word that this CPU's loads and stores reach, unless
    /// it goes with something that is staged. Returns the old value, or `None` for everything else and for what makes
    /// no sense.
    #[inline]
    fn at_once(&self, head: CommandHead, command: &Command) -> Option<u64> {
        let Target { op, width, address, behind } = word_of(head, command)?;
        let CommandHead { context, pe, .. } = head;
        if behind && self.goes_with(context, pe).is_some() {
            return None;
        }
        let [_, operand, condition, ..] = command.arguments;
        let object = std::ptr::without_provenance::<u8>(address);
        let word = self.transfers.memory().near_host().find(object, width, pe)?;
        // SAFETY: a word of symmetric host memory, whose alignment was tested above.
        Some(unsafe { mapped::word_op(word, width, op, operand, condition) })
    }

    /// The stage, if it has puts of this context to this PE under way.
    #[inline]
    fn goes_with(&self, context: u16, pe: u32) -> Option<&Stage> {
        self.stage.as_ref().filter(|stage| stage.has(context.into(), pe))
    }

    /// Any other command.
    #[inline(never)]
    fn carry_out_slowly(&mut self, ticket: u64, head: CommandHead, command: &Command) {
        let job = &self.transfers.job();
        let asked = decide(command, job.my_pe(), job.n_pes()).unwrap_or_else(|why| self.refuse(ticket, command, &why));
        let checked = match asked {
            Asked::Memory(checked) => checked,
            Asked::Meeting(team, reply) => {
                self.syncs.begin(team, reply).unwrap_or_else(|why| self.refuse(ticket, command, &why));
                // No quiet waits for it.
                return self.tracked.begun(ticket, head.context.into());
            }
            Asked::Named(named) => {
                let begun = self.begin_named(ticket, &named);
                return begun.unwrap_or_else(|why| self.refuse(ticket, command, &why));
            }
        };
        let outcome = self.issue(&checked).unwrap_or_else(|why| self.refuse(ticket, command, &why));
        let Checked { context, reply, .. } = checked;
        self.tracked.begun(ticket, context);
        match (outcome, &mut self.stage) {
            (Outcome::Done(found), _) => {
                if let Some(reply) = reply {
                    self.shared.ring.reply(reply, found);
                }
            }
            (Outcome::Staged(what, kept), Some(stage)) => {
                let pe = self.transfers.job().pe(checked.pe).expect("it was checked");
                let done = Done::Command { ticket, context, reply };
                stage.begin(Staged { key: context as u64, pe, what, done }, self.transfers.memory());
                self.tracked.keep_open(ticket, context, kept);
            }
            (Outcome::Staged(..), None) => unreachable!("what is staged has a stage"),
        }
    }

    /// Starts a named operation.
    fn begin_named(&mut self, ticket: u64, named: &commands::Named) -> std::result::Result<(), String> {
        let commands::Named { context, reply, .. } = *named;
        let begun = |context: &Context| context.staged().map_or(0, |tracker| tracker.begun());
        let before = begun(&self.context);
        self.named.command(&self.services, &self.context, named)?;
        self.tracked.begun(ticket, context);
        let last = begun(&self.context);
        if last > before {
            self.waiting.push_back((last, ticket, context, reply));
            self.tracked.keep_open(ticket, context, Kept::Nothing);
        } else if let Some(reply) = reply {
            self.finish_direct();
            self.shared.ring.reply(reply, 0);
        }
        Ok(())
    }

    /// The local end of a put, or of a get (`writes`), if it has that many bytes.
    fn local(&mut self, address: usize, bytes: usize, writes: bool) -> std::result::Result<Local, String> {
        let transfers = &*self.transfers;
        let gpu = transfers.gpu_of_kernels().expect("it has a kernel");
        let on_gpu = self.local_ends.is_on_gpu(transfers.memory(), &**gpu, (address, bytes), writes);
        let to_do = if writes { "write" } else { "read" };
        let on_gpu = on_gpu.ok_or_else(|| format!("there are no {bytes} bytes to {to_do} at {address:#x}"))?;
        Ok(Local { address, on_gpu })
    }

    /// Issues a command on memory. The error says what is wrong with it.
    fn issue(&mut self, checked: &Checked) -> std::result::Result<Outcome, String> {
        let Checked { what, pe, context, address, reply } = *checked;
        let here = |address, on_gpu| Local { address, on_gpu };
        let (local, bytes, kept) = match what {
            What::Word { op, width, operand, condition, behind } => {
                let word = Word { op, width, operand, condition, behind };
                return self.word(address, pe, context, word).map_err(|error| error.to_string());
            }
            What::Put { from, bytes } => (self.local(from, bytes, false)?, bytes, Kept::Nothing),
            What::Get { to, bytes } => (self.local(to, bytes, true)?, bytes, Kept::Nothing),
            What::PutHere { words, bytes } => {
                let kept = Arc::new(words);
                (here((&raw const *kept).expose_provenance(), false), bytes, Kept::Bytes(kept))
            }
            What::PutChunk { ticket, bytes } => {
                let chunk = self.chunks.take(ticket).ok_or_else(|| format!("chunk {ticket} is not in use"))?;
                let at = self.shared.ring.chunk(chunk).ok_or("this job has no chunks")?;
                (here(at, false), bytes, Kept::Chunk(chunk))
            }
        };
        let is_put = !matches!(what, What::Get { .. });
        let transfers = &*self.transfers;
        let refused = |error: ArgumentError| error.to_string();
        let at = transfers.memory().locate(address, bytes).map_err(refused)?;
        let pe = transfers.pe(pe).map_err(refused)?;
        let remote = transfers.memory().remote(at, pe);
        if matches!(remote, Remote::Staged(_)) || matches!(remote, Remote::Net(_)) && local.on_gpu {
            let staged = if is_put { stage::What::Put(local, at, bytes) } else { stage::What::Get(local, at, bytes) };
            return Ok(Outcome::Staged(staged, kept));
        }
        let shape = Shape::Bytes(bytes);
        let operation = if is_put { Operation::Put(local, shape) } else { Operation::Get(local, shape) };
        // A get is complete when the batch is, unless somebody waits for it.
        let waits = reply.is_some() || matches!(kept, Kept::Bytes(_));
        let when = if waits { Completion::Blocking } else { Completion::Nbi };
        let transfer = Transfer { operation, pe, remote: at, when };
        // SAFETY: the kernel that asks guarantees that the memory here is valid until the command is complete; what it
        // sent is kept until the transfer no longer needs it.
        let found = unsafe { transfers.issue(&self.context, &transfer) }.map_err(refused)?;
        transfers.await_left(&self.context).map_err(|error| error.to_string())?;
        if let Kept::Chunk(chunk) = kept {
            self.used.push(chunk);
        }
        Ok(Outcome::Done(found))
    }

    /// A word that this CPU's loads and stores do not reach, or that goes with what is staged.
    fn word(&self, address: usize, pe: u32, context: usize, word: Word) -> std::result::Result<Outcome, ArgumentError> {
        let Word { op, width, operand, condition, behind } = word;
        let transfers = &*self.transfers;
        let (at, peer) = (transfers.memory().locate(address, width)?, transfers.pe(pe)?);
        transfers.reaches_word(at, width, peer)?;
        let staged = || {
            let what = stage::What::Word { to: at, bytes: width, op, value: operand, condition, behind };
            Ok(Outcome::Staged(what, Kept::Nothing))
        };
        // A signal behind staged puts goes with them, wherever its word is.
        if behind && self.goes_with(context as u16, pe).is_some() {
            if at.segment == Segment::Network && !matches!(width, 4 | 8) {
                return Err(ArgumentError::NetworkWidth(width));
            }
            return staged();
        }
        match (transfers.memory().remote(at, peer), op) {
            (Remote::Staged(_), WordOp::Fetch) => {
                return Ok(Outcome::Staged(stage::What::Load(at, width), Kept::Nothing));
            }
            (Remote::Staged(_), _) => return staged(),
            (Remote::Net(far), WordOp::Set) => {
                return transfers.set_word_far(&self.context, far, operand, width, behind).map(|()| Outcome::Done(0));
            }
            _ => {}
        }
        let operation = Operation::Amo { op, width, operand, condition };
        let transfer = Transfer { operation, pe: peer, remote: at, when: Completion::Blocking };
        // SAFETY: an atomic operation has no local end, and the word was found.
        unsafe { transfers.issue(&self.context, &transfer) }.map(Outcome::Done)
    }

    #[cold]
    fn refuse(&self, ticket: u64, command: &Command, why: &str) -> ! {
        let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
        let address = command.arguments[0];
        let known = CommandKind::ALL.into_iter().find(|known| *known as u8 == kind);
        let name = known.map_or("unknown".into(), |kind| format!("{kind:?}"));
        let kernel = self.services.launches.describe();
        let slot = ticket % RING_SLOTS as u64;
        // The others name a team or an operation.
        let names_memory = !matches!(known, Some(CommandKind::Sync | CommandKind::Prepared | CommandKind::Fire));
        let memory = if names_memory { format!(" for {address:#x} on PE {pe}") } else { String::new() };
        let text = format!(
            "{kernel}: command {ticket} (slot {slot}, {name}, width {width}, context {context}){memory}: {why}"
        );
        self.transfers.job().bootstrap().abort(1, &text)
    }
}
