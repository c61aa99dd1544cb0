//! The cost of a path: linear in the size, for each pair of memory kinds.

use crate::array_read::ARRAY_READS;
use crate::path::Path;
use crate::request::{Class, Initiator, LocalKind, Operation, Request};
use crate::shipped::{ANY, Shipped};
use crate::thread::THREAD_COPIES;
use std::borrow::Cow;

/// Time of an operation of `n` bytes: overhead, plus latency, plus `n` divided by the bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    overhead_ns: f64,
    latency_ns: f64,
    bytes_per_ns: f64,
}

impl Cost {
    /// Overhead is the time before the initiator may continue, latency the time from then until the first byte has
    /// arrived, and bandwidth is in bytes per nanosecond (GB/s). Returns `None` if a time is negative, the bandwidth is
    /// not positive, or any of them is not a number.
    pub const fn new(overhead_ns: f64, latency_ns: f64, bytes_per_ns: f64) -> Option<Self> {
        let sane = overhead_ns >= 0.0 && latency_ns >= 0.0 && bytes_per_ns > 0.0;
        let finite = overhead_ns < f64::INFINITY && latency_ns < f64::INFINITY && bytes_per_ns < f64::INFINITY;
        if sane && finite { Some(Self { overhead_ns, latency_ns, bytes_per_ns }) } else { None }
    }

    /// Like [`Cost::new`], for figures of tests.
    #[cfg(test)]
    pub(crate) const fn figure(overhead_ns: f64, latency_ns: f64, bytes_per_ns: f64) -> Self {
        match Self::new(overhead_ns, latency_ns, bytes_per_ns) {
            Some(cost) => cost,
            None => panic!("a cost is finite, and its bandwidth positive"),
        }
    }

    /// The cost of two steps one after the other, each with all bytes.
    pub(crate) const fn then(self, next: Self) -> Self {
        Self {
            overhead_ns: self.overhead_ns + next.overhead_ns,
            latency_ns: self.latency_ns + next.latency_ns,
            bytes_per_ns: 1.0 / (1.0 / self.bytes_per_ns + 1.0 / next.bytes_per_ns),
        }
    }

    /// The cost after a step that takes the same time for every size.
    pub(crate) const fn behind(self, first: Self) -> Self {
        Self { bytes_per_ns: self.bytes_per_ns, ..first.then(self) }
    }

    /// Time until the first byte has arrived.
    pub fn start_ns(self) -> f64 {
        self.overhead_ns + self.latency_ns
    }

    /// Bandwidth in bytes per nanosecond.
    pub fn bytes_per_ns(self) -> f64 {
        self.bytes_per_ns
    }

    /// Time until all bytes have arrived.
    pub fn ns(self, bytes: u64) -> f64 {
        self.start_ns() + bytes as f64 / self.bytes_per_ns
    }
}

/// A cost and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The cost.
    pub cost: Cost,
    /// Where it was measured, and how, or that it is assumed.
    pub source: Cow<'static, str>,
}

/// How the GPUs of a node are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuLink {
    /// NVLink.
    NvLink,
    /// PCI Express.
    Pcie,
}

/// How a staged copy is divided into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunks {
    /// Maximum bytes per chunk.
    pub bytes: usize,
    /// Maximum number of chunks to one PE under way.
    pub depth: usize,
}

/// The cost of each path, by the kinds of memory that the bytes leave and reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    figures: Vec<Figure>,
    /// `staged` on one node, where no network is involved.
    staged_here: Figure,
    launch: Cost,
    /// A copy in a stream after a wait for lanes.
    held: Figure,
    /// Copies of single threads of kernels, from the call until the thread knows that they are complete; in the order
    /// of [`THREAD_COPIES`].
    pub(crate) threads: [Figure; THREAD_COPIES.len()],
    /// Reads of arrays by all lanes of a GPU, in the order of [`ARRAY_READS`].
    pub(crate) array_reads: [Figure; ARRAY_READS.len()],
    /// On one node, and between nodes.
    chunks: [Chunks; 2],
    shipped: &'static Shipped,
    /// The name of a file that replaces some figures, and the number of its lines that do.
    file: Option<(String, usize)>,
}

