//! What users ask of the library with variables. A misspelt variable is reported once, by PE 0, and does no harm.

use cushmem_examples_tests::{built, lines_of_failure, lines_with};
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

const MISSPELT: &str = "CUSHMEM_GPUS";

#[test]
fn a_misspelt_variable_is_reported_once_with_the_nearest_name() {
    let lines = lines_with("host-ring", 3, "none", &[(MISSPELT, "soft")]);
    let about: Vec<_> = lines.iter().filter(|l| l.contains(MISSPELT)).collect();
    assert_eq!(about, ["cushmem: CUSHMEM_GPUS: unknown variable; did you mean CUSHMEM_GPU?"], "{lines:?}");
}

/// Catches a misspelt variable of the specification that is not reported. Other libraries use the same prefix.
#[test]
fn a_misspelt_standard_variable_is_reported() {
    let lines = lines_with("host-ring", 2, "none", &[("SHMEM_SYMMETRIC_SIZ", "1G"), ("SHMEM_BOUNCE_SIZE", "1")]);
    let about: Vec<_> = lines.iter().filter(|l| l.contains("unknown variable")).collect();
    let wanted = "cushmem: SHMEM_SYMMETRIC_SIZ: unknown variable; did you mean SHMEM_SYMMETRIC_SIZE?";
    assert_eq!(about, [wanted], "{lines:?}");
}

#[test]
fn known_variables_are_not_reported() {
    let known = [("SHMEM_SYMMETRIC_SIZE", "8M"), ("CUSHMEM_WAIT_LIMIT_S", "20"), ("CUSHMEM_TEST_SEED", "1")];
    let lines = lines_with("host-ring", 2, "none", &known);
    assert!(!lines.iter().any(|l| l.contains("unknown variable")), "{lines:?}");
}

/// What the specification's variables make the library say, and their old names.
#[test]
fn the_library_says_what_the_standard_variables_ask_for() {
    let said = |variables: &[(&str, &str)]| {
        let lines = lines_with("host-ring", 2, "none", variables);
        lines.into_iter().filter(|l| l.starts_with("cushmem") || l.contains("SHMEM_")).collect::<Vec<_>>()
    };
    assert_eq!(said(&[("SHMEM_VERSION", "")]), Vec::<String>::new());
    for name in ["SHMEM_VERSION", "SMA_VERSION"] {
        let lines = said(&[(name, "1")]);
        assert!(lines.len() == 1 && lines[0].ends_with("an implementation of OpenSHMEM 1.6"), "{lines:?}");
    }
    let lines = said(&[("SMA_INFO", "1"), ("SMA_SYMMETRIC_SIZE", "8.5M")]);
    let about: Vec<_> = lines.iter().filter(|l| l.starts_with("SHMEM_SYMMETRIC_SIZE (is 8.5M): ")).collect();
    assert_eq!(about.len(), 1, "{lines:?}");
    let mut lines = said(&[("SHMEM_SYMMETRIC_SIZE", "16M"), ("SMA_SYMMETRIC_SIZE", "8M"), ("SHMEM_DEBUG", "1")]);
    // On several nodes it also describes the network.
    lines.retain(|l| !l.contains(" is on the network ") && !l.ends_with(" with the network"));
    for pe in [0, 1] {
        let joined = |l: &&String| {
            l.starts_with(&format!("cushmem: PE {pe} of 2: process ")) && l.contains(" bytes of host memory at ")
        };
        assert_eq!(lines.iter().filter(joined).count(), 1, "{lines:?}");
        assert!(lines.contains(&format!("cushmem: PE {pe} of 2: leaves the job")), "{lines:?}");
    }
    // It also says which pages each PE's heap has.
    assert!(lines.len() == 6 && lines.iter().any(|l| l.contains("16777216 bytes of host memory")), "{lines:?}");
}

/// A path that no row can follow, or that does not exist, so that it would have no effect.
#[test]
fn a_wrong_path_ends_the_start_with_a_line() {
    for (value, gpu, cause) in [
        ("copyengine", "soft", "`copyengine` is not a path; paths are mapped, "),
        ("mapped,put:gpu=mapped", "none", "`put:gpu=mapped`: `gpu` is not an operation (put, "),
        ("get=nic", "soft", "`get=nic`: nic can serve none of these rows: not in this version"),
        ("copy-engine", "none", "`copy-engine`: copy-engine can serve none of these rows: this job runs without GPUs"),
    ] {
        let lines = lines_of_failure("host-ring", 1, gpu, &[("CUSHMEM_PATH", value)]);
        let about: Vec<_> = lines.iter().filter(|l| l.contains("CUSHMEM_PATH")).collect();
        let wanted = format!("cushmem: init: choose paths: read CUSHMEM_PATH: {cause}");
        assert!(about.len() == 1 && about[0].starts_with(&wanted), "{value}: {lines:#?}");
    }
}

