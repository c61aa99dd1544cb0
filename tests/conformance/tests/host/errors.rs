//! Wrong arguments are refused with a message that says what and where, and the job goes on.

use cushmem::{Cause, Error, Result, Shmem, SignalOp};
use cushmem_conformance::conformance;

conformance! { host, soft, cuda => {
    pe_out_of_range: 1, 2;
    lengths_that_differ: 1, 2;
    allocation: 1, 2;
    causes_are_values: 1, 2;
} }

/// Calls without a result return a value that fits into a register.
const _: () = assert!(size_of::<Result<()>>() == 8);

fn expect_error<T>(what: &str, result: Result<T>, texts: &[&str]) {
    let Err(error) = result else { panic!("{what} was accepted") };
    let text = error.to_string();
    for part in texts {
        assert!(text.contains(part), "{what}: '{part}' is not in '{text}'");
    }
}

/// Catches an address outside the heap that is computed from a PE that does not exist.
fn pe_out_of_range(shmem: &Shmem) {
    let object = shmem.malloc::<u64>(4).expect("malloc");
    let (one, mut four) = (object.at(0), [0u64; 4]);
    for pe in [shmem.n_pes(), shmem.n_pes() + 1, u32::MAX] {
        let range = format!("PE {pe} is out of range (0 to {})", shmem.n_pes() - 1);
        expect_error("put", shmem.put(object, &[1; 4], pe), &["put", &range]);
        expect_error("put_nbi", shmem.put_nbi(object, object, pe), &["put_nbi", &range]);
        expect_error("get", shmem.get(&mut four, object, pe), &["get", &range]);
        expect_error("p", shmem.p(one, 1, pe), &["p: ", &range]);
        expect_error("g", shmem.g(one, pe), &["g: ", &range]);
        let put_signal = shmem.put_signal(object, &[1; 4], one, 1, SignalOp::Set, pe);
        expect_error("put_signal", put_signal, &["put_signal", &range]);
        expect_error("fetch_add", shmem.fetch_add(one, 1, pe), &["fetch_add", &range]);
        expect_error("compare_swap", shmem.compare_swap(one, 0, 1, pe), &["compare_swap", &range]);
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(object.to_vec().expect("read"), [0; 4], "a refused operation has written");
}

/// Catches a copy past the end of the shorter range.
fn lengths_that_differ(shmem: &Shmem) {
    let mut objects = vec![shmem.malloc::<u16>(5).expect("malloc")];
    if shmem.gpu().is_some() {
        objects.push(shmem.malloc_gpu(5).expect("malloc_gpu"));
        let buffer = shmem.device_alloc::<u16>(5).expect("device_alloc");
        expect_error("copy_from", buffer.copy_from(&[0; 4]), &["the target has 5 elements and the source 4"]);
        expect_error("copy_to", buffer.copy_to(&mut [0; 6]), &["the target has 5 elements and the source 6"]);
    }
    for object in objects {
        expect_error("put", shmem.put(object, &[1; 4], 0), &["put", "the target has 5 elements and the source 4"]);
        expect_error("put", shmem.put(object.slice(1..1), &[1; 4], 0), &["the target has 0 elements and the source 4"]);
        expect_error("get", shmem.get(&mut [0; 6], object, 0), &["get", "5", "6"]);
        expect_error("put_nbi", shmem.put_nbi(object, object.slice(2..), 0), &["put_nbi", "5", "3"]);
    }
}

/// Catches an allocation that succeeds on some PEs only, a free of something else, and a message that does not say what
/// to do.
fn allocation(shmem: &Shmem) {
    let too_large = ["malloc", "do not fit into the heap", "SHMEM_SYMMETRIC_SIZE"];
    expect_error("malloc of 256 TiB", shmem.malloc::<u64>(1 << 45), &too_large);
    expect_error("malloc of 2^64 bytes", shmem.malloc::<u64>(1 << 61), &["malloc", "too many"]);
    expect_error("malloc of all elements", shmem.malloc::<u64>(usize::MAX), &["malloc", "too many"]);
    let object = shmem.malloc::<u32>(1000).expect("malloc");
    let unmatched = ["free", "no symmetric object starts at offset"];
    expect_error("free of a part", shmem.free(object.slice(100..)), &unmatched);
    object.copy_from(&[7; 1000]).expect("the object is still there");
    shmem.free(object).expect("free");
    expect_error("second free", shmem.free(object), &unmatched);
    if shmem.gpu().is_some() {
        let too_large = ["malloc_gpu", "do not fit into the heap", "CUSHMEM_GPU_HEAP_SIZE"];
        expect_error("malloc_gpu of 256 TiB", shmem.malloc_gpu::<u64>(1 << 45), &too_large);
    } else {
        expect_error("malloc_gpu without a GPU", shmem.malloc_gpu::<u8>(1), &["malloc_gpu", "CUSHMEM_GPU=none"]);
        expect_error("device_alloc without a GPU", shmem.device_alloc::<u8>(1), &["device_alloc", "CUSHMEM_GPU=none"]);
        expect_error("stream without a GPU", shmem.stream(), &["stream", "CUSHMEM_GPU=none"]);
    }
    let again = shmem.malloc::<u32>(1000).expect("the heap works after refused calls");
    shmem.free(again).expect("free");
}

/// Catches a failure that a program can recognise only by its text, or whose text lacks the operation or the cause.
fn causes_are_values(shmem: &Shmem) {
    let n_pes = shmem.n_pes();
    let expect = |failed: Error, operation: &str, cause: Cause| {
        assert_eq!((failed.operation(), failed.cause()), (operation, &cause));
        assert_eq!(failed.to_string(), format!("{operation}: {cause}"));
    };
    let object = shmem.malloc::<u32>(10).expect("malloc");
    let failed = shmem.malloc::<u64>(1 << 45).map(drop).expect_err("256 TiB");
    let Cause::HeapFull { bytes, alignment, limit, variable } = *failed.cause() else { panic!("{failed}") };
    assert!(bytes == 1 << 48 && limit > 0 && variable == "SHMEM_SYMMETRIC_SIZE", "{failed}");
    expect(failed, "malloc", Cause::HeapFull { bytes, alignment, limit, variable });
    let failed = shmem.malloc::<u64>(usize::MAX).map(drop).expect_err("more than addresses");
    expect(failed, "malloc", Cause::TooMany { elements: usize::MAX, bytes: 8 });
    let failed = shmem.put(object, &[1; 9], 0).expect_err("lengths");
    expect(failed, "put", Cause::Lengths { target: 10, source_len: 9 });
    let failed = shmem.get(&mut [0; 11], object, 0).expect_err("lengths");
    expect(failed, "get", Cause::Lengths { target: 10, source_len: 11 });
    let failed = shmem.p(object.at(0), 1, n_pes).expect_err("a PE");
    expect(failed, "p", Cause::NoSuchPe { pe: n_pes, n_pes });
    let failed = shmem.free(object.slice(1..)).expect_err("a part");
    assert!(matches!(failed.cause(), Cause::NoObject(_)), "{failed:?}");
    if shmem.gpu().is_some() {
        let failed = shmem.malloc_gpu::<u64>(1 << 45).map(drop).expect_err("256 TiB");
        assert!(matches!(failed.cause(), Cause::HeapFull { variable: "CUSHMEM_GPU_HEAP_SIZE", .. }), "{failed:?}");
    } else {
        let no_gpu = || Cause::NoGpu("CUSHMEM_GPU=none".into());
        expect(shmem.malloc_gpu::<u64>(1).map(drop).expect_err("no GPU"), "malloc_gpu", no_gpu());
        expect(shmem.device_alloc::<u64>(1).map(drop).expect_err("no GPU"), "device_alloc", no_gpu());
        expect(shmem.stream().map(drop).expect_err("no GPU"), "create a stream", no_gpu());
    }
    shmem.barrier_all().expect("barrier");
}
