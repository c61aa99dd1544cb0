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
//! *What is staged all the same*: private GPU memory, which is not registered; heaps that the network refused; and what
//! the library's own threads do for kernels and streams.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers, paths};
use crate::error::{ArgumentError, Error};
use crate::memory::{Remote, Segment};
use crate::sync::network_lane::{Region, RemoteAddr};
use cushmem_path::Path;

/// Where the network finds both ends.
#[derive(Clone, Copy)]
pub(super) struct Direct {
    there: RemoteAddr,
    /// What is added to the addresses of the local end.
    distance: usize,
}

impl Transfers {
    /// Whether a put takes this path.
    pub(super) fn is_direct(
        &self,
        context: &Context,
        put: &Transfer,
        (local, shape): (Local, Shape),
        remote: &Remote<'_>,
    ) -> bool {
        let plan = CopyPlan::new(local, shape, true);
        let kind = paths::kind(&self.memory, &local, shape.bytes(), remote);
        let path = self.paths.path((&self.job, &self.memory), put, kind, shape.bytes(), remote);
        matches!(path, Ok((Path::Gdr, _))) && self.direct_ends(context, put, &plan, remote).is_some()
    }

    /// Both ends, if the network reaches all of them.
    pub(super) fn direct_ends(
        &self,
        context: &Context,
        transfer: &Transfer,
        plan: &CopyPlan,
        remote: &Remote<'_>,
    ) -> Option<Direct> {
        let gpu = self.memory.gpu().filter(|_| !context.is_internal())?;
        let (pe, at) = (transfer.pe, transfer.remote.offset.0);
        let there = match remote {
            Remote::Net(there) => *there,
            Remote::Staged(_) if transfer.remote.segment == Segment::Gpu && self.job.place(pe).is_none() => {
                RemoteAddr { pe, region: Region::Gpu, at }
            }
            _ => return None,
        };
        let is_get = matches!(transfer.operation, Operation::Get(..));
        if plan.local_on_gpu && is_get && !gpu.net().may_write() {
            return None;
        }
        let mut distance = Some(0);
        let reached = plan.each(there.at as usize, |here, at, bytes| {
            if plan.local_on_gpu {
                distance = gpu.net().distance(here, bytes);
            }
            let there = there.region != Region::Gpu || gpu.net().reaches(pe, at as u64, bytes);
            if there && distance.is_some() { Ok(()) } else { Err(()) }
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
    ) -> Result<(), ArgumentError> {
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
