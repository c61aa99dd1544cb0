//! What reductions compute, selected by number. They work on words of 8 bytes that hold one or more elements each, so
//! that one copy of a kernel serves all types. All lanes pass the same number, so the branch costs little.

use cushmem_abi::{Combine, Number};
use cushmem_device::collective::{Combiner, each_word, word};
use cushmem_device::{And, Bf16, F16, Max, Min, Or, Prod, Sum, Xor};

/// Calls `$each` with the operation that has this number; every case gives it as a function on two words.
macro_rules! by_code {
    ($code:expr, $each:ident, $otherwise:expr; $($operation:ident $($number:ident $t:ty),+;)*) => {
        match $code {
            $($(
                found if found == const { Combine::$operation.code(Number::$number) } => $each!(word::<$t, $operation>),
            )+)*
            _ => $otherwise,
        }
    };
}

/// Operations that few programs use, word by word. They are in a function of their own because it is long.
#[inline(never)]
fn seldom(code: u32, a: u64, b: u64) -> u64 {
    macro_rules! once {
        ($combine:expr) => {
            $combine(a, b)
        };
    }
    by_code! { code, once, a;
        Min U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, F16 F16, Bf16 Bf16;
        Max U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, F16 F16, Bf16 Bf16;
        Sum U8 u8, U16 u16;
        Prod U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64, F16 F16, Bf16 Bf16;
    }
}

/// The operation and type with this number.
#[derive(Clone, Copy)]
pub(crate) struct ByCode(pub u32);

impl Combiner for ByCode {
    #[inline(always)]
    fn combine<const K: usize>(self, all: &mut [u64; K], more: [u64; K]) {
        macro_rules! each {
            ($combine:expr) => {
                each_word(all, more, $combine)
            };
        }
        by_code! { self.0, each, each_word(all, more, |a, b| seldom(self.0, a, b));
            And U64 u64;
            Or U64 u64;
            Xor U64 u64;
            Sum U32 u32, U64 u64, F32 f32, F64 f64, F16 F16, Bf16 Bf16;
        }
    }
}
