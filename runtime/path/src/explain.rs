//! The table as text for users.

use crate::cost::{Chunks, Cost, Figure};
use crate::path::Path;
use crate::policy::{Policy, Row, figure};
use crate::request::{Initiator, LocalKind, Operation, Request};
use crate::serve::{may_be_held, serves};
use crate::{Class, RemoteKind};
use std::collections::BTreeSet;
use std::fmt;

/// The role of a path in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// It is taken for these sizes in bytes, both included.
    Taken {
        /// The smallest size.
        from: u64,
        /// The largest size; `u64::MAX` means any.
        up_to: u64,
    },
    /// It could serve, but at every size another path costs less.
    Dearer,
    /// It could serve, but is reserved for requests that no other path can serve.
    Spare,
    /// It could serve, but `CUSHMEM_PATH` asks for this one.
    Overridden(Path),
    /// It cannot serve, for this reason.
    Cannot(String),
}

/// A path and its role in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The path.
    pub path: Path,
    /// Its role in the row.
    pub state: State,
    /// Its cost, if it can serve, or if a trigger can hold its copy in a stream.
    pub cost: Option<Figure>,
    /// How copies are divided, if they are staged.
    pub chunks: Option<Chunks>,
}

/// A row with all paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The request.
    pub request: Request,
    /// Why the memory is in no better class, if the machine says so.
    pub class_because: Vec<String>,
    /// The path that `CUSHMEM_PATH` asks for, if it cannot be taken.
    pub not_followed: Option<Path>,
    /// All paths: first those that are taken, by size.
    pub verdicts: Vec<Verdict>,
}

impl Explanation {
    /// Whether no path serves the row.
    pub fn is_refusal(&self) -> bool {
        !self.verdicts.iter().any(|verdict| matches!(verdict.state, State::Taken { .. }))
    }

    /// The reasons of a refusal in one line. A reason that several paths share appears once.
    pub fn reasons(&self) -> String {
        let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
        for verdict in &self.verdicts {
            let State::Cannot(why) = &verdict.state else { continue };
            match by_reason.iter_mut().find(|(known, _)| known == why) {
                Some((_, paths)) => paths.push(verdict.path.word()),
                None => by_reason.push((why, vec![verdict.path.word()])),
            }
        }
        by_reason.iter().map(|(why, paths)| format!("{}: {why}", paths.join(", "))).collect::<Vec<_>>().join("; ")
    }
}

impl Explanation {
    /// One line: when a path that `is_it` is taken in this row, what it costs, and what comes next. `None` if it is not
    /// taken.
    fn why(&self, is_it: impl Fn(Path) -> bool) -> Option<String> {
        let taken = self.verdicts.iter().find(|one| matches!(one.state, State::Taken { .. }) && is_it(one.path))?;
        let others = self.verdicts.iter().filter(|one| one.path != taken.path);
        let next = others.clone().find_map(|one| match (&one.state, &one.cost) {
            (State::Taken { from: 0, .. }, _) => Some(format!("{} for less", one.path)),
            (State::Taken { from, .. }, _) => Some(format!("{} from {from} bytes on", one.path)),
            (State::Dearer, Some(Figure { cost, .. })) => {
                Some(format!("{} is dearer ({} for 8 bytes)", one.path, time(cost.ns(8))))
            }
            (State::Overridden(by), _) => Some(format!("CUSHMEM_PATH asks for {by}")),
            _ => None,
        });
        let next = next.or_else(|| {
            let direct = if self.request.initiator == Initiator::Kernel { Path::GpuDirect } else { Path::Mapped };
            others.clone().filter(|one| one.path == direct).find_map(|one| match &one.state {
                State::Cannot(why) => Some(format!("{} cannot: {why}", one.path)),
                _ => None,
            })
        });
        let Figure { cost, .. } = taken.cost.as_ref()?;
        let next = next.map_or_else(String::new, |next| format!("; {next}"));
        Some(format!("{}: {}, {} for 8 bytes{next}", self.request, taken.path, time(cost.ns(8))))
    }
}

