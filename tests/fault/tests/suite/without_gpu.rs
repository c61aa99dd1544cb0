//! Jobs whose PEs cannot have the emulated GPU, and how much address space the emulation takes.

use cushmem_fault_tests::{Finished, Job, fault_pe};
use xtask::left_out::record;

/// `auto`, without a real GPU.
fn automatic(job: Job) -> Finished {
    job.env("CUDA_VISIBLE_DEVICES", "").run()
}

fn lines<'a>(job: &'a Finished, text: &'a str) -> impl Iterator<Item = &'a str> {
    job.stdout.lines().filter(move |line| line.contains(text))
}

/// 8 GiB of addresses: enough for two small heaps, but not for those of the emulated GPU.
const LIMITED: [&str; 6] =
    ["1:limit=addresses:8589934592", "init", "malloc=1000", "malloc_gpu=1000", "barrier", "leave"];

/// Catches a job that fails because one PE cannot have something that the user did not ask for, and PEs that decide
/// differently.
#[test]
fn all_do_without_if_one_has_no_addresses() {
    let job = automatic(Job::steps(3, &[], &LIMITED).env("SHMEM_SYMMETRIC_SIZE", "64M"));
    job.expect(0, &[]);
    let reason = "malloc_gpu: this job runs without GPUs (PE 1: this PE has no GPU: open the emulated GPU: reserve ";
    assert_eq!((lines(&job, "malloc: ok").count(), lines(&job, reason).count()), (3, 3), "{job:#?}");
}

/// Catches PEs that were told to use no GPU, and then fail because they differ from one that was not told.
#[test]
fn a_pe_without_addresses_joins_one_without_gpu() {
    let program = fault_pe();
    let part = |gpu: &str| {
        let start = ["-n", "1", "-x", gpu, &program.to_string_lossy()].map(str::to_owned);
        start.into_iter().chain(LIMITED.map(str::to_owned)).collect::<Vec<_>>()
    };
    let parts = [part("CUSHMEM_GPU=none"), vec![":".to_owned()], part("CUSHMEM_GPU=auto")].concat();
    let job = automatic(Job::new(parts).env("SHMEM_SYMMETRIC_SIZE", "64M"));
    job.expect(0, &[]);
    let reason = "malloc_gpu: this job runs without GPUs (PE 0: CUSHMEM_GPU=none)";
    assert_eq!((lines(&job, "malloc: ok").count(), lines(&job, reason).count()), (2, 2), "{job:#?}");
}

/// Catches a limit of the emulation that affects jobs that do not use it.
#[test]
fn more_pes_than_the_emulation_has_addresses_for() {
    let steps = ["init", "malloc=1000", "malloc_gpu=1000", "barrier", "leave"];
    // A few PEs with large heaps need as much as many PEs.
    let job = automatic(Job::steps(3, &[], &steps).env("CUSHMEM_GPU_HEAP_SIZE", "512G"));
    job.expect(0, &[]);
    let reason = "malloc_gpu: this job runs without GPUs (PE 0: this PE has no GPU: open the emulated GPU: ";
    assert_eq!((lines(&job, "malloc: ok").count(), lines(&job, reason).count()), (3, 3), "{job:#?}");
    assert_eq!(lines(&job, "no free range of this size is left in 1 TiB of device addresses").count(), 3, "{job:#?}");
}

/// Catches an emulation that takes terabytes of address space, used or not, which valgrind and limits cannot bear.
#[test]
fn a_pe_takes_addresses_for_its_heaps_only() {
    let job = automatic(Job::steps(2, &[], &["init", "malloc=1000", "malloc_gpu=1000", "addresses", "leave"]));
    job.expect(0, &[]);
    let taken: Vec<u64> = lines(&job, "addresses: ").filter_map(|line| line.rsplit(' ').next()?.parse().ok()).collect();
    // Both heaps of 4 GiB for both PEs, and as much again for the emulated GPU.
    assert!(taken.len() == 2 && taken.iter().all(|bytes| *bytes < 64 << 30), "{job:#?}");
}

/// Catches mappings for which valgrind needs half a minute: it keeps an entry for each 64 KiB of addresses that were
/// ever set aside.
#[test]
fn valgrind_has_little_to_do() {
    if !std::process::Command::new("valgrind").arg("--version").output().is_ok_and(|o| o.status.success()) {
        record("fault::valgrind", "no valgrind here");
        return;
    }
    let program = fault_pe();
    let options =
        ["-n", "1", "valgrind", "--stats=yes", "--error-exitcode=9", &program.to_string_lossy()].map(str::to_owned);
    let steps = ["init", "malloc=1000", "malloc_gpu=1000", "leave"].map(str::to_owned);
    let job = automatic(Job::new(options.into_iter().chain(steps)));
    job.expect(0, &["auxmap entries"]);
    let entries = job.stderr.lines().find_map(|line| line.split_once("auxmaps: ")?.1.split_once(" auxmap entries"));
    let entries: u64 = entries.and_then(|(number, _)| number.replace(',', "").parse().ok()).expect("valgrind's number");
    assert!(entries < (64 << 30) / (64 << 10), "{entries} entries; {job:#?}");
    assert!(lines(&job, "malloc_gpu: ok").count() == 1, "{job:#?}");
}
