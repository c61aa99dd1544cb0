//! Puts with a task: the CPU's side.

use crate::api::allocation::object;
use crate::api::stream::{Module, Stream};
use crate::api::sym::{DeviceBuffer, NbiSource, Source, SymSlice};
use crate::error::{Cause, Error, Result};
use crate::memory::At;
use crate::service::arrivals::Arrivals;
use crate::service::on_stream::{Copy, Queue};
pub use crate::service::resident::TaskExecutor;
use crate::service::resident::{Resident, RunTasks, Runs};
use crate::sync::call::{Argument, Call};
use crate::sync::locked;
use crate::sync::spin::Pauses;
use crate::transfer::Local;
use crate::transfer::operation::Ends;
use crate::{Shmem, SignalOp, Word};
use cushmem_abi::{DeviceTaskQueue, TASK_BLOCKS, TASK_BUFFERS, TaskArea, TaskBuffer, TaskCounter, TaskSlot, TaskWords};
use cushmem_bootstrap::waits::Wait;
use cushmem_device::{TaskCall, TaskTable};
use cushmem_gpu::{Function, Grid};
use cushmem_protocol::tasks::{Putting, PuttingLater, WORDS, claim_when_free, ready};
use std::cell::{Cell, RefCell};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// How a queue of tasks is made. The same on all PEs.
/// [`Shmem::task_queue`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskOptions {
    /// How many tasks of a PE's kernels, and as many of its CPU, can wait at each PE. Rounded up to a power of two.
    pub slots: usize,
    /// Blocks of the executor, at most 32. Each runs one task at a time.
    pub blocks: u32,
    /// Lanes of a block: a multiple of 32. How many are possible depends on the registers that the functions need; 512
    /// usually are.
    pub threads: u32,
    /// Whether the executor stays on the GPU.
    pub executor: TaskExecutor,
}

impl Default for TaskOptions {
    /// 64 slots, and an executor that stays, of one block of 128 lanes.
    fn default() -> Self {
        Self { slots: 64, blocks: 1, threads: 128, executor: TaskExecutor::Resident }
    }
}

/// Queues of tasks, one on each PE, and an executor for each: a kernel on the GPU that takes tasks and runs the
/// program's functions for them.
///
/// Dropping it ends this PE's executor, which may leave tasks behind, and does not free the queue's symmetric memory;
/// [`TaskQueue::free`] runs all tasks and frees all memory. Both wait for tasks that are running.
/// [`Shmem::task_queue`] has an example.
pub struct TaskQueue<'a> {
    shmem: &'a Shmem,
    per_row: u64,
    /// [`TaskArea`] and what is behind it.
    area: DeviceBuffer<'a, u64>,
    /// Behind them, the words of tasks that kernels put inline, if the executor stays.
    slots: SymSlice<'a, u64>,
    taken: SymSlice<'a, u64>,
    buffers: Mutex<Vec<SymSlice<'a, u8>>>,
    /// Held by the thread that registers a buffer, which waits for other PEs. `buffers` is not.
    registers: Mutex<()>,
    /// For each PE.
    senders: Vec<Sender>,
    executor: Arc<Resident>,
}

/// The tasks of this PE's CPU for one PE.
#[derive(Default)]
struct Sender {
    tickets: AtomicU64,
    /// What was seen of `taken`.
    taken_seen: AtomicU64,
}

const SLOT_WORDS: usize = size_of::<TaskSlot>() / 8;
const INLINE_WORDS: usize = size_of::<cushmem_abi::TaskInline>() / 8;
const COUNTER_WORDS: usize = size_of::<TaskCounter>() / 8;

