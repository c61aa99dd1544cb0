//! Compiles C and C++ programs as a user would, and runs them. The programs are embedded in the tests, so that the
//! tests also run where the sources are missing.
#![forbid(unsafe_code)]

pub mod specification;

use cushmem_scratch::Folder;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use xtask::launch;
use xtask::left_out::{ran, record};
use xtask::machine::c_toolchain;
use xtask::process::run_limited;

/// shmemrun's own time limit, in seconds. A job takes a few seconds; beside programs that use all cores, eight PEs may
/// take a minute.
const LIMIT_S: u64 = 120;

/// Which library a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// libcushmem.so
    Shared,
    /// libcushmem.a
    Static,
}

/// A folder of programs with the libraries beside them, and a folder for compiled programs.
pub struct Rig {
    bin: PathBuf,
    work: Folder,
    /// Where compiled programs stay, and are found again.
    kept: Option<PathBuf>,
    /// The name of its jobs in the list of what ran.
    jobs: String,
}

/// How a job ended.
#[derive(Debug)]
pub struct Finished {
    /// `shmemrun`'s exit status, or the program's own if it ran without `shmemrun`.
    pub status: Option<i32>,
    /// The lines of both streams, sorted, because PEs print in any order.
    pub lines: Vec<String>,
}

impl Rig {
    /// Returns `None` if there is no C compiler, or no linker for the libraries; the test is then recorded as left out.
    /// Where `CUSHMEM_TEST_PROGRAMS` is set, a compiler need not be there: programs in that folder are not compiled.
    /// `test` consists of the suite's name, `::` and the test's name.
    ///
    /// # Panics
    /// If the libraries could have been linked but were not, or if there is no room for the programs.
    pub fn find(test: &str) -> Option<Rig> {
        let exe = std::env::current_exe().expect("a test knows its own path");
        let bin = exe.parent().and_then(Path::parent).expect("tests live in target/<profile>/deps").to_path_buf();
        let kept = std::env::var_os(cushmem_environment::TEST_PROGRAMS.name).map(PathBuf::from);
        if let Some(why) = missing(&bin).filter(|_| kept.is_none()) {
            assert!(!c_toolchain(), "{test}: {why}");
            record(test, &why);
            return None;
        }
        // The space catches words of shells that are not quoted, here and in the tools.
        let work = Folder::new(&test.replacen("::", " ", 1).replace("::", "-")).expect("a folder for the programs");
        let suite = test.split("::").next().unwrap_or(test);
        Some(Rig { bin, work, kept, jobs: format!("C programs of {suite}") })
    }

    /// Returns the path of one of the project's programs.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// Returns the path of a file that programs may make. It lives as long as the rig.
    pub fn path(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// Writes a file that lives as long as the rig.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the file can be written");
        path
    }

    /// Compiles a program, unless an earlier run has kept it. `file` ends in `.c` or `.cpp`, which selects the
    /// language.
    ///
    /// # Panics
    /// If it does not compile, or only with a warning.
    pub fn compile(&self, file: &str, source: &str, library: Library, options: &[&str]) -> PathBuf {
        let name = format!("{file}-{library:?}{}", options.concat().replace('/', "_"));
        let program = self.kept.as_deref().unwrap_or(&self.work).join(name);
        if self.kept.is_some() && program.exists() {
            return program;
        }
        let path = self.file(file, source);
        let wrapper = if file.ends_with(".cpp") { "shmemcxx" } else { "shmemcc" };
        let mut compile = Command::new(self.tool(wrapper));
        compile.args(["-Wall", "-Wextra", "-Werror", "-pedantic"]).args(options).arg(&path).arg("-o").arg(&program);
        if library == Library::Static {
            compile.arg("-cushmem-static");
        }
        let (ended, said) = run_limited(&mut compile, Duration::from_secs(60)).expect("the compiler starts");
        assert!(ended.failure().is_none(), "{file} {options:?}: {ended:?}\n{said}");
        program
    }

    /// Runs a program on `n` PEs.
    ///
    /// # Panics
    /// If it takes too long.
    pub fn run(&self, program: &Path, n: u32, arguments: &[&str], variables: &[(&str, &str)]) -> Finished {
        self.finish_job(launch::shmemrun(&self.tool("shmemrun"), n), program, arguments, variables)
    }

    /// Runs a program on `n` PEs on a given number of nodes, whatever the test run asks for. PEs with neighbouring
    /// numbers share a node.
    ///
    /// # Panics
    /// If it takes too long.
    pub fn run_on_nodes(
        &self,
        nodes: u32,
        program: &Path,
        n: u32,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Finished {
        self.finish_job(launch::on_nodes(&self.tool("shmemrun"), n, nodes), program, arguments, variables)
    }

    fn finish_job(&self, mut job: Command, program: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Finished {
        job.args(["--timeout", &LIMIT_S.to_string()]);
        // PEs on other hosts get the library's own variables and those that are named.
        for (name, value) in variables.iter().filter(|(name, _)| !name.contains("SHMEM_")) {
            job.arg("-x").arg(format!("{name}={value}"));
        }
        let finished = Self::finish(job.arg(program).args(arguments).envs(variables.iter().copied()));
        if finished.status == Some(0) {
            ran(&self.jobs);
        }
        finished
    }

    /// Runs any command.
    ///
    /// # Panics
    /// If it takes too long.
    pub fn finish(command: &mut Command) -> Finished {
        let output = command.stdin(Stdio::null()).output().expect("it starts");
        let text = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).concat();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.extend(output.status.signal().map(|signal| format!("signal {signal} ended {command:?}")));
        lines.sort();
        Finished { status: output.status.code(), lines }
    }
}

/// Returns what C programs need but is missing here, if anything.
fn missing(bin: &Path) -> Option<String> {
    let files = ["c/lib/libcushmem.so", "shmemcc", "shmemcxx", "shmemrun"];
    if let Some(file) = files.iter().find(|file| !bin.join(file).exists()) {
        return Some(format!("{file} is not here: `cargo xtask library` links the libraries"));
    }
    let answers = |wrapper| {
        let answer = Command::new(bin.join(wrapper)).arg("--version").stdout(Stdio::null()).status();
        answer.is_ok_and(|s| s.success())
    };
    let wrappers = [("shmemcc", "C"), ("shmemcxx", "C++")];
    let (_, language) = wrappers.iter().find(|(wrapper, _)| !answers(wrapper))?;
    Some(format!("no {language} compiler here"))
}
