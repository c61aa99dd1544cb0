use super::arguments::Arguments;
use super::copy::copy;
use super::device::{Device, Place, is_forked};
use super::exec::{self, Launch};
use super::module::SoftFunction;
use super::queue::{Operation, Queue};
use super::window::Window;
use crate::{Event, Function, GpuError, Graph, Grid, LaunchKind, Result, Rows, Stream};
use std::any::Any;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The shortest and the longest pause between two looks at a word for which a stream waits.
const PARKED: (Duration, Duration) = (Duration::from_micros(20), Duration::from_millis(1));

/// The next handle. 1 and 2 stand for particular streams in CUDA.
static NEXT_HANDLE: AtomicUsize = AtomicUsize::new(0x100);

/// A queue and the thread that carries out its operations. Dropping it waits for everything that was enqueued.
pub(super) struct SoftStream {
    /// What a program passes to name it: 0 for the default stream. No other stream of the process ever has it.
    handle: usize,
    device: Arc<Device>,
    queue: Arc<Queue>,
    worker: Option<JoinHandle<()>>,
    /// The recording into which the stream was captured last.
    recording: Mutex<Option<Recording>>,
}

/// What the streams of one graph have recorded since the capture started, in the order of the calls; `None` when the
/// capture has ended.
type Recording = Arc<Mutex<Option<Vec<Operation>>>>;

impl SoftStream {
    /// Creates a stream with a handle of its own.
    pub fn create(device: &Arc<Device>, window: &'static Window) -> Result<Self> {
        // Relaxed: only the number matters.
        Self::with_handle(NEXT_HANDLE.fetch_add(0x10, Ordering::Relaxed), device, window)
    }

    /// Creates the default stream.
    pub fn create_default(device: &Arc<Device>, window: &'static Window) -> Result<Self> {
        Self::with_handle(0, device, window)
    }

    fn with_handle(handle: usize, device: &Arc<Device>, window: &'static Window) -> Result<Self> {
        let queue = Arc::<Queue>::default();
        let worker = {
            let (device, queue) = (device.clone(), queue.clone());
            let thread = Builder::new().name("cushmem-stream".to_owned());
            cushmem_thread::start(thread, move || work(&device, &queue, window))
                .map_err(|e| GpuError::new("create a stream", format!("starting its thread failed: {e}")))?
        };
        device.add_queue(&queue);
        Ok(Self { handle, device: device.clone(), queue, worker: Some(worker), recording: Mutex::default() })
    }

    /// Returns the recording into which this stream is being captured.
    fn recording(&self) -> Option<Recording> {
        let last = lock(&self.recording).clone();
        last.filter(|recording| lock(recording).is_some())
    }

    fn enqueue(&self, operation: Operation) {
        self.enqueue_all([operation]);
    }

    /// Enqueues operations in direct succession.
    fn enqueue_all(&self, operations: impl IntoIterator<Item = Operation>) {
        let recording = self.recording();
        match recording.as_deref().map(lock).as_deref_mut() {
            Some(Some(recorded)) => recorded.extend(operations),
            _ => operations.into_iter().for_each(|operation| {
                self.queue.push(operation);
            }),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(device: &Device, queue: &Queue, window: &Window) {
    exec::prepare_thread();
    while let Some(operation) = queue.next() {
        // After an error nothing runs any more, but events still pass, so that no thread waits for ever.
        match operation {
            Operation::Mark(time) => drop(time.set(Instant::now())),
            Operation::After { queue, position } => queue.wait_for(position),
            _ if device.has_failed() => {}
            Operation::Copy(rows) => {
                let (Rows { dst, src, .. }, [to, from]) = (rows, rows.spans());
                let checked = window.check_range(src, from).and_then(|()| window.check_range(dst, to));
                match checked {
                    // The driver may copy rows in any order, and pause between them.
                    Ok(()) => (0..rows.count).rev().for_each(|row| {
                        // SAFETY: device ranges are mapped, as was just checked; host ranges are valid by the contract
                        // of Stream::copy.
                        unsafe { copy(dst + row * rows.dst_step, src + row * rows.src_step, rows.width) }
                        if row == 1 {
                            thread::yield_now();
                        }
                    }),
                    Err(cause) => device.fail(format!("a copy to {dst:#x} from {src:#x} failed: {cause}")),
                }
            }
            Operation::Write { address, value } => {
                // SAFETY: by the contract of Stream::write_word, the word is valid and only used as an atomic.
                let word = unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(address as usize)) };
                // SYNC(copies-done) release: pairs with the acquire of any thread that waits for the word; orders the
                // copies before it.
                word.store(value, Ordering::Release);
            }
            Operation::Wait { address, value } => {
                let there = cushmem_abi::soft::resolve(address) as usize;
                // SAFETY: by the contract of Stream::wait_word, the word is valid and only changed atomically.
                let word = unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(there)) };
                // SYNC(device-word) acquire: pairs with the fences of lanes before they change the word.
                let start = Instant::now();
                while word.load(Ordering::Acquire) < value && !device.has_failed() {
                    // Nobody wakes this thread. A fraction of the time waited so far lengthens the wait only a little,
                    // and many streams that wait long leave the cores to others.
                    thread::sleep((start.elapsed() / 16).clamp(PARKED.0, PARKED.1));
                }
            }
            Operation::Set { address, value, bytes } => match window.check_range(address, bytes) {
                // SAFETY: the range is mapped, as was just checked, and the value has as many bytes.
                Ok(()) => unsafe { copy(address, (&raw const value).expose_provenance() as u64, bytes) },
                Err(cause) => device.fail(format!("a write of {address:#x} failed: {cause}")),
            },
            Operation::Launch(launch) => {
                let _place = Place::take();
                // SAFETY: the caller of Stream::launch guarantees that the arguments match the kernel and satisfy its
                // contract.
                if let Err(cause) = unsafe { exec::run(&launch) } {
                    device.fail(cause);
                }
            }
        }
        queue.complete();
    }
}

