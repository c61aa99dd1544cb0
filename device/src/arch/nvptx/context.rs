//! The contents of the module's constant, and where an object lies on another PE.

use core::arch::asm;
use core::mem::offset_of;
use cushmem_abi::{DeviceContext, PeEntry, Segment, Tables};

macro_rules! context_words { ($($name:ident: $t:ty, $reg:ident, $suffix:literal, $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`](cushmem_abi::DeviceContext)")]
    #[inline(always)]
    pub fn $name() -> $t {
        let value;
        // SAFETY: reads the module's constant, which `kernels!` declares and the host fills in when it loads the
        // module.
        unsafe {
            asm!(concat!("ld.const.", $suffix, " {0}, [cushmem_context+{1}];"), out($reg) value,
                 const offset_of!(DeviceContext, $field), options(pure, nomem, nostack, preserves_flags))
        }
        value
    }
)*} }
context_words! {
    context_my_pe: u32, reg32, "u32", my_pe;
    context_n_pes: u32, reg32, "u32", n_pes;
    context_direct_pes: u32, reg32, "u32", direct_pes;
    context_host_base: u64, reg64, "u64", host_base;
    context_host_bytes: u64, reg64, "u64", host_bytes;
    context_tables: u64, reg64, "u64", tables;
    context_sync_area: u64, reg64, "u64", sync_area;
    context_reports: u64, reg64, "u64", reports;
    context_ring: u64, reg64, "u64", ring;
    context_wait_limit_ns: u64, reg64, "u64", wait_limit_ns;
}

/// Whether the kernels are built for jobs with PEs that are not mapped: see [`DeviceContext::far`]. Other builds
/// contain no trace of the code for such PEs.
#[inline(always)]
pub const fn far() -> bool {
    cfg!(cushmem_far)
}

macro_rules! locations { ($($name:ident: $limit:ident, $near:expr, $host:expr, $gpu:expr;)*) => {$(
    /// Bytes from the object at `address` to the same object on PE `pe`, or 0 if it cannot be reached there. It has no
    /// branch, and the compiler may move it out of loops. The PE's entry is loaded only if `pe` is not below the limit.
    /// A plain load is enough, because the tables do not change while kernels run.
    #[inline(always)]
    pub fn $name(address: u64, pe: u32) -> (i64, u32) {
        let (distance, reached);
        // SAFETY: reads the module's constant, as `context_words` do, and an entry of the tables, which have one for
        // each PE and one more.
        unsafe {
            asm!(
                "{{ .reg .pred host, far; .reg .b32 limit, last, place, mine, reach, bit; .reg .b64 at, bytes, stride, near, places;",
                "ld.const.u64 at, [cushmem_context+{host_base}]; sub.u64 at, {address}, at;",
                "ld.const.u64 bytes, [cushmem_context+{host_bytes}]; setp.lt.u64 host, at, bytes;",
                "ld.const.u64 stride, [cushmem_context+{host_stride}]; ld.const.u64 near, [cushmem_context+{gpu_stride}];",
                "selp.b64 stride, stride, near, host; selp.b32 bit, {on_host}, {on_gpu}, host;",
                "ld.const.u32 limit, [cushmem_context+{limit}]; setp.ge.u32 far, {pe}, limit;",
                "ld.const.u32 last, [cushmem_context+{n_pes}]; min.u32 last, {pe}, last;",
                "ld.const.u64 at, [cushmem_context+{tables}]; mad.wide.u32 at, last, {entry_bytes}, at;",
                "mov.b32 place, {pe}; mov.b32 reach, {reached_near}; @far ld.global.v2.u32 {{place, reach}}, [at+{entries}];",
                "ld.const.u32 mine, [cushmem_context+{my_place}]; sub.s32 place, place, mine; cvt.s64.s32 places, place;",
                "mul.lo.s64 {distance}, places, stride; and.b32 {reached}, reach, bit; }}",
                distance = out(reg64) distance, reached = out(reg32) reached, address = in(reg64) address, pe = in(reg32) pe,
                host_base = const offset_of!(DeviceContext, host_base), host_bytes = const offset_of!(DeviceContext, host_bytes),
                host_stride = const offset_of!(DeviceContext, host_stride), gpu_stride = const offset_of!(DeviceContext, gpu_stride),
                limit = const offset_of!(DeviceContext, $limit), n_pes = const offset_of!(DeviceContext, n_pes),
                tables = const offset_of!(DeviceContext, tables), my_place = const offset_of!(DeviceContext, my_place),
                entries = const Tables::entry(0), entry_bytes = const size_of::<PeEntry>(), reached_near = const $near,
                on_host = const $host, on_gpu = const $gpu, options(pure, nomem, nostack, preserves_flags),
            );
        }
        (distance, reached)
    }
)*} }
locations! {
    locate_loads_stores: direct_pes, PeEntry::NEAR_LOADS_STORES, PeEntry::loads_stores(Segment::Host), PeEntry::loads_stores(Segment::Gpu);
    locate_atomics: atomic_pes, PeEntry::NEAR_ATOMICS, PeEntry::atomics(Segment::Host), PeEntry::atomics(Segment::Gpu);
}
