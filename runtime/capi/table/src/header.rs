//! Writes the headers.

use crate::generic::generics;
use crate::routine::{Family, Prototype};
use crate::routines::{ALIASES, AREAS, SHMEMX, prototypes};
use std::fmt::Write as _;

const HEAD: &str = include_str!("head.h");

/// C++98 and C90 do not have `long long`, but their compilers do.
const OLD_BEGIN: &str = r#"
#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif
"#;

const OLD_END: &str = r"
#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
";

const C_BEGIN: &str = r#"
#ifdef __cplusplus
extern "C" {
#endif
"#;

const C_END: &str = r"
#ifdef __cplusplus
}
#endif
";

/// What kernels in CUDA C++ need besides.
const KERNELS: &str = "
#ifdef __CUDACC__
#include <shmemx_device.cuh>
#endif
";

/// What NVRTC, which compiles kernels alone, does not read.
const HOST_BEGIN: &str = "\n#ifndef __CUDACC_RTC__";
const HOST_END: &str = "#endif\n";

const GUARD_END: &str = "\n#endif\n";

/// Headers that old programs look for in this folder.
const MPP: [(&str, &str); 2] = [("mpp/shmem.h", "shmem.h"), ("mpp/shmemx.h", "shmemx.h")];

/// Each header's path and text.
pub fn headers() -> Vec<(&'static str, String)> {
    let [tasks, arrays] = [include_str!("tasks.cuh"), include_str!("arrays.cuh")].map(str::to_owned);
    let kernels = [("shmemx_tasks.cuh", tasks), ("shmemx_arrays.cuh", arrays)];
    let own = [("shmem.h", shmem_h()), ("pshmem.h", pshmem_h()), ("shmemx.h", shmemx_h())].into_iter().chain(kernels);
    let text = |of| {
        format!("/* For old programs, which look here. `cargo xtask headers` writes this file. */\n#include <{of}>\n")
    };
    own.chain(MPP.map(|(name, of)| (name, text(of)))).collect()
}

fn shmem_h() -> String {
    let mut text = HEAD
        .replace("VERSION\"", concat!(env!("CARGO_PKG_VERSION"), "\""))
        .replace(" MAJOR\n", concat!(" ", env!("CARGO_PKG_VERSION_MAJOR"), "\n"))
        .replace(" MINOR\n", concat!(" ", env!("CARGO_PKG_VERSION_MINOR"), "\n"))
        .replace(" PATCH\n", concat!(" ", env!("CARGO_PKG_VERSION_PATCH"), "\n"));
    text += HOST_BEGIN;
    text += OLD_BEGIN;
    text += C_BEGIN;
    let families: Vec<&Family> = AREAS.iter().copied().flatten().collect();
    for family in &families {
        title(&mut text, family.title);
        family.prototypes().iter().for_each(|p| declare(&mut text, p));
    }
    title(&mut text, "Names from before 1.2");
    ALIASES.iter().for_each(|(routine, _)| declare(&mut text, &routine.plain()));
    text + C_END + &generics(&families, &prototypes()) + OLD_END + HOST_END + KERNELS + GUARD_END
}

fn pshmem_h() -> String {
    let mut text = "/* The twins that profiling libraries call (OpenSHMEM 1.6, chapter 10). `cargo xtask headers` writes this file. */\n".to_owned();
    text += "#ifndef PSHMEM_H\n#define PSHMEM_H\n\n#include <shmem.h>\n";
    text += OLD_BEGIN;
    text += C_BEGIN;
    text += "\n";
    for prototype in prototypes() {
        declare(
            &mut text,
            &Prototype { name: prototype.twin(), deprecated: false, device: String::new(), ..prototype },
        );
    }
    text + C_END + OLD_END + GUARD_END
}

