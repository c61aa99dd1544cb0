//! Every name of OpenSHMEM 1.6 is in both libraries and in the header, with the specification's prototype, and has a
//! twin. Every generic form finds the routine of its type.

use cushmem_capi_tests::specification::{Generic, Routine, generics, routines};
use cushmem_capi_tests::{Library, Rig};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Makes deprecated names compile without warnings.
const ALL: &str = "-DSHMEM_NO_DEPRECATED";

/// Returns what `nm` prints about a file: the last word of each line.
fn symbols(rig: &Rig, file: &str, options: &[&str]) -> BTreeSet<String> {
    let nm = Command::new("nm").args(options).arg(rig.tool(file)).output().expect("nm starts");
    assert!(nm.status.success(), "{file}: {}", String::from_utf8_lossy(&nm.stderr));
    let text = String::from_utf8_lossy(&nm.stdout).into_owned();
    text.lines().filter_map(|l| Some(l.split_whitespace().last()?.to_owned())).collect()
}

/// Catches a header from which programs cannot find out the library, as shmem4py does, or its version.
#[test]
fn programs_know_the_library_by_its_macros() {
    let Some(rig) = Rig::find("capi::programs_know_the_library_by_its_macros") else { return };
    let source = "#include <shmem.h>\n\
        #if !defined SHMEM_DEF_H || !defined SHMEM_FUNCTION_ATTRIBUTES\n#error the library is unknown to other programs\n#endif\n\
        #define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\n\
        int main(void)\n{\n    static const char vendor[] = SHMEM_VENDOR_STRING, own[] = \"cushmem \"\n\
        \x20       TEXT(CUSHMEM_MAJOR_VERSION) \".\" TEXT(CUSHMEM_MINOR_VERSION) \".\" TEXT(CUSHMEM_PATCH_VERSION);\n\
        \x20   for (int i = 0; i < (int)sizeof vendor; i++)\n        if (vendor[i] != own[i])\n            return 1;\n\
        \x20   return 0;\n}\n";
    let program = rig.compile("version.c", source, Library::Shared, &["-std=c99"]);
    assert_eq!(Rig::finish(&mut Command::new(program)).status, Some(0));
}

/// The macros and functions of a header that lack the prefix of extensions.
fn without_prefix(header: &str) -> Vec<String> {
    let code: Vec<&str> = header.split("/*").map(|rest| rest.split_once("*/").map_or(rest, |(_, code)| code)).collect();
    let code = code.join(" ");
    let word =
        |text: &str| text.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
    let called = code.match_indices('(').map(|(at, _)| word(code[..at].trim_end()));
    let defined = code.split("#define ").skip(1).filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned);
    let names = called.chain(defined.map(|name| name.split('(').next().unwrap_or_default().to_owned()));
    names.filter(|name| !name.is_empty() && !name.to_lowercase().starts_with("shmemx_")).collect()
}

/// Catches an extension with a name that OpenSHMEM or a program may use.
#[test]
fn extensions_have_their_prefix() {
    let (_, header) =
        cushmem_capi_table::headers().into_iter().find(|(name, _)| *name == "shmemx.h").expect("a header");
    assert_eq!(without_prefix(&header), Vec::<String>::new());
    assert_eq!(
        without_prefix("/* f(x) */ int shmemx_a(int); void shmem_b(void);\n#define C(x) x"),
        ["shmem_b", "C", "C"]
    );
}

/// Waits for and tests of arrays of short types, which other libraries have too.
fn of_shorts(name: &str) -> bool {
    let rest = name.strip_prefix("shmem_short_").or(name.strip_prefix("shmem_ushort_"));
    rest.is_some_and(|rest| {
        ["wait_until_", "test_"].iter().any(|before| {
            let form = rest.strip_prefix(before).map(|form| form.trim_end_matches("_vector"));
            form.is_some_and(|form| ["all", "any", "some"].contains(&form))
        })
    })
}

/// Catches a name that is not declared, or one too many.
#[test]
fn the_table_has_every_name() {
    let specified: BTreeSet<String> = routines().iter().map(|r| r.name.to_owned()).collect();
    let there: BTreeSet<String> = cushmem_capi_table::prototypes().into_iter().map(|p| p.name).collect();
    assert_eq!(specified.len(), 1782);
    let lacking: Vec<_> = specified.difference(&there).collect();
    let (shorts, surplus): (Vec<_>, Vec<_>) = there.difference(&specified).partition(|name| of_shorts(name));
    assert!(lacking.is_empty() && surplus.is_empty(), "lacks {lacking:?}, and has besides {surplus:?}");
    assert_eq!(shorts.len(), 24);
}

