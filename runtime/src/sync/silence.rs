//! PEs of other nodes that do not answer.
//!
//! A network may not notice that a PE or its machine has died: operations for it then stay under way for ever, or can
//! never start. So a thread of this PE looks at the operations that are under way from time to time. If a PE completes
//! none of those that were under way to it for the limit (`CUSHMEM_NET_LIMIT_S`), they fail
//! ([`Nic::lost`](cushmem_net::Nic::lost)), and the failure ends the job as every failure of the network does.
//!
//! *Only what is under way counts.* So a thread that waits long for a PE makes sure that something is (`probes.rs`). A
//! PE that falls silent when it has answered everything is noticed by the next operation on it, or by the next wait for
//! it. A wait of the program for a word is not such a wait: nobody knows which PE will write it.
//!
//! *A PE of this host that is stopped is not lost.* Its time begins anew when it goes on. The state of its process says
//! whether it is stopped ([`Process`]). A PE of another host that is stopped for the limit cannot be told from one that
//! is lost.
//!
//! *Time in which this process does not run does not count*, because it may be stopped itself: each look adds at most
//! [`LONGEST_STEP`] looks' time.

use crate::sync::guard;
use crate::sync::locked;
use cushmem_net::{Nic, Process, Tag, UnderWay};
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How many looks there are in the limit.
const LOOKS: u32 = 32;
/// The longest time between two looks.
const SELDOM: Duration = Duration::from_millis(250);
/// The time that a look adds at most, as a multiple of the time between two.
const LONGEST_STEP: u32 = 2;
/// So many bytes that are under way lengthen the limit by a second.
const BYTES_PER_SECOND: f64 = (16 << 20) as f64;

/// The thread that finds PEs that do not answer. It ends when this is dropped.
pub(crate) struct Watchdog {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
    process: u32,
}

impl Watchdog {
    /// Starts it. `processes` has that of each PE of this host, and `node` says on which node a PE is.
    pub(crate) fn start(
        nic: Arc<Nic>,
        limit: Duration,
        processes: Vec<Option<u32>>,
        node: impl Fn(u32) -> u32 + Send + 'static,
    ) -> io::Result<Self> {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let stops = stop.clone();
        let watch = move || {
            let mut silence = Silence::new(limit);
            let often = (limit / LOOKS).min(SELDOM);
            let mut last = Instant::now();
            while !sleep(&stops, often) {
                let now = Instant::now();
                let step = (now - last).min(often * LONGEST_STEP);
                last = now;
                let is_stopped = |pe: u32| {
                    let process = processes.get(pe as usize).copied().flatten();
                    process.is_some_and(|process| Process::of(process) == Process::IsStopped)
                };
                for pe in silence.look(step, &nic.under_way(), is_stopped) {
                    let (node, limit) = (node(pe), limit.as_secs_f64());
                    nic.lost(pe, &format!("node {node} has not answered for {limit} s (CUSHMEM_NET_LIMIT_S)"));
                }
            }
        };
        let thread = Builder::new().name("cushmem-silence".to_owned());
        let thread = cushmem_thread::start(thread, || guard::or_abort(watch))?;
        Ok(Self { stop, thread: Some(thread), process: std::process::id() })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // A forked child does not have the thread, so it cannot join it.
        if let Some(thread) = self.thread.take().filter(|_| self.process == std::process::id()) {
            *locked(&self.stop.0) = true;
            self.stop.1.notify_one();
            let _ = thread.join();
        }
    }
}

/// Sleeps for a time, or until the thread is to end; returns whether it is.
fn sleep((stop, bell): &(Mutex<bool>, Condvar), time: Duration) -> bool {
    let waited = bell.wait_timeout_while(locked(stop), time, |stop| !*stop);
    *waited.unwrap_or_else(PoisonError::into_inner).0
}

/// How long each PE has not answered.
struct Silence {
    limit: Duration,
    /// By PE that has operations under way.
    pes: HashMap<u32, Unanswered>,
}

/// What a PE has not answered.
struct Unanswered {
    /// What was under way when the PE last answered. The next answer completes one of these.
    tags: HashSet<Tag>,
    /// How long it has not answered.
    silent: Duration,
}

impl Silence {
    fn new(limit: Duration) -> Self {
        Self { limit, pes: HashMap::new() }
    }

