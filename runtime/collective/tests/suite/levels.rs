//! Compares every collective on several nodes with its expected result, for random layouts, lengths and sequences of
//! collectives with nothing between them. Each collective has its own memory, and its source and dest are overwritten
//! as soon as it returns.

use crate::nodes::{Member, Weather, World, combined, read, write};
use cushmem_collective::*;
use proptest::prelude::*;
use proptest::sample::select;

#[derive(Clone, Copy, Debug)]
enum Call {
    Sync,
    Words,
    ManyWords,
    Broadcast { root: u32, root_too: bool },
    Fcollect,
    Collect,
    Alltoall,
    Alltoalls { elements: usize, strides: (usize, usize) },
    Reduce { in_place: bool },
    Scan { inclusive: bool, in_place: bool },
}

#[derive(Clone, Copy, Debug)]
struct Step {
    call: Call,
    /// Number of elements of four bytes.
    len: usize,
}

/// The largest numbers of elements for which a schedule is chosen, and the numbers that follow.
const BORDERS: [usize; 10] = [14, 15, 131, 132, 263, 264, 526, 527, 1036, 1037];

fn any_step() -> impl Strategy<Value = Step> {
    let call = prop_oneof![
        2 => select(&[Call::Sync, Call::Words, Call::ManyWords]),
        4 => (0u32..40, any::<bool>()).prop_map(|(root, root_too)| Call::Broadcast { root, root_too }),
        5 => select(&[Call::Fcollect, Call::Collect, Call::Alltoall]),
        1 => (1usize..4, 1usize..3, 1usize..3)
            .prop_map(|(elements, d, s)| Call::Alltoalls { elements, strides: (d, s) }),
        3 => any::<bool>().prop_map(|in_place| Call::Reduce { in_place }),
        3 => any::<(bool, bool)>().prop_map(|(inclusive, in_place)| Call::Scan { inclusive, in_place }),
    ];
    let len = prop_oneof![4 => 1usize..20, 2 => 200usize..600, 2 => select(&BORDERS), 1 => 2000usize..9000];
    (call, len).prop_map(|(call, len)| Step { call, len })
}

/// Element `i` of what a member sends in a step.
fn datum(step: usize, member: u32, i: usize) -> u32 {
    (step as u32 + 1).wrapping_mul(0x9e37_79b9)
        ^ (member + 1).wrapping_mul(0x85eb_ca6b)
        ^ (i as u32).wrapping_mul(0xc2b2_ae35)
}

/// How many elements a member sends with `collect`: sometimes none, sometimes very many.
fn block(len: usize, member: u32) -> usize {
    (len + member as usize * 7) % (len + 5)
}

/// The most bytes that any buffer of the step needs.
fn room(step: Step, n: u32) -> usize {
    let elements = match step.call {
        Call::Sync | Call::Words | Call::ManyWords => 0,
        Call::Broadcast { .. } | Call::Reduce { .. } | Call::Scan { .. } => step.len,
        Call::Alltoalls { elements, .. } => n as usize * elements * 2,
        Call::Fcollect | Call::Collect | Call::Alltoall => n as usize * (step.len + 5),
    };
    elements * 4
}

fn sent(step: Step, n: u32, member: u32) -> usize {
    match step.call {
        Call::Sync | Call::Words | Call::ManyWords => 0,
        Call::Collect => block(step.len, member),
        Call::Alltoall => step.len * n as usize,
        Call::Alltoalls { elements, strides } => n as usize * elements * strides.1,
        _ => step.len,
    }
}

fn run(member: &mut Member, step: Step, number: usize) {
    let (n, me, bytes) = (member.layout().size(), member.layout().me(), step.len * 4);
    match step.call {
        Call::Sync => levels::sync(member),
        Call::Words => gather::<3>(member, number),
        Call::ManyWords => gather::<200>(member, number),
        Call::Broadcast { root, root_too } => levels::broadcast(member, bytes, root % n, root_too),
        Call::Fcollect => levels::fcollect(member, bytes),
        Call::Collect => {
            assert_eq!(levels::collect(member, block(step.len, me) * 4, room(step, n)), Ok(()));
        }
        Call::Alltoall => levels::alltoall(member, bytes),
        Call::Alltoalls { elements, strides } => levels::alltoalls(member, 4, elements, strides),
        Call::Reduce { .. } => levels::reduce(member, bytes),
        Call::Scan { inclusive, .. } => levels::scan(member, bytes, inclusive),
    }
}

fn gather<const N: usize>(member: &mut Member, number: usize) {
    let words = |m: u32| std::array::from_fn::<u64, N, _>(|i| u64::from(datum(number, m, i)) << 20);
    let (n, me) = (member.layout().size(), member.layout().me());
    let mut next = 0;
    levels::gather_words(member, words(me), |from, theirs| {
        assert_eq!((from, theirs), (next, words(next)), "on member {me} of {n}");
        next += 1;
    });
    assert_eq!(next, n);
}

