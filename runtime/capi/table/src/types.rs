//! The types of OpenSHMEM 1.6: tables 5 (remote memory access), 6 to 8 (atomics) and 9 (waiting, the same as 6).

/// A type that has routines of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// `TYPENAME`, as in `shmem_TYPENAME_put`.
    pub name: &'static str,
    /// The type in C.
    pub c: &'static str,
}

/// Calls `$callback!` with all types of remote memory access that Rust has, in rows `name rust_type "C type";`.
#[macro_export]
macro_rules! word_types {
    ($callback:ident) => {
        $callback! {
            float f32 "float";
            double f64 "double";
            char i8 "char";
            schar i8 "signed char";
            short i16 "short";
            int i32 "int";
            long i64 "long";
            longlong i64 "long long";
            uchar u8 "unsigned char";
            ushort u16 "unsigned short";
            uint u32 "unsigned int";
            ulong u64 "unsigned long";
            ulonglong u64 "unsigned long long";
            int8 i8 "int8_t";
            int16 i16 "int16_t";
            int32 i32 "int32_t";
            int64 i64 "int64_t";
            uint8 u8 "uint8_t";
            uint16 u16 "uint16_t";
            uint32 u32 "uint32_t";
            uint64 u64 "uint64_t";
            size usize "size_t";
            ptrdiff i64 "ptrdiff_t";
        }
    };
}

/// As [`word_types`], with the types of standard atomics and of waiting.
#[macro_export]
macro_rules! amo_types {
    ($callback:ident) => {
        $callback! {
            int i32 "int";
            long i64 "long";
            longlong i64 "long long";
            uint u32 "unsigned int";
            ulong u64 "unsigned long";
            ulonglong u64 "unsigned long long";
            int32 i32 "int32_t";
            int64 i64 "int64_t";
            uint32 u32 "uint32_t";
            uint64 u64 "uint64_t";
            size usize "size_t";
            ptrdiff i64 "ptrdiff_t";
        }
    };
}

/// As [`word_types`], with the types that only extended atomics have beyond the standard ones.
#[macro_export]
macro_rules! extended_types {
    ($callback:ident) => {
        $callback! {
            float f32 "float";
            double f64 "double";
        }
    };
}

/// As [`word_types`], with the types of bitwise atomics.
#[macro_export]
macro_rules! bitwise_types {
    ($callback:ident) => {
        $callback! {
            uint u32 "unsigned int";
            ulong u64 "unsigned long";
            ulonglong u64 "unsigned long long";
            int32 i32 "int32_t";
            int64 i64 "int64_t";
            uint32 u32 "uint32_t";
            uint64 u64 "uint64_t";
        }
    };
}

macro_rules! rows {
    ($($name:ident $rust:ident $c:literal;)*) => { &[$(Type { name: stringify!($name), c: $c }),*] };
}

/// Numbers that Rust has.
pub const WORDS: &[Type] = word_types!(rows);
/// The one that it lacks.
pub const LONG_DOUBLE: Type = Type { name: "longdouble", c: "long double" };
/// Standard atomics, and waiting.
pub const AMO: &[Type] = amo_types!(rows);
/// Extended atomics: those of [`AMO`] and these.
pub const EXTENDED: &[Type] = extended_types!(rows);
/// Bitwise atomics.
pub const BITWISE: &[Type] = bitwise_types!(rows);
/// Bits of the elements of the routines that are called after a size.
pub const SIZES: [u32; 5] = [8, 16, 32, 64, 128];

/// All types of remote memory access.
pub const RMA: fn() -> Vec<Type> = || WORDS.iter().copied().chain([LONG_DOUBLE]).collect();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_the_specification_has() {
        assert_eq!((RMA().len(), AMO.len(), AMO.len() + EXTENDED.len(), BITWISE.len()), (24, 12, 14, 7));
    }

    /// A type has one meaning in all tables.
    #[test]
    fn the_tables_agree() {
        for row in AMO.iter().chain(EXTENDED).chain(BITWISE) {
            assert!(WORDS.contains(row), "{row:?}");
        }
    }
}
