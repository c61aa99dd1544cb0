//! Which test covers each routine of the device API, in each scope and on each kind of memory:
//! docs/kernel-matrix.md. Nobody lists them: the routines are those that the crate `device` exports, and the rest is
//! read from the sources of the conformance suite. A routine that no test covers is a hole.
//! tests/matrix/holes.toml has the known ones; any other fails a test of this file, and so does one that is there no
//! longer.
//!
//! Sources are read as text. A kernel has a routine if its body, or a function that it calls, calls one of that name;
//! the scope is passed on from caller to callee. A test covers a kernel that its body, or a function that it calls,
//! names. A kernel is known by its path in the crate, because two modules may have one of the same name.

use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const PAGE: &str = "docs/kernel-matrix.md";
const HOLES: &str = "tests/matrix/holes.toml";
const KERNELS: &str = "tests/conformance/kernels/src";
const TESTS: &str = "tests/conformance/tests/device";

/// The files of the device API whose functions act on symmetric memory, or make PEs meet.
const OPERATIONS: &[&str] =
    &["amo", "amo_nbi", "complete", "ctx", "peer", "prepared", "rma", "signal", "wait", "wait_many"];
/// Functions of traits that are no operations.
const NO_OPERATIONS: &[&str] =
    &["any", "lane", "lanes", "my_pe", "n_pes", "smem", "sync", "sync_around", "of_block", "wait_limit_ns"];
/// Routines that do not touch memory which a program has allocated.
const MEETINGS: &[&str] = &["barrier_all", "fence", "pe_quiet", "quiet", "sync_all", "team_barrier", "team_sync"];
/// Routines that look at memory of this PE.
const LOCAL: &[&str] = &["signal_fetch", "signal_wait", "test", "wait_until"];

/// Who calls a routine together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Who {
    Thread,
    Warp,
    Block,
    Grid,
}

const ALL: [(Who, &str); 4] =
    [(Who::Thread, "Thread"), (Who::Warp, "Warp"), (Who::Block, "Block"), (Who::Grid, "Grid")];

/// Where the symmetric memory is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Where {
    Mapped,
    HostHeap,
    Far,
}

const KINDS: [(Where, &str); 3] = [(Where::Mapped, "mapped"), (Where::HostHeap, "host heap"), (Where::Far, "far")];

type Row = (String, Who);
type Covered = BTreeMap<Row, BTreeMap<Where, BTreeSet<String>>>;

/// Cells that no test covers, and why.
#[derive(Deserialize)]
struct Holes {
    #[serde(default)]
    hole: Vec<Hole>,
}

#[derive(Deserialize)]
struct Hole {
    routines: Vec<String>,
    scopes: Vec<String>,
    memory: Vec<String>,
    why: String,
}

/// Writes the page, unless there is a hole that nobody has listed.
pub fn kernel_matrix() -> Result<()> {
    let root = Workspace::load()?.root;
    let (rows, covered, holes) = read(&root)?;
    let wrong = mistakes(&rows, &covered, &holes);
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    let path = root.join(PAGE);
    fs::write(&path, page(&rows, &covered, &holes)).with_context(|| format!("write {}", path.display()))
}

fn read(root: &Path) -> Result<(BTreeMap<String, Vec<Who>>, Covered, Holes)> {
    let text = |path: &str| {
        let path = root.join(path);
        fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))
    };
    let rows =
        routines(&text("device/src/lib.rs")?, &text("device/src/scope.rs")?, &text("device/src/collectives.rs")?);
    let kernels = kernels(&files(&root.join(KERNELS))?, &rows);
    let covered = covered(&files(&root.join(TESTS))?, &kernels);
    Ok((rows, covered, toml::from_str(&text(HOLES)?).context(HOLES)?))
}

/// The sources of a folder, without comments, by the names of their modules.
fn files(folder: &Path) -> Result<BTreeMap<String, String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))?;
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        files.insert(name, without_comments(&text));
    }
    Ok(files)
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The words of a text, with where they end.
fn words(text: &str) -> Vec<(&str, usize)> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (vec![], 0);
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        if at > start {
            found.push((&text[start..at], at));
        } else {
            at += 1;
        }
    }
    found
}

