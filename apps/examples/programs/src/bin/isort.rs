//! Integer sort by the rules of ISx: each PE has the same number of random keys, sends each key to the PE of its
//! bucket, and counts the keys that it receives. The CPU sorts its keys by bucket and then sends them, with one put to
//! each PE. A kernel does both at once, with puts by each warp. A first pass, which is not timed, warms up.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use cushmem::{Grid, Reduction, Shmem, SymSlice};
use cushmem_examples_programs::{By, PASSES, combined, figures, is_emulated, n_pes, seconds, tell, total, ways};
use cushmem_examples_programs_kernels as kernels;
use cushmem_numbers::{middle_by, mixed};
use cushmem_program::{parse, run};
use serde_json::json;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 isort                        kernels on GPU memory, then CPUs on host memory
  shmemrun -n 2 isort --by gpu --keys 134217728

The keys are sorted in the sense of ISx: each PE knows how often each key of its bucket occurs. The program verifies
that each key has reached its PE, that none was lost or arrived twice, and that the counts are right.";

/// Sort the integers of all PEs into buckets
#[derive(Parser)]
#[command(name = "isort", version, after_help = EXAMPLES, term_width = 120)]
struct Args {
    /// Number of keys on each PE [default: 33554432 on a GPU, 1048576 in host memory, 65536 on the emulated GPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..1 << 30))]
    keys: Option<u32>,
    /// Draw keys below 2^N [default: 28 on a GPU, else 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=31))]
    log2_range: Option<u32>,
    /// Who sorts: kernels in GPU memory, or CPUs in host memory [default: both in turn]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The seconds of each step of a pass.
struct Times {
    /// Sorting by bucket; `None` if the same kernel sends, too.
    bucket: Option<f64>,
    exchange: f64,
    count: f64,
}

impl Times {
    fn all(&self) -> f64 {
        self.bucket.unwrap_or(0.0) + self.exchange + self.count
    }
}

/// Where keys arrive. Symmetric.
struct Inbox<'a> {
    keys: SymSlice<'a, u32>,
    /// How many keys have arrived.
    cursor: SymSlice<'a, u32>,
    /// The bucket of PE `k` has the keys from `k * width` on.
    width: u32,
}

impl<'a> Inbox<'a> {
    fn received(&self) -> Result<SymSlice<'a, u32>> {
        let (n, room) = (self.cursor.to_vec()?[0] as usize, self.keys.len());
        ensure!(n <= room, "{n} keys arrived at a PE that has room for {room}");
        Ok(self.keys.slice(..n))
    }
}

fn main() -> ExitCode {
    run(parse, |shmem, args: &Args| ways(shmem, args.by)?.into_iter().try_for_each(|by| measure(shmem, args, by)))
}

fn measure(shmem: &Shmem, args: &Args, by: By) -> Result<()> {
    let (me, pes, small) = (shmem.my_pe(), shmem.n_pes(), is_emulated(shmem)?);
    let n = args.keys.unwrap_or(if by == By::Cpu { 1 << 20 } else { if small { 1 << 16 } else { 1 << 25 } });
    let log2_range = args.log2_range.unwrap_or(if by == By::Cpu || small { 20 } else { 28 });
    let keys: Vec<u32> =
        (0..n).map(|i| (mixed(u64::from(me) << 32 | u64::from(i)) >> (64 - log2_range)) as u32).collect();
    let width = (1u32 << log2_range).div_ceil(pes);
    // The expected number of keys for a PE, plus eight standard deviations.
    let mean = f64::from(n) * f64::from(pes) * f64::from(width) / f64::from(1u32 << log2_range);
    let room = (mean + 8.0 * mean.sqrt()) as usize + 8;
    ensure!(u32::try_from(room).is_ok(), "more than 2^32 keys could arrive at one PE");
    let (inbox, cursor) = match by {
        By::Gpu => (shmem.malloc_gpu(room)?, shmem.malloc_gpu(1)?),
        By::Cpu => (shmem.malloc(room)?, shmem.malloc(1)?),
    };
    let inbox = Inbox { keys: inbox, cursor, width };
    // The times of all passes, and how often each key of the bucket occurs after the last one.
    let (mut times, counts) = match by {
        By::Gpu => by_kernels(shmem, &keys, &inbox)?,
        By::Cpu => by_cpu(shmem, &keys, &inbox)?,
    };
    let received = inbox.received()?.to_vec()?;
    let sum = |keys: &[u32]| {
        let sum = keys.iter().fold(0, |sum: u64, &key| sum.wrapping_add(mixed(key.into())));
        combined(shmem, Reduction::Sum, sum)
    };
    let lost = total(shmem, keys.len())?.abs_diff(total(shmem, received.len())?);
    let same = sum(&keys)? == sum(&received)?;
    let wrong = total(shmem, wrong_keys(&received, me * width, &counts))? + lost + u64::from(!same);
    let &Times { bucket, exchange, count } = middle_by(&mut times, Times::all).context("no pass was timed")?;
    let seconds = bucket.unwrap_or(0.0) + exchange + count;
    let mkeys_s = f64::from(n) * f64::from(pes) / seconds / 1e6;
    let row = json!({
        "program": "isort", "by": by, "pes": pes, "keys_a_pe": n, "log2_range": log2_range, "seconds": seconds,
        "passes": PASSES, "bucket_s": bucket, "exchange_s": exchange, "count_s": count, "mkeys_s": mkeys_s, "wrong": wrong,
    });
    let of_that = match bucket {
        Some(bucket) => format!("buckets {} s and exchange {} s", figures(bucket), figures(exchange)),
        None => format!("buckets and exchange {} s", figures(exchange)),
    };
    let text = format!(
        "isort: {}, {}, {n} keys below 2^{log2_range} each, {} s, {of_that} of that: {} million keys/s",
        if by == By::Gpu { "kernels on GPU memory" } else { "CPUs on host memory" },
        n_pes(shmem),
        figures(seconds),
        figures(mkeys_s)
    );
    shmem.free(inbox.keys)?;
    shmem.free(inbox.cursor)?;
    tell(shmem, args.json, &text, row, wrong == 0)
}

