//! `cargo xtask library`: links `libcushmem.so` and `libcushmem.a` from the crate `cushmem-capi` and C files. The
//! shared library is linked from the static one, because a Rust `cdylib` cannot hold two things that an archive can:
//! weak names, and C objects.
//!
//! Each routine of the specification has a second name, its twin `pshmem_…`, and its own name is weak: a program or a
//! profiling library may define the routine itself and call the twin. Both names are made here, for all routines in the
//! same way, when the objects are merged into one.
//!
//! In the build tree, the result lies in the folder `c` beside the programs, laid out as in an installation: `c/lib`,
//! `c/include`.

use crate::build::{Profile, build};
use crate::packages::{self, SONAME, SYSTEM};
use crate::process::run;
use crate::ptx::Outcome;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use cushmem_environment as environment;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of `cargo xtask library`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Build in release mode
    #[arg(long)]
    pub release: bool,
}

impl Options {
    /// The profile to build.
    pub fn profile(&self) -> Profile {
        if self.release { Profile::Release } else { Profile::Dev }
    }
}

/// The folder of the libraries, relative to the programs.
pub const FOLDER: &str = "c";
/// Builds and links; skipped where there is no C compiler.
pub fn library(profile: Profile) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let compiler = compiler();
    if let Err(reason) = works(&compiler) {
        return Ok(Outcome::LeftOut(reason));
    }
    let target = build(&workspace, profile, &["cushmem-capi", "cushmem-launcher"])?;
    write_texts(&target.join(FOLDER))?;
    let (lib, include) = (target.join(FOLDER).join("lib"), target.join(FOLDER).join("include"));
    let sources = workspace.root.join("runtime/capi/c");
    let parts = Parts::new(target.join("c-parts"))?;
    let all = merge(&compiler, &sources, &include, &target.join("libcushmem_capi.a"), &parts)?;
    link(&compiler, &all, &lib, &parts)?;
    crate::nvshmem::library(|| command(&compiler), &target.join(FOLDER), &sources, &parts.folder)?;
    Ok(Outcome::Done)
}

/// Writes the headers, and the files that build systems use to find the library, into an installation's `include` and
/// `lib`. Files that an earlier version wrote there are removed, because everything there is installed.
pub fn write_texts(prefix: &Path) -> Result<()> {
    let (lib, include) = (prefix.join("lib"), prefix.join("include"));
    for folder in [include.clone(), lib.join("pkgconfig"), lib.join("cmake")] {
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("empty {}", folder.display()))?;
        }
    }
    let (name, text) = cushmem_capi_table::DEVICE_HEADER;
    write(&include.join(name), text)?;
    for (header, text) in cushmem_capi_table::headers() {
        write(&include.join(header), &text)?;
    }
    for (file, text) in packages::files() {
        write(&lib.join(file), &text)?;
    }
    crate::nvshmem::write_texts(prefix)
}

/// The files compiled from C.
const C_FILES: [&str; 3] = ["globals", "longdouble", "pcontrol"];

/// The linker's inputs.
struct Parts {
    folder: PathBuf,
    /// A linker script that defines second names for routines.
    second: PathBuf,
    /// A list of the weak names.
    weak: PathBuf,
    /// A list of all names of the API; all other names are hidden.
    all: PathBuf,
    /// All names of the API, as a version script.
    exports: PathBuf,
}

impl Parts {
    fn new(folder: PathBuf) -> Result<Self> {
        let [second, weak, all, exports] =
            ["second.ld", "weak.txt", "all.txt", "exports.map"].map(|file| folder.join(file));
        fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
        let (names, prototypes) = (cushmem_capi_table::names(), cushmem_capi_table::prototypes());
        let twins = prototypes.iter().map(|p| format!("{} = {};\n", p.twin(), p.name));
        let old = cushmem_capi_table::ALIASES.iter().map(|(routine, of)| format!("{} = {of};\n", routine.name));
        let texts = [
            (&second, twins.chain(old).collect::<String>()),
            (&weak, prototypes.iter().map(|p| format!("{}\n", p.name)).collect()),
            (&all, names.iter().map(|name| format!("{name}\n")).collect()),
            (&exports, format!("{{ global: {}; local: *; }};\n", names.join("; "))),
        ];
        for (path, text) in texts {
            fs::write(path, text).with_context(|| format!("write {}", path.display()))?;
        }
        Ok(Self { folder, second, weak, all, exports })
    }
}

