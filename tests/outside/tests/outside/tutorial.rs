//! Follows docs/tutorial.md to the letter.

use cushmem_outside::{clean, scratch, sources};
use cushmem_scratch::Folder;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::left_out::record;
use xtask::process::run_limited;
use xtask::ptx::toolchain::Toolchain;

const TUTORIAL: &str = include_str!("../../../../docs/tutorial.md");

/// The time limit of one block of commands. On two busy cores, the longest takes three minutes.
const LIMIT: Duration = Duration::from_secs(900);

/// Returns the marked blocks in order: what the mark says, and what the block contains.
fn blocks() -> impl Iterator<Item = (&'static str, &'static str)> {
    TUTORIAL.split("\n<!-- ").skip(1).map(|rest| {
        let (mark, rest) = rest.split_once(" -->\n```").expect("a code block follows its mark");
        let (_, body) = rest.split_once('\n').expect("a language");
        (mark, &body[..body.find("\n```\n").expect("the block ends") + 1])
    })
}

#[test]
fn follows_the_tutorial() {
    let name = "outside::follows_the_tutorial";
    let Some(root) = sources() else { return record(name, "the sources are not here") };
    if let Err(reason) = Toolchain::find() {
        return record(name, &reason);
    }
    // Not in the target folder, because `cargo new` adopts settings of this workspace there. What an earlier run built
    // of the library can be used again.
    let folder = Folder::new("tutorial").expect("room for a folder");
    let target = scratch("tutorial");
    fs::create_dir_all(&target).expect("room in the target folder");
    let ring = folder.join("ring");
    let (mut said, mut kinds) = (String::new(), [0; 4]);
    for (mark, body) in blocks() {
        match mark.split_once(": ").map_or(mark, |(kind, _)| kind) {
            "file" => {
                kinds[0] += 1;
                let path = ring.join(mark.split_once(": ").expect("a path").1);
                fs::write(&path, body).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            }
            "run" => {
                kinds[1] += 1;
                let at = if ring.exists() { &ring } else { &*folder };
                said = run(&root, at, body);
                if !ring.join("target").exists() {
                    symlink(&target, ring.join("target")).expect("room for a link");
                }
            }
            "said" => {
                kinds[2] += 1;
                assert!(said.contains(body.trim_end()), "{body}is not in\n{said}");
            }
            "output" => {
                kinds[3] += 1;
                let mut lines: Vec<&str> = said.lines().filter(|line| line.starts_with("PE ")).collect();
                lines.sort_unstable();
                assert_eq!(lines, body.lines().collect::<Vec<_>>(), "{said}");
            }
            other => panic!("the mark {other} is unknown"),
        }
    }
    compiles_in_the_build(&root, &ring);
    assert_eq!(kinds, [5, 9, 2, 3], "blocks that are files, are run, are said, are output");
}

/// With the other build script, nobody runs `cargo shmem-ptx`, and there is no file beside the sources.
fn compiles_in_the_build(root: &Path, ring: &Path) {
    fs::write(ring.join("kernels/build.rs"), "fn main() { cushmem_build::compile() }").expect("room for a file");
    fs::remove_dir_all(ring.join("kernels/prebuilt")).expect("cargo shmem-ptx made it");
    let said = run(root, ring, "cargo build && grep -a 'visible .entry pass_on(' target/debug/ring");
    assert!(said.contains(".entry pass_on(") && !said.contains("warning:"), "{said}");
    assert!(!ring.join("kernels/prebuilt").exists());
    // The same without the command.
    let said =
        run(root, ring, "touch kernels/src/lib.rs && PATH=$(dirname $(command -v rustc)):/usr/bin:/bin cargo build");
    assert!(said.contains("warning: ring-kernels") && said.contains("start cargo-shmem-ptx"), "{said}");
}

/// Returns what the commands print, with this build's programs in place of the installed ones.
fn run(root: &Path, at: &Path, commands: &str) -> String {
    let test = std::env::current_exe().expect("a test knows its own path");
    let bin = test.parent().and_then(Path::parent).expect("tests live in target/<profile>/deps");
    assert!(bin.join("cargo-shmem-ptx").exists(), "build it first: `cargo build --workspace --bins`");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell: Command = clean("bash");
    shell.current_dir(at).args(["-ec", commands]).env("CUSHMEM", root).env("PATH", path);
    // Everything that is needed was needed to build this test.
    let (ended, said) = run_limited(shell.env("CARGO_NET_OFFLINE", "true"), LIMIT).expect("there is a shell");
    assert!(ended.failure().is_none(), "{commands}: {ended:?}\n{said}");
    said
}
