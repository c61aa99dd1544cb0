//! Locks (OpenSHMEM 1.6, section 9.13): the words of a lock. `cushmem_protocol::lock` describes the queue and why it is
//! correct.
//!
//! A lock is a `long` in symmetric memory, so each PE has eight bytes of it. The lock's owner is the PE whose copy
//! holds the end of the queue. It follows from the lock's offset, so that adjacent locks are spread over the PEs. Words
//! in GPU memory are changed by the GPU agent and read by copies, so a PE that waits for such a lock polls it.

use crate::Shmem;
use crate::api::raw::{self, Raw};
use crate::api::sym::SymPtr;
use crate::error::{ArgumentError, Error, Result};
use crate::job::Pe;
use crate::job::record::Timed;
use crate::memory::{At, Remote, Segment, SymOffset};
use crate::sync::park::FutexWord;
use crate::transfer::resolve::OwnPlace;
use crate::transfer::{Completion, Operation, Transfer};
use cushmem_abi::WordOp;
use cushmem_bootstrap::waits::Wait;
use cushmem_protocol::lock::{self, CLAIMED, GRANTED, Memory};
use cushmem_record::{Cause, Operation as Recorded};
use std::sync::atomic::{AtomicU32, Ordering};

/// # Locks
impl Shmem {
    /// Acquires a lock, after all PEs that asked for it before (`shmem_set_lock`, 9.13). The lock must be 0 on all PEs
    /// before its first use. A PE holds the lock, not a thread: threads of one PE must first take a lock among
    /// themselves.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (lock, sum) = (shmem.malloc::<i64>(1)?, shmem.malloc::<u64>(1)?);
    /// shmem.set_lock(lock.at(0))?;
    /// let before = shmem.g(sum.at(0), 0)?;
    /// shmem.p(sum.at(0), before + 10, 0)?;
    /// shmem.clear_lock(lock.at(0))?;
    /// # Ok(()) }) }
    /// ```
    pub fn set_lock(&self, lock: SymPtr<'_, i64>) -> Result<()> {
        let _timed = Timed::new(Recorded::Lock, 0);
        self.lock_words("set_lock", lock)?.set().map_err(|error| Error::argument("set_lock", "the lock", error))
    }

    /// Completes this PE's operations, then releases the lock (`shmem_clear_lock`, 9.13).
    /// [`Shmem::set_lock`] has an example.
    pub fn clear_lock(&self, lock: SymPtr<'_, i64>) -> Result<()> {
        let _timed = Timed::new(Recorded::Lock, 0);
        let words = self.lock_words("clear_lock", lock)?;
        self.transfers().quiet(self.transfers().default_context())?;
        words.clear().map_err(|error| Error::argument("clear_lock", "the lock", error))
    }

    /// Acquires the lock if no PE holds it, and returns whether it did (`shmem_test_lock`, 9.13, which returns 0 in
    /// that case).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let lock = shmem.malloc::<i64>(1)?;
    /// if shmem.test_lock(lock.at(0))? {
    ///     shmem.clear_lock(lock.at(0))?;
    /// }
    /// # Ok(()) }) }
    /// ```
    pub fn test_lock(&self, lock: SymPtr<'_, i64>) -> Result<bool> {
        let _timed = Timed::new(Recorded::Lock, 0);
        Ok(lock::test(&self.lock_words("test_lock", lock)?))
    }

    fn lock_words(&self, operation: &'static str, lock: SymPtr<'_, i64>) -> Result<Words<'_>> {
        let name = |error| Error::argument(operation, "the lock", error);
        let lock = lock.as_slice();
        self.check(operation, lock, 1)?;
        self.memory().check_object(lock.at_symmetric(), lock.bytes()).map_err(name)?;
        Words::of(self, lock.at_symmetric()).map_err(name)
    }
}

impl Raw<'_> {
    /// Acquires a lock, like [`Shmem::set_lock`].
    pub fn set_lock(self, lock: *mut i64) -> raw::Result<()> {
        let _timed = Timed::new(Recorded::Lock, 0);
        self.lock_words(lock)?.set()
    }

    /// Releases a lock, like [`Shmem::clear_lock`].
    pub fn clear_lock(self, lock: *mut i64) -> raw::Result<()> {
        let _timed = Timed::new(Recorded::Lock, 0);
        let words = self.lock_words(lock)?;
        self.shmem().transfers().quiet(self.context())?;
        words.clear()
    }

    /// Acquires a lock if no PE holds it, like [`Shmem::test_lock`].
    pub fn test_lock(self, lock: *mut i64) -> raw::Result<bool> {
        let _timed = Timed::new(Recorded::Lock, 0);
        Ok(lock::test(&self.lock_words(lock)?))
    }

    fn lock_words(&self, lock: *mut i64) -> raw::Result<Words<'_>> {
        let shmem = self.shmem();
        Words::of(shmem, shmem.memory().locate(lock.addr(), size_of::<i64>())?)
    }
}

