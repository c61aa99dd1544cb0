//! Lanes and threads that were stopped until the limit of their wait had passed. What came before the limit is not late
//! because they did not look.

use cushmem_protocol::ring::{Replies, await_reply, claim_reply};
use cushmem_protocol::trigger::{self, Cpu, Lane, Outcome, Word};
use std::cell::Cell;

/// Everything comes while the waiting side is stopped, which its pause finds out.
#[derive(Default)]
struct Stopped {
    has_come: Cell<bool>,
    raised: Cell<u64>,
}

impl Stopped {
    fn value(&self, after: u64) -> u64 {
        if self.has_come.get() { after } else { 0 }
    }
}

impl Replies for Stopped {
    fn replies(&self) -> u64 {
        4
    }
    fn take_reply_ticket(&self) -> u64 {
        4
    }
    fn given_back(&self, _: u64) -> u64 {
        self.value(1)
    }
    fn give_back(&self, _: u64, times: u64) {
        self.raised.set(times);
    }
    fn load_reply(&self, _: u64) -> [u64; 2] {
        [self.value(7 << 32 | 1), self.value(1)]
    }
    fn pause(&self) -> bool {
        self.has_come.set(true);
        false
    }
}

#[test]
fn a_reply_that_came_in_time_is_taken() {
    let stopped = Stopped::default();
    assert_eq!(await_reply(&stopped, 0), Some(7));
    assert_eq!(stopped.raised.get(), 1, "the reply is given back");
}

#[test]
fn a_reply_that_was_free_in_time_is_claimed() {
    assert_eq!(claim_reply(&Stopped::default()), Some(4));
}

impl Lane for Stopped {
    fn each(&self) -> bool {
        true
    }
    fn always(&self) -> bool {
        false
    }
    fn threshold(&self) -> u64 {
        1
    }
    fn add(&self, _: u64) -> u64 {
        1
    }
    fn count(&self, _: u64) {}
    fn add_and_look(&self, _: u64) -> (u64, u64) {
        (1, 0)
    }
    fn look_again(&self) -> u64 {
        0
    }
    fn ran(&self) -> u64 {
        self.value(1)
    }
    fn left(&self) -> u64 {
        0
    }
    fn raise_ran(&self, _: u64) {}
    fn raise_left(&self, epoch: u64) {
        self.raised.set(epoch);
    }
    fn pause(&self) -> bool {
        Replies::pause(self)
    }
}

#[test]
fn a_lane_leaves_its_epoch_after_the_one_before() {
    let stopped = Stopped::default();
    assert_eq!(trigger::bump(&stopped, 1), Ok(None));
    assert_eq!(stopped.raised.get(), 2);
}

impl Cpu for Stopped {
    type Error = ();
    fn set_armed(&self, _: u64) -> Result<(), ()> {
        Ok(())
    }
    fn count(&self) -> Result<u64, ()> {
        Ok(1)
    }
    fn left(&self) -> Result<u64, ()> {
        Ok(0)
    }
    fn ran(&self) -> Result<u64, ()> {
        Ok(self.value(1))
    }
    fn pause(&self) -> Result<(), ()> {
        self.has_come.set(true);
        Err(())
    }
    fn set(&self, _: Word, _: u64) -> Result<(), ()> {
        Ok(())
    }
}

#[test]
fn a_decision_that_came_in_time_counts() {
    assert_eq!(trigger::arm(&Stopped::default(), 1, 1, true), Ok(Outcome::Ran));
}
