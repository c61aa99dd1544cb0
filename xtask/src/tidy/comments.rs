//! Rules about comments: they explain why `unsafe` code is sound, and which access an ordered atomic pairs with.

use super::source::{Line, lines};
use super::{File, Finding, Rule};
use anyhow::{Result, anyhow};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Every `unsafe` block has a comment that explains why it is sound. clippy demands it too, but does not see code that
/// is compiled only for GPUs.
pub const SAFETY: Rule = Rule {
    name: "safety",
    why: "every `unsafe` block and impl has a `// SAFETY:` comment above it, even in code compiled only for GPUs",
};

/// Ordered atomics name their pair.
pub const SYNC_COMMENT: Rule = Rule {
    name: "sync-comment",
    why: "an atomic of `Ordering::` Acquire, Release, AcqRel or SeqCst has `SYNC(name)` in the comments of the three lines above",
};

/// Each pair has two sides.
pub const SYNC_PAIR: Rule = Rule {
    name: "sync-pair",
    why: "a `SYNC(name)` appears in at least two places: where one side orders, another relies on it",
};

/// The most lines of code between a comment and what it explains.
const REACH: usize = 3;

/// Checks all Rust files together, because pairs span files.
pub fn check(files: &[File]) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    let mut tags = BTreeMap::<String, Vec<(PathBuf, usize)>>::new();
    for file in files.iter().filter(|f| f.is_rust()) {
        let source = lines(&file.text).map_err(|e| anyhow!("{}: {e}", file.path.display()))?;
        let finding =
            |index, rule, message: String| Finding { file: file.path.clone(), line: index + 1, rule, message };
        let imported = source.iter().any(|l| imports_orderings(&l.code));
        for (index, line) in source.iter().enumerate() {
            if opens_unsafe(&line.code) && !explained(&source, index, "SAFETY:") {
                found.push(finding(index, &SAFETY, "no `// SAFETY:` above this `unsafe`: say why it is sound".into()));
            }
            let test = line.in_test || file.is_test();
            if !test && is_ordered(&line.code, imported) && !near(&source, index, "SYNC(") {
                let message = "no `// SYNC(name)` above: name what this pairs with".into();
                found.push(finding(index, &SYNC_COMMENT, message));
            }
            for name in sync_names(&line.comment) {
                tags.entry(name).or_default().push((file.path.clone(), index + 1));
            }
        }
    }
    for (name, places) in tags {
        if let [(path, line)] = places.as_slice() {
            let message = format!("SYNC({name}) appears only here: the other side is missing or has another name");
            found.push(Finding { file: path.clone(), line: *line, rule: &SYNC_PAIR, message });
        }
    }
    Ok(found)
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

fn opens_unsafe(code: &str) -> bool {
    code.match_indices("unsafe").any(|(at, word)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].trim_start();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
            && (after.starts_with('{') || after.starts_with("impl ") || after.starts_with("impl<"))
    })
}

/// Whether the word is in the line's own comments, or in the comments above the statement that the line belongs to.
fn explained(source: &[Line], index: usize, word: &str) -> bool {
    if source[index].comment.contains(word) {
        return true;
    }
    for line in source[..index].iter().rev() {
        if line.comment.contains(word) {
            return true;
        }
        let code = line.code.trim();
        let statement_ends = code.ends_with([';', '{', '}']);
        let blank = code.is_empty() && line.comment.is_empty();
        if (statement_ends && !code.starts_with("#[")) || blank {
            return false;
        }
    }
    false
}

/// Whether the word is in a comment on this line or on the few lines of code above it.
fn near(source: &[Line], index: usize, word: &str) -> bool {
    let mut code_lines = 0;
    for line in source[..=index].iter().rev() {
        if line.comment.contains(word) {
            return true;
        }
        if !line.code.trim().is_empty() {
            code_lines += 1;
        }
        if code_lines > REACH {
            return false;
        }
    }
    false
}

const ORDERED: [&str; 4] = ["Acquire", "Release", "AcqRel", "SeqCst"];

fn imports_orderings(code: &str) -> bool {
    code.trim_start().starts_with("use ") && (code.contains("Ordering::{") || code.contains("Ordering::*"))
}

fn is_ordered(code: &str, imported: bool) -> bool {
    if code.trim_start().starts_with("use ") {
        return false;
    }
    let named = ORDERED.iter().any(|o| code.contains(&format!("Ordering::{o}")));
    named || (imported && words(code).any(|w| ORDERED.contains(&w)))
}

fn sync_names(comment: &str) -> Vec<String> {
    let names = comment.match_indices("SYNC(").filter_map(|(at, head)| comment[at + head.len()..].split_once(')'));
    let is_tag = |n: &&str| *n != "name" && !n.is_empty() && n.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    names.map(|(name, _)| name).filter(is_tag).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[(&str, &str)]) -> Vec<&'static str> {
        let file = |(path, text): &(&str, &str)| File { path: path.into(), text: (*text).into() };
        let files: Vec<File> = files.iter().map(file).collect();
        check(&files).expect("Rust").iter().map(|f| f.rule.name).collect()
    }

    #[test]
    fn unsafe_needs_a_reason() {
        assert_eq!(names(&[("a.rs", "fn f() {\n  unsafe { g() }\n}")]), ["safety"]);
        assert_eq!(names(&[("a.rs", "// SAFETY: old\na();\nlet x = unsafe { g() };")]), ["safety"]);
        assert_eq!(names(&[("a.rs", "unsafe impl Send for X {}")]), ["safety"]);
        assert!(names(&[("a.rs", "// SAFETY: fine\n// indeed\nlet x =\n  f(unsafe { g() });")]).is_empty());
        assert!(names(&[("a.rs", "unsafe fn f() {}\n/// unsafe { }\nunsafe extern \"C\" {}")]).is_empty());
    }

    #[test]
    fn ordered_atomics_name_their_pair() {
        let both = "// SYNC(x) pairs with b\na.store(1, Ordering::Release);\n// SYNC(x) pairs with a\na.load(Ordering::Acquire);";
        assert!(names(&[("a.rs", both)]).is_empty());
        assert_eq!(names(&[("a.rs", "a.store(1, Ordering::Release);")]), ["sync-comment"]);
        assert_eq!(names(&[("a.rs", "use std::sync::atomic::Ordering::*;\na.load(SeqCst);")]), ["sync-comment"]);
        assert!(names(&[("a.rs", "a.load(Ordering::Relaxed);")]).is_empty());
        assert!(names(&[("tests/a.rs", "a.load(Ordering::SeqCst);")]).is_empty());
        assert!(names(&[("a.rs", "#[cfg(test)]\nmod t {\n a.load(Ordering::SeqCst);\n}")]).is_empty());
    }

    #[test]
    fn a_pair_has_two_sides() {
        assert_eq!(
            names(&[("a.rs", "// SYNC(ring) one"), ("b.rs", "// SYNC(rings) other")]),
            ["sync-pair", "sync-pair"]
        );
        assert!(names(&[("a.rs", "// SYNC(ring) one"), ("b.rs", "// SYNC(ring) other")]).is_empty());
    }
}
