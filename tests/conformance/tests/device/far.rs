//! What kernels ask the CPU for in a job with PEs that are not mapped. The tests use the emulated GPU, a hand-made
//! context, and a stand-in for the proxy that records commands and answers them.

use crate::routes::{ALL, Alone, GPU, HOST, Job, WORD};
use cushmem::{DevPtr, DeviceTeam, Kernel};
use cushmem_abi::{
    CHUNK_BYTES, CommandHead, CommandKind, ContextDone, ErrorCode, ErrorRecord, HostRing, RING_CHUNKS, RING_CONTEXTS,
    RING_REPLIES, RING_SLOTS, SLOT_BYTES, SLOT_WORDS, WordKind, WordOp,
};
use cushmem_conformance_kernels as kernels;
use cushmem_device::{Cmp, KernelArgs};
use cushmem_gpu::Grid;
use cushmem_numbers::mixed;
use cushmem_protocol::ring::{self, Chunks, Reader, Taking, encode_reply};
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A command as the CPU reads it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Said {
    pub(crate) pe: u32,
    pub(crate) kind: u8,
    pub(crate) width: u8,
    pub(crate) arguments: [u64; 3],
    /// Whether the lane waits for a reply.
    pub(crate) replies: bool,
    /// The data that it carries, or the rest of its arguments.
    pub(crate) data: Vec<u8>,
}

impl Said {
    pub(crate) fn new(kind: CommandKind, width: u8, pe: u32, arguments: [u64; 3]) -> Self {
        Self { kind: kind.number(), width, pe, arguments, replies: false, data: vec![] }
    }

    /// A put whose bytes are in a chunk.
    fn in_chunk(pe: u32, to: u64, data: &[u8]) -> Self {
        Self { data: data.to_vec(), ..Self::new(CommandKind::PutChunk, 0, pe, [to, 0, data.len() as u64]) }
    }

    /// A put that carries its bytes, in the slot if they fit.
    pub(crate) fn carrying(pe: u32, to: u64, data: &[u8]) -> Self {
        if data.len() > SLOT_BYTES {
            return Self::in_chunk(pe, to, data);
        }
        Self { data: data.to_vec(), ..Self::new(CommandKind::PutHere, data.len() as u8, pe, [to, 0, 0]) }
    }

    pub(crate) fn with_reply(self) -> Self {
        Self { replies: true, ..self }
    }
}

/// The CPU's side of a ring.
struct Cpu {
    ring: usize,
    reader: Reader,
    chunks: Chunks<RING_CHUNKS>,
}

