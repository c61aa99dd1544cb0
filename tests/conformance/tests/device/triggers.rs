//! Triggers: every operation, by every scope; early bumps; chains; cancelling. `rounds` tests triggers that a kernel
//! bumps all the time.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::raw::Completion;
use cushmem::{
    Cmp, Context, ContextOptions, DevPtr, DeviceTrigger, Grid, Kernel, Operation, PeSet, Shmem, SignalOp, SymSlice,
    Trigger, WordUpdate,
};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::{self as kernels, mix};
use std::time::Duration;

conformance! { soft, cuda => {
    puts_by_every_scope: 1, 2, 4;
    words_by_every_scope: 1, 2;
    early_bumps_count: 1, 2;
    chains: 1, 2;
    chains_that_are_due: 1;
    links_that_are_gone: 1;
    cancelled_operations_do_not_run: 1, 2;
    wrong_calls: 1;
    a_linked_trigger_is_not_bumped: 1;
} }

mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => {
        puts_by_every_scope: 2;
        words_by_every_scope: 2;
    } }
}

mod held_up {
    use super::looks_do_not_queue_behind_copies;
    use cushmem_conformance::QUEUES;
    cushmem_conformance::conformance! { with QUEUES: soft, cuda => { looks_do_not_queue_behind_copies: 1; } }
}

type Produce = (DeviceTrigger, DevPtr<u64>, usize, u64);
const BLOCKS: u32 = 3;
const LANES: u32 = 64;
/// How often a kernel with that grid bumps, by scope.
pub const BUMPS: [u64; 4] = [192, 6, 3, 1];
pub const LIMIT: Duration = Duration::from_nanos(LIMIT_NS);

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
pub fn produce_by(rig: &Rig<'_>, scope: usize, trigger: &Trigger<'_>, src: SymSlice<'_, u64>, round: u64) {
    match scope {
        0 => produce(rig, kernels::produce_thread, trigger, src, round),
        1 => produce(rig, kernels::produce_warp, trigger, src, round),
        2 => produce(rig, kernels::produce_block, trigger, src, round),
        _ => produce(rig, kernels::produce_grid, trigger, src, round),
    }
}

pub fn expected(round: u64, n: usize) -> Vec<u64> {
    (0..n).map(|i| mix(round, i as u64)).collect()
}

/// Returns symmetric host memory with these words.
pub fn on_host<'a>(rig: &Rig<'a>, words: &[u64]) -> SymSlice<'a, u64> {
    let object = rig.shmem.malloc(words.len()).expect("malloc");
    object.copy_from(words).expect("write");
    object
}

pub fn waits(trigger: &Trigger<'_>) {
    trigger.wait_for(LIMIT).expect("the operation runs");
}

/// Catches data that the last scope puts before other lanes have written it, a put that runs twice or never, and a
/// signal before its data.
fn puts_by_every_scope(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut round = 0;
    for n in [1, 31, 257] {
        let zeros = vec![0u64; n];
        let (gpu, host) = (rig.symmetric(&zeros), on_host(&rig, &zeros));
        for (to, by_proxy) in [(gpu, false), (host, false), (host, true)] {
            let (src, fetched) = (rig.symmetric(&zeros), on_host(&rig, &zeros));
            // Kernels reach the host heap; an engine need not.
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

/// Catches an operation on a word that has another kind or width, or that runs more than once, and a wrong get.
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
            for (by_proxy, (update, wanted)) in updates.into_iter().flat_map(|update| [(false, update), (true, update)])
            {
                let word = if on_gpu { rig.symmetric(&[old]) } else { on_host(&rig, &[old]) };
                let operation = Operation::atomic(word.at(0), update, value, rig.partner()).expect("describe");
                let operation = if by_proxy { operation.by_proxy() } else { operation };
                runs(&rig, operation, (scope, bumps), src);
                let found = word.to_vec().expect("read");
                assert_eq!(found, [wanted], "scope {scope}, {update:?}, on GPU: {on_gpu}, by the proxy: {by_proxy}");
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
            runs(&rig, operation, (scope, bumps), src);
            assert_eq!(half.to_vec().expect("read"), [2, 5], "32 bits wrap around, and what is beside them stays");
            rig.barrier();
            shmem.free(half).expect("free");
            let signal = if on_gpu { rig.symmetric(&[1u64]) } else { on_host(&rig, &[1]) };
            let operation = Operation::signal(signal.at(0), 4, SignalOp::Add, rig.partner()).expect("describe");
            runs(&rig, operation, (scope, bumps), src);
            assert_eq!(signal.to_vec().expect("read"), [5]);
            rig.barrier();
            shmem.free(signal).expect("free");
        }
    }
    let (theirs, mine) = (on_host(&rig, &[u64::from(shmem.my_pe()) + 40]), on_host(&rig, &[0]));
    runs(&rig, Operation::get(mine, theirs, rig.partner()).expect("describe"), (2, BUMPS[2]), src);
    assert_eq!(mine.to_vec().expect("read"), [u64::from(rig.partner()) + 40]);
    rig.barrier();
}

fn runs<'a>(rig: &Rig<'a>, operation: Operation<'a>, (scope, bumps): (usize, u64), src: SymSlice<'_, u64>) {
    let trigger = rig.shmem.trigger(operation, bumps).expect("trigger");
    trigger.arm().expect("arm");
    rig.barrier();
    produce_by(rig, scope, &trigger, src, 1);
    waits(&trigger);
    rig.barrier();
}

