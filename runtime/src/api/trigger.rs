//! Triggered operations.

use crate::api::prepared::Operation;
use crate::error::Result;
use crate::service::trigger;
use crate::{DeviceTrigger, Shmem};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// Longest wait for an operation.
const WAIT_LIMIT: Duration = Duration::from_secs(300);

/// An operation that runs once lanes of kernels have bumped its counter to a threshold and the CPU has armed it,
/// whichever happens last.
/// [`Shmem::trigger`] has an example.
///
/// Bumps count at any time, including before the trigger is armed. Each arming starts an epoch, which uses up
/// `threshold` bumps; any further bumps count towards the next epoch. Lanes bump with
/// [`cushmem_device::Scope::trigger`] and [`cushmem_device::grid_trigger`]. If its GPU reaches the memory that the
/// operation changes, the scope whose bump is the last carries the operation out with its own loads and stores;
/// otherwise it asks the CPU to do so. If the bumps came before the arming, [`Trigger::arm`] carries the operation out.
///
/// Dropping a trigger cancels the operation or waits for it. Before the drop, all kernels that know the trigger must
/// have ended. A trigger that another trigger bumps remains in use as long as that one does.
pub struct Trigger<'a> {
    shmem: &'a Shmem,
    inner: Arc<trigger::Trigger>,
    memory: PhantomData<&'a mut ()>,
}

/// # Triggered operations
impl Shmem {
    /// Creates a trigger for an operation that becomes due with every `threshold` bumps. `threshold` must be at least
    /// 1.
    ///
    /// Collective if the job has not yet called [`Shmem::malloc_gpu`] or [`Shmem::load`], because the call then starts
    /// the GPUs.
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
        let inner = trigger::Trigger::create(self.services(), name, runs, threshold, by_proxy)?;
        Ok(Trigger { shmem: self, inner, memory: PhantomData })
    }
}

impl<'a> Operation<'a> {
    /// Describes a bump of another trigger by 1, to chain triggers. Nothing else may bump that trigger. Only
    /// [`Shmem::trigger`] accepts this operation.
    pub fn trigger(next: &Trigger<'a>) -> Self {
        let runs = trigger::Triggered::Next(next.inner().clone());
        Self { shmem: next.shmem(), runs, by_proxy: false, memory: PhantomData }
    }
}

impl<'a> Trigger<'a> {
    pub(super) fn shmem(&self) -> &'a Shmem {
        self.shmem
    }

    pub(super) fn inner(&self) -> &Arc<trigger::Trigger> {
        &self.inner
    }

    /// Returns the trigger in the form in which kernels take it as a parameter.
    pub fn device(&self) -> DeviceTrigger {
        DeviceTrigger::of_number(self.inner.number())
    }

    /// Promises not to cancel the trigger, so that the lane whose bump is the last need not check twice whether the
    /// trigger is armed. Afterwards [`Trigger::cancel`] fails.
    pub fn firm(self) -> Self {
        self.make_firm();
        self
    }

    /// Does the same as [`Trigger::firm`] for a trigger that others hold too.
    #[doc(hidden)]
    pub fn make_firm(&self) {
        self.inner.make_firm();
    }

    /// Arms the trigger for one run of its operation. If the operation is already due, this call carries it out before
    /// it returns. Fails if the trigger is already armed.
    pub fn arm(&self) -> Result<()> {
        self.inner.arm()
    }

    /// Arms the trigger for its next epoch, like [`Trigger::arm`]. Fails unless the operation of the current epoch is
    /// complete; [`Trigger::wait`] waits for that. If it fails for another reason, call [`Trigger::arm`] to try again.
    pub fn rearm(&self) -> Result<()> {
        self.inner.rearm()
    }

    /// Arms the trigger permanently, before its first bump: from then on the operation runs whenever it is due, without
    /// further arming. Fails if the trigger is armed or has been bumped.
    ///
    /// A long-running kernel can thus use one trigger in each of its steps. The kernel itself must then find out when
    /// the source may change, for instance from a signal that the other PE sends afterwards. [`Trigger::wait`] and
    /// [`Trigger::cancel`] fail. After the kernel's end, [`Shmem::quiet`] completes what is left to the CPU. A bump
    /// that passes several thresholds at once runs the operation once.
    pub fn arm_always(&self) -> Result<()> {
        self.inner.arm_always()
    }

    /// Arms the trigger, like [`Trigger::arm`] or [`Trigger::rearm`], but leaves the operation to a copy engine: a
    /// stream of the library's own is held until the operation is due, and neither lanes nor the CPU move any data. A
    /// held stream takes some microseconds to react, so this is for bulk data. The operation must be a put, a signal
    /// that is set, or both, on memory that this GPU reaches.
    ///
    /// This is dangerous, and therefore opt-in. Anything that waits for the whole GPU also waits for this stream:
    /// `cudaDeviceSynchronize`, `cudaFree`, the end of the job. Streams that share a hardware queue with it are held as
    /// well, possibly including the one with the kernel that bumps, so launch that kernel first. Work in a stream
    /// cannot be taken back: [`Trigger::cancel`] fails, and dropping the trigger before its operation is due runs the
    /// operation.
    pub fn arm_on_stream(&self) -> Result<()> {
        self.inner.arm_on_stream()
    }

    /// Undoes [`Trigger::arm`], and returns whether it was in time. If so, the operation does not run; the trigger can
    /// be armed again, and its bumps still count. Otherwise the operation runs or has run.
    pub fn cancel(&self) -> Result<bool> {
        self.inner.cancel()
    }

    /// Waits until the operation is complete: it is visible to all PEs, the source may be reused, and the next epoch
    /// can be armed. Fails if the trigger is not armed, or after 300 s.
    pub fn wait(&self) -> Result<()> {
        self.wait_for(WAIT_LIMIT)
    }

    /// Waits like [`Trigger::wait`], but for at most `limit`.
    pub fn wait_for(&self, limit: Duration) -> Result<()> {
        self.inner.wait(limit)
    }
}
