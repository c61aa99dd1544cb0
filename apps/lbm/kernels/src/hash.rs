//! A hash of the bits of a state. It depends neither on how the box is divided nor on which buffers hold the state.

use crate::cell::Real;
use crate::lattice::{Q7, Q19};
use crate::layout::{Shape, Watch, arrays};
use crate::memory::Memory;
use crate::sweep::{Update, f_of, g_of};
use cushmem_device::{AtomicNumber, DevPtr};
use cushmem_numbers::mixed;

/// Values of a cell: `f`, `a`, `b`, `g` and `φ`.
const VALUES: u32 = (Q7 + 4 + Q19) as u32 + 1;

/// The hash of a cell's values after a step that ended in `buffer`. The cell has the index `here` in each array, and
/// the number `cell` in the whole box. The sum over all cells, modulo 2⁶⁴, is the hash of the state.
///
/// # Safety
/// The arrays have `volume` elements, of which `here` is one that nobody writes.
#[inline(always)]
unsafe fn of_cell<T: Real, M: Memory<T>>(memory: M, volume: u32, buffer: u32, here: u32, cell: u64) -> u64 {
    let (mut sum, mut value) = (0u64, 0);
    while value < VALUES {
        let array = if value < Q7 as u32 {
            f_of(buffer) + value
        } else if value < Q7 as u32 + 4 {
            arrays::A + value - Q7 as u32
        } else if value < VALUES - 1 {
            g_of(buffer) + value - (Q7 as u32 + 4)
        } else {
            arrays::PHI
        };
        // SAFETY: the caller guarantees that the arrays have this element.
        let bits = unsafe { memory.load(array as usize * volume as usize + here as usize).bits() };
        let place = cell.wrapping_mul(VALUES.into()).wrapping_add(value.into());
        sum = sum.wrapping_add(mixed(mixed(place) ^ bits));
        value += 1;
    }
    sum
}

/// Adds the hashes of cells to a word.
pub struct Hash<'a, T> {
    /// The elements of the first array, followed by those of the others.
    pub memory: DevPtr<T>,
    /// Their shape.
    pub shape: &'a Shape,
    /// The buffer in which the last step ended.
    pub buffer: u32,
    /// Where the PE's cells lie in the whole box.
    pub watch: &'a Watch,
    /// The word.
    pub sum: DevPtr<u64>,
}

impl<T: Real> Update for Hash<'_, T> {
    #[inline(always)]
    unsafe fn cell(&self, at: [u32; 3], volume: u32) {
        // SAFETY: the caller guarantees what this requires of the cell and the word. The CPU reads the word when the
        // kernel has ended.
        unsafe {
            let own = of_cell(self.memory, volume, self.buffer, self.shape.at(at), self.watch.cell(at));
            u64::add_relaxed_sys(self.sum, own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Plain;

    const VOLUME: u32 = 3;

    /// The hash of the middle one of three cells, whose number in the whole box is `cell`.
    fn hash(memory: &[f64], buffer: u32, cell: u64) -> u64 {
        // SAFETY: the arrays have this many elements, and nobody writes them.
        unsafe { of_cell(Plain::new(memory.as_ptr().cast_mut()), VOLUME, buffer, 1, cell) }
    }

    /// The arrays of the state after a step that ended in `buffer`.
    fn state(buffer: usize) -> impl Iterator<Item = u32> {
        let (f, g) = (arrays::F[buffer], arrays::G[buffer]);
        (f..f + 7).chain(arrays::A..arrays::B + 3).chain(g..g + 19).chain([arrays::PHI])
    }

    /// Catches values that the hash leaves out or takes from the wrong array or cell, and values that can be exchanged.
    #[test]
    fn each_value_counts_at_its_place_and_no_other() {
        for buffer in [0, 1] {
            let memory: Vec<f64> = (0..arrays::COUNT * VOLUME).map(f64::from).collect();
            let unchanged = hash(&memory, buffer, 7);
            assert_ne!(unchanged, hash(&memory, buffer, 8));
            let counts = |at: &u32| {
                let mut changed = memory.clone();
                changed[*at as usize] = -changed[*at as usize] - 1.0;
                hash(&changed, buffer, 7) != unchanged
            };
            let counted: Vec<u32> = (0..arrays::COUNT * VOLUME).filter(counts).collect();
            let expected: Vec<u32> = state(buffer as usize).map(|array| array * VOLUME + 1).collect();
            let sorted = |mut all: Vec<u32>| {
                all.sort_unstable();
                all
            };
            assert_eq!(counted, sorted(expected.clone()));
            let mut swapped = memory.clone();
            swapped.swap(expected[0] as usize, expected[30] as usize);
            assert_ne!(hash(&swapped, buffer, 7), unchanged);
        }
    }

    /// Catches hashes of one state that differ because it lies in the other buffer.
    #[test]
    fn the_buffer_does_not_matter() {
        let mut memory = vec![f64::NAN; (arrays::COUNT * VOLUME) as usize];
        for (first, second) in state(0).zip(state(1)) {
            for array in [first, second] {
                memory[(array * VOLUME + 1) as usize] = f64::from(first);
            }
        }
        assert_eq!(hash(&memory, 0, 5), hash(&memory, 1, 5));
    }
}
