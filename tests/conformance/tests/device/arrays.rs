// Long because all of it works with the cases, the models and the failures of one kind of array.

//! Cached arrays: random reads and writes through small caches, compared with an array in plain memory.

use crate::rig::Rig;
use cushmem::{ArrayMode, DevPtr, DeviceArray, DeviceBuffer, Grid, Kernel, Shmem, SymArray, TaskOptions, Word};
use cushmem_abi::ArrayHead;
use cushmem_conformance::{Backend, Sample, conformance, expect_words, run_to_failure, seeded};
use cushmem_conformance_kernels::{self as kernels, ARRAY_WRITE, mix, tasks::TASKS};
use cushmem_device::ArrayParts;
use cushmem_numbers::Random;
use cushmem_protocol::lines::{BUSY, USED, VALID};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use std::fs::OpenOptions;
use std::mem::offset_of;
use std::path::{Path, PathBuf};

conformance! { soft, cuda => {
    reading: 1, 2, 4;
    reading_a_file: 1, 2;
    reading_in_place: 1, 2, 4;
    writing: 1, 2, 3;
    writing_in_place: 1, 2, 3;
    writing_a_file: 1, 2;
    elements_of_other_sizes: 2;
    in_cxx: 1, 2;
    in_cxx_in_place: 1, 2;
    accumulating: 1, 2;
    what_others_wrote: 2, 3;
    two_arrays: 2;
    beside_puts: 2;
    hits: 1;
    shapes: 2;
} }

/// GPUs that do not reach each other.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => {
        reading: 2; writing: 2; accumulating: 2; reading_a_file: 2; two_arrays: 2; beside_puts: 2; no_place: 2;
        in_cxx: 2;
    } }
}

mod on_nodes {
    use super::*;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: { reading: 2 on 2, 3 on 2; writing: 2 on 2; writing_a_file: 2 on 2; no_place: 2 on 2; } }
}

/// Lanes of a kernel, in two blocks. Each has elements of its own: those whose index has its remainder.
const LANES: usize = 64;
/// What each lane does.
const EACH: usize = 40;
const LINE_BYTES: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Gpu,
    Host,
    File,
}

/// The element with this index at first.
fn before(index: usize) -> u64 {
    mix(0x5eed, index as u64)
}

/// A file's name, which is the same on all PEs.
fn path() -> PathBuf {
    cushmem_conformance::folder().join("array")
}

/// An array with the elements of [`before`], and its file.
struct Case<'a, T: Word> {
    rig: &'a Rig<'a>,
    array: SymArray<'a, T>,
    file: Option<PathBuf>,
}

impl<'a, T: Sample> Case<'a, T> {
    fn new(rig: &'a Rig<'a>, place: Place, len: usize, slots: usize, mode: ArrayMode) -> Self {
        Self::of_lines(rig, place, len, (Some(slots), LINE_BYTES), mode)
    }

    fn of_lines(
        rig: &'a Rig<'a>,
        place: Place,
        len: usize,
        (slots, line_bytes): (Option<usize>, usize),
        mode: ArrayMode,
    ) -> Self {
        let (shmem, elements) = (rig.shmem, || (0..len).map(|index| T::sample(before(index))));
        let file = (place == Place::File).then(|| path());
        if let (Some(path), 0) = (&file, shmem.my_pe()) {
            let bytes = elements().flat_map(|element| element.bits().to_ne_bytes().into_iter().take(size_of::<T>()));
            std::fs::write(path, bytes.collect::<Vec<_>>()).expect("write the file");
        }
        rig.barrier();
        let builder = shmem.array(len).line_bytes(line_bytes).mode(mode);
        let builder = if let Some(slots) = slots { builder.slots(slots) } else { builder };
        let builder = match (&file, place) {
            (Some(path), _) => builder.in_file(path),
            (_, Place::Host) => builder.on_host(),
            _ => builder,
        };
        let array = builder.create::<T>().expect("an array");
        if let Some(part) = array.part() {
            let range = array.range(shmem.my_pe());
            let own: Vec<T> = range.clone().map(|index| T::sample(before(index))).collect();
            part.slice(..range.len()).copy_from(&own).expect("fill");
        }
        rig.barrier();
        Self { rig, array, file }
    }

    fn work<K: Kernel<Args = (DeviceArray<T>, DevPtr<u64>, u64, DevPtr<u64>)>>(
        &self,
        kernel: K,
        list: &[u64],
    ) -> Vec<u64> {
        let (list, pairs) = (self.rig.private(list), list.len() / 2);
        let found = self.rig.private(&vec![0u64; pairs]);
        let each = (pairs / LANES) as u64;
        self.rig.run(
            kernel,
            Grid::linear(2, LANES as u32 / 2),
            (self.array.device(), list.device_ptr(), each, found.device_ptr()),
        );
        found.to_vec().expect("read")
    }

