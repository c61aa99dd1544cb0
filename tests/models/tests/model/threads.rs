//! An initiator of atomic operations with several threads: numbers, slots and answers of its requests to a node, what a
//! quiet covers, and what comes behind a fence. The code is the library's own, as in `carried_out.rs`; this file plays
//! the network and the node.

use crate::all_of;
use crate::carried_out::request_queue::{Fences, Numbers, Posts, Unread, serve};
use crate::sealed::{sealed, unsealed};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;

/// An initiator's requests to a node with one PE, and the answers.
struct Rig {
    slots: Vec<[AtomicU64; 2]>,
    answers: Vec<[AtomicU64; 2]>,
    turn: AtomicU64,
    done: AtomicU64,
    /// The word to which requests add. Every access is relaxed, and an addition takes two.
    word: AtomicU64,
    numbers: Numbers<AtomicU64>,
    posts: Posts<AtomicU64>,
    unread: Unread<AtomicU64, 1>,
    looks: usize,
}

/// Somebody has waited too long in the model.
struct Late;

/// The contents of request `n`, before its seal: what it adds, and whether it wants an answer.
fn words(n: u64, wants: bool) -> [u64; 2] {
    [10 * n + u64::from(wants), 0]
}

/// The word when `n` requests are carried out.
fn sum(n: u64) -> u64 {
    (1..=n).map(|n| 10 * n).sum()
}

impl Rig {
    fn new(slots: usize, looks: usize) -> Self {
        Self {
            slots: (0..slots).map(|_| Default::default()).collect(),
            answers: (0..slots).map(|_| Default::default()).collect(),
            turn: AtomicU64::new(0),
            done: AtomicU64::new(0),
            word: AtomicU64::new(0),
            numbers: Numbers::default(),
            posts: Posts::default(),
            unread: Unread::default(),
            looks,
        }
    }

    fn slot(&self, n: u64) -> usize {
        n as usize % self.slots.len()
    }

    fn wait(&self, is_over: impl Fn() -> bool) -> Result<(), Late> {
        let found = (0..self.looks).any(|_| {
            let is_over = is_over();
            if !is_over {
                thread::yield_now();
            }
            is_over
        });
        if found { Ok(()) } else { Err(Late) }
    }

    fn has_come_to(&self, n: u64) -> bool {
        self.numbers.seen() >= n || self.numbers.note(self.done.load(Acquire)) >= n
    }

    /// Puts a request as the network would.
    fn put(&self, wants: bool) -> Result<u64, Late> {
        let n = self.numbers.assign(self.slots.len() as u64, |n| {
            self.wait(|| self.has_come_to(n) && !self.unread.is_set(self.slot(n) as u64))
        })?;
        if wants {
            self.unread.expect(self.slot(n) as u64);
            self.answers[self.slot(n)].iter().for_each(|word| word.store(!n, Relaxed));
        }
        // Not behind a fence, which would also order what this thread stores later.
        let words = sealed(n, words(n, wants));
        self.slots[self.slot(n)].iter().zip(words).for_each(|(to, word)| to.store(word, Release));
        Ok(n)
    }

    fn post(&self) -> Result<u64, Late> {
        let n = self.put(false)?;
        self.posts.add();
        Ok(n)
    }

    fn ask(&self) -> Result<u64, Late> {
        let n = self.put(true)?;
        let answer = || unsealed(n, self.answers[self.slot(n)].each_ref()).map(|[found, _]| found);
        self.wait(|| answer().is_some())?;
        assert_eq!(answer(), Some(sum(n - 1)), "the answer to request {n}");
        self.numbers.note(n);
        self.unread.clear(self.slot(n) as u64);
        Ok(n)
    }

    /// Waits for what was posted, with or without what another thread has posted.
    fn quiet(&self, posted: u64) -> Result<(), Late> {
        self.posts.drain(|| {
            let assigned = self.numbers.last_assigned();
            self.wait(|| self.has_come_to(assigned))
        })?;
        assert!(self.word.load(Relaxed) >= sum(posted), "a quiet missed one of {posted} operations");
        Ok(())
    }

    /// The node.
    fn serve(&self) {
        let look = |n: u64| unsealed(n, self.slots[self.slot(n)].each_ref());
        let last = serve(&self.turn, 2, look, |n, [asked, _]: [u64; 2]| {
            let (value, wants) = (asked / 10 * 10, asked % 10);
            assert_eq!(value, words(n, false)[0], "request {n}");
            let word = self.word.load(Relaxed);
            assert_eq!(word, sum(n - 1), "before request {n}");
            self.word.store(word + value, Relaxed);
            if wants == 1 {
                let answer = self.answers[self.slot(n)].iter().zip(sealed(n, [word, 0]));
                answer.for_each(|(to, word)| to.store(word, Release));
            }
        });
        if let Some(last) = last {
            self.done.store(last, Release);
        }
    }
}

