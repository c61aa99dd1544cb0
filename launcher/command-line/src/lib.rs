//! What the command lines of all programs share: error messages on one line, output that survives a closed pipe, and
//! the manual pages and shell completions that a program prints about itself.
#![forbid(unsafe_code)]

mod replace;

use clap::error::ErrorKind;
use clap::{Arg, Command, Error, Parser};
use clap_complete::Shell;
pub use cushmem_environment::{let_pe_0_speak, printable};
pub use replace::replace;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// As the first argument, asks for one of [`KINDS`].
const GENERATE: &str = "--generate";
/// The texts that programs can print about themselves.
pub const KINDS: [&str; 4] = ["man", "bash", "zsh", "fish"];
/// Exit status for bad arguments.
const STATUS_USAGE: u8 = 2;

/// A text of several lines, which may have tabs, with all other control characters escaped.
pub fn printable_lines(text: &str) -> String {
    let parts: Vec<String> = text.split_inclusive(['\n', '\t']).map(printable_part).collect();
    parts.concat()
}

/// The end of the part is the only character that may be a tab or a line's end.
fn printable_part(part: &str) -> String {
    let text = part.strip_suffix(['\n', '\t']).unwrap_or(part);
    printable(text) + &part[text.len()..]
}

/// clap's report on one line: the error, then its tips, without the usage.
pub fn one_line(error: &Error) -> String {
    let report = error.render().to_string();
    let lines = report.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let mut text = String::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")) {
        let between = if line.starts_with("tip: ") { "; " } else { " " };
        if !text.is_empty() {
            text += between;
        }
        text += line;
    }
    printable(text.strip_prefix("error: ").unwrap_or(&text))
}

/// Reads this process's command line. The error is the exit status if there is nothing more to do: the program has
/// printed a text about itself, or has reported that the command line is wrong.
pub fn parse<A: Parser>() -> Result<A, ExitCode> {
    if let Some(status) = generate(A::command) {
        return Err(status);
    }
    let name = A::command().get_name().to_owned();
    try_parse_from(std::env::args_os()).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => told(&name, print(error.render().to_string())),
        _ => told(&name, Err(format!("{} ({name} --help explains)", one_line(&error)))),
    })
}

/// Reads a command line whose help also explains `--generate`.
pub fn try_parse_from<A: Parser>(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<A, Error> {
    let mut command = with_generate(A::command());
    let matches = command.try_get_matches_from_mut(words)?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Adds `--generate` to the description of a program, for its help, manual page and completions. [`generate`] handles
/// it before the command line is read.
pub fn with_generate(command: Command) -> Command {
    let help = "Print the manual page, or the completions for a shell; must be the only option";
    command.arg(Arg::new("generate").long("generate").value_name("KIND").value_parser(KINDS).exclusive(true).help(help))
}

/// Writes all of the text to stdout. If the reader has closed the pipe, as `head` does, it wants no more, which is not
/// an error.
pub fn print(text: impl AsRef<[u8]>) -> Result<(), String> {
    print_to(io::stdout().lock(), text.as_ref())
}

fn print_to(mut stdout: impl Write, text: &[u8]) -> Result<(), String> {
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("write to stdout: {error}")),
        _ => Ok(()),
    }
}

/// The exit status of a program that has printed about itself.
fn told(program: &str, printed: Result<(), String>) -> ExitCode {
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let_pe_0_speak();
            eprintln!("{program}: {error}");
            ExitCode::from(STATUS_USAGE)
        }
    }
}

/// Handles `PROGRAM --generate KIND`; `None` if this process has other arguments.
pub fn generate(command: impl FnOnce() -> Command) -> Option<ExitCode> {
    let kind = asked(std::env::args_os())?;
    let command = with_generate(command());
    let name = command.get_name().to_owned();
    Some(told(&name, kind.and_then(|kind| generated(command, &kind)).and_then(print)))
}

/// The kind, if the arguments ask for one.
fn asked(arguments: impl Iterator<Item = OsString>) -> Option<Result<String, String>> {
    let mut words = arguments.skip(1).map(|word| word.to_string_lossy().into_owned());
    let first = words.next()?;
    let kind = match first.strip_prefix(GENERATE)? {
        "" => words.next(),
        rest => Some(rest.strip_prefix('=')?.to_owned()),
    };
    Some(match (kind, words.next()) {
        (Some(kind), None) => Ok(kind),
        _ => Err(format!("{GENERATE} takes one argument: {}", KINDS.join(", "))),
    })
}

