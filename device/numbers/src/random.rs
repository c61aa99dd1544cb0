//! SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). The numbers of a seed are part of what some programs promise, so
//! they never change.

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number that looks random and is a different one for each `number`: every bit depends on every bit of `number`.
#[inline(always)]
pub const fn mixed(number: u64) -> u64 {
    let x = number.wrapping_add(STEP);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A sequence of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another sequence, which depends on the key and on what has been drawn from this one.
    pub const fn split(&self, key: u64) -> Self {
        Self(mixed(self.0 ^ mixed(key)))
    }

    /// Any number.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        let bits = mixed(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// A number below `limit`; 0 if `limit` is 0.
    #[inline]
    pub const fn below(&mut self, limit: usize) -> usize {
        ((self.bits() as u128 * limit as u128) >> 64) as usize
    }

    /// One of at least one value.
    pub const fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Puts values into any order.
    pub const fn shuffle<T>(&mut self, all: &mut [T]) {
        let mut len = all.len();
        while len > 1 {
            len -= 1;
            let other = self.below(len + 1);
            all.swap(len, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_published_ones() {
        let mut random = Random::new(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(published.map(|_| random.bits()), published);
        assert_eq!(mixed(1_234_567), published[0]);
    }

    /// Catches limits that cannot be drawn up to, or are reached.
    #[test]
    fn each_number_below_a_limit_is_drawn_equally_often() {
        let mut random = Random::new(7);
        for limit in [1, 2, 3, 10] {
            let mut drawn = [0; 10];
            (0..1000 * limit).for_each(|_| drawn[random.below(limit)] += 1);
            assert!(drawn[..limit].iter().all(|times| (900..1100).contains(times)), "{limit}: {drawn:?}");
        }
        assert_eq!(random.below(0), 0);
        let (half, mut above) = (usize::MAX / 2, 0);
        (0..1000).for_each(|_| above += usize::from(random.below(usize::MAX) > half));
        assert!((400..600).contains(&above), "{above} of 1000 in the upper half");
    }

    #[test]
    fn each_order_is_drawn() {
        let (mut random, mut seen) = (Random::new(3), [0; 27]);
        for _ in 0..600 {
            let mut order = [0, 1, 2];
            random.shuffle(&mut order);
            seen[order[0] + 3 * order[1] + 9 * order[2]] += 1;
        }
        assert_eq!(seen.iter().filter(|times| (70..130).contains(*times)).count(), 6, "{seen:?}");
        assert_eq!(seen.iter().sum::<u32>(), 600);
        random.shuffle::<u8>(&mut []);
    }

    #[test]
    fn sequences_differ_by_key_and_by_what_was_drawn_before() {
        let mut random = Random::new(5);
        let (one, other) = (random.split(1), random.split(2));
        random.bits();
        let later = random.split(1);
        assert!(one != other && one != later && other != later);
        assert_eq!(one, Random::new(5).split(1));
        // The step of one seed is not that of its neighbour.
        assert_ne!(Random::new(6).split(0), Random::new(5).split(1));
        assert_ne!(Random::new(4).split(1), Random::new(5).split(0));
    }
}
