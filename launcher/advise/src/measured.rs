//! Predictions beside what was measured.

use crate::advice::{Advice, time};
use std::fmt::Write;

/// What can be measured, and what it is compared with.
const MODES: [&str; 5] = ["recorded", "stream", "graph", "device", "fused"];

/// How long an iteration took in a mode, without recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    mode: &'static str,
    ns: f64,
}

/// Reads `MODE=US`. The error says what is wrong.
pub fn parse(text: &str) -> Result<Measured, String> {
    let (mode, us) = text.split_once('=').ok_or("it is not MODE=US, such as device=4.8")?;
    let mode = MODES.into_iter().find(|known| *known == mode);
    let mode = mode.ok_or_else(|| format!("the modes are {}", MODES.join(", ")))?;
    let us: Option<f64> = us.parse().ok().filter(|us: &f64| (1e-3..=1e12).contains(us));
    let us = us.ok_or("an iteration takes 0.001 to 1e12 microseconds")?;
    Ok(Measured { mode, ns: us * 1e3 })
}

impl Measured {
    /// What the timeline has or predicts instead, if it is known.
    fn expected(&self, advice: &Advice) -> Option<f64> {
        if self.mode == "recorded" {
            // What the CPU only enqueues takes longer.
            let slowest = advice.slowest.as_ref().filter(|(_, of)| !of.is_enqueued());
            return slowest.map(|(_, of)| of.time.median);
        }
        advice.predicted.map(|predicted| match self.mode {
            "stream" => predicted.stream,
            "graph" => predicted.graph,
            _ => predicted.kernel,
        })
    }
}

/// A table: the mode that was recorded, and the predicted ones.
pub fn table(measured: &[Measured], advice: &Advice) -> String {
    let mut text = String::new();
    if !measured.is_empty() {
        let _ = writeln!(text, "{:14} {:>14} {:>14} {:>10}", "an iteration", "in the model", "measured", "error");
    }
    for one in measured {
        let expected = one.expected(advice);
        let error = expected.map_or("-".into(), |ns| format!("{:+.0} %", (ns / one.ns - 1.0) * 100.0));
        let expected = expected.map_or_else(|| "not known".into(), time);
        let _ = writeln!(text, "{:14} {expected:>14} {:>14} {error:>10}", one.mode, time(one.ns));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Predicted;

    #[test]
    fn modes_and_microseconds_are_read() {
        assert_eq!(parse("graph=4.5"), Ok(Measured { mode: "graph", ns: 4_500.0 }));
        for (text, why) in [
            ("device", "it is not MODE=US, such as device=4.8"),
            ("host=4", "the modes are recorded, stream, graph, device, fused"),
            ("device=-4", "an iteration takes 0.001 to 1e12 microseconds"),
            ("device=NaN", "an iteration takes 0.001 to 1e12 microseconds"),
            ("device=4 us", "an iteration takes 0.001 to 1e12 microseconds"),
        ] {
            assert_eq!(parse(text), Err(why.to_owned()), "{text}");
        }
    }

    /// Catches a mode that is compared with the prediction of another one, and an error of the wrong sign.
    #[test]
    fn each_mode_is_compared_with_its_prediction() {
        let predicted = Predicted { stream: 8_000.0, enqueue: 1.0, graph: 6_000.0, kernel: 5_000.0 };
        let unknown = Advice {
            slowest: None,
            between: (0.0, 0.0),
            terms: None,
            predicted: None,
            conditions: [(); 3].map(|()| crate::advice::Verdict { holds: None, why: String::new() }),
            first: String::new(),
            unknown: vec![],
            emulated: 0,
        };
        let measured = ["stream=10", "graph=5", "device=5", "fused=4", "recorded=9"].map(parse).map(Result::unwrap);
        let rows = |advice: &Advice| -> Vec<Vec<String>> {
            let table = table(&measured, advice);
            table.lines().skip(1).map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
        };
        assert!(rows(&unknown).iter().all(|row| row[1..3] == ["not", "known"] && row.last().unwrap() == "-"));
        let found: Vec<String> =
            rows(&Advice { predicted: Some(predicted), ..unknown }).iter().map(|row| row.join(" ")).collect();
        assert_eq!(
            found,
            [
                "stream 8.0 µs 10.0 µs -20 %",
                "graph 6.0 µs 5.0 µs +20 %",
                "device 5.0 µs 5.0 µs +0 %",
                "fused 5.0 µs 4.0 µs +25 %",
                "recorded not known 9.0 µs -"
            ]
        );
    }
}
