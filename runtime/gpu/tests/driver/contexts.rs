//! Copies in a context of the library's own, while the program's kernels spin and the program's thread is in a driver
//! call that may wait for them. In the program's context, such copies wait as well. If the kernels wait for the copies,
//! that is a deadlock.
//!
//! The test starts a process for each number of hardware queues. It prints a line for each call and each copy or other
//! call of the library. Copies of memory that the program allocated with `cuMemAlloc` are only printed, not judged:
//! while the program's thread is in a call that waits for kernels, the driver holds them back in any context.

use cushmem_gpu::cuda::driver::{self, CUdeviceptr, CUmodule, CUresult, CUstream};
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::{Function, Gpu, Grid, LaunchKind, Stream};
use libloading::Library;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::os::fd::AsFd;
use std::process::Command;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use xtask::left_out::record;

const NAME: &str = "gpu::copies_pass_calls_of_the_program";
const QUEUES: &str = "CUDA_DEVICE_MAX_CONNECTIONS";
/// The number of the program's streams; a kernel spins in each.
const STREAMS: usize = 64;
/// How long a copy may take. Kernels give up later, so a copy that waits for them is found.
const COPY_LIMIT: Duration = Duration::from_secs(2);
const KERNEL_LIMIT: Duration = Duration::from_secs(3);
/// How long copies are repeated after the program's thread has announced its call, because nobody can see when it is
/// inside.
const REPEATED: Duration = Duration::from_millis(60);
const BYTES: u64 = 64 << 10;
const LAZY: usize = 16;

const SPIN: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 words, .param .u64 limit) {
    .reg .pred %p<3>;
    .reg .u64 %d<8>;
    ld.param.u64 %d1, [words];
    ld.param.u64 %d2, [limit];
    mov.u64 %d3, %globaltimer;
    mov.u64 %d4, 1;
    st.relaxed.sys.u64 [%d1 + 8], %d4;
again:
    ld.relaxed.sys.u64 %d5, [%d1];
    setp.ne.u64 %p1, %d5, 0;
    @%p1 bra over;
    mov.u64 %d6, %globaltimer;
    sub.u64 %d6, %d6, %d3;
    setp.lt.u64 %p2, %d6, %d2;
    @%p2 bra again;
over:
    ret;
}
";

/// The call that the program's thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Nothing,
    MemFree,
    MemFreeHost,
    MemHostUnregister,
    ModuleLoadData,
    FirstLaunchLoadedLazily,
    CtxSynchronize,
    CaptureOfAStream,
    MemCreateAndMap,
}

const CALLS: [Call; 9] = [
    Call::Nothing,
    Call::MemFree,
    Call::MemFreeHost,
    Call::MemHostUnregister,
    Call::ModuleLoadData,
    Call::FirstLaunchLoadedLazily,
    Call::CtxSynchronize,
    Call::CaptureOfAStream,
    Call::MemCreateAndMap,
];

/// Functions that the library does not call.
struct More {
    alloc_host: unsafe extern "C" fn(*mut *mut c_void, usize) -> CUresult,
    free_host: unsafe extern "C" fn(*mut c_void) -> CUresult,
    begin_capture: unsafe extern "C" fn(CUstream, c_int) -> CUresult,
    end_capture: unsafe extern "C" fn(CUstream, *mut *mut c_void) -> CUresult,
    destroy_graph: unsafe extern "C" fn(*mut c_void) -> CUresult,
}

impl More {
    fn open() -> Self {
        // SAFETY: the driver is open already.
        let library: &'static Library =
            Box::leak(Box::new(unsafe { Library::new("libcuda.so.1") }.expect("the driver")));
        // SAFETY: the types are those of `cuda.h` for these names.
        unsafe {
            Self {
                alloc_host: *library.get(b"cuMemAllocHost_v2\0").expect("a function"),
                free_host: *library.get(b"cuMemFreeHost\0").expect("a function"),
                begin_capture: *library.get(b"cuStreamBeginCapture_v2\0").expect("a function"),
                end_capture: *library.get(b"cuStreamEndCapture\0").expect("a function"),
                destroy_graph: *library.get(b"cuGraphDestroy\0").expect("a function"),
            }
        }
    }
}