/// # Puts with a task
impl Shmem {
    /// Creates queues of tasks and starts this PE's executor (XTQ). Collective, with the same functions and options on
    /// all PEs; otherwise the job ends with a message. `tasks` are the functions that `tasks!` declares in the crate of
    /// `module`.
    ///
    /// While a kernel of any PE may wait for a task of this PE, directly or through other kernels, call nothing here
    /// that frees GPU memory, unregisters memory, or loads or unloads a module: the driver lets such calls wait for all
    /// kernels, and holds up the executor meanwhile, so neither would ever end.
    ///
    /// ```no_run
    /// use cushmem::{Cmp, Module, Result, Shmem, SignalOp, TaskFunction, TaskOptions};
    ///
    /// # mod kernels {
    /// #     use cushmem::{TaskFunction, TaskTable};
    /// #     #[derive(Clone, Copy)]
    /// #     pub struct add;
    /// #     impl TaskFunction for add { type Args = (u32, u64); const NUMBER: u32 = 0; }
    /// #     pub static TASKS: TaskTable = TaskTable { names: &["add"] };
    /// # }
    /// /// Adds `numbers` to the sums of PE 0, on its GPU. Function `add` takes the sums' buffer and where to begin there.
    /// fn contribute(shmem: &Shmem, module: &Module<'_>, numbers: &[i64]) -> Result<()> {
    ///     let (n, me) = (numbers.len(), shmem.my_pe() as usize);
    ///     let inboxes = shmem.malloc_gpu::<i64>(n * shmem.n_pes() as usize)?;
    ///     let (sums, done) = (shmem.malloc_gpu::<i64>(n)?, shmem.malloc::<u64>(1)?);
    ///     let queue = shmem.task_queue(module, &kernels::TASKS, TaskOptions::default())?;
    ///     let (inbox, total) = (queue.buffer(inboxes)?, queue.buffer(sums)?);
    ///     let call = kernels::add.call((total, 0)).at(inbox, (8 * me * n) as u64);
    ///     // SAFETY: each PE has an inbox of its own, and the sums have `n` elements.
    ///     unsafe { queue.put_task(call.then(done.device_ptr(), 1, SignalOp::Set), numbers, 0)? };
    ///     shmem.signal_wait_until(done.at(0), Cmp::Eq, 1)?;
    ///     queue.free()
    /// }
    /// ```
    pub fn task_queue<'a>(
        &'a self,
        module: &'a Module<'_>,
        tasks: &'static TaskTable,
        options: TaskOptions,
    ) -> Result<TaskQueue<'a>> {
        let operation = "task_queue";
        let names = tasks.names.iter().map(|name| (*name).to_owned()).collect();
        self.make_task_queue(operation, options, names, || {
            Ok((module.function::<RunTasks>()?, Some(module.raw().clone())))
        })
    }

    /// `find` returns the executor's kernel, and its module unless that stays loaded anyway.
    pub(in crate::api) fn make_task_queue(
        &self,
        operation: &'static str,
        options: TaskOptions,
        names: Vec<String>,
        find: impl FnOnce() -> Result<(Arc<dyn Function>, Option<Arc<dyn cushmem_gpu::Module>>)>,
    ) -> Result<TaskQueue<'_>> {
        let TaskOptions { slots, blocks, threads, executor: kind } = options;
        let wrong = |what: String| Err(Error::new(operation, Cause::Mismatch(what)));
        if slots == 0 || slots > 1 << 20 {
            return wrong(format!("{slots} slots: there must be 1 to {}", 1 << 20));
        }
        if blocks == 0 || blocks as usize > TASK_BLOCKS {
            return wrong(format!("{blocks} blocks: there must be 1 to {TASK_BLOCKS}"));
        }
        if threads == 0 || !threads.is_multiple_of(32) || threads > 1024 {
            return wrong(format!("{threads} threads: there must be a multiple of 32, up to 1024"));
        }
        self.gpus(operation)?;
        let (n_pes, per_row) = (self.n_pes(), slots.next_power_of_two() as u64);
        let call = [
            Argument::Number("the digest of the functions", digest(&names)),
            Argument::Number("slots", slots as u64),
            Argument::Number("blocks", blocks.into()),
            Argument::Number("threads", threads.into()),
            Argument::Number("launched executors", (kind == TaskExecutor::Launched).into()),
        ];
        self.meet_in(&Call::new(operation, &call));
        let executor = find().and_then(|kernel| {
            let function = &kernel.0;
            let most = function.max_threads();
            if threads > most {
                let what =
                    format!("{threads} threads: the functions need so many registers that {most} fit in a block");
                return Err(Error::new(operation, Cause::Mismatch(what)));
            }
            self.services().make_resident(operation, kernel, Grid::linear(blocks, threads), Runs::Tasks(names, kind))
        });
        let area = executor.and_then(|executor| {
            let area = self.device_alloc::<u64>(TaskArea::bytes(n_pes) as usize / 8)?;
            Ok((executor, area))
        });
        self.job().agree(operation, area.as_ref().map(drop).map_err(|error| error.cause().to_string()))?;
        let (executor, area) = area?;
        let (rows, inline) = (2 * n_pes as usize, n_pes as usize * INLINE_WORDS);
        let slots = match kind {
            TaskExecutor::Resident => self.malloc_gpu((rows * SLOT_WORDS + inline) * per_row as usize)?,
            // Where the thread that launches it can look.
            TaskExecutor::Launched => self.malloc(rows * SLOT_WORDS * per_row as usize)?,
        };
        let taken = match self.malloc_gpu::<u64>(rows * COUNTER_WORDS) {
            Ok(taken) => taken,
            // On all PEs, as every error of an allocation.
            Err(error) => return self.free(slots).and(Err(error)),
        };
        let queue = TaskQueue {
            shmem: self,
            per_row,
            area,
            slots,
            taken,
            buffers: Mutex::default(),
            registers: Mutex::default(),
            senders: (0..n_pes).map(|_| Sender::default()).collect(),
            executor,
        };
        let prepared = queue.prepare();
        if let Err(error) = self.job().agree(operation, prepared.map_err(|error| error.to_string())) {
            drop(queue);
            self.free(slots)?;
            self.free(taken)?;
            return Err(error);
        }
        Ok(queue)
    }
}

