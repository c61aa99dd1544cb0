//! How kernels find other PEs' memory, and what they report about peers that they do not reach or that do not arrive.
//! The tests use the emulated GPU and a hand-made context, because all PEs of a job on one machine reach each other and
//! have their places in the order of their numbers.

use cushmem::{DevPtr, Kernel};
use cushmem_abi::{
    ABI_VERSION, AGENT_SLOTS, Agent, AgentArea, DeviceContext, ErrorCode, ErrorRecord, HostRing, KernelRecord,
    ModuleImage, PeEntry, ProcessorRing, Reports, Segment, SegmentEntry, SyncArea, Tables, TeamEntry, Units,
    WINDOW_UNIT,
};
use cushmem_conformance::seeded;
use cushmem_conformance_kernels as kernels;
use cushmem_device::{KernelArgs, Why};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Grid, LaunchKind, Stream};
use cushmem_kernels::{agent_serve, processor_serve};
use cushmem_protocol::ring::{self, Command};
use std::mem::offset_of;
use std::sync::Arc;

/// A job whose other PEs are nothing but memory.
pub(crate) struct Job {
    pub(crate) my_pe: u32,
    /// The field of the context.
    pub(crate) far: u32,
    /// For each PE, its place and what is reached of it.
    pub(crate) pes: Vec<PeEntry>,
    /// The field of the context.
    pub(crate) direct_pes: u32,
    pub(crate) atomic_pes: u32,
    pub(crate) wait_limit_ns: u64,
}

pub(crate) const HOST: u32 = PeEntry::loads_stores(Segment::Host);
pub(crate) const GPU: u32 = PeEntry::loads_stores(Segment::Gpu);
const GPU_ATOMICS: u32 = PeEntry::atomics(Segment::Gpu);
pub(crate) const ALL: u32 = HOST | GPU | GPU_ATOMICS;
/// The stride of host memory. It differs from the stride of GPU memory so that a mix-up is noticed.
const HOST_STRIDE: u64 = (SyncArea::BYTES + (64 << 10)).next_multiple_of(WINDOW_UNIT) + WINDOW_UNIT;

/// PE `my_pe` of a job. It is the only one that runs kernels.
pub(crate) struct Alone {
    gpu: Arc<SoftGpu>,
    stream: Arc<dyn Stream>,
    pub(crate) context: DeviceContext,
    pub(crate) reports: *mut Reports,
    job: Job,
    gpu_base: u64,
    gpu_stride: u64,
    host: Vec<u64>,
    host_base: u64,
}

impl Job {
    /// Four PEs whose numbers are their places, reached as `reach` says.
    pub(crate) fn of_four(reach: [u32; 4]) -> Self {
        let pes: Vec<_> = (0..).zip(reach).map(|(place, reach)| PeEntry { place, reach }).collect();
        let leading = |wanted: u32| reach.iter().take_while(|reach| **reach & wanted == wanted).count() as u32;
        Self { my_pe: 0, far: 0, pes, direct_pes: leading(HOST | GPU), atomic_pes: leading(ALL), wait_limit_ns: 0 }
    }

    /// PEs at these places, all reached.
    fn at(places: &[u32], my_pe: u32) -> Self {
        let pes: Vec<_> = places.iter().map(|place| PeEntry { place: *place, reach: ALL }).collect();
        let in_order = (0..).zip(places).take_while(|(pe, place)| pe == *place).count() as u32;
        Self { my_pe, far: 0, pes, direct_pes: in_order, atomic_pes: in_order, wait_limit_ns: 0 }
    }
}

