//! Triggers: an operation that runs when its counter comes to a threshold. [`cushmem_protocol::trigger`] has the protocol.

use crate::command::post_named;
use crate::fail::fail;
use crate::{Atomic, Block, Ctx, DevPtr, Need, Scope, SignalOp, Word, arch, bulk, peer, signal};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{CommandKind, DevicePrepared, ErrorCode, TriggerRecord, TriggeredKind};
use cushmem_protocol::trigger::{Crossing, EVERY, Lane, bump, settle};

/// A trigger, which the CPU made (`shmemx_trigger_create`), as a parameter of kernels. Lanes bump it with [`Scope::trigger`].
/// [`Scope::trigger`] has an example.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceTrigger(DevPtr<TriggerRecord>);

impl DeviceTrigger {
    /// The trigger whose record is there.
    #[doc(hidden)]
    pub const fn at(record: DevPtr<TriggerRecord>) -> Self {
        Self(record)
    }

    /// The same value as a number, for lists of triggers in GPU memory.
    pub fn address(self) -> u64 {
        self.0.address()
    }
}

impl Ctx {
    /// [`Scope::trigger`] by the lanes of `scope` on this context: its quiet waits for what the CPU carries out for the kernel.
    ///
    /// # Safety
    /// As for [`Scope::trigger`].
    #[inline(always)]
    pub unsafe fn trigger<S: Scope>(&self, scope: S, trigger: DeviceTrigger, n: u64) {
        // SAFETY: the caller vouches for the trigger.
        unsafe { bump_and_run(self.number(), scope, trigger.0, n) }
    }

    /// [`grid_trigger`] on this context.
    ///
    /// # Safety
    /// As for [`grid_trigger`].
    #[inline(always)]
    pub unsafe fn grid_trigger(&self, trigger: DeviceTrigger, n: u64) {
        let mut last = false;
        Block.sync();
        if Block.lane() == 0 {
            let arrived = word(trigger.0, offset_of!(TriggerRecord, arrived));
            let (x, y, z) = (arch::grid_dim_x(), arch::grid_dim_y(), arch::grid_dim_z());
            let blocks = u64::from(x) * u64::from(y) * u64::from(z);
            // SAFETY: a word of the trigger, for which the caller vouches. Each block orders what it wrote before its arrival, and the last one finds it.
            unsafe {
                last = arch::atom_add_acq_rel_gpu_u64(arrived.raw(), 1) + 1 == blocks;
                if last {
                    // For the next time, before which the blocks meet.
                    u64::store_relaxed_sys(arrived, 0);
                }
            }
        }
        if Block.any(last) {
            // SAFETY: the caller vouches for the trigger.
            unsafe { self.trigger(Block, trigger, n) };
        }
    }
}

/// Bumps a trigger once all blocks of the grid have called it; all lanes of all blocks do, with the same arguments. The block that comes last bumps by `n`, as
/// by [`Scope::trigger`], and runs the operation if that is due. No block waits for others. Before a kernel calls it again for the same trigger, its blocks meet.
///
/// ```
/// use cushmem_device::{Block, DevPtr, DeviceTrigger, Scope, block_idx_x, grid_trigger, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Blocks of any size and number. Each fills its part of what the trigger puts; the put begins when all have done so.
///     pub unsafe fn produce(outbox: DevPtr<u32>, put: DeviceTrigger) {
///         let i = block_idx_x() as usize * Block.lanes() + Block.lane();
///         outbox.add(i).write(i as u32);
///         grid_trigger(put, 1);
///     }
/// }
/// ```
///
/// # Safety
/// As for [`Scope::trigger`].
#[inline(always)]
pub unsafe fn grid_trigger(trigger: DeviceTrigger, n: u64) {
    // SAFETY: the caller vouches for the trigger.
    unsafe { Ctx::DEFAULT.grid_trigger(trigger, n) }
}

#[inline(always)]
fn word(record: DevPtr<TriggerRecord>, offset: usize) -> DevPtr<u64> {
    record.cast::<u64>().byte_offset(offset as isize)
}

/// A trigger, as a lane reaches it.
struct Words {
    record: DevPtr<TriggerRecord>,
    since: Cell<u64>,
}

impl Words {
    #[inline(always)]
    const fn of(record: DevPtr<TriggerRecord>) -> Self {
        Self { record, since: Cell::new(0) }
    }
    #[inline(always)]
    fn word(&self, offset: usize) -> DevPtr<u64> {
        word(self.record, offset)
    }
    /// A word that nobody changes while kernels know the trigger.
    #[inline(always)]
    fn fixed(&self, offset: usize) -> u64 {
        // SAFETY: a word of the record.
        unsafe { arch::ld_weak_u64(self.word(offset).raw()) }
    }
    #[inline(always)]
    fn half(&self, offset: usize) -> u32 {
        // SAFETY: half a word of the record.
        unsafe { arch::ld_weak_u32(self.record.cast::<u32>().byte_offset(offset as isize).raw()) }
    }
    #[inline(always)]
    fn is(&self, flag: u32) -> bool {
        self.half(offset_of!(TriggerRecord, flags)) & flag != 0
    }
}

