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
//!
//! A crate whose manifest says `committed = false` in `[package.metadata.cushmem]` has its PTX built where there is a
//! GPU, so the warning comes only there. With `committed = ["KERNEL", …]`, the PTX of these kernels lies in
//! `prebuilt/<crate>.part.ptx`, which is used until there is the PTX of all.
//!
//! With `sm_90 = true` there is a third PTX file, `prebuilt/<crate>.sm_90.ptx`, for GPUs from sm_90 on. If it is
//! missing or does not match, these GPUs run what older ones run. With `recorded = true`,
//! `prebuilt/<crate>.recorded.ptx` is for jobs with a timeline, whose kernels record nothing without it.
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
    let manifest = own.manifest();
    let remedy = format!("until `cargo shmem-ptx {}` makes it", own.which().join(" "));
    let wanted = Wanted { committed: committed(&manifest), sm_90: has_sm_90(&manifest) };
    own.take(&own.folder.join("prebuilt"), wanted, has_gpu(Path::new("/")), &remedy);
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
    let wanted = Wanted { committed: Committed::All, sm_90: has_sm_90(&own.manifest()) };
    own.take(&own.out, wanted, true, "until it is compiled");
}

/// Which PTX of a crate is committed, so that it is a fault if it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Committed {
    All,
    Some,
    None,
}

/// Which PTX of a crate there should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    committed: Committed,
    /// Whether there is PTX for GPUs from sm_90 on.
    sm_90: bool,
}

/// What a manifest says of that.
fn committed(manifest: &str) -> Committed {
    match setting(manifest, "committed") {
        Some(value) if value.starts_with('[') => Committed::Some,
        Some(value) if value.starts_with("false") => Committed::None,
        _ => Committed::All,
    }
}

/// See [`Wanted::sm_90`].
fn has_sm_90(manifest: &str) -> bool {
    setting(manifest, "sm_90").is_some_and(|value| value.starts_with("true"))
}

/// What a manifest says of the kernels. Only the usual form is understood, since a misunderstanding costs no more than
/// a warning or the code for newer GPUs.
fn setting<'a>(manifest: &'a str, name: &str) -> Option<&'a str> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package.metadata.cushmem]").skip(1);
    let mut settings = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    settings.find(|(said, _)| said.trim() == name).map(|(_, value)| value.trim())
}

/// Whether the machine with this root folder has an NVIDIA GPU.
fn has_gpu(root: &Path) -> bool {
    let is_any = |folder: &str, is_gpu: fn(&str) -> bool| {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).any(|name| is_gpu(&name))
    };
    let is_device = |name: &str| name.strip_prefix("nvidia").is_some_and(|number| number.parse::<u32>().is_ok());
    is_any("dev", is_device) || is_any("proc/driver/nvidia/gpus", |_| true)
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

    fn manifest(&self) -> String {
        println!("cargo::rerun-if-changed=Cargo.toml");
        let path = self.folder.join("Cargo.toml");
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("read {}: {e}", path.display()))
    }

    fn is_compiled_to_ptx(&self) -> bool {
        variable("TARGET").starts_with("nvptx64")
    }

    fn file(&self, kind: &str) -> String {
        format!("{}{kind}.ptx", self.name)
    }

    fn take(&self, folder: &Path, wanted: Wanted, has_gpu: bool, remedy: &str) {
        let Found { near, sm_90, far, recorded, warning } = self.find(folder, wanted, has_gpu, remedy);
        if let Some(text) = warning {
            warn(&text);
        }
        let all = [
            ("KERNELS_PTX", near),
            ("KERNELS_SM_90_PTX", sm_90),
            ("KERNELS_FAR_PTX", far),
            ("KERNELS_RECORDED_PTX", recorded),
        ];
        for (variable, ptx) in all {
            let ptx = ptx.unwrap_or_else(|| {
                let none = self.out.join("none.ptx");
                fs::write(&none, "").unwrap_or_else(|e| panic!("write {}: {e}", none.display()));
                none
            });
            println!("cargo::rustc-env={variable}={}", ptx.display());
        }
    }

    /// Looks for PTX of the current sources.
    fn find(&self, folder: &Path, wanted: Wanted, has_gpu: bool, remedy: &str) -> Found {
        let good_or = |ptx: PathBuf, consequence: &str| match fault(&ptx, self.number) {
            Some(fault) => Err(format!("{} {fault}: {remedy}, {consequence}", ptx.display())),
            None => Ok(ptx),
        };
        let good = |ptx| good_or(ptx, "the kernels run on emulated GPUs only");
        let older = "GPUs from sm_90 on run the kernels for older ones";
        let sm_90 = if wanted.sm_90 { good_or(folder.join(self.file(".sm_90")), older).map(Some) } else { Ok(None) };
        let near = good(folder.join(self.file("")));
        let far = good(folder.join(self.file(".far")));
        // One line says it of all.
        let jobs = " in jobs with PEs that are not mapped";
        let missing = near.clone().err().or_else(|| far.clone().err().map(|text| text + jobs)).or(sm_90.clone().err());
        let recorded = good(folder.join(self.file(".recorded"))).ok();
        let (mut near, sm_90, far) = (near.ok(), sm_90.ok().flatten(), far.ok());
        let warning = match wanted.committed {
            Committed::All => missing,
            Committed::None => missing.filter(|_| has_gpu),
            Committed::Some if near.is_some() => missing.filter(|_| has_gpu),
            Committed::Some => {
                let part = good(folder.join(self.file(".part")));
                let warning = part.clone().err();
                near = part.ok();
                warning
            }
        };
        Found { near, sm_90, far, recorded, warning }
    }
}

