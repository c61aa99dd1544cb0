//! The table, and how its rows are computed.

use crate::cost::{Cost, Figure};
use crate::machine::Machine;
use crate::overrides::Overrides;
use crate::path::Path;
use crate::request::{Initiator, Operation, Request};
use crate::serve::serves;

/// The table: for each request, a list of pairs (up to N bytes, path).
#[derive(Clone, Debug)]
pub struct Policy {
    rows: Box<[Span]>,
    steps: Box<[Step]>,
    /// What `CUSHMEM_PATH` asks for, by row.
    wanted: Box<[Option<Path>]>,
    machine: Machine,
}

/// The steps of a row. A row without steps is a refusal.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u16,
    count: u16,
}

/// A step of a row: the path for sizes up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The largest size for which this path is taken; `u64::MAX` in the last step of a row.
    pub up_to: u64,
    /// The path.
    pub path: Path,
}

/// A row of the table, for callers that keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row(u16);

impl Row {
    /// The request that the row serves.
    pub fn request(self) -> Request {
        Request::of_number(usize::from(self.0))
    }
}

/// No path serves the row. [`Policy::explain`] says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    row: Row,
}

impl From<Refusal> for Row {
    fn from(refusal: Refusal) -> Self {
        refusal.row
    }
}

impl From<Request> for Row {
    #[inline]
    fn from(request: Request) -> Self {
        Self(request.number() as u16)
    }
}

impl Policy {
    /// Makes the table. An override applies to the rows that can follow it and leaves the others unchanged; whether
    /// there are any is for [`Overrides::check`] to test.
    pub fn new(machine: &Machine, overrides: &Overrides) -> Self {
        // A row has at most one step per path.
        const { assert!(Request::COUNT * Path::COUNT <= u16::MAX as usize) };
        let (mut rows, mut steps, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
        for request in Request::all() {
            let forced = overrides.wanted(request);
            let taken = fold(&candidates(request, machine, forced));
            rows.push(Span { first: steps.len() as u16, count: taken.len() as u16 });
            steps.extend(taken);
            wanted.push(forced);
        }
        Self { rows: rows.into(), steps: steps.into(), wanted: wanted.into(), machine: machine.clone() }
    }

    /// The path for a request of `bytes` bytes.
    #[inline]
    pub fn choose(&self, request: Request, bytes: u64) -> Result<Path, Refusal> {
        self.choose_in(request.into(), bytes)
    }

    /// Like [`Policy::choose`], for a row that the caller keeps.
    #[inline]
    pub fn choose_in(&self, row: Row, bytes: u64) -> Result<Path, Refusal> {
        // The last step covers any size, so only a row without steps finds nothing.
        self.steps(row).iter().find(|step| bytes <= step.up_to).map(|step| step.path).ok_or(Refusal { row })
    }

    /// The steps of a row, by increasing size; empty if no path serves it.
    #[inline]
    pub fn steps(&self, row: impl Into<Row>) -> &[Step] {
        let Span { first, count } = self.rows[usize::from(row.into().0)];
        &self.steps[usize::from(first)..usize::from(first + count)]
    }

    /// The machine for which the table was made.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The path that `CUSHMEM_PATH` asks for in this row, whether or not it can serve the row.
    pub fn wanted(&self, row: impl Into<Row>) -> Option<Path> {
        self.wanted[usize::from(row.into().0)]
    }

    /// The rows for memory that the job has ([`Machine::reach`]). The local kind does not matter to an AMO, so an AMO
    /// has one row instead of one per local kind.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let reached = |request: &Request| {
            self.machine.reach.iter().any(|reach| reach.remote == request.remote && reach.class == request.class)
        };
        let counts = |request: &Request| request.operation != Operation::Amo || request.local as usize == 0;
        Request::all().filter(move |request| reached(request) && counts(request)).map(Row::from)
    }
}

/// The paths from which the costs select.
fn candidates(request: Request, machine: &Machine, forced: Option<Path>) -> Vec<(Path, Cost)> {
    let able = |path: &Path| serves(*path, request, machine).is_ok();
    let mut able: Vec<Path> = Path::ALL.iter().copied().filter(able).collect();
    if let Some(path) = forced.filter(|path| able.contains(path)) {
        able = vec![path];
    } else if able.len() > 1 {
        // The proxy takes CPU time from the program, so it serves only what nothing else can.
        able.retain(|path| *path != Path::Proxy);
    }
    able.into_iter().map(|path| (path, figure(path, request, machine).cost)).collect()
}

/// The cost of a path for a request, and its origin.
pub(crate) fn figure(path: Path, request: Request, machine: &Machine) -> Figure {
    if path == Path::Proxy && request.operation != Operation::Amo {
        // The proxy copies as the CPU does, and the CPU never asks a proxy to copy.
        let paths = candidates(Request { initiator: Initiator::Cpu, ..request }, machine, None);
        let best = paths.into_iter().min_by(|(_, a), (_, b)| a.ns(USUAL_BYTES).total_cmp(&b.ns(USUAL_BYTES)));
        if let Some((path, cost)) = best {
            let command = machine.costs.of(Path::Proxy, request);
            return Figure { cost: cost.behind(command), source: format!("a command, then {path}").into() };
        }
    }
    let source = machine.costs.figure_of(path, request).source.clone();
    Figure { cost: machine.costs.of(path, request), source }
}

