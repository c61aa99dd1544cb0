//! The matrix as data (`matrix.toml`): its axes, its jobs, and the rules about refused cells.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

const TEXT: &str = include_str!("../matrix.toml");

/// Declares an enumeration whose values are words of the data.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($value:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        pub enum $name { $(#[serde(rename = $word)] $value,)* }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$value => $word,)* })
            }
        }
    };
}

words! {
    /// A kind of memory.
    Kind {
        Value = "value",
        Pageable = "pageable",
        Pinned = "pinned",
        Managed = "managed",
        Pool = "pool",
        Gpu = "gpu",
        HostHeap = "host-heap",
        GpuHeap = "gpu-heap",
        Globals = "globals",
        Registered = "registered",
        RegisteredGpu = "registered-gpu",
    }
}

impl Kind {
    /// Whether the CPU cannot access it.
    pub fn is_device(self) -> bool {
        matches!(self, Self::Pool | Self::Gpu | Self::GpuHeap | Self::RegisteredGpu)
    }

    /// Whether all PEs have it at an address that names it on each PE.
    pub fn is_symmetric(self) -> bool {
        matches!(self, Self::HostHeap | Self::GpuHeap | Self::Globals | Self::Registered | Self::RegisteredGpu)
    }
}

words! {
    /// When an operation is complete, and who starts it.
    When { Blocking = "blocking", Nbi = "nbi", Stream = "stream", }
}

words! {
    /// Where the other PE is.
    Relation { Own = "own", Node = "same-node", Other = "other-node", All = "all", }
}

words! {
    /// What PEs use as GPUs.
    Gpus { None = "none", Soft = "soft", Cuda = "cuda", }
}

words! {
    /// A class of operations.
    Class { Copy = "copy", Signal = "signal", Element = "element", Atomic = "atomic", Wait = "wait", Collective = "collective", }
}

words! {
    /// The type of a word.
    Type { Unsigned = "unsigned", Signed = "signed", Float = "float", }
}

words! {
    /// An operation.
    Op {
        Put = "put",
        Get = "get",
        Iput = "iput",
        Iget = "iget",
        PutSignal = "put_signal",
        PutSignalAdd = "put_signal_add",
        P = "p",
        G = "g",
        Fetch = "atomic_fetch",
        Set = "atomic_set",
        Swap = "atomic_swap",
        CompareSwap = "atomic_compare_swap",
        FetchAdd = "atomic_fetch_add",
        FetchAnd = "atomic_fetch_and",
        FetchOr = "atomic_fetch_or",
        FetchXor = "atomic_fetch_xor",
        WaitUntil = "wait_until",
        WaitUntilAny = "wait_until_any",
        Test = "test",
        Lock = "lock",
        Broadcast = "broadcast",
        Fcollect = "fcollect",
        Collect = "collect",
        Alltoall = "alltoall",
        Alltoalls = "alltoalls",
        SumReduce = "sum_reduce",
        SumInscan = "sum_inscan",
        SumReducescatter = "sum_reducescatter",
    }
}

impl Op {
    pub fn class(self) -> Class {
        match self {
            Self::Put | Self::Get | Self::Iput | Self::Iget => Class::Copy,
            Self::PutSignal | Self::PutSignalAdd => Class::Signal,
            Self::P | Self::G => Class::Element,
            Self::WaitUntil | Self::WaitUntilAny | Self::Test | Self::Lock => Class::Wait,
            Self::Broadcast | Self::Fcollect | Self::Collect | Self::Alltoall | Self::Alltoalls => Class::Collective,
            Self::SumReduce | Self::SumInscan | Self::SumReducescatter => Class::Collective,
            _ => Class::Atomic,
        }
    }

    /// Whether an operation of this kind has a private end: memory that it reads, or that receives its result.
    fn has_source(self, when: When) -> bool {
        match self.class() {
            Class::Copy | Class::Signal | Class::Collective => true,
            Class::Element | Class::Wait => false,
            // A non-blocking one stores its result.
            Class::Atomic => when == When::Nbi,
        }
    }
}

