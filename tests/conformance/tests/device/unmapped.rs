//! What a kernel reports about peers that it does not reach, or that do not come: with the emulated GPU and a context made by hand,
//! as all PEs of a job on one machine reach each other.

use cushmem::{DevPtr, Kernel};
use cushmem_abi::{ABI_VERSION, DeviceContext, ErrorCode, ErrorRecord, MAPPED_WORDS, SyncArea};
use cushmem_conformance_kernels as kernels;
use cushmem_device::KernelArgs;
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Grid, LaunchKind, Stream};
use std::sync::Arc;

/// PE 0 of a job whose other PEs are only memory.
struct Alone {
    gpu: Arc<SoftGpu>,
    stream: Arc<dyn Stream>,
    context: DeviceContext,
    record: *mut ErrorRecord,
    base: u64,
}

const N_PES: u32 = 4;

impl Alone {
    /// The slices of all PEs exist, so that a store which should not happen would be seen.
    fn new(reachable: &[u32], wait_limit_ns: u64) -> Self {
        let gpu = SoftGpu::open(0).expect("the emulated GPU opens");
        let stride = gpu.properties().granularity;
        let base = gpu.reserve(stride * u64::from(N_PES), stride).expect("reserve");
        for pe in 0..N_PES {
            let chunk = gpu.create_chunk(stride).expect("a chunk");
            gpu.map_chunk(base + u64::from(pe) * stride, &chunk).expect("map");
        }
        let mut mapped = [0; MAPPED_WORDS];
        reachable.iter().for_each(|pe| mapped[0] |= 1 << pe);
        let record = Box::into_raw(Box::<ErrorRecord>::default());
        let context = DeviceContext {
            abi_version: ABI_VERSION,
            my_pe: 0,
            n_pes: N_PES,
            mapped_pes: (0..N_PES).take_while(|pe| reachable.contains(pe)).count() as u32,
            stride,
            sync_area: base,
            error_record: record.addr() as u64,
            wait_limit_ns,
            mapped,
        };
        let stream = gpu.create_stream().expect("a stream");
        let alone = Self { gpu, stream, context, record, base };
        for pe in 0..N_PES {
            alone.write(pe, 0, &[0; 1024]);
        }
        alone
    }

    fn address(&self, pe: u32, offset: u64) -> u64 {
        self.base + u64::from(pe) * self.context.stride + offset
    }

    fn write(&self, pe: u32, offset: u64, words: &[u64]) {
        let bytes = size_of_val(words) as u64;
        // SAFETY: both ranges are valid until the stream has finished.
        unsafe { self.stream.copy(self.address(pe, offset), words.as_ptr().addr() as u64, bytes) }.expect("copy in");
        self.stream.synchronize().expect("copy in");
    }

    fn read(&self, pe: u32, offset: u64) -> u64 {
        let mut word = 0u64;
        // SAFETY: both ranges are valid until the stream has finished.
        unsafe { self.stream.copy((&raw mut word).addr() as u64, self.address(pe, offset), 8) }.expect("copy out");
        self.stream.synchronize().expect("copy out");
        word
    }

    /// Runs a kernel; the error record if it gave up.
    fn run<K: Kernel>(&self, _kernel: K, grid: Grid, args: K::Args) -> Option<ErrorRecord> {
        let module = self.gpu.load_module(&kernels::IMAGE, Some(&self.context)).expect("load");
        let function = module.function(K::NAME).expect("the kernel");
        // SAFETY: the arguments are the kernel's, and name mapped memory.
        let launch = |args: &[_]| unsafe { self.stream.launch(&*function, &grid, LaunchKind::Plain, args) };
        args.with_pointers(launch).expect("launch");
        // SAFETY: the kernel has ended, and nobody else has the record.
        self.stream.synchronize().err().map(|_| unsafe { self.record.read_volatile() })
    }
}

const WORD: u64 = SyncArea::BYTES;

/// A peer behind an unmapped one that counts as unmapped, or the other way round.
#[test]
fn mapped_peers_are_reached_past_an_unmapped_one() {
    let alone = Alone::new(&[0, 2, 3], 0);
    for pe in [0, 2, 3] {
        let dst = DevPtr::from_address(alone.address(0, WORD));
        let record = alone.run(kernels::p_from_lane_3, Grid::linear(2, 4), (dst, 70 + u64::from(pe), pe));
        assert_eq!(record, None);
    }
    assert_eq!([0, 1, 2, 3].map(|pe| alone.read(pe, WORD)), [70, 0, 72, 73]);
    let pes = alone.address(0, WORD + 64);
    let out = alone.address(0, WORD + 128);
    alone.write(0, WORD + 64, &[1 << 32, 3 << 32 | 2]);
    let object = alone.address(0, WORD);
    let args = (DevPtr::from_address(object), DevPtr::from_address(pes), DevPtr::from_address(out));
    assert_eq!(alone.run(kernels::pointers, Grid::linear(1, 4), args), None);
    let seen = [0, 8, 16, 24].map(|at| alone.read(0, WORD + 128 + at));
    assert_eq!(seen, [object, 0, alone.address(2, WORD), alone.address(3, WORD)]);
}

/// A store to an unmapped peer that happens, or a record without the PE or the place.
#[test]
fn an_unmapped_peer_ends_the_kernel() {
    let alone = Alone::new(&[0, 2, 3], 0);
    let dst = DevPtr::from_address(alone.address(0, WORD));
    let record = alone.run(kernels::p_from_lane_3, Grid::linear(2, 4), (dst, 1, 1)).expect("the kernel gives up");
    assert_eq!(ErrorCode::from_u32(record.code), Some(ErrorCode::PeNotMapped));
    assert_eq!((record.pe, record.place), (1, 1 << 32 | 3));
}

/// As for an unmapped peer, for one that does not exist.
#[test]
fn a_peer_that_does_not_exist_ends_the_kernel() {
    for pe in [N_PES, 63, 64, 64 * MAPPED_WORDS as u32, u32::MAX] {
        let alone = Alone::new(&[0, 1, 2, 3], 0);
        let dst = DevPtr::from_address(alone.address(0, WORD));
        let record = alone.run(kernels::p_from_lane_3, Grid::linear(2, 4), (dst, 1, pe)).expect("the kernel gives up");
        assert_eq!(ErrorCode::from_u32(record.code), Some(ErrorCode::PeOutOfRange));
        assert_eq!((record.pe, record.limit), (pe, u64::from(N_PES)));
    }
}

/// A barrier that waits for ever for a peer that died.
#[test]
fn a_peer_that_does_not_come_ends_the_barrier() {
    let alone = Alone::new(&[0, 1, 2, 3], 20_000_000);
    let record = alone.run(kernels::barrier_once, Grid::linear(1, 1), ()).expect("the kernel gives up");
    assert_eq!(ErrorCode::from_u32(record.code), Some(ErrorCode::BarrierTimeout));
    assert!((1..N_PES).contains(&record.pe), "PE {} is late", record.pe);
    assert_eq!((record.value, record.limit), (1, 20_000_000));
}
