//! All kinds of operations in one job, in a random order.

use cushmem::{Cmp, Reduction, Shmem, SignalOp, SymSlice, Team};
use cushmem_conformance::{expect_words, on_nodes, seeded};
use cushmem_numbers::Random;

on_nodes! { everything_at_once: 3 on 3, 4 on 2, 5 on 2 by "random:5"; }

/// The number of words that each PE has on each other one.
const LEN: usize = 600;
const PHASES: u64 = 4;
const OPERATIONS: usize = 60;

/// Catches anything that goes wrong only between operations of different kinds: a put that a get overtakes, an atomic
/// operation or a collective that disturbs pending puts. Each PE writes in parts of its own on all PEs, and knows what
/// they contain.
fn everything_at_once(shmem: &Shmem) {
    let (me, n) = (shmem.my_pe() as usize, shmem.n_pes() as usize);
    // Indexed by writer; and, at the writer, what it should be, indexed by target.
    let [data, mirror] = [(); 2].map(|()| shmem.malloc::<u64>(n * LEN).expect("malloc"));
    let (sums, signals) = (shmem.malloc::<u32>(n).expect("malloc"), shmem.malloc::<u64>(n).expect("malloc"));
    // A part for each operation of a phase.
    let sources = shmem.malloc::<u64>(OPERATIONS * LEN).expect("malloc");
    let words = shmem.malloc::<u64>(2).expect("malloc");
    [data, mirror].iter().for_each(|object| object.copy_from(&vec![0; n * LEN]).expect("clear"));
    sums.copy_from(&vec![0; n]).expect("clear");
    signals.copy_from(&vec![0; n]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let pairs = shmem.team_split_2d(shmem.team_world(), 2).expect("split");
    let mut shared = seeded();
    let mut random = shared.split(me as u64 + 1);
    // For each PE, what all PEs add to which word on which PE.
    let mut added = vec![0u32; n * n];
    let mut streams: Vec<Random> = (0..n).map(|pe| shared.split(1000 + pe as u64)).collect();
    let part = |of: usize| data.slice(of * LEN..(of + 1) * LEN);
    for phase in 1..=PHASES {
        for operation in 0..OPERATIONS {
            let source = sources.slice(operation * LEN..(operation + 1) * LEN);
            let target = random.below(n);
            let model = mirror.slice(target * LEN..(target + 1) * LEN);
            let at = random.below(LEN);
            let most = if random.below(4) == 0 { LEN } else { 10 };
            let len = 1 + random.below(most.min(LEN - at));
            let (dst, src, model) =
                (part(me).slice(at..at + len), source.slice(at..at + len), model.slice(at..at + len));
            match random.below(6) {
                kind @ 0..3 => {
                    // What was put there before must not arrive later.
                    shmem.fence().expect("fence");
                    let new: Vec<u64> = (0..len).map(|_| random.bits()).collect();
                    src.copy_from(&new).expect("write");
                    match kind {
                        0 => shmem.put(dst, &new, target as u32).expect("put"),
                        1 => shmem.put_nbi(dst, src, target as u32).expect("put_nbi"),
                        _ => new.iter().enumerate().take(8).for_each(|(i, &word)| {
                            shmem.p(dst.at(i), word, target as u32).expect("p");
                        }),
                    }
                    let kept = if kind == 2 { len.min(8) } else { len };
                    model.slice(..kept).copy_from(&new[..kept]).expect("write");
                }
                3 | 4 => {
                    shmem.quiet().expect("quiet");
                    let mut found = vec![0; len];
                    shmem.get(&mut found, dst, target as u32).expect("get");
                    let expected = model.to_vec().expect("read");
                    expect_words(|| format!("own words on PE {target} in phase {phase}"), &found, |i| expected[i]);
                }
                _ => {}
            }
        }
        add(shmem, sums, &mut streams, &mut added);
        tell_the_next(shmem, signals, phase, part(me));
        meet(shmem, [shmem.team_world(), shmem.team_shared(), &pairs.0, &pairs.1][shared.below(4)], words, phase);
        shmem.barrier_all().expect("barrier");
        let mine: Vec<u32> = (0..n).map(|word| added[me * n + word]).collect();
        assert_eq!(sums.to_vec().expect("read"), mine, "sums on PE {me} after phase {phase}");
        for writer in 0..n {
            let mut expected = vec![0; LEN];
            shmem.get(&mut expected, mirror.slice(me * LEN..(me + 1) * LEN), writer as u32).expect("get");
            let found = part(writer).to_vec().expect("read");
            expect_words(|| format!("words of PE {writer} after phase {phase}"), &found, |i| expected[i]);
        }
        shmem.barrier_all().expect("barrier");
    }
}

/// Adds to words of all PEs. Each PE draws the numbers of all PEs, so it knows what they add.
fn add(shmem: &Shmem, sums: SymSlice<'_, u32>, streams: &mut [Random], added: &mut [u32]) {
    let n = streams.len();
    for (pe, stream) in streams.iter_mut().enumerate() {
        for _ in 0..15 {
            let (target, word, value) = (stream.below(n), stream.below(n), stream.bits() as u32);
            if pe == shmem.my_pe() as usize {
                shmem.fetch_add(sums.at(word), value, target as u32).expect("fetch_add");
            }
            added[target * n + word] = added[target * n + word].wrapping_add(value);
        }
    }
}

/// Sends a signal after data that the next PE already has, and of which nothing changes.
fn tell_the_next(shmem: &Shmem, signals: SymSlice<'_, u64>, phase: u64, own: SymSlice<'_, u64>) {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (next, before) = ((me + 1) % n, (me + n - 1) % n);
    shmem.quiet().expect("quiet");
    let mut there = vec![0; LEN];
    shmem.get(&mut there, own, next).expect("get");
    let signal = signals.at(me as usize);
    let (op, value) = if phase.is_multiple_of(2) { (SignalOp::Add, 1) } else { (SignalOp::Set, phase) };
    shmem.put_signal(own, &there, signal, value, op, next).expect("put_signal");
    shmem.signal_wait_until(signals.at(before as usize), Cmp::Ge, phase).expect("wait");
}

/// A sum over a team.
fn meet(shmem: &Shmem, team: &Team, words: SymSlice<'_, u64>, phase: u64) {
    let (dest, source) = (words.slice(0..1), words.slice(1..2));
    source.copy_from(&[phase << u64::from(team.my_pe())]).expect("write");
    shmem.reduce(team, Reduction::Sum, dest, source).expect("reduce");
    assert_eq!(dest.to_vec().expect("read"), [phase * ((1 << team.n_pes()) - 1)], "a team of {}", team.n_pes());
}
