//! What a PE repeats: the iterations of its main loop, and what one consists of.

use crate::trace::{Call, Kernel, Pe};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// The most calls of an iteration.
pub const LONGEST: usize = 512;
/// A loop has at least so many iterations.
const FEWEST: usize = 4;

/// A loop has at least this part of the launches: programs may repeat it in other modes, and to warm up.
const FEWEST_PART: usize = 5;
/// If three of four iterations send the same, the others are exceptions.
const SAME: usize = 3;
const SAME_OF: usize = 4;

/// What a call is for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The launch of a kernel or a graph.
    Launch,
    /// A wait for a stream.
    Synchronize,
    /// What moves or announces data, or waits until they have left.
    Send,
    /// What a stream carries out.
    OnStream,
    /// What all PEs of a team do together.
    Together,
    /// A wait for a word.
    Wait,
    /// Something else.
    Other,
}

impl Kind {
    /// That of a call.
    pub fn of(call: &Call) -> Self {
        match &*call.name {
            "launch" => Self::Launch,
            "synchronize" => Self::Synchronize,
            "put" | "get" | "atomic" | "put-signal" | "signal" | "fence" | "quiet" => Self::Send,
            "barrier" | "sync" | "broadcast" | "collect" | "fcollect" | "alltoall" | "reduce" => Self::Together,
            name if name.starts_with("stream ") => Self::OnStream,
            name if name.starts_with("wait: ") => Self::Wait,
            _ => Self::Other,
        }
    }
}

/// A value of each iteration: the median, and the quarter of iterations below and above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// A quarter are below.
    pub low: f64,
    /// A quarter are above.
    pub high: f64,
}

impl Spread {
    /// That of these values.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: usize| values.get(values.len().saturating_sub(1) * part / 4).copied().unwrap_or(0.0);
        Self { median: at(2), low: at(1), high: at(3) }
    }
}

/// A launch of each iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// The name of its kernel, if that is known and the same in all iterations.
    pub name: Option<Rc<str>>,
    /// Its stream.
    pub stream: Option<u64>,
    /// The time of the call in nanoseconds.
    pub call: f64,
    /// That of the kernel beyond an empty one's, if any of them was timed: the lower quarter, because some times
    /// include what other streams were in the way.
    pub kernel: Option<f64>,
    /// Which part of the blocks that fit on the GPU together it has: 1 if it has as many, or if that is not known.
    pub fill: f64,
    /// The most blocks that it had, and how many like them fit on the GPU together, if all that were timed say so.
    pub blocks: Option<(u64, u64)>,
    /// Whether a send or a collective comes before it in the iteration.
    pub is_behind_sends: bool,
    /// Whether the CPU waits for its stream before it goes on with the exchange; behind sends, whether it does so at
    /// all.
    pub is_waited: bool,
}

impl Launch {
    /// The term of the model that its kernel belongs to. Work for which the CPU waits before it sends, or that comes
    /// after it, is in the way of the exchange.
    pub fn term(&self) -> Term {
        match (self.is_waited, self.is_behind_sends) {
            (true, false) => Term::A,
            (true, true) => Term::C,
            (false, _) => Term::B,
        }
    }
}

/// What a kernel is for the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Its results are sent.
    A,
    /// It needs nothing from the exchange.
    B,
    /// It uses what has arrived.
    C,
}

/// The iterations of a loop. Times are nanoseconds.
#[derive(Debug, Default)]
pub struct Iterations {
    /// How many there are.
    pub number: usize,
    /// When they began and ended.
    pub span: (u64, u64),
    /// How long one takes.
    pub time: Spread,
    /// The mean of one.
    pub mean: f64,
    /// The part of that in launches, waits for streams, sends, calls of streams, collectives, and waits for words.
    pub parts: [f64; 6],
    /// What the CPU does in one outside of these: the median.
    pub rest: f64,
    /// Its launches.
    pub launches: Vec<Launch>,
    /// How often it waits for a stream, or for an event of one.
    pub waits: usize,
    /// The streams for which it waits.
    pub waited_streams: BTreeSet<u64>,
    /// The operations that its streams carry out, but for copies in this PE's own memory if the CPU sends.
    pub on_stream: usize,
    /// The bytes of each of its messages to other PEs: puts and gets of more than a word, or else the words.
    pub messages: Vec<u64>,
    /// The bytes of all its messages: the fewest and the most of any iteration.
    pub bytes: (u64, u64),
    /// How often it goes from sends to a wait for others, or does something together with them.
    pub rounds: usize,
    /// In how many of these rounds messages are sent.
    pub exchanges: usize,
    /// How often the CPU may read a result of the GPU in each: gets from this PE's own memory, atomic operations on
    /// it, and reductions.
    pub reads: usize,
    /// Barriers and synchronisations.
    pub barriers: usize,
    /// Collectives that move data.
    pub collectives: usize,
    /// The paths of its messages.
    pub paths: BTreeSet<Rc<str>>,
}

