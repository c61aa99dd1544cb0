//! Symmetric memory. All of it is collective.

use crate::report::{self, Call};
use crate::state::job;
use cushmem::raw::Memory;
use cushmem_environment as environment;
use std::ffi::{c_long, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

/// For `shmem_malloc_with_hints`; the hints of the specification change nothing here.
const MALLOC_GPU: c_long = 1 << 16;
const KNOWN_HINTS: c_long = MALLOC_GPU | 3;
/// Pages are what all PEs' slices are aligned to.
const MAX_ALIGNMENT: usize = 4096;

#[unsafe(no_mangle)]
extern "C" fn shmem_malloc(size: usize) -> *mut c_void {
    allocate("shmem_malloc", Memory::Host, size, 1)
}

#[unsafe(no_mangle)]
extern "C" fn shmem_calloc(count: usize, size: usize) -> *mut c_void {
    let routine = "shmem_calloc";
    let Some(bytes) = count.checked_mul(size) else {
        report::say(&format!("cushmem: {routine}: {count} elements of {size} bytes are too many"));
        return null_mut();
    };
    let object = allocate(routine, Memory::Host, bytes, 1);
    if !object.is_null() {
        // SAFETY: this PE's part of the new object; no peer may write it before the barrier.
        unsafe { object.cast::<u8>().write_bytes(0, bytes) };
        if let Err(error) = job(routine).barrier_all() {
            report::end(routine, &error.to_string());
        }
    }
    object
}

#[unsafe(no_mangle)]
extern "C" fn shmem_align(alignment: usize, size: usize) -> *mut c_void {
    let routine = "shmem_align";
    if !alignment.is_power_of_two() || alignment > MAX_ALIGNMENT {
        let text = format!("argument alignment: {alignment} is not a power of two up to {MAX_ALIGNMENT}");
        report::end(routine, &text);
    }
    allocate(routine, Memory::Host, size, alignment)
}

#[unsafe(no_mangle)]
extern "C" fn shmem_malloc_with_hints(size: usize, hints: c_long) -> *mut c_void {
    let routine = "shmem_malloc_with_hints";
    if hints & !KNOWN_HINTS != 0 {
        let text = format!("argument hints: {hints:#x} is not a combination of the hints, {KNOWN_HINTS:#x}");
        report::end(routine, &text);
    }
    agree(routine, "hints", hints.cast_unsigned());
    let memory = if hints & MALLOC_GPU != 0 { Memory::Gpu } else { Memory::Host };
    allocate(routine, memory, size, 1)
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_malloc_gpu(size: usize) -> *mut c_void {
    allocate("shmemx_malloc_gpu", Memory::Gpu, size, 1)
}

#[unsafe(no_mangle)]
extern "C" fn shmem_free(ptr: *mut c_void) {
    let routine = "shmem_free";
    let job = job(routine);
    if ptr.is_null() {
        return;
    }
    if let Err(misuse) = job.raw().free(ptr.cast()) {
        let call = Call { routine, symmetric: ("ptr", ptr.addr()), ..Call::default() };
        match &misuse {
            cushmem::Misuse::Failed(_) => {
                let text = format!("argument ptr: {ptr:p} is not the start of an object of the symmetric heap");
                report::end(routine, &text)
            }
            other => report::misused(&call, other),
        }
    }
}

fn allocate(routine: &'static str, memory: Memory, size: usize, alignment: usize) -> *mut c_void {
    let job = job(routine);
    agree(routine, "size", size as u64);
    if size == 0 {
        return null_mut();
    }
    match job.raw().malloc(memory, size, alignment as u64) {
        Ok(object) => object.cast(),
        Err(error) => {
            // It fails on all PEs alike: one of them says so.
            if job.my_pe() == 0 {
                let about = if memory == Memory::Gpu && job.gpu().is_none() { "" } else { "argument size: " };
                report::say(&format!("cushmem: PE 0: {routine}: {about}{}", error.cause()));
            }
            null_mut()
        }
    }
}

/// In check mode: all PEs give the same argument.
fn agree(routine: &'static str, argument: &str, value: u64) {
    static CHECKS: OnceLock<bool> = OnceLock::new();
    if !CHECKS.get_or_init(|| environment::CHECK.value().is_some_and(|v| v == "1")) {
        return;
    }
    if let Err(error) = job(routine).raw().agree(routine, value) {
        report::end(routine, &format!("argument {argument}: {}", error.cause()));
    }
}