    /// What is behind the cache, at the places that this PE looks at.
    fn check_behind(&self, model: &[u64]) {
        let what = || "behind the cache".to_owned();
        if let Some(path) = &self.file {
            let bytes = std::fs::read(path).expect("read the file");
            let elements: Vec<u64> = bytes
                .chunks(size_of::<T>())
                .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
                .collect();
            assert_eq!(elements.len(), model.len(), "the file has another length");
            expect_words(what, &elements, |index| T::sample(model[index]).bits());
        } else if let Some(part) = self.array.part() {
            let range = self.array.range(self.rig.shmem.my_pe());
            let own = part.slice(..range.len()).to_vec().expect("read");
            expect_words(what, &own, |index| T::sample(model[range.start + index]));
        }
    }

    fn end(self) {
        let Self { rig, array, file } = self;
        array.free().expect("free");
        rig.barrier();
        if let (Some(path), 0) = (file, rig.shmem.my_pe()) {
            std::fs::remove_file(path).expect("remove the file");
        }
    }
}

/// Reads elements anywhere, often several of a line by a warp.
fn read_anywhere(rig: &Rig<'_>, place: Place, slots: usize, line_bytes: usize) {
    let len = 10_000 + 13;
    let case = Case::<u64>::of_lines(rig, place, len, (Some(slots), line_bytes), ArrayMode::ReadOnly);
    let mut random = Random::new(seeded().bits() ^ u64::from(rig.shmem.my_pe()));
    let mut list = vec![];
    for _ in 0..EACH {
        let (near, base) = (random.below(3), random.below(len));
        (0..LANES).for_each(|lane| {
            let index = match near {
                0 => random.below(len),
                1 => (base + lane) % len,
                _ => (base + random.below(200)) % len,
            };
            list.extend([index as u64, 0]);
        });
    }
    let found = case.work(kernels::array_work, &list);
    let what = || format!("{place:?}, {slots} slots of {line_bytes} bytes");
    expect_words(what, &found, |at| before(list[2 * at] as usize));
    case.end();
}

/// Catches a line that is fetched from or to another place, given up while somebody reads it, or lost by lanes that
/// wait for it, with caches from one slot on.
fn reading(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for place in [Place::Gpu, Place::Host] {
        for (slots, line_bytes) in
            [(1, LINE_BYTES), (3, LINE_BYTES), (64, LINE_BYTES), (1000, LINE_BYTES), (3, 4096), (1, 65536)]
        {
            read_anywhere(&rig, place, slots, line_bytes);
        }
    }
}

/// The same without a cache.
fn reading_in_place(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (place, line_bytes) in [(Place::Gpu, LINE_BYTES), (Place::Host, LINE_BYTES), (Place::Gpu, 65536)] {
        read_anywhere(&rig, place, 0, line_bytes);
    }
}

/// The same from a file, whose last line is not full. Lines of whole pages bypass the page cache.
fn reading_a_file(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (slots, line_bytes) in [(1, LINE_BYTES), (5, LINE_BYTES), (1000, LINE_BYTES), (5, 4096), (5, 65536)] {
        read_anywhere(&rig, Place::File, slots, line_bytes);
    }
}

/// Catches lanes of a warp that take a line of another array for theirs.
fn two_arrays(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let len = 3000;
    let even = Case::<u64>::new(&rig, Place::Host, len, 3, ArrayMode::ReadOnly);
    let odd = Case::<u64>::new(&rig, Place::Gpu, len, 2, ArrayMode::ReadWrite);
    let part = odd.array.part().expect("it is in memory");
    let range = odd.array.range(shmem.my_pe());
    let other = |index: usize| before(index) ^ 1;
    part.slice(..range.len()).copy_from(&range.map(other).collect::<Vec<_>>()).expect("fill");
    rig.barrier();
    let mut random = Random::new(seeded().bits());
    let list: Vec<u64> = (0..EACH * LANES).flat_map(|_| [random.below(len) as u64, random.bits()]).collect();
    let (words, found) = (rig.private(&list), rig.private(&[0u64; EACH * LANES]));
    rig.run(
        kernels::array_two,
        Grid::linear(2, LANES as u32 / 2),
        (even.array.device(), odd.array.device(), words.device_ptr(), EACH as u64, found.device_ptr()),
    );
    expect_words(
        || "elements of two arrays".to_owned(),
        &found.to_vec().expect("read"),
        |at| if list[2 * at + 1] & 1 == 0 { before(list[2 * at] as usize) } else { other(list[2 * at] as usize) },
    );
    rig.barrier();
    even.end();
    odd.end();
}

/// Catches lanes that fetch lines and lanes that ask the CPU for something else and that take each other for lanes that
/// do the same, when they diverge.
fn beside_puts(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let case = Case::<u64>::new(&rig, Place::Host, 10_000, 3, ArrayMode::ReadOnly);
    let (words, found) = (rig.symmetric(&[0u64; LANES]), rig.private(&[0u64; LANES]));
    rig.barrier();
    let args = (case.array.device(), words.device_ptr(), rig.next(), found.device_ptr());
    rig.run(kernels::array_beside_puts, Grid::linear(1, LANES as u32), args);
    rig.barrier();
    let only = |lane: usize, odd: bool, value: u64| if (lane % 2 == 1) == odd { value } else { 0 };
    let read = found.to_vec().expect("read");
    expect_words(|| "elements".to_owned(), &read, |lane| only(lane, true, before(lane)));
    let put = words.to_vec().expect("read");
    expect_words(|| "words".to_owned(), &put, |lane| only(lane, false, lane as u64));
    rig.barrier();
    case.end();
}

