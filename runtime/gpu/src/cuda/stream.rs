use super::check;
use super::device::Context;
use super::driver::{self, CUevent, CUresult, CUstream};
use super::graph::CudaGraph;
use super::module::CudaFunction;
use crate::{Event, Function, GpuError, Graph, Grid, LaunchKind, Result, Rows, Stream};
use std::ffi::{c_uint, c_void};
use std::sync::Arc;

/// A non-blocking stream of the library, or a stream of the program.
pub(super) struct CudaStream {
    context: Arc<Context>,
    raw: CUstream,
    is_ours: bool,
}

// SAFETY: a stream handle may be used from any thread.
unsafe impl Send for CudaStream {}
// SAFETY: the driver synchronises calls on one stream.
unsafe impl Sync for CudaStream {}

impl CudaStream {
    pub(super) fn create(context: &Arc<Context>) -> Result<Self> {
        let mut raw: CUstream = std::ptr::null_mut();
        let flags = driver::CU_STREAM_NON_BLOCKING;
        // SAFETY: the pointer is valid; the stream is destroyed in `drop`.
        check(unsafe { driver::cuStreamCreate(&mut raw, flags) }, || "create a stream".into())?;
        Ok(Self { context: context.clone(), raw, is_ours: true })
    }

    pub(super) fn create_urgent(context: &Arc<Context>) -> Result<Self> {
        let (mut least, mut greatest) = (0, 0);
        let mut raw: CUstream = std::ptr::null_mut();
        // SAFETY: the pointers are valid.
        let asked = unsafe { driver::cuCtxGetStreamPriorityRange(&mut least, &mut greatest) };
        check(asked, || "query the priorities of streams".into())?;
        let flags = driver::CU_STREAM_NON_BLOCKING;
        // SAFETY: the pointer is valid; the stream is destroyed in `drop`.
        let made = unsafe { driver::cuStreamCreateWithPriority(&mut raw, flags, greatest) };
        check(made, || format!("create a stream of priority {greatest}"))?;
        Ok(Self { context: context.clone(), raw, is_ours: true })
    }

    /// Wraps a stream of the program, which stays the owner.
    pub(super) fn adopt(context: &Arc<Context>, raw: CUstream) -> Self {
        Self { context: context.clone(), raw, is_ours: false }
    }
}

/// Copies of at least this many bytes need no special form.
const ONE_ROW: u64 = 64 << 10;

impl Stream for CudaStream {
    unsafe fn copy(&self, dst: u64, src: u64, bytes: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the caller guarantees that both ranges are valid until the copy has finished.
        check(unsafe { driver::cuMemcpyAsync(dst, src, bytes as usize, self.raw) }, || {
            format!("copy {bytes} bytes from {src:#x} to {dst:#x}")
        })
    }

    unsafe fn copy_in_rows(&self, dst: u64, src: u64, bytes: u64) -> Result<()> {
        // The driver sends short copies that consist of one row through the instruction stream of the multiprocessors.
        let mut all = Rows::of_elements(dst, src, bytes).filter(|_| bytes < ONE_ROW).peekable();
        // SAFETY: the rows make up the copy; the caller guarantees that both ranges are valid until it has finished.
        unsafe {
            if all.peek().is_none() {
                return self.copy(dst, src, bytes);
            }
            all.try_for_each(|rows| self.copy_rows(&rows))
        }
    }

    unsafe fn copy_rows(&self, rows: &Rows) -> Result<()> {
        let _entered = self.context.enter()?;
        let copy = driver::CUDA_MEMCPY2D::of(rows);
        // SAFETY: the caller guarantees that all rows are valid until the copy has finished.
        check(unsafe { driver::cuMemcpy2DAsync_v2(&copy, self.raw) }, || format!("copy {rows:x?}"))
    }

    unsafe fn set_word(&self, address: u64, value: u64, bytes: u64) -> Result<()> {
        if bytes == 8 {
            // SAFETY: the caller guarantees that the word is valid and aligned.
            return unsafe { self.write_word(address, value) };
        }
        let _entered = self.context.enter()?;
        let flags = driver::CU_STREAM_WRITE_VALUE_DEFAULT;
        // SAFETY: the stream is alive, and the caller guarantees that the word is valid and aligned.
        check(unsafe { driver::cuStreamWriteValue32_v2(self.raw, address, value as u32, flags) }, || {
            format!("let a stream write {value} to {address:#x}")
        })
    }