impl Cpu {
    fn word(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: this is an aligned word of the ring, which the tests keep.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(self.ring + offset)) }
    }

    /// Takes the commands that have arrived. `found` gives the replies.
    fn take(&mut self, said: &mut Vec<Said>, found: fn(&Said) -> u64) -> bool {
        let mut reader = std::mem::take(&mut self.reader);
        let taken = reader.take(self);
        reader.publish(self);
        self.reader = reader;
        let Some((ticket, command)) = taken else { return false };
        let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
        assert!(usize::from(context) < RING_CONTEXTS, "{command:?}");
        let [a, b, c, mut reply, ..] = command.arguments;
        let mut this = Said { pe, kind, width, arguments: [a, b, c], replies: false, data: vec![] };
        if kind == CommandKind::PutHere.number() {
            let words = command.arguments[1..].iter();
            this.data = words.flat_map(|word| word.to_ne_bytes()).collect();
            let rest = this.data.split_off(width.into());
            assert!(rest.iter().all(|byte| *byte == 0), "{command:?}");
            (this.arguments, reply) = ([a, 0, 0], 0);
        } else if [CommandKind::Iput, CommandKind::Iget].map(CommandKind::number).contains(&kind) {
            this.data = command.arguments[4..].iter().flat_map(|word| word.to_ne_bytes()).collect();
        } else {
            assert_eq!(command.arguments[4..], [0; 3], "{command:?}");
        }
        if kind == CommandKind::PutChunk.number() {
            let chunk = self.chunks.take(b).unwrap_or_else(|| panic!("no lane has chunk {b}"));
            let at = self.ring + offset_of!(HostRing, chunks) + chunk * CHUNK_BYTES;
            assert!(c as usize <= CHUNK_BYTES, "{command:?}");
            // SAFETY: these are the bytes of a chunk, which lanes have stored before the command.
            this.data =
                unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(at), c as usize) }.to_vec();
            this.arguments[1] = 0;
            let freed = self.chunks.free(chunk);
            // Release: as the proxy does.
            self.word(offset_of!(HostRing, freed)).store(freed, Ordering::Release);
        } else if kind == CommandKind::GetChunk.number() {
            let chunk = self.chunks.take(b).unwrap_or_else(|| panic!("no lane has chunk {b}"));
            // It replies below.
            self.chunks.lend(chunk);
            this.arguments[1] = 0;
        } else if kind == CommandKind::FreeChunk.number() {
            let freed = self.chunks.give_back(b).unwrap_or_else(|| panic!("chunk {b} was not lent"));
            // Release: as the proxy does.
            self.word(offset_of!(HostRing, freed)).store(freed, Ordering::Release);
            this.arguments[1] = 0;
        }
        this.replies = reply != 0;
        said.push(this.clone());
        if let Some(reply) = reply.checked_sub(1) {
            let at = offset_of!(HostRing, replies) + (reply % RING_REPLIES as u64) as usize * 16;
            for (i, word) in encode_reply(found(&this), reply, RING_REPLIES as u64).into_iter().enumerate() {
                // Release: as the proxy does.
                self.word(at + 8 * i).store(word, Ordering::Release);
            }
        }
        let done = offset_of!(HostRing, done) + usize::from(context) * size_of::<ContextDone>();
        // Release: as the proxy does.
        self.word(done).store(ticket + 1, Ordering::Release);
        true
    }

    /// Serves commands until it is told that the kernel has ended.
    fn serve(&mut self, ended: &AtomicBool, found: fn(&Said) -> u64) -> Vec<Said> {
        let (mut said, deadline) = (vec![], Instant::now() + Duration::from_secs(60));
        loop {
            let was_over = ended.load(Ordering::Acquire);
            if !self.take(&mut said, found) {
                if was_over {
                    return said;
                }
                assert!(Instant::now() < deadline, "the kernel has not ended; it said {said:?}");
                std::thread::yield_now();
            }
        }
    }
}

impl Taking for Cpu {
    fn slots(&self) -> u64 {
        RING_SLOTS as u64
    }
    fn words(&self, slot: u64, lap: u64) -> Option<[u64; ring::WORDS]> {
        let at = offset_of!(HostRing, slots) + slot as usize * 8 * SLOT_WORDS;
        ring::words_of(|word| self.word(at + 8 * word).load(Ordering::Acquire), lap)
    }
    fn publish_read(&self, tickets: u64) {
        self.word(offset_of!(HostRing, read)).store(tickets, Ordering::Release);
    }
}

/// PE 0 of four. Nothing of PE 1 is reached, PE 2 is mapped like PE 0 itself, and only the host memory of PE 3 is
/// mapped.
pub(crate) struct Far {
    pub(crate) alone: Alone,
    cpu: Cpu,
}

impl Far {
    pub(crate) fn new() -> Self {
        Self::of(Job { far: 1, ..Job::of_four([ALL, 0, ALL, HOST]) })
    }

    pub(crate) fn of(job: Job) -> Self {
        let alone = Alone::new(job);
        let ring = alone.context.ring as usize;
        Self { alone, cpu: Cpu { ring, reader: Reader::default(), chunks: Chunks::default() } }
    }

