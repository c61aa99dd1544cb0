//! The emulated GPU: device memory, copies, streams and kernels on the CPU.
//!
//! Device addresses lie in a window of the address space in which every access faults. The bytes themselves are mapped
//! at an alias, a fixed distance above (see [`cushmem_abi::soft`]). Each stream has a worker thread, which executes
//! copies itself and runs the lanes of a kernel as coroutines.
//!
//! As on a GPU, errors of kernels and copies are sticky, launches and copies are asynchronous, private memory is not
//! cleared, a CPU access to a device address is fatal, and a copy must not cross the border of registered host memory.
//! Unlike on a GPU, [`crate::Gpu::free`], [`crate::Gpu::unmap`] and [`crate::Gpu::unregister_host`] do not wait for
//! running work, and x86 hides missing fences.

mod arguments;
mod chunk;
mod copy;
mod device;
mod exec;
mod fault;
mod module;
mod pace;
mod queue;
mod ranges;
mod registered;
mod stream;
mod window;

use crate::{Chunk, ForNetwork, Function, Gpu, GpuError, IPC_BYTES, Mapped, Module, Properties, Reach, Result, Stream};
use chunk::{GRANULARITY, SoftChunk};
use cushmem_abi::{DeviceContext, ModuleImage};
use device::Device;
use module::SoftModule;
use std::collections::BTreeMap;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use stream::SoftStream;
use window::{PAGE_BYTES, Window};

#[doc(hidden)]
pub use device::{leave_places_for, leave_room_for};

const UUID_MARK: &[u8; 4] = b"soft";

/// A GPU emulated on the CPU. All emulated GPUs of a process share the window of device addresses.
pub struct SoftGpu {
    properties: Properties,
    device: Arc<Device>,
    window: &'static Window,
    /// The default stream, which has the handle 0, once somebody has asked for it.
    default_stream: OnceLock<Arc<SoftStream>>,
    /// The other streams, by their handles.
    streams: Mutex<BTreeMap<usize, Weak<SoftStream>>>,
}

impl SoftGpu {
    /// Opens the emulated GPU number `ordinal`; every number exists.
    pub fn open(ordinal: u32) -> Result<Arc<Self>> {
        let window = Window::get();
        device::open_here();
        fault::install()?;
        exec::install_panic_hook();
        let properties = Properties {
            name: "emulated GPU".to_owned(),
            uuid: uuid(ordinal),
            ordinal,
            sm_count: 4,
            compute_capability: (0, 0),
            memory_bytes: machine_memory_bytes(),
            shared_bytes: module::MAX_SHARED_BYTES,
            emulated: true,
            granularity: GRANULARITY,
        };
        Ok(Self::with(properties, Arc::default(), window))
    }

    fn with(properties: Properties, device: Arc<Device>, window: &'static Window) -> Arc<Self> {
        Arc::new(Self { properties, device, window, default_stream: OnceLock::new(), streams: Mutex::default() })
    }

    fn streams(&self) -> MutexGuard<'_, BTreeMap<usize, Weak<SoftStream>>> {
        // Each change is one call of the map, so a panic elsewhere leaves it consistent.
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that `device_bytes` bytes of device addresses can be reserved. They cannot if the address space is
    /// limited too tightly, if they are more than 1 TiB, or if a sanitizer has taken the addresses.
    pub fn try_out(&self, device_bytes: u64) -> Result<()> {
        let operation = || format!("reserve {device_bytes} bytes of device addresses");
        self.window.try_out(device_bytes).map_err(|e| GpuError::new(operation(), e))
    }
}

/// Returns the same value for one ordinal in all processes of a machine, until the machine reboots.
fn uuid(ordinal: u32) -> [u8; 16] {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let digits: String = boot.chars().filter(char::is_ascii_hexdigit).take(16).collect();
    let machine = u64::from_str_radix(&digits, 16).unwrap_or(0);
    let mut uuid = [0; 16];
    uuid[..4].copy_from_slice(UUID_MARK);
    uuid[4..8].copy_from_slice(&ordinal.to_le_bytes());
    uuid[8..].copy_from_slice(&machine.to_le_bytes());
    uuid
}

fn machine_memory_bytes() -> u64 {
    // SAFETY: sysconf only reads its argument.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    u64::try_from(pages).unwrap_or(0) * PAGE_BYTES
}

impl Gpu for SoftGpu {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn in_own_context(&self) -> Result<Arc<dyn Gpu>> {
        self.device.check_room(|| format!("create a context on GPU {}", self.properties.ordinal))?;
        let (properties, device) = (self.properties.clone(), Arc::new(self.device.beside()));
        Ok(Self::with(properties, device, self.window))
    }

