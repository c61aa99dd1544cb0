//! Where the values of a PE lie, and what kernels are told about this. The program fills in these structures, and
//! kernels read them.
//!
//! A PE has [`arrays::COUNT`] arrays of one shape, one after the other. Each has a value for each of the PE's cells and
//! for each ghost; ghosts are copies of neighbours' cells. In a *divided* dimension of `n` cells, the cell below the
//! first is at `n + 1` and the cell above the last is at `n`. A dimension that is not divided has no ghosts; there the
//! cell below the first is the last cell and the cell above the last is the first, so the box is periodic.

use cushmem_device::DevPtr;

/// The numbers of the arrays.
pub mod arrays {
    use crate::lattice::{Q7, Q19};

    /// Populations `f`, in two buffers.
    pub const F: [u32; 2] = [0, Q7 as u32];
    /// `a` of [`crate::cell::Drive`].
    pub const A: u32 = 2 * Q7 as u32;
    /// `b` along x; those along y and z follow.
    pub const B: u32 = A + 1;
    /// Populations `g`, in two buffers. A single buffer would suffice if each cell exchanged values with its neighbours
    /// in place, but that moves as many bytes.
    pub const G: [u32; 2] = [B + 3, B + 3 + Q19 as u32];
    /// `φ`.
    pub const PHI: u32 = G[1] + Q19 as u32;
    /// The number of arrays.
    pub const COUNT: u32 = PHI + 1;
}

/// Values per cell that a step has to move between the GPU and its memory, each counted once: `order_parameter` reads 7
/// `f`, `a` and `b` and writes 7 `f` and `φ`; `momentum` reads `φ` and 19 `g` and writes 19 `g`, `a` and `b`.
pub const VALUES_MOVED: u32 = 19 + 43;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Bytes of a line of the GPU's cache. Rows start on a line.
pub const LINE_BYTES: u32 = 128;

/// How a PE's cells lie in an array.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells along x, y, z.
    pub size: [u32; 3],
    /// The coordinate of the cell below the first.
    pub low: [u32; 3],
    /// The coordinate of the cell above the last.
    pub high: [u32; 3],
    /// Elements from a cell to the next along x, y, z.
    pub step: [u32; 3],
    /// Elements of an array.
    pub volume: u32,
}

impl Shape {
    /// The shape for `size` cells of `bytes` bytes; `None` if 32 bits do not count the elements of an array.
    pub fn new(size: [u32; 3], divided: [bool; 3], bytes: usize) -> Option<Self> {
        let line = LINE_BYTES / bytes as u32;
        let slots = |d: usize| size[d].checked_add(if divided[d] { 2 } else { 0 });
        let pitch = slots(0)?.checked_next_multiple_of(line)?;
        let plane = pitch.checked_mul(slots(1)?)?;
        let volume = plane.checked_mul(slots(2)?)?;
        let low = core::array::from_fn(|d| if divided[d] { size[d] + 1 } else { size[d] - 1 });
        let high = core::array::from_fn(|d| if divided[d] { size[d] } else { 0 });
        Some(Self { size, low, high, step: [1, pitch, plane], volume })
    }

    /// Index of a cell in an array; a ghost has its coordinates in [`Shape::low`] and [`Shape::high`].
    #[inline(always)]
    pub fn at(&self, [x, y, z]: [u32; 3]) -> u32 {
        x + y * self.step[1] + z * self.step[2]
    }

    /// The cell's own index along a dimension and those of the neighbours below and above it, multiplied by
    /// [`Shape::step`].
    #[inline(always)]
    fn places(&self, d: usize, at: u32) -> [u32; 3] {
        let below = if at == 0 { self.low[d] } else { at - 1 };
        let above = if at + 1 == self.size[d] { self.high[d] } else { at + 1 };
        [below * self.step[d], at * self.step[d], above * self.step[d]]
    }

    /// A cell and its neighbours.
    #[inline(always)]
    pub fn around(&self, [x, y, z]: [u32; 3]) -> Around {
        Around { x: self.places(0, x), y: self.places(1, y), z: self.places(2, z) }
    }
}

/// Where a cell and its neighbours lie.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    x: [u32; 3],
    y: [u32; 3],
    z: [u32; 3],
}

