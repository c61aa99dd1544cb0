use std::collections::BTreeMap;

/// The free parts of an address range, allocated first fit.
pub(super) struct FreeRanges(BTreeMap<u64, u64>);

impl FreeRanges {
    pub fn new(start: u64, bytes: u64) -> Self {
        Self(BTreeMap::from([(start, bytes)]))
    }

    /// `alignment` is a power of two.
    pub fn take(&mut self, bytes: u64, alignment: u64) -> Option<u64> {
        let (start, length, address) = self.0.iter().find_map(|(&start, &length)| {
            let address = start.checked_next_multiple_of(alignment)?;
            let needed = (address - start).checked_add(bytes)?;
            (needed <= length).then_some((start, length, address))
        })?;
        self.0.remove(&start);
        let before = address - start;
        let after = length - before - bytes;
        if before > 0 {
            self.0.insert(start, before);
        }
        if after > 0 {
            self.0.insert(address + bytes, after);
        }
        Some(address)
    }

    /// Takes back a range that [`Self::take`] returned, and joins it with its free neighbours.
    pub fn give(&mut self, address: u64, bytes: u64) {
        let (mut start, mut length) = (address, bytes);
        if let Some((&previous, &n)) = self.0.range(..address).next_back()
            && previous + n == address
        {
            self.0.remove(&previous);
            (start, length) = (previous, n + length);
        }
        if let Some(n) = self.0.remove(&(address + bytes)) {
            length += n;
        }
        self.0.insert(start, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches parts that are lost or handed out twice around an aligned allocation.
    #[test]
    fn pieces_join_again() {
        let mut free = FreeRanges::new(0x1000, 0x10_0000);
        let a = free.take(0x1000, 0x1000).unwrap();
        let b = free.take(0x2000, 0x1_0000).unwrap();
        let c = free.take(0x3000, 0x1000).unwrap();
        assert_eq!((a, b, c), (0x1000, 0x1_0000, 0x2000));
        for (address, bytes) in [(b, 0x2000), (a, 0x1000), (c, 0x3000)] {
            free.give(address, bytes);
        }
        assert_eq!(free.0, BTreeMap::from([(0x1000, 0x10_0000)]));
        assert_eq!(free.take(0x10_0001, 1), None);
    }
}
