//! Device memory of the emulated GPU: what reaches it, how it is mapped, and what is refused.

use crate::rig::{Rig, arg, child, finish, place, word};
use cushmem_abi::soft;
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Grid, LaunchKind};
use std::ffi::c_void;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

unsafe fn double(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let w = word(unsafe { arg(args, 0) }, place().0);
    w.store(2 * w.load(Relaxed), Relaxed);
}

/// Catches an address window that copies and kernels resolve differently.
#[test]
fn copies_and_kernels_reach_the_same_bytes() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[1, 2, 3, 4]);
    assert!(soft::is_device_address(data) && data.is_multiple_of(256));
    rig.run(double, Grid::linear(1, 4), LaunchKind::Plain, &[data]).unwrap();
    let other = rig.gpu.alloc(32).unwrap();
    // SAFETY: both ranges are device memory of the rig.
    unsafe { rig.stream.copy(other, data, 32) }.unwrap();
    assert_eq!(rig.read(other, 4), [2, 4, 6, 8]);
    rig.gpu.free(other).unwrap();
    assert!(rig.gpu.free(other).unwrap_err().to_string().contains("freed already"));
}

/// Catches copies that tear a word, or that mishandle overlap, odd sizes or odd addresses.
#[test]
fn copies_of_all_sizes() {
    let rig = Rig::new();
    let data = rig.gpu.alloc(256).unwrap();
    let source: Vec<u8> = (0..128).collect();
    for bytes in (0..20).chain([64, 127]) {
        for (to, from) in [(0u64, 0u64), (1, 0), (0, 1), (4, 2), (8, 8)] {
            if from + bytes > 128 {
                continue;
            }
            let mut back = [0xee_u8; 128];
            // SAFETY: all ranges lie in `source`, `back` and the device memory.
            unsafe {
                rig.stream.copy(data + to, source.as_ptr() as u64 + from, bytes).unwrap();
                rig.stream.copy(back.as_mut_ptr() as u64, data + to, bytes).unwrap();
            }
            rig.stream.synchronize().unwrap();
            assert_eq!(back[..bytes as usize], source[from as usize..(from + bytes) as usize]);
            assert!(back[bytes as usize..].iter().all(|&b| b == 0xee));
        }
    }
    rig.write(data, &[1, 2, 3, 4]);
    // SAFETY: both ranges are device memory of the rig.
    unsafe { rig.stream.copy(data + 8, data, 24) }.unwrap();
    assert_eq!(rig.read(data, 4), [1, 1, 2, 3]);
}

/// Catches mappings that overlap, leave the reservation, or lose their bytes while another mapping remains.
#[test]
fn chunks_are_mapped_where_reserved() {
    let rig = Rig::new();
    let unit = rig.gpu.properties().granularity;
    let base = rig.gpu.reserve(8 * unit, 16 * unit).unwrap();
    assert!(base.is_multiple_of(16 * unit));
    let (one, two) = (rig.gpu.create_chunk(unit).unwrap(), rig.gpu.create_chunk(2 * unit).unwrap());
    rig.gpu.map_chunk(base, &one).unwrap();
    rig.gpu.map_chunk(base + unit, &two).unwrap();
    let refused = |address, cause: &str| {
        let error = rig.gpu.map_chunk(address, &two).unwrap_err().to_string();
        assert!(error.contains(cause), "{error}");
    };
    refused(base, "are mapped at");
    refused(base + 2 * unit, "are mapped at");
    refused(base - unit, "not inside a reservation");
    refused(base + 7 * unit, "not inside a reservation");
    refused(base + 4 * unit + 8, "granularity");
    rig.gpu.map_chunk(base + 4 * unit, &two).unwrap();

    // Across the border of two chunks, and through the second mapping of one.
    rig.write(base + unit - 8, &[11, 22]);
    assert_eq!(rig.read(base + 4 * unit, 1), [22]);
    assert!(rig.gpu.unmap(base + unit, unit).is_err());
    rig.gpu.unmap(base + unit, 2 * unit).unwrap();
    drop(two);
    assert_eq!(rig.read(base + 4 * unit, 1), [22]);
    rig.gpu.map_chunk(base + unit, &one).unwrap();
    assert_eq!(rig.read(base + unit + unit - 8, 1), [11]);
}

/// Catches a descriptor of something else, or of a chunk of another size, that is accepted as the chunk.
#[test]
fn imports_are_checked() {
    let rig = Rig::new();
    let unit = rig.gpu.properties().granularity;
    assert!(rig.gpu.create_chunk(unit + 1).is_err() && rig.gpu.create_chunk(0).is_err());
    let chunk = rig.gpu.create_chunk(unit).unwrap();
    let fd = chunk.share().unwrap();
    let error = rig.gpu.import_chunk(fd.as_fd(), 2 * unit).err().unwrap().to_string();
    assert!(error.contains(&format!("the chunk has {unit} bytes")), "{error}");
    let file = File::open("/proc/self/exe").unwrap();
    let error = rig.gpu.import_chunk(file.as_fd(), unit).err().unwrap().to_string();
    assert!(error.contains("not a chunk of an emulated GPU"), "{error}");
    assert_eq!(rig.gpu.import_chunk(fd.as_fd(), unit).unwrap().bytes(), unit);
}

