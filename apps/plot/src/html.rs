//! A page with a plot and its numbers, in one file that needs no other. Browsers show it in light or dark colours, as
//! their user prefers.

use crate::{Panel, Plot, Scale, draw};
use anyhow::Result;
use std::fmt::Write;

/// In dark colours the picture is inverted, with its hues kept; its ground becomes that of the page.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;background:#fff;color:#222}\
figure{margin:1rem 0}\
svg{max-width:100%;height:auto}\
pre{white-space:pre-wrap;font-size:.85em;padding:1rem;background:#f4f4f4}\
table{border-collapse:collapse;margin:1rem 0}\
th,td{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:right}\
th:first-child,td:first-child{text-align:left}\
@media(prefers-color-scheme:dark){\
body{background:#171717;color:#ddd}\
svg{filter:invert(.91) hue-rotate(180deg)}\
pre{background:#242424}\
th,td{border-color:#444}}";

/// Text of a page.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// A page with a plot, this text if there is any, and a table of the numbers of each panel.
pub fn page(plot: &Plot, text: &str) -> Result<String> {
    let title = plot.heading.first().map_or("", String::as_str);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n",
        title = escaped(title)
    );
    if !text.is_empty() {
        let _ = writeln!(page, "<pre>{}</pre>", escaped(text));
    }
    for line in plot.heading.iter().skip(1) {
        let _ = writeln!(page, "<p>{}</p>", escaped(line));
    }
    // The page has a heading of its own.
    let plain = Plot { heading: vec![], ..plot.clone() };
    let _ = writeln!(page, "<figure id=\"plot\">\n{}\n</figure>", draw::svg(&plain)?);
    for (number, panel) in plot.panels.iter().enumerate() {
        let _ = write!(page, "<h2 id=\"table-{number}\">{}</h2>\n{}", escaped(&panel.title), table(panel));
    }
    page += "</html>\n";
    Ok(page)
}

/// The numbers of a panel: a row for each place on the horizontal axis, and a column for each series.
fn table(panel: &Panel) -> String {
    let mut places: Vec<f64> = panel.series.iter().flat_map(|series| &series.points).map(|point| point.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let head: String = panel.series.iter().map(|series| format!("<th>{}</th>", escaped(&series.name))).collect();
    let mut table = format!("<table>\n<tr><th>{}</th>{head}</tr>\n", escaped(&panel.x.name));
    for x in places {
        let name = match &panel.x.scale {
            Scale::Names(names) => names.get(x as usize).cloned().unwrap_or_default(),
            _ => (panel.x.label)(x),
        };
        let _ = write!(table, "<tr><td>{}</td>", escaped(&name));
        for series in &panel.series {
            let label = |value: f64| escaped(&(panel.y.label)(value));
            let _ = match series.points.iter().find(|point| point.x == x) {
                Some(point) if point.low < point.high => {
                    write!(table, "<td>{} ({} to {})</td>", label(point.y), label(point.low), label(point.high))
                }
                Some(point) => write!(table, "<td>{}</td>", label(point.y)),
                None => write!(table, "<td></td>"),
            };
        }
        table += "</tr>\n";
    }
    table + "</table>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Point, Series};

    /// Catches a page that needs the network, lacks a number, or lets a name be markup.
    #[test]
    fn a_page_has_all_numbers_and_needs_nothing_else() {
        let axis = |name: &str, scale| Axis { name: name.into(), scale, label: |value| format!("{value} us") };
        let point = |x, y, low, high| Point { x, y, low, high };
        let names = Scale::Names(vec!["a<b".into(), "c".into()]);
        let series = |name: &str, points| Series { name: name.into(), points };
        let panel = Panel {
            title: "times".into(),
            x: axis("mode", names),
            y: axis("time", Scale::Linear),
            series: vec![
                series("one", vec![point(0.0, 2.0, 1.0, 3.0), point(1.0, 4.0, 4.0, 4.0)]),
                series("two", vec![point(1.0, 5.0, 5.0, 5.0)]),
            ],
        };
        let plot = Plot { heading: vec!["a & b".into()], size: (500, 300), panels: vec![panel] };
        let page = page(&plot, "x < y").expect("it is drawn");
        assert!(page.contains("<tr><td>a&lt;b</td><td>2 us (1 us to 3 us)</td><td></td></tr>"), "{page}");
        assert!(page.contains("<tr><td>c</td><td>4 us</td><td>5 us</td></tr>"), "{page}");
        assert!(page.contains("<title>a &amp; b</title>") && page.contains("<pre>x &lt; y</pre>"));
        assert!(page.contains("<svg ") && page.contains("prefers-color-scheme:dark"));
        // The names of the formats are no links.
        let linked = page.replace("http://www.w3.org/", "");
        assert!(["http", "src=", "href=", "url(", "@import"].iter().all(|link| !linked.contains(link)), "{page}");
    }
}
