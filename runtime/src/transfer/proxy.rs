//! The proxy: a thread that does what kernels of this PE cannot do themselves, in the order of their commands, through the same funnel as
//! the CPU's own operations and with a context of its own.
//!
//! *When a command is complete*: the thread takes what is there, up to [`BATCH`] commands, completes its context, and tells all contexts of kernels that had a command among
//! these. *Order*: commands are carried out in their order. *Who dies*: an error of a command, or a
//! command that makes no sense, ends the job with a line that names it; so does a panic, as nobody would answer any more.

use super::context::{Context, ContextOptions};
use super::described::Named;
use super::{Completion, Operation, Transfer, Transfers};
use crate::error::{ArgumentError, Error, Result};
use crate::sync::ring::CommandRing;
use crate::sync::spin::WaitPolicy;
use crate::transport::{AmoOp, WordOp, mapped};
use cushmem_abi::{CommandHead, CommandKind, RING_CONTEXTS, RING_SLOTS};
use cushmem_bootstrap::joined_here;
use cushmem_bootstrap::waits::Wait;
use cushmem_protocol::ring::{Command, Reader};
use nix::sys::signal::SigSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Commands that are completed together.
const BATCH: usize = 64;
/// How long the thread looks for commands after the last one before it naps: where it has a core, and where PEs share cores.
const AWAKE: (Duration, Duration) = (Duration::from_millis(2), Duration::from_micros(50));
/// How long it naps: a sixteenth of the time since the last command, at least and at most; at most so long where PEs share cores.
const NAP: (Duration, Duration, Duration) =
    (Duration::from_micros(20), Duration::from_millis(1), Duration::from_millis(10));
/// Looks between two yields, where it has a core.
const LOOKS: u32 = 256;

/// What the thread has done so far.
#[derive(Default)]
struct Counts {
    commands: AtomicU64,
    batches: AtomicU64,
    naps: AtomicU64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: only for people.
        let [commands, batches, naps] =
            [&self.commands, &self.batches, &self.naps].map(|count| count.load(Ordering::Relaxed));
        write!(f, "{commands} commands of its kernels in {batches} batches, {naps} naps between them")
    }
}

