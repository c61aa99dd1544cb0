//! What a PE does in each step: messages, divided into pieces, and cells, divided into boxes.

use crate::decomposition::Decomposition;
use lbm_kernels::lattice::{DIRECTIONS, Q7, opposite};
use lbm_kernels::layout::{LINE_BYTES, Part, Piece, Shape, arrays, kinds};

/// The fewest values in a piece, so that it is worth a signal, and the most pieces in a message to one neighbour.
const PIECE_VALUES: u32 = 1024;
const MAX_PIECES: u32 = 64;

/// One PE's work.
#[derive(Clone, Debug)]
pub struct Plan {
    /// For each of [`kinds::LISTS`], the pieces that the PE sends. Piece `i` of each has signal `i`.
    pub sends: [Vec<Piece>; kinds::LISTS as usize],
    /// For each of [`kinds::LISTS`], the pieces that the PE receives; their `pe` is the sender.
    pub receives: [Vec<Piece>; kinds::LISTS as usize],
    /// What goes to each neighbour, for each kind of message.
    pub parcels: [Vec<Parcel>; 2],
    /// The box of cells that need no ghosts. It may be empty.
    pub inner: Part,
    /// The other cells.
    pub shell: Vec<Part>,
    /// Elements of inbox and outbox, the same on all PEs.
    pub box_elements: usize,
}

/// What goes to the neighbour on one side. It occupies the same elements in this PE's outbox and in the neighbour's
/// inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// The neighbour.
    pub to: u32,
    /// The PE from which this PE receives the parcel of the same direction.
    pub from: u32,
    /// Index of the first element.
    pub at: usize,
    /// The number of elements.
    pub elements: usize,
}

impl Plan {
    /// The work of PE `pe`, whose arrays have this shape, for values of `bytes` bytes and blocks of `lanes` lanes.
    pub fn new(d: &Decomposition, pe: u32, shape: &Shape, bytes: usize, lanes: u32) -> Self {
        let (mut sends, mut receives): ([Vec<Piece>; 3], [Vec<Piece>; 3]) = Default::default();
        let mut parcels: [Vec<Parcel>; 2] = Default::default();
        let line = LINE_BYTES as usize / bytes;
        let mut at = 0;
        for kind in [kinds::POPULATIONS, kinds::PHI] {
            for i in d.sides() {
                let most = elements(&values(kinds::POPULATIONS, 0, i), cells(d.largest(), i));
                let pieces = most.div_ceil(PIECE_VALUES).min(MAX_PIECES);
                let (to, from) = (d.neighbour(pe, i), d.neighbour(pe, opposite(i)));
                let buffers = if kind == kinds::POPULATIONS { 0..2 } else { 0..1 };
                for buffer in buffers {
                    let list = kinds::list(kind, buffer) as usize;
                    let values = values(kind, buffer, i);
                    let whole = |from_side, pe| Piece {
                        arrays: std::array::from_fn(|n| values.get(n).copied().unwrap_or(0)),
                        pe,
                        packed: at as u64,
                        end: elements(&values, cells(shape.size, i)),
                        ..thin_box(shape, i, from_side)
                    };
                    cut(whole(Side::Own, to), pieces, lanes, &mut sends[list]);
                    cut(whole(Side::Ghosts, from), pieces, lanes, &mut receives[list]);
                }
                let own = elements(&values(kind, 0, i), cells(shape.size, i)) as usize;
                parcels[kind as usize].push(Parcel { to, from, at, elements: own });
                let room = elements(&values(kind, 0, i), cells(d.largest(), i)) as usize;
                at = (at + room).next_multiple_of(line);
            }
        }
        let (inner, shell) = boxes(shape, d.divided(), lanes);
        Self { sends, receives, parcels, inner, shell, box_elements: at.max(1) }
    }
}

/// The arrays whose values are sent in direction `i`.
fn values(kind: u32, buffer: u32, i: usize) -> Vec<u32> {
    if kind == kinds::PHI {
        return vec![arrays::PHI];
    }
    let (f, g) = (arrays::F[buffer as usize], arrays::G[buffer as usize]);
    if i >= Q7 {
        return vec![g + i as u32];
    }
    let along = |j: &usize| (0..3).map(|d| DIRECTIONS[*j][d] * DIRECTIONS[i][d]).sum::<i32>() == 1;
    let populations = (1..DIRECTIONS.len()).filter(along).map(|j| g + j as u32);
    [f + i as u32, arrays::A, arrays::B + (i as u32 - 1) / 2].into_iter().chain(populations).collect()
}

/// The number of cells on the side of a box in direction `i`.
fn cells(size: [u32; 3], i: usize) -> u32 {
    (0..3).filter(|&d| DIRECTIONS[i][d] == 0).map(|d| size[d]).product()
}

fn elements(values: &[u32], cells: u32) -> u32 {
    values.len() as u32 * cells
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The PE's own cells, which are sent in a direction.
    Own,
    /// The ghosts that a message in that direction fills.
    Ghosts,
}

