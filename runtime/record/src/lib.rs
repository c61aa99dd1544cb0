//! What a PE has done: counters, and events for a timeline.
//!
//! A *record* is memory of fixed size, one for each PE. `shmemrun` makes it and shares it with the PE, so it is there
//! when the PE has ended, whatever the cause. The PE writes it ([`Recorder`]); the launcher reads its bytes
//! ([`Record`]), and makes a table ([`table`]), counters as JSON ([`json`]) or a timeline ([`timeline`]) of the records
//! of all PEs.
//!
//! *One hook, two uses.* Whoever records an operation calls [`Recorder::operation`] or [`Recorder::wait`] once. Both
//! count it, and if the record has room for events, they also keep one.
//!
//! *Who writes.* Counters are changed by relaxed additions of any thread of the PE, and stand alone. An event is
//! written by one thread, which has claimed its number by an addition to the number of events. Its slot is that number
//! modulo the number of slots, so the latest events are kept and the earlier ones are counted as dropped. The number,
//! plus one, is written last, into the slot: a reader believes a slot only if it has the number that it should have. So
//! an event that a PE was writing when it was killed is not seen, and neither is one that was written so late that
//! another thread had come round to its slot. A launch has the number of the kernel's name, which is in a table.
//!
//! *Who reads.* The launcher reads the record when the PE has ended, its events in parts ([`Source`]). This PE's own
//! threads read counters at any time ([`Recorder::counts`], [`Record::so_far`]).

#![forbid(unsafe_code)]

mod align;
mod area;
mod clock;
mod counts;
mod flows;
mod functions;
#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz;
mod json;
mod kernels;
mod names;
mod network;
mod peers;
mod read;
mod streams;
mod table;
mod timeline;

pub use align::align;
pub use area::{EVENT_BYTES, Layout, MOST_TRACKS, Recorder};
pub use clock::{Clock, Reading};
pub use counts::{Count, Waited};
pub use json::json;
pub use names::{Cause, Extra, Operation, Subject, Transfer, Way};
pub use read::{Event, Host, Of, Record, Source};
pub use table::table;
pub use timeline::{Written, timeline};
