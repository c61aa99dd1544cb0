//! `cargo xtask install` and `uninstall`: programs, libraries, headers and documents in the folders `bin`, `lib`, `include` and `share` below
//! a prefix.
//!
//! An installation keeps the list of its files, by which the next one, and `uninstall`, know what is theirs. Each file gets its name when it
//! is complete, so a job that runs keeps the library that it has.

use crate::demo::{Profile, bin_dir};
use crate::library::{FOLDER, SONAME, library};
use crate::process::{cargo, output_of, run};
use crate::ptx::{Outcome, build_uncommitted};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// What `cargo xtask install` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder that gets bin, lib, include and share
    #[arg(long, value_name = "DIR")]
    pub prefix: PathBuf,
    /// Also install oshcc, oshc++ and oshrun, as other libraries call these programs
    #[arg(long)]
    pub compat: bool,
}

/// What `cargo xtask uninstall` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct UninstallOptions {
    /// The folder of `cargo xtask install`
    #[arg(long, value_name = "DIR")]
    pub prefix: PathBuf,
}

/// The programs that shells can complete the arguments of.
const PROGRAMS: [&str; 5] = ["shmemrun", "shmem-info", "cargo-shmem-ptx", "shmem-bench", "stencil2d"];
/// Those whose arguments are a compiler's.
const COMPILERS: [&str; 2] = ["shmemcc", "shmemcxx"];
/// The crates that they are in.
const PACKAGES: [&str; 5] = ["cushmem-launcher", "cushmem-info", "cushmem-ptx", "shmem-bench", "stencil2d"];
/// Second names: what other libraries call these programs.
const COMPAT: [(&str, &str); 3] = [("oshcc", "shmemcc"), ("oshc++", "shmemcxx"), ("oshrun", "shmemrun")];
/// What is said of the library, from the folder of the sources.
const DOCUMENTS: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "docs/environment.md"];
/// Where the list of files is.
const LIST: &str = "share/cushmem/files.txt";

/// What becomes a file.
enum Content {
    /// A copy of this file; a program, if it may be executed.
    Copy(PathBuf),
    /// The same, without what only debuggers read. Names of functions stay, for profilers.
    Stripped(PathBuf),
    /// A link to its neighbour.
    Link(String),
    Text(String),
}

/// Files of an installation, by their paths below the prefix.
type Files = BTreeMap<PathBuf, Content>;

/// Builds for speed and installs.
pub fn install(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let from = build(&workspace)?;
    lay_out(&workspace.root, &from, &options.prefix, options.compat)?;
    let compiler = options.prefix.join("bin/shmemcc");
    println!("{}: bin, lib, include and share; {} compiles programs", options.prefix.display(), compiler.display());
    Ok(())
}

/// Builds all that is installed, for speed; the folder in which it lies.
pub fn build(workspace: &Workspace) -> Result<PathBuf> {
    if let Outcome::LeftOut(reason) = build_uncommitted(workspace)? {
        println!("left out: kernels of shmem-bench for NVIDIA's GPUs: {reason}");
    }
    let mut build = cargo();
    build.current_dir(&workspace.root).args(["build", "--release", "--quiet"]);
    run(build.args(PACKAGES.map(|package| ["-p", package]).concat()))?;
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        bail!("{reason}");
    }
    Ok(bin_dir(&workspace.target, Profile::Release))
}

/// Installs what was built in the folder `from`, and removes what an earlier installation had besides.
pub fn lay_out(root: &Path, from: &Path, prefix: &Path, compat: bool) -> Result<()> {
    let files = files(root, from, compat)?;
    let list = prefix.join(LIST);
    if list.exists() {
        let old = listed(&list)?;
        remove(prefix, old.iter().filter(|path| !files.contains_key(*path)))?;
    }
    for (path, content) in &files {
        put(content, &prefix.join(path))?;
    }
    let names: String = files.keys().map(|path| format!("{}\n", path.display())).collect();
    put(&Content::Text(names), &list)
}

