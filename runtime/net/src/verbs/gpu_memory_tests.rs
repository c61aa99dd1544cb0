//! GPU memory with a device of tests, whose bus holds writes back until something reads from their destination.

use super::super::mock::{self, Machine};
use super::super::sys::*;
use super::*;
use crate::fabric::{Fabric, Post, Tag};
use crate::verbs::{Verbs, VerbsSettings};
use crate::{Operation, WordOp};
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const HOST: u32 = 1;
const GPU: u32 = 2;
/// The destinations on the bus of the device of tests.
const TO_HOST: usize = 0;
const TO_GPU: usize = 1;
const PAGE: usize = 4096;
const WORDS: usize = 4 * PAGE / 8;
const LIMIT: Duration = Duration::from_secs(60);

/// Memory that begins with a page.
#[repr(C, align(4096))]
struct Pages([AtomicU64; WORDS]);

fn pages() -> Box<Pages> {
    Box::new(Pages(std::array::from_fn(|_| AtomicU64::new(0))))
}

impl Pages {
    fn address(&self) -> usize {
        self.0.as_ptr().expose_provenance()
    }

    fn range(&self) -> Range<usize> {
        self.address()..self.address() + size_of::<Self>()
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at / 8].load(Ordering::Acquire)
    }
}

/// What stands for a dma-buf.
fn buffer() -> OwnedFd {
    std::fs::File::open("/dev/null").expect("open").into()
}

fn gpu_memory(offset: u64, keeps_order: bool) -> GpuMemory {
    GpuMemory { dma_buf: Ok((buffer(), offset)), keeps_order }
}

fn open() -> Verbs {
    let settings = VerbsSettings {
        library: mock::NAME.to_owned(),
        device: String::new(),
        address: "127.0.0.1".to_owned(),
        gpu: None,
    };
    Verbs::open(&settings).expect("open")
}

fn local(memory: &Pages, at: usize, bytes: usize) -> Local {
    Local { at: 0, address: memory.address() + at, bytes, file: None }
}

/// One process that posts, and one that has host memory and a GPU.
struct Rig {
    machine: Machine,
    here: Verbs,
    there: Verbs,
    ticket: u64,
    over: Vec<(Tag, Result<(), String>)>,
    // Dropped last: the others use them.
    host: Box<Pages>,
    gpu: Box<Pages>,
}

impl Rig {
    fn new(keeps_order: bool) -> Self {
        let (machine, host, gpu) = (Machine::here(), pages(), pages());
        machine.lock().gpu = gpu.range();
        let [mut here, mut there] = [open(), open()];
        let names = [here.name(), there.name()];
        [&mut here, &mut there].into_iter().for_each(|side| side.peers(&names).expect("names"));
        // SAFETY: the pages outlive the processes.
        let cards = unsafe {
            [
                (HOST, there.register(HOST, 0, local(&host, 0, size_of::<Pages>()))),
                (GPU, there.register_gpu(GPU, 0, local(&gpu, 0, size_of::<Pages>()), gpu_memory(0, keeps_order))),
            ]
        };
        for (region, card) in cards {
            here.learn(1, region, 0, &card.expect("register")).expect("learn");
        }
        let mut rig = Self { machine, here, there, ticket: 0, over: Vec::new(), host, gpu };
        rig.run(9, HOST, 0, set(0));
        rig.machine.lock().posted.clear();
        rig.machine.lock().is_slow = [true; 2];
        rig
    }

    fn post(&mut self, lane: u32, region: u32, at: u64, operation: Operation) -> Tag {
        self.ticket += 1;
        let (tag, start) = (Tag { lane, ticket: self.ticket }, Instant::now());
        let work = Work { peer: 1, region, at, operation, delivery_complete: false };
        loop {
            // SAFETY: the memory of tests outlives the rig's operations.
            match unsafe { self.here.post(&work, tag) } {
                Post::Taken => return tag,
                Post::Later => self.poll(),
                Post::Refused(why) => panic!("{why}"),
            }
            assert!(start.elapsed() < LIMIT, "{work:?}");
        }
    }

    fn poll(&mut self) {
        let over = &mut self.over;
        self.here.poll(&mut |tag, outcome| over.push((tag, outcome.map_err(|failure| failure.why))));
    }

