//! The GPU agent: a CPU that posts commands, and the kernels of one stream, each of which carries some out and leaves.
//! Each command has a cell, and loom reports an error if two parties own it at the same time. There is also a test for
//! every mistake against which the protocol guards.

use crate::{LONGEST, LOOKS};
use cushmem_protocol::agent::{GaveUp, Kernel, Life, Owner, Phase, Poster, Posting, Serving, State, serve};
use cushmem_protocol::ring::{ARGUMENTS, Command, WORDS};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};
use loom::thread;
use std::cell::Cell;
use std::sync::Arc as StdArc;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::AtomicUsize as StdAtomicUsize;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    None,
    /// The CPU does not fence after a command.
    CpuDoesNotFence,
    /// The kernel does not fence after `leaving`.
    KernelDoesNotFence,
    /// The kernel does not fence after its first `running`.
    KernelDoesNotFenceFirst,
    /// The kernel does not look once more.
    KernelDoesNotLook,
    /// The CPU carries a command out while the kernel is still leaving.
    CpuDoesNotWait,
    /// The CPU takes back only the first word of a command.
    CpuTakesOneWord,
    /// The CPU does not see that the kernel has announced itself when it takes a command back.
    CpuDoesNotLook,
    /// The CPU does not wait for the kernel to leave after it has failed to take a command back.
    CpuDoesNotLetItLeave,
}

/// How the CPU can carry out a command.
#[derive(Clone, Copy)]
enum Kind {
    /// There is another way, which is taken unless a kernel is running.
    Put,
    /// Only kernels carry it out.
    Atomic,
    /// There is another way, which is taken if the kernel has not started soon.
    AskedPut,
}

struct Trial {
    slots: usize,
    kinds: &'static [Kind],
    /// The minimum number of polls of a kernel; the next field says whether it is tired in any case.
    idle: u64,
    tired: bool,
    mistake: Mistake,
    preemptions: usize,
}

struct Shared {
    state: AtomicU64,
    done: AtomicU64,
    /// The first word of a slot, and one for all others.
    slots: Vec<[AtomicU64; 2]>,
    /// Epoch and first command of the last launch, as the driver passes them on.
    launched: AtomicU64,
    /// The CPU launches no more kernels.
    over: AtomicU64,
    /// How often each command was carried out, and in which order.
    times: Vec<UnsafeCell<u64>>,
    log: StdMutex<Vec<u64>>,
    mistake: Mistake,
}

impl Shared {
    fn note(&self, command: u64) {
        self.times[command as usize - 1].with_mut(|times| {
            // SAFETY: loom fails the test if another thread has access at the same time, or without order.
            unsafe { *times += 1 }
        });
        self.log.lock().expect("nobody panics").push(command);
    }
}

/// The CPU or a kernel, with the polls that it has left and a clock that advances with each reading.
struct Side<'a> {
    shared: &'a Shared,
    looks: Cell<usize>,
    clock: Cell<u64>,
    is_leaving: Cell<bool>,
    /// While the CPU takes a command back: how often it has stored words since.
    taking: Cell<Option<u32>>,
}

impl<'a> Side<'a> {
    fn new(shared: &'a Shared, looks: usize) -> Self {
        let (is_leaving, taking) = (Cell::new(false), Cell::new(None));
        Self { shared, looks: Cell::new(looks), clock: Cell::new(0), is_leaving, taking }
    }

    fn goes_on(&self) -> bool {
        thread::yield_now();
        self.looks.set(self.looks.get().saturating_sub(1));
        self.looks.get() > 0
    }
}

impl Serving for Side<'_> {
    const LOOKS: u32 = 1;
    fn slots(&self) -> u64 {
        self.shared.slots.len() as u64
    }
    fn load(&self, slot: u64) -> [u64; WORDS] {
        if self.is_leaving.get() && self.shared.mistake == Mistake::KernelDoesNotLook {
            return [0; WORDS];
        }
        let [first, others] = &self.shared.slots[slot as usize];
        let mut words = [others.load(Relaxed); WORDS];
        words[0] = first.load(Relaxed);
        words
    }
    fn carry_out(&self, number: u64, command: &Command) {
        assert_eq!(command.arguments, [command.head; ARGUMENTS], "words of two commands");
        assert_ne!(command.head, 0, "words that took a command back");
        self.shared.note(command.head);
        self.shared.done.store(number, Release);
    }
    fn announce(&self, state: u64) {
        self.shared.state.store(state, Relaxed);
        self.is_leaving.set(state & 2 != 0);
    }
    fn leave(&self, state: u64) {
        self.shared.state.store(state, Release);
    }
    fn fence(&self) {
        let left_out =
            if self.is_leaving.get() { Mistake::KernelDoesNotFence } else { Mistake::KernelDoesNotFenceFirst };
        if self.shared.mistake != left_out {
            fence(SeqCst);
        }
    }
    fn now(&self) -> u64 {
        self.clock.set(self.clock.get() + 1);
        self.clock.get()
    }
    fn pause(&self) {
        thread::yield_now();
    }
}