/// The size for which the proxy's path is shown.
const USUAL_BYTES: u64 = 64 << 10;

/// The lower envelope of the costs. They are straight lines, so each path is the cheapest in at most one range of
/// sizes.
fn fold(candidates: &[(Path, Cost)]) -> Vec<Step> {
    let ns_per_byte = |cost: &Cost| 1.0 / cost.bytes_per_ns();
    let mut steps = Vec::new();
    let first = candidates.iter().min_by(|(_, a), (_, b)| {
        let start = a.start_ns().total_cmp(&b.start_ns());
        start.then(ns_per_byte(a).total_cmp(&ns_per_byte(b)))
    });
    let mut now = first;
    let mut reached = 0;
    while let Some((path, cost)) = now {
        // The smallest size from which on another path is cheaper, and that path's slope.
        let overtakes = |(other, line): &&(Path, Cost)| {
            let gain = ns_per_byte(cost) - ns_per_byte(line);
            (other != path && gain > 0.0).then(|| ((line.start_ns() - cost.start_ns()) / gain, ns_per_byte(line)))
        };
        let next = candidates.iter().filter_map(|other| overtakes(&other).map(|key| (other, key)));
        let next = next.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // The conversion saturates: a number beyond the range becomes the largest one.
        let up_to = next.map_or(u64::MAX, |(_, (bytes, _))| bytes as u64);
        // A step that covers no whole number of bytes is skipped.
        if up_to > reached {
            steps.push(Step { up_to, path: *path });
            reached = up_to;
        }
        now = next.map(|(other, _)| other);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GpuLink;
    use crate::request::{Class, RemoteKind};

    fn steps(lines: &[(Path, f64, f64)]) -> Vec<(u64, Path)> {
        let lines: Vec<_> = lines.iter().map(|(path, start, bw)| (*path, Cost::figure(*start, 0.0, *bw))).collect();
        fold(&lines).into_iter().map(|step| (step.up_to, step.path)).collect()
    }

    /// Catches rows for memory that the job does not have, and atomic operations that are listed once per local kind,
    /// which does not matter to them.
    #[test]
    fn a_row_for_each_way_to_memory_that_is_there() {
        let mut machine = Machine::today(GpuLink::Pcie);
        machine.add_reach(RemoteKind::Host, Class::Own, None);
        machine.add_reach(RemoteKind::Gpu, Class::Unmapped, None);
        let policy = Policy::new(&machine, &Overrides::default());
        let rows: Vec<Request> = policy.rows().map(Row::request).collect();
        let known = |r: &Request| {
            [(RemoteKind::Host, Class::Own), (RemoteKind::Gpu, Class::Unmapped)].contains(&(r.remote, r.class))
        };
        assert!(rows.iter().all(known));
        // Two kinds of memory, three initiators, and three local kinds where these matter.
        let counts: Vec<usize> =
            Operation::ALL.iter().map(|o| rows.iter().filter(|r| r.operation == *o).count()).collect();
        assert_eq!((Operation::ALL.last(), counts), (Some(&Operation::Amo), vec![18, 18, 18, 6]));
    }

    #[test]
    fn the_cheapest_is_taken_at_each_size() {
        let (a, b, c) = (Path::Mapped, Path::GpuDirect, Path::CopyEngine);
        assert_eq!(steps(&[]), []);
        assert_eq!(steps(&[(a, 5.0, 1.0)]), [(u64::MAX, a)]);
        assert_eq!(steps(&[(a, 100.0, 2.0), (b, 0.0, 1.0)]), [(200, b), (u64::MAX, a)]);
        // `b` is never the cheapest: `c` overtakes `a` before it does.
        assert_eq!(steps(&[(a, 0.0, 1.0), (b, 60.0, 2.0), (c, 50.0, 4.0)]), [(66, a), (u64::MAX, c)]);
        assert_eq!(steps(&[(a, 0.0, 1.0), (b, 10.0, 2.0), (c, 50.0, 4.0)]), [(20, a), (160, b), (u64::MAX, c)]);
    }

    #[test]
    fn equal_costs_go_to_the_earlier_path() {
        assert_eq!(steps(&[(Path::Mapped, 5.0, 1.0), (Path::Bar, 5.0, 1.0)]), [(u64::MAX, Path::Mapped)]);
        // At 0 bytes both cost the same; from then on the second wins.
        assert_eq!(steps(&[(Path::Mapped, 5.0, 1.0), (Path::Bar, 5.0, 2.0)]), [(u64::MAX, Path::Bar)]);
    }

    #[test]
    fn a_step_without_bytes_is_left_out() {
        let lines = [(Path::Mapped, 0.0, 1.0), (Path::Bar, 0.1, 2.0)];
        assert_eq!(steps(&lines), [(u64::MAX, Path::Bar)]);
    }
}
