//! Shared memory of a block: what the kernel declares, and what the launch asks for.

use crate::{DevPtr, Word, arch};
use core::fmt;
use core::marker::PhantomData;

/// A pointer into the shared memory of this block. It is worth nothing to other blocks.
///
/// On a GPU it is a 32-bit address, and accesses are `ld.shared` and `st.shared`. It never becomes a Rust reference,
/// because other lanes may write the memory at any time. What one lane writes, another sees after both have
/// synchronised ([`Scope::sync`](crate::Scope::sync) of the block or of the warp).
///
/// [`shared!`](crate::shared) has an example.
#[repr(transparent)]
pub struct SharedPtr<T>(arch::SharedAddress, PhantomData<*mut T>);

impl<T> Clone for SharedPtr<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SharedPtr<T> {}

impl<T> fmt::Debug for SharedPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shared {:#x}", self.0)
    }
}

impl<T> SharedPtr<T> {
    #[inline(always)]
    pub(crate) const fn at(address: arch::SharedAddress) -> Self {
        Self(address, PhantomData)
    }

    #[inline(always)]
    pub(crate) fn address(self) -> arch::SharedAddress {
        self.0
    }

    /// Returns the pointer `count` elements further on.
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // named as for pointers
    pub fn add(self, count: usize) -> Self {
        Self::at(
            self.0.wrapping_add((count as arch::SharedAddress).wrapping_mul(size_of::<T>() as arch::SharedAddress)),
        )
    }

    /// Returns the same address as a pointer to another type.
    #[inline(always)]
    pub fn cast<U>(self) -> SharedPtr<U> {
        SharedPtr::at(self.0)
    }

    /// Returns a pointer that loads and stores of all kinds of memory accept, for copies and for elements that are no
    /// [`Word`]. Its accesses are a little slower, because the GPU finds out for each what kind of memory it is.
    #[inline(always)]
    pub fn dev_ptr(self) -> DevPtr<T> {
        DevPtr::from_address(arch::generic_of_shared(self.0))
    }
}

impl<T: Word> SharedPtr<T> {
    /// Loads the element, without ordering.
    ///
    /// # Safety
    /// The address lies in a piece of this block's shared memory and is aligned; no lane that has not synchronised with
    /// this one writes the element.
    #[inline(always)]
    pub unsafe fn read(self) -> T {
        // SAFETY: the caller guarantees that the address is valid.
        T::of_command(unsafe {
            match size_of::<T>() {
                1 => arch::ld_shared_u8(self.0).into(),
                2 => arch::ld_shared_u16(self.0).into(),
                4 => arch::ld_shared_u32(self.0).into(),
                _ => arch::ld_shared_u64(self.0),
            }
        })
    }

    /// Stores the element, without ordering.
    ///
    /// # Safety
    /// The address lies in a piece of this block's shared memory and is aligned; no lane that has not synchronised with
    /// this one accesses the element.
    #[inline(always)]
    pub unsafe fn write(self, value: T) {
        let bits = value.to_command();
        // SAFETY: the caller guarantees that the address is valid.
        unsafe {
            match size_of::<T>() {
                1 => arch::st_shared_u8(self.0, bits as u8),
                2 => arch::st_shared_u16(self.0, bits as u16),
                4 => arch::st_shared_u32(self.0, bits as u32),
                _ => arch::st_shared_u64(self.0, bits),
            }
        }
    }
}

/// `N` elements of shared memory, which [`shared!`](crate::shared) declares and has
/// an example of. `ID` is their number.
pub struct Shared<T, const N: usize, const ID: u64>(PhantomData<*mut T>);

impl<T: Copy, const N: usize, const ID: u64> Shared<T, N, ID> {
    const BYTES: u32 = {
        assert!(N > 0 && size_of::<T>() > 0, "shared memory has at least one byte");
        assert!(N * size_of::<T>() <= 48 << 10, "a kernel can declare at most 48 KiB of shared memory");
        assert!(align_of::<T>() <= 16, "shared memory is aligned to at most 16 bytes");
        (N * size_of::<T>()) as u32
    };

    #[doc(hidden)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Returns the first element of this block's piece.
    #[inline(always)]
    pub fn ptr(&self) -> SharedPtr<T> {
        SharedPtr::at(arch::static_shared::<ID>(Self::BYTES))
    }

    /// Returns the number of elements.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty)] // it is never empty
    pub const fn len(&self) -> usize {
        N
    }
}

