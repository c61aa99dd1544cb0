//! Tests of the GPU agent's CPU side.

use super::*;
use cushmem_gpu::soft::SoftGpu;
use std::sync::atomic::AtomicBool;

const LIMIT: Duration = Duration::from_secs(60);

fn agent() -> Agent {
    let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
    Agent::create(&gpu, false, WaitPolicy::new(0, true, false, LIMIT)).expect("it has words and a stream")
}

/// Whether the wait is published.
fn is_published(what: &str) -> bool {
    let start = Instant::now();
    while !cushmem_bootstrap::waits::describe().contains(what) {
        if start.elapsed() > LIMIT {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

/// Catches a wait for a kernel that is stuck which `shmemrun --status` does not name, and which takes a whole core.
#[test]
fn waits_for_a_kernel_are_published() {
    let (agent, is_free) = (agent(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| agent.free_chunk(&mut Line { users: [1; CHUNKS], ..Line::default() }));
        let first = is_published("puts by the GPU agent");
        agent.words.word(DONE).store(1, Ordering::Release);
        assert_eq!(waiting.join().expect("no panic").expect("the chunk is free"), 0);
        let posting = scope.spawn(|| {
            let side = agent.side();
            while !is_free.load(Ordering::Acquire) {
                assert!(side.pause(), "the GPU is not lost");
            }
        });
        let second = is_published("room for a command of the GPU agent");
        is_free.store(true, Ordering::Release);
        posting.join().expect("no panic");
        assert_eq!((first, second), (true, true), "somebody who asks sees the waits");
    });
}

/// Catches a word of an old answer, whose tag repeats after 2^32 commands, that is taken for one of the new answer.
#[test]
fn an_old_answer_is_not_taken_for_a_new_one() {
    const ROUND: u64 = 1 << 32;
    let (agent, old) = (agent(), 5);
    let answers = || (0..SHORT_BYTES / 8).map(|word| agent.answer(old, word)).collect::<Vec<_>>();
    let store =
        || (0..2 * SHORT_BYTES / 8).for_each(|i| agent.words.word(ANSWER + i).store(old << 32, Ordering::Release));
    store();
    agent.forget_answers(old + 1);
    assert!(answers().iter().all(Option::is_some), "the next command changes nothing");
    assert_eq!(agent.answer(old + ROUND, 3), Some(0), "the tags are the same");
    agent.forget_answers(old + ROUND);
    assert!((0..SHORT_BYTES / 8).all(|word| agent.answer(old + ROUND, word).is_none()));
    agent.read(old + ROUND);
    store();
    agent.forget_answers(old + ROUND + 1);
    assert!(answers().iter().all(Option::is_some), "once is enough");
}
