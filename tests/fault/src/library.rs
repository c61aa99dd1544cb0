//! The steps that use the whole library.
//!
//! | step | does |
//! |---|---|
//! | `init`, `leave`, `barrier` | joins the job, leaves it, enters a barrier with the other PEs |
//! | `panic` | panics |
//! | `traffic` | endless puts, gets, atomic operations and collectives with all PEs; prints `traffic` once all have started |
//! | `announced` | PE 0 puts data to PE 1 and announces them, in each way that there is; PE 1 prints `wrong data` if it hears of data that it does not have |
//! | `additions` | the last PE adds to a word of PE 0 and waits until this is complete, for ever; it prints `additions` from time to time |
//! | `unheard` | PE 0 puts data to PE 1 and never asks whether they arrive |
//! | `result` | PE 0 asks for a result that a quiet stores, and puts data to PE 1; it prints whether the quiet failed, and the result |
//! | `asks=OPERATION[:N]` | PE 0 carries out an operation on the last PE 300 times, or as often as a number behind a colon says, and checks what it can: `put`, `get`, `add`, `signal`, `nbi`, `set`, `staged`, `long` (1 MiB there and back); or all PEs do: `barrier`, `broadcast` |
//! | `misses=CALL` | all PEs print `misses`; then the last PE sleeps, and the others enter a `barrier` or a `reduction`, which it never does |
//! | `mallocs` | prints `mallocs`; then allocates and frees memory, more than the heap has had, endlessly |
//! | `lines=PATH` | kernels write elements of an array in a file through small caches, endlessly: each its index, and the round in the lower half of the word; prints `lines` once all have started |
//! | `malloc=BYTES`, `malloc_gpu=BYTES` | allocates, and prints `ok` or the error |
//! | `ranges` | all PEs register GPU memory of the program, and PE 0 puts to the last PE's and gets it back |
//! | `spare=N`, `descriptors` | prints how many descriptors are open; the first leaves room for `N` more |
//! | `child=STEP` | forks a child that does the step and ends with 0; prints how it ended |
//! | `masks` | prints the name of each other thread of the process, and the signals that it blocks |
//! | `dumped`, `addresses` | prints how many bytes a core dump would hold, and how many the process has mapped or set aside |

use cushmem::raw::{AmoOp, Completion};
use cushmem::{Cmp, DeviceBuffer, Grid, Shmem, SignalOp};
use cushmem_conformance_kernels as kernels;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, fork};
use std::path::Path;
use std::ptr::with_exposed_provenance_mut;
use std::time::{Duration, Instant};

/// A thread that has been started runs within this time.
const START_LIMIT: Duration = Duration::from_secs(10);

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

pub(crate) fn act(name: &str, value: &str, shmem: &mut Option<Shmem>) -> Outcome<()> {
    match name {
        "child" => return in_child(value, shmem),
        "init" => {
            *shmem = Some(cushmem::init()?);
            return Ok(());
        }
        "leave" => {
            *shmem = None;
            return Ok(());
        }
        _ => {}
    }
    let shmem = shmem.as_ref().ok_or_else(|| format!("step '{name}' is unknown or needs 'init' before it"))?;
    let me = shmem.my_pe();
    match name {
        "barrier" => shmem.barrier_all()?,
        "panic" => panic!("the step said so"),
        "traffic" => traffic(shmem)?,
        "announced" => announced(shmem)?,
        "additions" => additions(shmem)?,
        "unheard" => unheard(shmem)?,
        "result" => result(shmem)?,
        "asks" => asks(shmem, value)?,
        "misses" => misses(shmem, value)?,
        "mallocs" => mallocs(shmem)?,
        "lines" => lines(shmem, value)?,
        "malloc" => tell(me, name, shmem.malloc::<u8>(value.parse()?).map(drop)),
        "ranges" => ranges(shmem)?,
        "malloc_gpu" => tell(me, name, shmem.malloc_gpu::<u8>(value.parse()?).map(drop)),
        "spare" => {
            println!("PE {me}: descriptors: {}", descriptors()?);
            // Not the number behind the highest: what was inherited may have one that is hardly allowed.
            let is_free = |number: &u64| !Path::new(&format!("/proc/self/fd/{number}")).exists();
            let limit = (0..).filter(is_free).nth(value.parse()?).ok_or("every number is taken")?;
            let hard = getrlimit(Resource::RLIMIT_NOFILE)?.1;
            setrlimit(Resource::RLIMIT_NOFILE, limit.min(hard), hard)?;
        }
        "descriptors" => println!("PE {me}: descriptors: {}", descriptors()?),
        "masks" => masks(me)?,
        "dumped" => println!("PE {me}: dumped: {}", dumped()?),
        "addresses" => println!("PE {me}: addresses: {}", addresses()?),
        _ => return Err(format!("unknown step '{name}'").into()),
    }
    Ok(())
}

