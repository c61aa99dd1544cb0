//! What is drawn where.

use crate::canvas::Canvas;
use crate::image::{Image, text_width};
use crate::{Panel, Plot, Point, Scale, Series};
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::ranged1d::{BoldPoints, DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// The distance from a line of text to the next.
const LINE: u32 = 20;
/// Where text starts.
const MARGIN: u32 = 20;
/// Below and on the left of a chart, for labels and the name of the axis.
const LABELS: u32 = 28;
const NAME: u32 = 28;
const BESIDE: u32 = 104;
/// In the legend, the width of a sample and the distance from the top.
const SAMPLE: u32 = 32;
const LEGEND_TOP: u32 = 44;
/// The share of the room for a name that its bars take.
const BARS: f64 = 0.84;

/// Plotters writes letters 1.24 times smaller than this.
const TITLE_SIZE: u32 = 22;
const TEXT_SIZE: u32 = 17;

const BLACK: RGBColor = RGBColor(40, 40, 40);
const GREY: RGBColor = RGBColor(215, 215, 215);
const LIGHT_GREY: RGBColor = RGBColor(240, 240, 240);
/// Colours of Okabe and Ito that are distinct for people who do not see all of them.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
];

type Area<DB> = DrawingArea<DB, Shift>;
type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// The plot as the text of an SVG file.
pub fn svg(plot: &Plot) -> Result<String> {
    let mut text = String::new();
    // The error's type is not `Send`, so only its text is kept.
    draw(plot, SVGBackend::with_string(&mut text, size(plot))).map_err(|error| anyhow!("draw: {error}"))?;
    Ok(text)
}

/// The plot as pixels.
pub fn png(plot: &Plot) -> Result<Image> {
    let (width, height) = size(plot);
    let mut canvas = Canvas::new(width, height);
    draw(plot, &mut canvas).map_err(|error| anyhow!("draw: {error}"))?;
    Ok(canvas.into_image())
}

/// Width and height of everything.
fn size(plot: &Plot) -> (u32, u32) {
    let heading = plot.heading.iter().map(|line| 2 * MARGIN + text_width(line)).max().unwrap_or(0);
    let height = plot.panels.iter().map(|panel| panel_height(plot, panel)).sum::<u32>();
    ((plot.size.0 + legend_width(plot)).max(heading), heading_height(plot) + height)
}

fn heading_height(plot: &Plot) -> u32 {
    MARGIN + plot.heading.len() as u32 * LINE + MARGIN / 2
}

/// The width of every panel's legend, so that their charts are equally wide.
fn legend_width(plot: &Plot) -> u32 {
    let names = plot.panels.iter().flat_map(|panel| &panel.series).map(|series| text_width(&series.name));
    names.max().map_or(0, |longest| SAMPLE + longest + 2 * MARGIN)
}

fn panel_height(plot: &Plot, panel: &Panel) -> u32 {
    plot.size.1.max(LEGEND_TOP + panel.series.len() as u32 * LINE + MARGIN)
}

fn text() -> TextStyle<'static> {
    ("sans-serif", TEXT_SIZE).into_font().color(&BLACK)
}

fn title() -> TextStyle<'static> {
    ("sans-serif", TITLE_SIZE).into_font().color(&BLACK)
}

fn draw<DB: DrawingBackend>(plot: &Plot, backend: DB) -> Drawn<DB> {
    let area = backend.into_drawing_area();
    area.fill(&WHITE)?;
    let (heading, mut rest) = area.split_vertically(heading_height(plot));
    for (i, line) in (0..).zip(&plot.heading) {
        let style = if i == 0 { title() } else { text() };
        // The title is the larger one.
        let lower = if i == 0 { 0 } else { 4 };
        heading.draw_text(line, &style, (MARGIN as i32, (MARGIN + i * LINE + lower) as i32))?;
    }
    for panel in &plot.panels {
        let (own, others) = rest.split_vertically(panel_height(plot, panel));
        let (chart, legend) = own.split_horizontally(plot.size.0);
        draw_chart(&chart, panel)?;
        draw_legend(&legend, panel)?;
        rest = others;
    }
    area.present()
}

