//! `cargo xtask install` and `uninstall`: put programs, libraries, headers and documents into the folders `bin`, `lib`,
//! `include` and `share` below a prefix, and remove them.
//!
//! An installation keeps a list of its files and of the folders that it made. The next installation and `uninstall`
//! learn from the list what belongs to it. The list is written before the files, so an interrupted installation can be
//! removed. Each file gets its name only when it is complete, so a running job keeps the library that it has.

use crate::build::Profile;
use crate::cxx::library::{self as device_library, device_library};
use crate::kernels::{self, Kernels, Need};
use crate::library::{FOLDER, library};
use crate::packages::SONAME;
use crate::process::{output_of, run};
use crate::ptx::Outcome;
use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Options of `cargo xtask install`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder for bin, lib, include and share
    #[arg(long, value_name = "DIR")]
    pub prefix: PathBuf,
    /// Also install oshcc, oshc++ and oshrun, the names that other libraries use for these programs
    #[arg(long)]
    pub compat: bool,
}

/// Options of `cargo xtask uninstall`.
#[derive(Clone, Debug, clap::Args)]
pub struct UninstallOptions {
    /// The folder that was given to `cargo xtask install`
    #[arg(long, value_name = "DIR")]
    pub prefix: PathBuf,
}

/// The programs whose arguments shells can complete.
const PROGRAMS: [&str; 9] = [
    "shmemrun",
    "shmem-info",
    "shmem-tune",
    "shmem-advise",
    "cargo-shmem-ptx",
    "shmem-bench",
    "stencil2d",
    "jacobi",
    "lbm",
];
/// The programs that take a compiler's arguments.
const COMPILERS: [&str; 2] = ["shmemcc", "shmemcxx"];
/// The crates that contain the programs.
const PACKAGES: [&str; 9] = [
    "cushmem-launcher",
    "cushmem-info",
    "cushmem-tune",
    "cushmem-advise",
    "cushmem-ptx",
    "shmem-bench",
    "stencil2d",
    "jacobi",
    "lbm",
];
/// The crates with their kernels.
const KERNELS: [&str; 4] = ["shmem-bench-kernels", "stencil2d-kernels", "jacobi-kernels", "lbm-kernels"];
/// Second names: other libraries' names for these programs.
const COMPAT: [(&str, &str); 3] = [("oshcc", "shmemcc"), ("oshc++", "shmemcxx"), ("oshrun", "shmemrun")];
/// The documents that are installed in addition to everything in `docs`.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// The folder of the documents, laid out as in the sources because they link to each other.
const DOCUMENTS_IN: &str = "share/doc/cushmem";
/// The list of files and folders.
const LIST: &str = "share/cushmem/files.txt";

/// The content of an installed file.
pub(crate) enum Content {
    /// A copy of this file; a program, if the file is executable.
    Copy(PathBuf),
    /// A copy of this file, without the sections that only debuggers read. Names of functions stay, for profilers.
    Stripped(PathBuf),
    /// A link to a file in the same folder.
    Link(String),
    Text(String),
}

/// Files of an installation, indexed by their paths below the prefix.
type Files = BTreeMap<PathBuf, Content>;

/// What belongs to an installation, as paths below the prefix.
#[derive(Default)]
struct List {
    files: BTreeSet<PathBuf>,
    /// The folders that the installation made; the empty path is the prefix.
    folders: BTreeSet<PathBuf>,
}

/// Builds in release mode and installs.
pub fn install(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let from = build(&workspace)?;
    lay_out(&workspace.root, &from, &options.prefix, options.compat)?;
    let compiler = options.prefix.join("bin/shmemcc");
    println!("{}: bin, lib, include and share; {} compiles programs", shown(&options.prefix), shown(&compiler));
    Ok(())
}

