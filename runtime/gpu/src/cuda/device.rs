use super::driver::{self, CUcontext, CUdevice, CUdevice_attribute, CUresult};
use super::facts::{self, Facts};
use super::memory::{self, CudaChunk};
use super::module::{CudaFunction, CudaModule};
use super::network;
use super::stream::CudaStream;
use super::{check, describe};
use crate::{Chunk, ForNetwork, Function, Gpu, GpuError, IPC_BYTES, Mapped, Module, Properties, Reach, Result, Stream};
use cushmem_abi::{DeviceContext, ModuleImage};
use cushmem_environment::log;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Returns how many GPUs this process may use. The error says why there are none.
pub fn device_count() -> std::result::Result<u32, String> {
    static COUNT: OnceLock<std::result::Result<u32, String>> = OnceLock::new();
    COUNT
        .get_or_init(|| {
            driver::open()?;
            // SAFETY: the driver is open; cuInit may be called any number of times.
            match unsafe { driver::cuInit(0) } {
                CUresult::CUDA_SUCCESS => {}
                status => return Err(format!("cuInit: {}", describe(status))),
            }
            report_lazy_loading();
            let mut count = 0;
            // SAFETY: the driver is initialised; the pointer is valid.
            match unsafe { driver::cuDeviceGetCount(&mut count) } {
                CUresult::CUDA_SUCCESS if count > 0 => Ok(count as u32),
                CUresult::CUDA_SUCCESS => Err("the driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?)".into()),
                status => Err(format!("cuDeviceGetCount: {}", describe(status))),
            }
        })
        .clone()
}

/// Whether CUDA has been started in this process. Asking neither starts nor opens anything.
pub fn is_in_use() -> bool {
    driver::is_started()
}

/// Whether the program started CUDA before [`choose_eager_loading`] and the user made no choice.
static STARTED_BEFORE: OnceLock<bool> = OnceLock::new();

/// Makes the driver load kernels together with their modules, unless the user has chosen otherwise. The driver reads
/// the variable when it starts, so this function must be called before. Only the first call has an effect, and it opens
/// nothing.
pub fn choose_eager_loading() {
    STARTED_BEFORE.get_or_init(|| {
        let name = cushmem_environment::CUDA_MODULE_LOADING.name;
        if std::env::var_os(name).is_some() {
            return false;
        }
        let started = is_in_use();
        if !started {
            // SAFETY: Rust's own functions exclude each other. A C program must not join a job while another thread
            // reads or changes the environment, as the documentation of the variable says.
            unsafe { std::env::set_var(name, "EAGER") };
        }
        started
    });
}

/// Writes a line if kernels are loaded lazily although nobody has chosen that.
fn report_lazy_loading() {
    if STARTED_BEFORE.get() != Some(&true) {
        return;
    }
    let mut mode = 0;
    // SAFETY: the driver is initialised; the pointer is valid.
    let asked = unsafe { driver::cuModuleGetLoadingMode(&mut mode) };
    if asked == CUresult::CUDA_SUCCESS && mode == driver::CU_MODULE_LAZY_LOADING {
        log!(
            Warn,
            "the program started CUDA before it joined the job, so kernels are loaded lazily, and the first launch of one may wait \
            for another that spins: set {}=EAGER, or join first",
            cushmem_environment::CUDA_MODULE_LOADING.name
        );
    }
}

/// A context that the program made current in a thread, and its device.
#[derive(Clone, Copy, Debug)]
pub struct Current {
    /// Device number in this process.
    pub device: u32,
    context: CUcontext,
}

/// Returns the context that is current in this thread, if there is one.
pub fn current() -> Option<Current> {
    device_count().ok()?;
    let mut context: CUcontext = std::ptr::null_mut();
    let mut device: CUdevice = 0;
    // SAFETY: the driver is initialised; the pointers are valid.
    let is_current = unsafe {
        driver::cuCtxGetCurrent(&mut context) == CUresult::CUDA_SUCCESS
            && !context.is_null()
            && driver::cuCtxGetDevice(&mut device) == CUresult::CUDA_SUCCESS
    };
    is_current.then_some(Current { device: device as u32, context })
}