impl Costs {
    /// The figures that come with the library.
    pub fn shipped(link: GpuLink) -> Self {
        let shipped = Shipped::of(link);
        let untold = Figure { cost: Cost { overhead_ns: 0.0, latency_ns: 0.0, bytes_per_ns: 1.0 }, source: "".into() };
        let mut costs = Self {
            figures: vec![untold.clone(); Path::COUNT * LocalKind::ALL.len() * LocalKind::ALL.len()],
            staged_here: untold.clone(),
            launch: untold.cost,
            threads: THREAD_COPIES.map(|_| untold.clone()),
            array_reads: ARRAY_READS.map(|_| untold.clone()),
            held: untold,
            chunks: [Chunks { bytes: 0, depth: 0 }; 2],
            shipped,
            file: None,
        };
        ANY.apply(&mut costs);
        shipped.apply(&mut costs);
        costs
    }

    /// Says which figures are used. `gpu` is the name of this PE's GPU, if it has a real one.
    pub fn table(&self, gpu: Option<&str>) -> String {
        let shipped = self.shipped.told(gpu);
        match &self.file {
            Some((file, lines)) => format!("costs: {file} (CUSHMEM_COSTS), {lines} lines; else {shipped}"),
            None => format!("costs: {shipped}; not measured on this machine (shmem-tune measures them)"),
        }
    }

    /// Records that lines of a file are used from now on.
    pub(crate) fn set_file(&mut self, file: &str, lines: usize) {
        self.file = Some((file.to_owned(), lines));
    }

    /// How staged copies of memory of this class are divided.
    pub fn chunks(&self, class: Class) -> Chunks {
        self.chunks[usize::from(class == Class::Far)]
    }

    /// Replaces how staged copies are divided, on one node or between nodes.
    pub(crate) fn set_chunks(&mut self, far: bool, chunks: Chunks) {
        self.chunks[usize::from(far)] = chunks;
    }

    /// Replaces a figure, for example by one that was measured here.
    pub fn set(&mut self, path: Path, from: LocalKind, to: LocalKind, figure: Figure) {
        self.figures[Self::at(path, from, to)] = figure;
    }

    /// Like [`Costs::set`], for `staged` on one node.
    pub(crate) fn set_staged_here(&mut self, figure: Figure) {
        self.staged_here = figure;
    }

    /// Like [`Costs::set`], for copies that a trigger holds in a stream.
    pub(crate) fn set_held(&mut self, figure: Figure) {
        self.held = figure;
    }

    /// Like [`Costs::set`], for the launch of a kernel in a stream.
    pub(crate) fn set_launch(&mut self, cost: Cost) {
        self.launch = cost;
    }

    /// The cost of launching a kernel in a stream.
    pub fn launch(&self) -> Cost {
        self.launch
    }

    /// The cost of the path between these kinds, and the figure's origin.
    pub fn figure(&self, path: Path, from: LocalKind, to: LocalKind) -> &Figure {
        &self.figures[Self::at(path, from, to)]
    }

    /// The cost of the path for a request.
    pub fn of(&self, path: Path, request: Request) -> Cost {
        let mut cost = self.figure_of(path, request).cost;
        if path == Path::GpuDirect && request.initiator == Initiator::Stream {
            cost = self.launch.then(cost);
        }
        match request.operation {
            // A word: only the start matters.
            Operation::Amo => Cost { bytes_per_ns: f64::MAX, ..cost },
            // The data must have arrived before the signal is sent.
            Operation::PutSignal if !path.orders_signal() => Cost { latency_ns: 2.0 * cost.latency_ns, ..cost },
            _ => cost,
        }
    }

    /// The start of a copy that follows a kernel or a wait in a stream, which hands over to the copy engine.
    pub fn held_start_ns(&self) -> f64 {
        self.held.cost.start_ns()
    }

    /// The cost of a copy that a trigger holds in a stream, between the kinds of this request.
    pub(crate) fn held(&self, request: Request) -> Figure {
        let engine = self.of(Path::CopyEngine, request);
        Figure { cost: Cost { bytes_per_ns: engine.bytes_per_ns, ..self.held.cost }, source: self.held.source.clone() }
    }

