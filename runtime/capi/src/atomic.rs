//! Atomics, by type.

use crate::report::{Call, misused};
use crate::state::job;
use cushmem::Misuse;
use cushmem::raw::Update;
use cushmem_capi_table::{amo_types, bitwise_types, extended_types};
use std::ffi::c_int;

#[inline(always)]
fn done<T>(routine: &'static str, argument: &'static str, address: usize, pe: c_int, result: Result<T, Misuse>) -> T {
    match result {
        Ok(value) => value,
        Err(misuse) => {
            let symmetric = (argument, address);
            misused(&Call { routine, symmetric, nelems: 1, pe, ..Call::default() }, &misuse)
        }
    }
}

/// A routine that updates `dest`, in both forms: with and without what was there.
macro_rules! updates {
    ($name:ident $t:ident, $fetch:ident, $plain:ident, $update:expr) => {
        #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_", stringify!($fetch)))]
        extern "C" fn $fetch(dest: *mut $t, value: $t, pe: c_int) -> $t {
            let routine = concat!("shmem_", stringify!($name), "_atomic_", stringify!($fetch));
            let result = job(routine).raw().update(dest, value, $update, pe.cast_unsigned());
            done(routine, "dest", dest.addr(), pe, result)
        }

        #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_", stringify!($plain)))]
        extern "C" fn $plain(dest: *mut $t, value: $t, pe: c_int) {
            let routine = concat!("shmem_", stringify!($name), "_atomic_", stringify!($plain));
            let result = job(routine).raw().update(dest, value, $update, pe.cast_unsigned());
            done(routine, "dest", dest.addr(), pe, result);
        }
    };
}

mod standard {
    use super::*;

    macro_rules! standard {
        ($($name:ident $t:ident $c:literal;)*) => {$(
            mod $name {
                use super::*;
                updates!($name $t, fetch_add, add, Update::Add);

                #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_fetch_inc"))]
                extern "C" fn fetch_inc(dest: *mut $t, pe: c_int) -> $t {
                    let routine = concat!("shmem_", stringify!($name), "_atomic_fetch_inc");
                    let result = job(routine).raw().update(dest, 1, Update::Add, pe.cast_unsigned());
                    done(routine, "dest", dest.addr(), pe, result)
                }

                #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_inc"))]
                extern "C" fn inc(dest: *mut $t, pe: c_int) {
                    let routine = concat!("shmem_", stringify!($name), "_atomic_inc");
                    let result = job(routine).raw().update(dest, 1, Update::Add, pe.cast_unsigned());
                    done(routine, "dest", dest.addr(), pe, result);
                }

                #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_compare_swap"))]
                extern "C" fn compare_swap(dest: *mut $t, cond: $t, value: $t, pe: c_int) -> $t {
                    let routine = concat!("shmem_", stringify!($name), "_atomic_compare_swap");
                    let result = job(routine).raw().compare_swap(dest, cond, value, pe.cast_unsigned());
                    done(routine, "dest", dest.addr(), pe, result)
                }
            }
        )*};
    }
    amo_types!(standard);
}

mod extended {
    use super::*;

    macro_rules! extended {
        ($($name:ident $t:ident $c:literal;)*) => {$(
            mod $name {
                use super::*;

                #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_fetch"))]
                extern "C" fn fetch(source: *const $t, pe: c_int) -> $t {
                    let routine = concat!("shmem_", stringify!($name), "_atomic_fetch");
                    let result = job(routine).raw().fetch(source, pe.cast_unsigned());
                    done(routine, "source", source.addr(), pe, result)
                }

                #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_set"))]
                extern "C" fn set(dest: *mut $t, value: $t, pe: c_int) {
                    let routine = concat!("shmem_", stringify!($name), "_atomic_set");
                    done(routine, "dest", dest.addr(), pe, job(routine).raw().set(dest, value, pe.cast_unsigned()));
                }

                #[unsafe(export_name = concat!("shmem_", stringify!($name), "_atomic_swap"))]
                extern "C" fn swap(dest: *mut $t, value: $t, pe: c_int) -> $t {
                    let routine = concat!("shmem_", stringify!($name), "_atomic_swap");
                    done(routine, "dest", dest.addr(), pe, job(routine).raw().swap(dest, value, pe.cast_unsigned()))
                }
            }
        )*};
    }
    amo_types!(extended);
    extended_types!(extended);
}

mod bitwise {
    use super::*;

    macro_rules! bitwise {
        ($($name:ident $t:ident $c:literal;)*) => {$(
            mod $name {
                use super::*;
                updates!($name $t, fetch_and, and, Update::And);
                updates!($name $t, fetch_or, or, Update::Or);
                updates!($name $t, fetch_xor, xor, Update::Xor);
            }
        )*};
    }
    bitwise_types!(bitwise);
}
