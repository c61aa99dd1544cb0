//! What a path costs: a straight line over the size, for each pair of kinds.

use crate::path::Path;
use crate::request::{Class, Initiator, LocalKind, Operation, Request};
use crate::shipped::{ANY, Shipped};
use std::borrow::Cow;

/// Time of an operation of `n` bytes: overhead, latency, and `n` bytes at the bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    overhead_ns: f64,
    latency_ns: f64,
    bytes_per_ns: f64,
}

impl Cost {
    /// Overhead is the time before the initiator may go on, latency from then until the first byte is there, bandwidth
    /// in bytes per nanosecond (GB/s). `None` if a time is negative, the bandwidth is not positive, or one is not a
    /// number.
    pub const fn new(overhead_ns: f64, latency_ns: f64, bytes_per_ns: f64) -> Option<Self> {
        let sane = overhead_ns >= 0.0 && latency_ns >= 0.0 && bytes_per_ns > 0.0;
        let finite = overhead_ns < f64::INFINITY && latency_ns < f64::INFINITY && bytes_per_ns < f64::INFINITY;
        if sane && finite { Some(Self { overhead_ns, latency_ns, bytes_per_ns }) } else { None }
    }

    /// The same for figures of tests.
    #[cfg(test)]
    pub(crate) const fn figure(overhead_ns: f64, latency_ns: f64, bytes_per_ns: f64) -> Self {
        match Self::new(overhead_ns, latency_ns, bytes_per_ns) {
            Some(cost) => cost,
            None => panic!("a cost is finite, and its bandwidth positive"),
        }
    }

    /// One after the other, with all bytes.
    pub(crate) const fn then(self, next: Self) -> Self {
        Self {
            overhead_ns: self.overhead_ns + next.overhead_ns,
            latency_ns: self.latency_ns + next.latency_ns,
            bytes_per_ns: 1.0 / (1.0 / self.bytes_per_ns + 1.0 / next.bytes_per_ns),
        }
    }

    /// Behind something that takes so long whatever the size.
    pub(crate) const fn behind(self, first: Self) -> Self {
        Self { bytes_per_ns: self.bytes_per_ns, ..first.then(self) }
    }

    /// Time before the first byte is there.
    pub fn start_ns(self) -> f64 {
        self.overhead_ns + self.latency_ns
    }

    /// Bandwidth, bytes per nanosecond.
    pub fn bytes_per_ns(self) -> f64 {
        self.bytes_per_ns
    }

    /// Time until all bytes are there.
    pub fn ns(self, bytes: u64) -> f64 {
        self.start_ns() + bytes as f64 / self.bytes_per_ns
    }
}

/// A cost, and where it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The cost.
    pub cost: Cost,
    /// Where it was measured, and how, or that it is assumed.
    pub source: Cow<'static, str>,
}

/// How GPUs of a node are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuLink {
    /// NVLink.
    NvLink,
    /// PCI Express.
    Pcie,
}

/// How a staged copy is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunks {
    /// Bytes of a chunk at most.
    pub bytes: usize,
    /// Chunks to one PE that are under way at most.
    pub depth: usize,
}