    fn finish(&mut self, tag: Tag) {
        let start = Instant::now();
        loop {
            if let Some((_, outcome)) = self.over.iter().find(|(other, _)| *other == tag) {
                assert_eq!(outcome, &Ok(()));
                return;
            }
            self.poll();
            assert!(start.elapsed() < LIMIT, "{tag:?}");
        }
    }

    fn run(&mut self, lane: u32, region: u32, at: u64, operation: Operation) {
        let tag = self.post(lane, region, at, operation);
        self.finish(tag);
    }

    /// The opcodes and fences of what was posted since the last call.
    fn posted(&self) -> Vec<(i32, bool)> {
        let posted = std::mem::take(&mut self.machine.lock().posted);
        posted.iter().map(|request| (request.opcode, request.flags & IBV_SEND_FENCE != 0)).collect()
    }
}

fn set(value: u64) -> Operation {
    Operation::Set { width: 8, value, ordered: true }
}

fn put(source: &[u64]) -> Operation {
    Operation::Put { from: source.as_ptr().expose_provenance(), bytes: size_of_val(source), ordered: false }
}

fn get(to: &mut [u64]) -> Operation {
    Operation::Get { to: to.as_mut_ptr().expose_provenance(), bytes: size_of_val(to) }
}

const READ: (i32, bool) = (IBV_WR_RDMA_READ, false);
const WRITE: (i32, bool) = (IBV_WR_RDMA_WRITE, false);
const FENCED: (i32, bool) = (IBV_WR_RDMA_WRITE, true);

/// Catches a signal in host memory that is there before the data that it announces are on the GPU, whether it is posted
/// while these are under way or later, and the other way round.
#[test]
fn what_announces_data_of_the_other_destination_comes_behind_them() {
    for ((data, word), (to, is_later)) in [
        ((GPU, HOST), (TO_HOST, false)),
        ((GPU, HOST), (TO_HOST, true)),
        ((HOST, GPU), (TO_GPU, false)),
        ((HOST, GPU), (TO_GPU, true)),
    ] {
        let mut rig = Rig::new(true);
        let source = [7; 100];
        let first = rig.post(0, data, 800, put(&source));
        if is_later {
            rig.finish(first);
        }
        rig.run(0, word, 8, set(1));
        // Whoever looks may find the word now.
        rig.machine.lock().arrive_first(to);
        let memory = |region| if region == GPU { &rig.gpu } else { &rig.host };
        assert_eq!(memory(word).load(8), 1);
        assert_eq!(memory(data).load(800), 7, "{data} {word} {is_later}");
        assert_eq!(rig.posted(), [WRITE, READ, FENCED], "{data} {word} {is_later}");
    }
}

/// Catches a quiet that ends before its puts have arrived on the GPU: it gets a word of host memory.
#[test]
fn a_get_of_host_memory_shows_what_was_put_to_the_gpu() {
    let mut rig = Rig::new(true);
    let (source, mut found) = ([7; 100], [0]);
    rig.run(0, GPU, 800, put(&source));
    assert_eq!(rig.gpu.load(800), 0, "it is on the bus");
    rig.run(0, HOST, 0, get(&mut found));
    assert_eq!(rig.gpu.load(800), 7);
    assert_eq!(rig.posted(), [WRITE, READ, READ]);
    // It is read back once; but what is behind the get may overtake it.
    rig.run(0, HOST, 0, get(&mut found));
    rig.run(0, HOST, 8, set(1));
    rig.run(0, HOST, 16, set(2));
    assert_eq!(rig.posted(), [READ, FENCED, WRITE]);
}

/// Catches a put that overtakes the read back in front of a get: the device may execute it first.
#[test]
fn what_is_behind_a_get_does_not_overtake_what_it_reads_back() {
    let mut rig = Rig::new(true);
    rig.machine.lock().is_slow = [false, true];
    rig.machine.lock().is_stopped = true;
    let (source, mut found) = ([7; 100], [0]);
    rig.post(0, GPU, 800, put(&source));
    rig.post(0, HOST, 0, get(&mut found));
    rig.post(0, HOST, 8, put(&[1]));
    rig.poll();
    let requests = rig.machine.lock().posted.len();
    assert_eq!(requests, 4);
    rig.machine.lock().start();
    assert_eq!((rig.host.load(8), rig.gpu.load(800)), (1, 7));
    assert_eq!(rig.posted(), [WRITE, READ, READ, FENCED]);
}