impl Alone {
    /// The segments of all PEs exist, so that a store that should not happen would be seen.
    pub(crate) fn new(job: Job) -> Self {
        let gpu = SoftGpu::open(0).expect("the emulated GPU opens");
        let n_pes = job.pes.len() as u32;
        let unit = gpu.properties().granularity.max(WINDOW_UNIT);
        let gpu_stride = (SyncArea::BYTES + (64 << 10)).next_multiple_of(unit);
        let gpu_base = gpu.reserve(gpu_stride * u64::from(n_pes), unit).expect("reserve");
        for place in 0..n_pes {
            let chunk = gpu.create_chunk(gpu_stride).expect("a chunk");
            gpu.map_chunk(gpu_base + u64::from(place) * gpu_stride, &chunk).expect("map");
        }
        // The window starts at the first multiple of the unit. Pages that no test touches cost nothing.
        let host = vec![0u64; (HOST_STRIDE * u64::from(n_pes) + WINDOW_UNIT) as usize / 8];
        let host_base = (host.as_ptr().expose_provenance() as u64).next_multiple_of(WINDOW_UNIT);
        let reports = Box::into_raw(Box::<Reports>::default());
        let layout = std::alloc::Layout::new::<HostRing>();
        // SAFETY: the layout is not empty. The tests keep the memory.
        let ring = unsafe { std::alloc::alloc_zeroed(layout) };
        let own = job.pes[job.my_pe as usize].place;
        let mut context = DeviceContext {
            abi_version: ABI_VERSION,
            my_pe: job.my_pe,
            n_pes,
            my_place: own,
            direct_pes: job.direct_pes,
            atomic_pes: job.atomic_pes,
            far: job.far,
            host: Units::new(host_base, HOST_STRIDE, n_pes).expect("whole units"),
            gpu: Units::new(gpu_base, gpu_stride, n_pes).expect("whole units"),
            put_to_processor: u32::MAX,
            processor: 0,
            tables: 0,
            sync_area: gpu_base + u64::from(own) * gpu_stride,
            reports: reports.expose_provenance() as u64,
            // Nobody empties the ring: a kernel that asks waits for ever, or up to its limit.
            ring: ring.expose_provenance() as u64,
            wait_limit_ns: job.wait_limit_ns,
            get_to_processor: u32::MAX,
            record_every: 1,
            record: 0,
            record_slots: 1,
        };
        let stream = gpu.create_stream().expect("a stream");
        context.tables = gpu.alloc(Tables::bytes(n_pes)).expect("memory for the tables");
        let alone = Self { gpu, stream, context, reports, job, gpu_base, gpu_stride, host, host_base };
        alone.copy_in(alone.context.tables, &alone.tables());
        for pe in 0..n_pes {
            alone.write(pe, 0, &[0; SyncArea::BYTES as usize / 8 + 64]);
        }
        alone
    }

    /// Gives the GPU a ring of so many bytes for a command processor, for puts and gets of at least so many bytes.
    pub(crate) fn give_processor(&mut self, bytes: u64, [put, get]: [u32; 2]) {
        self.context.processor = self.gpu.alloc(bytes).expect("memory for the ring");
        (self.context.put_to_processor, self.context.get_to_processor) = (put, get);
        self.copy_in(self.context.processor, &vec![0; bytes as usize / 8]);
    }

    /// Gives the kernels a record of so many events, of which one of `every` blocks writes.
    pub(crate) fn give_record(&mut self, slots: usize, every: u32) {
        let words = vec![0; KernelRecord::bytes(slots) / 8];
        (self.context.record_every, self.context.record_slots) = (every, slots as u32);
        self.context.record = self.gpu.alloc(8 * words.len() as u64).expect("memory for the record");
        self.copy_in(self.context.record, &words);
    }

    /// The words of the record.
    pub(crate) fn record(&self, slots: usize) -> Vec<u64> {
        let mut words = vec![0u64; KernelRecord::bytes(slots) / 8];
        let (to, bytes) = (words.as_mut_ptr().expose_provenance() as u64, 8 * words.len() as u64);
        // SAFETY: both ranges are valid until the stream has finished.
        unsafe { self.stream.copy(to, self.context.record, bytes) }.expect("copy out");
        self.stream.synchronize().expect("copy out");
        words
    }

