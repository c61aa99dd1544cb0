//! The files that build systems use to find the library: one for `pkg-config`, and a package for CMake.

/// The name that programs are linked against, which changes when the ABI does.
pub const SONAME: &str = "libcushmem.so.0";
/// The system libraries that Rust's standard library needs in addition to the compiler's own. `-lgcc_s` would rule out
/// programs without any shared library.
pub const SYSTEM: [&str; 5] = ["-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// With this linker option, an executable's globals are symmetric; see `cushmem::raw::share_globals`.
const MARK: &str = "--defsym=cushmem_symmetric_globals=1";

/// The path of each file below `lib`, and its text.
pub fn files() -> [(&'static str, String); 3] {
    [
        ("pkgconfig/cushmem.pc", pkg_config()),
        ("cmake/cushmem/cushmem-config.cmake", cmake()),
        ("cmake/cushmem/cushmem-config-version.cmake", cmake_version()),
    ]
}

fn pkg_config() -> String {
    let system = SYSTEM.join(" ");
    // pkgconf quotes no spaces of a word with `-Wl` that follows another one, so there is a word between the two.
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         # Makes the globals of an executable symmetric; empty, they stay private:\n\
         # pkg-config --define-variable=symmetric_globals= --libs cushmem\n\
         symmetric_globals=-Wl,{MARK}\n\n\
         Name: cushmem\nDescription: OpenSHMEM for hosts with GPUs\nVersion: {VERSION}\n\
         Cflags: -I${{prefix}}/include\n\
         Libs: ${{symmetric_globals}} -L${{prefix}}/lib -Wl,-rpath,${{prefix}}/lib -lcushmem\n\
         Libs.private: {system}\n"
    )
}

fn cmake() -> String {
    let system = SYSTEM.map(|word| word.trim_start_matches("-l")).join(";");
    format!(
        r#"# find_package(cushmem) gives the target cushmem::shmem, and cushmem::shmem_static, which needs no libcushmem.so. The globals of executables
# that link one of them are symmetric. cushmem_SHMEMRUN is the program that starts their jobs.
cmake_policy(VERSION 3.13...4.0)
get_filename_component(cushmem_prefix "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
set(cushmem_SHMEMRUN "${{cushmem_prefix}}/bin/shmemrun")
foreach(cushmem_kind shmem shmem_static)
  if(NOT TARGET cushmem::${{cushmem_kind}})
    if(cushmem_kind STREQUAL "shmem")
      add_library(cushmem::shmem SHARED IMPORTED)
      set_target_properties(cushmem::shmem PROPERTIES
        IMPORTED_LOCATION "${{cushmem_prefix}}/lib/{SONAME}"
        IMPORTED_SONAME "{SONAME}")
    else()
      add_library(cushmem::shmem_static STATIC IMPORTED)
      set_target_properties(cushmem::shmem_static PROPERTIES
        IMPORTED_LOCATION "${{cushmem_prefix}}/lib/libcushmem.a"
        INTERFACE_LINK_LIBRARIES "{system}")
    endif()
    set_target_properties(cushmem::${{cushmem_kind}} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${{cushmem_prefix}}/include"
      INTERFACE_LINK_OPTIONS "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:LINKER:{MARK}>")
  endif()
endforeach()
unset(cushmem_kind)
unset(cushmem_prefix)
"#
    )
}

/// Before 1.0, each minor version may change anything.
fn cmake_version() -> String {
    let minor = VERSION.rsplit_once('.').map_or(VERSION, |(minor, _)| minor).replace('.', "\\\\.");
    format!(
        r#"set(PACKAGE_VERSION "{VERSION}")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(PACKAGE_FIND_VERSION MATCHES "^{minor}(\\.|$)" AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"#
    )
}