/// The number of a piece: FNV-1a of where it is declared, and never 0.
#[doc(hidden)]
pub const fn shared_id(place: &str, line: u32, column: u32) -> u64 {
    let (mut hash, bytes, mut i) = (0xcbf2_9ce4_8422_2325_u64, place.as_bytes(), 0);
    while i < bytes.len() + 8 {
        let byte = match i.checked_sub(bytes.len()) {
            None => bytes[i],
            Some(j) if j < 4 => (line >> (8 * j)) as u8,
            Some(j) => (column >> (8 * (j - 4))) as u8,
        };
        hash = (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash | 1
}

/// Declares shared memory, of which each block of a kernel that uses it has its own piece. It holds arbitrary values
/// when a block starts: on the emulated GPU, values that are not numbers. A kernel can use up to 48 KiB of declared
/// memory, in which the library's own counts: 512 bytes for the reductions and scans of a block, and 32 for
/// [`Roles`](crate::Roles) or [`Deal`](crate::Deal). [`dynamic_shared`] can be larger.
///
/// A declaration is a constant of the type [`Shared`]. It stands in the crate with the kernels: in a function or in a
/// module, but not in a library, whose declarations are not part of the kernels' PTX.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, kernels, shared};
/// # // Without a build script there is no crate of kernels: the body is checked as what it is, unsafe code.
/// # macro_rules! kernels { ($($kernel:item)*) => { $(#[expect(unsafe_op_in_unsafe_fn)] $kernel)* } }
///
/// shared! {
///     /// An element for each lane.
///     static ROW: [f32; 256];
/// }
///
/// kernels! {
///     /// One block of 256 lanes. Reverses 256 elements.
///     pub unsafe fn reverse(row: DevPtr<f32>) {
///         let lane = Block.lane();
///         ROW.ptr().add(lane).write(row.add(lane).read());
///         Block.sync();
///         row.add(lane).write(ROW.ptr().add(255 - lane).read());
///     }
/// }
/// ```
#[macro_export]
macro_rules! shared {
    ($( $(#[$meta:meta])* $vis:vis static $name:ident : [$t:ty; $n:expr]; )*) => {$(
        $(#[$meta])*
        $vis const $name: $crate::Shared<
            $t,
            { $n },
            { $crate::shared_id(concat!(module_path!(), " ", stringify!($name)), line!(), column!()) },
        > = $crate::Shared::new();
        $crate::shared_of_target! {
            { $crate::shared_id(concat!(module_path!(), " ", stringify!($name)), line!(), column!()) },
            { $n } * ::core::mem::size_of::<$t>()
        }
    )*};
}

#[cfg(target_arch = "nvptx64")]
#[doc(hidden)]
#[macro_export]
macro_rules! shared_of_target {
    ($id:expr, $bytes:expr) => {
        ::core::arch::global_asm!(".shared .align 16 .b8 cushmem_shared_{0}[{1}];", const $id, const $bytes);
    };
}

#[cfg(not(target_arch = "nvptx64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! shared_of_target {
    ($id:expr, $bytes:expr) => {};
}

/// Returns the shared memory that the launch asked for, aligned to 16 bytes. It holds arbitrary values when a block
/// starts. Its size is [`dynamic_shared_bytes`].
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, dynamic_shared, dynamic_shared_bytes, kernels};
/// # // Without a build script there is no crate of kernels: the body is checked as what it is, unsafe code.
/// # macro_rules! kernels { ($($kernel:item)*) => { $(#[expect(unsafe_op_in_unsafe_fn)] $kernel)* } }
///
/// kernels! {
///     /// One block. Reverses as many elements as it has lanes, and as the launch gives it shared memory for.
///     pub unsafe fn reverse(row: DevPtr<f32>) {
///         let (lane, copy) = (Block.lane(), dynamic_shared::<f32>());
///         copy.add(lane).write(row.add(lane).read());
///         Block.sync();
///         row.add(lane).write(copy.add(dynamic_shared_bytes() as usize / 4 - 1 - lane).read());
///     }
/// }
/// ```
#[inline(always)]
pub fn dynamic_shared<T>() -> SharedPtr<T> {
    const { assert!(align_of::<T>() <= 16, "shared memory is aligned to 16 bytes") };
    SharedPtr::at(arch::dynamic_shared())
}

/// Returns the size of [`dynamic_shared`] in bytes: 0 if the launch did not ask for any.
///
/// ```
/// use cushmem_device::{DevPtr, dynamic_shared_bytes};
///
/// /// In a kernel: how many of the elements fit.
/// fn that_fit<T>(_: DevPtr<T>, n: usize) -> usize {
///     n.min(dynamic_shared_bytes() as usize / size_of::<T>())
/// }
/// ```
#[inline(always)]
pub fn dynamic_shared_bytes() -> u32 {
    arch::dynamic_shared_bytes()
}