impl Around {
    /// Index of the neighbour at this distance, which is -1, 0 or 1 in each dimension.
    #[inline(always)]
    pub fn at(&self, [x, y, z]: [i32; 3]) -> u32 {
        (self.x[(x + 1) as usize] + self.y[(y + 1) as usize]) + self.z[(z + 1) as usize]
    }
}

/// Divides numbers below 2³¹ by a divisor known in advance, in a few instructions; a division on the GPU takes about
/// twenty.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// The integer part of `2^(32 + shift)` divided by the divisor, plus 1; 0 stands for the divisor 1.
    factor: u32,
    shift: u32,
}

impl Divisor {
    /// Takes a divisor from 1 to 2³¹. 0 is treated as 1, because nothing is divided in that case.
    pub fn new(divisor: u32) -> Self {
        if divisor < 2 {
            return Self { factor: 0, shift: 0 };
        }
        // Granlund and Montgomery, "Division by invariant integers": with 31 bits more than the divisor has, rounding
        // up is exact.
        let bits = u32::BITS - (divisor - 1).leading_zeros();
        Self { factor: ((1u64 << (31 + bits)) / u64::from(divisor) + 1) as u32, shift: bits - 1 }
    }

    /// The quotient of `n`, rounded down, and the remainder. `n` is below 2³¹; `divisor` is the one given to
    /// [`Divisor::new`].
    #[inline(always)]
    pub fn divide(self, n: u32, divisor: u32) -> (u32, u32) {
        let high = ((u64::from(n) * u64::from(self.factor)) >> 32) as u32;
        let quotient = if self.factor == 0 { n } else { high >> self.shift };
        (quotient, n - quotient * divisor)
    }
}

/// A box of cells, and how blocks share it: in tiles of as many places as a block has lanes, x fastest. A place either
/// has a cell or is empty. Rows are padded to whole warps at both ends so that warps start on a cache line, unless the
/// rows are shorter than a warp. So a row of 32 cells whose first is at x = 1 has 64 places. A tile may start and end
/// within a row.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first cell.
    pub first: [u32; 3],
    /// Cells along x, y, z.
    pub size: [u32; 3],
    /// Places of a row before its first cell.
    pub lead: u32,
    /// Places of a row. All rows together have fewer than 2³¹ places: an array has at most [`Part::MOST_ELEMENTS`], and
    /// where its lines have 16 of them, units of 32 add at most a third.
    pub places: u32,
    /// The number of tiles.
    pub tiles: u32,
    /// Divides by `places`, and by the number of rows along y.
    pub by_places: Divisor,
    /// See `by_places`.
    pub by_rows: Divisor,
    /// [`Shape::volume`]. Kernels that run all steps take it from here: the box may differ from tile to tile, so the
    /// addresses of all arrays cannot stay in registers.
    pub volume: u32,
}

impl Part {
    /// Its size in words of 8 bytes.
    pub const WORDS: usize = size_of::<Self>() / 8;
    /// Elements that an array may have whose boxes kernels update.
    pub const MOST_ELEMENTS: u32 = 1 << 30;

    /// The box, for blocks of `lanes` lanes, in arrays of `volume` elements.
    pub fn new(first: [u32; 3], size: [u32; 3], volume: u32, lanes: u32) -> Self {
        let unit = if size[0] < WARP { 1 } else { WARP };
        let lead = first[0] % unit;
        let places = (lead + size[0]).next_multiple_of(unit);
        let tiles = (places * size[1] * size[2]).div_ceil(lanes);
        let [by_places, by_rows] = [places, size[1]].map(Divisor::new);
        Self { first, size, lead, places, tiles, by_places, by_rows, volume }
    }

    /// The cell at place `number`, if there is one.
    #[inline(always)]
    pub fn cell(&self, number: u32) -> Option<[u32; 3]> {
        let ([first_x, first_y, first_z], [nx, ny, nz]) = (self.first, self.size);
        let (row, place) = self.by_places.divide(number, self.places);
        let x = place.wrapping_sub(self.lead);
        let (z, y) = self.by_rows.divide(row, ny);
        if x >= nx || z >= nz {
            return None;
        }
        Some([first_x + x, first_y + y, first_z + z])
    }

