//! Rules about the English of comments, messages and documents.

use super::{File, Finding, Rule};

/// Phrases that a reader stumbles over.
pub const PROSE: Rule =
    Rule { name: "prose", why: "some phrases are not English: each finding says what to write instead" };

/// A phrase, and what is better. In two halves, so that this file does not find itself.
const PHRASES: [(&str, &str); 5] = [
    (concat!("Only", " who "), "say what the reader has to do: \"You need … only to …\""),
    (concat!("for", " who "), "\"for callers that\", \"for programs that\""),
    (concat!("is no", " memory"), "\"is not a valid address\""),
    (concat!("is no", " context"), "\"is not a context\""),
    (concat!("SAFETY: ", "passed on"), "the reason itself: \"the caller guarantees that …\""),
];

/// At the end of a sentence only.
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
    fn phrases_are_found() {
        assert_eq!(findings(concat!("Only", " who knows\nNULL is no", " memory\n// SAFETY: ", "passed on.")), 3);
        assert_eq!(
            findings(concat!("the root copies mean", "while.\nMean", "while, it waits; mean", "while it waits")),
            1
        );
        assert_eq!(findings("Only those who know it, and before who can"), 0);
    }
}
