//! Puts with a task: the data go to another PE, and then a function of the program runs there on the GPU, without that
//! PE's CPU. [`cushmem_protocol::tasks`] has the protocol.
//!
//! *What is ordered with what*: the lanes of a scope store the data and meet, and one lane then stores the slot and
//! releases its `ready`. If the CPU carries the data, it also carries the slot and `ready`, as commands of the same
//! context, of which the last is a signal behind the others. At the target, lane `l` of the first warp acquires
//! `ready`, and the block meets before the function reads the data. When the function has returned on all lanes, the
//! block meets, and one lane executes [`Ctx::fence`] before it signals. So whoever sees the signal sees what the
//! function stored, wherever that was.

use crate::fail::fail;
use crate::{Block, Ctx, DevPtr, Need, Scope, SharedPtr, SignalOp, Thread, Warp, Word, arch, far, my_pe, n_pes, peer};
use crate::{signal, wait};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{
    DeviceTaskQueue, ErrorCode, TASK_ARGUMENTS, TaskArea, TaskBuffer, TaskCounter, TaskHead, TaskReports, TaskSender,
    TaskSlot,
};
use cushmem_protocol::tasks::{self, Putting, Taking, WORDS};

/// A function that [`tasks!`](crate::tasks) declared.
/// [`tasks!`](crate::tasks) has an example.
pub trait TaskFunction: Copy {
    /// What the function gets besides the task, as a tuple of up to six [`Word`]s.
    type Args: TaskArgs;
    /// The function's number: its place in `tasks!`.
    const NUMBER: u32;

    /// Describes a call of the function, for [`Scope::put_task`]. Without [`TaskCall::at`] it has no data.
    #[inline(always)]
    fn call(self, args: Self::Args) -> TaskCall {
        TaskCall {
            function: Self::NUMBER,
            buffer: None,
            offset: 0,
            arguments: args.to_words(),
            done: DevPtr::from_address(0),
            value: 0,
            signal: 0,
        }
    }
}

/// Arguments of a task: a tuple of up to six [`Word`]s.
pub trait TaskArgs: Copy {
    /// Returns them as words.
    fn to_words(self) -> [u64; TASK_ARGUMENTS];
    /// Undoes [`TaskArgs::to_words`].
    fn of_words(words: [u64; TASK_ARGUMENTS]) -> Self;
}

macro_rules! tuples { ($($name:ident $at:tt)*) => { tuples!(@ [] $($name $at)*); };
    (@ [$($have:ident $i:tt)*] $next:ident $at:tt $($rest:tt)*) => {
        tuples!(= $($have $i)*); tuples!(@ [$($have $i)* $next $at] $($rest)*);
    };
    (@ [$($have:ident $i:tt)*]) => { tuples!(= $($have $i)*); };
    (= $($name:ident $i:tt)*) => {
        impl<$($name: Word),*> TaskArgs for ($($name,)*) {
            #[inline(always)]
            #[allow(unused_mut)]
            fn to_words(self) -> [u64; TASK_ARGUMENTS] {
                let mut words = [0; TASK_ARGUMENTS];
                $(words[$i] = self.$i.to_command();)*
                words
            }
            #[inline(always)]
            #[allow(clippy::unused_unit)]
            fn of_words(_words: [u64; TASK_ARGUMENTS]) -> Self {
                ($($name::of_command(_words[$i]),)*)
            }
        }
    };
}
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 }

/// A call of a task's function: which one, its arguments, where its data go, and what is signalled when it has
/// returned. [`Scope::put_task`] has an example.
#[derive(Clone, Copy, Debug)]
pub struct TaskCall {
    function: u32,
    buffer: Option<u32>,
    offset: u64,
    arguments: [u64; TASK_ARGUMENTS],
    done: DevPtr<u64>,
    value: u64,
    /// As in a [`TaskHead`].
    signal: u8,
}

impl TaskCall {
    /// Has the data put into a buffer of the queue, `offset` bytes behind its start.
    #[inline(always)]
    pub fn at(self, buffer: u32, offset: u64) -> Self {
        Self { buffer: Some(buffer), offset, ..self }
    }