    fn can_reach(&self, uuid: &[u8; 16]) -> std::result::Result<Reach, String> {
        let reach = Reach { native_atomics: true };
        let refused = || "an emulated GPU reaches only emulated GPUs".to_owned();
        uuid.starts_with(UUID_MARK).then_some(reach).ok_or_else(refused)
    }

    fn reserve(&self, bytes: u64, alignment: u64) -> Result<u64> {
        let operation = || format!("reserve {bytes} bytes of device addresses");
        self.device.check_room(operation)?;
        self.window.reserve(bytes, alignment).map_err(|e| GpuError::new(operation(), e))
    }

    fn unreserve(&self, address: u64, bytes: u64) -> Result<()> {
        let operation = || format!("release {bytes} bytes of device addresses at {address:#x}");
        self.device.check(operation)?;
        self.window.unreserve(address, bytes).map_err(|e| GpuError::new(operation(), e))
    }

    fn create_chunk(&self, bytes: u64) -> Result<Arc<dyn Chunk>> {
        let operation = || format!("create a chunk of {bytes} bytes of device memory");
        self.device.check_room(operation)?;
        // The emulated device memory is host memory.
        if bytes > self.properties.memory_bytes {
            return Err(GpuError::new(operation(), format!("there are {} bytes", self.properties.memory_bytes)));
        }
        Ok(Arc::new(SoftChunk::create(bytes).map_err(|e| GpuError::new(operation(), e))?))
    }

    fn import_chunk(&self, fd: BorrowedFd<'_>, bytes: u64) -> Result<Arc<dyn Chunk>> {
        let operation = || format!("import a chunk of {bytes} bytes of device memory");
        self.device.check_room(operation)?;
        Ok(Arc::new(SoftChunk::import(fd, bytes).map_err(|e| GpuError::new(operation(), e))?))
    }

