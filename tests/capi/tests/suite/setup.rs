//! Joining and leaving: how often, from which thread, with which status, and what the other PEs do at that time.

use cushmem_capi_tests::{Finished, Library, Rig};

const PROGRAM: &str = include_str!("setup.c");
const THREADS: &str = include_str!("threads.c");
const PTHREAD_EXIT: &str = include_str!("pthread-exit.c");
const NONE: &[(&str, &str)] = &[("CUSHMEM_GPU", "none")];

fn jobs(test: &str, each: impl Fn(&dyn Fn(&[&str]) -> Finished)) {
    let Some(rig) = Rig::find(&format!("capi::{test}")) else { return };
    let options = ["-std=gnu99", "-pthread"];
    let program = rig.compile("setup.c", PROGRAM, Library::Shared, &options);
    each(&|arguments| rig.run(&program, 2, arguments, NONE));
}

fn expect(job: &Finished, status: i32, lines: &[&str]) {
    assert_eq!(job.status, Some(status), "{job:#?}");
    for line in lines {
        assert!(job.lines.iter().any(|l| l.contains(line)), "`{line}` is not in {job:#?}");
    }
}

/// Catches a thread level that differs from the one asked for, or that a later call changes.
#[test]
fn every_thread_level_is_provided() {
    jobs("every_thread_level_is_provided", |run| {
        for level in ["0", "1", "2", "3"] {
            let job = run(&["levels", level]);
            let of = |pe: u32| [format!("PE {pe}: 0 {level} {level}"), format!("PE {pe}: {level}")];
            let mut lines = [of(0), of(1)].concat();
            lines.sort();
            assert_eq!((job.status, &job.lines), (Some(0), &lines));
        }
        let line =
            "shmem_init_thread: argument requested: 4 is not SHMEM_THREAD_SINGLE (0) to SHMEM_THREAD_MULTIPLE (3)";
        expect(&run(&["levels", "4"]), 134, &[line]);
        expect(&run(&["levels", "-1"]), 134, &["argument requested: -1 is not"]);
    });
}

/// Catches a job that the first of several `shmem_finalize` calls ends, or that none of them ends.
#[test]
fn calls_of_init_and_finalize_are_counted() {
    jobs("calls_of_init_and_finalize_are_counted", |run| {
        let job = run(&["pairs"]);
        assert_eq!((job.status, job.lines), (Some(0), ["PE 0: 2 1 0", "PE 1: 1 1 0"].map(str::to_owned).to_vec()));
        let job = run(&["surplus"]);
        assert_eq!((job.status, job.lines), (Some(0), ["PE 1: 0"].map(str::to_owned).to_vec()));
        expect(&run(&["finalize-first"]), 134, &["shmem_finalize: called before shmem_init"]);
        expect(&run(&["exit-before-init"]), 134, &["shmem_n_pes: called before shmem_init"]);
    });
}

/// Catches a forked child that leaves the job in its parent's place, or that never ends.
#[test]
fn children_are_not_pes() {
    jobs("children_are_no_pes", |run| {
        let job = run(&["fork"]);
        let lines = ["PE 0: 2", "PE 1: 1"].map(str::to_owned).to_vec();
        assert_eq!((job.status, job.lines), (Some(0), lines));
    });
}

/// Catches the end of a process that leaves the others waiting, or that is taken for another kind of end.
#[test]
fn an_exit_leaves_the_job_or_ends_it() {
    jobs("an_exit_leaves_the_job_or_ends_it", |run| {
        expect(&run(&["exit"]), 3, &["PE 1 exited with status 3"]);
        expect(&run(&["exit-at-once"]), 1, &["PE 1 exited with status 0 without finalize"]);
        for quiet in ["exit-well", "detached"] {
            let job = run(&[quiet]);
            assert_eq!((job.status, &job.lines), (Some(0), &vec![]), "{quiet}: {job:#?}");
        }
    });
}

/// Catches an end of the job that waits for waiting PEs, or that loses its status or what was printed. Some PEs wait
/// for ever, so the job would end at its time limit, with the status of that.
#[test]
fn any_thread_ends_the_job() {
    jobs("any_thread_ends_the_job", |run| {
        for others in ["global-exit", "global-exit-in-wait", "global-exit-in-finalize", "global-exit-of-locked-streams"]
        {
            let job = run(&[others]);
            expect(&job, 7, &["ended the job with status 7"]);
            assert!(
                others.ends_with("streams") || job.lines.iter().any(|l| l.contains("the end")),
                "{others}: {job:#?}"
            );
        }
    });
}

