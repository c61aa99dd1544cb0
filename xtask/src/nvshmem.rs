//! The folder `nvshmem` of an installation: headers and libraries with NVSHMEM's names, laid out as in NVSHMEM's own,
//! so that its path can be given as `NVSHMEM_HOME`.
//!
//! The library has the names of the host and needs `libcushmem.so`. All that kernels call is in the headers, so the
//! library of device code contains nothing; it is there because build systems ask for it.

use crate::packages::SONAME;
use crate::process::run;
use anyhow::{Context, Result};
use cushmem_capi_table::{nvshmem_headers, nvshmem_library};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The folder below a prefix.
const FOLDER: &str = "nvshmem";
const HOST: &str = "libnvshmem_host.so.3";
/// Other names of the host's library.
const ALSO: [&str; 2] = ["libnvshmem_host.so", "libnvshmem.so"];
/// The headers that those of NVSHMEM include.
const INCLUDED: [&str; 5] = ["shmem.h", "shmemx.h", "shmemx_device.cuh", "shmemx_tasks.cuh", "shmemx_arrays.cuh"];
/// The release whose names these are.
const VERSION: &str = "3.4.5";

/// Writes headers, and the package for CMake. Files of an earlier version are removed.
pub fn write_texts(prefix: &Path) -> Result<()> {
    let folder = prefix.join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("empty {}", folder.display()))?;
    }
    for (name, text) in nvshmem_headers() {
        write(&folder.join("include").join(name), &text)?;
    }
    for name in INCLUDED {
        link(&format!("../../include/{name}"), &folder.join("include").join(name))?;
    }
    let cmake = folder.join("lib/cmake/nvshmem");
    write(&cmake.join("NVSHMEMConfig.cmake"), CMAKE)?;
    write(&cmake.join("NVSHMEMConfigVersion.cmake"), &CMAKE_VERSION.replace('@', VERSION))
}

/// Compiles and links the libraries, in the folder of [`write_texts`]. `compiler` starts with no arguments.
pub fn library(compiler: impl Fn() -> Command, prefix: &Path, sources: &Path, parts: &Path) -> Result<()> {
    let lib = prefix.join(FOLDER).join("lib");
    write(&parts.join("nvshmem_names.h"), &nvshmem_library())?;
    let exports = parts.join("nvshmem.map");
    write(&exports, "{ global: nvshmem*; local: *; };\n")?;
    let mut shared = compiler();
    shared.args(["-O2", "-fPIC", "-shared", "-Werror", "-Wno-deprecated-declarations", "-I"]).arg(parts);
    shared.arg("-I").arg(prefix.join("include")).arg("-I").arg(prefix.join(FOLDER).join("include"));
    // Written under another path first, so that a running job keeps the library that it has.
    let fresh = parts.join(HOST);
    shared.arg(sources.join("nvshmem.c")).arg("-o").arg(&fresh);
    shared.arg(format!("-Wl,--version-script={}", exports.display()));
    shared.args([&format!("-Wl,-soname,{HOST}"), "-Wl,-z,nodelete", "-Wl,-z,relro,-z,now", "-Wl,--no-undefined"]);
    // A routine of the program with a name of ours does not take its place inside the library.
    shared.args(["-Wl,-Bsymbolic-functions"]);
    // Found wherever the folder is, as long as it is inside an installation.
    shared.arg("-Wl,-rpath,$ORIGIN/../../lib").arg("-L").arg(prefix.join("lib")).args(["-lcushmem", "-ldl"]);
    run(&mut shared)?;
    fs::rename(&fresh, lib.join(HOST))?;
    for name in ALSO {
        link(HOST, &lib.join(name))?;
    }
    // Programs find it beside the library with NVSHMEM's names.
    link(&format!("../../lib/{SONAME}"), &lib.join(SONAME))?;
    let empty = parts.join("nvshmem_device.c");
    write(
        &empty,
        "/* All that kernels call is in the headers. */\nconst char nvshmem_device_is_in_the_headers = 1;\n",
    )?;
    let object = empty.with_extension("o");
    run(compiler().args(["-O2", "-fPIC", "-c"]).arg(&empty).arg("-o").arg(&object))?;
    let archive = lib.join("libnvshmem_device.a");
    // `ar` adds to an existing archive.
    let _ = fs::remove_file(&archive);
    run(Command::new("ar").arg("crs").arg(&archive).arg(&object))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}

fn link(to: &str, at: &Path) -> Result<()> {
    // An earlier link may exist.
    let _ = fs::remove_file(at);
    symlink(to, at).with_context(|| format!("make {}", at.display()))
}

const CMAKE: &str = r#"# find_package(NVSHMEM) gives the targets nvshmem::nvshmem_host and nvshmem::nvshmem_device, and nvshmem::nvshmem,
# which is both. The second one brings the headers alone: all that kernels call is in them.
cmake_policy(VERSION 3.13...4.0)
get_filename_component(NVSHMEM_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(NVSHMEM_HOME "${NVSHMEM_PREFIX}")
set(NVSHMEM_INCLUDE_DIR "${NVSHMEM_PREFIX}/include")
set(NVSHMEM_INCLUDE_DIRS "${NVSHMEM_PREFIX}/include")
set(NVSHMEM_LIBRARY_DIR "${NVSHMEM_PREFIX}/lib")
set(NVSHMEM_LIBRARIES nvshmem::nvshmem_host nvshmem::nvshmem_device)
set(NVSHMEM_FOUND TRUE)
if(NOT TARGET nvshmem::nvshmem_host)
  add_library(nvshmem::nvshmem_host SHARED IMPORTED)
  set_target_properties(nvshmem::nvshmem_host PROPERTIES
    IMPORTED_LOCATION "${NVSHMEM_PREFIX}/lib/libnvshmem_host.so.3"
    IMPORTED_SONAME "libnvshmem_host.so.3"
    INTERFACE_INCLUDE_DIRECTORIES "${NVSHMEM_PREFIX}/include")
endif()
if(NOT TARGET nvshmem::nvshmem_device)
  add_library(nvshmem::nvshmem_device STATIC IMPORTED)
  set_target_properties(nvshmem::nvshmem_device PROPERTIES
    IMPORTED_LOCATION "${NVSHMEM_PREFIX}/lib/libnvshmem_device.a"
    INTERFACE_INCLUDE_DIRECTORIES "${NVSHMEM_PREFIX}/include")
endif()
if(NOT TARGET nvshmem::nvshmem)
  add_library(nvshmem::nvshmem INTERFACE IMPORTED)
  set_target_properties(nvshmem::nvshmem PROPERTIES
    INTERFACE_LINK_LIBRARIES "nvshmem::nvshmem_host;nvshmem::nvshmem_device")
endif()
"#;

const CMAKE_VERSION: &str = r#"set(PACKAGE_VERSION "@")
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"#;
