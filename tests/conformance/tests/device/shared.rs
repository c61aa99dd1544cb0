//! Shared memory that kernels declare and that launches ask for.

use crate::rig::Rig;
use cushmem::{Grid, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    words_of_each_size: 1, 2;
    more_than_there_is: 1;
    pointers_of_any_kind: 1;
} }

/// The bytes that the kernels declare.
const DECLARED: u32 = 1024 + 8 * 1024;

/// Catches pieces that overlap, that blocks share, or that are smaller than was asked for; a size that the kernel does
/// not learn; a launch of more than 48 KiB that is refused.
fn words_of_each_size(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let most = shmem.gpu().expect("a GPU").shared_bytes - DECLARED;
    for (blocks, lanes, bytes) in [(1, 1, 0), (3, 33, 4), (40, 64, 4096), (2, 96, 48 << 10), (2, 32, most)] {
        let (wrong, seen) = (rig.private(&vec![0u64; blocks]), rig.private(&vec![0u64; blocks]));
        let grid = Grid::linear(blocks as u32, lanes).with_shared(bytes);
        rig.run(kernels::shared_words, grid, (wrong.device_ptr(), seen.device_ptr()));
        assert_eq!(wrong.to_vec().expect("read"), vec![0; blocks], "wrong words of each block in {grid:?}");
        assert_eq!(seen.to_vec().expect("read"), vec![u64::from(bytes); blocks], "the size in {grid:?}");
    }
    let fit = |bytes| {
        let grid = Grid::linear(1, 32).with_shared(bytes);
        rig.module.max_resident_blocks_of(kernels::shared_words, &grid).expect("occupancy")
    };
    assert!(fit(most) >= 1 && fit(0) >= fit(most), "{} and {}", fit(0), fit(most));
}

/// Catches a launch that asks for too much and is not refused, or without the limit, or that breaks the stream.
fn more_than_there_is(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let limit = shmem.gpu().expect("a GPU").shared_bytes;
    let words = rig.private(&[0u64; 2]);
    let args = (words.device_ptr(), words.device_ptr().add(1));
    for bytes in [limit + 1, u32::MAX] {
        let grid = Grid::linear(1, 32).with_shared(bytes);
        // SAFETY: the launch is refused, and the arguments are valid anyway.
        let refused = unsafe { rig.stream.launch(&rig.module, kernels::shared_words, grid, args) };
        let text = refused.expect_err("too much shared memory").to_string();
        let parts = [&*bytes.to_string(), &format!("at most {limit} bytes"), "shared_words"];
        assert!(
            parts.iter().all(|part| text.contains(part)) && !text.contains('\n'),
            "'{text}' lacks one of {parts:?}"
        );
    }
    rig.run(kernels::shared_words, Grid::linear(1, 32).with_shared(256), args);
    assert_eq!(words.to_vec().expect("read"), [0, 256]);
}

/// Catches a pointer to shared memory that loads and stores of other memory do not accept.
fn pointers_of_any_kind(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let bytes: Vec<u8> = (0..1000).map(|i| (i * 7) as u8).collect();
    let there = rig.private(&bytes);
    rig.run(kernels::shared_reverse, Grid::linear(1, 96), (there.device_ptr(), bytes.len()));
    assert!(there.to_vec().expect("read").iter().eq(bytes.iter().rev()), "the bytes are not reversed");
}
