//! Initiators that put tasks into a tiny row, and blocks that take them. Every wait has to end.
//!
//! Loom never lets a load return what is stored later, so a slot that is overwritten too early would not show up in
//! atomic words. In models with one block, which reads no slot in vain, the words are therefore memory whose accesses
//! must be ordered. With two blocks they cannot be: the block that does not get the task reads words of the next lap.

use crate::{LOOKS, Patience, join, many, start, words};
use cushmem_protocol::tasks::{
    INLINE, Looking, Putting, PuttingLater, Taking, WORDS, await_slot, claim_when_free, halves, has_come, is_inline,
    is_there, look, mark, ready, take, to_read, watch, word_of,
};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};

struct Row {
    tickets: AtomicU64,
    taken_seen: AtomicU64,
    taken: AtomicU64,
    /// Of each slot: `ready`, and two words that stand for all.
    slots: Vec<[AtomicU64; 3]>,
    /// The two words of each slot, in models with one block.
    alone: Option<Vec<UnsafeCell<[u64; 2]>>>,
    /// Of each slot, the halves of a word of the task and of one of its data, if they are inline.
    inline: Vec<[AtomicU64; 4]>,
    /// The data of each task, which it names. Loom reports an error if it is accessed without order.
    data: Vec<UnsafeCell<u64>>,
    /// How often each task was taken.
    runs: Vec<AtomicU64>,
}

impl Row {
    fn new(slots: usize, tasks: usize, is_alone: bool) -> Self {
        let [tickets, taken_seen, taken] = words();
        Self {
            tickets,
            taken_seen,
            taken,
            slots: many(slots, words),
            alone: is_alone.then(|| many(slots, || UnsafeCell::new([0; 2]))),
            inline: many(slots, words),
            data: many(tasks, || UnsafeCell::new(0)),
            runs: many(tasks, || AtomicU64::new(0)),
        }
    }
}

/// An initiator or a block.
struct Side<'a>(&'a Row, Patience);

impl Putting for Side<'_> {
    fn slots(&self) -> u64 {
        self.0.slots.len() as u64
    }
    fn taken_seen(&self) -> u64 {
        self.0.taken_seen.load(Acquire)
    }
    fn look_at_taken(&self) -> u64 {
        let taken = self.0.taken.load(Acquire);
        fence(Release);
        self.0.taken_seen.fetch_max(taken, Relaxed);
        taken
    }
    fn pause(&self) -> bool {
        self.1.go_on()
    }
}

impl PuttingLater for Side<'_> {
    fn tickets(&self) -> u64 {
        self.0.tickets.load(Relaxed)
    }
    fn take_if(&self, ticket: u64) -> bool {
        self.0.tickets.compare_exchange(ticket, ticket + 1, Relaxed, Relaxed).is_ok()
    }
}

impl Looking for Side<'_> {
    fn slots(&self) -> u64 {
        self.0.slots.len() as u64
    }
    fn ready(&self, slot: u64) -> u64 {
        self.0.slots[slot as usize][0].load(Acquire)
    }
}

impl Taking for Side<'_> {
    fn words(&self, slot: u64) -> [u64; WORDS] {
        let (slot, mut words) = (slot as usize, [0; WORDS]);
        [words[0], words[WORDS - 1]] = match &self.0.alone {
            // SAFETY: loom fails the test if an initiator writes them at the same time, or without order.
            Some(alone) => alone[slot].with(|words| unsafe { *words }),
            None => [1, 2].map(|i| self.0.slots[slot][i].load(Relaxed)),
        };
        words
    }
    fn taken(&self) -> u64 {
        self.0.taken.load(Relaxed)
    }
    fn take(&self, ticket: u64, n: u64) -> u64 {
        match self.0.taken.compare_exchange(ticket, ticket + n, Relaxed, Relaxed) {
            Ok(before) | Err(before) => before,
        }
    }
    fn release(&self) {
        fence(Release);
    }
    fn store_taken(&self, taken: u64) {
        self.0.taken.store(taken, Release);
    }
}

