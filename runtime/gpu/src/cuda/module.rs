use super::binary;
use super::check;
use super::cubin::Cubin;
use super::device::Context;
use super::driver::{self, CUdevice_attribute, CUfunction, CUfunction_attribute, CUjit_option, CUmodule, CUresult};
use super::facts;
use super::stream::CudaStream;
use crate::launch::too_much_shared;
use crate::{Function, GpuError, Module, Result, Stream};
use cushmem_abi::{
    ABI_VERSION, CONTEXT_SYMBOL, DeviceContext, ModuleImage, RECORDED_SYMBOL, SOURCE_SYMBOL, VERSION_SYMBOL,
};
use cushmem_environment::log;
use cushmem_environment::printable;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Kernels loaded into a context.
pub(super) struct CudaModule {
    name: String,
    /// What it was loaded from, if that holds kernels of a crate.
    image: Option<&'static ModuleImage>,
    loaded: Arc<Loaded>,
}

/// The driver's module. Functions keep it alive.
struct Loaded {
    context: Arc<Context>,
    raw: CUmodule,
    /// Whether the program unloads it.
    is_of_program: bool,
}

// SAFETY: a module handle may be used from any thread.
unsafe impl Send for Loaded {}
// SAFETY: the driver synchronises its own state.
unsafe impl Sync for Loaded {}

impl CudaModule {
    /// Loads a trusted cubin that was made from exactly this PTX, if there is one. Otherwise the driver compiles the
    /// PTX.
    pub(super) fn load(
        context: &Arc<Context>,
        image: &'static ModuleImage,
        (far, records): (bool, bool),
        capability: (u32, u32),
    ) -> Result<Self> {
        let (ptx, line) = ptx(image, (far, records), takes_sm_90(capability, facts::driver_version().ok()))?;
        if let Some(line) = line {
            log!(Info, "{line}");
        }
        for cubin in Cubin::all(image.name, ptx, capability) {
            let loaded = cubin.read().and_then(|bytes| {
                binary::check_whole(&bytes)?;
                let module = Self::load_bytes(context, image.name, &bytes, &cubin.path().display().to_string());
                module.and_then(|module| module.checked(image)).map_err(|error| error.to_string())
            });
            match loaded {
                Ok(module) => return Ok(module),
                Err(why) => {
                    let path = printable(&cubin.path().display().to_string());
                    log!(Warn, "{path}: {why}; not loaded");
                }
            }
        }
        Self::load_text(context, image.name, ptx.as_bytes()).and_then(|module| module.checked(image))
    }

    /// Loads kernels of any origin. If they have the words with which `kernels!` marks its own kernels, they get the
    /// job's context.
    pub(super) fn load_other(
        context: &Arc<Context>,
        name: &str,
        image: &[u8],
        job: Option<&DeviceContext>,
    ) -> Result<Self> {
        let operation = || format!("load kernels {name}");
        if image.trim_ascii().is_empty() {
            return Err(GpuError::new(operation(), "the PTX or cubin is empty"));
        }
        let module = if binary::is_binary(image) {
            binary::check_whole(image).map_err(|why| GpuError::new(operation(), why))?;
            Self::load_bytes(context, name, image, "its bytes")?
        } else {
            Self::load_text(context, name, image)?
        };
        // SAFETY: the module is loaded.
        if let (true, Some(job)) = (unsafe { has(module.loaded.raw, name, VERSION_SYMBOL)? }, job) {
            // SAFETY: the module is loaded.
            unsafe { check_version(context, module.loaded.raw, name)? };
            module.set_context(job)?;
        }
        Ok(module)
    }

    fn load_text(context: &Arc<Context>, name: &str, ptx: &[u8]) -> Result<Self> {
        let text = CString::new(ptx)
            .map_err(|_| GpuError::new(format!("load kernels {name}"), "the PTX contains a NUL byte"))?;
        Self::load_bytes(context, name, text.as_bytes_with_nul(), "its PTX")
    }

