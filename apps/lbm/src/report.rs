//! What PE 0 prints at the end.

use crate::NAME;
use crate::measure::Measures;
use cushmem_program::json_line;
use serde::Serialize;
use std::fmt::Write;

/// A finished run. Its fields are the keys of the JSON line.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report<'a> {
    pub app: &'static str,
    /// Cells along x, y, z.
    pub size: [u32; 3],
    pub cells: u64,
    #[serde(rename = "type")]
    pub element: &'static str,
    pub mode: &'static str,
    /// `soft` or `cuda`.
    pub backend: &'static str,
    /// The name of PE 0's GPU.
    pub gpu: &'a str,
    pub load_ms: f64,
    pub pes: u32,
    pub pe_grid: [u32; 3],
    /// Steps made by the run whose state was restored.
    pub restored: u64,
    /// All steps.
    pub steps: u64,
    /// Timed steps, and their time on the slowest PE.
    pub iterations: u64,
    pub seconds: f64,
    pub iteration_us: f64,
    /// Millions of cell updates per second.
    pub mlups: f64,
    /// Bytes that a step must move between the GPU and its memory, each value once.
    pub bytes_per_cell: u64,
    /// The resulting memory bandwidth on each PE.
    pub memory_gb_s: f64,
    /// The bandwidth of a copy engine, reads plus writes.
    pub copy_gb_s: Option<f64>,
    /// The time of a step that sends nothing and waits for nobody, if that was measured.
    pub without_exchange_us: Option<f64>,
    /// The share of a step's time that messages take. May be below 0, if it is less than the variation between runs.
    pub exchange_share: Option<f64>,
    pub hash: Option<String>,
    pub drop: Option<Measures>,
    /// Why figures that were asked for are missing.
    pub no_drop: Option<String>,
    /// `null` if nothing was compared.
    pub verified: Option<bool>,
}

impl Report<'_> {
    /// Sets everything that follows from the times: `seconds` of the slowest PE, and those of a step without messages.
    pub fn timed(mut self, seconds: f64, without_exchange: Option<f64>) -> Self {
        let step = seconds / self.iterations.max(1) as f64;
        let updates = if step > 0.0 { self.cells as f64 / step } else { 0.0 };
        self.app = NAME;
        self.seconds = seconds;
        self.iteration_us = step * 1e6;
        self.mlups = updates / 1e6;
        self.memory_gb_s = self.bytes_per_cell as f64 * updates / f64::from(self.pes) / 1e9;
        self.without_exchange_us = without_exchange.map(|seconds| seconds * 1e6);
        self.exchange_share = without_exchange.filter(|_| step > 0.0).map(|seconds| 1.0 - seconds / step);
        self
    }

    /// The report for programs: one line of JSON.
    pub fn json(&self) -> String {
        json_line(self)
    }

    /// What was timed, in a line or two.
    fn speed(&self) -> String {
        if self.iterations == 0 {
            return "speed     not measured: no step was left to make\n".into();
        }
        format!(
            "speed     {:.1} million cells/s: {} steps in {:.4} s, {:.1} µs each{}\n\
             memory    {} bytes per cell and step: {:.1} GB/s on each PE{}\n",
            self.mlups,
            self.iterations,
            self.seconds,
            self.iteration_us,
            self.exchange_share.map(|share| format!("; messages {:.1} % of it", 100.0 * share)).unwrap_or_default(),
            self.bytes_per_cell,
            self.memory_gb_s,
            self.copy_gb_s.map(|copy| format!("; a copy reaches {copy:.1}")).unwrap_or_default(),
        )
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let ([x, y, z], [px, py, pz]) = (self.size, self.pe_grid);
        let mut text = format!("box       {x} × {y} × {z} cells of {}, {} steps", self.element, self.steps);
        if self.restored > 0 {
            let _ = write!(text, ", of which {} were restored", self.restored);
        }
        let _ = write!(
            text,
            "\nPEs       {} = {px} × {py} × {pz}\n\
             backend   {}: {}, kernels loaded in {:.0} ms\n\
             mode      {}\n",
            self.pes, self.backend, self.gpu, self.load_ms, self.mode,
        );
        text += &self.speed();
        if let Some(m) = &self.drop {
            let ([cx, cy, cz], [ux, uy, uz]) = (m.centre, m.velocity);
            let _ = write!(
                text,
                "drop      radius {:.4}, roundness {:.4}, middle ({cx:.3}, {cy:.3}, {cz:.3}), sum of φ {:.9e}\n\
                 velocity  inside ({ux:.3e}, {uy:.3e}, {uz:.3e}), largest speed of a cell {:.3e}\n\
                 pressure  {:.6e} higher inside: {:.4} of 2σ/R\n",
                m.radius,
                m.roundness,
                m.phi_sum,
                m.speed,
                m.pressure_inside - m.pressure_outside,
                m.laplace,
            );
        }
        if let Some(why) = &self.no_drop {
            let _ = writeln!(text, "drop      not measured: {why}");
        }
        if let Some(hash) = &self.hash {
            let _ = writeln!(text, "hash      {hash}");
        }
        text.push_str(match self.verified {
            Some(true) => "result    verified: the serial reference has the same bits",
            Some(false) => "result    WRONG: the serial reference has different bits",
            None => "result    not verified (use --verify)",
        });
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_follow_from_the_time_and_lines_are_lines() {
        let report =
            Report { cells: 1_000_000, iterations: 100, pes: 2, bytes_per_cell: 248, steps: 120, ..Report::default() };
        let fine = report.clone().timed(0.1, Some(7.5e-4));
        assert_eq!((fine.iteration_us, fine.mlups, fine.exchange_share), (1000.0, 1000.0, Some(0.25)));
        assert!((fine.memory_gb_s - 124.0).abs() < 1e-9);
        assert!(fine.text().contains("messages 25.0 % of it") && !fine.json().contains('\n'));
        for (verified, word) in [(Some(true), "verified: "), (Some(false), "WRONG"), (None, "not verified")] {
            let report = Report { verified, ..fine.clone() };
            assert!(report.text().lines().last().is_some_and(|line| line.contains(word)), "{}", report.text());
        }
        // A restored run that has no steps left.
        let none = Report { iterations: 0, restored: 120, ..report }.timed(0.0, None);
        assert_eq!((none.mlups, none.exchange_share), (0.0, None));
        assert!(none.text().contains("speed     not measured: no step was left") && !none.text().contains("memory"));
        assert!(none.text().contains("of which 120 were restored") && none.json().contains("\"exchange_share\":null"));
    }
}
