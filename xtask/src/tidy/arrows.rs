//! Rules about crates: which crates each may depend on, and which attributes it must have.

use super::{Finding, Rule};
use crate::workspace::{Package, Workspace};
use anyhow::{Context, Result};
use cargo_metadata::DependencyKind;

/// Dependencies must be allowed by the table of rooms.
pub const ARROWS: Rule = Rule {
    name: "arrows",
    why: "crates depend only on what the table in docs/ARCHITECTURE.md allows; device/* never depends on runtime/*, not even in tests",
};

/// Crates without unsafe code must forbid it.
pub const FORBID_UNSAFE: Rule = Rule {
    name: "forbid-unsafe",
    why: "crates without unsafe code say #![forbid(unsafe_code)]; cushmem says deny, and allows it in the modules that need it",
};

/// Crates that run on a GPU must be `no_std`.
pub const NO_STD: Rule =
    Rule { name: "no-std", why: "crates that kernels use are no_std: a GPU has no operating system" };

/// All crates use the same lints.
pub const WORKSPACE_LINTS: Rule = Rule {
    name: "workspace-lints",
    why: "every Cargo.toml says `[lints] workspace = true`: the lints are the same everywhere",
};

/// All crates use the same features of shared crates.
pub const FEATURES: Rule = Rule {
    name: "features",
    why: "[workspace.dependencies] chooses the features of shared crates: a member that asks for more makes cargo recompile all dependent crates for each choice",
};

/// A room of the architecture: a crate, or a folder of crates.
struct Room {
    folder: &'static str,
    may_use: &'static [&'static str],
    forbids_unsafe: bool,
    /// Unsafe code is allowed only in modules for which `lib.rs` says so.
    names_unsafe: bool,
    no_std: bool,
}

const fn room(folder: &'static str, may_use: &'static [&'static str]) -> Room {
    Room { folder, may_use, forbids_unsafe: false, names_unsafe: false, no_std: false }
}

/// The table. A name that ends in `/` stands for all folders below it; the first row that matches a folder counts.
const ROOMS: &[Room] = &[
    Room { forbids_unsafe: true, no_std: true, ..room("device/abi", &[]) },
    Room { forbids_unsafe: true, no_std: true, ..room("device/numbers", &[]) },
    Room { forbids_unsafe: true, no_std: true, ..room("device/protocol", &[]) },
    Room { no_std: true, ..room("device", &["device/abi", "device/protocol"]) },
    Room { forbids_unsafe: true, ..room("device/build", &[]) },
    Room { no_std: true, ..room("device/ptx", &["device", "device/abi", "device/protocol"]) },
    Room { forbids_unsafe: true, ..room("runtime/environment", &[]) },
    Room { forbids_unsafe: true, ..room("runtime/thread", &[]) },
    Room { forbids_unsafe: true, ..room("runtime/record", &["device/abi"]) },
    Room { no_std: true, ..room("device/cxx", &["device", "device/abi"]) },
    Room { no_std: true, ..room("device/library", &["device", "device/abi"]) },
    room("runtime/gpu", &["device/abi", "runtime/environment", "runtime/thread"]),
    Room { forbids_unsafe: true, ..room("runtime/topology", &[]) },
    room("runtime/bootstrap", &["runtime/environment", "runtime/thread", "runtime/topology"]),
    Room { forbids_unsafe: true, ..room("runtime/path", &[]) },
    Room { forbids_unsafe: true, ..room("runtime/collective", &[]) },
    room("runtime/net", &["device/abi", "device/numbers", "runtime/environment", "runtime/thread"]),
    room("runtime/kernels", KERNELS_MAY_USE),
    Room { forbids_unsafe: true, ..room("runtime/capi/table", &[]) },
    room("runtime/capi", &["runtime", "runtime/capi/table", "runtime/environment", "device", "device/"]),
    Room { names_unsafe: true, ..room("runtime", &["device", "device/", "runtime/"]) },
    Room { forbids_unsafe: true, ..room("launcher/command-line", &["runtime/environment"]) },
    room(
        "launcher",
        &[
            "device/numbers",
            "launcher/command-line",
            "runtime/bootstrap",
            "runtime/environment",
            "runtime/record",
            "runtime/topology",
        ],
    ),
    room(
        "launcher/info",
        &[
            "device/abi",
            "launcher/command-line",
            "runtime/environment",
            "runtime/gpu",
            "runtime/net",
            "runtime/path",
            "runtime/topology",
        ],
    ),
    Room {
        forbids_unsafe: true,
        ..room("launcher/advise", &["apps/plot", "launcher/command-line", "runtime/environment", "runtime/path"])
    },
    Room {
        forbids_unsafe: true,
        ..room(
            "launcher/tune",
            &["device/numbers", "launcher/command-line", "runtime", "runtime/environment", "runtime/path"],
        )
    },
    Room { forbids_unsafe: true, ..room("apps/plot", &[]) },
    Room {
        forbids_unsafe: true,
        ..room("apps/program", &["apps/plot", "device/numbers", "runtime", "launcher/command-line"])
    },
    room("apps/lbm/kernels", KERNELS_MAY_USE),
    room("apps/stencil2d/kernels", KERNELS_MAY_USE),
    room("apps/jacobi/kernels", KERNELS_MAY_USE),
    room("apps/bench/kernels", KERNELS_MAY_USE),
    room("apps/examples/kernels", KERNELS_MAY_USE),
    room("apps/examples/programs/kernels", KERNELS_MAY_USE),
    // The benchmark compares the library with the network alone.
    room("apps/bench", &["runtime", "runtime/net", "device", "device/", "apps/", "launcher/command-line"]),
    room("apps/", &["runtime", "device", "device/", "apps/", "launcher/command-line"]),
    room("tests/conformance/kernels", KERNELS_MAY_USE),
    room("tests/litmus/kernels", KERNELS_MAY_USE),
    room("tests/registers", KERNELS_MAY_USE),
    room("tests/", &["runtime", "runtime/", "device", "device/", "apps/", "tests/", "launcher", "xtask"]),
    Room { forbids_unsafe: true, ..room("ptx", &["launcher/command-line"]) },
    Room {
        forbids_unsafe: true,
        ..room(
            "xtask",
            &[
                "apps/plot",
                "device/abi",
                "device/numbers",
                "launcher/command-line",
                "ptx",
                "runtime/capi/table",
                "runtime/environment",
                "tests/scratch",
            ],
        )
    },
];

const KERNELS_MAY_USE: &[&str] = &["device", "device/"];

fn matches(pattern: &str, folder: &str) -> bool {
    if pattern.ends_with('/') { folder.starts_with(pattern) } else { folder == pattern }
}

fn room_of(folder: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|r| matches(r.folder, folder))
}

