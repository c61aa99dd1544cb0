//! Streams, kernels and their errors.

use crate::Shmem;
use crate::error::{Cause, Error, Result};
use cushmem_abi::ModuleImage;
use cushmem_device::{DevPtr, Kernel, KernelArgs};
use cushmem_gpu::{Function, Grid, LaunchKind};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Loaded kernels that know the job.
pub struct Module<'a> {
    shmem: &'a Shmem,
    name: &'static str,
    functions: HashMap<&'static str, Arc<dyn Function>>,
    load_time: Duration,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // Unloading waits for its kernels, and in a panic one may wait for this PE for ever.
        if std::thread::panicking() {
            std::mem::forget(std::mem::take(&mut self.functions));
        }
    }
}

impl Module<'_> {
    /// Blocks of `threads` lanes of the kernel that can be resident together, that is the largest cooperative launch.
    pub fn max_resident_blocks<K: Kernel>(&self, _kernel: K, threads: u32) -> Result<u32> {
        Ok(self.function::<K>()?.max_resident_blocks(threads)?)
    }

    /// Milliseconds that loading took; much more than one means that the driver compiled the PTX.
    pub fn load_ms(&self) -> f64 {
        self.load_time.as_secs_f64() * 1e3
    }

    fn function<K: Kernel>(&self) -> Result<&dyn Function> {
        let function = self.functions.get(K::NAME).map(Arc::as_ref);
        function.ok_or_else(|| {
            Error::new(format!("find kernel {}", K::NAME), Cause::Mismatch(format!("it is not in {}", self.name)))
        })
    }
}

/// A queue of kernels on this PE's GPU, which run one after the other.
pub struct Stream<'a> {
    shmem: &'a Shmem,
    raw: Arc<dyn cushmem_gpu::Stream>,
    /// The word by which blocks of a cooperative kernel meet. One does for a stream, as its kernels do not overlap.
    grid_counter: u64,
}

/// A point in a stream's queue.
pub struct Event<'a> {
    shmem: &'a Shmem,
    raw: Arc<dyn cushmem_gpu::Event>,
}

impl Shmem {
    /// Loads a crate's kernels and tells them about the job. Loads all at once, so that no kernel waits for another that
    /// spins.
    pub fn load(&self, image: &'static ModuleImage) -> Result<Module<'_>> {
        let start = Instant::now();
        let (gpu, context) = self.kernels("load kernels")?;
        let module = gpu.gpu().load_module(image, Some(context))?;
        let functions = image.kernels.iter().map(|kernel| Ok((kernel.name, module.function(kernel.name)?)));
        let functions = functions.collect::<Result<_>>()?;
        Ok(Module { shmem: self, name: image.name, functions, load_time: start.elapsed() })
    }

    /// A new stream, which does not wait for the default stream.
    pub fn stream(&self) -> Result<Stream<'_>> {
        let raw = self.gpu_heap("create a stream")?.gpu().create_stream()?;
        self.with_counter(raw)
    }

    /// The library's side of a stream.
    pub(super) fn with_counter(&self, raw: Arc<dyn cushmem_gpu::Stream>) -> Result<Stream<'_>> {
        let gpu = self.gpu_heap("create a stream")?.gpu();
        let grid_counter = gpu.alloc(size_of::<u32>() as u64)?;
        let stream = Stream { shmem: self, raw, grid_counter };
        let zero = 0u32;
        // SAFETY: both ranges have four bytes and live until the copy is done.
        unsafe {
            self.transfers().copy_and_wait(
                grid_counter,
                std::ptr::from_ref(&zero).expose_provenance() as u64,
                size_of::<u32>(),
            )?
        };
        Ok(stream)
    }
}

impl<'a> Stream<'a> {
    /// Starts a kernel; it runs when all before it on the stream have finished. Its blocks may run one after the other.
    ///
    /// # Safety
    /// The arguments satisfy what the kernel asks of them until it has finished.
    pub unsafe fn launch<K: Kernel>(&self, module: &Module<'_>, kernel: K, grid: Grid, args: K::Args) -> Result<()> {
        // SAFETY: the caller vouches for the arguments.
        unsafe { self.start(module, kernel, grid, LaunchKind::Plain, args) }
    }

    /// Starts a kernel whose blocks are all resident together, so that they may wait for each other; refused, with the
    /// number that fits, if there are too many.
    ///
    /// # Safety
    /// As for [`Stream::launch`].
    pub unsafe fn launch_cooperative<K: Kernel>(
        &self,
        module: &Module<'_>,
        kernel: K,
        grid: Grid,
        args: K::Args,
    ) -> Result<()> {
        // SAFETY: the caller vouches for the arguments.
        unsafe { self.start(module, kernel, grid, LaunchKind::Cooperative, args) }
    }

    unsafe fn start<K: Kernel>(
        &self,
        module: &Module<'_>,
        _kernel: K,
        grid: Grid,
        kind: LaunchKind,
        args: K::Args,
    ) -> Result<()> {
        if !std::ptr::eq(self.shmem, module.shmem) {
            let cause = Cause::Mismatch("stream and module belong to different job handles".into());
            return Err(Error::new(format!("launch {}", K::NAME), cause));
        }
        let function = module.function::<K>()?;
        // SAFETY: the tuple's types are the kernel's parameters; the caller vouches for their values.
        args.with_pointers(|pointers| unsafe { self.raw.launch(function, &grid, kind, pointers) })
            .map_err(|e| self.shmem.transfers().device_error(K::NAME, e))
    }

    /// The word for [`cushmem_device::grid_sync`]; pass it to a cooperative kernel on this stream.
    pub fn grid_counter(&self) -> DevPtr<u32> {
        DevPtr::from_address(self.grid_counter)
    }

    /// Waits until all on the stream has finished. If a kernel gave up, the error says why.
    pub fn synchronize(&self) -> Result<()> {
        self.raw.synchronize().map_err(|e| self.shmem.transfers().device_error("kernel", e))
    }

    /// Whether all on the stream has finished.
    pub fn is_idle(&self) -> Result<bool> {
        self.raw.is_idle().map_err(|e| self.shmem.transfers().device_error("kernel", e))
    }

    /// The driver's handle (`CUstream`), for calls of your own; 0 on the emulated GPU. [`crate::raw::Raw::stream`] is the other
    /// direction.
    pub fn handle(&self) -> usize {
        self.raw.raw()
    }

    /// Marks the present end of the queue.
    pub fn record(&self) -> Result<Event<'a>> {
        Ok(Event { shmem: self.shmem, raw: self.raw.record()? })
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // In a panic a kernel may wait for this PE for ever; the process's end stops it.
        if std::thread::panicking() {
            std::mem::forget(self.raw.clone());
            return;
        }
        if let Some(gpu) = self.shmem.memory().gpu() {
            // Kernels on the stream may still use the counter. An error is reported by the calls that wait for results.
            let _ = self.raw.synchronize();
            let _ = gpu.gpu().free(self.grid_counter);
        }
    }
}

impl Event<'_> {
    /// Milliseconds from `earlier` to this event; waits until the stream has passed it.
    pub fn elapsed_ms(&self, earlier: &Event<'_>) -> Result<f32> {
        let wait = self.raw.synchronize().and_then(|()| self.raw.elapsed_ms(earlier.raw.as_ref()));
        wait.map_err(|e| self.shmem.transfers().device_error("event", e))
    }
}
