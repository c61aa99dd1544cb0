//! The model of GPUDirect Async, for an iteration of a program.
//!
//! In an iteration, a GPU runs *A*, kernels whose results are sent, *B*, kernels that need nothing of the exchange, and
//! *C*, kernels that use what has come. Between them lie *S*, the sends, and *W*, the waits for those of others.
//!
//! ```text
//!   host, staged   CPU:  launch A, B │ wait for A │ S │ W │ launch C
//!                  GPU:              A ····· idle ····· C      and B beside them
//!   stream         CPU:  enqueues A B S W C of the next iterations
//!                  GPU:              A S W C                   and B beside them
//!   kernel         GPU:  one kernel does A S W C, and B beside them, in all iterations
//! ```
//!
//! Their times are those beyond an empty kernel's, whose time is in the gap before each operation of a stream.
//!
//! A kernel is A if the CPU waits for its stream before it sends, C if it is launched behind sends on a stream that the
//! CPU waits for, and otherwise B: on a stream of its own, or one that is waited for only behind the sends.
//!
//! Times of an iteration, where `launch` is the time of a call that enqueues, `gap` that between two operations of a
//! stream, `rest` what the CPU does between all calls, and `far` the time of the messages until the last one has come,
//! which is the start of one for each round that has any and their bytes, and of barriers, which take as many rounds as
//! there are doublings from one PE to all:
//!
//! * stream: the longest of `rest` and all calls that enqueue, of A + S + W + C with a gap before each, and of B with a
//!   gap. Copies of the CPU's streams in the PE's own memory are none of S, because streams send from GPU memory;
//! * graph: the same, where one call enqueues everything;
//! * kernel: the longest of A + C + `far` + a meeting of all blocks for each launch of these or round, of B, and of
//!   `rest`, which the CPU goes on doing.
//!
//! What collectives that move data would take is not known, and so neither is any of these. The GPU is *idle* for the
//! rest of the time that the iteration took. Three conditions say whether one of these is worth the work:
//!
//! * *asynchrony*: the CPU can enqueue iterations before the GPU has come to them, because nothing that it enqueues
//!   depends on what kernels compute. Whether it enqueues as fast as the GPU works is a matter of *gain*;
//! * *gain*: an iteration is shorter than before;
//! * *fragmentation*: the GPU is idle in a large part of an iteration, because kernels are short and the rounds of an
//!   exchange between them many. Otherwise there is little to gain.

use crate::iterations::Iterations;
use cushmem_path::{Costs, LocalKind, Path};

/// What a stream takes between two operations in nanoseconds, in a graph or enqueued early enough (docs/modes.md: one
/// iteration of stencil2d at 256², which is a kernel, takes 2.0 µs).
const GAP_NS: f64 = 1_300.0;
/// On a stream, a put with signal of more bytes is two operations, by the copy engine and a kernel.
const SHORT: u64 = 32 << 10;
/// What all blocks of a kernel take to meet: assumed, of the order of one operation of a stream.
const MEETING_NS: f64 = 1_300.0;
/// A gain below this part of an iteration is none: rounds of a measurement differ by as much.
pub const LITTLE: f64 = 0.05;
/// The GPU is idle in a large part of an iteration above this.
pub const LARGE: f64 = 0.10;

/// The paths of messages that kernels and streams can carry out themselves where `copy-engine` does for the CPU.
const NEAR: [&str; 3] = ["mapped", "copy-engine", "gpu-agent"];

/// What a message by this path costs: the path, and the memory from which and to which.
fn figure_of(path: &str) -> (Path, LocalKind) {
    match path {
        near if NEAR.contains(&near) => (Path::GpuDirect, LocalKind::Gpu),
        "nic" => (Path::Nic, LocalKind::Pinned),
        "gdr" => (Path::Gdr, LocalKind::Gpu),
        _ => (Path::Staged, LocalKind::Gpu),
    }
}

