//! Random collectives in direct succession, on teams of every shape; every byte of every dest is checked.
//!
//! All PEs draw the same sequence, and take part where they are members. Each collective has memory of its own, which
//! starts at any element. When the memory is used up, all PEs synchronise. A source is overwritten as soon as the
//! collective has returned, which is allowed.

use crate::team::every_shape;
use cushmem::raw::{Buffers, Participants};
use cushmem::{ArgumentError, Arithmetic, Reduction, Shmem, SymSlice, Team};
use cushmem_conformance::{Sample, conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::Random;

conformance! { host => {
    random_ones_in_a_row: 1, 2, 3, 4, 5, 8;
    each_around_the_borders: 2, 3, 5;
    bits_do_not_depend_on_the_member: 2, 3, 5, 8;
    sums_of_what_hardly_changes: 2, 3;
    large_teams: 17, 20;
    broadcasts_run_ahead: 2, 3, 8;
    wrong_arguments_are_refused: 2;
    collect_stays_in_its_dest: 1, 3;
} }

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];

mod checked {
    use super::{CHECK, collect_stays_in_its_object};
    cushmem_conformance::conformance! { with CHECK: host => { collect_stays_in_its_object: 1, 3; } }
}

/// How many elements the collectives use between two synchronisations.
pub const ARENA: usize = 700_000;
/// A value that no member sends.
const POISON: u64 = 77;

/// The datum of element `i` of member `member` in collective `round`. It is small, so that sums and products are exact
/// in every type.
fn datum(round: u64, member: u32, i: usize) -> u64 {
    1 + mix(round, u64::from(member) << 32 | i as u64) % 2
}

/// Element types with which the collectives are tested.
pub trait Element: Sample + Arithmetic {
    fn number(value: u64) -> Self;
}

macro_rules! elements { ($($t:ty)*) => {$( impl Element for $t {
    fn number(value: u64) -> Self {
        value as $t
    }
} )*} }
elements! { u8 i16 u32 i64 f32 f64 }

#[derive(Clone, Copy, Debug)]
enum Call {
    Sync,
    Broadcast,
    Fcollect,
    Collect,
    Alltoall,
    Reduce(Reduction, bool),
    Inscan(bool),
    Exscan(bool),
}

fn any_call(random: &mut Random) -> Call {
    let in_place = random.below(2) == 1;
    let reductions = [
        Reduction::Min,
        Reduction::Max,
        Reduction::Sum,
        Reduction::Prod,
        Reduction::And,
        Reduction::Or,
        Reduction::Xor,
    ];
    match random.below(9) {
        0 => Call::Sync,
        1 => Call::Broadcast,
        2 => Call::Fcollect,
        3 => Call::Collect,
        4 => Call::Alltoall,
        5 => Call::Inscan(in_place),
        6 => Call::Exscan(in_place),
        _ => Call::Reduce(reductions[random.below(7)], in_place),
    }
}

fn any_len(random: &mut Random) -> usize {
    match random.below(8) {
        0 => random.below(4),
        1..5 => random.below(40),
        5 => 200 + random.below(100),
        6 => random.below(1200),
        _ => random.below(5000),
    }
}

fn of_member(call: Call, members: u32, round: u64, member: u32, i: usize) -> u64 {
    let all = (0..members).map(|m| datum(round, m, i));
    match call {
        Call::Reduce(Reduction::Min, _) => all.min().unwrap_or(0),
        Call::Reduce(Reduction::Max, _) => all.max().unwrap_or(0),
        Call::Reduce(Reduction::Sum, _) => all.sum(),
        Call::Reduce(Reduction::Prod, _) => all.product(),
        Call::Reduce(Reduction::And, _) => all.fold(u64::MAX, |a, b| a & b),
        Call::Reduce(Reduction::Or, _) => all.fold(0, |a, b| a | b),
        Call::Reduce(Reduction::Xor, _) => all.fold(0, |a, b| a ^ b),
        Call::Inscan(_) => all.take(member as usize + 1).sum(),
        Call::Exscan(_) => all.take(member as usize).sum(),
        _ => unreachable!("moves combine nothing"),
    }
}

