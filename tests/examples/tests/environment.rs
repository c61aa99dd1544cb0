//! A misspelt variable is reported once, by PE 0, and does no harm.

use cushmem_examples_tests::lines_with;

const MISSPELT: &str = "CUSHMEM_GPUS";

#[test]
fn a_misspelt_variable_is_reported_once_with_the_nearest_name() {
    let lines = lines_with("host-ring", 3, "none", &[(MISSPELT, "soft")]);
    let about: Vec<_> = lines.iter().filter(|l| l.contains(MISSPELT)).collect();
    assert_eq!(about, ["cushmem: CUSHMEM_GPUS: there is no such variable, did you mean CUSHMEM_GPU?"], "{lines:?}");
}

#[test]
fn known_variables_are_not_reported() {
    let known = [("SHMEM_SYMMETRIC_SIZE", "8M"), ("CUSHMEM_WAIT_LIMIT_S", "20"), ("CUSHMEM_TEST_SEED", "1")];
    let lines = lines_with("host-ring", 2, "none", &known);
    assert!(!lines.iter().any(|l| l.contains("no such variable")), "{lines:?}");
}
