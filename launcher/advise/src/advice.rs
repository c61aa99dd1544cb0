//! What the terms say, in words.

use crate::iterations::{Iterations, LONGEST, Launch, Term, reads_behind_waits, varies_by_sends};
use crate::model::{BESIDE, GAP_NS, GPU, LARGE, LITTLE, MEETING_NS, Predicted, Terms};
use crate::trace::{Pe, Trace};
use cushmem_command_line::printable_lines;
use cushmem_path::Costs;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Whether a condition holds, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// None if the trace does not say.
    pub holds: Option<bool>,
    /// Why.
    pub why: String,
}

impl Verdict {
    fn new(holds: impl Into<Option<bool>>, why: impl Into<String>) -> Self {
        Self { holds: holds.into(), why: why.into() }
    }

    fn word(&self) -> &'static str {
        match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "is not known",
        }
    }
}

/// What is known of a job.
pub struct Advice {
    /// The PE whose iterations take longest, and those.
    pub slowest: Option<(u32, Iterations)>,
    /// The shortest and the longest iteration of all PEs in nanoseconds, and the waits for words of each.
    pub between: (f64, f64),
    /// The terms, if kernels were timed.
    pub terms: Option<Terms>,
    /// What iterations would take, if that is known.
    pub predicted: Option<Predicted>,
    /// The three conditions: asynchrony, gain, fragmentation.
    pub conditions: [Verdict; 3],
    /// What to change first.
    pub first: String,
    /// What could not be known.
    pub unknown: Vec<String>,
    /// How many PEs have emulated GPUs.
    pub emulated: u64,
}

/// A job in which no PE launches more kernels may be too short to repeat anything.
const FEWEST: usize = 20;

/// Nanoseconds for people.
pub fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

