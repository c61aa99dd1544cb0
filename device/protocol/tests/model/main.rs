//! Explores the interleavings of the protocols, and the values that a relaxed load may return, with loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-protocol --test model --release`.
//!
//! Most participants poll a few times and then drop out: what they do afterwards has no effect, and everyone who
//! depends on them drops out as well. The executions in which nobody dropped out are checked, and counted to make sure
//! that there are some. So these models do not show a wait that never ends.
//!
//! In the models of rings and of tasks, every wait has to end: a participant that has used up its polls stands aside
//! until all others have ended or stand aside too ([`Patience`]). Then they go on, one at a time.
#![cfg(loom)]

mod agent;
mod barriers;
mod chunks;
mod crews;
mod deal;
mod inbox;
mod lines;
mod lock;
mod processor;
mod ring;
mod roles;
mod tasks;
mod trigger;
mod unequal;

use loom::sync::Arc as Shared;
use loom::sync::atomic::{AtomicU64, Ordering::SeqCst, fence};
use loom::thread::{JoinHandle, Thread, current, park, spawn, yield_now};
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The largest models are explored only for this long, and not to their end.
const LONGEST: Duration = Duration::from_secs(3);
/// Polls before a participant drops out.
const LOOKS: usize = 3;

/// The polls that a participant has left.
struct Looks(Cell<usize>);

impl Looks {
    fn new(looks: usize) -> Self {
        Self(Cell::new(looks))
    }

    /// Uses one up, while others run. Returns whether any are left.
    fn go_on(&self) -> bool {
        loom::thread::yield_now();
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() > 0
    }
}

/// Turns after which a wait is endless. In these models, all end sooner.
const ENDLESS: usize = 40;

/// The participants of a model in which every wait has to end.
#[derive(Default)]
struct Turns {
    /// Those that neither have ended nor stand aside.
    running: usize,
    aside: VecDeque<Thread>,
    given: usize,
}

impl Turns {
    /// Someone ends or stands aside. Returns whose turn it is then.
    fn leave(&mut self) -> Option<Thread> {
        self.running -= 1;
        let next = if self.running == 0 { self.aside.pop_front() } else { None }?;
        self.running += 1;
        self.given += 1;
        Some(next)
    }
}

/// A participant that polls a few times while the others run, and stands aside then. When nobody runs any more, it has
/// a turn, in which it sees all that the others did: it polls once and stands aside again, or goes on.
struct Patience {
    looks: Cell<usize>,
    /// No thread is switched to another while it has the lock, so loom need not know of it.
    turns: Arc<Mutex<Turns>>,
}

impl Patience {
    /// The first participant.
    fn first(looks: usize) -> Self {
        let turns = Arc::new(Mutex::new(Turns { running: 1, ..Turns::default() }));
        Self { looks: Cell::new(looks), turns }
    }

    /// Another one.
    fn beside(&self, looks: usize) -> Self {
        self.turns.lock().expect("the turns").running += 1;
        Self { looks: Cell::new(looks), turns: self.turns.clone() }
    }

    /// Called between two polls. Returns true, but fails if the wait does not end.
    fn go_on(&self) -> bool {
        yield_now();
        if self.looks.get() > 0 {
            self.looks.set(self.looks.get() - 1);
            return true;
        }
        fence(SeqCst);
        let me = current();
        let next = {
            let mut turns = self.turns.lock().expect("the turns");
            assert!(turns.given < ENDLESS, "a wait does not end, although nobody else runs");
            turns.aside.push_back(me.clone());
            turns.leave()
        };
        if next.as_ref().is_none_or(|next| next.id() != me.id()) {
            next.inspect(Thread::unpark);
            park();
        }
        fence(SeqCst);
        true
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // What it did is seen by whoever has a turn.
            fence(SeqCst);
            let next = self.turns.lock().expect("the turns").leave();
            next.inspect(Thread::unpark);
        }
    }
}

/// Words that are 0.
fn words<const N: usize>() -> [AtomicU64; N] {
    std::array::from_fn(|_| AtomicU64::new(0))
}

/// `n` of what `one` makes.
fn many<T>(n: usize, one: impl Fn() -> T) -> Vec<T> {
    (0..n).map(|_| one()).collect()
}

/// Starts `n` participants beside `first`, each with so many polls. They share `state` and know their numbers.
fn start<S: 'static>(
    n: usize,
    state: &Shared<S>,
    (first, looks): (&Patience, usize),
    run: impl Fn(usize, &S, Patience) + Copy + 'static,
) -> Vec<JoinHandle<()>> {
    let one = |number| {
        let (state, patience) = (state.clone(), first.beside(looks));
        spawn(move || run(number, &state, patience))
    };
    (0..n).map(one).collect()
}

/// Waits for threads. The caller has dropped its own [`Patience`], or the others would wait for it.
fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    threads.into_iter().for_each(|thread| thread.join().expect("a participant"));
}

/// Explores the executions of `run`, which returns whether all participants passed. Fails if they never do.
fn explore(preemptions: usize, run: impl Fn() -> bool + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    let passed = Arc::new(AtomicUsize::new(0));
    let count = passed.clone();
    model.check(move || {
        if run() {
            passed.fetch_add(1, Relaxed);
        }
    });
    assert!(count.load(Relaxed) > 0, "all executions dropped out: nothing was checked");
}
