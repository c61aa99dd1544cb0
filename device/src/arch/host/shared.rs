//! Shared memory: pieces of this process's memory that live as long as the block.

use core::ptr::with_exposed_provenance_mut;
use cushmem_abi::lane::{Event, current};

/// An address in shared memory.
pub type SharedAddress = u64;

/// The address of the piece with this number, which `shared!` declares.
pub fn static_shared<const ID: u64>(bytes: u32) -> SharedAddress {
    (current().suspend)(Event::Shared { id: ID, bytes })
}

/// The address of the shared memory that the launch asked for.
pub fn dynamic_shared() -> SharedAddress {
    (current().suspend)(Event::Shared { id: 0, bytes: dynamic_shared_bytes() })
}

/// How many bytes of shared memory the launch asked for.
pub fn dynamic_shared_bytes() -> u32 {
    current().shared_bytes
}

/// The address by which loads and stores of all kinds of memory reach it.
#[inline(always)]
pub fn generic_of_shared(address: SharedAddress) -> u64 {
    address
}

macro_rules! accesses { ($($load:ident, $store:ident: $t:ty;)*) => {$(
    /// Plain load: the lanes of a block run on one thread.
    /// # Safety
    /// `address` is valid and aligned.
    #[inline]
    pub unsafe fn $load(address: SharedAddress) -> $t {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { with_exposed_provenance_mut::<$t>(address as usize).read() }
    }
    /// Plain store: the lanes of a block run on one thread.
    /// # Safety
    /// `address` is valid and aligned.
    #[inline]
    pub unsafe fn $store(address: SharedAddress, value: $t) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { with_exposed_provenance_mut::<$t>(address as usize).write(value) }
    }
)*} }
accesses! {
    ld_shared_u8, st_shared_u8: u8;
    ld_shared_u16, st_shared_u16: u16;
    ld_shared_u32, st_shared_u32: u32;
    ld_shared_u64, st_shared_u64: u64;
}
