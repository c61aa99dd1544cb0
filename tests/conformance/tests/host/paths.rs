//! `CUSHMEM_PATH`, and the table of paths.

use crate::place::partner;
use cushmem::Shmem;
use cushmem_conformance::{all_gpus_are_mapped, conformance, expect_status, expect_words};
use cushmem_conformance_kernels::mix;

conformance! { host, soft, cuda => {
    the_table_names_the_paths: 1, 2;
} }

/// Check mode takes every operation past the inlined check, into the transfer layer.
const ENGINE: &[(&str, &str)] = &[("CUSHMEM_PATH", "copy-engine"), ("CUSHMEM_CHECK", "1")];
/// The agent reaches peers' GPU memory only by peer access, whatever the environment of the tests says.
const AGENT: &[(&str, &str)] = &[("CUSHMEM_PATH", "gpu-agent"), ("CUSHMEM_P2P", "1")];
const LAUNCHED_LATE: &[(&str, &str)] =
    &[("CUSHMEM_PATH", "gpu-agent"), ("CUSHMEM_P2P", "1"), ("CUSHMEM_TEST_GPU_PACE", "early")];
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
    use super::{AGENT, lengths_and_alignments, short_ones_are_counted};
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
        lengths_and_alignments: 2;
    } }
}

/// A launch returns after its kernel has had nothing to do and has left, as where the thread that launches waits for a
/// core, or with `CUDA_LAUNCH_BLOCKING=1`.
mod agent_launched_late {
    use super::{LAUNCHED_LATE, lengths_and_alignments, short_ones_are_counted};
    use crate::put::non_blocking;
    use crate::signal::data_before_signal;
    cushmem_conformance::conformance! { with LAUNCHED_LATE: soft => {
        non_blocking: 2;
        data_before_signal: 2;
        short_ones_are_counted: 2;
        lengths_and_alignments: 2;
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

/// Catches a put or get of any length and place that takes a path other than the one asked for.
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
    // Each of them is one command, and so is what was written at the start. The network serves another node.
    let [puts, gets] = if all_gpus_are_mapped(shmem) { [61, 60] } else { [1, 0] };
    let me = shmem.my_pe();
    expect_status(&[&format!("PE {me}: GPU agent: 0 atomic operations, {puts} puts and {gets} gets in ")]);
    shmem.barrier_all().expect("barrier");
}

/// Catches a copy by the agent that is wrong where it switches from a warp to the block, from whole rounds of its lanes
/// to the rest, or from one command to the next, and one that is wrong at either end; the ends may lie at different
/// distances from a multiple of 16. Also catches a copy that takes another path.
fn lengths_and_alignments(shmem: &Shmem) {
    const CHUNK: usize = 64 << 10;
    const MOST: usize = 1 << 20;
    // What a warp copies; one vector for each lane, of a warp and of the block; a round of either, and a chunk; what
    // one command copies.
    const BORDERS: [usize; 6] = [2 << 10, 32 * 16, 512 * 16, 32 * 16 * 8, CHUNK, MOST];
    const AROUND: [isize; 7] = [-17, -16, -1, 0, 1, 16, 33];
    const ENDS: [(usize, usize); 5] = [(0, 0), (7, 7), (1, 0), (4, 8), (15, 2)];
    let (me, pe) = (shmem.my_pe(), partner(shmem));
    // The position in the object, the position in this PE's memory, and the number of bytes.
    let (mut ranges, mut end) = (vec![], 0usize);
    for (at, (border, by)) in BORDERS.into_iter().flat_map(|border| AROUND.map(|by| (border, by))).enumerate() {
        // The longest ones take long on an emulated GPU.
        let ends = if border < MOST { &ENDS[..] } else { &ENDS[at % 5..=at % 5] };
        for (to, from) in ends {
            let length = border.strict_add_signed(by);
            ranges.push((end + to, end + from, length));
            end = (end + length + 17).next_multiple_of(16);
        }
    }
    let datum = |pe: u32, at: usize| mix(pe.into(), at as u64) as u8 | 1;
    let (mut there, mut here) = (vec![0; end], vec![0; end]);
    for (to, from, length) in ranges.iter().copied() {
        (0..length).for_each(|i| there[to + i] = datum(pe, from + i));
        (0..length).for_each(|i| here[from + i] = datum(me, from + i));
    }
    let own: Vec<u8> = (0..end).map(|at| datum(me, at)).collect();
    let (object, heap) = (shmem.malloc_gpu::<u8>(end).expect("malloc_gpu"), shmem.malloc::<u8>(end).expect("malloc"));
    let (gpu, mut vec) = (shmem.device_alloc::<u8>(end).expect("device_alloc"), own.clone());
    heap.copy_from(&own).expect("write");
    gpu.copy_from(&own).expect("write");
    for kind in ["pageable", "the heap", "of the GPU"] {
        object.copy_from(&vec![0; end]).expect("clear");
        shmem.barrier_all().expect("barrier");
        for (to, from, length) in ranges.iter().copied() {
            let (object, part) = (object.slice(to..to + length), from..from + length);
            let done = match kind {
                "pageable" => shmem.put(object, &vec[part], pe),
                "the heap" => shmem.put(object, heap.slice(part), pe),
                _ => shmem.put(object, gpu.slice(part), pe),
            };
            done.expect("put");
        }
        shmem.barrier_all().expect("barrier");
        let found = object.to_vec().expect("read");
        expect_words(|| format!("puts from memory {kind}"), &found, |at| there[at]);
        let zeros = vec![0; end];
        match kind {
            "pageable" => vec = zeros,
            "the heap" => heap.copy_from(&zeros).expect("clear"),
            _ => gpu.copy_from(&zeros).expect("clear"),
        }
        for (to, from, length) in ranges.iter().copied() {
            let (object, part) = (object.slice(to..to + length), from..from + length);
            let done = match kind {
                "pageable" => shmem.get(&mut vec[part], object, pe),
                "the heap" => shmem.get(heap.slice(part), object, pe),
                _ => shmem.get(gpu.slice(part), object, pe),
            };
            done.expect("get");
        }
        let found = match kind {
            "pageable" => vec.clone(),
            "the heap" => heap.to_vec().expect("read"),
            _ => gpu.to_vec().expect("read"),
        };
        expect_words(|| format!("gets to memory {kind}"), &found, |at| here[at]);
        shmem.barrier_all().expect("barrier");
    }
    let commands = |most: usize| ranges.iter().map(|(_, _, length)| length.div_ceil(most)).sum::<usize>();
    let short = ranges.iter().filter(|(_, _, length)| *length > MOST).count();
    // Longer ranges are copied, from and to the heap and GPU memory: for the agent, that is a put.
    let gets = 3 * end.div_ceil(CHUNK) + commands(CHUNK) + short;
    let puts = 3 * end.div_ceil(CHUNK) + commands(CHUNK) + 4 * commands(MOST) - short;
    // The network serves another node.
    if all_gpus_are_mapped(shmem) {
        expect_status(&[&format!("PE {me}: GPU agent: 0 atomic operations, {puts} puts and {gets} gets in ")]);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches puts and gets by the GPU agent although another path is asked for.
fn the_agent_is_left_out(shmem: &Shmem) {
    let (word, pe) = (shmem.malloc_gpu::<u64>(1).expect("malloc_gpu"), partner(shmem));
    for round in 0..50 {
        shmem.p(word.at(0), round, pe).expect("p");
        assert_eq!(shmem.g(word.at(0), pe).expect("g"), round);
    }
    expect_status(&[&format!("PE {}: GPU agent: 0 atomic operations, 0 puts and 0 gets in 0 kernels", shmem.my_pe())]);
    shmem.barrier_all().expect("barrier");
}

/// Catches a table without a path that serves this job, and an empty one.
fn the_table_names_the_paths(shmem: &Shmem) {
    let table = shmem.paths();
    let (paths, operations) = (["mapped", "copy-engine", "gpu-direct"], ["put", "get", "put-signal", "amo"]);
    let of_this_job = if shmem.gpu().is_some() { &paths[..] } else { &paths[..1] };
    let words: Vec<&str> = table.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    for word in of_this_job.iter().chain(&operations) {
        assert!(words.contains(word), "no {word} in the table:\n{table}");
    }
}

/// Catches an override that the table does not show, or that it shows as followed where it cannot be: between host
/// memories, and for atomics.
fn the_table_tells_what_is_not_followed(shmem: &Shmem) {
    let _gpu_memory = shmem.malloc_gpu::<u8>(1).expect("malloc_gpu");
    let table = shmem.paths();
    assert!(table.contains("CUSHMEM_PATH asks for a path that cannot serve this"), "{table}");
    // Columns are as wide as their contents.
    let row = |start: &[&str]| -> Vec<&str> {
        let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.find(|words| words.starts_with(start)).unwrap_or_else(|| panic!("{start:?}:\n{table}"))
    };
    let copies = row(&["host", "own", "put", "get", "put-signal"]);
    assert_eq!(copies[5..], ["mapped", "*", "mapped", "*", "copy-engine"], "{table}");
    let copies = row(&["gpu", "own", "put", "get", "put-signal"]);
    assert_eq!(copies[5..], ["copy-engine"; 3], "{table}");
}
