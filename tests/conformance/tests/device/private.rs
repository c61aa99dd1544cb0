//! Copies whose end on this PE is not in global memory, compared byte by byte.

use crate::far::{Far, Said};
use crate::rig::Rig;
use crate::routes::WORD;
use cushmem::{DevPtr, Grid, Kernel, Shmem, SymSlice};
use cushmem_abi::{CommandKind, ErrorCode, WordOp};
use cushmem_conformance::{conformance, expect_words, seeded};
use cushmem_conformance_kernels::{self as kernels, STACK_BYTES, STRIDED_WORDS, private_byte};
use cushmem_numbers::Random;

conformance! { soft, cuda => {
    stack: 1, 2;
    shared_memory: 1, 2;
    strided: 1, 2;
} }

/// GPUs that do not reach each other, so that the CPU is asked.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { stack: 2; shared_memory: 2; strided: 2; } }
}

/// Bytes between two ranges, which must not change.
const GUARD: usize = 16;
/// What the target holds before.
const BEFORE: u8 = 0xa5;

/// Offsets in the symmetric object and in the private memory, and bytes.
struct List {
    words: Vec<u64>,
    /// Words of a copy.
    of_copy: usize,
    bytes: usize,
}

impl List {
    /// Ranges of these lengths, at any alignment of both ends, in private memory of `len` bytes.
    fn new(lengths: impl Iterator<Item = usize>, len: usize, random: &mut Random) -> Self {
        let mut list = Self { words: vec![], of_copy: 3, bytes: GUARD };
        for bytes in lengths {
            let at = list.bytes.next_multiple_of(16) + random.below(16);
            let private = random.below((len - bytes).min(63) + 1);
            // Half of them agree modulo 16, so that vectors can be used.
            let private =
                if random.below(2) == 0 && private >= 16 { private - private % 16 + at % 16 } else { private };
            list.words.extend([at, private.min(len - bytes), bytes].map(|word| word as u64));
            list.bytes = at + bytes + GUARD;
        }
        list
    }

    fn ranges(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.words.chunks(3).map(|w| (w[0] as usize, w[1] as usize, w[2] as usize))
    }

    fn len(&self) -> u64 {
        (self.words.len() / self.of_copy) as u64
    }

    /// The target after the puts of PE `from`.
    fn expected(&self, from: u32) -> Vec<u8> {
        let mut bytes = vec![BEFORE; self.bytes];
        for (copy, (at, private, n)) in (0..).zip(self.ranges()) {
            (0..n).for_each(|i| bytes[at + i] = private_byte(from, copy, private + i));
        }
        bytes
    }
}

type Args = (DevPtr<u8>, DevPtr<u64>, u64, DevPtr<u64>, u32);

/// Puts each range to the next PE and looks at what has come from the one before.
fn check_puts<K: Kernel<Args = Args>>(rig: &Rig<'_>, list: &List, target: SymSlice<'_, u8>, kernel: K, grid: Grid) {
    let (words, signal) = (rig.private(&list.words), rig.counters(&[0]));
    target.copy_from(&vec![BEFORE; list.bytes]).expect("write");
    rig.barrier();
    rig.run(kernel, grid, (target.device_ptr(), words.device_ptr(), list.len(), signal.device_ptr(), rig.next()));
    rig.barrier();
    let (seen, expected) = (target.to_vec().expect("read"), list.expected(rig.previous()));
    expect_words(|| K::NAME.to_owned(), &seen, |i| expected[i]);
    let signals = (0..list.len()).filter(|copy| copy % 3 == 2).count() as u64;
    assert_eq!(signal.to_vec().expect("read"), [signals], "{}: signals", K::NAME);
    rig.barrier();
    rig.shmem.free(signal).expect("free");
}

/// Gets each range from the next PE. The kernel looks at what it got.
fn check_gets<K: Kernel<Args = Args>>(rig: &Rig<'_>, list: &List, source: SymSlice<'_, u8>, kernel: K, grid: Grid) {
    let lanes = (grid.block_count() * grid.threads_per_block()) as usize;
    let (words, wrong) = (rig.private(&list.words), rig.private(&vec![u64::MAX; lanes]));
    let data: Vec<u8> = (0..source.len()).map(|i| private_byte(rig.shmem.my_pe(), 0, i)).collect();
    source.copy_from(&data).expect("write");
    rig.barrier();
    rig.run(kernel, grid, (source.device_ptr(), words.device_ptr(), list.len(), wrong.device_ptr(), rig.next()));
    assert_eq!(wrong.to_vec().expect("read"), vec![0; lanes], "{}: wrong bytes by lane", K::NAME);
    rig.barrier();
}