/// The own cells on the side in direction `i`, or the ghosts that a message in this direction fills, on the opposite
/// side.
fn thin_box(shape: &Shape, i: usize, side: Side) -> Piece {
    let first = std::array::from_fn(|d| match (DIRECTIONS[i][d], side) {
        (0, _) => 0,
        (1, Side::Own) => shape.size[d] - 1,
        (_, Side::Own) => 0,
        (1, Side::Ghosts) => shape.low[d],
        (_, Side::Ghosts) => shape.high[d],
    });
    let along: Vec<usize> = (0..3).filter(|&d| DIRECTIONS[i][d] == 0).collect();
    let next = along.get(1).map_or(0, |&d| shape.step[d]);
    let (step, line) = (shape.step[along[0]], shape.size[along[0]]);
    Piece { first: shape.at(first), step, line, next_line: next, cells: cells(shape.size, i), ..Piece::default() }
}

/// Cuts a message to one neighbour into pieces that start on a line, and gives each a signal.
fn cut(whole: Piece, pieces: u32, lanes: u32, to: &mut Vec<Piece>) {
    let unit = if whole.end / pieces < 32 { 1 } else { 32 };
    let cut = |n: u32| match n {
        n if n == pieces => whole.end,
        n => (u64::from(n) * u64::from(whole.end) / u64::from(pieces)) as u32 / unit * unit,
    };
    for n in 0..pieces {
        let (begin, end) = (cut(n), cut(n + 1));
        to.push(Piece { begin, end, signal: to.len() as u32, lanes, ..whole });
    }
}

/// The cells that need no ghosts, and the others.
fn boxes(shape: &Shape, divided: [bool; 3], lanes: u32) -> (Part, Vec<Part>) {
    let (mut first, mut size) = ([0; 3], shape.size);
    let mut shell = vec![];
    // Start with whole planes, because their rows are long.
    for d in [2, 1, 0] {
        if !divided[d] || size.contains(&0) {
            continue;
        }
        let mut slice = |at: u32| {
            let (mut from, mut thin) = (first, size);
            (from[d], thin[d]) = (at, 1);
            shell.push(Part::new(from, thin, shape.volume, lanes));
        };
        slice(0);
        if shape.size[d] > 1 {
            slice(shape.size[d] - 1);
        }
        (first[d], size[d]) = (1, shape.size[d].saturating_sub(2));
    }
    (Part::new(first, size, shape.volume, lanes), shell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (Decomposition, Vec<Plan>)> {
        let grids = [([5, 6, 7], [2, 2, 2]), ([9, 4, 5], [3, 1, 2]), ([40, 40, 40], [1, 1, 3]), ([2, 2, 2], [2, 2, 2])];
        let more =
            [([70, 3, 90], [1, 3, 2]), ([6, 6, 6], [1, 1, 1]), ([1, 2, 5], [1, 2, 1]), ([500, 41, 3], [4, 2, 1])];
        grids.into_iter().chain(more).map(|(size, pes)| {
            let d = Decomposition { size, pes };
            let plan = |pe| Plan::new(&d, pe, &d.shape(pe, 4).unwrap(), 4, 256);
            (d, (0..d.n_pes()).map(plan).collect())
        })
    }

    /// Catches pieces that arrive where they are not expected, or overlap there.
    #[test]
    fn what_is_sent_is_what_is_received() {
        for (d, plans) in all() {
            for (pe, plan) in plans.iter().enumerate() {
                for list in 0..kinds::LISTS as usize {
                    for (n, (sent, got)) in plan.sends[list].iter().zip(&plan.receives[list]).enumerate() {
                        let there = &plans[sent.pe as usize].receives[list][n];
                        assert_eq!((there.pe, sent.signal, got.signal), (pe as u32, n as u32, n as u32), "{d:?}");
                        let place = |p: &Piece| (p.arrays, p.cells, p.line, p.begin, p.end, p.packed);
                        assert_eq!(place(sent), place(there), "{d:?}");
                        assert!(sent.begin < sent.end, "{d:?}");
                        assert!(sent.packed as usize + sent.end as usize <= plan.box_elements);
                    }
                    assert_eq!(plan.sends[list].len(), plan.sends[0].len());
                }
                for (kind, list) in [(0, 0), (0, 1), (1, 2)] {
                    for parcel in &plan.parcels[kind] {
                        let pieces = plan.sends[list].iter().filter(|p| p.packed as usize == parcel.at);
                        assert_eq!(pieces.map(|p| (p.end - p.begin) as usize).sum::<usize>(), parcel.elements);
                    }
                }
            }
        }
    }

    /// Catches cells that are updated twice or not at all, and an inner box with a cell next to a ghost.
    #[test]
    fn boxes_cover_the_cells_once() {
        for (d, plans) in all() {
            for (pe, plan) in (0..).zip(&plans) {
                let size = d.region(pe).size;
                let mut seen = vec![0; size.iter().product::<u32>() as usize];
                for (part, is_inner) in [(&plan.inner, true)].into_iter().chain(plan.shell.iter().map(|p| (p, false))) {
                    for at in (0..256 * part.tiles).filter_map(|place| part.cell(place)) {
                        seen[((at[2] * size[1] + at[1]) * size[0] + at[0]) as usize] += 1;
                        let beside = (0..3).any(|k| d.divided()[k] && (at[k] == 0 || at[k] + 1 == size[k]));
                        assert_ne!(beside, is_inner, "{d:?} {at:?}");
                    }
                }
                assert!(seen.iter().all(|n| *n == 1), "{d:?} {pe}: {plan:?}");
            }
        }
    }
}