/// Checks all members of the workspace.
pub fn check(workspace: &Workspace) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for package in &workspace.packages {
        let manifest = workspace.relative(package.cargo.manifest_path.as_std_path()).to_path_buf();
        let folder = workspace.relative(package.dir()).display().to_string();
        let mut add = |rule, message| found.push(Finding { file: manifest.clone(), line: 0, rule, message });
        for message in broken_arrows(workspace, package, &folder) {
            add(&ARROWS, message);
        }
        let text = read(package.cargo.manifest_path.as_std_path())?;
        if !inherits_lints(&text) {
            add(&WORKSPACE_LINTS, "add `[lints]` with `workspace = true`".into());
        }
        for line in lines_with_features(&text) {
            add(&FEATURES, format!("`{line}`: name the features in [workspace.dependencies]"));
        }
        for root in crate_roots(package) {
            let source = read(&root)?;
            let file = root.file_name().unwrap_or_default().display().to_string();
            for (rule, attribute) in missing_attributes(&folder, &file, &source) {
                add(rule, format!("src/{file} lacks `{attribute}`"));
            }
        }
    }
    Ok(found)
}

fn read(path: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))
}

fn crate_roots(package: &Package) -> Vec<std::path::PathBuf> {
    let roots = ["src/lib.rs", "src/main.rs"].map(|f| package.dir().join(f));
    roots.into_iter().filter(|r| r.exists()).collect()
}

fn broken_arrows(workspace: &Workspace, package: &Package, folder: &str) -> Vec<String> {
    let targets = package.cargo.dependencies.iter().filter_map(|d| {
        let target = workspace.relative(d.path.as_ref()?.as_std_path()).display().to_string();
        Some((target, d.kind))
    });
    targets.filter_map(|(target, kind)| broken_arrow(folder, &target, kind)).collect()
}

