//! What the PEs of a job do: PE 0 times operations on the memory of the last PE, which waits in a barrier.

use crate::fit::{Fit, Sample, fit};
use crate::jobs::{EMULATED, Job};
use crate::said::{Line, Said};
use cushmem::{Cmp, Shmem, SymSlice};
use cushmem_path::{
    Class, CopyBy, Cost, Figure, Initiator, LocalKind, Operation, Path, Policy, RemoteKind, Request, State, ThreadCopy,
};
use nix::sys::uio::{RemoteIoVec, process_vm_writev};
use std::cell::RefCell;
use std::io::{IoSlice, Write};
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const SIZES: [u64; 6] = [8, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20];
/// The largest size with `--quick` and, in jobs other than `Host`, without a real GPU.
const SMALL: u64 = 1 << 20;
/// No larger size is measured after one that takes longer than this.
const LONG_NS: f64 = 5e6;
/// About how long a round takes, unless a single operation takes longer.
const ROUND_NS: f64 = 2e5;
const MOST_CALLS: usize = 1_000;
/// Operations that are enqueued on a stream back to back.
const IN_A_ROW: u32 = 32;
const PINGPONGS: u64 = 500;
/// The least bytes for which the command processor is asked, whatever it costs.
const TO_PROCESSOR: u64 = 4 << 10;

