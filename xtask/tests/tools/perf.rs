//! `cargo xtask perf check`.

use crate::{Folder, expect};

const TARGETS: &str = r#"
[[target]]
group = "host"
metric = "put"
pes = [2]
better = "lower"
bounds = { absolute = 10 }
"#;

fn measured(test: &str, row: &str) -> Folder {
    let folder = Folder::workspace(test, "");
    folder.write("docs/perf/targets.toml", TARGETS);
    folder.write("rows", &format!("{{{row}}}\n"));
    folder
}

fn put(value: u32) -> String {
    format!(r#""impl":"cushmem","pes":2,"metric":"put","value":{value},"unit":"ns""#)
}

#[test]
fn a_target_that_is_met_passes() {
    let folder = measured("perf-met", &put(10));
    expect(folder.xtask(&["perf", "check", "rows"]), true, &["≤ 10 ns", " ok\n1 passed, 0 failed"]);
}

/// Catches a check that prints the missed target but succeeds.
#[test]
fn a_missed_target_fails() {
    let folder = measured("perf-missed", &put(11));
    let texts = ["MISSED\n0 passed, 1 failed", "1 of 1 targets are not met"];
    expect(folder.xtask(&["perf", "check", "rows"]), false, &texts);
}

#[test]
fn a_target_without_a_row_fails() {
    let folder = measured("perf-missing", "");
    expect(folder.xtask(&["perf", "check", "rows"]), false, &["MISSING\n0 passed, 1 failed"]);
}

/// Catches a misspelt group, with which nothing would be checked.
#[test]
fn a_filter_that_takes_no_target_fails() {
    let folder = measured("perf-filter", &put(10));
    expect(folder.xtask(&["perf", "check", "rows", "--only", "hots"]), false, &["no target is in a group"]);
    expect(folder.xtask(&["perf", "check", "rows", "--pes", "3"]), false, &["no target for 3 PEs"]);
}
