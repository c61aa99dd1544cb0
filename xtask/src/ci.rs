//! `cargo xtask ci`: everything that has to hold before a change is merged. The tests come last, so that the test
//! runner's own lines end the output.

use crate::demo::{Profile, Size, demo};
use crate::deny;
use crate::matrix::matrix;
use crate::process::{cargo, run};
use crate::ptx::{Outcome, build_uncommitted, ptx};
use crate::test::{Closing, Options, test};
use crate::tidy::tidy;
use crate::workspace::{Package, Workspace};
use anyhow::{Result, bail};
use cargo_metadata::DependencyKind;
use std::time::Instant;

/// One check that ran.
struct Check {
    name: &'static str,
    seconds: f64,
    result: Result<Outcome>,
}

/// Runs every check, even after one has failed, and prints the result of each as soon as it ends.
pub fn ci() -> Result<()> {
    let workspace = Workspace::load()?;
    let mut checks = Vec::new();
    let mut check = |name, body: &dyn Fn() -> Result<Outcome>| {
        println!("== {name}");
        let start = Instant::now();
        let result = body();
        if let Err(error) = &result {
            eprintln!("xtask: {name}: {error:#}");
        }
        checks.push(Check { name, seconds: start.elapsed().as_secs_f64(), result });
    };
    check("fmt", &|| cargo_step(&workspace, &["fmt", "--all", "--check"]));
    check("tidy", &|| tidy(&crate::tidy::Options::default()).map(|()| Outcome::Done));
    check("ptx --check", &|| ptx(&crate::ptx::Options { check: true, ..Default::default() }));
    // Crates are compiled again when their PTX appears. If it cannot be built, `test` says why.
    check("ptx of tests", &|| build_uncommitted(&workspace).map(|_| Outcome::Done));
    check("deny", &|| deny::deny(&workspace.root, &workspace.target));
    check("advisories", &|| deny::advisories(&workspace.root, &workspace.target));
    let clippy = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
    check("clippy", &|| cargo_step(&workspace, &clippy));
    let warnings = r#"build.rustdocflags=["-Dwarnings"]"#;
    let doc = ["--config", warnings, "doc", "--quiet", "--no-deps", "-p", "cushmem", "-p", "cushmem-device"];
    check("doc", &|| cargo_step(&workspace, &doc));
    check("package", &|| package(&workspace));
    check("matrix", &|| matrix(&crate::matrix::Options { arguments: vec!["--brief".into()] }).map(|()| Outcome::Done));
    check("nodes", &crate::soak::once);
    check("demo", &|| demo(Profile::Dev, &Size::SHORT).map(|()| Outcome::Done));
    let left_out = report(&checks);
    let failed: Vec<&str> = checks.iter().filter(|c| c.result.is_err()).map(|c| c.name).collect();
    println!("== test");
    let tests = test(&Options::default(), Closing::Runner, left_out);
    if !failed.is_empty() {
        let also = if tests.is_err() { ", and tests" } else { "" };
        bail!("failed: {}{also}", failed.join(", "));
    }
    tests
}

fn report(checks: &[Check]) -> Vec<String> {
    let mut left_out = Vec::new();
    println!("== so far");
    for Check { name, seconds, result } in checks {
        let how = match result {
            Ok(Outcome::Done) => "ok",
            Ok(Outcome::LeftOut(reason)) => {
                left_out.push(format!("{name}: {reason}"));
                "left out"
            }
            Err(_) => "FAILED",
        };
        println!("{name:12} {seconds:6.1} s  {how}");
    }
    left_out
}

fn cargo_step(workspace: &Workspace, arguments: &[&str]) -> Result<Outcome> {
    run(cargo().current_dir(&workspace.root).args(arguments))?;
    Ok(Outcome::Done)
}

/// Packs the crates that may be published. Crates that depend on no other crate of the workspace are also built from
/// their packages; building all of them again would take minutes.
fn package(workspace: &Workspace) -> Result<Outcome> {
    let stands_alone = |package: &Package| {
        let mut needed = package.cargo.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
        needed.all(|d| workspace.package(&d.name).is_none())
    };
    let pack = |more: Option<&str>, chosen: &dyn Fn(&Package) -> bool| {
        let mut pack = cargo();
        pack.current_dir(&workspace.root).args(["package", "--quiet", "--offline", "--allow-dirty"]).args(more);
        let chosen = workspace.packages.iter().filter(|p| p.is_published() && chosen(p));
        run(pack.args(chosen.flat_map(|p| ["-p", &p.name])))
    };
    pack(Some("--no-verify"), &|_| true)?;
    pack(None, &stands_alone)?;
    Ok(Outcome::Done)
}