fn shmemx_h() -> String {
    let mut text = "/* Extensions of cushmem to OpenSHMEM. `cargo xtask headers` writes this file. */\n".to_owned();
    text += "#ifndef SHMEMX_H\n#define SHMEMX_H\n\n#include <shmem.h>\n\n";
    text += "/* For shmem_malloc_with_hints: GPU memory, as from shmemx_malloc_gpu. It is ignored beside bits that are no hints. */\n#define SHMEMX_MALLOC_GPU (1L << 16)\n";
    text += "\n/* Identifies a job whose processes join without a launcher. The bytes are opaque to programs. */\n";
    text += "typedef struct { unsigned char bytes[128]; } shmemx_uniqueid_t;\n";
    text += DESCRIBED;
    text += TASKS;
    text += ARRAYS;
    title(&mut text, "The team of the PEs on this node");
    text += "#define SHMEMX_TEAM_NODE SHMEM_TEAM_SHARED\n";
    title(&mut text, "A stream: on a real GPU a CUstream or cudaStream_t");
    text += "typedef void *shmemx_stream_t;\n";
    text += HOST_BEGIN;
    text += OLD_BEGIN;
    text += C_BEGIN;
    for family in SHMEMX.iter().copied().flatten() {
        title(&mut text, family.title);
        family.prototypes().iter().for_each(|p| declare(&mut text, p));
    }
    text += C_END;
    text += OLD_END;
    text += HOST_END;
    title(&mut text, "Names of extensions that became standard in 1.6");
    for name in extensions() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#define {} {name}", name.replacen("shmem_", "shmemx_", 1));
    }
    text + IN_KERNELS + GUARD_END
}

/// What kernels in CUDA C++ need besides.
const IN_KERNELS: &str = "
#ifdef __CUDACC__
#include <shmemx_tasks.cuh>
#include <shmemx_arrays.cuh>
#endif
";

/// Introduces the later part of the header.
const DESCRIBED: &str = "
/* An operation that starts later. Members that its kind does not name are ignored, except `by_proxy`: if it is not 0,
   the CPU carries the operation out even where a kernel could. */
#define SHMEMX_OP_PUT 1        /* dest on PE pe, source, nbytes */
#define SHMEMX_OP_PUT_SIGNAL 2 /* like SHMEMX_OP_PUT, and sig_addr, value, sig_op */
#define SHMEMX_OP_SIGNAL 3     /* sig_addr on PE pe, value, sig_op */
#define SHMEMX_OP_GET 4        /* dest, source on PE pe, nbytes */
#define SHMEMX_OP_SET 5        /* dest on PE pe, a word of 4 or 8 nbytes, value; the next four are alike */
#define SHMEMX_OP_ADD 6
#define SHMEMX_OP_AND 7
#define SHMEMX_OP_OR 8
#define SHMEMX_OP_XOR 9
#define SHMEMX_OP_TRIGGER 10   /* next, which nothing else may bump; for shmemx_trigger_create only */
typedef struct shmemx_impl_prepared *shmemx_prepared_t;
typedef struct shmemx_impl_trigger *shmemx_trigger_t;
typedef struct {
    int kind;
    int pe;
    void *dest;
    const void *source;
    size_t nbytes;
    uint64_t *sig_addr;
    uint64_t value;
    int sig_op;
    int by_proxy;
    shmemx_trigger_t next;
} shmemx_op_t;
/* Their forms as parameters of kernels. */
typedef struct { uint32_t index, generation; } shmemx_device_prepared_t;
typedef struct { uint64_t record; } shmemx_device_trigger_t;
";

/// Introduces the later part of the header too.
const TASKS: &str = "
/* Puts with a task. A member of the options that is 0 has its usual value: 64 slots, 1 block of 128 threads. */
typedef struct shmemx_impl_task_queue *shmemx_task_queue_t;
typedef struct {
    size_t slots;     /* how many tasks of a PE's kernels, and as many of its CPU, can wait at each PE */
    unsigned blocks;  /* blocks of the executor, each of which runs a task at a time: at most 32 */
    unsigned threads; /* of a block: a multiple of 32 */
    int launched;     /* not 0: the executor does not stay on the GPU, but is launched when tasks have come */
} shmemx_task_options_t;
typedef struct {
    int function;          /* its place in `functions` of shmemx_task_queue_create */
    int buffer;            /* where the data go: a result of shmemx_task_buffer, or -1 without data */
    size_t offset;         /* the first byte of the data in the buffer */
    uint64_t arguments[6]; /* each holds the bits of a number of up to 8 bytes; those of a signed one are extended */
    uint64_t *done;        /* a symmetric signal of this PE, updated when the function has returned, or NULL */
    uint64_t value;        /* its value, and */
    int sig_op;            /* SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD */
} shmemx_task_t;
/* The form as a parameter of kernels. */
typedef struct { uint64_t address; } shmemx_device_task_queue_t;
";

