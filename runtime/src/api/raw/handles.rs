//! Handles of the CUDA driver, passed from the library to the program and back.

use super::Raw;
use crate::job::record;
use crate::service::images;
use crate::transfer::context::Context;
use crate::{DeviceSlice, Stream, Team, Word};

impl<'a> Raw<'a> {
    /// The context of the operations.
    pub(crate) fn context(self) -> &'a Context {
        self.context
    }

    /// Returns the driver's handle (`CUcontext`) of the context that the library uses, which is the primary context of
    /// this PE's GPU, or the one of its own that the program had made current; 0 on the emulated GPU.
    pub fn gpu_context(self) -> crate::Result<usize> {
        self.shmem.services().launches().note_uncounted();
        Ok(self.shmem.own_gpu("name the GPU's context")?.raw_context())
    }

    /// Wraps a stream that the program created, so that the library can launch kernels on it. The program still owns
    /// the stream.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// # fn stream_of_another_library(context: usize) -> usize { context }
    /// let stream = stream_of_another_library(shmem.raw().gpu_context()?);
    /// // SAFETY: it is a stream of that context, and stays until the end of the program.
    /// let stream = unsafe { shmem.raw().stream(stream)? };
    /// stream.synchronize()?;
    /// # Ok(()) }) }
    /// ```
    ///
    /// # Safety
    /// `stream` is the handle (`CUstream`) of a stream in [`Raw::gpu_context`], or that of a [`Stream`], and that stream
    /// outlives the result.
    pub unsafe fn stream(self, stream: usize) -> crate::Result<Stream<'a>> {
        let gpu = self.shmem.own_gpu("adopt a stream")?;
        self.shmem.services().launches().note_uncounted();
        // SAFETY: the caller guarantees that the handle is valid.
        let stream = unsafe { gpu.adopt_stream(stream)? };
        self.shmem.with_counter(stream)
    }

    /// Wraps GPU memory that the program allocated, for use as the private end of puts and gets. These do not wait for
    /// the program's streams, and the program's streams do not wait for them.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// # fn tensor_of_another_library() -> u64 { 0 }
    /// let inbox = shmem.malloc_gpu::<f32>(256)?;
    /// // SAFETY: the tensor has 256 elements, and nobody writes it at the same time.
    /// let tensor = unsafe { shmem.raw().device_slice(tensor_of_another_library(), 256) };
    /// shmem.put(inbox, tensor, 0)?;
    /// # Ok(()) }) }
    /// ```
    ///
    /// # Safety
    /// At `address` (`CUdeviceptr`) this PE's GPU has `len` elements, which nobody else uses during an operation on
    /// them.
    pub unsafe fn device_slice<T: Word>(self, address: u64, len: usize) -> DeviceSlice<'a, T> {
        DeviceSlice::new(self.shmem, address, len)
    }

    /// Creates the team of the PEs that have this PE's place on their nodes, which programs for NVSHMEM expect.
    /// Collective over all PEs.
    ///
    /// # Errors
    /// If a PE has as many teams as it can, or its kernels cannot be told.
    pub fn team_across_nodes(self) -> crate::Result<Option<Team>> {
        self.shmem.team_across_nodes()
    }

    /// Tells units of CUDA C++ about the job that were added since the GPUs were started.
    /// If that fails, the job ends.
    pub fn tell_images(self) {
        self.shmem.tell_images("the start of kernels in CUDA C++");
    }

    /// The time, if launches are recorded, for [`Raw::launched`].
    pub fn launch_begins(self) -> Option<u64> {
        record::active().map(|_| record::now())
    }

    /// Records a launch that the program has made itself, on a stream, by its handle: when it began, and the name of
    /// the kernel if it is known.
    pub fn launched(self, stream: usize, kernel: Option<&str>, begun: u64) {
        if let Some(recorder) = record::active() {
            record::note_launch(recorder, (stream as u64, kernel), begun);
        }
    }

    /// Starts the GPUs, if they have not been started, and tells all units of CUDA C++ about the job. Collective when
    /// [`Shmem::load`](crate::Shmem::load) would be.
    ///
    /// # Errors
    /// If there is no GPU, or it cannot be started.
    pub fn ready_kernels(self) -> crate::Result<()> {
        self.shmem.gpus("a launch").map(drop)
    }

    /// Starts the GPUs and tells all units of CUDA C++ about the job, if the programs of all PEs have chosen their GPUs
    /// by CUDA contexts that are current in the threads that call this. Collective over all PEs until GPUs are started.
    ///
    /// # Errors
    /// If a GPU cannot be started. The first call that needs one tries again.
    pub fn start_chosen_gpus(self, operation: &'static str) -> crate::Result<()> {
        self.shmem.start_chosen_gpus(operation)
    }

    /// Says why a kernel in CUDA C++ has ended itself, if one has. Returns whether one has.
    pub fn say_why_kernels_ended(self) -> bool {
        self.shmem.say_why_kernels_ended()
    }

    /// Tells kernels that the program loaded itself about the job. Collective when [`Shmem::load`](crate::Shmem::load)
    /// would be.
    ///
    /// # Safety
    /// `module` is the handle (`CUmodule`) of a loaded module.
    pub unsafe fn adopt_module(self, module: usize) -> crate::Result<()> {
        let (gpu, context) = self.shmem.gpus("adopt a module")?;
        self.shmem.services().launches().note_uncounted();
        self.shmem.services().launches().note_kernels_know_job();
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { gpu.gpu().adopt_module(module, context)? };
        images::note_module();
        Ok(())
    }

    /// Tells kernels of a library that the program loaded itself about the job. Collective when
    /// [`Raw::adopt_module`] is.
    ///
    /// # Safety
    /// `library` is the handle (`CUlibrary`) of a loaded library.
    pub unsafe fn adopt_library(self, library: usize) -> crate::Result<()> {
        let (gpu, _) = self.shmem.gpus("adopt a library")?;
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.adopt_module(gpu.gpu().module_of_library(library)?) }
    }

    /// Makes kernels forget the job. Those that are launched afterwards end at their first operation.
    ///
    /// # Safety
    /// `module` is the handle (`CUmodule`) of a loaded module, whose kernels have ended.
    pub unsafe fn disown_module(self, module: usize) -> crate::Result<()> {
        let gpu = self.shmem.own_gpu("disown a module")?;
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { gpu.adopt_module(module, &images::UNTOLD)? };
        Ok(())
    }

    /// Makes kernels of a library forget the job, see [`Raw::disown_module`].
    ///
    /// # Safety
    /// `library` is the handle (`CUlibrary`) of a loaded library, whose kernels have ended.
    pub unsafe fn disown_library(self, library: usize) -> crate::Result<()> {
        let gpu = self.shmem.own_gpu("disown a library")?;
        // SAFETY: the caller guarantees that the handle is valid.
        unsafe { self.disown_module(gpu.module_of_library(library)?) }
    }
}
