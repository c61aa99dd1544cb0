//! Contexts. A handle is a number that C sees as a pointer: 0 is `SHMEM_CTX_INVALID`, 1 is `SHMEM_CTX_DEFAULT`, and the others
//! are places in a table, so that one which was destroyed, or never was, is told from one that is.

#![allow(dead_code, reason = "the routines that use it are not there yet")]

use crate::report;
use crate::state::job;
use cushmem::Context;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// `shmem_ctx_t`.
pub(crate) type Ctx = *const Opaque;

/// What handles seem to point to.
#[repr(C)]
pub(crate) struct Opaque([u8; 0]);

/// `SHMEM_CTX_DEFAULT`.
const DEFAULT: usize = 1;
const FIRST: usize = 2;
/// Contexts at a time.
const MOST: usize = 1024;

static CONTEXTS: [AtomicPtr<Entry>; MOST] = [const { AtomicPtr::new(null_mut()) }; MOST];

/// A context and the handle of its team.
pub(crate) struct Entry {
    pub(crate) context: Context,
    pub(crate) team: usize,
}

/// The PE of the job that PE `pe` of a context's team is; for the default context it is `pe` itself, which is then still to be
/// checked.
#[inline(always)]
pub(crate) fn world_pe(routine: &'static str, ctx: Ctx, pe: c_int) -> u32 {
    if ctx.addr() == DEFAULT { pe.cast_unsigned() } else { pe_of_team(routine, ctx, pe) }
}

#[inline(never)]
fn pe_of_team(routine: &'static str, ctx: Ctx, pe: c_int) -> u32 {
    let pes = entry(routine, ctx).context.pes();
    match pes.pe(pe.cast_unsigned()) {
        Some(pe) => pe,
        None => report::end(routine, &format!("argument pe: {pe} is not in 0..{} of the context's team", pes.size())),
    }
}

/// What a handle other than that of the default context stands for; ends the job if nothing.
pub(crate) fn entry(routine: &'static str, ctx: Ctx) -> &'static Entry {
    job(routine);
    let found = ctx.addr().checked_sub(FIRST).and_then(|place| CONTEXTS.get(place));
    // SYNC(capi-context) acquire: pairs with the release in `add`.
    let entry = found.map_or(null_mut(), |place| place.load(Ordering::Acquire));
    // SAFETY: it is null or what `add` stored, which lives until the context is destroyed, when nobody may use it any more.
    match unsafe { entry.as_ref() } {
        Some(entry) => entry,
        None if ctx.is_null() => report::end(routine, "argument ctx: SHMEM_CTX_INVALID is no context"),
        None => report::end(routine, &format!("argument ctx: {ctx:p} is no context, or one that was destroyed")),
    }
}

/// A context other than the default one, which is `None`.
pub(crate) fn other(routine: &'static str, ctx: Ctx) -> Option<&'static Context> {
    (ctx.addr() != DEFAULT).then(|| &entry(routine, ctx).context)
}

/// Makes a handle; `None` if there are as many contexts as can be.
pub(crate) fn add(entry: Entry) -> Option<Ctx> {
    let entry = Box::into_raw(Box::new(entry));
    for (place, slot) in CONTEXTS.iter().enumerate() {
        // SYNC(capi-context) release: pairs with the acquire in `entry`.
        if slot.compare_exchange(null_mut(), entry, Ordering::Release, Ordering::Relaxed).is_ok() {
            return Some(std::ptr::without_provenance(FIRST + place));
        }
    }
    // SAFETY: it was made above, and nobody else has it.
    drop(unsafe { Box::from_raw(entry) });
    None
}

/// Undoes [`add`].
pub(crate) fn remove(routine: &'static str, ctx: Ctx) {
    entry(routine, ctx);
    // SYNC(capi-context) acquire: pairs with the release in `add`.
    let entry = CONTEXTS[ctx.addr() - FIRST].swap(null_mut(), Ordering::Acquire);
    if !entry.is_null() {
        // SAFETY: `add` made it from a box, and the swap gave it to this caller alone.
        drop(unsafe { Box::from_raw(entry) });
    }
}