    fn load_bytes(context: &Arc<Context>, name: &str, bytes: &[u8], from: &str) -> Result<Self> {
        let mut log = vec![0u8; 4096];
        let mut options = [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let mut raw: CUmodule = std::ptr::null_mut();
        // SAFETY: PTX ends with a zero; of a cubin, everything that its own tables refer to was checked to lie in it;
        // the log's length is given.
        let status = unsafe {
            let (image, count) = (bytes.as_ptr().cast(), options.len() as u32);
            driver::cuModuleLoadDataEx(&mut raw, image, count, options.as_mut_ptr(), values.as_mut_ptr())
        };
        check(status, || {
            let log = String::from_utf8_lossy(&log[..log.iter().position(|&b| b == 0).unwrap_or(0)]);
            let log = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
            format!("load kernels {name} from {from}{}{log}", if log.is_empty() { "" } else { ": " })
        })?;
        let loaded = Arc::new(Loaded { context: context.clone(), raw, is_of_program: false });
        Ok(Self { name: name.to_owned(), image: None, loaded })
    }

    /// A module that the program loaded, and unloads when nobody uses it.
    pub(super) fn of_program(context: &Arc<Context>, raw: CUmodule) -> Self {
        let loaded = Arc::new(Loaded { context: context.clone(), raw, is_of_program: true });
        Self { name: "of the program".to_owned(), image: None, loaded }
    }

    /// Accepts only a module that was built for this library, from the sources from which the program was built.
    fn checked(self, image: &'static ModuleImage) -> Result<Self> {
        // SAFETY: the module is loaded.
        unsafe {
            check_version(&self.loaded.context, self.loaded.raw, &self.name)?;
            check_source(&self.loaded.context, self.loaded.raw, image)?;
        }
        Ok(Self { image: Some(image), ..self })
    }

    fn finding(&self, name: &str) -> String {
        format!("find kernel {name} in {}", self.name)
    }

    /// What the driver says of a kernel.
    fn find(&self, name: &str) -> Result<(CUresult, CUfunction)> {
        let _entered = self.loaded.context.enter()?;
        let symbol =
            CString::new(name).map_err(|_| GpuError::new(self.finding(name), "the name contains a NUL byte"))?;
        let mut raw: CUfunction = std::ptr::null_mut();
        // SAFETY: the pointer is valid and the name ends with a zero.
        let status =
            unsafe { driver::cuModuleGetFunction(&mut raw, self.loaded.raw, symbol.as_ptr() as *const c_char) };
        Ok((status, raw))
    }

    pub(super) fn set_context(&self, context: &DeviceContext) -> Result<()> {
        // SAFETY: the module is loaded.
        unsafe { set_context(&self.loaded.context, self.loaded.raw, &self.name, context) }
    }
}

/// Gives the job's context to kernels that the program itself loaded.
///
/// # Safety
/// `raw` is a loaded module.
pub(super) unsafe fn adopt(current: &Arc<Context>, raw: CUmodule, context: &DeviceContext) -> Result<()> {
    // SAFETY: the caller guarantees that `raw` is a loaded module.
    unsafe {
        check_version(current, raw, "of the program")?;
        set_context(current, raw, "of the program", context)?;
        say_if_missing(raw, "a module of the program", context)
    }
}

/// Says so, once, if there is a timeline and kernels in CUDA C++ or of other compilers are not in it. A program in
/// Python has a module for each kernel.
///
/// # Safety
/// `raw` is a loaded module.
unsafe fn say_if_missing(raw: CUmodule, name: &str, context: &DeviceContext) -> Result<()> {
    // SAFETY: the caller guarantees that `raw` is a loaded module.
    if context.record != 0 && !unsafe { has(raw, name, RECORDED_SYMBOL)? } {
        static IS_SAID: AtomicBool = AtomicBool::new(false);
        // Relaxed: only one caller finds false, and nothing else is published.
        if !IS_SAID.swap(true, Ordering::Relaxed) {
            let why = "only those of CUDA C++ are, if they are compiled with -DSHMEMX_RECORDED";
            log!(Info, "kernels of {name} are not in the timeline: {why}");
        }
    }
    Ok(())
}

/// # Safety
/// `raw` is a loaded module.
unsafe fn check_version(current: &Arc<Context>, raw: CUmodule, name: &str) -> Result<()> {
    // SAFETY: the caller guarantees that `raw` is a loaded module.
    let version = u32::from_ne_bytes(unsafe { word(current, raw, name, VERSION_SYMBOL)? });
    if version != ABI_VERSION {
        let cause = format!("they were built for version {version} of the device ABI, the library has {ABI_VERSION}");
        return Err(GpuError::new(format!("load kernels {name}"), cause));
    }
    Ok(())
}

/// # Safety
/// `raw` is a loaded module.
unsafe fn check_source(current: &Arc<Context>, raw: CUmodule, image: &ModuleImage) -> Result<()> {
    // SAFETY: the caller guarantees that `raw` is a loaded module.
    let source = u64::from_ne_bytes(unsafe { word(current, raw, image.name, SOURCE_SYMBOL)? });
    if source != image.source {
        let cause = format!("their PTX was not made from the program's sources: {}", how_to_build(image));
        return Err(GpuError::new(format!("load kernels {}", image.name), cause));
    }
    Ok(())
}

/// Reads a number that the module holds.
///
/// # Safety
/// `raw` is a loaded module.
unsafe fn word<const N: usize>(current: &Arc<Context>, raw: CUmodule, name: &str, which: &str) -> Result<[u8; N]> {
    let operation = || format!("load kernels {name}");
    // SAFETY: the caller guarantees that `raw` is a loaded module.
    let (address, bytes) = unsafe { symbol(raw, name, which)? };
    if bytes != N {
        return Err(GpuError::new(operation(), format!("{which} has {bytes} bytes instead of {N}")));
    }
    let mut word = [0; N];
    let to = (&raw mut word).expose_provenance() as u64;
    // SAFETY: the symbol has as many bytes as are copied.
    unsafe { copy(current, to, address, bytes) }.map_err(|error| GpuError::new(operation(), error.to_string()))?;
    Ok(word)
}

/// Copies between the words of kernels and host memory, in a stream of the library. A copy without a stream would wait
/// for kernels in the program's default stream, and these may wait for this PE.
///
/// # Safety
/// Both ranges are valid, and nobody else uses them.
unsafe fn copy(current: &Arc<Context>, dst: u64, src: u64, bytes: usize) -> Result<()> {
    let stream = CudaStream::create(current)?;
    // SAFETY: the caller guarantees that the ranges are valid, and the copy has finished before this returns.
    unsafe { stream.copy(dst, src, bytes as u64)? };
    stream.synchronize()
}

/// Whether a module has this symbol.
///
/// # Safety
/// `raw` is a loaded module.
unsafe fn has(raw: CUmodule, module: &str, symbol: &str) -> Result<bool> {
    let name = CString::new(symbol).expect("symbols of the library contain no NUL byte");
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: the pointers are valid and the name ends with a zero; the caller guarantees that `raw` is a loaded
    // module.
    match unsafe { driver::cuModuleGetGlobal_v2(&mut address, &mut bytes, raw, name.as_ptr()) } {
        CUresult::CUDA_ERROR_NOT_FOUND => Ok(false),
        status => check(status, || format!("inspect kernels {module}")).map(|()| true),
    }
}

/// # Safety
/// `raw` is a loaded module.
unsafe fn symbol(raw: CUmodule, module: &str, symbol: &str) -> Result<(u64, usize)> {
    let name = CString::new(symbol).expect("symbols of the library contain no NUL byte");
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: the pointers are valid and the name ends with a zero; the caller guarantees that `raw` is a loaded
    // module.
    check(unsafe { driver::cuModuleGetGlobal_v2(&mut address, &mut bytes, raw, name.as_ptr()) }, || {
        format!("find {symbol} in kernels {module} (declare them with `kernels!`; nvcc needs -DSHMEMX_MODULE)")
    })?;
    Ok((address, bytes))
}

/// # Safety
/// `raw` is a loaded module.
unsafe fn set_context(current: &Arc<Context>, raw: CUmodule, name: &str, context: &DeviceContext) -> Result<()> {
    // SAFETY: the caller guarantees that `raw` is a loaded module.
    let (address, bytes) = unsafe { symbol(raw, name, CONTEXT_SYMBOL)? };
    let operation = || format!("write the device context of kernels {name}");
    if bytes != size_of::<DeviceContext>() {
        let cause = format!("it has {bytes} bytes instead of {}", size_of::<DeviceContext>());
        return Err(GpuError::new(operation(), cause));
    }
    // SAFETY: the symbol has as many bytes as the context.
    unsafe { write_context(current, address, name, context) }
}

/// # Safety
/// At this device address is the context of kernels.
pub(super) unsafe fn write_context(
    current: &Arc<Context>,
    address: u64,
    name: &str,
    context: &DeviceContext,
) -> Result<()> {
    let from = std::ptr::from_ref(context).expose_provenance() as u64;
    // SAFETY: the caller guarantees that there is room for a context.
    let copied = unsafe { copy(current, address, from, size_of::<DeviceContext>()) };
    copied.map_err(|error| GpuError::new(format!("write the device context of kernels {name}"), error.to_string()))
}

impl Module for CudaModule {
    fn lacks(&self, name: &str) -> bool {
        let is_its = self.image.is_some_and(|image| image.kernels.iter().any(|its| its.name == name));
        is_its && self.find(name).is_ok_and(|(status, _)| status == CUresult::CUDA_ERROR_NOT_FOUND)
    }

