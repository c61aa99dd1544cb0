//! The examples compile without warnings in several language modes, run, and print what they should.

use cushmem_capi_table::{
    BITWISE_AMO, EXTENDED_AMO, OLD_EXTENDED, OLD_STANDARD, OLD_WAIT, RMA, STANDARD_AMO, Types, WAIT,
};
use cushmem_capi_tests::{Finished, Library, Rig};
use std::collections::BTreeSet;
use std::process::Command;
use xtask::left_out::record;
use xtask::machine::{cuda_gpus, static_libc, thread_sanitizer};

const RING: &str = include_str!("../../../../apps/examples/c/ring.c");
const GPU_STREAM: &str = include_str!("../../../../apps/examples/c/gpu-stream.c");
const GPU_RING: &str = include_str!("../../../../apps/examples/c/gpu-ring.c");
const MEAN: &str = include_str!("../../../../apps/examples/c/mean.cpp");

fn expect(job: &Finished, lines: &[String]) {
    let mut lines = lines.to_vec();
    lines.sort();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

fn of_ring(n: u32) -> Vec<String> {
    let line = |me: u32| {
        let p = (me + n - 1) % n;
        format!("PE {me} of {n}: PE {p} sent {} {} {} {}", 10 * p, 10 * p + 1, 10 * p + 2, 10 * p + 3)
    };
    (0..n).map(line).chain([format!("PE 0 counted {n} PEs")]).collect()
}

/// All PEs of a program with `check.h` got through their checks.
fn all_checked(job: &Finished, n: u32) {
    let checked = job.lines.iter().filter(|l| l.ends_with(" checks")).count();
    assert!(job.status == Some(0) && checked == n as usize, "{job:#?}");
}

#[test]
fn ring_with_both_libraries() {
    let Some(rig) = Rig::find("capi::ring_with_both_libraries") else { return };
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("ring.c", RING, library, &["-std=c99"]);
        for gpu in ["none", "soft"] {
            for n in [1, 2, 4] {
                expect(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", gpu)]), &of_ring(n));
            }
        }
    }
}

/// Catches ranges that a C program cannot name by its own addresses, and calls that do not report their outcome.
#[test]
fn registered_memory() {
    let Some(rig) = Rig::find("capi::registered_memory") else { return };
    let program = rig.compile("registered.c", include_str!("registered.c"), Library::Shared, &["-std=c99"]);
    for gpu in ["none", "soft"] {
        for n in [1, 2, 3] {
            let job = rig.run(&program, n, &[], &[("CUSHMEM_GPU", gpu)]);
            let (right, complaints): (Vec<_>, Vec<_>) = job.lines.iter().partition(|line| line.ends_with(": right"));
            assert_eq!((job.status, right.len()), (Some(0), n as usize), "{job:#?}");
            for what in
                ["are registered already", "nothing is registered at", "no registered memory", "not a valid range"]
            {
                let found = complaints.iter().filter(|line| line.contains(what)).count();
                assert_eq!(found, n as usize, "{what}: each PE has its own line: {job:#?}");
            }
        }
    }
}

/// Catches a library that depends on something that only a shared library of the system provides. Where it needs such a
/// library for what the user asks for, it says so.
#[test]
fn programs_without_shared_libraries() {
    let Some(rig) = Rig::find("capi::programs_without_shared_libraries") else { return };
    if !static_libc() {
        record("capi::programs_without_shared_libraries, linked", "no libc.a here");
        return;
    }
    for (file, source, expected) in [
        ("static.c", RING, of_ring(3)),
        ("static.cpp", MEAN, (0..3).map(|me| format!("PE {me} of 3: mean 10.0")).collect()),
    ] {
        let program = rig.compile(file, source, Library::Shared, &["-static"]);
        for nodes in [1, 2] {
            let variables = [("CUSHMEM_GPU", "soft"), ("CUSHMEM_NET", "loopback:tcp")];
            expect(&rig.run_on_nodes(nodes, &program, 3, &[], &variables), &expected);
        }
        let job = rig.run_on_nodes(2, &program, 2, &[], &[("CUSHMEM_GPU", "none"), ("CUSHMEM_NET", "ofi")]);
        let says = |line: &String| line.contains("a program that is linked statically cannot open libfabric.so.1; ");
        assert!(job.status == Some(1) && job.lines.iter().filter(|line| says(line)).count() == 1, "{job:#?}");
    }
}

/// Catches a library that wants addresses of the sanitizer for the emulated GPU: the sanitizer then ends the program.
#[test]
fn runs_under_thread_sanitizer() {
    let test = "capi::runs_under_thread_sanitizer";
    let Some(rig) = Rig::find(test) else { return };
    if let Err(reason) = thread_sanitizer() {
        record(test, &reason.replace('\n', " "));
        return;
    }
    let program = rig.compile("ring.c", RING, Library::Shared, &["-std=c99", "-fsanitize=thread"]);
    expect(&rig.run_on_nodes(1, &program, 2, &[], &[("CUDA_VISIBLE_DEVICES", "")]), &of_ring(2));
    // On several nodes, the library has threads whose atomics the sanitizer does not see. So the sanitizer must ignore
    // what the library does, and the test only checks that the program runs.
    let variables = [("CUSHMEM_GPU", "none"), ("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")];
    expect(&rig.run_on_nodes(2, &program, 2, &[], &variables), &of_ring(2));
}

/// Catches a benchmark that does not compile, or that finds a collective's result wrong.
#[test]
fn benchmarks_run() {
    let Some(rig) = Rig::find("capi::benchmarks_run") else { return };
    rig.file("bench.h", include_str!("../../../../apps/bench/c/bench.h"));
    let parts = [
        ("host_bench.c", include_str!("../../../../apps/bench/c/host_bench.c"), "host_put_signal_hh", 3, 1),
        ("coll_bench.c", include_str!("../../../../apps/bench/c/coll_bench.c"), "host_fcollect_hh", 3, 1),
        ("nodes_bench.c", include_str!("../../../../apps/bench/c/nodes_bench.c"), "nodes_sum_reduce", 2, 2),
    ];
    for (file, source, last, n, nodes) in parts {
        let program = rig.compile(file, source, Library::Shared, &["-std=gnu11"]);
        let job = if nodes == 1 {
            rig.run(&program, n, &["--smoke"], &[("CUSHMEM_GPU", "none")])
        } else {
            rig.run_on_nodes(nodes, &program, n, &["--smoke"], &[("CUSHMEM_GPU", "none")])
        };
        let measured = |l: &String| l.contains(&format!("\"metric\":\"{last}\""));
        assert!(job.status == Some(0) && job.lines.iter().any(measured), "{job:#?}");
    }
}

/// Catches a routine that uses another stream than the given one, waits, or does not recognise some kind of memory.
#[test]
fn streams_on_every_gpu() {
    let Some(rig) = Rig::find("capi::streams_on_every_gpu") else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let mut gpus = vec!["soft"];
    match cuda_gpus() {
        Ok(_) => gpus.push("cuda"),
        Err(reason) => record("capi::streams_on_every_gpu on CUDA", &reason),
    }
    for (file, mode) in [("streams.c", "-std=c11"), ("streams.cpp", "-std=c++11")] {
        let program = rig.compile(file, include_str!("streams.c"), Library::Shared, &[mode]);
        for (gpu, n) in gpus.iter().flat_map(|g| [(g, 1), (g, 2), (g, 4)]) {
            for variables in [&[("CUSHMEM_GPU", *gpu)][..], &[("CUSHMEM_GPU", gpu), ("CUSHMEM_P2P", "0")]] {
                all_checked(&rig.run(&program, n, &[], variables), n);
            }
        }
        for (gpu, n) in gpus.iter().flat_map(|g| [(g, 1), (g, 2), (g, 3)]) {
            all_checked(&rig.run(&program, n, &["own"], &[("CUSHMEM_GPU", gpu)]), n);
        }
    }
}

/// Catches a collective on a stream that uses another element type or another operation.
#[test]
fn stream_collectives_on_every_gpu() {
    let Some(rig) = Rig::find("capi::stream_collectives_on_every_gpu") else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let mut gpus = vec!["soft"];
    match cuda_gpus() {
        Ok(_) => gpus.push("cuda"),
        Err(reason) => record("capi::stream_collectives_on_every_gpu on CUDA", &reason),
    }
    let program =
        rig.compile("stream_collectives.c", include_str!("stream_collectives.c"), Library::Shared, &["-std=c11"]);
    for (gpu, n) in gpus.iter().flat_map(|g| [(g, 1), (g, 2), (g, 4)]) {
        all_checked(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", gpu)]), n);
    }
    for (gpu, n) in gpus.iter().flat_map(|g| [(g, 1), (g, 2), (g, 3)]) {
        all_checked(&rig.run(&program, n, &["own"], &[("CUSHMEM_GPU", gpu)]), n);
    }
}

/// Catches a C program that cannot make or synchronise a stream without CUDA, a stream that is destroyed before its
/// work is done, and on CUDA a handle that the driver does not know.
#[test]
fn streams_of_the_library() {
    let Some(rig) = Rig::find("capi::streams_of_the_library") else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let mut gpus = vec!["soft"];
    match cuda_gpus() {
        Ok(_) => gpus.push("cuda"),
        Err(reason) => record("capi::streams_of_the_library on CUDA", &reason),
    }
    for (file, mode) in [("own_streams.c", "-std=c11"), ("own_streams.cpp", "-std=c++11")] {
        let program = rig.compile(file, include_str!("own_streams.c"), Library::Shared, &[mode, "-ldl"]);
        for (gpu, n) in gpus.iter().flat_map(|g| [(g, 1), (g, 2), (g, 3)]) {
            all_checked(&rig.run(&program, n, &[gpu], &[("CUSHMEM_GPU", gpu)]), n);
        }
    }
}

/// Catches a quiet on a stream that does nothing. PEs must have no access to each other's GPUs, because otherwise the
/// stream itself completes what comes before.
#[test]
fn a_quiet_on_a_stream_waits_for_the_other_pe() {
    let Some(rig) = Rig::find("capi::a_quiet_on_a_stream_waits_for_the_other_pe") else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let program = rig.compile("stream_quiet.c", include_str!("stream_quiet.c"), Library::Shared, &["-std=gnu11"]);
    all_checked(&rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "soft"), ("CUSHMEM_P2P", "0")]), 2);
}

