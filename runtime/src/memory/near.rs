//! The test of the inline fast path, in front of every operation: is this a symmetric object that the CPU's loads and
//! stores reach on that PE?
//!
//! All data that the test needs are in one cache line, as long as the PEs of this node have consecutive numbers in the
//! order of their places; then an address takes one multiply-add. If they are numbered differently (`shmemrun --map`),
//! and for globals, which this PE has at another address than the window's, the test finds nothing, and plain addresses
//! and collectives use a table instead. The test knows nothing of transports: what it does not find goes to
//! [`transfer`](crate::transfer).

use std::sync::atomic::{AtomicUsize, Ordering};

/// One segment, as the CPU's loads and stores reach it.
#[repr(C, align(64))]
pub(crate) struct Near {
    /// The address of this PE's first byte.
    first: usize,
    /// Bytes of every segment.
    length: usize,
    /// The run of PEs with consecutive numbers whose segments lie side by side: the first PE, the number of PEs, the
    /// start of the first one's segment, and the distance to the next. The run is empty in check mode and if
    /// this PE records, so that nothing is found.
    first_pe: u32,
    count: u32,
    start: usize,
    stride: usize,
    /// By PE, the address of its first byte; 0 where loads and stores do not reach. Empty where the run is.
    starts: Box<[usize]>,
}

impl Near {
    pub(super) fn new(first: usize, length: usize, starts: Box<[usize]>) -> Self {
        let (run, stride) = first_run(&starts);
        let start = starts.get(run.start).copied().unwrap_or(0);
        Self { first, length, first_pe: run.start as u32, count: run.len() as u32, start, stride, starts }
    }

    /// The address of the object on a PE, if all `bytes` bytes are in the segment and the multiply-add applies.
    #[inline(always)]
    pub(crate) fn find<T>(&self, object: *const T, bytes: usize, pe: u32) -> Option<*mut T> {
        let at = object.addr().wrapping_sub(self.first);
        let inside = self.length.checked_sub(bytes).is_some_and(|last| at <= last);
        if inside { self.at(at, pe) } else { None }
    }

    /// The address on a PE of the byte at this offset inside the segment, if the multiply-add applies.
    #[inline(always)]
    pub(crate) fn at<T>(&self, offset: usize, pe: u32) -> Option<*mut T> {
        let number = pe.wrapping_sub(self.first_pe);
        // Wraps for a PE outside the run.
        let address = self.start.wrapping_add((number as usize).wrapping_mul(self.stride)).wrapping_add(offset);
        (number < self.count).then(|| std::ptr::with_exposed_provenance_mut(address))
    }

    /// As [`Near::find`], from the table.
    #[inline]
    pub(crate) fn look_up<T>(&self, object: *const T, bytes: usize, pe: u32) -> Option<*mut T> {
        let at = object.addr().wrapping_sub(self.first);
        let inside = self.length.checked_sub(bytes).is_some_and(|last| at <= last);
        let start = self.starts.get(pe as usize).filter(|start| inside && **start != 0)?;
        Some(std::ptr::with_exposed_provenance_mut(start + at))
    }

    /// As [`Near::at`], from the table.
    #[inline]
    pub(crate) fn look_up_at<T>(&self, offset: usize, pe: u32) -> Option<*mut T> {
        let start = self.starts.get(pe as usize).filter(|start| **start != 0)?;
        Some(std::ptr::with_exposed_provenance_mut(start + offset))
    }

    /// Whether this is a PE whose segment loads and stores do not reach. Never if nothing is found.
    #[inline]
    pub(crate) fn is_far(&self, pe: u32) -> bool {
        self.starts.get(pe as usize) == Some(&0)
    }

    /// The offset in the segment of an address of this PE, if all `bytes` bytes are in it and the test is not switched
    /// off.
    #[inline(always)]
    pub(crate) fn offset_of(&self, address: usize, bytes: usize) -> Option<usize> {
        let at = address.wrapping_sub(self.first);
        let inside = self.length.checked_sub(bytes).is_some_and(|last| at <= last) && !self.starts.is_empty();
        inside.then_some(at)
    }