/// What a member must find: indices and values of elements.
fn expected(step: Step, number: usize, layout: &Layout, me: u32) -> Vec<(usize, u32)> {
    let (n, len) = (layout.size(), step.len);
    let of = |m: u32, i: usize| datum(number, m, i);
    let each = |value: &dyn Fn(usize) -> u32| (0..len).map(|i| (i, value(i))).collect();
    let blocks = |value: &dyn Fn(u32, usize) -> u32| {
        (0..n).flat_map(|m| (0..len).map(move |i| (m, i))).map(|(m, i)| (m as usize * len + i, value(m, i))).collect()
    };
    let combine = |members: &mut dyn Iterator<Item = u32>, i: usize| members.fold(0, |sum, m| combined(sum, of(m, i)));
    match step.call {
        Call::Sync | Call::Words | Call::ManyWords => vec![],
        Call::Broadcast { root, root_too: false } if root % n == me => each(&|_| 0),
        Call::Broadcast { root, .. } => each(&|i| of(root % n, i)),
        Call::Fcollect => blocks(&of),
        Call::Collect => {
            let all = (0..n).flat_map(|m| (0..block(len, m)).map(move |i| (m, i)));
            all.enumerate().map(|(at, (m, i))| (at, of(m, i))).collect()
        }
        Call::Alltoall => blocks(&|m, i| of(m, me as usize * len + i)),
        Call::Alltoalls { elements, strides } => {
            let at = |m: u32, e: usize| m as usize * elements + e;
            (0..n)
                .flat_map(|m| (0..elements).map(move |e| (m, e)))
                .map(|(m, e)| (at(m, e) * strides.0, of(m, at(me, e) * strides.1)))
                .collect()
        }
        // Combines the nodes' results, in the order of nodes.
        Call::Reduce { .. } => {
            each(&|i| combine(&mut (0..layout.nodes()).flat_map(|node| layout.members(node).to_vec()), i))
        }
        Call::Scan { inclusive, .. } => each(&|i| combine(&mut (0..me + u32::from(inclusive)), i)),
    }
}

/// What members write into a dest once they have checked it.
const AFTER: u8 = 0xdd;

/// Runs the steps on each member.
fn run_all(nodes: &[u32], steps: &[Step], weather: Weather, late: Option<u32>) {
    let n = nodes.len() as u32;
    let world = World::new(nodes, steps.iter().map(|&s| room(s, n)).sum(), weather, late);
    std::thread::scope(|scope| {
        for me in 0..n {
            let mut member = Member::new(&world, nodes, me);
            scope.spawn(move || {
                for (number, &step) in steps.iter().enumerate() {
                    run_step(&mut member, number, step);
                }
                member.end();
            });
        }
    });
    world.end();
    for (member, pe) in world.pes.iter().enumerate() {
        let written = read(&pe.dest).iter().position(|&byte| byte != AFTER);
        assert_eq!(written, None, "a byte of dest on member {member} that another wrote after its collective");
    }
}

fn run_step(member: &mut Member, number: usize, step: Step) {
    let world = member.world.clone();
    let (me, base, room) = (member.layout().me(), member.base, room(step, member.layout().size()));
    let pe = &world.pes[me as usize];
    member.in_place = matches!(step.call, Call::Reduce { in_place: true } | Call::Scan { in_place: true, .. });
    let words: Vec<u8> =
        (0..sent(step, member.layout().size(), me)).flat_map(|i| datum(number, me, i).to_ne_bytes()).collect();
    let source = if member.in_place { &pe.dest } else { &pe.source };
    write(&source[base..], &words);
    run(member, step, number);
    member.check_settled();
    write(&pe.source[base..], &vec![0xee; words.len()]);
    for (i, value) in expected(step, number, member.layout(), me) {
        let bytes = read(&pe.dest[base + i * 4..][..4]);
        let found = u32::from_ne_bytes(bytes.try_into().expect("four bytes"));
        assert_eq!(found, value, "step {number} of {step:?} on member {me}, element {i}");
    }
    write(&pe.dest[base..base + room], &vec![AFTER; room]);
    member.base += room;
}

fn any_steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any_step(), 1..most)
}

fn any_weather() -> impl Strategy<Value = Weather> {
    (any::<u64>(), prop_oneof![3 => Just(true), 1 => Just(false)], proptest::option::of((0u32..30, 0u32..30)))
        .prop_map(|(seed, lazy, slow)| Weather { seed, lazy, slow })
}

/// At least two nodes, with arbitrary members.
fn any_nodes() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(0u32..5, 2..11).prop_map(|mut nodes| {
        let last = nodes.len() - 1;
        if nodes.iter().all(|&node| node == nodes[0]) {
            nodes[last] += 1;
        }
        nodes
    })
}

