//! Atomic memory operations (OpenSHMEM 1.6, section 9.7) on symmetric host memory. The CPU is what makes them atomic, so GPU
//! memory is refused here; kernels reach that.

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
