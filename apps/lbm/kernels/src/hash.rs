//! A hash of the bits of a state. It depends neither on how the box is divided nor on which buffers hold the state.

use crate::cell::Real;
use crate::lattice::{Q7, Q19};
use crate::layout::{Shape, Watch, arrays};
use crate::memory::Memory;
use crate::sweep::{Update, f_of, g_of};
use cushmem_device::{Atomic, DevPtr};

/// Values of a cell that count: `f`, `g` and `φ`. `a` and `b` follow from these.
const VALUES: u32 = (Q7 + Q19) as u32 + 1;

/// The hash of a cell's values after a step that ended in `buffer`. The cell has the index `here` in each array, and
/// the number `cell` in the whole box. The sum over all cells, modulo 2⁶⁴, is the hash of the state.
///
/// # Safety
/// The arrays have `volume` elements, and nobody writes the cell's.
#[inline(always)]
unsafe fn of_cell<T: Real, M: Memory<T>>(memory: M, volume: u32, buffer: u32, here: u32, cell: u64) -> u64 {
    let (mut sum, mut value) = (0u64, 0);
    while value < VALUES {
        let array = if value < Q7 as u32 {
            f_of(buffer) + value
        } else if value < VALUES - 1 {
            g_of(buffer) + value - Q7 as u32
        } else {
            arrays::PHI
        };
        // SAFETY: the caller guarantees that the arrays have this element.
        let bits = unsafe { memory.load(array as usize * volume as usize + here as usize).bits() };
        let place = cell.wrapping_mul(VALUES.into()).wrapping_add(value.into());
        sum = sum.wrapping_add(scramble(scramble(place) ^ bits));
        value += 1;
    }
    sum
}

/// Finaliser of splitmix64: each bit of the result depends on all bits of `x`.
#[inline(always)]
fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
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

    /// Catches values that the hash leaves out, and those that it must not depend on.
    #[test]
    fn each_value_of_the_state_counts_and_no_other() {
        const VOLUME: u32 = 3;
        for buffer in [0, 1] {
            let mut memory: Vec<f64> = (0..arrays::COUNT * VOLUME).map(f64::from).collect();
            let mut hash = |changed: Option<u32>, cell| {
                let flip = |memory: &mut [f64]| {
                    if let Some(array) = changed {
                        let value = &mut memory[(array * VOLUME + 1) as usize];
                        *value = f64::from_bits(value.to_bits() ^ 1);
                    }
                };
                flip(&mut memory);
                // SAFETY: the arrays have this many elements, and this thread alone uses them.
                let hash = unsafe { of_cell(Plain::new(memory.as_mut_ptr()), VOLUME, buffer, 1, cell) };
                flip(&mut memory);
                hash
            };
            let unchanged = hash(None, 7);
            assert_ne!(unchanged, hash(None, 8));
            let counted: Vec<_> = (0..arrays::COUNT).filter(|array| hash(Some(*array), 7) != unchanged).collect();
            let (f, g) = (arrays::F[buffer as usize], arrays::G[buffer as usize]);
            let expected: Vec<_> = (f..f + 7).chain(g..g + 19).chain([arrays::PHI]).collect();
            assert_eq!(counted, expected);
        }
    }
}
