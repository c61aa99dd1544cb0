//! The rendezvous between real processes, with correct PEs and with faulty ones.

use cushmem_fault_tests::{Job, children, eventually, expect_within_wait_limit, fault_pe, state};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::signal::{Signal, kill};
use std::iter;

#[test]
fn allgather_passes_bytes_and_descriptors_of_all_sizes() {
    let steps = ["join", "gather=0", "gather=1", "gather=65536", "fence=x", "gather=4097", "finalize"];
    Job::steps(5, &["--timeout", "30"], &steps).run().expect(0, &[]);
}

#[test]
fn many_pes_with_descriptors() {
    Job::steps(24, &["--timeout", "30"], &["join", "gather=100", "gather=65536", "finalize"]).run().expect(0, &[]);
}

#[test]
fn a_large_job_meets() {
    let steps = ["join", "big=1000", "fence=x", "big=4", "finalize"];
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    // The launcher has four files open for each PE, and some more. Where few are allowed, fewer PEs have to do.
    let n = (most.saturating_sub(50) / 4).clamp(2, 512);
    Job::steps(n as u32, &[], &steps).run().expect(0, &[]);
}

#[test]
fn different_tags_name_both_pes_and_both_tags() {
    let job = Job::steps(2, &[], &["join", "0:fence=heap", "1:fence=teams", "sleep"]).run();
    assert_eq!(job.code(), 1);
    let one = "PE 0 called fence 'heap' while PE 1 called fence 'teams'";
    let other = "PE 1 called fence 'teams' while PE 0 called fence 'heap'";
    assert!(job.stderr.contains(one) || job.stderr.contains(other), "{job:?}");
}

#[test]
fn a_fence_does_not_meet_an_allgather() {
    let job = Job::steps(2, &[], &["join", "0:fence=gather", "1:gather=1", "sleep"]).run();
    job.expect(1, &["PE 0 called fence 'gather'", "PE 1 called allgather 'gather'"]);
}

#[test]
fn a_stopped_pe_is_reported_as_late() {
    let steps = ["join", "fence=begin", "1:stop", "fence=start", "finalize"];
    let texts = ["fence start: PE 1 has not arrived after {} s", "exited with status 1"];
    expect_within_wait_limit(|_| Job::steps(3, &[], &steps), 1, &texts);
}

#[test]
fn finalize_waits_without_limit_and_names_the_late_pes() {
    let job = Job::steps(3, &[], &["join", "2:stop", "finalize"]).env("CUSHMEM_WAIT_LIMIT_S", "0.5").start();
    // More often than once by each of the others, so that the limit has passed twice for one of them.
    job.wait_for_errors("finalize: still waiting for PE 2 after", 3);
    let pe = eventually("PE 2 stops", || children(job.supervisor()).into_iter().find(|pe| state(*pe) == Some('T')));
    kill(pe, Signal::SIGCONT).expect("PE 2 is there");
    job.finish().expect(0, &[]);
}

#[test]
fn pes_that_arrive_one_after_the_other_are_not_late() {
    let job = |limit: u32| {
        let sleeps = [1, 2, 3].map(|pe| format!("{pe}:sleep={}", f64::from(pe * limit) / 2.0));
        let sleeps = sleeps.iter().map(String::as_str);
        let steps: Vec<_> = iter::once("join").chain(sleeps).chain(["fence=start", "finalize"]).collect();
        Job::steps(4, &[], &steps)
    };
    expect_within_wait_limit(job, 0, &[]);
}

#[test]
fn a_pe_is_welcome_while_others_are_being_started() {
    // Starting all PEs takes longer than the limit, because the program is in the last of many folders. Starting one
    // does not, even on a busy machine.
    let program = fault_pe();
    let folder = program.parent().expect("it is in a folder").display();
    let path = format!("PATH={}{folder}", "/x:".repeat(4_000));
    let steps = ["fault-pe", "0:join", "0:abort=0", "sleep"];
    let job = Job::new([&["-n", "300", "-x", &path], &steps[..]].concat()).env("CUSHMEM_WAIT_LIMIT_S", "1").run();
    job.expect(0, &["PE 0 ended the job with status 0"]);
}

