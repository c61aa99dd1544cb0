//! Which PE updates which cells: the box is cut along x, y and z into regions, one for each PE.

use lbm_kernels::lattice::DIRECTIONS;
use lbm_kernels::layout::{Part, Shape};

/// The box and the PEs that share it. PEs are numbered along x, then y, then z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Cells along x, y, z.
    pub size: [u32; 3],
    /// PEs along x, y, z.
    pub pes: [u32; 3],
}

/// A region of the whole box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub first: [u32; 3],
    pub size: [u32; 3],
}

/// The cost of a value in a message, relative to a value that a step moves between the GPU and its memory. Where x is
/// cut it is higher, because each value is then in a memory line of its own. These numbers only choose between ways to
/// cut a box.
const MESSAGE_COST: u64 = 16;
const ALONG_X_COST: u64 = 64;
/// The number of values that a step sends for each cell of a face, and how many of them are in one message.
const FACE_VALUES: u64 = 9;
const MESSAGE_VALUES: u64 = 8;

impl Decomposition {
    /// Divides the box so that the slowest PE has the least to update and to send. Among equal ways, z is cut rather
    /// than y, and y rather than x.
    pub fn choose(size: [u32; 3], n_pes: u32) -> Result<Self, String> {
        let divisors = |n: u32| (1..=n).filter(move |d| n.is_multiple_of(*d));
        let ways = divisors(n_pes).flat_map(|x| divisors(n_pes / x).map(move |y| [x, y, n_pes / x / y]));
        let fitting = ways.filter(|pes| (0..3).all(|d| pes[d] <= size[d])).map(|pes| Self { size, pes });
        fitting.min_by_key(|d| (d.cost(), d.pes)).ok_or_else(|| {
            let [x, y, z] = size;
            format!("{x} × {y} × {z} cells cannot be divided among {n_pes} PEs so that each PE has a box of cells")
        })
    }

    /// Divides the box among this many PEs along x, y, z.
    pub fn with_pe_grid(size: [u32; 3], pes: [u32; 3]) -> Result<Self, String> {
        if (0..3).any(|d| pes[d] > size[d]) {
            let ([x, y, z], [px, py, pz]) = (size, pes);
            return Err(format!(
                "{x} × {y} × {z} cells cannot be divided among {px} × {py} × {pz} PEs: each PE needs a cell"
            ));
        }
        Ok(Self { size, pes })
    }

    fn cost(&self) -> u64 {
        let size = self.largest().map(u64::from);
        let cells: u64 = size.iter().product();
        let face = |d: usize| if self.divided()[d] { 2 * FACE_VALUES * cells / size[d] } else { 0 };
        u64::from(lbm_kernels::layout::VALUES_MOVED) * cells
            + ALONG_X_COST * face(0)
            + MESSAGE_COST * (face(1) + face(2))
    }

    /// Cells along x, y, z of the largest region.
    pub fn largest(&self) -> [u32; 3] {
        std::array::from_fn(|d| self.size[d].div_ceil(self.pes[d]))
    }

    /// Whether kernels can update the arrays of the largest region, and 32 bits can count the elements of its messages,
    /// for values of `bytes` bytes.
    pub fn fits(&self, bytes: usize) -> bool {
        let size = self.largest().map(u64::from);
        let cells: u64 = size.iter().product();
        let mut cut = (0..3).filter(|&d| self.divided()[d]);
        let shape = Shape::new(self.largest(), self.divided(), bytes);
        shape.is_some_and(|shape| shape.volume <= Part::MOST_ELEMENTS)
            && cut.all(|d| u32::try_from(MESSAGE_VALUES * cells / size[d]).is_ok())
    }

    /// The dimensions that are cut.
    pub fn divided(&self) -> [bool; 3] {
        self.pes.map(|n| n > 1)
    }

    pub fn n_pes(&self) -> u32 {
        self.pes.iter().product()
    }

    fn place(&self, pe: u32) -> [u32; 3] {
        let [px, py, _] = self.pes;
        [pe % px, pe / px % py, pe / px / py]
    }