/// What each path costs, by the kinds of memory that the bytes leave and reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    figures: Vec<Figure>,
    /// `staged` on one node, which has no network in it.
    staged_here: Figure,
    launch: Cost,
    /// A copy in a stream behind a wait for lanes.
    held: Figure,
    /// On one node, and between nodes.
    chunks: [Chunks; 2],
    shipped: &'static Shipped,
    /// The name of a file that replaces some, and how many of its lines do.
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
            held: untold,
            chunks: [Chunks { bytes: 0, depth: 0 }; 2],
            shipped,
            file: None,
        };
        ANY.apply(&mut costs);
        shipped.apply(&mut costs);
        costs
    }

    /// Which figures count, in words. `gpu` is the name of this PE's GPU, if it has a real one.
    pub fn table(&self, gpu: Option<&str>) -> String {
        let shipped = self.shipped.told(gpu);
        match &self.file {
            Some((file, lines)) => format!("costs: {file} (CUSHMEM_COSTS), {lines} lines; else {shipped}"),
            None => format!("costs: {shipped} (shmem-tune measures this machine's)"),
        }
    }

    /// A file's lines count from now on.
    pub(crate) fn set_file(&mut self, file: &str, lines: usize) {
        self.file = Some((file.to_owned(), lines));
    }

    /// How copies of memory of this class are cut, where they are staged.
    pub fn chunks(&self, class: Class) -> Chunks {
        self.chunks[usize::from(class == Class::Far)]
    }

    /// Replaces how they are cut, on one node or between nodes.
    pub(crate) fn set_chunks(&mut self, far: bool, chunks: Chunks) {
        self.chunks[usize::from(far)] = chunks;
    }

    /// Replaces a figure, by one that was measured here, say.
    pub fn set(&mut self, path: Path, from: LocalKind, to: LocalKind, figure: Figure) {
        self.figures[Self::at(path, from, to)] = figure;
    }

    /// The same for `staged` on one node.
    pub(crate) fn set_staged_here(&mut self, figure: Figure) {
        self.staged_here = figure;
    }

    /// The same for copies that a trigger holds in a stream.
    pub(crate) fn set_held(&mut self, figure: Figure) {
        self.held = figure;
    }

    /// The same for the start of a kernel in a stream.
    pub(crate) fn set_launch(&mut self, cost: Cost) {
        self.launch = cost;
    }

    /// The start of a kernel in a stream.
    pub fn launch(&self) -> Cost {
        self.launch
    }

    /// What the path costs between these kinds, and where the figure is from.
    pub fn figure(&self, path: Path, from: LocalKind, to: LocalKind) -> &Figure {
        &self.figures[Self::at(path, from, to)]
    }

    /// What the path costs for a request.
    pub fn of(&self, path: Path, request: Request) -> Cost {
        let mut cost = self.figure_of(path, request).cost;
        if path == Path::GpuDirect && request.initiator == Initiator::Stream {
            cost = self.launch.then(cost);
        }
        match request.operation {
            // A word: all that matters is when it starts.
            Operation::Amo => Cost { bytes_per_ns: f64::MAX, ..cost },
            // The data are waited for before the signal sets out.
            Operation::PutSignal if !path.orders_signal() => Cost { latency_ns: 2.0 * cost.latency_ns, ..cost },
            _ => cost,
        }
    }

    /// What a copy costs that a trigger holds in a stream, between these kinds.
    pub(crate) fn held(&self, request: Request) -> Figure {
        let engine = self.of(Path::CopyEngine, request);
        Figure { cost: Cost { bytes_per_ns: engine.bytes_per_ns, ..self.held.cost }, source: self.held.source.clone() }
    }

    /// The figure that counts for a request.
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

    /// Catches words that pay for bandwidth, and signals that set out before what they vouch for is there.
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

    /// Catches a stream whose copies by a kernel cost no launch.
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

    /// Catches shipped files that cannot be read, or leave something out.
    #[test]
    fn every_figure_has_a_source_and_its_own_place() {
        for link in [GpuLink::NvLink, GpuLink::Pcie] {
            let costs = Costs::shipped(link);
            assert!(costs.figures.iter().chain([&costs.staged_here, &costs.held]).all(|f| !f.source.is_empty()));
            assert!(costs.launch.start_ns() > 0.0 && costs.chunks.iter().all(|c| c.bytes > 0 && c.depth > 0));
        }
        let mut costs = Costs::shipped(GpuLink::Pcie);
        let figure = Figure { cost: Cost::figure(1.0, 1.0, 1.0), source: "this test".into() };
        costs.set(Path::Gdr, LocalKind::Pinned, LocalKind::Gpu, figure.clone());
        assert_eq!(costs.figures.iter().filter(|f| **f == figure).count(), 1);
        assert_eq!(costs.figure(Path::Gdr, LocalKind::Pinned, LocalKind::Gpu), &figure);
    }
}