#[test]
fn both_libraries_have_every_name_and_its_twin() {
    let Some(rig) = Rig::find("capi::both_libraries_have_every_name_and_its_twin") else { return };
    let routines = routines();
    for (library, option) in [("c/lib/libcushmem.so", "-D"), ("c/lib/libcushmem.a", "-g")] {
        let found = symbols(&rig, library, &[option, "--defined-only"]);
        let lacks = |name: &String| !found.contains(name);
        let names = routines.iter().flat_map(|r| [r.name.to_owned(), format!("p{}", r.name)]);
        let lacking: Vec<_> = names.filter(lacks).collect();
        assert!(lacking.is_empty(), "{library} lacks {lacking:?}");
        println!("{library}: {} names, and as many twins", routines.len());
    }
}

#[test]
fn deprecated_names_are_marked() {
    let marked: BTreeSet<String> =
        cushmem_capi_table::prototypes().into_iter().filter(|p| p.deprecated).map(|p| p.name).collect();
    let marked: BTreeSet<String> = marked.into_iter().filter(|name| !of_shorts(name)).collect();
    let right: BTreeSet<String> = routines().iter().filter(|r| r.deprecated).map(|r| r.name.to_owned()).collect();
    assert_eq!(marked, right);
    assert_eq!(marked.len(), 97);
}

/// Catches a parameter whose type differs from the specification's.
#[test]
fn every_prototype_is_the_specifications() {
    let Some(rig) = Rig::find("capi::every_prototype_is_the_specifications") else { return };
    let mut source = String::from("#include <shmem.h>\n#include <pshmem.h>\n");
    for (at, Routine { name, returns, parameters, .. }) in routines().iter().enumerate() {
        for (twin, name) in [("", name.to_string()), ("p", format!("p{name}"))] {
            source += &format!("{returns} (*const {twin}check{at})({parameters}) = {name};\n");
        }
    }
    source += "int main(void) { return 0; }\n";
    for mode in ["-std=c99", "-std=c2x"] {
        rig.compile("prototypes.c", &source, Library::Shared, &[mode, ALL]);
    }
}

/// Functions with the parameters of the generic forms; each of them calls one form.
fn callers(generics: &[Generic]) -> String {
    let mut source = String::from("#include <shmem.h>\n");
    for (at, Generic { name, returns, parameters, .. }) in generics.iter().enumerate() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let names = parameters.split(", ").map(|p| p.rsplit(|c| !is_name(c)).next().unwrap_or(""));
        let arguments: Vec<&str> = if parameters == "void" { vec![] } else { names.collect() };
        let (returns, back) = match returns.as_str() {
            "void" | "_Noreturn void" => ("void", ""),
            other => (other, "return "),
        };
        source += &format!("{returns} caller{at}({parameters})\n{{\n    {back}{name}({});\n}}\n", arguments.join(", "));
    }
    source
}

/// Catches a generic form that does not call the routine of its argument's type.
#[test]
fn every_generic_calls_the_routine_of_its_type() {
    let Some(rig) = Rig::find("capi::every_generic_calls_the_routine_of_its_type") else { return };
    let routines = routines();
    let there: BTreeSet<&str> = routines.iter().map(|r| r.name).collect();
    let generics = generics(&routines);
    assert_eq!(generics.len(), 1554, "forms, one for each of their types");
    let source = callers(&generics);
    for (file, mode) in [("generics.c", "-std=c11"), ("generics.c", "-std=c2x"), ("generics.cpp", "-std=c++11")] {
        // C++ has C's complex types only as an extension.
        let source = if file.ends_with("cpp") {
            source.replace("float _Complex", "shmem_impl_complexf").replace("double _Complex", "shmem_impl_complexd")
        } else {
            source.clone()
        };
        let calls = calls_of(&rig.compile(file, &source, Library::Shared, &[mode, ALL, "-S", "-O2"]));
        for (at, Generic { name, parameters, calls: expected, .. }) in generics.iter().enumerate() {
            // One of C++'s overloads comes from C.
            let of_c = file.ends_with("cpp") && there.contains(name.as_str());
            let right = calls.get(&at) == Some(expected) || (of_c && calls.get(&at) == Some(name));
            assert!(right, "{mode}: {name}({parameters}) calls {:?}, not {expected}", calls.get(&at));
        }
    }
}