impl Posting for Side<'_> {
    fn slots(&self) -> u64 {
        self.shared.slots.len() as u64
    }
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        let [first, others] = &self.shared.slots[slot as usize];
        if self.taking.get().is_none() || self.shared.mistake != Mistake::CpuTakesOneWord {
            others.store(words[1], Relaxed);
        }
        first.store(words[0], Relaxed);
        self.taking.set(self.taking.get().map(|stores| stores + 1));
    }
    fn fence(&self) {
        if self.shared.mistake != Mistake::CpuDoesNotFence {
            fence(SeqCst);
        }
    }
    fn state(&self) -> u64 {
        let state = self.shared.state.load(Acquire);
        let of_an_older_kernel = State { epoch: u32::MAX, phase: Phase::Left, tired: false, after: 0 }.bits();
        match (self.shared.mistake, self.taking.get(), State::of_bits(state)) {
            (Mistake::CpuDoesNotLook, Some(_), _) => of_an_older_kernel,
            (Mistake::CpuDoesNotLetItLeave, Some(2), State { phase: Phase::Running, .. }) => of_an_older_kernel,
            (Mistake::CpuDoesNotWait, _, State { epoch, phase: Phase::Leaving, .. }) => {
                State { epoch, phase: Phase::Left, tired: false, after: u32::MAX }.bits()
            }
            _ => state,
        }
    }
    fn carried_out(&self) -> u64 {
        self.shared.done.load(Acquire)
    }
    fn pause(&self) -> bool {
        self.goes_on()
    }
}

/// Posts a command. An execution in which the kernel is slow drops out; one in which nobody makes room any more does
/// not.
fn post_one(poster: &mut Poster, side: &Side<'_>, command: &Command) -> Result<Owner, GaveUp> {
    let before = poster.posted();
    let posted = poster.post(side, command);
    let waited_for_room = posted.is_err() && poster.posted() == before;
    if !waited_for_room || !matches!(poster.kernel(side), Kernel::Exited { .. }) {
        return posted;
    }
    // Everything that the kernel did is visible now.
    side.looks.set(LOOKS);
    let posted = poster.post(side, command);
    assert!(poster.posted() > before, "no kernel is there, and nobody makes room");
    posted
}

/// The CPU: posts its commands to the kernels, one after the other.
fn post(trial: &Trial, shared: &Shared) -> Result<(), GaveUp> {
    let (side, mut poster) = (Side::new(shared, LOOKS), Poster::default());
    let launch = |poster: &mut Poster, waits| {
        let launched = poster.launch(waits, |epoch, first| {
            shared.launched.store(u64::from(epoch) << 32 | first, Release);
            Ok::<(), ()>(())
        });
        launched.expect("it is launched");
    };
    launch(&mut poster, false);
    // The last command that is a kernel's.
    let mut owed = 0;
    for (at, kind) in (1..).zip(trial.kinds) {
        let command = Command { head: at, arguments: [at; ARGUMENTS] };
        // What atomic operations wait for comes first, so that the log has a defined order.
        while !matches!(kind, Kind::Atomic)
            && poster.kernel(&side) == Kernel::Starting
            && shared.done.load(Acquire) < owed
        {
            if !side.goes_on() {
                return Err(GaveUp);
            }
        }
        match (kind, poster.kernel(&side)) {
            (Kind::Atomic | Kind::AskedPut, _) => {
                if post_one(&mut poster, &side, &command)? == Owner::Cpu {
                    launch(&mut poster, true);
                }
                let is_asked = matches!(kind, Kind::AskedPut);
                if is_asked && poster.kernel(&side) == Kernel::Starting {
                    side.taking.set(Some(0));
                    let owner = poster.take_back(&side, &command)?;
                    side.taking.set(None);
                    if owner == Owner::Cpu {
                        shared.note(at);
                        continue;
                    }
                }
                owed = poster.posted();
            }
            (Kind::Put, Kernel::Running) => {
                if post_one(&mut poster, &side, &command)? == Owner::Cpu {
                    shared.note(at);
                } else {
                    owed = poster.posted();
                }
            }
            (Kind::Put, Kernel::Starting) => shared.note(at),
            (Kind::Put, Kernel::Exited { .. }) => {
                shared.note(at);
                launch(&mut poster, false);
            }
        }
    }
    Ok(())
}

/// The stream: runs each kernel that was launched, one after the other. Returns whether it has reached the end.
fn run(trial: &Trial, shared: &Shared) -> bool {
    let side = Side::new(shared, 2 * LOOKS);
    let mut epoch = 0;
    loop {
        let is_over = shared.over.load(Acquire) != 0;
        let launched = shared.launched.load(Acquire);
        if (launched >> 32) as u32 != epoch {
            epoch = (launched >> 32) as u32;
            let (idle, longest) = (trial.idle, if trial.tired { 0 } else { u64::MAX });
            serve(&side, &Life { epoch, first: u64::from(launched as u32), idle, longest });
        } else if is_over {
            return true;
        } else if !side.goes_on() {
            return false;
        }
    }
}

