//! Copies of pageable memory with the copy engine, by the pump ([`crate::transport::pageable`]) where that is faster
//! than the driver.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Shape, Transfers};
use crate::error::Result;
use crate::memory::Memory;
use crate::sync::child::refuse_children;
use crate::transport::pageable::{LEAST_FROM_GPU, LEAST_TO_GPU, Pump};
use cushmem_bootstrap::waits::Wait;
use std::sync::TryLockError;

impl Transfers {
    /// Copies between GPU memory and pageable memory, if the pump handles such a copy and is free. Returns whether it
    /// did; the copy is then complete. It is not ordered after other copies, and what is pending on the context stays
    /// pending.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`], with both ends where this GPU or the CPU reaches them.
    pub(super) unsafe fn by_pump(
        &self,
        context: &Context,
        plan: &CopyPlan,
        there: u64,
        there_on_gpu: bool,
    ) -> Result<bool> {
        let Shape::Bytes(bytes) = plan.shape else { return Ok(false) };
        if plan.local_on_gpu == there_on_gpu {
            return Ok(false);
        }
        let here = plan.local as u64;
        let (host, gpu) = if there_on_gpu { (here, there) } else { (there, here) };
        let to_gpu = plan.to_peer == there_on_gpu;
        // The proxy must not wait, and kernels and named operations use pinned memory only. The pump copies in the
        // program's GPU context.
        let least = if to_gpu { LEAST_TO_GPU } else { LEAST_FROM_GPU };
        if bytes < least || context.is_internal() || self.memory.is_pinned(host, bytes as u64) {
            return Ok(false);
        }
        // Opens the GPU, so that the pump can be created.
        self.lane(context)?;
        refuse_children(self.job.my_pe(), "put or get");
        let mut pump = match self.pump.try_lock() {
            Ok(pump) => pump,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        let Some(pump) = ready(&self.memory, self.job.is_oversubscribed(), &mut pump) else { return Ok(false) };
        // SAFETY: the caller guarantees that both ends are valid, and they stay so during this call.
        let mut pass = unsafe { pump.begin(gpu, host as usize, bytes, to_gpu) };
        let way = if to_gpu { "to" } else { "from" };
        let what =
            || Wait { what: format!("a copy of {bytes} bytes of pageable memory {way} GPU memory"), late: vec![] };
        while !pass.is_complete() {
            let step = || match pass.step() {
                Ok(true) => Some(Ok(())),
                Ok(false) => None,
                Err(error) => Some(Err(error)),
            };
            let stepped = self.sync.wait_policy().wait_for_gpu(step, what);
            stepped.map_err(|error| self.device_error("copy", error))?;
        }
        Ok(true)
    }
}

/// The pump, created when first needed; `None` if memory for it is lacking, in which case the driver copies.
fn ready<'a>(memory: &Memory, shares: bool, pump: &'a mut Option<Pump>) -> Option<&'a mut Pump> {
    if pump.is_none() {
        let gpu = memory.opened_gpu()?;
        *pump = Pump::create(gpu, memory.copy_threads(), shares).ok();
    }
    pump.as_mut()
}