impl Stream for SoftStream {
    unsafe fn copy(&self, dst: u64, src: u64, bytes: u64) -> Result<()> {
        // SAFETY: the caller guarantees that both ranges are valid until the copy has finished.
        unsafe { self.copy_rows(&Rows { dst, src, dst_step: bytes, src_step: bytes, width: bytes, count: 1 }) }
    }

    unsafe fn copy_rows(&self, rows: &Rows) -> Result<()> {
        let &Rows { dst, src, dst_step, src_step, width, count } = rows;
        let operation = || match count {
            1 => format!("copy {width} bytes to {dst:#x} from {src:#x}"),
            _ => format!("copy {rows:x?}"),
        };
        self.device.check(operation)?;
        if count == 0 || dst_step.min(src_step) < width || (count > 1 && dst_step.max(src_step) > Rows::MOST_STEP) {
            return Err(GpuError::new(operation(), "invalid argument: the distance of rows"));
        }
        for (address, bytes) in [dst, src].into_iter().zip(rows.spans()) {
            self.device.registered.check_copy(address, bytes).map_err(|cause| GpuError::new(operation(), cause))?;
        }
        self.enqueue(Operation::Copy(*rows));
        Ok(())
    }

    unsafe fn copy_in_rows(&self, dst: u64, src: u64, bytes: u64) -> Result<()> {
        // In rows whatever the length, because the length up to which the driver needs rows may change.
        let mut all = Rows::of_elements(dst, src, bytes).peekable();
        // SAFETY: the rows make up the copy; the caller guarantees that both ranges are valid until it has finished.
        unsafe {
            if all.peek().is_none() {
                return self.copy(dst, src, bytes);
            }
            all.try_for_each(|rows| self.copy_rows(&rows))
        }
    }

    unsafe fn set_word(&self, address: u64, value: u64, bytes: u64) -> Result<()> {
        self.device.check(|| format!("let a stream write {value} to {address:#x}"))?;
        self.enqueue(Operation::Set { address, value, bytes });
        Ok(())
    }

    unsafe fn write_word(&self, address: u64, value: u64) -> Result<()> {
        self.device.check(|| format!("let a stream write {value} to {address:#x}"))?;
        self.enqueue(Operation::Write { address, value });
        Ok(())
    }

    unsafe fn set_and_write(&self, (address, value, bytes): (u64, u64, u64), word: u64, report: u64) -> Result<()> {
        // SAFETY: the caller guarantees what both need.
        unsafe {
            self.set_word(address, value, bytes)?;
            self.write_word(word, report)
        }
    }

    unsafe fn wait_word(&self, address: u64, value: u64) -> Result<()> {
        self.device.check(|| format!("let a stream wait for {value} at {address:#x}"))?;
        self.enqueue(Operation::Wait { address, value });
        Ok(())
    }

    unsafe fn launch(
        &self,
        kernel: &dyn Function,
        grid: &Grid,
        kind: LaunchKind,
        args: &[*const c_void],
    ) -> Result<()> {
        let Some(kernel) = kernel.as_any().downcast_ref::<SoftFunction>() else {
            return Err(GpuError::new("launch a kernel", "it was loaded on a GPU that is not emulated"));
        };
        let operation = || format!("launch kernel {}", kernel.kernel.name);
        self.device.check(operation)?;
        kernel.check_shape(grid, kind).map_err(|e| GpuError::new(operation(), e))?;
        let bytes = kernel.kernel.parameter_bytes;
        if args.len() != bytes.len() {
            let cause = format!("it takes {} arguments, {} were given", bytes.len(), args.len());
            return Err(GpuError::new(operation(), cause));
        }
        // SAFETY: the caller guarantees that `args` points to the kernel's parameters.
        let arguments = unsafe { Arguments::capture(args, bytes) };
        self.enqueue(Operation::Launch(Arc::new(Launch { kernel: kernel.clone(), grid: *grid, kind, arguments })));
        Ok(())
    }

