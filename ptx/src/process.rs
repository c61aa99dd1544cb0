//! Runs other programs.

use anyhow::{Context, Result, bail};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// cargo's settings that belong to the machine rather than to the build in progress.
const KEPT: [&str; 6] =
    ["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTRY_", "CARGO_REGISTRIES_", "CARGO_SOURCE_"];

/// A command for the cargo that started us.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A command that does not inherit the compiler settings of the cargo that started us.
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

/// Returns what a command prints, or why it failed.
pub fn output_of(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let out = command.output().with_context(|| format!("start {shown}"))?;
    if !out.status.success() {
        bail!("{shown}: {}\n{}", out.status, String::from_utf8_lossy(&out.stderr).trim_end());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Runs a command that shares our standard output and error. It is an error if the command does not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command.status().with_context(|| format!("start {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// How a command with a time limit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ended with status 0.
    Well,
    /// It failed, in this way.
    Failed(String),
    /// It was killed when its time had run out.
    TimedOut(Duration),
}

impl Ended {
    /// Returns what went wrong, if anything did.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Well => None,
            Self::Failed(how) => Some(how.clone()),
            Self::TimedOut(limit) => Some(format!("not done after {} s", limit.as_secs())),
        }
    }
}

/// Runs a command and kills it at its time limit. Also returns what it printed, with both streams together.
pub fn run_limited(command: &mut Command, limit: Duration) -> Result<(Ended, String)> {
    let shown = show(command);
    let (mut reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("start {shown}"))?;
    // The command holds the other end of the pipe until it is dropped.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut said = Vec::new();
        // An error here means that there is no more output; the status explains why.
        let _ = reader.read_to_end(&mut said);
        let _ = send.send(String::from_utf8_lossy(&said).into_owned());
    });
    let deadline = Instant::now() + limit;
    let ended = loop {
        match child.try_wait()? {
            Some(status) if status.success() => break Ended::Well,
            Some(status) => break Ended::Failed(status.to_string()),
            None if Instant::now() >= deadline => {
                child.kill().and_then(|()| child.wait()).with_context(|| format!("kill {shown}"))?;
                break Ended::TimedOut(limit);
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    // A surviving grandchild may hold the pipe open. Its output is not worth waiting for.
    let said = receive.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    Ok((ended, said))
}

/// Shows the command as one would type it, without its environment.
pub fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    // We run cargo by its full path, which nobody types.
    let program = program.file_name().filter(|n| *n == "cargo").unwrap_or(program.as_os_str());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit_ms: u64) -> (Ended, String) {
        run_limited(Command::new("sh").args(["-c", script]), Duration::from_millis(limit_ms)).expect("there is a shell")
    }

    #[test]
    fn says_how_a_command_ended() {
        assert_eq!(shell("echo a; echo b >&2", 10_000), (Ended::Well, "a\nb\n".into()));
        assert!(matches!(shell("exit 3", 10_000).0, Ended::Failed(how) if how.contains('3')));
        assert!(matches!(shell("exec sleep 60", 50).0, Ended::TimedOut(_)));
    }

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
