//! Opens libfabric at run time and finds what the machine's providers offer.

use crate::ofi::signals::with_signals_kept;
use crate::ofi::sys::*;
use libloading::os::unix;
use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// The library's file name, which the loader looks for.
const LIBRARY: &str = "libfabric.so.1";

/// The functions that the library exports and that are used here. Everything else is in tables.
pub(crate) struct Library {
    getinfo: unsafe extern "C" fn(u32, *const c_char, *const c_char, u64, *const fi_info, *mut *mut fi_info) -> c_int,
    freeinfo: unsafe extern "C" fn(*mut fi_info),
    dupinfo: unsafe extern "C" fn(*const fi_info) -> *mut fi_info,
    pub(crate) fabric: unsafe extern "C" fn(*mut fi_fabric_attr, *mut *mut fid_fabric, *mut c_void) -> c_int,
    strerror: unsafe extern "C" fn(c_int) -> *const c_char,
    version: u32,
}

/// The library, which is opened on the first call and stays open.
pub(crate) fn library() -> Result<&'static Library, String> {
    static OPENED: OnceLock<Result<Library, String>> = OnceLock::new();
    // The library may start threads and install handlers of signals when it is loaded.
    OPENED.get_or_init(|| with_signals_kept(|| Library::open(LIBRARY))).as_ref().map_err(Clone::clone)
}

/// Whether the program is linked statically: it names no loader. The system's word for whether it has started one
/// (`AT_BASE`) says less, because a user may start the loader with the program as its argument.
fn is_static() -> bool {
    const NAMES_A_LOADER: c_int = 1;
    const NAMES_NONE: c_int = 2;
    unsafe extern "C" fn look(object: *mut libc::dl_phdr_info, _bytes: usize, _: *mut c_void) -> c_int {
        // SAFETY: `dl_iterate_phdr` passes an object that is loaded, with the place and number of its headers, and
        // keeps it loaded during the call.
        let headers = unsafe { std::slice::from_raw_parts((*object).dlpi_phdr, (*object).dlpi_phnum.into()) };
        // Any value but 0 ends the iteration, so that only the first object is looked at, which is the program.
        if headers.iter().any(|header| header.p_type == libc::PT_INTERP) { NAMES_A_LOADER } else { NAMES_NONE }
    }
    // SAFETY: the function has the type that is wanted, does not unwind, and does not use the null pointer.
    unsafe { libc::dl_iterate_phdr(Some(look), null_mut()) == NAMES_NONE }
}

