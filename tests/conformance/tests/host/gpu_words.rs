//! Atomic operations, signals and waits of CPUs on words of GPU memory, with all PEs on the same words.

use crate::place::partner;
use cushmem::raw::AmoOp;
use cushmem::{Amo, Cmp, Shmem, SignalOp, SymSlice};
use cushmem_conformance::{Sample, conformance, expect_status, seeded};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    additions: 1, 2, 4;
    tickets: 2, 4;
    every_operation: 1, 2;
    a_lock: 2, 4;
    threads: 2;
    signals_add_up: 1, 2, 4;
    waits: 1, 2;
    after_a_pause: 2;
    right_after_puts: 2;
} }

/// Words that their owner changes for others.
const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod apart {
    use super::{
        APART, a_computing_target, a_lock, additions, every_operation, signals_add_up, threads, tickets, waits,
    };
    cushmem_conformance::conformance! { with APART: soft, cuda => {
        additions: 2, 4;
        tickets: 2, 4;
        every_operation: 1, 2;
        a_lock: 2;
        threads: 2;
        signals_add_up: 2, 4;
        waits: 2;
        a_computing_target: 2;
    } }
}

/// One GPU for all PEs, whose agents take turns.
mod on_one_gpu {
    use super::{additions, after_a_pause, signals_add_up, tickets, waits};
    const ONE: &[(&str, &str)] = &[("CUDA_VISIBLE_DEVICES", "0")];
    cushmem_conformance::conformance! { with ONE: cuda => {
        additions: 2;
        tickets: 2;
        signals_add_up: 2;
        waits: 2;
        after_a_pause: 2;
    } }
}

mod on_nodes {
    use super::{additions, every_operation, signals_add_up, tickets};
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: {
        additions: 3 on 2;
        tickets: 2 on 2;
        every_operation: 2 on 2;
        signals_add_up: 3 on 2;
    } }
}

/// How often to repeat something: an operation takes microseconds, and much longer on the emulated GPU of a busy
/// machine.
fn times(shmem: &Shmem) -> u64 {
    if shmem.gpu().is_some_and(|gpu| gpu.emulated) { 100 } else { 3000 }
}

fn words<'a, T: cushmem::Word>(shmem: &'a Shmem, start: &[T]) -> SymSlice<'a, T> {
    let words = shmem.malloc_gpu::<T>(start.len()).expect("malloc_gpu");
    words.copy_from(start).expect("write");
    shmem.barrier_all().expect("barrier");
    words
}

/// Catches an addition that is lost, carried out twice, has the wrong width, or carries into the next word.
fn additions(shmem: &Shmem) {
    fn of_type<T: Amo + Sample>(shmem: &Shmem) {
        let (n, times) = (u64::from(shmem.n_pes()), times(shmem));
        // The middle word wraps around; its neighbours must not change.
        let words = words(shmem, &[T::sample(u64::MAX), T::sample(u64::MAX), T::sample(0)]);
        let mut random = seeded().split(shmem.my_pe().into());
        for _ in 0..times {
            let pe = random.below(n as usize) as u32;
            shmem.fetch_add(words.at(1), T::sample(u64::from(shmem.my_pe()) + 1), pe).expect("fetch_add");
        }
        shmem.barrier_all().expect("barrier");
        let all = (0..shmem.n_pes()).map(|pe| shmem.atomic_fetch(words.at(1), pe).expect("fetch").bits());
        let sum = all.fold(0u64, |sum, word| sum.wrapping_add(word).wrapping_add(1));
        assert_eq!(T::sample(sum).bits(), T::sample(times * n * (n + 1) / 2).bits(), "sum over all PEs");
        let around = [words.at(0), words.at(2)].map(|word| shmem.g(word, shmem.my_pe()).expect("g").bits());
        assert_eq!(around, [T::sample(u64::MAX).bits(), 0], "a neighbour has changed");
        shmem.barrier_all().expect("barrier");
        shmem.free(words).expect("free");
    }
    of_type::<u32>(shmem);
    of_type::<i64>(shmem);
    of_type::<u64>(shmem);
}

