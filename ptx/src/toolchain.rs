//! The compiler that turns kernels into PTX. Only this file names it.

use crate::process::{output_of, run_limited, without_build_settings};
use crate::progress::Progress;
use crate::workspace::Build;
use anyhow::Result;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The toolchain's name in rustup.
pub const TOOLCHAIN: &str = "nightly-2026-05-20";
/// What its `rustc --version` prints. Another compiler would emit other PTX, so no other one is accepted.
pub const RUSTC_VERSION: &str = "rustc 1.97.0-nightly (e50aa6fba 2026-05-19)";
/// The oldest GPU on which the PTX runs.
pub const TARGET_CPU: &str = "sm_75";
/// The version of the PTX language, as a target feature.
pub const TARGET_FEATURE: &str = "+ptx78";
/// What the PTX says of both, and what that of builds for sm_90 says, which need a newer version of the language.
pub const TARGET_LINES: [&str; 2] = [".version 7.8\n.target sm_75\n", ".version 8.0\n.target sm_90\n"];
/// How to install the toolchain.
pub const HOW_TO_INSTALL: &str = "rustup toolchain install nightly-2026-05-20 --profile minimal --component rust-src";

/// The time limit for that. It takes some 12 s.
const FETCH_LIMIT: Duration = Duration::from_secs(300);

/// Panics become traps instead of calls to a function that PTX does not have. MIR's jump threading is off because it
/// would copy barriers into both arms of a branch (rust-lang/rust#137086).
const RUSTFLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zmir-enable-passes=-JumpThreading";

/// Settings of cargo for single crates. Nothing is linked, so no machine code of `core` is needed, which would take a
/// third of the time. Nor is that of `compiler_builtins`, but its build script would get the same flag.
const CONFIG: [&str; 2] = [
    r#"profile.release.package.core.rustflags=["-Zno-codegen"]"#,
    "profile.release.package.compiler_builtins.opt-level=0",
];
/// Only the device library differs between the builds. With a flag for everything, `core` would be built for each.
const FAR: &str = r#"profile.release.package.cushmem-device.rustflags=["--cfg", "cushmem_far"]"#;
/// See [`FAR`].
const RECORDED: &str = r#"profile.release.package.cushmem-device.rustflags=["--cfg", "cushmem_recorded"]"#;
/// See [`FAR`].
const SM_90: &str = r#"profile.release.package.cushmem-device.rustflags=["--cfg", "cushmem_sm_90"]"#;

/// The pinned compiler, as installed on this machine.
pub struct Toolchain {
    name: &'static str,
}

impl Toolchain {
    /// Finds it under its own name, or as the `nightly` of that day. The error says what is missing.
    pub fn find() -> Result<Self, String> {
        let mut seen = Vec::new();
        for name in [TOOLCHAIN, "nightly"] {
            let rustc =
                |args: &[&str]| output_of(without_build_settings("rustup").args(["run", name, "rustc"]).args(args));
            let Ok(version) = rustc(&["--version"]) else { continue };
            if version.trim() != RUSTC_VERSION {
                seen.push(format!("`{name}` is {}", version.trim()));
                continue;
            }
            let sysroot = rustc(&["--print", "sysroot"]).unwrap_or_default();
            if !Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/core/src/lib.rs").exists() {
                seen.push(format!("`{name}` lacks rust-src: rustup component add rust-src --toolchain {name}"));
                continue;
            }
            return Ok(Self { name });
        }
        let seen = if seen.is_empty() { String::new() } else { format!(" ({})", seen.join("; ")) };
        Err(format!("toolchain {TOOLCHAIN} is not installed{seen}; get it with `{HOW_TO_INSTALL}`"))
    }

    /// Has rustup install it. The error says why it could not, and what to do.
    pub fn fetch() -> Result<Self, String> {
        let failed = |why: &str| Err(format!("{TOOLCHAIN} cannot be fetched ({why}); get it with `{HOW_TO_INSTALL}`"));
        if std::env::var_os("CARGO_NET_OFFLINE").is_some_and(|value| value == "true") {
            return failed("CARGO_NET_OFFLINE=true");
        }
        Progress::new(1).next(&format!("fetching {TOOLCHAIN}, which compiles kernels to PTX: some 12 s, once"));
        let mut words = HOW_TO_INSTALL.split(' ');
        let mut command = without_build_settings(words.next().unwrap_or_default());
        let (ended, said) = match run_limited(command.args(words), FETCH_LIMIT) {
            Ok(result) => result,
            Err(error) => return failed(&format!("{error:#}")),
        };
        if let Some(how) = ended.failure() {
            let error = said.lines().find(|line| line.starts_with("error: ")).or_else(|| said.lines().last());
            return failed(error.map_or(how.as_str(), |line| line.trim_start_matches("error: ")));
        }
        Self::find()
    }

    /// Returns the name that rustup uses for it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns its assembler of LLVM's language, which is in a component of its own. The error says how to get it.
    pub fn llvm_as(&self) -> Result<Command, String> {
        let rustc = |what: &[&str]| {
            let said = output_of(without_build_settings("rustup").args(["run", self.name, "rustc"]).args(what));
            said.map(|said| said.trim().to_owned()).map_err(|why| format!("{why:#}"))
        };
        let (sysroot, host) = (rustc(&["--print", "sysroot"])?, rustc(&["--print", "host-tuple"])?);
        let program = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin/llvm-as");
        if program.exists() {
            return Ok(Command::new(program));
        }
        Err(format!("there is no llvm-as: rustup component add llvm-tools --toolchain {}", self.name))
    }

    /// Returns its cargo, with the flags with which every kernel crate is built so.
    pub fn cargo(&self, target_dir: &Path, build: Build) -> Command {
        let mut command = without_build_settings("rustup");
        command.args(["run", self.name, "cargo"]).env("CARGO_UNSTABLE_PROFILE_RUSTFLAGS", "true");
        let device = match build {
            Build::Near => None,
            Build::Sm90 => Some(SM_90),
            Build::Far => Some(FAR),
            Build::Recorded => Some(RECORDED),
        };
        command.args(CONFIG.into_iter().chain(device).flat_map(|setting| ["--config", setting]));
        command.env("CARGO_TARGET_DIR", target_dir);
        let target = format!("-Ctarget-cpu={TARGET_CPU} -Ctarget-feature={TARGET_FEATURE}");
        command.env("RUSTFLAGS", format!("{target} {RUSTFLAGS}"));
        // Debug information of the kinds that profiles offer would make the PTX invalid.
        command.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        // The workspace may choose other values for its programs.
        command.env("CARGO_PROFILE_RELEASE_LTO", "false").env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3");
        command
    }
}
