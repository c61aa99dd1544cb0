//! `cargo xtask wheel`: packs the Python package with the library, `shmemrun`, `shmem-info`, the headers and the
//! routines for kernels, for `pip install`. Nothing in it is compiled for Python, so there is one for all versions.
//! Back ends of torch's symmetric memory are compiled for the versions of torch that are given.
//!
//! A wheel is a ZIP archive whose `RECORD` lists each file with its SHA-256.

mod zip;

use crate::build::{Profile, build};
use crate::cxx::library::{self as device_library, device_library};
use crate::library::{FOLDER, library};
use crate::packages::SONAME;
use crate::process::{output_of, run};
use crate::ptx::Outcome;
use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::Zip;

/// Options of `cargo xtask wheel`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder for the wheel [default: `wheel` in the target folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Folders that contain the package `torch`, one folder for each minor version; the wheel then has back ends of
    /// symmetric memory for these, and the first import compiles them for others
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub torch: Vec<PathBuf>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");
const NAME: &str = "cushmem";
const PROGRAMS: [&str; 2] = ["shmemrun", "shmem-info"];
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];
/// The libraries that the package can use.
const OPTIONAL: [&str; 3] = ["numpy", "torch", "cupy"];

/// Builds in release mode and packs; skipped where there is no C compiler.
pub fn wheel(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let from = build(&workspace, Profile::Release, &["cushmem-launcher", "cushmem-info"])?;
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        return Ok(Outcome::LeftOut(reason));
    }
    if let Outcome::LeftOut(reason) = device_library(&device_library::Options { release: true, ..Default::default() })?
    {
        println!("left out: libcushmem_device, for kernels that are linked: {reason}");
    }
    let out = options.out.clone().unwrap_or_else(|| workspace.target.join("wheel"));
    println!("{}: for `pip install`", shown(&pack(&workspace.root, &from, &options.torch, &out)?));
    Ok(Outcome::Done)
}

/// A file of the archive.
struct File {
    mode: u32,
    content: Vec<u8>,
}

/// Files by their paths in the archive.
type Files = BTreeMap<String, File>;

/// Packs what was built in the folder `from`, with back ends for these versions of torch, and returns the path of the
/// wheel.
pub fn pack(root: &Path, from: &Path, torch: &[PathBuf], out: &Path) -> Result<PathBuf> {
    fs::create_dir_all(out).with_context(|| format!("make {}", out.display()))?;
    let mut files = Files::new();
    sources(&root.join("python").join(NAME), NAME, &mut files)?;
    folder(&from.join(FOLDER).join("include"), &format!("{NAME}/include"), &mut files)?;
    let mut tag = 0;
    let library = from.join(FOLDER).join("lib").join(SONAME);
    let programs = PROGRAMS.map(|name| (from.join(name), format!("{NAME}-{VERSION}.data/scripts/{name}")));
    // Another process may make a wheel in the same folder.
    let compiled = out.join(format!(".back-ends-{}", std::process::id()));
    let added = back_ends(root, &from.join(FOLDER).join("include"), torch, &compiled).and_then(|back_ends| {
        for (path, name) in [(library, format!("{NAME}/lib/{SONAME}"))].into_iter().chain(programs).chain(back_ends) {
            tag = tag.max(libc(&path)?);
            files.insert(name, File { mode: 0o755, content: stripped(&path, out)? });
        }
        Ok(())
    });
    // It is not there if no version of torch was given.
    let _ = fs::remove_dir_all(&compiled);
    added?;
    for form in device_library::FORMS {
        let name = format!("{}.{form}", device_library::NAME);
        if let Ok(content) = fs::read(from.join(FOLDER).join("lib").join(&name)) {
            files.insert(format!("{NAME}/lib/{name}"), File { mode: 0o644, content });
        }
    }
    let tag = format!("py3-none-manylinux_2_{tag}_{}", std::env::consts::ARCH);
    about(root, &tag, &mut files)?;
    let mut zip = Zip::default();
    let mut record = String::new();
    for (name, File { mode, content }) in &files {
        zip.add(name, *mode, content)?;
        record += &format!("{name},sha256={},{}\n", base64(&Sha256::digest(content)), content.len());
    }
    let name = format!("{NAME}-{VERSION}.dist-info/RECORD");
    record += &format!("{name},,\n");
    zip.add(&name, 0o644, record.as_bytes())?;
    let path = out.join(format!("{NAME}-{VERSION}-{tag}.whl"));
    fs::write(&path, zip.finish()?).with_context(|| format!("write {}", path.display()))?;
    Ok(path)
}

