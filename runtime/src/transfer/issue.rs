//! The common path: from a transfer to the transport that carries it out.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers, paths, unfit};
use crate::error::{ArgumentError, Cause, Error};
use crate::job::{Pe, record};
use crate::memory::{At, Attached, Remote, Segment};
use crate::sync::network_lane::RemoteAddr;
use crate::transport::{atomics, cross_memory, mapped};
use cushmem_path::Path;
use cushmem_record::Operation as Recorded;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

type Result<T> = std::result::Result<T, ArgumentError>;

impl Transfers {
    /// Carries out a transfer of the program, and records it if this PE records. Returns the old value for an atomic
    /// operation, otherwise 0. Operations that it posts and does not wait for are pending on the context.
    ///
    /// # Safety
    /// The local end is valid for all bytes, until `quiet` of the context if the transfer is [`Completion::Nbi`]. The
    /// symmetric end was found to have as many.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn issue(&self, context: &Context, transfer: &Transfer) -> Result<u64> {
        // SAFETY: this function has the same requirements.
        let issue = || unsafe { self.issue_part(context, transfer) };
        // What the library's own threads do for kernels and streams is recorded where they take it over.
        let Some(recorder) = record::active().filter(|_| !context.is_internal()) else {
            return issue().map(|(found, _)| found);
        };
        let (operation, bytes) = match &transfer.operation {
            Operation::Put(_, shape) => (Recorded::Put, shape.bytes()),
            Operation::Get(_, shape) => (Recorded::Get, shape.bytes()),
            Operation::Amo { width, .. } => (Recorded::Atomic, *width),
        };
        let from = record::begun(record::Of::Operation(operation));
        let (found, path) = issue()?;
        // A longer one is not what somebody waits for.
        let word = Some(transfer.remote.recorded()).filter(|_| bytes <= size_of::<u64>());
        record::note(recorder, (operation, record::way_of(path)), bytes, (Some(transfer.pe.number()), word), from);
        Ok(found)
    }

    /// Carries out a transfer that is a part of something larger, which is recorded as a whole if at all. Also returns
    /// the path that it took.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`].
    pub(crate) unsafe fn issue_part(&self, context: &Context, transfer: &Transfer) -> Result<(u64, Path)> {
        let remote = self.memory.remote(transfer.remote, transfer.pe);
        let (local, shape, to_peer) = match transfer.operation {
            Operation::Amo { op, width, operand, condition } => {
                if transfer.remote.segment == Segment::Network {
                    let word = self.memory.far(transfer.remote, transfer.pe);
                    let request = atomics::Request { op, width, operand, condition };
                    return Ok((self.network_word(context, word, request)?, Path::Nic));
                }
                if let Remote::Net(word) = remote {
                    let request = atomics::Request { op, width, operand, condition };
                    return Ok((self.far_word(context, word, request, transfer.when)?, Path::Nic));
                }
                if let Remote::Device(_) | Remote::Staged(_) = remote {
                    let address = if let Remote::Device(word) = remote { Some(word) } else { None };
                    let request = atomics::Request { op, width, operand, condition };
                    return self.gpu_word(context, transfer, address, (request, false));
                }
                let word = self.word(&remote, transfer.remote, width, transfer.pe)?;
                // SAFETY: an aligned word of symmetric host memory.
                let found =
                    unsafe { mapped::word_op(with_exposed_provenance_mut(word), width, op, operand, condition) };
                return Ok((found, Path::Mapped));
            }
            Operation::Put(local, shape) => (local, shape, true),
            Operation::Get(local, shape) => (local, shape, false),
        };
        // SAFETY: this function has the same requirements.
        let path = unsafe { self.move_bytes(context, transfer, (local, shape, to_peer), &remote)? };
        Ok((0, path))
    }

    /// Carries out a put or get, whose ends were found. Returns the path that it took.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`].
    pub(super) unsafe fn move_bytes(
        &self,
        context: &Context,
        transfer: &Transfer,
        (local, shape, to_peer): (Local, Shape, bool),
        remote: &Remote<'_>,
    ) -> Result<Path> {
        let plan = CopyPlan::new(local, shape, to_peer);
        let kind = paths::kind(&self.memory, &local, shape.bytes(), remote);
        let (mut path, is_asked_for) =
            self.paths.path((&self.job, &self.memory), transfer, kind, shape.bytes(), remote)?;
        if path == Path::Gdr {
            if let Some(ends) = self.direct_ends(context, transfer, &plan, remote) {
                // SAFETY: the caller guarantees that the local end is valid, and the network reaches both.
                unsafe { self.by_network_directly(context, &plan, ends, transfer.when)? };
                return Ok(path);
            }
            path = Path::Staged;
        }
        // SAFETY: the caller guarantees that the local end is valid, and the other was found.
        unsafe {
            match (path, remote) {
                (Path::Mapped, Remote::Near(there)) => plan.by_cpu(*there),
                // A kernel reaches the pinned part of the heap. Memory for the network's atomic operations is not
                // pinned, and a registered range need not be.
                (Path::GpuAgent, Remote::Near(there)) if self.memory.is_pinned_heap(*there as u64) => {
                    let ends = ((local, kind, shape), (*there as u64, false));
                    return self.by_agent(context, transfer, ends, is_asked_for);
                }
                (Path::GpuAgent, Remote::Device(there)) => {
                    let ends = ((local, kind, shape), (*there, true));
                    return self.by_agent(context, transfer, ends, is_asked_for);
                }
                (Path::CopyEngine | Path::GpuAgent, Remote::Near(there)) => {
                    self.by_engine(context, &plan, (*there as u64, false), transfer.when)?;
                    return Ok(Path::CopyEngine);
                }
                (Path::CopyEngine, Remote::Device(there)) => {
                    self.by_engine(context, &plan, (*there, true), transfer.when)?
                }
                (Path::Nic, Remote::Net(there)) => self.by_network(context, &plan, *there, transfer.when)?,
                (Path::Staged, Remote::Staged(_) | Remote::Net(_)) if self.stages() => {
                    self.stage_all(context, transfer, &local, &plan, matches!(remote, Remote::Staged(_)))?;
                }
                (Path::Staged, Remote::Net(there)) => {
                    plan.each(there.at as usize, |here, at, bytes| {
                        let far = RemoteAddr { at: at as u64, ..*there };
                        self.through_buffer(context, here, bytes, to_peer, |buffer, done, part| {
                            let far = RemoteAddr { at: far.at + done as u64, ..far };
                            let plan =
                                CopyPlan::new(Local { address: buffer, on_gpu: false }, Shape::Bytes(part), to_peer);
                            self.by_network(context, &plan, far, Completion::Blocking)
                        })
                    })?;
                }
                (Path::CrossMemory, Remote::Attached(peer, offset)) => {
                    plan.each(*offset, |here, there, bytes| {
                        by_kernel(peer, there, here, bytes, to_peer, transfer.pe.number())
                    })?;
                }
                (Path::CrossMemoryStaged, Remote::Attached(peer, offset)) => {
                    let pe = transfer.pe.number();
                    plan.each(*offset, |here, there, bytes| {
                        self.through_buffer(context, here, bytes, to_peer, |buffer, done, part| {
                            by_kernel(peer, there + done, buffer, part, to_peer, pe)
                        })
                    })?;
                }
                (path, _) => return Err(unfit(path).into()),
            }
        }
        Ok(path)
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
            Remote::Unreachable(why) if at.segment == Segment::Globals => Err(ArgumentError::far_global(pe, why)),
            Remote::Unreachable(why) => {
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
