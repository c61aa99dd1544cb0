//! Signals and waits.

use crate::place::{objects, partner};
use cushmem::raw::Completion;
use cushmem::{Cmp, Shmem, SignalOp, SymPtr, SymSlice};
use cushmem_conformance::{Sample, conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;

conformance! { host, soft, cuda => {
    data_before_signal: 1, 2, 4;
    every_comparison: 1, 2;
} }

mod copied {
    use super::copied_data_before_signal;
    cushmem_conformance::conformance! { soft, cuda => {
        copied_data_before_signal: 1, 2;
    } }
}

/// Catches a signal that overtakes its data, of any size, in either heap. Pairs of PEs exchange data. Each half of the
/// target is overwritten two rounds later, when the partner's next signal has shown that it has finished with the half.
pub fn data_before_signal(shmem: &Shmem) {
    const LONGEST: usize = 20_000;
    let mut random = seeded();
    let (partner, me) = (partner(shmem), shmem.my_pe());
    for target in objects::<u64>(shmem, 2 * LONGEST) {
        let rounds = if target.is_gpu() { 150 } else { 1500 };
        for op in [SignalOp::Set, SignalOp::Add] {
            let sig = shmem.malloc::<u64>(1).expect("malloc");
            sig.copy_from(&[0]).expect("clear the signal");
            shmem.barrier_all().expect("barrier");
            for round in 1..=rounds {
                // Mostly short, so that the signal follows closely.
                let len = 1 + random.below(if round % 8 == 0 { LONGEST } else { 64 });
                let start = (round % 2) as usize * LONGEST;
                let half = target.slice(start..start + len);
                let datum = |from: u32, i: usize| mix(round, (u64::from(from) << 32) + i as u64);
                let words: Vec<u64> = (0..len).map(|i| datum(me, i)).collect();
                let value = if op == SignalOp::Add { 1 } else { round };
                shmem.put_signal(half, &words, sig.at(0), value, op, partner).expect("put_signal");
                let seen = shmem.signal_wait_until(sig.at(0), Cmp::Ge, round).expect("signal_wait_until");
                assert!(seen == round || seen == round + 1, "the signal is {seen} in round {round}");
                assert!(shmem.signal_fetch(sig.at(0)).expect("signal_fetch") >= round);
                let words = half.to_vec().expect("read");
                expect_words(|| format!("round {round} after the signal"), &words, |i| datum(partner, i));
            }
            shmem.free(sig).expect("free");
        }
        shmem.free(target).expect("free");
    }
}

/// The kind of caller.
#[derive(Clone, Copy, Debug)]
enum Call {
    Typed,
    Raw(Completion),
}

/// Catches a signal that overtakes data of a copy engine, for calls from Rust and for calls by address: data from and
/// in each kind of memory, signals in each.
fn copied_data_before_signal(shmem: &Shmem) {
    const LEN: usize = 1 << 18;
    let (partner, me) = (partner(shmem), shmem.my_pe());
    let (sources, targets) = (objects::<u64>(shmem, LEN), objects::<u64>(shmem, LEN));
    let signals = objects::<u64>(shmem, 1);
    signals.iter().for_each(|signal| signal.copy_from(&[0]).expect("clear"));
    let calls = [Call::Typed, Call::Raw(Completion::Blocking), Call::Raw(Completion::Nbi)];
    let mut round = 0;
    for (source, target, signal) in sources.iter().flat_map(|source| {
        targets.iter().flat_map({
            let signals = &signals;
            move |target| signals.iter().map(move |signal| (*source, *target, *signal))
        })
    }) {
        for call in calls.into_iter().cycle().take(12) {
            round += 1;
            let datum = |from: u32, i: usize| mix(round, (u64::from(from) << 32) + i as u64);
            source.copy_from(&(0..LEN).map(|i| datum(me, i)).collect::<Vec<_>>()).expect("write");
            shmem.barrier_all().expect("barrier");
            let set = SignalOp::Set;
            match call {
                Call::Typed => shmem.put_signal(target, source, signal.at(0), round, set, partner).expect("put_signal"),
                Call::Raw(when) => {
                    let at = |of: SymSlice<'_, u64>| {
                        std::ptr::with_exposed_provenance_mut::<u8>(of.device_ptr().address() as usize)
                    };
                    let (dst, src, word) = (at(target), at(source), at(signal).cast());
                    // SAFETY: both ends have this many bytes, and the source does not change until the barrier.
                    unsafe { shmem.raw().put_signal(dst, src, 8 * LEN, word, round, set, partner, when) }
                        .expect("put_signal");
                }
            }
            while shmem.g(signal.at(0), me).expect("g") != round {
                std::thread::yield_now();
            }
            // The last word first, because it is the last to arrive.
            let last = shmem.g(target.at(LEN - 1), me).expect("g");
            let what = || {
                format!(
                    "{call:?}: to GPU {}, from GPU {}, signal {}",
                    target.is_gpu(),
                    source.is_gpu(),
                    signal.is_gpu()
                )
            };
            assert_eq!(last, datum(partner, LEN - 1), "{}: the last word after the signal", what());
            expect_words(what, &target.to_vec().expect("read"), |i| datum(partner, i));
            shmem.barrier_all().expect("barrier");
        }
    }
}

