//! One iteration of PageRank: a warp for each vertex adds up what its neighbours give, always in the same order, so
//! that the sums have the same bits wherever the edges are.

use cushmem_device::{DevPtr, DeviceArray, Scope, Warp, block_dim_x, block_idx_x, grid_dim_x, shfl_down, thread_idx_x};

/// The vertices of a PE, as kernels receive them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rows {
    /// Where each vertex's neighbours start, and where the last one's end.
    pub first: DevPtr<u32>,
    /// Vertices of a PE.
    pub vertices: u32,
    /// PEs: PE `k` has vertices `k`, `k + pes`, …
    pub pes: u32,
    /// What each vertex gives to each neighbour, of all PEs, one PE behind the other.
    pub gives: DevPtr<f64>,
    /// What each vertex of this PE will give.
    pub will_give: DevPtr<f64>,
    /// The ranks of this PE's vertices.
    pub ranks: DevPtr<f64>,
    /// The rank of a vertex to which nobody gives anything.
    pub least: f64,
    /// The part of its rank that a vertex gives.
    pub damping: f64,
}

#[cfg(not(target_arch = "nvptx64"))]
// SAFETY: plain data in C's layout.
unsafe impl cushmem_device::KernelArg for Rows {}

/// Where the edges are.
pub trait Edges: Copy {
    /// The neighbour with this number.
    /// # Safety
    /// There are so many.
    unsafe fn neighbour(self, i: u32) -> u32;
}

impl Edges for DevPtr<u32> {
    #[inline(always)]
    unsafe fn neighbour(self, i: u32) -> u32 {
        // SAFETY: the caller guarantees the index.
        unsafe { self.add(i as usize).read() }
    }
}

/// Those from an element of a cached array on.
#[derive(Clone, Copy)]
pub struct Cached {
    /// The array.
    pub array: DeviceArray<u32>,
    /// This PE's first edge.
    pub first: u64,
}

impl Edges for Cached {
    #[inline(always)]
    unsafe fn neighbour(self, i: u32) -> u32 {
        // SAFETY: the caller guarantees the index.
        unsafe { self.array.read(self.first + u64::from(i)) }
    }
}

/// Computes the ranks of this PE's vertices.
///
/// # Safety
/// The memory is as the fields say.
#[inline(always)]
pub unsafe fn iterate<E: Edges>(rows: Rows, edges: E) {
    let (mut vertex, warps) =
        ((block_idx_x() * block_dim_x() + thread_idx_x()) / 32, grid_dim_x() * block_dim_x() / 32);
    while vertex < rows.vertices {
        // SAFETY: the caller guarantees the memory.
        unsafe {
            let (begin, end) = (rows.first.add(vertex as usize).read(), rows.first.add(vertex as usize + 1).read());
            let (mut i, mut sum) = (begin + Warp.lane() as u32, 0.0);
            while i < end {
                let other = edges.neighbour(i);
                sum += rows.gives.add((other % rows.pes * rows.vertices + other / rows.pes) as usize).read();
                i += 32;
            }
            Warp.sync();
            let mut distance = 16;
            while distance > 0 {
                sum += shfl_down(u32::MAX, sum, distance);
                distance /= 2;
            }
            if Warp.lane() == 0 {
                let rank = rows.least + rows.damping * sum;
                rows.ranks.add(vertex as usize).write(rank);
                let give = if end > begin { rank / f64::from(end - begin) } else { 0.0 };
                rows.will_give.add(vertex as usize).write(give);
            }
        }
        vertex += warps;
    }
}
