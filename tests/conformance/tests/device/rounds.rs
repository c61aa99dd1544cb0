//! Triggers that a kernel bumps while the CPU arms them, cancels them and arms them again.

use crate::rig::{LIMIT_NS, Rig};
use crate::triggers::{BUMPS, LIMIT, expected, on_host, produce_by, waits};
use cushmem::{Grid, Operation, Shmem, SignalOp, SymSlice, Trigger, WordUpdate};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    armed_a_thousand_times: 1, 2;
    arming_races_with_bumps: 1, 2;
    cancelling_races_with_bumps: 1, 2;
    chains_race_with_bumps: 1, 2;
    armed_for_good: 1, 2;
    armed_on_streams: 1, 2;
} }

/// How many rounds a kernel and the CPU carry out: fewer on a real GPU, where each round takes milliseconds if many
/// processes have polling kernels.
fn rounds_on(shmem: &Shmem, emulated: u64, gpu: u64) -> u64 {
    if shmem.gpu().is_some_and(|found| found.emulated) { emulated } else { gpu }
}

/// Rounds in which a kernel that runs all the time bumps when it is told to.
struct Rounds<'a> {
    rig: Rig<'a>,
    src: SymSlice<'a, u64>,
    dst: SymSlice<'a, u64>,
    go: SymSlice<'a, u64>,
    late: SymSlice<'a, u64>,
}

/// The number of words that are put.
const WORDS: usize = 5;

impl<'a> Rounds<'a> {
    fn new(shmem: &'a Shmem) -> Self {
        let rig = Rig::new(shmem);
        let (src, dst) = (rig.symmetric(&[0; WORDS]), rig.symmetric(&[0; WORDS]));
        let (go, late) = (on_host(&rig, &[0]), rig.symmetric(&[0]));
        Self { rig, src, dst, go, late }
    }

    /// Returns a trigger that is due after each bump, and the word to which it adds. The operation is a put; by the
    /// proxy, with a signal that adds 1, because only the CPU adds to host memory.
    fn counted(&self, by_proxy: bool) -> (Trigger<'a>, SymSlice<'a, u64>) {
        let (shmem, me) = (self.rig.shmem, self.rig.shmem.my_pe());
        let added = on_host(&self.rig, &[0]);
        let put = if by_proxy {
            Operation::put_signal(self.dst, self.src, added.at(0), 1, SignalOp::Add, me)
        } else {
            Operation::put(self.dst, self.src, me)
        };
        (shmem.trigger(put.expect("describe"), 1).expect("trigger"), added)
    }

    fn start(&self, trigger: &Trigger<'_>, rounds: u64) {
        let Self { src, go, late, .. } = self;
        let args = (trigger.device(), src.device_ptr(), WORDS, go.device_ptr(), rounds, late.device_ptr(), LIMIT_NS);
        self.rig.start(kernels::produce_rounds, Grid::linear(1, 32), args);
    }

    fn go(&self, round: u64) {
        self.rig.shmem.p(self.go.at(0), round, self.rig.shmem.my_pe()).expect("p");
    }

    fn end(&self) {
        self.rig.wait();
        assert_eq!(self.late.to_vec().expect("read"), [0], "the kernel waited too long in this round");
        self.rig.barrier();
    }
}

/// Catches an epoch that is lost or run twice, when the kernel runs it and when the proxy does.
fn armed_a_thousand_times(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let (trigger, added) = rounds.counted(by_proxy);
        rounds.start(&trigger, 1000);
        for round in 1..=1000 {
            if round == 1 { trigger.arm() } else { trigger.rearm() }.expect("arm");
            rounds.go(round);
            waits(&trigger);
            assert_eq!(rounds.dst.to_vec().expect("read"), expected(round, WORDS), "round {round}");
            assert_eq!(added.to_vec().expect("read"), [if by_proxy { round } else { 0 }], "round {round}");
        }
        rounds.end();
    }
}

