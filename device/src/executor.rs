//! Executors: kernels that take tasks from a queue and run functions of the program for them. [`crate::tasks`] says how
//! tasks come and what is ordered with what.

use crate::tasks::{buffer_address, of_place, word};
use crate::warp::shfl_idx;
use crate::{Block, Ctx, DevPtr, Scope, SharedPtr, SignalOp, Warp, Word, arch, n_pes};
use core::mem::offset_of;
use cushmem_abi::{
    DeviceTaskQueue, TASK_ARGUMENTS, TASK_SHARED_WORDS, TaskArea, TaskCounter, TaskHead, TaskInline, TaskReports,
    TaskSlot,
};
use cushmem_protocol::tasks::{self, INLINE_WORDS, LOOKERS, Looking, Taking, WORDS};

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

    /// Returns where the data are, in this PE's part of the buffer; address 0 if there are none, also if the task names
    /// a buffer.
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
        DevPtr::from_address(buffer_address(self.queue, buffer))
    }

    /// Returns the queue, to put tasks from this one.
    #[inline(always)]
    pub fn queue(&self) -> DeviceTaskQueue {
        self.queue
    }
}

/// A row as a lane of an executor accesses it.
#[derive(Clone, Copy)]
struct Row {
    per_row: u64,
    slots: DevPtr<TaskSlot>,
    inline: DevPtr<TaskInline>,
    taken: DevPtr<u64>,
}

impl Row {
    #[inline(always)]
    fn word(&self, slot: u64, at: usize) -> DevPtr<u64> {
        self.slots.add(slot as usize).cast().byte_offset(at as isize)
    }

    /// This lane's word of a task that is inline, in halves. A lane beyond them gets what has no mark.
    #[inline(always)]
    fn halves(&self, ticket: u64) -> [u64; 2] {
        let lane = arch::lane_id() as usize;
        if lane >= WITH_DATA {
            return tasks::halves(0, !tasks::mark(ticket, self.per_row));
        }
        let halves = self.inline.add((ticket & (self.per_row - 1)) as usize).cast::<[u64; 2]>().add(lane);
        // SAFETY: two words of the queue, each accessed as a whole.
        unsafe { arch::ld_relaxed_sys_v2_u64(halves.raw()) }
    }

    /// Leaves the words of a task that is inline, and those of its data, in shared memory. Returns whether all have
    /// come. All lanes of the warp call it with their [`Row::halves`].
    #[inline(always)]
    fn keep(&self, ticket: u64, halves: [u64; 2], shared: SharedPtr<u64>) -> bool {
        let lane = arch::lane_id() as usize;
        let word = tasks::word_of(halves, tasks::mark(ticket, self.per_row));
        if lane < WITH_DATA {
            // SAFETY: the caller guarantees the memory, and no other lane accesses this word now.
            unsafe { shared.add(lane).write(word.unwrap_or(0)) };
        }
        let words = WORDS as u64 + shfl_idx(u32::MAX, word.unwrap_or(0), BYTES as u32) / 8;
        arch::ballot(u32::MAX, (lane as u64) < words && word.is_none()) == 0
    }
}

impl Looking for Row {
    #[inline(always)]
    fn slots(&self) -> u64 {
        self.per_row
    }
    #[inline(always)]
    fn ready(&self, slot: u64) -> u64 {
        // SAFETY: a word of the queue. SYNC(task) acquire.sys: pairs with the release in `store_words`, with the signal
        // of a put, and with the fence in `renew` or of the initiator.
        unsafe { u64::load_acquire_sys(self.word(slot, offset_of!(TaskSlot, ready))) }
    }
}

impl Taking for Row {
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
    fn release(&self) {
        // SYNC(task-taken) release fence: pairs with the acquire in `look_at_taken`, and with the CPU's; the warp has
        // met behind the reads of the words.
        arch::fence_acq_rel_sys();
    }
    #[inline(always)]
    fn take(&self, ticket: u64, n: u64) -> u64 {
        // SAFETY: a word of the queue.
        unsafe { arch::atom_cas_relaxed_sys_u64(self.taken.raw(), ticket, ticket + n) }
    }
    #[inline(always)]
    fn store_taken(&self, taken: u64) {
        // SAFETY: a word of the queue. SYNC(task-taken) release.sys: pairs with the acquire in `look_at_taken`, and
        // with the CPU's; the block has met behind the reads of the words.
        unsafe { arch::st_release_sys_u64(self.taken.raw(), taken) };
    }
}

