//! Tests of the initiator's side of atomic operations between nodes.

use super::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

const NODE: u32 = 1;
const UNTOUCHED: u64 = u64::MAX;

/// An initiator that reaches nobody. The test plays the node that carries its requests out.
struct Rig {
    control: Control,
    atomics: Atomics,
    _network: Network,
}

impl Rig {
    fn new() -> Self {
        let wait_policy = WaitPolicy::new(0, true, true, Duration::from_secs(60));
        let network = Network::alone(wait_policy.clone());
        let turn = RemoteAddr { pe: Pe::member(1), region: Region::Requests, at: 0 };
        let queue = Queue::new(NODE, turn, [Pe::member(1)].into());
        let atomics = Atomics {
            lane: network.lane(),
            queues: [OnceLock::from(Box::new(queue))].into(),
            posts: Posts::default(),
            fences: Fences::default(),
            wait_policy,
            refuse: Box::new(|text| panic!("{text}")),
        };
        Self { control: Control::alone(), atomics, _network: network }
    }

    fn queue(&self) -> &Queue {
        self.atomics.queues[0].get().expect("the rig has made it")
    }

    /// Requests an operation whose result a quiet stores at `to`.
    fn ask_later(&self, to: &mut u64) -> u64 {
        let queue = self.queue();
        let number = queue.numbers.assign(REQUESTS, |_| Ok::<(), ()>(())).expect("there is room");
        queue.expect(&self.control, number);
        let to = (to as *mut u64).expose_provenance();
        locked(&queue.results).push(Expected { number, to, width: size_of::<u64>() });
        self.atomics.posts.add();
        number
    }

    /// The node's answer arrives, and the news that it has carried out the request.
    fn answer(&self, number: u64, found: u64) {
        let words = sealed(number, [found, 1, 0]);
        self.control.answer(NODE, number).iter().zip(words).for_each(|(to, word)| to.store(word, Ordering::Release));
        self.carried_out(number);
    }

    fn carried_out(&self, number: u64) {
        self.control.carried_out(Pe::member(1)).seal(number, 0);
    }

    fn drain(&self) -> Result<()> {
        self.atomics.drain(&self.control)
    }

    /// An operation on the lane fails.
    fn fail(&self) {
        self.atomics.lane.set(self.queue().turn, 8, 0).expect("it is posted");
        assert!(self.atomics.lane.drain().is_err(), "nobody has registered the region");
    }
}

#[test]
fn a_quiet_stores_the_result() {
    let (rig, mut result) = (Rig::new(), UNTOUCHED);
    let number = rig.ask_later(&mut result);
    rig.answer(number, 5);
    rig.drain().expect("nothing has failed");
    assert_eq!(result, 5);
}

/// Catches a result that is stored after a quiet has failed, when the program may use the memory for something else.
#[test]
fn nothing_is_stored_after_a_quiet_has_failed() {
    let (rig, mut result) = (Rig::new(), UNTOUCHED);
    let number = rig.ask_later(&mut result);
    rig.fail();
    assert!(rig.drain().is_err());
    rig.answer(number, 5);
    rig.queue().take_results(&rig.control, number);
    assert!(rig.drain().is_err(), "the result is lost, and each quiet says so");
    assert_eq!(result, UNTOUCHED);
}

/// Catches a quiet that stores a result and returns an error, which says that it is lost.
#[test]
fn a_quiet_that_fails_stores_nothing() {
    let (rig, mut result) = (Rig::new(), UNTOUCHED);
    let number = rig.ask_later(&mut result);
    rig.answer(number, 5);
    rig.fail();
    assert!(rig.drain().is_err());
    assert_eq!(result, UNTOUCHED);
}

/// Catches a count of the node that is believed although it cannot be: results would be read before they arrive.
#[test]
fn a_node_that_has_carried_out_more_than_was_requested_is_refused() {
    let (rig, mut result) = (Rig::new(), UNTOUCHED);
    let number = rig.ask_later(&mut result);
    rig.carried_out(number + 1);
    let ended = catch_unwind(AssertUnwindSafe(|| rig.drain())).expect_err("it is refused");
    let text = ended.downcast_ref::<String>().expect("a text");
    assert_eq!(text, "node 1 says that 2 atomic operations are complete, of 1 requested");
}
