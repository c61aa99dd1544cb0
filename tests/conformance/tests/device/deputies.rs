//! Work that streams hand to threads of the library for the first time while a kernel spins. What these threads need
//! from the driver must not wait for the GPU.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::raw::AnyStream;
use cushmem::{Grid, Shmem, Stream};
use cushmem_conformance::{conformance, on_nodes};
use cushmem_conformance_kernels as kernels;
use std::ptr::with_exposed_provenance_mut;

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

conformance! { soft, cuda => { the_first_copy_of_pageable_memory: 1, 2; } }
/// Kernels carry out collectives, except where GPUs do not reach each other.
mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => { the_first_collective: 2; the_first_copy_of_pageable_memory: 2; } }
}
on_nodes! { with SOFT: { the_first_collective: 2 on 2; the_first_copy_of_pageable_memory: 2 on 2; } }

/// Enqueues `first`, and waits for it, while a kernel waits for a word that the CPU sets afterwards.
fn beside_a_kernel<'a>(rig: &Rig<'a>, first: impl FnOnce(&Stream<'a>)) {
    let (word, seen, stream) = (rig.on_host(&[0u64]), rig.private(&[7u64]), rig.shmem.stream().expect("stream"));
    rig.start(kernels::wait_for, Grid::linear(1, 1), (word.device_ptr(), 1, LIMIT_NS, seen.device_ptr()));
    first(&stream);
    stream.synchronize().expect("synchronize");
    rig.shmem.p(word.at(0), 1, rig.shmem.my_pe()).expect("p");
    rig.wait();
    assert_eq!(seen.to_vec().expect("read"), [1], "the kernel was waited for");
}

/// Catches a deputy that is started only after the kernel has ended, so that the other PEs wait for it.
fn the_first_collective(shmem: &Shmem) {
    const N: usize = 1000;
    let (rig, n) = (Rig::new(shmem), shmem.n_pes() as usize);
    let source = rig.symmetric(&vec![u64::from(shmem.my_pe()); N]);
    let dest = rig.symmetric(&vec![0; N * n]);
    rig.barrier();
    beside_a_kernel(&rig, |stream| stream.fcollect(shmem.team_world(), dest, source).expect("fcollect"));
    let expected: Vec<u64> = (0..n as u64).flat_map(|pe| [pe; N]).collect();
    assert!(dest.to_vec().expect("read") == expected);
    rig.barrier();
}

/// Catches an operation of the proxy that is started only after the kernel has ended.
fn the_first_copy_of_pageable_memory(shmem: &Shmem) {
    const N: usize = 1000;
    let rig = Rig::new(shmem);
    let (object, data) = (rig.symmetric(&[0u64; N]), vec![u64::from(shmem.my_pe()); N]);
    let to = with_exposed_provenance_mut::<u8>(object.device_ptr().address() as usize);
    rig.barrier();
    beside_a_kernel(&rig, |stream| {
        // SAFETY: both ends have this many bytes, and stay valid until the stream has been synchronised.
        let put =
            unsafe { shmem.raw().on_stream(AnyStream::Ours(stream)).put(to, data.as_ptr().cast(), 8 * N, rig.next()) };
        put.expect("put");
        stream.quiet().expect("quiet");
    });
    rig.barrier();
    assert_eq!(object.to_vec().expect("read"), [u64::from(rig.previous()); N]);
    rig.barrier();
}
