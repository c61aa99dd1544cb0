//! Pages of the program's host memory that were pinned for what it registered.
//!
//! Ranges need not begin or end with a page, so neighbours have pages in common, and a page is pinned once. So a range
//! pins those of its pages that are not pinned yet, in as many pieces as that takes, and a piece is unpinned with the
//! last range that has one of its pages.

use std::ops::Range;

const PAGE: u64 = 4096;

/// The pieces that are pinned, by address.
#[derive(Default)]
pub(super) struct Pins(Vec<Range<u64>>);

/// The whole pages of a range of bytes.
fn pages(start: u64, bytes: u64) -> Range<u64> {
    start / PAGE * PAGE..(start + bytes).next_multiple_of(PAGE)
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Pins {
    /// What is still to be pinned for a range, in the order of the addresses.
    pub(super) fn missing(&self, start: u64, bytes: u64) -> Vec<Range<u64>> {
        let (mut missing, mut rest) = (vec![], pages(start, bytes));
        for pin in self.0.iter().filter(|pin| overlap(pin, &pages(start, bytes))) {
            missing.extend((rest.start < pin.start).then_some(rest.start..pin.start));
            rest.start = pin.end;
        }
        missing.extend((rest.start < rest.end).then_some(rest));
        missing
    }

    /// Notes a piece that was pinned.
    pub(super) fn add(&mut self, piece: Range<u64>) {
        let at = self.0.partition_point(|pin| pin.start < piece.start);
        self.0.insert(at, piece);
    }

    /// Takes the pieces of a range that is gone, but for those that one of the `others`, with start and bytes, needs.
    pub(super) fn take(&mut self, start: u64, bytes: u64, others: &[(u64, u64)]) -> Vec<Range<u64>> {
        let gone = pages(start, bytes);
        let is_needed = |pin: &Range<u64>| others.iter().any(|&(start, bytes)| overlap(pin, &pages(start, bytes)));
        self.0.extract_if(.., |pin| overlap(pin, &gone) && !is_needed(pin)).collect()
    }

    /// Whether these bytes lie in a piece, but not all in the same one: an engine refuses such a range.
    pub(super) fn cut(&self, address: u64, bytes: u64) -> bool {
        let range = address..address.saturating_add(bytes);
        self.0.iter().any(|pin| overlap(pin, &range) && !(pin.start <= range.start && range.end <= pin.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: u64 = PAGE;

    /// Pieces by the numbers of their pages.
    fn by_page(pieces: Vec<Range<u64>>) -> Vec<(u64, u64)> {
        pieces.into_iter().map(|piece| (piece.start / P, piece.end / P)).collect()
    }

    /// Catches a page that two ranges have, if it is pinned twice, or unpinned with the first of them.
    #[test]
    fn a_page_that_ranges_share_is_pinned_once_and_as_long_as_either_is_there() {
        let mut pins = Pins::default();
        let (a, b, inside) = ((10 * P + 100, 5000), (11 * P + 1104, 5000), (11 * P + 1050, 20));
        assert_eq!(by_page(pins.missing(a.0, a.1)), [(10, 12)]);
        pins.add(10 * P..12 * P);
        assert_eq!(by_page(pins.missing(b.0, b.1)), [(12, 13)]);
        pins.add(12 * P..13 * P);
        assert_eq!(by_page(pins.missing(inside.0, inside.1)), []);
        assert!(pins.cut(b.0, b.1) && !pins.cut(a.0, a.1) && !pins.cut(20 * P, 1));
        assert_eq!(by_page(pins.take(a.0, a.1, &[b, inside])), []);
        assert_eq!(by_page(pins.take(b.0, b.1, &[inside])), [(12, 13)]);
        assert_eq!(by_page(pins.take(inside.0, inside.1, &[])), [(10, 12)]);
        assert!(pins.0.is_empty());
    }

    /// Catches a page between others that is left out.
    #[test]
    fn what_lies_between_pieces_is_missing() {
        let mut pins = Pins::default();
        for page in [6, 2] {
            pins.add(page * P..(page + 1) * P);
        }
        assert_eq!(by_page(pins.missing(P, 8 * P)), [(1, 2), (3, 6), (7, 9)]);
        assert_eq!(by_page(pins.missing(2 * P, P)), []);
        assert_eq!(by_page(pins.missing(7 * P - 1, 2)), [(7, 8)]);
        assert_eq!(by_page(pins.missing(3 * P, 3 * P)), [(3, 6)]);
    }
}
