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
//! stream, and `rest` what the CPU does between all calls:
//!
//! * stream: the longest of `rest` and all calls that enqueue, of B with a gap before each kernel, and of the chain of
//!   A, S, W and C with a gap before each operation, also where a stream that is waited for waits for another one. A
//!   short message is a kernel that stores its bytes and then its signal, a long one goes by the copy engine, to which
//!   the stream has to hand over, and its signal by a kernel. Copies of the CPU's streams in the PE's own memory are
//!   none of S, because streams send from GPU memory;
//! * graph: the same, where the CPU enqueues nothing: a graph can have several iterations;
//! * kernel: the longer of `rest` and of A + B + C, the messages, and a meeting of all blocks for each launch of A and
//!   C or round. All its blocks share the work, so a launch that does not fill the GPU takes as much less; of A and C
//!   no less than two meetings, because all blocks have to come to it and to leave it.
//!
//! A kernel *fills* the GPU if it has at least as many blocks as fit there together. What runs beside one of B that
//! does takes two and a half times as long, because it waits for blocks, loads and stores of the other. So the chain
//! takes longer by three fifths of the time of such kernels.
//!
//! What collectives that move data would take is not known, and so neither is any of these. The GPU is *idle* for the
//! rest of the time that the iteration took. Three conditions say whether one of these is worth the work:
//!
//! * *asynchrony*: the CPU can enqueue iterations before the GPU has come to them, because nothing that it enqueues
//!   depends on what kernels compute. Whether it enqueues as fast as the GPU works is a matter of *gain*;
//! * *gain*: an iteration is shorter than before;
//! * *fragmentation*: the GPU is idle in a large part of an iteration, because kernels are short and the rounds of an
//!   exchange between them many. Otherwise there is little to gain.

use crate::iterations::{Iterations, Term};
use cushmem_path::{Costs, LocalKind, Path};

/// What the constants below were measured on.
pub const GPU: &str = "H200 GPUs that NVLink connects";
/// What a stream takes between two operations in nanoseconds, in a graph or enqueued early enough: most of it is an
/// empty kernel. One iteration of stencil2d at 256² on one GPU takes 2.0 µs (docs/modes.md), of which its kernel is
/// 0.95 beyond an empty one.
pub const GAP_NS: f64 = 1_050.0;
/// On a stream, the copy engine carries out a put with signal of more bytes, and a kernel the signal.
const SHORT: u64 = 32 << 10;
/// What all blocks of a kernel take to meet: the same iteration in a kernel that runs all of them takes 2.2 µs.
pub const MEETING_NS: f64 = 1_250.0;
/// The part of its speed that is lost by what runs beside a kernel that fills the GPU: kernels and copies of lbm at
/// 128³ took two to three times as long as alone (docs/modes.md).
pub const BESIDE: f64 = 0.6;
/// A gain below this part of an iteration is none: rounds of a measurement differ by as much.
pub const LITTLE: f64 = 0.05;
/// The GPU is idle in a large part of an iteration above this.
pub const LARGE: f64 = 0.10;

/// The paths of messages that kernels and streams can carry out themselves where `copy-engine` does for the CPU.
const NEAR: [&str; 3] = ["mapped", "copy-engine", "gpu-agent"];

