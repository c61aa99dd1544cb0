//! Pending operations of C programs are complete where the specification says so.

use cushmem_capi_tests::{Library, Rig};

const PENDING: &str = include_str!("pending.c");

/// Catches a routine that lets another PE go on before copies to its GPU memory are complete.
#[test]
fn puts_are_complete_where_the_specification_says_so() {
    let Some(rig) = Rig::find("capi::puts_are_complete_where_the_specification_says_so") else { return };
    let program = rig.compile("pending.c", PENDING, Library::Shared, &["-std=c99"]);
    let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "soft")]);
    assert_eq!((job.status, job.lines.concat()), (Some(0), "PE 0: 0 wrongPE 1: 0 wrong".to_owned()), "{job:#?}");
}
