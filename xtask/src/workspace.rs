//! What `cargo metadata` says about this workspace.

use crate::process::cargo;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The workspace around the current folder.
#[derive(Deserialize)]
pub struct Workspace {
    /// Its members.
    pub packages: Vec<Package>,
    /// Folder of the top `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// Where cargo builds.
    #[serde(rename = "target_directory")]
    pub target: PathBuf,
}

/// One member.
#[derive(Clone, Deserialize)]
pub struct Package {
    /// How cargo's messages call it.
    pub id: String,
    /// Name of the crate, with hyphens.
    pub name: String,
    /// Its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// Declared dependencies of all kinds.
    pub dependencies: Vec<Dependency>,
    /// Libraries, binaries and tests.
    pub targets: Vec<Target>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

/// One declared dependency.
#[derive(Clone, Deserialize)]
pub struct Dependency {
    /// Name of the crate.
    pub name: String,
    /// `None` for a normal one, else `dev` or `build`.
    pub kind: Option<String>,
    /// Folder, for a crate of this workspace.
    pub path: Option<PathBuf>,
}

/// Something that cargo builds.
#[derive(Clone, Deserialize)]
pub struct Target {
    /// Name of the file without its ending.
    pub name: String,
    /// `lib`, `bin`, `test`, …
    pub kind: Vec<String>,
}

#[derive(Clone, Deserialize)]
struct Metadata {
    cushmem: Option<CushmemMetadata>,
}

/// `[package.metadata.cushmem]` of a member's `Cargo.toml`.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CushmemMetadata {
    /// The crate holds kernels: `cargo xtask ptx` emits it.
    #[serde(default)]
    pub kernels: bool,
    /// Kernels that may keep variables in local memory.
    #[serde(default)]
    pub allow_local: Vec<String>,
    /// Kernels that may read through the non-coherent cache.
    #[serde(default)]
    pub allow_nc: Vec<String>,
}

impl Workspace {
    /// Asks cargo. Needs neither a network nor a lock file.
    pub fn load() -> Result<Self> {
        let out = cargo()
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
            .output()
            .context("run cargo metadata: is cargo on the PATH?")?;
        anyhow::ensure!(out.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&out.stderr).trim());
        serde_json::from_slice(&out.stdout).context("read the output of cargo metadata")
    }

    /// The member of this name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|p| p.name == name)
    }

    /// Members that hold kernels.
    pub fn kernel_crates(&self) -> Vec<&Package> {
        self.packages.iter().filter(|p| p.cushmem().kernels).collect()
    }

    /// A path as a reader of messages wants it: from the top folder.
    pub fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}

impl Package {
    /// The crate's folder.
    pub fn dir(&self) -> &Path {
        self.manifest_path.parent().expect("a manifest lies in a folder")
    }

    /// Its settings for this project.
    pub fn cushmem(&self) -> CushmemMetadata {
        self.metadata.as_ref().and_then(|m| m.cushmem.clone()).unwrap_or_default()
    }

    /// Where its committed PTX lies, if it holds kernels.
    pub fn prebuilt_ptx(&self) -> PathBuf {
        self.dir().join("prebuilt").join(format!("{}.ptx", self.name))
    }
}
