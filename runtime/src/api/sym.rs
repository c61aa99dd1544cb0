//! Names for symmetric objects and private GPU buffers. None of them gives a Rust reference to memory that a peer may
//! write.

use crate::Shmem;
use crate::error::{Cause, Error, Result};
use crate::job::record::Timed;
use crate::memory::{At, Remote, Segment};
use crate::transfer::Local;
use cushmem_device::{DevPtr, Word};
use cushmem_record::Operation;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

/// A range of elements in a symmetric object. It lies at the same offset in the heap of every PE.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let numbers = shmem.malloc::<u32>(8)?;
/// // This PE's part.
/// numbers.copy_from(&[0; 8])?;
/// shmem.barrier_all()?;
/// // The same elements of another PE.
/// let next = (shmem.my_pe() + 1) % shmem.n_pes();
/// shmem.put(numbers.slice(2..4), &[7, 9], next)?;
/// shmem.barrier_all()?;
/// assert_eq!(numbers.slice(..4).to_vec()?, [0, 0, 7, 9]);
/// # Ok(()) }) }
/// ```
pub struct SymSlice<'a, T> {
    shmem: &'a Shmem,
    segment: Segment,
    offset: u64,
    len: usize,
    elements: PhantomData<*mut T>,
}

impl<T> Clone for SymSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SymSlice<'_, T> {}

// SAFETY: it only names memory; the library synchronises its own state, and elements are plain words.
unsafe impl<T> Send for SymSlice<'_, T> {}
// SAFETY: it only names memory; the library synchronises its own state, and elements are plain words.
unsafe impl<T> Sync for SymSlice<'_, T> {}

impl<'a, T: Word> SymSlice<'a, T> {
    pub(crate) fn new(shmem: &'a Shmem, segment: Segment, offset: u64, len: usize) -> Self {
        Self { shmem, segment, offset, len, elements: PhantomData }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the range has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether the object lies in GPU memory.
    pub fn is_gpu(&self) -> bool {
        self.segment.is_gpu()
    }

    /// Returns a part of this range.
    ///
    /// # Panics
    /// If `range` does not lie inside this one.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let numbers = shmem.malloc::<u32>(4)?;
    /// numbers.copy_from(&[1, 2, 3, 4])?;
    /// assert_eq!(numbers.slice(1..3).to_vec()?, [2, 3]);
    /// # Ok(()) }) }
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Self {
        let (start, end) = bounds(range, self.len);
        Self { offset: self.offset + (start * size_of::<T>()) as u64, len: end - start, ..*self }
    }

    /// Returns one element.
    ///
    /// # Panics
    /// If `index` is not below [`SymSlice::len`].
    pub fn at(&self, index: usize) -> SymPtr<'a, T> {
        SymPtr(self.slice(index..=index))
    }

    /// Returns the address on this PE. Kernels pass it to the device API to reach the same object on peers.
    ///
    /// # Panics
    /// If the object was made by [`Shmem::register`]: kernels cannot compute a peer's address from such an address.
    /// [`Raw::ptr`](crate::raw::Raw::ptr) returns the address of each PE's range.
    pub fn device_ptr(&self) -> DevPtr<T> {
        assert!(!self.segment.is_registered(), "registered memory has no stride, so kernels do not reach peers' by it");
        DevPtr::from_address(self.own_address())
    }

