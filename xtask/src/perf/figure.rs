//! The README's figure: how long a put of 8 bytes from a kernel takes with plain CUDA, with NVSHMEM and with the
//! library.

use super::rows::{Case, Rows};
use cushmem_plot::{Axis, Panel, Plot, Point, Scale, Series};

/// The name of the figure's file, which is beside the rows.
pub const FILE: &str = "put-8-bytes.svg";

/// A name, a metric, and the keys of the case.
type Group = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
const GROUPS: [Group; 2] = [
    ("until the other kernel sees it", "dev_p_pingpong", &[("bytes", "8")]),
    ("put and quiet, by one thread", "dev_put_quiet", &[("bytes", "8"), ("scope", "thread")]),
];
/// What is measured: the name in the figure, and the name in the rows.
const BARS: [(&str, &str); 3] = [("cushmem", "cushmem"), ("NVSHMEM", "nvshmem"), ("plain CUDA (limit)", "limit")];
const PES: u64 = 2;
/// In pixels.
const SIZE: (u32, u32) = (640, 360);

/// The figure, or `None` if the rows lack any of its values.
pub fn plot(rows: &Rows) -> Option<Plot> {
    let point = |(x, (_, metric, keys)): (u32, &Group), by: &str| {
        let keys = keys.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let case = Case { metric: (*metric).into(), pes: PES, keys };
        let [y, low, high] = rows.range(by, &case).filter(|_| rows.unit(&case) == "us")?;
        Some(Point { x: x.into(), y, low, high })
    };
    let series = |(name, by): (&str, &str)| {
        let points = (0..).zip(&GROUPS).map(|group| point(group, by)).collect::<Option<_>>()?;
        Some(Series { name: name.into(), points })
    };
    let series = BARS.into_iter().map(series).collect::<Option<_>>()?;
    let names = Scale::Names(GROUPS.iter().map(|(name, ..)| (*name).into()).collect());
    let axis = |name: &str, scale| Axis { name: name.into(), scale, label: time };
    let panel = Panel { title: "lower is better".into(), x: axis("", names), y: axis("time", Scale::Linear), series };
    // Facts that the run's header lacks are omitted.
    let known = |words: &[(&str, &str)]| {
        let known = words.iter().filter_map(|(word, key)| Some(format!("{word}{}", rows.header.get(*key)?)));
        known.collect::<Vec<_>>()
    };
    let mut origin = known(&[("", "run"), ("cushmem ", "commit"), ("driver ", "driver")]);
    origin.push(format!("{PES} PEs"));
    let heading = vec![
        "8-byte put from a kernel to another GPU".into(),
        known(&[("", "machine"), ("NVSHMEM ", "nvshmem")]).join("; "),
        origin.join(", "),
    ];
    Some(Plot { heading, size: SIZE, panels: vec![panel] })
}

fn time(us: f64) -> String {
    format!("{:.2} µs", (us * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_has_title_machine_date_and_every_value_with_its_unit() {
        let mut rows = Rows::default();
        rows.read(r#"{"run":"2026-11-20","commit":"abc","machine":"2 x GPU","driver":"580","nvshmem":"3.8.0"}"#)
            .unwrap();
        assert!(plot(&rows).is_none(), "no rows");
        for (i, (_, by)) in (1..).zip(BARS) {
            rows.read(&format!(
                r#"{{"impl":"{by}","pes":2,"metric":"dev_p_pingpong","bytes":8,"value":0.{i}12,"unit":"us"}}
                   {{"impl":"{by}","pes":2,"metric":"dev_put_quiet","bytes":8,"scope":"thread","value":1.{i}05,"unit":"us"}}"#
            ))
            .unwrap();
        }
        rows.read(r#"{"impl":"cushmem","pes":2,"metric":"dev_p_pingpong","bytes":8,"value":0.212,"unit":"us"}"#)
            .unwrap();
        let drawn = plot(&rows).expect("a figure");
        let facts = [
            "8-byte put from a kernel to another GPU",
            "2 x GPU; NVSHMEM 3.8.0",
            "2026-11-20, cushmem abc, driver 580, 2 PEs",
        ];
        assert_eq!(drawn.heading, facts);
        let values: Vec<_> =
            drawn.panels[0].series.iter().flat_map(|s| &s.points).map(|p| [p.low, p.y, p.high].map(time)).collect();
        let once = |us: &str| [us, us, us].map(|us| format!("{us} µs"));
        let twice = ["0.11", "0.16", "0.21"].map(|us| format!("{us} µs"));
        assert_eq!(values, [twice, once("1.11"), once("0.21"), once("1.21"), once("0.31"), once("1.31")]);
        rows.header.retain(|key, _| key == "machine");
        let unknown = plot(&rows).expect("a figure");
        assert_eq!(unknown.heading[1..], ["2 x GPU", "2 PEs"]);
    }
}
