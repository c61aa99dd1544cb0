//! Operations between two nodes. The rows called `limit` are the same work done by hand on a network card of the
//! program's own. It takes turns with the library's calls, so that both see the same conditions.

mod hand;
mod site;

use crate::names::By;
use crate::report::{Output, Report};
use crate::rounds::{Figure, Rounds};
use anyhow::{Context, Result, ensure};
use cushmem::{Reduction, Shmem, SymSlice};
use cushmem_net::{Profile, Settings};
use hand::{Hand, WORD};
use std::cell::RefCell;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    output: Output,
    /// Number of rounds of each measurement; the median is reported
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Print a report of this network to send in instead: devices, versions, GPUs and a few figures; works with every
    /// network
    #[arg(long, conflicts_with_all = ["json", "plot"])]
    report: bool,
    /// Run a few steps of everything to test the program; the figures are meaningless
    #[arg(long)]
    smoke: bool,
}

const WARM_UP: Duration = Duration::from_millis(200);
/// Calls per round. Where other programs compete for the cores, each call may cost a time slice.
const CALLS: usize = 100;
/// Puts per round, for the rate and for the bandwidth.
const MANY: usize = 10_000;
const LONG_PUTS: usize = 16;
const LONG_GETS: usize = 8;
const LONG_WORDS: usize = (1 << 20) / 8;

struct Bench<'a> {
    shmem: &'a Shmem,
    profile: Profile,
    report: Report,
    rounds: Rounds<'a>,
    /// Symmetric: a word to put to and a word to count in.
    words: SymSlice<'a, u64>,
    /// Symmetric: the target and the source of long puts.
    data: SymSlice<'a, u64>,
    source: SymSlice<'a, u64>,
    hand: Hand,
    peer: u32,
}

pub fn run(shmem: &Shmem, options: &Options) -> Result<()> {
    let rounds = if options.smoke { 1 } else { options.rounds.max(1) };
    if options.report {
        return site::run(shmem, rounds, options.smoke);
    }
    let words = shmem.malloc::<u64>(2)?;
    ensure!(
        shmem.n_pes() == 2 && words.ptr(1 - shmem.my_pe()).is_null(),
        "`shmem-bench net` measures between two PEs on two nodes: shmemrun -n 2 --nodes 2 shmem-bench net"
    );
    let (settings, source) = (settings()?, shmem.malloc(LONG_WORDS)?);
    let mut bench = Bench {
        shmem,
        profile: settings.profile,
        report: Report::new(shmem, "operations between two nodes", "none", &options.output)?,
        rounds: Rounds { shmem, rounds, smoke: options.smoke },
        words,
        data: shmem.malloc(LONG_WORDS)?,
        source,
        hand: Hand::new(shmem, settings, source)?,
        peer: 1 - shmem.my_pe(),
    };
    bench.warm_up(options.smoke)?;
    bench.puts()?;
    bench.gets()?;
    bench.meetings()?;
    bench.fetch_add()?;
    bench.hand.check()?;
    bench.report.finish()
}

/// The library's network settings.
fn settings() -> Result<Settings> {
    let value = std::env::var("CUSHMEM_NET").ok().filter(|value| !value.is_empty());
    let value = value.as_deref().unwrap_or("loopback:verbs");
    let settings = value.strip_prefix("loopback:").with_context(|| format!("CUSHMEM_NET={value} is not loopback"))?;
    Ok(settings.parse()?)
}

