//! What a PE finds when it starts: output, input, CPUs, environment.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use cushmem_fault_tests::Job;
use xtask::left_out::record;
use xtask::machine::has_library;

/// Returns what a shell script prints on each PE.
fn printed(n: usize, options: &[&str], script: &str) -> Vec<String> {
    let n_text = n.to_string();
    let args = ["--tag", "-n", &n_text].into_iter().chain(options.iter().copied()).chain(["sh", "-c", script]);
    let job = Job::new(args).run();
    job.expect(0, &[]);
    let of = |pe: usize| {
        let prefix = format!("[{pe}] ");
        job.stdout.lines().filter_map(|line| line.strip_prefix(&prefix)).collect::<Vec<_>>().join("\n")
    };
    (0..n).map(of).collect()
}

/// The numbers in a list like `0-3,8`.
fn cpus(list: &str) -> BTreeSet<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse::<u32>().unwrap()..=last.parse::<u32>().unwrap()
    };
    list.trim().split(',').flat_map(range).collect()
}

const ALLOWED: &str = "sed -n 's/Cpus_allowed_list:[[:space:]]*//p' /proc/self/status";

fn own_cpus() -> BTreeSet<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    cpus(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap())
}

/// Returns the allowed CPUs that are online.
fn usable_cpus() -> BTreeSet<u32> {
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online").map(|list| cpus(&list));
    online.map_or_else(|_| own_cpus(), |online| &online & &own_cpus())
}

/// Returns how many physical cores they belong to.
fn n_cores() -> usize {
    let siblings = |cpu: u32| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        std::fs::read_to_string(Path::new(&path)).map_or(cpu, |list| *cpus(&list).first().unwrap())
    };
    usable_cpus().into_iter().map(siblings).collect::<BTreeSet<_>>().len()
}

#[test]
fn enough_cores_are_shared_without_overlap() {
    let n = n_cores();
    let shares: Vec<BTreeSet<u32>> = printed(n, &[], ALLOWED).iter().map(|list| cpus(list)).collect();
    for (pe, share) in shares.iter().enumerate() {
        assert!(!share.is_empty() && share.is_subset(&usable_cpus()));
        assert!(shares[..pe].iter().all(|other| other.is_disjoint(share)), "{shares:?}");
    }
}

#[test]
fn with_too_few_cores_no_pe_is_bound_and_each_is_told() {
    let n = usable_cpus().len() + 1;
    for text in printed(n, &[], &format!("{ALLOWED}; echo $CUSHMEM_OVERSUBSCRIBED ${{CUSHMEM_CPUS-unbound}}")) {
        let (list, rest) = text.split_once('\n').unwrap();
        assert_eq!((cpus(list), rest), (own_cpus(), "1 unbound"));
    }
}

#[test]
fn with_cores_that_others_use_no_pe_is_bound_and_each_is_told() {
    let options = ["--oversubscribe"];
    for text in printed(1, &options, &format!("{ALLOWED}; echo $CUSHMEM_OVERSUBSCRIBED ${{CUSHMEM_CPUS-unbound}}")) {
        let (list, rest) = text.split_once('\n').unwrap();
        assert_eq!((cpus(list), rest), (own_cpus(), "1 unbound"));
    }
}

#[test]
fn bound_to_nothing_a_pe_has_all_cpus() {
    assert!(printed(1, &["--bind-to", "none"], ALLOWED).iter().all(|list| cpus(list) == own_cpus()));
}

#[test]
fn every_line_carries_its_pe() {
    let job = Job::new(["-n", "3", "--tag", "sh", "-c", "echo out; echo err >&2; printf unfinished"]).run();
    for pe in 0..3 {
        for text in [&job.stdout, &job.stderr] {
            assert!(text.lines().all(|line| line.starts_with('[')), "{job:?}");
        }
        assert!(
            job.stdout.contains(&format!("[{pe}] out\n")) && job.stderr.contains(&format!("[{pe}] err\n")),
            "{job:?}"
        );
        assert!(job.stdout.contains(&format!("[{pe}] unfinished\n")), "{job:?}");
    }
}

