//! cushmem and candle in one program: cargo unites the features of crates that both use, so neither may insist on one.

use cushmem_outside::{cargo, scratch, sources};
use std::fs;
use std::time::Duration;
use xtask::left_out::record;
use xtask::outside::candle;
use xtask::process::run_limited;

/// On two busy cores, the crates take three minutes.
const LIMIT: Duration = Duration::from_secs(1500);

/// All crates are compiled but not linked, because the machine need not have the CUDA libraries. candle compiles its
/// own kernels with nvcc. They do not matter here, so a script writes empty files for them.
#[test]
fn builds_beside_candle() {
    let name = "outside::builds_beside_candle";
    let Some(root) = sources() else { return record(name, "the sources are not here") };
    let (example, target, cuda) = (scratch("beside-candle"), scratch("candle"), scratch("cuda"));
    if let Err(reason) = candle(&root, &example) {
        return record(name, &reason);
    }
    for folder in ["bin", "include"] {
        fs::create_dir_all(cuda.join(folder)).expect("room in the target folder");
    }
    fs::copy(root.join("tests/outside/candle/nvcc"), cuda.join("bin/nvcc")).expect("room in the target folder");
    fs::write(cuda.join("include/cuda.h"), "").expect("room in the target folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut check = cargo(&example, &target);
    check.args(["check", "--offline", "--quiet"]).env("PATH", format!("{}/bin:{path}", cuda.display()));
    let (ended, said) =
        run_limited(check.env("CUDA_ROOT", &cuda).env("CUDA_COMPUTE_CAP", "90"), LIMIT).expect("there is cargo");
    assert!(ended.failure().is_none(), "{ended:?}\n{said}");
}
