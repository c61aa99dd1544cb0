//! What all PEs do together: waits, locks and collectives, on memory of one kind at each end.

use crate::data::{Class, Kind, Op, Type};
use crate::memory::Machine;
use crate::pe::{fill, first_difference};
use cushmem::raw::{AnyStream, BadArgument, Buffers, Participants};
use cushmem::{Arithmetic, Cmp, Reduction, Shmem, Stream};
use std::ptr::{with_exposed_provenance as from, with_exposed_provenance_mut as to};
use std::time::{Duration, Instant};

/// An end: its kind, and its address here.
type Place = (Kind, usize);
type Result = std::result::Result<(), String>;

/// Distances between elements of `alltoalls`.
const STRIDES: (usize, usize) = (2, 3);
const ELEMENT: usize = 4;
/// How long an expected word may take to arrive.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often each PE gets a lock.
const TURNS: u64 = 20;

/// Tries the operation. The answer is the same on all PEs, except for errors that are found.
pub fn try_all(
    shmem: &Shmem,
    machine: &Machine,
    op: Op,
    stream: Option<&Stream<'_>>,
    (bytes, of): (usize, Type),
    [target, source]: [Place; 2],
    round: u64,
) -> Result {
    let watch = Watch { shmem, machine, op, place: target };
    match (op.class(), stream) {
        (Class::Collective, _) => collective(shmem, machine, op, stream, bytes, [target, source], round),
        _ if op == Op::Lock => lock(shmem, machine, target),
        // Types with a sign have it first.
        (_, None) => match (of, bytes) {
            (Type::Signed, 2) => watch.wait(-(round as i16), 0),
            (Type::Signed, 4) => watch.wait(-(round as i32), 0),
            (Type::Signed, _) => watch.wait(-(round as i64) << 33, 0),
            (_, 2) => watch.wait(round as u16, 0),
            (_, 4) => watch.wait(round as u32 | 1 << 31, 0),
            _ => watch.wait(round << 33 | 1 << 63, 0),
        },
        (_, Some(stream)) => match (of, bytes) {
            (Type::Signed, 4) => watch.wait_on(stream, -(round as i32), 0),
            (Type::Signed, _) => watch.wait_on(stream, -(round as i64) << 33, 0),
            (_, 4) => watch.wait_on(stream, round as u32 | 1 << 31, 0),
            _ => watch.wait_on(stream, round << 33 | 1 << 63, 0),
        },
    }
}

/// A word on each PE, which the previous PE puts.
struct Watch<'a> {
    shmem: &'a Shmem,
    machine: &'a Machine,
    op: Op,
    place: Place,
}

