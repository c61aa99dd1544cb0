//! Tests the tables for jobs of every shape, reading them as a kernel does.

use super::{Access, Own, PeFacts, Window, build};
use cushmem_abi::{ABI_VERSION, Agent, DeviceContext, PeEntry, Segment, SegmentEntry, Tables, WINDOW_UNIT};
use proptest::prelude::*;
use std::mem::offset_of;
use std::time::Duration;

const HOST: u64 = 0x7000_0000_0000;
const GPU: u64 = 0x3000_0000_0000;
const HOST_STRIDE: u64 = 6 << 20;
const GPU_STRIDE: u64 = 34 << 20;

const ALL: Access = Access { loads_stores: true, atomics: true };
const PLAIN: Access = Access { loads_stores: true, atomics: false };
const NONE: Access = Access { loads_stores: false, atomics: false };

fn at(place: u32) -> PeFacts {
    PeFacts { place: Some(place), host: PLAIN, gpu: ALL }
}

/// What a kernel has: the constants and the tables.
struct Kernel {
    context: DeviceContext,
    tables: Vec<u8>,
}

impl Kernel {
    fn new(my_pe: u32, pes: &[PeFacts]) -> Self {
        let places = pes.iter().filter_map(|pe| pe.place).max().map_or(0, |place| place + 1);
        let window = |base, stride, agent| Window { base, stride, places, agent };
        let own = Own {
            teams: 64,
            my_pe,
            sync_area: 1,
            reports: 2,
            ring: 4,
            processor: 0,
            to_processor: [u32::MAX; 2],
            record: 0,
            record_every: 1,
            record_slots: 1,
            tables: 3,
            far: false,
            wait_limit: Duration::from_micros(5),
        };
        let (host, gpu) = (window(HOST, HOST_STRIDE, Agent::Cpu), window(GPU, GPU_STRIDE, Agent::Gpu));
        let (context, tables) = build(own, host, gpu, pes);
        Self { context, tables }
    }

    fn word(&self, at: usize) -> u64 {
        u64::from_ne_bytes(self.tables[at..at + 8].try_into().expect("eight bytes"))
    }

    /// The address of `offset` in PE `pe`'s segment, computed as in the device library, from an address in this PE's
    /// segment.
    fn find(&self, segment: Segment, offset: u64, pe: u32, atomic: bool) -> Option<u64> {
        let c = &self.context;
        let (base, stride) = if segment == Segment::Host { (HOST, c.host.stride) } else { (GPU, c.gpu.stride) };
        let stride = u64::from(stride) * WINDOW_UNIT;
        let here = base + u64::from(c.my_place) * stride + offset;
        let (is_host, is_gpu) = (c.host.contain(here), c.gpu.contain(here));
        assert_eq!(
            (is_host, is_gpu),
            (segment == Segment::Host, segment == Segment::Gpu),
            "the kernel takes {here:#x} for another kind of memory"
        );
        let at =
            |place: u32| here.wrapping_add((u64::from(place).wrapping_sub(c.my_place.into())).wrapping_mul(stride));
        let near = if atomic { pe < c.atomic_pes && !is_host } else { pe < c.direct_pes };
        if near {
            return Some(at(pe));
        }
        let word = self.word(Tables::entry(pe.min(c.n_pes)) as usize);
        let bit = if atomic { PeEntry::atomics(segment) } else { PeEntry::loads_stores(segment) };
        ((word >> 32) as u32 & bit != 0).then(|| at(word as u32))
    }

    /// Compares every answer with the facts, for every PE and for some that do not exist.
    fn check(&self, pes: &[PeFacts]) {
        for (pe, facts) in pes.iter().enumerate() {
            let segments = [(Segment::Host, HOST, HOST_STRIDE, facts.host), (Segment::Gpu, GPU, GPU_STRIDE, facts.gpu)];
            for (segment, base, stride, access) in segments {
                let there = facts.place.map(|place| base + u64::from(place) * stride + 4097);
                let plain = there.filter(|_| access.loads_stores);
                let atomic = plain.filter(|_| access.atomics && segment == Segment::Gpu);
                assert_eq!(
                    self.find(segment, 4097, pe as u32, false),
                    plain,
                    "loads and stores, {segment:?} of PE {pe}"
                );
                assert_eq!(self.find(segment, 4097, pe as u32, true), atomic, "atomics, {segment:?} of PE {pe}");
            }
        }
        for pe in [pes.len() as u32, pes.len() as u32 + 1, u32::MAX] {
            assert_eq!(
                self.find(Segment::Host, 0, pe, false).or(self.find(Segment::Gpu, 0, pe, true)),
                None,
                "PE {pe}"
            );
        }
    }
}