/// The PTX of the current sources, for both kinds of jobs.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    near: Option<PathBuf>,
    sm_90: Option<PathBuf>,
    far: Option<PathBuf>,
    recorded: Option<PathBuf>,
    warning: Option<String>,
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

    /// Catches warnings about PTX that nobody needs on a machine without a GPU, and PTX of other sources.
    #[test]
    fn missing_ptx_is_a_fault_where_it_is_committed_or_needed() {
        let folder = env::temp_dir().join(format!("cushmem-build-ptx-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("room for a folder");
        let own = Crate { name: "w".into(), features: vec![], folder: folder.clone(), out: folder.clone(), number: 1 };
        let write = |kind: &str, number: u64| {
            let text = format!(".u64 cushmem_source = 0x{number:016x}U;");
            fs::write(folder.join(own.file(kind)), text).expect("room for a file");
        };
        let named = |ptx: Option<PathBuf>| ptx.and_then(|p| Some(p.file_name()?.to_string_lossy().into_owned()));
        let of = |committed, sm_90, has_gpu| own.find(&folder, Wanted { committed, sm_90 }, has_gpu, "until X");
        let find = |committed, has_gpu| {
            let found = of(committed, false, has_gpu);
            assert_eq!(found.sm_90, None);
            (named(found.near), named(found.far), found.warning.map(|w| w.replace(folder.to_str().unwrap_or(""), "")))
        };
        let only = "the kernels run on emulated GPUs only";
        let missing = Some(format!("/w.ptx is missing: until X, {only}"));
        assert_eq!(find(Committed::All, false), (None, None, missing.clone()));
        assert_eq!(find(Committed::None, false), (None, None, None));
        assert_eq!(find(Committed::None, true), (None, None, missing));
        let no_part = Some(format!("/w.part.ptx is missing: until X, {only}"));
        assert_eq!(find(Committed::Some, false), (None, None, no_part));

        let part = || Some("w.part.ptx".to_owned());
        write(".part", 1);
        assert_eq!(find(Committed::Some, true), (part(), None, None));
        // PTX of all kernels, but of other sources.
        write("", 2);
        assert_eq!(find(Committed::Some, true), (part(), None, None));
        assert!(find(Committed::None, false).2.is_none() && find(Committed::None, true).2.is_some());
        write("", 1);
        let no_far = Some(format!("/w.far.ptx is missing: until X, {only} in jobs with PEs that are not mapped"));
        for (committed, warning) in [(Committed::All, &no_far), (Committed::Some, &None), (Committed::None, &None)] {
            assert_eq!(find(committed, false), (Some("w.ptx".into()), None, warning.clone()));
            assert_eq!(find(committed, true).2, no_far);
        }
        write(".far", 1);
        assert_eq!(find(Committed::Some, true), (Some("w.ptx".into()), Some("w.far.ptx".into()), None));
        let (found, file) = (of(Committed::All, true, false), folder.join("w.sm_90.ptx"));
        let missing = "w.sm_90.ptx is missing: until X, GPUs from sm_90 on run the kernels for older ones";
        assert!(found.near.is_some() && found.sm_90.is_none() && found.warning.is_some_and(|w| w.ends_with(missing)));
        assert_eq!(of(Committed::None, true, false).warning, None);
        write(".sm_90", 1);
        let found = of(Committed::All, true, true);
        assert_eq!((found.sm_90, found.warning, find(Committed::All, true).2), (Some(file), None, None));

        assert!(!has_gpu(&folder));
        fs::create_dir_all(folder.join("dev/nvidia-caps")).expect("room for a folder");
        fs::write(folder.join("dev/nvidiactl"), "").expect("room for a file");
        assert!(!has_gpu(&folder));
        fs::write(folder.join("dev/nvidia0"), "").expect("room for a file");
        assert!(has_gpu(&folder));
        fs::remove_dir_all(folder).expect("the folder is ours");
    }

    #[test]
    fn the_manifest_says_what_is_committed() {
        let of = |line: &str| {
            committed(&format!(
                "[package]\nname = \"w\"\n\n[package.metadata.cushmem]\nkernels = true\n{line}\n[lib]\n"
            ))
        };
        let said = [
            "",
            "committed = true",
            "committed = false # as",
            "committed = [\"a\"]",
            "committed=[",
            "[x]\ncommitted = false",
        ];
        let all = Committed::All;
        assert_eq!(said.map(of), [all, all, Committed::None, Committed::Some, Committed::Some, all]);
        let has = |line: &str| has_sm_90(&format!("[package.metadata.cushmem]\nkernels = true\n{line}\n[lib]\n"));
        assert_eq!(["", "sm_90 = true", "sm_90 = false", "[x]\nsm_90 = true"].map(has), [false, true, false, false]);
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