/// Catches two PEs that get the same value from one counter, and a PE that gets the answer of another operation.
fn tickets(shmem: &Shmem) {
    let times = times(shmem) as usize;
    let total = times * shmem.n_pes() as usize;
    let (counter, taken) = (words(shmem, &[0u64]), shmem.malloc::<u32>(total).expect("malloc"));
    taken.copy_from(&vec![0; total]).expect("write");
    shmem.barrier_all().expect("barrier");
    let mut last = None;
    for _ in 0..times {
        let ticket = shmem.fetch_add(counter.at(0), 1, 0).expect("fetch_add");
        assert!(last.is_none_or(|last| last < ticket), "ticket {ticket} after {last:?}");
        last = Some(ticket);
        shmem.fetch_add(taken.at(ticket as usize), 1, 0).expect("fetch_add");
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let taken = taken.to_vec().expect("read");
        assert!(taken.iter().all(|&t| t == 1), "ticket {:?} was not given once", taken.iter().position(|&t| t != 1));
    }
}

/// Catches an operation that does another's work, or that returns a value that was not in the word.
pub fn every_operation(shmem: &Shmem) {
    let (raw, pe) = (shmem.raw(), partner(shmem));
    let words = words(shmem, &[0u64; 2]);
    let word = std::ptr::with_exposed_provenance_mut::<u64>(words.device_ptr().address() as usize);
    let mut is = 0x1234_5678_9abc_def0u64;
    shmem.atomic_set(words.at(0), is, pe).expect("set");
    // The network's card may set the word, and the owner carries out the others: nothing else orders them.
    shmem.quiet().expect("quiet");
    type Does = fn(u64, u64) -> u64;
    let updates: [(AmoOp, Does); 5] = [
        (AmoOp::Add, u64::wrapping_add),
        (AmoOp::And, |a, b| a & b),
        (AmoOp::Or, |a, b| a | b),
        (AmoOp::Xor, |a, b| a ^ b),
        (AmoOp::Swap, |_, b| b),
    ];
    for (op, does) in updates {
        let operand = 0xf0f1_f2f3_f4f5_f6f7u64 ^ is.rotate_left(9);
        assert_eq!(raw.update(word, operand, op, pe), Ok(is), "{op:?}");
        is = does(is, operand);
        assert_eq!(shmem.atomic_fetch(words.at(0), pe).expect("fetch"), is, "after {op:?}");
    }
    assert_eq!(shmem.compare_swap(words.at(0), is ^ 1, 7, pe).expect("compare_swap"), is);
    assert_eq!(shmem.compare_swap(words.at(0), is, 7, pe).expect("compare_swap"), is);
    assert_eq!(shmem.swap(words.at(0), 8, pe).expect("swap"), 7);
    assert_eq!(shmem.swap(words.at(0), u64::MAX, pe).expect("swap"), 8);
    let (half, operand) = (word.cast::<u32>(), 0x1234_5678u32);
    let mut is = u32::MAX;
    for op in [AmoOp::And, AmoOp::Xor, AmoOp::Or, AmoOp::Swap, AmoOp::Add] {
        assert_eq!(raw.update(half, operand, op, pe), Ok(is), "{op:?} of the lower half");
        is = match op {
            AmoOp::And => is & operand,
            AmoOp::Xor => is ^ operand,
            AmoOp::Or => is | operand,
            AmoOp::Swap => operand,
            AmoOp::Add => is.wrapping_add(operand),
        };
    }
    assert_eq!(raw.compare_swap(half, is ^ 1, 5, pe), Ok(is));
    assert_eq!(raw.compare_swap(half, is, u32::MAX, pe), Ok(is));
    assert_eq!(raw.update(word.cast::<u32>(), 1, AmoOp::Add, pe), Ok(u32::MAX), "the lower half");
    assert_eq!(shmem.atomic_fetch(words.at(0), pe).expect("fetch"), u64::from(u32::MAX) << 32);
    assert!(raw.update(word.wrapping_byte_add(4), 1, AmoOp::Add, pe).is_err(), "a word that is not aligned");
    shmem.barrier_all().expect("barrier");
    assert_eq!(words.to_vec().expect("read"), [u64::from(u32::MAX) << 32, 0], "and the word beside");
    shmem.barrier_all().expect("barrier");
}

