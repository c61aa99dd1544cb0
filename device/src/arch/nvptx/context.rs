//! The contents of the module's constant, and where an object lies on another PE.
//!
//! **A kernel may read a word of the context once and keep it.** No protocol waits for a word of the context to change,
//! because none changes while a kernel of the module runs:
//!
//! * *Before*: the host writes the context with a copy that has ended when `Shmem::load`, `shmemx_module_init` or the
//!   call in which a unit in C++ is told returns. Only then is a launch right, and CUDA has a kernel see what was
//!   written to constant memory before its launch. A kernel launched earlier sees zeros, or for units in C++ a version
//!   that is none. Whether such a kernel would see the words once they are written was never defined: CUDA's loads of
//!   constants go through caches that nothing empties while a kernel runs, and nvcc moves them out of loops.
//! * *During*: nobody writes a context that has been filled in, except with the next job's, for which no kernel of the
//!   last one is left. The end of a job does not reset contexts.
//! * What does change is not in the context, but at the addresses in it: the teams in the tables, the sync area, the
//!   ring. It is read by loads of global memory, which are as volatile and ordered as before; only their address may be
//!   computed early. The entries of PEs in the tables are written before the context that points to them, and never
//!   again.
//!
//! So reads of the context and the distances computed from it need no order with other accesses, and a lane that waits
//! in a loop may have them before it.

use core::arch::asm;
use core::mem::offset_of;
use cushmem_abi::{DeviceContext, PeEntry, Segment, Tables, Units, WINDOW_UNIT, WINDOW_UNIT_BITS};

macro_rules! words { ($($number:literal $name:ident;)*) => {
    unsafe extern "unadjusted" {$(
        #[link_name = concat!("llvm.nvvm.read.ptx.sreg.", stringify!($name))]
        fn $name() -> i32;
    )*}

    /// The word of the module's constant at this offset in bytes, which `kernels!` declares.
    ///
    /// LLVM moves no inline assembly out of a loop behind volatile assembly, and it knows no memory that never changes
    /// and that somebody else fills in. But it knows registers of that kind, which CUDA has no use for: `%envreg0` to
    /// `%envreg31`. It may move reads of them out of loops and merge them. `cargo shmem-ptx` makes each of them a load
    /// of the constant (`ptx/src/emit.rs`).
    #[inline(always)]
    fn word<const AT: usize>() -> u32 {
        const { assert!(AT.is_multiple_of(4) && AT < size_of::<DeviceContext>() && AT / 4 < [$($number),*].len()) };
        // SAFETY: reads a register that does not change.
        let value = unsafe {
            match AT / 4 {
                $($number => $name(),)*
                _ => unreachable!(),
            }
        };
        value.cast_unsigned()
    }
} }
words! {
    0 envreg0; 1 envreg1; 2 envreg2; 3 envreg3; 4 envreg4; 5 envreg5; 6 envreg6;
    7 envreg7; 8 envreg8; 9 envreg9; 10 envreg10; 11 envreg11; 12 envreg12; 13 envreg13;
    14 envreg14; 15 envreg15; 16 envreg16; 17 envreg17; 18 envreg18; 19 envreg19; 20 envreg20;
    21 envreg21; 22 envreg22; 23 envreg23; 24 envreg24; 25 envreg25; 26 envreg26; 27 envreg27;
    28 envreg28; 29 envreg29; 30 envreg30; 31 envreg31;
}

macro_rules! context_words { ($($name:ident: $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`](cushmem_abi::DeviceContext)")]
    #[inline(always)]
    pub fn $name() -> u32 {
        word::<{ offset_of!(DeviceContext, $field) }>()
    }
)*} }
context_words! {
    context_my_pe: my_pe;
    context_n_pes: n_pes;
    context_my_place: my_place;
    context_direct_pes: direct_pes;
    context_put_to_processor: put_to_processor;
    context_get_to_processor: get_to_processor;
    context_record_every: record_every;
    context_record_slots: record_slots;
}

macro_rules! context_pairs { ($($name:ident: $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`](cushmem_abi::DeviceContext)")]
    #[inline(always)]
    pub fn $name() -> u64 {
        const AT: usize = offset_of!(DeviceContext, $field);
        u64::from(word::<AT>()) | u64::from(word::<{ AT + 4 }>()) << 32
    }
)*} }
context_pairs! {
    context_ring: ring;
    context_processor: processor;
}

