//! Teams, contexts and collectives in C.

use cushmem_capi_table::{COMPLEX, REDUCE_ARITHMETIC, REDUCE_BITWISE, RMA, Types};
use cushmem_capi_tests::{Finished, Library, Rig};

fn expect_right(job: &Finished, n: u32) {
    assert_eq!((job.status, &job.lines), (Some(0), &vec!["0 wrong".to_owned(); n as usize]), "{job:#?}");
}

/// Catches a typed routine that moves a wrong number of bytes or computes something else.
#[test]
fn every_typed_collective() {
    let Some(rig) = Rig::find("capi::every_typed_collective") else { return };
    let mut source = String::from(include_str!("collectives.h"));
    let mut calls = String::new();
    let mut each = |check: &str, types: &Types| {
        for t in types.iter() {
            source += &format!("{check}({}, {})\n", t.name, t.c);
            calls += &format!("    {}_{}();\n", check.to_lowercase(), t.name);
        }
    };
    each("MOVES", RMA);
    each("ORDERED", RMA);
    each("BITWISE", REDUCE_BITWISE);
    each("ARITHMETIC", REDUCE_ARITHMETIC);
    each("COMPLEX", &Types { name: "", lists: &[COMPLEX] });
    for (name, c) in [("float", "float"), ("double", "double"), ("longdouble", "long double")] {
        source += &format!("NANS({name}, {c})\n");
        calls += &format!("    nans_{name}();\n");
    }
    source += &format!("int main(void) {{\n    begin();\n{calls}    return end();\n}}\n");
    let program = rig.compile("collectives.c", &source, Library::Shared, &["-std=c11"]);
    for n in [1, 2, 3, 5] {
        expect_right(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", "none")]), n);
    }
}

#[test]
fn teams_contexts_and_active_sets() {
    let Some(rig) = Rig::find("capi::teams_contexts_and_active_sets") else { return };
    let source = include_str!("teams.c");
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("teams.c", source, library, &["-std=c11", "-DSHMEM_NO_DEPRECATED"]);
        for n in [1, 2, 3, 4, 5, 8] {
            expect_right(&rig.run(&program, n, &[], &[("CUSHMEM_GPU", "none")]), n);
        }
    }
}
