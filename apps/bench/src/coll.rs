//! Collectives on host memory, in microseconds per call. The calls follow each other without barriers in between.
//!
//! A destination must be ready on all PEs before any PE calls. In every collective except broadcast, no PE returns
//! before all PEs have called, so it is enough to alternate between two destinations. In broadcast number `i`, the root
//! is PE `i` modulo the number of PEs, so each call waits for the one before, and as many destinations as PEs are
//! enough: by the time a PE is root again, each other PE has been root, and has therefore returned from the earlier
//! call.

use crate::report::{Output, Report};
use crate::rounds::{Figure, Rounds};
use anyhow::{Result, ensure};
use cushmem::{Reduction, Shmem, SymSlice, Team};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    output: Output,
    /// Bytes that each PE contributes (in alltoall, to each PE); multiples of 8
    #[arg(long, value_delimiter = ',', value_name = "BYTES,…", default_value = "8,1024,16384,65536,1048576")]
    sizes: Vec<usize>,
    /// Number of rounds of each measurement; the median is reported
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Run a few calls of everything to test the program; the figures are meaningless
    #[arg(long)]
    smoke: bool,
}

const WARM_UP: Duration = Duration::from_millis(200);
const CALLS: usize = 1000;
/// Larger sizes are called fewer times.
const MANY_CALLS_BYTES: usize = 4096;
/// The largest destination of a collective to which every PE contributes.
const MOST_BYTES: usize = 16 << 20;
/// The gap between two destinations.
const GAP: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collective {
    Broadcast,
    Sum,
    Alltoall,
    Fcollect,
}

use Collective::{Alltoall, Broadcast, Fcollect, Sum};

impl Collective {
    const ALL: [Self; 4] = [Broadcast, Sum, Alltoall, Fcollect];

    fn metric(self) -> &'static str {
        match self {
            Broadcast => "host_broadcast_hh",
            Sum => "host_sum_reduce_hh",
            Alltoall => "host_alltoall_hh",
            Fcollect => "host_fcollect_hh",
        }
    }

    /// The number of blocks of the source, and of the destination.
    fn blocks(self, pes: usize) -> (usize, usize) {
        match self {
            Broadcast | Sum => (1, 1),
            Alltoall => (pes, pes),
            Fcollect => (1, pes),
        }
    }

    fn destinations(self, pes: usize) -> usize {
        if self == Broadcast { pes.max(2) } else { 2 }
    }

    /// The value that element `k` of block `j` of the destination must have on PE `me` after call `last`, where each
    /// block has `n` elements.
    fn expected(self, last: usize, pes: usize, me: usize, n: usize, j: usize, k: usize) -> u64 {
        let value = match self {
            Broadcast => last % pes + k,
            Sum => pes * k + pes * (pes - 1) / 2,
            Alltoall => j + me * n + k,
            Fcollect => j + k,
        };
        value as u64
    }
}

struct Bench<'a> {
    shmem: &'a Shmem,
    team: &'a Team,
    report: Report,
    rounds: Rounds<'a>,
    source: SymSlice<'a, u64>,
    dest: SymSlice<'a, u64>,
}

