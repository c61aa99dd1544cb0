//! Compares every schedule with its expected result, for random numbers of members, lengths and sequences of
//! collectives with nothing between them. Each collective has its own memory, and its source and dest are overwritten
//! as soon as it returns.

use crate::sim::{Member, Memory, read, write};
use cushmem_collective::*;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

#[derive(Clone, Debug)]
enum Call {
    Sync,
    Broadcast { root: u32, root_too: bool },
    Fcollect,
    Collect,
    Alltoall,
    Alltoalls { elements: usize, strides: (usize, usize) },
    Reduce,
    Scan { inclusive: bool },
}

#[derive(Clone, Debug)]
struct Step {
    call: Call,
    /// Number of elements of four bytes.
    len: usize,
    /// Whether to use the schedule without stages.
    direct: bool,
}

/// The largest numbers of elements for which a schedule is chosen, and the numbers that follow.
const BORDERS: [usize; 8] = [12, 13, 14, 15, 263, 264, 526, 527];

fn any_step() -> impl Strategy<Value = Step> {
    let call = prop_oneof![
        1 => Just(Call::Sync),
        4 => (0u32..40, any::<bool>()).prop_map(|(root, root_too)| Call::Broadcast { root, root_too }),
        2 => Just(Call::Fcollect),
        2 => Just(Call::Collect),
        2 => Just(Call::Alltoall),
        1 => (1usize..4, 1usize..4, 1usize..4)
            .prop_map(|(elements, d, s)| Call::Alltoalls { elements, strides: (d, s) }),
        3 => Just(Call::Reduce),
        3 => any::<bool>().prop_map(|inclusive| Call::Scan { inclusive }),
    ];
    let len = prop_oneof![4 => 1usize..20, 2 => 200usize..600, 2 => select(&BORDERS), 1 => 1000usize..3000];
    (call, len, any::<bool>()).prop_map(|(call, len, direct)| Step { call, len, direct })
}

/// Element `i` of what a member sends in a step.
fn datum(step: usize, member: u32, i: usize) -> u32 {
    (step as u32 + 1).wrapping_mul(0x9e37_79b9)
        ^ (member + 1).wrapping_mul(0x85eb_ca6b)
        ^ (i as u32).wrapping_mul(0xc2b2_ae35)
}

/// How many elements a member sends with `collect`.
fn block(len: usize, member: u32) -> usize {
    (len + member as usize * 7) % (len + 5)
}

/// The most bytes that any buffer of the step needs.
fn room(step: &Step, n: u32) -> usize {
    let blocks = match step.call {
        Call::Alltoalls { elements, .. } => n as usize * elements * 4,
        _ => n as usize * (step.len + 5),
    };
    blocks * 4
}

fn sent(step: &Step, n: u32, member: u32) -> usize {
    match step.call {
        Call::Sync => 0,
        Call::Collect => block(step.len, member),
        Call::Alltoall => step.len * n as usize,
        Call::Alltoalls { elements, strides } => n as usize * elements * strides.1,
        _ => step.len,
    }
}

fn run(member: &mut Member, step: &Step) {
    let (n, bytes) = (member.size(), step.len * 4);
    match (&step.call, step.direct) {
        (Call::Sync, _) => sync(member),
        (&Call::Broadcast { root, root_too }, false) => broadcast(member, bytes, root % n, root_too),
        (&Call::Broadcast { root, .. }, true) => broadcast_direct(member, bytes, root % n),
        (Call::Fcollect, false) => fcollect(member, bytes),
        (Call::Fcollect, true) => fcollect_direct(member, bytes),
        (Call::Collect, direct) => {
            let (own, room) = (block(step.len, member.me) * 4, room(step, n));
            let done = if direct { collect_direct(member, own, room) } else { collect(member, own, room) };
            assert_eq!(done, Ok(()));
        }
        (Call::Alltoall, false) => alltoall(member, bytes),
        (Call::Alltoall, true) => alltoall_direct(member, bytes),
        (&Call::Alltoalls { elements, strides }, _) => alltoalls(member, 4, elements, strides),
        (Call::Reduce, false) => reduce(member, bytes),
        (Call::Reduce, true) => reduce_direct(member, bytes),
        (&Call::Scan { inclusive }, false) => scan(member, bytes, inclusive),
        (&Call::Scan { inclusive }, true) => scan_direct(member, bytes, inclusive),
    }
}

