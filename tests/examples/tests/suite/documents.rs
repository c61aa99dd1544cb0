//! The documents agree with the sources. What a test reads is compiled into it, so that the test also runs where the
//! sources are missing.

use cushmem_environment as environment;
use cushmem_examples_tests::lines_of;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use xtask::left_out::record;

const README: &str = include_str!("../../../../README.md");
const ENVIRONMENT: &str = include_str!("../../../../docs/environment.md");

/// Files that the README prints in full.
const PRINTED: [(&str, &str); 4] = [
    ("apps/examples/c/ring.c", include_str!("../../../../apps/examples/c/ring.c")),
    ("apps/examples/src/bin/host-ring.rs", include_str!("../../../../apps/examples/src/bin/host-ring.rs")),
    ("apps/examples/kernels/src/lib.rs", include_str!("../../../../apps/examples/kernels/src/lib.rs")),
    ("apps/examples/src/bin/kernel-ring.rs", include_str!("../../../../apps/examples/src/bin/kernel-ring.rs")),
];

/// Returns the code blocks after markers `<!-- KIND: NAME -->`, by name.
fn marked_blocks<'a>(text: &'a str, kind: &str) -> BTreeMap<&'a str, &'a str> {
    let head = format!("<!-- {kind}: ");
    let blocks = text.split(head.as_str()).skip(1).map(|rest| {
        let (name, rest) = rest.split_once(" -->\n").expect("a marker ends with its line");
        let body =
            rest.strip_prefix("```").and_then(|r| r.split_once('\n')).expect("a code block follows its marker").1;
        (name, &body[..body.find("\n```\n").expect("the code block ends") + 1])
    });
    blocks.collect()
}

#[test]
fn the_readme_prints_the_examples() {
    let blocks = marked_blocks(README, "file");
    assert_eq!(blocks.keys().collect::<BTreeSet<_>>(), PRINTED.iter().map(|(name, _)| name).collect());
    for (name, text) in PRINTED {
        assert!(blocks[name] == text, "README.md differs from {name}: copy the file between the markers");
    }
}

/// A block starts with `$ …shmemrun -n N …PROGRAM`; the rest is what that prints, in any order.
#[test]
fn the_examples_print_what_the_readme_says() {
    let blocks = marked_blocks(README, "output");
    assert_eq!(blocks.len(), 2);
    for (program, text) in blocks {
        let (command, output) = text.split_once('\n').expect("a command and its output");
        let words: Vec<&str> = command.split_whitespace().collect();
        let n = words.iter().position(|w| *w == "-n").and_then(|i| words[i + 1].parse().ok()).expect("-n N");
        assert!(command.ends_with(&format!("/{program}")), "{command}");
        let mut lines: Vec<&str> = output.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines_of(program, n, "soft"), lines, "{command}");
    }
}

/// Returns the top-level folder if the sources exist here.
fn sources(test: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if root.join("Cargo.toml").exists() {
        return Some(root);
    }
    record(test, "the sources are not here");
    None
}

fn files_below(root: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root.to_path_buf()], vec![]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder of the sources").flatten().map(|e| e.path()) {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
            // Of the hidden folders, only `.ci` belongs to the sources; the others are generated.
            let skipped = name == "target" || (name.starts_with('.') && name != ".ci");
            if path.is_dir() && !skipped {
                folders.push(path);
            } else if endings.iter().any(|e| name.ends_with(e)) {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the words that look like variables of this library, except those that end in `_`, which are only prefixes.
fn variables(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let ours = |w: &&str| (w.starts_with("CUSHMEM_") || w.starts_with("SHMEM_SYMMETRIC")) && !w.ends_with('_');
    words.filter(ours).collect()
}

#[test]
fn the_tables_of_variables_are_those_of_the_sources() {
    let right = environment::with_tables(ENVIRONMENT).expect("places for all tables");
    assert!(ENVIRONMENT == right, "docs/environment.md is out of date: `cargo xtask environment` writes its tables");
}

/// Each constant has the name of its variable without `CUSHMEM_` or `SHMEM_`, and is used as `environment::NAME` or by
/// its full path.
#[test]
fn every_variable_is_in_the_table_and_used() {
    let Some(root) = sources("documents::every_variable_is_in_the_table_and_used") else { return };
    let read = |file: &PathBuf| fs::read_to_string(file).expect("a readable file");
    let apart = |f: &PathBuf| f.ends_with("tests/examples/tests/suite/documents.rs") || f.starts_with(root.join(TABLE));
    let texts: Vec<String> =
        files_below(&root, &[".rs", ".sh", ".c", ".h", "run"]).iter().filter(|f| !apart(f)).map(read).collect();
    let known: BTreeSet<&str> = environment::TABLE.iter().map(|v| v.name).collect();
    let named: BTreeSet<&str> = texts.iter().flat_map(|t| variables(t)).filter(|v| !OTHERS.contains(v)).collect();
    let strange: Vec<_> = named.difference(&known).collect();
    assert!(strange.is_empty(), "not in {TABLE}/src/table.rs: {strange:?}");
    for variable in environment::TABLE.iter() {
        let short = ["CUSHMEM_", "SHMEM_"].iter().find_map(|p| variable.name.strip_prefix(p)).unwrap_or(variable.name);
        let [constant, of_crate] = ["environment", "cushmem_environment"].map(|name| format!("{name}::{short}"));
        let used = texts.iter().any(|t| [variable.name, &constant, &of_crate].iter().any(|name| has_word(t, name)));
        assert!(used, "{TABLE}/src/table.rs: no code uses {}", variable.name);
    }
}

/// The crate that contains the table.
const TABLE: &str = "runtime/environment";

/// Misspelt names that tests use on purpose, macros of the C header, and a variable of the build alone.
const OTHERS: [&str; 6] = [
    "CUSHMEM_GPUS",
    "SHMEM_SYMMETRIC_SIZ",
    "CUSHMEM_MAJOR_VERSION",
    "CUSHMEM_MINOR_VERSION",
    "CUSHMEM_PATCH_VERSION",
    "CUSHMEM_WITHOUT_RECORDING",
];

fn has_word(text: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part_of_name) && !text[at + word.len()..].starts_with(part_of_name))
}