    unsafe fn write_word(&self, address: u64, value: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        // Without flags, the driver puts a fence of system scope before the write.
        let flags = driver::CU_STREAM_WRITE_VALUE_DEFAULT;
        // SAFETY: the stream is alive, and the caller guarantees that the word is valid and aligned.
        check(unsafe { driver::cuStreamWriteValue64_v2(self.raw, address, value, flags) }, || {
            format!("let a stream write {value} to {address:#x}")
        })
    }

    unsafe fn set_and_write(&self, (address, value, bytes): (u64, u64, u64), word: u64, report: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        let write = |operation, address, value| driver::CUstreamBatchMemOpParams {
            operation,
            address,
            value,
            flags: driver::CU_STREAM_WRITE_VALUE_DEFAULT,
            ..Default::default()
        };
        let set = match bytes {
            8 => driver::CU_STREAM_MEM_OP_WRITE_VALUE_64,
            _ => driver::CU_STREAM_MEM_OP_WRITE_VALUE_32,
        };
        let mut all = [write(set, address, value), write(driver::CU_STREAM_MEM_OP_WRITE_VALUE_64, word, report)];
        // SAFETY: the stream is alive, and the caller guarantees that both words are valid and aligned.
        check(unsafe { driver::cuStreamBatchMemOp_v2(self.raw, 2, all.as_mut_ptr(), 0) }, || {
            format!("let a stream write {value} to {address:#x} and {report} to {word:#x}")
        })
    }

    unsafe fn wait_word(&self, address: u64, value: u64) -> Result<()> {
        let _entered = self.context.enter()?;
        let flags = driver::CU_STREAM_WAIT_VALUE_GEQ;
        // SAFETY: the stream is alive, and the caller guarantees that the word is valid and aligned.
        check(unsafe { driver::cuStreamWaitValue64_v2(self.raw, address, value, flags) }, || {
            format!("let a stream wait for {value} at {address:#x}")
        })
    }

    unsafe fn launch(
        &self,
        kernel: &dyn Function,
        grid: &Grid,
        kind: LaunchKind,
        args: &[*const c_void],
    ) -> Result<()> {
        let _entered = self.context.enter()?;
        let kernel = kernel.as_any().downcast_ref::<CudaFunction>();
        let kernel = kernel.ok_or_else(|| GpuError::new("launch a kernel", "it was loaded on another kind of GPU"))?;
        let operation = || format!("launch {} with {:?} blocks of {:?} lanes", kernel.name, grid.blocks, grid.threads);
        let ([bx, by, bz], [tx, ty, tz]) = (grid.blocks, grid.threads);
        let shared = grid.shared_bytes;
        kernel.allow_shared(shared)?;
        let args = args.as_ptr().cast_mut().cast::<*mut c_void>();
        // SAFETY: the caller guarantees that the arguments match the kernel; the driver reads them before it returns.
        let status = unsafe {
            match kind {
                LaunchKind::Plain => {
                    let none = std::ptr::null_mut();
                    driver::cuLaunchKernel(kernel.raw, bx, by, bz, tx, ty, tz, shared, self.raw, args, none)
                }
                LaunchKind::Cooperative => {
                    driver::cuLaunchCooperativeKernel(kernel.raw, bx, by, bz, tx, ty, tz, shared, self.raw, args)
                }
            }
        };
        if status == CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE {
            let fit = kernel.max_resident_blocks(grid.threads_per_block() as u32, shared)?;
            let cause = format!("all its blocks must be resident together, and {fit} of this size are");
            return Err(GpuError::new(operation(), cause));
        }
        check(status, operation)
    }

    fn wait_for(&self, other: &dyn Stream) -> Result<()> {
        let _entered = self.context.enter()?;
        let operation = || "make a stream wait for another".into();
        let other = other.as_any().downcast_ref::<Self>();
        let other = other.ok_or_else(|| GpuError::new(operation(), "that one belongs to another kind of GPU"))?;
        // If the event is destroyed, the driver keeps what a wait needs of it.
        let event = CudaEvent::record(&self.context, other.raw, driver::CU_EVENT_DISABLE_TIMING)?;
        // SAFETY: event and stream are alive.
        check(unsafe { driver::cuStreamWaitEvent(self.raw, event.raw, 0) }, operation)
    }

