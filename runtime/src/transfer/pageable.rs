//! Copies of pageable memory by the engine: by the pump ([`crate::transport::pageable`]), where that is quicker than
//! the driver.

use super::context::Context;
use super::issue::Moves;
use super::{Shape, Transfers};
use crate::error::Result;
use crate::sync::child::refuse_children;
use crate::sync::locked;
use crate::transport::pageable::{LEAST_FROM_GPU, LEAST_TO_GPU, Pump};
use cushmem_bootstrap::waits::Wait;
use std::sync::{MutexGuard, TryLockError};

impl Transfers {
    /// Copies between memory of GPUs and pageable memory, if the pump does that and is free; whether it did. Then the
    /// copy is complete, and came after no other: what is pending on the context stays so.
    ///
    /// # Safety
    /// As for [`Transfers::issue`], with both ends where this GPU or the CPU reaches them.
    pub(super) unsafe fn by_pump(
        &self,
        context: &Context,
        moves: &Moves,
        there: u64,
        there_on_gpu: bool,
    ) -> Result<bool> {
        let Shape::Bytes(bytes) = moves.shape else { return Ok(false) };
        if moves.local_on_gpu == there_on_gpu {
            return Ok(false);
        }
        let here = moves.local as u64;
        let (host, gpu) = if there_on_gpu { (here, there) } else { (there, here) };
        let to_gpu = moves.to_peer == there_on_gpu;
        // The proxy must not wait, and kernels and operations by name ask for memory that is pinned. The pump copies in
        // the program's context of the GPU.
        let least = if to_gpu { LEAST_TO_GPU } else { LEAST_FROM_GPU };
        if bytes < least || context.is_apart() || self.memory.is_pinned(host, bytes as u64) {
            return Ok(false);
        }
        // Opens the GPU, so that the pump may be made.
        self.lane(context)?;
        refuse_children(self.job.my_pe(), "put or get");
        let mut pump = match self.pump.try_lock() {
            Ok(pump) => pump,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        let Some(pump) = self.ready(&mut pump) else { return Ok(false) };
        // SAFETY: the caller vouches for both ends, which stay valid during this call.
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

    /// The pump, which is made when it is first needed; `None` where there is no room for it, which the driver does
    /// without.
    fn ready<'a>(&self, pump: &'a mut MutexGuard<'_, Option<Pump>>) -> Option<&'a mut Pump> {
        if pump.is_none() {
            let gpu = self.memory.opened_gpu()?;
            **pump = Pump::create(gpu, self.memory.copy_threads(), self.job.is_oversubscribed()).ok();
        }
        pump.as_mut()
    }

    /// Ends it, and its threads.
    pub(super) fn stop_pump(&self) {
        let pump = locked(&self.pump).take();
        drop(pump);
    }
}
