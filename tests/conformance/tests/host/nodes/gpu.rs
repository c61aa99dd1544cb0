//! GPU memory of other nodes.

use crate::get::every_kind;
use crate::order::{fence, fence_between_heaps};
use crate::put::{every_type, non_blocking, single_words};
use crate::signal::data_before_signal;
use crate::staged::{a_computing_target, many_at_once, short_ones_pass_long_ones};
use crate::threads::threads_do_not_disturb_each_other;
use cushmem_conformance::on_nodes;

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

on_nodes! { with SOFT: {
    every_type: 2 on 2;
    every_kind: 2 on 2, 4 on 2 by "cyclic";
    non_blocking: 3 on 2;
    single_words: 2 on 2;
    data_before_signal: 2 on 2;
    fence: 2 on 2;
    fence_between_heaps: 2 on 2;
    threads_do_not_disturb_each_other: 3 on 3;
    many_at_once: 2 on 2, 4 on 2;
    short_ones_pass_long_ones: 2 on 2;
    a_computing_target: 2 on 2;
} }
