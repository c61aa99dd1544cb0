//! Locks (OpenSHMEM 1.6, section 9.12): the words of a lock, for the queue that `cushmem_lock` argues.
//!
//! A lock is a `long` of symmetric host memory, so that each PE has eight bytes of it. Its owner, whose copy has the end of the
//! queue, comes from the lock's offset: locks that lie side by side are spread over the PEs.

use crate::address::Misuse;
use crate::futex::Word;
use crate::raw::{self, Raw};
use crate::sym::{Kind, SymPtr};
use crate::{Error, Result, Shmem};
use cushmem_bootstrap::waits::Wait;
use cushmem_lock::{CLAIMED, GRANTED, Memory};
use std::sync::atomic::{AtomicU32, Ordering};

impl Shmem {
    /// Gets a lock, after all PEs that asked before (`shmem_set_lock`, 9.12.1). The lock is 0 on all PEs before its first use. It is a PE
    /// that holds it, not a thread: threads of one PE need a lock of their own before this one.
    pub fn set_lock(&self, lock: SymPtr<'_, i64>) -> Result<()> {
        self.lock_words("set_lock", lock)?.set().map_err(|misuse| Error::new("set_lock", misuse.to_string()))
    }

    /// Completes this PE's operations, then gives the lock to the next PE (`shmem_clear_lock`, 9.12.1).
    pub fn clear_lock(&self, lock: SymPtr<'_, i64>) -> Result<()> {
        let words = self.lock_words("clear_lock", lock)?;
        self.quiet()?;
        words.clear().map_err(|misuse| Error::new("clear_lock", misuse.to_string()))
    }

    /// Gets the lock if nobody has it; says whether it did (`shmem_test_lock`, 9.12.1, which returns 0 then).
    pub fn test_lock(&self, lock: SymPtr<'_, i64>) -> Result<bool> {
        Ok(cushmem_lock::test(&self.lock_words("test_lock", lock)?))
    }

    fn lock_words(&self, operation: &'static str, lock: SymPtr<'_, i64>) -> Result<Words<'_>> {
        let lock = lock.as_slice();
        self.check(operation, lock, 1, self.my_pe())?;
        let Kind::Host = lock.kind() else {
            return Err(Error::new(operation, "the lock lies in GPU memory; allocate it with `malloc`"));
        };
        let address = lock.host_ptr(self.my_pe()).addr();
        Ok(Words { shmem: self, place: Place::Heap(lock.offset()), address, owner: self.owner_of(lock.offset()) })
    }

    fn owner_of(&self, offset: u64) -> u32 {
        // Multiplying by an odd constant spreads offsets of any distance; the upper half is the better mixed one.
        let mixed = (offset / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        ((mixed * u64::from(self.n_pes())) >> 32) as u32
    }
}

impl Raw<'_> {
    /// As [`Shmem::set_lock`].
    pub fn set_lock(self, lock: *mut i64) -> raw::Result<()> {
        self.lock_words(lock)?.set()
    }

    /// As [`Shmem::clear_lock`].
    pub fn clear_lock(self, lock: *mut i64) -> raw::Result<()> {
        let words = self.lock_words(lock)?;
        self.0.quiet()?;
        words.clear()
    }

    /// As [`Shmem::test_lock`].
    pub fn test_lock(self, lock: *mut i64) -> raw::Result<bool> {
        Ok(cushmem_lock::test(&self.lock_words(lock)?))
    }

    fn lock_words(&self, lock: *mut i64) -> raw::Result<Words<'_>> {
        let (shmem, address) = (self.0, lock.addr());
        let (place, offset) = match shmem.globals.offset(address) {
            Some(offset) => {
                self.host_word(lock, shmem.my_pe())?;
                // A PE that others cannot reach must be found before there is a queue. Mostly one compare tells that there is none.
                if shmem.globals.at_once(address, size_of::<i64>(), shmem.my_pe()).is_none() {
                    for pe in 0..shmem.n_pes() {
                        self.host_word(lock, pe)?;
                    }
                }
                (Place::Global(address), offset as u64)
            }
            None => {
                // Whether it is host memory, and aligned.
                self.host_word(lock, shmem.my_pe())?;
                let (_, offset) = shmem.locate(address, size_of::<i64>())?;
                (Place::Heap(offset), offset)
            }
        };
        Ok(Words { shmem, place, address, owner: shmem.owner_of(offset) })
    }
}

/// A lock, seen from this PE: eight aligned bytes of symmetric host memory.
struct Words<'a> {
    shmem: &'a Shmem,
    place: Place,
    /// Of this PE's copy, for messages.
    address: usize,
    owner: u32,
}

