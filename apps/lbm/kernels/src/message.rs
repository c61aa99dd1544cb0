//! Packs values for neighbours, and copies received values into the ghosts.
//!
//! What a neighbour needs on the side of direction `d` (a face or an edge of the PE's box, whose cells become the
//! neighbour's ghosts):
//!
//! | message | face | edge |
//! |---|---|---|
//! | populations | `f_d`, `a`, `b` along `d`, and the 5 `g_i` with `c_i · d = 1` | `g_d` |
//! | `φ` | `φ` | `φ` |
//!
//! A ghost at a corner is never read. `f` could be sent together with `φ`. It is sent with the populations instead, so
//! that a message that depends only on the previous step carries everything from which the next step starts, and the
//! message of `φ`, which overlaps with less work, stays small.

use crate::layout::Piece;
use crate::memory::Memory;
use cushmem_device::DevPtr;

/// Which value an element of a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The index into the piece's arrays.
    pub array: u32,
    /// Index in the array.
    pub cell: u32,
}

impl Piece {
    /// Element `e`, from [`Piece::begin`] to [`Piece::end`].
    #[inline(always)]
    pub fn element(&self, e: u32) -> Element {
        let (array, cell) = (e / self.cells, e % self.cells);
        Element { array, cell: self.first + cell / self.line * self.next_line + cell % self.line * self.step }
    }
}

/// Packs this lane's elements of a piece.
///
/// # Safety
/// The arrays, of `volume` elements each, hold the piece's cells, and the outbox has room for its elements. Nobody
/// writes the arrays or uses the outbox at the same time.
#[inline(always)]
pub unsafe fn pack<T: Copy>(
    cells: DevPtr<T>,
    volume: u32,
    piece: DevPtr<Piece>,
    outbox: DevPtr<T>,
    lane: u32,
    lanes: u32,
) {
    // SAFETY: the caller guarantees that the piece is valid; its arrays are its first words.
    unsafe {
        let (p, arrays) = (piece.read(), piece.cast::<u32>());
        let mut e = p.begin + lane;
        while e < p.end {
            let element = p.element(e);
            let from = cells.from(arrays.load(element.array as usize) as usize * volume as usize);
            outbox.store(p.packed as usize + e as usize, from.load(element.cell as usize));
            e += lanes;
        }
    }
}

/// Copies this lane's elements of a piece to the ghosts.
///
/// # Safety
/// The conditions of [`pack`], with the roles of arrays and box exchanged.
#[inline(always)]
pub unsafe fn unpack<T: Copy>(
    cells: DevPtr<T>,
    volume: u32,
    piece: DevPtr<Piece>,
    inbox: DevPtr<T>,
    lane: u32,
    lanes: u32,
) {
    // SAFETY: the caller guarantees that the piece is valid; its arrays are its first words.
    unsafe {
        let (p, arrays) = (piece.read(), piece.cast::<u32>());
        let mut e = p.begin + lane;
        while e < p.end {
            let element = p.element(e);
            let to = cells.from(arrays.load(element.array as usize) as usize * volume as usize);
            to.store(element.cell as usize, inbox.load(p.packed as usize + e as usize));
            e += lanes;
        }
    }
}
