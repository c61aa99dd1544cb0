//! Draws curves over the size: latencies above, bandwidths below, with logarithmic axes.

use crate::canvas::Canvas;
use anyhow::{Context, Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
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
    /// `None` if the row has no size, or a unit that neither panel shows.
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

const WIDTH: u32 = 1280;
const PANEL_HEIGHT: u32 = 480;
/// The width of the legend, on the right of each panel.
const LEGEND_WIDTH: u32 = 360;
/// The distance from a line of the legend to the next.
const LEGEND_STEP: i32 = 20;

const BLACK: RGBColor = RGBColor(40, 40, 40);
const GREY: RGBColor = RGBColor(215, 215, 215);
const LIGHT_GREY: RGBColor = RGBColor(240, 240, 240);
const COLOURS: [RGBColor; 10] = [
    RGBColor(31, 119, 180),
    RGBColor(255, 127, 14),
    RGBColor(44, 160, 44),
    RGBColor(214, 39, 40),
    RGBColor(148, 103, 189),
    RGBColor(140, 86, 75),
    RGBColor(227, 119, 194),
    RGBColor(127, 127, 127),
    RGBColor(188, 189, 34),
    RGBColor(23, 190, 207),
];

/// Name and points, each a size and a value.
type Curve<'a> = (&'a str, Vec<(f64, f64)>);
type Area<'a> = DrawingArea<&'a mut Canvas, Shift>;

/// Draws all curves that have at least two points.
pub fn draw(points: &[Point], path: &Path) -> Result<()> {
    let mut canvas = Canvas::new(WIDTH, 2 * PANEL_HEIGHT);
    let area = (&mut canvas).into_drawing_area();
    let (above, below) = area.split_vertically(PANEL_HEIGHT);
    for (area, bandwidth) in [(above, false), (below, true)] {
        // The error's type is not `Send`, so only its text is kept.
        draw_panel(&area, bandwidth, &curves(points, bandwidth)).map_err(|error| anyhow!("draw: {error}"))?;
    }
    drop(area);
    canvas.write(path).context("write the PNG")
}

/// Name and points of each curve, in the order of their first points.
fn curves(points: &[Point], bandwidth: bool) -> Vec<Curve<'_>> {
    let mut curves: Vec<Curve<'_>> = vec![];
    for p in points.iter().filter(|p| p.bandwidth == bandwidth && p.value > 0.0 && p.bytes > 0.0) {
        match curves.iter_mut().find(|(name, _)| *name == p.curve) {
            Some((_, curve)) => curve.push((p.bytes, p.value)),
            None => curves.push((&p.curve, vec![(p.bytes, p.value)])),
        }
    }
    curves.retain(|(_, curve)| curve.len() > 1);
    curves
}

/// From a whole power of `base` to another, around all values; `None` if there are none.
fn range(values: impl Iterator<Item = f64>, base: f64) -> Option<Range<f64>> {
    let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
    let power = |v: f64| v.ln() / base.ln();
    (low <= high).then(|| {
        let first = (power(low) + 1e-9).floor();
        // A little lower, so that rounding never drops the first label.
        base.powf(first) * (1.0 - 1e-9)..base.powf((power(high) - 1e-9).ceil().max(first + 1.0))
    })
}

