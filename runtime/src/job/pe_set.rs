//! Sets of PEs: `size` PEs, each `stride` after the previous one, counted among all PEs of the job or in a list. Every
//! team is such a set, because splitting one gives another. Only if the numbers of this node's PEs are not evenly
//! spaced is there a list, which holds these PEs.

use super::Pe;

/// An ordered set of PEs of the job. A PE's position in the set is its number in the team.
///
/// ```
/// use cushmem::PeSet;
///
/// let even = PeSet::all(8).strided(0, 2, 4).expect("there are so many");
/// assert_eq!((even.size(), even.pe(3), even.number_of(6)), (4, Some(6), Some(3)));
/// assert_eq!(PeSet::all(8).active(0, 1, 4), Some(even));
/// assert_eq!(PeSet::all(8).strided(0, 2, 5), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeSet {
    start: u32,
    /// May be negative; 1 if there is only one PE.
    stride: i32,
    size: u32,
    /// The PEs that `start` and `stride` count; `None` stands for all PEs of the job.
    list: Option<&'static [u32]>,
}

impl PeSet {
    /// The set of these PEs. There must be at least one.
    pub(crate) fn listed(pes: Vec<u32>) -> Self {
        let (start, size) = (pes[0], pes.len() as u32);
        let stride = pes.get(1).map_or(1, |next| next.cast_signed() - start.cast_signed());
        let regular = Self { start, stride, size, list: None };
        if (0..).zip(&pes).all(|(number, pe)| regular.at(number).number() == *pe) {
            return regular;
        }
        // Leaked, but only once: a process joins one job.
        Self { start: 0, stride: 1, size, list: Some(pes.leak()) }
    }

    /// Returns the set of all PEs of a job.
    pub const fn all(n_pes: u32) -> Self {
        Self { start: 0, stride: 1, size: n_pes, list: None }
    }

    /// Returns the subset of `size` PEs that starts with number `start` of this set and continues with every `stride`th
    /// one. Returns `None` if the subset would be empty, contain a PE that does not exist, or contain a PE twice.
    pub fn strided(self, start: i32, stride: i32, size: i32) -> Option<Self> {
        let last = i64::from(start) + i64::from(stride) * (i64::from(size) - 1);
        let inside = |number: i64| (0..i64::from(self.size)).contains(&number);
        if size < 1 || !inside(start.into()) || !inside(last) || (size > 1 && stride == 0) {
            return None;
        }
        let stride = if size == 1 { 1 } else { stride * self.stride };
        let start = self.position(start.cast_unsigned());
        Some(Self { start, stride, size: size.cast_unsigned(), ..self })
    }

    /// Returns the active set of the PEs `start + i * 2^log_stride` for each `i` below `size`. Returns `None` in the
    /// same cases as [`PeSet::strided`].
    pub fn active(self, start: i32, log_stride: i32, size: i32) -> Option<Self> {
        let stride = u32::try_from(log_stride).ok().and_then(|shift| 1i32.checked_shl(shift)).filter(|&s| s > 0)?;
        self.strided(start, stride, size)
    }

    /// Returns the number of PEs in the set.
    #[inline(always)]
    pub const fn size(self) -> u32 {
        self.size
    }

    /// Returns the first PE and the distance from each PE to the next, which may be negative. For the team of a node
    /// whose PEs have irregular numbers, these are positions in the list of the node's PEs.
    pub const fn start_and_stride(self) -> (u32, i32) {
        (self.start, self.stride)
    }

    /// The first PE and the distance from each PE to the next, in numbers of the job, if the distances are equal.
    pub(crate) fn row(self) -> Option<(u32, i32)> {
        let number = |i| self.at(i).number();
        let stride = if self.size > 1 { number(1).cast_signed() - number(0).cast_signed() } else { 1 };
        let row = Self { start: number(0), stride, list: None, ..self };
        let is_it = self.list.is_none() || (0..self.size).all(|i| row.at(i) == self.at(i));
        is_it.then_some((row.start, row.stride))
    }