    /// The number of cells.
    pub fn cells(&self) -> u64 {
        self.size.iter().map(|&n| u64::from(n)).product()
    }

    /// The box as it lies in memory.
    pub fn to_words(&self) -> [u64; Self::WORDS] {
        let ([x, y, z], [nx, ny, nz]) = (self.first, self.size);
        let (places, rows) = (self.by_places, self.by_rows);
        [
            pair(x, y),
            pair(z, nx),
            pair(ny, nz),
            pair(self.lead, self.places),
            pair(self.tiles, places.factor),
            pair(places.shift, rows.factor),
            pair(rows.shift, self.volume),
        ]
    }
}

/// The boxes that a launch updates. The first one is part of the argument, so that no block starts by waiting for
/// memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Boxes {
    /// The first.
    pub first: Part,
    /// How many boxes follow it.
    pub count: u64,
    /// Those boxes.
    pub others: DevPtr<Part>,
}

/// Part of what a PE sends to one neighbour, or receives from one: values of several arrays in a box that is one cell
/// thick. The elements lie array by array in the sender's outbox and, at the same index, in the receiver's inbox.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The arrays.
    pub arrays: [u32; 8],
    /// Index of the first cell in an array.
    pub first: u32,
    /// Elements from a cell to the next.
    pub step: u32,
    /// Cells in a line.
    pub line: u32,
    /// Elements from the start of a line to the start of the next.
    pub next_line: u32,
    /// Cells per array.
    pub cells: u32,
    /// The neighbour.
    pub pe: u32,
    /// The piece's first element, counted among the elements for the neighbour.
    pub begin: u32,
    /// The element after the last.
    pub end: u32,
    /// Where the elements for the neighbour start in outbox and inbox.
    pub packed: u64,
    /// Which of the neighbour's signals reports that the piece has arrived.
    pub signal: u32,
    /// Lanes of a block.
    pub lanes: u32,
}

impl Piece {
    /// Its size in words of 8 bytes.
    pub const WORDS: usize = size_of::<Self>() / 8;

    /// The piece as it lies in memory.
    pub fn to_words(&self) -> [u64; Self::WORDS] {
        let a = self.arrays;
        [
            pair(a[0], a[1]),
            pair(a[2], a[3]),
            pair(a[4], a[5]),
            pair(a[6], a[7]),
            pair(self.first, self.step),
            pair(self.line, self.next_line),
            pair(self.cells, self.pe),
            pair(self.begin, self.end),
            self.packed,
            pair(self.signal, self.lanes),
        ]
    }
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The numbers of the two kinds of messages of a step: the one for which [`crate::sweep::order_parameter`] waits, and
/// the one for which [`crate::sweep::momentum`] waits.
pub mod kinds {
    /// `f`, `a`, `b` and `g`, as a step leaves them.
    pub const POPULATIONS: u32 = 0;
    /// `φ`.
    pub const PHI: u32 = 1;
    /// Lists of pieces: populations from or to buffer 0, from or to buffer 1, and `φ`.
    pub const LISTS: u32 = 3;

    /// The list of a kind. For populations it depends on `buffer`.
    #[inline(always)]
    pub fn list(kind: u32, buffer: u32) -> u32 {
        if kind == POPULATIONS { buffer } else { 2 }
    }

    /// The values of all signals, `count` of each kind, when message `n` of populations has arrived and message `n` of
    /// `φ` has not.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn signals_after(n: u64, count: usize) -> std::vec::Vec<u64> {
        (0..(2 * count).max(1)).map(|i| signal(if i < count { n } else { n + 1 })).collect()
    }

    /// The value of the signals of a kind's message `n`, counted from 0. It alternates between 1 and 2, so that a graph
    /// with an even number of steps can be replayed. No value is mistaken for the previous one, as `persistent` argues.
    #[inline(always)]
    pub fn signal(n: u64) -> u64 {
        1 + (n & 1)
    }
}

/// How an unsound cell is noted, and where the PE's cells lie in the whole box.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Address of two words: the first note, or [`Watch::NONE`], and the number of steps before the kernel.
    pub words: u64,
    /// Steps that have been made since then.
    pub ahead: u64,
    /// The PE's first cell in the whole box.
    pub origin: [u32; 3],
    /// Cells of the whole box.
    pub whole: [u32; 3],
    /// The number of low bits of a note that hold the cell; the others hold the step.
    pub cell_bits: u32,
}