/// Sorts by bucket, sends each PE its bucket in one put, and counts the keys received.
fn by_cpu(shmem: &Shmem, keys: &[u32], inbox: &Inbox<'_>) -> Result<(Vec<Times>, Vec<u32>)> {
    let (pes, me) = (shmem.n_pes(), shmem.my_pe());
    let mut counts = vec![0; inbox.width as usize];
    let mut buckets = vec![vec![]; pes as usize];
    let times = passes(|| {
        inbox.cursor.copy_from(&[0])?;
        counts.fill(0);
        buckets.iter_mut().for_each(Vec::clear);
        let bucket = seconds(shmem, || {
            keys.iter().for_each(|key| buckets[(key / inbox.width) as usize].push(*key));
            Ok(())
        })?;
        let exchange = seconds(shmem, || {
            for pe in (0..pes).map(|k| (me + k) % pes) {
                let bucket = &buckets[pe as usize];
                let at = shmem.fetch_add(inbox.cursor.at(0), bucket.len() as u32, pe)? as usize;
                ensure!(at + bucket.len() <= inbox.keys.len(), "the inbox of PE {pe} is full");
                shmem.put(inbox.keys.slice(at..at + bucket.len()), bucket, pe)?;
            }
            Ok(shmem.barrier_all()?)
        })?;
        let count = seconds(shmem, || {
            inbox.received()?.to_vec()?.iter().for_each(|key| counts[(key - me * inbox.width) as usize] += 1);
            Ok(())
        })?;
        Ok(Times { bucket: Some(bucket), exchange, count })
    })?;
    Ok((times, counts))
}

/// Sorts, sends and counts with kernels. One kernel sorts by bucket and sends.
fn by_kernels(shmem: &Shmem, keys: &[u32], inbox: &Inbox<'_>) -> Result<(Vec<Times>, Vec<u32>)> {
    let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
    let (source, outbox) = (shmem.device_alloc(keys.len())?, shmem.device_alloc::<u32>(keys.len())?);
    source.copy_from(keys)?;
    let counts = shmem.malloc_gpu(inbox.width as usize)?;
    let grid = Grid::linear(module.max_resident_blocks(kernels::isort_send, 256)?, 256);
    let (n, width, room, to) = (keys.len(), inbox.width, inbox.keys.len() as u32, inbox.keys.device_ptr());
    let times = passes(|| {
        inbox.cursor.copy_from(&[0])?;
        counts.copy_from(&vec![0; counts.len()])?;
        let exchange = seconds(shmem, || {
            let arguments = (source.device_ptr(), n, width, outbox.device_ptr(), to, room, inbox.cursor.device_ptr());
            // SAFETY: the outbox has an element for each key; inbox and cursor are symmetric, and the inbox has room
            // for `room` keys.
            unsafe { stream.launch(&module, kernels::isort_send, grid, arguments)? };
            stream.synchronize()?;
            Ok(shmem.barrier_all()?)
        })?;
        let received = inbox.received()?.len();
        let count = seconds(shmem, || {
            let arguments = (to, received, shmem.my_pe() * width, counts.device_ptr());
            // SAFETY: only keys of this PE's bucket arrive here, and there is a word for each.
            unsafe { stream.launch(&module, kernels::isort_count, grid, arguments)? };
            Ok(stream.synchronize()?)
        })?;
        Ok(Times { bucket: None, exchange, count })
    })?;
    let found = counts.to_vec()?;
    shmem.free(counts)?;
    Ok((times, found))
}

/// Runs passes over the same keys; the first is not timed. [`seconds`] starts with a barrier, so no PE sends to a PE
/// that has not reset its cursor since the last pass.
fn passes(mut pass: impl FnMut() -> Result<Times>) -> Result<Vec<Times>> {
    pass()?;
    (0..PASSES).map(|_| pass()).collect()
}

/// How many keys are not in this bucket, or are not counted as often as they occur.
fn wrong_keys(received: &[u32], first: u32, counts: &[u32]) -> usize {
    let (mut left, mut wrong) = (counts.to_vec(), 0);
    for key in received {
        match key.checked_sub(first).and_then(|key| left.get_mut(key as usize)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => wrong += 1,
        }
    }
    wrong + left.iter().map(|&count| count as usize).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a verification that misses keys of other buckets, or counts that do not match the keys.
    #[test]
    fn wrong_keys_are_found() {
        let counts = [2, 0, 1];
        assert_eq!(wrong_keys(&[12, 10, 10], 10, &counts), 0);
        assert_eq!(wrong_keys(&[12, 10, 9], 10, &counts), 2);
        assert_eq!(wrong_keys(&[12, 10, 13], 10, &counts), 2);
        assert_eq!(wrong_keys(&[12, 10], 10, &counts), 1);
        assert_eq!(wrong_keys(&[12, 10, 10, 10], 10, &counts), 1);
        assert_eq!(wrong_keys(&[], 10, &[0, 0]), 0);
    }
}