    /// Looks at what is under way now, a step of time after the last look; returns PEs that are lost.
    fn look(&mut self, step: Duration, under_way: &[UnderWay], is_stopped: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut now = HashMap::<u32, (HashSet<Tag>, usize)>::new();
        for operation in under_way {
            let (tags, bytes) = now.entry(operation.peer).or_default();
            tags.insert(operation.tag);
            *bytes += operation.bytes;
        }
        self.pes.retain(|pe, _| now.contains_key(pe));
        let mut lost = Vec::new();
        for (pe, (tags, bytes)) in now {
            match self.pes.get_mut(&pe) {
                Some(unanswered) if unanswered.tags.is_subset(&tags) => {
                    unanswered.silent = if is_stopped(pe) { Duration::ZERO } else { unanswered.silent + step };
                    if unanswered.silent >= self.limit + Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND) {
                        lost.push(pe);
                    }
                }
                _ => drop(self.pes.insert(pe, Unanswered { tags, silent: Duration::ZERO })),
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_secs(1);

    fn under_way(peer: u32, tickets: impl IntoIterator<Item = u64>) -> Vec<UnderWay> {
        tickets.into_iter().map(|ticket| UnderWay { peer, tag: Tag { lane: 1, ticket }, bytes: 8 }).collect()
    }

    /// Returns after how many looks at the same operations the PE is lost.
    fn looks_until_lost(silence: &mut Silence, operations: &[UnderWay]) -> usize {
        let mut looks = std::iter::repeat_with(|| silence.look(STEP, operations, |_| false)).take(100);
        1 + looks.position(|lost| lost == [operations[0].peer]).expect("it is lost")
    }

    #[test]
    fn a_pe_that_answers_nothing_is_lost_after_the_limit() {
        let mut silence = Silence::new(Duration::from_secs(5));
        // The first look begins its time, and eight bytes lengthen the limit a little.
        assert_eq!(looks_until_lost(&mut silence, &under_way(3, [7, 8])), 7);
    }

    /// Catches a PE that is lost although it answers, but slowly, or only a part of what is under way at any time.
    #[test]
    fn an_answer_begins_the_time_anew() {
        let mut silence = Silence::new(Duration::from_secs(5));
        for ticket in 0..100 {
            let operations = under_way(3, ticket..ticket + 256);
            (0..5).for_each(|_| assert_eq!(silence.look(STEP, &operations, |_| false), []));
        }
        // What is newly posted is no answer.
        let mut last = 101;
        let lost = std::iter::repeat_with(|| {
            last += 1;
            silence.look(STEP, &under_way(3, 100..last), |_| false)
        });
        assert!(lost.take(8).any(|lost| lost == [3]));
    }

    #[test]
    fn a_pe_with_nothing_under_way_has_no_time() {
        let mut silence = Silence::new(Duration::from_secs(5));
        (0..5).for_each(|_| assert_eq!(silence.look(STEP, &under_way(3, [1]), |_| false), []));
        assert_eq!(silence.look(STEP, &[], |_| false), []);
        assert_eq!(looks_until_lost(&mut silence, &under_way(3, [1])), 7);
    }

    #[test]
    fn a_stopped_pe_is_not_lost() {
        let mut silence = Silence::new(Duration::from_secs(5));
        (0..100).for_each(|_| assert_eq!(silence.look(STEP, &under_way(3, [1]), |pe| pe == 3), []));
        // It has gone on.
        assert_eq!(looks_until_lost(&mut silence, &under_way(3, [1])), 6);
    }

    /// Catches a PE that is lost because one long put takes longer than the limit.
    #[test]
    fn many_bytes_may_take_longer() {
        let mut silence = Silence::new(Duration::from_secs(5));
        let long = UnderWay { bytes: 10 * (16 << 20), ..under_way(3, [1])[0] };
        assert_eq!(looks_until_lost(&mut silence, &[long]), 1 + 5 + 10);
    }

    /// The others of a job have their own time.
    #[test]
    fn only_the_silent_pe_is_lost() {
        let mut silence = Silence::new(Duration::from_secs(5));
        let lost: Vec<u32> = (0..50)
            .flat_map(|ticket| {
                let operations = [under_way(3, [1]), under_way(4, [100 + ticket])].concat();
                silence.look(STEP, &operations, |_| false)
            })
            .collect();
        assert!(!lost.is_empty() && lost.iter().all(|pe| *pe == 3), "{lost:?}");
    }
}