    fn is_captured(&self) -> Result<bool> {
        let _entered = self.context.enter()?;
        let mut status = 0;
        // SAFETY: the stream is alive, and the pointer valid.
        check(unsafe { driver::cuStreamIsCapturing(self.raw, &mut status) }, || {
            "query whether a stream is being captured".into()
        })?;
        Ok(status != driver::CU_STREAM_CAPTURE_STATUS_NONE)
    }

    fn begin_capture(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        let mode = driver::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream is alive.
        check(unsafe { driver::cuStreamBeginCapture_v2(self.raw, mode) }, || "capture a stream".into())
    }

    fn end_capture(&self) -> Result<Arc<dyn Graph>> {
        let _entered = self.context.enter()?;
        let mut recorded: driver::CUgraph = std::ptr::null_mut();
        // SAFETY: the stream is alive, and the pointer valid.
        let ended = unsafe { driver::cuStreamEndCapture(self.raw, &mut recorded) };
        check(ended, || "end the capture of a stream".into())?;
        // SAFETY: the driver has just created the graph.
        Ok(Arc::new(unsafe { CudaGraph::create(&self.context, recorded)? }))
    }

    fn synchronize(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the stream is alive.
        check(unsafe { driver::cuStreamSynchronize(self.raw) }, || "wait for a stream".into())
    }

    fn is_idle(&self) -> Result<bool> {
        let _entered = self.context.enter()?;
        // SAFETY: the stream is alive.
        match unsafe { driver::cuStreamQuery(self.raw) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            status => check(status, || "query a stream".into()).map(|()| true),
        }
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        let _entered = self.context.enter()?;
        Ok(Arc::new(CudaEvent::record(&self.context, self.raw, 0)?))
    }

    fn raw(&self) -> usize {
        self.raw.addr()
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Drop for CudaStream {
    fn drop(&mut self) {
        if !self.is_ours {
            return;
        }
        // SAFETY: the stream is ours; the driver lets work that is still in it finish.
        let _ = unsafe { driver::cuStreamDestroy_v2(self.raw) };
    }
}

/// A recorded event.
struct CudaEvent {
    context: Arc<Context>,
    raw: CUevent,
}

// SAFETY: an event handle may be used from any thread.
unsafe impl Send for CudaEvent {}
// SAFETY: the driver synchronises calls on one event.
unsafe impl Sync for CudaEvent {}

impl CudaEvent {
    /// Records a new event at the current end of a live stream. The caller has entered the context.
    fn record(context: &Arc<Context>, stream: CUstream, flags: c_uint) -> Result<Self> {
        let mut raw: CUevent = std::ptr::null_mut();
        // SAFETY: the pointer is valid; the event is destroyed in `drop`.
        check(unsafe { driver::cuEventCreate(&mut raw, flags) }, || "create an event".into())?;
        let event = Self { context: context.clone(), raw };
        // SAFETY: event and stream are alive.
        check(unsafe { driver::cuEventRecord(raw, stream) }, || "record an event".into())?;
        Ok(event)
    }
}

impl Event for CudaEvent {
    fn synchronize(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the event is alive.
        check(unsafe { driver::cuEventSynchronize(self.raw) }, || "wait for an event".into())
    }

    fn is_passed(&self) -> Result<bool> {
        let _entered = self.context.enter()?;
        // SAFETY: the event is alive.
        match unsafe { driver::cuEventQuery(self.raw) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            status => check(status, || "query an event".into()).map(|()| true),
        }
    }

    fn elapsed_ms(&self, earlier: &dyn Event) -> Result<f32> {
        let _entered = self.context.enter()?;
        let operation = || String::from("measure between two events");
        let earlier = earlier.as_any().downcast_ref::<CudaEvent>();
        let earlier = earlier.ok_or_else(|| GpuError::new(operation(), "they belong to different kinds of GPU"))?;
        let mut ms = 0.0;
        // SAFETY: both events are alive.
        check(unsafe { driver::cuEventElapsedTime(&mut ms, earlier.raw, self.raw) }, operation)?;
        Ok(ms)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Drop for CudaEvent {
    fn drop(&mut self) {
        // SAFETY: the event is ours.
        let _ = unsafe { driver::cuEventDestroy_v2(self.raw) };
    }
}