/// In the shared memory of an executor's block, words of tasks are behind four others: how many the block has taken,
/// how many are before those, where their row's `taken` is, and what it becomes.
const FOUND: usize = 4;
/// The words of a task there, and of its data if they came inline.
const WITH_DATA: usize = WORDS + INLINE_WORDS;
const _: () = assert!(TASK_SHARED_WORDS == FOUND + LOOKERS as usize * WITH_DATA && WITH_DATA <= LOOKERS as usize);
const _: () = assert!(size_of::<[[u64; 2]; WITH_DATA]>() <= size_of::<TaskInline>());
/// Which word of a task has the bytes of its data.
const BYTES: usize = 2;

/// Polls between two looks at the clock, of which there is also one before a block takes tasks.
const LOOKS: u32 = 64;

/// The body of an executor: takes tasks and calls `run` for each, with all lanes of a block, which has whole warps.
/// `launch` is the number of the launch. A block ends
///
/// * once `longest_ns` have passed, unless that is 0, behind the tasks that it has taken;
/// * as soon as it finds none, if `longest_ns` is 0 or has [`TaskArea::UNTIL_NONE`], which is no part of the time.
///
/// # Safety
/// The queue exists until the kernel has ended. `shared` are [`TASK_SHARED_WORDS`] of this block's shared memory.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn run_tasks(
    queue: DeviceTaskQueue,
    launch: u64,
    longest_ns: u64,
    shared: SharedPtr<u64>,
    run: impl Fn(u32, Task, [u64; TASK_ARGUMENTS]),
) {
    // SAFETY: this function has the same requirements.
    let mut executor = unsafe { Executor::begin(queue, launch, longest_ns, shared) };
    while let Some((function, task, arguments)) = executor.find() {
        run(function, task, arguments);
        executor.end::<true>();
    }
}

/// What a lane of an executor knows between two tasks. [`run_tasks`] says how one proceeds, and so does the header of
/// CUDA C++, which calls [`Executor::find`] and [`Executor::end`] too.
pub(crate) struct Executor {
    queue: DeviceTaskQueue,
    launch: u64,
    shared: SharedPtr<u64>,
    /// In shared memory, the words of the task that is next or runs, and the end of those that the block has taken.
    at: usize,
    end: usize,
    search: Search,
}

impl Executor {
    /// # Safety
    /// The conditions of [`run_tasks`].
    #[inline(always)]
    pub(crate) unsafe fn begin(queue: DeviceTaskQueue, launch: u64, longest_ns: u64, shared: SharedPtr<u64>) -> Self {
        let mut search = Search {
            per_row: word(queue, offset_of!(TaskArea, per_row)),
            slots: word(queue, offset_of!(TaskArea, slots)),
            inline: word(queue, offset_of!(TaskArea, inline)),
            taken: word(queue, offset_of!(TaskArea, taken)),
            row: u64::from(arch::lane_id()),
            next: 0,
            turn: 0,
            start: arch::globaltimer(),
            longest_ns: longest_ns & !TaskArea::UNTIL_NONE,
            until_none: longest_ns == 0 || longest_ns & TaskArea::UNTIL_NONE != 0,
            is_late: false,
            reports: word(queue, offset_of!(TaskArea, reports)),
            noted: 0,
        };
        // Only the first warp looks.
        if Block.lane() < 32 && search.row < 2 * u64::from(n_pes()) {
            search.next = search.row_at(search.row).taken();
        }
        Self { queue, launch, shared, at: 1, end: 1, search }
    }

    /// Notes what this block runs. By lane 0, before any lane can fail.
    #[inline(always)]
    fn note_task(&mut self, at: usize) {
        // SAFETY: the caller of `begin` guarantees the memory. A lane of the first warp has written the word before the
        // warp met.
        let head = TaskHead::of_bits(unsafe { self.shared.add(at).read() });
        self.search.note(TaskHead { signal: TaskReports::RUNS, is_inline: false, ..head }.bits());
    }

