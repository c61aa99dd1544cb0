//! The two halves of a step, and the start. Each half reads neighbours' values only from the half before it, so cells
//! can be updated in any order.
//!
//! Step `k` reads buffer `k mod 2` of `f` and `g` and writes the other. `a`, `b` and `φ` need no second buffer:
//! [`momentum`] writes `a` and `b` when no cell needs the old ones, and the same holds for [`order_parameter`] and `φ`.

use crate::cell::{self, Force, Observed, Params, Real};
use crate::lattice::{DIRECTIONS, Q19, opposite};
use crate::layout::{Boxes, Part, Shape, Watch, arrays};
use crate::memory::Memory;
use cushmem_device::{Atomic, DevPtr, Word, block_dim_x, thread_idx_x};

/// An array with the value of an expression for each direction `I`, which is a constant, so that the kernel indexes no
/// table or array at run time.
macro_rules! each19 {
    (|$i:ident| $value:expr) => {
        each!(|$i| $value; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18)
    };
}

/// An array with the value of an expression for each of the first seven directions.
macro_rules! each7 {
    (|$i:ident| $value:expr) => {
        each!(|$i| $value; 0 1 2 3 4 5 6)
    };
}

macro_rules! each {
    (|$i:ident| $value:expr; $($n:literal)*) => {
        [$({
            const $i: usize = $n;
            $value
        }),*]
    };
}

/// The arrays of a PE.
#[derive(Clone, Copy)]
pub struct Cells<'a, T, M> {
    /// The elements of the first array, followed by those of the others.
    pub memory: M,
    /// The number of elements of one array.
    pub volume: u32,
    /// Their shape.
    pub shape: &'a Shape,
    /// The model.
    pub params: &'a Params<T>,
}

/// The first array of a buffer of `f`, without a table.
#[inline(always)]
pub fn f_of(buffer: u32) -> u32 {
    if buffer == 0 { arrays::F[0] } else { arrays::F[1] }
}

/// The first array of a buffer of `g`, without a table.
#[inline(always)]
pub fn g_of(buffer: u32) -> u32 {
    if buffer == 0 { arrays::G[0] } else { arrays::G[1] }
}

impl<T: Real, M: Memory<T>> Cells<'_, T, M> {
    #[inline(always)]
    fn array(&self, number: u32) -> M {
        self.memory.from(number as usize * self.volume as usize)
    }

    /// The array that is `number` arrays further on.
    #[inline(always)]
    fn behind(&self, array: M, number: usize) -> M {
        array.from(number * self.volume as usize)
    }

    /// `φ` of a cell and of its neighbours, and the force that follows from it.
    ///
    /// # Safety
    /// The conditions of [`momentum`].
    #[inline(always)]
    unsafe fn force(&self, at: [u32; 3]) -> (T, Force<T>) {
        let around = self.shape.around(at);
        let phi = self.array(arrays::PHI);
        // SAFETY: the cell's neighbours have elements in the array.
        let phi: [T; Q19] = unsafe { each19!(|I| phi.load(around.at(const { DIRECTIONS[I] }) as usize)) };
        (phi[0], cell::force(self.params, &phi))
    }

    /// # Safety
    /// The cell is one of the PE's, and nobody uses its values.
    #[inline(always)]
    unsafe fn store_momentum(&self, buffer: u32, cell: u32, g_next: &[T; Q19], drive: &cell::Drive<T>) {
        let [x, y, z] = drive.b;
        let (a, g, here) = (self.array(arrays::A), self.array(g_of(buffer)), cell as usize);
        // SAFETY: the caller guarantees what this requires of the cell.
        unsafe {
            a.store(here, drive.a);
            self.behind(a, 1).store(here, x);
            self.behind(a, 2).store(here, y);
            self.behind(a, 3).store(here, z);
            each19!(|I| self.behind(g, I).store(here, g_next[I]));
        }
    }
}

/// First half of a step from `buffer`: populations `f` collide and move, and `φ` is their sum.
///
/// # Safety
/// The arrays have the shape, and the cell is one of the PE's. Nobody writes what is read in the cell and in the cells
/// that share a face with it: `f` of `buffer`, `a` and `b`. Nobody uses the cell's `φ` or the other buffer's `f`.
#[inline(always)]
pub unsafe fn order_parameter<T: Real, M: Memory<T>>(cells: &Cells<'_, T, M>, buffer: u32, at: [u32; 3]) {
    let (p, around) = (cells.params, cells.shape.around(at));
    let here = around.at([0; 3]) as usize;
    let (from, to) = (cells.array(f_of(buffer)), cells.array(f_of(1 - buffer)));
    let a = cells.array(arrays::A);
    // SAFETY: the caller guarantees what this requires of the cell and its neighbours.
    unsafe {
        let f = each7!(|I| cells.behind(from, I).load(here));
        let at_rest = cell::at_rest(p, &f, a.load(here));
        let next = each7!(|I| {
            if I == 0 {
                at_rest
            } else {
                let there = around.at(const { DIRECTIONS[opposite(I)] }) as usize;
                let (a, b) = (a.load(there), cells.behind(a, I.wrapping_sub(1) / 2 + 1).load(there));
                let equilibrium = if I % 2 == 1 { a + b } else { a - b };
                cell::moved(p, f[I], cells.behind(from, I).load(there), equilibrium)
            }
        });
        each7!(|I| cells.behind(to, I).store(here, next[I]));
        cells.array(arrays::PHI).store(here, cell::order_parameter(&next));
    }
}