/// What a message by this path costs, if kernels and streams do not carry it out themselves: the path, and the memory
/// from which and to which.
fn figure_of(path: &str) -> Option<(Path, LocalKind)> {
    match path {
        near if NEAR.contains(&near) => None,
        "nic" => Some((Path::Nic, LocalKind::Pinned)),
        "gdr" => Some((Path::Gdr, LocalKind::Gpu)),
        _ => Some((Path::Staged, LocalKind::Gpu)),
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
    /// The kernels of B that fill the GPU.
    pub full: f64,
    /// A, B and C if all blocks share the work.
    pub shared: f64,
    /// The messages if kernels send them, until the last one has come.
    pub far: f64,
    /// S and W if a stream carries them out, with the gaps between them.
    pub on_stream: f64,
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
            match launch.term() {
                Term::A => terms.a += kernel,
                Term::C => terms.c += kernel,
                Term::B => {
                    terms.b += kernel;
                    terms.full += if launch.fill < 1.0 { 0.0 } else { kernel };
                }
            }
            let share = kernel * launch.fill;
            terms.shared += if launch.is_waited { share.max(2.0 * MEETING_NS).min(kernel) } else { share };
            terms.launches += f64::from(u8::from(launch.is_waited));
            terms.launch += launch.call / terms.all_launches;
        }
        terms.add_messages(iterations, n_pes, costs);
        Some(terms)
    }

    fn add_messages(&mut self, iterations: &Iterations, n_pes: usize, costs: &Costs) {
        let bytes = iterations.bytes.1 as f64;
        let (direct, gpu) = (costs.figure(Path::GpuDirect, LocalKind::Gpu, LocalKind::Gpu).cost, LocalKind::Gpu);
        let engine = costs.figure(Path::CopyEngine, gpu, gpu).cost;
        // Of messages by several paths, the slowest one decides.
        let others = iterations.paths.iter().filter_map(|path| figure_of(path));
        let taken = others.map(|(path, memory)| costs.figure(path, memory, memory).cost);
        let slowest = taken.max_by(|one, other| one.ns(iterations.bytes.1).total_cmp(&other.ns(iterations.bytes.1)));
        // The signal is stored when the bytes have arrived. Many blocks send as fast as a copy engine.
        let (start, bytes_per_ns) = slowest
            .map_or((2.0 * direct.start_ns(), engine.bytes_per_ns()), |cost| (cost.start_ns(), cost.bytes_per_ns()));
        // A barrier takes a round for each doubling from one PE to all.
        let steps = iterations.barriers as f64 * f64::from(usize::BITS - n_pes.saturating_sub(1).leading_zeros());
        let barriers = steps * slowest.unwrap_or(direct).start_ns();
        self.far = iterations.exchanges as f64 * start + barriers + bytes / bytes_per_ns;
        let is_long = |bytes: &&u64| **bytes > SHORT;
        let long = iterations.messages.iter().filter(is_long).count();
        // A put, if it is long its signal, and a wait for each message, and what streams do already.
        self.operations = (2 * iterations.messages.len() + long + iterations.barriers + iterations.on_stream) as f64;
        let message = |bytes: &u64| {
            if is_long(&bytes) {
                costs.held_start_ns() - GAP_NS + *bytes as f64 / engine.bytes_per_ns() + direct.start_ns()
            } else {
                start + *bytes as f64 / direct.bytes_per_ns()
            }
        };
        let messages = match slowest {
            None => barriers + iterations.messages.iter().map(message).sum::<f64>(),
            Some(_) => self.far,
        };
        self.on_stream = messages + self.operations * GAP_NS;
    }

    /// What the GPU computes, if kernels that do not wait for each other run side by side.
    pub fn busy(&self) -> f64 {
        (self.a + self.c).max(self.b)
    }

    /// The prediction.
    pub fn predict(&self) -> Predicted {
        let of_b = self.b + (self.all_launches - self.launches) * GAP_NS;
        let chain = self.a + self.c + self.launches * GAP_NS + self.on_stream;
        let stream = (chain + self.full * BESIDE).max(of_b);
        let enqueue = (self.all_launches + self.operations) * self.launch + self.rest;
        let meetings = self.launches.max(self.rounds).max(1.0) * MEETING_NS;
        let kernel = (self.shared + meetings + self.far).max(self.rest);
        Predicted { stream: stream.max(enqueue), enqueue, graph: stream.max(self.rest), kernel }
    }
}

impl Iterations {
    /// Whether the CPU waits for nothing that kernels do in it, so that its time is that of the calls alone.
    pub fn is_enqueued(&self) -> bool {
        !self.launches.is_empty() && self.waits == 0
    }