/// Two threads do this, while a node carries out what they ask for.
fn explore(
    slots: usize,
    looks: usize,
    preemptions: usize,
    first: fn(&Rig, &AtomicU64) -> Result<(), Late>,
    other: fn(&Rig, &AtomicU64) -> Result<(), Late>,
) {
    all_of(preemptions, move |count| {
        let (rig, told) = (Arc::new(Rig::new(slots, looks)), Arc::new(AtomicU64::new(0)));
        let node = {
            let rig = rig.clone();
            thread::spawn(move || {
                for _ in 0..looks {
                    rig.serve();
                    thread::yield_now();
                }
            })
        };
        let second = {
            let (rig, told) = (rig.clone(), told.clone());
            thread::spawn(move || other(&rig, &told).is_ok())
        };
        let first = first(&rig, &told).is_ok();
        if second.join().unwrap() && first {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        node.join().unwrap();
    });
}

/// Catches a number that two threads get, a request that is put before its slot is free, and a quiet that misses what
/// another thread has posted and told of.
#[test]
fn a_quiet_covers_what_another_thread_has_posted() {
    let first = |rig: &Rig, told: &AtomicU64| {
        let own = rig.post()?;
        rig.quiet(if told.load(Acquire) == 0 { own } else { 2 })
    };
    let other = |rig: &Rig, told: &AtomicU64| {
        rig.post()?;
        told.store(1, Release);
        Ok(())
    };
    explore(2, 3, 2, first, other);
}

/// Catches a slot that is taken again before its request was read, by a thread that was faster than another.
#[test]
fn posts_of_two_threads_to_one_slot() {
    let first = |rig: &Rig, _: &AtomicU64| rig.post().map(drop);
    let other = |rig: &Rig, _: &AtomicU64| {
        rig.post()?;
        rig.post().map(drop)
    };
    explore(1, 4, 2, first, other);
}

/// Catches an answer that is overwritten before it was read, and one that another thread gets.
#[test]
fn answers_to_two_threads_in_one_slot() {
    let both = |rig: &Rig, _: &AtomicU64| rig.ask().map(drop);
    explore(1, 4, 2, both, both);
}

/// Catches a post that takes the slot of an answer, and a quiet that an answer misleads.
#[test]
fn an_answer_and_a_post() {
    let first = |rig: &Rig, _: &AtomicU64| rig.ask().map(drop);
    let other = |rig: &Rig, _: &AtomicU64| {
        let own = rig.post()?;
        rig.quiet(own)
    };
    explore(1, 4, 2, first, other);
    explore(2, 3, 2, first, other);
}

/// What lies between a thread that puts data and calls a fence, the network, and threads whose atomic operations come
/// behind the fence.
#[derive(Default)]
struct Fenced {
    /// The last ticket before a fence, and the one up to which puts have arrived.
    fenced: AtomicU64,
    arrived: AtomicU64,
    data: AtomicU64,
    fences: Fences<AtomicU64>,
    told: AtomicU64,
}

impl Fenced {
    /// Posts an operation, and returns whether it came behind a fence, which it then covers.
    fn operation(&self, looks: usize) -> Result<bool, Late> {
        let is_behind = self.told.load(Acquire) == 1;
        self.fences.pass(|| {
            let has_arrived = (0..looks).any(|_| {
                let has_arrived = self.arrived.load(Acquire) >= self.fenced.load(Relaxed);
                if !has_arrived {
                    thread::yield_now();
                }
                has_arrived
            });
            if has_arrived { Ok(()) } else { Err(Late) }
        })?;
        assert!(!is_behind || self.data.load(Relaxed) == 1, "it overtook what a fence orders before it");
        Ok(is_behind)
    }
}

/// Catches an operation that overtakes puts before a fence: of its own thread, or of another that has told of it, also
/// if a third thread waits for them.
#[test]
fn operations_of_threads_come_behind_a_fence() {
    const LOOKS: usize = 3;
    all_of(2, |count| {
        let fenced = Arc::new(Fenced::default());
        let network = {
            let fenced = fenced.clone();
            thread::spawn(move || {
                for _ in 0..LOOKS {
                    // The put is posted when its ticket is there.
                    if fenced.fenced.load(Acquire) == 1 {
                        fenced.data.store(1, Relaxed);
                        fenced.arrived.store(1, Release);
                        break;
                    }
                    thread::yield_now();
                }
            })
        };
        let other = {
            let fenced = fenced.clone();
            thread::spawn(move || fenced.operation(LOOKS).is_ok_and(|is_behind| is_behind))
        };
        fenced.fenced.store(1, Relaxed);
        fenced.fences.add();
        fenced.told.store(1, Release);
        let own = fenced.operation(LOOKS).is_ok();
        if other.join().unwrap() && own {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        network.join().unwrap();
    });
}
