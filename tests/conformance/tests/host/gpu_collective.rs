//! Collectives on GPU memory that the CPU calls: the same random ones in direct succession as on host memory.

use crate::collective::{ARENA, Element, borders, row_in};
use crate::team::every_shape;
use cushmem::raw::{Buffers, Participants};
use cushmem::{Arithmetic, Bf16, Cmp, F16, Reduction, Shmem, SignalOp, Team};
use cushmem_abi::soft::resolve;
use cushmem_abi::{COLLECTIVE_BLOCKS, CollectiveArea, SyncArea};
use cushmem_conformance::{Sample, all_gpus_are_mapped, conformance, expect_status, expect_words, on_nodes, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::Random;
use cushmem_protocol::inbox;
use std::mem::offset_of;
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    any_team_and_type: 1, 2, 3, 4;
    around_the_borders: 2, 3;
    from_one_memory_to_the_other: 1, 2, 3;
    elements_with_gaps: 1, 3;
    bits_are_those_of_every_member: 2, 4;
    a_slot_has_another_team: 3, 4;
    on_a_stream: 1, 2, 3, 4;
    who_is_late_is_named: 2;
    on_streams_of_two_teams: 2, 3;
    teams_in_different_orders: 2, 3;
    the_cpu_meets_beside_streams: 2, 3;
    replayed: 2, 3;
    blocks_of_sums: 1, 2, 3, 4;
    every_operation_and_type: 2, 3;
    nan_is_the_least_and_the_greatest: 1, 2, 3;
} }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        who_is_late_is_named: 2;
        blocks_of_sums: 3;
        any_team_and_type: 2, 3;
        around_the_borders: 2;
        from_one_memory_to_the_other: 2;
        elements_with_gaps: 2;
        on_a_stream: 1, 2, 3;
        on_streams_of_two_teams: 2;
        teams_in_different_orders: 2, 3;
        the_cpu_meets_beside_streams: 2;
        nan_is_the_least_and_the_greatest: 3;
        replayed: 2, 3;
    } }
}

mod checked {
    use super::{CHECK, any_team_and_type, blocks_of_sums, some_do_not_work_in_place};
    cushmem_conformance::conformance! { with CHECK: soft, cuda => {
        any_team_and_type: 2;
        blocks_of_sums: 3;
        some_do_not_work_in_place: 2;
    } }
}

mod emulated {
    use super::old_words_are_not_taken_for_new_ones;
    // The test sets the number of the next collective, which only the emulation allows.
    cushmem_conformance::conformance! { soft => { old_words_are_not_taken_for_new_ones: 2; } }
}

on_nodes! { with SOFT: {
    any_team_and_type: 2 on 2, 4 on 2 by "cyclic";
    from_one_memory_to_the_other: 3 on 2;
    elements_with_gaps: 3 on 2;
    blocks_of_sums: 3 on 2;
    on_a_stream: 2 on 2, 3 on 2;
    on_streams_of_two_teams: 3 on 2;
    teams_in_different_orders: 2 on 2;
    the_cpu_meets_beside_streams: 3 on 2;
    nan_is_the_least_and_the_greatest: 4 on 2;
    replayed: 2 on 2;
} }

/// Catches a stream that waits for another PE's part of a short collective without reporting for whom.
fn who_is_late_is_named(shmem: &Shmem) {
    let (words, stream) = (shmem.malloc_gpu::<u32>(2).expect("malloc_gpu"), shmem.stream().expect("stream"));
    for round in 0..2u32 {
        words.copy_from(&[round, shmem.my_pe()]).expect("write");
        shmem.barrier_all().expect("barrier");
        if shmem.my_pe() == 1 {
            let by_kernel = " on GPU memory, to which PE 1 has not contributed";
            // Where GPUs do not reach each other, a thread carries it out for the stream.
            let by_thread = "reduce of all PEs: waiting for PE 1 for ";
            expect_status(&["PE 0: ", if all_gpus_are_mapped(shmem) { by_kernel } else { by_thread }]);
        }
        stream.reduce(shmem.team_world(), Reduction::Sum, words, words).expect("reduce");
        stream.synchronize().expect("synchronize");
        assert_eq!(words.to_vec().expect("read"), [2 * round, 1]);
    }
    shmem.barrier_all().expect("barrier");
}

