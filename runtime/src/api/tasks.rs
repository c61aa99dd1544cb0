//! Puts with a task: the CPU's side.

use crate::api::allocation::object;
use crate::api::stream::Module;
use crate::api::sym::{DeviceBuffer, Source, SymSlice};
use crate::error::{Cause, Error, Result};
use crate::memory::At;
use crate::service::tasks::{Executor, RunTasks};
use crate::sync::call::{Argument, Call};
use crate::sync::locked;
use crate::sync::spin::Pauses;
use crate::{Shmem, SignalOp, Word};
use cushmem_abi::{DeviceTaskQueue, TASK_BLOCKS, TASK_BUFFERS, TaskArea, TaskBuffer, TaskCounter, TaskSlot};
use cushmem_bootstrap::waits::Wait;
use cushmem_device::{TaskCall, TaskTable};
use cushmem_gpu::Grid;
use cushmem_protocol::tasks::{Putting, WORDS, claim, ready};
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
}

impl Default for TaskOptions {
    /// 64 slots, and one block of 128 lanes.
    fn default() -> Self {
        Self { slots: 64, blocks: 1, threads: 128 }
    }
}

/// Queues of tasks, one on each PE, and an executor for each: a kernel that stays on the GPU, takes tasks, and runs the
/// program's functions for them.
///
/// Dropping it ends this PE's executor, which may leave tasks behind; [`TaskQueue::free`] does not. Both wait for
/// tasks that are running.
/// [`Shmem::task_queue`] has an example.
pub struct TaskQueue<'a> {
    shmem: &'a Shmem,
    table: &'static TaskTable,
    per_row: u64,
    /// [`TaskArea`] and what is behind it.
    area: DeviceBuffer<'a, u64>,
    slots: SymSlice<'a, u64>,
    taken: SymSlice<'a, u64>,
    buffers: Mutex<Vec<SymSlice<'a, u8>>>,
    /// For each PE, the CPU's tickets and what it has seen of `taken`.
    senders: Vec<[AtomicU64; 2]>,
    executor: Arc<Executor>,
}

const SLOT_WORDS: usize = size_of::<TaskSlot>() / 8;
const COUNTER_WORDS: usize = size_of::<TaskCounter>() / 8;

/// # Puts with a task
impl Shmem {
    /// Creates queues of tasks and starts this PE's executor (XTQ). Collective, with the same functions and options on
    /// all PEs; otherwise the job ends with a message. `tasks` are the functions that `tasks!` declares in the crate of
    /// `module`.
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
        let TaskOptions { slots, blocks, threads } = options;
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
            Argument::Number("the digest of the functions", digest(tasks.names)),
            Argument::Number("slots", slots as u64),
            Argument::Number("blocks", blocks.into()),
            Argument::Number("threads", threads.into()),
        ];
        self.meet_in(&Call::new(operation, &call));
        let executor = module.function::<RunTasks>().and_then(|function| {
            let most = function.max_threads();
            if threads > most {
                let what =
                    format!("{threads} threads: the functions need so many registers that {most} fit in a block");
                return Err(Error::new(operation, Cause::Mismatch(what)));
            }
            let kernel = (function, module.raw().clone());
            self.services().make_executor(operation, kernel, Grid::linear(blocks, threads), tasks)
        });
        let area = executor.and_then(|executor| {
            let area = self.device_alloc::<u64>(TaskArea::bytes(n_pes) as usize / 8)?;
            Ok((executor, area))
        });
        self.job().agree(operation, area.as_ref().map(drop).map_err(Error::to_string))?;
        let (executor, area) = area?;
        let rows = 2 * n_pes as usize;
        let slots = self.malloc_gpu::<u64>(rows * per_row as usize * SLOT_WORDS)?;
        let taken = self.malloc_gpu::<u64>(rows * COUNTER_WORDS)?;
        let queue = TaskQueue {
            shmem: self,
            table: tasks,
            per_row,
            area,
            slots,
            taken,
            buffers: Mutex::default(),
            senders: (0..n_pes).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect(),
            executor,
        };
        let prepared = queue.prepare();
        self.job().agree(operation, prepared.as_ref().map(drop).map_err(Error::to_string))?;
        prepared?;
        Ok(queue)
    }
}

