//! Symmetric memory by address: resized, cleared, aligned.

use cushmem::raw::{Completion, Memory, SEGMENT_ALIGNMENT, Wanted};
use cushmem::{Cause, Shmem};
use cushmem_conformance::{conformance, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::Random;

conformance! { host, soft, cuda => {
    resized_objects_keep_their_data: 1, 2, 3;
    alignments: 1, 2;
} }

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];

mod checked {
    use super::{CHECK, resized_objects_keep_their_data};
    cushmem_conformance::conformance! { with CHECK: host, soft => { resized_objects_keep_their_data: 2; } }
}

const SMALL: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "16M")];

const HEAPS: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "256M"), ("CUSHMEM_GPU_HEAP_SIZE", "256M")];

mod large {
    use super::{HEAPS, large_alignments};
    cushmem_conformance::conformance! { with HEAPS: host, soft, cuda => { large_alignments: 1, 2, 5; } }
}

mod on_nodes {
    use super::large_alignments;
    const HEAPS: &[(&str, &str)] =
        &[("SHMEM_SYMMETRIC_SIZE", "256M"), ("CUSHMEM_GPU_HEAP_SIZE", "256M"), ("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with HEAPS: { large_alignments: 2 on 2, 5 on 2; } }
}

mod small {
    use super::{SMALL, objects_grow_into_free_space};
    cushmem_conformance::conformance! { with SMALL: host, soft, cuda => { objects_grow_into_free_space: 1, 2; } }
}

const WANTED: Wanted =
    Wanted { routine: "test", arguments: [("", 0); 2], memory: Memory::Host, bytes: 0, alignment: 1, cleared: false };

struct Object {
    at: *mut u8,
    bytes: usize,
    id: u64,
    memory: Memory,
}

impl Object {
    /// The first bytes of a PE's part.
    fn data(&self, bytes: usize, pe: u32) -> Vec<u8> {
        let words = 0..bytes.div_ceil(8) as u64;
        let mut data: Vec<u8> = words.flat_map(|i| mix(self.id, (u64::from(pe) << 32) + i).to_ne_bytes()).collect();
        data.truncate(bytes);
        data
    }

    /// Writes this PE's part.
    fn fill(&self, shmem: &Shmem) {
        let me = shmem.my_pe();
        let data = self.data(self.bytes, me);
        // SAFETY: the source is borrowed until the copy is done.
        unsafe { shmem.raw().put(self.at, data.as_ptr(), data.len(), me, Completion::Blocking) }.expect("put");
    }

    /// Reads the first bytes of a PE's part.
    fn read(&self, shmem: &Shmem, bytes: usize, pe: u32) -> Vec<u8> {
        let mut data = vec![0xee; bytes];
        // SAFETY: the target is borrowed until the copy is done.
        unsafe { shmem.raw().get(data.as_mut_ptr(), self.at, bytes, pe, Completion::Blocking) }.expect("get");
        data
    }

    fn check(&self, shmem: &Shmem, bytes: usize, what: &str) {
        for pe in 0..shmem.n_pes() {
            let (data, expected) = (self.read(shmem, bytes, pe), self.data(bytes, pe));
            if data != expected {
                let wrong = (0..bytes).find(|&i| data[i] != expected[i]);
                panic!("{what} object {} of {} bytes on PE {pe}: byte {wrong:?}", self.id, self.bytes);
            }
        }
    }
}

/// Catches an object that loses data when it moves, on this PE or another; that a peer uses before it exists; that
/// overlaps another object; or that should be zero and is not.
fn resized_objects_keep_their_data(shmem: &Shmem) {
    let mut random = seeded();
    let mut live: Vec<Object> = vec![];
    let size = |random: &mut Random| {
        let bits = random.below(17);
        1 + random.below(1 << bits)
    };
    for id in 0..200 {
        let bytes = size(&mut random);
        match random.below(5) {
            0 | 1 if !live.is_empty() => {
                let which = random.below(live.len());
                let object = &mut live[which];
                object.at = shmem.raw().realloc("test", object.at, bytes).expect("realloc").expect("bytes are wanted");
                let kept = object.bytes.min(bytes);
                object.bytes = bytes;
                object.check(shmem, kept, "resized");
                shmem.barrier_all().expect("barrier");
                object.fill(shmem);
            }
            2 if live.len() > 4 => {
                let object = live.swap_remove(random.below(live.len()));
                object.check(shmem, object.bytes, "freed");
                match random.below(2) {
                    0 => shmem.raw().free("test", object.at).expect("free"),
                    _ => assert_eq!(shmem.raw().realloc("test", object.at, 0).expect("realloc to nothing"), None),
                }
            }
            kind => {
                let memory = if shmem.gpu().is_some() && kind == 3 { Memory::Gpu } else { Memory::Host };
                let cleared = memory == Memory::Host && random.below(2) == 0;
                let wanted = Wanted { bytes, memory, cleared, ..WANTED };
                let at = shmem.raw().malloc(&wanted).expect("malloc").expect("bytes are wanted");
                let object = Object { at, bytes, id, memory };
                if cleared {
                    for pe in 0..shmem.n_pes() {
                        let data = object.read(shmem, bytes, pe);
                        assert!(data.iter().all(|b| *b == 0), "cleared object {id} of {bytes} bytes on PE {pe}");
                    }
                    shmem.barrier_all().expect("barrier");
                }
                object.fill(shmem);
                live.push(object);
            }
        }
        shmem.barrier_all().expect("barrier");
    }
    live.iter().for_each(|object| object.check(shmem, object.bytes, "live"));
    shmem.barrier_all().expect("barrier");
    let gpu = live.iter().filter(|object| object.memory == Memory::Gpu).count();
    assert!(gpu > 0 || shmem.gpu().is_none(), "no object of GPU memory was tried");
}

/// Catches an object that finds no room although the space behind it is free: there is no room for both the old and the
/// new object. Also catches an object whose new bytes do not exist, on this PE or another, or lie in another object.
fn objects_grow_into_free_space(shmem: &Shmem) {
    /// One 64th of the heap.
    const PART: usize = 1 << 18;
    let new = |id, bytes| {
        let at = shmem.raw().malloc(&Wanted { bytes, ..WANTED }).expect("malloc").expect("bytes are wanted");
        let object = Object { at, bytes, id, memory: Memory::Host };
        object.fill(shmem);
        shmem.barrier_all().expect("barrier");
        object
    };
    let resize = |object: &mut Object, bytes| {
        let at = shmem.raw().realloc("test", object.at, bytes)?;
        assert_eq!(at, Some(object.at), "{bytes} bytes: it has moved");
        object.check(shmem, object.bytes.min(bytes), "resized");
        shmem.barrier_all().expect("barrier");
        object.bytes = bytes;
        object.fill(shmem);
        shmem.barrier_all().expect("barrier");
        object.check(shmem, bytes, "filled");
        Ok::<_, cushmem::ArgumentError>(())
    };
    let mut first = new(1, 40 * PART);
    resize(&mut first, 60 * PART).expect("the rest of the heap is free");
    resize(&mut first, 30 * PART).expect("it becomes shorter");
    let second = new(2, 20 * PART);
    let refused = resize(&mut first, 40 * PART).expect_err("there is another object");
    assert!(refused.to_string().contains("do not fit"), "{refused}");
    first.check(shmem, 30 * PART, "not resized");
    second.check(shmem, 20 * PART, "behind it");
    shmem.barrier_all().expect("barrier");
    shmem.raw().free("test", second.at).expect("free");
    resize(&mut first, 64 * PART).expect("all of the heap");
}

/// Catches an address that is aligned on one PE and not on another, and an object that an alignment moves into the
/// next.
fn alignments(shmem: &Shmem) {
    let mut objects = vec![];
    for (id, shift) in (0..).zip((0..=SEGMENT_ALIGNMENT.trailing_zeros()).chain([0, 12, 21, 3])) {
        let wanted = Wanted { bytes: 100, alignment: 1 << shift, ..WANTED };
        let at = shmem.raw().malloc(&wanted).expect("malloc").expect("bytes are wanted");
        for pe in 0..shmem.n_pes() {
            let seen = shmem.raw().ptr(at, pe).expect("a PE");
            let is_near = shmem.team_shared().pes().number_of(pe).is_some();
            assert_eq!(seen.is_some(), is_near, "host memory is mapped on the node");
            let Some(seen) = seen else { continue };
            assert!(seen.is_multiple_of(1 << shift), "{seen:#x} is not aligned to 2^{shift}");
        }
        let object = Object { at, bytes: 100, id, memory: Memory::Host };
        object.fill(shmem);
        objects.push(object);
    }
    shmem.barrier_all().expect("barrier");
    objects.iter().for_each(|object| object.check(shmem, 100, "aligned"));
    shmem.barrier_all().expect("barrier");
}

/// Catches an alignment up to half the heap that is refused, an address that lacks it on some PE, and objects that are
/// not symmetric. An alignment without room is refused on all PEs, with the reason.
fn large_alignments(shmem: &Shmem) {
    const HEAP: u64 = 256 << 20;
    // The host heap before and after the GPUs have started.
    let kinds = [Memory::Host, Memory::ForNetwork, Memory::Gpu, Memory::Host];
    for memory in kinds.into_iter().filter(|memory| *memory != Memory::Gpu || has_gpu()) {
        let wanted = |alignment| Wanted { bytes: 100, alignment, memory, ..WANTED };
        let mut objects = vec![];
        // The words of the library at the start of the GPU heap do not count, so there is one more multiple of all.
        let whole = if memory == Memory::Gpu { vec![HEAP.trailing_zeros().into()] } else { vec![] };
        for shift in [22, 26, 27, 23].into_iter().chain(whole) {
            let at = shmem.raw().malloc(&wanted(1 << shift));
            let at = at.unwrap_or_else(|e| panic!("{memory:?}, 2^{shift}: {e}")).expect("bytes are wanted");
            assert!(at.addr().is_multiple_of(1 << shift), "{memory:?}: {at:p} is not aligned to 2^{shift}");
            let object = Object { at, bytes: 100, id: shift, memory };
            object.fill(shmem);
            objects.push(object);
        }
        let refused = |alignment| shmem.raw().malloc(&wanted(alignment)).expect_err("there is no room");
        let failed = refused(HEAP);
        assert!(matches!(failed.cause(), Cause::HeapFull { alignment: HEAP, .. }), "{memory:?}: {failed}");
        assert!(failed.to_string().contains("100 bytes at a multiple of 268435456 do not fit"), "{failed}");
        let failed = refused(1 << 40);
        assert_eq!(failed.cause(), &Cause::Alignment { alignment: 1 << 40, most: HEAP }, "{memory:?}");
        shmem.barrier_all().expect("barrier");
        objects.iter().for_each(|object| object.check(shmem, 100, "aligned"));
        objects.iter().for_each(|object| shmem.raw().free("test", object.at).expect("free"));
    }
}

fn has_gpu() -> bool {
    std::env::var("CUSHMEM_GPU").as_deref() != Ok("none")
}
