//! Words of PEs of other nodes: atomic operations by the CPUs of their node, those by the network, and words that are
//! set.

use super::context::Context;
use super::{Completion, Transfers, unfit};
use crate::error::ArgumentError;
use crate::memory::Attached;
use crate::sync::network::Network;
use crate::sync::network_lane::{Region, RemoteAddr};
use crate::transport::atomics;
use crate::transport::atomics::Atomics;
use cushmem_abi::WordOp;
use cushmem_path::Path;
use std::sync::atomic::{Ordering, fence};

type Result<T> = std::result::Result<T, ArgumentError>;

impl Transfers {
    /// An atomic operation on a word on another node. One without a result may be left to a quiet. Those of the
    /// library's own threads are not, so that what these threads complete does not include the operations that the
    /// program has posted.
    pub(super) fn far_word(
        &self,
        context: &Context,
        word: RemoteAddr,
        request: atomics::Request,
        when: Completion,
    ) -> Result<u64> {
        if !word.at.is_multiple_of(request.width as u64) {
            return Err(ArgumentError::Misaligned(request.width));
        }
        if let Region::Registered(_) = word.region {
            return Err(Attached::only_registered(word.pe.number()));
        }
        let (atomics, control) = (self.atomics.as_ref().ok_or_else(|| unfit(Path::Proxy))?, self.sync.control());
        self.await_earlier_puts(atomics, context)?;
        if when == Completion::Nbi && request.is_without_result() && !context.is_internal() {
            atomics.post(&self.job, control, word, request)?;
            return Ok(0);
        }
        if request.op == WordOp::Fetch {
            let net = self.net(context)?;
            if net.loads_whole(request.width) && !atomics.is_busy(&self.job, control, word.pe) {
                return Ok(net.get_word(word, request.width)?);
            }
        }
        Ok(atomics.ask(&self.job, control, word, request)?)
    }

    /// A fast path for an atomic operation without a result on the host heap of a PE on another node. Returns whether
    /// it posted the operation. Everything else is left to [`Transfers::issue`], including wrong arguments.
    #[inline]
    pub(crate) fn post_far(&self, context: &Context, at: u64, request: atomics::Request, pe: u32) -> Result<bool> {
        let Some(atomics) = self.atomics.as_ref().filter(|_| self.memory.near_host().is_far(pe)) else {
            return Ok(false);
        };
        let Some(pe) = self.job.pe(pe).filter(|_| at.is_multiple_of(request.width as u64)) else { return Ok(false) };
        self.await_earlier_puts(atomics, context)?;
        atomics.post(&self.job, self.sync.control(), RemoteAddr { pe, region: Region::Host, at }, request)?;
        Ok(true)
    }

    /// Waits for the puts behind which an atomic operation has to come, because it travels on no context's lane: those
    /// before a fence of the program. Callers of the C API do not say to which context an atomic operation belongs, so
    /// this covers fences on all contexts. The library's own threads have lanes of their own, for which nobody else
    /// waits; their operations come behind everything on their lane.
    #[inline]
    pub(super) fn await_earlier_puts(&self, atomics: &Atomics, context: &Context) -> crate::Result<()> {
        let drain = || self.sync.network().map_or(Ok(()), Network::drain_fenced);
        atomics.fences().pass(drain)?;
        match self.store_context(context).net() {
            Some(net) if context.is_internal() => net.drain(),
            _ => Ok(()),
        }
    }

    /// Adds to a signal on another node, behind what was put to its PE on the context if there was something. It may be
    /// left to a quiet.
    pub(super) fn add_far(&self, context: &Context, word: RemoteAddr, value: u64, behind: bool) -> Result<()> {
        let (op, width) = (WordOp::Add, size_of::<u64>());
        if behind && let Some(net) = self.store_context(context).net() {
            net.drain()?;
        }
        self.far_word(context, word, atomics::Request { op, width, operand: value, condition: 0 }, Completion::Nbi)?;
        Ok(())
    }

    /// An atomic operation that the network executes, on a word of any PE. Operations that it has to come after are
    /// completed first.
    pub(super) fn network_word(&self, context: &Context, word: RemoteAddr, request: atomics::Request) -> Result<u64> {
        let atomics::Request { op, width, operand, condition } = request;
        if !matches!(width, 4 | 8) {
            return Err(ArgumentError::NetworkWidth(width));
        }
        if !word.at.is_multiple_of(width as u64) {
            return Err(ArgumentError::Misaligned(width));
        }
        // SYNC(host-signal) full fence: copies on the node are made by the CPU, and the network does not order them.
        fence(Ordering::SeqCst);
        if let Some(atomics) = &self.atomics {
            self.await_earlier_puts(atomics, context)?;
        }
        // It may be a signal, behind data on the context.
        self.store_context(context).net().map_or(Ok(()), |net| net.drain())?;
        Ok(self.net(context)?.amo(word, op, width, [operand, condition])?)
    }

    /// Sets a word of `width` bytes on another node, behind what was put to its PE on the context.
    pub(crate) fn set_word_far(&self, context: &Context, word: RemoteAddr, value: u64, width: usize) -> Result<()> {
        if !word.at.is_multiple_of(width as u64) {
            return Err(ArgumentError::Misaligned(width));
        }
        let lane = self.net(self.store_context(context))?;
        // A byte is always whole, but the network does not set it, so it comes behind like other puts.
        if width == 1 {
            lane.order()?;
            return Ok(lane.put_inline(word, &value.to_ne_bytes()[..width])?);
        }
        Ok(lane.set(word, width, value)?)
    }
}
