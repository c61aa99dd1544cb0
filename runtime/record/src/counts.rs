//! Sums.

/// The buckets of waits: below 1 µs, 10 µs and so on up to 1 s, and the rest.
pub(crate) const BUCKETS: usize = 8;

/// What was counted of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many there were.
    pub operations: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The time that they took.
    pub ns: u64,
}

impl Count {
    /// The sum of both. Those of a damaged record may be of any size.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            operations: self.operations.saturating_add(other.operations),
            bytes: self.bytes.saturating_add(other.bytes),
            ns: self.ns.saturating_add(other.ns),
        }
    }
}

/// What was counted of waits for one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waited {
    /// How many there were.
    pub waits: u64,
    /// The time that they took.
    pub ns: u64,
    /// How many took less than 1 µs, 10 µs and so on up to 1 s, and how many more.
    pub buckets: [u64; BUCKETS],
}