fn done(status: CUresult) {
    assert_eq!(status, CUresult::CUDA_SUCCESS);
}

/// Pages that are registered with the GPU.
struct Pages {
    address: u64,
}

impl Pages {
    fn register(gpu: &dyn Gpu, bytes: u64) -> Self {
        let layout = std::alloc::Layout::from_size_align(bytes as usize, 1 << 16).expect("a layout");
        // SAFETY: the layout is not empty. The memory is never given back.
        let address = unsafe { std::alloc::alloc_zeroed(layout) } as u64;
        gpu.register_host(address, bytes).expect("register host memory");
        Self { address }
    }

    fn word(&self, index: usize) -> &'static AtomicU64 {
        // SAFETY: the memory is aligned and lives for ever, and these words of it are only used as atomics.
        unsafe { AtomicU64::from_ptr((self.address as *mut u64).add(index)) }
    }

    /// Sets all words of a buffer that is not being copied.
    fn fill(&self, value: u64) {
        (0..BYTES as usize / 8).for_each(|at| self.word(at).store(value, Ordering::Relaxed));
    }

    fn is_filled(&self, value: u64, bytes: u64) -> bool {
        (0..bytes as usize / 8).all(|at| self.word(at).load(Ordering::Relaxed) == value)
    }
}

/// A task of the library's thread.
struct Way {
    name: &'static str,
    task: Task,
    /// Whether it must end while the program's thread is in a call. This holds for symmetric memory, which is mapped
    /// with `cuMemMap`.
    must_come: bool,
}

enum Task {
    /// Copies this many bytes from the host, between places in device memory, and back to the host.
    Copies(u64, Vec<CUdeviceptr>),
    /// Asks what lies at an address.
    Question(CUdeviceptr),
    /// Asks whether its stream is idle.
    IsIdle,
    /// Pins pages.
    Pin,
}

/// The library's side.
struct Own {
    gpu: Arc<dyn Gpu>,
    stream: Arc<dyn Stream>,
    /// What is copied in, what came out, and a word that shows that a copy is done.
    source: Pages,
    target: Pages,
    flag: Pages,
    copies: u64,
}

impl Own {
    /// Returns how long the copy and a word behind it took, or `None` if they did not arrive in time.
    fn copy(&mut self, dst: u64, src: u64, bytes: u64) -> Option<Duration> {
        self.copies += 1;
        let (flag, start) = (self.flag.word(0), Instant::now());
        // SAFETY: both ranges and the word live for ever.
        unsafe {
            self.stream.copy(dst, src, bytes).expect("copy");
            self.stream.write_word(flag.as_ptr() as u64, self.copies).expect("write a word");
        }
        while flag.load(Ordering::Acquire) != self.copies {
            if start.elapsed() > COPY_LIMIT {
                return None;
            }
            std::hint::spin_loop();
        }
        Some(start.elapsed())
    }

    /// Carries out the task once. Returns the time of each copy or call, or which one did not end in time.
    fn go(&mut self, task: &Task) -> Result<Vec<Duration>, usize> {
        let start = Instant::now();
        match task {
            Task::Copies(bytes, places) => return self.copy_through(places, *bytes),
            Task::Question(address) => assert!(self.gpu.device_range(*address, BYTES).is_some(), "it is of the GPU"),
            Task::IsIdle => drop(self.stream.is_idle().expect("the stream works")),
            Task::Pin => drop(Pages::register(&*self.gpu, 4096)),
        }
        Some(vec![start.elapsed()]).filter(|took| took[0] < COPY_LIMIT).ok_or(0)
    }