    /// Runs a kernel. Returns the error record if it gave up, and its commands, in the order of PEs, kinds and
    /// addresses.
    fn run<K: Kernel>(&mut self, kernel: K, grid: Grid, args: K::Args) -> (Option<ErrorRecord>, Vec<Said>)
    where
        K::Args: KernelArgs,
    {
        self.run_with(kernel, grid, args, |_| 0)
    }

    fn run_with<K: Kernel>(
        &mut self,
        kernel: K,
        grid: Grid,
        args: K::Args,
        found: fn(&Said) -> u64,
    ) -> (Option<ErrorRecord>, Vec<Said>) {
        let (ended, cpu) = (AtomicBool::new(false), &mut self.cpu);
        let (record, mut said) = std::thread::scope(|scope| {
            let cpu = scope.spawn(|| cpu.serve(&ended, found));
            let record = self.alone.run(kernel, grid, args);
            ended.store(true, Ordering::Release);
            (record, cpu.join().expect("the stand-in for the CPU"))
        });
        said.sort_unstable();
        (record, said)
    }

    /// Runs a kernel that succeeds; returns what it asked for.
    pub(crate) fn said<K: Kernel>(&mut self, kernel: K, grid: Grid, args: K::Args) -> Vec<Said> {
        let (record, said) = self.run(kernel, grid, args);
        assert_eq!(record, None, "{}", K::NAME);
        said
    }

    /// What the kernels have asked for that nobody has taken.
    pub(crate) fn posted(&mut self) -> Vec<Said> {
        let mut said = vec![];
        while self.cpu.take(&mut said, |_| 0) {}
        said
    }

    /// Runs a kernel that gives up; returns its error.
    pub(crate) fn refused<K: Kernel>(
        &mut self,
        kernel: K,
        grid: Grid,
        args: K::Args,
    ) -> (Option<ErrorCode>, ErrorRecord) {
        let (record, said) = self.run(kernel, grid, args);
        let record = record.unwrap_or_else(|| panic!("{} goes on: {said:?}", K::NAME));
        assert_eq!(said, [], "what is refused is not posted");
        (ErrorCode::from_u32(record.code), record)
    }
}

pub(crate) fn one() -> Grid {
    Grid::linear(1, 1)
}

/// The size in bytes of the words in each part of the kernels that use words of all types.
const WIDTHS: [u64; kernels::PARTS] = [1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 8];

/// Catches a word of any type that is cut, or that goes to another address or PE, alone or with those of its warp, and
/// a mapped PE that is not reached directly.
#[test]
fn p_and_g_of_words_of_every_type() {
    const LANES: u64 = 33;
    let mut far = Far::new();
    let words = (kernels::PART_BYTES * kernels::PARTS) as u64;
    let (here, there) = (WORD + 16384, WORD + 32768);
    let values: Vec<u64> = (0..words / 8).map(mixed).collect();
    far.alone.write(0, here, &values);
    let of = |at: u64, width: u64| values[(at / 8) as usize] >> (8 * (at % 8)) & (u64::MAX >> (64 - 8 * width));
    let all = || {
        WIDTHS.iter().enumerate().flat_map(|(part, width)| {
            (0..LANES).map(move |lane| (part as u64 * kernels::PART_BYTES as u64 + lane * width, *width))
        })
    };
    for object in [far.alone.objects::<u8>(there).0, far.alone.objects::<u8>(1024).1] {
        let src = far.alone.objects(here).0;
        let said = far.said(kernels::p_words, Grid::linear(1, LANES as u32), (object, src, 1));
        // The words of a whole warp travel together, and the word of the lane after it travels alone.
        let mut expected = vec![];
        for (part, width) in WIDTHS.iter().enumerate() {
            let (first, bytes) = (part as u64 * kernels::PART_BYTES as u64, 32 * *width);
            let data: Vec<u8> = (first..first + bytes).map(|at| of(at, 1) as u8).collect();
            expected.push(Said::in_chunk(1, object.address() + first, &data));
            let (at, width) = (first + bytes, *width);
            expected.push(Said::new(
                CommandKind::Word(WordOp::Set),
                width as u8,
                1,
                [object.address() + at, of(at, width), 0],
            ));
        }
        expected.sort_unstable();
        assert_eq!(said, expected);

        let dst = far.alone.objects::<u8>(there).0;
        let found = |said: &Said| mixed(said.arguments[0]);
        let (record, said) = far.run_with(kernels::g_words, Grid::linear(1, LANES as u32), (dst, object, 1), found);
        let mut expected: Vec<_> = all()
            .map(|(at, width)| {
                Said::new(CommandKind::Word(WordOp::Fetch), width as u8, 1, [object.address() + at, 0, 0]).with_reply()
            })
            .collect();
        expected.sort_unstable();
        assert_eq!((record, said), (None, expected));
        for (at, width) in all() {
            let word = far.alone.read(0, there + at / 8 * 8) >> (8 * (at % 8)) & (u64::MAX >> (64 - 8 * width));
            assert_eq!(word, mixed(object.address() + at) & (u64::MAX >> (64 - 8 * width)), "{at}, {width} bytes");
        }
    }
    let (dst, src) = (far.alone.objects(there).0, far.alone.objects(here).0);
    assert_eq!(far.said(kernels::p_words, Grid::linear(1, LANES as u32), (dst, src, 2)), []);
    assert_eq!(far.alone.read(2, there + 7 * kernels::PART_BYTES as u64), of(7 * kernels::PART_BYTES as u64, 8));
}

