//! A PE of a job: it tries all cells, each PE with each, and compares the memory at both ends with a model.
//!
//! One thread starts all cells of an operation before it compares one of them. Each cell has a slot of its own at both
//! ends:
//!
//! ```text
//! area of a kind | slot | slot | …     by the initiator and the kind of its private end; of a private end: by target PE and kind
//! slot           | guard | what is moved | guard | … | signal |
//! ```

use crate::data::{Cell, Class, Gpus, Job, Kind, Matrix, Op, Operation, Relation, Type, When};
use crate::explained::Explained;
use crate::memory::Machine;
use crate::operations::Act;
use crate::together;
use cushmem::raw::AnyStream;
use cushmem::{Shmem, Stream};
use cushmem_numbers::Random;
use std::collections::BTreeMap;

const GUARD: usize = 64;
/// The size of a slot if there is only one round.
pub const SLOT: usize = 4721 * 64;
/// How a PE's lines start.
pub const MARK: &str = "matrix: ";

/// Which contents the bytes at one end have before an operation.
#[derive(Clone, Copy)]
enum End {
    Source,
    Target,
    Signal,
}

/// An operation that a PE carries out, with its number among those of a round.
#[derive(Clone, Copy)]
pub struct Try {
    pub initiator: u32,
    pub pe: u32,
    source: usize,
    target: usize,
}

/// This PE.
pub struct Pe<'a> {
    pub shmem: &'a Shmem,
    pub matrix: &'a Matrix,
    pub job: &'a Job,
    pub gpus: Gpus,
    pub machine: Machine,
    explained: Explained,
    /// The stream for operations on streams, or why there is none.
    stream: Result<Stream<'a>, String>,
    /// Memory of each kind, for symmetric ends and for private ones, or why there is none.
    areas: [BTreeMap<Kind, Result<usize, String>>; 2],
    slot: usize,
    /// What failed, by cell.
    report: BTreeMap<Cell, Option<String>>,
    round: u64,
}

/// Returns bytes that reveal their key.
pub fn fill(key: u64, n: usize) -> Vec<u8> {
    let mut random = Random::new(key);
    let mut bytes = vec![0; n];
    let (words, rest) = bytes.as_chunks_mut();
    words.fill_with(|| random.bits().to_le_bytes());
    rest.copy_from_slice(&random.bits().to_le_bytes()[..rest.len()]);
    bytes
}

impl<'a> Pe<'a> {
    /// Allocates memory of all kinds. Collective. Slots have `slot` bytes, and there are enough for `places` rounds.
    pub fn new(shmem: &'a Shmem, matrix: &'a Matrix, job: &'a Job, gpus: Gpus, slot: usize, places: usize) -> Self {
        let machine = Machine::new(shmem, gpus);
        let stream = shmem.stream().map_err(|error| error.to_string());
        let private = matrix.sources(Op::Put, When::Blocking);
        let targets = matrix.targets().len();
        let slots = [job.pes as usize * private.len(), job.pes as usize * targets];
        let mut areas = [BTreeMap::new(), BTreeMap::new()];
        for kind in private.iter().copied().chain([Kind::Value]) {
            for (area, slots) in slots.into_iter().enumerate().filter(|(area, _)| *area == 1 || kind.is_symmetric()) {
                areas[area].insert(kind, machine.allocate(shmem, kind, area, places * slots * slot));
            }
        }
        let explained = Explained::of(&shmem.paths());
        Self { shmem, matrix, job, gpus, machine, explained, stream, areas, slot, report: BTreeMap::new(), round: 0 }
    }

    /// Tries everything. Returns lines for the program that started the job.
    pub fn run(mut self) -> String {
        let matrix = self.matrix;
        for Operation { names, when, bytes, types } in &matrix.operation {
            for (&op, &when) in names.iter().flat_map(|op| when.iter().map(move |when| (op, when))) {
                for (&bytes, &of) in bytes.iter().flat_map(|bytes| types.iter().map(move |of| (bytes, of))) {
                    match op.class() {
                        Class::Wait | Class::Collective => self.all_together(op, when, (bytes, of)),
                        _ => self.each_with_each(op, when, (bytes, of)),
                    }
                }
            }
        }
        self.lines()
    }

    /// Returns the result of each cell.
    pub fn lines(&self) -> String {
        let lines = self.report.iter().map(|(cell, failure)| match failure {
            None => format!("{MARK}ok {cell}\n"),
            Some(why) => format!("{MARK}FAILED {cell}: {why}\n", why = why.replace('\n', " ")),
        });
        lines.chain([format!("{MARK}end {}\n", self.report.len())]).collect()
    }

    pub fn barrier(&self) {
        self.shmem.barrier_all().expect("barrier");
    }

    /// Records the result of a cell here.
    pub fn note(&mut self, cell: Cell, failure: Option<String>) {
        let noted = self.report.entry(cell).or_default();
        if noted.is_none() {
            *noted = failure;
        }
    }

