//! Elements of 2, 4 and 8 bytes are stored in one piece: a reader sees an old or a new value, never a mixture. Over a
//! network that copies in any pieces, this holds for puts of one element.

use cushmem::raw::{Buffers, Completion, Participants};
use cushmem::{Blocks, Context, ContextOptions, PeSet, Shmem, SymSlice, Word};
use cushmem_conformance::{Sample, conformance, on_nodes};
use std::ptr::with_exposed_provenance_mut as to_address;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use xtask::launch::network_is_like_tcp;

conformance! { host, soft, cuda => { never_a_mixture: 2; } }

const NO_GPU: &[(&str, &str)] = &[("CUSHMEM_GPU", "none")];
on_nodes! { with NO_GPU: { never_a_mixture: 2 on 2; } }

const LEN: usize = 64;
/// Where the words start, in elements: not at the start of memory that is aligned to more than an element.
const START: usize = 1;
/// The longest time in which the reader has to see words change.
const LOOK_LIMIT: Duration = Duration::from_secs(60);

/// So many changes must be seen, more than the last ones after a reader slept through all others. Ten times as many are
/// waited for.
const ENOUGH: usize = 2 * LEN;

/// How elements are stored.
#[derive(Clone, Copy, Debug)]
enum By {
    /// One by one, typed.
    P,
    /// One by one, by address.
    RawP,
    /// One by one, as ranges of one element.
    Put,
    /// As ranges of so many elements.
    Ranges(usize),
    PutNbi,
    /// On a context of its own.
    OnContext,
    /// Blocks of so many elements, with these distances at the target and at the source.
    Blocks(usize, isize, isize),
    /// The PE of the reader gets them, in ranges of so many elements.
    Get(usize),
    GetNbi,
    /// The PE of the reader gets them in blocks.
    GetBlocks(usize, isize),
    Broadcast,
    Fcollect,
    Alltoall,
}

const WAYS: [By; 21] = [
    By::P,
    By::RawP,
    By::Put,
    By::Ranges(2),
    By::Ranges(7),
    By::Ranges(LEN),
    By::PutNbi,
    By::OnContext,
    By::Blocks(1, 1, 1),
    By::Blocks(1, 2, 1),
    By::Blocks(1, -1, 1),
    By::Blocks(1, 1, -1),
    By::Blocks(1, 1, 0),
    By::Blocks(3, 3, 4),
    By::Get(1),
    By::Get(LEN),
    By::GetNbi,
    By::GetBlocks(1, 2),
    By::Broadcast,
    By::Fcollect,
    By::Alltoall,
];

impl By {
    fn is_put_of_one(self) -> bool {
        matches!(self, Self::P | Self::RawP | Self::Put | Self::Blocks(1, ..))
    }
}

/// An element whose bytes are all equal.
fn pattern<T: Sample>(round: usize) -> T {
    T::sample(u64::from_ne_bytes([round as u8; 8]))
}

/// The bytes of an element of this PE, read with one load.
fn load<T: Word>(address: usize) -> ([u8; 8], usize) {
    let mut bytes = [0; 8];
    macro_rules! one {
        ($atomic:ident) => {{
            // SAFETY: this is an aligned element of symmetric host memory with this size, which is only read as an
            // atomic. Relaxed: only the value matters.
            let word = unsafe { $atomic::from_ptr(to_address(address)) }.load(Relaxed);
            bytes[..size_of::<T>()].copy_from_slice(&word.to_ne_bytes())
        }};
    }
    match size_of::<T>() {
        2 => one!(AtomicU16),
        4 => one!(AtomicU32),
        _ => one!(AtomicU64),
    }
    (bytes, size_of::<T>())
}

/// Catches an element that is stored byte by byte, or with a copy into which the compiler turned a loop of stores:
/// a thread of the target's PE looks at it during puts, gets and collectives, on one node and between nodes.
fn never_a_mixture(shmem: &Shmem) {
    of_type::<i16>(shmem);
    of_type::<u32>(shmem);
    of_type::<f32>(shmem);
    of_type::<i64>(shmem);
    of_type::<f64>(shmem);
}