impl Bench<'_> {
    /// Gives the clocks time to rise, and maps the memory that each side writes.
    fn warm_up(&mut self, smoke: bool) -> Result<()> {
        self.source.copy_from(&vec![1; LONG_WORDS])?;
        self.shmem.barrier_all()?;
        let start = Instant::now();
        loop {
            self.shmem.put(self.data, self.source, self.peer)?;
            self.shmem.quiet()?;
            self.hand.put_data();
            self.hand.quiet();
            if smoke || start.elapsed() > WARM_UP {
                return Ok(self.shmem.barrier_all()?);
            }
        }
    }

    /// Reports the figures of the library and of the work by hand; `value` converts nanoseconds to the unit of the row.
    fn rows(
        &mut self,
        metric: &str,
        bytes: Option<usize>,
        unit: &str,
        value: impl Fn(f64) -> f64,
        [library, limit]: [&[f64]; 2],
    ) -> Result<()> {
        let mut keys = vec![("net", self.profile.to_string())];
        keys.extend(bytes.map(|bytes| ("bytes", bytes.to_string())));
        self.report.row(metric, &keys, Figure::of(library, &value), unit)?;
        self.report.row_by(By::Limit, metric, &keys, Figure::of(limit, &value), unit)
    }

    fn puts(&mut self) -> Result<()> {
        let (shmem, peer, rounds, hand) = (self.shmem, self.peer, &self.rounds, &self.hand);
        let (word, data, source) = (self.words.slice(..1), self.data, self.source);
        let many = if rounds.smoke { 3 } else { MANY };
        let [put, by_hand] = rounds.alone([
            &mut || rounds.ns(CALLS, |i| shmem.put(word, &[i as u64], peer).and_then(|()| shmem.quiet())),
            &mut || {
                rounds.ns(CALLS, |i| {
                    hand.put_word(WORD, i as u64);
                    hand.quiet();
                    Ok(())
                })
            },
        ])?;
        let from = source.slice(..1);
        let [rate, rate_by_hand] = rounds.alone([
            &mut || {
                rounds
                    .ns(1, |_| (0..many).try_for_each(|_| shmem.put_nbi(word, from, peer)).and_then(|()| shmem.quiet()))
            },
            &mut || {
                rounds.ns(1, |_| {
                    (0..many).for_each(|i| _ = hand.put_word(WORD, i as u64));
                    hand.quiet();
                    Ok(())
                })
            },
        ])?;
        let [long, long_by_hand] = rounds.alone([
            &mut || {
                rounds.ns(1, |_| {
                    (0..LONG_PUTS).try_for_each(|_| shmem.put_nbi(data, source, peer)).and_then(|()| shmem.quiet())
                })
            },
            &mut || {
                rounds.ns(1, |_| {
                    (0..LONG_PUTS).for_each(|_| hand.put_data());
                    hand.quiet();
                    Ok(())
                })
            },
        ])?;
        let long_bytes = 8 * LONG_WORDS;
        self.rows("net_put_quiet", Some(8), "us", us, [&put, &by_hand])?;
        self.rows("net_put_rate", Some(8), "Mop/s", |ns| many as f64 * 1e3 / ns, [&rate, &rate_by_hand])?;
        let gb_s = |ns| (LONG_PUTS * long_bytes) as f64 / ns;
        self.rows("net_put_bw", Some(long_bytes), "GB/s", gb_s, [&long, &long_by_hand])
    }

    fn gets(&mut self) -> Result<()> {
        for (words, calls) in [(1, CALLS), (LONG_WORDS, LONG_GETS)] {
            let (shmem, peer, rounds, hand) = (self.shmem, self.peer, &self.rounds, &self.hand);
            // The address of the target affects the time as much as the operation does, so both ways get into the same
            // target.
            let (from, target) = (self.data.slice(..words), RefCell::new(vec![0; words]));
            let [get, by_hand] = rounds.alone([
                &mut || rounds.ns(calls, |_| shmem.get(&mut target.borrow_mut()[..], from, peer)),
                &mut || {
                    rounds.ns(calls, |_| {
                        hand.get(&mut target.borrow_mut());
                        Ok(())
                    })
                },
            ])?;
            self.rows("net_get", Some(8 * words), "us", us, [&get, &by_hand])?;
        }
        Ok(())
    }

    fn meetings(&mut self) -> Result<()> {
        let (shmem, rounds, hand) = (self.shmem, &self.rounds, &mut self.hand);
        let [barrier, by_hand] = rounds.together([&mut || rounds.ns(CALLS, |_| shmem.barrier_all()), &mut || {
            rounds.ns(CALLS, |_| {
                hand.barrier();
                Ok(())
            })
        }])?;
        let (team, to, from) = (shmem.team_world(), self.words.slice(..1), self.words.slice(1..));
        let number = 1 + u64::from(shmem.my_pe());
        from.copy_from(&[number])?;
        let mut sum_by_hand = 0;
        let [reduce, reduce_by_hand] = rounds.together([
            &mut || rounds.ns(CALLS, |_| shmem.reduce(team, Reduction::Sum, to, from)),
            &mut || {
                rounds.ns(CALLS, |_| {
                    sum_by_hand = hand.sum(number);
                    Ok(())
                })
            },
        ])?;
        let sum = to.to_vec()?[0];
        ensure!((sum, sum_by_hand) == (3, 3), "the sum of 1 and 2 is {sum}, and {sum_by_hand} by hand");
        self.rows("net_barrier_all", None, "us", us, [&barrier, &by_hand])?;
        self.rows("net_sum_reduce", Some(8), "us", us, [&reduce, &reduce_by_hand])
    }

    fn fetch_add(&mut self) -> Result<()> {
        let (shmem, peer, rounds, word) = (self.shmem, self.peer, &self.rounds, self.words.at(0));
        let [add] = rounds.alone([&mut || rounds.ns(CALLS, |_| shmem.fetch_add(word, 1, peer).map(drop))])?;
        let keys = [("net", self.profile.to_string()), ("bytes", "8".into())];
        self.report.row("net_fetch_add", &keys, Figure::of(&add, us), "us")
    }
}

fn us(ns: f64) -> f64 {
    ns / 1e3
}
