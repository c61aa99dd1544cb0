//! A timeline, in the JSON of `chrome://tracing`, which ui.perfetto.dev reads too: a process for each PE, a track for
//! each of its threads and streams, an event for each operation and each wait, and an arrow from each signal to the
//! wait that it has ended. Operations of the network overlap, so they are events of their own, with a beginning and an
//! end, and how many are under way is a curve.

use crate::area::MOST_TRACKS;
use crate::clock::Clock;
use crate::flows::{Flow, Place, flows};
use crate::json::escaped;
use crate::kernels::{Kernels, Moved, Slice};
use crate::names::Transfer;
use crate::network::{Level, Network};
use crate::read::{Event, Of, Record};
use crate::streams::{Busy, Streams};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// After how many events to ask whether to go on.
const ASK_EVERY: u64 = 1024;

/// What became of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many were written.
    pub written: u64,
    /// How many were dropped before.
    pub dropped: u64,
    /// How many arrows were written from signals to waits.
    pub flows: u64,
    /// Whether all that were there were written.
    pub is_whole: bool,
    /// By how many nanoseconds times of different hosts may be wrong, compared with each other.
    pub apart: Option<u64>,
}

/// Writes the events of all PEs. Each record comes with the number of its PE. Asks whether to `go_on` from time to
/// time; if not, what is written is complete in form, has the events so far, and says in a last event that it lacks
/// others.
pub fn timeline(
    records: &[(u32, Record)],
    to: &mut impl Write,
    go_on: &mut dyn FnMut() -> bool,
) -> io::Result<Written> {
    // Times are differences from the first one, which is more exact where readers keep them as floating-point numbers.
    // A PE records nothing before it has begun.
    let origin = records.iter().filter_map(|(_, record)| record.begun()).min().unwrap_or(0);
    let dropped = records.iter().map(|(_, record)| record.dropped()).fold(0, u64::saturating_add);
    write!(to, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"dropped_events\":{dropped}")?;
    let emulated = records.iter().filter(|(_, record)| record.is_emulated()).count();
    write!(to, ",\"emulated_gpus\":{emulated}")?;
    write_clocks(to, records)?;
    if let Some(error) = records.iter().filter_map(|(_, record)| record.kernels_error()).max() {
        write!(to, ",\"kernels_error_ns\":{error}")?;
    }
    write!(to, "}},\"traceEvents\":[")?;
    let (mut written, mut is_whole, mut separator, mut latest) = (0u64, true, "\n", (0, origin));
    let mut moved = Moved::default();
    for (pe, record) in records {
        let host = record.host().map_or_else(String::new, |host| format!(" on {}", escaped(&host.name)));
        let process = record.process().map_or_else(String::new, |process| format!(" (process {process})"));
        write!(
            to,
            "{separator}{{\"ph\":\"M\",\"pid\":{pe},\"name\":\"process_name\",\"args\":{{\"name\":\"PE {pe}{host}{process}\"}}}}"
        )?;
        separator = ",\n";
        write!(
            to,
            ",\n{{\"ph\":\"M\",\"pid\":{pe},\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{pe}}}}}"
        )?;
        for (track, name) in record.tracks() {
            let (tid, name) = (tid(track as u32), escaped(&name));
            write!(
                to,
                ",\n{{\"ph\":\"M\",\"pid\":{pe},\"tid\":{tid},\"name\":\"thread_name\",\"args\":{{\"name\":\"{name}\"}}}}"
            )?;
        }
        let (mut streams, mut network) = (Streams::default(), Network::new(records.len()));
        let names = Names::of(record)?;
        let mut kernels = Kernels::default();
        let mut says_dropped = record.dropped() > 0;
        for event in record.events() {
            is_whole &= !written.is_multiple_of(ASK_EVERY) || go_on();
            if !is_whole {
                break;
            }
            let event = event?;
            if std::mem::take(&mut says_dropped) {
                let (ts, dropped) = (us(event.from.saturating_sub(origin)), record.dropped());
                write!(
                    to,
                    ",\n{{\"ph\":\"i\",\"s\":\"p\",\"pid\":{pe},\"tid\":{FIRST_TID},\"ts\":{ts},\"name\":\"{dropped} earlier events were dropped\"}}"
                )?;
            }
            if kernels.take(&event) {
                written += 1;
                continue;
            }
            let busy = streams.take(&event);
            if let Of::Network(transfer) = event.of {
                network.take(&event);
                write_transfer(to, *pe, (written, transfer), &event, origin)?;
            } else {
                write_event(to, *pe, &event, (streams.numbers_of(&event), &names), origin)?;
            }
            if let Some(busy) = busy {
                write_busy(to, *pe, &busy, &names, origin)?;
            }
            written += 1;
            latest = (*pe, event.from);
        }
        for busy in streams.rest() {
            write_busy(to, *pe, &busy, &names, origin)?;
        }
        let (slices, tracks) = kernels.finish();
        for (track, name) in tracks {
            let tid = tid(track);
            write!(
                to,
                ",\n{{\"ph\":\"M\",\"pid\":{pe},\"tid\":{tid},\"name\":\"thread_name\",\"args\":{{\"name\":\"{name}\"}}}}"
            )?;
        }
        for slice in &slices {
            moved.take(*pe, slice);
            write_slice(to, *pe, slice, origin)?;
        }
        for level in network.levels() {
            write_level(to, *pe, &level, origin)?;
        }
        for stream in 0..streams.number() {
            let tid = tid_of_stream(stream);
            write!(
                to,
                ",\n{{\"ph\":\"M\",\"pid\":{pe},\"tid\":{tid},\"name\":\"thread_name\",\"args\":{{\"name\":\"stream {stream}\"}}}}"
            )?;
        }
    }
    let flows = if is_whole { flows(records, go_on)? } else { None };
    is_whole &= flows.is_some();
    let flows = flows.unwrap_or_default();
    for (number, flow) in flows.iter().enumerate() {
        let Flow { mut from, to: mut until, is_within_error } = *flow;
        from.track = moved.beginning(from.pe, from.track, from.at);
        until.track = moved.end(until.pe, until.track, until.at);
        write_flow(to, number, &Flow { from, to: until, is_within_error }, origin)?;
    }
    if !is_whole {
        let (pe, ts) = (latest.0, us(latest.1.saturating_sub(origin)));
        write!(
            to,
            ",\n{{\"ph\":\"i\",\"s\":\"g\",\"pid\":{pe},\"tid\":{FIRST_TID},\"ts\":{ts},\"cat\":\"incomplete\",\"name\":\"a signal stopped the writing of the timeline here: what follows is missing\"}}"
        )?;
    }
    let within_error = flows.iter().filter(|flow| flow.is_within_error).count();
    writeln!(to, "\n],\"arrows_within_error\":{within_error}}}")?;
    Ok(Written { written, dropped, flows: flows.len() as u64, is_whole, apart: apart(records) })
}