/// Builds everything that is installed, in release mode, and returns the folder that contains it.
pub fn build(workspace: &Workspace) -> Result<PathBuf> {
    match kernels::ready(workspace, Some(&KERNELS), Need::Elsewhere)? {
        Kernels::Ready => {}
        Kernels::Unneeded(reason) => println!(
            "left out: most kernels of stencil2d, jacobi, lbm and shmem-bench on NVIDIA's GPUs: {reason}; set {}=cuda to have them",
            cushmem_environment::GPU.name
        ),
        Kernels::LeftOut(reason) => {
            println!("left out: most kernels of stencil2d, jacobi, lbm and shmem-bench on NVIDIA's GPUs: {reason}");
        }
    }
    let programs = crate::build::build(workspace, Profile::Release, &PACKAGES)?;
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        bail!("{reason}");
    }
    if let Outcome::LeftOut(reason) = device_library(&device_library::Options { release: true, ..Default::default() })?
    {
        println!("left out: libcushmem_device, for kernels that are linked: {reason}");
    }
    Ok(programs)
}

/// Installs what was built in the folder `from`, and removes files of an earlier installation that are no longer part
/// of it.
pub fn lay_out(root: &Path, from: &Path, prefix: &Path, compat: bool) -> Result<()> {
    let files = files(root, from, compat)?;
    let old = List::read(prefix)?.unwrap_or_default();
    let exists = |path: &Path| prefix.join(path).symlink_metadata().is_ok();
    if let Some(path) = files.keys().find(|path| !old.files.contains(*path) && exists(path)) {
        let path = prefix.join(path);
        bail!("{}: it already exists and does not belong to an installation of cushmem", path.display());
    }
    let mut new = List { files: files.keys().cloned().collect(), folders: old.folders };
    let of = |path: &Path| path.ancestors().skip(1).map(Path::to_path_buf).collect::<Vec<_>>();
    let needed: BTreeSet<PathBuf> = new.files.iter().flat_map(|path| of(path)).chain(of(Path::new(LIST))).collect();
    new.folders.extend(needed.iter().filter(|folder| !exists(folder)).cloned());
    let gone: Vec<PathBuf> = old.files.difference(&new.files).cloned().collect();
    new.files.extend(old.files);
    new.write(prefix)?;
    remove_files(prefix, &gone)?;
    for (path, content) in &files {
        put(content, &prefix.join(path))?;
    }
    new.files.retain(|path| files.contains_key(path));
    let unused = new.folders.difference(&needed).cloned().collect();
    for folder in remove_folders(prefix, &unused) {
        new.folders.remove(folder);
    }
    new.write(prefix)
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
    documents(root, &mut files)?;
    Ok(files)
}

fn documents(root: &Path, files: &mut Files) -> Result<()> {
    let to = Path::new(DOCUMENTS_IN);
    files.extend(DOCUMENTS.map(|name| (to.join(name), Content::Copy(root.join(name)))));
    collect(&root.join("docs"), &to.join("docs"), files)
}

/// The text of this kind that a program prints about itself.
fn said(from: &Path, program: &str, kind: &str) -> Result<Content> {
    Ok(Content::Text(output_of(Command::new(from.join(program)).args(["--generate", kind]))?))
}