/// Whether this PE writes elements of the line with this index.
fn writes(pe: u32, line: usize, n_pes: u32) -> bool {
    mix(77, line as u64) % u64::from(n_pes) == u64::from(pe)
}

/// What the lanes of a PE do: each writes, and reads again, elements of its own in lines of the PE; in every third
/// turn, all of them in one line. Returns the list, and what they find. `model` has the elements before, and after, all
/// of that.
fn own_elements(
    random: &mut Random,
    (lines, line): (&[usize], usize),
    each: usize,
    model: &mut [u64],
) -> (Vec<u64>, Vec<Option<u64>>) {
    let (mut list, mut found) = (vec![], vec![]);
    let mut together = (0, false);
    for i in 0..each * LANES {
        let lane = i % LANES;
        if lane == 0 {
            together = (lines[random.below(lines.len())], random.below(2) == 0);
        }
        let own = (lines[random.below(lines.len())], random.below(2) == 0);
        let (number, reads) = if (i / LANES).is_multiple_of(3) { together } else { own };
        let index = number * line + lane + LANES * random.below(line / LANES);
        if index >= model.len() || reads {
            let index = if index < model.len() { index } else { lines[0] * line + lane };
            list.extend([index as u64, 0]);
            found.push(Some(model[index]));
        } else {
            let value = random.bits();
            model[index] = value;
            list.extend([index as u64 | ARRAY_WRITE, value]);
            found.push(None);
        }
    }
    (list, found)
}