/// Tests may use whatever they need, except that the device crates never use the runtime; everything else follows the
/// table.
fn broken_arrow(folder: &str, target: &str, kind: DependencyKind) -> Option<String> {
    let below_device = folder == "device" || folder.starts_with("device/");
    let into_runtime = target == "runtime" || target.starts_with("runtime/");
    let Some(room) = room_of(folder) else {
        return Some(format!(
            "{folder} is not in the table of rooms: add it to xtask/src/tidy/arrows.rs and docs/ARCHITECTURE.md"
        ));
    };
    let allowed = match kind {
        DependencyKind::Development => !(below_device && into_runtime),
        _ => room.may_use.iter().any(|p| matches(p, target)),
    };
    (!allowed).then(|| format!("{folder} must not depend on {target}: it may use {}", list(room.may_use)))
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "no crate of the workspace".into() } else { names.join(", ") }
}

fn missing_attributes(folder: &str, file: &str, source: &str) -> Vec<(&'static Rule, &'static str)> {
    let Some(room) = room_of(folder) else { return Vec::new() };
    let has = |word: &str| source.lines().any(|l| l.starts_with("#!") && l.contains(word));
    let mut missing = Vec::new();
    if room.forbids_unsafe && !has("forbid(unsafe_code)") {
        missing.push((&FORBID_UNSAFE, "#![forbid(unsafe_code)]"));
    }
    if room.names_unsafe && !has("deny(unsafe_code)") {
        missing.push((&FORBID_UNSAFE, "#![deny(unsafe_code)]"));
    }
    if room.no_std && file == "lib.rs" && !has("no_std") {
        missing.push((&NO_STD, "#![no_std]"));
    }
    missing
}

fn inherits_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim).skip_while(|l| *l != "[lints]").skip(1);
    lines.find(|l| !l.is_empty()).is_some_and(|l| l.replace(' ', "") == "workspace=true")
}

fn lines_with_features(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.lines().map(str::trim).filter(|l| l.contains("workspace = true") && l.contains("features = ["))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_down() {
        assert_eq!(broken_arrow("runtime", "runtime/gpu", DependencyKind::Normal), None);
        assert_eq!(broken_arrow("launcher", "runtime/bootstrap", DependencyKind::Normal), None);
        assert_eq!(broken_arrow("apps/stencil2d", "apps/stencil2d/kernels", DependencyKind::Normal), None);
        assert!(broken_arrow("runtime/gpu", "runtime", DependencyKind::Normal).is_some());
        assert!(broken_arrow("apps/stencil2d/kernels", "runtime", DependencyKind::Normal).is_some());
        assert!(broken_arrow("runtime/path", "runtime/gpu", DependencyKind::Build).is_some());
        assert!(
            broken_arrow("elsewhere", "device", DependencyKind::Normal).is_some_and(|m| m.contains("not in the table"))
        );
    }

    #[test]
    fn only_tests_may_point_up_and_the_device_never() {
        assert_eq!(broken_arrow("runtime/gpu", "device", DependencyKind::Development), None);
        assert!(broken_arrow("device/protocol", "runtime/gpu", DependencyKind::Development).is_some());
        assert!(broken_arrow("device", "runtime", DependencyKind::Normal).is_some());
    }

    #[test]
    fn promises_are_demanded() {
        let names = |folder, source| {
            missing_attributes(folder, "lib.rs", source).iter().map(|(r, _)| r.name).collect::<Vec<_>>()
        };
        assert_eq!(names("device/abi", "//! text"), ["forbid-unsafe", "no-std"]);
        assert_eq!(names("device/abi", "// #![no_std]\n#![forbid(unsafe_code)]"), ["no-std"]);
        assert!(names("device/abi", "#![no_std]\n#![forbid(unsafe_code)]").is_empty());
        assert_eq!(names("runtime", ""), ["forbid-unsafe"]);
        assert!(names("runtime", "#![deny(unsafe_code)]").is_empty());
        assert!(names("runtime/gpu", "").is_empty());
    }

    #[test]
    fn features_are_chosen_once() {
        let asks = |line: &str| lines_with_features(&format!("[dependencies]\n{line}\n")).count() > 0;
        assert!(asks(r#"nix = { workspace = true, features = ["fs"] }"#));
        assert!(!asks("nix.workspace = true"));
        assert!(!asks(r#"cudarc = { version = "0.19", features = ["std"] }"#));
    }

    #[test]
    fn lints_are_inherited() {
        assert!(inherits_lints("[package]\n[lints]\nworkspace = true\n"));
        assert!(!inherits_lints("[package]\n[lints.rust]\n"));
        assert!(!inherits_lints("[package]\n"));
    }
}
