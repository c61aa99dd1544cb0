//! GPUs behind one trait.
//!
//! [`cuda`] drives NVIDIA GPUs through the driver API, which is opened at run time. [`soft`] emulates one on the CPU,
//! so that everything built on this crate runs on a machine without a GPU. Device memory is named by its address, a
//! plain `u64`, which the CPU never dereferences.

mod error;
mod launch;

pub mod cuda;
pub mod soft;

pub use error::GpuError;
pub use launch::{Grid, LaunchKind};

use cushmem_abi::{DeviceContext, ModuleImage};
use std::ops::Range;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, GpuError>;

/// What a GPU is and can do.
///
/// ```
/// # fn tell(gpu: &cushmem_gpu::Properties) {
/// let (major, minor) = gpu.compute_capability;
/// match gpu.emulated {
///     true => println!("{}", gpu.name),
///     false => println!("{}, sm_{major}{minor}, {} multiprocessors", gpu.name, gpu.sm_count),
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Properties {
    /// The vendor's name for the GPU.
    pub name: String,
    /// An identifier of the device that is the same in all processes of this machine: two PEs have the same value
    /// exactly if they share the GPU.
    pub uuid: [u8; 16],
    /// Device number in this process.
    pub ordinal: u32,
    /// The number of streaming multiprocessors.
    pub sm_count: u32,
    /// The compute capability, major and minor; (0, 0) for the emulated GPU.
    pub compute_capability: (u32, u32),
    /// The size of the device memory in bytes.
    pub memory_bytes: u64,
    /// Whether the GPU is emulated on the CPU.
    pub emulated: bool,
    /// The smallest unit of device chunks, and the alignment of their addresses, in bytes.
    pub granularity: u64,
}

/// How a GPU reaches another one's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether additions by kernels here are atomic with those of the memory's owner and of others. Some PCIe links
    /// carry loads and stores only.
    pub native_atomics: bool,
}

/// Bytes of what names an allocation in other processes.
pub const IPC_BYTES: usize = 64;

/// Physical device memory that can be mapped here and shared with other processes.
pub trait Chunk: Send + Sync {
    /// Bytes.
    fn bytes(&self) -> u64;
    /// A file descriptor that [`Gpu::import_chunk`] of another process understands.
    fn share(&self) -> Result<OwnedFd>;
    /// For the back end that made it.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// Chunks that are mapped one behind the other.
pub struct Mapped {
    /// Where the first begins.
    pub first: u64,
    /// All of them.
    pub chunks: Vec<Arc<dyn Chunk>>,
}

/// One GPU, used by this process.
pub trait Gpu: Send + Sync {
    /// What it is.
    fn properties(&self) -> &Properties;

    /// The same GPU in a context of its own, for a thread of the library. What that thread starts does not wait while
    /// another thread is in a call of the driver that waits for kernels (freeing memory, unpinning it, loading a
    /// module), and a capture of a stream elsewhere does not forbid it. It shares memory with this one: what is mapped
    /// or registered here is reached from there, and the other way round. It is for streams that copy and write words.
    /// Contexts take turns on the GPU's multiprocessors, so nothing that needs one, such as a kernel, should be started
    /// there.
    fn in_own_context(&self) -> Result<Arc<dyn Gpu>>;

    /// Whether kernels and copy engines here reach memory of the GPU with this identity; the error is the reason why
    /// not.
    fn can_reach(&self, uuid: &[u8; 16]) -> std::result::Result<Reach, String>;

    /// Reserves `bytes` of device addresses, aligned to `alignment`, for [`Gpu::map_chunk`]. They are never given back
    /// before the process ends.
    fn reserve(&self, bytes: u64, alignment: u64) -> Result<u64>;

    /// Allocates shareable physical device memory; `bytes` is a multiple of the granularity. CUDA takes all of it at
    /// once; the emulation takes it when it is touched.
    fn create_chunk(&self, bytes: u64) -> Result<Arc<dyn Chunk>>;