/// The clocks of hosts, by their names.
fn clocks<'a>(records: &'a [(u32, Record)]) -> BTreeMap<&'a str, &'a Clock> {
    let hosts = records.iter().filter_map(|(_, record)| record.host());
    hosts.filter_map(|host| Some((host.name.as_str(), host.clock.as_ref()?))).collect()
}

/// The two largest errors of clocks together.
fn apart(records: &[(u32, Record)]) -> Option<u64> {
    let mut errors: Vec<u64> = clocks(records).values().map(|clock| clock.error()).collect();
    errors.sort_unstable();
    // With one host, there is nothing to compare.
    let largest = errors.len().checked_sub(2).map(|from| &errors[from..])?;
    largest.iter().copied().reduce(u64::saturating_add)
}

/// How the clocks of hosts compare with that of the launcher: `offset_ns` ahead at first, and faster by `drift_ppb`
/// nanoseconds in a second. The times of the timeline are wrong by at most `error_ns`.
fn write_clocks(to: &mut impl Write, records: &[(u32, Record)]) -> io::Result<()> {
    let clock = |(name, clock): (&&str, &&Clock)| {
        let (name, offset, drift, error) = (escaped(name), clock.offset(), clock.drift(), clock.error());
        format!("{{\"host\":\"{name}\",\"offset_ns\":{offset},\"drift_ppb\":{drift},\"error_ns\":{error}}}")
    };
    let clocks: Vec<String> = clocks(records).iter().map(clock).collect();
    if clocks.is_empty() { Ok(()) } else { write!(to, ",\"clocks\":[{}]", clocks.join(",")) }
}