/// Catches bumps before the trigger is armed that are lost or that run the operation, and bumps beyond a threshold that
/// are lost.
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
    // Six bumps so far: the next epoch is due at 8, and the one after it at 12.
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

/// Catches a link of a chain that is skipped, that runs twice, or that runs before it is armed.
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

/// Catches a chain that the CPU runs and miscounts: its first trigger is due before it is armed.
fn chains_that_are_due(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 9]), rig.symmetric(&[0u64; 9]));
    let put = Operation::put(dst, src, 0).expect("describe");
    let last = shmem.trigger(put, 2).expect("trigger");
    let first = shmem.trigger(Operation::trigger(&last), BUMPS[2]).expect("trigger");
    last.arm().expect("arm");
    let mut put = vec![0; 9];
    for round in 1..=8 {
        // Odd rounds are bumped before the trigger is armed, even ones afterwards.
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
    // The CPU adds to GPU memory in place of lanes.
    let counter = rig.symmetric(&[5u64]);
    let add = || Operation::atomic(counter.at(0), WordUpdate::Add, 1, 0).expect("describe");
    let alone = shmem.trigger(add(), 1).expect("trigger");
    let last = shmem.trigger(add(), 1).expect("trigger");
    last.arm().expect("arm");
    let first = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
    for (trigger, added) in [(&alone, 6), (&first, 7)] {
        produce_by(&rig, 3, trigger, src, 1);
        trigger.arm().expect("arm");
        waits(trigger);
        assert_eq!(counter.to_vec().expect("read"), [added]);
    }
    waits(&last);
}

/// Catches an operation that runs although it was cancelled in time, or that is reported as cancelled although it runs.
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

/// Catches a trigger that nobody may bump any more because it once was, or nearly was, the next one in a chain.
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

/// Catches an invalid call that is carried out.
fn wrong_calls(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 5]), rig.symmetric(&[0u64; 5]));
    let put = || Operation::put(dst, src, 0).expect("describe");
    let says =
        |error: cushmem::Error, part: &str| assert!(error.to_string().contains(part), "'{part}' is not in '{error}'");
    says(shmem.trigger(put(), 0).err().expect("wrong"), "create a trigger: the threshold is 0");
    says(Operation::put(dst, src.slice(1..), 0).err().expect("wrong"), "5 elements and the source 4");
    says(Operation::put(dst, src, 1).err().expect("wrong"), "PE 1 is out of range (0 to 0)");
    let trigger = shmem.trigger(put(), 1).expect("trigger");
    says(trigger.wait().expect_err("wrong"), "wait for a trigger: it is not armed");
    says(trigger.rearm().expect_err("wrong"), "rearm a trigger: its operation is not complete");
    trigger.arm().expect("arm");
    says(trigger.arm().expect_err("wrong"), "arm a trigger: it is armed");
    says(trigger.rearm().expect_err("wrong"), "rearm a trigger: its operation is not complete");
    says(
        trigger.wait_for(Duration::from_millis(1)).expect_err("late"),
        "its counter is 0, and the operation runs at 1",
    );
    says(shmem.prepare(Operation::trigger(&trigger)).err().expect("wrong"), "only a trigger can bump another trigger");
    let firm = shmem.trigger(put(), 1).expect("trigger").firm();
    firm.arm().expect("arm");
    says(firm.cancel().expect_err("wrong"), "cancel a trigger: it is firmly armed");
}

