//! Symmetric memory. All routines are collective.

use crate::report::{self, Call};
use crate::state::job;
use cushmem::raw::{Memory, SEGMENT_ALIGNMENT, Wanted};
use cushmem::{ArgumentError, Cause, Error};
use std::ffi::{c_long, c_void};
use std::ptr::null_mut;

/// `SHMEM_MALLOC_ATOMICS_REMOTE`
const ATOMICS_REMOTE: c_long = 1 << 0;
/// `SHMEM_MALLOC_SIGNAL_REMOTE`, which has no effect here.
const SIGNAL_REMOTE: c_long = 1 << 1;
/// `SHMEMX_MALLOC_GPU`. Not a hint: it decides who can use the memory, so it counts only where it was meant.
const MALLOC_GPU: c_long = 1 << 16;
/// Bits that have a meaning. Others are ignored (1.6, 9.3.5).
const DEFINED: c_long = ATOMICS_REMOTE | SIGNAL_REMOTE | MALLOC_GPU;

#[unsafe(no_mangle)]
extern "C" fn shmem_malloc(size: usize) -> *mut c_void {
    allocate(&Wanted { arguments: [("size", size as u64), NONE], bytes: size, ..host("shmem_malloc") })
}

#[unsafe(no_mangle)]
extern "C" fn shmem_calloc(count: usize, size: usize) -> *mut c_void {
    let arguments = [("count", count as u64), ("size", size as u64)];
    // A product that overflows becomes larger than all memory, so the allocation fails on all PEs.
    let bytes = count.saturating_mul(size);
    allocate(&Wanted { arguments, bytes, cleared: true, ..host("shmem_calloc") })
}

#[unsafe(no_mangle)]
extern "C" fn shmem_align(alignment: usize, size: usize) -> *mut c_void {
    align(host("shmem_align"), alignment, size)
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_align_gpu(alignment: usize, size: usize) -> *mut c_void {
    align(Wanted { memory: Memory::Gpu, ..host("shmemx_align_gpu") }, alignment, size)
}

fn align(wanted: Wanted, alignment: usize, bytes: usize) -> *mut c_void {
    let to = alignment as u64;
    if !alignment.is_power_of_two() {
        report::end(wanted.routine, &format!("argument alignment: {alignment} is not a power of two"));
    }
    let arguments = [("alignment", to), ("size", bytes as u64)];
    allocate(&Wanted { arguments, bytes, alignment: to, ..wanted })
}

#[unsafe(no_mangle)]
extern "C" fn shmem_malloc_with_hints(size: usize, hints: c_long) -> *mut c_void {
    let memory = match hints {
        hints if hints & MALLOC_GPU != 0 && hints & !DEFINED == 0 => Memory::Gpu,
        hints if hints & ATOMICS_REMOTE != 0 => Memory::ForNetwork,
        _ => Memory::Host,
    };
    let arguments = [("size", size as u64), ("hints", hints.cast_unsigned())];
    allocate(&Wanted { arguments, memory, bytes: size, ..host("shmem_malloc_with_hints") })
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_malloc_gpu(size: usize) -> *mut c_void {
    let arguments = [("size", size as u64), NONE];
    allocate(&Wanted { arguments, memory: Memory::Gpu, bytes: size, ..host("shmemx_malloc_gpu") })
}

#[unsafe(no_mangle)]
extern "C" fn shmem_realloc(ptr: *mut c_void, size: usize) -> *mut c_void {
    let routine = "shmem_realloc";
    match job(routine).raw().realloc(routine, ptr.cast(), size) {
        Ok(object) => object.map_or(null_mut(), <*mut u8>::cast),
        Err(ArgumentError::Failed(error)) => refused(routine, "argument size: ", &error),
        Err(error) => wrong_pointer(routine, ptr, &error),
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmem_free(ptr: *mut c_void) {
    let routine = "shmem_free";
    if let Err(error) = job(routine).raw().free(routine, ptr.cast()) {
        wrong_pointer(routine, ptr, &error);
    }
}

/// Stands for the second argument in routines that have only one.
const NONE: (&str, u64) = ("", 0);

/// An allocation of host memory, with the values that most routines use.
fn host(routine: &'static str) -> Wanted {
    Wanted { routine, arguments: [NONE; 2], memory: Memory::Host, bytes: 0, alignment: 1, cleared: false }
}

fn allocate(wanted: &Wanted) -> *mut c_void {
    let job = job(wanted.routine);
    match job.raw().malloc(wanted) {
        Ok(object) => object.map_or(null_mut(), <*mut u8>::cast),
        Err(error) => {
            let about = match error.cause() {
                Cause::Alignment { .. } => "argument alignment: ",
                Cause::OnPe { .. } if wanted.alignment > SEGMENT_ALIGNMENT => "argument alignment: ",
                Cause::NoGpu(_) => "",
                _ => "argument size: ",
            };
            refused(wanted.routine, about, &error)
        }
    }
}

/// It fails on all PEs alike, so only one of them reports it.
fn refused(routine: &'static str, about: &str, error: &Error) -> *mut c_void {
    if job(routine).my_pe() == 0 {
        report::say(&format!("cushmem: PE 0: {routine}: {about}{}", error.cause()));
    }
    null_mut()
}

#[cold]
fn wrong_pointer(routine: &'static str, ptr: *mut c_void, error: &ArgumentError) -> ! {
    report::end_argument(&Call { routine, symmetric: ("ptr", ptr.addr()), ..Call::default() }, error)
}
