//! Whether kernels progress, for `shmemrun --status` and the message of a time limit.
//!
//! A kernel reports nothing for this. What the CPU sees of it anyway is enough: the commands that the proxy has taken,
//! the launches that have been made and have ended, and the record of a lane that waits for long, with the value that
//! it last saw. The proxy looks at these a hundred times a second, so that somebody who asks once learns since when
//! nothing has changed.
//!
//! Operations that a kernel carries out itself, by loads and stores, are not seen. So nothing seen is no proof that a
//! kernel is stuck, even if a lane waits: other lanes may work. And all kernels of a PE are seen together, so one that
//! is stuck is hidden by another one that is not. Therefore it is said what was seen, and of how many streams.

use super::launches::Launches;
use super::ring::CommandRing;
use crate::sync::control::ReportWords;
use crate::sync::locked;
use cushmem_abi::{CommandHead, CommandKind, WaitRecord};
use cushmem_bootstrap::Seconds;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often to look.
const EVERY: Duration = Duration::from_millis(10);
/// How long after the last change it is said that there is none.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long CUDA may take to report that a kernel has ended itself.
pub(super) const REPORT_LIMIT: Duration = Duration::from_secs(10);
/// The variables by which users ask CUDA to write a file with the GPU's memory, or to wait for a debugger, before it
/// reports that, however long that takes.
const FOR_DEBUGGERS: [&str; 2] = ["CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "CUDA_DEVICE_WAITS_ON_EXCEPTION"];

/// What is seen of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// Commands that the proxy has taken.
    commands: u64,
    /// Launches that were made, and those that have ended.
    launches: u64,
    wait: Option<WaitRecord>,
}

/// What was seen, and since when.
#[derive(Clone, Copy, Debug)]
struct History {
    seen: Seen,
    /// What changed then.
    change: &'static str,
    since: Instant,
    looked: Instant,
    /// Since when a kernel has given up and threads wait in the driver, and when that was last seen.
    unreported: Option<(Instant, Instant)>,
}

impl History {
    /// Notes whether a kernel has given up and threads wait in the driver all the same. Returns whether that has been
    /// so for too long. If nobody has looked for some time, the process may have been stopped: the time begins again.
    fn note_unreported(&mut self, is_so: bool, now: Instant) -> bool {
        let since = self.unreported.filter(|(_, looked)| now.saturating_duration_since(*looked) < PATIENCE);
        let since = since.map_or(now, |(since, _)| since);
        self.unreported = is_so.then_some((since, now));
        is_so && now.saturating_duration_since(since) >= REPORT_LIMIT
    }

    fn note(&mut self, seen: Seen, now: Instant) {
        self.looked = now;
        if seen != self.seen {
            self.change = if seen.commands != self.seen.commands {
                "commands were taken"
            } else if seen.wait != self.seen.wait {
                "the wait of a lane has changed"
            } else {
                "one was launched or has ended"
            };
            (self.seen, self.since) = (seen, now);
        }
    }

    /// What to say of it, if kernels may be running on this many streams. `one` describes a command.
    fn describe(&self, now: Instant, streams: usize, one: &str, is_full: bool) -> String {
        let Seen { commands, wait, .. } = self.seen;
        let unchanged = now.saturating_duration_since(self.since);
        let tenths = |time: Duration| Seconds(Duration::from_millis(time.as_millis() as u64 / 100 * 100));
        let age = tenths(unchanged);
        let unreported = self.unreported.map(|(since, _)| now.saturating_duration_since(since));
        let unreported = unreported.filter(|time| *time >= PATIENCE).map(tenths);
        let how = match (unreported, wait) {
            (Some(age), _) => format!("one has ended itself, and CUDA has not reported that for {age}"),
            _ if unchanged < PATIENCE && streams > 1 => {
                format!("on {streams} streams, at least one progressing ({})", self.change)
            }
            _ if unchanged < PATIENCE => format!("progressing ({})", self.change),
            (None, Some(_)) => format!("no progress seen for {age}"),
            (None, None) => format!(
                "nothing seen for {age}: they have ended, compute, or work on memory that they reach themselves"
            ),
        };
        let full = if is_full { "; the command ring is full" } else { "" };
        let commands = match commands {
            0 => "no command so far".to_owned(),
            1 => format!("1 command so far{one}"),
            n => format!("{n} commands so far{one}"),
        };
        format!("kernels: {how}; {commands}{full}")
    }
}

