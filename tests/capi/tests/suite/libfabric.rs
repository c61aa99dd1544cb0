//! Jobs of several nodes over libfabric, which connects virtual nodes of this machine as it would machines.

use crate::nodes::{NODES, POSTED, all_right, on};
use cushmem_capi_tests::{Library, Rig};
use std::path::Path;
use xtask::left_out::record;

const NOTHING: &str = "#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); return 0; }\n";

/// A rig, and a program that only joins and leaves; none without C programs or libfabric.
fn rig(test: &str) -> Option<(Rig, std::path::PathBuf)> {
    let rig = Rig::find(&format!("capi::{test}"))?;
    let nothing = rig.compile("nothing.c", NOTHING, Library::Shared, &[]);
    let job = rig.run_on_nodes(2, &nothing, 2, &[], &on("ofi"));
    let is_missing = |line: &String| line.contains("libfabric.so.1 cannot be opened (");
    if let Some(why) = job.lines.iter().find(|line| is_missing(line)) {
        record(&format!("capi::{test} over libfabric"), why);
        return None;
    }
    assert_eq!((job.status, job.lines.len()), (Some(0), 0), "{job:#?}");
    Some((rig, nothing))
}

/// Catches an operation that takes another way than the network, or one that is lost or out of order there.
#[test]
fn operations_arrive_in_order_over_libfabric() {
    let Some((rig, _)) = rig("operations_arrive_in_order_over_libfabric") else { return };
    let posted = rig.compile("posted.c", POSTED, Library::Shared, &["-O1"]);
    let globals = rig.compile("all.c", include_str!("globals.c"), Library::Shared, &["-O2"]);
    for network in ["ofi", "ofi:tcp;ofi_rxm", "ofi:shm"] {
        all_right(&rig.run_on_nodes(2, &posted, 2, &[], &on(network)), 2);
    }
    all_right(&rig.run_on_nodes(2, &posted, 4, &[], &on("ofi")), 4);
    for (nodes, n) in [(2, 3), (4, 4)] {
        for how in ["all", "ends"] {
            all_right(&rig.run_on_nodes(nodes, &globals, n, &[how], &on("ofi")), n);
        }
    }
    let uses = rig.compile("uses.c", NODES, Library::Shared, &[]);
    for how in ["put-signal", "lock", "reduce", "active-set"] {
        all_right(&rig.run_on_nodes(2, &uses, 2, &[how], &on("ofi")), 2);
    }
}

/// Catches a PE that is stopped with requests under way and keeps a node from answering others: what is put to it is
/// not acknowledged as long as it is stopped.
#[test]
fn a_pe_that_is_stopped_delays_no_other_over_libfabric() {
    let Some((rig, _)) = rig("a_pe_that_is_stopped_delays_no_other_over_libfabric") else { return };
    let stopped = rig.compile("stopped.c", include_str!("stopped.c"), Library::Shared, &[]);
    all_right(&rig.run_on_nodes(2, &stopped, 4, &[], &on("ofi")), 4);
}

/// Each mistake is one line, besides that of the launcher.
#[test]
fn a_network_that_is_not_there_is_one_line() {
    let Some((rig, nothing)) = rig("a_network_that_is_not_there_is_one_line") else { return };
    let broken = rig.file("libfabric.so.1", "no library");
    let folder = broken.parent().and_then(Path::to_str).expect("a folder");
    let own = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = format!("{folder}:{own}");
    let start = "cushmem: shmem_init: start the network between nodes: CUSHMEM_NET='";
    let by_name = [("LD_LIBRARY_PATH", &*folders), ("CUSHMEM_LIBFABRIC", "libfabric.so.1")];
    let by_path = [("CUSHMEM_LIBFABRIC", broken.to_str().expect("a path"))];
    // Some builds of libfabric do not have the provider that crashes.
    let crashes = ["libfabric's provider udp;ofi_rxd is not used: ", " has no provider `udp` "];
    let nosuch = ["has no provider `nosuch` for one-sided operations on 127.0.0.1; it has: "];
    for (network, variables, texts) in [
        ("ofi:nosuch", &[][..], &nosuch[..]),
        ("ofi:udp", &[], &crashes),
        ("ofi", &by_name, &["libfabric.so.1 cannot be opened ("]),
        ("ofi", &by_path, &["libfabric.so.1 cannot be opened ("]),
        ("ofi", &by_path, &["; it is in the package libfabric1 of Debian and Ubuntu, and in libfabric of "]),
        ("ethernet", &[], &["valid are loopback:verbs, loopback:tcp and loopback:efa, and :SEED after them; ofi and "]),
    ] {
        let job = rig.run_on_nodes(2, &nothing, 2, &[], &[&on(network)[..], variables].concat());
        let ours: Vec<_> = job.lines.iter().filter(|line| line.starts_with("cushmem: ")).collect();
        let says = |line: &str| texts.iter().any(|text| line.contains(text));
        let is_right = matches!(&ours[..], [line] if line.starts_with(start) && says(line));
        assert!(job.status == Some(1) && is_right && job.lines.len() == 2, "{network}: {job:#?}");
    }
}

/// Catches a program that counts as linked statically because the system did not start its loader: it is the loader
/// that was started, with the program as its argument.
#[test]
fn a_program_that_the_loader_was_asked_to_start_has_libfabric() {
    let Some((rig, nothing)) = rig("a_program_that_the_loader_was_asked_to_start_has_libfabric") else { return };
    let maps = std::fs::read_to_string("/proc/self/maps").expect("read the maps of this program");
    let is_loader = |path: &&str| path.rsplit('/').next().is_some_and(|file| file.starts_with("ld-linux"));
    let loader = maps.split_whitespace().find(is_loader).expect("this program has a loader");
    let nothing = nothing.to_str().expect("a path");
    let job = rig.run_on_nodes(2, Path::new(loader), 2, &[nothing], &on("ofi"));
    assert_eq!((job.status, job.lines.len()), (Some(0), 0), "{job:#?}");
}

/// Catches a job that does not say which network it uses.
#[test]
fn the_network_is_explained() {
    let Some((rig, nothing)) = rig("the_network_is_explained") else { return };
    let explained = |network| {
        let variables = [&on(network)[..], &[("CUSHMEM_EXPLAIN", "1")]].concat();
        let job = rig.run_on_nodes(2, &nothing, 2, &[], &variables);
        let said = job.lines.iter().find_map(|line| line.strip_prefix("cushmem: the network between nodes: "));
        said.unwrap_or_else(|| panic!("{job:#?}")).to_owned()
    };
    let said = explained("ofi");
    assert!(said.starts_with("ofi, libfabric ") && said.contains(", address 127.0.0.1: "), "{said}");
    let of_loopback = "loopback:efa, emulated within this machine: keeps no order; ";
    assert!(explained("loopback:efa").starts_with(of_loopback));
}
