//! `cargo xtask vm`: virtual machines with a network of soft-RoCE, in which the tests of the provider `verbs` run: one
//! machine alone, and then two on one cable.
//!
//! The processor is emulated, so neither KVM nor modules of this machine's kernel are needed. Soft-RoCE stores with the
//! kernel's `memcpy`. Of processors of Intel's family 15, the kernel knows no faster way than to move words, so an
//! aligned word is stored as a whole, as a card does; with `rep movsb`, it may be stored byte by byte.
//!
//! The machines end with this process (`setpriv --pdeathsig`), however it ends. Their files, `target/vm-*`, are removed
//! unless a signal ends it.

mod alone;
mod each;
mod image;
mod machine;
mod pair;
mod times;

use crate::bundle::executables;
use crate::launch;
use crate::process::{cargo, output_of};
use crate::ptx::Outcome;
use crate::report::try_file;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use cushmem_scratch::Folder;
use image::which;
use machine::{Hosts, all_well, boot};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the command takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Seconds that each step may take in the machine
    #[arg(long, default_value_t = 600, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub limit_s: u64,
    /// Boot only one of the two: `alone`, a machine by itself, or `pair`, two machines on one cable
    #[arg(long, value_name = "BOOT", value_parser = ["alone", "pair"])]
    pub only: Option<String>,
    /// Keep the times beside those of perftest in this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Take this file of this machine along; may be given several times
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// Run this program of this machine there, instead of the suite
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub program: Vec<String>,
}

/// Seconds of a step that are kept for ending a job and for printing.
const SPARE_S: u64 = 30;

/// Runs `cargo xtask vm`.
pub fn vm(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    if let Err(why) = image::check(&workspace.target.join("tools")) {
        return Ok(Outcome::LeftOut(format!("{why:#}")));
    }
    if let Some((program, arguments)) = options.program.split_first() {
        one(&workspace, options, Path::new(program), arguments)?;
        return Ok(Outcome::Done);
    }
    options.json.as_ref().map_or(Ok(()), try_file)?;
    let is_asked = |boot: &str| options.only.as_deref().is_none_or(|only| only == boot);
    let built = Built::build(&workspace)?;
    // Both boots run, whatever the first one finds.
    let first = is_asked("alone").then(|| alone::suite(&workspace, options, &built));
    let second = is_asked("pair").then(|| pair::suite(&workspace, options, &built));
    let failed = [first, second].into_iter().flatten().filter_map(Result::err);
    all_well(&failed.map(|why| format!("{why:#}")).collect::<Vec<_>>())?;
    Ok(Outcome::Done)
}

/// Whether this machine can have a virtual machine.
pub fn is_here(tools: &Path) -> bool {
    image::check(tools).is_ok()
}

fn one(workspace: &Workspace, options: &Options, program: &Path, arguments: &[String]) -> Result<()> {
    let program = if program.is_file() { program.canonicalize()? } else { which(&program.to_string_lossy())? };
    let words: Vec<String> = arguments.iter().map(|argument| launch::word(Path::new(argument))).collect();
    let script = format!("{} {}\n", launch::word(&program), words.join(" "));
    let with = options.with.iter().map(|file| file.canonicalize().with_context(|| file.display().to_string()));
    let files = with.chain([Ok(program)]).collect::<Result<Vec<_>>>()?;
    let ended = boot(workspace, Hosts::Alone, &files, &[("1-program".to_owned(), script)], options.limit_s)?;
    all_well(&ended.failures(|_| false))
}

/// What both boots run.
struct Built {
    launcher: PathBuf,
    /// The tests of `tests/conformance` without GPUs.
    conformance: PathBuf,
    /// The suite of `tests/spec`, and the C programs that it has compiled.
    spec: PathBuf,
    programs: Folder,
}

impl Built {
    fn build(workspace: &Workspace) -> Result<Built> {
        let test = |package: &str, name: &str| {
            executable(workspace, &["test", "--no-run", "-p", package, "--test", name], name)
        };
        let launcher = executable(workspace, &["build", "-p", "cushmem-launcher", "--bin", "shmemrun"], "shmemrun")?;
        let (conformance, spec) = (test("cushmem-conformance", "host")?, test("cushmem-spec-tests", "suite")?);
        let programs = Folder::within(&workspace.target, "vm-programs")?;
        let mut compile = Command::new(&spec);
        compile.args(["--ignored", "--exact", "clauses::compile_all"]).env(PROGRAMS, programs.as_os_str());
        output_of(&mut compile)
            .context("compile the programs of tests/spec (`cargo xtask library` links what they use)")?;
        Ok(Built { launcher, conformance, spec, programs })
    }

    /// All of them.
    fn files(&self) -> Result<Vec<PathBuf>> {
        let programs = fs::read_dir(&self.programs)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        Ok([vec![self.launcher.clone(), self.conformance.clone(), self.spec.clone()], programs].concat())
    }

    /// The names of the tests of `tests/spec`, for a shell there, which asks the suite.
    fn clauses(&self) -> String {
        let spec = launch::word(&self.spec);
        format!("$({spec} --list --format terse {CLAUSES} | sed -n 's/: test$//p')")
    }
}

/// What the names of the tests of `tests/spec` begin with that are for these machines.
const CLAUSES: &str = "clauses::with_two_pes::";
const PROGRAMS: &str = cushmem_environment::TEST_PROGRAMS.name;

/// The program that a command of cargo builds.
fn executable(workspace: &Workspace, arguments: &[&str], name: &str) -> Result<PathBuf> {
    let built = executables(workspace, cargo().args(arguments))?;
    let found = built.into_iter().find(|(artifact, _)| artifact.target.name == name).map(|(_, path)| path);
    found.with_context(|| format!("cargo has not built {name}"))
}
