//! Alignments where addresses are scarce. What holds elsewhere is a clause of the specification.

use cushmem_capi_tests::{Library, Rig};

/// PE 1 may have half a gigabyte of addresses more than the heaps of two PEs take, and so cannot choose their place.
const PROGRAM: &str = r#"
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
    const char *pe = getenv("CUSHMEM_PE");
    long pages = 0;
    FILE *own = fopen("/proc/self/statm", "r");
    if (!own || fscanf(own, "%ld", &pages) != 1)
        return 90;
    fclose(own);
    if (pe && !strcmp(pe, "1")) {
        rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)5 << 29);
        struct rlimit limit = {most, most};
        if (setrlimit(RLIMIT_AS, &limit))
            return 91;
    }
    shmem_init();
    void *small = shmem_align(2 << 20, 8), *large = shmem_align((size_t)1 << 29, 8);
    if (!small || (uintptr_t)small % (2 << 20) || (uintptr_t)large % ((size_t)1 << 29))
        return 92;
    printf("PE %d: %s\n", shmem_my_pe(), large ? "memory" : "NULL");
    shmem_finalize();
    return 0;
}
"#;

/// Catches a job that does not start because of alignments that it may never ask for, a PE that gets memory while
/// another does not, and an address without its alignment.
#[test]
fn a_limit_on_addresses_limits_alignments_alone() {
    let Some(rig) = Rig::find("capi::a_limit_on_addresses_limits_alignments_alone") else { return };
    let program = rig.compile("align.c", PROGRAM, Library::Shared, &["-std=gnu11"]);
    let job = rig.run_on_nodes(1, &program, 2, &[], &[("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "1G")]);
    assert_eq!(job.status, Some(0), "{job:#?}");
    let all = |what: &str| (0..2).all(|pe| job.lines.contains(&format!("PE {pe}: {what}")));
    let line = "cushmem: PE 0: shmem_align: argument alignment: PE 1: its heap does not start at a multiple of that, \
                for lack of addresses (ulimit -v)";
    // By luck, once in 256 times, the heap starts there all the same.
    assert!(all("memory") || all("NULL") && job.lines.iter().any(|said| said == line), "{job:#?}");
}
