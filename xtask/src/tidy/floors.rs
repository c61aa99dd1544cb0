//! Rules about the modules of the runtime: the floors, and which modules each may use.

use super::modules::{self, Arrow};
use super::{File, Finding, Rule};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// Modules use only modules below them.
pub const FLOORS: Rule = Rule {
    name: "floors",
    why: "a module of the runtime uses only modules below it in the table in xtask/src/tidy/floors.rs, so that it can be understood without those above",
};

/// The folder that the rule applies to.
const SOURCE: &str = "runtime/src";
/// The floors, from the top: folders or files of [`SOURCE`].
const FLOORS_FROM_THE_TOP: [&str; 8] = ["api", "service", "transfer", "transport", "memory", "sync", "job", "error"];
/// Modules that may use everything and that nothing below uses: the crate's root, which has no name here, and the file
/// that ties everything together.
const ROOF: [&str; 2] = ["", "shmem"];

/// The arrows between the modules of the runtime.
pub struct House {
    arrows: Vec<Arrow>,
}

impl House {
    /// Finds the arrows.
    pub fn look(files: &[File]) -> Result<Self> {
        Ok(Self { arrows: modules::arrows(Path::new(SOURCE), files)? })
    }

    /// The arrows that break the rule.
    pub fn check(&self, files: &[File]) -> Vec<Finding> {
        let up = self.between_rooms().filter(|arrow| points_up(arrow)).map(|arrow| Finding {
            file: arrow.file.clone(),
            line: arrow.line,
            rule: &FLOORS,
            message: format!("`{}` must not use `{}`, which is above it", shown(&arrow.from), shown(&arrow.to)),
        });
        let mut found: Vec<Finding> = up.collect();
        let rooms = files.iter().filter_map(|f| Some((f, f.path.strip_prefix(SOURCE).ok()?)));
        let mut seen = BTreeSet::new();
        for (file, relative) in rooms.filter(|(f, _)| f.is_rust() && !f.is_test()) {
            let first = relative.iter().next().map(|p| Path::new(p).with_extension("")).unwrap_or_default();
            let room = first.to_string_lossy().into_owned();
            if room != "lib" && floor(&room).is_none() && seen.insert(room.clone()) {
                let message = format!("`{room}` is not in the table of floors: add it to xtask/src/tidy/floors.rs");
                found.push(Finding { file: file.path.clone(), line: 0, rule: &FLOORS, message });
            }
        }
        found
    }

    /// Prints the arrows that point up, and how many there are.
    pub fn print(&self) {
        for arrow in self.between_rooms().filter(|arrow| points_up(arrow)) {
            println!("{}:{}: up: {} -> {}", arrow.file.display(), arrow.line, shown(&arrow.from), shown(&arrow.to));
        }
        let (all, up) = (self.between_rooms().count(), self.between_rooms().filter(|a| points_up(a)).count());
        let unknown = self.between_rooms().filter(|a| floor(room(&a.from)).is_none() || floor(room(&a.to)).is_none());
        println!(
            "arrows: {all} between modules of {SOURCE}, {up} up, {} with a module that is not in the table",
            unknown.count()
        );
    }

    fn between_rooms(&self) -> impl Iterator<Item = &Arrow> {
        self.arrows.iter().filter(|arrow| room(&arrow.from) != room(&arrow.to))
    }
}

fn room(module: &[String]) -> &str {
    module.first().map_or("", String::as_str)
}

/// The floor, counted from the top, with 0 for the roof; `None` for a room that is not in the table.
fn floor(room: &str) -> Option<usize> {
    let below = || FLOORS_FROM_THE_TOP.iter().position(|name| *name == room).map(|n| n + 1);
    if ROOF.contains(&room) { Some(0) } else { below() }
}

fn points_up(arrow: &Arrow) -> bool {
    match (floor(room(&arrow.from)), floor(room(&arrow.to))) {
        (Some(from), Some(to)) => to < from,
        // A room that is in no table is below the roof.
        (None, Some(to)) => to == 0,
        _ => false,
    }
}

fn shown(module: &[String]) -> String {
    if module.is_empty() { "lib.rs".into() } else { module.join("::") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(files: &[(&str, &str)]) -> (House, Vec<File>) {
        let file = |(path, text): &(&str, &str)| File { path: Path::new(SOURCE).join(path), text: (*text).into() };
        let files: Vec<File> = files.iter().map(file).collect();
        (House::look(&files).expect("Rust"), files)
    }

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let (house, files) = house(files);
        house.check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arrows_down_are_right() {
        let root = ("lib.rs", "mod error;\npub use error::Error;\npub use api::put;");
        let api = ("api/mod.rs", "use crate::job::Job;\nuse crate::Error;");
        assert!(findings(&[root, api, ("job/mod.rs", "use crate::Error;"), ("error.rs", "")]).is_empty());
    }

    #[test]
    fn arrows_up_are_found() {
        let root = ("lib.rs", "mod api;\npub use api::put;\npub struct Root;");
        let job = ("job/start.rs", "use crate::put;\nfn f() -> crate::Root { crate::sync::wait() }");
        let found = findings(&[root, ("api/mod.rs", ""), ("sync.rs", ""), job]);
        assert_eq!(
            found,
            [
                "runtime/src/job/start.rs:1: floors: `job::start` must not use `api`, which is above it",
                "runtime/src/job/start.rs:2: floors: `job::start` must not use `lib.rs`, which is above it",
                "runtime/src/job/start.rs:2: floors: `job::start` must not use `sync`, which is above it",
            ]
        );
    }

    #[test]
    fn every_module_has_a_floor() {
        let found = findings(&[("lib.rs", ""), ("shmem.rs", "use crate::cellar;"), ("cellar.rs", "")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("`cellar` is not in the table"), "{found:?}");
    }
}
