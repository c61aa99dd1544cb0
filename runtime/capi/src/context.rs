//! Contexts. A handle is a number that C sees as a pointer: 0 is `SHMEM_CTX_INVALID`, 1 is `SHMEM_CTX_DEFAULT`, and the
//! others are places in a table, with the slot of the context's team above, where kernels in CUDA C++ look for it. A
//! handle that was destroyed, or never existed, can therefore be detected.

use crate::report;
use crate::state::job;
use crate::team::{self, Handle};
use cushmem::raw::{CTX_HANDLE_BITS, Raw};
use cushmem::{Context, ContextOptions};
use std::ffi::{c_int, c_long, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// `shmem_ctx_t`.
pub(crate) type Ctx = *const Opaque;

/// The type that handles appear to point to.
#[repr(C)]
pub(crate) struct Opaque([u8; 0]);

/// `SHMEM_CTX_DEFAULT`.
const DEFAULT: usize = 1;
/// The default context as C passes it.
pub(crate) const DEFAULT_HANDLE: Ctx = std::ptr::without_provenance(DEFAULT);
const FIRST: usize = 2;
/// The maximum number of contexts.
const MOST: usize = 1024;

static CONTEXTS: [AtomicPtr<Entry>; MOST] = [const { AtomicPtr::new(null_mut()) }; MOST];
/// Held while a thread looks at contexts of other threads, or removes a context.
static TAKING: Mutex<()> = Mutex::new(());

const _: () = assert!(FIRST + MOST <= 1 << CTX_HANDLE_BITS, "a handle has room for the number of each context");

/// A context, and the handle and slot of its team.
pub(crate) struct Entry {
    context: Context,
    team: usize,
    slot: usize,
}

/// The place of the context with this handle, if there is one.
#[inline(always)]
fn place(ctx: Ctx) -> usize {
    (ctx.addr() & ((1 << CTX_HANDLE_BITS) - 1)).wrapping_sub(FIRST)
}

/// The number in the job of PE `pe` of a context's team. For the default context it is `pe` itself, which has not been
/// checked yet.
#[inline(always)]
pub(crate) fn world_pe(routine: &'static str, ctx: Ctx, pe: c_int) -> u32 {
    if ctx.addr() == DEFAULT {
        return pe.cast_unsigned();
    }
    match find(ctx).and_then(|entry| entry.context.pes().pe(pe.cast_unsigned())) {
        Some(pe) => pe,
        None => no_pe(routine, ctx, pe),
    }
}

/// `extern "C"`, so that it does not unwind and the routine needs no stack frame.
#[cold]
#[inline(never)]
#[expect(improper_ctypes_definitions, reason = "called only from this file")]
extern "C" fn no_pe(routine: &'static str, ctx: Ctx, pe: c_int) -> ! {
    let size = entry(routine, ctx).context.pes().size();
    let last = size - 1;
    report::end(routine, &format!("argument pe: {pe} is out of range (0 to {last}, the PEs of the context's team)"))
}

#[inline(always)]
fn find(ctx: Ctx) -> Option<&'static Entry> {
    // SYNC(capi-context) acquire: pairs with the release in `add`.
    let entry = CONTEXTS.get(place(ctx))?.load(Ordering::Acquire);
    // SAFETY: it is null or what `add` stored, which lives until the context is destroyed; after that nobody may use
    // it.
    unsafe { entry.as_ref() }.filter(|entry| entry.slot == ctx.addr() >> CTX_HANDLE_BITS)
}

