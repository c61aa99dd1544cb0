//! Compiles kernel crates to PTX, and finds the PTX of crates where it is not committed.

use super::toolchain::{RUSTC_VERSION, TARGET_LINES, Toolchain};
use crate::process::{run, show};
use crate::workspace::{Build, Package, Workspace};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The PTX of a crate, or why it is not available here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ptx {
    /// The committed file or, if there is none, what the sources compile to.
    Text(String),
    /// The PTX is not committed, and the compiler for it is not installed.
    LeftOut(String),
}

/// Returns a crate's PTX for readers: the committed file or, if there is none, what the sources compile to now.
pub fn current(workspace: &Workspace, package: &Package, build: Build) -> Result<Ptx> {
    if package.settings.commits_all() {
        return committed(workspace, package, build).map(Ptx::Text);
    }
    match Toolchain::find() {
        Ok(toolchain) => emit(workspace, &toolchain, package, build, &[]).map(Ptx::Text),
        Err(reason) => Ok(Ptx::LeftOut(reason)),
    }
}

/// Returns the committed PTX of a kernel crate.
pub fn committed(workspace: &Workspace, package: &Package, build: Build) -> Result<String> {
    read(workspace, &package.prebuilt_ptx(build))
}

/// Returns the committed PTX of those kernels that a crate lists, if it does.
pub fn committed_part(workspace: &Workspace, package: &Package) -> Result<Option<String>> {
    package.settings.committed_kernels().map(|_| read(workspace, &package.committed_part())).transpose()
}

pub(crate) fn read(workspace: &Workspace, path: &Path) -> Result<String> {
    fs::read_to_string(path)
        .with_context(|| format!("read {}: make it with `cargo shmem-ptx`", workspace.relative(path).display()))
}

/// Returns the path to which the compiled PTX is written. Each set of features has a file of its own, because cargo
/// treats what it has built before with the same features as up to date.
pub fn emitted_path(workspace: &Workspace, package: &Package, build: Build, features: &[String]) -> PathBuf {
    // A target folder may serve several projects, which may have crates with the same name.
    let mut parts = vec![package.cargo.manifest_path.to_string()];
    parts.extend(features.iter().cloned().collect::<BTreeSet<_>>());
    let parts = parts.join(",");
    let place = parts.bytes().fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    workspace.target.join("nvptx/emitted").join(build.file(&format!("{}-{place:08x}", package.name)))
}

/// LLVM would keep an address for each load and store of a loop's turn. NVIDIA's assembler, which optimises loops
/// again, cannot undo that, so kernels with copies would take up to 34 registers more: see docs/perf/notes.md.
const LLVM_ARGUMENT: &str = "-Cllvm-args=-disable-lsr";

/// Compiles one crate with these features. cargo skips what is up to date; rustc then writes nothing, and the file
/// stays where it is.
pub fn emit(
    workspace: &Workspace,
    toolchain: &Toolchain,
    package: &Package,
    build: Build,
    features: &[String],
) -> Result<String> {
    // All builds share this folder, and in it everything but the device library and the kernels.
    let target_dir = workspace.target.join("nvptx");
    let out = emitted_path(workspace, package, build, features);
    fs::create_dir_all(out.parent().expect("has a parent"))?;
    // Processes that compile the same crate take turns: one would read what another one is writing.
    let lock = fs::File::create(out.with_file_name("lock")).context("make a lock beside the compiled PTX")?;
    lock.lock().context("lock the folder of compiled PTX")?;
    let target = ["--release", "-p", &package.name, "--target", "nvptx64-nvidia-cuda"];
    if !out.exists() {
        run(toolchain.cargo(&target_dir, build).current_dir(&workspace.root).args(["clean", "--quiet"]).args(target))?;
    }
    let mut command = toolchain.cargo(&target_dir, build);
    command.current_dir(&workspace.root).args(["rustc", "--quiet", "--lib"]).args(target);
    if !features.is_empty() {
        command.arg("--features").arg(features.join(","));
    }
    command.args(["-Zbuild-std=core", "--", "-Ccodegen-units=1"]).arg(format!("--emit=asm={}", out.display()));
    command.arg(LLVM_ARGUMENT);
    compile(&mut command).with_context(|| format!("compile {} to PTX", package.name))?;
    let body = fs::read_to_string(&out).with_context(|| format!("read {}", out.display()))?;
    let body = with_context(&body)?;
    let body = bounded(body, &package.settings.launch_bounds).with_context(|| format!("compile {}", package.name))?;
    let body = if build == Build::Sm90 { for_sm_90(&body)? } else { body };
    Ok(format!("{}{body}", header(package)))
}

