//! What processes of this machine are doing.

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// It runs, or waits for something.
    Runs,
    /// It is stopped, by a signal or a debugger.
    IsStopped,
    /// It has ended.
    IsGone,
}

impl Process {
    /// What the process with this number does.
    pub fn of(number: u32) -> Self {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        // The state comes behind the name, which may contain any character.
        match stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()) {
            None | Some('Z' | 'X') => Self::IsGone,
            Some('T' | 't') => Self::IsStopped,
            Some(_) => Self::Runs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::time::{Duration, Instant};

    #[test]
    fn a_process_runs_is_stopped_and_ends() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("start a process");
        let number = child.id();
        let becomes = |state: Process| {
            let limit = Instant::now() + Duration::from_secs(60);
            while Process::of(number) != state && Instant::now() < limit {
                std::thread::yield_now();
            }
            Process::of(number) == state
        };
        let signal = |signal| kill(Pid::from_raw(number as i32), signal).expect("it is there");
        let mut seen = vec![becomes(Process::Runs)];
        signal(Signal::SIGSTOP);
        seen.push(becomes(Process::IsStopped));
        signal(Signal::SIGCONT);
        seen.push(becomes(Process::Runs));
        signal(Signal::SIGKILL);
        // Nobody has waited for it yet.
        seen.push(becomes(Process::IsGone));
        child.wait().expect("it ends");
        seen.push(becomes(Process::IsGone));
        assert_eq!(seen, [true; 5]);
    }
}
