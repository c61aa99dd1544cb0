//! Waiting, signals, order and barriers.

use crate::report::{self, Call, misused};
use crate::state::job;
use cushmem::raw::Update;
use cushmem::{Cmp, Misuse, Result};
use cushmem_capi_table::amo_types;
use std::ffi::c_int;

fn comparison(routine: &'static str, cmp: c_int) -> Cmp {
    match cmp {
        0 => Cmp::Eq,
        1 => Cmp::Ne,
        2 => Cmp::Gt,
        3 => Cmp::Le,
        4 => Cmp::Lt,
        5 => Cmp::Ge,
        other => report::end(routine, &format!("argument cmp: {other} is not in 0..6 (SHMEM_CMP_EQ to SHMEM_CMP_GE)")),
    }
}

#[cold]
fn bad_word(routine: &'static str, argument: &'static str, address: usize, pe: c_int, misuse: &Misuse) -> ! {
    misused(&Call { routine, symmetric: (argument, address), nelems: 1, pe, ..Call::default() }, misuse)
}

macro_rules! waits {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        mod $name {
            use super::*;

            #[unsafe(export_name = concat!("shmem_", stringify!($name), "_wait_until"))]
            extern "C" fn wait_until(ivar: *mut $t, cmp: c_int, cmp_value: $t) {
                let routine = concat!("shmem_", stringify!($name), "_wait_until");
                let job = job(routine);
                if let Err(misuse) = job.raw().wait_until(ivar, comparison(routine, cmp), cmp_value) {
                    bad_word(routine, "ivar", ivar.addr(), 0, &misuse)
                }
            }

            #[unsafe(export_name = concat!("shmem_", stringify!($name), "_test"))]
            extern "C" fn test(ivar: *mut $t, cmp: c_int, cmp_value: $t) -> c_int {
                let routine = concat!("shmem_", stringify!($name), "_test");
                match job(routine).raw().load_acquire(ivar) {
                    Ok(now) => c_int::from(comparison(routine, cmp).holds(now, cmp_value)),
                    Err(misuse) => bad_word(routine, "ivar", ivar.addr(), 0, &misuse),
                }
            }
        }
    )*};
}
amo_types!(waits);

#[unsafe(no_mangle)]
extern "C" fn shmem_signal_set(sig_addr: *mut u64, signal: u64, pe: c_int) {
    signal_update("shmem_signal_set", sig_addr, signal, Update::Swap, pe);
}

#[unsafe(no_mangle)]
extern "C" fn shmem_signal_add(sig_addr: *mut u64, signal: u64, pe: c_int) {
    signal_update("shmem_signal_add", sig_addr, signal, Update::Add, pe);
}

fn signal_update(routine: &'static str, sig_addr: *mut u64, signal: u64, update: Update, pe: c_int) {
    if let Err(misuse) = job(routine).raw().update(sig_addr, signal, update, pe.cast_unsigned()) {
        bad_word(routine, "sig_addr", sig_addr.addr(), pe, &misuse)
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmem_signal_fetch(sig_addr: *const u64) -> u64 {
    let routine = "shmem_signal_fetch";
    match job(routine).raw().load_acquire(sig_addr) {
        Ok(now) => now,
        Err(misuse) => bad_word(routine, "sig_addr", sig_addr.addr(), 0, &misuse),
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmem_signal_wait_until(sig_addr: *mut u64, cmp: c_int, cmp_value: u64) -> u64 {
    let routine = "shmem_signal_wait_until";
    match job(routine).raw().wait_until(sig_addr, comparison(routine, cmp), cmp_value) {
        Ok(now) => now,
        Err(misuse) => bad_word(routine, "sig_addr", sig_addr.addr(), 0, &misuse),
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmem_fence() {
    done("shmem_fence", job("shmem_fence").fence());
}

#[unsafe(no_mangle)]
extern "C" fn shmem_quiet() {
    done("shmem_quiet", job("shmem_quiet").quiet());
}

#[unsafe(no_mangle)]
extern "C" fn shmem_barrier_all() {
    done("shmem_barrier_all", job("shmem_barrier_all").barrier_all());
}

#[unsafe(no_mangle)]
extern "C" fn shmem_sync_all() {
    done("shmem_sync_all", job("shmem_sync_all").sync_all());
}

#[inline]
fn done(routine: &'static str, result: Result<()>) {
    if let Err(error) = result {
        report::end(routine, &error.to_string());
    }
}
