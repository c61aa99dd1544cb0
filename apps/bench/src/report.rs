//! Results as a table for people, as JSON lines for machines, and as curves.

use crate::heading::Heading;
use crate::names::By;
use crate::plot;
use crate::rounds::Figure;
use anyhow::{Context, Result};
use cushmem::Shmem;
use cushmem_program::{NewFile, refuse, say, try_file, write_file};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::PathBuf;

/// Where results go, in addition to the table.
#[derive(clap::Args, Clone, Default)]
pub struct Output {
    /// Also write the results to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also plot what was measured with several sizes or numbers of blocks, to this SVG, PNG or HTML file; error bars
    /// show the range of the rounds
    #[arg(long, value_name = "FILE.svg|FILE.png|FILE.html", value_parser = cushmem_plot::file)]
    pub plot: Option<PathBuf>,
}

/// One JSON line. The keys of the case are siblings of the fixed keys.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(rename = "impl")]
    by: &'static str,
    backend: &'static str,
    pes: u32,
    metric: &'a str,
    #[serde(flatten)]
    keys: Map<String, Value>,
    value: f64,
    unit: &'a str,
}

/// A number if the text is one, so that programs can sort by it; otherwise a string.
fn json(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| text.into(), Value::from)
}

/// Collects and prints the rows of one run. Only PE 0 prints.
pub struct Report {
    speaks: bool,
    pes: u32,
    backend: &'static str,
    json: Option<NewFile>,
    plot: Option<(PathBuf, Heading)>,
    points: Vec<plot::Point>,
}

impl Report {
    /// `measured` becomes the title of the curves. `backend` distinguishes figures of the emulation from real ones. An
    /// existing file is replaced at the end. Ends the job at once if a file cannot be written.
    pub fn new(shmem: &Shmem, measured: &str, backend: &'static str, output: &Output) -> Result<Self> {
        let speaks = shmem.my_pe() == 0;
        for (option, path) in [("--json", &output.json), ("--plot", &output.plot)] {
            if let (Some(path), true) = (path, speaks)
                && let Err(why) = try_file(option, path)
            {
                return refuse(shmem, "shmem-bench", &format!("{why:#}"));
            }
        }
        let json = match &output.json {
            Some(path) if speaks => Some(NewFile::create(path).with_context(|| format!("create {}", path.display()))?),
            _ => None,
        };
        let plot = output.plot.as_ref().map(|path| (path.clone(), Heading::new(measured, shmem)));
        Ok(Self { speaks, pes: shmem.n_pes(), backend, json, plot, points: vec![] })
    }

    /// Adds one figure of the library. `keys` names the case: `("bytes", "8")`. A value that is a whole number becomes
    /// a number in JSON.
    pub fn row(&mut self, metric: &str, keys: &[(&str, String)], value: impl Into<Figure>, unit: &str) -> Result<()> {
        self.row_by(By::Cushmem, metric, keys, value, unit)
    }

    /// Adds one figure.
    pub fn row_by(
        &mut self,
        by: By,
        metric: &str,
        keys: &[(&str, String)],
        figure: impl Into<Figure>,
        unit: &str,
    ) -> Result<()> {
        if !self.speaks {
            return Ok(());
        }
        let figure = figure.into();
        let value = figure.value;
        let case: Vec<_> = keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        say(&format!("{metric:<26} {:<28} {:<8} {value:>12.4} {unit}", case.join(", "), by.name()))?;
        if let Some(file) = &mut self.json {
            let keys = keys.iter().map(|(key, value)| ((*key).to_owned(), json(value))).collect();
            // More digits than the clock's resolution would only make the file longer.
            let value = (value * 1e5).round() / 1e5;
            let row = Row { by: by.name(), backend: self.backend, pes: self.pes, metric, keys, value, unit };
            writeln!(file, "{}", serde_json::to_string(&row)?).context("write the JSON file")?;
        }
        self.points.extend(plot::Point::of(by, metric, keys, figure, unit));
        Ok(())
    }

    /// Prints why a figure is missing.
    pub fn left_out(&self, metric: &str, reason: &str) -> Result<()> {
        if self.speaks { say(&format!("{metric:<26} left out: {reason}")) } else { Ok(()) }
    }

    /// Completes the JSON file, and draws the curves, if requested.
    pub fn finish(self) -> Result<()> {
        self.json.map_or(Ok(()), NewFile::finish).context("write the JSON file")?;
        match &self.plot {
            Some((path, heading)) if self.speaks => {
                let picture = plot::plot(heading, &self.points).encode(path)?;
                write_file(path, &picture).with_context(|| format!("write {}", path.display()))
            }
            _ => Ok(()),
        }
    }
}
