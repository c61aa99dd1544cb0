//! PMIx: the library of Open MPI's mpirun, of PRRTE and of Slurm (`srun --mpi=pmix`), opened at run time.
//!
//! It stays connected until the process exits: version 4.2 forgets what it knew of the job when it is connected a
//! second time, and MPI, which uses the same library, might be started later.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};

use cushmem_thread::with_signals_blocked;
use libloading::os::unix;

use super::Manager;
use crate::exit;

/// The library's file name, which the loader looks for. It has had this number since version 2.
const LIBRARY: &str = "libpmix.so.2";
const SUCCESS: c_int = 0;
/// A process that stands for all of the job.
const ALL: u32 = u32::MAX - 1;
const GLOBAL: u8 = 3;
const JOB_SIZE: &CStr = c"pmix.job.size";
const COLLECT_DATA: &[u8] = b"pmix.collect";
const BOOL: u16 = 1;
const STRING: u16 = 3;
const UINT32: u16 = 14;

/// `pmix_proc_t`.
#[repr(C)]
#[derive(Clone)]
struct Process {
    namespace: [c_char; 256],
    rank: u32,
}

/// `pmix_value_t`: the kind says what is in the union, whose largest members have 24 bytes.
#[repr(C)]
struct Value {
    kind: u16,
    data: Data,
}

#[repr(C)]
#[derive(Clone, Copy)]
union Data {
    flag: bool,
    number: u32,
    string: *mut c_char,
    all: [u64; 3],
}

/// `pmix_info_t`.
#[repr(C)]
struct Info {
    key: [u8; 512],
    directives: u32,
    value: Value,
}

/// The functions, with the types of `pmix.h`.
struct Functions {
    init: unsafe extern "C" fn(*mut Process, *const Info, usize) -> c_int,
    put: unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int,
    commit: unsafe extern "C" fn() -> c_int,
    fence: unsafe extern "C" fn(*const Process, usize, *const Info, usize) -> c_int,
    get: unsafe extern "C" fn(*const Process, *const c_char, *const Info, usize, *mut *mut Value) -> c_int,
    finalize: unsafe extern "C" fn(*const Info, usize) -> c_int,
    error_string: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// The connection of this process, once it has one.
static CONNECTION: Mutex<Option<Pmix>> = Mutex::new(None);

/// The manager of this process.
#[derive(Clone)]
pub(super) struct Pmix {
    functions: &'static Functions,
    own: Process,
    size: u32,
}

impl Pmix {
    /// Connects to the manager, unless this process has done so.
    pub(super) fn connect() -> Result<Self, String> {
        let mut connection = CONNECTION.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connected) = &*connection {
            return Ok(connected.clone());
        }
        // The library starts threads.
        let connected = with_signals_blocked(|| Functions::open().and_then(Pmix::start))?;
        *connection = Some(connected.clone());
        exit::at_exit(leave);
        Ok(connected)
    }

    fn start(functions: &'static Functions) -> Result<Self, String> {
        let mut own = Process { namespace: [0; 256], rank: 0 };
        // SAFETY: `own` is a `pmix_proc_t`, and there are no further arguments.
        functions.check("PMIx_Init", unsafe { (functions.init)(&mut own, null(), 0) })?;
        let mut pmix = Pmix { functions, own, size: 0 };
        pmix.size = pmix.value(ALL, JOB_SIZE, |value| match value.kind {
            // SAFETY: the kind says that it is a number.
            UINT32 => Some(unsafe { value.data.number }),
            _ => None,
        })?;
        Ok(pmix)
    }

    /// Asks for a value of a process, or of the job.
    fn value<T>(&self, rank: u32, key: &CStr, read: impl FnOnce(&Value) -> Option<T>) -> Result<T, String> {
        let process = Process { rank, ..self.own.clone() };
        let mut found: *mut Value = null_mut();
        // SAFETY: all arguments live during the call, which stores a pointer to a new value.
        let code = unsafe { (self.functions.get)(&process, key.as_ptr(), null(), 0, &mut found) };
        self.functions.check(&format!("PMIx_Get {}", key.to_string_lossy()), code)?;
        // SAFETY: after success, it points to a value that belongs to the caller.
        let value = unsafe { found.as_ref() }.ok_or("PMIx_Get: no value")?;
        let result = read(value).ok_or_else(|| format!("PMIx_Get {}: of kind {}", key.to_string_lossy(), value.kind));
        if value.kind == STRING {
            // SAFETY: the kind says that it is a string, which the library has allocated with `malloc`.
            unsafe { libc::free(value.data.string.cast::<c_void>()) };
        }
        // SAFETY: PMIx_Get has allocated the value with `malloc` for the caller, and nothing uses it after this.
        unsafe { libc::free(found.cast::<c_void>()) };
        result
    }
}