impl Lane for Words {
    #[inline(always)]
    fn add(&self, n: u64) -> u64 {
        // SYNC(trigger-count) release fence: pairs with those in `acquire` and `fence` of the lane that crosses the threshold.
        arch::fence_acq_rel_gpu();
        // SAFETY: a word of the record.
        unsafe { arch::atom_add_relaxed_gpu_u64(self.word(offset_of!(TriggerRecord, count)).raw(), n) }
    }
    #[inline(always)]
    fn acquire(&self) {
        // SYNC(trigger-count) acquire fence: pairs with that in `add` of all lanes that have bumped.
        arch::fence_acq_rel_gpu();
    }
    #[inline(always)]
    fn fence(&self) {
        // SYNC(trigger-count) acquire fence, and more: as in `acquire`.
        arch::fence_sc_sys();
    }
    #[inline(always)]
    fn armed(&self) -> u64 {
        // SAFETY: a word of the record.
        unsafe { u64::load_relaxed_sys(self.word(offset_of!(TriggerRecord, armed))) }
    }
    #[inline(always)]
    fn decided(&self) -> u64 {
        // SAFETY: a word of the record.
        // SYNC(trigger-decided) acquire.sys: pairs with the fence in `raise_decided`.
        unsafe { u64::load_acquire_sys(self.word(offset_of!(TriggerRecord, decided))) }
    }
    #[inline(always)]
    fn raise_ran(&self, epoch: u64) {
        // SAFETY: a word of the record.
        unsafe { arch::red_max_relaxed_sys_u64(self.word(offset_of!(TriggerRecord, ran)).raw(), epoch) }
    }
    #[inline(always)]
    fn raise_decided(&self, epoch: u64) {
        // SYNC(trigger-decided) release fence: pairs with the acquire in `decided`, and with copies of the CPU. What ran, what the lanes wrote and `ran` come first.
        arch::fence_acq_rel_sys();
        // SAFETY: a word of the record.
        unsafe { arch::red_max_relaxed_sys_u64(self.word(offset_of!(TriggerRecord, decided)).raw(), epoch) }
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        arch::pause();
        let (now, limit) = (arch::globaltimer(), arch::context_wait_limit_ns());
        if self.since.get() == 0 {
            self.since.set(now);
        }
        limit == 0 || now.wrapping_sub(self.since.get()) <= limit
    }
}

/// Bumps, and runs what is due, with the lanes of a scope. A call, as a kernel that bumps would otherwise hold the code of every operation.
#[inline(never)]
unsafe fn bump_and_run<S: Scope>(context: u32, scope: S, record: DevPtr<TriggerRecord>, n: u64) {
    // What the other lanes wrote comes before the bump of this one.
    scope.sync();
    let mut words = Words::of(record);
    let mut due = None;
    if scope.lane() == 0 {
        if words.is(TriggerRecord::LINKED) {
            fail(ErrorCode::Trigger, arch::context_my_pe(), 0, 0);
        }
        due = bumped(context, &words, n);
    }
    while scope.any(due.is_some()) {
        let kind = words.half(offset_of!(TriggerRecord, kind));
        if kind == TriggeredKind::Trigger as u32 {
            let next = Words::of(DevPtr::from_address(words.fixed(offset_of!(TriggerRecord, dst))));
            if let Some(crossing) = due {
                // Before the CPU may believe that this one is complete.
                due = bumped(context, &next, 1);
                completed(&words, &crossing);
            }
            words = next;
        } else {
            // SAFETY: the CPU has checked what it described, and the caller vouches that it is valid.
            unsafe { run(scope, &words, kind) };
            if let Some(crossing) = due {
                completed(&words, &crossing);
            }
            return;
        }
    }
}

/// Bumps by one lane; returns what the scope has to run, with its lanes.
#[inline(always)]
fn bumped(context: u32, words: &Words, n: u64) -> Option<Crossing> {
    let crossing = bump(words, words.fixed(offset_of!(TriggerRecord, threshold)), n)?;
    if crossing.runs.is_some() && is_direct(words) {
        return Some(crossing);
    }
    leave(context, words.record, &crossing);
    None
}

/// What a lane does that has crossed a threshold, and runs nothing itself.
#[inline(always)]
fn leave(context: u32, record: DevPtr<TriggerRecord>, crossing: &Crossing) {
    let words = Words::of(record);
    decide(&words, crossing);
    if let Some(epoch) = crossing.runs {
        // After the decision: when the operation is complete, the CPU arms the next epoch.
        let index = words.half(offset_of!(TriggerRecord, name) + offset_of!(DevicePrepared, index));
        let generation = words.half(offset_of!(TriggerRecord, name) + offset_of!(DevicePrepared, generation));
        post_named(CommandKind::Fire, context, DevicePrepared { index, generation }, epoch, false);
    }
}

