//! The GPUs of the job. Joining a job opens none. A PE opens its own GPU when it needs it for itself. The first call
//! that needs memory shared between GPUs, which all PEs make, starts the GPUs of all PEs. Programs for NVSHMEM may
//! launch kernels before: for them, the GPUs are started as soon as all PEs have chosen theirs.

use super::kernel_times::time_empty_kernel;
use crate::Shmem;
use crate::error::{Cause, Error, Result};
use crate::memory::GpuHeap;
use crate::service::images;
use crate::sync::call::Call;
use crate::sync::child::{WRONG_CALL, is_child};
use crate::sync::locked;
use cushmem_abi::DeviceContext;
use cushmem_gpu::{Gpu, GpuError, Properties};
use std::sync::Arc;

/// # GPUs
impl Shmem {
    /// Returns the properties of this PE's GPU, and opens the GPU if nothing has opened it yet. For a real GPU that
    /// takes a third of a second; a program that never needs the GPU does not pay for it. Returns `None` if
    /// `CUSHMEM_GPU=none` turned GPUs off, or if this PE can use neither a real nor the emulated GPU. `SHMEM_DEBUG`
    /// prints the reason.
    ///
    /// One PE may have a GPU while another has none. Whether the job as a whole has GPUs is reported by
    /// [`Shmem::malloc_gpu`] and [`Shmem::load`], with the same result on all PEs.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// match shmem.gpu() {
    ///     Some(gpu) => println!("PE {} uses {}", shmem.my_pe(), gpu.name),
    ///     None => println!("PE {} has no GPU", shmem.my_pe()),
    /// }
    /// # Ok(()) }) }
    /// ```
    pub fn gpu(&self) -> Option<&Properties> {
        let gpu = self.own_gpu("open the GPU").inspect_err(|why| self.job().debug(|| why.to_string()));
        gpu.ok().map(|gpu| gpu.properties())
    }

    /// Returns the number of PEs in the job, including this one, that use the same GPU. PEs learn it in the job's first
    /// [`Shmem::malloc_gpu`] or [`Shmem::load`]; before that the result is `None`.
    /// [`Module`](crate::Module) has an example.
    pub fn pes_on_my_gpu(&self) -> Option<u32> {
        self.device_context.get()?;
        self.memory().gpu().map(GpuHeap::pes_on_my_gpu)
    }

    /// This PE's GPU, for what it does alone.
    pub(crate) fn own_gpu(&self, operation: &'static str) -> Result<&Arc<dyn Gpu>> {
        self.memory().own_gpu(operation)
    }

    /// The GPU heap, and the constants that tell kernels about the job. Collective until it has succeeded: all PEs come
    /// here, by whatever call, and the GPUs are started on all or on none.
    pub(crate) fn gpus(&self, operation: &'static str) -> Result<(&GpuHeap, &DeviceContext)> {
        if self.device_context.get().is_none() {
            self.start_gpus(operation)?;
        }
        self.tell_images(operation);
        Ok(self.memory().gpu().zip(self.device_context.get()).expect("they were started"))
    }

    /// Collective until GPUs are started. Starts them if the programs of all PEs have chosen one, by a CUDA context
    /// that is current in the calling thread, and if the job can have GPUs. Kernels know the job afterwards. If not,
    /// the first call that needs GPUs starts them and says what is wrong.
    pub(crate) fn start_chosen_gpus(&self, operation: &'static str) -> Result<()> {
        if self.device_context.get().is_none() {
            let end = |error| self.job().end(operation, &error);
            if self.memory().no_gpus().is_some() || !self.memory().all_have_chosen_gpus().unwrap_or_else(end) {
                return Ok(());
            }
            self.start_gpus(operation)?;
        }
        self.tell_images(operation);
        Ok(())
    }

    /// Tells units of CUDA C++ about the job that do not know it yet, if the GPUs have been started. If that fails, the
    /// job ends: the failure is this PE's alone, and others may already wait for it.
    #[inline]
    pub(crate) fn tell_images(&self, operation: &'static str) {
        if let (Some(gpu), Some(context)) = (self.memory().gpu(), self.device_context.get())
            && images::any_untold()
            && !is_child()
        {
            match images::tell(operation, context.record != 0, &|find| gpu.gpu().tell_image(find, context)) {
                Ok(0) => {}
                Ok(_) => {
                    self.services().launches().note_uncounted();
                    self.services().launches().note_kernels_know_job();
                }
                Err(error) => self.job().bootstrap().abort_with_line(WRONG_CALL, &error.to_string()),
            }
        }
    }

    /// Says why a kernel in CUDA C++ has ended itself, if one has: its program asks CUDA, which does not know. Returns
    /// whether one has.
    #[cold]
    pub(crate) fn say_why_kernels_ended(&self) -> bool {
        let has_ended = self.sync().control().read_error_record().is_some();
        if has_ended && images::is_first_reason() {
            let error = GpuError::new("CUDA", "launch failure");
            self.job().bootstrap().say(&self.transfers().device_error("kernels in CUDA C++", error).to_string());
        }
        has_ended
    }

    /// Says that a kernel has ended itself without a reason, if one has. Kernels that do not know the job do so.
    #[cold]
    pub(crate) fn say_that_a_kernel_ended(&self) {
        let gpu = self.memory().opened_gpu();
        if gpu.is_some_and(|gpu| gpu.kernel_has_ended_itself()) && images::is_first_reason() {
            let how =
                "perhaps one of a module that shmemx_module_init has not told about the job before it was launched";
            self.job().bootstrap().say(&format!("a kernel has ended itself, {how}"));
        }
    }

    #[cold]
    fn start_gpus(&self, operation: &'static str) -> Result<()> {
        let _one = locked(self.changing());
        if let Some(why) = self.memory().no_gpus() {
            return Err(Error::new(operation, Cause::NoGpu(why.to_owned())));
        }
        // Another thread may have been faster.
        if self.device_context.get().is_some() {
            return Ok(());
        }
        let call = Call::new("first malloc_gpu or load", &[]);
        self.meet_in(&call);
        self.memory().start_gpus(operation, self.sync().network())?;
        let mut first_teams = [self.team_world(), self.team_shared()].into_iter();
        let told = first_teams.try_for_each(|team| self.tell_kernels(operation, team));
        let prepared = told.and_then(|()| self.services().prepare_kernels(self.sync().kernel_limit()));
        // No kernel runs before all PEs have reached this point.
        self.job().agree(operation, prepared.as_ref().map(|_| ()).map_err(Error::to_string)).inspect_err(|_| {
            if let (Ok((context, _)), Some(gpu)) = (&prepared, self.memory().opened_gpu()) {
                self.services().end_team_table();
                let _ = gpu.free(context.tables);
                if context.record != 0 {
                    let _ = gpu.free(context.record);
                }
            }
        })?;
        let (context, library) = prepared?;
        self.transfers().set_library(library);
        if let (Some(library), Some(gpu)) = (self.transfers().library(), self.memory().opened_gpu())
            && let Some(said) = time_empty_kernel(gpu, library)
        {
            self.job().debug(|| said);
        }
        let _ = self.device_context.set(context);
        self.job().debug(|| {
            let name = self.gpu().map_or("", |gpu| &gpu.name);
            format!("uses GPU {name}, which serves {} PEs in all", self.pes_on_my_gpu().unwrap_or(0))
        });
        Ok(())
    }
}