    /// Whether the address lies in this PE's segment.
    #[inline(always)]
    fn has(&self, address: usize) -> bool {
        address.wrapping_sub(self.first) < self.length
    }
}

/// The first run of PEs at equal distances, starting with the first one that is near, and the distance.
fn first_run(starts: &[usize]) -> (std::ops::Range<usize>, usize) {
    let Some(first) = starts.iter().position(|start| *start != 0) else { return (0..0, 0) };
    let stride = match starts.get(first + 1) {
        Some(next) if *next > starts[first] => next - starts[first],
        _ => 0,
    };
    let fits = |(number, start): &(usize, &usize)| stride != 0 && **start == starts[first] + number * stride;
    let count = starts[first..].iter().enumerate().take_while(fits).count().max(1);
    (first..first + count, stride)
}

/// A granule of addresses contains only one kind of memory, because drivers map device memory in larger units.
const GRANULE_BITS: u32 = 16;
const KNOWN: usize = 64;

/// Private addresses that are known to be host memory.
pub(crate) struct KnownHost {
    /// Addresses from here on are certainly host memory. The value is 1, which excludes NULL, or beyond all addresses
    /// if there is a GPU.
    surely_from: usize,
    /// Granules that were host memory when the driver was asked, or while it was not in use yet, each plus 1; none in
    /// check mode. A private range can change its kind: the driver gets addresses for new device memory from the
    /// operating system, which may reuse those of a buffer that the program unmapped. Such a granule would still be
    /// considered host memory, and the CPU's access would fault: the program is killed, but no data are silently wrong.
    /// Asking the driver each time would avoid that, at the price of a driver call for each put from private memory.
    granules: [AtomicUsize; KNOWN],
}

impl KnownHost {
    pub(super) fn new(has_gpu: bool) -> Self {
        Self { surely_from: if has_gpu { usize::MAX } else { 1 }, granules: [const { AtomicUsize::new(0) }; KNOWN] }
    }

    /// Whether the address is certainly host memory, decided by comparisons alone. An address in this PE's own segment
    /// is; a large segment would not be remembered as a whole.
    #[inline(always)]
    pub(crate) fn has(&self, address: usize, own: &Near) -> bool {
        let granule = address >> GRANULE_BITS;
        address >= self.surely_from
            // Relaxed: the word stands alone.
            || self.granules[granule % KNOWN].load(Ordering::Relaxed) == granule + 1
            || own.has(address)
    }

    /// Forgets all.
    pub(super) fn forget(&self) {
        // Relaxed: the word stands alone.
        self.granules.iter().for_each(|granule| granule.store(0, Ordering::Relaxed));
    }

