//! Triggers: operations that run when their counter reaches a threshold. [`cushmem_protocol::trigger`] has the
//! protocol.

use crate::command::post_named;
use crate::fail::fail;
use crate::recorded::{Begun, NO_PE};
use crate::{Atomic, Block, Ctx, DevPtr, Scope, Word, arch, bulk};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{
    CommandKind, DevicePrepared, DeviceTrigger, ErrorCode, KernelOperation, TriggerRecord, TriggeredKind,
};
use cushmem_protocol::trigger::{self, EVERY, GaveUp, Lane};

impl Ctx {
    /// Bumps a trigger with the lanes of `scope`, like [`Scope::trigger`], on this context. The context's quiet waits
    /// for what the CPU carries out for the kernel. The quiet of [`Ctx::DEFAULT`] does so only in jobs in which not all
    /// PEs are mapped.
    ///
    /// # Safety
    /// The conditions of [`Scope::trigger`].
    #[inline(always)]
    pub unsafe fn trigger<S: Scope>(&self, scope: S, trigger: DeviceTrigger, n: u64) {
        let from = Begun::of(scope);
        // SAFETY: the caller guarantees that the trigger exists until the kernel has ended, and what it names with it.
        unsafe { bump_and_run(self.number(), scope, trigger, n) };
        from.end(KernelOperation::Trigger, NO_PE, 0, 0);
    }

    /// Bumps a trigger, like [`grid_trigger`], on this context.
    ///
    /// # Safety
    /// The conditions of [`grid_trigger`].
    #[inline(always)]
    pub unsafe fn grid_trigger(&self, trigger: DeviceTrigger, n: u64) {
        let mut last = false;
        Block.sync();
        if Block.lane() == 0 {
            let arrived = Words::of(trigger).word(offset_of!(TriggerRecord, arrived));
            let (x, y, z) = (arch::grid_dim_x(), arch::grid_dim_y(), arch::grid_dim_z());
            let blocks = u64::from(x) * u64::from(y) * u64::from(z);
            // SAFETY: a word of the trigger, which the caller guarantees to be valid. Each block orders what it wrote
            // before its arrival, and the last one finds it.
            unsafe {
                last = arch::atom_add_acq_rel_gpu_u64(arrived.raw(), 1) + 1 == blocks;
                if last {
                    // For the next time; the blocks synchronise before that.
                    u64::store_relaxed_sys(arrived, 0);
                }
            }
        }
        if Block.any(last) {
            // SAFETY: the caller guarantees that the trigger exists until the kernel has ended, and what it names with
            // it.
            unsafe { self.trigger(Block, trigger, n) };
        }
    }
}

/// Bumps a trigger once all blocks of the grid have called this function; all lanes of all blocks do so, with the same
/// arguments. The block that calls last adds `n`, as [`Scope::trigger`] does, and runs the operation if it is then due.
/// No block waits for others. Before a kernel calls it again for the same trigger, its blocks must synchronise. Two
/// grids must not use it for the same trigger at the same time.
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
/// The conditions of [`Scope::trigger`].
#[inline(always)]
pub unsafe fn grid_trigger(trigger: DeviceTrigger, n: u64) {
    // SAFETY: the caller guarantees that the trigger exists until the kernel has ended, and what it names with it.
    unsafe { Ctx::DEFAULT.grid_trigger(trigger, n) }
}

const ARMED: usize = offset_of!(TriggerRecord, armed);
const COUNT: usize = offset_of!(TriggerRecord, count);

/// A trigger as a lane accesses it.
struct Words {
    record: DevPtr<TriggerRecord>,
    /// [`TriggerRecord::EACH`], [`TriggerRecord::BY_CPU`], [`TriggerRecord::ALWAYS`].
    each: bool,
    by_cpu: bool,
    always: bool,
    /// Whether this lane has executed a system-scope fence after the addition.
    has_fenced: Cell<bool>,
    since: Cell<u64>,
}

/// What a scope needs to carry out the operation. Nobody changes it while kernels know the trigger.
struct Fixed {
    what: u64,
    value: u64,
    dst: u64,
    src: u64,
    bytes: u64,
    signal: u64,
    name: u64,
}