/// Catches a copy that another lane posts again, or with other numbers; a word whose bytes are out of order, or that is
/// torn because its source is misaligned; a needless wait; and a put of no bytes that is posted.
#[test]
fn puts_of_every_scope() {
    let (dst, src, list) = (WORD + 4096, WORD + 8192, WORD + 16384);
    // A single lane that puts at least [`BY_REFERENCE`] bytes names its source instead.
    const BY_REFERENCE: u64 = 2049;
    let sizes: [u64; 14] = [0, 1, 2, 3, 4, 8, 8, 12, 48, 47, 49, 1000, 2048, BY_REFERENCE];
    let offsets: [(u64, u64); 14] = [
        (0, 0),
        (1, 9),
        (2, 3),
        (4, 0),
        (8, 5),
        (16, 17),
        (25, 0),
        (40, 4),
        (64, 0),
        (112, 1),
        (160, 0),
        (209, 7),
        (1216, 16),
        (3264, 0),
    ];
    type Run = fn(&mut Far, DevPtr<u8>, DevPtr<u8>, DevPtr<u64>, u32) -> Vec<Said>;
    fn run<K>(far: &mut Far, kernel: K, at: (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>), pe: u32) -> Vec<Said>
    where
        K: Kernel<Args = (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>, u64, u32)>,
    {
        far.said(kernel, Grid::linear(2, 64), (at.0, at.1, at.2, 14, pe))
    }
    let scopes: [(Run, bool); 5] = [
        (|far, d, s, l, pe| run(far, kernels::put_thread, (d, s, l), pe), true),
        (|far, d, s, l, pe| run(far, kernels::put_warp, (d, s, l), pe), false),
        (|far, d, s, l, pe| run(far, kernels::put_block, (d, s, l), pe), false),
        (|far, d, s, l, pe| run(far, kernels::put_wide_thread, (d, s, l), pe), true),
        (|far, d, s, l, pe| run(far, kernels::put_wide_block, (d, s, l), pe), false),
    ];
    for (scope, is_thread) in scopes {
        let mut far = Far::new();
        let data: Vec<u64> = (0..512).map(mixed).collect();
        far.alone.write(0, src, &data);
        let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let entries: Vec<u64> = sizes.iter().zip(offsets).flat_map(|(n, (to, from))| [to, from, *n]).collect();
        far.alone.write(0, list, &entries);
        let (to, from) = (far.alone.objects::<u8>(dst).0, far.alone.objects::<u8>(src).0);
        let lists = far.alone.objects::<u64>(list).0;
        let said = scope(&mut far, to, from, lists, 1);
        let mut expected: Vec<_> = sizes
            .iter()
            .zip(offsets)
            .filter(|(n, _)| **n > 0)
            .map(|(n, (at, begin))| {
                let (target, begin) = (to.address() + at, &begin);
                if *n <= 8 && n.is_power_of_two() && target.is_multiple_of(*n) {
                    let word = (0..*n).rev().fold(0, |word, i| word << 8 | u64::from(bytes[(begin + i) as usize]));
                    return Said::new(CommandKind::Word(WordOp::Set), *n as u8, 1, [target, word, 0]);
                }
                if is_thread && *n == BY_REFERENCE {
                    return Said::new(CommandKind::Put, 0, 1, [target, from.address() + begin, *n]).with_reply();
                }
                Said::carrying(1, target, &bytes[*begin as usize..][..*n as usize])
            })
            .collect();
        expected.sort_unstable();
        assert_eq!(said, expected);
        assert_eq!(said.iter().filter(|said| said.kind == WordOp::Set as u8).count(), 4, "aligned words");
        // A mapped PE needs no commands.
        assert_eq!(scope(&mut far, to, from, lists, 2), []);
    }
}

