//! Copies between nodes with an end in GPU memory that the network reads or writes itself (GPUDirect RDMA).
//!
//! *Order and arrival* are those of host memory: what the network promises, it promises for GPU memory too
//! (`cushmem_net::Fabric::register_gpu`). A signal that is set behind data on their lane, and a quiet, find them on the
//! GPU. What the target's GPU agent or its proxy does behind them is asked for when they have arrived.
//!
//! *Gets into GPU memory.* The card says that a get is complete by a word in host memory, which the CPU may see before
//! the GPU sees the data. If the GPU does not keep such writes in order for all that read it, the CPU flushes them
//! (`Gpu::flush_remote_writes`, which is `cuFlushGPUDirectRDMAWrites`) behind each get that it has waited for; for gets
//! that it did not wait for, each quiet does so, from the first of them on. A GPU that has neither gets by staging.
//!
//! *What the library's own threads do for kernels and streams* goes the same way, on the lane of the thread's context.
//! Gets into GPU memory are the exception: to flush is a call of the driver, and another thread may hold the driver's
//! locks in a call that ends only when this thread has done what it was asked for.
//!
//! *Words of the GPU heap* that are set, signals too, are put on the same lane, if the network keeps words whole and
//! behind earlier puts. All other changes of words are left to their owner's GPU: an atomic operation of a card is not
//! atomic for a GPU, and registered memory may begin inside a word.
//!
//! *What is staged all the same*: those gets; private GPU memory that is not registered; and what the network refused.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers, paths};
use crate::error::{ArgumentError, Error};
use crate::job::Pe;
use crate::memory::{At, Remote, Segment};
use crate::sync::network_lane::{Region, RemoteAddr};
use cushmem_path::Path;

type Result<T> = std::result::Result<T, ArgumentError>;

/// Where the network finds both ends.
#[derive(Clone, Copy)]
pub(super) struct Direct {
    there: RemoteAddr,
    /// What is added to the addresses of the local end.
    distance: usize,
}

impl Transfers {
    /// Whether a put or get takes this path.
    pub(crate) fn is_direct(&self, context: &Context, transfer: &Transfer, remote: &Remote<'_>) -> bool {
        let (local, shape, to_peer) = match transfer.operation {
            Operation::Put(local, shape) => (local, shape, true),
            Operation::Get(local, shape) => (local, shape, false),
            Operation::Amo { .. } => return false,
        };
        let plan = CopyPlan::new(local, shape, to_peer);
        let kind = paths::kind(&self.memory, &local, shape.bytes(), remote);
        let path = self.paths.path((&self.job, &self.memory), transfer, kind, shape.bytes(), remote);
        matches!(path, Ok((Path::Gdr, _))) && self.direct_ends(context, transfer, &plan, remote).is_some()
    }

    /// Where the network finds a word of GPU memory of another node, if such a word is set on this path.
    pub(crate) fn direct_word(&self, context: &Context, at: At, width: usize, pe: Pe) -> Option<RemoteAddr> {
        let network = self.sync.network()?;
        let remote = self.memory.remote(at, pe);
        // The value comes from the CPU, from wherever it is kept.
        let local = Local { address: 0, on_gpu: false };
        let operation = Operation::Put(local, Shape::Bytes(width));
        let put = Transfer { operation, pe, remote: at, when: Completion::Blocking };
        let is_direct = at.segment == Segment::Gpu
            && matches!(remote, Remote::Staged(_))
            && self.store_context(context).net_on(network).keeps_words_behind()
            && self.is_direct(context, &put, &remote);
        is_direct.then_some(RemoteAddr { pe, region: Region::Gpu, at: at.offset.0 })
    }

    /// Sets it, behind what was put to its PE on the context.
    pub(crate) fn set_direct_word(&self, context: &Context, word: RemoteAddr, value: u64, width: usize) -> Result<()> {
        Ok(self.net(self.store_context(context))?.put_inline(word, &value.to_le_bytes()[..width])?)
    }

    /// Both ends, if the network reaches all of them.
    pub(super) fn direct_ends(
        &self,
        context: &Context,
        transfer: &Transfer,
        plan: &CopyPlan,
        remote: &Remote<'_>,
    ) -> Option<Direct> {
        let gpu = self.memory.gpu()?;
        let (pe, at) = (transfer.pe, transfer.remote.offset.0);
        let there = match remote {
            Remote::Net(there) => *there,
            Remote::Staged(_) if self.job.place(pe).is_none() => match transfer.remote.segment {
                Segment::Gpu => RemoteAddr { pe, region: Region::Gpu, at },
                Segment::RegisteredGpu if self.memory.network_reaches_range(transfer.remote, pe) => {
                    let (number, at) = transfer.remote.in_range();
                    RemoteAddr { pe, region: Region::Registered(number), at }
                }
                _ => return None,
            },
            _ => return None,
        };
        let is_get = matches!(transfer.operation, Operation::Get(..));
        if plan.local_on_gpu && is_get && (context.is_internal() || !gpu.net().may_write()) {
            return None;
        }
        let mut distance = (!plan.local_on_gpu).then_some(0);
        let reached = plan.each(there.at as usize, |here, at, bytes| {
            let found = if plan.local_on_gpu { self.memory.network_distance(gpu, here, bytes).ok_or(())? } else { 0 };
            let there = there.region != Region::Gpu || gpu.net().reaches(pe, at as u64, bytes);
            if there && *distance.get_or_insert(found) == found { Ok(()) } else { Err(()) }
        });
        reached.ok().and(Some(Direct { there, distance: distance? }))
    }

    /// Posts each block to the context's lane of the network. If the caller waits, waits until the local end may be
    /// reused.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`]; the ends are those of the plan.
    pub(super) unsafe fn by_network_directly(
        &self,
        context: &Context,
        plan: &CopyPlan,
        Direct { there, distance }: Direct,
        when: Completion,
    ) -> Result<()> {
        let plan = CopyPlan { local: plan.local.wrapping_add(distance), ..*plan };
        if !plan.local_on_gpu {
            // SAFETY: this function has the same requirements.
            return unsafe { self.by_network(context, &plan, there, when) };
        }
        let lane = self.net(if plan.to_peer { self.store_context(context) } else { context })?;
        let gpu = self.memory.gpu().filter(|_| !plan.to_peer);
        if let (Some(gpu), Completion::Nbi) = (gpu, when) {
            gpu.net().note_get();
        }
        let mut last = None;
        let posted = plan.each(there.at as usize, |here, at, bytes| {
            let far = RemoteAddr { at: at as u64, ..there };
            // SAFETY: the caller guarantees that the local end is valid, and the network reaches it.
            last = Some(unsafe {
                if plan.to_peer { lane.put_of_gpu(far, here, bytes)? } else { lane.get(far, here, bytes)? }
            });
            Ok::<(), Error>(())
        });
        match posted {
            // Some blocks may be under way.
            Err(error) => {
                let _ = lane.settle();
                Err(error.into())
            }
            Ok(()) if when == Completion::Blocking => {
                lane.wait_for_source(last)?;
                Ok(gpu.map_or(Ok(()), |gpu| gpu.flush_gets(false))?)
            }
            Ok(()) => Ok(()),
        }
    }
}