/// Catches a chained trigger that is bumped from two sides, which the CPU could not handle in place of one of them.
fn a_linked_trigger_is_not_bumped(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (src, dst) = (rig.symmetric(&[0u64; 5]), rig.symmetric(&[0u64; 5]));
    let last = shmem.trigger(Operation::put(dst, src, 0).expect("describe"), 1).expect("trigger");
    let _first = shmem.trigger(Operation::trigger(&last), 1).expect("trigger");
    let put = shmem.prepare(Operation::put(dst, src, 0).expect("describe")).expect("prepare");
    rig.start(kernels::produce_grid, Grid::linear(1, 1), (last.device(), src.device_ptr(), 5, 1));
    // The kernel may have trapped before the post.
    let text = rig.stream.post(&put).and_then(|()| rig.stream.synchronize()).expect_err("it is allowed").to_string();
    assert!(text.contains("a trigger of a chain was bumped"), "{text}");
}

/// A copy of the program that is under way until this PE lets it go on: from GPU memory to GPU memory, on the default
/// context.
struct Busy<'a> {
    rig: &'a Rig<'a>,
    other: Context,
    from: SymSlice<'a, u64>,
    to: SymSlice<'a, u64>,
    /// For what round the copy goes on.
    go: SymSlice<'a, u64>,
}

impl<'a> Busy<'a> {
    const WORDS: usize = 2 << 20;

    fn new(rig: &'a Rig<'a>) -> Self {
        let new = || rig.shmem.malloc_gpu::<u64>(Self::WORDS).expect("malloc_gpu");
        let other = rig.shmem.context(PeSet::all(1), ContextOptions::default()).expect("a context");
        Self { rig, other, from: new(), to: new(), go: on_host(rig, &[0]) }
    }

    /// Posts the copy, which brings the round.
    fn post(&self, round: u64) {
        self.from.slice(Self::WORDS - 1..).copy_from(&[round]).expect("write");
        // SAFETY: the word stays until `end` has waited for the copy.
        unsafe { self.rig.shmem.raw().hold_up_copies(self.go, round) }.expect("hold up");
        self.rig.shmem.put_nbi(self.to, self.from, 0).expect("put_nbi");
    }

    /// Lets the copy go on, which has been under way until now, and waits for it.
    fn end(&self, round: u64) {
        let (mut seen, from) = (0u64, self.to.at(Self::WORDS - 1).device_ptr().address() as *const u8);
        let raw = self.rig.shmem.raw().on(&self.other);
        // SAFETY: both ends have 8 bytes.
        unsafe { raw.get((&raw mut seen).cast(), from, 8, 0, Completion::Blocking) }.expect("get");
        assert_ne!(seen, round, "the copy does not wait");
        self.rig.shmem.p(self.go.at(0), round, 0).expect("p");
        self.rig.shmem.quiet().expect("quiet");
    }
}

/// Catches a trigger that can be armed, or be found complete, only once copies of the program are complete. The same
/// for a word in GPU memory for which the CPU waits. The copies wait until all that is over.
fn looks_do_not_queue_behind_copies(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (busy, src, dst) = (Busy::new(&rig), rig.symmetric(&[0u64; 8]), rig.symmetric(&[0u64; 8]));
    let arrived = rig.symmetric(&[0u64]);
    let trigger = shmem.trigger(Operation::put(dst, src, 0).expect("describe"), 1).expect("trigger");
    for round in 1..=3 {
        busy.post(2 * round);
        if round == 1 { trigger.arm() } else { trigger.rearm() }.expect("arm");
        produce_by(&rig, 3, &trigger, src, round);
        waits(&trigger);
        busy.end(2 * round);
        assert_eq!(dst.to_vec().expect("read"), expected(round, 8));
        shmem.p(arrived.at(0), round, 0).expect("p");
        busy.post(2 * round + 1);
        shmem.wait_until(arrived.at(0), Cmp::Eq, round).expect("wait_until");
        busy.end(2 * round + 1);
    }
}