fn of_type<T: Sample>(shmem: &Shmem) {
    let objects: [SymSlice<'_, T>; 2] = [0; 2].map(|_| shmem.malloc(2 * LEN + START).expect("malloc"));
    let [words, others] = objects.map(|object| object.slice(START..));
    let is_over = shmem.malloc::<u64>(1).expect("malloc");
    let context = shmem.context(PeSet::all(2), ContextOptions::default()).expect("a context");
    let rig = Rig { shmem, words, others, context };
    // A batch of rounds takes some milliseconds.
    let batch = if words.ptr(1 - shmem.my_pe()).is_null() { 30 } else { 500 };
    let start = rig.own(words, 0).expose_provenance();
    let mut round = 0usize;
    let in_pieces = words.ptr(1 - shmem.my_pe()).is_null() && network_is_like_tcp();
    for by in WAYS.into_iter().filter(|by| !in_pieces || by.is_put_of_one()) {
        words.copy_from(&[pattern(round); 2 * LEN]).expect("write");
        shmem.barrier_all().expect("barrier");
        let (stop, changes, deadline) = (AtomicBool::new(false), AtomicUsize::new(0), Instant::now() + LOOK_LIMIT);
        let old = round as u8;
        let look = || {
            let mut last = [old; LEN];
            // Relaxed: nothing else depends on it.
            while !stop.load(Relaxed) {
                for (at, last) in last.iter_mut().enumerate() {
                    let (bytes, size) = load::<T>(start + at * size_of::<T>());
                    let element = &bytes[..size];
                    assert!(element.iter().all(|b| *b == element[0]), "{by:?}: {element:?}, {size} bytes at {at}");
                    // Relaxed: only the number matters.
                    changes.fetch_add(usize::from(*last != element[0]), Relaxed);
                    *last = element[0];
                }
            }
        };
        std::thread::scope(|scope| {
            let looking = (shmem.my_pe() == 0).then(|| scope.spawn(look));
            loop {
                for _ in 0..batch {
                    round += 1;
                    rig.write(by, round);
                }
                // Some networks keep no order: the last elements come after all others.
                shmem.fence().expect("fence");
                round += 1;
                rig.write(by, round);
                shmem.barrier_all().expect("barrier");
                if let Some(looking) = &looking {
                    // Relaxed: only the number matters.
                    let enough =
                        changes.load(Relaxed) > 10 * ENOUGH || Instant::now() > deadline || looking.is_finished();
                    is_over.copy_from(&[u64::from(enough)]).expect("write");
                }
                shmem.barrier_all().expect("barrier");
                if shmem.g(is_over.at(0), 0).expect("g") == 1 {
                    break;
                }
            }
            // Relaxed: nothing else depends on it.
            stop.store(true, Relaxed);
        });
        if shmem.my_pe() == 0 {
            assert!(changes.into_inner() > ENOUGH, "{by:?}: no element changed while the thread looked");
            let (count, every) = match by {
                By::Blocks(elements, to, _) => (LEN / elements * elements, to.unsigned_abs() / elements),
                By::GetBlocks(_, to) => (LEN, to.unsigned_abs()),
                _ => (LEN, 1),
            };
            for at in (0..count * every).step_by(every) {
                let (bytes, _) = load::<T>(start + at * size_of::<T>());
                assert_eq!(bytes[0], round as u8, "{by:?}: element {at} at last");
            }
        }
    }
    let Rig { context, .. } = rig;
    shmem.barrier_all().expect("barrier");
    drop(context);
    for object in objects {
        shmem.free(object).expect("free");
    }
    shmem.free(is_over).expect("free");
}

struct Rig<'a, T: Sample> {
    shmem: &'a Shmem,
    /// The elements that are looked at.
    words: SymSlice<'a, T>,
    /// The sources of gets and collectives.
    others: SymSlice<'a, T>,
    context: Context,
}

