//! Compares what is declared of libfabric and of libibverbs with their headers, using the C compiler: constants and
//! layouts become static assertions.

use cushmem_scratch::Folder;
use std::process::Command;
use xtask::left_out::record;

/// What is declared of one library.
struct Library {
    /// The test's name in the list of what is left out.
    name: &'static str,
    declared: &'static str,
    /// How its constants begin.
    prefix: &'static str,
    /// The source in C that includes its headers.
    head: &'static str,
    /// A header, and the package that it is in.
    header: &'static str,
    package: &'static str,
    /// At least so many constants and layouts are declared.
    least: [usize; 2],
    /// Assertions with a wrong value.
    wrong: [&'static str; 2],
}

const LIBFABRIC: Library = Library {
    name: "net::what_is_declared_of_libfabric_is_in_its_headers",
    declared: include_str!("../src/ofi/sys.rs"),
    prefix: "FI_",
    head: "#include <stddef.h>
#include <sys/uio.h>
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
_Static_assert(sizeof(struct fi_context2) == 64, \"contexts\");
",
    header: "rdma/fabric.h",
    package: "libfabric-dev",
    least: [46, 36],
    wrong: ["fi_info, tx_attr) == 80", "(unsigned long long)FI_CSWAP == (13)"],
};

const LIBIBVERBS: Library = Library {
    name: "net::what_is_declared_of_libibverbs_is_in_its_header",
    declared: include_str!("../src/verbs/sys.rs"),
    prefix: "IBV_",
    head: "#include <stddef.h>
#include <infiniband/verbs.h>
",
    header: "infiniband/verbs.h",
    package: "libibverbs-dev",
    least: [34, 74],
    wrong: ["ibv_send_wr, wr.atomic.swap) == 48", "(unsigned long long)IBV_WR_RDMA_READ == (3)"],
};

/// One assertion for each constant with the name of one of the library.
fn constants(library: &Library) -> Vec<String> {
    let Library { declared, prefix, .. } = library;
    let start = format!("pub(crate) const {prefix}");
    let declared = declared.lines().filter_map(|line| line.strip_prefix(&start));
    let assertion = |line: &str| {
        let (name, rest) = line.split_once(": ").expect("a type");
        let (_, value) = rest.split_once(" = ").expect("a value");
        let value = value.trim_end_matches(';').replace("1 << ", "1ULL << ");
        format!("_Static_assert((unsigned long long){prefix}{name} == ({value}), \"{prefix}{name}\");\n")
    };
    declared.map(assertion).collect()
}

/// One assertion for each offset and size that is asserted of a structure.
fn layouts(library: &Library) -> Vec<String> {
    let mut found = Vec::new();
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    for part in library.declared.split("offset_of!(").skip(1) {
        let Some((field, value)) = part.split_once(") == ") else { continue };
        let (structure, field) = field.split_once(", ").expect("a member");
        found.push(format!(
            "_Static_assert(offsetof(struct {structure}, {field}) == {}, \"{structure}.{field}\");\n",
            number(value)
        ));
    }
    for part in library.declared.split("size_of::<").skip(1) {
        let Some((structure, value)) = part.split_once(">() == ") else { continue };
        found.push(format!("_Static_assert(sizeof(struct {structure}) == {}, \"{structure}\");\n", number(value)));
    }
    found
}

#[test]
fn what_is_declared_of_libfabric_is_in_its_headers() {
    compare(&LIBFABRIC);
}

#[test]
fn what_is_declared_of_libibverbs_is_in_its_header() {
    compare(&LIBIBVERBS);
}

fn compare(library: &Library) {
    let Library { name, head, header, package, least, .. } = *library;
    let (constants, layouts) = (constants(library), layouts(library));
    assert!(constants.len() >= least[0] && layouts.len() >= least[1], "{constants:?} {layouts:?}");
    let folder = Folder::new("headers").expect("make a folder");
    let compiler = std::env::var("CUSHMEM_CC").unwrap_or_else(|_| "cc".into());
    let compiles = |text: &str| {
        let source = folder.join("declared.c");
        std::fs::write(&source, text).expect("write a file");
        let out = Command::new(&compiler).arg("-fsyntax-only").arg(&source).output();
        out.map(|out| (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned()))
    };
    let text = [head, &constants.concat(), &layouts.concat()].concat();
    match compiles(head) {
        Err(error) => record(name, &format!("no C compiler: {error}")),
        Ok((false, said)) if said.contains(header) => record(name, &format!("no {header} (package {package})")),
        Ok(_) => {
            let (right, said) = compiles(&text).expect("it compiled before");
            assert!(right, "{said}");
            for wrong in library.wrong {
                let (start, value) = wrong.rsplit_once(' ').expect("a value");
                let at = text.find(start).expect("it is asserted") + start.len() + 1;
                let end = at + text[at..].find(',').expect("a message");
                let (right, _) = compiles(&[&text[..at], value, &text[end..]].concat()).expect("it compiled before");
                assert!(!right, "the compiler does not see {wrong}");
            }
        }
    }
}