impl Watch {
    /// Nothing has been noted.
    pub const NONE: u64 = u64::MAX;
    /// For callers that note nothing.
    pub const NOWHERE: Self = Self { words: 0, ahead: 0, origin: [0; 3], whole: [0; 3], cell_bits: 0 };

    /// For cells of a box of `whole` cells, in which the PE's own start at `origin`.
    pub fn new(words: u64, ahead: u64, origin: [u32; 3], whole: [u32; 3]) -> Self {
        let cells: u64 = whole.iter().map(|&n| u64::from(n)).product();
        Self { words, ahead, origin, whole, cell_bits: u64::BITS - cells.leading_zeros() }
    }

    /// The number of one of the PE's cells in the whole box.
    #[inline(always)]
    pub fn cell(&self, [x, y, z]: [u32; 3]) -> u64 {
        let place = |d: usize, at: u32| u64::from(self.origin[d]) + u64::from(at);
        let row = place(2, z) * u64::from(self.whole[1]) + place(1, y);
        row * u64::from(self.whole[0]) + place(0, x)
    }

    /// Encodes a note. An earlier step gives a smaller note, and so does a lower cell in the same step.
    #[inline(always)]
    pub fn note(&self, step: u64, at: [u32; 3]) -> u64 {
        step << self.cell_bits | self.cell(at)
    }

    /// Decodes a note into step and cell.
    pub fn read(&self, note: u64) -> Option<(u64, [u64; 3])> {
        let cell = note & ((1 << self.cell_bits) - 1);
        let [nx, ny, _] = self.whole.map(u64::from);
        (note != Self::NONE).then(|| (note >> self.cell_bits, [cell % nx, cell / nx % ny, cell / nx / ny]))
    }
}

/// A run of a kernel that runs all steps.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Steps.
    pub steps: u64,
    /// Steps before the run.
    pub done: u64,
    /// Longest wait for a neighbour, in nanoseconds.
    pub limit_ns: u64,
    /// Pieces of a message, for all neighbours together.
    pub pieces: u32,
    /// The most of them that a block of the shell sends or waits for.
    pub pieces_of_block: u32,
    /// How many shares of a phase have two tiles of the inner box: the first ones. The others have one tile.
    pub pairs: u32,
    /// Tiles of the other boxes.
    pub shell_tiles: u32,
    /// Blocks that exchange messages and update the other boxes: the first ones. There are none if there are no
    /// neighbours.
    pub shell_blocks: u32,
    /// Shares of inner tiles in each of the [`turns::EARLY`] turns before the last. Only used if all blocks belong to
    /// the shell.
    pub early: u32,
    /// Shares of inner tiles in the last turn.
    pub late: u32,
    /// Whether messages are exchanged: 1, or 0 to measure how long everything else takes. With 0 the result is wrong.
    pub exchange: u32,
    /// [`turns::COUNT`]. The compiler must not know it: it would then unroll the turns, which takes more registers.
    pub turns: u32,
}

/// What a block of the shell does in a phase, turn by turn. In all turns but [`turns::SHELL`] it then updates inner
/// tiles, if the turn has some; other blocks do only that.
pub mod turns {
    /// Waits for its pieces of the message, and copies them to the ghosts.
    pub const RECEIVE: u32 = 1;
    /// Waits until all have done so, and updates its share of the shell.
    pub const SHELL: u32 = 2;
    /// Reports that it has updated its share.
    pub const UPDATED: u32 = 3;
    /// Waits until all have reported, and sends.
    pub const SEND: u32 = 4;
    /// The number of turns.
    pub const COUNT: u32 = 5;
    /// The number of turns with [`super::Run::early`] shares of inner tiles.
    pub const EARLY: u32 = 3;
}