    /// Returns the address of PE `pe`'s object for loads and stores on this PE's CPU, or null if the object lies in GPU
    /// memory, the CPU cannot reach it, or there is no such PE (`shmem_ptr`, OpenSHMEM 1.6, 9.1). Peers use the memory
    /// at the same time, so access it with atomic, volatile or raw operations, not through references.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let counter = shmem.malloc::<u64>(1)?;
    /// // SAFETY: it is an aligned word of the host heap, which lives as long as the job, and all access to it is atomic.
    /// let there = unsafe { AtomicU64::from_ptr(counter.ptr(0)) };
    /// there.fetch_add(1, Ordering::Relaxed);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn ptr(&self, pe: u32) -> *mut T {
        let memory = self.shmem.memory();
        let there = self.shmem.transfers().pe(pe).map(|pe| memory.remote(self.at_symmetric(), pe));
        match there {
            Ok(Remote::Near(address)) => std::ptr::with_exposed_provenance_mut(address),
            _ => std::ptr::null_mut(),
        }
    }

    /// Copies `source` to this PE's memory. Fails if the lengths differ.
    pub fn copy_from(&self, source: &[T]) -> Result<()> {
        self.shmem.put(*self, source, self.shmem.my_pe())
    }

    /// Copies this PE's memory to `target`. Fails if the lengths differ.
    pub fn copy_to(&self, target: &mut [T]) -> Result<()> {
        self.shmem.get(target, *self, self.shmem.my_pe())
    }

    /// Copies this PE's memory to a new vector.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut vec = vec![zero(); self.len];
        self.copy_to(&mut vec)?;
        Ok(vec)
    }

    pub(crate) fn zero_element(&self) -> T {
        zero()
    }

    #[inline(always)]
    pub(crate) fn segment(&self) -> Segment {
        self.segment
    }

    #[inline(always)]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Its symmetric address.
    #[inline(always)]
    pub(crate) fn at_symmetric(&self) -> At {
        At::new(self.segment, self.offset)
    }

    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Its address on this PE: for the CPU if it is host memory, and for the GPU in any case.
    #[inline]
    fn own_address(&self) -> u64 {
        match self.segment {
            Segment::Host => self.shmem.memory().host().own(self.offset).expose_provenance() as u64,
            _ => self.shmem.memory().own(self.at_symmetric()),
        }
    }

    /// The job handle to which it belongs.
    pub(crate) fn shmem(&self) -> &'a Shmem {
        self.shmem
    }

    /// Whether it belongs to this job handle.
    #[inline(always)]
    pub(crate) fn belongs_to(&self, shmem: &Shmem) -> bool {
        std::ptr::eq(self.shmem, shmem)
    }
}

/// One element of a symmetric object.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let results = shmem.malloc::<f64>(100)?;
/// // One element of PE 0.
/// shmem.p(results.at(42), 0.5, 0)?;
/// # Ok(()) }) }
/// ```
pub struct SymPtr<'a, T>(SymSlice<'a, T>);

impl<T> Clone for SymPtr<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SymPtr<'_, T> {}

impl<'a, T: Word> SymPtr<'a, T> {
    /// Returns the address on this PE, for kernels.
    pub fn device_ptr(&self) -> DevPtr<T> {
        self.0.device_ptr()
    }

    /// Returns this element as a slice of length 1.
    pub fn as_slice(&self) -> SymSlice<'a, T> {
        self.0
    }
}

/// Private GPU memory of this PE. Dropping the buffer frees it.
///
/// ```no_run
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let (halo, field) = (shmem.malloc_gpu::<f32>(16)?, shmem.device_alloc::<f32>(256)?);
/// field.copy_from(&[1.0; 256])?;
/// // Its last elements go to the next PE's halo, from GPU to GPU.
/// let next = (shmem.my_pe() + 1) % shmem.n_pes();
/// shmem.put(halo, field.slice(240..), next)?;
/// # Ok(()) }) }
/// ```
pub struct DeviceBuffer<'a, T> {
    all: DeviceSlice<'a, T>,
}

/// A range of elements in a [`DeviceBuffer`], which has an example.
pub struct DeviceSlice<'a, T> {
    shmem: &'a Shmem,
    address: u64,
    len: usize,
    elements: PhantomData<*mut T>,
}

impl<T> Clone for DeviceSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DeviceSlice<'_, T> {}

// SAFETY: it only names memory; the elements are plain words that only the GPU touches.
unsafe impl<T> Send for DeviceBuffer<'_, T> {}
// SAFETY: it only names memory; the elements are plain words that only the GPU touches.
unsafe impl<T> Sync for DeviceBuffer<'_, T> {}

impl<'a, T: Word> DeviceBuffer<'a, T> {
    pub(crate) fn new(shmem: &'a Shmem, address: u64, len: usize) -> Self {
        Self { all: DeviceSlice::new(shmem, address, len) }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.all.len
    }

    /// Returns whether the buffer has no elements.
    pub fn is_empty(&self) -> bool {
        self.all.len == 0
    }