/// What a member must find: indices and values of elements.
fn expected(step: &Step, number: usize, n: u32, me: u32) -> Vec<(usize, u32)> {
    let of = |m: u32, i: usize| datum(number, m, i);
    let sum = |end: u32, i: usize| (0..end).fold(0u32, |sum, m| sum.wrapping_add(of(m, i)));
    let each = |value: &dyn Fn(usize) -> u32| (0..step.len).map(|i| (i, value(i))).collect();
    let blocks = |value: &dyn Fn(u32, usize) -> u32| {
        (0..n)
            .flat_map(|m| (0..step.len).map(move |i| (m, i)))
            .map(|(m, i)| (m as usize * step.len + i, value(m, i)))
            .collect()
    };
    match step.call {
        Call::Sync => vec![],
        Call::Broadcast { root, root_too } if root % n == me && (step.direct || !root_too) => each(&|_| 0),
        Call::Broadcast { root, .. } => each(&|i| of(root % n, i)),
        Call::Fcollect => blocks(&|m, i| of(m, i)),
        Call::Collect => {
            let all = (0..n).flat_map(|m| (0..block(step.len, m)).map(move |i| (m, i)));
            all.enumerate().map(|(at, (m, i))| (at, of(m, i))).collect()
        }
        Call::Alltoall => blocks(&|m, i| of(m, me as usize * step.len + i)),
        Call::Alltoalls { elements, strides } => {
            let at = |m: u32, e: usize| m as usize * elements + e;
            (0..n)
                .flat_map(|m| (0..elements).map(move |e| (m, e)))
                .map(|(m, e)| (at(m, e) * strides.0, of(m, at(me, e) * strides.1)))
                .collect()
        }
        Call::Reduce => each(&|i| sum(n, i)),
        Call::Scan { inclusive } => each(&|i| sum(if inclusive { me + 1 } else { me }, i)),
    }
}

fn run_all(n: u32, steps: &[Step], late: Option<u32>) {
    let all = Arc::new((0..n).map(|_| Memory::new(steps.iter().map(|s| room(s, n)).sum())).collect::<Vec<_>>());
    std::thread::scope(|scope| {
        for me in 0..n {
            let mut member = Member::new(&all, me);
            member.late = late == Some(me);
            scope.spawn(move || {
                for (number, step) in steps.iter().enumerate() {
                    let words: Vec<u8> =
                        (0..sent(step, n, me)).flat_map(|i| datum(number, me, i).to_ne_bytes()).collect();
                    let base = member.base;
                    write(&member.all[me as usize].source[base..], &words);
                    run(&mut member, step);
                    let memory = &member.all[me as usize];
                    write(&memory.source[base..], &vec![0xee; words.len()]);
                    for (i, value) in expected(step, number, n, me) {
                        let bytes = read(&memory.dest[base + i * 4..][..4]);
                        let found = u32::from_ne_bytes(bytes.try_into().expect("four bytes"));
                        assert_eq!(found, value, "step {number} of {step:?} on member {me} of {n}, element {i}");
                    }
                    write(&memory.dest[base..base + room(step, n)], &vec![AFTER; room(step, n)]);
                    member.base += room(step, n);
                }
            });
        }
    });
    expect_nothing_after(&all);
}

/// Checks that nobody wrote into a dest after its owner had the result.
fn expect_nothing_after(all: &[Memory]) {
    for (member, memory) in all.iter().enumerate() {
        let written = read(&memory.dest).iter().position(|&byte| byte != AFTER);
        assert_eq!(written, None, "a byte of dest on member {member} that another wrote after its collective");
    }
}

