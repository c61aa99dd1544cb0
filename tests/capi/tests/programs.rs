//! The examples compile without a warning in several modes of the languages, run, and print what they should.

use cushmem_capi_tests::{Finished, Link, Rig};

const RING: &str = include_str!("../../../apps/examples/c/ring.c");

fn expect(job: &Finished, lines: &[String]) {
    let mut lines = lines.to_vec();
    lines.sort();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

fn of_ring(n: u32) -> Vec<String> {
    let line = |me: u32| {
        let p = (me + n - 1) % n;
        format!("PE {me} of {n}: PE {p} sent {} {} {} {}", 10 * p, 10 * p + 1, 10 * p + 2, 10 * p + 3)
    };
    (0..n).map(line).chain([format!("PE 0 counted {n} PEs")]).collect()
}

#[test]
fn ring_with_both_libraries() {
    let Some(rig) = Rig::find("capi::ring_with_both_libraries") else { return };
    for link in [Link::Shared, Link::Static] {
        let program = rig.compile("ring.c", RING, link, &["-std=c99"]);
        for gpu in ["none", "soft"] {
            for n in [1, 2, 4] {
                expect(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", gpu)]), &of_ring(n));
            }
        }
    }
}