    /// Carries out what kernels have left to the command processor. Returns how many commands are complete.
    pub(crate) fn serve(&self, launch: u64) -> u64 {
        let (ring, reports) = (self.context.processor, Box::into_raw(Box::new(0u64)));
        self.copy_in(ring + offset_of!(ProcessorRing, reports) as u64, &[reports.expose_provenance() as u64]);
        let args = (ring, launch, 0);
        assert_eq!(self.run_of(&cushmem_kernels::IMAGE, processor_serve, Grid::linear(1, 64), args), None);
        // SAFETY: the kernel has ended, and nobody else accesses the word.
        assert_eq!(unsafe { *Box::from_raw(reports) }, launch);
        self.word(ring + offset_of!(ProcessorRing, done) as u64)
    }

    /// Has a kernel of the GPU agent carry out these commands. Returns the number of the last command after which all
    /// puts are complete.
    pub(crate) fn carry_out(&self, commands: &[Command]) -> u64 {
        let area = self.gpu.alloc(size_of::<AgentArea>() as u64).expect("memory for the commands");
        self.copy_in(area, &[0; size_of::<AgentArea>() / 8]);
        for (number, command) in (0..).zip(commands) {
            let slot = area + offset_of!(AgentArea, slots) as u64 + number * size_of_val(&command.encode(0)) as u64;
            self.copy_in(slot, &command.encode(ring::lap(number, AGENT_SLOTS as u64)));
        }
        // It leaves as soon as it finds none.
        let args = (DevPtr::from_address(area), 1, 1, 0, u64::MAX);
        assert_eq!(self.run_of(&cushmem_kernels::IMAGE, agent_serve, Grid::linear(1, 64), args), None);
        self.word(area + offset_of!(AgentArea, done) as u64)
    }

    /// Returns the tables, word by word.
    fn tables(&self) -> Vec<u64> {
        let mut words = vec![0u64; (Tables::bytes(self.context.n_pes) / 8) as usize];
        words[0] = u64::from(ABI_VERSION) | Tables::bytes(self.context.n_pes) << 32;
        let c = &self.context;
        let windows = [
            (Segment::Host, self.host_base, HOST_STRIDE, Agent::Cpu),
            (Segment::Gpu, self.gpu_base, self.gpu_stride, Agent::Gpu),
        ];
        for (segment, base, stride, agent) in windows {
            let at = offset_of!(Tables, segments) + segment as usize * size_of::<SegmentEntry>();
            words[at / 8..][..4].copy_from_slice(&[base, stride * u64::from(c.n_pes), stride, agent as u64]);
        }
        for (pe, entry) in (0..).zip(&self.job.pes) {
            words[Tables::entry(pe) as usize / 8] = u64::from(entry.place) | u64::from(entry.reach) << 32;
        }
        words
    }

    /// Writes the entry of a team.
    pub(crate) fn set_team(&self, slot: usize, team: TeamEntry) {
        let at = offset_of!(Tables, teams) + slot * size_of::<TeamEntry>();
        let words = [[team.start, team.stride.cast_unsigned()], [team.n_pes, team.my_pe]];
        self.copy_in(self.context.tables + at as u64, &words.map(|[low, high]| u64::from(low) | u64::from(high) << 32));
    }

    /// An address in GPU memory.
    pub(crate) fn address(&self, pe: u32, offset: u64) -> u64 {
        self.gpu_base + u64::from(self.job.pes[pe as usize].place) * self.gpu_stride + offset
    }

    /// An address in host memory.
    pub(crate) fn host_address(&self, pe: u32, offset: u64) -> u64 {
        self.host_base + u64::from(self.job.pes[pe as usize].place) * HOST_STRIDE + offset
    }

    /// An object of this PE in GPU memory, and one in host memory.
    pub(crate) fn objects<T>(&self, offset: u64) -> (DevPtr<T>, DevPtr<T>) {
        let me = self.job.my_pe;
        (DevPtr::from_address(self.address(me, offset)), DevPtr::from_address(self.host_address(me, offset)))
    }