/// Catches an operation that is run by both the kernel and the CPU, or by neither, when one bumps while the other arms.
/// The source is overwritten after each round, so that an operation that runs twice is noticed.
fn arming_races_with_bumps(shmem: &Shmem) {
    for (by_proxy, firm) in [(false, false), (false, true), (true, false)] {
        let rounds = Rounds::new(shmem);
        let (trigger, added) = rounds.counted(by_proxy);
        let trigger = if firm { trigger.firm() } else { trigger };
        let times = rounds_on(shmem, 1200, 300);
        rounds.start(&trigger, times);
        let mut before = vec![0; WORDS];
        for round in 1..=times {
            assert_eq!(rounds.dst.to_vec().expect("read"), before, "before round {round}");
            rounds.go(round);
            // From immediately to later than the kernel.
            (0..round % 64 * 8).for_each(|_| std::hint::spin_loop());
            if round == 1 { trigger.arm() } else { trigger.rearm() }.expect("arm");
            waits(&trigger);
            before = expected(round, WORDS);
            assert_eq!(rounds.dst.to_vec().expect("read"), before, "round {round}");
            assert_eq!(added.to_vec().expect("read"), [if by_proxy { round } else { 0 }], "round {round}");
            rounds.src.copy_from(&[u64::MAX; WORDS]).expect("write");
        }
        rounds.end();
    }
}

/// Catches an operation that runs although it was cancelled in time, or does not run although it was not cancelled,
/// when one side bumps while the other cancels.
fn cancelling_races_with_bumps(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let (trigger, added) = rounds.counted(by_proxy);
        let times = rounds_on(shmem, 1000, 300);
        rounds.start(&trigger, times);
        let mut before = vec![0; WORDS];
        for round in 1..=times {
            rounds.go(round);
            (0..round % 32 * 8).for_each(|_| std::hint::spin_loop());
            if round == 1 { trigger.arm() } else { trigger.rearm() }.expect("arm");
            (0..round % 16 * 8).for_each(|_| std::hint::spin_loop());
            if trigger.cancel().expect("cancel") {
                let found = (rounds.dst.to_vec().expect("read"), added.to_vec().expect("read"));
                assert_eq!(found, (before, vec![if by_proxy { round - 1 } else { 0 }]), "cancelled in round {round}");
                // The bump counts, whether it has arrived or not.
                trigger.arm().expect("arm");
            }
            waits(&trigger);
            before = expected(round, WORDS);
            assert_eq!(rounds.dst.to_vec().expect("read"), before, "round {round}");
            assert_eq!(added.to_vec().expect("read"), [if by_proxy { round } else { 0 }], "round {round}");
            rounds.src.copy_from(&[u64::MAX; WORDS]).expect("write");
        }
        rounds.end();
    }
}

/// Catches a bump of a chain's second trigger that is lost or counted twice: the kernel bumps the first one while the
/// CPU arms it.
fn chains_race_with_bumps(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let put = Operation::put(rounds.dst, rounds.src, shmem.my_pe()).expect("describe");
        let last = shmem.trigger(if by_proxy { put.by_proxy() } else { put }, 1).expect("trigger");
        let first = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
        let times = rounds_on(shmem, 1000, 300);
        rounds.start(&first, times);
        for round in 1..=times {
            let arm = |trigger: &Trigger<'_>| if round == 1 { trigger.arm() } else { trigger.rearm() };
            arm(&last).expect("arm");
            rounds.go(round);
            (0..round % 64 * 8).for_each(|_| std::hint::spin_loop());
            arm(&first).expect("arm");
            waits(&first);
            waits(&last);
            assert_eq!(rounds.dst.to_vec().expect("read"), expected(round, WORDS), "round {round}");
            rounds.src.copy_from(&[u64::MAX; WORDS]).expect("write");
        }
        rounds.end();
    }
}

