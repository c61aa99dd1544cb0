//! The picture: what each mode gains over copies through host memory, by size, for each program with the largest number
//! of PEs.

use super::rows::{App, Case, Rows, Scaling};
use super::{BASELINE, MODES};
use cushmem_plot::{Axis, Panel, Plot, Point, Scale, Series};

/// The size of a panel, in pixels.
const SIZE: (u32, u32) = (1040, 320);

/// The picture, or `None` if it would be empty.
pub fn plot(rows: &Rows) -> Option<Plot> {
    let kinds = App::ALL.into_iter().flat_map(|app| Scaling::ALL.map(|scaling| (app, scaling)));
    let panels: Vec<_> = kinds.filter_map(|(app, scaling)| panel(rows, app, scaling)).collect();
    let title = format!("Iteration time saved, relative to copies through host memory ({BASELINE})");
    let (gpu, element) = rows.heading()?;
    let heading = vec![title, format!("{gpu}, cells of {element}; error bars: the range of the rounds")];
    (!panels.is_empty()).then_some(Plot { heading, size: SIZE, panels })
}

/// Groups of bars, one for each size.
fn panel(rows: &Rows, app: App, scaling: Scaling) -> Option<Panel> {
    let others = || MODES.into_iter().filter(|mode| *mode != BASELINE);
    let of_panel = |case: &&Case| case.app == app && case.scaling == scaling && case.pes > 1;
    let has_bar = |case: &&Case| others().any(|mode| rows.gain(case, mode).is_some());
    let cases: Vec<_> = rows.cases().filter(of_panel).filter(has_bar).collect();
    let most = cases.iter().map(|case| case.pes).max()?;
    let cases: Vec<_> = cases.into_iter().filter(|case| case.pes == most).collect();
    let series = |mode: &str| {
        let point = |(i, case)| {
            let [y, low, high] = rows.gains(case, mode)?.map(|gain| gain * 100.0);
            Some(Point { x: f64::from(i), y, low, high })
        };
        Series { name: mode.into(), points: (0..).zip(cases.iter().copied()).filter_map(point).collect() }
    };
    let cells = if scaling == Scaling::Weak { "cells per PE" } else { "cells in total" };
    let axis = |name: &str, scale| Axis { name: name.into(), scale, label: whole };
    Some(Panel {
        title: format!("{}, {most} PEs, {cells}", app.name()),
        x: axis("", Scale::Names(cases.iter().map(|case| case.size()).collect())),
        y: axis("time saved, %", Scale::Linear),
        series: others().map(series).collect(),
    })
}

fn whole(percent: f64) -> String {
    // Adding zero avoids `-0`.
    format!("{:.0}", percent.round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::line;
    use super::*;

    #[test]
    fn there_is_a_bar_for_each_mode_and_size_of_the_most_pes() {
        let mut rows = Rows::default();
        assert!(plot(&rows).is_none());
        for (pes, cells) in [(1, 1 << 16), (2, 2 << 16), (2, 2 << 20)] {
            for (mode, us) in [("staged", 100.0), ("device", 40.0), ("host", 110.0)] {
                rows.read(App::Stencil2d, Scaling::Weak, &line(mode, pes, cells, us)).unwrap();
            }
            assert_eq!(plot(&rows).is_some(), pes > 1);
        }
        // A second round of the last size differs.
        rows.read(App::Stencil2d, Scaling::Weak, &["staged", "host"].map(|m| line(m, 2, 2 << 20, 100.0)).join("\n"))
            .unwrap();
        rows.read(App::Stencil2d, Scaling::Weak, &line("device", 2, 2 << 20, 60.0)).unwrap();
        let plot = plot(&rows).unwrap();
        let [panel] = &plot.panels[..] else { panic!("{plot:?}") };
        assert_eq!(panel.title, "stencil2d, 2 PEs, cells per PE");
        assert_eq!(panel.x.scale, Scale::Names(vec!["256²".into(), "1024²".into()]));
        let bars = |mode: &str| {
            let points = &panel.series.iter().find(|series| series.name == mode).unwrap().points;
            points.iter().map(|p| [p.x, p.y, p.low, p.high].map(f64::round)).collect::<Vec<_>>()
        };
        assert_eq!(bars("device"), [[0.0, 60.0, 60.0, 60.0], [1.0, 50.0, 40.0, 60.0]]);
        assert_eq!(bars("host"), [[0.0, -10.0, -10.0, -10.0], [1.0, -5.0, -10.0, 0.0]]);
        assert!(bars("triggered").is_empty());
        assert_eq!([-0.2, 59.6].map(whole), ["0", "60"]);
    }
}
