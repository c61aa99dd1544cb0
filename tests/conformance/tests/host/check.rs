//! Check mode: what it accepts and what it refuses, compared with a list of the objects.

use cushmem::raw::{Completion, Memory, Update, Wanted};
use cushmem::{Misuse, Shmem, SignalOp};
use cushmem_conformance::{Random, conformance};

conformance! { with CHECK: host, soft, cuda => {
    any_arguments: 1, 3;
    freed_objects_of_the_rust_api: 1, 2;
} }

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1"), ("SHMEM_SYMMETRIC_SIZE", "4M")];
/// Longest object.
const LONGEST: usize = 5000;

/// Part of a heap, known from the calls alone.
#[derive(Clone, Copy, Debug)]
struct Object {
    at: usize,
    bytes: usize,
    gpu: bool,
    live: bool,
}

struct Model {
    objects: Vec<Object>,
    /// Of each heap, host and GPU: from the first object that was ever there to the end of the last.
    seen: [(usize, usize); 2],
    n_pes: u32,
}

impl Model {
    fn add(&mut self, object: Object) {
        let end = object.at + object.bytes;
        // Of freed objects that it overlaps, what lies before it and after its last unit is freed memory still.
        let taken = object.at..object.at + object.bytes.next_multiple_of(256);
        let part = |o: Object, from: usize, to: usize| Object { at: from, bytes: to.saturating_sub(from), ..o };
        let parts = |o: Object| match o.live {
            true => vec![o],
            false => {
                vec![part(o, o.at, (o.at + o.bytes).min(taken.start)), part(o, o.at.max(taken.end), o.at + o.bytes)]
            }
        };
        self.objects = self.objects.iter().flat_map(|o| parts(*o)).filter(|o| o.bytes > 0).collect();
        let (first, last) = &mut self.seen[usize::from(object.gpu)];
        (*first, *last) = ((*first).min(object.at), (*last).max(end));
        self.objects.push(object);
    }

    /// Whether `bytes` bytes at an address are symmetric, and in which heap.
    fn symmetric(&self, at: usize, bytes: usize) -> Result<bool, Misuse> {
        let inside = |o: &&Object| o.at <= at && at < o.at + o.bytes;
        let found = self.objects.iter().find(inside);
        // The heaps are larger by far, and addresses are not tried further on.
        let heap = self.seen.iter().position(|(first, end)| *first <= at && at < *end + 1024);
        match (found, heap) {
            (None, None) => Err(Misuse::NotSymmetric),
            // More than any heap has: how much is left, the caller does not compare.
            _ if bytes > 1 << 40 => Err(Misuse::PastEnd(0)),
            (Some(o), _) if !o.live => Err(Misuse::Freed),
            (Some(o), _) if at + bytes > o.at + o.bytes => Err(Misuse::PastObject((o.at + o.bytes - at) as u64)),
            (Some(o), _) => Ok(o.gpu),
            (None, Some(_)) => Err(Misuse::NoObject),
        }
    }

    /// A copy; `distance` tells how far the object on the PE is from the one here.
    fn copy(&self, symmetric: usize, private: usize, bytes: usize, pe: u32, distance: usize) -> Result<(), Misuse> {
        if pe >= self.n_pes {
            return Err(Misuse::Pe(self.n_pes));
        }
        if bytes == 0 {
            return Ok(());
        }
        self.symmetric(symmetric, bytes)?;
        if private == 0 {
            return Err(Misuse::NullPrivate);
        }
        match self.symmetric(private, bytes) {
            Ok(_) | Err(Misuse::NotSymmetric) => {}
            Err(why) => return Err(Misuse::Private(Box::new(why))),
        }
        let apart = symmetric.wrapping_add(distance).abs_diff(private);
        if apart != 0 && apart < bytes { Err(Misuse::Overlap) } else { Ok(()) }
    }

    fn word(&self, at: usize, pe: u32) -> Result<(), Misuse> {
        if pe >= self.n_pes {
            return Err(Misuse::Pe(self.n_pes));
        }
        match self.symmetric(at, 8)? {
            true => Err(Misuse::GpuWord),
            false if !at.is_multiple_of(8) => Err(Misuse::Misaligned(8)),
            false => Ok(()),
        }
    }

