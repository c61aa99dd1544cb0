//! Host memory that CPUs and GPUs of several processes share as neighbouring chunks: on the emulated GPU, and on CUDA where
//! there is one.

mod host;
mod rig;

use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, MemoryLocation};
use host::{Heap, Sizes, sharing};
use rig::{Watchdog, child};
use std::sync::Arc;

/// A heap on the emulated GPU.
fn soft() -> (Heap, Vec<u64>) {
    let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
    let sizes = Sizes::small(gpu.host_granularity().expect("the emulation has host chunks"));
    (Heap::create(&gpu, &sizes.chunks), sizes.ranges)
}

/// A heap on CUDA, or nothing after saying why.
fn cuda() -> Option<(Heap, Vec<u64>)> {
    let leave_out = |why: String| xtask::left_out::record("host memory shared by processes and GPUs, on CUDA", &why);
    cuda::device_count().map_err(leave_out).ok()?;
    let gpu: Arc<dyn Gpu> = CudaGpu::open(0).expect("the GPU opens");
    gpu.host_granularity().map_err(leave_out).ok()?;
    let sizes = Sizes::large();
    Some((Heap::create(&gpu, &sizes.chunks), sizes.ranges))
}

fn all_but_processes((heap, ranges): &(Heap, Vec<u64>)) {
    host::any_range_copies(heap, ranges);
    host::kernels_reach_it(heap);
    host::it_is_no_device_memory(heap);
    host::chunks_come_and_go(heap);
    host::refusals(heap);
    host::registered_pieces_have_borders(heap);
}

#[test]
fn soft_chunks_are_one_heap() {
    let _watchdog = Watchdog::start();
    all_but_processes(&soft());
}

#[test]
fn cuda_chunks_are_one_heap() {
    let _watchdog = Watchdog::start();
    cuda().iter().for_each(all_but_processes);
}

#[test]
fn soft_processes_share_the_heap() {
    let _watchdog = Watchdog::start();
    sharing::processes_share_it(&soft().0, child("child_on_the_emulation"));
}

#[test]
fn cuda_processes_share_the_heap() {
    let _watchdog = Watchdog::start();
    if let Some((heap, _)) = cuda() {
        sharing::processes_share_it(&heap, child("child_on_cuda"));
    }
}

#[test]
#[ignore = "started by soft_processes_share_the_heap"]
fn child_on_the_emulation() {
    let gpu: Arc<dyn Gpu> = SoftGpu::open(1).expect("the emulated GPU opens");
    sharing::other_process(&sharing::parents_heap(&gpu));
}

/// On another GPU than the parent's, if there is one.
#[test]
#[ignore = "started by cuda_processes_share_the_heap"]
fn child_on_cuda() {
    let last = cuda::device_count().expect("the parent found GPUs") - 1;
    let gpu: Arc<dyn Gpu> = CudaGpu::open(last.min(1)).expect("the GPU opens");
    sharing::other_process(&sharing::parents_heap(&gpu));
}

/// Catches refusals of the emulation that do not name their cause.
#[test]
fn soft_refusals_have_reasons() {
    let _watchdog = Watchdog::start();
    let (heap, _) = soft();
    let unit = heap.chunks[0].bytes();
    let device = heap.gpu.create_chunk(MemoryLocation::Device, unit).unwrap();
    let refused = |address, chunk, cause: &str| {
        let error = heap.gpu.map_chunk(address, chunk).unwrap_err().to_string();
        assert!(error.contains(cause), "{error}");
    };
    refused(heap.base, &device, "not inside a reservation for device memory");
    refused(heap.base, &heap.chunks[0], "are mapped at");
    refused(heap.base + heap.bytes(), &heap.chunks[0], "not inside a reservation");
    refused(heap.base + 8, &heap.chunks[0], "granularity");
    let window = heap.gpu.reserve(MemoryLocation::Device, unit, 0).unwrap();
    refused(window, &heap.chunks[0], "not inside a reservation for host memory");
    assert!(heap.gpu.reserve(MemoryLocation::Host, unit + 1, 0).is_err());
    assert!(heap.gpu.reserve(MemoryLocation::Host, unit, 3 * unit).is_err());
}

/// Catches a copy into a hole of the heap that does nothing, or that ends the process.
#[test]
fn soft_copies_need_mapped_chunks() {
    let _watchdog = Watchdog::start();
    let (heap, _) = soft();
    let device = heap.gpu.alloc(4096).unwrap();
    let (at, bytes) = (heap.starts()[1], heap.chunks[1].bytes());
    heap.gpu.unmap(at, bytes).unwrap();
    heap.copy(at - 4096, device, 4096);
    // SAFETY: the range is not valid, which the emulation reports.
    unsafe { heap.stream.copy(at - 2048, device, 4096) }.unwrap();
    let error = heap.stream.synchronize().unwrap_err().to_string();
    assert!(error.contains(&format!("no host memory is mapped at {at:#x}")), "{error}");
}
