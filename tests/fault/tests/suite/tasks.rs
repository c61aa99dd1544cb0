//! Kills while PEs put tasks to each other: while an executor runs one, while a CPU or a kernel waits for its signal,
//! and while queues are made and freed.

use cushmem_fault_tests::{Before, Job, children, pids_with_mark, seeded};
use nix::sys::signal::{Signal, kill};
use std::time::{Duration, Instant};

const ROUNDS: usize = 8;
const N_PES: u32 = 3;
/// Of 60 s that the job may take.
const LIMIT: Duration = Duration::from_secs(30);

/// Catches PEs that wait for the tasks, the room or the signals of a PE that is gone, and executors and memory that
/// outlive their PE.
fn kills_leave_nothing(test: &str, nodes: Option<u32>, more: &[&str]) {
    let mut random = seeded(test);
    // Each size has a queue of its own, for tasks of the CPU and then for those of kernels: more than can run.
    let elements = vec!["33"; 500].join(",");
    let words = ["--by", "tasks,tasks-of-kernels", "--rounds", "20", "--elements", &elements];
    let words = [&words, more].concat();
    for round in 0..ROUNDS {
        let before = Before::look();
        let (job, _folder) = Job::program(N_PES, nodes, "accumulate", &words);
        let job = job.env("CUSHMEM_GPU", "soft").start();
        let mark = job.mark.clone();
        job.wait_for_output("a task that a kernel puts", 1);
        std::thread::sleep(Duration::from_micros(random.below(400_000) as u64));
        let pes = children(job.supervisor());
        let marked = pids_with_mark(&mark);
        let are_known = pes.iter().all(|pe| marked.contains(pe));
        assert!(pes.len() == N_PES as usize && are_known, "PEs {pes:?}, of which {marked:?} would be found");
        let (first, several) = (random.below(pes.len()), random.below(3) == 0);
        let victims = &[pes[first], pes[(first + 1) % pes.len()]][..1 + usize::from(several)];
        kill(victims[0], Signal::SIGKILL).expect("it is there");
        // The death of the first may have ended it.
        for pe in &victims[1..] {
            let _ = kill(*pe, Signal::SIGKILL);
        }
        let killed = Instant::now();
        let finished = job.finish();
        let context = format!("round {round}, after the death of {victims:?}");
        assert_eq!(finished.code(), 137, "{context}: {finished:#?}");
        assert!(finished.stderr.contains("was killed by signal 9 (SIGKILL)"), "{context}: {finished:#?}");
        assert!(killed.elapsed() < LIMIT, "{context}: the job took {:?} to end", killed.elapsed());
        before.expect_nothing_left(&mark, &context);
    }
}

#[test]
fn kills_while_tasks_run_leave_nothing() {
    kills_leave_nothing("kills_while_tasks_run_leave_nothing", None, &[]);
}

#[test]
fn kills_while_tasks_run_between_nodes_leave_nothing() {
    kills_leave_nothing("kills_while_tasks_run_between_nodes_leave_nothing", Some(2), &[]);
}

#[test]
fn kills_while_executors_are_launched_leave_nothing() {
    kills_leave_nothing("kills_while_executors_are_launched_leave_nothing", None, &["--launched"]);
}

#[test]
fn kills_while_executors_are_launched_between_nodes_leave_nothing() {
    let test = "kills_while_executors_are_launched_between_nodes_leave_nothing";
    kills_leave_nothing(test, Some(2), &["--launched"]);
}
