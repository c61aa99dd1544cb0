//! The queue of atomic operations that one PE requests from a node, and which PE carries them out.
//!
//! The code is the library's own, compiled with loom's words. The requesting PE stores what the network would: the
//! words of a request behind a release fence, in no order. `threads.rs` has an initiator with several threads.

#[path = "../../../../runtime/src/transport/request_queue.rs"]
pub(crate) mod request_queue;

use crate::all_of;
use crate::sealed::{sealed, unsealed};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};
use loom::thread;

const SLOTS: u64 = 2;

/// What lies between the requesting PE and the PEs of the node.
#[derive(Default)]
struct Node {
    slots: [[AtomicU64; 2]; SLOTS as usize],
    turn: AtomicU64,
    /// What the requesting PE stored before a request.
    data: AtomicU64,
    /// The word to which requests add. Every access is relaxed, and an addition takes two, so that a turn that orders
    /// too little is found.
    word: AtomicU64,
    /// By PE of the node: how many requests are carried out.
    done: [AtomicU64; 3],
}

/// The contents of request `n`, before its seal.
fn words(n: u64) -> [u64; 2] {
    [10 * n, 0]
}

/// The word when `n` requests are carried out.
fn sum(n: u64) -> u64 {
    (1..=n).map(|n| words(n)[0]).sum()
}

impl Node {
    fn slot(&self, n: u64) -> &[AtomicU64; 2] {
        &self.slots[(n % SLOTS) as usize]
    }

    /// Returns whether `n` requests turn out to be carried out within a few polls: a PE says so, or the node's count,
    /// which a thread that has waited for long gets.
    fn are_carried_out(&self, n: u64, looks: usize) -> bool {
        let seen = (0..looks).any(|look| {
            let asks = look + 1 == looks;
            let seen = self.done.iter().any(|done| done.load(Acquire) >= n)
                || asks && request_queue::carried_out(self.turn.load(Acquire)) >= n;
            if !seen {
                thread::yield_now();
            }
            seen
        });
        if seen {
            assert!(self.word.load(Relaxed) >= sum(n), "{n} requests were said to be carried out");
        }
        seen
    }

    /// Sends request `n`, unless its slot does not become free within a few polls.
    fn post(&self, n: u64, looks: usize) -> bool {
        if n > SLOTS && !self.are_carried_out(n - SLOTS, looks) {
            return false;
        }
        self.data.store(n, Relaxed);
        fence(Release);
        self.slot(n).iter().zip(sealed(n, words(n))).for_each(|(to, word)| to.store(word, Relaxed));
        true
    }

    /// Carries out requests if there are any to take. A PE that is stopped has no time to say so.
    fn serve(&self, pe: usize, is_stopped: bool) {
        let look = |n| unsealed(n, self.slot(n).each_ref());
        let last = request_queue::serve(&self.turn, 2, look, |n, request: [u64; 2]| {
            assert_eq!(request[0], words(n)[0], "request {n}");
            assert!(self.data.load(Relaxed) >= n, "request {n} came before what it follows");
            let word = self.word.load(Relaxed);
            assert_eq!(word, sum(n - 1), "before request {n}");
            self.word.store(word + request[0], Relaxed);
        });
        if let Some(last) = last.filter(|_| !is_stopped) {
            self.done[pe].store(last, Release);
        }
    }
}

/// One PE sends `requests` requests, and `pes` PEs of the node poll `looks` times.
fn explore(requests: u64, pes: usize, looks: usize, preemptions: usize) {
    explore_with(requests, pes, looks, preemptions, false);
}

fn explore_with(requests: u64, pes: usize, looks: usize, preemptions: usize, are_stopped: bool) {
    all_of(preemptions, move |count| {
        let node = Arc::new(Node::default());
        let servers: Vec<_> = (0..pes)
            .map(|pe| {
                let node = node.clone();
                thread::spawn(move || {
                    for _ in 0..looks {
                        node.serve(pe, are_stopped);
                        thread::yield_now();
                    }
                })
            })
            .collect();
        if (1..=requests).all(|n| node.post(n, looks)) && node.are_carried_out(requests, looks) {
            count.fetch_add(1, Relaxed);
            assert_eq!(node.word.load(Relaxed), sum(requests));
        }
        servers.into_iter().for_each(|server| server.join().unwrap());
    });
}

/// Catches a PE that carries out a request without what the other left, and a request that is carried out twice.
#[test]
fn two_requests_to_two_pes() {
    explore(2, 2, 3, 3);
}

/// Catches a slot that is overwritten before its request was read.
#[test]
fn three_requests_to_two_pes() {
    explore(3, 2, 3, 2);
}

#[test]
fn four_requests_to_a_pe() {
    explore(4, 1, 4, 3);
}

#[test]
fn a_request_to_three_pes() {
    explore(1, 3, 3, 2);
}

/// Catches an initiator that waits for a PE which was stopped between its turn and its word that it is done.
#[test]
fn two_requests_to_a_pe_that_is_stopped_too_soon() {
    explore_with(2, 1, 3, 3, true);
}
