//! Heavy traffic through host memory to GPU memory that is not mapped: transfers of any size and order, and many small
//! ones to one PE. `cargo xtask soak` repeats them on nodes with other seeds. `CUSHMEM_TEST_REQUESTS=10000000` and the
//! name of one `many_to_one`, with `--nocapture`, sends that many.

use crate::place::partner;
use cushmem::raw::Completion;
use cushmem::{ContextOptions, PeSet, Shmem, SignalOp, SymSlice};
use cushmem_conformance::{TOLD, asked_requests, conformance, expect_words, on_nodes, seeded};
use cushmem_conformance_kernels::mix;
use std::ptr::with_exposed_provenance_mut;
use std::time::{Duration, Instant};

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

conformance! { with APART: soft, cuda => {
    random_traffic: 2, 4;
    many_to_one: 4, 9;
    a_flood: 2;
} }

on_nodes! { with SOFT: efa {
    random_traffic: 2 on 2, 4 on 2 by "cyclic";
    many_to_one: 9 on 3, 9 on 9;
    a_flood: 2 on 2;
} }

/// The address of an element of this PE.
fn at<T: cushmem::Word>(of: SymSlice<'_, T>, index: usize) -> *mut u8 {
    with_exposed_provenance_mut(of.slice(index..).device_ptr().address() as usize)
}

/// How often to repeat something. On the emulation, there are at least as many processes as cores.
fn times(shmem: &Shmem, emulated: usize, gpu: usize) -> usize {
    if shmem.gpu().is_some_and(|gpu| gpu.emulated) { emulated } else { gpu }
}

/// Catches bytes of a chunk that go astray, a slot that is used twice, and a signal that comes before its data: sixteen
/// threads, each with a context and a region, compare what they get with what they have put. The lengths are those at
/// which chunks start, and others.
fn random_traffic(shmem: &Shmem) {
    const THREADS: usize = 16;
    const ROOM: usize = (1 << 20) + (300 << 10);
    let signals = shmem.malloc_gpu::<u64>(THREADS).expect("malloc_gpu");
    let regions = shmem.malloc_gpu::<u8>(THREADS * ROOM).expect("malloc_gpu");
    signals.copy_from(&[0; THREADS]).expect("clear");
    regions.copy_from(&vec![0; THREADS * ROOM]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let (pe, random) = (partner(shmem), seeded().split(shmem.my_pe().into()));
    let rounds = times(shmem, 12, 200);
    let exchange = |thread: usize| {
        let context = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context");
        let (raw, mut random) = (shmem.raw().on(&context), random.split(1 + thread as u64));
        let get = |from: *mut u8, bytes: usize| {
            let mut back = vec![0u8; bytes];
            // SAFETY: both ends have this many bytes.
            unsafe { raw.get(back.as_mut_ptr(), from, bytes, pe, Completion::Blocking) }.expect("get");
            back
        };
        let (mut expected, mut pending) = (vec![0u8; ROOM], vec![]);
        for round in 1..=rounds {
            let near = [1, 8, 4 << 10, 64 << 10, 128 << 10, 512 << 10, 1 << 20][random.below(7)];
            let bytes: usize = near + random.below(3) - 1;
            let first = random.below(ROOM - bytes + 1);
            let overlaps =
                |(start, bytes_of): &(usize, Vec<u8>)| first < start + bytes_of.len() && *start < first + bytes;
            if pending.iter().any(overlaps) {
                raw.quiet().expect("quiet");
                pending.clear();
            }
            let there = at(regions, thread * ROOM + first);
            if random.below(3) == 0 {
                assert!(
                    get(there, bytes) == expected[first..first + bytes],
                    "thread {thread}, round {round}: {bytes} bytes"
                );
                continue;
            }
            let source: Vec<u8> = (0..bytes).map(|i| mix(round as u64, (thread + i) as u64) as u8).collect();
            expected[first..first + bytes].copy_from_slice(&source);
            let when = if random.below(2) == 0 { Completion::Nbi } else { Completion::Blocking };
            let signal = at(signals, thread).cast::<u64>();
            let (set, value) = (SignalOp::Set, round as u64);
            if random.below(2) == 0 {
                // SAFETY: both ends have this many bytes, and the source lives until the quiet.
                unsafe { raw.put(there, source.as_ptr(), bytes, pe, when) }.expect("put");
            } else {
                // SAFETY: both ends have this many bytes, and the source lives until the quiet; the signal is a word.
                unsafe { raw.put_signal(there, source.as_ptr(), bytes, signal, value, set, pe, when) }
                    .expect("put_signal");
                let deadline = Instant::now() + Duration::from_secs(30);
                while get(signal.cast(), 8) != value.to_ne_bytes() {
                    assert!(Instant::now() < deadline, "thread {thread}, round {round}: no signal comes");
                }
                assert!(get(there, bytes) == source, "thread {thread}, round {round}: {bytes} bytes behind the signal");
            }
            pending.push((first, source));
        }
        raw.quiet().expect("quiet");
        assert!(get(at(regions, thread * ROOM), ROOM) == expected, "thread {thread}: all bytes in the end");
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|thread| drop(scope.spawn(move || exchange(thread)))));
    shmem.barrier_all().expect("barrier");
}

