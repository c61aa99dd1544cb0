//! Writes `shmem.h` and `shmemx.h`.

use crate::routines::{FAMILIES, PLAIN, Routine, SHMEMX};
use std::fmt::Write as _;

const HEAD: &str = r#"/* OpenSHMEM 1.6: the part that cushmem has so far. Numbers in comments are sections of the specification.
   `cargo xtask headers` writes this file.

   A wrong argument, and a call before shmem_init or after shmem_finalize, end the job with exit status 134 and one line on
   stderr that names the PE, the routine, the argument, its value, and what is valid.

   Symmetric addresses are those of shmem_malloc and its kin, in host or GPU memory. The other end of a put or get may be any
   memory, of the host or of the GPU. */
#ifndef SHMEM_H
#define SHMEM_H

#include <stddef.h>
#include <stdint.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "cushmem VERSION"

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

#define SHMEM_SIGNAL_SET 9
#define SHMEM_SIGNAL_ADD 10

#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)

#ifdef __cplusplus
extern "C" {
#endif
"#;

const FOOT: &str = r"
#ifdef __cplusplus
}
#endif

#endif
";

/// The text of `shmem.h`.
pub fn shmem_h() -> String {
    let mut text = HEAD.replace("VERSION\"", concat!(env!("CARGO_PKG_VERSION"), "\""));
    for (title, routines) in PLAIN {
        title_of(&mut text, title);
        for Routine { returns, name, parameters } in *routines {
            prototype(&mut text, returns, name, parameters);
        }
    }
    for family in FAMILIES {
        title_of(&mut text, family.title);
        for t in (family.types)() {
            for routine in family.routines {
                let (returns, name, parameters) = routine.of(&t);
                prototype(&mut text, &returns, &name, &parameters);
            }
        }
    }
    text + FOOT
}

/// The text of `shmemx.h`.
pub fn shmemx_h() -> String {
    let mut text = "/* What cushmem has beyond OpenSHMEM. `cargo xtask headers` writes this file. */\n".to_owned();
    text += "#ifndef SHMEMX_H\n#define SHMEMX_H\n\n#include <shmem.h>\n\n";
    text += "/* For shmem_malloc_with_hints: memory of the GPUs, as shmemx_malloc_gpu. */\n#define SHMEMX_MALLOC_GPU (1L << 16)\n";
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (title, Routine { returns, name, parameters }) in SHMEMX {
        title_of(&mut text, title);
        prototype(&mut text, returns, name, parameters);
    }
    text + FOOT
}

fn title_of(text: &mut String, title: &str) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n/* {title} */\n");
}

fn prototype(text: &mut String, returns: &str, name: &str, parameters: &str) {
    let space = if returns.ends_with('*') { "" } else { " " };
    // As above.
    let _ = writeln!(text, "{returns}{space}{name}({parameters});");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header that somebody changed by hand, or a table that changed without it.
    #[test]
    fn the_committed_headers_are_those_of_the_table() {
        let right = [
            ("shmem.h", include_str!("../../../../include/shmem.h"), shmem_h()),
            ("shmemx.h", include_str!("../../../../include/shmemx.h"), shmemx_h()),
        ];
        for (name, committed, generated) in right {
            assert!(committed == generated, "include/{name} is out of date: `cargo xtask headers` writes it");
        }
    }
}
