//! What all flows of a NIC share: the properties of the network, and operations in flight. All of it runs in the
//! network's thread of the PE that posted the operations. The bytes of a put are stored by [`Wire::store`], which
//! `Flow::put` calls or, for bytes that were in flight, [`Wire::deliver`].

use crate::copy::{few_from_shared, from_shared, to_shared};
use crate::loopback::amo;
use crate::loopback::faults::Part;
use crate::loopback::gate::{Gates, Step};
use crate::loopback::memory::{Last, Remote, Table};
use crate::{Delivery, Faults, MOST_INLINE, Operation, Profile, Work, check_set};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Instant;

/// Spin hints between load and store of an atomic operation.
const PAUSE: usize = 8;

/// What all flows of a NIC share.
pub(crate) struct Wire {
    pub(crate) me: u32,
    pub(crate) profile: Profile,
    pub(crate) faults: Faults,
    pub(crate) table: Table,
    pub(crate) last: Last,
    pub(crate) gates: Arc<Gates>,
    /// Operations so far to the peer that `faults.cut` names.
    pub(crate) to_cut: u64,
    /// Operations so far to the peer that `faults.fail` names.
    pub(crate) to_fail: u64,
    /// Bytes in flight: their puts are complete, but they are not delivered.
    pub(crate) on_the_way: usize,
    /// Whether delays are over, because the NIC is stopping.
    pub(crate) closing: bool,
}

/// An operation that is not complete.
pub(crate) struct Op {
    pub(crate) ticket: u64,
    pub(crate) lane: u32,
    pub(crate) work: Work,
    pub(crate) remote: Result<Remote, String>,
    /// How many bytes are still to be copied; they are the first ones.
    pub(crate) left: usize,
    /// Not executed before this time.
    pub(crate) due: Instant,
}

/// Bytes of a put that is complete but not delivered.
pub(crate) struct Late {
    pub(crate) peer: u32,
    pub(crate) remote: Remote,
    pub(crate) bytes: Bytes,
    pub(crate) due: Instant,
}

pub(crate) enum Bytes {
    Few([u8; MOST_INLINE], usize),
    Many(Vec<u8>),
}

impl Wire {
    /// Starts an operation that was just taken from its lane.
    pub(crate) fn admit(&mut self, lane: u32, ticket: u64, work: Work, now: Instant) -> Op {
        let due = now + self.faults.delay(self.me, lane, ticket, Part::Execute);
        let bytes = work.operation.bytes();
        let key = (work.peer, work.region);
        let remote = self.check_alive(work.peer).and_then(|()| self.table.find(&mut self.last, key, work.at, bytes));
        let remote = match work.operation {
            Operation::Amo { width, .. } => remote.and_then(|word| amo::check(&word, width as usize).map(|()| word)),
            Operation::Set { width, .. } => {
                remote.and_then(|word| check_set(width, word.at, word.address().addr()).map(|()| word))
            }
            Operation::Inline { bytes, .. } if bytes > MOST_INLINE => {
                Err(format!("at most {MOST_INLINE} bytes can be sent inline"))
            }
            _ => remote,
        };
        Op { ticket, lane, work, remote, left: bytes, due }
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
    pub(crate) fn is_early(&self, delivered: bool) -> bool {
        match self.profile.delivery() {
            Delivery::Always => false,
            Delivery::Asked => !delivered,
            Delivery::Flushed => true,
        }
    }

    pub(crate) fn is_due(&self, due: Instant, now: Instant) -> bool {
        due <= now || self.closing
    }

    /// Stores bytes at a target.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes, and `bytes` bytes are mapped at `to`.
    pub(crate) unsafe fn store(&self, to: *mut u8, from: *const u8, bytes: usize) {
        // SYNC(net-target) release: pairs with the acquire of whoever reads the target; orders what came before this
        // store.
        fence(Ordering::Release);
        // SAFETY: the caller guarantees both ranges. They do not overlap, because only the engine uses this mapping.
        unsafe { to_shared(to, from, bytes) };
    }

    pub(crate) fn deliver(&mut self, late: Late) {
        let bytes = late.bytes.get();
        self.on_the_way -= bytes.len();
        // SAFETY: the range was checked and is mapped while `late` exists.
        unsafe { self.store(late.remote.address(), bytes.as_ptr(), bytes.len()) };
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
