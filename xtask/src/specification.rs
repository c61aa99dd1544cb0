//! `cargo xtask specification`: writes docs/specification.md, the table of what OpenSHMEM demands and which check covers
//! it, from tests/spec/clauses.toml. Tests compare the table with the programs and with the page.

use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const TABLE: &str = "tests/spec/clauses.toml";
const PROGRAMS: &str = "tests/spec/c";
const PAGE: &str = "docs/specification.md";
const UNTESTED: &str = "untested: ";

/// One demand of a section of the specification.
struct Clause {
    /// The section's number, and which of the section's demands this is: `9.3.1-2`.
    mark: String,
    demand: String,
    /// The program that has the mark, the file and name of a Rust test, or why there is no check.
    check: String,
}

/// A section, as `9.3.1 shmem_malloc`, and its clauses.
type Sections = Vec<(String, Vec<Clause>)>;

/// Writes the page, unless the table or a mark is wrong.
pub fn specification() -> Result<()> {
    let root = Workspace::load()?.root;
    let sections = sections(&read(&root, TABLE)?)?;
    let wrong = mistakes(&root, &sections)?;
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    let path = root.join(PAGE);
    fs::write(&path, page(&sections)).with_context(|| format!("write {}", path.display()))
}

fn read(root: &Path, path: &str) -> Result<String> {
    let path = root.join(path);
    fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))
}

/// Reads the table, and puts the sections in the order of the specification.
fn sections(table: &str) -> Result<Sections> {
    let read: BTreeMap<String, Vec<[String; 2]>> = toml::from_str(table).context(TABLE)?;
    let mut sections: Sections = Vec::new();
    for (title, clauses) in read {
        let number = title.split(' ').next().unwrap_or_default();
        let clause =
            |(i, [demand, check]): (usize, [String; 2])| Clause { mark: format!("{number}-{}", i + 1), demand, check };
        sections.push((title.clone(), clauses.into_iter().enumerate().map(clause).collect()));
    }
    sections.sort_by_key(|(title, _)| order(title));
    Ok(sections)
}

/// Numbers in order, so that 9.10 follows 9.9; then the annexes, which are letters.
fn order(title: &str) -> Vec<(u32, String)> {
    let number = title.split(' ').next().unwrap_or_default();
    number.split('.').map(|part| (part.parse().unwrap_or(u32::MAX), part.to_owned())).collect()
}

/// The marks of a program: comments such as `/* 9.3.1-2 9.3.4-1 */`.
fn marks(source: &str) -> BTreeSet<String> {
    let comments = source.split("/*").skip(1).filter_map(|rest| rest.split_once("*/"));
    let words = comments.map(|(comment, _)| comment.split_whitespace().collect::<Vec<_>>());
    words.filter(|words| words.iter().all(|word| is_mark(word))).flatten().map(str::to_owned).collect()
}

fn is_mark(word: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let annex = |part: &str| part.len() == 1 && part.bytes().all(|b| b.is_ascii_uppercase());
    word.split_once('-')
        .is_some_and(|(section, last)| number(last) && section.split('.').all(|part| number(part) || annex(part)))
}

/// Checks that do not exist, and marks that name no clause.
fn mistakes(root: &Path, sections: &Sections) -> Result<Vec<String>> {
    let folder = root.join(PROGRAMS);
    let files = fs::read_dir(&folder).with_context(|| format!("read {}", folder.display()))?;
    let paths: Vec<PathBuf> = files.map(|file| file.map(|f| f.path())).collect::<std::io::Result<_>>()?;
    let mut marked = BTreeMap::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = read(root, &format!("{PROGRAMS}/{name}"))?;
        marked.insert(name, marks(&source));
    }
    let test_exists = |file: &str, name: &str| read(root, file).is_ok_and(|s| s.contains(&format!("fn {name}(")));
    Ok(disagreements(sections, &marked, test_exists))
}

