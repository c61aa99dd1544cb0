//! GPU memory of other nodes that the network reads and writes itself, as over InfiniBand and RoCE with GPUDirect RDMA,
//! for what kernels and streams ask for. Here it is that of emulated GPUs, and the network within the machine moves it.

use crate::collectives::by_every_scope;
use crate::commands::{
    copies_to_a_third_pe, fences_among_others, ranges, sources_may_change, sources_of_any_size_may_change,
    words_from_8_blocks,
};
use crate::exchange::{put_signal_nbi, signals_without_data};
use crate::numbers::on_gpus;
use crate::prepared::words_of_gpu_memory;
use crate::rig::Rig;
use crate::signals::exchanges;
use crate::streams::{every_kind, graphs, the_order_of_a_stream, words_and_signals};
use crate::strided::elements_of_any_size;
use cushmem::{Cmp, Grid, Shmem, SignalOp};
use cushmem_conformance::{expect_status, on_nodes};
use cushmem_conformance_kernels::{self as kernels, mix};

const DIRECT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft"), ("CUSHMEM_PATH", "gdr")];

on_nodes! { with DIRECT: {
    words_from_8_blocks: 2 on 2;
    ranges: 2 on 2, 3 on 2;
    sources_of_any_size_may_change: 2 on 2;
    sources_may_change: 2 on 2;
    fences_among_others: 2 on 2;
    copies_to_a_third_pe: 3 on 2 by "cyclic";
    put_signal_nbi: 2 on 2;
    signals_without_data: 2 on 2;
    exchanges: 2 on 2;
    words_of_gpu_memory: 3 on 2;
    every_kind: 2 on 2, 4 on 2 by "cyclic";
    words_and_signals: 2 on 2;
    the_order_of_a_stream: 3 on 2;
    graphs: 2 on 2;
    elements_of_any_size: 2 on 2;
    on_gpus: 3 on 2;
    by_every_scope: 2 on 2;
    nothing_is_staged: 2 on 2;
} }

/// On a network that keeps words whole and in order.
mod words {
    use super::{DIRECT, words_are_set};

    cushmem_conformance::on_nodes! { with DIRECT: verbs { words_are_set: 2 on 2; } }
}

/// How many copies each PE has staged, while the others are in the next barrier.
fn expect_staged(rig: &Rig<'_>, copies: u64) {
    rig.barrier();
    if rig.shmem.my_pe() == 0 {
        let line = |pe| format!("PE {pe}: proxy: … batches, {copies} staged copies, ");
        let lines: Vec<String> = (0..rig.shmem.n_pes()).map(line).collect();
        expect_status(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    }
    rig.barrier();
}

/// Words that no chunk of the command ring has room for.
const LONG: usize = 20_000;

/// Catches what kernels and streams put and is staged although the network reaches both ends, and private memory that
/// is given to the network.
fn nothing_is_staged(shmem: &Shmem) {
    let (rig, me, pe) = (Rig::new(shmem), u64::from(shmem.my_pe()), shmem.n_pes() - 1 - shmem.my_pe());
    let words = |from: u64, n: usize| -> Vec<u64> { (0..n as u64).map(|i| mix(from, i)).collect() };
    let signal = rig.on_host(&[0u64]);
    for (round, n) in (1..).zip([7, 100, LONG]) {
        let (src, dst, far) = (rig.symmetric(&words(me, n)), rig.symmetric(&vec![0; n]), rig.on_host(&vec![0; n]));
        let by_stream = rig.symmetric(&vec![0; n]);
        rig.barrier();
        for to in [dst.device_ptr(), far.device_ptr()] {
            rig.run(kernels::put_and_quiet, Grid::linear(1, 32), (to, src.device_ptr(), n, pe));
        }
        rig.stream.put_signal(by_stream, src, signal.at(0), round, SignalOp::Set, pe).expect("put_signal");
        rig.stream.synchronize().expect("the stream ends");
        rig.barrier();
        let theirs = words(u64::from(pe), n);
        assert!(dst.to_vec().expect("read") == theirs, "{n} words to GPU memory");
        assert!(far.to_vec().expect("read") == theirs, "{n} words to host memory");
        assert!(by_stream.to_vec().expect("read") == theirs, "{n} words by a stream");
        expect_staged(&rig, 0);
    }
    let (private, dst) = (rig.private(&words(me, LONG)), rig.symmetric(&vec![0; LONG]));
    rig.barrier();
    rig.run(kernels::put_and_quiet, Grid::linear(1, 32), (dst.device_ptr(), private.device_ptr(), LONG, pe));
    rig.barrier();
    assert!(dst.to_vec().expect("read") == words(u64::from(pe), LONG), "of private memory");
    expect_staged(&rig, 1);
}

/// Catches words of GPU memory that are set by their owner's GPU although the network can: by a kernel, and signals of
/// the CPU and of a stream.
fn words_are_set(shmem: &Shmem) {
    let (rig, me, pe) = (Rig::new(shmem), u64::from(shmem.my_pe()), shmem.n_pes() - 1 - shmem.my_pe());
    let (word, source) = (rig.symmetric(&[0u64]), rig.symmetric(&[me + 5]));
    let (data, signals) = (rig.symmetric(&[0u64; 2000]), rig.symmetric(&[0u64; 2]));
    rig.barrier();
    rig.run(kernels::put_and_quiet, Grid::linear(1, 32), (word.device_ptr(), source.device_ptr(), 1, pe));
    for round in 1..=20 {
        let own: Vec<u64> = (0..1000).map(|i| mix(me + round, i)).collect();
        let src = rig.symmetric(&own);
        rig.stream.put_signal(data.slice(..1000), src, signals.at(0), round, SignalOp::Set, pe).expect("put_signal");
        shmem.put_signal(data.slice(1000..), &own, signals.at(1), round, SignalOp::Set, pe).expect("put_signal");
        for signal in [signals.at(0), signals.at(1)] {
            rig.stream.signal_wait_until(signal, Cmp::Ge, round).expect("signal_wait_until");
        }
        let theirs: Vec<u64> = (0..1000).map(|i| mix(u64::from(pe) + round, i)).collect();
        rig.stream.synchronize().expect("the stream ends");
        assert!(data.to_vec().expect("read") == [&theirs[..], &theirs].concat(), "round {round}");
        rig.barrier();
    }
    assert_eq!(word.to_vec().expect("read"), [u64::from(pe) + 5], "by a kernel");
    expect_staged(&rig, 0);
}
