//! The operations on plain addresses, for callers that hold nothing else, such as the C API. Their semantics are those
//! of the methods of [`Shmem`] with the same names. The library derives offsets and kinds of memory from the addresses.
//!
//! Between the call of [`Raw::put_fast`] and the copy there are only a few comparisons: no lock, allocation, system
//! call or dynamic dispatch. All else builds a transfer, in functions that are not inlined: most puts have no frame.
//!
//! ```
//! # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
//! use cushmem::raw::{Completion, Memory, Wanted};
//!
//! let raw = shmem.raw();
//! let arguments = [("count", 4), ("size", 4)];
//! let (memory, bytes, alignment, cleared) = (Memory::Host, 16, 4, true);
//! let inbox = raw.malloc(&Wanted { routine: "calloc", arguments, memory, bytes, alignment, cleared })?;
//! let inbox = inbox.expect("16 bytes are wanted").cast::<u32>();
//!
//! let (numbers, next) = ([1u32, 2, 3], (shmem.my_pe() + 1) % shmem.n_pes());
//! // SAFETY: the numbers are readable.
//! unsafe { raw.put(inbox.cast(), numbers.as_ptr().cast(), size_of_val(&numbers), next, Completion::Blocking)? };
//! raw.p(inbox.wrapping_add(3), 4, next)?;
//! shmem.barrier_all()?;
//! assert_eq!(raw.g(inbox.wrapping_add(3), shmem.my_pe())?, 4);
//! raw.free("free", inbox.cast())?;
//! # Ok(()) }) }
//! ```

use super::signal::Watched;
use crate::error::ArgumentError;
use crate::job::{Start, record};
use crate::memory::globals::Language;
pub use crate::memory::globals::share as share_globals;
use crate::memory::{At, Near, Remote};
pub use crate::service::images::{CxxImage, add as add_image, is_first_reason, remove as remove_image};
pub use crate::sync::active_set::{ActiveSet, NoActiveSet};
pub use crate::transfer::Completion;
use crate::transfer::{Local, Operation, Shape, Transfer, context::Context, strided::Blocks};
use crate::transport::{cross_memory, mapped};
use crate::{Cmp, Shmem, SignalOp, Word};
pub use cushmem_abi::{ARRAY_WORDS, CTX_HANDLE_BITS};
pub use cushmem_bootstrap::joined_here;
use cushmem_bootstrap::{UniqueId, waits::Wait};
use std::sync::atomic::Ordering;

mod amo;
mod described;
mod handles;
mod held_up;
mod memory;
mod on_stream;
mod participants;
mod tasks;

pub use amo::{AmoOp, Later};
pub use memory::{SEGMENT_ALIGNMENT, Wanted};
pub use on_stream::{AnyStream, RawStream};
pub use participants::{BadArgument, Buffers, Participants, Splits};
pub use tasks::PutTask;

/// The result of an operation on addresses.
/// The [module](self) has an example.
pub type Result<T> = std::result::Result<T, ArgumentError>;

/// A kind of symmetric memory.
/// The [module](self) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The host heap.
    Host,
    /// The GPU heap.
    Gpu,
    /// Host memory for atomic operations that mostly come from other nodes. If there is room, the network performs
    /// those of all PEs.
    ForNetwork,
}

/// Aligned words of this PE in symmetric memory.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
/// let (raw, me) = (shmem.raw(), shmem.my_pe());
/// let flags = shmem.malloc::<u64>(4)?.ptr(me);
/// raw.p(flags.wrapping_add(2), 5, (me + 1) % shmem.n_pes())?;
/// // The first word that is not 0.
/// let words = raw.own_words(flags, 4)?;
/// let first = raw.wait_for("my_wait", &words, || (0..words.len()).find(|&at| words.load_acquire(at) != 0));
/// assert_eq!(first, 2);
/// # Ok(()) }) }
/// ```
pub struct OwnWords<'a, T> {
    first: *const T,
    n: usize,
    /// Where they are in GPU memory, if they are.
    on_gpu: Option<(&'a Shmem, At)>,
}

