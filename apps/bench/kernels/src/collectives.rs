//! `n` collectives in direct succession, each by one block, one warp or all blocks of a cooperative launch.

use cushmem_device::{Block, Collective, DevPtr, DeviceTeam, Grid, Sum, Warp, Wide, kernels_of_module};

macro_rules! repeat {
    ($n:ident, $collective:expr) => {
        let mut i = 0;
        while i < $n {
            $collective;
            i += 1;
        }
    };
}

kernels_of_module! {
    /// One block: sums of `elems` elements of each member.
    pub unsafe fn reduce_block(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Block.reduce(team, Sum, dst, src, elems));
    }

    /// Like `reduce_block`, for at most 512 lanes.
    pub unsafe fn reduce_wide(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Wide(Block).reduce(team, Sum, dst, src, elems));
    }

    /// One block: `elems` elements of each member to all members.
    pub unsafe fn fcollect_block(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Block.fcollect(team, dst, src, elems));
    }

    /// Like `fcollect_block`, for at most 512 lanes.
    pub unsafe fn fcollect_wide(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Wide(Block).fcollect(team, dst, src, elems));
    }

    /// One block: `elems` elements of each member to each other member.
    pub unsafe fn alltoall_block(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Block.alltoall(team, dst, src, elems));
    }

    /// Like `alltoall_block`, for at most 512 lanes.
    pub unsafe fn alltoall_wide(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Wide(Block).alltoall(team, dst, src, elems));
    }

    /// One block: `elems` elements of the first member to all members.
    pub unsafe fn broadcast_block(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Block.broadcast(team, dst, src, elems, 0));
    }

    /// Like `broadcast_block`, for at most 512 lanes.
    pub unsafe fn broadcast_wide(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Wide(Block).broadcast(team, dst, src, elems, 0));
    }

    /// One warp: like `reduce_block`.
    pub unsafe fn reduce_warp(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64) {
        repeat!(n, Warp.reduce(team, Sum, dst, src, elems));
    }

    /// All blocks: like `reduce_block`.
    pub unsafe fn reduce_grid(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64, counter: DevPtr<u32>) {
        repeat!(n, Grid::new(counter).reduce(team, Sum, dst, src, elems));
    }

    /// All blocks: like `fcollect_block`.
    pub unsafe fn fcollect_grid(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64, counter: DevPtr<u32>) {
        repeat!(n, Grid::new(counter).fcollect(team, dst, src, elems));
    }

    /// All blocks: like `alltoall_block`.
    pub unsafe fn alltoall_grid(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, elems: usize, n: u64, counter: DevPtr<u32>) {
        repeat!(n, Grid::new(counter).alltoall(team, dst, src, elems));
    }
    /// All blocks: rows of `width` elements, as many as `sent` says; `came` is written.
    pub unsafe fn alltoallv_grid(
        team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, came: DevPtr<u64>, sent: DevPtr<u64>, room: usize, width: usize, n: u64, counter: DevPtr<u32>
    ) {
        repeat!(n, Grid::new(counter).alltoallv(team, (dst, src), (came, sent), room, width));
    }
}
