//! `cargo xtask environment`: writes the tables of variables from the one in `runtime/environment`. A test compares
//! them.

use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;

/// Rewrites the tables of the document.
pub fn environment() -> Result<()> {
    let path = Workspace::load()?.root.join("docs/environment.md");
    let old = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let new = cushmem_environment::with_tables(&old).with_context(|| format!("update {}", path.display()))?;
    let state = if new == old { "is up to date" } else { "was updated" };
    fs::write(&path, new).with_context(|| format!("write {}", path.display()))?;
    println!("{} {state}", shown(&path));
    Ok(())
}