impl<T: Word> OwnWords<'_, T> {
    /// Returns the number of words.
    #[expect(clippy::len_without_is_empty, reason = "no caller needs it")]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Loads the word with index `at`. Everything that its writer stored before it is then visible.
    ///
    /// # Panics
    /// If `at` is not below [`OwnWords::len`].
    #[inline]
    pub fn load_acquire(&self, at: usize) -> T {
        assert!(at < self.n);
        if let Some((shmem, first)) = self.on_gpu {
            return load_on_gpu(shmem, At::new(first.segment, first.offset.0 + (at * size_of::<T>()) as u64));
        }
        // SAFETY: `Raw::own_words` found all of them to be symmetric host memory, aligned, which stays until the job
        // ends. SYNC(host-signal) acquire: pairs with the release in `put_signal` and the fence before a peer's store.
        unsafe { mapped::load(self.first.add(at), Ordering::Acquire) }
    }
}

/// Ends the job if the GPU has failed, because callers cannot return an error.
#[cold]
fn load_on_gpu<T: Word>(shmem: &Shmem, at: At) -> T {
    let loaded = shmem.transfers().load(at, size_of::<T>(), shmem.job().me());
    mapped::of_bits(loaded.unwrap_or_else(|error| shmem.job().end("wait for a word of GPU memory", &error)))
}

/// A job, addressed by plain pointers: the operations on one context.
/// The [module](self) has an example.
#[derive(Clone, Copy)]
pub struct Raw<'a> {
    shmem: &'a Shmem,
    context: &'a Context,
}

/// Joins the job, like [`crate::init`], on behalf of a C program: its globals are symmetric too.
///
/// ```
/// let shmem = cushmem::raw::init()?;
/// println!("PE {} of {}", shmem.my_pe(), shmem.n_pes());
/// # cushmem::Result::Ok(())
/// ```
pub fn init() -> crate::Result<Shmem> {
    Shmem::join(Start::Launched, Language::C)
}

/// Joins the job, like [`crate::init_uid`], on behalf of a C program: its globals are symmetric too.
/// [`crate::init_uid`] has an example.
pub fn init_uid(pe: u32, n_pes: u32, id: &UniqueId) -> crate::Result<Shmem> {
    Shmem::join(Start::WithId { pe, n_pes, id: *id }, Language::C)
}

impl Shmem {
    /// Returns the operations on plain addresses, on the default context.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
    /// let word = shmem.malloc::<u64>(1)?.ptr(shmem.my_pe());
    /// shmem.raw().p(word, 7, shmem.my_pe())?;
    /// assert_eq!(shmem.raw().g(word, shmem.my_pe())?, 7);
    /// # Ok(()) }) }
    /// ```
    #[inline(always)]
    pub fn raw(&self) -> Raw<'_> {
        Raw { shmem: self, context: self.transfers().default_context() }
    }
}

impl<'a> Raw<'a> {
    /// Returns the same operations on another context. PE numbers remain those of the job.
    #[inline(always)]
    pub fn on(self, context: &'a Context) -> Self {
        Self { context, ..self }
    }

    #[inline(always)]
    pub(crate) fn shmem(self) -> &'a Shmem {
        self.shmem
    }

    /// Returns whether the job runs in check mode.
    pub fn checks(self) -> bool {
        self.shmem.memory().checks()
    }

    #[inline(always)]
    fn host(self) -> &'a Near {
        self.shmem.memory().near_host()
    }

    /// The address on a PE of an object that loads and stores reach but the inline fast path does not find: a global,
    /// or an object of a PE whose number is out of order.
    #[inline]
    fn look_up<T>(self, object: *const T, bytes: usize, pe: u32) -> Option<*mut T> {
        let memory = self.shmem.memory();
        let global = memory.near_globals().look_up(object, bytes, pe);
        global.or_else(|| memory.near_host().look_up(object, bytes, pe))
    }
}

impl<'a> Raw<'a> {
    /// Copies `bytes` bytes from `src` to the symmetric `dst` on PE `pe`.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes, until the call returns or, with [`Completion::Nbi`], until `quiet`.
    #[inline]
    pub unsafe fn put(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        // SAFETY: the caller guarantees that the source is readable.
        unsafe { if self.put_fast(dst, src, bytes, pe) { Ok(()) } else { self.put_slow(dst, src, bytes, pe, when) } }
    }