/// Catches a get whose command differs from what the scope asked for; its data is never inside a command.
#[test]
fn gets_of_every_scope() {
    let (dst, src, list) = (WORD + 4096, WORD + 8192, WORD + 16384);
    let entries = [[0, 0, 8], [64, 64, 100], [200, 201, 3], [300, 300, 0]];
    fn run<K>(far: &mut Far, kernel: K, at: (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>), pe: u32) -> Vec<Said>
    where
        K: Kernel<Args = (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>, u64, u32)>,
    {
        far.said(kernel, Grid::linear(2, 64), (at.0, at.1, at.2, 4, pe))
    }
    let mut far = Far::new();
    far.alone.write(0, list, &entries.concat());
    let at = (far.alone.objects::<u8>(dst).0, far.alone.objects::<u8>(src).1, far.alone.objects::<u64>(list).0);
    let expected: Vec<_> = entries[..3]
        .iter()
        .map(|[to, from, n]| {
            Said::new(CommandKind::Get, 0, 1, [at.1.address() + from, at.0.address() + to, *n]).with_reply()
        })
        .collect();
    assert_eq!(run(&mut far, kernels::get_thread, at, 1), expected);
    assert_eq!(run(&mut far, kernels::get_warp, at, 1), expected);
    assert_eq!(run(&mut far, kernels::get_block, at, 1), expected);
    assert_eq!(run(&mut far, kernels::get_wide_warp, at, 1), expected);
    assert_eq!(run(&mut far, kernels::get_wide_block, at, 1), expected);
    // The host memory of PE 3 is mapped.
    assert_eq!(run(&mut far, kernels::get_block, at, 3), []);
}

