//! Programs whose standard streams are closed, as daemons start them.

use cushmem_capi_tests::{Library, Rig};
use std::path::Path;
use std::process::Command;
use xtask::launch::word;

const WAYS: [&str; 2] = [">&-", "<&- >&- 2>&-"];

/// Runs the program so that the shell has closed some of its streams.
fn closed(way: &str, program: &Path, argument: &str) -> [String; 3] {
    ["sh".into(), "-c".into(), format!("exec {} {argument} {way}", word(program))]
}

/// Catches shared memory and sockets of the library that get the number of a closed stream: what the program prints
/// would overwrite its globals, or reach another PE as a message.
#[test]
fn what_goes_to_closed_streams_reaches_no_memory() {
    let Some(rig) = Rig::find("capi::what_goes_to_closed_streams_reaches_no_memory") else { return };
    let source = include_str!("closed.c");
    for (library, options) in [
        (Library::Shared, &["-std=c99", "-D_GNU_SOURCE"][..]),
        (Library::Static, &["-std=c99", "-D_GNU_SOURCE"]),
        (Library::Shared, &["-std=c99", "-D_GNU_SOURCE", "-cushmem-private-globals"]),
    ] {
        let program = rig.compile("closed.c", source, library, options);
        for way in WAYS {
            for gpu in ["none", "soft"] {
                let [shell, option, script] = closed(way, &program, "");
                // Private globals are reached on their node only.
                let most_nodes = if options.contains(&"-cushmem-private-globals") { 1 } else { 2 };
                for nodes in 1..=most_nodes {
                    let job = rig.run_on_nodes(nodes, shell.as_ref(), 2, &[&option, &script], &[("CUSHMEM_GPU", gpu)]);
                    assert_eq!(job.status, Some(0), "{library:?} {options:?} {way} {gpu} {nodes}: {job:#?}");
                }
                for argument in ["", "id"] {
                    let alone = closed(way, &program, argument);
                    let job = Rig::finish(Command::new("timeout").arg("60").args(&alone).env("CUSHMEM_GPU", gpu));
                    assert_eq!(job.status, Some(0), "{library:?} {options:?} {way} {gpu} alone {argument}: {job:#?}");
                }
            }
        }
    }
}