impl Library {
    fn open(name: &str) -> Result<Self, String> {
        if is_static() {
            // The loader within such a program opens libraries, but libfabric crashes.
            return Err(format!("a program that is linked statically cannot open {name}; link it dynamically"));
        }
        // SAFETY: libfabric's initialisers do not depend on the program's state.
        let opened = unsafe { unix::Library::open(Some(name), unix::RTLD_NOW | unix::RTLD_LOCAL) };
        let opened = opened.map_err(|cause| {
            // The error itself says only which function failed.
            let cause = cause.source().map_or_else(|| cause.to_string(), ToString::to_string);
            format!(
                "{name} cannot be opened ({cause}); it is in the package libfabric1 of Debian and Ubuntu, and in \
                 libfabric of Fedora, RHEL and SUSE"
            )
        })?;
        let library: &'static unix::Library = Box::leak(Box::new(opened));
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the type is that of `rdma/fabric.h` for the function of this name.
                *unsafe { library.get($name) }.map_err(|cause| format!("{name} is not libfabric: {cause}"))?
            };
        }
        // SAFETY: the type is that of `rdma/fabric.h` for this function.
        let version = unsafe { library.get::<unsafe extern "C" fn() -> u32>(b"fi_version\0") };
        let version = version.map_err(|cause| format!("{name} is not libfabric: {cause}"))?;
        // SAFETY: it has no conditions.
        let version = unsafe { version() };
        if version < API {
            return Err(format!("{name} is version {} of libfabric; version 1.17 or later is needed", shown(version)));
        }
        Ok(Self {
            getinfo: function!(b"fi_getinfo\0"),
            freeinfo: function!(b"fi_freeinfo\0"),
            dupinfo: function!(b"fi_dupinfo\0"),
            fabric: function!(b"fi_fabric\0"),
            strerror: function!(b"fi_strerror\0"),
            version,
        })
    }

    /// What an error of the library means; `code` is a negative number that a function returned.
    pub(crate) fn error(&self, code: isize) -> String {
        // SAFETY: the function returns a string that stays.
        let text = unsafe { CStr::from_ptr((self.strerror)(code.unsigned_abs() as c_int)) };
        text.to_string_lossy().into_owned()
    }

    /// The first offer that suits.
    pub(crate) fn find(&'static self, wanted: &Wanted<'_>) -> Result<Info, String> {
        let all = FI_ORDER_WAW | FI_ORDER_RAW | FI_ORDER_WAR;
        // Order matters more. A thread of the provider would compete with the thread that polls.
        for order in [all, FI_ORDER_WAW, 0] {
            for progress in [FI_PROGRESS_MANUAL, FI_PROGRESS_AUTO] {
                if let Ok(info) = self.offers(wanted, Some(wanted.provider), progress, order) {
                    let provider = info.provider();
                    if crashes(&provider) {
                        return Err(format!(
                            "libfabric's provider {provider} is not used: that of version 1.17 ends the process at the \
                             second atomic operation; tcp;ofi_rxm works on the same networks"
                        ));
                    }
                    return Ok(info);
                }
            }
        }
        let code = self.offers(wanted, Some(wanted.provider), FI_PROGRESS_MANUAL, 0).err().unwrap_or(0);
        let kind = if wanted.atomics { "one-sided and atomic operations" } else { "one-sided operations" };
        let why = if code == -FI_ENODATA { String::new() } else { format!(" ({})", self.error(code as isize)) };
        Err(format!(
            "libfabric {} has no provider `{}` for {kind} on {}{why}; it has: {}",
            shown(self.version),
            wanted.provider,
            wanted.address,
            self.found(wanted)
        ))
    }

    /// The providers that would suit.
    fn found(&'static self, wanted: &Wanted<'_>) -> String {
        let Ok(first) = self.offers(wanted, None, 0, 0) else { return "none".to_owned() };
        let mut names: Vec<String> = Vec::new();
        for (name, _) in first.each() {
            if !names.contains(&name) && !crashes(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    fn offers(
        &'static self,
        wanted: &Wanted<'_>,
        provider: Option<&str>,
        progress: c_int,
        order: u64,
    ) -> Result<Info, c_int> {
        // Processes of a machine have the same address, and the endpoints of `shm` are files that are named after it.
        let address = match provider {
            Some("shm") => format!("{}-{}", wanted.address, std::process::id()),
            _ => wanted.address.to_owned(),
        };
        let atomics = if wanted.atomics { FI_ATOMIC } else { 0 };
        // SAFETY: the parts are there, and nobody else has them.
        self.ask(&address, provider, |info| unsafe {
            info.caps = FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE | atomics;
            (*info.ep_attr).type_ = FI_EP_RDM;
            (*info.tx_attr).msg_order = order;
            (*info.rx_attr).msg_order = order;
            (*info.tx_attr).op_flags = FI_DELIVERY_COMPLETE;
            (*info.domain_attr).threading = FI_THREAD_SAFE;
            (*info.domain_attr).data_progress = progress;
        })
    }

    /// All that the library has at an address, usable or not.
    pub(crate) fn everything(&'static self, address: &str) -> Result<Info, c_int> {
        self.ask(address, None, |_| ())
    }

    /// Asks for what `want` adds to the hints, which have all their parts.
    fn ask(
        &'static self,
        address: &str,
        provider: Option<&str>,
        want: impl FnOnce(&mut fi_info),
    ) -> Result<Info, c_int> {
        let provider = provider.map(CString::new).transpose().map_err(|_| -libc::EINVAL)?;
        let address = CString::new(address).map_err(|_| -libc::EINVAL)?;
        // SAFETY: without an argument, it allocates a structure with all its parts, zeroed.
        let hints = Info(unsafe { (self.dupinfo)(null_mut()) }, self);
        if hints.0.is_null() {
            return Err(-libc::ENOMEM);
        }
        // SAFETY: the structure and its parts are there, and nobody else has them. The library frees the name.
        unsafe {
            let info = &mut *hints.0;
            want(info);
            info.mode = FI_CONTEXT | FI_CONTEXT2;
            (*info.domain_attr).mr_mode =
                FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
            if let Some(provider) = &provider {
                (*info.fabric_attr).prov_name = libc::strdup(provider.as_ptr());
            }
        }
        let mut found = null_mut();
        let get = || {
            // SAFETY: the arguments are valid; the list that comes back belongs to the caller.
            unsafe { (self.getinfo)(API, address.as_ptr(), std::ptr::null(), FI_SOURCE, hints.0, &mut found) }
        };
        match with_signals_kept(get) {
            0 => Ok(Info(found, self)),
            code => Err(code),
        }
    }
}

/// Whether a provider, or one that it is built on, is known to crash.
pub(crate) fn crashes(provider: &str) -> bool {
    provider.split(';').any(|name| name == "ofi_rxd")
}

/// What a provider is to offer.
pub(crate) struct Wanted<'a> {
    /// Its name.
    pub(crate) provider: &'a str,
    /// An address of this machine, by which peers reach it.
    pub(crate) address: &'a str,
    /// Whether it must have atomic operations.
    pub(crate) atomics: bool,
}

/// An offer, possibly followed by others.
pub(crate) struct Info(pub(crate) *mut fi_info, &'static Library);

impl Info {
    pub(crate) fn get(&self) -> &fi_info {
        // SAFETY: the library made it, with all its parts, and `self` keeps it.
        unsafe { &*self.0 }
    }

    pub(crate) fn library(&self) -> &'static Library {
        self.1
    }

    /// This offer and those that follow, each with the name of its provider.
    pub(crate) fn each(&self) -> impl Iterator<Item = (String, &fi_info)> {
        // SAFETY: a list that the library made, which `self` keeps.
        let get = |offer: *mut fi_info| unsafe { offer.as_ref() };
        let offers = std::iter::successors(get(self.0), move |offer| get(offer.next));
        // SAFETY: the library filled this in; the name ends with a zero.
        offers.map(|offer| (unsafe { text((*offer.fabric_attr).prov_name) }, offer))
    }

    /// The version of the library.
    pub(crate) fn version(&self) -> String {
        shown(self.1.version)
    }

    /// The name of the domain, which is that of the network's device.
    pub(crate) fn domain(&self) -> String {
        // SAFETY: the library filled this in, and it lives as long as `self`; the name ends with a zero.
        unsafe { text((*self.get().domain_attr).name) }
    }

    /// The name of the provider.
    pub(crate) fn provider(&self) -> String {
        // SAFETY: the library filled this in, and it lives as long as `self`; the name ends with a zero.
        unsafe { text((*self.get().fabric_attr).prov_name) }
    }
}

impl Drop for Info {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the library made it, and nobody else has it.
            unsafe { (self.1.freeinfo)(self.0) };
        }
    }
}

impl fmt::Debug for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Info").field(&self.provider()).finish()
    }
}

/// # Safety
/// `text` is null or a string.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller guarantees it.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn shown(version: u32) -> String {
    format!("{}.{}", version >> 16, version & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_named_with_its_package() {
        let why = Library::open("libfabric-of-nobody.so.1").err().expect("there is none");
        assert!(why.starts_with("libfabric-of-nobody.so.1 cannot be opened"), "{why}");
        assert!(why.contains("No such file or directory"), "{why}");
        assert!(why.contains("the package libfabric1 of Debian"), "{why}");
    }

    #[test]
    fn another_library_is_refused() {
        let why = Library::open("libc.so.6").err().expect("it is another");
        assert!(why.starts_with("libc.so.6 is not libfabric"), "{why}");
    }
}