/// The kinds of [`Iterations::parts`].
pub const PARTS: [Kind; 6] = [Kind::Launch, Kind::Synchronize, Kind::Send, Kind::OnStream, Kind::Together, Kind::Wait];

/// The calls that repeat, as (first, length, number): those of the longest loop, which launches kernels. Waits for
/// words are in no loop, because a short one is not recorded.
fn repeated(names: &[usize], is_launch: &[bool]) -> Option<(usize, usize, usize)> {
    if !is_launch.contains(&true) {
        return None;
    }
    let mut launches_before = vec![0; 1];
    launches_before.extend(is_launch.iter().scan(0, |sum, is| {
        *sum += usize::from(*is);
        Some(*sum)
    }));
    let mut best: Option<(usize, usize, usize)> = None;
    for length in 1..=LONGEST.min(names.len() / FEWEST) {
        let (mut first, mut at) = (0, 0);
        while at + length <= names.len() {
            if at + length < names.len() && names[at] == names[at + length] {
                at += 1;
                continue;
            }
            let calls = at + length - first;
            let has_launch = launches_before[first + length] > launches_before[first];
            // A multiple of an iteration repeats as well, but begins with the same calls.
            if calls / length >= FEWEST && has_launch && best.is_none_or(|(_, of, number)| calls > of * (number + 1)) {
                best = Some((first, length, calls / length));
            }
            at += 1;
            first = at;
        }
        if best.is_some_and(|(_, length, number)| length * number * 10 >= names.len() * 9) {
            break;
        }
    }
    best
}

/// Whether a call sends something to another PE than this one, or gets it from there.
fn is_away(me: u32, call: &Call) -> bool {
    Kind::of(call) == Kind::Send && call.pe.is_some_and(|pe| pe != me)
}

/// Whether the CPU may read a result of the GPU by this call.
fn may_read(me: u32, call: &Call) -> bool {
    &*call.name == "reduce" || matches!(&*call.name, "get" | "atomic") && call.pe == Some(me)
}

/// Whether a PE with this number may read results of kernels behind most of its waits for streams, before it launches
/// the next ones.
pub fn reads_behind_waits(me: u32, pe: &Pe) -> bool {
    let (mut waits, mut reads, mut is_open) = (0, 0, false);
    for call in &pe.calls {
        match Kind::of(call) {
            Kind::Synchronize => (waits, is_open) = (waits + 1, true),
            Kind::Launch => is_open = false,
            _ if may_read(me, call) => reads += usize::from(std::mem::take(&mut is_open)),
            _ => {}
        }
    }
    waits > 0 && reads * SAME_OF >= waits * SAME
}

/// Whether a PE with this number has a loop in which nothing differs but what it sends: not now and then, as in a step
/// of output, but from one iteration to the next.
pub fn varies_by_sends(me: u32, pe: &Pe) -> bool {
    type Sent<'a> = (&'a str, Option<u32>, u64);
    let calls: Vec<&Call> = pe.calls.iter().filter(|call| !call.is_wait()).collect();
    let (sends, others): (Vec<_>, Vec<_>) = (0..calls.len()).partition(|at| Kind::of(calls[*at]) == Kind::Send);
    let loop_calls: Vec<&Call> = others.iter().map(|at| calls[*at]).collect();
    let is_launch: Vec<bool> = loop_calls.iter().map(|call| Kind::of(call) == Kind::Launch).collect();
    let Some((first, length, number)) = repeated(&numbered(&loop_calls, false), &is_launch) else { return false };
    if !is_main(&is_launch, first..first + length * number) {
        return false;
    }
    // What it sends in each iteration, which may begin anywhere.
    let bounds: Vec<usize> = (0..number).map(|index| others[first + index * length]).collect();
    let mut all: BTreeMap<Vec<Sent>, usize> = BTreeMap::new();
    for bound in bounds.windows(2) {
        let (from, to) = (sends.partition_point(|at| *at < bound[0]), sends.partition_point(|at| *at < bound[1]));
        let away = sends[from..to].iter().map(|at| calls[*at]).filter(|call| is_away(me, call));
        *all.entry(away.map(|call| (&*call.name, call.pe, call.bytes)).collect()).or_default() += 1;
    }
    let most = all.values().max().copied().unwrap_or(0);
    most * SAME_OF < (bounds.len() - 1) * SAME
}

/// Whether a loop has enough of the launches to be the main one.
fn is_main(is_launch: &[bool], of: Range<usize>) -> bool {
    let launches = |calls: &[bool]| calls.iter().filter(|is| **is).count();
    launches(&is_launch[of]) * FEWEST_PART >= launches(is_launch)
}

