use crate::shmemrun;
use std::process::Command;
use std::time::{Duration, Instant};
use xtask::launch::is_on_hosts;

/// Asks `shmemrun --status` what the PEs of this job are waiting in, until the answer contains all of these texts. On
/// several hosts, nobody answers a PE.
pub fn expect_status(texts: &[&str]) {
    if is_on_hosts() {
        return;
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