    fn map_chunk(&self, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()> {
        let bytes = chunk.bytes();
        let operation = || format!("map a chunk of {bytes} bytes of device memory at {address:#x}");
        self.device.check_room(operation)?;
        // Mapping needs only the descriptor, and a chunk of any back end can provide one.
        let fd = chunk.share()?;
        self.window.map_chunk(address, fd.as_fd(), bytes).map_err(|e| GpuError::new(operation(), e))
    }

    fn unmap(&self, address: u64, bytes: u64) -> Result<()> {
        let operation = || format!("unmap {bytes} bytes at {address:#x}");
        self.device.check(operation)?;
        self.window.unmap(address, bytes).map_err(|e| GpuError::new(operation(), e))
    }

    fn alloc(&self, bytes: u64) -> Result<u64> {
        let operation = || format!("allocate {bytes} bytes of device memory");
        self.device.check_room(operation)?;
        if bytes > self.properties.memory_bytes {
            return Err(GpuError::new(operation(), format!("the device has {} bytes", self.properties.memory_bytes)));
        }
        self.window.alloc(bytes).map_err(|e| GpuError::new(operation(), e))
    }

    fn free(&self, address: u64) -> Result<()> {
        let operation = || format!("free device memory at {address:#x}");
        self.device.check(operation)?;
        self.window.free(address).map_err(|e| GpuError::new(operation(), e))
    }

    fn register_host(&self, address: u64, bytes: u64) -> Result<()> {
        let operation = || format!("register {bytes} bytes of host memory at {address:#x}");
        self.device.check_room(operation)?;
        self.device.registered.add(address, bytes).map_err(|e| GpuError::new(operation(), e))
    }

    fn unregister_host(&self, address: u64) -> Result<()> {
        let operation = || format!("unregister host memory at {address:#x}");
        self.device.check(operation)?;
        self.device.registered.remove(address).map_err(|e| GpuError::new(operation(), e))
    }

    fn chunks_of(&self, address: u64, bytes: u64) -> Result<Option<Mapped>> {
        let operation = || format!("find the memory of {bytes} bytes at {address:#x}");
        self.device.check_room(operation)?;
        let range = self.window.allocation(address).filter(|range| range.end - address >= bytes);
        let range = range.ok_or_else(|| GpuError::new(operation(), "no single allocation has all of it"))?;
        let chunk = self.window.chunk_at(range.start).map_err(|e| GpuError::new(operation(), e))?;
        Ok(Some(Mapped { first: range.start, chunks: vec![chunk] }))
    }

    fn handle_of(&self, address: u64, bytes: u64) -> Result<([u8; IPC_BYTES], u64)> {
        let operation = format!("share {bytes} bytes of device memory at {address:#x}");
        Err(GpuError::new(operation, "an emulated GPU shares chunks"))
    }

    fn open_handle(&self, _handle: &[u8; IPC_BYTES]) -> Result<u64> {
        Err(GpuError::new("open a peer's device memory", "an emulated GPU shares chunks"))
    }

    fn for_network(&self, address: u64, bytes: u64) -> Result<ForNetwork> {
        let operation = || format!("let a network device use {bytes} bytes of device memory at {address:#x}");
        self.device.check(operation)?;
        self.window.check_range(address, bytes).map_err(|e| GpuError::new(operation(), e))?;
        // A network device does not know the difference. The GPU is one that promises little.
        let dma_buf = Err("the GPU is emulated, and its memory is the host's".to_owned());
        let address = cushmem_abi::soft::resolve(address);
        Ok(ForNetwork { address, dma_buf, keeps_order: false, can_flush: true })
    }

    fn flush_remote_writes(&self) -> Result<()> {
        self.device.check(|| "flush the writes of the network".to_owned())
    }

    fn close_handle(&self, address: u64) -> Result<()> {
        Err(GpuError::new(format!("close a peer's device memory at {address:#x}"), "an emulated GPU shares chunks"))
    }

    fn create_stream(&self) -> Result<Arc<dyn Stream>> {
        self.device.check_room(|| "create a stream".to_owned())?;
        let stream = Arc::new(SoftStream::create(&self.device, self.window)?);
        let mut streams = self.streams();
        streams.retain(|_, stream| stream.strong_count() > 0);
        streams.insert(stream.raw(), Arc::downgrade(&stream));
        Ok(stream)
    }

    fn create_urgent_stream(&self) -> Result<Arc<dyn Stream>> {
        // Each stream has a thread of its own, and lanes do not wait for room.
        self.create_stream()
    }

    unsafe fn adopt_stream(&self, raw: usize) -> Result<Arc<dyn Stream>> {
        if raw != 0 {
            let stream = self.streams().get(&raw).and_then(Weak::upgrade);
            let why = || format!("{raw:#x} is not a stream of the emulated GPU, or was destroyed");
            let stream = stream.ok_or_else(|| GpuError::new("adopt a stream", why()))?;
            return Ok(stream);
        }
        if self.default_stream.get().is_none() {
            let _ = self.default_stream.set(Arc::new(SoftStream::create_default(&self.device, self.window)?));
        }
        Ok(self.default_stream.get().expect("it was set above, if not before").clone())
    }

    fn raw_context(&self) -> usize {
        0
    }

    fn load_module(&self, image: &'static ModuleImage, context: Option<&DeviceContext>) -> Result<Arc<dyn Module>> {
        self.device.check(|| format!("load module {}", image.name))?;
        Ok(Arc::new(SoftModule::load(image, context)?))
    }

    fn load_other(&self, name: &str, _image: &[u8], _context: Option<&DeviceContext>) -> Result<Arc<dyn Module>> {
        let why = "the emulated GPU runs kernels of crates that use `kernels!` only: the host needs its own code";
        Err(GpuError::new(format!("load kernels {name}"), why))
    }

    unsafe fn adopt_module(&self, _raw: usize, _context: &DeviceContext) -> Result<()> {
        Err(GpuError::new("adopt a loaded module", "the emulated GPU has no modules of CUDA"))
    }

    unsafe fn module_of_program(&self, raw: usize, context: &DeviceContext) -> Result<Arc<dyn Module>> {
        let image = std::ptr::with_exposed_provenance::<ModuleImage>(raw);
        // SAFETY: the caller guarantees that an image is at this address, and images are static.
        let image: &'static ModuleImage = unsafe { &*image };
        self.load_module(image, Some(context))
    }

    unsafe fn module_of_library(&self, _raw: usize) -> Result<usize> {
        Err(GpuError::new("adopt a loaded library", "the emulated GPU has no libraries of CUDA"))
    }

    unsafe fn function_of_unit(
        &self,
        name: &str,
        _find: &dyn Fn() -> std::result::Result<usize, i32>,
    ) -> Result<Arc<dyn Function>> {
        let why = "the emulated GPU runs kernels in Rust only, and this one is in CUDA C++";
        Err(GpuError::new(format!("find kernel {name}"), why))
    }

    fn is_device_address(&self, address: u64) -> bool {
        cushmem_abi::soft::is_device_address(address)
    }

    fn allocation(&self, address: u64) -> Option<Range<u64>> {
        self.window.allocation(address)
    }

    fn device_range(&self, address: u64, bytes: u64) -> Option<Range<u64>> {
        let end = address.checked_add(bytes)?;
        let is_there = self.is_device_address(address) && self.window.check_range(address, bytes).is_ok();
        is_there.then_some(address..end)
    }

    fn is_of_lanes(&self, address: u64) -> bool {
        exec::is_of_lanes(address)
    }

    fn is_pinned(&self, address: u64, bytes: u64) -> bool {
        self.device.registered.has(address, bytes)
    }

    fn synchronize(&self) -> Result<()> {
        let operation = || format!("synchronize GPU {}", self.properties.ordinal);
        self.device.check(operation)?;
        self.device.wait_for_all();
        self.device.check(operation)
    }
}
