//! Compares families of routines with a naive model, and tests routines that a program replaces.

use cushmem_capi_tests::{Library, Rig};
use std::time::{SystemTime, UNIX_EPOCH};
use xtask::launch::network_is_like_tcp;

const STRIDED: &str = include_str!("strided.c");
const WHOLE_WORDS: &str = include_str!("whole-words.c");
const INTERPOSE: &str = include_str!("interpose.c");

/// Catches the stride of the wrong end, one block too many, a wrong element size, and changes to memory beside the
/// elements.
#[test]
fn strided_copies_are_those_of_a_loop() {
    let Some(rig) = Rig::find("capi::strided_copies_are_those_of_a_loop") else { return };
    let program = rig.compile("strided.c", STRIDED, Library::Shared, &["-std=c99"]);
    let given = std::env::var("CUSHMEM_TEST_SEED").ok();
    let seed = given.unwrap_or_else(|| {
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
        clock.to_string()
    });
    for (arguments, gpu, check, cases) in
        [(vec![&*seed], "none", "0", 2000), (vec![&*seed], "none", "1", 2000), (vec![&*seed, "gpu"], "soft", "0", 200)]
    {
        let variables = [("CUSHMEM_GPU", gpu), ("CUSHMEM_CHECK", check)];
        let job = match gpu {
            "none" => rig.run(&program, 2, &arguments, &variables),
            _ => rig.run(&program, 2, &arguments, &variables),
        };
        let right = (Some(0), vec![format!("0 of {cases} wrong")]);
        assert_eq!((job.status, job.lines), right, "CUSHMEM_TEST_SEED={seed} repeats it");
    }
}

/// Catches an element that is stored byte by byte, or with a copy into which the compiler turned a loop of stores.
#[test]
fn elements_are_stored_whole() {
    let Some(rig) = Rig::find("capi::elements_are_stored_whole") else { return };
    // Over such a network, each element takes some microseconds.
    let rounds = if network_is_like_tcp() { "50" } else { "1500" };
    for optimised in ["-O0", "-O3"] {
        let program = rig.compile("whole-words.c", WHOLE_WORDS, Library::Shared, &["-std=c99", optimised]);
        for gpu in ["none", "soft"] {
            let job = rig.run(&program, 2, &[rounds], &[("CUSHMEM_GPU", gpu)]);
            let right = (Some(0), vec!["0 mixtures, elements seen".to_owned()]);
            assert_eq!((job.status, job.lines), right, "{optimised}, {gpu}");
        }
    }
}

/// Catches a library that calls its own routine where the program has replaced it, and one that calls the program's
/// routine where it needs its own.
#[test]
fn a_program_can_replace_routines() {
    let Some(rig) = Rig::find("capi::a_program_can_replace_routines") else { return };
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("interpose.c", INTERPOSE, library, &["-std=c99"]);
        let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none")]);
        let line = |pe: u32| format!("PE {pe}: through beside 1.5; 1 put, 1 barrier, 0 long double, level 2");
        assert_eq!((job.status, job.lines), (Some(0), vec![line(0), line(1)]), "{library:?}");
    }
}

/// A profiling library that is placed before the library when the program starts.
#[test]
fn a_profiling_library_sees_the_programs_calls() {
    let Some(rig) = Rig::find("capi::a_profiling_library_sees_the_programs_calls") else { return };
    let profiler = "#include <pshmem.h>\n#include <stdio.h>\n\
        void shmem_long_p(long *dest, long value, int pe)\n{\n    pshmem_long_p(dest, 10 * value, pe);\n}\n\
        void shmem_finalize(void)\n{\n    printf(\"profiled\\n\");\n    fflush(stdout);\n    pshmem_finalize();\n}\n";
    let program = "#include <shmem.h>\n#include <stdio.h>\n\
        int main(void)\n{\n    shmem_init();\n    long *word = shmem_calloc(1, 8);\n    shmem_long_p(word, 7, 0);\n    shmem_barrier_all();\n\
        \x20   printf(\"%ld\\n\", *word);\n    shmem_free(word);\n    shmem_finalize();\n    return 0;\n}\n";
    let profiler = rig.compile("profiler.c", profiler, Library::Shared, &["-std=c11", "-shared", "-fPIC"]);
    let program = rig.compile("profiled.c", program, Library::Shared, &["-std=c11"]);
    // Names in LD_PRELOAD end at a space.
    let name = profiler.file_name().expect("a name").to_string_lossy();
    let folder = rig.path("").to_string_lossy().into_owned();
    let variables = [("CUSHMEM_GPU", "none"), ("LD_PRELOAD", &*name), ("LD_LIBRARY_PATH", &*folder)];
    let job = rig.run(&program, 1, &[], &variables);
    assert_eq!((job.status, job.lines), (Some(0), vec!["70".to_owned(), "profiled".to_owned()]));
    let job = rig.run(&program, 1, &[], &[("CUSHMEM_GPU", "none")]);
    assert_eq!((job.status, job.lines), (Some(0), vec!["7".to_owned()]));
}