/// Catches a signal that is stored directly although the CPU carries its data, which it would overtake. Also catches a
/// signal that is not asked for although it is not mapped, if its data is stored directly.
#[test]
fn a_signal_goes_the_way_of_its_data() {
    let mut far = Far::new();
    let (data, src, report) = (WORD + 4096, WORD + 8192, WORD + 16384);
    let (gpu, host) = (far.alone.objects::<u64>(data), far.alone.objects::<u64>(WORD));
    let (src, report) = (far.alone.objects::<u64>(src).0, far.alone.objects::<u64>(report).0);
    let (n, words) = (20, 20 * 8);
    // The kernel puts to the second half, and nobody answers its signal.
    let half = |object: DevPtr<u64>| object.add(n as usize).address();
    let put = |to: DevPtr<u64>, data: &[u8]| Said::carrying(3, half(to), data);
    let signal = |kind, sig: DevPtr<u64>, value| Said::new(kind, 8, 3, [sig.address(), value, 0]);
    let add = |far: &mut Far, dst, sig, adds| {
        let args = (dst, src, n as usize, sig, 1, 3, report, 0, adds);
        far.said(kernels::exchange_block, Grid::linear(1, 64), args)
    };
    // The host memory of PE 3 is mapped, and its GPU memory is not.
    for (dst, sig, adds, kind) in [
        (gpu.0, host.1, 0, CommandKind::SetBehind),
        (gpu.0, gpu.0.add(100), 0, CommandKind::SetBehind),
        (gpu.0, host.1, 1, CommandKind::AddBehind),
    ] {
        let said = add(&mut far, dst, sig, adds);
        let data: Vec<u8> = (0..n).flat_map(|i| far.alone.read(0, WORD + 8192 + 8 * i).to_ne_bytes()).collect();
        let mut expected = [put(dst, &data), signal(kind, sig, 1)];
        expected.sort_unstable();
        assert_eq!(said, expected);
        assert_eq!(far.alone.read_host(3, WORD), 0, "the signal has overtaken its data");
    }
    let data = far.alone.objects::<u64>(1 << 14).1;
    assert_eq!(add(&mut far, data, host.0, 0), [signal(CommandKind::SetBehind, host.0, 1)]);
    assert_ne!(far.alone.read_host(3, (1 << 14) + words), 0, "the data");
    assert_eq!(add(&mut far, data, host.1, 0), []);
    assert_eq!(far.alone.read_host(3, WORD), 1);
}

/// Catches an order of the two commands, as their tickets show it, in which the signal comes first.
#[test]
fn a_signal_is_posted_behind_its_data() {
    let mut far = Far::new();
    let (dst, sig) = (far.alone.objects::<u64>(WORD + 4096).0, far.alone.objects::<u64>(WORD).1);
    let (src, report) = (far.alone.objects::<u64>(WORD + 8192).0, far.alone.objects::<u64>(WORD + 16384).0);
    let (ended, mut said) = (AtomicBool::new(false), vec![]);
    let (alone, cpu) = (&far.alone, &mut far.cpu);
    std::thread::scope(|scope| {
        let served = scope.spawn(|| cpu.serve(&ended, |_| 0));
        let args = (dst, src, 20, sig, 1, 1, report, 0, 1);
        assert_eq!(alone.run(kernels::exchange_warp, Grid::linear(1, 32), args), None);
        ended.store(true, Ordering::Release);
        said = served.join().expect("the stand-in for the CPU");
    });
    let kinds: Vec<_> = said.iter().map(|said| said.kind).collect();
    assert_eq!(kinds, [CommandKind::PutChunk.number(), CommandKind::AddBehind.number()]);
}

/// Catches an addition to unmapped memory that nobody carries out, or for whose result a lane waits without needing it,
/// and an addition to mapped GPU memory that is sent to the CPU.
#[test]
fn atomics_of_memory_that_is_not_mapped() {
    let mut far = Far::new();
    let (word, host_word) = far.alone.objects::<u64>(WORD);
    let add = |lane: u64| Said::new(CommandKind::Word(WordOp::Add), 8, 1, [host_word.address(), lane + 1, 0]);
    assert_eq!(far.said(kernels::add_signals, Grid::linear(1, 4), (host_word, 1, 1)), [add(0), add(1), add(2), add(3)]);
    let set = Said::new(CommandKind::Word(WordOp::Set), 8, 1, [word.address(), 7, 0]);
    assert_eq!(far.said(kernels::set_signal, Grid::linear(1, 4), (word, 7, 1)), std::slice::from_ref(&set));
    let set = Said { arguments: [host_word.address(), 8, 0], ..set };
    assert_eq!(far.said(kernels::set_signal, Grid::linear(1, 4), (host_word, 8, 1)), [set]);
    let add = |lane: u64| Said::new(CommandKind::Word(WordOp::Add), 8, 1, [word.address(), lane + 1, 0]);
    assert_eq!(far.said(kernels::add_signals, Grid::linear(1, 4), (word, 1, 1)), [add(0), add(1), add(2), add(3)]);

    let mut far = Far::of(Job { far: 1, ..Job::of_four([ALL, 0, ALL, HOST | GPU]) });
    let word = far.alone.objects::<u64>(WORD).0;
    let (code, record) = far.refused(kernels::add_signals, one(), (word, 1, 3));
    assert_eq!((code, record.pe), (Some(ErrorCode::NoNativeAtomics), 3));
}