/// A number for each call, which is that of calls of the same name, on the same PE and stream, and perhaps of as many
/// bytes.
fn numbered(calls: &[&Call], with_bytes: bool) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    let mut number = |call: &Call| {
        let (next, bytes) = (numbers.len(), if with_bytes { call.bytes } else { 0 });
        *numbers.entry((call.name.clone(), call.stream, call.pe, bytes)).or_insert(next)
    };
    calls.iter().map(|call| number(call)).collect()
}

impl Iterations {
    /// Those of a PE with this number; none if nothing repeats.
    pub fn of(me: u32, pe: &Pe) -> Option<Self> {
        let calls: Vec<&Call> = pe.calls.iter().filter(|call| !call.is_wait()).collect();
        let is_launch: Vec<bool> = calls.iter().map(|call| Kind::of(call) == Kind::Launch).collect();
        let loop_of = |with_bytes: bool| repeated(&numbered(&calls, with_bytes), &is_launch);
        let covered = |(_, length, number): (usize, usize, usize)| length * number;
        // Steps of an iteration may differ only by what they send. If iterations do, what they send does not repeat.
        let (any, same) = (loop_of(false)?, loop_of(true));
        let same = same.filter(|same| covered(*same) * 10 >= covered(any) * 9);
        let (first, length, number) = same.unwrap_or(any);
        if !is_main(&is_launch, first..first + length * number) {
            return None;
        }
        // An iteration begins with the launch that comes after the most other calls.
        let before =
            |at: usize| (1..length).take_while(|back| !is_launch[first + (at + length - back) % length]).count();
        let turn = (0..length).filter(|at| is_launch[first + at]).max_by_key(|at| (before(*at), length - at))?;
        // The last one may lack its end, and the first one is warmer when it is over.
        let (first, number) = (first + turn, number - 1);
        let starts: Vec<usize> = (0..number).map(|index| first + index * length).collect();
        let mut found = Self { number: number - 1, ..Self::default() };
        let bounds: Vec<u64> = starts.iter().map(|start| calls[*start].from).collect();
        found.span = (bounds[0], bounds[number - 1]);
        found.fill_times(pe, &bounds);
        found.fill_calls(me, &calls, &starts, length);
        found.fill_launches(me, &calls, (&starts, length), &pe.kernels);
        Some(found)
    }

    fn fill_times(&mut self, pe: &Pe, bounds: &[u64]) {
        self.time = Spread::of(bounds.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect());
        self.mean = (self.span.1 - self.span.0) as f64 / self.number as f64;
        let mut parts = vec![[0.0; PARTS.len()]; self.number];
        for call in &pe.calls {
            let after = bounds.partition_point(|bound| *bound <= call.from);
            let Some(part) = after.checked_sub(1).and_then(|index| parts.get_mut(index)) else { continue };
            if let Some(kind) = PARTS.iter().position(|kind| *kind == Kind::of(call)) {
                part[kind] += call.ns as f64;
            }
        }
        let rest = |(pair, part): (&[u64], &[f64; 6])| (pair[1] - pair[0]) as f64 - part.iter().sum::<f64>();
        self.rest = Spread::of(bounds.windows(2).zip(&parts).map(rest).collect()).median.max(0.0);
        self.parts = std::array::from_fn(|kind| parts.iter().map(|part| part[kind]).sum::<f64>() / self.number as f64);
    }

    fn fill_calls(&mut self, me: u32, calls: &[&Call], starts: &[usize], length: usize) {
        let of = |start: usize| &calls[start..start + length];
        let one = of(starts[0]);
        let count = |is: &dyn Fn(&Call) -> bool| one.iter().filter(|call| is(call)).count();
        let goes_away = |call: &Call| is_away(me, call) && &*call.name != "signal";
        let sizes = |is: &dyn Fn(u64) -> bool| -> Vec<u64> {
            one.iter().filter(|call| goes_away(call) && is(call.bytes)).map(|call| call.bytes).collect()
        };
        self.messages = sizes(&|bytes| bytes > 8);
        if self.messages.is_empty() {
            self.messages = sizes(&|_| true);
        }
        let sizes_of = |start: &usize| of(*start).iter().filter(|call| goes_away(call)).map(|call| call.bytes);
        // A file that is damaged may say anything.
        let bytes_of = |start: &usize| sizes_of(start).fold(0, u64::saturating_add);
        let bytes = || starts[..self.number].iter().map(bytes_of);
        self.bytes = (bytes().min().unwrap_or(0), bytes().max().unwrap_or(0));
        self.paths = one.iter().filter(|call| goes_away(call)).map(|call| call.path.clone()).collect();
        // Who sends from GPU memory does not copy to host memory and back.
        let stages = |call: &Call| &*call.name == "stream copy" && call.pe == Some(me);
        self.waits = count(&|call| &*call.name == "synchronize");
        self.waited_streams =
            one.iter().filter(|call| &*call.name == "synchronize").filter_map(|call| call.stream).collect();
        // A stream that nothing waits for may wait for others beside the exchange.
        let is_beside = |call: &Call| {
            call.awaited.is_some_and(|_| !call.stream.is_some_and(|of| self.waited_streams.contains(&of)))
        };
        let is_operation = |call: &Call| Kind::of(call) == Kind::OnStream && !is_beside(call);
        self.on_stream = count(&|call| is_operation(call) && (self.messages.is_empty() || !stages(call)));
        self.barriers = count(&|call| matches!(&*call.name, "barrier" | "sync"));
        self.collectives = count(&|call| Kind::of(call) == Kind::Together) - self.barriers;
        self.reads = count(&|call| may_read(me, call));
        // What follows sends in each iteration, before it sends again, is a wait for others or the next launch.
        let mut sends = false;
        for call in one {
            match Kind::of(call) {
                Kind::Send if is_away(me, call) => sends = true,
                Kind::Together => {
                    self.rounds += 1;
                    self.exchanges += usize::from(std::mem::take(&mut sends));
                }
                Kind::Launch | Kind::Synchronize if std::mem::take(&mut sends) => {
                    self.rounds += 1;
                    self.exchanges += 1;
                }
                _ => {}
            }
        }
        self.rounds += usize::from(sends);
        self.exchanges += usize::from(sends);
    }

