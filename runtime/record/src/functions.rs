//! Names of the kernels that were launched.
//!
//! *Layout.* Entries of one size, in the order in which the names came; the head says how many are in use. The number
//! of a name is that of its entry, from 1 on, and 0 stands for none. Records without events have no entries.
//!
//! *Writing.* A name is written once, by a thread that holds the lock of the [`Recorder`](crate::Recorder) and has seen
//! that no entry has it. Then the thread raises the number of entries, with release, and lets go of the lock. Whoever
//! reads this number with acquire finds the names of all these entries as they were written, and they are never
//! changed, so looking a name up takes no lock. Only threads that do not find theirs wait for each other, and the one
//! that comes second sees what the first one has added. A PE that is killed while it writes leaves an entry that no
//! number counts. A name for which there is no entry left has number 0, as one that is not known.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most names.
pub(crate) const MOST_NAMES: usize = 64;
/// A name has up to 128 bytes.
pub(crate) const PER_NAME: usize = 16;
const _: () = assert!(MOST_NAMES < u8::MAX as usize);

/// The entries.
pub(crate) struct Functions<'a> {
    words: &'a [AtomicU64],
    used: &'a AtomicU64,
    adding: &'a Mutex<()>,
}

impl<'a> Functions<'a> {
    /// Those in these words, of which so many are `used`.
    pub(crate) fn new(words: &'a [AtomicU64], used: &'a AtomicU64, adding: &'a Mutex<()>) -> Self {
        Self { words, used, adding }
    }

    /// The number of a name, which becomes a new one if there is room.
    pub(crate) fn number(&self, name: &str) -> u8 {
        if self.words.is_empty() || name.is_empty() {
            return 0;
        }
        let name = packed(name);
        // SYNC(record-functions) acquire: pairs with the release in `add`.
        let seen = self.used.load(Ordering::Acquire) as usize;
        self.find(&name, 0..seen).unwrap_or_else(|| self.add(&name, seen))
    }

    fn find(&self, name: &[u64; PER_NAME], among: Range<usize>) -> Option<u8> {
        let entries = self.words.chunks_exact(PER_NAME).zip(1..).take(among.end).skip(among.start);
        // Relaxed: the caller has read how many there are.
        let has_name = |words: &[AtomicU64]| words.iter().zip(name).all(|(one, of)| one.load(Ordering::Relaxed) == *of);
        entries.filter(|(words, _)| has_name(words)).map(|(_, number)| number).next()
    }

    /// Adds a name that the first entries, which the caller has `seen`, do not have.
    #[cold]
    fn add(&self, name: &[u64; PER_NAME], seen: usize) -> u8 {
        // It protects no data that a panic could leave half written.
        let _alone = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        // Relaxed: it changes only with the lock held.
        let used = self.used.load(Ordering::Relaxed) as usize;
        if let Some(number) = self.find(name, seen..used) {
            return number;
        }
        let Some((entry, number)) = self.words.chunks_exact(PER_NAME).zip(1..).nth(used) else { return 0 };
        // Relaxed: nobody reads the entry before the number of entries.
        entry.iter().zip(name).for_each(|(word, of)| word.store(*of, Ordering::Relaxed));
        // SYNC(record-functions) release: whoever reads the number of entries reads their names.
        self.used.store(used as u64 + 1, Ordering::Release);
        number
    }
}

/// A text in words, with zeros behind it. What is too long is cut, and ends with an ellipsis.
pub(crate) fn packed<const WORDS: usize>(text: &str) -> [u64; WORDS] {
    const CUT: &str = "…";
    let room = WORDS * 8;
    let (text, end) = match text.len() <= room {
        true => (text, ""),
        false => (&text[..text.floor_char_boundary(room - CUT.len())], CUT),
    };
    let mut bytes = text.bytes().chain(end.bytes());
    std::array::from_fn(|_| u64::from_le_bytes(std::array::from_fn(|_| bytes.next().unwrap_or(0))))
}

/// The text in these words, which may be damaged.
pub(crate) fn unpacked(words: &[u64]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn words(names: usize) -> Vec<AtomicU64> {
        (0..names * PER_NAME).map(|_| AtomicU64::new(0)).collect()
    }

    fn text(words: &[AtomicU64], number: u8) -> String {
        let entry = &words[(usize::from(number) - 1) * PER_NAME..][..PER_NAME];
        unpacked(&entry.iter().map(|word| word.load(Ordering::Relaxed)).collect::<Vec<_>>())
    }

    /// Catches a name with two numbers because another thread has just added it, a thread that adds one while another
    /// one does, and one that waits although it adds nothing.
    #[test]
    fn names_are_added_by_one_thread_at_a_time() {
        let (words, used, adding) = (words(8), AtomicU64::new(0), Mutex::default());
        let functions = Functions::new(&words, &used, &adding);
        assert_eq!(["step", "rim"].map(|name| functions.number(name)), [1, 2]);
        assert_eq!([0, 1].map(|seen| functions.add(&packed("rim"), seen)), [2, 2], "it was added meanwhile");
        let held = adding.lock().expect("nobody panics");
        std::thread::scope(|scope| {
            assert_eq!(functions.number("step"), 1, "a name that is there needs no lock");
            let other = scope.spawn(|| functions.number("other"));
            std::thread::sleep(Duration::from_millis(100));
            assert_eq!((used.load(Ordering::Relaxed), other.is_finished()), (2, false), "it has not waited");
            drop(held);
            assert_eq!(other.join().expect("it ends"), 3);
        });
    }

    /// Catches a number of names that comes before the last name is whole.
    #[test]
    fn whoever_knows_the_number_of_names_knows_the_names() {
        let name = |number: usize| format!("{number:03}{}", "x".repeat(PER_NAME * 8 - 3));
        for _ in 0..100 {
            let (words, used, adding) = (words(MOST_NAMES), AtomicU64::new(0), Mutex::default());
            let functions = Functions::new(&words, &used, &adding);
            let start = std::sync::Barrier::new(2);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    start.wait();
                    (0..MOST_NAMES).for_each(|number| _ = functions.number(&name(number)));
                });
                start.wait();
                let mut last = 0;
                while last < MOST_NAMES {
                    last = used.load(Ordering::Acquire) as usize;
                    let entry = &words[last.saturating_sub(1) * PER_NAME..][..PER_NAME];
                    let is_whole = last == 0 || entry.iter().rev().all(|word| word.load(Ordering::Relaxed) != 0);
                    assert!(is_whole, "the name with number {last}");
                }
            });
            assert!((0..MOST_NAMES).all(|number| text(&words, number as u8 + 1) == name(number)));
        }
    }

    /// Catches names that overwrite others, and ones that become others because they are long or there are too many.
    #[test]
    fn what_has_no_room_is_no_other_name() {
        let (words, used, adding) = (words(3), AtomicU64::new(0), Mutex::default());
        let functions = Functions::new(&words, &used, &adding);
        let (whole, long) = ("a".repeat(PER_NAME * 8), "ä".repeat(100));
        let numbers = ["step", "", &whole, &long, "more", "step", &long].map(|name| functions.number(name));
        assert_eq!(numbers, [1, 0, 2, 3, 0, 1, 3]);
        assert_eq!([1, 2, 3].map(|number| text(&words, number)), ["step", &whole, &format!("{}…", "ä".repeat(62))]);
        assert_eq!(Functions::new(&[], &used, &adding).number("step"), 0);
    }
}
