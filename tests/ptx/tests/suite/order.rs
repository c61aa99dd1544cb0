//! Order, scope and sequence of the instructions on which protocols rest, in the kernels of the benchmark and of the
//! conformance tests. On an x86 host, the same source works even if an order is missing, so only the emitted PTX, or a
//! GPU, can reveal a mistake.

use cushmem_abi::DeviceContext;
use cushmem_ptx_tests::{far_ptx_of, modules, ptx_of};
use std::mem::offset_of;
use xtask::ptx::text::{body_of, statements};

/// The benchmark's kernel crate.
const BENCHMARK: &str = "shmem-bench-kernels";
/// The conformance tests' kernel crate.
const CONFORMANCE: &str = "cushmem-conformance-kernels";

/// Returns the opcodes of a kernel that matter for order, in textual sequence.
fn ordered_opcodes(ptx: &str, kernel: &str) -> Vec<String> {
    let statements = statements(ptx);
    let opcodes: Vec<String> = body_of(&statements, kernel)
        .iter()
        .map(|s| s.opcode().trim_end_matches(';').to_owned())
        .filter(|o| {
            let parts: Vec<&str> = o.split('.').collect();
            matches!(parts[0], "fence" | "bar" | "barrier" | "red" | "atom" | "membar")
                || (matches!(parts[0], "ld" | "st") && parts.contains(&"sys"))
        })
        .collect();
    assert!(!opcodes.is_empty(), "kernel {kernel} has none of the instructions that this test is about");
    opcodes
}

fn count(opcodes: &[String], opcode: &str) -> usize {
    opcodes.iter().filter(|o| *o == opcode).count()
}

/// Returns the lines of a kernel, labels included.
fn lines_of(ptx: &str, kernel: &str) -> Vec<String> {
    let lines = ptx.lines().map(str::trim).skip_while(|l| !l.starts_with(&format!(".visible .entry {kernel}(")));
    lines.take_while(|l| *l != "}").map(str::to_owned).collect()
}

/// Whether each path to line `end` passes a `bar.sync` after its last store.
fn barrier_on_every_path(lines: &[String], end: usize) -> bool {
    let (mut open, mut seen) = (vec![end], vec![]);
    while let Some(at) = open.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        if at == 0 {
            return false;
        }
        let falls_through =
            |line: &str| !(line.starts_with("bra") || line.starts_with("ret") || line.starts_with("trap"));
        let mut before: Vec<usize> = if falls_through(&lines[at - 1]) { vec![at - 1] } else { vec![] };
        if let Some(label) = lines[at].strip_suffix(':') {
            let jumps =
                (0..lines.len()).filter(|&i| lines[i].contains("bra") && lines[i].ends_with(&format!("{label};")));
            before.extend(jumps);
        }
        for line in before {
            match lines[line].as_str() {
                l if l.starts_with("bar.sync") => {}
                l if l.starts_with("st.") => return false,
                _ => open.push(line),
            }
        }
    }
    true
}

/// A signal that is not a release could overtake the block's data. A signal without the block's barrier could overtake
/// the data of other lanes.
#[test]
fn put_signal_releases_after_the_blocks_barrier() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    for kernel in ["put_signal_pingpong", "put_signal_pingpong_wide"] {
        let lines = lines_of(ptx, kernel);
        let signals: Vec<_> = (0..lines.len()).filter(|&i| lines[i].starts_with("st.release.sys.global.u64")).collect();
        assert!(!signals.is_empty(), "{kernel}: no signal is a release at system scope");
        for signal in signals {
            assert!(
                barrier_on_every_path(&lines, signal),
                "{kernel}: line {signal} can follow a store without a barrier"
            );
        }
        let data = lines.iter().position(|l| l.starts_with("st.") && l.contains("v2.u64")).expect("the data's stores");
        assert!(!barrier_on_every_path(&lines, data + 1), "the search for barriers finds some everywhere");
    }
}