/// On the GPU alone, what it says of order decides whether a word needs something in front of it.
#[test]
fn a_word_on_the_gpu_is_behind_data_there() {
    for keeps_order in [true, false] {
        let mut rig = Rig::new(keeps_order);
        let source = [7; 100];
        rig.run(0, GPU, 800, put(&source));
        rig.run(0, GPU, 8, set(1));
        let expected: &[_] = if keeps_order { &[WRITE, WRITE] } else { &[WRITE, READ, FENCED] };
        assert_eq!(rig.posted(), expected);
        // A kernel that looks finds them in order, if the GPU keeps it.
        match keeps_order {
            true => rig.machine.lock().arrive_first(TO_GPU),
            false => rig.machine.lock().arrive_last(TO_GPU),
        }
        assert_eq!(rig.gpu.load(800), 7, "{keeps_order}");
    }
}

/// Catches an atomic operation, of the device or in a loop, that is executed in front of data on the GPU.
#[test]
fn atomic_operations_come_behind_what_was_put_to_the_gpu() {
    for op in [WordOp::Add, WordOp::Or] {
        let mut rig = Rig::new(true);
        rig.machine.lock().is_slow = [false, true];
        let source = [7; 100];
        rig.post(0, GPU, 800, put(&source));
        rig.run(0, HOST, 8, Operation::Amo { op, width: 8, operand: 1, condition: 0, to: 0 });
        assert_eq!((rig.host.load(8), rig.gpu.load(800)), (1, 7), "{op:?}");
    }
}

/// Host memory alone costs nothing more, and lanes have nothing to do with each other.
#[test]
fn what_needs_no_order_gets_none() {
    let mut rig = Rig::new(true);
    let (source, mut found) = ([7; 100], [0]);
    rig.run(0, HOST, 800, put(&source));
    rig.run(0, HOST, 8, set(1));
    rig.run(0, HOST, 8, get(&mut found));
    assert_eq!(rig.posted(), [WRITE, WRITE, READ]);
    rig.run(1, GPU, 800, put(&source));
    rig.run(0, HOST, 8, set(1));
    assert_eq!(rig.posted(), [WRITE, WRITE]);
    rig.run(1, GPU, 800, get(&mut found));
    assert_eq!((found, rig.posted()), ([7], vec![READ]));
    rig.here.forget_lane(1);
    rig.run(1, HOST, 8, set(1));
    assert_eq!(rig.posted(), [WRITE]);
    // What a get has shown is not read back once more, be it long forgotten; but nothing overtakes that get.
    rig.run(2, HOST, 800, put(&source));
    rig.run(2, HOST, 8, get(&mut found));
    rig.run(2, GPU, 800, put(&source));
    assert_eq!(rig.posted(), [WRITE, READ, FENCED]);
}

/// Catches a byte that is read back from memory that nobody has any more.
#[test]
fn forgotten_memory_is_not_read_back() {
    let mut rig = Rig::new(true);
    let source = [7; 100];
    rig.run(0, GPU, 800, put(&source));
    rig.here.forget(GPU, 0);
    rig.there.forget(GPU, 0);
    rig.run(0, HOST, 8, set(1));
    assert_eq!(rig.posted(), [WRITE, FENCED]);
}

/// Catches a byte that is read back for an operation that is refused, and that nobody waits for then.
#[test]
fn nothing_is_read_back_for_what_is_refused() {
    let mut rig = Rig::new(true);
    let (source, private) = ([7; 100], pages());
    rig.run(0, GPU, 800, put(&source));
    rig.posted();
    // The device takes neither this memory nor its address.
    rig.machine.lock().gpu = private.range();
    rig.machine.lock().takes_gpu_addresses = false;
    let long = Operation::Put { from: private.address(), bytes: size_of::<Pages>(), ordered: false };
    let work = Work { peer: 1, region: HOST, at: 0, operation: long, delivery_complete: false };
    // SAFETY: the source outlives the operation.
    match unsafe { rig.here.post(&work, Tag { lane: 0, ticket: 1000 }) } {
        Post::Refused(why) => assert!(why.starts_with("mock0 refuses 16384 bytes of memory"), "{why}"),
        other => panic!("{other:?}"),
    }
    rig.poll();
    assert_eq!(rig.posted(), []);
    // The peer is used, and the next operation is still in order.
    rig.run(0, HOST, 8, set(1));
    assert_eq!(rig.posted(), [READ, FENCED]);
}