/// Catches an atomic operation whose kind or width differs from its name.
#[test]
fn every_atomic_operation_on_host_memory() {
    for (width, run) in [
        (4, (|far, args| far.said(kernels::amo_u32, one(), args)) as fn(&mut Far, _) -> Vec<Said>),
        (8, |far, args| far.said(kernels::amo_i64, one(), args)),
    ] {
        let mut far = Far::new();
        let words = far.alone.objects::<u64>(WORD).1;
        let (fetched, wrong) = (far.alone.objects(WORD + 8192).0, far.alone.objects(WORD + 4096).0);
        let first = if width == 4 { 0 } else { 1 };
        let args = (words, 1, first, 1, fetched, wrong);
        let said = run(&mut far, args);
        assert!(said.iter().all(|said| said.width == width && said.pe == 1), "{said:?}");
        for op in [WordOp::CompareSwap, WordOp::Swap, WordOp::Fetch] {
            let of_kind: Vec<_> = said.iter().filter(|said| said.kind == op as u8).collect();
            assert!(!of_kind.is_empty() && of_kind.iter().all(|said| said.replies), "{op:?}: {said:?}");
        }
        for op in [WordOp::Add, WordOp::And, WordOp::Or, WordOp::Xor] {
            for replies in [false, true] {
                let is = |said: &&Said| said.kind == op as u8 && said.replies == replies;
                assert!(said.iter().any(|said| is(&said)), "{op:?}, {replies}: {said:?}");
            }
        }
    }
}

/// Catches a fence or quiet that does not wait for pending stores of the default context: the flag, or a later read,
/// would overtake them.
#[test]
fn fence_and_quiet_wait_for_stores_on_the_default_context() {
    let silent = || Far::of(Job { far: 1, wait_limit_ns: 50_000_000, ..Job::of_four([ALL, 0, ALL, HOST]) });
    let mut far = silent();
    let (data, flag) = (far.alone.objects(WORD).0, far.alone.objects(WORD + 64).0);
    let (code, record) = far.alone.give_up(kernels::p_fence_p, one(), (data, flag, 1, 1));
    assert_eq!((code, record.limit), (Some(ErrorCode::NoReply), 50_000_000));
    assert_eq!(far.posted(), [Said::new(CommandKind::Word(WordOp::Set), 8, 1, [data.address(), 1, 0])]);

    let mut far = Far::new();
    let (data, flag) = (far.alone.objects(WORD).0, far.alone.objects(WORD + 64).0);
    let said = far.said(kernels::p_fence_p, one(), (data, flag, 1, 1));
    assert_eq!(said.iter().map(|said| said.arguments[0]).collect::<Vec<_>>(), [data.address(), flag.address()]);

    // A barrier starts with a quiet.
    let mut far = silent();
    let args = (far.alone.objects(WORD).0, 1, 1, far.alone.objects(WORD + 128).0);
    let (code, _) = far.alone.give_up(kernels::barrier_thread, one(), args);
    assert_eq!(code, Some(ErrorCode::NoReply));
    assert!(far.posted().iter().all(|said| said.kind == WordOp::Set as u8), "it meets before its stores are complete");
}

