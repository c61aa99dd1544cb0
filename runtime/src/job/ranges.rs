//! Ranges for profilers, by the protocol of NVTX.
//!
//! A profiler sets `NVTX_INJECTION64_PATH`, the name of a library, for the programs that it starts. Whoever has ranges,
//! which is usually a header of NVIDIA's in the program, opens that library and calls `InitializeInjectionNvtx2` with a
//! function. Through this the profiler finds tables of pointers to functions: the module CORE has the names of threads,
//! CUDA those of streams, CORE2 the domains and their ranges. It stores its own functions there, and ranges are calls
//! of these from then on. A profiler expects this once from each library, so that of the program takes no part.
//!
//! The tables are written during that call alone, and read behind it.

use cushmem_record::{Cause, Operation};
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::os::unix::ffi::OsStringExt;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

const INJECTION: &str = "NVTX_INJECTION64_PATH";
/// The name under which a profiler shows the ranges.
const DOMAIN: &std::ffi::CStr = c"cushmem";
/// What the proxy does for a kernel, which is not known when it begins.
const COMMAND: &str = "command";

// The numbers of `nvtxTypes.h`.
const CALLBACKS: u32 = 1;
const VERSION_INFO: u32 = 3;
const VERSION: u16 = 3;
/// The modules: the number of each, and how many functions it has, with one of number 0.
const MODULES: [(c_int, usize); 3] = [(1, 16), (2, 9), (5, 16)];
/// Where they are in that list.
const CORE: usize = 0;
const CUDA: usize = 1;
const CORE2: usize = 2;
const NAME_OS_THREAD_A: usize = 14;
const NAME_CU_STREAM_A: usize = 5;
const RANGE_PUSH_EX: usize = 4;
const RANGE_POP: usize = 5;
const REGISTER_STRING_A: usize = 10;
const DOMAIN_CREATE_A: usize = 12;
const REGISTERED: c_int = 3;
/// The most functions of a module.
const FUNCTIONS: usize = 16;

type Slots = [AtomicPtr<c_void>; FUNCTIONS];
/// A pointer to each slot but the first one, and null at the end.
type Table = [*const AtomicPtr<c_void>; FUNCTIONS + 1];
type Handle = *mut c_void;

static SLOTS: [Slots; MODULES.len()] = [const { [const { AtomicPtr::new(null_mut()) }; FUNCTIONS] }; MODULES.len()];

/// `NvtxExportTableCallbacks`.
#[repr(C)]
struct Callbacks {
    size: usize,
    tables: unsafe extern "C" fn(c_int, *mut *const *const AtomicPtr<c_void>, *mut c_uint) -> c_int,
}

/// `NvtxExportTableVersionInfo`.
#[repr(C)]
struct VersionInfo {
    size: usize,
    version: u32,
    reserved: u32,
    set: extern "C" fn(u32),
}

/// `nvtxEventAttributes_v2`, with the kinds of its unions that are used.
#[repr(C)]
struct Attributes {
    version: u16,
    size: u16,
    category: u32,
    colour_type: c_int,
    colour: u32,
    payload_type: c_int,
    reserved: c_int,
    payload: u64,
    message_type: c_int,
    message: Handle,
}

const _: () = assert!(size_of::<Attributes>() == 48);

type Push = unsafe extern "C" fn(Handle, *const Attributes) -> c_int;
type Pop = unsafe extern "C" fn(Handle) -> c_int;

/// What a profiler has given.
struct Profiler {
    domain: Handle,
    push: Push,
    pop: Pop,
    name_thread: Option<unsafe extern "C" fn(u32, *const c_char)>,
    name_stream: Option<unsafe extern "C" fn(Handle, *const c_char)>,
    /// The names of operations, then of what is waited for, then of commands.
    names: Vec<Handle>,
}

// SAFETY: the handles are the profiler's, whose functions any thread may call.
unsafe impl Send for Profiler {}
// SAFETY: nothing in it changes, and any thread may call the functions of the profiler.
unsafe impl Sync for Profiler {}

static PROFILER: OnceLock<Option<Profiler>> = OnceLock::new();

extern "C" fn set_version(_version: u32) {}

/// # Safety
/// The places for the results are null or writable.
unsafe extern "C" fn tables(module: c_int, table: *mut *const *const AtomicPtr<c_void>, size: *mut c_uint) -> c_int {
    /// Pointers to statics.
    struct Tables([Table; MODULES.len()]);
    // SAFETY: what they point to is shared by threads anyway.
    unsafe impl Send for Tables {}
    // SAFETY: it has pointers that never change, to words that only change atomically.
    unsafe impl Sync for Tables {}
    static TABLES: OnceLock<Tables> = OnceLock::new();
    let of = |index: usize| -> Table {
        let is_function = |number: usize| (1..MODULES[index].1).contains(&number);
        std::array::from_fn(|number| if is_function(number) { &raw const SLOTS[index][number] } else { null() })
    };
    let tables = TABLES.get_or_init(|| Tables(std::array::from_fn(of)));
    let Some(index) = MODULES.iter().position(|(number, _)| *number == module) else { return 0 };
    // SAFETY: the caller guarantees the places.
    unsafe {
        if !table.is_null() {
            *table = tables.0[index].as_ptr();
        }
        if !size.is_null() {
            *size = MODULES[index].1 as c_uint;
        }
    }
    1
}

