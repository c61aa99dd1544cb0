//! The counter of roles: each number is drawn once, and the next launch finds the counter at 0.

use cushmem_protocol::roles::{Counter, Draws, Plan};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;

struct Word(AtomicU64);

impl Counter for Word {
    fn draw(&self) -> u64 {
        self.0.fetch_add(1, Relaxed)
    }
    fn reset(&self) {
        self.0.store(0, Relaxed);
    }
}

/// The roles that one block carries out, by their numbers.
fn run_block(counter: &Word, plan: &Plan, blocks: u64) -> Vec<u64> {
    let (mut draws, mut carried_out) = (Draws::new(), vec![]);
    loop {
        let number = draws.next(counter, plan, blocks);
        let Some(role) = plan.role(number) else { return carried_out };
        draws.begin(counter, role);
        carried_out.push(number);
    }
}

fn launches(plan: Plan, blocks: u64, preemptions: usize) {
    crate::explore(preemptions, move || {
        let counter = Arc::new(Word(AtomicU64::new(0)));
        for _ in 0..2 {
            let others: Vec<_> = (1..blocks)
                .map(|_| {
                    let counter = counter.clone();
                    thread::spawn(move || run_block(&counter, &plan, blocks))
                })
                .collect();
            let mut all = run_block(&counter, &plan, blocks);
            others.into_iter().for_each(|block| all.extend(block.join().unwrap()));
            all.sort_unstable();
            assert!(all.into_iter().eq(0..plan.roles()), "a role was lost or given twice");
            assert_eq!(counter.0.load(Relaxed), 0, "the next launch would begin with another role");
        }
        true
    });
}

#[test]
fn two_blocks() {
    launches(Plan { receivers: 1, senders: 1, computing: 1 }, 2, 3);
}

/// More blocks than roles, so that one block draws only a number past the end.
#[test]
fn three_blocks() {
    launches(Plan { receivers: 0, senders: 0, computing: 2 }, 3, 2);
}
