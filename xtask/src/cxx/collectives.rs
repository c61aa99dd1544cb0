//! What the header has from Rust for teams and collectives: numbers, and the bodies of each type.

use super::body::Functions;
use anyhow::{Context, Result};
use cushmem_abi::{CollectiveKind, Combine, Folding, Number};
use cushmem_capi_table::{HALF, Type, WORD};
use std::fmt::Write as _;

const NUMBERS: [(&str, Number); 12] = [
    ("u8", Number::U8),
    ("i8", Number::I8),
    ("u16", Number::U16),
    ("i16", Number::I16),
    ("u32", Number::U32),
    ("i32", Number::I32),
    ("u64", Number::U64),
    ("i64", Number::I64),
    ("f32", Number::F32),
    ("f64", Number::F64),
    ("f16", Number::F16),
    ("bf16", Number::Bf16),
];

const COMBINES: [(&str, Combine); 7] = [
    ("and", Combine::And),
    ("or", Combine::Or),
    ("xor", Combine::Xor),
    ("min", Combine::Min),
    ("max", Combine::Max),
    ("sum", Combine::Sum),
    ("prod", Combine::Prod),
];

const KINDS: [(&str, CollectiveKind); 8] = [
    ("BROADCAST", CollectiveKind::Broadcast),
    ("FCOLLECT", CollectiveKind::Fcollect),
    ("ALLTOALL", CollectiveKind::Alltoall),
    ("ALLTOALLS", CollectiveKind::Alltoalls),
    ("REDUCE", CollectiveKind::Reduce),
    ("REDUCESCATTER", CollectiveKind::ReduceScatter),
    ("INSCAN", CollectiveKind::Inscan),
    ("EXSCAN", CollectiveKind::Exscan),
];

const FOLDINGS: [(&str, Folding); 4] = [
    ("REDUCE", Folding::Reduce),
    ("INSCAN", Folding::Inscan),
    ("EXSCAN", Folding::Exscan),
    ("SCATTER", Folding::Scatter),
];

/// The part of the header for teams and collectives.
pub fn collectives(functions: &Functions) -> Result<String> {
    let text = include_str!("collectives.cuh").replace("@NUMBERS@", &numbers()?);
    Ok(text.replace("@REDUCTIONS@\n", &reductions(functions)))
}

/// Enumerators, also `of_TYPENAME` for each type.
fn numbers() -> Result<String> {
    let mut all: Vec<_> = NUMBERS.iter().map(|(name, of)| (name.to_uppercase(), *of as u32)).collect();
    all.extend(COMBINES.iter().map(|(name, of)| (format!("COMBINE_{}", name.to_uppercase()), *of as u32)));
    all.extend(KINDS.iter().map(|(name, of)| ((*name).to_owned(), *of as u32)));
    all.extend(FOLDINGS.iter().map(|(name, of)| (format!("FOLD_{name}"), *of as u32)));
    let mut text: Vec<_> = all.iter().map(|(name, number)| format!("SHMEM_IMPL_{name} = {number}")).collect();
    for t in WORD.iter().chain(HALF.iter()) {
        text.push(format!("of_{} = {}", t.name, number_of(t)? as u32));
    }
    Ok(text.join(", "))
}

fn number_of(t: &Type) -> Result<Number> {
    Ok(match t.fundamental() {
        "float" => Number::F32,
        "double" => Number::F64,
        "char" | "signed char" => Number::I8,
        "short" => Number::I16,
        "int" => Number::I32,
        "long" | "long long" => Number::I64,
        "unsigned char" => Number::U8,
        "unsigned short" => Number::U16,
        "unsigned int" => Number::U32,
        "unsigned long" | "unsigned long long" => Number::U64,
        _ if t.name == "half" => Number::F16,
        _ => (t.name == "bfloat16").then_some(Number::Bf16).with_context(|| format!("the number of {}", t.c))?,
    })
}

/// A line for each type of numbers that has bodies.
fn reductions(functions: &Functions) -> String {
    let mut text = String::new();
    for name in functions.keys().filter_map(|name| name.strip_prefix("reduce_short_")) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "SHMEM_IMPL_REDUCTION(SHMEM_IMPL_{}, {name})", name.to_uppercase());
    }
    text
}
