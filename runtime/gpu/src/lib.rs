//! GPUs behind one trait, [`Gpu`], with two back ends.
//!
//! [`cuda`] drives NVIDIA GPUs through the driver API, whose library is opened at run time. [`soft`] emulates a GPU on
//! the CPU, so that everything built on this crate also runs on a machine without a GPU. Device memory is named by its
//! address, a plain `u64` that the CPU never dereferences.

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

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, GpuError>;

/// Properties of a GPU.
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
    /// The most shared memory that a block can have, static and dynamic together, in bytes.
    pub shared_bytes: u32,
    /// Whether the GPU is emulated on the CPU.
    pub emulated: bool,
    /// The smallest unit of device chunks, and the alignment of their addresses, in bytes.
    pub granularity: u64,
}

/// How a GPU reaches another GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether additions by kernels of this GPU are atomic with those of the memory's owner and of other GPUs. Some
    /// PCIe links carry only loads and stores.
    pub native_atomics: bool,
}

/// The size in bytes of a handle that names an allocation in other processes.
pub const IPC_BYTES: usize = 64;

/// Physical device memory that can be mapped here and shared with other processes.
pub trait Chunk: Send + Sync {
    /// Returns the size in bytes.
    fn bytes(&self) -> u64;
    /// Returns a file descriptor that [`Gpu::import_chunk`] accepts in another process.
    fn share(&self) -> Result<OwnedFd>;
    /// Lets the back end that made the object recognise it.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// Chunks that are mapped one after the other.
pub struct Mapped {
    /// The address at which the first chunk is mapped.
    pub first: u64,
    /// All of the chunks, in the order of their addresses.
    pub chunks: Vec<Arc<dyn Chunk>>,
}

/// Device memory, as a network device uses it.
#[derive(Debug)]
pub struct ForNetwork {
    /// The address by which the network device's driver knows it, if it does.
    pub address: u64,
    /// A dma-buf that has the memory, and the offset in it at which the memory starts; or why there is none.
    pub dma_buf: std::result::Result<(OwnedFd, u64), String>,
    /// Whether all GPUs of the machine see what devices write there in the order in which it comes.
    pub keeps_order: bool,
    /// Whether [`Gpu::flush_remote_writes`] can be called where no order is kept.
    pub can_flush: bool,
}

/// A GPU, as this process uses it.
pub trait Gpu: Send + Sync {
    /// Returns the GPU's properties.
    fn properties(&self) -> &Properties;

    /// Returns the same GPU in a context of its own, for a thread of the library.
    ///
    /// Work started there does not wait while another thread is in a driver call that waits for kernels (freeing
    /// memory, unpinning it, loading a module), and a stream capture elsewhere does not forbid it. The two contexts
    /// share memory: each reaches what is mapped or registered in the other. The context is meant for streams that copy
    /// and write words. Contexts take turns on the GPU's multiprocessors, so do not start anything there that needs a
    /// multiprocessor, such as a kernel.
    fn in_own_context(&self) -> Result<Arc<dyn Gpu>>;

    /// Whether kernels and copy engines of this GPU reach the memory of the GPU with this identity. The error gives the
    /// reason if they do not.
    fn can_reach(&self, uuid: &[u8; 16]) -> std::result::Result<Reach, String>;

    /// Reserves `bytes` of device addresses, aligned to `alignment`, for [`Gpu::map_chunk`].
    fn reserve(&self, bytes: u64, alignment: u64) -> Result<u64>;

    /// Gives back `bytes` of device addresses that [`Gpu::reserve`] returned. Nothing is mapped there any more.
    fn unreserve(&self, address: u64, bytes: u64) -> Result<()>;

    /// Allocates shareable physical device memory; `bytes` is a multiple of the granularity. CUDA allocates all of it
    /// at once, the emulation allocates pages as they are touched.
    fn create_chunk(&self, bytes: u64) -> Result<Arc<dyn Chunk>>;

