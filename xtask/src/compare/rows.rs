//! What the programs measured: their lines of JSON, and the medians for each case.

use anyhow::{Context, Result};
use cushmem_numbers::median;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum App {
    Stencil2d,
    Lbm,
}

impl App {
    pub const ALL: [Self; 2] = [Self::Stencil2d, Self::Lbm];

    pub fn name(self) -> &'static str {
        match self {
            Self::Stencil2d => "stencil2d",
            Self::Lbm => "lbm",
        }
    }

    /// The number of dimensions of its grid.
    fn dimensions(self) -> u32 {
        match self {
            Self::Stencil2d => 2,
            Self::Lbm => 3,
        }
    }
}

/// What stays constant as PEs are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scaling {
    /// The number of cells per PE.
    Weak,
    /// The total number of cells.
    Strong,
}

impl Scaling {
    pub const ALL: [Self; 2] = [Self::Weak, Self::Strong];

    pub fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Strong => "strong",
        }
    }
}

/// A line that a program printed.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    mode: String,
    pes: u32,
    #[serde(rename = "type")]
    element: String,
    gpu: String,
    cells: u64,
    iteration_us: f64,
    /// For a sweep only: the number of its rounds, and half the range of their times.
    rounds: Option<usize>,
    spread_us: Option<f64>,
    exchange_share: Option<f64>,
    bytes_per_cell: Option<f64>,
    copy_gb_s: Option<f64>,
    hash: Option<String>,
    verified: Option<bool>,
}

/// A case, in which the modes are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    pub app: App,
    pub scaling: Scaling,
    pub pes: u32,
    /// The total for all PEs.
    pub cells: u64,
}

impl Case {
    /// The number of cells, per PE in weak scaling and otherwise in total. It is written as a square or a cube if it is
    /// one.
    pub fn size(&self) -> String {
        let cells = if self.scaling == Scaling::Weak { self.cells / u64::from(self.pes) } else { self.cells };
        let dimensions = self.app.dimensions();
        let side = (cells as f64).powf(1.0 / f64::from(dimensions)).round() as u64;
        let power = if dimensions == 2 { '²' } else { '³' };
        if side.pow(dimensions) == cells { format!("{side}{power}") } else { format!("{cells} cells") }
    }
}

/// The medians of a mode in a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub iteration_us: f64,
    pub rounds: usize,
    /// Half the range of the rounds' times, as a fraction of the median.
    pub spread: Option<f64>,
    pub exchange_share: Option<f64>,
    /// Million cell updates per second, by all PEs together.
    pub mlups: f64,
    /// The minimum memory traffic, as a fraction of a copy engine's bandwidth.
    pub bandwidth_share: Option<f64>,
    /// Whether the results match the reference; `None` if not all were compared and none differed from `staged`.
    pub verified: Option<bool>,
    /// Whether a hash was compared with the one of `staged`.
    pub is_hashed: bool,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    lines: String,
    by_case: BTreeMap<Case, BTreeMap<String, Vec<Line>>>,
}

impl Rows {
    /// Adds the rows in a program's output, whose other lines are skipped. Returns the number of rows.
    pub fn read(&mut self, app: App, scaling: Scaling, said: &str) -> Result<usize> {
        let objects = said.lines().filter(|line| line.starts_with('{'));
        let mut added = 0;
        for text in objects {
            let line: Line = serde_json::from_str(text).with_context(|| format!("read `{text}`"))?;
            let case = Case { app, scaling, pes: line.pes, cells: line.cells };
            self.by_case.entry(case).or_default().entry(line.mode.clone()).or_default().push(line);
            self.lines.push_str(text);
            self.lines.push('\n');
            added += 1;
        }
        Ok(added)
    }

    /// All lines as they were read.
    pub fn lines(&self) -> &str {
        &self.lines
    }

