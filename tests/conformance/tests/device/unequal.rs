//! Exchanges in which each member sends as many rows as it likes to each other one.

use crate::rig::Rig;
use cushmem::raw::{AnyStream, Buffers, Splits};
use cushmem::{ArgumentError, DevPtr, Grid, Kernel, Shmem, SymSlice, Team, Word};
use cushmem_conformance::{Backend, all_gpus_are_mapped, conformance, expect_status, on_nodes, run_to_failure};
use cushmem_conformance_kernels as kernels;
use cushmem_device::DeviceTeam;
use std::ptr::with_exposed_provenance_mut;

conformance! { soft, cuda => {
    by_every_scope: 1, 2, 3, 4;
    teams_of_all_kinds: 4;
    kernels_streams_and_the_cpu_in_turn: 1, 2, 3;
    a_dest_too_small_for_the_cpu: 2, 3;
    a_dest_too_small_for_kernels: 2;
    a_dest_too_small_for_streams: 2;
    another_dest_too_small_for_kernels: 2;
    another_dest_too_small_for_streams: 2;
    rows_outside_the_source: 2;
    rows_that_no_number_counts: 2;
    more_members_than_a_kernel_serves: 2;
    arguments_that_are_refused: 1, 2;
} }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];

mod checked {
    use super::*;
    conformance! { with CHECK: soft => {
        kernels_streams_and_the_cpu_in_turn: 2;
        a_dest_too_small_for_the_cpu: 2;
        a_dest_and_a_source_that_overlap: 2;
    } }
}

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        by_every_scope: 2, 3;
        teams_of_all_kinds: 4;
        kernels_streams_and_the_cpu_in_turn: 3;
        a_dest_too_small_for_the_cpu: 3;
        nobody_writes_to_members_that_come_later: 2;
    } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

on_nodes! { with SOFT: {
    by_every_scope: 2 on 2, 4 on 2 by "cyclic";
    teams_of_all_kinds: 4 on 2;
    kernels_streams_and_the_cpu_in_turn: 2 on 2, 3 on 2;
    a_dest_too_small_for_the_cpu: 2 on 2, 3 on 2;
    nobody_writes_to_members_that_come_later: 2 on 2;
} }

type Arguments<T> = (DeviceTeam, DevPtr<T>, DevPtr<T>, DevPtr<u64>, usize, usize, u64, u64, DevPtr<u64>);

/// A kernel of random exchanges of a team.
struct Random<'a, T: Word> {
    rig: &'a Rig<'a>,
    ends: [SymSlice<'a, T>; 2],
    splits: SymSlice<'a, u64>,
    most: usize,
    width: usize,
    wrong: SymSlice<'a, u64>,
}

impl<'a, T: Word> Random<'a, T> {
    fn new(rig: &'a Rig<'a>, most: usize, width: usize) -> Self {
        let members = rig.shmem.n_pes() as usize;
        let rows = |rows: usize| rig.shmem.malloc_gpu(rows * width * members).expect("malloc_gpu");
        let ends = [rows(most - 1), rows(most)];
        Self { rig, ends, splits: rig.symmetric(&vec![0; 4 * members]), most, width, wrong: rig.symmetric(&[0]) }
    }

    fn args(&self, team: &Team, first: u64, rounds: u64) -> Arguments<T> {
        let [dst, src] = self.ends.map(|end| end.device_ptr());
        let (splits, wrong) = (self.splits.device_ptr(), self.wrong.device_ptr());
        (team.device(), dst, src, splits, self.most, self.width, first, rounds, wrong)
    }

    fn run<K: Kernel<Args = Arguments<T>>>(&self, kernel: K, lanes: u32, team: &Team, first: u64, rounds: u64) {
        self.rig.run(kernel, Grid::linear(1, lanes), self.args(team, first, rounds));
        self.check(K::NAME);
    }

    fn check(&self, kernel: &str) {
        assert_eq!(self.wrong.to_vec().expect("read"), [0], "{kernel}: wrong elements and numbers of rows");
    }

    fn free(self) {
        self.rig.barrier();
        for end in self.ends {
            self.rig.shmem.free(end).expect("free");
        }
        for words in [self.splits, self.wrong] {
            self.rig.shmem.free(words).expect("free");
        }
    }
}

