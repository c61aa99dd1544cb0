//! A process that has as many files open as it may, while a heap grows or another process passes it one more
//! descriptor.

use cushmem_fault_tests::{Job, children, eventually, leave_no_descriptor, state};
use nix::sys::signal::{Signal, kill};

/// Catches PEs that wait for one that gave up, an error that blames another PE or something else, and things that stay
/// open or mapped. PE 1 has room for a few more descriptors, and then for enough.
#[test]
fn a_heap_grows_on_all_or_on_none() {
    let mut reasons = vec![];
    for spare in 0..6 {
        let spare = format!("1:spare={spare}");
        let grow = ["malloc_gpu=67108864", "1:limit=descriptors:500", "descriptors", "malloc_gpu=67108864"];
        let steps: Vec<&str> = ["init", &spare, "0:spare=100", "2:spare=100"]
            .into_iter()
            .chain(grow)
            .chain(["barrier", "leave"])
            .collect();
        let job = Job::steps(3, &["--nodes", "1"], &steps).env("CUSHMEM_GPU", "soft").env("CUSHMEM_P2P", "1").run();
        job.expect(0, &[]);
        for pe in 0..3 {
            let of_pe = format!("PE {pe}: ");
            let lines: Vec<&str> = job.stdout.lines().filter_map(|line| line.strip_prefix(&*of_pe)).collect();
            let [before, first, after, second] = lines[..] else { panic!("{job:#?}") };
            assert_eq!(second, "malloc_gpu: ok", "{spare}: {job:#?}");
            if first != "malloc_gpu: ok" {
                assert_eq!(before, after, "{spare}: {job:#?}");
                let (what, reason) = first.split_once(" bytes: PE 1: ").unwrap_or((first, ""));
                assert!(what.starts_with("malloc_gpu: grow the GPU heap by "), "{spare}: {job:#?}");
                reasons.push(reason.to_owned());
            }
        }
    }
    let lacks = |text: &str| reasons.iter().filter(|reason| reason.contains(text)).count();
    let (system, lost) = (lacks("Too many open files"), lacks("this process cannot open more files (ulimit -n)"));
    // On all three PEs each time, and each way at least once.
    assert!(system + lost == reasons.len() && system >= 3 && lost >= 3, "{reasons:#?}");
}

/// Catches a lack of descriptors in the launcher, or in the process that keeps the job together, that is blamed on the
/// PE that passed the descriptor.
#[test]
fn who_lacks_room_for_what_a_pe_passes_says_so() {
    let reason = "allgather gather: the process that keeps the job together cannot receive a file descriptor of PE 1: \
        it cannot open more files (ulimit -n)";

    let job = Job::steps(2, &[], &["join", "out=joined", "1:stop", "0:sleep", "gather=10"]).start();
    job.wait_for_output("joined", 2);
    let pe = eventually("PE 1 stops", || children(job.supervisor()).into_iter().find(|pid| state(*pid) == Some('T')));
    leave_no_descriptor(job.supervisor());
    kill(pe, Signal::SIGCONT).expect("PE 1 is there");
    job.finish().expect(1, &[reason]);

    let folder = cushmem_scratch::Folder::new("room").expect("a folder");
    let meet = format!("meet={}", folder.join("id").display());
    let jobs = Job::loose(2, &[&meet, "out=joined", "1:stop", "0:sleep", "gather=10"]);
    let processes: Vec<_> = jobs.into_iter().map(Job::start).collect();
    processes.iter().for_each(|process| drop(process.wait_for_output("joined", 1)));
    eventually("PE 1 stops", || (state(processes[1].pid()) == Some('T')).then_some(()));
    leave_no_descriptor(processes[0].pid());
    processes[1].signal(Signal::SIGCONT);
    for (process, texts) in processes.into_iter().zip([&[][..], &[reason]]) {
        process.finish().expect(1, texts);
    }
}