/// The first piece decides: a dma-buf, an address, or nothing, and why.
#[test]
fn the_first_piece_decides_how_gpu_memory_is_registered() {
    let no_buffer = "the driver exports no dma-buf";
    let refused = "mock0 refuses a dma-buf of 4096 bytes: Operation not supported (os error 95)";
    let by_address = "the device reads and writes it, registered by its address (no dma-buf: ";
    for (has_buffer, takes_buffer, takes_address, call, line) in [
        (
            true,
            true,
            true,
            "reg_dmabuf_mr 0x1000 4096 15",
            "the device reads and writes it, registered by a dma-buf".to_owned(),
        ),
        (
            true,
            true,
            false,
            "reg_dmabuf_mr 0x1000 4096 15",
            "the device reads and writes it, registered by a dma-buf".to_owned(),
        ),
        (true, false, true, "reg_mr", format!("{by_address}{refused})")),
        (false, true, true, "reg_mr", format!("{by_address}{no_buffer})")),
        (
            false,
            true,
            false,
            "",
            format!("{no_buffer}; by its address: mock0 refuses 4096 bytes of memory: Bad address"),
        ),
        (true, false, false, "", format!("{refused}; by its address: mock0 refuses 4096 bytes of memory: Bad address")),
    ] {
        let (machine, gpu) = (Machine::here(), pages());
        machine.lock().gpu = gpu.range();
        let mut side = open();
        assert!(side.explanation().contains("GPU memory: registered by a dma-buf, else by its address, else staged"));
        machine.lock().takes_dma_buf = takes_buffer;
        machine.lock().takes_gpu_addresses = takes_address;
        let calls = machine.lock().calls.len();
        let mut register = |piece: u32, at: usize| {
            let mut memory = gpu_memory(at as u64, true);
            if !has_buffer {
                memory.dma_buf = Err(no_buffer.to_owned());
            }
            // SAFETY: the pages outlive the process.
            unsafe { side.register_gpu(GPU, piece, local(&gpu, at, PAGE), memory) }
        };
        let first = register(0, PAGE);
        let made = machine.lock().calls[calls..].to_vec();
        match call {
            "" => assert!(first.is_err() && made.is_empty(), "{made:?}"),
            call => assert!(first.is_ok() && made.len() == 1 && made[0].starts_with(call), "{made:?}"),
        }
        // The way stays, also for memory that would have another.
        machine.lock().takes_dma_buf = true;
        machine.lock().takes_gpu_addresses = true;
        let second = register(1, 2 * PAGE);
        let made = machine.lock().calls[calls..].to_vec();
        assert_eq!(second.is_ok(), first.is_ok(), "{second:?}");
        assert_eq!(made.len(), if call.is_empty() { 0 } else { 2 }, "{made:?}");
        let name = |call: &str| call.split(' ').next().unwrap_or_default().to_owned();
        assert!(made.iter().all(|made| name(made) == name(call)), "{made:?}");
        let text = side.explanation();
        let last = text.lines().last().expect("a line");
        assert!(last.contains(&line), "{last}");
    }
}

/// Catches a descriptor that stays open behind a registration, and one that is closed in front of it.
#[test]
fn the_descriptor_of_a_dma_buf_is_closed_when_it_is_registered() {
    let (machine, gpu) = (Machine::here(), pages());
    machine.lock().gpu = gpu.range();
    let mut side = open();
    let (reader, writer) = nix::unistd::pipe().expect("a pipe");
    let memory = GpuMemory { dma_buf: Ok((writer, 0)), keeps_order: true };
    // SAFETY: the pages outlive the process.
    unsafe { side.register_gpu(GPU, 0, local(&gpu, 0, PAGE), memory) }.expect("register");
    // Nobody can write any more.
    assert_eq!(nix::unistd::read(&reader, &mut [0]), Ok(0));
}

