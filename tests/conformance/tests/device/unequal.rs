//! Exchanges in which each member sends as many rows as it likes to each other one.

use crate::rig::Rig;
use cushmem::{DevPtr, Grid, Kernel, Shmem, SymSlice, Team, Word};
use cushmem_conformance::{Backend, all_gpus_are_mapped, conformance, on_nodes, run_to_failure};
use cushmem_conformance_kernels as kernels;
use cushmem_device::DeviceTeam;

conformance! { soft, cuda => {
    by_every_scope: 1, 2, 3, 4;
    teams_of_all_kinds: 4;
    kernels_streams_and_the_cpu_in_turn: 1, 2, 3;
    a_dest_too_small_for_the_cpu: 2, 3;
    a_dest_too_small_for_kernels: 2;
    a_dest_too_small_for_streams: 2;
} }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        by_every_scope: 2, 3;
        teams_of_all_kinds: 4;
        kernels_streams_and_the_cpu_in_turn: 3;
        a_dest_too_small_for_the_cpu: 3;
    } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

on_nodes! { with SOFT: {
    by_every_scope: 2 on 2, 4 on 2 by "cyclic";
    teams_of_all_kinds: 4 on 2;
    kernels_streams_and_the_cpu_in_turn: 2 on 2, 3 on 2;
    a_dest_too_small_for_the_cpu: 2 on 2, 3 on 2;
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
        let starts = counts.iter().scan(0, |start, count| Some(std::mem::replace(start, *start + count)));
        let sent: Vec<_> = counts.iter().copied().chain(starts).map(|number| number as u64).collect();
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
/// splits say, no rows at all, and bytes behind the last row.
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
            rig.barrier();
            exchange(&rig, by, &ends, n * most, width).expect("exchange");
            let what = format!("round {round} by {by:?}, rows of {width} bytes, on the GPU: {on_gpu}");
            ends.check(shmem, &what, width, round, rows);
            rig.barrier();
        }
        ends.free(shmem);
    }
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

/// Each of two PEs gets three rows more than it has room for.
fn too_small(shmem: &Shmem, by: By) {
    let rig = Rig::new(shmem);
    let ends = Ends::new(shmem, true, 100, 10);
    ends.fill(shmem, 10, 0, |from, _| if from == 0 { 5 } else { 8 });
    rig.barrier();
    let error = exchange(&rig, by, &ends, 10, 10).expect_err("the rows do not fit");
    let why = format!("alltoallv: PE {} gets 13 rows, but its dest has room for 10", shmem.my_pe());
    assert!(error.contains(&why), "'{why}' is not in '{error}'");
    rig.barrier();
}

/// Who carries the exchange out and survives its failure: where not all GPUs are mapped, only the calling thread.
fn survivor(shmem: &Shmem, by: By) -> By {
    if all_gpus_are_mapped(shmem) { by } else { By::Cpu }
}

/// Catches a kernel that overruns its dest, or does not say why it has ended.
fn a_dest_too_small_for_kernels(shmem: &Shmem) {
    too_small(shmem, survivor(shmem, By::Kernel));
}

/// The same for streams.
fn a_dest_too_small_for_streams(shmem: &Shmem) {
    too_small(shmem, survivor(shmem, By::Stream));
}

macro_rules! refused {
    ($backend:ident { $($name:ident: $by:ident;)* }) => {
        mod $backend {
            use super::*;
            $(
                #[test]
                fn $name() {
                    let name = concat!(module_path!(), "::", stringify!($name));
                    let says = ["alltoallv: dest has room for 10 rows, but a PE of the team gets 13"];
                    let backend = Backend::named(stringify!($backend));
                    run_to_failure(name, backend, APART, &says, &[], |shmem: Shmem| too_small(&shmem, By::$by));
                }
            )*
        }
    };
}

/// Where a thread of the library carries the exchange out, a dest that is too small ends the job.
mod refused {
    use super::*;
    refused! { soft {
        a_dest_too_small_for_commands: Kernel;
        a_dest_too_small_for_a_thread: Stream;
    } }
    refused! { cuda {
        a_dest_too_small_for_commands: Kernel;
        a_dest_too_small_for_a_thread: Stream;
    } }
}