fn plural(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

impl Advice {
    /// That for a job.
    pub fn of(trace: &Trace, costs: &Costs) -> Self {
        let found = trace.pes.iter().filter_map(|(pe, calls)| Some((*pe, Iterations::of(*pe, calls)?)));
        let all: Vec<(u32, Iterations)> = found.collect();
        let time_of = |(_, of): &(u32, Iterations)| of.time.median;
        let between =
            all.iter().map(time_of).fold((f64::MAX, 0.0), |(low, high): (f64, f64), ns| (low.min(ns), high.max(ns)));
        let lacking = trace.pes.len() - all.len();
        let slowest = all.into_iter().max_by(|one, other| time_of(one).total_cmp(&time_of(other)));
        let Some((pe, of)) = slowest else { return Self::without_iterations(trace) };
        let terms = Terms::of(&of, trace.pes.len(), costs);
        let predicted = terms.filter(|_| of.collectives == 0).map(|terms| terms.predict());
        let asynchrony = asynchrony(&of, predicted.as_ref());
        let gain = gain(&of, terms.as_ref(), &asynchrony);
        let fragmentation = fragmentation(&of, terms.as_ref());
        let conditions = [asynchrony, gain, fragmentation];
        let first = what_first(&of, terms.as_ref(), &conditions);
        let mut unknown = unknown(trace, &of, terms.as_ref());
        if lacking > 0 && trace.is_incomplete {
            let does = if lacking == 1 { "does" } else { "do" };
            unknown.push(format!("what {} {does}: {STOPPED}", plural(lacking, "other PE")));
        } else if lacking > 0 {
            let repeat = if lacking == 1 { "repeats" } else { "repeat" };
            let others = plural(lacking, "other PE");
            unknown.push(format!("what {others} {repeat}, because no loop with launches was found there"));
        }
        if lacking == 0 && trace.is_incomplete {
            unknown.push(format!("what follows: {STOPPED}"));
        }
        Self {
            slowest: Some((pe, of)),
            between,
            terms,
            predicted,
            conditions,
            first,
            unknown,
            emulated: trace.emulated,
        }
    }

    /// That for a job that repeats nothing.
    fn without_iterations(trace: &Trace) -> Self {
        let launches =
            |name: &str| trace.pes.values().flat_map(|pe| &pe.calls).filter(|call| &*call.name == name).count();
        let (launched, waited) = (launches("launch"), launches("synchronize"));
        let unknown = Verdict::new(None, "there is nothing to compare without iterations");
        let most = |calls: &Pe| calls.calls.iter().filter(|call| &*call.name == "launch").count();
        let is_short = trace.pes.values().map(most).max().unwrap_or(0) < FEWEST && trace.dropped == 0;
        let (asynchrony, first) = if trace.is_incomplete {
            (Verdict::new(None, STOPPED), "nothing: record the job again, and let shmemrun finish the timeline")
        } else if launched > 0 && is_short {
            let why = format!("only {} launched in all, too few to find a loop", plural(launched, "kernel"));
            (Verdict::new(None, why), "nothing: record a job with at least a hundred iterations")
        } else if launched == 0 {
            let why = "no kernel was launched through the library, so it is not known what the CPU waits for";
            (Verdict::new(None, why), "launch the kernels through the library (Stream::launch), and record again")
        } else if waited == 0 {
            let why = "the CPU waits for no stream through the library: asynchronous already";
            (Verdict::new(true, why), "nothing: record a job in a mode in which the CPU communicates, such as host")
        } else if trace.pes.iter().any(|(pe, of)| reads_behind_waits(*pe, of)) {
            let why = format!(
                "no calls repeat, and behind most of the {waited} waits for streams the CPU may read what kernels have \
                 computed, so it seems to decide by that what follows"
            );
            (Verdict::new(false, why), CPU_DECIDES)
        } else if trace.pes.iter().any(|(pe, of)| varies_by_sends(*pe, of)) {
            let why = format!(
                "the calls repeat but for what is sent, which differs from one wait for a stream to the next ({waited} in \
                 all), so the CPU seems to decide by what kernels have computed, and cannot enqueue it before"
            );
            (Verdict::new(false, why), CPU_DECIDES)
        } else {
            let why = format!(
                "no sequence of at most {LONGEST} calls repeats, so it is not known whether the CPU decides by what \
                 kernels have computed"
            );
            let first = "nothing yet: if iterations have more calls, record a smaller problem; if some have a step that \
                         others lack, such as output, record a job without it";
            (Verdict::new(None, why), first)
        };
        let gain = if asynchrony.holds == Some(false) { Verdict::new(false, CPU_STAYS) } else { unknown.clone() };
        Self {
            slowest: None,
            between: (0.0, 0.0),
            terms: None,
            predicted: None,
            conditions: [asynchrony, gain, unknown],
            first: first.into(),
            emulated: trace.emulated,
            unknown: [format!(
                "an iteration: no sequence of at most {LONGEST} calls with a launch occurs four times in succession and has a fifth of all launches{}",
                if trace.dropped > 0 { " in the events that were kept" } else { "" }
            )]
                .into_iter()
                .chain((launched > 0 && waited == 0).then(|| WAITS_UNSEEN.into()))
                .collect(),
        }
    }
}

fn asynchrony(of: &Iterations, predicted: Option<&Predicted>) -> Verdict {
    let (fewest, most) = of.bytes;
    if of.waits == 0 {
        return Verdict::new(
            true,
            "the CPU waits for no stream in an iteration through the library: asynchronous already",
        );
    }
    if fewest != most {
        let why = format!(
            "messages differ from iteration to iteration ({fewest} to {most} bytes), so what the CPU sends depends on \
             what kernels have computed"
        );
        return Verdict::new(false, why);
    }
    if of.reads > 0 {
        let why = format!(
            "in each iteration the CPU may read results of kernels ({}: reductions, and gets and atomic operations on \
             its own memory), so it cannot enqueue the next one before",
            plural(of.reads, "call")
        );
        return Verdict::new(false, why);
    }
    let same = "all iterations send the same, and the CPU reads no result of a kernel through the library";
    let Some(&Predicted { enqueue, graph, .. }) = predicted else { return Verdict::new(true, same) };
    if enqueue > graph {
        let why = format!(
            "{same}; but the CPU enqueues for {}, longer than the GPU works, unless from a graph",
            time(enqueue)
        );
        return Verdict::new(true, why);
    }
    Verdict::new(true, format!("{same}; it would enqueue for {}", time(enqueue)))
}

/// The best prediction, and its mode: the first one, in the order of the work that they are, that is not much worse
/// than any that follows.
fn best(&Predicted { stream, graph, kernel, .. }: &Predicted) -> (f64, &'static str) {
    let is_enough = |ns: f64, others: &[f64]| others.iter().all(|other| ns <= other * (1.0 + LITTLE));
    if is_enough(stream, &[graph, kernel]) {
        (stream, STREAM)
    } else if is_enough(graph, &[kernel]) {
        (graph, GRAPH)
    } else {
        (kernel, DEVICE)
    }
}

/// Why the events of some PEs, or the last ones of one, are not in the timeline.
const STOPPED: &str = "a signal stopped the writing of the timeline";
/// What a program that seems to be asynchronous may do.
const WAITS_UNSEEN: &str = "whether the CPU waits for the GPU by calls of CUDA, or by asking again and again whether a \
                            stream is idle";
/// What to do where the CPU decides in a program that repeats nothing.
const CPU_DECIDES: &str = "stream and kernel modes gain nothing as long as the CPU decides what to send. If kernels can \
                           decide, let them send (device); or send blocks of a fixed size, with their length";
/// Why nothing is gained where the CPU decides.
const CPU_STAYS: &str = "without asynchrony the CPU stays in each iteration";
/// How many kernels of each term are named.
const MOST_NAMES: usize = 3;
/// Stands for graphs, and for kernels whose name is not known.
const NAMELESS: &str = "others";
/// Why a program that is asynchronous is not judged.
const NOTHING_TO_COMPARE: &str = "the CPU waits for no stream through the library, so there is nothing to compare with";

/// A time as a part of an iteration.
fn part_of(ns: f64, of: &Iterations) -> f64 {
    if of.time.median > 0.0 { ns / of.time.median } else { 0.0 }
}

const STREAM: &str = "stream";
const GRAPH: &str = "stream, from a graph";
const DEVICE: &str = "device";

fn gain(of: &Iterations, terms: Option<&Terms>, asynchrony: &Verdict) -> Verdict {
    if of.waits == 0 {
        return Verdict::new(None, NOTHING_TO_COMPARE);
    }
    if asynchrony.holds == Some(false) {
        return Verdict::new(false, CPU_STAYS);
    }
    let Some(terms) = terms else { return Verdict::new(None, "the times of kernels are not known") };
    if of.collectives > 0 {
        let why = format!("what {} in an iteration would take is not known", plural(of.collectives, "collective"));
        return Verdict::new(None, why);
    }
    let (ns, mode) = best(&terms.predict());
    let gain = part_of(of.time.median - ns, of);
    let why = format!("an iteration would take {} instead of {} ({mode})", time(ns), time(of.time.median));
    if gain >= LITTLE {
        return Verdict::new(true, format!("{why}, {} less", percent(gain)));
    }
    Verdict::new(false, format!("{why}: the kernels take {} of it", time(terms.busy())))
}

fn fragmentation(of: &Iterations, terms: Option<&Terms>) -> Verdict {
    if of.waits == 0 {
        return Verdict::new(None, NOTHING_TO_COMPARE);
    }
    let rounds = plural(of.rounds, "round");
    let Some(terms) = terms else {
        return Verdict::new(None, format!("{rounds} in an iteration; the times of kernels are not known"));
    };
    let idle = (of.time.median - terms.busy()).max(0.0);
    let part = part_of(idle, of);
    let each = idle / of.rounds.max(1) as f64;
    let why = format!("the GPU is idle for {} of an iteration, {} in each of {rounds}", percent(part), time(each));
    Verdict::new(part >= LARGE, why)
}

fn what_first(of: &Iterations, terms: Option<&Terms>, [asynchrony, gain, _]: &[Verdict; 3]) -> String {
    if of.waits == 0 {
        return "nothing here: record a job in a mode in which the CPU communicates, host or staged, for a comparison"
            .into();
    }
    if asynchrony.holds == Some(false) {
        return if of.bytes.0 == of.bytes.1 {
            "read results of kernels less often, for example in every tenth iteration, or leave the decision to a \
             kernel; if the CPU only fetches what it sends, send it from GPU memory. As long as the CPU decides, \
             nothing is gained"
                .into()
        } else {
            "let kernels decide what to send and send it (device), or send blocks of a fixed size with their length; as \
             long as the CPU decides, nothing is gained"
                .into()
        };
    }
    let Some(terms) = terms else {
        return "record a longer job, in which some launch of each kernel is timed (in Rust, one of 17 on each \
                stream)"
            .into();
    };
    if of.collectives > 0 {
        return "enqueue the collectives on the stream of the kernels (stream), and compare the times: the model does \
                not know what they would take"
            .into();
    }
    if gain.holds != Some(true) {
        return if terms.rest > terms.busy().max(terms.far) {
            let rest = time(terms.rest);
            format!(
                "the CPU's own work: it takes {rest} of an iteration beside all calls, and no mode would change that"
            )
        } else if terms.far > terms.busy() {
            let far = time(terms.far);
            format!(
                "the messages: they take {far} of an iteration in any mode. Send less, in fewer rounds, or while \
                     kernels that need nothing of them (B) run"
            )
        } else {
            "the kernels: the exchange costs little, and no mode would change that".into()
        };
    }
    let predicted = terms.predict();
    let Predicted { stream, graph, .. } = predicted;
    match best(&predicted).1 {
        STREAM => "enqueue puts with signal and waits on streams (stream), with the kernels as they are".into(),
        GRAPH => {
            "enqueue puts with signal and waits on streams (stream), and record an iteration in a graph: launches \
                  are the limit"
                .into()
        }
        _ => format!(
            "move the exchange into a kernel that runs all iterations (device or fused); streams would come to {}, and \
             from a graph to {}",
            time(stream),
            time(graph)
        ),
    }
}

fn unknown(trace: &Trace, of: &Iterations, terms: Option<&Terms>) -> Vec<String> {
    let mut unknown = vec![];
    let untimed = of.launches.iter().filter(|launch| launch.kernel.is_none()).count();
    if terms.is_none() {
        unknown.push(format!(
            "how long the kernels of an iteration take: {untimed} of {} {} not timed (in Rust, one launch of 17 on each \
             stream is)",
            plural(of.launches.len(), "kernel"),
            if untimed == 1 { "was" } else { "were" }
        ));
    }
    if part_of(of.rest, of) >= LITTLE {
        let rest = time(of.rest);
        unknown.push(format!(
            "what the CPU does for {rest} of an iteration outside of the library, and whether it has to"
        ));
    }
    if of.waits > 0 && of.reads == 0 {
        unknown.push("whether the CPU reads results of kernels without the library".into());
    }
    if of.waits == 0 {
        unknown.push(WAITS_UNSEEN.into());
    }
    if of.launches.iter().any(|launch| launch.blocks.is_none()) {
        unknown.push("whether all blocks of a kernel fit on the GPU at the same time, as device and fused need".into());
    }
    if of.launches.iter().any(|launch| !launch.is_waited) {
        let how_much = "how much kernels on several streams slow each other down";
        unknown.push(match terms {
            Some(terms) => format!("{how_much}: one after the other they take {}", time(terms.a + terms.b + terms.c)),
            None => how_much.into(),
        });
    }
    if terms.is_some() {
        unknown.push(format!(
            "whether this GPU is like {GPU}, on which these were measured: what a stream takes between two operations \
             ({:.2} µs) and a meeting of all blocks takes ({:.2} µs), and how much slower what runs beside a kernel that \
             fills the GPU is ({:.1} times)",
            GAP_NS / 1e3,
            MEETING_NS / 1e3,
            1.0 / (1.0 - BESIDE)
        ));
    }
    if !of.is_near() {
        unknown.push("how well kernels overlap with messages that go by the network or through host memory".into());
    }
    if trace.dropped > 0 {
        unknown.push(format!("what the {} events were that were dropped", trace.dropped));
    }
    if trace.pes.values().any(|pe| pe.commands > 0) {
        unknown.push("what kernels that communicate themselves wait for".into());
    }
    if trace.pes.values().any(|pe| pe.has_other_threads) {
        unknown
            .push("what other threads of the program contribute: only the one that launches most was looked at".into());
    }
    unknown.push("kernels and copies that the program starts without the library".into());
    unknown
}

/// The kernels of an iteration by their names, those that take longest first, if any has a name.
fn kernels(launches: &[Launch]) -> Option<String> {
    launches.iter().find(|launch| launch.name.is_some())?;
    let of = |(term, letter)| {
        let mut sums: BTreeMap<&str, Option<f64>> = BTreeMap::new();
        for launch in launches.iter().filter(|launch| launch.term() == term) {
            let sum = sums.entry(launch.name.as_deref().unwrap_or(NAMELESS)).or_insert(Some(0.0));
            *sum = sum.zip(launch.kernel).map(|(sum, kernel)| sum + kernel);
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by(|(_, one), (_, other)| other.unwrap_or(0.0).total_cmp(&one.unwrap_or(0.0)));
        let each = |(name, sum): &(&str, Option<f64>)| format!("{name} ({})", sum.map_or("not timed".into(), time));
        let shown: Vec<String> = sums.iter().take(MOST_NAMES).map(each).collect();
        let more = sums.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!shown.is_empty()).then(|| format!("{letter} {}{more}", shown.join(", ")))
    };
    let all: Vec<String> = [(Term::A, "A"), (Term::B, "B"), (Term::C, "C")].into_iter().filter_map(of).collect();
    Some(format!("               {}", all.join("; ")))
}

/// Everything as text. The timeline may be anybody's, so nothing of it can control a terminal.
pub fn text(advice: &Advice, costs: &str) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    if advice.emulated > 0 {
        let gpus = plural(advice.emulated as usize, "GPU");
        let verb = if advice.emulated == 1 { "is" } else { "are" };
        line(format!("emulated       {gpus} {verb}: times and predictions say nothing about real ones"));
    }
    if let Some((pe, of)) = &advice.slowest {
        let spread = format!("{} to {} in the middle half", time(of.time.low), time(of.time.high));
        line(format!("iteration      {} ({spread}), of {} on PE {pe}", time(of.time.median), of.number));
        line(format!("               {} to {} on all PEs", time(advice.between.0), time(advice.between.1)));
        if of.is_enqueued() {
            line("               the CPU only enqueues it, so this is not what it takes on the GPU".into());
        }
        let [launch, synchronize, send, on_stream, together, wait] = of.parts;
        line(format!(
            "CPU, mean      launches {} ({}), waits for streams {}, sends S {}, calls of streams {} ({}), collectives {}, \
             waits W {}, the rest {}",
            time(launch),
            of.launches.len(),
            time(synchronize),
            time(send),
            time(on_stream),
            of.on_stream,
            time(together),
            time(wait),
            time((of.mean - of.parts.iter().sum::<f64>()).max(0.0))
        ));
        line(format!(
            "messages       {} of {} bytes in all, {}, by {}",
            of.messages.len(),
            of.bytes.1,
            plural(of.rounds, "round"),
            if of.paths.is_empty() {
                "-".to_owned()
            } else {
                of.paths.iter().map(|path| &**path).collect::<Vec<_>>().join(", ")
            }
        ));
        match &advice.terms {
            Some(terms) => {
                let idle = (of.time.median - terms.busy()).max(0.0);
                line(format!(
                    "GPU            A {}, B {}, C {}, idle {}",
                    time(terms.a),
                    time(terms.b),
                    time(terms.c),
                    time(idle)
                ));
            }
            None => line("GPU            not known".into()),
        }
        kernels(&of.launches).into_iter().for_each(&mut line);
        let blocks = of.launches.iter().map(|launch| launch.blocks.map(|blocks| (launch.name.as_deref(), blocks)));
        blocks.collect::<Option<Vec<_>>>().iter().for_each(|all| {
            let too_many = all.iter().filter(|(_, (blocks, fit))| blocks > fit).max_by_key(|(_, (blocks, _))| blocks);
            line(match too_many {
                None => "               all blocks of each kernel fit on it at the same time, as device and fused need"
                    .into(),
                Some((name, (blocks, fit))) => format!(
                    "               {} has {blocks} blocks, of which {fit} fit on it at the same time: in device and \
                     fused, each block has to do more",
                    name.unwrap_or("a kernel")
                ),
            });
        });
        match &advice.predicted {
            Some(Predicted { stream, graph, kernel, .. }) => line(format!(
                "predicted      stream {}, from a graph {}, device {}",
                time(*stream),
                time(*graph),
                time(*kernel)
            )),
            None => line("predicted      not known".into()),
        }
    }
    for (name, verdict) in ["asynchrony", "gain", "fragmentation"].into_iter().zip(&advice.conditions) {
        line(format!("{name:14} {}: {}", verdict.word(), verdict.why));
    }
    line(format!("first          {}", advice.first));
    for (index, what) in advice.unknown.iter().enumerate() {
        line(format!("{:14} {what}", if index == 0 { "not known" } else { "" }));
    }
    line(costs.to_owned());
    printable_lines(&text)
}

#[cfg(test)]
#[path = "advice_tests.rs"]
mod tests;
