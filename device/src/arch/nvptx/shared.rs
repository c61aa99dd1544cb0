//! Shared memory: accesses in its own address space, whose addresses have 32 bits.

use core::arch::asm;

/// An address in shared memory.
pub type SharedAddress = u32;

/// The address of the piece with this number, which `shared!` declares.
#[inline(always)]
pub fn static_shared<const ID: u64>(_bytes: u32) -> SharedAddress {
    let address;
    // SAFETY: reads an address.
    unsafe {
        asm!("mov.u32 {0}, cushmem_shared_{1};", out(reg32) address, const ID,
             options(pure, nomem, nostack, preserves_flags));
    }
    address
}

/// The address of the shared memory that the launch asked for.
#[inline(always)]
pub fn dynamic_shared() -> SharedAddress {
    let address;
    // SAFETY: reads an address.
    unsafe {
        asm!("mov.u32 {0}, cushmem_dynamic_shared;", out(reg32) address, options(pure, nomem, nostack, preserves_flags));
    }
    address
}

/// How many bytes of shared memory the launch asked for.
#[inline(always)]
pub fn dynamic_shared_bytes() -> u32 {
    let bytes;
    // SAFETY: reads a special register.
    unsafe {
        asm!("mov.u32 {0}, %dynamic_smem_size;", out(reg32) bytes, options(pure, nomem, nostack, preserves_flags))
    }
    bytes
}

/// The address by which loads and stores of all kinds of memory reach it.
#[inline(always)]
pub fn generic_of_shared(address: SharedAddress) -> u64 {
    let generic;
    // SAFETY: converts an address.
    unsafe {
        asm!("{{ .reg .b64 wide; cvt.u64.u32 wide, {1}; cvta.shared.u64 {0}, wide; }}", out(reg64) generic,
             in(reg32) address, options(pure, nomem, nostack, preserves_flags));
    }
    generic
}

macro_rules! accesses { ($($load:ident, $store:ident: $t:ty, $reg:ident $wide:ty, $suffix:literal;)*) => {$(
    #[doc = concat!("`ld.shared.", $suffix, "`")]
    /// # Safety
    /// `address` is valid and aligned.
    #[inline(always)]
    pub unsafe fn $load(address: SharedAddress) -> $t {
        let value: $wide;
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { asm!(concat!("ld.shared.", $suffix, " {0}, [{1}];"), out($reg) value, in(reg32) address, options(nostack, preserves_flags)) }
        value as $t
    }
    #[doc = concat!("`st.shared.", $suffix, "`")]
    /// # Safety
    /// `address` is valid and aligned.
    #[inline(always)]
    pub unsafe fn $store(address: SharedAddress, value: $t) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { asm!(concat!("st.shared.", $suffix, " [{0}], {1};"), in(reg32) address, in($reg) value as $wide, options(nostack, preserves_flags)) }
    }
)*} }
accesses! {
    ld_shared_u8, st_shared_u8: u8, reg32 u32, "u8";
    ld_shared_u16, st_shared_u16: u16, reg16 u16, "u16";
    ld_shared_u32, st_shared_u32: u32, reg32 u32, "u32";
    ld_shared_u64, st_shared_u64: u64, reg64 u64, "u64";
}