    /// Around the ends and middles of objects, now and then far from all.
    fn address(&self, random: &mut Random, private: &[u64]) -> usize {
        let object = self.objects[random.below(self.objects.len())];
        match random.below(12) {
            0 => 0,
            1 => private.as_ptr().addr(),
            2 => random.bits() as usize >> random.below(64) & !(1 << 63),
            3 => object.at + object.bytes,
            4 => (object.at + object.bytes).wrapping_sub(random.below(20)),
            5 => object.at.wrapping_add(random.below(600)).wrapping_sub(300),
            6 | 7 => object.at + random.below(object.bytes),
            _ => object.at + (random.below(object.bytes) & !7),
        }
    }
}

/// How a refusal reads where the model does not know the numbers.
fn comparable<T>(verdict: Result<T, Misuse>) -> Result<(), Misuse> {
    match verdict {
        Err(Misuse::PastEnd(_)) => Err(Misuse::PastEnd(0)),
        Err(Misuse::Private(why)) if matches!(*why, Misuse::PastEnd(_)) => {
            Err(Misuse::Private(Box::new(Misuse::PastEnd(0))))
        }
        Err(Misuse::Signal(why)) if matches!(*why, Misuse::PastEnd(_)) => {
            Err(Misuse::Signal(Box::new(Misuse::PastEnd(0))))
        }
        Err(why) => Err(why),
        Ok(_) => Ok(()),
    }
}

/// An argument that is wrongly accepted or refused, a reason that is not the reason, a crash.
fn any_arguments(shmem: &Shmem) {
    let mut random = Random::shared();
    let mut own = random.split(u64::from(shmem.my_pe()) + 1);
    let mut model = Model { objects: vec![], seen: [(usize::MAX, 0); 2], n_pes: shmem.n_pes() };
    let mut private = vec![0u64; LONGEST];
    for _ in 0..60 {
        let live: Vec<usize> = (0..model.objects.len()).filter(|i| model.objects[*i].live).collect();
        if live.len() > 6 {
            let which = live[random.below(live.len())];
            model.objects[which].live = false;
            let at = std::ptr::with_exposed_provenance_mut(model.objects[which].at);
            shmem.raw().free("test", at).expect("free");
            assert_eq!(shmem.raw().free("test", at), Err(Misuse::Freed), "a second free");
        }
        let gpu = shmem.gpu().is_some() && random.below(3) == 0;
        let memory = if gpu { Memory::Gpu } else { Memory::Host };
        let bytes = 8 + random.below(LONGEST - 8);
        let wanted = Wanted { routine: "test", arguments: [("", 0); 2], memory, bytes, alignment: 1, cleared: false };
        let at = shmem.raw().malloc(&wanted).expect("malloc").expect("bytes are wanted").expose_provenance();
        model.add(Object { at, bytes, gpu, live: true });
        for _ in 0..400 {
            try_one(shmem, &mut own, &model, &mut private);
        }
        shmem.barrier_all().expect("barrier");
    }
}