/// Catches a compare_swap that lets two PEs in.
fn a_lock(shmem: &Shmem) {
    let (lock, guarded) = (words(shmem, &[-1i64]), words(shmem, &[0u64; 2]));
    let (home, me, times) = (shmem.n_pes() - 1, i64::from(shmem.my_pe()), times(shmem) / 4);
    for _ in 0..times {
        while shmem.compare_swap(lock.at(0), -1, me, home).expect("compare_swap") != -1 {
            std::thread::yield_now();
        }
        let count = shmem.g(guarded.at(0), home).expect("g");
        shmem.p(guarded.at(0), count + 1, home).expect("p");
        assert_eq!(shmem.g(guarded.at(1), home).expect("g"), count, "the second word is of another time");
        shmem.p(guarded.at(1), count + 1, home).expect("p");
        shmem.quiet().expect("quiet");
        assert_eq!(shmem.swap(lock.at(0), -1, home).expect("swap"), me, "the lock was given to another");
    }
    shmem.barrier_all().expect("barrier");
    let both = [times * u64::from(shmem.n_pes()); 2];
    assert!(shmem.my_pe() != home || guarded.to_vec().expect("read") == both, "a turn was lost");
    shmem.barrier_all().expect("barrier");
}

/// Catches threads of one PE whose commands interfere with each other.
fn threads(shmem: &Shmem) {
    const THREADS: u64 = 4;
    let (counters, times) = (words(shmem, &[0u64; 2]), times(shmem) / 2);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut last = None;
                for _ in 0..times {
                    let before = shmem.fetch_add(counters.at(0), 1, 0).expect("fetch_add");
                    assert!(last.is_none_or(|last| last < before), "{before} after {last:?}");
                    last = Some(before);
                    shmem.fetch_add(counters.at(1), 2, 1).expect("fetch_add");
                }
            });
        }
    });
    shmem.barrier_all().expect("barrier");
    let all = THREADS * times * u64::from(shmem.n_pes());
    let seen = [0, 1].map(|pe| shmem.atomic_fetch(counters.at(pe as usize), pe).expect("fetch"));
    assert_eq!(seen, [all, 2 * all]);
    shmem.barrier_all().expect("barrier");
}

