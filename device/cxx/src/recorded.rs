//! What units with `SHMEMX_RECORDED` record of their operations, for a timeline. The header calls these around an
//! operation if the context has a record.

use cushmem_device::any::Any;
use cushmem_device::cxx;

exports! {
    /// These lanes begin an operation: where it is recorded, or 0 if this lane does not.
    fn record_begin(scope: u32) -> u64 { cxx::record_begin(Any::of_bits(scope)) }
    /// The operation that is recorded there has ended.
    fn record_end(begun: u64, operation: u32, pe: u32, bytes: u64, word: u64) {
        cxx::record_end(begun, operation, pe, bytes, word)
    }
}
