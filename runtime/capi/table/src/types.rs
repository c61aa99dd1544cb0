//! The types of OpenSHMEM 1.6: its tables for remote memory access, atomics, waiting, and reductions.

/// A type for which there are routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// `TYPENAME`, as in `shmem_TYPENAME_put`.
    pub name: &'static str,
    /// The type in C.
    pub c: &'static str,
    /// Whether all routines for this type are deprecated.
    pub deprecated: bool,
}

impl Type {
    const fn new(name: &'static str, c: &'static str) -> Self {
        Self { name, c, deprecated: false }
    }

    /// The name of the type in Rust, as far as kernels combine its values.
    pub fn number(&self) -> &'static str {
        match self.fundamental() {
            "float" => "f32",
            "double" => "f64",
            "char" | "signed char" => "i8",
            "short" => "i16",
            "int" => "i32",
            "long" | "long long" => "i64",
            "unsigned char" => "u8",
            "unsigned short" => "u16",
            "unsigned int" => "u32",
            "unsigned long" | "unsigned long long" => "u64",
            _ if self.name == "half" => "f16",
            _ if self.name == "bfloat16" => "bf16",
            _ => "",
        }
    }

    /// The fundamental type for which this is another name, on machines with 64-bit `long` and pointers.
    pub fn fundamental(&self) -> &'static str {
        match self.c {
            "int8_t" => "signed char",
            "int16_t" => "short",
            "int32_t" => "int",
            "int64_t" | "ptrdiff_t" => "long",
            "uint8_t" => "unsigned char",
            "uint16_t" => "unsigned short",
            "uint32_t" => "unsigned int",
            "uint64_t" | "size_t" => "unsigned long",
            itself => itself,
        }
    }
}