pub fn run(shmem: &Shmem, options: &Options) -> Result<()> {
    ensure!(
        options.sizes.iter().all(|s| *s > 0 && s.is_multiple_of(8)),
        "--sizes: each must be a positive multiple of 8"
    );
    let pes = shmem.n_pes() as usize;
    let cases: Vec<(Collective, usize)> = Collective::ALL
        .iter()
        .flat_map(|&c| options.sizes.iter().map(move |&bytes| (c, bytes)))
        .filter(|(c, bytes)| c.blocks(pes).1 == 1 || bytes * pes <= MOST_BYTES)
        .collect();
    let words = |f: &dyn Fn(Collective, usize) -> usize| cases.iter().map(|&(c, b)| f(c, b / 8)).max().unwrap_or(1);
    let source = shmem.malloc(words(&|c, n| c.blocks(pes).0 * n))?;
    let dest = shmem.malloc(words(&|c, n| c.destinations(pes) * (c.blocks(pes).1 * n + GAP)))?;
    let own: Vec<u64> = (0..source.len() as u64).map(|k| k + u64::from(shmem.my_pe())).collect();
    shmem.put(source, &own, shmem.my_pe())?;
    let mut bench = Bench {
        shmem,
        team: shmem.team_world(),
        report: Report::new(shmem, "collectives on host memory", "none", &options.output)?,
        rounds: Rounds { shmem, rounds: if options.smoke { 1 } else { options.rounds.max(1) }, smoke: false },
        source,
        dest,
    };
    bench.warm_up(options.smoke)?;
    bench.meetings(options.smoke)?;
    for (collective, bytes) in cases {
        bench.measure(collective, bytes, options.smoke)?;
    }
    bench.report.finish()
}

impl Bench<'_> {
    /// Gives the clocks time to rise; they are low on an idle machine.
    fn warm_up(&self, smoke: bool) -> Result<()> {
        let start = Instant::now();
        while !smoke && start.elapsed() < WARM_UP {
            std::hint::spin_loop();
        }
        Ok(self.shmem.barrier_all()?)
    }

    fn meetings(&mut self, smoke: bool) -> Result<()> {
        let (shmem, rounds) = (self.shmem, &self.rounds);
        let calls = if smoke { 3 } else { CALLS };
        let [times] = rounds.together([&mut || rounds.ns(calls, |_| shmem.barrier_all())])?;
        self.report.row("host_barrier_all_hh", &[], Figure::us(&times), "us")
    }

    /// The destination of call `i`.
    fn to(&self, c: Collective, i: usize, n: usize) -> SymSlice<'_, u64> {
        let pes = self.shmem.n_pes() as usize;
        let length = c.blocks(pes).1 * n;
        // The usual number of destinations needs no division, whose time would count as the library's.
        let turn = if c == Broadcast { i % c.destinations(pes) } else { i % 2 };
        let start = turn * (length + GAP);
        self.dest.slice(start..start + length)
    }

    fn call(&self, c: Collective, i: usize, n: usize) -> cushmem::Result<()> {
        let (shmem, pes) = (self.shmem, self.shmem.n_pes() as usize);
        let (dest, source) = (self.to(c, i, n), self.source.slice(0..c.blocks(pes).0 * n));
        match c {
            Broadcast => shmem.broadcast(self.team, dest, source, (i % pes) as u32),
            Sum => shmem.reduce(self.team, Reduction::Sum, dest, source),
            Alltoall => shmem.alltoall(self.team, dest, source),
            Fcollect => shmem.fcollect(self.team, dest, source),
        }
    }

    fn measure(&mut self, c: Collective, bytes: usize, smoke: bool) -> Result<()> {
        let (pes, n) = (self.shmem.n_pes() as usize, bytes / 8);
        let wanted = if smoke { 1 } else { CALLS * MANY_CALLS_BYTES.min(bytes) / bytes };
        // A multiple of the number of roots and of the two destinations.
        let calls = (1 + wanted / (2 * pes)) * 2 * pes;
        let this = &*self;
        let [times] = this.rounds.together([&mut || this.rounds.ns(calls, |i| this.call(c, i, n))])?;
        let (last, me) = (calls - 1, self.shmem.my_pe() as usize);
        let found = self.to(c, last, n).to_vec()?;
        for (at, &value) in found.iter().enumerate() {
            let expected = c.expected(last, pes, me, n, at / n, at % n);
            ensure!(value == expected, "{c:?} of {bytes} bytes: element {at} is {value} instead of {expected}");
        }
        self.report.row(c.metric(), &[("bytes", bytes.to_string())], Figure::us(&times), "us")
    }
}
