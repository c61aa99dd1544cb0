//! For the build script of a crate with kernels. The script consists of a single call:
//!
//! ```no_run
//! cushmem_build::kernels();
//! ```
//!
//! The crate is compiled to PTX by `cargo shmem-ptx`, and for the host by cargo. There are two PTX files: one for jobs
//! in which all PEs are mapped, and one for other jobs. To ensure that everything comes from the same sources, the PTX
//! and the program contain a number computed from all files below `src` and from the crate's features. [`kernels`] uses
//! `prebuilt/<crate>.ptx` and `prebuilt/<crate>.far.ptx` if their number matches the sources. If it does not, or if a
//! file is missing, cargo prints a warning (for crates of the workspace only; it hides warnings of dependencies), and
//! loading the kernels on an NVIDIA GPU fails. They still run on the emulated GPU.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Tells the macro `kernels!` which PTX belongs to the crate, or warns that there is none.
pub fn kernels() {
    let own = Crate::of_this_build();
    if own.is_compiled_to_ptx() {
        return;
    }
    println!("cargo::rerun-if-changed=prebuilt");
    let remedy = format!("until `cargo shmem-ptx {}` makes it", own.which().join(" "));
    own.take(&own.folder.join("prebuilt"), &remedy);
}

/// Compiles the PTX in each build and then does what [`kernels`] does. This needs `cargo shmem-ptx` and the compiler
/// that it uses. Nothing is written next to the sources.
pub fn compile() {
    let own = Crate::of_this_build();
    if own.is_compiled_to_ptx() {
        return;
    }
    // The library, the tool and the compiler may change, and cargo would not see it: run each time, and let the tool
    // find out what is up to date.
    println!("cargo::rerun-if-changed={}", own.out.join("never").display());
    let ptx = own.out.join(own.file(""));
    // Another target folder: cargo holds the one that it builds in.
    let mut tool = Command::new("cargo-shmem-ptx");
    tool.current_dir(&own.folder).env("CARGO_TARGET_DIR", own.out.join("target"));
    match tool.arg("shmem-ptx").args(own.which()).arg("--output").arg(&ptx).output() {
        Ok(out) if out.status.success() => {}
        Ok(out) => warn(&format!("cargo shmem-ptx: {}", String::from_utf8_lossy(&out.stderr).trim())),
        Err(error) => warn(&format!("start cargo-shmem-ptx: {error}")),
    }
    own.take(&own.out, "until it is compiled");
}

/// Computes a number from the contents and names of all files in a folder and below it, and from the crate's enabled
/// features. Line endings do not count, because git may change them. Nor do files that editors and file managers leave
/// behind (`.lib.rs.swp`, `lib.rs~`, `#lib.rs#`).
pub fn number_of(folder: &Path, features: &[String]) -> io::Result<u64> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let mut number = Number(0xcbf2_9ce4_8422_2325);
    for file in files {
        let mut text = fs::read(&file).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", file.display())))?;
        let mut next = text.iter().skip(1).copied().chain([0]).collect::<Vec<_>>().into_iter();
        text.retain(|byte| (*byte, next.next()) != (b'\r', Some(b'\n')));
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        number.add(name.as_bytes());
        number.add(&text);
    }
    let mut features = features.to_vec();
    features.sort();
    features.iter().for_each(|feature| number.add(feature.as_bytes()));
    Ok(number.0)
}

/// The 64-bit FNV-1a hash.
struct Number(u64);

impl Number {
    /// The lengths keep one part's end from being another one's beginning.
    fn add(&mut self, part: &[u8]) {
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(['.', '#']) || name.ends_with('~') {
            continue;
        }
        // Links are followed, as the compiler does.
        let about = fs::metadata(&path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        if about.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns what is wrong with a PTX file, if anything is, for sources with this number.
pub fn fault(ptx: &Path, number: u64) -> Option<&'static str> {
    match fs::read_to_string(ptx) {
        Err(_) => Some("is missing"),
        Ok(text) if text.trim().is_empty() => Some("is empty"),
        Ok(text) if !text.contains(&format!("cushmem_source = 0x{number:016x}U;")) => {
            Some("was made from other sources than those below src")
        }
        Ok(_) => None,
    }
}

/// The crate whose build script this is.
struct Crate {
    name: String,
    /// Those that are on, but for `default`.
    features: Vec<String>,
    folder: PathBuf,
    out: PathBuf,
    number: u64,
}

impl Crate {
    /// Tells the crate its number.
    fn of_this_build() -> Self {
        let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
        let sources = folder.join("src");
        println!("cargo::rerun-if-changed=src");
        let features: Vec<String> =
            env::vars().filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_owned())).collect();
        let number = number_of(&sources, &features).unwrap_or_else(|e| panic!("read {}: {e}", sources.display()));
        println!("cargo::rustc-env=KERNELS_SOURCE={number:016x}");
        let features = named(&env::var("CARGO_CFG_FEATURE").unwrap_or_default());
        Self { name: variable("CARGO_PKG_NAME"), features, folder, out: PathBuf::from(variable("OUT_DIR")), number }
    }