    fn copy_in(&self, address: u64, words: &[u64]) {
        let bytes = size_of_val(words) as u64;
        // SAFETY: both ranges are valid until the stream has finished.
        unsafe { self.stream.copy(address, words.as_ptr().expose_provenance() as u64, bytes) }.expect("copy in");
        self.stream.synchronize().expect("copy in");
    }

    pub(crate) fn write(&self, pe: u32, offset: u64, words: &[u64]) {
        self.copy_in(self.address(pe, offset), words);
    }

    pub(crate) fn read(&self, pe: u32, offset: u64) -> u64 {
        self.word(self.address(pe, offset))
    }

    fn word(&self, address: u64) -> u64 {
        let mut word = 0u64;
        // SAFETY: both ranges are valid until the stream has finished.
        unsafe { self.stream.copy((&raw mut word).expose_provenance() as u64, address, 8) }.expect("copy");
        self.stream.synchronize().expect("copy out");
        word
    }

    pub(crate) fn read_host(&self, pe: u32, offset: u64) -> u64 {
        let index = (self.host_address(pe, offset) as usize - self.host.as_ptr().addr()) / 8;
        // SAFETY: this is a word of the vector, which kernels that have ended wrote through its exposed address.
        unsafe { (&raw const self.host[index]).read_volatile() }
    }

    /// Runs a kernel. Returns the error record if it gave up.
    pub(crate) fn run<K: Kernel>(&self, kernel: K, grid: Grid, args: K::Args) -> Option<ErrorRecord> {
        self.run_of(&kernels::IMAGE, kernel, grid, args)
    }

    /// The same for a kernel of another crate.
    fn run_of<K: Kernel>(
        &self,
        image: &'static ModuleImage,
        _kernel: K,
        grid: Grid,
        args: K::Args,
    ) -> Option<ErrorRecord> {
        let module = self.gpu.load_module(image, Some(&self.context)).expect("load");
        let function = module.function(K::NAME).expect("the kernel");
        // SAFETY: the arguments belong to the kernel and name mapped memory.
        let launch = |args: &[_]| unsafe { self.stream.launch(&*function, &grid, LaunchKind::Plain, args) };
        args.with_pointers(launch).expect("launch");
        // SAFETY: the kernel has ended, and nobody else accesses the record.
        self.stream.synchronize().err().map(|_| unsafe { self.reports.read_volatile() }.error)
    }

    pub(crate) fn give_up<K: Kernel>(&self, kernel: K, grid: Grid, args: K::Args) -> (Option<ErrorCode>, ErrorRecord) {
        let record = self.run(kernel, grid, args).expect("the kernel gives up");
        (ErrorCode::from_u32(record.code), record)
    }

    /// Returns what a kernel says about the routes to an object on these PEs.
    fn routes(&self, object: DevPtr<u8>, pes: &[u32], atomic: bool) -> Vec<u64> {
        let me = self.job.my_pe;
        let (list, out) = (WORD + 1024, WORD + 4096);
        let pairs: Vec<u64> =
            pes.chunks(2).map(|p| u64::from(p[0]) | u64::from(*p.get(1).unwrap_or(&0)) << 32).collect();
        self.write(me, list, &pairs);
        let args = (object, self.objects(list).0, atomic.into(), self.objects(out).0);
        assert_eq!(self.run(kernels::routes, Grid::linear(pes.len() as u32, 1), args), None);
        (0..pes.len() as u64).map(|i| self.read(me, out + 8 * i)).collect()
    }
}

pub(crate) const WORD: u64 = SyncArea::BYTES;

fn linear() -> Grid {
    Grid::linear(2, 4)
}