fn any_team_and_type(shmem: &Shmem) {
    let made = every_shape(shmem);
    let mut teams: Vec<Option<&Team>> = made.iter().map(|(_, team)| team.as_ref()).collect();
    teams.extend([Some(shmem.team_world()), Some(shmem.team_shared()), Some(shmem.team_world())]);
    let (mut random, calls) = (seeded(), if shmem.n_pes() <= 2 { 100 } else { 40 });
    row_on_gpu::<u8>(shmem, &teams, &mut random, calls);
    row_on_gpu::<i16>(shmem, &teams, &mut random, calls);
    row_on_gpu::<u32>(shmem, &teams, &mut random, calls);
    row_on_gpu::<i64>(shmem, &teams, &mut random, calls);
    row_on_gpu::<f32>(shmem, &teams, &mut random, calls);
    row_on_gpu::<f64>(shmem, &teams, &mut random, calls);
}

fn row_on_gpu<T: Element>(shmem: &Shmem, teams: &[Option<&Team>], random: &mut Random, calls: usize) {
    row_in(shmem, teams, random, calls, shmem.malloc_gpu::<T>(ARENA).expect("malloc_gpu"));
}

/// Catches a kernel that serves up to a number of bytes and is wrong for that number, or the next kernel for one more.
fn around_the_borders(shmem: &Shmem) {
    borders::<u8>(shmem, 1, shmem.malloc_gpu(ARENA).expect("malloc_gpu"));
    borders::<i64>(shmem, 2, shmem.malloc_gpu(ARENA).expect("malloc_gpu"));
}

/// One end in host memory, the other in GPU memory.
fn from_one_memory_to_the_other(shmem: &Shmem) {
    let (world, me, n) = (shmem.team_world(), shmem.my_pe(), shmem.n_pes());
    for len in [1usize, 3, 500, 70_000] {
        let host = shmem.malloc::<u32>(len * n as usize).expect("malloc");
        let gpu = shmem.malloc_gpu::<u32>(len * n as usize).expect("malloc_gpu");
        let number = |pe: u32, i: usize| mix(len as u64, u64::from(pe) << 32 | i as u64) as u32;
        for (dest, source) in [(gpu, host), (host, gpu)] {
            let own: Vec<u32> = (0..len * n as usize).map(|i| number(me, i)).collect();
            source.copy_from(&own).expect("write");
            shmem.sync_all().expect("sync");
            let first = dest.slice(..len);
            shmem.reduce(world, Reduction::Sum, first, source.slice(..len)).expect("reduce");
            let sum = |i| (0..n).fold(0u32, |sum, pe| sum.wrapping_add(number(pe, i)));
            expect_words(|| format!("sums of {len}"), &first.to_vec().expect("read"), sum);
            shmem.sync_all().expect("sync");
            shmem.alltoall(world, dest, source).expect("alltoall");
            let block = |i: usize| number((i / len) as u32, me as usize * len + i % len);
            expect_words(|| format!("blocks of {len}"), &dest.to_vec().expect("read"), block);
            shmem.sync_all().expect("sync");
            shmem.broadcast(world, first, source.slice(..len), n - 1).expect("broadcast");
            expect_words(|| format!("{len} of the last"), &first.to_vec().expect("read"), |i| number(n - 1, i));
            shmem.sync_all().expect("sync");
        }
        shmem.free(host).expect("free");
        shmem.free(gpu).expect("free");
    }
}

