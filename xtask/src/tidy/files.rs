//! Rules about files as a whole.

use super::{File, Finding, Rule};

/// Files have one subject.
pub const FILE_SIZE: Rule = Rule {
    name: "file-size",
    why: "a Rust file of more than 600 lines says `// Long because …` in its first 10 lines: one subject a file",
};

/// Nothing refers to the paths of one machine.
pub const FOREIGN_PATHS: Rule = Rule {
    name: "foreign-paths",
    why: "no absolute path of one machine and no folder outside the project: others do not have them",
};

const MAX_LINES: usize = 600;

// Each in two halves, so that the rule does not match this file.
const FOREIGN: [&str; 8] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/opt/cuda", "-wheels"),
    concat!("shared/", "design"),
    concat!("shared/", "gpu"),
    concat!("shared/", "net-lab"),
    concat!("shared/", "spec"),
];

/// Checks one file.
pub fn check(file: &File) -> Vec<Finding> {
    let finding = |line, rule, message| Finding { file: file.path.clone(), line, rule, message };
    let mut found = Vec::new();
    let count = file.text.lines().count();
    let excused = file.text.lines().take(10).any(|l| l.contains("Long because"));
    if file.is_rust() && count > MAX_LINES && !excused {
        let message = format!("{count} lines: split it, or say `// Long because …` at its top");
        found.push(finding(1, &FILE_SIZE, message));
    }
    for (index, line) in file.text.lines().enumerate() {
        if let Some(word) = FOREIGN.iter().find(|word| names_it(line, word)) {
            found.push(finding(index + 1, &FOREIGN_PATHS, format!("`{word}` means nothing to others")));
        }
    }
    found
}

/// Whether the line contains the word as the start of a path, not in the middle of one.
fn names_it(line: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | '$');
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<&'static str> {
        check(&File { path: path.into(), text: text.into() }).iter().map(|f| f.rule.name).collect()
    }

    #[test]
    fn long_files_need_a_reason() {
        let long = "x\n".repeat(601);
        assert_eq!(names("a.rs", &long), ["file-size"]);
        assert!(names("a.rs", &format!("// Long because a table\n{long}")).is_empty());
        assert!(names("a.md", &long).is_empty());
        assert!(names("a.rs", &"x\n".repeat(600)).is_empty());
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        assert_eq!(names("README.md", concat!("see `/wo", "rk/notes`")), ["foreign-paths"]);
        assert_eq!(names("a.sh", concat!("cat ../shared/", "design/x")), ["foreign-paths"]);
        assert_eq!(names("a.sh", concat!("cat shared/", "design/x")), ["foreign-paths"]);
        assert!(names("a.rs", concat!("frame/wo", "rk/x")).is_empty());
    }
}