fn disagreements(
    sections: &Sections,
    marked: &BTreeMap<String, BTreeSet<String>>,
    test_exists: impl Fn(&str, &str) -> bool,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for Clause { mark, check, .. } in sections.iter().flat_map(|(_, clauses)| clauses) {
        if let Some(marks) = marked.get(check) {
            known.insert((check.as_str(), mark.as_str()));
            if !marks.contains(mark) {
                wrong.push(format!("{PROGRAMS}/{check} has no check marked /* {mark} */, which {TABLE} names"));
            }
        } else if !check.starts_with(UNTESTED)
            && !check.split_once(": ").is_some_and(|(file, test)| test_exists(file, test))
        {
            wrong.push(format!("{TABLE}: {mark}: there is no `{check}`"));
        }
    }
    for (program, marks) in marked {
        for mark in marks.iter().filter(|mark| !known.contains(&(program.as_str(), mark.as_str()))) {
            wrong.push(format!("{PROGRAMS}/{program}: /* {mark} */ is no clause that {TABLE} covers by this program"));
        }
    }
    wrong
}

/// The page.
fn page(sections: &Sections) -> String {
    let all = sections.iter().flat_map(|(_, clauses)| clauses);
    let (untested, checked): (Vec<_>, Vec<_>) = all.partition(|clause| clause.check.starts_with(UNTESTED));
    let fails = untested.iter().filter(|clause| clause.check.starts_with("untested: fails")).count();
    let (total, checked, untested) = (checked.len() + untested.len(), checked.len(), untested.len());
    let mut page = format!(
        "# OpenSHMEM 1.6, clause by clause

`cargo xtask specification` generates this page from [clauses.toml](../tests/spec/clauses.toml). Each row is something
that OpenSHMEM 1.6 demands of a library, in our own words, with the number of its section. A check is a place in a
program of [tests/spec/c](../tests/spec/c), marked with the row's number, or a test in Rust. Demands on programs are not
listed, nor what a program cannot observe.

| clauses | checked | untested | of these, known to fail |
|--:|--:|--:|--:|
| {total} | {checked} | {untested} | {fails} |
"
    );
    for (title, clauses) in sections {
        page += &format!("\n## {title}\n\n| clause | demand | check |\n|---|---|---|\n");
        for Clause { mark, demand, check } in clauses {
            page += &match check.split_once(": ") {
                Some(("untested", why)) => format!("| {mark} | {demand} | *untested*: {why} |\n"),
                Some((file, test)) => format!("| {mark} | {demand} | [`{test}`](../{file}) |\n"),
                None => format!("| {mark} | {demand} | [{check}](../{PROGRAMS}/{check}) |\n"),
            };
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a check that was removed or renamed, and a mark that nothing lists.
    #[test]
    fn each_clause_has_its_check_and_each_mark_its_clause() {
        let root = Workspace::load().expect("a workspace").root;
        let sections = sections(&read(&root, TABLE).expect("the table")).expect("the table");
        assert_eq!(mistakes(&root, &sections).expect("programs"), Vec::<String>::new());
        let page_there = read(&root, PAGE).expect("the page");
        assert!(page_there == page(&sections), "{PAGE} is out of date: `cargo xtask specification` writes it");
    }

    #[test]
    fn what_is_missing_is_found() {
        let table = r#""9.10 b" = [["x", "a.c"], ["y", "t.rs: t"], ["z", "untested: w"]]
            "9.9 a" = [["u", "t.rs: no"], ["v", "no.c"], ["w", "a.c"]]"#;
        let sections = sections(table).expect("a table");
        assert_eq!(sections.iter().map(|(title, _)| title.as_str()).collect::<Vec<_>>(), ["9.9 a", "9.10 b"]);
        let marked = [("a.c".to_owned(), marks("/* 9.10-1 9.10-3 */ x /* 9.10-1 and more */ /* F.2-7 */"))].into();
        let wrong = disagreements(&sections, &marked, |file, test| (file, test) == ("t.rs", "t"));
        let named: Vec<_> =
            wrong.iter().map(|line| line.split(&['`', '*'][..]).nth(1).expect("a name").trim()).collect();
        assert_eq!(named, ["no", "no.c", "9.9-3", "9.10-3", "F.2-7"].map(|n| if n == "no" { "t.rs: no" } else { n }));
        assert!(page(&sections).contains("| 6 | 5 | 1 | 0 |"));
    }
}