    /// Has the signal `sig` of the PE that puts the task updated once the function has returned and all that it did is
    /// visible. `sig` is symmetric.
    #[inline(always)]
    pub fn then(self, sig: DevPtr<u64>, value: u64, op: SignalOp) -> Self {
        Self { done: sig, value, signal: op as u8 + 1, ..self }
    }

    /// The function's number.
    #[doc(hidden)]
    pub fn function(&self) -> u32 {
        self.function
    }

    /// The buffer and the offset in it.
    #[doc(hidden)]
    pub fn target(&self) -> (Option<u32>, u64) {
        (self.buffer, self.offset)
    }

    /// The signal, if there is one.
    #[doc(hidden)]
    pub fn done(&self) -> Option<DevPtr<u64>> {
        (self.signal != 0).then_some(self.done)
    }

    /// The words of the slot behind `ready`. `done` is where the signal lies in its segment.
    #[doc(hidden)]
    #[inline(always)]
    pub fn words(&self, pe: u32, bytes: u64, done: u64) -> [u64; WORDS] {
        let buffer = self.buffer.unwrap_or(0) as u16;
        let head = TaskHead { function: self.function as u16, buffer, pe, signal: self.signal };
        let [a, b, c, d, e, f] = self.arguments;
        [head.bits(), self.offset, bytes, done, self.value, a, b, c, d, e, f]
    }
}

/// A task that an executor runs: where its data are, and who put it.
/// [`tasks!`](crate::tasks) has an example.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    queue: DeviceTaskQueue,
    pe: u32,
    address: u64,
    bytes: u64,
}

impl Task {
    /// Returns the PE that put the task.
    #[inline(always)]
    pub fn pe(&self) -> u32 {
        self.pe
    }

    /// Returns where the data are, in this PE's part of the buffer.
    #[inline(always)]
    pub fn data<T>(&self) -> DevPtr<T> {
        DevPtr::from_address(self.address)
    }

    /// Returns how many elements of this type the data have.
    #[inline(always)]
    pub fn len<T>(&self) -> usize {
        self.bytes as usize / size_of::<T>()
    }

    /// Returns whether the task has no data.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Returns this PE's part of a buffer of the queue. A number without a buffer ends the kernel with a message.
    #[inline(always)]
    pub fn buffer<T>(&self, buffer: u32) -> DevPtr<T> {
        DevPtr::from_address(range(self.queue, buffer, 0, 0))
    }

    /// Returns the queue, to put tasks from this one.
    #[inline(always)]
    pub fn queue(&self) -> DeviceTaskQueue {
        self.queue
    }
}

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
        let bytes = n * size_of::<T>();
        check(queue, &call, bytes as u64, pe);
        if let Some(buffer) = call.buffer {
            let dst = DevPtr::from_address(range(queue, buffer, call.offset, bytes as u64));
            // SAFETY: the range is inside the buffer; the caller guarantees the rest. The lanes meet behind it.
            unsafe { self.put(scope, dst, src, n, pe) };
        } else {
            scope.sync();
        }
        if scope.lane() == 0 {
            send(self, queue, pe, call.words(my_pe(), bytes as u64, place_of(call.done.address())));
        }
        scope.sync();
    }
}

/// Ends the kernel if nobody can carry out the task.
#[inline(always)]
fn check(queue: DeviceTaskQueue, call: &TaskCall, bytes: u64, pe: u32) {
    let functions = word(queue, offset_of!(TaskArea, functions));
    if pe >= n_pes() {
        fail(ErrorCode::PeOutOfRange, pe, my_pe().into(), n_pes().into());
    }
    if u64::from(call.function) >= functions {
        fail(ErrorCode::NoTask, pe, call.function.into(), functions);
    }
    if call.buffer.is_none() && bytes != 0 {
        fail(ErrorCode::NoTaskBuffer, pe, u64::MAX, bytes);
    }
    if call.signal != 0 && !peer::is_symmetric(call.done.address()) {
        fail(ErrorCode::NotSymmetric, my_pe(), call.done.address(), n_pes().into());
    }
}