impl Watch<'_> {
    /// The number of words that are watched, and which of them is put.
    const WORDS: (usize, usize) = (4, 2);

    fn clear(&self) {
        self.machine.write(self.place.0, self.place.1, &[0; 8 * Self::WORDS.0]);
        self.shmem.barrier_all().expect("barrier");
    }

    fn next(&self) -> u32 {
        (self.shmem.my_pe() + 1) % self.shmem.n_pes()
    }

    /// Returns all comparisons that have to hold for a word with this value, which is not `zero`.
    fn comparisons<T: PartialOrd + Copy>(value: T, zero: T) -> [(Cmp, T); 5] {
        let apart = if value > zero { Cmp::Gt } else { Cmp::Lt };
        [(Cmp::Ne, zero), (Cmp::Eq, value), (Cmp::Ge, value), (Cmp::Le, value), (apart, zero)]
    }

    fn wait<T: cushmem::Word + std::fmt::Debug>(&self, value: T, zero: T) -> Result {
        self.clear();
        let (raw, first) = (self.shmem.raw(), to::<T>(self.place.1));
        let at = if self.op == Op::WaitUntilAny { Self::WORDS.1 } else { 0 };
        raw.p(first.wrapping_add(at), value, self.next()).map_err(|e| e.to_string())?;
        self.shmem.quiet().expect("quiet");
        match self.op {
            Op::WaitUntil => {
                for (cmp, with) in Self::comparisons(value, zero) {
                    raw.wait_until(first.cast_const(), cmp, with).map_err(|e| e.to_string())?;
                }
            }
            Op::Test => {
                let deadline = Instant::now() + PATIENCE;
                while raw.load_acquire(first.cast_const()).map_err(|e| e.to_string())? != value {
                    if Instant::now() > deadline {
                        return Err("the word does not come".to_owned());
                    }
                    std::thread::yield_now();
                }
            }
            _ => {
                let words = raw.own_words(first.cast_const(), Self::WORDS.0).map_err(|e| e.to_string())?;
                let look = || (0..words.len()).find(|at| words.load_acquire(*at) != zero);
                let found = raw.wait_for("matrix", &words, look);
                if (found, words.load_acquire(at)) != (at, value) {
                    return Err(format!("word {found} came instead of {at}, or not whole"));
                }
            }
        }
        Ok(())
    }

    /// Waits for the words on a stream.
    fn wait_on<T: cushmem::Amo>(&self, stream: &Stream<'_>, value: T, zero: T) -> Result {
        self.clear();
        let (raw, word) = (self.shmem.raw(), to::<T>(self.place.1));
        for (cmp, with) in Self::comparisons(value, zero) {
            // SAFETY: the stream belongs to the library.
            unsafe { raw.on_stream(AnyStream::Ours(stream)).wait_until(word, cmp, with) }.map_err(|e| e.to_string())?;
        }
        raw.p(word, value, self.next()).map_err(|e| e.to_string())?;
        self.shmem.quiet().expect("quiet");
        stream.synchronize().map_err(|e| e.to_string())
    }
}

/// PEs count with loads and stores under the lock.
fn lock(shmem: &Shmem, machine: &Machine, (kind, at): Place) -> Result {
    let counter = shmem.malloc::<u64>(1).expect("malloc");
    counter.copy_from(&[0]).expect("clear");
    machine.write(kind, at, &[0; 8]);
    shmem.barrier_all().expect("barrier");
    let turns = || -> std::result::Result<(), cushmem::ArgumentError> {
        for _ in 0..TURNS {
            shmem.raw().set_lock(to(at))?;
            let before = shmem.g(counter.at(0), 0)?;
            shmem.p(counter.at(0), before + 1, 0)?;
            shmem.quiet()?;
            shmem.raw().clear_lock(to(at))?;
        }
        Ok(())
    };
    let answer = turns().map_err(|e| e.to_string());
    shmem.barrier_all().expect("barrier");
    let counted = shmem.g(counter.at(0), 0).expect("g");
    shmem.free(counter).expect("free");
    let all = TURNS * u64::from(shmem.n_pes());
    answer.and_then(|()| if counted == all { Ok(()) } else { Err(format!("{counted} turns instead of {all}")) })
}

fn collective(
    shmem: &Shmem,
    machine: &Machine,
    op: Op,
    stream: Option<&Stream<'_>>,
    bytes: usize,
    [target, source]: [Place; 2],
    round: u64,
) -> Result {
    let (raw, world, n, me) =
        (shmem.raw(), Participants::Team(shmem.team_world()), shmem.n_pes() as usize, shmem.my_pe());
    let room = bytes * n * STRIDES.0.max(STRIDES.1) + 64;
    let mut expected = fill(round, room);
    let sources: Vec<Vec<u8>> = (0..n as u64).map(|pe| fill(round << 20 | (pe + 1), room)).collect();
    machine.write(target.0, target.1, &expected);
    machine.write(source.0, source.1, &sources[me as usize]);
    shmem.barrier_all().expect("barrier");
    let buffers = Buffers { dest: to(target.1), source: from(source.1) };
    let elements = bytes / ELEMENT;
    // Each PE has a different number of elements, and one without elements has no memory to check.
    let mine = |pe: usize| (elements - pe.min(elements - 1)) * ELEMENT;
    let sum = || u32::reducer(Reduction::Sum).expect("numbers have a sum");
    let answer = match op {
        _ if stream.is_some() => on_stream(shmem, op, stream.expect("there is one"), buffers, bytes),
        Op::Broadcast => raw.broadcast(world, buffers, bytes, 0, true),
        Op::Fcollect => raw.fcollect(world, buffers, bytes),
        Op::Collect => raw.collect(world, buffers, mine(me as usize), room),
        Op::Alltoall => raw.alltoall(world, buffers, bytes),
        Op::Alltoalls => raw.alltoalls(world, buffers, ELEMENT, elements, STRIDES),
        Op::SumReduce => raw.reduce(world, buffers, elements, sum()),
        Op::SumReducescatter => raw.reducescatter(world, buffers, elements, sum()),
        Op::SumInscan => raw.scan(world, buffers, elements, sum(), true),
        other => unreachable!("{other} is no collective"),
    };
    if answer.is_ok() {
        model(op, bytes, me as usize, &sources, &mut expected);
    }
    shmem.barrier_all().expect("barrier");
    let wrong = first_difference(&machine.read(target.0, target.1, room), &expected);
    let said = |BadArgument { argument, error, .. }| format!("{argument} {error}");
    answer.map_err(said).and_then(|()| wrong.map_or(Ok(()), Err))
}