/// A lock, seen from this PE: eight aligned bytes of symmetric memory.
struct Words<'a> {
    shmem: &'a Shmem,
    at: At,
    on_gpu: bool,
    /// Of this PE's copy, for messages.
    address: usize,
    owner: Pe,
}

impl<'a> Words<'a> {
    /// The lock at this address, if atomic operations reach it on all PEs. A lock that other PEs cannot reach must be
    /// detected before a queue exists.
    fn of(shmem: &'a Shmem, at: At) -> raw::Result<Self> {
        let (transfers, bytes) = (shmem.transfers(), size_of::<i64>());
        let address = shmem.memory().own(at) as usize;
        let mine = transfers.own_words(address, 1, bytes)?;
        if !matches!(at.segment, Segment::Host | Segment::Network) {
            shmem.job().pes().try_for_each(|pe| transfers.has_word(at, bytes, pe))?;
        }
        let on_gpu = matches!(mine, OwnPlace::Gpu(_));
        Ok(Self { shmem, at, on_gpu, address, owner: owner_of(at.offset.0, shmem.n_pes()) })
    }

    fn set(&self) -> raw::Result<()> {
        lock::set(self).map_err(lock_argument)
    }

    fn clear(&self) -> raw::Result<()> {
        lock::clear(self).map_err(lock_argument)
    }

    /// One half of a PE's copy, if it is mapped: the tail or the node.
    fn mapped(&self, pe: Pe, half: usize) -> Option<&'a AtomicU32> {
        let Remote::Near(address) = self.shmem.memory().remote(self.at, pe) else { return None };
        let word = std::ptr::with_exposed_provenance_mut::<u32>(address);
        // SAFETY: half of eight aligned bytes that live as long as the job; while they are a lock they are only used as
        // atomics of four bytes.
        Some(unsafe { AtomicU32::from_ptr(word.add(half)) })
    }

    /// One half of a PE's copy, if it is mapped and the CPU changes it.
    fn half(&self, pe: Pe, half: usize) -> Option<&'a AtomicU32> {
        self.mapped(pe, half).filter(|_| self.at.segment != Segment::Network)
    }

    /// This PE's node in host memory, for polling.
    fn own_node(&self) -> &'a AtomicU32 {
        self.mapped(self.shmem.job().me(), NODE).expect("a PE reaches its own memory")
    }

    fn at(&self, half: usize) -> At {
        At { offset: SymOffset(self.at.offset.0 + (half * size_of::<u32>()) as u64), ..self.at }
    }

    /// An atomic operation, behind what this PE did before, on half of a PE's copy that a GPU, another node or the
    /// network changes.
    #[cold]
    fn far(&self, pe: Pe, half: usize, op: WordOp, operand: u32, condition: u32) -> u32 {
        let transfers = self.shmem.transfers();
        let (operand, condition) = (u64::from(operand), u64::from(condition));
        let operation = Operation::Amo { op, width: size_of::<u32>(), operand, condition };
        let transfer = Transfer { operation, pe, remote: self.at(half), when: Completion::Blocking };
        let found = transfers.change_behind(transfers.default_context(), &transfer);
        // Otherwise the queue would be stuck.
        found.unwrap_or_else(|error| self.shmem.job().end("lock", &Error::argument("lock", "the lock", error))) as u32
    }

    /// What this PE waits for: `ahead`, the PE before it in the queue, or, if that is `None`, the PE that follows it.
    fn waiting(&self, ahead: Option<u32>) -> Wait {
        let at = self.address;
        let Some(ahead) = ahead else {
            return Wait {
                what: format!("clear_lock of the lock at {at:#x}, whose next PE has not queued up yet"),
                late: vec![],
            };
        };
        // For PEs on other nodes, and for GPUs that are not mapped, reading the node would take a message each, so it
        // is not read. For a mapped GPU it takes a copy by the driver. If a GPU has failed, that copy may never end,
        // and then nobody learns what this PE waits for.
        let node = |pe: Pe| match self.shmem.memory().remote(self.at, pe) {
            // Relaxed: it may change before anybody reads the message.
            Remote::Near(_) => self.mapped(pe, NODE).map(|node| node.load(Ordering::Relaxed)),
            Remote::Device(_) => {
                self.shmem.transfers().load(self.at(NODE), size_of::<u32>(), pe).ok().map(|node| node as u32)
            }
            _ => None,
        };
        let holds = |pe: &Pe| node(*pe).is_some_and(|node| node & GRANTED != 0);
        let holder = self.shmem.job().pes().find(holds).map(Pe::number);
        let what = match holder {
            Some(holder) if holder != ahead => {
                format!("set_lock of the lock at {at:#x}, held by PE {holder}, behind PE {ahead}")
            }
            Some(holder) => format!("set_lock of the lock at {at:#x}, held by PE {holder}"),
            None => format!("set_lock of the lock at {at:#x}, behind PE {ahead}"),
        };
        Wait { what, late: vec![] }
    }
}