    /// Sends new data all the way. Returns the time of each copy, or which copy did not arrive.
    fn copy_through(&mut self, places: &[CUdeviceptr], bytes: u64) -> Result<Vec<Duration>, usize> {
        let value = self.copies + 1;
        self.source.fill(value);
        let ends = [&[self.source.address], places, &[self.target.address]].concat();
        let copies = ends.windows(2).enumerate().map(|(at, ends)| self.copy(ends[1], ends[0], bytes).ok_or(at));
        let took = copies.collect::<Result<Vec<_>, _>>()?;
        assert!(self.target.is_filled(value, bytes), "other data came");
        Ok(took)
    }
}

/// The program's side.
struct Program {
    gpu: Arc<CudaGpu>,
    more: More,
    streams: Vec<Arc<dyn Stream>>,
    spin: Arc<dyn Function>,
    lazy: Vec<Arc<dyn Function>>,
    /// Words of the kernels: one tells them to end, one shows that a kernel has started.
    words: Pages,
    calls: Cell<usize>,
}

impl Program {
    fn launch(&self, stream: &dyn Stream, kernel: &dyn Function, args: &[*const c_void]) {
        let grid = Grid::linear(1, 1);
        // SAFETY: the arguments are those of the kernel.
        unsafe { stream.launch(kernel, &grid, LaunchKind::Plain, args) }.expect("launch");
    }

    fn start_spinning(&self) {
        (0..2).for_each(|word| self.words.word(word).store(0, Ordering::SeqCst));
        let (words, limit) = (self.words.address, KERNEL_LIMIT.as_nanos() as u64);
        for stream in &self.streams {
            self.launch(&**stream, &*self.spin, &[(&raw const words).cast(), (&raw const limit).cast()]);
        }
        let start = Instant::now();
        while self.words.word(1).load(Ordering::Acquire) == 0 {
            assert!(start.elapsed() < COPY_LIMIT, "no kernel starts");
        }
    }

    /// Prepares what the call needs, and returns the call.
    fn prepare<'a>(&'a self, call: Call, copies_are_done: &'a AtomicBool) -> Box<dyn FnOnce() + 'a> {
        let number = self.calls.replace(self.calls.get() + 1);
        let gpu = &self.gpu;
        match call {
            Call::Nothing => Box::new(|| {}),
            Call::MemFree => {
                let address = gpu.alloc(4 << 20).expect("device memory");
                Box::new(move || gpu.free(address).expect("free"))
            }
            Call::MemFreeHost => {
                let mut address = ptr::null_mut();
                // SAFETY: the pointer is valid.
                done(unsafe { (self.more.alloc_host)(&mut address, 4 << 20) });
                // SAFETY: allocated above.
                Box::new(move || done(unsafe { (self.more.free_host)(address) }))
            }
            Call::MemHostUnregister => {
                let pages = Pages::register(&**gpu, 4 << 20);
                Box::new(move || gpu.unregister_host(pages.address).expect("unregister"))
            }
            Call::ModuleLoadData => {
                let text = format!("{}\0", SPIN.replace("spin", &format!("other{}", number)));
                Box::new(move || {
                    let mut module: CUmodule = ptr::null_mut();
                    let none = (ptr::null_mut(), ptr::null_mut());
                    // SAFETY: the text ends with a zero byte; there are no options.
                    done(unsafe { driver::cuModuleLoadDataEx(&mut module, text.as_ptr().cast(), 0, none.0, none.1) });
                })
            }
            Call::FirstLaunchLoadedLazily => {
                let kernel = &self.lazy[number % LAZY];
                Box::new(move || self.launch(&*self.streams[0], &**kernel, &[]))
            }
            Call::CtxSynchronize => Box::new(|| gpu.synchronize().expect("synchronise")),
            Call::CaptureOfAStream => {
                let stream = gpu.create_stream().expect("a stream");
                Box::new(move || {
                    let raw = ptr::with_exposed_provenance_mut(stream.raw());
                    let mut graph = ptr::null_mut();
                    // SAFETY: the stream is alive. The mode, 0, forbids dangerous calls to all threads.
                    done(unsafe { (self.more.begin_capture)(raw, 0) });
                    let start = Instant::now();
                    while !copies_are_done.load(Ordering::Acquire) && start.elapsed() < KERNEL_LIMIT {
                        std::thread::yield_now();
                    }
                    // SAFETY: the pointer is valid, and the graph is ours.
                    unsafe {
                        done((self.more.end_capture)(raw, &mut graph));
                        done((self.more.destroy_graph)(graph));
                    }
                })
            }
            Call::MemCreateAndMap => Box::new(|| {
                map(&**gpu, &**gpu);
            }),
        }
    }
}

