//! How jobs end: exit statuses, messages, signals, limits.

use cushmem_fault_tests::{Before, Job, children, eventually, expect_at_time_limit, fault_pe, is_pending, state};
use nix::sys::signal::Signal;
use xtask::launch::word;

#[test]
fn a_good_job_exits_with_0_and_says_nothing() {
    let job = Job::steps(4, &[], &["join", "gather=1000", "fence=x", "finalize"]).run();
    assert_eq!((job.code(), job.stderr.as_str()), (0, ""), "{job:?}");
}

#[test]
fn programs_that_do_not_use_the_library_run_too() {
    let job = Job::new(["-n", "3", "true"]).run();
    assert_eq!((job.code(), job.stderr.as_str()), (0, ""), "{job:?}");
}

#[test]
fn without_a_launcher_a_program_is_a_job_of_one_pe() {
    let steps = ["join", "gather=10", "fence=x", "finalize", "exit=4"];
    assert_eq!(std::process::Command::new(fault_pe()).args(steps).status().unwrap().code(), Some(4));
}

#[test]
fn the_first_failure_gives_the_exit_status() {
    let before = Before::look();
    let job = Job::steps(3, &[], &["join", "fence=x", "1:exit=7", "spawn", "sleep"]).start();
    let mark = job.mark.clone();
    job.finish().expect(7, &["shmemrun: PE 1 exited with status 7"]);
    before.expect_nothing_left(&mark, "after a failure");
}

#[test]
fn a_signal_is_named_with_the_last_five_lines() {
    let lines = ["1:err=one", "1:err=two", "1:err=three", "1:err=four", "1:err=five", "1:err=six"];
    let others = ["0:err=other"; 20];
    let steps = [&["join"][..], &lines, &["fence=x"], &others, &["fence=y", "1:signal=11", "sleep"]].concat();
    let job = Job::steps(2, &[], &steps).run();
    job.expect(139, &["PE 1 was killed by signal 11 (SIGSEGV); its last lines on stderr:"]);
    let report = job.stderr.split("SIGSEGV").nth(1).unwrap();
    assert!(!report.contains("one"), "{report}");
    for line in ["two", "three", "four", "five", "six"] {
        assert!(report.contains(&format!("  | {line}\n")), "{report}");
    }
}

/// Catches a PE that synchronises with the others, or waits for its GPU, while it panics: the others would wait for
/// ever.
#[test]
fn a_panic_ends_the_job_while_others_wait() {
    for gpu in ["none", "soft"] {
        let before = Before::look();
        let job = Job::steps(3, &[], &["init", "malloc_gpu=8", "1:panic", "barrier", "leave"]).env("CUSHMEM_GPU", gpu);
        let job = job.start();
        let mark = job.mark.clone();
        job.finish().expect(101, &["the step said so", "shmemrun: PE 1 exited with status 101"]);
        before.expect_nothing_left(&mark, "after a panic");
    }
}

#[test]
fn lines_that_were_just_seen_are_not_repeated() {
    let job = Job::steps(2, &[], &["join", "1:err=the reason", "1:exit=3", "sleep"]).run();
    job.expect(3, &["the reason\nshmemrun: PE 1 exited with status 3\n"]);
    assert_eq!(job.stderr.matches("the reason").count(), 1, "{job:?}");
    // Catches a reason that is told twice because other PEs have the same one.
    let all =
        Job::steps(4, &[], &["join", "1:err=the reason", "fence=x", "0:err=another", "fence=y", "1:exit=3", "sleep"]);
    let job = all.run();
    job.expect(3, &["the reason\nanother\nshmemrun: PE 1 exited with status 3\n"]);
}

/// What a PE's process sends, and how a line shows it.
const EVIL: [&str; 2] = ["\u{1b}[31m\nshmemrun: forged", r"\x1b[31m\x0ashmemrun: forged"];

