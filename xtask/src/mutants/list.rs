//! `tests/mutants.toml`: which crates are changed, and which changes make no difference.

use super::outcome::{Mutant, Summary};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// The contents of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    part: Vec<Part>,
    #[serde(default)]
    equivalent: Vec<Equivalent>,
}

/// A crate that is changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its name.
    pub package: String,
    /// The files in its folder that are changed; all if empty.
    #[serde(default)]
    pub files: Vec<String>,
    /// Whether its test `model` explores it with loom.
    #[serde(default)]
    pub model: bool,
}

/// A change that does not affect what the library does, at least where the code is used.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// The file, relative to the top folder.
    pub file: String,
    /// The change, as cargo-mutants describes it.
    pub change: String,
    /// The text of the changed line. Several mutants of a line may have the same change.
    pub at: String,
    /// Why it makes no difference.
    pub why: String,
}

impl Equivalent {
    fn is(&self, mutant: &Mutant) -> bool {
        (&self.file, &self.change, &self.at) == (&mutant.file, &mutant.change, &mutant.at)
    }
}

impl Part {
    /// The arguments by which cargo-mutants selects this part's files.
    pub fn files(&self, workspace: &Workspace) -> Result<impl Iterator<Item = String> + use<>> {
        let package = workspace.package(&self.package).with_context(|| format!("`{}` is not a crate", self.package))?;
        let folder = workspace.relative(package.dir()).display().to_string();
        for file in &self.files {
            ensure!(package.dir().join(file).is_file(), "tests/mutants.toml: {folder}/{file} does not exist");
        }
        let all = ["**".to_owned()];
        let files = if self.files.is_empty() { all.to_vec() } else { self.files.clone() };
        Ok(files.into_iter().map(move |file| format!("{folder}/{file}")))
    }
}

impl List {
    /// Reads the committed list.
    pub fn load(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join("tests/mutants.toml")).context("read tests/mutants.toml")?;
        toml::from_str(&text).context("read tests/mutants.toml")
    }

    /// The parts of these crates, or all parts if none is named.
    pub fn parts(&self, packages: &[String]) -> Result<Vec<&Part>> {
        for name in packages {
            let all = || self.part.iter().map(|p| p.package.as_str()).collect::<Vec<_>>().join(", ");
            ensure!(self.part.iter().any(|p| p.package == *name), "`{name}` is not mutated; there are: {}", all());
        }
        Ok(self.part.iter().filter(|p| packages.is_empty() || packages.contains(&p.package)).collect())
    }

    /// Whether the mutant is known to make no difference.
    pub fn excuses(&self, mutant: &Mutant) -> bool {
        self.equivalent.iter().any(|e| e.is(mutant))
    }

    /// Entries that match no surviving mutant, although all mutants of their file are among `mutants`.
    pub fn stale(&self, mutants: &[Mutant]) -> Vec<&Equivalent> {
        let survives = |e: &Equivalent| mutants.iter().any(|m| m.summary == Summary::MissedMutant && e.is(m));
        let was_changed = |e: &Equivalent| mutants.iter().any(|m| m.file == e.file);
        self.equivalent.iter().filter(|e| was_changed(e) && !survives(e)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"
        [[part]]
        package = "a"
        [[part]]
        package = "b"
        files = ["src/y.rs"]
        [[equivalent]]
        file = "a/x.rs"
        change = "replace + with - in f"
        at = "a + 0"
        why = "Nothing is added."
    "#;

    fn mutant(at: &str, summary: Summary) -> Mutant {
        let change = "replace + with - in f".to_owned();
        let (package, file) = ("a".into(), "a/x.rs".into());
        Mutant { name: format!("a/x.rs:1:2: {change}"), package, file, change, at: at.into(), summary }
    }

    #[test]
    fn only_the_line_itself_is_excused() {
        let list: List = toml::from_str(LIST).expect("a list");
        let [excused, other] = ["a + 0", "a + b"].map(|at| mutant(at, Summary::MissedMutant));
        assert!(list.excuses(&excused) && !list.excuses(&other));
        assert_eq!(list.stale(&[excused]).len(), 0);
        assert_eq!(list.stale(&[other]).len(), 1);
        assert_eq!(list.stale(&[mutant("a + 0", Summary::CaughtMutant)]).len(), 1, "it is noticed now");
        assert_eq!(list.stale(&[]).len(), 0, "nothing was tried");
    }

    #[test]
    fn parts_are_chosen_by_crate() {
        let list: List = toml::from_str(LIST).expect("a list");
        let names = |packages: &[&str]| {
            let packages: Vec<String> = packages.iter().map(|&name| name.to_owned()).collect();
            let parts = list.parts(&packages).map_err(|e| e.to_string())?;
            Ok::<_, String>(parts.into_iter().map(|p| p.package.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap(), ["a", "b"]);
        assert_eq!(names(&["b"]).unwrap(), ["b"]);
        assert_eq!(names(&["c"]).unwrap_err(), "`c` is not mutated; there are: a, b");
    }

    #[test]
    fn the_committed_list_is_of_this_workspace() {
        let workspace = Workspace::load().expect("this workspace");
        let list = List::load(&workspace.root).expect("tests/mutants.toml");
        for part in &list.part {
            assert!(part.files(&workspace).expect("its files").count() > 0);
        }
        for Equivalent { file, change, at, why } in &list.equivalent {
            let source = fs::read_to_string(workspace.root.join(file)).expect("the file is here");
            assert!(source.lines().any(|line| line.trim() == at), "{file} has no line `{at}`");
            assert!(!change.is_empty() && why.ends_with('.'), "{file}: {at}: {why}");
        }
    }
}