/// The PE that keeps the queue of the lock at this offset.
fn owner_of(offset: u64, n_pes: u32) -> Pe {
    // Multiplying by an odd constant spreads offsets of any distance, and mixes the upper half better.
    let mixed = (offset / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    Pe::member(((mixed * u64::from(n_pes)) >> 32) as u32)
}

impl Memory for Words<'_> {
    fn my_pe(&self) -> u32 {
        self.shmem.my_pe()
    }

    fn n_pes(&self) -> u32 {
        self.shmem.n_pes()
    }

    fn tail(&self) -> u32 {
        match self.half(self.owner, TAIL) {
            // Relaxed: a hint.
            Some(tail) => tail.load(Ordering::Relaxed),
            None => self.far(self.owner, TAIL, WordOp::Fetch, 0, 0),
        }
    }

    fn swap_tail(&self, ticket: u32) -> u32 {
        match self.half(self.owner, TAIL) {
            // SYNC(lock) acquire-release: pairs with itself on other PEs: the one that leaves an empty queue, and the
            // next one to enter it.
            Some(tail) => tail.swap(ticket, Ordering::AcqRel),
            None => self.far(self.owner, TAIL, WordOp::Swap, ticket, 0),
        }
    }

    fn compare_swap_tail(&self, expected: u32, ticket: u32) -> std::result::Result<(), u32> {
        let Some(tail) = self.half(self.owner, TAIL) else {
            let found = self.far(self.owner, TAIL, WordOp::CompareSwap, ticket, expected);
            return if found == expected { Ok(()) } else { Err(found) };
        };
        // SYNC(lock) acquire-release: pairs with itself and `swap_tail` on other PEs.
        tail.compare_exchange(expected, ticket, Ordering::AcqRel, Ordering::Acquire).map(drop)
    }

    fn claim(&self) -> bool {
        let me = self.shmem.job().me();
        match self.half(me, NODE) {
            // SYNC(lock-node) acquire: pairs with the release in `reset_node`, by another thread of this PE.
            Some(node) => node.compare_exchange(0, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok(),
            None => self.far(me, NODE, WordOp::CompareSwap, CLAIMED, 0) == 0,
        }
    }

    fn node(&self) -> u32 {
        if self.on_gpu {
            // A copy from this GPU, which is complete before this PE continues.
            let node = self.shmem.transfers().load(self.at(NODE), size_of::<u32>(), self.shmem.job().me());
            return node.unwrap_or_else(|error| self.shmem.job().end("lock", &error)) as u32;
        }
        // SYNC(lock-node) acquire: pairs with the release in `set_node`.
        self.own_node().load(Ordering::Acquire)
    }

    fn reset_node(&self) {
        let me = self.shmem.job().me();
        match self.half(me, NODE) {
            // SYNC(lock-node) release: pairs with the acquire in `claim`.
            Some(node) => node.store(0, Ordering::Release),
            None => drop(self.far(me, NODE, WordOp::Set, 0, 0)),
        }
    }

    fn set_node(&self, pe: u32, bits: u32) {
        let pe = Pe::member(pe);
        let Some(node) = self.half(pe, NODE) else {
            self.far(pe, NODE, WordOp::Or, bits, 0);
            return;
        };
        // SYNC(lock-node) release: pairs with the acquire in `node`, there and in `wait_node`.
        node.fetch_or(bits, Ordering::Release);
        self.shmem.sync().wake(pe, FutexWord::Short(node));
    }

    fn wait_node(&self, bits: u32, ahead: Option<u32>) -> u32 {
        let look = || Some(self.node()).filter(|node| node & bits != 0);
        let sync = self.shmem.sync();
        if self.on_gpu {
            return sync.wait_policy().wait_unwoken(look, (Cause::Peers, true), || self.waiting(ahead));
        }
        let node = FutexWord::Short(self.own_node());
        let parking = sync.parking(self.shmem.job().me(), node, self.shmem.job().nodes() > 1);
        sync.wait_policy().wait(look, Some(parking), || self.waiting(ahead))
    }
}

/// The halves of a lock's word.
const TAIL: usize = 0;
const NODE: usize = 1;

fn lock_argument(error: lock::Misuse) -> ArgumentError {
    use lock::Misuse as Lock;
    ArgumentError::Lock(match error {
        Lock::Claimed => {
            "this PE already holds the lock, or one of its threads waits for it, or it was not 0 before its first use"
                .into()
        }
        Lock::NotHeld => "this PE does not hold the lock".into(),
        Lock::Damaged(word) => {
            format!("a word of the lock is {word:#x}: it was not 0 on all PEs before its first use, or was overwritten")
        }
    })
}
