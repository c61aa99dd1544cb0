//! Streams, kernels and their errors.

use super::kernel_times::KernelTimes;
use crate::error::{Cause, Error, Result};
use crate::job::record::{Launching, Timed, name_new_stream, ordered};
use crate::service::launches::StreamLaunches;
use crate::service::on_stream::Queue;
use crate::{Prepared, Shmem};
use cushmem_abi::ModuleImage;
use cushmem_bootstrap::waits::{Wait, publish};
use cushmem_device::{DevPtr, Kernel, KernelArgs, RolePlan, Roles};
use cushmem_gpu::{Function, Grid, LaunchKind};
use cushmem_record::Operation;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A source of kernels to load: those of a crate, or PTX or a cubin of any other origin.
/// [`Shmem::load`] has an example.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a>(Origin<'a>);

#[derive(Clone, Copy, Debug)]
enum Origin<'a> {
    Crate(&'static ModuleImage),
    Other { name: &'a str, bytes: &'a [u8] },
}

impl<'a> Image<'a> {
    /// Wraps PTX or a cubin of any origin, for NVIDIA GPUs. `name` is used in messages. Declare the kernels' parameters
    /// with types of your own that implement [`Kernel`]. Kernels that use `cushmem-device` are given the job's
    /// constants when they are loaded; others need no preparation.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self(Origin::Other { name, bytes })
    }
}

impl From<&'static ModuleImage> for Image<'static> {
    fn from(image: &'static ModuleImage) -> Self {
        Self(Origin::Crate(image))
    }
}

/// Loaded kernels that know about the job.
///
/// ```no_run
/// use cushmem::{DevPtr, Grid, Kernel, Module, Result, Shmem};
///
/// # #[derive(Clone, Copy)]
/// # struct Solve;
/// # impl Kernel for Solve {
/// #     type Args = (DevPtr<f32>, DevPtr<u32>);
/// #     const NAME: &'static str = "solve";
/// # }
/// /// Runs a kernel whose blocks wait for each other, on the GPU's share of this PE.
/// fn solve(shmem: &Shmem, module: &Module<'_>, x: DevPtr<f32>) -> Result<()> {
///     let stream = shmem.stream()?;
///     let blocks = module.max_resident_blocks(Solve, 256)? / shmem.pes_on_my_gpu().unwrap_or(1);
///     // SAFETY: the kernel takes its elements at `x`, and the counter of the stream.
///     unsafe { stream.launch_cooperative(module, Solve, Grid::linear(blocks, 256), (x, stream.grid_counter()))? };
///     stream.synchronize()
/// }
/// ```
pub struct Module<'a> {
    shmem: &'a Shmem,
    name: String,
    raw: Arc<dyn cushmem_gpu::Module>,
    /// All kernels of a crate; none of another image, which does not name them.
    functions: HashMap<&'static str, Arc<dyn Function>>,
    load_time: Duration,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // Unloading waits for the module's kernels, and in a panic one may wait for this PE for ever.
        if std::thread::panicking() {
            std::mem::forget((self.raw.clone(), std::mem::take(&mut self.functions)));
        }
    }
}