/// Catches a barrier with the wrong team, a barrier of one PE that asks the CPU, and a scope of which every lane asks.
#[test]
fn barriers_meet_by_the_cpu() {
    let mut far = Far::new();
    let sync = |start: u64, stride: u64, n: u64, slot| {
        Said::new(CommandKind::Sync, 0, 0, [start | stride << 32, n, slot]).with_reply()
    };
    assert_eq!(far.said(kernels::barrier_once, one(), ()), [sync(0, 1, 4, 0)]);
    let (slots, wrong) = (far.alone.objects::<u64>(WORD + 64).0, far.alone.objects::<u64>(WORD + 4096).0);
    let only = |said: Vec<Said>| -> Vec<_> {
        said.into_iter().filter(|said| said.kind == CommandKind::Sync.number()).collect()
    };
    let all = far.said(kernels::barrier_block, Grid::linear(1, 64), (slots, 1, 2, wrong));
    assert_eq!(only(all), [(); 2].map(|()| sync(0, 1, 4, 0)));
    let all = far.said(kernels::sync_warp, Grid::linear(1, 32), (slots, 1, 1, wrong));
    assert_eq!(only(all), [sync(0, 1, 4, 0)]);
    let team = DeviceTeam { start: 2, stride: -2, n_pes: 2, my_pe: 1, slot: 5 };
    let said = only(far.said(kernels::team_block, Grid::linear(1, 64), (team, slots, 1, 1, wrong)));
    let two = u64::from((-2i32).cast_unsigned());
    assert_eq!(said, [sync(2, two, 2 | 1 << 32, 5)]);
    let alone = DeviceTeam { start: 0, stride: 1, n_pes: 1, my_pe: 0, slot: 6 };
    assert_eq!(far.said(kernels::team_thread, one(), (alone, slots, 1, 1, wrong)), []);
}

/// Catches a barrier that waits for ever for a PE that has died, and a wait for an answer that the host cannot read.
#[test]
fn a_barrier_that_is_not_answered_ends_the_kernel() {
    let mut limits = [200_000_000, 2_000_000_000, 20_000_000_000].into_iter();
    loop {
        let limit = limits.next().expect("the last one has been judged");
        let far = Far::of(Job { far: 1, wait_limit_ns: limit, ..Job::of_four([ALL, 0, ALL, HOST]) });
        let (code, record) = far.alone.give_up(kernels::barrier_once, one(), ());
        assert_eq!((code, record.value, record.limit), (Some(ErrorCode::MeetingTimeout), 0, limit));
        // SAFETY: the kernel has ended, and nobody else accesses the record.
        let wait = unsafe { far.alone.reports.read_volatile() }.wait;
        if wait.comparison == 0 && limits.len() > 0 {
            // A lane that gets no core until the limit has passed gives up without a report.
            continue;
        }
        assert_eq!((wait.address, wait.kind, wait.lane), (far.alone.context.sync_area, WordKind::Unsigned as u32, 0));
        assert_eq!(wait.comparison, Cmp::Ne as u32 + 1);
        return;
    }
}

/// Catches a kernel that goes on after it has named a PE that does not exist, even if nothing has to be copied. The
/// error is that of jobs in which all PEs are mapped.
#[test]
fn a_peer_that_does_not_exist_ends_the_kernel() {
    for pe in [4, 1 << 24, u32::MAX] {
        let mut far = Far::new();
        let word = far.alone.objects::<u64>(WORD).0;
        let (code, record) = far.refused(kernels::p_from_lane_3, Grid::linear(2, 4), (word, 1, pe));
        assert_eq!((code, record.pe, record.limit), (Some(ErrorCode::PeOutOfRange), pe, 4));
        for gets in [false, true] {
            let mut far = Far::new();
            let (word, list) = (far.alone.objects::<u8>(WORD).0, far.alone.objects::<u64>(WORD + 4096).0);
            let args = (word, word, list, 1, pe);
            let (code, record) = match gets {
                false => far.refused(kernels::put_block, Grid::linear(1, 32), args),
                true => far.refused(kernels::get_warp, Grid::linear(1, 32), args),
            };
            assert_eq!((code, record.pe), (Some(ErrorCode::PeOutOfRange), pe));
        }
    }
}
