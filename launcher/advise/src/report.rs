//! What was found as a page with plots.

use crate::advice::{Advice, time};
use crate::iterations::{Kind, PARTS};
use crate::model::Predicted;
use crate::trace::{Call, Trace};
use cushmem_plot::{Axis, Panel, Plot, Point, Scale, Series};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// Width and height of a panel in pixels.
const SIZE: (u32, u32) = (900, 320);
/// The most kinds of calls in the picture.
const MOST_NAMES: usize = 8;
/// The most PEs of which each has bars of its own.
const MOST_PES: usize = 8;

fn point(x: usize, y: f64) -> Point {
    Point { x: x as f64, y, low: y, high: y }
}

/// Bars of times in nanoseconds.
fn bars(title: &str, names: &[&str], series: Vec<Series>) -> Panel {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Panel {
        title: title.into(),
        x: Axis { name: String::new(), scale: Scale::Names(names), label: |at| at.to_string() },
        y: Axis { name: "time".into(), scale: Scale::Linear, label: time },
        series,
    }
}

/// Where the threads that were looked at spent their time.
fn calls(trace: &Trace) -> Panel {
    let sums = |calls: &[Call]| {
        let mut sums: BTreeMap<Rc<str>, u64> = BTreeMap::new();
        for call in calls {
            let sum = sums.entry(call.name.clone()).or_default();
            *sum = sum.saturating_add(call.ns);
        }
        sums
    };
    let of: Vec<_> = trace.pes.iter().take(MOST_PES).map(|(pe, of)| (*pe, sums(&of.calls))).collect();
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, ns) in of.iter().flat_map(|(_, sums)| sums) {
        let sum = all.entry(name).or_default();
        *sum = sum.saturating_add(*ns);
    }
    let mut names: Vec<&str> = all.keys().copied().collect();
    names.sort_by_key(|name| std::cmp::Reverse(all[name]));
    names.truncate(MOST_NAMES);
    let bar = |sums: &BTreeMap<Rc<str>, u64>| {
        let of = |(x, name): (usize, &&str)| point(x, sums.get(*name).copied().unwrap_or(0) as f64);
        names.iter().enumerate().map(of).collect()
    };
    let series = of.iter().map(|(pe, sums)| Series { name: format!("PE {pe}"), points: bar(sums) }).collect();
    bars(&title(trace, of.len(), all.len()), &names, series)
}

/// The title of that picture, with what it leaves out.
fn title(trace: &Trace, pes: usize, kinds: usize) -> String {
    let mut title = "Where the time of the job went: calls and waits".to_owned();
    let mut leave_out = |what: String| {
        title += if title.contains(';') { ", " } else { "; without " };
        title += &what;
    };
    if trace.pes.len() > pes {
        leave_out(format!("{} of {} PEs", trace.pes.len() - pes, trace.pes.len()));
    }
    if kinds > MOST_NAMES {
        leave_out(format!("{} shorter kinds", kinds - MOST_NAMES));
    }
    if trace.pes.values().any(|pe| pe.has_other_threads) {
        leave_out("other threads than the one that launches most".into());
    }
    title
}

/// The page: the text, an iteration as it was and as it would be, its parts, and the calls of all PEs.
pub fn page(file: &Path, trace: &Trace, advice: &Advice, text: &str) -> Result<String, String> {
    let mut panels = vec![];
    if let Some((pe, of)) = &advice.slowest {
        let measured = Point { x: 0.0, y: of.time.median, low: of.time.low, high: of.time.high };
        let mut points = vec![measured];
        if let Some(Predicted { stream, graph, kernel, .. }) = advice.predicted {
            points.extend([stream, graph, kernel].into_iter().enumerate().map(|(at, ns)| point(at + 1, ns)));
        }
        let names = ["as recorded", "stream", "stream, from a graph", "device"];
        let series = Series { name: "an iteration".into(), points };
        let title = format!("An iteration of PE {pe}, with its middle half, and as predicted");
        panels.push(bars(&title, &names[..series.points.len()], vec![series]));
        let name = |kind: &Kind| match kind {
            Kind::Launch => "launches",
            Kind::Synchronize => "waits for streams",
            Kind::Send => "sends S",
            Kind::OnStream => "calls of streams",
            Kind::Together => "collectives",
            Kind::Wait => "waits W",
            Kind::Other => "others",
        };
        let names: Vec<_> = PARTS.iter().map(name).collect();
        let points = of.parts.iter().enumerate().map(|(at, ns)| point(at, *ns)).collect();
        let series = Series { name: "mean".into(), points };
        panels.push(bars("What the CPU does in it", &names, vec![series]));
    }
    if trace.pes.values().any(|pe| !pe.calls.is_empty()) {
        panels.push(calls(trace));
    }
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let plot = Plot { heading: vec![format!("What {name} says")], size: SIZE, panels };
    cushmem_plot::page(&plot, text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Pe;

    /// Catches a picture of a part of the job that looks like all of it.
    #[test]
    fn what_a_picture_leaves_out_is_said() {
        let all = "Where the time of the job went: calls and waits";
        let call = |name: String| Call {
            name: name.into(),
            from: 0,
            ns: 5,
            path: "".into(),
            bytes: 0,
            pe: None,
            stream: None,
            awaited: None,
            kernel: None,
        };
        let of = |pes: u32, kinds: u32, has_other_threads: bool| {
            let of_pe: Vec<Call> = (0..kinds).map(|kind| call(format!("kind {kind}"))).collect();
            let pe = |_| Pe { calls: of_pe.clone(), has_other_threads, ..Pe::default() };
            calls(&Trace { pes: (0..pes).map(|number| (number, pe(number))).collect(), ..Trace::default() }).title
        };
        assert_eq!(of(8, 8, false), all);
        assert_eq!(of(64, 8, false), format!("{all}; without 56 of 64 PEs"));
        assert_eq!(
            of(9, 10, true),
            format!("{all}; without 1 of 9 PEs, 2 shorter kinds, other threads than the one that launches most")
        );
    }
}
