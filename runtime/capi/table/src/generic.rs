//! The type-generic forms, which select the routine by an argument's type: macros in C11, overloads in C++.
//!
//! A macro selects by the type of the first pointer, which may follow a context or team. It also distinguishes a
//! context from a pointer by its type. The branches that are not selected must still be valid C, so only the selected
//! pointer is dereferenced. The compiler also warns about deprecated names in those branches, so they use other names
//! there.

use crate::routine::{Family, Prototype, Routine};
use crate::routines::{AREAS, prototypes};
use crate::types::{Type, Types};
use std::fmt::Write as _;

const C_HEAD: &str = "
/* The same without the type in the name. An argument with a comma of its own needs parentheses. */
#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define SHMEM_IMPL_1ST_OF(first, ...) first
#define SHMEM_IMPL_2ND_OF(first, second, ...) second
#define SHMEM_IMPL_1ST(...) SHMEM_IMPL_1ST_OF(__VA_ARGS__, 0)
#define SHMEM_IMPL_2ND(...) SHMEM_IMPL_2ND_OF(__VA_ARGS__, 0, 0)
#define SHMEM_IMPL_BY_CTX(with, without, ...) \\
    _Generic((SHMEM_IMPL_1ST(__VA_ARGS__)), shmem_ctx_t: with, default: without)
#define SHMEM_IMPL_POINTER(...) *SHMEM_IMPL_BY_CTX((SHMEM_IMPL_2ND(__VA_ARGS__)), (SHMEM_IMPL_1ST(__VA_ARGS__)), __VA_ARGS__)
";

const QUIET: &str = "
#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"
#endif
#if defined __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1215, 1444
#endif
";

const LOUD: &str = "
#if defined __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diagnostic pop
#endif
#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
";

/// The part of `shmem.h` after the prototypes.
pub(crate) fn generics(families: &[&Family], all: &[Prototype]) -> String {
    let generic = || families.iter().flat_map(|f| f.routines.iter().filter(|r| r.generic).map(|r| (*f, r)));
    let has = |name: &str| all.iter().any(|p| p.name == name);
    let mut text = String::from(C_HEAD);
    let mut lists: Vec<&str> = vec![];
    for (family, _) in generic() {
        if !lists.contains(&family.types.name) {
            lists.push(family.types.name);
            text += &by_type(family.types);
        }
    }
    text += QUIET;
    for (family, routine) in generic().filter(|(_, r)| !r.deprecated) {
        for old in distinct(family.types).into_iter().filter(|t| t.deprecated).flat_map(|t| routine.of(t)) {
            text += &call("static inline ", &old.name.replacen("shmem_", "shmem_impl_", 1), &old, &old.name);
        }
    }
    for old in all.iter().filter(|p| p.name == "shmem_sync") {
        text += &call("static inline ", "shmem_impl_sync", old, "shmem_sync");
    }
    text += LOUD;
    for (family, routine) in generic() {
        text += &macro_of(routine, family.types);
    }
    for signal in ["signal_set", "signal_add"] {
        line(&mut text, &format!("#define shmem_{signal}(...) \\"));
        line(
            &mut text,
            &format!("    SHMEM_IMPL_BY_CTX(shmem_ctx_{signal}, shmem_{signal}, __VA_ARGS__)(__VA_ARGS__)"),
        );
    }
    if has("shmem_sync") && has("shmem_team_sync") {
        line(&mut text, "#define shmem_sync(...) \\");
        line(
            &mut text,
            "    _Generic((SHMEM_IMPL_1ST(__VA_ARGS__)), shmem_team_t: shmem_team_sync, default: shmem_impl_sync)(__VA_ARGS__)",
        );
    }
    text += "#elif defined __cplusplus";
    text += QUIET;
    text += "extern \"C++\" {\n";
    for (family, routine) in generic() {
        for prototype in distinct(family.types).into_iter().flat_map(|t| routine.of(t)) {
            let name = routine.without_type();
            // C already has one of them.
            if !all.iter().any(|p| p.name == name && p.parameters == prototype.parameters) {
                text += &call(inline(&prototype), &name, &prototype, &prototype.name);
            }
        }
    }
    for (name, prototype) in all.iter().filter_map(|p| Some((OVERLOADS.iter().find(|o| o.0 == p.name)?.1, p))) {
        text += &call(inline(prototype), name, prototype, &prototype.name);
    }
    text + "}" + LOUD + "#endif\n"
}

