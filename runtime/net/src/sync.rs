//! The primitives that lanes, bell, hub and driver use. `tests/model` provides loom's under the same names, so that it
//! explores the same source files.

pub(crate) use std::cell::UnsafeCell;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use std::sync::{Mutex, MutexGuard, OnceLock};
pub(crate) use std::thread::{Thread, current, park, park_timeout, sleep, yield_now};
