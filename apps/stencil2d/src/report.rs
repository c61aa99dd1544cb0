//! What PE 0 prints at the end.

use crate::NAME;
use crate::decomposition::Decomposition;
use crate::field::Times;
use crate::reference::Problem;
use crate::verify::{Findings, complaints};
use cushmem_program::json_line;
use serde::Serialize;
use std::fmt::Write;

/// A finished run.
pub struct Report<'a> {
    pub problem: Problem,
    pub grid: Decomposition,
    pub element: &'static str,
    pub mode: &'static str,
    /// `soft` or `cuda`.
    pub backend: &'static str,
    /// The name of PE 0's GPU.
    pub gpu: &'a str,
    pub module_load_ms: f64,
    /// Times of all PEs.
    pub times: Vec<Times>,
    /// What each PE found; `None` if the result was not compared.
    pub findings: Option<Vec<Findings>>,
}

impl Report<'_> {
    /// Seconds of the slowest PE.
    fn seconds(&self) -> f64 {
        self.times.iter().map(|t| t.total.as_secs_f64()).fold(0.0, f64::max)
    }

    /// Seconds of compute and exchange, mean over the PEs; `None` where the mode cannot say.
    fn split(&self) -> Option<(f64, f64)> {
        let n = self.times.len().max(1) as f64;
        let total = self.times.iter().map(|t| t.total.as_secs_f64()).sum::<f64>() / n;
        let exchange = self.times.iter().map(|t| Some(t.exchange?.as_secs_f64())).sum::<Option<f64>>()? / n;
        Some(((total - exchange).max(0.0), exchange))
    }

    fn cells_per_second(&self) -> f64 {
        let updates = f64::from(self.problem.rows) * f64::from(self.problem.cols) * f64::from(self.problem.iterations);
        updates / self.seconds().max(1e-9)
    }

    fn largest_difference(&self) -> Option<f64> {
        self.findings.as_deref().map(Findings::largest)
    }

    /// What each PE with wrong cells has to report.
    pub fn complaints(&self) -> Vec<String> {
        self.findings.as_deref().map_or(vec![], complaints)
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let Self { problem: p, grid, .. } = self;
        let split =
            self.split().map_or("not known in this mode (--sweep measures it)".into(), |(compute, exchange)| {
                let share = |part: f64| 100.0 * part / (compute + exchange).max(1e-12);
                let (c, e) = (share(compute), share(exchange));
                format!("compute {compute:.4} s ({c:.0} %), exchange {exchange:.4} s ({e:.0} %), mean of the PEs")
            });
        let mut text = format!(
            "grid      {} × {} cells of {}, seed {}, {} iterations\n\
             PEs       {} = {} × {}, up to {} × {} cells each\n\
             backend   {}: {}, kernels loaded in {:.0} ms\n\
             mode      {}\n\
             speed     {} in {:.4} s\n\
             split     {split}\n",
            p.rows,
            p.cols,
            self.element,
            p.seed,
            p.iterations,
            grid.n_pes(),
            grid.pe_rows,
            grid.pe_cols,
            grid.largest().0,
            grid.largest().1,
            self.backend,
            self.gpu,
            self.module_load_ms,
            self.mode,
            rate(self.cells_per_second()),
            self.seconds(),
        );
        match self.largest_difference() {
            Some(difference) => {
                let verdict = if self.complaints().is_empty() { "verified" } else { "WRONG" };
                let _ = write!(text, "result    {verdict}, largest difference from the serial reference: {difference}");
            }
            None => text.push_str("result    not verified (use --verify)"),
        }
        text
    }

    /// The report for programs: one line of JSON.
    pub fn json(&self) -> String {
        let (compute_s, exchange_s) = self.split().unzip();
        let line = Line {
            app: NAME,
            rows: self.problem.rows,
            cols: self.problem.cols,
            iterations: self.problem.iterations,
            element: self.element,
            mode: self.mode,
            backend: self.backend,
            gpu: self.gpu,
            pes: self.grid.n_pes(),
            pe_rows: self.grid.pe_rows,
            pe_cols: self.grid.pe_cols,
            seed: self.problem.seed,
            seconds: self.seconds(),
            cells_per_s: self.cells_per_second().round(),
            compute_s,
            exchange_s,
            load_ms: self.module_load_ms,
            max_difference: self.largest_difference(),
            verified: self.findings.as_ref().map(|_| self.complaints().is_empty()),
        };
        json_line(&line)
    }
}

