//! Signals and waiting for memory (OpenSHMEM 1.6, sections 9.8 and 9.11).

use crate::api::sym::{Source, SymPtr, SymSlice};
use crate::error::{ArgumentError, Error, Result};
use crate::job::record::Words;
use crate::memory::At;
use crate::transfer::resolve::OwnPlace;
use crate::transfer::{Completion, Operation, Shape, Transfer};
use crate::transport::mapped;
use crate::{Shmem, Word};
use cushmem_bootstrap::waits::Wait;
use cushmem_device::{Cmp, SignalOp};
use std::any::Any;
use std::cell::Cell;
use std::ptr::with_exposed_provenance;
use std::sync::atomic::Ordering;

/// # Signals and waiting
impl Shmem {
    /// Copies `src` to `dst` on PE `pe` and then updates the signal `sig` there (`shmem_put_signal`, 9.8). A PE that
    /// sees the signal sees the data.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::{Cmp, SignalOp};
    ///
    /// let (inbox, arrived) = (shmem.malloc::<u32>(4)?, shmem.malloc::<u64>(1)?);
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// shmem.put_signal(inbox, &[1, 2, 3, 4], arrived.at(0), 1, SignalOp::Set, next)?;
    /// // Once the signal is here, so are the numbers: no barrier is needed.
    /// shmem.signal_wait_until(arrived.at(0), Cmp::Eq, 1)?;
    /// assert_eq!(inbox.to_vec()?, [1, 2, 3, 4]);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn put_signal<'a, T: Word>(
        &self,
        dst: SymSlice<'_, T>,
        src: impl Into<Source<'a, T>>,
        sig: SymPtr<'_, u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) -> Result<()> {
        let src = src.into();
        match (self.near(dst, src.len, pe), self.near_element(sig, pe)) {
            (Some(to), Some(word)) if !src.local.on_gpu => {
                // SAFETY: both ends have the same length; the source is borrowed, or symmetric memory like the target.
                // The signal is an element of symmetric host memory.
                unsafe {
                    mapped::copy(to.cast(), with_exposed_provenance(src.local.address), dst.bytes());
                    mapped::signal(word, value, op);
                }
                Ok(())
            }
            _ => self.put_signal_slow(dst, src, sig, (value, op), pe),
        }
    }

    #[cold]
    #[inline(never)]
    fn put_signal_slow<T: Word>(
        &self,
        dst: SymSlice<'_, T>,
        src: Source<'_, T>,
        sig: SymPtr<'_, u64>,
        (value, op): (u64, SignalOp),
        pe: u32,
    ) -> Result<()> {
        let operation = "put_signal";
        let name = |error| match error {
            ArgumentError::Signal(error) => Error::argument(operation, "the signal", *error),
            error => Error::argument(operation, "the symmetric object", error),
        };
        let (transfers, sig) = (self.transfers(), sig.as_slice());
        self.check(operation, sig, 1)?;
        self.check(operation, dst, src.len)?;
        let number = transfers.pe(pe).map_err(name)?;
        let of_signal = |error| name(ArgumentError::Signal(Box::new(error)));
        self.memory().check_object(sig.at_symmetric(), sig.bytes()).map_err(of_signal)?;
        let ends = transfers.ends_of_objects(dst.at_symmetric(), src.local, dst.bytes(), pe).map_err(name)?;
        let data = ends.map(|(remote, local, pe)| {
            let operation = Operation::Put(local, Shape::Bytes(dst.bytes()));
            Transfer { operation, pe, remote, when: Completion::Blocking }
        });
        let signal = (sig.at_symmetric(), value, op);
        // SAFETY: both ends of the data have as many bytes, and the source is borrowed until the copy is complete.
        let done = unsafe { transfers.data_then_signal(transfers.default_context(), data.as_ref(), signal, number) };
        done.map_err(name)
    }

    /// Returns the current value of this PE's signal (`shmem_signal_fetch`, 9.8).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let arrived = shmem.malloc::<u64>(1)?;
    /// if shmem.signal_fetch(arrived.at(0))? == 0 {
    ///     // Nothing has come yet: time for other work.
    /// }
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn signal_fetch(&self, sig: SymPtr<'_, u64>) -> Result<u64> {
        match self.watched("signal_fetch", sig)? {
            // SAFETY: an element of symmetric host memory is valid and aligned.
            // SYNC(host-signal) acquire: pairs with the release in `put_signal`.
            Watched::Near(sig) => Ok(unsafe { mapped::load(sig, Ordering::Acquire) }),
            Watched::Gpu(at) => self.transfers().load(at, size_of::<u64>(), self.job().me()),
        }
    }

    /// Waits until this PE's signal compares with `value` as `cmp` says, and returns the signal
    /// (`shmem_signal_wait_until`, 9.11).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::{Cmp, SignalOp, SymSlice};
    ///
    /// let arrived = shmem.malloc::<u64>(1)?;
    /// let nothing: SymSlice<'_, u8> = shmem.malloc(0)?;
    /// for pe in 0..shmem.n_pes() {
    ///     shmem.put_signal(nothing, &[], arrived.at(0), 1, SignalOp::Add, pe)?;
    /// }
    /// // All PEs have come.
    /// shmem.signal_wait_until(arrived.at(0), Cmp::Eq, u64::from(shmem.n_pes()))?;
    /// # Ok(()) }) }
    /// ```
    pub fn signal_wait_until(&self, sig: SymPtr<'_, u64>, cmp: Cmp, value: u64) -> Result<u64> {
        self.wait_until(sig, cmp, value)
    }

    /// Waits until this PE's word compares with `value` as `cmp` says, and returns the word (`shmem_wait_until`, 9.11).
    /// Everything that the writer stored before, as ordered by its fences, is then visible. A word in GPU memory is
    /// copied to the host for each comparison.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::Cmp;
    ///
    /// let flag = shmem.malloc::<i64>(1)?;
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// shmem.p(flag.at(0), 5, next)?;
    /// assert_eq!(shmem.wait_until(flag.at(0), Cmp::Gt, 0)?, 5);
    /// # Ok(()) }) }
    /// ```
    pub fn wait_until<T: Word>(&self, ivar: SymPtr<'_, T>, cmp: Cmp, value: T) -> Result<T> {
        let watched = self.watched("wait_until", ivar)?;
        self.wait_for_watched(watched, cmp, value)
    }

    /// Waits until the comparison of the word with `value` holds.
    #[inline]
    pub(crate) fn wait_for_watched<T: Word>(&self, word: Watched<T>, cmp: Cmp, value: T) -> Result<T> {
        match word {
            Watched::Near(word) => Ok(self.wait_for_word(word, cmp, value)),
            Watched::Gpu(at) => self.wait_for_gpu_word(at, cmp, value),
        }
    }

    /// Like [`Self::wait_for_watched`], for a word in this PE's GPU memory.
    #[cold]
    fn wait_for_gpu_word<T: Word>(&self, at: At, cmp: Cmp, value: T) -> Result<T> {
        let seen = Cell::new(value);
        let look = || match self.transfers().load(at, size_of::<T>(), self.job().me()) {
            Ok(bits) => {
                seen.set(mapped::of_bits(bits));
                Some(Ok(seen.get())).filter(|_| cmp.holds(seen.get(), value))
            }
            Err(error) => Some(Err(error)),
        };
        let word = with_exposed_provenance::<T>(self.memory().own(at) as usize);
        let what = || waiting("wait_until", word, seen.get(), cmp, value);
        self.sync().wait_policy().wait_for_words(look, || Some((at.recorded(), 0)), what)
    }

    /// Waits until the comparison of the word with `value` holds. The word is valid, aligned symmetric host memory of
    /// this PE.
    pub(crate) fn wait_for_word<T: Word>(&self, word: *const T, cmp: Cmp, value: T) -> T {
        // SAFETY: the caller has found the word to be valid, aligned symmetric host memory of this PE.
        // SYNC(host-signal) acquire: pairs with the release of `put_signal` and the fence before a peer's store.
        let now = || unsafe { mapped::load(word, Ordering::Acquire) };
        let look = || Some(now()).filter(|now| cmp.holds(*now, value));
        let words = || self.recorded_words(word, 1);
        self.sync().wait_policy().wait_for_words(look, words, || waiting("wait_until", word, now(), cmp, value))
    }

    /// Words of this PE in its record. A single one has no bytes there.
    pub(crate) fn recorded_words<T>(&self, first: *const T, n: usize) -> Option<Words> {
        let bytes = n * size_of::<T>();
        let noted = if n > 1 { bytes as u64 } else { 0 };
        self.memory().locate(first.addr(), bytes).ok().map(|at| (at.recorded(), noted))
    }

    fn watched<T: Word>(&self, operation: &'static str, word: SymPtr<'_, T>) -> Result<Watched<T>> {
        match self.near_element(word, self.my_pe()) {
            Some(found) => Ok(Watched::Near(found)),
            None => self.watched_slow(operation, word.as_slice()),
        }
    }

    #[cold]
    fn watched_slow<T: Word>(&self, operation: &'static str, word: SymSlice<'_, T>) -> Result<Watched<T>> {
        self.check(operation, word, 1)?;
        let address = self.memory().own(word.at_symmetric()) as usize;
        let found = self.transfers().own_words(address, 1, size_of::<T>());
        found.map(Watched::from).map_err(|error| Error::argument(operation, "the symmetric object", error))
    }
}

