//! Draws curves with logarithmic axes: latencies and bandwidths against the size, and bandwidths against the number of
//! blocks.

use crate::canvas::Canvas;
use crate::heading::Heading;
use crate::names;
use crate::report::By;
use anyhow::{Context, Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// A part of the picture with its own axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Panel {
    Latency,
    Bandwidth,
    BandwidthOfBlocks,
}

impl Panel {
    const ALL: [Self; 3] = [Self::Latency, Self::Bandwidth, Self::BandwidthOfBlocks];

    fn title(self) -> &'static str {
        match self {
            Self::Latency => "Time of one operation",
            Self::Bandwidth => "Bandwidth",
            Self::BandwidthOfBlocks => "Bandwidth of the blocks of a kernel together",
        }
    }

    fn x_name(self) -> &'static str {
        if self == Self::BandwidthOfBlocks { "blocks" } else { "size of an operation" }
    }

    fn y_name(self) -> &'static str {
        if self == Self::Latency { "time" } else { "bandwidth" }
    }

    /// A label of the horizontal axis.
    fn x_label(self, x: f64) -> String {
        if self == Self::BandwidthOfBlocks { plain(x) } else { size(x) }
    }

    /// A label of the vertical axis.
    fn y_label(self, y: f64) -> String {
        if self == Self::Latency { time(y) } else { format!("{} GB/s", plain(y)) }
    }
}

/// A measured value of a metric that has a size or a number of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    curve: String,
    panel: Panel,
    x: f64,
    /// Nanoseconds, or GB/s.
    y: f64,
}

impl Point {
    /// `None` if the row has neither a size nor a number of blocks, or has a unit that no panel shows.
    pub fn of(by: By, metric: &str, keys: &[(&str, String)], value: f64, unit: &str) -> Option<Self> {
        let (axis, x) = keys.iter().find(|(key, _)| ["bytes", "ctas"].contains(key))?;
        let (scale, panel) = match (unit, *axis) {
            ("ns", "bytes") => (1.0, Panel::Latency),
            ("us", "bytes") => (1e3, Panel::Latency),
            ("GB/s", "bytes") => (1.0, Panel::Bandwidth),
            ("GB/s", _) => (1.0, Panel::BandwidthOfBlocks),
            _ => return None,
        };
        Some(Self { curve: names::curve(by, metric, keys, axis), panel, x: x.parse().ok()?, y: value * scale })
    }
}

const WIDTH: u32 = 1280;
const HEADING_HEIGHT: u32 = 104;
const PANEL_HEIGHT: u32 = 480;
/// The width of the legend, on the right of each panel.
const LEGEND_WIDTH: u32 = 400;
/// The distance from a line of text to the next.
const LINE: i32 = 20;
/// Where text starts.
const MARGIN: i32 = 20;

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

/// Name and points.
type Curve<'a> = (&'a str, Vec<(f64, f64)>);
type Area<'a> = DrawingArea<&'a mut Canvas, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::convert::Infallible>>;

/// Draws the heading and all curves that have at least two points.
pub fn draw(heading: &Heading, points: &[Point], path: &Path) -> Result<()> {
    let panels: Vec<_> = Panel::ALL.into_iter().map(|panel| (panel, curves(points, panel))).collect();
    let panels: Vec<_> = panels.into_iter().filter(|(_, curves)| !curves.is_empty()).collect();
    let mut canvas = Canvas::new(WIDTH, HEADING_HEIGHT + panels.len() as u32 * PANEL_HEIGHT);
    let area = (&mut canvas).into_drawing_area();
    let (top, rest) = area.split_vertically(HEADING_HEIGHT);
    // The error's type is not `Send`, so only its text is kept.
    draw_heading(&top, heading, panels.is_empty()).map_err(|error| anyhow!("draw: {error}"))?;
    for ((panel, curves), area) in panels.iter().zip(rest.split_evenly((panels.len().max(1), 1))) {
        draw_panel(&area, *panel, curves).map_err(|error| anyhow!("draw: {error}"))?;
    }
    drop((area, top, rest));
    canvas.write(path).context("write the PNG")
}

