//! Checks that the suite finds mistakes: its programs run with routines that make one mistake each.

use cushmem_capi_tests::{Library, Rig};
use cushmem_spec_tests::rig;

/// A program and the mistakes that it has to find, as `wrong.c` names them.
const MISTAKES: [(&str, &str, &[&str]); 15] = [
    ("9.01-setup", include_str!("../../c/9.01-setup.c"), &["any PE"]),
    ("9.02-threads", include_str!("../../c/9.02-threads.c"), &["for one thread", "puts of other threads"]),
    ("9.03-memory", include_str!("../../c/9.03-memory.c"), &["not cleared", "contents lost"]),
    ("9.04-teams", include_str!("../../c/9.04-teams.c"), &["reversed", "no sync", "no mask"]),
    (
        "9.05-contexts",
        include_str!("../../c/9.05-contexts.c"),
        &["numbers of the world", "handle kept", "context kept", "contexts stay", "no default team"],
    ),
    (
        "9.06-rma",
        include_str!("../../c/9.06-rma.c"),
        &["one too few", "from the next PE", "whole words", "strides swapped"],
    ),
    ("9.07-atomics", include_str!("../../c/9.07-atomics.c"), &["the new value"]),
    ("9.08-signals", include_str!("../../c/9.08-signals.c"), &["always set", "signal first"]),
    ("9.10-sync", include_str!("../../c/9.10-sync.c"), &["no sync", "no barrier"]),
    ("9.10-moves", include_str!("../../c/9.10-moves.c"), &["not to the root", "equal lengths"]),
    ("9.10-reductions", include_str!("../../c/9.10-reductions.c"), &["signed", "inclusive", "one of none"]),
    ("9.10-active-sets", include_str!("../../c/9.10-active-sets.c"), &["to the root too"]),
    ("9.11-wait", include_str!("../../c/9.11-wait.c"), &["mask ignored", "always the first", "false of nothing"]),
    (
        "9.12-order",
        include_str!("../../c/9.12-order.c"),
        &["gets wait for quiet", "atomics wait for quiet", "signals wait for quiet"],
    ),
    ("9.13-locks", include_str!("../../c/9.13-locks.c"), &["no lock", "puts wait for quiet"]),
];

/// Catches a check that holds whatever the library does.
#[test]
fn each_mistake_is_found() {
    let Some(rig) = rig("each_mistake_is_found") else { return };
    let mut missed = vec![];
    for (name, source, mistakes) in MISTAKES {
        rig.file(&format!("{name}.c"), source);
        let program = format!("-DPROGRAM=\"{name}.c\"");
        let options = ["-std=c99", "-Wno-deprecated-declarations", &program];
        let program = rig.compile("wrong.c", include_str!("../../c/wrong.c"), Library::Shared, &options);
        for mistake in mistakes {
            let job = rig.run(&program, 3, &[], &[("CUSHMEM_GPU", "none"), ("WRONG", mistake)]);
            // `check.h` prints this line when the first failed check ends the job.
            if job.status != Some(1) || !job.lines.iter().any(|l| l.contains(" of 3: ")) {
                missed.push(format!("{name}: {mistake}: {job:#?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Catches a suite that leaves itself out where others run: all its clauses would pass. `tests/capi` shows that its own
/// programs run.
#[test]
fn the_suite_has_a_rig_where_others_have() {
    let test = "the_suite_has_a_rig_where_others_have";
    assert_eq!(rig(test).is_some(), Rig::find(&format!("capi::{test}")).is_some());
}