/// One collective of one team: draws the rest, calls it, checks it. Returns how many elements of the arena it used,
/// which all PEs must know, members or not.
fn one<T: Element>(
    shmem: &Shmem,
    team: Option<&Team>,
    (mut call, len): (Call, usize),
    random: &mut Random,
    arena: SymSlice<'_, T>,
    round: u64,
) -> usize {
    let most = shmem.n_pes() as usize;
    let root = random.below(64) as u32;
    if let Call::Reduce(Reduction::And | Reduction::Or | Reduction::Xor, in_place) = call
        && <T as Arithmetic>::reducer(Reduction::And).is_none()
    {
        call = Call::Reduce(Reduction::Sum, in_place);
    }
    let (gap, slot) = (random.below(5), most * (len + 3) + 8);
    let used = 2 * slot + gap;
    let Some(team) = team else { return used };
    let (me, n) = (team.my_pe(), team.n_pes());
    let (root, own) = (root % n, |i: usize| T::number(datum(round, me, i)));
    // `collect`: the members' lengths differ.
    let block = |member: u32| if matches!(call, Call::Collect) { (len + member as usize * 5) % (len + 3) } else { len };
    let (sent, received) = match call {
        Call::Sync => (0, 0),
        Call::Fcollect => (len, len * n as usize),
        Call::Collect => (block(me), (0..n).map(block).sum()),
        Call::Alltoall => (len * n as usize, len * n as usize),
        _ => (len, len),
    };
    let source = arena.slice(gap..gap + sent);
    let in_place = matches!(call, Call::Reduce(_, true) | Call::Inscan(true) | Call::Exscan(true));
    let dest = if in_place { source } else { arena.slice(gap + slot..gap + slot + received) };
    let words: Vec<T> = (0..sent).map(own).collect();
    source.copy_from(&words).expect("write");
    match call {
        Call::Sync => shmem.team_sync(team),
        Call::Broadcast => shmem.broadcast(team, dest, source, root),
        Call::Fcollect => shmem.fcollect(team, dest, source),
        Call::Collect => shmem.collect(team, dest, source),
        Call::Alltoall => shmem.alltoall(team, dest, source),
        Call::Reduce(reduction, _) => shmem.reduce(team, reduction, dest, source),
        Call::Inscan(_) => shmem.inscan(team, dest, source),
        Call::Exscan(_) => shmem.exscan(team, dest, source),
    }
    .unwrap_or_else(|e| panic!("{call:?}: {e}"));
    let words = dest.to_vec().expect("read");
    if !in_place {
        source.copy_from(&vec![T::number(POISON); sent]).expect("overwrite");
    }
    let starts: Vec<usize> = (0..n)
        .scan(0, |end, m| {
            *end += block(m);
            Some(*end - block(m))
        })
        .collect();
    expect_words(
        || format!("{call:?} number {round} of {len} elements on member {me} of {n}, root {root}"),
        &words,
        |i| {
            T::number(match call {
                Call::Broadcast => datum(round, root, i),
                Call::Fcollect | Call::Collect => {
                    let from = starts.iter().rposition(|&start| start <= i).expect("a block") as u32;
                    let from = (0..=from).rev().find(|&m| block(m) > 0).unwrap_or(from);
                    datum(round, from, i - starts[from as usize])
                }
                Call::Alltoall => datum(round, (i / len) as u32, me as usize * len + i % len),
                _ => of_member(call, n, round, me, i),
            })
        },
    );
    used
}