    /// Where in shared memory the first task is that the block has taken.
    #[inline(always)]
    fn first(&self) -> usize {
        // SAFETY: the caller of `begin` guarantees the memory, and a lane of the first warp has written the word.
        FOUND + unsafe { self.shared.add(1).read() } as usize * WITH_DATA
    }

    /// The next task, with its function and arguments, once there is one; none if the block is to end. All lanes of the
    /// block call it.
    #[inline(always)]
    pub(crate) fn find(&mut self) -> Option<(u32, Task, [u64; TASK_ARGUMENTS])> {
        if self.at == self.end {
            if Block.lane() < 32 {
                let found = self.search.find(self.shared);
                if Block.lane() == 0 && found {
                    self.note_task(self.first());
                }
            }
            Block.sync();
            // SAFETY: the caller of `begin` guarantees the memory; a lane of the first warp has written the word before
            // the block met.
            let n = unsafe { self.shared.read() } as usize;
            if n == 0 {
                if Block.lane() == 0 {
                    self.search.note(0);
                    if self.search.is_late {
                        self.search.report(offset_of!(TaskReports, left), self.launch);
                    }
                    if arch::block_idx_x() == 0 {
                        self.search.report(offset_of!(TaskReports, ended), self.launch);
                    }
                }
                return None;
            }
            (self.at, self.end) = (self.first(), self.first() + n * WITH_DATA);
            // By the last warp: the others go on.
            if arch::grid_dim_x() == 1 && Block.lane() + 32 == Block.lanes() {
                // SAFETY: the caller of `begin` guarantees the memory; the first warp has written both words.
                let [taken, next] = [2, 3].map(|i| unsafe { self.shared.add(i).read() });
                Row { taken: DevPtr::from_address(taken), ..self.search.row_at(0) }.store_taken(next);
            }
        }
        // SAFETY: the caller of `begin` guarantees the memory, which has the words of the tasks up to `end`. The first
        // warp writes it again only when the block has met behind the last of them.
        let words: [u64; WORDS] = core::array::from_fn(|i| unsafe { self.shared.add(self.at + i).read() });
        let head = TaskHead::of_bits(words[0]);
        let (bytes, place) = (words[BYTES], of_place(words[1]));
        let address = if bytes == 0 { 0 } else { place.address() };
        if head.is_inline {
            let lane = Block.lane();
            if (lane as u64) < bytes / 8 {
                // SAFETY: the caller of `begin` guarantees the memory, which has the data behind the words. Whoever put
                // the task has checked the range of the buffer.
                unsafe { place.add(lane).write(self.shared.add(self.at + WORDS + lane).read()) };
            }
            Block.sync();
        }
        let task = Task { queue: self.queue, pe: head.pe, address, bytes };
        Some((head.function.into(), task, core::array::from_fn(|i| words[5 + i])))
    }

    /// Ends the task that [`Executor::find`] has returned: its function has returned on this lane. All lanes of the
    /// block call it. The signal is recorded if `RECORDS`.
    #[inline(always)]
    pub(crate) fn end<const RECORDS: bool>(&mut self) {
        // The lanes have read the shared words, and what they did comes before the signal.
        Block.sync();
        let at = self.at;
        self.at += WITH_DATA;
        let is_last = self.at == self.end;
        if Block.lane() == 0 {
            // SAFETY: the caller of `begin` guarantees the memory, which has the task's words until the first warp
            // meets again to look for tasks.
            let word = |i: usize| unsafe { self.shared.add(at + i).read() };
            let head = TaskHead::of_bits(word(0));
            if head.signal != 0 {
                // SYNC(signal) release fence and more: pairs with the acquire of whoever waits for the signal.
                Ctx::DEFAULT.fence();
                let op = if head.signal == SignalOp::Set as u8 + 1 { SignalOp::Set } else { SignalOp::Add };
                // SAFETY: whoever put the task guarantees that the signal is symmetric.
                unsafe {
                    let (ctx, sig, value) = (Ctx::DEFAULT, of_place(word(3)), word(4));
                    if RECORDS {
                        ctx.signal_op(sig, value, op, head.pe);
                    } else {
                        ctx.signal_op_plain(sig, value, op, head.pe);
                    }
                }
            }
            // Now, as the signal can fail as well.
            if !is_last {
                self.note_task(self.at);
            }
        }
        if !is_last {
            Block.sync();
        }
    }
}

