//! Builds what people build outside this workspace, in the way in which they would.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::process::without_build_settings;

/// The top-level folder; it exists only where the sources are.
pub fn sources() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("Cargo.toml").exists().then(|| root.canonicalize().expect("a folder that exists"))
}

/// A folder inside the target folder, which cargo provides for tests of this crate.
pub fn scratch(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.parent().and_then(Path::parent).expect("tests live in target/<profile>/deps");
    profile.parent().expect("a target folder").join("outside").join(name)
}

/// The stable cargo, without any settings of the build that started the test.
pub fn cargo(folder: &Path, target: &Path) -> Command {
    let mut command = clean("cargo");
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    command
}

/// A command without any settings of the build that started the test. What it builds needs neither debugging
/// information nor files for incremental builds.
pub fn clean(program: &str) -> Command {
    let mut command = without_build_settings(program);
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    command
}
