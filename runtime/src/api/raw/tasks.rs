//! Puts with a task, by address. Their semantics are those of the methods of [`TaskQueue`] and
//! [`Stream`](crate::Stream) with the same names.

use super::{Raw, RawStream, Result};
use crate::error::Error;
use crate::service::resident::RunTasks;
use crate::transfer::Local;
use crate::{TaskCall, TaskOptions, TaskQueue};
use cushmem_device::Kernel;

/// A put with a task.
pub struct PutTask<'q, 'a> {
    /// Queues of the job.
    pub queue: &'q TaskQueue<'a>,
    /// The task.
    pub call: TaskCall,
    /// Where the data are; not used without data.
    pub src: *const u8,
    /// Bytes of data.
    pub bytes: usize,
    /// The PE that runs the task.
    pub pe: u32,
}

impl<'a> Raw<'a> {
    /// Creates queues of tasks for functions of a module that the program loaded, like [`crate::Shmem::task_queue`].
    /// `names` are those of the functions, in the order of `tasks!`. Collective.
    ///
    /// # Safety
    /// `module` is the handle (`CUmodule`) of a module with such functions, which stays loaded as long as the queue
    /// exists. On the emulated GPU, it is the address of the `IMAGE` of a crate with kernels.
    pub unsafe fn task_queue(
        self,
        operation: &'static str,
        module: usize,
        names: Vec<String>,
        options: TaskOptions,
    ) -> crate::Result<TaskQueue<'a>> {
        self.shmem.make_task_queue(operation, options, names, || {
            let (gpu, context) = self.shmem.gpus(operation)?;
            // The program may launch other kernels of the module.
            self.shmem.services().launches().note_uncounted();
            self.shmem.services().launches().note_kernels_know_job();
            // SAFETY: this function has the same requirements.
            let module = unsafe { gpu.gpu().module_of_program(module, context) }.map_err(Error::of(operation))?;
            Ok((module.function(RunTasks::NAME).map_err(Error::of(operation))?, Some(module)))
        })
    }

    /// Creates queues of tasks for functions of a unit of CUDA C++, like [`Raw::task_queue`]. `find` finds the unit's
    /// executor for the current CUDA context, as a `CUfunction`, or returns a `cudaError_t`.
    ///
    /// # Safety
    /// What `find` finds is a kernel that `SHMEMX_TASKS` has made for these functions, and stays loaded as long as the
    /// queue exists.
    pub unsafe fn task_queue_of_unit(
        self,
        operation: &'static str,
        find: &dyn Fn() -> std::result::Result<usize, i32>,
        names: Vec<String>,
        options: TaskOptions,
    ) -> crate::Result<TaskQueue<'a>> {
        self.shmem.make_task_queue(operation, options, names, || {
            // Units that were loaded since the GPUs started are told here.
            let (gpu, _) = self.shmem.gpus(operation)?;
            // SAFETY: this function has the same requirements.
            let function = unsafe { gpu.gpu().function_of_unit(RunTasks::NAME, find) };
            Ok((function.map_err(Error::of(operation))?, None))
        })
    }

    /// Gives symmetric memory a number in a queue. Collective.
    pub fn task_buffer(self, queue: &TaskQueue<'_>, start: *mut u8, bytes: usize) -> Result<u32> {
        let at = self.shmem.memory().locate(start.addr(), bytes)?;
        Ok(queue.add_buffer("task_buffer", at, bytes)?)
    }

    /// Puts bytes and a task.
    ///
    /// # Safety
    /// The conditions of [`TaskQueue::put_task`], and the source is readable.
    pub unsafe fn put_task(self, put: &PutTask<'_, '_>) -> crate::Result<()> {
        let PutTask { queue, call, src, bytes, pe } = put;
        // SAFETY: this function has the same requirements.
        unsafe { queue.put("put_task", call, self.local(*src), *bytes, *pe) }
    }

    fn local(self, src: *const u8) -> Local {
        let address = src.expose_provenance();
        Local { address, on_gpu: self.shmem.memory().is_device(address) }
    }
}

impl RawStream<'_> {
    /// Enqueues a put of bytes and a task. The source may be any memory that the source of [`RawStream::put`] may be.
    ///
    /// # Safety
    /// The conditions of [`crate::Stream::put_task`], and the source is readable until the stream has passed the
    /// operation.
    pub unsafe fn put_task(self, put: &PutTask<'_, '_>) -> crate::Result<()> {
        let (operation, PutTask { queue, call, src, bytes, pe }) = ("put_task on a stream", put);
        let src = self.raw().local(*src);
        // SAFETY: this function has the same requirements.
        self.enqueue(operation, |stream| unsafe { queue.enqueue(operation, stream, call, src, *bytes, *pe) })
    }
}
