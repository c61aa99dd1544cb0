//! The program beside candle, which is a workspace of its own: `tests/outside/candle`.

use crate::process::{run_limited, without_build_settings};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A registry that takes longer counts as none.
const FETCH_LIMIT: Duration = Duration::from_secs(240);

/// Copies it into `folder`, as cargo brings its lock file up to date when crates of the library change, and gets its
/// crates unless they are here; the error says why that cannot be done.
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
