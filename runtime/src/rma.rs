//! Remote memory access (OpenSHMEM 1.6, section 9.5).
//!
//! Host memory of mapped peers is copied by the CPU; where a GPU's memory is an end, the library's stream and its copy engine
//! do it. A private end on the host may be any memory.

use crate::sym::{Kind, NbiSource, Sink, Source, SymPtr, SymSlice, same_len};
use crate::{Error, Result, Shmem, mapped};
use cushmem_device::Word;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Shmem {
    /// Copies `src` to `dst` on PE `pe`. The source may be changed on return; the data is visible to all after
    /// [`Shmem::quiet`] (`shmem_put`, 9.5.1). Fails if the lengths differ.
    #[inline]
    pub fn put<'a, T: Word>(&self, dst: SymSlice<'_, T>, src: impl Into<Source<'a, T>>, pe: u32) -> Result<()> {
        let src = src.into();
        if self.is_plain(dst, src.len, pe) && dst.kind() == Kind::Host && !src.on_gpu {
            let from = std::ptr::with_exposed_provenance(src.address as usize);
            // SAFETY: both have as many bytes; the source is borrowed, or symmetric memory like the target.
            unsafe { mapped::copy(dst.host_ptr(pe).cast(), from, dst.bytes()) };
            return Ok(());
        }
        self.put_otherwise(dst, src, pe)
    }

    #[cold]
    #[inline(never)]
    fn put_otherwise<T: Word>(&self, dst: SymSlice<'_, T>, src: Source<'_, T>, pe: u32) -> Result<()> {
        self.check("put", dst, src.len, pe)?;
        if dst.kind() == Kind::Host && !src.on_gpu {
            let from = std::ptr::with_exposed_provenance(src.address as usize);
            // SAFETY: as in `put`.
            unsafe { mapped::copy(dst.host_ptr(pe).cast(), from, dst.bytes()) };
            return Ok(());
        }
        self.reachable("put", dst, pe)?;
        // SAFETY: both have as many bytes, and the source is borrowed until the copy is done.
        unsafe { self.copy_and_wait(dst.address(pe), src.address, dst.bytes()) }
    }

    /// As [`Shmem::put`], but may return at once: neither may the source be changed nor is the data there before
    /// [`Shmem::quiet`] (`shmem_put_nbi`, 9.6.1).
    pub fn put_nbi<'a, T: Word>(
        &'a self,
        dst: SymSlice<'_, T>,
        src: impl Into<NbiSource<'a, T>>,
        pe: u32,
    ) -> Result<()> {
        let src = src.into().0;
        self.check("put_nbi", dst, src.len, pe)?;
        if dst.kind() == Kind::Host && !src.on_gpu {
            let from = std::ptr::with_exposed_provenance(src.address as usize);
            // SAFETY: both have as many bytes of symmetric memory.
            unsafe { mapped::copy(dst.host_ptr(pe).cast(), from, dst.bytes()) };
            return Ok(());
        }
        self.reachable("put_nbi", dst, pe)?;
        // SAFETY: both have as many bytes; symmetric and device memory is not unmapped before finalize or the buffer's drop, which
        // wait.
        let enqueued = unsafe { self.copy_in_order(dst.address(pe), src.address, dst.bytes()) };
        // A part may be in the stream even if there was an error.
        self.note_copy();
        enqueued
    }

    /// Copies `src` of PE `pe` to `dst`, which is complete on return (`shmem_get`, 9.5.4). Fails if the lengths differ.
    #[inline]
    pub fn get<'a, T: Word>(&self, dst: impl Into<Sink<'a, T>>, src: SymSlice<'_, T>, pe: u32) -> Result<()> {
        let dst = dst.into();
        if self.is_plain(src, dst.len, pe) && src.kind() == Kind::Host && !dst.on_gpu {
            let to = std::ptr::with_exposed_provenance_mut(dst.address as usize);
            // SAFETY: both have as many bytes; the target is borrowed, or symmetric memory like the source; any bits are a number.
            unsafe { mapped::copy(to, src.host_ptr(pe).cast(), src.bytes()) };
            return Ok(());
        }
        self.get_otherwise(dst, src, pe)
    }

    #[cold]
    #[inline(never)]
    fn get_otherwise<T: Word>(&self, dst: Sink<'_, T>, src: SymSlice<'_, T>, pe: u32) -> Result<()> {
        self.check("get", src, dst.len, pe)?;
        if src.kind() == Kind::Host && !dst.on_gpu {
            let to = std::ptr::with_exposed_provenance_mut(dst.address as usize);
            // SAFETY: as in `get`.
            unsafe { mapped::copy(to, src.host_ptr(pe).cast(), src.bytes()) };
            return Ok(());
        }
        self.reachable("get", src, pe)?;
        // SAFETY: both have as many bytes, and the target is borrowed until the copy is done; any bits are a number.
        unsafe { self.copy_and_wait(dst.address, src.address(pe), src.bytes()) }
    }

    /// Stores one element on PE `pe` (`shmem_p`, 9.5.2).
    #[inline]
    pub fn p<T: Word>(&self, dst: SymPtr<'_, T>, value: T, pe: u32) -> Result<()> {
        let slice = dst.as_slice();
        if self.is_plain(slice, 1, pe) && slice.kind() == Kind::Host {
            // SAFETY: an element of symmetric host memory is valid and aligned. Relaxed: `fence` and `quiet` order it.
            unsafe { mapped::store(slice.host_ptr(pe), value, Ordering::Relaxed) };
            return Ok(());
        }
        self.p_otherwise(dst, value, pe)
    }

    /// Loads one element of PE `pe` (`shmem_g`, 9.5.5).
    #[inline]
    pub fn g<T: Word>(&self, src: SymPtr<'_, T>, pe: u32) -> Result<T> {
        let slice = src.as_slice();
        if self.is_plain(slice, 1, pe) && slice.kind() == Kind::Host {
            // SAFETY: an element of symmetric host memory is valid and aligned. Relaxed: a get promises no order.
            return Ok(unsafe { mapped::load(slice.host_ptr(pe), Ordering::Relaxed) });
        }
        self.g_otherwise(src, pe)
    }

    #[cold]
    #[inline(never)]
    fn p_otherwise<T: Word>(&self, dst: SymPtr<'_, T>, value: T, pe: u32) -> Result<()> {
        self.check("p", dst.as_slice(), 1, pe)?;
        self.put(dst.as_slice(), &[value], pe)
    }

    #[cold]
    #[inline(never)]
    fn g_otherwise<T: Word>(&self, src: SymPtr<'_, T>, pe: u32) -> Result<T> {
        self.check("g", src.as_slice(), 1, pe)?;
        let mut value = [src.as_slice().zero_element()];
        self.get(&mut value, src.as_slice(), pe)?;
        Ok(value[0])
    }

    /// Whether PE, job and length are right: a few compares in the caller; what is wrong is found out elsewhere.
    #[inline]
    pub(crate) fn check<T: Word>(
        &self,
        operation: &'static str,
        object: SymSlice<'_, T>,
        len: usize,
        pe: u32,
    ) -> Result<()> {
        if self.is_plain(object, len, pe) { Ok(()) } else { self.check_slowly(operation, object, len, pe) }
    }

    #[inline(always)]
    fn is_plain<T: Word>(&self, object: SymSlice<'_, T>, len: usize, pe: u32) -> bool {
        pe < self.pes_at_once && object.belongs_to(self) && object.len() == len
    }

    #[cold]
    #[inline(never)]
    fn check_slowly<T: Word>(&self, operation: &str, object: SymSlice<'_, T>, len: usize, pe: u32) -> Result<()> {
        if !object.belongs_to(self) {
            return Err(Error::new(operation, "the symmetric object belongs to another job handle"));
        }
        self.check_pe(operation, pe)?;
        same_len(operation, object.len(), len)?;
        let place = self.check_object(object.kind(), object.offset(), object.bytes());
        place.map_err(|misuse| Error::new(operation, format!("the symmetric object {misuse}")))
    }

    /// Fails if this GPU's copy engine does not reach the object on PE `pe`.
    pub(crate) fn reachable<T: Word>(&self, operation: &str, object: SymSlice<'_, T>, pe: u32) -> Result<()> {
        let gpu = self.gpu_side(operation)?;
        match gpu.heap.unreachable(pe) {
            Some(why) if object.kind() == Kind::Gpu => {
                Err(Error::new(operation, format!("GPU memory of PE {pe} is not mapped here: {why}")))
            }
            _ => Ok(()),
        }
    }

    /// Copies between any two places that the GPU reaches, after all copies before it, and waits.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_and_wait(&self, dst: u64, src: u64, bytes: usize) -> Result<()> {
        // SAFETY: the ranges stay valid during this call.
        unsafe { self.copy_in_order(dst, src, bytes)? };
        self.wait_for_copies()
    }

    /// Enqueues a copy. A range of the host heap is split where pinned parts meet, as one copy must not span two.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes until [`Shmem::wait_for_copies`].
    pub(crate) unsafe fn copy_in_order(&self, dst: u64, src: u64, bytes: usize) -> Result<()> {
        let gpu = self.gpu_side("copy")?;
        let mut done = 0;
        while done < bytes as u64 {
            let rest = bytes as u64 - done;
            let part = rest.min(self.until_border(dst + done)).min(self.until_border(src + done));
            // SAFETY: part of the ranges.
            unsafe { gpu.copies.copy(dst + done, src + done, part).map_err(|e| self.device_error("copy", &e))? };
            done += part;
        }
        Ok(())
    }

    /// Bytes from a host heap address to the next border between pinned parts; no limit elsewhere.
    fn until_border(&self, address: u64) -> u64 {
        let Some(offset) = address.checked_sub(self.host.base()).filter(|o| *o < self.stride * u64::from(self.n_pes()))
        else {
            return u64::MAX;
        };
        let offset = offset % self.stride;
        let pinned = self.host_pinned.read().unwrap_or_else(PoisonError::into_inner);
        pinned.iter().find(|&&end| end > offset).map_or(u64::MAX, |end| end - offset)
    }

    /// Waits for all enqueued copies.
    pub(crate) fn wait_for_copies(&self) -> Result<()> {
        let gpu = self.gpu_side("copy")?;
        gpu.copies.synchronize().map_err(|e| self.device_error("copy", &e))
    }
}