/// Returns, from assembly, which routine each function `callerN` calls.
fn calls_of(assembly: &Path) -> BTreeMap<usize, String> {
    let text = std::fs::read_to_string(assembly).expect("the compiler wrote it");
    let number = |label: &str| -> Option<usize> {
        let rest = label.split_once("caller")?.1;
        rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
    };
    let mut inside = None;
    let mut calls = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), inside) {
            (Some(label), None, _) if label.ends_with(':') && !label.starts_with('.') => inside = number(label),
            (Some("call" | "jmp"), Some(target), Some(at)) if target.starts_with("shmem_") => {
                calls.insert(at, target.trim_end_matches("@PLT").to_owned());
            }
            _ => {}
        }
    }
    calls
}

/// Catches a generic form that warns of a deprecated routine that it does not call.
#[test]
fn generics_do_not_warn_unless_they_are_deprecated() {
    let Some(rig) = Rig::find("capi::generics_do_not_warn_unless_they_are_deprecated") else { return };
    let generics: Vec<Generic> = generics(&routines()).into_iter().filter(|g| !g.deprecated).collect();
    rig.compile("quiet.c", &callers(&generics), Library::Shared, &["-std=c11", "-c"]);
}

/// Catches a type that is missing from the forms for arrays but not from the form for one word, and a form that warns
/// about it.
#[test]
fn waits_for_arrays_take_short_types() {
    let Some(rig) = Rig::find("capi::waits_for_arrays_take_short_types") else { return };
    let mut source = String::from("#include <shmem.h>\n");
    for (t, name) in [("short", "short"), ("unsigned short", "ushort")] {
        source += &format!("void {name}s({t} *w, size_t n, size_t *at, const int *but, const {t} *each)\n{{\n");
        for vector in ["", "_vector"] {
            let value = if vector.is_empty() { "7" } else { "each" };
            for form in ["wait_until_all", "wait_until_any", "test_all", "test_any"] {
                source += &format!("    shmem_{form}{vector}(w, n, but, SHMEM_CMP_EQ, {value});\n");
            }
            for form in ["wait_until_some", "test_some"] {
                source += &format!("    shmem_{form}{vector}(w, n, at, but, SHMEM_CMP_EQ, {value});\n");
            }
        }
        source += "}\n";
    }
    for (file, mode) in [("shorts.c", "-std=c11"), ("shorts.cpp", "-std=c++98")] {
        rig.compile(file, &source, Library::Shared, &[mode, "-c"]);
    }
}

/// Catches a name from before 1.6 that does not lead to the routine in one of the languages.
#[test]
fn extensions_that_became_standard_have_their_old_names() {
    let Some(rig) = Rig::find("capi::extensions_that_became_standard_have_their_old_names") else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let source = include_str!("extensions.c");
    for (file, mode) in [("extensions.c", "-std=c11"), ("extensions.cpp", "-std=c++11")] {
        for library in [Library::Shared, Library::Static] {
            let program = rig.compile(file, source, library, &[mode]);
            let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none")]);
            let checked = job.lines.iter().filter(|l| l.ends_with(" checks")).count();
            assert!(job.status == Some(0) && checked == 2, "{file}: {job:#?}");
        }
    }
}

/// Catches a missing routine for prepared operations or triggers, and structures with a different layout in C. Other
/// suites test what kernels do with them, because C has no kernels on the emulated GPU.
#[test]
fn prepared_operations_and_triggers() {
    let Some(rig) = Rig::find("capi::prepared_operations_and_triggers") else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let source = include_str!("described.c");
    for (file, mode) in [("described.c", "-std=c11"), ("described.cpp", "-std=c++11")] {
        let program = rig.compile(file, source, Library::Shared, &[mode]);
        let variables = [("CUSHMEM_GPU", "soft"), ("CUSHMEM_GPU_HEAP_SIZE", "32M")];
        let job = rig.run(&program, 2, &[], &variables);
        let checked = job.lines.iter().filter(|l| l.ends_with(" checks")).count();
        assert!(job.status == Some(0) && checked == 2, "{file}: {job:#?}");
        for (mistake, line) in [
            ("kind", "shmemx_prepare: argument op->kind: 11 is not a SHMEMX_OP_ value, 1 to 10"),
            ("dest", "shmemx_prepare: argument op->dest: 0x"),
            ("width", "shmemx_trigger_create: argument op->nbytes: 2 is not 4 or 8, the bytes of a word"),
            ("destroyed", "shmemx_trigger_arm: argument trigger: 0x1 is not a trigger, or was destroyed"),
            ("stale", "shmemx_trigger_arm: argument trigger: 0x3 is not a trigger, or was destroyed"),
            ("firm", "shmemx_trigger_cancel: it is firmly armed"),
            ("always", "shmemx_trigger_wait: it is not armed, or it is always armed"),
            ("private", "shmemx_trigger_arm_on_stream: a stream can only copy and set words that its GPU reaches"),
            ("armed", "shmemx_trigger_arm: it is armed, or its operation has run, after which only rearm works"),
        ] {
            let job = rig.run(&program, 1, &[mistake], &variables);
            assert!(job.status == Some(134) && job.lines.iter().any(|l| l.contains(line)), "{mistake}: {job:#?}");
        }
    }
}

