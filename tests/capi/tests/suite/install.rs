//! An installation: build systems find the library in it, its programs run from there, and it can be removed.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use xtask::deb::{PREFIX, pack};
use xtask::install::{UninstallOptions, lay_out, uninstall};
use xtask::left_out::record;
use xtask::library::write_texts;
use xtask::machine::on_path;

/// Atomic operations on globals work only if the globals are in shared memory.
const GLOBAL: &str = include_str!("global.c");
const INPUT: &str = include_str!("input.c");
const PLUGIN: &str = include_str!("plugin.c");

/// An installation of the build that the tests belong to.
struct Installed {
    rig: Rig,
    prefix: PathBuf,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Prepares a place where nothing is installed yet.
fn empty(test: &str) -> Option<Installed> {
    if !root().join("README.md").exists() {
        record(&format!("install::{test}"), "the sources are not here");
        return None;
    }
    let rig = Rig::find(&format!("capi::{test}"))?;
    let prefix = rig.file("there", "").with_file_name("installed");
    Some(Installed { rig, prefix })
}

fn installed(test: &str, compat: bool) -> Option<Installed> {
    let there = empty(test)?;
    there.renew(compat).expect("an installation");
    Some(there)
}

impl Installed {
    /// Installs there again.
    fn renew(&self, compat: bool) -> Result<(), String> {
        self.lay_out(&root(), compat)
    }

    fn lay_out(&self, root: &Path, compat: bool) -> Result<(), String> {
        lay_out(root, &self.rig.tool(""), &self.prefix, compat).map_err(|e| format!("{e:#}"))
    }

    fn uninstall(&self) -> Result<(), String> {
        uninstall(&UninstallOptions { prefix: self.prefix.clone() }).map_err(|e| format!("{e:#}"))
    }

    fn tool(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// Runs the program `global.c`, which has been compiled, on two PEs.
    fn runs(&self, program: &Path) {
        let mut job = Command::new(self.tool("shmemrun"));
        let job = Rig::finish(job.args(["-n", "2", "--timeout", "60"]).arg(program).env("CUSHMEM_GPU", "none"));
        assert_eq!((job.status, job.lines), (Some(0), vec!["PE 0: 2".to_owned(), "PE 1: 1".to_owned()]));
    }

    /// Compiles with the options that `pkg-config` prints. If a library also exists as an archive, the linker takes the
    /// shared one unless it is told otherwise.
    fn by_pkg_config(&self, library: Library, options: &[&str], source: &Path, output: &Path) {
        let flags = match library {
            Library::Shared => "pkg-config --cflags --libs cushmem",
            Library::Static => {
                "pkg-config --static --cflags --libs cushmem | sed 's/-lcushmem/-Wl,-Bstatic & -Wl,-Bdynamic/'"
            }
        };
        let script = format!("flags=$({flags}) && eval cc '\"$@\"' \"$flags\"");
        let mut compile = Command::new("sh");
        compile.env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig")).args(["-c", &script, "sh"]);
        succeeds(compile.args(options).arg(source).arg("-o").arg(output));
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        let mut folders = vec![self.prefix.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|t| t.is_dir()) {
                    folders.push(path);
                } else {
                    files.insert(path.strip_prefix(&self.prefix).expect("it is below").to_path_buf());
                }
            }
        }
        files
    }
}

fn succeeds(command: &mut Command) -> Finished {
    let done = Rig::finish(command);
    assert_eq!(done.status, Some(0), "{command:?}: {done:#?}");
    done
}

/// Catches options that `shmemcc` adds and `pkg-config` does not print.
#[test]
fn pkg_config_tells_all_that_shmemcc_adds() {
    let Some(there) = installed("pkg_config_tells_all_that_shmemcc_adds", false) else { return };
    if !on_path("pkg-config") {
        record("install::pkg-config", "no pkg-config here");
        return;
    }
    let source = there.rig.file("global.c", GLOBAL);
    for library in [Library::Shared, Library::Static] {
        let program = source.with_extension(format!("{library:?}"));
        there.by_pkg_config(library, &[], &source, &program);
        there.runs(&program);
        let needed = succeeds(Command::new("readelf").arg("-d").arg(&program));
        let needs_it = needed.lines.iter().any(|l| l.contains("libcushmem"));
        assert_eq!(needs_it, library == Library::Shared, "{needed:#?}");
    }
}

