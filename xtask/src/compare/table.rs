//! The table in Markdown, and a summary of it in a few lines.

use super::rows::{Case, Rows, Scaling};
use super::{BASELINE, MODES};
use std::fmt::Write as _;

/// The table: a row for each case and mode.
pub fn markdown(rows: &Rows, commit: &str, notes: &[String]) -> String {
    let mut text = String::from("<!-- Written by `cargo xtask compare`; do not edit. -->\n");
    if let Some((gpu, element)) = rows.heading() {
        let copy = rows.copy_gb_s().map_or("unknown".into(), |gb_s| format!("{gb_s:.0} GB/s"));
        let _ = writeln!(
            text,
            "{gpu}, cells of {element}, commit {commit}; a copy within GPU memory moves {copy}, counting reads and \
             writes. Times are medians of interleaved *rounds*, the same number for each mode of a case. *±*: half of \
             what the times of the rounds are apart, relative to their median; a difference that is not larger means \
             nothing. *Gain*: the time that a mode saves, relative to `{BASELINE}`. *Exchange*: \
             the share of an iteration's time that it takes longer than one without exchange. *Bandwidth*: the least \
             number of bytes that an iteration has to move, relative to what a copy moves in that time. *1 PE*: the \
             time of one PE with as many cells per PE (weak) or in total (strong), divided by the time of this row; \
             the ideal values are 1 and the number of PEs.\n"
        );
    }
    text += "| program | scaling | PEs | cells | mode | iteration | ± | rounds | exchange | gain | MLUPS | bandwidth | 1 PE |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for case in rows.cases() {
        for mode in MODES {
            let Some(m) = rows.get(case, mode) else { continue };
            let share = |value: Option<f64>| value.map_or(String::new(), percent);
            let gain = if mode == BASELINE { None } else { rows.gain(case, mode) };
            let scaled = speed_up(rows, case, mode).map_or(String::new(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {mode}{} | {} µs | {} | {} | {} | {} | {:.0} | {} | {scaled} |",
                case.app.name(),
                case.scaling.name(),
                case.pes,
                case.size(),
                match m.verified {
                    Some(true) => "",
                    Some(false) => " WRONG",
                    None if m.is_hashed => " *",
                    None => " †",
                },
                digits(m.iteration_us),
                // There is no spread with a single round.
                share(m.spread.filter(|_| m.rounds > 1)),
                m.rounds,
                share(m.exchange_share),
                share(gain),
                m.mlups,
                share(m.bandwidth_share),
            );
        }
    }
    text += "\n`*`: not compared with the reference in this run, but the hash of the result is that of `staged`. `†`: not \
             compared. `WRONG`: differs from the reference, or from `staged`.\n";
    for line in verdict(rows).iter().chain(notes) {
        let _ = writeln!(text, "\n{line}");
    }
    text
}

/// A summary for each program: its largest and its smallest gain.
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

/// How many times as fast an iteration is as on one PE with the same number of cells per PE (weak scaling) or in total
/// (strong scaling).
fn speed_up(rows: &Rows, case: &Case, mode: &str) -> Option<f64> {
    let cells = if case.scaling == Scaling::Weak { case.cells / u64::from(case.pes) } else { case.cells };
    let alone = Scaling::ALL.into_iter().find_map(|scaling| {
        let one = Case { scaling, pes: 1, cells, ..*case };
        rows.iteration_us(&one, mode)
    });
    Some(alone? / rows.iteration_us(case, mode)?).filter(|_| case.pes > 1)
}

/// A time with at least four digits, so that percentages of it can be checked.
fn digits(us: f64) -> String {
    let decimals = [(100.0, 1), (10.0, 2)].into_iter().find(|(least, _)| us >= *least).map_or(3, |(_, count)| count);
    format!("{us:.decimals$}")
}

/// A percentage, with one decimal below 10 %.
fn percent(share: f64) -> String {
    let (tenths, whole) = ((share * 1000.0).round() / 10.0, (share * 100.0).round());
    // Adding zero avoids `-0`.
    if tenths.abs() < 10.0 { format!("{:.1} %", tenths + 0.0) } else { format!("{whole:.0} %") }
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
        let text = markdown(&rows, "c0ffee", &["failed: a job".into()]);
        assert!(
            text.contains(
                "| stencil2d | weak | 2 | 1024² | device | 80.00 µs |  | 1 | 25 % | 20 % | 26214 | 2.6 % | 0.50 |"
            ),
            "{text}"
        );
        assert!(text.contains("| 1024² | staged | 100.0 µs |  | 1 | 25 % |  |"), "{text}");
        assert!(
            text.contains("largest gain 20 % (device, weak scaling, 2 PEs, 1024²), smallest -4.0 % (host"),
            "{text}"
        );
        assert!(
            text.ends_with("\nfailed: a job\n")
                && text.contains("a GPU, cells of f32, commit c0ffee; a copy within GPU memory moves 4000 GB/s"),
            "{text}"
        );
    }

    #[test]
    fn a_wrong_result_is_called_so() {
        let mut rows = Rows::default();
        let right = line("staged", 2, 2 << 20, 100.0);
        let wrong = line("fused", 2, 2 << 20, 10.0).replace("true", "false");
        rows.read(App::Stencil2d, Scaling::Weak, &[right, wrong].join("\n")).unwrap();
        let text = markdown(&rows, "c0ffee", &[]);
        assert!(text.contains("| fused WRONG | 10.00 µs |  | 1 | 25 % |  |"), "{text}");
        assert!(verdict(&rows).is_empty());
    }

    #[test]
    fn percentages_follow_from_the_digits_of_times() {
        let gain = |staged: f64, us: f64| format!("{} {} {}", digits(staged), digits(us), percent(1.0 - us / staged));
        assert_eq!(gain(1483.4, 1505.6), "1483.4 1505.6 -1.5 %");
        assert_eq!(gain(4.7281, 4.7785), "4.728 4.779 -1.1 %");
        assert_eq!(gain(50.0, 45.018), "50.00 45.02 10 %");
        assert_eq!([0.0996, 0.0994, -0.0001, 0.45].map(percent), ["10 %", "9.9 %", "0.0 %", "45 %"]);
    }
}