    /// What tells `cargo shmem-ptx` of the crate and its features.
    fn which(&self) -> Vec<String> {
        let mut arguments = vec!["-p".to_owned(), self.name.clone()];
        if !self.features.is_empty() {
            arguments.extend(["-F".to_owned(), self.features.join(",")]);
        }
        arguments
    }

    fn is_compiled_to_ptx(&self) -> bool {
        variable("TARGET").starts_with("nvptx64")
    }

    fn file(&self, kind: &str) -> String {
        format!("{}{kind}.ptx", self.name)
    }

    fn take(&self, folder: &Path, remedy: &str) {
        let mut warned = false;
        for (kind, variable, jobs) in
            [("", "KERNELS_PTX", ""), (".far", "KERNELS_FAR_PTX", " in jobs with PEs that are not mapped")]
        {
            let mut ptx = folder.join(self.file(kind));
            if let Some(fault) = fault(&ptx, self.number) {
                // One line says it of both.
                if !std::mem::replace(&mut warned, true) {
                    let text =
                        format!("{} {fault}: {remedy}, the kernels run on emulated GPUs only{jobs}", ptx.display());
                    warn(&text);
                }
                ptx = self.out.join("none.ptx");
                fs::write(&ptx, "").unwrap_or_else(|e| panic!("write {}: {e}", ptx.display()));
            }
            println!("cargo::rustc-env={variable}={}", ptx.display());
        }
    }
}

/// The features in cargo's list, but for `default`.
fn named(list: &str) -> Vec<String> {
    list.split(',').filter(|feature| !matches!(*feature, "" | "default")).map(str::to_owned).collect()
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|e| panic!("cargo sets {name}: {e}"))
}

fn warn(text: &str) {
    for line in text.lines() {
        println!("cargo::warning={line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches PTX that is made without the features that the program turns on.
    #[test]
    fn the_tool_is_told_of_features() {
        let of = |list| {
            let (folder, out) = (PathBuf::new(), PathBuf::new());
            Crate { name: "waves".into(), features: named(list), folder, out, number: 0 }.which().join(" ")
        };
        assert_eq!(
            ["", "default", "default,fast-math,wide"].map(of),
            ["-p waves", "-p waves", "-p waves -F fast-math,wide"]
        );
    }

    #[test]
    fn every_change_of_a_file_is_seen() {
        let folder = env::temp_dir().join(format!("cushmem-build-{}", std::process::id()));
        let sources = folder.join("src");
        fs::create_dir_all(sources.join("deep")).expect("room for a folder");
        let mut seen = Vec::new();
        let mut look = || {
            let number = number_of(&sources, &[]).expect("a folder that can be read");
            assert!(!seen.contains(&number), "a change that does not show");
            seen.push(number);
            number
        };
        for (file, text) in [("lib.rs", "a"), ("lib.rs", "b"), ("deep/x.rs", "b"), ("deep/x.rs", ""), ("y.rs", "")] {
            fs::write(sources.join(file), text).expect("room for a file");
            look();
        }
        fs::rename(sources.join("y.rs"), sources.join("z.rs")).expect("room for a file");
        let number = look();

        let of = |features: &[&str]| {
            let features: Vec<String> = features.iter().map(|f| f.to_string()).collect();
            number_of(&sources, &features).expect("a folder that can be read")
        };
        assert!(of(&["FAST"]) != number && of(&["FAST", "B"]) == of(&["B", "FAST"]), "features count");
        for other in [".lib.rs.swp", "lib.rs~", "#lib.rs#"] {
            fs::write(sources.join(other), "x").expect("room for a file");
        }
        std::os::unix::fs::symlink("nobody@nowhere", sources.join(".#lib.rs")).expect("room for a link");
        assert_eq!(of(&[]), number, "what editors leave does not count");
        fs::write(sources.join("lib.rs"), "a\nb\r").expect("room for a file");
        let lines = of(&[]);
        fs::write(sources.join("lib.rs"), "a\r\nb\r").expect("room for a file");
        assert_eq!(of(&[]), lines, "line ends do not count");
        fs::write(sources.join("lib.rs"), "b").expect("room for a file");

        let ptx = folder.join("kernels.ptx");
        assert_eq!(fault(&ptx, number), Some("is missing"));
        fs::write(&ptx, "\n").expect("room for a file");
        assert_eq!(fault(&ptx, number), Some("is empty"));
        fs::write(&ptx, format!(".u64 cushmem_source = 0x{:016x}U;", number ^ 1)).expect("room for a file");
        assert_eq!(fault(&ptx, number), Some("was made from other sources than those below src"));
        fs::write(&ptx, format!(".u64 cushmem_source = 0x{number:016x}U;")).expect("room for a file");
        assert_eq!(fault(&ptx, number), None);
        fs::remove_dir_all(folder).expect("the folder is ours");
    }
}
