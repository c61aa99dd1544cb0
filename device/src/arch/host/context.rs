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
    context_direct_pes: u32, direct_pes;
    context_host: Units, host;
    context_gpu: Units, gpu;
    context_tables: u64, tables;
    context_sync_area: u64, sync_area;
    context_reports: u64, reports;
    context_ring: u64, ring;
    context_wait_limit_ns: u64, wait_limit_ns;
}

/// Whether this build contains the code for PEs that are not mapped.
pub const HAS_FAR_CODE: bool = true;

/// Whether there are PEs that are not mapped: see [`DeviceContext::far`]. The emulation has one build for both kinds of
/// jobs.
pub fn far() -> bool {
    current().context.is_some_and(|context| context.far != 0)
}

macro_rules! locations { ($($name:ident: $limit:ident, $near:expr, $host:expr, $gpu:expr;)*) => {$(
    /// Bytes from the object at `address` to the same object on PE `pe`, and 0 if it cannot be reached there.
    pub fn $name(address: u64, pe: u32) -> (i64, u32) {
        let c = context();
        let (host, gpu) = (c.host.contain(address), c.gpu.contain(address));
        let (stride, bit) =
            if host { (c.host.stride, $host) } else { (c.gpu.stride, if gpu { $gpu } else { 0 }) };
        let entry = if pe < c.$limit { PeEntry { place: pe, reach: $near } } else { entry(c, pe) };
        let places = i64::from(entry.place.wrapping_sub(c.my_place).cast_signed());
        (places.wrapping_mul(i64::from(stride)).wrapping_mul(WINDOW_UNIT.cast_signed()), entry.reach & bit)
    }
)*} }
locations! {
    locate_loads_stores: direct_pes, PeEntry::NEAR_LOADS_STORES, PeEntry::loads_stores(Segment::Host), PeEntry::loads_stores(Segment::Gpu);
    locate_atomics: atomic_pes, PeEntry::NEAR_ATOMICS, PeEntry::atomics(Segment::Host), PeEntry::atomics(Segment::Gpu);
}

fn entry(context: &DeviceContext, pe: u32) -> PeEntry {
    let address = context.tables + Tables::entry(pe.min(context.n_pes));
    // SAFETY: the tables have an entry for each PE and one more.
    unsafe { resolve(core::ptr::without_provenance_mut::<PeEntry>(address as usize)).read() }
}
