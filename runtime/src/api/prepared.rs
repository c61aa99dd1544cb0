//! Operations that are described once. Kernels and streams post them by name, and triggers run them.

use crate::api::amo::Amo;
use crate::api::sym::{NbiSource, SymPtr, SymSlice, same_len};
use crate::error::{Cause, Error, Result};
use crate::memory::At;
use crate::service::prepared::Entry;
use crate::service::trigger::Triggered;
use crate::transfer::Local;
use crate::transfer::operation::{Ends, PreparedKind, PreparedOp};
use crate::transport::mapped::to_bits;
use crate::{Shmem, SignalOp, Word};
use cushmem_abi::{DevicePrepared, WordOp};
use std::marker::PhantomData;
use std::sync::Arc;

/// How an [`Operation`] changes a word.
/// [`Operation::atomic`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordUpdate {
    /// Stores the value.
    Set,
    /// Adds the value, wrapping around.
    Add,
    /// Combines the word with the value by bitwise AND.
    And,
    /// Combines the word with the value by bitwise OR.
    Or,
    /// Combines the word with the value by bitwise XOR.
    Xor,
}

impl WordUpdate {
    pub(in crate::api) fn word_op(self) -> WordOp {
        match self {
            Self::Set => WordOp::Set,
            Self::Add => WordOp::Add,
            Self::And => WordOp::And,
            Self::Or => WordOp::Or,
            Self::Xor => WordOp::Xor,
        }
    }
}

/// An operation on symmetric memory, as a value to pass to [`Shmem::prepare`] or [`Shmem::trigger`]. The memory that it
/// names stays valid as long as the [`Prepared`] or [`Trigger`](crate::Trigger) made from it.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::{Operation, SignalOp};
///
/// let (inbox, outbox, arrived) = (shmem.malloc::<u32>(4)?, shmem.malloc::<u32>(4)?, shmem.malloc::<u64>(1)?);
/// let next = (shmem.my_pe() + 1) % shmem.n_pes();
/// let send = Operation::put_signal(inbox, outbox, arrived.at(0), 1, SignalOp::Add, next)?;
/// # drop(send);
/// # Ok(()) }) }
/// ```
pub struct Operation<'a> {
    pub(super) shmem: &'a Shmem,
    pub(super) runs: Triggered,
    pub(super) by_proxy: bool,
    pub(super) memory: PhantomData<&'a mut ()>,
}

impl<'a> Operation<'a> {
    pub(in crate::api) fn new(shmem: &'a Shmem, what: PreparedKind, pe: u32) -> Result<Self> {
        let pe = shmem.transfers().pe(pe).map_err(|error| Error::argument(DESCRIBE, "the PE", error))?;
        let runs = Triggered::Operation(PreparedOp { what, pe });
        Ok(Self { shmem, runs, by_proxy: false, memory: PhantomData })
    }

    /// Describes a copy of `src` to `dst` on PE `pe`. Fails if the lengths differ.
    pub fn put<T: Word>(dst: SymSlice<'a, T>, src: impl Into<NbiSource<'a, T>>, pe: u32) -> Result<Self> {
        let src = src.into().0;
        let data = ends(dst, src.local, src.len, pe)?;
        Self::new(dst.shmem(), PreparedKind::Put(data, None), pe)
    }

    /// Describes a copy of `src` on PE `pe` to `dst` on this PE. Fails if the lengths differ.
    pub fn get<T: Word>(dst: impl Into<NbiSource<'a, T>>, src: SymSlice<'a, T>, pe: u32) -> Result<Self> {
        let dst = dst.into().0;
        let data = ends(src, dst.local, dst.len, pe)?;
        Self::new(src.shmem(), PreparedKind::Get(data), pe)
    }

    /// Describes a copy of `src` to `dst` on PE `pe`, followed by an update of the signal there.
    /// [`Operation`] has an example.
    pub fn put_signal<T: Word>(
        dst: SymSlice<'a, T>,
        src: impl Into<NbiSource<'a, T>>,
        sig: SymPtr<'a, u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) -> Result<Self> {
        let src = src.into().0;
        let data = ends(dst, src.local, src.len, pe)?;
        Self::new(dst.shmem(), PreparedKind::Put(data, Some((word(sig)?, value, op))), pe)
    }

    /// Describes an update of a signal on PE `pe`.
    pub fn signal(sig: SymPtr<'a, u64>, value: u64, op: SignalOp, pe: u32) -> Result<Self> {
        Self::new(sig.as_slice().shmem(), PreparedKind::Put(None, Some((word(sig)?, value, op))), pe)
    }

