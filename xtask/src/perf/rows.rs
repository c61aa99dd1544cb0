//! Measured rows, read from JSON lines.

use anyhow::{Context, Result};
use cushmem_numbers::median;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// A metric and the case in which it is measured, for example `dev_g`, 2 PEs, bytes 8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// Name of the metric.
    pub metric: String,
    /// Number of PEs.
    pub pes: u64,
    /// The other keys that identify the case.
    pub keys: BTreeMap<String, String>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<_> = self.keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        f.pad(&format!("{} {}", self.metric, keys.join(", ")))
    }
}

/// The values of one implementation in one case, one for each run.
#[derive(Clone, Debug, Default)]
struct Values {
    all: Vec<f64>,
    unit: String,
}

/// All rows of one or more files.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// What the header lines say about the run: commit, machine, driver.
    pub header: BTreeMap<String, String>,
    values: BTreeMap<Case, BTreeMap<String, Values>>,
}

/// The words of a row that do not identify its case.
const NO_KEYS: [&str; 6] = ["impl", "backend", "pes", "metric", "value", "unit"];
/// The example program whose lines are read, and the words of a line that identify its case.
const PROGRAM: (&str, [&str; 3]) = ("accumulate", ["by", "elements", "launched_executor"]);

impl Rows {
    /// Adds the rows of a file: those of `shmem-bench`, and the lines of JSON of one example program. Those of other
    /// programs are left out, and so are lines that are not objects, which logs may contain. Other objects are headers.
    pub fn read(&mut self, text: &str) -> Result<()> {
        for (number, line) in text.lines().enumerate().filter(|(_, l)| l.trim_start().starts_with('{')) {
            let object: Map<String, Value> =
                serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
            if object.contains_key("metric") {
                self.add(&object).with_context(|| format!("line {}", number + 1))?;
            } else if let Some(program) = object.get("program") {
                if program == PROGRAM.0 {
                    self.add_program(&object);
                }
            } else {
                self.header.extend(object.iter().map(|(key, value)| (key.clone(), plain(value))));
            }
        }
        Ok(())
    }

    fn add(&mut self, row: &Map<String, Value>) -> Result<()> {
        let text = |name: &str| row.get(name).map(plain).with_context(|| format!("a row has no `{name}`"));
        let (metric, implementation) = (text("metric")?, text("impl")?);
        // A failed measurement counts as missing. The figures of an emulated GPU say nothing about GPUs.
        let emulated = row.get("backend").is_some_and(|b| b == "soft") && is_of_gpu(&metric, row);
        let Some(value) = row.get("value").and_then(Value::as_f64).filter(|v| v.is_finite() && !emulated) else {
            return Ok(());
        };
        let keys = row.iter().filter(|(key, _)| !NO_KEYS.contains(&key.as_str()));
        let keys = keys.map(|(key, value)| (key.clone(), plain(value))).collect();
        let pes = row.get("pes").and_then(Value::as_u64).context("a row has no `pes`")?;
        let values = self.values.entry(Case { metric, pes, keys }).or_default().entry(implementation).or_default();
        values.all.push(value);
        values.unit = text("unit")?;
        Ok(())
    }

    /// Adds what the program took. It counts as missing if the result was wrong, or on an emulated GPU.
    fn add_program(&mut self, line: &Map<String, Value>) {
        let (metric, keys) = (PROGRAM.0.to_owned(), PROGRAM.1);
        let is_right = line.get("verified") == Some(&Value::Bool(true));
        let is_emulated = line.get("gpu").and_then(Value::as_str).is_some_and(|gpu| gpu.starts_with("emulated"));
        let numbers = (line.get("pes").and_then(Value::as_u64), line.get("seconds").and_then(Value::as_f64));
        let (Some(pes), Some(seconds)) = numbers else { return };
        if is_right && !is_emulated {
            let keys = keys.iter().filter_map(|key| Some(((*key).to_owned(), line.get(*key)?)));
            let keys = keys.filter(|(_, value)| **value != false).map(|(key, value)| (key, plain(value))).collect();
            let values =
                self.values.entry(Case { metric, pes, keys }).or_default().entry("cushmem".into()).or_default();
            values.all.push(seconds * 1e6);
            values.unit = "us".into();
        }
    }

    /// The value of an implementation in a case: the median if it ran more than once.
    pub fn get(&self, implementation: &str, case: &Case) -> Option<f64> {
        self.range(implementation, case).map(|[value, ..]| value)
    }

    /// The value of an implementation in a case, and the lowest and the highest value.
    pub fn range(&self, implementation: &str, case: &Case) -> Option<[f64; 3]> {
        let mut all = self.values.get(case)?.get(implementation)?.all.clone();
        let value = median(&mut all)?;
        all.sort_unstable_by(f64::total_cmp);
        Some([value, *all.first()?, *all.last()?])
    }

