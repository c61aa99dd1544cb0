//! `shmem-info` works on any machine, and gives people and programs the same information.

use cushmem_environment as environment;
use cushmem_examples_tests::{built, lines_with};
use serde_json::Value;
use std::process::{Command, Output};
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

fn info(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let output = output(arguments, variables);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{:?}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn output(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(built("shmem-info"));
    for variable in environment::TABLE.iter().filter(|v| v.audience == environment::Audience::User) {
        // The set of visible GPUs stays as it is.
        if variable.name != environment::CUDA_VISIBLE_DEVICES.name {
            command.env_remove(variable.name);
        }
    }
    command.args(arguments).envs(variables.iter().copied()).output().expect("shmem-info starts")
}

fn json(variables: &[(&str, &str)]) -> Value {
    serde_json::from_str(&info(&["--json"], variables)).expect("one JSON object")
}

#[test]
fn text_has_all_sections_and_variables() {
    let text = info(&[], &[]);
    let headings: Vec<&str> = text.lines().filter(|l| !l.is_empty() && !l.starts_with(' ')).collect();
    let version = concat!("cushmem ", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        headings,
        [version, "GPUs", "libraries", "networks", "NICs", "machine", "heaps", "environment"],
        "{text}"
    );
    for variable in environment::TABLE {
        // Catches variables of the project's own tests in what users read.
        let is_expected = variable.audience != environment::Audience::Chore;
        let is_shown = text.contains(&format!("    {} ", variable.name));
        assert_eq!(is_shown, is_expected, "{} in\n{text}", variable.name);
    }
    for word in ["libcuda.so.1", "libibverbs.so.1", "libfabric.so.1", "libpmix.so.2", "usable CPUs", "emulated GPU"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn json_is_complete() {
    let found = json(&[]);
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    for key in ["features", "gpus", "libraries", "networks", "nics", "machine", "heaps", "environment"] {
        assert!(!found[key].is_null(), "{key}: {found}");
    }
    let variables = found["environment"]["variables"].as_array().expect("a list");
    let for_users = environment::TABLE.iter().filter(|v| v.audience != environment::Audience::Chore);
    assert_eq!(variables.len(), for_users.count());
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

/// Users run shmem-info when something is wrong, so it must work then.
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

/// Returns the blocks of `text` that explain a row.
fn rows(text: &str) -> Vec<&str> {
    let is_row = |block: &&str| {
        let head = block.trim_start().lines().next().unwrap_or_default();
        let words: Vec<&str> = head.split(' ').collect();
        ["put", "get", "put-signal", "amo"].contains(&words[0]) && words.get(1) == Some(&"by")
    };
    text.split("\n\n").filter(is_row).map(str::trim).collect()
}

/// Catches facts that `shmem-info` invents: a running job has a different table.
#[test]
fn described_paths_are_those_of_a_job() {
    let (shmemrun, limit) = (built("shmemrun"), Duration::from_secs(70));
    for (program, gpu, p2p, pes, nodes) in [
        ("kernel-ring", "soft", "1", "2", "1"),
        ("kernel-ring", "soft", "0", "2", "1"),
        ("host-ring", "none", "1", "2", "1"),
        ("host-ring", "none", "1", "3", "2"),
    ] {
        let variables = [("CUSHMEM_GPU", gpu), ("CUSHMEM_P2P", p2p)];
        let told = info(&["--paths", "-n", pes, "--nodes", nodes], &variables);
        let (n, on) = (pes.parse().expect("a number"), nodes.parse().expect("a number"));
        let mut job = launch::on_nodes(&shmemrun, n, on);
        job.args(["--explain=all", "--timeout", "60"]).arg(built(program)).envs(variables);
        let (ended, said) = run_limited(&mut job, limit).expect("shmemrun starts");
        assert!(ended.failure().is_none(), "{said}");
        // PEs print lines of their own at the same time.
        let said: String =
            said.lines().filter(|line| !line.starts_with("PE ")).map(|line| format!("{line}\n")).collect();
        let (_, explained) = said.split_once("cushmem: PE 0's paths, and why:\n").expect("the job explains its paths");
        let (told, explained) = (rows(&told), rows(explained));
        assert!(told.len() > 50, "{told:#?}");
        assert_eq!(told, explained, "{program}, {variables:?}, {pes} PEs on {nodes} nodes");
    }
}

/// Catches rows of other jobs than the described one, and answers for programs that differ from those for people.
#[test]
fn paths_of_described_jobs_are_told_to_programs() {
    let of = |arguments: &[&str], gpu: &str| -> Value {
        let text = info(&[&["--paths", "--json"], arguments].concat(), &[("CUSHMEM_GPU", gpu)]);
        serde_json::from_str(&text).expect("one JSON object")
    };
    // The first entry of a row: the path that is taken for the fewest bytes, or a reason.
    let first = |answer: &Value, row: &str| {
        let words = ["operation", "initiator", "local", "remote", "class"];
        let is_it = |r: &&Value| words.map(|word| r[word].as_str().expect("a word")).join(" ") == row;
        let rows = answer["rows"].as_array().expect("rows");
        let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("{row} is missing"));
        let paths = row["paths"].as_array().expect("paths").clone();
        assert_eq!(paths.len(), 11, "{row}");
        paths
    };
    let taken = |answer: &Value, row: &str| {
        let paths = first(answer, row);
        assert_eq!(paths[0]["state"], "taken", "{row}: {paths:?}");
        assert!(paths[0]["start_ns"].as_f64() > Some(0.0) && paths[0]["least_bytes"] == 0, "{row}: {paths:?}");
        paths[0]["path"].as_str().expect("a word").to_owned()
    };
    let far = of(&["-n", "4", "--nodes", "2", "--globals"], "soft");
    assert_eq!((&far["pes"], &far["nodes"], &far["gpus"]), (&4.into(), &2.into(), &"soft".into()));
    for (row, path) in [
        ("put cpu pinned host far", "nic"),
        ("put cpu gpu gpu far", "staged"),
        ("get cpu pinned gpu far", "staged"),
        ("put cpu gpu gpu mapped", "gpu-agent"),
        ("put cpu gpu globals mapped", "copy-engine"),
        ("amo cpu pageable gpu mapped", "gpu-agent"),
        ("amo cpu pageable gpu far", "proxy"),
        ("amo kernel pageable gpu far", "proxy"),
        ("get kernel gpu gpu far", "proxy"),
        ("put kernel gpu gpu mapped", "gpu-direct"),
        ("get cpu pageable globals mapped", "mapped"),
    ] {
        assert_eq!(taken(&far, row), path, "{row}");
    }
    let apart = of(&["--no-peer-access"], "soft");
    assert_eq!(taken(&apart, "put cpu gpu gpu unmapped"), "staged");
    assert_eq!(taken(&of(&[], "none"), "put cpu pageable host mapped"), "mapped");
}

#[test]
fn jobs_that_cannot_be_are_refused() {
    for (arguments, variables, code, why) in [
        (&["--paths", "-n", "2", "--nodes", "3"][..], &[][..], 1, "with 2 PEs there are 1 to 2 nodes"),
        (&["--nodes", "3"], &[], 2, "--paths"),
        (&["--paths"], &[("CUSHMEM_PATH", "gdr")], 1, "`gdr`: gdr can serve none of these rows: not in this version"),
        (&["--paths"], &[("CUSHMEM_GPU", "yes")], 1, "PEs could not start: "),
    ] {
        let output = output(arguments, variables);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(why) && output.stdout.is_empty(), "{arguments:?}: {said}");
    }
}
