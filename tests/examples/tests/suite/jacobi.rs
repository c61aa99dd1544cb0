//! jacobi computes the same bits in all modes, for any number of PEs, on one node and between nodes.

use crate::lbm_leaves::stop_a_pe;
use cushmem_examples_tests::built;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;
use xtask::kernels::gpus_for;
use xtask::launch;
use xtask::left_out::record;
use xtask::process::run_limited;

const MODES: [&str; 3] = ["host", "stream", "device"];

/// Runs all modes, verified, and returns their lines.
fn compare(job: &mut Command, gpu: &str, words: &str) -> Vec<Value> {
    job.env("CUSHMEM_GPU", gpu).args(["--timeout", "60"]).arg(built("jacobi"));
    job.args(["--compare", "--verify", "--json"]).args(words.split_whitespace());
    let (ended, said) = run_limited(job, Duration::from_secs(70)).expect("shmemrun starts");
    let rows: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let modes: Vec<_> = rows.iter().filter_map(|row| row["mode"].as_str()).collect();
    assert!(ended.failure().is_none() && modes == MODES, "{words} on {gpu}: {ended:?}\n{said}");
    assert!(rows.iter().all(|row| row["verified"] == true), "{words} on {gpu}:\n{said}");
    rows
}

/// The values of a key in all lines, which must be the same.
fn same<'a>(rows: &'a [Value], key: &str) -> &'a Value {
    let values: BTreeSet<_> = rows.iter().map(|row| row[key].to_string()).collect();
    assert_eq!(values.len(), 1, "{key}: {rows:#?}");
    &rows[0][key]
}

/// Catches halos of the wrong side or iteration, and norms that miss a PE, a row or a column. Rows end within a vector
/// and at the end of one; PEs have different numbers of rows, among them the fewest.
#[test]
fn any_number_of_pes_computes_the_same_bits_on_soft() {
    for words in ["--size 39 --iters 20 --every 3", "--size 128 --iters 9", "--size 8 --iters 41 --every 50"] {
        let jobs = [1, 2, 4].map(|n| compare(&mut launch::shmemrun(&built("shmemrun"), n), "soft", words));
        same(&jobs.concat(), "checksum");
    }
}

/// Catches warps of a block that do not see what another one has received.
#[test]
fn blocks_of_several_warps_compute_the_same_bits_on_soft() {
    let words = "--size 71 --iters 5";
    let mut job = launch::shmemrun(&built("shmemrun"), 2);
    let rows = compare(job.env("LANES_OF_GPUS", "1"), "soft", words);
    let narrow = compare(&mut launch::shmemrun(&built("shmemrun"), 2), "soft", words);
    same(&[rows, narrow].concat(), "checksum");
}

/// Catches halos for another node that overtake their signals, and reductions by way of the CPU that PEs enter in
/// different iterations.
#[test]
fn nodes_compute_the_same_bits_on_soft() {
    let words = "--size 39 --iters 20 --every 3";
    let near = compare(&mut launch::shmemrun(&built("shmemrun"), 1), "soft", words);
    let jobs = [(2, 2), (4, 2)].map(|(n, k)| compare(&mut launch::on_nodes(&built("shmemrun"), n, k), "soft", words));
    same(&[near, jobs.concat()].concat(), "checksum");
}

/// Catches PEs or modes that stop in another iteration, and a norm of another one than the last.
#[test]
fn all_modes_stop_with_the_first_norm_within_the_tolerance() {
    let words = "--size 40 --iters 400 --every 5 --tolerance 0.02";
    let jobs = [1, 2].map(|n| compare(&mut launch::shmemrun(&built("shmemrun"), n), "soft", words)).concat();
    let (iterations, norm) = (same(&jobs, "iterations").as_u64(), same(&jobs, "norm").as_f64());
    assert!(iterations.is_some_and(|n| n < 400 && n.is_multiple_of(5)), "{jobs:#?}");
    assert!(norm.is_some_and(|norm| norm > 0.01 && norm <= 0.02), "{jobs:#?}");
    same(&jobs, "checksum");
}

/// Catches the time of all iterations that is divided by those up to a norm of 0. Without a tolerance, nobody looks at
/// the norms of a stream, so it does not stop there.
#[test]
fn a_time_is_divided_by_the_iterations_that_were_made_in_it() {
    let rows = compare(&mut launch::shmemrun(&built("shmemrun"), 1), "soft", "--size 4 --iters 1000");
    let (needed, norm) = (same(&rows, "iterations").as_u64(), same(&rows, "norm").as_f64());
    assert!(needed.is_some_and(|n| n < 1000) && norm == Some(0.0), "{rows:#?}");
    let made: Vec<_> = rows.iter().map(|row| row["iterations_made"].as_u64()).collect();
    assert_eq!(made, [needed, Some(1000), needed]);
    for row in &rows {
        let number = |key: &str| row[key].as_f64().expect("a number");
        let us = number("us_per_iteration") * number("iterations_made");
        assert!((us / 1e6 - number("seconds")).abs() < 1e-6 * number("seconds"), "{row}");
    }
}

/// Catches a block that waits for ever for the halo of a PE that has stopped, blocks that do not leave together then,
/// and a message that does not say who is late.
#[test]
fn the_kernel_gives_up_waiting_for_a_pe_that_has_stopped() {
    let words = "--size 16 --iters 16777216 --every 16777216 --no-verify --mode device --limit 2";
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.env("CUSHMEM_GPU", "soft").args(["--timeout", "120"]).arg(built("jacobi")).args(words.split_whitespace());
    let said = stop_a_pe(&mut job, "jacobi", "device");
    let late = |pe: u32| format!("nothing came from PE {pe} within 2 s (--limit)");
    assert!(said.contains("iteration ") && (said.contains(&late(0)) || said.contains(&late(1))), "{said}");
}

/// Catches GPUs that compute other bits than the emulation. With two PEs on one GPU, kernels that wait for each other
/// run in turns.
#[test]
fn all_modes_on_cuda() {
    let gpus = match gpus_for(&["jacobi-kernels"]) {
        Ok(gpus) => gpus,
        Err(reason) => return record("jacobi::all_modes_on_cuda", &reason),
    };
    let words = "--size 1000 --iters 30 --every 7";
    let soft = compare(&mut launch::shmemrun(&built("shmemrun"), 2), "soft", words);
    let counts = [1, 2, 4].into_iter().filter(|&n| n <= 2 || n as usize <= gpus);
    let cuda = counts.flat_map(|n| compare(&mut launch::shmemrun(&built("shmemrun"), n), "cuda", words));
    same(&soft.into_iter().chain(cuda).collect::<Vec<_>>(), "checksum");
}

/// Catches wrong words that are not refused, or by every PE, and a picture that is not tried before the run.
#[test]
fn mistakes_are_answered_in_one_line() {
    for (words, line) in [
        ("--size 7", "jacobi: --size 7: each of 4 PEs needs two rows, so at least 8"),
        ("--tolerance -1", "jacobi: invalid value '-1' for '--tolerance <T>': expected a number that is not negative"),
        ("--mode fused", "jacobi: invalid value 'fused' for '--mode <MODE>'"),
        ("--png /no/such/x.png", "jacobi: --png /no/such/x.png: No such file"),
    ] {
        let mut job = launch::shmemrun(&built("shmemrun"), 4);
        job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("jacobi")).args(words.split_whitespace());
        let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
        assert!(ended.failure().is_some() && said.matches(line).count() == 1, "{words}: {ended:?}\n{said}");
        assert!(!said.contains("grid "), "{said}");
    }
}
