//! Opens libibverbs at run time.

use crate::linked;
use crate::verbs::sys::*;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The library's file name, which the loader looks for.
pub(super) const LIBRARY: &str = "libibverbs.so.1";

/// The functions that the library exports and that are used here. What posts and polls is in a table of each context.
pub(super) struct Library {
    pub(super) fork_init: unsafe extern "C" fn() -> c_int,
    pub(super) get_device_list: unsafe extern "C" fn(*mut c_int) -> *mut *mut ibv_device,
    pub(super) free_device_list: unsafe extern "C" fn(*mut *mut ibv_device),
    pub(super) get_device_name: unsafe extern "C" fn(*mut ibv_device) -> *const c_char,
    pub(super) open_device: unsafe extern "C" fn(*mut ibv_device) -> *mut ibv_context,
    pub(super) close_device: unsafe extern "C" fn(*mut ibv_context) -> c_int,
    pub(super) query_device: unsafe extern "C" fn(*mut ibv_context, *mut ibv_device_attr) -> c_int,
    pub(super) query_port: unsafe extern "C" fn(*mut ibv_context, u8, *mut c_void) -> c_int,
    pub(super) query_gid: unsafe extern "C" fn(*mut ibv_context, u8, c_int, *mut ibv_gid) -> c_int,
    pub(super) alloc_pd: unsafe extern "C" fn(*mut ibv_context) -> *mut ibv_pd,
    pub(super) dealloc_pd: unsafe extern "C" fn(*mut ibv_pd) -> c_int,
    pub(super) create_comp_channel: unsafe extern "C" fn(*mut ibv_context) -> *mut ibv_comp_channel,
    pub(super) destroy_comp_channel: unsafe extern "C" fn(*mut ibv_comp_channel) -> c_int,
    pub(super) get_cq_event: unsafe extern "C" fn(*mut ibv_comp_channel, *mut *mut ibv_cq, *mut *mut c_void) -> c_int,
    pub(super) ack_cq_events: unsafe extern "C" fn(*mut ibv_cq, c_uint),
    pub(super) create_cq:
        unsafe extern "C" fn(*mut ibv_context, c_int, *mut c_void, *mut ibv_comp_channel, c_int) -> *mut ibv_cq,
    pub(super) destroy_cq: unsafe extern "C" fn(*mut ibv_cq) -> c_int,
    pub(super) create_qp: unsafe extern "C" fn(*mut ibv_pd, *mut ibv_qp_init_attr) -> *mut ibv_qp,
    pub(super) modify_qp: unsafe extern "C" fn(*mut ibv_qp, *mut ibv_qp_attr, c_int) -> c_int,
    pub(super) destroy_qp: unsafe extern "C" fn(*mut ibv_qp) -> c_int,
    pub(super) reg_mr: unsafe extern "C" fn(*mut ibv_pd, *mut c_void, usize, c_int) -> *mut ibv_mr,
    /// Not in libraries before rdma-core 34.
    pub(super) reg_dmabuf_mr: Option<unsafe extern "C" fn(*mut ibv_pd, u64, usize, u64, c_int, c_int) -> *mut ibv_mr>,
    pub(super) dereg_mr: unsafe extern "C" fn(*mut ibv_mr) -> c_int,
    pub(super) wc_status_str: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// The library in a file, which is opened on the first call and stays open.
pub(super) fn library(file: &str) -> Result<&'static Library, String> {
    #[cfg(test)]
    if file == super::mock::NAME {
        return Ok(super::mock::library());
    }
    static OPENED: Mutex<Option<HashMap<String, Result<&'static Library, String>>>> = Mutex::new(None);
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let open = || Library::open(file).map(|library| &*Box::leak(Box::new(library)));
    opened.get_or_insert_default().entry(file.to_owned()).or_insert_with(open).clone()
}

/// Where the system describes the devices of the library in a file.
pub(super) fn sys(file: &str) -> PathBuf {
    #[cfg(test)]
    if file == super::mock::NAME {
        return super::mock::sys();
    }
    let _ = file;
    PathBuf::from(super::places::SYS)
}

impl Library {
    fn open(name: &str) -> Result<Self, String> {
        // SAFETY: the library's initialisers do not depend on the program's state.
        let library = unsafe { linked::open(name, "libibverbs1", "libibverbs")? };
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the type is that of `infiniband/verbs.h` for the function of this name.
                *unsafe { library.get($name) }.map_err(|cause| format!("{name} is not libibverbs: {cause}"))?
            };
        }
        Ok(Self {
            fork_init: function!(b"ibv_fork_init\0"),
            get_device_list: function!(b"ibv_get_device_list\0"),
            free_device_list: function!(b"ibv_free_device_list\0"),
            get_device_name: function!(b"ibv_get_device_name\0"),
            open_device: function!(b"ibv_open_device\0"),
            close_device: function!(b"ibv_close_device\0"),
            query_device: function!(b"ibv_query_device\0"),
            query_port: function!(b"ibv_query_port\0"),
            query_gid: function!(b"ibv_query_gid\0"),
            alloc_pd: function!(b"ibv_alloc_pd\0"),
            dealloc_pd: function!(b"ibv_dealloc_pd\0"),
            create_comp_channel: function!(b"ibv_create_comp_channel\0"),
            destroy_comp_channel: function!(b"ibv_destroy_comp_channel\0"),
            get_cq_event: function!(b"ibv_get_cq_event\0"),
            ack_cq_events: function!(b"ibv_ack_cq_events\0"),
            create_cq: function!(b"ibv_create_cq\0"),
            destroy_cq: function!(b"ibv_destroy_cq\0"),
            create_qp: function!(b"ibv_create_qp\0"),
            modify_qp: function!(b"ibv_modify_qp\0"),
            destroy_qp: function!(b"ibv_destroy_qp\0"),
            reg_mr: function!(b"ibv_reg_mr\0"),
            // SAFETY: as above.
            reg_dmabuf_mr: unsafe { library.get(b"ibv_reg_dmabuf_mr\0") }.ok().map(|function| *function),
            dereg_mr: function!(b"ibv_dereg_mr\0"),
            wc_status_str: function!(b"ibv_wc_status_str\0"),
        })
    }

    /// What the status of a completion means.
    pub(super) fn status(&self, status: c_int) -> String {
        // SAFETY: the function returns a string that stays, for every number.
        let text = unsafe { CStr::from_ptr((self.wc_status_str)(status)) };
        text.to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_named_with_its_package() {
        let why = Library::open("libibverbs-of-nobody.so.1").err().expect("there is none");
        assert!(why.starts_with("libibverbs-of-nobody.so.1 cannot be opened"), "{why}");
        assert!(why.contains("the package libibverbs1 of Debian") && !why.contains('\n'), "{why}");
    }
}
