//! Single words: p and g of every type, signals, waits with a limit, pointers.

use crate::rig::Rig;
use cushmem::{Grid, Kernel, Shmem, SymSlice};
use cushmem_conformance::{asked_requests, conformance, expect_words, gpus_reach_each_other, on_nodes, seeded};
use cushmem_conformance_kernels::{self as kernels, PART_BYTES, PARTS, Pattern, mix};
use cushmem_device::{DevPtr, Why};
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    p_and_g: 1, 2, 3;
    added_signals: 1, 2, 4;
    comparisons: 1;
    shuffles: 1;
    wait_for_a_peer: 2;
    pointers: 1, 2, 4;
    routes: 1, 2, 4;
    words_arrive_whole: 2;
} }

mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => {
        words_arrive_whole: 2;
        pointers: 2;
        routes: 2, 3;
    } }
}

mod by_agent {
    use super::words_arrive_whole;
    const AGENT: &[(&str, &str)] = &[("CUSHMEM_PATH", "gpu-agent"), ("CUSHMEM_P2P", "1")];
    cushmem_conformance::conformance! { with AGENT: soft, cuda => { words_arrive_whole: 2; } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
on_nodes! { with SOFT: {
    words_arrive_whole: 2 on 2;
    routes: 4 on 2;
} }

/// Size of the words in each part in bytes, in the order of the kernels.
const SIZES: [usize; PARTS] = [1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 8];
const BYTES: usize = PARTS * PART_BYTES;

/// Catches a p or g with the wrong width, on the wrong PE, or with the wrong word of host memory.
fn p_and_g(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let poison = |i: usize| !mix(3, i as u64) as u8;
    let datum = |pe: u32, i: usize| mix(u64::from(pe) + 10, i as u64) as u8;
    let objects: [SymSlice<'_, u8>; 2] = [shmem.malloc_gpu(BYTES), shmem.malloc(BYTES)].map(|o| o.expect("malloc"));
    let mine = rig.symmetric(&(0..BYTES).map(|i| datum(shmem.my_pe(), i)).collect::<Vec<_>>());
    let private = rig.private(&vec![0u8; BYTES]);
    for object in objects {
        for lanes in [64, 7] {
            let expected = |from: u32| {
                move |i| if i % PART_BYTES < lanes * SIZES[i / PART_BYTES] { datum(from, i) } else { poison(i) }
            };
            let poisons: Vec<u8> = (0..BYTES).map(poison).collect();
            object.copy_from(&poisons).expect("write");
            rig.barrier();
            let grid = Grid::linear(1, lanes as u32);
            rig.run(kernels::p_words, grid, (object.device_ptr(), mine.device_ptr(), rig.next()));
            rig.barrier();
            expect_words(|| format!("p by {lanes} lanes"), &object.to_vec().expect("read"), expected(rig.previous()));
            // Now the source is in that heap, on the next PE.
            object.copy_from(&(0..BYTES).map(|i| datum(shmem.my_pe(), i)).collect::<Vec<_>>()).expect("write");
            private.copy_from(&poisons).expect("write");
            rig.barrier();
            rig.run(kernels::g_words, grid, (private.device_ptr(), object.device_ptr(), rig.next()));
            expect_words(|| format!("g by {lanes} lanes"), &private.to_vec().expect("read"), expected(rig.next()));
            rig.barrier();
        }
    }
}

/// Catches an addition that is lost, and one that changes a neighbour: all lanes of all PEs add to one word of each PE.
fn added_signals(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (times, grid) = (rig.times(20, 100), Grid::linear(4, 64));
    let words = rig.counters(&[u64::MAX; 3]);
    rig.barrier();
    for pe in 0..shmem.n_pes() {
        rig.start(kernels::add_signals, grid, (words.at(1).device_ptr(), times, pe));
    }
    rig.wait();
    rig.barrier();
    let sum = times * u64::from(shmem.n_pes()) * (256 * 257 / 2);
    assert_eq!(words.to_vec().expect("read"), [u64::MAX, sum.wrapping_sub(1), u64::MAX]);
    rig.barrier();
    rig.run(kernels::set_signal, grid, (words.at(1).device_ptr(), 77 + u64::from(shmem.my_pe()), rig.next()));
    rig.barrier();
    assert_eq!(words.to_vec().expect("read"), [u64::MAX, 77 + u64::from(rig.previous()), u64::MAX]);
    rig.barrier();
}

/// The longest time in which the kernel has to see a change.
const LOOK_LIMIT: Duration = Duration::from_secs(60);

/// How words are put.
#[derive(Clone, Copy, Debug)]
enum By {
    Cpu,
    Stream,
    Lanes,
    /// By this many lanes, as a thread, a warp or a block, which put all words at once.
    Range(u32),
}

/// Catches a put that writes a word of GPU memory in pieces, or twice: a kernel of the target looks at the words while
/// they are put, and sees old ones and new ones, never a mixture. The lengths include those that do not divide evenly.
fn words_arrive_whole(shmem: &Shmem) {
    fn of_type<T: Pattern>(
        rig: &Rig<'_>,
        watch: impl Kernel<Args = (DevPtr<T>, usize, DevPtr<u64>, DevPtr<u64>)>,
        put: impl Kernel<Args = (DevPtr<T>, u32, u32)>,
        put_range: impl Kernel<Args = (DevPtr<T>, DevPtr<T>, usize, u32, u32)>,
    ) {
        // A real GPU shows a word that is cut in a few of a thousand puts, the emulation in most of them. A staged put
        // takes up to 0.4 ms.
        let (rounds, step) = match rig.shmem.gpu() {
            Some(gpu) if gpu.emulated => (8, 8),
            _ if rig.reaches_all() => (3000, 1),
            _ => (600, 1),
        };
        let lengths = (1..=17).step_by(step);
        let rounds = asked_requests().map_or(rounds, |all| all.div_ceil(lengths.clone().count()) as u32);
        let bys = [By::Cpu, By::Stream, By::Lanes, By::Range(1), By::Range(32), By::Range(64)];
        for (by, count) in bys.into_iter().flat_map(|by| lengths.clone().map(move |n| (by, n))) {
            let (words, stop) = (rig.symmetric(&[T::of_round(0); 20]), rig.symmetric(&[0u64; 2]));
            // Not at the start of memory that is aligned to more than a word; for some lengths, the source
            // differs from that by a word.
            let (words, first) = (words.slice(1..1 + count), 1 + count / 8 % 2);
            let own = rig.symmetric(&[T::of_round(0); 20]).slice(first..first + count);
            let (source, report) = (rig.on_host(&[T::of_round(0); 17]).slice(..count), rig.private(&[0u64; 3]));
            rig.barrier();
            if rig.shmem.my_pe() == 0 {
                let args = (words.device_ptr(), count, stop.device_ptr(), report.device_ptr());
                rig.run(watch, Grid::linear(1, 1), args);
                let [torn, changed, passes] = report.to_vec().expect("read")[..] else { panic!("three words") };
                assert_eq!(torn, 0, "{by:?}, {count} words of {} bytes, {passes} passes", size_of::<T>());
                // The last pass may see one change that nobody looked at.
                assert!(changed > 1, "{by:?}, {count} words: none changed while the kernel looked");
            } else {
                let grid = Grid::linear(1, count as u32);
                let seen = || rig.shmem.g(stop.at(1), 0).expect("g");
                let deadline = Instant::now() + LOOK_LIMIT;
                while seen() == 0 && Instant::now() < deadline {}
                // Until the kernel has seen a change that is not the last one, however busy the machine is. Laps end
                // with different words in turn, so that a kernel that sees no word within a lap sees a change after it.
                for lap in 0.. {
                    let rounds = rounds + lap % 2;
                    match by {
                        By::Lanes => rig.run(put, grid, (words.device_ptr(), rounds, 0)),
                        By::Range(lanes) => {
                            let args = (words.device_ptr(), own.device_ptr(), count, rounds, 0);
                            rig.run(put_range, Grid::linear(1, lanes), args);
                        }
                        By::Cpu => (1..=rounds).for_each(|round| {
                            rig.shmem.put(words, &vec![T::of_round(round); count][..], 0).expect("put");
                        }),
                        By::Stream => (1..=rounds).for_each(|round| {
                            source.copy_from(&vec![T::of_round(round); count]).expect("write");
                            rig.stream.put(words, source, 0).expect("put");
                            rig.wait();
                        }),
                    }
                    if seen() > 2 || Instant::now() >= deadline {
                        break;
                    }
                }
                rig.shmem.quiet().expect("quiet");
                rig.shmem.p(stop.at(0), 1, 0).expect("p");
                rig.shmem.quiet().expect("quiet");
            }
            rig.barrier();
        }
    }
    let rig = Rig::new(shmem);
    of_type(&rig, kernels::watch_u16, kernels::p_patterns_u16, kernels::put_patterns_u16);
    of_type(&rig, kernels::watch_u32, kernels::p_patterns_u32, kernels::put_patterns_u32);
    of_type(&rig, kernels::watch_u64, kernels::p_patterns_u64, kernels::put_patterns_u64);
}

/// Catches a comparison that is reversed or has the wrong sign, and a wait that goes on after its limit.
fn comparisons(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut random = seeded();
    // Each bit is the number of one of OpenSHMEM's comparisons: equal, not equal, greater, less or equal, less, greater
    // or equal.
    fn mask<T: PartialOrd>(word: T, value: T) -> u64 {
        [word == value, word != value, word > value, word <= value, word < value, word >= value]
            .into_iter()
            .enumerate()
            .map(|(i, holds)| u64::from(holds) << i)
            .sum()
    }
    let special =
        [0, 1, 1 << 31, u64::MAX, 1 << 63, 0x7fff_ffff, f64::NAN.to_bits(), 1.5f64.to_bits(), (-1.5f64).to_bits()];
    for i in 0..rig.times(30, 100) {
        let mut pick = || if random.below(2) == 0 { special[random.below(special.len())] } else { random.bits() };
        let word = pick();
        let value = if i % 4 == 0 { word } else { pick() };
        let (words, values, out) = (rig.private(&[word; 5]), rig.private(&[value; 5]), rig.private(&[0u64; 5]));
        rig.run(
            kernels::compare,
            Grid::linear(1, 1),
            (words.device_ptr(), values.device_ptr(), 1000, out.device_ptr()),
        );
        let expected = [
            mask(word as u32, value as u32),
            mask(word as i32, value as i32),
            mask(word as i64, value as i64),
            mask(word, value),
            mask(f64::from_bits(word), f64::from_bits(value)),
        ];
        let seen = out.to_vec().expect("read");
        assert_eq!(seen, expected, "u32, i32, i64, u64, f64: {word:#x} against {value:#x}");
    }
}

/// Catches a value from another lane than the named one, or from another warp.
fn shuffles(shmem: &Shmem) {
    const LANES: usize = 96;
    const NOTHING: u32 = 7;
    let rig = Rig::new(shmem);
    let mut random = seeded();
    for delta in [0, 1, 5, 31] {
        let values: Vec<u32> = (0..LANES).map(|_| random.bits() as u32).collect();
        let sources: Vec<u32> = (0..LANES).map(|_| random.below(32) as u32).collect();
        let (given, named) = (rig.private(&values), rig.private(&sources));
        let out = rig.private(&[NOTHING; 3 * LANES]);
        let args = (given.device_ptr(), named.device_ptr(), delta, out.device_ptr());
        rig.run(kernels::shuffles, Grid::linear(1, LANES as u32), args);
        let expected = |word: usize| {
            let (lane, source) = (word / 3, sources[word / 3] as usize);
            let (first, number) = (lane / 32 * 32, lane % 32);
            match word % 3 {
                0 => values[first + source],
                // If there is no such lane, its own value.
                1 if number + delta as usize >= 32 => values[lane],
                1 => values[lane + delta as usize],
                _ if number < 16 => values[first + source % 16],
                _ => NOTHING,
            }
        };
        expect_words(|| format!("shuffles by {delta}"), &out.to_vec().expect("read"), expected);
    }
}

/// Catches a wait that does not see a peer's word, in either heap, stored by a kernel or by the CPU, and one that ends
/// without it.
fn wait_for_a_peer(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let out = rig.private(&[7u64]);
    for object in [shmem.malloc_gpu::<u64>(1), shmem.malloc(1)].map(|o| o.expect("malloc")) {
        let word = object.at(0);
        object.copy_from(&[0]).expect("write");
        rig.barrier();
        rig.run(kernels::wait_for, Grid::linear(1, 1), (word.device_ptr(), 1, 1_000_000, out.device_ptr()));
        assert_eq!(out.to_vec().expect("read"), [0], "saw a word that nobody wrote");
        rig.barrier();
        for (value, by_kernel) in [(1, true), (2, false)] {
            if shmem.my_pe() == 0 {
                rig.run(
                    kernels::wait_for,
                    Grid::linear(1, 1),
                    (word.device_ptr(), value, crate::rig::LIMIT_NS, out.device_ptr()),
                );
                assert_eq!(out.to_vec().expect("read"), [1], "did not see the word");
            } else if by_kernel {
                std::thread::sleep(std::time::Duration::from_millis(2));
                rig.run(kernels::set_signal, Grid::linear(1, 1), (word.device_ptr(), value, 0));
            } else {
                std::thread::sleep(std::time::Duration::from_millis(2));
                shmem.p(word, value, 0).expect("p");
            }
            rig.barrier();
        }
    }
}

/// Catches a pointer to a PE that does not exist, or one that points elsewhere than the library's own puts.
fn pointers(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (n, me) = (shmem.n_pes(), shmem.my_pe());
    let identity = rig.private(&[9u32; 2]);
    rig.run(kernels::identity, Grid::linear(1, 1), (identity.device_ptr(),));
    assert_eq!(identity.to_vec().expect("read"), [me, n]);
    let pes: Vec<u32> = (0..n).chain([n, n + 1, 63, 64, 65, 255, 256, 257, 1 << 31, u32::MAX]).collect();
    let list = rig.private(&pes);
    let out = rig.private(&vec![1u64; pes.len()]);
    for object in [shmem.malloc_gpu::<u8>(100), shmem.malloc(100)].map(|o| o.expect("malloc")) {
        let here = object.device_ptr().address();
        rig.run(
            kernels::pointers,
            Grid::linear(1, pes.len() as u32),
            (object.device_ptr(), list.device_ptr(), out.device_ptr()),
        );
        let seen = out.to_vec().expect("read");
        assert_eq!(seen[me as usize], here);
        for (pe, pointer) in pes.iter().zip(&seen) {
            let of_the_cpu = shmem.raw().ptr(std::ptr::with_exposed_provenance(here as usize), *pe).ok().flatten();
            assert_eq!(*pointer, of_the_cpu.unwrap_or(0), "pointer to PE {pe}");
            let is_mapped = *pe == me || (*pe < n && rig.reaches_all());
            assert!(!is_mapped || of_the_cpu.is_some(), "a pointer for each PE that is mapped");
            assert!(of_the_cpu.is_none() || *pe < n, "no pointer to PE {pe}");
        }
    }
    rig.barrier();
}

/// Catches a route by instructions to memory that they do not reach, one by the CPU to memory that they do, and another
/// address than the one at which the word then is. The hand-made jobs of the file `routes` have links of every kind.
fn routes(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (n, me) = (shmem.n_pes(), shmem.my_pe());
    let pes: Vec<u32> = (0..=n).collect();
    let (list, out, pointers) =
        (rig.private(&pes), rig.private(&vec![1u64; pes.len()]), rig.private(&vec![1u64; pes.len()]));
    let is_near = |pe: u32| shmem.team_world().translate_pe(pe, shmem.team_shared()).is_some();
    for on_gpu in [true, false] {
        let word = if on_gpu { rig.symmetric(&[7 + u64::from(me)]) } else { rig.on_host(&[7 + u64::from(me)]) };
        let object: DevPtr<u8> = word.device_ptr().cast();
        let lanes = Grid::linear(1, pes.len() as u32);
        rig.run(kernels::pointers, lanes, (object, list.device_ptr(), pointers.device_ptr()));
        let pointers = pointers.to_vec().expect("read");
        for atomic in [0, 1] {
            rig.run(kernels::routes, lanes, (object, list.device_ptr(), atomic, out.device_ptr()));
            let seen = out.to_vec().expect("read");
            for pe in 0..n {
                let is_mapped = if on_gpu { pe == me || is_near(pe) && gpus_reach_each_other() } else { is_near(pe) };
                let expected = match (is_mapped, on_gpu, atomic) {
                    (_, false, 1) => Why::CpuIsAgent as u64,
                    (true, ..) => pointers[pe as usize],
                    (false, ..) => Why::NotMapped as u64,
                };
                assert_eq!(seen[pe as usize], expected, "to PE {pe}, on the GPU: {on_gpu}, atomic: {atomic}");
                assert_eq!(pointers[pe as usize] != 0, is_mapped, "a pointer to PE {pe}, on the GPU: {on_gpu}");
            }
            assert_eq!(seen[n as usize], 0, "a route to a PE that does not exist");
        }
        rig.barrier();
    }
}
