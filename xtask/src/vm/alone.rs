//! One machine: the tests of `runtime/net` with the device, the times of perftest beside those of the provider, and
//! jobs on two nodes.

use super::each::Each;
use super::machine::{Hosts, all_well, boot};
use super::{Built, Options, SPARE_S, executable, times};
use crate::launch;
use crate::left_out;
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// In the file of a test's list of what was left out, each line of a test that needs a device ends with this.
const OVER_VERBS: &str = "over verbs";

/// The tests of `runtime/net` for each provider, with the device; times; what `shmem-info` says of the device, and the
/// report of the network; some jobs; and the specification.
pub(super) fn suite(workspace: &Workspace, options: &Options, built: &Built) -> Result<()> {
    let net = executable(workspace, &["test", "--no-run", "-p", "cushmem-net", "--lib"], "cushmem_net")?;
    let info = executable(workspace, &["build", "-p", "cushmem-info", "--bin", "shmem-info"], "shmem-info")?;
    let bench = executable(workspace, &["build", "-p", "shmem-bench", "--bin", "shmem-bench"], "shmem-bench")?;
    let (probe, tools) = (times::probe(workspace)?, times::tools());
    let step_s = options.limit_s.saturating_sub(SPARE_S).max(1);
    let variables = format!("CUSHMEM_NET=verbs {}=2 {}=1", launch::NODES, launch::OVERSUBSCRIBE);
    let conformance = Each {
        program: &built.conformance,
        names: JOBS.join(" "),
        variables: variables.clone(),
        step_s,
        test_s: JOB_S,
    };
    let spec = Each {
        program: &built.spec,
        names: built.clauses(),
        variables: format!("{variables} {}={}", super::PROGRAMS, launch::word(&built.programs)),
        step_s,
        test_s: JOB_S,
    };
    let jobs = [
        ("1-net", of_net(&net)),
        ("2-times", times::script(&probe, !tools.is_empty())),
        ("3-report", report(&info, &bench, &built.launcher)),
        ("4-jobs", conformance.script()),
        ("5-spec", spec.script()),
    ];
    let jobs = jobs.map(|(name, script)| (name.to_owned(), script));
    let programs: Vec<PathBuf> = [built.files()?, vec![net, info, bench, probe], tools.clone()].concat();
    let ended = boot(workspace, Hosts::Alone, &programs, &jobs, options.limit_s)?;
    let mut failures = ended.failures(|name| !["2-times", "3-report"].contains(&name));
    // Whatever else has failed, the times count.
    let measured = ended.jobs.iter().find(|job| job.name == "2-times" && job.status == Some(0));
    let judged = measured.map_or(Ok(()), |job| times::judge(&job.said, !tools.is_empty(), options.json.as_deref()));
    failures.extend(judged.err().map(|why| format!("2-times: {why:#}")));
    all_well(&failures)
}

fn of_net(net: &Path) -> String {
    let list = "/tmp/left-out";
    format!(
        "export {}={list}\n{} tests::verbs:: tests::providers:: --test-threads 1 || exit 1\n\
         if grep {} {list}; then exit 1; fi\n",
        left_out::VARIABLE,
        launch::word(net),
        launch::word(Path::new(OVER_VERBS)),
    )
}

fn report(info: &Path, bench: &Path, launcher: &Path) -> String {
    let nics = "/tmp/nics";
    format!(
        "{} | sed -n '/^NICs/,/^$/p' >{nics}; cat {nics}\n\
         grep -q '^  a PE uses  *rxe0:1 ' {nics} || exit 1\n\
         CUSHMEM_NET=verbs CUSHMEM_GPU=none timeout -k 5 200 {} -n 2 --nodes 2 {} net --report --rounds 3\n",
        launch::word(info),
        launch::word(launcher),
        launch::word(bench),
    )
}

/// Tests of `tests/conformance` that run as jobs on two nodes over verbs. In an emulated machine with two processors,
/// an operation that a PE of another node has to answer takes milliseconds, so some others take minutes; and tests that
/// fill their heap pin all of it. These took up to 43 s.
const JOBS: [&str; 20] = [
    "check::host::freed_objects_of_the_rust_api",
    "collective::host::bits_do_not_depend_on_the_member",
    "collective::host::sums_of_what_hardly_changes",
    "ends::checked::host::ranges",
    "ends::host::ranges",
    "errors::host::causes_are_values",
    "get::host::every_kind",
    "locks::host::who_comes_first_is_served_first",
    "nodes::memory::host::objects_lie_across_the_borders_of_pieces",
    "order::host::fence",
    "paths::mapped::host::every_kind",
    "put::host::across_pinned_parts",
    "put::host::non_blocking",
    "registered::host::memory_that_starts_anywhere",
    "resize::host::alignments",
    "resize::small::host::objects_grow_into_free_space",
    "signalled::host::data_come_before_their_signal",
    "status::host::who_is_late_is_named",
    "team::host::destroyed_teams_do_not_disturb_new_ones",
    "team::host::wrong_splits_are_refused",
];
/// Seconds that each may take, if the step has as many left.
const JOB_S: u64 = 120;
