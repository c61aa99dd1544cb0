//! The `kernels!` macro, and the host's view of a kernel.

#[doc(hidden)]
pub mod reexport {
    pub use cushmem_abi;
    use cushmem_abi::HostKernel;

    /// Returns how many kernels the modules of a crate have.
    pub const fn count_kernels(modules: &[&[HostKernel]]) -> usize {
        let (mut count, mut i) = (0, 0);
        while i < modules.len() {
            count += modules[i].len();
            i += 1;
        }
        count
    }

    /// Returns the kernels of all modules of a crate, which are `N`.
    pub const fn all_kernels<const N: usize>(modules: &[&[HostKernel]]) -> [HostKernel; N] {
        const fn nothing() -> HostKernel {
            unsafe fn entry(_: *const *const core::ffi::c_void) {}
            HostKernel { name: "", entry, parameter_bytes: &[] }
        }
        let (mut all, mut count, mut i) = ([nothing(); N], 0, 0);
        while i < modules.len() {
            let mut j = 0;
            while j < modules[i].len() {
                all[count] = modules[i][j];
                count += 1;
                j += 1;
            }
            i += 1;
        }
        all
    }
}

#[cfg(not(target_arch = "nvptx64"))]
pub use host::{Kernel, KernelArg, KernelArgs};

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    use crate::DevPtr;
    use core::ffi::c_void;

    /// A kernel that [`crate::kernels!`] declared. A value of this type stands for the kernel, and its type carries the
    /// types of the parameters.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, Kernel};
    ///
    /// /// `extern "C" __global__ void scale(float *x, float by)`, compiled by nvcc to PTX.
    /// #[derive(Clone, Copy)]
    /// struct Scale;
    ///
    /// impl Kernel for Scale {
    ///     type Args = (DevPtr<f32>, f32);
    ///     const NAME: &'static str = "scale";
    /// }
    /// ```
    pub trait Kernel: Copy {
        /// The parameters, as a tuple.
        type Args: KernelArgs;
        /// The name of the kernel's entry in the module.
        const NAME: &'static str;
    }

    /// A type that can be a kernel's parameter, because it has the same layout on the host and on the GPU.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, KernelArg};
    ///
    /// /// A field, as a kernel gets it.
    /// #[repr(C)]
    /// #[derive(Clone, Copy)]
    /// struct Field {
    ///     elements: DevPtr<f32>,
    ///     width: u32,
    ///     height: u32,
    /// }
    ///
    /// // SAFETY: plain data in C's layout.
    /// unsafe impl KernelArg for Field {}
    /// ```
    ///
    /// # Safety
    /// The type is plain data without references, `repr(C)`, `repr(transparent)` or a number.
    pub unsafe trait KernelArg: Copy + Send + 'static {}

    macro_rules! plain { ($($t:ty)*) => {$(
        // SAFETY: a number.
        unsafe impl KernelArg for $t {}
    )*} }
    plain! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize f32 f64 }
    // SAFETY: transparent over an address.
    unsafe impl<T: 'static> KernelArg for DevPtr<T> {}
    // SAFETY: numbers in C's layout.
    unsafe impl KernelArg for cushmem_abi::DeviceTeam {}
    // SAFETY: numbers and an address in C's layout.
    unsafe impl KernelArg for crate::Roles {}
    // SAFETY: numbers and addresses in C's layout.
    unsafe impl<T: 'static> KernelArg for crate::DeviceArray<T> {}
    // SAFETY: numbers in C's layout.
    unsafe impl KernelArg for cushmem_abi::DevicePrepared {}
    // SAFETY: transparent over an address.
    unsafe impl KernelArg for cushmem_abi::DeviceTrigger {}
    // SAFETY: transparent over an address.
    unsafe impl KernelArg for cushmem_abi::DeviceTaskQueue {}
    // SAFETY: numbers in C's layout.
    unsafe impl KernelArg for cushmem_abi::TaskWords {}

    /// A tuple of parameters.
    ///
    /// ```
    /// use cushmem_device::KernelArgs;
    ///
    /// // What a launch passes to the driver.
    /// assert_eq!((256u32, 0.5f32).with_pointers(|pointers| pointers.len()), 2);
    /// ```
    pub trait KernelArgs: Copy + Send + 'static {
        /// Calls `launch` with one pointer per parameter.
        fn with_pointers<R>(&self, launch: impl FnOnce(&[*const c_void]) -> R) -> R;
    }

    macro_rules! tuples { ($($name:ident)*) => { tuples!(@ [] $($name)*); };
        (@ [$($have:ident)*] $next:ident $($rest:ident)*) => { tuples!(= $($have)*); tuples!(@ [$($have)* $next] $($rest)*); };
        (@ [$($have:ident)*]) => { tuples!(= $($have)*); };
        (= $($name:ident)*) => {
            impl<$($name: KernelArg),*> KernelArgs for ($($name,)*) {
                #[allow(non_snake_case)]
                fn with_pointers<R>(&self, launch: impl FnOnce(&[*const c_void]) -> R) -> R {
                    let ($($name,)*) = self;
                    launch(&[$(core::ptr::from_ref($name).cast()),*])
                }
            }
        };
    }
    tuples! { A B C D E F G H I J K L M N O P }
}

