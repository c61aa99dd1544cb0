//! Words whose size is known only when the kernel runs, and pieces of up to 8 bytes.

use crate::{DevPtr, arch};

/// # Safety
/// `at` is an aligned word of `width` bytes.
#[inline(always)]
pub(super) unsafe fn load(at: DevPtr<u8>, width: usize) -> u64 {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        match width {
            1 => arch::ld_relaxed_sys_u8(at.raw()).into(),
            2 => arch::ld_relaxed_sys_u16(at.cast().raw()).into(),
            4 => arch::ld_relaxed_sys_u32(at.cast().raw()).into(),
            _ => arch::ld_relaxed_sys_u64(at.cast().raw()),
        }
    }
}

/// # Safety
/// `at` is an aligned word of `width` bytes.
#[inline(always)]
pub(super) unsafe fn store(at: DevPtr<u8>, width: usize, value: u64) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        match width {
            1 => arch::st_relaxed_sys_u8(at.raw(), value as u8),
            2 => arch::st_relaxed_sys_u16(at.cast().raw(), value as u16),
            4 => arch::st_relaxed_sys_u32(at.cast().raw(), value as u32),
            _ => arch::st_relaxed_sys_u64(at.cast().raw(), value),
        }
    }
}

/// The size of the largest word in which a piece of up to 8 bytes can be loaded and stored.
#[inline(always)]
fn unit(at: DevPtr<u8>, bytes: usize) -> usize {
    1 << (at.address() as usize | bytes | 8).trailing_zeros()
}

/// Loads up to 8 bytes.
///
/// # Safety
/// They are valid.
#[inline(always)]
pub(super) unsafe fn load_piece(from: DevPtr<u8>, bytes: usize) -> u64 {
    let (unit, mut word, mut k) = (unit(from, bytes), 0, 0);
    while k < bytes {
        // SAFETY: the caller guarantees that the bytes are valid; start and length are multiples of the unit.
        word |= unsafe { load(from.add(k), unit) } << (8 * k);
        k += unit;
    }
    word
}

/// # Safety
/// They are valid.
#[inline(always)]
pub(super) unsafe fn store_piece(to: DevPtr<u8>, bytes: usize, word: u64) {
    let (unit, mut k) = (unit(to, bytes), 0);
    while k < bytes {
        // SAFETY: the caller guarantees that the bytes are valid; start and length are multiples of the unit.
        unsafe { store(to.add(k), unit, word >> (8 * k)) };
        k += unit;
    }
}
