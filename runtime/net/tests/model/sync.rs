//! The primitives that lanes, bell, hub and driver use: loom's, or the model's own, built on loom's, where loom has
//! none.
//!
//! loom treats sequentially consistent accesses as acquire and release only. Here they are also in one total order, the
//! order in which loom executes them: a sequentially consistent load finds no value older than the last sequentially
//! consistent store. Fences would express this too, but in loom they order everything before and after them.

use loom::sync::Notify;
use loom::sync::atomic;
pub(crate) use loom::sync::atomic::Ordering;
pub(crate) use loom::sync::{Mutex, MutexGuard};
pub(crate) use loom::thread::yield_now;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64 as Count, Ordering::Relaxed};

pub(crate) struct AtomicU64 {
    word: atomic::AtomicU64,
    /// The values that a sequentially consistent load may find. loom switches threads just before an access, so this
    /// changes together with the word.
    recent: std::sync::Mutex<Vec<u64>>,
}

impl AtomicU64 {
    pub(crate) fn new(value: u64) -> Self {
        Self { word: atomic::AtomicU64::new(value), recent: vec![value].into() }
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        let acquire = if order == Ordering::SeqCst { Ordering::Acquire } else { order };
        let value = self.word.load(acquire);
        if order == Ordering::SeqCst && !self.recent.lock().unwrap().contains(&value) {
            // The model must not reject a value that loom has chosen, but an exchange always finds the last value.
            return self.word.fetch_or(0, acquire);
        }
        value
    }

    pub(crate) fn store(&self, value: u64, order: Ordering) {
        assert_ne!(order, Ordering::SeqCst, "loom knows no order of stores that have not seen each other");
        self.word.store(value, order);
        self.note(value, order);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        let before = self.word.swap(value, exchange(order));
        self.note(value, order);
        before
    }

    pub(crate) fn fetch_add(&self, value: u64, order: Ordering) {
        assert_ne!(order, Ordering::SeqCst, "nobody needs it");
        let before = self.word.fetch_add(value, order);
        self.note(before.wrapping_add(value), order);
    }

    pub(crate) fn fetch_sub(&self, value: u64, order: Ordering) {
        self.fetch_add(value.wrapping_neg(), order);
    }

    pub(crate) fn compare_exchange_weak(
        &self,
        from: u64,
        to: u64,
        order: Ordering,
        failed: Ordering,
    ) -> Result<u64, u64> {
        let exchanged = self.word.compare_exchange(from, to, exchange(order), failed)?;
        self.note(to, order);
        Ok(exchanged)
    }

    fn note(&self, value: u64, order: Ordering) {
        let mut recent = self.recent.lock().unwrap();
        if order == Ordering::SeqCst {
            recent.clear();
        }
        recent.push(value);
    }
}

fn exchange(order: Ordering) -> Ordering {
    if order == Ordering::SeqCst { Ordering::AcqRel } else { order }
}

/// If a store and a swap have not seen each other, loom knows no order between them, and does not even guarantee that a
/// swap directly follows the value it found. Stores are therefore swaps here. Each stores a unique number, whose last
/// bit is the value.
pub(crate) struct AtomicBool {
    word: AtomicU64,
    stores: Count,
}

impl Default for AtomicBool {
    fn default() -> Self {
        Self::new(false)
    }
}

impl AtomicBool {
    pub(crate) fn new(value: bool) -> Self {
        Self { word: AtomicU64::new(value.into()), stores: Count::new(1) }
    }

    pub(crate) fn load(&self, order: Ordering) -> bool {
        self.word.load(order) & 1 != 0
    }

    pub(crate) fn store(&self, value: bool, order: Ordering) {
        self.swap(value, order);
    }

    pub(crate) fn swap(&self, value: bool, order: Ordering) -> bool {
        let number = self.stores.fetch_add(1, Relaxed);
        self.word.swap(2 * number + u64::from(value), order) & 1 != 0
    }
}

/// Every use counts as an access that must be ordered with all others.
pub(crate) struct UnsafeCell<T>(loom::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(loom::cell::UnsafeCell::new(value))
    }

    pub(crate) fn get(&self) -> *mut T {
        self.0.with_mut(|value| value)
    }
}

/// Whoever sees that it is set also sees its value.
pub(crate) struct OnceLock<T> {
    is_set: AtomicBool,
    value: std::sync::OnceLock<T>,
}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        Self { is_set: AtomicBool::new(false), value: std::sync::OnceLock::new() }
    }
}

impl<T> OnceLock<T> {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn set(&self, value: T) -> Result<(), T> {
        self.value.set(value)?;
        self.is_set.store(true, Ordering::Release);
        Ok(())
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.is_set.load(Ordering::Acquire).then(|| self.value.get()).flatten()
    }
}

/// A thread that can be woken. loom's own would also be woken by a lock or a join.
#[derive(Clone)]
pub(crate) struct Thread(Arc<Notify>);

loom::thread_local! {
    static THIS: Thread = Thread(Arc::new(Notify::new()));
}

impl Thread {
    pub(crate) fn unpark(&self) {
        self.0.notify();
    }
}

pub(crate) fn current() -> Thread {
    THIS.with(Thread::clone)
}

pub(crate) fn park() {
    current().0.wait();
}

/// A sleep ends in the model as soon as another thread has run.
pub(crate) fn sleep(_: std::time::Duration) {
    yield_now();
}

/// The time limit may expire at any moment.
pub(crate) fn park_timeout(_: std::time::Duration) {
    loom::thread::yield_now();
}