/// Catches an added signal that comes before its data, to either memory, or that is lost.
pub fn signals_add_up(shmem: &Shmem) {
    const LEN: usize = 700;
    let (n, me, times) = (shmem.n_pes() as usize, shmem.my_pe() as usize, times(shmem) / 4);
    let signal = words(shmem, &[0u64]);
    let (on_gpu, on_host) = (words(shmem, &vec![0u64; LEN * n]), shmem.malloc::<u64>(LEN * n).expect("malloc"));
    shmem.barrier_all().expect("barrier");
    for round in 1..=times {
        let data = [on_gpu, on_host][round as usize % 2];
        let part = data.slice(LEN * me..LEN * (me + 1));
        for pe in 0..shmem.n_pes() {
            shmem.put_signal(part, &[round; LEN], signal.at(0), 1, SignalOp::Add, pe).expect("put_signal");
        }
        let seen = shmem.signal_wait_until(signal.at(0), Cmp::Ge, round * n as u64).expect("signal_wait_until");
        assert!(seen == round * n as u64 && shmem.signal_fetch(signal.at(0)).expect("fetch") == seen, "{seen}");
        let all = data.to_vec().expect("read");
        assert_eq!(all.iter().position(|word| *word != round), None, "round {round}: {:?}", &all[..4]);
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches a wait that ends too early, or never, for any type, and a wait whose state is not reported.
fn waits(shmem: &Shmem) {
    fn of_type<T: Sample + std::fmt::Debug>(shmem: &Shmem) {
        let word = words(shmem, &[T::sample(0)]);
        for round in 1..=20 {
            shmem.p(word.at(0), T::sample(round), partner(shmem)).expect("p");
            let seen = shmem.wait_until(word.at(0), Cmp::Eq, T::sample(round)).expect("wait_until");
            assert_eq!(seen.bits(), T::sample(round).bits());
            shmem.barrier_all().expect("barrier");
        }
        shmem.free(word).expect("free");
    }
    of_type::<u64>(shmem);
    of_type::<i32>(shmem);
    of_type::<u16>(shmem);
    of_type::<f32>(shmem);
    let flags = words(shmem, &[0u64; 5]);
    let first = std::ptr::with_exposed_provenance::<u64>(flags.device_ptr().address() as usize);
    let raw = shmem.raw();
    let words = raw.own_words(first, 5).expect("own words");
    assert_eq!(raw.load_acquire(first), Ok(0));
    shmem.atomic_set(flags.at(3), 9, partner(shmem)).expect("set");
    let at = raw.wait_for("a test", &words, || (0..words.len()).find(|at| words.load_acquire(*at) != 0));
    assert_eq!(at, 3);
    shmem.barrier_all().expect("barrier");
    if shmem.n_pes() == 2 && shmem.my_pe() == 0 {
        expect_status(&["PE 1: wait_until of the word at 0x", " (now 0, wanted == 5) for ", "GPU agent: "]);
        shmem.p(flags.at(0), 5, 1).expect("p");
    } else if shmem.n_pes() == 2 {
        assert_eq!(shmem.wait_until(flags.at(0), Cmp::Eq, 5).expect("wait_until"), 5);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a kernel that leaves and takes a command with it.
fn after_a_pause(shmem: &Shmem) {
    let (counter, pe) = (words(shmem, &[0u64]), partner(shmem));
    let mut random = seeded().split(shmem.my_pe().into());
    for round in 0..times(shmem) / 2 {
        assert_eq!(shmem.fetch_add(counter.at(0), 1, pe).expect("fetch_add"), round);
        // Around the time after which an idle kernel leaves.
        let until = Instant::now() + Duration::from_micros(random.below(120) as u64);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches memory that is freed while a kernel of the library still uses it.
fn right_after_puts(shmem: &Shmem) {
    for round in 0..20u64 {
        let counter = words(shmem, &[round]);
        let private = shmem.device_alloc::<u64>(64).expect("device_alloc");
        for i in 0..8 {
            shmem.p(counter.at(0), round ^ i, partner(shmem)).expect("p");
        }
        shmem.p(counter.at(0), round, partner(shmem)).expect("p");
        shmem.quiet().expect("quiet");
        assert_eq!(shmem.fetch_add(counter.at(0), 1, partner(shmem)).expect("fetch_add"), round);
        drop(private);
        shmem.free(counter).expect("free");
    }
    let counter = words(shmem, &[0u64]);
    shmem.fetch_add(counter.at(0), 1, partner(shmem)).expect("fetch_add");
    // The job ends here.
}

/// Catches an owner that changes a word only when its program calls the library.
fn a_computing_target(shmem: &Shmem) {
    let (counter, done) = (words(shmem, &[0u64]), shmem.malloc::<u64>(1).expect("malloc"));
    done.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        for round in 0..20 {
            assert_eq!(shmem.fetch_add(counter.at(0), 1, 1).expect("fetch_add"), round);
        }
        shmem.p(done.at(0), 1, 1).expect("p");
    } else {
        let word = done.at(0).as_slice().ptr(shmem.my_pe());
        // SAFETY: this is an aligned word of symmetric host memory of this PE, which is only used as an atomic until
        // the end.
        let word = unsafe { AtomicU64::from_ptr(word) };
        let deadline = Instant::now() + Duration::from_secs(30);
        while word.load(Ordering::Acquire) == 0 {
            assert!(Instant::now() < deadline, "PE 0 does not finish");
            std::thread::yield_now();
        }
    }
    shmem.barrier_all().expect("barrier");
}
