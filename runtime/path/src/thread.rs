//! Copies that a single thread of a kernel begins, and who carries them out.

/// A copy that a single thread of a kernel begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadCopy {
    /// A put.
    Put,
    /// A get.
    Get,
}

/// Who carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyBy {
    /// The thread, by its own loads and stores.
    Thread,
    /// The command processor of the GPU.
    Processor,
}

/// All of them, with their words in a file.
pub(crate) const THREAD_COPIES: [(&str, ThreadCopy, CopyBy); 4] = [
    ("thread-put", ThreadCopy::Put, CopyBy::Thread),
    ("thread-get", ThreadCopy::Get, CopyBy::Thread),
    ("processor-put", ThreadCopy::Put, CopyBy::Processor),
    ("processor-get", ThreadCopy::Get, CopyBy::Processor),
];

impl ThreadCopy {
    /// The word for its figure in a file of costs.
    pub fn word(self, by: CopyBy) -> &'static str {
        THREAD_COPIES[at(self, by)].0
    }
}

/// The place in [`THREAD_COPIES`].
pub(crate) const fn at(copy: ThreadCopy, by: CopyBy) -> usize {
    by as usize * 2 + copy as usize
}
