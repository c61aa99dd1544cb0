//! Sources with NVSHMEM's names are compiled and linked in the ways in which people build them. On two GPUs,
//! `tests/outside/cxx/nvshmem.cu` and `nvshmem_starts.cu` run and check values; `nvshmem_tile.cu` is for people to run.

use crate::cxx::{Rig, has_two_gpus};
use cushmem_outside::clean;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Names that programs use, with alternatives in braces.
const NAMES: &str = include_str!("../../cxx/nvshmem-names.txt");
/// Constants and sizes that NVSHMEM gives its programs.
const CONSTANTS: &str = "NVSHMEM_CMP_EQ NVSHMEM_CMP_NE NVSHMEM_CMP_GT NVSHMEM_CMP_LE NVSHMEM_CMP_LT NVSHMEM_CMP_GE \
    NVSHMEM_SIGNAL_SET NVSHMEM_SIGNAL_ADD NVSHMEM_TEAM_INVALID NVSHMEM_TEAM_WORLD NVSHMEM_TEAM_SHARED \
    NVSHMEMX_TEAM_NODE NVSHMEMX_TEAM_SAME_MYPE_NODE NVSHMEMX_SUCCESS NVSHMEMX_ERROR_INTERNAL \
    NVSHMEM_STATUS_NOT_INITIALIZED NVSHMEM_STATUS_IS_INITIALIZED NVSHMEM_STATUS_FULL_MPG NVSHMEM_STATUS_INVALID NVSHMEMX_INIT_WITH_MPI_COMM \
    NVSHMEMX_INIT_WITH_SHMEM NVSHMEMX_INIT_WITH_UNIQUEID NVSHMEM_THREAD_SERIALIZED NVSHMEM_MAX_NAME_LEN \
    sizeof(nvshmemx_uniqueid_t) sizeof(nvshmemx_uniqueid_args_t) sizeof(nvshmemx_init_args_t) \
    sizeof(nvshmemx_init_attr_t) sizeof(nvshmem_team_config_t) sizeof(nvshmem_team_t)";

