use crate::{Bf16, F16, arch};
use core::fmt;
use cushmem_abi::WordKind;

/// A pointer to memory that kernels reach: symmetric or private GPU memory, or symmetric host memory.
///
/// On a GPU it is the plain address, at no extra cost. On the emulated GPU every access is redirected to where the
/// emulation keeps the bytes, and the CPU itself cannot use the address. It never becomes a Rust reference, because a
/// peer may write the memory at any time.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Doubles `n` elements: of 256 lanes, lane 1 takes elements 1, 257, 513 and so on.
///     pub unsafe fn double(numbers: DevPtr<f32>, n: usize) {
///         let mut i = Block.lane();
///         while i < n {
///             numbers.add(i).write(2.0 * numbers.add(i).read());
///             i += Block.lanes();
///         }
///     }
/// }
/// ```
#[repr(transparent)]
pub struct DevPtr<T>(*mut T);

// SAFETY: it is an address; using it is unsafe.
unsafe impl<T> Send for DevPtr<T> {}
// SAFETY: it is an address; using it is unsafe.
unsafe impl<T> Sync for DevPtr<T> {}

impl<T> Clone for DevPtr<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DevPtr<T> {}

impl<T> PartialEq for DevPtr<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for DevPtr<T> {}

impl<T> fmt::Debug for DevPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {:#x}", self.address())
    }
}

impl<T> DevPtr<T> {
    /// Creates a pointer from a device address.
    #[inline(always)]
    pub const fn from_address(address: u64) -> Self {
        Self(core::ptr::without_provenance_mut(address as usize))
    }

    /// Creates a pointer from a raw pointer of the kernel, such as one to a variable on this lane's stack. A copy of
    /// the scope [`Thread`](crate::Thread) may read or write such a variable; the lanes of other scopes would each find
    /// a variable of their own at that address. The variable must outlive the operation.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, Scope, Thread, kernels};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $(#[expect(unsafe_op_in_unsafe_fn)] $kernel)* } }
    ///
    /// kernels! {
    ///     /// One lane. Adds up four elements of PE `pe`.
    ///     pub unsafe fn sum(elements: DevPtr<f32>, result: DevPtr<f32>, pe: u32) {
    ///         let mut four = [0f32; 4];
    ///         Thread.get(DevPtr::from_raw(&raw mut four).cast(), elements, 4, pe);
    ///         result.write(four[0] + four[1] + four[2] + four[3]);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn from_raw(pointer: *mut T) -> Self {
        // Instructions written by hand use the address.
        pointer.expose_provenance();
        Self(pointer)
    }

    /// Returns the device address.
    #[inline(always)]
    pub fn address(self) -> u64 {
        self.0.addr() as u64
    }

    /// Returns the address as a raw pointer, which only the functions of [`crate::arch`] may use.
    #[inline(always)]
    pub const fn raw(self) -> *mut T {
        self.0
    }

    /// Returns the pointer `count` elements further on.
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // named as for pointers
    pub fn add(self, count: usize) -> Self {
        Self(self.0.wrapping_add(count))
    }

    /// Returns the pointer `count` elements further on, or back if `count` is negative.
    #[inline(always)]
    pub fn offset(self, count: isize) -> Self {
        Self(self.0.wrapping_offset(count))
    }

    /// Returns the pointer `bytes` bytes further on, or back if `bytes` is negative.
    #[inline(always)]
    pub fn byte_offset(self, bytes: isize) -> Self {
        Self(self.0.wrapping_byte_offset(bytes))
    }

    /// Returns the same address as a pointer to another type.
    #[inline(always)]
    pub fn cast<U>(self) -> DevPtr<U> {
        DevPtr(self.0.cast())
    }

    /// Loads the element, without ordering. The L1 cache may serve the load.
    ///
    /// # Safety
    /// The address is valid for `T` and aligned, and nobody writes the element at the same time.
    #[inline(always)]
    pub unsafe fn read(self) -> T
    where
        T: Copy,
    {
        // SAFETY: the caller guarantees what this requires of the element.
        unsafe { arch::resolve(self.0).read() }
    }

    /// Stores the element, without ordering.
    ///
    /// # Safety
    /// The address is valid for `T` and aligned, and nobody accesses the element at the same time.
    #[inline(always)]
    pub unsafe fn write(self, value: T)
    where
        T: Copy,
    {
        // SAFETY: the caller guarantees what this requires of the element.
        unsafe { arch::resolve(self.0).write(value) }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number of 1, 2, 4 or 8 bytes that one instruction loads or stores whole.
///
/// ```
/// use cushmem_device::{DevPtr, Word, g, my_pe, n_pes};
///
/// /// In a kernel: an element of the PE after this one.
/// ///
/// /// # Safety
/// /// `object` is a symmetric, aligned word.
/// unsafe fn of_next<T: Word>(object: DevPtr<T>) -> T {
///     // SAFETY: the caller vouches for the word.
///     unsafe { g(object, (my_pe() + 1) % n_pes()) }
/// }
/// ```
pub trait Word: Copy + PartialOrd + sealed::Sealed + 'static {
    /// How wait records hold the value.
    #[doc(hidden)]
    const KIND: WordKind;
    /// Returns the value as wait records hold it.
    #[doc(hidden)]
    fn recorded(self) -> u64;
    /// Returns the value as commands hold it: its bits, zero-extended.
    #[doc(hidden)]
    fn to_command(self) -> u64;
    #[doc(hidden)]
    fn of_command(bits: u64) -> Self;
    /// Loads at system scope, without ordering.
    /// # Safety
    /// `from` is valid and aligned.
    unsafe fn load_relaxed_sys(from: DevPtr<Self>) -> Self;
    /// Loads at system scope with acquire ordering.
    /// # Safety
    /// `from` is valid and aligned.
    unsafe fn load_acquire_sys(from: DevPtr<Self>) -> Self;
    /// Stores at system scope, without ordering.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn store_relaxed_sys(to: DevPtr<Self>, value: Self);
}

