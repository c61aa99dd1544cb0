//! What `cargo metadata` says about this workspace, and what a crate says in its manifest about itself.

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, PackageId, TargetKind};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The workspace around the current folder.
pub struct Workspace {
    /// Its members.
    pub packages: Vec<Package>,
    /// Folder of the top `Cargo.toml`.
    pub root: PathBuf,
    /// Where cargo builds.
    pub target: PathBuf,
}

/// The jobs that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All PEs are mapped.
    Near,
    /// Not all, so that kernels ask the CPU.
    Far,
}

impl Reach {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Near, Self::Far];

    /// The name of the file with the PTX of these kernels.
    pub fn file(self, kernels: &str) -> String {
        match self {
            Self::Near => format!("{kernels}.ptx"),
            Self::Far => format!("{kernels}.far.ptx"),
        }
    }
}

/// One member.
#[derive(Clone, Debug)]
pub struct Package {
    /// Name of the crate, with hyphens.
    pub name: String,
    /// What cargo knows of it.
    pub cargo: cargo_metadata::Package,
    /// Its settings for this project.
    pub settings: Settings,
}

/// `[package.metadata.cushmem]` of a member's `Cargo.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// The crate holds kernels: `cargo shmem-ptx` emits it.
    pub kernels: bool,
    /// Its PTX is committed, so that the crate serves GPUs without the compiler for it.
    pub committed: bool,
    /// Kernels that may keep variables in local memory.
    pub allow_local: Vec<String>,
    /// Kernels that may read through the non-coherent cache.
    pub allow_nc: Vec<String>,
    /// For a kernel the lanes of its blocks, and how many blocks a multiprocessor shall have room for, at the price of
    /// registers: `__launch_bounds__` of CUDA.
    pub launch_bounds: BTreeMap<String, [u32; 2]>,
}

impl Default for Settings {
    fn default() -> Self {
        let (allow_local, allow_nc, launch_bounds) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { kernels: false, committed: true, allow_local, allow_nc, launch_bounds }
    }
}

impl Workspace {
    /// Asks cargo. Needs neither a network nor a lock file.
    pub fn load() -> Result<Self> {
        let mut command = MetadataCommand::new();
        let metadata = command
            .no_deps()
            .other_options(["--offline".to_owned()])
            .exec()
            .context("what cargo says of this folder")?;
        Ok(Self {
            packages: metadata.packages.into_iter().map(Package::new).collect::<Result<_>>()?,
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
        })
    }

    /// The member of this name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|p| p.name == name)
    }

    /// The member that cargo's messages call so.
    pub fn member(&self, id: &PackageId) -> Option<&Package> {
        self.packages.iter().find(|p| p.cargo.id == *id)
    }

    /// Members that hold kernels.
    pub fn kernel_crates(&self) -> Vec<&Package> {
        self.packages.iter().filter(|p| p.settings.kernels).collect()
    }

    /// A path as a reader of messages wants it: from the top folder.
    pub fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}

impl Package {
    fn new(cargo: cargo_metadata::Package) -> Result<Self> {
        let settings = match cargo.metadata.get("cushmem") {
            Some(said) => Settings::deserialize(said)
                .with_context(|| format!("{}: [package.metadata.cushmem]", cargo.manifest_path))?,
            None => Settings::default(),
        };
        Ok(Self { name: cargo.name.to_string(), cargo, settings })
    }

    /// Whether it may be published.
    pub fn is_published(&self) -> bool {
        // An empty list of registries is how cargo says `publish = false`.
        self.cargo.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }

    /// The crate's folder.
    pub fn dir(&self) -> &Path {
        self.cargo.manifest_path.parent().expect("a manifest lies in a folder").as_std_path()
    }

    /// Whether it has a test file of this name.
    pub fn has_test(&self, name: &str) -> bool {
        self.cargo.targets.iter().any(|t| t.name == name && t.is_kind(TargetKind::Test))
    }

    /// Where `kernels!` looks for the PTX, if the crate holds kernels.
    pub fn prebuilt_ptx(&self, reach: Reach) -> PathBuf {
        self.dir().join("prebuilt").join(reach.file(&self.name))
    }
}