/// The value of word `i` of a PE in a round.
fn datum(pe: u32, round: usize, i: usize) -> u64 {
    mix(u64::from(pe) << 32 | round as u64, i as u64)
}

/// Catches a request that is lost, carried out twice or for the wrong PE, and one PE of many that is not served while
/// others are. All PEs but one send requests to that one, each at its own pace, and compare what they have put with
/// what they get. The first PE that has finished looks how far the others are.
fn many_to_one(shmem: &Shmem) {
    const LEN: usize = 500;
    let (me, n) = (shmem.my_pe(), shmem.n_pes() as usize);
    let requests = asked_requests().unwrap_or(times(shmem, 9000, 300_000));
    let rounds = requests.div_ceil(LEN * (n - 1));
    let inbox = shmem.malloc_gpu::<u64>(n * LEN).expect("malloc_gpu");
    // How many rounds each PE has finished, and how many PEs have finished all.
    let (done, ready) = (shmem.malloc::<u64>(n).expect("malloc"), shmem.malloc::<u64>(1).expect("malloc"));
    inbox.copy_from(&vec![0; n * LEN]).expect("clear");
    done.copy_from(&vec![0; n]).expect("clear");
    ready.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let mine = inbox.slice(me as usize * LEN..(me as usize + 1) * LEN);
    for round in (1..=rounds).filter(|_| me > 0) {
        let words: Vec<u64> = (0..LEN).map(|i| datum(me, round, i)).collect();
        for (i, word) in words.iter().enumerate() {
            if i % 16 == 0 {
                shmem.p(mine.at(i), *word, 0).expect("p");
            } else {
                let from = std::ptr::from_ref(word).cast();
                // SAFETY: both ends have eight bytes, and the source lives until the quiet.
                unsafe { shmem.raw().put(at(mine, i), from, 8, 0, Completion::Nbi) }.expect("put");
            }
        }
        shmem.quiet().expect("quiet");
        let mut back = [0; LEN];
        // SAFETY: both ends have this many bytes.
        unsafe { shmem.raw().get(back.as_mut_ptr().cast(), at(mine, 0), 8 * LEN, 0, Completion::Blocking) }
            .expect("get");
        expect_words(|| format!("PE {me}, round {round}"), &back, |i| datum(me, round, i));
        shmem.p(done.at(me as usize), round as u64, 0).expect("p");
    }
    if me > 0 && shmem.fetch_add(ready.at(0), 1, 0).expect("fetch_add") == 0 {
        let mut others = vec![0; n];
        shmem.get(&mut others, done, 0).expect("get");
        let slowest = others[1..].iter().min().expect("several PEs");
        println!(
            "{TOLD}{} requests of {} PEs: when the first had finished, the last had made {slowest} of {rounds} steps",
            rounds * LEN * (n - 1),
            n - 1
        );
        // If there are only a few rounds, a PE may have finished none because it had no core.
        assert!(rounds < 100 || *slowest > 0, "a PE that is not served: {others:?}");
    }
    shmem.barrier_all().expect("barrier");
    if me == 0 {
        let all = inbox.to_vec().expect("read");
        for pe in 1..n {
            let words = &all[pe * LEN..(pe + 1) * LEN];
            expect_words(|| format!("PE {pe} in the end"), words, |i| datum(pe as u32, rounds, i));
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a transfer that is forgotten if more are started than can take turns.
fn a_flood(shmem: &Shmem) {
    const LEN: usize = 20_000;
    let inbox = shmem.malloc_gpu::<u64>(LEN).expect("malloc_gpu");
    inbox.copy_from(&vec![0; LEN]).expect("clear");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 1 {
        let words: Vec<u64> = (0..LEN).map(|i| datum(1, 0, i)).collect();
        for (i, word) in words.iter().enumerate() {
            let from = std::ptr::from_ref(word).cast();
            // SAFETY: both ends have eight bytes, and the source lives until the quiet.
            unsafe { shmem.raw().put(at(inbox, i), from, 8, 0, Completion::Nbi) }.expect("put");
        }
        shmem.quiet().expect("quiet");
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        expect_words(|| "what was put".into(), &inbox.to_vec().expect("read"), |i| datum(1, 0, i));
    }
    shmem.barrier_all().expect("barrier");
}
