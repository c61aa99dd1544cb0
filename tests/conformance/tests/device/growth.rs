//! Heaps that grow while a kernel uses them.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Grid, Shmem};
use cushmem_conformance::{conformance, expect_words};
use cushmem_conformance_kernels::{mix, put_block, wait_for};

conformance! { soft, cuda => {
    heaps_grow_under_a_kernel: 1, 2;
} }

const MIB: usize = 1 << 20;

/// Catches growth that moves or unpins memory in use by a kernel: one kernel watches a word of the host heap and
/// another one copies in GPU memory, while both heaps grow several times. Also catches growth that waits for the
/// kernel, which itself waits for something after the growth.
fn heaps_grow_under_a_kernel(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let other = shmem.stream().expect("stream");
    let word = shmem.malloc::<u64>(1).expect("malloc");
    word.copy_from(&[0]).expect("write");
    let (data, list) = (rig.symmetric(&vec![0u64; 1000]), rig.private(&[0u64, 0, 8000]));
    let out = rig.private(&[7u64]);
    for round in 1..=3u64 {
        let words: Vec<u64> = (0..1000).map(|i| mix(round, i)).collect();
        let source = rig.private(&words);
        rig.barrier();
        rig.start(wait_for, Grid::linear(1, 1), (word.device_ptr(), round, LIMIT_NS, out.device_ptr()));
        let grown: Vec<_> = [8, 30].iter().map(|mib| shmem.malloc::<u64>(mib * MIB / 8).expect("malloc")).collect();
        let on_gpu = shmem.malloc_gpu::<u64>(50 * MIB / 8).expect("malloc_gpu");
        let args = (data.device_ptr().cast(), source.device_ptr().cast(), list.device_ptr(), 1, rig.next());
        // SAFETY: the list names one range, for which both ends have enough bytes, and all of it lives until the stream
        // has finished.
        unsafe { other.launch(&rig.module, put_block, Grid::linear(1, 64), args) }.expect("launch");
        other.synchronize().expect("a kernel beside the one that waits");
        for object in grown.iter().chain([&on_gpu]) {
            let last = object.at(object.len() - 1);
            shmem.p(last, round + 40, rig.next()).expect("p");
        }
        assert!(!rig.stream.is_idle().expect("is_idle"), "the kernel still waits in round {round}");
        shmem.p(word.at(0), round, shmem.my_pe()).expect("p");
        rig.wait();
        assert_eq!(out.to_vec().expect("read"), [1], "the kernel saw the word of round {round}");
        rig.barrier();
        expect_words(|| format!("round {round}"), &data.to_vec().expect("read"), |i| words[i]);
        for object in grown.iter().chain([&on_gpu]) {
            let last = shmem.g(object.at(object.len() - 1), shmem.my_pe()).expect("g");
            assert_eq!(last, round + 40, "the last word of a new object");
        }
        rig.barrier();
    }
}