/// Catches an identity that differs between processes or is the same for two GPUs, and host ranges registered twice.
#[test]
fn identity_and_registration() {
    let rig = Rig::new();
    let (same, other) = (SoftGpu::open(0).unwrap(), SoftGpu::open(1).unwrap());
    assert_eq!(rig.gpu.properties().uuid, same.properties().uuid);
    assert_ne!(rig.gpu.properties().uuid, other.properties().uuid);
    assert!(rig.gpu.can_reach(&other.properties().uuid).is_ok() && rig.gpu.can_reach(&[1; 16]).is_err());
    assert!(rig.gpu.properties().emulated && rig.gpu.properties().memory_bytes > 0);

    let page = 0x10_0000;
    rig.gpu.register_host(page, 8192).unwrap();
    assert!(rig.gpu.register_host(page + 4096, 4096).is_err());
    assert!(rig.gpu.register_host(page - 4096, 8192).is_err());
    assert!(rig.gpu.register_host(page + 8192 + 1, 4096).is_err());
    rig.gpu.register_host(page + 8192, 4096).unwrap();
    rig.gpu.unregister_host(page).unwrap();
    assert!(rig.gpu.unregister_host(page).is_err());
}

/// Checks that the test dies of signal 11 after printing `message`.
fn dies(test: &str, message: &str) {
    let output = finish(child(&format!("memory::{test}")).spawn().unwrap());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{:?}: {said}", output.status);
    assert!(said.contains(message), "{said}");
}

/// Catches device memory that the CPU can reach by accident, and a death without a reason.
#[test]
fn a_cpu_access_is_fatal_and_explained() {
    dies("child_touches_device_memory", "device memory is reached by kernels, copies and streams only");
    dies("child_touches_device_memory", "cushmem: CPU access to device address 0x00002");
    dies(
        "child_kernel_leaves_its_memory",
        "cushmem: kernel kernel (block 2, thread 5) accessed device address 0x00002",
    );
    dies(
        "child_kernel_leaves_host_memory",
        "cushmem: kernel kernel (block 0, thread 0) accessed address 0x0000000000000040",
    );
    dies("child_kernel_overflows_its_stack", "kernel kernel (block 0, thread 0) overflowed its stack");
}

#[test]
#[ignore = "started by a_cpu_access_is_fatal_and_explained"]
fn child_touches_device_memory() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[1]);
    // SAFETY: there is no justification; the process must die here.
    unsafe { (data as *mut u64).write_volatile(2) };
}

#[test]
#[ignore = "started by a_cpu_access_is_fatal_and_explained"]
fn child_kernel_leaves_its_memory() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[1]);
    rig.gpu.free(data).unwrap();
    rig.run(double_in_the_last_lane, Grid::linear(3, 6), LaunchKind::Plain, &[data]).unwrap();
}

/// # Safety
/// The conditions of `double`.
unsafe fn double_in_the_last_lane(args: *const *const c_void) {
    let lane = cushmem_abi::lane::current();
    if (lane.block_idx[0], lane.thread_idx[0]) == (2, 5) {
        // SAFETY: the caller guarantees what `double` requires.
        unsafe { double(args) };
    }
}

#[test]
#[ignore = "started by a_cpu_access_is_fatal_and_explained"]
fn child_kernel_leaves_host_memory() {
    unsafe fn store(_: *const *const c_void) {
        // SAFETY: there is no justification; the process must die here.
        unsafe { std::ptr::without_provenance_mut::<u64>(64).write_volatile(1) };
    }
    Rig::new().run(store, Grid::linear(1, 1), LaunchKind::Plain, &[]).unwrap();
}

#[expect(unconditional_recursion, reason = "a stack overflow is what the test is about")]
fn recurse(depth: u64) -> u64 {
    let local = [depth; 64];
    recurse(std::hint::black_box(&local)[7] + 1) + local[3]
}

unsafe fn overflow(_: *const *const c_void) {
    recurse(0);
}

#[test]
#[ignore = "started by a_cpu_access_is_fatal_and_explained"]
fn child_kernel_overflows_its_stack() {
    Rig::new().run(overflow, Grid::linear(1, 1), LaunchKind::Plain, &[]).unwrap();
}

/// Catches a word that is written with its neighbour, and a report that does not come or comes first.
#[test]
fn a_word_and_its_report() {
    let rig = Rig::new();
    let memory = rig.alloc_words(&[u64::MAX; 3]);
    let report = AtomicU64::new(0);
    for (number, set) in [(1, (memory + 8, 5, 8)), (2, (memory + 4, 7, 4))] {
        // SAFETY: both words are aligned and valid until the synchronisation.
        unsafe { rig.stream.set_and_write(set, report.as_ptr() as u64, number) }.expect("two words");
        rig.stream.synchronize().expect("an idle stream");
        // Relaxed: the stream has ended.
        assert_eq!(report.load(Relaxed), number);
    }
    assert_eq!(rig.read(memory, 3), [7 << 32 | u64::from(u32::MAX), 5, u64::MAX]);
}
