//! Whether the targets are met.

use super::rows::{Case, Rows};
use super::targets::{ABSOLUTE, Better, Target, Targets};
use std::fmt;

/// The result of a target in one case.
#[derive(Clone, Debug)]
pub struct Line {
    /// The group of the target.
    pub group: String,
    /// The implementation that the target is for.
    pub implementation: String,
    /// The case.
    pub case: Case,
    /// What the value is compared with: an implementation, or `absolute`.
    pub against: String,
    /// What was measured.
    pub value: Option<f64>,
    /// The value of that implementation; `None` for `absolute`.
    pub reference: Option<f64>,
    /// The unit of the values.
    pub unit: String,
    /// The bound.
    pub bound: f64,
    /// What the value may be beyond a multiple of the reference.
    pub plus: f64,
    /// Which way is better.
    pub better: Better,
}

impl Line {
    /// The value as a multiple of the reference.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.value? / self.reference?)
    }

    /// What is compared with the bound.
    fn measure(&self) -> Option<f64> {
        if self.against == ABSOLUTE { self.value } else { Some((self.value? - self.plus) / self.reference?) }
    }

    /// Whether there is a value and it is good enough.
    pub fn is_met(&self) -> bool {
        self.measure().is_some_and(|m| match self.better {
            Better::Lower => m <= self.bound,
            Better::Higher => m >= self.bound,
        })
    }

    /// The verdict in a word or two.
    pub fn verdict(&self) -> &'static str {
        match (self.is_met(), self.value, self.reference) {
            (true, ..) => "ok",
            (false, None, _) => "MISSING",
            (false, Some(_), None) if self.against != ABSOLUTE => "NO REFERENCE",
            _ => "MISSED",
        }
    }

    /// The bound in readable form.
    pub fn demand(&self) -> String {
        let sign = if self.better == Better::Lower { "≤" } else { "≥" };
        match self.against.as_str() {
            ABSOLUTE => format!("{sign} {} {}", self.bound, self.unit).trim_end().to_owned(),
            against if self.plus > 0.0 => format!("{sign} {} × {against} + {} {}", self.bound, self.plus, self.unit),
            against => format!("{sign} {} × {against}", self.bound),
        }
    }
}

/// The value with about four significant digits.
pub fn number(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(v) if v.abs() >= 1000.0 => format!("{v:.0}"),
        Some(v) if v.abs() >= 100.0 => format!("{v:.1}"),
        Some(v) if v.abs() >= 10.0 => format!("{v:.2}"),
        Some(v) => format!("{v:.3}"),
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let case = self.case.to_string();
        let (value, reference) = (number(self.value), number(self.reference));
        let ratio = self.ratio().map_or("–".into(), |r| format!("{r:.3}"));
        let Self { implementation, case: Case { pes, .. }, unit, .. } = self;
        write!(f, "{implementation:9} {case:54} {pes:3} PEs {value:>9} {unit:5} reference {reference:>9} ")?;
        write!(f, "ratio {ratio:>7}  {:20} {}", self.demand(), self.verdict())
    }
}

/// The targets to check.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Filter {
    /// Check only targets of these groups, or with metrics that start with these prefixes
    #[arg(long, value_name = "GROUP|PREFIX", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Check only targets for this number of PEs
    #[arg(long, value_name = "N")]
    pub pes: Option<u64>,
}

impl Filter {
    /// These groups, for any number of PEs.
    pub fn groups(names: &[&str]) -> Self {
        Self { only: names.iter().map(|&name| name.to_owned()).collect(), pes: None }
    }

    /// Whether the filter includes a target. If a name is a group and also a prefix of metrics, the group is meant.
    fn takes(&self, target: &Target, targets: &Targets) -> bool {
        let is_group = |name: &String| targets.target.iter().any(|t| t.group == *name);
        let meant = |name: &String| target.group == *name || (!is_group(name) && target.metric.starts_with(name));
        self.only.is_empty() || self.only.iter().any(meant)
    }
}

