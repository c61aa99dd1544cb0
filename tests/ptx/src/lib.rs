//! The PTX that the tests examine: committed PTX and, if the compiler is installed, the PTX of the other crates.
#![forbid(unsafe_code)]

use std::sync::{LazyLock, OnceLock};
use xtask::left_out;
use xtask::ptx::emit::{Ptx, committed_part, current};
use xtask::workspace::{Build, Package, Workspace};

/// One build of a crate's kernels; `None` if their PTX is not available here, which is then recorded as left
/// out.
type Kernels = (Package, Build, OnceLock<Option<String>>);

static WORKSPACE: LazyLock<Workspace> = LazyLock::new(|| Workspace::load().expect("the workspace"));

/// All kernel crates. Each is compiled when a test of this process first looks at it, because some tests look at one.
static CRATES: LazyLock<Vec<Kernels>> = LazyLock::new(|| {
    let crates = WORKSPACE.kernel_crates();
    assert!(!crates.is_empty(), "no crate says `kernels = true`: the search for them is broken");
    let all = crates.into_iter().flat_map(|package| package.builds().map(|build| (package.clone(), build)));
    all.map(|(package, build)| (package, build, OnceLock::new())).collect()
});

fn kernels((package, build, text): &'static Kernels) -> Option<&'static str> {
    text.get_or_init(|| self::text(&WORKSPACE, package, *build)).as_deref()
}

fn text(workspace: &Workspace, package: &Package, build: Build) -> Option<String> {
    match current(workspace, package, build).unwrap_or_else(|e| panic!("{e:#}")) {
        Ptx::Text(text) => Some(text),
        Ptx::LeftOut(reason) => {
            left_out::record(&format!("ptx: {}", package.name), &reason);
            None
        }
    }
}

/// Returns the PTX of the crates of which only some kernels' PTX is committed.
fn parts() -> &'static [(Package, String)] {
    static PARTS: OnceLock<Vec<(Package, String)>> = OnceLock::new();
    PARTS.get_or_init(|| {
        let part = |package| committed_part(&WORKSPACE, package).unwrap_or_else(|e| panic!("{e:#}"));
        let crates = WORKSPACE.kernel_crates();
        crates.into_iter().filter_map(|package| Some((package.clone(), part(package)?))).collect()
    })
}

/// Returns all modules whose PTX is available here, with the crate and the name of the file.
///
/// # Panics
/// If no crate contains kernels, or one does not compile.
pub fn modules() -> impl Iterator<Item = (&'static Package, String, &'static str)> {
    let whole = CRATES.iter().filter_map(|one| Some((&one.0, one.1.file(&one.0.name), kernels(one)?)));
    whole.chain(parts().iter().map(|(package, text)| (package, format!("{}.part.ptx", package.name), text.as_str())))
}

/// Returns the PTX of one crate for jobs in which all PEs are mapped, if it is available here.
///
/// # Panics
/// If no kernel crate has this name, or one does not compile.
pub fn ptx_of(name: &str) -> Option<&'static str> {
    ptx_for(name, Build::Near)
}

/// Returns the PTX of one crate for GPUs from sm_90 on, if it is available here.
///
/// # Panics
/// If no kernel crate with this name has such PTX, or it does not compile.
pub fn sm_90_ptx_of(name: &str) -> Option<&'static str> {
    ptx_for(name, Build::Sm90)
}

/// Returns the PTX of one crate for jobs with PEs that are not mapped, if it is available here.
///
/// # Panics
/// If no kernel crate has this name, or one does not compile.
pub fn far_ptx_of(name: &str) -> Option<&'static str> {
    ptx_for(name, Build::Far)
}

fn ptx_for(name: &str, build: Build) -> Option<&'static str> {
    let found = CRATES.iter().find(|(package, of, _)| package.name == name && *of == build);
    kernels(found.unwrap_or_else(|| panic!("no kernels are called {name}")))
}