/// The PEs, and the memory of both ends.
struct Ends<'a> {
    shmem: &'a Shmem,
    policy: Policy,
    peer: u32,
    rounds: usize,
    largest: u64,
    /// Symmetric objects, as in `gpu`: the first is the peer's end, the second is this PE's end.
    heap: [SymSlice<'a, u64>; 2],
    gpu: Option<[SymSlice<'a, u64>; 2]>,
    pageable: RefCell<Vec<u64>>,
}

/// The direction of a copy: a put moves bytes into symmetric memory, a get moves them out of it.
#[derive(Clone, Copy)]
struct Way {
    operation: Operation,
    local: LocalKind,
    remote: RemoteKind,
}

const fn put(local: LocalKind, remote: RemoteKind) -> Way {
    Way { operation: Operation::Put, local, remote }
}

const fn get(remote: RemoteKind, local: LocalKind) -> Way {
    Way { operation: Operation::Get, local, remote }
}

/// The ways that have GPU memory at one end or both.
const GPU_WAYS: [Way; 5] = [
    put(LocalKind::Pageable, RemoteKind::Gpu),
    put(LocalKind::Pinned, RemoteKind::Gpu),
    put(LocalKind::Gpu, RemoteKind::Gpu),
    get(RemoteKind::Gpu, LocalKind::Pinned),
    get(RemoteKind::Gpu, LocalKind::Pageable),
];

/// The copies that a kernel carries out for a stream.
const STREAM_WAYS: [Way; 4] = [
    put(LocalKind::Gpu, RemoteKind::Gpu),
    put(LocalKind::Pinned, RemoteKind::Gpu),
    put(LocalKind::Gpu, RemoteKind::Host),
    put(LocalKind::Pinned, RemoteKind::Host),
];

/// Measures a job's paths and reports the results.
pub fn measure(shmem: &Shmem, job: Job, quick: bool) -> Result<()> {
    let gpu = shmem.gpu();
    if job == Job::Host && shmem.my_pe() == 0 {
        say(&Said::Gpu(match gpu {
            Some(gpu) if gpu.emulated => Ok(EMULATED.into()),
            Some(gpu) => Ok(gpu.name.clone()),
            None => Err(shmem.policy().machine().gpu.clone().err().unwrap_or_else(|| "there is no GPU".into())),
        }))?;
    }
    let small = quick || (job != Job::Host && gpu.is_none_or(|gpu| gpu.emulated));
    let largest = if small { SMALL } else { SIZES[SIZES.len() - 1] };
    let words = largest as usize / 8;
    let heap = [shmem.malloc(words)?, shmem.malloc(words)?];
    let gpu = match gpu {
        Some(_) if job != Job::Host => Some([shmem.malloc_gpu(words)?, shmem.malloc_gpu(words)?]),
        _ => None,
    };
    let ends = Ends {
        shmem,
        policy: shmem.policy(),
        peer: shmem.n_pes() - 1,
        rounds: if quick { 3 } else { 11 },
        largest,
        heap,
        gpu,
        pageable: RefCell::new(vec![1; words]),
    };
    if job == Job::Host {
        let visible = ends.visible()?;
        if shmem.my_pe() == 0 {
            ends.mapped(visible)?;
            ends.system()?;
        }
    } else if shmem.my_pe() == 0 {
        match job {
            Job::Host => {}
            Job::Engine => GPU_WAYS.iter().try_for_each(|way| ends.path(Path::CopyEngine, *way))?,
            Job::Agent => GPU_WAYS.iter().try_for_each(|way| ends.path(Path::GpuAgent, *way))?,
            Job::Stream => ends.streams()?,
            Job::Threads => ends.threads()?,
            Job::Staged => ends.any("staged-here", Path::Staged, put(LocalKind::Gpu, RemoteKind::Gpu))?,
            Job::Network => ends.any(Path::Nic.word(), Path::Nic, put(LocalKind::Pinned, RemoteKind::Host))?,
            Job::FarStaged => ends.any(Path::Staged.word(), Path::Staged, put(LocalKind::Gpu, RemoteKind::Gpu))?,
            Job::Direct => GPU_WAYS.iter().try_for_each(|way| ends.path(Path::Gdr, *way))?,
        }
    }
    Ok(shmem.barrier_all()?)
}

fn say(said: &Said) -> Result<()> {
    // A single write, as for all output.
    let line = serde_json::to_string(said)? + "\n";
    Ok(std::io::stdout().write_all(line.as_bytes())?)
}

/// Nanoseconds per call, measured over `calls` calls.
fn each(calls: usize, mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    (0..calls).try_for_each(|_| call())?;
    Ok(start.elapsed().as_nanos() as f64 / calls as f64)
}

impl Ends<'_> {
    /// Times the rounds of an operation that is complete when `call` returns.
    fn sample(&self, bytes: u64, mut call: impl FnMut() -> Result<()>) -> Result<Sample> {
        // The first call does the set-up that all calls need.
        call()?;
        let once = each(1, &mut call)?;
        let calls = ((ROUND_NS / once.max(1.0)) as usize).clamp(1, MOST_CALLS);
        let ns = (0..self.rounds).map(|_| each(calls, &mut call)).collect::<Result<_>>()?;
        Ok(Sample { bytes, ns })
    }

    /// The samples of all sizes, up to the first that takes longer than [`LONG_NS`].
    fn samples(&self, mut call: impl FnMut(usize) -> Result<()>) -> Result<Vec<Sample>> {
        let mut samples: Vec<Sample> = Vec::new();
        for bytes in SIZES.into_iter().filter(|bytes| *bytes <= self.largest) {
            samples.push(self.sample(bytes, || call(bytes as usize / 8))?);
            if samples.last().is_some_and(|last| last.median() > LONG_NS) {
                break;
            }
        }
        Ok(samples)
    }

    fn there(&self, remote: RemoteKind, words: usize) -> SymSlice<'_, u64> {
        let gpu = self.gpu.as_ref().filter(|_| remote == RemoteKind::Gpu);
        gpu.unwrap_or(&self.heap)[0].slice(..words)
    }

    /// This PE's end, unless it is pageable.
    fn own(&self, local: LocalKind, words: usize) -> Option<SymSlice<'_, u64>> {
        let ends = match local {
            LocalKind::Pageable => None,
            LocalKind::Pinned => Some(&self.heap),
            LocalKind::Gpu => self.gpu.as_ref(),
        };
        ends.map(|ends| ends[1].slice(..words))
    }

    /// Starts an operation, which may still be in progress when the call returns.
    fn begin(&self, way: Way, words: usize) -> Result<()> {
        let (shmem, peer) = (self.shmem, self.peer);
        let (there, own) = (self.there(way.remote, words), self.own(way.local, words));
        let mut pageable = self.pageable.borrow_mut();
        match (way.operation, own) {
            (Operation::Get, Some(own)) => shmem.get(own, there, peer)?,
            (Operation::Get, None) => shmem.get(&mut pageable[..words], there, peer)?,
            (_, Some(own)) => shmem.put_nbi(there, own, peer)?,
            (_, None) => shmem.put(there, &pageable[..words], peer)?,
        }
        Ok(())
    }

    /// Starts an operation and waits until it is complete.
    fn complete(&self, way: Way, words: usize) -> Result<()> {
        self.begin(way, words)?;
        Ok(self.shmem.quiet()?)
    }

    /// The request that the policy is asked about. The peer is the last PE, so the class of its memory is the last in
    /// the list.
    fn request(&self, initiator: Initiator, way: Way) -> Request {
        let Way { operation, local, remote } = way;
        let reach = self.policy.machine().reach.iter().rev().find(|r| r.remote == remote && r.class != Class::Own);
        let class = reach.map_or(Class::Own, |reach| reach.class);
        Request { operation, initiator, local, remote, class }
    }

    /// Whether this path carries a request at every size; the error says why not.
    fn is_taken(&self, path: Path, request: Request) -> std::result::Result<(), String> {
        let explained = self.policy.explain(request);
        match explained.verdicts.iter().find(|verdict| verdict.path == path).map(|verdict| &verdict.state) {
            Some(State::Taken { from: 0, up_to: u64::MAX }) => Ok(()),
            Some(State::Cannot(why)) => Err(why.clone()),
            _ => Err(format!("other paths carry a {request}")),
        }
    }

    /// Measures a path between two kinds of memory.
    fn path(&self, path: Path, way: Way) -> Result<()> {
        let remote = way.remote.as_local();
        let (from, to) = if way.operation == Operation::Get { (remote, way.local) } else { (way.local, remote) };
        self.line(path.word(), (from.word(), to.word()), path, way)
    }

    /// Measures a path whose costs hold for all kinds of memory.
    fn any(&self, what: &str, path: Path, way: Way) -> Result<()> {
        self.line(what, ("any", "any"), path, way)
    }

    fn line(&self, what: &str, (from, to): (&str, &str), path: Path, way: Way) -> Result<()> {
        let request = self.request(Initiator::Cpu, way);
        if let Err(why) = self.is_taken(path, request) {
            return say(&Said::Absent(format!("{what} {from} {to}: {why}")));
        }
        let samples = self.samples(|words| self.complete(way, words))?;
        let begun = self.sample(8, || self.begin(way, 1))?;
        self.shmem.quiet()?;
        let shipped = self.policy.machine().costs.of(path, request);
        self.fitted(what, (from, to), &samples, begun.median(), shipped)
    }

    /// Reports the line through the samples; the call returned after `begun_ns`.
    fn fitted(&self, what: &str, ends: (&str, &str), samples: &[Sample], begun_ns: f64, shipped: Cost) -> Result<()> {
        match fit(samples) {
            Some(fit) => self.found(what, ends, fit, begun_ns, (shipped.start_ns(), shipped.bytes_per_ns())),
            None => say(&Said::Absent(format!("{what} {} {}: the clock gave no times", ends.0, ends.1))),
        }
    }

    fn found(&self, what: &str, (from, to): (&str, &str), fit: Fit, begun_ns: f64, shipped: (f64, f64)) -> Result<()> {
        let overhead_ns = begun_ns.min(fit.start_ns);
        say(&Said::Line(Line {
            what: what.into(),
            from: from.into(),
            to: to.into(),
            overhead_ns,
            latency_ns: fit.start_ns - overhead_ns,
            gb_s: fit.gb_s,
            spread: fit.spread,
            off: fit.off,
            shipped,
        }))
    }

    /// The time from a store of 8 bytes until the peer sees it, one value per round.
    fn visible(&self) -> Result<Vec<f64>> {
        let (shmem, me, word) = (self.shmem, self.shmem.my_pe(), self.heap[0].at(0));
        let mut value = 0;
        let mut pingpong = || {
            value += 1;
            if me == 0 {
                shmem.p(word, value, self.peer)?;
            }
            if me == 0 || me == self.peer {
                shmem.wait_until(word, Cmp::Eq, value)?;
            }
            if me == self.peer {
                shmem.p(word, value, 0)?;
            }
            Ok(())
        };
        (0..self.rounds).map(|_| Ok(each(PINGPONGS as usize, &mut pingpong)? / 2.0)).collect()
    }

    /// Measures loads and stores by the CPU.
    fn mapped(&self, visible: Vec<f64>) -> Result<()> {
        let way = put(LocalKind::Pinned, RemoteKind::Host);
        let mut samples = self.samples(|words| self.complete(way, words))?;
        // A store returns before its peer sees it.
        samples[0].ns = visible;
        let begun = self.sample(8, || self.begin(way, 1))?;
        let shipped = self.policy.machine().costs.of(Path::Mapped, self.request(Initiator::Cpu, way));
        self.fitted(Path::Mapped.word(), ("any", "any"), &samples, begun.median(), shipped)
    }

    /// Measures the operating system's copies within this process, because the globals of Rust programs are not
    /// symmetric.
    fn system(&self) -> Result<()> {
        let (what, any) = (Path::CrossMemory.word(), ("any", "any"));
        let (from, mut to) = (vec![1u8; self.largest as usize], vec![0u8; self.largest as usize]);
        let to = to.as_mut_ptr().expose_provenance();
        let copy = |words: usize| {
            let there = RemoteIoVec { base: to, len: 8 * words };
            process_vm_writev(nix::unistd::getpid(), &[IoSlice::new(&from[..8 * words])], &[there])?;
            Ok(())
        };
        let samples = match self.samples(copy) {
            Ok(samples) => samples,
            Err(error) => return say(&Said::Absent(format!("{what}: process_vm_writev: {error}"))),
        };
        let way = Way { operation: Operation::Put, local: LocalKind::Pageable, remote: RemoteKind::Globals };
        let shipped = self.policy.machine().costs.of(Path::CrossMemory, self.request(Initiator::Cpu, way));
        let begun = samples[0].median();
        self.fitted(what, any, &samples, begun, shipped)
    }

    /// Measures kernels that copy for a stream. `launch` is the time that every such kernel takes before it copies. It
    /// is what the first copy takes to start, minus the library's own figure for the start of the copy itself, which is
    /// not measured.
    fn streams(&self) -> Result<()> {
        let stream = self.shmem.stream()?;
        let costs = &self.policy.machine().costs;
        let mut launch_ns = None;
        for way in STREAM_WAYS {
            let (remote, request) = (way.remote.as_local(), self.request(Initiator::Stream, way));
            let (what, ends) = (Path::GpuDirect.word(), (way.local.word(), remote.word()));
            if let Err(why) = self.is_taken(Path::GpuDirect, request) {
                say(&Said::Absent(format!("{what} {} {}: {why}", ends.0, ends.1)))?;
                continue;
            }
            let put = |words: usize| {
                let (there, own) = (self.there(way.remote, words), self.own(way.local, words));
                own.map_or(Ok(()), |own| stream.put(there, own, self.peer))
            };
            let samples = self.samples(|words| {
                put(words)?;
                Ok(stream.synchronize()?)
            })?;
            let Some(fit) = fit(&samples) else { continue };
            let shipped = costs.of(Path::GpuDirect, Request { initiator: Initiator::Kernel, ..request });
            let launch_ns = match launch_ns {
                Some(known) => known,
                None => {
                    let row = self.sample(8, || {
                        (0..IN_A_ROW).try_for_each(|_| put(1))?;
                        Ok(stream.synchronize()?)
                    })?;
                    let overhead_ns = row.median() / f64::from(IN_A_ROW);
                    let start_ns = (fit.start_ns - shipped.start_ns()).max(0.0);
                    let launch = Fit { start_ns, gb_s: NO_BYTES_GB_S, off: 0.0, ..fit };
                    let shipped = (costs.launch().start_ns(), NO_BYTES_GB_S);
                    self.found("launch", ("any", "any"), launch, overhead_ns, shipped)?;
                    *launch_ns.insert(start_ns)
                }
            };
            let kernel = Fit { start_ns: (fit.start_ns - launch_ns).max(0.0), ..fit };
            let shipped = (shipped.start_ns(), shipped.bytes_per_ns());
            self.found(what, ends, kernel, 0.0, shipped)?;
        }
        Ok(())
    }

    /// Measures copies by a single thread of a kernel, and by the command processor for it. The kernel has the times.
    fn threads(&self) -> Result<()> {
        let (stream, spent) = (self.shmem.stream()?, self.heap[0].slice(..2));
        let both = [
            (ThreadCopy::Put, put(LocalKind::Gpu, RemoteKind::Gpu)),
            (ThreadCopy::Get, get(RemoteKind::Gpu, LocalKind::Gpu)),
        ];
        for ((copy, way), by) in
            both.into_iter().flat_map(|way| [CopyBy::Thread, CopyBy::Processor].map(|by| (way, by)))
        {
            let what = copy.word(by);
            if let Err(why) = self.is_taken(Path::GpuDirect, self.request(Initiator::Kernel, way)) {
                say(&Said::Absent(format!("{what}: {why}")))?;
                continue;
            }
            // The figures of this job say what threads leave to it.
            if by == CopyBy::Processor
                && u64::from(self.policy.machine().costs.least_for_processor(copy)) > TO_PROCESSOR
            {
                say(&Said::Absent(format!("{what}: threads leave it too little")))?;
                continue;
            }
            let run = |bytes: u64, n: usize| {
                let words = bytes as usize / 8;
                let there = self.there(RemoteKind::Gpu, words);
                let here = self.own(LocalKind::Gpu, words).ok_or("there is no GPU memory")?;
                stream.thread_copies([there, here], (copy, by), n as u64, spent, self.peer)?;
                stream.synchronize()?;
                let each: Vec<f64> = spent.to_vec()?.iter().map(|ns| *ns as f64 / n as f64).collect();
                Ok([each[0], each[1]])
            };
            let (mut samples, mut begun) = (Vec::new(), None);
            let is_asked = |bytes: &u64| by == CopyBy::Thread || *bytes >= TO_PROCESSOR;
            for bytes in SIZES.into_iter().filter(|bytes| *bytes <= self.largest && is_asked(bytes)) {
                run(bytes, 1)?;
                let [_, once] = run(bytes, 1)?;
                let calls = ((ROUND_NS / once.max(1.0)) as usize).clamp(1, MOST_CALLS);
                let rounds = (0..self.rounds).map(|_| run(bytes, calls)).collect::<Result<Vec<_>>>()?;
                begun = begun.or(rounds.first().map(|[returned, _]| *returned));
                samples.push(Sample { bytes, ns: rounds.iter().map(|[_, complete]| *complete).collect() });
                if once > LONG_NS {
                    break;
                }
            }
            let Figure { cost, .. } = self.policy.machine().costs.thread_copy(copy, by);
            self.fitted(what, ("any", "any"), &samples, begun.unwrap_or(0.0), *cost)?;
        }
        Ok(())
    }
}

/// For operations that take the same time for any number of bytes.
const NO_BYTES_GB_S: f64 = 1e9;
