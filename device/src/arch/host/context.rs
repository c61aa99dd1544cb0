//! The contents of the lane's context, and where an object lies on another PE.

use super::resolve;
use cushmem_abi::lane::current;
use cushmem_abi::{DeviceContext, PeEntry, Segment, Tables, Units, WINDOW_UNIT};

fn context() -> &'static DeviceContext {
    current().context.expect("the kernel's module was loaded without a context")
}

macro_rules! context_words { ($($name:ident: $t:ty, $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`]")]
    pub fn $name() -> $t {
        context().$field
    }
)*} }
context_words! {
    context_my_pe: u32, my_pe;
    context_n_pes: u32, n_pes;
    context_my_place: u32, my_place;
    context_direct_pes: u32, direct_pes;
    context_put_to_processor: u32, put_to_processor;
    context_get_to_processor: u32, get_to_processor;
    context_record_every: u32, record_every;
    context_record_slots: u32, record_slots;
    context_processor: u64, processor;
    context_host: Units, host;
    context_gpu: Units, gpu;
    context_tables: u64, tables;
    context_sync_area: u64, sync_area;
    context_reports: u64, reports;
    context_ring: u64, ring;
    context_wait_limit_ns: u64, wait_limit_ns;
}

/// Whether kernels of this build record what they do, if [`DeviceContext::record`] is not 0.
pub const HAS_RECORD: bool = true;

/// The emulated GPU has one build for all jobs.
pub const IS_RECORDED: bool = true;

/// [`DeviceContext::record`]; 0 without a context.
pub fn context_record() -> u64 {
    current().context.map_or(0, |context| context.record)
}

/// Whether this build contains the code for PEs that are not mapped.
pub const HAS_FAR_CODE: bool = true;

/// Whether there are PEs that are not mapped: see [`DeviceContext::far`]. The emulation has one build for both kinds of
/// jobs.
pub fn far() -> bool {
    current().context.is_some_and(|context| context.far != 0)
}

macro_rules! distances { ($($near_for:ident, $by_table:ident, $locate:ident: $limit:ident, $near:expr, $host:expr, $gpu:expr;)*) => {$(
    /// Bytes from the object at `address` to the same object on PE `pe`, if the context alone says that it is reached:
    /// the PE is below the limit, and the address lies in a window.
    pub fn $near_for(address: u64, pe: u32) -> Option<i64> {
        let (distance, reached) = distance(PeEntry { place: pe, reach: $near }, address, $host, $gpu);
        (pe < context().$limit && reached != 0).then_some(distance)
    }

    /// The same for any PE, by its entry in the tables, with 0 if the object cannot be reached there: because of the
    /// PE, or because the address lies in no window.
    pub fn $by_table(address: u64, pe: u32) -> (i64, u32) {
        distance(entry(pe), address, $host, $gpu)
    }

    /// What the two above find.
    pub fn $locate(address: u64, pe: u32) -> (i64, u32) {
        $near_for(address, pe).map_or_else(|| $by_table(address, pe), |distance| (distance, 1))
    }
)*} }
distances! {
    near_for_loads_stores, loads_stores_by_table, locate_loads_stores: direct_pes, PeEntry::NEAR_LOADS_STORES, PeEntry::loads_stores(Segment::Host), PeEntry::loads_stores(Segment::Gpu);
    near_for_atomics, atomics_by_table, locate_atomics: atomic_pes, PeEntry::NEAR_ATOMICS, PeEntry::atomics(Segment::Host), PeEntry::atomics(Segment::Gpu);
}

fn distance(entry: PeEntry, address: u64, on_host: u32, on_gpu: u32) -> (i64, u32) {
    let c = context();
    let (host, gpu) = (c.host.contain(address), c.gpu.contain(address));
    let (stride, wanted) = if host { (c.host.stride, on_host) } else { (c.gpu.stride, if gpu { on_gpu } else { 0 }) };
    let places = i64::from(entry.place.wrapping_sub(c.my_place).cast_signed());
    (places.wrapping_mul(i64::from(stride)).wrapping_mul(WINDOW_UNIT.cast_signed()), entry.reach & wanted)
}

fn entry(pe: u32) -> PeEntry {
    let c = context();
    let address = c.tables + Tables::entry(pe.min(c.n_pes));
    // SAFETY: the tables have an entry for each PE and one more.
    unsafe { resolve(core::ptr::without_provenance_mut::<PeEntry>(address as usize)).read() }
}
