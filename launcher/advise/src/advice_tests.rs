//! Timelines with known answers.

use super::*;
use crate::trace::parse;
use cushmem_path::GpuLink;
use std::fmt::Write;

/// A timeline of two PEs that is written call by call, in microseconds.
struct Written {
    text: String,
    at: [f64; 2],
}

impl Written {
    fn new() -> Self {
        Self { text: r#"{"otherData":{"dropped_events":0},"traceEvents":["#.to_owned(), at: [100.0; 2] }
    }

    /// A call of both PEs, which takes this long. The other PE is the one on which it works.
    fn call(&mut self, name: &str, us: f64, args: &str) -> &mut Self {
        for pe in 0..2 {
            let (at, other) = (self.at[pe], 1 - pe);
            let category = if name.starts_with("wait: ") { "wait" } else { "call" };
            let args = args.replace("PEER", &format!(r#""pe":{other}"#)).replace("SELF", &format!(r#""pe":{pe}"#));
            let _ = write!(
                self.text,
                r#"{{"ph":"X","pid":{pe},"tid":0,"ts":{at:.3},"dur":{us},"cat":"{category}","name":"{name}","args":{{{args}}}}},"#
            );
            self.at[pe] += us;
        }
        self
    }

    /// A launch of a kernel that takes this long, which the timeline may say.
    fn launch(&mut self, stream: u64, kernel: Option<f64>) -> &mut Self {
        self.launch_of(stream, kernel, "")
    }

    /// The same, with more arguments of the kernel.
    fn launch_of(&mut self, stream: u64, kernel: Option<f64>, args: &str) -> &mut Self {
        for pe in 0..2 {
            if let Some(us) = kernel {
                let _ = write!(
                    self.text,
                    r#"{{"ph":"i","pid":{pe},"tid":64,"ts":{:.3},"cat":"kernel","name":"k","args":{{"us":{us},"stream":{stream}{args}}}}},"#,
                    self.at[pe] + 0.2
                );
            }
        }
        self.call("launch", 2.0, &format!(r#""path":"-","stream":{stream},"kernel":"of_{stream}""#))
    }

    fn advice(&self) -> Advice {
        let text = format!("{}{{\"ph\":\"M\",\"pid\":0,\"name\":\"end\"}}]}}", self.text);
        let trace = parse(text.as_bytes()).expect("it is a timeline");
        Advice::of(&trace, &Costs::shipped(GpuLink::NvLink))
    }
}

const PUT: &str = r#""path":"copy-engine","bytes":4096,PEER"#;
const SIGNAL: &str = r#""path":"mapped","bytes":8,PEER"#;

/// A loop like that of a stencil: a kernel for the rim, one for the inside, and an exchange between the first one's end
/// and the next iteration. `read` says whether the CPU reads a result.
fn stencil(rim: f64, inside: f64, read: bool, bytes: impl Fn(u32) -> u32) -> Advice {
    let mut written = Written::new();
    written.call("allocate", 50.0, "").call("barrier", 20.0, "");
    for iteration in 0..40 {
        let timed = iteration % 17 == 5;
        written.launch(0, Some(rim).filter(|_| timed)).launch(1, Some(inside).filter(|_| timed));
        written.call("synchronize", rim + 4.0, r#""path":"-","stream":0"#);
        if read {
            written.call("get", 1.0, r#""path":"copy-engine","bytes":8,SELF"#);
        }
        written.call("put", 3.0, &PUT.replace("4096", &bytes(iteration).to_string()));
        written.call("quiet", 6.0, "").call("put", 0.5, SIGNAL);
        // Some waits are over at once.
        if iteration % 3 > 0 {
            written.call("wait: word", 3.0, "");
        }
    }
    written.call("synchronize", 100.0, r#""path":"-","stream":1"#).call("barrier", 20.0, "");
    written.advice()
}

fn holds(advice: &Advice) -> [Option<bool>; 3] {
    [0, 1, 2].map(|index| advice.conditions[index].holds)
}

#[test]
fn short_kernels_gain() {
    let advice = stencil(2.0, 3.0, false, |_| 4096);
    let (_, of) = advice.slowest.as_ref().expect("it repeats");
    assert_eq!((of.number, of.messages.len(), of.rounds, of.bytes), (38, 1, 1, (4104, 4104)));
    // Launches, the wait for the rim, the put, quiet and signal, and two waits in three iterations.
    assert_eq!(of.time.median, 22_500.0);
    let parts: Vec<f64> = of.parts.iter().map(|ns| (ns / 100.0).round() / 10.0).collect();
    assert!(parts[..5] == [4.0, 6.0, 9.5, 0.0, 0.0] && (parts[5] - 2.0).abs() < 0.2, "{parts:?}");
    let terms = advice.terms.expect("kernels were timed");
    assert_eq!((terms.a, terms.b, terms.c), (2_000.0, 3_000.0, 0.0));
    assert_eq!(holds(&advice), [Some(true); 3], "{}", text(&advice, ""));
    let said = text(&advice, "");
    // Idle but for the inside, which takes longer than the rim.
    assert!(said.contains("the GPU is idle for 87 % of an iteration, 19.5 µs in each of 1 round"), "{said}");
    // Both kernels, the message with its signal, and a meeting.
    let far = 2.0 * 0.693 + 4.104 / 390.0;
    assert!(said.contains(&format!("device {:.1} µs\n", 5.0 + far + 1.25)), "{said}");
    assert!(advice.first.contains("a kernel that runs all iterations"), "{said}");
    assert!(said.contains("\n               A of_0 (2.0 µs); B of_1 (3.0 µs)\n"), "{said}");
}

/// Catches names on the wrong term, times that are those of one launch of several, and a text of any length.
#[test]
fn kernels_are_named_by_their_terms() {
    let launch = |name: Option<&str>, is_waited, kernel| Launch {
        name: name.map(Into::into),
        stream: Some(0),
        call: 1.0,
        kernel,
        fill: 1.0,
        blocks: None,
        is_behind_sends: true,
        is_waited,
    };
    let all = [
        launch(Some("short"), true, Some(1_000.0)),
        launch(Some("long"), true, Some(2_000.0)),
        launch(Some("short"), true, Some(1_500.0)),
        launch(None, false, Some(9_000.0)),
        launch(Some("never"), false, Some(9_500.0)),
        launch(Some("never"), false, None),
    ];
    let expected = "               B others (9.0 µs), never (not timed); C short (2.5 µs), long (2.0 µs)";
    assert_eq!(kernels(&all).as_deref(), Some(expected));
    assert_eq!(kernels(&all[3..4]), None);
    let many: Vec<Launch> = (0..9).map(|n| launch(Some(&n.to_string()), true, None)).collect();
    let expected = "               C 0 (not timed), 1 (not timed), 2 (not timed) and 6 more";
    assert_eq!(kernels(&many).as_deref(), Some(expected));
}

/// Catches copies to and from host memory that streams would not make, and those to other PEs that are left out.
#[test]
fn staging_is_no_operation_of_streams() {
    let operations = |pe: &str| {
        let mut written = Written::new();
        for iteration in 0..40 {
            written.launch(0, (iteration % 17 == 5).then_some(2.0));
            written.call("stream copy", 2.0, &format!(r#""path":"-","bytes":4096,{pe},"stream":0"#));
            written.call("synchronize", 6.0, r#""path":"-","stream":0"#);
            written.call("put", 3.0, PUT).call("quiet", 6.0, "").call("put", 0.5, SIGNAL);
        }
        written.advice().terms.expect("kernels were timed").operations
    };
    assert_eq!((operations("SELF"), operations("PEER")), (2.0, 3.0));
}

/// Catches a kernel that leaves the GPU to others although its blocks fill it, and one that does not and is in the way;
/// and streams that wait for each other in no time.
#[test]
fn what_is_beside_a_full_gpu_takes_longer() {
    let graph = |blocks: &str, waits: &str| {
        let mut written = Written::new();
        for iteration in 0..40 {
            let timed = |us| Some(us).filter(|_| iteration % 17 == 5);
            written.launch_of(0, timed(20.0), r#","blocks":8,"fit":1056"#).launch_of(1, timed(20.0), blocks);
            if !waits.is_empty() {
                written.call("stream wait-for", 1.0, waits);
            }
            written.call("synchronize", 3.0, r#""path":"-","stream":0"#).call("put", 3.0, PUT);
        }
        written.advice().predicted.expect("kernels were timed").graph / 1e3
    };
    let (beside, full) = (graph(r#","blocks":527,"fit":528"#, ""), graph(r#","blocks":4096,"fit":528"#, ""));
    assert!((full - beside - 12.0).abs() < 0.01, "{beside} {full}");
    assert_eq!(graph("", ""), full, "what is not known may fill it");
    assert!((graph("", r#""path":"-","stream":0,"for":1"#) - full - 1.05).abs() < 0.01);
    assert_eq!(graph("", r#""path":"-","stream":1,"for":0"#), full, "the stream of B waits beside the exchange");
}

/// Catches an answer that the timeline has and the advice has not, and one that it has not.
#[test]
fn whether_blocks_fit_is_said_if_all_kernels_say_it() {
    let of = |first: &str, second: &str| {
        let mut written = Written::new();
        for iteration in 0..40 {
            let timed = Some(20.0).filter(|_| iteration % 17 == 5);
            written.launch_of(0, timed, first).launch_of(1, timed, second);
            written.call("synchronize", 3.0, r#""path":"-","stream":0"#).call("put", 3.0, PUT);
        }
        text(&written.advice(), "")
    };
    let (fits, not) = (r#","blocks":264,"fit":264"#, r#","blocks":265,"fit":264"#);
    let asks = "whether all blocks of a kernel fit on the GPU at the same time";
    for (said, is_known, text) in [
        (of(fits, fits), true, "all blocks of each kernel fit on it at the same time"),
        (of(fits, not), true, "of_1 has 265 blocks, of which 264 fit on it at the same time"),
        (of(fits, ""), false, asks),
    ] {
        assert!(said.contains(text) && said.contains(asks) != is_known, "{said}");
    }
}

/// Catches a gain that is promised where kernels take all of the time.
#[test]
fn long_kernels_do_not_gain() {
    let advice = stencil(5.0, 24.5, false, |_| 4096);
    assert_eq!(holds(&advice), [Some(true), Some(false), Some(false)], "{}", text(&advice, ""));
    assert!(advice.first.starts_with("the kernels: "), "{}", advice.first);
}

/// Catches advice for programs whose CPU has to know what kernels have computed.
#[test]
fn what_depends_on_results_is_not_asynchronous() {
    let sizes = |iteration: u32| 64 + 8 * (iteration * 37 % 11);
    for (advice, why) in [
        (stencil(2.0, 3.0, false, sizes), "messages differ from iteration to iteration (72 to 152 bytes)"),
        (stencil(2.0, 3.0, true, |_| 4096), "in each iteration the CPU may read results of kernels (1 call:"),
    ] {
        assert_eq!(holds(&advice)[..2], [Some(false); 2], "{}", text(&advice, ""));
        assert!(advice.conditions[0].why.starts_with(why), "{}", advice.conditions[0].why);
        assert!(advice.first.ends_with("nothing is gained"), "{}", advice.first);
    }
    // Two messages of an iteration may differ.
    assert_eq!(holds(&stencil(2.0, 3.0, false, |iteration| 512 + iteration % 2 * 64)), [Some(true); 3]);
}

/// Catches a program that cannot be judged and is.
#[test]
fn what_is_not_known_is_said() {
    let mut written = Written::new();
    for _ in 0..20 {
        written.launch(0, None).call("synchronize", 9.0, r#""path":"-","stream":0"#).call("put", 3.0, PUT);
    }
    let advice = written.advice();
    assert_eq!(holds(&advice), [Some(true), None, None]);
    assert!(advice.unknown[0].ends_with("1 of 1 kernel was not timed (in Rust, one launch of 17 on each stream is)"));
    let nothing = Written::new().call("barrier", 3.0, "").advice();
    assert!(nothing.slowest.is_none() && nothing.conditions[0].why.starts_with("no kernel was launched"));
    let mut levels = Written::new();
    for level in 0..30u32 {
        levels.launch(0, None).call("synchronize", 9.0, r#""path":"-","stream":0"#);
        for _ in 0..(level.wrapping_mul(0x9e37_79b9) >> 24) % 7 {
            levels.call("put", 3.0, PUT);
        }
    }
    let advice = levels.advice();
    assert_eq!(holds(&advice), [Some(false), Some(false), None], "{}", text(&advice, ""));
    assert!(advice.first.starts_with("stream and kernel modes gain nothing as long as"), "{}", advice.first);
    // In a search, the calls differ, and each level ends with a look at what was found.
    let mut search = Written::new();
    for level in 0..30u32 {
        search.launch(0, None).call("synchronize", 9.0, r#""path":"-","stream":0"#);
        search.call("get", 1.0, r#""path":"copy-engine","bytes":8,SELF"#);
        for _ in 0..(level.wrapping_mul(0x9e37_79b9) >> 24) % 7 {
            search.call("allocate", 3.0, "");
        }
    }
    let advice = search.advice();
    assert_eq!(holds(&advice), [Some(false), Some(false), None], "{}", text(&advice, ""));
    // Iterations may be too long to be found, or have a step now and then, and send the same.
    for (sends, output) in [(600, false), (3, true)] {
        let mut written = Written::new();
        for iteration in 0..40u32 {
            if output && [3, 8, 10, 17, 19, 25, 29, 30, 36].contains(&iteration) {
                written.call("put", 0.5, SIGNAL);
            }
            written.launch(0, None).call("synchronize", 9.0, r#""path":"-","stream":0"#);
            (0..sends).for_each(|_| _ = written.call("put", 3.0, PUT));
        }
        let advice = written.advice();
        assert_eq!(holds(&advice), [None; 3], "{}", text(&advice, ""));
        assert!(
            advice.conditions[0].why.starts_with("no sequence of at most 512 calls repeats"),
            "{}",
            text(&advice, "")
        );
        assert!(advice.first.starts_with("nothing yet: "), "{}", advice.first);
    }
    let mut stream = Written::new();
    for _ in 0..30 {
        stream.launch(0, Some(5.0)).call("stream put-signal", 2.0, r#""path":"-","stream":0"#);
    }
    let advice = stream.advice();
    assert!(advice.first.starts_with("nothing here: "), "it is asynchronous already");
    assert_eq!(holds(&advice), [Some(true), None, None]);
    // It may wait without the library's knowledge.
    assert!(advice.conditions[0].why.contains("through the library"), "{}", advice.conditions[0].why);
    assert!(advice.unknown.iter().any(|what| what.starts_with("whether the CPU waits for the GPU by calls of CUDA")));
}

/// A loop of one kernel, for which the CPU waits, and this after it.
fn simple(kernel: f64, then: impl Fn(&mut Written)) -> Advice {
    let mut written = Written::new();
    for iteration in 0..40 {
        written.launch(0, Some(kernel).filter(|_| iteration % 17 == 5));
        written.call("synchronize", kernel + 4.0, r#""path":"-","stream":0"#);
        then(&mut written);
    }
    written.advice()
}

/// Catches a wait for an event that is taken for none, because the timeline does not name its stream.
#[test]
fn a_wait_for_an_event_is_a_wait() {
    let of = |wait: &str| {
        let mut written = Written::new();
        for iteration in 0..40 {
            written.launch(0, (iteration % 17 == 5).then_some(2.0)).call("synchronize", 6.0, wait);
            written.call("put", 3.0, PUT);
        }
        written.advice()
    };
    let (event, stream) = (of(r#""path":"-""#), of(r#""path":"-","stream":0"#));
    assert_eq!(holds(&event), [Some(true); 3], "{}", text(&event, ""));
    assert_eq!(text(&event, ""), text(&stream, ""));
}

/// Catches a promise that work of the CPU which is not the library's goes away.
#[test]
fn the_work_of_the_cpu_stays() {
    let advice = simple(2.0, |written| {
        written.call("put", 3.0, PUT);
        written.at = written.at.map(|at| at + 5_000.0);
    });
    assert_eq!(holds(&advice), [Some(true), Some(false), Some(true)], "{}", text(&advice, ""));
    assert!(advice.first.starts_with("the CPU's own work: it takes 5.00 ms"), "{}", advice.first);
    assert!(advice.unknown.iter().any(|what| what.starts_with("what the CPU does for 5.00 ms")));
}

/// Catches an exchange by collectives that is taken for none.
#[test]
fn collectives_are_not_promised_to_be_free() {
    let advice = simple(2.0, |written| {
        written.call("alltoall", 500.0, r#""path":"-","bytes":65536"#);
    });
    assert_eq!(holds(&advice), [Some(true), None, Some(true)], "{}", text(&advice, ""));
    assert!(advice.predicted.is_none() && text(&advice, "").contains("predicted      not known"));
    assert!(advice.first.starts_with("enqueue the collectives on the stream"), "{}", advice.first);
    // A barrier is as many rounds as two PEs need.
    let advice = simple(2.0, |written| {
        written.call("barrier", 50.0, "");
    });
    let terms = advice.terms.expect("kernels were timed");
    assert!(terms.far > 0.0 && terms.far < 5_000.0, "{terms:?}");
    assert_eq!(holds(&advice), [Some(true); 3], "{}", text(&advice, ""));
}

/// Catches messages that no mode makes faster, for which kernels are blamed.
#[test]
fn long_messages_are_named() {
    let staged = PUT.replace("copy-engine", "staged").replace("4096", "104857600");
    let advice = simple(2.0, |written| {
        written.call("put", 3_000.0, &staged);
    });
    assert_eq!(holds(&advice)[1], Some(false), "{}", text(&advice, ""));
    assert!(advice.first.starts_with("the messages: they take "), "{}", advice.first);
}

/// Catches a kernel beside the exchange that is taken for one before it, because its stream is waited for too.
#[test]
fn what_is_waited_for_behind_the_sends_is_beside_them() {
    let mut written = Written::new();
    for iteration in 0..40 {
        let timed = |us| Some(us).filter(|_| iteration % 17 == 5);
        written.launch(0, timed(2.0)).launch(1, timed(7.0));
        written.call("synchronize", 3.0, r#""path":"-","stream":0"#).call("put", 3.0, PUT);
        written.launch(0, timed(4.0)).call("synchronize", 3.0, r#""path":"-","stream":1"#);
    }
    let terms = written.advice().terms.expect("kernels were timed");
    // The iteration may as well begin with C.
    assert_eq!((terms.a + terms.c, terms.b), (6_000.0, 7_000.0));
}

/// Catches an atomic operation on own memory that is taken for a message.
#[test]
fn own_words_may_be_results() {
    let advice = simple(2.0, |written| {
        written.call("put", 3.0, PUT).call("atomic", 1.0, r#""path":"mapped","bytes":8,SELF"#);
    });
    assert_eq!(holds(&advice)[0], Some(false), "{}", text(&advice, ""));
}

/// Catches figures that are none, and what controls a terminal.
#[test]
fn damaged_timelines_are_printed_all_the_same() {
    assert_eq!(part_of(5.0, &Iterations::default()), 0.0);
    let escaping = PUT.replace("copy-engine", "\\u001b[2J");
    let said = text(&simple(2.0, |written| _ = written.call("put", 3.0, &escaping)), "");
    assert!(said.contains("[2J") && !said.contains('\u{1b}'), "{said}");
}

/// Catches a short job whose few launches are taken for a program in which the CPU decides.
#[test]
fn a_short_job_says_nothing_of_its_program() {
    let mut written = Written::new();
    for puts in [1, 3, 0, 5] {
        written.launch(0, None).call("synchronize", 3.0, r#""path":"-","stream":0"#);
        (0..puts).for_each(|_| _ = written.call("put", 3.0, PUT));
    }
    let short = written.advice();
    assert_eq!(holds(&short), [None; 3], "{}", text(&short, ""));
    assert!(short.first.ends_with("at least a hundred iterations"), "{}", short.first);
}

/// Catches PEs that are blamed for events that a signal kept out of the file.
#[test]
fn what_was_not_written_is_nobodys_fault() {
    let end = r#"{"ph":"M","pid":2,"name":"end"},{"ph":"i","pid":0,"tid":0,"ts":9,"cat":"incomplete","name":"…"},"#;
    let of = |written: &mut Written| {
        let whole = written.advice();
        written.text += end;
        [whole, written.advice()].map(|advice| text(&advice, ""))
    };
    let mut loop_ = Written::new();
    for _ in 0..40 {
        loop_.launch(0, None).call("synchronize", 9.0, r#""path":"-","stream":0"#).call("put", 3.0, PUT);
    }
    let [whole, stopped] = of(&mut loop_);
    assert!(!whole.contains("a signal"), "{whole}");
    assert!(stopped.contains("what 1 other PE does: a signal stopped the writing of the timeline"), "{stopped}");
    assert!(!stopped.contains("no loop with launches was found there"), "{stopped}");
    let [whole, stopped] = of(Written::new().call("barrier", 3.0, ""));
    assert!(whole.contains("no kernel was launched through the library"), "{whole}");
    assert!(stopped.contains("asynchrony     is not known: a signal stopped the writing of the timeline"), "{stopped}");
}

/// Catches predictions for a GPU that is none, and figures of one GPU that are silently taken for those of another.
#[test]
fn which_gpu_is_predicted_for_is_said() {
    let mut written = Written::new();
    for iteration in 0..40 {
        written.launch(0, (iteration % 17 == 5).then_some(2.0));
        written.call("synchronize", 6.0, r#""path":"-","stream":0"#).call("put", 3.0, PUT);
    }
    let said = text(&written.advice(), "");
    assert!(said.contains("whether this GPU is like H200 GPUs that NVLink connects"), "{said}");
    assert!(said.contains("(1.05 µs)") && said.contains("(1.25 µs)") && said.contains("(2.5 times)"), "{said}");
    assert!(!said.contains("emulated"), "{said}");
    written.text = written.text.replacen(r#""dropped_events":0"#, r#""dropped_events":0,"emulated_gpus":2"#, 1);
    let said = text(&written.advice(), "");
    assert!(
        said.starts_with("emulated       2 GPUs are: times and predictions say nothing about real ones\n"),
        "{said}"
    );
}

/// Catches the time of calls that is taken for that of an iteration.
#[test]
fn what_is_only_enqueued_is_said() {
    let mut written = Written::new();
    for iteration in 0..40 {
        written.launch(0, Some(50.0).filter(|_| iteration % 17 == 5)).call("put", 3.0, PUT);
    }
    let advice = written.call("synchronize", 900.0, r#""path":"-","stream":0"#).advice();
    let said = text(&advice, "");
    assert!(said.contains("\n               the CPU only enqueues it, so "), "{said}");
    let measured = crate::measured::parse("recorded=50").expect("it is one");
    assert!(crate::measured::table(&[measured], &advice).contains("not known"));
    assert!(!text(&simple(2.0, |written| _ = written.call("put", 3.0, PUT)), "").contains("only enqueues"));
}