    fn function(&self, name: &str) -> Result<Arc<dyn Function>> {
        let _entered = self.loaded.context.enter()?;
        let operation = || self.finding(name);
        let (status, raw) = self.find(name)?;
        if let (CUresult::CUDA_ERROR_NOT_FOUND, Some(reason)) = (status, self.image.and_then(|i| left_out(i, name))) {
            return Err(GpuError::new(operation(), reason));
        }
        check(status, operation)?;
        // SAFETY: the function belongs to the loaded module.
        Ok(Arc::new(unsafe { CudaFunction::new(name, raw, self.loaded.clone(), operation)? }))
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        if self.is_of_program {
            return;
        }
        // The driver unloads a module from the current context.
        let _entered = self.context.enter();
        // SAFETY: no function of the module is left. A failure (a context lost to an error, say) has no consequence.
        let _: CUresult = unsafe { driver::cuModuleUnload(self.raw) };
    }
}

/// A kernel.
pub(super) struct CudaFunction {
    pub(super) name: String,
    pub(super) raw: CUfunction,
    max_threads: u32,
    /// Bytes of shared memory that the kernel itself declares.
    static_shared_bytes: u32,
    /// Bytes of dynamic shared memory that [`CudaFunction::allow_shared`] has allowed, or 0.
    allowed_shared_bytes: AtomicU32,
    module: Arc<Loaded>,
}

/// Bytes of shared memory, static and dynamic, that a block can have without [`CudaFunction::allow_shared`].
const SHARED_BYTES_OF_ALL: u32 = 48 << 10;

// SAFETY: a function handle may be used from any thread.
unsafe impl Send for CudaFunction {}
// SAFETY: the rest is immutable or atomic.
unsafe impl Sync for CudaFunction {}

impl CudaFunction {
    /// A kernel of a unit of CUDA C++, whose module CUDA's runtime has loaded. The context is current.
    ///
    /// # Safety
    /// `raw` is the handle of a kernel that stays loaded as long as the result is used.
    pub(super) unsafe fn of_unit(context: &Arc<Context>, name: &str, raw: CUfunction) -> Result<Self> {
        let loaded = Loaded { context: context.clone(), raw: std::ptr::null_mut(), is_of_program: true };
        // SAFETY: the caller guarantees the kernel.
        unsafe { Self::new(name, raw, Arc::new(loaded), || format!("find kernel {name} in the program")) }
    }