fn write_and_read<T: Sample, K>(
    rig: &Rig<'_>,
    place: Place,
    (slots, line_bytes): (usize, usize),
    kernel: K,
    flush: impl Fn(&Case<'_, T>),
) where
    K: Kernel<Args = (DeviceArray<T>, DevPtr<u64>, u64, DevPtr<u64>)>,
{
    let shmem = rig.shmem;
    let line = line_bytes / size_of::<T>();
    // Long lines are fewer, and take the emulation long. The last one is short.
    let few = |n: usize, least: usize| (n * LINE_BYTES / line_bytes).max(least);
    let (len, each) = (few(60, 8) * line + 70, few(EACH, 6));
    let case = Case::<T>::of_lines(rig, place, len, (Some(slots), line_bytes), ArrayMode::ReadWrite);
    let mut model: Vec<u64> = (0..len).map(|index| T::sample(before(index)).bits()).collect();
    let seed = seeded().bits();
    for round in 0..2 {
        let mut own = (vec![], vec![]);
        for pe in 0..shmem.n_pes() {
            let lines: Vec<usize> = (0..len.div_ceil(line)).filter(|line| writes(pe, *line, shmem.n_pes())).collect();
            let mut random = Random::new(seed ^ u64::from(pe) << 32 ^ round);
            let (list, found) = own_elements(&mut random, (&lines, line), each, &mut model);
            if pe == shmem.my_pe() {
                own = (list, found);
            }
        }
        let (list, expected) = own;
        let found = case.work(kernel, &list);
        expect_words(
            || format!("{place:?}, {slots} slots of {line_bytes} bytes: elements that the lane wrote"),
            &found,
            |at| expected[at].map_or(0, |word| T::sample(word).bits()),
        );
        flush(&case);
        rig.barrier();
        case.array.invalidate().expect("invalidate");
        case.check_behind(&model);
        let list: Vec<u64> = (0..len / LANES * LANES).flat_map(|index| [index as u64, 0]).collect();
        let found = case.work(kernel, &list);
        expect_words(
            || format!("{place:?}, {slots} slots of {line_bytes} bytes: all elements"),
            &found,
            |at| T::sample(model[at]).bits(),
        );
        rig.barrier();
    }
    case.end();
}

/// Flushes by a kernel of several blocks, or by the CPU.
fn flush_either(case: &Case<'_, u64>, by_kernel: bool) {
    if by_kernel {
        case.rig.run(kernels::array_flush, Grid::linear(2, 64), (case.array.device(),));
        assert!(case.rig.shmem.quiet().is_ok());
    } else {
        case.array.flush().expect("flush");
    }
}

/// Catches an element that is lost when its line gives up its slot, when it is written back while others write, or when
/// another PE writes a line beside it.
fn writing(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (place, slots, line_bytes, by_kernel) in [
        (Place::Gpu, 1, LINE_BYTES, true),
        (Place::Gpu, 7, LINE_BYTES, false),
        (Place::Gpu, 3, 4096, true),
        (Place::Gpu, 2, 65536, false),
        (Place::Host, 2, LINE_BYTES, true),
        (Place::Host, 500, LINE_BYTES, false),
        (Place::Host, 3, 4096, false),
        (Place::Host, 2, 65536, true),
    ] {
        write_and_read(&rig, place, (slots, line_bytes), kernels::array_work, |case| flush_either(case, by_kernel));
    }
}

/// The same without a cache.
fn writing_in_place(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (place, by_kernel) in [(Place::Gpu, true), (Place::Gpu, false), (Place::Host, true), (Place::Host, false)] {
        write_and_read(&rig, place, (0, LINE_BYTES), kernels::array_work, |case| flush_either(case, by_kernel));
    }
    write_and_read::<u16, _>(&rig, Place::Gpu, (0, LINE_BYTES), kernels::array_work_u16, flush);
}

/// Catches loads and stores of memory that a GPU does not reach.
fn no_place(shmem: &Shmem) {
    let made = shmem.array(1000).slots(0).create::<u64>();
    let why = made.err().expect("it is refused").to_string();
    assert!(why.contains(": an array without a cache needs loads and stores, but gpu memory of some PEs is "), "{why}");
    let array = shmem.array(1000).create::<u64>().expect("with a cache");
    array.free().expect("free");
}

/// The same in a file, which keeps its length. With whole pages, kernels write back past the page cache, where the file
/// system can, but for the last line, and the CPU flushes through it.
fn writing_a_file(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (slots, line_bytes, by_kernel) in [
        (2, LINE_BYTES, true),
        (9, LINE_BYTES, false),
        (3, 4096, true),
        (3, 4096, false),
        (2, 65536, true),
        (7, 65536, false),
    ] {
        let flush = |case: &Case<'_, u64>| flush_either(case, by_kernel);
        write_and_read(&rig, Place::File, (slots, line_bytes), kernels::array_work, flush);
    }
}

/// Catches a number of elements in a line that is taken for that of another size.
fn elements_of_other_sizes(shmem: &Shmem) {
    let (rig, few) = (Rig::new(shmem), (3, LINE_BYTES));
    write_and_read::<f32, _>(&rig, Place::Gpu, few, kernels::array_work_f32, flush);
    write_and_read::<u16, _>(&rig, Place::Host, few, kernels::array_work_u16, flush);
    write_and_read::<u16, _>(&rig, Place::File, few, kernels::array_work_u16, flush);
}

/// Catches parts of kernels in CUDA C++ that do not make up what `DeviceArray` does, and elements of another size than
/// the array's. Large caches have the lines at hand.
fn in_cxx(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for (place, slots) in [(Place::Gpu, 3), (Place::Gpu, 500), (Place::Host, 7), (Place::File, 2), (Place::File, 500)] {
        write_and_read(&rig, place, (slots, LINE_BYTES), kernels::array_work_in_cxx, |case| {
            rig.run(kernels::array_flush_in_cxx, Grid::linear(2, 64), (case.array.device(),));
            shmem.quiet().expect("quiet");
        });
    }
    in_cxx_by_sizes(&rig, [3, 500]);
    add_and_read(&rig, kernels::array_add_in_cxx, kernels::array_work_in_cxx);
}

/// The same without a cache.
fn in_cxx_in_place(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for place in [Place::Gpu, Place::Host] {
        write_and_read(&rig, place, (0, LINE_BYTES), kernels::array_work_in_cxx, |case| {
            rig.run(kernels::array_flush_in_cxx, Grid::linear(2, 64), (case.array.device(),));
        });
    }
    in_cxx_by_sizes(&rig, [0]);
}

fn in_cxx_by_sizes<const N: usize>(rig: &Rig<'_>, slots: [usize; N]) {
    for few in slots.map(|slots| (slots, LINE_BYTES)) {
        write_and_read::<f32, _>(rig, Place::Host, few, kernels::array_work_f32_in_cxx, flush);
        write_and_read::<u16, _>(rig, Place::Host, few, kernels::array_work_u16_in_cxx, flush);
        write_and_read::<u8, _>(rig, Place::Host, few, kernels::array_work_u8_in_cxx, flush);
    }
}

fn flush<T: Sample>(case: &Case<'_, T>) {
    case.array.flush().expect("flush");
}

/// Catches an addition that is lost, carried out twice, or that goes to another element: all PEs add to all.
fn accumulating(shmem: &Shmem) {
    add_and_read(&Rig::new(shmem), kernels::array_add, kernels::array_work);
}

fn add_and_read(
    rig: &Rig<'_>,
    add: impl Kernel<Args = (DeviceArray<u64>, DevPtr<u64>, u64)>,
    read: impl Kernel<Args = (DeviceArray<u64>, DevPtr<u64>, u64, DevPtr<u64>)>,
) {
    let shmem = rig.shmem;
    let (len, seed) = (900usize, seeded().bits());
    for place in [Place::Gpu, Place::Host] {
        let case = Case::<u64>::new(rig, place, len, 1, ArrayMode::Accumulate);
        let mut model: Vec<u64> = (0..len).map(before).collect();
        let mut own = vec![];
        for pe in 0..shmem.n_pes() {
            let mut random = Random::new(seed ^ u64::from(pe));
            let list: Vec<u64> = (0..EACH * LANES).flat_map(|_| [random.below(len) as u64, random.bits()]).collect();
            list.chunks(2).for_each(|pair| model[pair[0] as usize] = model[pair[0] as usize].wrapping_add(pair[1]));
            if pe == shmem.my_pe() {
                own = list;
            }
        }
        let list = rig.private(&own);
        rig.run(add, Grid::linear(2, LANES as u32 / 2), (case.array.device(), list.device_ptr(), EACH as u64));
        rig.barrier();
        case.check_behind(&model);
        let list: Vec<u64> = (0..len / LANES * LANES).flat_map(|index| [index as u64, 0]).collect();
        let found = case.work(read, &list);
        expect_words(|| format!("{place:?}: sums"), &found, |at| model[at]);
        rig.barrier();
        case.end();
    }
}

/// Catches an old line that is read after it was forgotten, and a clean one that is fetched again without need: between
/// a change and `invalidate`, the old element is allowed, but the cache is large, so it stays.
fn what_others_wrote(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let line = LINE_BYTES / 8;
    let len = line * shmem.n_pes() as usize;
    let case = Case::<u64>::new(&rig, Place::Host, len, 64, ArrayMode::ReadWrite);
    changed_by_others(&case, true);
    case.end();
}

/// Has all lanes read an element of the next PE's part before and after that PE changes it, and after `invalidate`: a
/// large cache keeps the old one.
fn changed_by_others(case: &Case<'_, u64>, is_cached: bool) {
    let rig = case.rig;
    let index = rig.next() as usize * LINE_BYTES / 8 + 5;
    let read: Vec<u64> = (0..LANES).flat_map(|_| [index as u64, 0]).collect();
    let all_are = |expected: u64| {
        let found = case.work(kernels::array_work, &read);
        expect_words(|| "an element of the next PE".to_owned(), &found, |_| expected);
        rig.barrier();
    };
    all_are(before(index));
    let part = case.array.part().expect("it is in memory");
    part.slice(5..6).copy_from(&[4711 + u64::from(rig.shmem.my_pe())]).expect("write");
    rig.barrier();
    all_are(if is_cached { before(index) } else { 4711 + u64::from(rig.next()) });
    case.array.invalidate().expect("invalidate");
    all_are(4711 + u64::from(rig.next()));
}

/// Catches a cache where the costs say that plain loads are no slower than its hits, and none where they are slower, in
/// an array for which the program does not say how many slots the cache has.
mod by_costs {
    use super::*;

    fn decided(shmem: &Shmem) {
        let rig = Rig::new(shmem);
        let loads_win = shmem.policy().machine().costs.table(None).contains("loads_win");
        for (place, is_cached) in [(Place::Gpu, !loads_win), (Place::Host, true)] {
            let len = LINE_BYTES / 8 * shmem.n_pes() as usize;
            let case = Case::<u64>::of_lines(&rig, place, len, (None, LINE_BYTES), ArrayMode::ReadOnly);
            changed_by_others(&case, is_cached);
            case.end();
        }
    }

    fn on_soft(name: &str, [load, hit]: [u32; 2]) {
        let test = format!("{}::{name}", module_path!());
        // A PE has the file.
        let is_pe = std::env::var("CUSHMEM_COSTS").is_ok_and(|file| file.contains(name));
        let folder = (!is_pe).then(|| {
            let folder = cushmem_scratch::Folder::new(name).expect("a folder");
            let figures = [("array-load-gpu", load), ("array-hit", hit), ("array-load-host", hit - 1)];
            let lines: String = figures.map(|(what, gb_s)| format!("{what} any any 0 0 {gb_s} by hand\n")).concat();
            std::fs::write(folder.join("costs"), format!("cushmem costs 1\n{lines}")).expect("write the costs");
            folder
        });
        let file = folder.as_ref().map_or(PathBuf::new(), |folder| folder.join("costs"));
        let file = file.to_str().expect("UTF-8");
        cushmem_conformance::run(&test, Backend::Soft, &[2], &[("CUSHMEM_COSTS", file)], decided);
    }

    #[test]
    fn loads_win() {
        on_soft("loads_win", [200, 200]);
    }

    #[test]
    fn hits_win() {
        on_soft("hits_win", [199, 200]);
    }
}

/// Catches a shape that makes no sense, and a message that does not say the valid range.
fn shapes(shmem: &Shmem) {
    let says = |made: cushmem::Result<SymArray<'_, u64>>| made.err().expect("it is refused").to_string();
    assert_eq!(
        says(shmem.array(10).line_bytes(256).create()),
        "array: a line of 256 bytes is not a power of two from 512 to 65536"
    );
    assert_eq!(
        says(shmem.array(10).line_bytes(1000).create()),
        "array: a line of 1000 bytes is not a power of two from 512 to 65536"
    );
    assert_eq!(
        says(shmem.array(10).slots(1 << 32).create()),
        "array: 4294967296 slots are out of range (0 to 4294967293)"
    );
    assert_eq!(
        says(shmem.array(10).in_file("x").slots(0).create()),
        "array: an array in a file has a cache: 0 slots are out of range (1 to 4294967293)"
    );
    assert!(says(shmem.array(0).create()).starts_with("array: 0 elements of 8 bytes are out of range (1 to "));
    assert_eq!(
        says(shmem.array(10).in_file("x").mode(ArrayMode::Accumulate).create()),
        "array: an array for accumulation is in memory: nobody adds to a file"
    );
    let missing = says(shmem.array(10).in_file("/nowhere/x").mode(ArrayMode::ReadOnly).create());
    assert!(missing.contains("/nowhere/x: No such file or directory"), "{missing}");
    // The parts are whole lines.
    let array = shmem.array(100).line_bytes(512).create::<u64>().expect("an array");
    assert_eq!((array.range(0), array.range(1), array.line_len(), array.len()), (0..64, 64..100, 64, 100));
    assert_eq!(array.part().map(|part| part.len()), Some(64));
    array.free().expect("free");
}

/// Catches an access outside of the array, and one that its mode forbids.
fn what_is_forbidden(shmem: &Shmem, index: u64, mode: ArrayMode) {
    let rig = Rig::new(shmem);
    let case = Case::<u64>::new(&rig, Place::Host, 100, 4, mode);
    let list = rig.private(&[index, 0].repeat(LANES));
    let found = rig.private(&vec![0u64; LANES]);
    rig.start(
        kernels::array_work,
        Grid::linear(2, LANES as u32 / 2),
        (case.array.device(), list.device_ptr(), 1, found.device_ptr()),
    );
    panic!("{}", rig.stream.synchronize().expect_err("the kernel succeeded"));
}

/// An array of four lines whose words are written by hand: `owners` of its slots, `states` of its lines. `control` and
/// `slots` are its memory.
fn by_hand(
    control: &DeviceBuffer<'_, u64>,
    slots: &DeviceBuffer<'_, u64>,
    owners: &[u64],
    states: [u64; 4],
) -> DeviceArray<u64> {
    let start = control.device_ptr().address();
    let at_owners = size_of::<ArrayHead>() as u64;
    let at_states = at_owners + size_of_val(owners) as u64;
    let mut words = vec![0u64; size_of::<ArrayHead>() / 8];
    for (offset, word) in [
        (offset_of!(ArrayHead, line_bytes), LINE_BYTES as u64),
        (offset_of!(ArrayHead, lines_per_pe), states.len() as u64),
        (offset_of!(ArrayHead, slots), owners.len() as u64),
        (offset_of!(ArrayHead, data), slots.device_ptr().address()),
        (offset_of!(ArrayHead, owners), start + at_owners),
        (offset_of!(ArrayHead, states), start + at_states),
    ] {
        words[offset / 8] = word;
    }
    control.copy_from(&[&words, owners, &states].concat()).expect("write");
    let len = (states.len() * LINE_BYTES / 8) as u64;
    DeviceArray::of(&ArrayParts {
        head: start,
        data: slots.device_ptr().address(),
        states: start + at_states,
        own: 0,
        len,
        per_pe: len,
        first: 0,
        direct: 0,
        shift: (LINE_BYTES / 8).trailing_zeros(),
        mode: ArrayMode::ReadWrite,
        is_file: false,
        in_place: false,
    })
}

/// The words of [`by_hand`]'s memory with so many slots, but for the slots.
const fn control_words(slots: usize) -> usize {
    size_of::<ArrayHead>() / 8 + slots + 4
}

/// Catches a line that a hit leaves pinned, or does not note as used: the hits of a whole warp, and of lanes that read
/// two lines; the first hit of line 2 is the first since the hand came by.
fn hits(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let line = LINE_BYTES / 8;
    let slots = rig.private(&(0..2 * line as u64).map(|i| 1000 + i).collect::<Vec<_>>());
    let control = rig.private(&vec![0u64; control_words(2)]);
    let state = |slot: u64| VALID | slot << 32;
    let array = by_hand(&control, &slots, &[1 + 1, 2 + 1], [0, state(0) | USED, state(1), 0]);
    let read = |lines: [usize; 2]| (0..32).map(move |lane| (lines[lane % 2] * line + lane) as u64);
    let list: Vec<u64> = [[2, 2], [2, 2], [1, 1], [1, 2]].into_iter().flat_map(read).collect();
    let (words, found) = (
        rig.private(&list.iter().flat_map(|index| [*index, 0]).collect::<Vec<_>>()),
        rig.private(&vec![0u64; list.len()]),
    );
    rig.run(kernels::array_work, Grid::linear(1, 32), (array, words.device_ptr(), 4, found.device_ptr()));
    expect_words(|| "elements".to_owned(), &found.to_vec().expect("read"), |at| 1000 + list[at] - line as u64);
    let states = control.to_vec().expect("read").split_off(control_words(2) - 4);
    assert_eq!(states, [0, state(0) | USED, state(1) | USED, 0], "the states of the lines");
}

/// Catches a wait of a flush or of an invalidate that blames another line: the words are those of an array whose line 2
/// is being written back for ever.
fn stuck(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (slots, control) = (rig.private(&[0u64; LINE_BYTES / 8]), rig.private(&vec![0u64; control_words(1)]));
    let array = by_hand(&control, &slots, &[2 + 1], [0, 0, VALID | BUSY, 0]);
    rig.start(kernels::array_flush, Grid::linear(1, 32), (array,));
    panic!("{}", rig.stream.synchronize().expect_err("the kernel succeeded"));
}

/// An array that is in a file on one PE only.
fn unlike(shmem: &Shmem) {
    let builder = shmem.array(10).mode(ArrayMode::ReadWrite);
    let builder = if shmem.my_pe() == 0 { builder.in_file(path()) } else { builder };
    panic!("created: {}", builder.create::<u64>().is_ok());
}

/// A file that somebody truncates while kernels read it: the first lines are there, the last one is not.
fn truncated(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let case = Case::<u64>::new(&rig, Place::File, 10_000, 4, ArrayMode::ReadOnly);
    if let (Some(path), 0) = (&case.file, shmem.my_pe()) {
        OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(40_000)).expect("truncate");
    }
    rig.barrier();
    let list = |index: u64| [index, 0].repeat(LANES);
    assert_eq!(case.work(kernels::array_work, &list(100)), vec![before(100); LANES]);
    rig.barrier();
    // PEs have opened the file.
    if let (Some(path), 0) = (&case.file, shmem.my_pe()) {
        std::fs::remove_file(path).expect("remove the file");
    }
    rig.barrier();
    // The job ends here.
    case.work(kernels::array_work, &list(8_300));
    panic!("a line that is not there was read");
}