    /// Returns what is wrong with the answer to a try, given whether the rules refuse it. If memory at an end is
    /// missing (`is_whole` is false), the library was not asked.
    fn judge(&self, cell: &Cell, answer: &Result<(), String>, is_whole: bool) -> Option<String> {
        let explained = |works| if is_whole { self.explained.differs(cell, works) } else { None };
        match (self.matrix.refusal(self.job, self.gpus, cell), answer) {
            (None, Ok(())) => explained(true),
            (None, Err(why)) => Some(format!("refused: {why}")),
            (Some((_, rule)), Err(why)) if why.contains(&rule.says) => explained(false),
            (Some((_, rule)), Err(why)) => Some(format!("refused, but not by `{}`: {why}", rule.rule)),
            (Some((_, rule)), Ok(())) => Some(format!("works, in spite of `{}`", rule.rule)),
        }
    }

    fn all_together(&mut self, op: Op, when: When, size: (usize, Type)) {
        for source in self.matrix.sources(op, when) {
            for &target in self.matrix.targets() {
                self.round += 1;
                let cell = Cell { op, when, source, target, relation: Relation::All };
                let private = if source == Kind::Value { Kind::HostHeap } else { source };
                let areas = [self.area(0, target), self.area(1, private)];
                self.barrier();
                let answer = match areas {
                    [Ok(target_at), Ok(source_at)] => {
                        let ends = [(target, target_at), (private, source_at)];
                        self.together(op, when, size, ends)
                    }
                    [Err(why), _] | [_, Err(why)] => Err(why),
                };
                let failure = self.judge(&cell, &answer, false);
                self.note(cell, failure);
            }
        }
    }

    fn together(&self, op: Op, when: When, size: (usize, Type), ends: [(Kind, usize); 2]) -> Result<(), String> {
        let stream = if when == When::Stream { Some(self.stream.as_ref().map_err(Clone::clone)?) } else { None };
        together::try_all(self.shmem, &self.machine, op, stream, size, ends, self.round)
    }

    fn area(&self, area: usize, kind: Kind) -> Result<usize, String> {
        self.areas[area][&kind].clone()
    }

    fn each_with_each(&mut self, op: Op, when: When, (bytes, of): (usize, Type)) {
        self.round += 1;
        let sources = self.matrix.sources(op, when);
        let tries = self.tries(sources.len());
        let round = Round { op, when, bytes, of, sources, number: self.round, place: 0 };
        for each in &tries {
            self.prepare(&round, each);
        }
        self.barrier();
        let me = self.shmem.my_pe();
        for each in tries.iter().filter(|each| each.initiator == me) {
            let (cell, act) = (self.cell(&round, each), self.act(&round, each));
            let is_whole = act.is_ok();
            let answer = act.and_then(|act| self.begin(&act).and_then(|found| self.found(&round, each, found)));
            let failure = self.judge(&cell, &answer, is_whole);
            self.note(cell, failure);
        }
        self.complete();
        self.barrier();
        for each in &tries {
            let wrong = self.compare(&round, each);
            self.note(self.cell(&round, each), wrong);
        }
        self.barrier();
    }

    /// Starts an operation. Returns what an atomic operation found.
    fn begin(&self, act: &Act) -> Result<u64, String> {
        let raw = self.shmem.raw();
        if act.when == When::Stream {
            act.enqueue(raw, self.stream.as_ref().map_err(Clone::clone)?).map(|()| 0)
        } else {
            act.act(raw)
        }
    }

    /// Completes what was started, on the stream too.
    fn complete(&self) {
        if let Ok(stream) = &self.stream {
            // SAFETY: the stream belongs to the library.
            unsafe { self.shmem.raw().on_stream(AnyStream::Ours(stream)).quiet() }.expect("quiet on the stream");
            stream.synchronize().expect("the stream goes on");
        }
        self.shmem.quiet().expect("quiet");
    }

    /// Returns the tries in which this PE takes part: it starts them, or its memory is the symmetric end.
    pub fn tries(&self, sources: usize) -> Vec<Try> {
        let (me, targets) = (self.shmem.my_pe(), self.matrix.targets().len());
        let pairs = (0..self.job.pes).flat_map(|initiator| (0..self.job.pes).map(move |pe| (initiator, pe)));
        let mine = pairs.filter(|(initiator, pe)| *initiator == me || *pe == me);
        let kinds = move || (0..sources).flat_map(move |source| (0..targets).map(move |target| (source, target)));
        mine.flat_map(|(initiator, pe)| kinds().map(move |(source, target)| Try { initiator, pe, source, target }))
            .collect()
    }

    pub fn cell(&self, round: &Round, each: &Try) -> Cell {
        let Round { op, when, ref sources, .. } = *round;
        let relation = self.job.relation(each.initiator, each.pe);
        Cell { op, when, source: sources[each.source], target: self.matrix.targets()[each.target], relation }
    }

