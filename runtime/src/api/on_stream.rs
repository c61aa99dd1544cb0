//! Operations on streams.

use crate::api::sym::{NbiSource, Source, SymPtr, SymSlice, same_len};
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::job::Pe;
use crate::service::on_stream::{Copy, Queue};
use crate::transfer::Transfers;
use crate::transfer::context::Context;
use crate::transfer::operation::Ends;
use crate::transport::mapped::to_bits;
use crate::{Amo, Cmp, Shmem, SignalOp, Stream, Team, Word};
use cushmem_path::{CopyBy, ThreadCopy};
use std::sync::Arc;

/// # Operations on the stream
///
/// The stream carries these out once everything before them on it has finished. No call waits, neither for the stream
/// nor for other PEs. A put has finished on the stream when its source may be reused, and a get when its data has
/// arrived; [`Stream::quiet`] completes everything before it. Local ends are symmetric memory or GPU memory. A stream
/// that is being captured into a CUDA graph records the operations, and each replay performs them again.
///
/// The first of these calls is collective if the job has not yet called [`malloc_gpu`](crate::Shmem::malloc_gpu) or
/// [`load`](crate::Shmem::load), because it then starts the GPUs.
///
/// ```no_run
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::{Cmp, SignalOp};
///
/// let (inbox, outbox) = (shmem.malloc_gpu::<f32>(256)?, shmem.malloc_gpu::<f32>(256)?);
/// let arrived = shmem.malloc_gpu::<u64>(1)?;
/// let (next, stream) = ((shmem.my_pe() + 1) % shmem.n_pes(), shmem.stream()?);
/// // A kernel that fills `outbox` is launched here.
/// stream.put_signal(inbox, outbox, arrived.at(0), 1, SignalOp::Set, next)?;
/// stream.signal_wait_until(arrived.at(0), Cmp::Eq, 1)?;
/// // A kernel that is launched here finds the numbers of the PE before this one in `inbox`.
/// stream.barrier_all()?;
/// # stream.synchronize()
/// # }) }
/// ```
impl<'a> Stream<'a> {
    /// Enqueues a copy of `src` to `dst` on PE `pe` (`shmemx_putmem_on_stream`). Fails if the lengths differ.
    pub fn put<T: Word>(&self, dst: SymSlice<'_, T>, src: impl Into<NbiSource<'a, T>>, pe: u32) -> Result<()> {
        self.copy("put on a stream", dst, src.into().0, pe, true)
    }

    /// Enqueues a copy of `src` on PE `pe` to `dst` on this PE (`shmemx_getmem_on_stream`). Fails if the lengths
    /// differ.
    pub fn get<T: Word>(&self, dst: impl Into<NbiSource<'a, T>>, src: SymSlice<'_, T>, pe: u32) -> Result<()> {
        self.copy("get on a stream", src, dst.into().0, pe, false)
    }