/// Runs a check with the other end in GPU memory and in host memory.
fn on_both(rig: &Rig<'_>, list: &List, check: impl Fn(SymSlice<'_, u8>)) {
    for object in [rig.shmem.malloc_gpu(list.bytes), rig.shmem.malloc(list.bytes)] {
        let object = object.expect("malloc");
        check(object);
        rig.shmem.free(object).expect("free");
    }
}

/// Catches a copy that takes an array on a lane's stack for global memory, or that asks the CPU to access it.
fn stack(shmem: &Shmem) {
    let (rig, mut random) = (Rig::new(shmem), seeded());
    let long: Vec<usize> = (0..60).map(|_| 100 + random.below(STACK_BYTES - 100)).collect();
    let lengths = (0..=100).chain(long).chain([STACK_BYTES, STACK_BYTES]);
    let list = List::new(lengths, STACK_BYTES, &mut random);
    on_both(&rig, &list, |object| {
        check_puts(&rig, &list, object, kernels::put_from_stack, Grid::linear(2, 48));
        check_gets(&rig, &list, object, kernels::get_into_stack, Grid::linear(2, 48));
    });
}

/// Catches a copy that takes shared memory for global memory, or that asks the CPU to access it, and one that mixes up
/// the chunks of a long copy.
fn shared_memory(shmem: &Shmem) {
    // More than a chunk of the command ring, and more than a kernel can declare.
    const BYTES: usize = 80 << 10;
    let (rig, mut random) = (Rig::new(shmem), seeded());
    let some: Vec<usize> = (0..20).map(|_| random.below(5000)).collect();
    let list = List::new((0..=50).chain(some).chain([BYTES - 1000, BYTES]), BYTES, &mut random);
    on_both(&rig, &list, |object| {
        let grid = |lanes| Grid::linear(1, lanes).with_shared(BYTES as u32);
        check_puts(&rig, &list, object, kernels::put_from_shared_block, grid(96));
        check_puts(&rig, &list, object, kernels::put_from_shared_warp, grid(32));
        check_gets(&rig, &list, object, kernels::get_into_shared_block, grid(96));
        check_gets(&rig, &list, object, kernels::get_into_shared_warp, grid(32));
    });
}

/// Strided copies of elements of every kind, with an end in private memory of [`STACK_BYTES`] bytes.
struct Elements {
    words: Vec<u64>,
    /// Bytes of the symmetric end.
    bytes: usize,
}

impl Elements {
    fn new(puts: bool, random: &mut Random) -> Self {
        let mut list = Self { words: vec![], bytes: GUARD };
        for size in [1, 2, 3, 4, 8, 12, 16] {
            for count in [0, 1, 5, 20] {
                let [dst, src] = [1 + random.below(3), 1 + random.below(3)];
                // Elements of bytes may start anywhere.
                let mut skew = || if size % 2 == 1 { random.below(16) } else { 0 };
                let [at, private] = [list.bytes.next_multiple_of(16) + skew(), 48 + skew()];
                let [to, from] = if puts { [at, private] } else { [private, at] };
                list.words.extend([size, to, from, dst, src, count].map(|word| word as u64));
                list.bytes = at + count * size * if puts { dst } else { src } + GUARD;
            }
        }
        list
    }

    fn len(&self) -> u64 {
        (self.words.len() / STRIDED_WORDS) as u64
    }

    /// The target after the puts of PE `from`.
    fn expected(&self, from: u32) -> Vec<u8> {
        let mut bytes = vec![BEFORE; self.bytes];
        for (copy, entry) in (0..).zip(self.words.chunks(STRIDED_WORDS)) {
            let [size, to, first, dst, src, count] = std::array::from_fn(|i| entry[i] as usize);
            for (element, byte) in (0..count).flat_map(|element| (0..size).map(move |byte| (element, byte))) {
                bytes[to + element * dst * size + byte] = private_byte(from, copy, first + element * src * size + byte);
            }
        }
        bytes
    }
}

type PutArgs = (DevPtr<u8>, DevPtr<u64>, u64, u32);