/// A number that almost always differs if the names do: FNV-1a.
fn digest(names: &[&str]) -> u64 {
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl<'a> TaskQueue<'a> {
    /// Clears the memory, and starts the executor.
    fn prepare(&self) -> Result<()> {
        for object in [self.slots, self.taken] {
            object.copy_from(&vec![0; object.len()])?;
        }
        let mut words = vec![0; self.area.len()];
        let fields = [
            (offset_of!(TaskArea, slots), self.slots.device_ptr().address()),
            (offset_of!(TaskArea, taken), self.taken.device_ptr().address()),
            (offset_of!(TaskArea, per_row), self.per_row),
            (offset_of!(TaskArea, functions), self.table.names.len() as u64),
            (offset_of!(TaskArea, reports), self.executor.reports()),
        ];
        fields.into_iter().for_each(|(at, value)| words[at / 8] = value);
        self.area.copy_from(&words)?;
        self.executor.begin(self.device())
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
        let at = memory.at_symmetric();
        if at.segment.is_registered() || memory.is_empty() {
            let what = "the memory must be a part of a heap, of at least one element";
            return Err(Error::new(operation, Cause::Mismatch(what.into())));
        }
        let mut buffers = locked(&self.buffers);
        let number = buffers.len();
        if number == TASK_BUFFERS {
            return Err(Error::new(
                operation,
                Cause::Mismatch(format!("the queue has {TASK_BUFFERS} buffers already")),
            ));
        }
        let entry = TaskArea::buffer(self.shmem.n_pes(), number as u32) as usize;
        let bytes = memory.bytes() as u64;
        let mut words = [0; size_of::<TaskBuffer>() / 8];
        words[offset_of!(TaskBuffer, address) / 8] = memory.device_ptr().address();
        words[offset_of!(TaskBuffer, bytes) / 8] = bytes;
        let (to, from) =
            (self.area.slice(entry / 8..).device_ptr().address(), words.as_ptr().expose_provenance() as u64);
        // SAFETY: the entry is inside the area, and the words live until the copy is complete.
        unsafe { self.shmem.transfers().copy_and_wait(to, from, size_of_val(&words))? };
        // Tasks that name it come after this.
        let arguments = [Argument::Object("the memory", object(at)), Argument::Number("bytes", bytes)];
        self.shmem.meet_in(&Call::new(operation, &arguments));
        buffers.push(SymSlice::new(self.shmem, at.segment, at.offset.0, memory.bytes()));
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
        let operation = "put_task";
        let (shmem, src) = (self.shmem, src.into());
        let wrong = |what: String| Err(Error::new(operation, Cause::Mismatch(what)));
        shmem.transfers().pe(pe).map_err(|error| Error::argument(operation, "the PE", error))?;
        let functions = self.table.names.len();
        if call.function() as usize >= functions {
            return wrong(format!(
                "function {} is out of range (0 to {})",
                call.function(),
                functions.saturating_sub(1)
            ));
        }
        let bytes = src.len * size_of::<T>();
        let dst = match call.target() {
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
                Some(SymSlice::new(shmem, segment, start.0 + offset, src.len))
            }
        };
        let (_, context) = shmem.gpus(operation)?;
        let done = match call.done().map(|done| done.address()) {
            Some(at) if !context.host.contain(at) && !context.gpu.contain(at) => {
                return wrong("the signal is not symmetric".into());
            }
            Some(at) => TaskSlot::place(context.host, context.gpu, context.my_place, at),
            None => 0,
        };
        if let Some(dst) = dst {
            shmem.put(dst, src, pe)?;
        }
        let ticket = self.claim(operation, pe)?;
        let row = TaskArea::row(shmem.my_pe()) + 1;
        let slot = (row * self.per_row + (ticket & (self.per_row - 1))) as usize * SLOT_WORDS;
        let words: [u64; WORDS] = call.words(shmem.my_pe(), bytes as u64, done);
        if bytes > 0 {
            // The signal below orders its own data only.
            shmem.fence()?;
        }
        let body = self.slots.slice(slot + 1..slot + 1 + WORDS);
        // SYNC(task) release: pairs with the acquire of `ready` by the executor.
        shmem.put_signal(body, &words, self.slots.at(slot), ready(ticket), SignalOp::Set, pe)
    }

    /// Takes a ticket, and waits until its slot is free.
    fn claim(&self, operation: &'static str, pe: u32) -> Result<u64> {
        let putter = Putter {
            queue: self,
            pe,
            pauses: RefCell::new(Pauses::new(self.shmem.sync().wait_policy())),
            since: Cell::new(None),
            failed: Cell::new(None),
        };
        let ticket = claim(&putter);
        if let Some(error) = putter.failed.take() {
            return Err(error);
        }
        ticket.ok_or_else(|| {
            let (slots, limit) = (self.per_row, self.shmem.sync().kernel_limit().as_secs_f64());
            let what = format!("PE {pe} has taken none of the {slots} tasks in its queue for {limit} s");
            Error::new(operation, Cause::Mismatch(what))
        })
    }

    /// Waits until all PEs have called this, runs all tasks that have come by then, ends the executors, and frees the
    /// memory. Collective. No kernel knows the queue any more. Tasks that other tasks put on other PEs are not waited
    /// for: their signals are.
    pub fn free(self) -> Result<()> {
        let (shmem, slots, taken) = (self.shmem, self.slots, self.taken);
        shmem.meet_in(&Call::new("task_queue_free", &[]));
        self.executor.end(true);
        drop(self);
        shmem.free(slots)?;
        shmem.free(taken)
    }
}

impl Drop for TaskQueue<'_> {
    fn drop(&mut self) {
        // In a panic the process is about to end, and with it the kernel.
        if !std::thread::panicking() {
            self.executor.end(false);
        }
    }
}

/// A row as a thread accesses it that puts a task.
struct Putter<'q, 'a> {
    queue: &'q TaskQueue<'a>,
    pe: u32,
    pauses: RefCell<Pauses<'q>>,
    since: Cell<Option<Instant>>,
    failed: Cell<Option<Error>>,
}

impl Putter<'_, '_> {
    fn sender(&self) -> &[AtomicU64; 2] {
        &self.queue.senders[self.pe as usize]
    }
}

impl Putting for Putter<'_, '_> {
    fn slots(&self) -> u64 {
        self.queue.per_row
    }
    fn take_ticket(&self) -> u64 {
        // Relaxed: as the protocol has it.
        self.sender()[0].fetch_add(1, Ordering::Relaxed)
    }
    fn taken_seen(&self) -> u64 {
        // SYNC(task-seen) acquire: pairs with the release in `look_at_taken`.
        self.sender()[1].load(Ordering::Acquire)
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
        self.sender()[1].fetch_max(taken, Ordering::Release);
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
