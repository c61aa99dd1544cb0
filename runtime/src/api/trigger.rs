//! Triggered operations.

use crate::api::prepared::Operation;
use crate::error::Result;
use crate::transfer::trigger;
use crate::{DeviceTrigger, Shmem};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// Longest wait for an operation.
const WAIT_LIMIT: Duration = Duration::from_secs(300);

/// An operation that runs when lanes of kernels have bumped its counter to a threshold and the CPU has armed it,
/// whichever comes last. [`Shmem::trigger`] has an example.
///
/// Bumps count whenever they come, before the trigger is armed too. Each arming takes `threshold` of them, which is an
/// epoch; what is beyond counts for the next. Lanes bump with [`cushmem_device::Scope::trigger`] and
/// [`cushmem_device::grid_trigger`]. The scope whose bump is the last carries the operation out by its own loads and
/// stores, if its GPU reaches what the operation changes; otherwise it asks the CPU. If the bumps came before,
/// [`Trigger::arm`] carries it out.
///
/// Dropping it cancels the operation, or waits for it. Kernels that know it have ended then. A trigger that another one
/// bumps goes on as long as that one.
pub struct Trigger<'a> {
    shmem: &'a Shmem,
    inner: Arc<trigger::Trigger>,
    memory: PhantomData<&'a mut ()>,
}

/// # Triggered operations
impl Shmem {
    /// A trigger for an operation, which each `threshold` bumps make due; `threshold` is at least 1.
    ///
    /// Collective in a job that has not called [`Shmem::malloc_gpu`] or [`Shmem::load`] yet: GPUs start then.
    ///
    /// ```no_run
    /// use cushmem::{DeviceTrigger, DevPtr, Grid, Kernel, Module, Operation, Result, Shmem, SignalOp};
    ///
    /// # #[derive(Clone, Copy)]
    /// # struct Produce;
    /// # impl Kernel for Produce {
    /// #     type Args = (DevPtr<u32>, DeviceTrigger);
    /// #     const NAME: &'static str = "produce";
    /// # }
    /// /// Each of the kernel's 4 warps bumps the trigger once.
    /// fn send(shmem: &Shmem, module: &Module<'_>) -> Result<()> {
    ///     let (inbox, outbox) = (shmem.malloc_gpu::<u32>(128)?, shmem.malloc_gpu::<u32>(128)?);
    ///     let (arrived, stream) = (shmem.malloc_gpu::<u64>(1)?, shmem.stream()?);
    ///     let next = (shmem.my_pe() + 1) % shmem.n_pes();
    ///     let put = Operation::put_signal(inbox, outbox, arrived.at(0), 1, SignalOp::Set, next)?;
    ///     let trigger = shmem.trigger(put, 4)?;
    ///     trigger.arm()?;
    ///     // SAFETY: the kernel writes 128 elements, and the trigger lives until it has ended.
    ///     unsafe { stream.launch(module, Produce, Grid::linear(1, 128), (outbox.device_ptr(), trigger.device()))? };
    ///     trigger.wait()?;
    ///     stream.synchronize()
    /// }
    /// ```
    pub fn trigger<'a>(&'a self, operation: Operation<'a>, threshold: u64) -> Result<Trigger<'a>> {
        let name = "create a trigger";
        self.gpus(name)?;
        self.is_of_this_job(name, &operation)?;
        let Operation { runs, by_proxy, .. } = operation;
        let inner = trigger::Trigger::create(self.transfers(), name, runs, threshold, by_proxy)?;
        Ok(Trigger { shmem: self, inner, memory: PhantomData })
    }
}

impl<'a> Trigger<'a> {
    pub(super) fn shmem(&self) -> &'a Shmem {
        self.shmem
    }

    pub(super) fn inner(&self) -> &Arc<trigger::Trigger> {
        &self.inner
    }

    /// For kernels, as a parameter.
    pub fn device(&self) -> DeviceTrigger {
        DeviceTrigger::of_number(self.inner.number())
    }

    /// Promises not to cancel it, so that the lane whose bump is the last need not look twice whether it is armed.
    /// [`Trigger::cancel`] then fails.
    pub fn firm(self) -> Self {
        self.make_firm();
        self
    }

    /// [`Trigger::firm`] of one that others hold too.
    #[doc(hidden)]
    pub fn make_firm(&self) {
        self.inner.make_firm();
    }

    /// Lets the operation run, once. If it is due already this carries it out before it returns, except for what only
    /// GPUs do, additions to GPU memory: then it fails, and such a trigger is armed before its last bump. Fails if it
    /// is armed.
    pub fn arm(&self) -> Result<()> {
        self.inner.arm()
    }

    /// [`Trigger::arm`] for the next epoch. Fails unless the operation of the present one is complete, which
    /// [`Trigger::wait`] waits for. If it fails for another reason, [`Trigger::arm`] tries again.
    pub fn rearm(&self) -> Result<()> {
        self.inner.rearm()
    }

    /// Arms it for good, before its first bump: from now on the operation runs whenever it is due, and nobody arms the
    /// trigger again. Fails if it is armed or has been bumped.
    ///
    /// So a kernel that lasts can use one trigger in each of its steps. The kernel itself must then know when the
    /// source may change, for instance by a signal that the other PE sends afterwards. [`Trigger::wait`] and
    /// [`Trigger::cancel`] fail; after the kernel's end [`Shmem::quiet`] completes what is left to the CPU. A bump that
    /// comes over several thresholds at once runs the operation once.
    pub fn arm_always(&self) -> Result<()> {
        self.inner.arm_always()
    }

    /// As [`Trigger::arm`] or [`Trigger::rearm`], by a stream of the library's own that is held until the operation is
    /// due, and a copy engine: neither lanes nor CPU move a byte. A held stream reacts in some microseconds, so this is
    /// for bulk. For puts and signals that are set, of memory that this GPU reaches.
    ///
    /// It is dangerous, and so has to be asked for. What waits for the whole GPU waits for this stream too:
    /// `cudaDeviceSynchronize`, `cudaFree`, the end of the job. Streams that share a queue of the hardware with it are
    /// held as well, even the one with the kernel that bumps, so launch that kernel first. And what is in a stream
    /// cannot be taken back: [`Trigger::cancel`] fails, and dropping the trigger before its operation is due runs the
    /// operation.
    pub fn arm_on_stream(&self) -> Result<()> {
        self.inner.arm_on_stream()
    }

    /// Takes back [`Trigger::arm`]. Says whether that came in time: if so the operation does not run, and may be armed
    /// again, with the bumps that were counted; otherwise it runs or has run.
    pub fn cancel(&self) -> Result<bool> {
        self.inner.cancel()
    }

    /// Waits until the operation is complete, so that the next epoch can be armed and the source may change: it is
    /// visible to all PEs. Fails if the trigger is not armed, or after 300 s.
    pub fn wait(&self) -> Result<()> {
        self.wait_for(WAIT_LIMIT)
    }

    /// As [`Trigger::wait`], with another limit.
    pub fn wait_for(&self, limit: Duration) -> Result<()> {
        self.inner.wait(limit)
    }
}
