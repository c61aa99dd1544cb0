//! The table at the end of a job.

use crate::counts::{Count, Waited};
use crate::names::{Cause, Extra, Operation, Way};
use crate::read::Record;
use std::fmt::Write;

/// The columns of waits.
const LIMITS: [&str; 8] = ["<1 us", "<10 us", "<100 us", "<1 ms", "<10 ms", "<100 ms", "<1 s", "more"];

/// How many rows there are at most of what PEs have done on each other.
const MOST_PAIRS: usize = 8;

/// The largest and the smallest value, each with its PE.
#[derive(Clone, Copy)]
struct Spread {
    least: (u64, u32),
    most: (u64, u32),
}

impl Spread {
    fn of(values: impl Iterator<Item = (u32, u64)>) -> Option<Self> {
        values.fold(None, |spread: Option<Self>, (pe, value)| {
            let one = (value, pe);
            Some(spread.map_or(Self { least: one, most: one }, |spread| Self {
                least: if value < spread.least.0 { one } else { spread.least },
                most: if value > spread.most.0 { one } else { spread.most },
            }))
        })
    }
}

/// What all PEs have done, for people. Each record comes with the number of its PE. If the job `has_ended`, the table
/// also names PEs that ended before they left it.
pub fn table(records: &[(u32, Record)], has_ended: bool) -> String {
    let mut text = String::new();
    let n = records.len();
    let _ = writeln!(text, "operations of {n} PE{}, summed; the time is that of the calling threads", plural(n));
    operations(&mut text, records);
    waits(&mut text, records);
    extras(&mut text, records);
    traffic(&mut text, records);
    pairs(&mut text, records);
    if !has_ended {
        return text;
    }
    let absent: Vec<u32> = missing(records, |record| record.begun().is_none());
    if !absent.is_empty() {
        let _ = writeln!(text, "\n{} did not join the job and counted nothing", pes(&absent));
    }
    let early: Vec<u32> = missing(records, |record| record.begun().is_some() && record.ended().is_none());
    if !early.is_empty() {
        let _ = writeln!(text, "\n{} did not leave the job: what they did is counted up to their end", pes(&early));
    }
    text
}

fn missing(records: &[(u32, Record)], is_it: impl Fn(&Record) -> bool) -> Vec<u32> {
    records.iter().filter(|(_, record)| is_it(record)).map(|(pe, _)| *pe).collect()
}

fn operations(text: &mut String, records: &[(u32, Record)]) {
    // The launcher does this for running jobs of many PEs, so it looks at each cell once.
    let mut sums = [[Count::default(); Way::ALL.len()]; Operation::ALL.len()];
    for (operation, way, count) in records.iter().flat_map(|(_, record)| record.counts()) {
        let sum = &mut sums[operation as usize][way as usize];
        *sum = sum.plus(count);
    }
    let all = Operation::ALL.iter().flat_map(|operation| Way::ALL.iter().map(|way| (*operation, *way)));
    let sums = all.map(|(operation, way)| (operation, way, sums[operation as usize][way as usize]));
    let mut rows = sums.filter(|(.., sum)| sum.operations > 0);
    let Some(first) = rows.next() else {
        text.push_str("  none\n");
        return;
    };
    let _ = writeln!(
        text,
        "  {:<16} {:<20} {:>12} {:>11} {:>11} {:>11}",
        "operation", "path", "number", "bytes", "time", "each"
    );
    for (operation, way, count) in std::iter::once(first).chain(rows) {
        let _ = writeln!(text, "  {:<16} {:<20} {}", operation.name(), way.name(), numbers(count));
    }
}

/// The columns of operations.
fn numbers(Count { operations, bytes, ns }: Count) -> String {
    let bytes = if bytes > 0 { self::bytes(bytes) } else { "-".into() };
    let each = time(ns / operations.max(1));
    format!("{operations:>12} {bytes:>11} {:>11} {each:>11}", time(ns))
}

