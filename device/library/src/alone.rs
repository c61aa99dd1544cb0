//! Routines of single threads for languages in which every thread of a block makes a scalar call, such as Triton: all
//! threads of the block meet, and one of them carries the operation out.

use crate::{at, cmp_of, exports, signal_op_of};
use cushmem_device::{Block, Scope, atomic_add, atomic_set, signal_op, wait_until};

/// What the threads have written before is ordered as if the first one had written it: they meet, and its operation is
/// a release, if it is one, of what it has seen. `sync` is convergent in LLVM, so no compiler copies it into a branch.
#[inline(always)]
fn alone(act: impl FnOnce()) {
    Block.sync();
    if Block.lane() == 0 {
        act();
    }
}

/// What the first thread has waited for is there for all of them: its wait is an acquire, and then they meet.
#[inline(always)]
fn wait_alone(wait: impl FnOnce()) {
    alone(wait);
    Block.sync();
}

exports! {
    "shmemx_signal_op_block" => fn signal(sig_addr: u64, signal: u64, sig_op: i32, pe: i32) {
        alone(|| signal_op(at(sig_addr), signal, signal_op_of(sig_op), pe as u32))
    }
    "shmemx_signal_wait_until_block" => fn signal_wait_until(sig_addr: u64, cmp: i32, cmp_value: u64) {
        wait_alone(|| { wait_until::<u64>(at(sig_addr), cmp_of(cmp), cmp_value); })
    }
}

macro_rules! words { ($($name:ident $t:ty;)*) => { mod words {$(
    mod $name {
        use crate::alone::*;
        exports! {
            concat!("shmemx_", stringify!($name), "_p_block") => fn p(dest: u64, value: $t, pe: i32) {
                alone(|| cushmem_device::p::<$t>(at(dest), value, pe as u32))
            }
        }
    }
)*} } }
words! {
    float f32;
    double f64;
    int8 i8;
    int16 i16;
    int32 i32;
    int64 i64;
    uint8 u8;
    uint16 u16;
    uint32 u32;
    uint64 u64;
}

macro_rules! waits { ($($name:ident $t:ty;)*) => { mod waits {$(
    mod $name {
        use crate::alone::*;
        exports! {
            concat!("shmemx_", stringify!($name), "_wait_until_block") => fn wait_until_block(ivar: u64, cmp: i32, cmp_value: $t) {
                wait_alone(|| { wait_until::<$t>(at(ivar), cmp_of(cmp), cmp_value); })
            }
        }
    }
)*} } }
waits! {
    int32 i32;
    int64 i64;
    uint32 u32;
    uint64 u64;
}

macro_rules! atomics { ($($name:ident $t:ty;)*) => { mod atomics {$(
    mod $name {
        use crate::alone::*;
        exports! {
            concat!("shmemx_", stringify!($name), "_atomic_add_block") => fn add(dest: u64, value: $t, pe: i32) {
                alone(|| atomic_add::<$t>(at(dest), value, pe as u32))
            }
            concat!("shmemx_", stringify!($name), "_atomic_set_block") => fn set(dest: u64, value: $t, pe: i32) {
                alone(|| atomic_set::<$t>(at(dest), value, pe as u32))
            }
        }
    }
)*} } }
atomics! {
    float f32;
    double f64;
    int32 i32;
    int64 i64;
    uint32 u32;
    uint64 u64;
}