/// A wait that does not acquire lets later reads see old data.
#[test]
fn waits_acquire_at_system_scope() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    for kernel in ["p_pingpong", "signal_pingpong", "put_signal_pingpong"] {
        let opcodes = ordered_opcodes(ptx, kernel);
        assert!(count(&opcodes, "ld.acquire.sys.global.u64") > 0, "{kernel}: {opcodes:?}");
        assert_eq!(count(&opcodes, "ld.relaxed.sys.global.u64"), 0, "{kernel} waits without acquiring: {opcodes:?}");
    }
}

/// If relaxed puts and signals became releases, each would cost a fence.
#[test]
fn single_puts_and_signals_are_relaxed() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    for kernel in ["p_pingpong", "signal_pingpong"] {
        let opcodes = ordered_opcodes(ptx, kernel);
        assert!(count(&opcodes, "st.relaxed.sys.global.u64") > 0, "{kernel}: {opcodes:?}");
        assert!(!opcodes.iter().any(|o| o.starts_with("fence") || o.contains("release")), "{kernel}: {opcodes:?}");
    }
}

/// The barrier's fence belongs before its signals, one fence is enough, and the quiet of `barrier_all` needs the strong
/// one.
#[test]
fn barriers_fence_once_before_their_signals() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    for (kernel, fence) in
        [("barrier_thread", "fence.sc.sys"), ("sync_thread", "fence.acq_rel.sys"), ("sync_block", "fence.acq_rel.sys")]
    {
        let opcodes = ordered_opcodes(ptx, kernel);
        let signal = opcodes.iter().position(|o| o == "red.relaxed.sys.global.add.u64");
        let signal = signal.unwrap_or_else(|| panic!("{kernel}: no signal at system scope: {opcodes:?}"));
        let first_fence = opcodes.iter().position(|o| o == fence);
        assert!(first_fence.is_some_and(|f| f < signal), "{kernel}: no {fence} before the signals: {opcodes:?}");
        assert!(count(&opcodes, "ld.acquire.sys.global.u64") > 0, "{kernel}: the wait does not acquire: {opcodes:?}");
        let others: Vec<_> = opcodes.iter().filter(|o| o.starts_with("fence") && *o != fence).collect();
        assert!(others.is_empty(), "{kernel}: other fences than {fence}: {others:?}");
    }
}

/// The code that reports a kernel's waits is in a function of its own, so that it takes no register on the fast path.
/// Waits with a limit of their own have no such code.
#[test]
fn waits_are_reported_beside_the_fast_path() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    let reports = |kernel| lines_of(ptx, kernel).iter().filter(|l| l.contains("wait_long")).count();
    for kernel in ["p_pingpong", "signal_pingpong", "put_signal_pingpong"] {
        assert_eq!(reports(kernel), 0, "{kernel}");
    }
    for kernel in ["barrier_thread", "sync_thread", "sync_block"] {
        assert!(reports(kernel) > 0, "{kernel} does not say what it waits for");
        let exchanges = ordered_opcodes(ptx, kernel).iter().filter(|o| o.starts_with("atom")).count();
        assert_eq!(exchanges, 0, "{kernel} has the report in it");
    }
}

/// A quiet that is weaker than sequentially consistent lets a later get overtake an earlier put.
#[test]
fn quiet_is_a_full_fence() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    for kernel in ["put_quiet_thread", "put_quiet_warp", "put_quiet_block", "put_bw"] {
        let opcodes = ordered_opcodes(ptx, kernel);
        assert_eq!(count(&opcodes, "fence.sc.sys"), 1, "{kernel}: {opcodes:?}");
    }
}

