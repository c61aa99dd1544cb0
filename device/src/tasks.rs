//! Puts with a task: the data go to another PE, and then a function of the program runs there on the GPU, without that
//! PE's CPU. [`cushmem_protocol::tasks`] has the protocol.
//!
//! *What is ordered with what*: the lanes of a scope store the data and meet, and one lane then stores the slot and
//! releases its `ready`. If the CPU carries the data or the slot, it also carries the other and `ready`, as commands of
//! the same context, of which the last is a signal behind the others: a slot in host memory can be mapped where the
//! data are not. Where all PEs are mapped, one lane puts up to [`TASK_INLINE_WORDS`] words of data itself, inline in
//! the slot, and nothing is ordered: the executor stores them in the buffer. At the target, lane `l` of the first warp
//! acquires `ready`, and the block meets before the function reads the data. When the function has returned on all
//! lanes, the block meets, and one lane executes [`Ctx::fence`] of the default context before it signals. So whoever
//! sees the signal sees what the function stored, and what it put on that context. A function completes what it puts on
//! another.

use crate::fail::fail;
use crate::recorded::Begun;
use crate::wait::{self, Polls, REPORT_AFTER_NS};
use crate::{Block, Ctx, DevPtr, Need, Scope, SignalOp, TaskCall, Word, arch, far, my_pe, n_pes, peer, report, signal};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{
    CommandKind, DeviceTaskQueue, ErrorCode, KernelOperation, Segment, TASK_INLINE_WORDS, TaskArea, TaskBuffer,
    TaskCounter, TaskHead, TaskInline, TaskSender, TaskSlot, TaskWords,
};
use cushmem_protocol::tasks::{self, INLINE, Putting, WORDS};

const _: () = assert!(TASK_INLINE_WORDS == tasks::INLINE_WORDS);

impl Ctx {
    /// Puts data and a task with the lanes of `scope`, like [`Scope::put_task`], on this context.
    ///
    /// # Safety
    /// The conditions of [`Scope::put_task`].
    #[inline(always)]
    pub unsafe fn put_task<S: Scope, T: Copy>(
        &self,
        scope: S,
        queue: DeviceTaskQueue,
        call: TaskCall,
        src: DevPtr<T>,
        n: usize,
        pe: u32,
    ) {
        let bytes = (n * size_of::<T>()) as u64;
        let (dst, is_inline) = check(queue, &call, src.address(), bytes, pe);
        let from = Begun::of(scope);
        if is_inline {
            scope.sync();
            if scope.lane() == 0 {
                let [data, done] = [place_of(dst), place_of(call.done.address())];
                let [head, data, bytes, done, value, a, b, c, d, e, f] = call.words(my_pe(), (data, bytes), done);
                send_inline(queue, pe, src.address(), head, data, bytes, done, value, a, b, c, d, e, f);
            }
            scope.sync();
            return from.end(KernelOperation::PutTask, pe, bytes as usize, 0);
        }
        // While the data are on their way. A long put would hold up the tasks of other lanes behind it, and lanes that
        // come late would too: they may wait for one of those tasks.
        let is_early = bytes <= TICKET_FIRST && !arch::far();
        if is_early {
            scope.sync();
        }
        let is_early = is_early && scope.lane() == 0;
        let ticket = if is_early { take_ticket(queue, pe) } else { NO_TICKET };
        let mut by_cpu = false;
        if call.buffer.is_some() {
            let dst = DevPtr::from_address(dst);
            by_cpu = far::is_needed(dst, pe);
            // SAFETY: the range is inside the buffer; the caller guarantees the rest. The lanes meet behind it.
            unsafe { self.put_plain(scope, dst, src, n, pe) };
        } else {
            scope.sync();
        }
        if scope.lane() == 0 {
            let [data, done] = [place_of(dst), place_of(call.done.address())];
            let [head, data, bytes, done, value, a, b, c, d, e, f] = call.words(my_pe(), (data, bytes), done);
            send(self.number(), queue, pe, by_cpu, ticket, head, data, bytes, done, value, a, b, c, d, e, f);
        }
        scope.sync();
        from.end(KernelOperation::PutTask, pe, bytes as usize, 0);
    }
}