/// What is between the bracket that opens at `open` and the one that closes it.
fn within(text: &str, open: usize) -> &str {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 1 => return &text[open + 1..at],
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    &text[text.len().min(open + 1)..]
}

/// The functions of a text: their names, heads and bodies.
fn functions(text: &str) -> Vec<(&str, &str, &str)> {
    let words = words(text);
    let mut found = vec![];
    for pair in words.windows(2) {
        let (("fn", _), (name, end)) = (pair[0], pair[1]) else { continue };
        // A semicolon that is not within a type ends a declaration.
        let Some(open) = text[end..].find('{').map(|at| end + at) else { continue };
        let head = &text[end..open];
        if head.contains(";\n") || head.ends_with(';') {
            continue;
        }
        found.push((name, head, within(text, open)));
    }
    found
}

/// The routines of the API, and who may call them.
fn routines(exports: &str, scope: &str, collective: &str) -> BTreeMap<String, Vec<Who>> {
    let mut rows = BTreeMap::new();
    let exports = without_comments(exports);
    for file in OPERATIONS {
        let start = format!("pub use {file}::");
        for (at, _) in exports.match_indices(&start) {
            let list = exports[at + start.len()..].split(';').next().unwrap_or_default();
            for (name, _) in words(list).into_iter().filter(|(name, _)| name.bytes().all(|b| !b.is_ascii_uppercase())) {
                rows.insert(name.to_owned(), vec![Who::Thread]);
            }
        }
    }
    rows.insert("grid_sync".to_owned(), vec![Who::Grid]);
    for (text, name, who) in [
        (scope, "pub trait Scope", vec![Who::Thread, Who::Warp, Who::Block]),
        (collective, "pub trait Collective", vec![Who::Thread, Who::Warp, Who::Block, Who::Grid]),
    ] {
        let text = without_comments(text);
        let body = text.find(name).and_then(|at| Some(within(&text, at + text[at..].find('{')?))).unwrap_or_default();
        rows.extend(
            words(body).windows(2).filter(|pair| pair[0].0 == "fn").map(|pair| (pair[1].0.to_owned(), who.clone())),
        );
    }
    rows.retain(|name, _| !NO_OPERATIONS.contains(&name.as_str()));
    rows
}

/// Who calls: the caller's own scope, or a certain one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum By {
    Caller,
    Certain(Who),
}

/// Who is named in a text.
fn named(text: &str) -> BTreeSet<By> {
    let by = |(word, _): (&str, usize)| {
        let certain = ALL.iter().find(|(_, name)| *name == word).map(|(who, _)| By::Certain(*who));
        certain.or((["scope", "group", "crew", "S", "G"].contains(&word)).then_some(By::Caller))
    };
    words(text).into_iter().filter_map(by).collect()
}

/// A call: what is called, by whom, and what stands before the name: `.`, a module, or nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Call {
    name: String,
    by: By,
    on: String,
}

/// What a function calls.
fn calls(body: &str) -> BTreeSet<Call> {
    let mut calls = BTreeSet::new();
    for (name, end) in words(body) {
        let mut open = end;
        let mut generics = "";
        if body[end..].starts_with("::<") {
            let mut depth = 0;
            let close = body[end + 2..].char_indices().find(|(_, c)| {
                depth += i32::from(*c == '<') - i32::from(*c == '>');
                depth == 0
            });
            let Some((length, _)) = close else { continue };
            generics = &body[end + 2..end + 2 + length];
            open = end + 3 + length;
        }
        if !body[open..].starts_with('(') {
            continue;
        }
        let arguments = within(body, open);
        let first = arguments.split(',').next().unwrap_or_default();
        // What is before the dot: `Block.put(…)`, `Wide(Block).put(…)`.
        let before = body[..end - name.len()].strip_suffix('.').map(|text| {
            let from =
                text.rfind(|c: char| c.is_whitespace() || c == '{' || c == ';' || c == '|').map_or(0, |at| at + 1);
            &text[from..]
        });
        let path = body[..end - name.len()].strip_suffix("::").and_then(|path| words(path).last().map(|word| word.0));
        let on = if before.is_some() { "." } else { path.unwrap_or_default() };
        let mut who = named(before.unwrap_or_default());
        who.extend(named(first));
        who.extend(named(generics));
        if who.is_empty() {
            // A routine without a scope is of one lane, and so is a function that is not told any.
            who.insert(By::Certain(Who::Thread));
        }
        calls.extend(who.into_iter().map(|by| Call { name: name.to_owned(), by, on: on.to_owned() }));
    }
    calls
}

