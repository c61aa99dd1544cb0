//! GPUs start when they are first needed: what existed before, and what happens at the same time.

use crate::place::partner;
use cushmem::raw::{Completion, Memory, Wanted};
use cushmem::{Cmp, ContextOptions, PeSet, Shmem, SymSlice};
use cushmem_conformance::{conformance, seeded};
use cushmem_conformance_kernels::mix;
use std::fs::{read_dir, read_link, read_to_string};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

conformance! { soft, cuda => {
    nothing_of_a_gpu_is_there_before: 1, 2;
    one_pe_uses_its_gpu_alone: 2, 3;
    the_heap_is_in_pieces: 1, 2;
    others_go_on_during_the_start: 2;
} }

const SMALL: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "64M")];
const CHECK: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "64M"), ("CUSHMEM_CHECK", "1")];

mod small {
    use super::{CHECK, SMALL, cleared_memory_in_freed_pieces, freed_pieces_are_one};
    cushmem_conformance::conformance! { with SMALL: soft, cuda => {
        freed_pieces_are_one: 2;
        cleared_memory_in_freed_pieces: 2;
    } }
    mod checked {
        use super::{CHECK, freed_pieces_are_one};
        cushmem_conformance::conformance! { with CHECK: soft => { freed_pieces_are_one: 2; } }
    }
}

/// Whether this process has a stream of the emulation, or a file of NVIDIA's driver.
fn has_started_a_gpu() -> bool {
    let threads = read_dir("/proc/self/task").expect("there are threads").flatten();
    let name = |entry: std::fs::DirEntry| read_to_string(entry.path().join("comm")).unwrap_or_default();
    let files = read_dir("/proc/self/fd").expect("there are descriptors").flatten();
    let target = |entry: std::fs::DirEntry| read_link(entry.path()).unwrap_or_default();
    threads.map(name).any(|name| name.starts_with("cushmem-stream"))
        || files.map(target).any(|file| file.starts_with("/dev") && file.to_string_lossy().contains("nvidia"))
}

/// Catches an operation between host memories, or a join, that starts a GPU: on a machine with many PEs, that takes
/// half a minute.
fn nothing_of_a_gpu_is_there_before(shmem: &Shmem) {
    let partner = partner(shmem);
    let (numbers, others) = (shmem.malloc::<u64>(1000).expect("malloc"), shmem.malloc::<u64>(10).expect("malloc"));
    let private = vec![u64::from(shmem.my_pe()); 1000];
    let mut back = vec![0; 1000];
    shmem.put(numbers, &private, partner).expect("put");
    shmem.put_nbi(others, numbers.slice(..10), partner).expect("put_nbi");
    shmem.barrier_all().expect("barrier");
    shmem.get(&mut back, numbers, partner).expect("get");
    assert_eq!(back, private);
    // SAFETY: both ends have this many bytes.
    unsafe {
        let bytes = size_of_val(&back[..]);
        let (symmetric, buffer) = (numbers.device_ptr().address() as *const u8, back.as_mut_ptr().cast());
        shmem.raw().get(buffer, symmetric, bytes, partner, Completion::Blocking).expect("get by address");
    }
    let table = shmem.paths();
    let context = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context");
    shmem.raw().on(&context).quiet().expect("quiet");
    assert!(table.contains("mapped"), "{table}");
    shmem.fetch_add(numbers.at(0), 1, partner).expect("fetch_add");
    shmem.barrier_all().expect("barrier");
    assert!(!has_started_a_gpu());
    shmem.malloc_gpu::<u8>(1).expect("malloc_gpu");
    assert!(has_started_a_gpu(), "the test would not see a GPU");
}

