//! Builds what people build outside this workspace, as they would.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::process::without_build_settings;

/// The top folder; it is there only where the sources are.
pub fn sources() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("Cargo.toml").exists().then(|| root.canonicalize().expect("a folder that exists"))
}

/// The folder that cargo gives tests of this crate, which lives in the target folder.
pub fn scratch(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.parent().and_then(Path::parent).expect("tests live in target/<profile>/deps");
    profile.parent().expect("a target folder").join("outside").join(name)
}

/// The stable cargo, with nothing of the build that started the test.
pub fn cargo(folder: &Path, target: &Path) -> Command {
    let mut command = clean("cargo");
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    command
}

/// A command with nothing of the build that started the test. What it builds has no use for debugging information, nor
/// for what a second build would go on from.
pub fn clean(program: &str) -> Command {
    let mut command = without_build_settings(program);
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    command
}