    /// Describes an atomic change of a word on PE `pe`.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::{Operation, WordUpdate};
    ///
    /// let counter = shmem.malloc::<u64>(1)?;
    /// let count = Operation::atomic(counter.at(0), WordUpdate::Add, 1, 0)?;
    /// # drop(count);
    /// # Ok(()) }) }
    /// ```
    pub fn atomic<T: Amo>(target: SymPtr<'a, T>, update: WordUpdate, value: T, pe: u32) -> Result<Self> {
        let (width, operand) = (size_of::<T>(), to_bits(value));
        let what = PreparedKind::Amo { word: word(target)?, op: update.word_op(), width, operand };
        Self::new(target.as_slice().shmem(), what, pe)
    }

    /// Makes the CPU carry out the operation even where a kernel could. A trigger's copy then takes no time from the
    /// kernel.
    pub fn by_proxy(self) -> Self {
        Self { by_proxy: true, ..self }
    }
}

const DESCRIBE: &str = "describe an operation";

/// Both ends of a copy, after checks.
fn ends<T: Word>(symmetric: SymSlice<'_, T>, local: Local, len: usize, pe: u32) -> Result<Option<Ends>> {
    same_len(DESCRIBE, symmetric.len(), len)?;
    let bytes = symmetric.bytes();
    let found = symmetric.shmem().transfers().ends_of_objects(symmetric.at_symmetric(), local, bytes, pe);
    let found = found.map_err(|error| Error::argument(DESCRIBE, "the symmetric object", error))?;
    Ok(found.map(|(remote, local, _)| Ends { remote, local, bytes }))
}

fn word<T: Word>(word: SymPtr<'_, T>) -> Result<At> {
    let word = word.as_slice();
    let checked = word.shmem().memory().check_object(word.at_symmetric(), word.bytes());
    checked.map_err(|error| Error::argument(DESCRIBE, "the word", error))?;
    Ok(word.at_symmetric())
}

/// An operation that kernels and streams post by name. Dropping it waits for what streams have posted. Before the drop,
/// all kernels that know the operation must have ended.
/// [`Shmem::prepare`] has an example.
pub struct Prepared<'a> {
    shmem: &'a Shmem,
    entry: Arc<Entry>,
    memory: PhantomData<&'a mut ()>,
}

/// # Prepared and triggered operations
impl Shmem {
    /// Prepares an operation, which kernels then post with [`cushmem_device::post`], and streams with
    /// [`Stream::post`](crate::Stream::post), any number of times. The CPU carries it out. To change words in GPU
    /// memory, the CPU starts a small kernel, for which the program's kernels must leave room on the GPU. Fails if the
    /// operation changes a word in a peer's GPU memory and this GPU's atomic operations are not atomic with the peer's.
    ///
    /// Collective if the job has not yet called [`Shmem::malloc_gpu`] or [`Shmem::load`], because the call then starts
    /// the GPUs.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::Operation;
    ///
    /// let (inbox, outbox) = (shmem.malloc_gpu::<f32>(256)?, shmem.malloc_gpu::<f32>(256)?);
    /// let put = shmem.prepare(Operation::put(inbox, outbox, 0)?)?;
    /// // A kernel gets this as a parameter.
    /// let for_kernels = put.device();
    /// # let _ = for_kernels;
    /// # Ok(()) }) }
    /// ```
    pub fn prepare<'a>(&'a self, operation: Operation<'a>) -> Result<Prepared<'a>> {
        let name = "prepare";
        self.gpus(name)?;
        self.is_of_this_job(name, &operation)?;
        let Triggered::Operation(operation) = operation.runs else {
            return Err(Error::new(name, Cause::Mismatch("only a trigger can bump another trigger".into())));
        };
        let possible = self.services().proxy_can(&operation);
        possible.map_err(|error| Error::argument(name, "the operation's word", error))?;
        let entry = self.services().name(name, Some(operation), false)?;
        Ok(Prepared { shmem: self, entry, memory: PhantomData })
    }

    pub(super) fn is_of_this_job(&self, name: &'static str, operation: &Operation<'_>) -> Result<()> {
        if std::ptr::eq(self, operation.shmem) { Ok(()) } else { Err(Error::new(name, Cause::ForeignObject)) }
    }
}

impl Prepared<'_> {
    /// Returns the operation in the form in which kernels take it as a parameter.
    pub fn device(&self) -> DevicePrepared {
        self.entry.name()
    }

    pub(super) fn shmem(&self) -> &Shmem {
        self.shmem
    }

    pub(in crate::api) fn entry(&self) -> &Arc<Entry> {
        &self.entry
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        // During unwinding the stream may wait for this PE forever.
        if !std::thread::panicking() {
            self.shmem.services().forget(&self.entry);
        }
    }
}