/// Puts a task that the CPU has checked, with the lanes of a block, for a stream. With `carries`, it first puts the
/// data, which are at `src`; otherwise what the stream did before has put them.
///
/// # Safety
/// The conditions of [`Scope::put_task`].
#[doc(hidden)]
#[inline(always)]
pub unsafe fn put_checked_task(queue: DeviceTaskQueue, words: TaskWords, src: DevPtr<u8>, carries: bool, pe: u32) {
    let TaskWords { head, data, bytes, done, value, arguments: [a, b, c, d, e, f] } = words;
    if arch::far() || !carries {
        // Whoever takes the task sees what the stream did before, by whatever engine.
        Ctx::DEFAULT.fence();
    }
    let mut by_cpu = false;
    if carries {
        let dst = of_place(data);
        by_cpu = far::is_needed(dst, pe);
        // SAFETY: the CPU has checked the range; the caller guarantees the rest. The lanes meet behind it.
        unsafe { Ctx::DEFAULT.put(Block, dst.cast(), src, bytes as usize, pe) };
    }
    if Block.lane() == 0 {
        send(Ctx::DEFAULT.number(), queue, pe, by_cpu, NO_TICKET, head, data, bytes, done, value, a, b, c, d, e, f);
    }
}

/// The most bytes of data for which a lane takes its ticket before it puts them.
const TICKET_FIRST: u64 = 4096;
/// A lane that has no ticket yet.
const NO_TICKET: u64 = u64::MAX;

/// The address of the task's data on this PE, or 0 if it has no buffer, and whether the data travel in the slot. Ends
/// the kernel if nobody can carry out the task.
#[inline(always)]
pub(crate) fn check(queue: DeviceTaskQueue, call: &TaskCall, src: u64, bytes: u64, pe: u32) -> (u64, bool) {
    // At once, because each takes as long as a look at memory.
    let [functions, inline] = [offset_of!(TaskArea, functions), offset_of!(TaskArea, inline)].map(|at| word(queue, at));
    let found = call.buffer.map(|buffer| (buffer, find_buffer(queue, buffer)));
    if pe >= n_pes() {
        fail(ErrorCode::PeOutOfRange, pe, my_pe().into(), n_pes().into());
    }
    if u64::from(call.function) >= functions {
        fail(ErrorCode::NoTask, pe, call.function.into(), functions);
    }
    if call.buffer.is_none() && bytes != 0 {
        fail(ErrorCode::NoTaskBuffer, pe, u64::MAX, bytes);
    }
    let (done, is_symmetric) = (call.done.address(), peer::is_symmetric(call.done.address()));
    if call.signal != 0 && !(is_symmetric && done.is_multiple_of(8)) {
        let code = if is_symmetric { ErrorCode::TaskSignal } else { ErrorCode::NotSymmetric };
        fail(code, my_pe(), done, n_pes().into());
    }
    if call.signal == SignalOp::Add as u8 + 1
        && peer::segment_of(done) == Segment::Gpu
        && peer::find_at_once(call.done, pe, Need::Atomic).is_none()
        && peer::ptr(call.done, pe).is_some()
    {
        // Nor do that GPU's atomics reach this one: links are alike in both directions.
        peer::refuse(done, pe, Need::Atomic);
    }
    let dst = found.map_or(0, |(buffer, found)| within(buffer, found, call.offset, bytes));
    let fits = bytes != 0 && bytes <= 8 * TASK_INLINE_WORDS as u64 && (dst | src | bytes).is_multiple_of(8);
    (dst, !arch::far() && inline != 0 && fits)
}

/// Where a buffer is on this PE, and its bytes: 0 if there is none with this number.
#[inline(always)]
fn find_buffer(queue: DeviceTaskQueue, buffer: u32) -> (u64, u64) {
    let at = TaskArea::buffer(n_pes(), buffer) as usize;
    if (buffer as usize) < cushmem_abi::TASK_BUFFERS {
        (word(queue, at + offset_of!(TaskBuffer, address)), word(queue, at + offset_of!(TaskBuffer, bytes)))
    } else {
        (0, 0)
    }
}

/// The address of a buffer on this PE. Ends the kernel if there is none.
#[inline(always)]
pub(crate) fn buffer_address(queue: DeviceTaskQueue, buffer: u32) -> u64 {
    within(buffer, find_buffer(queue, buffer), 0, 0)
}

