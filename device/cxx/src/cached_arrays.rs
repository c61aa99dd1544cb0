//! Cached arrays. The header `shmemx_arrays.cuh` has what people call.

use crate::Looked;
use cushmem_device::cxx_arrays;

/// Functions of an array, whose words come first.
macro_rules! of_array { ($($(#[$doc:meta])* fn $name:ident($words:ident $(, $argument:ident: $t:ty)*) $(-> $r:ty)? $body:block)*) => { exports! {$(
    $(#[$doc])*
    fn $name(
        head: u64, data: u64, states: u64, own: u64, len: u64, per_pe: u64, first: u64, direct: u64, shape: u64,
        $($argument: $t,)*
    ) $(-> $r)? {
        let $words = [head, data, states, own, len, per_pe, first, direct, shape];
        $body
    }
)*} } }

macro_rules! elements { ($($t:ty: $read:ident $write:ident $place:ident;)*) => {
    of_array! {$(
        /// Reads an element, or says how it is to be read.
        fn $read(words, index: u64) -> Looked {
            let (word, found) = cxx_arrays::read::<$t>(words, index);
            Looked { word, found: found.into() }
        }
        /// Writes an element, or says how it is to be written.
        fn $write(words, index: u64, value: u64) -> Looked {
            let (word, found) = cxx_arrays::write::<$t>(words, index, value);
            Looked { word, found: found.into() }
        }
        /// The address of an element, and the PE on which it is there.
        fn $place(words, index: u64, needed: u32) -> Looked {
            let (word, pe) = cxx_arrays::place::<$t>(words, index, needed);
            Looked { word, found: pe.into() }
        }
    )*}
} }
elements! {
    u8: array_read_8 array_write_8 array_place_8;
    u16: array_read_16 array_write_16 array_place_16;
    u32: array_read_32 array_write_32 array_place_32;
    u64: array_read_64 array_write_64 array_place_64;
}

of_array! {
    /// The first element of a line, and how many it has.
    fn array_line_of(words, index: u64) -> Looked {
        let (word, found) = cxx_arrays::line_of(words, index);
        Looked { word, found }
    }
    /// The number of elements.
    fn array_len(words) -> u64 { cxx_arrays::len(words) }
}

exports! {
    /// Accesses an element in the cache.
    fn array_apart(
        head: u64, data: u64, states: u64, shape: u64, index: u64, how: u64, value: u64, bytes_log: u32,
    ) -> u64 {
        cxx_arrays::apart([head, data, states], shape, index, how, value, bytes_log)
    }
    /// The same in a job in which not all PEs are mapped.
    fn far_array_apart(
        head: u64, data: u64, states: u64, shape: u64, index: u64, how: u64, value: u64, bytes_log: u32,
    ) -> u64 {
        cxx_arrays::apart([head, data, states], shape, index, how, value, bytes_log)
    }
    /// Writes back what is in the cache.
    fn array_flush(scope: u32, head: u64) { cxx_arrays::flush(scope, head) }
    /// The same in a job in which not all PEs are mapped.
    fn far_array_flush(scope: u32, head: u64) { cxx_arrays::flush(scope, head) }
    /// Forgets what is in the cache.
    fn array_invalidate(scope: u32, head: u64) { cxx_arrays::invalidate(scope, head) }
}