    /// The unit of a case.
    pub fn unit(&self, case: &Case) -> &str {
        let unit = self.values.get(case).and_then(|by| by.values().next()).map_or("", |v| v.unit.as_str());
        // Some rows state after the unit what the value includes.
        unit.split(' ').next().unwrap_or("")
    }

    /// All cases.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.values.keys()
    }

    /// Whether any row belongs to this implementation.
    pub fn has(&self, implementation: &str) -> bool {
        self.values.values().any(|by| by.contains_key(implementation))
    }

    /// All implementations: the library first, then its references.
    pub fn implementations(&self) -> Vec<String> {
        let mut names: Vec<String> = self.values.values().flat_map(|by| by.keys().cloned()).collect();
        let place = |name: &str| match name {
            "cushmem" => 0,
            "limit" => 2,
            name if name.starts_with("cushmem") => 1,
            _ => 3,
        };
        names.sort_by_key(|name| (place(name), name.clone()));
        names.dedup();
        names
    }
}

fn is_of_gpu(metric: &str, row: &Map<String, Value>) -> bool {
    metric.starts_with("dev_")
        || metric.starts_with("stream_")
        || metric == "host_barrier_all"
        || row.contains_key("kinds")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_headers_repeated_rows_and_failures() {
        let mut rows = Rows::default();
        let text = r#"{"run":"nightly","commit":"abc","pes":2}
noise
{"impl":"cushmem","backend":"cuda","pes":2,"metric":"dev_g","bytes":8,"value":3,"unit":"us"}
{"impl":"cushmem","backend":"cuda","pes":2,"metric":"dev_g","bytes":8,"value":1,"unit":"us"}
{"impl":"cushmem","backend":"cuda","pes":2,"metric":"dev_g","bytes":8,"value":2,"unit":"us"}
{"impl":"nvshmem","pes":2,"metric":"dev_g","bytes":8,"error":"launch failed"}
{"impl":"cushmem","backend":"soft","pes":4,"metric":"dev_g","bytes":8,"value":2,"unit":"us"}
{"impl":"limit","pes":2,"metric":"dev_g","bytes":8,"value":4,"unit":"us (with launch)"}"#;
        rows.read(text).unwrap();
        let case = |pes| Case { metric: "dev_g".into(), pes, keys: [("bytes".into(), "8".into())].into() };
        assert_eq!(rows.header["commit"], "abc");
        assert_eq!(rows.range("cushmem", &case(2)), Some([2.0, 1.0, 3.0]));
        assert_eq!(rows.get("nvshmem", &case(2)), None, "a failed measurement is none");
        assert_eq!(rows.get("cushmem", &case(4)), None, "emulated");
        assert_eq!((rows.unit(&case(2)), rows.implementations()), ("us", vec!["cushmem".into(), "limit".into()]));
        assert!(rows.read(r#"{"metric":"x","value":1}"#).is_err());
    }

    /// Catches times of wrong results, those of the emulation and of other programs, lines of different cases that are
    /// taken for one, and a GPU without a name that is taken for an emulated one.
    #[test]
    fn reads_lines_of_programs() {
        let mut rows = Rows::default();
        let of = |by: &str, gpu: &str, seconds: f64, verified: bool, launched: bool| {
            format!(
                r#"{{"program":"accumulate","by":"{by}","elements":16,"gpu":"{gpu}","launched_executor":{launched},"pes":2,"seconds":{seconds},"verified":{verified},"wrong":0}}"#
            )
        };
        let lines = [
            r#"{"program":"pagerank","edges_in":"own","gpu":"NVIDIA H200","pes":2,"seconds":1.0,"verified":true}"#
                .into(),
            of("launch", "NVIDIA H200", 2e-5, true, false),
            of("tasks", "NVIDIA H200", 1e-5, true, false),
            of("tasks", "NVIDIA H200", 3e-5, true, true),
            of("tasks", "NVIDIA H200", 1.0, false, false),
            of("launch", "emulated GPU", 1.0, true, false),
            // A line that does not say which GPU it was does not say that it was emulated either.
            r#"{"program":"accumulate","by":"atomics","elements":16,"pes":2,"seconds":4e-5,"verified":true}"#.into(),
        ];
        rows.read(&lines.join("\n")).unwrap();
        let case = |keys: &[(&str, &str)]| Case {
            metric: "accumulate".into(),
            pes: 2,
            keys: keys.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
        };
        let range = |keys: &[(&str, &str)]| rows.range("cushmem", &case(keys)).map(|all| all.map(f64::round));
        assert_eq!(range(&[("by", "launch"), ("elements", "16")]), Some([20.0; 3]));
        assert_eq!(range(&[("by", "tasks"), ("elements", "16")]), Some([10.0; 3]));
        assert_eq!(range(&[("by", "tasks"), ("elements", "16"), ("launched_executor", "true")]), Some([30.0; 3]));
        assert_eq!(range(&[("by", "atomics"), ("elements", "16")]), Some([40.0; 3]));
        assert_eq!((rows.cases().count(), rows.header.len()), (4, 0));
    }
}