    /// Returns the PE of the job that has this number in the set.
    #[inline(always)]
    pub const fn pe(self, number: u32) -> Option<u32> {
        if number < self.size { Some(self.at(number).number()) } else { None }
    }

    /// Like [`PeSet::pe`], for a `number` that is known to be below the size.
    #[inline(always)]
    pub(crate) const fn at(self, number: u32) -> Pe {
        let position = self.position(number);
        Pe::member(match self.list {
            None => position,
            Some(list) => listed(list, position),
        })
    }

    #[inline(always)]
    const fn position(self, number: u32) -> u32 {
        self.start.wrapping_add(number.wrapping_mul(self.stride.cast_unsigned()))
    }

    /// Returns the number in the set of a PE of the job.
    #[inline]
    pub fn number_of(self, pe: u32) -> Option<u32> {
        let position = match self.list {
            None => i64::from(pe),
            Some(list) => list.iter().position(|listed| *listed == pe)? as i64,
        };
        let distance = position - i64::from(self.start);
        let number = distance / i64::from(self.stride);
        let found = (0..i64::from(self.size)).contains(&number) && number * i64::from(self.stride) == distance;
        found.then_some(number as u32)
    }
}

/// Few teams are sets of a list, so this is kept out of line.
#[cold]
#[inline(never)]
const fn listed(list: &[u32], position: u32) -> u32 {
    list[position as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn members(set: PeSet) -> Vec<u32> {
        (0..set.size()).map(|i| set.pe(i).expect("a member")).collect()
    }

    proptest! {
        /// Compares a set that was split from a set, twice over, with the same selection from a list of PEs, and checks
        /// the translation of numbers in both directions.
        #[test]
        fn sets_are_lists(
            n in 1u32..40,
            first in proptest::option::of(proptest::collection::hash_set(0u32..40, 1..20)),
            splits in proptest::collection::vec((-2i32..40, -5i32..6, -1i32..20), 1..4),
        ) {
            let (mut set, mut list) = match first {
                None => (PeSet::all(n), (0..n).collect::<Vec<_>>()),
                Some(pes) => (PeSet::listed(pes.iter().copied().collect()), pes.into_iter().collect()),
            };
            for (start, stride, size) in splits {
                let picked: Option<Vec<u32>> = (0..size)
                    .map(|i| usize::try_from(start + i * stride).ok().and_then(|at| list.get(at).copied()))
                    .collect();
                let valid = picked.filter(|p| !p.is_empty() && (p.len() == 1 || stride != 0));
                let split = set.strided(start, stride, size);
                prop_assert_eq!(split.map(members), valid.clone());
                let (Some(next), Some(pes)) = (split, valid) else { continue };
                (set, list) = (next, pes);
                for pe in 0..42 {
                    let number = list.iter().position(|&p| p == pe).map(|p| p as u32);
                    prop_assert_eq!(set.number_of(pe), number);
                }
                prop_assert_eq!(set.pe(set.size()), None);
            }
        }
    }

    #[test]
    fn sets_of_sets_multiply_their_distances() {
        let odd = PeSet::all(24).strided(1, 2, 12).expect("there are so many");
        let set = odd.strided(10, -3, 4).expect("there are so many");
        assert_eq!((set.start_and_stride(), members(set)), ((21, -6), vec![21, 15, 9, 3]));
        // A set of one PE has no distance.
        assert_eq!(set.strided(2, -5, 1).map(PeSet::start_and_stride), Some((9, 1)));
    }

    #[test]
    fn active_sets() {
        let all = PeSet::all(8);
        assert_eq!(all.active(1, 1, 4).map(members), Some(vec![1, 3, 5, 7]));
        assert_eq!(all.active(7, 30, 1).map(members), Some(vec![7]));
        let wrong = [(1, 1, 5), (0, 31, 1), (0, 32, 1), (0, -1, 2), (8, 0, 1), (0, 0, 0), (-1, 0, 2)];
        assert!(wrong.iter().all(|&(start, log_stride, size)| all.active(start, log_stride, size).is_none()));
    }
}
