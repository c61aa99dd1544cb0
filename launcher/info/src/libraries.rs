//! Optional libraries, which are opened at run time.

use serde::Serialize;

/// An optional library.
#[derive(Serialize)]
pub struct Library {
    /// The name under which it is opened.
    pub name: String,
    /// What it is for.
    pub purpose: &'static str,
    /// Whether this version of cushmem uses it.
    pub used: bool,
    pub found: bool,
    /// The path of its file, if it was found and the system knows its path.
    pub path: Option<String>,
    /// Why it cannot be opened, as the dynamic linker reports it.
    pub reason: Option<String>,
}

/// The one that the user may replace by a file of another name.
const LIBFABRIC: &str = "libfabric.so.1";

/// Name, purpose, used.
const ALL: [(&str, &str, bool); 4] = [
    ("libcuda.so.1", "NVIDIA GPUs; comes with their driver", true),
    ("libibverbs.so.1", "RDMA network cards", false),
    (LIBFABRIC, "networks through libfabric (CUSHMEM_NET=ofi)", true),
    ("libpmix.so.2", "start by Slurm and other PMIx servers", true),
];

/// Tries to open all of them.
pub fn look_for_all() -> Vec<Library> {
    let libfabric = cushmem_environment::libfabric().unwrap_or_else(|_| LIBFABRIC.to_owned());
    let file = |name: &'static str| if name == LIBFABRIC { libfabric.as_str() } else { name };
    ALL.iter().map(|(name, purpose, used)| look_for(file(name), purpose, *used)).collect()
}

fn look_for(name: &str, purpose: &'static str, used: bool) -> Library {
    let (path, reason) = match open(name) {
        Ok(()) => (path_of(name), None),
        Err(reason) => (None, Some(reason)),
    };
    Library { name: name.to_owned(), purpose, used, found: reason.is_none(), path, reason }
}

/// Opens a library and keeps it open, because some libraries crash when they are closed.
fn open(name: &str) -> Result<(), String> {
    // SAFETY: opening runs the library's initialisers. Those of the libraries above may run in any program at any time.
    // No symbol is looked up, so nothing is called with a wrong type.
    match unsafe { libloading::Library::new(name) } {
        Ok(library) => {
            std::mem::forget(library);
            Ok(())
        }
        Err(error) => Err(innermost(&error)),
    }
}

/// The dynamic linker's message, without the library's name at the front.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    let text = deepest.to_string();
    text.split_once(": ").filter(|(head, _)| head.contains(".so")).map_or(text.clone(), |(_, rest)| rest.to_owned())
}

/// The file from which this process has mapped the library.
fn path_of(name: &str) -> Option<String> {
    mapped_path(&std::fs::read_to_string("/proc/self/maps").ok()?, name)
}

/// The file in `/proc/self/maps` that has the library's name. Versions are ignored, because the name is often a link to
/// the file with the full version.
fn mapped_path(maps: &str, name: &str) -> Option<String> {
    if name.contains('/') {
        return Some(name.to_owned());
    }
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let files = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let mut ours = files.filter(|path| path.rsplit('/').next().is_some_and(|file| file.starts_with(stem)));
    ours.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_everywhere_is_found_and_one_that_is_not_says_why() {
        let found = look_for("libc.so.6", "tests", true);
        assert!(found.found && found.reason.is_none());
        assert!(found.path.is_some_and(|p| p.contains("libc.so")));
        let missing = look_for("libno-such-thing.so.1", "tests", true);
        let reason = missing.reason.expect("a reason");
        assert!(!missing.found && reason.contains("No such file") && !reason.contains("libno"), "{reason}");
    }

    #[test]
    fn files_are_found_behind_links() {
        let maps = "7f0-7f1 r-xp 0 08:01 1 /usr/lib/libcudart.so.12\n7f2-7f3 r-xp 0 08:01 2 /usr/lib/libcuda.so.580.65.06\n7f4-7f5 rw-p 0 00:00 0\n";
        assert_eq!(mapped_path(maps, "libcuda.so.1").as_deref(), Some("/usr/lib/libcuda.so.580.65.06"));
        assert_eq!(mapped_path(maps, "libpmix.so.2"), None);
        assert_eq!(mapped_path(maps, "/opt/lib/libfabric.so.1").as_deref(), Some("/opt/lib/libfabric.so.1"));
    }
}
