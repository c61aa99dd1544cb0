//! `shmem-info` works on any machine, and tells people and programs the same.

use cushmem_environment as environment;
use cushmem_examples_tests::{built, lines_with};
use serde_json::Value;
use std::process::Command;

fn info(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(built("shmem-info"));
    for variable in environment::TABLE.iter().filter(|v| v.audience == environment::Audience::User) {
        // The visible GPUs stay as they are.
        if variable.name != environment::CUDA_VISIBLE_DEVICES.name {
            command.env_remove(variable.name);
        }
    }
    let output = command.args(arguments).envs(variables.iter().copied()).output().expect("shmem-info starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{:?}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(variables: &[(&str, &str)]) -> Value {
    serde_json::from_str(&info(&["--json"], variables)).expect("one JSON object")
}

#[test]
fn text_has_all_sections_and_variables() {
    let text = info(&[], &[]);
    let headings: Vec<&str> = text.lines().filter(|l| !l.is_empty() && !l.starts_with(' ')).collect();
    let version = concat!("cushmem ", env!("CARGO_PKG_VERSION"));
    assert_eq!(headings, [version, "GPUs", "libraries", "machine", "heaps", "environment"], "{text}");
    for variable in environment::TABLE {
        assert!(text.contains(&format!("    {} ", variable.name)), "{} is missing in\n{text}", variable.name);
    }
    for word in ["libcuda.so.1", "libibverbs.so.1", "libfabric.so.1", "libpmix.so.2", "usable CPUs", "emulated GPU"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn json_is_complete() {
    let found = json(&[]);
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    for key in ["features", "gpus", "libraries", "machine", "heaps", "environment"] {
        assert!(!found[key].is_null(), "{key}: {found}");
    }
    let variables = found["environment"]["variables"].as_array().expect("a list");
    assert_eq!(variables.len(), environment::TABLE.len());
    assert!(found["machine"]["usable_cpus"].as_u64() >= Some(1));
    for library in found["libraries"].as_array().expect("a list") {
        assert_eq!(library["found"].as_bool(), Some(library["reason"].is_null()), "{library}");
    }
    let (devices, links) = (&found["gpus"]["devices"], &found["gpus"]["links"]);
    let n = devices.as_array().expect("a list").len();
    assert_eq!(links.as_array().map(Vec::len), Some(n * n.saturating_sub(1)), "{}", found["gpus"]);
    assert_eq!(n == 0, found["gpus"]["reason"].is_string(), "{}", found["gpus"]);
}

#[test]
fn heaps_follow_the_settings() {
    let found = json(&[("CUSHMEM_GPU", "soft"), ("SHMEM_SYMMETRIC_SIZE", "1.5G")]);
    assert_eq!(found["gpus"]["chosen"], "soft");
    assert_eq!(found["heaps"]["host"]["limit_bytes"], 3u64 << 29);
    assert_eq!(found["heaps"]["gpu"]["limit_bytes"], 4u64 << 30);
    let none = json(&[("CUSHMEM_GPU", "none")]);
    assert!(none["heaps"]["gpu"]["limit_bytes"].is_null());
}

/// Users ask shmem-info when something is wrong, so it must work then.
#[test]
fn nonsense_is_shown_and_not_fatal() {
    let nonsense = [("CUSHMEM_GPU", "yes"), ("SHMEM_SYMMETRIC_SIZE", "much"), ("CUSHMEM_GPUS", "1")];
    let found = json(&nonsense);
    assert!(found["gpus"]["chosen"].is_null());
    let because = found["heaps"]["host"]["because"].as_str().unwrap_or("");
    assert!(because.contains("read SHMEM_SYMMETRIC_SIZE: `much` is not a size"), "{because}");
    assert_eq!(found["environment"]["unknown"][0]["nearest"], "CUSHMEM_GPU");
    assert!(info(&[], &nonsense).contains("did you mean CUSHMEM_GPU?"));
}

#[test]
fn a_pe_sees_what_the_launcher_set() {
    let lines = lines_with("shmem-info", 1, "none", &[]);
    assert!(lines.iter().any(|l| l.contains("CUSHMEM_N_PES = 1 ")), "{lines:?}");
}
