//! Blocks that go through rounds at their own pace, without barriers: each piece of each round goes to exactly one of
//! them.

use cushmem_protocol::deal::Rounds;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;

/// The round and number of each piece that one block gets.
fn run_block(counter: &AtomicU64, counts: &[u64]) -> Vec<(usize, u64)> {
    let draw = || counter.fetch_add(1, Relaxed);
    let (mut rounds, mut number, mut got) = (Rounds::new(), draw(), vec![]);
    for (round, count) in counts.iter().enumerate() {
        while let Some(piece) = rounds.piece(number, *count) {
            number = draw();
            got.push((round, piece));
        }
    }
    got
}

fn deal(counts: &'static [u64], blocks: usize, preemptions: usize) {
    crate::explore(preemptions, move || {
        let counter = Arc::new(AtomicU64::new(0));
        let others: Vec<_> = (1..blocks)
            .map(|_| {
                let counter = counter.clone();
                thread::spawn(move || run_block(&counter, counts))
            })
            .collect();
        let mut all = run_block(&counter, counts);
        others.into_iter().for_each(|block| all.extend(block.join().unwrap()));
        all.sort_unstable();
        let expected = counts.iter().enumerate().flat_map(|(round, n)| (0..*n).map(move |piece| (round, piece)));
        assert!(all.into_iter().eq(expected), "a piece was lost or given twice");
        true
    });
}

#[test]
fn two_blocks() {
    deal(&[2, 0, 1, 3], 2, 3);
}

/// More blocks than pieces.
#[test]
fn three_blocks() {
    deal(&[1, 2], 3, 2);
}