    /// Does what [`Raw::put`] does in the common case, from host memory to host memory. In any other case it does
    /// nothing and returns `false`.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes.
    #[inline(always)]
    pub unsafe fn put_fast(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> bool {
        // In this order, nothing about the target has to be kept in registers while the source is checked.
        if !self.shmem.memory().is_known_host(src.addr()) {
            return false;
        }
        let Some(to) = self.host().find(dst, bytes, pe) else { return false };
        // SAFETY: the target is symmetric memory, and the caller guarantees that the source is readable.
        unsafe { mapped::copy(to, src, bytes) };
        true
    }

    /// Copies `bytes` bytes from the symmetric `src` of PE `pe` to `dst`.
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes, until the call returns or, with [`Completion::Nbi`], until `quiet`.
    #[inline]
    pub unsafe fn get(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        // SAFETY: the caller guarantees that the target is writable.
        unsafe { if self.get_fast(dst, src, bytes, pe) { Ok(()) } else { self.get_slow(dst, src, bytes, pe, when) } }
    }

    /// Does what [`Raw::get`] does in the common case, like [`Raw::put_fast`].
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes.
    #[inline(always)]
    pub unsafe fn get_fast(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> bool {
        if !self.shmem.memory().is_known_host(dst.addr()) {
            return false;
        }
        let Some(from) = self.host().find(src, bytes, pe) else { return false };
        // SAFETY: the source is symmetric memory, and the caller guarantees that the target is writable.
        unsafe { mapped::copy(dst, from, bytes) };
        true
    }

    /// Stores `value` to one element of PE `pe`.
    #[inline]
    pub fn p<T: Word>(self, dst: *mut T, value: T, pe: u32) -> Result<()> {
        if self.p_fast(dst, value, pe) {
            return Ok(());
        }
        if let Some(to) = self.look_up(dst, size_of::<T>(), pe) {
            // SAFETY: the target is symmetric memory of an element's size.
            unsafe { mapped::store_element(to, value) };
            return Ok(());
        }
        // SAFETY: the source is the argument, and it is read before the call returns.
        unsafe { self.put_slow(dst.cast(), (&raw const value).cast(), size_of::<T>(), pe, Completion::Blocking) }
    }

    /// Does what [`Raw::p`] does in the common case, like [`Raw::put_fast`].
    #[inline(always)]
    pub fn p_fast<T: Word>(self, dst: *mut T, value: T, pe: u32) -> bool {
        let Some(to) = self.host().find(dst, size_of::<T>(), pe) else { return false };
        // SAFETY: the target is symmetric memory of an element's size.
        unsafe { mapped::store_element(to, value) };
        true
    }

    /// Loads one element from PE `pe` and returns it.
    #[inline]
    pub fn g<T: Word>(self, src: *const T, pe: u32) -> Result<T> {
        if let Some(value) = self.g_fast(src, pe) {
            return Ok(value);
        }
        if let Some(from) = self.look_up(src, size_of::<T>(), pe) {
            // SAFETY: the source is symmetric memory of an element's size; any bits are a number.
            return Ok(unsafe { mapped::load_element(from) });
        }
        // SAFETY: a word is a number, for which all bits zero is valid.
        let mut value: T = unsafe { std::mem::zeroed() };
        let to = (&raw mut value).cast();
        // SAFETY: the target is a local variable, and the copy is complete when the call returns; any bits are a
        // number.
        unsafe { self.get_slow(to, src.cast(), size_of::<T>(), pe, Completion::Blocking)? };
        Ok(value)
    }

    /// Does what [`Raw::g`] does in the common case, like [`Raw::put_fast`]; returns `None` in any other case.
    #[inline(always)]
    pub fn g_fast<T: Word>(self, src: *const T, pe: u32) -> Option<T> {
        let from = self.host().find(src, size_of::<T>(), pe)?;
        // SAFETY: the source is symmetric memory of an element's size; any bits are a number.
        Some(unsafe { mapped::load_element(from) })
    }

    /// Does what [`Raw::put`] does, without testing for the common case.
    ///
    /// # Safety
    /// The conditions of [`Raw::put`].
    #[cold]
    #[inline(never)]
    pub unsafe fn put_slow(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        if self.shmem.memory().is_known_host(src.addr())
            && let Some(to) = self.look_up(dst, bytes, pe)
        {
            // SAFETY: the target is a PE's symmetric memory; the caller guarantees that the source is readable.
            unsafe { mapped::copy(to, src, bytes) };
            return Ok(());
        }
        let transfers = self.shmem.transfers();
        let memory = self.shmem.memory();
        if let Some(at) = memory.near_host().offset_of(dst.addr(), bytes).filter(|_| memory.is_known_host(src.addr())) {
            let local = Local { address: src.expose_provenance(), on_gpu: false };
            // SAFETY: the symmetric end is inside the heap; the caller guarantees that the source is readable.
            if unsafe { transfers.put_far(self.context, at as u64, local, bytes, pe, when)? } {
                return Ok(());
            }
        }
        let ends = transfers.ends_of_addresses(dst.addr(), src.expose_provenance(), bytes, pe)?;
        let Some((remote, local, pe)) = ends else { return Ok(()) };
        let transfer = Transfer { operation: Operation::Put(local, Shape::Bytes(bytes)), pe, remote, when };
        // SAFETY: the symmetric end was found to hold `bytes` bytes; the caller guarantees that the source is readable.
        unsafe { transfers.issue(self.context, &transfer) }.map(drop)
    }

    /// Does what [`Raw::get`] does, without testing for the common case.
    ///
    /// # Safety
    /// The conditions of [`Raw::get`].
    #[cold]
    #[inline(never)]
    pub unsafe fn get_slow(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32, when: Completion) -> Result<()> {
        if self.shmem.memory().is_known_host(dst.addr())
            && let Some(from) = self.look_up(src, bytes, pe)
        {
            // SAFETY: the source is a PE's symmetric memory; the caller guarantees that the target is writable.
            unsafe { mapped::copy(dst, from, bytes) };
            return Ok(());
        }
        let transfers = self.shmem.transfers();
        let memory = self.shmem.memory();
        if when == Completion::Blocking
            && let Some(at) =
                memory.near_host().offset_of(src.addr(), bytes).filter(|_| memory.is_known_host(dst.addr()))
        {
            let local = Local { address: dst.expose_provenance(), on_gpu: false };
            // SAFETY: the symmetric end is inside the heap; the caller guarantees that the target is writable.
            if unsafe { transfers.get_far(self.context, at as u64, local, bytes, pe)? } {
                return Ok(());
            }
        }
        let ends = transfers.ends_of_addresses(src.addr(), dst.expose_provenance(), bytes, pe)?;
        let Some((remote, local, pe)) = ends else { return Ok(()) };
        let transfer = Transfer { operation: Operation::Get(local, Shape::Bytes(bytes)), pe, remote, when };
        // SAFETY: the symmetric end was found to hold `bytes` bytes; the caller guarantees that the target is writable.
        unsafe { transfers.issue(self.context, &transfer) }.map(drop)
    }

    /// Copies blocks from `src` to the symmetric `dst` on PE `pe`. On return `src` may be reused.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
    /// use cushmem::Blocks;
    ///
    /// let (column, row) = (shmem.malloc::<f32>(12)?.ptr(shmem.my_pe()), [1.0f32, 2.0, 3.0]);
    /// // Every fourth element of the target gets one of the source.
    /// let blocks = Blocks { count: 3, elements: 1, size: size_of::<f32>(), dst: 4, sst: 1 };
    /// // SAFETY: the source has three elements, side by side.
    /// unsafe { shmem.raw().put_blocks(column.cast(), row.as_ptr().cast(), blocks, shmem.my_pe())? };
    /// assert_eq!(shmem.raw().g(column.wrapping_add(8), shmem.my_pe())?, 3.0);
    /// # Ok(()) }) }
    /// ```
    ///
    /// # Safety
    /// All blocks of `src` are readable.
    pub unsafe fn put_blocks(self, dst: *mut u8, src: *const u8, blocks: Blocks, pe: u32) -> Result<()> {
        // SAFETY: the caller guarantees that the source is readable.
        unsafe {
            self.shmem.transfers().copy_blocks(self.context, (dst.addr(), src.expose_provenance()), blocks, pe, true)
        }
    }

    /// Copies blocks from the symmetric `src` of PE `pe` to `dst`. The copy is complete on return.
    ///
    /// # Safety
    /// All blocks of `dst` are writable.
    pub unsafe fn get_blocks(self, dst: *mut u8, src: *const u8, blocks: Blocks, pe: u32) -> Result<()> {
        // SAFETY: the caller guarantees that the target is writable.
        unsafe {
            self.shmem.transfers().copy_blocks(self.context, (src.addr(), dst.expose_provenance()), blocks, pe, false)
        }
    }

    /// Copies like [`Raw::put`] and then updates the signal on PE `pe`.
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
        // SAFETY: the caller guarantees that the source is readable.
        unsafe {
            match self.near_word(signal, pe) {
                Some(word) if self.put_fast(dst, src, bytes, pe) => {
                    mapped::signal(word, value, op);
                    Ok(())
                }
                _ => self.put_signal_slow(dst, src, bytes, (signal, value, op), pe, when),
            }
        }
    }

    /// # Safety
    /// As [`Raw::put`].
    #[cold]
    #[inline(never)]
    unsafe fn put_signal_slow(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        (signal, value, op): (*mut u64, u64, SignalOp),
        pe: u32,
        when: Completion,
    ) -> Result<()> {
        let transfers = self.shmem.transfers();
        let of_signal = |error| ArgumentError::Signal(Box::new(error));
        let number = transfers.pe(pe)?;
        let word = self.shmem.memory().locate(signal.addr(), size_of::<u64>()).map_err(of_signal)?;
        if !signal.is_aligned() {
            return Err(of_signal(ArgumentError::Misaligned(size_of::<u64>())));
        }
        let ends = transfers.ends_of_addresses(dst.addr(), src.expose_provenance(), bytes, pe)?;
        let data = ends.map(|(remote, local, pe)| Transfer {
            operation: Operation::Put(local, Shape::Bytes(bytes)),
            pe,
            remote,
            when,
        });
        // SAFETY: the symmetric ends were found; the caller guarantees that the source is readable.
        unsafe { transfers.data_then_signal(self.context, data.as_ref(), (word, value, op), number) }
    }

    /// Loads this PE's word. Everything that its writer stored before it is then visible.
    #[inline]
    pub fn load_acquire<T: Word>(self, word: *const T) -> Result<T> {
        match self.own_word(word)? {
            // SAFETY: an aligned word of symmetric host memory.
            // SYNC(host-signal) acquire: pairs with the release in `put_signal` and the fence before a peer's store.
            Watched::Near(word) => Ok(unsafe { mapped::load(word, Ordering::Acquire) }),
            Watched::Gpu(at) => {
                Ok(mapped::of_bits(self.shmem.transfers().load(at, size_of::<T>(), self.shmem.job().me())?))
            }
        }
    }

    /// Waits until this PE's word compares with `value` as `cmp` says, and returns the word.
    pub fn wait_until<T: Word>(self, word: *const T, cmp: Cmp, value: T) -> Result<T> {
        let word = self.own_word(word)?;
        Ok(self.shmem.wait_for_watched(word, cmp, value)?)
    }

    /// Returns `n` words of this PE, to be read one by one.
    pub fn own_words<T: Word>(self, first: *const T, n: usize) -> Result<OwnWords<'a, T>> {
        if n == 0 {
            return Ok(OwnWords { first, n, on_gpu: None });
        }
        let (bytes, me) = (n.saturating_mul(size_of::<T>()), self.shmem.my_pe());
        let found = self.host().find(first, bytes, me).or_else(|| self.look_up(first, bytes, me));
        let found = match found {
            Some(found) if first.is_aligned() => Watched::Near(found.cast_const()),
            _ => self.own_words_slow(first, n)?,
        };
        Ok(match found {
            Watched::Near(first) => OwnWords { first, n, on_gpu: None },
            Watched::Gpu(at) => OwnWords { first, n, on_gpu: Some((self.shmem, at)) },
        })
    }

