//! `cargo xtask compare` with a script that prints a row of lbm for each job.

use crate::{Folder, expect};
use std::path::Path;

const JOB: &str = r#"echo job >>jobs
case "$*" in *--hash*) hash='"a"' ;; *) hash=null ;; esac
case "$*" in *BAD\ *) hash='"b"' ;; esac
mode=$(echo "$*" | sed 's/.*--mode \([a-z]*\).*/\1/')
echo "{\"mode\":\"$mode\",\"pes\":1,\"type\":\"f32\",\"gpu\":\"a GPU\",\"cells\":512,\"iteration_us\":10,\"hash\":$hash}""#;

/// Compares the modes of lbm on one PE. The mode `bad` has a different result. `words` are the last words of the shell
/// command.
fn compare(folder: &Folder, bad: &str, words: &str) -> (xtask::process::Ended, String) {
    folder.script("bin/shmemrun", &JOB.replace("BAD", bad));
    folder.script("bin/lbm", "");
    folder.write("bin/commit.txt", "c0ffee\n");
    let xtask = xtask::launch::word(Path::new(env!("CARGO_BIN_EXE_xtask")));
    let line = format!("{xtask} compare --bin-dir bin --backend soft --only lbm --pes 1 {words}");
    folder.run(Path::new("sh"), &["-c", &line])
}

/// The content of a file, or nothing if it does not exist.
fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.0.join(name)).unwrap_or_default()
}

/// Catches a wrong result that is not reported, and a table that lacks the rounds or the commit.
#[test]
fn results_that_differ_are_called_wrong() {
    let folder = Folder::new("compare-right");
    expect(compare(&folder, "none", ""), true, &["compare.md and no picture"]);
    let table = read(&folder, "compare.md");
    for part in ["a GPU, cells of f32, commit c0ffee;", "| lbm | weak | 1 | 8³ | fused * | 10.00 µs | 0.0 % | 6 | "] {
        assert!(table.contains(part), "`{part}` is not in\n{table}");
    }
    let folder = Folder::new("compare-wrong");
    expect(compare(&folder, "fused", ""), false, &["a result is wrong"]);
    let table = read(&folder, "compare.md");
    assert!(table.contains("| fused WRONG | ") && table.matches(" WRONG | ").count() == 1, "{table}");
}

/// Catches jobs that run for minutes although their results cannot be written.
#[test]
fn a_place_that_is_not_there_is_told_before_the_first_job() {
    for option in ["--table", "--figure", "--rows"] {
        let folder = Folder::new("compare-no-place");
        let ended = compare(&folder, "none", &format!("{option} /no/such/file.svg"));
        expect(ended, false, &["write /no/such/file.svg: No such file"]);
        assert_eq!(read(&folder, "jobs"), "");
    }
    let folder = Folder::new("compare-no-picture");
    expect(
        compare(&folder, "none", "--figure compare.jpg"),
        false,
        &["the name of a picture ends in .svg, .png or .html"],
    );
    assert_eq!(read(&folder, "jobs"), "");
}

/// Catches results that are lost when the lines about them cannot be printed.
#[test]
fn what_was_measured_stays_when_stdout_is_full() {
    let folder = Folder::new("compare-full");
    expect(compare(&folder, "none", "--rows rows.jsonl >/dev/full"), false, &["write to stdout: No space left"]);
    assert!(read(&folder, "compare.md").contains("| staged * | 10.00 µs |"));
    assert_eq!(read(&folder, "rows.jsonl").lines().count(), 1);
}