    /// Has a single thread of a kernel copy `here` to `there` on PE `pe`, or back, and complete it, `n` times: for
    /// `shmem-tune`. `spent` is the stream's until it has finished; then it has the nanoseconds until the calls
    /// returned, and until the copies were complete.
    #[doc(hidden)]
    pub fn thread_copies<T: Word>(
        &self,
        [there, here]: [SymSlice<'_, T>; 2],
        (copy, by): (ThreadCopy, CopyBy),
        n: u64,
        spent: SymSlice<'_, u64>,
        pe: u32,
    ) -> Result<()> {
        let operation = "copies by a thread";
        same_len(operation, there.len(), here.len())?;
        let (is_get, leaves) = (copy == ThreadCopy::Get, by == CopyBy::Processor);
        let ends = (there.device_ptr().cast(), here.device_ptr().cast(), there.bytes());
        let args = (ends.0, ends.1, ends.2, n, is_get.into(), leaves.into(), pe, spent.slice(..2).device_ptr());
        // SAFETY: all three are symmetric memory, which stays, and the number of a PE that is none ends the kernel.
        let enqueued = unsafe { self.shmem().services().thread_copies_on_stream(&self.queue(), args) };
        enqueued.map_err(|error| Error::argument(operation, "the stream", error))
    }

    /// Enqueues a store of `value` to one element on PE `pe` (`shmemx_TYPE_p_on_stream`). Fails for host memory that
    /// another PE registered; [`put`](Self::put) reaches that.
    pub fn p<T: Word>(&self, dst: SymPtr<'_, T>, value: T, pe: u32) -> Result<()> {
        let operation = "p on a stream";
        let name = |error| Error::argument(operation, "the symmetric object", error);
        let (dst, pe) = self.word(operation, dst, pe)?;
        let value = (to_bits(value), size_of::<T>());
        self.shmem().services().p_on_stream(&self.queue(), dst.at_symmetric(), value, pe).map_err(name)
    }

    /// Enqueues a copy of `src` to `dst` on PE `pe`, followed by an update of the signal there
    /// (`shmemx_putmem_signal_on_stream`).
    pub fn put_signal<T: Word>(
        &self,
        dst: SymSlice<'_, T>,
        src: impl Into<NbiSource<'a, T>>,
        sig: SymPtr<'_, u64>,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) -> Result<()> {
        let operation = "put_signal on a stream";
        let (sig, number) = self.word(operation, sig, pe)?;
        let data = self.ends(operation, dst, src.into().0, pe, true)?;
        let signal = (sig.at_symmetric(), value, op);
        // SAFETY: both ends have the same length, of memory that outlives the stream's operations: heaps stay, and
        // whatever frees private memory waits for the GPU.
        let done =
            unsafe { self.shmem().services().put_signal_on_stream(&self.queue(), data.as_ref(), signal, number) };
        done.map_err(|error| match error {
            ArgumentError::Signal(error) => Error::argument(operation, "the signal", *error),
            error => Error::argument(operation, "the symmetric object", error),
        })
    }

    /// Enqueues an update of a signal on PE `pe` (`shmemx_signal_op_on_stream`). A PE that sees the signal also sees
    /// what this stream put there before.
    pub fn signal_op(&self, sig: SymPtr<'_, u64>, value: u64, op: SignalOp, pe: u32) -> Result<()> {
        let operation = "signal_op on a stream";
        let name = |error| Error::argument(operation, "the signal", error);
        let (sig, pe) = self.word(operation, sig, pe)?;
        let signal = (sig.at_symmetric(), value, op);
        self.shmem().services().signal_on_stream(&self.queue(), signal, pe).map_err(name)
    }

    /// Holds the stream until this PE's signal compares with `value` as `cmp` says
    /// (`shmemx_signal_wait_until_on_stream`). Later work on the stream sees the data that the signal announces.
    pub fn signal_wait_until(&self, sig: SymPtr<'_, u64>, cmp: Cmp, value: u64) -> Result<()> {
        self.wait_until(sig, cmp, value)
    }

    /// Holds the stream until this PE's word compares with `value` as `cmp` says (`shmemx_TYPE_wait_until_on_stream`).
    pub fn wait_until<T: Amo>(&self, ivar: SymPtr<'_, T>, cmp: Cmp, value: T) -> Result<()> {
        let operation = "wait_until on a stream";
        let name = |error| Error::argument(operation, "the word", error);
        let (word, _) = self.word(operation, ivar, self.shmem().my_pe())?;
        self.shmem().services().wait_on_stream(&self.queue(), word.at_symmetric(), cmp, value).map_err(name)
    }

    /// Enqueues an exchange of signals with the PEs of two lists (`shmemx_signal_exchange_on_stream`): tells the PEs in
    /// `to` that the stream is here, and holds it until each PE in `from` has told this one. Later work on the stream
    /// sees what those PEs' streams did before they told it. So it is a barrier if all PEs of any set name each other.
    ///
    /// `sigs`, in the GPU heap, has a word for each PE of the job, which counts the signals from that PE. The exchange
    /// adds 1 to this PE's word on each PE in `to`, and takes 1 from the word of each PE in `from`, once that is above
    /// 0. A PE that a list names twice counts once. The words are 0 before the first exchange. One stream of a PE at a
    /// time waits for words of the same array. A stream of another kind, or a kernel, takes part if it adds to the
    /// words and takes away likewise.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (halo, edge) = (shmem.malloc_gpu::<f64>(1000)?, shmem.malloc_gpu::<f64>(1000)?);
    /// let sigs = shmem.malloc_gpu::<u64>(shmem.n_pes() as usize)?;
    /// let (below, above) = (shmem.my_pe().checked_sub(1), shmem.my_pe() + 1);
    /// let above = (above < shmem.n_pes()).then_some(above);
    /// let stream = shmem.stream()?;
    /// if let Some(above) = above {
    ///     stream.put(halo, edge, above)?;
    /// }
    /// // The halo of this PE is complete when the PE below has told it so.
    /// stream.exchange_signals(sigs, above.as_slice(), below.as_slice())?;
    /// # stream.synchronize()
    /// # }) }
    /// ```
    pub fn exchange_signals(&self, sigs: SymSlice<'_, u64>, to: &[u32], from: &[u32]) -> Result<()> {
        let operation = "exchange_signals on a stream";
        let name = |error| Error::argument(operation, "the array of signals", error);
        let shmem = self.shmem();
        if !sigs.belongs_to(shmem) {
            return Err(Error::new(operation, Cause::ForeignObject));
        }
        same_len(operation, sigs.len(), shmem.n_pes() as usize)?;
        shmem.gpus(operation)?;
        shmem.memory().check_object(sigs.at_symmetric(), sigs.bytes()).map_err(name)?;
        let pes =
            |list: &[u32]| list.iter().map(|pe| shmem.transfers().pe(*pe)).collect::<std::result::Result<Vec<_>, _>>();
        let (to, from) = (pes(to).map_err(name)?, pes(from).map_err(name)?);
        shmem.services().exchange_on_stream(&self.queue(), sigs.at_symmetric(), &to, &from).map_err(name)
    }

    /// Completes everything before it on the stream (`shmemx_quiet_on_stream`): it is visible to all PEs when later
    /// work on the stream begins.
    pub fn quiet(&self) -> Result<()> {
        let operation = "quiet on a stream";
        self.shmem().gpus(operation)?;
        self.shmem().services().quiet_on_stream(&self.queue()).map_err(|error| meeting(operation, error))
    }

    /// Holds the stream until a stream of every PE has reached its barrier with the same number. Everything before the
    /// barrier on each of these streams is then complete (`shmemx_barrier_all_on_stream`). Kernels use the same
    /// barrier: only one stream or kernel of a PE may be in it at a time.
    pub fn barrier_all(&self) -> Result<()> {
        let operation = "barrier_all on a stream";
        self.shmem().gpus(operation)?;
        self.shmem().services().barrier_on_stream(&self.queue()).map_err(|error| meeting(operation, error))
    }

    /// Holds the stream like [`Stream::barrier_all`], without completing anything (`shmemx_sync_all_on_stream`).
    pub fn sync_all(&self) -> Result<()> {
        self.team_sync(self.shmem().team_world())
    }

    /// Holds the stream like [`Stream::sync_all`], for the PEs of a team (`shmemx_team_sync_on_stream`). Destroy the
    /// team only after the stream has passed the call.
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        let operation = "team_sync on a stream";
        self.shmem().gpus(operation)?;
        // SAFETY: the caller keeps the team until the stream has passed the operation. If another team has the slot by
        // then, it is still the library's own memory.
        let done = unsafe { team_sync(self.shmem(), operation, &self.queue(), team) };
        done.map_err(|error| meeting(operation, error))
    }