/// The address of a range in a buffer that was found. Ends the kernel if it is not inside.
#[inline(always)]
fn within(buffer: u32, (start, known): (u64, u64), offset: u64, bytes: u64) -> u64 {
    if known == 0 {
        fail(ErrorCode::NoTaskBuffer, my_pe(), buffer.into(), bytes);
    }
    let end = offset.saturating_add(bytes);
    if end > known {
        fail(ErrorCode::OutsideTaskBuffer, my_pe(), end, known);
    }
    start + offset
}

/// A word of the queue's area.
#[inline(always)]
pub(crate) fn word(queue: DeviceTaskQueue, at: usize) -> u64 {
    // SAFETY: the area lives as long as kernels know the queue, and `at` is inside it.
    unsafe { u64::load_relaxed_sys(DevPtr::from_address(queue.address() + at as u64)) }
}

/// Where a symmetric object lies, in a form that all PEs understand.
#[inline(always)]
pub(crate) fn place_of(address: u64) -> u64 {
    TaskSlot::place(arch::context_host(), arch::context_gpu(), arch::context_my_place(), address)
}

/// Undoes [`place_of`], on any PE.
#[inline(always)]
pub(crate) fn of_place(object: u64) -> DevPtr<u64> {
    let place = arch::context_my_place();
    DevPtr::from_address(TaskSlot::address(arch::context_host(), arch::context_gpu(), place, object))
}

/// Adds 1 to the tickets for a PE, and returns the previous value.
#[inline(always)]
pub(crate) fn take_ticket(queue: DeviceTaskQueue, pe: u32) -> u64 {
    let tickets = TaskArea::sender(pe) + offset_of!(TaskSender, tickets) as u64;
    // SAFETY: the word is in the queue's area.
    unsafe { arch::atom_add_relaxed_gpu_u64(DevPtr::from_address(queue.address() + tickets).raw(), 1) }
}

/// Puts the words of a task into a slot of a PE, from a lane with which all others of its scope have synchronised; with
/// `by_cpu`, the CPU carries the data. `ticket` can be [`NO_TICKET`]. It is a call, so that the put of the data needs no
/// registers for it. It takes numbers rather than an array, which would be in local memory, and is generic because it
/// would otherwise be compiled into each module.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn send<T: Word + Into<u64>>(
    context: u32,
    queue: DeviceTaskQueue,
    pe: u32,
    by_cpu: bool,
    ticket: u64,
    head: T,
    data: T,
    bytes: T,
    done: T,
    value: T,
    a: T,
    b: T,
    c: T,
    d: T,
    e: T,
    f: T,
) {
    let ticket = if ticket == NO_TICKET { take_ticket(queue, pe) } else { ticket };
    let Place { slot, ready, .. } = claim(queue, pe, ticket);
    let at = DevPtr::<u64>::from_address(slot);
    if (arch::far() && by_cpu) || far::is_needed(at, pe) {
        let ctx = Ctx::numbered(context);
        put_words(&ctx, slot, head, data, bytes, done, value, a, b, c, d, e, f, pe);
        // SAFETY: the slot is this lane's. The signal comes behind the commands for the data and the words, and behind
        // what the lanes have stored.
        unsafe { signal::update_behind::<true>(&ctx, at, ready, SignalOp::Set, pe) };
        return;
    }
    store_words(peer::direct(at, pe, Need::LoadStore), ready, head, data, bytes, done, value, a, b, c, d, e, f);
}

