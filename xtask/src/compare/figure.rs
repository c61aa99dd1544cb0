//! The picture, as SVG: what each mode gains over copies through host memory, by size, for each program with the
//! largest number of PEs.

use super::rows::{App, Case, Rows, Scaling};
use super::{BASELINE, MODES};
use std::fmt::Write as _;

/// A colour for each mode except the baseline.
const COLOURS: [&str; MODES.len() - 1] = ["#999999", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd"];
const WIDTH: u32 = 960;
const PANEL: u32 = 300;
/// Where the bars are, from the left and from the top of a panel. The axis covers gains from -20 % to 100 %.
const LEFT: u32 = 70;
const TOP: u32 = 40;
const HEIGHT: f64 = 200.0;
const RANGE: (f64, f64) = (-0.2, 1.0);

/// The picture, or `None` if it would be empty.
pub fn svg(rows: &Rows) -> Option<String> {
    let mut body = String::new();
    let mut y = 84;
    for app in App::ALL {
        for scaling in Scaling::ALL {
            let of_panel = |case: &&Case| case.app == app && case.scaling == scaling && case.pes > 1;
            let has_bar = |case: &&Case| others().any(|(mode, _)| rows.gain(case, mode).is_some());
            let cases: Vec<_> = rows.cases().filter(of_panel).filter(has_bar).collect();
            let most = cases.iter().map(|case| case.pes).max().unwrap_or(0);
            let cases: Vec<_> = cases.into_iter().filter(|case| case.pes == most).collect();
            if !cases.is_empty() {
                let cells = if scaling == Scaling::Weak { "cells per PE" } else { "cells in total" };
                text(&mut body, 20, y + 16, 16, &format!("{}, {most} PEs, {cells}", app.name()));
                panel(&mut body, y, rows, &cases);
                y += PANEL;
            }
        }
    }
    if body.is_empty() {
        return None;
    }
    let height = y + 20;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\">\n<!-- Written by `cargo xtask compare`; do not edit. -->\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    text(&mut svg, 20, 28, 18, &format!("Iteration time saved, relative to copies through host memory ({BASELINE})"));
    text(&mut svg, 20, 48, 12, rows.heading()?.0);
    for (i, (mode, colour)) in (0..).zip(others()) {
        let x = 20 + i * 110;
        let _ = writeln!(svg, r#"<rect x="{x}" y="58" width="14" height="14" fill="{colour}"/>"#);
        text(&mut svg, x + 20, 70, 13, mode);
    }
    Some(svg + &body + "</svg>\n")
}

/// All modes except the baseline, with their colours.
fn others() -> impl Iterator<Item = (&'static str, &'static str)> {
    MODES.into_iter().filter(|mode| *mode != BASELINE).zip(COLOURS)
}

/// Groups of bars, one for each case.
fn panel(svg: &mut String, top: u32, rows: &Rows, cases: &[&Case]) {
    let at = |gain: f64| {
        let part = (gain.clamp(RANGE.0, RANGE.1) - RANGE.0) / (RANGE.1 - RANGE.0);
        f64::from(top + TOP) + HEIGHT * (1.0 - part)
    };
    for percent in [-20, 0, 20, 40, 60, 80, 100] {
        let (y, colour) = (at(f64::from(percent) / 100.0), if percent == 0 { "#222222" } else { "#dddddd" });
        let end = WIDTH - 20;
        let _ = writeln!(svg, r#"<line x1="{LEFT}" y1="{y:.0}" x2="{end}" y2="{y:.0}" stroke="{colour}"/>"#);
        text(svg, 20, y as u32 + 5, 12, &format!("{percent} %"));
    }
    let group = (WIDTH - 20 - LEFT) / cases.len() as u32;
    let bar = (group.saturating_sub(12) / COLOURS.len() as u32).clamp(5, 40);
    for (i, case) in (0..).zip(cases) {
        let left = LEFT + i * group + 6;
        for (j, (mode, colour)) in (0..).zip(others()) {
            let Some(gain) = rows.gain(case, mode) else { continue };
            let (x, y, width) = (left + j * bar, at(gain.max(0.0)), bar - 3);
            let height = (at(gain) - at(0.0)).abs().max(1.0);
            let _ = writeln!(svg, r#"<rect x="{x}" y="{y:.0}" width="{width}" height="{height:.0}" fill="{colour}"/>"#);
            text(svg, x, y as u32 - 3, 10, &format!("{:.0}", (gain * 100.0).round() + 0.0));
        }
        text(svg, left, top + TOP + HEIGHT as u32 + 18, 13, &case.size());
    }
}

/// Adds a line of text.
fn text(svg: &mut String, x: u32, y: u32, size: u32, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string cannot fail.
    let _ = writeln!(svg, r##"<text x="{x}" y="{y}" font-size="{size}" fill="#222222">{text}</text>"##);
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::line;
    use super::*;

    #[test]
    fn there_is_a_bar_for_each_mode_and_size_of_the_most_pes() {
        let mut rows = Rows::default();
        assert_eq!(svg(&rows), None);
        for (pes, cells) in [(1, 1 << 16), (2, 2 << 16), (2, 2 << 20)] {
            for (mode, us) in [("staged", 100.0), ("device", 40.0), ("host", 110.0)] {
                rows.read(App::Stencil2d, Scaling::Weak, &line(mode, pes, cells, us)).unwrap();
            }
            assert_eq!(svg(&rows).is_some(), pes > 1);
        }
        let svg = svg(&rows).unwrap();
        for words in ["stencil2d, 2 PEs, cells per PE", ">256²<", ">1024²<", ">60<", ">-10<", ">triggered<"] {
            assert!(svg.contains(words), "{words}\n{svg}");
        }
        // The background, a square for each mode in the legend, and two bars for each of two sizes.
        assert_eq!(svg.matches("<rect ").count(), 1 + COLOURS.len() + 4, "{svg}");
        assert!(svg.contains(r##"height="100" fill="#2ca02c""##), "60 % of 120 % are 200 pixels\n{svg}");
    }
}
