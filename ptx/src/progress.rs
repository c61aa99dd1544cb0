//! Says what is being done, in a line that the next one replaces, or in lines of their own if the error output is not a
//! terminal.

use std::io::{IsTerminal, Write, stderr};

/// Steps of which each is announced. When it goes, so does the line on the terminal.
pub struct Progress {
    step: usize,
    steps: usize,
    is_terminal: bool,
}

impl Progress {
    /// So many steps will follow.
    pub fn new(steps: usize) -> Self {
        Self { step: 0, steps, is_terminal: stderr().is_terminal() }
    }

    /// Announces the next step.
    pub fn next(&mut self, what: &str) {
        self.step += 1;
        let of = if self.steps > 1 { format!(" ({} of {})", self.step, self.steps) } else { String::new() };
        // If nobody reads it, the work goes on.
        let _ = if self.is_terminal {
            write!(stderr(), "\r{what}{of} …\x1b[K")
        } else {
            writeln!(stderr(), "{what}{of} …")
        };
        let _ = stderr().flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal && self.step > 0 {
            let _ = write!(stderr(), "\r\x1b[K").and_then(|()| stderr().flush());
        }
    }
}
