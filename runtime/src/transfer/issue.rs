//! The funnel: from a transfer to the transport that carries it out.

use super::context::Context;
use super::moves::Moves;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers, paths, unfit};
use crate::error::{ArgumentError, Cause, Error};
use crate::job::Pe;
use crate::memory::{At, Attached, Remote, Segment};
use crate::sync::network::{Far, NetLane, Region};
use crate::transport::copy_engine::Lane;
use crate::transport::{Posted, atomics, cross_memory, mapped};
use cushmem_gpu::{GpuError, Rows, Stream};
use cushmem_path::Path;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

type Result<T> = std::result::Result<T, ArgumentError>;

/// Size of the buffer between a GPU and memory that it does not reach.
const BUFFER: usize = 1 << 20;

/// A copy of at least this many bytes that is left to a quiet uses the lane of its direction. Shorter ones finish too
/// soon for that to pay off.
const LONG: usize = 256 << 10;

impl Transfers {
    /// Carries out a transfer. Returns the old value for an atomic operation, otherwise 0. Operations that it posts and
    /// does not wait for are pending on the context.
    ///
    /// # Safety
    /// The local end is valid for all bytes, until `quiet` of the context if the transfer is [`Completion::Nbi`]. The
    /// symmetric end was found to have as many.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn issue(&self, context: &Context, transfer: &Transfer) -> Result<u64> {
        let remote = self.memory.remote(transfer.remote, transfer.pe);
        let (local, shape, to_peer) = match transfer.operation {
            Operation::Amo { op, width, operand, condition } => {
                if transfer.remote.segment == Segment::Network {
                    let word = self.memory.far(transfer.remote, transfer.pe);
                    return self.network_word(context, word, atomics::Request { op, width, operand, condition });
                }
                if let Remote::Net(word) = remote {
                    let request = atomics::Request { op, width, operand, condition };
                    return self.far_word(context, word, request, transfer.when);
                }
                if let Remote::Device(_) | Remote::Staged(_) = remote {
                    let address = if let Remote::Device(word) = remote { Some(word) } else { None };
                    let request = atomics::Request { op, width, operand, condition };
                    return self.gpu_word(context, transfer, address, (request, false));
                }
                let word = self.word(&remote, transfer.remote, width, transfer.pe)?;
                // SAFETY: an aligned word of symmetric host memory.
                return Ok(unsafe {
                    mapped::word_op(with_exposed_provenance_mut(word), width, op, operand, condition)
                });
            }
            Operation::Put(local, shape) => (local, shape, true),
            Operation::Get(local, shape) => (local, shape, false),
        };
        let moves = Moves::new(local, shape, to_peer);
        let kind = paths::kind(&self.memory, &local, shape.bytes(), &remote);
        let (path, is_asked_for) =
            self.paths.path((&self.job, &self.memory), transfer, kind, shape.bytes(), &remote)?;
        // SAFETY: the caller guarantees that the local end is valid, and the other was found.
        unsafe {
            match (path, &remote) {
                (Path::Mapped, Remote::Near(there)) => moves.by_cpu(*there),
                // A kernel reaches the pinned part of the heap. Memory for the network's atomic operations is not
                // pinned, and a registered range need not be.
                (Path::GpuAgent, Remote::Near(there)) if self.memory.is_pinned_heap(*there as u64) => {
                    self.by_agent(context, transfer, (local, kind, shape), (*there as u64, false), is_asked_for)?;
                }
                (Path::GpuAgent, Remote::Device(there)) => {
                    self.by_agent(context, transfer, (local, kind, shape), (*there, true), is_asked_for)?;
                }
                (Path::CopyEngine | Path::GpuAgent, Remote::Near(there)) => {
                    self.by_engine(context, &moves, (*there as u64, false), transfer.when)?
                }
                (Path::CopyEngine, Remote::Device(there)) => {
                    self.by_engine(context, &moves, (*there, true), transfer.when)?
                }
                (Path::Nic, Remote::Net(there)) => self.by_network(context, &moves, *there, transfer.when)?,
                (Path::Staged, Remote::Staged(_) | Remote::Net(_)) if self.stages() => {
                    self.stage_all(context, transfer, &local, &moves)?;
                }
                (Path::Staged, Remote::Net(there)) => {
                    moves.each(there.at as usize, |here, at, bytes| {
                        let far = Far { at: at as u64, ..*there };
                        self.through_buffer(context, here, bytes, to_peer, |buffer, done, part| {
                            self.by_network_now(context, Far { at: far.at + done as u64, ..far }, buffer, part, to_peer)
                        })
                    })?;
                }
                (Path::CrossMemory, Remote::Attached(peer, offset)) => {
                    moves.each(*offset, |here, there, bytes| {
                        by_kernel(peer, there, here, bytes, to_peer, transfer.pe.number())
                    })?;
                }
                (Path::CrossMemoryStaged, Remote::Attached(peer, offset)) => {
                    let pe = transfer.pe.number();
                    moves.each(*offset, |here, there, bytes| {
                        self.through_buffer(context, here, bytes, to_peer, |buffer, done, part| {
                            by_kernel(peer, there + done, buffer, part, to_peer, pe)
                        })
                    })?;
                }
                (path, _) => return Err(unfit(path).into()),
            }
        }
        Ok(0)
    }

    /// A fast path for puts to the host heap of a PE on another node, the most common transfer between nodes, without
    /// the policy's tables. Returns whether it made the put. Everything else is left to [`Transfers::issue`], including
    /// wrong arguments.
    ///
    /// # Safety
    /// As for [`Transfers::issue`], with the symmetric end at this offset.
    #[inline]
    pub(crate) unsafe fn put_far(
        &self,
        context: &Context,
        at: u64,
        local: Local,
        bytes: usize,
        pe: u32,
        when: Completion,
    ) -> Result<bool> {
        let Some((lane, far)) = self.far(self.store_context(context), at, local, bytes, pe) else { return Ok(false) };
        // SAFETY: the caller guarantees that the local end is valid.
        let ticket = unsafe { lane.put(far, local.address, bytes)? };
        if when == Completion::Blocking {
            lane.wait_for_source(ticket)?;
        }
        Ok(true)
    }

    /// Like [`Transfers::put_far`], for a get. Waits for it.
    ///
    /// # Safety
    /// As for [`Transfers::put_far`].
    #[inline]
    pub(crate) unsafe fn get_far(
        &self,
        context: &Context,
        at: u64,
        local: Local,
        bytes: usize,
        pe: u32,
    ) -> Result<bool> {
        let Some((lane, far)) = self.far(context, at, local, bytes, pe) else { return Ok(false) };
        // SAFETY: the caller guarantees that the local end is valid.
        lane.wait(unsafe { lane.get(far, local.address, bytes)? })?;
        Ok(true)
    }

    /// The context's lane, if it exists already, and the location in the host heap of a PE on another node, if the
    /// transfer is between that and host memory.
    #[inline]
    fn far<'a>(
        &self,
        context: &'a Context,
        at: u64,
        local: Local,
        bytes: usize,
        pe: u32,
    ) -> Option<(&'a NetLane, Far)> {
        let lane = context.net().filter(|_| bytes > 0 && !local.on_gpu && self.memory.near_host().is_far(pe))?;
        Some((lane, Far { pe: self.job.pe(pe)?, region: Region::Host, at }))
    }

    /// Posts each block to the context's lane, and waits for the last one if the caller waits. `there_on_gpu` says
    /// whether `there` is GPU memory.
    ///
    /// # Safety
    /// As for [`Transfers::issue`].
    pub(super) unsafe fn by_engine(
        &self,
        context: &Context,
        moves: &Moves,
        (there, there_on_gpu): (u64, bool),
        when: Completion,
    ) -> Result<()> {
        // SAFETY: the caller guarantees that both ends are valid.
        if unsafe { self.by_pump(context, moves, there, there_on_gpu)? } {
            return Ok(());
        }
        let left = when == Completion::Nbi;
        // SAFETY: the caller guarantees that both ends are valid; the word there is aligned.
        unsafe {
            if let Some((value, bytes)) = moves.word(there, there_on_gpu)
                && self.put_word(context, (there, value, bytes), left)?
            {
                return Ok(());
            }
        }
        let lane = match moves.direction(there_on_gpu).filter(|_| left && moves.shape.bytes() >= LONG) {
            Some(direction) => self.side(context, direction)?,
            None => self.lane(context)?,
        };
        let mut last = None;
        // SAFETY: the caller guarantees that all rows are valid.
        let rows = |rows: Rows| self.post_any(lane, left, |stream| unsafe { stream.copy_rows(&rows) });
        // The driver may refuse rows that span several registrations or chunks, though it accepts each row by itself.
        let posted = match moves.rows(there).and_then(|all| rows(all).ok()) {
            Some(ticket) => {
                last = Some(ticket);
                Ok(())
            }
            None => moves.each(there as usize, |here, there, bytes| {
                let (dst, src) = if moves.to_peer { (there, here) } else { (here, there) };
                self.memory.in_parts([dst, src], bytes, |from, bytes| {
                    let ends = ((dst + from) as u64, (src + from) as u64);
                    // SAFETY: the caller guarantees that both ranges are valid, and these are parts of them.
                    last = Some(unsafe { self.post(lane, ends, bytes as u64, left)? });
                    Ok::<(), Error>(())
                })
            }),
        };
        match (posted, last) {
            // Some blocks may be under way.
            (Err(error), _) => {
                let _ = lane.settle();
                Err(error.into())
            }
            (Ok(()), Some(ticket)) if !left => Ok(self.wait_for(lane, ticket)?),
            (Ok(()), _) => Ok(()),
        }
    }

    /// Puts a word to GPU memory by the context's lane, and waits for it unless it is `left` to a quiet. Returns
    /// whether it did. The driver refuses such writes in this library's own context to memory that another process
    /// allocated with `cudaMalloc` and that was opened in the program's context; it copies to that memory.
    ///
    /// # Safety
    /// The word, an address with its value and length, is valid and aligned.
    pub(super) unsafe fn put_word(&self, context: &Context, word: (u64, u64, u64), left: bool) -> Result<bool> {
        let lane = self.lane(context)?;
        if left {
            let (address, value, bytes) = word;
            // SAFETY: the caller guarantees that the word is valid.
            return Ok(self.post_any(lane, left, |stream| unsafe { stream.set_word(address, value, bytes) }).is_ok());
        }
        let control = self.sync.control();
        // SAFETY: the caller guarantees that the word is valid.
        match self.post_by(lane, || unsafe { lane.enqueue_reported_word(control, word) }) {
            Ok(ticket) => Ok(self.wait_for(lane, ticket).map(|()| true)?),
            Err(_) => Ok(false),
        }
    }

    /// Posts each block to the context's lane of the network. If the caller waits, waits until the local end may be
    /// reused.
    ///
    /// # Safety
    /// As for [`Transfers::issue`].
    unsafe fn by_network(&self, context: &Context, moves: &Moves, there: Far, when: Completion) -> Result<()> {
        let lane = self.net(if moves.to_peer { self.store_context(context) } else { context })?;
        let mut last = None;
        let posted = moves.each(there.at as usize, |here, at, bytes| {
            let far = Far { at: at as u64, ..there };
            // SAFETY: the caller guarantees that the local end is valid.
            last =
                unsafe { if moves.to_peer { lane.put(far, here, bytes)? } else { Some(lane.get(far, here, bytes)?) } };
            Ok::<(), Error>(())
        });
        match posted {
            // Some blocks may be under way.
            Err(error) => {
                let _ = lane.settle();
                Err(error.into())
            }
            Ok(()) if when == Completion::Blocking => Ok(lane.wait_for_source(last)?),
            Ok(()) => Ok(()),
        }
    }

    /// The context's lane for operations on other nodes.
    pub(super) fn net<'a>(&self, context: &'a Context) -> Result<&'a NetLane> {
        let network = self.sync.network().ok_or_else(|| unfit(Path::Nic))?;
        Ok(context.net_on(network))
    }

    /// Posts a copy and returns its ticket. If there is no room, it waits for progress first.
    ///
    /// # Safety
    /// Both ranges are valid until the copy is complete.
    unsafe fn post(&self, lane: &Lane, ends: (u64, u64), bytes: u64, left: bool) -> crate::Result<u64> {
        // SAFETY: the caller guarantees that both ranges are valid.
        self.post_any(lane, left, |stream| unsafe { stream.copy(ends.0, ends.1, bytes) })
    }

    /// Like [`Self::post`], for any operation of a stream.
    fn post_any(
        &self,
        lane: &Lane,
        left: bool,
        operation: impl Fn(&dyn Stream) -> std::result::Result<(), GpuError>,
    ) -> crate::Result<u64> {
        let control = self.sync.control();
        self.post_by(lane, || lane.enqueue(control, left, &operation))
    }

    /// Posts as soon as the lane has room.
    fn post_by(&self, lane: &Lane, enqueue: impl Fn() -> std::result::Result<Posted, GpuError>) -> crate::Result<u64> {
        loop {
            match enqueue().map_err(|error| self.device_error("copy", error))? {
                Posted::Ticket(ticket) => return Ok(ticket),
                Posted::Again => self.wait_for(lane, lane.posted())?,
            }
        }
    }

    /// Copies any two ranges that this GPU reaches, after all copies before it on the default context, and waits.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_and_wait(&self, dst: u64, src: u64, bytes: usize) -> crate::Result<()> {
        // SAFETY: the caller guarantees that both ranges are valid.
        unsafe { self.copy_on(self.default_context(), dst, src, bytes) }
    }

    /// Like [`Transfers::copy_and_wait`], on any context.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(super) unsafe fn copy_on(&self, context: &Context, dst: u64, src: u64, bytes: usize) -> crate::Result<()> {
        let lane = self.lane(context)?;
        // SAFETY: the caller guarantees that both ranges are valid, and they stay so during this call.
        let ticket = unsafe { self.post(lane, (dst, src), bytes as u64, false)? };
        self.wait_for(lane, ticket)
    }

    /// Copies words that kernels may look at or change, and waits. No copy of the program delays it.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_aside(&self, dst: u64, src: u64, bytes: usize) -> crate::Result<()> {
        // SAFETY: the caller guarantees that both ranges are valid.
        unsafe { self.copy_on(self.looks(), dst, src, bytes) }
    }

    /// Copies, part by part through a buffer, between GPU memory here and memory that only `other` reaches. The
    /// arguments of `other` are an address in this process, the bytes copied so far, and a length.
    ///
    /// # Safety
    /// As for [`Transfers::issue`].
    unsafe fn through_buffer(
        &self,
        context: &Context,
        here: usize,
        bytes: usize,
        to_peer: bool,
        mut other: impl FnMut(usize, usize, usize) -> Result<()>,
    ) -> Result<()> {
        let mut buffer = vec![0u8; bytes.min(BUFFER)];
        let stage = buffer.as_mut_ptr().expose_provenance();
        for done in (0..bytes).step_by(BUFFER) {
            let part = (bytes - done).min(BUFFER);
            let here = (here + done) as u64;
            // SAFETY: the caller guarantees that the local end is valid; the buffer has room for a part, and each step
            // is complete before the next.
            unsafe {
                if to_peer {
                    self.copy_on(context, stage as u64, here, part)?;
                    other(stage, done, part)?;
                } else {
                    other(stage, done, part)?;
                    self.copy_on(context, here, stage as u64, part)?;
                }
            }
        }
        Ok(())
    }

    /// Copies over the network, and waits until the memory here may be reused.
    ///
    /// # Safety
    /// `here` is valid for `bytes` bytes.
    unsafe fn by_network_now(
        &self,
        context: &Context,
        far: Far,
        here: usize,
        bytes: usize,
        to_peer: bool,
    ) -> Result<()> {
        let moves = Moves::new(Local { address: here, on_gpu: false }, Shape::Bytes(bytes), to_peer);
        // SAFETY: the caller guarantees that the memory here is valid.
        unsafe { self.by_network(context, &moves, far, Completion::Blocking) }
    }

    /// The address of an atomic operation's word for this CPU.
    pub(crate) fn word(&self, remote: &Remote<'_>, at: At, width: usize, pe: Pe) -> Result<usize> {
        let pe = pe.number();
        match remote {
            Remote::Near(word) if word.is_multiple_of(width) => Ok(*word),
            Remote::Near(_) => Err(ArgumentError::Misaligned(width)),
            Remote::Attached(peer, _) => Err(peer.only_copied(pe)),
            // The GPU agent, the owner and the network change these.
            Remote::Device(_) | Remote::Staged(_) | Remote::Net(_) => Err(unfit(Path::Mapped).into()),
            Remote::Far(why) if at.segment == Segment::Globals => Err(ArgumentError::far_global(pe, why)),
            Remote::Far(why) => {
                let (memory, why) = ("memory", (*why).to_owned());
                Err(Error::new("atomic operation", Cause::Unreachable { memory, pe, why }).into())
            }
        }
    }
}

/// Copies between this process and a peer, by the operating system.
///
/// # Safety
/// `here` is valid for `bytes` bytes.
unsafe fn by_kernel(peer: &Attached, there: usize, here: usize, bytes: usize, to_peer: bool, pe: u32) -> Result<()> {
    // SAFETY: the caller guarantees that the memory here is valid.
    let copied = unsafe {
        if to_peer {
            cross_memory::put(peer, there, with_exposed_provenance(here), bytes)
        } else {
            cross_memory::get(with_exposed_provenance_mut(here), peer, there, bytes)
        }
    };
    copied.map_err(|error| peer.unreachable(pe, error))
}
