//! The list of tests that were left out and of those that ran.

use crate::{Folder, expect};
use std::process::Command;
use xtask::left_out::{VARIABLE, ran, record};

/// Catches lines that do not reach the list, and a subcommand that accepts any list.
#[test]
fn lines_of_tests_come_to_the_list() {
    const MARK: &str = "XTASK_TEST_WRITES";
    if std::env::var_os(MARK).is_some() {
        record("a test", "it is Monday");
        ran("jobs");
        return;
    }
    let folder = Folder::new("list");
    let list = folder.0.join("list");
    let mut writer = Command::new(std::env::current_exe().expect("a test knows its own path"));
    writer.args(["--exact", "left_out::lines_of_tests_come_to_the_list"]).env(MARK, "1").env(VARIABLE, &list);
    assert!(writer.output().expect("a test starts").status.success());
    assert_eq!(std::fs::read_to_string(&list).expect("a list"), "a test: it is Monday\nran: jobs\n");
    let texts = ["left out, but this machine has what it needs: a test: it is Monday", "ran: 1 jobs", "1 left out"];
    expect(folder.xtask(&["left-out", "list"]), false, &texts);
}

/// Catches a run of all suites in which a suite, or the recording in the list, did nothing.
#[test]
fn suites_without_a_job_fail() {
    let folder = Folder::new("nothing-ran");
    folder.write("list", "");
    expect(folder.xtask(&["left-out", "list"]), true, &["left out: nothing"]);
    let texts = ["not one of these ran", "conformance jobs on Host", "conformance jobs on Soft"];
    expect(folder.xtask(&["left-out", "--all", "list"]), false, &texts);
}