/// Catches a shared library that is linked with the flags of executables, which move the globals of a program that
/// opens it.
#[test]
fn shared_libraries_leave_globals_of_programs_alone() {
    let Some(there) = installed("shared_libraries_leave_globals_of_programs_alone", false) else { return };
    if !on_path("pkg-config") {
        record("install::pkg-config", "no pkg-config here");
        return;
    }
    let source = there.rig.file("plugin.c", PLUGIN);
    let program = source.with_extension("program");
    succeeds(Command::new("cc").arg(&source).arg("-o").arg(&program).arg("-ldl"));
    for from in [Library::Shared, Library::Static] {
        let library = source.with_extension(format!("{from:?}.so"));
        there.by_pkg_config(from, &["-DPLUGIN", "-shared", "-fPIC"], &source, &library);
        for scope in [None, Some("global")] {
            let mut job = Command::new(there.tool("shmemrun"));
            job.args(["-n", "2", "--timeout", "60"]).arg(&program).arg(&library).args(scope);
            let job = succeeds(job.env("CUSHMEM_GPU", "none"));
            assert_eq!(job.lines, ["PE 0: private, 7", "PE 1: private, 7"], "{from:?} {scope:?}");
        }
    }
}

/// Catches a package that CMake does not find, whose target lacks an option, or that accepts the wrong version.
#[test]
fn cmake_finds_the_package() {
    let Some(there) = installed("cmake_finds_the_package", false) else { return };
    if !on_path("cmake") {
        record("install::cmake", "no cmake here");
        return;
    }
    there.rig.file("global.c", GLOBAL);
    there.rig.file("global.cpp", GLOBAL);
    there.rig.file("part.c", "#include <shmem.h>\nint pes(void);\nint pes(void) { return shmem_n_pes(); }\n");
    let lists = there.rig.file("CMakeLists.txt", include_str!("CMakeLists.txt"));
    let (folder, build) = (lists.parent().expect("a folder"), lists.with_file_name("build"));
    let configure = |version: &str| {
        let mut cmake = Command::new("cmake");
        cmake.arg("-S").arg(folder).arg("-B").arg(&build).arg(format!("-DVERSION={version}"));
        Rig::finish(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", there.prefix.display())))
    };
    for wrong in ["9.1", "0.99"] {
        let refused = configure(wrong);
        assert!(refused.status != Some(0) && refused.lines.iter().any(|l| l.contains("cushmem")), "{refused:#?}");
    }
    let version = env!("CARGO_PKG_VERSION");
    for right in [version, version.rsplit_once('.').expect("three numbers").0] {
        let done = configure(right);
        assert_eq!(done.status, Some(0), "{done:#?}");
    }
    succeeds(Command::new("cmake").arg("--build").arg(&build));
    for program in ["in_c", "in_cxx", "in_c_static"] {
        there.runs(&build.join(program));
    }
    // Only executables are marked.
    let nm = succeeds(Command::new("nm").arg("-D").arg(build.join("libpart.so")));
    assert!(nm.lines.iter().all(|l| !l.contains("cushmem_symmetric_globals")), "{nm:#?}");
}

/// Catches an installed program that, away from where it was built, does not find its library or lacks one of its names
/// from other libraries.
#[test]
fn the_names_of_other_libraries_lead_to_the_programs() {
    let Some(there) = installed("the_names_of_other_libraries_lead_to_the_programs", true) else { return };
    let source = there.rig.file("global.c", GLOBAL);
    let cpp = there.rig.file("global.cpp", GLOBAL);
    for (compiler, source) in [("oshcc", &source), ("oshc++", &cpp)] {
        let program = source.with_extension(compiler);
        succeeds(Command::new(there.tool(compiler)).arg(source).arg("-o").arg(&program));
        there.runs(&program);
        let mut job = Command::new(there.tool("oshrun"));
        succeeds(job.args(["-n", "2", "--timeout", "60"]).arg(&program).env("CUSHMEM_GPU", "none"));
    }
}

/// Catches a file that is left behind, a file of somebody else that is removed, and an installation that cannot be
/// renewed while a job runs.
#[test]
fn an_installation_is_renewed_and_removed() {
    let Some(there) = installed("an_installation_is_renewed_and_removed", true) else { return };
    let before = there.files();
    for expected in [
        "bin/shmem-info",
        "bin/oshrun",
        "lib/libcushmem.so",
        "share/doc/cushmem/LICENSE-MIT",
        "share/doc/cushmem/docs/environment.md",
        "share/man/man1/shmemcc.1",
    ] {
        assert!(before.contains(Path::new(expected)), "no {expected} in {before:#?}");
    }
    // A job that continues when its standard input ends.
    let source = there.rig.file("input.c", INPUT);
    let program = source.with_extension("program");
    succeeds(Command::new(there.tool("shmemcc")).arg(&source).arg("-o").arg(&program));
    let mut job = Command::new(there.tool("shmemrun"));
    job.args(["-n", "2", "--timeout", "60"]).arg(&program).env("CUSHMEM_GPU", "none");
    let mut job = job.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("shmemrun starts");
    let mut lines = BufReader::new(job.stdout.take().expect("a pipe")).lines().map(|l| l.expect("text"));
    assert_eq!(lines.next().as_deref(), Some("joined"));
    there.renew(false).expect("an installation over the other");
    drop(job.stdin.take());
    assert_eq!(lines.collect::<Vec<_>>(), ["left"]);
    assert!(job.wait().expect("a child").success());
    let after: BTreeSet<PathBuf> =
        before.iter().filter(|p| !p.to_string_lossy().contains("bin/osh")).cloned().collect();
    assert_eq!(there.files(), after);
    let foreign = Path::new("lib/of-somebody-else.so");
    fs::write(there.prefix.join(foreign), "").expect("room for a file");
    there.uninstall().expect("it is removed");
    assert_eq!(there.files(), BTreeSet::from([foreign.to_path_buf()]));
    assert!(!there.prefix.join("bin").exists());
    let again = there.uninstall().expect_err("nothing is there");
    assert!(again.contains("nothing is installed there"), "{again}");
}

/// Catches an installation that overwrites a file of another package, and whose removal then deletes that file.
#[test]
fn files_of_others_stay() {
    let Some(there) = empty("files_of_others_stay") else { return };
    for (foreign, compat) in [("include/shmem.h", false), ("bin/oshcc", true)] {
        let path = there.prefix.join(foreign);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room for a folder");
        // A link that leads nowhere, but belongs to somebody.
        std::os::unix::fs::symlink("another", &path).expect("room for a link");
        let refused = there.renew(compat).expect_err("the file is not ours");
        assert!(refused.starts_with(&format!("{}: ", path.display())), "{refused}");
        assert_eq!(there.files(), BTreeSet::from([foreign.into()]));
        fs::remove_file(&path).expect("it is there");
        there.renew(compat).expect("an installation");
        there.uninstall().expect("it is removed");
    }
}

/// Catches folders that are removed although they existed before, or stay although they did not.
#[test]
fn folders_that_were_there_stay() {
    let Some(there) = installed("folders_that_were_there_stay", true) else { return };
    there.renew(false).expect("an installation over the other");
    there.uninstall().expect("it is removed");
    assert!(!there.prefix.exists());
    let folder = there.prefix.join("share/man");
    fs::create_dir_all(&folder).expect("room for folders");
    there.renew(false).expect("an installation");
    there.uninstall().expect("it is removed");
    assert!(folder.exists());
    let left = |folder: &str| fs::read_dir(there.prefix.join(folder)).expect("it stays").count();
    assert_eq!((left(""), left("share"), left("share/man")), (1, 1, 0));
}

/// Catches files that no list names if the installation fails halfway.
#[test]
fn half_an_installation_can_be_removed() {
    let Some(there) = empty("half_an_installation_can_be_removed") else { return };
    // Documents are installed late; there are none here.
    let root = there.prefix.with_file_name("nothing");
    fs::create_dir_all(root.join("docs")).expect("room for a folder");
    there.lay_out(&root, false).expect_err("documents are missing");
    assert!(there.tool("shmemrun").exists());
    // As if an earlier installation had been killed.
    fs::write(there.tool(".shmemrun.new"), "").expect("room for a file");
    there.uninstall().expect("it is removed");
    assert!(!there.prefix.exists());
    // A file that cannot be given its name.
    there.renew(false).expect("an installation");
    let before = there.files();
    let document = there.prefix.join("share/doc/cushmem/README.md");
    fs::remove_file(&document).expect("it is there");
    fs::create_dir(&document).expect("room for a folder");
    there.renew(false).expect_err("a folder has the name");
    fs::remove_dir(&document).expect("it is empty");
    there.renew(false).expect("an installation");
    assert_eq!(there.files(), before);
}

/// Catches files that only their owner may read because the user's own files are like that, and a package that Debian's
/// tool then refuses to build.
#[test]
fn all_may_read_an_installation() {
    const TEST: &str = "all_may_read_an_installation";
    let Some(there) = empty(TEST) else { return };
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    if !status.lines().any(|l| l == "Umask:\t0077") {
        // The mask belongs to the process, so this test runs again in a process of its own.
        let mut alone = Command::new("sh");
        let test = std::env::current_exe().expect("a test knows its own path");
        succeeds(alone.args(["-c", "umask 077; exec \"$0\" --exact \"$1\""]).arg(test).arg(format!("install::{TEST}")));
        return;
    }
    there.renew(true).expect("an installation");
    let find = |test: &[&str]| succeeds(Command::new("find").arg(&there.prefix).args(test)).lines;
    assert_eq!(find(&["-type", "d", "-not", "-perm", "755"]), [""; 0]);
    assert_eq!(find(&["-type", "f", "-not", "-perm", "755", "-not", "-perm", "644"]), [""; 0]);
    assert_eq!(find(&["-path", "*/bin/*", "-type", "f", "-not", "-perm", "755"]), [""; 0]);
    if on_path("dpkg-deb") {
        let [work, out] = ["work", "out"].map(|name| there.prefix.with_file_name(name));
        pack(&root(), &there.rig.tool(""), &work, &out).expect("a package");
    }
}

/// Catches an installed program that does not print its version or is incomplete, and one whose manual is empty.
#[test]
fn programs_say_their_version_and_have_manuals() {
    let Some(there) = installed("programs_say_their_version_and_have_manuals", false) else { return };
    let version = env!("CARGO_PKG_VERSION");
    for (program, option) in [
        ("shmemrun", "--version"),
        ("shmem-info", "--version"),
        ("shmem-tune", "--version"),
        ("shmem-advise", "--version"),
        ("shmem-bench", "--version"),
        ("cargo-shmem-ptx", "--version"),
        ("stencil2d", "--version"),
        ("jacobi", "--version"),
        ("lbm", "--version"),
        ("shmemcc", "-cushmem-version"),
        ("shmemcxx", "-cushmem-version"),
    ] {
        let said = succeeds(Command::new(there.tool(program)).arg(option));
        assert_eq!(said.lines, [format!("{program} {version}")]);
        let manual = fs::read_to_string(there.prefix.join(format!("share/man/man1/{program}.1"))).expect("a manual");
        assert!(manual.contains(".SH NAME") && manual.contains(version), "{program}: {manual}");
    }
    let completions = there.prefix.join("share/bash-completion/completions/shmemrun");
    let script = ". \"$1\"; COMP_WORDS=(shmemrun --ti); COMP_CWORD=1; _shmemrun shmemrun --ti shmemrun; echo \"${COMPREPLY[@]}\"";
    let completed = succeeds(Command::new("bash").args(["-c", script, "bash"]).arg(&completions));
    assert_eq!(completed.lines, ["--timeout"]);
}

/// Catches a package that Debian's tools refuse, or whose programs do not run from its place.
#[test]
fn a_debian_package_has_all_of_it() {
    let Some(mut there) = installed("a_debian_package_has_all_of_it", false) else { return };
    if !on_path("dpkg-deb") {
        record("install::deb", "no dpkg-deb here");
        return;
    }
    let expected = there.files();
    let folder = there.prefix.with_file_name("unpacked");
    let work = there.prefix.with_file_name("work");
    let package = pack(&root(), &there.rig.tool(""), &work, &there.prefix.with_file_name("out")).expect("a package");
    let fields = succeeds(Command::new("dpkg-deb").arg("--field").arg(&package).args(["Package", "Version"]));
    assert_eq!(fields.lines, ["Package: cushmem".to_owned(), format!("Version: {}", env!("CARGO_PKG_VERSION"))]);
    succeeds(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(&folder));
    there.prefix = folder.join(PREFIX);
    assert_eq!(there.files(), expected);
    let source = there.rig.file("global.c", GLOBAL);
    let program = source.with_extension("deb");
    succeeds(Command::new(there.tool("shmemcc")).arg(&source).arg("-o").arg(&program));
    there.runs(&program);
}

/// Catches a header of an earlier version that stays in the build tree, from where it would be installed.
#[test]
fn the_build_tree_has_no_files_of_earlier_versions() {
    let Some(there) = empty("the_build_tree_has_no_files_of_earlier_versions") else { return };
    write_texts(&there.prefix).expect("room for files");
    let expected = there.files();
    assert!(expected.contains(Path::new("include/shmem.h")), "{expected:#?}");
    for file in ["include/old.h", "lib/pkgconfig/old.pc", "lib/cmake/old/old-config.cmake"] {
        let path = there.prefix.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room for a folder");
        fs::write(path, "").expect("room for a file");
    }
    write_texts(&there.prefix).expect("room for files");
    assert_eq!(there.files(), expected);
}

/// Catches a library in which profilers find no names.
#[test]
fn profilers_find_the_names_of_functions() {
    let Some(there) = installed("profilers_find_the_names_of_functions", false) else { return };
    for (file, name) in [("lib/libcushmem.so.0", "cushmem::transfer"), ("bin/shmemrun", "shmemrun::supervisor")] {
        let nm = succeeds(Command::new("nm").arg("-C").arg(there.prefix.join(file)));
        assert!(nm.lines.iter().any(|l| l.contains(name)), "{file} has no function of {name}");
    }
}