/// Adds everything in a folder, with the path that it is installed under.
fn collect(folder: &Path, to: &Path, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))? {
        let entry = entry?;
        let (path, kind) = (to.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() {
            collect(&entry.path(), &path, files)?;
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

/// The name under which a file is created.
fn fresh(path: &Path) -> PathBuf {
    path.with_file_name(format!(".{}.new", path.file_name().unwrap_or_default().to_string_lossy()))
}

/// Makes a file that everybody may read, in folders that everybody may read. It is created under another name first, so
/// that running programs keep the old file.
pub(crate) fn put(content: &Content, to: &Path) -> Result<()> {
    let fresh = fresh(to);
    let put = || -> Result<()> {
        make_folder(to.parent().context("a file lies in a folder")?)?;
        // An interrupted installation may have left it behind.
        let _ = fs::remove_file(&fresh);
        let mode = match content {
            Content::Copy(from) => {
                fs::copy(from, &fresh).with_context(|| format!("copy {}", from.display()))?;
                let is_program = fresh.metadata()?.permissions().mode() & 0o111 != 0;
                Some(if is_program { 0o755 } else { 0o644 })
            }
            Content::Stripped(from) => {
                run(Command::new("strip").arg("--strip-debug").arg("-o").arg(&fresh).arg(from))?;
                Some(0o755)
            }
            Content::Link(of) => {
                symlink(of, &fresh)?;
                None
            }
            Content::Text(text) => {
                fs::write(&fresh, text)?;
                Some(0o644)
            }
        };
        if let Some(mode) = mode {
            fs::set_permissions(&fresh, fs::Permissions::from_mode(mode))?;
        }
        Ok(fs::rename(&fresh, to)?)
    };
    let done = put();
    if done.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    done.with_context(|| format!("install {}", to.display()))
}

/// Makes a folder and its parents, unless they exist.
fn make_folder(folder: &Path) -> Result<()> {
    if folder.as_os_str().is_empty() || folder.exists() {
        return Ok(());
    }
    make_folder(folder.parent().unwrap_or(Path::new("")))?;
    fs::create_dir(folder).with_context(|| format!("make {}", folder.display()))?;
    // The user's umask is ignored, because an installation is for everybody.
    Ok(fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?)
}

/// Removes everything that [`install`] put there, and the folders that it made if they are then empty.
pub fn uninstall(options: &UninstallOptions) -> Result<()> {
    let prefix = &options.prefix;
    let Some(list) = List::read(prefix)? else {
        bail!("{}: nothing is installed there, because {LIST} is missing", prefix.display());
    };
    remove_files(prefix, list.files.iter().chain([&PathBuf::from(LIST)]))?;
    remove_folders(prefix, &list.folders);
    println!("{}: {} files removed", shown(prefix), list.files.len());
    Ok(())
}

impl List {
    /// `None` if there is no installation.
    fn read(prefix: &Path) -> Result<Option<Self>> {
        let path = prefix.join(LIST);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let mut list = Self::default();
        for line in text.lines() {
            let (of, name) = match line.strip_suffix('/') {
                Some(folder) => (&mut list.folders, folder),
                None => (&mut list.files, line),
            };
            let name = PathBuf::from(name);
            if !name.components().all(|part| matches!(part, Component::Normal(_))) {
                bail!("{}: {line} is not a path below the prefix", path.display());
            }
            of.insert(name);
        }
        Ok(Some(list))
    }

    fn write(&self, prefix: &Path) -> Result<()> {
        let folders = self.folders.iter().map(|path| format!("{}/\n", path.display()));
        let files = self.files.iter().map(|path| format!("{}\n", path.display()));
        put(&Content::Text(folders.chain(files).collect()), &prefix.join(LIST))
    }
}

fn remove_files<'a>(prefix: &Path, files: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    for file in files {
        let path = prefix.join(file);
        // An interrupted installation may have left it behind.
        let _ = fs::remove_file(fresh(&path));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("remove {}", path.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Removes the folders that are empty, inner ones first, and returns the ones that it removed.
fn remove_folders<'a>(prefix: &Path, folders: &'a BTreeSet<PathBuf>) -> Vec<&'a PathBuf> {
    folders.iter().rev().filter(|folder| fs::remove_dir(prefix.join(folder)).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path with each `..` resolved.
    fn plain(path: &Path) -> PathBuf {
        path.components().fold(PathBuf::new(), |mut plain, part| {
            if part == Component::ParentDir {
                plain.pop();
            } else {
                plain.push(part);
            }
            plain
        })
    }

    /// Links to files that only the sources have, such as `apps/examples/c/mean.cpp`, are for readers of the sources.
    #[test]
    fn links_of_installed_documents_lead_to_installed_documents() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the sources");
        let mut files = Files::new();
        documents(root, &mut files).expect("documents");
        let (docs, mut followed) = (Path::new(DOCUMENTS_IN).join("docs"), 0);
        for (place, content) in files.iter().filter(|(place, _)| place.extension().is_some_and(|e| e == "md")) {
            let Content::Copy(source) = content else { panic!("{} is no copy", place.display()) };
            let text = fs::read_to_string(source).expect("a page");
            for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
                let to = plain(&place.with_file_name(link));
                let is_document = to.parent() == Some(Path::new(DOCUMENTS_IN)) || to.starts_with(&docs);
                if !link.is_empty() && !link.contains("://") && is_document {
                    followed += 1;
                    assert!(files.contains_key(&to), "{}: {link}", place.display());
                }
            }
        }
        assert!(followed > 100, "{followed} links");
    }
}
