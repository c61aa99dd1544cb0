//! The table, as Markdown, and in a few lines what it says.

use super::rows::{Case, Rows, Scaling};
use super::{BASELINE, MODES};
use std::fmt::Write as _;

/// The table: a row for each case and mode.
pub fn markdown(rows: &Rows, notes: &[String]) -> String {
    let mut text = String::from("<!-- Written by `cargo xtask compare`; do not edit. -->\n");
    if let Some((gpu, element)) = rows.heading() {
        let copy = rows.copy_gb_s().map_or("unknown".into(), |gb_s| format!("{gb_s:.0} GB/s"));
        let _ = writeln!(
            text,
            "{gpu}, cells of {element}; a copy in GPU memory reads and writes {copy} together. Times are medians of interleaved rounds, as many for each mode of a case; lbm on 1 PE has one. *Gain*: the time that a mode saves, of that of \
             `{BASELINE}`. *Exchange*: what an iteration takes longer than one without. *Bandwidth*: the bytes that an iteration moves at least, of what a copy moves in that time. *1 PE*: \
             the time of one PE with as many cells a PE (weak), or in all (strong), over this one; ideal are 1 and the number of PEs.\n"
        );
    }
    text += "| program | scaling | PEs | cells | mode | iteration | exchange | gain | MLUPS | bandwidth | 1 PE |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|---|\n";
    for case in rows.cases() {
        for mode in MODES {
            let Some(m) = rows.get(case, mode) else { continue };
            let share = |value: Option<f64>| value.map_or(String::new(), percent);
            let gain = if mode == BASELINE { None } else { rows.gain(case, mode) };
            let scaled = speed_up(rows, case, mode).map_or(String::new(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {mode}{} | {:.1} µs | {} | {} | {:.0} | {} | {scaled} |",
                case.app.name(),
                case.scaling.name(),
                case.pes,
                case.size(),
                if m.is_verified { "" } else { " *" },
                m.iteration_us,
                share(m.exchange_share),
                share(gain),
                m.mlups,
                share(m.bandwidth_share),
            );
        }
    }
    text += "\n`*`: not compared with the reference in this run.\n";
    for line in verdict(rows).iter().chain(notes) {
        let _ = writeln!(text, "\n{line}");
    }
    text
}

/// What the table says of each program: the largest gain, and the largest loss.
pub fn verdict(rows: &Rows) -> Vec<String> {
    let mut lines = vec![];
    let all = || rows.cases().filter(|case| case.pes > 1);
    for app in super::rows::App::ALL {
        let gains = all().filter(|case| case.app == app).flat_map(|case| {
            MODES
                .into_iter()
                .filter(|mode| *mode != BASELINE)
                .filter_map(move |mode| Some((rows.gain(case, mode)?, mode, case)))
        });
        let gains: Vec<_> = gains.collect();
        let named = |(gain, mode, case): &(f64, &str, &Case)| {
            format!("{} ({mode}, {} scaling, {} PEs, {})", percent(*gain), case.scaling.name(), case.pes, case.size())
        };
        let by_gain = |a: &&(f64, &str, &Case), b: &&(f64, &str, &Case)| a.0.total_cmp(&b.0);
        if let Some((most, least)) = gains.iter().max_by(by_gain).zip(gains.iter().min_by(by_gain)) {
            lines.push(format!("{}: largest gain {}, smallest {}", app.name(), named(most), named(least)));
        }
    }
    lines
}

/// How many times as quick it is as one PE with as many cells: as each has, or as all have.
fn speed_up(rows: &Rows, case: &Case, mode: &str) -> Option<f64> {
    let cells = if case.scaling == Scaling::Weak { case.cells / u64::from(case.pes) } else { case.cells };
    let alone = Scaling::ALL.into_iter().find_map(|scaling| {
        let one = Case { scaling, pes: 1, cells, ..*case };
        rows.get(&one, mode)
    });
    Some(alone?.iteration_us / rows.get(case, mode)?.iteration_us).filter(|_| case.pes > 1)
}

fn percent(share: f64) -> String {
    // No `-0`.
    format!("{:.0} %", (share * 100.0).round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::rows::App;
    use super::super::rows::tests::line;
    use super::*;

    #[test]
    fn a_row_has_gain_share_and_speed_up() {
        let mut rows = Rows::default();
        for (pes, us) in [(1, 50.0), (2, 100.0)] {
            let cells = 1024 * 1024 * u64::from(pes);
            rows.read(App::Stencil2d, Scaling::Weak, &line("staged", pes, cells, us)).unwrap();
            rows.read(App::Stencil2d, Scaling::Weak, &line("device", pes, cells, us * 0.8)).unwrap();
        }
        rows.read(App::Stencil2d, Scaling::Weak, &line("host", 2, 2 << 20, 104.0)).unwrap();
        let text = markdown(&rows, &["failed: a job".into()]);
        assert!(
            text.contains("| stencil2d | weak | 2 | 1024² | device | 80.0 µs | 25 % | 20 % | 26214 | 3 % | 0.50 |"),
            "{text}"
        );
        assert!(text.contains("| 1024² | staged | 100.0 µs | 25 % |  |"), "{text}");
        assert!(text.contains("largest gain 20 % (device, weak scaling, 2 PEs, 1024²), smallest -4 % (host"), "{text}");
        assert!(
            text.ends_with("\nfailed: a job\n")
                && text.contains("a GPU, cells of f32; a copy in GPU memory reads and writes 4000 GB/s"),
            "{text}"
        );
    }
}