/// Collectives in direct succession with elements of one type, on host memory.
pub fn row<T: Element>(shmem: &Shmem, teams: &[Option<&Team>], random: &mut Random, calls: usize) {
    row_in(shmem, teams, random, calls, shmem.malloc::<T>(ARENA).expect("malloc"));
}

/// Collectives in direct succession in any memory of [`ARENA`] elements, which is freed.
pub fn row_in<T: Element>(
    shmem: &Shmem,
    teams: &[Option<&Team>],
    random: &mut Random,
    calls: usize,
    arena: SymSlice<'_, T>,
) {
    let (mut used, base) = (0, random.bits());
    for call in 0..calls {
        let room = 2 * shmem.n_pes() as usize * 5003 + 100;
        if used + room > ARENA {
            shmem.sync_all().expect("sync");
            used = 0;
        }
        let team = teams[random.below(teams.len())];
        let what = (any_call(random), any_len(random));
        used += one(shmem, team, what, random, arena.slice(used..), base.wrapping_add(call as u64));
    }
    shmem.free(arena).expect("free");
}

fn all_types(shmem: &Shmem, teams: &[Option<&Team>], calls: usize) {
    let mut random = seeded();
    row::<u8>(shmem, teams, &mut random, calls);
    row::<i16>(shmem, teams, &mut random, calls);
    row::<u32>(shmem, teams, &mut random, calls);
    row::<i64>(shmem, teams, &mut random, calls);
    row::<f32>(shmem, teams, &mut random, calls);
    row::<f64>(shmem, teams, &mut random, calls);
}

pub fn random_ones_in_a_row(shmem: &Shmem) {
    let made = every_shape(shmem);
    let mut teams: Vec<Option<&Team>> = made.iter().map(|(_, team)| team.as_ref()).collect();
    teams.extend([Some(shmem.team_world()), Some(shmem.team_shared()), Some(shmem.team_world())]);
    all_types(shmem, &teams, if shmem.n_pes() <= 2 { 1500 } else { 400 });
}

/// Catches a schedule that serves up to a number of bytes and is wrong for that number, or the next schedule for one
/// more.
fn each_around_the_borders(shmem: &Shmem) {
    borders::<u8>(shmem, 1, shmem.malloc(ARENA).expect("malloc"));
    borders::<i64>(shmem, 2, shmem.malloc(ARENA).expect("malloc"));
}

/// Lengths around those at which schedules change, in this memory, which is freed.
pub fn borders<T: Element>(shmem: &Shmem, seed: u64, arena: SymSlice<'_, T>) {
    const CALLS: [Call; 8] = [
        Call::Broadcast,
        Call::Fcollect,
        Call::Collect,
        Call::Alltoall,
        Call::Reduce(Reduction::Sum, false),
        Call::Reduce(Reduction::Sum, true),
        Call::Inscan(false),
        Call::Exscan(true),
    ];
    let mut random = seeded().split(seed);
    for bytes in [48usize, 49, 56, 57, 1052, 1053, 2104, 2105, 4144, 4145, 16_384, 16_385, 32_768, 32_769, 65_536] {
        let len = bytes.div_ceil(size_of::<T>());
        let size = 2 * (shmem.n_pes() as usize * (len + 3) + 8) + 5;
        // Each of them twice in direct succession, as far as there is room.
        let mut used = 0;
        for (number, call) in CALLS.into_iter().flat_map(|call| [call; 2]).enumerate() {
            if used + size > ARENA {
                shmem.sync_all().expect("sync");
                used = 0;
            }
            let round = random.bits() ^ number as u64;
            used += one(shmem, Some(shmem.team_world()), (call, len), &mut random, arena.slice(used..), round);
        }
        shmem.sync_all().expect("sync");
    }
    shmem.free(arena).expect("free");
}

