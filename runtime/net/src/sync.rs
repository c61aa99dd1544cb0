//! What threads share lanes, bell and hub by. `tests/model` has the same names for loom's, so that it explores those
//! very files.

pub(crate) use std::cell::UnsafeCell;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use std::sync::{Mutex, OnceLock};
pub(crate) use std::thread::{Thread, current, park, park_timeout, yield_now};