/// Bytes of a file that is a hole at first, and after how many of them it is spoilt.
const HOLE: usize = 1 << 26;
const HALF: usize = HOLE / 2;

/// How the last line of a file is written back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    KernelFlush,
    KernelMiss,
    Flush,
    Drop,
}

/// Somebody cuts off the second half of the file.
fn cut_off(path: &Path) {
    OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(HALF as u64)).expect("truncate");
}

/// This process may write no further than to the middle of a file.
fn no_room(_: &Path) {
    let hard = getrlimit(Resource::RLIMIT_FSIZE).expect("the limit").1;
    setrlimit(Resource::RLIMIT_FSIZE, HALF as u64, hard).expect("a lower limit");
    // SAFETY: a signal that is ignored runs no code.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.expect("ignore the signal");
}

/// An array in a file that is a hole, whose last element PE 0's kernel has written; then the file is spoilt.
fn spoilt<'a>(rig: &'a Rig<'a>, spoil: impl Fn(&Path)) -> Case<'a, u64> {
    let (shmem, path) = (rig.shmem, path());
    let array = shmem.array(HOLE / 8).in_file(&path).slots(1).create::<u64>().expect("an array");
    let case = Case { rig, array, file: Some(path) };
    if let (Some(path), 0) = (&case.file, shmem.my_pe()) {
        case.work(kernels::array_work, &[(HOLE / 8 - 1) as u64 | ARRAY_WRITE, 7].repeat(LANES));
        spoil(path);
        // PEs have opened it.
        std::fs::remove_file(path).expect("remove the file");
    }
    case
}

