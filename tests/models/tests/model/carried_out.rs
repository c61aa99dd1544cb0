//! The atomic operations that one PE requests from a node, and which PE carries them out.
//!
//! The code is the library's own, compiled with loom's words. The requesting PE stores what the network would: the
//! number after the request.

#[path = "../../../../runtime/src/transport/requests.rs"]
mod requests;

use crate::all_of;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering, Ordering::*};
use loom::thread;
use std::sync::Arc as StdArc;
use std::sync::atomic::AtomicUsize;

impl requests::SharedWord for AtomicU64 {
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.compare_exchange(from, to, success, failure)
    }
}

/// What lies between the requesting PE and the PEs of the node.
#[derive(Default)]
struct Node {
    request: [AtomicU64; 2],
    asked: AtomicU64,
    taken: AtomicU64,
    /// The word to which requests add.
    word: AtomicU64,
    found: AtomicU64,
    done: AtomicU64,
}

/// The contents of request `n`.
fn words(n: u64) -> [u64; 2] {
    [10 * n, 100 * n]
}

impl Node {
    /// Sends a request and waits. Returns whether an answer arrived within a few polls.
    fn ask(&self, n: u64, looks: usize) -> bool {
        self.request.iter().zip(words(n)).for_each(|(to, word)| to.store(word, Relaxed));
        self.asked.store(n, Release);
        let answered = (0..looks).any(|_| {
            let seen = self.done.load(Acquire) == n;
            if !seen {
                thread::yield_now();
            }
            seen
        });
        if answered {
            assert_eq!(self.found.load(Relaxed), (1..n).map(|n| words(n)[0]).sum(), "what request {n} found");
        }
        answered
    }

    /// Carries out a request if there is one to take.
    fn serve(&self, carried_out: &[AtomicUsize]) {
        let look = || Some([0, 1].map(|i| self.request[i].load(Relaxed)));
        let Some((number, request)) = requests::take(&self.asked, &self.taken, look) else { return };
        assert_eq!(request, words(number), "request {number}");
        assert_eq!(
            carried_out[number as usize - 1].fetch_add(1, Relaxed),
            0,
            "request {number} was carried out before"
        );
        self.found.store(self.word.fetch_add(request[0], Relaxed), Relaxed);
        self.done.store(number, Release);
    }
}

/// One PE sends `requests` requests, and `pes` PEs of the node poll `looks` times.
fn explore(requests: u64, pes: usize, looks: usize, preemptions: usize) {
    all_of(preemptions, move |count| {
        let node = Arc::new(Node::default());
        // These belong to the model and not to loom, so they order nothing.
        let carried_out: StdArc<[AtomicUsize]> = (0..requests).map(|_| AtomicUsize::new(0)).collect();
        let servers: Vec<_> = (0..pes)
            .map(|_| {
                let (node, carried_out) = (node.clone(), carried_out.clone());
                thread::spawn(move || {
                    for _ in 0..looks {
                        node.serve(&carried_out);
                        thread::yield_now();
                    }
                })
            })
            .collect();
        if (1..=requests).all(|n| node.ask(n, looks)) {
            count.fetch_add(1, Relaxed);
            assert_eq!(node.word.load(Relaxed), (1..=requests).map(|n| words(n)[0]).sum());
        }
        servers.into_iter().for_each(|server| server.join().unwrap());
    });
}

/// Catches a PE that looks at the first number and goes on after the other has carried out both requests.
#[test]
fn two_requests_to_two_pes() {
    explore(2, 2, 3, 3);
}

#[test]
fn three_requests_to_two_pes() {
    explore(3, 2, 3, 2);
}

#[test]
fn a_request_to_three_pes() {
    explore(1, 3, 2, 3);
}