fn waits(text: &mut String, records: &[(u32, Record)]) {
    let of = |cause: Cause| -> Vec<(u32, Waited)> {
        let all = records.iter().flat_map(|(pe, record)| record.waits().map(|waited| (*pe, waited)));
        all.filter(|(_, (of, _))| *of == cause).map(|(pe, (_, waited))| (pe, waited)).collect()
    };
    let rows: Vec<_> = Cause::ALL.iter().map(|cause| (*cause, of(*cause))).filter(|(_, all)| !all.is_empty()).collect();
    if rows.is_empty() {
        return;
    }
    let _ = write!(text, "\nwaits that were not over at once\n  {:<10} {:>10} {:>11}", "for", "number", "time");
    LIMITS.iter().for_each(|limit| {
        let _ = write!(text, " {limit:>8}");
    });
    let _ = writeln!(text, "  longest");
    for (cause, all) in rows {
        let (number, ns) = all.iter().fold((0, 0), |(number, ns): (u64, u64), (_, waited)| {
            (number.saturating_add(waited.waits), ns.saturating_add(waited.ns))
        });
        let _ = write!(text, "  {:<10} {number:>10} {:>11}", cause.name(), time(ns));
        for bucket in 0..LIMITS.len() {
            let _ = write!(text, " {:>8}", sum(all.iter().map(|(_, waited)| waited.buckets[bucket])));
        }
        let longest = Spread::of(all.iter().map(|(pe, waited)| (*pe, waited.ns)));
        let longest = longest.map(|Spread { most: (ns, pe), .. }| format!("PE {pe}, {}", time(ns)));
        let _ = writeln!(text, "  {}", longest.unwrap_or_default());
    }
}

fn extras(text: &mut String, records: &[(u32, Record)]) {
    let sum = |extra: Extra| -> u64 {
        self::sum(records.iter().flat_map(|(_, record)| record.extras()).filter(|(of, _)| *of == extra).map(|(_, n)| n))
    };
    let all: Vec<_> = Extra::ALL.iter().map(|extra| (*extra, sum(*extra))).filter(|(_, n)| *n > 0).collect();
    for (title, are_retries) in [("proxies", false), ("tried again", true)] {
        let some = all.iter().filter(|(extra, _)| extra.is_retry() == are_retries);
        let some: Vec<_> = some.map(|(extra, n)| format!("{} ({n})", extra.name())).collect();
        if !some.is_empty() {
            let _ = writeln!(text, "\n{title}: {}", some.join(", "));
        }
    }
}

fn traffic(text: &mut String, records: &[(u32, Record)]) {
    let bytes_of = |record: &Record| sum(record.on_peers().map(|(.., count)| count.bytes));
    let Some(spread) = Spread::of(records.iter().map(|(pe, record)| (*pe, bytes_of(record)))) else { return };
    if spread.most.0 > 0 {
        let ((least, of_least), (most, of_most)) = (spread.least, spread.most);
        let _ = writeln!(text, "\nbytes by PE: {} (PE {of_least}) to {} (PE {of_most})", bytes(least), bytes(most));
    }
}

/// By whom, on whom, what, how, and how much.
type Row = (u32, u32, Operation, Way, Count);

/// What PEs have done on each other: the rows with the most bytes, and the sum of the others.
fn pairs(text: &mut String, records: &[(u32, Record)]) {
    // The largest ones so far, in order. There may be millions of rows.
    let mut largest: Vec<Row> = vec![];
    let (mut others, mut rest, mut left) = (0u64, Count::default(), 0u64);
    for (by, record) in records {
        left = left.saturating_add(record.left_out());
        for (on, operation, way, count) in record.on_peers() {
            // Of as many bytes, those that took longer.
            let at = largest.partition_point(|row| (row.4.bytes, row.4.ns) >= (count.bytes, count.ns));
            largest.insert(at, (*by, on, operation, way, count));
            if largest.len() > MOST_PAIRS
                && let Some((.., count)) = largest.pop()
            {
                (others, rest) = (others + 1, rest.plus(count));
            }
        }
    }
    if largest.is_empty() && left == 0 {
        return;
    }
    let _ = writeln!(
        text,
        "\nbetween PEs, the most bytes first\n  {:>7} {:>7} {:<16} {:<20} {:>12} {:>11} {:>11} {:>11}",
        "PE", "on PE", "operation", "path", "number", "bytes", "time", "each"
    );
    for (by, on, operation, way, count) in largest {
        let _ = writeln!(text, "  {by:>7} {on:>7} {:<16} {:<20} {}", operation.name(), way.name(), numbers(count));
    }
    if others > 0 {
        let what = format!("and {others} more row{}", plural(others as usize));
        let _ = writeln!(text, "  {what:<53} {}", numbers(rest));
    }
    if left > 0 {
        let _ = writeln!(text, "  not told apart, because there were too many kinds: {left} more");
    }
}