/// Catches parts of an earlier sum in a later one: what a member sends is the same as before, wholly or but for a few
/// words. The longest sums are combined in several parts.
fn sums_of_what_hardly_changes(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    for len in [1, 1000, 3000, 150_000] {
        let (source, dest) = (shmem.malloc::<u64>(len).expect("malloc"), shmem.malloc::<u64>(len).expect("malloc"));
        for round in 0..10 {
            let of_member = |member: u32, i: usize| {
                let changes = i.is_multiple_of(100) || len == 1;
                u64::from(member) + 3 * i as u64 + if changes { round / 2 } else { 0 }
            };
            source.copy_from(&(0..len).map(|i| of_member(me, i)).collect::<Vec<_>>()).expect("write");
            shmem.reduce(world, Reduction::Sum, dest, source).expect("reduce");
            let sums = dest.to_vec().expect("read");
            let expected = |i: usize| (0..n).map(|member| of_member(member, i)).sum();
            expect_words(|| format!("sum {round} of {len} on PE {me}"), &sums, expected);
        }
        shmem.free(source).expect("free");
        shmem.free(dest).expect("free");
    }
}

/// Teams that synchronise in several rounds, and combine in groups of which the last is not full.
fn large_teams(shmem: &Shmem) {
    let world = shmem.team_world();
    let reversed = shmem.team_split_strided(world, shmem.n_pes() as i32 - 1, -1, shmem.n_pes() as i32).expect("split");
    all_types(shmem, &[Some(world), reversed.as_ref()], 25);
}

/// The sum of numbers of very different magnitude depends on their order, so all members must use the same order.
fn bits_do_not_depend_on_the_member(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    for (round, len) in [1usize, 3, 100, 254, 255, 3000, 20_000].into_iter().enumerate() {
        let (source, dest) = (shmem.malloc::<f64>(len).expect("malloc"), shmem.malloc::<f64>(len).expect("malloc"));
        let nasty = |i: usize| {
            let bits = mix(round as u64, u64::from(me) << 32 | i as u64);
            (bits as i32 as f64) * 10f64.powi((bits >> 40) as i32 % 12)
        };
        source.copy_from(&(0..len).map(nasty).collect::<Vec<_>>()).expect("write");
        shmem.reduce(world, Reduction::Sum, dest, source).expect("reduce");
        let mine = dest.to_vec().expect("read");
        shmem.sync_all().expect("sync");
        for pe in 0..n {
            let mut theirs = vec![0.0; len];
            shmem.get(&mut theirs, dest, pe).expect("get");
            expect_words(|| format!("sum of {len} on PE {pe}"), &theirs, |i| mine[i]);
        }
        shmem.sync_all().expect("sync");
    }
}

/// A root does not wait for the others, so it must not overwrite what a late PE has not read. One PE is slow; the root
/// changes now and then, and other collectives come in between.
fn broadcasts_run_ahead(shmem: &Shmem) {
    const ROUNDS: usize = 3000;
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    let (sources, dests) =
        (shmem.malloc::<u64>(ROUNDS * 3).expect("malloc"), shmem.malloc::<u64>(ROUNDS * 3).expect("malloc"));
    let mut random = seeded();
    let mut own = seeded().split(me.into());
    let mut root = 0;
    for round in 0..ROUNDS {
        if random.below(50) == 0 {
            root = random.below(n as usize) as u32;
        }
        let (len, with_sum) = (1 + random.below(3), random.below(40) == 0);
        let part = round * 3..round * 3 + len;
        let (source, dest) = (sources.slice(part.clone()), dests.slice(part));
        let words: Vec<u64> = (0..len).map(|i| mix(round as u64, u64::from(me) + i as u64)).collect();
        source.copy_from(&words).expect("write");
        if own.below(100) == 0 {
            std::thread::yield_now();
        }
        if with_sum {
            shmem.reduce(world, Reduction::Xor, dest, source).expect("reduce");
        } else {
            shmem.broadcast(world, dest, source, root).expect("broadcast");
        }
        source.copy_from(&vec![0; len]).expect("overwrite");
        expect_words(
            || format!("round {round} from {root}"),
            &dest.to_vec().expect("read"),
            |i| {
                let of = |pe: u32| mix(round as u64, u64::from(pe) + i as u64);
                if with_sum { (0..n).map(of).fold(0, |a, b| a ^ b) } else { of(root) }
            },
        );
    }
    shmem.sync_all().expect("sync");
}