/// `alltoalls` of many short elements. Catches a transfer for each of them, with which these take minutes where GPUs are
/// not mapped, and what is wrong at the borders of the parts in which they travel.
fn elements_with_gaps(shmem: &Shmem) {
    let (world, me, n) = (Participants::Team(shmem.team_world()), shmem.my_pe() as usize, shmem.n_pes() as usize);
    let start = Instant::now();
    for (size, elements, dst, sst) in
        [(1, 60_001, 3, 2), (8, 3500, 1, 5), (4, 1000, 1, 1), (2, 9, 5, 400_000), (3, 5, 400_000, 1)]
    {
        let room = |stride: usize| ((n * elements - 1) * stride + 1) * size;
        let (source, dest) = (
            shmem.malloc_gpu::<u8>(room(sst)).expect("malloc_gpu"),
            shmem.malloc_gpu::<u8>(room(dst)).expect("malloc_gpu"),
        );
        let byte = |pe: usize, i: usize| mix(elements as u64, (pe << 32 | i) as u64) as u8;
        source.copy_from(&(0..room(sst)).map(|i| byte(me, i)).collect::<Vec<_>>()).expect("write");
        dest.copy_from(&vec![7; room(dst)]).expect("write");
        shmem.barrier_all().expect("barrier");
        let [to, from] = [dest, source].map(|end| with_exposed_provenance_mut(end.device_ptr().address() as usize));
        let buffers = Buffers { dest: to, source: from };
        shmem.raw().alltoalls(world, buffers, size, elements, (dst, sst)).expect("alltoalls");
        let expected = |i: usize| match (i / size / dst, i / size % dst) {
            (element, 0) => byte(element / elements, (me * elements + element % elements) * sst * size + i % size),
            _ => 7,
        };
        expect_words(|| format!("{elements} elements of {size} bytes"), &dest.to_vec().expect("read"), expected);
        shmem.free(source).expect("free");
        shmem.free(dest).expect("free");
    }
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(30), "{taken:?}");
}

/// The sum of numbers of very different magnitude depends on their order. All members must use the same order, that of
/// their numbers.
fn bits_are_those_of_every_member(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    for (round, len) in [1usize, 3, 255, 3000, 20_000].into_iter().enumerate() {
        let (source, dest) =
            (shmem.malloc_gpu::<f32>(len).expect("malloc_gpu"), shmem.malloc_gpu::<f32>(len).expect("malloc_gpu"));
        let nasty = |pe: u32, i: usize| {
            let bits = mix(round as u64, u64::from(pe) << 32 | i as u64);
            (bits as i32 as f32) * 10f32.powi((bits >> 40) as i32 % 12)
        };
        source.copy_from(&(0..len).map(|i| nasty(me, i)).collect::<Vec<_>>()).expect("write");
        shmem.reduce(world, Reduction::Sum, dest, source).expect("reduce");
        let serial = |i| (1..n).fold(nasty(0, i), |sum, pe| sum + nasty(pe, i));
        expect_words(|| format!("sums of {len} on PE {me}"), &dest.to_vec().expect("read"), serial);
        shmem.free(source).expect("free");
        shmem.free(dest).expect("free");
    }
}

/// Catches flags or counts of a team that the next team in its slot takes for its own: teams of two in turn, some of
/// which run more collectives than others.
fn a_slot_has_another_team(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    let (source, dest) =
        (shmem.malloc_gpu::<u32>(600).expect("malloc_gpu"), shmem.malloc_gpu::<u32>(600).expect("malloc_gpu"));
    for round in 0..12 {
        let (first, stride) = (round % n, 1 + round % (n - 1));
        let stride = if first + stride < n { stride as i32 } else { -(first.min(stride) as i32) };
        let Some(team) = shmem.team_split_strided(world, first as i32, stride, 2).expect("split") else { continue };
        let other = (first as i32 + if me == first { stride } else { 0 }) as u32;
        for call in 0..1 + round % 5 {
            let number = |pe: u32, i: usize| mix(u64::from(round * 8 + call), u64::from(pe) << 32 | i as u64) as u32;
            // Through the inboxes, or not.
            let len = if call % 3 == 2 { 600 } else { 5 + call as usize };
            source.copy_from(&(0..600).map(|i| number(me, i)).collect::<Vec<_>>()).expect("write");
            let (source, dest) = (source.slice(..len), dest.slice(..len));
            shmem.reduce(&team, Reduction::Sum, dest, source).expect("reduce");
            let sum = |i| number(me, i).wrapping_add(number(other, i));
            expect_words(|| format!("call {call} of round {round} on PE {me}"), &dest.to_vec().expect("read"), sum);
        }
        shmem.team_destroy(team);
    }
}

