//! `docs/perf/targets.toml`: what the library promises.

use super::rows::Case;
use anyhow::{Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Targets {
    /// In the order of the file.
    pub target: Vec<Target>,
}

/// A promise about one metric, in every combination of the values of its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The group of targets that are checked together: `device`, `host`, …
    pub group: String,
    /// Name of the metric.
    pub metric: String,
    /// The implementations that promise it.
    #[serde(default = "the_library")]
    pub by: Vec<String>,
    /// Numbers of PEs.
    pub pes: Vec<u64>,
    /// The values of each key that identifies a case.
    #[serde(default)]
    pub keys: BTreeMap<String, Vec<Word>>,
    /// Which way is better.
    pub better: Better,
    /// For each reference, the most (or least) that the value may be, as a multiple of the reference's value.
    /// `absolute` bounds the value itself.
    pub bounds: BTreeMap<String, f64>,
    /// What the value may be beyond that, in the metric's unit.
    #[serde(default)]
    pub plus: f64,
    /// Where the references are found if their case is named differently: these keys are replaced, and `metric`
    /// replaces the metric.
    #[serde(default)]
    pub reference: BTreeMap<String, Word>,
}

fn the_library() -> Vec<String> {
    vec!["cushmem".to_owned()]
}

/// The value of a key.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Word {
    /// For example a size.
    Number(u64),
    /// For example a scope.
    Text(String),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// A lower value, of latencies for example.
    Lower,
    /// A higher value, of bandwidths for example.
    Higher,
}

/// The bound that is not a ratio.
pub const ABSOLUTE: &str = "absolute";

impl Targets {
    /// Reads and checks the text.
    pub fn parse(text: &str) -> Result<Self> {
        let targets: Self = toml::from_str(text)?;
        for t in &targets.target {
            ensure!(!t.bounds.is_empty() && !t.pes.is_empty(), "{}: a target needs `bounds` and `pes`", t.metric);
            let adds = t.plus > 0.0 && t.better == Better::Lower && !t.bounds.contains_key(ABSOLUTE);
            ensure!(t.plus == 0.0 || adds, "{}: `plus` raises a bound that is a multiple and an upper one", t.metric);
            ensure!(!t.by.is_empty(), "{}: nobody promises it", t.metric);
            ensure!(t.keys.values().all(|v| !v.is_empty()), "{}: a key has no value", t.metric);
        }
        Ok(targets)
    }
}

impl Target {
    /// Every case; the last key changes fastest.
    pub fn cases(&self) -> Vec<Case> {
        let start = |&pes| Case { metric: self.metric.clone(), pes, keys: BTreeMap::new() };
        let mut cases: Vec<Case> = self.pes.iter().map(start).collect();
        for (key, values) in &self.keys {
            let with = |case: &Case, value: &Word| {
                let mut case = case.clone();
                case.keys.insert(key.clone(), value.to_string());
                case
            };
            cases = cases.iter().flat_map(|case| values.iter().map(move |value| with(case, value))).collect();
        }
        cases
    }

    /// The case of the references.
    pub fn reference_of(&self, case: &Case) -> Case {
        let mut case = case.clone();
        for (key, value) in &self.reference {
            match key.as_str() {
                "metric" => case.metric = value.to_string(),
                _ => _ = case.keys.insert(key.clone(), value.to_string()),
            }
        }
        // An empty value removes the key.
        case.keys.retain(|_, value| !value.is_empty());
        case
    }
}
