//! The examples run on every kind of GPU that this machine has, and compute what they say.

use cushmem_examples_tests::lines_of;
use xtask::kernels::gpus_for;
use xtask::left_out::record;

/// What the previous PE sent, for each PE, and the count.
fn expected_of_host_ring(n: u32) -> Vec<String> {
    let line = |me: u32| {
        let previous = (me + n - 1) % n;
        format!("PE {me} of {n}: PE {previous} sent {:?}", [0, 1, 2, 3].map(|i| 10 * previous + i))
    };
    let mut lines: Vec<String> = (0..n).map(line).chain([format!("PE 0 counted {n} PEs")]).collect();
    lines.sort();
    lines
}

/// Twice the sum of 0 + 1 + … + 999 and of a thousand times the previous PE's number.
fn sum(previous: u32) -> u32 {
    2 * (499_500 + 1000 * previous)
}

fn expect_kernel_ring(gpu: &str) {
    for n in [2, 4] {
        let lines = lines_of("kernel-ring", n, gpu);
        assert_eq!(lines.len(), n as usize, "{lines:#?}");
        for (me, line) in (0..n).zip(&lines) {
            let (start, end) = (format!("PE {me} of {n} on "), format!(": sum {}", sum((me + n - 1) % n)));
            assert!(line.starts_with(&start) && line.ends_with(&end), "`{line}` is not `{start}…{end}`");
        }
    }
}

#[test]
fn host_ring_without_gpu() {
    for n in [2, 4] {
        assert_eq!(lines_of("host-ring", n, "none"), expected_of_host_ring(n));
    }
}

#[test]
fn host_ring_on_soft() {
    for n in [2, 4] {
        assert_eq!(lines_of("host-ring", n, "soft"), expected_of_host_ring(n));
    }
}

#[test]
fn kernel_ring_on_soft() {
    expect_kernel_ring("soft");
}

/// Also with more PEs than GPUs: each kernel waits for another one, so the GPU has to take turns between processes.
#[test]
fn both_on_cuda() {
    if let Err(reason) = gpus_for(&["cushmem-examples-kernels"]) {
        return record("examples::both_on_cuda", &reason);
    }
    for n in [2, 4] {
        assert_eq!(lines_of("host-ring", n, "cuda"), expected_of_host_ring(n));
    }
    expect_kernel_ring("cuda");
}