/// Catches an atomic operation whose width, order or scope differs from its name.
#[test]
fn atomic_operations_are_relaxed_at_system_scope() {
    let Some(ptx) = ptx_of(CONFORMANCE) else { return };
    for (kernel, bits) in [("amo_u32", 32), ("amo_i32", 32), ("amo_u64", 64), ("amo_i64", 64)] {
        let opcodes = ordered_opcodes(ptx, kernel);
        let sum = format!("add.u{bits}");
        for operation in [sum.as_str(), "and", "or", "xor", "exch", "cas"] {
            let typed = if operation == sum { sum.clone() } else { format!("{operation}.b{bits}") };
            let [atom, red] =
                ["atom", "red"].map(|kind| count(&opcodes, &format!("{kind}.relaxed.sys.global.{typed}")));
            assert!(atom > 0, "{kernel}: no atom of {typed}: {opcodes:?}");
            let needs_result = ["exch", "cas"].contains(&operation);
            assert!(needs_result || red > 0, "{kernel}: no red of {typed}: {opcodes:?}");
        }
        let others = opcodes.iter().filter(|o| o.starts_with("atom") || o.starts_with("red"));
        assert!(others.clone().all(|o| o.contains(".relaxed.sys.") || o.contains(".gpu.")), "{kernel}: {opcodes:?}");
    }
}

/// If a bump is not a release, it loses what other lanes wrote, unless the threshold is 1. If a look is not an acquire,
/// it misses what the CPU wrote. If the second look does not follow the strong fence, it may miss that the trigger was
/// cancelled.
#[test]
fn bumps_release_and_look_again_behind_a_full_fence() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    let functions = ptx.split(".func ").filter(|f| f.lines().next().is_some_and(|l| l.contains("bump_and_run")));
    let (mut acq_rel, mut relaxed, mut again) = (0, 0, 0);
    for function in functions {
        let function = function.split("\n}\n").next().expect("there is text");
        let opcodes: Vec<_> = function.lines().filter_map(|l| l.split_whitespace().next()).collect();
        let ordered = |o: &&str| o.contains(".sys") || o.contains(".gpu");
        let opcodes: Vec<_> = opcodes.into_iter().filter(ordered).map(|o| o.trim_end_matches(';')).collect();
        let follows = |i: usize, wanted: &[&str]| {
            assert!(opcodes[i + 1..].starts_with(wanted), "behind {}: {:?}", opcodes[i], &opcodes[i + 1..]);
        };
        for (i, opcode) in opcodes.iter().enumerate() {
            match *opcode {
                "atom.acq_rel.gpu.global.add.u64" => acq_rel += 1,
                "atom.relaxed.gpu.global.add.u64" => {
                    follows(i, &["ld.acquire.sys.global.u64"]);
                    relaxed += 1;
                }
                // The CPU carries the operation out.
                "atom.relaxed.sys.global.add.u64" => follows(i, &["ld.relaxed.sys.global.u64", "fence.acq_rel.sys"]),
                "fence.sc.sys" => {
                    follows(i, &["ld.acquire.sys.global.u64"]);
                    again += 1;
                }
                _ => {}
            }
        }
    }
    assert!(
        acq_rel > 0 && relaxed > 0 && again > 0,
        "{acq_rel} bumps, {relaxed} of a threshold of 1, {again} second looks"
    );
}

/// The lines of each function and kernel.
fn functions(ptx: &str) -> Vec<Vec<&str>> {
    ptx.split("\n}\n").map(|part| part.lines().map(str::trim).collect()).collect()
}

/// Whether the value of a register is computed from a word of the context that contains a limit.
fn is_from_a_limit(lines: &[&str], register: &str) -> bool {
    let limits = [offset_of!(DeviceContext, direct_pes), offset_of!(DeviceContext, atomic_pes)];
    let limits = limits.map(|at| format!("[cushmem_context+{at}]"));
    let (mut open, mut seen) = (vec![register], vec![]);
    while let Some(register) = open.pop() {
        if seen.contains(&register) {
            continue;
        }
        seen.push(register);
        for line in lines {
            let Some((written, read)) = line.split_once(',') else { continue };
            if written.split_whitespace().next_back() != Some(register) {
                continue;
            }
            if limits.iter().any(|limit| read.contains(limit)) {
                return true;
            }
            open.extend(read.split([' ', ',', ';']).filter(|part| part.starts_with('%')));
        }
    }
    false
}

