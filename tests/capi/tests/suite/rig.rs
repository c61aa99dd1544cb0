//! The rig of these suites: C programs run wherever they can.

use cushmem_capi_tests::{Library, Rig};
use std::process::{Command, Stdio};

const GREETING: &str = r#"
#include <shmem.h>
#include <stdio.h>
int main(void) {
    shmem_init();
    printf("PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
"#;

/// Catches a rig that no test gets, or that runs nothing: every test of C programs would then pass.
#[test]
fn programs_run_where_there_are_compilers() {
    let answers = |program: &str| {
        let answer = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        answer.is_ok_and(|s| s.success())
    };
    let can = ["cc", "c++", "ar", "objcopy"].into_iter().all(answers);
    let Some(rig) = Rig::find("capi::programs_run_where_there_are_compilers") else {
        assert!(!can, "C programs are left out, though the compilers are here");
        return;
    };
    for (file, library) in [("greet.c", Library::Shared), ("greet.cpp", Library::Static)] {
        let job = rig.run(&rig.compile(file, GREETING, library, &[]), 2, &[], &[("CUSHMEM_GPU", "none")]);
        assert_eq!((job.status, job.lines), (Some(0), vec!["PE 0 of 2".to_owned(), "PE 1 of 2".to_owned()]));
    }
}
