//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, Parser};
use cushmem_command_line::one_line;

use crate::help::AFTER_HELP;
use crate::host_list::{self, Host};
use crate::map::Map;

const USAGE: &str =
    "shmemrun [OPTIONS] -n <N> <PROGRAM [ARGS]>... [: -n <N> <PROGRAM [ARGS]>...]...\n       shmemrun --status [JOB]";

/// The most PEs of a job, for clap.
const MAX_PES: i64 = cushmem_environment::MAX_PES as i64;
const TIMEOUT_RANGE_S: std::ops::RangeInclusive<f64> = 0.1..=31_536_000.0;

/// Start programs as the PEs of an OpenSHMEM job, on this machine or on several hosts, supervise them, and clean up
/// after them.
#[derive(Debug, Parser)]
#[command(name = "shmemrun", bin_name = "shmemrun", version, override_usage = USAGE, after_help = AFTER_HELP, max_term_width = 110)]
struct First {
    #[command(flatten)]
    part: Part,
    #[command(flatten)]
    options: Options,

    /// Show what the PEs of a job are waiting for, by the process of its shmemrun or the start of its identifier;
    /// without JOB, list your jobs. Must be the only option
    #[arg(long, value_name = "JOB", num_args = 0..=1, exclusive = true)]
    status: Option<Option<String>>,
}

/// A part that follows a colon.
#[derive(Debug, Parser)]
#[command(name = "shmemrun", disable_help_flag = true)]
struct Later {
    #[command(flatten)]
    part: Part,
}

/// A program and the PEs that run it.
#[derive(Debug, clap::Args)]
pub struct Part {
    /// Number of PEs; 1 to 65536 in all
    #[arg(short, visible_alias = "np", allow_negative_numbers = true, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=MAX_PES))]
    n: Option<u32>,

    /// Number of PEs on each host; without --hosts the same as -n
    #[arg(short = 'N', allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_PES))]
    per_machine: Option<u32>,

    /// Set an environment variable of the program; without a value, pass on that of shmemrun
    #[arg(short = 'x', value_name = "VAR[=VALUE]", value_parser = parse_variable)]
    variables: Vec<Variable>,

    /// Start the program in this folder
    #[arg(long, value_name = "FOLDER", value_parser = parse_folder)]
    pub wdir: Option<PathBuf>,

    /// The program, then its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM [ARGS]")]
    pub command: Vec<OsString>,
}

/// Options that concern the whole job, given in its first part.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// End the job after this many seconds, with exit status 124
    #[arg(long, allow_negative_numbers = true, value_name = "S", value_parser = parse_timeout)]
    pub timeout: Option<Duration>,

    /// Bind each PE to its own cores (core), or let the operating system choose (none)
    #[arg(long, value_name = "WHAT", default_value = "core", hide_default_value = true)]
    pub bind_to: BindTo,

    /// Share the cores with other programs: PEs are not bound, and what waits gives way early. This is the default if
    /// there are more PEs than hardware threads
    #[arg(long)]
    pub oversubscribe: bool,

    /// Assign PEs to the places of this machine in this order: block, cyclic or random:SEED
    #[arg(long, value_name = "ORDER", default_value = "block", hide_default_value = true)]
    pub map: Map,

    /// Divide the PEs into this many virtual nodes, which share no memory; 1 to the number of PEs
    #[arg(long, allow_negative_numbers = true, value_name = "K", default_value = "1", hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(1..=MAX_PES))]
    pub nodes: u32,

    /// Run the PEs on these hosts: names or addresses, each with the number of its PEs
    #[arg(long, value_name = "HOST[:N],...", conflicts_with = "hostfile")]
    hosts: Option<String>,

    /// Like --hosts, with a host in each line of a file
    #[arg(long, value_name = "FILE")]
    hostfile: Option<PathBuf>,

    /// Where shmemrun is on the other hosts, if it is not where this one is
    #[arg(long, value_name = "FILE")]
    pub remote_path: Option<PathBuf>,

    /// Connect to at most this many hosts from here, and from each host. With more hosts, the first ones start the
    /// others, by ssh from host to host; 1 to 65536, usually 32
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value = "32", hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(1..=MAX_PES))]
    pub fan_out: u32,

    /// PE 0 prints on stderr, when it leaves, what it did, by which paths, and why; with `all`, which path each
    /// operation would take, what it costs, and why no other is taken
    #[arg(long, value_name = "all", num_args = 0..=1, require_equals = true, value_parser = ["all"])]
    pub explain: Option<Option<String>>,

    /// Print, at the end of the job, what its PEs did: operations by path, and waits by cause. With a file, write it as
    /// JSON instead
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub stats: Option<Option<PathBuf>>,

    /// Write a timeline of the operations and waits of all PEs, for ui.perfetto.dev or chrome://tracing, compressed if
    /// the name ends with .gz
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Start each line of output with the number of the PE that wrote it: `[3] …`
    #[arg(long)]
    pub tag: bool,

    /// Run the program of all PEs, or of one, under another command: `--wrap 'valgrind -q'`
    #[arg(long = "wrap", value_name = "[PE:]COMMAND")]
    wraps: Vec<Wrap>,

    /// Start this PE in gdb, which gets the terminal
    #[arg(long, value_name = "PE")]
    pub gdb: Option<u32>,
}

