//! Check mode: what it accepts and what it refuses, compared with a list of the objects.

use cushmem::raw::{AmoOp, Completion, Memory, Wanted};
use cushmem::{ArgumentError, Cause, Shmem, SignalOp, SymSlice};
use cushmem_conformance::{conformance, seeded};
use cushmem_numbers::Random;

conformance! { with CHECK: host, soft, cuda => {
    any_arguments: 1, 3;
    freed_objects_of_the_rust_api: 1, 2;
    rust_and_addresses_are_told_the_same: 1, 2;
} }

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1"), ("SHMEM_SYMMETRIC_SIZE", "4M")];
/// The size of the longest object.
const LONGEST: usize = 5000;

/// The distance to memory that is not mapped: that of a PE on another node.
const FAR: usize = 1 << 62;

/// Part of a heap, as known from the calls alone.
#[derive(Clone, Copy, Debug)]
struct Object {
    at: usize,
    bytes: usize,
    gpu: bool,
    live: bool,
}

struct Model {
    objects: Vec<Object>,
    /// For each heap, host and GPU: from the first object that ever existed to the end of the last.
    seen: [(usize, usize); 2],
    n_pes: u32,
}

impl Model {
    fn add(&mut self, object: Object) {
        let end = object.at + object.bytes;
        // If it overlaps freed objects, what lies before it and after its last unit remains freed memory.
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
    fn symmetric(&self, at: usize, bytes: usize) -> Result<bool, ArgumentError> {
        let inside = |o: &&Object| o.at <= at && at < o.at + o.bytes;
        let found = self.objects.iter().find(inside);
        // The heaps are much larger, and no addresses further on are tried.
        let heap = self.seen.iter().position(|(first, end)| *first <= at && at < *end + 1024);
        match (found, heap) {
            (None, None) => Err(ArgumentError::NotSymmetric),
            // Larger than any heap; the caller does not compare how much is left.
            _ if bytes > 1 << 40 => Err(ArgumentError::PastEnd(0)),
            (Some(o), _) if !o.live => Err(ArgumentError::Freed),
            (Some(o), _) if at + bytes > o.at + o.bytes => Err(ArgumentError::PastObject((o.at + o.bytes - at) as u64)),
            (Some(o), _) => Ok(o.gpu),
            (None, Some(_)) => Err(ArgumentError::NoObject),
        }
    }

    /// Checks a copy. `distance` is how far the object on the PE is from the one here.
    fn copy(
        &self,
        symmetric: usize,
        private: usize,
        bytes: usize,
        pe: u32,
        distance: usize,
    ) -> Result<(), ArgumentError> {
        if pe >= self.n_pes {
            return Err(ArgumentError::Pe { pe, n_pes: self.n_pes });
        }
        if bytes == 0 {
            return Ok(());
        }
        self.symmetric(symmetric, bytes)?;
        if private == 0 {
            return Err(ArgumentError::NullPrivate);
        }
        match self.symmetric(private, bytes) {
            Ok(_) | Err(ArgumentError::NotSymmetric) => {}
            Err(why) => return Err(ArgumentError::Private(Box::new(why))),
        }
        let apart = symmetric.wrapping_add(distance).abs_diff(private);
        if apart != 0 && apart < bytes { Err(ArgumentError::Overlap) } else { Ok(()) }
    }

    fn word(&self, at: usize, pe: u32) -> Result<(), ArgumentError> {
        if pe >= self.n_pes {
            return Err(ArgumentError::Pe { pe, n_pes: self.n_pes });
        }
        self.symmetric(at, 8)?;
        if at.is_multiple_of(8) { Ok(()) } else { Err(ArgumentError::Misaligned(8)) }
    }

    /// Returns an address around the ends and middles of objects, and sometimes far from all of them.
    fn address(&self, random: &mut Random, private: &[u64]) -> usize {
        let object = self.objects[random.below(self.objects.len())];
        match random.below(12) {
            0 => 0,
            1 => private.as_ptr().addr(),
            // Above all addresses that a process may have, because a GPU's window may be anywhere below.
            2 => random.bits() as usize >> random.below(64) & !(1 << 63) | 1 << 47,
            3 => object.at + object.bytes,
            4 => (object.at + object.bytes).wrapping_sub(random.below(20)),
            5 => object.at.wrapping_add(random.below(600)).wrapping_sub(300),
            6 | 7 => object.at + random.below(object.bytes),
            _ => object.at + (random.below(object.bytes) & !7),
        }
    }
}

/// Returns the reason for a refusal, without the numbers that the model does not know.
fn comparable<T>(verdict: Result<T, ArgumentError>) -> Result<(), ArgumentError> {
    match verdict {
        Err(ArgumentError::PastEnd(_)) => Err(ArgumentError::PastEnd(0)),
        Err(ArgumentError::Private(why)) if matches!(*why, ArgumentError::PastEnd(_)) => {
            Err(ArgumentError::Private(Box::new(ArgumentError::PastEnd(0))))
        }
        Err(ArgumentError::Signal(why)) if matches!(*why, ArgumentError::PastEnd(_)) => {
            Err(ArgumentError::Signal(Box::new(ArgumentError::PastEnd(0))))
        }
        Err(why) => Err(why),
        Ok(_) => Ok(()),
    }
}

/// Catches an argument that is wrongly accepted or refused, a wrong reason, and a crash.
fn any_arguments(shmem: &Shmem) {
    let mut random = seeded();
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
            assert_eq!(shmem.raw().free("test", at), Err(ArgumentError::Freed), "a second free");
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
    // A private end that is not valid memory would crash in any library.
    let other = match model.address(random, private) {
        at if model.symmetric(at, 1) == Err(ArgumentError::NotSymmetric) && at != 0 => private.as_ptr().addr(),
        at => at,
    };
    let distance = match raw.ptr(std::ptr::with_exposed_provenance(symmetric), pe) {
        Ok(Some(there)) => (there as usize).wrapping_sub(symmetric),
        _ => FAR,
    };
    let word: *mut u64 = std::ptr::with_exposed_provenance_mut(symmetric);
    let when = if random.below(2) == 0 { Completion::Blocking } else { Completion::Nbi };
    let wide = private.as_ptr().addr() == other && bytes > size_of_val(private);
    let (what, expected, found) = match random.below(10) {
        // A copy that is longer than the private end is refused for another reason, or not tried.
        0..5 if wide && model.copy(symmetric, other, bytes, pe, distance).is_ok() => return,
        0..3 => {
            let source = std::ptr::with_exposed_provenance(other);
            // SAFETY: the source is an object or as long as the copy; otherwise the call is refused.
            let found = unsafe { raw.put(word.cast(), source, bytes, pe, when) };
            ("put", model.copy(symmetric, other, bytes, pe, distance), found)
        }
        3..5 => {
            let target = std::ptr::with_exposed_provenance_mut(other);
            // SAFETY: the target is an object or as long as the copy; otherwise the call is refused.
            let found = unsafe { raw.get(target, word.cast(), bytes, pe, when) };
            ("get", model.copy(symmetric, other, bytes, pe, distance), found)
        }
        5 => ("p", model.copy(symmetric, 1, 8, pe, distance), raw.p(word, 7, pe)),
        6 => ("g", model.copy(symmetric, 1, 8, pe, distance), raw.g(word, pe).map(drop)),
        7 => ("update", model.word(symmetric, pe), raw.update(word, 1, AmoOp::Add, pe).map(drop)),
        8 => ("load_acquire", model.word(symmetric, shmem.my_pe()), raw.load_acquire(word).map(drop)),
        _ => {
            let expected = model.word(symmetric, pe).map_err(|why| match why {
                ArgumentError::Pe { .. } => why,
                why => ArgumentError::Signal(Box::new(why)),
            });
            let source = private.as_ptr().cast();
            let data = std::ptr::with_exposed_provenance_mut(other);
            let distance = raw.ptr(data, pe).ok().flatten().map_or(FAR, |there| (there as usize).wrapping_sub(other));
            let expected = expected.and_then(|()| model.copy(other, private.as_ptr().addr(), 8, pe, distance));
            // SAFETY: the source is longer.
            let found = unsafe { raw.put_signal(data, source, 8, word, 1, SignalOp::Set, pe, Completion::Blocking) };
            ("put_signal", expected, found)
        }
    };
    let call = || format!("{what}: {symmetric:#x}, {other:#x}, {bytes} bytes, PE {pe}; {:x?}", model.objects);
    assert_eq!(comparable(found), expected, "{}", call());
    // Copies may still be using the private end.
    if when == Completion::Nbi {
        shmem.quiet().expect("quiet");
    }
}

/// Catches the use of an object after it was freed, even if another object has taken its place.
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

/// Converts the answer to a typed call into that of a call by address.
fn told<T>(called: cushmem::Result<T>) -> Result<(), ArgumentError> {
    called.map(drop).map_err(|error| match error.cause() {
        Cause::NoSuchPe { pe, n_pes } => ArgumentError::Pe { pe: *pe, n_pes: *n_pes },
        Cause::Argument { name, error } if name == "the signal" => ArgumentError::Signal(Box::new(error.clone())),
        Cause::Argument { error, .. } => error.clone(),
        other => panic!("{other:?}"),
    })
}

/// Catches a mistake that one of the two interfaces accepts, or names differently: each object, right or wrong, with
/// each call.
fn rust_and_addresses_are_told_the_same(shmem: &Shmem) {
    const LEN: usize = 100;
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (good, other) = (shmem.malloc::<u64>(3 * LEN).expect("malloc"), shmem.malloc::<u64>(3 * LEN).expect("malloc"));
    let (freed, shrunk) = (shmem.malloc::<u64>(LEN).expect("malloc"), shmem.malloc::<u64>(LEN).expect("malloc"));
    let fence = shmem.malloc::<u64>(LEN).expect("malloc");
    shmem.free(shrunk).expect("free");
    let smaller = shmem.malloc::<u64>(LEN / 2).expect("malloc");
    assert_eq!(smaller.ptr(0), shrunk.ptr(0), "the place is taken again");
    shmem.free(freed).expect("free");
    let targets =
        [good.slice(..LEN), good.slice(LEN..2 * LEN), good.slice(50..50 + LEN), freed, shrunk, shrunk.slice(60..)];
    let signals = [other.at(0), freed.at(3), shrunk.at(10), shrunk.at(70), fence.at(LEN - 1)];
    let at = |of: SymSlice<'_, u64>| std::ptr::with_exposed_provenance_mut::<u64>(of.device_ptr().address() as usize);
    let (raw, mut verdicts, mut own) = (shmem.raw(), std::collections::BTreeSet::new(), [1u64; LEN]);
    let mut compare = |what: String, typed: Result<(), ArgumentError>, by_address: Result<(), ArgumentError>| {
        assert_eq!(typed, by_address, "{what}");
        verdicts.insert(typed.err().map(|error| error.to_string()));
    };
    let calls = targets.into_iter().flat_map(|target| [0, n - 1, n, u32::MAX].map(|pe| (target, pe)));
    for (number, (object, pe)) in calls.enumerate() {
        let what = |call: &str| format!("{call}: target {}, PE {pe}", number / 4);
        let (there, len, word) = (at(object), object.len(), object.at(object.len() - 1));
        let bytes = 8 * len;
        for (which, end) in [
            good.slice(..len),
            good.slice(LEN..LEN + len),
            good.slice(10..10 + len),
            freed.slice(..len),
            other.slice(..len),
        ]
        .into_iter()
        .enumerate()
        {
            let what = |call: &str| format!("{}, private end {which}", what(call));
            let here = at(end);
            for when in [Completion::Blocking, Completion::Nbi] {
                let typed = match when {
                    Completion::Blocking => shmem.put(object, end, pe),
                    Completion::Nbi => shmem.put_nbi(object, end, pe),
                };
                // SAFETY: both ends have this many bytes.
                let by_address = unsafe { raw.put(there.cast(), here.cast(), bytes, pe, when) };
                compare(what("put"), told(typed), by_address);
            }
            // SAFETY: both ends have this many bytes.
            let by_address = unsafe { raw.get(here.cast(), there.cast(), bytes, pe, Completion::Blocking) };
            compare(what("get"), told(shmem.get(end, object, pe)), by_address);
            for (which, signal) in signals.into_iter().enumerate() {
                let word = at(signal.as_slice());
                let typed = shmem.put_signal(object, end, signal, 1, SignalOp::Set, pe);
                let (op, when) = (SignalOp::Set, Completion::Blocking);
                // SAFETY: both ends have this many bytes.
                let by_address = unsafe { raw.put_signal(there.cast(), here.cast(), bytes, word, 1, op, pe, when) };
                compare(format!("{}, signal {which}", what("put_signal")), told(typed), by_address);
            }
        }
        // SAFETY: the source has this many bytes.
        let by_address = unsafe { raw.put(there.cast(), own.as_ptr().cast(), bytes, pe, Completion::Blocking) };
        compare(what("put of a slice"), told(shmem.put(object, &own[..len], pe)), by_address);
        // SAFETY: the target has this many bytes.
        let by_address = unsafe { raw.get(own.as_mut_ptr().cast(), there.cast(), bytes, pe, Completion::Blocking) };
        compare(what("get into a slice"), told(shmem.get(&mut own[..len], object, pe)), by_address);
        let place = at(word.as_slice());
        compare(what("p"), told(shmem.p(word, 1, pe)), raw.p(place, 1, pe));
        compare(what("g"), told(shmem.g(word, pe)), raw.g(place, pe).map(drop));
        compare(what("fetch"), told(shmem.atomic_fetch(word, pe)), raw.fetch(place, pe).map(drop));
        compare(what("set"), told(shmem.atomic_set(word, 1, pe)), raw.set(place, 1, pe));
        compare(what("swap"), told(shmem.swap(word, 1, pe)), raw.swap(place, 1, pe).map(drop));
        compare(what("add"), told(shmem.fetch_add(word, 1, pe)), raw.update(place, 1, AmoOp::Add, pe).map(drop));
        let compared = raw.compare_swap(place, 1, 2, pe).map(drop);
        compare(what("compare_swap"), told(shmem.compare_swap(word, 1, 2, pe)), compared);
        compare(what("signal_fetch"), told(shmem.signal_fetch(word)), raw.load_acquire(place).map(drop));
    }
    // What the list above must find. A typed word is always aligned.
    for part in ["was freed", "past the end of its object", "overlaps", "is out of range (0 to "] {
        assert!(verdicts.iter().flatten().any(|verdict| verdict.contains(part)), "no '{part}' in {verdicts:?}");
    }
    assert!(verdicts.contains(&None), "right calls are accepted");
    let odd = at(good).cast::<u8>().wrapping_add(4).cast::<u64>();
    assert_eq!(raw.update(odd, 1, AmoOp::Add, me), Err(ArgumentError::Misaligned(8)));
    assert_eq!(raw.load_acquire(odd), Err(ArgumentError::Misaligned(8)));
    shmem.barrier_all().expect("barrier");
}