/// The whole matrix.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    sources: Vec<Kind>,
    targets: Vec<Kind>,
    pub operation: Vec<Operation>,
    job: Vec<Job>,
    #[serde(default)]
    refused: Vec<Rule>,
    #[serde(default)]
    waits: Vec<Rule>,
}

/// An operation, and how it is tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    pub names: Vec<Op>,
    pub when: Vec<When>,
    pub bytes: Vec<usize>,
    #[serde(default = "unsigned")]
    pub types: Vec<Type>,
}

fn unsigned() -> Vec<Type> {
    vec![Type::Unsigned]
}

/// A job in which all cells are tried.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub name: String,
    /// A description, for readers of the table.
    #[serde(default)]
    pub about: String,
    pub pes: u32,
    #[serde(default = "one")]
    pub nodes: u32,
    pub gpus: Vec<Gpus>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Whether the program's globals stay private, as they do if it was not linked by `shmemcc`.
    #[serde(default)]
    pub private_globals: bool,
    /// Whether `--brief` skips it.
    #[serde(default)]
    pub long: bool,
    /// Whether the slow windows are tried in it.
    #[serde(default)]
    pub one_sided: bool,
}

fn one() -> u32 {
    1
}

/// A statement about some cells. A missing list names all values.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The rule, in words for readers.
    pub rule: String,
    /// What the library says. Empty for a cell that waits.
    #[serde(default)]
    pub says: String,
    #[serde(default)]
    windows: Vec<String>,
    #[serde(default)]
    classes: Vec<Class>,
    #[serde(default)]
    operations: Vec<Op>,
    #[serde(default)]
    when: Vec<When>,
    #[serde(default)]
    sources: Vec<Kind>,
    #[serde(default)]
    targets: Vec<Kind>,
    #[serde(default)]
    relations: Vec<Relation>,
    #[serde(default)]
    jobs: Vec<String>,
    #[serde(default)]
    gpus: Vec<Gpus>,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub op: Op,
    pub when: When,
    pub source: Kind,
    pub target: Kind,
    pub relation: Relation,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { op, when, source, target, relation } = self;
        write!(f, "{op} {when} {source} {target} {relation}")
    }
}

impl Rule {
    fn is_about(&self, job: &Job, gpus: Gpus, cell: &Cell) -> bool {
        fn has<T: PartialEq>(list: &[T], value: &T) -> bool {
            list.is_empty() || list.contains(value)
        }
        has(&self.classes, &cell.op.class())
            && has(&self.operations, &cell.op)
            && has(&self.when, &cell.when)
            && has(&self.sources, &cell.source)
            && has(&self.targets, &cell.target)
            && has(&self.relations, &cell.relation)
            && has(&self.jobs, &job.name)
            && has(&self.gpus, &gpus)
    }
}

impl Job {
    /// Where `pe` is, seen from `me`. PEs with neighbouring numbers share a node.
    pub fn relation(&self, me: u32, pe: u32) -> Relation {
        // As the launcher divides PEs: into ranges whose sizes differ by at most one, the larger ones first.
        let (size, larger) = (self.pes / self.nodes, self.pes % self.nodes);
        let node = |pe: u32| {
            let first = larger * (size + 1);
            if pe < first { pe / (size + 1) } else { larger + (pe - first) / size }
        };
        match () {
            () if me == pe => Relation::Own,
            () if node(me) == node(pe) => Relation::Node,
            () => Relation::Other,
        }
    }

