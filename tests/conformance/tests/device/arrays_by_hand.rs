//! What kernels do with an array whose words are written by hand.

use crate::arrays::LINE_BYTES;
use crate::arrays_refused::failures;
use crate::rig::Rig;
use cushmem::{ArrayMode, DeviceArray, DeviceBuffer, Grid, Shmem};
use cushmem_abi::ArrayHead;
use cushmem_conformance::{Backend, conformance, expect_words, run_to_failure};
use cushmem_conformance_kernels as kernels;
use cushmem_device::ArrayParts;
use cushmem_protocol::lines::{BUSY, USED, VALID};
use std::mem::offset_of;

conformance! { soft, cuda => {
    hits: 1;
} }

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

const STUCK: &[&str] = &["array: line 2 is not there after 0.5 s"];
failures! {
    a_line_that_stays_busy_on_soft, Soft ("CUSHMEM_KERNEL_LIMIT_S", "0.5"): STUCK, stuck;
    a_line_that_stays_busy_on_cuda, Cuda ("CUSHMEM_KERNEL_LIMIT_S", "0.5"): STUCK, stuck;
}