/// Declares the kernels of a crate; use it once per crate. On a GPU each kernel becomes an entry of the crate's PTX. On
/// the host it becomes a value that launches which take a [`Kernel`](crate::Kernel) accept. The constant `IMAGE`, which
/// a program loads, stands for all of them.
///
/// Kernel bodies are unsafe code: whoever launches a kernel promises what the kernel requires of its arguments. The
/// crate's manifest says `[package.metadata.cushmem] kernels = true`, and its root starts with `#![cfg_attr(target_arch
/// = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]`.
///
/// The PTX is in `prebuilt/<crate>.ptx` and, for jobs in which not all PEs are mapped, in `prebuilt/<crate>.far.ptx`.
/// If the manifest says `sm_90 = true`, the PTX for GPUs from sm_90 on is in `prebuilt/<crate>.sm_90.ptx`. `cargo
/// shmem-ptx` makes all of them. The crate's build script calls `cushmem_build::kernels()`, which checks that the PTX
/// was made from the same sources as the program. Without matching PTX the kernels run on the emulated GPU only.
///
/// ```
/// use cushmem_device::{DevPtr, kernels, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Sets an element in each lane.
///     pub unsafe fn fill(numbers: DevPtr<u32>, value: u32) {
///         numbers.add(thread_idx_x() as usize).write(value);
///     }
///
///     /// One lane. Sets the first element.
///     pub unsafe fn set(numbers: DevPtr<u32>, value: u32) {
///         numbers.write(value);
///     }
/// }
/// ```
///
/// A second `kernels!` in a crate is an error, because all kernels of a crate are one module of PTX and one `IMAGE`. To
/// spread them over several files, declare those of each module by [`kernels_of_module!`](crate::kernels_of_module) and
/// begin `kernels!` with the modules' names: `kernels! { use waves, sums; … }`. The kernels of a module that is not
/// named are in the PTX, but no program finds them.
#[macro_export]
macro_rules! kernels {
    ($(use $($module:ident),+;)? $( $(#[$meta:meta])* pub unsafe fn $name:ident ( $($arg:ident : $ty:ty),* $(,)? ) $body:block )*) => {
        $crate::kernels_of_target! { $( $(#[$meta])* fn $name ( $($arg : $ty),* ) $body )* }
        $crate::module_of_target! { $($($module)+)? }

        /// Two macros of a crate cannot have the same name.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! a_crate_has_one_kernels_macro_and_for_other_modules_kernels_of_module { () => {} }
    };
}

/// Declares kernels of a module, which [`kernels!`](crate::kernels) in the crate's root names: for kernels in a module
/// `sums`, the root says `mod sums;`, `pub use sums::*;` and `kernels! { use sums; … }`.
///
/// ```
/// use cushmem_device::{DevPtr, Sum, Warp, kernels_of_module, lane_id};
/// # macro_rules! kernels_of_module { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels_of_module! {
///     /// One warp. Adds up 32 numbers.
///     pub unsafe fn sum(numbers: DevPtr<u32>, result: DevPtr<u32>) {
///         let sum = Warp.fold(Sum, numbers.add(lane_id() as usize).read());
///         if lane_id() == 0 {
///             result.write(sum);
///         }
///     }
/// }
/// ```
#[macro_export]
macro_rules! kernels_of_module {
    ($( $(#[$meta:meta])* pub unsafe fn $name:ident ( $($arg:ident : $ty:ty),* $(,)? ) $body:block )*) => {
        $crate::kernels_of_target! { $( $(#[$meta])* fn $name ( $($arg : $ty),* ) $body )* }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! from_build_script {
    ($name:literal) => {
        env!($name, "the crate's build script must call `cushmem_build::kernels()`")
    };
}

#[cfg(target_arch = "nvptx64")]
#[doc(hidden)]
#[macro_export]
macro_rules! kernels_of_target {
    ($( $(#[$meta:meta])* fn $name:ident ( $($arg:ident : $ty:ty),* ) $body:block )*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        #[allow(unsafe_op_in_unsafe_fn)]
        pub unsafe extern "ptx-kernel" fn $name($($arg: $ty),*) $body
    )*};
}

/// What the module of PTX contains besides kernels.
#[cfg(target_arch = "nvptx64")]
#[doc(hidden)]
#[macro_export]
macro_rules! module_of_target {
    ($($module:ident)*) => {
        ::core::arch::global_asm!(
            ".visible .const .align 16 .b8 cushmem_context[{0}];",
            ".visible .global .align 4 .u32 cushmem_abi_version = {1};",
            const ::core::mem::size_of::<$crate::reexport::cushmem_abi::DeviceContext>(),
            const $crate::reexport::cushmem_abi::ABI_VERSION,
        );
        ::core::arch::global_asm!(".shared .align 8 .b64 cushmem_block_words[4];");
        $crate::shared_of_target! { $crate::FOLD_ID, $crate::FOLD_BYTES }
        ::core::arch::global_asm!(".extern .shared .align 16 .b8 cushmem_dynamic_shared[];");
        ::core::arch::global_asm!(
            ".const .align 8 .b64 cushmem_two_over_pi[21] = {{",
            "0x0000000000000000,0xa2f9836e4e441529,0xfc2757d1f534ddc0,0xdb6295993c439041,0xfe5163abdebbc561,",
            "0xb7246e3a424dd2e0,0x06492eea09d1921c,0xfe1deb1cb129a73e,0xe88235f52ebb4484,0xe99c7026b45f7e41,",
            "0x3991d639835339f4,0x9c845f8bbdf9283b,0x1ff897ffde05980f,0xef2f118b5a0a6d1f,0x6d367ecf27cb09b7,",
            "0x4f463f669e5fea2d,0x7527bac7ebe5f17b,0x3d0739f78a5292ea,0x6bfb5fb11f8d5d08,0x56033046fc7b6bab,",
            "0xf0cfbc209af4361d",
            "}};",
        );
        ::core::arch::global_asm!(concat!(
            ".visible .global .align 8 .u64 cushmem_source = 0x",
            $crate::from_build_script!("KERNELS_SOURCE"),
            "U;",
        ));
    };
}

#[cfg(not(target_arch = "nvptx64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! kernels_of_target {
    ($( $(#[$meta:meta])* fn $name:ident ( $($arg:ident : $ty:ty),* ) $body:block )*) => {
        mod kernel_bodies {
            #[allow(unused_imports)]
            use super::*;
            $(
                #[allow(unsafe_op_in_unsafe_fn, clippy::too_many_arguments)]
                pub(super) unsafe fn $name($($arg: $ty),*) $body
            )*
        }
        $(
            $(#[$meta])*
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl $crate::Kernel for $name {
                type Args = ($($ty,)*);
                const NAME: &'static str = stringify!($name);
            }

            impl $name {
                #[allow(unused_mut, unused_variables, unused_assignments)]
                unsafe fn run(args: *const *const ::core::ffi::c_void) {
                    let mut index = 0;
                    $(
                        // SAFETY: the launch passes one valid pointer per parameter, of the parameter's type.
                        let $arg = unsafe { (*args.add(index)).cast::<$ty>().read() };
                        index += 1;
                    )*
                    // SAFETY: whoever launched the kernel guarantees what it requires.
                    unsafe { kernel_bodies::$name($($arg),*) }
                }
            }
        )*
        pub(crate) const HOST_KERNELS: &[$crate::reexport::cushmem_abi::HostKernel] = &[
            $($crate::reexport::cushmem_abi::HostKernel {
                name: stringify!($name),
                entry: $name::run,
                parameter_bytes: &[$(::core::mem::size_of::<$ty>()),*],
            }),*
        ];
    };
}

#[cfg(not(target_arch = "nvptx64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! module_of_target {
    ($($module:ident)*) => {
        /// The kernels of this crate, for loading.
        pub static IMAGE: $crate::reexport::cushmem_abi::ModuleImage = $crate::reexport::cushmem_abi::ModuleImage {
            name: env!("CARGO_PKG_NAME"),
            ptx: include_str!($crate::from_build_script!("KERNELS_PTX")),
            sm_90_ptx: include_str!($crate::from_build_script!("KERNELS_SM_90_PTX")),
            far_ptx: include_str!($crate::from_build_script!("KERNELS_FAR_PTX")),
            recorded_ptx: include_str!($crate::from_build_script!("KERNELS_RECORDED_PTX")),
            source: match u64::from_str_radix($crate::from_build_script!("KERNELS_SOURCE"), 16) {
                Ok(number) => number,
                Err(_) => panic!("the build script gives a number"),
            },
            kernels: &{
                const PARTS: &[&[$crate::reexport::cushmem_abi::HostKernel]] = &[HOST_KERNELS, $($module::HOST_KERNELS),*];
                $crate::reexport::all_kernels::<{ $crate::reexport::count_kernels(PARTS) }>(PARTS)
            },
        };
    };
}
