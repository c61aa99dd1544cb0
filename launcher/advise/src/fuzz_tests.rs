//! Damaged timelines, which may come from anybody.

use crate::advice::{self, Advice};
use crate::{report, trace};
use cushmem_fuzz::{Parser, is_one_line, within};
use cushmem_path::{Costs, GpuLink};
use std::path::Path;

/// A loop that is found, with all that a timeline has.
fn sample() -> String {
    let mut text = r#"{"displayTimeUnit":"ns","otherData":{"dropped_events":3},"traceEvents":["#.to_owned();
    let calls = [
        r#""cat":"call","name":"launch","args":{"path":"-","stream":0,"kernel":"k"}"#,
        r#""cat":"call","name":"synchronize","args":{"path":"-","stream":0}"#,
        r#""cat":"call","name":"put","args":{"path":"mapped","bytes":9223372036854775807,"pe":1}"#,
        r#""cat":"call","name":"put","args":{"path":"mapped","bytes":9223372036854775807,"pe":1}"#,
        r#""cat":"wait","name":"wait: word""#,
    ];
    for at in 0..7 * calls.len() {
        text += &format!(r#"{{"ph":"X","pid":0,"tid":1,"ts":{at}.5,"dur":0.25,{}}},"#, calls[at % calls.len()]);
        text += "\n";
    }
    text += r#"{"ph":"i","pid":0,"tid":64,"ts":5.6,"cat":"kernel","name":"k","args":{"us":7.5,"stream":0,"blocks":9,"fit":8}},
{"ph":"X","pid":0,"tid":2,"ts":1,"dur":1e300,"cat":"call","name":"barrier","args":{}},
{"ph":"X","pid":1,"tid":2,"ts":1,"dur":1,"cat":"command","name":"command put","args":{"path":"proxy"}},
{"ph":"i","pid":1,"tid":0,"ts":9,"cat":"incomplete","name":"the end"}]}"#;
    text
}

/// Catches sums that overflow, a loop whose bounds are beyond the calls, and memory that a file does not have.
#[test]
fn timeline() {
    let costs = Costs::shipped(GpuLink::NvLink);
    let tokens = [
        "18446744073709551615",
        "1e300",
        "-1",
        "launch",
        "synchronize",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\\u001b",
        "null",
    ];
    Parser::new("timeline", env!("CARGO_PKG_NAME")).sample("loop", sample()).tokens(&tokens).most_bytes(8192).run(
        |bytes| match within(64 * bytes.len() + (64 << 10), || trace::parse(bytes)) {
            Ok(trace) => {
                let advice = Advice::of(&trace, &costs);
                let text = advice::text(&advice, "");
                assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{text}");
                report::page(Path::new("t.json"), &trace, &advice, &text).expect("a page");
            }
            Err(why) => is_one_line(&why, bytes),
        },
    );
}