    /// Whether all messages go through memory of this machine that is mapped, or by a copy engine.
    pub fn is_near(&self) -> bool {
        self.paths.iter().all(|path| NEAR.contains(&&**path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iterations::Launch;
    use cushmem_path::GpuLink;

    fn launch(stream: u64, kernel: f64, fill: f64, is_behind_sends: bool) -> Launch {
        let is_waited = stream == 0;
        Launch {
            name: None,
            stream: Some(stream),
            call: 2_000.0,
            kernel: Some(kernel),
            fill,
            blocks: None,
            is_behind_sends,
            is_waited,
        }
    }

    fn near(costs: &Costs) -> (f64, f64, f64) {
        let cost = |path| costs.figure(path, LocalKind::Gpu, LocalKind::Gpu).cost;
        let direct = cost(Path::GpuDirect);
        (direct.start_ns(), direct.bytes_per_ns(), cost(Path::CopyEngine).bytes_per_ns())
    }

    fn assert_near(one: f64, other: f64) {
        assert!((one - other).abs() < 0.1, "{one} {other}");
    }

    /// Catches a term that is taken for another one.
    #[test]
    fn each_mode_has_its_own_limit() {
        let costs = Costs::shipped(GpuLink::NvLink);
        let (start, by_block, by_many) = near(&costs);
        let mut iterations = Iterations {
            messages: vec![1_000],
            rounds: 1,
            exchanges: 1,
            bytes: (1_000, 1_000),
            ..Iterations::default()
        };
        iterations.launches =
            vec![launch(0, 10_000.0, 1.0, false), launch(1, 50_000.0, 0.25, false), launch(0, 20_000.0, 0.01, true)];
        iterations.waited_streams.insert(0);
        iterations.paths.insert("copy-engine".into());
        let terms = Terms::of(&iterations, 2, &costs).expect("all are timed");
        assert_eq!((terms.a, terms.b, terms.c, terms.launches, terms.operations), (10e3, 50e3, 20e3, 2.0, 2.0));
        assert_eq!((terms.full, terms.busy()), (0.0, 50e3), "B leaves room");
        assert_near(terms.far, 2.0 * start + 1_000.0 / by_many);
        let message = 2.0 * start + 1_000.0 / by_block + 2.0 * GAP_NS;
        assert_near(terms.on_stream, message);
        // What has few blocks is shared by all.
        assert_near(terms.shared, 10e3 + 12.5e3 + 2.0 * MEETING_NS);
        let all = terms.predict();
        assert_near(all.graph, 50e3 + GAP_NS);
        assert_near(all.kernel, terms.shared + terms.far + 2.0 * MEETING_NS);
        assert_eq!((all.stream, all.enqueue), (all.graph, 10_000.0));
        // If B fills the GPU, the chain waits for it.
        let full = Terms { full: 50e3, ..terms }.predict();
        assert_near(full.graph, 30e3 + 2.0 * GAP_NS + message + BESIDE * 50e3);
        // Without B, the exchange is in the way.
        let one = Terms { b: 0.0, full: 0.0, a: 1_000.0, c: 0.0, launches: 1.0, all_launches: 1.0, ..terms };
        let short = Terms { launch: 3_000.0, ..one }.predict();
        assert_near(short.graph, 1_000.0 + GAP_NS + message);
        assert_eq!(short.stream, short.enqueue, "the CPU cannot enqueue so fast");
        iterations.launches[0].kernel = None;
        assert_eq!(Terms::of(&iterations, 2, &costs), None);
    }

    /// Catches rounds that cost as much as one, and work of the CPU that is forgotten.
    #[test]
    fn rounds_and_the_rest_have_their_times() {
        let costs = Costs::shipped(GpuLink::NvLink);
        let (start, by_block, by_many) = near(&costs);
        let mut iterations = Iterations { messages: vec![8_000; 3], rounds: 4, exchanges: 3, ..Iterations::default() };
        (iterations.bytes, iterations.barriers, iterations.on_stream, iterations.rest) = ((24_000, 24_000), 1, 2, 0.0);
        iterations.launches = vec![launch(0, 1_000.0, 1.0, false), launch(0, 1_000.0, 1.0, true)];
        iterations.paths.insert("mapped".into());
        let terms = Terms::of(&iterations, 5, &costs).expect("all are timed");
        // Three messages, and a barrier of three rounds.
        assert_near(terms.far, 9.0 * start + 24_000.0 / by_many);
        assert_near(terms.on_stream, 9.0 * start + 24_000.0 / by_block + 9.0 * GAP_NS);
        assert_eq!((terms.operations, terms.predict().kernel), (9.0, 2_000.0 + terms.far + 4.0 * MEETING_NS));
        let all = Terms { rest: 5e6, ..terms }.predict();
        assert_eq!((all.enqueue, all.stream, all.graph, all.kernel), (5_022_000.0, 5_022_000.0, 5e6, 5e6));
        // A long message goes by the copy engine, and its signal is an operation of its own.
        iterations.messages[2] = 200_000;
        let long = Terms::of(&iterations, 5, &costs).expect("all are timed");
        let more = costs.held_start_ns() + 200_000.0 / by_many + start - (2.0 * start + 8_000.0 / by_block);
        assert_eq!(long.operations, 10.0);
        assert_near(long.on_stream - terms.on_stream, more);
        let far_by = |path: &str| {
            let paths = [path.into()].into();
            let iterations = Iterations { paths, launches: vec![], barriers: 0, exchanges: 1, ..Iterations::default() };
            Terms::of(&iterations, 5, &costs).map(|terms| terms.far)
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
