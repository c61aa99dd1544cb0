//! Curves with logarithmic axes: latencies and bandwidths against the size, and bandwidths against the number of
//! blocks.

use crate::heading::Heading;
use crate::names;
use crate::names::By;
use crate::rounds::Figure;
use cushmem_plot::{Axis, Plot, Scale, Series};

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

    fn draw(self, series: Vec<Series>) -> cushmem_plot::Panel {
        let is_of_blocks = self == Self::BandwidthOfBlocks;
        let axis = |name: &str, base, label| Axis { name: name.into(), scale: Scale::Log(base), label };
        cushmem_plot::Panel {
            title: self.title().into(),
            x: if is_of_blocks { axis("blocks", 2.0, plain) } else { axis("size of an operation", 2.0, size) },
            y: if self == Self::Latency { axis("time", 10.0, time) } else { axis("bandwidth", 10.0, gb_s) },
            series,
        }
    }
}

/// A measured value of a metric that has a size or a number of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    curve: String,
    panel: Panel,
    /// Nanoseconds, or GB/s.
    at: cushmem_plot::Point,
}

impl Point {
    /// `None` if the row has neither a size nor a number of blocks, or has a unit that no panel shows.
    pub fn of(by: By, metric: &str, keys: &[(&str, String)], figure: Figure, unit: &str) -> Option<Self> {
        let (axis, x) = keys.iter().find(|(key, _)| ["bytes", "ctas"].contains(key))?;
        let (scale, panel) = match (unit, *axis) {
            ("ns", "bytes") => (1.0, Panel::Latency),
            ("us", "bytes") => (1e3, Panel::Latency),
            ("GB/s", "bytes") => (1.0, Panel::Bandwidth),
            ("GB/s", _) => (1.0, Panel::BandwidthOfBlocks),
            _ => return None,
        };
        let [y, low, high] = [figure.value, figure.low, figure.high].map(|v| v * scale);
        let at = cushmem_plot::Point { x: x.parse().ok()?, y, low, high };
        Some(Self { curve: names::curve(by, metric, keys, axis), panel, at })
    }
}

/// The size of a panel, in pixels.
const SIZE: (u32, u32) = (880, 480);

/// The heading and all curves that have at least two points.
pub fn plot(heading: &Heading, points: &[Point]) -> Plot {
    let panels = Panel::ALL.map(|panel| (panel, curves(points, panel)));
    let panels: Vec<_> = panels.into_iter().filter(|(_, curves)| !curves.is_empty()).map(|(p, c)| p.draw(c)).collect();
    let mut heading = vec![heading.title.clone(), heading.machine.clone(), heading.date.clone()];
    if panels.is_empty() {
        heading.push("Nothing was measured with more than one size.".into());
    }
    Plot { heading, size: SIZE, panels }
}

/// The curves in the order of their first points.
fn curves(points: &[Point], panel: Panel) -> Vec<Series> {
    let mut curves: Vec<Series> = vec![];
    for p in points.iter().filter(|p| p.panel == panel && p.at.y > 0.0 && p.at.x > 0.0) {
        match curves.iter_mut().find(|curve| curve.name == p.curve) {
            Some(curve) => curve.points.push(p.at),
            None => curves.push(Series { name: p.curve.clone(), points: vec![p.at] }),
        }
    }
    curves.retain(|curve| curve.points.len() > 1);
    curves
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

fn gb_s(value: f64) -> String {
    format!("{} GB/s", plain(value))
}

/// At most three digits after the point, without trailing zeros.
fn plain(value: f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(metric: &str, axis: &'static str, x: u64, figure: impl Into<Figure>, unit: &str) -> Option<Point> {
        Point::of(By::Cushmem, metric, &[("kinds", "D-D".into()), (axis, x.to_string())], figure.into(), unit)
    }

    #[test]
    fn a_curve_is_a_case_over_its_sizes_or_blocks() {
        let points: Vec<_> = [
            point("host_get", "bytes", 8, Figure::us(&[900.0, 1000.0, 3000.0]), "us"),
            point("host_get", "bytes", 64, 2000.0, "ns"),
            point("host_put_bw_hh", "bytes", 8, 3.0, "GB/s"),
            point("host_put_rate_hh", "bytes", 8, 3.0, "Mop/s"),
            point("dev_put_bw", "ctas", 1, 3.0, "GB/s"),
            point("dev_put_bw", "ctas", 2, 6.0, "GB/s"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let drawn = plot(&Heading::default(), &points);
        let panels: Vec<_> = drawn.panels.iter().map(|panel| (&*panel.title, &*panel.series)).collect();
        let curve = |name: &str, points: [[f64; 4]; 2]| {
            let points = points.map(|[x, y, low, high]| cushmem_plot::Point { x, y, low, high });
            [Series { name: name.into(), points: points.into() }]
        };
        let get = curve("get, GPU to GPU", [[8.0, 1000.0, 900.0, 3000.0], [64.0, 2000.0, 2000.0, 2000.0]]);
        let put = curve("put, GPU to GPU", [[1.0, 3.0, 3.0, 3.0], [2.0, 6.0, 6.0, 6.0]]);
        // One point is not a curve, so there is no panel for the bandwidth of sizes.
        let expected = [("Time of one operation", &get[..]), ("Bandwidth of the blocks of a kernel together", &put)];
        assert_eq!(panels, expected);
    }

    #[test]
    fn labels_have_units() {
        let times = [1.0, 0.1, 999.999_999, 1e3, 1e7, 2.5e9].map(time);
        assert_eq!(times, ["1 ns", "0.1 ns", "1 µs", "1 µs", "10 ms", "2.5 s"]);
        assert_eq!([0.01, 10.0].map(gb_s), ["0.01 GB/s", "10 GB/s"]);
        assert_eq!([8.0, 16384.0, 1_048_576.0].map(size), ["8 B", "16 KiB", "1 MiB"]);
        assert_eq!(plain(64.0), "64");
    }

    #[test]
    fn the_heading_says_what_where_when_and_that_nothing_was_measured() {
        let heading = Heading { title: "what".into(), machine: "where".into(), date: "when".into() };
        let empty = "Nothing was measured with more than one size.";
        assert_eq!(plot(&heading, &[]).heading, ["what", "where", "when", empty]);
        let points: Vec<_> = [8, 64].into_iter().filter_map(|n| point("host_get", "bytes", n, 5.0, "us")).collect();
        assert_eq!(plot(&heading, &points).heading, ["what", "where", "when"]);
    }
}
