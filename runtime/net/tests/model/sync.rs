//! What threads share lanes, bell and hub by: loom's, or the model's own on them where loom has none.

pub(crate) use loom::sync::Mutex;
use loom::sync::Notify;
pub(crate) use loom::sync::atomic::{AtomicU64, Ordering, fence};

use std::sync::Arc;

/// Where a store and a swap have not seen each other, loom knows no order between them, not even that a swap comes next to what it found. So a store is a
/// swap here.
#[derive(Default)]
pub(crate) struct AtomicBool(loom::sync::atomic::AtomicBool);

impl AtomicBool {
    pub(crate) fn new(value: bool) -> Self {
        Self(loom::sync::atomic::AtomicBool::new(value))
    }

    pub(crate) fn load(&self, order: Ordering) -> bool {
        self.0.load(order)
    }

    pub(crate) fn store(&self, value: bool, order: Ordering) {
        self.0.swap(value, order);
    }

    pub(crate) fn swap(&self, value: bool, order: Ordering) -> bool {
        self.0.swap(value, order)
    }
}

/// Every use is an access that nobody else may have at the time, or without order.
pub(crate) struct UnsafeCell<T>(loom::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(loom::cell::UnsafeCell::new(value))
    }

    pub(crate) fn get(&self) -> *mut T {
        self.0.with_mut(|value| value)
    }
}

/// It is seen by those who see that it is set.
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

/// A thread that can be woken. loom's own would also be woken from a lock or a join.
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

/// The time may be over at any moment.
pub(crate) fn park_timeout(_: std::time::Duration) {
    loom::thread::yield_now();
}