    /// Waits until `look` finds something in `words`, and returns it. Reports of a long wait name `routine` and
    /// `words`.
    pub fn wait_for<T, R>(self, routine: &str, words: &OwnWords<'_, T>, look: impl FnMut() -> Option<R>) -> R {
        let what = || Wait { what: format!("{routine} of the {} words at {:p}", words.n, words.first), late: vec![] };
        self.shmem.sync().wait_policy().wait_for_words(look, || self.shmem.recorded_words(words.first, words.n), what)
    }

    /// Stores the result of an operation to `to`, which may be GPU memory.
    ///
    /// # Safety
    /// `to` is writable for a `T`.
    #[inline]
    pub unsafe fn give<T: Word>(self, to: *mut T, value: T) -> Result<()> {
        if !self.shmem.memory().is_known_host(to.addr()) && self.shmem.memory().is_device(to.addr()) {
            let (target, from) = (to.expose_provenance() as u64, (&raw const value).expose_provenance() as u64);
            // SAFETY: the caller guarantees that the target is writable; the source is a variable, and the copy is
            // complete on return.
            unsafe { self.shmem.transfers().copy_and_wait(target, from, size_of::<T>())? };
            return Ok(());
        }
        // SAFETY: the caller guarantees that the target is writable.
        unsafe { mapped::store_element(to, value) };
        Ok(())
    }