/// Returns the UUIDs of the GPUs that this process may use, by device number; none if one is not known.
pub fn uuids() -> Vec<[u8; 16]> {
    let all = 0..device_count().unwrap_or(0);
    all.map(|ordinal| facts::uuid(facts::device(ordinal).ok()?).ok()).collect::<Option<_>>().unwrap_or_default()
}

/// A context of a device.
pub(super) struct Context {
    pub(super) device: CUdevice,
    raw: CUcontext,
    origin: Origin,
}

/// Where a context comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The device's primary context, retained, which the program uses too.
    Primary,
    /// Created by the program, and destroyed by it.
    Program,
    /// Created here, for the library alone.
    Own,
}

// SAFETY: a context handle may be used from any thread.
unsafe impl Send for Context {}
// SAFETY: the driver synchronises calls on one context.
unsafe impl Sync for Context {}

impl Context {
    fn primary(device: CUdevice, operation: impl FnOnce() -> String) -> Result<Arc<Self>> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is valid; the context is released in `drop`.
        check(unsafe { driver::cuDevicePrimaryCtxRetain(&mut raw, device) }, operation)?;
        Ok(Arc::new(Self { device, raw, origin: Origin::Primary }))
    }

    /// The context that the program chose, or the primary one. If the program chose that, it is retained.
    fn of_program(device: CUdevice, chosen: Option<Current>, operation: impl Fn() -> String) -> Result<Arc<Self>> {
        let (mut flags, mut is_active) = (0, 0);
        if let Some(chosen) = chosen {
            // SAFETY: the device exists; the pointers are valid.
            let asked = unsafe { driver::cuDevicePrimaryCtxGetState(device, &mut flags, &mut is_active) };
            check(asked, &operation)?;
            // Retaining a primary context that nobody uses creates it, which takes a third of a second.
            let other = Self { device, raw: chosen.context, origin: Origin::Program };
            if is_active == 0 || Self::primary(device, &operation)?.raw != other.raw {
                return Ok(Arc::new(other));
            }
        }
        Self::primary(device, operation)
    }

    fn own(device: CUdevice) -> Result<Arc<Self>> {
        let operation = || format!("create a context on GPU {device}");
        let (mut raw, mut popped) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the pointer is valid; the context is destroyed in `drop`.
        check(unsafe { driver::cuCtxCreate_v2(&mut raw, 0, device) }, operation)?;
        let context = Arc::new(Self { device, raw, origin: Origin::Own });
        // SAFETY: the pointer is valid. The call above put the new context on top of the stack, so this makes the
        // previous one current again.
        check(unsafe { driver::cuCtxPopCurrent_v2(&mut popped) }, operation)?;
        Ok(context)
    }

    /// Makes the context current in this thread, as every driver call expects, until the result is dropped. If the
    /// thread had no context, a primary context stays current: the CUDA runtime would choose it as well. A context that
    /// the program chose becomes current again. No other context stays. No call breaks the capture of a stream, in this
    /// thread or another.
    pub(super) fn enter(&self) -> Result<Entered> {
        let mut current: CUcontext = std::ptr::null_mut();
        let mut entered = Entered { before: None, capture_mode: None };
        // SAFETY: the pointer is valid, and the context lives as long as `self`.
        unsafe {
            check(driver::cuCtxGetCurrent(&mut current), || "query the current context".into())?;
            if current != self.raw {
                check(driver::cuCtxSetCurrent(self.raw), || "make the GPU's context current".into())?;
                entered.before = (!current.is_null() || self.origin != Origin::Primary).then_some(current);
            }
        }
        let mut mode = driver::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the pointer is valid; the thread's mode is restored when the result is dropped.
        let exchanged = unsafe { driver::cuThreadExchangeStreamCaptureMode(&mut mode) };
        check(exchanged, || "leave the captures of other threads alone".into())?;
        entered.capture_mode = Some(mode);
        Ok(entered)
    }
}

