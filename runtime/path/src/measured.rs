//! Costs that were measured on a machine, as a file: `shmem-tune` writes it, and `CUSHMEM_COSTS` names it.
//!
//! ```text
//! cushmem costs 1
//! lines 1
//! # path       from    to   overhead_ns  latency_ns  GB/s   where it is from
//! copy-engine  pinned  gpu         1800        5200  55.0   measured: …
//! ```
//!
//! A line replaces what the library assumes. `any` stands for all kinds; if two lines match, the later one applies.
//!
//! Besides the paths, these have a cost, which is the same for all kinds, so that their lines say `any any`:
//! `staged-here` is `staged` on one node, `launch` is the launch of a kernel in a stream, and `held` is a copy that a
//! trigger holds in a stream. `thread-put` and `thread-get` are copies by a single thread of a kernel, and
//! `processor-put` and `processor-get` those that the command processor carries out for it. `array-hit`,
//! `array-load-gpu` and `array-load-host` are reads of an array by all lanes of a GPU: of lines in its cache, and by
//! plain loads from another GPU and from host memory; only their bandwidth is used.
//!
//! Two lines have a different form: `chunks-here` and `chunks-far` say how staged copies are divided on one node and
//! between nodes, as the bytes of a chunk and the number of chunks under way.
//!
//! `lines`, before all of them, gives their number, so that a truncated file is refused. A file written by hand need not
//! have it.

use crate::array_read::ARRAY_READS;
use crate::cost::{Chunks, Cost, Costs, Figure};
use crate::path::Path;
use crate::request::LocalKind;
use crate::thread::THREAD_COPIES;
use std::fmt;

/// The first line of a file, with the version of its format.
pub const HEAD: &str = "cushmem costs 1";

/// The word before the number of lines.
pub const COUNT: &str = "lines";

/// How staged copies are divided, on one node and between nodes.
const CHUNKS: [&str; 2] = ["chunks-here", "chunks-far"];
/// The upper limit of both numbers on these lines.
const MOST: usize = 1 << 30;

/// The costs of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    file: String,
    lines: Vec<Line>,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq)]
enum Line {
    Figure { what: Quantity, from: &'static [LocalKind], to: &'static [LocalKind], figure: Figure },
    Chunks { far: bool, chunks: Chunks },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    Path(Path),
    StagedHere,
    Launch,
    Held,
    /// The one with this place in [`THREAD_COPIES`].
    Thread(usize),
    /// The one with this place in [`ARRAY_READS`].
    ArrayRead(usize),
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCosts {
    file: String,
    /// Counted from 1.
    line: usize,
    cause: String,
}

impl fmt::Display for BadCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read costs from {}, line {}: {}", self.file, self.line, self.cause)
    }
}

impl std::error::Error for BadCosts {}

impl Measured {
    /// Parses the text of a file.
    pub fn parse(file: &str, text: &str) -> Result<Self, BadCosts> {
        let bad = |line: usize, cause: String| BadCosts { file: file.to_owned(), line: line + 1, cause };
        let mut rows = text.lines().enumerate().map(|(at, line)| (at, line.trim()));
        match rows.next() {
            Some((_, HEAD)) => {}
            _ => return Err(bad(0, format!("it is not `{HEAD}`, as `shmem-tune` writes it"))),
        }
        let mut rows = rows.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let count = rows.next_if(|(_, line)| line.split_whitespace().next() == Some(COUNT));
        let lines: Vec<_> =
            rows.map(|(at, line)| Line::parse(line).map_err(|cause| bad(at, cause))).collect::<Result<_, _>>()?;
        if let Some((at, line)) = count
            && (line.split_whitespace().nth(1) != Some(&lines.len().to_string()) || !text.ends_with('\n'))
        {
            return Err(bad(at, format!("it says `{line}`, but {} are here: the file is truncated", lines.len())));
        }
        Ok(Self { file: file.to_owned(), lines })
    }

    /// Replaces the figures that were measured, and records the name of the file in the costs.
    pub fn apply(&self, costs: &mut Costs) {
        if !self.file.is_empty() {
            self.replace(costs);
            costs.set_file(&self.file, self.lines.len());
        }
    }

    pub(crate) fn replace(&self, costs: &mut Costs) {
        for line in &self.lines {
            match line {
                Line::Chunks { far, chunks } => costs.set_chunks(*far, *chunks),
                Line::Figure { what: Quantity::StagedHere, figure, .. } => costs.set_staged_here(figure.clone()),
                Line::Figure { what: Quantity::Held, figure, .. } => costs.set_held(figure.clone()),
                Line::Figure { what: Quantity::Launch, figure, .. } => costs.set_launch(figure.cost),
                Line::Figure { what: Quantity::Thread(at), figure, .. } => costs.threads[*at] = figure.clone(),
                Line::Figure { what: Quantity::ArrayRead(at), figure, .. } => costs.array_reads[*at] = figure.clone(),
                Line::Figure { what: Quantity::Path(path), from, to, figure } => {
                    for (from, to) in from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to))) {
                        costs.set(*path, from, to, figure.clone());
                    }
                }
            }
        }
    }
}