/// A program that calls a deprecated routine is warned, unless it says that it knows.
#[test]
fn deprecated_routines_warn() {
    let Some(rig) = Rig::find("capi::deprecated_routines_warn") else { return };
    let source = "#include <shmem.h>\nint main(void) { return shmem_int_fadd(0, 1, 0); }\n";
    rig.compile("knows.c", source, Library::Shared, &["-std=c99", ALL]);
    let path = rig.compile("none.c", "int main(void) { return 0; }\n", Library::Shared, &[]).with_file_name("warns.c");
    std::fs::write(&path, source).expect("the source can be written");
    let compile =
        Command::new(rig.tool("shmemcc")).arg("-c").arg("-o").arg(path.with_extension("o")).arg(&path).output();
    let compile = compile.expect("the compiler starts");
    let said = String::from_utf8_lossy(&compile.stderr).into_owned();
    assert!(compile.status.success() && said.contains("shmem_int_fadd") && said.contains("deprecated"), "{said}");
}

/// Constants are part of the header too.
#[test]
fn constants_and_structures() {
    let Some(rig) = Rig::find("capi::constants_and_structures") else { return };
    let numbers = [
        "MAJOR_VERSION",
        "MINOR_VERSION",
        "MAX_NAME_LEN",
        "THREAD_SINGLE",
        "THREAD_FUNNELED",
        "THREAD_SERIALIZED",
        "THREAD_MULTIPLE",
        "TEAM_NUM_CONTEXTS",
        "CTX_SERIALIZED",
        "CTX_PRIVATE",
        "CTX_NOSTORE",
        "CTX_SESSION_BATCH",
        "CTX_SESSION_TOTAL_OPS",
        "SIGNAL_SET",
        "SIGNAL_ADD",
        "MALLOC_ATOMICS_REMOTE",
        "MALLOC_SIGNAL_REMOTE",
        "CMP_EQ",
        "CMP_NE",
        "CMP_GT",
        "CMP_LE",
        "CMP_LT",
        "CMP_GE",
        "SYNC_VALUE",
        "SYNC_SIZE",
        "BARRIER_SYNC_SIZE",
        "BCAST_SYNC_SIZE",
        "COLLECT_SYNC_SIZE",
        "REDUCE_SYNC_SIZE",
        "ALLTOALL_SYNC_SIZE",
        "ALLTOALLS_SYNC_SIZE",
        "REDUCE_MIN_WRKDATA_SIZE",
    ];
    let old = [
        "MAJOR_VERSION",
        "MINOR_VERSION",
        "MAX_NAME_LEN",
        "CMP_EQ",
        "CMP_NE",
        "CMP_GT",
        "CMP_LE",
        "CMP_LT",
        "CMP_GE",
        "SYNC_VALUE",
        "BARRIER_SYNC_SIZE",
        "BCAST_SYNC_SIZE",
        "COLLECT_SYNC_SIZE",
        "REDUCE_SYNC_SIZE",
        "REDUCE_MIN_WRKDATA_SIZE",
    ];
    let mut source = String::from("#include <mpp/shmem.h>\nenum {\n");
    numbers.iter().for_each(|name| source += &format!("    a_{name} = SHMEM_{name},\n"));
    old.iter().for_each(|name| {
        source += &format!("    b_{name} = _SHMEM_{name} + 0 * sizeof(char[_SHMEM_{name} == SHMEM_{name} ? 1 : -1]),\n")
    });
    source += "    last\n};\n\
        const char *const names[] = {SHMEM_VENDOR_STRING, _SHMEM_VENDOR_STRING};\n\
        int main(void)\n{\n\
        \x20   shmem_team_t teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};\n\
        \x20   shmem_ctx_t contexts[] = {SHMEM_CTX_INVALID, SHMEM_CTX_DEFAULT};\n\
        \x20   shmem_team_config_t config = {0};\n\
        \x20   shmem_ctx_session_config_t session = {0};\n\
        \x20   config.num_contexts = 1;\n    session.total_ops = SIZE_MAX;\n\
        \x20   return teams[0] == teams[1] || contexts[0] == contexts[1] || config.num_contexts != 1 || !session.total_ops;\n}\n";
    for (file, mode) in [("constants.c", "-std=c99"), ("constants.cpp", "-std=c++11")] {
        rig.compile(file, &source, Library::Shared, &[mode]);
    }
}