/// Compares every target. The C interface has to meet the targets of the host, too, in the cases that were measured
/// with it.
pub fn judge(targets: &Targets, rows: &Rows, filter: &Filter) -> Vec<Line> {
    let in_c = |t: &Target| ["host", "coll", "count"].contains(&t.group.as_str()) && rows.has("cushmem-c");
    let mut lines = Vec::new();
    for target in targets.target.iter().filter(|t| filter.takes(t, targets)) {
        for case in target.cases().into_iter().filter(|c| filter.pes.is_none_or(|n| c.pes == n)) {
            for implementation in &target.by {
                lines.extend(compare(target, rows, &case, implementation));
            }
            // A case that only one of the two programs measures is not required of the other.
            if in_c(target) && rows.get("cushmem-c", &case).is_some() {
                lines.extend(compare(target, rows, &case, "cushmem-c"));
            }
        }
    }
    lines
}

fn compare<'a>(
    target: &'a Target,
    rows: &'a Rows,
    case: &'a Case,
    implementation: &'a str,
) -> impl Iterator<Item = Line> + 'a {
    target.bounds.iter().map(move |(against, bound)| {
        let at = target.reference_of(case);
        Line {
            group: target.group.clone(),
            implementation: implementation.to_owned(),
            case: case.clone(),
            against: against.clone(),
            value: rows.get(implementation, case),
            reference: if against == ABSOLUTE { None } else { rows.get(against, &at) },
            unit: rows.unit(case).to_owned(),
            bound: *bound,
            plus: target.plus,
            better: target.better,
        }
    })
}