/// While this value lives, the library's context is current in this thread.
#[must_use]
pub(super) struct Entered {
    /// The context that was current before, if it has to be restored.
    before: Option<CUcontext>,
    /// The thread's previous capture mode, if it was changed.
    capture_mode: Option<u32>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(mut mode) = self.capture_mode {
            // SAFETY: the pointer is valid, and the mode was this thread's.
            let _ = unsafe { driver::cuThreadExchangeStreamCaptureMode(&mut mode) };
        }
        if let Some(before) = self.before {
            // SAFETY: the context was current in this thread before. If the program has destroyed it since, the driver
            // returns an error.
            let _ = unsafe { driver::cuCtxSetCurrent(before) };
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // A failure here has no consequence.
        let _ = match self.origin {
            // SAFETY: pairs with the retain in `primary`.
            Origin::Primary => unsafe { driver::cuDevicePrimaryCtxRelease_v2(self.device) },
            // SAFETY: the context was created in `own`. It is not current in any thread, because `Entered` has restored
            // the previous one, and its streams are gone, because each of them holds the context.
            Origin::Own => unsafe { driver::cuCtxDestroy_v2(self.raw) },
            Origin::Program => CUresult::CUDA_SUCCESS,
        };
    }
}

/// One NVIDIA GPU.
pub struct CudaGpu {
    context: Arc<Context>,
    properties: Properties,
    allocations: Arc<Allocations>,
}

/// The allocations that have not been freed: the start of each, and its size in bytes. No driver call is made while the
/// lock is held.
#[derive(Default)]
struct Allocations(Mutex<BTreeMap<u64, u64>>);

impl Allocations {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        // Each change is a single call of the map, so a panic elsewhere leaves it intact.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CudaGpu {
    /// Opens device `ordinal` of this process. Its primary context becomes current in this thread if the thread has
    /// none.
    pub fn open(ordinal: u32) -> Result<Arc<Self>> {
        Self::open_in(ordinal, None)
    }

    /// Opens the device of the context that the program chose, and uses that context. The program must not destroy it
    /// as long as the GPU is in use.
    pub fn open_chosen(chosen: Current) -> Result<Arc<Self>> {
        Self::open_in(chosen.device, Some(chosen))
    }

    fn open_in(ordinal: u32, chosen: Option<Current>) -> Result<Arc<Self>> {
        let operation = || format!("open GPU {ordinal}");
        let (device, facts) = (facts::device(ordinal)?, Facts::read(ordinal)?);
        if let Some(what) = facts.lacks {
            return Err(GpuError::new(operation(), format!("the GPU or its driver lacks {what}")));
        }
        let context = Context::of_program(device, chosen, operation)?;
        let _entered = context.enter()?;
        let properties = Properties {
            name: facts.name,
            uuid: facts.uuid,
            ordinal,
            sm_count: facts.sm_count,
            compute_capability: facts.compute_capability,
            memory_bytes: facts.memory_bytes,
            shared_bytes: facts.shared_bytes,
            emulated: false,
            granularity: memory::granularity(device)?,
        };
        Ok(Arc::new(Self { context, properties, allocations: Arc::default() }))
    }
}

pub(super) fn attribute(device: CUdevice, which: CUdevice_attribute) -> Result<i32> {
    let mut value = 0;
    // SAFETY: the driver is initialised and the pointer valid.
    check(unsafe { driver::cuDeviceGetAttribute(&mut value, which, device) }, || format!("read {which:?}"))?;
    Ok(value)
}

impl Gpu for CudaGpu {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn in_own_context(&self) -> Result<Arc<dyn Gpu>> {
        let context = Context::own(self.context.device)?;
        Ok(Arc::new(Self { context, properties: self.properties.clone(), allocations: self.allocations.clone() }))
    }

    fn can_reach(&self, uuid: &[u8; 16]) -> std::result::Result<Reach, String> {
        if *uuid == self.properties.uuid {
            return Ok(Reach { native_atomics: true });
        }
        let own = Facts::read(self.properties.ordinal).map_err(|e| e.to_string())?;
        for ordinal in 0..device_count()? {
            if Facts::read(ordinal).is_ok_and(|facts| facts.uuid == *uuid) {
                let link = own.link_to(ordinal).map_err(|e| e.to_string())?;
                let reach = Reach { native_atomics: link.native_atomics };
                let refused = || format!("GPU {} has no peer access to GPU {ordinal}", own.ordinal);
                return link.access.then_some(reach).ok_or_else(refused);
            }
        }
        Err("the peer's GPU is not visible in this process (CUDA_VISIBLE_DEVICES)".into())
    }

    fn reserve(&self, bytes: u64, alignment: u64) -> Result<u64> {
        let _entered = self.context.enter()?;
        memory::reserve(bytes, alignment)
    }

