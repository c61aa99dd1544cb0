//! `cargo xtask tidy`: checks rules of the project that the compiler and clippy do not know.

pub mod arrows;
pub mod comments;
pub mod files;
pub mod floors;
pub mod modules;
pub mod prose;
pub mod source;

use crate::messages;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use floors::House;
use std::fmt;
use std::path::{Path, PathBuf};

/// Options of `cargo xtask tidy`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// List the rules and their reasons
    #[arg(long)]
    pub list: bool,
    /// Also check the rules that the project does not follow yet
    #[arg(long)]
    pub all: bool,
    /// Print the dependencies between the modules of the runtime
    #[arg(long)]
    pub arrows: bool,
}

/// A rule and its reason.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name in messages.
    pub name: &'static str,
    /// What it demands and why.
    pub why: &'static str,
}

/// All rules, in the order of `--list`.
pub const RULES: [&Rule; 14] = [
    &arrows::ARROWS,
    &arrows::FORBID_UNSAFE,
    &arrows::NO_STD,
    &arrows::WORKSPACE_LINTS,
    &arrows::FEATURES,
    &floors::FLOORS,
    &files::FILE_SIZE,
    &files::FOREIGN_PATHS,
    &prose::PROSE,
    &prose::WIDTH,
    &comments::SAFETY,
    &comments::SYNC_COMMENT,
    &comments::SYNC_PAIR,
    &messages::MESSAGES,
];

/// Rules that the project does not follow yet; `--all` shows where.
const NOT_YET: [&Rule; 0] = [];

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

/// Checks every rule; fails if one is broken.
pub fn tidy(options: &Options) -> Result<()> {
    if options.list {
        for rule in RULES {
            let not_yet = if NOT_YET.contains(&rule) { " (not followed yet)" } else { "" };
            println!("{:16} {}{not_yet}", rule.name, rule.why);
        }
        return Ok(());
    }
    let workspace = Workspace::load()?;
    let files = read_files(&workspace.root)?;
    let house = House::look(&files)?;
    if options.arrows {
        house.print();
        return Ok(());
    }
    let mut findings = arrows::check(&workspace)?;
    findings.extend(files.iter().flat_map(files::check));
    findings.extend(files.iter().flat_map(prose::check));
    findings.extend(comments::check(&files)?);
    findings.extend(house.check(&files));
    findings.extend(messages::check(&files)?);
    findings.retain(|finding| options.all || !NOT_YET.contains(&finding.rule));
    for finding in &findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        bail!("{} findings; `cargo xtask tidy --list` explains the rules", findings.len());
    }
    let rules = RULES.len() - if options.all { 0 } else { NOT_YET.len() };
    println!("tidy: {} files, {rules} rules, no findings", files.len());
    Ok(())
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