/// Catches a word that was left in an inbox 2^31 collectives ago, and has the flag of one that has not arrived. In
/// between there are only shorter collectives, which do not overwrite it.
fn old_words_are_not_taken_for_new_ones(shmem: &Shmem) {
    const OLD: u64 = 5;
    const REPEATS: u64 = 1 << 31;
    if !all_gpus_are_mapped(shmem) {
        // A thread carries collectives out, without inboxes.
        return;
    }
    let (me, world, stream) = (shmem.my_pe(), shmem.team_world(), shmem.stream().expect("stream"));
    let source = shmem.malloc_gpu::<u64>(2).expect("malloc_gpu");
    let dest = shmem.malloc_gpu::<u64>(4).expect("malloc_gpu");
    let area = source.device_ptr().address() - SyncArea::BYTES + offset_of!(SyncArea, collective) as u64;
    let word = |offset: usize| {
        let address = with_exposed_provenance_mut(resolve(area + offset as u64) as usize);
        // SAFETY: an aligned word of this PE's emulated GPU memory, which lanes use as an atomic.
        unsafe { AtomicU64::from_ptr(address) }
    };
    let begin_with = |number: u64| {
        shmem.barrier_all().expect("barrier");
        word(CollectiveArea::passed(0)).store((number - 1) * u64::from(COLLECTIVE_BLOCKS), Ordering::Release);
        shmem.barrier_all().expect("barrier");
    };
    let numbers = |number: u64, pe: u32| [mix(number, u64::from(pe)), mix(number, !u64::from(pe))];
    let collect = |number: u64, len: usize, wait: &dyn Fn()| {
        source.copy_from(&numbers(number, me)).expect("write");
        wait();
        stream.fcollect(world, dest.slice(..2 * len), source.slice(..len)).expect("fcollect");
        stream.synchronize().expect("synchronize");
        let seen = dest.slice(..2 * len).to_vec().expect("read");
        let wanted: Vec<_> = [0, 1].into_iter().flat_map(|pe| numbers(number, pe).into_iter().take(len)).collect();
        assert_eq!(seen, wanted, "collective {number} on PE {me}");
    };
    assert_eq!(word(CollectiveArea::passed(0)).load(Ordering::Acquire), 0, "the area begins before the first object");
    begin_with(OLD);
    collect(OLD, 2, &|| ());
    let few = REPEATS - 3;
    begin_with(few);
    (few..REPEATS + OLD).for_each(|number| collect(number, 1, &|| ()));
    // PE 1 sends when PE 0 has looked at the word.
    let (first, bytes) = CollectiveArea::inbox(0);
    let second_of_pe_0 = word(first + inbox::half(OLD) as usize * bytes / 2 + 16);
    let sent = inbox::encode(numbers(REPEATS + OLD, 0)[1], inbox::flag(OLD))[0];
    let start = Instant::now();
    collect(REPEATS + OLD, 2, &|| {
        while me == 1 && second_of_pe_0.load(Ordering::Acquire) != sent {
            assert!(start.elapsed() < Duration::from_secs(60), "PE 0 has not sent");
            std::thread::yield_now();
        }
    });
    shmem.barrier_all().expect("barrier");
}

/// Collectives of all lengths, enqueued in direct succession; each starts from the previous result. The CPU checks only
/// the end.
fn on_a_stream(shmem: &Shmem) {
    const MOST: usize = 20_000;
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes() as usize, shmem.team_world());
    let words = |len: usize| shmem.malloc_gpu::<u32>(len).expect("malloc_gpu");
    let (source, sums, all, turned, block) = (words(MOST), words(MOST), words(MOST * n), words(MOST * n), words(MOST));
    let stream = shmem.stream().expect("stream");
    let mut random = seeded();
    for round in 0..if shmem.gpu().is_some_and(|gpu| gpu.emulated) { 12 } else { 100 } {
        let len = match round % 3 {
            0 => 1 + random.below(5),
            1 => 1 + random.below(2000),
            _ => 1 + random.below(MOST),
        };
        let root = random.below(n) as u32;
        let number = |pe: u32, i: usize| mix(round, u64::from(pe) << 32 | i as u64) as u32;
        source.slice(..len).copy_from(&(0..len).map(|i| number(me, i)).collect::<Vec<_>>()).expect("write");
        shmem.sync_all().expect("sync");
        let (source, sums, block) = (source.slice(..len), sums.slice(..len), block.slice(..len));
        let (all, turned) = (all.slice(..len * n), turned.slice(..len * n));
        stream.reduce(world, Reduction::Xor, sums, source).expect("reduce");
        // A different number on each PE, so that blocks differ.
        stream.fcollect(world, all, source).expect("fcollect");
        stream.alltoall(world, turned, all).expect("alltoall");
        stream.reducescatter(world, Reduction::Sum, block, turned).expect("reducescatter");
        stream.broadcast(world, source, block, root).expect("broadcast");
        stream.synchronize().expect("synchronize");
        let xor = |i| (0..n as u32).fold(0, |all, pe| all ^ number(pe, i));
        expect_words(|| format!("{len} xors, round {round}"), &sums.to_vec().expect("read"), xor);
        let of_each = |i: usize| number((i / len) as u32, i % len);
        expect_words(|| format!("{len} of each, round {round}"), &all.to_vec().expect("read"), of_each);
        let of_me = |i: usize| number(me, i % len);
        expect_words(|| format!("{len} for each, round {round}"), &turned.to_vec().expect("read"), of_me);
        let sum = |i: usize| (0..n as u32).fold(0u32, |sum, pe| sum.wrapping_add(number(pe, i)));
        expect_words(|| format!("{len} sums, round {round}"), &block.to_vec().expect("read"), sum);
        expect_words(|| format!("{len} from {root}, round {round}"), &source.to_vec().expect("read"), sum);
        shmem.sync_all().expect("sync");
    }
}