/// Catches an address that is computed from the difference of PE numbers instead of places: any order of places, and
/// more PEs than any fixed map holds.
#[test]
fn numbers_on_any_places() {
    let mut random = seeded();
    let mut orders: Vec<Vec<u32>> =
        vec![(0..7).collect(), (0..7).rev().collect(), vec![0, 1, 3, 2, 4], (0..300).rev().collect()];
    let mut shuffled: Vec<u32> = (0..40).collect();
    random.shuffle(&mut shuffled);
    orders.push(shuffled);
    for places in orders {
        let n = places.len() as u32;
        let alone = Alone::new(Job::at(&places, random.below(places.len()) as u32));
        let (word, host_word) = alone.objects(WORD + 8);
        let pes: Vec<u32> = (0..n.min(60)).chain([n - 1]).collect();
        for atomic in [false, true] {
            let seen = alone.routes(word.cast(), &pes, atomic);
            let expected: Vec<u64> = pes.iter().map(|pe| alone.address(*pe, WORD + 8)).collect();
            assert_eq!(seen, expected, "atomic {atomic}, places {places:?}");
        }
        let seen = alone.routes(host_word.cast(), &pes, false);
        let expected: Vec<u64> = pes.iter().map(|pe| alone.host_address(*pe, WORD + 8)).collect();
        assert_eq!(seen, expected, "host memory, places {places:?}");
        for pe in [0, n / 2, n - 1] {
            let value = 70 + u64::from(pe);
            assert_eq!(alone.run(kernels::p_from_lane_3, linear(), (word, value, pe)), None);
            assert_eq!(alone.run(kernels::set_signal, linear(), (host_word, value, pe)), None);
            assert_eq!(alone.run(kernels::add_signals, Grid::linear(1, 1), (word, 2, pe)), None);
            assert_eq!((alone.read(pe, WORD + 8), alone.read_host(pe, WORD + 8)), (value + 2, value));
        }
    }
}

/// Catches the wrong reason, for loads and stores or for atomics, in host or in GPU memory.
#[test]
fn every_route_and_every_reason() {
    // The fourth PE has a link without atomics. So has the third, whose host memory is out of reach.
    let alone = Alone::new(Job::of_four([ALL, HOST, GPU, HOST | GPU]));
    let (word, host_word) = alone.objects::<u8>(WORD + 16);
    let pes = [0, 1, 2, 3, 4, u32::MAX];
    let (not_mapped, cpu, no_atomics) = (Why::NotMapped as u64, Why::CpuIsAgent as u64, Why::NoNativeAtomics as u64);
    let (at, on_host) = (|pe| alone.address(pe, WORD + 16), |pe| alone.host_address(pe, WORD + 16));
    let expected = [at(0), not_mapped, at(2), at(3), 0, 0];
    assert_eq!(alone.routes(word, &pes, false), expected, "loads and stores, GPU memory");
    let expected = [at(0), not_mapped, no_atomics, no_atomics, 0, 0];
    assert_eq!(alone.routes(word, &pes, true), expected, "atomics, GPU memory");
    let expected = [on_host(0), on_host(1), not_mapped, on_host(3), 0, 0];
    assert_eq!(alone.routes(host_word, &pes, false), expected, "loads and stores, host memory");
    assert_eq!(alone.routes(host_word, &pes, true), [cpu, cpu, cpu, cpu, 0, 0], "atomics, host memory");
}

/// Catches a mapped peer that counts as unmapped because an unmapped one precedes it, and the reverse.
#[test]
fn mapped_peers_are_reached_past_an_unmapped_one() {
    let alone = Alone::new(Job::of_four([ALL, HOST, ALL, ALL]));
    let (dst, _) = alone.objects(WORD);
    for pe in [0, 2, 3] {
        assert_eq!(alone.run(kernels::p_from_lane_3, linear(), (dst, 70 + u64::from(pe), pe)), None);
    }
    assert_eq!([0, 1, 2, 3].map(|pe| alone.read(pe, WORD)), [70, 0, 72, 73]);
    alone.write(0, WORD + 64, &[1 << 32, 3 << 32 | 2]);
    let args = (alone.objects(WORD).0, alone.objects(WORD + 64).0, alone.objects(WORD + 128).0);
    assert_eq!(alone.run(kernels::pointers, Grid::linear(1, 4), args), None);
    let seen = [0, 8, 16, 24].map(|at| alone.read(0, WORD + 128 + at));
    assert_eq!(seen, [alone.address(0, WORD), 0, alone.address(2, WORD), alone.address(3, WORD)]);
}

