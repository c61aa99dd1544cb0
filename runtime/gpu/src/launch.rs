use cushmem_abi::lane::Dim3;

/// The shape of a launch.
///
/// ```
/// # use cushmem_gpu::Grid;
/// // A lane for each point of a picture.
/// let grid = Grid { blocks: [1920 / 32, 1080 / 8, 1], threads: [32, 8, 1], shared_bytes: 0 };
/// assert_eq!(grid.block_count() * grid.threads_per_block(), 1920 * 1080);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks in the grid, in x, y and z.
    pub blocks: Dim3,
    /// The number of lanes in a block, in x, y and z.
    pub threads: Dim3,
    /// The size in bytes of the dynamic shared memory of a block, which the kernel gets from
    /// `cushmem_device::dynamic_shared`.
    pub shared_bytes: u32,
}

impl Grid {
    /// Creates a one-dimensional grid of `blocks` blocks of `threads` lanes.
    pub const fn linear(blocks: u32, threads: u32) -> Self {
        Self { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared_bytes: 0 }
    }

    /// Returns the same grid, with `bytes` bytes of dynamic shared memory for each block. The launch is refused if a
    /// block cannot have as many ([`Properties::shared_bytes`](crate::Properties::shared_bytes)).
    ///
    /// ```
    /// # use cushmem_gpu::Grid;
    /// // A word for each lane.
    /// assert_eq!(Grid::linear(8, 256).with_shared(256 * 8).shared_bytes, 2048);
    /// ```
    pub const fn with_shared(self, bytes: u32) -> Self {
        Self { shared_bytes: bytes, ..self }
    }

    /// Returns the number of lanes in a block.
    pub fn threads_per_block(&self) -> u64 {
        self.threads.iter().map(|&n| u64::from(n)).product()
    }

    /// Returns the number of blocks in the grid.
    pub fn block_count(&self) -> u64 {
        self.blocks.iter().map(|&n| u64::from(n)).product()
    }
}

/// Says why a launch is refused: a block can have at most `limit` bytes of shared memory, of which the kernel itself
/// declares `declared`.
pub(crate) fn too_much_shared(limit: u32, declared: u32) -> String {
    match declared {
        0 => format!("a block can have at most {limit} bytes on this GPU"),
        _ => format!("a block can have at most {limit} bytes on this GPU, and the kernel declares {declared} of them"),
    }
}

/// Whether all blocks of a launch must be resident together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchKind {
    /// Blocks run in any order, some after others.
    Plain,
    /// All blocks run at the same time, so they may wait for each other. The launch is refused if they do not fit.
    Cooperative,
}
