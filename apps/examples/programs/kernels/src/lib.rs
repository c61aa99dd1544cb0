//! Kernels of the small programs: a module for each program, with everything that the program shares with its kernels.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

pub mod allreduce;
pub mod bfs;
pub mod gups;
pub mod isort;

use bfs::Search;
use cushmem_device::{DevPtr, kernels};

kernels! {
    /// See [`allreduce::sum`].
    pub unsafe fn allreduce_sum(dest: DevPtr<f32>, source: DevPtr<f32>, n: usize, room: DevPtr<f32>, counter: DevPtr<u32>) {
        allreduce::sum(dest, source, n, room, counter);
    }

    /// See [`Search::expand`].
    pub unsafe fn bfs_expand(search: Search, level: u32) {
        search.expand(level);
    }

    /// See [`Search::absorb`].
    pub unsafe fn bfs_absorb(search: Search, level: u32) {
        search.absorb(level);
    }

    /// See [`Search::search`].
    pub unsafe fn bfs_search(search: Search, counter: DevPtr<u32>, times: DevPtr<u64>) {
        search.search(counter, times);
    }

    /// See [`gups::update`].
    pub unsafe fn gups_update(table: DevPtr<u64>, log2: u32, starts: DevPtr<u64>, each: u64, plain: u32) {
        gups::update(table, log2, starts, each, plain != 0);
    }

    /// See [`isort::send`].
    pub unsafe fn isort_send(
        keys: DevPtr<u32>, n: usize, width: u32, outbox: DevPtr<u32>, inbox: DevPtr<u32>, room: u32, cursor: DevPtr<u32>,
    ) {
        isort::send(keys, n, width, outbox, inbox, room, cursor);
    }

    /// See [`isort::count`].
    pub unsafe fn isort_count(keys: DevPtr<u32>, n: usize, first: u32, counts: DevPtr<u32>) {
        isort::count(keys, n, first, counts);
    }
}
