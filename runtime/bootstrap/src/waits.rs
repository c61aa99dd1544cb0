//! What the threads of this process are waiting in, for the launcher to ask.
//!
//! A thread that has waited for a while publishes its wait here, and withdraws it when it continues; [`describe`] lists
//! the published waits. The list is behind a mutex, which a thread holds only while it copies a few lines. Short waits
//! are not published, so paths that take nanoseconds need neither the mutex nor an allocation. A wait inside the driver
//! is always published, because its thread does not return in between. Waits that do not belong to a thread of this
//! process, such as a kernel's, are looked up when the launcher asks ([`look_up`]), and so are facts worth reporting
//! that are not waits ([`note`]).

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crate::error::{PeList, Seconds};

/// A shorter wait is not published: it would usually end before anybody could read it.
pub const PUBLISH_AFTER: Duration = Duration::from_millis(10);
/// The most waits that are listed. A program with more waiting threads lists the longest waits.
const MAX_LISTED: usize = 8;

/// A wait, described for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The operation and its object: `barrier 17`.
    pub what: String,
    /// The PEs that it waits for, if they are known.
    pub late: Vec<u32>,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if self.late.is_empty() { Ok(()) } else { write!(f, ": waiting for {}", PeList(&self.late)) }
    }
}

type LookUp = Box<dyn Fn() -> Option<String> + Send>;

struct Entry {
    since: Instant,
    thread: ThreadId,
    wait: Wait,
}

struct List {
    next: u64,
    waits: BTreeMap<u64, Entry>,
    looked_up: BTreeMap<u64, LookUp>,
    notes: BTreeMap<u64, LookUp>,
}

static LIST: Mutex<List> =
    Mutex::new(List { next: 0, waits: BTreeMap::new(), looked_up: BTreeMap::new(), notes: BTreeMap::new() });

fn list() -> MutexGuard<'static, List> {
    // Each change is a single call on the map, so a panic elsewhere leaves the map intact.
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

impl List {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// A published wait; dropping it withdraws it.
#[derive(Debug)]
pub struct Published(u64);

/// Publishes a wait of this thread that started at `since`.
pub fn publish(since: Instant, wait: Wait) -> Published {
    let mut list = list();
    let number = list.number();
    list.waits.insert(number, Entry { since, thread: thread::current().id(), wait });
    Published(number)
}

/// The wait that this thread has published.
pub fn of_thread(thread: ThreadId) -> Option<Wait> {
    list().waits.values().find(|entry| entry.thread == thread).map(|entry| entry.wait.clone())
}

/// Calls `what` whenever the waits are asked for, until the returned value is dropped. `what` says what is waiting at
/// that moment, if anything is. It must not publish or withdraw a wait.
pub fn look_up(what: impl Fn() -> Option<String> + Send + 'static) -> Published {
    let mut list = list();
    let number = list.number();
    list.looked_up.insert(number, Box::new(what));
    Published(number)
}

/// Like [`look_up`], for a line that is not about a wait: a PE that has only notes is computing.
pub fn note(what: impl Fn() -> Option<String> + Send + 'static) -> Published {
    let mut list = list();
    let number = list.number();
    list.notes.insert(number, Box::new(what));
    Published(number)
}

impl Published {
    /// Replaces the published wait by another that started at the same time.
    pub fn update(&self, wait: Wait) {
        if let Some(entry) = list().waits.get_mut(&self.0) {
            entry.wait = wait;
        }
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        let mut list = list();
        list.waits.remove(&self.0);
        list.looked_up.remove(&self.0);
        list.notes.remove(&self.0);
    }
}

/// The published waits on one line; empty if there are none.
pub fn describe() -> String {
    let list = list();
    let mut longest: Vec<_> = list.waits.values().collect();
    longest.sort_by_key(|entry| entry.since);
    let mut text = String::new();
    for Entry { since, wait, .. } in longest.iter().take(MAX_LISTED) {
        let separator = if text.is_empty() { "" } else { "; " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{separator}{wait} for {}", Seconds(tenths(since.elapsed())));
    }
    if longest.len() > MAX_LISTED {
        // Writing to a string cannot fail.
        let _ = write!(text, "; {} more threads", longest.len() - MAX_LISTED);
    }
    for what in list.looked_up.values().filter_map(|what| what()) {
        text += if text.is_empty() { "" } else { "; " };
        text += &what;
    }
    cushmem_environment::printable(&text)
}

/// The notes, each on a line of its own, preceded by a line break.
pub fn notes() -> String {
    list().notes.values().filter_map(|what| what()).map(|note| format!("\n{note}")).collect()
}

/// Truncates a duration to tenths of a second, which is precise enough for people.
fn tenths(duration: Duration) -> Duration {
    Duration::from_millis(duration.as_millis() as u64 / 100 * 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This is one test, because all threads of the process share the list.
    #[test]
    fn waits_are_listed_longest_first_until_they_end() {
        let wait = |what: &str, late: &[u32]| Wait { what: what.into(), late: late.into() };
        let now = Instant::now();
        assert_eq!(describe(), "");
        let barrier = publish(now, wait("barrier 17", &[1]));
        let lock = publish(now - Duration::from_millis(3250), wait("set_lock", &[]));
        assert_eq!(describe(), "set_lock for 3.2 s; barrier 17: waiting for PE 1 for 0 s");
        lock.update(wait("set_lock", &[2, 5]));
        drop(barrier);
        assert_eq!(describe(), "set_lock: waiting for PEs 2, 5 for 3.2 s");
        // A name of the program's own must not begin a line.
        lock.update(wait("fence a\nb", &[]));
        assert_eq!(describe(), r"fence a\x0ab for 3.2 s");
        assert_eq!(of_thread(thread::current().id()), Some(wait("fence a\nb", &[])));
        let other = thread::spawn(|| thread::current().id()).join().expect("a thread");
        assert_eq!(of_thread(other), None);
        drop(lock);
        assert_eq!(of_thread(thread::current().id()), None);
        let mut many: Vec<_> = (0..10).map(|i| publish(now, wait(&format!("wait {i}"), &[]))).collect();
        assert!(describe().ends_with("; 2 more threads"), "{}", describe());
        many.truncate(MAX_LISTED);
        assert!(describe().contains("wait 7 for") && !describe().contains("more threads"), "{}", describe());
        drop(many);
        let none = look_up(|| None);
        assert_eq!(describe(), "");
        let kernel = look_up(|| Some("a lane".into()));
        assert_eq!(describe(), "a lane");
        let barrier = publish(now, wait("barrier 18", &[]));
        assert_eq!(describe(), "barrier 18 for 0 s; a lane");
        let noted = [note(|| Some("3 commands".into())), note(|| None), note(|| Some("4 copies".into()))];
        assert_eq!((describe(), notes()), ("barrier 18 for 0 s; a lane".into(), "\n3 commands\n4 copies".into()));
        drop((none, kernel, barrier));
        assert_eq!(describe(), "");
        drop(noted);
        assert_eq!(notes(), "");
    }
}
