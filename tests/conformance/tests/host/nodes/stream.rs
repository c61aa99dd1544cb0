//! What a flag guarantees: data streams from PE 0 to the last PE, which checks it as soon as it sees the flag that
//! follows.

use cushmem::raw::Completion;
use cushmem::{Cmp, Shmem, SignalOp, SymPtr, SymSlice};
use cushmem_conformance::{expect_words, on_nodes, seeded};
use cushmem_conformance_kernels::mix;

on_nodes! {
    a_signal_comes_after_its_data: 2 on 2, 3 on 2;
    an_added_signal_comes_after_its_data: 2 on 2;
    a_fence_keeps_the_order: 2 on 2;
    a_source_is_free_on_return: 2 on 2;
    a_source_is_free_after_quiet: 2 on 2;
    all_signals_count: 3 on 3, 3 on 2, 4 on 2;
}

/// The largest number of pending rounds, each with its own part of source and target.
const SLOTS: usize = 8;
const LONGEST: usize = 8000;
const GARBAGE: u64 = 0xbad;

/// One round of a stream, as the sender sees it.
struct Round<'a> {
    shmem: &'a Shmem,
    number: u64,
    data: SymSlice<'a, u64>,
    source: SymSlice<'a, u64>,
    flag: SymPtr<'a, u64>,
    to: u32,
}

impl Round<'_> {
    fn put_signal(&self, value: u64, op: SignalOp, when: Completion) {
        let at =
            |of: SymSlice<'_, u64>| std::ptr::with_exposed_provenance_mut::<u64>(of.device_ptr().address() as usize);
        let (to, from, signal) = (at(self.data).cast(), at(self.source).cast(), at(self.flag.as_slice()));
        let bytes = 8 * self.data.len();
        // SAFETY: both ends have this many bytes; the source is overwritten only after a quiet.
        unsafe { self.shmem.raw().put_signal(to, from, bytes, signal, value, op, self.to, when) }.expect("put_signal");
    }

    fn flag(&self) {
        self.shmem.p(self.flag, self.number, self.to).expect("p");
    }

    fn spoil_source(&self) {
        self.source.copy_from(&vec![GARBAGE; self.source.len()]).expect("write");
    }
}

/// Sends this many rounds. `send` puts the data, and after it sets the flag to the number of the round.
fn stream(shmem: &Shmem, rounds: u64, send: impl Fn(&Round<'_>)) {
    let (me, to) = (shmem.my_pe(), shmem.n_pes() - 1);
    let [data, sources] = [(); 2].map(|()| shmem.malloc::<u64>(SLOTS * LONGEST).expect("malloc"));
    let words = shmem.malloc::<u64>(2).expect("malloc");
    words.copy_from(&[0; 2]).expect("clear");
    let (flag, seen) = (words.at(0), words.at(1));
    shmem.barrier_all().expect("barrier");
    let mut random = seeded();
    let datum = |round: u64, i: usize| mix(round, i as u64);
    for number in 1..=rounds {
        // Mostly short, so that the flag follows closely.
        let len = 1 + random.below(if number % 16 == 0 { LONGEST } else { 64 });
        let start = number as usize % SLOTS * LONGEST;
        let part = start..start + len;
        if me == 0 {
            if number % (SLOTS as u64 / 2) == 0 {
                // Half of the slots may be overwritten.
                shmem.quiet().expect("quiet");
                shmem.wait_until(seen, Cmp::Ge, number.saturating_sub(SLOTS as u64 / 2)).expect("wait_until");
            }
            let source = sources.slice(part.clone());
            source.copy_from(&(0..len).map(|i| datum(number, i)).collect::<Vec<_>>()).expect("write");
            send(&Round { shmem, number, data: data.slice(part), source, flag, to });
        } else if me == to {
            shmem.signal_wait_until(flag, Cmp::Ge, number).expect("wait");
            let words = data.slice(part).to_vec().expect("read");
            expect_words(|| format!("round {number} after its flag"), &words, |i| datum(number, i));
            // Not before the number of the previous round.
            shmem.fence().expect("fence");
            shmem.p(seen, number, 0).expect("p");
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a signal that overtakes its data, of any size, complete or not.
fn a_signal_comes_after_its_data(shmem: &Shmem) {
    stream(shmem, 1500, |round| {
        let when = if round.number % 4 == 0 { Completion::Blocking } else { Completion::Nbi };
        round.put_signal(round.number, SignalOp::Set, when);
    });
}

/// Catches a signal that overtakes its data although it is an atomic operation, which travels on another lane.
fn an_added_signal_comes_after_its_data(shmem: &Shmem) {
    stream(shmem, 250, |round| {
        let when = if round.number % 4 == 0 { Completion::Blocking } else { Completion::Nbi };
        round.put_signal(1, SignalOp::Add, when);
    });
}

/// Catches a fence that lets the flag overtake what was put before it, on a network that does not preserve order.
fn a_fence_keeps_the_order(shmem: &Shmem) {
    stream(shmem, 400, |round| {
        let (data, source) = (round.data, round.source);
        if round.number % 3 == 0 {
            shmem.put(data, source, round.to).expect("put");
        } else {
            shmem.put_nbi(data, source, round.to).expect("put_nbi");
        }
        shmem.fence().expect("fence");
        round.flag();
    });
}

/// Catches a blocking put that returns before its source has been read.
fn a_source_is_free_on_return(shmem: &Shmem) {
    stream(shmem, 400, |round| {
        shmem.put(round.data, round.source, round.to).expect("put");
        round.spoil_source();
        shmem.fence().expect("fence");
        round.flag();
    });
}

/// Catches a quiet that returns before all sources have been read, and a put that releases its source earlier.
fn a_source_is_free_after_quiet(shmem: &Shmem) {
    stream(shmem, 300, |round| {
        let middle = round.data.len() / 2;
        shmem.put_nbi(round.data.slice(..middle), round.source.slice(..middle), round.to).expect("put_nbi");
        shmem.put_nbi(round.data.slice(middle..), round.source.slice(middle..), round.to).expect("put_nbi");
        shmem.quiet().expect("quiet");
        round.spoil_source();
        round.flag();
    });
}

/// Catches a signal that is lost because two PEs of different nodes, or a PE and the target itself, add at the same
/// time.
fn all_signals_count(shmem: &Shmem) {
    const TIMES: u64 = 150;
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let data = shmem.malloc::<u64>(n as usize).expect("malloc");
    let signal = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.atomic_set(signal, 0, me).expect("atomic_set");
    shmem.barrier_all().expect("barrier");
    let own = data.slice(me as usize..=me as usize);
    for time in 1..=TIMES {
        shmem.put_signal(own, &[time], signal, 1, SignalOp::Add, 0).expect("put_signal");
    }
    shmem.barrier_all().expect("barrier");
    if me == 0 {
        assert_eq!(shmem.signal_fetch(signal).expect("signal_fetch"), u64::from(n) * TIMES);
        assert_eq!(data.to_vec().expect("read"), vec![TIMES; n as usize]);
    }
    shmem.barrier_all().expect("barrier");
}