#[test]
fn what_is_accessible() {
    jobs("what_is_accessible", |run| {
        let job = run(&["accessible"]);
        let lines = ["PE 0: 11 100 100", "PE 1: 10 100 100"].map(str::to_owned).to_vec();
        assert_eq!((job.status, job.lines), (Some(0), lines));
    });
}

/// Catches a query that writes to NULL.
#[test]
fn answers_may_be_ignored() {
    jobs("nobody_need_take_an_answer", |run| {
        let job = run(&["null"]);
        let lines = ["PE 0: 6 cushmem", "PE 1: 6 cushmem"].map(str::to_owned).to_vec();
        assert_eq!((job.status, job.lines), (Some(0), lines));
    });
}

const LEAVING: &[&str] = &["-std=gnu11", "-D_GNU_SOURCE", "-pthread"];

/// Catches threads of the library that keep a process alive for ever after its own threads have left it.
#[test]
fn the_first_thread_may_leave_before_the_others() {
    let Some(rig) = Rig::find("capi::the_first_thread_may_leave_before_the_others") else { return };
    let program = rig.compile("pthread-exit.c", PTHREAD_EXIT, Library::Shared, LEAVING);
    for variables in [NONE, &[("CUSHMEM_GPU", "soft")]] {
        for (how, end) in [("", ""), ("no-finalize", ", at its end")] {
            let job = rig.run(&program, 2, &[how], variables);
            let lines = [0, 1].map(|pe| format!("PE {pe} of 2{end}")).to_vec();
            assert_eq!((job.status, job.lines), (Some(0), lines), "{variables:?} {how}");
        }
    }
}

/// Catches a process that ends while its threads work. Threads have the program's name unless they choose another,
/// which need not be valid text.
#[test]
fn threads_count_whatever_they_are_called() {
    let Some(rig) = Rig::find("capi::threads_count_whatever_they_are_called") else { return };
    let program = rig.compile("cuda-program.c", PTHREAD_EXIT, Library::Shared, LEAVING);
    let copy = |name: &str| {
        let path = program.with_file_name(name);
        xtask::executable::copy(&program, &path).expect("there is room for a copy");
        path
    };
    let (driver, library) = (copy("cuda-EvtHandlr"), copy("cushmem-demo"));
    for (program, how) in [(&program, ""), (&driver, ""), (&library, ""), (&program, "odd-name")] {
        let job = rig.run(program, 1, &[how], NONE);
        assert_eq!((job.status, job.lines), (Some(0), vec!["PE 0 of 1".to_owned()]), "{program:?} {how}");
    }
}

/// Catches the thread that keeps a job together if it keeps its process alive for ever: the other threads end when the
/// process's exit handlers finalize.
#[test]
fn the_process_that_keeps_a_job_together_ends_as_others() {
    let Some(rig) = Rig::find("capi::the_process_that_keeps_a_job_together_ends_as_others") else { return };
    let program = rig.compile("pthread-exit.c", PTHREAD_EXIT, Library::Shared, LEAVING);
    let mut command = std::process::Command::new("timeout");
    let job = Rig::finish(
        command.args(["-s", "KILL", "60"]).arg(&program).args(["no-finalize", "id"]).envs(NONE.iter().copied()),
    );
    assert_eq!((job.status, job.lines), (Some(0), vec!["PE 0 of 1, at its end".to_owned()]));
}

/// Catches updates that are lost, data that arrives after its signal or its quiet, and a thread that waits for
/// something that another thread holds.
#[test]
fn threads_of_a_pe_work_at_once() {
    let Some(rig) = Rig::find("capi::threads_of_a_pe_work_at_once") else { return };
    let program = rig.compile("threads.c", THREADS, Library::Shared, &["-std=c11", "-pthread"]);
    for variables in [NONE, &[("CUSHMEM_GPU", "soft")], &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")]] {
        for n in [1, 2] {
            let job = rig.run(&program, n, &[], variables);
            let lines: Vec<_> = (0..n).map(|pe| format!("PE {pe}: 0 wrong")).collect();
            assert_eq!((job.status, job.lines), (Some(0), lines), "{variables:?}");
        }
    }
}