    /// The figure that applies to a request.
    pub(crate) fn figure_of(&self, path: Path, request: Request) -> &Figure {
        let (from, to) = request.travels();
        let is_here = path == Path::Staged && request.class == Class::Unmapped;
        if is_here { &self.staged_here } else { self.figure(path, from, to) }
    }

    fn at(path: Path, from: LocalKind, to: LocalKind) -> usize {
        (path as usize * LocalKind::ALL.len() + from as usize) * LocalKind::ALL.len() + to as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Class, RemoteKind};

    #[test]
    fn nonsense_is_no_cost() {
        assert!(Cost::new(0.0, 0.0, 1.0).is_some());
        for (overhead, latency, bandwidth) in [
            (-1.0, 0.0, 1.0),
            (0.0, f64::NAN, 1.0),
            (0.0, 0.0, 0.0),
            (0.0, 0.0, f64::INFINITY),
            (f64::INFINITY, 0.0, 1.0),
        ] {
            assert_eq!(Cost::new(overhead, latency, bandwidth), None, "{overhead} {latency} {bandwidth}");
        }
    }

    #[test]
    fn steps_add_up() {
        let (a, b) = (Cost::figure(1.0, 2.0, 4.0), Cost::figure(10.0, 20.0, 4.0));
        assert_eq!(a.then(b).ns(8), 33.0 + 4.0);
    }

    /// Catches words that pay for bandwidth, and signals whose cost does not include the wait for their data.
    #[test]
    fn words_cost_a_start_and_some_signals_two_latencies() {
        let costs = Costs::shipped(GpuLink::Pcie);
        let (initiator, local) = (Initiator::Cpu, LocalKind::Pinned);
        let (remote, class) = (RemoteKind::Host, Class::Far);
        let of = |operation, path| costs.of(path, Request { operation, initiator, local, remote, class });
        for path in Path::ALL {
            let [put, amo, signal] = [Operation::Put, Operation::Amo, Operation::PutSignal].map(|o| of(o, *path));
            assert_eq!((amo.ns(1 << 40), amo.start_ns()), (put.start_ns(), put.start_ns()), "{path}");
            let latencies = if path.orders_signal() { 1.0 } else { 2.0 };
            assert_eq!(signal, Cost { latency_ns: latencies * put.latency_ns, ..put }, "{path}");
        }
    }

    /// Catches copies by a kernel in a stream whose cost does not include the launch.
    #[test]
    fn a_stream_pays_for_the_kernel_that_copies() {
        let costs = Costs::shipped(GpuLink::Pcie);
        let (operation, local) = (Operation::Put, LocalKind::Gpu);
        let (remote, class) = (RemoteKind::Gpu, Class::Mapped { atomics: true });
        let of = |initiator, path| costs.of(path, Request { operation, initiator, local, remote, class });
        for path in Path::ALL {
            let (kernel, stream) = (of(Initiator::Kernel, *path), of(Initiator::Stream, *path));
            let more = if *path == Path::GpuDirect { costs.launch.start_ns() } else { 0.0 };
            assert_eq!(stream.start_ns(), kernel.start_ns() + more, "{path}");
        }
    }

    /// Catches shipped files that cannot be read or are incomplete.
    #[test]
    fn every_figure_has_a_source_and_its_own_place() {
        for link in [GpuLink::NvLink, GpuLink::Pcie] {
            let costs = Costs::shipped(link);
            assert!(
                costs
                    .figures
                    .iter()
                    .chain([&costs.staged_here, &costs.held])
                    .chain(&costs.threads)
                    .chain(&costs.array_reads)
                    .all(|f| !f.source.is_empty())
            );
            assert!(costs.launch.start_ns() > 0.0 && costs.chunks.iter().all(|c| c.bytes > 0 && c.depth > 0));
        }
        let mut costs = Costs::shipped(GpuLink::Pcie);
        let figure = Figure { cost: Cost::figure(1.0, 1.0, 1.0), source: "this test".into() };
        costs.set(Path::Gdr, LocalKind::Pinned, LocalKind::Gpu, figure.clone());
        assert_eq!(costs.figures.iter().filter(|f| **f == figure).count(), 1);
        assert_eq!(costs.figure(Path::Gdr, LocalKind::Pinned, LocalKind::Gpu), &figure);
    }
}