/// The text of this kind for a program.
fn generated(mut command: Command, kind: &str) -> Result<Vec<u8>, String> {
    let shell = match kind {
        "man" => None,
        "bash" => Some(Shell::Bash),
        "zsh" => Some(Shell::Zsh),
        "fish" => Some(Shell::Fish),
        other => return Err(format!("{GENERATE}: `{other}` is not one of {}", KINDS.join(", "))),
    };
    let mut text = vec![];
    match shell {
        Some(shell) => {
            let name = command.get_name().to_owned();
            clap_complete::generate(shell, &mut command, name, &mut text);
        }
        None => clap_mangen::Man::new(command).render(&mut text).map_err(|error| error.to_string())?,
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Command {
        let sort = Arg::new("sort").long("sort").value_name("ORDER").value_parser(["up", "down"]).help("How to sort");
        Command::new("lines").version("1.2.3").about("Sort lines").arg(sort).after_help("Examples:\n  lines --sort up")
    }

    fn complaint(line: &str) -> String {
        let words = line.split_whitespace();
        one_line(&program().try_get_matches_from(words).expect_err("a wrong line"))
    }

    /// Catches tips that run into the error message.
    #[test]
    fn a_complaint_is_one_line_in_which_tips_stand_apart() {
        assert_eq!(
            complaint("lines --sorts up"),
            "unexpected argument '--sorts' found; tip: a similar argument exists: '--sort'"
        );
        let text = complaint("lines --sort upp");
        assert!(
            text.starts_with("invalid value 'upp' for '--sort <ORDER>' [possible values: up, down]; tip: "),
            "{text}"
        );
        assert!(!text.contains('\n'), "{text}");
    }

    /// Catches an argument that reaches the terminal as it is.
    #[test]
    fn what_would_control_a_terminal_is_shown_instead() {
        for line in ["lines --sort \u{1b}[31m", "lines --\u{1b}[31m", "lines \u{1b}[31m"] {
            let text = complaint(line);
            assert!(text.contains(r"\x1b[31m") && !text.contains(char::is_control), "{text:?}");
        }
    }

    /// Catches a program that fails, or panics, because the reader of its pipe has stopped early.
    #[test]
    fn a_reader_may_leave_early_and_a_full_disk_is_an_error() {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        assert_eq!(print_to(writer, b"text"), Ok(()));
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let error = print_to(full, b"text").expect_err("there is no room");
        assert!(error.starts_with("write to stdout: No space left"), "{error}");
    }

    /// Catches options that work and that no help, manual page or completion mentions.
    #[test]
    fn texts_about_a_program_mention_the_option_that_prints_them() {
        let help = with_generate(program()).render_help().to_string();
        assert!(help.contains("--generate <KIND>") && help.contains("man, bash, zsh, fish"), "{help}");
        for kind in KINDS {
            let text = String::from_utf8(generated(with_generate(program()), kind).expect("a text")).expect("UTF-8");
            assert!(text.replace("\\-", "-").contains("generate"), "{kind}: {text}");
        }
        let late = with_generate(program()).try_get_matches_from(["lines", "--sort", "up", "--generate", "man"]);
        assert!(one_line(&late.expect_err("it is not the first")).contains("cannot be used with"));
    }

    #[test]
    fn lines_stay_and_what_would_control_a_terminal_is_shown() {
        assert_eq!(printable_lines("a\u{1b}[31m\n b\r\n"), "a\\x1b[31m\n b\\x0d\n");
        assert_eq!(printable_lines("\tif x\t{\n\n\u{7}"), "\tif x\t{\n\n\\x07", "tabs of a program's text stay");
    }

    #[test]
    fn a_program_tells_its_manual_and_completions() {
        for (kind, parts) in [
            ("man", ["lines 1.2.3", "How to sort", "Examples:"]),
            ("bash", ["complete", "lines", "--sort"]),
            ("zsh", ["#compdef lines", "up down", "How to sort"]),
            ("fish", ["complete -c lines", "sort", "How to sort"]),
        ] {
            let text =
                String::from_utf8(generated(program(), kind).expect("a text")).expect("UTF-8").replace("\\-", "-");
            for part in parts {
                assert!(text.contains(part), "{kind} lacks `{part}`: {text}");
            }
        }
        assert_eq!(generated(program(), "csh"), Err("--generate: `csh` is not one of man, bash, zsh, fish".into()));
    }

    #[test]
    fn only_the_first_argument_asks_for_it() {
        let asked = |line: &str| asked(line.split_whitespace().map(OsString::from));
        assert_eq!(asked("shmemrun --generate man"), Some(Ok("man".into())));
        assert_eq!(asked("shmemrun --generate=man"), Some(Ok("man".into())));
        assert_eq!(asked("shmemrun --generated man"), None);
        assert_eq!(asked("shmemrun -n 2 program --generate man"), None);
        assert!(asked("shmemrun --generate").is_some_and(|kind| kind.is_err()));
        assert!(asked("shmemrun --generate man bash").is_some_and(|kind| kind.is_err()));
    }
}
