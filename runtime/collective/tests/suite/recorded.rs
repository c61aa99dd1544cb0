//! Records what each member does in a schedule, without waiting: how often members meet, for whom they wait, where they
//! copy, and which flags and stages they use. A schedule that does too much is slower but still gives the right
//! results, so the other tests do not notice it.

mod recorder;

use cushmem_collective::*;
use recorder::{Did, Recorder, looks_at_done, posted_stages, posted_steps, puts, record, syncs};
use std::collections::BTreeSet;
use std::ops::Range;

/// Each member hears from all, directly or through others, in as few rounds as possible if up to 16 members meet at
/// once and a round in larger teams hears from 7 others.
#[test]
fn members_meet_in_few_rounds() {
    for size in 1..=130 {
        let rounds: Vec<Vec<Vec<u32>>> = record(size, sync).iter().map(|did| rounds_of(did)).collect();
        let (most, waits) = match size {
            1 => (0, 0),
            2..=16 => (1, 15),
            17..=64 => (2, 7),
            _ => (3, 7),
        };
        let mut heard: Vec<BTreeSet<u32>> = (0..size).map(|me| BTreeSet::from([me])).collect();
        for round in 0..most {
            let before = heard.clone();
            for (me, rounds) in rounds.iter().enumerate() {
                assert_eq!(rounds.len(), most, "rounds of {size} members");
                assert!(rounds[round].len() <= waits, "{size} members: {rounds:?}");
                rounds[round].iter().for_each(|&other| heard[me].extend(&before[other as usize]));
                assert!(!rounds[round].contains(&(me as u32)), "{me} of {size} waits for itself: {rounds:?}");
            }
        }
        assert!(heard.iter().all(|of| of.len() == size as usize), "{size} members: {heard:?}");
    }
}

/// For whom a member waits in each round of a synchronisation.
fn rounds_of(did: &[Did]) -> Vec<Vec<u32>> {
    let rounds = did.chunk_by(|_, next| !matches!(next, Did::Post(..)));
    let round = |did: &[Did]| {
        let [Did::Post(flag, step), waits @ ..] = did else { panic!("waits before it posts: {did:?}") };
        let other = |wait: &Did| match wait {
            Did::Wait(member, theirs, value) if (theirs, value) == (flag, step) => *member,
            other => panic!("{other:?} in step {step}"),
        };
        waits.iter().map(other).collect()
    };
    rounds.map(round).collect()
}

/// A member that runs ahead does not store to the flag at which others still look. Two members look at each other's
/// flag all the time.
#[test]
fn flags_of_steps_take_turns() {
    for (size, flags) in [(2, 1), (3, STEPS as usize), (16, STEPS as usize)] {
        let mut member = Recorder::new(1, size);
        (0..3 * STEPS).for_each(|_| sync(&mut member));
        let posted = posted_steps(&member.did);
        assert_eq!(posted.len(), 3 * STEPS as usize);
        assert_eq!(posted[..flags].iter().collect::<BTreeSet<_>>().len(), flags);
        assert_eq!(posted[flags..], posted[..posted.len() - flags], "{size} members");
    }
}

/// Each member writes all of its stages in turn, whoever else writes in between.
#[test]
fn stages_take_turns() {
    let mut member = Recorder::new(1, 3);
    for _ in 0..STAGES {
        broadcast(&mut member, 8, 0, true);
        fcollect(&mut member, 8);
        broadcast(&mut member, 8, 1, true);
    }
    let (posted, stages) = (posted_stages(&member.did), STAGES as usize);
    assert_eq!(posted.len(), 2 * stages);
    assert!(posted.windows(2).all(|two| two[1] == (two[0] + 1) % stages), "{posted:?}");
}

/// The flags of a new team continue from those of the previous team.
#[test]
fn flags_of_a_new_team_go_on() {
    let mut member = Recorder::new(1, 3);
    member.progress = Progress::new(1000, 3);
    for _ in 0..STAGES {
        sync(&mut member);
        broadcast(&mut member, 8, 1, true);
        let highest = member.progress.highest();
        for did in member.take_record() {
            assert!(!matches!(did, Did::Post(_, value) if !(1001..=highest).contains(&value)), "{did:?} of {highest}");
            assert!(!matches!(did, Did::Wait(_, Flag::Done, _)), "nothing is overwritten yet");
        }
    }
}

/// A member that writes looks at the others' `done` flags once it has used all its stages, and not again before it
/// reuses the stage of a round that they had not reported yet.
#[test]
fn who_writes_seldom_looks_whether_others_are_done() {
    let mut root = Recorder::new(1, 3);
    root.done = vec![5, 0, 7];
    let mut looks = vec![];
    for round in 1..=STAGES + 6 {
        broadcast(&mut root, 8, 1, true);
        looks.extend(looks_at_done(&root.take_record()).into_iter().map(|(member, value)| (round, member, value)));
    }
    let [first, second] = [STAGES + 1, STAGES + 6];
    assert_eq!(looks, [(first, 0, 1), (first, 2, 1), (second, 0, 6), (second, 2, 6)]);
}

