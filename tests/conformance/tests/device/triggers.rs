// Long because all tests of triggers share what fills, bumps and waits.
//! Triggers: every operation, by every scope; bumps that come early; chains; arming, cancelling and arming again while lanes bump.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{DevPtr, DeviceTrigger, Grid, Kernel, Operation, Shmem, SignalOp, SymSlice, Trigger, WordUpdate};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::{self as kernels, mix};
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    puts_by_every_scope: 1, 2, 4;
    words_by_every_scope: 1, 2;
    early_bumps_count: 1, 2;
    chains: 1, 2;
    chains_that_are_due: 1;
    chains_race_with_bumps: 1, 2;
    links_that_are_gone: 1;
    cancelled_operations_do_not_run: 1, 2;
    armed_a_thousand_times: 1, 2;
    arming_races_with_bumps: 1, 2;
    cancelling_races_with_bumps: 1, 2;
    armed_for_good: 1, 2;
    armed_on_streams: 1, 2;
    wrong_calls: 1;
    a_linked_trigger_is_not_bumped: 1;
} }

type Produce = (DeviceTrigger, DevPtr<u64>, usize, u64);
const BLOCKS: u32 = 3;
const LANES: u32 = 64;
/// Of a kernel with that grid, by scope: how often it bumps.
const BUMPS: [u64; 4] = [192, 6, 3, 1];
const LIMIT: Duration = Duration::from_nanos(LIMIT_NS);

fn produce<K: Kernel<Args = Produce>>(
    rig: &Rig<'_>,
    kernel: K,
    trigger: &Trigger<'_>,
    src: SymSlice<'_, u64>,
    round: u64,
) {
    rig.run(kernel, Grid::linear(BLOCKS, LANES), (trigger.device(), src.device_ptr(), src.len(), round));
}

/// Runs the kernel of a scope.
fn produce_by(rig: &Rig<'_>, scope: usize, trigger: &Trigger<'_>, src: SymSlice<'_, u64>, round: u64) {
    match scope {
        0 => produce(rig, kernels::produce_thread, trigger, src, round),
        1 => produce(rig, kernels::produce_warp, trigger, src, round),
        2 => produce(rig, kernels::produce_block, trigger, src, round),
        _ => produce(rig, kernels::produce_grid, trigger, src, round),
    }
}

fn expected(round: u64, n: usize) -> Vec<u64> {
    (0..n).map(|i| mix(round, i as u64)).collect()
}

/// Symmetric host memory with these words.
fn on_host<'a>(rig: &Rig<'a>, words: &[u64]) -> SymSlice<'a, u64> {
    let object = rig.shmem.malloc(words.len()).expect("malloc");
    object.copy_from(words).expect("write");
    object
}

fn waits(trigger: &Trigger<'_>) {
    trigger.wait_for(LIMIT).expect("the operation runs");
}

/// Catches data that the last scope puts before other lanes have written them, a put that runs twice or never, or a signal before its data.
fn puts_by_every_scope(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut round = 0;
    for n in [1, 31, 257] {
        let zeros = vec![0u64; n];
        let (gpu, host) = (rig.symmetric(&zeros), on_host(&rig, &zeros));
        for (to, by_proxy) in [(gpu, false), (host, false), (host, true)] {
            let (src, fetched) = (rig.symmetric(&zeros), on_host(&rig, &zeros));
            // Kernels reach the host heap, and an engine need not.
            let src = if by_proxy { fetched } else { src };
            for (scope, bumps) in BUMPS.into_iter().enumerate() {
                let (set, added) = (on_host(&rig, &[0]), on_host(&rig, &[0]));
                let plain = Operation::put(to, src, rig.partner()).expect("describe");
                let with_set =
                    Operation::put_signal(to, src, set.at(0), 7, SignalOp::Set, rig.partner()).expect("describe");
                let with_add =
                    Operation::put_signal(to, src, added.at(0), 7, SignalOp::Add, rig.partner()).expect("describe");
                for operation in [plain, with_set, with_add] {
                    round += 1;
                    let operation = if by_proxy { operation.by_proxy() } else { operation };
                    let trigger = shmem.trigger(operation, bumps).expect("trigger");
                    trigger.arm().expect("arm");
                    rig.barrier();
                    produce_by(&rig, scope, &trigger, src, round);
                    waits(&trigger);
                    rig.barrier();
                    assert_eq!(to.to_vec().expect("read"), expected(round, n), "scope {scope}, {n} words");
                    assert!(!trigger.cancel().expect("cancel"), "it has run");
                    rig.barrier();
                }
                assert_eq!([set, added].map(|signal| signal.to_vec().expect("read")), [[7], [7]]);
                rig.barrier();
                shmem.free(set).expect("free");
                shmem.free(added).expect("free");
            }
            shmem.free(fetched).expect("free");
        }
    }
}