/// Catches a strided copy that asks the CPU to access a stack or shared memory, elements that are lost, cut or in the
/// wrong place, and a get that returns before the elements are there.
fn strided(shmem: &Shmem) {
    let (rig, mut random) = (Rig::new(shmem), seeded());
    let [puts, gets] = [true, false].map(|puts| Elements::new(puts, &mut random));
    let shared = Grid::linear(1, 96).with_shared(STACK_BYTES as u32);
    let bytes = puts.bytes.max(gets.bytes);
    for object in [shmem.malloc_gpu(bytes), shmem.malloc(bytes)] {
        let object = object.expect("malloc");
        check_iputs(&rig, &puts, object, kernels::iput_from_stack, Grid::linear(2, 48));
        check_iputs(&rig, &puts, object, kernels::iput_from_shared_block, shared);
        let list = List { words: gets.words.clone(), bytes, of_copy: STRIDED_WORDS };
        check_gets(&rig, &list, object, kernels::iget_into_stack, Grid::linear(2, 48));
        check_gets(&rig, &list, object, kernels::iget_into_shared_block, shared);
        shmem.free(object).expect("free");
    }
}

/// Makes the puts to the next PE and looks at what has come from the one before.
fn check_iputs<K: Kernel<Args = PutArgs>>(
    rig: &Rig<'_>,
    list: &Elements,
    target: SymSlice<'_, u8>,
    kernel: K,
    grid: Grid,
) {
    let words = rig.private(&list.words);
    target.copy_from(&vec![BEFORE; target.len()]).expect("write");
    rig.barrier();
    rig.run(kernel, grid, (target.device_ptr(), words.device_ptr(), list.len(), rig.next()));
    rig.barrier();
    let (seen, expected) = (target.to_vec().expect("read"), list.expected(rig.previous()));
    expect_words(|| K::NAME.to_owned(), &seen, |i| expected.get(i).copied().unwrap_or(BEFORE));
    rig.barrier();
}

/// Catches a strided copy whose command makes the CPU access the stack of a lane, and words that go elsewhere.
#[test]
fn the_cpu_is_not_asked_to_access_a_stack_by_strided_copies() {
    let (object, list, other) = (WORD + 4096, WORD + 16384, WORD + 32768);
    let entries: [[u64; STRIDED_WORDS]; 4] =
        [[4, 0, 8, 3, 2, 7], [16, 256, 16, 2, 1, 3], [8, 0, 0, 1, 1, 0], [3, 513, 5, 1, 4, 2]];
    let mut far = Far::new();
    far.alone.write(0, list, &entries.concat());
    let (to, list) = (far.alone.objects::<u8>(object).0, far.alone.objects::<u64>(list).0);
    let wrong = far.alone.objects::<u64>(other).0;

    let (mut sets, mut fetches) = (vec![], vec![]);
    for (copy, [size, at, private, dst, src, count]) in (0..).zip(entries) {
        let width = if size == 3 { 1 } else { size.min(8) };
        for (element, byte) in
            (0..count).flat_map(|element| (0..size).step_by(width as usize).map(move |b| (element, b)))
        {
            let first = private + element * src * size + byte;
            let bytes: [u8; 8] = std::array::from_fn(|i| match i as u64 {
                i if i < width => private_byte(0, copy, (first + i) as usize),
                _ => 0,
            });
            let word = |op, at, value| Said::new(CommandKind::Word(op), width as u8, 1, [to.address() + at, value, 0]);
            sets.push(word(WordOp::Set, at + element * dst * size + byte, u64::from_le_bytes(bytes)));
            // Gets take the same list the other way round.
            fetches.push(word(WordOp::Fetch, private + element * src * size + byte, 0).with_reply());
        }
    }
    sets.sort_unstable();
    fetches.sort_unstable();
    assert_eq!(far.said(kernels::iput_from_stack, Grid::linear(1, 1), (to, list, 4, 1)), sets);
    assert_eq!(far.said(kernels::iget_into_stack, Grid::linear(1, 1), (to, list, 4, wrong, 1)), fetches);
}

