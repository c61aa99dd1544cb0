//! What kernels print reaches the standard error of their PE.

use crate::rig::Rig;
use cushmem::{Grid, Shmem};
use cushmem_conformance::{Backend, run_to_failure};
use cushmem_conformance_kernels as kernels;

/// Catches a line that is lost, is cut, or is not that of its lane, and one that is lost because the kernel gives up
/// after it.
#[test]
fn lines_arrive_soft() {
    lines_arrive(Backend::Soft, concat!(module_path!(), "::lines_arrive_soft"));
}

#[test]
fn lines_arrive_cuda() {
    lines_arrive(Backend::Cuda, concat!(module_path!(), "::lines_arrive_cuda"));
}

const LINES: u32 = 3;
const BLOCKS: u32 = 3;
const THREADS: u32 = 40;

fn lines_arrive(backend: Backend, name: &str) {
    let long = "PE 1: kernel print_lines, block 1, thread 2: all types: 18446744073709551615 -1 0.25 1";
    let zeros = "0".repeat(300);
    let end = " true ß, {beef} -9223372036854775808, and a text that needs several commands\n";
    let long = format!("{long}{zeros}{end}");
    let mut says = vec![long, "PE 0: kernel print_and_end, block 0, thread 0: the last words, 77\n".to_owned()];
    let lanes =
        (0..2 * BLOCKS * THREADS).map(|lane| (lane / THREADS / BLOCKS, lane / THREADS % BLOCKS, lane % THREADS));
    for (pe, block, thread) in lanes {
        let line = |i| format!("PE {pe}: kernel print_lines, block {block}, thread {thread}: line {i}\n");
        says.extend((0..LINES).map(line));
    }
    let says: Vec<&str> = says.iter().map(String::as_str).collect();
    let output = run_to_failure(name, backend, &[], &says, &[&format!("line {LINES}")], |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        rig.run(kernels::print_lines, Grid::linear(BLOCKS, THREADS), (LINES,));
        rig.barrier();
        if shmem.my_pe() == 0 {
            let word = rig.private(&[77u32]);
            rig.start(kernels::print_and_end, Grid::linear(1, 1), (word.device_ptr(),));
            rig.stream.synchronize().expect("the kernel has given up");
        }
        rig.barrier();
    });
    // Each is there, and no other one: so each is there once, but for the line of all types, which two PEs print.
    let count = output.map(|output| output.matches(": kernel print_").count());
    assert!(count.is_none_or(|count| count == says.len() + 1), "{count:?} lines instead of {}", says.len() + 1);
}