/// The terms of an iteration in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// A.
    pub a: f64,
    /// B.
    pub b: f64,
    /// C.
    pub c: f64,
    /// The messages, until the last one has come.
    pub far: f64,
    /// The number of operations on streams that S and W would be.
    pub operations: f64,
    /// The number of launches of A and C.
    pub launches: f64,
    /// The number of rounds.
    pub rounds: f64,
    /// What the CPU does outside of all calls.
    pub rest: f64,
    /// The call of a launch.
    pub launch: f64,
    /// The number of all launches.
    pub all_launches: f64,
}

/// What an iteration would take, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// In a stream.
    pub stream: f64,
    /// What the CPU would take to enqueue it.
    pub enqueue: f64,
    /// In a stream, from a graph.
    pub graph: f64,
    /// In one kernel.
    pub kernel: f64,
}

impl Terms {
    /// Those of an iteration in a job with this number of PEs. None if no kernel was timed that has to be.
    pub fn of(iterations: &Iterations, n_pes: usize, costs: &Costs) -> Option<Self> {
        let mut terms = Self {
            all_launches: iterations.launches.len() as f64,
            rounds: iterations.rounds as f64,
            rest: iterations.rest,
            ..Self::default()
        };
        for launch in &iterations.launches {
            let kernel = launch.kernel?;
            // Work for which the CPU waits before it sends, or that comes after it, is in the way of the exchange.
            match (launch.is_waited, launch.is_behind_sends) {
                (true, false) => terms.a += kernel,
                (true, true) => terms.c += kernel,
                (false, _) => terms.b += kernel,
            }
            terms.launches += f64::from(u8::from(launch.is_waited));
            terms.launch += launch.call / terms.all_launches;
        }
        // Of messages by several paths, the slowest one decides.
        let cost_of = |(path, memory)| costs.figure(path, memory, memory).cost;
        let taken = iterations.paths.iter().map(|path| cost_of(figure_of(path)));
        let slowest = taken.max_by(|one, other| one.ns(iterations.bytes.1).total_cmp(&other.ns(iterations.bytes.1)));
        let cost = slowest.unwrap_or_else(|| cost_of((Path::GpuDirect, LocalKind::Gpu)));
        // A barrier takes a round for each doubling from one PE to all.
        let steps = iterations.barriers as f64 * f64::from(usize::BITS - n_pes.saturating_sub(1).leading_zeros());
        let bytes = iterations.bytes.1 as f64 / cost.bytes_per_ns();
        terms.far = (iterations.exchanges as f64 + steps) * cost.start_ns() + bytes;
        // A put, if it is long its signal, and a wait for each message, and what streams do already.
        let is_long = iterations.bytes.1 > SHORT * iterations.messages as u64;
        let of_message = 2 + usize::from(is_long);
        terms.operations = (of_message * iterations.messages + iterations.barriers + iterations.on_stream) as f64;
        Some(terms)
    }

    /// What the GPU computes, if kernels that do not wait for each other run side by side.
    pub fn busy(&self) -> f64 {
        (self.a + self.c).max(self.b)
    }

    /// The prediction.
    pub fn predict(&self) -> Predicted {
        let of_b = if self.b > 0.0 { self.b + GAP_NS } else { 0.0 };
        let gaps = (self.launches + self.operations) * GAP_NS;
        let stream = (self.a + self.c + self.far + gaps).max(of_b);
        let enqueue = (self.all_launches + self.operations) * self.launch + self.rest;
        let meetings = self.launches.max(self.rounds).max(1.0) * MEETING_NS;
        let kernel = (self.a + self.c + meetings + self.far).max(self.b).max(self.rest);
        Predicted { stream: stream.max(enqueue), enqueue, graph: stream.max(self.launch + self.rest), kernel }
    }
}

impl Iterations {
    /// Whether the CPU waits for nothing that kernels do in it, so that its time is that of the calls alone.
    pub fn is_enqueued(&self) -> bool {
        !self.launches.is_empty() && self.waited_streams.is_empty()
    }

