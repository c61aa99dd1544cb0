//! For threads of the library that others wait for: a panic of such a thread must not leave them waiting.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the work of such a thread. A panic, which has been reported by then, ends the process and therefore the job.
pub(crate) fn or_abort<T>(work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| std::process::abort())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::time::Duration;

    /// Tells the process that the test starts what to do.
    const ROLE: &str = "CUSHMEM_TEST_ROLE";
    const LIMIT: Duration = Duration::from_secs(60);

    /// Catches a panic that ends only its thread: the process then lives until the time limit and exits with success.
    #[test]
    fn a_panic_of_a_vital_thread_ends_the_process() {
        if std::env::var_os(ROLE).is_some() {
            let service = std::thread::spawn(|| or_abort(|| panic!("as the test wants")));
            service.join().expect("the process has ended by then");
            std::thread::sleep(LIMIT);
            return;
        }
        or_abort(|| {});
        let mut own = Command::new(std::env::current_exe().expect("a test knows its own path"));
        own.args(["--exact", "sync::guard::tests::a_panic_of_a_vital_thread_ends_the_process", "--nocapture"]);
        let ended = own.env(ROLE, "yes").output().expect("this program starts");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.signal(), Some(nix::libc::SIGABRT), "{said}");
        assert!(said.contains("as the test wants"), "{said}");
    }
}