/// Makes each read of an environment register, of which CUDA has none, a load of the word of the module's constant
/// that it stands for (`device/src/arch/nvptx/context.rs`).
pub fn with_context(ptx: &str) -> Result<String> {
    let mut out = String::with_capacity(ptx.len());
    for line in ptx.split_inclusive('\n') {
        if !line.contains("%envreg") {
            out.push_str(line);
            continue;
        }
        let line = line.trim();
        let moved = line.strip_prefix("mov.b32").or_else(|| line.strip_prefix("mov.u32"));
        let (to, from) = moved.and_then(|l| l.trim().strip_suffix(';')?.split_once(", %envreg")).unwrap_or_default();
        let Ok(number) = from.parse::<u32>() else {
            bail!("the PTX uses an environment register in a way that is not known: {line:?}");
        };
        out.push_str(&format!("\tld.const.b32 \t{to}, [cushmem_context+{}];\n", 4 * number));
    }
    Ok(out)
}

/// Has the PTX say that it is for GPUs from sm_90 on. The compiler knows nothing of the instructions that need them,
/// which are written by hand. If it compiled for them, it would have to compile `core` for them too.
fn for_sm_90(ptx: &str) -> Result<String> {
    let [usual, newer] = TARGET_LINES;
    anyhow::ensure!(ptx.contains(usual), "the PTX does not say {usual:?}");
    Ok(ptx.replacen(usual, newer, 1))
}

/// Adds the launch bounds of the kernels to the PTX, because the compiler has no attribute for them.
fn bounded(mut ptx: String, bounds: &BTreeMap<String, [u32; 2]>) -> Result<String> {
    for (kernel, [lanes, blocks]) in bounds {
        let entry =
            ptx.find(&format!(".entry {kernel}(")).with_context(|| format!("launch-bounds: no kernel {kernel}"))?;
        let body = entry + ptx[entry..].find('{').with_context(|| format!("launch-bounds: {kernel} has no body"))?;
        ptx.insert_str(body, &format!(".maxntid {lanes}, 1, 1\n.minnctapersm {blocks}\n"));
    }
    Ok(ptx)
}

/// Hides rustc's warning that the choice of a PTX version is unstable: the compiler is pinned, so nobody needs to read
/// it.
fn compile(build: &mut Command) -> Result<()> {
    let out = build.output().with_context(|| format!("start {}", show(build)))?;
    let said = String::from_utf8_lossy(&out.stderr);
    let known = |p: &&str| !p.contains("unstable feature specified for `-Ctarget-feature`") && !p.trim().is_empty();
    for paragraph in said.split("\n\n").filter(known) {
        eprintln!("{}", paragraph.trim_end());
    }
    anyhow::ensure!(out.status.success(), "{}: {}", show(build), out.status);
    Ok(())
}

fn header(package: &Package) -> String {
    format!("// Generated by `cargo shmem-ptx` from the crate {}; do not edit.\n// {RUSTC_VERSION}\n", package.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches PTX that was made with other features and is taken for the PTX of these.
    #[test]
    fn each_set_of_features_has_its_file() {
        let workspace = Workspace::load().expect("this workspace");
        let package = workspace.kernel_crates()[0];
        let of = |features: &[&str]| {
            let features: Vec<String> = features.iter().map(ToString::to_string).collect();
            emitted_path(&workspace, package, Build::Near, &features)
        };
        assert!(of(&[]) != of(&["a"]) && of(&["a"]) != of(&["a", "b"]) && of(&["a", "b"]) == of(&["b", "a"]));
    }

    #[test]
    fn builds_for_newer_gpus_say_so() {
        let with = for_sm_90("//\n.version 7.8\n.target sm_75\n.address_size 64\n").expect("it names its target");
        assert_eq!(with, "//\n.version 8.0\n.target sm_90\n.address_size 64\n");
        assert!(for_sm_90(".version 7.8\n.target sm_80\n").is_err());
    }

    #[test]
    fn environment_registers_become_words_of_the_context() {
        let with = with_context("\tmov.b32 \t%r4, %envreg7;\n\tmov.u32 \t%r5, %envreg0;\n\tret;\n").expect("two moves");
        assert_eq!(
            with,
            "\tld.const.b32 \t%r4, [cushmem_context+28];\n\tld.const.b32 \t%r5, [cushmem_context+0];\n\tret;\n"
        );
        for other in
            ["\tadd.s32 \t%r4, %r5, %envreg7;\n", "\tmov.b32 \t%r4, %envregs;\n", "\tmov.b32 \t%envreg7, %r4;\n"]
        {
            assert!(with_context(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn launch_bounds_stand_before_the_body() {
        let ptx = ".visible .entry a_b(\n\t.param .u32 x\n)\n{\n}\n.visible .entry a(\n)\n{\n}\n";
        let bounds = |name: &str| [(name.to_owned(), [256, 2])].into();
        let with = bounded(ptx.to_owned(), &bounds("a")).expect("there is such a kernel");
        assert_eq!(with, ptx.replace("a(\n)\n", "a(\n)\n.maxntid 256, 1, 1\n.minnctapersm 2\n"));
        assert!(bounded(ptx.to_owned(), &bounds("b")).is_err());
    }
}