/// Catches a write-back to a file that somebody has truncated, which would turn what was cut off into zeros, and one
/// without room whose error goes unnoticed.
fn spoilt_before(shmem: &Shmem, back: Back, spoil: fn(&Path)) {
    let rig = Rig::new(shmem);
    let case = spoilt(&rig, spoil);
    if shmem.my_pe() == 0 {
        match back {
            Back::KernelFlush => rig.run(kernels::array_flush, Grid::linear(1, 32), (case.array.device(),)),
            Back::KernelMiss => drop(case.work(kernels::array_work, &[5, 0].repeat(LANES))),
            Back::Flush => println!("flush: {}", case.array.flush().expect_err("it is spoilt")),
            Back::Drop => {}
        }
    }
    if shmem.my_pe() != 0 {
        // PE 0 ends the job.
        rig.barrier();
    }
    drop(case);
    panic!("the array has been dropped");
}

/// Catches an array in a file that is dropped in a panic, with lines that are not in the file, without a word.
fn dropped_in_a_panic(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let _case = spoilt(&rig, |_| {});
    rig.barrier();
    panic!("with an array");
}

/// Catches a kernel that is blamed alone where a task may have been it.
fn truncated_beside_tasks(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let _queue = shmem.task_queue(&rig.module, &TASKS, TaskOptions::default()).expect("task_queue");
    truncated(shmem);
}