/// Merges the whole library into one object.
fn merge(compiler: &[String], sources: &Path, include: &Path, rust: &Path, parts: &Parts) -> Result<PathBuf> {
    let merged = parts.folder.join("cushmem.o");
    let mut merge = command(compiler);
    merge.args(["-r", "-nostdlib", "-o"]).arg(&merged);
    merge.arg("-Wl,--whole-archive").arg(rust).arg("-Wl,--no-whole-archive");
    for file in C_FILES {
        let object = parts.folder.join(file).with_extension("o");
        let mut compile = command(compiler);
        compile.args(["-O2", "-fPIC", "-c", "-I"]).arg(include).arg(sources.join(file).with_extension("c"));
        run(compile.arg("-o").arg(&object))?;
        merge.arg(object);
    }
    run(merge.arg(&parts.second))?;
    run(Command::new("objcopy").arg(format!("--weaken-symbols={}", parts.weak.display())).arg(&merged))?;
    Ok(merged)
}

fn link(compiler: &[String], all: &Path, lib: &Path, parts: &Parts) -> Result<()> {
    let (archive, shared) = (lib.join("libcushmem.a"), lib.join(SONAME));
    // Written under another path first, so that a running job keeps the library that it has.
    let (fresh_archive, fresh_shared) = (parts.folder.join("libcushmem.a"), parts.folder.join(SONAME));
    let mut link = command(compiler);
    link.arg("-shared").arg("-o").arg(&fresh_shared).arg(all);
    link.arg(format!("-Wl,--version-script={}", parts.exports.display()));
    link.args([&format!("-Wl,-soname,{SONAME}"), "-Wl,--gc-sections", "-Wl,-z,nodelete", "-Wl,-z,relro,-z,now"]);
    run(link.args(SYSTEM))?;
    fs::rename(&fresh_shared, &shared)?;
    // Only the names of the API stay visible, so that a Rust program can be linked with it too.
    let mut hide = Command::new("objcopy");
    hide.args(["--strip-debug", "--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
    run(hide.arg(format!("--keep-global-symbols={}", parts.all.display())).arg(all))?;
    // `ar` adds to an existing archive.
    let _ = fs::remove_file(&fresh_archive);
    run(Command::new("ar").arg("crs").arg(&fresh_archive).arg(all))?;
    fs::rename(&fresh_archive, &archive)?;
    let name = lib.join("libcushmem.so");
    // An earlier link may exist.
    let _ = fs::remove_file(&name);
    std::os::unix::fs::symlink(SONAME, &name).with_context(|| format!("make {}", name.display()))
}

/// The C compiler and its options.
fn compiler() -> Vec<String> {
    let given = environment::CC.value().filter(|v| !v.trim().is_empty());
    let text = given.as_deref().or(environment::CC.default_value()).unwrap_or("cc");
    text.split_whitespace().map(str::to_owned).collect()
}

/// Whether the compiler works; the error is the reason why not.
fn works(compiler: &[String]) -> std::result::Result<(), String> {
    let answer = |mut c: Command| c.arg("--version").output().is_ok_and(|o| o.status.success());
    if !answer(command(compiler)) {
        return Err(format!("no C compiler: `{}` does not run (CUSHMEM_CC names another)", compiler.join(" ")));
    }
    match ["ar", "objcopy"].into_iter().find(|tool| !answer(Command::new(tool))) {
        None => Ok(()),
        Some(missing) => Err(format!("no `{missing}` here (binutils)")),
    }
}

fn command(compiler: &[String]) -> Command {
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]);
    command
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("make {}", folder.display()))?;
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}