    /// Returns the address, for kernels.
    pub fn device_ptr(&self) -> DevPtr<T> {
        DevPtr::from_address(self.all.address)
    }

    /// Returns a part of the buffer.
    ///
    /// # Panics
    /// If `range` does not lie inside the buffer.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> DeviceSlice<'_, T> {
        let (start, end) = bounds(range, self.all.len);
        DeviceSlice { address: self.all.address + (start * size_of::<T>()) as u64, len: end - start, ..self.all }
    }

    /// Copies `source` to the buffer. Fails if the lengths differ.
    pub fn copy_from(&self, source: &[T]) -> Result<()> {
        same_len("write a device buffer", self.all.len, source.len())?;
        let bytes = size_of_val(source);
        let _timed = Timed::copy(Operation::Put, bytes, self.all.shmem.my_pe());
        // SAFETY: both ranges have the same length; `source` is borrowed until the copy is complete.
        unsafe {
            self.all.shmem.transfers().copy_and_wait(
                self.all.address,
                source.as_ptr().expose_provenance() as u64,
                bytes,
            )
        }
    }

    /// Copies the buffer to `target`. Fails if the lengths differ.
    pub fn copy_to(&self, target: &mut [T]) -> Result<()> {
        same_len("read a device buffer", self.all.len, target.len())?;
        let bytes = size_of_val(target);
        let _timed = Timed::copy(Operation::Get, bytes, self.all.shmem.my_pe());
        // SAFETY: both ranges have the same length; `target` is borrowed until the copy is complete, and any bits are a
        // number.
        unsafe {
            self.all.shmem.transfers().copy_and_wait(
                target.as_mut_ptr().expose_provenance() as u64,
                self.all.address,
                bytes,
            )
        }
    }

    /// Copies the buffer to a new vector.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut vec = vec![zero(); self.all.len];
        self.copy_to(&mut vec)?;
        Ok(vec)
    }
}

impl<T> Drop for DeviceBuffer<'_, T> {
    fn drop(&mut self) {
        // Freeing waits for the GPU, and in a panic a kernel may wait for this PE for ever.
        if std::thread::panicking() {
            return;
        }
        if let Some(gpu) = self.all.shmem.memory().opened_gpu() {
            // A copy of any context may still read it. The GPU may have failed with an error that was reported already;
            // then the end of the process frees the memory.
            let _ = self.all.shmem.transfers().drain_all();
            if self.all.shmem.services().are_on_streams() {
                // An operation on a stream may read it too.
                let _in_driver = self.all.shmem.services().launches().in_driver();
                let _ = gpu.synchronize();
            }
            let _ = gpu.free(self.all.address);
        }
    }
}

impl<'a, T: Word> DeviceSlice<'a, T> {
    pub(crate) fn new(shmem: &'a Shmem, address: u64, len: usize) -> Self {
        Self { shmem, address, len, elements: PhantomData }
    }

    /// Returns the address, for kernels.
    pub fn device_ptr(&self) -> DevPtr<T> {
        DevPtr::from_address(self.address)
    }
}

/// The source of a put: a Rust slice, this PE's part of a symmetric object, or private GPU memory.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let (inbox, outbox) = (shmem.malloc::<u32>(3)?, shmem.malloc::<u32>(3)?);
/// shmem.put(inbox, &[1, 2, 3], 0)?;
/// shmem.put(inbox, &vec![0; 3], 0)?;
/// shmem.put(inbox, outbox, 0)?;
/// # Ok(()) }) }
/// ```
pub struct Source<'a, T> {
    pub(crate) local: Local,
    pub(crate) len: usize,
    borrow: PhantomData<&'a T>,
}

impl Source<'_, u8> {
    /// A source of so many bytes.
    ///
    /// # Safety
    /// They stay readable as long as it is used.
    pub(crate) unsafe fn of_local(local: Local, len: usize) -> Self {
        Self { local, len, borrow: PhantomData }
    }
}

/// A [`Source`] in memory that stays valid without a borrow by the caller.
/// [`Shmem::put_nbi`] has an example.
pub struct NbiSource<'a, T>(pub(crate) Source<'a, T>);

