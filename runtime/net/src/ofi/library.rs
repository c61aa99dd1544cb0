//! Opens libfabric at run time and finds what the machine's providers offer.

use crate::linked;
use crate::ofi::signals::with_signals_kept;
use crate::ofi::sys::*;
use crate::ofi::variables;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// The library's file name, which the loader looks for unless the user names a file.
pub(crate) const LIBRARY: &str = "libfabric.so.1";

/// The functions that the library exports and that are used here. Everything else is in tables.
pub(crate) struct Library {
    getinfo: unsafe extern "C" fn(u32, *const c_char, *const c_char, u64, *const fi_info, *mut *mut fi_info) -> c_int,
    freeinfo: unsafe extern "C" fn(*mut fi_info),
    dupinfo: unsafe extern "C" fn(*const fi_info) -> *mut fi_info,
    pub(crate) fabric: unsafe extern "C" fn(*mut fi_fabric_attr, *mut *mut fid_fabric, *mut c_void) -> c_int,
    strerror: unsafe extern "C" fn(c_int) -> *const c_char,
    version: u32,
}

/// The library in a file, which is opened on the first call and stays open.
pub(crate) fn library(file: &str) -> Result<&'static Library, String> {
    static OPENED: Mutex<Option<HashMap<String, Result<&'static Library, String>>>> = Mutex::new(None);
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    // The library may start threads and install handlers of signals when it is loaded.
    let open = || {
        variables::choose();
        with_signals_kept(|| Library::open(file)).map(|library| &*Box::leak(Box::new(library)))
    };
    opened.get_or_insert_default().entry(file.to_owned()).or_insert_with(open).clone()
}

impl Library {
    fn open(name: &str) -> Result<Self, String> {
        // SAFETY: libfabric's initialisers do not depend on the program's state.
        let library = unsafe { linked::open(name, "libfabric1", "libfabric")? };
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
                if let Ok(info) = self.named(wanted, progress, order) {
                    let provider = info.provider();
                    return match crashes(&provider, info.get()) {
                        Some(why) => Err(format!("libfabric's provider {provider} is not used: {why}")),
                        None => Ok(info),
                    };
                }
            }
        }
        let code = self.named(wanted, FI_PROGRESS_MANUAL, 0).err().unwrap_or(0);
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
        for (name, offer) in first.each() {
            if !names.contains(&name) && crashes(&name, offer).is_none() {
                names.push(name);
            }
        }
        names.join(", ")
    }

    /// What the library has under a provider's name, or under the name of one that it is built on.
    fn named(&'static self, wanted: &Wanted<'_>, progress: c_int, order: u64) -> Result<Info, c_int> {
        self.offers(wanted, Some(wanted.provider), progress, order).or_else(|code| {
            // Some builds of the library do not find a provider under the name of several layers, under which they
            // list it themselves.
            let all = if wanted.provider.contains(';') {
                self.offers(wanted, None, progress, order)?
            } else {
                return Err(code);
            };
            let same = all.each().find(|(name, _)| name == wanted.provider);
            same.and_then(|(_, offer)| self.copied(offer)).ok_or(code)
        })
    }

    /// A copy of an offer, without those that follow it.
    fn copied(&'static self, offer: &fi_info) -> Option<Info> {
        // SAFETY: the library made the offer, with all its parts.
        let copy = unsafe { (self.dupinfo)(offer) };
        // SAFETY: it is a new one, which nobody else has, if there was memory for it.
        unsafe { copy.as_mut() }?.next = null_mut();
        Some(Info(copy, self))
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

/// How a provider, or one that it is built on, is known to crash.
pub(crate) fn crashes(provider: &str, offer: &fi_info) -> Option<&'static str> {
    // SAFETY: the library made the offer, with all its parts.
    let version = unsafe { (*offer.fabric_attr).prov_version };
    match provider {
        "shm" if version == SHM_2_0 => Some("that of version 2.0 ends the process when it is closed"),
        _ if provider.split(';').any(|name| name == "ofi_rxd") => Some(
            "it was seen to end the process at the second atomic operation; tcp;ofi_rxm works on the same networks",
        ),
        _ => None,
    }
}

/// The version of the provider `shm` 2.0, which was also built into libfabric 1.21.
const SHM_2_0: u32 = 200 << 16;

/// What a provider is to offer.
pub(crate) struct Wanted<'a> {
    /// The file of the library.
    pub(crate) library: &'a str,
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

    /// Other versions of the same provider work.
    #[test]
    fn a_version_that_crashes_is_known() {
        let why = |provider, version| {
            // SAFETY: numbers and null pointers.
            let (mut offer, mut fabric): (fi_info, fi_fabric_attr) = unsafe { std::mem::zeroed() };
            fabric.prov_version = version;
            offer.fabric_attr = &mut fabric;
            crashes(provider, &offer)
        };
        assert!(why("shm", 200 << 16).is_some_and(|why| why.contains("version 2.0")));
        assert!(why("udp;ofi_rxd", 117 << 16 | 10).is_some_and(|why| why.contains("atomic")));
        for (provider, version) in [("shm", 117 << 16 | 10), ("shm", 201 << 16), ("tcp", 200 << 16)] {
            assert_eq!(why(provider, version), None, "{provider} {version:x}");
        }
    }

    /// Catches a copy that takes the offers behind it along, which would be freed twice.
    #[test]
    fn one_of_several_offers_is_copied() {
        let library = match library(&crate::tests::library()) {
            Ok(library) => library,
            Err(why) => return xtask::left_out::record("net::one_of_several_offers_is_copied over libfabric", &why),
        };
        let all = library.everything("127.0.0.1").expect("providers");
        let copies: Vec<_> = all.each().map(|(name, offer)| (name, library.copied(offer).expect("a copy"))).collect();
        drop(all);
        assert!(copies.len() > 1);
        for (name, copy) in &copies {
            assert_eq!(copy.each().map(|(name, _)| name).collect::<Vec<_>>(), [&**name]);
        }
    }

    #[test]
    fn another_library_is_refused() {
        let why = Library::open("libc.so.6").err().expect("it is another");
        assert!(why.starts_with("libc.so.6 is not libfabric"), "{why}");
    }
}