/// Catches an operation on a word that is of another kind or width, or runs more than once; and a get.
fn words_by_every_scope(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let src = rig.symmetric(&[0u64; 8]);
    let old = 0xff00_ff00_1234_5678u64;
    let value = 0x0ff0_0ff0_0f0f_0f0fu64;
    let updates = [
        (WordUpdate::Set, value),
        (WordUpdate::Add, old.wrapping_add(value)),
        (WordUpdate::And, old & value),
        (WordUpdate::Or, old | value),
        (WordUpdate::Xor, old ^ value),
    ];
    for (scope, bumps) in BUMPS.into_iter().enumerate() {
        for on_gpu in [true, false] {
            for (update, wanted) in updates {
                let word = if on_gpu { rig.symmetric(&[old]) } else { on_host(&rig, &[old]) };
                let operation = Operation::atomic(word.at(0), update, value, rig.partner()).expect("describe");
                let reached = !on_gpu || update == WordUpdate::Set;
                runs_if(&rig, reached, operation, (scope, bumps), src, || {
                    assert_eq!(word.to_vec().expect("read"), [wanted], "scope {scope}, {update:?}, on GPU: {on_gpu}");
                });
                rig.barrier();
                shmem.free(word).expect("free");
            }
            let half = if on_gpu {
                rig.symmetric(&[u32::MAX, 5])
            } else {
                let half = shmem.malloc::<u32>(2).expect("malloc");
                half.copy_from(&[u32::MAX, 5]).expect("write");
                half
            };
            let operation = Operation::atomic(half.at(0), WordUpdate::Add, 3, rig.partner()).expect("describe");
            runs_if(&rig, !on_gpu, operation, (scope, bumps), src, || {
                assert_eq!(half.to_vec().expect("read"), [2, 5], "32 bits wrap around, and what is beside them stays");
            });
            rig.barrier();
            shmem.free(half).expect("free");
            let signal = if on_gpu { rig.symmetric(&[1u64]) } else { on_host(&rig, &[1]) };
            let operation = Operation::signal(signal.at(0), 4, SignalOp::Add, rig.partner()).expect("describe");
            runs_if(&rig, !on_gpu, operation, (scope, bumps), src, || {
                assert_eq!(signal.to_vec().expect("read"), [5]);
            });
            rig.barrier();
            shmem.free(signal).expect("free");
        }
    }
    let (theirs, mine) = (on_host(&rig, &[u64::from(shmem.my_pe()) + 40]), on_host(&rig, &[0]));
    runs(&rig, Operation::get(mine, theirs, rig.partner()).expect("describe"), (2, BUMPS[2]), src);
    assert_eq!(mine.to_vec().expect("read"), [u64::from(rig.partner()) + 40]);
    rig.barrier();
}

/// An operation that runs, and is checked then, unless neither CPU nor GPU reach its word: then it is refused. `reached` says whether the CPU does.
fn runs_if<'a>(
    rig: &Rig<'a>,
    reached: bool,
    operation: Operation<'a>,
    by: (usize, u64),
    src: SymSlice<'_, u64>,
    check: impl FnOnce(),
) {
    if reached || rig.reaches_all() || rig.partner() == rig.shmem.my_pe() {
        runs(rig, operation, by, src);
        return check();
    }
    let error = rig.shmem.trigger(operation, 1).err().expect("nobody changes that word").to_string();
    assert!(error.contains("create a trigger: the operation's word"), "{error}");
}

