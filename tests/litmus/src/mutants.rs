//! Jobs with kernels that lack a fence, an acquire or a release.

use anyhow::{Context, Result, bail, ensure};
use cushmem_environment::{CUBIN_DIR, GPU, TEST_TRIES};
use cushmem_litmus::LINE;
use cushmem_litmus::kernels::IMAGE;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The tries of each kernel and placement, unless the environment has a number.
const TRIES: &str = "1000000";
/// The limit of a job, in seconds.
const LIMIT_S: &str = "100";

/// One instruction that is changed.
#[derive(Debug)]
struct Mutant {
    /// The subfolder with the kernels in which it is changed.
    variant: String,
    /// The kernel, or the function that kernels call.
    place: String,
    line: String,
    change: String,
    /// The kernels that execute it.
    kernels: Vec<String>,
}

/// Tries and forbidden outcomes by kernel.
type Counts = BTreeMap<String, [u64; 2]>;

/// Runs the jobs, and prints a table.
pub fn run(folder: &Path, pes: u32) -> Result<()> {
    let list = folder.join("mutants.tsv");
    let text = fs::read_to_string(&list).with_context(|| format!("read {}", list.display()))?;
    let mutants: Vec<Mutant> =
        text.lines().map(parse).collect::<Option<_>>().with_context(|| format!("read {}", list.display()))?;
    let mut variants: Vec<&str> = mutants.iter().map(|mutant| mutant.variant.as_str()).collect();
    variants.dedup();
    let start = Instant::now();
    let whole = job(None, pes, mutants.iter())?;
    let (tries, forbidden) = whole.values().fold((0, 0), |(a, b), [tries, forbidden]| (a + tries, b + forbidden));
    println!("without a change: {} kernels, {tries} tries, {forbidden} forbidden outcomes", whole.len());
    ensure!(forbidden == 0, "the kernels are wrong without a change: {whole:?}");
    println!("\n| in | line | change | tries | forbidden | seen |\n|---|--:|---|--:|--:|---|");
    for variant in variants {
        let of_variant = || mutants.iter().filter(|mutant| mutant.variant == variant);
        // Kernels for more PEs than there are do not run.
        let counts = if of_variant().any(|mutant| mutant.kernels.iter().any(|kernel| whole.contains_key(kernel))) {
            job(Some(&folder.join(variant)), pes, of_variant())?
        } else {
            Counts::new()
        };
        for Mutant { place, line, change, kernels, .. } in of_variant() {
            let counts = || kernels.iter().filter_map(|kernel| counts.get_key_value(kernel));
            let [tries, forbidden] = [0, 1].map(|k| counts().map(|(_, count)| count[k]).sum::<u64>());
            let by: Vec<&str> = counts().filter(|(_, count)| count[1] > 0).map(|(kernel, _)| kernel.as_str()).collect();
            let seen = match (tries, by.as_slice()) {
                (0, _) => "did not run".to_owned(),
                (_, []) => "no".to_owned(),
                (_, [one]) if one == place => "yes".to_owned(),
                (_, by) => format!("by {}", by.join(", ")),
            };
            println!("| `{place}` | {line} | {change} | {tries} | {forbidden} | {seen} |");
        }
    }
    println!("\n{} s", start.elapsed().as_secs());
    Ok(())
}

fn parse(line: &str) -> Option<Mutant> {
    let mut fields = line.split('\t').map(str::to_owned);
    let mut next = || fields.next();
    let (variant, place, line, change) = (next()?, next()?, next()?, next()?);
    Some(Mutant { variant, place, line, change, kernels: next()?.split(',').map(str::to_owned).collect() })
}

/// Runs the kernels of these mutants, from this folder or as they are.
fn job<'a>(folder: Option<&Path>, pes: u32, mutants: impl Iterator<Item = &'a Mutant>) -> Result<Counts> {
    let mut kernels: Vec<&str> = mutants.flat_map(|mutant| &mutant.kernels).map(String::as_str).collect();
    kernels.sort_unstable();
    kernels.dedup();
    let program = std::env::current_exe()?;
    let mut command = Command::new(program.with_file_name("shmemrun"));
    command.args(["-n", &pes.to_string(), "--timeout", LIMIT_S]).arg(&program);
    // The emulated GPU runs no PTX.
    command.args(["--kernels", &kernels.join(",")]).env(GPU.name, "cuda");
    if std::env::var_os(TEST_TRIES.name).is_none() {
        command.env(TEST_TRIES.name, TRIES);
    }
    if let Some(folder) = folder {
        check(folder)?;
        command.env(CUBIN_DIR.name, folder);
    }
    let output = command.output().context("start shmemrun")?;
    let [out, said] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    ensure!(!said.contains("; not loaded"), "the kernels were refused:\n{said}");
    let counts = count(&out).with_context(|| format!("what the job printed:\n{out}"))?;
    // A job that ends before its last line has no forbidden outcomes to show.
    if counts.is_empty() || !output.status.success() && !said.contains("forbidden outcomes") {
        bail!("the job failed: {}\n{said}", output.status);
    }
    Ok(counts)
}

/// Fails if the library would not load the kernels in this folder.
fn check(folder: &Path) -> Result<()> {
    let hash = IMAGE
        .ptx
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let start = format!("{}-{hash:016x}.", IMAGE.name);
    let mut names = folder.read_dir().with_context(|| format!("read {}", folder.display()))?;
    let is_there = names.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(&start)));
    ensure!(is_there, "{} was made from other kernels than this program's ({start}…)", folder.display());
    Ok(())
}

/// Adds up the lines of the PEs.
fn count(out: &str) -> Option<Counts> {
    let mut counts = Counts::new();
    for line in out.lines().filter_map(|line| line.split_once(LINE)).map(|(_, line)| line) {
        let (name, rest) = line.split_once(':')?;
        let (_, found) = rest.rsplit_once(": ")?;
        let mut numbers = found.split(", ").map(|part| part.split(' ').next()?.parse::<u64>().ok());
        let [tries, forbidden] = [numbers.next()??, numbers.next()??];
        let sum = counts.entry(name.to_owned()).or_default();
        *sum = [sum[0] + tries, sum[1] + forbidden];
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_placements_add_up() {
        let out = "conformance: told: litmus: a: GPUs, data Gpu, flag Host, way 0: 4096 tries, 3 forbidden, 0 overlapped\n\
                   something else\n\
                   conformance: told: litmus: a: GPU and CPU, data Gpu, flag Gpu, way 1: 4 tries, 2 forbidden, 0 overlapped\n\
                   conformance: told: litmus: b: GPUs, data Gpu, flag Gpu, way 0: 8 tries, 0 forbidden, 1 overlapped, 2 LATE\n";
        let expected = [("a".to_owned(), [4100, 5]), ("b".to_owned(), [8, 0])];
        assert_eq!(count(out), Some(expected.into()));
        assert_eq!(count("litmus: a: many tries"), None);
    }

    #[test]
    fn a_line_of_the_list_names_kernels() {
        let mutant = parse("post-01\tpost\t267\tno `fence.acq_rel.sys`\ta,b").expect("five fields");
        assert_eq!((mutant.variant.as_str(), mutant.place.as_str()), ("post-01", "post"));
        assert_eq!(
            (mutant.line.as_str(), mutant.kernels.as_slice()),
            ("267", ["a".to_owned(), "b".to_owned()].as_slice())
        );
        assert!(parse("post-01\tpost").is_none());
    }
}