/// Compiles the back ends for these versions of torch into the folder `to`. Returns the files with their paths in the
/// archive.
fn back_ends(root: &Path, headers: &Path, torch: &[PathBuf], to: &Path) -> Result<Vec<(PathBuf, String)>> {
    if torch.is_empty() {
        return Ok(Vec::new());
    }
    fs::create_dir(to).with_context(|| format!("make {}", to.display()))?;
    let compile = root.join("python").join(NAME).join("torch/_build.py");
    run(Command::new("python3").arg(compile).args([headers, to]).args(torch))?;
    let made = fs::read_dir(to).with_context(|| format!("read {}", to.display()))?;
    made.map(|entry| {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{NAME}/torch/ready/{name}");
        Ok((path, name))
    })
    .collect()
}

/// Adds the package itself, without what Python leaves in its folders.
fn sources(path: &Path, to: &str, files: &mut Files) -> Result<()> {
    folder(path, to, files)?;
    files.retain(|name, _| !name.contains("/__pycache__/"));
    Ok(())
}

/// Adds everything in a folder.
fn folder(path: &Path, to: &str, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(path).with_context(|| format!("read {}", path.display()))? {
        let entry = entry?;
        let (path, name) = (entry.path(), format!("{to}/{}", entry.file_name().to_string_lossy()));
        if entry.file_type()?.is_dir() {
            folder(&path, &name, files)?;
        } else {
            let content = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
            files.insert(name, File { mode: 0o644, content });
        }
    }
    Ok(())
}

/// The file without the sections that only debuggers read. `work` is a folder for it.
fn stripped(path: &Path, work: &Path) -> Result<Vec<u8>> {
    let fresh = work.join(format!(".stripped-{}", std::process::id()));
    let done = run(Command::new("strip").arg("--strip-debug").arg("-o").arg(&fresh).arg(path));
    let content = done.and_then(|()| Ok(fs::read(&fresh)?));
    // It is not there if `strip` has failed.
    let _ = fs::remove_file(&fresh);
    content.with_context(|| format!("strip {}", path.display()))
}

/// The minor version of glibc 2 that a file needs: that of its newest symbol.
fn libc(path: &Path) -> Result<u32> {
    let symbols = output_of(Command::new("readelf").args(["--version-info", "--wide"]).arg(path))?;
    let versions = symbols.split("GLIBC_2.").skip(1);
    let digits = versions.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
    digits.max().with_context(|| format!("{}: no version of glibc", path.display()))
}

/// Adds what pip reads.
fn about(root: &Path, tag: &str, files: &mut Files) -> Result<()> {
    let folder = format!("{NAME}-{VERSION}.dist-info");
    for licence in LICENCES {
        let content = fs::read(root.join(licence)).with_context(|| format!("read {licence}"))?;
        files.insert(format!("{folder}/licenses/{licence}"), File { mode: 0o644, content });
    }
    let mut metadata = format!(
        "Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nSummary: OpenSHMEM for hosts with GPUs\n\
         License: MIT OR Apache-2.0\nRequires-Python: >=3.9\n"
    );
    for name in OPTIONAL {
        metadata += &format!("Provides-Extra: {name}\nRequires-Dist: {name}; extra == \"{name}\"\n");
    }
    let wheel = format!("Wheel-Version: 1.0\nGenerator: cargo xtask wheel\nRoot-Is-Purelib: false\nTag: {tag}\n");
    for (name, text) in [("METADATA", metadata), ("WHEEL", wheel)] {
        files.insert(format!("{folder}/{name}"), File { mode: 0o644, content: text.into_bytes() });
    }
    Ok(())
}

/// The form that `RECORD` uses: with `-` and `_`, and without `=` at the end.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - chunk.len()));
        let letters = (0..=chunk.len()).map(|at| char::from(LETTERS[bits >> (18 - 6 * at) & 63]));
        text.extend(letters);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_record() {
        for (bytes, text) in [(&b""[..], ""), (b"f", "Zg"), (b"fo", "Zm8"), (b"foo", "Zm9v"), (&[0xfb, 0xff], "-_8")] {
            assert_eq!(base64(bytes), text);
        }
    }
}
