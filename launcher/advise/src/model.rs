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
//! Times of an iteration, where `launch` is the time of a call that enqueues, `gap` that between two operations of a
//! stream, and `far` that of the messages until the last one has come:
//!
//! * stream: the longest of all calls that enqueue, of A + S + W + C with a gap before each, and of B with a gap;
//! * graph: the same, where one call enqueues everything;
//! * kernel: the longest of A + C + `far` + one meeting of all blocks, and of B.
//!
//! The GPU is *idle* for the rest of the time that the iteration took. Three conditions say whether one of these is
//! worth the work:
//!
//! * *asynchrony*: the CPU can enqueue iterations before the GPU has come to them. Nothing that it enqueues depends on
//!   what kernels compute, and enqueueing takes no longer than the GPU takes;
//! * *gain*: an iteration is shorter than before;
//! * *fragmentation*: the GPU is idle in a large part of an iteration, because kernels are short and the rounds of an
//!   exchange between them many. Otherwise there is little to gain.

use crate::iterations::Iterations;
use cushmem_path::{Costs, LocalKind, Path};

/// What a stream takes between two operations in nanoseconds, in a graph or enqueued early enough (docs/modes.md: one
/// iteration of stencil2d at 256², which is a kernel, takes 2.0 µs).
const GAP_NS: f64 = 1_300.0;
/// What all blocks of a kernel take to meet (docs/perf/notes.md).
const MEETING_NS: f64 = 1_300.0;
/// A gain below this part of an iteration is none: rounds of a measurement differ by as much.
pub const LITTLE: f64 = 0.05;
/// The GPU is idle in a large part of an iteration above this.
pub const LARGE: f64 = 0.10;

/// The paths of messages that kernels and streams can carry out themselves where `copy-engine` does for the CPU.
const NEAR: [&str; 3] = ["mapped", "copy-engine", "gpu-agent"];

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
    /// Those of an iteration. None if no kernel was timed that has to be.
    pub fn of(iterations: &Iterations, costs: &Costs) -> Option<Self> {
        let mut terms = Self { all_launches: iterations.launches.len() as f64, ..Self::default() };
        for launch in &iterations.launches {
            let kernel = launch.kernel?;
            // Work for which the CPU waits before it sends, or that comes after it, is in the way of the exchange.
            let is_waited = launch.stream.is_some_and(|stream| iterations.waited_streams.contains(&stream));
            match (is_waited, launch.is_behind_sends) {
                (true, false) => terms.a += kernel,
                (true, true) => terms.c += kernel,
                (false, _) => terms.b += kernel,
            }
            terms.launches += f64::from(u8::from(is_waited));
            terms.launch += launch.call / terms.all_launches;
        }
        let figure = if iterations.is_near() { Path::GpuDirect } else { Path::Staged };
        let cost = costs.figure(figure, LocalKind::Gpu, LocalKind::Gpu).cost;
        let bytes = iterations.bytes.1;
        terms.far = if iterations.messages > 0 { cost.ns(bytes) } else { 0.0 };
        // A put with signal and a wait for each message.
        terms.operations = 2.0 * iterations.messages as f64;
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
        let enqueue = (self.all_launches + self.operations) * self.launch;
        let meeting = MEETING_NS + self.far;
        let kernel = (self.a + self.c + meeting).max(self.b);
        Predicted { stream: stream.max(enqueue), enqueue, graph: stream.max(self.launch), kernel }
    }
}

impl Iterations {
    /// Whether all messages go to PEs whose memory this GPU reaches.
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
        Launch { stream: Some(stream), call: 2_000.0, kernel: Some(kernel), is_behind_sends }
    }

    /// Catches a term that is taken for another one.
    #[test]
    fn each_mode_has_its_own_limit() {
        let costs = Costs::shipped(GpuLink::NvLink);
        let mut iterations = Iterations { messages: 1, bytes: (1_000, 1_000), ..Iterations::default() };
        iterations.launches = vec![launch(0, 10_000.0, false), launch(1, 50_000.0, false), launch(0, 20_000.0, true)];
        iterations.waited_streams.insert(0);
        iterations.paths.insert("copy-engine".into());
        let terms = Terms::of(&iterations, &costs).expect("all are timed");
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
        assert_eq!(Terms::of(&iterations, &costs), None);
    }
}