/// A number that almost always differs if the names do: FNV-1a.
fn digest(names: &[impl AsRef<str>]) -> u64 {
    let bytes = names.iter().flat_map(|name| name.as_ref().bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl<'a> TaskQueue<'a> {
    /// Clears the memory, and starts the executor.
    fn prepare(&self) -> Result<()> {
        // The slots can have gigabytes.
        let zeros = vec![0; self.slots.len().max(self.taken.len()).min(1 << 17)];
        for object in [self.slots, self.taken] {
            for start in (0..object.len()).step_by(zeros.len()) {
                let piece = object.slice(start..object.len().min(start + zeros.len()));
                piece.copy_from(&zeros[..piece.len()])?;
            }
        }
        let mut words = vec![0; self.area.len()];
        let behind_slots = self.taken.len() / COUNTER_WORDS * self.per_row as usize * SLOT_WORDS;
        let inline = (behind_slots < self.slots.len()).then(|| self.slots.at(behind_slots).device_ptr().address());
        let fields = [
            (offset_of!(TaskArea, inline), inline.unwrap_or(0)),
            (offset_of!(TaskArea, slots), self.slots.device_ptr().address()),
            (offset_of!(TaskArea, taken), self.taken.device_ptr().address()),
            (offset_of!(TaskArea, per_row), self.per_row),
            (offset_of!(TaskArea, functions), self.executor.functions() as u64),
            (offset_of!(TaskArea, reports), self.executor.reports()),
        ];
        fields.into_iter().for_each(|(at, value)| words[at / 8] = value);
        self.area.copy_from(&words)?;
        let arrivals = self.executor.is_launched().then(|| {
            let slots = self.slots.ptr(self.shmem.my_pe()).expose_provenance();
            // SAFETY: the slots are in host memory and zero, and the executor ends before they are freed.
            unsafe { Arrivals::new(slots, self.per_row, self.taken.len() / COUNTER_WORDS) }
        });
        self.executor.begin(self.area.device_ptr().address(), arrivals)
    }

    /// Returns the queue in the form in which kernels take it as a parameter.
    pub fn device(&self) -> DeviceTaskQueue {
        DeviceTaskQueue::of_address(self.area.device_ptr().address())
    }

    /// Gives symmetric memory a number, by which tasks name it. Collective, with the same memory on all PEs; the number
    /// is the same on all of them, and counts from 0. The memory must exist as long as the queue.
    pub fn buffer<T: Word>(&self, memory: SymSlice<'a, T>) -> Result<u32> {
        let operation = "task_buffer";
        self.shmem.check(operation, memory, memory.len())?;
        self.add_buffer(operation, memory.at_symmetric(), memory.bytes())
    }

    /// `at` and `bytes` are memory of this job.
    pub(in crate::api) fn add_buffer(&self, operation: &'static str, at: At, bytes: usize) -> Result<u32> {
        if at.segment.is_registered() || bytes == 0 {
            let what = "the memory must be a part of a heap, of at least one element";
            return Err(Error::new(operation, Cause::Mismatch(what.into())));
        }
        let _registers = locked(&self.registers);
        let number = locked(&self.buffers).len();
        if number == TASK_BUFFERS {
            let what = format!("the queue has {TASK_BUFFERS} buffers already");
            return Err(Error::new(operation, Cause::Mismatch(what)));
        }
        let entry = TaskArea::buffer(self.shmem.n_pes(), number as u32) as usize;
        let memory = SymSlice::new(self.shmem, at.segment, at.offset.0, bytes);
        let bytes = bytes as u64;
        let mut words = [0; size_of::<TaskBuffer>() / 8];
        words[offset_of!(TaskBuffer, address) / 8] = memory.device_ptr().address();
        words[offset_of!(TaskBuffer, bytes) / 8] = bytes;
        let to = self.area.slice(entry / 8..).device_ptr().address();
        let from = words.as_ptr().expose_provenance() as u64;
        // SAFETY: the entry is inside the area, and the words live until the copy is complete.
        unsafe { self.shmem.transfers().copy_and_wait(to, from, size_of_val(&words))? };
        // Tasks that name it come after this.
        let arguments = [Argument::Object("the memory", object(at)), Argument::Number("bytes", bytes)];
        self.shmem.meet_in(&Call::new(operation, &arguments));
        locked(&self.buffers).push(memory);
        Ok(number as u32)
    }

    /// Copies `src` to where `call` says on PE `pe`, and has the function run there on the GPU, once the data have
    /// arrived. On return the source may be reused. The signal that `call` names says when the function has returned.
    /// [`Shmem::task_queue`] has an example.
    ///
    /// If all slots for this CPU's tasks at that PE are in use, this waits, up to the limit of the waits of kernels.
    ///
    /// # Safety
    /// Nobody accesses that part of the buffer on `pe` until the function has it, and the function's requirements of
    /// the arguments are met.
    pub unsafe fn put_task<'s, T: Word>(&self, call: TaskCall, src: impl Into<Source<'s, T>>, pe: u32) -> Result<()> {
        let src = src.into();
        // SAFETY: the source is borrowed, and this function has the same requirements.
        unsafe { self.put("put_task", &call, src.local, src.len * size_of::<T>(), pe) }
    }

    /// # Safety
    /// The conditions of [`TaskQueue::put_task`], and the source is readable.
    pub(in crate::api) unsafe fn put(
        &self,
        operation: &'static str,
        call: &TaskCall,
        src: Local,
        bytes: usize,
        pe: u32,
    ) -> Result<()> {
        let (shmem, (at, task)) = (self.shmem, self.check(operation, call, bytes, pe)?);
        if let Some(At { segment, offset }) = at {
            // SAFETY: the caller guarantees the source.
            let src = unsafe { Source::<u8>::of_local(src, bytes) };
            shmem.put(SymSlice::new(shmem, segment, offset.0, bytes), src, pe)?;
            // The signal below orders its own data only.
            shmem.fence()?;
        }
        let ticket = self.claim(operation, pe)?;
        let row = TaskArea::row(shmem.my_pe()) + 1;
        let slot = (row * self.per_row + (ticket & (self.per_row - 1))) as usize * SLOT_WORDS;
        let TaskWords { head, data, bytes, done, value, arguments: [a, b, c, d, e, f] } = task;
        let words: [u64; WORDS] = [head, data, bytes, done, value, a, b, c, d, e, f];
        let body = self.slots.slice(slot + 1..slot + 1 + WORDS);
        // SYNC(task) release: pairs with the acquire of `ready` by the executor.
        let put = shmem.put_signal(body, &words, self.slots.at(slot), ready(ticket), SignalOp::Set, pe);
        // No task runs behind an empty slot, and other threads may have put some.
        put.unwrap_or_else(|error| shmem.job().end(operation, &error));
        if pe == shmem.my_pe() {
            self.executor.wake();
        }
        Ok(())
    }

    /// Enqueues the put and the task on a stream.
    ///
    /// # Safety
    /// The conditions of [`Stream::put_task`], and the source is readable until the stream has passed the task.
    pub(in crate::api) unsafe fn enqueue(
        &self,
        operation: &'static str,
        stream: &Queue<'_>,
        call: &TaskCall,
        src: Local,
        bytes: usize,
        pe: u32,
    ) -> Result<()> {
        let (shmem, (at, words)) = (self.shmem, self.check(operation, call, bytes, pe)?);
        let name = |error| Error::argument(operation, "the data", error);
        let found = at.map(|at| shmem.transfers().ends_of_objects(at, src, bytes, pe)).transpose().map_err(name)?;
        let copy = |(remote, local, pe)| Copy { ends: Ends { remote, local, bytes }, to_peer: true, pe };
        let (data, number) = (found.flatten().map(copy), shmem.transfers().pe(pe).map_err(name)?);
        let task = (self.device(), words);
        // SAFETY: the caller guarantees the source; the rest was checked.
        unsafe { shmem.services().put_task_on_stream(stream, data.as_ref(), task, number) }.map_err(name)
    }

    /// Where the data of a task go, if it has any, and its words.
    fn check(
        &self,
        operation: &'static str,
        call: &TaskCall,
        bytes: usize,
        pe: u32,
    ) -> Result<(Option<At>, TaskWords)> {
        let shmem = self.shmem;
        let wrong = |what: String| Err(Error::new(operation, Cause::Mismatch(what)));
        shmem.transfers().pe(pe).map_err(|error| Error::argument(operation, "the PE", error))?;
        let functions = self.executor.functions();
        if call.function() as usize >= functions {
            return wrong(format!(
                "function {} is out of range (0 to {})",
                call.function(),
                functions.saturating_sub(1)
            ));
        }
        let at = match call.target() {
            (None, _) if bytes > 0 => {
                return wrong(format!("{bytes} bytes of data for PE {pe}, but no buffer for them"));
            }
            (None, _) => None,
            (Some(buffer), offset) => {
                let Some(known) = locked(&self.buffers).get(buffer as usize).copied() else {
                    return wrong(format!("the queue has no buffer {buffer}"));
                };
                let (end, most) = (offset.saturating_add(bytes as u64), known.len() as u64);
                if end > most {
                    return wrong(format!("the data end at byte {end} of the buffer, which has {most} bytes"));
                }
                let At { segment, offset: start } = known.at_symmetric();
                Some(At::new(segment, start.0 + offset))
            }
        };
        let (_, context) = shmem.gpus(operation)?;
        let done = match call.done().map(|done| done.address()) {
            Some(at) if !context.host.contain(at) && !context.gpu.contain(at) => {
                return wrong("the signal is not symmetric".into());
            }
            Some(at) if !at.is_multiple_of(8) => return wrong("the signal is not aligned".into()),
            Some(at) if call.adds() && context.gpu.contain(at) && !self.can_add(pe) => {
                return wrong(format!(
                    "PE {pe} cannot add to a signal in this GPU's memory, because the link between the GPUs has no \
                     native atomics; set the signal, or have it in host memory"
                ));
            }
            Some(at) => TaskSlot::place(context.host, context.gpu, context.my_place, at),
            None => 0,
        };
        let address =
            |At { segment, offset }| SymSlice::<u8>::new(shmem, segment, offset.0, bytes).device_ptr().address();
        let data = at.map_or(0, |at| TaskSlot::place(context.host, context.gpu, context.my_place, address(at)));
        let [head, data, length, done, value, arguments @ ..] = call.words(shmem.my_pe(), (data, bytes as u64), done);
        Ok((at.filter(|_| bytes > 0), TaskWords { head, data, bytes: length, done, value, arguments }))
    }

    /// Whether the GPU of a PE can add to words in the GPU memory of this one, or asks the CPU. Links are alike in both
    /// directions.
    fn can_add(&self, pe: u32) -> bool {
        let reach = self.shmem.memory().gpu().zip(self.shmem.job().pe(pe)).map(|(gpu, pe)| gpu.reach(pe));
        reach.is_none_or(|reach| reach.is_ok_and(|reach| reach.native_atomics) || reach.is_err())
    }

    /// Waits until a slot is free, and takes its ticket.
    fn claim(&self, operation: &'static str, pe: u32) -> Result<u64> {
        let putter = Putter {
            queue: self,
            pe,
            pauses: RefCell::new(Pauses::new(self.shmem.sync().wait_policy())),
            since: Cell::new(None),
            seen: Cell::new(0),
            failed: Cell::new(None),
        };
        // Whoever has a ticket fills its slot, whatever failed on the way.
        claim_when_free(&putter).ok_or_else(|| {
            if let Some(error) = putter.failed.take() {
                return error;
            }
            let (slots, limit) = (self.per_row, self.shmem.sync().kernel_limit().as_secs_f64());
            let what = format!("PE {pe} has taken none of the {slots} tasks in its queue for {limit} s");
            Error::new(operation, Cause::Mismatch(what))
        })
    }

    /// Waits until all PEs have called this, runs all tasks that have come by then, ends the executors, and frees the
    /// memory. Collective. No kernel knows the queue any more. Tasks that other tasks put on other PEs are not waited
    /// for: wait for their signals. If a task fails, the job ends; an error means that the GPU has failed otherwise.
    pub fn free(self) -> Result<()> {
        let (shmem, slots, taken) = (self.shmem, self.slots, self.taken);
        shmem.meet_in(&Call::new("task_queue_free", &[]));
        let ended = self.executor.end(true);
        drop(self);
        ended?;
        shmem.free(slots)?;
        shmem.free(taken)
    }
}

impl Drop for TaskQueue<'_> {
    fn drop(&mut self) {
        // The memory is freed next. If the GPU has failed, whoever waits for its kernel says why.
        let _ = self.executor.end(false);
    }
}

