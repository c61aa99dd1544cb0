//! A line on the terminal that shows the progress of a run.

use std::io::Write;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const RENEW_EVERY: Duration = Duration::from_millis(100);

/// The progress line. It is erased when this is dropped.
pub struct Progress {
    active: bool,
    what: &'static str,
    all: u64,
    start: Instant,
    shown: Option<Instant>,
}

impl Progress {
    /// A line for `all` of `what`, such as iterations, if `active`.
    pub fn new(active: bool, what: &'static str, all: u64) -> Self {
        Self { active, what, all, start: Instant::now(), shown: None }
    }

    /// Shows what `done` returns while `work` runs. A separate thread does this, so that `work` takes the same time
    /// whether or not somebody watches.
    pub fn during<R>(mut self, done: impl Fn() -> u64 + Send, work: impl FnOnce() -> R) -> R {
        if !self.active {
            return work();
        }
        std::thread::scope(|scope| {
            let (_working, ended) = mpsc::channel::<()>();
            // If no thread can be created, the run continues without the line.
            let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                // The other end is dropped when `work` has returned.
                while ended.recv_timeout(RENEW_EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.show(done());
                }
            });
            work()
        })
    }

    /// Shows that `done` of them are over.
    pub fn show(&mut self, done: u64) {
        if !self.active || self.shown.is_some_and(|at| at.elapsed() < RENEW_EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let percent = 100 * done / self.all.max(1);
        write(&format!(
            "\r{} {done} of {} ({percent} %, {:.1} s)\x1b[K",
            self.what,
            self.all,
            self.start.elapsed().as_secs_f64()
        ));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            write("\r\x1b[K");
        }
    }
}

fn write(text: &str) {
    // If the terminal has gone, the run continues.
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a line that is written only after the work has ended, or that delays the work.
    #[test]
    fn another_thread_looks_while_the_work_goes_on() {
        let (looked, looks) = mpsc::channel();
        let done = move || {
            let _ = looked.send(());
            1
        };
        let work = || looks.recv_timeout(Duration::from_secs(60));
        assert_eq!(Progress::new(true, "step", 2).during(done, work), Ok(()));
        assert_eq!(Progress::new(false, "step", 2).during(|| unreachable!("nobody watches"), || 5), 5);
    }
}
