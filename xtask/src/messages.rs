//! `cargo xtask messages`: writes `docs/messages.md`, a page with what the library and its programs say to users, so
//! that a reader can review the English at once. `cargo xtask tidy` compares it.
//!
//! A message is a string of at least three words in code that is not a test. So some help texts are among them; the
//! page would be worth less if it missed messages.

use crate::report::shown;
use crate::tidy::{File, Finding, Rule, read_files, source};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The page shows what the sources say.
pub const MESSAGES: Rule = Rule {
    name: "messages",
    why: "docs/messages.md, the page on which messages are reviewed, agrees with the sources",
};

const PAGE: &str = "docs/messages.md";
/// The folders of the crates that speak to users.
const SPEAKERS: [&str; 3] = ["device", "launcher", "runtime"];
/// What else is in them: texts that other pages show, instructions of GPUs, and pieces of documentation.
const OTHER_PAGES: [&str; 4] =
    ["runtime/capi/table", "runtime/environment/src/table.rs", "device/src/arch", "device/src/amo.rs"];
/// Calls whose texts only a failed check of the library itself shows.
const CHECKS: [&str; 5] = ["expect", "unreachable", "assert", "assert_eq", "debug_assert"];
const FEWEST_WORDS: usize = 3;

/// Writes the page.
pub fn messages() -> Result<()> {
    let root = Workspace::load()?.root;
    let page = page(&read_files(&root)?)?;
    let path = root.join(PAGE);
    std::fs::write(&path, page).with_context(|| format!("write {}", path.display()))?;
    println!("{} was written", shown(&path));
    Ok(())
}

/// Compares the page with the sources.
pub fn check(files: &[File]) -> Result<Option<Finding>> {
    let right = page(files)?;
    if files.iter().any(|file| file.path == Path::new(PAGE) && file.text == right) {
        return Ok(None);
    }
    let message = "is out of date: `cargo xtask messages` writes it; read what has changed there".into();
    Ok(Some(Finding { file: PAGE.into(), line: 0, rule: &MESSAGES, message }))
}

fn page(files: &[File]) -> Result<String> {
    let is_manifest = |file: &&File| file.path.file_name().is_some_and(|name| name == "Cargo.toml");
    let crates: Vec<&Path> = files.iter().filter(is_manifest).filter_map(|file| file.path.parent()).collect();
    let mut of_crates: BTreeMap<&Path, Vec<(PathBuf, Vec<String>)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        let is_below = |folder: &&str| file.path.starts_with(folder);
        if !SPEAKERS.iter().any(is_below) || OTHER_PAGES.iter().any(is_below) {
            continue;
        }
        let texts = texts(&file.text).with_context(|| format!("read {}", file.path.display()))?;
        let home =
            crates.iter().filter(|folder| file.path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
        if let (Some(home), false) = (home, texts.is_empty()) {
            of_crates.entry(home).or_default().push((file.path.strip_prefix(home)?.into(), texts));
        }
    }
    let mut page = format!(
        "<!-- Written by `cargo{} messages`. -->\n# Messages\n\nWhat the library and its programs say, by crate and file, \
         for those who review the English. A part in braces stands for a value.\n",
        " xtask"
    );
    for (home, files) in of_crates {
        write!(page, "\n## {}\n", home.display())?;
        for (path, texts) in files {
            write!(page, "\n`{}`\n\n", path.display())?;
            for text in texts {
                writeln!(page, "* {text}")?;
            }
        }
    }
    Ok(page)
}

/// The messages of a source file, in their order.
fn texts(text: &str) -> Result<Vec<String>> {
    let lines = source::lines(text).map_err(|error| anyhow::anyhow!("{error}"))?;
    let tokens: TokenStream = text.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut found = vec![];
    collect(tokens, &lines, &mut found);
    Ok(found)
}

fn collect(tokens: TokenStream, lines: &[source::Line], found: &mut Vec<String>) {
    // The last two tokens before a group.
    let (mut name, mut is_attribute) = (String::new(), false);
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let of_check = group.delimiter() == Delimiter::Parenthesis && CHECKS.contains(&name.as_str());
                let of_attribute = is_attribute && !group.stream().to_string().starts_with("error");
                if !of_check && !of_attribute {
                    collect(group.stream(), lines, found);
                }
                (name, is_attribute) = (String::new(), false);
            }
            TokenTree::Ident(ident) => (name, is_attribute) = (ident.to_string(), false),
            TokenTree::Punct(punct) => is_attribute = punct.as_char() == '#' || is_attribute && punct.as_char() == '!',
            TokenTree::Literal(literal) => {
                let is_test = lines.get(literal.span().start().line - 1).is_some_and(|line| line.in_test);
                found.extend(message(&literal.to_string()).filter(|_| !is_test));
            }
        }
    }
}

/// The text of a string literal, on one line, if it has enough words.
fn message(literal: &str) -> Option<String> {
    let inside = literal.strip_prefix('"')?.strip_suffix('"')?;
    let text = inside.replace("\\\n", " ").replace("\\n", " ").replace("\\\"", "\"");
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |word: &&&str| word.chars().any(char::is_alphabetic) && !word.starts_with('{');
    (words.iter().filter(plain).count() >= FEWEST_WORDS).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_all_forms_are_found_and_nothing_else() {
        let text = "/// Not this one either.\n#[error(\"PE {pe} has left\")]\nstruct A;\n#[expect(x, reason = \"a long reason\")]\n\
            fn f() {\n bail!(\"the file {} is\\n    too long\");\n g().expect(\"it was made above\");\n\
            let c = Cause::Other(format!(\"say \\\"it\\\" once \\\n more\")); let d = \"two words\";\n}\n\
            #[cfg(test)]\nmod tests { fn g() { h(\"not of a test\") } }\n";
        assert_eq!(texts(text).expect("Rust"), ["PE {pe} has left", "the file {} is too long", "say \"it\" once more"]);
    }

    #[test]
    fn the_page_groups_by_crate_and_file() {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        let source = "const A: &str = \"it is wrong\";";
        let files = [
            file("runtime/Cargo.toml", ""),
            file("runtime/net/Cargo.toml", ""),
            file("runtime/net/src/a.rs", source),
            file("runtime/tests/b.rs", source),
            file("apps/src/c.rs", source),
        ];
        let page = page(&files).expect("a page");
        assert!(page.ends_with("\n## runtime/net\n\n`src/a.rs`\n\n* it is wrong\n"), "{page}");
        assert!(!page.contains("tests/b.rs") && !page.contains("apps"), "{page}");
        assert!(check(&files).expect("Rust").is_some(), "the page is missing");
    }
}