/// `a{b,c}d` is `abd` and `acd`.
fn expanded(name: &str) -> Vec<String> {
    let Some((before, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
    let (inside, after) = rest.split_once('}').expect("a closing brace");
    inside.split(',').flat_map(|one| expanded(&format!("{before}{one}{after}"))).collect()
}

pub(crate) fn compiles(rig: &Rig) {
    let folder = rig.library.parent().expect("below a prefix").join("nvshmem");
    let include = folder.join("include");
    let include = include.to_str().expect("a path in UTF-8");
    let gpu = if has_two_gpus() { "-arch=native" } else { "-arch=sm_90" };
    let own = [gpu, "-I", include, "-Xcompiler", "-fPIC", "-c"];
    hosts(rig, include);
    let program = |object: &str, more: &[&str], libraries: &[&str]| {
        let mut link = clean("g++");
        link.arg(object).args(more).arg("-L").arg(folder.join("lib")).args(libraries);
        link.arg("-L").arg(&rig.nvcc.libraries);
        rig.run(link.args(["-lcudart_static", "-lpthread", "-ldl", "-lrt", "-o", "nvshmem-program"]));
    };
    let run = |ways: &[&str], expected: &str| {
        for way in ways.iter().filter(|_| has_two_gpus()) {
            let mut command = Command::new(&rig.shmemrun);
            command.env("LD_LIBRARY_PATH", folder.join("lib")).args(["-n", "2", "./nvshmem-program"]);
            let said = rig.run(command.args(way.split_whitespace()));
            assert!(said.contains(expected), "{way}: {said}");
        }
    };
    for (file, ways) in [
        ("apps/examples/nvshmem/alltoall.cu", &[][..]),
        ("apps/examples/nvshmem/jacobi.cu", &[]),
        ("tests/outside/cxx/nvshmem.cu", &[""]),
        ("tests/outside/cxx/nvshmem_starts.cu", &["chosen", "context", "first", "some", "barrier", "late"]),
    ] {
        // CUDA's cooperative groups need C++17.
        rig.compile(file, &[&own[..], &["-std=c++17"]].concat(), "nvshmem.o");
        program("nvshmem.o", &[], &["-lnvshmem_host", "-lnvshmem_device"]);
        run(ways, "all values are right");
    }
    rig.compile("tests/outside/cxx/nvshmem_tile.cu", &[&own[..], &["-std=c++17"]].concat(), "nvshmem.o");
    // As NVSHMEM needs it.
    rig.compile("apps/examples/nvshmem/alltoall.cu", &[&own[..], &["-rdc=true"]].concat(), "nvshmem.o");
    for device in ["-lnvshmem_device", "-lnvshmem"] {
        let mut link = rig.nvcc.command();
        link.args(["-arch=sm_90", "-dlink", "nvshmem.o", "-L"])
            .arg(folder.join("lib"))
            .args([device, "-o", "device.o"]);
        rig.run(&mut link);
        program("nvshmem.o", &["device.o"], &["-lnvshmem"]);
    }
    // A module of the driver API has a context that nvshmemx_cumodule_init finds.
    for kind in ["cubin", "ptx"] {
        let (output, option) = (format!("nvshmem.{kind}"), format!("-{kind}"));
        rig.compile(
            "apps/examples/nvshmem/alltoall.cu",
            &["-arch=sm_90", "-I", include, "-DSHMEMX_MODULE", &option],
            &output,
        );
        let module = fs::read(rig.work.join(&output)).expect("it was written");
        assert!(["cushmem_context", "cushmem_abi_version"].iter().all(|name| has(&module, name)), "{output}");
    }
    let ours = types(rig, include);
    // NVIDIA's headers are on machines to which somebody has brought them.
    if let Some(theirs) = std::env::var_os("NVSHMEM_TO_COMPARE").map(PathBuf::from) {
        let theirs = types(rig, theirs.join("include").to_str().expect("a path in UTF-8"));
        assert_eq!(ours, theirs);
    }
}

fn has(module: &[u8], symbol: &str) -> bool {
    module.windows(symbol.len()).any(|bytes| bytes == symbol.as_bytes())
}

/// The names of the host, by another compiler and by nvcc.
fn hosts(rig: &Rig, include: &str) {
    let source = rig.work.join("host-nvshmem.cpp");
    let text = "#include <nvshmem.h>\n#include <nvshmemx.h>\n#include <host/nvshmem_api.h>\n#include <nvshmem_host.h>\n\
        #include <device/nvshmem_coll_defines.cuh>\n#include <device/nvshmemx_coll_defines.cuh>\n\
        #include <device/tile/nvshmemx_tile_api.hpp>\n#include <device/tile/nvshmemx_tile_api_defines.cuh>\n\
        int joined(nvshmemx_init_attr_t *attr) { return nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, attr); }\n\
        int without_errors() { assert(errno == 0); return INT_MAX; }\n";
    fs::write(&source, text).expect("room in the target folder");
    let cuda = rig.nvcc.libraries.parent().expect("below CUDA's folder").join("include");
    for language in ["-std=c++14", "-std=c++17", "-std=c++20"] {
        let mut host = clean("g++");
        host.args([language, "-Wall", "-Wextra", "-Werror", "-c", "-I", include, "-isystem"]).arg(&cuda);
        rig.run(host.arg(&source).args(["-o", "host-nvshmem.o"]));
    }
    let source = source.to_str().expect("a path in UTF-8");
    rig.compile(source, &["-x", "cu", "-DNVSHMEM_HOSTLIB_ONLY", "-c", "-I", include], "host-nvshmem.o");
}

/// What the headers in a folder declare: each name with its type, and each constant with its value, as names of an
/// object file.
fn types(rig: &Rig, include: &str) -> Vec<String> {
    let names = NAMES.lines().filter(|line| !line.starts_with('#')).flat_map(expanded);
    let mut text = String::from("#include <nvshmem.h>\n#include <nvshmemx.h>\n");
    text += "template <int number, class type> void name_is() {}\ntemplate <int number, long long value> void value_is() {}\n";
    // NVIDIA's headers declare these twice, with different parameters.
    for (number, name) in names.filter(|name| !name.starts_with("nvshmemx_broadcastmem_")).enumerate() {
        let _ = writeln!(text, "template void name_is<{number}, decltype({name})>();");
    }
    for (number, constant) in CONSTANTS.split_whitespace().enumerate() {
        let _ = writeln!(text, "template void value_is<{number}, (long long){constant}>();");
    }
    let source = rig.work.join("types.cu");
    fs::write(&source, text).expect("room in the target folder");
    let source = source.to_str().expect("a path in UTF-8");
    rig.compile(source, &["-std=c++17", "-arch=sm_90", "-rdc=true", "-I", include, "-c"], "types.o");
    let said = rig.run(clean("nm").arg("--defined-only").arg("types.o"));
    let symbol = |line: &str| line.split_whitespace().last().map(str::to_owned);
    let ours = |symbol: &String| symbol.contains("name_is") || symbol.contains("value_is");
    // The numbers of versions are part of the names of structures.
    let mut all: Vec<_> = said.lines().filter_map(symbol).filter(ours).map(|s| s.replace("_v2", "_v1")).collect();
    all.sort();
    all
}
