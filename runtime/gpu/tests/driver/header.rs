//! Compares the table of the driver's functions with `cuda.h`, using the C compiler: what the table says becomes static
//! assertions.

use super::compiler;
use cushmem_scratch::Folder;
use std::fs;
use std::process::Command;
use xtask::left_out::record;
use xtask::machine::cuda_toolkit;

const TABLE: &str = include_str!("../../src/cuda/driver.rs");

/// The layouts of structures, whose fields have other names in Rust.
const LAYOUTS: &str = "
_Static_assert(sizeof(CUresult) == 4 && sizeof(CUdeviceptr) == 8 && sizeof(CUuuid) == 16, \"numbers\");
_Static_assert(sizeof(CUipcMemHandle) == 64, \"handles\");
_Static_assert(sizeof(CUmemLocation) == 8 && sizeof(CUmemAccessDesc) == 12, \"locations\");
_Static_assert(offsetof(CUmemAllocationProp, requestedHandleTypes) == 4, \"properties\");
_Static_assert(offsetof(CUmemAllocationProp, location) == 8, \"properties\");
_Static_assert(offsetof(CUmemAllocationProp, win32HandleMetaData) == 16, \"properties\");
_Static_assert(offsetof(CUmemAllocationProp, allocFlags) == 24, \"properties\");
_Static_assert(offsetof(CUmemAllocationProp, allocFlags.gpuDirectRDMACapable) == 25, \"properties\");
_Static_assert(sizeof(CUmemAllocationProp) == 32, \"properties\");
_Static_assert(offsetof(CUDA_MEMCPY2D, srcDevice) == 32 && offsetof(CUDA_MEMCPY2D, dstDevice) == 88, \"rows\");
_Static_assert(offsetof(CUDA_MEMCPY2D, Height) == 120 && sizeof(CUDA_MEMCPY2D) == 128, \"rows\");
_Static_assert(sizeof(CUstreamBatchMemOpParams) == 48, \"batch\");
_Static_assert(offsetof(CUstreamBatchMemOpParams, writeValue.address) == 8, \"batch\");
_Static_assert(offsetof(CUstreamBatchMemOpParams, writeValue.value64) == 16, \"batch\");
_Static_assert(offsetof(CUstreamBatchMemOpParams, writeValue.flags) == 24, \"batch\");
_Static_assert(CU_MEM_LOCATION_TYPE_DEVICE == 1, \"locations\");
#if CUDA_VERSION >= 12090
_Static_assert(CU_MEM_LOCATION_TYPE_HOST == 2 && CU_MEM_LOCATION_TYPE_HOST_NUMA == 3, \"locations\");
#endif
";

fn c_type(rust: &str) -> String {
    match rust {
        "c_uint" => "unsigned int".into(),
        "c_int" => "int".into(),
        "c_ulonglong" => "unsigned long long".into(),
        "c_char" => "char".into(),
        "c_void" => "void".into(),
        "usize" => "size_t".into(),
        "u32" => "cuuint32_t".into(),
        "u64" => "cuuint64_t".into(),
        "f32" => "float".into(),
        handle => match (handle.strip_prefix("*mut "), handle.strip_prefix("*const ")) {
            (Some(to), _) => format!("{} *", c_type(to)),
            (_, Some(to)) => format!("const {} *", c_type(to)),
            _ => handle.into(),
        },
    }
}

/// Returns one assertion for each function and one for each value.
fn assertions() -> (usize, usize, String) {
    let (mut functions, mut values, mut text) = (0, 0, String::new());
    let table = TABLE.split("\nfunctions! {\n").nth(1).and_then(|t| t.split("\n}\n").next()).expect("the table");
    for function in table.split("fn ").skip(1) {
        let (name, rest) = function.split_once('(').expect("a function");
        let types = rest.split(')').next().expect("parameters").split(',').filter_map(|p| p.split_once(": "));
        let types: Vec<String> = types.map(|(_, t)| c_type(t.trim())).collect();
        let types = if types.is_empty() { "void".into() } else { types.join(", ") };
        text += &format!(
            "_Static_assert(__builtin_types_compatible_p(__typeof__({name}), CUresult({types})), \"{name}\");\n"
        );
        functions += 1;
    }
    for line in TABLE.lines().map(str::trim) {
        let named = line.strip_prefix("pub const CU").map(|rest| format!("CU{rest}")).unwrap_or_else(|| line.into());
        let (Some((name, _)), Some((_, value))) = (named.split_once([':', ' ']), named.rsplit_once(" = ")) else {
            continue;
        };
        let number: String = value.chars().filter(char::is_ascii_digit).collect();
        if name.starts_with("CU") && name.contains('_') && name == name.to_ascii_uppercase() && !number.is_empty() {
            text += &format!("_Static_assert({name} == {number}, \"{name}\");\n");
            values += 1;
        }
    }
    (functions, values, text)
}

#[test]
fn the_table_is_that_of_the_header() {
    let name = "gpu::the_table_is_that_of_the_header";
    let (functions, values, text) = assertions();
    assert_eq!((functions, values), (cushmem_gpu::cuda::driver::NAMES.len(), 62), "what the table has:\n{text}");
    let Some(toolkit) = cuda_toolkit() else { return record(name, "no cuda.h ($CUDA_HOME, /usr/local/cuda)") };
    let folder = Folder::new("table").expect("room for a folder");
    let compiles = |text: &str| {
        let source = folder.join("table.c");
        // With this macro, names are those of the ABI instead of macros that lead to the newest ones.
        let head = "#define __CUDA_API_VERSION_INTERNAL\n#include <cuda.h>\n#include <stddef.h>\n";
        fs::write(&source, format!("{head}{LAYOUTS}{text}")).expect("room for a file");
        let mut compile = Command::new(compiler());
        compile.arg("-fsyntax-only").arg("-I").arg(toolkit.join("include")).arg(&source);
        compile.output().map(|out| (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned()))
    };
    match compiles(&text) {
        Err(error) => record(name, &format!("no C compiler: {error}")),
        Ok((right, said)) => {
            assert!(right, "{said}");
            for (from, to) in [("CUresult(unsigned int)", "CUresult(float)"), (" == 600,", " == 601,")] {
                let (wrong, said) = compiles(&text.replace(from, to)).expect("it compiled before");
                assert!(!wrong, "the compiler does not see {to}: {said}");
            }
        }
    }
}