/// Catches calls of one PE that wait for others, and that start the others' GPUs.
fn one_pe_uses_its_gpu_alone(shmem: &Shmem) {
    let numbers = shmem.malloc::<u64>(1000).expect("malloc");
    let expected: Vec<u64> = (0..1000).map(|i| mix(7, i)).collect();
    if shmem.my_pe() == 0 {
        let buffer = shmem.device_alloc::<u64>(1000).expect("device_alloc");
        buffer.copy_from(&expected).expect("write");
        shmem.stream().expect("a stream").synchronize().expect("nothing runs");
        shmem.put(numbers, &buffer, shmem.n_pes() - 1).expect("put from GPU memory");
        shmem.get(&buffer, numbers, shmem.n_pes() - 1).expect("get into GPU memory");
        assert_eq!(buffer.to_vec().expect("read"), expected);
    }
    shmem.barrier_all().expect("barrier");
    assert!(shmem.my_pe() != shmem.n_pes() - 1 || numbers.to_vec().expect("read") == expected);
    assert_eq!(has_started_a_gpu(), shmem.my_pe() == 0);
    assert_eq!(shmem.pes_on_my_gpu(), None);
    // The others follow.
    let all = shmem.malloc_gpu::<u64>(1000).expect("malloc_gpu");
    shmem.put(all, &expected, partner(shmem)).expect("put");
    shmem.barrier_all().expect("barrier");
    assert_eq!(all.to_vec().expect("read"), expected);
    assert!(has_started_a_gpu() && shmem.pes_on_my_gpu() > Some(0));
}

struct Object<'a> {
    slice: SymSlice<'a, u64>,
    id: u64,
}

impl Object<'_> {
    fn words(&self, pe: u32) -> Vec<u64> {
        (0..self.slice.len() as u64).map(|i| mix(self.id, (u64::from(pe) << 32) + i)).collect()
    }
}