/// Enqueues the same, and waits for it.
fn on_stream(
    shmem: &Shmem,
    op: Op,
    stream: &Stream<'_>,
    buffers: Buffers,
    bytes: usize,
) -> std::result::Result<(), BadArgument> {
    let (raw, world, on, elements) = (shmem.raw(), shmem.team_world(), AnyStream::Ours(stream), bytes / ELEMENT);
    let sum = || u32::reducer(Reduction::Sum).expect("numbers have a sum");
    // SAFETY: the stream belongs to the library, and passes these operations before the memory is used again.
    unsafe {
        match op {
            Op::Broadcast => raw.on_stream(on).broadcast(world, buffers, bytes, 0)?,
            Op::Fcollect => raw.on_stream(on).fcollect(world, buffers, bytes)?,
            Op::Alltoall => raw.on_stream(on).alltoall(world, buffers, bytes)?,
            Op::SumReduce => raw.on_stream(on).reduce(world, buffers, elements, sum())?,
            Op::SumReducescatter => raw.on_stream(on).reducescatter(world, buffers, elements, sum())?,
            other => unreachable!("matrix.toml has no {other} on a stream"),
        }
    }
    Ok(stream.synchronize()?)
}

/// Computes what a member receives.
fn model(op: Op, bytes: usize, me: usize, sources: &[Vec<u8>], dest: &mut [u8]) {
    let elements = bytes / ELEMENT;
    let number =
        |bytes: &[u8], i: usize| u32::from_le_bytes(bytes[i * ELEMENT..][..ELEMENT].try_into().expect("4 bytes"));
    match op {
        Op::Broadcast => dest[..bytes].copy_from_slice(&sources[0][..bytes]),
        Op::Alltoalls => {
            for (pe, source) in sources.iter().enumerate() {
                for i in 0..elements {
                    let (to, from) = ((pe * elements + i) * STRIDES.0, (me * elements + i) * STRIDES.1);
                    dest[to * ELEMENT..][..ELEMENT].copy_from_slice(&source[from * ELEMENT..][..ELEMENT]);
                }
            }
        }
        Op::SumReduce | Op::SumInscan | Op::SumReducescatter => {
            let members = if op == Op::SumInscan { &sources[..=me] } else { sources };
            let first = if op == Op::SumReducescatter { me * elements } else { 0 };
            for i in 0..elements {
                let sum = members.iter().fold(0u32, |sum, source| sum.wrapping_add(number(source, first + i)));
                dest[i * ELEMENT..][..ELEMENT].copy_from_slice(&sum.to_le_bytes());
            }
        }
        _ => {
            let mut at = 0;
            for (pe, source) in sources.iter().enumerate() {
                let part = match op {
                    Op::Collect => &source[..(elements - pe.min(elements - 1)) * ELEMENT],
                    Op::Alltoall => &source[me * bytes..][..bytes],
                    _ => &source[..bytes],
                };
                dest[at..at + part.len()].copy_from_slice(part);
                at += part.len();
            }
        }
    }
}
