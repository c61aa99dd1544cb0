//! Many initiators that put tasks into one row, and blocks that take them, as threads that the operating system
//! interleaves.

use cushmem_protocol::tasks::{
    AT_ONCE, INLINE, LOOKERS, Looking, Putting, PuttingLater, Taking, WORDS, await_slot, choose, claim_when_free,
    halves, has_come, is_inline, is_there, look, mark, ready, renews, row_behind, share, take, to_read, word_of,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::*, fence};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

struct Row {
    tickets: AtomicU64,
    taken_seen: AtomicU64,
    taken: AtomicU64,
    ready: Vec<AtomicU64>,
    slots: Vec<[AtomicU64; WORDS]>,
    inline: Vec<[[AtomicU64; 2]; WORDS]>,
    start: Instant,
    /// Whether an initiator had to wait for room.
    full: AtomicBool,
    /// The most tasks that a block took at once.
    most: AtomicU64,
}

impl Row {
    fn new(slots: usize) -> Self {
        let word = || AtomicU64::new(0);
        Self {
            tickets: word(),
            taken_seen: word(),
            taken: word(),
            ready: (0..slots).map(|_| word()).collect(),
            slots: (0..slots).map(|_| std::array::from_fn(|_| word())).collect(),
            inline: (0..slots).map(|_| std::array::from_fn(|_| [word(), word()])).collect(),
            start: Instant::now(),
            full: AtomicBool::new(false),
            most: word(),
        }
    }

    /// The words of a task that is inline, if all have come.
    fn inline(&self, ticket: u64) -> Option<[u64; WORDS]> {
        let (slots, mut words) = (self.slots.len() as u64, [0; WORDS]);
        for (word, [low, high]) in words.iter_mut().zip(&self.inline[(ticket % slots) as usize]) {
            *word = word_of([low.load(Relaxed), high.load(Relaxed)], mark(ticket, slots))?;
        }
        Some(words)
    }

    fn goes_on(&self) -> bool {
        std::thread::yield_now();
        self.start.elapsed() < LIMIT
    }
}

impl Putting for Row {
    fn slots(&self) -> u64 {
        self.slots.len() as u64
    }
    fn taken_seen(&self) -> u64 {
        self.taken_seen.load(Acquire)
    }
    fn look_at_taken(&self) -> u64 {
        let taken = self.taken.load(Acquire);
        fence(Release);
        self.taken_seen.fetch_max(taken, Relaxed);
        taken
    }
    fn pause(&self) -> bool {
        self.full.store(true, Relaxed);
        self.goes_on()
    }
}

impl PuttingLater for Row {
    fn tickets(&self) -> u64 {
        self.tickets.load(Relaxed)
    }
    fn take_if(&self, ticket: u64) -> bool {
        self.tickets.compare_exchange(ticket, ticket + 1, Relaxed, Relaxed).is_ok()
    }
}

impl Looking for Row {
    fn slots(&self) -> u64 {
        self.slots.len() as u64
    }
    fn ready(&self, slot: u64) -> u64 {
        self.ready[slot as usize].load(Acquire)
    }
}

impl Taking for Row {
    fn words(&self, slot: u64) -> [u64; WORDS] {
        std::array::from_fn(|i| self.slots[slot as usize][i].load(Relaxed))
    }
    fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }
    fn take(&self, ticket: u64, n: u64) -> u64 {
        match self.taken.compare_exchange(ticket, ticket + n, Relaxed, Relaxed) {
            Ok(before) | Err(before) => before,
        }
    }
    fn release(&self) {
        fence(Release);
    }
    fn store_taken(&self, taken: u64) {
        self.taken.store(taken, Release);
    }
}

fn word(task: u64, i: u64) -> u64 {
    task.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32 * 5)
}