/// Whether this line of a comment starts an example, or says where there is one.
fn shows(line: &str) -> bool {
    line.starts_with("///") && (line.contains("```") || line.contains("an example"))
}

/// Returns what a crate with these sources exports for users but shows no example of. Declarations made by macros are
/// not seen.
fn exports_without_example(lib: &str, sources: &[String]) -> Vec<String> {
    let shown = lib.replace("#[doc(hidden)]\npub use ", "use ");
    let exported = shown.split("\npub use ").skip(1).filter_map(|rest| Some(rest.split_once(';')?.0));
    // One example of the module serves all of its items.
    let exported = exported.filter(|path| !path.starts_with("arch::")).filter_map(|path| path.rsplit("::").next());
    let exported = exported.flat_map(|names| names.split(['{', ',', '}']));
    let exported = exported.filter_map(|name| name.split_whitespace().next());
    let exported: BTreeSet<&str> = exported.collect();
    let mut without = vec![];
    for text in sources {
        let mut has_example = false;
        for line in text.lines() {
            let item = line.strip_prefix("pub ").map(|rest| rest.trim_start_matches("unsafe "));
            let (kind, rest) = item.and_then(|item| item.split_once(' ')).unwrap_or_default();
            let is_item = ["fn", "struct", "enum", "trait", "type"].contains(&kind);
            let name = rest.split(['<', '(', ' ', ':', ';']).next().filter(|_| is_item);
            match name {
                Some(name) if exported.contains(name) && !has_example => without.push(name.to_owned()),
                _ if line.starts_with("#[") => {}
                _ => has_example = line.starts_with("///") && (has_example || shows(line)),
            }
        }
    }
    without
}

/// Crate `cushmem` starts with an example. Every item that its front page lists by task contains an example or names
/// one, as do all items of both crates. The compiler checks all examples.
#[test]
fn the_api_has_examples() {
    let Some(root) = sources("documents::the_api_has_examples") else { return };
    let read = |file: &PathBuf| fs::read_to_string(file).expect("a readable file");
    let page = read(&root.join("runtime/src/lib.rs"));
    let (before, tasks) = page.split_once("//! # By task").expect("tasks on the front page");
    assert!(before.contains("//! ```\n"), "no example before the tasks");
    let named: BTreeSet<&str> = tasks.split("[`Shmem::").skip(1).filter_map(|rest| rest.split('`').next()).collect();
    assert!(named.len() > 30, "{named:?}");
    let files = files_below(&root.join("runtime/src"), &[".rs"]);
    let host: Vec<String> = files.iter().map(read).collect();
    // What the parts for each target define is exported by way of functions that have examples.
    let files = files_below(&root.join("device/src"), &[".rs"]).into_iter();
    let device: Vec<String> = files
        .filter(|file| !file.components().any(|part| part.as_os_str() == "arch"))
        .map(|file| read(&file))
        .collect();
    for (lib, texts) in [("runtime/src/lib.rs", &host), ("device/src/lib.rs", &device)] {
        assert!(!texts.iter().any(|text| text.contains("/ ```ignore")), "an example that is not compiled");
        let without = exports_without_example(&read(&root.join(lib)), texts);
        assert!(without.is_empty(), "{lib} exports them, and they have no example: {without:?}");
    }
    let blocks = host.iter().flat_map(|text| text.split("\nimpl Shmem {\n").skip(1));
    let blocks = blocks.filter_map(|block| block.split("\n}\n").next());
    let mut with_example = BTreeSet::new();
    for block in blocks {
        let mut has_example = false;
        for line in block.lines().map(str::trim) {
            let item =
                line.strip_prefix("pub ").and_then(|rest| rest.trim_start_matches("unsafe ").strip_prefix("fn "));
            let name = item.and_then(|rest| rest.split(['<', '(']).next());
            match name {
                Some(name) if has_example => _ = with_example.insert(name),
                _ if line.starts_with("#[") => {}
                _ => has_example = line.starts_with("///") && (has_example || shows(line)),
            }
        }
    }
    let without: Vec<_> = named.iter().filter(|n| !with_example.contains(**n)).collect();
    assert!(without.is_empty(), "the front page names them, and they have no example: {without:?}");
}

#[test]
fn links_lead_somewhere() {
    let Some(root) = sources("documents::links_lead_somewhere") else { return };
    for file in files_below(&root, &[".md"]) {
        let text = fs::read_to_string(&file).expect("a readable file");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let path = link.split('#').next().unwrap_or(link);
            let found = path.is_empty() || path.contains("://") || file.with_file_name("").join(path).exists();
            assert!(found, "{}: `{link}` leads nowhere", file.display());
        }
    }
}
