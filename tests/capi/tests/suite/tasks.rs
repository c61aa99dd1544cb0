//! Puts with a task by a C program, on the emulated GPU: the program is linked with kernels in Rust.

use cushmem_capi_tests::{Library, Rig};
use std::path::{Path, PathBuf};

const TEST: &str = "capi::tasks_of_a_c_program";

/// The newest library of the crate `cushmem-capi-tests-tasks`, which cargo links along with this test.
pub(crate) fn with_kernels() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.parent().expect("tests live in target/<profile>/deps");
    let is_library = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libcushmem_capi_tests_tasks") && name.ends_with(".a")
    };
    let files = std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let newest =
        files.filter(|path| is_library(path)).max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    newest.expect("cargo has linked the library")
}

/// Catches members of the structures that C and Rust understand differently, a task before its data, a signal that does
/// not come, a put that does not wait for its stream, and mistakes that are not refused.
#[test]
fn tasks_of_a_c_program() {
    let Some(rig) = Rig::find(TEST) else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let functions = cushmem_capi_tests_tasks::functions();
    assert_eq!(functions[..3], ["add", "verify", "note"], "tasks.c names them by their numbers");
    let library = with_kernels();
    let library = library.to_str().expect("a path in UTF-8");
    let whole = ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive"];
    // The other library is not needed, and must not share the program's globals.
    let system = ["-cushmem-private-globals", "-Wl,--as-needed", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
    let options = [&["-std=c11", "-D_GNU_SOURCE"][..], &whole, &system].concat();
    let program = rig.compile("tasks.c", include_str!("tasks.c"), Library::Shared, &options);
    let gpu = ("CUSHMEM_GPU", "soft");
    for (n, nodes, variables) in
        [(1, 1, &[gpu][..]), (3, 1, &[gpu]), (2, 1, &[gpu, ("CUSHMEM_P2P", "0")]), (2, 2, &[gpu])]
    {
        let job = rig.run_on_nodes(nodes, &program, n, &[], variables);
        let checked = job.lines.iter().filter(|line| line.ends_with(" checks")).count();
        assert!(job.status == Some(0) && checked == n as usize, "{n} PEs on {nodes} nodes: {job:#?}");
    }
    for (mistake, says) in [
        ("module", "shmemx_task_queue_create: argument module: NULL is not a module"),
        ("functions", "shmemx_task_queue_create: argument functions: there must be at least one"),
        ("options", "shmemx_task_queue_create: 33 threads: there must be a multiple of 32, up to 1024"),
        ("function", "shmemx_put_task: function 3 is out of range (0 to 2)"),
        ("buffer", "shmemx_put_task: the queue has no buffer 7"),
        ("no-buffer", "shmemx_put_task: 8 bytes of data for PE 0, but no buffer for them"),
        ("range", "shmemx_put_task_on_stream: the data end at byte 16 of the buffer, which has 8 bytes"),
        ("done", "shmemx_put_task: the signal is not symmetric"),
        ("sig_op", "shmemx_put_task: argument task->sig_op: 3 is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)"),
        ("task", "shmemx_put_task: argument task: NULL is not a task"),
        ("pe", "shmemx_put_task: PE 1 is out of range (0 to 0)"),
        ("pe-below", "shmemx_put_task: argument pe: -1 is below 0"),
        ("source", "shmemx_put_task: argument source: NULL is not a valid address"),
        ("source-on-stream", "shmemx_put_task_on_stream: argument source: NULL is not a valid address"),
        ("memory", "is not symmetric memory of this PE"),
        // The library does not know which kernels a C program has launched.
        ("in-a-task", "tasks: a kernel, or task note, put by PE 0: "),
        ("in-a-task-to-destroy", "shmemx_task_queue_destroy: a kernel, or task note, put by PE 0: "),
        ("twice", "shmemx_task_queue_destroy: argument queue: 0x1 is not a queue of tasks, or was destroyed"),
    ] {
        let job = rig.run(&program, 1, &[mistake], &[gpu]);
        let has_said = job.lines.iter().any(|line| line.contains(says));
        assert!(job.status != Some(0) && has_said, "{mistake}: {says}\n{job:#?}");
    }
}