macro_rules! words { ($($t:ty as $bits:ty: $kind:ident($value:ident) $recorded:expr, $load:ident, $acquire:ident, $store:ident;)*) => {$(
    impl sealed::Sealed for $t {}
    impl Word for $t {
        const KIND: WordKind = WordKind::$kind;
        #[inline(always)]
        fn recorded(self) -> u64 {
            let $value = self;
            $recorded
        }
        #[inline(always)]
        fn to_command(self) -> u64 {
            <$bits>::from_ne_bytes(self.to_ne_bytes()) as u64
        }
        #[inline(always)]
        fn of_command(bits: u64) -> Self {
            Self::from_ne_bytes((bits as $bits).to_ne_bytes())
        }
        #[inline(always)]
        unsafe fn load_relaxed_sys(from: DevPtr<Self>) -> Self {
            // SAFETY: the caller guarantees that the address is valid.
            <$t>::from_ne_bytes(unsafe { arch::$load(from.0.cast::<$bits>()) }.to_ne_bytes())
        }
        #[inline(always)]
        unsafe fn load_acquire_sys(from: DevPtr<Self>) -> Self {
            // SAFETY: the caller guarantees that the address is valid.
            <$t>::from_ne_bytes(unsafe { arch::$acquire(from.0.cast::<$bits>()) }.to_ne_bytes())
        }
        #[inline(always)]
        unsafe fn store_relaxed_sys(to: DevPtr<Self>, value: Self) {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::$store(to.0.cast::<$bits>(), <$bits>::from_ne_bytes(value.to_ne_bytes())) }
        }
    }
)*} }
words! {
    u8 as u8: Unsigned(v) v as u64, ld_relaxed_sys_u8, ld_acquire_sys_u8, st_relaxed_sys_u8;
    i8 as u8: Signed(v) v as i64 as u64, ld_relaxed_sys_u8, ld_acquire_sys_u8, st_relaxed_sys_u8;
    u16 as u16: Unsigned(v) v as u64, ld_relaxed_sys_u16, ld_acquire_sys_u16, st_relaxed_sys_u16;
    i16 as u16: Signed(v) v as i64 as u64, ld_relaxed_sys_u16, ld_acquire_sys_u16, st_relaxed_sys_u16;
    u32 as u32: Unsigned(v) v as u64, ld_relaxed_sys_u32, ld_acquire_sys_u32, st_relaxed_sys_u32;
    i32 as u32: Signed(v) v as i64 as u64, ld_relaxed_sys_u32, ld_acquire_sys_u32, st_relaxed_sys_u32;
    f32 as u32: Float(v) f64::from(v).to_bits(), ld_relaxed_sys_u32, ld_acquire_sys_u32, st_relaxed_sys_u32;
    u64 as u64: Unsigned(v) v as u64, ld_relaxed_sys_u64, ld_acquire_sys_u64, st_relaxed_sys_u64;
    i64 as u64: Signed(v) v as i64 as u64, ld_relaxed_sys_u64, ld_acquire_sys_u64, st_relaxed_sys_u64;
    f64 as u64: Float(v) v.to_bits(), ld_relaxed_sys_u64, ld_acquire_sys_u64, st_relaxed_sys_u64;
    F16 as u16: Float(v) f64::from(v.to_f32()).to_bits(), ld_relaxed_sys_u16, ld_acquire_sys_u16, st_relaxed_sys_u16;
    Bf16 as u16: Float(v) f64::from(v.to_f32()).to_bits(), ld_relaxed_sys_u16, ld_acquire_sys_u16, st_relaxed_sys_u16;
    usize as u64: Unsigned(v) v as u64, ld_relaxed_sys_u64, ld_acquire_sys_u64, st_relaxed_sys_u64;
}