impl<T: Sample> Rig<'_, T> {
    /// The address of an element of this PE.
    fn own(&self, object: SymSlice<'_, T>, at: usize) -> *mut u8 {
        object.at(at).as_slice().ptr(self.shmem.my_pe()).cast()
    }

    /// Stores to all words of PE 0, and to every second one if the blocks have gaps.
    fn write(&self, by: By, round: usize) {
        let (shmem, words, value, source) =
            (self.shmem, self.words, pattern::<T>(round), [pattern::<T>(round); 2 * LEN]);
        let (raw, me, size) = (shmem.raw(), shmem.my_pe(), size_of::<T>());
        let from = |at: usize| source.as_ptr().wrapping_add(at).cast::<u8>();
        let in_ranges = |of: usize| (0..LEN).step_by(of).map(move |at| (at, of.min(LEN - at) * size));
        let blocks = |elements, dst, sst| Blocks { count: LEN / elements, elements, size, dst, sst };
        let (both, quiet) = (Participants::Team(shmem.team_world()), || shmem.quiet().expect("quiet"));
        let buffers = Buffers { dest: self.own(words, 0), source: self.own(self.others, 0) };
        match by {
            By::Get(_) | By::GetNbi | By::GetBlocks(..) if me == 0 => {
                shmem.put(self.others, &source[..], 1).expect("put");
                quiet();
            }
            By::Broadcast | By::Fcollect | By::Alltoall => self.others.copy_from(&source).expect("write"),
            By::Get(_) | By::GetNbi | By::GetBlocks(..) => return,
            _ if me == 0 => return,
            _ => (),
        }
        // SAFETY: all elements lie in the array or in the objects, and transfers are complete before the array goes.
        unsafe {
            match by {
                By::P => (0..LEN).try_for_each(|i| shmem.p(words.at(i), value, 0)).expect("p"),
                By::RawP => (0..LEN).for_each(|i| raw.p(self.own(words, i).cast(), value, 0).expect("p")),
                By::Put => in_ranges(1).for_each(|(at, bytes)| {
                    raw.put(self.own(words, at), from(at), bytes, 0, Completion::Blocking).expect("put");
                }),
                By::Ranges(of) => in_ranges(of).for_each(|(at, bytes)| {
                    raw.put(self.own(words, at), from(at), bytes, 0, Completion::Blocking).expect("put");
                }),
                By::PutNbi => {
                    in_ranges(1).chain(in_ranges(LEN)).for_each(|(at, bytes)| {
                        raw.put(self.own(words, at), from(at), bytes, 0, Completion::Nbi).expect("put_nbi");
                    });
                    quiet();
                }
                By::OnContext => {
                    let raw = raw.on(&self.context);
                    in_ranges(1).chain(in_ranges(LEN)).for_each(|(at, bytes)| {
                        raw.put(self.own(words, at), from(at), bytes, 0, Completion::Nbi).expect("put_nbi");
                    });
                    raw.quiet().expect("quiet");
                }
                By::Blocks(elements, dst, sst) => {
                    let [first, start] = [dst, sst].map(|distance| if distance < 0 { LEN - 1 } else { 0 });
                    raw.put_blocks(self.own(words, first), from(start), blocks(elements, dst, sst), 0).expect("put");
                }
                By::Get(of) => in_ranges(of).for_each(|(at, bytes)| {
                    let (to, there) = (self.own(words, at), self.own(self.others, at));
                    raw.get(to, there, bytes, 1, Completion::Blocking).expect("get");
                }),
                By::GetNbi => {
                    in_ranges(1).chain(in_ranges(LEN)).for_each(|(at, bytes)| {
                        let (to, there) = (self.own(words, at), self.own(self.others, at));
                        raw.get(to, there, bytes, 1, Completion::Nbi).expect("get_nbi");
                    });
                    quiet();
                }
                By::GetBlocks(elements, dst) => {
                    let there = self.own(self.others, 0);
                    raw.get_blocks(self.own(words, 0), there, blocks(elements, dst, 1), 1).expect("get");
                }
                By::Broadcast => raw.broadcast(both, buffers, LEN * size, 1, true).expect("broadcast"),
                By::Fcollect => raw.fcollect(both, buffers, LEN / 2 * size).expect("fcollect"),
                By::Alltoall => raw.alltoall(both, buffers, LEN / 2 * size).expect("alltoall"),
            }
        }
    }
}