/// The command line.
#[derive(Debug)]
pub struct Args {
    /// The programs, in the order of their PEs; at least one.
    pub parts: Vec<Part>,
    /// The options that concern the whole job.
    pub options: Options,
    /// The hosts, each with its PEs; none if the job is on this machine alone.
    pub hosts: Vec<Host>,
    /// Which part of the job this launcher runs, if another one has started it.
    pub part: Option<host_list::Part>,
}

/// What each PE is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindTo {
    /// Cores of its own.
    Core,
    /// Nothing.
    None,
}

impl FromStr for BindTo {
    type Err = String;

    fn from_str(text: &str) -> Result<BindTo, String> {
        match text {
            "core" => Ok(BindTo::Core),
            "none" => Ok(BindTo::None),
            _ => Err("not one of core, none".into()),
        }
    }
}

/// A variable, with its value if the command line gives one.
type Variable = (String, Option<String>);

/// A command that starts a PE's program.
#[derive(Debug, Clone)]
struct Wrap {
    /// The PE that it applies to; `None` for all PEs.
    pe: Option<u32>,
    words: Vec<String>,
}

impl FromStr for Wrap {
    type Err = String;

    fn from_str(text: &str) -> Result<Wrap, String> {
        let numbered = text.split_once(':').and_then(|(pe, command)| Some((pe.parse().ok()?, command)));
        let (pe, command) = numbered.map_or((None, text), |(pe, command)| (Some(pe), command));
        let words: Vec<String> = command.split_whitespace().map(str::to_string).collect();
        if words.is_empty() { Err("there is no command".into()) } else { Ok(Wrap { pe, words }) }
    }
}

impl Part {
    fn n_pes(&self) -> u32 {
        self.n.or(self.per_machine).unwrap_or(0)
    }

    /// The folder in which the program starts.
    pub fn folder(&self) -> &Path {
        self.wdir.as_deref().unwrap_or(Path::new("."))
    }

    /// The variables for which the command line gives a value, each with that value.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)))
    }

    /// The value that the program will see in the variable, unless the launcher sets it.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        let given = self.environment().filter(|(given, _)| *given == name).last();
        given.map_or_else(|| std::env::var_os(name), |(_, value)| Some(value.into()))
    }
}

impl Args {
    /// The number of PEs of the job.
    pub fn n_pes(&self) -> u32 {
        self.parts.iter().map(Part::n_pes).sum()
    }

    /// The part that the PE runs: the parts follow each other in the order of their PEs.
    pub fn part_of(&self, pe: u32) -> &Part {
        let mut end = 0;
        let is_it = |part: &&Part| {
            end += part.n_pes();
            pe < end
        };
        self.parts.iter().find(is_it).expect("the PE is one of this job")
    }

    /// The words to put before the PE's program.
    pub fn wrapper_of(&self, pe: u32) -> impl Iterator<Item = &str> {
        let wraps = self.options.wraps.iter().filter(move |wrap| wrap.pe.is_none_or(|wrapped| wrapped == pe));
        let gdb: &[&str] = if self.options.gdb == Some(pe) { &["gdb", "--args"] } else { &[] };
        wraps.flat_map(|wrap| &wrap.words).map(String::as_str).chain(gdb.iter().copied())
    }

