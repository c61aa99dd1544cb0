//! Warns about unknown `CUSHMEM_` variables, which are most likely misspelt.

use crate::{Audience, TABLE, Variable};
use std::fmt;

/// The prefix of this project's own variables.
const PREFIX: &str = "CUSHMEM_";

/// A `CUSHMEM_` variable that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// The known name that is most similar, if one is similar enough.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: unknown variable", self.name)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean {nearest}?"),
            None => write!(f, " (shmem-info lists all variables)"),
        }
    }
}

/// Those of `names` that begin with `CUSHMEM_` and are not in the table, in alphabetical order.
pub fn unknown(names: impl IntoIterator<Item = String>) -> Vec<Unknown> {
    let is_unknown = |name: &String| name.starts_with(PREFIX) && !TABLE.iter().any(|v| v.name == name);
    let mut found: Vec<Unknown> = names
        .into_iter()
        .filter(is_unknown)
        .map(|name| {
            let nearest = nearest(&name);
            Unknown { name, nearest }
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The known name with the fewest edits, if these are at most half of the letters after the prefix: more would be a guess.
fn nearest(name: &str) -> Option<&'static str> {
    let word = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).chars().count();
    let near = |variable: &&&Variable| {
        let limit = word(name).min(word(variable.name)) / 2;
        distance(name, variable.name) <= limit
    };
    let settable = TABLE.iter().filter(|v| !matches!(v.audience, Audience::Internal | Audience::Launcher));
    settable.filter(near).map(|v| v.name).min_by_key(|known| distance(name, known))
}

/// How many insertions, deletions, substitutions and swaps of neighbours turn one name into the other, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_ascii_uppercase(), &b.to_ascii_uppercase())
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
    fn names_unlike_any_other_get_no_suggestion() {
        for wrong in ["CUSHMEM_", "CUSHMEM_X", "CUSHMEM_FOO", "CUSHMEM_COLOUR_OF_THE_SKY"] {
            assert_eq!(nearest_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn known_names_and_other_prefixes_are_accepted() {
        let others = ["PATH", "SHMEM_SYMMETRIC_SIZ", "cushmem_gpu", "XCUSHMEM_GPU"];
        let names = TABLE.iter().map(|v| v.name).chain(others).map(str::to_owned);
        assert_eq!(unknown(names), []);
    }
}