/// Catches words that two teams share: PEs enqueue collectives of two teams on two streams, in different orders.
fn on_streams_of_two_teams(shmem: &Shmem) {
    const LEN: usize = 700;
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    let reversed = shmem.team_split_strided(world, n as i32 - 1, -1, n as i32).expect("split").expect("all are in it");
    let streams = [shmem.stream().expect("stream"), shmem.stream().expect("stream")];
    let objects = || shmem.malloc_gpu::<u64>(LEN).expect("malloc_gpu");
    let (sources, dests) = ([objects(), objects()], [objects(), objects()]);
    for round in 0..20u64 {
        let len = if round % 2 == 0 { 9 } else { LEN };
        let number = |team: usize, pe: u32, i: usize| mix(2 * round + team as u64, u64::from(pe) << 32 | i as u64);
        for (team, source) in sources.iter().enumerate() {
            source.copy_from(&(0..LEN).map(|i| number(team, me, i)).collect::<Vec<_>>()).expect("write");
        }
        shmem.sync_all().expect("sync");
        for turn in 0..2 {
            let which = (turn + me as usize) % 2;
            let (dest, source) = (dests[which].slice(..len), sources[which].slice(..len));
            let team = if which == 0 { world } else { &reversed };
            streams[which].reduce(team, Reduction::Sum, dest, source).expect("reduce");
        }
        for (which, (stream, dest)) in streams.iter().zip(dests).enumerate() {
            stream.synchronize().expect("synchronize");
            let sum = |i| (0..n).fold(0u64, |sum, pe| sum.wrapping_add(number(which, pe, i)));
            let found = dest.slice(..len).to_vec().expect("read");
            expect_words(|| format!("{len} sums of team {which}, round {round}"), &found, sum);
        }
        shmem.sync_all().expect("sync");
    }
    shmem.team_destroy(reversed);
}

/// One PE's streams reach a collective of one team first, another PE's one of the other team, and only then does each
/// let its other stream go on. Catches a collective that waits behind one of another team.
fn teams_in_different_orders(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    let reversed = shmem.team_split_strided(world, n as i32 - 1, -1, n as i32).expect("split").expect("all are in it");
    let streams = [shmem.stream().expect("stream"), shmem.stream().expect("stream")];
    let words = [(); 2].map(|()| shmem.malloc_gpu::<u64>(3).expect("malloc_gpu"));
    let [gate, come] = [(); 2].map(|()| shmem.malloc::<u64>(1).expect("malloc"));
    for round in 1..=5u64 {
        words.iter().for_each(|words| words.copy_from(&[u64::from(me) + round; 3]).expect("write"));
        shmem.sync_all().expect("sync");
        let (first, second) = (me as usize % 2, 1 - me as usize % 2);
        streams[first].signal_op(come.at(0), round, SignalOp::Set, (me + 1) % n).expect("signal");
        streams[second].signal_wait_until(gate.at(0), Cmp::Ge, round).expect("wait");
        for which in [first, second] {
            let team = if which == 0 { world } else { &reversed };
            streams[which].reduce(team, Reduction::Sum, words[which], words[which]).expect("reduce");
        }
        shmem.wait_until(come.at(0), Cmp::Ge, round).expect("wait");
        shmem.p(gate.at(0), round, me).expect("p");
        for (stream, words) in streams.iter().zip(words) {
            stream.synchronize().expect("synchronize");
            assert_eq!(words.to_vec().expect("read"), [(0..n).map(|pe| u64::from(pe) + round).sum::<u64>(); 3]);
        }
        shmem.sync_all().expect("sync");
    }
    shmem.team_destroy(reversed);
}

