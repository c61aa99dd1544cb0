use super::*;
use proptest::prelude::*;

const RESERVED: u64 = 4096;
const LIMIT: u64 = 1 << 16;

#[derive(Clone, Debug)]
enum Step {
    Allocate(u64),
    Free(prop::sample::Index),
    Resize(prop::sample::Index, u64),
    /// This many units after the last object.
    Divide(u64),
    /// For an object of this many bytes.
    Join(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0u64..5000).prop_map(Step::Allocate),
        2 => any::<prop::sample::Index>().prop_map(Step::Free),
        1 => (any::<prop::sample::Index>(), 0u64..5000).prop_map(|(which, bytes)| Step::Resize(which, bytes)),
        1 => (0u64..20).prop_map(Step::Divide),
        1 => (0u64..20_000).prop_map(Step::Join),
    ]
}

/// By byte, the object to which it belongs, as a naive allocator would record it.
struct Map {
    owner: Vec<u64>,
    freed: Vec<bool>,
}

impl Map {
    fn set(&mut self, offset: u64, bytes: u64, owner: u64) {
        let range = offset as usize..(offset + bytes) as usize;
        self.owner[range].fill(owner);
    }

    /// Notes that there is an object here now.
    fn remember(&mut self, offset: u64, bytes: u64) {
        let end = offset + bytes.max(1).next_multiple_of(ALIGNMENT);
        self.freed[offset as usize..end as usize].fill(false);
    }

    fn find(&self, offset: u64) -> Found {
        let at = offset as usize;
        match self.owner[at] {
            0 if self.freed[at] => Found::Freed,
            0 => Found::Nothing,
            owner => Found::Object(self.owner[at..].iter().take_while(|o| **o == owner).count() as u64),
        }
    }
}

proptest! {
    /// Catches overlapping objects, objects in the reserved part or past the end, a choice that differs between two
    /// PEs, a resized object that grows into another one's space, an object across a border, and a byte that is
    /// misclassified.
    #[test]
    fn objects_are_disjoint_and_the_same_everywhere(check: bool, steps in prop::collection::vec(step(), 1..200), asked in prop::collection::vec(0..LIMIT, 20)) {
        let (mut a, mut b) = (Heap::new(RESERVED, LIMIT, check), Heap::new(RESERVED, LIMIT, check));
        prop_assert_eq!(a.limit(), LIMIT);
        let apart = if check { GAP * ALIGNMENT } else { 0 };
        let mut live: BTreeMap<u64, u64> = BTreeMap::new();
        let mut borders: BTreeSet<u64> = BTreeSet::new();
        let mut map = Map { owner: vec![0; LIMIT as usize], freed: vec![false; LIMIT as usize] };
        for (number, step) in (1..).zip(steps) {
            let nth = |which: prop::sample::Index| live.iter().nth(which.index(live.len())).map(|(o, b)| (*o, *b)).unwrap();
            match step {
                Step::Free(which) if !live.is_empty() => {
                    let (offset, bytes) = nth(which);
                    live.remove(&offset);
                    prop_assert!(a.free(offset) && b.free(offset) && !a.free(offset) && !a.free(offset + 1));
                    map.set(offset, bytes, 0);
                    map.remember(offset, bytes);
                    map.freed[offset as usize..(offset + bytes.max(1)) as usize].fill(true);
                }
                Step::Resize(which, bytes) if !live.is_empty() => {
                    let (offset, old) = nth(which);
                    let done = a.resize(offset, bytes);
                    prop_assert_eq!(done, b.resize(offset, bytes));
                    let end = |bytes: u64| offset + bytes.max(1).next_multiple_of(ALIGNMENT) + apart;
                    let next = live.range(offset + 1..).next().map_or(LIMIT, |(next, _)| *next);
                    let crossed = borders.range(offset + 1..end(bytes)).next().is_some();
                    prop_assert_eq!(done, end(bytes) <= next && !crossed, "{} bytes after {}", bytes, old);
                    if done {
                        map.set(offset, old, 0);
                        map.set(offset, bytes, number);
                        map.remember(offset, bytes);
                        live.insert(offset, bytes);
                    }
                }
                Step::Allocate(bytes) => {
                    let alignment = 1 << (bytes % 13);
                    let offset = a.allocate(bytes, alignment, number);
                    prop_assert_eq!(offset, b.allocate(bytes, alignment, number));
                    if let Some(offset) = offset {
                        prop_assert!(borders.range(offset + 1..offset + bytes.max(1) + apart).next().is_none());
                        prop_assert!(offset >= RESERVED && offset + bytes <= LIMIT && offset % ALIGNMENT == 0 && offset % alignment == 0);
                        prop_assert!(live.range(..=offset).next_back().is_none_or(|(o, s)| o + s.max(&1) + apart <= offset));
                        prop_assert!(live.range(offset..).next().is_none_or(|(o, _)| offset + bytes.max(1) + apart <= *o));
                        live.insert(offset, bytes);
                        map.set(offset, bytes, number);
                        map.remember(offset, bytes);
                    }
                }
                Step::Divide(units) => {
                    let border = a.end().max(RESERVED) + units * ALIGNMENT;
                    a.divide(border);
                    b.divide(border);
                    borders.insert(border);
                }
                Step::Join(bytes) => {
                    let joined = a.joinable(bytes, 1);
                    prop_assert_eq!(&joined, &b.joinable(bytes, 1));
                    let taken = |o: &u64, s: &u64| *o..*o + s.max(&1).next_multiple_of(ALIGNMENT) + apart;
                    let ends = [RESERVED].into_iter().chain(borders.iter().copied()).chain([LIMIT]).filter(|at| (RESERVED..=LIMIT).contains(at));
                    let ends: Vec<u64> = ends.collect::<BTreeSet<_>>().into_iter().collect();
                    let is_free = |part: &[u64]| live.iter().map(|(o, s)| taken(o, s)).all(|t| t.end <= part[0] || t.start >= part[1]);
                    let runs = ends.windows(2).collect::<Vec<_>>();
                    let found = (0..runs.len()).find_map(|from| {
                        let run = runs[from..].iter().take_while(|part| is_free(part)).map(|part| part[1]);
                        let end = run.skip(1).find(|end| *end - runs[from][0] >= bytes.max(1).next_multiple_of(ALIGNMENT) + apart)?;
                        Some(runs[from][0]..end)
                    });
                    prop_assert_eq!(&joined, &found);
                    if let Some(range) = joined {
                        borders.retain(|border| *border <= range.start || *border >= range.end);
                        a.join(range.clone());
                        b.join(range);
                    }
                }
                _ => {}
            }
            prop_assert_eq!(a.objects().map(|(o, object)| (o, object.bytes)).collect::<Vec<_>>(), live.clone().into_iter().collect::<Vec<_>>());
            for offset in &asked {
                let found = match map.find(*offset) {
                    Found::Freed if !check => Found::Nothing,
                    other => other,
                };
                prop_assert_eq!(a.find(*offset), found, "at {}", offset);
            }
        }
        for offset in live.into_keys() {
            a.free(offset);
        }
        a.join(0..LIMIT);
        prop_assert_eq!(a.allocate(LIMIT - RESERVED - apart, 1, 0), Some(RESERVED), "freed parts were not joined again");
    }
}