/// The first number of a track in the file, above those of all PEs. Perfetto replaces 0 by the number of the process,
/// and takes a thread with the number of its process for its main thread: with low numbers, threads would share tracks.
const FIRST_TID: u32 = 1 << 17;

/// The number of a track in the file.
fn tid(track: u32) -> u32 {
    FIRST_TID + track
}

/// That of a stream's track, behind those of threads.
fn tid_of_stream(stream: usize) -> u32 {
    tid((MOST_TRACKS + stream) as u32)
}

/// The names of a PE's kernels, as parts of strings of JSON.
struct Names(Vec<String>);

impl Names {
    fn of(record: &Record) -> io::Result<Self> {
        Ok(Self(record.kernels()?.iter().map(|name| escaped(name)).collect()))
    }

    /// The one with this number.
    fn get(&self, number: u8) -> Option<&str> {
        self.0.get(usize::from(number).checked_sub(1)?).map(String::as_str).filter(|name| !name.is_empty())
    }
}

/// How many kernels are in the title of a stream's time.
const MOST_IN_TITLE: usize = 2;

fn write_busy(to: &mut impl Write, pe: u32, busy: &Busy, names: &Names, origin: u64) -> io::Result<()> {
    let Busy { stream, from, until, launches, ref kernels, others } = *busy;
    let (tid, ts, dur) = (tid_of_stream(stream), us(from.saturating_sub(origin)), us(until.saturating_sub(from)));
    let kernels: Vec<_> = kernels.iter().filter_map(|(number, times)| Some((names.get(*number)?, times))).collect();
    let titles: Vec<&str> = kernels.iter().map(|(name, _)| *name).take(MOST_IN_TITLE).collect();
    let title = match (titles.is_empty(), kernels.len() - titles.len()) {
        (true, _) => String::new(),
        (false, 0) => format!(": {}", titles.join(", ")),
        (false, more) => format!(": {} and {more} more", titles.join(", ")),
    };
    write!(
        to,
        ",\n{{\"ph\":\"X\",\"pid\":{pe},\"tid\":{tid},\"ts\":{ts},\"dur\":{dur},\"cat\":\"stream\",\"name\":\"may be busy{title}\",\"args\":{{\"launches\":{launches},\"others\":{others}"
    )?;
    if !kernels.is_empty() {
        let kernels: Vec<String> = kernels.iter().map(|(name, times)| format!("\"{name}\":{times}")).collect();
        write!(to, ",\"kernels\":{{{}}}", kernels.join(","))?;
    }
    write!(to, "}}}}")
}

/// A transfer of the network, with this number among all events.
fn write_transfer(
    to: &mut impl Write,
    pe: u32,
    (number, transfer): (u64, Transfer),
    event: &Event,
    origin: u64,
) -> io::Result<()> {
    let name = transfer.name();
    let mut end = |phase: &str, at: u64| {
        let ts = us(at.saturating_sub(origin));
        write!(
            to,
            ",\n{{\"ph\":\"{phase}\",\"id2\":{{\"local\":\"{number:x}\"}},\"pid\":{pe},\"tid\":{FIRST_TID},\"ts\":{ts},\"cat\":\"network\",\"name\":\"{name}\""
        )?;
        if phase == "b" {
            let (bytes, other) = (event.bytes, event.pe.unwrap_or(pe));
            write!(to, ",\"args\":{{\"bytes\":{bytes},\"pe\":{other}}}")?;
        }
        write!(to, "}}")
    };
    end("b", event.from)?;
    end("e", event.until())
}

