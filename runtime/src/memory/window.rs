//! Windows: address ranges in which the segments of this node's PEs lie side by side, at equal distances, in the order
//! of their places.

use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use cushmem_abi::CollectiveArea;

/// Segments start at a multiple of this, as seen from any PE, and strides are multiples of it. So an object with an
/// alignment up to this has it wherever it is seen. A PE sees its own objects at larger alignments too
/// ([`own_alignment`]).
pub(crate) const BASE_ALIGNMENT: u64 = cushmem_abi::WINDOW_UNIT;

/// The distance from one segment to the next, for heaps of up to `largest` bytes of memory that is mapped in units of
/// `granularity`.
pub(super) fn stride(largest: u64, granularity: u64) -> Result<u64> {
    let stride =
        cushmem_abi::stride(largest.max(granularity)).and_then(|bytes| bytes.checked_next_multiple_of(granularity));
    stride.ok_or_else(|| {
        Error::new("reserve addresses", Cause::System(format!("a heap of {largest} bytes is too large")))
    })
}

/// The same for GPU heaps, which come with words for collectives, and with `more` bytes for more teams than usual. They
/// are added to the power of two, so that they do not double it; the stride has room for 2 MiB of them.
pub(super) fn gpu_stride(largest: u64, more: u64, granularity: u64) -> Result<u64> {
    let words = (size_of::<CollectiveArea>() as u64 + more).saturating_sub(BASE_ALIGNMENT);
    Ok(stride(largest, granularity)?.saturating_add(words.next_multiple_of(granularity.max(BASE_ALIGNMENT))))
}

/// In a heap of `bytes` bytes, this PE's own segment starts at a multiple of this, a power of two, if addresses allow
/// it. So objects of this PE can have any alignment up to it. The segments of other PEs, which lie a stride apart,
/// start only at multiples of [`BASE_ALIGNMENT`], so that caches tell them apart.
pub(crate) fn own_alignment(bytes: u64) -> u64 {
    bytes.checked_ilog2().map_or(0, |power| 1 << power).max(BASE_ALIGNMENT)
}

/// The first address from `start` on for a window whose byte at `own` is to lie at a multiple of `alignment`.
pub(super) fn place(start: u64, own: u64, alignment: u64) -> u64 {
    (start + own).next_multiple_of(alignment) - own
}

/// Where the segment of each PE starts, as this PE sees it.
pub(crate) struct Window {
    base: u64,
    stride: u64,
    /// Of all segments.
    bytes: u64,
    /// By PE; 0 for a PE of another node.
    starts: Box<[usize]>,
}

impl Window {
    /// The window at `base`, whose segments are `stride` bytes apart.
    pub(super) fn new(job: &Job, base: u64, stride: u64) -> Self {
        Self::of_starts(base, stride, job.by_pe(|place| (base + u64::from(place) * stride) as usize))
    }

    fn of_starts(base: u64, stride: u64, starts: Box<[usize]>) -> Self {
        let bytes = stride * starts.iter().filter(|start| **start != 0).count() as u64;
        Self { base, stride, bytes, starts }
    }

    /// Address of the first segment, which is that of place 0.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// The distance from one segment to the next in bytes.
    pub(crate) fn stride(&self) -> u64 {
        self.stride
    }

    /// By PE, where its segment starts; 0 for a PE of another node.
    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The address of the byte at `offset` in a PE's segment; `None` if the PE is on another node.
    #[inline(always)]
    pub(crate) fn at(&self, pe: Pe, offset: u64) -> Option<u64> {
        let start = self.starts[pe.index()];
        (start != 0).then(|| start as u64 + offset)
    }

    /// The PE in whose segment an address is.
    pub(super) fn pe_of(&self, address: u64) -> Option<u32> {
        let start = (address - self.offset_of(address)?) as usize;
        self.starts.iter().position(|at| *at == start).map(|pe| pe as u32)
    }

    /// The offset in its segment of an address of any PE.
    pub(super) fn offset_of(&self, address: u64) -> Option<u64> {
        let at = address.checked_sub(self.base).filter(|at| *at < self.bytes)?;
        Some(at % self.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Pe;

    /// Catches words of teams that double the distance between segments, and segments that overlap or that no GPU maps.
    #[test]
    fn more_teams_take_few_addresses() {
        let (heap, unit) = (4 << 30, BASE_ALIGNMENT);
        for more in [0, 1, 16 << 10, 15 << 20] {
            let own = size_of::<CollectiveArea>() as u64 + more;
            for granularity in [unit, 4 * unit] {
                let stride = gpu_stride(heap, more, granularity).expect("it fits");
                assert!(stride >= heap + own && stride.is_multiple_of(granularity), "{more} bytes: {stride}");
                assert!(stride <= heap + own + 2 * granularity, "{more} bytes: {stride}");
            }
        }
    }

    /// Three places: PE 0 has the second, PE 2 the third and PE 3 the first. PE 1 is on another node.
    #[test]
    fn an_address_of_any_pe_has_its_offset() {
        let window = Window::of_starts(1000, 100, [1100, 0, 1200, 1000].into());
        for address in 900..1400 {
            let expected = (1000..1300).contains(&address).then_some(address % 100);
            assert_eq!(window.offset_of(address), expected, "{address}");
            let pe = expected.map(|_| [3, 0, 2][(address / 100 - 10) as usize]);
            assert_eq!(window.pe_of(address), pe, "{address}");
        }
        for (pe, start) in [(0, Some(1100)), (1, None), (2, Some(1200)), (3, Some(1000))] {
            for offset in [0, 1, 99] {
                assert_eq!(window.at(Pe::member(pe), offset), start.map(|start| start + offset), "PE {pe}");
            }
        }
    }

    /// Catches an own segment that is not aligned, and a window that needs more than the spare addresses.
    #[test]
    fn the_own_segment_is_aligned() {
        for bytes in [0, 1 << 20, 8 << 20, (8 << 20) + 1, 1 << 30] {
            let alignment = own_alignment(bytes);
            assert!(alignment.is_power_of_two() && (alignment == 2 << 20 || alignment <= bytes), "{bytes}");
            let stride = stride(bytes, 2 << 20).expect("there are so many addresses");
            for (room, me) in [(0x7f00_0000_0000, 0), (0x7f12_3456_7000, 1), (0x7f00_0020_0000, 6)] {
                let base = place(room, me * stride, alignment);
                assert!((base + me * stride).is_multiple_of(alignment), "{bytes}: {base:#x}");
                assert!((room..room + alignment).contains(&base), "{bytes}: {base:#x}");
            }
        }
    }

    /// Catches segments that overlap or do not start at a granule.
    #[test]
    fn a_segment_has_room_for_the_largest_heap() {
        for granularity in [1 << 12, 2 << 20, 512 << 20] {
            for largest in [0, 1, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (1 << 30) - 1, 1 << 30, (1 << 30) + 1] {
                let stride = stride(largest, granularity).expect("there are so many addresses");
                assert!(stride >= largest && stride >= granularity && stride.is_multiple_of(granularity), "{largest}");
            }
        }
        assert!(stride(u64::MAX, 2 << 20).is_err() && stride(1 << 63, 1 << 63).is_err());
    }
}