/// The CPUs synchronise and allocate while streams are held in front of a collective of the same team, or in it.
/// Catches barriers of the CPU that are taken for those of streams.
fn the_cpu_meets_beside_streams(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    let (words, gate) = (shmem.malloc_gpu::<u64>(500).expect("malloc_gpu"), shmem.malloc::<u64>(1).expect("malloc"));
    let all = shmem.malloc_gpu::<u64>(n as usize).expect("malloc_gpu");
    let (stream, mut random) = (shmem.stream().expect("stream"), seeded());
    for round in 1..=10u64 {
        words.copy_from(&[round + u64::from(me); 500]).expect("write");
        shmem.sync_all().expect("sync");
        stream.signal_wait_until(gate.at(0), Cmp::Ge, round).expect("wait");
        stream.reduce(world, Reduction::Sum, words, words).expect("reduce");
        stream.fcollect(world, all, words.slice(..1)).expect("fcollect");
        let late = random.below(n as usize) as u32;
        for turn in 0..20u32 {
            shmem.barrier_all().expect("barrier");
            if turn == 5 && me != late || turn == 15 {
                shmem.p(gate.at(0), round, me).expect("p");
            }
            if turn % 4 == 0 {
                let some = shmem.malloc::<u8>(100).expect("malloc");
                shmem.free(some).expect("free");
            }
        }
        stream.synchronize().expect("synchronize");
        let sum = (0..n).map(|pe| round + u64::from(pe)).sum::<u64>();
        expect_words(|| format!("sums of round {round}"), &words.to_vec().expect("read"), |_| sum);
        expect_words(|| format!("all sums of round {round}"), &all.to_vec().expect("read"), |_| sum);
        shmem.sync_all().expect("sync");
    }
}

/// Each PE gets its block of the sums, in host memory, in GPU memory, and at the block's own place in the source.
fn blocks_of_sums(shmem: &Shmem) {
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes() as usize, shmem.team_world());
    for (round, len) in [1usize, 2, 37, 1000, 30_001].into_iter().enumerate() {
        for kind in 0..3 {
            let malloc = |len| match kind {
                0 => shmem.malloc::<f64>(len).expect("malloc"),
                _ => shmem.malloc_gpu::<f64>(len).expect("malloc_gpu"),
            };
            let (source, dest) = (malloc(len * n), malloc(len));
            let number = |pe: u32, i: usize| mix(round as u64, u64::from(pe) << 32 | i as u64) as u32 as f64;
            source.copy_from(&(0..len * n).map(|i| number(me, i)).collect::<Vec<_>>()).expect("write");
            let own = me as usize * len;
            let to = if kind == 2 { source.slice(own..own + len) } else { dest };
            shmem.reducescatter(world, Reduction::Sum, to, source).expect("reducescatter");
            let sum = |i| (0..n as u32).map(|pe| number(pe, own + i)).sum();
            expect_words(|| format!("{len} sums for PE {me}"), &to.to_vec().expect("read"), sum);
            shmem.free(source).expect("free");
            shmem.free(dest).expect("free");
        }
    }
}

/// Numbers whose sums and products, for a few of them, stay finite and depend on the order.
trait Any: Sample + Arithmetic {
    fn any(bits: u64) -> Self;
}

macro_rules! any { ($($t:ty: |$bits:ident| $of:expr;)*) => {$(
    impl Any for $t {
        fn any($bits: u64) -> Self {
            $of
        }
    }
)*} }
any! {
    u8: |b| b as u8; i8: |b| b as i8; u16: |b| b as u16; i16: |b| b as i16; u32: |b| b as u32; i32: |b| b as i32; u64: |b| b; i64: |b| b as i64;
    f32: |b| (b as i16 as f32) / 77.0; f64: |b| (b as i32 as f64) / 77.0;
    F16: |b| F16::from_f32((b as i16 as f32) / 700.0); Bf16: |b| Bf16::from_f32((b as i16 as f32) / 77.0);
}

