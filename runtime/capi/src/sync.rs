//! Memory ordering and barriers.

use crate::context::{self, Ctx};
use crate::report;
use crate::state::job;
use cushmem::Result;
use std::ffi::c_int;

/// The ordering routines, with and without a context.
macro_rules! order {
    ($name:literal, |$raw:ident| $complete:expr) => {
        one_form! { ($name) ROUTINE: () {
            let $raw = job(ROUTINE).raw();
            done(ROUTINE, $complete);
        } }
        one_form! { ("ctx_", $name) ROUTINE: (ctx: Ctx) {
            if nothing_on(ROUTINE, ctx) {
                return;
            }
            let $raw = context::on(ROUTINE, ctx);
            done(ROUTINE, $complete);
        } }
    };
}

/// As specified, no operation is performed on `SHMEM_CTX_INVALID`.
#[inline(always)]
fn nothing_on(routine: &'static str, ctx: Ctx) -> bool {
    job(routine);
    ctx.is_null()
}

order!("fence", |raw| raw.fence());
order!("quiet", |raw| raw.quiet());

one_form! { ("pe_quiet") ROUTINE: (target_pes: *const c_int, npes: usize) {
    // SAFETY: the caller guarantees the list of PEs.
    unsafe { pe_quiet(ROUTINE, context::DEFAULT_HANDLE, target_pes, npes) }
} }

one_form! { ("ctx_pe_quiet") ROUTINE: (ctx: Ctx, target_pes: *const c_int, npes: usize) {
    // SAFETY: the caller guarantees the list of PEs.
    unsafe { pe_quiet(ROUTINE, ctx, target_pes, npes) }
} }

/// Completes all operations and not only those to these PEs, which costs nothing more here.
///
/// # Safety
/// `target_pes` is valid for `npes` elements.
unsafe fn pe_quiet(routine: &'static str, ctx: Ctx, target_pes: *const c_int, npes: usize) {
    if nothing_on(routine, ctx) {
        return;
    }
    let job = job(routine);
    if npes > 0 && target_pes.is_null() {
        report::end(routine, "argument target_pes: NULL is not a valid address");
    }
    for at in 0..npes {
        // SAFETY: the caller guarantees the list of PEs.
        let pe = unsafe { target_pes.add(at).read() };
        if context::world_pe(routine, ctx, pe) >= job.n_pes() {
            let last = job.n_pes() - 1;
            report::end(routine, &format!("argument target_pes: element {at} is {pe}, out of range (0 to {last})"));
        }
    }
    if npes > 0 {
        done(routine, context::on(routine, ctx).quiet());
    }
}

one_form! { ("barrier_all") ROUTINE: () {
    done(ROUTINE, job(ROUTINE).barrier_all());
} }

one_form! { ("sync_all") ROUTINE: () {
    done(ROUTINE, job(ROUTINE).sync_all());
} }

#[inline]
fn done(routine: &'static str, result: Result<()>) {
    if let Err(error) = result {
        report::end(routine, &error.to_string());
    }
}