/// The address of a range in a buffer, on this PE. Ends the kernel if it is not inside one.
#[inline(always)]
fn range(queue: DeviceTaskQueue, buffer: u32, offset: u64, bytes: u64) -> u64 {
    let at = TaskArea::buffer(n_pes(), buffer) as usize;
    let known =
        if (buffer as usize) < cushmem_abi::TASK_BUFFERS { word(queue, at + offset_of!(TaskBuffer, bytes)) } else { 0 };
    if known == 0 {
        fail(ErrorCode::NoTaskBuffer, my_pe(), buffer.into(), bytes);
    }
    let end = offset.saturating_add(bytes);
    if end > known {
        fail(ErrorCode::OutsideTaskBuffer, my_pe(), end, known);
    }
    word(queue, at + offset_of!(TaskBuffer, address)) + offset
}

/// A word of the queue's area.
#[inline(always)]
fn word(queue: DeviceTaskQueue, at: usize) -> u64 {
    // SAFETY: the area lives as long as kernels know the queue, and `at` is inside it.
    unsafe { u64::load_relaxed_sys(DevPtr::from_address(queue.address() + at as u64)) }
}

/// Where a symmetric object lies, in a form that all PEs understand.
#[inline(always)]
fn place_of(address: u64) -> u64 {
    TaskSlot::place(arch::context_host(), arch::context_gpu(), arch::context_my_place(), address)
}

/// Undoes [`place_of`], on any PE.
#[inline(always)]
fn of_place(object: u64) -> DevPtr<u64> {
    let place = arch::context_my_place();
    DevPtr::from_address(TaskSlot::address(arch::context_host(), arch::context_gpu(), place, object))
}

/// Puts the words of a task into a slot of a PE, from a lane with which all others of its scope have synchronised. It
/// is a call, so that the put of the data needs no registers for it.
#[inline(never)]
fn send<T: Word + Into<u64>>(ctx: &Ctx, queue: DeviceTaskQueue, pe: u32, words: [T; WORDS]) {
    let words = words.map(Into::into);
    let per_row = word(queue, offset_of!(TaskArea, per_row));
    let row = TaskArea::row(my_pe());
    let putter = Putter {
        per_row,
        sender: DevPtr::from_address(queue.address() + TaskArea::sender(pe)),
        taken: DevPtr::from_address(word(queue, offset_of!(TaskArea, taken)) + row * size_of::<TaskCounter>() as u64),
        pe,
        looks: Cell::new(0),
        since: Cell::new(0),
    };
    let Some(ticket) = tasks::claim(&putter) else {
        fail(ErrorCode::TaskQueueFull, pe, per_row, wait::wait_limit_ns());
    };
    let slot = row * per_row + (ticket & (per_row - 1));
    let slot = word(queue, offset_of!(TaskArea, slots)) + slot * size_of::<TaskSlot>() as u64;
    let (ready, body) = (DevPtr::<u64>::from_address(slot), DevPtr::<u64>::from_address(slot + 8));
    if far::is_needed(ready, pe) {
        // SAFETY: the slot is this lane's, and the source is on its stack. The signal comes behind the commands for
        // the data and the words.
        unsafe {
            ctx.put(Thread, body, DevPtr::from_raw(words.as_ptr().cast_mut()), WORDS, pe);
            signal::update_behind::<true>(ctx, ready, tasks::ready(ticket), SignalOp::Set, pe);
        }
        return;
    }
    let there = peer::direct(ready, pe, Need::LoadStore);
    let mut i = 0;
    while i < WORDS {
        // SAFETY: the slot is this lane's.
        unsafe { u64::store_relaxed_sys(there.add(1 + i), words[i]) };
        i += 1;
    }
    // SAFETY: as above.
    // SYNC(task) release.sys: pairs with the acquire of `ready` by the executor. The data, whose lanes this one has
    // synchronised with, and the words come first.
    unsafe { arch::st_release_sys_u64(there.raw(), tasks::ready(ticket)) };
}

/// A row as a lane accesses it that puts a task.
struct Putter {
    per_row: u64,
    sender: DevPtr<TaskSender>,
    taken: DevPtr<u64>,
    pe: u32,
    looks: Cell<u32>,
    since: Cell<u64>,
}

