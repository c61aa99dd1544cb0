//! Memory in which values lie: memory that kernels access or, for the reference, the CPU's.

use cushmem_device::DevPtr;

/// Elements at indices.
pub trait Memory<T>: Copy {
    /// # Safety
    /// The element exists, and nobody writes it at the same time.
    unsafe fn load(self, index: usize) -> T;
    /// # Safety
    /// The element exists, and nobody uses it at the same time.
    unsafe fn store(self, index: usize, value: T);
    /// The elements from this one on.
    fn from(self, index: usize) -> Self;
}

impl<T: Copy> Memory<T> for DevPtr<T> {
    #[inline(always)]
    unsafe fn load(self, index: usize) -> T {
        // SAFETY: the caller guarantees what this requires of the element.
        unsafe { self.add(index).read() }
    }
    #[inline(always)]
    unsafe fn store(self, index: usize, value: T) {
        // SAFETY: the caller guarantees what this requires of the element.
        unsafe { self.add(index).write(value) }
    }
    #[inline(always)]
    fn from(self, index: usize) -> Self {
        self.add(index)
    }
}

/// The CPU's memory.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Debug)]
pub struct Plain<T>(*mut T);

#[cfg(not(target_arch = "nvptx64"))]
mod plain {
    use super::{Memory, Plain};

    impl<T> Plain<T> {
        /// The elements from this address on. Threads may share the value: each caller has to justify its accesses.
        pub fn new(address: *mut T) -> Self {
            Self(address)
        }
    }

    impl<T> Clone for Plain<T> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<T> Copy for Plain<T> {}

    // SAFETY: it is an address; using it is unsafe.
    unsafe impl<T> Send for Plain<T> {}
    // SAFETY: it is an address; using it is unsafe.
    unsafe impl<T> Sync for Plain<T> {}

    impl<T: Copy> Memory<T> for Plain<T> {
        #[inline(always)]
        unsafe fn load(self, index: usize) -> T {
            // SAFETY: the caller guarantees what this requires of the element.
            unsafe { self.0.add(index).read() }
        }
        #[inline(always)]
        unsafe fn store(self, index: usize, value: T) {
            // SAFETY: the caller guarantees what this requires of the element.
            unsafe { self.0.add(index).write(value) }
        }
        #[inline(always)]
        fn from(self, index: usize) -> Self {
            Self(self.0.wrapping_add(index))
        }
    }
}
