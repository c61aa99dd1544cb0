//! Writes the headers.

use crate::generic::generics;
use crate::routine::{Family, Prototype};
use crate::routines::{ALIASES, AREAS, SHMEMX, prototypes};
use std::fmt::Write as _;

const HEAD: &str = include_str!("head.h");

const FOOT: &str = r"
#ifdef __cplusplus
}
#endif

#endif
";

const MPP: &str = "/* Where old programs look for it. `cargo xtask headers` writes this file. */\n#include <shmem.h>\n";

/// Each header's path and text.
pub fn headers() -> [(&'static str, String); 4] {
    [("shmem.h", shmem_h()), ("pshmem.h", pshmem_h()), ("shmemx.h", shmemx_h()), ("mpp/shmem.h", MPP.to_owned())]
}

fn shmem_h() -> String {
    let mut text = HEAD.replace("VERSION\"", concat!(env!("CARGO_PKG_VERSION"), "\""));
    let families: Vec<&Family> = AREAS.iter().copied().flatten().collect();
    for family in &families {
        title(&mut text, family.title);
        family.prototypes().iter().for_each(|p| declare(&mut text, p));
    }
    title(&mut text, "Names of before 1.2");
    ALIASES.iter().for_each(|(routine, _)| declare(&mut text, &routine.plain()));
    text += "\n#ifdef __cplusplus\n}\n#endif\n";
    text += &generics(&families, &prototypes());
    text + "\n#endif\n"
}

fn pshmem_h() -> String {
    let mut text = "/* The twins that profiling libraries call (OpenSHMEM 1.6, chapter 10). `cargo xtask headers` writes this file. */\n".to_owned();
    text +=
        "#ifndef PSHMEM_H\n#define PSHMEM_H\n\n#include <shmem.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    for prototype in prototypes() {
        declare(&mut text, &Prototype { name: prototype.twin(), deprecated: false, ..prototype });
    }
    text + FOOT
}

fn shmemx_h() -> String {
    let mut text = "/* What cushmem has beyond OpenSHMEM. `cargo xtask headers` writes this file. */\n".to_owned();
    text += "#ifndef SHMEMX_H\n#define SHMEMX_H\n\n#include <shmem.h>\n\n";
    text += "/* For shmem_malloc_with_hints: memory of the GPUs, as shmemx_malloc_gpu. */\n#define SHMEMX_MALLOC_GPU (1L << 16)\n";
    text += "\n/* What the processes of a job have in common when no launcher tells them: bytes without a meaning for programs. */\n";
    text += "typedef struct { unsigned char bytes[128]; } shmemx_uniqueid_t;\n";
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for family in SHMEMX {
        title(&mut text, family.title);
        family.prototypes().iter().for_each(|p| declare(&mut text, p));
    }
    text + FOOT
}

fn title(text: &mut String, title: &str) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n/* {title} */\n");
}

fn declare(text: &mut String, prototype: &Prototype) {
    let Prototype { returns, name, parameters, deprecated } = prototype;
    let space = if returns.ends_with('*') { "" } else { " " };
    let mark = if *deprecated { "SHMEM_IMPL_DEPRECATED " } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{mark}{returns}{space}{name}({parameters});");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a header that was changed by hand, or a table that changed without it.
    #[test]
    fn the_committed_headers_are_those_of_the_table() {
        let committed = [
            include_str!("../../../../include/shmem.h"),
            include_str!("../../../../include/pshmem.h"),
            include_str!("../../../../include/shmemx.h"),
            include_str!("../../../../include/mpp/shmem.h"),
        ];
        for ((name, generated), committed) in headers().into_iter().zip(committed) {
            assert!(committed == generated, "include/{name} is out of date: `cargo xtask headers` writes it");
        }
    }
}
