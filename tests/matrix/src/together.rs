//! What all PEs do together: waits, locks and collectives, on memory of one kind at each end.

use crate::data::{Kind, Op};
use crate::memory::Machine;
use crate::pe::{fill, first_difference};
use cushmem::raw::{AnyStream, BadArgument, Buffers, Completion, Participants};
use cushmem::{Arithmetic, Cmp, Reduction, Shmem, Stream};
use std::ptr::{with_exposed_provenance as from, with_exposed_provenance_mut as to};

/// An end: of which kind, and where here.
type Place = (Kind, usize);
type Result = std::result::Result<(), String>;

/// Distances of elements of `alltoalls`.
const STRIDES: (usize, usize) = (2, 3);
const ELEMENT: usize = 4;
/// How often each PE gets a lock.
const TURNS: u64 = 20;

/// Tries the operation; the answer is the same on all PEs, but for what is found to be wrong.
pub fn try_all(
    shmem: &Shmem,
    machine: &Machine,
    op: Op,
    stream: Option<&Stream<'_>>,
    bytes: usize,
    [target, source]: [Place; 2],
    round: u64,
) -> Result {
    if let Some(stream) = stream {
        return match op {
            Op::WaitUntil => wait_on_stream(shmem, machine, target, round << 33 | 5, stream),
            other => unreachable!("matrix.toml has no {other} on a stream"),
        };
    }
    match op {
        Op::WaitUntil if bytes == 4 => wait::<u32>(shmem, machine, target, round as u32),
        Op::WaitUntil => wait::<u64>(shmem, machine, target, round << 33 | 5),
        Op::Lock => lock(shmem, machine, target),
        _ => collective(shmem, machine, op, bytes, [target, source], round),
    }
}

/// Each PE puts the word that the next one waits for.
fn wait<T: cushmem::Word>(shmem: &Shmem, machine: &Machine, (kind, at): Place, value: T) -> Result {
    let (raw, next) = (shmem.raw(), (shmem.my_pe() + 1) % shmem.n_pes());
    machine.write(kind, at, &[0; 8]);
    shmem.barrier_all().expect("barrier");
    // SAFETY: the source is a variable, and the put is blocking.
    unsafe { raw.put(to(at), (&raw const value).cast(), size_of::<T>(), next, Completion::Blocking) }
        .map_err(|e| e.to_string())?;
    shmem.quiet().expect("quiet");
    raw.wait_until(from::<T>(at), Cmp::Eq, value).map(drop).map_err(|e| e.to_string())
}

/// The same, in streams.
fn wait_on_stream(shmem: &Shmem, machine: &Machine, (kind, at): Place, value: u64, stream: &Stream<'_>) -> Result {
    let (raw, next) = (shmem.raw(), (shmem.my_pe() + 1) % shmem.n_pes());
    machine.write(kind, at, &[0; 8]);
    shmem.barrier_all().expect("barrier");
    // SAFETY: the stream is the library's.
    let enqueued = unsafe {
        let wait = raw.wait_until_on_stream(to(at), Cmp::Eq, value, AnyStream::Ours(stream));
        wait.and_then(|()| raw.p(to(at), value, next))
    };
    enqueued.map_err(|e| e.to_string())?;
    shmem.quiet().expect("quiet");
    stream.synchronize().map_err(|e| e.to_string())
}

/// Under the lock PEs count with loads and stores.
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
    // Each has another number of elements, and none has no memory to look at.
    let mine = |pe: usize| (elements - pe.min(elements - 1)) * ELEMENT;
    let sum = || u32::reducer(Reduction::Sum).expect("numbers have a sum");
    let answer = match op {
        Op::Broadcast => raw.broadcast(world, buffers, bytes, 0, true),
        Op::Fcollect => raw.fcollect(world, buffers, bytes),
        Op::Collect => raw.collect(world, buffers, mine(me as usize), room),
        Op::Alltoall => raw.alltoall(world, buffers, bytes),
        Op::Alltoalls => raw.alltoalls(world, buffers, ELEMENT, elements, STRIDES),
        Op::SumReduce => raw.reduce(world, buffers, elements, sum()),
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

/// What a member gets.
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
        Op::SumReduce | Op::SumInscan => {
            let members = if op == Op::SumReduce { sources } else { &sources[..=me] };
            for i in 0..elements {
                let sum = members.iter().fold(0u32, |sum, source| sum.wrapping_add(number(source, i)));
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