/// Memory of `owner`, mapped for `user`.
fn map(user: &dyn Gpu, owner: &dyn Gpu) -> u64 {
    let bytes = user.properties().granularity.max(owner.properties().granularity);
    let address = user.reserve(bytes, bytes).expect("reserve addresses");
    let mut chunk = owner.create_chunk(bytes).expect("make a chunk");
    if user.properties().ordinal != owner.properties().ordinal {
        let fd = chunk.share().expect("share a chunk");
        chunk = user.import_chunk(fd.as_fd(), bytes).expect("take a chunk");
    }
    user.map_chunk(address, &chunk).expect("map a chunk");
    address
}

/// Returns the first `LAZY` kernels of a module that does nothing.
fn idle_kernels(gpu: &dyn Gpu) -> Vec<Arc<dyn Function>> {
    let entries: String = (0..LAZY).map(|at| format!(".visible .entry idle{at}() {{ ret; }}\n")).collect();
    let text = format!(".version 7.0\n.target sm_70\n.address_size 64\n{entries}");
    let module = gpu.load_other("idle", text.as_bytes(), None).expect("load kernels");
    (0..LAZY).map(|at| module.function(&format!("idle{at}")).expect("a kernel")).collect()
}

/// Prints a line for each pair of call and task. Fails if a copy that must arrive did not arrive in time.
fn measure(queues: &str) {
    let gpu = CudaGpu::open(0).expect("the GPU opens");
    let own = gpu.in_own_context().expect("a context of its own");
    let module = gpu.load_other("spin", SPIN.as_bytes(), None).expect("load a kernel");
    let program = Program {
        more: More::open(),
        streams: (0..STREAMS).map(|_| gpu.create_stream().expect("a stream")).collect(),
        spin: module.function("spin").expect("the kernel"),
        lazy: idle_kernels(&*gpu),
        words: Pages::register(&*gpu, 1 << 16),
        calls: Cell::new(0),
        gpu: gpu.clone(),
    };
    let mut library = Own {
        stream: own.create_stream().expect("a stream"),
        gpu: own.clone(),
        source: Pages::register(&*gpu, BYTES),
        target: Pages::register(&*gpu, BYTES),
        flag: Pages::register(&*own, 1 << 16),
        copies: 0,
    };
    let (mapped, other) = (map(&*gpu, &*gpu), gpu.alloc(BYTES).expect("device memory"));
    let mut ways = vec![
        Way { name: "64 KiB", task: Task::Copies(BYTES, vec![mapped]), must_come: true },
        Way { name: "8 bytes", task: Task::Copies(8, vec![mapped]), must_come: true },
        Way { name: "64 KiB, by cuMemAlloc", task: Task::Copies(BYTES, vec![other]), must_come: false },
        Way { name: "question about mapped memory", task: Task::Question(mapped), must_come: false },
        Way { name: "question about memory by cuMemAlloc", task: Task::Question(other), must_come: false },
        Way { name: "question whether a stream is idle", task: Task::IsIdle, must_come: false },
        Way { name: "pinning", task: Task::Pin, must_come: false },
    ];
    let mut others =
        (1..cuda::device_count().expect("there are GPUs")).map(|at| CudaGpu::open(at).expect("the GPU opens"));
    let peer = others.find(|peer| gpu.can_reach(&peer.properties().uuid).is_ok());
    match &peer {
        Some(peer) => {
            let places = vec![mapped, map(&*gpu, &**peer)];
            ways.push(Way { name: "64 KiB, by a peer", task: Task::Copies(BYTES, places), must_come: true })
        }
        None => println!("copies to a peer: this GPU reaches no other one"),
    }
    let mut late = Vec::new();
    for (call, way) in CALLS.into_iter().flat_map(|call| ways.iter().map(move |way| (call, way))) {
        let [calling, has_returned, copies_are_done] = [const { AtomicBool::new(false) }; 3];
        let action = program.prepare(call, &copies_are_done);
        program.start_spinning();
        let go = program.words.word(0);
        let (outcome, rounds, inside) = std::thread::scope(|scope| {
            let copier = scope.spawn(|| {
                while !calling.load(Ordering::Acquire) {
                    std::hint::spin_loop();
                }
                let (start, mut rounds, mut outcome) = (Instant::now(), 0, Ok(Vec::new()));
                while start.elapsed() < REPEATED && outcome.is_ok() {
                    outcome = library.go(&way.task).map(|took| longest(outcome.unwrap_or_default(), took));
                    rounds += 1;
                }
                let inside = !has_returned.load(Ordering::Acquire);
                copies_are_done.store(true, Ordering::Release);
                go.store(1, Ordering::Release);
                (outcome, rounds, inside)
            });
            calling.store(true, Ordering::Release);
            action();
            has_returned.store(true, Ordering::Release);
            copier.join().expect("the copies are right")
        });
        gpu.synchronize().expect("the kernels end");
        library.stream.synchronize().expect("the copies end");
        let call_did = if inside { "the call went on" } else { "the call had returned" };
        let row = format!("{queues:>2} queues, {call:?}, {}", way.name);
        match outcome {
            Ok(longest) => println!("{row}: {rounds} times, the longest of each copy {longest:.0?}; {call_did}"),
            Err(at) => {
                println!("{row}: BLOCKED in step {at}; {call_did}");
                if way.must_come {
                    late.push(row);
                }
            }
        }
        // Otherwise nothing waits for the kernels, and the trial proves nothing.
        assert!(call != Call::CtxSynchronize || inside, "the kernels did not spin");
    }
    assert!(late.is_empty(), "copies waited for the kernels:\n{}", late.join("\n"));
    println!("{queues:>2} queues: all copies came that must");
}