impl Policy {
    /// Explains the role of each path in a row or in the row of a refusal.
    pub fn explain(&self, row: impl Into<Row>) -> Explanation {
        let row = row.into();
        let (request, machine) = (row.request(), self.machine());
        let is_taken = |path: &Path| self.steps(row).iter().any(|step| step.path == *path);
        let wanted = self.wanted(row);
        let mut verdicts = Vec::with_capacity(Path::COUNT);
        let mut from = 0;
        for step in self.steps(row) {
            let state = State::Taken { from, up_to: step.up_to };
            let cost = Some(figure(step.path, request, machine));
            verdicts.push(Verdict { path: step.path, state, cost, chunks: self.chunks(step.path, request) });
            from = step.up_to.saturating_add(1);
        }
        for path in Path::ALL.iter().copied().filter(|path| !is_taken(path)) {
            let answer = serves(path, request, machine);
            let cost = match answer {
                Ok(()) => Some(figure(path, request, machine)),
                Err(_) if path == Path::CopyEngine && may_be_held(request) => Some(machine.costs.held(request)),
                Err(_) => None,
            };
            let chunks = self.chunks(path, request).filter(|_| answer.is_ok());
            let state = match (answer, wanted.filter(is_taken)) {
                (Err(no), _) => State::Cannot(no.to_string()),
                (Ok(()), Some(forced)) => State::Overridden(forced),
                (Ok(()), None) if path == Path::Proxy => State::Spare,
                (Ok(()), None) => State::Dearer,
            };
            verdicts.push(Verdict { path, state, cost, chunks });
        }
        Explanation {
            request,
            class_because: machine.why(request.remote, request.class).map(str::to_owned).collect(),
            not_followed: wanted.filter(|path| !is_taken(path)),
            verdicts,
        }
    }

    /// Explains the role of each path in each row, as text.
    pub fn explain_all(&self) -> String {
        let rows = self.rows().map(|row| self.explain(row).to_string()).collect::<Vec<_>>().join("\n");
        if self.machine().gpu.is_ok() { format!("{rows}\n{}", self.arrays_in_words()) } else { rows }
    }

    /// Why operations of this kind take a path: a line for each row in which one that `is_it` is taken, with what it
    /// costs and what comes next.
    pub fn why(&self, operation: Operation, initiator: Initiator, is_it: impl Fn(Path) -> bool) -> Vec<String> {
        let rows = self.rows().map(|row| self.explain(row));
        let of_kind = |of: &Explanation| of.request.operation == operation && of.request.initiator == initiator;
        rows.filter(of_kind).filter_map(|explanation| explanation.why(&is_it)).collect()
    }

    /// How copies of a row are divided on this path, if they are.
    fn chunks(&self, path: Path, request: Request) -> Option<Chunks> {
        (path == Path::Staged).then(|| self.machine().costs.chunks(request.class))
    }

    fn cell(&self, row: Row, notes: &mut Vec<String>) -> String {
        let explanation = self.explain(row);
        let mark = if explanation.not_followed.is_some() { NOT_FOLLOWED } else { "" };
        if explanation.is_refusal() {
            let text = explanation.reasons();
            let known = notes.iter().position(|note| *note == text);
            let number = known.unwrap_or_else(|| {
                notes.push(text);
                notes.len() - 1
            });
            return format!("none [{}]{mark}", number + 1);
        }
        let steps = self.steps(row).iter().map(|step| match step.up_to {
            u64::MAX => step.path.to_string(),
            up_to => format!("{} to {up_to}", step.path),
        });
        steps.collect::<Vec<_>>().join(", ") + mark
    }

    /// The lines of one initiator. Operations that are served alike share a line.
    fn lines(&self, initiator: Initiator, locals: &[LocalKind], notes: &mut Vec<String>) -> Vec<Vec<String>> {
        let mut lines = Vec::new();
        let reach: BTreeSet<(RemoteKind, Class)> = self.machine().reach.iter().map(|r| (r.remote, r.class)).collect();
        for (remote, class) in reach {
            let mut last: Option<(Vec<&str>, Vec<String>)> = None;
            for operation in Operation::ALL.iter().copied() {
                let row = |local: &LocalKind| Request { operation, initiator, local: *local, remote, class }.into();
                let locals = if operation == Operation::Amo { &locals[..1] } else { locals };
                let cells: Vec<String> = locals.iter().map(|local| self.cell(row(local), notes)).collect();
                match &mut last {
                    Some((operations, same)) if *same == cells && operation != Operation::Amo => {
                        operations.push(operation.word());
                    }
                    _ => {
                        lines.extend(last.take().map(|line| joined(remote, class, line)));
                        last = Some((vec![operation.word()], cells));
                    }
                }
            }
            lines.extend(last.map(|line| joined(remote, class, line)));
        }
        lines
    }
}

/// Marks a cell whose override has no effect.
const NOT_FOLLOWED: &str = " *";

fn joined(remote: RemoteKind, class: Class, (operations, cells): (Vec<&str>, Vec<String>)) -> Vec<String> {
    [format!("{remote} {class}"), operations.join(" ")].into_iter().chain(cells).collect()
}

