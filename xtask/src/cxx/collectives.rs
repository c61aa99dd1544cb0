//! What the header has from Rust for teams and collectives: numbers, and the bodies of each type.

use super::body::Functions;
use cushmem_abi::{CollectiveKind, Combine, CommandKind, Folding, Number, SHARED_TEAM_SLOT, WordOp};
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
    ("broadcast", CollectiveKind::Broadcast),
    ("fcollect", CollectiveKind::Fcollect),
    ("alltoall", CollectiveKind::Alltoall),
    ("alltoalls", CollectiveKind::Alltoalls),
    ("reduce", CollectiveKind::Reduce),
    ("reducescatter", CollectiveKind::ReduceScatter),
    ("inscan", CollectiveKind::Inscan),
    ("exscan", CollectiveKind::Exscan),
];

const FOLDINGS: [(&str, Folding); 4] = [
    ("reduce", Folding::Reduce),
    ("inscan", Folding::Inscan),
    ("exscan", Folding::Exscan),
    ("scatter", Folding::Scatter),
];

const WORD_OPS: [(&str, WordOp); 5] = [
    ("min_signed", WordOp::MinSigned),
    ("max_signed", WordOp::MaxSigned),
    ("min_unsigned", WordOp::MinUnsigned),
    ("max_unsigned", WordOp::MaxUnsigned),
    ("add_float", WordOp::AddFloat),
];

/// The part of the header for teams and collectives, and for what else a first header did not have.
pub fn collectives(functions: &Functions) -> String {
    let text = include_str!("collectives.cuh").replace("@NUMBERS@", &numbers());
    let text = text.replace("@GRID@\n", include_str!("grid.cuh"));
    text.replace("@REDUCTIONS@\n", &reductions(functions)) + include_str!("extensions.cuh")
}

/// Enumerators.
fn numbers() -> String {
    let mut all: Vec<_> = NUMBERS.iter().map(|(name, of)| format!("number_{name} = {}", *of as u32)).collect();
    all.extend(COMBINES.iter().map(|(name, of)| format!("op_{name} = {}", *of as u32)));
    all.extend(KINDS.iter().map(|(name, of)| format!("kind_{name} = {}", *of as u32)));
    all.extend(FOLDINGS.iter().map(|(name, of)| format!("fold_{name} = {}", *of as u32)));
    all.extend(WORD_OPS.iter().map(|(name, of)| format!("word_{name} = {}", CommandKind::Word(*of).number())));
    all.push(format!("slot_of_shared = {SHARED_TEAM_SLOT}"));
    all.join(", ")
}

/// A line for each type of numbers that has bodies.
pub fn reductions(functions: &Functions) -> String {
    let mut text = String::new();
    for name in functions.keys().filter_map(|name| name.strip_prefix("reduce_short_")) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "SHMEM_IMPL_REDUCTION({name})");
    }
    text
}