macro_rules! context_late_words { ($($name:ident: $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`](cushmem_abi::DeviceContext)")]
    ///
    /// It is read where it is needed: many kernels need more registers if it is read before.
    #[inline(always)]
    pub fn $name() -> u64 {
        let value;
        // SAFETY: reads the module's constant.
        unsafe {
            asm!("ld.const.u64 {0}, [cushmem_context+{1}];", out(reg64) value,
                 const offset_of!(DeviceContext, $field), options(pure, nomem, nostack, preserves_flags))
        }
        value
    }
)*} }
context_late_words! {
    context_tables: tables;
    context_sync_area: sync_area;
    context_reports: reports;
    context_wait_limit_ns: wait_limit_ns;
    context_record: record;
}

/// Whether the kernels are built for jobs with PEs that are not mapped: see [`DeviceContext::far`]. Other builds
/// contain no trace of the code for such PEs.
#[inline(always)]
pub const fn far() -> bool {
    HAS_FAR_CODE
}

/// Whether this build contains the code for PEs that are not mapped.
pub const HAS_FAR_CODE: bool = cfg!(cushmem_far);

/// Whether kernels of this build record what they do, if [`DeviceContext::record`] is not 0.
pub const HAS_RECORD: bool = cfg!(any(cushmem_far, cushmem_recorded));

/// Whether this is the build for jobs with a timeline in which all PEs are mapped.
pub const IS_RECORDED: bool = cfg!(cushmem_recorded);

macro_rules! windows { ($($name:ident: $field:ident;)*) => {$(
    #[doc = concat!("[`DeviceContext::", stringify!($field), "`](cushmem_abi::DeviceContext)")]
    #[inline(always)]
    pub fn $name() -> Units {
        Units {
            first: word::<{ offset_of!(DeviceContext, $field.first) }>(),
            count: word::<{ offset_of!(DeviceContext, $field.count) }>(),
            stride: word::<{ offset_of!(DeviceContext, $field.stride) }>(),
        }
    }
)*} }
windows! {
    context_host: host;
    context_gpu: gpu;
}

/// The window in which an address lies: the units between two places there, and `on_host`, `on_gpu` or 0.
#[inline(always)]
fn window(address: u64, on_host: u32, on_gpu: u32) -> (u32, u32) {
    let unit = (address >> WINDOW_UNIT_BITS) as u32;
    let (host, gpu) = (context_host(), context_gpu());
    if unit.wrapping_sub(host.first) < host.count {
        (host.stride, on_host)
    } else if unit.wrapping_sub(gpu.first) < gpu.count {
        (gpu.stride, on_gpu)
    } else {
        (gpu.stride, 0)
    }
}

macro_rules! distances { ($($near_for:ident, $by_table:ident: $limit:ident, $near:expr, $host:expr, $gpu:expr;)*) => {$(
    /// Bytes from the object at `address` to the same object on PE `pe`, if the context alone says that it is reached:
    /// the PE is below the limit, and the address lies in a window. The compiler may move this out of loops.
    #[inline(always)]
    pub fn $near_for(address: u64, pe: u32) -> Option<i64> {
        let (stride, wanted) = window(address, $host & $near, $gpu & $near);
        let is_near = pe < word::<{ offset_of!(DeviceContext, $limit) }>() && wanted != 0;
        let places = pe.wrapping_sub(word::<{ offset_of!(DeviceContext, my_place) }>());
        is_near.then_some(i64::from(places.wrapping_mul(stride).cast_signed()) * WINDOW_UNIT.cast_signed())
    }

    /// The same for any PE, by its entry in the tables, with 0 if the object cannot be reached there: because of the
    /// PE, or because the address lies in no window.
    #[inline(always)]
    pub fn $by_table(address: u64, pe: u32) -> (i64, u32) {
        let (stride, wanted) = window(address, $host, $gpu);
        let at = context_tables() + Tables::entry(pe.min(context_n_pes()));
        let mine = word::<{ offset_of!(DeviceContext, my_place) }>();
        let (distance, reached);
        // SAFETY: reads an entry of the tables, which have one for each PE and one more. A plain load is enough,
        // because the tables do not change while kernels run.
        unsafe {
            asm!("{{ .reg .b32 place, reach; ld.global.v2.u32 {{place, reach}}, [{at}]; sub.s32 place, place, {mine};",
                 "mul.lo.s32 place, place, {stride}; mul.wide.s32 {distance}, place, {unit_bytes}; and.b32 {reached}, reach, {wanted}; }}",
                 at = in(reg64) at, mine = in(reg32) mine, stride = in(reg32) stride, wanted = in(reg32) wanted,
                 distance = out(reg64) distance, reached = out(reg32) reached, unit_bytes = const WINDOW_UNIT,
                 options(pure, nomem, nostack, preserves_flags));
        }
        (distance, reached)
    }
)*} }
distances! {
    near_for_loads_stores, loads_stores_by_table: direct_pes, PeEntry::NEAR_LOADS_STORES, PeEntry::loads_stores(Segment::Host), PeEntry::loads_stores(Segment::Gpu);
    near_for_atomics, atomics_by_table: atomic_pes, PeEntry::NEAR_ATOMICS, PeEntry::atomics(Segment::Host), PeEntry::atomics(Segment::Gpu);
}

macro_rules! locations { ($($name:ident: $limit:ident, $near:expr, $host:expr, $gpu:expr;)*) => {$(
    /// What the two above find, by one block of assembly without a branch, for operations that gain nothing by a
    /// look-up outside a loop. The PE's entry is loaded only if `pe` is not below the limit.
    #[inline(always)]
    pub fn $name(address: u64, pe: u32) -> (i64, u32) {
        let (distance, reached);
        // SAFETY: reads the module's constant, and an entry of the tables as above.
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
