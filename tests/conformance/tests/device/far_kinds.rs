//! Like `far`: the commands for strided copies, and for atomic operations on numbers of several kinds.

use crate::far::{Far, Said, one};
use crate::routes::WORD;
use cushmem::DevPtr;
use cushmem_abi::{CommandKind, WordOp};
use cushmem_conformance_kernels as kernels;
use cushmem_gpu::Grid;

/// Catches a command for each element instead of one for the whole copy, and one with other numbers.
#[test]
fn strided_copies_of_every_scope() {
    type Run = fn(&mut Far, (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>, u64, u32)) -> Vec<Said>;
    let scopes: [(Run, CommandKind); 6] = [
        (|far, args| far.said(kernels::iput_thread, Grid::linear(2, 64), args), CommandKind::Iput),
        (|far, args| far.said(kernels::iput_warp, Grid::linear(2, 64), args), CommandKind::Iput),
        (|far, args| far.said(kernels::iput_block, Grid::linear(2, 64), args), CommandKind::Iput),
        (|far, args| far.said(kernels::iget_thread, Grid::linear(2, 64), args), CommandKind::Iget),
        (|far, args| far.said(kernels::iget_warp, Grid::linear(2, 64), args), CommandKind::Iget),
        (|far, args| far.said(kernels::iget_block, Grid::linear(2, 64), args), CommandKind::Iget),
    ];
    let list = WORD + 16384;
    let entries: [[u64; 6]; 4] =
        [[4, 0, 8, 3, 1, 100], [16, 4096, 16, 1, 2, 1], [8, 0, 0, 1, 1, 0], [3, 1, 5, 7, 9, 65]];
    for (run, kind) in scopes {
        let mut far = Far::new();
        far.alone.write(0, list, &entries.concat());
        let lists = far.alone.objects::<u64>(list).0;
        for there in [far.alone.objects::<u8>(WORD + 4096).0, far.alone.objects::<u8>(4096).1] {
            let here = far.alone.objects::<u8>(WORD + 32768).0;
            let (dst, src) = if kind == CommandKind::Iput { (there, here) } else { (here, there) };
            let said = run(&mut far, (dst, src, lists, entries.len() as u64, 1));
            let of_entry = |&[size, to, from, to_stride, from_stride, count]: &[u64; 6]| {
                let (dst, src) = (dst.address() + to, src.address() + from);
                let (there, here) = if kind == CommandKind::Iput { (dst, src) } else { (src, dst) };
                let data = [to_stride, from_stride, size].iter().flat_map(|word| word.to_ne_bytes()).collect();
                Said { data, ..Said::new(kind, 0, 1, [there, here, count]).with_reply() }
            };
            let mut expected: Vec<_> = entries.iter().filter(|entry| entry[5] > 0).map(of_entry).collect();
            expected.sort_unstable();
            assert_eq!(said, expected);
            assert_eq!(run(&mut far, (dst, src, lists, 2, 2)), [], "a mapped PE");
        }
    }
}

/// Catches an operation on a kind of number that is asked for as one on another kind, or with another width.
#[test]
fn every_atomic_operation_on_numbers() {
    let mut far = Far::new();
    let (words, wrong) = (far.alone.objects::<u64>(WORD + 8192), far.alone.objects(WORD + 4096).0);
    let kinds = |width: u8, said: Vec<Said>, ops: &[WordOp]| {
        assert!(said.iter().all(|said| said.width == width && said.pe == 1), "{said:?}");
        for op in WordOp::ALL.into_iter().filter(|op| *op as u8 >= WordOp::AddFloat as u8) {
            for replies in [false, true] {
                let is = |said: &&Said| said.kind == op as u8 && said.replies == replies;
                assert_eq!(said.iter().any(|said| is(&said)), ops.contains(&op), "{op:?}, {replies}: {said:?}");
            }
        }
    };
    let (unsigned, signed) = ([WordOp::MinUnsigned, WordOp::MaxUnsigned], [WordOp::MinSigned, WordOp::MaxSigned]);
    for words in [words.0, words.1] {
        let (half, whole) = ((words.cast(), 1, 0, 1, wrong), (words, 1, 0, 1, wrong));
        kinds(4, far.said(kernels::sums_f32, one(), half), &[WordOp::AddFloat]);
        kinds(8, far.said(kernels::sums_f64, one(), whole), &[WordOp::AddFloat]);
        kinds(4, far.said(kernels::extrema_u32, one(), half), &unsigned);
        kinds(4, far.said(kernels::extrema_i32, one(), half), &signed);
        kinds(8, far.said(kernels::extrema_u64, one(), whole), &unsigned);
        kinds(8, far.said(kernels::extrema_i64, one(), whole), &signed);
        kinds(8, far.said(kernels::extrema_usize, one(), whole), &unsigned);
    }
}
