//! Arrays larger than a GPU in a C program, on the emulated GPU: the program is linked with kernels in Rust.

use crate::tasks::with_kernels;
use cushmem_capi_tests::{Library, Rig};
use std::fmt::Write as _;
use std::fs;

const TEST: &str = "capi::arrays_of_a_c_program";

/// Catches members of the structures that C and Rust understand differently, elements at other places than the C
/// program is told, what is not written back, also by tasks that end late, and mistakes that are not refused.
#[test]
fn arrays_of_a_c_program() {
    let Some(rig) = Rig::find(TEST) else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let functions = cushmem_capi_tests_tasks::functions();
    let number = functions.iter().position(|name| *name == "array_elements").expect("the function");
    let mut text = format!("#define ARRAY_ELEMENTS {number}\n#define FUNCTIONS");
    for (i, name) in functions.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} \"{name}\"", if i == 0 { "" } else { "," });
    }
    rig.file("functions.h", &(text + "\n"));
    let library = with_kernels();
    let library = library.to_str().expect("a path in UTF-8");
    let whole = ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive"];
    let system = ["-cushmem-private-globals", "-Wl,--as-needed", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
    let options = [&["-std=c11", "-D_GNU_SOURCE"][..], &whole, &system].concat();
    let program = rig.compile("arrays.c", include_str!("arrays.c"), Library::Shared, &options);
    let (gpu, no_p2p) = (("CUSHMEM_GPU", "soft"), ("CUSHMEM_P2P", "0"));
    // Where elements are accessed in place.
    let (gpu_in_place, host_in_place) = (("GPU_IN_PLACE", "1"), ("HOST_IN_PLACE", "1"));
    let file = rig.path("array");
    let path = file.to_str().expect("a path in UTF-8");
    let mapped = [gpu, gpu_in_place, host_in_place];
    for (n, nodes, variables) in
        [(1, 1, &mapped[..]), (3, 1, &mapped), (2, 1, &[gpu, no_p2p, host_in_place]), (2, 2, &[gpu])]
    {
        let job = rig.run_on_nodes(nodes, &program, n, &[path], variables);
        let checked = job.lines.iter().filter(|line| line.ends_with(" checks")).count();
        assert!(job.status == Some(0) && checked == n as usize, "{n} PEs on {nodes} nodes: {job:#?}");
    }
    for (mistake, says) in [
        ("elem_bytes", "shmemx_array_create: argument elem_bytes: 3 is not 1, 2, 4 or 8"),
        ("nelems", "shmemx_array_create: 0 elements of 8 bytes are out of range (1 to "),
        ("line", "shmemx_array_create: a line of 1000 bytes is not a power of two from 512 to 65536"),
        ("line-below", "shmemx_array_create: a line of 256 bytes is not a power of two from 512 to 65536"),
        ("slots", "shmemx_array_create: argument options->slots: 4294967294 is out of range (1 to 4294967293)"),
        ("in_place", "shmemx_array_create: argument options->slots: 4 must be 0, because options->in_place is set"),
        ("in_place-file", "shmemx_array_create: argument options->in_place: 1 must be 0, because options->file is set"),
        (
            "mode",
            "shmemx_array_create: argument options->mode: 3 is not SHMEMX_ARRAY_READ_WRITE (0), \
             SHMEMX_ARRAY_READ_ONLY (1) or SHMEMX_ARRAY_ACCUMULATE (2)",
        ),
        ("on_host", "shmemx_array_create: argument options->on_host: 1 must be 0, because options->file is set"),
        ("accumulate", "shmemx_array_create: an array for accumulation is in memory: nobody adds to a file"),
        ("file", "shmemx_array_create: PE 0: /nowhere/array: No such file or directory"),
        ("pe", "shmemx_array_range: argument pe: 1 is out of range (0 to 0)"),
        ("pe-below", "shmemx_array_range: argument pe: -1 is out of range (0 to 0)"),
        ("size", "shmemx_array_device: the kernel takes elements of 4 bytes, and those of the array have 8"),
        ("twice", "shmemx_array_free: argument array: 0x1 is not an array, or was destroyed"),
        ("freed", "shmemx_array_device: argument array: 0x1 is not an array, or was destroyed"),
        (
            "truncated",
            "a kernel or a task: read 3904 bytes at 4096 of FILE: the file ends before: it has been truncated",
        ),
        ("flush", "shmemx_array_flush: write 4096 bytes at 0 of FILE: the file has 0 bytes, but the array has 8000"),
        ("flush", "shmemx_array_free: write 4096 bytes at 0 of FILE: the file has 0 bytes, but the array has 8000"),
        ("flush-exit", "PE 0: exit without shmem_finalize: write 4096 bytes at 0 of FILE: the file has 0 bytes"),
    ] {
        let _ = fs::remove_file(&file);
        let job = rig.run(&program, 1, &[path, mistake], &[gpu]);
        let says = says.replace("FILE", path);
        let has_said = job.lines.iter().any(|line| line.contains(&says));
        // What the program goes on after ends well.
        let goes_on = says.starts_with("shmemx_array_create") || mistake.starts_with("flush");
        assert!(has_said && goes_on == (job.status == Some(0)), "{mistake}: {says}\n{job:#?}");
    }
    let job = rig.run(&program, 2, &[path, "differs"], &[gpu]);
    let has_said = |text: &str| job.lines.iter().any(|line| line.contains(text));
    assert!(job.status != Some(0) && has_said("shmemx_array_create") && has_said("slots"), "{job:#?}");
    let job = rig.run(&program, 2, &[path, "in_place-apart"], &[gpu, no_p2p]);
    let says =
        "shmemx_array_create: PE 0: an array without a cache needs loads and stores, but gpu memory of some PEs is ";
    assert!(job.status == Some(0) && job.lines.iter().any(|line| line.contains(says)), "{job:#?}");
    let words: Vec<u8> = (0..1000u64).flat_map(|i| (7 * i).to_ne_bytes()).collect();
    for end in ["finalize", "exit"] {
        let _ = fs::remove_file(&file);
        let job = rig.run(&program, 1, &[path, end], &[gpu]);
        assert!(job.status == Some(0) && fs::read(&file).is_ok_and(|there| there == words), "{end}: {job:#?}");
    }
    // With tasks that come when their PE is leaving the job.
    let words: Vec<u8> = (0..1000u64).flat_map(|i| (7 * (i % 250)).to_ne_bytes()).collect();
    for (n, end) in [(1, "late-finalize"), (2, "late-finalize"), (2, "late-exit"), (2, "late-apart")] {
        let _ = fs::remove_file(&file);
        let job = rig.run(&program, n, &[path, end], &[gpu]);
        assert!(job.status == Some(0) && fs::read(&file).is_ok_and(|there| there == words), "{n}, {end}: {job:#?}");
    }
}