/// # Tasks
impl<'a> Stream<'a> {
    /// Enqueues [`TaskQueue::put_task`]: once everything before it on the stream has finished, `src` is copied to where
    /// `call` says on PE `pe`, and the function runs there. The stream passes it when the source may be reused, and
    /// does not wait for the function: for that, have the stream wait for the signal that `call` names. The place in
    /// the target's queue is one of those for this PE's kernels. If all are in use, the stream waits, up to the limit
    /// of the waits of kernels, and then ends with a message.
    ///
    /// ```no_run
    /// use cushmem::{Cmp, Result, Shmem, SignalOp, TaskFunction, TaskQueue};
    ///
    /// # mod kernels {
    /// #     use cushmem::TaskFunction;
    /// #     #[derive(Clone, Copy)]
    /// #     pub struct add;
    /// #     impl TaskFunction for add { type Args = (u32,); const NUMBER: u32 = 0; }
    /// # }
    /// /// Has PE 0 add what a kernel computes to its sums, which are buffer 1; buffer 0 has room for it.
    /// fn contribute(shmem: &Shmem, queue: &TaskQueue<'_>) -> Result<()> {
    ///     let (stream, outbox) = (shmem.stream()?, shmem.malloc_gpu::<i64>(100)?);
    ///     let done = shmem.malloc_gpu::<u64>(1)?;
    ///     // A kernel that fills `outbox` is launched here.
    ///     let call = kernels::add.call((1,)).at(0, 0).then(done.device_ptr(), 1, SignalOp::Set);
    ///     // SAFETY: nobody else uses the buffers.
    ///     unsafe { stream.put_task(queue, call, outbox, 0)? };
    ///     stream.signal_wait_until(done.at(0), Cmp::Eq, 1)?;
    ///     stream.synchronize()
    /// }
    /// ```
    ///
    /// # Safety
    /// The conditions of [`TaskQueue::put_task`], and the queue is not freed or dropped before the stream has passed
    /// the operation.
    pub unsafe fn put_task<T: Word>(
        &self,
        queue: &TaskQueue<'_>,
        call: TaskCall,
        src: impl Into<NbiSource<'a, T>>,
        pe: u32,
    ) -> Result<()> {
        let (operation, NbiSource(src)) = ("put_task on a stream", src.into());
        if !std::ptr::eq(self.shmem(), queue.shmem) {
            return Err(Error::new(operation, Cause::ForeignObject));
        }
        // SAFETY: the source outlives the stream's operations: heaps stay, and whatever frees private memory waits for
        // the GPU. The caller guarantees the rest.
        unsafe { queue.enqueue(operation, &self.queue(), &call, src.local, src.len * size_of::<T>(), pe) }
    }
}

