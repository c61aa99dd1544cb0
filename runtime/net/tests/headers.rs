//! Compares what is declared of libfabric with its headers, using the C compiler: constants and layouts become static
//! assertions.

use std::process::Command;
use xtask::left_out::record;

const DECLARED: &str = include_str!("../src/ofi/sys.rs");
const NAME: &str = "net::what_is_declared_of_libfabric_is_in_its_headers";
const HEAD: &str = "#include <stddef.h>
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
";

/// One assertion for each constant with the name of one of libfabric.
fn constants() -> Vec<String> {
    let declared = DECLARED.lines().filter_map(|line| line.strip_prefix("pub(crate) const FI_"));
    let assertion = |line: &str| {
        let (name, rest) = line.split_once(": ").expect("a type");
        let (_, value) = rest.split_once(" = ").expect("a value");
        let value = value.trim_end_matches(';').replace("1 << ", "1ULL << ");
        format!("_Static_assert((unsigned long long)FI_{name} == ({value}), \"FI_{name}\");\n")
    };
    declared.map(assertion).collect()
}

/// One assertion for each offset and size that is asserted of a structure.
fn layouts() -> Vec<String> {
    let mut found = Vec::new();
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    for part in DECLARED.split("offset_of!(").skip(1) {
        let Some((field, value)) = part.split_once(") == ") else { continue };
        let (structure, field) = field.split_once(", ").expect("a member");
        found.push(format!(
            "_Static_assert(offsetof(struct {structure}, {field}) == {}, \"{structure}.{field}\");\n",
            number(value)
        ));
    }
    for part in DECLARED.split("size_of::<").skip(1) {
        let Some((structure, value)) = part.split_once(">() == ") else { continue };
        found.push(format!("_Static_assert(sizeof(struct {structure}) == {}, \"{structure}\");\n", number(value)));
    }
    found
}

#[test]
fn what_is_declared_of_libfabric_is_in_its_headers() {
    let (constants, layouts) = (constants(), layouts());
    assert!(constants.len() > 45 && layouts.len() > 35, "{constants:?} {layouts:?}");
    let folder = std::env::temp_dir().join(format!("cushmem-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("make a folder");
    let compiler = std::env::var("CUSHMEM_CC").unwrap_or_else(|_| "cc".into());
    let compiles = |text: &str| {
        let source = folder.join("declared.c");
        std::fs::write(&source, text).expect("write a file");
        let out = Command::new(&compiler).arg("-fsyntax-only").arg(&source).output();
        out.map(|out| (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned()))
    };
    let text = [HEAD, &constants.concat(), &layouts.concat()].concat();
    match compiles(HEAD) {
        Err(error) => record(NAME, &format!("no C compiler: {error}")),
        Ok((false, said)) if said.contains("rdma/fabric.h") => record(NAME, "no rdma/fabric.h (package libfabric-dev)"),
        Ok(_) => {
            let (right, said) = compiles(&text).expect("it compiled before");
            assert!(right, "{said}");
            for wrong in ["fi_info, tx_attr) == 80", "(unsigned long long)FI_CSWAP == (13)"] {
                let (start, _) = wrong.rsplit_once(' ').expect("a value");
                let at = text.find(start).expect("it is asserted") + start.len() + 1;
                let end = at + text[at..].find(',').expect("a message");
                let (right, _) =
                    compiles(&[&text[..at], wrong.rsplit(' ').next().expect("a value"), &text[end..]].concat())
                        .expect("it compiled before");
                assert!(!right, "the compiler does not see {wrong}");
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}