    /// Variables that are to be passed on.
    pub fn passed_on_variables(&self) -> impl Iterator<Item = &str> {
        let variables = self.parts.iter().flat_map(|part| &part.variables);
        variables.filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str())
    }

    /// Variables that were to be passed on but are not set.
    pub fn unset_variables(&self) -> impl Iterator<Item = &str> {
        self.passed_on_variables().filter(|name| std::env::var_os(name).is_none())
    }

    /// Finds out how many PEs each program and each host has.
    fn place(&mut self) -> Result<(), String> {
        let mut hosts = match (&self.part, &self.options.hosts, &self.options.hostfile) {
            (Some(part), ..) => part.hosts.clone(),
            (None, Some(list), _) => host_list::parse(list).map_err(|why| format!("--hosts: {why}"))?,
            (None, None, Some(file)) => host_list::read(file)?,
            (None, None, None) => vec![],
        };
        let per_host = self.parts[0].per_machine.filter(|_| !hosts.is_empty());
        if let (Some(per_host), None) = (per_host, &self.part) {
            if self.parts.len() > 1 {
                return Err("-N with --hosts is for one program; use -n for each".into());
            }
            if let Some(small) = hosts.iter().find(|host| host.pes < per_host) {
                return Err(format!("-N {per_host}: host {} has room for {} PEs", small.name, small.pes));
            }
            hosts.iter_mut().for_each(|host| host.pes = per_host);
        }
        if let ([only], false) = (&mut self.parts[..], hosts.is_empty())
            && only.n.is_none()
        {
            only.n = u32::try_from(hosts.iter().map(|host| u64::from(host.pes)).sum::<u64>()).ok();
        }
        for (index, part) in self.parts.iter().enumerate() {
            if part.n.or(part.per_machine).is_none() {
                let place = if index > 0 { LATER } else { "" };
                return Err(format!("{place}-n N is missing, the number of PEs (shmemrun --help explains)"));
            }
        }
        if !hosts.is_empty() {
            self.hosts = host_list::fill(hosts, self.n_pes())?;
        }
        if let Some(part) = self.part.as_ref().filter(|part| part.hosts != self.hosts) {
            let on_hosts: u32 = part.hosts.iter().map(|host| host.pes).sum();
            return Err(format!("the hosts have {on_hosts} PEs, and the programs {}", self.n_pes()));
        }
        Ok(())
    }

    /// Checks conditions that involve several options.
    fn check(mut self) -> Result<Args, String> {
        self.place()?;
        let n_pes: u64 = self.parts.iter().map(|part| u64::from(part.n_pes())).sum();
        if n_pes > MAX_PES as u64 {
            return Err(format!("{n_pes} PEs in all: the limit is {MAX_PES}"));
        }
        for part in &self.parts {
            if let (Some(n), Some(per_machine)) = (part.n, part.per_machine)
                && n > per_machine
                && self.hosts.is_empty()
            {
                return Err(format!("-n {n} with -N {per_machine} needs several machines: name them with --hosts"));
            }
        }
        let nodes = self.options.nodes;
        if u64::from(nodes) > n_pes {
            return Err(format!(
                "--nodes {nodes}: each node needs a PE, so with {n_pes} PEs there are 1 to {n_pes} nodes"
            ));
        }
        if let Some(small) = self.hosts.iter().find(|host| host.pes < nodes) {
            let Host { name, pes } = small;
            return Err(format!("--nodes {nodes}: each node needs a PE, and host {name} has {pes}"));
        }
        if self.options.gdb.is_some() && !self.hosts.is_empty() {
            return Err("--gdb needs the terminal of the machine of its PE, so it does not work with --hosts".into());
        }
        let wrapped = self.options.wraps.iter().filter_map(|wrap| wrap.pe).map(|pe| ("--wrap", pe));
        for (option, pe) in wrapped.chain(self.options.gdb.map(|pe| ("--gdb", pe))) {
            if u64::from(pe) >= n_pes {
                return Err(format!("{option}: there is no PE {pe}: the PEs are 0 to {}", n_pes - 1));
            }
        }
        Ok(self)
    }
}

/// What to do when no job is to be started.
pub enum Instead {
    /// Show what the PEs of this job are waiting in, or list the jobs.
    Status(Option<String>),
    /// Print this text and succeed (`--help`, `--version`).
    Print(String),
    /// Report this line and exit with status 2.
    Complain(String),
}

/// Describes the command line.
pub fn command() -> Command {
    First::command()
}

/// Where a part is that has no number of PEs, or another mistake.
const LATER: &str = "after ':', which starts another program unless -- comes before the first one: ";

