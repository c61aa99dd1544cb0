//! The README's figure, as SVG: how long a put of 8 bytes from a kernel takes with plain CUDA, with NVSHMEM and with
//! the library.

use super::rows::{Case, Rows};
use std::fmt::Write as _;

/// The name of the figure's file, which is beside the rows.
pub const FILE: &str = "put-8-bytes.svg";

/// A title, a metric, and the keys of the case.
type Group = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
const GROUPS: [Group; 2] = [
    ("one-way latency: until the other GPU's kernel sees it", "dev_p_pingpong", &[("bytes", "8")]),
    ("put and quiet, by one thread", "dev_put_quiet", &[("bytes", "8"), ("scope", "thread")]),
];
/// What is measured: the name in the rows, the name in the figure, and the colour.
const BARS: [(&str, &str, &str); 3] =
    [("limit", "plain CUDA (limit)", "#999999"), ("nvshmem", "NVSHMEM", "#76b900"), ("cushmem", "cushmem", "#1f77b4")];
const PES: u64 = 2;

const WIDTH: u32 = 760;
/// Where bars start, and the length of a microsecond, in pixels.
const START: u32 = 180;
const US: f64 = 340.0;
const BAR: u32 = 26;

/// The figure, or `None` if the rows lack any of its values.
pub fn svg(rows: &Rows) -> Option<String> {
    let mut body = String::new();
    let mut y = 84;
    for (title, metric, keys) in GROUPS {
        let keys = keys.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let case = Case { metric: metric.into(), pes: PES, keys };
        line(&mut body, 20, y, 15, title);
        y += 12;
        for (by, name, colour) in BARS {
            let us = rows.get(by, &case).filter(|_| rows.unit(&case) == "us")?;
            let length = (us * US).round() as u32;
            line(&mut body, 36, y + 17, 14, name);
            let height = BAR - 6;
            writeln!(body, r#"<rect x="{START}" y="{}" width="{length}" height="{height}" fill="{colour}"/>"#, y + 2)
                .ok()?;
            line(&mut body, START + length + 8, y + 17, 14, &format!("{:.2} µs", (us * 100.0).round() / 100.0));
            y += BAR;
        }
        y += 34;
    }
    let height = y + 8;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\">\n<!-- Written by `cargo xtask perf table`; do not edit. -->\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    line(&mut svg, 20, 30, 19, "8-byte put from a kernel to another GPU (shorter is better)");
    // Facts that the run's header lacks are omitted.
    let known = |words: &[(&str, &str)]| {
        let known = words.iter().filter_map(|(word, key)| Some(format!("{word}{}", rows.header.get(*key)?)));
        known.collect::<Vec<_>>()
    };
    line(&mut svg, 20, 52, 12, &known(&[("", "machine"), ("NVSHMEM ", "nvshmem")]).join("; "));
    let mut origin = known(&[("", "run"), ("cushmem ", "commit"), ("driver ", "driver")]);
    origin.push(format!("{PES} PEs"));
    line(&mut svg, 20, height - 14, 12, &origin.join(", "));
    Some(svg + &body + "</svg>\n")
}

/// Adds a line of text.
fn line(svg: &mut String, x: u32, y: u32, size: u32, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string cannot fail.
    let _ = writeln!(svg, r##"<text x="{x}" y="{y}" font-size="{size}" fill="#222222">{text}</text>"##);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_has_title_machine_date_and_every_value_with_its_unit() {
        let mut rows = Rows::default();
        rows.read(r#"{"run":"2026-11-20","commit":"abc","machine":"2 x GPU <1>","driver":"580","nvshmem":"3.8.0"}"#)
            .unwrap();
        assert_eq!(svg(&rows), None, "no rows");
        for (i, (by, ..)) in (1..).zip(BARS) {
            rows.read(&format!(
                r#"{{"impl":"{by}","pes":2,"metric":"dev_p_pingpong","bytes":8,"value":0.{i}12,"unit":"us"}}
                   {{"impl":"{by}","pes":2,"metric":"dev_put_quiet","bytes":8,"scope":"thread","value":1.{i}05,"unit":"us"}}"#
            ))
            .unwrap();
        }
        let svg = svg(&rows).expect("a figure");
        let words =
            ["8-byte put from a kernel", "2 x GPU &lt;1>; NVSHMEM 3.8.0", "2026-11-20, cushmem abc, driver 580"];
        let values = ["0.11 µs", "0.21 µs", "0.31 µs", "1.11 µs", "1.21 µs", "1.31 µs"];
        let names = ["plain CUDA (limit)", ">NVSHMEM<", ">cushmem<"];
        for text in words.iter().chain(&values).chain(&names) {
            assert!(svg.contains(text), "{text}\n{svg}");
        }
        assert_eq!(svg.matches("<rect x=").count(), 6, "a bar for each value");
        rows.header.retain(|key, _| key == "machine");
        let unknown = super::svg(&rows).expect("a figure");
        assert!(unknown.contains(">2 x GPU &lt;1><") && unknown.contains(">2 PEs<"), "{unknown}");
        assert!(svg.contains(r##"width="376" height="20" fill="#999999""##), "1.105 µs, 340 a µs: {svg}");
    }
}