    /// Returns the slots at both ends, as addresses of this PE.
    fn ends(&self, round: &Round, each: &Try) -> [Result<usize, String>; 2] {
        let (source, target) = (round.sources[each.source], self.matrix.targets()[each.target]);
        let of = |pe: u32| round.place * self.job.pes as usize + pe as usize;
        let (initiator, pe) = (of(each.initiator), of(each.pe));
        let at = initiator * self.matrix.sources(Op::Put, When::Blocking).len() + each.source;
        let private = pe * self.matrix.targets().len() + each.target;
        [
            self.area(0, target).map(|base| base + at * self.slot),
            self.area(1, source).map(|base| base + private * self.slot),
        ]
    }

    pub fn act(&self, round: &Round, each: &Try) -> Result<Act, String> {
        let [target, source] = self.ends(round, each);
        let (slot, &Round { op, when, bytes, of, .. }) = (target?, round);
        Ok(Act {
            op,
            when,
            bytes,
            of,
            source: source? + GUARD,
            target: slot + GUARD,
            signal: slot + self.slot - GUARD,
            pe: each.pe,
        })
    }

    /// Returns the bytes of an end before the operation. Those of a slot have a guard on either side.
    fn before(&self, round: &Round, each: &Try, end: End) -> Vec<u8> {
        let Try { initiator, pe, source, target } = *each;
        let key = [u64::from(initiator), pe.into(), source as u64, target as u64, end as u64, round.number];
        let n = if matches!(end, End::Signal) { 8 } else { round.extent() + 2 * GUARD };
        fill(key.iter().fold(1, |key, part| key * 67 + part), n)
    }

    pub fn prepare(&self, round: &Round, each: &Try) {
        let (me, cell) = (self.shmem.my_pe(), self.cell(round, each));
        let [target, source] = self.ends(round, each);
        if let (Ok(slot), true) = (target, each.pe == me) {
            self.machine.write(cell.target, slot, &self.before(round, each, End::Target));
            if cell.op.class() == Class::Signal {
                self.machine.write(cell.target, slot + self.slot - GUARD, &self.before(round, each, End::Signal));
            }
        }
        if let (Ok(slot), true) = (source, each.initiator == me) {
            self.machine.write(cell.source, slot, &self.before(round, each, End::Source));
        }
    }

    /// Fails if an atomic operation found a value that was not there.
    pub fn found(&self, round: &Round, each: &Try, found: u64) -> Result<(), String> {
        let act = self.act(round, each)?;
        if round.op.class() != Class::Atomic {
            return Ok(());
        }
        let there = act.finds(&self.before(round, each, End::Target)[GUARD..]);
        if found != there { Err(format!("found {found:#x} instead of {there:#x}")) } else { Ok(()) }
    }

    /// Returns what is wrong, after the operation, at the ends that are on this PE.
    pub fn compare(&self, round: &Round, each: &Try) -> Option<String> {
        let (me, cell) = (self.shmem.my_pe(), self.cell(round, each));
        let ends = [End::Target, End::Source, End::Signal];
        let [mut target, mut source, mut signal] = ends.map(|end| self.before(round, each, end));
        let act = self.act(round, each).ok();
        if let (Some(act), None) = (act, self.matrix.refusal(self.job, self.gpus, &cell)) {
            act.model(&mut source[GUARD..], &mut target[GUARD..], &mut signal);
        }
        let [target_at, source_at] = self.ends(round, each);
        let differs =
            |kind, at: usize, expected: &[u8]| first_difference(&self.machine.read(kind, at, expected.len()), expected);
        let mut wrong = None;
        if let (Ok(slot), true) = (target_at, each.pe == me) {
            wrong = differs(cell.target, slot, &target).map(|why| format!("at the target, {why}"));
            if cell.op.class() == Class::Signal {
                let at = slot + self.slot - GUARD;
                wrong = wrong.or(differs(cell.target, at, &signal).map(|why| format!("in the signal, {why}")));
            }
        }
        if let (Ok(slot), true) = (source_at, each.initiator == me) {
            let found = differs(cell.source, slot, &source);
            wrong = wrong.or(found.map(|why| format!("at the private end, {why}")));
        }
        let who = format!("PE {} with PE {}, {} bytes: ", each.initiator, each.pe, round.bytes);
        wrong.map(|why| who + &why)
    }
}

/// One operation with all kinds and all PEs at once.
pub struct Round {
    pub op: Op,
    pub when: When,
    pub bytes: usize,
    pub of: Type,
    pub sources: Vec<Kind>,
    /// A different number each time.
    pub number: u64,
    /// Which of the slots belong to this round.
    pub place: usize,
}

impl Round {
    fn extent(&self) -> usize {
        let Self { op, when, bytes, of, .. } = *self;
        Act { op, when, bytes, of, source: 0, target: 0, signal: 0, pe: 0 }.extent()
    }
}

/// Returns where bytes first differ, and how many do.
pub fn first_difference(found: &[u8], expected: &[u8]) -> Option<String> {
    if found == expected {
        return None;
    }
    let at = found.iter().zip(expected).position(|(a, b)| a != b)?;
    let many = found.iter().zip(expected).filter(|(a, b)| a != b).count();
    Some(format!(
        "byte {at} is {:#x} instead of {:#x}, and {many} of {} are wrong",
        found[at],
        expected[at],
        found.len()
    ))
}