/// Reads the command line. `part` says which part of the job this launcher runs, if another one has started it.
pub fn parse(args: impl Iterator<Item = OsString>, part: Option<host_list::Part>) -> Result<Args, Instead> {
    let args: Vec<OsString> = args.collect();
    if args.get(1).is_some_and(|first| first == "--status") {
        return Err(match &args[2..] {
            [] => Instead::Status(None),
            [job] => Instead::Status(Some(job.to_string_lossy().into_owned())),
            _ => Instead::Complain("--status takes at most one job (shmemrun --help explains)".into()),
        });
    }
    let (first, mut rest) = parse_part::<First>(args, "")?;
    if let Some(job) = first.status {
        return Err(Instead::Status(job));
    }
    let mut args = Args { parts: vec![first.part], options: first.options, hosts: vec![], part };
    while let Some(words) = rest {
        let (Later { part }, after) = parse_part(words, LATER)?;
        args.parts.push(part);
        rest = after;
    }
    args.check().map_err(Instead::Complain)
}

/// Reads one part, up to a colon. If there is one, returns the words after it, with the colon in place of the
/// launcher's name. If `--` comes before the program, everything after it belongs to the program, including colons.
fn parse_part<P: Parser>(mut words: Vec<OsString>, place: &str) -> Result<(P, Option<Vec<OsString>>), Instead> {
    let end_of_options = lengthen_hyphens::<P>(&mut words);
    let is_escaped = words.get(end_of_options).is_some_and(|word| word == "--");
    let end = if is_escaped { end_of_options } else { words.len() };
    let colon = (1..end).find(|index| words[*index] == ":");
    let rest = colon.map(|colon| words.split_off(colon));
    let part: P = cushmem_command_line::try_parse_from(words).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Instead::Print(error.render().to_string()),
        _ => Instead::Complain(format!("{place}{} (shmemrun --help explains)", one_line(&error))),
    })?;
    Ok((part, rest))
}

/// Adds the second hyphen to long options that have only one, as in `-np 4`. The words after the program belong to the
/// program. Returns where the options end.
fn lengthen_hyphens<P: Parser>(words: &mut [OsString]) -> usize {
    let command = P::command();
    let names = |arg: &Arg| {
        let aliases = arg.get_all_aliases().unwrap_or_default();
        arg.get_long().into_iter().chain(aliases).map(str::to_string).collect::<Vec<_>>()
    };
    let mut is_value = false;
    for (index, word) in words.iter_mut().enumerate().skip(1) {
        let text = word.to_str().unwrap_or_default();
        if std::mem::take(&mut is_value) {
            continue;
        }
        if !text.starts_with('-') || text == "--" {
            return index;
        }
        let name = text.trim_start_matches('-').split('=').next().unwrap_or_default();
        let long = command.get_arguments().find(|arg| names(arg).iter().any(|long| long == name));
        let short =
            command.get_arguments().find(|arg| text.strip_prefix('-') == arg.get_short().map(String::from).as_deref());
        is_value = !text.contains('=') && long.or(short).is_some_and(|arg| arg.get_action().takes_values());
        if long.is_some() && !text.starts_with("--") {
            *word = format!("-{text}").into();
        }
    }
    words.len()
}

fn parse_variable(text: &str) -> Result<Variable, String> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_string())));
    if name.is_empty() { Err("the name is missing".into()) } else { Ok((name.to_string(), value)) }
}