impl Module<'_> {
    /// Returns how many blocks of `threads` lanes of the kernel can be resident at the same time. This is the size of
    /// the largest cooperative launch. A multiprocessor is left out for each block of an executor that runs tasks
    /// ([`Shmem::task_queue`]), and for the command processor.
    pub fn max_resident_blocks<K: Kernel>(&self, kernel: K, threads: u32) -> Result<u32> {
        self.max_resident_blocks_of(kernel, &Grid::linear(1, threads))
    }

    /// Returns how many blocks like those of `grid`, with as many lanes and as much dynamic shared memory, can be
    /// resident at the same time.
    pub fn max_resident_blocks_of<K: Kernel>(&self, _kernel: K, grid: &Grid) -> Result<u32> {
        let threads = grid.threads_per_block() as u32;
        let all = self.function::<K>()?.max_resident_blocks(threads, grid.shared_bytes)?;
        let processors = self.shmem.gpu().map_or(1, |gpu| gpu.sm_count.max(1));
        let taken = self.shmem.services().resident_blocks().saturating_mul(all.div_ceil(processors));
        Ok(all.saturating_sub(taken).max(1))
    }

    /// Returns how many milliseconds loading took. Much more than one means that the driver compiled the PTX.
    pub fn load_ms(&self) -> f64 {
        self.load_time.as_secs_f64() * 1e3
    }

    /// The module itself, for work that may outlast this.
    pub(super) fn raw(&self) -> &Arc<dyn cushmem_gpu::Module> {
        &self.raw
    }

    pub(super) fn function<K: Kernel>(&self) -> Result<Arc<dyn Function>> {
        match self.functions.get(K::NAME) {
            Some(function) => Ok(function.clone()),
            None if self.functions.is_empty() || self.raw.lacks(K::NAME) => Ok(self.raw.function(K::NAME)?),
            None => {
                let cause = Cause::Mismatch(format!("it is not in {}", self.name));
                Err(Error::new(format!("find kernel {}", K::NAME), cause))
            }
        }
    }
}

/// A queue of kernels on this PE's GPU. The kernels run one after another.
///
/// ```no_run
/// use cushmem::{DevPtr, Grid, Kernel, Module, Result, Shmem};
///
/// # #[derive(Clone, Copy)]
/// # struct Scale;
/// # impl Kernel for Scale {
/// #     type Args = (DevPtr<f32>, f32);
/// #     const NAME: &'static str = "scale";
/// # }
/// fn double(shmem: &Shmem, module: &Module<'_>) -> Result<Vec<f32>> {
///     let (stream, x) = (shmem.stream()?, shmem.device_alloc::<f32>(256)?);
///     x.copy_from(&[1.0; 256])?;
///     // SAFETY: the kernel changes one element in each lane.
///     unsafe { stream.launch(module, Scale, Grid::linear(1, 256), (x.device_ptr(), 2.0))? };
///     stream.synchronize()?;
///     x.to_vec()
/// }
/// ```
pub struct Stream<'a> {
    shmem: &'a Shmem,
    raw: Arc<dyn cushmem_gpu::Stream>,
    launches: Arc<StreamLaunches>,
    times: KernelTimes,
    /// Two words, each on a line of its own: the one by which blocks of a cooperative kernel meet, and the one by which
    /// blocks take roles. One of each does for a stream, as its kernels do not overlap.
    counters: u64,
}

/// The distance from the first of a stream's counters to the second in bytes.
const ROLES_COUNTER: u64 = 128;

/// A point in a stream's queue.
///
/// ```no_run
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let stream = shmem.stream()?;
/// let begin = stream.record()?;
/// // Kernels are launched here.
/// let end = stream.record()?;
/// println!("they took {} ms", end.elapsed_ms(&begin)?);
/// # Ok(()) }) }
/// ```
pub struct Event<'a> {
    shmem: &'a Shmem,
    raw: Arc<dyn cushmem_gpu::Event>,
    /// Those of its stream.
    launches: Arc<StreamLaunches>,
    /// How many were before it.
    launched: u64,
}