/// Shows all rows for memory that the job has. A number in brackets refers to the reasons of a refusal.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine = self.machine();
        let mut notes = Vec::new();
        writeln!(f, "paths by the memory of the peer and at the local end; `to N` is up to N bytes")?;
        let locals = match &machine.gpu {
            Ok(()) => LocalKind::ALL,
            Err(why) => {
                writeln!(f, "no GPU memory: {why}")?;
                &LocalKind::ALL[..2]
            }
        };
        for reach in &machine.reach {
            if let Some(why) = &reach.why {
                writeln!(f, "{} {}: {why}", reach.remote, reach.class)?;
            }
        }
        for initiator in Initiator::ALL.iter().copied() {
            if let Err(why) = machine.initiator(initiator) {
                writeln!(f, "\nby {initiator}: nothing: {why}")?;
                continue;
            }
            let heads = [format!("by {initiator}"), "local end:".into()].into_iter();
            let mut lines = vec![heads.chain(locals.iter().map(LocalKind::to_string)).collect::<Vec<_>>()];
            lines.extend(self.lines(initiator, locals, &mut notes));
            writeln!(f)?;
            write_columns(f, &lines)?;
        }
        if self.rows().any(|row| self.wanted(row).is_some()) {
            writeln!(f, "\n* CUSHMEM_PATH asks for a path that cannot serve this")?;
        }
        for (at, note) in notes.iter().enumerate() {
            writeln!(f, "{}[{}] {note}", if at == 0 { "\n" } else { "" }, at + 1)?;
        }
        Ok(())
    }
}

fn write_columns(f: &mut fmt::Formatter<'_>, lines: &[Vec<String>]) -> fmt::Result {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| lines.iter().filter_map(|line| line.get(at)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in lines {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{}", self.request, if self.is_refusal() { ": refused" } else { "" })?;
        for why in &self.class_because {
            writeln!(f, "  the memory is {}: {why}", self.request.class)?;
        }
        if let Some(path) = self.not_followed {
            writeln!(f, "  CUSHMEM_PATH asks for {path}, which cannot serve this row")?;
        }
        for Verdict { path, state, cost, chunks } in &self.verdicts {
            write!(f, "  {path}: ")?;
            match state {
                State::Taken { from: 0, up_to: u64::MAX } => write!(f, "taken")?,
                State::Taken { from: 0, up_to } => write!(f, "taken up to {up_to} bytes")?,
                State::Taken { from, up_to: u64::MAX } => write!(f, "taken from {from} bytes on")?,
                State::Taken { from, up_to } => write!(f, "taken from {from} to {up_to} bytes")?,
                State::Dearer => write!(f, "dearer")?,
                State::Spare => write!(f, "kept for what no other path serves")?,
                State::Overridden(by) => write!(f, "CUSHMEM_PATH asks for {by}")?,
                State::Cannot(why) => write!(f, "{why}")?,
            }
            match cost {
                Some(Figure { cost, source }) if self.request.operation == Operation::Amo => {
                    writeln!(f, "; {:.0} ns ({source})", cost.start_ns())?;
                }
                Some(Figure { cost, source }) => {
                    if let Some(Chunks { bytes, depth }) = chunks {
                        write!(f, " in chunks of {} KiB, {depth} in flight", bytes >> 10)?;
                    }
                    let (start, bandwidth) = (cost.start_ns(), cost.bytes_per_ns());
                    writeln!(f, "; {start:.0} ns and {bandwidth:.1} GB/s ({source}){}", predicted(state, *cost))?;
                }
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

/// The time for some of the sizes for which a path is taken.
fn predicted(state: &State, cost: Cost) -> String {
    let State::Taken { from, up_to } = state else { return String::new() };
    let examples = EXAMPLES.iter().filter(|(bytes, _)| (from..=up_to).contains(&bytes));
    let texts: Vec<String> = examples.map(|(bytes, name)| format!("{} for {name}", time(cost.ns(*bytes)))).collect();
    if texts.is_empty() { String::new() } else { format!(": {}", texts.join(", ")) }
}

/// Sizes whose times are shown.
const EXAMPLES: [(u64, &str); 4] = [(8, "8 bytes"), (4 << 10, "4 KiB"), (1 << 20, "1 MiB"), (64 << 20, "64 MiB")];

fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.0} ns"),
        ..1e6 => format!("{:.1} µs", ns / 1e3),
        _ => format!("{:.1} ms", ns / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches times in the wrong unit, and times of sizes for which the path is not taken.
    #[test]
    fn times_are_told_of_sizes_that_the_path_is_taken_for() {
        let cost = Cost::figure(10.0, 90.0, 1.0);
        let of = |from, up_to| predicted(&State::Taken { from, up_to }, cost);
        assert_eq!(of(0, u64::MAX), ": 108 ns for 8 bytes, 4.2 µs for 4 KiB, 1.0 ms for 1 MiB, 67.1 ms for 64 MiB");
        assert_eq!(of(9, 4 << 10), ": 4.2 µs for 4 KiB");
        assert_eq!(of(9, 4095), "");
        assert_eq!(predicted(&State::Dearer, cost), "");
    }
}
