//! Elements of cached arrays: where they are in a slot, and how they are loaded and stored.

use crate::{DevPtr, Word};
use core::marker::PhantomData;

/// What a lane does with an element of an array.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) index: u64,
    pub(crate) writes: bool,
    /// What it writes.
    pub(crate) value: u64,
}

/// Where an element is in the slot of its line.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Its address, if that is the first slot.
    pub(crate) in_first: u64,
    pub(crate) line_bytes: u32,
}

impl Place {
    #[inline(always)]
    pub(crate) fn in_slot(self, slot: u32) -> u64 {
        self.in_first + u64::from(slot) * u64::from(self.line_bytes)
    }
}

/// How elements are accessed.
pub(crate) trait Elements: Copy {
    /// Bytes of an element.
    fn bytes(self) -> usize;
    /// Loads one at system scope, without ordering.
    ///
    /// # Safety
    /// `from` is the address of an element.
    unsafe fn load(self, from: u64) -> u64;
    /// Stores one at system scope, without ordering.
    ///
    /// # Safety
    /// `to` is the address of an element.
    unsafe fn store(self, to: u64, value: u64);
}

/// Elements of the array's type.
pub(crate) struct Own<T>(PhantomData<T>);

impl<T> Own<T> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<T> Clone for Own<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Own<T> {}

impl<T: Word> Elements for Own<T> {
    #[inline(always)]
    fn bytes(self) -> usize {
        size_of::<T>()
    }
    #[inline(always)]
    unsafe fn load(self, from: u64) -> u64 {
        // SAFETY: the caller guarantees an element.
        unsafe { T::load_relaxed_sys(DevPtr::from_address(from)) }.to_command()
    }
    #[inline(always)]
    unsafe fn store(self, to: u64, value: u64) {
        // SAFETY: the caller guarantees an element of this type.
        unsafe { T::store_relaxed_sys(DevPtr::from_address(to), T::of_command(value)) };
    }
}

/// Elements with the binary logarithm of their bytes, for kernels in CUDA C++: one body serves all types there.
#[derive(Clone, Copy)]
pub(crate) struct Any(pub(crate) u32);

impl Elements for Any {
    #[inline(always)]
    fn bytes(self) -> usize {
        1 << self.0
    }
    #[inline(always)]
    unsafe fn load(self, from: u64) -> u64 {
        // SAFETY: the caller guarantees an element, whose bytes are those of the type.
        unsafe {
            match self.0 {
                0 => Own::<u8>::NEW.load(from),
                1 => Own::<u16>::NEW.load(from),
                2 => Own::<u32>::NEW.load(from),
                _ => Own::<u64>::NEW.load(from),
            }
        }
    }
    #[inline(always)]
    unsafe fn store(self, to: u64, value: u64) {
        // SAFETY: the caller guarantees an element with as many bytes as the type has.
        unsafe {
            match self.0 {
                0 => Own::<u8>::NEW.store(to, value),
                1 => Own::<u16>::NEW.store(to, value),
                2 => Own::<u32>::NEW.store(to, value),
                _ => Own::<u64>::NEW.store(to, value),
            }
        }
    }
}
