//! How kernels read elements of arrays, for their costs.

/// How all lanes of a GPU together read elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayRead {
    /// From a line that is in the cache.
    Hit,
    /// By plain loads from the memory of another GPU.
    FromGpu,
    /// By plain loads from host memory.
    FromHost,
}

/// Their words in a file, in the order of [`ArrayRead`]. Only their bandwidth is used.
pub(crate) const ARRAY_READS: [&str; 3] = ["array-hit", "array-load-gpu", "array-load-host"];
