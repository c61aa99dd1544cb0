//! The small programs compute correct results on emulated GPUs, without a GPU and on real GPUs. Each one verifies its
//! result and fails if it is wrong.

use cushmem_examples_tests::built;
use std::process::Command;
use std::time::Duration;
use xtask::kernels::gpus_for;
use xtask::launch;
use xtask::left_out::record;
use xtask::process::run_limited;

/// Returns whether a job failed, and what it printed.
fn run(job: &mut Command, gpu: &str, words: &str) -> (bool, String) {
    let mut words = words.split_whitespace();
    let program = built(words.next().expect("a program"));
    job.env("CUSHMEM_GPU", gpu).args(["--timeout", "60"]).arg(program).args(words);
    let (ended, said) = run_limited(job, Duration::from_secs(70)).expect("shmemrun starts");
    (ended.failure().is_some(), said)
}

/// Expects this many lines of JSON, each with a verified result.
fn expect(job: &mut Command, gpu: &str, words: &str, lines: usize) {
    let (failed, said) = run(job, gpu, &format!("{words} --json"));
    let verified = said.lines().filter(|line| line.starts_with('{') && line.contains("\"verified\":true")).count();
    assert!(!failed && verified == lines, "{words} on {gpu}: {lines} verified results, not this:\n{said}");
}

/// Expects one line for each way, with this many PEs on emulated GPUs, and also on two nodes, where kernels go through
/// the CPU.
fn on_soft(words: &str, lines: usize) {
    on_soft_with(words, [lines; 2]);
}

/// The same with another number of ways on two nodes.
fn on_soft_with(words: &str, [on_one, on_two]: [usize; 2]) {
    for n in [1, 2, 3, 4] {
        expect(&mut launch::shmemrun(&built("shmemrun"), n), "soft", words, on_one);
    }
    expect(&mut launch::on_nodes(&built("shmemrun"), 4, 2), "soft", words, on_two);
}

fn without_gpu(words: &str, lines: usize) {
    expect(&mut launch::shmemrun(&built("shmemrun"), 2), "none", words, lines);
}

/// Runs with the default sizes and two PEs, each on its own GPU, or both on one.
fn on_cuda(program: &str, lines: usize) {
    match gpus_for(&["cushmem-examples-programs-kernels"]) {
        Ok(_) => expect(&mut launch::shmemrun(&built("shmemrun"), 2), "cuda", program, lines),
        Err(reason) => record(&format!("verified::{program}_on_cuda"), &reason),
    }
}

#[test]
fn gups_by_kernels_and_cpus() {
    on_soft("gups --log2 9", 2);
    on_soft("gups --log2 3", 2);
    without_gpu("gups --log2 12", 1);
}

/// Catches loads and stores that lose more than 1 % of the updates, on a table much longer than what is in flight.
#[test]
fn gups_by_loads_and_stores() {
    expect(&mut launch::shmemrun(&built("shmemrun"), 2), "soft", "gups --plain --by cpu --log2 16", 1);
    expect(&mut launch::shmemrun(&built("shmemrun"), 1), "soft", "gups --plain --by gpu --log2 12", 1);
}

/// Catches numbers that are added twice, too early, to other sums or never.
#[test]
fn accumulate_in_all_ways() {
    on_soft("accumulate --elements 1,700 --rounds 3", 8);
    on_soft("accumulate --elements 40 --rounds 1 --by tasks,tasks-of-kernels", 2);
    on_soft("accumulate --elements 40 --rounds 2 --by tasks,tasks-of-kernels --launched", 2);
    // Three tasks, of which the last one has fewer numbers.
    on_soft("accumulate --elements 17000 --rounds 3 --by tasks-of-kernels", 1);
    // Shares of two tasks.
    on_soft("accumulate --elements 262145 --rounds 2 --by tasks-of-kernels", 1);
    without_gpu("accumulate --elements 1,1000", 2);
}

