//! Writes and additions to cached arrays, in Rust and in CUDA C++, compared with an array in plain memory.

use crate::arrays::{Case, EACH, LANES, LINE_BYTES, Place, before};
use crate::rig::Rig;
use cushmem::{ArrayMode, DevPtr, DeviceArray, Grid, Kernel, Shmem};
use cushmem_conformance::{Sample, conformance, expect_words, seeded};
use cushmem_conformance_kernels::{self as kernels, ARRAY_WRITE, mix};
use cushmem_numbers::Random;

conformance! { soft, cuda => {
    writing: 1, 2, 3;
    writing_in_place: 1, 2, 3;
    writing_a_file: 1, 2;
    elements_of_other_sizes: 2;
    in_cxx: 1, 2;
    in_cxx_in_place: 1, 2;
    accumulating: 1, 2;
} }

/// GPUs that do not reach each other.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => {
        writing: 2; accumulating: 2; in_cxx: 2;
    } }
}

mod on_nodes {
    use super::*;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: { writing: 2 on 2; writing_a_file: 2 on 2; } }
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