fn traffic(shmem: &Shmem) -> Outcome<()> {
    const LEN: usize = 10_000;
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (data, words) = (shmem.malloc::<u64>(2 * LEN)?, shmem.malloc::<u64>(2)?);
    let (target, source) = (data.slice(..LEN), data.slice(LEN..));
    let mut back = vec![0; LEN];
    for round in 0u64.. {
        for pe in (0..n).map(|i| (me + i) % n) {
            shmem.put_nbi(target, source, pe)?;
            shmem.get(&mut back[..100], target.slice(..100), pe)?;
            shmem.fetch_add(words.at(0), 1, pe)?;
            shmem.put_signal(target.slice(..9), &[round; 9], words.at(1), 1, SignalOp::Add, pe)?;
        }
        shmem.barrier_all()?;
        if round == 2 {
            println!("traffic");
        }
    }
    Ok(())
}

fn announced(shmem: &Shmem) -> Outcome<()> {
    const LEN: usize = 1000;
    const ROUNDS: u64 = 90;
    let (me, team) = (shmem.my_pe(), shmem.team_world());
    let (data, source, words) = (shmem.malloc::<u64>(2 * LEN)?, shmem.malloc::<u64>(LEN)?, shmem.malloc::<u64>(2)?);
    let (target, flag, answer) = (data.slice(..LEN), words.at(0), words.at(1));
    words.copy_from(&[0; 2])?;
    shmem.barrier_all()?;
    for round in 1..=ROUNDS {
        source.copy_from(&[round; LEN])?;
        let way = round % 9;
        let (mut start, mut len) = (0, LEN);
        match (way, me) {
            (0, _) => shmem.broadcast(team, target, source, 0)?,
            (1, _) => {
                shmem.fcollect(team, data, source)?;
                len = 2 * LEN;
            }
            (_, 1) => {
                shmem.wait_until(flag, Cmp::Ge, round)?;
            }
            (2, _) => {
                shmem.put_signal(target, source, flag, round, SignalOp::Set, 1)?;
            }
            (3, _) => {
                // A signal of its own, after data that it does not announce.
                shmem.put(target, source, 1)?;
                shmem.fence()?;
                shmem.put_signal(target.slice(..0), source.slice(..0), flag, round, SignalOp::Set, 1)?;
            }
            (4, _) => {
                shmem.put_nbi(target, source, 1)?;
                shmem.fence()?;
                shmem.p(flag, round, 1)?;
            }
            (5, _) => {
                shmem.put_nbi(target, source, 1)?;
                shmem.fence()?;
                shmem.atomic_set(flag, round, 1)?;
            }
            (6, _) => {
                (0..8).try_for_each(|at| shmem.p(target.at(at), round, 1))?;
                shmem.fence()?;
                let old = shmem.atomic_fetch(flag, 1)?;
                shmem.fetch_add(flag, round - old, 1)?;
            }
            (8, _) => {
                // Additions to what the round before left, which a flag announces.
                for at in 0..8 {
                    shmem.raw().change(target.slice(at..at + 1).ptr(me), 1, AmoOp::Add, 1)?;
                }
                shmem.fence()?;
                shmem.p(flag, round, 1)?;
            }
            _ => {
                shmem.put_signal(target, source, flag, 0, SignalOp::Add, 1)?;
                let old = shmem.g(flag, 1)?;
                shmem.put_signal(target.slice(..9), source.slice(..9), flag, round - old, SignalOp::Add, 1)?;
            }
        }
        if way == 6 || way == 8 {
            len = 8;
        }
        // PE 0 has what it sent.
        if me == 0 && way == 1 {
            start = LEN;
        }
        let has_all = data.to_vec()?[start..len].iter().all(|word| *word == round);
        if !has_all && (me == 1 || way == 1) {
            println!("PE {me}: wrong data in round {round}");
        }
        if me == 1 {
            shmem.p(answer, round, 0)?;
        } else {
            shmem.wait_until(answer, Cmp::Ge, round)?;
        }
    }
    Ok(())
}

