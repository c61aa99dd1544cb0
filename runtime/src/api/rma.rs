//! Remote memory access (OpenSHMEM 1.6, section 9.6).
//!
//! Memory that the CPU can load and store is copied in place; everything else becomes a [`Transfer`]. A private end on
//! the host may be any memory.

use crate::api::sym::{NbiSource, Sink, Source, SymPtr, SymSlice, same_len};
use crate::error::{Cause, Error, Result};
use crate::memory::Segment;
use crate::transfer::{Completion, Operation, Shape, Transfer};
use crate::transport::mapped;
use crate::{Shmem, Word};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// # Put and get
impl Shmem {
    /// Copies `src` to `dst` on PE `pe` (`shmem_put`, 9.6). On return `src` may be reused. The data is visible to all
    /// PEs after [`Shmem::quiet`]. Fails if the lengths differ.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let inbox = shmem.malloc::<u32>(4)?;
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// shmem.put(inbox, &[1, 2, 3, 4], next)?;
    /// // After the barrier the numbers of the PE before this one are here.
    /// shmem.barrier_all()?;
    /// assert_eq!(inbox.to_vec()?, [1, 2, 3, 4]);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn put<'a, T: Word>(&self, dst: SymSlice<'_, T>, src: impl Into<Source<'a, T>>, pe: u32) -> Result<()> {
        let src = src.into();
        match self.near(dst, src.len, pe).filter(|_| !src.local.on_gpu) {
            Some(to) => {
                // SAFETY: both ends have the same length; the source is borrowed, or symmetric memory like the target.
                unsafe { mapped::copy(to.cast(), with_exposed_provenance(src.local.address), dst.bytes()) };
                Ok(())
            }
            None => self.put_slow("put", dst, src, pe, Completion::Blocking),
        }
    }

    /// Copies `src` to `dst` on PE `pe`, like [`Shmem::put`], but may return before the copy is done (`shmem_put_nbi`,
    /// 9.6). Until [`Shmem::quiet`] returns, `src` must not change, and the data may not have arrived.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (outbox, inbox) = (shmem.malloc::<u32>(1 << 16)?, shmem.malloc::<u32>(1 << 16)?);
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// shmem.put_nbi(inbox, outbox, next)?;
    /// // Time for other work, which leaves `outbox` as it is.
    /// shmem.quiet()?;
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn put_nbi<'a, T: Word>(
        &'a self,
        dst: SymSlice<'_, T>,
        src: impl Into<NbiSource<'a, T>>,
        pe: u32,
    ) -> Result<()> {
        let src = src.into().0;
        match self.near(dst, src.len, pe).filter(|_| !src.local.on_gpu) {
            Some(to) => {
                // SAFETY: both ends have the same length of symmetric memory.
                unsafe { mapped::copy(to.cast(), with_exposed_provenance(src.local.address), dst.bytes()) };
                Ok(())
            }
            // Symmetric and device memory is unmapped only in finalize or when the buffer is dropped, and both wait.
            None => self.put_slow("put_nbi", dst, src, pe, Completion::Nbi),
        }
    }

    #[cold]
    #[inline(never)]
    fn put_slow<T: Word>(
        &self,
        operation: &'static str,
        dst: SymSlice<'_, T>,
        src: Source<'_, T>,
        pe: u32,
        when: Completion,
    ) -> Result<()> {
        let name = |error| Error::argument(operation, "the symmetric object", error);
        self.check(operation, dst, src.len)?;
        let context = self.transfers().default_context();
        if dst.segment() == Segment::Host {
            // SAFETY: both ends have the same length, and the source is borrowed until the copy is complete, or stays
            // valid as long as the job.
            let put = unsafe { self.transfers().put_far(context, dst.offset(), src.local, dst.bytes(), pe, when) };
            if put.map_err(name)? {
                return Ok(());
            }
        }
        let ends = self.transfers().ends_of_objects(dst.at_symmetric(), src.local, dst.bytes(), pe).map_err(name)?;
        let Some((remote, local, pe)) = ends else { return Ok(()) };
        let transfer = Transfer { operation: Operation::Put(local, Shape::Bytes(dst.bytes())), pe, remote, when };
        // SAFETY: both ends have the same length, and the source is borrowed until the copy is complete, or stays valid
        // as long as the job.
        unsafe { self.transfers().issue(context, &transfer) }.map(drop).map_err(name)
    }

    /// Copies `src` of PE `pe` to `dst` (`shmem_get`, 9.6). The copy is complete on return. Fails if the lengths
    /// differ.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let table = shmem.malloc::<u64>(8)?;
    /// table.copy_from(&[7; 8])?;
    /// shmem.barrier_all()?;
    /// let mut theirs = [0; 4];
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// shmem.get(&mut theirs, table.slice(..4), next)?;
    /// assert_eq!(theirs, [7; 4]);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn get<'a, T: Word>(&self, dst: impl Into<Sink<'a, T>>, src: SymSlice<'_, T>, pe: u32) -> Result<()> {
        let dst = dst.into();
        match self.near(src, dst.len, pe).filter(|_| !dst.local.on_gpu) {
            Some(from) => {
                // SAFETY: both ends have the same length; the target is borrowed, or symmetric memory like the source;
                // any bits are a number.
                unsafe { mapped::copy(with_exposed_provenance_mut(dst.local.address), from.cast(), src.bytes()) };
                Ok(())
            }
            None => self.get_slow("get", dst, src, pe),
        }
    }

    #[cold]
    #[inline(never)]
    fn get_slow<T: Word>(
        &self,
        operation: &'static str,
        dst: Sink<'_, T>,
        src: SymSlice<'_, T>,
        pe: u32,
    ) -> Result<()> {
        let name = |error| Error::argument(operation, "the symmetric object", error);
        self.check(operation, src, dst.len)?;
        let context = self.transfers().default_context();
        if src.segment() == Segment::Host {
            // SAFETY: both ends have the same length, and the target is borrowed; any bits are a number.
            let got = unsafe { self.transfers().get_far(context, src.offset(), dst.local, src.bytes(), pe) };
            if got.map_err(name)? {
                return Ok(());
            }
        }
        let ends = self.transfers().ends_of_objects(src.at_symmetric(), dst.local, src.bytes(), pe).map_err(name)?;
        let Some((remote, local, pe)) = ends else { return Ok(()) };
        let get = Operation::Get(local, Shape::Bytes(src.bytes()));
        let transfer = Transfer { operation: get, pe, remote, when: Completion::Blocking };
        // SAFETY: both ends have the same length, and the target is borrowed until the copy is complete; any bits are a
        // number.
        unsafe { self.transfers().issue(context, &transfer) }.map(drop).map_err(name)
    }

    /// Stores `value` to one element of PE `pe` (`shmem_p`, 9.6).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let all = shmem.malloc::<u32>(shmem.n_pes() as usize)?;
    /// let me = shmem.my_pe();
    /// for pe in 0..shmem.n_pes() {
    ///     shmem.p(all.at(me as usize), me, pe)?;
    /// }
    /// shmem.barrier_all()?;
    /// assert!(all.to_vec()?.into_iter().eq(0..shmem.n_pes()));
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn p<T: Word>(&self, dst: SymPtr<'_, T>, value: T, pe: u32) -> Result<()> {
        match self.near_element(dst, pe) {
            Some(to) => {
                // SAFETY: an element of symmetric host memory is valid.
                unsafe { mapped::store_element(to, value) };
                Ok(())
            }
            None => self.put_slow("p", dst.as_slice(), (&[value]).into(), pe, Completion::Blocking),
        }
    }

    /// Loads one element from PE `pe` and returns it (`shmem_g`, 9.6).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let number = shmem.malloc::<u32>(1)?;
    /// number.copy_from(&[shmem.my_pe()])?;
    /// shmem.barrier_all()?;
    /// assert_eq!(shmem.g(number.at(0), 0)?, 0);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn g<T: Word>(&self, src: SymPtr<'_, T>, pe: u32) -> Result<T> {
        match self.near_element(src, pe) {
            // SAFETY: an element of symmetric host memory is valid.
            Some(from) => Ok(unsafe { mapped::load_element(from) }),
            None => {
                let mut value = [src.as_slice().zero_element()];
                self.get_slow("g", (&mut value).into(), src.as_slice(), pe)?;
                Ok(value[0])
            }
        }
    }

    /// The address of the object on PE `pe`, if the object belongs to this job, has `len` elements, and the CPU reaches
    /// it there. If not, the slow path finds out what is wrong.
    #[inline(always)]
    pub(crate) fn near<T: Word>(&self, object: SymSlice<'_, T>, len: usize, pe: u32) -> Option<*mut T> {
        if object.len() == len { self.near_first(object, pe) } else { None }
    }

    /// As [`Shmem::near`], for one element.
    #[inline(always)]
    pub(crate) fn near_element<T: Word>(&self, element: SymPtr<'_, T>, pe: u32) -> Option<*mut T> {
        self.near_first(element.as_slice(), pe)
    }

    #[inline(always)]
    fn near_first<T: Word>(&self, object: SymSlice<'_, T>, pe: u32) -> Option<*mut T> {
        let fits = object.segment() == Segment::Host && object.belongs_to(self);
        if fits { self.memory().near_host().at(object.offset() as usize, pe) } else { None }
    }

    /// Fails unless the object belongs to this job and has `len` elements.
    #[inline]
    pub(crate) fn check<T: Word>(&self, operation: &'static str, object: SymSlice<'_, T>, len: usize) -> Result<()> {
        if !object.belongs_to(self) {
            return Err(Error::new(operation, Cause::ForeignObject));
        }
        same_len(operation, object.len(), len)
    }
}
