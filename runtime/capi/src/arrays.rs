//! Arrays larger than a GPU.

use crate::handles::{Handle, Table};
use crate::report::{self, Call};
use crate::state::job;
use cushmem::raw::ARRAY_WORDS;
use cushmem::{ArgumentError, ArrayBuilder, ArrayMode, SymArray};
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::fmt::Display;
use std::os::unix::ffi::OsStrExt;
use std::ptr::null;
use std::sync::Arc;

/// `shmemx_array_options_t`.
#[repr(C)]
struct Options {
    file: *const c_char,
    on_host: c_int,
    mode: c_int,
    line_bytes: usize,
    slots: usize,
    in_place: c_int,
}

/// `shmemx_device_array_t`. It begins with what kernels in Rust take.
#[repr(C)]
struct DeviceArray {
    words: [u64; ARRAY_WORDS],
    elem_bytes: usize,
}

/// An array of elements of 1, 2, 4 or 8 bytes.
enum Array {
    Of8(SymArray<'static, u8>),
    Of16(SymArray<'static, u16>),
    Of32(SymArray<'static, u32>),
    Of64(SymArray<'static, u64>),
}

/// The same for arrays of all sizes.
macro_rules! each {
    ($array:expr, $name:ident => $what:expr) => {
        match $array {
            Array::Of8($name) => $what,
            Array::Of16($name) => $what,
            Array::Of32($name) => $what,
            Array::Of64($name) => $what,
        }
    };
}

static ARRAYS: Table<Array> = Table::new("array", "an array");

/// Whether there are arrays that the program has not freed.
pub(crate) fn any() -> bool {
    !ARRAYS.all().is_empty()
}

/// Writes back what kernels have written to these arrays: the program exits without leaving its job.
pub(crate) fn flush_all() {
    for array in ARRAYS.all() {
        status("exit without shmem_finalize", each!(&*array, array => array.flush()));
    }
}

/// Removes these arrays when the program leaves its job, and writes back what kernels have written to them.
pub(crate) fn remove_all() {
    ARRAYS.remove_all();
}

/// 0, or 1 after a message.
fn status(routine: &'static str, done: cushmem::Result<()>) -> c_int {
    let Err(error) = done else { return 0 };
    job(routine).raw().say(&format!("{routine}: {}", error.cause()));
    1
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_array_create(nelems: usize, elem_bytes: usize, options: *const Options) -> Handle {
    let routine = "shmemx_array_create";
    // SAFETY: the caller guarantees that it is NULL or points to options.
    let made = unsafe { described(routine, nelems, options.as_ref()) }.and_then(|builder| {
        let made = match elem_bytes {
            1 => builder.create().map(Array::Of8),
            2 => builder.create().map(Array::Of16),
            4 => builder.create().map(Array::Of32),
            8 => builder.create().map(Array::Of64),
            other => return Err(format!("argument elem_bytes: {other} is not 1, 2, 4 or 8")),
        };
        made.map_err(|error| error.cause().to_string())
    });
    match made {
        Ok(array) => ARRAYS.add(array),
        Err(why) => {
            job(routine).raw().say(&format!("{routine}: {why}"));
            null()
        }
    }
}

/// The description, or what is wrong with an option that has no counterpart there.
///
/// # Safety
/// `options` has a path, or NULL.
unsafe fn described(
    routine: &'static str,
    nelems: usize,
    options: Option<&Options>,
) -> Result<ArrayBuilder<'static>, String> {
    let mut builder = job(routine).raw().array(routine, nelems);
    let Some(&Options { file, on_host, mode, line_bytes, slots, in_place }) = options else { return Ok(builder) };
    builder = builder.mode(match mode {
        0 => ArrayMode::ReadWrite,
        1 => ArrayMode::ReadOnly,
        2 => ArrayMode::Accumulate,
        other => {
            let valid = "SHMEMX_ARRAY_READ_WRITE (0), SHMEMX_ARRAY_READ_ONLY (1) or SHMEMX_ARRAY_ACCUMULATE (2)";
            return Err(format!("argument options->mode: {other} is not {valid}"));
        }
    });
    let must_be_0 = |name: &str, value: &dyn Display, other: &str| {
        Err(format!("argument options->{name}: {value} must be 0, because options->{other} is set"))
    };
    if !file.is_null() {
        if on_host != 0 {
            return must_be_0("on_host", &on_host, "file");
        }
        if in_place != 0 {
            return must_be_0("in_place", &in_place, "file");
        }
        // SAFETY: the caller guarantees a string.
        builder = builder.in_file(OsStr::from_bytes(unsafe { CStr::from_ptr(file) }.to_bytes()));
    } else if on_host != 0 {
        builder = builder.on_host();
    }
    if line_bytes != 0 {
        builder = builder.line_bytes(line_bytes);
    }
    if slots != 0 && in_place != 0 {
        return must_be_0("slots", &slots, "in_place");
    }
    // 0 is the default here.
    let most = ArrayBuilder::MOST_SLOTS;
    if slots > most {
        return Err(format!("argument options->slots: {slots} is out of range (1 to {most})"));
    }
    if slots != 0 || in_place != 0 {
        builder = builder.slots(slots);
    }
    Ok(builder)
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_array_range(array: Handle, pe: c_int, first: *mut usize) -> usize {
    let routine = "shmemx_array_range";
    let (array, n_pes) = (ARRAYS.find(routine, array), job(routine).n_pes());
    let number = pe.cast_unsigned();
    if number >= n_pes {
        let error = ArgumentError::Pe { pe: number, n_pes };
        report::end_argument(&Call { routine, pe, ..Call::default() }, &error);
    }
    let range = each!(&*array, array => array.range(number));
    if !first.is_null() {
        // SAFETY: the caller guarantees that it may be written.
        unsafe { first.write(range.start) };
    }
    range.len()
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_array_part(array: Handle) -> *mut c_void {
    let array = ARRAYS.find("shmemx_array_part", array);
    let address = each!(&*array, array => array.part().map_or(0, |part| part.device_ptr().address()));
    std::ptr::with_exposed_provenance_mut(address as usize)
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_array_device(array: Handle) -> DeviceArray {
    let array = ARRAYS.find("shmemx_array_device", array);
    let words = each!(&*array, array => array.device().to_words());
    DeviceArray { words, elem_bytes: bytes(&array) }
}

fn bytes(array: &Array) -> usize {
    fn of<T: cushmem::Word>(_: &SymArray<'_, T>) -> usize {
        size_of::<T>()
    }
    each!(array, array => of(array))
}

/// Ends the job because a kernel in CUDA C++ takes an array of elements of another size: the header
/// `shmemx_arrays.cuh` calls it for each array that is passed to a kernel.
///
/// # Safety
/// `array` is the result of `shmemx_array_device`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_impl_array_elements(array: *const DeviceArray, elem_bytes: usize) {
    // SAFETY: the caller guarantees an array.
    let there = unsafe { (*array).elem_bytes };
    if there != elem_bytes {
        let text = format!("the kernel takes elements of {elem_bytes} bytes, and those of the array have {there}");
        report::end("shmemx_array_device", &text);
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_array_flush(array: Handle) -> c_int {
    let routine = "shmemx_array_flush";
    status(routine, each!(&*ARRAYS.find(routine, array), array => array.flush()))
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_array_invalidate(array: Handle) -> c_int {
    let routine = "shmemx_array_invalidate";
    status(routine, each!(&*ARRAYS.find(routine, array), array => array.invalidate()))
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_array_free(array: Handle) -> c_int {
    let routine = "shmemx_array_free";
    let Ok(array) = Arc::try_unwrap(ARRAYS.remove(routine, array)) else {
        report::end(routine, "argument array: another thread is using it")
    };
    status(routine, each!(array, array => array.free()))
}