/// # Kernels and streams
impl Shmem {
    /// Loads kernels and tells them about the job. They may be those of a crate, passed as `&kernels::IMAGE`, or an
    /// [`Image`] of any other origin. All kernels of a crate are loaded at once, so that no launch has to load code
    /// while another kernel spins.
    ///
    /// The first call of a job is collective, because it starts the GPUs on all PEs, unless [`Shmem::malloc_gpu`] has
    /// done so before. Later calls concern this PE alone.
    ///
    /// ```no_run
    /// use cushmem::{DevPtr, Grid, Image, Kernel, Shmem};
    ///
    /// /// `extern "C" __global__ void scale(float *x, float by)`, compiled by nvcc to PTX.
    /// #[derive(Clone, Copy)]
    /// struct Scale;
    ///
    /// impl Kernel for Scale {
    ///     type Args = (DevPtr<f32>, f32);
    ///     const NAME: &'static str = "scale";
    /// }
    ///
    /// fn double(shmem: &Shmem) -> Result<(), Box<dyn std::error::Error>> {
    ///     let module = shmem.load(Image::new("scale.ptx", &std::fs::read("scale.ptx")?))?;
    ///     let (stream, x) = (shmem.stream()?, shmem.device_alloc::<f32>(256)?);
    ///     // SAFETY: the kernel takes an address and a number, and changes one element in each lane.
    ///     unsafe { stream.launch(&module, Scale, Grid::linear(1, 256), (x.device_ptr(), 2.0))? };
    ///     Ok(stream.synchronize()?)
    /// }
    /// ```
    pub fn load<'i>(&self, image: impl Into<Image<'i>>) -> Result<Module<'_>> {
        let (gpu, context) = self.gpus("load kernels")?;
        self.services().launches().note_kernels_know_job();
        let start = Instant::now();
        let Image(origin) = image.into();
        let (name, raw) = match origin {
            Origin::Crate(image) => (image.name, gpu.gpu().load_module(image, Some(context))?),
            Origin::Other { name, bytes } => (name, gpu.gpu().load_other(name, bytes, Some(context))?),
        };
        let kernels = match origin {
            Origin::Crate(image) => image.kernels,
            Origin::Other { .. } => &[],
        };
        // All at once, because the driver may have to wait for kernels that are running before it loads another one.
        let functions = kernels
            .iter()
            .filter(|kernel| !raw.lacks(kernel.name))
            .map(|kernel| Ok((kernel.name, raw.function(kernel.name)?)));
        let functions = functions.collect::<Result<_>>()?;
        Ok(Module { shmem: self, name: name.to_owned(), raw, functions, load_time: start.elapsed() })
    }

    /// Creates a stream that does not wait for the default stream.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let stream = shmem.stream()?;
    /// // Kernels are launched here, and run one after the other.
    /// stream.synchronize()?;
    /// # Ok(()) }) }
    /// ```
    pub fn stream(&self) -> Result<Stream<'_>> {
        let raw = self.own_gpu("create a stream")?.create_stream()?;
        name_new_stream(&*raw);
        self.with_counter(raw)
    }

    /// Creates a stream of the highest priority. Blocks of its kernels, and of operations that the library's kernels
    /// carry out for it, start before waiting blocks of other streams. Use it for work that others wait for while
    /// another kernel fills the GPU.
    pub fn urgent_stream(&self) -> Result<Stream<'_>> {
        let raw = self.own_gpu("create a stream")?.create_urgent_stream()?;
        name_new_stream(&*raw);
        self.with_counter(raw)
    }

    /// Wraps a stream of the back end in the library's type.
    pub(super) fn with_counter(&self, raw: Arc<dyn cushmem_gpu::Stream>) -> Result<Stream<'_>> {
        let gpu = self.own_gpu("create a stream")?;
        let counters = gpu.alloc(ROLES_COUNTER + size_of::<u64>() as u64)?;
        let launches = Arc::new(self.services().launches().of_stream());
        let stream = Stream { shmem: self, raw, launches, times: KernelTimes::default(), counters };
        self.clear_word(counters, size_of::<u32>())?;
        self.clear_word(counters + ROLES_COUNTER, size_of::<u64>())?;
        Ok(stream)
    }

    /// Sets a word of up to 8 bytes in GPU memory to 0.
    fn clear_word(&self, address: u64, bytes: usize) -> Result<()> {
        let zero = 0u64;
        let zero_address = std::ptr::from_ref(&zero).expose_provenance() as u64;
        // SAFETY: both ranges have this many bytes and live until the copy is complete.
        unsafe { self.transfers().copy_and_wait(address, zero_address, bytes) }
    }
}

