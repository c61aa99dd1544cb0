//! Programs that tests create and then start.
//!
//! Linux refuses to execute a file that some process has open for writing (`ETXTBSY`). If a thread has a file open
//! while another thread starts a child, the child also has it open until it executes its own program. So `sh` and `cp`
//! write these files, and no thread of the tests ever has one open.

use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a script that can be executed, for example one that starts with `#!/bin/sh`.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let mut sh = Command::new("sh");
    let mut writer = sh
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .context("start sh")?;
    let sent = writer.stdin.take().context("the script's pipe")?.write_all(text.as_bytes());
    let status = writer.wait()?;
    ensure!(status.success(), "write {}: sh: {status}", path.display());
    sent.with_context(|| format!("write {}", path.display()))
}

/// Copies a program with its permissions.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let status = Command::new("cp").arg("--").args([from, to]).status().context("start cp")?;
    ensure!(status.success(), "copy {} to {}: cp: {status}", from.display(), to.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Catches a script or copy that this process has open for writing while another thread starts a program.
    #[test]
    fn programs_start_while_other_threads_start_some() {
        let folder = cushmem_scratch::Folder::new("executable").expect("a folder");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    Command::new("true").status().expect("there is true");
                }
            });
            let started = (0..100).map(|round| {
                let (script, twin) = (folder.join(format!("script-{round}")), folder.join(format!("copy-{round}")));
                write(&script, "#!/bin/sh\nexit 3\n").expect("room for a script");
                copy(&script, &twin).expect("room for a copy");
                [script, twin].map(|path| Command::new(path).status().map(|status| status.code()))
            });
            let started: Vec<_> = started.flatten().collect();
            done.store(true, Ordering::Relaxed);
            for ended in started {
                assert_eq!(ended.expect("it starts"), Some(3));
            }
        });
    }
}
