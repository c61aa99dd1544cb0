//! `shmem-bench` runs with any number of PEs and writes the files that were asked for.

use cushmem_examples_tests::built;
use cushmem_scratch::Folder;
use std::fs;
use std::process::Command;
use std::time::Duration;
use xtask::launch;
use xtask::perf::rows::{Case, Rows};
use xtask::perf::targets::{Target, Targets};
use xtask::process::run_limited;

fn rows_of(part: &str, n: u32, gpu: &str) -> Rows {
    let job = launch::shmemrun(&built("shmemrun"), n);
    rows_of_part(part, job, gpu, &format!("{part}-{n}-{gpu}"))
}

fn rows_of_part(part: &str, mut job: Command, gpu: &str, name: &str) -> Rows {
    job.env("CUSHMEM_GPU", gpu).args(["--timeout", "60"]).arg(built("shmem-bench"));
    rows_of_job(job.args([part, "--sizes", "8,4096"]), name)
}

fn rows_of_job(job: &mut Command, name: &str) -> Rows {
    let mut rows = Rows::default();
    rows.read(&lines_of_job(job, name)).expect("rows");
    rows
}

fn lines_of_job(job: &mut Command, name: &str) -> String {
    let folder = Folder::new(name).expect("a folder");
    let [json, plot] = ["rows.jsonl", "plot.png"].map(|name| folder.join(name));
    job.args(["--smoke", "--json"]).arg(&json).arg("--plot").arg(&plot);
    let (ended, said) = run_limited(job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{name}: {ended:?}\n{said}");
    let lines = fs::read_to_string(&json).expect("the JSON lines");
    assert!(fs::read(&plot).expect("the curves").starts_with(b"\x89PNG"), "{}", plot.display());
    lines
}

fn case(metric: &str, pes: u32, bytes: Option<u64>) -> Case {
    let keys = bytes.map(|bytes| ("bytes".to_owned(), bytes.to_string()));
    Case { metric: metric.into(), pes: pes.into(), keys: keys.into_iter().collect() }
}

/// Fails if a metric that a target names is not measured, or is measured under another case.
#[test]
fn host_rows_are_those_that_targets_name() {
    for (n, gpu) in [(2, "none"), (2, "soft"), (3, "none")] {
        // Some rows are of mapped memory only.
        let job = launch::mapped(&built("shmemrun"), n);
        let rows = rows_of_part("host", job, gpu, &format!("host-{n}-{gpu}"));
        let single =
            ["host_put_store", "host_put_hh", "host_put_rate_hh", "host_get_hh", "host_fetch_add_hh", "store_visible"];
        for metric in single {
            assert!(rows.get("cushmem", &case(metric, n, Some(8))).is_some(), "{metric}, {n} PEs, {gpu}");
        }
        for by in ["cushmem", "limit"] {
            assert!(rows.get(by, &case("host_put_bw_hh", n, Some(4096))).is_some(), "{by}, {n} PEs, {gpu}");
            assert!(rows.get(by, &case("host_barrier_all_hh", n, None)).is_some(), "{by}, {n} PEs, {gpu}");
        }
    }
}

#[test]
fn collectives_of_any_number_of_pes() {
    for n in [1, 2, 3, 5] {
        let rows = rows_of("coll", n, "none");
        for metric in ["host_broadcast_hh", "host_sum_reduce_hh", "host_alltoall_hh", "host_fcollect_hh"] {
            for bytes in [8, 4096] {
                assert!(rows.get("cushmem", &case(metric, n, Some(bytes))).is_some(), "{metric}, {n} PEs");
            }
        }
        assert!(rows.get("cushmem", &case("host_barrier_all_hh", n, None)).is_some(), "{n} PEs");
    }
}

#[test]
fn one_pe_measures_what_it_can() {
    let rows = rows_of("host", 1, "none");
    assert!(rows.cases().any(|c| c.metric == "init_ms"));
    assert!(rows.cases().all(|c| !c.metric.ends_with("_hh")), "there is no peer");
}

/// Catches a PE that copies by hand to a peer on another node, whose memory it does not see.
#[test]
fn host_rows_need_one_node() {
    for n in [2, 3] {
        let job = launch::on_nodes(&built("shmemrun"), n, 2);
        let rows = rows_of_part("host", job, "none", &format!("host-{n}-on-nodes"));
        assert!(rows.cases().any(|c| c.metric == "init_ms"), "{n} PEs");
        assert!(rows.cases().all(|c| !c.metric.ends_with("_hh")), "{n} PEs");
    }
}

fn on_nodes(nodes: &str, net: &str) -> Command {
    let mut job = Command::new(built("shmemrun"));
    job.env("CUSHMEM_GPU", "none").env("CUSHMEM_NET", format!("loopback:{net}"));
    job.args(["-n", "2", "--nodes", nodes, "--timeout", "60"]).arg(built("shmem-bench")).arg("net");
    job
}

/// Fails if a target of the group `net` names a row that is not measured, or if the row with which a target is compared
/// is missing.
#[test]
fn net_rows_are_those_that_targets_name() {
    let targets = Targets::parse(include_str!("../../../../docs/perf/targets.toml")).expect("the targets");
    for net in ["verbs", "tcp", "efa"] {
        let rows = rows_of_job(&mut on_nodes("2", net), &format!("net-{net}"));
        let cases = targets.target.iter().filter(|target| target.group == "net").flat_map(Target::cases);
        let cases: Vec<_> = cases.filter(|case| case.keys.get("net").is_some_and(|name| name == net)).collect();
        assert_eq!(cases.len(), 7);
        for case in cases {
            for by in ["cushmem", "limit"] {
                assert!(rows.get(by, &case).is_some(), "{by}: {case}");
            }
        }
        assert!(rows.cases().any(|case| case.metric == "net_fetch_add"), "{net}");
    }
}

/// Catches a report that lacks a part, or that only one network can have.
#[test]
fn a_report_of_the_network_has_all_parts() {
    let mut job = on_nodes("2", "tcp");
    let (ended, said) =
        run_limited(job.args(["--report", "--smoke"]), Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{ended:?}\n{said}");
    let starts = ["cushmem network report 1", "network: loopback", "node of PE 0", "  kernel: ", "  modules: ", "  NI"];
    let figures =
        ["  put of 8 bytes and quiet ", "  get of 8 bytes ", "  fetch_add of 8 bytes ", "  puts of 4096 KiB, "];
    for start in starts.iter().chain(&figures) {
        assert!(said.lines().any(|line| line.starts_with(start)), "{start} in\n{said}");
    }
    assert!(said.contains("node of PE 1\n  the same\n"), "{said}");
    assert_eq!(said.lines().filter(|line| line.ends_with(" us") || line.ends_with(" GB/s")).count(), 5 + 8, "{said}");
    let (ended, said) =
        run_limited(on_nodes("1", "tcp").args(["--report", "--smoke"]), Duration::from_secs(70)).expect("it starts");
    assert!(ended.failure().is_some() && said.contains("shmemrun -n 2 --nodes 2 shmem-bench net"), "{said}");
}

/// Fails if a target of the group `stream` names a metric that is not measured. Figures of the emulated GPU do not
/// count as a GPU's row, and large sizes are skipped.
#[test]
fn stream_metrics_are_those_that_targets_name() {
    let targets = Targets::parse(include_str!("../../../../docs/perf/targets.toml")).expect("the targets");
    let mut job = launch::shmemrun(&built("shmemrun"), 2);
    job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]);
    let lines = lines_of_job(job.arg(built("shmem-bench")).arg("stream"), "stream");
    for target in targets.target.iter().filter(|target| target.group == "stream") {
        assert!(lines.contains(&format!("\"metric\":\"{}\"", target.metric)), "{}", target.metric);
    }
}

