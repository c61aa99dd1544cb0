//! The program that uses candle, `tests/outside/candle`, which is a workspace of its own.

use crate::process::{run_limited, without_build_settings};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A registry that takes longer than this counts as unavailable.
const FETCH_LIMIT: Duration = Duration::from_secs(240);

/// Copies the program into `folder`, because cargo updates its lock file when crates of the library change, and fetches
/// its crates unless they are already here. The error says why this is impossible.
pub fn candle(root: &Path, folder: &Path) -> Result<(), String> {
    let example = root.join("tests/outside/candle");
    let read = |file: &str| fs::read_to_string(example.join(file)).map_err(|e| format!("read {file}: {e}"));
    let write = |file: &str, text: String| fs::write(folder.join(file), text).map_err(|e| format!("write {file}: {e}"));
    fs::create_dir_all(folder.join("src")).map_err(|e| format!("make {}: {e}", folder.display()))?;
    write("Cargo.toml", read("Cargo.toml")?.replace("../../..", &root.to_string_lossy()))?;
    for file in ["Cargo.lock", "src/main.rs"] {
        write(file, read(file)?)?;
    }
    let mut fetch = without_build_settings("cargo");
    fetch.current_dir(folder).args(["fetch", "--quiet"]);
    let (ended, said) = run_limited(&mut fetch, FETCH_LIMIT).map_err(|e| format!("{e:#}"))?;
    match ended.failure() {
        None => Ok(()),
        Some(how) => Err(format!("cargo fetch: {how}: {}", said.lines().next_back().unwrap_or(""))),
    }
}
