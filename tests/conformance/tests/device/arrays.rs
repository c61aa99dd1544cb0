//! Cached arrays: random reads through small caches, compared with an array in plain memory, and what is read of what
//! others have written.

use crate::rig::Rig;
use cushmem::{ArrayMode, DevPtr, DeviceArray, Grid, Kernel, Shmem, SymArray, Word};
use cushmem_conformance::{Backend, Sample, conformance, expect_words, seeded};
use cushmem_conformance_kernels::{self as kernels, mix};
use cushmem_numbers::Random;
use std::path::PathBuf;

conformance! { soft, cuda => {
    reading: 1, 2, 4;
    reading_a_file: 1, 2;
    reading_in_place: 1, 2, 4;
    what_others_wrote: 2, 3;
    two_arrays: 2;
    beside_puts: 2;
} }

/// GPUs that do not reach each other.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => {
        reading: 2; reading_a_file: 2; two_arrays: 2; beside_puts: 2;
    } }
}

mod on_nodes {
    use super::*;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: { reading: 2 on 2, 3 on 2; } }
}

/// Lanes of a kernel, in two blocks. Each has elements of its own: those whose index has its remainder.
pub(crate) const LANES: usize = 64;
/// What each lane does.
pub(crate) const EACH: usize = 40;
pub(crate) const LINE_BYTES: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Gpu,
    Host,
    File,
}

/// The element with this index at first.
pub(crate) fn before(index: usize) -> u64 {
    mix(0x5eed, index as u64)
}

/// A file's name, which is the same on all PEs.
pub(crate) fn path() -> PathBuf {
    cushmem_conformance::folder().join("array")
}

/// An array with the elements of [`before`], and its file.
pub(crate) struct Case<'a, T: Word> {
    pub(crate) rig: &'a Rig<'a>,
    pub(crate) array: SymArray<'a, T>,
    pub(crate) file: Option<PathBuf>,
}

impl<'a, T: Sample> Case<'a, T> {
    pub(crate) fn new(rig: &'a Rig<'a>, place: Place, len: usize, slots: usize, mode: ArrayMode) -> Self {
        Self::of_lines(rig, place, len, (Some(slots), LINE_BYTES), mode)
    }

    pub(crate) fn of_lines(
        rig: &'a Rig<'a>,
        place: Place,
        len: usize,
        (slots, line_bytes): (Option<usize>, usize),
        mode: ArrayMode,
    ) -> Self {
        let (shmem, elements) = (rig.shmem, || (0..len).map(|index| T::sample(before(index))));
        let file = (place == Place::File).then(path);
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

    pub(crate) fn work<K: Kernel<Args = (DeviceArray<T>, DevPtr<u64>, u64, DevPtr<u64>)>>(
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
    pub(crate) fn check_behind(&self, model: &[u64]) {
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

    pub(crate) fn end(self) {
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