/// Name and points of each curve, in the order of their first points.
fn curves(points: &[Point], panel: Panel) -> Vec<Curve<'_>> {
    let mut curves: Vec<Curve<'_>> = vec![];
    for p in points.iter().filter(|p| p.panel == panel && p.y > 0.0 && p.x > 0.0) {
        match curves.iter_mut().find(|(name, _)| *name == p.curve) {
            Some((_, curve)) => curve.push((p.x, p.y)),
            None => curves.push((&p.curve, vec![(p.x, p.y)])),
        }
    }
    curves.retain(|(_, curve)| curve.len() > 1);
    curves
}

/// The range between whole powers of `base` that contains all values, of which there is at least one.
fn range(values: impl Iterator<Item = f64>, base: f64) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
    let power = |v: f64| v.ln() / base.ln();
    let first = (power(low) + 1e-9).floor();
    // Slightly lower, so that rounding never drops the first label.
    base.powf(first) * (1.0 - 1e-9)..base.powf((power(high) - 1e-9).ceil().max(first + 1.0))
}

fn text_style() -> TextStyle<'static> {
    TextStyle::from(("sans-serif", 16).into_font()).color(&BLACK)
}

fn draw_heading(area: &Area<'_>, heading: &Heading, is_empty: bool) -> Drawn {
    let nothing = if is_empty { "Nothing was measured with more than one size." } else { "" };
    for (y, line) in (MARGIN..).step_by(LINE as usize).zip([&*heading.title, &heading.machine, &heading.date, nothing])
    {
        area.draw_text(line, &text_style(), (MARGIN, y))?;
    }
    Ok(())
}

fn draw_panel(area: &Area<'_>, panel: Panel, curves: &[Curve<'_>]) -> Drawn {
    let (chart_area, legend) = area.split_horizontally(WIDTH - LEGEND_WIDTH);
    let text = text_style();
    let all = || curves.iter().flat_map(|(_, curve)| curve);
    let (sizes, values) = (range(all().map(|p| p.0), 2.0), range(all().map(|p| p.1), 10.0));
    let mut chart = ChartBuilder::on(&chart_area)
        .caption(panel.title(), text.clone())
        .margin(16)
        .x_label_area_size(56)
        .y_label_area_size(120)
        .build_cartesian_2d(sizes.log_scale().base(2.0), values.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(panel.x_name())
        .y_desc(panel.y_name())
        .x_labels(12)
        .y_labels(12)
        .x_label_formatter(&|x| panel.x_label(*x))
        .y_label_formatter(&|y| panel.y_label(*y))
        .bold_line_style(GREY)
        .light_line_style(LIGHT_GREY)
        .axis_style(BLACK)
        .label_style(text.clone())
        .axis_desc_style(text.clone())
        .draw()?;
    for (i, (name, curve)) in curves.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()].filled().stroke_width(2);
        chart.draw_series(LineSeries::new(curve.iter().copied(), colour).point_size(3))?;
        let y = 40 + i as i32 * LINE;
        legend.draw(&PathElement::new([(0, y + 8), (24, y + 8)], colour))?;
        legend.draw(&Circle::new((12, y + 8), 3, colour))?;
        legend.draw_text(name, &text, (32, y))?;
    }
    Ok(())
}

/// A power of two in the form in which people write sizes.
fn size(bytes: f64) -> String {
    match bytes.round() as u64 {
        bytes @ ..1024 => format!("{bytes} B"),
        bytes if bytes < 1 << 20 => format!("{} KiB", bytes >> 10),
        bytes if bytes < 1 << 30 => format!("{} MiB", bytes >> 20),
        bytes => format!("{} GiB", bytes >> 30),
    }
}