/// How the first warp of a block looks for tasks.
struct Search {
    /// As in the [`TaskArea`], which does not change.
    per_row: u64,
    slots: u64,
    inline: u64,
    taken: u64,
    /// The row at which this lane begins.
    row: u64,
    /// This lane's guess of the next ticket of that row that nobody has taken: exact if the block is alone.
    next: u64,
    /// The lane whose rows come first.
    turn: u32,
    start: u64,
    /// 0 if it ends only because there are no tasks.
    longest_ns: u64,
    until_none: bool,
    /// Whether it ended because of the time.
    is_late: bool,
    /// Address of the [`TaskReports`].
    reports: u64,
    /// What lane 0 has noted there.
    noted: u64,
}

impl Search {
    #[inline(always)]
    fn report(&self, at: usize, value: u64) {
        // SAFETY: the word is in host memory that stays pinned until the kernel has ended.
        unsafe { u64::store_relaxed_sys(DevPtr::from_address(self.reports + at as u64), value) };
    }

    /// Notes what this block runs, by lane 0. A fence behind a store to host memory takes 0.9 µs longer, so it stores
    /// nothing that is there, and what has run stays there until no other task has come for a while.
    #[inline(always)]
    fn note(&mut self, value: u64) {
        if value != self.noted {
            self.noted = value;
            self.report(offset_of!(TaskReports, running) + 8 * arch::block_idx_x() as usize, value);
        }
    }

    #[inline(always)]
    fn row_at(&self, number: u64) -> Row {
        let slots = self.slots + number * self.per_row * size_of::<TaskSlot>() as u64;
        Row {
            per_row: self.per_row,
            slots: DevPtr::from_address(slots),
            inline: DevPtr::from_address(self.inline + number / 2 * self.per_row * size_of::<TaskInline>() as u64),
            taken: DevPtr::from_address(self.taken + number * size_of::<TaskCounter>() as u64),
        }
    }

