//! Operations on streams, by address. Their semantics are those of the methods of [`Stream`] with the same names.

use super::super::on_stream::team_sync;
use super::{Raw, Result};
use crate::error::{ArgumentError, Error};
use crate::memory::At;
use crate::service::on_stream::{Copy, Queue};
use crate::transfer::operation::Ends;
use crate::transport::mapped::to_bits;
use crate::{Blocks, Cmp, Shmem, SignalOp, Stream, Team, Word};
use cushmem_bootstrap::waits::{Wait, publish};
use std::time::Instant;

/// A stream of the library or of the program.
#[derive(Clone, Copy)]
pub enum AnyStream<'s, 'a> {
    /// A stream that the library created.
    Ours(&'s Stream<'a>),
    /// The handle (`CUstream`) of a stream in [`Raw::gpu_context`], or that of a [`Stream`]. 0 is the default stream,
    /// on the emulated GPU too.
    Handle(usize),
}

/// A stream with operations on plain addresses, which [`Raw::on_stream`] returns.
#[derive(Clone, Copy)]
pub struct RawStream<'a> {
    raw: Raw<'a>,
    stream: AnyStream<'a, 'a>,
}

impl Raw<'_> {
    /// Returns the operations that this stream carries out.
    ///
    /// # Safety
    /// A handle is valid as long as the result is used.
    pub unsafe fn on_stream<'s>(self, stream: AnyStream<'s, 's>) -> RawStream<'s>
    where
        Self: 's,
    {
        RawStream { raw: self, stream }
    }
}

