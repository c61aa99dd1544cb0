//! A line on the terminal that shows the progress of a run.

use std::io::Write;
use std::time::{Duration, Instant};

const RENEW_EVERY: Duration = Duration::from_millis(100);

/// The line. It vanishes when this is dropped.
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

    /// `done` of them are over.
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
    // If the terminal has gone, the run goes on.
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