/// Second half of a step from `buffer`: populations `g` move and collide. Returns whether the cell is sound.
///
/// # Safety
/// The arrays have the shape, and the cell is one of the PE's. Nobody writes what is read: `φ` and `g` of `buffer`, in
/// the cell and its 18 neighbours. Nobody uses the cell's `a`, `b` or the other buffer's `g`.
#[inline(always)]
pub unsafe fn momentum<T: Real, M: Memory<T>>(cells: &Cells<'_, T, M>, buffer: u32, at: [u32; 3]) -> bool {
    let around = cells.shape.around(at);
    let from = cells.array(g_of(buffer));
    // SAFETY: the caller guarantees what this requires of the cell and its neighbours.
    unsafe {
        let g = each19!(|I| cells.behind(from, I).load(around.at(const { DIRECTIONS[opposite(I)] }) as usize));
        let (phi, force) = cells.force(at);
        let (next, drive, sound) = cell::collide(cells.params, phi, &force, &g);
        cells.store_momentum(1 - buffer, around.at([0; 3]), &next, &drive);
        sound
    }
}

/// Sets, from `φ`, the populations of a fluid at rest in buffer 0; `g` is as after a collision.
///
/// # Safety
/// The conditions of [`momentum`] from buffer 1, which it does not read; nobody uses the cell's `f`.
#[inline(always)]
pub unsafe fn start<T: Real, M: Memory<T>>(cells: &Cells<'_, T, M>, at: [u32; 3]) -> bool {
    let here = cells.shape.at(at);
    // SAFETY: the caller guarantees what this requires of the cell and its neighbours.
    unsafe {
        let (phi, force) = cells.force(at);
        let f = cell::resting_f(cells.params, phi, &force);
        each7!(|I| cells.behind(cells.array(arrays::F[0]), I).store(here as usize, f[I]));
        let (next, drive, sound) = cell::collide(cells.params, phi, &force, &cell::resting_g(phi, &force));
        cells.store_momentum(0, here, &next, &drive);
        sound
    }
}

/// What can be observed of a cell after a step that ended in `buffer`.
///
/// # Safety
/// The conditions of [`momentum`], but it writes nothing and reads only the cell's own `g`.
#[inline(always)]
pub unsafe fn observe<T: Real, M: Memory<T>>(cells: &Cells<'_, T, M>, buffer: u32, at: [u32; 3]) -> Observed {
    let around = cells.shape.around(at);
    // SAFETY: the caller guarantees what this requires of the cell and its neighbours.
    unsafe {
        let phi = each19!(|I| cells.array(arrays::PHI).load(around.at(const { DIRECTIONS[I] }) as usize));
        let g = each19!(|I| cells.behind(cells.array(g_of(buffer)), I).load(around.at([0; 3]) as usize));
        cell::observed(cells.params, &phi, &g)
    }
}

/// What is done with a cell. A trait rather than a closure, because the compiler might not inline a closure.
pub trait Update {
    /// # Safety
    /// As the caller of [`tiles`] guarantees; `volume` is [`Part::volume`].
    unsafe fn cell(&self, at: [u32; 3], volume: u32);
}

/// Calls `update` for this lane's cells of some boxes. The boxes' tiles are shared by `blocks` blocks, and this block
/// has the number `block`.
///
/// # Safety
/// `boxes.others` points to `boxes.count` boxes, and `update` may be called for the cells of all boxes.
#[inline(always)]
pub unsafe fn tiles<U: Update>(boxes: &Boxes, (block, blocks): (u32, u32), update: &U) {
    // The first box has code of its own, so that all its fields remain constants, as arguments are. Kernels with one
    // loop for all boxes are slightly slower.
    // SAFETY: the caller guarantees that `update` may be called for the cells of the box.
    let mut number = unsafe { box_tiles(&boxes.first, (block, blocks), update) };
    let mut i = 0;
    while i < boxes.count {
        let part = boxes.others.add(i as usize);
        // SAFETY: the caller guarantees that the boxes are valid.
        let tiles = unsafe { part.read().tiles };
        while number < tiles {
            // SAFETY: a tile of the box.
            unsafe { tile(&part.read(), number, update) };
            number += blocks;
        }
        number -= tiles;
        i += 1;
    }
}