fn runs<'a>(rig: &Rig<'a>, operation: Operation<'a>, (scope, bumps): (usize, u64), src: SymSlice<'_, u64>) {
    let trigger = rig.shmem.trigger(operation, bumps).expect("trigger");
    trigger.arm().expect("arm");
    rig.barrier();
    produce_by(rig, scope, &trigger, src, 1);
    waits(&trigger);
    rig.barrier();
}

/// Catches bumps before the trigger is armed that are lost, or that run the operation; and those beyond a threshold.
fn early_bumps_count(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 40]), rig.symmetric(&[0u64; 40]));
    let added = on_host(&rig, &[0]);
    let put = Operation::put_signal(dst, src, added.at(0), 1, SignalOp::Add, rig.partner()).expect("describe");
    // Each kernel bumps by 3.
    let trigger = shmem.trigger(put, 4).expect("trigger");
    rig.barrier();
    let count = || {
        rig.barrier();
        let count = added.to_vec().expect("read")[0];
        rig.barrier();
        count
    };
    produce_by(&rig, 2, &trigger, src, 1);
    trigger.arm().expect("arm");
    assert!(trigger.wait_for(Duration::from_millis(1)).is_err(), "3 of 4");
    assert_eq!(count(), 0);
    produce_by(&rig, 2, &trigger, src, 2);
    waits(&trigger);
    assert_eq!((count(), dst.to_vec().expect("read")), (1, expected(2, 40)));
    // 6 so far: the next epoch is due at 8, and the one after at 12.
    rig.barrier();
    produce_by(&rig, 2, &trigger, src, 3);
    produce_by(&rig, 2, &trigger, src, 4);
    assert_eq!((count(), dst.to_vec().expect("read")), (1, expected(2, 40)), "it is not armed");
    rig.barrier();
    for times in 2..4 {
        trigger.rearm().expect("rearm");
        waits(&trigger);
        assert_eq!((count(), dst.to_vec().expect("read")), (times, expected(4, 40)));
    }
    rig.barrier();
    trigger.rearm().expect("rearm");
    assert!(trigger.wait_for(Duration::from_millis(1)).is_err(), "12 of 16");
    rig.barrier();
}

/// Catches a link of a chain that is skipped, runs twice, or before it is armed.
fn chains(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst, set) = (rig.symmetric(&[0u64; 9]), rig.symmetric(&[0u64; 9]), rig.symmetric(&[0u64]));
    for by_proxy in [false, true] {
        let put = Operation::put_signal(dst, src, set.at(0), 1, SignalOp::Set, rig.partner()).expect("describe");
        let put = if by_proxy { put.by_proxy() } else { put };
        let last = shmem.trigger(put, 2).expect("trigger");
        let middle = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
        let first = shmem.trigger(Operation::trigger(&middle), BUMPS[1]).expect("trigger");
        rig.barrier();
        last.arm().expect("arm");
        for round in 1..=10 {
            let arm = |trigger: &Trigger<'_>| if round == 1 { trigger.arm() } else { trigger.rearm() };
            arm(&middle).expect("arm");
            arm(&first).expect("arm");
            rig.barrier();
            produce_by(&rig, 1, &first, src, round);
            waits(&first);
            waits(&middle);
            if round % 2 == 0 {
                waits(&last);
            }
            rig.barrier();
            let puts = round / 2 * 2;
            let wanted =
                if puts == 0 && !by_proxy { vec![0; 9] } else { expected(if puts == 0 { 10 } else { puts }, 9) };
            assert_eq!(dst.to_vec().expect("read"), wanted, "round {round}");
            rig.barrier();
            if round % 2 == 0 {
                last.rearm().expect("rearm");
            }
        }
    }
}

