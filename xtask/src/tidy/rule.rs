//! A rule, a place that breaks it, and the files that rules read.

use anyhow::{Context, Result};
use std::fmt;
use std::path::{Path, PathBuf};

/// A rule and its reason.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name in messages.
    pub name: &'static str,
    /// What it demands and why.
    pub why: &'static str,
}

/// A place that breaks a rule.
#[derive(Debug)]
pub struct Finding {
    /// The file, relative to the top folder.
    pub file: PathBuf,
    /// The line, from 1; 0 if the finding is about the whole file.
    pub line: usize,
    /// The rule.
    pub rule: &'static Rule,
    /// What is wrong, and how to fix it.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file.display(), self.line, self.rule.name, self.message)
    }
}

/// A text file of the project.
pub struct File {
    /// Its path, relative to the top folder.
    pub path: PathBuf,
    /// Its whole text.
    pub text: String,
}

impl File {
    /// Whether it is Rust source.
    pub fn is_rust(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "rs")
    }

    /// Whether only tests use it.
    pub fn is_test(&self) -> bool {
        let in_folder =
            |c: std::path::Component<'_>| matches!(c.as_os_str().to_str(), Some("tests" | "benches" | "examples"));
        let stem = self.path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        self.path.components().any(in_folder) || stem == "tests" || stem.ends_with("_tests")
    }
}

const TEXT: [&str; 11] = ["rs", "toml", "md", "sh", "c", "h", "cpp", "hpp", "cu", "yml", "txt"];

pub(crate) fn read_files(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("list {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("").to_owned();
            let relative = path.strip_prefix(root).expect("lies below the root").to_path_buf();
            if path.is_symlink() || ["target", "bundle", ".git", ".carry"].contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if relative.starts_with(".ci") || path.extension().is_some_and(|e| TEXT.iter().any(|t| e == *t)) {
                let text = std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
                files.push(File { path: relative, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