/// What the proxy keeps of it.
pub(super) struct Progress {
    launches: Launches,
    record: ReportWords,
    /// Whether the driver should report soon that a kernel has ended itself.
    is_prompt: bool,
    history: Mutex<History>,
}

impl Progress {
    pub(super) fn new(launches: Launches, record: ReportWords, is_emulated: bool) -> Self {
        let now = Instant::now();
        let history =
            History { seen: Seen::default(), change: "just started", since: now, looked: now, unreported: None };
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        let is_prompt = !is_emulated && !FOR_DEBUGGERS.into_iter().any(is_set);
        Self { launches, record, is_prompt, history: Mutex::new(history) }
    }

    /// Looks, unless it has just done so. Returns whether a kernel has given up, which CUDA does not report to the
    /// threads that wait for it.
    pub(super) fn look(&self, ring: &CommandRing, gave_up: impl FnOnce() -> bool) -> bool {
        let now = Instant::now();
        let mut history = locked(&self.history);
        if now.saturating_duration_since(history.looked) < EVERY {
            return false;
        }
        history.note(self.seen(ring), now);
        history.note_unreported(self.is_prompt && self.launches.are_awaited() && gave_up(), now)
    }

    fn seen(&self, ring: &CommandRing) -> Seen {
        Seen { commands: ring.taken(), launches: self.launches.changes(), wait: self.record.read_wait() }
    }

    /// What to say of the program's kernels that may be running, and of what stays on the GPU; `None` if there is
    /// neither.
    pub(super) fn describe(&self, ring: &CommandRing) -> Option<String> {
        let now = Instant::now();
        let mut history = locked(&self.history);
        history.note(self.seen(ring), now);
        // Whether kernels that the program launches by itself are running is not known, unless they wait.
        let streams = self.launches.streams_of_program();
        let is_running = streams > 0 || history.seen.wait.is_some();
        let kernels = is_running.then(|| {
            let last = ring.last_taken().map(|head| described("last", head));
            // If the ring is full, another command is in the slot of the last one.
            let one = last.or_else(|| ring.next().map(|head| described("next", head)));
            history.describe(now, streams, &one.unwrap_or_default(), ring.is_full())
        });
        beside(kernels, &self.launches.staying())
    }
}

/// Adds what stays on the GPU to what is said of the program's kernels.
fn beside(kernels: Option<String>, staying: &[&str]) -> Option<String> {
    if staying.is_empty() {
        return kernels;
    }
    let kernels = kernels.unwrap_or_else(|| "kernels: none of the program".into());
    let verb = if staying.len() == 1 { "stays" } else { "stay" };
    Some(format!("{kernels}; {} {verb} on the GPU", staying.join(" and ")))
}