/// If all hear from all, there is no need to look: all members are known to be done with all rounds but the last ones.
#[test]
fn who_has_heard_of_all_does_not_look_whether_they_are_done() {
    type Call = fn(&mut Recorder);
    let calls: [(u32, u64, u64, Call); 5] = [
        (3, 1, 1, |member| fcollect(member, 8)),
        (3, 1, 1, |member| alltoall(member, 8)),
        (3, 1, 1, |member| reduce(member, 8)),
        (3, 1, 1, |member| collect(member, 0, 0).expect("nothing fits")),
        // Groups first: members hear from all in two rounds together.
        (20, 2, 2, |member| reduce(member, 8)),
    ];
    for (size, rounds, unknown, call) in calls {
        let mut member = Recorder::new(1, size);
        (0..3 * STAGES / rounds).for_each(|_| call(&mut member));
        assert_eq!(looks_at_done(&member.take_record()), [], "{size} members");
        (0..STAGES - unknown).for_each(|_| broadcast(&mut member, 8, 1, true));
        assert_eq!(looks_at_done(&member.take_record()), [], "{size} members");
        broadcast(&mut member, 8, 1, true);
        assert_eq!(looks_at_done(&member.take_record()).len(), size as usize - 1);
    }
}

/// The largest number of bytes for which, and up to which, a member of a team of this size does that.
fn most_bytes(size: u32, does: impl Fn(&[Did]) -> bool, call: impl Fn(&mut Recorder, usize)) -> usize {
    let of_root = |bytes| {
        let mut root = Recorder::new(0, size);
        call(&mut root, bytes);
        does(&root.did)
    };
    let most = (1..).find(|&bytes| bytes == 5000 || !of_root(bytes)).expect("a number") - 1;
    assert!((most + 1..5000).all(|bytes| !of_root(bytes)), "{size} members, beyond {most}");
    most
}

/// The lengths up to which data go through stages, as measured to be best.
#[test]
fn few_bytes_go_through_stages() {
    let staged = |did: &[Did]| !posted_stages(did).is_empty();
    let most = |size| {
        [
            most_bytes(size, staged, |member, bytes| broadcast(member, bytes, 0, true)),
            most_bytes(size, staged, fcollect),
            most_bytes(size, staged, alltoall),
            most_bytes(size, staged, reduce),
            most_bytes(size, staged, |member, bytes| scan(member, bytes, true)),
        ]
    };
    let table = [
        (1, [2104, 56, 56, 2104, 2104]),
        (2, [1052, 56, 28, 400, 400]),
        (3, [2104, 56, 18, 200, 200]),
        (4, [2104, 56, 14, 133, 133]),
        (5, [2104, 56, 210, 100, 100]),
        (8, [2104, 56, 131, 57, 57]),
        (9, [2104, 56, 116, 56, 56]),
        (16, [2104, 56, 65, 56, 56]),
        (17, [2104, 56, 61, 56, 56]),
        (65, [2104, 56, 16, 56, 56]),
    ];
    for (size, expected) in table {
        assert_eq!(most(size), expected, "{size} members");
    }
}

/// A root writes if there are few members or few bytes; otherwise the others read.
#[test]
fn roots_write_what_is_less() {
    let writes = |did: &[Did]| !puts(did).is_empty();
    let direct = |size| most_bytes(size, writes, |member, bytes| broadcast_direct(member, bytes, 0));
    assert_eq!([2, 4, 5, 20].map(direct), [4999, 4999, 2104, 2104]);
    for (bytes, written) in [(1053, true), (3200, true), (3201, false), (65_536, false)] {
        let did = record(2, |member| broadcast(member, bytes, 0, true));
        assert_eq!((writes(&did[0]), did[1].contains(&Did::Get(0, 0..bytes))), (written, false), "{bytes} bytes");
    }
    assert!(!writes(&record(3, |member| broadcast(member, 3000, 0, true))[0]));
}

/// Members that read the same data start at different positions, so that they do not all want the same cache lines.
#[test]
fn readers_of_a_root_begin_at_different_places() {
    for (size, bytes) in [(5, 10_000), (7, 65_536), (16, 2105)] {
        let did = record(size, |member| broadcast_direct(member, bytes, 0));
        for (me, did) in did.iter().enumerate().skip(1) {
            let [Did::Sync, Did::Get(0, first), Did::Get(0, second), Did::Sync] = &did[..] else { panic!("{did:?}") };
            let (start, own) = (first.start, bytes * me / size as usize);
            assert_eq!((first, second), (&(start..bytes), &(0..start)));
            assert!(start % 64 == 0 && (start..start + 64 + me).contains(&own), "{me} of {size} begins at {start}");
        }
    }
}