/// Catches a strided copy whose PE does not exist, or whose object is in no heap, and is posted.
#[test]
fn wrong_strided_copies_end_the_kernel() {
    for (pe, outside) in [(4, 0), (1 << 24, 0), (u32::MAX, 0), (1, 1 << 40)] {
        for which in 0..4 {
            let mut far = Far::new();
            let (object, list, other) = (WORD + 4096, WORD + 16384, WORD + 32768);
            far.alone.write(0, list, &[4u64, 0, 0, 1, 1, 10]);
            let object = DevPtr::from_address(far.alone.objects::<u8>(object).0.address() + outside);
            let (list, other) = (far.alone.objects(list).0, far.alone.objects::<u64>(other).0);
            let one = Grid::linear(1, 1);
            let (code, record) = match which {
                0 => far.refused(kernels::iput_from_stack, one, (object, list, 1, pe)),
                1 => far.refused(kernels::iget_into_stack, one, (object, list, 1, other, pe)),
                2 => far.refused(kernels::iput_thread, one, (object, other.cast(), list, 1, pe)),
                _ => far.refused(kernels::iget_thread, one, (other.cast(), object, list, 1, pe)),
            };
            let expected = if outside == 0 { ErrorCode::PeOutOfRange } else { ErrorCode::NotSymmetric };
            assert_eq!((code, record.pe), (Some(expected), pe), "copy {which}");
        }
    }
}

/// Catches a command that makes the CPU access the stack of a lane, and a chunk that is not given back: there are fewer
/// chunks than ranges.
#[test]
fn the_cpu_is_not_asked_to_access_a_stack() {
    let (object, list, other) = (WORD + 4096, WORD + 16384, WORD + 32768);
    let lengths = [0, 1, 8, 48, 49, 100, 1000].into_iter().chain(std::iter::repeat_n(60, 200));
    let entries: Vec<[u64; 3]> =
        lengths.enumerate().map(|(i, bytes)| [8 * i as u64, 8 * (i as u64 % 16), bytes]).collect();
    let n = entries.len() as u64;
    let mut far = Far::new();
    far.alone.write(0, list, &entries.concat());
    let (to, list) = (far.alone.objects::<u8>(object).0, far.alone.objects::<u64>(list).0);
    let other = far.alone.objects::<u64>(other).0;

    let said = far.said(kernels::put_from_stack, Grid::linear(1, 1), (to, list, n, other, 1));
    let data = |copy: u64, [_, at, bytes]: [u64; 3]| -> Vec<u8> {
        (at..at + bytes).map(|i| private_byte(0, copy, i as usize)).collect()
    };
    let is_data = |said: &Said| said.kind != CommandKind::AddBehind.number();
    let mut expected: Vec<_> = (0..n)
        .zip(entries.iter().copied())
        .filter(|(_, [_, _, bytes])| *bytes > 8)
        .map(|(copy, entry)| Said::carrying(1, to.address() + entry[0], &data(copy, entry)))
        .collect();
    expected.sort_unstable();
    let long: Vec<_> = said.into_iter().filter(|said| is_data(said) && said.data.len() > 8).collect();
    assert_eq!(long, expected);

    let said = far.said(kernels::get_into_stack, Grid::linear(1, 1), (to, list, n, other, 1));
    let mut expected = vec![];
    for [at, _, bytes] in entries.iter().filter(|[_, _, bytes]| *bytes > 0) {
        expected.push(Said::new(CommandKind::GetChunk, 0, 1, [to.address() + at, 0, *bytes]).with_reply());
        expected.push(Said::new(CommandKind::FreeChunk, 0, 1, [0, 0, 0]));
    }
    expected.sort_unstable();
    assert_eq!(said, expected);
}

/// Catches the number of a PE that is cut off when it goes into a command through a chunk, and an address in no heap.
#[test]
fn wrong_copies_from_a_stack_end_the_kernel() {
    for (pe, outside) in [(4, 0), (1 << 24, 0), (u32::MAX, 0), (1, 1 << 40)] {
        for gets in [false, true] {
            let mut far = Far::new();
            let (object, list, other) = (WORD + 4096, WORD + 16384, WORD + 32768);
            far.alone.write(0, list, &[0, 0, 100]);
            let object = DevPtr::from_address(far.alone.objects::<u8>(object).0.address() + outside);
            let args = (object, far.alone.objects(list).0, 1, far.alone.objects(other).0, pe);
            let (code, record) = match gets {
                false => far.refused(kernels::put_from_stack, Grid::linear(1, 1), args),
                true => far.refused(kernels::get_into_stack, Grid::linear(1, 1), args),
            };
            let expected = if outside == 0 { ErrorCode::PeOutOfRange } else { ErrorCode::NotSymmetric };
            assert_eq!((code, record.pe), (Some(expected), pe));
        }
    }
}
