//! The rule about circles: sets of files of one crate each of which uses, directly or through others, all the others.

use super::modules::{self, Module};
use super::{File, Finding, Rule};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files of a crate use each other in one direction.
pub const CIRCLES: Rule = Rule {
    name: "circles",
    why: "files of a crate that use each other in a circle can only be understood together; those that are left are in the table in xtask/src/tidy/circles.rs, with the reason, and it may only get shorter",
};

/// A circle that is left.
struct Left {
    /// The source folder of the crate.
    source: &'static str,
    /// The modules, in order.
    modules: &'static [&'static str],
    /// Why it is not broken.
    reason: &'static str,
}

/// All circles that are left.
const LEFT: [Left; 6] = [
    Left {
        source: "device/src",
        modules: &["scope", "sync"],
        reason: "the trait Scope provides barriers, which are written over the trait",
    },
    Left {
        source: "runtime/bootstrap/src",
        modules: &["channel", "client", "connection", "start"],
        reason: "a connection is what a job's channels are made of, and names the job in its errors",
    },
    Left {
        source: "runtime/capi/src",
        modules: &["arrays", "context", "described", "handles", "own_stream", "report", "state", "tasks", "team"],
        reason: "the state of the process holds the tables of all these modules, and each reaches its own table through it",
    },
    Left {
        source: "runtime/gpu/src",
        modules: &[
            "cuda::device",
            "cuda::facts",
            "cuda::graph",
            "cuda::memory",
            "cuda::module",
            "cuda::network",
            "cuda::stream",
        ],
        reason: "a device makes its streams, modules and memory, and these keep the device's context",
    },
    Left {
        source: "runtime/net/src",
        modules: &["loopback::faults", "loopback::profile"],
        reason: "the settings of faults name a profile, and both have one error for wrong settings",
    },
    Left {
        source: "runtime/path/src",
        modules: &["cost", "measured", "shipped"],
        reason: "the costs that come with the library are read like a file of the user, into the same type",
    },
];

/// Files of one crate that use each other.
#[derive(Debug, PartialEq, Eq)]
pub struct Circle {
    source: PathBuf,
    modules: Vec<String>,
}

impl Circle {
    fn left(&self) -> Option<&'static Left> {
        LEFT.iter().find(|left| self.source == Path::new(left.source) && self.modules == left.modules)
    }
}

/// Finds the circles of all crates outside of `tests`.
pub fn look(files: &[File]) -> Result<Vec<Circle>> {
    let mut found = Vec::new();
    for source in sources(files) {
        let inside: Vec<&File> = files.iter().filter(|file| file.path.starts_with(source)).collect();
        let arrows = modules::arrows(source, inside.iter().copied())?;
        let mut uses = BTreeMap::<&Module, BTreeSet<&Module>>::new();
        // The root re-exports names of all modules. It is no party to a circle.
        for arrow in arrows.iter().filter(|arrow| !arrow.from.is_empty() && !arrow.to.is_empty()) {
            uses.entry(&arrow.from).or_default().insert(&arrow.to);
        }
        let modules = circles(&uses).into_iter().map(|circle| circle.iter().map(|m| m.join("::")).collect());
        found.extend(modules.map(|modules| Circle { source: source.to_path_buf(), modules }));
    }
    Ok(found)
}

/// The circles that are not in the table, and the rows of the table that are no circles.
pub fn check(circles: &[Circle]) -> Vec<Finding> {
    let finding = |file: &Path, message: String| Finding { file: file.to_path_buf(), line: 0, rule: &CIRCLES, message };
    let new = circles.iter().filter(|circle| circle.left().is_none());
    let mut found: Vec<Finding> = new
        .map(|c| finding(&c.source, format!("these files use each other in a circle: {}", c.modules.join(", "))))
        .collect();
    let gone = LEFT.iter().filter(|left| !circles.iter().any(|c| c.left().is_some_and(|l| std::ptr::eq(l, *left))));
    found.extend(gone.map(|left| {
        let message = format!("the circle {} is gone: remove it from the table", left.modules.join(", "));
        finding(Path::new(left.source), message)
    }));
    found
}

/// Prints the circles, each with the reason why it is left, and their number.
pub fn print(circles: &[Circle]) {
    for circle in circles {
        let reason = circle.left().map_or("not in the table", |left| left.reason);
        println!("circle: {}: {} ({reason})", circle.source.display(), circle.modules.join(", "));
    }
    println!("circles: {} in all crates", circles.len());
}

/// The source folders of crates.
fn sources(files: &[File]) -> BTreeSet<&Path> {
    let roots = files.iter().filter(|f| f.path.ends_with("src/lib.rs") || f.path.ends_with("src/main.rs"));
    roots.filter(|f| !f.is_test()).filter_map(|f| f.path.parent()).collect()
}

/// The sets of modules each of which uses all the others, directly or indirectly.
fn circles<'a>(uses: &BTreeMap<&'a Module, BTreeSet<&'a Module>>) -> Vec<BTreeSet<&'a Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = uses.keys().map(|m| (*m, reached(uses, m))).collect();
    let back = |a: &Module, b: &Module| reached.get(b).is_some_and(|there| there.contains(a));
    let mut circles: Vec<BTreeSet<&Module>> = Vec::new();
    for (module, there) in &reached {
        let circle: BTreeSet<&Module> = there.iter().copied().filter(|other| back(module, other)).collect();
        if !circle.is_empty() && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

/// All modules that a module uses, directly or indirectly.
fn reached<'a>(uses: &BTreeMap<&'a Module, BTreeSet<&'a Module>>, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(at) = open.pop() {
        open.extend(uses.get(at).into_iter().flatten().filter(|next| seen.insert(**next)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Circle> {
        let file = |(path, text): &(&str, &str)| File { path: path.into(), text: (*text).into() };
        let files: Vec<File> = files.iter().map(file).collect();
        look(&files).expect("Rust")
    }

    #[test]
    fn circles_of_each_crate_are_found() {
        let one =
            [("one/src/lib.rs", "pub use a::A;"), ("one/src/a.rs", "use super::b;"), ("one/src/b.rs", "use super::c;")];
        assert!(found(&one).is_empty());
        let other = [("two/src/main.rs", ""), ("two/src/a.rs", "use crate::b;"), ("two/src/b.rs", "")];
        let all = [&one[..], &other[..], &[("one/src/c.rs", "use crate::A;")]].concat();
        let expected = Circle { source: "one/src".into(), modules: ["a", "b", "c"].map(String::from).into() };
        assert_eq!(found(&all), [expected]);
    }

    #[test]
    fn the_root_and_tests_are_no_parties() {
        let root = ("one/src/lib.rs", "mod a;\npub use crate::a::f;\npub struct Root;");
        assert!(found(&[root, ("one/src/a.rs", "use crate::Root;")]).is_empty());
        let tests =
            [("tests/x/src/lib.rs", ""), ("tests/x/src/a.rs", "use crate::b;"), ("tests/x/src/b.rs", "use crate::a;")];
        assert!(found(&tests).is_empty());
    }

    #[test]
    fn a_new_circle_is_a_finding() {
        let circle = Circle { source: "one/src".into(), modules: ["a", "b"].map(String::from).into() };
        let messages: Vec<String> = check(&[circle]).iter().map(ToString::to_string).collect();
        let new = "one/src:0: circles: these files use each other in a circle: a, b";
        assert!(messages.iter().any(|m| m == new), "{messages:?}");
        assert_eq!(messages.len(), 1 + LEFT.len(), "rows of the table that are no circles");
    }
}
