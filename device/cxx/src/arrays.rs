//! Arrays of words: waits, tests and strided copies.

use crate::{at, cmp_of};
use cushmem_device::any::{Any, Either, Want, test_many, wait_many};
use cushmem_device::{Ivars, Scope};

/// What a wait or test wants: 0 for all words, 1 for any, 2 for some.
#[inline(always)]
fn want_of(number: u32) -> Want {
    match number {
        0 => Want::All,
        1 => Want::Any,
        _ => Want::Some,
    }
}

macro_rules! waits { ($($t:ty: $wait:ident $test:ident;)*) => { exports! {$(
    /// Waits for words. `status`, `each` and `places` may be 0.
    fn $wait(ivars: u64, count: u64, status: u64, cmp: u32, value: $t, each: u64, want: u32, places: u64) -> u64 {
        let words = Ivars::<$t>::new(at(ivars), count as usize).with_status(at(status));
        wait_many(words, cmp_of(cmp), Either { value, each: at(each) }, want_of(want), at(places))
    }
    /// Looks at words once.
    fn $test(ivars: u64, count: u64, status: u64, cmp: u32, value: $t, each: u64, want: u32, places: u64) -> u64 {
        let words = Ivars::<$t>::new(at(ivars), count as usize).with_status(at(status));
        test_many(words, cmp_of(cmp), Either { value, each: at(each) }, want_of(want), at(places))
    }
)*} } }
waits! {
    u16: wait_many_u16 test_many_u16;
    i16: wait_many_i16 test_many_i16;
    u32: wait_many_u32 test_many_u32;
    i32: wait_many_i32 test_many_i32;
    u64: wait_many_u64 test_many_u64;
    i64: wait_many_i64 test_many_i64;
}

macro_rules! strided { ($($t:ty: $iput:ident $iget:ident;)*) => { exports! {$(
    /// Copies strided elements to another PE.
    fn $iput(scope: u32, dst: u64, src: u64, dst_stride: u64, src_stride: u64, n: u64, pe: u32) {
        let (dst_stride, src_stride) = (dst_stride as isize, src_stride as isize);
        Any::of_bits(scope).iput(at::<$t>(dst), at(src), dst_stride, src_stride, n as usize, pe)
    }
    /// Copies strided elements from another PE.
    fn $iget(scope: u32, dst: u64, src: u64, dst_stride: u64, src_stride: u64, n: u64, pe: u32) {
        let (dst_stride, src_stride) = (dst_stride as isize, src_stride as isize);
        Any::of_bits(scope).iget(at::<$t>(dst), at(src), dst_stride, src_stride, n as usize, pe)
    }
)*} } }
strided! {
    u8: iput_8 iget_8;
    u16: iput_16 iget_16;
    u32: iput_32 iget_32;
    u64: iput_64 iget_64;
    [u64; 2]: iput_128 iget_128;
}