/// So many nodes that a dissemination would take two rounds.
fn many_nodes() -> impl Strategy<Value = Vec<u32>> {
    (17u32..24, proptest::collection::vec(0u32..17, 0..8)).prop_flat_map(|(n, more)| {
        let nodes: Vec<u32> = (0..n).chain(more).collect();
        Just(nodes).prop_shuffle()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_collective_does_what_it_should(
        nodes in any_nodes(), steps in any_steps(30), weather in any_weather(), late in proptest::option::of(0u32..10)
    ) {
        run_all(&nodes, &steps, weather, late);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn also_with_many_nodes(
        nodes in many_nodes(), steps in any_steps(6), weather in any_weather(), late in proptest::option::of(0u32..10)
    ) {
        run_all(&nodes, &steps, weather, late);
    }
}

const CALLS: [Call; 12] = [
    Call::Sync,
    Call::Words,
    Call::Broadcast { root: 0, root_too: true },
    Call::Broadcast { root: 3, root_too: false },
    Call::Fcollect,
    Call::Collect,
    Call::Alltoall,
    Call::Alltoalls { elements: 2, strides: (1, 2) },
    Call::Reduce { in_place: false },
    Call::Reduce { in_place: true },
    Call::Scan { inclusive: true, in_place: true },
    Call::Scan { inclusive: false, in_place: false },
];

/// Catches a member that returns before its data have arrived, or before others have read what it overwrites next, for
/// each collective.
#[test]
fn nobody_goes_on_without_a_late_member() {
    for nodes in [&[0, 1, 1, 0][..], &[0, 0, 1, 1], &[0, 1, 2, 3], &[0, 1, 1, 2, 2, 2]] {
        for (call, len) in CALLS.iter().flat_map(|&call| [1, 15, 526, 527, 1037, 5000].map(|len| (call, len))) {
            for late in [None, Some(0), Some(1), Some(3)] {
                let weather = Weather { seed: len as u64, lazy: true, slow: Some((1, 0)) };
                run_all(nodes, &[Step { call, len }], weather, late);
            }
        }
    }
}

/// Catches a leader that assumes that data have arrived because it has heard of their sender, but indirectly:
/// everything is slower from one node to another directly than through other nodes.
#[test]
fn of_many_nodes_each_hears_of_each_directly() {
    let nodes: Vec<u32> = (0..20).collect();
    for (call, slow) in CALLS.iter().flat_map(|&call| [(2, 9), (9, 2), (19, 0), (0, 13)].map(|slow| (call, slow))) {
        for len in [527, 1037] {
            run_all(&nodes, &[Step { call, len }], Weather { seed: 1, lazy: true, slow: Some(slow) }, None);
        }
    }
}

/// Catches a member that returns from a synchronisation before all members have reached it.
#[test]
fn a_late_member_is_waited_for() {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    for late in 0..5 {
        let nodes = [0, 1, 1, 0, 2];
        let weather = Weather { seed: 1, lazy: false, slow: None };
        let world = World::new(&nodes, 0, weather, None);
        let come = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for me in 0..5 {
                let mut member = Member::new(&world, &nodes, me);
                let come = &come;
                scope.spawn(move || {
                    if me == late {
                        member.wait_until_others_are_stuck();
                        come.store(true, Relaxed);
                    }
                    levels::sync(&mut member);
                    assert!(come.load(Relaxed), "member {me} did not wait for {late}");
                    member.end();
                });
            }
        });
    }
}

/// Long enough that leaders share the work of a broadcast.
#[test]
fn broadcasts_by_shares() {
    for (nodes, root) in [(&[0, 1, 2, 3][..], 1), (&[0, 1, 0, 2, 3, 4], 2)] {
        for (slow, late) in [(None, None), (Some((2, 3)), None), (None, Some(0)), (None, Some(root)), (None, Some(3))] {
            let step = Step { call: Call::Broadcast { root, root_too: true }, len: 16_385 + 8 };
            run_all(nodes, &[step, step], Weather { seed: 1, lazy: true, slow }, late);
        }
    }
}

/// Catches a root that assumes that another leader is done with a sum because it has published its contribution: that
/// leader has not read anything yet when the root broadcasts through all its stages.
#[test]
fn broadcasts_after_a_sum_wait_for_a_late_leader() {
    let step = |call| Step { call, len: 1 };
    let broadcasts = (0..=STAGES).map(|_| step(Call::Broadcast { root: 0, root_too: true }));
    let steps: Vec<Step> = std::iter::once(step(Call::Reduce { in_place: false })).chain(broadcasts).collect();
    for nodes in [&[0, 1][..], &[0, 1, 2], &[0, 1, 0, 1]] {
        for slow in [None, Some((0, 1)), Some((1, 0))] {
            run_all(nodes, &steps, Weather { seed: 1, lazy: true, slow }, Some(1));
        }
    }
}

/// All members learn that there is no room, and stay in step.
#[test]
fn collect_without_room() {
    let nodes = [0, 1, 0];
    let world = World::new(&nodes, 10_000, Weather { seed: 1, lazy: true, slow: None }, None);
    std::thread::scope(|scope| {
        for me in 0..3 {
            let mut member = Member::new(&world, &nodes, me);
            scope.spawn(move || {
                assert_eq!(levels::collect(&mut member, 2100, 6299), Err(6300));
                assert_eq!(levels::collect(&mut member, usize::MAX, 6299), Err(usize::MAX));
                levels::sync(&mut member);
                member.end();
            });
        }
    });
}