    /// Whether all messages go through memory of this machine that is mapped, or by a copy engine.
    pub fn is_near(&self) -> bool {
        self.paths.iter().all(|path| NEAR.contains(&path.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iterations::Launch;
    use cushmem_path::GpuLink;

    fn launch(stream: u64, kernel: f64, is_behind_sends: bool) -> Launch {
        let is_waited = stream == 0;
        Launch { stream: Some(stream), call: 2_000.0, kernel: Some(kernel), is_behind_sends, is_waited }
    }

    /// Catches a term that is taken for another one.
    #[test]
    fn each_mode_has_its_own_limit() {
        let costs = Costs::shipped(GpuLink::NvLink);
        let mut iterations =
            Iterations { messages: 1, rounds: 1, exchanges: 1, bytes: (1_000, 1_000), ..Iterations::default() };
        iterations.launches = vec![launch(0, 10_000.0, false), launch(1, 50_000.0, false), launch(0, 20_000.0, true)];
        iterations.waited_streams.insert(0);
        iterations.paths.insert("copy-engine".into());
        let terms = Terms::of(&iterations, 2, &costs).expect("all are timed");
        assert_eq!((terms.a, terms.b, terms.c, terms.launches, terms.operations), (10e3, 50e3, 20e3, 2.0, 2.0));
        let far = costs.figure(Path::GpuDirect, LocalKind::Gpu, LocalKind::Gpu).cost.ns(1_000);
        assert_eq!((terms.far, terms.busy()), (far, 50e3));
        let all = terms.predict();
        assert_eq!((all.stream, all.graph, all.kernel, all.enqueue), (51_300.0, 51_300.0, 50_000.0, 10_000.0));
        // Without B, the exchange is in the way.
        let short = Terms { b: 0.0, a: 1_000.0, c: 0.0, launches: 1.0, ..terms }.predict();
        assert_eq!((short.graph, short.kernel), (1_000.0 + far + 3.0 * GAP_NS, 1_000.0 + far + MEETING_NS));
        assert_eq!(short.stream, short.enqueue, "the CPU cannot enqueue so fast");
        iterations.launches[0].kernel = None;
        assert_eq!(Terms::of(&iterations, 2, &costs), None);
    }

    /// Catches rounds that cost as much as one, and work of the CPU that is forgotten.
    #[test]
    fn rounds_and_the_rest_have_their_times() {
        let costs = Costs::shipped(GpuLink::NvLink);
        let cost = costs.figure(Path::GpuDirect, LocalKind::Gpu, LocalKind::Gpu).cost;
        let mut iterations = Iterations { messages: 3, rounds: 4, exchanges: 3, ..Iterations::default() };
        (iterations.bytes, iterations.barriers, iterations.rest) = ((46_000, 46_000), 1, 0.0);
        iterations.launches = vec![launch(0, 1_000.0, false), launch(0, 1_000.0, true)];
        iterations.paths.insert("mapped".into());
        let terms = Terms::of(&iterations, 5, &costs).expect("all are timed");
        // Three messages, and a barrier of three rounds.
        let far = 6.0 * cost.start_ns() + 46_000.0 / cost.bytes_per_ns();
        assert!((terms.far - far).abs() < 0.1, "{} {far}", terms.far);
        assert_eq!((terms.operations, terms.predict().kernel), (7.0, 2_000.0 + terms.far + 4.0 * MEETING_NS));
        // The signals of long messages are operations of their own.
        iterations.bytes = (200_000, 200_000);
        assert_eq!(Terms::of(&iterations, 5, &costs).map(|terms| terms.operations), Some(10.0));
        let all = Terms { rest: 5e6, ..terms }.predict();
        assert_eq!((all.enqueue, all.stream, all.graph, all.kernel), (5_018_000.0, 5_018_000.0, 5_002_000.0, 5e6));
        let far_by = |path: &str| {
            let paths = [path.to_owned()].into();
            Terms::of(
                &Iterations { paths, launches: vec![], barriers: 0, exchanges: 1, ..Iterations::default() },
                5,
                &costs,
            )
            .map(|terms| terms.far)
        };
        for (path, of, memory) in [
            ("nic", Path::Nic, LocalKind::Pinned),
            ("gdr", Path::Gdr, LocalKind::Gpu),
            ("staged", Path::Staged, LocalKind::Gpu),
        ] {
            assert_eq!(far_by(path), Some(costs.figure(of, memory, memory).cost.start_ns()), "{path}");
        }
    }
}