    fn fill_launches(&mut self, me: u32, calls: &[&Call], (starts, length): (&[usize], usize), kernels: &[Kernel]) {
        let mut times: BTreeMap<usize, Vec<&Kernel>> = BTreeMap::new();
        let end = starts[self.number];
        for kernel in kernels {
            let after = calls.partition_point(|call| call.from <= kernel.launched);
            let Some(at) = after.checked_sub(1).filter(|at| (starts[0]..end).contains(at)) else { continue };
            if &*calls[at].name == "launch" && calls[at].stream == Some(kernel.stream) {
                times.entry((at - starts[0]) % length).or_default().push(kernel);
            }
        }
        let one = &calls[starts[0]..starts[0] + length];
        let is_exchange = |call: &&Call| is_away(me, call) || Kind::of(call) == Kind::Together;
        let mut sends = false;
        for (at, call) in one.iter().enumerate() {
            sends |= is_exchange(call);
            if Kind::of(call) == Kind::Launch {
                let all = starts[..self.number].iter().map(|start| calls[start + at].ns as f64).collect();
                let kernels = times.remove(&at).unwrap_or_default();
                let times: Vec<f64> = kernels.iter().map(|kernel| kernel.ns as f64).collect();
                let kernel = (!times.is_empty()).then(|| Spread::of(times).low);
                let part_of = |(blocks, fit): (u64, u64)| blocks as f64 / fit.max(1) as f64;
                let blocks: Option<Vec<_>> = kernels.iter().map(|kernel| kernel.blocks).collect();
                let blocks = blocks.and_then(|all| all.into_iter().max_by(|a, b| part_of(*a).total_cmp(&part_of(*b))));
                let fill = blocks.map_or(1.0, part_of).min(1.0);
                let call_ns = Spread::of(all).median;
                // A kernel that is waited for only behind the sends which follow it needs nothing of them.
                // Which stream an event is of is not in the timeline.
                let is_of = |other: &Call| other.stream.is_none() || other.stream == call.stream;
                let waits = |other: &&Call| &*other.name == "synchronize" && is_of(other);
                let next = one[at..].iter().find(|other| waits(other) || !sends && is_exchange(other));
                let is_waited = call.stream.is_some() && next.map_or_else(|| one[..at].iter().any(waits), waits);
                let same = |start: &usize| calls[start + at].kernel == call.kernel;
                let name = call.kernel.clone().filter(|_| starts[..self.number].iter().all(same));
                let (stream, call) = (call.stream, call_ns);
                let is_behind_sends = sends;
                self.launches.push(Launch { name, stream, call, kernel, fill, blocks, is_behind_sends, is_waited });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_loop_is_found() {
        let of = |text: &str| {
            let names: Vec<usize> = text.bytes().map(usize::from).collect();
            repeated(&names, &text.bytes().map(|name| name == b'l').collect::<Vec<_>>())
        };
        assert_eq!(of("xxlspqlspqlspqlspqy"), Some((2, 4, 4)));
        assert_eq!(of("lslslslslslslsls"), Some((0, 2, 8)));
        assert_eq!(of("ppppppppppppplsplsplsplspz"), Some((12, 3, 4)), "the loop without a launch is longer");
        assert_eq!(of("lsplsppplspplsppplspp"), None);
        assert_eq!([of(""), of("l"), of("lll")], [None; 3]);
    }
}