/// The last command, or the next one, by its head.
fn described(which: &str, head: u64) -> String {
    let CommandHead { kind, pe, .. } = CommandHead::of_bits(head);
    match CommandKind::of_number(kind) {
        None => String::new(),
        // These are for a team, a handle, a line, a chunk or a file.
        Some(
            kind @ (CommandKind::Sync
            | CommandKind::Prepared
            | CommandKind::Fire
            | CommandKind::Collective
            | CommandKind::GlobalExit
            | CommandKind::Print
            | CommandKind::FreeChunk
            | CommandKind::ReadFile
            | CommandKind::WriteFile),
        ) => format!(", the {which} one {kind}"),
        Some(kind) => format!(", the {which} one {kind} on PE {pe}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a kernel that is called stuck while it progresses, or because it only computes.
    #[test]
    fn what_changes_is_told_from_what_does_not() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut history =
            History { seen: Seen::default(), change: "just started", since: start, looked: start, unreported: None };
        let wait = |seen| Some(WaitRecord { comparison: 1, seen, ..WaitRecord::default() });
        let just = "kernels: progressing (just started); no command so far";
        assert_eq!(history.describe(at(500), 1, "", false), just);
        let computing =
            "kernels: nothing seen for 2.3 s: they have ended, compute, or work on memory that they reach themselves";
        assert!(history.describe(at(2_345), 1, "", false).starts_with(computing));
        history.note(Seen { commands: 1, launches: 1, wait: wait(1) }, at(3_000));
        let last =
            described("last", CommandHead { kind: CommandKind::Put.number(), width: 0, context: 0, pe: 3 }.bits());
        let said = |history: &History, ms| history.describe(at(ms), 1, &last, false);
        assert_eq!(
            said(&history, 3_900),
            "kernels: progressing (commands were taken); 1 command so far, the last one Put on PE 3"
        );
        let stuck = "kernels: no progress seen for 2 s; 1 command so far, the last one Put on PE 3";
        history.note(Seen { commands: 1, launches: 1, wait: wait(1) }, at(4_900));
        assert_eq!(said(&history, 5_000), stuck);
        assert_eq!(history.describe(at(5_000), 1, &last, true), format!("{stuck}; the command ring is full"));
        for (seen, change) in [
            (Seen { commands: 1, launches: 1, wait: wait(2) }, "(the wait of a lane has changed)"),
            (Seen { commands: 2, launches: 1, wait: wait(2) }, "(commands were taken)"),
            (Seen { commands: 2, launches: 2, wait: wait(2) }, "(one was launched or has ended)"),
        ] {
            history.note(seen, at(6_000));
            assert!(said(&history, 6_900).starts_with(&format!("kernels: progressing {change}; ")), "{change}");
            assert!(said(&history, 7_100).contains("no progress seen"));
            // A stuck kernel may be beside the one of which something was seen.
            let two = format!("kernels: on 2 streams, at least one progressing {change}; ");
            assert!(history.describe(at(6_900), 2, &last, false).starts_with(&two), "{change}");
            history.since = start;
        }
        let mut look = |is_so, from: u64, to| {
            (from..=to).step_by(10).filter(|ms| history.note_unreported(is_so, at(*ms))).collect::<Vec<_>>()
        };
        assert_eq!(look(true, 10_000, 19_990), [], "CUDA may still report it");
        assert_eq!((look(false, 20_000, 20_010), look(true, 20_020, 30_010)), (vec![], vec![]), "it has reported one");
        assert_eq!(look(true, 30_020, 30_030), [30_020, 30_030]);
        assert_eq!(look(true, 45_000, 54_990), [], "nobody has looked for 15 s");
        assert_eq!(look(true, 55_000, 55_000), [55_000]);
        let says =
            "kernels: one has ended itself, and CUDA has not reported that for 10.5 s; 2 commands so far, the last ";
        assert!(said(&history, 55_560).starts_with(says), "{}", said(&history, 55_560));
        history.unreported = Some((at(55_000), at(55_000)));
        assert!(said(&history, 55_900).contains("no progress seen"), "CUDA reports it soon");
        assert_eq!(beside(None, &[]), None);
        assert_eq!(beside(Some(stuck.into()), &[]).as_deref(), Some(stuck));
        let alone = beside(None, &["the executor of tasks"]);
        assert_eq!(alone.as_deref(), Some("kernels: none of the program; the executor of tasks stays on the GPU"));
        let both = beside(Some("kernels: progressing".into()), &["the executor of tasks", "the command processor"]);
        let says = "kernels: progressing; the executor of tasks and the command processor stay on the GPU";
        assert_eq!(both.as_deref(), Some(says));
        assert_eq!(
            described("next", CommandHead { kind: CommandKind::Fire.number(), width: 0, context: 0, pe: 0 }.bits()),
            ", the next one Fire"
        );
    }
}
