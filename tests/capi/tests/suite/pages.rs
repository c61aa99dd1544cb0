//! Pages of the symmetric host memory (`CUSHMEM_HUGE_PAGES`).

use cushmem_capi_tests::{Finished, Library, Rig};
use xtask::left_out::record;

/// Each PE prints how its own mapping of the heap is marked, and checks what the PE before it puts.
const PROGRAM: &str = r#"
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { N = 3 << 20 };

int main(void)
{
    static char numbers[N], line[512];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), inside = 0, wrong = 0;
    char *inbox = shmem_malloc(N), *marks = "";
    memset(numbers, me + 1, N);
    shmem_putmem(inbox, numbers, N, (me + 1) % n);
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        wrong += inbox[i] != (me + n - 1) % n + 1;
    FILE *maps = fopen("/proc/self/smaps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to, at = (unsigned long)inbox;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from <= at && at < to;
        if (inside && !strncmp(line, "VmFlags:", 8))
            marks = strstr(line, " ht") ? "reserved" : strstr(line, " hg") ? "asked" : strstr(line, " nh") ? "none" : "unmarked";
    }
    printf("PE %d: %s, %d wrong\n", me, marks, wrong);
    shmem_finalize();
    return 0;
}
"#;

fn marks(job: &Finished, n: u32, mark: &str) {
    let lines: Vec<_> = (0..n).map(|me| format!("PE {me}: {mark}, 0 wrong")).collect();
    let printed: Vec<_> = job.lines.iter().filter(|line| line.starts_with("PE ")).cloned().collect();
    assert_eq!((job.status, printed), (Some(0), lines), "{job:#?}");
}

/// The free pages of 2 MiB that the administrator has reserved.
fn reserved() -> u64 {
    let free = std::fs::read_to_string("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
    free.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Catches a heap that does not ask for huge pages, one that asks for them against the user's wish, and a job that
/// fails because no huge pages are reserved.
#[test]
fn the_host_heap_asks_for_huge_pages() {
    let test = "capi::the_host_heap_asks_for_huge_pages";
    let Some(rig) = Rig::find(test) else { return };
    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        return record(test, "this system has no transparent huge pages");
    }
    let program = rig.compile("pages.c", PROGRAM, Library::Shared, &["-std=c11"]);
    for n in [1, 2, 3] {
        let run = |value, size| {
            let variables = [("CUSHMEM_HUGE_PAGES", value), ("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", size)];
            rig.run_on_nodes(1, &program, n, &[], &[&variables[..], &[("SHMEM_DEBUG", "1")]].concat())
        };
        marks(&run("", "7M"), n, "asked");
        marks(&run("auto", "7M"), n, "asked");
        marks(&run("never", "7M"), n, "none");
        // More than any machine has reserved.
        let job = run("reserved", "4T");
        marks(&job, n, "asked");
        let said = job.lines.iter().filter(|line| line.contains("cannot reserve huge pages: ")).count();
        assert_eq!(said, 1, "{job:#?}");
    }
    let on_nodes = [("CUSHMEM_HUGE_PAGES", "reserved"), ("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "7M")];
    marks(&rig.run_on_nodes(2, &program, 2, &[], &on_nodes), 2, "asked");
}

/// Catches reserved pages that a heap does not use, or that it touches without having reserved them.
#[test]
fn the_host_heap_uses_reserved_pages() {
    let test = "capi::the_host_heap_uses_reserved_pages";
    let Some(rig) = Rig::find(test) else { return };
    let program = rig.compile("pages.c", PROGRAM, Library::Shared, &["-std=c11"]);
    for n in [1, 2, 3] {
        if reserved() < 4 * u64::from(n) {
            return record(test, "no huge pages are reserved (/proc/sys/vm/nr_hugepages)");
        }
        let variables = [("CUSHMEM_HUGE_PAGES", "reserved"), ("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "7M")];
        marks(&rig.run(&program, n, &[], &variables), n, "reserved");
    }
}