/// Catches a chain that the CPU runs and loses count of: its first trigger is due before it is armed.
fn chains_that_are_due(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 9]), rig.symmetric(&[0u64; 9]));
    let put = Operation::put(dst, src, 0).expect("describe");
    let last = shmem.trigger(put, 2).expect("trigger");
    let first = shmem.trigger(Operation::trigger(&last), BUMPS[2]).expect("trigger");
    last.arm().expect("arm");
    let mut put = vec![0; 9];
    for round in 1..=8 {
        // Odd rounds are bumped before the trigger is armed, even ones after.
        let arm = || if round == 1 { first.arm() } else { first.rearm() };
        if round % 2 == 0 {
            arm().expect("arm");
        }
        produce_by(&rig, 2, &first, src, round);
        if round % 2 == 1 {
            assert_eq!(dst.to_vec().expect("read"), put);
            arm().expect("arm");
        }
        waits(&first);
        if round % 2 == 0 {
            waits(&last);
            put = expected(round, 9);
            last.rearm().expect("rearm");
        }
        assert_eq!(dst.to_vec().expect("read"), put, "round {round}");
    }
    let other = Operation::trigger(&last);
    assert!(shmem.trigger(other, 1).is_err(), "two triggers bump one");
}

/// Catches an operation that runs although it was cancelled in time, or is said to be cancelled although it runs.
fn cancelled_operations_do_not_run(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 5]), rig.symmetric(&[0u64; 5]));
    let trigger = shmem.trigger(Operation::put(dst, src, rig.partner()).expect("describe"), 3).expect("trigger");
    let seen = |wanted: &[u64]| {
        rig.barrier();
        assert_eq!(dst.to_vec().expect("read"), wanted);
        rig.barrier();
    };
    assert!(trigger.cancel().expect("cancel"), "it was not armed");
    trigger.arm().expect("arm");
    assert!(trigger.cancel().expect("cancel"), "nobody has bumped it");
    produce_by(&rig, 2, &trigger, src, 1);
    seen(&[0; 5]);
    assert!(trigger.cancel().expect("cancel"), "it did not run");
    assert!(trigger.wait_for(LIMIT).is_err(), "it is not armed");
    // Its bumps were counted.
    trigger.arm().expect("arm");
    waits(&trigger);
    seen(&expected(1, 5));
    assert!(!trigger.cancel().expect("cancel"), "it has run");
    trigger.rearm().expect("rearm");
    produce_by(&rig, 2, &trigger, src, 2);
    assert!(!trigger.cancel().expect("cancel"), "it has run, or runs");
    waits(&trigger);
    seen(&expected(2, 5));
}

/// Rounds in which a kernel that runs all the time bumps when it is told to.
struct Rounds<'a> {
    rig: Rig<'a>,
    src: SymSlice<'a, u64>,
    dst: SymSlice<'a, u64>,
    go: SymSlice<'a, u64>,
    late: SymSlice<'a, u64>,
}

const WORDS: usize = 5;

