//! The operations on plain addresses, for callers that have nothing else: the C API. Semantics are those of the methods of
//! [`Shmem`] of the same names; bytes and kinds are found from the addresses.
//!
//! Between the call of [`Raw::put_at_once`] and the copy are a few compares: no lock, no allocation, no system call, no dynamic
//! dispatch. All else is in functions that are not inlined, so that the common case needs no frame on the stack.

use crate::address::Misuse;
use crate::amo::Amo;
pub use crate::collective::{ActiveSet, BadArgument, Buffers, NoActiveSet, Who};
use crate::config::Config;
use crate::globals::Language;
use crate::sym::Kind;
use crate::{Cmp, Error, Shmem, SignalOp, Word, mapped};
use cushmem_bootstrap::waits::Wait;
use std::sync::atomic::Ordering;

mod memory;

pub use crate::globals::share as share_globals;
pub use cushmem_bootstrap::joined_here;
pub use memory::{MAX_ALIGNMENT, Wanted};

/// Result of the operations on addresses.
pub type Result<T> = std::result::Result<T, Misuse>;

/// When a copy is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// On return.
    Now,
    /// After the next `quiet`.
    Later,
}

/// Which symmetric memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The host heap.
    Host,
    /// The GPU heap.
    Gpu,
}

/// What an atomic update does to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Stores the operand.
    Swap,
    /// Adds it, wrapping around.
    Add,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Words of this PE in symmetric host memory, aligned.
pub struct OwnWords<T> {
    first: *const T,
    n: usize,
}

impl<T: Word> OwnWords<T> {
    /// How many.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.n
    }

    /// The present value of one, and what was stored before it is visible too.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn load_acquire(&self, at: usize) -> T {
        assert!(at < self.n);
        // SAFETY: `Raw::own_words` found all of them to be symmetric host memory, aligned, which stays until the job ends.
        // SYNC(host-signal) acquire: pairs with the release in `put_signal` and the fence before a peer's store.
        unsafe { mapped::load(self.first.add(at), Ordering::Acquire) }
    }
}

/// Calls `flush`, which writes out what was printed, but not longer than a second: another thread may hold the stream's lock for
/// ever.
pub fn write_out(flush: impl FnOnce() + Send + 'static) {
    let (done, wait) = std::sync::mpsc::channel();
    let started = std::thread::Builder::new().spawn(move || {
        flush();
        let _ = done.send(());
    });
    if started.is_ok() {
        let _ = wait.recv_timeout(std::time::Duration::from_secs(1));
    }
}

/// A job, by addresses.
#[derive(Clone, Copy)]
pub struct Raw<'a>(pub(crate) &'a Shmem);

/// As [`crate::init`], for a program in C: its globals are symmetric too.
pub fn init() -> crate::Result<Shmem> {
    Shmem::join(&Config::from_env()?, Language::C)
}

impl Shmem {
    /// The operations on plain addresses.
    #[inline(always)]
    pub fn raw(&self) -> Raw<'_> {
        Raw(self)
    }
}

impl<'a> Raw<'a> {
    #[inline(always)]
    pub(crate) fn shmem(self) -> &'a Shmem {
        self.0
    }
}

