//! Mathematical functions that are exact, or round correctly: one instruction each, or a sequence that the assembler
//! makes.

use core::arch::asm;

macro_rules! functions { ($($name:ident: $t:ty, $reg:ident, $instruction:literal, $operands:literal, $($more:ident),*;)*) => {$(
    #[doc = concat!("`", $instruction, "`")]
    #[inline(always)]
    pub fn $name(x: $t, $($more: $t),*) -> $t {
        let result;
        // SAFETY: computes a register.
        unsafe {
            asm!(concat!($instruction, " {0}, {1}", $operands, ";"), out($reg) result, in($reg) x, $(in($reg) $more,)*
                 options(pure, nomem, nostack, preserves_flags));
        }
        result
    }
)*} }
functions! {
    sqrt_f32: f32, reg32, "sqrt.rn.f32", "",;
    sqrt_f64: f64, reg64, "sqrt.rn.f64", "",;
    floor_f32: f32, reg32, "cvt.rmi.f32.f32", "",;
    floor_f64: f64, reg64, "cvt.rmi.f64.f64", "",;
    ceil_f32: f32, reg32, "cvt.rpi.f32.f32", "",;
    ceil_f64: f64, reg64, "cvt.rpi.f64.f64", "",;
    abs_f32: f32, reg32, "abs.f32", "",;
    abs_f64: f64, reg64, "abs.f64", "",;
    min_f32: f32, reg32, "min.f32", ", {2}", y;
    min_f64: f64, reg64, "min.f64", ", {2}", y;
    max_f32: f32, reg32, "max.f32", ", {2}", y;
    max_f64: f64, reg64, "max.f64", ", {2}", y;
    fma_f32: f32, reg32, "fma.rn.f32", ", {2}, {3}", y, z;
    fma_f64: f64, reg64, "fma.rn.f64", ", {2}, {3}", y, z;
}

/// Word `index` of 2/π, from the module's constant, which `kernels!` declares.
#[inline(always)]
pub fn two_over_pi(index: u32) -> u64 {
    let word;
    // SAFETY: the caller names one of the words.
    unsafe {
        asm!("{{ .reg .b32 at; mov.u32 at, cushmem_two_over_pi; mad.lo.u32 at, {1}, 8, at; ld.const.u64 {0}, [at]; }}",
             out(reg64) word, in(reg32) index, options(pure, nomem, nostack, preserves_flags));
    }
    word
}

/// Cycles of this lane's multiprocessor.
#[inline(always)]
pub fn clock() -> u64 {
    let cycles;
    // SAFETY: reads a special register.
    unsafe { asm!("mov.u64 {0}, %clock64;", out(reg64) cycles, options(nomem, nostack, preserves_flags)) }
    cycles
}
