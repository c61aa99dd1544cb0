//! Handles of the CUDA driver, passed from the library to the program and back.

use crate::rig::Rig;
use cushmem::Shmem;
use cushmem_conformance::{conformance, expect_words};

conformance! { soft, cuda => {
    handles_come_back: 1, 2;
} }

fn handles_come_back(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let emulated = shmem.gpu().is_some_and(|gpu| gpu.emulated);
    let (context, stream) = (shmem.raw().gpu_context().expect("context"), rig.stream.handle());
    assert_eq!((context == 0, stream == 0), (emulated, false), "only CUDA has contexts");

    // SAFETY: the handle is that of the rig's stream, which lives longer.
    let again = unsafe { shmem.raw().stream(stream) }.expect("it is a stream");
    assert_eq!(again.handle(), stream);
    again.synchronize().expect("it is a stream");
    drop(again);
    rig.stream.synchronize().expect("the stream is still there");
    if emulated {
        let gone = shmem.stream().expect("create").handle();
        assert_ne!(gone, stream);
        // SAFETY: the emulated GPU refuses a handle that is not valid.
        let error = unsafe { shmem.raw().stream(gone) }.err().expect("its stream is gone").to_string();
        assert!(error.contains("is not a stream of the emulated GPU, or was destroyed"), "{error}");
    }

    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let inbox = rig.symmetric(&[0u64; 100]);
    let words: Vec<u64> = (0..100).map(|i| u64::from(me) * 1000 + i).collect();
    let mine = rig.private(&words);
    rig.barrier();
    // SAFETY: the buffer has 100 words and lives until the put is done.
    let source = unsafe { shmem.raw().device_slice::<u64>(mine.device_ptr().address(), 100) };
    shmem.put(inbox, source, (me + 1) % n).expect("put");
    rig.barrier();
    let from = u64::from((me + n - 1) % n);
    expect_words(|| "words by an address".into(), &inbox.to_vec().expect("read"), |i| from * 1000 + i as u64);
}