impl<'a> Stream<'a> {
    pub(super) fn shmem(&self) -> &'a Shmem {
        self.shmem
    }

    pub(super) fn raw(&self) -> &dyn cushmem_gpu::Stream {
        &*self.raw
    }

    pub(super) fn launches(&self) -> &StreamLaunches {
        &self.launches
    }

    pub(super) fn times(&self) -> &KernelTimes {
        &self.times
    }

    /// The queue for operations of the library.
    pub(super) fn queue(&self) -> Queue<'_> {
        self.shmem.services().begin_on_streams();
        Queue { stream: &*self.raw, launches: Some(&self.launches) }
    }

    /// Launches a kernel, which runs once everything before it on the stream has finished. Its blocks may run one after
    /// another.
    ///
    /// # Safety
    /// The arguments satisfy the kernel's requirements until it has finished.
    pub unsafe fn launch<K: Kernel>(&self, module: &Module<'_>, kernel: K, grid: Grid, args: K::Args) -> Result<()> {
        // SAFETY: the caller guarantees that the arguments are valid.
        unsafe { self.start(module, kernel, grid, LaunchKind::Plain, args) }
    }

    /// Launches a kernel whose blocks are all resident at the same time, so that they may wait for each other. Fails,
    /// and names the number that fits, if there are too many blocks.
    ///
    /// # Safety
    /// The conditions of [`Stream::launch`].
    pub unsafe fn launch_cooperative<K: Kernel>(
        &self,
        module: &Module<'_>,
        kernel: K,
        grid: Grid,
        args: K::Args,
    ) -> Result<()> {
        // SAFETY: the caller guarantees that the arguments are valid.
        unsafe { self.start(module, kernel, grid, LaunchKind::Cooperative, args) }
    }

    /// Launches a kernel whose blocks take the roles of `plan` in the order in which they arrive, and wait for each
    /// other as `cushmem_protocol::roles` allows. `args` builds the kernel's arguments from the [`Roles`] that the
    /// kernel needs for that. Fails, and names both numbers, if fewer blocks can be resident at the same time than the
    /// long-lived roles (receivers and senders) need, because those blocks would wait for ever.
    ///
    /// A plan with long-lived roles is launched cooperatively. Without them, the grid may have more blocks than fit on
    /// the GPU.
    ///
    /// ```no_run
    /// use cushmem::{DevPtr, Grid, Kernel, Module, Result, RolePlan, Roles, Stream};
    ///
    /// # #[derive(Clone, Copy)]
    /// # struct Double;
    /// # impl Kernel for Double {
    /// #     type Args = (DevPtr<u32>, DevPtr<u64>, DevPtr<u64>, Roles);
    /// #     const NAME: &'static str = "double";
    /// # }
    /// /// Runs a kernel with a receiver, a sender, and a role for each number. `words` are zeros.
    /// fn double(stream: &Stream<'_>, module: &Module<'_>, numbers: DevPtr<u32>, n: u64, words: DevPtr<u64>) -> Result<()> {
    ///     let plan = RolePlan { receivers: 1, senders: 1, computing: n };
    ///     let args = |roles| (numbers, words, words.add(1), roles);
    ///     // SAFETY: the kernel takes `n` numbers and two words.
    ///     unsafe { stream.launch_roles(module, Double, Grid::linear(8, 32), plan, args)? };
    ///     stream.synchronize()
    /// }
    /// ```
    ///
    /// # Safety
    /// The conditions of [`Stream::launch`].
    pub unsafe fn launch_roles<K: Kernel>(
        &self,
        module: &Module<'_>,
        kernel: K,
        grid: Grid,
        plan: RolePlan,
        args: impl FnOnce(Roles) -> K::Args,
    ) -> Result<()> {
        let blocks = grid.block_count();
        let kind = if plan.lasting() == 0 { LaunchKind::Plain } else { LaunchKind::Cooperative };
        if kind == LaunchKind::Cooperative {
            let threads = grid.threads_per_block();
            let fit = u64::from(module.max_resident_blocks_of(kernel, &grid)?);
            let together = blocks.min(fit);
            if together < plan.resident() {
                let cause = format!(
                    "{} receiving and {} sending roles last as long as the kernel, so with one block for the rest {} blocks \
                     must be resident together; the grid has {blocks} of {threads} threads, of which {fit} fit on the GPU",
                    plan.receivers,
                    plan.senders,
                    plan.resident()
                );
                return Err(Error::new(format!("launch {}", K::NAME), Cause::Mismatch(cause)));
            }
        }
        let roles = Roles::new(plan, DevPtr::from_address(self.counters + ROLES_COUNTER));
        // SAFETY: the caller guarantees that the arguments are valid.
        unsafe { self.start(module, kernel, grid, kind, args(roles)) }
    }

    unsafe fn start<K: Kernel>(
        &self,
        module: &Module<'_>,
        kernel: K,
        grid: Grid,
        kind: LaunchKind,
        args: K::Args,
    ) -> Result<()> {
        if !std::ptr::eq(self.shmem, module.shmem) {
            let cause = Cause::Mismatch("stream and module belong to different job handles".into());
            return Err(Error::new(format!("launch {}", K::NAME), cause));
        }
        let function = module.function::<K>()?;
        let _launching = Launching::new(&*self.raw, Some(K::NAME));
        let launch = || {
            // SAFETY: the tuple's types are the kernel's parameters; the caller guarantees that their values are valid.
            args.with_pointers(|pointers| unsafe { self.raw.launch(function.as_ref(), &grid, kind, pointers) })
        };
        let launch = || self.launches.add(K::NAME, launch);
        let blocks = || Some((grid.block_count(), module.max_resident_blocks_of(kernel, &grid).ok()?));
        self.times
            .of((&*self.raw, self.shmem.transfers().library()), Some((K::NAME, &blocks)), launch)
            .map_err(|e| self.shmem.transfers().device_error(K::NAME, e))
    }

    /// Posts a prepared operation: the CPU carries it out once everything before it on the stream has finished. The
    /// stream does not wait for it. To complete it, synchronise the stream and then call [`Shmem::quiet`]. A prepared
    /// operation can be posted from one stream only, and not while that stream is being captured.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::Operation;
    ///
    /// let (inbox, outbox) = (shmem.malloc_gpu::<f32>(256)?, shmem.malloc_gpu::<f32>(256)?);
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// let put = shmem.prepare(Operation::put(inbox, outbox, next)?)?;
    /// let stream = shmem.stream()?;
    /// // A kernel that fills `outbox` is launched here.
    /// stream.post(&put)?;
    /// stream.synchronize()?;
    /// shmem.quiet()?;
    /// # Ok(()) }) }
    /// ```
    pub fn post(&self, prepared: &Prepared<'_>) -> Result<()> {
        if !std::ptr::eq(self.shmem, prepared.shmem()) {
            let cause = Cause::Mismatch("stream and operation belong to different job handles".into());
            return Err(Error::new("post", cause));
        }
        let stream = Arc::as_ptr(&self.launches).addr();
        self.shmem.services().post_from_stream(prepared.entry(), stream, |address, posts| {
            // SAFETY: a word of the library's own pinned memory, which lives as long as the operation; dropping the
            // operation waits for the stream's posts.
            let written = unsafe { self.raw.write_word(address, posts) };
            written.map_err(|error| self.shmem.transfers().device_error("post", error))
        })
    }

    /// Returns the word that [`cushmem_device::grid_sync`] needs. Pass it to a cooperative kernel on this stream.
    pub fn grid_counter(&self) -> DevPtr<u32> {
        DevPtr::from_address(self.counters)
    }

    /// Makes later work on this stream wait for everything that is now on `other`. The call itself does not wait.
    ///
    /// If `other` is being [captured](Stream::capture), this stream is recorded from now on too, into the same graph,
    /// where work of the two streams that does not wait for each other may run concurrently. Make `other` wait for this
    /// stream again before the capture ends.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (first, second) = (shmem.stream()?, shmem.stream()?);
    /// // A kernel is launched on `first` here.
    /// second.wait_for(&first)?;
    /// // A kernel that is launched on `second` here finds what the other one stored.
    /// # second.synchronize()
    /// # }) }
    /// ```
    pub fn wait_for(&self, other: &Stream<'_>) -> Result<()> {
        let operation = "make a stream wait for another";
        if !std::ptr::eq(self.shmem, other.shmem) {
            let cause = Cause::Mismatch("the streams belong to different job handles".into());
            return Err(Error::new(operation, cause));
        }
        let waits = ordered([&*self.raw, &*other.raw], || self.raw.wait_for(&*other.raw));
        waits.map_err(|error| self.shmem.transfers().device_error(operation, error))
    }

    /// Waits until everything on the stream has finished. If a kernel stopped with an error, the error says why.
    pub fn synchronize(&self) -> Result<()> {
        let _timed = Timed::on_stream(Operation::Synchronize, 0, &*self.raw);
        let launched = self.launches.so_far();
        let waited = waiting(&self.launches, || self.raw.synchronize());
        waited.map_err(|e| self.shmem.services().lost(self.launches.describe(), e))?;
        self.launches.have_finished(launched);
        self.times.look_up(&*self.raw);
        Ok(())
    }

    /// Returns whether everything on the stream has finished.
    pub fn is_idle(&self) -> Result<bool> {
        let launched = self.launches.so_far();
        let idle = self.raw.is_idle();
        let idle = idle.map_err(|e| self.shmem.services().lost(self.launches.describe(), e))?;
        if idle {
            self.launches.have_finished(launched);
        }
        Ok(idle)
    }

    /// Returns the driver's handle (`CUstream`), for calls of your own. On the emulated GPU it is a number that only
    /// this library knows. For the other direction see [`crate::raw::Raw::stream`].
    pub fn handle(&self) -> usize {
        self.shmem.services().launches().note_uncounted();
        self.raw.raw()
    }

    /// Marks the current end of the queue.
    pub fn record(&self) -> Result<Event<'a>> {
        let launched = self.launches.so_far();
        Ok(Event { shmem: self.shmem, raw: self.raw.record()?, launches: self.launches.clone(), launched })
    }
}

