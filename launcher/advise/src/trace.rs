//! A timeline of `shmemrun --trace`, as its reader sees it.

use flate2::read::MultiGzDecoder;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs::File as Opened;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

/// What the files of `--trace` begin with, and nothing else that a job writes.
const FORMAT: &str = "\"dropped_events\"";
/// The text of a timeline may have this many bytes, which limits how long it takes to read.
const MOST_BYTES: u64 = 8 << 30;
/// So many calls and kernels are kept, which limits the memory: a call takes about 100 bytes. Jobs of 128 PEs have as
/// many, unless `CUSHMEM_TRACE_EVENTS` says otherwise.
const MOST_EVENTS: usize = 1 << 25;
/// In so many bytes the file must say what it is.
const START: u64 = 4096;

#[derive(Deserialize)]
struct File {
    #[serde(rename = "otherData")]
    other: Other,
    #[serde(rename = "traceEvents")]
    events: Events,
}

#[derive(Deserialize)]
struct Other {
    dropped_events: u64,
    #[serde(default)]
    emulated_gpus: u64,
}

#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow)]
    ph: Cow<'a, str>,
    pid: u32,
    #[serde(default)]
    tid: u64,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default, borrow)]
    cat: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(default, borrow)]
    args: Args<'a>,
}

#[derive(Default, Deserialize)]
struct Args<'a> {
    #[serde(default, borrow)]
    path: Option<Cow<'a, str>>,
    #[serde(default)]
    bytes: u64,
    pe: Option<u32>,
    stream: Option<u64>,
    #[serde(rename = "for")]
    awaited: Option<u64>,
    us: Option<f64>,
    #[serde(default, borrow)]
    kernel: Option<Cow<'a, str>>,
    #[serde(default)]
    blocks: u64,
    fit: Option<u64>,
}

/// A call of the library, or a wait for words or PEs outside of one, by one thread. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name in the timeline.
    pub name: Rc<str>,
    /// When it began.
    pub from: u64,
    /// How long it took.
    pub ns: u64,
    /// The way of its bytes; empty for waits.
    pub path: Rc<str>,
    /// Its bytes.
    pub bytes: u64,
    /// The PE on whose memory it works, if there is one.
    pub pe: Option<u32>,
    /// The stream that it is about, if there is one.
    pub stream: Option<u64>,
    /// The stream for which that one waits.
    pub awaited: Option<u64>,
    /// The name of the kernel that it launches, if that is known.
    pub kernel: Option<Rc<str>>,
}

impl Call {
    /// When it ended.
    pub fn until(&self) -> u64 {
        self.from.saturating_add(self.ns)
    }

    /// Whether it is a wait.
    pub fn is_wait(&self) -> bool {
        self.name.starts_with("wait: ")
    }
}

/// How long a kernel took, and where it was launched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// The stream.
    pub stream: u64,
    /// A time in the call that launched it.
    pub launched: u64,
    /// How long it took.
    pub ns: u64,
    /// Its blocks, and how many like them fit on the GPU together, if that is known.
    pub blocks: Option<(u64, u64)>,
}

/// What a PE did.
#[derive(Debug, Default)]
pub struct Pe {
    /// The calls of the thread that launches most kernels, or makes most calls if none launches any, in order and
    /// without those that lie inside another one.
    pub calls: Vec<Call>,
    /// The kernels whose times are known.
    pub kernels: Vec<Kernel>,
    /// How many operations kernels have left to the CPU.
    pub commands: u64,
    /// Whether other threads have made calls too.
    pub has_other_threads: bool,
}

/// A job.
#[derive(Debug, Default)]
pub struct Trace {
    /// By their numbers.
    pub pes: BTreeMap<u32, Pe>,
    /// How many earlier events were dropped.
    pub dropped: u64,
    /// Whether a signal stopped the writing, so that later events are missing, and those of some PEs altogether.
    pub is_incomplete: bool,
    /// How many PEs have emulated GPUs.
    pub emulated: u64,
}

/// Nanoseconds, of microseconds with three places.
fn ns(us: f64) -> u64 {
    (us * 1e3).round() as u64
}

/// What was read of the events, one after the other.
#[derive(Default)]
struct Events {
    trace: Trace,
    /// The calls of each thread of each PE.
    threads: BTreeMap<(u32, u64), Vec<Call>>,
    /// Names and paths, of which there are few.
    names: BTreeSet<Rc<str>>,
    kept: usize,
}