fn every_scope(rig: &Rig<'_>, team: &Team) {
    let rounds = rig.times(12, 200);
    // Rows of whole vectors, and others.
    for (width, most) in [(2, rig.times(20, 500)), (3, 17), (896, rig.times(3, 60))] {
        let words = Random::<u64>::new(rig, most, width);
        words.run(kernels::unequal_thread, 1, team, 0, rig.times(4, 20));
        words.run(kernels::unequal_warp, 32, team, 0, rounds);
        words.run(kernels::unequal_block, rig.times(64, 512), team, rounds, rounds);
        // A warp and a part of one.
        words.run(kernels::unequal_block, 40, team, rounds, rounds);
        let resident = rig.module.max_resident_blocks(kernels::unequal_grid, 128).expect("occupancy");
        for blocks in [1, 3, rig.times(4, resident)] {
            let (team, dst, src, splits, most, width, first, rounds, wrong) = words.args(team, 2 * rounds, rounds);
            let args = (team, dst, src, splits, most, width, first, rounds, rig.stream.grid_counter(), wrong);
            rig.start_cooperative(kernels::unequal_grid, Grid::linear(blocks, 128), args);
            rig.wait();
            words.check("unequal_grid");
        }
        words.free();
    }
    for width in [1, 7, 48] {
        let bytes = Random::<u8>::new(rig, 40, width);
        bytes.run(kernels::unequal_block_u8, rig.times(32, 1024), team, 0, rounds);
        bytes.free();
    }
}

/// Catches rows that come to the wrong place or not at all, and a member that reads its rows, or writes to another
/// one's dest, too early: the exchanges follow each other in a kernel, and their sizes differ.
fn by_every_scope(shmem: &Shmem) {
    every_scope(&Rig::new(shmem), shmem.team_world());
}

/// Catches a member's number that is taken for its PE's, and teams that share words.
fn teams_of_all_kinds(shmem: &Shmem) {
    let (rig, world, n) = (Rig::new(shmem), shmem.team_world(), shmem.n_pes() as i32);
    let backwards = shmem.team_split_strided(world, n - 1, -1, n).expect("split").expect("all are members");
    let (row, column) = shmem.team_split_2d(world, 2).expect("split");
    for team in [&backwards, &row, &column] {
        let words = Random::<u64>::new(&rig, 30, 5);
        words.run(kernels::unequal_block, 64, team, 0, rig.times(16, 400));
        words.free();
    }
    for team in [row, column, backwards] {
        shmem.team_destroy(team);
    }
}

/// Symmetric memory of a kind for an exchange of bytes.
struct Ends<'a> {
    dest: SymSlice<'a, u8>,
    source: SymSlice<'a, u8>,
    received: SymSlice<'a, u64>,
    sent: SymSlice<'a, u64>,
}

/// What lies behind the dest.
const BEHIND: usize = 64;
const FILL: u8 = 0xee;

impl<'a> Ends<'a> {
    fn new(shmem: &'a Shmem, on_gpu: bool, rows: usize, width: usize) -> Self {
        let bytes = |len| if on_gpu { shmem.malloc_gpu::<u8>(len) } else { shmem.malloc::<u8>(len) }.expect("malloc");
        let numbers = || {
            let len = 2 * shmem.n_pes() as usize;
            if on_gpu { shmem.malloc_gpu::<u64>(len) } else { shmem.malloc::<u64>(len) }.expect("malloc")
        };
        Self { dest: bytes(rows * width + BEHIND), source: bytes(rows * width), received: numbers(), sent: numbers() }
    }

    /// Fills the source with rows for each PE, as many as `rows` says for two PEs.
    fn fill(&self, shmem: &Shmem, width: usize, round: u64, rows: impl Fn(u32, u32) -> usize) {
        let (me, n) = (shmem.my_pe(), shmem.n_pes());
        let counts: Vec<_> = (0..n).map(|to| rows(me, to)).collect();
        let mut start = 0;
        // Where no rows start may be any number.
        let starts = counts.iter().map(|count| {
            start += count;
            if *count > 0 { (start - count) as u64 } else { u64::MAX }
        });
        let sent: Vec<_> = counts.iter().map(|count| *count as u64).chain(starts).collect();
        let source: Vec<_> = (0..n).flat_map(|to| data(round, me, to, rows(me, to) * width)).collect();
        self.sent.copy_from(&sent).expect("write");
        self.source.slice(..source.len()).copy_from(&source).expect("write");
        self.dest.copy_from(&vec![FILL; self.dest.len()]).expect("write");
    }

