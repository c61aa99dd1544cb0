//! Kernels of the litmus tests that lack a fence, an acquire or a release: their PTX, changed in a place, and cubins of
//! it, which the library loads instead of the program's own PTX if `CUSHMEM_CUBIN_DIR` names their folder. The program
//! `cushmem-litmus` runs them, on a machine with GPUs, and prints who noticed.
//!
//! Kernels do not affect each other, so one variant changes a place in each of them. In a function that kernels call,
//! each change has a variant of its own.

use crate::bundle::{CUBIN_ARCH, cubin_name};
use crate::kernels::{self, Kernels, Need};
use crate::ptx::emit::{Ptx, current};
use crate::ptx::ptxas::Ptxas;
use crate::ptx::text::{Statement, statements};
use crate::report::shown;
use crate::workspace::{Build, Workspace};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The crate of the kernels.
const KERNELS: &str = "cushmem-litmus-kernels";
/// Kernels that lack an order anyway end in one of these.
const UNORDERED: [&str; 2] = ["_unordered", "_polled"];
/// Functions that only kernels in trouble get to: what follows a wait of milliseconds, and what ends a kernel.
const RARE: [&str; 2] = ["wait_long", "fail"];
/// The list of what is changed where, which `cushmem-litmus` reads.
const LIST: &str = "mutants.tsv";
/// The variant of what no test executes.
const NEVER: &str = "never";

/// A change of some instructions of a kernel or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mutant {
    variant: String,
    place: String,
    lines: Vec<usize>,
    change: String,
    kernels: BTreeSet<String>,
}

/// Writes the variants to a folder.
pub fn write(folder: &Path) -> Result<()> {
    let workspace = Workspace::load()?;
    if let Kernels::LeftOut(reason) = kernels::ready(&workspace, Some(&[KERNELS]), Need::Always)? {
        bail!("the PTX of {KERNELS} cannot be built: {reason}");
    }
    let package = workspace.package(KERNELS).context("the crate is gone")?;
    let Ptx::Text(text) = current(&workspace, package, Build::Near)? else { bail!("{KERNELS} has no PTX") };
    let ptxas = Ptxas::find(&workspace.target.join("tools")).context("no ptxas found")?;
    let mutants = mutants(&text);
    ensure!(!mutants.is_empty(), "there is nothing to change in {KERNELS}");
    let mut variants: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| mutant.variant != NEVER) {
        variants.entry(&mutant.variant).or_default().extend(&mutant.lines);
    }
    for (variant, lines) in &variants {
        let own = folder.join(variant);
        fs::create_dir_all(&own).with_context(|| format!("make {}", own.display()))?;
        let ptx = own.join("kernels.ptx");
        fs::write(&ptx, changed(&text, lines)?).with_context(|| format!("write {}", ptx.display()))?;
        // The library finds it by the PTX of the program.
        let cubin = own.join(cubin_name(KERNELS, &text));
        ptxas.assemble(&ptx, CUBIN_ARCH, &cubin)?;
        fs::remove_file(&ptx)?;
        // The library trusts nothing that other users can write.
        fs::set_permissions(&cubin, fs::Permissions::from_mode(0o644))?;
        fs::set_permissions(&own, fs::Permissions::from_mode(0o755))?;
    }
    let list: String = mutants.iter().map(Mutant::line).collect();
    fs::write(folder.join(LIST), list).with_context(|| format!("write {LIST}"))?;
    println!("{}: {} changes in {} variants of the kernels", shown(folder), mutants.len(), variants.len());
    println!("on a machine with the same programs and two GPUs: cushmem-litmus --mutants {}", shown(folder));
    Ok(())
}

impl Mutant {
    fn line(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(ToString::to_string).collect();
        let kernels: Vec<&str> = self.kernels.iter().map(String::as_str).collect();
        let [lines, kernels] = [lines.join(" "), kernels.join(",")];
        [&self.variant, &self.place, &lines, &self.change, &kernels].map(String::as_str).join("\t") + "\n"
    }
}

/// What an instruction becomes: nothing, or a weaker one. `None` if it orders nothing.
fn weaker(opcode: &str) -> Option<String> {
    let parts: Vec<&str> = opcode.split('.').collect();
    match parts.as_slice() {
        ["fence" | "membar", ..] => Some(String::new()),
        ["ld" | "st" | "red" | "atom", "acquire" | "release" | "acq_rel", ..] => {
            let mut parts = parts;
            parts[1] = "relaxed";
            Some(parts.join("."))
        }
        _ => None,
    }
}

