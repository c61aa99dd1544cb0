//! Operations on streams, by address. Their semantics are those of the methods of [`Stream`] with the same names.

use super::super::on_stream::team_sync;
use super::{Raw, Result};
use crate::error::{ArgumentError, Error};
use crate::memory::At;
use crate::service::on_stream::{Copy, Queue};
use crate::transfer::operation::Ends;
use crate::transport::mapped::to_bits;
use crate::{Amo, Blocks, Cmp, SignalOp, Stream, Team, Word};
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

impl Raw<'_> {
    /// Enqueues a copy of `bytes` bytes from `src` to the symmetric `dst` on PE `pe`. `src` may be any memory of this
    /// PE. If it is neither in a heap nor in GPU memory, a thread of the library reads it when the stream reaches the
    /// operation, and the stream must not be captured.
    ///
    /// # Safety
    /// A handle in `stream` is valid. `src` is readable for `bytes` bytes until the stream has passed the operation.
    pub unsafe fn put_on_stream(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        pe: u32,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        // SAFETY: this function has the same requirements.
        unsafe { self.copy_on_stream((dst.addr(), src.expose_provenance()), bytes, pe, true, stream) }
    }

    /// Enqueues a copy of `bytes` bytes from the symmetric `src` of PE `pe` to `dst`. `dst` may be any memory that the
    /// source of [`Raw::put_on_stream`] may be.
    ///
    /// # Safety
    /// A handle in `stream` is valid. `dst` is writable for `bytes` bytes until the stream has passed the operation.
    pub unsafe fn get_on_stream(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        pe: u32,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        // SAFETY: this function has the same requirements.
        unsafe { self.copy_on_stream((src.addr(), dst.expose_provenance()), bytes, pe, false, stream) }
    }

    /// Enqueues a copy like [`Raw::put_on_stream`], followed by an update of the signal `sig` of that PE.
    ///
    /// # Safety
    /// The conditions of [`Raw::put_on_stream`].
    #[expect(clippy::too_many_arguments, reason = "the routine's arguments")]
    pub unsafe fn put_signal_on_stream(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        sig: *mut u64,
        value: u64,
        op: SignalOp,
        pe: u32,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        let of_signal = |error| ArgumentError::Signal(Box::new(error));
        let on_stream = |queue: &Queue<'_>| {
            let data = self.copy(dst.addr(), src.expose_provenance(), bytes, pe, true)?;
            let word = self.stream_word(sig, 8).map_err(of_signal)?;
            let (services, pe) = (self.shmem.services(), self.shmem.transfers().pe(pe)?);
            // SAFETY: the caller guarantees that the source is valid, and the other ends were found.
            unsafe { services.put_signal_on_stream(queue, data.as_ref(), (word, value, op), pe) }
        };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("put_signal on a stream", stream, on_stream) }
    }

    /// Enqueues a copy of blocks from `src` to the symmetric `dst` on PE `pe`, like [`Raw::put_blocks`].
    ///
    /// # Safety
    /// A handle in `stream` is valid. All blocks of `src` are readable until the stream has passed the operation.
    pub unsafe fn put_blocks_on_stream(
        self,
        dst: *mut u8,
        src: *const u8,
        blocks: Blocks,
        pe: u32,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        let ends = (dst.addr(), src.expose_provenance());
        // SAFETY: the caller guarantees that the blocks are valid.
        let on_stream =
            |queue: &Queue<'_>| unsafe { self.shmem.services().blocks_on_stream(queue, ends, blocks, pe, true) };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("put on a stream", stream, on_stream) }
    }

    /// Enqueues a copy of blocks from the symmetric `src` of PE `pe` to `dst`, like [`Raw::get_blocks`].
    ///
    /// # Safety
    /// A handle in `stream` is valid. All blocks of `dst` are writable until the stream has passed the operation.
    pub unsafe fn get_blocks_on_stream(
        self,
        dst: *mut u8,
        src: *const u8,
        blocks: Blocks,
        pe: u32,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        let ends = (src.addr(), dst.expose_provenance());
        // SAFETY: the caller guarantees that the blocks are valid.
        let on_stream =
            |queue: &Queue<'_>| unsafe { self.shmem.services().blocks_on_stream(queue, ends, blocks, pe, false) };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("get on a stream", stream, on_stream) }
    }

    /// Enqueues an update of the signal `sig` of PE `pe`.
    ///
    /// # Safety
    /// A handle in `stream` is valid.
    pub unsafe fn signal_op_on_stream(
        self,
        sig: *mut u64,
        value: u64,
        op: SignalOp,
        pe: u32,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            let (word, pe) = (self.stream_word(sig, 8)?, self.shmem.transfers().pe(pe)?);
            self.shmem.services().signal_on_stream(queue, (word, value, op), pe)
        };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("signal_op on a stream", stream, on_stream) }
    }

    /// Enqueues a store of `value` to one element of PE `pe`.
    ///
    /// # Safety
    /// A handle in `stream` is valid.
    pub unsafe fn p_on_stream<T: Word>(self, dst: *mut T, value: T, pe: u32, stream: AnyStream<'_, '_>) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            let (word, pe) = (self.stream_word(dst, size_of::<T>())?, self.shmem.transfers().pe(pe)?);
            self.shmem.services().p_on_stream(queue, word, (to_bits(value), size_of::<T>()), pe)
        };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("p on a stream", stream, on_stream) }
    }

    /// Holds the stream until this PE's word compares with `value` as `cmp` says.
    ///
    /// # Safety
    /// A handle in `stream` is valid.
    pub unsafe fn wait_until_on_stream<T: Amo>(
        self,
        ivar: *mut T,
        cmp: Cmp,
        value: T,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| {
            self.shmem.services().wait_on_stream(queue, self.stream_word(ivar, size_of::<T>())?, cmp, value)
        };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("wait_until on a stream", stream, on_stream) }
    }

    /// Completes everything before it on the stream.
    ///
    /// # Safety
    /// A handle in `stream` is valid.
    pub unsafe fn quiet_on_stream(self, stream: AnyStream<'_, '_>) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| self.shmem.services().quiet_on_stream(queue);
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("quiet on a stream", stream, on_stream) }
    }

    /// Completes everything before it on the stream, and holds the stream until streams of all PEs have reached their
    /// barrier.
    ///
    /// # Safety
    /// A handle in `stream` is valid.
    pub unsafe fn barrier_all_on_stream(self, stream: AnyStream<'_, '_>) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| self.shmem.services().barrier_on_stream(queue);
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue("barrier_all on a stream", stream, on_stream) }
    }

    /// Holds the stream until streams of all PEs of `team` have reached the call, without completing anything.
    ///
    /// # Safety
    /// A handle in `stream` is valid, and the stream passes the operation before the team is destroyed.
    pub unsafe fn team_sync_on_stream(self, team: &Team, stream: AnyStream<'_, '_>) -> Result<()> {
        let operation = "team_sync on a stream";
        // SAFETY: the caller keeps the team.
        let on_stream = |queue: &Queue<'_>| unsafe { team_sync(self.shmem, operation, queue, team) };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue(operation, stream, on_stream) }
    }

    /// Completes everything before it on the stream, and holds the stream until streams of all PEs of `team` have
    /// reached the call.
    ///
    /// # Safety
    /// The conditions of [`Raw::team_sync_on_stream`].
    pub unsafe fn barrier_on_stream(self, team: &Team, stream: AnyStream<'_, '_>) -> Result<()> {
        // SAFETY: this function has the same requirements.
        unsafe {
            self.quiet_on_stream(stream)?;
            self.team_sync_on_stream(team, stream)
        }
    }

    /// Waits until everything on the stream has finished.
    ///
    /// # Safety
    /// A handle in `stream` is valid.
    pub unsafe fn synchronize(self, stream: AnyStream<'_, '_>) -> crate::Result<()> {
        let operation = "synchronize a stream";
        match stream {
            AnyStream::Ours(stream) => stream.synchronize(),
            AnyStream::Handle(handle) => {
                let gpu = self.shmem.own_gpu(operation)?;
                // SAFETY: the caller guarantees that the handle is valid.
                let adopted = unsafe { gpu.adopt_stream(handle) }.map_err(Error::of(operation))?;
                let _published = publish(Instant::now(), Wait { what: "a stream".into(), late: vec![] });
                adopted.synchronize().map_err(|error| self.shmem.services().lost("a stream".into(), error))
            }
        }
    }

    /// # Safety
    /// The conditions of [`Raw::put_on_stream`] or [`Raw::get_on_stream`], with the symmetric end first.
    unsafe fn copy_on_stream(
        self,
        (symmetric, private): (usize, usize),
        bytes: usize,
        pe: u32,
        to_peer: bool,
        stream: AnyStream<'_, '_>,
    ) -> Result<()> {
        let on_stream = |queue: &Queue<'_>| match self.copy(symmetric, private, bytes, pe, to_peer)? {
            // SAFETY: the caller guarantees that the private end is valid, and the other was found.
            Some(copy) => unsafe { self.shmem.services().copy_on_stream(queue, &copy) },
            None => Ok(()),
        };
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.enqueue(if to_peer { "put on a stream" } else { "get on a stream" }, stream, on_stream) }
    }

    fn copy(self, symmetric: usize, private: usize, bytes: usize, pe: u32, to_peer: bool) -> Result<Option<Copy>> {
        let found = self.shmem.transfers().ends_of_addresses(symmetric, private, bytes, pe)?;
        Ok(found.map(|(remote, local, pe)| Copy { ends: Ends { remote, local, bytes }, to_peer, pe }))
    }

    fn stream_word<T>(self, word: *mut T, width: usize) -> Result<At> {
        self.shmem.memory().locate(word.addr(), width)
    }

    /// # Safety
    /// The stream's handle is valid.
    pub(in crate::api) unsafe fn enqueue<E: From<Error>>(
        self,
        operation: &'static str,
        stream: AnyStream<'_, '_>,
        enqueue: impl FnOnce(&Queue<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let (gpu, _) = self.shmem.gpus(operation)?;
        match stream {
            AnyStream::Ours(stream) => enqueue(&stream.queue()),
            AnyStream::Handle(handle) => {
                self.shmem.services().launches().note_uncounted();
                self.shmem.services().begin_on_streams();
                // SAFETY: the caller guarantees that the handle is valid.
                let adopted = unsafe { gpu.gpu().adopt_stream(handle) }.map_err(Error::of(operation))?;
                enqueue(&Queue { stream: &*adopted, launches: None })
            }
        }
    }
}