fn draw_panel(
    area: &Area<'_>,
    bandwidth: bool,
    curves: &[Curve<'_>],
) -> Result<(), DrawingAreaErrorKind<std::convert::Infallible>> {
    let (title, y_name) = if bandwidth { ("Bandwidth", "bandwidth, GB/s") } else { ("Latency", "time") };
    let (chart_area, legend) = area.split_horizontally(WIDTH - LEGEND_WIDTH);
    let text = TextStyle::from(("sans-serif", 16).into_font()).color(&BLACK);
    let all = || curves.iter().flat_map(|(_, curve)| curve);
    let (Some(sizes), Some(values)) = (range(all().map(|p| p.0), 2.0), range(all().map(|p| p.1), 10.0)) else {
        return area.draw_text(&format!("{title}: no metric was measured with more than one size"), &text, (40, 40));
    };
    let mut chart = ChartBuilder::on(&chart_area)
        .caption(title, text.clone())
        .margin(16)
        .x_label_area_size(56)
        .y_label_area_size(112)
        .build_cartesian_2d(sizes.log_scale().base(2.0), values.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("size, bytes (K, M, G: powers of 1024)")
        .y_desc(y_name)
        .x_labels(14)
        .y_labels(12)
        .x_label_formatter(&|bytes| size(*bytes))
        .y_label_formatter(&|value| if bandwidth { plain(*value) } else { time(*value) })
        .bold_line_style(GREY)
        .light_line_style(LIGHT_GREY)
        .axis_style(BLACK)
        .label_style(text.clone())
        .axis_desc_style(text.clone())
        .draw()?;
    for (i, (name, curve)) in curves.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()].filled().stroke_width(2);
        chart.draw_series(LineSeries::new(curve.iter().copied(), colour).point_size(3))?;
        let y = 40 + i as i32 * LEGEND_STEP;
        legend.draw(&PathElement::new([(0, y + 8), (24, y + 8)], colour))?;
        legend.draw(&Circle::new((12, y + 8), 3, colour))?;
        legend.draw_text(name, &text, (32, y))?;
    }
    Ok(())
}

/// A power of two as people write sizes.
fn size(bytes: f64) -> String {
    match bytes.round() as u64 {
        bytes @ ..1024 => format!("{bytes}"),
        bytes if bytes < 1 << 20 => format!("{}K", bytes >> 10),
        bytes if bytes < 1 << 30 => format!("{}M", bytes >> 20),
        bytes => format!("{}G", bytes >> 30),
    }
}

/// A number of nanoseconds.
fn time(ns: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")];
    let (unit, word) = *units.iter().find(|(unit, _)| ns >= unit * (1.0 - 1e-6)).unwrap_or(&units[3]);
    format!("{} {word}", plain(ns / unit))
}

/// At most three digits after the point, without trailing zeros.
fn plain(value: f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3)
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
        assert_eq!(curves(&points, true), [], "one point is not a curve");
    }

    #[test]
    fn axes_end_at_whole_powers() {
        let rounded = |values: &[f64], base| {
            range(values.iter().copied(), base).map(|range| (range.start.round(), range.end.round()))
        };
        assert_eq!(rounded(&[9.0, 1000.0], 2.0), Some((8.0, 1024.0)));
        assert_eq!(rounded(&[8.0, 1024.0], 2.0), Some((8.0, 1024.0)));
        assert_eq!(rounded(&[5.0], 10.0), Some((1.0, 10.0)));
        assert_eq!(rounded(&[], 10.0), None);
    }

    #[test]
    fn labels_have_units() {
        assert_eq!(
            [1.0, 0.1, 999.999_999, 1e3, 1e8, 2.5e9].map(time),
            ["1 ns", "0.1 ns", "1 us", "1 us", "100 ms", "2.5 s"]
        );
        assert_eq!([0.01, 10.0].map(plain), ["0.01", "10"]);
        assert_eq!([8.0, 16384.0, 1_048_576.0].map(size), ["8", "16K", "1M"]);
    }

    /// Fails if the canvas draws no letters or no lines.
    #[test]
    fn curves_and_words_are_in_the_picture() {
        let points: Vec<_> = [8, 4096].into_iter().filter_map(|n| point("get", n, 5.0, "us")).collect();
        let pixels_of = |points: &[Point], colour: RGBColor| {
            let file = std::env::temp_dir().join(format!("shmem-bench-{}-{}.png", std::process::id(), points.len()));
            draw(points, &file).unwrap();
            let mut reader =
                png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&file).unwrap())).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            std::fs::remove_file(file).unwrap();
            assert_eq!(reader.info().size(), (WIDTH, 2 * PANEL_HEIGHT));
            pixels.chunks_exact(3).filter(|pixel| *pixel == [colour.0, colour.1, colour.2]).count()
        };
        assert_eq!(pixels_of(&[], COLOURS[0]), 0);
        assert!(pixels_of(&[], BLACK) > 500, "the words that nothing was measured");
        assert!(pixels_of(&points, COLOURS[0]) > 700, "a line across the chart");
        assert!(pixels_of(&points, BLACK) > 3000, "labels and axes");
    }
}