/// A row as a thread accesses it that puts a task.
struct Putter<'q, 'a> {
    queue: &'q TaskQueue<'a>,
    pe: u32,
    pauses: RefCell<Pauses<'q>>,
    /// When the wait began, or `taken` was first seen to be what it is.
    since: Cell<Option<Instant>>,
    seen: Cell<u64>,
    failed: Cell<Option<Error>>,
}

impl Putter<'_, '_> {
    fn sender(&self) -> &Sender {
        &self.queue.senders[self.pe as usize]
    }

    /// Notes what was seen of `taken`. As long as it changes, nobody is late.
    fn note(&self, taken: u64) -> u64 {
        if taken != self.seen.replace(taken) {
            self.since.set(None);
        }
        taken
    }
}

impl Putting for Putter<'_, '_> {
    fn slots(&self) -> u64 {
        self.queue.per_row
    }
    fn taken_seen(&self) -> u64 {
        // SYNC(task-seen) acquire: pairs with the release in `look_at_taken`.
        self.note(self.sender().taken_seen.load(Ordering::Acquire))
    }
    fn look_at_taken(&self) -> u64 {
        let row = TaskArea::row(self.queue.shmem.my_pe()) as usize + 1;
        // SYNC(task-taken) acquire: a get is complete on return; pairs with the release by which the executor changes
        // the word.
        let taken = self.queue.shmem.g(self.queue.taken.at(row * COUNTER_WORDS), self.pe);
        let taken = taken.unwrap_or_else(|error| {
            self.failed.set(Some(error));
            0
        });
        // SYNC(task-seen) release: pairs with the acquire in `taken_seen`.
        self.sender().taken_seen.fetch_max(taken, Ordering::Release);
        taken
    }
    fn pause(&self) -> bool {
        let what = || Wait { what: "room for a task".into(), late: vec![self.pe] };
        self.pauses.borrow_mut().pause(&what);
        let error = self.failed.take();
        let has_failed = error.is_some();
        self.failed.set(error);
        let start = self.since.get().unwrap_or_else(Instant::now);
        self.since.set(Some(start));
        let limit = self.queue.shmem.sync().kernel_limit();
        !has_failed && (limit.is_zero() || start.elapsed() <= limit)
    }
}

impl PuttingLater for Putter<'_, '_> {
    fn tickets(&self) -> u64 {
        // Relaxed: as the protocol has it.
        self.sender().tickets.load(Ordering::Relaxed)
    }
    fn take_if(&self, ticket: u64) -> bool {
        // Relaxed: as the protocol has it.
        let tickets = &self.sender().tickets;
        tickets.compare_exchange(ticket, ticket + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::digest;

    /// Catches tables that count as equal because their names run into each other.
    #[test]
    fn tables_differ() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["a"]), digest(&["a", ""]));
    }
}