    /// The region of PE `pe`.
    pub fn region(&self, pe: u32) -> Region {
        let place = self.place(pe);
        let share = |d: usize| {
            let (each, rest) = (self.size[d] / self.pes[d], self.size[d] % self.pes[d]);
            (each * place[d] + place[d].min(rest), each + u32::from(place[d] < rest))
        };
        Region { first: std::array::from_fn(|d| share(d).0), size: std::array::from_fn(|d| share(d).1) }
    }

    /// The neighbour of PE `pe` in direction `i` of the lattice. The same PE may be the neighbour in several
    /// directions.
    pub fn neighbour(&self, pe: u32, i: usize) -> u32 {
        let place = self.place(pe);
        let [x, y, z] = std::array::from_fn(|d| {
            let n = self.pes[d];
            (place[d] + n).wrapping_add_signed(DIRECTIONS[i][d]) % n
        });
        (z * self.pes[1] + y) * self.pes[0] + x
    }

    /// Lattice directions in which there are neighbours.
    pub fn sides(&self) -> impl Iterator<Item = usize> {
        let divided = self.divided();
        (1..DIRECTIONS.len()).filter(move |&i| (0..3).all(|d| DIRECTIONS[i][d] == 0 || divided[d]))
    }

    /// Layout of PE `pe`'s arrays, for values of `bytes` bytes.
    pub fn shape(&self, pe: u32, bytes: usize) -> Option<Shape> {
        Shape::new(self.region(pe).size, self.divided(), bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lbm_kernels::lattice::opposite;

    fn all() -> impl Iterator<Item = Decomposition> {
        let sizes = [[64, 64, 64], [5, 7, 11], [1, 40, 3], [100, 1, 1]];
        sizes.into_iter().flat_map(|size| (1..=16).filter_map(move |n| Decomposition::choose(size, n).ok()))
    }

    #[test]
    fn every_cell_has_one_owner_and_neighbours_agree() {
        for d in all() {
            let mut cells = 0u64;
            for pe in 0..d.n_pes() {
                let region = d.region(pe);
                assert!(region.size.iter().all(|&n| n > 0), "{d:?}");
                cells += region.size.iter().map(|&n| u64::from(n)).product::<u64>();
                for i in d.sides() {
                    let peer = d.neighbour(pe, i);
                    assert_eq!(d.neighbour(peer, opposite(i)), pe);
                    for (axis, step) in DIRECTIONS[i].into_iter().enumerate() {
                        let (own, there) = (d.region(pe), d.region(peer));
                        let behind = (own.first[axis] + own.size[axis]) % d.size[axis];
                        match step {
                            1 => assert_eq!(there.first[axis], behind, "{d:?} {pe} {i}"),
                            0 => assert_eq!((own.first[axis], own.size[axis]), (there.first[axis], there.size[axis])),
                            _ => {}
                        }
                    }
                }
            }
            assert_eq!(cells, d.size.iter().map(|&n| u64::from(n)).product::<u64>(), "{d:?}");
        }
    }

    #[test]
    fn z_is_cut_first_and_boxes_that_cannot_be_shared_are_refused() {
        let pes = |size, n| Decomposition::choose(size, n).map(|d| d.pes);
        assert_eq!(pes([256; 3], 2), Ok([1, 1, 2]));
        assert_eq!(pes([256; 3], 4), Ok([1, 1, 4]));
        assert_eq!(pes([8, 8, 1], 4), Ok([1, 4, 1]));
        assert!(pes([2, 2, 2], 3).unwrap_err().contains("2 × 2 × 2 cells"));
        assert!(Decomposition::with_pe_grid([2, 9, 9], [3, 1, 1]).is_err());
    }

    /// Catches a box whose arrays have more elements than kernels can update, or a thin one whose messages have more
    /// elements than 32 bits can count.
    #[test]
    fn regions_that_are_too_large_do_not_fit() {
        let fits = |size, pes| Decomposition { size, pes }.fits(4);
        assert!(fits([1024; 3], [1, 1, 1]) && fits([2048, 2048, 1024], [1, 1, 8]));
        assert!(!fits([2048, 2048, 1024], [1, 1, 1]) && !fits([65_536; 3], [1, 1, 1]));
        assert!(!fits([32_768, 32_768, 2], [1, 1, 2]) && fits([16_384, 16_384, 2], [1, 1, 2]));
    }
}