/// Catches a kernel that looks at the tables although PE numbers are places.
#[test]
fn numbers_in_order_of_places_are_direct() {
    let pes: Vec<_> = (0..8).map(at).collect();
    let kernel = Kernel::new(5, &pes);
    let c = kernel.context;
    assert_eq!((c.n_pes, c.my_pe, c.my_place, c.direct_pes, c.atomic_pes), (8, 5, 5, 8, 8));
    assert_eq!((c.sync_area, c.reports, c.tables, c.ring, c.wait_limit_ns), (1, 2, 3, 4, 5000));
    kernel.check(&pes);
}

/// Two machines with four PEs each, numbered alternately. The kernel must find no memory of the other machine's PEs.
#[test]
fn every_second_pe_is_elsewhere() {
    let elsewhere = PeFacts { place: None, host: NONE, gpu: NONE };
    let pes: Vec<_> = (0..8).map(|pe| if pe % 2 == 1 { at(pe / 2) } else { elsewhere }).collect();
    let kernel = Kernel::new(3, &pes);
    assert_eq!((kernel.context.my_place, kernel.context.direct_pes), (1, 0));
    kernel.check(&pes);
}

/// Catches a limit for atomic operations that hides loads and stores beyond it, or the other way round.
#[test]
fn atomics_end_before_loads_and_stores() {
    let mut pes: Vec<_> = (0..6).map(at).collect();
    pes[2].gpu = PLAIN;
    pes[4].gpu = NONE;
    let kernel = Kernel::new(0, &pes);
    assert_eq!((kernel.context.direct_pes, kernel.context.atomic_pes), (4, 2));
    kernel.check(&pes);
}

/// Catches host memory that is given to the GPU's atomic operations because a link supports them.
#[test]
fn the_cpu_is_the_agent_of_host_memory() {
    let pes: Vec<_> = (0..3).map(|place| PeFacts { host: ALL, ..at(place) }).collect();
    Kernel::new(1, &pes).check(&pes);
}

/// Catches a layout that differs from the one for which kernels are compiled.
#[test]
fn the_head_is_where_kernels_look() {
    let pes: Vec<_> = (0..300).map(at).collect();
    let kernel = Kernel::new(299, &pes);
    assert_eq!(kernel.tables.len() as u64, Tables::bytes(300));
    assert_eq!(kernel.word(0), u64::from(ABI_VERSION) | Tables::bytes(300) << 32);
    for (segment, base, stride, agent) in
        [(Segment::Host, HOST, HOST_STRIDE, Agent::Cpu), (Segment::Gpu, GPU, GPU_STRIDE, Agent::Gpu)]
    {
        let entry = offset_of!(Tables, segments) + segment as usize * size_of::<SegmentEntry>();
        assert_eq!(kernel.word(entry + offset_of!(SegmentEntry, base)), base);
        assert_eq!(kernel.word(entry + offset_of!(SegmentEntry, bytes)), 300 * stride);
        assert_eq!(kernel.word(entry + offset_of!(SegmentEntry, stride)), stride);
        assert_eq!(kernel.word(entry + offset_of!(SegmentEntry, agent)), agent as u64);
    }
    kernel.check(&pes);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// Any numbers on any places, more than fit into any fixed map, with some PEs reached in part.
    #[test]
    fn any_order_and_any_reach(
        places in (1u32..600).prop_flat_map(|n| Just((0..n).collect::<Vec<_>>()).prop_shuffle()),
        odd in proptest::collection::vec((0usize..600, 0u8..4), 0..20),
        sorted in any::<bool>(),
        me in any::<prop::sample::Index>(),
    ) {
        let me = me.index(places.len());
        let mut pes: Vec<_> = places.iter().enumerate().map(|(pe, place)| at(if sorted { pe as u32 } else { *place })).collect();
        for (pe, kind) in odd {
            if pe >= pes.len() || pe == me {
                continue;
            }
            match kind {
                0 => pes[pe] = PeFacts { place: None, host: NONE, gpu: NONE },
                1 => pes[pe].gpu = NONE,
                2 => pes[pe].gpu = PLAIN,
                _ => pes[pe].host = NONE,
            }
        }
        Kernel::new(me as u32, &pes).check(&pes);
    }
}