    /// Holds the stream like [`Stream::barrier_all`], for the PEs of a team (`shmemx_barrier_on_stream`). Destroy the
    /// team only after the stream has passed the call.
    pub fn barrier(&self, team: &Team) -> Result<()> {
        self.quiet()?;
        self.team_sync(team)
    }

    fn copy<T: Word>(
        &self,
        operation: &'static str,
        symmetric: SymSlice<'_, T>,
        private: Source<'_, T>,
        pe: u32,
        to_peer: bool,
    ) -> Result<()> {
        let name = |error| Error::argument(operation, "the symmetric object", error);
        let Some(copy) = self.ends(operation, symmetric, private, pe, to_peer)? else { return Ok(()) };
        // SAFETY: both ends have the same length, of memory that outlives the stream's operations: heaps stay, and
        // whatever frees private memory waits for the GPU.
        unsafe { self.shmem().services().copy_on_stream(&self.queue(), &copy) }.map_err(name)
    }

    /// Both ends of a copy, checked; `None` if there is nothing to copy.
    fn ends<T: Word>(
        &self,
        operation: &'static str,
        symmetric: SymSlice<'_, T>,
        private: Source<'_, T>,
        pe: u32,
        to_peer: bool,
    ) -> Result<Option<Copy>> {
        let shmem = self.shmem();
        if !symmetric.belongs_to(shmem) {
            return Err(Error::new(operation, Cause::ForeignObject));
        }
        let lens = if to_peer { (symmetric.len(), private.len) } else { (private.len, symmetric.len()) };
        same_len(operation, lens.0, lens.1)?;
        shmem.gpus(operation)?;
        let bytes = symmetric.bytes();
        let found = shmem.transfers().ends_of_objects(symmetric.at_symmetric(), private.local, bytes, pe);
        let found = found.map_err(|error| Error::argument(operation, "the symmetric object", error))?;
        Ok(found.map(|(remote, local, pe)| Copy { ends: Ends { remote, local, bytes }, to_peer, pe }))
    }

    /// A word and a PE, checked.
    fn word<'s, T: Word>(
        &self,
        operation: &'static str,
        word: SymPtr<'s, T>,
        pe: u32,
    ) -> Result<(SymSlice<'s, T>, Pe)> {
        let (shmem, word) = (self.shmem(), word.as_slice());
        let name = |error| Error::argument(operation, "the symmetric object", error);
        if !word.belongs_to(shmem) {
            return Err(Error::new(operation, Cause::ForeignObject));
        }
        shmem.gpus(operation)?;
        let pe = shmem.transfers().pe(pe).map_err(name)?;
        shmem.memory().check_object(word.at_symmetric(), word.bytes()).map_err(name)?;
        Ok((word, pe))
    }
}

fn meeting(operation: &'static str, error: ArgumentError) -> Error {
    Error::argument(operation, "the stream", error)
}

/// Enqueues the barrier of a team: by kernels if the PE numbers of the team are equally spaced, otherwise by threads of
/// the library.
///
/// # Safety
/// The team exists until the stream has passed it.
pub(super) unsafe fn team_sync(
    shmem: &Shmem,
    operation: &'static str,
    queue: &Queue<'_>,
    team: &Team,
) -> std::result::Result<(), ArgumentError> {
    let services = shmem.services();
    if team.pes().row().is_some() {
        // SAFETY: the caller keeps the team.
        return unsafe { services.team_sync_on_stream(queue, team.device()) };
    }
    let deputies = team.of_deputies().team(shmem.job()).clone();
    let work = move |transfers: &Transfers, _: &Context| transfers.sync().sync_team(operation, &deputies);
    services.hand_to_deputy(operation, queue, team.slot(), Arc::new(work))
}
