//! `shmemcc` and `shmemcxx`: call the compiler with the user's arguments and with those that find the library.
//!
//! Header and library are found relative to this program: in `../include` and `../lib` of an installation, or in
//! `c/include` and `c/lib` of the folder in which cargo built it.

use cushmem_command_line::{print, with_generate};
use cushmem_environment::Variable;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Prints the command instead of running it.
const SHOW: &str = "-show";
/// Links libcushmem.a instead of libcushmem.so.
const STATIC: &str = "-cushmem-static";
/// Leaves the program's globals in private memory.
const PRIVATE: &str = "-cushmem-private-globals";
/// Hands the next word to the linker. `-Wl,` does the same, but nvcc does not know it.
const TO_LINKER: &str = "-Xlinker";
/// Prints this program's version. `--version` is left to the compiler, because build systems recognize it by the
/// answer.
const VERSION: &str = "-cushmem-version";
/// This symbol permits the library to map the program's globals onto shared memory.
const MARK: &str = "--defsym=cushmem_symmetric_globals=1";
/// With one of these, the program has no shared libraries at all.
const FULLY_STATIC: [&str; 2] = ["-static", "-static-pie"];
/// With one of these, the result is not an executable.
const NO_PROGRAM: [&str; 2] = ["-shared", "-r"];
/// System libraries that the static library needs in addition to the compiler's own.
const SYSTEM: [&str; 5] = ["-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
/// With one of these, the compiler does not link.
const NO_LINK: [&str; 6] = ["-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"];
/// Exit status for bad arguments, or if the compiler does not start.
const STATUS_USAGE: u8 = 2;

/// Replaces this program by the compiler.
pub fn main(program: &'static str, language: &str, variable: &Variable) -> ExitCode {
    if let Some(status) = cushmem_command_line::generate(|| description(program, language, variable)) {
        return status;
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.is_empty() || arguments == ["--help"] {
        let printed = print(with_generate(description(program, language, variable)).render_help().to_string());
        return if arguments.is_empty() { ExitCode::from(STATUS_USAGE) } else { exit_code(program, printed) };
    }
    if arguments == [VERSION] {
        return exit_code(program, print(description(program, language, variable).render_version()));
    }
    exit_code(program, compile(&arguments, variable))
}

fn exit_code(program: &str, result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{program}: {}", cushmem_command_line::printable(&why));
            ExitCode::from(STATUS_USAGE)
        }
    }
}

/// Returns only if the command was to be shown, or if the compiler does not start.
fn compile(arguments: &[OsString], variable: &Variable) -> Result<(), String> {
    let (include, lib) = folders(&std::env::current_exe().map_err(|error| error.to_string())?)?;
    let words = command(&compiler(variable), arguments, &include, &lib);
    if arguments.iter().any(|a| a == SHOW) {
        return print(words.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(" ") + "\n");
    }
    let error = Command::new(&words[0]).args(&words[1..]).exec();
    Err(format!("start {}: {error} ({} names the compiler)", words[0].display(), variable.name))
}

/// For display only: the arguments belong to the compiler, so this description parses nothing.
fn description(program: &'static str, language: &str, variable: &Variable) -> clap::Command {
    clap::Command::new(program)
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!("Compile and link a {language} program that uses cushmem"))
        .arg(
            clap::Arg::new("argument")
                .num_args(0..)
                .value_name("ARGUMENT")
                .help("An argument of the compiler, or one of the options below"),
        )
        .after_help(format!(
            "Options:\n  \
             {SHOW:24} Print the command instead of running it\n  \
             {STATIC:24} Link libcushmem.a instead of libcushmem.so\n  \
             {PRIVATE:24} Keep the program's globals in private memory\n  \
             {VERSION:24} Print the version of cushmem; --version asks the compiler for its own\n\n\
             {} names the compiler (default: {}).",
            variable.name,
            variable.default_value().unwrap_or("")
        ))
        .disable_help_flag(true)
        .disable_version_flag(true)
}

fn compiler(variable: &Variable) -> String {
    let given = variable.value().filter(|v| !v.trim().is_empty());
    given.unwrap_or_else(|| variable.default_value().unwrap_or("cc").to_owned())
}

/// The folders that contain the header and the library.
fn folders(exe: &Path) -> Result<(PathBuf, PathBuf), String> {
    let bin = exe.parent().ok_or("the path of this program contains no folder")?;
    let candidates = [bin.join("c"), bin.parent().unwrap_or(bin).to_path_buf()];
    let has_all = |p: &&PathBuf| p.join("include/shmem.h").exists() && p.join("lib/libcushmem.so").exists();
    match candidates.iter().find(has_all) {
        Some(prefix) => Ok((prefix.join("include"), prefix.join("lib"))),
        None => {
            let looked = candidates.each_ref().map(|p| p.display().to_string()).join(" and ");
            Err(format!(
                "found no include/shmem.h and lib/libcushmem.so in {looked}; `cargo xtask library` builds them"
            ))
        }
    }
}

fn command(compiler: &str, arguments: &[OsString], include: &Path, lib: &Path) -> Vec<OsString> {
    let with = |prefix: &str, path: &Path| {
        let mut word = OsString::from(prefix);
        word.push(path);
        word
    };
    let mut words: Vec<OsString> = compiler.split_whitespace().map(OsString::from).collect();
    words.push(with("-I", include));
    words.extend(arguments.iter().filter(|a| ![SHOW, STATIC, PRIVATE].iter().any(|own| a == own)).cloned());
    let has = |options: &[&str]| arguments.iter().any(|a| options.iter().any(|option| a == option));
    if has(&NO_LINK) {
        return words;
    }
    if !has(&NO_PROGRAM) && !has(&[PRIVATE]) {
        words.extend([TO_LINKER.into(), MARK.into()]);
    }
    if has(&[STATIC]) || has(&FULLY_STATIC) {
        words.push(lib.join("libcushmem.a").into());
        words.extend(SYSTEM.map(OsString::from));
    } else {
        words.extend([TO_LINKER.into(), "-rpath".into(), TO_LINKER.into(), lib.into()]);
        words.extend([with("-L", lib), "-lcushmem".into()]);
    }
    words
}

/// The word as one would write it in a shell.
fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