    fn check(&self, shmem: &Shmem, what: &str, width: usize, round: u64, rows: impl Fn(u32, u32) -> usize) {
        let (me, n) = (shmem.my_pe(), shmem.n_pes());
        let counts: Vec<_> = (0..n).map(|from| rows(from, me)).collect();
        let starts = counts.iter().scan(0, |start, count| Some(std::mem::replace(start, *start + count)));
        let received: Vec<_> = counts.iter().copied().chain(starts).map(|number| number as u64).collect();
        assert_eq!(self.received.to_vec().expect("read"), received, "{what}: numbers of rows");
        let mut dest: Vec<_> = (0..n).flat_map(|from| data(round, from, me, rows(from, me) * width)).collect();
        dest.resize(self.dest.len(), FILL);
        assert!(self.dest.to_vec().expect("read") == dest, "{what}: wrong bytes, or bytes behind the last row");
    }

    fn free(self, shmem: &Shmem) {
        shmem.barrier_all().expect("barrier");
        for bytes in [self.dest, self.source] {
            shmem.free(bytes).expect("free");
        }
        for words in [self.received, self.sent] {
            shmem.free(words).expect("free");
        }
    }
}

/// The bytes that a PE sends to another one.
fn data(round: u64, from: u32, to: u32, bytes: usize) -> impl Iterator<Item = u8> {
    (0..bytes).map(move |i| kernels::mix(round, u64::from(from) << 50 | u64::from(to) << 40 | i as u64) as u8)
}

/// Who carries an exchange out.
#[derive(Clone, Copy, Debug)]
enum By {
    Kernel,
    Stream,
    Cpu,
}

fn exchange(rig: &Rig<'_>, by: By, ends: &Ends<'_>, room: usize, width: usize) -> Result<(), String> {
    let (shmem, world) = (rig.shmem, rig.shmem.team_world());
    let both = (ends.dest.slice(..room * width), ends.source);
    let splits = (ends.received, ends.sent);
    match by {
        By::Kernel => {
            let [dst, src] = [ends.dest, ends.source].map(|end| end.device_ptr());
            let (received, sent) = (ends.received.device_ptr(), ends.sent.device_ptr());
            let args = (world.device(), dst, src, received, sent, room, width);
            rig.start(kernels::unequal_once, Grid::linear(1, rig.times(32, 512)), args);
            rig.stream.synchronize()
        }
        By::Stream => rig.stream.alltoallv(world, both, splits, width).and_then(|()| rig.stream.synchronize()),
        By::Cpu => shmem.alltoallv(world, both, splits, width),
    }
    .map_err(|error| error.to_string())
}

/// Catches exchanges that count differently depending on who carries them out, rows that are not where the source's
/// splits say, no rows at all, bytes behind the last row, and a member that writes to one which still looks at what the
/// exchange before has brought.
fn kernels_streams_and_the_cpu_in_turn(shmem: &Shmem) {
    let (rig, n) = (Rig::new(shmem), shmem.n_pes() as usize);
    for (on_gpu, width) in [(true, 48), (true, 7), (false, 5), (false, 16)] {
        let most = 40;
        let ends = Ends::new(shmem, on_gpu, n * most, width);
        // Each of them also follows itself and each of the others.
        for (round, by) in (0..).zip([0, 1, 2, 2, 1, 0, 0, 2, 1, 1]) {
            let by = [By::Kernel, By::Stream, By::Cpu][by];
            let rows = |from: u32, to: u32| match round {
                3 => 0,
                4 => most,
                _ => kernels::mix(round, u64::from(from) << 32 | u64::from(to)) as usize % 3 * most / 2,
            };
            ends.fill(shmem, width, round, rows);
            exchange(&rig, by, &ends, n * most, width).expect("exchange");
            let what = format!("round {round} by {by:?}, rows of {width} bytes, on the GPU: {on_gpu}");
            ends.check(shmem, &what, width, round, rows);
        }
        ends.free(shmem);
    }
}