/// Catches text of a PE that the launcher, or another PE, prints as it is: it would control the terminal, and begin
/// lines that look like those of others.
#[test]
fn what_a_pe_sends_is_shown_and_not_obeyed() {
    let [evil, shown] = EVIL;
    let is_harmless = |text: &str| !text.contains("\u{1b}") && !text.contains("\nshmemrun: forged");
    let abort = format!("1:abort=3:{evil}");
    let job = Job::steps(2, &[], &["join", "fence=x", &abort, "sleep"]).run();
    job.expect(3, &[&format!("shmemrun: PE 1 ended the job with status 3: {shown}\n")]);
    assert!(is_harmless(&job.stderr), "{job:?}");
    let fence = format!("0:fence={evil}");
    let job = |limit: &str| Job::steps(2, &["--timeout", limit], &["join", &fence, "sleep"]);
    let texts = [format!("fence '{shown}' was waiting for PE 1\n"), format!("PE 0: fence {shown} for ")];
    let job = expect_at_time_limit(job, &texts.each_ref().map(String::as_str));
    assert!(is_harmless(&job.stderr), "{job:?}");
    // Without a launcher, PEs print it themselves.
    let loose = Job::loose(1, &["join", &format!("abort=3:{evil}")]).remove(0).run();
    loose.expect(3, &[&format!("cushmem: PE 0: {shown}\n")]);
    assert!(is_harmless(&loose.stderr), "{loose:?}");
}

#[test]
fn a_real_time_signal_is_named_by_number() {
    Job::steps(2, &[], &["1:signal=40", "sleep"]).run().expect(168, &["PE 1 was killed by signal 40"]);
}

#[test]
fn an_abort_ends_the_job_with_its_status_and_message() {
    let job = Job::steps(3, &[], &["join", "2:abort=42", "sleep"]).run();
    job.expect(42, &["PE 2 ended the job with status 42: the step said so"]);
}

/// Catches output that PEs lose because another one ends the job, however it does. A program below a wrapper is reached
/// too, and one that cannot end by itself ends all the same.
#[test]
fn the_other_pes_lose_nothing_that_they_printed() {
    for (last, code) in [("2:abort=42", 42), ("2:abort=0", 0), ("2:exit=7", 7), ("2:exit=0", 1), ("2:signal=11", 139)] {
        let steps = ["join", "0:keep=last ", "1:keep=words ", "fence=x", last, "sleep"];
        let job = Job::steps(3, &[], &steps).run();
        assert_eq!(job.code(), code, "{last}: {job:?}");
        assert!(job.stdout.contains("last ") && job.stdout.contains("words "), "{last}: {job:?}");
    }
    let pe = fault_pe();
    let script = format!("{} join keep=words fence=x 1:abort=3 sleep; sleep 100", word(&pe));
    let job = Job::new(["-n", "2", "sh", "-c", &script]).run();
    assert_eq!((job.code(), job.stdout.as_str()), (3, "wordswords"), "{job:?}");
    let job = Job::steps(3, &[], &["join", "0:keep=words", "fence=x", "1:stop", "2:abort=4", "sleep"]).run();
    assert_eq!((job.code(), job.stdout.as_str()), (4, "words"), "{job:?}");
}

#[test]
fn an_abort_with_status_0_ends_the_job_well() {
    Job::steps(2, &[], &["join", "1:abort=0", "sleep"]).run().expect(0, &["PE 1 ended the job with status 0"]);
}

#[test]
fn the_time_limit_names_who_was_running_and_what_they_waited_for() {
    let steps = ["join", "fence=start", "0:exit=0", "1:fence=late", "sleep"];
    let late = |limit: &str| Job::steps(3, &["--timeout", limit], &["join", "2:sleep", "fence=late"]);
    let texts = ["time limit of ", " s reached: PEs 0, 1, 2 were still running; fence 'late' was waiting for PE 2"];
    expect_at_time_limit(late, &texts);
    // PE 0 leaves without finalize. That ends the job first, however long the limit is.
    Job::steps(3, &["--timeout", "30"], &steps).run().expect(1, &["PE 0 exited with status 0 without finalize"]);
}

#[test]
fn exit_0_without_finalize_is_a_failure() {
    let job = Job::steps(3, &[], &["join", "2:exit=0", "finalize"]).run();
    job.expect(1, &["PE 2 exited with status 0 without finalize"]);
}

#[test]
fn a_failure_after_finalize_counts() {
    Job::steps(2, &[], &["join", "finalize", "1:exit=9"]).run().expect(9, &["PE 1 exited with status 9"]);
}

#[test]
fn sigint_reaches_all_pes_and_they_may_finish() {
    let script = "trap 'echo caught >&2; exit 5' INT; echo ready; while :; do sleep 0.05; done";
    let job = Job::new(["-n", "2", "sh", "-c", script]).start();
    job.wait_for_output("ready", 2);
    job.signal(Signal::SIGINT);
    let job = job.finish();
    job.expect(5, &["exited with status 5"]);
    assert!(job.stderr.matches("caught").count() >= 2, "{job:?}");
}