impl Putter {
    #[inline(always)]
    fn field(&self, offset: usize) -> DevPtr<u64> {
        self.sender.cast().byte_offset(offset as isize)
    }
}

impl Putting for Putter {
    #[inline(always)]
    fn slots(&self) -> u64 {
        self.per_row
    }
    #[inline(always)]
    fn take_ticket(&self) -> u64 {
        // SAFETY: the word is in the queue's area.
        unsafe { arch::atom_add_relaxed_gpu_u64(self.field(offset_of!(TaskSender, tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn taken_seen(&self) -> u64 {
        // SAFETY: the word is in the queue's area, and changes only by atomic operations.
        // SYNC(task-seen) acquire: pairs with the fence in `look_at_taken`.
        unsafe { u64::load_acquire_sys(self.field(offset_of!(TaskSender, taken_seen))) }
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
        let looks = self.looks.get();
        self.looks.set(looks.wrapping_add(1));
        // Reading the clock is slow.
        if looks.is_multiple_of(64) {
            let now = arch::globaltimer();
            if self.since.get() == 0 {
                self.since.set(now);
            }
            return now.wrapping_sub(self.since.get()) <= wait::wait_limit_ns();
        }
        true
    }
}

/// A row as a lane of an executor accesses it.
#[derive(Clone, Copy)]
struct Row {
    per_row: u64,
    slots: DevPtr<TaskSlot>,
    taken: DevPtr<u64>,
}

impl Row {
    #[inline(always)]
    fn word(&self, slot: u64, at: usize) -> DevPtr<u64> {
        self.slots.add(slot as usize).cast().byte_offset(at as isize)
    }
}

impl Taking for Row {
    #[inline(always)]
    fn slots(&self) -> u64 {
        self.per_row
    }
    #[inline(always)]
    fn ready(&self, slot: u64) -> u64 {
        // SAFETY: a word of the queue. SYNC(task) acquire.sys: pairs with the release in `send`, and with the signal
        // of a put.
        unsafe { u64::load_acquire_sys(self.word(slot, offset_of!(TaskSlot, ready))) }
    }
    #[inline(always)]
    fn words(&self, slot: u64) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let mut i = 0;
        while i < WORDS {
            // SAFETY: a word of the queue.
            words[i] = unsafe { u64::load_relaxed_sys(self.word(slot, offset_of!(TaskSlot, head) + 8 * i)) };
            i += 1;
        }
        words
    }
    #[inline(always)]
    fn taken(&self) -> u64 {
        // SAFETY: a word of the queue.
        unsafe { u64::load_relaxed_sys(self.taken) }
    }
    #[inline(always)]
    fn take(&self, ticket: u64) -> u64 {
        // SAFETY: a word of the queue. SYNC(task-taken) release.sys: pairs with the acquire in `look_at_taken`, and
        // with the CPU's; the reads of the words come first.
        unsafe { arch::atom_cas_release_sys_u64(self.taken.raw(), ticket, ticket + 1) }
    }
}

/// Words of shared memory that an executor needs: [`WORDS`] of a task, and whether there is one.
#[doc(hidden)]
pub const EXECUTOR_WORDS: usize = WORDS + 1;

/// Polls between two looks at the clock.
const LOOKS: u32 = 64;

/// The body of an executor: takes tasks and calls `run` for each, with all lanes of a block, which has whole warps.
/// Ends between two tasks once `longest_ns` have passed, or, if that is 0, as soon as there are none. `launch` is the
/// number of the launch.
///
/// # Safety
/// The queue exists until the kernel has ended. `shared` are [`EXECUTOR_WORDS`] of this block's shared memory.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn run_tasks(
    queue: DeviceTaskQueue,
    launch: u64,
    longest_ns: u64,
    shared: SharedPtr<u64>,
    run: impl Fn(u32, Task, [u64; TASK_ARGUMENTS]),
) {
    let reports = word(queue, offset_of!(TaskArea, reports));
    let report = |at: usize, value: u64| {
        // SAFETY: the word is in host memory that stays pinned until the kernel has ended.
        unsafe { u64::store_relaxed_sys(DevPtr::from_address(reports + at as u64), value) };
    };
    let running = offset_of!(TaskReports, running) + 8 * arch::block_idx_x() as usize;
    let start = arch::globaltimer();
    let mut search = Search { next: 0, turn: 0, start, longest_ns };
    loop {
        if Block.lane() < 32 {
            search.find(queue, shared);
        }
        Block.sync();
        // SAFETY: the caller guarantees the memory; a lane of the first warp has written it before the block met.
        let words: [u64; EXECUTOR_WORDS] = core::array::from_fn(|i| unsafe { shared.add(i).read() });
        if words[0] == 0 {
            break;
        }
        let head = TaskHead::of_bits(words[1]);
        if Block.lane() == 0 {
            report(running, TaskHead { signal: TaskReports::RUNS, ..head }.bits());
        }
        let address = if words[3] == 0 { 0 } else { range(queue, head.buffer.into(), words[2], words[3]) };
        let task = Task { queue, pe: head.pe, address, bytes: words[3] };
        run(head.function.into(), task, core::array::from_fn(|i| words[6 + i]));
        // The lanes have read the shared words, and what they did comes before the signal.
        Block.sync();
        if Block.lane() == 0 {
            report(running, 0);
            if head.signal != 0 {
                // SYNC(signal) release fence and more: pairs with the acquire of whoever waits for the signal.
                Ctx::DEFAULT.fence();
                let op = if head.signal == SignalOp::Set as u8 + 1 { SignalOp::Set } else { SignalOp::Add };
                // SAFETY: whoever put the task guarantees that the signal is symmetric.
                unsafe { Ctx::DEFAULT.signal_op(of_place(words[4]), words[5], op, head.pe) };
            }
        }
    }
    if Block.lane() == 0 && arch::block_idx_x() == 0 {
        report(offset_of!(TaskReports, ended), launch);
    }
}

/// How the first warp of a block looks for tasks.
struct Search {
    /// This lane's guess of `taken` of its first row.
    next: u64,
    /// The lane whose rows come first.
    turn: u32,
    start: u64,
    longest_ns: u64,
}

impl Search {
    /// Looks until one of the warp's lanes has taken a task, which it leaves in shared memory behind a 1, or it is time
    /// to end, for which it leaves a 0.
    #[inline(always)]
    fn find(&mut self, queue: DeviceTaskQueue, shared: SharedPtr<u64>) {
        let per_row = word(queue, offset_of!(TaskArea, per_row));
        let slots = word(queue, offset_of!(TaskArea, slots));
        let taken = word(queue, offset_of!(TaskArea, taken));
        let (rows, lane) = (2 * u64::from(n_pes()), arch::lane_id());
        let row = |number: u64| Row {
            per_row,
            slots: DevPtr::from_address(slots + number * per_row * size_of::<TaskSlot>() as u64),
            taken: DevPtr::from_address(taken + number * size_of::<TaskCounter>() as u64),
        };
        let mut looks = 0u32;
        let found = loop {
            // This lane's first row in which a task has come.
            let mut number = u64::from(lane);
            let mut next = self.next;
            let mut has_come = number < rows && tasks::has_come(&row(number), next);
            while !has_come && number + 32 < rows {
                number += 32;
                next = row(number).taken();
                has_come = tasks::has_come(&row(number), next);
            }
            let lanes = arch::ballot(u32::MAX, has_come);
            if lanes != 0 {
                // In turn, so that no PE waits for others for ever.
                let chosen = (lanes.rotate_right(self.turn).trailing_zeros() + self.turn) % 32;
                let mut is_taken = false;
                if lane == chosen
                    && let Some(words) = tasks::take(&row(number), &mut next)
                {
                    is_taken = true;
                    let mut i = 0;
                    while i < WORDS {
                        // SAFETY: the caller guarantees the memory, and no other lane accesses it now.
                        unsafe { shared.add(1 + i).write(words[i]) };
                        i += 1;
                    }
                }
                if number == u64::from(lane) {
                    self.next = next;
                }
                self.turn = (chosen + 1) % 32;
                if arch::ballot(u32::MAX, is_taken) != 0 {
                    break true;
                }
            } else if self.longest_ns == 0 {
                break false;
            }
            looks = looks.wrapping_add(1);
            let is_late = looks.is_multiple_of(LOOKS)
                && self.longest_ns != 0
                && arch::globaltimer().wrapping_sub(self.start) > self.longest_ns;
            if arch::ballot(u32::MAX, is_late) != 0 {
                break false;
            }
            arch::pause_among_blocks();
        };
        if lane == 0 {
            // SAFETY: as above.
            unsafe { shared.write(found.into()) };
        }
        Warp.sync();
    }
}

/// Declares functions that run when a put brings a task for them, on the GPU of the PE to which it goes; use it once per
/// crate, in a module that [`kernels!`](crate::kernels) names. All lanes of a block call the function. Its first
/// parameter is the [`Task`](crate::Task); up to six further ones are [`Word`](crate::Word)s that came with the task.
/// On the host and in kernels, each name is a value, from which [`TaskFunction::call`](crate::TaskFunction::call) makes
/// what [`Scope::put_task`](crate::Scope::put_task) puts. The constant `TASKS` stands for all of them.
///
/// A function may put and put tasks itself. But it must not wait for another task of the same queue: all blocks of the
/// executor might wait so.
///
/// ```
/// use cushmem_device::{Block, Scope, Task, tasks};
/// # macro_rules! tasks { ($($task:item)*) => { $(#[expect(unsafe_op_in_unsafe_fn)] $task)* } }
///
/// tasks! {
///     /// Adds the numbers that came to those of a buffer, from element `first` on.
///     pub unsafe fn add(task: Task, buffer: u32, first: u64) {
///         let (sums, numbers) = (task.buffer::<i64>(buffer).add(first as usize), task.data::<i64>());
///         let mut i = Block.lane();
///         while i < task.len::<i64>() {
///             sums.add(i).write(sums.add(i).read() + numbers.add(i).read());
///             i += Block.lanes();
///         }
///     }
/// }
/// ```
#[macro_export]
macro_rules! tasks {
    ($( $(#[$meta:meta])* pub unsafe fn $name:ident ( $task:ident : Task $(, $arg:ident : $ty:ty)* $(,)? ) $body:block )*) => {
        mod task_bodies {
            #[allow(unused_imports)]
            use super::*;
            $(
                #[inline(always)]
                #[allow(unsafe_op_in_unsafe_fn, clippy::too_many_arguments)]
                pub(super) unsafe fn $name($task: $crate::Task $(, $arg: $ty)*) $body
            )*
        }
        #[allow(non_camel_case_types)]
        enum TaskNumber { $($name),* }
        $(
            $(#[$meta])*
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl $crate::TaskFunction for $name {
                type Args = ($($ty,)*);
                const NUMBER: u32 = TaskNumber::$name as u32;
            }
        )*
        $crate::shared! {
            static TASK_WORDS: [u64; $crate::EXECUTOR_WORDS];
        }
        $crate::kernels_of_module! {
            /// Runs tasks: launched by the library.
            pub unsafe fn cushmem_run_tasks(queue: $crate::DeviceTaskQueue, launch: u64, longest_ns: u64) {
                let run = |function: u32, task: $crate::Task, words| {
                    $(
                        if function == <$name as $crate::TaskFunction>::NUMBER {
                            let ($($arg,)*) = <($($ty,)*) as $crate::TaskArgs>::of_words(words);
                            return unsafe { task_bodies::$name(task $(, $arg)*) };
                        }
                    )*
                };
                $crate::run_tasks(queue, launch, longest_ns, TASK_WORDS.ptr(), run);
            }
        }
        /// The functions of [`tasks!`](cushmem_device::tasks), in order.
        #[cfg(not(target_arch = "nvptx64"))]
        pub static TASKS: $crate::TaskTable = $crate::TaskTable { names: &[$(stringify!($name)),*] };
    };
}

/// What [`tasks!`](crate::tasks) has declared.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct TaskTable {
    /// The functions' names, in order.
    pub names: &'static [&'static str],
}
