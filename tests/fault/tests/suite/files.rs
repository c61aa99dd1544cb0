//! Kills while kernels read a file through a cache, or write one, or are about to: requests to the system may be under
//! way.

use cushmem_fault_tests::{Before, Job, children, seeded};
use cushmem_scratch::Folder;
use nix::sys::signal::{Signal, kill};
use std::time::Duration;

const ROUNDS: usize = 6;

/// Catches a process that waits for a file's request for ever when the other PE is gone, and one that the system cannot
/// end. The rounds in which the program had finished do not count.
#[test]
fn kills_while_a_file_is_read_leave_nothing() {
    let (mut random, mut counted) = (seeded("kills_while_a_file_is_read_leave_nothing"), 0);
    for round in 0..ROUNDS {
        let before = Before::look();
        let words =
            ["--json", "--scale", "8", "--iterations", "10", "--line", "512", "--cache", "16", "--folder", "{}"];
        let (job, _folder) = Job::program(2, None, "pagerank", &words);
        let job = job.env("CUSHMEM_GPU", "soft").start();
        // What comes next is the file.
        let rows = job.wait_for_output("\n", 5);
        assert!(rows.contains("\"edges_in\":\"host_in_place\""), "the last row before the file's: {rows}");
        let (_, of_host) = rows.split_once("\"edges_in\":\"host\"").expect("the row of host memory");
        let (_, seconds) = of_host.split_once("\"seconds\":").expect("how long its second half took");
        let seconds: f64 = seconds.split(',').next().and_then(|number| number.parse().ok()).expect("a number");
        // Reading the file takes at least twice that.
        std::thread::sleep(Duration::from_secs_f64(seconds * (10 + random.below(180)) as f64 / 100.0));
        let victim = job.supervisor_now().and_then(|supervisor| children(supervisor).get(round % 2).copied());
        let killed = victim.is_some_and(|pe| kill(pe, Signal::SIGKILL).is_ok());
        let mark = job.mark.clone();
        let finished = job.finish();
        if killed && finished.code() != 0 {
            assert_eq!(finished.code(), 137, "{finished:#?}");
            assert!(finished.stderr.contains("was killed by signal 9 (SIGKILL)"), "{finished:#?}");
            counted += 1;
        }
        before.expect_nothing_left(&mark, &format!("round {round}, after the death of {victim:?}"));
    }
    assert!(counted >= ROUNDS / 2, "only {counted} of {ROUNDS} kills came in time");
}

/// Catches the same while lines are written back, and a line that comes to another place, or in words that are torn:
/// each word of the file is that of its index in some round, or still 0.
#[test]
fn kills_while_a_file_is_written_leave_nothing() {
    const BYTES: usize = 256 * 4096;
    let mut random = seeded("kills_while_a_file_is_written_leave_nothing");
    let mut rewritten = 0;
    for round in 0..ROUNDS {
        let before = Before::look();
        let folder = Folder::new("lines").expect("a folder");
        let path = folder.join("lines");
        let step = format!("lines={}", path.display());
        let job = Job::steps(2, &["--timeout", "60"], &["init", &step]).env("CUSHMEM_GPU", "soft").start();
        job.wait_for_output("lines", 2);
        std::thread::sleep(Duration::from_micros(random.below(300_000) as u64));
        let victim = children(job.supervisor())[round % 2];
        kill(victim, Signal::SIGKILL).expect("it is there");
        let mark = job.mark.clone();
        let finished = job.finish();
        let context = format!("round {round}, after the death of {victim:?}");
        assert_eq!(finished.code(), 137, "{context}: {finished:#?}");
        assert!(finished.stderr.contains("was killed by signal 9 (SIGKILL)"), "{context}: {finished:#?}");
        before.expect_nothing_left(&mark, &context);
        let bytes = std::fs::read(&path).expect("read the file");
        assert_eq!(bytes.len(), BYTES, "{context}: the file has another length");
        for (index, word) in bytes.chunks(8).enumerate() {
            let word = u64::from_ne_bytes(word.try_into().expect("8 bytes"));
            let is_whole = word == 0 || word >> 32 == index as u64 && word as u32 != 0;
            assert!(is_whole, "{context}: element {index} is {word:#x}");
            rewritten += u32::from(word as u32 > 1);
        }
    }
    assert!(rewritten > 0, "all PEs were killed before their second round");
}