impl<'a> Rounds<'a> {
    fn new(shmem: &'a Shmem) -> Self {
        let rig = Rig::new(shmem);
        let (src, dst) = (rig.symmetric(&[0; WORDS]), rig.symmetric(&[0; WORDS]));
        let (go, late) = (on_host(&rig, &[0]), rig.symmetric(&[0]));
        Self { rig, src, dst, go, late }
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

/// Catches an epoch that is lost or run twice, on the way through the kernel and through the proxy.
fn armed_a_thousand_times(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let me = shmem.my_pe();
        let added = on_host(&rounds.rig, &[0]);
        let put = Operation::put_signal(rounds.dst, rounds.src, added.at(0), 1, SignalOp::Add, me).expect("describe");
        let put = if by_proxy { put } else { Operation::put(rounds.dst, rounds.src, me).expect("describe") };
        let trigger = shmem.trigger(put, 1).expect("trigger");
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

/// How many rounds between a kernel and the CPU: fewer on a real GPU, where each takes milliseconds if many processes have kernels that poll.
fn rounds_on(shmem: &Shmem, emulated: u64, gpu: u64) -> u64 {
    if shmem.gpu().is_some_and(|found| found.emulated) { emulated } else { gpu }
}

/// Catches an operation that both the kernel and the CPU run, or neither, when one bumps while the other arms. After each round the source is overwritten, so
/// that an operation which runs once more shows.
fn arming_races_with_bumps(shmem: &Shmem) {
    for (by_proxy, firm) in [(false, false), (false, true), (true, false)] {
        let rounds = Rounds::new(shmem);
        let me = shmem.my_pe();
        let added = on_host(&rounds.rig, &[0]);
        let put = Operation::put_signal(rounds.dst, rounds.src, added.at(0), 1, SignalOp::Add, me).expect("describe");
        let put = if by_proxy { put } else { Operation::put(rounds.dst, rounds.src, me).expect("describe") };
        let trigger = shmem.trigger(put, 1).expect("trigger");
        let trigger = if firm { trigger.firm() } else { trigger };
        let times = rounds_on(shmem, 1200, 1000);
        rounds.start(&trigger, times);
        let mut before = vec![0; WORDS];
        for round in 1..=times {
            assert_eq!(rounds.dst.to_vec().expect("read"), before, "before round {round}");
            rounds.go(round);
            // From at once to later than the kernel.
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

/// Catches an operation that runs although it was cancelled in time, or does not run although it was not, when one bumps while the other cancels.
fn cancelling_races_with_bumps(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let me = shmem.my_pe();
        let added = on_host(&rounds.rig, &[0]);
        let put = Operation::put_signal(rounds.dst, rounds.src, added.at(0), 1, SignalOp::Add, me).expect("describe");
        let put = if by_proxy { put } else { Operation::put(rounds.dst, rounds.src, me).expect("describe") };
        let trigger = shmem.trigger(put, 1).expect("trigger");
        let times = rounds_on(shmem, 1000, 500);
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
                // The bump counts, whether it has come or not.
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

/// Catches a bump of a chain's second trigger that is lost or counted twice: the kernel bumps the first one while the CPU arms it.
fn chains_race_with_bumps(shmem: &Shmem) {
    for by_proxy in [false, true] {
        let rounds = Rounds::new(shmem);
        let put = Operation::put(rounds.dst, rounds.src, shmem.my_pe()).expect("describe");
        let last = shmem.trigger(if by_proxy { put.by_proxy() } else { put }, 1).expect("trigger");
        let first = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
        let times = rounds_on(shmem, 1000, 500);
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

/// Catches a trigger that nobody may bump any more, as it was once the next of a chain, or nearly.
fn links_that_are_gone(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 5]), rig.symmetric(&[0u64; 5]));
    let put = || Operation::put(dst, src, 0).expect("describe");
    let last = shmem.trigger(put(), 1).expect("trigger");
    let full: Vec<_> = std::iter::from_fn(|| shmem.prepare(put()).ok()).collect();
    assert!(shmem.trigger(Operation::trigger(&last), 1).is_err(), "there is no room for its name");
    drop(full);
    for round in 1..=2 {
        if round == 1 { last.arm() } else { last.rearm() }.expect("arm");
        produce_by(&rig, 3, &last, src, round);
        waits(&last);
        assert_eq!(dst.to_vec().expect("read"), expected(round, 5));
        drop(shmem.trigger(Operation::trigger(&last), 1).expect("trigger"));
    }
}

/// Catches a step of a kernel whose operation does not run, or runs twice, although the CPU armed the trigger for all of them; and calls that would take it back.
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
        says(trigger.cancel().map(drop), "cancel a trigger: it is firm");
        says(trigger.wait(), "wait for a trigger: it is not armed, or for good");
        says(trigger.arm_on_stream(), "arm on a stream a trigger: its operation is not complete");
        says(shmem.trigger(Operation::trigger(&trigger), 1).map(drop), "or it is armed for good");
        assert_eq!(added.to_vec().expect("read"), [300], "an operation ran afterwards");
        // What the kernel leaves to the proxy in its last moments is carried out before the trigger goes.
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

/// Catches a stream that does not wait for the threshold, copies the signal before the data, or holds the job up when the trigger is dropped.
fn armed_on_streams(shmem: &Shmem) {
    let rounds = Rounds::new(shmem);
    let (rig, src, dst) = (&rounds.rig, rounds.src, rounds.dst);
    let set = rig.symmetric(&[0u64]);
    let put = Operation::put_signal(dst, src, set.at(0), 9, SignalOp::Set, rig.partner()).expect("describe");
    let trigger = shmem.trigger(put, 1).expect("trigger");
    if !rig.reaches_all() && rig.partner() != shmem.my_pe() {
        let error = trigger.arm_on_stream().expect_err("the PE is not mapped").to_string();
        assert!(error.contains("a stream copies and sets words that its GPU reaches"), "{error}");
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
            assert!(error.contains("what is in a stream cannot be taken back"), "{error}");
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
    assert!(error.contains("a stream copies and sets words"), "{error}");
    // Nobody bumps this one.
    let put = Operation::put(dst, src, shmem.my_pe()).expect("describe");
    let last = shmem.trigger(put, 1).expect("trigger");
    last.arm_on_stream().expect("arm");
    src.copy_from(&[8; WORDS]).expect("write");
    drop(last);
    assert_eq!(dst.to_vec().expect("read"), [8; WORDS], "dropping it runs it");
    rig.barrier();
}

/// Catches a call that makes no sense and is carried out.
fn wrong_calls(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 5]), rig.symmetric(&[0u64; 5]));
    let put = || Operation::put(dst, src, 0).expect("describe");
    let says =
        |error: cushmem::Error, part: &str| assert!(error.to_string().contains(part), "'{part}' is not in '{error}'");
    says(shmem.trigger(put(), 0).err().expect("wrong"), "create a trigger: the threshold is 0");
    says(Operation::put(dst, src.slice(1..), 0).err().expect("wrong"), "5 elements and the source 4");
    says(Operation::put(dst, src, 1).err().expect("wrong"), "PE 1 is not in 0..1");
    let trigger = shmem.trigger(put(), 1).expect("trigger");
    says(trigger.wait().expect_err("wrong"), "wait for a trigger: it is not armed");
    says(trigger.rearm().expect_err("wrong"), "rearm a trigger: its operation is not complete");
    trigger.arm().expect("arm");
    says(trigger.arm().expect_err("wrong"), "arm a trigger: it is armed");
    says(trigger.rearm().expect_err("wrong"), "rearm a trigger: its operation is not complete");
    says(trigger.wait_for(Duration::from_millis(1)).expect_err("late"), "it has been bumped by 0, and is due at 1");
    says(shmem.prepare(Operation::trigger(&trigger)).err().expect("wrong"), "only a trigger bumps another trigger");
    let add = Operation::atomic(dst.at(0), WordUpdate::Add, 1, 0).expect("describe");
    says(shmem.prepare(add).err().expect("wrong"), "prepare: ");
    let firm = shmem.trigger(put(), 1).expect("trigger").firm();
    firm.arm().expect("arm");
    says(firm.cancel().expect_err("wrong"), "cancel a trigger: it is firm");
    // It was due before, and the CPU cannot add to GPU memory.
    let add = Operation::atomic(dst.at(0), WordUpdate::Add, 1, 0).expect("describe");
    let trigger = shmem.trigger(add, 1).expect("trigger");
    produce_by(&rig, 3, &trigger, src, 1);
    says(trigger.arm().expect_err("wrong"), "arm it before the last bump");
    assert!(trigger.cancel().expect("cancel"));
    // Nor in a chain, of which nothing has changed then.
    let add = Operation::atomic(dst.at(0), WordUpdate::Add, 1, 0).expect("describe");
    let last = shmem.trigger(add, 1).expect("trigger");
    last.arm().expect("arm");
    let first = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
    produce_by(&rig, 3, &first, src, 1);
    says(first.arm().expect_err("wrong"), "arm it before the last bump");
    says(last.wait_for(Duration::from_millis(1)).expect_err("late"), "it has been bumped by 0, and is due at 1");
}

/// Catches a trigger of a chain that two bump, which the CPU could not do in the place of one.
fn a_linked_trigger_is_not_bumped(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 5]), rig.symmetric(&[0u64; 5]));
    let last = shmem.trigger(Operation::put(dst, src, 0).expect("describe"), 1).expect("trigger");
    let _first = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
    let put = shmem.prepare(Operation::put(dst, src, 0).expect("describe")).expect("prepare");
    rig.start(kernels::produce_grid, Grid::linear(1, 1), (last.device(), src.device_ptr(), 5, 1));
    // It is never posted, which dropping it finds out.
    rig.stream.post(&put).expect("post");
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    assert!(text.contains("a trigger of a chain was bumped"), "{text}");
}