extern "C" fn export_table(id: u32) -> *const c_void {
    static CALLBACK_TABLE: Callbacks = Callbacks { size: size_of::<Callbacks>(), tables };
    static VERSION_TABLE: VersionInfo =
        VersionInfo { size: size_of::<VersionInfo>(), version: VERSION as u32, reserved: 0, set: set_version };
    match id {
        CALLBACKS => (&raw const CALLBACK_TABLE).cast(),
        VERSION_INFO => (&raw const VERSION_TABLE).cast(),
        _ => null(),
    }
}

/// The profiler's function in this slot.
fn function(module: usize, number: usize) -> Option<*mut c_void> {
    // Relaxed: the call that has stored it has returned to this thread.
    Some(SLOTS[module][number].load(Ordering::Relaxed)).filter(|function| !function.is_null())
}

fn open() -> Option<Profiler> {
    let path = std::env::var_os(INJECTION).filter(|path| !path.is_empty())?;
    let path = CString::new(path.into_vec()).ok()?;
    // SAFETY: the user's profiler has named this library so that it is opened here, and it stays open. The functions
    // have the types that `nvToolsExt.h` gives them. Strings end with 0, and are copied by the profiler.
    unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_LAZY);
        if library.is_null() {
            return None;
        }
        let start = libc::dlsym(library, c"InitializeInjectionNvtx2".as_ptr());
        if start.is_null() {
            return None;
        }
        type Export = extern "C" fn(u32) -> *const c_void;
        let start = std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Export) -> c_int>(start);
        if start(export_table) == 0 {
            return None;
        }
        type Create = unsafe extern "C" fn(*const c_char) -> Handle;
        type Register = unsafe extern "C" fn(Handle, *const c_char) -> Handle;
        let create = std::mem::transmute::<*mut c_void, Create>(function(CORE2, DOMAIN_CREATE_A)?);
        let register = std::mem::transmute::<*mut c_void, Register>(function(CORE2, REGISTER_STRING_A)?);
        let push = std::mem::transmute::<*mut c_void, Push>(function(CORE2, RANGE_PUSH_EX)?);
        let pop = std::mem::transmute::<*mut c_void, Pop>(function(CORE2, RANGE_POP)?);
        let name_thread = function(CORE, NAME_OS_THREAD_A)
            .map(|function| std::mem::transmute::<*mut c_void, unsafe extern "C" fn(u32, *const c_char)>(function));
        let name_stream = function(CUDA, NAME_CU_STREAM_A)
            .map(|function| std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Handle, *const c_char)>(function));
        let domain = create(DOMAIN.as_ptr());
        let names = Operation::ALL.iter().map(|one| one.name().to_owned());
        let names = names.chain(Cause::ALL.iter().map(|one| format!("wait: {}", one.name()))).chain([COMMAND.into()]);
        let names = names.map(|name| register(domain, CString::new(name).unwrap_or_default().as_ptr())).collect();
        Some(Profiler { domain, push, pop, name_thread, name_stream, names })
    }
}

fn profiler() -> Option<&'static Profiler> {
    PROFILER.get()?.as_ref()
}

/// Opens what a profiler wants to be told by. Returns whether there is one.
pub(super) fn start() -> bool {
    PROFILER.get_or_init(open).is_some()
}

/// Tells the profiler the name of this thread.
pub(super) fn name_thread(name: &str) {
    if let Some(name_thread) = profiler().and_then(|profiler| profiler.name_thread)
        && let Ok(name) = CString::new(name)
    {
        // SAFETY: the string ends with 0.
        unsafe { name_thread(nix::unistd::gettid().as_raw().cast_unsigned(), name.as_ptr()) };
    }
}

/// Tells the profiler the name of a stream with this handle.
pub(super) fn name_stream(stream: usize, name: &str) {
    if let Some(name_stream) = profiler().and_then(|profiler| profiler.name_stream)
        && let Ok(name) = CString::new(name)
    {
        // SAFETY: the string ends with 0, and the profiler takes the handle for a number.
        unsafe { name_stream(stream as Handle, name.as_ptr()) };
    }
}

/// What a range is about.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// An operation.
    Operation(Operation),
    /// A wait.
    Wait(Cause),
    /// Something that a kernel has left to the proxy.
    Command,
}

/// A range of this thread, until this is dropped. There is none without a profiler.
pub(super) struct Range(Option<&'static Profiler>, PhantomData<*const ()>);

impl Range {
    pub(super) fn new(of: Of) -> Self {
        let profiler = profiler();
        if let Some(Profiler { domain, push, names, .. }) = profiler {
            let number = match of {
                Of::Operation(operation) => operation as usize,
                Of::Wait(cause) => Operation::ALL.len() + cause as usize,
                Of::Command => Operation::ALL.len() + Cause::ALL.len(),
            };
            let attributes = Attributes {
                version: VERSION,
                size: size_of::<Attributes>() as u16,
                category: 0,
                colour_type: 0,
                colour: 0,
                payload_type: 0,
                reserved: 0,
                payload: 0,
                message_type: REGISTERED,
                message: names[number],
            };
            // SAFETY: the domain and the name are the profiler's own, and the attributes have the size that they say.
            unsafe { push(*domain, &raw const attributes) };
        }
        Self(profiler, PhantomData)
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if let Some(Profiler { domain, pop, .. }) = self.0 {
            // SAFETY: the domain is the profiler's own, and this thread has pushed the range.
            unsafe { pop(*domain) };
        }
    }
}
