//! Signals of the program, and forked children.

use cushmem_fault_tests::Job;

/// Signals that the operating system sends to the thread that causes them, and signals that nobody can block.
const CAUSED: [u32; 6] = [4, 5, 7, 8, 11, 31];
const NEVER_BLOCKED: [u32; 4] = [9, 19, 32, 33];

/// Catches a handler of the program that runs on a thread of the library, and the loss of a signal that the program
/// blocked in order to wait for it.
#[test]
fn threads_of_the_library_take_no_signals() {
    let with_gpu = Job::steps(2, &[], &["init", "malloc_gpu=1000", "masks", "leave"]).env("CUSHMEM_GPU", "soft").run();
    let on_nodes = Job::steps(2, &["--nodes", "2"], &["init", "masks", "leave"]).env("CUSHMEM_GPU", "none").run();
    let threads = [
        (&with_gpu, "cushmem-lifelin"),
        (&with_gpu, "cushmem-stream"),
        (&with_gpu, "cushmem-proxy"),
        (&with_gpu, "cushmem-words"),
        (&on_nodes, "cushmem-net"),
        (&on_nodes, "cushmem-atomics"),
        (&on_nodes, "cushmem-silence"),
    ];
    for (job, name) in threads {
        job.expect(0, &[]);
        let of_name = format!(": thread {name}: ");
        let masks: Vec<_> = job.stdout.lines().filter_map(|line| line.split_once(&*of_name)).collect();
        assert!(masks.len() >= 2, "{name}: {job:#?}");
        for (pe, mask) in masks {
            let mask = u64::from_str_radix(mask, 16).expect("a mask");
            let open: Vec<u32> = (1..=64).filter(|signal| mask & 1 << (signal - 1) == 0).collect();
            let may = |signal: &u32| CAUSED.contains(signal) || NEVER_BLOCKED.contains(signal);
            assert!(open.iter().all(may), "{name} of {pe} takes the signals {open:?}");
        }
    }
}

/// Catches a SIGSEGV from `kill` that the emulated GPU's handler takes for a fault and swallows.
#[test]
fn a_segv_that_was_sent_ends_the_pe() {
    // Rust has a handler of its own unless it is removed.
    for before in ["default=11", "mark=rust"] {
        // The emulated GPU has its own handler once it has started.
        let steps = [before, "init", "malloc_gpu=8", "1:send=11", "out=survived", "barrier", "leave"];
        let job = Job::steps(2, &[], &steps).env("CUSHMEM_GPU", "soft").run();
        job.expect(139, &["PE 1 was killed by signal 11 (SIGSEGV)"]);
        assert!(job.stdout.matches("survived").count() <= 1, "{before}: {job:#?}");
    }
}

/// Catches a child whose collective call counts for its parent, which breaks later barriers, and a child that takes the
/// job down with it.
#[test]
fn a_collective_call_of_a_forked_child_is_refused() {
    for call in ["barrier", "malloc:8"] {
        let child = format!("1:child={call}");
        let steps = ["init", &child, "barrier", "malloc=100", "barrier", &child, "barrier", "leave"];
        let job = Job::steps(3, &[], &steps).env("CUSHMEM_GPU", "none").run();
        let name = call.split(':').next().unwrap_or("");
        job.expect(
            0,
            &[&format!("cushmem: PE 1: {name}"), ": a forked child is not a PE: only its parent can make such calls"],
        );
        let ended = job.stdout.lines().filter(|line| line.starts_with("child: Exited(") && line.ends_with(", 134)"));
        assert!(ended.count() == 2 && job.stdout.matches("malloc: ok").count() == 3, "{call}: {job:#?}");
    }
}
