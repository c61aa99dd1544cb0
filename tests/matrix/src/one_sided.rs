//! Slow windows: what other PEs do with a PE's memory while that PE computes, is stopped, or has no multiprocessor
//! free. PE 0 tries each cell with PE 1, each on a context of its own, and all cells share a window. Cells that wait
//! according to a rule come last, because a word that waits for its owner occupies one of the few places for requests
//! to that PE.
//!
//! *The GPU is full* from before the first cell until after the last moment of the window: the kernel ends when PE 1
//! has said that the window is over. So anything that has to wait for a place on that GPU is always late.

use crate::data::{Class, Op, Operation, When};
use crate::operations::Act;
use crate::pe::{MARK, Pe, Round, Try};
use cushmem::{Cmp, ContextOptions, Grid, Module, PeSet, Shmem, Stream, SymSlice};
use cushmem_conformance_kernels as kernels;
use cushmem_gpu::soft;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Scope, scope};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What the target does.
pub const WINDOWS: [&str; 3] = ["computes", "is stopped", "has its GPU full"];
/// The size of a slot, the largest size that is moved, and the largest number of rounds.
pub const SLOT: usize = 16 << 10;
const MOST: usize = 5000;
pub const PLACES: usize = 32;
/// How many cells are tried at once.
const AT_ONCE: usize = 48;
/// How long to wait for a cell: if it should end; if it should end but earlier ones did not; and if it should wait.
const PATIENCE: [Duration; 3] = [Duration::from_secs(3), Duration::from_millis(500), Duration::from_millis(50)];
/// How much longer than a window a kernel runs if nobody ends it.
const MORE_SECONDS: u64 = 10;

/// How one cell went: what the library said, when it was started, and when it had ended.
type Answer = (Result<u64, String>, u64, u64);

/// Nanoseconds of a clock that all PEs share.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as u64
}

/// Rounds of all operations with one PE, each in a place of its own.
fn rounds(pe: &Pe<'_>, first: u64) -> Vec<Round> {
    let mut rounds = Vec::new();
    for Operation { names, when, bytes, types } in &pe.matrix.operation {
        let bytes = bytes.iter().copied().filter(|bytes| *bytes <= MOST).max().expect("some are short");
        for (&op, &when) in names.iter().flat_map(|op| when.iter().map(move |when| (op, when))) {
            if is_tried(op, when) {
                let (sources, place) = (pe.matrix.sources(op, when), rounds.len());
                rounds.push(Round { op, when, bytes, of: types[0], sources, number: first + place as u64, place });
            }
        }
    }
    rounds
}

/// Whether it is tried here, which is true of operations that a CPU carries out on one PE without its help.
pub fn is_tried(op: Op, when: When) -> bool {
    when != When::Stream && !matches!(op.class(), Class::Wait | Class::Collective)
}

/// Words by which the PEs inform each other.
struct Words<'a> {
    pid: SymSlice<'a, i32>,
    begun: SymSlice<'a, u64>,
    over: SymSlice<'a, u64>,
    /// When the window ended.
    end: SymSlice<'a, u64>,
}

/// Runs a PE of such a job.
pub fn run(shmem: &Shmem, mut pe: Pe<'_>, seconds: u64) -> String {
    let malloc = || shmem.malloc::<u64>(1).expect("malloc");
    let words = Words { pid: shmem.malloc(1).expect("malloc"), begun: malloc(), over: malloc(), end: malloc() };
    let module = shmem.load(&kernels::IMAGE).expect("load");
    let stream = shmem.stream().expect("stream");
    let occupied = shmem.malloc_gpu::<u64>(2).expect("malloc_gpu");
    let mut lines = String::new();
    for (at, window) in WINDOWS.into_iter().enumerate() {
        let rounds = rounds(&pe, 1000 * (1 + at as u64));
        let all =
            rounds.iter().flat_map(|round| pe.tries(round.sources.len()).into_iter().map(move |each| (round, each)));
        let tries: Vec<(&Round, Try)> = all.filter(|(_, each)| each.initiator == 0 && each.pe == 1).collect();
        for (round, each) in &tries {
            pe.prepare(round, each);
        }
        for word in [words.begun, words.over, words.end] {
            word.copy_from(&[0]).expect("clear");
        }
        occupied.copy_from(&[0; 2]).expect("clear");
        shmem.barrier_all().expect("barrier");
        if shmem.my_pe() == 1 {
            let full = (window == WINDOWS[2]).then(|| fill(shmem, &module, &stream, occupied, seconds));
            be_slow(shmem, &words, window, seconds);
            if let Some(end) = full {
                end();
            }
        } else {
            let answers = try_all(shmem, &pe, &words, window, &tries, seconds);
            lines += &judge(&mut pe, window, &tries, answers);
        }
        shmem.barrier_all().expect("barrier");
        for (round, each) in &tries {
            let wrong = pe.compare(round, each);
            pe.note(pe.cell(round, each), wrong.map(|why| format!("the target {window}: {why}")));
        }
        shmem.barrier_all().expect("barrier");
    }
    lines + &pe.lines()
}