macro_rules! failures { ($($name:ident, $backend:ident $(($variable:literal, $value:literal))?: $says:expr, $body:expr;)*) => {$(
    #[test]
    fn $name() {
        let name = concat!(module_path!(), "::", stringify!($name));
        run_to_failure(name, Backend::$backend, &[$(($variable, $value))?], $says, &[], |shmem: Shmem| $body(&shmem));
    }
)*} }
const OUTSIDE: &[&str] = &["array: element 100 is out of range (0 to 99)"];
const READ_ONLY: &[&str] = &["array: it is read-only, but a kernel writes to it"];
const UNLIKE: &[&str] = &["argument kind: "];
const STUCK: &[&str] = &["array: line 2 is not there after 0.5 s"];
const TRUNCATED_BESIDE_TASKS: &[&str] = &["kernel array_work or a task: read 512 bytes at 66048 of "];
const TRUNCATED: &[&str] = &["kernel array_work: read 512 bytes at 66048 of ", "it has been truncated"];
const CUT_OFF: &[&str] = &["kernel array_flush: write 4096 bytes at 67104768 of ", CUT_OFF_AT];
const CUT_OFF_AT: &str = ": the file has 33554432 bytes, but the array has 67108864: it has been truncated";
const MISS_CUT_OFF: &[&str] = &["kernel array_work: write 4096 bytes at 67104768 of ", CUT_OFF_AT];
const CPU_CUT_OFF: &[&str] = &["flush: array: write 4096 bytes at 67104768 of ", CUT_OFF_AT];
const NO_ROOM: &[&str] = &["kernel array_flush: write 4096 bytes at 67104768 of ", NO_ROOM_AT];
const NO_ROOM_AT: &str = ": File too large (os error 27)";
const MISS_NO_ROOM: &[&str] = &["kernel array_work: write 4096 bytes at 67104768 of ", NO_ROOM_AT];
const CPU_NO_ROOM: &[&str] = &["flush: array: write 4096 bytes at 67104768 of ", NO_ROOM_AT];
const DROPPED: &[&str] = &[
    "an array in /",
    "was dropped, and what kernels wrote to it may be lost: array: write 4096 bytes at 67104768 of ",
    NO_ROOM_AT,
];
const DROPPED_IN_A_PANIC: &[&str] =
    &["an array in /", "was dropped, and what kernels wrote to it may be lost: in a panic, nothing is written back"];