/// Returns whether an initiator had to wait for room, and the most tasks that a block took at once.
fn run(initiators: u64, each: u64, blocks: usize, slots: usize, later: bool) -> (bool, u64) {
    let (row, runs) = (Row::new(slots), (0..initiators * each).map(|_| AtomicU64::new(0)).collect::<Vec<_>>());
    std::thread::scope(|threads| {
        for initiator in 0..initiators {
            let row = &row;
            threads.spawn(move || {
                for round in 0..each {
                    let claim = || {
                        let ticket = row.tickets.fetch_add(1, Relaxed);
                        await_slot(row, ticket).map(|()| ticket)
                    };
                    let ticket = if later { claim_when_free(row) } else { claim() };
                    let (task, ticket) = (initiator * each + round, ticket.expect("room"));
                    let slot = (ticket & (slots as u64 - 1)) as usize;
                    if task % 3 == 0 {
                        let mark = mark(ticket, slots as u64);
                        row.ready[slot].store(INLINE | ready(ticket), Relaxed);
                        for (i, [low, high]) in row.inline[slot].iter().enumerate().rev() {
                            let [a, b] = halves(if i == 0 { task } else { word(task, i as u64) }, mark);
                            low.store(a, Relaxed);
                            high.store(b, Relaxed);
                        }
                        continue;
                    }
                    row.slots[slot][0].store(task, Relaxed);
                    // From last to first, because no order is guaranteed.
                    (1..WORDS).rev().for_each(|i| row.slots[slot][i].store(word(task, i as u64), Relaxed));
                    row.ready[slot].store(ready(ticket), Release);
                }
            });
        }
        for _ in 0..blocks {
            let (row, runs) = (&row, &runs);
            threads.spawn(move || {
                let mut next = 0;
                while row.taken.load(Relaxed) < initiators * each {
                    // As the lanes of an executor's warp do.
                    let (first, has_come) = (next, has_come(look(row, next), next));
                    let looks: Vec<_> = (0..LOOKERS.min(slots as u64)).map(|i| look(row, first + i)).collect();
                    let there = |i: usize| u32::from(is_there(looks[i], first + i as u64)) << i;
                    let mut come = (0..looks.len()).fold(0, |come, i| come | there(i));
                    let slot = |i: u32| (first + u64::from(i)) & (slots as u64 - 1);
                    let read: Vec<_> = (0..to_read(come, blocks as u32))
                        .map(|i| match is_inline(looks[i as usize]) {
                            true => row.inline(first + u64::from(i)),
                            false => Some(row.words(slot(i))),
                        })
                        .collect();
                    let words: Vec<_> = read
                        .into_iter()
                        .enumerate()
                        .map(|(i, words)| {
                            come &= !(u32::from(words.is_none()) << i);
                            words.unwrap_or([0; WORDS])
                        })
                        .collect();
                    let (at, n) = if has_come { take(row, first, come, blocks as u32, &mut next) } else { (0, 0) };
                    if n == 0 {
                        assert!(row.goes_on(), "{} of {} tasks taken", row.taken.load(Relaxed), initiators * each);
                        continue;
                    }
                    if blocks == 1 {
                        row.store_taken(next);
                    }
                    for words in &words[at as usize..(at + n) as usize] {
                        let task = words[0];
                        (1..WORDS).for_each(|i| assert_eq!(words[i], word(task, i as u64), "a mixed task"));
                        runs[task as usize].fetch_add(1, Relaxed);
                    }
                    row.most.fetch_max(n.into(), Relaxed);
                }
            });
        }
    });
    assert!(runs.iter().all(|runs| runs.load(Relaxed) == 1), "a task was lost, or taken twice");
    (row.full.load(Relaxed), row.most.load(Relaxed))
}

#[test]
fn every_task_is_taken_once() {
    for (initiators, blocks, slots) in [(1, 1, 1), (1, 3, 4), (4, 1, 2), (4, 4, 8), (8, 2, 64)] {
        run(initiators, 5_000, blocks, slots, false);
        run(initiators, 5_000, blocks, slots, true);
    }
    assert!(run(4, 1_000, 1, 1, false).0, "nobody ever waited for room");
    assert_eq!(run(4, 1_000, 1, 64, false).1, AT_ONCE.into(), "no block took several");
}

/// Catches the bit of tasks that are inline where it counts as a part of the ticket: all tasks would have come.
#[test]
fn a_bit_is_no_ticket() {
    for is in [ready(7), INLINE | ready(7)] {
        assert!(has_come(is, 6) && has_come(is, 7) && !has_come(is, 8), "{is:#x}");
        assert_eq!([6, 7, 8].map(|ticket| is_there(is, ticket)), [false, true, false], "{is:#x}");
    }
    assert!(!is_inline(ready(7)) && is_inline(INLINE | ready(7)) && !is_there(INLINE, 0));
}

/// Catches a half that is taken for one of another lap: those that no task has had since the last renewal, when the
/// marks have come round.
#[test]
fn marks_that_come_round_are_renewed() {
    let word = 0x0123_4567_89ab_cdef;
    for slots in [1, 2, 1024] {
        let ticket_of = |lap: u64| (lap - 1) * slots + slots / 2;
        for lap in [1, 2, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 3 << 31] {
            let mark = mark(ticket_of(lap), slots);
            assert_eq!(word_of(halves(word, mark), mark), Some(word));
            let [low, high] = halves(word, mark);
            assert_eq!([word_of([low ^ 1 << 32, high], mark), word_of([low, high ^ 1 << 63], mark)], [None; 2]);
            assert_eq!(renews(ticket_of(lap), slots).is_some(), lap % (1 << 31) == 0, "lap {lap}");
        }
        for renewed in [1 << 31, 1 << 32, 3 << 31] {
            let left = halves(0, renews(ticket_of(renewed), slots).expect("a mark"));
            for lap in [renewed, renewed + 1, renewed + (1 << 30), renewed + (1 << 31) - 1] {
                assert_eq!(word_of(left, mark(ticket_of(lap), slots)), None, "lap {lap} after {renewed}");
            }
        }
        // Memory that is all zeros belongs to no lap before the first renewal.
        assert!([1, 2, (1 << 31) - 1].into_iter().all(|lap| word_of([0; 2], mark(ticket_of(lap), slots)).is_none()));
    }
}