fn draw_chart<DB: DrawingBackend>(area: &Area<DB>, panel: &Panel) -> Drawn<DB> {
    let all = || panel.series.iter().flat_map(|series| &series.points);
    let is_bars = matches!(panel.x.scale, Scale::Names(_));
    let x = Coord::new(&panel.x.scale, all().map(|p| p.x), 0.5);
    // Bars start at 0, and a value is written above each.
    let zero = is_bars.then_some(0.0);
    let y = Coord::new(&panel.y.scale, all().flat_map(|p| [p.low, p.y, p.high]).chain(zero), 0.0);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, text())
        .margin(16)
        .x_label_area_size(if panel.x.name.is_empty() { LABELS } else { LABELS + NAME })
        .y_label_area_size(BESIDE)
        .build_cartesian_2d(x, y)?;
    let x_label = |x: &f64| match &panel.x.scale {
        Scale::Names(names) => names.get(x.round() as usize).cloned().unwrap_or_default(),
        _ => (panel.x.label)(*x),
    };
    let mut mesh = chart.configure_mesh();
    if is_bars {
        mesh.disable_x_mesh();
    }
    mesh.x_desc(&panel.x.name)
        .y_desc(&panel.y.name)
        .x_labels(12)
        .y_labels(12)
        .x_label_formatter(&x_label)
        .y_label_formatter(&|y| (panel.y.label)(*y))
        .bold_line_style(GREY)
        .light_line_style(LIGHT_GREY)
        .axis_style(BLACK)
        .label_style(text())
        .axis_desc_style(text())
        .draw()?;
    // The width of a bar with its share of the gap: names of values that are wider would cover each other.
    let bars = panel.series.len() * if let Scale::Names(names) = &panel.x.scale { names.len() } else { 0 };
    let room = BARS * f64::from(chart.plotting_area().dim_in_pixel().0) / bars as f64;
    let has_values = all().all(|p| f64::from(text_width(&(panel.y.label)(p.y))) <= room);
    for (i, Series { points, .. }) in panel.series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let at = |p: &Point| aside(&panel.x.scale, p.x, i, panel.series.len());
        if is_bars {
            let half = 0.45 * BARS / panel.series.len() as f64;
            let bar = |p: &Point| Rectangle::new([(at(p) - half, 0.0), (at(p) + half, p.y)], colour.filled());
            chart.draw_series(points.iter().map(bar))?;
            let above = text().pos(Pos::new(HPos::Center, VPos::Bottom));
            let value = |p: &Point| {
                let top = p.high.max(p.y).max(0.0);
                EmptyElement::at((at(p), top)) + Text::new((panel.y.label)(p.y), (0, -4), above.clone())
            };
            chart.draw_series(points.iter().filter(|_| has_values).map(value))?;
        } else {
            let line = points.iter().map(|p| (at(p), p.y));
            chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|p| EmptyElement::at((at(p), p.y)) + mark(i, (0, 0))))?;
        }
        // Error bars, where rounds differ: a line, and its ends.
        let ink = if is_bars { BLACK } else { colour };
        let ranges = || points.iter().filter(|p| p.low < p.high).map(|p| [(at(p), p.low), (at(p), p.high)]);
        chart.draw_series(ranges().map(|range| PathElement::new(range, ink)))?;
        let end = |end| EmptyElement::at(end) + PathElement::new([(-3, 0), (3, 0)], ink);
        chart.draw_series(ranges().flatten().map(end))?;
    }
    if let Scale::Names(names) = &panel.x.scale {
        chart.draw_series([PathElement::new([(-0.5, 0.0), (names.len() as f64 - 0.5, 0.0)], BLACK)])?;
    }
    Ok(())
}

/// Where a series of `count` draws what was measured at `x`: the bars of a name are side by side, and so are, much
/// closer, points at the same place of a logarithmic axis, so that their error bars do not hide each other.
fn aside(scale: &Scale, x: f64, series: usize, count: usize) -> f64 {
    let from_middle = series as f64 - (count as f64 - 1.0) / 2.0;
    match scale {
        Scale::Names(_) => x + from_middle * BARS / count as f64,
        Scale::Log(base) => x * base.powf(from_middle * (0.4 / count as f64).min(0.1)),
        Scale::Linear => x,
    }
}

/// The mark of the points of a series. It tells series of the same colour apart.
fn mark<DB: DrawingBackend>(i: usize, at: (i32, i32)) -> DynElement<'static, DB, (i32, i32)> {
    let style = COLOURS[i % COLOURS.len()].filled();
    match i / COLOURS.len() % 3 {
        0 => Circle::new(at, 3, style).into_dyn(),
        1 => TriangleMarker::new(at, 5, style).into_dyn(),
        _ => Cross::new(at, 4, style.stroke_width(2)).into_dyn(),
    }
}

fn draw_legend<DB: DrawingBackend>(area: &Area<DB>, panel: &Panel) -> Drawn<DB> {
    for (i, series) in panel.series.iter().enumerate() {
        let y = (LEGEND_TOP + i as u32 * LINE) as i32;
        let colour = COLOURS[i % COLOURS.len()];
        if let Scale::Names(_) = panel.x.scale {
            area.draw(&Rectangle::new([(5, y + 1), (19, y + 15)], colour.filled()))?;
        } else {
            area.draw(&PathElement::new([(0, y + 8), (24, y + 8)], colour.stroke_width(2)))?;
            area.draw(&mark(i, (12, y + 8)))?;
        }
        let beside = text().pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(&series.name, &beside, (SAMPLE as i32, y + 8))?;
    }
    Ok(())
}

