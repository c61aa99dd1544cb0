//! A timeline of `shmemrun --trace`, as its reader sees it.

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// What the files of `--trace` begin with, and nothing else that a job writes.
const FORMAT: &str = "\"dropped_events\"";
/// A packed file may have this many bytes.
const MOST_BYTES: u64 = 4 << 30;

#[derive(Deserialize)]
struct File {
    #[serde(rename = "otherData")]
    other: Other,
    #[serde(rename = "traceEvents")]
    events: Vec<Raw>,
}

#[derive(Deserialize)]
struct Other {
    dropped_events: u64,
}

#[derive(Deserialize)]
struct Raw {
    ph: String,
    pid: u32,
    #[serde(default)]
    tid: u64,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    cat: String,
    name: String,
    #[serde(default)]
    args: Args,
}

#[derive(Default, Deserialize)]
struct Args {
    path: Option<String>,
    #[serde(default)]
    bytes: u64,
    pe: Option<u32>,
    stream: Option<u64>,
    us: Option<f64>,
}

/// A call of the library, or a wait for words or PEs outside of one, by one thread. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name in the timeline.
    pub name: String,
    /// When it began.
    pub from: u64,
    /// How long it took.
    pub ns: u64,
    /// The way of its bytes; empty for waits.
    pub path: String,
    /// Its bytes.
    pub bytes: u64,
    /// The PE on whose memory it works, if there is one.
    pub pe: Option<u32>,
    /// The stream that it is about, if there is one.
    pub stream: Option<u64>,
}

impl Call {
    /// When it ended.
    pub fn until(&self) -> u64 {
        self.from + self.ns
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
}

/// Nanoseconds, of microseconds with three places.
fn ns(us: f64) -> u64 {
    (us * 1e3).round() as u64
}

/// Reads a timeline, packed or not.
pub fn read(path: &Path) -> Result<Trace, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut text = vec![];
        let read = MultiGzDecoder::new(&bytes[..]).take(MOST_BYTES).read_to_end(&mut text);
        read.map_err(|error| format!("it cannot be unpacked: {error}"))?;
        return parse(&text);
    }
    parse(&bytes)
}

/// Parses the text of a timeline.
pub fn parse(text: &[u8]) -> Result<Trace, String> {
    let start = String::from_utf8_lossy(&text[..text.len().min(4096)]);
    if !start.contains(FORMAT) {
        return Err("it is not a timeline of shmemrun --trace".into());
    }
    let file: File = serde_json::from_slice(text).map_err(|error| format!("it is damaged: {error}"))?;
    let (mut trace, mut threads) =
        (Trace { dropped: file.other.dropped_events, ..Default::default() }, BTreeMap::new());
    for raw in file.events {
        let pe = trace.pes.entry(raw.pid).or_default();
        match (raw.ph.as_str(), raw.cat.as_str()) {
            ("X", "command") => pe.commands += 1,
            ("X", "call" | "wait") => {
                let call = Call {
                    name: raw.name,
                    from: ns(raw.ts),
                    ns: ns(raw.dur),
                    path: raw.args.path.unwrap_or_default(),
                    bytes: raw.args.bytes,
                    pe: raw.args.pe,
                    stream: raw.args.stream,
                };
                threads.entry((raw.pid, raw.tid)).or_insert_with(Vec::new).push(call);
            }
            ("i", "kernel") => {
                let (Some(us), Some(stream)) = (raw.args.us, raw.args.stream) else { continue };
                pe.kernels.push(Kernel { stream, launched: ns(raw.ts), ns: ns(us) });
            }
            _ => {}
        }
    }
    for ((number, _), calls) in threads {
        let pe = trace.pes.entry(number).or_default();
        let calls = outermost(calls);
        let weight = |calls: &[Call]| {
            let launches = calls.iter().filter(|call| call.name == "launch").count();
            (launches, calls.iter().filter(|call| !call.is_wait()).count())
        };
        let is_more = weight(&calls) > weight(&pe.calls);
        let rest = if is_more { std::mem::replace(&mut pe.calls, calls) } else { calls };
        pe.has_other_threads |= rest.iter().any(|call| !call.is_wait());
    }
    Ok(trace)
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
            {"ph":"i","pid":0,"tid":64,"ts":6.1,"cat":"kernel","name":"…","args":{"us":7.5,"stream":1}},
            {"ph":"s","id":0,"pid":0,"tid":1,"ts":6.1,"cat":"signal","name":"signal"}]}"#;
        let trace = parse(text.as_bytes()).expect("it is a timeline");
        let pe = &trace.pes[&0];
        let found: Vec<_> = pe.calls.iter().map(|call| (call.name.as_str(), call.from, call.ns)).collect();
        assert_eq!(found, [("barrier", 2000, 3250), ("launch", 6000, 1000), ("wait: word", 8000, 1000)]);
        assert_eq!(pe.kernels, [Kernel { stream: 1, launched: 6100, ns: 7500 }]);
        assert_eq!((trace.dropped, pe.has_other_threads, pe.calls[1].stream), (3, false, Some(1)));
        assert!(parse(b"{}").is_err() && parse(&text.as_bytes()[..200]).is_err() && parse(b"").is_err());
    }
}
