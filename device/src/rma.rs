use crate::recorded::{Begun, Lanes};
use crate::{Ctx, DevPtr, Need, Scope, Word, bulk, far, peer, processor, signal};
use cushmem_abi::{CommandHead, CommandKind, KernelOperation, SignalOp, WordOp};

impl<S: Scope> Lanes for S {
    #[inline(always)]
    fn is_first(self) -> bool {
        self.lane() == 0
    }
    #[inline(always)]
    fn is_alone(self) -> bool {
        self.lanes() == 1
    }
}

impl Ctx {
    /// Stores `value` to the symmetric object `dst` on PE `pe` (`shmem_ctx_p`, OpenSHMEM 1.6, 9.6). It is visible to
    /// all PEs after [`Ctx::quiet`].
    ///
    /// # Safety
    /// `dst` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn p<T: Word>(&self, dst: DevPtr<T>, value: T, pe: u32) {
        let from = Begun::alone();
        // SAFETY: the caller guarantees the same.
        unsafe { self.store_plain(dst, value, pe) };
        from.end(KernelOperation::Put, pe, size_of::<T>(), far::word_of(dst, pe));
    }

    /// # Safety
    /// The conditions of [`Ctx::p`].
    #[inline(always)]
    unsafe fn store_plain<T: Word>(&self, dst: DevPtr<T>, value: T, pe: u32) {
        if far::is_needed(dst, pe) {
            return far::store(self.head::<T>(CommandKind::Word(WordOp::Set)), pe, dst, value);
        }
        // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
        unsafe { T::store_relaxed_sys(peer::direct(dst, pe, Need::LoadStore), value) }
    }

    /// Loads the symmetric object `src` of PE `pe` and returns it (`shmem_ctx_g`, OpenSHMEM 1.6, 9.6).
    ///
    /// # Safety
    /// `src` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn g<T: Word>(&self, src: DevPtr<T>, pe: u32) -> T {
        if far::is_needed_at_once(src, pe) {
            return far::fetch(self, src, pe);
        }
        // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
        unsafe { T::load_relaxed_sys(peer::direct_at_once(src, pe, Need::LoadStore)) }
    }

    /// Copies with the lanes of `scope`, like [`Scope::put`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::put`].
    #[inline(always)]
    pub unsafe fn put<S: Scope, T: Copy>(&self, scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.put_plain(scope, dst, src, n, pe) };
        from.end(KernelOperation::Put, pe, n * size_of::<T>(), 0);
    }

    /// # Safety
    /// The conditions of [`Ctx::put`].
    #[inline(always)]
    pub(crate) unsafe fn put_plain<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        pe: u32,
    ) {
        if far::is_needed_at_once(dst, pe) {
            far::await_copy(self.copy_far(CommandKind::Put, scope, dst, src, n, pe, true));
            return scope.sync();
        }
        let there = peer::direct_at_once(dst, pe, Need::LoadStore);
        // SAFETY: the caller guarantees that both ranges are valid; the target is at that address on `pe`.
        unsafe { bulk::copy_from_here(scope, there.cast(), src.cast(), n * size_of::<T>()) };
        scope.sync();
    }

    /// Copies with the lanes of `scope`, like [`Scope::put_nbi`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::put`].
    #[inline(always)]
    pub unsafe fn put_nbi<S: Scope, T: Copy>(&self, scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.put_nbi_plain(scope, dst, src, n, pe) };
        from.end(KernelOperation::Put, pe, n * size_of::<T>(), 0);
    }

    /// # Safety
    /// The conditions of [`Ctx::put_nbi`].
    #[inline(always)]
    pub(crate) unsafe fn put_nbi_plain<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        pe: u32,
    ) {
        if far::is_needed_at_once(dst, pe) {
            self.copy_far(CommandKind::Put, scope, dst, src, n, pe, false);
            return;
        }
        let (there, bytes) = (peer::direct_at_once(dst, pe, Need::LoadStore), n * size_of::<T>());
        if processor::takes::<true>(S::IS_THREAD, self.number(), src.address(), bytes) {
            let head = self.head::<()>(CommandKind::Put);
            return processor::post(head, pe, there.address(), src.address(), bytes as u64, 0, 0);
        }
        // SAFETY: the caller guarantees that both ranges are valid; the target is at that address on `pe`.
        unsafe { bulk::copy_from_here(scope, there.cast(), src.cast(), bytes) }
    }

    /// Copies with the lanes of `scope`, like [`Scope::get`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::get`].
    #[inline(always)]
    pub unsafe fn get<S: Scope, T: Copy>(&self, scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.get_plain(scope, dst, src, n, pe) };
        from.end(KernelOperation::Get, pe, n * size_of::<T>(), 0);
    }

    /// # Safety
    /// The conditions of [`Ctx::get`].
    #[inline(always)]
    unsafe fn get_plain<S: Scope, T: Copy>(&self, scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        if far::is_needed_at_once(src, pe) {
            far::await_copy(self.copy_far(CommandKind::Get, scope, src, dst, n, pe, true));
            return scope.sync();
        }
        let there = peer::direct_at_once(src, pe, Need::LoadStore);
        // SAFETY: the caller guarantees that both ranges are valid; the source is at that address on `pe`.
        unsafe { bulk::copy_from_there(scope, dst.cast(), there.cast(), n * size_of::<T>()) };
        scope.sync();
    }

    /// Copies with the lanes of `scope`, like [`Scope::get_nbi`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::get`].
    #[inline(always)]
    pub unsafe fn get_nbi<S: Scope, T: Copy>(&self, scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.get_nbi_plain(scope, dst, src, n, pe) };
        from.end(KernelOperation::Get, pe, n * size_of::<T>(), 0);
    }

    /// # Safety
    /// The conditions of [`Ctx::get_nbi`].
    #[inline(always)]
    unsafe fn get_nbi_plain<S: Scope, T: Copy>(&self, scope: S, dst: DevPtr<T>, src: DevPtr<T>, n: usize, pe: u32) {
        if far::is_needed_at_once(src, pe) {
            self.copy_far(CommandKind::Get, scope, src, dst, n, pe, false);
            return;
        }
        let (there, bytes) = (peer::direct_at_once(src, pe, Need::LoadStore), n * size_of::<T>());
        if processor::takes::<false>(S::IS_THREAD, self.number(), dst.address(), bytes) {
            let head = self.head::<()>(CommandKind::Get);
            return processor::post(head, pe, there.address(), dst.address(), bytes as u64, 0, 0);
        }
        // SAFETY: the caller guarantees that both ranges are valid; the source is at that address on `pe`.
        unsafe { bulk::copy_from_there(scope, dst.cast(), there.cast(), bytes) }
    }

    /// Copies with the lanes of `scope` and updates a signal, like [`Scope::put_signal`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::put_signal`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // the specification's
    pub unsafe fn put_signal<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        sig: DevPtr<u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.put_signal_plain(scope, dst, src, n, sig, value, op, pe) };
        from.end(KernelOperation::PutSignal, pe, n * size_of::<T>(), far::word_of(sig, pe));
    }

    /// # Safety
    /// The conditions of [`Ctx::put_signal`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of the call
    unsafe fn put_signal_plain<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        sig: DevPtr<u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) {
        if far::is_needed_at_once(dst, pe) {
            let reply = self.copy_far(CommandKind::Put, scope, dst, src, n, pe, true);
            if scope.lane() == 0 {
                // SAFETY: the caller guarantees that the word is valid.
                unsafe { signal::update_behind::<true>(self, sig, value, op, pe) };
            }
            far::await_copy(reply);
            return scope.sync();
        }
        let there = peer::direct(dst, pe, Need::LoadStore);
        // SAFETY: the caller guarantees that both ranges are valid; the target is at that address on `pe`.
        unsafe { bulk::copy_from_here(scope, there.cast(), src.cast(), n * size_of::<T>()) };
        scope.sync();
        if scope.lane() == 0 {
            // SAFETY: the caller guarantees that the word is valid.
            unsafe { signal::update_behind::<false>(self, sig, value, op, pe) };
        }
    }

    /// Copies with the lanes of `scope` and updates a signal, like [`Scope::put_signal_nbi`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::put_signal`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // the specification's
    pub unsafe fn put_signal_nbi<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        sig: DevPtr<u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees the same.
        unsafe { self.put_signal_nbi_plain(scope, dst, src, n, sig, value, op, pe) };
        from.end(KernelOperation::PutSignal, pe, n * size_of::<T>(), far::word_of(sig, pe));
    }

    /// # Safety
    /// The conditions of [`Ctx::put_signal_nbi`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of the call
    unsafe fn put_signal_nbi_plain<S: Scope, T: Copy>(
        &self,
        scope: S,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
        sig: DevPtr<u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) {
        if far::is_needed_at_once(dst, pe) {
            self.copy_far(CommandKind::Put, scope, dst, src, n, pe, false);
            if scope.lane() == 0 {
                // SAFETY: the caller guarantees that the word is valid.
                unsafe { signal::update_behind::<true>(self, sig, value, op, pe) };
            }
            return;
        }
        let bytes = n * size_of::<T>();
        if processor::takes::<true>(S::IS_THREAD, self.number(), src.address(), bytes) {
            let need = if op == SignalOp::Set { Need::LoadStore } else { Need::Atomic };
            let there = peer::direct_at_once(dst, pe, Need::LoadStore);
            // Other signals are for the CPU.
            if let Some(sig) = peer::find_at_once(sig, pe, need) {
                let kind = CommandKind::Put.number();
                let head = CommandHead { kind, width: op as u8 + 1, context: self.number() as u16, pe: 0 }.bits();
                let (there, here) = (there.address(), src.address());
                return processor::post(head, pe, there, here, bytes as u64, sig.address(), value);
            }
        }
        // The lanes must meet before the signal, so nothing is gained where they store the data themselves.
        // SAFETY: the caller guarantees what this requires of both ranges and the word.
        unsafe { self.put_signal_plain(scope, dst, src, n, sig, value, op, pe) }
    }

    /// Makes the CPU copy `n` elements between `there`, on PE `pe`, and `here`; like [`far::copy`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of a put
    fn copy_far<S: Scope, T: Copy>(
        &self,
        kind: CommandKind,
        scope: S,
        there: DevPtr<T>,
        here: DevPtr<T>,
        n: usize,
        pe: u32,
        waits: bool,
    ) -> u64 {
        far::copy(self.head::<()>(kind), scope, pe, there.address(), here.address(), n * size_of::<T>(), waits)
    }
}

/// Stores a value, like [`Ctx::p`], on the default context.
///
/// ```
/// use cushmem_device::{DevPtr, kernels, my_pe, p, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block with a lane for each PE. Each lane tells its PE this PE's number.
///     pub unsafe fn tell_all(numbers: DevPtr<u32>) {
///         p(numbers.add(my_pe() as usize), my_pe(), thread_idx_x());
///     }
/// }
/// ```
///
/// # Safety
/// The conditions of [`Ctx::p`].
#[inline(always)]
pub unsafe fn p<T: Word>(dst: DevPtr<T>, value: T, pe: u32) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.p(dst, value, pe) }
}

/// Loads a value, like [`Ctx::g`], on the default context.
///
/// ```
/// use cushmem_device::{DevPtr, g, kernels, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block with a lane for each PE. Each lane takes its PE's `number`.
///     pub unsafe fn ask_all(number: DevPtr<u32>, answers: DevPtr<u32>) {
///         let pe = thread_idx_x();
///         answers.add(pe as usize).write(g(number, pe));
///     }
/// }
/// ```
///
/// # Safety
/// The conditions of [`Ctx::g`].
#[inline(always)]
pub unsafe fn g<T: Word>(src: DevPtr<T>, pe: u32) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.g(src, pe) }
}