/// PE 1 comes later than PE 0, which the CPUs serve. Catches a member that writes to another one before that one has
/// come: until then its dest and its splits are in use.
fn nobody_writes_to_members_that_come_later(shmem: &Shmem) {
    let (rig, width) = (Rig::new(shmem), 8);
    let ends = Ends::new(shmem, true, 2, width);
    let one = |_: u32, _: u32| 1;
    let come_later = |operation: &str| {
        if shmem.my_pe() == 1 {
            expect_status(&[&format!("{operation} of all PEs: waiting for PE 1 for ")]);
            assert!(ends.dest.to_vec().expect("read").iter().all(|byte| *byte == FILL), "{operation}: dest");
            assert_eq!(ends.received.to_vec().expect("read"), [7; 4], "{operation}: splits of the dest");
        }
    };
    for (round, by) in [(0, By::Stream), (1, By::Cpu), (2, By::Kernel)] {
        ends.fill(shmem, width, round, one);
        ends.received.copy_from(&[7; 4]).expect("write");
        rig.barrier();
        come_later("alltoallv");
        exchange(&rig, by, &ends, 2, width).expect("exchange");
        ends.check(shmem, &format!("{by:?}"), width, round, one);
        rig.barrier();
    }
    ends.fill(shmem, width, 3, one);
    ends.received.copy_from(&[7; 4]).expect("write");
    rig.barrier();
    come_later("alltoall");
    rig.stream.alltoall(shmem.team_world(), ends.dest.slice(..2 * width), ends.source).expect("alltoall");
    rig.stream.synchronize().expect("synchronize");
    ends.received.copy_from(&[1, 1, 0, 1]).expect("write");
    ends.check(shmem, "alltoall", width, 3, one);
    rig.barrier();
    ends.free(shmem);
}

/// Catches a dest that is overrun, and members that do not all learn that one of them has too little room. The next
/// exchange works.
fn a_dest_too_small_for_the_cpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for on_gpu in [true, false] {
        let ends = Ends::new(shmem, on_gpu, 100, 10);
        for (round, last) in [(0, 9), (1, 4)] {
            // Only the last PE gets many rows.
            let n = shmem.n_pes();
            let rows = |_: u32, to: u32| if to == n - 1 { last } else { 1 };
            ends.fill(shmem, 10, round, rows);
            rig.barrier();
            let (room, needed) = (4 * n as usize, n as usize * last);
            match exchange(&rig, By::Cpu, &ends, room, 10) {
                Ok(()) => ends.check(shmem, "the CPU", 10, round, rows),
                Err(error) => {
                    assert_eq!(
                        error,
                        format!("alltoallv: dest has room for {room} rows, but a PE of the team gets {needed}")
                    );
                    let dest = ends.dest.to_vec().expect("read");
                    assert!(dest.iter().all(|byte| *byte == FILL), "the dest was written");
                    assert_eq!(round, 0, "the second exchange fits");
                }
            }
            rig.barrier();
        }
        ends.free(shmem);
    }
}

/// Each of two PEs gets three rows more than it has room for, or only PE 1 does.
fn too_small(shmem: &Shmem, by: By, both: bool) {
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |from, to| match (from, to) {
        (_, 0) if !both => 1,
        (0, _) => 5,
        _ => 8,
    });
    rig.barrier();
    let error = exchange(&rig, by, &ends, 10, 10).expect_err("the rows do not fit");
    let pe = if both { shmem.my_pe() } else { 1 };
    let why = match by {
        By::Kernel | By::Stream => format!("alltoallv: PE {pe} gets 13 rows, but its dest has room for 10"),
        By::Cpu => "alltoallv: dest has room for 10 rows, but a PE of the team gets 13".into(),
    };
    assert!(error.contains(&why), "'{why}' is not in '{error}'");
    rig.barrier();
}

/// Who carries the exchange out and survives its failure: where not all GPUs are mapped, only the calling thread.
fn survivor(shmem: &Shmem, by: By) -> By {
    if all_gpus_are_mapped(shmem) { by } else { By::Cpu }
}

/// Catches a kernel that overruns its dest, or does not say why it has ended.
fn a_dest_too_small_for_kernels(shmem: &Shmem) {
    too_small(shmem, survivor(shmem, By::Kernel), true);
}

/// Catches a kernel that does not end, or names the wrong member, where one has too little room, or waits for it.
fn another_dest_too_small_for_kernels(shmem: &Shmem) {
    too_small(shmem, survivor(shmem, By::Kernel), false);
}

