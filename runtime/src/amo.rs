//! Atomic memory operations (OpenSHMEM 1.6, section 9.7) on symmetric host memory. The CPU is what makes them atomic, so GPU
//! memory is refused here; kernels reach that.

use crate::raw::Update;
use crate::sym::{Kind, SymPtr};
use crate::{Error, Result, Shmem, mapped};
use cushmem_device::Word;
use std::sync::atomic::Ordering;

/// Integers that have atomic operations.
pub trait Amo: Word + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! amo_types { ($($t:ty)*) => {$(
    impl sealed::Sealed for $t {}
    impl Amo for $t {}
)*} }
amo_types! { i32 i64 u32 u64 usize }

impl Shmem {
    /// Adds to an element of PE `pe`, wrapping around, and returns what it was (`shmem_atomic_fetch_add`, 9.7.7).
    #[inline]
    pub fn fetch_add<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        let target = self.atomic("fetch_add", target, pe)?;
        // SAFETY: an element of symmetric host memory is valid and aligned.
        // SYNC(host-amo) acquire-release: pairs with itself on other PEs.
        Ok(unsafe { mapped::fetch_add(target, value, Ordering::AcqRel) })
    }

    /// Stores `value` into an element of PE `pe` if it is `condition`; returns what it was (`shmem_atomic_compare_swap`, 9.7.3).
    #[inline]
    pub fn compare_swap<T: Amo>(&self, target: SymPtr<'_, T>, condition: T, value: T, pe: u32) -> Result<T> {
        let target = self.atomic("compare_swap", target, pe)?;
        // SAFETY: an element of symmetric host memory is valid and aligned.
        Ok(unsafe { mapped::compare_swap(target, condition, value) })
    }

    /// Loads an element of PE `pe` whole (`shmem_atomic_fetch`, 9.7.1).
    #[inline]
    pub fn atomic_fetch<T: Word>(&self, source: SymPtr<'_, T>, pe: u32) -> Result<T> {
        let source = self.atomic("atomic_fetch", source, pe)?;
        // SAFETY: an element of symmetric host memory is valid and aligned. Relaxed: an atomic promises no order by itself.
        Ok(unsafe { mapped::load(source, Ordering::Relaxed) })
    }

    /// Stores an element of PE `pe` whole (`shmem_atomic_set`, 9.7.2).
    #[inline]
    pub fn atomic_set<T: Word>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<()> {
        let target = self.atomic("atomic_set", target, pe)?;
        // SAFETY: as above. Relaxed: as above.
        unsafe { mapped::store(target, value, Ordering::Relaxed) };
        Ok(())
    }

    /// Stores `value` into an element of PE `pe` and returns what it was (`shmem_atomic_swap`, 9.7.4).
    #[inline]
    pub fn swap<T: Word>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        let target = self.atomic("swap", target, pe)?;
        // SAFETY: an element of symmetric host memory is valid and aligned.
        Ok(unsafe { mapped::update(target, value, Update::Swap) })
    }

    /// Bitwise and with an element of PE `pe`; returns what it was (`shmem_atomic_fetch_and`, 9.7.9).
    #[inline]
    pub fn fetch_and<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.bitwise("fetch_and", target, value, Update::And, pe)
    }

    /// Bitwise or with an element of PE `pe`; returns what it was (`shmem_atomic_fetch_or`, 9.7.11).
    #[inline]
    pub fn fetch_or<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.bitwise("fetch_or", target, value, Update::Or, pe)
    }

    /// Bitwise exclusive or with an element of PE `pe`; returns what it was (`shmem_atomic_fetch_xor`, 9.7.13).
    #[inline]
    pub fn fetch_xor<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.bitwise("fetch_xor", target, value, Update::Xor, pe)
    }

    #[inline]
    fn bitwise<T: Amo>(
        &self,
        operation: &'static str,
        target: SymPtr<'_, T>,
        value: T,
        update: Update,
        pe: u32,
    ) -> Result<T> {
        let target = self.atomic(operation, target, pe)?;
        // SAFETY: an element of symmetric host memory is valid and aligned; the type is an integer.
        Ok(unsafe { mapped::update(target, value, update) })
    }

    #[inline]
    fn atomic<T: Word>(&self, operation: &'static str, target: SymPtr<'_, T>, pe: u32) -> Result<*mut T> {
        let target = target.as_slice();
        self.check(operation, target, 1, pe)?;
        match target.kind() {
            Kind::Host => Ok(target.host_ptr(pe)),
            Kind::Gpu => Err(gpu_word(operation)),
        }
    }
}

#[cold]
pub(crate) fn gpu_word(operation: &str) -> Error {
    Error::new(operation, "the word lies in GPU memory, where only kernels are atomic; allocate it with `malloc`")
}
