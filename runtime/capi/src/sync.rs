//! Order and barriers.

use crate::context::{self, Ctx};
use crate::report;
use crate::state::job;
use cushmem::Result;
use std::ffi::c_int;

/// The routines of order with and without a context.
macro_rules! order {
    ($name:literal, |$job:ident, $context:ident| $all:expr, $one:expr) => {
        one_form! { ($name) routine: () {
            let $job = job(routine);
            done(routine, $all);
        } }
        one_form! { ("ctx_", $name) routine: (ctx: Ctx) {
            let $job = job(routine);
            match context::other(routine, ctx) {
                Some($context) => done(routine, $one),
                None => done(routine, $all),
            }
        } }
    };
}
order!("fence", |job, context| job.fence(), context.fence(job));
order!("quiet", |job, context| job.quiet(), context.quiet(job));

one_form! { ("pe_quiet") routine: (target_pes: *const c_int, npes: usize) {
    // SAFETY: passed on.
    unsafe { pe_quiet(routine, target_pes, npes, |pe| pe.cast_unsigned()) }
} }

one_form! { ("ctx_pe_quiet") routine: (ctx: Ctx, target_pes: *const c_int, npes: usize) {
    // SAFETY: passed on.
    unsafe { pe_quiet(routine, target_pes, npes, |pe| context::world_pe(routine, ctx, pe)) }
} }

/// Completes more than the operations towards these PEs, which costs nothing here.
///
/// # Safety
/// `target_pes` is valid for `npes` elements.
unsafe fn pe_quiet(routine: &'static str, target_pes: *const c_int, npes: usize, world_pe: impl Fn(c_int) -> u32) {
    let job = job(routine);
    if npes > 0 && target_pes.is_null() {
        report::end(routine, "argument target_pes: NULL is no memory");
    }
    for at in 0..npes {
        // SAFETY: passed on.
        let pe = unsafe { target_pes.add(at).read() };
        if world_pe(pe) >= job.n_pes() {
            report::end(routine, &format!("argument target_pes: element {at} is {pe}, not in 0..{}", job.n_pes()));
        }
    }
    if npes > 0 {
        done(routine, job.quiet());
    }
}

one_form! { ("barrier_all") routine: () {
    done(routine, job(routine).barrier_all());
} }

one_form! { ("sync_all") routine: () {
    done(routine, job(routine).sync_all());
} }

#[inline]
fn done(routine: &'static str, result: Result<()>) {
    if let Err(error) = result {
        report::end(routine, &error.to_string());
    }
}