/// Defines a macro that calls `$callback!` with types that Rust has, as rows `name rust_type "C type";`, and a constant
/// with the same types. The first argument is a dollar sign, which a macro cannot produce otherwise.
macro_rules! list {
    (($dollar:tt) $(#[$about:meta])* $macro:ident $constant:ident: $($name:ident $rust:ident $c:literal;)*) => {
        $(#[$about])*
        #[macro_export]
        macro_rules! $macro {
            ($dollar callback:ident) => { $dollar callback! { $($name $rust $c;)* } };
        }
        $(#[$about])*
        pub const $constant: &[Type] = &[$(Type::new(stringify!($name), $c)),*];
    };
}

list! { ($)
    /// Remote memory access, collectives, `min` and `max`; without [`LONG_DOUBLE`].
    word_types WORDS:
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

list! { ($)
    /// Standard atomics, and waiting.
    amo_types AMO:
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

list! { ($)
    /// The types of extended atomics that are not in [`AMO`].
    extended_types EXTENDED:
        float f32 "float";
        double f64 "double";
}

list! { ($)
    /// Bitwise atomics.
    bitwise_types BITWISE:
        uint u32 "unsigned int";
        ulong u64 "unsigned long";
        ulonglong u64 "unsigned long long";
        int32 i32 "int32_t";
        int64 i64 "int64_t";
        uint32 u32 "uint32_t";
        uint64 u64 "uint64_t";
}

list! { ($)
    /// Reductions by `and`, `or` and `xor`.
    bitwise_reduce_types BITWISE_REDUCE:
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
}

list! { ($)
    /// Integers of the active-set reductions, which are deprecated.
    to_all_types TO_ALL:
        short i16 "short";
        int i32 "int";
        long i64 "long";
        longlong i64 "long long";
}

list! { ($)
    /// Integers of the atomics from before 1.4, which are deprecated.
    old_amo_types OLD_AMO:
        int i32 "int";
        long i64 "long";
        longlong i64 "long long";
}

/// The type that Rust lacks.
pub const LONG_DOUBLE: Type = Type::new("longdouble", "long double");
/// The types of sums, products and scans that are not in the table of remote memory access.
pub const COMPLEX: &[Type] =
    &[Type::new("complexf", "shmem_impl_complexf"), Type::new("complexd", "shmem_impl_complexd")];
/// The types that waiting had before 1.5 and that are not in [`AMO`]. The specification never had them for arrays, but
/// other libraries do.
const SHORTS: &[Type] = &[
    Type { deprecated: true, ..Type::new("short", "short") },
    Type { deprecated: true, ..Type::new("ushort", "unsigned short") },
];
/// Element sizes in bits of the routines that are named after a size.
pub const SIZES: [u32; 5] = [8, 16, 32, 64, 128];

/// A list of types.
pub struct Types {
    /// The name from which the header's macro for this list is formed.
    pub name: &'static str,
    /// The lists of which it consists.
    pub lists: &'static [&'static [Type]],
}

impl Types {
    /// Its types.
    pub fn iter(&self) -> impl Iterator<Item = &'static Type> {
        self.lists.iter().copied().flatten()
    }
}

const fn types(name: &'static str, lists: &'static [&'static [Type]]) -> Types {
    Types { name, lists }
}

/// For routines without a type.
pub const NONE: &Types = &types("", &[&[Type::new("", "void")]]);
/// For routines that are named after a size in bits.
pub const BITS: &Types = &types(
    "",
    &[&[
        Type::new("8", "void"),
        Type::new("16", "void"),
        Type::new("32", "void"),
        Type::new("64", "void"),
        Type::new("128", "void"),
    ]],
);
/// Remote memory access, collectives that only move data, `min` and `max`: 24.
pub const RMA: &Types = &types("RMA", &[WORDS, &[LONG_DOUBLE]]);
/// Types whose values are stored as a whole: 23.
pub const WORD: &Types = &types("", &[WORDS]);
/// 16-bit floating-point types, which C lacks.
pub const HALF: &Types = &types("", &[&[Type::new("half", "void"), Type::new("bfloat16", "void")]]);
/// Standard atomics, and waiting: 12.
pub const STANDARD_AMO: &Types = &types("AMO", &[AMO]);
/// Extended atomics: 14.
pub const EXTENDED_AMO: &Types = &types("EXTENDED", &[AMO, EXTENDED]);
/// The types of extended atomics that are not standard ones.
pub const FLOATS: &Types = &types("", &[EXTENDED]);
/// Bitwise atomics: 7.
pub const BITWISE_AMO: &Types = &types("BITWISE", &[BITWISE]);
/// `wait_until` and `test`, of words and arrays.
pub const WAIT: &Types = &types("WAIT", &[AMO, SHORTS]);
/// `wait_until` on a stream. 16 bits are no relic there.
pub const STREAM_WAIT: &Types =
    &types("", &[AMO, &[Type::new("short", "short"), Type::new("ushort", "unsigned short")]]);
/// Reductions by `and`, `or`, `xor`: 14.
pub const REDUCE_BITWISE: &Types = &types("REDUCE_BITWISE", &[BITWISE_REDUCE]);
/// Reductions by `sum` and `prod`, and scans: 26.
pub const REDUCE_ARITHMETIC: &Types = &types("REDUCE_ARITHMETIC", &[WORDS, &[LONG_DOUBLE], COMPLEX]);
/// Active-set reductions by `and`, `or`, `xor`: 4.
pub const TO_ALL_BITWISE: &Types = &types("", &[TO_ALL]);
/// Active-set reductions by `min` and `max`: 7.
pub const TO_ALL_ORDERED: &Types = &types("", &[TO_ALL, EXTENDED, &[LONG_DOUBLE]]);
/// Active-set reductions by `sum` and `prod`: 9.
pub const TO_ALL_ARITHMETIC: &Types = &types("", &[TO_ALL, EXTENDED, &[LONG_DOUBLE], COMPLEX]);
/// Atomics from before 1.4.
pub const OLD_STANDARD: &Types = &types("OLD_STANDARD", &[OLD_AMO]);
/// Extended atomics from before 1.4.
pub const OLD_EXTENDED: &Types = &types("OLD_EXTENDED", &[OLD_AMO, EXTENDED]);
/// `shmem_TYPENAME_wait`.
pub const OLD_WAIT: &Types = &types("", &[TO_ALL]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_the_specification_has() {
        let lists = [RMA, STANDARD_AMO, EXTENDED_AMO, BITWISE_AMO, WAIT, REDUCE_BITWISE, REDUCE_ARITHMETIC];
        assert_eq!(lists.map(|l| l.iter().count()), [24, 12, 14, 7, 14, 14, 26]);
        let old = [TO_ALL_BITWISE, TO_ALL_ORDERED, TO_ALL_ARITHMETIC, OLD_STANDARD, OLD_EXTENDED, OLD_WAIT];
        assert_eq!(old.map(|l| l.iter().count()), [4, 7, 9, 3, 5, 4]);
        assert_eq!(BITS.iter().map(|t| t.name.parse().ok()).collect::<Vec<Option<u32>>>(), SIZES.map(Some));
    }

    /// A type means the same in all tables.
    #[test]
    fn the_tables_agree() {
        for row in [AMO, EXTENDED, BITWISE, BITWISE_REDUCE, TO_ALL, OLD_AMO].concat() {
            assert!(WORDS.contains(&row), "{row:?}");
        }
    }
}
