//! Build script of the kernel crates whose PTX is not committed. Tells `kernels!` which file to include: what `cargo xtask ptx` built,
//! or an empty one, with which the kernels run on the emulated GPU only.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let variable = |name| env::var(name).unwrap_or_else(|e| panic!("cargo sets {name}: {e}"));
    // The folder, not the file: cargo would build again and again for a file that is not there.
    println!("cargo::rerun-if-changed=prebuilt");
    let file = format!("{}.ptx", variable("CARGO_PKG_NAME"));
    let mut ptx = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("prebuilt").join(&file);
    if !ptx.exists() {
        ptx = PathBuf::from(variable("OUT_DIR")).join(&file);
        fs::write(&ptx, "").unwrap_or_else(|e| panic!("write {}: {e}", ptx.display()));
    }
    println!("cargo::rustc-env=KERNELS_PTX={}", ptx.display());
}