fn write_level(to: &mut impl Write, pe: u32, level: &Level, origin: u64) -> io::Result<()> {
    let Level { at, operations, bytes } = *level;
    let ts = us(at.saturating_sub(origin));
    write!(
        to,
        ",\n{{\"ph\":\"C\",\"pid\":{pe},\"tid\":{FIRST_TID},\"ts\":{ts},\"name\":\"network, under way\",\"args\":{{\"operations\":{operations},\"bytes\":{bytes}}}}}"
    )
}

/// An arrow from the start of an operation to the end of a wait. An arrow connects events, and Perfetto has it point to
/// the one that begins later, which may be the operation. So the last nanosecond of the wait has an event of its own.
fn write_flow(to: &mut impl Write, number: usize, flow: &Flow, origin: u64) -> io::Result<()> {
    let Place { pe, track, at } = flow.to;
    let tid = tid(track);
    let (seen, args) = match (flow.from.at, flow.is_within_error) {
        // Nobody knows when between both times it was.
        (from, true) => (from, ",\"args\":{\"within_error\":true}"),
        // By clocks of hosts that do not agree, the operation may be the later one.
        (from, false) if from > at => (at.saturating_sub(1), ""),
        (from, false) => (from.max(at.saturating_sub(1)), ""),
    };
    let dur = if flow.is_within_error { 1 } else { at.saturating_sub(seen) };
    let (ts, dur) = (us(seen.saturating_sub(origin)), us(dur));
    write!(
        to,
        ",\n{{\"ph\":\"X\",\"pid\":{pe},\"tid\":{tid},\"ts\":{ts},\"dur\":{dur},\"cat\":\"signal\",\"name\":\"signal seen\"{args}}}"
    )?;
    let ends = [(flow.from, "\"ph\":\"s\""), (Place { at: seen, ..flow.to }, "\"ph\":\"f\",\"bp\":\"e\"")];
    for (Place { pe, track, at }, phase) in ends {
        let (tid, ts) = (self::tid(track), us(at.saturating_sub(origin)));
        write!(
            to,
            ",\n{{{phase},\"id\":{number},\"pid\":{pe},\"tid\":{tid},\"ts\":{ts},\"cat\":\"signal\",\"name\":\"signal\"}}"
        )?;
    }
    Ok(())
}

/// An event, with the number of its stream and that of the stream that this waits for, if there are these, and the
/// names of kernels.
fn write_event(
    to: &mut impl Write,
    pe: u32,
    event: &Event,
    ([stream, awaited], names): ([Option<usize>; 2], &Names),
    origin: u64,
) -> io::Result<()> {
    let Event { of, track, from, ns, bytes, pe: other, .. } = *event;
    let (tid, ts, dur) = (tid(track.into()), us(from.saturating_sub(origin)), us(ns));
    let (kernel, named) = (names.get(event.kernel), |name| format!(",\"kernel\":\"{name}\""));
    if of == Of::Kernel {
        // When it ran is not known, so it is a mark at its launch.
        let (tid, stream) = (tid_of_stream(stream.unwrap_or(0)), stream.unwrap_or(0));
        let blocks = other.map_or_else(String::new, |fit| format!(",\"blocks\":{bytes},\"fit\":{fit}"));
        let (name, kernel) = (kernel.unwrap_or("a kernel"), kernel.map(named).unwrap_or_default());
        return write!(
            to,
            ",\n{{\"ph\":\"i\",\"s\":\"t\",\"pid\":{pe},\"tid\":{tid},\"ts\":{ts},\"cat\":\"kernel\",\"name\":\"{name} took {dur} us\",\"args\":{{\"us\":{dur},\"stream\":{stream}{kernel}{blocks}}}}}"
        );
    }
    write!(to, ",\n{{\"ph\":\"X\",\"pid\":{pe},\"tid\":{tid},\"ts\":{ts},\"dur\":{dur},")?;
    match of {
        Of::Kernel | Of::Network(_) | Of::InKernel(..) => {}
        Of::Wait(cause) => return write!(to, "\"cat\":\"wait\",\"name\":\"wait: {}\"}}", cause.name()),
        Of::Operation(operation, way) => {
            let category = if operation.is_command() { "command" } else { "call" };
            write!(
                to,
                "\"cat\":\"{category}\",\"name\":\"{}\",\"args\":{{\"path\":\"{}\"",
                operation.name(),
                way.name()
            )?;
        }
    }
    if let Some(awaited) = awaited {
        write!(to, ",\"for\":{awaited}")?;
    } else if bytes > 0 {
        write!(to, ",\"bytes\":{bytes}")?;
    }
    if let Some(other) = other {
        write!(to, ",\"pe\":{other}")?;
    }
    if let Some(stream) = stream {
        write!(to, ",\"stream\":{stream}")?;
    }
    write!(to, "{}", kernel.map(named).unwrap_or_default())?;
    write!(to, "}}}}")
}