fn longest(known: Vec<Duration>, new: Vec<Duration>) -> Vec<Duration> {
    if known.is_empty() {
        return new;
    }
    known.into_iter().zip(new).map(|(a, b)| a.max(b)).collect()
}

/// Ends the process if something without a limit of its own hangs.
fn end_after(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        eprintln!("{NAME} still runs after {limit:?}");
        std::process::abort();
    });
}

/// Catches a copy in the library's own context that waits for a kernel because the program's thread is in a driver
/// call.
#[test]
fn copies_pass_calls_of_the_program() {
    if super::is_other_process() {
        end_after(Duration::from_secs(240));
        return measure(&std::env::var(QUEUES).expect("the number of queues is set"));
    }
    if let Err(why) = cuda::device_count() {
        return record(NAME, &why);
    }
    let mut failed = Vec::new();
    for queues in ["1", "8", "32"] {
        let mut command = Command::new(std::env::current_exe().expect("a test knows its own path"));
        command.args(["--exact", "contexts::copies_pass_calls_of_the_program", "--nocapture", "--test-threads=1"]);
        // As lazily as a program may have it: the first launch of a kernel then loads it.
        command.env(super::ROLE, "yes").env(QUEUES, queues).env("CUDA_MODULE_LOADING", "LAZY");
        let out = command.output().expect("this program starts");
        let (said, complaints) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        println!("{said}");
        if !out.status.success() || !said.contains("all copies came that must") {
            failed.push(format!("{queues} queues: {}\n{complaints}", out.status));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