/// What members write into a dest once they have checked it.
const AFTER: u8 = 0xdd;

fn any_steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any_step(), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn every_schedule_does_what_it_should(n in 1u32..10, steps in any_steps(40), late in proptest::option::of(0u32..10)) {
        run_all(n, &steps, late);
    }

    /// Covers dissemination in several rounds, and groups that combine first.
    #[test]
    fn also_with_many_members(n in prop_oneof![15u32..22, 60u32..70], steps in any_steps(12), late in proptest::option::of(0u32..60)) {
        run_all(n, &steps, late);
    }
}

/// Catches a member that returns before its data have arrived, or before others have read what it overwrites next, for
/// each schedule.
#[test]
fn nobody_goes_on_without_a_late_member() {
    let calls = [
        Call::Broadcast { root: 0, root_too: true },
        Call::Broadcast { root: 1, root_too: true },
        Call::Fcollect,
        Call::Collect,
        Call::Alltoall,
        Call::Alltoalls { elements: 2, strides: (1, 2) },
        Call::Reduce,
        Call::Scan { inclusive: true },
        Call::Scan { inclusive: false },
    ];
    for (call, direct) in calls.iter().flat_map(|call| [(call, false), (call, true)]) {
        for len in BORDERS.into_iter().chain([1, 16_384]) {
            for (n, late) in [(2, 0), (2, 1), (5, 0), (5, 1)] {
                run_all(n, &[Step { call: call.clone(), len, direct }], Some(late));
            }
        }
    }
}

/// Catches blocks that are pushed without a synchronisation afterwards, for lengths around the largest that travels
/// with its number.
#[test]
fn blocks_of_collect_have_come() {
    for bytes in 46..52 {
        let all = Arc::new((0..3).map(|_| Memory::new(3 * bytes)).collect::<Vec<_>>());
        std::thread::scope(|scope| {
            for me in 0..3 {
                let mut member = Member::new(&all, me);
                member.late = me == 1;
                scope.spawn(move || {
                    let memory = &member.all.clone()[me as usize];
                    write(&memory.source, &vec![me as u8 + 1; bytes]);
                    collect(&mut member, bytes, 3 * bytes).expect("there is room");
                    let expected: Vec<u8> = (1..=3).flat_map(|value| vec![value; bytes]).collect();
                    assert_eq!(read(&memory.dest), expected, "blocks of {bytes} bytes on member {me}");
                    write(&memory.dest, &vec![AFTER; 3 * bytes]);
                });
            }
        });
        expect_nothing_after(&all);
    }
}

/// Catches a root that assumes that a member is done with a sum because others are: that member has published its
/// contribution but read nothing when the root broadcasts through all its stages.
#[test]
fn broadcasts_after_a_sum_wait_for_a_late_reader() {
    let step = |call| Step { call, len: 1, direct: false };
    let broadcasts = (0..=STAGES).map(|_| step(Call::Broadcast { root: 0, root_too: true }));
    let steps: Vec<Step> = std::iter::once(step(Call::Reduce)).chain(broadcasts).collect();
    for n in [2, 3, 16, 17, 18, 20] {
        run_all(n, &steps, Some(1));
    }
}

/// All members learn that there is no room, and stay in step.
#[test]
fn collect_without_room() {
    for direct in [false, true] {
        let all = Arc::new((0..3).map(|_| Memory::new(10_000)).collect::<Vec<_>>());
        std::thread::scope(|scope| {
            for me in 0..3 {
                let mut member = Member::new(&all, me);
                scope.spawn(move || {
                    let done =
                        if direct { collect_direct(&mut member, 2100, 6299) } else { collect(&mut member, 2100, 6299) };
                    assert_eq!(done, Err(6300));
                    sync(&mut member);
                });
            }
        });
    }
}