fn additions(shmem: &Shmem) -> Outcome<()> {
    let word = shmem.malloc::<u64>(1)?;
    shmem.barrier_all()?;
    while shmem.my_pe() == shmem.n_pes() - 1 {
        for _ in 0..5 {
            shmem.raw().change(word.ptr(shmem.my_pe()), 1, AmoOp::Add, 0)?;
            shmem.quiet()?;
        }
        println!("additions");
    }
    Ok(())
}

fn unheard(shmem: &Shmem) -> Outcome<()> {
    let (target, source) = (shmem.malloc::<u64>(9)?, shmem.malloc::<u64>(9)?);
    shmem.barrier_all()?;
    if shmem.my_pe() == 0 {
        // What the network reports to this PE is left to the library.
        (0..300).for_each(|_| drop(shmem.put_nbi(target, source, 1)));
    }
    Ok(())
}

fn result(shmem: &Shmem) -> Outcome<()> {
    let (target, source, word) = (shmem.malloc::<u64>(9)?, shmem.malloc::<u64>(9)?, shmem.malloc::<u64>(1)?);
    word.copy_from(&[5])?;
    shmem.barrier_all()?;
    if shmem.my_pe() == 0 {
        // It lives as long as the process, so that a result that comes too late does no harm.
        let to = Box::into_raw(Box::new(u64::MAX));
        // SAFETY: nobody else uses the word before the quiet.
        unsafe { shmem.raw().later(to).fetch(word.ptr(0), 1)? };
        (0..300).for_each(|_| drop(shmem.put_nbi(target, source, 1)));
        let outcome = shmem.quiet().map_or("failed", |()| "succeeded");
        // SAFETY: the quiet has returned.
        println!("quiet {outcome}, result {}", unsafe { to.read_volatile() });
    }
    Ok(())
}

/// PE 0 carries out an operation again and again. Without faults of the network, each has its effect.
fn asks(shmem: &Shmem, operation: &str) -> Outcome<()> {
    const LEN: usize = 100;
    let (operation, times) = operation.split_once(':').unwrap_or((operation, "300"));
    let times: u64 = times.parse()?;
    let (me, last) = (shmem.my_pe(), shmem.n_pes() - 1);
    let (target, source, words) = (shmem.malloc::<u64>(LEN)?, shmem.malloc::<u64>(LEN)?, shmem.malloc::<u64>(2)?);
    let on_gpu = if operation == "staged" { Some(shmem.malloc_gpu::<u64>(LEN)?) } else { None };
    let long = if operation == "long" { Some(shmem.malloc::<u64>(1 << 17)?) } else { None };
    words.copy_from(&[0; 2])?;
    shmem.barrier_all()?;
    println!("asks");
    let expect = |found: u64, expected: u64| {
        if found == expected { Ok(()) } else { Err(format!("{operation}: {found} instead of {expected}")) }
    };
    let together = ["barrier", "broadcast"].contains(&operation);
    for round in 1..=times {
        if me != 0 && !together {
            break;
        }
        let (values, mut back) = ([round; LEN], [0; LEN]);
        match operation {
            "put" => {
                shmem.put(target, &values, last)?;
                shmem.quiet()?;
            }
            "get" => shmem.get(&mut back, target, last)?,
            "add" => expect(shmem.fetch_add(words.at(0), 1, last)?, round - 1)?,
            "signal" => shmem.put_signal(target, &values, words.at(1), round, SignalOp::Set, last)?,
            "nbi" => {
                source.copy_from(&values)?;
                shmem.put_nbi(target, source, last)?;
                shmem.quiet()?;
            }
            "set" => shmem.p(words.at(1), round, last)?,
            "long" => {
                let there = long.ok_or("it was allocated")?;
                let (values, mut back) = (vec![round; there.len()], vec![0; there.len()]);
                shmem.put(there, &values, last)?;
                shmem.quiet()?;
                shmem.get(&mut back, there, last)?;
                let wrong = back.iter().filter(|word| **word != round).count();
                expect(wrong as u64, 0)?;
            }
            "staged" => {
                let on_gpu = on_gpu.ok_or("it was allocated")?;
                shmem.put(on_gpu, &values, last)?;
                shmem.get(&mut back, on_gpu, last)?;
                expect(back[LEN - 1], round)?;
            }
            "barrier" => shmem.barrier_all()?,
            "broadcast" => {
                source.copy_from(&values)?;
                shmem.broadcast(shmem.team_world(), target, source, 0)?;
                expect(target.to_vec()?[LEN - 1], round)?;
            }
            _ => return Err(format!("unknown operation '{operation}'").into()),
        }
    }
    if me == 0 && ["put", "nbi"].contains(&operation) {
        let mut back = [0; LEN];
        shmem.get(&mut back, target, last)?;
        expect(back[LEN - 1], times)?;
    }
    Ok(())
}