/// Catches a kernel that goes on after a store to an unmapped peer, or a record without the PE or the lane.
#[test]
fn an_unmapped_peer_ends_the_kernel() {
    let alone = Alone::new(Job::of_four([ALL, HOST, ALL, ALL]));
    let (code, record) = alone.give_up(kernels::p_from_lane_3, linear(), (alone.objects(WORD).0, 1, 1));
    assert_eq!(code, Some(ErrorCode::PeNotMapped));
    assert_eq!((record.pe, record.value, record.lane), (1, Segment::Gpu as u64, 1 << 32 | 3));
}

/// Catches loads and stores that are refused because atomics are, and an addition that is carried out where it is not
/// atomic.
#[test]
fn a_link_without_atomics_carries_loads_and_stores() {
    let alone = Alone::new(Job::of_four([ALL, HOST | GPU, ALL, ALL]));
    let (dst, _) = alone.objects(WORD);
    assert_eq!(alone.run(kernels::p_from_lane_3, linear(), (dst, 71, 1)), None);
    assert_eq!(alone.run(kernels::set_signal, linear(), (dst.add(1), 72, 1)), None);
    assert_eq!(alone.run(kernels::add_signals, Grid::linear(1, 1), (dst, 4, 2)), None, "past that link");
    assert_eq!([alone.read(1, WORD), alone.read(1, WORD + 8), alone.read(2, WORD)], [71, 72, 4]);
    let (code, record) = alone.give_up(kernels::add_signals, linear(), (dst, 1, 1));
    assert_eq!((code, record.pe), (Some(ErrorCode::NoNativeAtomics), 1));
}

/// Catches a barrier over a link on which its additions could be lost.
#[test]
fn a_barrier_needs_atomics() {
    let alone = Alone::new(Job::of_four([ALL, ALL, HOST | GPU, ALL]));
    let (code, record) = alone.give_up(kernels::barrier_once, Grid::linear(1, 1), ());
    assert_eq!((code, record.pe), (Some(ErrorCode::NoNativeAtomics), 2));
}

/// Catches an addition to host memory that the GPU carries out, or that waits for ever for a CPU that does not answer.
#[test]
fn atomics_on_host_memory_are_the_cpus() {
    for pe in 0..4 {
        let mut job = Job::of_four([ALL; 4]);
        job.wait_limit_ns = 100_000_000;
        let alone = Alone::new(job);
        let (_, word) = alone.objects(WORD);
        assert_eq!(alone.run(kernels::set_signal, linear(), (word, 9, pe)), None);
        let (code, record) = alone.give_up(kernels::add_signals, linear(), (word, 1, pe));
        assert_eq!((code, record.limit), (Some(ErrorCode::NoReply), 100_000_000));
        assert_eq!(alone.read_host(pe, WORD), 9);
    }
}

/// Catches a kernel that cannot ask the CPU, because its module was loaded without a job, say, and that carries out the
/// addition itself.
#[test]
fn without_a_ring_atomics_on_host_memory_end_the_kernel() {
    let mut alone = Alone::new(Job::of_four([ALL; 4]));
    alone.context.ring = 0;
    let (_, word) = alone.objects(WORD);
    let (code, record) = alone.give_up(kernels::add_signals, linear(), (word, 1, 2));
    assert_eq!((code, record.pe), (Some(ErrorCode::AtomicOnHostMemory), 2));
    assert_eq!(alone.read_host(2, WORD), 0);
}