failures! {
    a_flush_by_a_kernel_to_a_file_that_is_cut_off_on_soft, Soft: CUT_OFF, |shmem| spoilt_before(shmem, Back::KernelFlush, cut_off);
    a_miss_that_writes_back_to_a_file_that_is_cut_off_on_soft, Soft: MISS_CUT_OFF, |shmem| spoilt_before(shmem, Back::KernelMiss, cut_off);
    a_flush_to_a_file_that_is_cut_off_on_soft, Soft: CPU_CUT_OFF, |shmem| spoilt_before(shmem, Back::Flush, cut_off);
    a_flush_by_a_kernel_without_room_on_soft, Soft: NO_ROOM, |shmem| spoilt_before(shmem, Back::KernelFlush, no_room);
    a_flush_by_a_kernel_without_room_on_cuda, Cuda: NO_ROOM, |shmem| spoilt_before(shmem, Back::KernelFlush, no_room);
    a_miss_that_writes_back_without_room_on_soft, Soft: MISS_NO_ROOM, |shmem| spoilt_before(shmem, Back::KernelMiss, no_room);
    a_flush_without_room_on_soft, Soft: CPU_NO_ROOM, |shmem| spoilt_before(shmem, Back::Flush, no_room);
    a_drop_without_room_on_soft, Soft: DROPPED, |shmem| spoilt_before(shmem, Back::Drop, no_room);
    a_drop_in_a_panic_on_soft, Soft: DROPPED_IN_A_PANIC, dropped_in_a_panic;
    an_index_outside_on_soft, Soft: OUTSIDE, |shmem| what_is_forbidden(shmem, 100, ArrayMode::ReadWrite);
    an_index_outside_on_cuda, Cuda: OUTSIDE, |shmem| what_is_forbidden(shmem, 100, ArrayMode::ReadWrite);
    a_write_to_what_is_read_only_on_soft, Soft: READ_ONLY, |shmem| what_is_forbidden(shmem, ARRAY_WRITE | 5, ArrayMode::ReadOnly);
    an_array_in_a_file_on_one_pe_on_soft, Soft: UNLIKE, unlike;
    a_line_that_stays_busy_on_soft, Soft ("CUSHMEM_KERNEL_LIMIT_S", "0.5"): STUCK, stuck;
    a_line_that_stays_busy_on_cuda, Cuda ("CUSHMEM_KERNEL_LIMIT_S", "0.5"): STUCK, stuck;
    a_truncated_file_on_soft, Soft: TRUNCATED, truncated;
    a_truncated_file_beside_tasks_on_soft, Soft: TRUNCATED_BESIDE_TASKS, truncated_beside_tasks;
    a_truncated_file_on_cuda, Cuda: TRUNCATED, truncated;
}
