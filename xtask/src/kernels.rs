//! Gets the kernels ready that chores run on NVIDIA's GPUs: their PTX is built, for which the compiler is fetched if it
//! is not here. Where that is impossible, a chore runs them on the emulated GPU and says why.

use crate::machine::cuda_gpus;
use crate::ptx::build_uncommitted;
use crate::ptx::toolchain::Toolchain;
use crate::workspace::Workspace;
use anyhow::Result;
use cushmem_environment::GPU;
use std::path::Path;
use std::process::Command;

/// When a chore needs PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// To run kernels here: if there is a GPU for it, or the user asks for one.
    Here,
    /// Also for other machines: then too if the compiler is here already.
    Elsewhere,
    /// In any case.
    Always,
}

/// Whether the kernels can run on NVIDIA's GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Kernels {
    /// Their PTX is built.
    Ready,
    /// Nobody needs it here, for this reason.
    Unneeded(String),
    /// It cannot be built, for this reason, which says what to do.
    LeftOut(String),
}

impl Kernels {
    /// If the PTX cannot be built, prints the reason in one line.
    pub fn say(&self) {
        if let Self::LeftOut(reason) = self {
            println!("left out: kernels on NVIDIA's GPUs; the emulated GPU runs them: {reason}");
        }
    }

    /// If the PTX cannot be built, has the jobs of a command run on the emulated GPU.
    pub fn limit(&self, command: &mut Command) {
        if matches!(self, Self::LeftOut(_)) {
            command.env(GPU.name, "soft");
        }
    }
}

/// Builds the PTX that is not committed, of all crates or of those with these names, and fetches the compiler for it if
/// that is necessary. Call it before the programs are built, which contain the PTX.
pub fn ready(workspace: &Workspace, names: Option<&[&str]>, need: Need) -> Result<Kernels> {
    let found = Toolchain::find();
    if let Err(why_not) = is_needed(need, std::env::var(GPU.name).ok().as_deref(), cuda_gpus(), found.is_ok()) {
        return Ok(Kernels::Unneeded(why_not));
    }
    match found.or_else(|_| Toolchain::fetch()) {
        Ok(toolchain) => build_uncommitted(workspace, &toolchain, names).map(|()| Kernels::Ready),
        Err(reason) => Ok(Kernels::LeftOut(reason)),
    }
}

/// `setting` is the value of `CUSHMEM_GPU`. The error says why PTX is not needed.
fn is_needed(need: Need, setting: Option<&str>, gpus: Result<usize, String>, has_compiler: bool) -> Result<(), String> {
    match (need, setting, gpus) {
        (Need::Always, ..) | (_, Some("cuda"), _) => Ok(()),
        (Need::Elsewhere, ..) if has_compiler => Ok(()),
        (_, Some(other @ ("soft" | "none")), _) => Err(format!("{}={other}", GPU.name)),
        (_, _, gpus) => gpus.map(drop),
    }
}

/// The number of GPUs on which this machine can run the kernels of these crates; the error says why there are none.
/// Chores call it after [`ready`]; tests of programs that were built with the kernels call nothing else.
pub fn gpus_for(names: &[&str]) -> Result<usize, String> {
    gpus_with(cuda_gpus()?, names, Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// The number of GPUs that can run the kernels, on a machine with so many GPUs. Where there are no sources, the
/// programs come from a bundle, and no bundle is made without PTX.
fn gpus_with(gpus: usize, names: &[&str], chores: &Path) -> Result<usize, String> {
    if !chores.join("Cargo.toml").exists() {
        return Ok(gpus);
    }
    let workspace = Workspace::load().map_err(|error| format!("{error:#}"))?;
    let is_missing = |name: &&&str| {
        let package = workspace.package(name);
        package.is_none_or(|package| !package.builds().all(|build| package.prebuilt_ptx(build).exists()))
    };
    match names.iter().find(is_missing) {
        Some(name) => Err(format!("built without PTX: `cargo shmem-ptx -p {name}`")),
        None => Ok(gpus),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a compiler that is fetched for nothing, and kernels that nobody builds.
    #[test]
    fn ptx_is_built_where_it_can_run_or_is_asked_for() {
        let no_gpu = || Err("no GPU".to_owned());
        let needed = |need, setting, gpus, has_compiler| is_needed(need, setting, gpus, has_compiler);
        assert_eq!(needed(Need::Here, None, no_gpu(), true), Err("no GPU".into()));
        assert_eq!(needed(Need::Here, Some("auto"), Ok(1), false), Ok(()));
        assert_eq!(needed(Need::Here, Some("soft"), Ok(1), true), Err("CUSHMEM_GPU=soft".into()));
        assert_eq!(needed(Need::Here, Some("cuda"), no_gpu(), false), Ok(()));
        assert_eq!(needed(Need::Elsewhere, None, no_gpu(), false), Err("no GPU".into()));
        assert_eq!(needed(Need::Elsewhere, Some("none"), no_gpu(), true), Ok(()));
        assert_eq!(needed(Need::Always, Some("none"), no_gpu(), false), Ok(()));
    }

    #[test]
    fn only_ready_kernels_run_on_gpus() {
        let gpu_of = |kernels: &Kernels| {
            let mut command = Command::new("true");
            kernels.limit(&mut command);
            command.get_envs().next().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        };
        assert_eq!(gpu_of(&Kernels::Ready), None);
        assert_eq!(gpu_of(&Kernels::Unneeded("no GPU".into())), None);
        assert_eq!(gpu_of(&Kernels::LeftOut("x".into())), Some(("CUSHMEM_GPU".into(), Some("soft".into()))));
    }

    /// Catches tests that fail on a machine with a GPU because PTX could not be built there.
    #[test]
    fn gpus_without_ptx_do_not_count() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(gpus_with(2, &["cushmem-kernels"], here), Ok(2));
        let missing = gpus_with(2, &["cushmem-kernels", "no-kernels"], here).expect_err("there is no such crate");
        assert_eq!(missing, "built without PTX: `cargo shmem-ptx -p no-kernels`");
        assert_eq!(gpus_with(2, &["no-kernels"], Path::new("/nowhere")), Ok(2));
    }
}