impl Line {
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let mut next = |what: &str| words.next().ok_or_else(|| format!("{what} is missing"));
        let word = next("the path")?;
        if let Some(far) = CHUNKS.iter().position(|chunks| *chunks == word) {
            let mut number = |what: &str| {
                let word = next(what)?;
                let number = word.parse::<usize>().ok().filter(|number| (1..=MOST).contains(number));
                number.ok_or_else(|| format!("{what} `{word}` is not a number from 1 to {MOST}"))
            };
            let chunks = Chunks { bytes: number("the bytes of a chunk")?, depth: number("the number of chunks")? };
            return Ok(Self::Chunks { far: far == 1, chunks });
        }
        let (from, to) =
            (kinds(next("the kind of memory that bytes leave")?)?, kinds(next("the kind that they reach")?)?);
        let mut number = |what: &str| {
            let word = next(what)?;
            word.parse::<f64>().map_err(|_| format!("{what} `{word}` is not a number"))
        };
        let (overhead, latency, bandwidth) =
            (number("overhead_ns")?, number("latency_ns")?, number("the bandwidth, GB/s,")?);
        let cost = Cost::new(overhead, latency, bandwidth);
        let cost = cost.ok_or("times are not negative, and the bandwidth is positive")?;
        let what = match word {
            "staged-here" => Quantity::StagedHere,
            "launch" => Quantity::Launch,
            "held" => Quantity::Held,
            _ => match (
                THREAD_COPIES.iter().position(|(name, ..)| *name == word),
                ARRAY_READS.iter().position(|name| *name == word),
            ) {
                (Some(at), _) => Quantity::Thread(at),
                (_, Some(at)) => Quantity::ArrayRead(at),
                _ => Quantity::Path(*Path::ALL.iter().find(|path| path.word() == word).ok_or_else(|| {
                    let all: Vec<&str> = Path::ALL.iter().map(|path| path.word()).collect();
                    format!(
                        "`{word}` is not a path; paths are {}, staged-here, launch and held, beside {}, {} and {}",
                        all.join(", "),
                        THREAD_COPIES.map(|(name, ..)| name).join(", "),
                        ARRAY_READS.join(", "),
                        CHUNKS.join(" and ")
                    )
                })?),
            },
        };
        if !matches!(what, Quantity::Path(_)) && [from, to] != [LocalKind::ALL; 2] {
            return Err(format!("`{word}` has the same cost for all kinds of memory: they are `any any`"));
        }
        let source = words.collect::<Vec<_>>().join(" ");
        let source = if source.is_empty() { "a file without a source".to_owned() } else { source };
        Ok(Self::Figure { what, from, to, figure: Figure { cost, source: source.into() } })
    }
}