/// An aligned word of this PE that somebody waits for.
pub(crate) enum Watched<T> {
    /// In symmetric host memory.
    Near(*const T),
    /// In its GPU memory.
    Gpu(At),
}

impl<T> From<OwnPlace> for Watched<T> {
    fn from(place: OwnPlace) -> Self {
        match place {
            OwnPlace::Near(address) => Self::Near(with_exposed_provenance(address)),
            OwnPlace::Gpu(at) => Self::Gpu(at),
        }
    }
}

/// Describes a wait for the program's own word.
fn waiting<T: Word>(operation: &str, word: *const T, now: T, cmp: Cmp, value: T) -> Wait {
    let what = format!("{operation} of the word at {word:p} (now {}, wanted {cmp} {})", number(now), number(value));
    Wait { what, late: vec![] }
}

/// A word's value as text.
fn number<T: Word>(word: T) -> String {
    let word: &dyn Any = &word;
    macro_rules! one_of {
        ($($t:ty)*) => { None$(.or_else(|| word.downcast_ref::<$t>().map(<$t>::to_string)))* };
    }
    one_of!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64).unwrap_or_else(|| "something else".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_says_what_is_and_what_should_be() {
        let text = |wait: Wait| wait.to_string();
        let at = std::ptr::without_provenance(0x1000);
        let of_i64 = waiting::<i64>("wait_until", at, -3, Cmp::Ge, 7);
        assert_eq!(text(of_i64), "wait_until of the word at 0x1000 (now -3, wanted >= 7)");
        let of_f32 = waiting::<f32>("wait_until", std::ptr::without_provenance(0x1000), 0.5, Cmp::Eq, 1.0);
        assert_eq!(text(of_f32), "wait_until of the word at 0x1000 (now 0.5, wanted == 1)");
    }
}
