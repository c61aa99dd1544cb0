//! What PE 0 reports to the first process, one JSON value per line.

use cushmem_path::{LocalKind, Path};
use serde::{Deserialize, Serialize};

/// One line.
#[derive(Debug, Serialize, Deserialize)]
pub enum Said {
    /// The name of PE 0's GPU, or why it has none.
    Gpu(Result<String, String>),
    /// What was measured.
    Line(Line),
    /// What could not be measured, and why.
    Absent(String),
}

/// A line of the file, and how well it fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The word for a path, or another keyword of the file.
    pub what: String,
    /// Kinds of memory, or `any`.
    pub from: String,
    pub to: String,
    pub overhead_ns: f64,
    pub latency_ns: f64,
    pub gb_s: f64,
    /// The interquartile range of the rounds as a fraction of their median, at the worst size.
    pub spread: f64,
    /// The largest factor by which the line misses a size, minus 1.
    pub off: f64,
    /// The library's own figures: start and bandwidth.
    pub shipped: (f64, f64),
}

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Found {
    /// The GPU, once a job has reported it.
    pub gpu: Option<Result<String, String>>,
    pub lines: Vec<Line>,
    pub absent: Vec<String>,
    /// Jobs that failed.
    pub failed: usize,
}

impl Found {
    pub fn add(&mut self, said: Said) {
        match said {
            Said::Gpu(gpu) => self.gpu = Some(gpu),
            Said::Line(line) => self.lines.push(line),
            Said::Absent(what) => self.absent.push(what),
        }
    }

    /// Records that none of the paths that a job measures was measured.
    pub fn absent(&mut self, measures: &str, why: &str) {
        self.absent.push(format!("{measures}: {why}"));
    }

    /// Adds the path that consists of two others, one after the other.
    pub fn add_sums(&mut self) {
        let of = |what: Path, from: &str, to: &str| {
            let fits = |line: &&Line| {
                line.what == what.word()
                    && (line.from == from || line.from == "any")
                    && (line.to == to || line.to == "any")
            };
            self.lines.iter().find(fits).cloned()
        };
        let (gpu, pageable) = (LocalKind::Gpu.word(), LocalKind::Pageable.word());
        let system = of(Path::CrossMemory, pageable, pageable);
        let sums = [(gpu, pageable), (pageable, gpu)].into_iter().filter_map(|(from, to)| {
            let (engine, system) = (of(Path::CopyEngine, from, to)?, system.as_ref()?);
            Some(Line {
                what: Path::CrossMemoryStaged.word().into(),
                overhead_ns: engine.overhead_ns + system.overhead_ns,
                latency_ns: engine.latency_ns + system.latency_ns,
                gb_s: 1.0 / (1.0 / engine.gb_s + 1.0 / system.gb_s),
                spread: engine.spread.max(system.spread),
                off: engine.off.max(system.off),
                ..engine
            })
        });
        let sums: Vec<Line> = sums.collect();
        self.lines.extend(sums);
    }
}