impl Events {
    fn name(&mut self, name: &str) -> Rc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name: Rc<str> = name.into();
        self.names.insert(name.clone());
        name
    }

    fn take(&mut self, raw: &Raw) {
        if self.kept == MOST_EVENTS {
            return;
        }
        let pe = self.trace.pes.entry(raw.pid).or_default();
        match (&*raw.ph, &*raw.cat) {
            ("X", "command") => pe.commands += 1,
            ("X", "call" | "wait") => {
                let call = Call {
                    name: self.name(&raw.name),
                    from: ns(raw.ts),
                    ns: ns(raw.dur),
                    path: self.name(raw.args.path.as_deref().unwrap_or_default()),
                    bytes: raw.args.bytes,
                    pe: raw.args.pe,
                    stream: raw.args.stream,
                    awaited: raw.args.awaited,
                    kernel: raw.args.kernel.as_deref().map(|kernel| self.name(kernel)),
                };
                self.threads.entry((raw.pid, raw.tid)).or_default().push(call);
                self.kept += 1;
            }
            ("i", "kernel") => {
                let (Some(us), Some(stream)) = (raw.args.us, raw.args.stream) else { return };
                let blocks = raw.args.fit.map(|fit| (raw.args.blocks, fit));
                pe.kernels.push(Kernel { stream, launched: ns(raw.ts), ns: ns(us), blocks });
                self.kept += 1;
            }
            ("i", "incomplete") => self.trace.is_incomplete = true,
            _ => {}
        }
    }

    /// The job, if nothing of it was left out.
    fn finish(self) -> Result<Trace, String> {
        let Self { mut trace, threads, kept, .. } = self;
        if kept == MOST_EVENTS {
            return Err(format!(
                "it has {MOST_EVENTS} calls or more: record fewer PEs, or fewer events of each (CUSHMEM_TRACE_EVENTS)"
            ));
        }
        for ((number, _), calls) in threads {
            let pe = trace.pes.entry(number).or_default();
            let calls = outermost(calls);
            let weight = |calls: &[Call]| {
                let launches = calls.iter().filter(|call| &*call.name == "launch").count();
                (launches, calls.iter().filter(|call| !call.is_wait()).count())
            };
            let is_more = weight(&calls) > weight(&pe.calls);
            let rest = if is_more { std::mem::replace(&mut pe.calls, calls) } else { calls };
            pe.has_other_threads |= rest.iter().any(|call| !call.is_wait());
        }
        Ok(trace)
    }
}

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OneByOne;
        impl<'de> Visitor<'de> for OneByOne {
            type Value = Events;

            fn expecting(&self, to: &mut Formatter) -> fmt::Result {
                to.write_str("a list of events")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Events, A::Error> {
                let mut events = Events::default();
                while let Some(raw) = list.next_element::<Raw>()? {
                    events.take(&raw);
                }
                Ok(events)
            }
        }
        from.deserialize_seq(OneByOne)
    }
}

/// Reads a timeline, packed or not.
pub fn read(path: &Path) -> Result<Trace, String> {
    let mut file = BufReader::new(Opened::open(path).map_err(|error| error.to_string())?);
    let is_packed = file.fill_buf().map_err(|error| error.to_string())?.starts_with(&[0x1f, 0x8b]);
    if is_packed { parse(Named("it cannot be unpacked: ", MultiGzDecoder::new(file))) } else { parse(file) }
}

/// What is read from there; errors begin with these words.
struct Named<T>(&'static str, T);

impl<T: Read> Read for Named<T> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.1.read(to).map_err(|error| io::Error::other(format!("{}{error}", self.0)))
    }
}

/// What is read from there, which ends with an error behind so many bytes.
struct Limited<T> {
    from: T,
    most: u64,
    left: u64,
}

impl<T: Read> Read for Limited<T> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let most = self.most;
            io::Error::other(format!("it is larger than {most} bytes"))
        })?;
        Ok(read)
    }
}

/// Parses the text of a timeline. What is none is not read to its end.
pub fn parse(from: impl Read) -> Result<Trace, String> {
    parse_limited(from, MOST_BYTES)
}

fn parse_limited(mut from: impl Read, most: u64) -> Result<Trace, String> {
    let mut start = vec![];
    from.by_ref().take(START).read_to_end(&mut start).map_err(|error| error.to_string())?;
    if !String::from_utf8_lossy(&start).contains(FORMAT) {
        return Err("it is not a timeline of shmemrun --trace".into());
    }
    let text = BufReader::new(Limited { from: start.chain(from), most, left: most });
    let why = |error: serde_json::Error| {
        let damaged: &dyn Display = if error.is_io() { &"" } else { &"it is damaged: " };
        format!("{damaged}{error}")
    };
    let File { other, events } = serde_json::from_reader(text).map_err(why)?;
    events.finish().map(|trace| Trace { dropped: other.dropped_events, emulated: other.emulated_gpus, ..trace })
}