/// Catches parts that do not start at a vector, and PEs or blocks without a part.
#[test]
fn allreduce_in_all_ways() {
    on_soft("allreduce --elements 40003 --rounds 2", 4);
    on_soft("allreduce --elements 3 --rounds 1 --by kernel,cpu", 2);
    on_soft("allreduce --elements 4003 --rounds 2 --by parts,launch,tasks", 3);
    on_soft("allreduce --elements 1 --rounds 1 --by parts,launch,tasks", 3);
    without_gpu("allreduce --elements 1000", 1);
}

/// Catches errors in warps whose tile is not full, or that have no key for some PE.
#[test]
fn isort_by_kernels_and_cpus() {
    on_soft("isort --keys 9001 --log2-range 16", 2);
    on_soft("isort --keys 3 --log2-range 4", 2);
    on_soft("isort --keys 1000 --log2-range 1", 2);
    without_gpu("isort --keys 10000", 1);
}

/// Catches an exchange time that includes sorting into buckets, and a first pass that is timed.
#[test]
fn isort_times_its_steps_apart() {
    let mut job = launch::shmemrun(&built("shmemrun"), 2);
    let (failed, said) = run(&mut job, "soft", "isort --keys 5000 --log2-range 16 --json");
    // Figures are compared as numbers: a fast pass takes `8.553e-6` seconds.
    let results: Vec<serde_json::Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of = |by: &str| results.iter().find(|r| r["by"] == by).unwrap_or(&serde_json::Value::Null);
    assert!(!failed && of("gpu")["bucket_s"].is_null() && of("gpu")["passes"] == 3, "{said}");
    let is_time = |name: &str| of("cpu")[name].as_f64().is_some_and(|seconds| seconds > 0.0);
    assert!(["bucket_s", "exchange_s", "count_s"].into_iter().all(is_time), "{said}");
}

/// Catches a level that ends before everything that was sent has arrived, and errors of PEs that have no vertex of the
/// level.
#[test]
fn bfs_with_each_exchange() {
    on_soft("bfs --scale 8 --roots 3", 3);
    on_soft("bfs --scale 4 --roots 2", 3);
}

/// Catches a rank that depends on where the edges are, with caches of one line and of an eighth of the edges, and a
/// file that stays.
#[test]
fn pagerank_with_edges_everywhere() {
    for words in
        ["pagerank --scale 6 --iterations 2 --line 512 --cache 65536", "pagerank --scale 8 --iterations 2 --line 512"]
    {
        on_soft_with(words, [6, 4]);
    }
}

#[test]
fn with_default_sizes_on_cuda() {
    on_cuda("gups", 2);
    on_cuda("allreduce", 4);
    on_cuda("accumulate", 44);
    on_cuda("bfs", 3);
    on_cuda("isort", 2);
    // Also in managed memory, which the emulated GPU does not have.
    on_cuda("pagerank", 8);
}

/// A wrong command line is refused in one line, by PE 0 alone.
#[test]
fn wrong_words_are_refused() {
    for program in ["accumulate", "allreduce", "bfs", "gups", "isort", "pagerank"] {
        let (failed, said) = run(&mut launch::shmemrun(&built("shmemrun"), 2), "none", &format!("{program} --sise 3"));
        let line = format!("{program}: unexpected argument '--sise' found");
        assert!(failed && said.matches(&line).count() == 1, "{said}");
        let (failed, said) = run(&mut launch::shmemrun(&built("shmemrun"), 2), "none", &format!("{program} --help"));
        assert!(!failed && said.matches("Examples:").count() == 1, "{said}");
    }
}

/// Without a GPU, a mode that needs one says so.
#[test]
fn kernels_need_a_gpu() {
    for (words, call) in [("gups --by gpu", "malloc_gpu"), ("bfs --scale 4", "load"), ("pagerank --scale 4", "load")] {
        let (failed, said) = run(&mut launch::shmemrun(&built("shmemrun"), 2), "none", words);
        assert!(failed && said.contains(call), "{said}");
    }
}