/// Memory of the program: symmetric on all PEs, and at PE 0's end of the copies for that PE alone.
fn ranges(shmem: &Shmem) -> Outcome<()> {
    const LEN: usize = 5000;
    let (shared, own) = (shmem.device_alloc::<u64>(LEN)?, shmem.device_alloc::<u64>(LEN)?);
    let at = |buffer: &DeviceBuffer<'_, u64>| -> *mut u64 {
        with_exposed_provenance_mut(buffer.device_ptr().address() as usize)
    };
    let (raw, bytes, last) = (shmem.raw(), LEN * size_of::<u64>(), shmem.n_pes() - 1);
    // SAFETY: both live until they are unregistered.
    let range = unsafe {
        raw.register_local(at(&own).cast(), bytes)?;
        shmem.register(at(&shared), LEN)?
    };
    if shmem.my_pe() == 0 {
        let numbers: Vec<u64> = (0..LEN as u64).map(|i| i * i + 7).collect();
        own.copy_from(&numbers)?;
        // SAFETY: both ends have this many bytes; the source changes after the quiet.
        unsafe {
            raw.put(at(&shared).cast(), at(&own).cast_const().cast(), bytes, last, Completion::Nbi)?;
            raw.quiet()?;
            own.copy_from(&vec![0; LEN])?;
            raw.get(at(&own).cast(), at(&shared).cast_const().cast(), bytes, last, Completion::Blocking)?;
        }
        if own.to_vec()? != numbers {
            return Err("the numbers did not come back".into());
        }
    }
    shmem.unregister(range)?;
    Ok(raw.unregister_local(at(&own).cast())?)
}

/// The last PE never enters a call that the others enter, without any other operation under way to it.
fn misses(shmem: &Shmem, call: &str) -> Outcome<()> {
    let (target, source) = (shmem.malloc::<u64>(9)?, shmem.malloc::<u64>(9)?);
    shmem.barrier_all()?;
    println!("misses");
    if shmem.my_pe() == shmem.n_pes() - 1 {
        std::thread::sleep(crate::LONG);
    }
    match call {
        "barrier" => shmem.barrier_all()?,
        "reduction" => shmem.reduce(shmem.team_world(), cushmem::Reduction::Sum, target, source)?,
        _ => return Err(format!("unknown call '{call}'").into()),
    }
    Err(format!("the {call} is over without the last PE").into())
}

/// Each round writes elements of many lines of this PE, in another order, so that lines leave the cache all the time;
/// the CPU flushes the rest. Lines go through the page cache: docs/arrays.md says what was seen of others.
fn lines(shmem: &Shmem, path: &str) -> Outcome<()> {
    const LINES: u64 = 256;
    const LANES: u32 = 64;
    let (me, n) = (u64::from(shmem.my_pe()), u64::from(shmem.n_pes()));
    let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
    let array = shmem.array((LINES * 512) as usize).in_file(path).line_bytes(512).slots(5).create::<u64>()?;
    let own: Vec<u64> = (0..LINES).filter(|line| line % n == me).collect();
    let each = own.len() as u64 / u64::from(LANES);
    let list = shmem.device_alloc::<u64>(2 * (each * u64::from(LANES)) as usize)?;
    for round in 1u64.. {
        let at = |i: u64| own[(i * 37 + round) as usize % own.len()] * 512 + (round * 7 + i) % 512;
        let words: Vec<u64> = (0..each * u64::from(LANES))
            .map(at)
            .flat_map(|index| [index | kernels::ARRAY_WRITE, index << 32 | round])
            .collect();
        list.copy_from(&words)?;
        let args = (array.device(), list.device_ptr(), each, list.device_ptr());
        // SAFETY: the list has as many pairs, of which none is a read, and exists until the kernel has ended.
        unsafe { stream.launch(&module, kernels::array_work, Grid::linear(2, LANES / 2), args)? };
        stream.synchronize()?;
        array.flush()?;
        if round == 1 {
            shmem.barrier_all()?;
            println!("lines");
        }
    }
    Ok(())
}