/// The paths by which tests can name the functions of modules, which are given with their modules. The root has its
/// own, and those that it exports from modules.
fn paths<'a>(root: &str, functions: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<((&'a str, &'a str), String)> {
    let exported: BTreeSet<String> = root
        .split("pub use ")
        .skip(1)
        .filter_map(|rest| rest.split_once(';')?.0.split_once("::"))
        .flat_map(|(module, names)| listed(names).into_iter().map(move |name| format!("{module}::{name}")))
        .collect();
    let mut paths = vec![];
    for (module, name) in functions {
        let path = format!("{module}::{name}");
        if module == "lib" || exported.contains(&format!("{module}::*")) || exported.contains(&path) {
            paths.push(((module, name), name.to_owned()));
        }
        if root.contains(&format!("pub mod {module};")) {
            paths.push(((module, name), path));
        }
    }
    paths
}

/// What a `use` lists behind its first `::`.
fn listed(names: &str) -> Vec<&str> {
    names.trim_matches(['{', '}']).split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// The routines that each kernel calls, by the kernel's path.
fn kernels(files: &BTreeMap<String, String>, rows: &BTreeMap<String, Vec<Who>>) -> BTreeMap<String, BTreeSet<Row>> {
    let mut bodies: BTreeMap<(&str, &str), BTreeSet<Call>> = BTreeMap::new();
    for (file, text) in files {
        for (name, _, body) in functions(text) {
            bodies.entry((file, name)).or_default().extend(calls(body));
        }
    }
    let root = files.get("lib").map_or("", String::as_str);
    let mut found: BTreeMap<String, BTreeSet<Row>> = BTreeMap::new();
    for (kernel, path) in paths(root, bodies.keys().copied()) {
        let (mut seen, mut next, mut reached) = (BTreeSet::new(), vec![(kernel, Who::Thread)], BTreeSet::new());
        while let Some((function, caller)) = next.pop() {
            if !seen.insert((function, caller)) {
                continue;
            }
            for Call { name, by, on } in &bodies[&function] {
                let who = match by {
                    By::Caller => caller,
                    By::Certain(who) => *who,
                };
                // The crate's own functions, some of which have names of routines: in the module that is named, in
                // this one, or in another one.
                let file = if files.contains_key(on) { on.as_str() } else { function.0 };
                let is_routine = rows.contains_key(name);
                let own = (on != "." || !is_routine).then(|| bodies.keys().find(|key| **key == (file, name.as_str())));
                let imported = || bodies.keys().find(|key| !is_routine && key.1 == name);
                if let Some(own) = own.flatten().or_else(imported) {
                    next.push((*own, who));
                    continue;
                }
                let routine = name.strip_suffix("_by").unwrap_or(name);
                match rows.get(routine).map(Vec::as_slice) {
                    Some([only]) => _ = reached.insert((routine.to_owned(), *only)),
                    Some(all) if all.contains(&who) => _ = reached.insert((routine.to_owned(), who)),
                    _ => {}
                }
            }
        }
        found.insert(path, reached);
    }
    found
}

/// The jobs of a suite's macro: the names of its tests, whether their PEs are far from each other, and whether there
/// are several.
fn jobs(text: &str) -> Vec<(String, bool, bool)> {
    let mut jobs = vec![];
    for (mark, on_nodes) in [("conformance!", false), ("on_nodes!", true)] {
        for (at, _) in text.match_indices(mark) {
            let Some(open) = text[at..].find('{').map(|length| at + length) else { continue };
            let body = within(text, open);
            let variables =
                body.trim_start().strip_prefix("with ").and_then(|rest| words(rest).first().map(|word| word.0));
            let apart = variables.is_some_and(|name| {
                let constant = text
                    .find(&format!("const {name}:"))
                    .map_or("", |at| text[at..].split(';').next().unwrap_or_default());
                constant.contains("(\"CUSHMEM_P2P\", \"0\")")
            });
            let list = body.find('{').map_or(body, |open| within(body, open));
            for test in list.split(';') {
                let Some((name, numbers)) = test.split_once(':') else { continue };
                let several = on_nodes || words(numbers).iter().any(|(n, _)| n.parse::<u32>().is_ok_and(|n| n > 1));
                jobs.push((name.trim().to_owned(), apart || on_nodes, several));
            }
        }
    }
    jobs
}

/// What a file names without the crate of kernels: for each name, the path in that crate.
fn imported(text: &str) -> BTreeMap<&str, &str> {
    let uses = text.split("use cushmem_conformance_kernels::").skip(1).filter_map(|rest| rest.split(';').next());
    uses.flat_map(listed).map(|path| (path.rsplit("::").next().unwrap_or(path), path)).collect()
}

/// The path in the crate of kernels of a word, behind this text.
fn path_of(before: &str, word: &str, imported: &BTreeMap<&str, &str>) -> Option<String> {
    let Some(before) = before.strip_suffix("::") else { return imported.get(word).map(|path| (*path).to_owned()) };
    let module = words(before).last().map(|(module, _)| *module).filter(|module| before.ends_with(module))?;
    if module == "kernels" {
        return Some(word.to_owned());
    }
    // A module that is imported, or one of the crate.
    let is_of_crate = before.ends_with(&format!("kernels::{module}"));
    let path = imported.get(module).copied().or(is_of_crate.then_some(module))?;
    Some(format!("{path}::{word}"))
}

/// The tests of each cell.
fn covered(files: &BTreeMap<String, String>, kernels: &BTreeMap<String, BTreeSet<Row>>) -> Covered {
    let mut bodies: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (file, text) in files {
        for (name, _, body) in functions(text) {
            bodies.entry(name).or_default().push((file, body));
        }
    }
    let uses =
        |file: &str, other: &str| files.get(file).is_some_and(|text| text.contains(&format!("crate::{other}::")));
    let mut covered = Covered::new();
    for (file, text) in files {
        let imported = imported(text);
        for (test, is_far, several) in jobs(text) {
            let (mut seen, mut next) = (BTreeSet::new(), vec![(file.as_str(), test.as_str())]);
            let (mut rows, mut kinds) = (BTreeSet::new(), BTreeSet::new());
            while let Some((file, function)) = next.pop() {
                let all = bodies.get(function).map(Vec::as_slice).unwrap_or_default();
                let own = all.iter().any(|(of, _)| *of == file);
                for (of, body) in all.iter().filter(|(of, _)| *of == file || !own && uses(file, of)) {
                    if !seen.insert((*of, *body)) {
                        continue;
                    }
                    for (word, end) in words(body) {
                        let path = path_of(&body[..end - word.len()], word, &imported);
                        rows.extend(path.and_then(|path| kernels.get(&path)).into_iter().flatten());
                        match word {
                            "malloc_gpu" | "counters" | "symmetric" => {
                                _ = kinds.insert(if is_far { Where::Far } else { Where::Mapped })
                            }
                            "malloc" | "on_host" => _ = kinds.insert(Where::HostHeap),
                            _ if bodies.contains_key(word) => next.push((of, word)),
                            _ => {}
                        }
                    }
                }
            }
            for row in rows.into_iter().filter(|(routine, _)| several || is_local(routine)) {
                // Where PEs meet, no memory matters.
                let meeting = BTreeSet::from([if is_far { Where::Far } else { Where::Mapped }]);
                for kind in if MEETINGS.contains(&row.0.as_str()) { &meeting } else { &kinds } {
                    covered.entry(row.clone()).or_default().entry(*kind).or_default().insert(format!("{file}::{test}"));
                }
            }
        }
    }
    covered
}

/// Whether a routine acts on this PE alone.
fn is_local(routine: &str) -> bool {
    routine == "grid_sync" || LOCAL.iter().any(|name| routine.starts_with(name))
}

/// Whether a routine acts on memory of a kind at all.
fn applies(routine: &str, kind: Where) -> bool {
    let has = |list: &[&str]| list.contains(&routine);
    match kind {
        Where::Mapped => true,
        Where::HostHeap => !has(MEETINGS) && routine != "grid_sync",
        Where::Far => !is_local(routine),
    }
}

fn name_of<T: PartialEq + Copy>(all: &[(T, &'static str)], what: T) -> &'static str {
    all.iter().find(|(one, _)| *one == what).map_or("", |(_, name)| name)
}

/// All cells, and whether a test covers them.
fn cells<'a>(
    rows: &'a BTreeMap<String, Vec<Who>>,
    covered: &'a Covered,
) -> impl Iterator<Item = (&'a str, Who, Where, Option<&'a BTreeSet<String>>)> {
    let rows = rows.iter().flat_map(|(routine, all)| all.iter().map(move |who| (routine, *who)));
    rows.flat_map(move |(routine, who)| {
        let kinds = KINDS.iter().filter(|(kind, _)| applies(routine, *kind));
        kinds.map(move |(kind, _)| {
            let tests = covered.get(&(routine.clone(), who)).and_then(|kinds| kinds.get(kind));
            (routine.as_str(), who, *kind, tests)
        })
    })
}

impl Hole {
    fn names(&self, routine: &str, who: Who, kind: Where) -> bool {
        let has = |list: &[String], name: &str| list.iter().any(|one| one.eq_ignore_ascii_case(name));
        has(&self.routines, routine)
            && has(&self.scopes, name_of(&ALL, who))
            && has(&self.memory, name_of(&KINDS, kind))
    }
}

/// Holes that are not listed, and listed ones that are none.
fn mistakes(rows: &BTreeMap<String, Vec<Who>>, covered: &Covered, holes: &Holes) -> Vec<String> {
    let mut wrong = vec![];
    let mut used = BTreeSet::new();
    for (routine, who, kind, tests) in cells(rows, covered) {
        let (scope, memory) = (name_of(&ALL, who), name_of(&KINDS, kind));
        match (tests, holes.hole.iter().position(|hole| hole.names(routine, who, kind))) {
            (None, None) => wrong.push(format!("no test covers {routine} by a {scope} on memory that is {memory}")),
            (Some(_), Some(_)) => {
                wrong.push(format!("{HOLES}: a test covers {routine} by a {scope} on memory that is {memory}"));
            }
            (None, Some(hole)) => {
                used.extend(holes.hole[hole].routines.iter().filter(|name| *name == routine).map(|name| (hole, name)))
            }
            (Some(_), None) => {}
        }
    }
    for (i, hole) in holes.hole.iter().enumerate() {
        for name in hole.routines.iter().filter(|name| !used.contains(&(i, *name))) {
            wrong.push(format!("{HOLES}: {name} has no such hole ({})", hole.why));
        }
    }
    wrong
}

/// The page.
fn page(rows: &BTreeMap<String, Vec<Who>>, covered: &Covered, holes: &Holes) -> String {
    let (all, with) = (cells(rows, covered).count(), cells(rows, covered).filter(|cell| cell.3.is_some()).count());
    let mut page = format!(
        "# Operations of kernels, and the tests that cover them

`cargo xtask kernel-matrix` generates this page from the sources of the device API and of
[its conformance suite](../tests/conformance/tests/device). A row is a routine that lanes, warps, blocks or grids call.
A column is a kind of symmetric memory: GPU memory that is mapped, host memory, and GPU memory that is far, where the
CPU is asked. A cell has the first test that launches a kernel with the routine and allocates memory of the kind, and
how many more there are. Jobs of a single PE count for routines that act on their own PE alone. Which argument of a
kernel lies in which memory is not looked at, nor which types it is called with: `numbers` tries all types, on mapped
and on far memory.

A cell is left free where a routine does not depend on the kind of memory. Where no test covers a cell, the page says
*none*, and [holes.toml](../tests/matrix/holes.toml) says why. Any other hole fails a test.

| cells | covered | none |
|--:|--:|--:|
| {all} | {with} | {} |

| routine | scope | mapped | host heap | far |
|---|---|---|---|---|
",
        all - with
    );
    for (routine, all) in rows {
        for caller in all {
            page += &format!("| `{routine}` | {} |", name_of(&ALL, *caller).to_lowercase());
            for (kind, _) in KINDS {
                let tests = covered.get(&(routine.clone(), *caller)).and_then(|kinds| kinds.get(&kind));
                page += &match tests {
                    _ if !applies(routine, kind) => " |".to_owned(),
                    None => " *none* |".to_owned(),
                    Some(tests) => {
                        let first = tests.first().map(String::as_str).unwrap_or_default();
                        let more = if tests.len() > 1 { format!(" + {}", tests.len() - 1) } else { String::new() };
                        format!(" `{first}`{more} |")
                    }
                };
            }
            page.push('\n');
        }
    }
    if !holes.hole.is_empty() {
        page += "\n## What no test covers\n\n| routines | scopes | memory | why |\n|---|---|---|---|\n";
    }
    for Hole { routines, scopes, memory, why } in &holes.hole {
        let list = |names: &[String]| names.join(", ");
        let routines: Vec<_> = routines.iter().map(|name| format!("`{name}`")).collect();
        page += &format!("| {} | {} | {} | {why} |\n", list(&routines), list(scopes), list(memory));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches kernels of two modules that are taken for one because they have the same name.
    #[test]
    fn kernels_of_one_name_are_told_apart() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let rows = BTreeMap::from(["quiet", "g"].map(|name| (name.to_owned(), vec![Who::Thread])));
        let files = BTreeMap::from([
            file("lib", "pub mod inner;\nmod outer;\nmod hidden;\npub use outer::*;\npub use hidden::{seen};\n"),
            file("outer", "fn pass_on() { quiet(); }"),
            file("inner", "fn pass_on() { g(from); }"),
            file("hidden", "fn seen() { g(from); }\nfn unseen() { quiet(); }"),
        ]);
        let kernels = kernels(&files, &rows);
        let of = |path: &str| kernels[path].iter().map(|row| row.0.as_str()).collect::<Vec<_>>();
        assert_eq!((of("pass_on"), of("inner::pass_on"), of("seen")), (vec!["quiet"], vec!["g"], vec!["g"]));
        assert_eq!(kernels.len(), 3, "{kernels:?}");
        let text = "use cushmem_conformance_kernels::{self as kernels, inner, inner::TASKS, one};";
        let imported = imported(text);
        let path = |before, word| path_of(before, word, &imported);
        assert_eq!(path("kernels::", "pass_on").as_deref(), Some("pass_on"));
        for before in ["(kernels::inner::", "inner::"] {
            assert_eq!(path(before, "pass_on").as_deref(), Some("inner::pass_on"), "{before}");
        }
        assert_eq!((path("(", "one").as_deref(), path("x ", "TASKS").as_deref()), (Some("one"), Some("inner::TASKS")));
        assert_eq!((path("(", "pass_on"), path("other::", "pass_on")), (None, None));
    }

    /// Catches a routine of the device API, a scope or a kind of memory that no test covers any more, and a page that
    /// is out of date.
    #[test]
    fn each_operation_of_kernels_has_a_test() {
        let root = Workspace::load().expect("a workspace").root;
        let (rows, covered, holes) = read(&root).expect("the sources");
        let wrong = mistakes(&rows, &covered, &holes);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let page_there = fs::read_to_string(root.join(PAGE)).expect("the page");
        assert!(
            page_there == page(&rows, &covered, &holes),
            "{PAGE} is out of date: `cargo xtask kernel-matrix` writes it"
        );
    }
}