#[test]
fn net_rows_need_two_nodes() {
    let (ended, said) = run_limited(&mut on_nodes("1", "verbs"), Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_some() && said.contains("shmemrun -n 2 --nodes 2 shmem-bench net"), "{said}");
}

/// Catches commands of kernels that are not counted, or counted twice. It covers everything that the benchmark posts,
/// which the benchmark also checks with sums.
#[test]
fn what_the_proxy_carries_out_is_counted() {
    // If the PEs are not mapped, kernels post further commands.
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.env("CUSHMEM_GPU", "soft").env("SHMEM_DEBUG", "1").args(["--timeout", "60"]).arg(built("shmem-bench"));
    let (ended, said) = run_limited(job.args(["device", "--smoke"]), Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    // There are four launches each of two kernels with three operations, and of a warp with two operations for each
    // lane in these numbers of blocks; two launches of lanes that ask three times, with one such lane in each block;
    // and three each of two kernels that make three triggers due.
    let posted = 4 * (2 * 3 + 2 * 32 * (1 + 64 + 512 + 4096)) + 2 * 3 * (64 + 4096) + 2 * 3 * 3;
    for (pe, commands) in [(0, posted), (1, 0)] {
        let line = format!("cushmem: PE {pe} of 2: carried out {commands} commands of its kernels in ");
        assert_eq!(said.matches(&line).count(), 1, "{line}\n{said}");
    }
}