    /// # Safety
    /// `raw` is the handle of a kernel of this module.
    unsafe fn new(name: &str, raw: CUfunction, module: Arc<Loaded>, operation: impl Fn() -> String) -> Result<Self> {
        let read = |which| {
            let mut value = 0;
            // SAFETY: the caller guarantees the kernel, and the pointer is valid.
            check(unsafe { driver::cuFuncGetAttribute(&mut value, which, raw) }, &operation).map(|()| value as u32)
        };
        Ok(Self {
            name: name.into(),
            raw,
            max_threads: read(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            static_shared_bytes: read(CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            allowed_shared_bytes: AtomicU32::new(0),
            module,
        })
    }

    /// Lets blocks of the kernel have `bytes` bytes of dynamic shared memory. The error names the limit. The context is
    /// current.
    pub(super) fn allow_shared(&self, bytes: u32) -> Result<()> {
        if bytes == 0 || bytes.saturating_add(self.static_shared_bytes) <= SHARED_BYTES_OF_ALL {
            return Ok(());
        }
        // SYNC(shared-allowed) acquire: pairs with the release below; the driver has been told before the launch.
        if bytes <= self.allowed_shared_bytes.load(Ordering::Acquire) {
            return Ok(());
        }
        let operation = || format!("launch {} with {bytes} bytes of shared memory for a block", self.name);
        let which = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let limit = super::device::attribute(self.module.context.device, which)? as u32;
        let most = limit.saturating_sub(self.static_shared_bytes);
        if bytes > most {
            return Err(GpuError::new(operation(), too_much_shared(limit, self.static_shared_bytes)));
        }
        // Always the limit, so that launches of other threads do not interfere, and the driver is asked only once.
        let which = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function is loaded.
        check(unsafe { driver::cuFuncSetAttribute(self.raw, which, most as i32) }, operation)?;
        // SYNC(shared-allowed) release: pairs with the acquire above, in other threads.
        self.allowed_shared_bytes.store(most, Ordering::Release);
        Ok(())
    }
}

impl Function for CudaFunction {
    fn max_resident_blocks(&self, threads: u32, shared_bytes: u32) -> Result<u32> {
        let _entered = self.module.context.enter()?;
        self.allow_shared(shared_bytes)?;
        let (mut blocks, threads, shared) = (0, threads as i32, shared_bytes as usize);
        // SAFETY: the pointer is valid and the function loaded.
        let status =
            unsafe { driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, self.raw, threads, shared) };
        check(status, || format!("compute how many blocks of {threads} threads of {} fit", self.name))?;
        let count = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        Ok(blocks as u32 * super::device::attribute(self.module.context.device, count)? as u32)
    }

    fn max_threads(&self) -> u32 {
        self.max_threads
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Whether a GPU runs PTX for sm_90, and the driver knows its version of the language (8.0).
fn takes_sm_90(capability: (u32, u32), driver: Option<(u32, u32)>) -> bool {
    capability >= (9, 0) && driver.is_some_and(|version| version >= (12, 0))
}

/// Returns the PTX for a job in which all PEs are mapped, or the one for other jobs. In the first case, kernels that
/// are to record what they do have their own, and so have newer GPUs, if there is any. PTX that is not committed may
/// have been missing when the program was built. Returns also what to say if kernels that are to record do not.
fn ptx(image: &ModuleImage, (far, records): (bool, bool), takes_sm_90: bool) -> Result<(&'static str, Option<String>)> {
    let line = (records && !far && image.recorded_ptx.is_empty()).then(|| {
        let why = "its manifest lacks `recorded = true`, or the program was built without their PTX for timelines";
        format!("kernels of {} are not in the timeline: {why}", image.name)
    });
    let (ptx, jobs) = match far {
        true => (image.far_ptx, " for jobs with PEs that are not mapped"),
        false if records && !image.recorded_ptx.is_empty() => (image.recorded_ptx, ""),
        false if takes_sm_90 && !image.sm_90_ptx.is_empty() => (image.sm_90_ptx, ""),
        false => (image.ptx, ""),
    };
    if !ptx.is_empty() {
        return Ok((ptx, line));
    }
    let reason = format!("the program was built without their PTX{jobs}, or with an old one: {}", how_to_build(image));
    Err(GpuError::new(format!("load kernels {}", image.name), reason))
}

/// Says why the PTX of a crate lacks one of its kernels. Only some kernels of a crate may be committed.
fn left_out(image: &ModuleImage, kernel: &str) -> Option<String> {
    let is_its = image.kernels.iter().any(|its| its.name == kernel);
    is_its.then(|| format!("the program was built with the PTX of only some of these kernels: {}", how_to_build(image)))
}

fn how_to_build(image: &ModuleImage) -> String {
    let features = "with `-F` for features that the program turns on";
    format!("run `cargo shmem-ptx -p {}`, {features}, and build again", image.name)
}

#[cfg(test)]
mod tests {
    use cushmem_abi::ModuleImage;

    fn image(ptx: &'static str, sm_90_ptx: &'static str, far_ptx: &'static str) -> ModuleImage {
        ModuleImage { name: "some-kernels", ptx, sm_90_ptx, far_ptx, recorded_ptx: "", source: 0, kernels: &[] }
    }

    /// Catches a missing PTX that is not named. The driver's own message for an empty text does not name the cause.
    #[test]
    fn missing_ptx_is_named() {
        let image = |ptx, far_ptx| image(ptx, "", far_ptx);
        for (far, has_other) in [(false, image("", "far")), (true, image("near", ""))] {
            let error = super::ptx(&has_other, (far, false), true).expect_err("there is no PTX").to_string();
            assert!(error.contains("`cargo shmem-ptx -p some-kernels`"), "{error}");
            assert_eq!(error.contains("PTX for jobs with PEs that are not mapped"), far, "{error}");
        }
        let image = image("near", "far");
        assert_eq!(
            [false, true].map(|far| super::ptx(&image, (far, false), true).expect("there is PTX").0),
            ["near", "far"]
        );
    }

    /// Catches PTX that the GPU or the driver refuses, and a GPU that does not get what is for it.
    #[test]
    fn newer_gpus_get_their_ptx() {
        let takes = super::takes_sm_90;
        assert!(takes((9, 0), Some((12, 0))) && takes((10, 3), Some((13, 0))));
        assert!(!takes((8, 9), Some((13, 0))) && !takes((9, 0), Some((11, 8))) && !takes((9, 0), None));
        let image = image("near", "newer", "far");
        let of = |far, takes_sm_90| super::ptx(&image, (far, false), takes_sm_90).expect("there is PTX").0;
        assert_eq!([of(false, false), of(false, true), of(true, true)], ["near", "newer", "far"]);
    }

    /// Catches kernels that record without a timeline, or are not there at all with one, and kernels that are missing
    /// from a timeline without a word, or said to be.
    #[test]
    fn timelines_have_kernels_of_their_own() {
        let all = ModuleImage { recorded_ptx: "recorded", ..image("near", "newer", "far") };
        let of = |image, far, records| super::ptx(image, (far, records), true).expect("there is PTX");
        let jobs = [(false, false), (false, true), (true, false), (true, true)];
        let nothing = |ptx| (ptx, None);
        assert_eq!(jobs.map(|(far, records)| of(&all, far, records)), ["newer", "recorded", "far", "far"].map(nothing));
        let without = image("near", "", "far");
        let (ptx, line) = of(&without, false, true);
        assert_eq!(ptx, "near", "without them, kernels record nothing");
        let line = line.expect("it is said");
        assert!(line.starts_with("kernels of some-kernels are not in the timeline: its manifest lacks "), "{line}");
        // Kernels for jobs with PEs that are not mapped record by themselves.
        let others = [(false, false), (true, false), (true, true)];
        assert_eq!(others.map(|(far, records)| of(&without, far, records)), ["near", "far", "far"].map(nothing));
    }
}