/// The context of a handle other than the default one; ends the job if the handle is not valid.
pub(crate) fn entry(routine: &'static str, ctx: Ctx) -> &'static Entry {
    job(routine);
    match find(ctx) {
        Some(entry) => entry,
        None if ctx.is_null() => report::end(routine, "argument ctx: SHMEM_CTX_INVALID is not a context"),
        None => report::end(routine, &format!("argument ctx: {ctx:p} is not a context, or was destroyed")),
    }
}

/// The context of a handle; `None` for the default context.
pub(crate) fn other(routine: &'static str, ctx: Ctx) -> Option<&'static Context> {
    (ctx.addr() != DEFAULT).then(|| &entry(routine, ctx).context)
}

/// The operations on a context.
#[inline]
pub(crate) fn on(routine: &'static str, ctx: Ctx) -> Raw<'static> {
    let raw = job(routine).raw();
    match other(routine, ctx) {
        Some(context) => raw.on(context),
        None => raw,
    }
}

/// Creates a handle; `None` if there are already as many contexts as possible.
fn add(entry: Entry) -> Option<Ctx> {
    let above = entry.slot << CTX_HANDLE_BITS;
    let entry = Box::into_raw(Box::new(entry));
    for (place, slot) in CONTEXTS.iter().enumerate() {
        // SYNC(capi-context) release: pairs with the acquire in `find`.
        if slot.compare_exchange(null_mut(), entry, Ordering::Release, Ordering::Relaxed).is_ok() {
            return Some(std::ptr::without_provenance(above | (FIRST + place)));
        }
    }
    // SAFETY: it was created above, and nobody else has it.
    drop(unsafe { Box::from_raw(entry) });
    None
}

/// Undoes [`add`].
pub(crate) fn remove(routine: &'static str, ctx: Ctx) {
    entry(routine, ctx);
    let _taking = TAKING.lock().unwrap_or_else(PoisonError::into_inner);
    // SYNC(capi-context) acquire: pairs with the release in `add`.
    let entry = CONTEXTS[place(ctx)].swap(null_mut(), Ordering::Acquire);
    if !entry.is_null() {
        // SAFETY: `add` created it from a box, and the swap gave it to this caller alone.
        drop(unsafe { Box::from_raw(entry) });
    }
}

/// Completes what is pending on all contexts of a team, and removes these contexts.
pub(crate) fn remove_all_of(routine: &'static str, team: usize) {
    for entry in take_all(|of| of == team) {
        if let Err(error) = job(routine).raw().on(&entry.context).quiet() {
            report::end(routine, &error.to_string());
        }
    }
}

/// Removes the contexts that the program has not destroyed when it leaves its job. Nothing is pending on them.
pub(crate) fn remove_all() {
    drop(take_all(|_| true));
}

/// Takes the contexts whose team is chosen.
fn take_all(is_chosen: impl Fn(usize) -> bool) -> Vec<Entry> {
    let _taking = TAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let take = |place: &AtomicPtr<Entry>| {
        // SYNC(capi-context) acquire: pairs with the release in `add`.
        let entry = place.load(Ordering::Acquire);
        // SAFETY: it is null or what `add` stored, and while the lock is held nobody removes it.
        unsafe { entry.as_ref() }.filter(|found| is_chosen(found.team))?;
        // Relaxed: it was acquired above.
        place.store(null_mut(), Ordering::Relaxed);
        // SAFETY: `add` created it from a box; nobody else may use it, because the program has destroyed the team or
        // has left its job.
        Some(unsafe { *Box::from_raw(entry) })
    };
    CONTEXTS.iter().filter_map(take).collect()
}

/// `SHMEM_CTX_SERIALIZED` and the two options after it.
const OPTIONS: c_long = 0b111;
/// `SHMEM_CTX_SESSION_BATCH` and the option after it.
const SESSION_OPTIONS: c_long = 0b11;
/// `SHMEM_CTX_SESSION_TOTAL_OPS`
const SESSION_CONFIG: c_long = 1;
/// The return value of routines after a failure.
const FAILED: c_int = -1;

/// # Safety
/// `ctx` is NULL or writable.
unsafe fn create(routine: &'static str, of: Handle, options: c_long, ctx: *mut Ctx) -> c_int {
    job(routine);
    // SAFETY: the caller guarantees that `ctx` is NULL or writable.
    let Some(ctx) = (unsafe { ctx.as_mut() }) else {
        report::end(routine, "argument ctx: NULL is not a valid address")
    };
    *ctx = std::ptr::null();
    if options & !OPTIONS != 0 {
        let text = format!("argument options: {options:#x} is not a combination of bits in {OPTIONS:#x}");
        report::end(routine, &text);
    }
    if of.is_null() {
        return FAILED;
    }
    let chosen = |bit: c_long| options & bit != 0;
    let options = ContextOptions { serialized: chosen(1), private: chosen(2), nostore: chosen(4) };
    let team = team::team(routine, of);
    let context = match job(routine).context(team.pes(), options) {
        Ok(context) => context,
        Err(error) => {
            job(routine).raw().say(&format!("{routine}: {}", error.cause()));
            return FAILED;
        }
    };
    match add(Entry { context, team: of.addr(), slot: team.slot() }) {
        Some(handle) => {
            *ctx = handle;
            0
        }
        None => {
            job(routine).raw().say(&format!("{routine}: the limit of {MOST} contexts is reached"));
            FAILED
        }
    }
}

one_form! { ("ctx_create") ROUTINE: (options: c_long, ctx: *mut Ctx) -> c_int {
    // SAFETY: the caller of the routine guarantees that `ctx` is NULL or writable.
    unsafe { create(ROUTINE, std::ptr::without_provenance(team::WORLD), options, ctx) }
} }

one_form! { ("team_create_ctx") ROUTINE: (team: Handle, options: c_long, ctx: *mut Ctx) -> c_int {
    // SAFETY: the caller of the routine guarantees that `ctx` is NULL or writable.
    unsafe { create(ROUTINE, team, options, ctx) }
} }

one_form! { ("ctx_destroy") ROUTINE: (ctx: Ctx) {
    job(ROUTINE);
    match ctx.addr() {
        0 => {}
        DEFAULT => report::end(ROUTINE, "argument ctx: SHMEM_CTX_DEFAULT cannot be destroyed"),
        _ => {
            if let Err(error) = on(ROUTINE, ctx).quiet() {
                report::end(ROUTINE, &error.to_string());
            }
            remove(ROUTINE, ctx);
        }
    }
} }

one_form! { ("ctx_get_team") ROUTINE: (ctx: Ctx, team: *mut Handle) -> c_int {
    job(ROUTINE);
    // SAFETY: the caller of the routine guarantees that `team` is NULL or writable.
    let Some(team) = (unsafe { team.as_mut() }) else { report::end(ROUTINE, "argument team: NULL is not a valid address") };
    let found = match ctx.addr() {
        0 => 0,
        DEFAULT => team::WORLD,
        _ => entry(ROUTINE, ctx).team,
    };
    *team = std::ptr::without_provenance(found);
    if found == 0 { FAILED } else { 0 }
} }

// A session announces what the program is going to do, so that operations can be issued together. Here each operation
// is carried out at once. As specified, a session of SHMEM_CTX_INVALID has no effect.
one_form! { ("ctx_session_start") ROUTINE: (ctx: Ctx, options: c_long, config: *const c_void, config_mask: c_long) {
    job(ROUTINE);
    if ctx.is_null() {
        return;
    }
    other(ROUTINE, ctx);
    if options & !SESSION_OPTIONS != 0 {
        let text = format!("argument options: {options:#x} is not a combination of bits in {SESSION_OPTIONS:#x}");
        report::end(ROUTINE, &text);
    }
    if config_mask & !SESSION_CONFIG != 0 {
        let text = format!("argument config_mask: {config_mask:#x} is neither 0 nor SHMEM_CTX_SESSION_TOTAL_OPS");
        report::end(ROUTINE, &text);
    }
    if config_mask != 0 && config.is_null() {
        report::end(ROUTINE, "argument config: NULL, although config_mask says that it is used");
    }
} }

one_form! { ("ctx_session_stop") ROUTINE: (ctx: Ctx) {
    job(ROUTINE);
    if !ctx.is_null() {
        other(ROUTINE, ctx);
    }
} }