/// An axis of plotters.
enum Coord {
    Linear(RangedCoordf64),
    Log(LogCoord<f64>),
    Names(RangedCoordf64, usize),
}

impl Coord {
    /// An axis for these values. At either end of a logarithmic one there is room of this power of its base.
    fn new(scale: &Scale, values: impl Iterator<Item = f64>, room: f64) -> Self {
        match scale {
            Scale::Linear => Self::Linear(with_room(values).into()),
            Scale::Log(base) => {
                let Range { start, end } = powers(values.filter(|v| *v > 0.0), *base);
                let room = base.powf(room);
                Self::Log((start / room..end * room).log_scale().base(*base).into())
            }
            Scale::Names(names) => Self::Names((-0.5..names.len() as f64 - 0.5).into(), names.len()),
        }
    }
}

impl Ranged for Coord {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        match self {
            Self::Linear(axis) | Self::Names(axis, _) => axis.map(value, limit),
            // What has no logarithm is at the end of the axis.
            Self::Log(axis) => axis.map(&value.max(axis.range().start), limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            // No lines between those with labels.
            Self::Linear(axis) => axis.key_points(BoldPoints(hint.bold_points())),
            Self::Log(axis) => axis.key_points(hint),
            Self::Names(_, count) => (0..*count).map(|i| i as f64).collect(),
        }
    }

