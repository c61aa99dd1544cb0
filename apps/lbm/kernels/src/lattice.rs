//! The two lattices: the order of directions, the weights, and which values a neighbour needs.

/// Directions of the lattice for the order parameter: the first of [`DIRECTIONS`].
pub const Q7: usize = 7;
/// Directions of the lattice for momentum.
pub const Q19: usize = 19;
/// Pairs of opposite directions: `2 p + 1` and `2 p + 2`.
pub const PAIRS: usize = 9;

/// Steps in x, y and z. Direction 0 rests; an odd one and the next are opposite.
pub const DIRECTIONS: [[i32; 3]; Q19] = [
    [0, 0, 0],
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
    [1, 1, 0],
    [-1, -1, 0],
    [1, -1, 0],
    [-1, 1, 0],
    [1, 0, 1],
    [-1, 0, -1],
    [1, 0, -1],
    [-1, 0, 1],
    [0, 1, 1],
    [0, -1, -1],
    [0, 1, -1],
    [0, -1, 1],
];

/// Weights of the lattice for momentum: at rest, to the 6 faces, to the 12 edges.
pub const AT_REST: f64 = 1.0 / 3.0;
/// See [`AT_REST`].
pub const TO_FACE: f64 = 1.0 / 18.0;
/// See [`AT_REST`].
pub const TO_EDGE: f64 = 1.0 / 36.0;

/// The direction back.
pub const fn opposite(i: usize) -> usize {
    if i == 0 { 0 } else { ((i - 1) ^ 1) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a direction with the wrong sign, or one that occurs twice.
    #[test]
    fn directions_are_pairs_of_faces_and_edges() {
        for (i, c) in DIRECTIONS.iter().enumerate() {
            assert_eq!(DIRECTIONS[opposite(i)], c.map(|v| -v));
            let length: i32 = c.iter().map(|v| v * v).sum();
            assert_eq!(
                length,
                if i == 0 {
                    0
                } else if i < Q7 {
                    1
                } else {
                    2
                }
            );
            assert_eq!(DIRECTIONS.iter().filter(|d| *d == c).count(), 1);
        }
    }

    /// Catches wrong weights: zeroth, second and fourth moment of the lattice are 1, 1/3 and 1/9 (isotropic).
    #[test]
    fn weights_have_isotropic_moments() {
        let weight = |i: usize| {
            if i == 0 {
                AT_REST
            } else if i < Q7 {
                TO_FACE
            } else {
                TO_EDGE
            }
        };
        let moment =
            |f: fn([f64; 3]) -> f64| -> f64 { (0..Q19).map(|i| weight(i) * f(DIRECTIONS[i].map(f64::from))).sum() };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
        near(moment(|_| 1.0), 1.0);
        near(moment(|c| c[1] * c[1]), 1.0 / 3.0);
        near(moment(|c| c[0] * c[2]), 0.0);
        near(moment(|c| c[0] * c[0] * c[2] * c[2]), 1.0 / 9.0);
        near(moment(|c| c[0].powi(4)), 1.0 / 3.0);
    }
}