/// What a block found.
#[derive(PartialEq)]
enum Found {
    Nothing,
    /// Tasks of which others were faster, or have been.
    Gone,
    /// Tasks that it has taken and run.
    Ran,
}

impl Side<'_> {
    /// The task's number and its data, if the block finds all of both.
    fn inline(&self, ticket: u64) -> Option<[u64; 2]> {
        let slots = Looking::slots(self);
        let [a, b, c, d] = &self.0.inline[(ticket % slots) as usize];
        let word = |[low, high]: [&AtomicU64; 2]| word_of([low.load(Relaxed), high.load(Relaxed)], mark(ticket, slots));
        Some([word([a, b])?, word([c, d])?])
    }

    /// Stores a task and its data inline. In either order: a GPU guarantees none.
    fn store_inline(&self, ticket: u64, task: u64) {
        let slots = Putting::slots(self);
        let slot = &self.0.inline[(ticket % slots) as usize];
        let [[a, b], [c, d]] = [task, DATA | task].map(|word| halves(word, mark(ticket, slots)));
        self.0.slots[(ticket % slots) as usize][0].store(INLINE | ready(ticket), Relaxed);
        slot.iter().zip([a, b, c, d]).rev().for_each(|(half, value)| half.store(value, Relaxed));
    }
}

/// In both halves of inline data.
const DATA: u64 = 1 << 40 | 1 << 20;

/// Has a block look once, and run some of up to `at_once` tasks.
fn attempt(side: &Side<'_>, next: &mut u64, (blocks, at_once): (usize, u64)) -> Found {
    let (row, slots, blocks, first) = (side.0, Looking::slots(side), blocks as u32, *next);
    let is = look(side, first);
    if !has_come(is, first) {
        return Found::Nothing;
    }
    let looks: Vec<_> = [is].into_iter().chain((1..at_once).map(|i| look(side, first + i))).collect();
    let there = |i: usize| u32::from(is_there(looks[i], first + i as u64)) << i;
    let mut come = (0..looks.len()).fold(0, |come, i| come | there(i));
    let mut words = vec![];
    for i in 0..to_read(come, blocks) {
        let ticket = first + u64::from(i);
        if !is_inline(looks[i as usize]) {
            words.push(side.words(ticket % slots));
            continue;
        }
        let mut found = [0; WORDS];
        match side.inline(ticket) {
            Some([task, data]) => [found[0], found[1], found[WORDS - 1]] = [task, data, task],
            None => come &= !(1 << i),
        }
        words.push(found);
    }
    let (at, n) = take(side, first, come, blocks, next);
    assert!(n > 0 || blocks > 1 || come & 1 == 0, "nobody else takes tasks");
    if n == 0 {
        return Found::Gone;
    }
    if blocks == 1 {
        side.store_taken(*next);
    }
    for words in &words[at as usize..(at + n) as usize] {
        let task = words[0] as usize;
        assert_eq!(words[0], words[WORDS - 1], "a task mixed with another");
        assert_eq!(row.runs[task].fetch_add(1, Relaxed), 0, "a task twice");
        if words[1] != 0 {
            assert_eq!(words[1], DATA | task as u64, "data of another task");
            continue;
        }
        // SAFETY: loom fails the test if an initiator writes it at the same time, or without order.
        row.data[task].with(|data| assert_eq!(unsafe { *data }, task as u64 + 1));
    }
    Found::Ran
}

/// How the executor comes to its tasks.
#[derive(Clone, Copy, PartialEq)]
enum Executor {
    /// It stays.
    Resident,
    /// It stays, and takes tasks as one of several blocks does, although there is no other: so nobody else reads words,
    /// and loom sees whether they are read before the change of `taken`.
    OneOfTwo,
    /// It stays, and two of three tasks are inline.
    Inline,
    /// A CPU launches it when it has seen tasks.
    Launched,
}

/// Each initiator puts `rounds` tasks, and the blocks take all of them. Initiators take tickets
/// `later` if they are CPUs. `blocks` are how many there are, and how many tasks one takes at once.
fn explore(initiators: (usize, bool), rounds: usize, blocks: (usize, u64), slots: usize, preemptions: usize) {
    explore_for(Executor::Resident, initiators, rounds, blocks, slots, preemptions);
}