/// Catches an alignment that asks for more than the object's own bytes at a multiple of it, and one that is too large
/// for numbers.
#[test]
fn an_alignment_needs_no_more_room_than_there_is() {
    let units = |n: u64| n * ALIGNMENT;
    let mut heap = Heap::new(0, units(64), false);
    assert_eq!(heap.allocate(units(1), units(64), 1), Some(0));
    assert_eq!(heap.allocate(units(32), units(32), 2), Some(units(32)), "one multiple is left, and 32 units behind it");
    assert_eq!(heap.allocate(1, units(32), 3), None, "no multiple is left");
    assert_eq!(heap.allocate(1, 1 << 63, 3), None);
    assert_eq!(heap.allocate(units(16), units(16), 3), Some(units(16)));
    assert_eq!(heap.allocate(units(15), 1, 4), Some(units(1)), "the room before it can be used");
    assert!([0, 16].iter().all(|at| heap.free(units(*at))));
    heap.divide(units(64));
    assert_eq!(heap.allocate(units(16), units(32), 5), None, "the multiple at 0 has one unit");
}

#[test]
fn the_smallest_part_that_fits_is_taken() {
    let units = |n: u64| n * ALIGNMENT;
    let mut heap = Heap::new(0, units(64), false);
    // Three freed parts, each followed by an object, and the rest of the heap.
    let sizes = [4, 1, 2, 1, 8, 1];
    let places: Vec<u64> = (1..).zip(sizes).map(|(number, n)| heap.allocate(units(n), 1, number).unwrap()).collect();
    assert_eq!(places, [0, 4, 5, 7, 8, 16].map(units));
    assert_eq!(heap.get(units(8)).map(|object| (object.bytes, object.number)), Some((units(8), 5)));
    assert!([0, 5, 8].iter().all(|at| heap.free(units(*at))));
    // No part below that end is long enough.
    assert_eq!(heap.allocate_below(units(8), units(5), 1, 7), None);
    assert_eq!(heap.allocate(units(9), 1, 7), Some(units(17)));
    assert_eq!(heap.allocate(units(2), 1, 8), Some(units(5)));
    assert_eq!(heap.allocate(units(3), 1, 9), Some(0));
    assert_eq!(heap.allocate_below(units(16), units(1), 1, 10), Some(units(3)));
}