fn kinds(word: &str) -> Result<&'static [LocalKind], String> {
    if word == "any" {
        return Ok(LocalKind::ALL);
    }
    let found = LocalKind::ALL.iter().find(|kind| kind.word() == word);
    found.map(std::slice::from_ref).ok_or_else(|| format!("`{word}` is not any, pageable, pinned or gpu"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, GpuLink, Initiator, Machine, Operation, Overrides, Policy, RemoteKind, Request};

    fn parse(lines: &str) -> Result<Measured, BadCosts> {
        Measured::parse("FILE", &format!("{HEAD}\n{lines}"))
    }

    /// Catches a line that replaces other figures than those it names, or that is not used.
    #[test]
    fn a_line_replaces_what_it_names() {
        let mut costs = Costs::shipped(GpuLink::NvLink);
        let before = costs.clone();
        parse("# a comment\n\ncopy-engine any gpu 1 2 3 here, by hand\ncopy-engine gpu gpu 4 5 6\nstaged-here any any 7 8 9 x")
            .expect("costs")
            .apply(&mut costs);
        let of = |from, to| costs.figure(Path::CopyEngine, from, to);
        assert_eq!(of(LocalKind::Pinned, LocalKind::Gpu).cost, Cost::new(1.0, 2.0, 3.0).expect("a cost"));
        assert_eq!(of(LocalKind::Pinned, LocalKind::Gpu).source, "here, by hand");
        assert_eq!(of(LocalKind::Gpu, LocalKind::Gpu).cost, Cost::new(4.0, 5.0, 6.0).expect("a cost"));
        assert_eq!(
            of(LocalKind::Gpu, LocalKind::Pinned),
            before.figure(Path::CopyEngine, LocalKind::Gpu, LocalKind::Pinned)
        );
        let (operation, initiator, local) = (Operation::Put, Initiator::Cpu, LocalKind::Pinned);
        let row = |class| Request { operation, initiator, local, remote: RemoteKind::Gpu, class };
        assert_eq!(costs.of(Path::Staged, row(Class::Unmapped)), Cost::new(7.0, 8.0, 9.0).expect("a cost"));
        assert_eq!(costs.of(Path::Staged, row(Class::Far)), before.of(Path::Staged, row(Class::Far)));
    }

    /// Catches a table that is read but not used.
    #[test]
    fn the_policy_decides_by_it() {
        let mut machine = Machine::today(GpuLink::NvLink);
        let (operation, initiator, local) = (Operation::Put, Initiator::Cpu, LocalKind::Gpu);
        let request = Request { operation, initiator, local, remote: RemoteKind::Globals, class: Class::Own };
        let choose = |machine: &Machine| {
            let policy = Policy::new(machine, &Overrides::default());
            move |request, bytes| policy.choose(request, bytes)
        };
        let before = choose(&machine)(request, 8).expect("a path");
        parse(&format!("{before} any any 1e9 1e9 0.001 slow")).expect("costs").apply(&mut machine.costs);
        let explained = Policy::new(&machine, &Overrides::default()).explain(request).to_string();
        assert!(explained.contains("(slow)"), "{explained}");
        let class = Class::Mapped { atomics: true };
        let request = Request { operation, initiator, local: LocalKind::Pinned, remote: RemoteKind::Gpu, class };
        for (start, up_to_1k) in [("200 7200", Path::CopyEngine), ("200 1200", Path::GpuAgent)] {
            parse(&format!("gpu-agent any gpu {start} 10 measured\ncopy-engine any gpu 1800 3200 55"))
                .expect("costs")
                .apply(&mut machine.costs);
            assert_eq!(choose(&machine)(request, 1 << 10), Ok(up_to_1k), "{start}");
            assert_eq!(choose(&machine)(request, 1 << 30), Ok(Path::CopyEngine), "{start}");
        }
    }

    /// Catches costs of a file whose writer was killed, or whose disk was full.
    #[test]
    fn a_file_that_was_cut_short_is_refused() {
        let whole = "lines 2\nmapped any any 1 2 3 here\nlaunch any any 4 5 60\n";
        assert_eq!(parse(whole).expect("costs").lines.len(), 2);
        assert!(parse("lines 0\n").is_ok());
        // From behind the line with the number.
        for end in "lines 2\n".len()..whole.len() {
            let why = parse(&whole[..end]).expect_err("it was cut").to_string();
            assert!(why.starts_with("read costs from FILE, line "), "{why}");
        }
        let why = parse(&whole[..whole.len() - "launch any any 4 5 60\n".len()]).expect_err("it was cut").to_string();
        assert_eq!(why, "read costs from FILE, line 2: it says `lines 2`, but 1 are here: the file is truncated");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let error = |text: &str| Measured::parse("FILE", text).expect_err("a mistake").to_string();
        let start = "read costs from FILE, line 1: it is not `cushmem costs 1`, as `shmem-tune` writes it";
        assert_eq!((error(""), error("cushmem costs 2\n")), (start.to_owned(), start.to_owned()));
        let error = |line: &str| parse(&format!("\n{line}")).expect_err("a mistake").to_string();
        let said = |cause: &str| format!("read costs from FILE, line 3: {cause}");
        assert!(error("engine any any 1 1 1").starts_with(&said("`engine` is not a path; paths are mapped, ")));
        assert_eq!(error("mapped host any 1 1 1"), said("`host` is not any, pageable, pinned or gpu"));
        assert_eq!(error("mapped any"), said("the kind that they reach is missing"));
        assert_eq!(error("mapped any any 1 x"), said("latency_ns `x` is not a number"));
        assert_eq!(error("mapped any any 1 1 0"), said("times are not negative, and the bandwidth is positive"));
        assert_eq!(error("mapped any any 1 1"), said("the bandwidth, GB/s, is missing"));
        // It would take the place of the figure for all kinds.
        for what in ["staged-here", "launch", "held", "thread-put", "thread-get", "processor-put", "processor-get"] {
            let cause = format!("`{what}` has the same cost for all kinds of memory: they are `any any`");
            assert_eq!(error(&format!("{what} pinned any 1 1 1")), said(&cause));
            assert_eq!(error(&format!("{what} any gpu 1 1 1")), said(&cause));
        }
        assert_eq!(error("chunks-far 0 4"), said("the bytes of a chunk `0` is not a number from 1 to 1073741824"));
    }
}
