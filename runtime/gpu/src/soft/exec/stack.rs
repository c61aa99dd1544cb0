//! Stacks of lanes: 64 KiB each, with a guard page below, taken from one address range and reused.

use super::super::module::MAX_RESIDENT_LANES;
use corosensei::stack::{Stack as CoroutineStack, StackPointer};
use std::io;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

const STACK_BYTES: usize = 64 << 10;
/// Every stack takes two mappings, and Linux allows a process 65,530 by default.
const STACKS: usize = 2 * MAX_RESIDENT_LANES as usize;
/// Stacks start at different offsets, so that their busiest parts do not all fall into the same cache sets.
const COLOURS: usize = 32;
const COLOUR_BYTES: usize = 128;

/// Start and end of the stacks' addresses, for the fault handler; 0 before the first kernel.
static AREA: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Returns the address range of all stacks and their guard pages.
pub(crate) fn area() -> Range<u64> {
    // Relaxed: a fault on a stack comes after the stack's creation, either in the same thread or through the pool's
    // lock.
    AREA[0].load(Ordering::Relaxed)..AREA[1].load(Ordering::Relaxed)
}

/// Exclusive use of one stack.
#[derive(Debug)]
pub(super) struct Stack {
    base: StackPointer,
    limit: StackPointer,
}

// SAFETY: `limit` is the start of a guard page, which stays inaccessible. Above it are STACK_BYTES bytes of memory,
// nearly all of it below `base`. A `Stack` is never duplicated, and its memory is never unmapped.
unsafe impl CoroutineStack for Stack {
    fn base(&self) -> StackPointer {
        self.base
    }

    fn limit(&self) -> StackPointer {
        self.limit
    }
}

pub(super) struct Pool {
    start: usize,
    guard_bytes: usize,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    free: Vec<Stack>,
    made: usize,
}

impl Pool {
    /// Returns the process's pool.
    pub fn get() -> Result<&'static Self, String> {
        static POOL: OnceLock<Result<Pool, String>> = OnceLock::new();
        POOL.get_or_init(Self::set_up).as_ref().map_err(Clone::clone)
    }

    fn set_up() -> Result<Self, String> {
        // SAFETY: sysconf only reads its argument.
        let guard_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let bytes = STACKS * (STACK_BYTES + guard_bytes);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        // SAFETY: this creates a new mapping at an address that the operating system chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(format!("allocating stacks failed: {}", io::Error::last_os_error()));
        }
        AREA[0].store(start as u64, Ordering::Relaxed);
        AREA[1].store(start as u64 + bytes as u64, Ordering::Relaxed);
        Ok(Self { start: start as usize, guard_bytes, state: Mutex::default(), returned: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes `count` stacks together. Waits while other kernels hold them, as a kernel waits for room on a GPU.
    pub fn take(&self, count: usize) -> Result<Vec<Stack>, String> {
        let mut state = self.lock();
        loop {
            match self.take_from(&mut state, count)? {
                Some(stacks) => return Ok(stacks),
                None => state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Takes `count` stacks if that many are free.
    pub fn try_take(&self, count: usize) -> Result<Option<Vec<Stack>>, String> {
        self.take_from(&mut self.lock(), count)
    }

    fn take_from(&self, state: &mut State, count: usize) -> Result<Option<Vec<Stack>>, String> {
        assert!(count <= STACKS, "{count} lanes of one launch");
        if state.free.len() + (STACKS - state.made) < count {
            return Ok(None);
        }
        while state.free.len() < count {
            let stack = self.make(state.made)?;
            state.made += 1;
            state.free.push(stack);
        }
        let rest = state.free.len() - count;
        Ok(Some(state.free.split_off(rest)))
    }

    fn make(&self, index: usize) -> Result<Stack, String> {
        let limit = self.start + index * (STACK_BYTES + self.guard_bytes);
        let bottom = limit + self.guard_bytes;
        // SAFETY: the range is part of the pool's own mapping and not in use yet.
        let result = unsafe { libc::mprotect(bottom as *mut _, STACK_BYTES, libc::PROT_READ | libc::PROT_WRITE) };
        if result != 0 {
            return Err(format!("creating a stack failed: {}", io::Error::last_os_error()));
        }
        let base = bottom + STACK_BYTES - index % COLOURS * COLOUR_BYTES;
        let pointer = |address| StackPointer::new(address).expect("the kernel maps nothing at address zero");
        Ok(Stack { base: pointer(base), limit: pointer(limit) })
    }

    pub fn give(&self, stacks: impl Iterator<Item = Stack>) {
        self.lock().free.extend(stacks);
        self.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Catches a stack that is given to two lanes at once.
    #[test]
    fn stacks_are_given_out_once() {
        let pool = Pool::get().unwrap();
        let stacks = pool.take(100).unwrap();
        assert_eq!(stacks.iter().map(|s| s.limit).collect::<BTreeSet<_>>().len(), 100);
        pool.give(stacks.into_iter());
    }
}