    /// Opens memory that another process shared.
    fn import_chunk(&self, fd: BorrowedFd<'_>, bytes: u64) -> Result<Arc<dyn Chunk>>;

    /// Maps a chunk at `address`, inside a reservation, for reading and writing by this GPU. It stays mapped, and its
    /// memory allocated, until [`Gpu::unmap`].
    fn map_chunk(&self, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()>;

    /// Undoes one [`Gpu::map_chunk`].
    fn unmap(&self, address: u64, bytes: u64) -> Result<()>;

    /// Allocates private device memory, aligned to 256 bytes and not cleared.
    fn alloc(&self, bytes: u64) -> Result<u64>;

    /// Frees memory that [`Gpu::alloc`] returned.
    fn free(&self, address: u64) -> Result<()>;

    /// Registers (pins) host memory: kernels reach it at the same address, and copies from and to it are asynchronous.
    /// `address` and `bytes` are multiples of the page size. From then on, a copy is refused if its range lies partly
    /// inside and partly outside the memory that one call registered.
    fn register_host(&self, address: u64, bytes: u64) -> Result<()>;

    /// Undoes [`Gpu::register_host`].
    fn unregister_host(&self, address: u64) -> Result<()>;

    /// Returns the chunks in which this device memory lies, or `None` if it is not made of chunks that other processes
    /// can map. The emulation turns an allocation into such a chunk, so nobody may use the memory during the call.
    fn chunks_of(&self, address: u64, bytes: u64) -> Result<Option<Mapped>>;

    /// Returns a handle by which other processes can open the allocation that contains all these bytes, and the address
    /// at which that allocation starts.
    fn handle_of(&self, address: u64, bytes: u64) -> Result<([u8; IPC_BYTES], u64)>;

    /// Opens an allocation of another process and returns its address here.
    fn open_handle(&self, handle: &[u8; IPC_BYTES]) -> Result<u64>;

    /// Undoes one [`Gpu::open_handle`].
    fn close_handle(&self, address: u64) -> Result<()>;

    /// Prepares device memory, which is mapped or allocated, for a network device that is to read and write it. The
    /// error says why none can.
    fn for_network(&self, address: u64, bytes: u64) -> Result<ForNetwork>;

    /// Waits until what a network device has written to this GPU's memory, and has reported as complete, is visible to
    /// all GPUs of the machine. Not needed if the GPU keeps the order of such writes.
    fn flush_remote_writes(&self) -> Result<()>;

    /// Creates a stream that does not synchronise with the default stream.
    fn create_stream(&self) -> Result<Arc<dyn Stream>>;

    /// Creates such a stream with the highest priority: when blocks wait for room, those of its kernels start first.
    fn create_urgent_stream(&self) -> Result<Arc<dyn Stream>>;

    /// Wraps a stream that the program made with the vendor's API. `raw` is the vendor's handle (`CUstream`), or what
    /// [`Stream::raw`] returned for a stream of the emulation; 0 is the default stream. The emulation refuses a handle
    /// whose stream is gone.
    ///
    /// # Safety
    /// `raw` is a stream of this GPU, and it outlives the result.
    unsafe fn adopt_stream(&self, raw: usize) -> Result<Arc<dyn Stream>>;

    /// Returns the driver's handle of the context in use (`CUcontext`), or 0 for the emulation.
    fn raw_context(&self) -> usize;

    /// Loads kernels and, if given, writes the context into the module's constant memory.
    fn load_module(&self, image: &'static ModuleImage, context: Option<&DeviceContext>) -> Result<Arc<dyn Module>>;

    /// Loads kernels of any origin, as PTX or in a form that the driver takes without compiling. If they ask for the
    /// context, it is written into their constant memory. `name` is for messages.
    fn load_other(&self, name: &str, image: &[u8], context: Option<&DeviceContext>) -> Result<Arc<dyn Module>>;

    /// Gives the job's context to kernels that the program itself loaded with the vendor's API. `raw` is the vendor's
    /// handle of their module (`CUmodule`).
    ///
    /// # Safety
    /// `raw` is the handle of a loaded module.
    unsafe fn adopt_module(&self, raw: usize, context: &DeviceContext) -> Result<()>;

    /// Returns kernels that the program itself loaded with the vendor's API, and gives them the job's context. `raw` is
    /// the vendor's handle of their module (`CUmodule`). For the emulation it is the address of a [`ModuleImage`].
    ///
    /// # Safety
    /// `raw` is the handle of a module that stays loaded as long as the result and its functions are used, or for the
    /// emulation such an address.
    unsafe fn module_of_program(&self, raw: usize, context: &DeviceContext) -> Result<Arc<dyn Module>>;

    /// Returns the vendor's handle of the module (`CUmodule`) that a library of kernels (`CUlibrary`) is in this GPU's
    /// context.
    ///
    /// # Safety
    /// `raw` is the handle of a loaded library.
    unsafe fn module_of_library(&self, raw: usize) -> Result<usize>;

    /// Returns a kernel of a unit of CUDA C++. `find` looks it up in the current CUDA context and returns the vendor's
    /// handle (`CUfunction`), or the error of CUDA's runtime.
    ///
    /// # Safety
    /// What `find` returns is the handle of a kernel that stays loaded as long as the result is used.
    unsafe fn function_of_unit(
        &self,
        name: &str,
        find: &dyn Fn() -> std::result::Result<usize, i32>,
    ) -> Result<Arc<dyn Function>>;

    /// Whether a kernel has ended itself, of whatever origin. Does not wait for kernels.
    fn kernel_has_ended_itself(&self) -> bool {
        false
    }

    /// Gives the job's context to kernels of a unit of CUDA C++. `find` looks up the device address of their constant
    /// in the current CUDA context. Returns false if it finds none. The emulation runs no such kernels.
    fn tell_image(&self, _find: &dyn Fn() -> Option<u64>, _context: &DeviceContext) -> Result<bool> {
        Ok(true)
    }

    /// Whether this is GPU memory, from any allocator, that the CPU cannot access. Host memory does not count, even if
    /// the GPU can reach it.
    fn is_device_address(&self, address: u64) -> bool;

    /// Returns the range of the live [`Gpu::alloc`] allocation around an address, made in this context or another one
    /// of this GPU. This only compares addresses and does not ask the driver.
    fn allocation(&self, address: u64) -> Option<Range<u64>>;

    /// Returns a range around these bytes if [`Gpu::is_device_address`] is true of all of them. Asks the driver.
    fn device_range(&self, address: u64, bytes: u64) -> Option<Range<u64>>;

    /// Whether this is memory that only lanes of kernels reach, although it looks like the CPU's: stacks and shared
    /// memory of the emulated GPU.
    fn is_of_lanes(&self, _address: u64) -> bool {
        false
    }

    /// Whether these bytes of host memory lie in one piece of memory that copies can use asynchronously: memory that
    /// was registered, or that the driver allocated.
    fn is_pinned(&self, address: u64, bytes: u64) -> bool;

    /// Waits until all work that this process started on this GPU has finished, except work in other contexts.
    fn synchronize(&self) -> Result<()>;
}

/// A copy of rows that lie at equal distances, in the target and in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Address of the first row of the target.
    pub dst: u64,
    /// Address of the first row of the source.
    pub src: u64,
    /// Bytes from the start of one row of the target to the next: at least [`Rows::width`], at most
    /// [`Rows::MOST_STEP`].
    pub dst_step: u64,
    /// Bytes from the start of a row of the source to that of the next one.
    pub src_step: u64,
    /// Bytes in a row.
    pub width: u64,
    /// The number of rows, at least one.
    pub count: u64,
}

impl Rows {
    /// The largest step that every GPU accepts.
    pub const MOST_STEP: u64 = (1 << 31) - 1;

    /// Bytes from the start of the first row to the end of the last one, in the target and in the source.
    pub fn spans(&self) -> [u64; 2] {
        [self.dst_step, self.src_step].map(|step| (self.count - 1) * step + self.width)
    }

    /// The rows of [`Stream::copy_in_rows`]: two, and for an odd number of elements three more of one element each.
    /// None if there is a single element. An element has the largest size, up to 8 bytes, that divides the length and
    /// to which the target is aligned; none is cut, because rows are separate writes, in any order.
    pub(crate) fn of_elements(dst: u64, src: u64, bytes: u64) -> impl Iterator<Item = Self> {
        let element = 1 << (dst | bytes).trailing_zeros().min(3);
        let elements = bytes / element;
        let (half, single) = match elements {
            0 | 1 => (0, 0),
            _ if elements.is_multiple_of(2) => (elements / 2, 0),
            _ => ((elements - 3) / 2, 3),
        };
        let rows = move |at: u64, width: u64, count| Self {
            dst: dst + at,
            src: src + at,
            dst_step: width,
            src_step: width,
            width,
            count,
        };
        let all = [rows(0, half * element, 2), rows(2 * half * element, element, single)];
        all.into_iter().filter(|rows| rows.width > 0 && rows.count > 0)
    }
}

/// A queue of work, whose operations run one after the other.
pub trait Stream: Send + Sync {
    /// Copies between any two of this GPU's memory, a peer's mapped device memory, and host memory. See
    /// [`Gpu::register_host`] for host ranges that are refused.
    ///
    /// # Safety
    /// `dst` is valid for writing `bytes` bytes and `src` for reading them, until the copy has finished.
    unsafe fn copy(&self, dst: u64, src: u64, bytes: u64) -> Result<()>;

    /// Copies host memory to device memory like [`Stream::copy`], but without using the multiprocessors, on which
    /// contexts take turns. In a context of its own, a plain copy of up to 16 KiB would wait for its turn while a
    /// kernel of another context runs: 2 ms on an H200. A single element may still wait. Elements of the largest
    /// size, up to 8 bytes, that divides the length and to which the target is aligned are written as a whole, and
    /// once.
    ///
    /// # Safety
    /// The conditions of [`Stream::copy`].
    unsafe fn copy_in_rows(&self, dst: u64, src: u64, bytes: u64) -> Result<()>;

    /// Copies rows in one operation, as [`Stream::copy`] copies bytes.
    ///
    /// # Safety
    /// The conditions of [`Stream::copy`], for each row.
    unsafe fn copy_rows(&self, rows: &Rows) -> Result<()>;

    /// Stores a word of 4 or 8 bytes into device memory, in one piece, once everything enqueued before has finished.
    ///
    /// # Safety
    /// `address` is a word of `bytes` bytes, aligned to its size, that stays valid until then.
    unsafe fn set_word(&self, address: u64, value: u64, bytes: u64) -> Result<()>;

    /// Stores `value` into a word of registered host memory once everything enqueued before has finished. A thread that
    /// loads the value with acquire sees what that work wrote.
    ///
    /// # Safety
    /// `address` is a word, aligned to 8 bytes, that stays valid until then and is only used as an atomic.
    unsafe fn write_word(&self, address: u64, value: u64) -> Result<()>;

    /// Does [`Stream::set_word`] and then, for the word `word` and the value `report`, [`Stream::write_word`], in one
    /// call of the driver.
    ///
    /// # Safety
    /// The conditions of [`Stream::set_word`] and of [`Stream::write_word`].
    unsafe fn set_and_write(&self, set: (u64, u64, u64), word: u64, report: u64) -> Result<()>;

    /// Holds the stream until a word of device memory, or of registered host memory, has reached `value`. Work enqueued
    /// next sees what the GPU's lanes stored before a fence of system scope and the change of the word. Until then,
    /// anything that waits for all streams waits too, and so may streams that share a hardware queue with this one.
    ///
    /// # Safety
    /// `address` is a word of this GPU's memory or of registered host memory, aligned to 8 bytes. It stays valid until
    /// then, and its value never decreases.
    unsafe fn wait_word(&self, address: u64, value: u64) -> Result<()>;

    /// Starts a kernel. `args` holds one pointer per parameter, which are read before this returns.
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

    /// Makes what is enqueued next wait for everything that is on `other` now. If `other` is being captured, this
    /// stream is captured from now on too, into the same graph; then `other` has to wait for this stream before the
    /// capture ends.
    fn wait_for(&self, other: &dyn Stream) -> Result<()>;

    /// From now on, operations on this stream are recorded instead of run, until [`Stream::end_capture`]. Do not use
    /// events or wait for the stream while it is being captured.
    fn begin_capture(&self) -> Result<()>;

    /// Ends the recording and returns what was recorded.
    fn end_capture(&self) -> Result<Arc<dyn Graph>>;

    /// Whether operations on this stream are being recorded.
    fn is_captured(&self) -> Result<bool>;

    /// Waits until everything enqueued so far has finished.
    fn synchronize(&self) -> Result<()>;

    /// Whether everything enqueued so far has finished.
    fn is_idle(&self) -> Result<bool>;

    /// Marks the current end of the queue, for [`Event::elapsed_ms`].
    fn record(&self) -> Result<Arc<dyn Event>>;

    /// Returns the driver's handle (`CUstream`), or for the emulation a number by which [`Gpu::adopt_stream`] finds the
    /// stream.
    fn raw(&self) -> usize;
    /// Lets the back end that made the object recognise it.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// What a stream recorded, in order, with the values of that time. Dropping it does not wait for runs of it.
pub trait Graph: Send + Sync {
    /// Enqueues all of it on a stream of the same GPU. Runs of the same graph follow one another.
    ///
    /// # Safety
    /// What the caller guaranteed for the recorded operations holds until the run has finished.
    unsafe fn launch(&self, stream: &dyn Stream) -> Result<()>;
}

/// A point in a stream's queue.
pub trait Event: Send + Sync {
    /// Waits until the stream has passed this point.
    fn synchronize(&self) -> Result<()>;
    /// Whether the stream has passed this point.
    fn is_passed(&self) -> Result<bool>;
    /// Milliseconds from `earlier` to this event; both must have been passed.
    fn elapsed_ms(&self, earlier: &dyn Event) -> Result<f32>;
    /// For [`Event::elapsed_ms`].
    fn as_any(&self) -> &dyn std::any::Any;
}

/// Loaded kernels.
pub trait Module: Send + Sync {
    /// Returns the kernel with this name.
    fn function(&self, name: &str) -> Result<Arc<dyn Function>>;

    /// Whether this is a kernel of the module's crate that the module lacks, as only some kernels of a crate may be
    /// committed.
    fn lacks(&self, _name: &str) -> bool {
        false
    }
}

/// A kernel of a loaded module.
pub trait Function: Send + Sync {
    /// Returns how many blocks of `threads` lanes, with `shared_bytes` bytes of dynamic shared memory each, can be
    /// resident on the whole GPU together if nothing else runs on it.
    fn max_resident_blocks(&self, threads: u32, shared_bytes: u32) -> Result<u32>;
    /// Returns the largest number of lanes that a block of this kernel can have.
    fn max_threads(&self) -> u32;
    /// Lets the back end that made the object recognise it.
    fn as_any(&self) -> &dyn std::any::Any;
}

#[cfg(test)]
mod tests {
    use super::Rows;

    /// Catches rows that cut an element, write a byte twice or leave one out.
    #[test]
    fn rows_of_elements_are_the_copy() {
        for dst in 4096..4112 {
            for bytes in 0..200 {
                let element = [8, 4, 2, 1].into_iter().find(|size| dst % size == 0 && bytes % size == 0);
                let element = element.expect("a byte");
                let mut written = vec![0; bytes as usize];
                let mut operations = 0;
                for rows in Rows::of_elements(dst, 9000 + dst, bytes) {
                    assert_eq!((rows.src - rows.dst, rows.src_step, rows.width % element), (9000, rows.dst_step, 0));
                    assert!(rows.count > 1 && rows.dst_step >= rows.width, "{rows:?}");
                    operations += 1;
                    for at in (0..rows.count).flat_map(|row| (0..rows.width).map(move |i| row * rows.dst_step + i)) {
                        written[(rows.dst - dst + at) as usize] += 1;
                    }
                }
                let expected = if bytes / element > 1 { 1 } else { 0 };
                assert!(
                    operations <= 2 && written.iter().all(|times| *times == expected),
                    "{dst} {bytes}: {written:?}"
                );
            }
        }
    }
}