/// The thread, and what it shares with kernels.
pub(super) struct Proxy {
    ring: Arc<CommandRing>,
    counts: Arc<Counts>,
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Proxy {
    /// Waits for what kernels had asked for before this call: nothing, most of the time.
    #[inline]
    pub(super) fn finish(&self, wait_policy: &WaitPolicy) {
        // A forked child has no proxy, and has asked for nothing.
        if let Some(ticket) = self.ring.pending().filter(|_| joined_here()) {
            let look = || self.ring.has_completed(ticket).then_some(());
            let what = || Wait { what: "commands of kernels".into(), late: vec![] };
            wait_policy.wait(look, None, what);
        }
    }

    /// Ends the thread. No kernel of this PE posts any more.
    pub(super) fn stop(&self) {
        // Relaxed: the join orders it.
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

impl Transfers {
    /// What the proxy has done, if there is one.
    pub(crate) fn proxy_counts(&self) -> Option<String> {
        self.proxy.get().map(|proxy| proxy.counts.to_string())
    }

    /// Starts the proxy, if it was not; its ring's address is for kernels.
    pub(super) fn start_proxy(self: &Arc<Self>) -> Result<u64> {
        if let Some(proxy) = self.proxy.get() {
            return Ok(proxy.ring.address());
        }
        let gpu = self.memory.own_gpu("make the command ring")?;
        let ring = Arc::new(CommandRing::create(gpu)?);
        let context = self.context(crate::PeSet::all(self.job.n_pes()), ContextOptions::default())?;
        let stop = Arc::new(AtomicBool::new(false));
        let counts = Arc::new(Counts::default());
        let (own_ring, own_counts) = (ring.clone(), counts.clone());
        let service =
            Service { transfers: self.clone(), ring: own_ring, counts: own_counts, context, stop: stop.clone() };
        let thread = std::thread::Builder::new().name("cushmem-proxy".to_owned()).spawn(move || {
            // Signals belong to the program's own threads. If this fails, a handler may run on this one.
            let _ = SigSet::all().thread_block();
            // Without it kernels would wait for ever.
            if catch_unwind(AssertUnwindSafe(|| service.run())).is_err() {
                std::process::abort();
            }
        });
        let thread = thread.map_err(|error| Error::new("start a thread", crate::Cause::System(error.to_string())))?;
        // One thread of a PE starts the GPUs.
        let proxy = self.proxy.get_or_init(|| Proxy { ring, counts, stop, thread: Mutex::new(Some(thread)) });
        Ok(proxy.ring.address())
    }
}

struct Service {
    transfers: Arc<Transfers>,
    ring: Arc<CommandRing>,
    counts: Arc<Counts>,
    context: Context,
    stop: Arc<AtomicBool>,
}

/// A command with fields that make sense.
struct Checked {
    op: WordOp,
    width: usize,
    pe: u32,
    context: usize,
    address: usize,
    operand: u64,
    condition: u64,
    /// The ticket of the reply, for somebody who waits for one.
    reply: Option<u64>,
}

impl Service {
    fn run(&self) {
        let (mut reader, mut named) = (Reader::default(), Named::default());
        // By context, the last ticket of this batch plus 1; and which of them are not 0.
        let (mut last, mut touched) = (vec![0u64; RING_CONTEXTS], Vec::with_capacity(BATCH));
        let mut idle = Idle::new(self.transfers.job.is_oversubscribed());
        // Relaxed: nothing else is learnt from it.
        while !self.stop.load(Ordering::Relaxed) {
            let mut taken = 0;
            while taken < BATCH
                && let Some((ticket, command)) = reader.take(&*self.ring)
            {
                self.ring.take_until(ticket + 1);
                let context = self.carry_out(ticket, &command, &mut named);
                if std::mem::replace(&mut last[context], ticket + 1) == 0 {
                    touched.push(context);
                }
                taken += 1;
            }
            let posted = named.posts(&self.transfers, &self.context);
            if taken + posted == 0 {
                reader.publish(&*self.ring);
                if idle.pause() {
                    // Relaxed: only for people.
                    self.counts.naps.fetch_add(1, Ordering::Relaxed);
                }
                continue;
            }
            if let Err(error) = self.transfers.drain(&self.context) {
                self.transfers.job.end("commands of kernels", &error);
            }
            named.finish();
            for context in touched.drain(..) {
                self.ring.publish_done(context, std::mem::take(&mut last[context]));
            }
            self.ring.complete_until(reader.next_ticket());
            // Relaxed: only for people.
            self.counts.commands.fetch_add(taken as u64, Ordering::Relaxed);
            // Relaxed: as above.
            self.counts.batches.fetch_add(1, Ordering::Relaxed);
            idle = Idle::new(idle.shares);
        }
    }

    /// Carries out a command; returns its context.
    fn carry_out(&self, ticket: u64, command: &Command, named: &mut Named) -> usize {
        if let Some(begun) = named.command(&self.transfers, &self.context, command) {
            let (context, reply) = begun.unwrap_or_else(|why| self.refuse(ticket, command, &why));
            reply.into_iter().for_each(|reply| self.ring.reply(reply, 0));
            return context;
        }
        let n_pes = self.transfers.job.n_pes();
        let checked = check(command, n_pes).unwrap_or_else(|why| self.refuse(ticket, command, &why));
        let found = self.issue(&checked).unwrap_or_else(|why| self.refuse(ticket, command, &why.to_string()));
        if let Some(reply) = checked.reply {
            self.ring.reply(reply, found);
        }
        checked.context
    }

    /// Returns what the operation found.
    fn issue(&self, checked: &Checked) -> std::result::Result<u64, ArgumentError> {
        let Checked { op, width, pe, address, operand, condition, .. } = *checked;
        let transfers = &*self.transfers;
        let object = std::ptr::without_provenance::<u8>(address);
        if let Some(word) = transfers.memory.near_host().find(object, width, pe) {
            // SAFETY: a word of symmetric host memory, aligned as was checked.
            return Ok(unsafe { mapped::word_op(word, width, op, operand, condition) });
        }
        let (remote, pe) = (transfers.memory.locate(address, width)?, transfers.pe(pe)?);
        let operation = Operation::Amo { op, width, operand, condition };
        let transfer = Transfer { operation, pe, remote, when: Completion::Blocking };
        // SAFETY: an atomic operation has no local end; the word was found.
        unsafe { transfers.issue(&self.context, &transfer) }
    }

    #[cold]
    fn refuse(&self, ticket: u64, command: &Command, why: &str) -> ! {
        let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
        let address = command.arguments[0];
        let name = CommandKind::ALL
            .into_iter()
            .find(|known| *known as u8 == kind)
            .map_or("unknown".into(), |kind| format!("{kind:?}"));
        let kernel = self.transfers.launches.describe();
        let slot = ticket % RING_SLOTS as u64;
        let text = format!(
            "{kernel}: command {ticket} (slot {slot}, {name}, width {width}, context {context}) for {address:#x} on PE {pe}: {why}"
        );
        self.transfers.job.bootstrap().abort(1, &text)
    }
}

/// What the words of a slot say, or what is wrong with them.
fn check(command: &Command, n_pes: u32) -> std::result::Result<Checked, String> {
    let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
    let [address, operand, condition, reply, ..] = command.arguments;
    let (width, context, address) = (usize::from(width), usize::from(context), address as usize);
    let op = match CommandKind::ALL.into_iter().find(|known| *known as u8 == kind) {
        None => return Err(format!("kind {kind} is not known")),
        Some(CommandKind::CompareSwap) => WordOp::CompareSwap,
        Some(CommandKind::Swap) => WordOp::Update(AmoOp::Swap),
        Some(CommandKind::Add | CommandKind::AddBehind) => WordOp::Update(AmoOp::Add),
        Some(CommandKind::And) => WordOp::Update(AmoOp::And),
        Some(CommandKind::Or) => WordOp::Update(AmoOp::Or),
        Some(CommandKind::Xor) => WordOp::Update(AmoOp::Xor),
        Some(kind) => return Err(format!("{kind:?} is not carried out")),
    };
    if pe >= n_pes {
        return Err(format!("PE {pe} is not in 0..{n_pes}"));
    }
    if context >= RING_CONTEXTS {
        return Err(format!("context {context} is not in 0..{RING_CONTEXTS}"));
    }
    if !matches!(width, 4 | 8) {
        return Err(format!("a word of {width} bytes, and not of 4 or 8"));
    }
    if !address.is_multiple_of(width) {
        return Err(format!("the word at {address:#x} is not aligned to {width} bytes"));
    }
    Ok(Checked { op, width, pe, context, address, operand, condition, reply: reply.checked_sub(1) })
}

/// How the thread waits while there is nothing to do.
struct Idle {
    since: Option<Instant>,
    looks: u32,
    shares: bool,
}

impl Idle {
    fn new(shares: bool) -> Self {
        Self { since: None, looks: 0, shares }
    }

    /// Between two looks; says whether it was a nap.
    fn pause(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        if !self.shares && !self.looks.is_multiple_of(LOOKS) {
            std::hint::spin_loop();
            return false;
        }
        let idle = self.since.get_or_insert_with(Instant::now).elapsed();
        let awake = if self.shares { AWAKE.1 } else { AWAKE.0 };
        if idle < awake {
            std::thread::yield_now();
            return false;
        }
        std::thread::sleep((idle / 16).clamp(NAP.0, if self.shares { NAP.2 } else { NAP.1 }));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence of numbers that looks random: of xorshift.
    fn numbers() -> impl FnMut() -> u64 {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        }
    }

    /// Catches a slot of any content whose fields are out of range and that is carried out nevertheless. A third of the slots are sensible but for one field.
    #[test]
    fn garbled_slots_are_refused() {
        let mut next = numbers();
        let (mut accepted, mut refused) = (0, 0);
        for round in 0..1_000_000 {
            let mut arguments = std::array::from_fn(|_| next());
            let head = if round % 3 == 0 {
                let (kind, width) = (next() as u8 % 9, 1 << (next() % 5));
                arguments[0] &= !0xf;
                CommandHead { kind, width, context: next() as u16 % 1100, pe: next() as u32 % 6 }.bits()
            } else {
                next() >> 8
            };
            match check(&Command { head, arguments }, 5) {
                Ok(Checked { width, pe, context, address, .. }) => {
                    accepted += 1;
                    assert!(pe < 5 && context < RING_CONTEXTS, "{head:#x}");
                    assert!([4, 8].contains(&width) && address.is_multiple_of(width), "{head:#x}");
                }
                Err(_) => refused += 1,
            }
        }
        assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused: the trial tries nothing");
    }

    /// Catches a line that does not say what is wrong.
    #[test]
    fn what_is_wrong_with_a_slot_is_said() {
        let head = |kind, width, context, pe| CommandHead { kind, width, context, pe }.bits();
        let says = |head, address| {
            let arguments = [address, 0, 0, 0, 0, 0, 0];
            check(&Command { head, arguments }, 4).err().expect("it is wrong")
        };
        let add = CommandKind::Add as u8;
        assert_eq!(says(0, 0), "kind 0 is not known");
        assert_eq!(says(head(add, 8, 0, 4), 0), "PE 4 is not in 0..4");
        assert_eq!(says(head(add, 8, 1024, 0), 0), "context 1024 is not in 0..1024");
        assert_eq!(says(head(add, 3, 0, 0), 0), "a word of 3 bytes, and not of 4 or 8");
        assert_eq!(says(head(add, 8, 0, 0), 0x1004), "the word at 0x1004 is not aligned to 8 bytes");
    }
}