fn explore_for(
    executor: Executor,
    (initiators, later): (usize, bool),
    rounds: usize,
    (blocks, at_once): (usize, u64),
    slots: usize,
    preemptions: usize,
) {
    let tasks = initiators * rounds;
    let is_alone = blocks == 1;
    crate::explore(preemptions, move || {
        let row = Arc::new(Row::new(slots, tasks, is_alone));
        let put = move |number: usize, row: &Row, patience| {
            let side = Side(row, patience);
            for round in 0..rounds {
                let task = number * rounds + round;
                // SAFETY: loom fails the test if a block reads it at the same time, or without order.
                row.data[task].with_mut(|data| unsafe { *data = task as u64 + 1 });
                let claim = || {
                    let ticket = row.tickets.fetch_add(1, Relaxed);
                    await_slot(&side, ticket).map(|()| ticket)
                };
                let ticket = if later { claim_when_free(&side) } else { claim() }.expect("a slot");
                if executor == Executor::Inline && task % 3 != 1 {
                    side.store_inline(ticket, task as u64);
                    continue;
                }
                let slot = &row.slots[ticket as usize % slots];
                match &row.alone {
                    Some(alone) => {
                        // SAFETY: loom fails the test if the block reads them at the same time, or without order.
                        alone[ticket as usize % slots].with_mut(|words| unsafe { *words = [task as u64; 2] })
                    }
                    // In either order: a GPU guarantees none.
                    None => [2, 1].into_iter().for_each(|i| slot[i].store(task as u64, Relaxed)),
                }
                slot[0].store(ready(ticket), Release);
            }
        };
        let stay = move |side: &Side<'_>| {
            let mut next = side.taken();
            while side.0.taken.load(Relaxed) < tasks as u64 {
                let known = if executor == Executor::OneOfTwo { 2 } else { blocks };
                if attempt(side, &mut next, (known, at_once)) != Found::Ran {
                    side.1.go_on();
                }
            }
        };
        let launch = move |cpu: &Side<'_>| {
            let mut seen = 0;
            while seen < tasks as u64 {
                if watch(cpu, &mut seen) {
                    let mut next = cpu.taken();
                    while attempt(cpu, &mut next, (blocks, at_once)) != Found::Nothing {}
                    assert!(cpu.0.taken.load(Relaxed) >= seen, "a launch has left a task that had come");
                } else {
                    cpu.1.go_on();
                }
            }
        };
        let run = move |_, row: &Row, patience| {
            let side = Side(row, patience);
            if executor == Executor::Launched { launch(&side) } else { stay(&side) }
        };
        let first = Patience::first(LOOKS * tasks);
        let putting = start(initiators, &row, (&first, LOOKS), put);
        let taking = start(blocks - 1, &row, (&first, LOOKS * tasks), run);
        run(0, &row, first);
        join(putting.into_iter().chain(taking));
        assert!(row.runs.iter().all(|runs| runs.load(Relaxed) == 1), "a task was lost");
        true
    });
}

/// One initiator wraps around the row: it must wait for the block, lap after lap.
#[test]
fn one_initiator_fills_the_row() {
    explore((1, false), 3, (1, 1), 1, 3);
}

#[test]
fn one_of_two_blocks_changes_taken_behind_its_reads() {
    explore_for(Executor::OneOfTwo, (1, false), 3, (1, 1), 1, 3);
    explore_for(Executor::OneOfTwo, (1, false), 4, (1, 2), 2, 3);
}

/// Catches a block that takes a task of which a half is still that of another lap.
#[test]
fn tasks_inline() {
    explore_for(Executor::Inline, (1, false), 4, (1, 1), 1, 3);
    explore_for(Executor::Inline, (1, false), 4, (1, 2), 2, 3);
    explore_for(Executor::Inline, (2, false), 1, (1, 1), 1, 3);
    explore_for(Executor::Inline, (2, false), 2, (1, 1), 1, 2);
}