/// The same for streams.
fn a_dest_too_small_for_streams(shmem: &Shmem) {
    too_small(shmem, survivor(shmem, By::Stream), true);
}

/// The same for streams.
fn another_dest_too_small_for_streams(shmem: &Shmem) {
    too_small(shmem, survivor(shmem, By::Stream), false);
}

/// Each PE sends rows to PE 0 that its source does not have: `count` of them from row 95 of 100 on.
fn outside(shmem: &Shmem, by: By, count: u64) -> Result<(), String> {
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |_, _| 1);
    ends.sent.copy_from(&[count, 1, 95, 0]).expect("write");
    rig.barrier();
    let done = exchange(&rig, by, &ends, 10, 10);
    rig.barrier();
    done
}

/// Catches a stream that sends what lies behind the source, or does not say why it has ended.
fn rows_outside_the_source(shmem: &Shmem) {
    // Elsewhere a thread carries it out, and the job ends.
    if all_gpus_are_mapped(shmem) {
        let error = outside(shmem, By::Stream, 6).expect_err("there are no such rows");
        let why = "alltoallv: the rows for PE 0 end at row 101, but the source has 100";
        assert!(error.contains(why), "'{why}' is not in '{error}'");
    }
}

/// Each PE gets so many rows from each that their sum is no number. Catches a sum that wraps around, and so fits.
fn rows_that_no_number_counts(shmem: &Shmem) {
    if !all_gpus_are_mapped(shmem) {
        return;
    }
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |_, _| 1);
    ends.sent.copy_from(&[u64::MAX - 1, u64::MAX - 1, 0, 0]).expect("write");
    rig.barrier();
    let error = exchange(&rig, By::Kernel, &ends, 10, 10).expect_err("the rows do not fit");
    let why = format!("alltoallv: PE {} gets {} rows, but its dest has room for 10", shmem.my_pe(), u64::MAX);
    assert!(error.contains(&why), "'{why}' is not in '{error}'");
    rig.barrier();
}

/// Catches a kernel that writes beyond the words of a team. No team is needed: it looks at the number of members first.
fn more_members_than_a_kernel_serves(shmem: &Shmem) {
    if !all_gpus_are_mapped(shmem) {
        return;
    }
    let (rig, most) = (Rig::new(shmem), 32);
    let ends = Ends::new(shmem, true, 100, 10);
    let team = DeviceTeam { n_pes: most + 1, slot: 3, ..shmem.team_world().device() };
    let [dst, src] = [ends.dest, ends.source].map(|end| end.device_ptr());
    let args = (team, dst, src, ends.received.device_ptr(), ends.sent.device_ptr(), 10, 10);
    rig.start(kernels::unequal_once, Grid::linear(1, 32), args);
    let error = rig.stream.synchronize().expect_err("the team is too large").to_string();
    let why = format!("alltoallv: the team has {} PEs, but a kernel can carry it out for {most}", most + 1);
    assert!(error.contains(&why), "'{why}' is not in '{error}'");
    rig.barrier();
}

/// Catches rows without bytes and splits that are no words, in the CPU's exchange and in those of streams and kernels.
fn arguments_that_are_refused(shmem: &Shmem) {
    let (rig, world) = (Rig::new(shmem), shmem.team_world());
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |_, _| 1);
    let (both, splits) = ((ends.dest, ends.source), (ends.received, ends.sent));
    for done in [shmem.alltoallv(world, both, splits, 0), rig.stream.alltoallv(world, both, splits, 0)] {
        assert_eq!(done.expect_err("rows without bytes").to_string(), "alltoallv: a row has 0 bytes");
    }
    let address = |at: u64| with_exposed_provenance_mut::<u8>(at as usize);
    let [dest, source] = [ends.dest, ends.source].map(|end| address(end.device_ptr().address()));
    let [received, sent] = [ends.received, ends.sent].map(|end| address(end.device_ptr().address()).cast::<u64>());
    let buffers = Buffers { dest, source };
    let good = Splits { dest: received, source: sent, room: 10, given: 100, row: 10 };
    for (argument, splits) in [
        ("dest_splits", Splits { dest: received.wrapping_byte_add(4), ..good }),
        ("source_splits", Splits { source: sent.wrapping_byte_add(4), ..good }),
    ] {
        // SAFETY: the stream is valid, and the exchange is refused.
        let enqueued = unsafe { shmem.raw().on_stream(AnyStream::Ours(&rig.stream)).alltoallv(world, buffers, splits) };
        for done in [shmem.raw().alltoallv(world, buffers, splits), enqueued] {
            let bad = done.expect_err("splits at odd addresses");
            assert_eq!((bad.argument, bad.error), (argument, ArgumentError::Misaligned(8)));
        }
    }
    rig.barrier();
    if all_gpus_are_mapped(shmem) {
        let error = exchange(&rig, By::Kernel, &ends, 10, 0).expect_err("rows without bytes");
        assert!(error.contains("alltoallv: a row has 0 bytes"), "{error}");
        rig.barrier();
    }
}