/// The overloads for kernels, for a compiler that does not read those of `shmem.h`.
pub fn device_generics() -> String {
    let all = prototypes();
    let generic =
        AREAS.iter().copied().flatten().flat_map(|f| f.routines.iter().filter(|r| r.generic).map(move |r| (f, r)));
    let each = generic.flat_map(|(family, routine)| {
        let of_types = distinct(family.types).into_iter().flat_map(|t| routine.of(t));
        of_types.map(|prototype| (routine.without_type(), prototype)).collect::<Vec<_>>()
    });
    let is_new = |name: &str, p: &Prototype| !all.iter().any(|c| c.name == name && c.parameters == p.parameters);
    let typed = each.filter(|(name, p)| !p.device.is_empty() && is_new(name, p));
    let others = all.iter().filter(|p| !p.device.is_empty()).filter_map(|p| {
        let name = OVERLOADS.iter().find(|o| o.0 == p.name)?.1;
        Some((name.to_owned(), p.clone()))
    });
    typed.chain(others).map(|(name, p)| call("__device__ inline ", &name, &p, &p.name)).collect()
}

/// How a function of C++ begins that calls this routine.
fn inline(called: &Prototype) -> &'static str {
    if called.device.is_empty() { "inline " } else { "SHMEM_IMPL_DEVICE inline " }
}

/// Routines that C++ also has under another name that is the same for all types.
const OVERLOADS: [(&str, &str); 3] = [
    ("shmem_ctx_signal_set", "shmem_signal_set"),
    ("shmem_ctx_signal_add", "shmem_signal_add"),
    ("shmem_team_sync", "shmem_sync"),
];

/// The types, without those that are other names of earlier ones.
fn distinct(types: &Types) -> Vec<&Type> {
    let mut found: Vec<&Type> = vec![];
    for t in types.iter() {
        if !found.iter().any(|f| f.fundamental() == t.fundamental()) {
            found.push(t);
        }
    }
    found
}

/// `SHMEM_IMPL_LIST(before, after, value)`: the routine of the value's type.
fn by_type(types: &Types) -> String {
    let case = |t: &&Type| {
        let other = if t.deprecated { "impl_" } else { "" };
        format!("    {}: before##{other}{}##after", t.c, t.name)
    };
    let cases: Vec<String> = distinct(types).iter().map(case).collect();
    format!("#define SHMEM_IMPL_{}(before, after, value) _Generic(value, \\\n{})\n", types.name, cases.join(", \\\n"))
}

fn macro_of(routine: &Routine, types: &Types) -> String {
    let after = routine.name.trim_start_matches("shmem_NAME");
    let choose = |before: &str, value: &str| format!("SHMEM_IMPL_{}({before}, {after}, {value})", types.name);
    let chosen = if routine.context {
        let pointer = "SHMEM_IMPL_POINTER(__VA_ARGS__)";
        let (with, without) = (choose("shmem_ctx_", pointer), choose("shmem_", pointer));
        format!("SHMEM_IMPL_BY_CTX( \\\n    {with}, \\\n    {without}, __VA_ARGS__)")
    } else if routine.parameters.starts_with("shmem_team_t") {
        choose("shmem_", "*(SHMEM_IMPL_2ND(__VA_ARGS__))")
    } else {
        choose("shmem_", "*(SHMEM_IMPL_1ST(__VA_ARGS__))")
    };
    format!("#define {}(...) \\\n    {chosen}(__VA_ARGS__)\n", routine.without_type())
}

/// A function that only calls another one.
fn call(before: &str, name: &str, of: &Prototype, called: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let arguments: Vec<&str> =
        of.parameters.split(", ").filter_map(|p| p.rsplit(|c: char| !is_name(c)).next()).collect();
    let back = if of.returns == "void" { "" } else { "return " };
    format!("{before}{} {name}({}) {{ {back}{called}({}); }}\n", of.returns, of.parameters, arguments.join(", "))
}

fn line(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}