/// Members that write to all start with the next one, so that not all write to the same one.
#[test]
fn writers_begin_with_the_next_member() {
    for call in [fcollect_direct, alltoall_direct, |member: &mut Recorder, bytes| alltoalls(member, bytes, 1, (1, 1))] {
        for (me, did) in record(5, |member| call(member, 100)).iter().enumerate() {
            let order: Vec<u32> = (1..=5).map(|distance| (me as u32 + distance) % 5).collect();
            assert_eq!(puts(did), order, "member {me}");
        }
    }
}

/// Blocks that fit into a flag's cache line travel with their length, without a synchronisation.
#[test]
fn short_blocks_are_collected_with_their_lengths() {
    let mut member = Recorder::new(1, 3);
    let mut collect_blocks = |mine: usize, theirs: usize| {
        member.theirs = theirs;
        collect(&mut member, mine, 10_000).expect("there is room");
        let did = member.take_record();
        let staged = did.iter().filter(|did| matches!(did, Did::Stage(_))).count();
        let read = did.iter().filter(|did| matches!(did, Did::Unstage(..))).count();
        (staged, read, puts(&did).len(), syncs(&did))
    };
    assert_eq!(collect_blocks(0, 0), (0, 0, 0, 0));
    assert_eq!(collect_blocks(1, 1), (1, 2, 0, 0));
    assert_eq!(collect_blocks(48, 48), (1, 2, 0, 0));
    assert_eq!(collect_blocks(49, 48), (0, 2, 3, 1));
    assert_eq!(collect_blocks(48, 49), (1, 0, 0, 1));
}

/// A member without data needs no source.
#[test]
fn an_empty_block_is_not_copied() {
    for (bytes, copies) in [(0, 0), (1, 3)] {
        for did in record(3, |member| collect_direct(member, bytes, bytes).expect("there is room")) {
            assert_eq!((puts(&did).len(), syncs(&did)), (copies, 1));
        }
    }
}

/// Members combine whole elements, and whole cache lines if an element fits into one; about as many each, and as many
/// at a time as fit.
#[test]
fn shares_are_whole_lines() {
    for (size, element, elements) in
        [(3, 1, 50_000), (7, 4, 9_999), (4, 8, 4000), (5, 24, 3000), (16, 32, 17), (9, 16, 3)]
    {
        let bytes = element * elements;
        let direct = |how: fn(&mut Recorder, usize)| {
            record(size, |member| {
                member.element = element;
                how(member, bytes);
            })
        };
        for did in [direct(reduce_direct), direct(|member, bytes| scan_direct(member, bytes, true))] {
            let mut end = 0;
            for did in did {
                let own = did.iter().filter_map(|did| if let Did::Take(0, at) = did { Some(at.clone()) } else { None });
                let chunks: Vec<Range<usize>> = own.collect();
                let start = end;
                for (number, chunk) in chunks.iter().enumerate() {
                    assert_eq!(chunk.start, end, "parts follow each other");
                    end = chunk.end;
                    assert!(chunk.len() % element == 0 && chunk.len() <= CHUNK_BYTES, "{chunk:?}");
                    assert!(number + 1 == chunks.len() || chunk.len() + element > CHUNK_BYTES, "{chunk:?}");
                }
                assert!(64 % element != 0 || start == bytes || start % 64 == 0, "begins at {start}");
                assert!(end - start <= bytes / size as usize + 64 + element, "{start}..{end} of {bytes}");
            }
            assert_eq!(end, bytes);
        }
    }
}

/// In a large team a member reads from few others: from its group, and from one member of each other group, which is
/// not the same for all readers.
#[test]
fn groups_combine_first() {
    for (size, group) in [(2, 2), (16, 16), (17, 8), (24, 8), (64, 8), (65, 16), (250, 16), (257, 32)] {
        let did = record(size, |member| reduce(member, 8));
        let groups = size.div_ceil(group);
        let mut readers = vec![0; size as usize];
        for (me, did) in did.iter().enumerate() {
            assert_eq!(posted_stages(did).len(), if groups == 1 { 1 } else { 2 }, "{size} members");
            let reads = |round| {
                let of = move |did: &Did| match *did {
                    Did::Wait(member, Flag::Stage(_), number) if number == round => Some(member),
                    _ => None,
                };
                did.iter().filter_map(of).collect::<Vec<u32>>()
            };
            let own_group = me as u32 / group;
            let members = own_group * group..size.min((own_group + 1) * group);
            assert_eq!(reads(1), members.filter(|&m| m != me as u32).collect::<Vec<_>>(), "member {me} of {size}");
            let of_groups: Vec<u32> = reads(2).iter().map(|member| member / group).collect();
            let others: Vec<u32> = (0..groups).filter(|&g| g != own_group).collect();
            assert_eq!(of_groups, others, "member {me} of {size}");
            reads(2).iter().for_each(|&member| readers[member as usize] += 1);
        }
        // In the last group, which may be small, members have more readers.
        let most = readers[..(size / group * group) as usize].iter().max();
        assert!(most.is_some_and(|&most| most <= groups), "{size} members: {readers:?}");
    }
}
