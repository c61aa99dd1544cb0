//! Signals and waiting for memory (OpenSHMEM 1.6, sections 9.8 and 9.9).

use crate::amo::gpu_word;
use crate::sym::{Kind, Source, SymPtr, SymSlice};
use crate::{Error, Result, Shmem, mapped};
use cushmem_bootstrap::waits::Wait;
use cushmem_device::{Cmp, SignalOp, Word};
use std::any::Any;
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
        Ok(self.wait_for_word(word, cmp, value))
    }

    /// Waits until the word compares with `value` as wanted. It is valid, aligned symmetric host memory of this PE.
    pub(crate) fn wait_for_word<T: Word>(&self, word: *const T, cmp: Cmp, value: T) -> T {
        // SAFETY: the caller has found it to be such a word.
        // SYNC(host-signal) acquire: pairs with the release of `put_signal` and the fence before a peer's store.
        let now = || unsafe { mapped::load(word, Ordering::Acquire) };
        let look = || Some(now()).filter(|now| cmp.holds(*now, value));
        self.patience.wait(look, None, || waiting("wait_until", word, now(), cmp, value))
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

/// A wait for the program's own word, in words.
fn waiting<T: Word>(operation: &str, word: *const T, now: T, cmp: Cmp, value: T) -> Wait {
    let sign = match cmp {
        Cmp::Eq => "==",
        Cmp::Ne => "!=",
        Cmp::Gt => ">",
        Cmp::Le => "<=",
        Cmp::Lt => "<",
        Cmp::Ge => ">=",
    };
    let what =
        format!("{operation} of the word at {word:p}, which is {} and not {sign} {}", number(now), number(value));
    Wait { what, late: vec![] }
}

/// A word as people write it.
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
        assert_eq!(text(of_i64), "wait_until of the word at 0x1000, which is -3 and not >= 7");
        let of_f32 = waiting::<f32>("wait_until", std::ptr::without_provenance(0x1000), 0.5, Cmp::Eq, 1.0);
        assert_eq!(text(of_f32), "wait_until of the word at 0x1000, which is 0.5 and not == 1");
    }
}
