//! The contents of the module's constant, and where an object lies on another PE.

use core::arch::asm;
use core::mem::offset_of;
use cushmem_abi::{DeviceContext, PeEntry, Segment, Tables, Units, WINDOW_UNIT, WINDOW_UNIT_BITS};

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
    HAS_FAR_CODE
}

/// Whether this build contains the code for PEs that are not mapped.
pub const HAS_FAR_CODE: bool = cfg!(cushmem_far);

macro_rules! windows { ($($name:ident: $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`](cushmem_abi::DeviceContext)")]
    #[inline(always)]
    pub fn $name() -> Units {
        let (first, count, stride);
        // SAFETY: reads the module's constant, as `context_words` do.
        unsafe {
            asm!("ld.const.u32 {0}, [cushmem_context+{3}]; ld.const.u32 {1}, [cushmem_context+{4}]; ld.const.u32 {2}, [cushmem_context+{5}];",
                 out(reg32) first, out(reg32) count, out(reg32) stride, const offset_of!(DeviceContext, $field.first),
                 const offset_of!(DeviceContext, $field.count), const offset_of!(DeviceContext, $field.stride),
                 options(pure, nomem, nostack, preserves_flags));
        }
        Units { first, count, stride }
    }
)*} }
windows! {
    context_host: host;
    context_gpu: gpu;
}

macro_rules! locations { ($($name:ident: $limit:ident, $near:expr, $host:expr, $gpu:expr;)*) => {$(
    /// Bytes from the object at `address` to the same object on PE `pe`, and 0 if it cannot be reached there: because
    /// of the PE, or because the address lies in no window. It has no branch, and the compiler may move it out of
    /// loops. The PE's entry is loaded only if `pe` is not below the limit. A plain load is enough, because the tables
    /// do not change while kernels run.
    #[inline(always)]
    pub fn $name(address: u64, pe: u32) -> (i64, u32) {
        let (distance, reached);
        // SAFETY: reads the module's constant, as `context_words` do, and an entry of the tables, which have one for
        // each PE and one more.
        unsafe {
            asm!(
                "{{ .reg .pred host, gpu, far; .reg .b32 unit, from, count, stride, other, limit, last, place, mine, reach, bit; .reg .b64 at;",
                "shr.u64 at, {address}, {unit_bits}; cvt.u32.u64 unit, at;",
                "ld.const.u32 from, [cushmem_context+{host_first}]; sub.u32 from, unit, from;",
                "ld.const.u32 count, [cushmem_context+{host_count}]; setp.lt.u32 host, from, count;",
                "ld.const.u32 from, [cushmem_context+{gpu_first}]; sub.u32 from, unit, from;",
                "ld.const.u32 count, [cushmem_context+{gpu_count}]; setp.lt.u32 gpu, from, count;",
                "ld.const.u32 stride, [cushmem_context+{host_stride}]; ld.const.u32 other, [cushmem_context+{gpu_stride}];",
                "selp.b32 stride, stride, other, host; selp.b32 bit, {on_gpu}, 0, gpu; selp.b32 bit, {on_host}, bit, host;",
                "ld.const.u32 limit, [cushmem_context+{limit}]; setp.ge.u32 far, {pe}, limit;",
                "ld.const.u32 last, [cushmem_context+{n_pes}]; min.u32 last, {pe}, last;",
                "ld.const.u64 at, [cushmem_context+{tables}]; mad.wide.u32 at, last, {entry_bytes}, at;",
                "mov.b32 place, {pe}; mov.b32 reach, {reached_near}; @far ld.global.v2.u32 {{place, reach}}, [at+{entries}];",
                "ld.const.u32 mine, [cushmem_context+{my_place}]; sub.s32 place, place, mine; mul.lo.s32 place, place, stride;",
                "mul.wide.s32 {distance}, place, {unit_bytes}; and.b32 {reached}, reach, bit; }}",
                distance = out(reg64) distance, reached = out(reg32) reached, address = in(reg64) address, pe = in(reg32) pe,
                host_first = const offset_of!(DeviceContext, host.first), gpu_first = const offset_of!(DeviceContext, gpu.first),
                host_count = const offset_of!(DeviceContext, host.count), gpu_count = const offset_of!(DeviceContext, gpu.count),
                host_stride = const offset_of!(DeviceContext, host.stride), gpu_stride = const offset_of!(DeviceContext, gpu.stride),
                unit_bits = const WINDOW_UNIT_BITS, unit_bytes = const WINDOW_UNIT,
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