#[test]
fn pe_0_reads_standard_input_and_the_others_nothing() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let job = Job::new(["-n", "2", "--tag", "cat"]).stdin(reader).start();
    writer.write_all(b"hello\n").unwrap();
    drop(writer);
    assert_eq!(job.finish().stdout, "[0] hello\n");
}

#[test]
fn much_output_arrives_whole() {
    let job = Job::new(["-n", "2", "--tag", "sh", "-c", "seq 1 50000; seq 1 20000 >&2"]).run();
    assert_eq!((job.stdout.lines().count(), job.stderr.lines().count()), (100_000, 40_000));
    assert!(job.stdout.contains("[1] 50000\n"));
}

#[test]
fn kernels_are_loaded_eagerly_unless_the_user_chose() {
    assert_eq!(printed(1, &[], "echo $CUDA_MODULE_LOADING"), ["EAGER"]);
    let args = ["-n", "1", "sh", "-c", "echo $CUDA_MODULE_LOADING"];
    assert_eq!(Job::new(args).env("CUDA_MODULE_LOADING", "LAZY").run().stdout, "LAZY\n");
}

/// Catches a library that leaves this to `shmemrun`: what else starts PEs knows nothing of it.
#[test]
fn libfabric_has_settings_of_ours_unless_the_user_chose() {
    const LIBRARY: &str = "libfabric.so.1";
    if !has_library(LIBRARY) {
        return record("fault::libfabric_has_settings_of_ours", &format!("there is no {LIBRARY}"));
    }
    let settings = [
        ("FI_OFI_RXM_BUFFER_SIZE", "1024", "2048"),
        ("FI_OFI_RXM_CM_PROGRESS_INTERVAL", "500", "700"),
        ("FI_OFI_RXM_DEF_TCP_WAIT_OBJ", "fd", "pollfd"),
    ];
    let shown = settings.map(|(name, ..)| format!("variable={name}"));
    let steps = [&["init"][..], &shown.each_ref().map(String::as_str), &["leave"]].concat();
    let job = |net: &str| Job::steps(2, &["--nodes", "2"], &steps).env("CUSHMEM_GPU", "none").env("CUSHMEM_NET", net);
    let printed = |job: Job| {
        let finished = job.run();
        assert_eq!(finished.code(), 0, "{finished:#?}");
        let mut lines: Vec<_> = finished.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    let nothing = settings.map(|(name, ..)| format!("{name}="));
    assert_eq!(printed(job("loopback:tcp")), nothing, "without libfabric");
    for net in ["ofi", "ofi:tcp"] {
        assert_eq!(printed(job(net)), settings.map(|(name, ours, _)| format!("{name}={ours}")));
    }
    let chosen = settings.iter().fold(job("ofi"), |job, (name, _, theirs)| job.env(name, theirs));
    assert_eq!(printed(chosen), settings.map(|(name, _, theirs)| format!("{name}={theirs}")));
}

#[test]
fn an_empty_setting_is_an_absent_one() {
    Job::steps(1, &[], &["join", "finalize"]).env("CUSHMEM_WAIT_LIMIT_S", "").run().expect(0, &[]);
}

#[test]
fn signals_and_limits_are_as_they_were_outside() {
    let script = "sed -n 's/^SigBlk:[[:space:]]*//p' /proc/self/status; ulimit -n";
    let inside = &printed(1, &[], script)[0];
    let outside = std::process::Command::new("sh").args(["-c", "ulimit -n"]).output().unwrap();
    assert_eq!(
        inside.lines().collect::<Vec<_>>(),
        ["0000000000000000", String::from_utf8_lossy(&outside.stdout).trim()]
    );
}
