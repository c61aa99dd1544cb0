//! Symmetric allocation.

use cushmem::{Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;

conformance! { host, soft, cuda => {
    objects_keep_their_data: 1, 2, 4;
    same_place_everywhere: 2, 3;
    freed_memory_is_used_again: 2;
    gpu_heap_grows: 1, 2, 4;
} }

struct Object<'a> {
    slice: SymSlice<'a, u32>,
    id: u64,
}

impl Object<'_> {
    fn datum(&self, pe: u32, i: usize) -> u32 {
        mix(self.id, (u64::from(pe) << 32) + i as u64) as u32
    }

    fn fill(&self, pe: u32) {
        let words: Vec<u32> = (0..self.slice.len()).map(|i| self.datum(pe, i)).collect();
        self.slice.copy_from(&words).expect("write");
    }

    /// Checks the object on any PE.
    fn check(&self, shmem: &Shmem, pe: u32) {
        let mut words = vec![0; self.slice.len()];
        shmem.get(&mut words, self.slice, pe).expect("get");
        expect_words(|| format!("object {} on PE {pe}", self.id), &words, |i| self.datum(pe, i));
    }
}

/// Catches objects that overlap, or lie elsewhere on another PE: a random sequence of allocations and frees, the same
/// on all PEs, in both heaps.
fn objects_keep_their_data(shmem: &Shmem) {
    let mut random = seeded();
    let mut own = random.split(u64::from(shmem.my_pe()) + 1);
    let mut live: Vec<Object<'_>> = vec![];
    let (n, me) = (shmem.n_pes() as usize, shmem.my_pe());
    for id in 0..250 {
        if live.len() > 3 && random.below(5) < 2 {
            let object = live.swap_remove(random.below(live.len()));
            object.check(shmem, me);
            shmem.free(object.slice).expect("free");
        } else {
            let len = 1 << random.below(15);
            let len = random.below(len + 1);
            let slice = match shmem.gpu() {
                Some(_) if random.below(2) == 0 => shmem.malloc_gpu(len).expect("malloc_gpu"),
                _ => shmem.malloc(len).expect("malloc"),
            };
            let object = Object { slice, id };
            object.fill(me);
            live.push(object);
        }
        if id % 25 == 24 {
            shmem.barrier_all().expect("barrier");
            for _ in 0..20 {
                live[own.below(live.len())].check(shmem, own.below(n) as u32);
            }
            shmem.barrier_all().expect("barrier");
        }
    }
}

/// Catches offsets that depend on the PE: every PE compares its own with PE 0's.
fn same_place_everywhere(shmem: &Shmem) {
    let mut random = seeded();
    let offsets = shmem.malloc::<u64>(100).expect("malloc");
    let first = |gpu: bool| {
        if gpu { shmem.malloc_gpu::<u8>(1) } else { shmem.malloc(1) }.expect("malloc").device_ptr().address()
    };
    let (host, gpu) = (first(false), if shmem.gpu().is_some() { first(true) } else { 0 });
    let mut mine = vec![];
    for _ in 0..100 {
        let (bytes, on_gpu) = (random.below(100_000), shmem.gpu().is_some() && random.below(2) == 0);
        let object = if on_gpu { shmem.malloc_gpu::<u8>(bytes) } else { shmem.malloc(bytes) }.expect("malloc");
        let address = object.device_ptr().address();
        assert!(address.is_multiple_of(256), "an object at {address:#x}");
        mine.push(address.wrapping_sub(if on_gpu { gpu } else { host }));
        if random.below(3) == 0 {
            shmem.free(object).expect("free");
        }
    }
    offsets.copy_from(&mine).expect("write");
    shmem.barrier_all().expect("barrier");
    let mut theirs = vec![0; 100];
    shmem.get(&mut theirs, offsets, 0).expect("get");
    expect_words(|| "offsets from the first object".into(), &mine, |i| theirs[i]);
    shmem.barrier_all().expect("barrier");
}

/// Catches a heap that loses what is freed. Without a GPU, memory is not touched, so each allocation can take most of
/// the heap.
fn freed_memory_is_used_again(shmem: &Shmem) {
    let bytes = if shmem.gpu().is_some() { 1 << 20 } else { 3 << 30 };
    let mut places = vec![];
    for _ in 0..100 {
        let object = shmem.malloc::<u8>(bytes).expect("malloc after free");
        places.push(object.device_ptr().address());
        shmem.free(object).expect("free");
        if shmem.gpu().is_some() {
            let object = shmem.malloc_gpu::<u8>(bytes).expect("malloc_gpu after free");
            shmem.free(object).expect("free");
        }
    }
    assert!(places.iter().all(|p| *p == places[0]), "the same allocation in an empty heap is elsewhere");
}

/// Catches a chunk of the growing GPU heap that is mapped at the wrong place, for the wrong PE, or not at all.
fn gpu_heap_grows(shmem: &Shmem) {
    if shmem.gpu().is_none() {
        return;
    }
    // The first chunk has 32 MiB, so some objects lie in one chunk, some across two, and one is larger than a chunk.
    let megabytes = [20, 20, 1, 40, 7];
    let objects: Vec<Object<'_>> = (1..)
        .zip(megabytes)
        .map(|(id, m)| Object { slice: shmem.malloc_gpu((m << 20) / 4).expect("malloc_gpu"), id })
        .collect();
    // Every PE writes its part into the next PE's memory.
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let next = (me + 1) % n;
    for object in &objects {
        let words: Vec<u32> = (0..object.slice.len()).map(|i| object.datum(next, i)).collect();
        shmem.put(object.slice, &words, next).expect("put");
    }
    shmem.barrier_all().expect("barrier");
    objects.iter().for_each(|object| object.check(shmem, me));
    objects.iter().for_each(|object| object.check(shmem, next));
    shmem.barrier_all().expect("barrier");
}
