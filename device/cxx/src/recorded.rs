//! What units with `SHMEMX_RECORDED` record of their operations, for a timeline. The header calls these around an
//! operation if the context has a record.

use cushmem_device::any::Any;
use cushmem_device::cxx;

exports! {
    /// When an operation of these lanes began, if this lane records it; otherwise 0.
    fn record_begin(scope: u32) -> u64 { cxx::record_begin(Any::of_bits(scope)) }
    /// Its number, which is taken at the same time.
    fn record_take() -> u64 { cxx::record_take() }
    /// Records what began then.
    fn record_end(from: u64, number: u64, operation: u32, pe: u32, bytes: u64, word: u64) {
        cxx::record_end(from, number, operation, pe, bytes, word)
    }
}
