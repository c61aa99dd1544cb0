//! Starting other programs.

use anyhow::{Context, Result, bail};
use std::process::Command;

/// Settings of cargo that belong to the machine rather than to the build in progress.
const KEPT: [&str; 6] =
    ["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTRY_", "CARGO_REGISTRIES_", "CARGO_SOURCE_"];

/// The cargo that started us.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A command that sees none of the compiler settings of the cargo that started us.
pub fn without_build_settings(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if is_build_setting(&name) {
            command.env_remove(&*name);
        }
    }
    command
}

fn is_build_setting(name: &str) -> bool {
    let of_cargo = name == "CARGO" || name.starts_with("CARGO_");
    let of_rustc = name.starts_with("RUSTC") || name.starts_with("RUSTDOC") || name.starts_with("RUSTFLAGS");
    of_rustc || name == "RUSTUP_TOOLCHAIN" || (of_cargo && !KEPT.iter().any(|k| name.starts_with(k)))
}

/// What a command prints, or why it failed.
pub fn output_of(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let out = command.output().with_context(|| format!("start {shown}"))?;
    if !out.status.success() {
        bail!("{shown}: {}\n{}", out.status, String::from_utf8_lossy(&out.stderr).trim_end());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Runs a command with our own output; an error unless it succeeds.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command.status().with_context(|| format!("start {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// The command as one would type it, without its environment.
pub fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_machine_drops_the_build() {
        for dropped in ["CARGO", "CARGO_TARGET_DIR", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "RUSTC_WRAPPER"] {
            assert!(is_build_setting(dropped), "{dropped}");
        }
        for kept in ["CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTUP_HOME", "RUST_BACKTRACE", "PATH"] {
            assert!(!is_build_setting(kept), "{kept}");
        }
    }
}