/// Whether the block of code that contains this line is entered only by branches that depend on a limit.
fn is_beyond_a_limit(lines: &[&str], at: usize) -> bool {
    let is_start = |line: &str| line.starts_with("$L") || line.split_whitespace().any(|part| part == "bra");
    let Some(start) = lines[..at].iter().rposition(|line| is_start(line)) else { return false };
    let entries: Vec<&str> = match lines[start].strip_suffix(':') {
        None => vec![lines[start]],
        Some(label) => {
            let jumps = lines.iter().filter(|line| line.ends_with(&format!("{label};")));
            let before = lines[..start].iter().next_back();
            let falls_through = |line: &&&str| !["bra", "ret", "exit", "trap"].iter().any(|end| line.starts_with(end));
            jumps.chain(before.filter(falls_through)).copied().collect()
        }
    };
    let condition = |line: &str| Some(line.strip_prefix('@')?.trim_start_matches('!').split_once(' ')?.0.to_owned());
    entries.iter().all(|line| condition(line).is_some_and(|register| is_from_a_limit(lines, &register)))
}

/// Looking at the tables where the constants suffice costs a memory access in each operation.
#[test]
fn tables_are_read_beyond_the_limit_only() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    let (mut at_once, mut behind_a_branch) = (0, 0);
    for lines in functions(ptx) {
        for at in (0..lines.len()).filter(|&at| lines[at].contains("ld.global.v2.u32")) {
            if lines[at].contains("@far ld.global.v2.u32") {
                at_once += 1;
            } else {
                assert!(is_beyond_a_limit(&lines, at), "{}: {}", lines[0], lines[at]);
                behind_a_branch += 1;
            }
        }
    }
    assert!(at_once > 0 && behind_a_branch > 0, "{at_once} without a branch, {behind_a_branch} behind one");
}

/// Where a loop stores to one word of a PE, everything about that PE is found before it.
#[test]
fn a_peer_is_looked_up_before_the_loop() {
    let Some(ptx) = ptx_of(BENCHMARK) else { return };
    for kernel in ["p_pingpong", "signal_pingpong"] {
        let lines = lines_of(ptx, kernel);
        let first = lines.iter().position(|l| l.starts_with("$L")).expect("it has a loop");
        let words = |lines: &[String]| lines.iter().filter(|l| l.contains("ld.const.b32")).count();
        assert!(words(&lines[..first]) >= 8, "{kernel}: {:?}", &lines[..first]);
        assert_eq!(words(&lines[first..]), 0, "{kernel}: {:?}", &lines[first..]);
        assert!(!lines.iter().any(|l| l.contains("@far")), "{kernel} looks its peer up at once");
    }
}

/// Catches kernels for jobs in which all PEs are mapped that test whether one is, or that ask the CPU for more than
/// atomic operations on host memory.
#[test]
fn only_kernels_of_far_jobs_ask_for_loads_and_stores() {
    for (name, kernels) in [
        (BENCHMARK, ["p_pingpong", "barrier_thread", "put_bw"]),
        (CONFORMANCE, ["p_words", "barrier_once", "put_block"]),
    ] {
        let (Some(near), Some(far)) = (ptx_of(name), far_ptx_of(name)) else { return };
        for part in ["cushmem_device3far", "4sync11ask_to_meet"] {
            assert!(!near.contains(part), "{name}: a trace of what far jobs need");
        }
        assert!(far.contains("cushmem_device3far"), "{name}: kernels of far jobs do not ask");
        for kernel in kernels {
            let asks = |ptx| {
                lines_of(ptx, kernel)
                    .iter()
                    .any(|l| ["7command4post", "3far", "4sync11ask_to_meet"].iter().any(|part| l.contains(part)))
            };
            assert_eq!((asks(near), asks(far)), (false, true), "{name}: {kernel}");
        }
    }
}

