//! `CUSHMEM_PATH`, and the table of paths.

use crate::place::partner;
use cushmem::Shmem;
use cushmem_conformance::{conformance, expect_status};

conformance! { host, soft, cuda => {
    the_table_names_the_paths: 1, 2;
} }

/// Check mode takes every operation past the inlined test, into the transfer layer.
const ENGINE: &[(&str, &str)] = &[("CUSHMEM_PATH", "copy-engine"), ("CUSHMEM_CHECK", "1")];
const AGENT: &[(&str, &str)] = &[("CUSHMEM_PATH", "gpu-agent")];
const MAPPED: &[(&str, &str)] = &[("CUSHMEM_PATH", "mapped")];
const MIXED: &[(&str, &str)] = &[("CUSHMEM_PATH", "mapped,put:gpu-host=copy-engine"), ("CUSHMEM_CHECK", "1")];

mod copy_engine {
    use super::{ENGINE, the_agent_is_left_out, the_table_tells_what_is_not_followed};
    use crate::amo::bits;
    use crate::collective::random_ones_in_a_row;
    use crate::contexts::threads_share_the_default;
    use crate::get::every_kind;
    use crate::order::fence;
    use crate::put::{every_type, non_blocking, single_words};
    use crate::signal::data_before_signal;
    cushmem_conformance::conformance! { with ENGINE: soft, cuda => {
        every_type: 2;
        non_blocking: 2;
        single_words: 2;
        every_kind: 2;
        data_before_signal: 2;
        fence: 2;
        bits: 2;
        random_ones_in_a_row: 3;
        threads_share_the_default: 2;
        the_table_tells_what_is_not_followed: 1;
        the_agent_is_left_out: 2;
    } }
}

mod agent {
    use super::{AGENT, short_ones_are_counted};
    use crate::contexts::threads_share_the_default;
    use crate::get::every_kind;
    use crate::order::{fence, quiet_before_get};
    use crate::put::{every_type, non_blocking, single_words};
    use crate::signal::data_before_signal;
    cushmem_conformance::conformance! { with AGENT: soft, cuda => {
        every_type: 2;
        non_blocking: 2;
        single_words: 2;
        every_kind: 2;
        data_before_signal: 2;
        fence: 2;
        quiet_before_get: 2;
        threads_share_the_default: 2;
        short_ones_are_counted: 2;
    } }
}

mod mapped {
    use super::MAPPED;
    use crate::get::every_kind;
    use crate::put::{every_type, non_blocking};
    use crate::signal::data_before_signal;
    cushmem_conformance::conformance! { with MAPPED: host, soft, cuda => {
        every_type: 2;
        every_kind: 2;
        non_blocking: 2;
        data_before_signal: 2;
    } }
}

mod mixed {
    use super::MIXED;
    use crate::order::{fence, quiet_before_get};
    use crate::put::non_blocking;
    cushmem_conformance::conformance! { with MIXED: soft, cuda => {
        non_blocking: 2;
        fence: 2;
        quiet_before_get: 2;
    } }
}

/// A put or get that takes another path than the one which is asked for, of any length and place.
fn short_ones_are_counted(shmem: &Shmem) {
    let (object, pe) = (shmem.malloc_gpu::<u8>(64).expect("malloc_gpu"), partner(shmem));
    object.copy_from(&[0xee; 64]).expect("write");
    shmem.barrier_all().expect("barrier");
    for (round, len) in (1..=48).chain([8; 12]).enumerate() {
        let (start, datum) = (round % 9, |i: usize| (3 * i + round) as u8);
        let bytes: Vec<u8> = (0..len).map(datum).collect();
        shmem.put(object.slice(start..start + len), &bytes, pe).expect("put");
        shmem.quiet().expect("quiet");
        let mut back = vec![0; len + 2];
        let from = start.saturating_sub(1);
        shmem.get(&mut back, object.slice(from..from + len + 2), pe).expect("get");
        assert_eq!(back[start - from..][..len], bytes, "{len} bytes at {start}");
    }
    // Each is one command; so is what was written at the start.
    expect_status(&[&format!("PE {}: GPU agent: 0 atomic operations, 61 puts and 60 gets in ", shmem.my_pe())]);
    shmem.barrier_all().expect("barrier");
}

/// Puts and gets by the GPU agent where another path is asked for.
fn the_agent_is_left_out(shmem: &Shmem) {
    let (word, pe) = (shmem.malloc_gpu::<u64>(1).expect("malloc_gpu"), partner(shmem));
    for round in 0..50 {
        shmem.p(word.at(0), round, pe).expect("p");
        assert_eq!(shmem.g(word.at(0), pe).expect("g"), round);
    }
    expect_status(&[&format!("PE {}: GPU agent: 0 atomic operations, 0 puts and 0 gets in 0 kernels", shmem.my_pe())]);
    shmem.barrier_all().expect("barrier");
}

/// A table without a path that serves this job, or of nothing.
fn the_table_names_the_paths(shmem: &Shmem) {
    let table = shmem.paths();
    let (paths, operations) = (["mapped", "copy-engine", "gpu-direct"], ["put", "get", "put-signal", "amo"]);
    let of_this_job = if shmem.gpu().is_some() { &paths[..] } else { &paths[..1] };
    let words: Vec<&str> = table.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    for word in of_this_job.iter().chain(&operations) {
        assert!(words.contains(word), "no {word} in the table:\n{table}");
    }
}

/// An override that the table does not show, or takes for followed where it cannot be: between host memories, and for atomics.
fn the_table_tells_what_is_not_followed(shmem: &Shmem) {
    let _gpu_memory = shmem.malloc_gpu::<u8>(1).expect("malloc_gpu");
    let table = shmem.paths();
    assert!(table.contains("CUSHMEM_PATH asks for a path that cannot serve this"), "{table}");
    // Columns are as wide as what is in them.
    let row = |start: &[&str]| -> Vec<&str> {
        let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.find(|words| words.starts_with(start)).unwrap_or_else(|| panic!("{start:?}:\n{table}"))
    };
    let copies = row(&["host", "own", "put", "get", "put-signal"]);
    assert_eq!(copies[5..], ["mapped", "*", "mapped", "*", "copy-engine"], "{table}");
    let copies = row(&["gpu", "own", "put", "get", "put-signal"]);
    assert_eq!(copies[5..], ["copy-engine"; 3], "{table}");
}