    #[inline(always)]
    fn near_word<T>(self, word: *const T, pe: u32) -> Option<*mut T> {
        self.host().find(word, size_of::<T>(), pe).filter(|_| word.is_aligned())
    }

    #[inline(always)]
    fn own_word<T>(self, word: *const T) -> Result<Watched<T>> {
        match self.near_word(word, self.shmem.my_pe()) {
            Some(found) => Ok(Watched::Near(found)),
            None => match self.look_up(word, size_of::<T>(), self.shmem.my_pe()) {
                Some(found) if word.is_aligned() => Ok(Watched::Near(found)),
                _ => self.own_words_slow(word, 1),
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn own_words_slow<T>(self, first: *const T, n: usize) -> Result<Watched<T>> {
        self.shmem.transfers().own_words(first.addr(), n, size_of::<T>()).map(Watched::from)
    }

    /// Returns where this PE sees PE `pe`'s copy of a symmetric object: an address for the CPU if it is host memory,
    /// for kernels if it is GPU memory. Returns `None` if `object` is not symmetric or is not mapped here.
    pub fn ptr(self, object: *const u8, pe: u32) -> Result<Option<u64>> {
        let pe = self.shmem.transfers().pe(pe)?;
        let memory = self.shmem.memory();
        let Ok(at) = memory.locate(object.addr(), 1) else { return Ok(None) };
        Ok(match memory.remote(at, pe) {
            Remote::Near(address) => Some(address as u64),
            Remote::Device(address) => Some(address),
            Remote::Attached(..) | Remote::Net(_) | Remote::Staged(_) | Remote::Unreachable(_) => None,
        })
    }

    /// Returns whether puts and gets reach PE `pe`'s copy of a symmetric object.
    pub fn accessible(self, object: *const u8, pe: u32) -> bool {
        let memory = self.shmem.memory();
        let (Ok(pe), Ok(at)) = (self.shmem.transfers().pe(pe), memory.locate(object.addr(), 1)) else { return false };
        match memory.remote(at, pe) {
            Remote::Near(_) | Remote::Device(_) | Remote::Net(_) | Remote::Staged(_) => true,
            Remote::Unreachable(_) => false,
            Remote::Attached(peer, offset) => {
                let mut byte = 0u8;
                // SAFETY: room for a byte.
                unsafe { cross_memory::get(&raw mut byte, &peer, offset, 1) }.is_ok()
            }
        }
    }

    /// Orders the operations that were issued on the context.
    #[inline]
    pub fn fence(self) -> crate::Result<()> {
        record::timed(cushmem_record::Operation::Fence, 0, || self.shmem.transfers().fence(self.context))
    }

    /// Completes the operations that were issued on the context.
    #[inline]
    pub fn quiet(self) -> crate::Result<()> {
        record::timed(cushmem_record::Operation::Quiet, 0, || self.shmem.transfers().quiet(self.context))
    }

    /// Completes this PE's operations and waits until all PEs have called it. It does not release anything; dropping
    /// [`Shmem`] does. `last` is done when no kernel and no task of this PE runs any more, and operations still work.
    pub fn finalize(self, last: Option<&dyn Fn()>) {
        self.shmem.finalize(last);
    }

    /// Prints the line `cushmem: PE n: text`.
    pub fn say(self, text: &str) {
        self.shmem.job().bootstrap().say(text);
    }

    /// Ends the whole job with `status`, after a line like that of [`Self::say`], unless another PE of this node has
    /// printed the same.
    pub fn abort(self, status: i32, text: &str) -> ! {
        self.shmem.job().bootstrap().abort_with_line(status, text)
    }
}
