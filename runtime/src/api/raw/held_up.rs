//! For tests that look while copies are under way: copies that wait for a word.

use super::Raw;
use crate::SymSlice;

impl Raw<'_> {
    /// Has the copies that this PE's engine is given next for the context wait until a word of host memory here is at
    /// least `value`, and with them what comes behind them. Long copies do not wait if they are the context's first in
    /// their direction.
    ///
    /// # Safety
    /// The word is not freed before then.
    #[doc(hidden)]
    pub unsafe fn hold_up_copies(self, word: SymSlice<'_, u64>, value: u64) -> crate::Result<()> {
        // SAFETY: streams reach the host heap, and the caller guarantees that the word stays.
        unsafe { self.shmem.transfers().hold_up(self.context, word.device_ptr().address(), value) }
    }

    /// As [`Raw::hold_up_copies`], for what the proxy copies. Kernels have been loaded.
    ///
    /// # Safety
    /// The same.
    #[doc(hidden)]
    pub unsafe fn hold_up_proxy(self, word: SymSlice<'_, u64>, value: u64) -> crate::Result<()> {
        let context = self.shmem.services().proxy_context("hold up copies")?.expect("the caller has loaded kernels");
        // SAFETY: this function has the same requirements.
        unsafe { Raw { context, ..self }.hold_up_copies(word, value) }
    }
}