/// Those of a damaged record may be of any size.
fn sum(all: impl Iterator<Item = u64>) -> u64 {
    all.fold(0, u64::saturating_add)
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// The first of many PEs.
fn pes(all: &[u32]) -> String {
    let shown: Vec<_> = all.iter().take(8).map(u32::to_string).collect();
    let more = if all.len() > shown.len() { format!(" and {} more", all.len() - shown.len()) } else { String::new() };
    format!("PE{} {}{more}", plural(all.len()), shown.join(", "))
}

fn time(ns: u64) -> String {
    scaled(ns, &[(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")], "ns")
}

fn bytes(bytes: u64) -> String {
    scaled(bytes, &[(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")], "B")
}

fn scaled(value: u64, units: &[(u64, &str)], smallest: &str) -> String {
    let unit = units.iter().find(|(unit, _)| value >= *unit);
    unit.map_or_else(
        || format!("{value} {smallest}"),
        |(unit, name)| format!("{:.2} {name}", value as f64 / *unit as f64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::tests::{read, recorder};

    #[test]
    fn a_table_says_what_was_done() {
        let (first, first_words) = recorder(2, 0);
        let (second, second_words) = recorder(2, 0);
        first.begin(1, 1);
        first.operation((Operation::Put, Way::Nic), 1 << 20, (Some(1), None), (0, 2_000_000), 0);
        first.operation((Operation::Put, Way::Nic), 1 << 20, (Some(1), None), (0, 2_000_000), 0);
        first.wait(Cause::Network, None, (0, 1_500_000), 0);
        first.set(Extra::Staged, 3);
        first.count(Extra::NetworkLanes, 2);
        second.count(Extra::NetworkLanes, 3);
        second.count(Extra::Connections, 1);
        first.end(9);
        second.begin(2, 1);
        second.operation((Operation::Get, Way::Mapped), 8, (Some(0), None), (0, 50), 0);
        let text = table(&[(0, read(first_words)), (1, read(second_words))], true);
        let expected = "\
operations of 2 PEs, summed; the time is that of the calling threads
  operation        path                       number       bytes        time        each
  put              nic                             2    2.00 MiB     4.00 ms     2.00 ms
  get              mapped                          1         8 B       50 ns       50 ns

waits that were not over at once
  for            number        time    <1 us   <10 us  <100 us    <1 ms   <10 ms  <100 ms     <1 s     more  longest
  network             1     1.50 ms        0        0        0        0        1        0        0        0  PE 0, 1.50 ms

proxies: staged copies (3)

tried again: connections (1), posts to full network lanes (5)

bytes by PE: 8 B (PE 1) to 2.00 MiB (PE 0)

between PEs, the most bytes first
       PE   on PE operation        path                       number       bytes        time        each
        0       1 put              nic                             2    2.00 MiB     4.00 ms     2.00 ms
        1       0 get              mapped                          1         8 B       50 ns       50 ns

PE 1 did not leave the job: what they did is counted up to their end
";
        assert_eq!(text, expected);
        let running = table(&[(0, read(first_words)), (1, read(second_words))], false);
        assert!(text.starts_with(&running) && !running.contains("did not leave"), "{running}");
    }

    /// Catches a table that grows with the job, leaves out the pairs that matter, or loses the others.
    #[test]
    fn the_rows_with_the_most_bytes_are_shown_and_the_others_summed() {
        let (recorder, words) = recorder(8, 0);
        recorder.begin(1, 1);
        for pe in 0..40u32 {
            let bytes = u64::from(pe * 7 % 40) << 10;
            recorder.operation((Operation::Put, Way::Nic), bytes, (Some(pe), None), (0, 10), 0);
        }
        let text = table(&[(5, read(words))], false);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let by_pe_5: Vec<_> = rows.iter().filter(|row| row.first() == Some(&"5")).map(|row| row[1]).collect();
        // 17 · 7 is 39 modulo 40, 11 · 7 is 37, and so on. There are cells for 32 of them.
        assert_eq!(by_pe_5, ["17", "11", "28", "5", "22", "16", "10", "27"], "{text}");
        assert!(text.contains("\n  and 24 more rows   "), "{text}");
        let rest = ["24", "320.00", "KiB", "240", "ns", "10", "ns"];
        assert!(rows.iter().any(|row| row.ends_with(&rest)), "{text}");
        assert!(text.contains("\n  not told apart, because there were too many kinds: 8 more\n"), "{text}");
    }

    #[test]
    fn a_pe_that_did_nothing_is_named() {
        let (_, words) = recorder(1, 0);
        let text = table(&[(0, read(words))], true);
        assert!(text.contains("\n  none\n") && text.contains("PE 0 did not join the job"), "{text}");
        assert_eq!(pes(&(0..10).collect::<Vec<_>>()), "PEs 0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