/// Catches kernels that look for a record although there is no timeline, and a timeline without kernels. Where a GPU
/// keeps what it records is the last word of the context.
#[test]
fn kernels_record_only_where_they_are_asked_to() {
    let record = format!("[cushmem_context+{}]", offset_of!(DeviceContext, record));
    let mut recorded = 0;
    for (package, file, ptx) in modules() {
        let records = ptx.contains(&record);
        if file.ends_with(".recorded.ptx") {
            assert!(records, "{file}: its kernels record nothing");
            recorded += 1;
        } else if !file.ends_with(".far.ptx") {
            assert!(!records, "{}: {file}: kernels look for a record", package.name);
        }
    }
    // Without the compiler for kernels there is only what is committed.
    assert!(recorded > 0 || far_ptx_of(BENCHMARK).is_none());
}

/// A command that names memory must not overtake what the lanes stored there, and a signal must not overtake the data.
/// A command that contains its value needs no fence.
#[test]
fn commands_that_name_memory_come_behind_a_fence() {
    let Some(ptx) = far_ptx_of(BENCHMARK) else { return };
    let function = |part: &str| {
        let mut words = ptx.split(|c: char| !c.is_alphanumeric() && c != '_');
        let name = words.find(|word| word.contains(part) && !word.contains("_param"));
        ordered_opcodes(ptx, name.unwrap_or_else(|| panic!("no function {part}")))
    };
    for post in ["3far9post_copy", "3far10post_chunk"] {
        let opcodes = function(post);
        let slot = opcodes.iter().rposition(|o| o == "st.relaxed.sys.global.v2.u64");
        let fence = opcodes.iter().position(|o| o == "fence.acq_rel.sys");
        assert!(fence.zip(slot).is_some_and(|(fence, slot)| fence < slot), "{post}: {opcodes:?}");
    }
    for answer in ["3far8answered", "4sync11ask_to_meet"] {
        let opcodes = function(answer);
        let reply = opcodes.iter().rposition(|o| o == "ld.relaxed.sys.global.v2.u64");
        let behind = reply.map(|at| count(&opcodes[at..], "fence.acq_rel.sys"));
        assert!(behind.is_some_and(|fences| fences > 0), "{answer}: {opcodes:?}");
    }
}

/// The load that tells whether a slot is free can be issued with the addition that takes the command's ticket. In a
/// loop of its own it waits until the ticket has come, which makes each command a third of a microsecond slower.
#[test]
fn commands_look_for_a_slot_while_their_ticket_is_on_its_way() {
    for ptx in [ptx_of(BENCHMARK), far_ptx_of(BENCHMARK)] {
        let Some(ptx) = ptx else { return };
        for part in ["7command3ask", "7command4post"] {
            let lines = ptx.lines().map(str::trim);
            // A declaration has its parenthesis on a line of its own.
            let defines = |l: &&str| l.starts_with(".visible .func") && l.contains(part) && l.ends_with('(');
            let lines = lines.skip_while(|l| !defines(l));
            let lines: Vec<_> = lines.take_while(|l| *l != "}").collect();
            // The one before is the ticket of the reply.
            let ticket = lines.iter().rposition(|l| l.starts_with("atom.relaxed.gpu.global.add.u64"));
            let behind = &lines[ticket.unwrap_or_else(|| panic!("{part} takes no ticket"))..];
            let mut together = behind.iter().take_while(|l| !l.ends_with(':') && !l.contains("bra"));
            assert!(together.any(|l| l.starts_with("ld.relaxed.sys.global.u64")), "{part}: {behind:#?}");
        }
    }
}