enum Place {
    /// At this offset of every host slice.
    Heap(u64),
    /// A global with this address here, which all PEs share.
    Global(usize),
}

impl<'a> Words<'a> {
    fn set(&self) -> raw::Result<()> {
        cushmem_lock::set(self).map_err(misused)
    }

    fn clear(&self) -> raw::Result<()> {
        cushmem_lock::clear(self).map_err(misused)
    }

    fn tail_word(&self) -> &'a AtomicU32 {
        self.half(self.owner, 0)
    }

    fn node_of(&self, pe: u32) -> &'a AtomicU32 {
        self.half(pe, 1)
    }

    fn half(&self, pe: u32, half: usize) -> &'a AtomicU32 {
        let word = match self.place {
            Place::Heap(offset) => self.shmem.host.at(pe, offset),
            Place::Global(address) => {
                let found = self.shmem.globals.mapped(address, size_of::<i64>(), pe);
                std::ptr::with_exposed_provenance_mut(found.expect("it was found on all PEs when the call began"))
            }
        };
        // SAFETY: half of eight aligned bytes that live as long as the job; while they are a lock they are only used as atomics of
        // four bytes.
        unsafe { AtomicU32::from_ptr(word.cast::<u32>().add(half)) }
    }

    /// What this PE waits for; `ahead` is the PE before it in the queue, or it waits for who is coming behind.
    fn waiting(&self, ahead: Option<u32>) -> Wait {
        let at = self.address;
        let Some(ahead) = ahead else {
            return Wait {
                what: format!("clear_lock of the lock at {at:#x}, whose next PE is slow to come"),
                late: vec![],
            };
        };
        // Relaxed: it may have changed before anybody reads it.
        let holder = (0..self.n_pes()).find(|pe| self.node_of(*pe).load(Ordering::Relaxed) & GRANTED != 0);
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

impl Memory for Words<'_> {
    fn my_pe(&self) -> u32 {
        self.shmem.my_pe()
    }

    fn n_pes(&self) -> u32 {
        self.shmem.n_pes()
    }

    fn tail(&self) -> u32 {
        // Relaxed: a hint.
        self.tail_word().load(Ordering::Relaxed)
    }

    fn swap_tail(&self, ticket: u32) -> u32 {
        // SYNC(lock) acquire-release: pairs with itself on other PEs: who leaves an empty queue, and who enters it next.
        self.tail_word().swap(ticket, Ordering::AcqRel)
    }

    fn compare_swap_tail(&self, expected: u32, ticket: u32) -> std::result::Result<(), u32> {
        // SYNC(lock) acquire-release: as above.
        self.tail_word().compare_exchange(expected, ticket, Ordering::AcqRel, Ordering::Acquire).map(drop)
    }

    fn claim(&self) -> bool {
        // SYNC(lock-node) acquire: pairs with the release in `reset_node`, by another thread of this PE.
        self.node_of(self.my_pe()).compare_exchange(0, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn node(&self) -> u32 {
        // SYNC(lock-node) acquire: pairs with the release in `set_node`.
        self.node_of(self.my_pe()).load(Ordering::Acquire)
    }

    fn reset_node(&self) {
        // SYNC(lock-node) release: pairs with the acquire in `claim`.
        self.node_of(self.my_pe()).store(0, Ordering::Release);
    }

    fn set_node(&self, pe: u32, bits: u32) {
        let node = self.node_of(pe);
        // SYNC(lock-node) release: pairs with the acquire in `node`, there and in `wait_node`.
        node.fetch_or(bits, Ordering::Release);
        self.shmem.wake(pe, Word::Short(node));
    }

    fn wait_node(&self, bits: u32, ahead: Option<u32>) -> u32 {
        let bed = self.shmem.bed(self.my_pe(), Word::Short(self.node_of(self.my_pe())));
        let look = || Some(self.node()).filter(|node| node & bits != 0);
        self.shmem.patience.wait(look, Some(bed), || self.waiting(ahead))
    }
}

fn misused(misuse: cushmem_lock::Misuse) -> Misuse {
    use cushmem_lock::Misuse as Lock;
    Misuse::Lock(match misuse {
        Lock::Claimed => {
            "this PE holds the lock already, or a thread of it waits for it, or it was not 0 before its first use"
                .into()
        }
        Lock::NotHeld => "this PE does not hold the lock".into(),
        Lock::Damaged(word) => {
            format!("a word of the lock is {word:#x}: it was not 0 on all PEs before its first use, or was overwritten")
        }
    })
}
