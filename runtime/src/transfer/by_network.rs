//! Copies between nodes.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Transfers, unfit};
use crate::error::{ArgumentError, Error};
use crate::job::{Pe, record};
use crate::memory::{At, Remote, Segment};
use crate::sync::network_lane::{NetLane, Region, RemoteAddr};
use crate::transport::atomics;
use cushmem_path::Path;
use cushmem_record::{Operation, Way};

type Result<T> = std::result::Result<T, ArgumentError>;

impl Transfers {
    /// A fast path for puts to the host heap of a PE on another node, the most common transfer between nodes, without
    /// the policy's tables. Returns whether it made the put. Everything else is left to [`Transfers::issue`], including
    /// wrong arguments.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`], with the symmetric end at this offset.
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
        let ticket = unsafe { lane.put_words(far, local.address, bytes)? };
        if when == Completion::Blocking {
            lane.wait_for_source(ticket)?;
        }
        Ok(true)
    }

    /// Like [`Transfers::put_far`], for a get. Waits for it.
    ///
    /// # Safety
    /// The conditions of [`Transfers::put_far`].
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

    /// An atomic operation on a word on another node, whose result a quiet stores at `to`. Returns whether it was
    /// posted. Everything else is left to [`Transfers::issue`], including wrong arguments.
    ///
    /// # Safety
    /// Unless this returns an error, `to` is host memory that is writable for the word's bytes until that quiet has
    /// returned, and nobody else accesses it until then.
    pub(crate) unsafe fn fetch_far(
        &self,
        context: &Context,
        at: At,
        request: atomics::Request,
        pe: Pe,
        to: usize,
    ) -> Result<bool> {
        let Some(atomics) = self.atomics.as_ref().filter(|_| at.segment != Segment::Network) else { return Ok(false) };
        let Remote::Net(word) = self.memory.remote(at, pe) else { return Ok(false) };
        if !word.at.is_multiple_of(request.width as u64) || matches!(word.region, Region::Registered(_)) {
            return Ok(false);
        }
        let from = record::active().map(|recorder| (recorder, record::begun(record::Of::Operation(Operation::Atomic))));
        self.await_earlier_puts(atomics, context)?;
        // SAFETY: this function has the same requirements.
        unsafe { atomics.ask_later(&self.job, self.sync.control(), word, request, to)? };
        if let Some((recorder, from)) = from {
            let on = (Some(pe.number()), Some(at.recorded()));
            record::note(recorder, (Operation::Atomic, Way::Nic), request.width, on, from);
        }
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
    ) -> Option<(&'a NetLane, RemoteAddr)> {
        let lane = context.net().filter(|_| bytes > 0 && !local.on_gpu && self.memory.near_host().is_far(pe))?;
        Some((lane, RemoteAddr { pe: self.job.pe(pe)?, region: Region::Host, at }))
    }

    /// Posts each block to the context's lane of the network. If the caller waits, waits until the local end may be
    /// reused.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`].
    pub(super) unsafe fn by_network(
        &self,
        context: &Context,
        plan: &CopyPlan,
        there: RemoteAddr,
        when: Completion,
    ) -> Result<()> {
        let lane = self.net(if plan.to_peer { self.store_context(context) } else { context })?;
        let mut last = None;
        let posted = plan.each(there.at as usize, |here, at, bytes| {
            let far = RemoteAddr { at: at as u64, ..there };
            // SAFETY: the caller guarantees that the local end is valid.
            last = unsafe {
                if plan.to_peer { lane.put_words(far, here, bytes)? } else { Some(lane.get(far, here, bytes)?) }
            };
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
}