    fn relations(&self) -> Vec<Relation> {
        let mut all: Vec<Relation> = (0..self.pes).map(|pe| self.relation(0, pe)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Matrix {
    pub fn load() -> Result<Self> {
        let matrix: Self = toml::from_str(TEXT).context("read matrix.toml")?;
        let known = |name: &String| matrix.job.iter().any(|job| job.name == *name);
        for rule in matrix.refused.iter().chain(&matrix.waits) {
            if let Some(name) = rule.jobs.iter().find(|name| !known(name)) {
                bail!("matrix.toml: `{}` names a job `{name}`, which there is not", rule.rule);
            }
        }
        if let Some(rule) = matrix.refused.iter().find(|rule| rule.says.is_empty()) {
            bail!("matrix.toml: `{}` does not tell what the library says", rule.rule);
        }
        Ok(matrix)
    }

    /// Returns the jobs for GPUs of this kind.
    pub fn jobs(&self, gpus: Gpus) -> impl Iterator<Item = &Job> {
        self.job.iter().filter(move |job| job.gpus.contains(&gpus))
    }

    pub fn job(&self, name: &str) -> Option<&Job> {
        self.job.iter().find(|job| job.name == name)
    }

    /// Returns the kinds that an operation's private end can have.
    pub fn sources(&self, op: Op, when: When) -> Vec<Kind> {
        match op.class() {
            Class::Collective => self.targets.clone(),
            _ if op.has_source(when) => self.sources.clone(),
            _ => vec![Kind::Value],
        }
    }

    pub fn targets(&self) -> &[Kind] {
        &self.targets
    }

    /// Returns all cells of a job.
    pub fn cells(&self, job: &Job) -> Vec<Cell> {
        let mut cells = Vec::new();
        for Operation { names, when, .. } in &self.operation {
            for (&op, &when) in names.iter().flat_map(|op| when.iter().map(move |when| (op, when))) {
                let relations = match op.class() {
                    Class::Wait | Class::Collective => vec![Relation::All],
                    _ => job.relations(),
                };
                for source in self.sources(op, when) {
                    for &target in &self.targets {
                        cells.extend(relations.iter().map(|&relation| Cell { op, when, source, target, relation }));
                    }
                }
            }
        }
        cells
    }

    /// Returns the first rule that refuses the cell, and its number.
    pub fn refusal(&self, job: &Job, gpus: Gpus, cell: &Cell) -> Option<(usize, &Rule)> {
        self.refused.iter().enumerate().find(|(_, rule)| rule.is_about(job, gpus, cell))
    }

    /// Returns the first rule according to which the cell waits in this window, and its number.
    pub fn wait(&self, job: &Job, gpus: Gpus, window: &str, cell: &Cell) -> Option<(usize, &Rule)> {
        let waits = |rule: &&Rule| rule.windows.iter().any(|w| w == window) && rule.is_about(job, gpus, cell);
        self.waits.iter().enumerate().find(|(_, rule)| waits(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a rule that refuses no cell: it was left behind when the operation was made to work.
    #[test]
    fn every_rule_is_about_a_cell() {
        let matrix = Matrix::load().expect("the data");
        let mut used = vec![false; matrix.refused.len()];
        for gpus in [Gpus::None, Gpus::Soft, Gpus::Cuda] {
            for job in matrix.jobs(gpus) {
                for cell in matrix.cells(job) {
                    if let Some((number, _)) = matrix.refusal(job, gpus, &cell) {
                        used[number] = true;
                    }
                }
            }
        }
        let idle: Vec<_> = matrix.refused.iter().zip(used).filter(|(_, used)| !used).map(|(r, _)| &r.rule).collect();
        assert!(idle.is_empty(), "{idle:?}");
    }

    /// Catches an axis that lacks a kind or a class of operations.
    #[test]
    fn the_matrix_has_all_axes() {
        let matrix = Matrix::load().expect("the data");
        let cells: Vec<Cell> = matrix.job.iter().flat_map(|job| matrix.cells(job)).collect();
        assert_eq!((matrix.sources.len(), matrix.targets.len()), (10, 5));
        for when in [When::Blocking, When::Nbi, When::Stream] {
            assert!(cells.iter().any(|cell| cell.op == Op::Put && cell.when == when), "{when}");
        }
        for relation in [Relation::Own, Relation::Node, Relation::Other, Relation::All] {
            assert!(cells.iter().any(|cell| cell.relation == relation), "{relation}");
        }
    }

    #[test]
    fn nodes_are_cut_as_by_the_launcher() {
        let job = |pes, nodes| Job { pes, nodes, ..Matrix::load().expect("the data").job[0].clone() };
        assert_eq!(job(3, 2).relation(0, 1), Relation::Node);
        assert_eq!(job(3, 2).relation(1, 2), Relation::Other);
        assert_eq!(job(4, 2).relation(2, 3), Relation::Node);
        assert_eq!(job(4, 4).relation(2, 3), Relation::Other);
    }
}