fn try_one(shmem: &Shmem, random: &mut Random, model: &Model, private: &mut [u64]) {
    let raw = shmem.raw();
    let pe = match random.below(10) {
        0 => model.n_pes + random.below(3) as u32,
        1 => u32::MAX,
        _ => random.below(model.n_pes as usize) as u32,
    };
    let bytes = match random.below(10) {
        0 => 0,
        1 => usize::MAX >> random.below(10),
        2 => random.below(2 * LONGEST),
        _ => 1 + random.below(64),
    };
    let symmetric = model.address(random, private);
    // A private end that is not memory at all would be a crash in any library.
    let other = match model.address(random, private) {
        at if model.symmetric(at, 1) == Err(Misuse::NotSymmetric) && at != 0 => private.as_ptr().addr(),
        at => at,
    };
    let distance = match raw.ptr(std::ptr::with_exposed_provenance(symmetric), pe) {
        Ok(Some(there)) => (there as usize).wrapping_sub(symmetric),
        _ => 0,
    };
    let word: *mut u64 = std::ptr::with_exposed_provenance_mut(symmetric);
    let when = if random.below(2) == 0 { Completion::Now } else { Completion::Later };
    let wide = private.as_ptr().addr() == other && bytes > size_of_val(private);
    let (what, expected, found) = match random.below(10) {
        // What is longer than the private end is refused for another reason, or not tried.
        0..5 if wide && model.copy(symmetric, other, bytes, pe, distance).is_ok() => return,
        0..3 => {
            let source = std::ptr::with_exposed_provenance(other);
            // SAFETY: the source is an object, or as long as the copy; what is neither is refused.
            let found = unsafe { raw.put(word.cast(), source, bytes, pe, when) };
            ("put", model.copy(symmetric, other, bytes, pe, distance), found)
        }
        3..5 => {
            let target = std::ptr::with_exposed_provenance_mut(other);
            // SAFETY: as above, for the target.
            let found = unsafe { raw.get(target, word.cast(), bytes, pe, when) };
            ("get", model.copy(symmetric, other, bytes, pe, distance), found)
        }
        5 => ("p", model.copy(symmetric, 1, 8, pe, distance), raw.p(word, 7, pe)),
        6 => ("g", model.copy(symmetric, 1, 8, pe, distance), raw.g(word, pe).map(drop)),
        7 => ("update", model.word(symmetric, pe), raw.update(word, 1, Update::Add, pe).map(drop)),
        8 => ("load_acquire", model.word(symmetric, shmem.my_pe()), raw.load_acquire(word).map(drop)),
        _ => {
            let expected = model.word(symmetric, pe).map_err(|why| match why {
                Misuse::Pe(_) => why,
                why => Misuse::Signal(Box::new(why)),
            });
            // Setting a signal in GPU memory is the copy engine's.
            if expected == Err(Misuse::Signal(Box::new(Misuse::GpuWord))) {
                return;
            }
            let source = private.as_ptr().cast();
            let data = std::ptr::with_exposed_provenance_mut(other);
            let distance = raw.ptr(data, pe).ok().flatten().map_or(0, |there| (there as usize).wrapping_sub(other));
            let expected = expected.and_then(|()| model.copy(other, private.as_ptr().addr(), 8, pe, distance));
            // SAFETY: the source is longer.
            let found = unsafe { raw.put_signal(data, source, 8, word, 1, SignalOp::Set, pe, Completion::Now) };
            ("put_signal", expected, found)
        }
    };
    let call = || format!("{what}: {symmetric:#x}, {other:#x}, {bytes} bytes, PE {pe}; {:x?}", model.objects);
    assert_eq!(comparable(found), expected, "{}", call());
    // Copies may still use the private end.
    if when == Completion::Later {
        shmem.quiet().expect("quiet");
    }
}

/// A name for memory that was given back, or that somebody else has now.
fn freed_objects_of_the_rust_api(shmem: &Shmem) {
    let object = shmem.malloc::<u64>(100).expect("malloc");
    shmem.put(object, &[1; 100], 0).expect("an object in use");
    shmem.free(object).expect("free");
    let freed = "the symmetric object lies in an object that was freed";
    for error in [
        shmem.put(object, &[1; 100], 0),
        shmem.get(&mut [0; 100], object, 0),
        shmem.p(object.at(99), 1, 0),
        shmem.fetch_add(object.at(0), 1, 0).map(drop),
        object.copy_from(&[1; 100]),
    ] {
        assert!(error.as_ref().is_err_and(|e| e.to_string().contains(freed)), "{error:?}");
    }
    let smaller = shmem.malloc::<u64>(50).expect("malloc");
    assert_eq!(smaller.ptr(0), object.ptr(0), "the place is taken again");
    let error = shmem.put(object, &[1; 100], 0).expect_err("a name for what is another object now");
    assert!(error.to_string().contains("reaches past the end of its object, where 400 bytes are left"), "{error}");
    shmem.barrier_all().expect("barrier");
}