    /// Opens memory that another process shared.
    fn import_chunk(&self, fd: BorrowedFd<'_>, bytes: u64) -> Result<Arc<dyn Chunk>>;

    /// Maps a chunk at `address`, inside a reservation, for reading and writing by this GPU. It stays mapped, and
    /// alive, until [`Gpu::unmap`].
    fn map_chunk(&self, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()>;

    /// Takes back one [`Gpu::map_chunk`].
    fn unmap(&self, address: u64, bytes: u64) -> Result<()>;

    /// Allocates private device memory, aligned to 256 bytes, not cleared.
    fn alloc(&self, bytes: u64) -> Result<u64>;

    /// Frees what [`Gpu::alloc`] returned.
    fn free(&self, address: u64) -> Result<()>;

    /// Makes host memory reachable by kernels at the same address, and copies from and to it asynchronous. `address`
    /// and `bytes` are multiples of the page size. From then on a copy is refused if its range lies partly in what was
    /// registered by this call and partly outside.
    fn register_host(&self, address: u64, bytes: u64) -> Result<()>;

    /// Takes back [`Gpu::register_host`].
    fn unregister_host(&self, address: u64) -> Result<()>;

    /// The chunks that some device memory lies in, if it was made of chunks that other processes can map; `None` if it
    /// is of another kind. What the emulation allocated becomes such a chunk: nobody may use it during the call.
    fn chunks_of(&self, address: u64, bytes: u64) -> Result<Option<Mapped>>;

    /// What other processes open an allocation by that has all these bytes, and where it begins.
    fn handle_of(&self, address: u64, bytes: u64) -> Result<([u8; IPC_BYTES], u64)>;

    /// Opens an allocation of another process: its address here.
    fn open_handle(&self, handle: &[u8; IPC_BYTES]) -> Result<u64>;

    /// Takes back one [`Gpu::open_handle`].
    fn close_handle(&self, address: u64) -> Result<()>;

    /// A new stream, which does not synchronise with the default stream.
    fn create_stream(&self) -> Result<Arc<dyn Stream>>;

    /// The same, of the highest priority: blocks of its kernels start before those of other streams that wait for room.
    fn create_urgent_stream(&self) -> Result<Arc<dyn Stream>>;

    /// A stream that the program itself made with the vendor's API. `raw` is the vendor's handle (`CUstream`); 0 is the
    /// default stream, the only one of the emulation that has a handle.
    ///
    /// # Safety
    /// `raw` is a stream of this GPU, which outlives the result.
    unsafe fn adopt_stream(&self, raw: usize) -> Result<Arc<dyn Stream>>;

    /// The driver's handle of the context that is used (`CUcontext`), 0 for the emulation.
    fn raw_context(&self) -> usize;

    /// Loads kernels and, if given, writes the context into the module's constant memory.
    fn load_module(&self, image: &'static ModuleImage, context: Option<&DeviceContext>) -> Result<Arc<dyn Module>>;

    /// Loads kernels of any origin, as PTX or in a form that the driver takes without compiling. If they ask for it,
    /// the context is written into their constant memory. `name` is for messages.
    fn load_other(&self, name: &str, image: &[u8], context: Option<&DeviceContext>) -> Result<Arc<dyn Module>>;

    /// Tells kernels that the program itself loaded with the vendor's API about the job. `raw` is the vendor's handle
    /// of their module (`CUmodule`).
    ///
    /// # Safety
    /// `raw` is the handle of a module that is loaded.
    unsafe fn adopt_module(&self, raw: usize, context: &DeviceContext) -> Result<()>;

    /// Whether this is memory of a GPU, of whatever allocator, that the CPU cannot access. Host memory is not, however
    /// the GPU reaches it.
    fn is_device_address(&self, address: u64) -> bool;

    /// What [`Gpu::alloc`] gave around an address, here or in another context of this GPU, and nobody has freed. By
    /// comparing alone: the driver is not asked.
    fn allocation(&self, address: u64) -> Option<Range<u64>>;

    /// A range around these bytes, if [`Gpu::is_device_address`] is true of all of them. Asks the driver.
    fn device_range(&self, address: u64, bytes: u64) -> Option<Range<u64>>;

    /// Whether these bytes of host memory lie in one piece of memory that copies run from and to by themselves:
    /// registered, or allocated by the driver.
    fn is_pinned(&self, address: u64, bytes: u64) -> bool;

    /// Waits until everything that was started on this GPU by this process has finished, but for what runs in other
    /// contexts.
    fn synchronize(&self) -> Result<()>;
}

/// Rows at equal distances, at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Address of the first row of the target.
    pub dst: u64,
    /// The same of the source.
    pub src: u64,
    /// Bytes from one row of the target to the next: at least those of a row, and at most [`Rows::MOST_STEP`].
    pub dst_step: u64,
    /// The same of the source.
    pub src_step: u64,
    /// Bytes of a row.
    pub width: u64,
    /// How many rows there are, at least one.
    pub count: u64,
}

impl Rows {
    /// A step that every GPU takes.
    pub const MOST_STEP: u64 = (1 << 31) - 1;

    /// Bytes from the first row's begin to the last row's end, of the target and of the source.
    pub fn spans(&self) -> [u64; 2] {
        [self.dst_step, self.src_step].map(|step| (self.count - 1) * step + self.width)
    }
}

/// A queue of work: its operations run one after the other.
pub trait Stream: Send + Sync {
    /// Copies between any two of device memory here, mapped device memory of a peer, and host memory.
    /// The ranges must stay valid until the copy is done. See [`Gpu::register_host`] for host ranges that are refused.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes, for reading and writing respectively, until the copy has finished.
    unsafe fn copy(&self, dst: u64, src: u64, bytes: u64) -> Result<()>;

    /// As [`Stream::copy`] of host memory to device memory, in a form that needs nothing of the multiprocessors, for
    /// which contexts take turns: a copy of up to 16 KiB in a context of its own would wait for its turn, 2 ms on an
    /// H200, while a kernel of another context runs. Of up to 8 bytes it may.
    ///
    /// # Safety
    /// As for [`Stream::copy`].
    unsafe fn copy_in_rows(&self, dst: u64, src: u64, bytes: u64) -> Result<()>;

    /// Copies rows as [`Stream::copy`] copies bytes, all in one operation.
    ///
    /// # Safety
    /// As for [`Stream::copy`], of each row.
    unsafe fn copy_rows(&self, rows: &Rows) -> Result<()>;

    /// Stores a word of 4 or 8 bytes into device memory, whole, when all that was enqueued before has finished.
    ///
    /// # Safety
    /// `address` is a word of so many bytes, aligned to them, that stays valid until then.
    unsafe fn set_word(&self, address: u64, value: u64, bytes: u64) -> Result<()>;

    /// Stores `value` into a word of registered host memory when all that was enqueued before has finished. A thread
    /// that loads the value with acquire sees what that work wrote.
    ///
    /// # Safety
    /// `address` is a word aligned to 8 bytes that stays valid until then, and is only used as an atomic.
    unsafe fn write_word(&self, address: u64, value: u64) -> Result<()>;

    /// Holds the stream until a word of device memory, or of registered host memory, has come to `value`. What the
    /// GPU's lanes stored before they changed the word, behind a fence of system scope, is there for what is enqueued
    /// next. Until then whatever waits for all streams waits, and so may streams that share a queue of the hardware
    /// with this one.
    ///
    /// # Safety
    /// `address` is a word of this GPU's memory, or of registered host memory, aligned to 8 bytes, that stays valid
    /// until then, and does not shrink.
    unsafe fn wait_word(&self, address: u64, value: u64) -> Result<()>;

    /// Starts a kernel. `args` holds one pointer per parameter, which is read before this returns.
    ///
    /// # Safety
    /// `args` matches the kernel's parameters, and the values satisfy the kernel's own contract until it has finished.
    unsafe fn launch(
        &self,
        kernel: &dyn Function,
        grid: &Grid,
        kind: LaunchKind,
        args: &[*const std::ffi::c_void],
    ) -> Result<()>;

    /// Has what is enqueued next wait for all that is on `other` now. If `other` is captured, this stream is from now
    /// on too, into the same graph; then `other` has to wait for it again before the capture ends.
    fn wait_for(&self, other: &dyn Stream) -> Result<()>;

    /// From now on what is enqueued is recorded, and does not run, until [`Stream::end_capture`]. Events and waiting
    /// are not for a stream that is captured.
    fn begin_capture(&self) -> Result<()>;

    /// Ends the recording, and gives what was recorded.
    fn end_capture(&self) -> Result<Arc<dyn Graph>>;

    /// Whether what is enqueued is recorded.
    fn is_captured(&self) -> Result<bool>;

    /// Waits until all that was enqueued so far has finished.
    fn synchronize(&self) -> Result<()>;

    /// Whether all that was enqueued so far has finished.
    fn is_idle(&self) -> Result<bool>;

    /// Marks the present end of the queue, for [`Event::elapsed_ms`].
    fn record(&self) -> Result<Arc<dyn Event>>;

    /// The driver's handle (`CUstream`), 0 for the emulation.
    fn raw(&self) -> usize;
    /// For the back end that made it.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// What a stream recorded, in its order, with the values of then. Dropping it waits for no run.
pub trait Graph: Send + Sync {
    /// Enqueues all of it on a stream of the same GPU. Runs of one graph follow each other.
    ///
    /// # Safety
    /// What was promised when it was recorded holds until the run has finished.
    unsafe fn launch(&self, stream: &dyn Stream) -> Result<()>;
}

/// A point in a stream's queue.
pub trait Event: Send + Sync {
    /// Waits until the stream has passed it.
    fn synchronize(&self) -> Result<()>;
    /// Milliseconds from `earlier` to this event; both must have been passed.
    fn elapsed_ms(&self, earlier: &dyn Event) -> Result<f32>;
    /// For [`Event::elapsed_ms`].
    fn as_any(&self) -> &dyn std::any::Any;
}

/// Loaded kernels.
pub trait Module: Send + Sync {
    /// The kernel of this name.
    fn function(&self, name: &str) -> Result<Arc<dyn Function>>;
}

/// A kernel of a loaded module.
pub trait Function: Send + Sync {
    /// Blocks of `threads` lanes that are resident on the whole GPU at the same time, if nothing else runs on it.
    fn max_resident_blocks(&self, threads: u32) -> Result<u32>;
    /// Most lanes a block of this kernel can have.
    fn max_threads(&self) -> u32;
    /// For the back end that made it.
    fn as_any(&self) -> &dyn std::any::Any;
}
