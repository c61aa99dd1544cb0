//! GPU memory that PEs of one node do not reach. `nodes` has jobs of several nodes.

use cushmem_conformance::conformance;

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

use crate::contexts::threads_share_the_default;
use crate::get::every_kind;
use crate::order::{fence, quiet_before_get};
use crate::pending::a_context_that_ends_completes_copies;
use crate::put::{every_type, non_blocking, single_words};
use crate::signal::data_before_signal;

conformance! { with APART: soft, cuda => {
    every_type: 2;
    every_kind: 2, 4;
    non_blocking: 2;
    single_words: 2;
    data_before_signal: 2;
    fence: 2;
    quiet_before_get: 2;
    threads_share_the_default: 2;
    a_context_that_ends_completes_copies: 2;
} }

mod at_the_end {
    use crate::ends::ranges;
    const APART: &[(&str, &str)] = &[super::APART[0], ("SHMEM_SYMMETRIC_SIZE", "2M"), ("CUSHMEM_GPU_HEAP_SIZE", "32M")];
    cushmem_conformance::conformance! { with APART: soft, cuda => { ranges: 2; } }
}
