//! Where the emulated GPU keeps its memory.
//!
//! A device address of the emulation lies in `WINDOW_BASE .. WINDOW_BASE + WINDOW_BYTES`. That range is never
//! accessible, so a CPU access to a device address faults as it would on a real GPU. The bytes are `ALIAS_DISTANCE`
//! above it, and only copies, streams and the kernels' device pointers add that distance.

/// First device address.
pub const WINDOW_BASE: u64 = 0x2000_0000_0000;
/// Bytes of the device address space.
pub const WINDOW_BYTES: u64 = 1 << 40;
/// The distance from a device address to the bytes behind it.
pub const ALIAS_DISTANCE: u64 = WINDOW_BYTES;

/// Whether `address` is a device address of the emulation.
#[inline(always)]
pub const fn is_device_address(address: u64) -> bool {
    address.wrapping_sub(WINDOW_BASE) < WINDOW_BYTES
}

/// Where the bytes of `address` are: host memory is where its address says, device memory in the alias.
#[inline(always)]
pub const fn resolve(address: u64) -> u64 {
    if is_device_address(address) { address + ALIAS_DISTANCE } else { address }
}
