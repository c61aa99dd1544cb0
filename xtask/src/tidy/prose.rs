//! Rules about the English of comments, messages and documents.

use super::{File, Finding, Rule};

/// Phrases that readers stumble over.
pub const PROSE: Rule =
    Rule { name: "prose", why: "some phrases are not English: each finding says what to write instead" };

/// Lines are short enough to read two files side by side.
pub const WIDTH: Rule = Rule {
    name: "width",
    why: "lines of comments and Markdown have at most 120 characters, as code has; tables, code and generated pages may be wider",
};

/// The most characters in a line; rustfmt uses the same limit for code.
const WIDEST: usize = 120;

/// A phrase and a better one, each phrase in two halves, so that the rule does not match this file.
const PHRASES: [(&str, &str); 5] = [
    (concat!("Only", " who "), "say what the reader has to do: \"You need … only to …\""),
    (concat!("for", " who "), "\"for callers that\", \"for programs that\""),
    (concat!("is no", " memory"), "\"is not a valid address\""),
    (concat!("is no", " context"), "\"is not a context\""),
    (concat!("SAFETY: ", "passed on"), "the reason itself: \"the caller guarantees that …\""),
];

/// The start of a page written by a program, also in two halves.
const GENERATED: &str = concat!("<!-- Written by `cargo", " xtask ");

/// A word that the rule rejects only at the end of a sentence.
const MEANWHILE: &str = concat!("mean", "while");

/// Checks one file.
pub fn check(file: &File) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let mut add = |message| found.push(Finding { file: file.path.clone(), line: index + 1, rule: &PROSE, message });
        for (phrase, better) in PHRASES {
            if begins_word(line, phrase) {
                add(format!("\"{}\": better {better}", phrase.trim_end()));
            }
        }
        if ends_sentence(line) {
            add(format!("\"{MEANWHILE}\" ends a sentence: better \"while it waits\", or what else goes on"));
        }
    }
    found.extend(too_wide(file));
    found
}

fn too_wide(file: &File) -> Vec<Finding> {
    let markdown = file.path.extension().is_some_and(|extension| extension == "md");
    if !(markdown || file.is_rust()) || file.text.contains(GENERATED) {
        return vec![];
    }
    let (mut found, mut in_code) = (Vec::new(), false);
    for (index, line) in file.text.lines().enumerate() {
        let text = if markdown { Some(line) } else { line.trim_start().strip_prefix("//") };
        let Some(text) = text.map(|text| text.trim_start_matches(['/', '!']).trim_start()) else {
            in_code = false;
            continue;
        };
        in_code ^= text.starts_with("```");
        // A table, a line of code, or a line with a Markdown line break at its end.
        let may_be_wide = in_code || text.starts_with(['|', '`']) || text.ends_with('\\');
        let width = line.chars().count();
        if width > WIDEST && !may_be_wide {
            let message = format!("{width} characters: break the line");
            found.push(Finding { file: file.path.clone(), line: index + 1, rule: &WIDTH, message });
        }
    }
    found
}

fn begins_word(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
}

fn ends_sentence(line: &str) -> bool {
    line.match_indices(MEANWHILE).any(|(at, word)| {
        line[at + word.len()..].starts_with(['.', ';', ':', '!', '?']) && !line[..at].ends_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> usize {
        check(&File { path: "a.md".into(), text: text.into() }).len()
    }

    #[test]
    fn wide_lines_are_found_outside_of_tables_and_code() {
        let wide = "word ".repeat(25);
        let lines = |path: &str, text: &str| {
            let file = File { path: path.into(), text: text.into() };
            check(&file).iter().map(|finding| finding.line).collect::<Vec<_>>()
        };
        assert_eq!(lines("a.md", &format!("short\n{wide}\n| {wide}\n```\n{wide}\n```\n* {wide}")), [2, 7]);
        assert_eq!(lines("a.rs", &format!("let a = \"{wide}\";\n    // {wide}\n//! {wide}\n//! | {wide}")), [2, 3]);
        assert_eq!(lines("a.rs", &format!("/// ```text\n/// {wide}\nfn f() {{}}\n/// {wide}")), [4]);
        assert!(lines("a.toml", &format!("# {wide}")).is_empty());
        assert!(lines("a.md", &format!("{GENERATED}table` -->\n{wide}")).is_empty());
        assert!(lines("a.md", &"µ".repeat(120)).is_empty());
    }

    #[test]
    fn phrases_are_found() {
        assert_eq!(findings(concat!("Only", " who knows\nNULL is no", " memory\n// SAFETY: ", "passed on.")), 3);
        assert_eq!(
            findings(concat!("the root copies mean", "while.\nMean", "while, it waits; mean", "while it waits")),
            1
        );
        assert_eq!(findings("Only those who know it, and before who can"), 0);
    }
}