/// Puts a task whose data, at `src`, travel in the slot, like [`send`].
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn send_inline<T: Word + Into<u64>>(
    queue: DeviceTaskQueue,
    pe: u32,
    src: u64,
    head: T,
    data: T,
    bytes: T,
    done: T,
    value: T,
    a: T,
    b: T,
    c: T,
    d: T,
    e: T,
    f: T,
) {
    let ticket = take_ticket(queue, pe);
    let has = |i: usize| (i as u64) < bytes.into() / 8;
    // While the ticket is on its way. The places in the array are constants, so that it is in registers.
    let mut source = [0; TASK_INLINE_WORDS];
    let mut i = 0;
    while i < TASK_INLINE_WORDS {
        if has(i) {
            // SAFETY: the caller of `put_task` guarantees the source.
            source[i] = unsafe { DevPtr::<u64>::from_address(src).add(i).read() };
        }
        i += 1;
    }
    let Place { slot, ready, inline, mark, .. } = claim(queue, pe, ticket);
    let there = peer::direct(DevPtr::<u64>::from_address(inline), pe, Need::LoadStore);
    // Of the same object: to find it again would hold up the word that says that there is a task.
    let ready_there = there.byte_offset(slot.wrapping_sub(inline).cast_signed() as isize);
    let store = |at: usize, word: u64| {
        // SAFETY: the slot is this lane's.
        unsafe { arch::st_relaxed_sys_v2_u64(there.cast().add(at).raw(), tasks::halves(word, mark)) };
    };
    let head = TaskHead { is_inline: true, ..TaskHead::of_bits(head.into()) }.bits();
    let words = [data, bytes, done, value, a, b, c, d, e, f];
    let say = || {
        // SAFETY: `ready` is the first word of the slot, which is this lane's. SYNC(task) relaxed: words have marks.
        unsafe { u64::store_relaxed_sys(ready_there, ready | INLINE) };
    };
    // In any order. A GPU mostly keeps this one, and the emulation has `ready` come first.
    if cfg!(not(target_arch = "nvptx64")) {
        say();
        arch::pause_among_blocks();
    }
    let mut i = 0;
    while i < TASK_INLINE_WORDS {
        if has(i) {
            store(WORDS + i, source[i]);
        }
        i += 1;
    }
    store(0, head);
    let mut i = 0;
    while i < words.len() {
        store(1 + i, words[i].into());
        i += 1;
    }
    if cfg!(target_arch = "nvptx64") {
        say();
    }
}

/// The slot of a task on its way, on this PE, and what its `ready` becomes.
pub(crate) struct Place {
    pub(crate) slot: u64,
    pub(crate) ready: u64,
    /// Where its inline words are, and their mark.
    inline: u64,
    mark: u32,
}

/// Waits until there is a slot at a PE for a ticket, and [renews](tasks::renews) its inline words if it has to. The
/// ticket may be on its way.
#[inline(always)]
pub(crate) fn claim(queue: DeviceTaskQueue, pe: u32, ticket: u64) -> Place {
    // At once, because each takes as long as a look at memory.
    let [per_row, slots, taken, inline] = [
        offset_of!(TaskArea, per_row),
        offset_of!(TaskArea, slots),
        offset_of!(TaskArea, taken),
        offset_of!(TaskArea, inline),
    ]
    .map(|at| word(queue, at));
    let row = TaskArea::row(my_pe());
    let putter = Putter {
        per_row,
        sender: DevPtr::from_address(queue.address() + TaskArea::sender(pe)),
        taken: DevPtr::from_address(taken + row * size_of::<TaskCounter>() as u64),
        pe,
        polls: Polls::new(),
        seen: Cell::new(0),
        reports: Cell::new(false),
    };
    if tasks::await_slot(&putter, ticket).is_none() {
        fail(ErrorCode::TaskQueueFull, pe, per_row, wait::wait_limit_ns());
    }
    let at = ticket & (per_row - 1);
    let slot = slots + (row * per_row + at) * size_of::<TaskSlot>() as u64;
    let has_inline = inline != 0;
    let inline = inline + (row / 2 * per_row + at) * size_of::<TaskInline>() as u64;
    if let Some(mark) = tasks::renews(ticket, per_row)
        && !arch::far()
        && has_inline
    {
        renew(inline, mark, pe);
    }
    Place { slot, ready: tasks::ready(ticket), inline, mark: tasks::mark(ticket, per_row) }
}

/// Stores a mark in all inline words of a slot. It is generic because it would otherwise be compiled into each module.
#[cold]
#[inline(never)]
fn renew<T: Word + Into<u64>>(inline: T, mark: u32, pe: u32) {
    let there = peer::direct(DevPtr::<[u64; 2]>::from_address(inline.into()), pe, Need::LoadStore);
    let mut i = 0;
    while i < WORDS + TASK_INLINE_WORDS {
        // SAFETY: the slot is this lane's.
        unsafe { arch::st_relaxed_sys_v2_u64(there.add(i).raw(), tasks::halves(0, mark)) };
        i += 1;
    }
    // SYNC(task) release fence: pairs with the acquire of `ready` by the executor, so that what the next laps store
    // here comes later.
    arch::fence_acq_rel_sys();
}