/// Catches an explanation that omits a path or does not say which one is taken. The launcher's option asks for it, in a
/// job with GPUs.
#[test]
fn paths_are_explained() {
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--explain=all", "--timeout", "60"]).arg(built("kernel-ring")).env("CUSHMEM_GPU", "soft");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let block = |request: &str| {
        let lines = said.lines().skip_while(|line| *line != request).skip(1);
        lines.take_while(|line| line.starts_with("  ")).collect::<Vec<_>>()
    };
    for (request, taken) in [
        ("put by cpu from pageable to host memory (mapped)", "mapped"),
        ("put by cpu from pageable to gpu memory (mapped)", "gpu-agent"),
        ("put by kernel from gpu to gpu memory (mapped)", "gpu-direct"),
        ("amo by kernel on gpu memory (mapped)", "gpu-direct"),
        ("amo by kernel on host memory (mapped)", "proxy"),
    ] {
        let lines = block(request);
        assert_eq!(lines.len(), 11, "{request}: each path once: {lines:#?}\n{said}");
        assert!(lines[0].starts_with(&format!("  {taken}: taken")), "{request}: {lines:#?}");
    }
    for memory in ["gpu", "host"] {
        let start = format!("arrays in {memory} memory of all PEs, whose slots are not given, by kernels: ");
        assert_eq!(said.lines().filter(|line| line.starts_with(&start)).count(), 1, "{memory}: {said}");
    }
    assert_eq!(said.matches("cushmem: PE 0's paths, and why:").count(), 1, "{said}");
}

/// Catches messages that a level does not turn on or off, and lines that do not say whose they are. Without the
/// variable, lines are as they always were.
#[test]
fn messages_are_chosen_by_level_and_module() {
    // In two parts: the documents do not know it.
    const MISSPELT: &str = concat!("CUSHMEM", "_CHEK");
    let said = |log: &[(&str, &str)]| {
        let mut job = launch::on_nodes(&built("shmemrun"), 2, 2);
        job.args(["--timeout", "60"]).arg(built("host-ring")).env("CUSHMEM_GPU", "none").env(MISSPELT, "1");
        let (_, said) = run_limited(job.envs(log.iter().copied()), Duration::from_secs(70)).expect("shmemrun starts");
        said
    };
    let as_ever = said(&[]);
    let warning = as_ever.lines().find(|line| line.contains(MISSPELT)).expect("it is misspelt");
    let warning = warning.strip_prefix("cushmem: ").unwrap_or_else(|| panic!("{as_ever}"));
    assert!(!as_ever.contains("leaves the job"), "{as_ever}");
    let stamped = |said: &str, stamp: &str, text: &str| {
        let is_it = |line: &str| line.starts_with("cushmem: ") && line.contains(stamp) && line.ends_with(text);
        assert!(said.lines().any(is_it), "{stamp}{text} is not in\n{said}");
    };
    stamped(&said(&[("CUSHMEM_LOG", "warn")]), ", PE 0, warn, job::config: ", warning);
    let debug = said(&[("CUSHMEM_LOG", "error,job=debug")]);
    for pe in [0, 1] {
        stamped(&debug, &format!(", PE {pe}, node {pe}, debug, job: PE {pe} of 2: "), "leaves the job");
    }
    assert!(!said(&[("CUSHMEM_LOG", "error")]).contains(MISSPELT));
    let refused = said(&[("CUSHMEM_LOG", "loud")]);
    assert!(refused.contains("read CUSHMEM_LOG: `loud` is not one of error, warn, info, debug"), "{refused}");
}

/// Catches an explanation that nobody reads to its end, that does not say what was done or why, or that passes costs of
/// another machine for this one's.
#[test]
fn what_was_done_is_explained() {
    for (nodes, path) in [(1, "mapped"), (2, "nic")] {
        let mut job = launch::on_nodes(&built("shmemrun"), 2, nodes);
        job.args(["--explain", "--timeout", "60"]).arg(built("host-ring")).env("CUSHMEM_GPU", "none");
        let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
        assert!(ended.failure().is_none(), "{said}");
        let lines: Vec<_> = said.lines().filter(|line| !line.starts_with("PE ")).collect();
        assert!(lines.len() <= 40 && lines.contains(&"cushmem: what PE 0 did:"), "{said}");
        let row = |words: [&str; 3]| lines.iter().any(|line| line.split_whitespace().take(3).eq(words));
        // PE 0 adds to its own counter.
        assert!(row(["put-signal", path, "1"]) && row(["atomic", "mapped", "1"]), "{said}");
        let why = |what: &str, how: &str| {
            lines.iter().any(|line| line.starts_with(&format!("  {what} by cpu ")) && line.contains(how))
        };
        assert!(why("put-signal", &format!(": {path}, ")) && why("amo", ": mapped, "), "{said}");
        let costs = lines.iter().find(|line| line.starts_with("costs: ")).expect("costs are named");
        assert!(costs.contains("not measured on this machine"), "{costs}");
    }
}
