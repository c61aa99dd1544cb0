//! Writes what Python needs to call the routines: signatures for ctypes, and their types for readers and checkers.
//!
//! Left out are routines that are deprecated, and those that pass values by types that ctypes lacks: complex numbers,
//! structures, and arguments without a type.

use crate::routine::{Family, Prototype};
use crate::routines::{AREAS, SHMEMX};
use std::fmt::Write as _;

const SIGNATURES_HEAD: &str = r#""""Each routine's types, the returned one first. `cargo xtask headers` writes this file.

The letters are those of the module `struct`, with `P` for every pointer and handle and `v` for nothing.
"""

VERSION = "@"

SIGNATURES = {
"#;

const TYPES_HEAD: &str = r#""""The routines of the C API. `cargo xtask headers` writes this file."""

import ctypes
from typing import Any, Optional, Union

# An address, a handle, or an object of ctypes that is passed by reference.
Pointer = Union[None, int, ctypes.Array[Any], ctypes.c_void_p, "ctypes._Pointer[Any]", "ctypes._CArgObject"]

LIBRARY: str

def library() -> ctypes.CDLL: ...
"#;

/// Each file's path below `python`, and its text.
pub fn python() -> [(&'static str, String); 2] {
    let families = AREAS.iter().chain(SHMEMX).copied().flatten();
    let known: Vec<Known> = families.flat_map(Family::prototypes).filter_map(Known::of).collect();
    let mut signatures = SIGNATURES_HEAD.replace('@', env!("CARGO_PKG_VERSION"));
    let mut types = TYPES_HEAD.to_owned();
    for Known { name, letters, parameters } in &known {
        let returned = match letters.as_bytes()[0] {
            b'v' => "None",
            b'P' => "Optional[int]",
            b'f' | b'd' => "float",
            _ => "int",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(signatures, r#"    "{name}": "{letters}","#);
        let _ = writeln!(types, "def {name}({}) -> {returned}: ...", parameters.join(", "));
    }
    [("cushmem/_signatures.py", signatures + "}\n"), ("cushmem/c.pyi", types)]
}

/// A routine that Python can call.
struct Known {
    name: String,
    letters: String,
    /// As in Python, with their types.
    parameters: Vec<String>,
}

impl Known {
    fn of(prototype: Prototype) -> Option<Self> {
        if prototype.deprecated {
            return None;
        }
        let mut letters = String::from(letter(&prototype.returns)?);
        let mut parameters = Vec::new();
        for parameter in prototype.parameters.split(", ").filter(|parameter| *parameter != "void") {
            let end = parameter.rfind(|c: char| !c.is_alphanumeric() && c != '_')? + 1;
            let (kind, name) = parameter.split_at(end);
            let letter = letter(kind)?;
            letters.push(letter);
            let kind = match letter {
                'P' => "Pointer",
                'f' | 'd' => "float",
                _ => "int",
            };
            parameters.push(format!("{name}: {kind}"));
        }
        Some(Self { name: prototype.name, letters, parameters })
    }
}

/// The letter of a type in C; `None` if ctypes lacks the type.
fn letter(kind: &str) -> Option<char> {
    let kind = kind.trim().trim_start_matches("SHMEM_IMPL_NORETURN ").trim_start_matches("const ");
    Some(match kind {
        _ if kind.ends_with('*') => 'P',
        "shmem_team_t"
        | "shmem_ctx_t"
        | "shmemx_stream_t"
        | "shmemx_prepared_t"
        | "shmemx_trigger_t"
        | "shmemx_task_queue_t"
        | "shmemx_array_t" => 'P',
        "void" => 'v',
        "char" | "signed char" | "int8_t" => 'b',
        "unsigned char" | "uint8_t" => 'B',
        "short" | "int16_t" => 'h',
        "unsigned short" | "uint16_t" => 'H',
        "int" | "int32_t" => 'i',
        "unsigned int" | "uint32_t" => 'I',
        "long" | "long long" | "int64_t" | "ptrdiff_t" => 'l',
        "unsigned long" | "unsigned long long" | "uint64_t" | "size_t" => 'L',
        "float" => 'f',
        "double" => 'd',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a file that was edited by hand, and a table that was changed without it.
    #[test]
    fn the_committed_files_are_those_of_the_table() {
        let committed = [
            include_str!("../../../../python/cushmem/_signatures.py"),
            include_str!("../../../../python/cushmem/c.pyi"),
        ];
        for ((name, generated), committed) in python().into_iter().zip(committed) {
            assert!(committed == generated, "python/{name} is out of date: `cargo xtask headers` writes it");
        }
    }

    #[test]
    fn letters_are_those_of_the_prototype() {
        let [(_, signatures), (_, types)] = python();
        for (line, text) in [
            (r#""shmem_putmem": "vPPLi","#, &signatures),
            (r#""shmem_double_atomic_fetch": "dPi","#, &signatures),
            (r#""shmem_my_pe": "i","#, &signatures),
            ("def shmem_malloc(size: int) -> Optional[int]: ...", &types),
        ] {
            assert!(text.contains(line), "{line}");
        }
        for absent in ["pcontrol", "longdouble_p\"", "prepared_device", "shmem_barrier\""] {
            assert!(!signatures.contains(absent), "{absent}");
        }
    }
}