    /// All cases, ordered by program, weak before strong scaling, number of PEs, and size.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.by_case.keys()
    }

    /// The medians of a mode in a case, over those rounds that all modes of the case have completed: a round that the
    /// time limit cut short must not favour some modes.
    pub fn get(&self, case: &Case, mode: &str) -> Option<Measured> {
        let modes = self.by_case.get(case)?;
        let rounds = modes.values().map(Vec::len).min()?;
        let all = modes.get(mode)?;
        let lines = &all[..rounds];
        let is_right = all.iter().all(|line| line.verified == Some(true));
        let is_wrong = is_wrong(all, modes.get(super::BASELINE));
        let is_hashed = hash(all).and(modes.get(super::BASELINE).and_then(|staged| hash(staged))).is_some();
        let of = |value: fn(&Line) -> Option<f64>| median(&mut lines.iter().filter_map(value).collect::<Vec<_>>());
        let iteration_us = of(|line| Some(line.iteration_us))?;
        let spread_us = match lines {
            [sweep] => sweep.spread_us,
            _ => half_range(lines.iter().map(|line| line.iteration_us)),
        };
        let mlups = case.cells as f64 / iteration_us.max(1e-9);
        let moved_gb_s = of(|line| line.bytes_per_cell).map(|bytes| mlups * bytes / 1e3 / f64::from(case.pes));
        Some(Measured {
            iteration_us,
            rounds: lines.iter().map(|line| line.rounds.unwrap_or(1)).sum(),
            spread: spread_us.map(|us| us / iteration_us.max(1e-9)),
            exchange_share: of(|line| line.exchange_share),
            mlups,
            bandwidth_share: moved_gb_s.zip(self.copy_gb_s()).map(|(moved, copy)| moved / copy),
            verified: (is_right || is_wrong).then_some(!is_wrong),
            is_hashed,
        })
    }

    /// The time of an iteration; `None` if a result was wrong, because such a time is not compared with any other.
    pub fn iteration_us(&self, case: &Case, mode: &str) -> Option<f64> {
        self.get(case, mode).filter(|m| m.verified != Some(false)).map(|m| m.iteration_us)
    }

    /// The time saved relative to `staged`, as a fraction of the time of `staged`.
    pub fn gain(&self, case: &Case, mode: &str) -> Option<f64> {
        Some(1.0 - self.iteration_us(case, mode)? / self.iteration_us(case, super::BASELINE)?)
    }

    /// The gain, and how low and how high it may be, given how far the rounds of both modes are apart. That ends at a
    /// loss of 100 %: one slow round of `staged` must not make the picture flat.
    pub fn gains(&self, case: &Case, mode: &str) -> Option<[f64; 3]> {
        let gain = self.gain(case, mode)?;
        let spread = |mode| Some(self.get(case, mode)?.spread.unwrap_or(0.0));
        let (own, staged) = (spread(mode)?, spread(super::BASELINE)?);
        let with = |own: f64, staged: f64| 1.0 - (1.0 - gain) * (1.0 + own).max(0.0) / (1.0 + staged).max(1e-9);
        Some([gain, with(own, -staged).max(gain.min(-1.0)), with(-own, staged)])
    }

    /// Whether any result differs from the reference or from `staged`.
    pub fn has_wrong(&self) -> bool {
        self.by_case.values().any(|modes| modes.values().any(|lines| is_wrong(lines, modes.get(super::BASELINE))))
    }

    /// The bandwidth of a copy engine within a GPU's memory: the median over all programs.
    pub fn copy_gb_s(&self) -> Option<f64> {
        median(&mut self.all().filter_map(|line| line.copy_gb_s).collect::<Vec<_>>())
    }

    /// The GPU and the type of the cells, from the first row.
    pub fn heading(&self) -> Option<(&str, &str)> {
        self.all().next().map(|line| (&*line.gpu, &*line.element))
    }

    fn all(&self) -> impl Iterator<Item = &Line> {
        self.by_case.values().flat_map(BTreeMap::values).flatten()
    }
}

/// Whether a result of a mode in a case differs from the reference, or has a hash other than the one of `staged`.
fn is_wrong(lines: &[Line], staged: Option<&Vec<Line>>) -> bool {
    let expected = staged.and_then(|staged| hash(staged));
    let differs = |line: &Line| line.hash.as_ref().zip(expected).is_some_and(|(own, expected)| own != expected);
    lines.iter().any(|line| line.verified == Some(false) || differs(line))
}

/// The first hash.
fn hash(lines: &[Line]) -> Option<&String> {
    lines.iter().find_map(|line| line.hash.as_ref())
}

