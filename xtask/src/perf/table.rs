//! `cargo xtask perf table`: the page that shows the newest run of each machine.

use super::load_targets;
use super::rows::{Case, Rows};
use super::targets::Targets;
use super::verdict::{Filter, Line, judge, number, sum};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Performance

<!-- Written by `cargo xtask perf table`; do not edit. Remarks belong into notes.md. -->

The newest run of each machine in this folder, against the targets in [targets.toml](targets.toml), which says what the references are.
Latencies of ping-pongs are one way, 1 GB is 1e9 bytes. Figures of one run stand in one file of JSON lines: `cargo xtask perf check FILE`
prints the same verdicts, `cargo xtask perf peers` measures the host part on your machine.
";

/// Writes the page, or compares.
pub fn table(folder: &Path, check: bool) -> Result<()> {
    let path = folder.join("README.md");
    let page = page(folder)?;
    if check {
        let there = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        if there != page {
            bail!("{} is not what the files say: cargo xtask perf table", path.display());
        }
        return Ok(());
    }
    fs::write(&path, page).with_context(|| format!("write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// The page for what is in the folder.
pub fn page(folder: &Path) -> Result<String> {
    let targets = load_targets(folder)?;
    let mut page = HEAD.to_owned();
    if folder.join("notes.md").exists() {
        page += "\n[Notes](notes.md) say what was tried and what stands behind some figures.\n";
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))? {
        names.extend(entry?.file_name().into_string().ok().filter(|n| n.ends_with(".jsonl")));
    }
    for (machine, name) in newest(&names) {
        let text = fs::read_to_string(folder.join(name)).with_context(|| format!("read {name}"))?;
        let mut rows = Rows::default();
        rows.read(&text).with_context(|| format!("read {name}"))?;
        section(&mut page, machine, name, &rows, &targets)?;
    }
    Ok(page)
}

/// For each machine, the file with the latest date: names are `<year>-<month>-<day>-<machine>.jsonl`.
fn newest(names: &[String]) -> BTreeMap<&str, &str> {
    let mut newest = BTreeMap::new();
    for name in names {
        let stem = name.trim_end_matches(".jsonl");
        let machine = stem.splitn(4, '-').nth(3).unwrap_or(stem);
        let of_machine = newest.entry(machine).or_insert(name.as_str());
        *of_machine = name.as_str().max(of_machine);
    }
    newest
}

fn section(page: &mut String, machine: &str, name: &str, rows: &Rows, targets: &Targets) -> Result<()> {
    writeln!(page, "\n## {machine}\n\n[{name}]({name})")?;
    for (key, value) in &rows.header {
        writeln!(page, "· {key} {value}")?;
    }
    let mut groups: Vec<&str> = targets.target.iter().map(|t| t.group.as_str()).collect();
    groups.dedup();
    let mut elsewhere = Vec::new();
    for group in groups {
        let lines: Vec<Line> = judge(targets, rows, &Filter::groups(&[group]));
        if lines.iter().all(|l| l.value.is_none()) {
            elsewhere.push(format!("{group} ({} targets)", lines.len()));
            continue;
        }
        let (passed, failed) = sum(&lines);
        writeln!(page, "\n### {group}: {passed} passed, {failed} failed\n")?;
        writeln!(page, "| metric | case | PEs | by | value | reference | ratio | target | |")?;
        writeln!(page, "|---|---|--:|---|--:|--:|--:|---|---|")?;
        for l in &lines {
            let ratio = l.ratio().map_or("–".into(), |r| format!("{r:.2}"));
            let verdict = if l.is_met() { "ok".into() } else { format!("**{}**", l.verdict()) };
            let (value, reference) = (number(l.value), number(l.reference));
            let (metric, case) = (&l.case.metric, keys(&l.case));
            writeln!(
                page,
                "| {metric} | {case} | {} | {} | {value} {} | {reference} | {ratio} | {} | {verdict} |",
                l.case.pes,
                l.implementation,
                l.unit,
                l.demand()
            )?;
        }
    }
    if !elsewhere.is_empty() {
        writeln!(page, "\nNot measured here, so not met: {}.", elsewhere.join(", "))?;
    }
    writeln!(page, "\n### Everything measured\n")?;
    page.push_str(&pivot(rows, "|"));
    Ok(())
}

/// A row a case, a column an implementation; `edge` is `|` for Markdown.
pub fn pivot(rows: &Rows, edge: &str) -> String {
    let names = rows.implementations();
    let mut text = String::new();
    let mut line = |first: String, cells: Vec<String>| {
        let cells: String = cells.iter().map(|c| format!(" {edge} {c:>10}")).collect();
        text += format!("{edge} {first}{cells} {edge}").trim();
        text.push('\n');
    };
    line(format!("{:<62} {edge} PEs {edge} unit ", "case"), names.clone());
    if edge == "|" {
        line(format!("{:-<62} | --: | ---- ", ""), names.iter().map(|_| "--:".into()).collect());
    }
    for case in rows.cases() {
        let cells = names.iter().map(|name| number(rows.get(name, case))).collect();
        let head = format!("{} {}", case.metric, keys(case));
        line(format!("{head:<62} {edge} {:>3} {edge} {:<5}", case.pes, rows.unit(case)), cells);
    }
    text
}

fn keys(case: &Case) -> String {
    case.keys.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_file_of_each_machine_counts() {
        let names = ["2026-01-02-h200x4.jsonl", "2026-02-01-h200x4.jsonl", "2026-01-09-a-b.jsonl"].map(String::from);
        assert_eq!(newest(&names), [("a-b", "2026-01-09-a-b.jsonl"), ("h200x4", "2026-02-01-h200x4.jsonl")].into());
    }

    #[test]
    fn missed_targets_stay_visible() {
        let targets = "[[target]]\ngroup='host'\nmetric='m'\npes=[2,3]\nbetter='lower'\nbounds={absolute=1}\n\
                       [[target]]\ngroup='device'\nmetric='d'\npes=[2]\nbetter='lower'\nbounds={absolute=1}\n";
        let mut rows = Rows::default();
        rows.read(
            "{\"commit\":\"c0ffee\"}\n{\"impl\":\"cushmem\",\"pes\":2,\"metric\":\"m\",\"value\":2,\"unit\":\"ns\"}",
        )
        .unwrap();
        let mut page = String::new();
        section(&mut page, "box", "f.jsonl", &rows, &Targets::parse(targets).unwrap()).unwrap();
        assert!(page.contains("· commit c0ffee\n") && page.contains("### host: 0 passed, 2 failed"), "{page}");
        assert!(page.contains("| m |  | 2 | cushmem | 2.000 ns | – | – | ≤ 1 ns | **MISSED** |"), "{page}");
        assert!(page.contains("**MISSING**") && page.contains("so not met: device (1 targets)"), "{page}");
    }

    /// A run was added, or a target changed, without writing the page anew.
    #[test]
    fn the_committed_page_is_what_the_files_say() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/perf");
        if folder.exists() {
            table(&folder, true).unwrap();
        }
    }
}