/// The calls of a thread in order, without those that lie inside another one.
fn outermost(mut calls: Vec<Call>) -> Vec<Call> {
    calls.sort_by_key(|call| (call.from, std::cmp::Reverse(call.ns)));
    let mut end = 0;
    calls.retain(|call| {
        let is_outside = call.until() > end || call.from >= end;
        end = end.max(call.until());
        is_outside
    });
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_inside_others_are_left_out() {
        let text = r#"{"otherData":{"dropped_events":3},"traceEvents":[
            {"ph":"M","pid":0,"name":"process_name","args":{"name":"PE 0"}},
            {"ph":"X","pid":0,"tid":1,"ts":2.5,"dur":1,"cat":"wait","name":"wait: peers"},
            {"ph":"X","pid":0,"tid":1,"ts":2,"dur":3.25,"cat":"call","name":"barrier","args":{"path":"-"}},
            {"ph":"X","pid":0,"tid":1,"ts":6,"dur":1,"cat":"call","name":"launch","args":{"path":"-","stream":1}},
            {"ph":"X","pid":0,"tid":1,"ts":8,"dur":1,"cat":"wait","name":"wait: word"},
            {"ph":"X","pid":0,"tid":2,"ts":1,"dur":1,"cat":"wait","name":"wait: gpu"},
            {"ph":"X","pid":0,"tid":64,"ts":6,"dur":9,"cat":"stream","name":"may be busy"},
            {"ph":"i","pid":0,"tid":64,"ts":6.1,"cat":"kernel","name":"…","args":{"us":7.5,"stream":1,"blocks":300,"fit":264}},
            {"ph":"X","pid":0,"tid":1,"ts":20,"dur":1,"cat":"call","name":"stream wait-for","args":{"path":"-","stream":1,"for":0}},
            {"ph":"s","id":0,"pid":0,"tid":1,"ts":6.1,"cat":"signal","name":"signal"}]}"#;
        let trace = parse(text.as_bytes()).expect("it is a timeline");
        let pe = &trace.pes[&0];
        let found: Vec<_> = pe.calls.iter().map(|call| (&*call.name, call.from, call.ns)).collect();
        assert_eq!(
            found,
            [
                ("barrier", 2000, 3250),
                ("launch", 6000, 1000),
                ("wait: word", 8000, 1000),
                ("stream wait-for", 20_000, 1000)
            ]
        );
        assert_eq!(pe.calls[3].awaited, Some(0));
        assert_eq!(pe.kernels, [Kernel { stream: 1, launched: 6100, ns: 7500, blocks: Some((300, 264)) }]);
        assert_eq!((trace.dropped, pe.has_other_threads, pe.calls[1].stream), (3, false, Some(1)));
        assert!(parse(&b"{}"[..]).is_err() && parse(&text.as_bytes()[..200]).is_err() && parse(&b""[..]).is_err());
    }

    /// Catches files without an end, and times that are beyond all others.
    #[test]
    fn damaged_and_endless_files_are_refused() {
        let text = br#"{"otherData":{"dropped_events":0},"traceEvents":[
            {"ph":"X","pid":0,"ts":1e300,"dur":1e300,"cat":"call","name":"put"},
            {"ph":"X","pid":0,"ts":-5,"dur":1e300,"cat":"call","name":"l\u0061unch"}]}"#;
        let trace = parse(&text[..]).expect("it is a timeline");
        let found: Vec<_> = trace.pes[&0].calls.iter().map(|call| (&*call.name, call.until())).collect();
        assert_eq!(found, [("launch", u64::MAX), ("put", u64::MAX)]);
        assert_eq!(crate::iterations::Iterations::of(0, &trace.pes[&0]).map(|of| of.number), None);
        let endless = || text.chain(std::io::repeat(b' '));
        let why = parse_limited(endless(), 10_000).expect_err("it has no end");
        assert_eq!(why, "it is larger than 10000 bytes");
        assert!(parse_limited(endless().take(10_000), 10_000).is_ok());
        assert!(read(Path::new("/dev/zero")).is_err_and(|error| error.contains("it is not a timeline")));
    }
}