/// Catches a block that takes all that wait, so that others have nothing to do, or that takes what has not come.
#[test]
fn blocks_share_what_waits() {
    for (come, blocks, expected) in [
        (0, 1, 0),
        (1, 1, 1),
        (0b10, 1, 0),
        (0b1011, 1, 2),
        (0b111, 2, 1),
        (0b1111, 2, 2),
        (0b1, 16, 1),
        (u32::MAX, 1, AT_ONCE),
        (u32::MAX, 16, 2),
        (u32::MAX, 132, 1),
    ] {
        assert_eq!(share(come, blocks), expected, "{come:#b} for {blocks} blocks");
    }
}

/// Catches a block that gives up although it has read more tasks, that takes tasks of another one, or of which it does
/// not know whether they are complete, and one that guesses wrong.
#[test]
fn a_block_tries_again_behind_others() {
    for (come, blocks, taken, expected, then) in [
        (0b1111, 2, 0, (0, 2), 2),
        (0b1111, 2, 1, (1, 1), 2),
        (0b1111, 2, 3, (3, 1), 4),
        (0b1111, 2, 4, (4, 0), 4),
        (0b1011, 2, 2, (2, 0), 2),
        // Its words were not read, as the one before it had not come.
        (0b1011, 2, 3, (3, 0), 3),
        (0b1111_1101, 2, 1, (1, 0), 1),
        (0b1111_1101, 2, 2, (2, 0), 2),
        (u32::MAX, 2, 31, (31, 1), 32),
        (u32::MAX, 2, 32, (0, 0), 32),
        (u32::MAX, 2, 1000, (0, 0), 1000),
        (0b1110, 2, 7, (0, 0), 7),
        // Such a block stores `taken` itself.
        (0b1111, 1, 0, (0, 4), 4),
    ] {
        let (row, first) = (Row::new(64), 640);
        row.taken.store(first + taken, Relaxed);
        let mut next = first;
        let found = take(&row, first, come, blocks, &mut next);
        assert_eq!((found, next), (expected, first + then), "{come:#b} of which {taken} are taken");
        let own = if blocks > 1 { u64::from(expected.1) } else { 0 };
        assert_eq!(row.taken.load(Relaxed), first + taken + own);
    }
}

/// A row as an initiator accesses it that gives up at once. If its flag is set, another one puts a task when the
/// initiator has loaded the tickets, and a block takes it.
struct Impatient(Row, AtomicBool);

impl Putting for Impatient {
    fn slots(&self) -> u64 {
        Putting::slots(&self.0)
    }
    fn taken_seen(&self) -> u64 {
        self.0.taken_seen()
    }
    fn look_at_taken(&self) -> u64 {
        self.0.look_at_taken()
    }
    fn pause(&self) -> bool {
        false
    }
}

impl PuttingLater for Impatient {
    fn tickets(&self) -> u64 {
        let ticket = self.0.tickets();
        if self.1.swap(false, Relaxed) {
            assert!(self.0.take_if(ticket));
            self.0.taken.store(ticket + 1, Relaxed);
            self.0.look_at_taken();
        }
        ticket
    }
    fn take_if(&self, ticket: u64) -> bool {
        self.0.take_if(ticket)
    }
}

/// Catches an initiator that gives up but leaves a slot that nobody fills.
#[test]
fn whoever_gives_up_leaves_nothing() {
    let row = Impatient(Row::new(2), AtomicBool::new(false));
    assert_eq!([(); 4].map(|()| claim_when_free(&row)), [Some(0), Some(1), None, None]);
    row.0.taken.store(1, Relaxed);
    assert_eq!([(); 2].map(|()| claim_when_free(&row)), [Some(2), None]);
}

/// Catches an initiator that waits for ever for the slot of a ticket that another one took meanwhile, and whose task
/// was taken.
#[test]
fn a_ticket_that_another_took_is_not_waited_for() {
    for slots in [1, 2, 64] {
        let row = Impatient(Row::new(slots), AtomicBool::new(true));
        assert_eq!(claim_when_free(&row), Some(1), "of {slots} slots");
    }
}

/// Catches a row that waits for ever beside others that are never empty.
#[test]
fn full_rows_take_turns() {
    for rows in [1, 2, 31, 32, 33, 34, 64, 66, 100] {
        let (mut first, mut turn) = ((0..LOOKERS).collect::<Vec<_>>(), 0);
        let mut taken = vec![0; rows as usize];
        for _ in 0..2 * rows.max(LOOKERS) * rows.div_ceil(LOOKERS) {
            let found = first.iter().rev().fold(0, |found, row| found << 1 | u32::from(*row < rows));
            let chosen = choose(found, &mut turn) as usize;
            taken[first[chosen] as usize] += 1;
            assert_eq!(first[chosen] % LOOKERS, chosen as u64, "the row of another lane");
            first[chosen] = row_behind(first[chosen], rows);
        }
        assert!(taken.iter().all(|taken| *taken >= 2), "of {rows} rows: {taken:?}");
    }
}