fn files(root: &Path, from: &Path, compat: bool) -> Result<Files> {
    let mut files = Files::new();
    for program in COMPILERS.iter().chain(&PROGRAMS) {
        files.insert(Path::new("bin").join(program), Content::Stripped(from.join(program)));
        files.insert(format!("share/man/man1/{program}.1").into(), said(from, program, "man")?);
    }
    for program in PROGRAMS {
        let places = [
            ("bash", format!("share/bash-completion/completions/{program}")),
            ("zsh", format!("share/zsh/site-functions/_{program}")),
            ("fish", format!("share/fish/vendor_completions.d/{program}.fish")),
        ];
        for (shell, place) in places {
            files.insert(place.into(), said(from, program, shell)?);
        }
    }
    for (name, of) in COMPAT.into_iter().filter(|_| compat) {
        files.insert(Path::new("bin").join(name), Content::Link(of.to_owned()));
    }
    collect(&from.join(FOLDER), Path::new(""), &mut files)?;
    for document in DOCUMENTS {
        let source = root.join(document);
        let name = source.file_name().context("a document has a name")?;
        files.insert(Path::new("share/doc/cushmem").join(name), Content::Copy(source));
    }
    Ok(files)
}

/// What a program says about itself.
fn said(from: &Path, program: &str, kind: &str) -> Result<Content> {
    Ok(Content::Text(output_of(Command::new(from.join(program)).args(["--generate", kind]))?))
}

/// Everything below a folder.
fn collect(folder: &Path, below: &Path, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder.join(below)).with_context(|| format!("read {}", folder.display()))? {
        let entry = entry?;
        let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() {
            collect(folder, &path, files)?;
            continue;
        }
        let content = if kind.is_symlink() {
            Content::Link(fs::read_link(entry.path())?.to_string_lossy().into_owned())
        } else if entry.file_name() == SONAME {
            Content::Stripped(entry.path())
        } else {
            Content::Copy(entry.path())
        };
        files.insert(path, content);
    }
    Ok(())
}

/// Under another name first: what runs keeps the file that it has.
fn put(content: &Content, to: &Path) -> Result<()> {
    let fresh = to.with_file_name(format!(".{}.new", to.file_name().unwrap_or_default().to_string_lossy()));
    let put = || -> Result<()> {
        fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
        // It may be there from an installation that was interrupted.
        let _ = fs::remove_file(&fresh);
        match content {
            Content::Copy(from) => drop(fs::copy(from, &fresh).with_context(|| format!("copy {}", from.display()))?),
            Content::Stripped(from) => {
                run(Command::new("strip").arg("--strip-debug").arg("-o").arg(&fresh).arg(from))?;
                fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755))?;
            }
            Content::Link(of) => symlink(of, &fresh)?,
            Content::Text(text) => fs::write(&fresh, text)?,
        }
        Ok(fs::rename(&fresh, to)?)
    };
    put().with_context(|| format!("install {}", to.display()))
}

/// Removes what [`install`] put there, and folders that are empty then.
pub fn uninstall(options: &UninstallOptions) -> Result<()> {
    let prefix = &options.prefix;
    let list = prefix.join(LIST);
    if !list.exists() {
        bail!("{}: nothing is installed there: {LIST} is missing", prefix.display());
    }
    let files = listed(&list)?;
    remove(prefix, files.iter().chain([&PathBuf::from(LIST)]))?;
    println!("{}: {} files removed", prefix.display(), files.len());
    Ok(())
}

/// The files of an installation.
fn listed(list: &Path) -> Result<Vec<PathBuf>> {
    let text = fs::read_to_string(list).with_context(|| format!("read {}", list.display()))?;
    let paths: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
    let stays = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    match paths.iter().find(|path| !stays(path)) {
        Some(path) => bail!("{}: {} is not a path below the prefix", list.display(), path.display()),
        None => Ok(paths),
    }
}

fn remove<'a>(prefix: &Path, files: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    for file in files {
        let path = prefix.join(file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("remove {}", path.display()));
            }
            _ => {}
        }
        // Ends at the first one that holds anything else.
        for folder in file.ancestors().skip(1) {
            if fs::remove_dir(prefix.join(folder)).is_err() {
                break;
            }
        }
    }
    Ok(())
}