/// Catches a comparison that is reversed, signed where it should not be, or satisfied by a value that does not satisfy
/// it.
fn every_comparison(shmem: &Shmem) {
    fn of_type<T: Sample>(shmem: &Shmem, below: T, value: T, above: T) {
        let word = shmem.malloc::<T>(1).expect("malloc");
        // The previous word, a change that does not satisfy the comparison, and one that does.
        let cases: [(Cmp, T, T, T); 8] = [
            (Cmp::Eq, below, above, value),
            (Cmp::Ne, value, value, above),
            (Cmp::Ne, value, value, below),
            (Cmp::Gt, below, value, above),
            (Cmp::Le, above, above, value),
            (Cmp::Lt, above, value, below),
            (Cmp::Ge, below, below, above),
            (Cmp::Ge, below, below, value),
        ];
        let setter = shmem.n_pes() - 1;
        for (i, (cmp, before, other, after)) in cases.into_iter().enumerate() {
            word.copy_from(&[before]).expect("write");
            shmem.barrier_all().expect("barrier");
            if shmem.my_pe() == setter {
                change(shmem, word.at(0), other);
                // Time for a waiter that accepts the wrong value.
                std::thread::sleep(std::time::Duration::from_micros(200));
                change(shmem, word.at(0), after);
            }
            let seen = shmem.wait_until(word.at(0), cmp, value).expect("wait_until");
            assert_eq!(seen.bits(), after.bits(), "case {i}: {cmp:?} {value:?} ended with {seen:?}");
            shmem.barrier_all().expect("barrier");
        }
        shmem.free(word).expect("free");
    }
    fn change<T: Sample>(shmem: &Shmem, word: SymPtr<'_, T>, value: T) {
        for pe in 0..shmem.n_pes() {
            shmem.p(word, value, pe).expect("p");
        }
        // The next change comes after it.
        shmem.fence().expect("fence");
    }
    of_type::<u8>(shmem, 127, 128, 255);
    of_type::<i8>(shmem, -128, -1, 1);
    of_type::<u16>(shmem, 1, 0x8000, 0xffff);
    of_type::<i16>(shmem, -2, -1, 300);
    of_type::<u32>(shmem, 1, 1 << 31, u32::MAX);
    of_type::<i32>(shmem, i32::MIN, -1, 5);
    of_type::<u64>(shmem, 1, 1 << 63, u64::MAX);
    of_type::<i64>(shmem, i64::MIN, -1, 1 << 40);
    of_type::<usize>(shmem, 1, 2, 3);
    of_type::<f32>(shmem, -1.5, -0.25, 1e-30);
    of_type::<f64>(shmem, f64::NEG_INFINITY, -1e-300, 0.0);
}
