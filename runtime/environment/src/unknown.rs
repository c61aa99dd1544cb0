//! Warns about unknown variables, which are most likely misspelt.

use crate::{Audience, CC, CXX, PATH, TABLE, Variable};
use std::fmt;

/// The prefix of this project's own variables.
const PREFIX: &str = "CUSHMEM_";
/// The prefix of the specification's variables.
const STANDARD: &str = "SHMEM_";
/// With the specification's prefix, these are common in scripts that build programs.
const OF_BUILDS: [Variable; 3] = [CC, CXX, PATH];

/// A variable that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// The most similar known name, if one is similar enough.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: unknown variable", self.name.escape_debug())?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean {nearest}?"),
            None => write!(f, " (shmem-info lists all variables)"),
        }
    }
}

/// Returns the `names` that are most likely misspelt, in alphabetical order. Names that start with `CUSHMEM_` count if
/// they are not in the table. Names that start with `SHMEM_`, as variables of other libraries do too, count only if
/// they are very similar to one in the table.
pub fn unknown(names: impl IntoIterator<Item = String>) -> Vec<Unknown> {
    let is_unknown = |name: &String| split(name).is_some() && !TABLE.iter().any(|v| v.name == name);
    let mut found: Vec<Unknown> = names
        .into_iter()
        .filter(is_unknown)
        .map(|name| {
            let nearest = nearest(&name);
            Unknown { name, nearest }
        })
        .filter(|unknown| unknown.nearest.is_some() || unknown.name.starts_with(PREFIX))
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Splits a name into prefix and word.
fn split(name: &str) -> Option<(&'static str, &str)> {
    [PREFIX, STANDARD].into_iter().find_map(|prefix| Some((prefix, name.strip_prefix(prefix)?)))
}

/// Returns the known name with the fewest edits, if these are few: more would be a guess. The wrong prefix is one edit.
fn nearest(name: &str) -> Option<&'static str> {
    let (prefix, word) = split(name)?;
    let is_ours = prefix == PREFIX;
    let near = TABLE.iter().filter(|v| if is_ours { is_set(v) } else { is_set_by_users(v) }).filter_map(|variable| {
        let (its_prefix, its_word) = split(variable.name)?;
        let edits = distance(word, its_word) + usize::from(prefix != its_prefix);
        let most = match (is_ours, its_prefix) {
            (true, _) => word.len().min(its_word.len()) / 2,
            // Other libraries use this prefix too.
            (false, STANDARD) => word.len().max(its_word.len()) / 3,
            (false, _) => 1,
        };
        (edits <= most).then_some((edits, variable.name))
    });
    near.min_by_key(|(edits, _)| *edits).map(|(_, name)| name)
}

fn is_set(variable: &Variable) -> bool {
    !matches!(variable.audience, Audience::Internal | Audience::Launcher)
}

fn is_set_by_users(variable: &Variable) -> bool {
    variable.audience == Audience::User && !OF_BUILDS.iter().any(|v| v.name == variable.name)
}

/// Counts the insertions, deletions, substitutions and swaps of neighbours that turn one name into the other, ignoring
/// case.
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
            ("SHMEM_SYMETRIC_SIZE", "SHMEM_SYMMETRIC_SIZE"),
            ("SHMEM_SYMMETRIC_HEAP_SIZE", "SHMEM_SYMMETRIC_SIZE"),
            ("SHMEM_GPU", "CUSHMEM_GPU"),
            ("SHMEM_CHECK", "CUSHMEM_CHECK"),
            ("SHMEM_DEBUGS", "SHMEM_DEBUG"),
        ] {
            assert_eq!(nearest_of(wrong), Some(right), "{wrong}");
        }
        let lines = unknown(["CUSHMEM_GUP", "CUSHMEM_FOO"].map(str::to_owned))
            .iter()
            .map(Unknown::to_string)
            .collect::<Vec<_>>();
        let said = [
            "CUSHMEM_FOO: unknown variable (shmem-info lists all variables)",
            "CUSHMEM_GUP: unknown variable; did you mean CUSHMEM_GPU?",
        ];
        assert_eq!(lines, said);
    }

    #[test]
    fn names_unlike_any_other_get_no_suggestion() {
        // The last one resembles a variable that nobody sets by hand.
        for wrong in ["CUSHMEM_", "CUSHMEM_X", "CUSHMEM_FOO", "CUSHMEM_COLOUR_OF_THE_SKY", "CUSHMEM_BOOTSTRAP_FDS"] {
            assert_eq!(nearest_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn known_names_and_other_prefixes_are_accepted() {
        let others = ["PATH", "SHMEM", "SHMEM_", "cushmem_gpu", "XCUSHMEM_GPU", "OSHMEM_GPU", "NVSHMEM_SYMMETRIC_SIZE"];
        let names = TABLE.iter().map(|v| v.name).chain(others).map(str::to_owned);
        assert_eq!(unknown(names), []);
    }

    /// Variables of other libraries, from their documentation, and of scripts that build and run programs.
    #[test]
    fn those_of_other_libraries_are_not_reported() {
        let others = [
            "SHMEM_BARRIER_ALGORITHM",
            "SHMEM_BOUNCE_SIZE",
            "SHMEM_MAX_BOUNCE_BUFFERS",
            "SHMEM_TRAP_ON_ABORT",
            "SHMEM_OFI_PROVIDER",
            "SHMEM_OFI_FABRIC",
            "SHMEM_CMA_PUT_MAX",
            "SHMEM_TEAMS_MAX",
            "SHMEM_BACKTRACE",
            "SHMEM_PROGRESS_INTERVAL",
            "SHMEM_DISABLE_MULTIRAIL",
            "SHMEM_HOME",
            "SHMEM_DIR",
            "SHMEM_ROOT",
            "SHMEM_CC",
            "SHMEM_CXX",
            "SHMEM_PATH",
            "SHMEM_BIN_DIR",
            "SHMEM_NPES",
            "SHMEM_N_PES",
            "SHMEM_PE",
            "SHMEM_JOB",
            "SHMEM_INIT",
            "SHMEM_VERBOSE",
            "SHMEM_CHUNK",
        ];
        assert_eq!(unknown(others.map(str::to_owned)), []);
    }
}