/// Kernels combine elements with the same bits as the CPU, for elements of any width, in vectors, words and singly. On
/// several nodes, where no kernel combines them, host memory is combined node by node, GPU memory PE by PE; so two PEs
/// alone contribute there, whose sums of floats do not depend on the order.
fn every_operation_and_type(shmem: &Shmem) {
    fn check<T: Any>(shmem: &Shmem) {
        const MOST: usize = 70_000;
        let world = shmem.team_world();
        let host = [shmem.malloc::<T>(MOST).expect("malloc"), shmem.malloc::<T>(MOST).expect("malloc")];
        let gpu = [shmem.malloc_gpu::<T>(MOST).expect("malloc_gpu"), shmem.malloc_gpu::<T>(MOST).expect("malloc_gpu")];
        let contributes = shmem.my_pe() < 2 || all_gpus_are_mapped(shmem);
        let bits = |i| mix(size_of::<T>() as u64, u64::from(shmem.my_pe()) << 32 | i as u64);
        let own = |i| T::any(if contributes { bits(i) } else { 0 });
        let numbers: Vec<T> = (0..MOST).map(own).collect();
        host[0].copy_from(&numbers).expect("write");
        gpu[0].copy_from(&numbers).expect("write");
        shmem.barrier_all().expect("barrier");
        let all = [
            Reduction::And,
            Reduction::Or,
            Reduction::Xor,
            Reduction::Min,
            Reduction::Max,
            Reduction::Sum,
            Reduction::Prod,
        ];
        for reduction in all.into_iter().filter(|reduction| <T as Arithmetic>::reducer(*reduction).is_some()) {
            // Through inboxes; in vectors and the rest; elements at whose start no vector can start.
            for part in [0..7, 1..9, 0..(65_600 / size_of::<T>() + 1), 1..(65_600 / size_of::<T>() + 20)] {
                let what = || format!("{reduction:?} of {part:?} of {}", std::any::type_name::<T>());
                for [source, dest] in [host, gpu] {
                    shmem
                        .reduce(world, reduction, dest.slice(part.clone()), source.slice(part.clone()))
                        .expect("reduce");
                }
                let expected = host[1].slice(part.clone()).to_vec().expect("read");
                expect_words(what, &gpu[1].slice(part.clone()).to_vec().expect("read"), |i| expected[i]);
                shmem.sync_all().expect("sync");
            }
        }
        host.into_iter().chain(gpu).for_each(|object| shmem.free(object).expect("free"));
    }
    check::<u8>(shmem);
    check::<i8>(shmem);
    check::<u16>(shmem);
    check::<i16>(shmem);
    check::<u32>(shmem);
    check::<i32>(shmem);
    check::<u64>(shmem);
    check::<i64>(shmem);
    check::<f32>(shmem);
    check::<f64>(shmem);
    check::<F16>(shmem);
    check::<Bf16>(shmem);
}