#[cfg(not(target_arch = "nvptx64"))]
mod arguments {
    use cushmem_device::KernelArg;

    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Shape {}
    // SAFETY: `repr(C)`, numbers and an address only.
    unsafe impl KernelArg for super::Boxes {}
    // SAFETY: plain numbers.
    unsafe impl KernelArg for super::Part {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Watch {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Run {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches tiles that leave cells out or cover them twice, and tiles of which many lanes have no cell.
    #[test]
    fn tiles_of_any_box_have_a_lane_for_each_cell() {
        let sizes = [
            ([1, 1, 1], 1),
            ([253, 4, 4], 16),
            ([257, 3, 2], 7),
            ([5, 7, 9], 2),
            ([1, 100, 3], 2),
            ([40, 1, 3], 1),
            ([200, 20, 20], 350),
            ([32, 8, 1], 2),
            ([0, 4, 4], 0),
        ];
        for (size, tiles) in sizes {
            let part = Part::new([3, 2, 1], size, 1, 256);
            assert_eq!(part.tiles, tiles, "{size:?}");
            let lanes = 256 * tiles;
            let [nx, ny, nz] = size;
            let all = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [3 + x, 2 + y, 1 + z])));
            assert!((0..lanes).filter_map(|i| part.cell(i)).eq(all), "{size:?}");
        }
    }

    #[test]
    fn a_divisor_divides() {
        for divisor in
            (1..300).chain([1023, 1024, 1025, 65_535, 65_537, (1 << 27) - 1, 1 << 30, (1 << 31) - 1, 1 << 31])
        {
            let by = Divisor::new(divisor);
            let (first, last) = ((0..50u64), (1u64 << 31) / u64::from(divisor));
            let near = first.flat_map(|k| [k, last.saturating_sub(k)]).map(|k| k * u64::from(divisor));
            let near = near.flat_map(|n| [n.saturating_sub(1), n, n + 1]).chain((1 << 31) - 50..1 << 31);
            for n in near.filter(|n| *n < 1 << 31).map(|n| n as u32) {
                assert_eq!(by.divide(n, divisor), (n / divisor, n % divisor), "{n} / {divisor}");
            }
        }
        assert_eq!(Divisor::new(0), Divisor::new(1));
    }

    #[test]
    fn ghosts_are_behind_the_cells_and_rows_begin_on_a_line() {
        let shape = Shape::new([5, 6, 7], [true, false, true], 4).unwrap();
        assert_eq!((shape.low, shape.high), ([6, 5, 8], [5, 0, 7]));
        assert_eq!(shape.step, [1, 32, 192]);
        assert_eq!(shape.volume, 9 * 192);
        let around = shape.around([0, 5, 6]);
        assert_eq!(around.at([-1, 1, 1]), shape.at([6, 0, 7]));
        assert_eq!(around.at([1, -1, 0]), shape.at([1, 4, 6]));
        assert!(Shape::new([1 << 20, 1 << 20, 1], [false; 3], 8).is_none());
    }

    /// Catches places that do not fit into 31 bits where rows are padded most.
    #[test]
    fn the_largest_arrays_have_few_enough_places() {
        let size = [33, 4096, Part::MOST_ELEMENTS / 4096 / 48];
        let shape = Shape::new(size, [false; 3], 8).expect("the largest");
        assert!(shape.volume <= Part::MOST_ELEMENTS && shape.volume + 4096 * 48 > Part::MOST_ELEMENTS);
        let part = Part::new([0; 3], size, shape.volume, 256);
        let places = u64::from(part.places) * u64::from(size[1]) * u64::from(size[2]);
        assert!(places + 256 < 1 << 31 && u64::from(part.tiles) == places.div_ceil(256));
        assert_eq!(part.cell((places - 64 + 32) as u32), Some([32, 4095, size[2] - 1]));
        assert_eq!(part.cell(256 * part.tiles - 1), None);
    }

    #[test]
    fn notes_are_ordered_by_step_and_cell() {
        let watch = Watch::new(0, 0, [10, 20, 30], [100, 50, 60]);
        let note = watch.note(7, [1, 2, 3]);
        assert_eq!(watch.read(note), Some((7, [11, 22, 33])));
        assert!(note < watch.note(7, [2, 2, 3]) && watch.note(7, [99, 9, 9]) < watch.note(8, [0, 0, 0]));
        assert_eq!(watch.read(Watch::NONE), None);
        let late = 1 << 40;
        assert_eq!(watch.read(watch.note(late, [0, 0, 29])), Some((late, [10, 20, 59])), "a step of a long run");
    }
}