/// Ever more memory, so that the heap grows, and from the start again.
fn mallocs(shmem: &Shmem) -> Outcome<()> {
    shmem.barrier_all()?;
    println!("mallocs");
    for round in 0usize.. {
        let object = shmem.malloc::<u8>((1 + round % 64) << 20)?;
        shmem.free(object)?;
    }
    Ok(())
}

fn tell(me: u32, name: &str, result: cushmem::Result<()>) {
    match result {
        Ok(()) => println!("PE {me}: {name}: ok"),
        Err(error) => println!("PE {me}: {name}: {error}"),
    }
}

/// Returns the bytes of the mappings that the operating system writes into a core dump by default: shared mappings
/// without a named file, and private memory that was written, except mappings that are marked to be left out.
fn dumped() -> Outcome<u64> {
    let text = std::fs::read_to_string("/proc/self/smaps")?;
    let (mut all, mut size, mut anonymous, mut is_shared) = (0, 0, 0, false);
    for line in text.lines() {
        let kib = || line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
        match line.split_whitespace().next() {
            Some("Size:") => size = kib(),
            Some("Anonymous:") => anonymous = kib(),
            Some("VmFlags:") => {
                let marked = line.split_whitespace().any(|flag| flag == "dd" || flag == "io");
                if !marked && (is_shared || anonymous > 0) {
                    all += size * 1024;
                }
            }
            Some(first) if !first.ends_with(':') => {
                let permissions = line.split_whitespace().nth(1).unwrap_or("");
                is_shared = permissions.ends_with('s') && line.ends_with("(deleted)");
            }
            _ => {}
        }
    }
    Ok(all)
}

fn addresses() -> Outcome<u64> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmSize:")).ok_or("no VmSize")?;
    let kib: u64 = line.split_whitespace().next().ok_or("no number")?.parse()?;
    Ok(kib * 1024)
}

fn in_child(step: &str, shmem: &mut Option<Shmem>) -> Outcome<()> {
    let (name, value) = step.split_once(':').unwrap_or((step, ""));
    // SAFETY: the child does nothing but the step under test, and ends. No other thread of this process holds a lock
    // for long.
    match unsafe { fork() }? {
        ForkResult::Child => {
            let result = act(name, value, shmem);
            // SAFETY: this ends the process without the parent's exit handlers.
            unsafe { libc::_exit(i32::from(result.is_err())) }
        }
        ForkResult::Parent { child } => println!("child: {:?}", waitpid(child, None)?),
    }
    Ok(())
}

/// Returns the name of each other thread of the process, and the signals that it blocks, in hexadecimal digits.
fn other_threads() -> Outcome<Vec<(String, String)>> {
    let main_thread = std::process::id().to_string();
    let mut threads = Vec::new();
    for task in std::fs::read_dir("/proc/self/task")?.flatten() {
        if task.file_name().to_str() == Some(&main_thread) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(task.path().join("status")) else {
            continue; // The thread has ended.
        };
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim().to_owned();
        threads.push((field("Name:"), field("SigBlk:")));
    }
    Ok(threads)
}

fn masks(me: u32) -> Outcome<()> {
    let process = std::fs::read_to_string("/proc/self/comm")?;
    let deadline = Instant::now() + START_LIMIT;
    // A thread takes its own name when it first runs. Until then it has its starter's, here that of the main thread.
    let mut threads = other_threads()?;
    while threads.iter().any(|(name, _)| name == process.trim_end()) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
        threads = other_threads()?;
    }
    for (name, mask) in threads {
        println!("PE {me}: thread {name}: {mask}");
    }
    Ok(())
}

fn descriptors() -> Outcome<usize> {
    Ok(std::fs::read_dir("/proc/self/fd")?.count())
}
