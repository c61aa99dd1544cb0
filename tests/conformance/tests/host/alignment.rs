//! Registered ranges that start at addresses with different alignment: a word that is aligned on one PE is misaligned
//! on another.

use crate::place::partner;
use cushmem::raw::AnyStream;
use cushmem::{ArgumentError, Operation, Result, Shmem, SignalOp, WordUpdate};
use cushmem_conformance::{conformance, on_nodes};
use std::ptr::with_exposed_provenance_mut as target;

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

conformance! { soft, cuda => { words_of_one_pe_alone: 2; } }
mod staged {
    use super::*;
    conformance! { with APART: soft, cuda => { words_of_one_pe_alone: 2; } }
}
on_nodes! { with SOFT: { words_of_one_pe_alone: 2 on 2; } }

const N: usize = 100;

/// Catches an operation that checks the alignment of the word on this PE only, and ends the job when it gets to the
/// word of the other PE.
fn words_of_one_pe_alone(shmem: &Shmem) {
    let (me, pe, raw) = (shmem.my_pe(), partner(shmem), shmem.raw());
    let buffer = shmem.device_alloc::<u64>(N + 1).expect("device_alloc");
    buffer.copy_from(&[0; N + 1]).expect("clear");
    let start = buffer.device_ptr().address() as usize + 4 * me as usize;
    // SAFETY: the buffer lives until the range is unregistered.
    let range = unsafe { shmem.register(target::<u64>(start), N).expect("register") };
    let (stream, source) = (shmem.stream().expect("stream"), shmem.malloc::<u64>(2).expect("malloc"));
    source.copy_from(&[7, 8]).expect("write");
    let (word, data, [set, add]) = (range.at(0), range.slice(1..3), [SignalOp::Set, SignalOp::Add]);
    let prepare = |operation: Result<Operation<'_>>| shmem.prepare(operation?).map(drop);
    let trigger = |operation: Result<Operation<'_>>| shmem.trigger(operation?, 1).map(drop);
    shmem.barrier_all().expect("barrier");
    let operations: [(&str, &dyn Fn() -> Result<()>); 12] = [
        ("p of a stream", &|| stream.p(word, 5, pe)),
        ("signal of a stream", &|| stream.signal_op(word, 5, set, pe)),
        ("signal of a stream that is added to", &|| stream.signal_op(word, 5, add, pe)),
        ("put_signal of a stream", &|| stream.put_signal(data, source, word, 5, set, pe)),
        ("put_signal", &|| shmem.put_signal(data, &[7, 8], word, 5, set, pe)),
        ("put_signal that adds", &|| shmem.put_signal(data, &[7, 8], word, 5, add, pe)),
        ("fetch_add", &|| shmem.fetch_add(word, 5, pe).map(drop)),
        ("prepare of a signal", &|| prepare(Operation::signal(word, 5, set, pe))),
        ("prepare of put_signal", &|| prepare(Operation::put_signal(data, source, word, 5, add, pe))),
        ("prepare of an addition", &|| prepare(Operation::atomic(word, WordUpdate::Add, 5, pe))),
        ("prepare of a word that is set", &|| prepare(Operation::atomic(word, WordUpdate::Set, 5, pe))),
        ("trigger", &|| trigger(Operation::signal(word, 5, set, pe).map(Operation::by_proxy))),
    ];
    for (name, operation) in operations {
        let done = operation().and_then(|()| stream.synchronize()).and_then(|()| shmem.quiet());
        match (pe, done) {
            (0, done) => done.unwrap_or_else(|error| panic!("{name}: {error}")),
            (_, Ok(())) => panic!("{name}: PE {pe} has no word there"),
            (_, Err(error)) => assert!(error.to_string().contains("is not aligned to 8 bytes"), "{name}: {error}"),
        }
    }
    let lock = target::<i64>(start);
    assert_eq!(
        [raw.set_lock(lock), raw.test_lock(lock).map(drop)],
        [(); 2].map(|()| Err(ArgumentError::Misaligned(8)))
    );
    // SAFETY: the stream belongs to the library.
    unsafe { raw.on_stream(AnyStream::Ours(&stream)).p(target::<u32>(start + 8 * 9), 9, pe).expect("p of 4 bytes") };
    stream.quiet().expect("quiet");
    stream.synchronize().expect("synchronize");
    shmem.barrier_all().expect("barrier");
    let mut own = vec![0; N];
    shmem.get(&mut own[..], range, me).expect("get");
    let mut expected = vec![0; N];
    expected[9] = 9;
    if me == 0 {
        expected[..3].copy_from_slice(&[15, 7, 8]);
    }
    assert_eq!(own, expected);
    shmem.unregister(range).expect("unregister");
}
