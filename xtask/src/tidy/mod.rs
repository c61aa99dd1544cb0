//! `cargo xtask tidy`: checks rules of the project that the compiler and clippy do not know.

pub mod arrows;
pub mod circles;
pub mod comments;
pub mod files;
pub mod floors;
pub mod modules;
pub mod prose;
pub mod rule;
pub mod source;

use crate::messages;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use floors::House;
pub(crate) use rule::read_files;
pub use rule::{File, Finding, Rule};

/// Options of `cargo xtask tidy`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// List the rules and their reasons
    #[arg(long)]
    pub list: bool,
    /// Also check the rules that the project does not follow yet
    #[arg(long)]
    pub all: bool,
    /// Print the dependencies between the modules of the runtime, and the circles between the files of each crate
    #[arg(long)]
    pub arrows: bool,
}

/// All rules, in the order of `--list`.
pub const RULES: [&Rule; 15] = [
    &arrows::ARROWS,
    &arrows::FORBID_UNSAFE,
    &arrows::NO_STD,
    &arrows::WORKSPACE_LINTS,
    &arrows::FEATURES,
    &floors::FLOORS,
    &circles::CIRCLES,
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
    let circles = circles::look(&files)?;
    if options.arrows {
        house.print();
        circles::print(&circles);
        return Ok(());
    }
    let mut findings = arrows::check(&workspace)?;
    findings.extend(files.iter().flat_map(files::check));
    findings.extend(files.iter().flat_map(prose::check));
    findings.extend(comments::check(&files)?);
    findings.extend(house.check(&files));
    findings.extend(circles::check(&circles));
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
