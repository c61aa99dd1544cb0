//! Writes `shmem.h` and `shmemx.h`.

use crate::routine::{Family, Prototype};
use crate::routines::{AREAS, SHMEMX};
use std::fmt::Write as _;

const HEAD: &str = include_str!("head.h");

const FOOT: &str = r"
#ifdef __cplusplus
}
#endif

#endif
";

/// The text of `shmem.h`.
pub fn shmem_h() -> String {
    let mut text = HEAD.replace("VERSION\"", concat!(env!("CARGO_PKG_VERSION"), "\""));
    for family in AREAS.iter().copied().flatten() {
        declare(&mut text, family);
    }
    text + FOOT
}

/// The text of `shmemx.h`.
pub fn shmemx_h() -> String {
    let mut text = "/* What cushmem has beyond OpenSHMEM. `cargo xtask headers` writes this file. */\n".to_owned();
    text += "#ifndef SHMEMX_H\n#define SHMEMX_H\n\n#include <shmem.h>\n\n";
    text += "/* For shmem_malloc_with_hints: memory of the GPUs, as shmemx_malloc_gpu. */\n#define SHMEMX_MALLOC_GPU (1L << 16)\n";
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for family in SHMEMX {
        declare(&mut text, family);
    }
    text + FOOT
}

fn declare(text: &mut String, family: &Family) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n/* {} */\n", family.title);
    for Prototype { returns, name, parameters, deprecated } in family.prototypes() {
        let space = if returns.ends_with('*') { "" } else { " " };
        let mark = if deprecated { "SHMEM_IMPL_DEPRECATED " } else { "" };
        // As above.
        let _ = writeln!(text, "{mark}{returns}{space}{name}({parameters});");
    }
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
