//! Curves over the size: latencies above, bandwidths below, both axes logarithmic.

use crate::canvas::{Canvas, Colour, LETTER};
use std::io;
use std::path::Path;

/// A measured value of a metric that has a size.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    curve: String,
    bytes: f64,
    /// Nanoseconds, or GB/s.
    value: f64,
    bandwidth: bool,
}

impl Point {
    /// `None` if the row has no size, or a unit that no panel shows.
    pub fn of(by: &str, metric: &str, keys: &[(&str, String)], value: f64, unit: &str) -> Option<Self> {
        let bytes = keys.iter().find(|(key, _)| *key == "bytes")?.1.parse().ok()?;
        let (scale, bandwidth) = match unit {
            "ns" => (1.0, false),
            "us" => (1e3, false),
            "GB/s" => (1.0, true),
            _ => return None,
        };
        let case = keys.iter().filter(|(key, _)| *key != "bytes").map(|(_, value)| value.as_str());
        let curve = [metric].into_iter().chain(case).chain([by]).collect::<Vec<_>>().join(" ");
        Some(Self { curve, bytes, value: value * scale, bandwidth })
    }
}

const WIDTH: i32 = 1200;
const PANEL_HEIGHT: i32 = 460;
const LEFT: i32 = 90;
const LEGEND: i32 = 360;
const TOP: i32 = 40;
const BOTTOM: i32 = 40;

const BLACK: Colour = [40, 40, 40];
const GREY: Colour = [225, 225, 225];
const COLOURS: [Colour; 10] = [
    [31, 119, 180],
    [255, 127, 14],
    [44, 160, 44],
    [214, 39, 40],
    [148, 103, 189],
    [140, 86, 75],
    [227, 119, 194],
    [127, 127, 127],
    [188, 189, 34],
    [23, 190, 207],
];

/// Draws all curves that have at least two points.
pub fn draw(points: &[Point], path: &Path) -> io::Result<()> {
    let mut canvas = Canvas::new(WIDTH, 2 * PANEL_HEIGHT);
    for (panel, title) in ["latency, ns, over bytes", "bandwidth, GB/s, over bytes"].into_iter().enumerate() {
        let curves = curves(points, panel == 1);
        draw_panel(&mut canvas, panel as i32 * PANEL_HEIGHT, title, &curves);
    }
    canvas.write(path)
}

/// Name and points of each curve, in the order of their first points.
fn curves(points: &[Point], bandwidth: bool) -> Vec<(&str, Vec<(f64, f64)>)> {
    let mut curves: Vec<(&str, Vec<(f64, f64)>)> = vec![];
    for p in points.iter().filter(|p| p.bandwidth == bandwidth && p.value > 0.0 && p.bytes > 0.0) {
        match curves.iter_mut().find(|(name, _)| *name == p.curve) {
            Some((_, curve)) => curve.push((p.bytes, p.value)),
            None => curves.push((&p.curve, vec![(p.bytes, p.value)])),
        }
    }
    curves.retain(|(_, curve)| curve.len() > 1);
    curves
}

/// Whole powers around the values.
fn range(values: impl Iterator<Item = f64>, base: f64) -> Option<(i32, i32)> {
    let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
    let power = |v: f64| v.ln() / base.ln();
    (low <= high).then(|| {
        let first = (power(low) + 1e-9).floor() as i32;
        (first, ((power(high) - 1e-9).ceil() as i32).max(first + 1))
    })
}

fn draw_panel(canvas: &mut Canvas, y0: i32, title: &str, curves: &[(&str, Vec<(f64, f64)>)]) {
    canvas.text(LEFT, y0 + TOP - 2 * LETTER, title, BLACK);
    let all = || curves.iter().flat_map(|(_, curve)| curve);
    let Some(((x_low, x_high), (y_low, y_high))) = range(all().map(|p| p.0), 2.0).zip(range(all().map(|p| p.1), 10.0))
    else {
        return canvas.text(LEFT, y0 + TOP, "no metric with more than one size was measured", BLACK);
    };
    let (right, bottom) = (WIDTH - LEGEND, y0 + PANEL_HEIGHT - BOTTOM);
    let x_of =
        |power: f64| LEFT + ((power - f64::from(x_low)) / f64::from(x_high - x_low) * f64::from(right - LEFT)) as i32;
    let y_of = |power: f64| {
        bottom - ((power - f64::from(y_low)) / f64::from(y_high - y_low) * f64::from(bottom - y0 - TOP)) as i32
    };
    for power in (x_low..=x_high).step_by(2) {
        let (x, label) = (x_of(power.into()), size(power));
        canvas.line((x, y0 + TOP), (x, bottom), 1, GREY);
        canvas.text(x - label.len() as i32 * LETTER / 2, bottom + LETTER, &label, BLACK);
    }
    for power in y_low..=y_high {
        let (y, label) = (y_of(power.into()), format!("{}", 10f64.powi(power)));
        canvas.line((LEFT, y), (right, y), 1, GREY);
        canvas.text(LEFT - LETTER * (label.len() as i32 + 1), y - LETTER / 2, &label, BLACK);
    }
    for (i, (name, curve)) in curves.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let place = |p: &(f64, f64)| (x_of(p.0.log2()), y_of(p.1.log10()));
        for pair in curve.windows(2) {
            canvas.line(place(&pair[0]), place(&pair[1]), 2, colour);
        }
        for point in curve {
            canvas.line(place(point), place(point), 6, colour);
        }
        let y = y0 + TOP + i as i32 * 2 * LETTER;
        canvas.line((right + LETTER, y + LETTER / 2), (right + 3 * LETTER, y + LETTER / 2), 4, colour);
        canvas.text(right + 4 * LETTER, y, name, BLACK);
    }
}

/// A power of two as people write sizes.
fn size(power: i32) -> String {
    match power {
        ..10 => format!("{}", 1u64 << power.max(0)),
        10..20 => format!("{}K", 1u64 << (power - 10)),
        20..30 => format!("{}M", 1u64 << (power - 20)),
        _ => format!("{}G", 1u64 << (power - 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(metric: &str, bytes: u64, value: f64, unit: &str) -> Option<Point> {
        Point::of("cushmem", metric, &[("kinds", "D-D".into()), ("bytes", bytes.to_string())], value, unit)
    }

    #[test]
    fn a_curve_is_a_case_over_its_sizes() {
        let points: Vec<_> = [
            point("get", 8, 1.0, "us"),
            point("get", 64, 2000.0, "ns"),
            point("bw", 8, 3.0, "GB/s"),
            point("rate", 8, 3.0, "Mop/s"),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(curves(&points, false), [("get D-D cushmem", vec![(8.0, 1000.0), (64.0, 2000.0)])]);
        assert_eq!(curves(&points, true), [], "one point is no curve");
    }

    #[test]
    fn axes_end_at_whole_powers() {
        assert_eq!(range([8.0, 1024.0].into_iter(), 2.0), Some((3, 10)));
        assert_eq!(range([5.0].into_iter(), 10.0), Some((0, 1)));
        assert_eq!(range(std::iter::empty(), 10.0), None);
        assert_eq!([size(3), size(14), size(20)], ["8", "16K", "1M"]);
    }
}