/// The target of a get: a Rust slice, this PE's part of a symmetric object, or private GPU memory.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let (table, copy) = (shmem.malloc::<u32>(3)?, shmem.malloc::<u32>(3)?);
/// let (mut array, mut vec) = ([0; 3], vec![0; 3]);
/// shmem.get(&mut array, table, 0)?;
/// shmem.get(&mut vec, table, 0)?;
/// shmem.get(copy, table, 0)?;
/// # Ok(()) }) }
/// ```
pub struct Sink<'a, T> {
    pub(crate) local: Local,
    pub(crate) len: usize,
    borrow: PhantomData<&'a mut T>,
}

impl<'a, T: Word> From<&'a [T]> for Source<'a, T> {
    fn from(slice: &'a [T]) -> Self {
        let local = Local { address: slice.as_ptr().expose_provenance(), on_gpu: false };
        Self { local, len: slice.len(), borrow: PhantomData }
    }
}

impl<'a, T: Word> From<&'a Vec<T>> for Source<'a, T> {
    fn from(vec: &'a Vec<T>) -> Self {
        vec.as_slice().into()
    }
}

impl<'a, T: Word, const N: usize> From<&'a [T; N]> for Source<'a, T> {
    fn from(array: &'a [T; N]) -> Self {
        array.as_slice().into()
    }
}

impl<'a, T: Word> From<&'a mut [T]> for Sink<'a, T> {
    fn from(slice: &'a mut [T]) -> Self {
        let len = slice.len();
        let local = Local { address: slice.as_mut_ptr().expose_provenance(), on_gpu: false };
        Self { local, len, borrow: PhantomData }
    }
}

impl<'a, T: Word> From<&'a mut Vec<T>> for Sink<'a, T> {
    fn from(vec: &'a mut Vec<T>) -> Self {
        vec.as_mut_slice().into()
    }
}

impl<'a, T: Word, const N: usize> From<&'a mut [T; N]> for Sink<'a, T> {
    fn from(array: &'a mut [T; N]) -> Self {
        array.as_mut_slice().into()
    }
}

macro_rules! from_names { ($($end:ident)*) => {$(
    impl<'a, T: Word> From<SymSlice<'a, T>> for $end<'a, T> {
        fn from(s: SymSlice<'a, T>) -> Self {
            let local = Local { address: s.own_address() as usize, on_gpu: s.is_gpu() };
            Self { local, len: s.len, borrow: PhantomData }
        }
    }
    impl<'a, T: Word> From<DeviceSlice<'a, T>> for $end<'a, T> {
        fn from(s: DeviceSlice<'a, T>) -> Self {
            let local = Local { address: s.address as usize, on_gpu: true };
            Self { local, len: s.len, borrow: PhantomData }
        }
    }
    impl<'a, T: Word> From<&'a DeviceBuffer<'_, T>> for $end<'a, T> {
        fn from(b: &'a DeviceBuffer<'_, T>) -> Self {
            b.slice(..).into()
        }
    }
)*} }
from_names! { Source Sink }

impl<'a, T: Word> From<SymSlice<'a, T>> for NbiSource<'a, T> {
    fn from(s: SymSlice<'a, T>) -> Self {
        Self(s.into())
    }
}

impl<'a, T: Word> From<DeviceSlice<'a, T>> for NbiSource<'a, T> {
    fn from(s: DeviceSlice<'a, T>) -> Self {
        Self(s.into())
    }
}

fn bounds(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(&i) => i,
        Bound::Excluded(&i) => i.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&i) => i.saturating_add(1),
        Bound::Excluded(&i) => i,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "range {start}..{end} of {len} elements");
    (start, end)
}

/// The number whose bytes are zero.
fn zero<T: Word>() -> T {
    // SAFETY: a word is a number of 1 to 8 bytes, for which all bits zero is valid.
    unsafe { std::mem::zeroed() }
}

/// Fails unless both ends have the same number of elements.
#[inline]
pub(crate) fn same_len(operation: &'static str, target: usize, source_len: usize) -> Result<()> {
    if target == source_len { Ok(()) } else { Err(Error::new(operation, Cause::Lengths { target, source_len })) }
}
