//! How a kernel accesses the memory of another PE: by its own instructions or otherwise.

use crate::fail::fail;
use crate::{DevPtr, arch};
use core::mem::offset_of;
use cushmem_abi::{ABI_VERSION, Agent, ErrorCode, PeEntry, Segment, SegmentEntry, SyncArea, Tables};

/// Returns this PE's number.
/// The [crate](crate) has an example.
#[inline(always)]
pub fn my_pe() -> u32 {
    arch::context_my_pe()
}

/// Returns the number of PEs in the job.
/// The [crate](crate) has an example.
#[inline(always)]
pub fn n_pes() -> u32 {
    arch::context_n_pes()
}

/// The access that an operation needs.
/// [`route`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// To load or store the word.
    LoadStore,
    /// To change the word atomically with respect to all other atomic changes.
    Atomic,
}

/// How an operation reaches its word.
/// [`route`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route<T> {
    /// By this GPU's own instructions, at this address.
    Direct(DevPtr<T>),
    /// By a thread of the runtime on the CPU. This is so if the CPU is the agent of the word ([`Why::CpuIsAgent`]), and
    /// in jobs in which the PE is not mapped for loads and stores ([`Why::NotMapped`]). For any other reason this
    /// version has no way, and the operation ends the kernel with a message.
    Proxy(Why),
    /// The job has no PE with this number.
    NoSuchPe,
}

/// The reason why a GPU's own instructions are not sufficient. The numbers are those of [`ErrorCode`], so that a kernel
/// can convert one into the other without a table.
/// [`route`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Why {
    /// The GPU's loads and stores do not reach that memory.
    NotMapped = ErrorCode::PeNotMapped as u32,
    /// The CPU executes the atomic operations on that memory, so an addition by a GPU could get lost.
    CpuIsAgent = ErrorCode::AtomicOnHostMemory as u32,
    /// The link to that GPU carries loads and stores only.
    NoNativeAtomics = ErrorCode::NoNativeAtomics as u32,
    /// The address lies in no symmetric memory that kernels know. Registered memory gives kernels no address.
    NotSymmetric = ErrorCode::NotSymmetric as u32,
}

/// Returns how an operation reaches the symmetric object `object` of PE `pe`.
///
/// ```
/// use cushmem_device::{DevPtr, Need, Route, atomic_inc, kernels, route, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block with a lane for each PE. Counts on the PEs where this GPU can, and says which they are.
///     pub unsafe fn count(counter: DevPtr<u64>, reached: DevPtr<u8>) {
///         let pe = thread_idx_x();
///         let direct = matches!(route(counter, pe, Need::Atomic), Route::Direct(_));
///         reached.add(pe as usize).write(direct.into());
///         if direct {
///             atomic_inc(counter, pe);
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn route<T>(object: DevPtr<T>, pe: u32, need: Need) -> Route<T> {
    match find(object, pe, need) {
        Some(there) => Route::Direct(there),
        None if pe >= n_pes() => Route::NoSuchPe,
        None => Route::Proxy(why(object.address(), pe, need)),
    }
}

/// Returns the address of the symmetric object `object` of PE `pe` for this GPU's loads and stores, or `None` if they
/// do not reach it or there is no such PE (`shmem_ptr`, OpenSHMEM 1.6, 9.1).
///
/// ```
/// use cushmem_device::{DevPtr, kernels, ptr};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Takes three words of PE 0 by loads, if it can.
///     pub unsafe fn peek(words: DevPtr<u32>, copy: DevPtr<u32>) {
///         let Some(there) = ptr(words, 0) else { return };
///         for i in 0..3 {
///             copy.add(i).write(there.add(i).read());
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn ptr<T>(object: DevPtr<T>, pe: u32) -> Option<DevPtr<T>> {
    find(object, pe, Need::LoadStore)
}

/// The address of `object` on PE `pe` for the access that an operation needs. Ends the kernel with a message if there
/// is no way to get there.
///
/// In a loop, all but an addition and a branch is computed before it if the PE is below the limit of the context.
/// Collectives and copies without a signal, which need the registers, and operations that wait for the PE's answer,
/// whose address often comes from the answer before, gain nothing by that and pay for the branch: they call
/// [`direct_at_once`] and [`find_at_once`].
#[inline(always)]
pub(crate) fn direct<T>(object: DevPtr<T>, pe: u32, need: Need) -> DevPtr<T> {
    let distance = near(object, pe, need).unwrap_or_else(|| or_refuse(by_table(object, pe, need), object, pe, need));
    object.byte_offset(distance as isize)
}

/// The address of `object` on PE `pe` for the access that an operation needs; `None` if this GPU cannot access it so.
/// See [`direct`].
#[inline(always)]
pub(crate) fn find<T>(object: DevPtr<T>, pe: u32, need: Need) -> Option<DevPtr<T>> {
    let distance = near(object, pe, need).or_else(|| {
        let (distance, reached) = by_table(object, pe, need);
        (reached != 0).then_some(distance)
    });
    distance.map(|distance| object.byte_offset(distance as isize))
}

