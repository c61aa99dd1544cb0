//! What a C program is told after a mistake: one row for each mistake.

use cushmem_capi_tests::{Library, Rig};

const PROGRAM: &str = include_str!("errors.c");

struct Row {
    /// What the program does wrong.
    mistake: &'static str,
    variables: &'static [(&'static str, &'static str)],
    /// The job's exit status.
    status: i32,
    /// A line that the job prints; `…` stands for anything.
    line: &'static str,
}

const fn row(mistake: &'static str, line: &'static str) -> Row {
    Row { mistake, variables: &[("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "2M")], status: 134, line }
}

const fn check(mistake: &'static str, line: &'static str) -> Row {
    Row { variables: &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")], ..row(mistake, line) }
}

const fn soft(mistake: &'static str, line: &'static str) -> Row {
    Row { variables: &[("CUSHMEM_GPU", "soft"), ("CUSHMEM_GPU_HEAP_SIZE", "32M")], ..row(mistake, line) }
}

const SIZES_DIFFER: &str = "cushmem: PE 0: shmem_malloc: argument size: 64 on this PE, but … on PE 1";
const GPU_SIZES_DIFFER: &str = "cushmem: PE 0: shmemx_malloc_gpu: argument size: 64 on this PE, but 50331648 on PE 1";

const ROWS: &[Row] = &[
    row("pe", "cushmem: PE 1: shmem_putmem: argument pe: 7 is out of range (0 to 1)"),
    row("negative-pe", "cushmem: PE 1: shmem_long_g: argument pe: -1 is out of range (0 to 1)"),
    row("pe-of-atomic", "cushmem: PE 1: shmem_long_atomic_inc: argument pe: 2 is out of range (0 to 1)"),
    row("pe-of-ptr", "cushmem: PE 1: shmem_ptr: argument pe: 2 is out of range (0 to 1)"),
    row(
        "private-dest",
        "cushmem: PE 1: shmem_long_put: argument dest: 0x… is not symmetric memory of this PE (memory from shmem_malloc and the program's non-const globals are)",
    ),
    row("private-source", "cushmem: PE 1: shmem_getmem: argument source: 0x… is not symmetric memory of this PE …"),
    row("null-dest", "cushmem: PE 1: shmem_long_p: argument dest: NULL is not symmetric memory of this PE …"),
    row("null-source", "cushmem: PE 1: shmem_putmem: argument source: NULL is not a valid address"),
    row(
        "past-end",
        "cushmem: PE 1: shmem_long_put: argument nelems: 1048576 from dest 0x… reaches past the end of the symmetric heap, where … bytes are left",
    ),
    row(
        "overflow",
        "cushmem: PE 1: shmem_put64: argument nelems: 2305843009213693952 from dest 0x… reaches past the end …",
    ),
    row("misaligned", "cushmem: PE 1: shmem_int_atomic_add: argument dest: 0x… is not aligned to 4 bytes"),
    row(
        "private-signal",
        "cushmem: PE 1: shmem_putmem_signal: argument sig_addr: 0x… is not symmetric memory of this PE …",
    ),
    row(
        "signal-operation",
        "cushmem: PE 1: shmem_putmem_signal: argument sig_op: 3 is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)",
    ),
    row(
        "comparison",
        "cushmem: PE 1: shmem_long_wait_until: argument cmp: 6 is not SHMEM_CMP_EQ (0) to SHMEM_CMP_GE (5)",
    ),
    row(
        "private-wait",
        "cushmem: PE 1: shmem_long_wait_until: argument ivar: 0x… is not symmetric memory of this PE …",
    ),
    row(
        "strided-past-end",
        "cushmem: PE 1: shmem_long_iput: argument nelems: 2 from dest 0x… reaches past the end of the symmetric heap, where … bytes are left",
    ),
    row("stride-zero", "cushmem: PE 1: shmem_long_iput: argument dst: 0 is not at least 1"),
    row("stride-zero-at-source", "cushmem: PE 1: shmem_iget32: argument sst: 0 is not at least 1"),
    row("stride-below", "cushmem: PE 1: shmem_ctx_long_iget: argument sst: -9223372036854775808 is not at least 1"),
    row("stride-in-block", "cushmem: PE 1: shmem_ibput64: argument dst: 3 is not at least 4, the length of a block"),
    row(
        "stride-in-block-at-source",
        "cushmem: PE 1: shmem_long_ibget: argument sst: 3 is not at least 4, the length of a block",
    ),
    soft("stride-on-stream", "cushmem: PE 1: shmemx_long_iput_on_stream: argument dst: 0 is not at least 1"),
    row(
        "globals-overflow",
        "cushmem: PE 1: shmem_iput64: argument nelems: 3 from dest 0x… reaches past the end of the globals, …",
    ),
    row("strided-private", "cushmem: PE 1: shmem_ibput32: argument dest: 0x… is not symmetric memory of this PE …"),
    row(
        "strided-overflow",
        "cushmem: PE 1: shmem_ibget64: argument nblocks: 18446744073709551615 from source 0x… reaches past the end …",
    ),
    row(
        "strided-source-overflow",
        "cushmem: PE 1: shmem_long_iput: argument nelems: 3 from source 0x… reaches past the end of the address space",
    ),
    row(
        "strided-target-overflow",
        "cushmem: PE 1: shmem_ibget32: argument nblocks: 3 from dest 0x… reaches past the end of the address space",
    ),
    row(
        "blocks-past-end",
        "cushmem: PE 1: shmem_ibput32: argument nblocks: 3 from dest 0x… reaches past the end of the symmetric heap, where … bytes are left",
    ),
    row(
        "word-past-end",
        "cushmem: PE 1: shmem_long_p: argument dest: 0x… reaches past the end of the symmetric heap, where 4 bytes are left",
    ),
    row("atomic-past-end", "cushmem: PE 1: shmem_long_atomic_inc: argument dest: 0x… reaches past the end …"),
    row("wait-past-end", "cushmem: PE 1: shmem_long_test: argument ivar: 0x… reaches past the end …"),
    row("strided-null", "cushmem: PE 1: shmem_iput64: argument source: NULL is not a valid address"),
    row("invalid-context", "cushmem: PE 1: shmem_ctx_long_p: argument ctx: SHMEM_CTX_INVALID is not a context"),
    row("no-context", "cushmem: PE 1: shmem_ctx_quiet: argument ctx: 0x4d is not a context, or was destroyed"),
    row("pe-of-context", "cushmem: PE 1: shmem_ctx_long_p: argument pe: 2 is out of range (0 to 1)"),
    row("invalid-team", "cushmem: PE 1: shmem_long_sum_reduce: argument team: SHMEM_TEAM_INVALID is not a team"),
    row("no-team", "cushmem: PE 1: shmem_team_sync: argument team: 0x3c is not a team, or was destroyed"),
    row(
        "reduce-past-end",
        "cushmem: PE 1: shmem_long_sum_reduce: argument nreduce: 1048576 from source 0x… reaches past the end …",
    ),
    row(
        "to-all-past-end",
        "cushmem: PE 1: shmem_long_sum_to_all: argument nreduce: 1048576 from source 0x… reaches past the end …",
    ),
    row(
        "scan-past-end",
        "cushmem: PE 1: shmem_long_sum_inscan: argument nelems: 1048576 from source 0x… reaches past the end …",
    ),
    row(
        "root-of-set",
        "cushmem: PE 1: shmem_broadcast64: argument PE_root: -1 is out of range (0 to 0) in the active set",
    ),
    row(
        "root-of-all",
        "cushmem: PE 1: shmem_broadcast64: argument PE_root: 2 is out of range (0 to 1) in the active set",
    ),
    row("root", "cushmem: PE 1: shmem_long_broadcast: argument PE_root: 2 is out of range (0 to 1) in the team"),
    row(
        "collective-private",
        "cushmem: PE 1: shmem_long_fcollect: argument dest: 0x… is not symmetric memory of this PE …",
    ),
    row(
        "collective-past-end",
        "cushmem: PE 1: shmem_long_alltoall: argument nelems: 1048576 from source 0x… reaches past the end …",
    ),
    row("collective-stride", "cushmem: PE 1: shmem_long_alltoalls: argument sst: 0 is not at least 1"),
    row("world-destroyed", "cushmem: PE 1: shmem_team_destroy: argument team: … cannot be destroyed"),
    row(
        "config-mask",
        "cushmem: PE 1: shmem_team_split_strided: argument config: NULL, although config_mask says that it is used",
    ),
    row("context-options", "cushmem: PE 1: shmem_ctx_create: argument options: 0x40 is not a combination of …"),
    row(
        "active-set",
        "cushmem: PE 1: shmem_barrier: arguments PE_start, logPE_stride, PE_size: 0, 1, 2 are not all PEs of the job (0 to 1)",
    ),
    Row { status: 0, ..row("outside-set", "PE 1: returned") },
    check(
        "outside-set",
        "cushmem: PE 1: shmem_barrier: arguments PE_start, logPE_stride, PE_size: 0, 0, 1 do not include this PE",
    ),
    row(
        "pe-of-team",
        "cushmem: PE 1: shmem_ctx_long_p: argument pe: 2 is out of range (0 to 1, the PEs of the context's team)",
    ),
    row(
        "negative-pe-of-team",
        "cushmem: PE 1: shmem_ctx_long_g: argument pe: -1 is out of range (0 to 1, the PEs of the context's team)",
    ),
    row("destroyed-context", "cushmem: PE 1: shmem_ctx_long_p: argument ctx: 0x2 is not a context, or was destroyed"),
    row("fetch-null", "cushmem: PE 1: shmem_long_atomic_fetch_inc_nbi: argument fetch: NULL is not a valid address"),
    row("pe-quiet", "cushmem: PE 1: shmem_pe_quiet: argument target_pes: element 1 is 5, out of range (0 to 1)"),
    soft(
        "exchange-pes",
        "cushmem: PE 1: shmemx_signal_exchange_on_stream: argument to_pes: element 2 is -3, out of range (0 to 1)",
    ),
    soft(
        "exchange-null",
        "cushmem: PE 1: shmemx_signal_exchange_on_stream: argument from_pes: NULL is not a valid address",
    ),
    row("indices-null", "cushmem: PE 1: shmem_long_test_some: argument indices: NULL is not a valid address"),
    row(
        "values-null",
        "cushmem: PE 1: shmem_long_wait_until_all_vector: argument cmp_values: NULL is not a valid address",
    ),
    row(
        "array-past-end",
        "cushmem: PE 1: shmem_long_test_any: argument nelems: 1048576 from ivars 0x… reaches past the end …",
    ),
    row(
        "array-overflow",
        "cushmem: PE 1: shmem_long_test_any: argument nelems: 2305843009213693952 from ivars 0x… reaches past the end …",
    ),
    row("alignment", "cushmem: PE 1: shmem_align: argument alignment: 3 is not a power of two"),
    Row {
        status: 0,
        ..row("large-alignment", "cushmem: PE 0: shmem_align: argument alignment: 4194304 is more than 2097152, …")
    },
    Row {
        status: 0,
        variables: &[("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "4M")],
        ..row(
            "large-alignment",
            "cushmem: PE 0: shmem_align: argument size: 8 bytes at a multiple of 4194304 do not fit into the heap of 4194304 bytes (SHMEM_SYMMETRIC_SIZE enlarges it)",
        )
    },
    Row { status: 0, ..row("large-alignment", "PE 1: NULL") },
    row("realloc-private", "cushmem: PE 1: shmem_realloc: argument ptr: 0x… is not symmetric memory of this PE …"),
    row(
        "realloc-inside",
        "cushmem: PE 1: shmem_realloc: argument ptr: 0x… is not the start of an object of the symmetric heap",
    ),
    row("free-private", "cushmem: PE 1: shmem_free: argument ptr: 0x… is not symmetric memory of this PE …"),
    row(
        "free-inside",
        "cushmem: PE …: shmem_free: argument ptr: 0x… is not the start of an object of the symmetric heap",
    ),
    row("lock-not-held", "cushmem: PE 1: shmem_clear_lock: argument lock: 0x…: this PE does not hold the lock"),
    row("lock-held", "cushmem: PE 1: shmem_set_lock: argument lock: 0x…: this PE already holds the lock, …"),
    row(
        "lock-damaged",
        "cushmem: PE 1: shmem_set_lock: argument lock: 0x…: a word of the lock is 0x4d: it was not 0 …",
    ),
    row("private-lock", "cushmem: PE 1: shmem_test_lock: argument lock: 0x… is not symmetric memory of this PE …"),
    row("module", "cushmem: PE 1: shmemx_module_init: argument module: NULL is not a module"),
    soft("no-module", "cushmem: PE 1: shmemx_module_init: … the emulated GPU has no modules of CUDA"),
    soft("no-library", "cushmem: PE 1: shmemx_library_init: … the emulated GPU has no libraries of CUDA"),
    soft("no-module-to-forget", "cushmem: PE 1: shmemx_module_finalize: … the emulated GPU has no modules of CUDA"),
    row("stream-null", "cushmem: PE 1: shmemx_stream_create: argument stream: NULL is not a valid address"),
    soft(
        "stream-default",
        "cushmem: PE 1: shmemx_stream_destroy: argument stream: NULL is not a stream of shmemx_stream_create, or was destroyed",
    ),
    soft(
        "stream-destroyed-twice",
        "cushmem: PE 1: shmemx_stream_destroy: argument stream: 0x… is not a stream of shmemx_stream_create, or was destroyed",
    ),
    soft("stream-unknown", "cushmem: PE 1: shmemx_stream_synchronize: … 0x… is not a stream …, or was destroyed"),
    soft(
        "stream-synchronized-later",
        "cushmem: PE 1: shmemx_stream_synchronize: … 0x… is not a stream …, or was destroyed",
    ),
    soft("stream-destroyed", "cushmem: PE 1: shmemx_putmem_on_stream: … 0x… is not a stream …, or was destroyed"),
    Row {
        status: 0,
        ..row("stream-of-none", "cushmem: PE 1: shmemx_stream_create: this job runs without GPUs (CUSHMEM_GPU=none)")
    },
    Row { status: 0, ..row("stream-of-none", "PE 1: 1") },
    // Only one PE has such kernels.
    soft(
        "image-version",
        "cushmem: PE 1: shmemx_malloc_gpu: kernels of old.cu were compiled with headers for version 0 of the device ABI, the library has …",
    ),
    soft("null-source", "cushmem: PE 1: shmem_putmem: argument source: NULL is not a valid address"),
    row("before-init", "cushmem: PE …: shmem_barrier_all: called before shmem_init"),
    row("after-finalize", "cushmem: PE 1: shmem_quiet: called after shmem_finalize"),
    row(
        "double-free",
        "cushmem: PE 1: shmem_free: argument ptr: 0x… is not the start of an object of the symmetric heap",
    ),
    row("sizes-differ", SIZES_DIFFER),
    row("fitting-differs", SIZES_DIFFER),
    soft("pinned-sizes-differ", SIZES_DIFFER),
    Row { variables: &[("CUSHMEM_GPU", "soft")], ..row("gpu-sizes-differ", GPU_SIZES_DIFFER) },
    // The barrier finds the error, or the thread that copies through host memory if the GPUs are not mapped, in
    // whichever call comes first.
    Row {
        status: 1,
        ..soft(
            "failing-copy",
            "shmemrun: PE 1 ended the job with status 1: …copy: …: a copy to …: no device memory is mapped at …",
        )
    },
    row("one-allocates", "cushmem: PE 1: shmem_malloc: all PEs must call it, but PE 0 is in a barrier"),
    row("routines-differ", "cushmem: PE 0: shmem_malloc: all PEs must call it, but PE 1 called shmem_calloc"),
    row(
        "free-differs",
        "cushmem: PE 0: shmem_free: argument ptr: byte … of the heap on this PE, but byte … of the heap on PE 1",
    ),
    check("team-root", "cushmem: PE 0: broadcast: argument PE_root: 0 on this PE, but 1 on PE 1"),
    check("team-nelems", "cushmem: PE 0: reduce: argument nreduce: 4 on this PE, but 0 on PE 1"),
    check(
        "team-dest",
        "cushmem: PE 0: fcollect: argument dest: byte … of the heap on this PE, but byte … of the heap on PE 1",
    ),
    check("team-stride", "cushmem: PE 0: alltoalls: argument dst: 1 on this PE, but 2 on PE 1"),
    check("team-routine", "cushmem: PE 0: team_sync: all PEs must call it, but PE 1 called collect"),
    check("team-split", "cushmem: PE 0: team_split_strided: argument start: 0 on this PE, but -1 on PE 1"),
    check(
        "team-overlap",
        "cushmem: PE …: shmem_long_sum_reduce: argument source: 0x… overlaps the other end of the copy",
    ),
    check("zero-differs", "cushmem: PE 0: shmem_malloc: argument size: 64 on this PE, but 0 on PE 1"),
    check("null-differs", "cushmem: PE 0: shmem_free: argument ptr: byte … of the heap on this PE, but NULL on PE 1"),
    check("freed-dest", "cushmem: PE 1: shmem_putmem: argument dest: 0x… lies in an object that was freed"),
    check("freed-source", "cushmem: PE 1: shmem_getmem: argument source: 0x… lies in an object that was freed"),
    check("freed-private-end", "cushmem: PE 1: shmem_putmem: argument source: 0x… lies in an object that was freed"),
    check("freed-peer", "cushmem: PE 1: shmem_getmem: argument dest: 0x… lies in an object that was freed"),
    check("freed-p", "cushmem: PE 1: shmem_long_p: argument dest: 0x… lies in an object that was freed"),
    check("freed-g", "cushmem: PE 1: shmem_long_g: argument source: 0x… lies in an object that was freed"),
    check("freed-atomic", "cushmem: PE 1: shmem_long_atomic_inc: argument dest: 0x… lies in an object that was freed"),
    check("freed-wait", "cushmem: PE 1: shmem_long_wait_until: argument ivar: 0x… lies in an object that was freed"),
    check(
        "freed-signal",
        "cushmem: PE 1: shmem_putmem_signal: argument sig_addr: 0x… lies in an object that was freed",
    ),
    check(
        "past-object",
        "cushmem: PE 1: shmem_long_put: argument nelems: 129 from dest 0x… reaches past the end of its object, where 1024 bytes are left",
    ),
    check(
        "past-object-by-one",
        "cushmem: PE 1: shmem_char_p: argument dest: 0x… lies in the symmetric heap, but in no object",
    ),
    check(
        "past-private-object",
        "cushmem: PE 1: shmem_getmem: argument nelems: 16 from dest 0x… reaches past the end of its object, where 8 bytes are left",
    ),
    check(
        "between-objects",
        "cushmem: PE 1: shmem_long_p: argument dest: 0x… lies in the symmetric heap, but in no object",
    ),
    check(
        "overlap",
        "cushmem: PE 1: shmem_putmem: argument source: 0x… overlaps dest 0x…: they must be the same or not overlap",
    ),
    check("overlap-of-get", "cushmem: PE 1: shmem_getmem: argument dest: 0x… overlaps source 0x…: …"),
    check("double-free", "cushmem: PE 1: shmem_free: argument ptr: 0x… lies in an object that was freed"),
    check("pe", "cushmem: PE 1: shmem_putmem: argument pe: 7 is out of range (0 to 1)"),
    check("misaligned", "cushmem: PE 1: shmem_int_atomic_add: argument dest: 0x… is not aligned to 4 bytes"),
    check("private-dest", "cushmem: PE 1: shmem_long_put: argument dest: 0x… is not symmetric memory of this PE …"),
    Row { status: 0, ..check("leaks", "cushmem: PE 0: finalize: not freed: 24 bytes at 0x…, from allocation 2") },
    Row { status: 0, ..check("leaks", "cushmem: PE 0: finalize: not freed: 72 bytes at 0x…, from allocation 11") },
    Row { status: 0, ..check("leaks", "cushmem: PE 0: finalize: not freed: 2 more objects") },
    Row { status: 0, ..row("realloc-exhausted", "PE 1: kept") },
    Row {
        variables: &[("CUSHMEM_CHECK", "yes")],
        status: 1,
        ..row("nothing", "cushmem: shmem_init: read CUSHMEM_CHECK: `yes` is not 0 or 1")
    },
    Row {
        variables: &[("CUSHMEM_HUGE_PAGES", "1")],
        status: 1,
        ..row("nothing", "cushmem: shmem_init: read CUSHMEM_HUGE_PAGES: `1` is not one of auto, never, reserved")
    },
    Row {
        variables: &[("CUSHMEM_FLUSH", "always")],
        status: 1,
        ..row("nothing", "cushmem: shmem_init: read CUSHMEM_FLUSH: `always` is not one of never, barrier")
    },
    Row {
        status: 0,
        ..row(
            "exhausted",
            "cushmem: PE 0: shmem_malloc: argument size: 16777216 bytes do not fit into the heap of 2097152 bytes (SHMEM_SYMMETRIC_SIZE enlarges it)",
        )
    },
    Row {
        status: 0,
        ..soft(
            "gpu-exhausted",
            "cushmem: PE 0: shmemx_malloc_gpu: argument size: 67108864 bytes do not fit into the heap of 33554432 bytes (CUSHMEM_GPU_HEAP_SIZE enlarges it)",
        )
    },
];

/// Whether the line is the pattern, in which `…` stands for anything.
fn fits(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        if i + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[test]
fn each_mistake_ends_with_its_line() {
    let Some(rig) = Rig::find("capi::each_mistake_ends_with_its_line") else { return };
    let program = rig.compile("errors.c", PROGRAM, Library::Shared, &["-std=c99"]);
    let mut wrong = vec![];
    for &Row { mistake, variables, status, line } in ROWS {
        let job = rig.run(&program, 2, &[mistake], variables);
        if job.status != Some(status) || !job.lines.iter().any(|l| fits(l, line)) {
            wrong.push(format!("{mistake}: wanted {status} and `{line}`: {job:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Catches an active set whose members call with different arguments, which check mode has to find. The set does not
/// contain all PEs, because such a set is a team.
#[test]
fn active_sets_that_disagree() {
    let Some(rig) = Rig::find("capi::active_sets_that_disagree") else { return };
    let program = rig.compile("errors.c", PROGRAM, Library::Shared, &["-std=c99"]);
    let checked = [("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")];
    for mistake in ["set-nelems", "set-root", "set-dest", "set-stride", "set-routine"] {
        for n in [3, 4] {
            let job = rig.run(&program, n, &[mistake], &checked);
            let line = "the PEs of the active set do not all give the same arguments";
            let said = job.lines.iter().any(|l| l.starts_with("cushmem: PE ") && l.ends_with(line));
            assert!(job.status == Some(134) && said, "{mistake} with {n} PEs: {job:#?}");
        }
    }
}

/// Catches the line about a mistake if it is hidden among other lines, or printed twice.
#[test]
fn a_mistake_is_said_once() {
    let Some(rig) = Rig::find("capi::a_mistake_is_said_once") else { return };
    let program = rig.compile("errors.c", PROGRAM, Library::Static, &[]);
    let job = rig.run(&program, 3, &["private-dest"], &[("CUSHMEM_GPU", "none")]);
    assert_eq!(job.lines.iter().filter(|l| l.starts_with("cushmem: ")).count(), 1, "{job:#?}");
    let job = rig.run(&program, 3, &["exhausted"], &[("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "1M")]);
    assert_eq!(
        (job.lines.len(), &job.lines[..3]),
        (4, ["PE 0: NULL", "PE 1: NULL", "PE 2: NULL"].map(str::to_owned).as_slice())
    );
}

/// These are not mistakes: asking for nothing returns nothing, and the end of `main` leaves the job.
#[test]
fn nothing_is_said_of_what_is_allowed() {
    let Some(rig) = Rig::find("capi::nothing_is_said_of_what_is_allowed") else { return };
    let program = rig.compile("errors.c", PROGRAM, Library::Shared, &[]);
    let job = rig.run(&program, 2, &["nothing"], &[("CUSHMEM_CHECK", "1"), ("CUSHMEM_GPU", "none")]);
    assert_eq!((job.status, job.lines), (Some(0), vec!["PE 0: NULL".to_owned(), "PE 1: NULL".to_owned()]));
    let job = rig.run(&program, 3, &["no-finalize"], &[]);
    assert_eq!((job.status, job.lines), (Some(0), vec![]));
}