/// On the target: fills its GPU. No other kernel finds a place until the returned function is called, which waits for
/// this one to end.
fn fill<'a>(
    shmem: &'a Shmem,
    module: &Module<'_>,
    stream: &'a Stream<'_>,
    occupied: SymSlice<'a, u64>,
    seconds: u64,
) -> impl FnOnce() + 'a {
    let emulated = shmem.gpu().is_some_and(|gpu| gpu.emulated);
    // An emulated GPU has as many multiprocessors as kernels want, unless it is told otherwise.
    let lanes = if emulated { 32 } else { 1024 };
    let most = module.max_resident_blocks(kernels::occupy, lanes).expect("blocks");
    let blocks = if emulated { 2 } else { most };
    soft::leave_places_for(1);
    let arguments =
        (occupied.at(0).device_ptr(), occupied.at(1).device_ptr(), (seconds + MORE_SECONDS) * 1_000_000_000);
    // SAFETY: both words stay until the stream is waited for.
    unsafe { stream.launch(module, kernels::occupy, Grid::linear(blocks, lanes), arguments).expect("launch") };
    // Each look is a get, which a kernel of the library may answer until there is no place for one.
    while occupied.at(0).as_slice().to_vec().expect("read") != [u64::from(blocks)] {
        std::thread::yield_now();
    }
    move || {
        shmem.p(occupied.at(1), 1, shmem.my_pe()).expect("p");
        stream.synchronize().expect("the kernel ends");
        soft::leave_places_for(u32::MAX);
    }
}

/// On the target: calls nothing of the library from here to the end of the window.
fn be_slow(shmem: &Shmem, words: &Words<'_>, window: &str, seconds: u64) {
    let over = words.over.ptr(1);
    shmem.p(words.pid.at(0), std::process::id().cast_signed(), 0).expect("p");
    shmem.p(words.begun.at(0), 1, 0).expect("p");
    shmem.quiet().expect("quiet");
    let start = Instant::now();
    let stopped = window == WINDOWS[1];
    loop {
        // SAFETY: this is a word of the PE's own symmetric memory, loaded in one piece.
        let is_over = unsafe { over.read_volatile() } != 0;
        if if stopped { is_over } else { start.elapsed() > Duration::from_secs(seconds) } {
            break;
        }
        std::hint::spin_loop();
    }
    if !stopped {
        shmem.p(words.end.at(0), now(), 0).expect("p");
    }
}