fn wrong_arguments_are_refused(shmem: &Shmem) {
    let world = shmem.team_world();
    let words = shmem.malloc::<f32>(8).expect("malloc");
    let refusals = [
        shmem.broadcast(world, words.slice(0..4), words.slice(4..8), 2).expect_err("no such root"),
        shmem.broadcast(world, words.slice(0..3), words.slice(4..8), 0).expect_err("lengths"),
        shmem.fcollect(world, words.slice(0..3), words.slice(4..6)).expect_err("lengths"),
        shmem.alltoall(world, words.slice(0..3), words.slice(3..6)).expect_err("no blocks"),
        shmem.reduce(world, Reduction::Xor, words.slice(0..2), words.slice(2..4)).expect_err("no integers"),
    ];
    let expected = [
        "PE 2 is out of range (0 to 1, the PEs of the team)",
        "3 elements instead of 4",
        "3 elements instead of 4",
        "cannot be divided evenly among",
        "Xor is for integers",
    ];
    for (refusal, part) in refusals.iter().zip(expected) {
        assert!(refusal.to_string().contains(part), "{refusal}");
    }
    shmem.sync_all().expect("sync");
}

/// Few and many bytes into a dest that is one element too short, and into one that is long enough.
fn collect_stays_in_its_dest(shmem: &Shmem) {
    let (world, me, n) = (shmem.team_world(), shmem.my_pe() as usize, shmem.n_pes() as usize);
    for len in [1, 500] {
        let lengths: Vec<usize> = (0..n).map(|pe| len + pe).collect();
        let all: usize = lengths.iter().sum();
        let words = shmem.malloc::<u64>(all + 1 + len + n).expect("malloc");
        let (dest, source) = (words.slice(0..all), words.slice(all + 1..all + 1 + lengths[me]));
        words.copy_from(&vec![POISON; words.len()]).expect("write");
        source.copy_from(&vec![1; lengths[me]]).expect("write");
        shmem.barrier_all().expect("barrier");
        let short = dest.slice(0..all - 1);
        let refusal = shmem.collect(world, short, source).expect_err("no room").to_string();
        let left = short.len() * 8;
        assert!(refusal.ends_with(&format!("the end of its object, where {left} bytes are left")), "{refusal}");
        shmem.barrier_all().expect("barrier");
        assert_eq!(words.slice(all - 1..all + 1).to_vec().expect("read"), [POISON; 2], "{len} elements");
        shmem.barrier_all().expect("barrier");
        shmem.collect(world, dest, source).expect("collect");
        assert_eq!(words.slice(0..all + 1).to_vec().expect("read")[..], [vec![1; all], vec![POISON]].concat());
        shmem.barrier_all().expect("barrier");
    }
}

/// In check mode, the end of the object also counts for callers that hold plain addresses.
fn collect_stays_in_its_object(shmem: &Shmem) {
    let n = shmem.n_pes() as usize;
    let (dest, source) = (shmem.malloc::<u64>(n).expect("malloc"), shmem.malloc::<u64>(2).expect("malloc"));
    let (me, raw) = (shmem.my_pe(), shmem.raw());
    let buffers = Buffers { dest: dest.ptr(me).cast(), source: source.ptr(me).cast() };
    let refusal = raw.collect(Participants::Team(shmem.team_world()), buffers, 16, usize::MAX).expect_err("no room");
    assert_eq!((refusal.argument, refusal.error), ("dest", ArgumentError::PastObject(8 * n as u64)));
    shmem.barrier_all().expect("barrier");
}
