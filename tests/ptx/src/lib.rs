//! The PTX that the tests look at: what is committed, and what the compiler gives for the other crates, if it is here.
#![forbid(unsafe_code)]

use std::sync::OnceLock;
use xtask::left_out;
use xtask::ptx::emit::{Ptx, current};
use xtask::workspace::{Package, Workspace};

/// All kernel crates with their PTX; `None` where it cannot be had here, which is then recorded as left out. Each is built once in a
/// test program.
fn crates() -> &'static [(Package, Option<String>)] {
    static CRATES: OnceLock<Vec<(Package, Option<String>)>> = OnceLock::new();
    CRATES.get_or_init(|| {
        let workspace = Workspace::load().expect("the workspace");
        let crates = workspace.kernel_crates();
        assert!(!crates.is_empty(), "no crate says `kernels = true`: the search for them is broken");
        crates.into_iter().map(|package| (package.clone(), text(&workspace, package))).collect()
    })
}

fn text(workspace: &Workspace, package: &Package) -> Option<String> {
    match current(workspace, package).unwrap_or_else(|e| panic!("{e:#}")) {
        Ptx::Text(text) => Some(text),
        Ptx::LeftOut(reason) => {
            left_out::record(&format!("ptx: {}", package.name), &reason);
            None
        }
    }
}

/// All modules whose PTX can be had here.
///
/// # Panics
/// If no crate holds kernels, or one does not compile.
pub fn modules() -> impl Iterator<Item = (&'static Package, &'static str)> {
    crates().iter().filter_map(|(package, text)| Some((package, text.as_deref()?)))
}

/// The PTX of one crate, if it can be had here.
///
/// # Panics
/// If no kernel crate is called so, or one does not compile.
pub fn ptx_of(name: &str) -> Option<&'static str> {
    let found = crates().iter().find(|(package, _)| package.name == name);
    found.unwrap_or_else(|| panic!("no kernels are called {name}")).1.as_deref()
}
