//! What kernels know about the job, computed from plain values: the block of constants and the tables of `device/abi`.

use cushmem_abi::{
    ABI_VERSION, Agent, DeviceContext, PeEntry, SEGMENTS, Segment, SegmentEntry, TEAM_SLOTS, Tables, TeamEntry, Units,
};
use std::time::Duration;

/// How kernels of this GPU can access the memory of one kind on one PE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Access {
    /// Their loads and stores reach it.
    pub(crate) loads_stores: bool,
    /// Their atomic operations reach it, and are executed by the same agent as all others.
    pub(crate) atomics: bool,
}

/// The facts about one PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PeFacts {
    /// The place of its segments in the windows; `None` for a PE on another machine, which has no place here.
    pub(crate) place: Option<u32>,
    pub(crate) host: Access,
    pub(crate) gpu: Access,
}

/// The window through which this PE sees a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) base: u64,
    /// The distance from one place to the next in bytes.
    pub(crate) stride: u64,
    /// The number of segments in it.
    pub(crate) places: u32,
    pub(crate) agent: Agent,
}

impl Window {
    fn units(&self) -> Units {
        Units::new(self.base, self.stride, self.places).expect("windows consist of whole units")
    }

    fn entry(&self) -> SegmentEntry {
        let bytes = self.stride * u64::from(self.places);
        SegmentEntry { base: self.base, bytes, stride: self.stride, agent: self.agent as u32, reserved: 0 }
    }
}

/// The facts about this PE.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) my_pe: u32,
    /// Device addresses.
    pub(crate) sync_area: u64,
    pub(crate) reports: u64,
    pub(crate) ring: u64,
    /// 0 if there is no command processor.
    pub(crate) processor: u64,
    /// The least bytes of a put and of a get for it.
    pub(crate) to_processor: [u32; 2],
    /// 0 if kernels record nothing.
    pub(crate) record: u64,
    /// Of so many blocks, the first one records.
    pub(crate) record_every: u32,
    /// How many events it has room for.
    pub(crate) record_slots: u32,
    pub(crate) tables: u64,
    /// How many teams it can have.
    pub(crate) teams: u32,
    /// Whether kernels of the job ask the proxy for what they do not reach.
    pub(crate) far: bool,
    /// The longest wait in a collective; zero waits for ever.
    pub(crate) wait_limit: Duration,
}

/// The block of constants, and the bytes to copy to the address of the tables before any kernel runs. `pes` are all PEs
/// of the job. The tables have no teams yet ([`team_words`]).
pub(crate) fn build(own: Own, host: Window, gpu: Window, pes: &[PeFacts]) -> (DeviceContext, Vec<u8>) {
    let near = |(pe, facts): (usize, &PeFacts)| facts.place.is_some_and(|place| place as usize == pe);
    let direct = |facts: &PeFacts| facts.host.loads_stores && facts.gpu.loads_stores;
    let leading =
        |holds: &dyn Fn((usize, &PeFacts)) -> bool| pes.iter().enumerate().take_while(|pe| holds(*pe)).count();
    let context = DeviceContext {
        abi_version: ABI_VERSION,
        my_pe: own.my_pe,
        n_pes: pes.len() as u32,
        my_place: pes[own.my_pe as usize].place.expect("a PE has a place in its own windows"),
        direct_pes: leading(&|(pe, facts)| near((pe, facts)) && direct(facts)) as u32,
        atomic_pes: leading(&|(pe, facts)| near((pe, facts)) && direct(facts) && facts.gpu.atomics) as u32,
        far: own.far.into(),
        host: host.units(),
        gpu: gpu.units(),
        put_to_processor: own.to_processor[0],
        processor: own.processor,
        tables: own.tables,
        sync_area: own.sync_area,
        reports: own.reports,
        ring: own.ring,
        wait_limit_ns: own.wait_limit.as_nanos() as u64,
        get_to_processor: own.to_processor[1],
        record_every: own.record_every,
        record: own.record,
        record_slots: own.record_slots,
    };
    let mut segments = [host.entry(); SEGMENTS];
    segments[Segment::Gpu as usize] = gpu.entry();
    let bytes = Tables::bytes(context.n_pes) as u32;
    let last = PeEntry::default();
    let entries = pes.iter().map(|facts| entry(facts, host.agent)).chain([last]);
    (
        context,
        encode(
            Tables {
                version: ABI_VERSION,
                bytes,
                segments,
                n_teams: own.teams.into(),
                teams: [TeamEntry::NONE; TEAM_SLOTS],
            },
            entries,
        ),
    )
}

fn entry(facts: &PeFacts, host_agent: Agent) -> PeEntry {
    let Some(place) = facts.place else { return PeEntry::default() };
    // A GPU must not change atomically what the CPU changes atomically, whatever the link can do.
    let host = Access { atomics: facts.host.atomics && host_agent == Agent::Gpu, ..facts.host };
    let segments = [(Segment::Host, host), (Segment::Gpu, facts.gpu)];
    let bits = segments.map(|(segment, access)| {
        let loads_stores = if access.loads_stores { PeEntry::loads_stores(segment) } else { 0 };
        loads_stores | if access.loads_stores && access.atomics { PeEntry::atomics(segment) } else { 0 }
    });
    PeEntry { place, reach: bits[0] | bits[1] }
}

/// The entries of teams as they lie in memory.
pub(crate) fn team_words(teams: &[TeamEntry]) -> Vec<u32> {
    teams.iter().flat_map(|team| [team.start, team.stride.cast_unsigned(), team.n_pes, team.my_pe]).collect()
}

/// The tables as they lie in memory.
fn encode(head: Tables, entries: impl Iterator<Item = PeEntry>) -> Vec<u8> {
    let mut bytes = vec![];
    let mut half = |value: u32| bytes.extend(value.to_ne_bytes());
    half(head.version);
    half(head.bytes);
    for segment in head.segments {
        for word in [segment.base, segment.bytes, segment.stride] {
            half(word as u32);
            half((word >> 32) as u32);
        }
        half(segment.agent);
        half(segment.reserved);
    }
    half(head.n_teams as u32);
    half((head.n_teams >> 32) as u32);
    team_words(&head.teams).into_iter().for_each(&mut half);
    for entry in entries {
        half(entry.place);
        half(entry.reach);
    }
    bytes
}

#[cfg(test)]
#[path = "device_tables_tests.rs"]
mod tests;