    fn unreserve(&self, address: u64, bytes: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        memory::unreserve(address, bytes)
    }

    fn create_chunk(&self, bytes: u64) -> Result<Arc<dyn Chunk>> {
        let _entered = self.context.enter()?;
        Ok(Arc::new(CudaChunk::create(&self.context, bytes)?))
    }

    fn import_chunk(&self, fd: BorrowedFd<'_>, bytes: u64) -> Result<Arc<dyn Chunk>> {
        let _entered = self.context.enter()?;
        Ok(Arc::new(CudaChunk::import(&self.context, fd, bytes)?))
    }

    fn map_chunk(&self, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()> {
        let _entered = self.context.enter()?;
        memory::map(self.context.device, address, chunk)
    }

    fn unmap(&self, address: u64, bytes: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        memory::unmap(address, bytes)
    }

    fn alloc(&self, bytes: u64) -> Result<u64> {
        let _entered = self.context.enter()?;
        let mut address = 0;
        // SAFETY: the pointer is valid.
        check(unsafe { driver::cuMemAlloc_v2(&mut address, bytes as usize) }, || {
            format!("allocate {bytes} bytes of device memory")
        })?;
        self.allocations.lock().insert(address, bytes);
        Ok(address)
    }

    fn free(&self, address: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        // Removed before the driver can give the address to somebody else.
        self.allocations.lock().remove(&address);
        // SAFETY: frees what `alloc` returned; the driver refuses anything else.
        check(unsafe { driver::cuMemFree_v2(address) }, || format!("free device memory at {address:#x}"))
    }

    fn register_host(&self, address: u64, bytes: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        let flags = driver::CU_MEMHOSTREGISTER_PORTABLE | driver::CU_MEMHOSTREGISTER_DEVICEMAP;
        // SAFETY: pins pages; the driver refuses addresses that are not mapped.
        let status = unsafe { driver::cuMemHostRegister_v2(address as *mut c_void, bytes as usize, flags) };
        check(status, || format!("pin {bytes} bytes of host memory at {address:#x}"))
    }

    fn unregister_host(&self, address: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the driver refuses addresses that are not registered.
        let status = unsafe { driver::cuMemHostUnregister(address as *mut c_void) };
        check(status, || format!("unpin host memory at {address:#x}"))
    }

    fn chunks_of(&self, address: u64, bytes: u64) -> Result<Option<Mapped>> {
        let _entered = self.context.enter()?;
        memory::chunks_of(&self.context, address, bytes)
    }

    fn handle_of(&self, address: u64, bytes: u64) -> Result<([u8; IPC_BYTES], u64)> {
        let _entered = self.context.enter()?;
        memory::handle_of(address, bytes)
    }

    fn open_handle(&self, handle: &[u8; IPC_BYTES]) -> Result<u64> {
        let _entered = self.context.enter()?;
        let (mut address, handle) = (0, driver::CUipcMemHandle { reserved: *handle });
        let flags = driver::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;
        // SAFETY: the pointer is valid; the driver refuses a value that is not a handle.
        check(unsafe { driver::cuIpcOpenMemHandle_v2(&mut address, handle, flags) }, || {
            "open a peer's device memory".into()
        })?;
        Ok(address)
    }

    fn for_network(&self, address: u64, bytes: u64) -> Result<ForNetwork> {
        let _entered = self.context.enter()?;
        network::prepare(self.context.device, address, bytes)
    }

    fn flush_remote_writes(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        network::flush()
    }

    fn close_handle(&self, address: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the driver refuses an address that it has not opened; nobody uses it any more.
        check(unsafe { driver::cuIpcCloseMemHandle(address) }, || {
            format!("close a peer's device memory at {address:#x}")
        })
    }

    fn create_stream(&self) -> Result<Arc<dyn Stream>> {
        let _entered = self.context.enter()?;
        Ok(Arc::new(CudaStream::create(&self.context)?))
    }

    fn create_urgent_stream(&self) -> Result<Arc<dyn Stream>> {
        let _entered = self.context.enter()?;
        Ok(Arc::new(CudaStream::create_urgent(&self.context)?))
    }

    unsafe fn adopt_stream(&self, raw: usize) -> Result<Arc<dyn Stream>> {
        Ok(Arc::new(CudaStream::adopt(&self.context, raw as driver::CUstream)))
    }

    fn raw_context(&self) -> usize {
        self.context.raw.addr()
    }

    fn load_module(&self, image: &'static ModuleImage, context: Option<&DeviceContext>) -> Result<Arc<dyn Module>> {
        let _entered = self.context.enter()?;
        let far = context.is_some_and(|context| context.far != 0);
        let records = context.is_some_and(|context| context.record != 0);
        let module = CudaModule::load(&self.context, image, (far, records), self.properties.compute_capability)?;
        if let Some(context) = context {
            module.set_context(context)?;
        }
        Ok(Arc::new(module))
    }

    fn load_other(&self, name: &str, image: &[u8], context: Option<&DeviceContext>) -> Result<Arc<dyn Module>> {
        let _entered = self.context.enter()?;
        Ok(Arc::new(CudaModule::load_other(&self.context, name, image, context)?))
    }

    unsafe fn adopt_module(&self, raw: usize, context: &DeviceContext) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the caller guarantees that `raw` is the handle of a loaded module.
        unsafe { super::module::adopt(&self.context, raw as driver::CUmodule, context) }
    }

