//! The bits of a run: their hash, which is the same for any number of PEs, and the comparison with the serial
//! reference.

use crate::element::Element;
use crate::field::{Field, state};
use crate::reference::Reference;
use anyhow::Result;
use cushmem_program::to_all;
use lbm_kernels::layout::arrays;

/// What the comparison found, in all PEs' cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Findings {
    /// Values whose bits differ from the reference, or that are not finite.
    pub wrong: u64,
    /// The first of them: its array, and its cell in the whole box.
    pub first: Option<(u32, [u32; 3])>,
}

/// Calls with the array, the cell in the whole box and the value of all values of this PE that make the state.
fn each_value<T: Element>(field: &Field<'_, T>, mut see: impl FnMut(u32, [u32; 3], T)) -> Result<()> {
    let [nx, ny, nz] = field.region.size;
    for array in field.state() {
        let values = field.read(array, 0..nz)?;
        for (i, value) in (0u64..).zip(values) {
            let (nx, ny) = (u64::from(nx), u64::from(ny));
            let local = [i % nx, i / nx % ny, i / nx / ny];
            see(array, std::array::from_fn(|d| field.region.first[d] + local[d] as u32), value);
        }
    }
    Ok(())
}

/// A hash of the bits of `f`, `g` and `φ` of all cells, each with its place in the whole box. Collective.
pub fn hash<T: Element>(field: &Field<'_, T>) -> Result<u64> {
    let size = field.job.grid.size;
    let mut own = 0u64;
    each_value(field, |array, at, value| own = own.wrapping_add(hashed(field.done(), array, size, at, value.bits())))?;
    Ok(to_all(field.job.shmem, [own])?.into_iter().fold(0, |sum, [hash]| sum.wrapping_add(hash)))
}

/// What a value adds to the hash; `a` and `b` follow from the others. The buffer does not count.
fn hashed(done: u64, array: u32, size: [u32; 3], at: [u32; 3], bits: u64) -> u64 {
    if (arrays::A..arrays::B + 3).contains(&array) {
        return 0;
    }
    let number = state(done).take_while(|&a| a != array).count() as u64;
    let [x, y, z] = at.map(u64::from);
    let cell = (z * u64::from(size[1]) + y) * u64::from(size[0]) + x;
    scramble(scramble(cell << 6 | number) ^ bits)
}

/// Finaliser of splitmix64: each bit of the result depends on all bits of `x`.
fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Compares with a reference of as many steps. Collective.
pub fn compare<T: Element>(field: &Field<'_, T>, reference: &Reference<T>) -> Result<Findings> {
    let mut own = Findings::default();
    each_value(field, |array, at, value| {
        let is_finite = Into::<f64>::into(value).is_finite();
        if value.bits() != reference.value(array, at).bits() || !is_finite {
            own.wrong += 1;
            own.first = own.first.or(Some((array, at)));
        }
    })?;
    let (array, at) = own.first.unwrap_or_default();
    let words = to_all(field.job.shmem, [own.wrong, array.into(), at[0].into(), at[1].into(), at[2].into()])?;
    let first = words.iter().find(|w| w[0] > 0);
    Ok(Findings {
        wrong: words.iter().map(|w| w[0]).sum(),
        first: first.map(|w| (w[1] as u32, [w[2] as u32, w[3] as u32, w[4] as u32])),
    })
}
