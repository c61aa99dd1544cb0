//! Launches the kernels, and sums up what they report.

use crate::kernels::{IMAGE, PART, REPORT, Run, STRIDE};
use cushmem::{Grid, Kernel, Module, Shmem, Stream, SymSlice};
use cushmem_conformance::{TOLD, all_gpus_are_mapped};
use cushmem_environment::TEST_TRIES;
use std::fmt;

/// What the lines begin with that say what a kernel has found.
pub const LINE: &str = "litmus: ";

/// The limit of each wait in a kernel.
const LIMIT_NS: u64 = 60_000_000_000;

/// Where words lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heap {
    Gpu,
    Host,
}
use Heap::{Gpu, Host};

/// The heaps of data and flag.
pub(crate) const HEAPS: [(Heap, Heap); 4] = [(Gpu, Gpu), (Gpu, Host), (Host, Gpu), (Host, Host)];

/// The other side of the test: what a kernel of the first PE waits for comes from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// The same kernel of the other PEs.
    Gpu,
    /// The CPU of the second PE.
    Cpu,
}

/// How a kernel is tried.
#[derive(Clone, Copy)]
pub(crate) struct Trial {
    pub(crate) data: Heap,
    pub(crate) flag: Heap,
    pub(crate) way: u32,
    /// Whether each try takes many microseconds, so that there are fewer.
    pub(crate) is_slow: bool,
    /// Whether all blocks are resident.
    pub(crate) is_cooperative: bool,
    /// The only number of blocks that the shape has.
    pub(crate) blocks: Option<u32>,
    /// Whether the forbidden outcome is only counted, because nothing forbids it.
    pub(crate) is_unordered: bool,
    pub(crate) partner: Partner,
}

impl Trial {
    pub(crate) fn on((data, flag): (Heap, Heap)) -> Self {
        let (is_slow, is_cooperative, is_unordered) = (false, false, false);
        Self { data, flag, way: 0, is_slow, is_cooperative, blocks: None, is_unordered, partner: Partner::Gpu }
    }
}

/// The memory of a trial, and how much of it there is.
pub(crate) struct Words<'a> {
    pub(crate) data: SymSlice<'a, u64>,
    pub(crate) flag: SymSlice<'a, u64>,
    pub(crate) told: SymSlice<'a, u64>,
    pub(crate) blocks: usize,
    /// Lanes of a block.
    pub(crate) size: usize,
    pub(crate) rounds: u64,
    pub(crate) peer: u32,
}

impl Words<'_> {
    pub(crate) fn lanes(&self) -> usize {
        self.blocks * self.size
    }
}

/// What the lanes of a PE, or of all PEs, have found.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) tries: u64,
    pub(crate) forbidden: u64,
    pub(crate) late: u64,
    pub(crate) overlapped: u64,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tries, {} forbidden, {} overlapped", self.tries, self.forbidden, self.overlapped)?;
        if self.late > 0 { write!(f, ", {} LATE", self.late) } else { Ok(()) }
    }
}

/// A PE's kernels, a stream for them, and what was wrong so far.
pub struct Rig<'a> {
    shmem: &'a Shmem,
    /// The kernels to try, if not all.
    only: Option<Vec<String>>,
    module: Module<'a>,
    stream: Stream<'a>,
    wrong: Vec<String>,
}

impl<'a> Rig<'a> {
    /// Loads the kernels; the ones to be tried may be given by their names.
    ///
    /// # Panics
    /// If that fails.
    pub fn new(shmem: &'a Shmem, only: Option<Vec<String>>) -> Self {
        let (module, stream) = (shmem.load(&IMAGE).expect("load"), shmem.stream().expect("stream"));
        Self { shmem, only, module, stream, wrong: vec![] }
    }