    unsafe fn module_of_program(&self, raw: usize, context: &DeviceContext) -> Result<Arc<dyn Module>> {
        // SAFETY: the caller guarantees that `raw` is the handle of a loaded module.
        unsafe { self.adopt_module(raw, context)? };
        Ok(Arc::new(CudaModule::of_program(&self.context, raw as driver::CUmodule)))
    }

    unsafe fn function_of_unit(
        &self,
        name: &str,
        find: &dyn Fn() -> std::result::Result<usize, i32>,
    ) -> Result<Arc<dyn Function>> {
        let _entered = self.context.enter()?;
        let raw = find().map_err(|error| {
            let why = format!("CUDA has no such kernel for this GPU in the program (error {error} of its runtime)");
            GpuError::new(format!("find kernel {name}"), why)
        })?;
        // SAFETY: the caller guarantees the kernel.
        Ok(Arc::new(unsafe { CudaFunction::of_unit(&self.context, name, raw as driver::CUfunction)? }))
    }

    unsafe fn module_of_library(&self, raw: usize) -> Result<usize> {
        let _entered = self.context.enter()?;
        // SAFETY: the caller guarantees that `raw` is the handle of a loaded library.
        unsafe { super::library::module_of(raw) }
    }

    fn kernel_has_ended_itself(&self) -> bool {
        let Ok(_entered) = self.context.enter() else { return false };
        // SAFETY: the default stream of the current context always exists.
        (unsafe { driver::cuStreamQuery(std::ptr::null_mut()) }) == driver::CUresult::CUDA_ERROR_LAUNCH_FAILED
    }

    fn tell_image(&self, find: &dyn Fn() -> Option<u64>, context: &DeviceContext) -> Result<bool> {
        let _entered = self.context.enter()?;
        let Some(address) = find() else { return Ok(false) };
        // SAFETY: the constant has the size of a context, as the unit's header asserts.
        unsafe { super::module::write_context(&self.context, address, "in CUDA C++", context) }.map(|()| true)
    }

    fn is_device_address(&self, address: u64) -> bool {
        // Without a context, the driver does not recognise any address; then the CPU has to try.
        let Ok(_entered) = self.context.enter() else { return false };
        memory::is_device_address(address)
    }

    fn allocation(&self, address: u64) -> Option<Range<u64>> {
        let (start, bytes) =
            self.allocations.lock().range(..=address).next_back().map(|(&start, &bytes)| (start, bytes))?;
        (address - start < bytes).then_some(start..start + bytes)
    }

    fn device_range(&self, address: u64, bytes: u64) -> Option<Range<u64>> {
        let _entered = self.context.enter().ok()?;
        memory::device_range(address, bytes)
    }

    fn is_pinned(&self, address: u64, bytes: u64) -> bool {
        let Ok(_entered) = self.context.enter() else { return false };
        memory::is_known(address, bytes)
    }

    fn synchronize(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the call takes no arguments; it waits for the current context.
        check(unsafe { driver::cuCtxSynchronize() }, || format!("wait for GPU {}", self.properties.ordinal))
    }
}
