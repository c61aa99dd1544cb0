//! Signals and waiting for memory (OpenSHMEM 1.6, sections 9.8 and 9.9).

use crate::amo::gpu_word;
use crate::sym::{Kind, Source, SymPtr, SymSlice};
use crate::{Error, Result, Shmem, mapped};
use cushmem_device::{Cmp, SignalOp, Word};
use std::sync::atomic::Ordering;

impl Shmem {
    /// Copies `src` to `dst` on PE `pe` and then updates the signal there, so that whoever sees the signal sees the data
    /// (`shmem_put_signal`, 9.8.1). A signal in GPU memory can be set, not added to.
    pub fn put_signal<'a, T: Word>(
        &self,
        dst: SymSlice<'_, T>,
        src: impl Into<Source<'a, T>>,
        sig: SymPtr<'_, u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) -> Result<()> {
        let sig = sig.as_slice();
        self.check("put_signal", sig, 1, pe)?;
        if sig.kind() == Kind::Gpu && op == SignalOp::Add {
            return Err(gpu_word("put_signal"));
        }
        self.put(dst, src, pe)?;
        match (sig.kind(), op) {
            // The copy engine finished the data before it starts with the signal; data stored by the CPU is fenced by the launch.
            (Kind::Gpu, _) => self.put(sig, &[value], pe),
            (Kind::Host, SignalOp::Set) => {
                // SAFETY: an element of symmetric host memory is valid and aligned.
                // SYNC(host-signal) release: pairs with the acquire in `wait_until` and `signal_fetch`.
                unsafe { mapped::store(sig.host_ptr(pe), value, Ordering::Release) };
                Ok(())
            }
            (Kind::Host, SignalOp::Add) => {
                // SAFETY: as above.
                // SYNC(host-signal) release: as above.
                unsafe { mapped::fetch_add(sig.host_ptr(pe), value, Ordering::Release) };
                Ok(())
            }
        }
    }

    /// The present value of this PE's signal (`shmem_signal_fetch`, 9.8.4).
    #[inline]
    pub fn signal_fetch(&self, sig: SymPtr<'_, u64>) -> Result<u64> {
        let sig = self.watched("signal_fetch", sig)?;
        // SAFETY: an element of symmetric host memory is valid and aligned.
        // SYNC(host-signal) acquire: pairs with the release in `put_signal`.
        Ok(unsafe { mapped::load(sig, Ordering::Acquire) })
    }

    /// Waits until this PE's signal compares with `value` as wanted; returns it (`shmem_signal_wait_until`, 9.8.5).
    pub fn signal_wait_until(&self, sig: SymPtr<'_, u64>, cmp: Cmp, value: u64) -> Result<u64> {
        self.wait_until(sig, cmp, value)
    }

    /// Waits until this PE's word compares with `value` as wanted; returns it (`shmem_wait_until`, 9.9.1). What the writer stored
    /// before, in the order of its fences, is visible then. Host memory only.
    pub fn wait_until<T: Word>(&self, ivar: SymPtr<'_, T>, cmp: Cmp, value: T) -> Result<T> {
        let word = self.watched("wait_until", ivar)?;
        let seen = self.patience.wait(None, || {
            // SAFETY: an element of symmetric host memory is valid and aligned.
            // SYNC(host-signal) acquire: pairs with the release of `put_signal` and the fence before a peer's store.
            let now = unsafe { mapped::load(word, Ordering::Acquire) };
            cmp.holds(now, value).then_some(now)
        });
        seen.ok_or_else(|| Error::new("wait_until", "gave up"))
    }

    fn watched<T: Word>(&self, operation: &'static str, word: SymPtr<'_, T>) -> Result<*const T> {
        let word = word.as_slice();
        self.check(operation, word, 1, self.my_pe())?;
        match word.kind() {
            Kind::Host => Ok(word.host_ptr(self.my_pe())),
            Kind::Gpu => Err(Error::new(operation, "the CPU cannot watch GPU memory; allocate the word with `malloc`")),
        }
    }
}