/// The example for programs without CUDA.
#[test]
fn gpu_stream_on_every_gpu() {
    let Some(rig) = Rig::find("capi::gpu_stream_on_every_gpu") else { return };
    let program = rig.compile("gpu-stream.c", GPU_STREAM, Library::Shared, &["-std=c11"]);
    let mut gpus = vec!["soft"];
    match cuda_gpus() {
        Ok(_) => gpus.push("cuda"),
        Err(reason) => record("capi::gpu_stream_on_every_gpu on CUDA", &reason),
    }
    for (gpu, n) in gpus.into_iter().flat_map(|g| [(g, 1), (g, 2), (g, 3)]) {
        let first = n * (n - 1) / 2;
        let line = |me| format!("PE {me} of {n}: the sums are {first} to {}", first + 999 * n);
        expect(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", gpu)]), &(0..n).map(line).collect::<Vec<_>>());
    }
    let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none")]);
    let said = job.lines.iter().any(|l| l.contains("shmemx_stream_create: this job runs without GPUs"));
    assert!(job.status == Some(1) && said, "{job:#?}");
}

/// Puts between GPU memories, which the library has to recognise from the addresses.
#[test]
fn gpu_ring_on_every_gpu() {
    let Some(rig) = Rig::find("capi::gpu_ring_on_every_gpu") else { return };
    let program = rig.compile("gpu-ring.c", GPU_RING, Library::Shared, &["-std=c11"]);
    let mut gpus = vec!["soft"];
    match cuda_gpus() {
        Ok(_) => gpus.push("cuda"),
        Err(reason) => record("capi::gpu_ring_on_every_gpu on CUDA", &reason),
    }
    for (gpu, n) in gpus.into_iter().flat_map(|g| [(g, 1), (g, 2), (g, 4)]) {
        let sum = |me: u32| 499_500 + 1000 * ((me + n - 1) % n);
        let lines: Vec<_> = (0..n).map(|me| format!("PE {me} of {n}: sum {}", sum(me))).collect();
        expect(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", gpu)]), &lines);
    }
    let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none")]);
    assert!(job.status == Some(1) && job.lines.iter().any(|l| l.contains("CUSHMEM_GPU=none")), "{job:#?}");
}

#[test]
fn mean_in_cpp() {
    let Some(rig) = Rig::find("capi::mean_in_cpp") else { return };
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("mean.cpp", MEAN, library, &["-std=c++11"]);
        let lines: Vec<_> = (0..3).map(|me| format!("PE {me} of 3: mean 10.0")).collect();
        expect(&rig.run(&program, 3, &[], &[]), &lines);
    }
}

/// Catches a type whose routines move a wrong number of bytes or compute something else.
#[test]
fn every_type_moves_and_counts() {
    let Some(rig) = Rig::find("capi::every_type_moves_and_counts") else { return };
    let mut source = String::from(include_str!("types.h"));
    let mut calls = String::new();
    let mut each = |check: &str, types: &Types| {
        for (t, (prefix, form)) in
            types.iter().flat_map(|t| [("shmem_", "plain"), ("shmem_ctx_", "context")].map(|f| (t, f)))
        {
            source += &format!("{check}({}, {}, {prefix}, {form})\n", t.name, t.c);
            calls += &format!("    {}_{form}_{}();\n", check.to_lowercase(), t.name);
        }
    };
    each("RMA", RMA);
    each("AMO", STANDARD_AMO);
    each("EXTENDED", EXTENDED_AMO);
    each("BITWISE", BITWISE_AMO);
    source += include_str!("waits.h");
    let mut once = |check: &str, types: &Types| {
        for t in types.iter() {
            source += &format!("{check}({}, {})\n", t.name, t.c);
            calls += &format!("    {}_{}();\n", check.to_lowercase(), t.name);
        }
    };
    once("WAITS", WAIT);
    once("WORD", WAIT);
    once("OLD_WAIT", OLD_WAIT);
    once("OLD_STANDARD", OLD_STANDARD);
    once("OLD_EXTENDED", OLD_EXTENDED);
    source += &format!("int main(void) {{\n    begin();\n{calls}    sizes();\n    old();\n    return end();\n}}\n");
    let program = rig.compile("types.c", &source, Library::Shared, &["-std=c11", "-DSHMEM_NO_DEPRECATED"]);
    let mut lines = vec!["0 wrong".to_owned(); 2];
    expect(&rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "soft")]), &lines);
    lines.push("cushmem: PE 0: shmemx_malloc_gpu: this job runs without GPUs (CUSHMEM_GPU=none)".to_owned());
    expect(&rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none")]), &lines);
    expect(&rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")]), &lines);
}

/// Catches a declaration that one of the languages refuses.
#[test]
fn the_headers_compile_in_every_mode() {
    let Some(rig) = Rig::find("capi::the_headers_compile_in_every_mode") else { return };
    let source = "#include <mpp/shmem.h>\n#include <mpp/shmemx.h>\n#include <pshmem.h>\nint main(void) { return 0; }\n";
    for mode in ["-std=c90", "-std=c99", "-std=c11", "-std=c17", "-std=gnu11"] {
        rig.compile("modes.c", source, Library::Shared, &[mode]);
    }
    for mode in ["-std=c++98", "-std=c++11", "-std=c++17", "-std=c++20"] {
        rig.compile("modes.cpp", source, Library::Shared, &[mode]);
    }
}

/// Catches a routine that is in the header but not in the library, or the reverse; a Rust name that is exported; and a
/// routine that programs cannot replace.
#[test]
fn both_libraries_export_the_table() {
    let Some(rig) = Rig::find("capi::both_libraries_export_the_table") else { return };
    let expected: BTreeSet<String> = cushmem_capi_table::names().into_iter().collect();
    let specified: BTreeSet<String> = cushmem_capi_table::prototypes().into_iter().map(|p| p.name).collect();
    for (library, option) in [("c/lib/libcushmem.so", "-D"), ("c/lib/libcushmem.a", "-g")] {
        let nm =
            Command::new("nm").args([option, "--defined-only"]).arg(rig.tool(library)).output().expect("nm starts");
        let text = String::from_utf8_lossy(&nm.stdout).into_owned();
        let of =
            |kind: &str| text.lines().filter_map(|l| Some(l.split_once(kind)?.1.to_owned())).collect::<BTreeSet<_>>();
        let (strong, weak) = (of(" T "), of(" W "));
        assert!(weak == specified, "{library}: not weak, or weak besides: {:?}", weak.symmetric_difference(&specified));
        let found: BTreeSet<String> = strong.union(&weak).cloned().collect();
        let missing: Vec<_> = expected.difference(&found).collect();
        let surplus: Vec<_> = found.difference(&expected).collect();
        assert!(missing.is_empty() && surplus.is_empty(), "{library} lacks {missing:?} and has besides {surplus:?}");
    }
}

#[test]
fn show_prints_the_command() {
    let Some(rig) = Rig::find("capi::show_prints_the_command") else { return };
    let show = |wrapper: &str, arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(rig.tool(wrapper));
        let job = Rig::finish(command.args(arguments).envs(variables.iter().copied()));
        assert_eq!((job.status, job.lines.len()), (Some(0), 1), "{job:#?}");
        job.lines[0].clone()
    };
    let line = show("shmemcc", &["-show", "-O2", "a b.c", "-o", "x"], &[("CUSHMEM_CC", "clang -v")]);
    assert!(line.starts_with("clang -v -I") && line.contains("-O2 'a b.c' -o x "), "{line}");
    let mark = "-Xlinker --defsym=cushmem_symmetric_globals=1";
    assert!(line.contains(mark), "{line}");
    assert!(line.ends_with(" -lcushmem") && line.contains(" -Xlinker -rpath -Xlinker "), "{line}");
    // nvcc knows neither `-Wl` nor `-pthread`, nor any other option that it would have to pass to the linker unchanged.
    let line = show("shmemcxx", &["-show", "a.cu"], &[("CUSHMEM_CXX", "nvcc")]);
    let known = |word: &str| ["-I", "-L", "-l", "-Xlinker"].iter().any(|option| word.starts_with(option));
    let mut words = line.split(' ').skip(1).filter(|word| *word != "a.cu").peekable();
    while let Some(word) = words.next() {
        assert!(known(word), "nvcc does not know {word}: {line}");
        if word == "-Xlinker" {
            assert!(words.next().is_some(), "{line}");
        }
    }
    let line = show("shmemcxx", &["-show", "-c", "a.cpp"], &[("CUSHMEM_CXX", "")]);
    assert!(line.starts_with("c++ -I") && line.ends_with("/include -c a.cpp"), "{line}");
    let line = show("shmemcc", &["a.c", "-show", "-cushmem-static"], &[]);
    assert!(line.contains("/libcushmem.a ") && !line.contains("-cushmem-static"), "{line}");
    let line = show("shmemcc", &["a.c", "-show", "-static"], &[]);
    assert!(line.contains(" -static ") && line.contains("/libcushmem.a ") && !line.contains("-lgcc_s"), "{line}");
    for option in ["-shared", "-cushmem-private-globals"] {
        let line = show("shmemcc", &["a.c", "-show", option], &[]);
        assert!(!line.contains(mark) && !line.contains("private-globals") && line.ends_with(" -lcushmem"), "{line}");
    }
}

/// The lock routines in C, with a lock among the globals and one in the heap. Two simultaneous holders would corrupt a
/// counter.
#[test]
fn locks_exclude() {
    const PROGRAM: &str = r#"
#include <shmem.h>
#include <stdio.h>

static long global_lock, global_count;

static void count_under(long *lock, long *count)
{
    for (int i = 0; i < 300; i++) {
        if (i % 2)
            shmem_set_lock(lock);
        else
            while (shmem_test_lock(lock))
                ;
        if (shmem_test_lock(lock) != 1)
            printf("two have the lock\n");
        shmem_long_p(count, shmem_long_g(count, 0) + 1, 0);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("count %ld\n", *count);
}

int main(void)
{
    shmem_init();
    count_under(&global_lock, &global_count);
    count_under(shmem_calloc(1, sizeof(long)), shmem_calloc(1, sizeof(long)));
    shmem_finalize();
    return 0;
}
"#;
    let Some(rig) = Rig::find("capi::locks_exclude") else { return };
    let program = rig.compile("locks.c", PROGRAM, Library::Shared, &["-std=c99"]);
    for n in [1, 2, 3, 4] {
        expect(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", "none")]), &vec![format!("count {}", 300 * n); 2]);
    }
}