impl Fixed {
    #[inline(always)]
    const fn kind(&self) -> u32 {
        self.what as u32
    }
    #[inline(always)]
    const fn is(&self, flag: u32) -> bool {
        self.what & (flag as u64) << 32 != 0
    }
}

impl Words {
    #[inline(always)]
    fn of(trigger: DeviceTrigger) -> Self {
        let is = |bit| trigger.number() & bit != 0;
        Self {
            record: DevPtr::from_address(trigger.number() & !(align_of::<TriggerRecord>() as u64 - 1)),
            each: is(TriggerRecord::EACH),
            by_cpu: is(TriggerRecord::BY_CPU),
            always: is(TriggerRecord::ALWAYS),
            has_fenced: Cell::new(false),
            since: Cell::new(0),
        }
    }
    #[inline(always)]
    fn word(&self, offset: usize) -> DevPtr<u64> {
        self.record.cast::<u64>().byte_offset(offset as isize)
    }
    /// A word that nobody changes while kernels know the trigger.
    #[inline(always)]
    fn constant(&self, offset: usize) -> u64 {
        // SAFETY: a word of the record.
        unsafe { arch::ld_weak_u64(self.word(offset).raw()) }
    }
    #[inline(always)]
    fn armed(&self) -> u64 {
        // SAFETY: a word of the record. SYNC(trigger-armed) acquire.sys: pairs with the copy that arms; what the CPU
        // wrote before it, and what earlier epochs did, comes first.
        unsafe { u64::load_acquire_sys(self.word(ARMED)) }
    }
    /// Four loads that are under way at the same time.
    #[inline(always)]
    fn fixed(&self) -> Fixed {
        // SAFETY: words of the record, in pairs that are aligned to 16 bytes.
        let pair = |offset| unsafe { arch::ld_weak_v2_u64(self.word(offset).cast().raw()) };
        let [what, value] = pair(offset_of!(TriggerRecord, kind));
        let [dst, src] = pair(offset_of!(TriggerRecord, dst));
        let [bytes, signal] = pair(offset_of!(TriggerRecord, bytes));
        let name = self.constant(offset_of!(TriggerRecord, name));
        Fixed { what, value, dst, src, bytes, signal, name }
    }
}