/// Catches objects that lie across two pinned pieces, of which a copy engine refuses one half, and pieces that are
/// pinned for some PEs only: objects of all sizes from before and after the start are copied whole, by every PE's GPU,
/// to and from every PE.
fn the_heap_is_in_pieces(shmem: &Shmem) {
    let mut random = seeded();
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let mut objects: Vec<Object<'_>> = vec![];
    let mut gpu = None;
    for id in 0..60 {
        // 24 bytes to several MiB, so that several pieces are needed.
        let most = 1 << (4 + random.below(15));
        let len = 3 + random.below(most);
        objects.push(Object { slice: shmem.malloc(len).expect("malloc"), id });
        if random.below(3) == 0 {
            let gone = objects.swap_remove(random.below(objects.len()));
            shmem.free(gone.slice).expect("free");
        }
        if id == 30 {
            // More than any piece has left.
            objects.push(Object { slice: shmem.malloc(9 << 17).expect("malloc"), id: 100 });
        }
        if id == 20 {
            gpu = Some(shmem.malloc_gpu::<u64>(9 << 17).expect("malloc_gpu"));
        }
        let (Some(gpu), true) = (gpu, id % 10 == 0) else { continue };
        for object in &objects {
            let part = gpu.slice(..object.slice.len());
            part.copy_from(&object.words(me)).expect("write");
            shmem.put_nbi(object.slice, part, (me + 1) % n).expect("put from the GPU");
            shmem.quiet().expect("quiet");
        }
        shmem.barrier_all().expect("barrier");
        for object in &objects {
            let part = gpu.slice(..object.slice.len());
            assert_eq!(object.slice.to_vec().expect("read"), object.words((me + n - 1) % n), "object {}", object.id);
            shmem.get(part, object.slice, (me + 1) % n).expect("get into the GPU");
            assert_eq!(part.to_vec().expect("read"), object.words(me), "object {}", object.id);
        }
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches borders that remain when nothing is allocated any more: no object could then be larger than what was once
/// allocated.
fn freed_pieces_are_one(shmem: &Shmem) {
    let gpu = shmem.malloc_gpu::<u8>(60 << 20).expect("malloc_gpu");
    gpu.copy_from(&vec![7; 60 << 20]).expect("write");
    let kept = shmem.malloc::<u8>(100).expect("malloc");
    for megabytes in [9, 17, 33, 55, 20, 50] {
        let parts: Vec<_> =
            (0..(40 / megabytes).max(1)).map(|_| shmem.malloc::<u8>(megabytes << 20).expect("malloc")).collect();
        for part in parts {
            shmem.put(part, gpu.slice(..part.len()), partner(shmem)).expect("put from the GPU");
            shmem.barrier_all().expect("barrier");
            assert!(part.to_vec().expect("read").iter().all(|byte| *byte == 7));
            shmem.free(part).expect("free");
        }
    }
    shmem.free(kept).expect("free");
    // Nothing is allocated, so the whole heap is available, less what check mode keeps free after an object.
    let whole = shmem.malloc::<u8>((64 << 20) - 256).expect("malloc");
    shmem.free(whole).expect("free");
}

/// Catches memory that is cleared late or not at all, in freed pieces that became one.
fn cleared_memory_in_freed_pieces(shmem: &Shmem) {
    const BYTES: usize = 50 << 20;
    shmem.malloc_gpu::<u8>(1).expect("malloc_gpu");
    for round in 1..=5u8 {
        let parts = [18, 20].map(|megabytes| shmem.malloc::<u8>(megabytes << 20).expect("malloc"));
        parts.iter().for_each(|part| part.copy_from(&vec![round; part.len()]).expect("write"));
        parts.into_iter().for_each(|part| shmem.free(part).expect("free"));
        let (memory, arguments) = (Memory::Host, [("bytes", BYTES as u64), ("", 0)]);
        let wanted = Wanted { routine: "calloc", arguments, memory, bytes: BYTES, alignment: 1, cleared: true };
        let object = shmem.raw().malloc(&wanted).expect("calloc").expect("an object");
        // The partner may have written by now, but only to this byte.
        let last = object.wrapping_add(BYTES - 1);
        // SAFETY: this is one byte of an object of `BYTES` bytes.
        unsafe { shmem.raw().put(last, &round, 1, partner(shmem), Completion::Blocking) }.expect("put");
        shmem.barrier_all().expect("barrier");
        let mut seen = vec![1; BYTES];
        // SAFETY: both ends have this many bytes.
        unsafe { shmem.raw().get(seen.as_mut_ptr(), object, BYTES, shmem.my_pe(), Completion::Blocking) }.expect("get");
        assert_eq!(seen.pop(), Some(round), "what the partner wrote in round {round}");
        assert!(seen.iter().all(|byte| *byte == 0), "round {round}");
        shmem.raw().free("free", object).expect("free");
    }
}

/// Catches stores, atomics, copies and waits that are lost while another thread starts the GPUs: the heap must not
/// move.
fn others_go_on_during_the_start(shmem: &Shmem) {
    let partner = partner(shmem);
    let (words, counter) = (shmem.malloc::<u64>(2).expect("malloc"), shmem.malloc::<u64>(1).expect("malloc"));
    let (copied, done) = (shmem.malloc::<u64>(1000).expect("malloc"), AtomicBool::new(false));
    let rounds = std::thread::scope(|scope| {
        let exchange = scope.spawn(|| {
            let mut round = 0;
            while !done.load(Relaxed) || round == 0 {
                round += 1;
                shmem.fetch_add(counter.at(0), 1, 0).expect("fetch_add");
                shmem.p(words.at(0), round, partner).expect("p");
                shmem.put(words.slice(1..), &[!round], partner).expect("put");
                shmem.quiet().expect("quiet");
                assert_eq!(shmem.g(words.at(0), partner).expect("g"), round);
                assert_eq!(shmem.g(words.at(1), partner).expect("g"), !round);
            }
            round
        });
        let copies = scope.spawn(|| {
            let (buffer, mut round) = (shmem.device_alloc::<u64>(1000).expect("device_alloc"), 0);
            while !done.load(Relaxed) || round == 0 {
                round += 1;
                buffer.copy_from(&[round; 1000]).expect("write");
                shmem.put(copied, &buffer, partner).expect("put from GPU memory");
                buffer.copy_from(&[0; 1000]).expect("clear");
                shmem.get(&buffer, copied, partner).expect("get into GPU memory");
                assert_eq!(buffer.to_vec().expect("read"), [round; 1000]);
            }
        });
        let gpu = shmem.malloc_gpu::<u64>(1).expect("malloc_gpu");
        gpu.copy_from(&[5]).expect("write");
        done.store(true, Relaxed);
        copies.join().expect("the thread that copies ends");
        exchange.join().expect("the other thread ends")
    });
    let of_all = shmem.malloc::<u64>(shmem.n_pes() as usize).expect("malloc");
    (0..shmem.n_pes()).for_each(|pe| shmem.p(of_all.at(shmem.my_pe() as usize), rounds, pe).expect("p"));
    shmem.barrier_all().expect("barrier");
    let all: u64 = of_all.to_vec().expect("read").iter().sum();
    assert_eq!(shmem.g(counter.at(0), 0).expect("g"), all);
    shmem.wait_until(words.at(0), Cmp::Gt, 0).expect("wait_until");
}
