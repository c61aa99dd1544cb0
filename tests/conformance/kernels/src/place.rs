//! Where a lane is in its launch.

use cushmem_device::{
    Scope, block_dim_x, block_idx_x, block_idx_y, block_idx_z, grid_dim_x, grid_dim_y, grid_dim_z, thread_idx_x,
};

/// The number of this lane's group among the groups of the scope, in a one-dimensional launch, and the number of
/// groups.
#[inline(always)]
pub(crate) fn group<S: Scope>(scope: S) -> (u64, u64) {
    let (size, block) = (scope.lanes() as u64, u64::from(block_dim_x()));
    ((u64::from(block_idx_x()) * block + u64::from(thread_idx_x())) / size, u64::from(grid_dim_x()) * block / size)
}

/// This lane's number in a one-dimensional launch.
#[inline(always)]
pub(crate) fn lane() -> usize {
    block_idx_x() as usize * block_dim_x() as usize + thread_idx_x() as usize
}

/// This block's number, x fastest, and the number of blocks.
#[inline(always)]
pub(crate) fn block() -> (u64, u64) {
    let (x, y) = (u64::from(grid_dim_x()), u64::from(grid_dim_y()));
    let number = u64::from(block_idx_x()) + x * (u64::from(block_idx_y()) + y * u64::from(block_idx_z()));
    (number, x * y * u64::from(grid_dim_z()))
}