/// Calls `update` for the block's tiles of one box. Returns by how much the block's next tile would be beyond the box's
/// last.
///
/// # Safety
/// `update` may be called for the box's cells.
#[inline(always)]
pub unsafe fn box_tiles<U: Update>(own: &Part, (block, blocks): (u32, u32), update: &U) -> u32 {
    let mut number = block;
    while number < own.tiles {
        // SAFETY: a tile of the box.
        unsafe { tile(own, number, update) };
        number += blocks;
    }
    number - own.tiles
}

/// Calls `update` for this lane's cell of one tile of a box, with [`Part::volume`].
///
/// # Safety
/// The box has a tile with this number, and `update` may be called for the tile's cells.
#[inline(always)]
pub unsafe fn tile<U: Update>(own: &Part, number: u32, update: &U) {
    if let Some(at) = own.cell(number * block_dim_x() + thread_idx_x()) {
        // SAFETY: the caller guarantees what this requires of the cells.
        unsafe { update.cell(at, own.volume) };
    }
}

/// [`start`], which also notes an unsound cell.
pub struct Start<'a, T> {
    /// The arrays.
    pub cells: Cells<'a, T, DevPtr<T>>,
    /// For notes.
    pub watch: &'a Watch,
}

impl<T: Real> Update for Start<'_, T> {
    #[inline(always)]
    unsafe fn cell(&self, at: [u32; 3], volume: u32) {
        // SAFETY: the caller guarantees what this requires of the cell.
        unsafe {
            if !start(&Cells { volume, ..self.cells }, at) {
                note(self.watch, 0, at);
            }
        }
    }
}

/// One half of a step from `buffer`: [`order_parameter`] in phase 0, otherwise [`momentum`]. Also notes an unsound
/// cell.
pub struct Half<'a, T> {
    /// The arrays.
    pub cells: Cells<'a, T, DevPtr<T>>,
    /// The half.
    pub phase: u32,
    /// The buffer that the step reads.
    pub buffer: u32,
    /// For notes.
    pub watch: &'a Watch,
    /// Steps made before this one in addition to what `watch` says.
    pub ahead: u64,
}

impl<T: Real> Update for Half<'_, T> {
    #[inline(always)]
    unsafe fn cell(&self, at: [u32; 3], volume: u32) {
        // SAFETY: the caller guarantees what this requires of the cell.
        unsafe {
            let cells = Cells { volume, ..self.cells };
            if self.phase == 0 {
                order_parameter(&cells, self.buffer, at);
            } else if !momentum(&cells, self.buffer, at) {
                note(self.watch, self.ahead, at);
            }
        }
    }
}

/// Stores what can be observed of the cells of a box, x fastest: `φ` of all, then the pressure, then each component of
/// the velocity.
pub struct Show<'a, T> {
    /// The arrays.
    pub cells: Cells<'a, T, DevPtr<T>>,
    /// The buffer in which the last step ended.
    pub buffer: u32,
    /// The box.
    pub part: &'a Part,
    /// Five elements for each of its cells.
    pub out: DevPtr<f64>,
}

impl<T: Real> Update for Show<'_, T> {
    #[inline(always)]
    unsafe fn cell(&self, at: [u32; 3], volume: u32) {
        // SAFETY: the caller guarantees what this requires of the cell, the box and the elements.
        unsafe {
            let ([fx, fy, fz], [nx, ny, nz]) = (self.part.first, self.part.size);
            let shown = observe(&Cells { volume, ..self.cells }, self.buffer, at);
            let [nx, ny, nz] = [nx as usize, ny as usize, nz as usize];
            let [x, y, z] = [(at[0] - fx) as usize, (at[1] - fy) as usize, (at[2] - fz) as usize];
            let (out, all) = (self.out.add((z * ny + y) * nx + x), nx * ny * nz);
            out.write(shown.phi);
            out.add(all).write(shown.pressure);
            out.add(2 * all).write(shown.velocity[0]);
            out.add(3 * all).write(shown.velocity[1]);
            out.add(4 * all).write(shown.velocity[2]);
        }
    }
}

/// Notes an unsound cell, unless an earlier one has been noted.
///
/// # Safety
/// `watch` has its two words.
#[inline(always)]
pub unsafe fn note(watch: &Watch, ahead: u64, at: [u32; 3]) {
    let words = DevPtr::<u64>::from_address(watch.words);
    // SAFETY: the caller guarantees that the words are valid. No order needed: readers have waited for the end of the
    // kernel, or synchronise with this block first.
    unsafe {
        let note = watch.note(words.add(1).read() + watch.ahead + ahead, at);
        let mut old = u64::load_relaxed_sys(words);
        while note < old {
            let before = u64::compare_swap_relaxed_sys(words, old, note);
            if before == old {
                break;
            }
            old = before;
        }
    }
}
