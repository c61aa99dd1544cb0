/// What the fast path of a kernel needs to know about the job. It is in the module's constant memory, so that reading
/// it causes no memory access and an acquire load does not discard it. Everything else is in the
/// [`Tables`](crate::Tables).
///
/// Symmetric memory of one kind lies in a window, with a segment for each *place*, at equal distances. The places of
/// the `n` PEs of this machine are `0..n`, in any order. The object of PE `q` is at the address of this PE's object
/// plus `(place(q) - my_place) * stride`, with the stride of the window in which it lies.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceContext {
    /// [`crate::ABI_VERSION`] of the library that wrote this.
    pub abi_version: u32,
    /// This PE's number.
    pub my_pe: u32,
    /// The number of PEs in the job.
    pub n_pes: u32,
    /// This PE's place in the windows.
    pub my_place: u32,
    /// Every PE below this number has its own number as its place, and loads and stores reach its memory of all kinds.
    pub direct_pes: u32,
    /// Every PE below this number, which is at most `direct_pes`, has GPU memory that the atomics of kernels here
    /// reach.
    pub atomic_pes: u32,
    /// 1 if there are PEs whose memory is not mapped, so that kernels ask the CPU for what they cannot do there and for
    /// synchronisation with other PEs; otherwise 0.
    pub far: u32,
    /// The window of host memory.
    pub host: Units,
    /// The window of GPU memory.
    pub gpu: Units,
    /// The least bytes that one lane's put without a wait leaves to the [`ProcessorRing`](crate::ProcessorRing); the
    /// largest number if there is none.
    pub put_to_processor: u32,
    /// Device address of this GPU's [`ProcessorRing`](crate::ProcessorRing); 0 if it has no command processor.
    pub processor: u64,
    /// Device address of the [`Tables`](crate::Tables).
    pub tables: u64,
    /// Device address of this PE's [`SyncArea`](crate::SyncArea), in its segment of GPU memory.
    pub sync_area: u64,
    /// Device address of this PE's [`Reports`](crate::Reports), in host memory.
    pub reports: u64,
    /// Device address of this PE's [`HostRing`](crate::HostRing), in host memory; 0 if no thread takes commands.
    pub ring: u64,
    /// Longest wait inside a collective of the library, in nanoseconds; 0 means no limit.
    pub wait_limit_ns: u64,
    /// Like `put_to_processor`, for a get.
    pub get_to_processor: u32,
    /// Of so many blocks of a launch, the first one records, if there is a record.
    pub record_every: u32,
    /// Device address of this GPU's [`KernelRecord`](crate::KernelRecord); 0 if kernels record nothing.
    pub record: u64,
    /// How many events the record has room for: a power of two.
    pub record_slots: u32,
}

/// A window in units of [`WINDOW_UNIT`] bytes, so that kernels compute with 32 bits and find out in few instructions
/// in which window an address lies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// The first unit.
    pub first: u32,
    /// Units of the whole window.
    pub count: u32,
    /// Units between two places.
    pub stride: u32,
}

/// The exponent of [`WINDOW_UNIT`].
pub const WINDOW_UNIT_BITS: u32 = 21;
/// Windows start at multiples of this number of bytes, and strides are multiples of it.
pub const WINDOW_UNIT: u64 = 1 << WINDOW_UNIT_BITS;

impl Units {
    /// The window at `base`, whose `places` segments are `stride` bytes apart; `None` if these are no multiples of
    /// [`WINDOW_UNIT`], or too large.
    pub const fn new(base: u64, stride: u64, places: u32) -> Option<Self> {
        let (first, count) = (base >> WINDOW_UNIT_BITS, (stride >> WINDOW_UNIT_BITS) * places as u64);
        if (base | stride).is_multiple_of(WINDOW_UNIT) && first + count <= u32::MAX as u64 {
            Some(Self { first: first as u32, count: count as u32, stride: (stride >> WINDOW_UNIT_BITS) as u32 })
        } else {
            None
        }
    }

    /// The first address of the segment at a place.
    #[inline]
    pub const fn segment(&self, place: u32) -> u64 {
        (self.first as u64 + place as u64 * self.stride as u64) << WINDOW_UNIT_BITS
    }

    /// Whether an address lies in the window. The fast path of kernels compares only the low 32 bits of the unit's
    /// number, which saves instructions: it takes an address whose bits from 53 on are wrong for the one without them,
    /// and the access then fails as one of the GPU.
    pub const fn contain(&self, address: u64) -> bool {
        (address >> WINDOW_UNIT_BITS).wrapping_sub(self.first as u64) < self.count as u64
    }
}

const _: () = assert!(size_of::<DeviceContext>() == 128);

/// Bytes between the segments of two PEs, for heaps of up to this size: a power of two that is at least 2 MiB, plus 2
/// MiB. `None` if there is no such number.
///
/// A PE that puts to an object of its peer often loads its own copy next, as in every ping-pong and barrier. If
/// segments lay a power of two apart, both addresses would agree in all low bits. Processors use these bits to guess on
/// which store a load depends or, in AMD's Zen, to choose the place of a line in the first-level cache; the two lines
/// then evict each other. The additional 2 MiB is the unit in which GPUs map memory.
pub const fn stride(heap_bytes: u64) -> Option<u64> {
    match (if heap_bytes < WINDOW_UNIT { WINDOW_UNIT } else { heap_bytes }).checked_next_power_of_two() {
        Some(power) => power.checked_add(WINDOW_UNIT),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches an address that counts as one of the window because its high bits are cut off.
    #[test]
    fn every_bit_of_an_address_counts() {
        let (base, stride) = (3 * WINDOW_UNIT, 2 * WINDOW_UNIT);
        let window = Units::new(base, stride, 2).expect("multiples of the unit");
        let end = base + 2 * stride;
        assert!(window.contain(base) && window.contain(end - 1));
        assert!(!window.contain(base - 1) && !window.contain(end));
        for bit in 24..64 {
            assert!(!window.contain(base | 1 << bit), "bit {bit}");
        }
    }

    /// Catches segments that lie a power of two apart, or that overlap.
    #[test]
    fn strides_are_two_mib_more_than_a_power_of_two() {
        const MIB: u64 = 1 << 20;
        for (heap_bytes, expected) in [
            (0, 4 * MIB),
            (2 * MIB - 1, 4 * MIB),
            (2 * MIB, 4 * MIB),
            (2 * MIB + 1, 6 * MIB),
            (4 * MIB, 6 * MIB),
            (4 * MIB + 1, 10 * MIB),
        ] {
            assert_eq!(stride(heap_bytes), Some(expected), "{heap_bytes} bytes");
        }
        assert_eq!((stride(1 << 63), stride((1 << 63) + 1)), (Some((1 << 63) + 2 * MIB), None));
    }
}
