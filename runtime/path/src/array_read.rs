//! How kernels read elements of arrays, for their costs.

/// How all lanes of a GPU together read elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayRead {
    /// From a line that is in the cache.
    Hit,
    /// By plain loads from the memory of another GPU.
    FromGpu,
    /// By plain loads from host memory.
    FromHost,
}

/// All of them, with their words in a file. Only their bandwidth is used.
pub(crate) const ARRAY_READS: [(&str, ArrayRead); 3] =
    [("array-hit", ArrayRead::Hit), ("array-load-gpu", ArrayRead::FromGpu), ("array-load-host", ArrayRead::FromHost)];

impl ArrayRead {
    /// The word for its figure in a file of costs.
    pub fn word(self) -> &'static str {
        ARRAY_READS[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_have_their_places() {
        assert!(ARRAY_READS.iter().all(|(word, read)| read.word() == *word));
    }
}