    /// Looks until the warp has taken tasks, or it is time to end, and leaves what [`FOUND`] says in shared memory, or
    /// a zero. Returns whether there are tasks. The warp meets at the end.
    #[inline(always)]
    fn find(&mut self, shared: SharedPtr<u64>) -> bool {
        let (per_row, rows, lane) = (self.per_row, 2 * u64::from(n_pes()), arch::lane_id());
        let (mut looks, mut waited) = (0u32, false);
        let found = loop {
            // First here, so that a launch also ends if there is always a task.
            let is_late = looks.is_multiple_of(LOOKS)
                && self.longest_ns != 0
                && arch::globaltimer().wrapping_sub(self.start) > self.longest_ns;
            if arch::ballot(u32::MAX, is_late) != 0 {
                self.is_late = true;
                break false;
            }
            looks = looks.wrapping_add(1);
            // This lane's first row in which a task has come.
            let (mut number, mut next) = (self.row, self.next);
            let look = |number: u64, next| if number < rows { tasks::look(&self.row_at(number), next) } else { 0 };
            let mut is = look(number, next);
            loop {
                let behind = tasks::row_behind(number, rows);
                if tasks::has_come(is, next) || behind == self.row {
                    break;
                }
                number = behind;
                next = self.row_at(number).taken();
                is = look(number, next);
            }
            let come = arch::ballot(u32::MAX, tasks::has_come(is, next));
            if come != 0 {
                // In turn, so that no PE waits for others for ever.
                let chosen = tasks::choose(come, &mut self.turn);
                // A lane for each of the tasks that come next in the row, from the chosen one on.
                let (place, from, first) = (
                    lane.wrapping_sub(chosen) % 32,
                    self.row_at(shfl_idx(u32::MAX, number, chosen)),
                    shfl_idx(u32::MAX, next, chosen),
                );
                let ticket = first + u64::from(place);
                if !waited || arch::grid_dim_x() > 1 {
                    // There may be more: the last look found one too, or others have left some.
                    is = if u64::from(place) < per_row { tasks::look(&from, ticket) } else { 0 };
                } else if place != 0 {
                    is = 0;
                }
                let of_places = |of_lane| arch::ballot(u32::MAX, of_lane).rotate_right(chosen);
                let mut come = of_places(tasks::is_there(is, ticket));
                let is_read = place < tasks::to_read(come, arch::grid_dim_x());
                let mut inline = of_places(is_read && tasks::is_inline(is));
                // The words of the next task are loaded while those of one are looked at.
                let ticket_of = |tasks: u32| first + u64::from(tasks.trailing_zeros());
                let mut halves = if inline != 0 { from.halves(ticket_of(inline)) } else { [0; 2] };
                while inline != 0 {
                    let (i, behind) = (inline.trailing_zeros(), inline & (inline - 1));
                    let of_next = if behind != 0 { from.halves(ticket_of(behind)) } else { [0; 2] };
                    if !from.keep(ticket_of(inline), halves, shared.add(FOUND + i as usize * WITH_DATA)) {
                        come &= !(1 << i);
                    }
                    (inline, halves) = (behind, of_next);
                }
                if is_read && !tasks::is_inline(is) {
                    let words = from.words(ticket & (per_row - 1));
                    let mut i = 0;
                    while i < WORDS {
                        // SAFETY: the caller guarantees the memory, and no other lane accesses this part of it now.
                        unsafe { shared.add(FOUND + place as usize * WITH_DATA + i).write(words[i]) };
                        i += 1;
                    }
                }
                // The reads of all lanes come before the change by this one.
                Warp.sync();
                let mut n = 0;
                if lane == chosen {
                    let at;
                    (at, n) = tasks::take(&from, first, come, arch::grid_dim_x(), &mut next);
                    let found = [n.into(), at.into(), from.taken.address(), next];
                    let mut i = 0;
                    while i < FOUND {
                        // SAFETY: the caller guarantees the memory, and only this lane accesses these words now.
                        unsafe { shared.add(i).write(found[i]) };
                        i += 1;
                    }
                    let behind = tasks::row_behind(number, rows);
                    if behind == number {
                        self.next = next;
                    } else {
                        (self.row, self.next) = (behind, self.row_at(behind).taken());
                    }
                }
                if arch::ballot(u32::MAX, n > 0) != 0 {
                    break true;
                }
            } else if self.until_none {
                break false;
            } else {
                waited = true;
                if lane == 0 && looks.is_multiple_of(LOOKS) {
                    self.note(0);
                }
                arch::pause_among_blocks();
            }
        };
        if lane == 0 && !found {
            // SAFETY: the caller guarantees the memory, whose first word only this lane accesses now.
            unsafe { shared.write(0) };
        }
        Warp.sync();
        found
    }
}

/// Declares functions that run when a put brings a task for them, on the GPU of the PE to which it goes; use it once
/// per crate, in a module that [`kernels!`](crate::kernels) names. All lanes of a block call the function. Its first
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
            static TASK_WORDS: [u64; $crate::reexport::cushmem_abi::TASK_SHARED_WORDS];
        }
        $crate::kernels_of_module! {
            /// Runs tasks: launched by the library.
            pub unsafe fn cushmem_run_tasks(queue: $crate::DeviceTaskQueue, launch: u64, longest_ns: u64) {
                let run = |function: u32, task: $crate::Task, words| {
                    $(
                        if function == <$name as $crate::TaskFunction>::NUMBER {
                            let ($($arg,)*) = <($($ty,)*) as $crate::TaskArgs>::of_words(words);
                            return task_bodies::$name(task $(, $arg)*);
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

/// What [`tasks!`](crate::tasks) has declared. The macro has an example.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct TaskTable {
    /// The functions' names, in order.
    pub names: &'static [&'static str],
}
