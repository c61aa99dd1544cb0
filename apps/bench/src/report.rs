//! Results as a table for people and as JSON lines for machines.

use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// Collects and prints the rows of one run; only PE 0's does.
pub struct Report {
    speaks: bool,
    pes: u32,
    backend: &'static str,
    json: Option<File>,
}

impl Report {
    /// `backend` tells emulated figures from real ones. The JSON file is made anew.
    pub fn new(my_pe: u32, pes: u32, backend: &'static str, json: Option<&Path>) -> Result<Self> {
        let speaks = my_pe == 0;
        let json = match json {
            Some(path) if speaks => Some(File::create(path).with_context(|| format!("create {}", path.display()))?),
            _ => None,
        };
        Ok(Self { speaks, pes, backend, json })
    }

    /// One figure. `keys` name the case: `("bytes", "8")`; values that are not numbers are quoted.
    pub fn row(&mut self, metric: &str, keys: &[(&str, String)], value: f64, unit: &str) -> Result<()> {
        if !self.speaks {
            return Ok(());
        }
        let case: Vec<_> = keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        println!("{metric:<26} {:<28} {value:>12.4} {unit}", case.join(", "));
        let mut line = format!(
            "{{\"impl\":\"cushmem\",\"backend\":\"{}\",\"pes\":{},\"metric\":\"{metric}\"",
            self.backend, self.pes
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
        Ok(())
    }
}