impl Raw<'_> {
    /// Copies `bytes` bytes from `src` to the symmetric `dst` on PE `pe`.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes, until `quiet` if it is complete [`Completion::Later`].
    #[inline]
    pub unsafe fn put(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        // SAFETY: passed on.
        if unsafe { self.put_at_once(dst, src, bytes, pe) } {
            return Ok(());
        }
        // SAFETY: passed on.
        unsafe { self.put_otherwise(dst, src, bytes, pe, when) }
    }

    /// The common case of [`Raw::put`], from host memory to host memory: `false` if it is another, and nothing was done.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes.
    #[inline(always)]
    pub unsafe fn put_at_once(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> bool {
        let w = &self.0.windows;
        // In this order, what is known of the target need not be kept while the source is looked at.
        if !w.surely_host(src.addr()) {
            return false;
        }
        let Some(to) = w.host(dst, bytes, pe) else { return false };
        // SAFETY: the target is symmetric memory, and the caller vouches for the source.
        unsafe { mapped::copy(to, src, bytes) };
        true
    }

    /// Copies `bytes` bytes from the symmetric `src` of PE `pe` to `dst`.
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes, until `quiet` if it is complete [`Completion::Later`].
    #[inline]
    pub unsafe fn get(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        // SAFETY: passed on.
        if unsafe { self.get_at_once(dst, src, bytes, pe) } {
            return Ok(());
        }
        // SAFETY: passed on.
        unsafe { self.get_otherwise(dst, src, bytes, pe, when) }
    }

    /// The common case of [`Raw::get`], as [`Raw::put_at_once`].
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes.
    #[inline(always)]
    pub unsafe fn get_at_once(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> bool {
        let w = &self.0.windows;
        if !w.surely_host(dst.addr()) {
            return false;
        }
        let Some(from) = w.host(src, bytes, pe) else { return false };
        // SAFETY: the source is symmetric memory, and the caller vouches for the target.
        unsafe { mapped::copy(dst, from, bytes) };
        true
    }

    /// Stores one element of PE `pe`.
    #[inline]
    pub fn p<T: Copy>(self, dst: *mut T, value: T, pe: u32) -> Result<()> {
        if self.p_at_once(dst, value, pe) {
            return Ok(());
        }
        if let Some(to) = self.0.globals.at_once(dst.addr(), size_of::<T>(), pe) {
            // SAFETY: the target is a peer's global of an element's size.
            unsafe { std::ptr::with_exposed_provenance_mut::<T>(to).write_unaligned(value) };
            return Ok(());
        }
        // SAFETY: the source is the argument, and it is read before the call returns.
        unsafe { self.put_otherwise(dst.cast(), (&raw const value).cast(), size_of::<T>(), pe, Completion::Now) }
    }

    /// The common case of [`Raw::p`], as [`Raw::put_at_once`].
    #[inline(always)]
    pub fn p_at_once<T: Copy>(self, dst: *mut T, value: T, pe: u32) -> bool {
        let Some(to) = self.0.windows.host(dst, size_of::<T>(), pe) else { return false };
        // SAFETY: the target is symmetric memory of an element's size.
        unsafe { to.write_unaligned(value) };
        true
    }

    /// Loads one element of PE `pe`.
    #[inline]
    pub fn g<T: Word>(self, src: *const T, pe: u32) -> Result<T> {
        if let Some(value) = self.g_at_once(src, pe) {
            return Ok(value);
        }
        if let Some(from) = self.0.globals.at_once(src.addr(), size_of::<T>(), pe) {
            // SAFETY: the source is a peer's global of an element's size; any bits are a number.
            return Ok(unsafe { std::ptr::with_exposed_provenance::<T>(from).read_unaligned() });
        }
        // SAFETY: a word is a number, for which all bits zero is valid.
        let mut value: T = unsafe { std::mem::zeroed() };
        let to = (&raw mut value).cast();
        // SAFETY: the target is a variable here, and it is complete when the call returns; any bits are a number.
        unsafe { self.get_otherwise(to, src.cast(), size_of::<T>(), pe, Completion::Now)? };
        Ok(value)
    }

    /// The common case of [`Raw::g`], as [`Raw::put_at_once`].
    #[inline(always)]
    pub fn g_at_once<T: Word>(self, src: *const T, pe: u32) -> Option<T> {
        let from = self.0.windows.host(src, size_of::<T>(), pe)?;
        // SAFETY: the source is symmetric memory of an element's size; any bits are a number.
        Some(unsafe { from.read_unaligned() })
    }

    /// [`Raw::put`] without its common case.
    ///
    /// # Safety
    /// As for [`Raw::put`].
    #[cold]
    #[inline(never)]
    pub unsafe fn put_otherwise(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        pe: u32,
        when: Completion,
    ) -> Result<()> {
        // SAFETY: passed on.
        if unsafe { self.0.put_global_at_once(dst, src, bytes, pe) } {
            return Ok(());
        }
        // SAFETY: passed on.
        unsafe { self.put_rarely(dst, src, bytes, pe, when) }
    }

    /// # Safety
    /// As for [`Raw::put`].
    #[cold]
    #[inline(never)]
    unsafe fn put_rarely(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        if self.0.globals.has(dst.addr()) {
            // SAFETY: passed on.
            return unsafe { self.0.put_global(dst, src, bytes, pe) };
        }
        let (kind, remote) = self.ends(dst.addr(), src.addr(), bytes, pe)?;
        // SAFETY: the symmetric end was found to hold as many bytes; the caller vouches for the other.
        unsafe { self.copy(kind, src.addr(), remote, src.expose_provenance() as u64, bytes, pe, when) }
    }

    /// [`Raw::get`] without its common case.
    ///
    /// # Safety
    /// As for [`Raw::get`].
    #[cold]
    #[inline(never)]
    pub unsafe fn get_otherwise(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        pe: u32,
        when: Completion,
    ) -> Result<()> {
        // SAFETY: passed on.
        if unsafe { self.0.get_global_at_once(dst, src, bytes, pe) } {
            return Ok(());
        }
        // SAFETY: passed on.
        unsafe { self.get_rarely(dst, src, bytes, pe, when) }
    }

    /// # Safety
    /// As for [`Raw::get`].
    #[cold]
    #[inline(never)]
    unsafe fn get_rarely(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        if self.0.globals.has(src.addr()) {
            // SAFETY: passed on.
            return unsafe { self.0.get_global(dst, src, bytes, pe) };
        }
        let (kind, remote) = self.ends(src.addr(), dst.addr(), bytes, pe)?;
        // SAFETY: the symmetric end was found to hold as many bytes; the caller vouches for the other.
        unsafe { self.copy(kind, dst.addr(), dst.expose_provenance() as u64, remote, bytes, pe, when) }
    }

    /// Kind of the symmetric end, and where it is on PE `pe`.
    fn ends(self, symmetric: usize, private: usize, bytes: usize, pe: u32) -> Result<(Kind, u64)> {
        self.check_pe(pe)?;
        if bytes == 0 {
            return Ok((Kind::Host, 0));
        }
        let (kind, offset) = self.0.locate(symmetric, bytes)?;
        if private == 0 {
            return Err(Misuse::NullPrivate);
        }
        let remote = self.0.seen_at(kind, offset, pe);
        self.0.check_private(private, bytes)?;
        self.0.check_overlap(remote, private, bytes)?;
        Ok((kind, remote))
    }

    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    #[expect(clippy::too_many_arguments, reason = "both ends, what is known of them, and how")]
    unsafe fn copy(
        self,
        kind: Kind,
        private: usize,
        dst: u64,
        src: u64,
        bytes: usize,
        pe: u32,
        when: Completion,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        if kind == Kind::Host && !self.0.is_device(private) {
            let (dst, src) = (dst as usize, src as usize);
            let (to, from) = (std::ptr::with_exposed_provenance_mut(dst), std::ptr::with_exposed_provenance(src));
            // SAFETY: the caller vouches for both.
            unsafe { mapped::copy(to, from, bytes) };
            return Ok(());
        }
        let gpu = self.0.gpu_side("copy")?;
        if let (Kind::Gpu, Some(why)) = (kind, gpu.heap.unreachable(pe)) {
            return Err(Error::new("copy", format!("GPU memory of PE {pe} is not mapped here: {why}")).into());
        }
        if when == Completion::Later {
            // SAFETY: the caller keeps both valid until quiet.
            let enqueued = unsafe { self.0.copy_in_order(dst, src, bytes) };
            // A part may be in the stream even if there was an error.
            self.0.note_copy();
            return Ok(enqueued?);
        }
        // SAFETY: the caller vouches for both.
        unsafe { self.0.copy_and_wait(dst, src, bytes)? };
        Ok(())
    }

    /// Copies as [`Raw::put`] and then updates the signal on PE `pe`.
    ///
    /// # Safety
    /// As [`Raw::put`].
    #[expect(clippy::too_many_arguments, reason = "the specification's arguments")]
    #[inline]
    pub unsafe fn put_signal(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        signal: *mut u64,
        value: u64,
        op: SignalOp,
        pe: u32,
        when: Completion,
    ) -> Result<()> {
        let word = |misuse| match misuse {
            Misuse::Pe(_) | Misuse::Failed(_) => misuse,
            other => Misuse::Signal(Box::new(other)),
        };
        let signal = match self.host_word(signal, pe) {
            Ok(signal) => signal,
            Err(Misuse::GpuWord) if op == SignalOp::Set => {
                // The copy engine finishes the data before it starts with the signal.
                // SAFETY: the caller vouches for the source; the signal's value is read before the call returns.
                unsafe { self.put(dst, src, bytes, pe, Completion::Now)? };
                return self.p(signal, value, pe).map_err(word);
            }
            Err(misuse) => return Err(word(misuse)),
        };
        // Data that a copy engine still moves must not be overtaken by the signal.
        let when = if when == Completion::Later && self.0.windows.host(dst, bytes, pe).is_some() {
            when
        } else {
            Completion::Now
        };
        // SAFETY: the caller vouches for the source.
        unsafe { self.put(dst, src, bytes, pe, when)? };
        self.0.complete_copies()?;
        match op {
            // SAFETY: a word of symmetric host memory, aligned.
            // SYNC(host-signal) release: pairs with the acquire in `wait_until` and `signal_fetch`.
            SignalOp::Set => unsafe { mapped::store(signal, value, Ordering::Release) },
            SignalOp::Add => {
                // SAFETY: as above.
                // SYNC(host-signal) release: as above.
                unsafe { mapped::fetch_add(signal, value, Ordering::Release) };
            }
        }
        Ok(())
    }

    /// The present value of this PE's word, and what was stored before it is visible too.
    #[inline]
    pub fn load_acquire<T: Word>(self, word: *const T) -> Result<T> {
        let word = self.own_word(word)?;
        // SAFETY: a word of symmetric host memory, aligned.
        // SYNC(host-signal) acquire: pairs with the release in `put_signal` and the fence before a peer's store.
        Ok(unsafe { mapped::load(word, Ordering::Acquire) })
    }

    /// Waits until this PE's word compares with `value` as wanted; returns it.
    pub fn wait_until<T: Word>(self, word: *const T, cmp: Cmp, value: T) -> Result<T> {
        let word = self.own_word(word)?;
        Ok(self.0.wait_for_word(word, cmp, value))
    }

    /// `n` words of this PE, to look at one by one.
    pub fn own_words<T: Word>(self, first: *const T, n: usize) -> Result<OwnWords<T>> {
        if n == 0 {
            return Ok(OwnWords { first, n });
        }
        match self.0.windows.host(first, n.saturating_mul(size_of::<T>()), self.0.my_pe()) {
            Some(found) if first.is_aligned() => Ok(OwnWords { first: found, n }),
            _ => {
                let found = self.host_words_otherwise(first.cast_mut(), n, self.0.my_pe())?;
                Ok(OwnWords { first: found, n })
            }
        }
    }

    /// Waits until `look` finds something in `words`, for a routine of this name.
    pub fn wait_for<T, R>(self, routine: &str, words: &OwnWords<T>, look: impl FnMut() -> Option<R>) -> R {
        let what = || Wait { what: format!("{routine} of the {} words at {:p}", words.n, words.first), late: vec![] };
        self.0.patience.wait(look, None, what)
    }

    /// Stores what an operation found; `to` may be memory of the GPU.
    ///
    /// # Safety
    /// `to` is writable for a `T`.
    #[inline]
    pub unsafe fn give<T: Word>(self, to: *mut T, value: T) -> Result<()> {
        if self.0.windows.surely_host(to.addr()) {
            // SAFETY: the caller vouches for it.
            unsafe { to.write_unaligned(value) };
            return Ok(());
        }
        let (target, from) = (to.expose_provenance() as u64, (&raw const value).expose_provenance() as u64);
        let (bytes, me) = (size_of::<T>(), self.0.my_pe());
        // SAFETY: the caller vouches for the target; the source is a variable, and the copy is complete on return.
        unsafe { self.copy(Kind::Host, to.addr(), target, from, bytes, me, Completion::Now) }
    }

    /// Loads a word of PE `pe` atomically.
    #[inline]
    pub fn fetch<T: Word>(self, source: *const T, pe: u32) -> Result<T> {
        let source = self.host_word(source.cast_mut(), pe)?;
        // SAFETY: a word of symmetric host memory, aligned. Relaxed: an atomic promises no order by itself.
        Ok(unsafe { mapped::load(source, Ordering::Relaxed) })
    }

    /// Stores a word of PE `pe` atomically.
    #[inline]
    pub fn set<T: Word>(self, target: *mut T, value: T, pe: u32) -> Result<()> {
        let target = self.host_word(target, pe)?;
        // SAFETY: a word of symmetric host memory, aligned. Relaxed: an atomic promises no order by itself.
        unsafe { mapped::store(target, value, Ordering::Relaxed) };
        Ok(())
    }

    /// Exchanges a word of PE `pe`; also numbers that are not integers.
    #[inline]
    pub fn swap<T: Word>(self, target: *mut T, value: T, pe: u32) -> Result<T> {
        let target = self.host_word(target, pe)?;
        // SAFETY: a word of symmetric host memory, aligned.
        Ok(unsafe { mapped::update(target, value, Update::Swap) })
    }

    /// Changes a word of PE `pe` atomically; returns what it was.
    #[inline(always)]
    pub fn update<T: Amo>(self, target: *mut T, value: T, update: Update, pe: u32) -> Result<T> {
        let target = self.host_word(target, pe)?;
        // SAFETY: a word of symmetric host memory, aligned; the type is an integer.
        Ok(unsafe { mapped::update(target, value, update) })
    }

    /// Stores `value` into a word of PE `pe` if it is `condition`; returns what it was.
    #[inline]
    pub fn compare_swap<T: Amo>(self, target: *mut T, condition: T, value: T, pe: u32) -> Result<T> {
        let target = self.host_word(target, pe)?;
        // SAFETY: a word of symmetric host memory, aligned; the type is an integer.
        Ok(unsafe { mapped::compare_swap(target, condition, value) })
    }

    #[inline(always)]
    pub(crate) fn host_word<T>(self, word: *mut T, pe: u32) -> Result<*mut T> {
        match self.0.windows.host(word, size_of::<T>(), pe) {
            Some(found) if word.is_aligned() => Ok(found),
            _ => self.host_words_otherwise(word, 1, pe),
        }
    }

    #[inline(always)]
    fn own_word<T>(self, word: *const T) -> Result<*const T> {
        self.host_word(word.cast_mut(), self.0.my_pe()).map(<*mut T>::cast_const)
    }

    #[cold]
    #[inline(never)]
    fn host_words_otherwise<T>(self, first: *mut T, n: usize, pe: u32) -> Result<*mut T> {
        match self.0.globals.at_once(first.addr(), n.saturating_mul(size_of::<T>()), pe) {
            Some(found) if first.is_aligned() => Ok(std::ptr::with_exposed_provenance_mut(found)),
            _ => self.host_words_rarely(first.addr(), n, size_of::<T>(), pe).map(std::ptr::with_exposed_provenance_mut),
        }
    }

    #[cold]
    #[inline(never)]
    fn host_words_rarely(self, first: usize, n: usize, size: usize, pe: u32) -> Result<usize> {
        let (bytes, is_aligned) = (n.saturating_mul(size), first.is_multiple_of(size));
        if let Some(found) = self.0.globals.mapped(first, bytes, pe).filter(|_| is_aligned) {
            return Ok(found);
        }
        self.check_pe(pe)?;
        if let Some(misuse) = self.0.globals.bad_words(first, size, bytes, pe) {
            return Err(misuse);
        }
        match self.0.locate(first, bytes)? {
            (Kind::Gpu, _) => Err(Misuse::GpuWord),
            (Kind::Host, _) if !is_aligned => Err(Misuse::Misaligned(size)),
            (Kind::Host, offset) => Ok(self.0.host.at(pe, offset).expose_provenance()),
        }
    }

    pub(crate) fn check_pe(self, pe: u32) -> Result<()> {
        if pe < self.0.n_pes() { Ok(()) } else { Err(Misuse::Pe(self.0.n_pes())) }
    }

    /// Where PE `pe`'s copy of a symmetric object is seen from here: by the CPU if it is host memory, by kernels if it is GPU memory.
    /// `None` if it is not symmetric or not mapped.
    pub fn ptr(self, object: *const u8, pe: u32) -> Result<Option<u64>> {
        self.check_pe(pe)?;
        if let Some(found) = self.0.globals.mapped(object.addr(), 1, pe) {
            return Ok(Some(found as u64));
        }
        let Ok((kind, offset)) = self.0.locate(object.addr(), 1) else { return Ok(None) };
        let mapped = match (kind, &self.0.gpu) {
            (Kind::Gpu, Some(gpu)) => gpu.heap.unreachable(pe).is_none(),
            _ => true,
        };
        Ok(mapped.then(|| self.0.seen_at(kind, offset, pe)))
    }

    /// Whether put and get reach PE `pe`'s copy of a symmetric object.
    pub fn accessible(self, object: *const u8, pe: u32) -> bool {
        matches!(self.ptr(object, pe), Ok(Some(_))) || self.0.globals.accessible(object.addr(), pe)
    }

    /// Tells kernels that the program loaded itself about the job.
    ///
    /// # Safety
    /// `module` is the handle (`CUmodule`) of a loaded module.
    pub unsafe fn adopt_module(self, module: usize) -> crate::Result<()> {
        let gpu = self.0.gpu_side("adopt a module")?;
        // SAFETY: the caller vouches for the handle.
        unsafe { gpu.heap.gpu.adopt_module(module, &gpu.context)? };
        Ok(())
    }

    /// Waits until all PEs have called it, their operations complete, without releasing anything; see [`Shmem`]'s drop.
    pub fn finalize(self) {
        self.0.finalize();
    }

    /// Ends the whole job, with a message of this PE.
    pub fn abort(self, status: i32, message: &str) -> ! {
        self.0.bootstrap.abort(status, message)
    }
}