/// On PE 0: returns the answers to all tries that are not refused, and when the window ended. Those that should end
/// come first, because others may take up room.
fn try_all(
    shmem: &Shmem,
    pe: &Pe<'_>,
    words: &Words<'_>,
    window: &str,
    tries: &[(&Round, Try)],
    seconds: u64,
) -> (Vec<Option<Answer>>, u64) {
    shmem.wait_until(words.begun.at(0), Cmp::Eq, 1).expect("wait");
    let stopped = (window == WINDOWS[1]).then(|| shmem.g(words.pid.at(0), 0).expect("g"));
    if let Some(target) = stopped {
        send(target, libc::SIGSTOP);
        while !is_stopped(target) {
            std::thread::yield_now();
        }
    }
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let waits = |at: usize| pe.matrix.wait(pe.job, pe.gpus, window, &pe.cell(tries[at].0, &tries[at].1)).is_some();
    let is_refused = |at: usize| pe.matrix.refusal(pe.job, pe.gpus, &pe.cell(tries[at].0, &tries[at].1)).is_some();
    let mut order: Vec<usize> = (0..tries.len()).filter(|at| !is_refused(*at)).collect();
    order.sort_by_key(|at| waits(*at));
    let mut answers: Vec<Option<Answer>> = tries.iter().map(|_| None).collect();
    let end = scope(|scope| {
        let mut late: Vec<(usize, Receiver<Answer>)> = Vec::new();
        for some in order.chunk_by(|a, b| waits(*a) == waits(*b)).flat_map(|like| like.chunks(AT_ONCE)) {
            let mut begun = Vec::new();
            for &at in some {
                let (round, each) = &tries[at];
                begun.push((at, begin(scope, shmem, pe.act(round, each).expect("memory of this kind"))));
            }
            let patience = if waits(some[0]) { 2 } else { usize::from(!late.is_empty()) };
            let until = deadline.min(Instant::now() + PATIENCE[patience]);
            for (at, receiver) in begun {
                match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(answer) => answers[at] = Some(answer),
                    Err(_) => late.push((at, receiver)),
                }
            }
        }
        let end = now();
        if let Some(target) = stopped {
            assert!(is_stopped(target), "the target ran meanwhile");
            send(target, libc::SIGCONT);
            shmem.p(words.over.at(0), 1, 1).expect("p");
        }
        for (at, receiver) in late {
            answers[at] = Some(receiver.recv().expect("it ends when the target goes on"));
        }
        end
    });
    let end = if stopped.is_some() { end } else { shmem.wait_until(words.end.at(0), Cmp::Ne, 0).expect("wait") };
    (answers, end)
}

/// Carries out an operation in a thread of its own, until its context has completed it.
fn begin<'scope>(scope: &'scope Scope<'scope, '_>, shmem: &'scope Shmem, act: Act) -> Receiver<Answer> {
    let (sender, receiver) = channel();
    scope.spawn(move || {
        let context = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context");
        let (raw, begun) = (shmem.raw().on(&context), now());
        let answer = act.act(raw).and_then(|found| raw.quiet().map(|()| found).map_err(|e| e.to_string()));
        // Nobody listens if the job has failed.
        let _ = sender.send((answer, begun, now()));
    });
    receiver
}

/// Compares the answers with the rules, and reports what each cell did.
fn judge(pe: &mut Pe<'_>, window: &str, tries: &[(&Round, Try)], (answers, end): (Vec<Option<Answer>>, u64)) -> String {
    let mut lines = String::new();
    for ((round, each), answer) in tries.iter().zip(answers) {
        let (cell, Some((answer, begun, at))) = (pe.cell(round, each), answer) else { continue };
        let (in_time, rule) = (at < end, pe.matrix.wait(pe.job, pe.gpus, window, &cell));
        let failure = match (answer.and_then(|found| pe.found(round, each, found)), in_time, rule) {
            (Err(why), ..) => Some(why),
            (Ok(()), ..) if begun >= end => Some("was begun when the window was over, so nothing is known".to_owned()),
            (Ok(()), true, None) | (Ok(()), false, Some(_)) => None,
            (Ok(()), false, None) => Some("is complete only when the target goes on".to_owned()),
            (Ok(()), true, Some((_, rule))) => Some(format!("is complete, in spite of `{}`", rule.rule)),
        };
        lines += &format!("{MARK}window {window}|{cell}|{in_time}\n");
        pe.note(cell, failure.map(|why| format!("the target {window}: {why}")));
    }
    lines
}

fn send(process: i32, signal: i32) {
    // SAFETY: this sends a signal to a PE of this job.
    assert_eq!(unsafe { libc::kill(process, signal) }, 0, "{}", std::io::Error::last_os_error());
}

/// Whether a process is stopped, according to /proc.
fn is_stopped(process: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("the target lives");
    stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('T'))
}