    fn range(&self) -> Range<f64> {
        match self {
            Self::Linear(axis) | Self::Names(axis, _) => axis.range(),
            Self::Log(axis) => axis.range(),
        }
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
}

/// The range of all values, with room above, and below unless it ends at 0.
fn with_room(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = ends(values);
    let room = (high - low).max(1e-9) * 0.1;
    (if low == 0.0 { 0.0 } else { low - room })..high + room
}

/// The range between whole powers of `base` that contains all values, of which there is at least one.
fn powers(values: impl Iterator<Item = f64>, base: f64) -> Range<f64> {
    let (low, high) = ends(values);
    let power = |v: f64| v.ln() / base.ln();
    let first = (power(low) + 1e-9).floor();
    // Slightly lower, so that rounding never drops the first label.
    base.powf(first) * (1.0 - 1e-9)..base.powf((power(high) - 1e-9).ceil().max(first + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, file};
    use std::path::Path;

    fn label(value: f64) -> String {
        format!("{value} ns")
    }

    /// Two series of two points each, the first point with these values of its rounds.
    fn plot(x: Scale, y: Scale, [low, high]: [f64; 2]) -> Plot {
        let axis = |name: &str, scale| Axis { name: name.into(), scale, label };
        let at = |x, y| Point { x, y, low: y, high: y };
        let first = Point { low, high, ..at(1.0, 20.0) };
        let series = [vec![first, at(0.0, 30.0)], vec![at(1.0, 40.0), at(0.0, 50.0)]];
        let series = series.into_iter().zip(["first <of all>", "second"]);
        let series = series.map(|(points, name)| Series { name: name.into(), points }).collect();
        let panel = Panel { title: "a panel".into(), x: axis("across", x), y: axis("up", y), series };
        Plot { heading: vec!["what".into(), "where µ".into()], size: (600, 300), panels: vec![panel] }
    }

    fn names() -> Scale {
        Scale::Names(vec!["zero".into(), "one".into()])
    }

    /// The lines of an error bar are one pixel wide and have its colour.
    fn error_bars(plot: &Plot, colour: &str) -> usize {
        let svg = svg(plot).unwrap();
        let ends = |line: &&str| {
            let numbers: Vec<f64> = line
                .split_once("points=\"")
                .into_iter()
                .flat_map(|(_, rest)| rest.split(['"', ' ', ',']).map_while(|word| word.parse().ok()))
                .collect();
            line.contains(&format!("stroke=\"{colour}\" stroke-width=\"1\""))
                && matches!(numbers[..], [left, up, right, down] if up == down && right - left == 6.0)
        };
        let count = svg.lines().filter(ends).count();
        assert_eq!(count % 2, 0, "{svg}");
        count / 2
    }

    #[test]
    fn an_error_bar_is_where_rounds_differ() {
        let of_lines = |rounds| plot(Scale::Linear, Scale::Log(10.0), rounds);
        assert_eq!(error_bars(&of_lines([20.0, 20.0]), "#0072B2"), 0);
        assert_eq!(error_bars(&of_lines([20.0, 25.0]), "#0072B2"), 1);
        let of_bars = |rounds| plot(names(), Scale::Linear, rounds);
        assert_eq!(error_bars(&of_bars([20.0, 20.0]), "#282828"), 0);
        assert_eq!(error_bars(&of_bars([-5.0, 20.0]), "#282828"), 1);
    }

    /// Catches values that cover each other because their bars are narrow.
    #[test]
    fn bars_without_room_have_no_values() {
        let values = |plot: &Plot| svg(plot).unwrap().matches("50 ns").count();
        let mut many = plot(names(), Scale::Linear, [20.0; 2]);
        // One is at the axis.
        assert_eq!(values(&many), 2);
        let series = many.panels[0].series[1].clone();
        many.panels[0].series = vec![series; 8];
        assert_eq!(values(&many), 1);
    }

    #[test]
    fn the_ending_says_what_is_written() {
        for scale in [Scale::Linear, names()] {
            let plot = plot(scale, Scale::Linear, [10.0, 25.0]);
            let svg = String::from_utf8(plot.encode(Path::new("a.svg")).unwrap()).unwrap();
            for words in ["what", "where µ", "a panel", "across", "up", "first &lt;of all", "second", "50 ns"] {
                assert!(svg.contains(words), "{words}\n{svg}");
            }
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
            let png = plot.encode(Path::new("a.png")).unwrap();
            let (width, height) = size(&plot);
            let header = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &width.to_be_bytes(), &height.to_be_bytes()].concat();
            assert!(png.starts_with(&header));
        }
        assert!(plot(names(), Scale::Linear, [0.0; 2]).encode(Path::new("a.jpg")).is_err());
        assert!(["a.svg", "a.b/c.png"].iter().all(|name| file(name).is_ok()));
        assert!(["svg", "a.jpg", ".png", "a.svg/b"].iter().all(|name| file(name).is_err()));
    }

    /// Fails if the canvas draws no letters, no lines or no bars.
    #[test]
    fn pixels_are_those_of_the_plot() {
        let count = |plot: &Plot, colour: RGBColor| {
            let image = png(plot).unwrap();
            let all = (0..image.height()).flat_map(|row| (0..image.width()).map(move |col| (row, col)));
            all.filter(|(row, col)| image.at(*row, *col) == [colour.0, colour.1, colour.2]).count()
        };
        let empty = Plot { panels: vec![], ..plot(names(), Scale::Linear, [20.0; 2]) };
        assert_eq!(count(&empty, COLOURS[0]), 0);
        assert!(count(&empty, BLACK) > 150, "the heading");
        let lines = plot(Scale::Linear, Scale::Log(10.0), [20.0; 2]);
        assert!((500..2000).contains(&count(&lines, COLOURS[0])), "a line across the chart");
        assert!(count(&lines, BLACK) > 1500, "labels and axes");
        let bars = plot(names(), Scale::Linear, [20.0; 2]);
        assert!(count(&bars, COLOURS[1]) > 5000, "two bars");
    }

    #[test]
    fn axes_have_room() {
        let rounded = |values: &[f64], base| {
            let range = powers(values.iter().copied(), base);
            (range.start.round(), range.end.round())
        };
        assert_eq!(rounded(&[9.0, 1000.0], 2.0), (8.0, 1024.0));
        assert_eq!(rounded(&[8.0, 1024.0], 2.0), (8.0, 1024.0));
        assert_eq!(rounded(&[5.0], 10.0), (1.0, 10.0));
        assert_eq!(with_room([0.0, 10.0].into_iter()), 0.0..11.0);
        let places = |scale| [0, 1, 2].map(|i| aside(&scale, 8.0, i, 3));
        assert_eq!(places(Scale::Linear), [8.0; 3]);
        let [left, middle, right] = places(Scale::Log(2.0));
        assert!(7.0 < left && left < 7.8 && middle == 8.0 && 8.2 < right && right < 9.0, "{left} {right}");
        assert!(places(names())[0] > 7.5 && places(names())[2] < 8.5);
        assert_eq!(with_room([-10.0, 0.0].into_iter()), -11.0..1.0);
    }

    #[test]
    fn series_of_one_colour_have_different_marks() {
        let mut many = plot(Scale::Linear, Scale::Linear, [20.0; 2]);
        let series = many.panels[0].series[0].clone();
        many.panels[0].series = vec![series; 2 * COLOURS.len() + 1];
        let (svg, height) = (svg(&many).unwrap(), size(&many).1);
        // Two points and a sample in the legend.
        assert_eq!(svg.matches("<circle ").count(), 3 * COLOURS.len());
        assert_eq!(svg.matches("<polygon ").count(), 3 * COLOURS.len());
        assert!(height > 15 * LINE + LEGEND_TOP, "the legend is not cut");
    }
}