/// Like [`direct`], without a branch but that to the message.
#[inline(always)]
pub(crate) fn direct_at_once<T>(object: DevPtr<T>, pe: u32, need: Need) -> DevPtr<T> {
    object.byte_offset(or_refuse(locate(object, pe, need), object, pe, need) as isize)
}

/// Like [`find`], without a branch.
#[inline(always)]
pub(crate) fn find_at_once<T>(object: DevPtr<T>, pe: u32, need: Need) -> Option<DevPtr<T>> {
    let (distance, reached) = locate(object, pe, need);
    (reached != 0).then_some(object.byte_offset(distance as isize))
}

/// The distance, or the end of the kernel if the object is not reached.
#[inline(always)]
fn or_refuse<T>((distance, reached): (i64, u32), object: DevPtr<T>, pe: u32, need: Need) -> i64 {
    if reached == 0 {
        refuse(object.address(), pe, need);
    }
    distance
}

/// Bytes from `object` to the same object on PE `pe`, if the context alone says that this GPU can access it so. It
/// usually does.
#[inline(always)]
fn near<T>(object: DevPtr<T>, pe: u32, need: Need) -> Option<i64> {
    match need {
        Need::LoadStore => arch::near_for_loads_stores(object.address(), pe),
        Need::Atomic => arch::near_for_atomics(object.address(), pe),
    }
}

/// Bytes from `object` to the same object on PE `pe`, with 0 if this GPU cannot access it so.
#[inline(always)]
fn by_table<T>(object: DevPtr<T>, pe: u32, need: Need) -> (i64, u32) {
    match need {
        Need::LoadStore => arch::loads_stores_by_table(object.address(), pe),
        Need::Atomic => arch::atomics_by_table(object.address(), pe),
    }
}

/// What [`near`] and [`by_table`] find, without a branch.
#[inline(always)]
fn locate<T>(object: DevPtr<T>, pe: u32, need: Need) -> (i64, u32) {
    match need {
        Need::LoadStore => arch::locate_loads_stores(object.address(), pe),
        Need::Atomic => arch::locate_atomics(object.address(), pe),
    }
}

/// Whether an address lies in a window.
#[inline]
pub(crate) fn is_symmetric(address: u64) -> bool {
    arch::context_host().contain(address) || arch::context_gpu().contain(address)
}

/// The segment of an address that lies in a window. Any other address counts as one of GPU memory.
#[inline]
pub(crate) fn segment_of(address: u64) -> Segment {
    if arch::context_host().contain(address) { Segment::Host } else { Segment::Gpu }
}

/// The address of this PE's words for the team with this slot.
#[inline(always)]
pub(crate) fn team_at(slot: u64) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_sync_area() + SyncArea::team(slot as u32) as u64)
}

/// A word of the tables, at this offset in bytes.
#[inline(always)]
pub(crate) fn table_word(at: u64) -> u64 {
    // SAFETY: the callers ask for aligned words inside the tables, which are never written while kernels run.
    unsafe { arch::ld_weak_u64(DevPtr::from_address(arch::context_tables() + at).raw()) }
}

/// The reason why there is no direct way to a PE that exists.
#[cold]
#[inline]
fn why(address: u64, pe: u32, need: Need) -> Why {
    if !is_symmetric(address) {
        return Why::NotSymmetric;
    }
    let segment = segment_of(address);
    let agent =
        offset_of!(Tables, segments) + segment as usize * size_of::<SegmentEntry>() + offset_of!(SegmentEntry, agent);
    if need == Need::Atomic && table_word(agent as u64) as u32 == Agent::Cpu as u32 {
        Why::CpuIsAgent
    } else if (table_word(Tables::entry(pe)) >> 32) as u32 & PeEntry::loads_stores(segment) == 0 {
        Why::NotMapped
    } else {
        Why::NoNativeAtomics
    }
}

/// Ends the kernel: there is no such PE, or nobody does what the GPU cannot do.
#[cold]
#[inline]
pub(crate) fn refuse(address: u64, pe: u32, need: Need) -> ! {
    let n_pes = n_pes();
    let head = table_word(0);
    let (version, bytes) = (head as u32, head >> 32);
    if version != ABI_VERSION || bytes != Tables::bytes(n_pes) {
        fail(ErrorCode::WrongTables, pe, version.into(), bytes);
    }
    if pe >= n_pes {
        fail(ErrorCode::PeOutOfRange, pe, my_pe().into(), n_pes.into());
    }
    let code = match why(address, pe, need) {
        Why::NotSymmetric => fail(ErrorCode::NotSymmetric, pe, address, n_pes.into()),
        Why::NotMapped => ErrorCode::PeNotMapped,
        Why::CpuIsAgent => ErrorCode::AtomicOnHostMemory,
        Why::NoNativeAtomics => ErrorCode::NoNativeAtomics,
    };
    fail(code, pe, segment_of(address) as u64, n_pes.into())
}