    fn wait_for(&self, other: &dyn Stream) -> Result<()> {
        let operation = || "make a stream wait for another".to_owned();
        self.device.check(operation)?;
        let other = other.as_any().downcast_ref::<Self>();
        let other =
            other.ok_or_else(|| GpuError::new(operation(), "that one belongs to a GPU that is not emulated"))?;
        match other.recording() {
            Some(theirs) if self.recording().is_some_and(|own| !Arc::ptr_eq(&own, &theirs)) => {
                return Err(GpuError::new(operation(), "both are being captured, each into its own graph"));
            }
            // The recording is in the order of the calls, which already respects every order that the graph asks for.
            Some(recording) => *lock(&self.recording) = Some(recording),
            None if self.is_captured()? => {
                return Err(GpuError::new(operation(), "it is being captured, and that one is not"));
            }
            None => self.enqueue(Operation::After { queue: other.queue.clone(), position: other.queue.submitted() }),
        }
        Ok(())
    }

    fn begin_capture(&self) -> Result<()> {
        let operation = "capture a stream";
        self.device.check(|| operation.to_owned())?;
        if self.is_captured()? {
            return Err(GpuError::new(operation, "it is being captured already"));
        }
        *lock(&self.recording) = Some(Arc::new(Mutex::new(Some(vec![]))));
        Ok(())
    }

    fn end_capture(&self) -> Result<Arc<dyn Graph>> {
        let recorded = self.recording().and_then(|recording| lock(&recording).take());
        let not_captured = || GpuError::new("end the capture of a stream", "it is not being captured");
        let recorded = recorded.ok_or_else(not_captured)?;
        Ok(Arc::new(SoftGraph { device: self.device.clone(), recorded }))
    }

    fn is_captured(&self) -> Result<bool> {
        Ok(self.recording().is_some())
    }

    fn synchronize(&self) -> Result<()> {
        let operation = || "synchronize a stream".to_owned();
        self.device.check(operation)?;
        self.queue.wait_for(self.queue.submitted());
        self.device.check(operation)
    }

    fn is_idle(&self) -> Result<bool> {
        self.device.check(|| "query a stream".to_owned())?;
        Ok(self.queue.has_passed(self.queue.submitted()))
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        self.device.check(|| "record an event".to_owned())?;
        if self.is_captured()? {
            return Err(GpuError::new("record an event", "the stream is being captured"));
        }
        let time = Arc::<OnceLock<Instant>>::default();
        let position = self.queue.push(Operation::Mark(time.clone()));
        Ok(Arc::new(SoftEvent { device: self.device.clone(), queue: self.queue.clone(), position, time }))
    }

    fn raw(&self) -> usize {
        self.handle
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a stream recorded while it was captured.
struct SoftGraph {
    device: Arc<Device>,
    recorded: Vec<Operation>,
}

impl Graph for SoftGraph {
    unsafe fn launch(&self, stream: &dyn Stream) -> Result<()> {
        let operation = || "launch a graph".to_owned();
        self.device.check(operation)?;
        let stream = stream.as_any().downcast_ref::<SoftStream>();
        let stream = stream.ok_or_else(|| GpuError::new(operation(), "it was captured on another kind of GPU"))?;
        stream.enqueue_all(self.recorded.iter().cloned());
        Ok(())
    }
}

impl Drop for SoftStream {
    fn drop(&mut self) {
        // A forked child does not have the worker, which may have held the queue's lock.
        if is_forked() {
            return;
        }
        self.queue.close();
        if let Some(worker) = self.worker.take() {
            // The panic hook has already reported a panic of the worker.
            let _ = worker.join();
        }
    }
}

struct SoftEvent {
    device: Arc<Device>,
    queue: Arc<Queue>,
    position: u64,
    time: Arc<OnceLock<Instant>>,
}

impl Event for SoftEvent {
    fn synchronize(&self) -> Result<()> {
        let operation = || "synchronize an event".to_owned();
        self.device.check(operation)?;
        self.queue.wait_for(self.position);
        self.device.check(operation)
    }

    fn is_passed(&self) -> Result<bool> {
        self.device.check(|| "query an event".to_owned())?;
        Ok(self.time.get().is_some())
    }

    fn elapsed_ms(&self, earlier: &dyn Event) -> Result<f32> {
        let operation = "measure the time between two events";
        self.device.check(|| operation.to_owned())?;
        let earlier = earlier
            .as_any()
            .downcast_ref::<Self>()
            .ok_or_else(|| GpuError::new(operation, "the earlier one belongs to a GPU that is not emulated"))?;
        match (earlier.time.get(), self.time.get()) {
            // Streams run side by side, so `earlier` may turn out to be the later one. Then the time is negative, as in
            // CUDA.
            (Some(from), Some(to)) if to >= from => Ok((*to - *from).as_secs_f32() * 1e3),
            (Some(from), Some(to)) => Ok((*from - *to).as_secs_f32() * -1e3),
            _ => Err(GpuError::new(operation, "it has not completed yet")),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