/// A process with two devices registers GPU memory with both, or with none.
#[test]
fn each_device_of_a_process_registers_gpu_memory() {
    let (machine, gpu) = (Machine::here(), pages());
    machine.lock().gpu = gpu.range();
    let mut side = crate::Rails::new(vec![open(), open()]);
    let calls = machine.lock().calls.len();
    let (reader, writer) = nix::unistd::pipe().expect("a pipe");
    let memory = GpuMemory { dma_buf: Ok((writer, 0)), keeps_order: true };
    // SAFETY: the pages outlive the process.
    unsafe { side.register_gpu(GPU, 0, local(&gpu, 0, PAGE), memory) }.expect("register");
    let made = machine.lock().calls[calls..].to_vec();
    assert!(made.len() == 2 && made.iter().all(|call| call.starts_with("reg_dmabuf_mr 0x0 ")), "{made:?}");
    assert_eq!(nix::unistd::read(&reader, &mut [0]), Ok(0), "all copies of the descriptor are closed");
    let second = || (local(&gpu, PAGE, PAGE), gpu_memory(PAGE as u64, true));
    let (memory, of_gpu) = second();
    // SAFETY: as above.
    unsafe { side.rails[1].register_gpu(GPU, 1, memory, of_gpu) }.expect("register");
    let (memory, of_gpu) = second();
    // SAFETY: as above.
    let why = unsafe { side.register_gpu(GPU, 1, memory, of_gpu) }.expect_err("the second device has it");
    assert_eq!(why, "piece 1 of region 2 is registered already");
    side.rails[1].forget(GPU, 1);
    let (memory, of_gpu) = second();
    // SAFETY: as above.
    unsafe { side.register_gpu(GPU, 1, memory, of_gpu) }.expect("the first device has forgotten it");
}

/// Memory that starts inside a page is at the same place in its page as in the dma-buf; another offset is refused, and
/// then the address is taken.
#[test]
fn a_wrong_offset_is_refused() {
    let (machine, gpu) = (Machine::here(), pages());
    machine.lock().gpu = gpu.range();
    let mut side = open();
    let mut register = |piece: u32, at: usize, offset: u64| {
        // SAFETY: the pages outlive the process.
        unsafe { side.register_gpu(GPU, piece, local(&gpu, at, 64), gpu_memory(offset, true)) }
    };
    assert!(register(0, PAGE + 512, PAGE as u64 + 512).is_ok());
    let why = register(1, PAGE + 640, PAGE as u64).expect_err("it is another offset");
    assert_eq!(why, "mock0 refuses a dma-buf of 64 bytes: Invalid argument (os error 22)");
    // The piece that was refused is not there.
    assert!(register(1, PAGE + 640, PAGE as u64 + 640).is_ok());
    assert!(register(1, PAGE + 768, PAGE as u64 + 768).expect_err("it is there").contains("is registered already"));
}

/// Catches bytes on the GPU that the CPU copies: the local ends of short operations are in GPU memory too.
#[test]
fn the_device_reads_and_writes_local_ends_on_the_gpu() {
    let (machine, here_gpu, gpu) = (Machine::here(), pages(), pages());
    let [mut here, mut there] = [open(), open()];
    let names = [here.name(), there.name()];
    [&mut here, &mut there].into_iter().for_each(|side| side.peers(&names).expect("names"));
    // SAFETY: the pages outlive the processes.
    let card = unsafe {
        machine.lock().gpu = here_gpu.range();
        // Two pieces that meet, as a heap that has grown.
        for piece in [0, 1] {
            let at = piece as usize * PAGE;
            here.register_gpu(GPU, piece, local(&here_gpu, at, PAGE), gpu_memory(at as u64, true)).expect("register");
        }
        machine.lock().gpu = gpu.range();
        there.register_gpu(GPU, 0, local(&gpu, 0, size_of::<Pages>()), gpu_memory(0, true)).expect("register")
    };
    here.learn(1, GPU, 0, &card).expect("learn");
    let (host, machine_of) = (pages(), machine.clone());
    let mut rig = Rig { machine, here, there, ticket: 0, over: Vec::new(), host, gpu };
    for (at, bytes) in [(0, 8), (64, 48), (512, 2048), (PAGE - 24, 48), (PAGE - 4, 8), (16, 2 * PAGE - 32)] {
        machine_of.lock().posted.clear();
        let (from, to) = (here_gpu.address() + at, 0);
        rig.run(0, GPU, to, Operation::Put { from, bytes, ordered: false });
        rig.run(0, GPU, to, Operation::Get { to: from, bytes });
        let range = here_gpu.range();
        let posted = std::mem::take(&mut machine_of.lock().posted);
        assert!(posted.iter().all(|request| range.contains(&(request.local as usize))), "{at} {bytes}: {posted:?}");
        assert!(posted.iter().all(|request| request.flags & IBV_SEND_INLINE == 0), "{at} {bytes}");
        let all: usize = posted.iter().map(|request| request.bytes).sum();
        assert_eq!(all, 2 * bytes, "{at} {bytes}");
    }
}
