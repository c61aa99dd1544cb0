//! Opens libraries at run time.

use libloading::os::unix;
use std::error::Error;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

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

/// Opens a library for as long as the process lives. The error names the packages that it is in: `debian` of Debian and
/// Ubuntu, `others` of other distributions.
///
/// # Safety
/// The library's initialisers do not depend on the program's state.
pub(crate) unsafe fn open(name: &str, debian: &str, others: &str) -> Result<&'static unix::Library, String> {
    if is_static() {
        // The loader within such a program opens libraries, but they crash.
        return Err(format!("a program that is linked statically cannot open {name}; link it dynamically"));
    }
    // SAFETY: the caller guarantees it.
    let opened = unsafe { unix::Library::open(Some(name), unix::RTLD_NOW | unix::RTLD_LOCAL) };
    let opened = opened.map_err(|cause| {
        // The error itself says only which function failed.
        let cause = cause.source().map_or_else(|| cause.to_string(), ToString::to_string);
        format!(
            "{name} cannot be opened ({cause}); it is in the package {debian} of Debian and Ubuntu, and in {others} of \
             Fedora, RHEL and SUSE"
        )
    })?;
    Ok(Box::leak(Box::new(opened)))
}