impl<'a> RawStream<'a> {
    pub(super) fn raw(self) -> Raw<'a> {
        self.raw
    }

    pub(in crate::api) fn shmem(self) -> &'a Shmem {
        self.raw.shmem
    }

    /// Enqueues a copy of `bytes` bytes from `src` to the symmetric `dst` on PE `pe`. `src` may be any memory of this
    /// PE. If it is neither in a heap nor in GPU memory, a thread of the library reads it when the stream reaches the
    /// operation, and the stream must not be captured.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes until the stream has passed the operation.
    pub unsafe fn put(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> Result<()> {
        // SAFETY: this function has the same requirements.
        unsafe { self.enqueue_copy((dst.addr(), src.expose_provenance()), bytes, pe, true) }
    }

    /// Enqueues a copy of `bytes` bytes from the symmetric `src` of PE `pe` to `dst`. `dst` may be any memory that the
    /// source of [`RawStream::put`] may be.
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes until the stream has passed the operation.
    pub unsafe fn get(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> Result<()> {
        // SAFETY: this function has the same requirements.
        unsafe { self.enqueue_copy((src.addr(), dst.expose_provenance()), bytes, pe, false) }
    }

    /// Enqueues a copy like [`RawStream::put`], followed by an update of the signal `sig` of that PE.
    ///
    /// # Safety
    /// The conditions of [`RawStream::put`].
    #[expect(clippy::too_many_arguments, reason = "the routine's arguments")]
    pub unsafe fn put_signal(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        sig: *mut u64,
        value: u64,
        op: SignalOp,
        pe: u32,
    ) -> Result<()> {
        let of_signal = |error| ArgumentError::Signal(Box::new(error));
        let on_stream = |queue: &Queue<'_>| {
            let data = self.copy(dst.addr(), src.expose_provenance(), bytes, pe, true)?;
            let word = self.stream_word(sig, 8).map_err(of_signal)?;
            let (services, pe) = (self.raw.shmem.services(), self.raw.shmem.transfers().pe(pe)?);
            // SAFETY: the caller guarantees that the source is valid, and the other ends were found.
            unsafe { services.put_signal_on_stream(queue, data.as_ref(), (word, value, op), pe) }
        };
        self.enqueue("put_signal on a stream", on_stream)
    }

    /// Enqueues a copy of blocks from `src` to the symmetric `dst` on PE `pe`, like [`Raw::put_blocks`].
    ///
    /// # Safety
    /// All blocks of `src` are readable until the stream has passed the operation.
    pub unsafe fn put_blocks(self, dst: *mut u8, src: *const u8, blocks: Blocks, pe: u32) -> Result<()> {
        let ends = (dst.addr(), src.expose_provenance());
        // SAFETY: the caller guarantees that the blocks are valid.
        let on_stream =
            |queue: &Queue<'_>| unsafe { self.raw.shmem.services().blocks_on_stream(queue, ends, blocks, pe, true) };
        self.enqueue("put on a stream", on_stream)
    }

    /// Enqueues a copy of blocks from the symmetric `src` of PE `pe` to `dst`, like [`Raw::get_blocks`].
    ///
    /// # Safety
    /// All blocks of `dst` are writable until the stream has passed the operation.
    pub unsafe fn get_blocks(self, dst: *mut u8, src: *const u8, blocks: Blocks, pe: u32) -> Result<()> {
        let ends = (src.addr(), dst.expose_provenance());
        // SAFETY: the caller guarantees that the blocks are valid.
        let on_stream =
            |queue: &Queue<'_>| unsafe { self.raw.shmem.services().blocks_on_stream(queue, ends, blocks, pe, false) };
        self.enqueue("get on a stream", on_stream)
    }

    /// Enqueues an update of the signal `sig` of PE `pe`.
    pub fn signal_op(self, sig: *mut u64, value: u64, op: SignalOp, pe: u32) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            let (word, pe) = (self.stream_word(sig, 8)?, self.raw.shmem.transfers().pe(pe)?);
            self.raw.shmem.services().signal_on_stream(queue, (word, value, op), pe)
        };
        self.enqueue("signal_op on a stream", on_stream)
    }

    /// Enqueues an exchange of signals with the PEs of two lists, by the words at `sigs`, one for each PE of the job.
    pub fn exchange_signals(self, sigs: *mut u64, to: &[u32], from: &[u32]) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            let shmem = self.raw.shmem;
            let words = self.stream_word(sigs, size_of::<u64>() * shmem.n_pes() as usize)?;
            let pes = |list: &[u32]| list.iter().map(|pe| shmem.transfers().pe(*pe)).collect::<Result<Vec<_>>>();
            shmem.services().exchange_on_stream(queue, words, &pes(to)?, &pes(from)?)
        };
        self.enqueue("exchange_signals on a stream", on_stream)
    }

    /// Enqueues a store of `value` to one element of PE `pe`.
    pub fn p<T: Word>(self, dst: *mut T, value: T, pe: u32) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            let (word, pe) = (self.stream_word(dst, size_of::<T>())?, self.raw.shmem.transfers().pe(pe)?);
            self.raw.shmem.services().p_on_stream(queue, word, (to_bits(value), size_of::<T>()), pe)
        };
        self.enqueue("p on a stream", on_stream)
    }

    /// Holds the stream until this PE's word, an integer of 2, 4 or 8 bytes, compares with `value` as `cmp` says.
    pub fn wait_until<T: Word>(self, ivar: *mut T, cmp: Cmp, value: T) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            self.raw.shmem.services().wait_on_stream(queue, self.stream_word(ivar, size_of::<T>())?, cmp, value)
        };
        self.enqueue("wait_until on a stream", on_stream)
    }

    /// Completes everything before it on the stream.
    pub fn quiet(self) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| self.raw.shmem.services().quiet_on_stream(queue);
        self.enqueue("quiet on a stream", on_stream)
    }

    /// Completes everything before it on the stream, and holds the stream until streams of all PEs have reached their
    /// barrier.
    pub fn barrier_all(self) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| self.raw.shmem.services().barrier_on_stream(queue);
        self.enqueue("barrier_all on a stream", on_stream)
    }

    /// Holds the stream until streams of all PEs of `team` have reached the call, without completing anything.
    ///
    /// # Safety
    /// The stream passes the operation before the team is destroyed.
    pub unsafe fn team_sync(self, team: &Team) -> Result<()> {
        let operation = "team_sync on a stream";
        // SAFETY: the caller keeps the team.
        let on_stream = |queue: &Queue<'_>| unsafe { team_sync(self.raw.shmem, operation, queue, team) };
        self.enqueue(operation, on_stream)
    }

    /// Completes everything before it on the stream, and holds the stream until streams of all PEs of `team` have
    /// reached the call.
    ///
    /// # Safety
    /// The conditions of [`RawStream::team_sync`].
    pub unsafe fn barrier(self, team: &Team) -> Result<()> {
        // SAFETY: this function has the same requirements.
        unsafe {
            self.quiet()?;
            self.team_sync(team)
        }
    }

    /// Waits until everything on the stream has finished.
    pub fn synchronize(self) -> crate::Result<()> {
        let operation = "synchronize a stream";
        match self.stream {
            AnyStream::Ours(stream) => stream.synchronize(),
            AnyStream::Handle(handle) => {
                let gpu = self.raw.shmem.own_gpu(operation)?;
                // SAFETY: whoever made this guarantees that the handle is valid.
                let adopted = unsafe { gpu.adopt_stream(handle) }.map_err(Error::of(operation))?;
                let _published = publish(Instant::now(), Wait { what: "a stream".into(), late: vec![] });
                let _in_driver = self.raw.shmem.services().launches().in_driver();
                adopted.synchronize().map_err(|error| self.raw.shmem.services().lost("a stream".into(), error))
            }
        }
    }

    /// # Safety
    /// The conditions of [`RawStream::put`] or [`RawStream::get`], with the symmetric end first.
    unsafe fn enqueue_copy(
        self,
        (symmetric, private): (usize, usize),
        bytes: usize,
        pe: u32,
        to_peer: bool,
    ) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| match self.copy(symmetric, private, bytes, pe, to_peer)? {
            // SAFETY: the caller guarantees that the private end is valid, and the other was found.
            Some(copy) => unsafe { self.raw.shmem.services().copy_on_stream(queue, &copy) },
            None => Ok(()),
        };
        self.enqueue(if to_peer { "put on a stream" } else { "get on a stream" }, on_stream)
    }

    fn copy(self, symmetric: usize, private: usize, bytes: usize, pe: u32, to_peer: bool) -> Result<Option<Copy>> {
        let found = self.raw.shmem.transfers().ends_of_addresses(symmetric, private, bytes, pe)?;
        Ok(found.map(|(remote, local, pe)| Copy { ends: Ends { remote, local, bytes }, to_peer, pe }))
    }

    fn stream_word<T>(self, word: *mut T, width: usize) -> Result<At> {
        self.raw.shmem.memory().locate(word.addr(), width)
    }

    pub(in crate::api) fn enqueue<E: From<Error>>(
        self,
        operation: &'static str,
        enqueue: impl FnOnce(&Queue<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let (gpu, _) = self.raw.shmem.gpus(operation)?;
        match self.stream {
            AnyStream::Ours(stream) => enqueue(&stream.queue()),
            AnyStream::Handle(handle) => {
                self.raw.shmem.services().launches().note_uncounted();
                self.raw.shmem.services().begin_on_streams();
                // SAFETY: whoever made this guarantees that the handle is valid.
                let adopted = unsafe { gpu.gpu().adopt_stream(handle) }.map_err(Error::of(operation))?;
                enqueue(&Queue { stream: &*adopted, launches: None })
            }
        }
    }
}
