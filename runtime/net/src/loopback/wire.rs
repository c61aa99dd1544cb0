//! What all flows of a NIC share: the properties of the network, and operations in flight. All of it runs in the
//! process that posted the operations, in whichever thread has the provider. The bytes of a put are stored by
//! [`Wire::store`], which `Flow::put` calls or, for bytes that were in flight, [`Wire::deliver`].

use crate::copy::{few_from_shared, from_shared, to_shared};
use crate::loopback::amo;
use crate::loopback::faults::{BETWEEN_STOPS, Part, STOPPED};
use crate::loopback::gate::{Gates, Step};
use crate::loopback::memory::{Last, Remote, Table};
use crate::loopback::target::Targets;
use crate::{Delivery, Faults, MOST_INLINE, Operation, Profile, Settings, Work, check_set};
use cushmem_numbers::mixed;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Instant;

/// Spin hints between load and store of an atomic operation.
const PAUSE: usize = 8;
/// With a seed, the thread yields between two pieces if the number of bytes in the first is a multiple of
/// this.
const YIELDS: usize = 3;

/// What all flows of a NIC share.
pub(crate) struct Wire {
    pub(crate) me: u32,
    pub(crate) profile: Profile,
    pub(crate) faults: Faults,
    pub(crate) table: Table,
    pub(crate) last: Last,
    pub(crate) gates: Arc<Gates>,
    pub(crate) targets: Targets,
    /// Operations so far to the peer that `faults.cut` names.
    pub(crate) to_cut: u64,
    /// Operations so far to the peer that `faults.fail` names.
    pub(crate) to_fail: u64,
    /// Operations so far to the peer that `faults.silent` names.
    pub(crate) to_silent: u64,
    /// Operations so far to the peer that `faults.stop` names, and until when it does not answer.
    pub(crate) to_stopped: (u64, Option<Instant>),
    /// Bytes in flight: their puts are complete, but they are not delivered.
    pub(crate) on_the_way: usize,
    /// How often atomic operations have found their word locked.
    pub(crate) retries: u64,
    /// Whether delays are over, because the NIC is stopping.
    pub(crate) closing: bool,
}

/// An operation that is not complete.
pub(crate) struct Op {
    pub(crate) ticket: u64,
    pub(crate) lane: u32,
    pub(crate) work: Work,
    /// Where its bytes are, from the last ones on as far as they lie in one piece of the region.
    pub(crate) remote: Result<Remote, String>,
    /// How many bytes are still to be copied; they are the first ones.
    pub(crate) left: usize,
    /// Not executed before this time.
    pub(crate) due: Instant,
    /// Never executed.
    pub(crate) is_silent: bool,
}

/// Bytes of a put that is complete but not delivered.
pub(crate) struct Late {
    pub(crate) peer: u32,
    pub(crate) remote: Remote,
    pub(crate) bytes: Bytes,
    /// Where they are cut into two pieces.
    pub(crate) cut: usize,
    pub(crate) due: Instant,
}

pub(crate) enum Bytes {
    Few([u8; MOST_INLINE], usize),
    Many(Vec<u8>),
}

impl Wire {
    pub(crate) fn new(me: u32, settings: Settings, table: Table) -> Self {
        let Settings { profile, faults } = settings;
        Self {
            me,
            profile,
            faults: faults.unwrap_or_default(),
            table,
            last: Last::default(),
            gates: Arc::new(Gates::open()),
            targets: Targets::default(),
            to_cut: 0,
            to_fail: 0,
            to_silent: 0,
            to_stopped: (0, None),
            on_the_way: 0,
            retries: 0,
            closing: false,
        }
    }

    /// Starts an operation that was just taken from its lane.
    pub(crate) fn admit(&mut self, lane: u32, ticket: u64, work: Work, now: Instant) -> Op {
        let mut due = now + self.faults.delay(self.me, lane, ticket, Part::Execute);
        if let Some(until) = self.stopped_until(work.peer) {
            due = due.max(until);
        }
        let is_silent = self.is_silent(work.peer);
        let bytes = work.operation.bytes();
        let remote = self.check_alive(work.peer).and_then(|()| self.find(&work, bytes));
        let remote = match work.operation {
            Operation::Amo { .. } | Operation::Set { .. } if remote.as_ref().is_ok_and(|word| word.at > work.at) => {
                Err(format!("an atomic operation on a word that lies in two pieces of region {}", work.region))
            }
            Operation::Amo { width, .. } => remote.and_then(|word| amo::check(&word, width as usize).map(|()| word)),
            Operation::Set { width, .. } => remote.and_then(|word| {
                if word.process().is_some() {
                    return Err("a word cannot be set in memory that only the system copies".to_owned());
                }
                check_set(width, word.at, word.address().addr()).map(|()| word)
            }),
            Operation::Inline { bytes, .. } if bytes > MOST_INLINE => {
                Err(format!("at most {MOST_INLINE} bytes can be sent inline"))
            }
            _ => remote,
        };
        Op { ticket, lane, work, remote, left: bytes, due, is_silent }
    }

    /// Where the first `left` bytes of an operation are, from the last ones on as far as they lie in one piece.
    fn find(&mut self, work: &Work, left: usize) -> Result<Remote, String> {
        self.table.find(&mut self.last, (work.peer, work.region), work.at, left)
    }

    /// Where the bytes are that are to be copied next, the last of those that are left; and where they start in the
    /// operation.
    pub(crate) fn next_part(&mut self, op: &mut Op) -> Result<(Remote, usize), String> {
        let Work { at, .. } = op.work;
        let before = |remote: &Remote| (remote.at - at) as usize;
        if op.left > 0 && op.remote.as_ref().is_ok_and(|remote| before(remote) == op.left) {
            op.remote = self.find(&op.work, op.left);
        }
        let remote = op.remote.clone()?;
        let start = before(&remote);
        Ok((remote, start))
    }