/// Tells the manager that this process ends well.
fn leave() {
    // A thread that still waits for the manager to accept this process holds the lock. One that waits in a fence does
    // not: PMIx_Finalize may be called meanwhile, and ends that wait.
    let Ok(mut connection) = CONNECTION.try_lock() else { return };
    if let Some(connected) = connection.take() {
        // SAFETY: each successful call of `PMIx_Init` is followed by one of this function. MPI makes calls of its own.
        let _ = unsafe { (connected.functions.finalize)(null(), 0) };
    }
}

impl Manager for Pmix {
    fn numbers(&self) -> (u32, u32) {
        (self.own.rank, self.size)
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), String> {
        let nul = |_| "a zero byte".to_owned();
        let (name, text) = (CString::new(key).map_err(nul)?, CString::new(value).map_err(nul)?);
        let mut value = Value { kind: STRING, data: Data { string: text.as_ptr().cast_mut() } };
        // SAFETY: key and value live during the call, which copies them and does not change the string.
        self.functions.check("PMIx_Put", unsafe { (self.functions.put)(GLOBAL, name.as_ptr(), &mut value) })?;
        // SAFETY: it has no conditions.
        self.functions.check("PMIx_Commit", unsafe { (self.functions.commit)() })
    }

    fn fence(&mut self) -> Result<(), String> {
        let all = Process { rank: ALL, ..self.own.clone() };
        let mut collect =
            Info { key: [0; 512], directives: 0, value: Value { kind: BOOL, data: Data { all: [0; 3] } } };
        collect.key[..COLLECT_DATA.len()].copy_from_slice(COLLECT_DATA);
        collect.value.data.flag = true;
        // SAFETY: one process and one piece of information, which live during the call.
        self.functions.check("PMIx_Fence", unsafe { (self.functions.fence)(&all, 1, &collect, 1) })
    }

    fn get(&mut self, process: u32, key: &str) -> Result<String, String> {
        let key = CString::new(key).map_err(|_| "a zero byte".to_owned())?;
        self.value(process, &key, |value| {
            if value.kind != STRING {
                return None;
            }
            // SAFETY: the kind says that it is a string.
            let text = Some(unsafe { value.data.string }).filter(|text| !text.is_null())?;
            // SAFETY: it is not null, ends with a zero byte, and is freed after this.
            Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        })
    }
}

impl Functions {
    fn open() -> Result<&'static Self, String> {
        // Global, as if the program were linked with it: parts of the library that it loads itself need its symbols.
        // SAFETY: PMIx's initialisers do not depend on the program's state.
        let opened = unsafe { unix::Library::open(Some(LIBRARY), unix::RTLD_NOW | unix::RTLD_GLOBAL) };
        let opened = opened.map_err(|cause| {
            // The error itself says only which function failed.
            let cause = cause.source().map_or_else(|| cause.to_string(), ToString::to_string);
            format!(
                "{LIBRARY} cannot be opened ({cause}); it must be the manager's own, which LD_LIBRARY_PATH may have to \
                 name, or that of the package libpmix2 (Debian, Ubuntu) or pmix (Fedora, RHEL, SUSE)"
            )
        })?;
        let library: &'static unix::Library = Box::leak(Box::new(opened));
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the type is that of `pmix.h` for the function of this name.
                *unsafe { library.get($name) }.map_err(|cause| format!("{LIBRARY} is not PMIx: {cause}"))?
            };
        }
        Ok(Box::leak(Box::new(Self {
            init: function!(b"PMIx_Init\0"),
            put: function!(b"PMIx_Put\0"),
            commit: function!(b"PMIx_Commit\0"),
            fence: function!(b"PMIx_Fence\0"),
            get: function!(b"PMIx_Get\0"),
            finalize: function!(b"PMIx_Finalize\0"),
            error_string: function!(b"PMIx_Error_string\0"),
        })))
    }

    fn check(&self, function: &str, code: c_int) -> Result<(), String> {
        if code == SUCCESS {
            return Ok(());
        }
        // SAFETY: it takes any number.
        let text = unsafe { (self.error_string)(code) };
        // SAFETY: it is null or a string that stays.
        let text = if text.is_null() { c"unknown" } else { unsafe { CStr::from_ptr(text) } };
        Err(format!("{function}: {} ({code})", text.to_string_lossy()))
    }
}