/// Waits for a stream, and tells the launcher so.
fn waiting<T>(launches: &StreamLaunches, wait: impl FnOnce() -> T) -> T {
    let _published = publish(Instant::now(), Wait { what: launches.describe(), late: vec![] });
    let _in_driver = launches.in_driver();
    wait()
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // During unwinding a kernel may wait for this PE forever; the end of the process stops it.
        if std::thread::panicking() {
            std::mem::forget(self.raw.clone());
            return;
        }
        if let Some(gpu) = self.shmem.memory().opened_gpu() {
            // Kernels on the stream may still use the counter. Calls that wait for results report errors.
            let launched = self.launches.so_far();
            let timed = Timed::on_stream(Operation::Synchronize, 0, &*self.raw);
            let waited = waiting(&self.launches, || self.raw.synchronize());
            drop(timed);
            if waited.is_ok() {
                self.launches.have_finished(launched);
                self.times.look_up(&*self.raw);
            }
            let _ = gpu.free(self.counters);
        }
    }
}

impl Event<'_> {
    /// Returns the milliseconds from `earlier` to this event, after waiting until the stream has passed it.
    pub fn elapsed_ms(&self, earlier: &Event<'_>) -> Result<f32> {
        // Without its stream, which may have more to do behind the event.
        let timed = Timed::new(Operation::Synchronize, 0);
        let wait = waiting(&self.launches, || self.raw.synchronize());
        drop(timed);
        let wait = wait.and_then(|()| {
            self.launches.have_finished(self.launched);
            self.raw.elapsed_ms(earlier.raw.as_ref())
        });
        wait.map_err(|e| self.shmem.services().lost(self.launches.describe(), e))
    }
}