    pub(crate) fn shmem(&self) -> &'a Shmem {
        self.shmem
    }

    /// The tries of a test by all PEs together, which `CUSHMEM_TEST_TRIES` may set, and the blocks and lanes that share
    /// them.
    fn size(&self) -> (u64, u32, u32) {
        let asked = std::env::var(TEST_TRIES.name).ok().map(|text| text.parse().expect("a number of tries"));
        let is_emulated = self.shmem.gpu().is_some_and(|gpu| gpu.emulated);
        let (tries, blocks, lanes) = match (is_emulated, all_gpus_are_mapped(self.shmem)) {
            (true, _) => (4_000, 2, 32),
            (false, false) => (40_000, 2, 32),
            (false, true) => (10_000_000, 4, 128),
        };
        (asked.unwrap_or(tries), blocks, lanes)
    }

    fn memory(&self, heap: Heap, words: usize) -> SymSlice<'a, u64> {
        let object = match heap {
            Gpu => self.shmem.malloc_gpu(words),
            Host => self.shmem.malloc(words),
        };
        let object = object.expect("symmetric memory");
        object.copy_from(&vec![0; words]).expect("zeros");
        object
    }

    /// Tries a kernel whose partner is a kernel.
    pub(crate) fn gpus<K: Kernel<Args = (Run,)>>(&mut self, kernel: K, trial: Trial) {
        self.trial(kernel, trial, |_, _| unreachable!("no CPU is a partner"));
    }

    /// Tries a kernel of PE 0 with the CPU of PE 1, which does `part`.
    pub(crate) fn with_cpu<K: Kernel<Args = (Run,)>>(
        &mut self,
        kernel: K,
        trial: Trial,
        part: impl Fn(&Shmem, &Words<'_>) -> Found,
    ) {
        self.trial(kernel, Trial { partner: Partner::Cpu, ..trial }, part);
    }

    fn trial<K: Kernel<Args = (Run,)>>(&mut self, kernel: K, trial: Trial, part: impl Fn(&Shmem, &Words<'_>) -> Found) {
        if self.only.as_ref().is_some_and(|only| only.iter().all(|name| name != K::NAME)) {
            return;
        }
        let (shmem, (tries, blocks, size)) = (self.shmem, self.size());
        let blocks = trial.blocks.unwrap_or(blocks);
        let lanes = (blocks * size) as usize;
        let parties = u64::from(shmem.n_pes());
        let tries = if trial.is_slow { tries / 100 } else { tries };
        let rounds = tries.div_ceil(lanes as u64 * parties).max(4);
        let words = Words {
            data: self.memory(trial.data, STRIDE.max(2 * PART) * lanes),
            flag: self.memory(trial.flag, STRIDE * lanes),
            told: self.memory(if trial.partner == Partner::Cpu { Host } else { trial.flag }, STRIDE * lanes),
            blocks: blocks as usize,
            size: size as usize,
            rounds,
            peer: (shmem.my_pe() + 1) % shmem.n_pes(),
        };
        shmem.barrier_all().expect("barrier");
        let found = if trial.partner == Partner::Cpu && shmem.my_pe() != 0 {
            part(shmem, &words)
        } else {
            self.run(kernel, trial, &words)
        };
        self.sum_up(K::NAME, trial, found);
        let Words { data, flag, told, .. } = words;
        [data, flag, told].into_iter().for_each(|object| shmem.free(object).expect("free"));
    }

    fn run<K: Kernel<Args = (Run,)>>(&self, kernel: K, trial: Trial, words: &Words<'_>) -> Found {
        let lanes = words.lanes();
        let private = |words| self.shmem.device_alloc::<u64>(words).expect("device_alloc");
        let (source, report) = (private((PART + 1) * lanes), private(REPORT * lanes));
        report.copy_from(&vec![u64::MAX; REPORT * lanes]).expect("write");
        let run = Run {
            data: words.data.device_ptr(),
            flag: words.flag.device_ptr(),
            told: words.told.device_ptr(),
            source: source.device_ptr(),
            report: report.device_ptr(),
            counter: self.stream.grid_counter(),
            rounds: words.rounds,
            limit_ns: LIMIT_NS,
            peer: words.peer,
            way: trial.way,
        };
        let grid = Grid::linear(words.blocks as u32, words.size as u32);
        let launched = if trial.is_cooperative {
            // SAFETY: the memory has room for all lanes, and is kept until the kernel has ended.
            unsafe { self.stream.launch_cooperative(&self.module, kernel, grid, (run,)) }
        } else {
            // SAFETY: the memory has room for all lanes, and is kept until the kernel has ended.
            unsafe { self.stream.launch(&self.module, kernel, grid, (run,)) }
        };
        launched.expect("launch");
        self.stream.synchronize().expect("the kernel ends");
        let mut found = Found { tries: words.rounds * lanes as u64, ..Found::default() };
        for lane in report.to_vec().expect("read").chunks(REPORT) {
            assert!(lane[0] <= words.rounds, "a lane has not reported: {lane:?}");
            found.forbidden += lane[0];
            found.late += u64::from(lane[1] != 0);
            found.overlapped += lane[2];
        }
        found
    }

    /// Adds up what the PEs have found, on PE 0, which prints it. Each PE remembers what was wrong on its side.
    fn sum_up(&mut self, name: &str, trial: Trial, found: Found) {
        let (shmem, n) = (self.shmem, self.shmem.n_pes() as usize);
        let all = shmem.malloc::<u64>(4 * n).expect("malloc");
        let mine = [found.tries, found.forbidden, found.late, found.overlapped];
        let first = 4 * shmem.my_pe() as usize;
        shmem.put(all.slice(first..first + 4), &mine, 0).expect("put");
        shmem.barrier_all().expect("barrier");
        let by = if trial.partner == Partner::Cpu { "GPU and CPU" } else { "GPUs" };
        let what = format!("{name}: {by}, data {:?}, flag {:?}, way {}", trial.data, trial.flag, trial.way);
        if shmem.my_pe() == 0 {
            let sum = |k| all.to_vec().expect("read").iter().skip(k).step_by(4).sum::<u64>();
            let sum = Found { tries: sum(0), forbidden: sum(1), late: sum(2), overlapped: sum(3) };
            println!("{TOLD}{LINE}{what}: {sum}{}", if trial.is_unordered { " (unordered)" } else { "" });
        }
        if found.late > 0 || found.forbidden > 0 && !trial.is_unordered {
            self.wrong.push(format!("{what}: {found}"));
        }
        shmem.barrier_all().expect("barrier");
        shmem.free(all).expect("free");
    }

    /// Ends the tests of this PE.
    ///
    /// # Panics
    /// If a trial has had a forbidden outcome on this PE, or a wait was in vain.
    pub fn end(self) {
        self.shmem.barrier_all().expect("barrier");
        assert!(self.wrong.is_empty(), "forbidden outcomes:\n{}", self.wrong.join("\n"));
    }
}