#[test]
fn a_second_sigterm_kills() {
    let script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
    let job = Job::new(["-n", "2", "sh", "-c", script]).start();
    job.wait_for_output("ready", 2);
    job.signal(Signal::SIGTERM);
    // While the first one is pending, another one would be the same.
    eventually("the front takes the signal", || (!is_pending(job.pid(), Signal::SIGTERM)).then_some(()));
    job.signal(Signal::SIGTERM);
    job.finish().expect(143, &["second signal (SIGTERM)"]);
}

/// Catches a signal that a stopped PE never takes. If the other PEs have ended, nothing else ends the job.
#[test]
fn a_signal_ends_stopped_pes_too() {
    let job = Job::steps(1, &["--timeout", "60"], &["init", "out=stops", "stop", "sleep"]).start();
    let pe = eventually("the PE stops", || children(job.supervisor()).into_iter().find(|pid| state(*pid) == Some('T')));
    job.signal(Signal::SIGTERM);
    job.finish().expect(143, &["killed by signal 15 (SIGTERM)"]);
    assert_eq!(state(pe), None);
}

#[test]
fn a_stopped_job_goes_on_when_continued() {
    let script = "trap 'echo done; exit 0' USR1; echo ready; while :; do sleep 0.05; done";
    let job = Job::new(["-n", "2", "sh", "-c", script]).start();
    job.wait_for_output("ready", 2);
    job.signal(Signal::SIGTSTP);
    // A signal to continue that came earlier would be lost.
    eventually("the front stops", || (state(job.pid()) == Some('T')).then_some(()));
    job.signal(Signal::SIGCONT);
    job.signal(Signal::SIGUSR1);
    job.wait_for_output("done", 2);
    job.finish().expect(0, &[]);
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    Job::new(["-n", "2", "no-such-program"]).run().expect(127, &["program 'no-such-program': not found; give a path"]);
    let job = Job::new(["-n", "2", "./no-such-program"]).run();
    assert!(!job.stderr.contains("give a path"), "{job:?}");
    job.expect(127, &["program './no-such-program': not found"]);
    Job::new(["-n", "2", "/etc/passwd"]).run().expect(126, &["program '/etc/passwd': not an executable file"]);
}

#[test]
fn bad_arguments_are_one_clear_line() {
    for (args, text) in [
        (&["-n", "0", "true"][..], "'0' for '-n <N>': 0 is not in 1..=65536"),
        (&["-n", "two", "true"], "'two' for '-n <N>'"),
        (&["-n", "2", "--timeout", "-1", "true"], "--timeout"),
        (
            &["-n", "2", "--map", "spiral", "true"],
            "'spiral' for '--map <ORDER>': not one of block, cyclic, random:SEED",
        ),
        (&["-n", "2", "--map", "random", "true"], "random needs a SEED, a whole number from 0 to 18446744073709551615"),
        (&["-n", "2", "--map", "random:x", "true"], "SEED 'x' is not a whole number from 0 to 18446744073709551615"),
        (&["-n", "2"], "PROGRAM"),
    ] {
        let job = Job::new(args).run();
        job.expect(2, &[text]);
        assert_eq!(job.stderr.lines().count(), 1, "{job:?}");
    }
}

/// Catches counts that are lost with a PE that is killed, a timeline that a crash prevents, and a cause that is said
/// only when a long timeline has been written.
#[test]
fn a_pe_that_is_killed_leaves_what_it_has_counted() {
    let before = Before::look();
    let folder = cushmem_scratch::Folder::new("killed").expect("a folder");
    let trace = folder.join("trace.json");
    let options = ["--stats", "--trace", trace.to_str().expect("plain words")];
    let steps = ["init", "barrier", "barrier", "1:signal=9", "sleep"];
    let job = Job::steps(2, &options, &steps).env("CUSHMEM_GPU", "none").start();
    let mark = job.mark.clone();
    let job = job.finish();
    job.expect(137, &["PE 1 was killed by signal 9 (SIGKILL)"]);
    assert!(job.stderr.contains("\n  barrier          -                               4 "), "{}", job.stderr);
    let at = ["PE 1 was killed by", "operations of 2 PEs", " events in "].map(|text| job.stderr.find(text));
    assert!(at.is_sorted() && at[0].is_some(), "{}", job.stderr);
    assert!(job.stderr.contains("PEs 0, 1 did not leave the job: what they did is counted up to their end"), "{job:?}");
    let timeline = std::fs::read_to_string(&trace).expect("it was written");
    assert_eq!(timeline.matches("\"name\":\"barrier\"").count(), 4, "{timeline}");
    before.expect_nothing_left(&mark, "after a PE was killed that records");
}
