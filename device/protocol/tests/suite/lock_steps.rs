//! What one PE does at a lock, step by step, for each state in which it can find the words.

use cushmem_protocol::lock::{CLAIMED, GRANTED, Memory, Misuse, NEXT, clear, set, test};
use std::cell::{Cell, RefCell};

const ME: u32 = 3;
const N_PES: u32 = 8;

/// What a PE does to the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Look,
    Claim,
    Swap(u32),
    CompareSwap(u32, u32),
    Reset,
    Set(u32, u32),
    Wait(u32, Option<u32>),
}
use Step::*;

/// The words as PE 3 finds them. The tail that it finds when it joins the queue may differ from the one that it saw
/// first.
#[derive(Default)]
struct Found {
    hint: u32,
    tail: u32,
    node: Cell<u32>,
    /// The node after a wait.
    later: u32,
    steps: RefCell<Vec<Step>>,
}

impl Found {
    fn note(&self, step: Step) {
        self.steps.borrow_mut().push(step);
    }
}

impl Memory for Found {
    fn my_pe(&self) -> u32 {
        ME
    }
    fn n_pes(&self) -> u32 {
        N_PES
    }
    fn tail(&self) -> u32 {
        self.note(Look);
        self.hint
    }
    fn swap_tail(&self, ticket: u32) -> u32 {
        self.note(Swap(ticket));
        self.tail
    }
    fn compare_swap_tail(&self, expected: u32, ticket: u32) -> Result<(), u32> {
        self.note(CompareSwap(expected, ticket));
        if self.tail == expected { Ok(()) } else { Err(self.tail) }
    }
    fn claim(&self) -> bool {
        self.note(Claim);
        self.node.get() == 0
    }
    fn node(&self) -> u32 {
        self.node.get()
    }
    fn reset_node(&self) {
        self.note(Reset);
    }
    fn set_node(&self, pe: u32, bits: u32) {
        self.note(Set(pe, bits));
    }
    fn wait_node(&self, bits: u32, ahead: Option<u32>) -> u32 {
        self.note(Wait(bits, ahead));
        self.later
    }
}

/// The result of a routine, and its steps.
fn of<T>(found: Found, routine: fn(&Found) -> T) -> (T, Vec<Step>) {
    (routine(&found), found.steps.into_inner())
}

fn held(next: u32) -> Cell<u32> {
    Cell::new(GRANTED | CLAIMED | next)
}

#[test]
fn a_test_claims_before_it_takes_a_place_and_leaves_nothing_without_one() {
    let free = || Found::default();
    assert_eq!(of(free(), test), (true, vec![Look, Claim, CompareSwap(0, 4), Set(ME, GRANTED)]));
    assert_eq!(of(Found { hint: 2, ..free() }, test), (false, vec![Look]));
    assert_eq!(of(Found { node: held(0), ..free() }, test), (false, vec![Look, Claim]));
    assert_eq!(of(Found { tail: 2, ..free() }, test), (false, vec![Look, Claim, CompareSwap(0, 4), Reset]));
}

#[test]
fn a_pe_takes_a_free_lock_or_its_place_behind_another() {
    assert_eq!(of(Found::default(), set), (Ok(()), vec![Claim, Swap(4), Set(ME, GRANTED)]));
    let behind = Found { tail: 2, ..Found::default() };
    assert_eq!(of(behind, set), (Ok(()), vec![Claim, Swap(4), Set(1, ME + 1), Wait(GRANTED, Some(1))]));
    assert_eq!(of(Found { node: held(0), ..Found::default() }, set), (Err(Misuse::Claimed), vec![Claim]));
}

#[test]
fn a_holder_gives_the_lock_to_the_next_one() {
    let held = |next| Found { node: held(next), tail: ME + 1, ..Found::default() };
    assert_eq!(of(held(0), clear), (Ok(()), vec![CompareSwap(4, 0), Reset]));
    assert_eq!(of(held(6), clear), (Ok(()), vec![Reset, Set(5, GRANTED)]));
    let coming = Found { tail: 6, later: GRANTED | CLAIMED | 7, ..held(0) };
    assert_eq!(of(coming, clear), (Ok(()), vec![CompareSwap(4, 0), Wait(NEXT, None), Reset, Set(6, GRANTED)]));
    let queued = Found { node: Cell::new(CLAIMED | 6), ..Found::default() };
    assert_eq!(of(queued, clear), (Err(Misuse::NotHeld), vec![]));
}

/// Catches a number that belongs to no other PE of the job and would be used as an address.
#[test]
fn who_comes_behind_a_holder_is_a_pe_of_the_job() {
    let coming = |tail, later| Found { node: held(0), tail, later, ..Found::default() };
    for ticket in [N_PES + 1, NEXT] {
        assert_eq!(of(coming(ticket, GRANTED | 7), clear).0, Err(Misuse::Damaged(ticket)));
        assert_eq!(of(coming(6, GRANTED | ticket), clear).0, Err(Misuse::Damaged(ticket)));
    }
    assert_eq!(of(coming(N_PES, GRANTED | N_PES), clear).1.last(), Some(&Set(N_PES - 1, GRANTED)));
}
