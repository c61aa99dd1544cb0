//! What `cargo metadata` says about this workspace, and what a crate's manifest says about the crate.

use anyhow::{Context, Result, anyhow};
use cargo_metadata::{MetadataCommand, PackageId, TargetKind};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The workspace around the current folder.
pub struct Workspace {
    /// The members of the workspace.
    pub packages: Vec<Package>,
    /// The folder of the top-level `Cargo.toml`.
    pub root: PathBuf,
    /// The folder in which cargo builds.
    pub target: PathBuf,
}

/// For what kernels are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// Jobs in which all PEs are mapped.
    Near,
    /// The same jobs on GPUs from sm_90 on, whose bulk engine makes long copies.
    Sm90,
    /// Jobs in which some PEs are not mapped, so that kernels ask the CPU.
    Far,
    /// Jobs in which all PEs are mapped, and kernels record what they do.
    Recorded,
}

impl Build {
    /// Returns the ending of the names of its PTX files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Near => "ptx",
            Self::Sm90 => "sm_90.ptx",
            Self::Far => "far.ptx",
            Self::Recorded => "recorded.ptx",
        }
    }

    /// Returns the name of the PTX file for these kernels.
    pub fn file(self, kernels: &str) -> String {
        format!("{kernels}.{}", self.extension())
    }
}

/// One member of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// The name of the crate, with hyphens.
    pub name: String,
    /// What cargo knows about it.
    pub cargo: cargo_metadata::Package,
    /// Its settings for this project.
    pub settings: Settings,
}

/// `[package.metadata.cushmem]` of a member's `Cargo.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// Whether the crate contains kernels, which `cargo shmem-ptx` compiles.
    pub kernels: bool,
    /// Whether they are also compiled for GPUs from sm_90 on, where copies with lent shared memory use the bulk engine.
    #[serde(rename = "sm_90")]
    pub sm_90: bool,
    /// Whether they are also compiled so that they record what they do, for timelines.
    pub recorded: bool,
    /// Which of its PTX is committed, so that it can be used on GPUs without the compiler for kernels.
    pub committed: Committed,
    /// Kernels that may keep variables in local memory.
    pub allow_local: Vec<String>,
    /// Kernels that may read through the non-coherent cache.
    pub allow_nc: Vec<String>,
    /// For a kernel, the number of lanes in its blocks and the number of blocks for which a multiprocessor must have
    /// room, at the price of registers: CUDA's `__launch_bounds__`.
    pub launch_bounds: BTreeMap<String, [u32; 2]>,
}

/// Which PTX of a crate is committed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Committed {
    /// All of it, or nothing.
    All(bool),
    /// That of these kernels, for jobs in which all PEs are mapped.
    Kernels(Vec<String>),
}

impl Settings {
    /// Whether all PTX of the crate is committed.
    pub fn commits_all(&self) -> bool {
        self.committed == Committed::All(true)
    }

    /// The kernels of which PTX is committed, if it is not that of all or none.
    pub fn committed_kernels(&self) -> Option<&[String]> {
        match &self.committed {
            Committed::All(_) => None,
            Committed::Kernels(kernels) => Some(kernels),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            kernels: false,
            sm_90: false,
            recorded: false,
            committed: Committed::All(true),
            allow_local: Vec::new(),
            allow_nc: Vec::new(),
            launch_bounds: BTreeMap::new(),
        }
    }
}

impl Workspace {
    /// Asks cargo. This needs neither a network nor a lock file.
    pub fn load() -> Result<Self> {
        let mut command = MetadataCommand::new();
        let metadata = command
            .no_deps()
            .other_options(["--offline".to_owned()])
            .exec()
            // Its text contains its cause.
            .map_err(|error| anyhow!("what cargo says of this folder: {error}"))?;
        Ok(Self {
            packages: metadata.packages.into_iter().map(Package::new).collect::<Result<_>>()?,
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
        })
    }

    /// Returns the member with this name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|p| p.name == name)
    }

    /// Returns the member that has this id in cargo's messages.
    pub fn member(&self, id: &PackageId) -> Option<&Package> {
        self.packages.iter().find(|p| p.cargo.id == *id)
    }

    /// Returns the members that contain kernels.
    pub fn kernel_crates(&self) -> Vec<&Package> {
        self.packages.iter().filter(|p| p.settings.kernels).collect()
    }

    /// Shortens a path for messages, relative to the top-level folder.
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

    /// Whether the crate may be published.
    pub fn is_published(&self) -> bool {
        // cargo represents `publish = false` as an empty list of registries.
        self.cargo.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }

    /// Returns the crate's folder.
    pub fn dir(&self) -> &Path {
        self.cargo.manifest_path.parent().expect("a manifest lies in a folder").as_std_path()
    }

    /// Whether the crate has a test file with this name.
    pub fn has_test(&self, name: &str) -> bool {
        self.cargo.targets.iter().any(|t| t.name == name && t.is_kind(TargetKind::Test))
    }

    /// Returns for what its kernels are compiled.
    pub fn builds(&self) -> impl Iterator<Item = Build> + use<> {
        let sm_90 = self.settings.sm_90.then_some(Build::Sm90);
        let recorded = self.settings.recorded.then_some(Build::Recorded);
        [Some(Build::Near), sm_90, Some(Build::Far), recorded].into_iter().flatten()
    }

    /// Returns where `kernels!` looks for the PTX, if the crate contains kernels.
    pub fn prebuilt_ptx(&self, build: Build) -> PathBuf {
        self.dir().join("prebuilt").join(build.file(&self.name))
    }

    /// Returns where the PTX of [`Settings::committed_kernels`] lies.
    pub fn committed_part(&self) -> PathBuf {
        self.dir().join("prebuilt").join(format!("{}.part.ptx", self.name))
    }
}
