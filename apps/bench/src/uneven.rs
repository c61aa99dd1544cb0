//! Exchanges of unequal size: each PE has so many tokens, and sends three times as many to some PEs as to others.

use cushmem::Shmem;

/// The tokens that each PE sends.
pub const TOKENS: [usize; 5] = [8, 64, 256, 1024, 4096];
/// The elements of a token: 7 KiB.
pub const TOKEN: usize = 1792;

/// One exchange, as a PE sees it.
pub struct Uneven {
    me: u32,
    n_pes: u32,
    tokens: usize,
    width: usize,
}

impl Uneven {
    /// An exchange of tokens of `width` elements.
    pub fn new(shmem: &Shmem, tokens: usize, width: usize) -> Self {
        Self { me: shmem.my_pe(), n_pes: shmem.n_pes(), tokens, width }
    }

    /// How many tokens a PE sends to another one.
    fn count(&self, from: u32, to: u32) -> usize {
        let weight = |to: u32| 1 + (from as usize + 2 * to as usize) % 3;
        let all: usize = (0..self.n_pes).map(weight).sum();
        self.tokens * weight(to) / all
    }

    /// How many tokens each PE has sent to this one, and where they start in the dest.
    fn came(&self) -> Vec<(usize, usize)> {
        let mut end = 0;
        let of = |from| {
            let (count, start) = (self.count(from, self.me), end);
            end += count;
            (count, start)
        };
        (0..self.n_pes).map(of).collect()
    }

    /// How many tokens this PE sends to each, and then where they start.
    pub fn splits(&self) -> Vec<u64> {
        let counts: Vec<_> = (0..self.n_pes).map(|to| self.count(self.me, to) as u64).collect();
        let starts = counts.iter().scan(0, |end, count| Some(std::mem::replace(end, *end + count)));
        counts.iter().copied().chain(starts).collect()
    }

    /// How many tokens this PE gets from each, and then where they start.
    pub fn dest_splits(&self) -> Vec<u64> {
        let (counts, starts): (Vec<_>, Vec<_>) = self.came().into_iter().unzip();
        counts.into_iter().chain(starts).map(|number| number as u64).collect()
    }

    /// The elements that this PE gets.
    pub fn elements(&self) -> usize {
        self.came().iter().map(|(count, _)| count).sum::<usize>() * self.width
    }

    /// The most bytes that a PE sends to another one.
    pub fn largest_bytes(&self) -> usize {
        let pes = || 0..self.n_pes;
        let between = pes().flat_map(|from| pes().filter(move |to| *to != from).map(move |to| (from, to)));
        between.map(|(from, to)| self.count(from, to)).max().unwrap_or(0) * self.width * size_of::<f32>()
    }

    /// What element of which PE's source each element of the dest is.
    pub fn sources(&self) -> impl Fn(usize) -> (u32, usize) {
        let came = self.came();
        let before = |pe| (0..self.me).map(|to| self.count(pe, to)).sum::<usize>();
        let first: Vec<_> = (0..self.n_pes).map(before).collect();
        let width = self.width;
        move |i| {
            let row = i / width;
            let pe = came.iter().rposition(|(count, start)| *start <= row && *count > 0).unwrap_or(0);
            (pe as u32, (first[pe] + row - came[pe].1) * width + i % width)
        }
    }
}