/// Catches a minimum or maximum whose NaN depends on which member has it, on the memory or on the length: wherever one
/// member has NaN, all get NaN.
fn nan_is_the_least_and_the_greatest(shmem: &Shmem) {
    fn check<T: Any>(shmem: &Shmem, nan: T, is_nan: fn(T) -> bool) {
        const MOST: usize = 20_000;
        let (world, n) = (shmem.team_world(), shmem.n_pes() as usize);
        let host = [shmem.malloc::<T>(MOST).expect("malloc"), shmem.malloc::<T>(MOST).expect("malloc")];
        let gpu = [shmem.malloc_gpu::<T>(MOST).expect("malloc_gpu"), shmem.malloc_gpu::<T>(MOST).expect("malloc_gpu")];
        // Of 2 n neighbours, every second one is NaN, each time on another PE.
        let of_pe = |pe: usize, i: usize| if i % (2 * n) == 2 * pe { nan } else { T::any((3 * pe + i) as u64 % 100) };
        let own: Vec<T> = (0..MOST).map(|i| of_pe(shmem.my_pe() as usize, i)).collect();
        for objects in [host, gpu] {
            objects[0].copy_from(&own).expect("write");
            for (reduction, len) in
                [(Reduction::Min, 13), (Reduction::Max, 13), (Reduction::Min, MOST), (Reduction::Max, MOST)]
            {
                shmem.barrier_all().expect("barrier");
                shmem.reduce(world, reduction, objects[1].slice(..len), objects[0].slice(..len)).expect("reduce");
                for (i, found) in objects[1].slice(..len).to_vec().expect("read").into_iter().enumerate() {
                    let expected = if reduction == Reduction::Min { i % 100 } else { 3 * (n - 1) + i };
                    let right = is_nan(found) == (i % 2 == 0);
                    assert!(right, "{reduction:?} of {len} {}, element {i}", std::any::type_name::<T>());
                    if i % 2 == 1 && i + 3 * n < 100 {
                        assert_eq!(found.bits(), T::any(expected as u64).bits(), "{reduction:?}, element {i}");
                    }
                }
            }
        }
        shmem.barrier_all().expect("barrier");
        host.into_iter().chain(gpu).for_each(|object| shmem.free(object).expect("free"));
    }
    check(shmem, f32::NAN, f32::is_nan);
    check(shmem, f64::NAN, f64::is_nan);
    check(shmem, F16::from_f32(f32::NAN), F16::is_nan);
    check(shmem, Bf16::from_f32(f32::NAN), Bf16::is_nan);
}

/// A graph of two collectives, short and long, runs repeatedly on changing numbers. In between, others are enqueued on
/// the stream.
fn replayed(shmem: &Shmem) {
    const LEN: usize = 20_000;
    let (me, n, world) = (shmem.my_pe(), shmem.n_pes(), shmem.team_world());
    let words = |len: usize| shmem.malloc_gpu::<u32>(len).expect("malloc_gpu");
    let (source, dest, few, more) = (words(LEN), words(LEN), words(4), words(LEN));
    let stream = shmem.stream().expect("stream");
    let graph = stream.capture(|| {
        stream.reduce(world, Reduction::Sum, few, source.slice(..4))?;
        stream.reduce(world, Reduction::Sum, dest, source)
    });
    let graph = graph.expect("capture");
    for round in 0..10u64 {
        let number = |pe: u32, i: usize| mix(round, u64::from(pe) << 32 | i as u64) as u32;
        source.copy_from(&(0..LEN).map(|i| number(me, i)).collect::<Vec<_>>()).expect("write");
        shmem.sync_all().expect("sync");
        // SAFETY: the objects stay allocated.
        unsafe { stream.replay(&graph) }.expect("replay");
        stream.broadcast(world, more.slice(..9), source.slice(..9), 1).expect("broadcast");
        // SAFETY: the objects stay allocated.
        unsafe { stream.replay(&graph) }.expect("replay");
        stream.reduce(world, Reduction::Max, more, source).expect("reduce");
        stream.synchronize().expect("synchronize");
        let sum = |i| (0..n).fold(0u32, |sum, pe| sum.wrapping_add(number(pe, i)));
        expect_words(|| format!("few sums of run {round}"), &few.to_vec().expect("read"), sum);
        expect_words(|| format!("sums of run {round}"), &dest.to_vec().expect("read"), sum);
        let most = |i| (0..n).map(|pe| number(pe, i)).max().unwrap_or(0);
        expect_words(|| format!("greatest of run {round}"), &more.to_vec().expect("read"), most);
        shmem.sync_all().expect("sync");
    }
}

/// Catches a collective that works in place in check mode although a member writes what another one has not read yet.
fn some_do_not_work_in_place(shmem: &Shmem) {
    let (words, world) = (shmem.malloc_gpu::<u32>(64).expect("malloc_gpu"), shmem.team_world());
    shmem.reduce(world, Reduction::Sum, words, words).expect("reduce");
    shmem.broadcast(world, words, words, 0).expect("broadcast");
    for done in [shmem.alltoall(world, words, words), shmem.fcollect(world, words, words.slice(..32))] {
        let refused = done.expect_err("it does not work in place").to_string();
        assert!(refused.contains("overlaps"), "{refused}");
    }
    shmem.free(words).expect("free");
}
