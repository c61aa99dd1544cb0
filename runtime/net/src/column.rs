//! A list of numbers that takes little room if they are equal or short.

/// Numbers by place, from 0. In a large job there is one for each peer, and most peers are never used.
pub(crate) struct Column {
    count: usize,
    numbers: Numbers,
}

enum Numbers {
    /// All of them are this one.
    Same(u64),
    Short(Vec<u32>),
    Long(Vec<u64>),
}

impl Default for Column {
    fn default() -> Self {
        Self { count: 0, numbers: Numbers::Same(0) }
    }
}

impl Column {
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The number at a place, which there has to be.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> u64 {
        match &self.numbers {
            Numbers::Same(number) => *number,
            Numbers::Short(numbers) => numbers[place].into(),
            Numbers::Long(numbers) => numbers[place],
        }
    }

    /// Puts a number in front of the one that has this place, or behind all.
    pub(crate) fn insert(&mut self, place: usize, number: u64) {
        match (&mut self.numbers, u32::try_from(number)) {
            (Numbers::Same(same), _) if *same == number => {}
            (Numbers::Same(same), _) if self.count == 0 => *same = number,
            (Numbers::Same(same), Ok(short)) if let Ok(same) = u32::try_from(*same) => {
                let mut numbers = vec![same; self.count];
                insert(&mut numbers, place, short);
                self.numbers = Numbers::Short(numbers);
            }
            (Numbers::Short(numbers), Ok(short)) => insert(numbers, place, short),
            (Numbers::Long(numbers), _) => insert(numbers, place, number),
            _ => {
                let mut numbers: Vec<u64> = (0..self.count).map(|place| self.get(place)).collect();
                insert(&mut numbers, place, number);
                self.numbers = Numbers::Long(numbers);
            }
        }
        self.count += 1;
    }

    pub(crate) fn push(&mut self, number: u64) {
        self.insert(self.count, number);
    }

    /// Drops all numbers but the first ones.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
        match &mut self.numbers {
            Numbers::Same(_) => {}
            Numbers::Short(numbers) => numbers.truncate(count),
            Numbers::Long(numbers) => numbers.truncate(count),
        }
    }

    /// What the numbers take in memory, besides this structure.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        match &self.numbers {
            Numbers::Same(_) => 0,
            Numbers::Short(numbers) => size_of::<u32>() * numbers.capacity(),
            Numbers::Long(numbers) => size_of::<u64>() * numbers.capacity(),
        }
    }
}

/// Inserts into a vector, which gets little room for more: one that grows by itself would have up to twice as much.
pub(crate) fn insert<T>(all: &mut Vec<T>, place: usize, one: T) {
    if all.len() == all.capacity() {
        all.reserve_exact(1 + all.len() / 32);
    }
    all.insert(place, one);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a number that changes when the list takes another form, at each place.
    #[test]
    fn numbers_stay_what_they_are() {
        const SHORT: u64 = u32::MAX as u64;
        let lists: [&[u64]; 7] = [
            &[0, 0, 0],
            &[SHORT + 1, SHORT + 1, 7, 0],
            &[5, 5, SHORT, 6, SHORT + 1, 1],
            &[5, u64::MAX, 5],
            &[SHORT, SHORT, SHORT + 1],
            &[u64::MAX],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, SHORT + 7],
        ];
        for list in lists {
            for places in [|_: usize| 0, |count| count, |count| count / 2] {
                let (mut column, mut expected) = (Column::default(), Vec::new());
                for number in list {
                    let place = places(column.count());
                    column.insert(place, *number);
                    expected.insert(place, *number);
                    let all: Vec<u64> = (0..column.count()).map(|place| column.get(place)).collect();
                    assert_eq!(all, expected, "{list:?}");
                }
                column.truncate(list.len() - 1);
                column.push(3);
                expected[list.len() - 1] = 3;
                assert_eq!((0..column.count()).map(|place| column.get(place)).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn equal_numbers_cost_nothing_and_short_ones_half() {
        let column = |number: fn(u64) -> u64| {
            let mut column = Column::default();
            (0..8000).for_each(|place| column.push(number(place)));
            column.bytes() / 1000
        };
        assert_eq!(column(|_| 1 << 40), 0);
        assert!((32..=33).contains(&column(|place| place)));
        assert!((64..=66).contains(&column(|place| place << 40)));
    }
}
