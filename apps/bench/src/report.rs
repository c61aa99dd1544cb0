//! Results as a table for people, as JSON lines for machines, and as curves.

use crate::plot;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

/// Where results go, besides the table.
#[derive(clap::Args, Clone, Default)]
pub struct Output {
    /// Also write one JSON object a line to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also draw latency and bandwidth over the size into this PNG.
    #[arg(long, value_name = "FILE.png")]
    pub plot: Option<PathBuf>,
}

/// Who did what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The library.
    Cushmem,
    /// The same by hand, without a library: the reference of the same run.
    Limit,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Cushmem => "cushmem",
            Self::Limit => "limit",
        }
    }
}

/// Collects and prints the rows of one run; only PE 0's does.
pub struct Report {
    speaks: bool,
    pes: u32,
    backend: &'static str,
    json: Option<File>,
    plot: Option<PathBuf>,
    points: Vec<plot::Point>,
}

impl Report {
    /// `backend` tells emulated figures from real ones. The JSON file is made anew.
    pub fn new(my_pe: u32, pes: u32, backend: &'static str, output: &Output) -> Result<Self> {
        let speaks = my_pe == 0;
        let json = match &output.json {
            Some(path) if speaks => Some(File::create(path).with_context(|| format!("create {}", path.display()))?),
            _ => None,
        };
        Ok(Self { speaks, pes, backend, json, plot: output.plot.clone(), points: vec![] })
    }

    /// One figure of the library. `keys` name the case: `("bytes", "8")`; values that are not numbers are quoted.
    pub fn row(&mut self, metric: &str, keys: &[(&str, String)], value: f64, unit: &str) -> Result<()> {
        self.row_by(By::Cushmem, metric, keys, value, unit)
    }

    /// One figure.
    pub fn row_by(&mut self, by: By, metric: &str, keys: &[(&str, String)], value: f64, unit: &str) -> Result<()> {
        if !self.speaks {
            return Ok(());
        }
        let case: Vec<_> = keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        println!("{metric:<26} {:<28} {:<8} {value:>12.4} {unit}", case.join(", "), by.name());
        let mut line = format!(
            "{{\"impl\":\"{}\",\"backend\":\"{}\",\"pes\":{},\"metric\":\"{metric}\"",
            by.name(),
            self.backend,
            self.pes
        );
        for (key, value) in keys {
            let number = value.parse::<f64>().is_ok();
            let quote = if number { "" } else { "\"" };
            write!(line, ",\"{key}\":{quote}{value}{quote}")?;
        }
        writeln!(line, ",\"value\":{value:.5},\"unit\":\"{unit}\"}}")?;
        if let Some(json) = &mut self.json {
            json.write_all(line.as_bytes()).context("write the JSON file")?;
        }
        self.points.extend(plot::Point::of(by.name(), metric, keys, value, unit));
        Ok(())
    }

    /// Says why a figure is not there.
    pub fn left_out(&self, metric: &str, reason: &str) {
        if self.speaks {
            println!("{metric:<26} left out: {reason}");
        }
    }

    /// Draws the curves, if they were asked for.
    pub fn finish(&self) -> Result<()> {
        match &self.plot {
            Some(path) if self.speaks => {
                plot::draw(&self.points, path).with_context(|| format!("write {}", path.display()))
            }
            _ => Ok(()),
        }
    }
}
