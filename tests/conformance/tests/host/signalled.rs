//! Data that signals announce, a great many times. `cargo xtask soak` repeats it on nodes; `CUSHMEM_TEST_REQUESTS` says
//! how many rounds there are.

use cushmem::raw::Completion;
use cushmem::{Cmp, Shmem, SignalOp, SymSlice};
use cushmem_conformance::{asked_requests, conformance, expect_words, on_nodes, seeded};

conformance! { host => { data_come_before_their_signal: 2; } }

const NO_GPU: &[(&str, &str)] = &[("CUSHMEM_GPU", "none")];
on_nodes! { with NO_GPU: { data_come_before_their_signal: 2 on 2; } }

/// How many rounds are under way.
const SLOTS: usize = 16;
/// The words of the longest put: 4 KiB.
const MOST: usize = 512;
/// At and around what travels with an operation, what fills lines of the cache, and what fills pages.
const LENGTHS: [usize; 12] = [1, 2, 3, 7, 8, 9, 33, 64, 127, 256, 511, MOST];
/// How often the target says how far it is.
const BETWEEN_ANSWERS: u64 = SLOTS as u64 / 4;

/// How the data and their signal are put.
#[derive(Clone, Copy, Debug)]
enum By {
    /// In one operation.
    PutSignal,
    /// The signal of an operation without data, behind a fence.
    Fence,
    /// In one operation, and a part of them before it, behind a fence.
    Both,
    /// As the first one, without a wait for the source.
    Nbi,
}

/// What all rounds use.
struct Rig<'a> {
    shmem: &'a Shmem,
    /// Of all slots.
    target: SymSlice<'a, u64>,
    source: SymSlice<'a, u64>,
    signals: SymSlice<'a, u64>,
    /// How many rounds the target has checked.
    answer: SymSlice<'a, u64>,
}

/// Catches a signal that comes before the data that were put before it: PE 0 puts words to PE 1, which looks at all of
/// them when it sees the signal. The words of no two rounds are equal.
fn data_come_before_their_signal(shmem: &Shmem) {
    let rounds = asked_requests().unwrap_or(2000) as u64;
    let words = |n| shmem.malloc::<u64>(n).expect("malloc");
    let rig = Rig {
        shmem,
        target: words(SLOTS * MOST),
        source: words(SLOTS * MOST),
        signals: words(SLOTS),
        answer: words(1),
    };
    for object in [rig.target, rig.source, rig.signals, rig.answer] {
        object.copy_from(&vec![0; object.len()]).expect("clear");
    }
    shmem.barrier_all().expect("barrier");
    let mut random = seeded();
    for round in 1..=rounds {
        // The same on both PEs.
        let by = *random.one_of(&[By::PutSignal, By::Fence, By::Both, By::Nbi]);
        let length = *random.one_of(&LENGTHS);
        if shmem.my_pe() == 0 { rig.put(round, by, length) } else { rig.check(round, by, length) }
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(shmem.g(rig.answer.at(0), 0).expect("g"), rounds - rounds % BETWEEN_ANSWERS);
    shmem.barrier_all().expect("barrier");
}

fn slot_of(round: u64) -> usize {
    (round % SLOTS as u64) as usize
}

fn word(round: u64, at: usize) -> u64 {
    round << 16 | at as u64
}

impl Rig<'_> {
    fn put(&self, round: u64, by: By, length: usize) {
        let (shmem, slot) = (self.shmem, slot_of(round));
        if slot == 0 {
            // From now on, the sources of the last rounds may change.
            shmem.quiet().expect("quiet");
        }
        // What was in the slot is checked.
        let before = round.saturating_sub(SLOTS as u64);
        shmem.wait_until(self.answer.at(0), Cmp::Ge, before).expect("wait_until");
        let (range, signal) = (slot * MOST..slot * MOST + length, self.signals.at(slot));
        let (target, source) = (self.target.slice(range.clone()), self.source.slice(range));
        source.copy_from(&(0..length).map(|at| word(round, at)).collect::<Vec<_>>()).expect("write");
        let part = match by {
            By::PutSignal | By::Nbi => 0,
            By::Fence => length,
            By::Both => length / 2,
        };
        if part > 0 {
            shmem.put_nbi(target.slice(..part), source.slice(..part), 1).expect("put_nbi");
            shmem.fence().expect("fence");
        }
        let (target, source) = (target.slice(part..), source.slice(part..));
        if let By::Nbi = by {
            let (to, from, signal) = (target.ptr(0), source.ptr(0), signal.as_slice().ptr(0));
            // SAFETY: both ends have the words; the source changes after a quiet only.
            let put = unsafe {
                let (bytes, op) = (source.len() * size_of::<u64>(), SignalOp::Set);
                shmem.raw().put_signal(to.cast(), from.cast(), bytes, signal, round, op, 1, Completion::Nbi)
            };
            return put.expect("put_signal_nbi");
        }
        shmem.put_signal(target, source, signal, round, SignalOp::Set, 1).expect("put_signal");
    }

    fn check(&self, round: u64, by: By, length: usize) {
        let (shmem, slot) = (self.shmem, slot_of(round));
        shmem.wait_until(self.signals.at(slot), Cmp::Eq, round).expect("wait_until");
        let found = self.target.slice(slot * MOST..slot * MOST + length).to_vec().expect("read");
        expect_words(|| format!("{length} words of round {round}, {by:?}"), &found, |at| word(round, at));
        if round.is_multiple_of(BETWEEN_ANSWERS) {
            // Behind the last answer.
            shmem.fence().expect("fence");
            shmem.p(self.answer.at(0), round, 0).expect("p");
        }
    }
}