/// How many are met, and how many are not.
pub fn sum(lines: &[Line]) -> (usize, usize) {
    let passed = lines.iter().filter(|l| l.is_met()).count();
    (passed, lines.len() - passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGETS: &str = r#"
[[target]]
group = "device"
metric = "dev_g"
pes = [2, 4]
keys = { bytes = [8] }
better = "lower"
bounds = { limit = 1.1, nvshmem = 1.0 }

[[target]]
group = "device"
metric = "dev_sync_all"
pes = [2]
keys = { scope = ["thread", "block"] }
better = "lower"
bounds = { limit = 2.0 }
reference = { metric = "dev_barrier_all", scope = "thread" }

[[target]]
group = "host"
metric = "host_bw"
pes = [2]
better = "higher"
bounds = { absolute = 10 }

[[target]]
group = "cxx"
by = ["cushmem-cxx", "cushmem-nvshmem"]
metric = "dev_g"
pes = [2]
keys = { bytes = [8] }
better = "lower"
bounds = { cushmem = 1.03, nvshmem = 1.0 }
"#;

    const ROWS: &str = r#"
{"impl":"cushmem","pes":2,"metric":"dev_g","bytes":8,"value":1.05,"unit":"us"}
{"impl":"limit","pes":2,"metric":"dev_g","bytes":8,"value":1.0,"unit":"us"}
{"impl":"nvshmem","pes":2,"metric":"dev_g","bytes":8,"value":1.04,"unit":"us"}
{"impl":"cushmem-cxx","pes":2,"metric":"dev_g","bytes":8,"value":1.08,"unit":"us"}
{"impl":"cushmem","pes":4,"metric":"dev_g","bytes":8,"value":1.05,"unit":"us"}
{"impl":"cushmem","pes":2,"metric":"dev_sync_all","scope":"thread","value":1.5,"unit":"us"}
{"impl":"limit","pes":2,"metric":"dev_barrier_all","scope":"thread","value":1.0,"unit":"us"}
{"impl":"cushmem","pes":2,"metric":"host_bw","value":12,"unit":"GB/s"}
{"impl":"cushmem-c","pes":2,"metric":"host_bw","value":9,"unit":"GB/s"}
"#;

    fn verdicts(only: &[&str], pes: Option<u64>) -> Vec<String> {
        let filter = Filter { pes, ..Filter::groups(only) };
        let mut rows = Rows::default();
        rows.read(ROWS).unwrap();
        let lines = judge(&Targets::parse(TARGETS).unwrap(), &rows, &filter);
        lines
            .iter()
            .map(|l| format!("{} {} {} {}: {}", l.implementation, l.case, l.case.pes, l.demand(), l.verdict()))
            .collect()
    }

    #[test]
    fn every_case_gets_a_verdict() {
        assert_eq!(
            verdicts(&["device"], None),
            [
                "cushmem dev_g bytes 8 2 ≤ 1.1 × limit: ok",
                "cushmem dev_g bytes 8 2 ≤ 1 × nvshmem: MISSED",
                "cushmem dev_g bytes 8 4 ≤ 1.1 × limit: NO REFERENCE",
                "cushmem dev_g bytes 8 4 ≤ 1 × nvshmem: NO REFERENCE",
                "cushmem dev_sync_all scope thread 2 ≤ 2 × limit: ok",
                "cushmem dev_sync_all scope block 2 ≤ 2 × limit: MISSING",
            ]
        );
        assert_eq!(
            verdicts(&["host_"], None),
            ["cushmem host_bw  2 ≥ 10 GB/s: ok", "cushmem-c host_bw  2 ≥ 10 GB/s: MISSED"]
        );
        assert_eq!(
            verdicts(&["cxx"], None),
            [
                "cushmem-cxx dev_g bytes 8 2 ≤ 1.03 × cushmem: ok",
                "cushmem-cxx dev_g bytes 8 2 ≤ 1 × nvshmem: MISSED",
                "cushmem-nvshmem dev_g bytes 8 2 ≤ 1.03 × cushmem: MISSING",
                "cushmem-nvshmem dev_g bytes 8 2 ≤ 1 × nvshmem: MISSING",
            ]
        );
        assert_eq!(verdicts(&[], None).len(), 12);
        assert_eq!(verdicts(&["device", "host"], Some(4)).len(), 2);
    }

    #[test]
    fn a_value_may_be_more_than_a_multiple() {
        let text = "[[target]]\ngroup='g'\nmetric='m'\npes=[2]\nkeys={by=['a', 'b']}\nbetter='lower'\nplus=2\n\
                    reference={metric='n',by=''}\nbounds={cushmem=2}\n";
        let mut rows = Rows::default();
        let row =
            |metric: &str, value: f64| format!(r#"{{"impl":"cushmem","pes":2,{metric},"value":{value},"unit":"us"}}"#);
        let all =
            [row(r#""metric":"n""#, 1.5), row(r#""metric":"m","by":"a""#, 4.9), row(r#""metric":"m","by":"b""#, 5.1)];
        rows.read(&all.join("\n")).unwrap();
        let lines = judge(&Targets::parse(text).unwrap(), &rows, &Filter::default());
        let said: Vec<_> = lines.iter().map(|line| format!("{}: {}", line.demand(), line.verdict())).collect();
        assert_eq!(said, ["≤ 2 × cushmem + 2 us: ok", "≤ 2 × cushmem + 2 us: MISSED"]);
    }

    #[test]
    fn a_target_without_a_bound_is_refused() {
        let text = "[[target]]\ngroup='g'\nmetric='m'\npes=[2]\nbetter='lower'\nbounds={}\n";
        assert!(Targets::parse(text).unwrap_err().to_string().contains("m: a target needs"));
        for wrong in ["better='higher'\nplus=1\nbounds={cushmem=2}", "better='lower'\nplus=1\nbounds={absolute=2}"] {
            let text = format!("[[target]]\ngroup='g'\nmetric='m'\npes=[2]\n{wrong}\n");
            assert!(Targets::parse(&text).unwrap_err().to_string().contains("m: `plus` raises"), "{wrong}");
        }
    }
}