/// Half the range of the values; `None` if there are none.
fn half_range(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(v), m.max(v)));
    Some((most - least) / 2.0).filter(|half| half.is_finite())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The line that a program prints for a mode in a case.
    pub fn line(mode: &str, pes: u32, cells: u64, us: f64) -> String {
        format!(
            r#"{{"mode":"{mode}","pes":{pes},"type":"f32","gpu":"a GPU","cells":{cells},"iteration_us":{us},"exchange_share":0.25,"bytes_per_cell":8,"copy_gb_s":4000,"verified":true}}"#
        )
    }

    #[test]
    fn the_median_of_all_rounds_counts_and_gains_are_of_staged() {
        let mut rows = Rows::default();
        let said = [100.0, 300.0, 110.0].map(|us| line("staged", 2, 1 << 21, us)).join("\nwords\n");
        assert_eq!(rows.read(App::Stencil2d, Scaling::Weak, &said).unwrap(), 3);
        let said = [88.0, 80.0, 200.0].map(|us| line("fused", 2, 1 << 21, us)).join("\n");
        rows.read(App::Stencil2d, Scaling::Weak, &said).unwrap();
        let case = Case { app: App::Stencil2d, scaling: Scaling::Weak, pes: 2, cells: 1 << 21 };
        assert_eq!(rows.cases().collect::<Vec<_>>(), [&case]);
        let staged = rows.get(&case, "staged").unwrap();
        assert_eq!((staged.iteration_us, staged.rounds), (110.0, 3));
        assert!(staged.spread.is_some_and(|spread| (spread - 100.0 / 110.0).abs() < 1e-9), "{staged:?}");
        assert!((staged.mlups - 19065.0).abs() < 1.0, "{staged:?}");
        // Each PE moves 76 GB/s of 4000.
        assert!(staged.bandwidth_share.is_some_and(|share| (share - 0.019).abs() < 0.001), "{staged:?}");
        assert!(rows.gain(&case, "fused").is_some_and(|gain| (gain - 0.2).abs() < 1e-9));
        assert_eq!(rows.gain(&case, "host"), None);
        let gains = rows.gains(&case, "fused").map(|gains| gains.map(|gain| (gain * 100.0).round()));
        // 88 µs of 110, ± 60 of ± 100: at best 28 of 210, at worst 148 of 10.
        assert_eq!(gains, Some([20.0, -100.0, 87.0]));
        assert!(rows.read(App::Lbm, Scaling::Weak, "{\"mode\":1}").is_err());
    }

    #[test]
    fn a_round_that_a_mode_lacks_counts_for_none() {
        let mut rows = Rows::default();
        for (mode, times) in [("staged", &[100.0, 120.0, 90.0][..]), ("host", &[50.0, 60.0])] {
            for us in times {
                rows.read(App::Lbm, Scaling::Strong, &line(mode, 2, 1 << 24, *us)).unwrap();
            }
        }
        let case = rows.cases().next().unwrap();
        assert_eq!(["staged", "host"].map(|mode| rows.get(case, mode).unwrap().iteration_us), [110.0, 55.0]);
    }

    #[test]
    fn a_wrong_result_has_no_gain() {
        let mut rows = Rows::default();
        let said = ["staged", "host", "host", "stream"].map(|mode| line(mode, 2, 1 << 24, 10.0));
        let [staged, host, wrong, stream] = said;
        let wrong = wrong.replace("true", "false");
        let stream = stream.replace("true", "null");
        rows.read(App::Lbm, Scaling::Weak, &[staged, host, wrong, stream].join("\n")).unwrap();
        assert!(rows.has_wrong());
        let case = rows.cases().next().unwrap();
        let of = |mode| (rows.get(case, mode).unwrap().verified, rows.gain(case, mode));
        assert_eq!(
            ["staged", "host", "stream"].map(of),
            [(Some(true), Some(0.0)), (Some(false), None), (None, Some(0.0))]
        );
    }

    /// Catches a wrong result of a mode of lbm, which is not compared with the reference.
    #[test]
    fn a_hash_that_is_not_that_of_staged_is_wrong() {
        let mut rows = Rows::default();
        for (mode, hash) in [("staged", "a"), ("host", "a"), ("fused", "b")] {
            let line = line(mode, 2, 1 << 24, 10.0).replace("true", &format!("null,\"hash\":\"{hash}\""));
            rows.read(App::Lbm, Scaling::Weak, &line).unwrap();
            assert_eq!(rows.has_wrong(), mode == "fused");
        }
        let case = rows.cases().next().unwrap();
        let of = |mode| (rows.get(case, mode).unwrap().verified, rows.gain(case, mode));
        assert_eq!([of("host"), of("fused")], [(None, Some(0.0)), (Some(false), None)]);
        assert!(rows.get(case, "host").unwrap().is_hashed);
    }

    #[test]
    fn a_sweep_says_itself_how_many_rounds_it_had() {
        let mut rows = Rows::default();
        let sweep = line("staged", 2, 2 << 20, 10.0).replace("true", "true,\"rounds\":5,\"spread_us\":0.5");
        rows.read(App::Stencil2d, Scaling::Weak, &sweep).unwrap();
        let staged = rows.get(rows.cases().next().unwrap(), "staged").unwrap();
        assert_eq!((staged.rounds, staged.spread), (5, Some(0.05)));
    }

    #[test]
    fn sizes_are_sides_where_they_can() {
        let size = |app, scaling, pes, cells| Case { app, scaling, pes, cells }.size();
        assert_eq!(size(App::Stencil2d, Scaling::Weak, 2, 2 << 20), "1024²");
        assert_eq!(size(App::Stencil2d, Scaling::Strong, 2, 2 << 20), "2097152 cells");
        assert_eq!(size(App::Lbm, Scaling::Strong, 4, 1 << 24), "256³");
    }
}
