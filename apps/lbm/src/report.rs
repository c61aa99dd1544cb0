//! What PE 0 prints at the end.

use crate::NAME;
use crate::measure::Measures;
use cushmem_program::json_line;
use serde::Serialize;
use std::fmt::Write;

/// A finished run; the keys of the JSON line.
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
    /// Name of PE 0's GPU.
    pub gpu: &'a str,
    pub load_ms: f64,
    pub pes: u32,
    pub pe_grid: [u32; 3],
    /// Steps that were made before, by the run whose state was restored.
    pub restored: u64,
    /// All steps.
    pub steps: u64,
    /// Timed steps, and their time on the slowest PE.
    pub iterations: u64,
    pub seconds: f64,
    pub iteration_us: f64,
    /// Millions of updates of cells in a second.
    pub mlups: f64,
    /// What a step has to move between GPU and memory, each value once.
    pub bytes_per_cell: u64,
    /// These bytes in a second on each PE.
    pub memory_gb_s: f64,
    /// Part of the time that the PE waited for messages or sent them, as far as the mode knows.
    pub exchange_share: f64,
    pub hash: Option<String>,
    pub drop: Option<Measures>,
    /// `null` if nothing was compared.
    pub verified: Option<bool>,
}

impl Report<'_> {
    /// Sets what follows from the time: `seconds` of the slowest PE, of which `exchange` for messages.
    pub fn timed(mut self, seconds: f64, exchange: f64) -> Self {
        let step = seconds / self.iterations.max(1) as f64;
        let updates = if step > 0.0 { self.cells as f64 / step } else { 0.0 };
        self.app = NAME;
        self.seconds = seconds;
        self.iteration_us = step * 1e6;
        self.mlups = updates / 1e6;
        self.memory_gb_s = self.bytes_per_cell as f64 * updates / f64::from(self.pes) / 1e9;
        self.exchange_share = if seconds > 0.0 { exchange / seconds } else { 0.0 };
        self
    }

    /// For programs: one line of JSON.
    pub fn json(&self) -> String {
        json_line(self)
    }

    /// For people.
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
             mode      {}\n\
             speed     {:.1} million cells/s: {} steps in {:.4} s, {:.1} µs each; messages {:.0} % of it\n\
             memory    {} bytes a cell and step: {:.1} GB/s on each PE\n",
            self.pes,
            self.backend,
            self.gpu,
            self.load_ms,
            self.mode,
            self.mlups,
            self.iterations,
            self.seconds,
            self.iteration_us,
            100.0 * self.exchange_share,
            self.bytes_per_cell,
            self.memory_gb_s,
        );
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
        if let Some(hash) = &self.hash {
            let _ = writeln!(text, "hash      {hash}");
        }
        text.push_str(match self.verified {
            Some(true) => "result    verified: the serial reference has the same bits",
            Some(false) => "result    WRONG: the serial reference has other bits",
            None => "result    not verified (--verify does)",
        });
        text
    }
}