/// Introduces the later part of the header too.
const ARRAYS: &str = "
/* Arrays larger than a GPU. A member of the options that is 0 or NULL has its usual value. */
#define SHMEMX_ARRAY_READ_WRITE 0 /* kernels read elements and write them */
#define SHMEMX_ARRAY_READ_ONLY 1
#define SHMEMX_ARRAY_ACCUMULATE 2 /* kernels add to elements, and read them without a cache; not in a file */
typedef struct shmemx_impl_array *shmemx_array_t;
typedef struct {
    const char *file;  /* where the elements are: in the file that each PE opens by this path, or, if that is NULL, */
    int on_host;       /* in the host memory of all PEs, or, if this is 0, in their GPU memory */
    int mode;          /* what kernels do: SHMEMX_ARRAY_READ_WRITE and so on */
    size_t line_bytes; /* what a miss fetches, a power of two from 512 to 65,536: usually 4,096 */
    size_t slots;      /* for how many lines each GPU's cache has room: usually 1,024, or none where that is faster */
    int in_place;      /* not 0: there is no cache; all GPUs reach the elements, and slots is 0 */
} shmemx_array_options_t;
/* The form as a parameter of kernels. */
typedef struct { uint64_t words[9]; size_t elem_bytes; } shmemx_device_array_t;
";

/// Routines that were extensions before 1.6, and their type-generic forms.
fn extensions() -> Vec<String> {
    let routines = || AREAS.iter().copied().flatten().flat_map(|f| f.routines.iter().map(move |r| (f, r)));
    let found = routines().filter(|(_, r)| ONCE_EXTENSIONS.iter().any(|e| r.name.contains(e)));
    let mut names: Vec<String> = vec![];
    for (family, routine) in found {
        names.extend(routine.generic.then(|| routine.without_type()));
        names.extend(family.types.iter().flat_map(|t| routine.of(t)).map(|p| p.name));
    }
    names
}

/// What their names contain.
const ONCE_EXTENSIONS: [&str; 6] = ["ibput", "ibget", "sum_inscan", "sum_exscan", "signal_set", "signal_add"];

fn title(text: &mut String, title: &str) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n/* {title} */\n");
}

/// The return type of a routine that does not return begins like this.
pub(crate) const NORETURN: &str = "SHMEM_IMPL_NORETURN ";

fn declare(text: &mut String, prototype: &Prototype) {
    let Prototype { returns, name, parameters, deprecated, device } = prototype;
    let space = if returns.ends_with('*') { "" } else { " " };
    let mark = if *deprecated { "SHMEM_IMPL_DEPRECATED " } else { "" };
    let place = if device.is_empty() { "" } else { "SHMEM_IMPL_DEVICE " };
    // An attribute of C++ comes first.
    let (noreturn, returns) = returns.strip_prefix(NORETURN).map_or(("", &returns[..]), |rest| (NORETURN, rest));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{noreturn}{mark}{place}{returns}{space}{name}({parameters});");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a header that was edited by hand, and a table that was changed without the header.
    #[test]
    fn the_committed_headers_are_those_of_the_table() {
        let committed = [
            include_str!("../../../../include/shmem.h"),
            include_str!("../../../../include/pshmem.h"),
            include_str!("../../../../include/shmemx.h"),
            include_str!("../../../../include/shmemx_tasks.cuh"),
            include_str!("../../../../include/shmemx_arrays.cuh"),
            include_str!("../../../../include/mpp/shmem.h"),
            include_str!("../../../../include/mpp/shmemx.h"),
        ];
        for ((name, generated), committed) in headers().into_iter().zip(committed) {
            assert!(committed == generated, "include/{name} is out of date: `cargo xtask headers` writes it");
        }
    }
}