fn parse_folder(text: &str) -> Result<PathBuf, String> {
    if Path::new(text).is_dir() { Ok(text.into()) } else { Err("not a folder".into()) }
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if TIMEOUT_RANGE_S.contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("not a number of seconds from 0.1 to 31536000".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Args, Instead> {
        parse(line.split_whitespace().map(OsString::from), None)
    }

    fn complaint(line: &str) -> String {
        match parsed(line) {
            Err(Instead::Complain(text)) => text,
            _ => panic!("'{line}' was accepted"),
        }
    }

    #[test]
    fn options_after_the_program_belong_to_the_program() {
        let args = parsed("shmemrun -n 2 prog --tag -n 9 --help").ok().unwrap();
        assert_eq!((args.n_pes(), args.options.tag, args.parts[0].command.len()), (2, false, 5));
        let args = parsed("shmemrun -np 2 prog -np 9 -wdir /").ok().unwrap();
        assert_eq!(
            (args.n_pes(), &args.parts[0].command[1..]),
            (2, &["-np", "9", "-wdir", "/"].map(OsString::from)[..])
        );
    }

    #[test]
    fn what_people_type_for_other_launchers_is_understood() {
        for line in [
            "shmemrun -np 3 prog",
            "shmemrun --np 3 prog",
            "shmemrun --np=3 prog",
            "shmemrun -n3 prog",
            "shmemrun -N 3 prog",
            "shmemrun -n 3 -N 3 --oversubscribe -bind-to none prog",
            "shmemrun -x A=1 -x B -wdir / -np 3 prog",
            "shmemrun -n 1 prog : -np 2 -x C=3 prog",
            "shmemrun -n 3 --nodes 3 prog",
            "shmemrun -nodes 3 -n 1 prog : -n 2 prog",
            "shmemrun -n 1 prog : -np 2 -- prog",
        ] {
            let args = parsed(line).unwrap_or_else(|_| panic!("'{line}' was refused"));
            assert_eq!(args.n_pes(), 3, "{line}");
            assert!(args.parts.iter().all(|part| part.command == ["prog"]), "{line}");
        }
    }

    #[test]
    fn hosts_give_the_number_of_pes_and_minus_n_takes_fewer() {
        for (line, hosts) in [
            ("shmemrun --hosts a:4,b:2 p", "a:4,b:2"),
            ("shmemrun -n 5 --hosts a:4,b:2 p", "a:4,b:1"),
            ("shmemrun -n 2 --hosts a:4,b:2 p", "a:2"),
            ("shmemrun -N 2 --hosts a:4,b:2 p", "a:2,b:2"),
            ("shmemrun -N 2 -n 3 --hosts a:4,b:2 p", "a:2,b:1"),
            ("shmemrun -n 1 --hosts a:4,b:2 p : -n 4 q", "a:4,b:1"),
        ] {
            let args = parsed(line).unwrap_or_else(|_| panic!("'{line}' was refused"));
            let found: Vec<String> = args.hosts.iter().map(Host::to_string).collect();
            assert_eq!(found.join(","), hosts, "{line}");
            assert_eq!(args.hosts.iter().map(|host| host.pes).sum::<u32>(), args.n_pes(), "{line}");
        }
        let branch = host_list::Branch { host: 1, behind: vec![] };
        let part = host_list::Part { branch, job_id: "ab".into(), hosts: host_list::parse("a:2,b:1").unwrap() };
        let of_part = |line: &str| parse(line.split(' ').map(OsString::from), Some(part.clone()));
        let args = of_part("shmemrun --hostfile /not/read/here p").ok().unwrap();
        assert_eq!((args.n_pes(), args.hosts.len()), (3, 2));
        // Catches PEs without a program on a host whose launcher was told of more of them.
        let Err(Instead::Complain(why)) = of_part("shmemrun -n 2 p") else { panic!("it was accepted") };
        assert_eq!(why, "the hosts have 3 PEs, and the programs 2");
    }

    #[test]
    fn colons_after_two_hyphens_are_the_programs_own() {
        let commands = |line| {
            let parts = parsed(line).ok().unwrap().parts;
            parts.iter().map(|part| part.command.join(" ".as_ref()).into_string().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(commands("shmemrun -n 1 -- sort -t : f"), ["sort -t : f"]);
        assert_eq!(commands("shmemrun -n 1 a -- : -np 1 -x A=1 -- b : -n 1 -- c"), ["a --", "b : -n 1 -- c"]);
        assert!(complaint("shmemrun -n 1 sort -t : f").contains("unless -- comes before the first one"));
    }

    #[test]
    fn each_pe_has_its_part_and_its_wrapper() {
        let args = parsed("shmemrun -n 2 --wrap env --wrap 1:nice --gdb 2 a b : -n 1 c : -n 2 d").ok().unwrap();
        let words = |pe| args.wrapper_of(pe).map(OsString::from).chain(args.part_of(pe).command.iter().cloned());
        let line = |pe| words(pe).collect::<Vec<_>>().join(" ".as_ref()).into_string().unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(line), ["env a b", "env nice a b", "env gdb --args c", "env d", "env d"]);
    }

    #[test]
    fn status_comes_first_or_belongs_to_the_program() {
        let status = |line| match parsed(line) {
            Err(Instead::Status(job)) => job,
            _ => panic!("'{line}' does not ask for the status"),
        };
        assert_eq!(status("shmemrun --status"), None);
        assert_eq!(status("shmemrun --status 4711").as_deref(), Some("4711"));
        assert_eq!(parsed("shmemrun -n 2 prog --status").ok().unwrap().parts[0].command.len(), 2);
        assert!(complaint("shmemrun --status 1 2").contains("one job"));
        assert_eq!(status("shmemrun --status=4711").as_deref(), Some("4711"));
        let Err(Instead::Print(help)) = parsed("shmemrun --help") else { panic!("no help") };
        assert!(help.contains("--status [<JOB>]") && help.contains("--generate <KIND>"), "{help}");
    }

    #[test]
    fn complaints_are_one_line_with_what_where_and_range() {
        for (line, parts) in [
            ("shmemrun -n 0 prog", &["'0'", "-n", "1..=65536"][..]),
            ("shmemrun -n many prog", &["'many'", "-n"]),
            ("shmemrun -n 2 --timeout soon prog", &["'soon'", "--timeout", "0.1 to 31536000"]),
            ("shmemrun prog", &["-n"]),
            ("shmemrun -n 40000 a : -n 40000 b", &["80000 PEs", "65536"]),
            ("shmemrun -n 2 a :", &["after ':'", "PROGRAM"]),
            ("shmemrun -n 2 a : b", &["after ':'", "-n N"]),
            ("shmemrun -n 2 a : -n 2 --tag b", &["after ':'", "--tag"]),
            ("shmemrun -n 4 -N 2 a", &["-n 4", "-N 2", "several machines", "--hosts"]),
            ("shmemrun --hosts a:0 p", &["--hosts", "'a:0'", "1 to 65536"]),
            ("shmemrun --hosts a:2,b:x p", &["--hosts", "'b:x'", "1 to 65536"]),
            ("shmemrun --hosts a,b,a:3 p", &["--hosts", "host a is there twice"]),
            ("shmemrun --hosts a --hostfile f p", &["--hosts", "--hostfile"]),
            ("shmemrun --hostfile /nowhere/f p", &["--hostfile", "'/nowhere/f'"]),
            ("shmemrun -n 3 --hosts a:1,b:1 p", &["3 PEs", "room for 2", "(a:1, b:1)"]),
            ("shmemrun -N 2 --hosts a:4,b:1 p", &["-N 2", "host b", "1 PEs"]),
            ("shmemrun --nodes 2 --hosts a:4,b:1 p", &["--nodes 2", "host b has 1"]),
            ("shmemrun --gdb 0 --hosts a p", &["--gdb", "--hosts"]),
            ("shmemrun --hosts a:2 p : q", &["-n N"]),
            ("shmemrun -n 2 --bind-to socket a", &["'socket'", "--bind-to", "core, none"]),
            ("shmemrun -n 2 -x =1 a", &["'=1'", "-x", "name"]),
            ("shmemrun -n 2 --wdir /nowhere a", &["'/nowhere'", "--wdir", "not a folder"]),
            ("shmemrun -n 2 --wrap 2:env a", &["--wrap", "no PE 2", "0 to 1"]),
            ("shmemrun -n 2 --wrap 1: a", &["'1:'", "--wrap", "no command"]),
            ("shmemrun -n 2 --gdb 2 a", &["--gdb", "no PE 2", "0 to 1"]),
            ("shmemrun -n 2", &["PROGRAM"]),
            ("shmemrun -n 2 --tagg prog", &["--tagg"]),
            ("shmemrun -n 2 --map round prog", &["'round'", "--map", "block, cyclic, random:SEED"]),
            ("shmemrun -n 2 --nodes 0 prog", &["'0'", "--nodes", "1..=65536"]),
            ("shmemrun -n 2 --nodes -1 prog", &["'-1'", "--nodes", "1..=65536"]),
            ("shmemrun -n 2 --nodes two prog", &["'two'", "--nodes"]),
            ("shmemrun -n 2 --nodes 4 a : -n 1 b", &["--nodes 4", "3 PEs", "1 to 3"]),
            ("shmemrun -n 2 a : --nodes 1 -n 1 b", &["after ':'", "--nodes"]),
            ("shmemrun -n 2 --map random prog", &["--map", "SEED", "0 to 18446744073709551615"]),
        ] {
            let text = complaint(line);
            assert!(!text.contains('\n'), "{text}");
            for part in parts {
                assert!(text.contains(part), "'{text}' lacks '{part}'");
            }
        }
    }
}