/// Has the CPU put the words of a slot, all but its `ready`.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn put_words<T: Word + Into<u64>>(
    ctx: &Ctx,
    slot: u64,
    head: T,
    data: T,
    bytes: T,
    done: T,
    value: T,
    a: T,
    b: T,
    c: T,
    d: T,
    e: T,
    f: T,
    pe: u32,
) {
    /// How many words a command brings.
    const AT_ONCE: usize = 6;
    let (put, there) = (ctx.head::<()>(CommandKind::Put), slot + offset_of!(TaskSlot, head) as u64);
    far::put_words(put, pe, there, AT_ONCE as u32, head, data, bytes, done, value, a);
    far::put_words(put, pe, there + 8 * AT_ONCE as u64, (WORDS - AT_ONCE) as u32, b, c, d, e, f, f);
}

/// Stores the words of a slot, and then its `ready`. `there` is the slot on the other PE.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn store_words<T: Word + Into<u64>>(
    there: DevPtr<u64>,
    ready: u64,
    head: T,
    data: T,
    bytes: T,
    done: T,
    value: T,
    a: T,
    b: T,
    c: T,
    d: T,
    e: T,
    f: T,
) {
    let store = |at: usize, value: T| {
        // SAFETY: the slot is this lane's.
        unsafe { u64::store_relaxed_sys(there.add(at), value.into()) };
    };
    store(1, head);
    store(2, data);
    store(3, bytes);
    store(4, done);
    store(5, value);
    store(6, a);
    store(7, b);
    store(8, c);
    store(9, d);
    store(10, e);
    store(11, f);
    // SAFETY: `ready` is the first word of the slot, which is this lane's.
    // SYNC(task) release.sys: pairs with the acquire of `ready` by the executor. The data, whose lanes this one has
    // synchronised with, and the words come first.
    unsafe { arch::st_release_sys_u64(there.raw(), ready) };
}

/// A row as a lane accesses it that puts a task.
struct Putter {
    per_row: u64,
    sender: DevPtr<TaskSender>,
    taken: DevPtr<u64>,
    pe: u32,
    /// Since the wait began, or `taken` was first seen to be what it is.
    polls: Polls,
    /// What was last seen of `taken`.
    seen: Cell<u64>,
    /// Whether this lane holds the wait record.
    reports: Cell<bool>,
}

impl Putter {
    #[inline(always)]
    fn field(&self, offset: usize) -> DevPtr<u64> {
        self.sender.cast().byte_offset(offset as isize)
    }

    /// Notes what was seen of `taken`. As long as it changes, nobody is late.
    #[inline(always)]
    fn note(&self, taken: u64) -> u64 {
        if taken != self.seen.replace(taken) {
            self.polls.begin();
        }
        taken
    }
}

impl Drop for Putter {
    #[inline(always)]
    fn drop(&mut self) {
        if self.reports.get() {
            report::withdraw();
        }
    }
}

impl Putting for Putter {
    #[inline(always)]
    fn slots(&self) -> u64 {
        self.per_row
    }
    #[inline(always)]
    fn taken_seen(&self) -> u64 {
        // SAFETY: the word is in the queue's area, and changes only by atomic operations.
        // SYNC(task-seen) acquire: pairs with the fence in `look_at_taken`.
        self.note(unsafe { u64::load_acquire_sys(self.field(offset_of!(TaskSender, taken_seen))) })
    }
    #[inline(always)]
    fn look_at_taken(&self) -> u64 {
        let taken = if far::is_needed(self.taken, self.pe) {
            let taken = far::fetch(&Ctx::DEFAULT, self.taken, self.pe);
            // SYNC(task-taken) fence: pairs with the release by which the executor changes the word, and with that of
            // the reply on the CPU.
            arch::fence_acq_rel_sys();
            taken
        } else {
            // SAFETY: a symmetric word of the queue.
            // SYNC(task-taken) acquire.sys: pairs with the release by which the executor changes the word.
            unsafe { u64::load_acquire_sys(peer::direct(self.taken, self.pe, Need::LoadStore)) }
        };
        // SYNC(task-seen) release fence: pairs with the acquire in `taken_seen` of other lanes.
        arch::fence_acq_rel_gpu();
        // SAFETY: the word is in the queue's area.
        unsafe { arch::red_max_relaxed_gpu_u64(self.field(offset_of!(TaskSender, taken_seen)).raw(), taken) };
        taken
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        arch::pause_among_blocks();
        let Some(elapsed) = self.polls.count() else { return true };
        if elapsed > REPORT_AFTER_NS && !self.reports.get() {
            self.reports.set(report::write_task_room(self.taken, self.pe));
        }
        !self.polls.is_late(elapsed)
    }
}