fn explore(trial: &'static Trial) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(trial.preemptions);
    model.max_duration = Some(LONGEST);
    let passed = StdArc::new(StdAtomicUsize::new(0));
    let count = passed.clone();
    model.check(move || {
        let word = || AtomicU64::new(0);
        let shared = Arc::new(Shared {
            state: word(),
            done: word(),
            slots: (0..trial.slots).map(|_| [word(), word()]).collect(),
            launched: word(),
            over: word(),
            times: trial.kinds.iter().map(|_| UnsafeCell::new(0)).collect(),
            log: StdMutex::default(),
            mistake: trial.mistake,
        });
        let stream = {
            let shared = shared.clone();
            thread::spawn(move || run(trial, &shared))
        };
        let posted = post(trial, &shared).is_ok();
        shared.over.store(1, Release);
        let ran = stream.join().expect("the stream");
        if posted && ran {
            let log = shared.log.lock().expect("nobody panics");
            assert_eq!(*log, (1..=trial.kinds.len() as u64).collect::<Vec<_>>(), "not each command once, in order");
            passed.fetch_add(1, Relaxed);
        }
    });
    assert!(count.load(Relaxed) > 0, "all executions dropped out: nothing was checked");
}

const ATOMICS: Trial = Trial {
    slots: 2,
    kinds: &[Kind::Atomic, Kind::Atomic],
    idle: 0,
    tired: false,
    mistake: Mistake::None,
    preemptions: 3,
};
const PUTS: Trial = Trial { kinds: &[Kind::Put, Kind::Put], idle: 2, ..ATOMICS };

const ASKED: Trial = Trial { kinds: &[Kind::AskedPut, Kind::AskedPut], ..ATOMICS };

/// A kernel that stays long enough to go once around the ring.
const AROUND: Trial = Trial { kinds: &[Kind::AskedPut, Kind::AskedPut, Kind::AskedPut], idle: 2, ..ATOMICS };

macro_rules! explore {
    ($($field:ident: $value:expr),*; $base:expr) => {{
        static TRIAL: Trial = Trial { $($field: $value,)* ..$base };
        explore(&TRIAL);
    }};
}

#[test]
fn atomics_are_carried_out_once() {
    explore!(; ATOMICS);
}

#[test]
fn a_kernel_that_stays_a_while() {
    explore!(idle: 2; ATOMICS);
}

#[test]
fn a_tired_kernel_loses_nothing() {
    explore!(tired: true; ATOMICS);
}

#[test]
fn puts_are_the_cpus_or_the_kernels() {
    explore!(; PUTS);
}

#[test]
fn one_slot_is_used_again() {
    explore!(slots: 1, kinds: &[Kind::Put, Kind::Atomic, Kind::Put]; PUTS);
}

#[test]
fn commands_are_taken_back_once() {
    explore!(; ASKED);
}

#[test]
fn a_kernel_without_a_command_starts() {
    explore!(kinds: &[Kind::Put, Kind::AskedPut, Kind::AskedPut]; ASKED);
}

#[test]
fn a_slot_is_used_again_for_what_was_taken_back() {
    explore!(kinds: &[Kind::AskedPut, Kind::AskedPut, Kind::AskedPut]; ASKED);
}

/// Catches a kernel that goes once around the ring, and carries out the words that were to take a command back: they
/// have the lap of the next command in their slot, and nothing orders what it loads.
#[test]
fn a_slot_whose_command_was_not_taken_back_is_used_again() {
    explore!(; AROUND);
}

/// Catches a command that overwrites one with which a kernel was launched.
#[test]
fn one_slot_is_used_again_after_a_launch() {
    explore!(slots: 1; ATOMICS);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_kernel_that_does_not_fence_first_is_found() {
    explore!(mistake: Mistake::KernelDoesNotFenceFirst; ASKED);
}

#[test]
#[should_panic(expected = "words of two commands")]
fn a_cpu_that_takes_one_word_back_is_found() {
    explore!(mistake: Mistake::CpuTakesOneWord; ASKED);
}

#[test]
#[should_panic]
fn a_cpu_that_does_not_look_when_it_takes_back_is_found() {
    explore!(mistake: Mistake::CpuDoesNotLook; ASKED);
}

#[test]
#[should_panic(expected = "words that took a command back")]
fn a_cpu_that_does_not_let_the_kernel_leave_is_found() {
    explore!(mistake: Mistake::CpuDoesNotLetItLeave; AROUND);
}

#[test]
#[should_panic(expected = "not each command once")]
fn a_cpu_that_does_not_fence_is_found() {
    explore!(mistake: Mistake::CpuDoesNotFence; ATOMICS);
}

#[test]
#[should_panic(expected = "not each command once")]
fn a_kernel_that_does_not_fence_is_found() {
    explore!(mistake: Mistake::KernelDoesNotFence; ATOMICS);
}

#[test]
#[should_panic(expected = "not each command once")]
fn a_kernel_that_does_not_look_again_is_found() {
    explore!(mistake: Mistake::KernelDoesNotLook; ATOMICS);
}

#[test]
#[should_panic]
fn a_cpu_that_does_not_wait_is_found() {
    explore!(mistake: Mistake::CpuDoesNotWait; PUTS);
}