/// Catches a kernel that goes on after it has named a PE that does not exist.
#[test]
fn a_peer_that_does_not_exist_ends_the_kernel() {
    for pe in [4, 63, 64, 256, u32::MAX] {
        let alone = Alone::new(Job::of_four([ALL; 4]));
        let (code, record) = alone.give_up(kernels::p_from_lane_3, linear(), (alone.objects(WORD).0, 1, pe));
        assert_eq!((code, record.pe, record.limit), (Some(ErrorCode::PeOutOfRange), pe, 4));
    }
}

/// Catches a kernel that moves an address by a stride although it lies in no window, or that accesses it, on its own PE
/// or on another: just before a window, just behind one, in private memory, and nowhere.
#[test]
fn an_address_in_no_window_ends_the_kernel() {
    type Outside = fn(&Alone) -> u64;
    type GivenUp = (Option<ErrorCode>, ErrorRecord);
    let outside: [Outside; 7] = [
        |alone| alone.address(0, 0) - 8,
        |alone| alone.address(0, 4 * alone.gpu_stride),
        |alone| alone.host_address(0, 0) - 8,
        |alone| alone.host_address(0, 4 * HOST_STRIDE),
        |alone| alone.gpu.alloc(4096).expect("memory"),
        |_| 8,
        |_| u64::MAX - 7,
    ];
    for (outside, pe) in outside.into_iter().flat_map(|outside| [(outside, 0), (outside, 2)]) {
        let ended = |run: &dyn Fn(&Alone, u64) -> GivenUp| {
            let alone = Alone::new(Job::of_four([ALL; 4]));
            let address = outside(&alone);
            let (code, record) = run(&alone, address);
            assert_eq!((code, record.pe, record.value), (Some(ErrorCode::NotSymmetric), pe, address));
        };
        ended(&|alone, at| alone.give_up(kernels::p_from_lane_3, linear(), (DevPtr::from_address(at), 1, pe)));
        ended(&|alone, at| alone.give_up(kernels::set_signal, linear(), (DevPtr::from_address(at), 1, pe)));
        ended(&|alone, at| alone.give_up(kernels::add_signals, linear(), (DevPtr::from_address(at), 1, pe)));
        ended(&|alone, at| {
            let (there, here) = (DevPtr::from_address(at), alone.objects::<u64>(WORD + 4096).0);
            alone.give_up(kernels::put_elements, Grid::linear(1, 32), (there, here, 1, pe))
        });
        ended(&|alone, at| {
            let (there, list) = (DevPtr::<u8>::from_address(at), alone.objects::<u64>(WORD + 64).0);
            alone.write(0, WORD + 64, &[0, 0, 8]);
            let here = alone.objects::<u8>(WORD + 4096).0;
            alone.give_up(kernels::get_warp, Grid::linear(1, 32), (here, there, list, 1, pe))
        });
    }
}

/// Catches a kernel that computes an answer from tables that are missing or belong to another library.
#[test]
fn wrong_tables_are_reported_as_such() {
    for (version, bytes) in [(ABI_VERSION + 1, Tables::bytes(4)), (ABI_VERSION, Tables::bytes(5)), (0, 0)] {
        let alone = Alone::new(Job::of_four([ALL, HOST, ALL, ALL]));
        alone.copy_in(alone.context.tables, &[u64::from(version) | bytes << 32]);
        let (code, record) = alone.give_up(kernels::p_from_lane_3, linear(), (alone.objects(WORD).0, 1, 1));
        assert_eq!((code, record.value, record.limit), (Some(ErrorCode::WrongTables), version.into(), bytes));
    }
}

/// Catches a barrier that waits for ever for a peer that has died.
#[test]
fn a_peer_that_does_not_come_ends_the_barrier() {
    let alone = Alone::new(Job { wait_limit_ns: 20_000_000, ..Job::of_four([ALL; 4]) });
    let (code, record) = alone.give_up(kernels::barrier_once, Grid::linear(1, 1), ());
    assert_eq!(code, Some(ErrorCode::BarrierTimeout));
    assert!((1..4).contains(&record.pe), "PE {} is late", record.pe);
    assert_eq!((record.value, record.limit), (1, 20_000_000));
}
