//! Names that nobody reads, most likely misspelt.

use crate::{Audience, TABLE, Variable};
use std::fmt;

/// What all names of this project's own begin with.
const PREFIX: &str = "CUSHMEM_";

/// A variable that looks like one of ours and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// The known one that it resembles most, if it resembles one.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: there is no such variable", self.name)?;
        match self.nearest {
            Some(nearest) => write!(f, ", did you mean {nearest}?"),
            None => write!(f, " (shmem-info lists all)"),
        }
    }
}

/// Those of `names` that begin with `CUSHMEM_` and are not in the table, in alphabetical order.
pub fn unknown(names: impl IntoIterator<Item = String>) -> Vec<Unknown> {
    let stranger = |name: &String| name.starts_with(PREFIX) && !TABLE.iter().any(|v| v.name == name);
    let mut found: Vec<Unknown> = names
        .into_iter()
        .filter(stranger)
        .map(|name| {
            let nearest = nearest(&name);
            Unknown { name, nearest }
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The known name with the fewest edits, if they are at most half of the word: further away it is only a guess.
fn nearest(name: &str) -> Option<&'static str> {
    let word = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).chars().count();
    let near = |variable: &&&Variable| {
        let limit = word(name).min(word(variable.name)) / 2;
        distance(name, variable.name) <= limit
    };
    let settable = TABLE.iter().filter(|v| v.audience != Audience::Internal);
    settable.filter(near).map(|v| v.name).min_by_key(|known| distance(name, known))
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other, case aside.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_uppercase().into_bytes(), b.to_ascii_uppercase().into_bytes());
    // rows[i][j]: distance of the first i bytes of `a` from the first j of `b`.
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let other = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + other);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(name: &str) -> Option<&'static str> {
        let found = unknown([name.to_owned()]);
        assert_eq!(found.len(), 1, "{name}");
        found[0].nearest
    }

    #[test]
    fn misspelt_names_find_the_right_one() {
        for (wrong, right) in [
            ("CUSHMEM_GPUS", "CUSHMEM_GPU"),
            ("CUSHMEM_GUP", "CUSHMEM_GPU"),
            ("CUSHMEM_HEAP_SIZE", "CUSHMEM_GPU_HEAP_SIZE"),
            ("CUSHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_SIZE"),
            ("CUSHMEM_WAIT_LIMIT", "CUSHMEM_WAIT_LIMIT_S"),
            ("CUSHMEM_gpu", "CUSHMEM_GPU"),
        ] {
            assert_eq!(nearest_of(wrong), Some(right), "{wrong}");
        }
    }

    #[test]
    fn what_resembles_nothing_gets_no_suggestion() {
        for wrong in ["CUSHMEM_", "CUSHMEM_X", "CUSHMEM_FOO", "CUSHMEM_COLOUR_OF_THE_SKY"] {
            assert_eq!(nearest_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn known_names_and_those_of_others_are_fine() {
        let others = ["PATH", "SHMEM_SYMMETRIC_SIZ", "cushmem_gpu", "XCUSHMEM_GPU"];
        let names = TABLE.iter().map(|v| v.name).chain(others).map(str::to_owned);
        assert_eq!(unknown(names), []);
    }

    #[test]
    fn distances_count_edits() {
        for (a, b, n) in [("", "", 0), ("", "abc", 3), ("abc", "abd", 1), ("abc", "acb", 1), ("kitten", "sitting", 3)] {
            assert_eq!((distance(a, b), distance(b, a)), (n, n), "{a} {b}");
        }
    }
}
