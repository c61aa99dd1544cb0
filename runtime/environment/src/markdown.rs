//! The tables of `docs/environment.md`.

use crate::{Audience, Default, TABLE, Variable};
use std::fmt;

/// Why the tables cannot be written into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outdated {
    /// The marker that is missing.
    pub marker: String,
}

impl fmt::Display for Outdated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the document lacks the line `{}`", self.marker)
    }
}

impl std::error::Error for Outdated {}

/// Returns the document with up-to-date tables. Each table stands between the lines `<!-- table: AUDIENCE -->` and
/// `<!-- end -->`.
pub fn with_tables(document: &str) -> Result<String, Outdated> {
    let mut text = document.to_owned();
    for audience in Audience::ALL {
        let head = format!("<!-- table: {} -->\n", audience.word());
        let end = "<!-- end -->\n";
        let lacks = |marker: &str| Outdated { marker: marker.trim_end().to_owned() };
        let from = text.find(&head).ok_or_else(|| lacks(&head))? + head.len();
        let to = from + text[from..].find(end).ok_or_else(|| lacks(end))?;
        text.replace_range(from..to, &table(audience));
    }
    Ok(text)
}

fn table(audience: Audience) -> String {
    let columns: &[Column] = match audience {
        Audience::User => &[NAME, DEFAULT, VALUES, MEANING],
        Audience::Pe | Audience::Launcher | Audience::Internal => &[NAME, MEANING],
        Audience::Chore => &[NAME, DEFAULT, MEANING],
    };
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let heads = row(columns.iter().map(|(head, _)| (*head).to_owned()).collect());
    let rule = format!("|{}\n", "---|".repeat(columns.len()));
    let variables = TABLE.iter().filter(|v| v.audience == audience);
    let rows = variables.map(|v| row(columns.iter().map(|(_, cell)| cell(v)).collect()));
    [heads, rule].into_iter().chain(rows).collect()
}

type Column = (&'static str, fn(&Variable) -> String);
const NAME: Column = ("variable", |v| format!("`{}`", v.name));
const VALUES: Column = ("values", |v| v.values.to_owned());
const MEANING: Column = ("meaning", |v| v.meaning.to_owned());
const DEFAULT: Column = ("default", |v| match v.default {
    Default::Value(value) => format!("`{value}`"),
    Default::Words(words) => words.to_owned(),
});

#[cfg(test)]
mod tests {
    use super::*;

    fn document(inside: &str) -> String {
        let part = |a: Audience| format!("<!-- table: {} -->\n{inside}<!-- end -->\n", a.word());
        Audience::ALL.map(part).concat()
    }

    #[test]
    fn tables_replace_what_was_there() {
        let once = with_tables(&document("STALE\n")).unwrap();
        assert_eq!(with_tables(&once).unwrap(), once);
        assert!(!once.contains("STALE"));
        assert!(once.contains("| `CUSHMEM_GPU` | `auto` | `auto`, `cuda`, `soft`, `none` | Which kind"), "{once}");
        for variable in TABLE {
            assert_eq!(once.matches(&format!("\n| `{}` |", variable.name)).count(), 1, "{}", variable.name);
        }
    }

    #[test]
    fn a_missing_marker_is_named() {
        let error = with_tables(&document("").replace("table: pe", "table: PE")).unwrap_err();
        assert_eq!(error.to_string(), "the document lacks the line `<!-- table: pe -->`");
    }
}
