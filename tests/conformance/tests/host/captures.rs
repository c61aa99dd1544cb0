//! Calls of the library while a stream of the program is being captured.

use crate::place::partner;
use cushmem::Shmem;
use cushmem_conformance::conformance;
use cushmem_gpu::cuda::driver::{self, CUresult};
use std::ptr::{null_mut, with_exposed_provenance_mut as target};

conformance! { cuda => { nothing_breaks_a_capture: 1, 2; } }

/// `CU_STREAM_CAPTURE_MODE_GLOBAL`: the mode of programs that choose no other.
const GLOBAL: u32 = 0;
/// `CU_STREAM_NON_BLOCKING`.
const NON_BLOCKING: u32 = 1;

fn done(what: &str, status: CUresult) {
    assert_eq!(status, CUresult::CUDA_SUCCESS, "{what}");
}

/// Catches a driver call that is not allowed while any stream is being captured, and that ends the capture. The calls
/// come from the first operation of each kind, which prepares what later ones use, and from later ones, in the thread
/// that captures and in another one.
fn nothing_breaks_a_capture(shmem: &Shmem) {
    const BYTES: usize = 1 << 20;
    let pe = partner(shmem);
    let word = shmem.malloc_gpu::<u64>(1).expect("malloc_gpu");
    word.copy_from(&[0]).expect("clear");
    let object = shmem.malloc_gpu::<u8>(2 * BYTES).expect("malloc_gpu");
    let (from, to) =
        (shmem.device_alloc::<u8>(BYTES).expect("memory"), shmem.device_alloc::<u8>(BYTES).expect("memory"));
    from.copy_from(&[7; BYTES]).expect("write");
    to.copy_from(&[0; BYTES]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let context = shmem.raw().gpu_context().expect("a context");
    let (mut stream, mut graph, mut exec) = (null_mut(), null_mut(), null_mut());
    let [dst, src] = [&to, &from].map(|buffer| buffer.device_ptr().address());
    // SAFETY: all pointers are valid, and the driver reports errors.
    unsafe {
        done("set", driver::cuCtxSetCurrent(target(context)));
        done("create", driver::cuStreamCreate(&mut stream, NON_BLOCKING));
        done("begin", driver::cuStreamBeginCapture_v2(stream, GLOBAL));
        done("copy", driver::cuMemcpyAsync(dst, src, BYTES, stream));
    }
    let work = |half: usize| {
        let part = object.slice(half * BYTES..(half + 1) * BYTES);
        for round in 1..=3u8 {
            shmem.fetch_add(word.at(0), 1, pe).expect("fetch_add");
            shmem.put(part, &vec![round; BYTES][..], pe).expect("put");
            shmem.put(part.slice(..8), &[round + 1; 8], pe).expect("a short put");
            shmem.quiet().expect("quiet");
            let mut back = vec![0; BYTES];
            shmem.get(&mut back[..], part, pe).expect("get");
            assert!(back[..8] == [round + 1; 8] && back[8..] == vec![round; BYTES - 8]);
        }
    };
    work(0);
    std::thread::scope(|scope| {
        scope.spawn(|| work(1));
    });
    let other = shmem.device_alloc::<u8>(BYTES).expect("memory");
    drop(other);
    // SAFETY: this thread started the capture of the stream; the graph is a variable.
    unsafe {
        done("end", driver::cuStreamEndCapture(stream, &mut graph));
        done("instantiate", driver::cuGraphInstantiateWithFlags(&mut exec, graph, 0));
    }
    assert!(to.to_vec().expect("read") == [0; BYTES], "it is recorded, and has not run");
    for _ in 0..2 {
        // SAFETY: the graph was made above, and is launched on a stream of its context.
        unsafe {
            done("launch", driver::cuGraphLaunch(exec, stream));
            done("synchronise", driver::cuStreamSynchronize(stream));
        }
        assert!(to.to_vec().expect("read") == [7; BYTES], "the graph copies");
        to.copy_from(&[0; BYTES]).expect("clear");
    }
    // SAFETY: all of these were made above, and none of them is used any more.
    unsafe {
        done("destroy", driver::cuGraphExecDestroy(exec));
        done("destroy", driver::cuGraphDestroy(graph));
        done("destroy", driver::cuStreamDestroy_v2(stream));
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(word.to_vec().expect("read"), [6]);
    shmem.barrier_all().expect("barrier");
}
