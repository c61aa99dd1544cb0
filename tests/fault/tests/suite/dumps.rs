//! What a crashing PE leaves in a core dump, and limits on file sizes.

use cushmem_fault_tests::Job;
use cushmem_scratch::Folder;
use nix::sys::resource::{Resource, getrlimit};

const MIB: u64 = 1 << 20;
/// More than a small program needs, and far less than a heap.
const MOST: u64 = 100 * MIB;

/// Returns the numbers after a word in the lines of the PEs.
fn numbers(text: &str, word: &str) -> Vec<u64> {
    text.lines().filter_map(|line| line.split_once(word)?.1.trim().parse().ok()).collect()
}

/// Whether the machine writes a dump into the folder of the process, and may write one of these sizes.
fn dumps_are_files() -> bool {
    let (_, most) = getrlimit(Resource::RLIMIT_CORE).unwrap_or_default();
    if most < 2 * MOST {
        return false;
    }
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    !pattern.starts_with(['|', '/']) && !pattern.trim().is_empty()
}

/// Catches a dump that contains the segments of all PEs, or pages that nobody has touched: those of heaps with default
/// sizes fill a disk.
#[test]
fn a_core_dump_of_a_small_program_is_small() {
    for gpu in ["none", "soft"] {
        let folder = Folder::new(gpu).expect("a folder");
        let mut steps = vec!["init".to_owned(), "malloc=1048576".to_owned()];
        if gpu == "soft" {
            steps.push("malloc_gpu=1048576".to_owned());
        }
        steps.extend(["barrier", "dumped", "barrier"].map(str::to_owned));
        if dumps_are_files() {
            steps.push(format!("folder={}", folder.display()));
            steps.extend([format!("limit=core:{}", 2 * MOST), "0:signal=6".to_owned()]);
        }
        steps.push("leave".to_owned());
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let job = Job::steps(3, &[], &steps);
        let job = job.env("CUSHMEM_GPU", gpu).run();
        let dumped = numbers(&job.stdout, "dumped: ");
        assert!(dumped.len() == 3 && dumped.iter().all(|bytes| (MIB..MOST).contains(bytes)), "{gpu}: {job:#?}");
        if dumps_are_files() {
            let files = std::fs::read_dir(&folder).expect("the folder").flatten();
            let sizes: Vec<u64> = files.filter_map(|file| Some(file.metadata().ok()?.len())).collect();
            assert!(sizes.len() == 1 && (MIB..MOST).contains(&sizes[0]), "{gpu}: files of {sizes:?} bytes; {job:#?}");
        }
    }
}

/// Catches a dump that lacks what a debugger or a post-mortem needs: it has to contain the bytes of this PE's own
/// objects, first and last.
#[test]
fn a_core_dump_holds_the_own_objects() {
    for gpu in ["none", "soft"] {
        let large = (300 * MIB).to_string();
        let steps = ["init", "dumped", &format!("malloc={large}"), "dumped", "leave"];
        let job = Job::steps(2, &[], &steps).env("CUSHMEM_GPU", gpu).run();
        let dumped = numbers(&job.stdout, "dumped: ");
        let (least, most) = (dumped.iter().min(), dumped.iter().max());
        let grown = most.zip(least).map_or(0, |(most, least)| most - least);
        assert!(dumped.len() == 4 && (300 * MIB..400 * MIB).contains(&grown), "{gpu}: {job:#?}");
    }
}

/// Catches a PE that dies of SIGXFSZ silently, because shared memory is a file to the operating system. One limit is
/// below the library's own words, one below the size of a heap.
#[test]
fn a_limit_of_file_sizes_is_named() {
    for (limit, gpu) in [(1000, "none"), (1000, "soft"), (16 * MIB, "none"), (16 * MIB, "soft")] {
        let limited = format!("limit=file_size:{limit}");
        let job = Job::steps(2, &[], &[&limited, "init", "leave"]).env("CUSHMEM_GPU", gpu).run();
        job.expect(1, &[&format!("the limit of file sizes is {limit} bytes (ulimit -f)")]);
    }
}

/// Catches a launcher that SIGXFSZ ends although the PEs have ended well, because its records or a file of the user do
/// not fit in the limit, and one that leaves half of a timeline in place of an earlier one, as on a full disk. Only the
/// launcher's soft limit is low.
#[test]
fn a_limit_of_file_sizes_ends_no_launcher() {
    let folder = Folder::new("limit").expect("a folder");
    let trace = folder.join("trace.json");
    let limited = ["sh", "-c", "ulimit -S -f 512; exec \"$@\"", "sh"];
    let with = |options: &[&str], steps: &[&str], events: &str| {
        let mut all = vec!["limit=file_size:1000000000000", "init"];
        all.extend(steps);
        all.push("leave");
        let job = Job::steps(2, options, &all).env("CUSHMEM_GPU", "none").env("CUSHMEM_TRACE_EVENTS", events);
        job.under(&limited).run()
    };
    let options = ["--trace", trace.to_str().expect("plain words")];
    with(&options, &[], "262144").expect(
        1,
        &["make memory for what PEs record: it is a file of ", "the limit of file sizes is 262144 bytes (ulimit -f)"],
    );
    std::fs::write(&trace, "an earlier timeline").expect("a file");
    let job = with(&options, &["barrier"; 1700], "2048");
    job.expect(1, &["shmemrun: --trace: ", "File too large"]);
    assert!(!job.stderr.contains("signal"), "{job:#?}");
    assert_eq!(std::fs::read_to_string(&trace).expect("it is there"), "an earlier timeline");
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1, "{job:#?}");
}