impl Lane for Words {
    #[inline(always)]
    fn each(&self) -> bool {
        self.each
    }
    #[inline(always)]
    fn threshold(&self) -> u64 {
        self.constant(offset_of!(TriggerRecord, threshold))
    }
    #[inline(always)]
    fn always(&self) -> bool {
        self.always
    }
    #[inline(always)]
    fn add(&self, n: u64) -> u64 {
        // SAFETY: a word of the record.
        // SYNC(trigger-count) release.gpu: what the lanes of this scope wrote comes first.
        // SYNC(trigger-count) acquire.gpu: the lane that crosses the threshold finds what the lanes of all bumps wrote.
        unsafe { arch::atom_add_acq_rel_gpu_u64(self.word(COUNT).raw(), n) }
    }
    #[inline(always)]
    fn count(&self, n: u64) {
        // SAFETY: a word of the record.
        unsafe { arch::red_add_relaxed_sys_u64(self.word(COUNT).raw(), n) };
    }
    #[inline(always)]
    fn add_and_look(&self, n: u64) -> (u64, u64) {
        let count = self.word(COUNT).raw();
        // Both accesses are in each branch, so that nothing waits for the sum in between.
        // SAFETY: words of the record.
        unsafe {
            if self.by_cpu && self.each {
                // System scope: otherwise the compiler would move the addition out of both branches and wait for it.
                let found = (arch::atom_add_relaxed_sys_u64(count, n), u64::load_relaxed_sys(self.word(ARMED)));
                // SYNC(trigger-armed) acquire fence: pairs with the copy that arms. It also serves as the release of
                // the command, and is under way together with both accesses.
                arch::fence_acq_rel_sys();
                self.has_fenced.set(true);
                found
            } else if self.each {
                (arch::atom_add_relaxed_gpu_u64(count, n), self.armed())
            } else {
                (self.add(n), self.armed())
            }
        }
    }
    #[inline(always)]
    fn look_again(&self) -> u64 {
        // SYNC(trigger-armed) sc: pairs with the copies of the CPU, each of which is complete before the next: it arms
        // or cancels, and then loads the count.
        arch::fence_sc_sys();
        self.has_fenced.set(true);
        self.armed()
    }
    #[inline(always)]
    fn ran(&self) -> u64 {
        // SAFETY: a word of the record.
        unsafe { u64::load_relaxed_sys(self.word(offset_of!(TriggerRecord, ran))) }
    }
    #[inline(always)]
    fn left(&self) -> u64 {
        // SAFETY: a word of the record.
        // SYNC(trigger-left) acquire.sys: pairs with the fence in `raise_left`.
        unsafe { u64::load_acquire_sys(self.word(offset_of!(TriggerRecord, left))) }
    }
    #[inline(always)]
    fn raise_ran(&self, epoch: u64) {
        // SAFETY: a word of the record.
        unsafe { arch::red_max_relaxed_sys_u64(self.word(offset_of!(TriggerRecord, ran)).raw(), epoch) }
    }
    #[inline(always)]
    fn raise_left(&self, epoch: u64) {
        // SYNC(trigger-left) release fence: pairs with the acquire in `left`, and with copies of the CPU. What the
        // lanes wrote and `ran` come first.
        arch::fence_acq_rel_sys();
        // SAFETY: a word of the record.
        unsafe { arch::red_max_relaxed_sys_u64(self.word(offset_of!(TriggerRecord, left)).raw(), epoch) }
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

/// Bumps, and runs what is due, with the lanes of a scope. It is a call because each bump of a kernel would otherwise
/// contain the code of every operation.
#[inline(never)]
unsafe fn bump_and_run<S: Scope>(context: u32, scope: S, trigger: DeviceTrigger, n: u64) {
    let words = Words::of(trigger);
    // Under way while the lanes synchronise and one of them bumps.
    let fixed = words.fixed();
    // What the other lanes wrote comes before the bump by this one.
    scope.sync();
    let due = if scope.lane() == 0 { bump(context, &words, &fixed, false, n) } else { None };
    // For some triggers all lanes know it.
    let is_due = if words.each && words.always { n > 0 && !words.by_cpu } else { scope.any(due.is_some()) };
    if !is_due {
        return;
    }
    if fixed.kind() == TriggeredKind::Trigger as u32 {
        // SAFETY: the caller guarantees that the trigger exists until the kernel has ended, and what it names with it.
        return unsafe { follow(context, scope, trigger, due.unwrap_or(0)) };
    }
    // SAFETY: the CPU has checked what it described, and the caller guarantees that it is valid.
    unsafe { run(scope, fixed.what, fixed.value, fixed.dst, fixed.src, fixed.bytes, fixed.signal) };
    completed(&words, due);
}

/// Follows a chain from a trigger that is due; lane 0 knows the `epoch`. It is a call so that the loop costs nothing
/// where there is no chain.
#[cold]
#[inline(never)]
unsafe fn follow<S: Scope>(context: u32, scope: S, trigger: DeviceTrigger, epoch: u64) {
    let mut words = Words::of(trigger);
    let mut fixed = words.fixed();
    let mut due = (scope.lane() == 0).then_some(epoch);
    while fixed.kind() == TriggeredKind::Trigger as u32 {
        let next = Words::of(DeviceTrigger::of_number(fixed.dst));
        fixed = next.fixed();
        if due.is_some() {
            // Before the CPU may consider this one complete.
            let then = bump(context, &next, &fixed, true, 1);
            completed(&words, due);
            due = then;
        }
        words = next;
        if !scope.any(due.is_some()) {
            return;
        }
    }
    // SAFETY: the CPU has checked what the last trigger of the chain does, and the caller guarantees that it is valid.
    unsafe { run(scope, fixed.what, fixed.value, fixed.dst, fixed.src, fixed.bytes, fixed.signal) };
    completed(&words, due);
}

/// Bumps, by one lane. Returns the epoch whose operation the lanes of its scope carry out. If they cannot reach the
/// memory, the CPU is asked instead.
#[inline(always)]
fn bump(context: u32, words: &Words, fixed: &Fixed, linked: bool, n: u64) -> Option<u64> {
    let bumped = trigger::bump(words, n);
    // After the addition, which would otherwise wait for the record: on a mismatch the kernel ends anyway.
    if fixed.is(TriggerRecord::LINKED) != linked {
        fail(ErrorCode::Trigger, arch::context_my_pe(), 0, 0);
    }
    let epoch = match bumped {
        Ok(epoch) => epoch?,
        Err(GaveUp) => fail(ErrorCode::Trigger, arch::context_my_pe(), 0, arch::context_wait_limit_ns()),
    };
    if words.by_cpu {
        let name = DevicePrepared { index: fixed.name as u32, generation: (fixed.name >> 32) as u32 };
        if !words.has_fenced.get() {
            // SYNC(command-ring) release fence: what the lanes wrote comes before the command.
            arch::fence_acq_rel_sys();
        }
        post_named(CommandKind::Fire, context, name, epoch, false);
        return None;
    }
    Some(epoch)
}

/// Records that the operation has run. For a trigger that is armed permanently nothing is recorded.
#[inline(always)]
fn completed(words: &Words, epoch: Option<u64>) {
    if let Some(epoch) = epoch.filter(|epoch| *epoch != EVERY) {
        let completed = words.word(offset_of!(TriggerRecord, completed));
        // In GPU memory: a store to host memory takes so long that the lane's next fence would wait for it.
        // SAFETY: a word of the record.
        // SYNC(trigger-completed) release.sys: pairs with copies of the CPU, which finds complete what ran.
        unsafe { arch::st_release_sys_u64(completed.raw(), epoch) };
    }
}

const PUT_THEN_SET: u32 = TriggeredKind::PutThenSet as u32;
const PUT_THEN_ADD: u32 = TriggeredKind::PutThenAdd as u32;
const SET: u32 = TriggeredKind::Set as u32;
const ADD: u32 = TriggeredKind::Add as u32;
const AND: u32 = TriggeredKind::And as u32;
const OR: u32 = TriggeredKind::Or as u32;

/// Runs an operation that is not [`TriggerRecord::BY_CPU`], with the contents of [`Fixed`] in registers. All lanes have
/// synchronised since the bump.
///
/// # Safety
/// What it names is valid.
#[inline(never)]
unsafe fn run<S: Scope>(scope: S, what: u64, value: u64, dst: u64, src: u64, bytes: u64, signal: u64) {
    let fixed = Fixed { what, value, dst, src, bytes, signal, name: 0 };
    let dst = DevPtr::<u8>::from_address(dst);
    if fixed.kind() > PUT_THEN_ADD {
        if scope.lane() == 0 {
            // SAFETY: the caller guarantees that the word at `dst` is valid, and the CPU has checked its alignment.
            unsafe {
                if fixed.is(TriggerRecord::HALF) {
                    change::<u32>(fixed.kind(), dst.cast(), value as u32);
                } else {
                    change::<u64>(fixed.kind(), dst.cast(), value);
                }
            }
        }
        return;
    }
    if bytes > 0 {
        // SAFETY: the caller guarantees that both ranges are valid for `bytes` bytes.
        unsafe { bulk::copy_from_here(scope, dst, DevPtr::from_address(src), bytes as usize) };
        scope.sync();
    }
    if scope.lane() == 0 {
        let signal = DevPtr::<u64>::from_address(signal).raw();
        // SAFETY: the caller guarantees that the signal's word is valid, and the CPU has checked its alignment.
        // SYNC(signal) release.sys: pairs with the acquire loads of `signal_fetch` and `wait_until`; orders the data
        // before the signal. The barriers of the scope make it cumulative over what the other lanes stored.
        unsafe {
            match fixed.kind() {
                PUT_THEN_SET => arch::st_release_sys_u64(signal, value),
                PUT_THEN_ADD => arch::red_add_release_sys_u64(signal, value),
                _ => {}
            }
        }
    }
}

/// # Safety
/// `word` is a valid, aligned word.
#[inline(always)]
unsafe fn change<T: Atomic>(kind: u32, word: DevPtr<T>, value: T) {
    // SAFETY: the caller guarantees that `word` is valid and aligned.
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