#[test]
fn a_flood_of_questions_neither_fills_the_launcher_nor_holds_it() {
    let job = Job::steps(2, &["--timeout", "600"], &["join", "1:ask-late=300000", "fence=x"]).start();
    job.wait_for_output("asked", 1);
    let status = std::fs::read_to_string(format!("/proc/{}/status", job.supervisor())).expect("it is there");
    let kib =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    assert!(kib.is_some_and(|kib| kib < 16 * 1024), "{status}");
    job.expect_status(&["PE 0: fence x for ", "PE 1: computing"]);
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn a_pe_that_never_joins_is_named_at_once() {
    let job = Job::steps(2, &[], &["1:exit=0", "join", "fence=start"]).run();
    job.expect(1, &["fence start: PE 1 has ended without joining the job"]);
}

#[test]
fn a_contribution_over_the_limit_is_refused() {
    let job = Job::steps(1, &[], &["join", "big=65537"]).run();
    job.expect(1, &["allgather big: a contribution of 65537 bytes is over the limit of 65536"]);
}

#[test]
fn a_process_joins_once() {
    Job::steps(1, &[], &["join", "join"]).run().expect(1, &["this process has already joined its job"]);
}

#[test]
fn a_program_that_a_pe_starts_cannot_join_in_its_place() {
    let job = Job::steps(2, &[], &["join", "1:second", "sleep"]).run();
    job.expect(1, &["CUSHMEM_BOOTSTRAP_FD", "one process per PE can use the library"]);
}

#[test]
fn bytes_that_are_not_a_message_end_the_job() {
    for steps in [&["garbage", "sleep"][..], &["join", "garbage", "sleep"]] {
        Job::steps(1, &[], steps).run().expect(1, &["PE 0 violated the rendezvous protocol: it starts with 0x"]);
    }
}

#[test]
fn a_nonsensical_wait_limit_is_explained() {
    let job = Job::steps(1, &[], &["join"]).env("CUSHMEM_WAIT_LIMIT_S", "soon").run();
    job.expect(1, &["CUSHMEM_WAIT_LIMIT_S: 'soon' is not a number of seconds from 0.01 to 86400"]);
}

/// Catches a launcher that takes a PE's second job for an error, or waits in it for a PE that has exited.
#[test]
fn pes_join_again_after_finalize() {
    let round = ["join", "gather=100", "fence=x", "finalize", "part"];
    let limit = ["--timeout", "60"];
    Job::steps(3, &limit, &[round, round, round].concat()).run().expect(0, &[]);
    let lines = ["fence y: PE 1 has ended without joining the job again", "exited with status 1"];
    Job::steps(3, &limit, &[&round[..], &["1:exit=0", "join", "fence=y"]].concat()).run().expect(1, &lines);
    let late = [&round[..], &["1:sleep", "join", "fence=y"]].concat();
    let texts = ["fence y: PE 1 has not arrived after {} s", "PE 0 exited with status 1"];
    expect_within_wait_limit(|_| Job::steps(2, &limit, &late), 1, &texts);
    let unfinished = [&round[..], &["join", "fence=y", "1:exit=0", "finalize"]].concat();
    Job::steps(2, &limit, &unfinished).run().expect(1, &["PE 1 exited with status 0 without finalize"]);
    let inside = ["join", "join"];
    Job::steps(1, &limit, &inside).run().expect(1, &["has already joined its job"]);
}

/// Catches a second job in Rust's API that the launcher takes for an error.
#[test]
fn pes_initialise_again_after_finalize() {
    let round = ["init", "barrier", "malloc=1000", "leave"];
    Job::steps(2, &["--timeout", "60"], &[round, round, round].concat()).run().expect(0, &[]);
}