/// Catches a step of a kernel whose operation does not run, or runs twice, although the CPU armed the trigger for all
/// steps, and calls that would undo this.
fn armed_for_good(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let (rig, me) = (&rounds.rig, shmem.my_pe());
        // Only the proxy adds to host memory, and only the kernel to GPU memory.
        let added = if by_proxy { on_host(rig, &[0]) } else { rig.symmetric(&[0]) };
        let put = Operation::put_signal(rounds.dst, rounds.src, added.at(0), 1, SignalOp::Add, me).expect("describe");
        let trigger = shmem.trigger(put, 1).expect("trigger");
        trigger.arm_always().expect("arm");
        rounds.start(&trigger, 300);
        for round in 1..=300 {
            rounds.go(round);
            let start = Instant::now();
            while added.to_vec().expect("read")[0] < round && start.elapsed() < LIMIT {
                std::thread::yield_now();
            }
            assert_eq!(added.to_vec().expect("read"), [round]);
            assert_eq!(rounds.dst.to_vec().expect("read"), expected(round, WORDS), "round {round}");
        }
        rounds.end();
        let says = |result: cushmem::Result<()>, part: &str| {
            let error = result.expect_err("wrong").to_string();
            assert!(error.contains(part), "'{part}' is not in '{error}'");
        };
        says(trigger.arm(), "arm a trigger: it is armed");
        says(trigger.arm_always(), "always arm a trigger: it is armed");
        says(trigger.rearm(), "rearm a trigger: its operation is not complete");
        says(trigger.cancel().map(drop), "cancel a trigger: it is firmly armed");
        says(trigger.wait(), "wait for a trigger: it is not armed, or it is always armed");
        says(trigger.arm_on_stream(), "arm on a stream a trigger: its operation is not complete");
        says(shmem.trigger(Operation::trigger(&trigger), 1).map(drop), "or it is always armed");
        assert_eq!(added.to_vec().expect("read"), [300], "an operation ran afterwards");
        // What the kernel leaves to the proxy in its last moments is carried out before the trigger is destroyed.
        let put = Operation::put_signal(rounds.dst, rounds.src, added.at(0), 1, SignalOp::Add, me).expect("describe");
        let trigger = shmem.trigger(put, BUMPS[1]).expect("trigger");
        trigger.arm_always().expect("arm");
        produce_by(rig, 1, &trigger, rounds.src, 7);
        produce_by(rig, 1, &trigger, rounds.src, 8);
        drop(trigger);
        assert_eq!(
            (added.to_vec().expect("read"), rounds.dst.to_vec().expect("read")),
            (vec![302], expected(8, WORDS))
        );
        // It has been bumped.
        let late = shmem.trigger(Operation::put(rounds.dst, rounds.src, me).expect("describe"), 5).expect("trigger");
        produce_by(rig, 3, &late, rounds.src, 9);
        says(late.arm_always(), "always arm a trigger: it has been bumped before");
    }
}

/// Catches a stream that does not wait for the threshold, that copies the signal before the data, or that stops the job
/// when the trigger is dropped.
fn armed_on_streams(shmem: &Shmem) {
    let rounds = Rounds::new(shmem);
    let (rig, src, dst) = (&rounds.rig, rounds.src, rounds.dst);
    let set = rig.symmetric(&[0u64]);
    let put = Operation::put_signal(dst, src, set.at(0), 9, SignalOp::Set, rig.partner()).expect("describe");
    let trigger = shmem.trigger(put, 1).expect("trigger");
    if !rig.reaches_all() && rig.partner() != shmem.my_pe() {
        let error = trigger.arm_on_stream().expect_err("the PE is not mapped").to_string();
        assert!(error.contains("a stream can only copy and set words that its GPU reaches"), "{error}");
        return rig.barrier();
    }
    rounds.start(&trigger, 20);
    for round in 1..=20 {
        // Every fourth epoch is armed in the other way.
        match round {
            _ if round % 4 != 0 => trigger.arm_on_stream(),
            _ => trigger.rearm(),
        }
        .expect("arm");
        if round % 4 != 0 {
            let error = trigger.cancel().expect_err("it is in a stream").to_string();
            assert!(error.contains("work in a stream cannot be cancelled"), "{error}");
        }
        assert!(trigger.wait_for(Duration::from_millis(1)).is_err(), "nobody has bumped it");
        rig.barrier();
        assert_eq!(set.to_vec().expect("read"), [if round == 1 { 0 } else { 9 }], "round {round}");
        rig.barrier();
        rounds.go(round);
        waits(&trigger);
        rig.barrier();
        assert_eq!(dst.to_vec().expect("read"), expected(round, WORDS), "round {round}");
        rig.barrier();
    }
    rounds.end();
    // Early bumps, and a word in host memory.
    let word = on_host(rig, &[0]);
    rig.barrier();
    let store = Operation::atomic(word.at(0), WordUpdate::Set, 5, rig.partner()).expect("describe");
    let store = shmem.trigger(store, 3).expect("trigger");
    produce_by(rig, 2, &store, src, 1);
    store.arm_on_stream().expect("arm");
    waits(&store);
    rig.barrier();
    assert_eq!(word.to_vec().expect("read"), [5]);
    let add = Operation::atomic(word.at(0), WordUpdate::Add, 1, rig.partner()).expect("describe");
    let error = shmem.trigger(add, 1).expect("trigger").arm_on_stream().expect_err("it adds").to_string();
    assert!(error.contains("a stream can only copy and set words"), "{error}");
    // Nobody bumps this one.
    let put = Operation::put(dst, src, shmem.my_pe()).expect("describe");
    let last = shmem.trigger(put, 1).expect("trigger");
    last.arm_on_stream().expect("arm");
    src.copy_from(&[8; WORDS]).expect("write");
    drop(last);
    assert_eq!(dst.to_vec().expect("read"), [8; WORDS], "dropping it runs it");
    rig.barrier();
}
