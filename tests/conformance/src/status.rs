use crate::shmemrun;
use std::panic::Location;
use std::process::Command;
use std::time::{Duration, Instant};
use xtask::launch::is_on_hosts;
use xtask::left_out::record;

/// Asks `shmemrun --status` what the PEs of this job are waiting in, until the answer contains all of these texts. `…`
/// in a text stands for anything, in a line. On several hosts, nobody answers a PE: this is recorded as left out, and
/// the test must not rely on the wait.
#[track_caller]
pub fn expect_status(texts: &[&str]) {
    if is_on_hosts() {
        let caller = Location::caller();
        let what = format!("the status of a job, {}:{}", caller.file(), caller.line());
        return record(&what, "nobody answers a PE of a job on several hosts");
    }
    let job = std::env::var("CUSHMEM_JOB").expect("a PE knows its job");
    let deadline = Instant::now() + Duration::from_secs(50);
    loop {
        let output = Command::new(shmemrun()).args(["--status", &job]).output().expect("shmemrun starts");
        let text = String::from_utf8_lossy(&output.stdout);
        if texts.iter().all(|wanted| has(&text, wanted)) {
            return;
        }
        assert!(Instant::now() < deadline, "{texts:?} are not in:\n{text}{}", String::from_utf8_lossy(&output.stderr));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether an answer has a text, of which `…` stands for anything in a line.
fn has(answer: &str, wanted: &str) -> bool {
    let in_order = |line: &str| {
        let mut rest = line;
        wanted.split('…').all(|part| rest.split_once(part).map(|(_, after)| rest = after).is_some())
    };
    answer.contains(wanted) || answer.lines().any(in_order)
}

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn parts_are_found_in_order() {
        let answer = "PE 0: computing\nPE 1: proxy: 4 commands in 2 batches, 0 staged copies, 3 naps\n";
        for (wanted, expected) in [
            ("computing\nPE 1: proxy: 4 commands", true),
            ("PE 1: … batches, 0 staged copies", true),
            ("PE 1: … batches, 1 staged copies", false),
            ("PE 1: … naps … batches", false),
            ("PE 0: … batches", false),
        ] {
            assert_eq!(has(answer, wanted), expected, "{wanted}");
        }
    }
}

/// Waits until all threads of a process of this machine, to which `SIGSTOP` was sent, have stopped. They do so some
/// time after the signal, and could still copy for others.
pub fn wait_until_stopped(process: i32) {
    let start = Instant::now();
    let is_stopped = |task: std::io::Result<std::fs::DirEntry>| {
        let stat = task.and_then(|task| std::fs::read_to_string(task.path().join("stat")));
        stat.is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" T")))
    };
    while !std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs").all(is_stopped) {
        assert!(start.elapsed() < Duration::from_secs(10), "process {process} does not stop");
        std::thread::yield_now();
    }
}
