//! The table of `docs/one-sided.md`, made from the results of jobs.

use crate::data::{Class, Gpus, Job, Kind, Matrix};
use crate::one_sided::{WINDOWS, is_tried};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The result of a job: by window and cell, whether the cell was complete before the window ended.
pub type Shown = BTreeMap<(String, String), bool>;

/// Identifies the cells and rules from which a page was made: a page is out of date if they have changed.
pub fn version(matrix: &Matrix) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for job in matrix.jobs(Gpus::Soft).filter(|job| job.one_sided) {
        for cell in matrix.cells(job).iter().filter(|cell| is_tried(cell.op, cell.when)) {
            let waits = WINDOWS.map(|window| matrix.wait(job, Gpus::Soft, window, cell).map(|(_, rule)| &rule.rule));
            let is_refused = matrix.refusal(job, Gpus::Soft, cell).is_some();
            let line = format!("{} {cell} {is_refused} {waits:?}", job.about);
            hash = line.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        }
    }
    format!("{hash:016x} of cushmem {}", env!("CARGO_PKG_VERSION"))
}

const HEAD: &str = "\
# One-sided operations while the target is busy or stopped

Operations on another PE's memory are one-sided: the target calls nothing, and none of its code has to run. This page
shows how far that holds. In three windows of {seconds} seconds each, another PE tried every operation of
[the matrix](../tests/matrix/matrix.toml) that a CPU issues and that is not refused, from every kind of memory. In each
window, the target is in a different state:

* **computes**: its threads compute and call nothing of the library;
* **is stopped**: SIGSTOP has stopped its process, including all threads of the library;
* **has its GPU full**: a kernel occupies every multiprocessor of its GPU, and its CPU computes. An emulated GPU then
  runs no other kernel.

`yes (N)` means that all N combinations of operation, completion and memory at the initiator were complete and visible
before the window ended. The others were complete only after the target went on; the number in brackets refers to the
reason at the end of this page. Afterwards, all data was correct. The same rules hold for NVIDIA GPUs;
[testing.md](testing.md) says what ran on them.

`cargo xtask matrix -- --one-sided --write-docs docs/one-sided.md` generates this page from what it observes, on the
machine where it runs.
";

/// The page.
pub fn page<'a>(matrix: &'a Matrix, jobs: &[(&Job, Gpus, Shown)], seconds: u64) -> String {
    let mut page = HEAD.replace("{seconds}", &seconds.to_string());
    let mut notes: Vec<&'a str> = Vec::new();
    for (job, gpus, shown) in jobs {
        let kind = if *gpus == Gpus::Soft { "emulated GPUs" } else { "NVIDIA GPUs" };
        let _ = writeln!(
            page,
            "\n## {}, {kind}\n\n| target memory | operation | {} |\n|---|---|---|---|---|",
            job.about,
            WINDOWS.join(" | ")
        );
        let mut rows: BTreeSet<(Kind, Class)> = BTreeSet::new();
        let cells = matrix.cells(job);
        let tried = |window: &str, cell: &str| shown.get(&(window.to_owned(), cell.to_owned())).copied();
        rows.extend(
            cells.iter().filter(|c| tried(WINDOWS[0], &c.to_string()).is_some()).map(|c| (c.target, c.op.class())),
        );
        for (target, class) in rows {
            let of_row: Vec<_> = cells.iter().filter(|c| c.target == target && c.op.class() == class).collect();
            let column = |window: &str, notes: &mut Vec<&'a str>| {
                let seen = of_row.iter().filter_map(|cell| Some((*cell, tried(window, &cell.to_string())?)));
                let (good, late): (Vec<_>, Vec<_>) = seen.partition(|(_, in_time)| *in_time);
                let mut reasons = BTreeMap::new();
                for (cell, _) in &late {
                    let rule = matrix
                        .wait(job, *gpus, window, cell)
                        .map_or("it should not have waited", |(_, rule)| &*rule.rule);
                    let (ops, sources): &mut (BTreeSet<_>, BTreeSet<_>) = reasons.entry(rule).or_default();
                    ops.insert(cell.op);
                    sources.insert(cell.source);
                }
                let texts = reasons.into_iter().map(|(rule, (ops, sources))| {
                    let number = notes.iter().position(|note| *note == rule).unwrap_or_else(|| {
                        notes.push(rule);
                        notes.len() - 1
                    });
                    let whose = match () {
                        () if good.is_empty() => "all".to_owned(),
                        () if !good.iter().any(|(cell, _)| sources.contains(&cell.source)) => {
                            format!("from or to {}", list(&sources))
                        }
                        () if !good.iter().any(|(cell, _)| ops.contains(&cell.op)) => list(&ops),
                        () => format!("{} from or to {}", list(&ops), list(&sources)),
                    };
                    format!("{whose}: waits [{}]", number + 1)
                });
                let mut parts: Vec<String> = texts.collect();
                if !good.is_empty() {
                    parts.insert(0, format!("yes ({})", good.len()));
                }
                parts.join("; ")
            };
            let columns: Vec<String> = WINDOWS.iter().map(|window| column(window, &mut notes)).collect();
            let _ = writeln!(page, "| {target} | {class} | {} |", columns.join(" | "));
        }
    }
    for (number, note) in notes.iter().enumerate() {
        let _ = write!(page, "{}[{}] {note}.", if number == 0 { "\n" } else { "\\\n" }, number + 1);
    }
    let _ = writeln!(page, "\n\nMade from data {}.", version(matrix));
    page
}

fn list<T: std::fmt::Display>(values: &BTreeSet<T>) -> String {
    values.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    /// Catches a page that was made from other rules or another version.
    #[test]
    fn the_page_is_of_this_version() {
        let page = include_str!("../../../docs/one-sided.md");
        let made = format!("Made from data {}.", super::version(&super::Matrix::load().expect("the data")));
        let remedy = "cargo xtask matrix -- --one-sided --write-docs docs/one-sided.md";
        assert!(page.trim_end().ends_with(&made), "docs/one-sided.md is old: `{remedy}` makes it");
    }
}
