use crate::shmemrun;
use std::panic::Location;
use std::process::Command;
use std::time::{Duration, Instant};
use xtask::launch::is_on_hosts;
use xtask::left_out::record;

/// Asks `shmemrun --status` what the PEs of this job are waiting in, until the answer contains all of these texts. On
/// several hosts, nobody answers a PE: this is recorded as left out, and the test must not rely on the wait.
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
        if texts.iter().all(|wanted| text.contains(wanted)) {
            return;
        }
        assert!(Instant::now() < deadline, "{texts:?} are not in:\n{text}{}", String::from_utf8_lossy(&output.stderr));
        std::thread::sleep(Duration::from_millis(10));
    }
}