/// All changes to be tried.
fn mutants(ptx: &str) -> Vec<Mutant> {
    let statements = statements(ptx);
    let is_kernel = |s: &Statement| s.opens_body && s.text.contains(".entry ");
    let kernels: BTreeSet<&str> =
        statements.iter().filter(|s| is_kernel(s)).filter_map(Statement::declared_function).collect();
    let is_ordered = |kernel: &str| !UNORDERED.iter().any(|end| kernel.ends_with(end));
    let mut sites: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for s in statements.iter().filter(|s| !s.opens_body) {
        if let (Some(function), Some(_)) = (s.function.as_deref(), weaker(s.opcode())) {
            sites.entry(function).or_default().push((s.line, s.opcode()));
        }
    }
    let mut all = vec![];
    for (&place, sites) in &sites {
        let is_kernel = kernels.contains(place);
        if is_kernel && !is_ordered(place) {
            continue;
        }
        let (name, of): (_, BTreeSet<String>) = if is_kernel {
            (place.to_owned(), [place.to_owned()].into())
        } else {
            (short(place), callers(&statements, place, &kernels).into_iter().filter(|k| is_ordered(k)).collect())
        };
        let is_rare = RARE.contains(&name.as_str());
        let mutant = |variant: String, lines: Vec<usize>, change: String| Mutant {
            variant: if is_rare { NEVER.to_owned() } else { variant },
            place: name.clone(),
            lines,
            change,
            kernels: if is_rare { BTreeSet::new() } else { of.clone() },
        };
        for (number, (line, opcode)) in (1..).zip(sites) {
            let weaker = weaker(opcode).unwrap_or_default();
            let change = if weaker.is_empty() { format!("no `{opcode}`") } else { format!("`{weaker}`") };
            let variant = if is_kernel { format!("{number}") } else { format!("{name}-{number:02}") };
            all.push(mutant(variant, vec![*line], change));
        }
        // A wait has several looks, of which one alone may make up for another.
        let acquires: Vec<usize> =
            sites.iter().filter(|(_, opcode)| opcode.starts_with("ld.acquire")).map(|(line, _)| *line).collect();
        if is_kernel && acquires.len() > 1 {
            all.push(mutant("acquires".to_owned(), acquires, "no acquiring load".to_owned()));
        }
    }
    all.sort_by(|a, b| (&a.variant, &a.place).cmp(&(&b.variant, &b.place)));
    all
}

/// The kernels that call a function, by others or not.
fn callers(statements: &[Statement], function: &str, kernels: &BTreeSet<&str>) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![function]);
    while let Some(callee) = open.pop() {
        for s in statements.iter().filter(|s| s.called_function() == Some(callee)) {
            let caller = s.function.as_deref().unwrap_or_default();
            if found.insert(caller) && !kernels.contains(caller) {
                open.push(caller);
            }
        }
    }
    found.into_iter().filter(|caller| kernels.contains(caller)).map(str::to_owned).collect()
}

/// The own name of a function of the kernel API, in whose mangled name each part of the path stands behind its length.
fn short(mangled: &str) -> String {
    let mut name = mangled;
    let mut rest = mangled.split_once("cushmem_device").map_or("", |(_, rest)| rest);
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0) {
        let (length, behind) = rest.split_at(end);
        let Some((part, behind)) = length.parse().ok().and_then(|length| behind.split_at_checked(length)) else {
            break;
        };
        (name, rest) = (part, behind);
    }
    name.to_owned()
}

/// The text with weaker instructions in these lines.
fn changed(ptx: &str, lines: &[usize]) -> Result<String> {
    let mut text = String::with_capacity(ptx.len());
    for (number, line) in (1..).zip(ptx.lines()) {
        if lines.contains(&number) {
            let opcode = line.split_whitespace().find(|word| weaker(word.trim_end_matches(';')).is_some());
            let opcode = opcode.with_context(|| format!("line {number} has no such instruction: {line}"))?;
            ensure!(line.matches(';').count() == 1, "line {number} has several instructions: {line}");
            let weaker = weaker(opcode.trim_end_matches(';')).unwrap_or_default();
            if !weaker.is_empty() {
                text += &line.replace(opcode, &weaker);
            }
        } else {
            text += line;
        }
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "
.func helper()
{
	fence.acq_rel.sys;
	ret;
}
.visible .entry one(
	.param .u64 one_param_0
)
{
	@%p1 st.release.sys.global.u64 [%rd1], %rd2;
	call helper, ();
	ld.acquire.sys.global.u64 %rd3, [%rd1];
	ld.acquire.sys.global.u64 %rd4, [%rd1];
	ret;
}
.visible .entry two_unordered()
{
	ld.acquire.sys.global.u64 %rd3, [%rd1];
	ret;
}
";

    #[test]
    fn each_order_is_taken_out() {
        let found = mutants(PTX);
        let all: Vec<_> = found.iter().map(|m| (m.variant.as_str(), m.place.as_str(), m.lines.as_slice())).collect();
        let expected: [(_, _, &[usize]); 5] = [
            ("1", "one", &[11]),
            ("2", "one", &[13]),
            ("3", "one", &[14]),
            ("acquires", "one", &[13, 14]),
            ("helper-01", "helper", &[4]),
        ];
        assert_eq!(all, expected);
        assert!(found.iter().all(|mutant| mutant.kernels == ["one".to_owned()].into()), "{found:?}");
        assert_eq!(found[4].line(), "helper-01\thelper\t4\tno `fence.acq_rel.sys`\tone\n");
    }

    #[test]
    fn instructions_become_weaker() {
        let text = changed(PTX, &[4, 11, 13]).expect("all of them are such instructions");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[3], "");
        assert_eq!(lines[10].trim(), "@%p1 st.relaxed.sys.global.u64 [%rd1], %rd2;");
        assert_eq!(lines[12].trim(), "ld.relaxed.sys.global.u64 %rd3, [%rd1];");
        assert_eq!(lines.len(), PTX.lines().count());
        assert!(changed(PTX, &[5]).is_err(), "`ret` orders nothing");
    }

    #[test]
    fn names_are_shortened() {
        let post = "_RINvNtCs487IJORcIGl_14cushmem_device7command4postyECsfwIZhjT9mA9_22cushmem_litmus_kernels";
        let late = "_RINvNtCs487IJORcIGl_14cushmem_device4wait9wait_longyECsfwIZhjT9mA9_22cushmem_litmus_kernels";
        let fail = "_RNvNtCs487IJORcIGl_14cushmem_device4fail4fail";
        assert_eq!([post, late, fail, "helper"].map(short), ["post", "wait_long", "fail", "helper"]);
    }
}