#[test]
fn two_blocks_take_tasks_inline_once() {
    explore_for(Executor::Inline, (1, false), 2, (2, 1), 1, 2);
    explore_for(Executor::Inline, (1, false), 3, (2, 2), 2, 2);
}

#[test]
fn two_initiators_share_a_slot() {
    explore((2, false), 1, (1, 1), 1, 3);
}

#[test]
fn two_blocks_take_each_task_once() {
    explore((1, false), 2, (2, 1), 2, 2);
}

/// Two tasks are there. Of two blocks, one takes the first, and the other one, which has read both, the second.
#[test]
fn a_block_tries_again_behind_another() {
    crate::explore(3, || {
        let row = Row::new(2, 2, false);
        for (task, [is, words @ ..]) in row.slots.iter().enumerate() {
            // SAFETY: there is no other thread yet.
            row.data[task].with_mut(|data| unsafe { *data = task as u64 + 1 });
            words.iter().for_each(|word| word.store(task as u64, Relaxed));
            is.store(ready(task as u64), Relaxed);
        }
        let (row, first) = (Arc::new(row), Patience::first(LOOKS));
        let run = |_, row: &Row, patience| {
            let found = attempt(&Side(row, patience), &mut 0, (2, 2));
            assert!(found == Found::Ran, "there is a task for each");
        };
        let taking = start(1, &row, (&first, LOOKS), run);
        run(0, &row, first);
        join(taking);
        assert_eq!(row.taken.load(Relaxed), 2);
        true
    });
}

/// The first and the third of three tasks are there. One block has seen that, and the other one takes the first two
/// when the second has come. Catches a block that takes the third without having read its words.
#[test]
fn a_block_takes_only_what_it_has_read() {
    crate::explore(3, || {
        let row = Row::new(4, 3, false);
        let put = |row: &Row, task: usize| {
            let [is, words @ ..] = &row.slots[task];
            // SAFETY: loom fails the test if a block reads it at the same time, or without order.
            row.data[task].with_mut(|data| unsafe { *data = task as u64 + 1 });
            words.iter().for_each(|word| word.store(task as u64, Relaxed));
            is.store(ready(task as u64), Release);
        };
        [0, 2].map(|task| put(&row, task));
        let (row, first) = (Arc::new(row), Patience::first(LOOKS));
        let putting = start(1, &row, (&first, LOOKS), move |_, row: &Row, _| put(row, 1));
        let run = |_, row: &Row, patience| {
            let side = Side(row, patience);
            let mut next = 0;
            while side.taken() < 3 {
                if attempt(&side, &mut next, (2, 3)) != Found::Ran {
                    side.1.go_on();
                }
            }
        };
        let taking = start(1, &row, (&first, LOOKS), run);
        run(0, &row, first);
        join(putting.into_iter().chain(taking));
        true
    });
}

#[test]
fn two_blocks_and_a_lap() {
    explore((1, false), 2, (2, 1), 1, 2);
}

#[test]
fn one_initiator_takes_tickets_of_free_slots() {
    explore((1, true), 3, (1, 1), 1, 3);
}

#[test]
fn two_initiators_take_tickets_of_free_slots() {
    explore((2, true), 1, (1, 1), 1, 3);
}

/// One loads the tickets, and puts its task when the other has put two and seen that they were taken.
#[test]
fn an_initiator_is_overtaken() {
    explore((2, true), 2, (1, 1), 1, 1);
}

#[test]
fn a_block_takes_two_at_once() {
    explore((1, false), 4, (1, 2), 2, 3);
}

#[test]
fn two_blocks_take_up_to_two_at_once() {
    explore((1, false), 3, (2, 2), 2, 2);
}

#[test]
fn a_launch_takes_what_a_cpu_has_seen() {
    explore_for(Executor::Launched, (2, false), 2, (1, 1), 2, 2);
    explore_for(Executor::Launched, (1, true), 3, (1, 2), 2, 3);
}

#[test]
fn a_launch_takes_what_a_cpu_has_seen_of_a_full_row() {
    explore_for(Executor::Launched, (1, false), 3, (1, 1), 1, 3);
}
