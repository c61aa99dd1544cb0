//! Contexts: operations that are pending on one do not affect the others.

use crate::place::partner;
use cushmem::raw::Completion;
use cushmem::{Cause, Context, ContextOptions, DevPtr, PeSet, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

conformance! { soft, cuda => { threads_share_the_default: 1, 2; } }

mod held_up {
    use super::quiet_waits_for_its_own;
    use cushmem_conformance::QUEUES;
    cushmem_conformance::conformance! { with QUEUES: soft, cuda => { quiet_waits_for_its_own: 1, 2; } }
}

mod many {
    use super::come_and_go;
    cushmem_conformance::conformance! { host, soft, cuda => { come_and_go: 1, 2; } }
}

/// How many copies make up a pass over the target, and words in each. Each pass puts different words, because only the
/// last pass shows that all are over. If there were more copies than a lane takes at a time, the calls would wait.
const PARTS: usize = 32;
const PART: usize = 1 << 18;
const PASSES: usize = 15;
const FEW: usize = 100;

fn context(shmem: &Shmem) -> Context {
    shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context")
}

/// Puts as many words from `src` as `dst` has. One end lies in GPU memory, so only copy engines can do it.
fn put_nbi(shmem: &Shmem, on: &Context, dst: SymSlice<'_, u64>, src: DevPtr<u64>, pe: u32) {
    let to = std::ptr::with_exposed_provenance_mut(dst.device_ptr().address() as usize);
    let from = std::ptr::with_exposed_provenance(src.address() as usize);
    // SAFETY: the source has this many words, and the tests keep it until the context's quiet or drop.
    unsafe { shmem.raw().on(on).put(to, from, 8 * dst.len(), pe, Completion::Nbi) }.expect("put");
}

/// Returns a word of a PE's host memory as this CPU, or the network to another node, sees it at this moment.
fn now(shmem: &Shmem, word: SymSlice<'_, u64>, at: usize, pe: u32) -> u64 {
    let there = word.at(at).as_slice().ptr(pe);
    if there.is_null() {
        return shmem.g(word.at(at), pe).expect("g");
    }
    // SAFETY: this is an aligned word of symmetric host memory, which all PEs use as an atomic.
    unsafe { AtomicU64::from_ptr(there) }.load(Ordering::Acquire)
}

/// Catches a quiet or fence that waits for the copies of another context, which would then be over each time, and one
/// that does not wait for those of its own.
fn quiet_waits_for_its_own(shmem: &Shmem) {
    const ROUNDS: u64 = 60;
    let (partner, mut pending) = (partner(shmem), [false; 3]);
    let large = shmem.malloc::<u64>(PARTS * PART).expect("malloc");
    let source = shmem.device_alloc::<u64>(PART + PARTS + PASSES).expect("device_alloc");
    // In the other direction, because a GPU may carry out all copies from it to the host in turn, whatever their
    // streams.
    let (few, small) = (shmem.malloc::<u64>(FEW).expect("malloc"), shmem.malloc_gpu(FEW).expect("malloc_gpu"));
    let (busy, other, idle) = (context(shmem), context(shmem), context(shmem));
    // The large copies wait until this thread has looked. Where copies go to another node in parts, they must take
    // longer than the look does, at least once.
    let (go, can_hold_up) = (shmem.malloc::<u64>(1).expect("malloc"), shmem.team_shared().n_pes() == shmem.n_pes());
    shmem.p(go.at(0), 0, shmem.my_pe()).expect("p");
    // Afterwards the context has the lane that they take.
    put_nbi(shmem, &busy, large.slice(..PART), source.device_ptr(), partner);
    shmem.raw().on(&busy).quiet().expect("quiet");
    let passes = if can_hold_up { 2 } else { PASSES };
    shmem.barrier_all().expect("barrier");
    for round in 1..=ROUNDS {
        let datum = |i: usize| mix(round, i as u64);
        source.copy_from(&(0..PART + PARTS + PASSES).map(datum).collect::<Vec<_>>()).expect("write");
        few.copy_from(&(0..FEW).map(|i| !datum(i)).collect::<Vec<_>>()).expect("write");
        if can_hold_up {
            // SAFETY: the word stays until this PE has waited for the copies.
            unsafe { shmem.raw().on(&busy).hold_up_copies(go, round) }.expect("hold up");
        }
        for pass in 0..passes {
            for part in 0..PARTS {
                let from = source.device_ptr().add(pass + part);
                put_nbi(shmem, &busy, large.slice(part * PART..(part + 1) * PART), from, partner);
            }
        }
        let last = PARTS * PART - 1;
        let final_word = |at: usize| datum(passes - 1 + at % PART + at / PART);
        let is_pending = || now(shmem, large, last, partner) != final_word(last);
        put_nbi(shmem, &other, small, few.device_ptr(), partner);
        match round % 3 {
            0 => {
                shmem.raw().on(&other).quiet().expect("quiet");
                pending[0] |= is_pending();
                let mut seen = [0; FEW];
                shmem.get(&mut seen, small, partner).expect("get");
                expect_words(|| format!("after the small context's quiet, round {round}"), &seen, |i| !datum(i));
            }
            1 => {
                shmem.raw().on(&idle).quiet().expect("quiet");
                shmem.quiet().expect("quiet");
                pending[1] |= is_pending();
            }
            _ => {
                shmem.raw().on(&other).fence().expect("fence");
                shmem.raw().on(&idle).fence().expect("fence");
                shmem.fence().expect("fence");
                pending[2] |= is_pending();
            }
        }
        shmem.p(go.at(0), round, shmem.my_pe()).expect("p");
        shmem.raw().on(&busy).quiet().expect("quiet");
        for at in (0..PARTS * PART).step_by(997).chain([last]) {
            assert_eq!(
                now(shmem, large, at, partner),
                final_word(at),
                "word {at} after the quiet of its context, round {round}"
            );
        }
        shmem.raw().on(&other).quiet().expect("quiet");
        if pending == [true; 3] {
            break;
        }
    }
    assert_eq!(pending, [true; 3], "quiets and fences of other contexts always find the copies complete");
    shmem.barrier_all().expect("barrier");
}

/// Catches a lane that is not given back, a lane whose next user takes its predecessor's reports for its own, and a
/// context beyond the limit that is not refused.
fn come_and_go(shmem: &Shmem) {
    const MOST: usize = 1024;
    let (partner, has_gpu) = (partner(shmem), shmem.gpu().is_some());
    let target = shmem.malloc::<u64>(FEW).expect("malloc");
    let source = has_gpu.then(|| shmem.device_alloc::<u64>(FEW).expect("device_alloc"));
    shmem.barrier_all().expect("barrier");
    let round_trip = |on: &Context, round: u64| {
        let words: Vec<u64> = (0..FEW).map(|i| mix(round, i as u64)).collect();
        let Some(source) = &source else { return };
        source.copy_from(&words).expect("write");
        put_nbi(shmem, on, target, source.device_ptr(), partner);
        shmem.raw().on(on).quiet().expect("quiet");
        let seen: Vec<u64> = (0..FEW).map(|i| now(shmem, target, i, partner)).collect();
        expect_words(|| format!("context {round}"), &seen, |i| words[i]);
    };
    for round in 0..2000 {
        let context = context(shmem);
        if round % 20 == 0 {
            round_trip(&context, round);
        }
        if let Some(source) = source.as_ref().filter(|_| round % 7 == 0) {
            // Without a quiet: the next context has the same word.
            put_nbi(shmem, &context, target, source.device_ptr(), partner);
        }
    }
    if shmem.n_pes() == 1 {
        let mut all: Vec<Context> = (0..MOST).map(|_| context(shmem)).collect();
        let more = shmem.context(PeSet::all(1), ContextOptions::default()).map(drop);
        match more.as_ref().map_err(|error| (error.operation(), error.cause())) {
            Err(("create a context", Cause::Exhausted(why))) if has_gpu => {
                assert_eq!(why, "the limit of 1024 contexts is reached");
            }
            Ok(()) if !has_gpu => {}
            other => panic!("context {}: {other:?}", MOST + 1),
        }
        for (round, at) in (10_000..).zip([0, MOST / 2, MOST - 1]) {
            round_trip(&all[at], round);
        }
        all.swap_remove(500);
        all.push(context(shmem));
        round_trip(&all[MOST - 1], 20_000);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a quiet that counts another thread's copies as its own, or that returns while another thread waits for what
/// both have posted, and a thread that is told to try again and never gets room.
pub fn threads_share_the_default(shmem: &Shmem) {
    const THREADS: usize = 4;
    const ROUNDS: usize = 400;
    const REGION: usize = 48 << 10;
    // Threads that wait take each other's cores, and on several nodes those of the proxies.
    const LONGEST: Duration = Duration::from_secs(10);
    let partner = partner(shmem);
    let target = shmem.malloc::<u64>(THREADS * REGION).expect("malloc");
    let random = seeded().split(shmem.my_pe().into());
    let words: Vec<u64> = (0..2 * REGION).map(|i| mix(7, i as u64)).collect();
    let source = shmem.device_alloc::<u64>(words.len()).expect("device_alloc");
    source.copy_from(&words).expect("write");
    shmem.barrier_all().expect("barrier");
    let (source, words, start) = (&source, &words, Instant::now());
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let mut random = random.split(thread as u64 + 1);
            let mine = target.slice(thread * REGION..(thread + 1) * REGION);
            scope.spawn(move || {
                for round in (0..ROUNDS).take_while(|_| start.elapsed() < LONGEST) {
                    // Sometimes more copies than may be pending, mostly a few that take long.
                    let longest = [4, 300, 6000, REGION, REGION, REGION][random.below(6)];
                    let (mut puts, mut at) = (vec![], 0);
                    while puts.len() < 900 {
                        let len = 1 + random.below(longest);
                        if at + len > REGION {
                            break;
                        }
                        let from = random.below(words.len() - len);
                        shmem.put_nbi(mine.slice(at..at + len), source.slice(from..from + len), partner).expect("put");
                        puts.push((at, from, len));
                        at += len;
                        if random.below(200) == 0 {
                            shmem.fence().expect("fence");
                        }
                    }
                    // Time for another thread's quiet, which has to wait for these too.
                    for _ in 0..random.below(5000) {
                        std::hint::spin_loop();
                    }
                    shmem.quiet().expect("quiet");
                    // Checks the last words of the last puts first, because they are the last to arrive.
                    for (at, from, len) in puts.into_iter().rev() {
                        let is_wrong = |i: &usize| now(shmem, mine, at + i, partner) != words[from + i];
                        let step = if round % 16 == 0 { 1 } else { 1009 };
                        let wrong = (0..len).rev().step_by(step).find(is_wrong);
                        assert!(wrong.is_none(), "thread {thread}, round {round}: word {wrong:?} of {len} after quiet");
                    }
                }
            });
        }
    });
    shmem.barrier_all().expect("barrier");
}
