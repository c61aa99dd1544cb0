//! Kernels of the small programs: a module for each program, with everything that the program shares with its kernels.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

pub mod accumulate;
pub mod allreduce;
pub mod bfs;
pub mod gups;
pub mod isort;
pub mod pagerank;
pub mod tasks;

use bfs::Search;
use cushmem_device::{
    Block, Cmp, DevPtr, DeviceArray, DeviceTaskQueue, Scope, SignalOp, TaskFunction, block_dim_x, block_idx_x,
    grid_dim_x, kernels, signal_wait_until, thread_idx_x,
};
use pagerank::{Cached, Rows};
use tasks::accumulate_task;

kernels! {
    use tasks;

    /// Adds `n` numbers to sums.
    pub unsafe fn accumulate_add(sums: DevPtr<u64>, numbers: DevPtr<u64>, n: usize) {
        let (lane, lanes) = (block_idx_x() * block_dim_x() + thread_idx_x(), grid_dim_x() * block_dim_x());
        accumulate::add(sums, numbers, n, lane as usize, lanes as usize);
    }

    /// All blocks are on the GPU at once. Has `n` numbers added to the sums of a PE, `rounds` times, each time those of
    /// the other source. `done` has the last round of each task, which was `before`. Buffer 0 is the inbox, buffer 1
    /// the sums.
    pub unsafe fn accumulate_put(
        queue: DeviceTaskQueue, sources: DevPtr<u64>, n: usize, rounds: u64, done: DevPtr<u64>, before: u64, pe: u32,
    ) {
        let (mut round, parts) = (0, accumulate::Parts::of(n));
        while round < rounds {
            round += 1;
            let source = sources.add((before + round) as usize % 2 * n);
            let mut task = block_idx_x() as usize;
            while task < parts.tasks {
                let (first, len) = parts.of_task(task);
                let call = accumulate_task.call((1, first as u64)).at(0, 8 * first as u64);
                let call = call.then(done.add(task), before + round, SignalOp::Set);
                Block.put_task(queue, call, source.add(first), len, pe);
                task += grid_dim_x() as usize;
            }
            let mut task = Block.lane();
            while task < parts.tasks {
                signal_wait_until(done.add(task), Cmp::Ge, before + round);
                task += Block.lanes();
            }
            Block.sync();
        }
    }

    /// See [`allreduce::sum`].
    pub unsafe fn allreduce_sum(dest: DevPtr<f32>, source: DevPtr<f32>, n: usize, room: DevPtr<f32>, counter: DevPtr<u32>) {
        allreduce::sum(dest, source, n, room, counter);
    }

    /// Adds parts up, each of `n` numbers.
    pub unsafe fn allreduce_add(sums: DevPtr<f32>, parts: DevPtr<f32>, n: usize, n_parts: u32) {
        let mut i = (block_idx_x() * block_dim_x() + thread_idx_x()) as usize;
        while i < n {
            let mut sum = 0.0;
            let mut part = 0;
            while part < n_parts {
                sum += parts.add(part as usize * n + i).read();
                part += 1;
            }
            sums.add(i).write(sum);
            i += (grid_dim_x() * block_dim_x()) as usize;
        }
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

    /// See [`pagerank::iterate`].
    pub unsafe fn pagerank_own(rows: Rows, edges: DevPtr<u32>) {
        pagerank::iterate(rows, edges);
    }

    /// See [`pagerank::iterate`]; this PE's edges begin at an element of the array.
    pub unsafe fn pagerank_cached(rows: Rows, edges: DeviceArray<u32>, first: u64) {
        pagerank::iterate(rows, Cached { array: edges, first });
    }
}
