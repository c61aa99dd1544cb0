//! What cargo-mutants reports about each mutant.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

/// A change in one place, and how the tests reacted to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// File, line, column and change.
    pub name: String,
    /// The crate.
    pub package: String,
    /// The file, relative to the top folder.
    pub file: String,
    /// The change and the function in which it is made.
    pub change: String,
    /// The original text of the changed line.
    pub at: String,
    /// The result.
    pub summary: Summary,
}

/// The result of a run of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Summary {
    /// The tests passed without a change.
    Success,
    /// A test failed.
    CaughtMutant,
    /// No test failed.
    MissedMutant,
    /// The tests were stopped because they took far longer than without the change.
    Timeout,
    /// It did not compile.
    Unviable,
    /// cargo failed in another way.
    Failure,
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Scenario,
    summary: Summary,
}

#[derive(Deserialize)]
enum Scenario {
    Baseline,
    Mutant { name: String, package: String, file: String, span: Span },
}

#[derive(Deserialize)]
struct Span {
    start: Place,
}

#[derive(Deserialize)]
struct Place {
    line: usize,
}

/// Reads all mutants from the file `outcomes.json`; their sources are below `root`.
pub fn read(path: &Path, root: &Path) -> Result<Vec<Mutant>> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    parse(&text, |file| fs::read_to_string(root.join(file)).with_context(|| format!("read {file}")))
        .with_context(|| format!("read {}", path.display()))
}

fn parse(text: &str, source: impl Fn(&str) -> Result<String>) -> Result<Vec<Mutant>> {
    let outcomes: Outcomes = serde_json::from_str(text)?;
    let mut sources: HashMap<String, String> = HashMap::new();
    let mut mutants = Vec::new();
    for Outcome { scenario, summary } in outcomes.outcomes {
        let Scenario::Mutant { name, package, file, span } = scenario else { continue };
        if !sources.contains_key(&file) {
            sources.insert(file.clone(), source(&file)?);
        }
        let line = sources[&file].lines().nth(span.start.line.saturating_sub(1));
        let at = line.with_context(|| format!("{name}: there is no such line"))?.trim().to_owned();
        let change = name.split_once(": ").with_context(|| format!("`{name}` does not name a change"))?.1.to_owned();
        mutants.push(Mutant { name, package, file, change, at, summary });
    }
    Ok(mutants)
}

/// A line for each crate: how many of the mutants that compile and make a difference are caught.
pub fn score(mutants: &[Mutant], excused: &[&Mutant]) -> Vec<String> {
    let mut crates: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for mutant in mutants {
        let [caught, viable, equivalent, unviable] = crates.entry(&mutant.package).or_default();
        match mutant.summary {
            Summary::CaughtMutant | Summary::Timeout => (*caught, *viable) = (*caught + 1, *viable + 1),
            Summary::MissedMutant if excused.contains(&mutant) => *equivalent += 1,
            Summary::MissedMutant => *viable += 1,
            Summary::Success | Summary::Unviable | Summary::Failure => *unviable += 1,
        }
    }
    let line = |(name, [caught, viable, equivalent, unviable]): (&str, [usize; 4])| {
        let percent = 100.0 * caught as f64 / viable.max(1) as f64;
        format!(
            "{name:24} {caught:4} of {viable:4} caught ({percent:5.1} %), {equivalent} equivalent, {unviable} not viable"
        )
    };
    crates.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTCOMES: &str = r#"{"outcomes": [
        {"scenario": "Baseline", "summary": "Success"},
        {"scenario": {"Mutant": {"name": "a/x.rs:2:9: replace + with - in f", "package": "a", "file": "a/x.rs",
            "span": {"start": {"line": 2, "column": 9}, "end": {"line": 2, "column": 10}}}}, "summary": "MissedMutant"},
        {"scenario": {"Mutant": {"name": "a/x.rs:1:1: replace f -> u32 with 0", "package": "a", "file": "a/x.rs",
            "span": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}}}}, "summary": "Timeout"},
        {"scenario": {"Mutant": {"name": "b/y.rs:1:1: delete ! in g", "package": "b", "file": "b/y.rs",
            "span": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}}}}, "summary": "Unviable"}
    ]}"#;

    #[test]
    fn mutants_are_read_with_their_lines_and_counted() {
        let mutants = parse(OUTCOMES, |_| Ok("fn f() {\n    a + b\n}\n".into())).expect("outcomes");
        let [missed, slow, other] = &mutants[..] else { panic!("{mutants:#?}") };
        assert_eq!((missed.change.as_str(), missed.at.as_str()), ("replace + with - in f", "a + b"));
        assert_eq!((slow.summary, other.summary), (Summary::Timeout, Summary::Unviable));
        let sums = |excused: &[&Mutant]| {
            let squeeze = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
            score(&mutants, excused).iter().map(squeeze).collect::<Vec<_>>()
        };
        assert_eq!(sums(&[])[0], "a 1 of 2 caught ( 50.0 %), 0 equivalent, 0 not viable");
        assert_eq!(sums(&[missed])[0], "a 1 of 1 caught (100.0 %), 1 equivalent, 0 not viable");
        assert_eq!(sums(&[])[1], "b 0 of 0 caught ( 0.0 %), 0 equivalent, 1 not viable");
    }
}