/// An operation of a kernel.
fn write_slice(to: &mut impl Write, pe: u32, slice: &Slice, origin: u64) -> io::Result<()> {
    let Slice { operation, event, track } = slice;
    let (tid, ts, dur) = (tid(*track), us(event.from.saturating_sub(origin)), us(event.ns));
    let name = operation.name();
    write!(
        to,
        ",\n{{\"ph\":\"X\",\"pid\":{pe},\"tid\":{tid},\"ts\":{ts},\"dur\":{dur},\"cat\":\"device\",\"name\":\"{name}\",\"args\":{{\"bytes\":{}",
        event.bytes
    )?;
    if let Some(other) = event.pe {
        write!(to, ",\"pe\":{other}")?;
    }
    write!(to, "}}}}")
}

/// Microseconds, of nanoseconds.
fn us(ns: u64) -> String {
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Cause, Operation, Subject, Way};
    use crate::read::tests::{read, recorder};
    use cushmem_abi::KernelOperation;

    #[test]
    fn it_is_json_with_a_track_for_each_thread() {
        let (recorder, words) = recorder(2, 4);
        recorder.begin(7, 1_000);
        recorder.note_emulated();
        recorder.track("ma\"in");
        for number in 0..5 {
            recorder.operation((Operation::Put, Way::Nic), 64, (Some(1), None), (2_000 + number, 2_512), 0);
        }
        recorder.wait(Cause::Peers, None, (5_000, 6_000), 0);
        let mut bytes = vec![];
        let records = [(0, read(words)), (1, read(crate::read::tests::recorder(2, 4).1))];
        let done = timeline(&records, &mut bytes, &mut || true).expect("memory takes everything");
        assert_eq!(done, Written { written: 4, dropped: 2, flows: 0, is_whole: true, apart: None });
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
        assert_eq!(value["otherData"]["dropped_events"].as_u64(), Some(2));
        assert_eq!(value["otherData"]["emulated_gpus"].as_u64(), Some(1));
        let events = value["traceEvents"].as_array().expect("a list");
        let of = |phase: &str| events.iter().filter(|event| event["ph"] == phase).collect::<Vec<_>>();
        assert_eq!((of("M").len(), of("i").len(), of("X").len()), (5, 1, 4));
        assert_eq!(of("M")[2]["args"]["name"], "ma\"in");
        assert_eq!(of("i")[0]["name"], "2 earlier events were dropped");
        let put = of("X")[0];
        assert_eq!((put["ts"].as_f64(), put["dur"].as_f64()), (Some(1.002), Some(0.51)));
        assert_eq!((put["args"]["pe"].as_u64(), put["args"]["path"].as_str()), (Some(1), Some("nic")));
        assert_eq!(of("X")[3]["name"], "wait: peers");
    }

    /// Catches arrows whose ends are not on the events that they connect, and streams on the tracks of threads.
    #[test]
    fn signals_and_streams_are_seen() {
        let (recorder, words) = recorder(1, 8);
        recorder.begin(7, 1_000);
        let stream = (None, Some(Subject::Stream(0xabc)));
        recorder.launch((0xabc, None), (2_000, 2_100), 0);
        recorder.operation((Operation::Synchronize, Way::None), 0, stream, (2_200, 2_900), 0);
        recorder.wait_for((0xabc, 0xdef), (2_150, 2_160), 0);
        recorder.kernel((0xabc, None), (2_010, 650), Some((300, 264)), 0);
        let word = Subject::Word(0, 8);
        recorder.operation((Operation::Signal, Way::Mapped), 8, (Some(0), Some(word)), (3_000, 3_100), 1);
        recorder.wait(Cause::Word, Some((word, 8)), (2_950, 3_200), 0);
        let mut bytes = vec![];
        let done = timeline(&[(0, read(words))], &mut bytes, &mut || true).expect("memory takes everything");
        assert_eq!(done, Written { written: 6, dropped: 0, flows: 1, is_whole: true, apart: None });
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
        let events = value["traceEvents"].as_array().expect("a list");
        let seen = events.iter().find(|event| event["name"] == "signal seen").expect("the end of the wait");
        let on = |track| Some(u64::from(tid(track)));
        assert_eq!(
            (seen["tid"].as_u64(), seen["ts"].as_f64(), seen["dur"].as_f64()),
            (on(0), Some(2.199), Some(0.001))
        );
        let find = |key: &str, is: &str| events.iter().find(|event| event[key] == is).expect("it is there");
        let span = |event: &serde_json::Value| (event["tid"].as_u64(), event["ts"].as_f64(), event["dur"].as_f64());
        assert_eq!(span(find("cat", "stream")), (on(64), Some(1.0), Some(0.9)));
        assert_eq!(find("name", "launch")["args"]["stream"], 0);
        assert_eq!(span(find("cat", "kernel")), (on(64), Some(1.01), None));
        let kernel = &find("cat", "kernel")["args"];
        assert_eq!(
            (kernel["us"].as_f64(), kernel["blocks"].as_u64(), kernel["fit"].as_u64()),
            (Some(0.65), Some(300), Some(264))
        );
        let waits = &find("name", "stream wait-for")["args"];
        assert_eq!((waits["stream"].as_u64(), waits["for"].as_u64(), waits.get("bytes")), (Some(0), Some(1), None));
        assert_eq!(span(find("ph", "s")), (on(1), Some(2.0), None));
        assert_eq!(span(find("ph", "f")), (on(0), Some(2.199), None));
        assert_eq!(find("ph", "s")["id"], find("ph", "f")["id"]);
        assert!(events.iter().any(|event| event["args"]["name"] == "stream 0" && event["tid"].as_u64() == on(64)));
        // Perfetto takes 0 for the number of the process, and that for the track of the process.
        assert!(events.iter().all(|event| event["tid"].as_u64().is_none_or(|tid| tid > 65_536)), "{events:?}");
    }

    /// Catches kernels with the names of others, or with names that break the JSON, and launches that are in none.
    #[test]
    fn kernels_have_their_names() {
        let (recorder, words) = recorder(1, 16);
        recorder.begin(7, 1_000);
        let odd = "a \\ \"b\"\n\u{7f}ö";
        for (stream, kernel) in [
            (1, Some("step")),
            (1, Some(odd)),
            (1, None),
            (1, Some("step")),
            (1, Some("_Z4stepIfEvv")),
            (2, Some(odd)),
            (3, None),
        ] {
            recorder.launch((stream, kernel), (2_000, 2_100), 0);
        }
        recorder.kernel((2, Some(odd)), (2_010, 650), Some((300, 264)), 0);
        recorder.kernel((3, None), (2_010, 700), None, 0);
        let mut bytes = vec![];
        timeline(&[(0, read(words))], &mut bytes, &mut || true).expect("memory takes everything");
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
        let events = value["traceEvents"].as_array().expect("a list");
        let of = |category: &str, is: &dyn Fn(&serde_json::Value) -> String| -> Vec<String> {
            events.iter().filter(|event| event["cat"] == category).map(is).collect()
        };
        let launched = of("call", &|event| event["args"]["kernel"].as_str().unwrap_or("-").to_owned());
        assert_eq!(launched, ["step", odd, "-", "step", "_Z4stepIfEvv", odd, "-"]);
        let name = |event: &serde_json::Value| event["name"].as_str().expect("text").to_owned();
        assert_eq!(of("kernel", &name), [format!("{odd} took 0.650 us"), "a kernel took 0.700 us".into()]);
        let kernels = of("kernel", &|event| event["args"]["kernel"].to_string());
        assert_eq!(kernels, [serde_json::Value::from(odd).to_string(), "null".into()]);
        let busy = format!("may be busy: step, {odd} and 1 more");
        assert_eq!(of("stream", &name), [busy, format!("may be busy: {odd}"), "may be busy".into()]);
        let numbers = |event: &serde_json::Value| {
            let kernels = &event["args"]["kernels"];
            format!("{} {} {} {}", event["args"]["launches"], kernels["step"], kernels[odd], kernels["_Z4stepIfEvv"])
        };
        assert_eq!(of("stream", &numbers), ["5 2 1 1", "1 null 1 null", "1 null null null"]);
    }

    /// Catches arrows that go back in time, and readers that are not told how many orders are not known.
    #[test]
    fn arrows_within_the_error_are_drawn_at_one_time() {
        let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 8), recorder(2, 8));
        of_0.begin(7, 1_000);
        of_1.begin(8, 1_000);
        of_0.kernels_recorded(0, 100);
        let word = Some(Subject::Word(0, 8));
        of_0.in_kernel(KernelOperation::Signal, (8, Some(1), word), (2_050, 2_090), (0, 0));
        of_1.wait(Cause::Word, word.map(|word| (word, 8)), (1_500, 2_000), 0);
        let mut bytes = vec![];
        let done = timeline(&[(0, read(words_0)), (1, read(words_1))], &mut bytes, &mut || true);
        assert_eq!(done.map(|done| done.flows).ok(), Some(1));
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
        let events = value["traceEvents"].as_array().expect("a list");
        let at = |key: &str, is: &str| {
            events.iter().find(|event| event[key] == is).map(|event| (event["pid"].clone(), event["ts"].as_f64()))
        };
        let ends = [at("ph", "s"), at("ph", "f"), at("name", "signal seen")];
        assert_eq!(ends, [(0, 1.05), (1, 1.05), (1, 1.05)].map(|(pe, ts)| Some((pe.into(), Some(ts)))));
        let seen = events.iter().find(|event| event["name"] == "signal seen").expect("it is there");
        assert_eq!((seen["dur"].as_f64(), &seen["args"]["within_error"]), (Some(0.001), &true.into()));
        assert_eq!(value["arrows_within_error"].as_u64(), Some(1));
    }

    /// Catches a timeline that nobody can read because it was not to be written to its end, and one that does not say
    /// that it lacks the rest.
    #[test]
    fn what_is_stopped_is_json_too() {
        let (recorder, words) = recorder(1, 8192);
        recorder.begin(7, 1_000);
        for number in 0..8192 {
            recorder.operation((Operation::Put, Way::Nic), 64, (Some(0), None), (2_000 + number, 2_512 + number), 0);
        }
        let (mut bytes, mut asked) = (vec![], 0);
        let mut go_on = || {
            asked += 1;
            asked < 3
        };
        let done = timeline(&[(0, read(words)), (1, read(words))], &mut bytes, &mut go_on);
        let expected = Written { written: 2 * ASK_EVERY, dropped: 0, flows: 0, is_whole: false, apart: None };
        assert_eq!(done.expect("memory takes everything"), expected);
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
        let events = value["traceEvents"].as_array().expect("a list");
        assert_eq!(events.iter().filter(|event| event["ph"] == "X").count() as u64, expected.written);
        let last = events.last().expect("there are events");
        assert_eq!((last["cat"].as_str(), last["ts"].as_f64()), (Some("incomplete"), Some(3.047)));
        let mut whole = vec![];
        timeline(&[(0, read(words))], &mut whole, &mut || true).expect("memory takes everything");
        assert!(!String::from_utf8(whole).expect("it is text").contains("incomplete"));
    }
}