/// The keys of the JSON line.
#[derive(Serialize)]
struct Line<'a> {
    app: &'static str,
    rows: u32,
    cols: u32,
    iterations: u32,
    #[serde(rename = "type")]
    element: &'a str,
    mode: &'a str,
    backend: &'a str,
    gpu: &'a str,
    pes: u32,
    pe_rows: u32,
    pe_cols: u32,
    seed: u64,
    seconds: f64,
    cells_per_s: f64,
    /// `null` in a mode that cannot measure it.
    compute_s: Option<f64>,
    exchange_s: Option<f64>,
    load_ms: f64,
    /// `null` if nothing was compared, or if a cell is not finite: JSON has no infinity.
    max_difference: Option<f64>,
    /// `null` if nothing was compared.
    verified: Option<bool>,
}

fn rate(cells_per_s: f64) -> String {
    let (value, unit) = match cells_per_s {
        v if v >= 1e9 => (v / 1e9, "billion"),
        v if v >= 1e6 => (v / 1e6, "million"),
        v => (v, ""),
    };
    format!("{value:.3} {unit} cells/s").replace("  ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn report(findings: Option<Vec<Findings>>) -> Report<'static> {
        let time = |ms| Times { total: Duration::from_millis(ms), exchange: Some(Duration::from_millis(ms / 4)) };
        Report {
            problem: Problem { rows: 1000, cols: 500, seed: 1, iterations: 10 },
            grid: Decomposition { rows: 1000, cols: 500, pe_rows: 2, pe_cols: 1 },
            element: "f32",
            mode: "host",
            backend: "soft",
            gpu: "a \"GPU\"",
            module_load_ms: 1.0,
            times: vec![time(400), time(500)],
            findings,
        }
    }

    #[test]
    fn the_slowest_pe_counts_and_the_split_is_a_mean() {
        let r = report(None);
        assert_eq!((r.seconds(), r.cells_per_second()), (0.5, 1e7));
        assert_eq!(r.split(), Some((0.3375, 0.1125)));
        let unknown = Report { times: vec![Times { exchange: None, ..r.times[0] }, r.times[1]], ..r };
        assert!(unknown.text().contains("split     not known") && unknown.json().contains("\"exchange_s\":null"));
    }

    #[test]
    fn the_verdict_stands_in_text_and_json() {
        let fine = report(Some(vec![Findings::default(); 2]));
        assert!(fine.text().contains("verified, largest") && fine.json().contains("\"verified\":true"));
        assert!(fine.json().contains("\"max_difference\":0.0,") && !fine.json().contains('\n'));
        assert!(report(None).text().contains("not verified") && report(None).json().contains("\"verified\":null"));
        let wrong = Findings { wrong: 1, largest: f64::INFINITY, first: (3, 4, f64::NAN, 1.0) };
        let bad = report(Some(vec![Findings::default(), wrong]));
        assert!(bad.text().contains("WRONG") && bad.json().contains("\"verified\":false"));
        assert_eq!(bad.complaints().len(), 1);
        assert!(bad.complaints()[0].starts_with("PE 1: 1 cell is wrong"));
    }

    #[test]
    fn json_escapes_strings_and_has_no_infinity() {
        let wrong = Findings { wrong: 1, largest: f64::INFINITY, first: (0, 0, f64::NAN, 1.0) };
        let line = report(Some(vec![wrong])).json();
        assert!(line.contains(r#""gpu":"a \"GPU\"""#) && line.contains(r#""max_difference":null"#), "{line}");
    }
}