    /// Remembers that this is host memory.
    pub(super) fn remember(&self, address: usize) {
        let granule = address >> GRANULE_BITS;
        // The granule of NULL is never remembered, so that NULL does not count as host memory.
        if granule != 0 {
            // Relaxed: the word stands alone.
            self.granules[granule % KNOWN].store(granule + 1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a PE that the multiply-add finds at another address than the table does, or does not find at all.
    #[test]
    fn arithmetic_and_table_agree() {
        let orders: [&[usize]; 7] = [
            &[1000, 2000, 3000, 4000],
            &[0, 0, 1000, 2000, 3000, 0],
            &[3000, 1000, 2000],
            &[1000, 3000, 2000, 4000],
            &[500],
            &[7000, 1000, 2000, 3000],
            &[0, 0],
        ];
        for starts in orders {
            let near = Near::new(starts[0], 100, starts.into());
            let mut found = 0;
            for pe in 0..starts.len() as u32 + 2 {
                let expected = starts.get(pe as usize).copied().filter(|start| *start != 0).map(|start| start + 7);
                let looked_up = near.look_up_at::<u8>(7, pe).map(|p| p.addr());
                assert_eq!(looked_up, expected, "{starts:?}, PE {pe}");
                let computed = near.at::<u8>(7, pe).map(|p| p.addr());
                assert!(computed.is_none() || computed == expected, "{starts:?}, PE {pe}: {computed:?}");
                found += usize::from(computed.is_some());
            }
            assert!(found > 0 || starts.iter().all(|start| *start == 0), "{starts:?}");
        }
        let block = Near::new(1000, 100, [1000, 2000, 3000].into());
        assert!((0..3).all(|pe| block.at::<u8>(0, pe).is_some()), "places in order are found by arithmetic");
    }

    /// Catches a bound that is off by one: every object in and around a small segment is compared with the definition.
    #[test]
    fn objects_are_found_up_to_the_last_byte() {
        let (first, length) = (1000, 20);
        let near = Near::new(first, length, [first, 2000, 3000].into());
        let off = Near::new(first, length, Box::default());
        for (address, bytes) in (first - 30..first + 30).flat_map(|at| (0..=30).map(move |n| (at, n))) {
            let object = std::ptr::without_provenance::<u8>(address);
            let is_inside = first <= address && address + bytes <= first + length;
            let there = is_inside.then(|| 2000 + address - first);
            assert_eq!(near.find(object, bytes, 1).map(|p| p.addr()), there, "{bytes} bytes at {address}");
            assert_eq!(near.look_up(object, bytes, 1).map(|p| p.addr()), there, "{bytes} bytes at {address}");
            let offset = is_inside.then(|| address - first);
            assert_eq!(near.offset_of(address, bytes), offset, "{bytes} bytes at {address}");
            assert_eq!(near.find(object, bytes, 3), None);
            assert_eq!(near.look_up(object, bytes, 3), None);
            assert_eq!(near.has(address), (first..first + length).contains(&address), "{address}");
            assert!(off.find(object, bytes, 1).is_none() && off.look_up(object, bytes, 1).is_none());
            assert_eq!(off.offset_of(address, bytes), None, "it is switched off");
        }
        let far = Near::new(first, length, [first, 0].into());
        assert_eq!([0, 1, 2].map(|pe| far.is_far(pe)), [false, true, false], "near, far, not a PE");
        assert_eq!([0, 1, 2].map(|pe| off.is_far(pe)), [false; 3], "it is switched off");
        for bytes in [length + 1, usize::MAX - first, usize::MAX] {
            let object = std::ptr::without_provenance::<u8>(first);
            assert!(near.find(object, bytes, 1).is_none() && near.look_up(object, bytes, 1).is_none());
            assert_eq!(near.offset_of(first, bytes), None);
        }
    }

    /// Catches device memory that is taken for host memory: memory next to a granule that the driver was asked about,
    /// or with the same place in the table, and NULL.
    #[test]
    fn host_memory_is_known_by_granules() {
        let own = Near::new(1000, 100, [1000].into());
        let granule = 1 << GRANULE_BITS;
        let address = 12 * granule + 77;
        let known = KnownHost::new(true);
        assert!([0, 1, 999, 1100, address, usize::MAX - 1].iter().all(|at| !known.has(*at, &own)));
        assert!(known.has(1000, &own) && known.has(1099, &own), "its own segment");
        known.remember(address);
        assert!(known.has(12 * granule, &own) && known.has(13 * granule - 1, &own));
        for other in [12 * granule - 1, 13 * granule, (12 + KNOWN) * granule, address + (KNOWN << GRANULE_BITS), 0] {
            assert!(!known.has(other, &own), "{other:#x}");
        }
        known.remember((12 + KNOWN) * granule);
        assert!(known.has((12 + KNOWN) * granule, &own) && !known.has(address, &own), "another one has its place");
        known.remember(1);
        assert!(!known.has(0, &own) && !known.has(1, &own), "the granule of NULL");
        let without_gpu = KnownHost::new(false);
        assert!(!without_gpu.has(0, &own) && without_gpu.has(1, &own) && without_gpu.has(usize::MAX, &own));
    }
}