/// In check mode. Catches a source inside the dest that is not seen because its length is not known.
fn a_dest_and_a_source_that_overlap(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |_, _| 1);
    rig.barrier();
    let both = (ends.dest.slice(..500), ends.dest.slice(490..));
    let done = shmem.alltoallv(shmem.team_world(), both, (ends.received, ends.sent), 10);
    let error = done.expect_err("dest and source overlap").to_string();
    assert_eq!(error, "alltoallv: source overlaps the other end of the copy");
    rig.barrier();
    ends.free(shmem);
}

/// Only PE 1 gets more rows than it has room for. It then ends the job, and so PE 0's wait for it.
fn too_small_on_pe_1(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |_, to| if to == 1 { 8 } else { 2 });
    rig.barrier();
    exchange(&rig, By::Kernel, &ends, 10, 10).expect("exchange");
}

/// In check mode. Only PE 1 passes the splits in the right order.
fn other_splits(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |_, _| 1);
    ends.received.copy_from(&[1, 1, 0, 1]).expect("write");
    rig.barrier();
    let (both, Ends { received, sent, .. }) = ((ends.dest, ends.source), ends);
    let splits = if shmem.my_pe() == 1 { (received, sent) } else { (sent, received) };
    let _ = shmem.alltoallv(shmem.team_world(), both, splits, 10);
}

macro_rules! refused {
    ($backend:ident { $($name:ident with $variables:expr, $says:literal: $body:expr;)* }) => {
        mod $backend {
            use super::*;
            $(
                #[test]
                fn $name() {
                    let name = concat!(module_path!(), "::", stringify!($name));
                    let (says, silent) = ([$says], ["alltoallv: alltoallv"]);
                    let backend = Backend::named(stringify!($backend));
                    let body: fn(&Shmem) = $body;
                    run_to_failure(name, backend, $variables, &says, &silent, |shmem: Shmem| body(&shmem));
                }
            )*
        }
    };
    ($($backend:ident),*) => { $(refused! { $backend {
        a_dest_too_small_for_commands with APART, "alltoallv: dest has room for 10 rows, but a PE of the team gets 13":
            |shmem| too_small(shmem, By::Kernel, true);
        a_dest_too_small_for_a_thread with APART, "alltoallv: dest has room for 10 rows, but a PE of the team gets 13":
            |shmem| too_small(shmem, By::Stream, true);
        a_dest_too_small_on_one_pe with &[], "dest has room for 10": too_small_on_pe_1;
        a_dest_too_small_on_one_pe_for_commands with APART, "dest has room for 10": too_small_on_pe_1;
        rows_outside_the_source_for_the_cpu with &[],
            "alltoallv: the rows for member 0 end at row 101, which is not in the source":
            |shmem| drop(outside(shmem, By::Cpu, 6));
        rows_outside_the_source_for_a_thread with APART,
            "alltoallv: the rows for member 0 end at row 101, which is not in the source":
            |shmem| drop(outside(shmem, By::Stream, 6));
        rows_for_the_cpu_that_no_number_counts with &[],
            "alltoallv: the rows for member 0 end at row 18446744073709551615, which is not in the source":
            |shmem| drop(outside(shmem, By::Cpu, u64::MAX - 1));
        splits_that_differ with CHECK, "alltoallv, of the splits": other_splits;
    } })* };
}

/// Where the CPU carries the exchange out, what is wrong ends the job. So does a PE whose kernel has failed.
mod refused {
    use super::*;
    refused! { soft, cuda }
}