/// A number of nanoseconds, with the unit that fits.
fn time(ns: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
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

    fn point(metric: &str, axis: &'static str, x: u64, value: f64, unit: &str) -> Option<Point> {
        Point::of(By::Cushmem, metric, &[("kinds", "D-D".into()), (axis, x.to_string())], value, unit)
    }

    #[test]
    fn a_curve_is_a_case_over_its_sizes_or_blocks() {
        let points: Vec<_> = [
            point("host_get", "bytes", 8, 1.0, "us"),
            point("host_get", "bytes", 64, 2000.0, "ns"),
            point("host_put_bw_hh", "bytes", 8, 3.0, "GB/s"),
            point("host_put_rate_hh", "bytes", 8, 3.0, "Mop/s"),
            point("dev_put_bw", "ctas", 1, 3.0, "GB/s"),
            point("dev_put_bw", "ctas", 2, 6.0, "GB/s"),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(curves(&points, Panel::Latency), [("get, GPU to GPU", vec![(8.0, 1000.0), (64.0, 2000.0)])]);
        assert_eq!(curves(&points, Panel::Bandwidth), [], "one point is not a curve");
        assert_eq!(curves(&points, Panel::BandwidthOfBlocks), [("put, GPU to GPU", vec![(1.0, 3.0), (2.0, 6.0)])]);
    }

    #[test]
    fn axes_end_at_whole_powers() {
        let rounded = |values: &[f64], base| {
            let range = range(values.iter().copied(), base);
            (range.start.round(), range.end.round())
        };
        assert_eq!(rounded(&[9.0, 1000.0], 2.0), (8.0, 1024.0));
        assert_eq!(rounded(&[8.0, 1024.0], 2.0), (8.0, 1024.0));
        assert_eq!(rounded(&[5.0], 10.0), (1.0, 10.0));
    }

    #[test]
    fn labels_have_units() {
        let times = [1.0, 0.1, 999.999_999, 1e3, 1e7, 2.5e9].map(|ns| Panel::Latency.y_label(ns));
        assert_eq!(times, ["1 ns", "0.1 ns", "1 µs", "1 µs", "10 ms", "2.5 s"]);
        assert_eq!([0.01, 10.0].map(|y| Panel::Bandwidth.y_label(y)), ["0.01 GB/s", "10 GB/s"]);
        assert_eq!([8.0, 16384.0, 1_048_576.0].map(|x| Panel::Bandwidth.x_label(x)), ["8 B", "16 KiB", "1 MiB"]);
        assert_eq!(Panel::BandwidthOfBlocks.x_label(64.0), "64");
    }

    /// The picture as rows of pixels.
    fn picture(heading: &Heading, points: &[Point], name: &str) -> Vec<Vec<[u8; 3]>> {
        let file = std::env::temp_dir().join(format!("shmem-bench-{}-{name}.png", std::process::id()));
        draw(heading, points, &file).unwrap();
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&file).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        std::fs::remove_file(file).unwrap();
        let pixels: Vec<[u8; 3]> = pixels.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        pixels.chunks(WIDTH as usize).map(<[_]>::to_vec).collect()
    }

    fn count(rows: &[Vec<[u8; 3]>], colour: RGBColor) -> usize {
        rows.iter().flatten().filter(|pixel| **pixel == [colour.0, colour.1, colour.2]).count()
    }

    /// Fails if the canvas draws no letters or no lines.
    #[test]
    fn curves_and_words_are_in_the_picture() {
        let points: Vec<_> = [8, 4096].into_iter().filter_map(|n| point("host_get", "bytes", n, 5.0, "us")).collect();
        let (empty, full) = (picture(&Heading::default(), &[], "empty"), picture(&Heading::default(), &points, "full"));
        assert_eq!((empty.len(), full.len()), (HEADING_HEIGHT as usize, (HEADING_HEIGHT + PANEL_HEIGHT) as usize));
        assert_eq!(count(&empty, COLOURS[0]), 0);
        assert!(count(&empty, BLACK) > 500, "the words that nothing was measured");
        assert!(count(&full, COLOURS[0]) > 700, "a line across the chart");
        assert!(count(&full, BLACK) > 2500, "labels and axes");
    }

    /// Each line of the heading is drawn where it belongs, and the `µ` is drawn as a letter, not as a gap.
    #[test]
    fn the_heading_says_what_where_and_when() {
        let points: Vec<_> = [8, 4096].into_iter().filter_map(|n| point("host_get", "bytes", n, 5.0, "us")).collect();
        let lines = |title: &str, machine: &str, date: &str| {
            let heading = Heading { title: title.into(), machine: machine.into(), date: date.into() };
            let rows = picture(&heading, &points, &format!("{title}{machine}{date}"));
            [0, 1, 2].map(|line| count(&rows[(MARGIN + line * LINE) as usize..][..LINE as usize], BLACK))
        };
        assert_eq!(lines("", "", ""), [0; 3]);
        let [title, machine, date] = lines("what", "where", "µ");
        assert!(title > 0 && machine > 0 && date > 0, "{title} {machine} {date}");
    }
}