    /// Until when a peer does not answer, if it is stopped.
    fn stopped_until(&mut self, peer: u32) -> Option<Instant> {
        if self.faults.stop != Some(peer) {
            return None;
        }
        let (number, until) = &mut self.to_stopped;
        if number.is_multiple_of(BETWEEN_STOPS) {
            *until = Some(Instant::now() + STOPPED);
        }
        *number += 1;
        *until
    }

    /// Whether a peer does not answer this operation, nor any later one.
    fn is_silent(&mut self, peer: u32) -> bool {
        let Some((_, after)) = self.faults.silent.filter(|(silent, _)| *silent == peer) else { return false };
        self.to_silent += 1;
        self.to_silent > after
    }

    fn check_alive(&mut self, peer: u32) -> Result<(), String> {
        if let Some((_, after)) = self.faults.fail.filter(|(fail, _)| *fail == peer) {
            self.to_fail += 1;
            if self.to_fail - 1 == after {
                return Err(format!("the settings of the network make it fail, after {after} operations"));
            }
        }
        let Some((cut, after)) = self.faults.cut else { return Ok(()) };
        if cut != peer {
            return Ok(());
        }
        if self.to_cut >= after {
            return Err(format!("the connection is lost: it was cut after {after} operations"));
        }
        self.to_cut += 1;
        Ok(())
    }

    /// Whether a put is complete as soon as its source was read.
    pub(crate) fn is_early(&self, delivery_complete: bool) -> bool {
        match self.profile.delivery() {
            Delivery::Always => false,
            Delivery::OnRequest => !delivery_complete,
            Delivery::Flushed => true,
        }
    }

    pub(crate) fn is_due(&self, due: Instant, now: Instant) -> bool {
        due <= now || self.closing
    }

    /// Where an operation's bytes are cut, to be copied in two pieces; 0: nowhere, so that words stay whole.
    pub(crate) fn cut(&self, op: &Op, bytes: usize) -> usize {
        if self.profile.whole_words() || bytes < 2 || matches!(op.work.operation, Operation::Set { .. }) {
            return 0;
        }
        let drawn = mixed(self.faults.seed ^ mixed(u64::from(op.lane) << 32 ^ op.ticket));
        1 + (drawn % (bytes as u64 - 1)) as usize
    }

    /// Passes some time between two pieces.
    fn between_pieces(&self, cut: usize) {
        std::hint::spin_loop();
        if self.faults.seed != 0 && cut.is_multiple_of(YIELDS) {
            std::thread::yield_now();
        }
        while !self.gates.may(Step::OtherPiece) {
            std::thread::yield_now();
        }
    }

    /// Stores bytes at a target, the last ones first if they are cut.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes, and `bytes` bytes are mapped at `to`. `cut` is less than `bytes`, or 0.
    pub(crate) unsafe fn store(&self, to: *mut u8, from: *const u8, bytes: usize, cut: usize) {
        // SYNC(net-target) release: pairs with the acquire of whoever reads the target; orders what came before this
        // store.
        fence(Ordering::Release);
        // SAFETY: the caller guarantees both ranges. They do not overlap, because only the provider uses this mapping.
        unsafe {
            to_shared(to.wrapping_add(cut), from.wrapping_add(cut), bytes - cut);
            if cut > 0 {
                self.between_pieces(cut);
                to_shared(to, from, cut);
            }
        }
    }

    /// Loads bytes from a target, the last ones first if they are cut.
    ///
    /// # Safety
    /// `bytes` bytes are mapped at `from`, and `to` is writable for as many. `cut` is less than `bytes`, or 0.
    pub(crate) unsafe fn load(&self, to: *mut u8, from: *const u8, bytes: usize, cut: usize) {
        // SAFETY: the caller guarantees both ranges, and that the cut lies within them.
        unsafe {
            from_shared(to.wrapping_add(cut), from.wrapping_add(cut), bytes - cut);
            if cut > 0 {
                self.between_pieces(cut);
                from_shared(to, from, cut);
            }
        }
    }

    pub(crate) fn deliver(&mut self, late: Late) {
        let bytes = late.bytes.get();
        self.on_the_way -= bytes.len();
        // SAFETY: the range was checked and is mapped while `late` exists.
        unsafe { self.store(late.remote.address(), bytes.as_ptr(), bytes.len(), late.cut) };
    }

    /// Runs between the load and the store of an atomic operation.
    pub(crate) fn pause(&self) {
        if self.faults.seed != 0 {
            std::thread::yield_now();
        }
        (0..PAUSE).for_each(|_| std::hint::spin_loop());
        while !self.gates.may(Step::StoreAmo) {
            std::thread::yield_now();
        }
    }
}

impl Bytes {
    /// # Safety
    /// `from` is readable for `length` bytes.
    pub(crate) unsafe fn copy(from: *const u8, length: usize) -> Self {
        if length <= MOST_INLINE {
            let mut bytes = [0; MOST_INLINE];
            // SAFETY: the caller guarantees the source, and the bytes fit.
            unsafe { few_from_shared(bytes.as_mut_ptr(), from, length) };
            return Self::Few(bytes, length);
        }
        let mut bytes = Vec::with_capacity(length);
        // SAFETY: the caller guarantees the source, there is room, and the bytes are initialised by the copy.
        unsafe {
            from_shared(bytes.as_mut_ptr(), from, length);
            bytes.set_len(length);
        }
        Self::Many(bytes)
    }

    fn get(&self) -> &[u8] {
        match self {
            Self::Few(bytes, length) => &bytes[..*length],
            Self::Many(bytes) => bytes,
        }
    }
}