#[inline(always)]
fn decide(words: &Words, crossing: &Crossing) {
    if settle(words, crossing).is_none() {
        fail(ErrorCode::Trigger, arch::context_my_pe(), 0, arch::context_wait_limit_ns());
    }
}

/// The operation has run.
#[inline(always)]
fn completed(words: &Words, crossing: &Crossing) {
    decide(words, crossing);
    if let Some(epoch) = crossing.runs.filter(|epoch| *epoch != EVERY) {
        let word = DevPtr::from_address(words.fixed(offset_of!(TriggerRecord, completed)));
        // SAFETY: a word of the library's own host memory.
        // SYNC(trigger-completed) behind the fence of `raise_decided`: pairs with the acquire on the CPU, which finds complete what ran.
        unsafe { u64::store_relaxed_sys(word, epoch) };
    }
}

/// Whether this GPU reaches all that the operation changes.
#[inline(always)]
fn is_direct(words: &Words) -> bool {
    let (kind, pe) = (words.half(offset_of!(TriggerRecord, kind)), words.half(offset_of!(TriggerRecord, pe)));
    if kind == TriggeredKind::Trigger as u32 {
        return true;
    }
    let reaches = |offset, need| peer::find(DevPtr::<u8>::from_address(words.fixed(offset)), pe, need).is_some();
    let (dst, signal) = (offset_of!(TriggerRecord, dst), offset_of!(TriggerRecord, signal));
    let copied = || words.fixed(offset_of!(TriggerRecord, bytes)) == 0 || reaches(dst, Need::LoadStore);
    !words.is(TriggerRecord::BY_PROXY)
        && match kind {
            PUT => copied(),
            PUT_THEN_SET => copied() && reaches(signal, Need::LoadStore),
            PUT_THEN_ADD => copied() && reaches(signal, Need::Atomic),
            SET => reaches(dst, Need::LoadStore),
            _ => reaches(dst, Need::Atomic),
        }
}

const PUT: u32 = TriggeredKind::Put as u32;
const PUT_THEN_SET: u32 = TriggeredKind::PutThenSet as u32;
const PUT_THEN_ADD: u32 = TriggeredKind::PutThenAdd as u32;
const SET: u32 = TriggeredKind::Set as u32;
const ADD: u32 = TriggeredKind::Add as u32;
const AND: u32 = TriggeredKind::And as u32;
const OR: u32 = TriggeredKind::Or as u32;

/// Runs an operation that [`is_direct`]. All lanes have met after the bump.
///
/// # Safety
/// What it names is valid.
#[inline(always)]
unsafe fn run<S: Scope>(scope: S, words: &Words, kind: u32) {
    let pe = words.half(offset_of!(TriggerRecord, pe));
    let dst = DevPtr::<u8>::from_address(words.fixed(offset_of!(TriggerRecord, dst)));
    let value = words.fixed(offset_of!(TriggerRecord, value));
    if kind <= PUT_THEN_ADD {
        let bytes = words.fixed(offset_of!(TriggerRecord, bytes)) as usize;
        let src = DevPtr::from_address(words.fixed(offset_of!(TriggerRecord, src)));
        if bytes > 0 {
            // SAFETY: the caller vouches for both ranges.
            unsafe { bulk::copy_from_here(scope, peer::direct(dst, pe, Need::LoadStore), src, bytes) };
        }
        scope.sync();
        if kind != PUT && scope.lane() == 0 {
            let word = DevPtr::from_address(words.fixed(offset_of!(TriggerRecord, signal)));
            let op = if kind == PUT_THEN_SET { SignalOp::Set } else { SignalOp::Add };
            // SAFETY: the caller vouches for the word.
            unsafe { signal::update_behind::<false>(&Ctx::DEFAULT, word, value, op, pe) };
        }
    } else if scope.lane() == 0 {
        // SAFETY: the caller vouches for the word.
        unsafe {
            match words.half(offset_of!(TriggerRecord, width)) {
                8 => change::<u64>(kind, dst.cast(), value, pe),
                _ => change::<u32>(kind, dst.cast(), value as u32, pe),
            }
        }
    }
}

/// # Safety
/// `word` is a symmetric, aligned word.
#[inline(always)]
unsafe fn change<T: Atomic>(kind: u32, word: DevPtr<T>, value: T, pe: u32) {
    let need = if kind == SET { Need::LoadStore } else { Need::Atomic };
    let word = peer::direct(word, pe, need);
    // SAFETY: the caller vouches for the word, which is at that address on `pe`.
    unsafe {
        match kind {
            SET => T::store_relaxed_sys(word, value),
            ADD => T::add_relaxed_sys(word, value),
            AND => T::and_relaxed_sys(word, value),
            OR => T::or_relaxed_sys(word, value),
            _ => T::xor_relaxed_sys(word, value),
        }
    }
}
